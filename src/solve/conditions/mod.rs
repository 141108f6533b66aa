//! Deciding whether a condition over integers can hold.
//!
//! What is not linear is replaced by a variable of its own, about which the formula says what is known of the
//! operation (`linear`): all of it for minima, maxima and division by a constant, some of it for products. So *no* is
//! always right, and a model is one only after the condition itself was evaluated with it. The native procedure
//! (`native`) comes first: it splits cases and eliminates variables, and answers nearly everything in microseconds; Z3
//! (`z3`) is asked what is left. Both take the same formula, and the tests hold them against each other and against
//! all small values.

mod answer;
mod linear;
mod native;
#[cfg(test)]
mod tests;
mod z3;

use rustc_hash::FxHashMap;

use super::Procedure;
use crate::symbolic::Condition;
use linear::Problem;

pub use answer::{Model, Satisfiable};

/// Answers remembered at most by one solver.
const MOST_REMEMBERED: usize = 1 << 16;

/// A solver of conditions with a memory. What it has of Z3 belongs to the thread that uses it.
#[derive(Debug)]
pub struct ConditionSolver {
    procedure: Procedure,
    known: FxHashMap<Condition, Satisfiable>,
    /// How much work is left: conjunctions of the native procedure, questions to Z3 for many.
    left: u32,
}

/// The work of one solver: some tenths of a second at most.
const MOST_WORK: u32 = 4_000;

/// What a question to Z3 counts for.
const WORK_OF_Z3: u32 = 50;

impl ConditionSolver {
    /// A solver that nothing was asked yet.
    pub fn new(procedure: Procedure) -> Self {
        ConditionSolver { procedure, known: FxHashMap::default(), left: MOST_WORK }
    }

    /// Whether a condition can hold.
    pub fn satisfiable(&mut self, condition: &Condition) -> Satisfiable {
        match condition {
            Condition::True => return Satisfiable::Model(Model::new()),
            Condition::False => return Satisfiable::No,
            Condition::Compare(..) | Condition::Logical(..) | Condition::All(_) | Condition::Any(_) => {}
        }
        if let Some(known) = self.known.get(condition) {
            return known.clone();
        }
        let answer = self.decide(condition);
        if self.known.len() >= MOST_REMEMBERED {
            self.known.clear();
        }
        self.known.insert(condition.clone(), answer.clone());
        answer
    }

    /// Whether a condition certainly never holds.
    pub fn is_impossible(&mut self, condition: &Condition) -> bool {
        self.satisfiable(condition) == Satisfiable::No
    }

    /// Whether it has done so much that it answers nothing any more.
    pub fn is_exhausted(&self) -> bool {
        self.left == 0
    }

    fn decide(&mut self, condition: &Condition) -> Satisfiable {
        if self.is_exhausted() {
            return Satisfiable::Unknown;
        }
        let Some(problem) = Problem::new(condition) else { return Satisfiable::Unknown };
        let (native, work) = native::decide(&problem, condition);
        self.left = self.left.saturating_sub(work);
        let mut ask_z3 = || {
            self.left = self.left.saturating_sub(WORK_OF_Z3);
            z3::decide(&problem, condition)
        };
        match (self.procedure, native) {
            (Procedure::Native, native) => native,
            (Procedure::Z3, Satisfiable::Unknown) => ask_z3(),
            (Procedure::Z3, decided) => decided,
            (Procedure::Both, native) => match (native, ask_z3()) {
                (Satisfiable::No, Satisfiable::No) => Satisfiable::No,
                (model @ Satisfiable::Model(_), Satisfiable::Model(_)) => model,
                _ => Satisfiable::Unknown,
            },
        }
    }
}
