//! What each statement means for the nesting: it opens, continues or ends something, or none of that.
//!
//! Entry point: [`block_role`]. A statement that was not understood is judged by its first words, so that the nesting
//! around it stays right.

use crate::syntax::ast::statement::{EndOf, StatementKind};
use crate::syntax::ast::tree::{ConstructKind, StatementId, Tree, UnitKind};
use crate::syntax::parse::end::end_ahead;
use crate::syntax::parse::lexical::{Context, Input, ParsedStatements, keyword, word_length};

/// The role of a statement in the block structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockRole {
    /// None; outside all units it begins a main program.
    Plain,
    /// None, and it begins no main program: not understood, or a macro that may stand anywhere.
    Stray,
    /// Not understood; perhaps it opens what this END ends.
    Suspect(EndOf),
    /// Opens a construct.
    Opens(ConstructKind),
    /// A further header of a construct of this kind, and its keywords.
    Continues(ConstructKind, &'static str),
    /// CONTAINS, of a type or a unit.
    Contains,
    /// An END statement.
    Ends(Option<EndOf>),
    /// SUBROUTINE or FUNCTION.
    Procedure(UnitKind),
    /// `module procedure name` or `procedure names`: names in an interface block, or else a separate module procedure.
    ProcedureNames {
        /// Whether MODULE stands in front.
        module: bool,
    },
    /// PROGRAM, MODULE, SUBMODULE, BLOCK DATA.
    Unit(UnitKind),
    /// TEMPLATE or REQUIREMENT.
    Template,
}

/// The role of a statement.
pub fn block_role(tree: &Tree, id: StatementId) -> BlockRole {
    match &tree.statements[id].kind {
        StatementKind::Program(_) => BlockRole::Unit(UnitKind::MainProgram),
        StatementKind::Module(_) => BlockRole::Unit(UnitKind::Module),
        StatementKind::Submodule { .. } => BlockRole::Unit(UnitKind::Submodule),
        StatementKind::BlockData(_) => BlockRole::Unit(UnitKind::BlockData),
        StatementKind::Template { .. } => BlockRole::Template,
        StatementKind::Subroutine(_) => BlockRole::Procedure(UnitKind::Subroutine),
        StatementKind::Function(_) => BlockRole::Procedure(UnitKind::Function),
        StatementKind::ModuleProcedure { module, .. } => BlockRole::ProcedureNames { module: *module },
        StatementKind::TypeBoundProcedure { interface: None, attributes, bindings }
            if attributes.is_empty() && bindings.iter().all(|binding| binding.target.is_none()) =>
        {
            BlockRole::ProcedureNames { module: false }
        }
        StatementKind::Contains => BlockRole::Contains,
        StatementKind::End { of, .. } => BlockRole::Ends(*of),
        StatementKind::Interface { .. } => BlockRole::Opens(ConstructKind::Interface),
        StatementKind::DerivedType { .. } => BlockRole::Opens(ConstructKind::DerivedType),
        StatementKind::Enum { .. } | StatementKind::EnumerationType { .. } => BlockRole::Opens(ConstructKind::Enum),
        StatementKind::Structure { .. } => BlockRole::Opens(ConstructKind::Structure),
        StatementKind::Union => BlockRole::Opens(ConstructKind::Union),
        StatementKind::Map => BlockRole::Opens(ConstructKind::Map),
        StatementKind::IfThen(_) => BlockRole::Opens(ConstructKind::If),
        StatementKind::ElseIf(..) => BlockRole::Continues(ConstructKind::If, "ELSE IF"),
        StatementKind::Else(_) => BlockRole::Continues(ConstructKind::If, "ELSE"),
        StatementKind::Do { .. } => BlockRole::Opens(ConstructKind::Do),
        StatementKind::SelectCase(_) => BlockRole::Opens(ConstructKind::SelectCase),
        StatementKind::Case { .. } => BlockRole::Continues(ConstructKind::SelectCase, "CASE"),
        StatementKind::SelectType(_) => BlockRole::Opens(ConstructKind::SelectType),
        StatementKind::TypeGuard(..) => BlockRole::Continues(ConstructKind::SelectType, "Type guard"),
        StatementKind::SelectRank(_) => BlockRole::Opens(ConstructKind::SelectRank),
        StatementKind::RankCase(..) => BlockRole::Continues(ConstructKind::SelectRank, "RANK"),
        StatementKind::WhereConstruct(_) => BlockRole::Opens(ConstructKind::Where),
        StatementKind::ElseWhere(..) => BlockRole::Continues(ConstructKind::Where, "ELSEWHERE"),
        StatementKind::ForallConstruct(_) => BlockRole::Opens(ConstructKind::Forall),
        StatementKind::Associate(_) => BlockRole::Opens(ConstructKind::Associate),
        StatementKind::Block => BlockRole::Opens(ConstructKind::Block),
        StatementKind::Critical(_) => BlockRole::Opens(ConstructKind::Critical),
        StatementKind::ChangeTeam { .. } => BlockRole::Opens(ConstructKind::ChangeTeam),
        StatementKind::MacroStatement(_) => BlockRole::Stray,
        StatementKind::Unparsed(_) => guess(tree, id),
        StatementKind::Entry { .. }
        | StatementKind::Use { .. }
        | StatementKind::Import { .. }
        | StatementKind::Implicit(_)
        | StatementKind::TypeDeclaration(_)
        | StatementKind::Records(_)
        | StatementKind::ProcedureDeclaration { .. }
        | StatementKind::AttributeStatement { .. }
        | StatementKind::Parameter(_)
        | StatementKind::Data(_)
        | StatementKind::Common(_)
        | StatementKind::Equivalence(_)
        | StatementKind::Namelist(_)
        | StatementKind::Require(_)
        | StatementKind::Instantiate(_)
        | StatementKind::Deferred(_)
        | StatementKind::Sequence
        | StatementKind::TypeBoundProcedure { .. }
        | StatementKind::Generic { .. }
        | StatementKind::Final(_)
        | StatementKind::Enumerator(_)
        | StatementKind::CrayPointer(_)
        | StatementKind::Format(_)
        | StatementKind::Assignment { .. }
        | StatementKind::PointerAssignment { .. }
        | StatementKind::Call { .. }
        | StatementKind::Allocate { .. }
        | StatementKind::Deallocate { .. }
        | StatementKind::Nullify(_)
        | StatementKind::GoTo(_)
        | StatementKind::ComputedGoTo(..)
        | StatementKind::AssignedGoTo(..)
        | StatementKind::Assign(..)
        | StatementKind::ArithmeticIf(..)
        | StatementKind::Continue
        | StatementKind::Cycle(_)
        | StatementKind::Exit(_)
        | StatementKind::Return(_)
        | StatementKind::Stop { .. }
        | StatementKind::Pause(_)
        | StatementKind::InputOutput(_)
        | StatementKind::ImageControl { .. }
        | StatementKind::If { .. }
        | StatementKind::Where { .. }
        | StatementKind::Forall { .. } => BlockRole::Plain,
    }
}

/// The constructs that an END of this kind ends; none when it ends a unit.
pub fn construct_kinds(of: EndOf) -> &'static [ConstructKind] {
    match of {
        EndOf::Program
        | EndOf::Module
        | EndOf::Submodule
        | EndOf::BlockData
        | EndOf::Template
        | EndOf::Requirement
        | EndOf::Subroutine
        | EndOf::Function
        | EndOf::Procedure => &[],
        EndOf::Interface => &[ConstructKind::Interface],
        EndOf::Type => &[ConstructKind::DerivedType],
        EndOf::Enum | EndOf::EnumerationType => &[ConstructKind::Enum],
        EndOf::Structure => &[ConstructKind::Structure],
        EndOf::Union => &[ConstructKind::Union],
        EndOf::Map => &[ConstructKind::Map],
        EndOf::If => &[ConstructKind::If],
        EndOf::Do => &[ConstructKind::Do],
        EndOf::Select => &[ConstructKind::SelectCase, ConstructKind::SelectType, ConstructKind::SelectRank],
        EndOf::Where => &[ConstructKind::Where],
        EndOf::Forall => &[ConstructKind::Forall],
        EndOf::Associate => &[ConstructKind::Associate],
        EndOf::Block => &[ConstructKind::Block],
        EndOf::Critical => &[ConstructKind::Critical],
        EndOf::Team => &[ConstructKind::ChangeTeam],
    }
}

/// The END that a construct wants.
pub fn end_of(kind: ConstructKind) -> EndOf {
    match kind {
        ConstructKind::Associate => EndOf::Associate,
        ConstructKind::Block => EndOf::Block,
        ConstructKind::ChangeTeam => EndOf::Team,
        ConstructKind::Critical => EndOf::Critical,
        ConstructKind::DerivedType => EndOf::Type,
        ConstructKind::Do => EndOf::Do,
        ConstructKind::Enum => EndOf::Enum,
        ConstructKind::Forall => EndOf::Forall,
        ConstructKind::If => EndOf::If,
        ConstructKind::Interface => EndOf::Interface,
        ConstructKind::Map => EndOf::Map,
        ConstructKind::SelectCase | ConstructKind::SelectRank | ConstructKind::SelectType => EndOf::Select,
        ConstructKind::Structure => EndOf::Structure,
        ConstructKind::Union => EndOf::Union,
        ConstructKind::Where => EndOf::Where,
    }
}

/// The role of a statement that was not understood.
fn guess(tree: &Tree, id: StatementId) -> BlockRole {
    let Some(logical) = tree.source.statements.get(id.index()) else { return BlockRole::Stray };
    let cx = Context::new(&tree.source, ParsedStatements::All);
    cx.begin_statement(logical.end);
    let text = behind_construct_name(tree.source.text(logical));
    if let Some((_, of)) = end_ahead(&cx, text) {
        return BlockRole::Ends(of);
    }
    let begins = |words| keyword(&cx, words, text).is_ok();
    match text.first() {
        Some(b'i') if begins("if") && text.ends_with(b"then") => BlockRole::Opens(ConstructKind::If),
        Some(b'd') if begins("do") => guess_loop(&text[2..]),
        Some(b's') if begins("select case") => BlockRole::Opens(ConstructKind::SelectCase),
        Some(b's') if begins("select type") => BlockRole::Opens(ConstructKind::SelectType),
        Some(b's') if begins("select rank") => BlockRole::Opens(ConstructKind::SelectRank),
        Some(b's') if begins("submodule") => BlockRole::Unit(UnitKind::Submodule),
        Some(b'a') if text.starts_with(b"associate(") => BlockRole::Opens(ConstructKind::Associate),
        Some(b'a' | b'i') if begins("interface") || begins("abstract interface") => {
            BlockRole::Opens(ConstructKind::Interface)
        }
        Some(b't') if text.starts_with(b"type,") || text.starts_with(b"type::") => {
            BlockRole::Opens(ConstructKind::DerivedType)
        }
        Some(b'p') if begins("program") => BlockRole::Unit(UnitKind::MainProgram),
        Some(b's') if begins("subroutine") => BlockRole::Procedure(UnitKind::Subroutine),
        Some(b'f') if begins("function") => BlockRole::Procedure(UnitKind::Function),
        Some(b'i') if begins("if") => BlockRole::Suspect(EndOf::If),
        Some(b'w') if begins("where") => BlockRole::Suspect(EndOf::Where),
        Some(b'f') if begins("forall") => BlockRole::Suspect(EndOf::Forall),
        Some(b'c') if begins("change team") => BlockRole::Opens(ConstructKind::ChangeTeam),
        Some(b's') if begins("structure") => BlockRole::Opens(ConstructKind::Structure),
        _ if has_word(text, b"function ") => BlockRole::Procedure(UnitKind::Function),
        _ if has_word(text, b"subroutine ") => BlockRole::Procedure(UnitKind::Subroutine),
        _ => BlockRole::Stray,
    }
}

/// Whether a word that begins a header stands in the text behind prefixes and types, in free form.
fn has_word(text: Input<'_>, word: &[u8]) -> bool {
    memchr::memmem::find(text, word).is_some_and(|at| {
        let prefix = &text[..at];
        matches!(prefix.last(), Some(b' ' | b')')) && !prefix.iter().any(|byte| matches!(byte, b'\'' | b'"' | b':'))
    })
}

/// A DO statement that was not understood, less its keyword. A labelled loop ends at a label that is not known then.
fn guess_loop(rest: Input<'_>) -> BlockRole {
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let labelled = rest.first().is_some_and(u8::is_ascii_digit);
    let controlled = rest.contains(&b'=') || rest.starts_with(b"while") || rest.starts_with(b"concurrent");
    match (labelled, controlled) {
        (false, true) => BlockRole::Opens(ConstructKind::Do),
        _ => BlockRole::Suspect(EndOf::Do),
    }
}

/// The text behind `name:`, if it begins so.
fn behind_construct_name(text: Input<'_>) -> Input<'_> {
    let length = word_length(text);
    match &text[length..] {
        [b':', next, ..] if length > 0 && *next != b':' => &text[length + 1..],
        _ => text,
    }
}
