//! reviewdog's diagnostics, a line of JSON each (`rdjsonl`), with fixes as suggestions.

use std::path::Path;

use serde::Serialize;

use super::json;
use crate::diagnostics::edit::LineChange;
use crate::diagnostics::{Finding, Location, Severity, paths};
use crate::source::{LineColumn, SourceText, SourceTexts};

#[derive(Serialize)]
struct Diagnostic {
    message: String,
    location: DiagnosticLocation,
    severity: &'static str,
    source: Source,
    code: Code,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion>,
}

#[derive(Serialize)]
struct DiagnosticLocation {
    path: String,
    range: Range,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
}

#[derive(Serialize)]
struct Code {
    value: &'static str,
}

/// From a position up to the one behind.
#[derive(Serialize)]
struct Range {
    start: Position,
    end: Position,
}

/// Both count from 1, columns in bytes of UTF-8.
#[derive(Serialize)]
struct Position {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Suggestion {
    range: Range,
    text: String,
}

/// The diagnostic for a finding, as a line of JSON.
pub fn diagnostic(root: &Path, texts: Option<&SourceTexts>, finding: &Finding) -> String {
    let Location { path, start, end } = &finding.location;
    let text = texts.and_then(|texts| texts.of_path(path));
    let position = |at: &LineColumn| Position { line: at.line, column: byte_column(text, *at) };
    let line = json::text(&Diagnostic {
        message: finding.text(),
        location: DiagnosticLocation {
            path: paths::relative_text(root, path),
            range: Range { start: position(start), end: position(end) },
        },
        severity: match finding.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Note => "INFO",
        },
        source: Source { name: "camfort-rs" },
        code: Code { value: finding.rule.code },
        suggestions: finding.fix.iter().flat_map(|fix| &fix.changes).filter_map(suggestion).collect(),
    });
    line + "\n"
}

/// The column in bytes of the line as UTF-8.
fn byte_column(text: Option<&SourceText>, at: LineColumn) -> u32 {
    let Some(text) = text else { return at.column };
    let line = String::from_utf8_lossy(text.line(at.line));
    let before = line.chars().take(at.column.saturating_sub(1) as usize);
    before.map(char::len_utf8).sum::<usize>() as u32 + 1
}

/// A change of whole lines; `None` when the new ones aren't Unicode.
fn suggestion(change: &LineChange) -> Option<Suggestion> {
    let line_start = |line| Position { line, column: 1 };
    let range = Range { start: line_start(change.first_line), end: line_start(change.first_line + change.line_count) };
    Some(Suggestion { range, text: change.unicode_lines()?.iter().flat_map(|line| [*line, "\n"]).collect() })
}
