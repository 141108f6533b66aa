//! The native procedure: variables are eliminated from what holds in any case, and where the values that come out break
//! a choice, its cases are tried.

use super::answer::{Model, Preference, Satisfiable, model};
use super::bounds::Bounds;
use super::conjunction::Conjunction;
use super::elimination::{Eliminated, eliminate};
use super::linear::{Formula, Problem, value_of};
use crate::symbolic::Condition;

/// Conjunctions looked at for one question.
const MOST_CASES: u32 = 100;

/// What the native procedure says, and the number of conjunctions that it looked at for that.
pub struct Decided {
    /// The answer.
    pub answer: Satisfiable,
    /// Whether the linear formula can hold, so that there is no other answer but a model.
    pub is_relaxed: bool,
    /// The conjunctions.
    pub work: u32,
}

/// Whether a condition, whose problem this is, can hold.
pub fn decide(problem: &Problem, condition: &Condition, preference: Preference) -> Decided {
    let mut search = Search { problem, condition, preference, cases: 0, end: End::All };
    let found = search.start();
    let mut work = search.cases;
    let is_relaxed = matches!(search.end, End::Relaxed(_));
    let answer = match (found, search.end) {
        (Some(found), _) => Satisfiable::Model(found),
        (None, End::All) => Satisfiable::No,
        (None, End::GaveUp) => Satisfiable::Unknown,
        (None, End::Relaxed(values)) => {
            let mut special = |first: bool| {
                let special = problem.linearised(&values, first)?;
                let mut search = Search { problem: &special, condition, preference, cases: 0, end: End::All };
                let found = search.start();
                work += search.cases;
                found
            };
            special(true).or_else(|| special(false)).map_or(Satisfiable::Unknown, Satisfiable::Model)
        }
    };
    Decided { answer, is_relaxed, work }
}

/// Takes out of the choices what the bounds of single variables decide; `false` if all can't hold.
fn prune(conjunction: &mut Conjunction<'_>) -> bool {
    loop {
        let bounds = Bounds::of(conjunction);
        if bounds.is_empty {
            return false;
        }
        let mut forced = Vec::new();
        let mut kept = Vec::new();
        for mut choice in std::mem::take(&mut conjunction.choices) {
            if choice.iter().any(|part| bounds.decide(part) == Some(true)) {
                continue;
            }
            choice.retain(|part| bounds.decide(part) != Some(false));
            match choice.len() {
                0 => return false,
                1 => forced.extend(choice.pop()),
                _ => kept.push(choice),
            }
        }
        conjunction.choices = kept;
        if forced.is_empty() {
            return true;
        }
        if !forced.iter().all(|part| conjunction.assume(part)) {
            return false;
        }
    }
}

struct Search<'p> {
    problem: &'p Problem,
    condition: &'p Condition,
    preference: Preference,
    cases: u32,
    end: End,
}

/// How a search ended that found no model.
enum End {
    /// All cases were looked at.
    All,
    /// Some were left out.
    GaveUp,
    /// The linear formula holds with these values, the condition does not.
    Relaxed(Vec<i64>),
}

impl<'p> Search<'p> {
    fn start(&mut self) -> Option<Model> {
        let mut conjunction = Conjunction::default();
        if !self.problem.formulas.iter().all(|formula| conjunction.assume(formula)) {
            return None;
        }
        self.split(conjunction)
    }

    /// A model of a conjunction, if there is one that is found.
    fn split(&mut self, mut conjunction: Conjunction<'p>) -> Option<Model> {
        self.cases += 1;
        if self.cases > MOST_CASES {
            self.end = End::GaveUp;
            return None;
        }
        if !prune(&mut conjunction) {
            return None;
        }
        let values = match eliminate(&conjunction, self.problem.variable_count(), self.preference) {
            Eliminated::Impossible => return None,
            Eliminated::Values(values) => {
                if let Some(found) = model(self.problem, self.condition, &values) {
                    return Some(found);
                }
                if conjunction.choices.iter().all(|choice| choice.iter().any(|part| holds(part, &values))) {
                    self.end = End::Relaxed(values);
                    return None;
                }
                Some(values)
            }
            Eliminated::Unclear => None,
        };
        let Some(next) = next_choice(&conjunction.choices, values.as_deref()) else {
            self.end = End::GaveUp;
            return None;
        };
        let choice = conjunction.choices.swap_remove(next);
        for part in choice {
            let mut case = conjunction.clone();
            if case.assume(part)
                && let Some(found) = self.split(case)
            {
                return Some(found);
            }
            if self.cases > MOST_CASES || matches!(self.end, End::Relaxed(_)) {
                return None;
            }
        }
        None
    }
}

/// The choice that is made next: the shortest of those that some values break, or of all.
fn next_choice(choices: &[Vec<&Formula>], values: Option<&[i64]>) -> Option<usize> {
    let is_broken = |choice: &[&Formula]| values.is_some_and(|values| !choice.iter().any(|part| holds(part, values)));
    (0..choices.len()).min_by_key(|&at| (!is_broken(&choices[at]), choices[at].len()))
}

/// Whether a formula holds for these values of its variables.
fn holds(formula: &Formula, values: &[i64]) -> bool {
    match formula {
        Formula::All(parts) => parts.iter().all(|part| holds(part, values)),
        Formula::Any(parts) => parts.iter().any(|part| holds(part, values)),
        Formula::NotNegative(row) => value_of(row, values).is_some_and(|value| value >= 0),
        Formula::Zero(row) => value_of(row, values) == Some(0),
    }
}
