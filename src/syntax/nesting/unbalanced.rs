//! How F006 names what is unbalanced: keywords in UPPER CASE, names in 'quotes'.

use crate::syntax::ast::names::Name;
use crate::syntax::ast::statement::{EndOf, StatementKind};
use crate::syntax::ast::tree::{ConstructId, ConstructKind, Tree, UnitId, UnitKind};

/// The keywords of an END statement.
pub fn end_text(of: EndOf) -> &'static str {
    match of {
        EndOf::Program => "END PROGRAM",
        EndOf::Module => "END MODULE",
        EndOf::Submodule => "END SUBMODULE",
        EndOf::BlockData => "END BLOCK DATA",
        EndOf::Template => "END TEMPLATE",
        EndOf::Requirement => "END REQUIREMENT",
        EndOf::Subroutine => "END SUBROUTINE",
        EndOf::Function => "END FUNCTION",
        EndOf::Procedure => "END PROCEDURE",
        EndOf::Interface => "END INTERFACE",
        EndOf::Type => "END TYPE",
        EndOf::Enum => "END ENUM",
        EndOf::EnumerationType => "END ENUMERATION TYPE",
        EndOf::Structure => "END STRUCTURE",
        EndOf::Union => "END UNION",
        EndOf::Map => "END MAP",
        EndOf::If => "END IF",
        EndOf::Do => "END DO",
        EndOf::Select => "END SELECT",
        EndOf::Where => "END WHERE",
        EndOf::Forall => "END FORALL",
        EndOf::Associate => "END ASSOCIATE",
        EndOf::Block => "END BLOCK",
        EndOf::Critical => "END CRITICAL",
        EndOf::Team => "END TEAM",
    }
}

/// A construct with its name, if it has one.
pub fn construct_text(tree: &Tree, id: ConstructId) -> String {
    let construct = &tree.constructs[id];
    let keywords = match construct.kind {
        ConstructKind::Associate => "ASSOCIATE",
        ConstructKind::Block => "BLOCK",
        ConstructKind::ChangeTeam => "CHANGE TEAM",
        ConstructKind::Critical => "CRITICAL",
        ConstructKind::DerivedType => "TYPE",
        ConstructKind::Do => "DO",
        ConstructKind::Enum => "ENUM",
        ConstructKind::Forall => "FORALL",
        ConstructKind::If => "IF",
        ConstructKind::Interface => "INTERFACE",
        ConstructKind::Map => "MAP",
        ConstructKind::SelectCase => "SELECT CASE",
        ConstructKind::SelectRank => "SELECT RANK",
        ConstructKind::SelectType => "SELECT TYPE",
        ConstructKind::Structure => "STRUCTURE",
        ConstructKind::Union => "UNION",
        ConstructKind::Where => "WHERE",
    };
    with_name(tree, keywords, construct_name(tree, id))
}

/// The name of a construct or of the type that it defines.
pub fn construct_name(tree: &Tree, id: ConstructId) -> Option<Name> {
    let opening = *tree.constructs[id].headers.first()?;
    let statement = &tree.statements[opening];
    let identifier = if let StatementKind::DerivedType { name, .. } | StatementKind::EnumerationType { name, .. } =
        &statement.kind
    {
        Some(*name)
    } else if let StatementKind::Enum { name, .. } | StatementKind::Structure { name, .. } = &statement.kind {
        *name
    } else {
        statement.construct_name
    };
    identifier.map(|identifier| identifier.name)
}

/// A unit with its name, if it has one.
pub fn unit_text(tree: &Tree, id: UnitId) -> String {
    let unit = &tree.units[id];
    let opening = unit.opening.map(|opening| &tree.statements[opening].kind);
    let keywords = match unit.kind {
        UnitKind::MainProgram if opening.is_none() => "the main program",
        UnitKind::MainProgram => "PROGRAM",
        UnitKind::Module => "MODULE",
        UnitKind::Submodule => "SUBMODULE",
        UnitKind::BlockData => "BLOCK DATA",
        UnitKind::Template if matches!(opening, Some(StatementKind::Template { requirement: true, .. })) => {
            "REQUIREMENT"
        }
        UnitKind::Template => "TEMPLATE",
        UnitKind::Subroutine => "SUBROUTINE",
        UnitKind::Function => "FUNCTION",
        UnitKind::ModuleProcedure => "MODULE PROCEDURE",
        UnitKind::InterfaceBody if matches!(opening, Some(StatementKind::Function(_))) => "FUNCTION",
        UnitKind::InterfaceBody => "SUBROUTINE",
    };
    with_name(tree, keywords, unit_name(tree, id))
}

/// The name in the opening statement of a unit.
pub fn unit_name(tree: &Tree, id: UnitId) -> Option<Name> {
    let opening = tree.units[id].opening?;
    let kind = &tree.statements[opening].kind;
    let identifier = if let StatementKind::Program(name)
    | StatementKind::Module(name)
    | StatementKind::Submodule { name, .. }
    | StatementKind::Template { name, .. }
    | StatementKind::BlockData(Some(name)) = kind
    {
        Some(name)
    } else if let StatementKind::Subroutine(subprogram) | StatementKind::Function(subprogram) = kind {
        Some(&subprogram.name)
    } else if let StatementKind::ModuleProcedure { names, .. } = kind {
        names.first()
    } else {
        None
    };
    identifier.map(|identifier| identifier.name)
}

fn with_name(tree: &Tree, keywords: &str, name: Option<Name>) -> String {
    match name {
        Some(name) => format!("{keywords} '{}'", tree.names.text(name)),
        None => keywords.to_owned(),
    }
}
