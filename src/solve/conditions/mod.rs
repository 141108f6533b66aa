//! Deciding whether a condition over integers can hold.
//!
//! What is not linear is replaced by a variable of its own, about which the formula says what is known of the
//! operation (`linear`): all of it for minima, maxima and division by a constant, some of it for products. So *no* is
//! always right, and a model is one only after the condition itself was evaluated with it. Where any values will do,
//! long conditions are first tried with those of the one before, a few of them changed (`repair`). The native procedure
//! (`native`) comes next: it takes apart what has no variable in common, splits cases and eliminates variables, and
//! answers nearly everything in microseconds; Z3 (`z3`) is asked what is left. Both take the same formula, and the
//! tests hold them against each other and against all small values.

mod answer;
mod bounds;
mod conjunction;
mod elimination;
mod linear;
mod native;
mod repair;
mod rows;
mod shared;
#[cfg(test)]
mod tests;
mod z3;

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Procedure;
use crate::symbolic::{Condition, Place};
use linear::Problem;
use native::Decided;
use shared::Question;

use answer::{Effort, Preference, preferred};
pub use answer::{Model, Satisfiable};
pub use shared::SharedAnswers;

/// Answers remembered at most by one solver.
const MOST_REMEMBERED: usize = 1 << 16;

/// A solver of conditions with a memory. What it has of Z3 belongs to the thread that uses it.
#[derive(Debug)]
pub struct ConditionSolver {
    procedure: Procedure,
    shared: Arc<SharedAnswers>,
    known: FxHashMap<Condition, Satisfiable>,
    /// Whether conditions can hold, as far as that was found out with some effort.
    answered: FxHashMap<Condition, (Option<bool>, Effort)>,
    /// Values with which conditions held, the latest first: the next condition often holds with them, too.
    recent: VecDeque<Values>,
    /// How much work is left: conjunctions of the native procedure, questions to Z3 for many.
    left: u32,
}

/// The work of one solver: some tenths of a second at most.
const MOST_WORK: u32 = 4_000;

/// Models that are tried before a condition is looked at.
const MOST_RECENT: usize = 8;

/// Conditions with fewer parts are decided as soon as values are found.
const MANY_PARTS: usize = 4;

/// What a question to Z3 counts for.
const WORK_OF_Z3: u32 = 50;

/// Z3 is asked of no more variables than these: it decides what is hard for its numbers, not for its length.
const MOST_VARIABLES_FOR_Z3: usize = 24;

impl ConditionSolver {
    /// A solver that nothing was asked yet, and that knows what others have answered.
    pub fn new(procedure: Procedure, shared: Arc<SharedAnswers>) -> Self {
        ConditionSolver {
            procedure,
            shared,
            known: FxHashMap::default(),
            answered: FxHashMap::default(),
            recent: VecDeque::new(),
            left: MOST_WORK,
        }
    }

    /// Whether a condition can hold; the values are small where that can be.
    pub fn satisfiable(&mut self, condition: &Condition) -> Satisfiable {
        if let Some(known) = trivial(condition) {
            return known;
        }
        if let Some(known) = self.known.get(condition) {
            return known.clone();
        }
        let answer = self.decide(condition, Effort::FindSmall);
        if self.known.len() >= MOST_REMEMBERED {
            self.known.clear();
        }
        self.known.insert(condition.clone(), answer.clone());
        answer
    }

    /// Whether a condition certainly never holds.
    pub fn is_impossible(&mut self, condition: &Condition) -> bool {
        self.find_out(condition, Effort::Refute) == Some(false)
    }

    /// Whether a condition certainly holds with some values.
    pub fn is_possible(&mut self, condition: &Condition) -> bool {
        self.can_hold(condition) == Some(true)
    }

    /// Whether a condition holds with some values, if that is known.
    pub fn can_hold(&mut self, condition: &Condition) -> Option<bool> {
        self.find_out(condition, Effort::Decide)
    }

    fn find_out(&mut self, condition: &Condition, effort: Effort) -> Option<bool> {
        let answer_of = |answer: &Satisfiable| match answer {
            Satisfiable::Model(_) => Some(true),
            Satisfiable::No => Some(false),
            Satisfiable::Unknown => None,
        };
        if let Some(known) = trivial(condition) {
            return answer_of(&known);
        }
        if let Some(&(known, with)) = self.answered.get(condition)
            && (known.is_some() || with >= effort)
        {
            return known;
        }
        // What does not hold with a model mostly does not in its first parts.
        let holds = |values: &Values| condition.conjuncts().iter().all(|part| values.satisfy(part));
        if self.recent.iter().any(holds) {
            return Some(true);
        }
        let last = self.recent.front().filter(|_| condition.conjuncts().len() >= MANY_PARTS);
        let of_last = last.and_then(|values| repair::repaired(condition, &|place| values.of(place)));
        let of_last = of_last.filter(|model| Values::new(model).satisfy(condition));
        let answer = match of_last {
            Some(model) => Satisfiable::Model(model),
            None => self.decide(condition, effort),
        };
        let can_hold = answer_of(&answer);
        if let Satisfiable::Model(model) = answer {
            self.recent.truncate(MOST_RECENT - 1);
            self.recent.push_front(Values::new(&model));
        }
        if self.answered.len() >= MOST_REMEMBERED {
            self.answered.clear();
        }
        self.answered.insert(condition.clone(), (can_hold, effort));
        can_hold
    }

    /// Whether it has done so much that it answers nothing any more.
    pub fn is_exhausted(&self) -> bool {
        self.left == 0
    }

    fn decide(&mut self, condition: &Condition, effort: Effort) -> Satisfiable {
        if self.is_exhausted() {
            return Satisfiable::Unknown;
        }
        let question = Question::new(condition, effort, self.procedure);
        let known = question.as_ref().and_then(|question| self.shared.get(question));
        let (answer, work) = known.unwrap_or_else(|| {
            let (answer, work) = decided(condition, effort, self.procedure);
            if let Some(question) = question {
                self.shared.keep(&question, &answer, work);
            }
            (answer, work)
        });
        self.left = self.left.saturating_sub(work);
        answer
    }
}

/// What a procedure answers, with the work that it took.
fn decided(condition: &Condition, effort: Effort, procedure: Procedure) -> (Satisfiable, u32) {
    let Some(problem) = Problem::new(condition) else { return (Satisfiable::Unknown, 0) };
    let Decided { answer: native, is_relaxed, work } = native::decide(&problem, condition, effort);
    let is_open = native == Satisfiable::Unknown && !is_relaxed && problem.variable_count() <= MOST_VARIABLES_FOR_Z3;
    match procedure {
        Procedure::Z3 if is_open => (z3::decide(&problem, condition), work + WORK_OF_Z3),
        Procedure::Native | Procedure::Z3 => (native, work),
        Procedure::Both => {
            let agreed = match (native, z3::decide(&problem, condition)) {
                (Satisfiable::No, Satisfiable::No) => Satisfiable::No,
                (model @ Satisfiable::Model(_), Satisfiable::Model(_)) => model,
                _ => Satisfiable::Unknown,
            };
            (agreed, work + WORK_OF_Z3)
        }
    }
}

/// The answer that needs no search.
fn trivial(condition: &Condition) -> Option<Satisfiable> {
    match condition {
        Condition::True => Some(Satisfiable::Model(Model::new())),
        Condition::False => Some(Satisfiable::No),
        Condition::Compare(..) | Condition::Logical(..) | Condition::All(_) | Condition::Any(_) => None,
    }
}

/// The values of all places in a model, by number; those that it does not name have some other ones.
#[derive(Debug)]
struct Values(Vec<i64>);

impl Values {
    fn new(model: &Model) -> Self {
        let count = model.last_key_value().map_or(0, |(place, _)| place.0 + 1);
        let mut values: Vec<i64> = (0..count).map(|number| preferred(number, Preference::Different)).collect();
        model.iter().for_each(|(place, value)| values[place.0 as usize] = *value);
        Values(values)
    }

    fn of(&self, place: Place) -> i64 {
        self.0.get(place.0 as usize).copied().unwrap_or_else(|| preferred(place.0, Preference::Different))
    }

    fn satisfy(&self, condition: &Condition) -> bool {
        condition.holds(&|place| self.of(place)) == Some(true)
    }
}
