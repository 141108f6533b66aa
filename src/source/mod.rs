//! Bytes to logical statements: spans, line index, source forms, prescanner and preprocessor.
//!
//! Entry point: [`prescan`](prescan::prescan); result: [`Prescanned`].

pub mod prescanned;
pub mod span;

pub use prescanned::{Comment, Directive, LogicalStatement, Prescanned, SourceForm, SourceNote, is_name_byte};
pub use span::{LineColumn, SourceText, SourceTexts, Span};
