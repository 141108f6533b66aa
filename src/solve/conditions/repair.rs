//! Values with which a condition holds, made of values with which one like it does: what statements ask one after the
//! other has most parts in common, so few values must change. Each step mends a part that is broken, by the change that
//! breaks fewest others.

use rustc_hash::FxHashMap;

use super::answer::Model;
use crate::symbolic::{Atom, Condition, Place, Relation, Term, places_of, value_of};

/// Changes that are tried for one step.
const MOST_CHANGES: usize = 12;

/// Parts that are looked at for one condition, for each that it has.
const LOOKS: usize = 20;

/// Steps in which a place keeps the value that it was given.
const KEPT: usize = 4;

/// Values with which a condition holds, those of `start` where they will do.
pub fn repaired(condition: &Condition, start: &dyn Fn(Place) -> i64) -> Option<Model> {
    let mut repair = Repair::new(condition, start);
    let mut left = LOOKS * repair.parts.len();
    for step in 0.. {
        if repair.broken.is_empty() {
            return Some(repair.values.into_iter().collect());
        }
        let at = repair.broken[step % repair.broken.len()];
        let mut changes = Vec::new();
        repair.changes(&repair.parts[at], &mut changes);
        changes.truncate(MOST_CHANGES);
        changes.retain(|(place, _)| repair.changed.get(place).is_none_or(|&last| last + KEPT <= step));
        let mut best: Option<(usize, Place, i64)> = None;
        for (place, value) in changes {
            left = left.checked_sub(repair.parts_of[&place].len())?;
            let broken = repair.broken_with(place, value);
            if best.is_none_or(|(least, ..)| broken < least) {
                best = Some((broken, place, value));
            }
        }
        let (_, place, value) = best?;
        repair.change(place, value);
        repair.changed.insert(place, step);
    }
    None
}

struct Repair<'c> {
    parts: &'c [Condition],
    /// The parts that speak of each place.
    parts_of: FxHashMap<Place, Vec<usize>>,
    values: FxHashMap<Place, i64>,
    /// The parts that do not hold, in order.
    broken: Vec<usize>,
    /// The step in which each place was given its value.
    changed: FxHashMap<Place, usize>,
}

impl<'c> Repair<'c> {
    fn new(condition: &'c Condition, start: &dyn Fn(Place) -> i64) -> Self {
        let parts = condition.conjuncts();
        let mut parts_of: FxHashMap<Place, Vec<usize>> = FxHashMap::default();
        for (at, part) in parts.iter().enumerate() {
            let mut places = Vec::new();
            part.places(&mut places);
            for place in places {
                let of = parts_of.entry(place).or_default();
                if of.last() != Some(&at) {
                    of.push(at);
                }
            }
        }
        let values = parts_of.keys().map(|&place| (place, start(place))).collect();
        let mut repair = Repair { parts, parts_of, values, broken: Vec::new(), changed: FxHashMap::default() };
        repair.broken = (0..parts.len()).filter(|&at| !repair.holds(&parts[at])).collect();
        repair
    }

    fn value(&self, place: Place) -> i64 {
        self.values.get(&place).copied().unwrap_or_default()
    }

    fn holds(&self, condition: &Condition) -> bool {
        condition.holds(&|place| self.value(place)) == Some(true)
    }

    /// How many parts that speak of a place are broken if it has a value.
    fn broken_with(&mut self, place: Place, value: i64) -> usize {
        let before = self.values.insert(place, value);
        let broken = self.parts_of[&place].iter().filter(|&&at| !self.holds(&self.parts[at])).count();
        self.values.extend(before.map(|before| (place, before)));
        // Of those that are broken anyway none counts.
        let mended = self.parts_of[&place].iter().filter(|at| self.broken.binary_search(at).is_ok()).count();
        (broken + self.parts.len()).saturating_sub(mended)
    }

    fn change(&mut self, place: Place, value: i64) {
        self.values.insert(place, value);
        for &at in &self.parts_of[&place] {
            let holds = self.holds(&self.parts[at]);
            match (self.broken.binary_search(&at), holds) {
                (Ok(number), true) => drop(self.broken.remove(number)),
                (Err(number), false) => self.broken.insert(number, at),
                (Ok(_), false) | (Err(_), true) => {}
            }
        }
    }

    /// Values of places with which a condition may hold.
    fn changes(&self, condition: &Condition, found: &mut Vec<(Place, i64)>) {
        match condition {
            Condition::True | Condition::False => {}
            Condition::Logical(place, value) => found.push((*place, i64::from(*value))),
            Condition::Compare(relation, term) => {
                if let Some(value) = value_of(term, &|place| self.value(place)) {
                    self.changes_of_term(*relation, term, value, found);
                }
            }
            Condition::All(parts) => {
                parts.iter().filter(|part| !self.holds(part)).for_each(|part| self.changes(part, found));
            }
            Condition::Any(parts) => parts.iter().for_each(|part| self.changes(part, found)),
        }
    }

    /// The same of a term that has this value.
    fn changes_of_term(&self, relation: Relation, term: &Term, value: i64, found: &mut Vec<(Place, i64)>) {
        for (atom, factor) in term.terms() {
            match atom {
                Atom::Place(place) => {
                    let by = change_of(relation, value, factor);
                    let new = by.filter(|by| *by != 0).and_then(|by| self.value(*place).checked_add(by));
                    found.extend(new.map(|new| (*place, new)));
                }
                Atom::Applied(of) => {
                    let mut places = Vec::new();
                    of.operands.iter().for_each(|operand| places_of(operand, &mut places));
                    for place in places {
                        let either = [self.value(place).checked_sub(value), self.value(place).checked_add(value)];
                        found.extend(either.into_iter().flatten().map(|new| (place, new)));
                    }
                }
            }
        }
    }
}

/// By how much what has a factor in a term of some value must change for the term to compare so with 0.
fn change_of(relation: Relation, value: i64, factor: i64) -> Option<i64> {
    match relation {
        Relation::NotNegative if value >= 0 => None,
        Relation::NotNegative => {
            let size = factor.checked_abs()?;
            let steps = value.checked_neg()?.checked_add(size - 1)?.div_euclid(size);
            steps.checked_mul(factor.signum())
        }
        Relation::Zero if value.checked_rem(factor) == Some(0) => value.checked_div(factor)?.checked_neg(),
        Relation::Zero => None,
        Relation::NotZero => Some(1),
    }
}
