//! A finding: a rule, a place, what is wrong, and notes; structured until a renderer prints it.

use std::path::PathBuf;

use super::rules::Rule;
use crate::source::{LineColumn, SourceTexts, Span};

/// A place in a file as a person and an editor count it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Location {
    /// The file.
    pub path: PathBuf,
    /// First character.
    pub start: LineColumn,
    /// Behind the last character.
    pub end: LineColumn,
}

impl Location {
    /// The place of a span of a translation unit.
    pub fn of(texts: &SourceTexts, span: Span) -> Self {
        let (path, start, end) = texts.locate(span);
        Location { path: path.to_path_buf(), start, end }
    }
}

/// Something to tell about the code.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Where.
    pub location: Location,
    /// One sentence: capital first letter, keywords in upper case, program names in quotes, no final period.
    pub message: String,
    /// Further sentences: what would be right, what the code does now.
    pub notes: Vec<String>,
}
