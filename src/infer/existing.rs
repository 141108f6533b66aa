//! Specifications that are there already, compared with the code by meaning: those that hold are left alone, those that
//! contradict the code are errors.

use std::collections::{BTreeMap, BTreeSet};

use super::attach::{Attached, RegionScopes, Specifications, denote_finding, finding, span_of};
use super::convert::scheme;
use crate::access::{ArrayAccess, Computation, Undescribed};
use crate::region::{Interval, Unf};
use crate::report::{Finding, Severity, rules};
use crate::solve::{self, Answer, Comparison, Native, Solver};
use crate::source::Span;
use crate::spec::{Approximation, ComputationKind, Name};
use crate::syntax::{StatementId, Tree};

/// What the specifications in a file come to.
#[derive(Clone, Debug, Default)]
pub struct Existing {
    /// For each statement the arrays (in lower case) that a specification speaks of already.
    pub covered: BTreeMap<StatementId, BTreeSet<String>>,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
    /// Whether one of the findings is an error.
    pub has_errors: bool,
}

/// Compares the specifications of a file with its computations, among which is every statement that one stands above.
pub fn existing(
    tree: &Tree,
    specifications: &Specifications,
    scopes: &RegionScopes<'_>,
    computations: &[Computation],
) -> Existing {
    let mut existing = Existing { findings: specifications.findings.clone(), ..Existing::default() };
    for attached in &specifications.attached {
        for variable in &attached.specification.variables {
            match compare(tree, scopes, computations, attached, variable) {
                Ok((statement, array)) => {
                    existing.covered.entry(statement).or_default().insert(array);
                }
                Err(finding) => existing.findings.push(*finding),
            }
        }
    }
    existing.has_errors = existing.findings.iter().any(|finding| finding.severity == Severity::Error);
    existing
}

/// An array of a computation, as it was described.
type Array<'c> = Result<&'c ArrayAccess, &'c Undescribed>;

/// What goes wrong with one variable of a specification.
type Wrong = Box<Finding>;

/// Compares a specification with what the code reads of one variable: the statement and the array it speaks of, or what is
/// wrong.
fn compare(
    tree: &Tree,
    scopes: &RegionScopes<'_>,
    computations: &[Computation],
    attached: &Attached,
    variable: &Name,
) -> Result<(StatementId, String), Wrong> {
    let name = &variable.text;
    let (computation, array) = match attached.last {
        None => above_assignment(tree, computations, attached, variable)?,
        Some(last) => above_construct(tree, computations, attached, last, variable)?,
    };
    let span = tree.statements[computation.statement as usize].span;
    let error = |rule, span: Span, message: String| Err(Box::new(finding(tree, rule, span, message)));
    let access = match array {
        Ok(access) => access,
        Err(undescribed) => {
            let message = format!("'{name}' can't be specified here: {}", undescribed.reason.explanation());
            return error(&rules::NOT_SPECIFIABLE, undescribed.span, message);
        }
    };
    let rank = access.reads.first().map_or(0, |read| read.offsets.len());
    let meaning = scopes
        .denote(&attached.specification.region, rank, attached.unit, attached.order)
        .map_err(|error| Box::new(denote_finding(tree, &attached.text, &error)))?;
    let said = &attached.specification;
    if said.kind != access.kind {
        let message =
            format!("The computation is {}, the specification of '{name}' says {}", a(access.kind), said.kind);
        return error(&rules::KIND_DIFFERS, span, message);
    }
    if said.read_once && !access.read_once {
        return error(&rules::REPEATED_READ, span, format!("'{name}' is read more than once at the same place"));
    }
    if !conforms(access, said.approximation, &meaning.union) {
        let message = format!("The specification of '{name}' and the code differ");
        return error(&rules::REGION_DIFFERS, span, message);
    }
    if !said.read_once && access.read_once {
        let message = format!("No read of '{name}' is repeated, but the specification does not say readOnce");
        return error(&rules::MISSING_READ_ONCE, span, message);
    }
    Ok((computation.statement, access.spelling.to_ascii_lowercase()))
}

/// The array of the assignment below a specification.
fn above_assignment<'c>(
    tree: &Tree,
    computations: &'c [Computation],
    attached: &Attached,
    variable: &Name,
) -> Result<(&'c Computation, Array<'c>), Wrong> {
    find(computations, attached.statement, &variable.key()).ok_or_else(|| {
        let span = tree.statements[attached.statement as usize].span;
        let message = format!("'{}' is not read by this computation", variable.text);
        Box::new(finding(tree, &rules::ARRAY_NOT_READ, span, message))
    })
}

/// The array of the one computation that reads it in the construct below a specification.
fn above_construct<'c>(
    tree: &Tree,
    computations: &'c [Computation],
    attached: &Attached,
    last: StatementId,
    variable: &Name,
) -> Result<(&'c Computation, Array<'c>), Wrong> {
    let name = &variable.text;
    let reading: Vec<_> = computations
        .iter()
        .filter(|computation| computation.is_root && (attached.statement..=last).contains(&computation.statement))
        .filter_map(|computation| find(computations, computation.statement, &variable.key()))
        .collect();
    let line = |computation: &Computation| {
        tree.source.texts.locate(tree.statements[computation.statement as usize].span).1.line.to_string()
    };
    let message = match reading.as_slice() {
        [found] => return Ok(*found),
        [] => format!("No array computation in this construct reads '{name}'"),
        several => {
            let lines: Vec<String> = several.iter().map(|(computation, _)| line(computation)).collect();
            format!("Several array computations in this construct read '{name}': in lines {}", lines.join(", "))
        }
    };
    let span = span_of(&attached.text, variable.offset, name.len());
    Err(Box::new(finding(tree, &rules::UNATTACHED_SPECIFICATION, span, message)))
}

/// The kind with its article.
fn a(kind: ComputationKind) -> String {
    match kind {
        ComputationKind::Stencil => format!("a {kind}"),
        ComputationKind::Access => format!("an {kind}"),
    }
}

/// The array that a name in a specification means: the one with this path, else the only one with such a part in its path.
fn find<'c>(
    computations: &'c [Computation],
    statement: StatementId,
    name: &str,
) -> Option<(&'c Computation, Array<'c>)> {
    let at = computations.binary_search_by_key(&statement, |computation| computation.statement).ok()?;
    let computation = &computations[at];
    let arrays = || computation.arrays.iter().map(Result::as_ref);
    let path = |array: &Array<'_>| match array {
        Ok(access) => access.spelling.to_ascii_lowercase(),
        Err(undescribed) => undescribed.spelling.to_ascii_lowercase(),
    };
    if let Some(array) = arrays().find(|array| path(array) == name) {
        return Some((computation, array));
    }
    let mut fitting = arrays().filter(|array| path(array).split('%').any(|part| part == name));
    match (fitting.next(), fitting.next()) {
        (Some(array), None) => Some((computation, array)),
        _ => None,
    }
}

/// Steps of the native procedure for one question.
const STEPS: u64 = 10_000_000;

/// Whether the code's reads are the set, or on the side of it that the approximation allows. What can't be decided does not
/// conform.
fn conforms(access: &ArrayAccess, approximation: Approximation, specified: &Unf<Interval>) -> bool {
    let reads: Vec<_> = access.reads.iter().map(|read| scheme(&read.offsets)).collect();
    let code = Unf::new(specified.rank(), reads).to_index();
    let specified = specified.to_index();
    let mut solver = Native::new(STEPS);
    match approximation {
        Approximation::Exact => solve::compare(&mut solver, &code, &specified) == Comparison::Same,
        Approximation::AtMost => solver.difference(&code, &specified) == Answer::Empty,
        Approximation::AtLeast => solver.difference(&specified, &code) == Answer::Empty,
    }
}
