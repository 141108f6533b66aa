//! Logical statements to syntax tree: the AST, one nom parser per statement, the block builder.
//!
//! Cooked text (see [`crate::source::prescanned`]) is parsed statement by statement: a statement is classified (assignment or
//! keyword statement), one parser is run, and what it does not understand becomes
//! [`StatementKind::Unparsed`].

pub mod build;
#[cfg(test)]
mod build_tests;
mod build_units;
pub mod classify;
pub mod declaration;
pub mod dump;
pub mod dump_declaration;
pub mod dump_tree;
pub mod expression;
pub mod lexical;
mod lookahead;
pub mod names;
pub mod parse_allocation;
pub mod parse_assignment;
pub mod parse_bracketed;
pub mod parse_control;
pub mod parse_declaration;
#[cfg(test)]
mod parse_declaration_tests;
pub mod parse_derived_type;
pub mod parse_end;
pub mod parse_entity;
pub mod parse_expression;
pub mod parse_format;
pub mod parse_image;
pub mod parse_io;
pub mod parse_literal;
pub mod parse_loop;
pub mod parse_reference;
pub mod parse_select;
pub mod parse_specification;
pub mod parse_statement;
pub mod parse_type;
pub mod parse_unit;
mod roles;
pub mod statement;
#[cfg(test)]
mod testing;
pub mod tree;
mod unbalanced;
pub mod visit;

pub use declaration::*;
pub use expression::*;
pub use names::{Identifier, Name, NameTable};
pub use statement::*;
pub use tree::*;
