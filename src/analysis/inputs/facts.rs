//! Data files that are held against a plan, and what is wrong with them.

use std::path::PathBuf;
use std::sync::Arc;

use super::data::Place;
use super::plan::{Caught, Failure, PlanSite, Step};
use super::value::DataType;

/// A data file to be held against a plan.
#[derive(Clone, Debug)]
pub struct DataPath {
    /// The index of the file of the plan.
    pub file: usize,
    /// The path.
    pub path: PathBuf,
    /// The text, where it is not that of the file.
    pub text: Option<Arc<str>>,
}

/// What is wrong with a data file.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// The index of the data file.
    pub data: usize,
    /// Where.
    pub place: Place,
    /// What stands there.
    pub found: String,
    /// What it is.
    pub kind: FactKind,
    /// The READ.
    pub read: PlanSite,
    /// What fails.
    pub failure: Option<Failure>,
    /// What the program does about it.
    pub catches: Catches,
    /// Whether it depends on something that is not known.
    pub is_approximate: bool,
}

/// What a program does about a READ that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Catches {
    /// It fails.
    Not,
    /// It goes on.
    GoesOn,
    /// It ends without a failure.
    Ends,
    /// It may fail, or go on.
    Perhaps,
}

impl Catches {
    /// By what follows.
    pub(super) fn new(caught: Option<&Caught>) -> Self {
        match caught {
            Some(Caught::Perhaps(_)) => Catches::Perhaps,
            Some(Caught::Steps(steps)) => match steps.last() {
                Some(Step::Exit(when, 0)) if when.is_logical(true) => Catches::Ends,
                _ => Catches::GoesOn,
            },
            Some(Caught::Fails(_)) | None => Catches::Not,
        }
    }
}

/// What may be wrong with data.
#[derive(Clone, PartialEq, Debug)]
pub enum FactKind {
    /// I001: no value of the type of a variable.
    NotAValue(String, Option<DataType>),
    /// I002: a condition on a variable does not hold.
    Breaks(String),
    /// I003: a variable, or a namelist group, is still to come.
    EndsEarly(String),
    /// I004.
    LeftOver,
    /// I005: the group, and the nearest name.
    UnknownName(String, Option<String>),
    /// I006: the variable, and whether there are too many values for it.
    Subscript(String, bool),
    /// I007: the variable, its type, and whether it is an error.
    Overflows(String, Option<DataType>, bool),
}
