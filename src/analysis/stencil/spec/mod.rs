//! The specification language: comments such as `!= stencil readOnce, centered(depth=1, dim=1) :: a` (grammar in
//! `grammar/specification.ebnf`).
//!
//! Glossary: a *marker* (`=`, `!`, `<`, `>`) makes a comment a specification; a *region constant* is an interval in one
//! dimension; a *region variable* is a name for a region; *convert* turns a union of interval schemes into an
//! expression.

mod attribute;
mod comment;
mod denote;
mod paper;
mod parse;
mod print;
#[cfg(test)]
mod tests;
mod tree;

pub use comment::{
    CommentText, Marker, SpecificationText, is_declaration, is_meant, misspelt_keyword, recognise, specification_texts,
};
pub use denote::{Denotation, DenoteError, HIGHEST_RANK, Meanings, denote, shorter};
pub use paper::on_paper;
pub use parse::{DEEPEST_NESTING, OldSpelling, ParsedSpecification, SyntaxError, parse};
pub use print::specification_text;
pub use tree::{
    Approximation, ComputationKind, IndexNames, Region, RegionConstant, RegionDeclaration, Specification,
    SpecificationLine, SpelledName, convert, flatten,
};
