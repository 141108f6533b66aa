//! Claims of one group on one array that say the same, or that can't both hold.

use super::claim::DenotedClaim;
use super::input::CheckInput;
use crate::analysis::stencil::attach::{finding, span_of, whole_span};
use crate::analysis::stencil::rules;
use crate::analysis::stencil::spec::Approximation;
use crate::diagnostics::{Finding, Location, Mark};
use crate::solve::{Answer, Comparison, Solver, compare};

/// The finding on a claim that repeats (S007) or contradicts (S008) one of those that stand before it, and which one.
/// What the solver can't decide is left to the verdict on each.
pub fn clash(
    input: CheckInput<'_>,
    earlier: &[DenotedClaim<'_>],
    claim: &DenotedClaim<'_>,
    solver: &mut dyn Solver,
) -> Option<(Finding, usize)> {
    earlier.iter().enumerate().find_map(|(at, other)| {
        let (rule, message) = match relation(other, claim, solver)? {
            Clash::Repetition => (&rules::DUPLICATE_SPECIFICATION, "is specified twice, in the same way"),
            Clash::Contradiction(how) => (&rules::CONTRADICTORY_SPECIFICATIONS, how),
        };
        let tree = input.scopes.tree;
        let variable = claim.claim.variable;
        let span = span_of(&claim.claim.attached.text, variable.offset, variable.text.len());
        let mut finding = finding(tree, rule, span, format!("'{}' {message}", variable.text));
        let location = Location::of(&tree.source.texts, whole_span(&other.claim.attached.text));
        finding.marks.push(Mark { location, label: "specified here first".to_owned(), is_primary: false });
        Some((finding, at))
    })
}

enum Clash {
    Repetition,
    Contradiction(&'static str),
}

fn relation(first: &DenotedClaim<'_>, second: &DenotedClaim<'_>, solver: &mut dyn Solver) -> Option<Clash> {
    use Approximation::{AtLeast, AtMost, Exact};
    let (one, two) = (&first.claim.attached.specification, &second.claim.attached.specification);
    if one.kind != two.kind {
        return Some(Clash::Contradiction("is specified as a stencil and as an access"));
    }
    if one.read_once != two.read_once {
        return Some(Clash::Contradiction("is specified with and without 'readOnce'"));
    }
    let (left, right) = (first.meaning.union.to_index(), second.meaning.union.to_index());
    let (smaller, larger) = match (one.approximation, two.approximation) {
        (Exact, Exact) | (AtLeast, AtLeast) | (AtMost, AtMost) => {
            return match compare(solver, &left, &right) {
                Comparison::Same => Some(Clash::Repetition),
                Comparison::Undecided(_) => None,
                // Two bounds on the same side can both hold.
                _ if one.approximation != Exact => None,
                _ => Some(Clash::Contradiction("is specified twice, in different ways")),
            };
        }
        (AtLeast, _) | (Exact, AtMost) => (&left, &right),
        (AtMost, _) | (Exact, AtLeast) => (&right, &left),
    };
    let is_inside = !matches!(solver.difference(smaller, larger), Answer::Witness(_));
    (!is_inside).then_some(Clash::Contradiction("has a lower bound that is not inside the upper one"))
}
