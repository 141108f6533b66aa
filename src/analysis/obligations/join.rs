//! Where ways of control meet.

use std::collections::BTreeSet;

use crate::symbolic::{Condition, Term, place_term, places_of};
use crate::values::ArrayKey;

use super::place::{Aspect, Origin, PlaceInfo};
use super::region::RegionId;
use super::state::{Dimension, Dimensions, State};
use super::unit::{Unit, from_extent};

/// Comparisons in the definition of a value where ways meet; what would have more is not followed.
const LARGEST_DEFINITION: usize = 120;

impl Unit<'_> {
    /// What variables are where ways meet that are taken under these conditions.
    pub fn join(&mut self, ways: &[(Condition, State)], region: RegionId) -> State {
        let [(_, first), rest @ ..] = ways else { return State::default() };
        if rest.iter().all(|(_, state)| state == first) {
            return first.clone();
        }
        let conditions = without_common(ways.iter().map(|(condition, _)| condition));
        let mut joined = first.clone();
        let keys: BTreeSet<&ArrayKey> = ways.iter().flat_map(|(_, state)| state.scalars.keys()).collect();
        for key in keys {
            let terms: Vec<Term> = ways.iter().map(|(_, state)| self.value_or_entry(state, key)).collect();
            let term = self.joined(&self.name_of(key), &conditions, terms, region);
            joined.scalars.insert(key.clone(), term);
        }
        let keys: BTreeSet<&ArrayKey> = ways.iter().flat_map(|(_, state)| state.arrays.keys()).collect();
        for key in keys {
            let all: Vec<Option<Dimensions>> = ways
                .iter()
                .map(|(_, state)| match state.arrays.get(key) {
                    Some(known) => known.clone(),
                    None if key.components.is_empty() => self.entry_dimensions(key),
                    None => None,
                })
                .collect();
            let dimensions = self.joined_dimensions(key, &conditions, &all, region);
            joined.arrays.insert(key.clone(), dimensions);
        }
        joined
    }

    fn value_or_entry(&mut self, state: &State, key: &ArrayKey) -> Term {
        match state.scalars.get(key) {
            Some(term) => term.clone(),
            None => place_term(self.entry_place(key, Aspect::Value)),
        }
    }

    /// The value that is one of these, each under its condition.
    fn joined(&mut self, name: &str, conditions: &[Condition], terms: Vec<Term>, region: RegionId) -> Term {
        if terms.iter().all(|term| *term == terms[0]) {
            return terms[0].clone();
        }
        let place = self.places.add(PlaceInfo { text: name.into(), region, origin: Origin::Joined, definition: None });
        let joined = place_term(place);
        let definition = chosen(&joined, conditions, &terms);
        if definition.size() <= LARGEST_DEFINITION {
            self.places.define(place, definition);
        } else {
            let mut reads = Vec::new();
            conditions.iter().for_each(|condition| condition.places(&mut reads));
            terms.iter().for_each(|term| places_of(term, &mut reads));
            reads.sort_unstable();
            reads.dedup();
            self.places.give_up(place, reads);
        }
        joined
    }

    fn joined_dimensions(
        &mut self,
        key: &ArrayKey,
        conditions: &[Condition],
        all: &[Option<Dimensions>],
        region: RegionId,
    ) -> Option<Dimensions> {
        let known: Vec<&Dimensions> = all.iter().map(Option::as_ref).collect::<Option<_>>()?;
        let rank = known[0].len();
        if known.iter().any(|dimensions| dimensions.len() != rank) {
            return None;
        }
        if known.iter().all(|dimensions| *dimensions == known[0]) {
            return Some(known[0].clone());
        }
        let name = self.name_of(key);
        let mut joined = Vec::with_capacity(rank);
        for at in 0..rank {
            let lowers = known.iter().map(|dimensions| dimensions[at].lower.clone()).collect();
            let lower = self.joined(&format!("lbound({name},{})", at + 1), conditions, lowers, region);
            let extents = known.iter().map(|dimensions| dimensions[at].extent.clone()).collect::<Option<Vec<_>>>()?;
            let text = if rank == 1 { format!("size({name})") } else { format!("size({name},{})", at + 1) };
            let extent = self.joined(&text, conditions, extents, region);
            let is_open = known.iter().any(|dimensions| dimensions[at].upper.is_none());
            let made = from_extent(lower, extent)?;
            joined.push(if is_open { Dimension { upper: None, ..made } } else { made });
        }
        Some(joined.into())
    }
}

/// That a term is the one of some terms whose condition holds; where none does, nothing is said of it.
fn chosen(joined: &Term, conditions: &[Condition], terms: &[Term]) -> Condition {
    let is_this = |term: &Term| Condition::equal(joined, term).unwrap_or(Condition::True);
    let ways = conditions.iter().zip(terms);
    if is_exclusive(conditions) {
        return Condition::all(ways.map(|(condition, term)| Condition::implies(condition, is_this(term))));
    }
    let one_of = ways.map(|(condition, term)| Condition::all([condition.clone(), is_this(term)]));
    let elsewhere = Condition::any(conditions.iter().cloned()).not();
    Condition::any(one_of.chain([elsewhere]))
}

/// Whether of some conditions evidently at most one holds: of each two, one has a part whose negation the other has.
fn is_exclusive(conditions: &[Condition]) -> bool {
    let has_all = |all: &Condition, parts: &Condition| {
        parts.conjuncts().iter().all(|part| all.conjuncts().binary_search(part).is_ok())
    };
    let excludes =
        |left: &Condition, right: &Condition| left.conjuncts().iter().any(|part| has_all(right, &part.not()));
    conditions
        .iter()
        .enumerate()
        .all(|(at, left)| conditions[at + 1..].iter().all(|right| excludes(left, right) || excludes(right, left)))
}

/// The conditions without the parts that all of them have.
fn without_common<'c>(conditions: impl Iterator<Item = &'c Condition> + Clone) -> Vec<Condition> {
    let mut all = conditions.clone();
    let Some(first) = all.next() else { return Vec::new() };
    let others: Vec<&Condition> = all.collect();
    let is_common = |part: &&Condition| others.iter().all(|other| other.conjuncts().contains(part));
    let common: Vec<&Condition> = first.conjuncts().iter().filter(is_common).collect();
    let rest = |condition: &Condition| {
        Condition::all(condition.conjuncts().iter().filter(|part| !common.contains(part)).cloned())
    };
    conditions.map(rest).collect()
}
