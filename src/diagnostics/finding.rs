//! A finding: a rule, a location, what is wrong and what would be right; structured until a renderer prints it.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::value::RawValue;

use super::edit::LineChange;
use super::rule::{Rule, Severity};
use crate::source::{LineColumn, SourceTexts, Span};

/// A part of a file as a person and an editor count it.
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
    /// The location of a span of a translation unit.
    pub fn of(texts: &SourceTexts, span: Span) -> Self {
        let (path, start, end) = texts.locate(span);
        Location { path: path.to_path_buf(), start, end }
    }
}

/// Something to report about the code.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// How much it matters: what the rule says, unless the configuration says otherwise.
    pub severity: Severity,
    /// Where.
    pub location: Location,
    /// One sentence: capital first letter, keywords in upper case, program names in quotes, no final period.
    pub message: String,
    /// The places that are part of it, primary ones first.
    pub marks: Vec<Mark>,
    /// Further sentences, and what was inferred.
    pub notes: Vec<Note>,
    /// Changes of the code, each of which would be enough, the likeliest first. None is certain: a person chooses.
    pub suggestions: Vec<Suggestion>,
    /// A change of comment lines that removes the finding.
    pub fix: Option<Fix>,
    /// What programs get to know besides.
    pub records: Vec<DataRecord>,
    /// What outside of the file the finding comes from, such as the name of a module that is missing. Thousands of
    /// files may give findings of one rule with the same cause; a person need read only one.
    pub cause: Option<String>,
}

impl Finding {
    /// A finding with a message and nothing more.
    pub fn new(rule: &'static Rule, location: Location, message: impl Into<String>) -> Self {
        Finding {
            rule,
            // Findings of a rule that is off are made only if an option asks for them.
            severity: rule.level.severity().unwrap_or(Severity::Error),
            location,
            message: message.into(),
            marks: Vec::new(),
            notes: Vec::new(),
            suggestions: Vec::new(),
            fix: None,
            records: Vec::new(),
            cause: None,
        }
    }

    /// Adds a sentence.
    pub fn remark(&mut self, text: impl Into<String>) {
        self.notes.push(Note::Remark(text.into()));
    }

    /// Adds data for programs, unless there are some under that name.
    pub fn record(&mut self, name: &'static str, data: &impl Serialize) {
        if self.records.iter().all(|record| record.name != name)
            && let Ok(json) = serde_json::value::to_raw_value(data)
        {
            self.records.push(DataRecord { name, json });
        }
    }

    /// The further sentences.
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().filter_map(|note| match note {
            Note::Remark(text) => Some(text.as_str()),
            Note::Inferred(_) => None,
        })
    }

    /// What was inferred.
    pub fn inferred(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().filter_map(|note| match note {
            Note::Inferred(text) => Some(text.as_str()),
            Note::Remark(_) => None,
        })
    }

    /// All that it says as text on one line, for a reader who sees neither the source nor the other fields. (Remarks
    /// tell the suggestions.)
    pub fn text(&self) -> String {
        let place = |location: &Location| match location.path == self.location.path {
            true => format!("{}:{}", location.start.line, location.start.column),
            false => format!("{}:{}:{}", location.path.display(), location.start.line, location.start.column),
        };
        let mut sentences = vec![self.message.clone()];
        let primary = self.marks.iter().filter(|mark| mark.is_primary);
        sentences.extend(primary.map(|mark| format!("{} {}", place(&mark.location), mark.label)));
        sentences.extend(self.remarks().map(str::to_owned));
        sentences.extend(self.inferred().map(|text| format!("Inferred: {text}")));
        sentences.retain(|sentence| !sentence.is_empty());
        // What is quoted from the source may hold anything, and a line is a line.
        sentences.join("; ").replace(char::is_control, " ")
    }
}

/// A labelled place that is part of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Where.
    pub location: Location,
    /// What is to be said of it: a label such as `reads offset (0, 1), which the specification does not allow`.
    pub label: String,
    /// Whether this is what is wrong (the subscript), and not only what it is measured by (the specification).
    pub is_primary: bool,
}

/// What a finding says below its message.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Note {
    /// A sentence: what would be right, what the code does now.
    Remark(String),
    /// What an analysis infers from the code, as it can be written there.
    Inferred(String),
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Note::Remark(text)
    }
}

/// A change of the code that may be what was meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// The source to be replaced.
    pub location: Location,
    /// What should stand there: `a(i+1, j)`.
    pub replacement: String,
}

/// A change of comment lines of the file of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, as a command: `Replace the specification by the inferred one`.
    pub description: &'static str,
    /// The lines, by place; they don't overlap.
    pub changes: Vec<LineChange>,
    /// The same of what is [safe](Rule::is_fix_safe) alone; `None` if the fix itself is not.
    pub safe_changes: Option<Vec<LineChange>>,
}

/// Data for programs that only one analysis knows the meaning of: [JSON](super::render::json) has them under their
/// name.
#[derive(Clone, Debug)]
pub struct DataRecord {
    /// The name.
    pub name: &'static str,
    /// The data.
    pub json: Box<RawValue>,
}

impl DataRecord {
    /// The name of an example that shows what is wrong: every finding has it in JSON, if only as `null`.
    pub const WITNESS: &str = "witness";
}
