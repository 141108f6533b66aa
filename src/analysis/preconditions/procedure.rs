//! What callers know of a procedure, as plain data.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::formula::{Formula, Place, Root, Type};
use super::passed::ExternalArgument;
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
    /// Under what it ends the program without a failure.
    pub ends: Ends,
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
    /// Whether it stands for several of which one is called: then it is known only what each of them leaves as it is.
    pub is_one_of_several: bool,
}

/// Under what a procedure ends the program without a failure, by a STOP without a code, say.
#[derive(Clone, Debug, Default)]
pub enum Ends {
    /// Under nothing.
    #[default]
    Never,
    /// Unless this is true on entry.
    Unless(Formula),
    /// It is not known under what.
    Perhaps,
}

impl Procedure {
    /// What is known of a procedure that is one of several: it changes what any of them changes.
    pub fn one_of(several: &[Arc<Procedure>]) -> Option<Procedure> {
        let (first, others) = several.split_first()?;
        let mut made = Procedure {
            name: first.name.clone(),
            dummies: first.dummies.clone(),
            changes: first.changes.clone(),
            changes_anything: first.changes_anything,
            is_one_of_several: true,
            ends: if several.iter().all(|one| matches!(one.ends, Ends::Never)) { Ends::Never } else { Ends::Perhaps },
            ..Procedure::default()
        };
        for other in others {
            if other.dummies.len() != made.dummies.len() {
                return None;
            }
            for (dummy, of_other) in made.dummies.iter_mut().zip(&other.dummies) {
                dummy.add_change(of_other);
            }
            made.changes.extend(other.changes.iter().cloned());
            made.changes_anything |= other.changes_anything;
        }
        Some(made)
    }

    /// Whether it is left open of an argument whether it is changed.
    pub fn leaves_open(&self) -> bool {
        self.dummies.iter().any(|dummy| dummy.passed_to.is_some())
    }
}

impl Dummy {
    /// It may be changed where another one may.
    fn add_change(&mut self, other: &Dummy) {
        let is_certain = |dummy: &Dummy| dummy.is_changed && dummy.passed_to.is_none();
        let is_any_certain = is_certain(self) || is_certain(other);
        self.passed_to = match (self.passed_to.take(), &other.passed_to) {
            _ if is_any_certain => None,
            (Some(mut own), Some(others)) => {
                own.extend(others.iter().cloned());
                Some(own)
            }
            (own, others) => own.or_else(|| others.clone()),
        };
        self.is_changed |= other.is_changed;
    }
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
    /// If it may be changed only by external procedures that need this one in turn: the arguments by which it is passed
    /// to them.
    pub passed_to: Option<Vec<ExternalArgument>>,
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
    /// It is what the procedure needs where it calls itself.
    CallsItself,
}

impl GivenUp {
    /// As it is told.
    pub fn text(self) -> &'static str {
        match self {
            GivenUp::TooLarge => "too large",
            GivenUp::JumpIntoLoop => "control jumps into a loop",
            GivenUp::NothingKnown => "nothing is known of the condition",
            GivenUp::CallsItself => "the procedure calls itself",
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
