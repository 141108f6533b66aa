//! The findings of a verdict: what is wrong, where, what the code does now, and a way out.

use serde::Serialize;

use super::claim::{Claim, DenotedClaim, arrays};
use super::conformance::Violation;
use super::input::CheckInput;
use super::sets::{self, ComparedSets};
use super::{doubt, notation};
use crate::analysis::stencil::attach::{Attached, finding, span_of, whole_span};
use crate::analysis::stencil::computations::{
    ArrayAccess, Axis, Computation, LeftSide, Offsets, RelativeRead, Undescribed,
};
use crate::analysis::stencil::index_record::{IndexRecord, index_record};
use crate::analysis::stencil::infer::Approximation;
use crate::analysis::stencil::rules;
use crate::analysis::stencil::spec::{ComputationKind, SpelledName};
use crate::diagnostics::{DataRecord, Finding, Location, Mark, Note, Rule};
use crate::region::{Component, Direction, IntegerSet, Place, Unf};
use crate::source::Span;

/// References that are marked in one finding.
const MOST_MARKED: usize = 4;

/// An offset in which code and specification differ.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WitnessRecord {
    /// One component for each dimension, relative to the left side.
    offset: Vec<IndexRecord>,
    /// Whether the code reads it and the specification does not allow it, or the reverse.
    is_read: bool,
    /// The reference in terms of the source.
    reference: String,
}

/// The finding for what is wrong with one of the claims on an array.
pub fn violation_finding(
    input: CheckInput<'_>,
    claims: &[DenotedClaim<'_>],
    at: usize,
    access: &ArrayAccess,
    wrong: &Violation,
    inferred: &[String],
) -> Finding {
    let claim = &claims[at];
    if !matches!(wrong, Violation::Undecided(_))
        && let Some(doubt) = doubt::of_described(input, &claim.claim, access, *wrong == Violation::Kind)
    {
        return not_checked(input, &claim.claim, &doubt);
    }
    let name = &claim.claim.variable.text;
    let said = &claim.claim.attached.specification;
    let (rule, message): (&'static Rule, String) = match wrong {
        Violation::Kind => {
            let (is, says) = (access.kind, said.kind);
            (&rules::KIND_DIFFERS, format!("The computation is {}, the specification of '{name}' says {says}", a(is)))
        }
        Violation::Repeated => (&rules::REPEATED_READ, format!("'{name}' is read more than once at the same place")),
        Violation::Region { .. } => {
            (&rules::REGION_DIFFERS, format!("The specification of '{name}' and the code differ"))
        }
        Violation::Direction { .. } => (
            &rules::OTHER_LOOP_VARIABLE,
            format!("'{name}' is read along other loop variables than the specification says"),
        ),
        Violation::FixedIndex { .. } => (
            &rules::FIXED_INDEX_DIFFERS,
            format!("'{name}' is read at another fixed index than the specification says"),
        ),
        Violation::Undecided(reason) => {
            (&rules::UNDECIDED, format!("Whether the specification of '{name}' holds was not decided: {reason}"))
        }
        Violation::NotReadOnce => (
            &rules::MISSING_READ_ONCE,
            format!("No read of '{name}' is repeated, but the specification does not say 'readOnce'"),
        ),
    };
    let mut finding = at_computation(input, claim.claim.computation, rule, message);
    match wrong {
        Violation::Region { not_allowed, not_read } | Violation::FixedIndex { not_allowed, not_read } => {
            explain_region(input, &mut finding, claim, access, not_allowed.as_deref(), not_read.as_deref());
        }
        Violation::Direction { dimension } => explain_direction(input, &mut finding, claim, access, *dimension),
        Violation::Repeated => {
            mark_specification(input, &mut finding, &claim.claim, "says that nothing is read twice");
            mark_repeated(input, &mut finding, access);
        }
        Violation::Kind => {
            mark_specification(input, &mut finding, &claim.claim, &format!("says {}", said.kind));
            finding.remark(why_kind(access.kind));
        }
        Violation::NotReadOnce => {
            mark_specification(input, &mut finding, &claim.claim, "says that some element is read twice");
        }
        Violation::Undecided(_) => mark_specification(input, &mut finding, &claim.claim, "not verified"),
    }
    finding.notes.extend(inferred.iter().cloned().map(Note::Inferred));
    finding
}

/// A finding on the assignment of a computation.
fn at_computation(input: CheckInput<'_>, computation: &Computation, rule: &'static Rule, message: String) -> Finding {
    finding(input.scopes.tree, rule, input.statement_span(computation.statement), message)
}

/// The kind with its article.
fn a(kind: ComputationKind) -> String {
    match kind {
        ComputationKind::Stencil => format!("a {kind}"),
        ComputationKind::Access => format!("an {kind}"),
    }
}

fn why_kind(kind: ComputationKind) -> &'static str {
    match kind {
        ComputationKind::Stencil => "The left side has an index that moves with the loop",
        ComputationKind::Access => "The left side has no index that moves with the loop",
    }
}

fn mark_specification(input: CheckInput<'_>, finding: &mut Finding, claim: &Claim<'_>, label: &str) {
    mark(input, finding, whole_span(&claim.attached.text), label, false);
}

fn mark(input: CheckInput<'_>, finding: &mut Finding, span: Span, label: &str, is_primary: bool) {
    let location = Location::of(&input.scopes.tree.source.texts, span);
    let mark = Mark { location, label: label.to_owned(), is_primary };
    if !finding.marks.contains(&mark) {
        finding.marks.push(mark);
    }
}

/// S010: marks the reads that are not allowed, names an offset that is not read.
fn explain_region(
    input: CheckInput<'_>,
    finding: &mut Finding,
    claim: &DenotedClaim<'_>,
    access: &ArrayAccess,
    not_allowed: Option<&[i64]>,
    not_read: Option<&[i64]>,
) {
    let left = &claim.claim.computation.left;
    let sets = ComparedSets::new(&access.reads, &claim.meaning.union);
    let set = notation::set(&sets.specified);
    let verb = match claim.claim.attached.specification.approximation {
        Approximation::AtLeast => "asks for",
        Approximation::Exact if not_allowed.is_none() => "asks for",
        Approximation::Exact | Approximation::AtMost => "allows",
    };
    let indices = |at: &[i64]| {
        let places = at.iter().enumerate();
        places.map(|(dimension, &code)| index_record(dimension, code, &access.constant_names)).collect()
    };
    let reference = |at: &[i64]| notation::reference_at(input, left, access, at).unwrap_or_default();
    if let Some(at) = not_allowed {
        mark_not_allowed(input, finding, claim, access);
        let record = WitnessRecord { offset: indices(at), is_read: true, reference: reference(at) };
        finding.record(DataRecord::WITNESS, &record);
    }
    mark_specification(input, finding, &claim.claim, &format!("{verb} offset{} {set}", plural(&sets.specified)));
    if let Some(at) = not_read {
        let reference = reference(at);
        let in_source = if reference.is_empty() { String::new() } else { format!(", that is '{reference}'") };
        finding.remark(format!("Never read though specified: offset {}{in_source}", notation::vector(at)));
        finding.record(DataRecord::WITNESS, &WitnessRecord { offset: indices(at), is_read: false, reference });
    }
}

/// The ending of "offset" before a set.
fn plural(union: &Unf<IntegerSet>) -> &'static str {
    let is_one = |component: &Component<IntegerSet>| match component {
        Component::Within(set) => matches!(set.ranges(), [(first, last)] if first == last),
        Component::Every => false,
    };
    let is_single = matches!(union.schemes(), [scheme] if scheme.components.iter().all(is_one));
    if is_single { "" } else { "s" }
}

/// S024: marks the reads that follow what is not specified in a dimension, or else all.
fn explain_direction(
    input: CheckInput<'_>,
    finding: &mut Finding,
    claim: &DenotedClaim<'_>,
    access: &ArrayAccess,
    dimension: usize,
) {
    let sets = ComparedSets::new(&access.reads, &claim.meaning.union);
    let specified = sets::directions(&sets.specified, dimension);
    let left = &claim.claim.computation.left;
    let told = |direction: Direction| direction_text(input, left, access, dimension, direction);
    let followed = |read: &RelativeRead| match Place::of(read.offsets[dimension]?) {
        Place::Offset(direction, _) => Some(direction),
        Place::Fixed(_) | Place::Named(_) | Place::SomeFixed => None,
    };
    let all = access.reads.iter().filter_map(|read| Some((read, followed(read)?)));
    let mut guilty: Vec<_> = all.clone().filter(|(_, direction)| !specified.contains(direction)).collect();
    if guilty.is_empty() {
        guilty.extend(all);
    }
    let number = dimension + 1;
    for (read, direction) in guilty.iter().take(MOST_MARKED) {
        let label = format!("dimension {number} runs over {}", told(*direction));
        mark(input, finding, subscript_span(access, read, dimension), &label, true);
    }
    let says: Vec<String> = specified.into_iter().map(told).collect();
    let says = format!("says that dimension {number} runs over {}", says.join(" and over "));
    mark_specification(input, finding, &claim.claim, &says);
}

/// Which variable an index in a dimension follows.
fn direction_text(
    input: CheckInput<'_>,
    left: &LeftSide,
    access: &ArrayAccess,
    dimension: usize,
    direction: Direction,
) -> String {
    let of_left = |dimension: usize| left.subscripts.get(dimension - 1).copied().flatten();
    let along = match direction {
        Direction::Free => return "a variable that the left side has not (free)".to_owned(),
        Direction::Along(of) => Some(of),
        Direction::Usual => access.usual.get(dimension).copied().flatten(),
    };
    match along.and_then(|of| Some((of, of_left(of)?))) {
        Some((of, Axis::Variable(_))) => {
            let variable = along.and_then(of_left).map(|axis| notation::over_axis(input, axis, None, 0));
            format!("'{}', as dimension {of} of the left side does", variable.unwrap_or_default())
        }
        Some((of, Axis::Section(_))) => format!("what dimension {of} of the left side runs over"),
        None => match along {
            Some(of) => format!("what dimension {of} of the left side runs over"),
            None => "the next variable of the left side in order".to_owned(),
        },
    }
}

/// The subscript of a read in a dimension; the whole reference where that is not written.
fn subscript_span(access: &ArrayAccess, read: &RelativeRead, dimension: usize) -> Span {
    let written = access.classified.iter().find(|one| one.span == read.span && one.is_plain);
    written.and_then(|one| one.subscripts.get(dimension)).map_or(read.span, |subscript| subscript.span)
}

fn mark_not_allowed(input: CheckInput<'_>, finding: &mut Finding, claim: &DenotedClaim<'_>, access: &ArrayAccess) {
    let sets = ComparedSets::new(&access.reads, &claim.meaning.union);
    let guilty: Vec<(&RelativeRead, &Offsets)> =
        sets.outside().into_iter().map(|at| (&access.reads[at], &sets.spoken[at])).collect();
    for (read, offsets) in guilty.iter().take(MOST_MARKED) {
        let label = format!("reads offset {}, which the specification does not allow", notation::offsets(offsets));
        mark(input, finding, read.span, &label, true);
    }
    if guilty.len() > MOST_MARKED {
        finding.remark(format!("{} more reads are not allowed", guilty.len() - MOST_MARKED));
    }
    // A dimension without an induction variable allows every offset, which is more than a constant in it does.
    let constrains = |offsets: &Offsets| {
        claim.meaning.union.schemes().iter().any(|scheme| {
            let pairs = scheme.components.iter().zip(offsets);
            pairs.into_iter().any(|(component, offset)| offset.is_none() && !component.is_every())
        })
    };
    if guilty.iter().any(|(_, offsets)| constrains(offsets)) {
        finding.remark("An index without an induction variable counts as any offset".to_owned());
    }
}

/// S012: marks the reads that are the same.
fn mark_repeated(input: CheckInput<'_>, finding: &mut Finding, access: &ArrayAccess) {
    for spans in sets::repeated(&access.classified).into_iter().take(MOST_MARKED) {
        for (number, span) in spans.into_iter().enumerate().take(MOST_MARKED) {
            let label = if number == 0 { "read here" } else { "and read again here" };
            mark(input, finding, span, label, number > 0);
        }
    }
}

/// S018: what a claim rests on is not known, as a sentence says.
pub fn not_checked(input: CheckInput<'_>, claim: &Claim<'_>, doubt: &str) -> Finding {
    let message = format!("The specification of '{}' is not checked: {doubt}", claim.variable.text);
    let mut finding = at_computation(input, claim.computation, &rules::NOT_CHECKED, message);
    mark_specification(input, &mut finding, claim, "can't be verified");
    finding
}

/// S015: the array is read in a way that has no specification; or S018.
pub fn not_specifiable(input: CheckInput<'_>, claim: Claim<'_>, undescribed: &Undescribed) -> Finding {
    if let Some(doubt) = doubt::of_undescribed(input, claim.computation, undescribed) {
        let mut finding = not_checked(input, &claim, &doubt);
        mark(input, &mut finding, undescribed.span, undescribed.reason.name(), true);
        return finding;
    }
    let message = format!("'{}' can't be specified here: {}", claim.variable.text, undescribed.reason.explanation());
    let mut finding = at_computation(input, claim.computation, &rules::NOT_SPECIFIABLE, message);
    mark(input, &mut finding, undescribed.span, undescribed.reason.name(), true);
    mark_specification(input, &mut finding, &claim, "can't be verified");
    finding
}

/// S014: the array is not read; or S018.
pub fn not_read(
    input: CheckInput<'_>,
    attached: &Attached,
    variable: &SpelledName,
    computation: Option<&Computation>,
) -> Finding {
    let tree = input.scopes.tree;
    let doubt = doubt::of_not_read(input, attached.statement, computation, variable);
    let (rule, message) = match &doubt {
        None => (&rules::ARRAY_NOT_READ, format!("'{}' is not read by this computation", variable.text)),
        Some(doubt) => {
            (&rules::NOT_CHECKED, format!("The specification of '{}' is not checked: {doubt}", variable.text))
        }
    };
    let mut finding = finding(tree, rule, input.statement_span(attached.statement), message);
    let span = span_of(&attached.text, variable.offset, variable.text.len());
    mark(input, &mut finding, span, if doubt.is_some() { "can't be verified" } else { "not read below" }, false);
    if let Some(computation) = computation {
        let read: Vec<String> = arrays(computation).map(|array| format!("'{}'", array.spelling())).collect();
        finding.remark(match read.as_slice() {
            [] => "No array is read here".to_owned(),
            _ => format!("Arrays that are read: {}", read.join(", ")),
        });
    }
    finding
}
