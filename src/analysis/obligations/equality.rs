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

/// An equality that may be needed.
struct Candidate {
    equality: Equality,
    /// The other extent, or 1.
    other: Term,
    /// That the two differ by more than what is told of.
    far: Condition,
}

impl Candidate {
    /// That two extents of an array are equal, or that one is 1; `None` if it needs no program to tell.
    fn new(array: &NamedArray, left: (usize, Term), right: Option<(usize, Term)>) -> Option<Self> {
        let (other, largest) = match &right {
            Some((_, term)) => (term.clone(), LARGEST_SLACK),
            None => (constant(1), 0),
        };
        let equal = Condition::equal(&left.1, &other)?;
        let far = within(&left.1, &other, largest)?.not();
        let is_open = !matches!(equal, Condition::True | Condition::False);
        let equality = Equality { array: array.name.clone(), left, right, slack: 0 };
        is_open.then_some(Candidate { equality, other, far })
    }
}

impl Unit<'_> {
    /// The equality of two extents of an array, or of one and 1, that all must have that holds.
    pub(super) fn forced_equality(
        &mut self,
        reached: &Condition,
        premises: &[Condition],
        parts: &[Condition],
        arrays: &[NamedArray],
    ) -> Option<Equality> {
        let asked: Vec<Condition> = premises.iter().chain(parts).chain([reached]).cloned().collect();
        let known = self.known_of(&asked, true);
        let with_parts: Vec<Condition> = asked.into_iter().chain(known.iter().cloned()).collect();
        let candidates = self.candidates(arrays, parts, &with_parts);
        // Mostly none of them must hold: then all can be broken at once.
        let all_far = with_parts.iter().chain(candidates.iter().map(|candidate| &candidate.far)).cloned();
        if candidates.is_empty() || candidates.len() > 1 && self.solver.is_possible(&Condition::all(all_far)) {
            return None;
        }
        for Candidate { mut equality, other, far } in candidates {
            if !self.solver.is_impossible(&Condition::all(with_parts.iter().cloned().chain([far]))) {
                continue;
            }
            if equality.right.is_some() {
                equality.slack = self.forced_slack(&with_parts, &equality.left.1, &other);
            }
            // Where a test has left the small cases, a number is no more than a bound from the other side.
            if self.is_small_case(reached, &equality.left.1, &other) {
                continue;
            }
            // Where an array that comes from elsewhere must have so many elements each way, that is what it is to be
            // like.
            let is_given = self.is_given(&equality.left.1) && self.is_given(&other);
            if is_given && self.only_value(&Condition::all(with_parts.iter().cloned()), &other).is_some() {
                continue;
            }
            // From what can't be everything follows.
            let large = Condition::at_most(&constant(LARGE), &other).filter(|_| equality.slack > 0);
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

    /// The equalities of extents of the arrays that a statement names, and of the unit's dummy arguments, that some
    /// conditions speak of, and that what the statement demands does.
    fn candidates(&mut self, arrays: &[NamedArray], parts: &[Condition], with_parts: &[Condition]) -> Vec<Candidate> {
        let of_unit = self.shaped_dummies();
        let arrays: Vec<_> = arrays.iter().filter(|array| !array.is_contract).collect();
        let mut candidates = Vec::new();
        for array in arrays.iter().copied().chain(&of_unit) {
            let known = array.extents.iter().enumerate().filter_map(|(at, extent)| Some((at + 1, extent.clone()?)));
            let known: Vec<(usize, Term)> = known.collect();
            for (at, left) in known.iter().enumerate() {
                let others = known[at + 1..].iter();
                candidates.extend(others.filter_map(|right| Candidate::new(array, left.clone(), Some(right.clone()))));
            }
        }
        for array in &arrays {
            let extents = array.extents.iter().enumerate();
            candidates
                .extend(extents.filter_map(|(at, extent)| Candidate::new(array, (at + 1, extent.clone()?), None)));
        }
        let places = |conditions: &[Condition]| -> BTreeSet<Place> {
            let mut places = Vec::new();
            conditions.iter().for_each(|condition| condition.places(&mut places));
            places.into_iter().collect()
        };
        let (spoken_of, of_parts) = (places(with_parts), places(parts));
        let mut met = BTreeSet::new();
        candidates.retain(|Candidate { equality, other, far }| {
            // Of what is not spoken of nothing follows, and what the statement does not speak of is not told there.
            let places = places(std::slice::from_ref(far));
            let follows = places.is_subset(&spoken_of) && !places.is_disjoint(&of_parts);
            let left = &equality.left.1;
            // Whoever has made an array meanwhile, by ALLOCATE or by assignment, may have made it so.
            let is_made_so = self.is_made_unseen(left) && self.is_made_unseen(other);
            let is_given_so =
                || self.is_given(left) && self.is_given(other) && are_both_equal_to_another(parts, left, other);
            follows && met.insert(far.clone()) && !is_made_so && !is_given_so()
        });
        candidates
    }

    /// By how much two terms may differ at most under some conditions, of which it is known that it is no more than
    /// borders explain.
    fn forced_slack(&mut self, under: &[Condition], left: &Term, right: &Term) -> i64 {
        let mut is_forced = |slack: i64| {
            within(left, right, slack).is_some_and(|near| {
                self.solver.is_impossible(&Condition::all(under.iter().cloned().chain([near.not()])))
            })
        };
        let (mut below, mut slack) = (-1, LARGEST_SLACK);
        while slack - below > 1 {
            let middle = if below < 0 { 0 } else { below.midpoint(slack) };
            if is_forced(middle) { slack = middle } else { below = middle }
        }
        slack
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
