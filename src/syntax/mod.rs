//! Logical statements to syntax tree: the AST, one nom parser per statement, the block builder.
//!
//! Cooked text (see [`crate::source::prescanned`]) is parsed statement by statement: a statement is classified
//! (assignment or keyword statement), one parser is run, and what it does not understand becomes
//! [`StatementKind::Unparsed`].

pub mod ast;
pub mod nesting;
pub mod parse;
pub mod print;
#[cfg(test)]
pub(crate) mod testing;
pub mod visit;

pub use ast::*;
pub(crate) use parse::classify::calls_or_transfers;
