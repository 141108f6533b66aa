//! Memory of decided queries.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::{Answer, Solver};
use crate::region::{IntegerSet, Unf, coalesce};

/// What has been decided so far, by any thread. Sets are told apart by their coalesced form, so the order of reads and
/// of terms makes no difference.
#[derive(Debug, Default)]
pub struct Memo {
    decided: Mutex<HashMap<Query, Answer>>,
}

/// Whether the first set has elements outside the second.
type Query = (Unf<IntegerSet>, Unf<IntegerSet>);

impl Memo {
    /// How many queries have been put to a solver.
    pub fn queries(&self) -> usize {
        self.lock().len()
    }

    /// A solver that asks the one given only what is not remembered.
    pub fn before<S: Solver>(&self, solver: S) -> Remembering<'_, S> {
        Remembering { memo: self, solver }
    }

    /// A thread that panicked left whole entries only: what is there is true.
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Query, Answer>> {
        self.decided.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A solver with a memory.
#[derive(Debug)]
pub struct Remembering<'m, S> {
    memo: &'m Memo,
    solver: S,
}

impl<S: Solver> Solver for Remembering<'_, S> {
    fn difference(&mut self, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Answer {
        let query = (coalesce(left.clone()), coalesce(right.clone()));
        if let Some(answer) = self.memo.lock().get(&query) {
            return answer.clone();
        }
        // Without the lock: other threads go on meanwhile, and two that ask the same get the same answer.
        let answer = self.solver.difference(&query.0, &query.1);
        self.memo.lock().insert(query, answer.clone());
        answer
    }
}
