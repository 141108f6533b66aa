//! The native procedure: variables are eliminated from what holds in any case, and where the values that come out break
//! a choice, its cases are tried.

use super::answer::{Effort, Model, Preference, Satisfiable, model, preferred};
use super::bounds::Bounds;
use super::conjunction::Conjunction;
use super::elimination::{Eliminated, eliminate};
use super::linear::{Formula, Problem, Variable, value_of};
use crate::symbolic::Condition;

/// Conjunctions looked at for one question.
const MOST_CASES: u32 = 100;

/// Conjunctions looked at where only a *no* counts: what never holds mostly shows soon.
const FEWEST_CASES: u32 = 10;

/// Those times the square of the number of variables, which is what a conjunction takes.
const WORK_FOR_NO: usize = 120_000;

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
pub fn decide(problem: &Problem, condition: &Condition, effort: Effort) -> Decided {
    let most_cases = match effort {
        Effort::Refute => {
            let variables = problem.variable_count().max(1);
            u32::try_from(WORK_FOR_NO / (variables * variables)).unwrap_or(MOST_CASES).clamp(FEWEST_CASES, MOST_CASES)
        }
        Effort::Decide | Effort::FindSmall => MOST_CASES,
    };
    let preference = if effort == Effort::FindSmall { Preference::Small } else { Preference::Different };
    let mut search = Search::new(problem, condition, preference, most_cases);
    let outcome = search.start();
    let mut work = search.cases;
    let mut is_relaxed = false;
    let answer = match outcome {
        Outcome::Model(found) => Satisfiable::Model(found),
        Outcome::Impossible => Satisfiable::No,
        Outcome::GaveUp => Satisfiable::Unknown,
        Outcome::Values => {
            is_relaxed = true;
            let mut special = |first: bool| {
                let special = problem.linearised(&search.values, first)?;
                let mut search = Search::new(&special, condition, preference, most_cases);
                let outcome = search.start();
                work += search.cases;
                if let Outcome::Model(found) = outcome { Some(found) } else { None }
            };
            special(true).or_else(|| special(false)).map_or(Satisfiable::Unknown, Satisfiable::Model)
        }
    };
    Decided { answer, is_relaxed, work }
}

/// Takes out of the choices what the bounds of single variables decide; `false` if all can't hold.
fn prune(conjunction: &mut Conjunction<'_>, variable_count: usize) -> bool {
    loop {
        let bounds = Bounds::of(conjunction, variable_count);
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

/// A search for values. What a conjunction says falls apart where its parts have no variable in common: each part is
/// looked at by itself, so that choices of one are not tried with each choice of another.
struct Search<'p> {
    problem: &'p Problem,
    condition: &'p Condition,
    preference: Preference,
    most_cases: u32,
    cases: u32,
    /// The values of all variables so far.
    values: Vec<i64>,
}

/// What came of a conjunction.
enum Outcome {
    /// The condition holds with this.
    Model(Model),
    /// It holds with the values that its variables have now.
    Values,
    /// It never holds.
    Impossible,
    /// Some cases were left out.
    GaveUp,
}

impl<'p> Search<'p> {
    fn new(problem: &'p Problem, condition: &'p Condition, preference: Preference, most_cases: u32) -> Self {
        let values =
            (0..problem.variable_count()).map(|variable| preferred(variable as Variable, preference)).collect();
        Search { problem, condition, preference, most_cases, cases: 0, values }
    }

    fn start(&mut self) -> Outcome {
        let mut conjunction = Conjunction::default();
        if !self.problem.formulas.iter().all(|formula| conjunction.assume(formula)) {
            return Outcome::Impossible;
        }
        match self.solve(conjunction) {
            Outcome::Values => self.model().map_or(Outcome::Values, Outcome::Model),
            other => other,
        }
    }

    fn model(&self) -> Option<Model> {
        model(self.problem, self.condition, &self.values)
    }

    /// Looks for values with which a conjunction holds.
    fn solve(&mut self, mut conjunction: Conjunction<'p>) -> Outcome {
        self.cases += 1;
        if self.cases > self.most_cases {
            return Outcome::GaveUp;
        }
        if !prune(&mut conjunction, self.values.len()) {
            return Outcome::Impossible;
        }
        let mut open = Vec::new();
        for part in conjunction.parts(self.values.len()) {
            let eliminated = eliminate(&part, &mut self.values, self.preference);
            if eliminated == Eliminated::Impossible {
                return Outcome::Impossible;
            }
            let has_values = eliminated == Eliminated::Values;
            let is_broken = |choice: &Vec<&Formula>| !choice.iter().any(|of| holds(of, &self.values));
            if !has_values || part.choices.iter().any(is_broken) {
                open.push((part, has_values));
            }
        }
        if open.is_empty() {
            return Outcome::Values;
        }
        // What is said of an operation may be broken by these values where the operation itself is not.
        if let Some(found) = self.model() {
            return Outcome::Model(found);
        }
        let mut outcome = Outcome::Values;
        for (part, has_values) in open {
            match self.choose(part, has_values) {
                Outcome::Values => {}
                Outcome::GaveUp => outcome = Outcome::GaveUp,
                decided @ (Outcome::Model(_) | Outcome::Impossible) => return decided,
            }
        }
        outcome
    }

    /// Tries what a conjunction can choose from; `has_values` if its rows hold with the values that there are.
    fn choose(&mut self, mut conjunction: Conjunction<'p>, has_values: bool) -> Outcome {
        let values = has_values.then_some(self.values.as_slice());
        let Some(next) = next_choice(&conjunction.choices, values) else { return Outcome::GaveUp };
        let choice = conjunction.choices.swap_remove(next);
        let mut outcome = Outcome::Impossible;
        for part in choice {
            let mut case = conjunction.clone();
            if !case.assume(part) {
                continue;
            }
            match self.solve(case) {
                Outcome::Impossible => {}
                Outcome::GaveUp => outcome = Outcome::GaveUp,
                found @ (Outcome::Model(_) | Outcome::Values) => return found,
            }
            if self.cases > MOST_CASES {
                return Outcome::GaveUp;
            }
        }
        outcome
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
