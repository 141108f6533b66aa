//! The syntax tree of one file: statements in a row, and the constructs and program units that they form.
//!
//! Nesting is kept beside the statements, as ranges and parents, not as nested nodes: building, walking and dropping a
//! tree need no recursion whatever the depth of its constructs, and the comment above statement *n* belongs to
//! statement *n*.

use oxc_index::{IndexVec, define_index_type};

use super::declaration::Prefix;
use super::names::NameTable;
use super::statement::{Statement, StatementKind, Subprogram};
use crate::source::{Prescanned, Span};

define_index_type! {
    /// Index of a statement in [`Tree::statements`].
    #[derive(Default)]
    pub struct StatementId = u32;
}
define_index_type! {
    /// Index of a construct in [`Tree::constructs`].
    pub struct ConstructId = u32;
}
define_index_type! {
    /// Index of a program unit in [`Tree::units`].
    pub struct UnitId = u32;
}

/// The syntax tree of a file. Parsing always gives one.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All statements in source order, construct headers and ends included.
    pub statements: IndexVec<StatementId, Statement>,
    /// Constructs in the order of their first statements.
    pub constructs: IndexVec<ConstructId, Construct>,
    /// Program units, interface bodies and subprograms in the order of their first statements.
    pub units: IndexVec<UnitId, Unit>,
    /// For each statement the innermost construct it belongs to; the header statements and the end of a construct
    /// belong to it.
    pub construct_of: IndexVec<StatementId, Option<ConstructId>>,
    /// For each statement the innermost unit it belongs to (its opening and end statement included); `None` only for
    /// stray statements between units that open none.
    pub unit_of: IndexVec<StatementId, Option<UnitId>>,
    /// The interned names.
    pub names: NameTable,
    /// F006: missing, surplus and mismatched ends, each with one sentence.
    pub unbalanced: Vec<(Span, String)>,
    /// The prescanned text that the tree was made of: texts, comments, flags of the statements (same indices).
    pub source: Prescanned,
}

impl Tree {
    /// The statements that are not understood, with the reason, those left out of which a preprocessor makes the text.
    pub fn not_understood(&self) -> impl Iterator<Item = (Span, &str)> {
        self.statements.iter_enumerated().filter_map(|(id, statement)| match &statement.kind {
            StatementKind::Unparsed(reason) if !self.hides(id) => Some((statement.span, reason.as_str())),
            _ => None,
        })
    }

    /// Whether fypp makes some of the text of a statement, so that it is not known what it does.
    pub fn hides(&self, id: StatementId) -> bool {
        self.source.statements.get(id.index()).is_some_and(|logical| logical.hides)
    }

    /// Whether the file has a main program.
    pub fn has_main_program(&self) -> bool {
        self.units.iter().any(|unit| unit.kind == UnitKind::MainProgram)
    }

    /// The units that can be executed: main programs and subprograms, no patterns of code.
    pub fn executable_units(&self) -> Vec<UnitId> {
        let is_executable = |unit: &UnitId| {
            let kind = self.units[*unit].kind;
            matches!(kind, UnitKind::MainProgram | UnitKind::Subroutine | UnitKind::Function) && !self.is_generic(*unit)
        };
        self.units.indices().filter(is_executable).collect()
    }

    /// Whether a unit is, or lies in, a template, a requirement or a generic subprogram: a pattern of code, of which
    /// instances are made.
    pub fn is_generic(&self, unit: UnitId) -> bool {
        let is_pattern = |unit: &UnitId| {
            let unit = &self.units[*unit];
            let opening = unit.opening.map(|opening| &self.statements[opening].kind);
            let is_generic = |subprogram: &Subprogram| subprogram.prefixes.contains(&Prefix::Generic);
            match opening {
                Some(StatementKind::Subroutine(subprogram) | StatementKind::Function(subprogram)) => {
                    is_generic(subprogram)
                }
                _ => unit.kind == UnitKind::Template,
            }
        };
        std::iter::successors(Some(unit), |&unit| self.units[unit].parent).any(|unit| is_pattern(&unit))
    }
}

/// A construct: an opening statement, perhaps further headers, perhaps an end.
#[derive(Clone, Debug)]
pub struct Construct {
    /// Which construct.
    pub kind: ConstructKind,
    /// Opening statement and the further headers (`else if`, `case`, `elsewhere`, `contains` of a type), in order.
    pub headers: Vec<StatementId>,
    /// Its END statement; for a labelled DO the terminal statement when it is an `end do` of its own. `None` when a
    /// labelled DO ends on a terminal statement, or the end is missing.
    pub end: Option<StatementId>,
    /// The last statement that belongs to it (its end, the shared terminal statement, or the last before a missing
    /// end).
    pub last: StatementId,
    /// The enclosing construct within the same unit.
    pub parent: Option<ConstructId>,
    /// The unit it stands in.
    pub unit: UnitId,
}

/// The kinds of constructs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is named after its construct")]
pub enum ConstructKind {
    Associate,
    Block,
    ChangeTeam,
    Critical,
    DerivedType,
    Do,
    Enum,
    Forall,
    If,
    Interface,
    Map,
    SelectCase,
    SelectRank,
    SelectType,
    Structure,
    Union,
    Where,
}

/// A program unit, subprogram or interface body.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Which unit.
    pub kind: UnitKind,
    /// Its opening statement; `None` for a main program without PROGRAM.
    pub opening: Option<StatementId>,
    /// Its first statement (the opening one, if any).
    pub first: StatementId,
    /// Its last statement: its END, or the last before a missing one.
    pub last: StatementId,
    /// Its CONTAINS statement.
    pub contains: Option<StatementId>,
    /// The unit that contains it (host), for an interface body the unit of the interface block.
    pub parent: Option<UnitId>,
}

/// The kinds of program units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is named after its unit")]
pub enum UnitKind {
    MainProgram,
    Module,
    Submodule,
    BlockData,
    /// F202Y: TEMPLATE or REQUIREMENT.
    Template,
    Subroutine,
    Function,
    /// A separate module procedure, R1539.
    ModuleProcedure,
    /// A subroutine or function inside an interface block.
    InterfaceBody,
}
