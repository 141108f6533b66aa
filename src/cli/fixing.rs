//! Which changes `check` makes of a file, and whether they may be made.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::edit::{self, LineChange};
use crate::diagnostics::{Finding, Suggestion};
use crate::source::SourceText;
use crate::workspace::FileView;

/// Which changes are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Those of comments that are safe.
    Safe,
    /// All of comments.
    Unsafe,
    /// Those of comments that are safe, and repairs of the code.
    Code,
}

/// The changes of a file.
#[derive(Debug, Default)]
pub struct Changes {
    /// The lines, by place; they don't overlap.
    pub lines: Vec<LineChange>,
    /// How many findings they are to remove.
    pub findings: usize,
    /// How many findings could be removed by other changes than these.
    pub others: usize,
    /// Whether the code is changed.
    repairs_code: bool,
}

impl Changes {
    /// The changes for what was found in a file.
    pub fn new(extent: Extent, view: &FileView<'_>, findings: &[Finding]) -> Changes {
        let repairs = if extent == Extent::Code { repairs(view, findings) } else { BTreeMap::new() };
        let of_finding = |finding: &Finding| match (&finding.fix, extent) {
            (Some(fix), Extent::Unsafe) => Some(fix.changes.clone()),
            (Some(fix), Extent::Safe | Extent::Code) => fix.safe_changes.clone(),
            (None, _) => None,
        };
        let fixed: Vec<Vec<LineChange>> = findings.iter().filter_map(of_finding).collect();
        let of_code = findings.iter().filter(|finding| is_repaired(finding, &repairs)).count();
        let in_code = repairs.iter().map(|(line, parts)| repaired_line(view.texts().root(), *line, parts));
        let in_code: Vec<LineChange> = in_code.collect();
        let is_other = |finding: &&Finding| {
            finding.fix.is_some() && of_finding(finding).is_none() && !is_repaired(finding, &repairs)
        };
        Changes {
            repairs_code: !in_code.is_empty(),
            lines: edit::in_turn(in_code.iter().chain(fixed.iter().flatten())),
            findings: fixed.len() + of_code,
            others: findings.iter().filter(is_other).count(),
        }
    }

    /// Whether a text with these changes is what it should be: where the code is not repaired, the same program.
    pub fn may_be(&self, edited: &[u8], view: &FileView<'_>) -> bool {
        let is_program = match self.repairs_code {
            true => view.project().view(view.path(), edited).tree().statements.len() == view.tree().statements.len(),
            false => view.is_same_program(edited),
        };
        is_program && edit::is_change_of(edited, view.bytes(), &self.lines)
    }
}

/// The one change of the code that a finding suggests.
fn only_suggestion(finding: &Finding) -> Option<&Suggestion> {
    match &finding.suggestions[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// A part of a line, in characters from 1, and what should stand there.
type Repair = (u32, u32, String);

/// The repairs of the named file, line by line: of findings for which there is one only, which lie in one line and
/// don't touch each other.
fn repairs(view: &FileView<'_>, findings: &[Finding]) -> BTreeMap<u32, BTreeSet<Repair>> {
    let mut lines: BTreeMap<u32, BTreeSet<Repair>> = BTreeMap::new();
    for Suggestion { location, replacement } in findings.iter().filter_map(only_suggestion) {
        let (start, end) = (location.start, location.end);
        if location.path == view.path() && start.line == end.line {
            lines.entry(start.line).or_default().insert((start.column, end.column, replacement.clone()));
        }
    }
    let is_apart = |parts: &BTreeSet<Repair>| parts.iter().zip(parts.iter().skip(1)).all(|(one, next)| one.1 <= next.0);
    lines.retain(|_, parts| is_apart(parts));
    lines
}

fn is_repaired(finding: &Finding, repairs: &BTreeMap<u32, BTreeSet<Repair>>) -> bool {
    only_suggestion(finding).is_some_and(|Suggestion { location, replacement }| {
        let repair = (location.start.column, location.end.column, replacement.clone());
        repairs.get(&location.start.line).is_some_and(|parts| parts.contains(&repair))
    })
}

/// A line with its repairs.
fn repaired_line(text: &SourceText, line: u32, parts: &BTreeSet<Repair>) -> LineChange {
    let start = text.line_start(line);
    let bytes = text.line(line);
    // The byte at which a column begins: columns are characters, of one byte or of several.
    let byte = |column: u32| {
        let begins = |at: &usize| text.line_column(start + *at as u32).column >= column;
        (0..bytes.len()).find(begins).unwrap_or(bytes.len())
    };
    let mut result = bytes.to_vec();
    for (first, end, replacement) in parts.iter().rev() {
        result.splice(byte(*first)..byte(*end), replacement.bytes());
    }
    LineChange { first_line: line, line_count: 1, lines: vec![result] }
}
