//! Answers for all solvers of a run. The procedures of a library are often the same but for the type of their numbers,
//! and what is asked about them is the same but for the numbers of places. An answer depends on nothing but the
//! condition, so it does not matter who was first.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::answer::{Effort, Satisfiable};
use crate::solve::Procedure;
use crate::symbolic::{Atom, Condition, Place, Term};

/// Answers kept at most.
const MOST_KEPT: usize = 1 << 16;

/// Conditions with fewer comparisons are decided sooner than looked up.
const SMALLEST: usize = 12;

/// Answers to what was asked so far, by any thread.
#[derive(Debug, Default)]
pub struct SharedAnswers {
    kept: Mutex<FxHashMap<u128, Kept>>,
}

/// An answer with the work that it took.
#[derive(Debug)]
struct Kept {
    answer: KeptAnswer,
    work: u32,
}

#[derive(Debug)]
enum KeptAnswer {
    /// The values of its places in order.
    Model(Box<[i64]>),
    No,
    Unknown,
}

/// A condition as it is looked up.
pub struct Question {
    /// What it is apart from the numbers of its places. Two conditions have the same of these 128 bits with a
    /// probability that is no greater than that of a failure of the machine meanwhile.
    key: u128,
    /// Its places in order.
    places: Vec<Place>,
}

impl Question {
    /// The question whether a condition can hold; `None` if it is too small to be worth keeping.
    pub fn new(condition: &Condition, effort: Effort, procedure: Procedure) -> Option<Self> {
        if condition.size() < SMALLEST {
            return None;
        }
        let mut places = Vec::new();
        condition.places(&mut places);
        places.sort_unstable();
        places.dedup();
        let half = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            (seed, effort, procedure).hash(&mut hasher);
            hash_condition(condition, &places, &mut hasher);
            hasher.finish()
        };
        let key = u128::from(half(0)) << 64 | u128::from(half(1));
        Some(Question { key, places })
    }
}

impl SharedAnswers {
    /// The answer to a question with the work that it took, if it was asked before.
    pub fn get(&self, question: &Question) -> Option<(Satisfiable, u32)> {
        let kept = self.lock();
        let Kept { answer, work } = kept.get(&question.key)?;
        let answer = match answer {
            KeptAnswer::Model(values) => {
                let values = question.places.iter().copied().zip(values.iter().copied());
                Satisfiable::Model(values.collect())
            }
            KeptAnswer::No => Satisfiable::No,
            KeptAnswer::Unknown => Satisfiable::Unknown,
        };
        Some((answer, *work))
    }

    /// Keeps the answer to a question.
    pub fn keep(&self, question: &Question, answer: &Satisfiable, work: u32) {
        let answer = match answer {
            Satisfiable::Model(model) => {
                let values = question.places.iter().map(|place| model.get(place).copied().unwrap_or_default());
                KeptAnswer::Model(values.collect())
            }
            Satisfiable::No => KeptAnswer::No,
            Satisfiable::Unknown => KeptAnswer::Unknown,
        };
        let mut kept = self.lock();
        if kept.len() < MOST_KEPT {
            kept.insert(question.key, Kept { answer, work });
        }
    }

    /// A thread that panicked left whole entries only: what is there is true.
    fn lock(&self) -> MutexGuard<'_, FxHashMap<u128, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hashes a condition with each place as its number among its places.
fn hash_condition(condition: &Condition, places: &[Place], hasher: &mut DefaultHasher) {
    match condition {
        Condition::True => 0_u8.hash(hasher),
        Condition::False => 1_u8.hash(hasher),
        Condition::Compare(relation, term) => {
            (2_u8, relation).hash(hasher);
            hash_term(term, places, hasher);
        }
        Condition::Logical(place, value) => (3_u8, places.binary_search(place), value).hash(hasher),
        Condition::All(parts) | Condition::Any(parts) => {
            let is_all = matches!(condition, Condition::All(_));
            (4_u8, is_all, parts.len()).hash(hasher);
            parts.iter().for_each(|part| hash_condition(part, places, hasher));
        }
    }
}

fn hash_term(term: &Term, places: &[Place], hasher: &mut DefaultHasher) {
    (term.constant_term(), term.terms().count()).hash(hasher);
    for (atom, factor) in term.terms() {
        factor.hash(hasher);
        match atom {
            Atom::Place(place) => (0_u8, places.binary_search(place)).hash(hasher),
            Atom::Applied(of) => {
                (1_u8, of.operation, of.operands.len()).hash(hasher);
                of.operands.iter().for_each(|operand| hash_term(operand, places, hasher));
            }
        }
    }
}
