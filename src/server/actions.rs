//! What can be done about a place: specifications inserted, repaired or rewritten, findings allowed.

use std::collections::HashMap;
use std::path::Path;

use gen_lsp_types::{CodeAction, CodeActionKind, Position, Range, TextEdit, Uri, WorkspaceEdit};

use super::lines::Places;
use crate::analysis::stencil::AssistOutcome;
use crate::analysis::stencil::assist::AssistedComputation;
use crate::diagnostics::edit::{LineChange, LineInsertion};
use crate::diagnostics::{Finding, Location};

/// A document and what is known of it.
pub struct Subject<'s> {
    /// What the editor calls it.
    pub uri: &'s Uri,
    /// Its file.
    pub path: &'s Path,
    /// Its places.
    pub places: &'s Places<'s>,
    /// What is known.
    pub outcome: &'s AssistOutcome,
}

/// What can be done about a range.
pub fn actions(subject: &Subject<'_>, range: Range) -> Vec<CodeAction> {
    let (first, last) = (subject.places.line_column(range.start).line, subject.places.line_column(range.end).line);
    let touches = |location: &Location| {
        location.path == subject.path && location.start.line <= last && first <= location.end.line
    };
    let mut actions = Vec::new();
    for finding in &subject.outcome.findings {
        let marks = finding.marks.iter().any(|mark| mark.is_primary && touches(&mark.location));
        if marks || touches(&finding.location) {
            actions.extend(of_finding(subject, finding));
        }
    }
    let computations = || subject.outcome.computations.iter();
    for computation in computations().filter(|computation| touches(&computation.location)) {
        actions.extend(insert(subject, "Insert the inferred specification", std::iter::once(computation)));
        let of_unit = computations().filter(|other| other.unit == computation.unit);
        let title = format!("Insert the inferred specifications of '{}'", computation.unit);
        actions.extend(insert(subject, &title, of_unit));
    }
    let mut seen = Vec::new();
    actions.retain(|action| !seen.contains(action) && (seen.push(action.clone()), true).1);
    actions
}

fn of_finding(subject: &Subject<'_>, finding: &Finding) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    for suggestion in finding.suggestions.iter().filter(|one| one.location.path == subject.path) {
        let title = format!("Change the code to '{}'", suggestion.replacement);
        let range = subject.places.range(&suggestion.location);
        actions.push(action(subject, title, vec![TextEdit { range, new_text: suggestion.replacement.clone() }]));
    }
    if let Some(fix) = &finding.fix {
        let edits = fix.changes.iter().map(|change| line_change(subject.places, change)).collect();
        let is_preferred = fix.safe_changes.is_some().then_some(true);
        actions.push(CodeAction { is_preferred, ..action(subject, fix.description.to_owned(), edits) });
    }
    if finding.rule.is_silenceable && finding.location.path == subject.path {
        actions.push(allow(subject, finding));
    }
    actions
}

/// A comment above what a finding is about that silences its rule there.
fn allow(subject: &Subject<'_>, finding: &Finding) -> CodeAction {
    let line = finding.location.start.line;
    let blocks = &subject.outcome.blocks;
    let first =
        blocks.iter().find(|(first, last)| (first + 1..=*last).contains(&line)).map_or(line, |(first, _)| *first);
    let blanks: &[u8] = match subject.outcome.is_fixed_form {
        true => b"",
        false => {
            let text = subject.places.line(first);
            &text[..text.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()]
        }
    };
    let comment = format!("! camfort: allow({})", finding.rule.code);
    let text = [blanks, comment.as_bytes()].concat();
    let edit = insertion(subject.places, &LineInsertion { before_line: first, text });
    action(subject, format!("Allow {} here", finding.rule.code), vec![edit])
}

/// The insertion of what some computations lack.
fn insert<'c>(
    subject: &Subject<'_>,
    title: &str,
    computations: impl Iterator<Item = &'c AssistedComputation>,
) -> Option<CodeAction> {
    let insertions = computations.flat_map(|computation| &computation.insertions);
    let edits: Vec<TextEdit> = insertions.map(|one| insertion(subject.places, one)).collect();
    let kind = Some(CodeActionKind::RefactorRewrite);
    (!edits.is_empty()).then(|| CodeAction { kind, ..action(subject, title.to_owned(), edits) })
}

fn action(subject: &Subject<'_>, title: String, edits: Vec<TextEdit>) -> CodeAction {
    let changes = HashMap::from([(subject.uri.clone(), edits)]);
    let edit = WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    CodeAction { title, kind: Some(CodeActionKind::QuickFix), edit: Some(edit), ..CodeAction::default() }
}

/// A line that is put above another one.
pub fn insertion(places: &Places<'_>, insertion: &LineInsertion) -> TextEdit {
    let LineInsertion { before_line, text } = insertion;
    line_change(places, &LineChange { first_line: *before_line, line_count: 0, lines: vec![text.clone()] })
}

/// Whole lines that are replaced.
fn line_change(places: &Places<'_>, change: &LineChange) -> TextEdit {
    let at = |line: u32| -> Position { places.line_start(line) };
    let range = Range { start: at(change.first_line), end: at(change.first_line + change.line_count) };
    let end = places.line_end();
    let lines: Vec<String> =
        change.lines.iter().map(|line| format!("{}{end}", String::from_utf8_lossy(line))).collect();
    TextEdit { range, new_text: lines.concat() }
}
