//! A reading plan: what a program reads, in order, with what it needs of it. Plain data; the JSON of
//! `camfort-rs inputs --format json` and `--plan`.

use serde::{Deserialize, Serialize};

use super::expression::{Expression, Variable, VariableId};
use super::value::DataType;

/// A reading plan.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The name of the program; empty if it has none.
    pub program: String,
    /// The source files that places count.
    pub sources: Vec<String>,
    /// The files that it reads.
    pub files: Vec<PlanFile>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// What it does, in order.
    pub steps: Vec<Step>,
    /// The procedures that it calls and that are not among the files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_given: Vec<String>,
}

/// A file that a program reads.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanFile {
    /// The unit; `*` is standard input, and empty a unit that NEWUNIT or a search for a free one gives.
    pub unit: String,
    /// The file that OPEN names, if it is a constant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// FILE= of the OPEN as it is written, if it is no constant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// Whether it is connected with STATUS='SCRATCH': what is read, the program wrote.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_scratch: bool,
    /// Whether it is connected with DECIMAL='COMMA'.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decimal_comma: bool,
    /// Whether it is connected with BLANK='ZERO'.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blank_zero: bool,
}

/// A place in a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlanSite {
    /// The index of the file in `sources`.
    pub source: u32,
    /// The line.
    pub line: u32,
}

/// Something that fails.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// Where.
    pub at: PlanSite,
    /// What it says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// A step of a plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// A READ.
    Read(Box<ReadStep>),
    /// A variable gets a value.
    Set(Expression, Expression),
    /// An array gets its bounds.
    Allocate(VariableId, Vec<[Expression; 2]>),
    /// Variables may be changed.
    Forget(Vec<VariableId>),
    /// Rounds.
    Repeat(Repeat),
    /// Steps that may be left to go on behind them.
    Block(Vec<Step>),
    /// When the condition holds, so many repetitions and blocks around are left; 0 leaves all that is read.
    Exit(Expression, usize),
    /// When the condition holds, the next round of the repetition that is so many around begins; blocks count.
    Cycle(Expression, usize),
    /// The first branch whose condition holds.
    Either(Vec<Branch>),
    /// A file is read from its beginning.
    Rewind(usize),
    /// A file goes back by one record.
    Back(usize),
    /// It is not known how far a file is read from here on.
    Move(usize),
    /// The unit of a file is connected, perhaps to another one: if it was read before, it is not known what follows.
    Reopen(usize),
    /// What follows is not known.
    Lost,
}

impl Step {
    /// The steps that are part of it.
    pub fn parts(&self) -> Vec<&[Step]> {
        match self {
            Step::Read(read) => {
                let caught = [&read.end, &read.error].into_iter().flatten();
                caught.filter_map(Caught::steps).chain(std::iter::once(read.then.as_slice())).collect()
            }
            Step::Repeat(repeat) => vec![&repeat.of],
            Step::Block(steps) => vec![steps],
            Step::Either(branches) => branches.iter().map(|branch| branch.of.as_slice()).collect(),
            Step::Set(..)
            | Step::Allocate(..)
            | Step::Forget(_)
            | Step::Exit(..)
            | Step::Cycle(..)
            | Step::Rewind(_)
            | Step::Back(_)
            | Step::Move(_)
            | Step::Reopen(_)
            | Step::Lost => Vec::new(),
        }
    }
}

/// Repetition.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Repeat {
    /// The rounds; absent for one that ends otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// What is done in each.
    pub of: Vec<Step>,
}

/// The rounds of a DO loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Count {
    /// The variable.
    pub variable: VariableId,
    /// Its first value.
    pub lower: Expression,
    /// The last that it may have.
    pub upper: Expression,
    /// What is added to it.
    pub step: i64,
}

/// A branch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Branch {
    /// When it is taken.
    pub when: Expression,
    /// What is done.
    pub of: Vec<Step>,
}

/// A READ.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReadStep {
    /// Where it stands.
    pub at: PlanSite,
    /// The index of its file in `files`.
    pub file: usize,
    /// How it reads.
    pub form: Form,
    /// DECIMAL= of the statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal_comma: Option<bool>,
    /// What it reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<PlanItem>,
    /// What must be true behind it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<PlanNeed>,
    /// What happens at the end of the file, if the program catches it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Caught>,
    /// What happens when a value can't be read, if the program catches it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Caught>,
    /// What is done only when neither happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Step>,
}

/// What a program does about a READ that fails.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Caught {
    /// It fails.
    Fails(Failure),
    /// It goes on.
    Steps(Vec<Step>),
    /// It goes on, or fails: that depends on something that is not known.
    Perhaps(Vec<Step>),
}

impl Caught {
    /// What it does, unless it fails for sure.
    pub fn steps(&self) -> Option<&[Step]> {
        match self {
            Caught::Fails(_) => None,
            Caught::Steps(steps) | Caught::Perhaps(steps) => Some(steps),
        }
    }

    /// The same.
    pub fn steps_mut(&mut self) -> Option<&mut Vec<Step>> {
        match self {
            Caught::Fails(_) => None,
            Caught::Steps(steps) | Caught::Perhaps(steps) => Some(steps),
        }
    }
}

/// How a READ reads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Form {
    /// List-directed.
    List,
    /// By a format.
    Format(String),
    /// A namelist group.
    Namelist(String, Vec<PlanGroupVariable>),
    /// In a way that is not followed, and which: the values that it reads are not known.
    Other(String),
}

/// A variable of a namelist group.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlanGroupVariable {
    /// Its name and components.
    pub name: String,
    /// The variable.
    pub variable: VariableId,
    /// How many of its dimensions belong to each part of the name.
    pub dimensions: Vec<usize>,
}

/// What a READ gives a value to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum PlanItem {
    /// A variable, an element, a section, and its type.
    Value(Expression, DataType),
    /// An implied DO: variable, first, last, step, items.
    Loop(VariableId, Expression, Expression, Expression, Vec<PlanItem>),
    /// Something of which it is not known what it takes, as it is written.
    Unknown(String),
}

/// A condition behind a READ.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlanNeed {
    /// The condition in Fortran.
    pub text: String,
    /// The same as a tree.
    pub condition: Expression,
    /// What fails when it does not hold.
    pub failure: Failure,
    /// Whether what is not known was left out: the program may go on all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_approximate: bool,
}

#[cfg(test)]
mod tests {
    use super::Plan;
    use crate::diagnostics::documented::{assert_made_from, schema_of};

    #[test]
    fn the_schema_is_documented() {
        assert_made_from("inputs.schema.json", &schema_of::<Plan>());
    }
}
