//! Logical statements to syntax tree: the AST, one nom parser per statement, the block builder.
//!
//! Cooked text (see [`crate::source::prescanned`]) is parsed statement by statement: a statement is classified (assignment or
//! keyword statement), one parser is run, and what it does not understand becomes
//! [`StatementKind::Unparsed`](statement::StatementKind::Unparsed).

pub mod declaration;
pub mod expression;
pub mod lexical;
pub mod names;
pub mod statement;
pub mod tree;

pub use declaration::*;
pub use expression::*;
pub use names::{Identifier, Name, NameTable};
pub use statement::*;
pub use tree::*;
