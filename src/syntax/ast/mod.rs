//! The abstract syntax: statements, what they declare, expressions, names, and the tree that statements form.

pub mod declaration;
pub mod expression;
pub mod input_output;
pub mod names;
pub mod statement;
pub mod tree;

pub use declaration::*;
pub use expression::*;
pub use input_output::*;
pub use names::{Identifier, Name, NameTable};
pub use statement::*;
pub use tree::*;
