//! Where a unit fails, and under what.

use rustc_hash::FxHashMap;

use super::formula::{Formula, Place};
use super::procedure::{GivenUp, Requirement, Undecided};
use crate::flow::FlowPosition;

/// A condition that must hold where a statement is executed, else the program fails there.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The statement.
    pub position: FlowPosition,
    /// Whether it belongs to the action of a one-line IF, and not to its condition.
    pub is_in_action: bool,
    /// The condition, over the values where the statement stands.
    pub condition: Formula,
    /// The failing place.
    pub at: Place,
    /// The text that it reports.
    pub message: Option<String>,
    /// The calls that lead there, the outermost first.
    pub via: Vec<Place>,
    /// Whether it rests on one of several procedures of a name, so that perhaps another one is called.
    pub is_one_of_several: bool,
}

impl Failure {
    /// The requirement that a condition is, because of the failure.
    pub fn requirement(&self, condition: Formula) -> Requirement {
        let Failure { at, message, via, is_one_of_several, .. } = self.clone();
        Requirement { condition, at, message, via, is_one_of_several }
    }

    /// The failure without its condition.
    pub fn undecided(&self, reason: GivenUp) -> Undecided {
        Undecided { at: self.at.clone(), message: self.message.clone(), via: self.via.clone(), reason }
    }
}

/// A statement that may end the program without a failure.
#[derive(Clone, Debug)]
pub struct NormalEnd {
    /// Where it is.
    pub position: FlowPosition,
    /// Whether it belongs to the action of a one-line IF, and not to its condition.
    pub is_in_action: bool,
    /// The condition under which it does not, where it is reached.
    pub passes: Formula,
    /// For a call, the condition under which control does not come behind it, but for failures.
    pub stays: Option<Formula>,
}

/// The failures of a unit, by statement.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// All of them, in the order of the statements.
    pub all: Vec<Failure>,
    /// At each statement that certainly fails, whether its action only does.
    pub certain: FxHashMap<FlowPosition, bool>,
    /// Where the program may end without a failure, in the order of the statements.
    pub ends: Vec<NormalEnd>,
}

impl Failures {
    /// Notes a failure.
    pub fn add(&mut self, failure: Failure) {
        if failure.condition.is_logical(false) {
            let is_in_action = self.certain.entry(failure.position).or_insert(failure.is_in_action);
            *is_in_action &= failure.is_in_action;
        }
        self.all.push(failure);
    }
}
