//! Logical statements to syntax tree: the AST, one nom parser per statement, the block builder.
//!
//! Cooked text (see [`crate::source::prescanned`]) is parsed statement by statement: a statement is classified (assignment or
//! keyword statement), one parser is run, and what it does not understand becomes
//! [`StatementKind::Unparsed`].

pub mod build;
#[cfg(test)]
mod build_tests;
mod build_units;
mod classify;
pub mod declaration;
pub mod dump;
mod dump_declaration;
pub mod dump_tree;
pub mod expression;
pub mod lexical;
mod lookahead;
pub mod names;
mod parse_allocation;
mod parse_assignment;
mod parse_bracketed;
mod parse_control;
mod parse_declaration;
#[cfg(test)]
mod parse_declaration_tests;
mod parse_derived_type;
mod parse_end;
mod parse_entity;
mod parse_expression;
mod parse_format;
mod parse_image;
mod parse_io;
mod parse_literal;
mod parse_loop;
mod parse_reference;
mod parse_select;
mod parse_specification;
pub mod parse_statement;
mod parse_type;
mod parse_unit;
mod roles;
pub mod statement;
#[cfg(test)]
mod testing;
pub mod tree;
mod unbalanced;
pub mod unparse;
pub mod visit;

pub(crate) use classify::calls_or_transfers;
pub use declaration::*;
pub use expression::*;
pub use names::{Identifier, Name, NameTable};
pub use statement::*;
pub use tree::*;
