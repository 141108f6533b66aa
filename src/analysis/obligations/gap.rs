//! Whether what a statement is reached under says all that matters for what it demands.

use std::collections::BTreeSet;

use crate::solve::conditions::Satisfiable;
use crate::symbolic::{Condition, Place};

use super::place::{Aspect, Origin, Places};
use super::unit::Unit;

/// Why it is not known whether a statement is certain to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// What is asked about a unit has a limit, which was reached before.
    Limit,
    /// Whether it is reached depends on this, which is not followed and may have to do with what is demanded.
    Opaque(Place),
    /// With what earlier statements demand, nothing is known that leads to it.
    Unreached,
}

impl Gap {
    /// As a clause.
    pub fn text(self, places: &Places) -> String {
        match self {
            Gap::Limit => "more would have to be asked about the procedure than is".to_owned(),
            Gap::Opaque(place) => format!("depends on '{}', which is not followed", places.info(place).text),
            Gap::Unreached => "no values are known that lead to it".to_owned(),
        }
    }
}

impl Unit<'_> {
    /// What is missing where what a statement is reached under does not say all that matters for some conditions: a
    /// part of it that is not understood depends on what they depend on.
    pub(super) fn gap(&mut self, reached: &Condition, parts: &[Condition]) -> Option<Gap> {
        let mut wanted: Option<BTreeSet<Place>> = None;
        for part in reached.conjuncts() {
            let mut places = Vec::new();
            part.places(&mut places);
            let depends = self.closure(std::slice::from_ref(part));
            let behind = self.truths_behind(part);
            let opaque = behind.iter().copied().find(|&place| self.is_opaque(place));
            let is_truth = opaque.is_some();
            // A number that is not followed was computed of something, too.
            let read: Vec<Place> = places.iter().flat_map(|&place| self.read_behind(place)).collect();
            if !is_truth && !read.is_empty() {
                let wanted = wanted.get_or_insert_with(|| self.closure(parts));
                if read.iter().any(|place| wanted.contains(place)) {
                    return places.into_iter().find(|&place| self.is_opaque(place)).map(Gap::Opaque);
                }
            }
            if is_truth {
                let wanted = wanted.get_or_insert_with(|| self.closure(parts));
                let others = depends.iter().filter(|&&place| !self.is_opaque(place) || !behind.contains(&place));
                if others.into_iter().any(|place| wanted.contains(place)) {
                    return opaque.map(Gap::Opaque);
                }
            }
        }
        None
    }

    /// Whether a place has a value that is not followed.
    pub fn is_opaque(&self, place: Place) -> bool {
        matches!(self.places.info(place).origin, Origin::Opaque(_) | Origin::Data(_))
    }

    /// The truth values that a condition has, and those that these are made of.
    fn truths_behind(&mut self, condition: &Condition) -> BTreeSet<Place> {
        self.defined_by(truths(condition))
    }

    /// Whether a condition speaks of nothing but values on entry, what loops count, and what these define.
    pub fn is_of_entry(&mut self, condition: &Condition) -> bool {
        let mut places = Vec::new();
        condition.places(&mut places);
        self.defined_by(places).into_iter().all(|place| match self.places.info(place).origin {
            Origin::Entry(_) | Origin::Counted => true,
            Origin::Joined => self.definition(place).is_some(),
            Origin::Element | Origin::Opaque(_) | Origin::Data(_) => false,
        })
    }

    /// Places with those that define them.
    fn defined_by(&mut self, places: Vec<Place>) -> BTreeSet<Place> {
        let mut met = BTreeSet::new();
        let mut pending = places;
        while let Some(place) = pending.pop() {
            if met.insert(place)
                && let Some(definition) = self.definition(place)
            {
                // One that is joined is said to be equal to others.
                definition.places(&mut pending);
            }
        }
        met
    }

    /// What is missing for an equality to be told: what a statement is reached under may say that it holds. What is
    /// enough is a way to the statement without what may say so.
    pub(super) fn gap_of_equality(
        &mut self,
        reached: &Condition,
        parts: &[Condition],
        equality: &Condition,
    ) -> Option<Gap> {
        // Of truth values that are none of data it is not known what they have to do with sizes.
        let is_of_data = |place: Place| match &self.places.info(place).origin {
            Origin::Data(_) => true,
            Origin::Entry(entry) => entry.aspect == Aspect::Present,
            Origin::Element | Origin::Opaque(_) | Origin::Counted | Origin::Joined => false,
        };
        let unknown = truths(reached).into_iter().find(|&place| !is_of_data(place));
        let gap = self.gap(reached, parts).or(unknown.map(Gap::Opaque))?;
        let wanted = self.closure(parts);
        let known = self.without_unknown(reached, &wanted);
        let question = self.with_definitions(Condition::all([known, equality.not()]));
        match self.solver.satisfiable(&question) {
            Satisfiable::Model(_) => None,
            _ => Some(gap),
        }
    }

    /// A condition under which another one holds, without values that are not followed and may depend on some places.
    fn without_unknown(&mut self, condition: &Condition, wanted: &BTreeSet<Place>) -> Condition {
        match condition {
            Condition::All(parts) => Condition::all(parts.iter().map(|part| self.without_unknown(part, wanted))),
            Condition::Any(parts) => Condition::any(parts.iter().map(|part| self.without_unknown(part, wanted))),
            Condition::Logical(..) | Condition::Compare(..) => {
                let mut places = Vec::new();
                condition.places(&mut places);
                let behind = self.defined_by(places);
                let is_truth = matches!(condition, Condition::Logical(..));
                let depends = |place: &Place| {
                    let reads = self.read_behind(*place);
                    match &self.places.info(*place).origin {
                        Origin::Data(_) => {
                            let leading = self.leading_to_calls.get(place);
                            reads.iter().chain(leading.into_iter().flatten()).any(|read| wanted.contains(read))
                        }
                        Origin::Opaque(_) => is_truth || reads.iter().any(|read| wanted.contains(read)),
                        Origin::Entry(entry) => is_truth && entry.aspect != Aspect::Present,
                        Origin::Element | Origin::Counted | Origin::Joined => false,
                    }
                };
                if behind.iter().any(depends) { Condition::False } else { condition.clone() }
            }
            Condition::True | Condition::False => condition.clone(),
        }
    }
}

/// The places of a condition that stand for truth values.
pub fn truths(condition: &Condition) -> Vec<Place> {
    match condition {
        Condition::Logical(place, _) => vec![*place],
        Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(truths).collect(),
        Condition::True | Condition::False | Condition::Compare(..) => Vec::new(),
    }
}
