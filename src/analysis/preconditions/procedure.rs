//! What callers know of a procedure, as plain data.

use std::collections::{BTreeMap, BTreeSet};

use super::formula::{Formula, Place, Root, Type};
use crate::syntax::Intent;

/// A procedure, told without spans into trees.
#[derive(Clone, Debug, Default)]
pub struct Procedure {
    /// Its name, lower case.
    pub name: String,
    /// Its dummy arguments.
    pub dummies: Vec<Dummy>,
    /// What it needs, in the order of the failing statements.
    pub requirements: Vec<Requirement>,
    /// Where it may fail under conditions that are not found out.
    pub undecided: Vec<Undecided>,
    /// Whether it never returns, whatever the values.
    pub always_fails: bool,
    /// What it may change beside its arguments.
    pub changes: BTreeSet<Root>,
    /// Whether it may change anything that is not local.
    pub changes_anything: bool,
    /// The values that it gives back: of arguments, and of variables that are not its own.
    pub values: BTreeMap<Formula, Formula>,
    /// The result of a function.
    pub result: Option<Formula>,
    /// Whether it only checks and reports: it gives nothing back.
    pub gives_nothing_back: bool,
}

/// A dummy argument.
#[derive(Clone, Debug)]
pub struct Dummy {
    /// Its name, lower case; `*` of an alternate return.
    pub name: String,
    /// Its type.
    pub type_: Type,
    /// Its rank.
    pub rank: u8,
    /// INTENT.
    pub intent: Option<Intent>,
    /// OPTIONAL.
    pub is_optional: bool,
    /// Whether the procedure may change it.
    pub is_changed: bool,
    /// Whether its subscripts begin at 1.
    pub begins_at_one: bool,
}

/// A place that may fail, and whose condition is given up.
#[derive(Clone, Debug)]
pub struct Undecided {
    /// The failing place.
    pub at: Place,
    /// The text that it reports.
    pub message: Option<String>,
    /// The calls that lead there, the outermost first.
    pub via: Vec<Place>,
    /// Why.
    pub reason: GivenUp,
}

/// Why a condition is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenUp {
    /// It grows beyond what is followed, or has too far to go.
    TooLarge,
    /// Control jumps into a loop of the procedure.
    JumpIntoLoop,
    /// All of it was lost on the way.
    NothingKnown,
}

impl GivenUp {
    /// As it is told.
    pub fn text(self) -> &'static str {
        match self {
            GivenUp::TooLarge => "too large",
            GivenUp::JumpIntoLoop => "control jumps into a loop",
            GivenUp::NothingKnown => "nothing is known of the condition",
        }
    }
}

/// Something that must be true where a procedure is entered.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The condition, over the values on entry.
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
