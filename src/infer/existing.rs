//! Specifications that are there already, compared with the code by meaning: those that hold are left alone, those that
//! contradict the code are errors.

use std::collections::{BTreeMap, BTreeSet};

use super::attach::{Attached, RegionScopes, Specifications, denote_finding, finding};
use super::convert::scheme;
use crate::access::{ArrayAccess, Computation, Undescribed};
use crate::region::{Budget, Exhausted, IntegerSet, Interval, Unf};
use crate::report::{Finding, Severity, rules};
use crate::source::Span;
use crate::spec::{Approximation, Name};
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
    existing.has_errors = existing.findings.iter().any(|finding| finding.rule.severity == Severity::Error);
    existing
}

/// An array of a computation, as it was described.
type Array<'c> = Result<&'c ArrayAccess, &'c Undescribed>;

/// Compares a specification with what the code reads of one variable: the statement and the array it speaks of, or what is
/// wrong.
fn compare(
    tree: &Tree,
    scopes: &RegionScopes<'_>,
    computations: &[Computation],
    attached: &Attached,
    variable: &Name,
) -> Result<(StatementId, String), Box<Finding>> {
    let name = &variable.text;
    let comment = attached.span(variable.offset, variable.offset + name.len());
    let error = |rule, span: Span, message: String| Err(Box::new(finding(tree, rule, span, message)));
    let (computation, array) = match attached.last {
        None => match find(computations, attached.statement, &variable.key()) {
            Some(found) => found,
            None => {
                let span = tree.statements[attached.statement as usize].span;
                return error(&rules::ARRAY_NOT_READ, span, format!("'{name}' is not read by this computation"));
            }
        },
        Some(last) => {
            let inside =
                computations.iter().filter(|computation| (attached.statement..=last).contains(&computation.statement));
            let mut reading = inside
                .filter(|computation| computation.is_root)
                .filter_map(|computation| find(computations, computation.statement, &variable.key()));
            match (reading.next(), reading.next()) {
                (Some(found), None) => found,
                (None, _) => {
                    let message = format!("No array computation in this construct reads '{name}'");
                    return error(&rules::UNATTACHED_SPECIFICATION, comment, message);
                }
                (Some((first, _)), Some((second, _))) => {
                    let line = |computation: &Computation| {
                        tree.source.texts.locate(tree.statements[computation.statement as usize].span).1.line
                    };
                    let message = format!(
                        "Several array computations in this construct read '{name}': in lines {}, {}",
                        line(first),
                        line(second)
                    );
                    return error(&rules::UNATTACHED_SPECIFICATION, comment, message);
                }
            }
        }
    };
    let span = tree.statements[computation.statement as usize].span;
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

fn a(kind: crate::spec::ComputationKind) -> String {
    match kind {
        crate::spec::ComputationKind::Stencil => format!("a {kind}"),
        crate::spec::ComputationKind::Access => format!("an {kind}"),
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

/// Whether the code's reads are the set, or on the side of it that the approximation allows. What can't be decided within the
/// budget does not conform.
fn conforms(access: &ArrayAccess, approximation: Approximation, specified: &Unf<Interval>) -> bool {
    let reads: Vec<_> = access.reads.iter().map(|read| scheme(&read.offsets)).collect();
    let code = Unf::new(specified.rank(), reads).to_index();
    let specified = specified.to_index();
    let mut budget = Budget::new(10_000_000);
    let mut inside = |left: &Unf<IntegerSet>, right: &Unf<IntegerSet>| -> Result<bool, Exhausted> {
        Ok(left.uncovered(right, &mut budget)?.is_none())
    };
    let answer = match approximation {
        Approximation::Exact => inside(&code, &specified).and_then(|below| Ok(below && inside(&specified, &code)?)),
        Approximation::AtMost => inside(&code, &specified),
        Approximation::AtLeast => inside(&specified, &code),
    };
    answer.unwrap_or(false)
}
