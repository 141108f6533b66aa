//! Memory of decided queries.

use super::{Answer, Solver};
use crate::region::{IntegerSet, Unf, coalesce};
use std::collections::HashMap;

/// A solver that asks another one at most once about two sets. Sets are told apart by their coalesced form, so the order of
/// reads and of terms makes no difference.
#[derive(Clone, Debug, Default)]
pub struct Memo<S> {
    solver: S,
    decided: HashMap<(Unf<IntegerSet>, Unf<IntegerSet>), Answer>,
}

impl<S: Solver> Memo<S> {
    /// Remembers what this solver says.
    pub fn new(solver: S) -> Self {
        Memo { solver, decided: HashMap::new() }
    }

    /// How many queries have been put to the solver.
    pub fn queries(&self) -> usize {
        self.decided.len()
    }
}

impl<S: Solver> Solver for Memo<S> {
    fn difference(&mut self, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Answer {
        let pair = (coalesce(left.clone()), coalesce(right.clone()));
        if let Some(answer) = self.decided.get(&pair) {
            return answer.clone();
        }
        let answer = self.solver.difference(&pair.0, &pair.1);
        self.decided.insert(pair, answer.clone());
        answer
    }
}
