//! What of all that is known in a unit goes with a question.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::symbolic::{Condition, Place};

use super::unit::Unit;

/// Facts that are taken for one question, definitions of places left out.
const MOST_FACTS: usize = 10;

/// Comparisons in the definitions that are taken for one question.
const MOST_DEFINED: usize = 150;

/// So many parts are all looked at.
const FEW_PARTS: usize = 6;

/// Parts with more comparisons are left out where others are chosen from.
const LARGEST_PART: usize = 12;

impl Unit<'_> {
    /// The parts of what a statement is reached under that have to do with some conditions, directly, by what their
    /// places are defined by, or by one other part.
    pub fn relevant(&mut self, reached: &Condition, conditions: &[Condition]) -> Condition {
        let parts = reached.conjuncts();
        if parts.len() <= FEW_PARTS {
            return reached.clone();
        }
        let mut met: FxHashSet<Place> = FxHashSet::default();
        let mut pending: Vec<Place> = Vec::new();
        conditions.iter().for_each(|condition| condition.places(&mut pending));
        let mut taken = vec![false; parts.len()];
        for _ in 0..2 {
            while let Some(place) = pending.pop() {
                if met.insert(place)
                    && let Some(definition) = self.definition(place)
                {
                    definition.places(&mut pending);
                }
            }
            for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.size() <= LARGEST_PART) {
                let mut places = Vec::new();
                part.places(&mut places);
                if !taken[at] && places.iter().any(|place| met.contains(place)) {
                    taken[at] = true;
                    pending.extend(places);
                }
            }
        }
        Condition::all(parts.iter().zip(taken).filter(|(_, taken)| *taken).map(|(part, _)| part.clone()))
    }

    /// These conditions with what is known of their places: definitions, and, if they are wanted, what earlier
    /// statements demanded.
    pub fn with_known(&mut self, conditions: impl IntoIterator<Item = Condition>, with_facts: bool) -> Condition {
        let mut all: Vec<Condition> = conditions.into_iter().collect();
        let known = self.known_of(&all, with_facts);
        all.extend(known);
        Condition::all(all)
    }

    /// A condition with the definitions of all places behind it, however long they are.
    pub fn with_definitions(&mut self, condition: Condition) -> Condition {
        let known = self.known_within(std::slice::from_ref(&condition), false, usize::MAX);
        Condition::all(known.into_iter().chain([condition]))
    }

    /// What is known of the places of some conditions.
    pub fn known_of(&mut self, conditions: &[Condition], with_facts: bool) -> Vec<Condition> {
        self.known_within(conditions, with_facts, MOST_DEFINED)
    }

    /// The same, with so many comparisons in definitions at most.
    fn known_within(&mut self, conditions: &[Condition], with_facts: bool, most_defined: usize) -> Vec<Condition> {
        let mut known = Vec::new();
        let mut met: FxHashSet<Place> = FxHashSet::default();
        let mut pending: Vec<Place> = Vec::new();
        conditions.iter().for_each(|condition| condition.places(&mut pending));
        let mut taken = vec![false; if with_facts { self.facts.noted.len() } else { 0 }];
        let (mut facts, mut defined) = (0, 0);
        loop {
            while let Some(place) = pending.pop() {
                if met.insert(place)
                    && defined < most_defined
                    && let Some(definition) = self.definition(place)
                    && defined + definition.size() <= most_defined
                {
                    defined += definition.size();
                    definition.places(&mut pending);
                    known.push(definition);
                }
            }
            // The latest first: what they say is nearest.
            let next = taken
                .iter()
                .enumerate()
                .rev()
                .find(|&(at, taken)| !taken && self.facts.noted[at].places.iter().any(|place| met.contains(place)));
            match next {
                Some((at, _)) if facts < MOST_FACTS => {
                    taken[at] = true;
                    facts += 1;
                    pending.extend(&self.facts.noted[at].places);
                    known.push(self.facts.noted[at].condition.clone());
                }
                _ => break,
            }
        }
        known
    }

    /// The places that conditions depend on, by definition or by what was read for them.
    pub fn closure(&mut self, conditions: &[Condition]) -> BTreeSet<Place> {
        let mut pending = Vec::new();
        conditions.iter().for_each(|condition| condition.places(&mut pending));
        let mut met = BTreeSet::new();
        while let Some(place) = pending.pop() {
            if met.insert(place) {
                if let Some(definition) = self.definition(place) {
                    definition.places(&mut pending);
                }
                pending.extend(self.read_behind(place));
            }
        }
        met
    }
}
