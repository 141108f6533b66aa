//! The findings of a verdict: what is wrong, where, what the code does now, and a way out.

use serde::Serialize;

use super::claim::{self, Claim, DenotedClaim, arrays};
use super::conformance::{ArrayReads, Violation, union_of};
use super::repair::{self, Target};
use super::{CheckInput, notation};
use crate::analysis::stencil::attach::{Attached, finding, span_of, whole_span};
use crate::analysis::stencil::computations::{ArrayAccess, Computation, RelativeRead, Undescribed};
use crate::analysis::stencil::infer::Approximation;
use crate::analysis::stencil::rules;
use crate::analysis::stencil::spec::{ComputationKind, SpelledName};
use crate::diagnostics::{DataRecord, Finding, Location, Mark, Note, Rule};
use crate::region::{Component, Interval, Unf};
use crate::solve::{Answer, Native, Solver};
use crate::source::Span;

/// References that are marked in one finding.
const MOST_MARKED: usize = 4;

/// An offset in which code and specification differ.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WitnessRecord {
    /// One component for each dimension, relative to the left side.
    offset: Vec<i64>,
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
        Violation::Region { not_allowed, not_read } => {
            explain_region(input, &mut finding, claim, access, not_allowed.as_deref(), not_read.as_deref());
        }
        Violation::Repeated => {
            mark_specification(input, &mut finding, &claim.claim, "says that nothing is read twice");
            mark_repeated(input, &mut finding, access);
        }
        Violation::Kind => {
            mark_specification(input, &mut finding, &claim.claim, &format!("says {}", said.kind));
            finding.remark(why_kind(access.kind, claim.claim.computation));
        }
        Violation::NotReadOnce => {
            mark_specification(input, &mut finding, &claim.claim, "says that some element is read twice");
        }
        Violation::Undecided(_) => mark_specification(input, &mut finding, &claim.claim, "not verified"),
    }
    if matches!(wrong, Violation::Repeated | Violation::Region { .. }) {
        let target = Target { claims, computation: claim.claim.computation, classified: &access.classified };
        repair::add(input, &mut finding, target);
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

fn why_kind(kind: ComputationKind, computation: &Computation) -> &'static str {
    match kind {
        ComputationKind::Stencil => "The left side has an index that moves with the loop",
        ComputationKind::Access if computation.left.kind == ComputationKind::Access => {
            "The left side has no index that moves with the loop"
        }
        ComputationKind::Access => "The array is read along other variables than the left side has",
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
    let set = notation::set(&claim.meaning.union);
    let verb = match claim.claim.attached.specification.approximation {
        Approximation::AtLeast => "asks for",
        Approximation::Exact if not_allowed.is_none() => "asks for",
        Approximation::Exact | Approximation::AtMost => "allows",
    };
    let reference = |at: &[i64]| notation::reference_at(input, left, &access.classified, at).unwrap_or_default();
    if let Some(at) = not_allowed {
        mark_not_allowed(input, finding, claim, access);
        finding.record(
            DataRecord::WITNESS,
            &WitnessRecord { offset: at.to_vec(), is_read: true, reference: reference(at) },
        );
    }
    mark_specification(input, finding, &claim.claim, &format!("{verb} offset{} {set}", plural(&claim.meaning.union)));
    if let Some(at) = not_read {
        let reference = reference(at);
        let in_source = if reference.is_empty() { String::new() } else { format!(", that is '{reference}'") };
        finding.remark(format!("Never read though specified: offset {}{in_source}", notation::vector(at)));
        finding.record(DataRecord::WITNESS, &WitnessRecord { offset: at.to_vec(), is_read: false, reference });
    }
}

/// The ending of "offset" before a set.
fn plural(union: &Unf<Interval>) -> &'static str {
    let is_one = |component: &Component<Interval>| match component {
        Component::Within(interval) => interval.lower() == interval.upper(),
        Component::Every => false,
    };
    let is_single = matches!(union.schemes(), [scheme] if scheme.components.iter().all(is_one));
    if is_single { "" } else { "s" }
}

fn mark_not_allowed(input: CheckInput<'_>, finding: &mut Finding, claim: &DenotedClaim<'_>, access: &ArrayAccess) {
    let guilty = not_allowed(access.into(), claim);
    for read in guilty.iter().take(MOST_MARKED) {
        let label =
            format!("reads offset {}, which the specification does not allow", notation::offsets(&read.offsets));
        mark(input, finding, read.span, &label, true);
    }
    if guilty.len() > MOST_MARKED {
        finding.remark(format!("{} more reads are not allowed", guilty.len() - MOST_MARKED));
    }
    // A dimension without an induction variable allows every offset, which is more than a constant in it does.
    let has_absolute = guilty.iter().any(|read| read.offsets.contains(&None));
    let constrains = claim.meaning.union.schemes().iter().any(|scheme| {
        guilty.iter().any(|read| {
            scheme
                .components
                .iter()
                .zip(&read.offsets)
                .any(|(component, offset)| offset.is_none() && !component.is_every())
        })
    });
    if has_absolute && constrains {
        finding.remark("An index without an induction variable counts as any offset".to_owned());
    }
}

/// The reads that are not inside the set of a claim.
pub fn not_allowed<'r>(reading: ArrayReads<'r>, claim: &DenotedClaim<'_>) -> Vec<&'r RelativeRead> {
    let allowed = claim.meaning.union.to_index();
    let mut native = Native::default();
    let is_outside = |read: &&RelativeRead| {
        let of_read = union_of(std::iter::once(&read.offsets), allowed.rank());
        native.difference(&of_read, &allowed) != Answer::Empty
    };
    reading.reads.iter().filter(is_outside).collect()
}

/// S012: marks the reads that are the same.
fn mark_repeated(input: CheckInput<'_>, finding: &mut Finding, access: &ArrayAccess) {
    for spans in repair::repeated(&access.classified).into_iter().take(MOST_MARKED) {
        for (number, span) in spans.into_iter().enumerate().take(MOST_MARKED) {
            let label = if number == 0 { "read here" } else { "and read again here" };
            mark(input, finding, span, label, number > 0);
        }
    }
}

/// S015: the array is read in a way that has no specification.
pub fn not_specifiable(input: CheckInput<'_>, claims: &[Claim<'_>], undescribed: &Undescribed) -> Finding {
    let claim = &claims[0];
    let message = format!("'{}' can't be specified here: {}", claim.variable.text, undescribed.reason.explanation());
    let mut finding = at_computation(input, claim.computation, &rules::NOT_SPECIFIABLE, message);
    mark(input, &mut finding, undescribed.span, undescribed.reason.name(), true);
    mark_specification(input, &mut finding, claim, "can't be verified");
    if !undescribed.classified.is_empty() {
        let denoted: Vec<DenotedClaim<'_>> =
            claims.iter().filter_map(|claim| claim::denote(input, *claim).ok()).collect();
        let target = Target { claims: &denoted, computation: claim.computation, classified: &undescribed.classified };
        repair::add(input, &mut finding, target);
    }
    finding
}

/// S014: the array is not read.
pub fn not_read(
    input: CheckInput<'_>,
    attached: &Attached,
    variable: &SpelledName,
    computation: Option<&Computation>,
) -> Finding {
    let tree = input.scopes.tree;
    let message = format!("'{}' is not read by this computation", variable.text);
    let mut finding = finding(tree, &rules::ARRAY_NOT_READ, input.statement_span(attached.statement), message);
    let span = span_of(&attached.text, variable.offset, variable.text.len());
    mark(input, &mut finding, span, "not read below", false);
    if let Some(computation) = computation {
        let read: Vec<String> = arrays(computation).map(|array| format!("'{}'", array.spelling())).collect();
        finding.remark(match read.as_slice() {
            [] => "No array is read here".to_owned(),
            _ => format!("Arrays that are read: {}", read.join(", ")),
        });
    }
    finding
}
