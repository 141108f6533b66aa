//! Deciding whether two unions of index schemes are the same set, and if not, showing a vector that is in one only.
//!
//! Two procedures that know nothing of each other: [`Z3`] asks the solver of that name for a model of a quantifier-free
//! linear formula over one integer per dimension (paper, section 6.2.1); [`Native`] cuts boxes. They must always agree;
//! the tests run both against brute force, and so does [`Both`]. [`Memo`] remembers decided pairs: a code base asks few
//! different ones.
//!
//! Entry point: [`compare`], or [`Solver::difference`] for one direction. Results: [`Comparison`], [`Answer`]. Whether
//! a condition over symbolic integers can hold, [`conditions`] says.

mod both;
pub mod conditions;
mod memo;
mod native;
#[cfg(test)]
mod tests;
mod z3;

pub use self::z3::Z3;
pub use both::Both;
pub use memo::{Memo, Remembering};
pub use native::Native;

use crate::region::{Budget, Component, IntegerSet, Unf};

/// What a solver says of the elements of one set that are not in another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There are none: the first set is a subset of the second.
    Empty,
    /// This vector is one.
    Witness(Vec<i64>),
    /// The solver gave up, with its reason. Never to be read as [`Answer::Empty`].
    Unknown(String),
}

/// How two sets compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// They are the same.
    Same,
    /// This vector is in the left one only.
    OnlyLeft(Vec<i64>),
    /// The left one is a subset; this vector is in the right one only.
    OnlyRight(Vec<i64>),
    /// The solver gave up, with its reason.
    Undecided(String),
}

/// A procedure that decides inclusion.
pub trait Solver {
    /// Whether there are elements of `left` that are not in `right`. Sets of different rank can't be compared.
    fn difference(&mut self, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Answer;
}

/// Which procedure decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Procedure {
    /// [`Z3`].
    #[default]
    Z3,
    /// [`Native`].
    Native,
    /// [`Both`].
    Both,
}

impl Procedure {
    /// The procedure, with its default limit. What it has of Z3 belongs to the thread that uses it.
    pub fn solver(self) -> Box<dyn Solver> {
        match self {
            Procedure::Z3 => Box::new(Z3::default()),
            Procedure::Native => Box::new(Native::default()),
            Procedure::Both => Box::new(Both::default()),
        }
    }
}

impl Solver for Box<dyn Solver> {
    fn difference(&mut self, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Answer {
        self.as_mut().difference(left, right)
    }
}

/// Whether two sets are the same.
pub fn compare(solver: &mut dyn Solver, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Comparison {
    match solver.difference(left, right) {
        Answer::Witness(point) => return Comparison::OnlyLeft(point),
        Answer::Unknown(reason) => return Comparison::Undecided(reason),
        Answer::Empty => {}
    }
    match solver.difference(right, left) {
        Answer::Witness(point) => Comparison::OnlyRight(point),
        Answer::Unknown(reason) => Comparison::Undecided(reason),
        Answer::Empty => Comparison::Same,
    }
}

/// Why sets of different rank have no difference.
fn ranks_differ() -> Answer {
    Answer::Unknown("the sets have different ranks".to_owned())
}

/// Membership tests that moving a witness may take: enough for sets that people write, less than a second's work.
const MOST_TESTS: u64 = 2_000_000;

/// The witness that is told: the one that the native procedure finds, so that it does not depend on which solver found
/// that there is one. Where that procedure gives up, it is the solver's own.
fn told(found: Vec<i64>, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Vec<i64> {
    match Native::default().difference(left, right) {
        Answer::Witness(witness) => witness,
        Answer::Empty | Answer::Unknown(_) => towards_zero(found, left, right),
    }
}

/// The witness, each component moved as near to zero as it stays one and the number of tests allows. (Where components
/// depend on each other, where it ends depends on where it began.)
fn towards_zero(mut witness: Vec<i64>, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Vec<i64> {
    let mut tests = Budget::new(MOST_TESTS);
    let cost_of_test = left.schemes().len() + right.schemes().len();
    for dimension in 0..witness.len() {
        // Membership can change at an end of a range only.
        let components = left.schemes().iter().chain(right.schemes()).map(|scheme| &scheme.components[dimension]);
        let ranges = components.filter_map(|component| match component {
            Component::Within(set) => Some(set.ranges()),
            Component::Every => None,
        });
        let near = |&(first, last): &(i64, i64)| [first.saturating_sub(1), first, last, last.saturating_add(1)];
        let mut candidates: Vec<i64> = ranges.flatten().flat_map(near).chain([0]).collect();
        candidates.sort_unstable_by_key(|value| (value.unsigned_abs(), *value < 0));
        candidates.dedup();
        let found = witness[dimension];
        for value in candidates {
            if tests.spend(cost_of_test).is_err() {
                return witness;
            }
            witness[dimension] = value;
            if left.holds(&witness) && !right.holds(&witness) {
                break;
            }
            witness[dimension] = found;
        }
    }
    witness
}
