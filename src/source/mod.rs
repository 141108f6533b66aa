//! Bytes to logical statements: spans, line index, source forms, prescanner and preprocessor.
//!
//! Entry point: [`prescan()`]; result: [`Prescanned`]. `camfort-rs debug statements FILE` shows it.
//!
//! Reading order: [`prescanned`] (the result), [`mod@prescan`] (the driver), `free` and `fixed` (one line of each
//! form), `cook` (what both do with statement text), `preprocess` (everything about `#` and macros).

mod classes;
mod comments;
mod cook;
pub mod dump;
mod fixed;
pub mod form;
mod free;
mod judge;
mod notes;
mod preprocess;
pub mod prescan;
pub mod prescanned;
pub mod span;
#[cfg(test)]
mod tests;

pub use dump::dump;
pub use preprocess::{HIDDEN_STATEMENT, is_preprocessed, paths_of_included};
pub use prescan::{FormChoice, PrescanOptions, prescan};
pub use prescanned::{
    Comment, Directive, IncludeObstacle, LogicalStatement, Prescanned, SourceForm, SourceNote, is_name_byte,
};
pub use span::{LineColumn, SourceText, SourceTexts, Span, line_end};
