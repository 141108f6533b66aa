//! Where ways of control meet.

use std::collections::BTreeSet;

use crate::symbolic::{Condition, Term, place_term};
use crate::values::ArrayKey;

use super::place::{Aspect, Origin};
use super::region::RegionId;
use super::state::{Dimension, Dimensions, State};
use super::unit::{Unit, from_extent};

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
        let joined = self.places.term(name, region, Origin::Joined);
        let one_of = conditions.iter().zip(&terms).map(|(condition, term)| {
            let is_this = Condition::equal(&joined, term).unwrap_or(Condition::True);
            Condition::all([condition.clone(), is_this])
        });
        // On other ways nothing is said of it.
        let elsewhere = Condition::any(conditions.iter().cloned()).not();
        let definition = Condition::any(one_of.chain([elsewhere]));
        if definition.size() <= 120
            && let Some((crate::symbolic::Atom::Place(place), _)) = joined.single_term()
        {
            self.places.define(*place, definition);
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
