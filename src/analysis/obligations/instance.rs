//! What must hold in every iteration, asked of some of them.
//!
//! That a condition holds in all iterations implies that it does in the first and the last one. For comparisons that
//! are linear in what a loop counts nothing more can be learned, and whatever the condition is, what follows from these
//! instances follows from the whole. So no quantifier is needed, and where the first iteration fails, all fails.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::symbolic::{Condition, Place, Term, place_term, places_of, substitute};

use super::place::PlaceInfo;
use super::region::{Iteration, RegionId, Replacement, ReplacementId, is_within};
use super::unit::Unit;

/// Instances of one demand that are looked at.
const MOST_INSTANCES: usize = 24;

/// Comparisons in the instances of one demand that are looked at.
const MOST_COMPARISONS: usize = 100;

/// A condition in some iterations of the loops around it.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The iterations of inner loops; those of outer ones are any.
    pub iterations: Vec<Iteration>,
    /// That it is as demanded, if it is reached there.
    pub condition: Condition,
    /// Under what the loops around those iterations are reached.
    pub reached: Condition,
}

impl Unit<'_> {
    /// A demand in the first and last iterations of the loops around it.
    pub fn instances(&mut self, chain: &[RegionId], reached: &Condition, condition: &Condition) -> Vec<Instance> {
        let mut found: Vec<Instance> = Vec::new();
        let mut size = 0;
        for iterations in self.looked_at(chain, condition) {
            if found.len() >= MOST_INSTANCES {
                return found;
            }
            let Some(instance) = self.instance(&iterations, reached, condition) else { continue };
            size += instance.condition.size();
            if size > MOST_COMPARISONS {
                return found;
            }
            found.push(instance);
        }
        found
    }

    /// The iterations that a demand is asked of: first those in which only what it speaks of is at its last.
    fn looked_at(&self, chain: &[RegionId], condition: &Condition) -> Vec<Vec<Iteration>> {
        let counting = self.counting(chain, condition);
        let splits = || (0..chain.len()).rev();
        // What holds where the statement is reached holds in each iteration of a loop that it has nothing to do with.
        let changing = self.changing(chain, condition);
        let is_of_interest = |split: &usize| counting.contains(&chain[*split]) || changing.contains(&chain[*split]);
        let spoken_of = splits()
            .filter(is_of_interest)
            .flat_map(|split| self.choices(&chain[split..], &|region| counting.contains(&region)));
        let mut all: Vec<Vec<Iteration>> = spoken_of.collect();
        if chain.iter().all(|region| counting.contains(region)) {
            return all;
        }
        let mut met: FxHashSet<Vec<Iteration>> = all.iter().cloned().collect();
        let others = splits().flat_map(|split| self.choices(&chain[split..], &|_| true));
        all.extend(others.filter(|iterations| met.insert(iterations.clone())));
        all
    }

    /// The loops in which values change that a condition speaks of, and of which it is known what they are at first.
    fn changing(&self, chain: &[RegionId], condition: &Condition) -> FxHashSet<RegionId> {
        let mut places = Vec::new();
        condition.places(&mut places);
        let changes =
            |region: &&RegionId| self.regions[**region].first_values.iter().any(|(place, _)| places.contains(place));
        chain.iter().filter(changes).copied().collect()
    }

    /// The loops that count what a condition speaks of, or what the bounds of such a loop speak of.
    fn counting(&self, chain: &[RegionId], condition: &Condition) -> FxHashSet<RegionId> {
        let mut places = Vec::new();
        condition.places(&mut places);
        let mut counting = FxHashSet::default();
        for &region in chain.iter().rev() {
            let counters = &self.regions[region].counters;
            if counters.iter().any(|counter| places.contains(&counter.place)) {
                counting.insert(region);
                for counter in counters {
                    places_of(&counter.first, &mut places);
                    counter.last.iter().for_each(|last| places_of(last, &mut places));
                }
            }
        }
        counting
    }

    /// The iterations of some loops that are looked at; `has_last` says of which the last one is.
    fn choices(&self, chain: &[RegionId], has_last: &dyn Fn(RegionId) -> bool) -> Vec<Vec<Iteration>> {
        let mut all: Vec<Vec<Iteration>> = vec![Vec::new()];
        for &region in chain {
            let of = &self.regions[region];
            let count = if has_last(region) { of.counters.len().min(3) } else { 0 };
            // Where a procedure may end the program, the last iterations need not come.
            let comes_to_end = !of.is_left_early && (self.takes_calls_to_return || !self.may_stop_in(region));
            let is_there = |lasts: usize| {
                (0..count).all(|at| lasts & (1 << at) == 0 || comes_to_end && of.counters[at].last.is_some())
            };
            let lasts: Vec<usize> = (0..1 << count).filter(|&lasts| is_there(lasts)).collect();
            all = all
                .iter()
                .flat_map(|before| {
                    lasts.iter().map(|&lasts| before.iter().copied().chain([Iteration { region, lasts }]).collect())
                })
                .collect();
            all.truncate(MOST_INSTANCES);
        }
        all
    }

    /// Whether a procedure that is called in a loop may end the program.
    pub fn may_stop_in(&self, region: RegionId) -> bool {
        let of = &self.regions[region];
        self.stopping_calls.iter().any(|&call| of.first <= call && call <= of.end)
    }

    fn instance(&mut self, iterations: &[Iteration], reached: &Condition, condition: &Condition) -> Option<Instance> {
        let known = self.replacements.numbers.get(iterations).copied();
        let replacement = match known {
            Some(known) => known,
            None => {
                let made = self.replacement(iterations);
                self.replacements.numbers.insert(iterations.to_vec(), made);
                made
            }
        };
        let (condition, reached) = self.instance_with(replacement?, reached, condition)?;
        Some(Instance { iterations: iterations.to_vec(), condition, reached })
    }

    /// What counters and the values of a first iteration are in some iterations.
    fn replacement(&mut self, iterations: &[Iteration]) -> Option<ReplacementId> {
        let around = iterations.first()?.region;
        let made = Replacement { terms: FxHashMap::default(), parts: FxHashMap::default(), around };
        let replacement = self.replacements.all.push(made);
        for iteration in iterations {
            let region = self.regions[iteration.region].clone();
            for (at, counter) in region.counters.iter().enumerate() {
                let is_last = iteration.lasts & (1 << at) != 0;
                let value = if is_last { counter.last.clone()? } else { counter.first.clone() };
                let value = self.replaced_term(replacement, &value)?;
                self.replacements.all[replacement].terms.insert(counter.place, value);
            }
            if iteration.lasts == 0 {
                for (place, value) in &region.first_values {
                    let value = self.replaced_term(replacement, value)?;
                    self.replacements.all[replacement].terms.insert(*place, value);
                }
            }
        }
        Some(replacement)
    }

    /// A condition in these iterations, and under what the loops around them are reached; nothing if no more follows
    /// from that than that something is not known there.
    fn instance_with(
        &mut self,
        replacement: ReplacementId,
        reached: &Condition,
        condition: &Condition,
    ) -> Option<(Condition, Condition)> {
        let demanded = self.replaced(replacement, condition)?;
        if demanded == Condition::True {
            return None;
        }
        // What is the same in all iterations holds here, as the statement is reached in one of them.
        let mut unreached = Vec::new();
        let mut around = Vec::new();
        for part in reached.conjuncts() {
            let there = match self.replacements.all[replacement].parts.get(part) {
                Some(known) => known.clone(),
                None => {
                    let made = self.replaced(replacement, part)?;
                    self.replacements.all[replacement].parts.insert(part.clone(), made.clone());
                    made
                }
            };
            if there == *part {
                around.push(there);
            } else if self.is_free(&there, &demanded) {
                return None;
            } else {
                unreached.push(there.not());
            }
        }
        let condition = Condition::any(unreached.into_iter().chain([demanded]));
        (condition != Condition::True).then(|| (condition, Condition::all(around)))
    }

    /// Whether a condition may hold or not for a reason of its own: a place of which nothing is known, and of which
    /// another condition does not speak.
    fn is_free(&self, condition: &Condition, other: &Condition) -> bool {
        let (mut places, mut others) = (Vec::new(), Vec::new());
        condition.places(&mut places);
        other.places(&mut others);
        let is_unknown = |place: &Place| {
            let is_defined =
                self.places.info(*place).definition.is_some() || self.replacements.undefined.contains_key(place);
            self.is_opaque(*place) && !is_defined && !others.contains(place)
        };
        let is_simple = matches!(condition, Condition::Compare(..) | Condition::Logical(..));
        is_simple && places.iter().any(is_unknown)
    }

    fn replaced(&mut self, replacement: ReplacementId, condition: &Condition) -> Option<Condition> {
        let mut places = Vec::new();
        condition.places(&mut places);
        self.make_copies(replacement, places);
        let terms = &self.replacements.all[replacement].terms;
        condition.substitute(&|place| terms.get(&place).cloned())
    }

    fn replaced_term(&mut self, replacement: ReplacementId, term: &Term) -> Option<Term> {
        let mut places = Vec::new();
        crate::symbolic::places_of(term, &mut places);
        self.make_copies(replacement, places);
        let terms = &self.replacements.all[replacement].terms;
        substitute(term, &|place| terms.get(&place).cloned())
    }

    /// Makes other places for those that are others in each iteration.
    fn make_copies(&mut self, replacement: ReplacementId, places: Vec<Place>) {
        let Replacement { around, terms, .. } = &mut self.replacements.all[replacement];
        let parent = self.regions[*around].parent.unwrap_or_default();
        for place in places {
            let info = self.places.info(place);
            if terms.contains_key(&place) || !is_within(&self.regions, info.region, *around) {
                continue;
            }
            let is_defined = info.definition.is_some() || self.replacements.undefined.contains_key(&place);
            let copy = self.places.add(PlaceInfo { region: parent, definition: None, ..info.clone() });
            terms.insert(place, place_term(copy));
            if is_defined {
                self.replacements.undefined.insert(copy, (place, replacement));
            }
        }
    }

    /// What always holds of a place.
    ///
    /// What holds of the place of an iteration is found out here, where it is asked for: most never is, and it speaks
    /// of places that speak of others.
    pub fn definition(&mut self, place: Place) -> Option<Condition> {
        if let Some((original, replacement)) = self.replacements.undefined.remove(&place) {
            let definition = self.definition(original)?;
            let definition = self.replaced(replacement, &definition)?;
            self.places.define(place, definition);
        }
        self.places.info(place).definition.clone()
    }
}
