//! What reading data needs of a procedure: a graph of assignments, branches, loops, READs and failures over variables,
//! plain data without spans into trees. Everything else only forgets the variables that it may change.

use std::sync::Arc;

use super::expression::{Expression, Variable, VariableId};
use super::value::DataType;

/// A line of a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Site {
    /// The file, by its index among those of the procedure, or of the program.
    pub file: u32,
    /// The line.
    pub line: u32,
}

/// A node of the graph of a procedure, by its index.
pub type NodeId = usize;

/// Who knows a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    /// A unit, by the lines in which it begins and its file.
    Unit(String),
    /// A module, by name.
    Module(String),
    /// A COMMON block, by name; the path begins with the place in it.
    Common(String),
    /// The procedure's caller: the dummy argument at this position.
    Dummy(usize),
}

/// A variable of a procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct CodeVariable {
    /// What it is.
    pub variable: Variable,
    /// Who knows it.
    pub owner: Owner,
    /// Its name there: that of a dummy argument is left out, only the components follow.
    pub path: String,
    /// Whether a call of an unknown procedure may change it: it is no local variable.
    pub is_shared: bool,
    /// The value that it has when the program begins, if that is known.
    pub initial: Option<Expression>,
}

/// The procedures and main programs of a file.
#[derive(Clone, Debug, Default)]
pub struct FileCode {
    /// The file.
    pub path: String,
    /// They, in source order.
    pub procedures: Vec<Procedure>,
    /// The procedures of modules of this file that submodules define, by module and name.
    pub separate: Vec<(String, String)>,
}

/// A procedure, or a main program.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name in lower case; that of a main program may be empty.
    pub name: String,
    /// The module that it belongs to.
    pub module: Option<String>,
    /// The unit's own key: line and name.
    pub key: String,
    /// Whether it is a main program.
    pub is_main: bool,
    /// Whether it is an external procedure, which other files may call by its name alone.
    pub is_external: bool,
    /// The file.
    pub path: String,
    /// The file and those that it includes, as often as it does.
    pub paths: Arc<[String]>,
    /// Its variables.
    pub variables: Vec<CodeVariable>,
    /// Its COMMON blocks: the name of each, and how it is laid out.
    pub blocks: Vec<(String, String)>,
    /// How many dummy arguments it has.
    pub dummies: usize,
    /// The names of its ENTRY statements.
    pub entries: Vec<String>,
    /// The graph.
    pub nodes: Vec<Node>,
    /// Where it begins.
    pub entry: NodeId,
}

/// A statement, and what follows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Where it stands.
    pub site: Site,
    /// What it does.
    pub kind: NodeKind,
}

/// What a node does.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind {
    /// Nothing.
    Pass(NodeId),
    /// Gives a value to a variable, an element, a section or a whole array.
    Assign(Expression, Expression, NodeId),
    /// Gives an array its bounds.
    Allocate(VariableId, Vec<[Expression; 2]>, NodeId),
    /// May change variables.
    Forget(Vec<VariableId>, NodeId),
    /// Goes one way or the other.
    Branch(Expression, NodeId, NodeId),
    /// Begins a DO loop.
    Do(DoLoop),
    /// Ends a round of the loop that begins there.
    Again(NodeId),
    /// Reads.
    Read(Box<Read>),
    /// Connects a unit to a file.
    Open(Box<Open>),
    /// Goes back in a file, or leaves it: what is known of how far it was read is lost, or it begins anew.
    Position(Expression, Positioning, NodeId),
    /// Calls a procedure.
    Call(Box<Call>),
    /// Ends the program with a failure, and what it says.
    Fail(String),
    /// Ends the program.
    Stop,
    /// Ends the procedure.
    Return,
    /// Something that is not followed: nothing is known of what comes.
    Lost,
}

/// A DO loop with a variable.
#[derive(Clone, PartialEq, Debug)]
pub struct DoLoop {
    /// The variable.
    pub variable: VariableId,
    /// Its first value.
    pub lower: Expression,
    /// The last that it may have.
    pub upper: Expression,
    /// What is added to it; `None` if that is no constant.
    pub step: Option<i64>,
    /// Where a round begins.
    pub body: NodeId,
    /// What follows the loop.
    pub after: NodeId,
}

/// What REWIND, BACKSPACE and CLOSE do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Positioning {
    /// The file begins anew.
    Rewind,
    /// It goes back by one record.
    Back,
    /// It is not known where it is.
    Elsewhere,
    /// The unit is not connected any more.
    Close,
}

/// A READ statement from a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Read {
    /// The unit: an integer, or `None` for standard input.
    pub unit: Option<Expression>,
    /// How it reads.
    pub form: ReadForm,
    /// What it reads.
    pub items: Vec<Item>,
    /// Whether `,` is the decimal sign, if the statement says so.
    pub decimal_comma: Option<bool>,
    /// What follows.
    pub next: NodeId,
    /// What follows at the end of the file, if the program catches that.
    pub end: Option<NodeId>,
    /// What follows a value that can't be read, if the program catches that.
    pub error: Option<NodeId>,
}

/// How a READ reads.
#[derive(Clone, PartialEq, Debug)]
pub enum ReadForm {
    /// List-directed.
    List,
    /// By a format, its text with brackets.
    Formatted(String),
    /// A namelist group and its variables.
    Namelist(String, Vec<GroupVariable>),
    /// Not followed, and why: without a format, from a direct-access file, without advancing.
    Other(&'static str),
}

/// A variable of a namelist group.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupVariable {
    /// Its name and components.
    pub name: String,
    /// The variable.
    pub variable: VariableId,
    /// How many of its first dimensions belong to each part of the name: for `s(2)%v(3)` 1 and 1.
    pub dimensions: Vec<usize>,
}

/// What a READ gives a value to.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A variable, an element, a section.
    Reference(Expression, DataType),
    /// An implied DO.
    Loop {
        /// The variable.
        variable: VariableId,
        /// Its first value.
        lower: Expression,
        /// The last that it may have.
        upper: Expression,
        /// What is added to it.
        step: Expression,
        /// The items of a round.
        items: Vec<Item>,
    },
    /// Something of which it is not known what it takes from the file, as it is written.
    Unknown(String),
}

impl Item {
    /// Whether it is not known what it takes from the file.
    pub fn has_unknown(&self) -> bool {
        match self {
            Item::Reference(..) => false,
            Item::Loop { items, .. } => items.iter().any(Item::has_unknown),
            Item::Unknown(_) => true,
        }
    }
}

/// An OPEN statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Open {
    /// The unit.
    pub unit: Option<Expression>,
    /// The variable that NEWUNIT gives a unit to.
    pub new_unit: Option<VariableId>,
    /// The file, if one is named.
    pub file: Option<Expression>,
    /// How that is written.
    pub file_text: Option<String>,
    /// STATUS='SCRATCH'.
    pub is_scratch: bool,
    /// DECIMAL='COMMA'.
    pub decimal_comma: bool,
    /// BLANK='ZERO'.
    pub blank_zero: bool,
    /// Whether it is a text that is read from its beginning.
    pub is_text: bool,
    /// What follows.
    pub next: NodeId,
}

/// How a statement has to do with a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// A CALL that may be followed.
    Call,
    /// A reference that is not followed: to a function, an ENTRY, a procedure that is bound to a type or has a generic
    /// name.
    Reference,
    /// A CALL by a generic name that may mean it: what it does to its arguments is known.
    Generic,
    /// It is only named, so that others can call it.
    Passed,
    /// What is called is a dummy procedure or a pointer: one of those that are named somewhere.
    Indirect,
}

/// A call of a procedure, or another reference to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The file of the procedure; empty for an external one whose file is not known yet.
    pub file: String,
    /// Its module.
    pub module: Option<String>,
    /// Its name; for one of this file its key; empty where it is not known what is called.
    pub name: String,
    /// Its name as the call writes it, unless that is an intrinsic procedure's.
    pub written: String,
    /// What is passed, by position.
    pub arguments: Vec<Argument>,
    /// Whether it is, by position, and all others.
    pub presence: (Vec<Presence>, Presence),
    /// What it may change if it is not followed.
    pub changes: Vec<VariableId>,
    /// Those of them of which it is given a part, or that are not given as an argument by themselves.
    pub parts: Vec<VariableId>,
    /// The text that it is given, if one is.
    pub message: String,
    /// Whether it is followed.
    pub kind: CallKind,
    /// What follows.
    pub next: NodeId,
}

/// Whether an argument is present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It is given.
    Given,
    /// It is left out.
    Absent,
    /// It is as present as the dummy argument at this position of the procedure that calls.
    As(usize),
    /// That is not known.
    Unknown,
}

/// An actual argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A variable, with all its components: the owner and the path of its name.
    Variable(Owner, String),
    /// A value, or an element that may be changed.
    Value(Expression),
    /// Nothing, or something not represented.
    None,
}

/// The nodes that may follow a node.
pub fn successors(kind: &NodeKind) -> Vec<NodeId> {
    match kind {
        NodeKind::Pass(next)
        | NodeKind::Assign(_, _, next)
        | NodeKind::Allocate(_, _, next)
        | NodeKind::Forget(_, next)
        | NodeKind::Position(_, _, next)
        | NodeKind::Again(next) => vec![*next],
        NodeKind::Branch(_, then, otherwise) => vec![*then, *otherwise],
        NodeKind::Do(of) => vec![of.body, of.after],
        NodeKind::Read(read) => [Some(read.next), read.end, read.error].into_iter().flatten().collect(),
        NodeKind::Open(open) => vec![open.next],
        NodeKind::Call(call) => vec![call.next],
        NodeKind::Fail(_) | NodeKind::Stop | NodeKind::Return | NodeKind::Lost => Vec::new(),
    }
}
