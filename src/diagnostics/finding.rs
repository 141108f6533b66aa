//! A finding: a rule, a place, what is wrong and what would be right; structured until a renderer prints it.

use std::path::PathBuf;

use super::edit::LineChange;
use super::rules::{Rule, Severity};
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
    /// How much it matters: the rule's severity, unless the configuration says otherwise.
    pub severity: Severity,
    /// Where.
    pub location: Location,
    /// One sentence: capital first letter, keywords in upper case, program names in quotes, no final period.
    pub message: String,
    /// Other places that are part of it, those to blame first.
    pub related: Vec<Related>,
    /// Further sentences: what would be right, what the code does now.
    pub notes: Vec<String>,
    /// An offset that is in one of the two sets that should be the same.
    pub witness: Option<Witness>,
    /// What inference says of the arrays in question, a specification each; lower bounds stand before upper ones.
    pub inferred: Vec<String>,
    /// Changes of one subscript after which the code conforms, the likeliest first.
    pub repairs: Vec<Repair>,
    /// A change of comment lines that removes the finding.
    pub fix: Option<Fix>,
}

impl Finding {
    /// A finding with a message and nothing more.
    pub fn new(rule: &'static Rule, location: Location, message: impl Into<String>) -> Self {
        Finding {
            rule,
            severity: rule.severity,
            location,
            message: message.into(),
            related: Vec::new(),
            notes: Vec::new(),
            witness: None,
            inferred: Vec::new(),
            repairs: Vec::new(),
            fix: None,
        }
    }

    /// All that it says as text on one line, for a reader who sees neither the source nor the other fields. (The notes tell the repairs.)
    pub fn text(&self) -> String {
        let elsewhere = |location: &Location| match location.path == self.location.path {
            true => format!("{}:{}", location.start.line, location.start.column),
            false => format!("{}:{}:{}", location.path.display(), location.start.line, location.start.column),
        };
        let mut sentences = vec![self.message.clone()];
        let to_blame = self.related.iter().filter(|related| related.to_blame);
        sentences.extend(to_blame.map(|related| format!("{} {}", elsewhere(&related.location), related.label)));
        sentences.extend(self.notes.iter().cloned());
        sentences.extend(self.inferred.iter().map(|specification| format!("Inferred: {specification}")));
        sentences.retain(|sentence| !sentence.is_empty());
        // What is quoted from the source may hold anything, and a line is a line.
        sentences.join("; ").replace(char::is_control, " ")
    }
}

/// A place that is part of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// Where.
    pub location: Location,
    /// What is to be said of it: a label such as `reads offset (0, 1), which the specification does not allow`.
    pub label: String,
    /// Whether this is what is wrong (the subscript), and not only what it is measured by (the specification).
    pub to_blame: bool,
}

/// An offset in which code and specification differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// One component per dimension, relative to the left side.
    pub offset: Vec<i64>,
    /// Whether the code reads it (and the specification does not allow it), or the reverse.
    pub is_read: bool,
    /// The reference in terms of the source: `a(i+1, j)`.
    pub reference: String,
}

/// A change of one reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// The reference to be changed.
    pub location: Location,
    /// What should stand there: `a(i+1, j)`.
    pub replacement: String,
}

/// A change of comment lines of the named file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, as a command: `Replace the specification by the inferred one`.
    pub description: String,
    /// The lines, by place; they don't overlap.
    pub changes: Vec<LineChange>,
}
