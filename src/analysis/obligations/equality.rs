//! The equality of extents that a statement needs: right only for square arrays, nearly square ones where a border is
//! left out, or for extents of 1.

use std::collections::BTreeSet;

use crate::solve::conditions::Satisfiable;
use crate::symbolic::{Atom, Condition, Place, Relation, Term, constant};

use super::demand::NamedArray;
use super::judge::{Equality, within};
use super::place::{Aspect, Entry, Origin};
use super::unit::Unit;

/// The most by which extents may differ that are said to be nearly equal: borders of stencils are not wider.
const LARGEST_SLACK: i64 = 8;
/// A size beyond what tests for small cases let through: what is nearly equal only below it is not told.
const LARGE: i64 = 1000;

impl Unit<'_> {
    /// The equality of two extents of an array, or of one and 1, that all must have that holds.
    pub(super) fn forced_equality(
        &mut self,
        reached: &Condition,
        premises: &[Condition],
        parts: &[Condition],
        arrays: &[NamedArray],
    ) -> Option<Equality> {
        let mut candidates = Vec::new();
        let of_unit = self.shaped_dummies();
        let arrays: Vec<_> = arrays.iter().filter(|array| !array.is_contract).collect();
        for array in arrays.iter().copied().chain(&of_unit) {
            let known = array.extents.iter().enumerate().filter_map(|(at, extent)| Some((at + 1, extent.clone()?)));
            let known: Vec<(usize, Term)> = known.collect();
            for (at, left) in known.iter().enumerate() {
                for right in &known[at + 1..] {
                    candidates.push((array, left.clone(), Some(right.clone())));
                }
            }
        }
        for array in &arrays {
            for (at, extent) in array.extents.iter().enumerate() {
                candidates.extend(extent.clone().map(|extent| (*array, (at + 1, extent), None)));
            }
        }
        let asked: Vec<Condition> = premises.iter().chain(parts).chain([reached]).cloned().collect();
        let known = self.known_of(&asked, true);
        let mut spoken_of = Vec::new();
        asked.iter().chain(&known).for_each(|condition| condition.places(&mut spoken_of));
        let spoken_of: BTreeSet<Place> = spoken_of.into_iter().collect();
        let mut of_parts = Vec::new();
        parts.iter().for_each(|part| part.places(&mut of_parts));
        let mut met = BTreeSet::new();
        let with_parts: Vec<Condition> = asked.into_iter().chain(known.iter().cloned()).collect();
        for (array, left, right) in candidates {
            let other = right.as_ref().map_or_else(|| constant(1), |(_, term)| term.clone());
            let Some(equal) = Condition::equal(&left.1, &other) else { continue };
            if matches!(equal, Condition::True | Condition::False) || !met.insert(equal.clone()) {
                continue;
            }
            // Of what is not spoken of nothing follows, and what the statement does not speak of is not told there.
            let mut places = Vec::new();
            equal.places(&mut places);
            let follows = places.iter().all(|place| spoken_of.contains(place));
            if !follows || !places.iter().any(|place| of_parts.contains(place)) {
                continue;
            }
            // Whoever has made an array meanwhile, by ALLOCATE or by assignment, may have made it so.
            if self.is_made_unseen(&left.1) && self.is_made_unseen(&other) {
                continue;
            }
            if self.is_given(&left.1) && self.is_given(&other) && are_both_equal_to_another(parts, &left.1, &other) {
                continue;
            }
            let Some(slack) = self.forced_slack(&with_parts, &left.1, &other, right.is_some()) else { continue };
            let equality = Equality { array: array.name.clone(), left, right, slack };
            // Where a test has left the small cases, a number is no more than a bound from the other side.
            if self.is_small_case(reached, &equality.left.1, &other) {
                continue;
            }
            // From what can't be everything follows.
            let large = Condition::at_most(&constant(LARGE), &other).filter(|_| slack > 0);
            let with_equality = with_parts.iter().cloned().chain([equality.condition()]).chain(large);
            if !self.solver.is_possible(&Condition::all(with_equality)) {
                continue;
            }
            // What follows from earlier statements alone is not told here.
            let unequal = equality.condition().not();
            let without = premises.iter().chain(&known).chain([reached]).cloned().chain([unequal]);
            let without = Condition::all(without);
            if matches!(self.solver.satisfiable(&without), Satisfiable::Model(_)) {
                return Some(equality);
            }
        }
        None
    }

    /// By how much two terms may differ at most under some conditions; `None` if by more than borders explain, or at
    /// all where they have to be equal.
    fn forced_slack(&mut self, under: &[Condition], left: &Term, right: &Term, may_differ: bool) -> Option<i64> {
        let mut is_forced = |slack: i64| -> Option<bool> {
            let beyond = within(left, right, slack)?.not();
            Some(self.solver.is_impossible(&Condition::all(under.iter().cloned().chain([beyond]))))
        };
        let largest = if may_differ { LARGEST_SLACK } else { 0 };
        if !is_forced(largest)? {
            return None;
        }
        let (mut below, mut slack) = (-1, largest);
        while slack - below > 1 {
            let middle = if below < 0 { 0 } else { below.midpoint(slack) };
            if is_forced(middle)? { slack = middle } else { below = middle }
        }
        Some(slack)
    }

    /// Whether a statement is reached only where an extent is at most a number: with the demand that it is no less,
    /// that is no equality that a program would have to have been made for.
    fn is_small_case(&mut self, reached: &Condition, left: &Term, right: &Term) -> bool {
        let (extent, number) = match (left.as_constant(), right.as_constant()) {
            (None, Some(_)) => (left, right),
            (Some(_), None) => (right, left),
            _ => return false,
        };
        let Some(more) = Condition::less(number, extent) else { return false };
        let question = self.with_known([reached.clone(), more], false);
        self.solver.is_impossible(&question)
    }

    /// Whether an extent is what whoever made the array has given it.
    fn is_given(&self, extent: &Term) -> bool {
        let is_of_entry = |entry: &Entry| matches!(entry.aspect, Aspect::Extent(_));
        self.is_made_unseen(extent) || matches!(self.origin(extent), Some(Origin::Entry(entry)) if is_of_entry(entry))
    }

    /// Whether an extent comes from where the array got another shape on the way, which is not followed.
    fn is_made_unseen(&self, extent: &Term) -> bool {
        matches!(self.origin(extent), Some(Origin::Opaque(_) | Origin::Data(_) | Origin::Joined))
    }

    /// Where the value of a term comes from that is one place.
    fn origin(&self, term: &Term) -> Option<&Origin> {
        match term.single_term() {
            Some((Atom::Place(place), 1)) => Some(&self.places.info(*place).origin),
            _ => None,
        }
    }
}

/// Whether two extents are demanded to be what a third term is, each by itself: that is what the array is to be like.
fn are_both_equal_to_another(parts: &[Condition], left: &Term, right: &Term) -> bool {
    let others = |extent: &Term| -> BTreeSet<Term> {
        let zeros = parts.iter().flat_map(Condition::conjuncts).filter_map(|part| match part {
            Condition::Compare(Relation::Zero, term) => Some(term),
            _ => None,
        });
        let solved = zeros.filter_map(|term| {
            let factor = extent.atoms().next().map(|atom| term.coefficient(atom)).filter(|factor| factor.abs() == 1)?;
            extent.clone().checked_add_multiple(term, -factor)
        });
        solved.collect()
    };
    !others(left).is_disjoint(&others(right))
}
