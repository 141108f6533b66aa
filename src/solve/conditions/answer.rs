//! What is answered.

use std::collections::BTreeMap;

use super::linear::Problem;
use crate::symbolic::{Condition, Place};

/// Values of places; those that are not there may have any.
pub type Model = BTreeMap<Place, i64>;

/// Whether a condition can hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Satisfiable {
    /// It holds with these values.
    Model(Model),
    /// It never holds.
    No,
    /// The limit was reached, or what is known of products and the like is not enough.
    Unknown,
}

/// The model that values of a problem's variables are, if the condition holds with it.
pub fn model(problem: &Problem, condition: &Condition, values: &[i64]) -> Option<Model> {
    let value = |place: Place| problem.variable_of(place).map_or(0, |variable| values[variable as usize]);
    let holds = condition.conjuncts().iter().all(|part| part.holds(&value) == Some(true));
    holds.then(|| problem.places().map(|(place, variable)| (place, values[variable as usize])).collect())
}

/// What is wanted of an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effort {
    /// Whether it is *no*.
    Refute,
    /// Whether it is *no* or there are values.
    Decide,
    /// Small values, if there are such.
    FindSmall,
}

/// Which values are looked for where several will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preference {
    /// Small ones, for a person.
    Small,
    /// Such as differ, so that what holds with them holds for no special reason.
    Different,
}

/// The value that a variable gets if it may have any.
pub fn preferred(variable: u32, preference: Preference) -> i64 {
    match preference {
        Preference::Small => 1,
        Preference::Different => 3 + i64::from(variable % 7),
    }
}
