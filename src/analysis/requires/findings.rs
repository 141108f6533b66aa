//! What is reported of a unit.

use super::rules;
use crate::analysis::preconditions::{self, Kind, Place, Requirement, Root, UnitOutcome};
use crate::diagnostics::{Finding, Location, Mark, Note, Severity};
use crate::source::Span;
use crate::syntax::{Tree, UnitId};

/// The findings of a unit.
pub fn of_unit(tree: &Tree, unit: UnitId, outcome: &UnitOutcome) -> Vec<Finding> {
    let mut findings = Vec::new();
    let texts = &tree.source.texts;
    for call in &outcome.failing_calls {
        if call.is_conditional && call.is_report {
            continue;
        }
        let location = Location::of(texts, tree.statements[call.statement].span);
        let mut finding =
            Finding::new(&rules::CALL_ALWAYS_FAILS, location.clone(), "The call always stops the program");
        finding.marks.push(Mark { location, label: "can't return".to_owned(), is_primary: true });
        finding.notes.extend(call.requirements.iter().map(|requirement| Note::Remark(needed(requirement))));
        findings.push(finding);
    }
    let Some(opening) = tree.units[unit].opening else { return findings };
    let location = Location::of(texts, tree.statements[opening].span);
    if outcome.never_returns && !outcome.procedure.gives_nothing_back && outcome.failing_calls.is_empty() {
        let name = &outcome.procedure.name;
        let message = format!("'{name}' never returns: it stops the program whatever it is given");
        let mut finding = Finding::new(&rules::NEVER_RETURNS, location.clone(), message);
        finding.marks.push(Mark { location, label: "can't return".to_owned(), is_primary: true });
        finding.notes.extend(outcome.procedure.requirements.iter().map(|one| Note::Remark(needed(one))));
        findings.push(finding);
    }
    findings.extend(undocumented(tree, unit, outcome));
    findings
}

/// A requirement in a sentence.
fn needed(requirement: &Requirement) -> String {
    let text = preconditions::text::text(&requirement.shown());
    let message = requirement.message.as_ref().map(|message| format!(" \"{message}\"")).unwrap_or_default();
    let need = match requirement.condition.kind() {
        Kind::Logical(false) => "stops".to_owned(),
        _ => format!("needs {text}, or stops"),
    };
    format!("{need} at {}{message}", place(&requirement.at))
}

/// A place as `file:line`.
pub fn place(at: &Place) -> String {
    format!("{}:{}", at.file.display(), at.line)
}

/// Dummy arguments that must have certain values, of which no comment of the procedure speaks.
fn undocumented(tree: &Tree, unit: UnitId, outcome: &UnitOutcome) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(opening) = tree.units[unit].opening else { return findings };
    let mut comments: Option<String> = None;
    for (at, dummy) in outcome.procedure.dummies.iter().enumerate() {
        let root = Root::Dummy(u32::try_from(at).unwrap_or(u32::MAX));
        let of_dummy = |requirement: &&Requirement| {
            requirement.condition.unknown().is_none() && requirement.condition.mentions(&root)
        };
        let Some(requirement) = outcome.procedure.requirements.iter().find(of_dummy) else { continue };
        let comments = comments.get_or_insert_with(|| comments_of(tree, unit));
        let is_mentioned = comments
            .split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
            .any(|word| word == dummy.name);
        if is_mentioned {
            continue;
        }
        let location = Location::of(&tree.source.texts, tree.statements[opening].span);
        let message = format!("No comment says what '{}' must be", dummy.name);
        let mut finding = Finding::new(&rules::REQUIREMENT_UNDOCUMENTED, location, message);
        finding.severity = Severity::Note;
        finding.notes.push(Note::Remark(needed(requirement)));
        findings.push(finding);
    }
    findings
}

/// The comments in a unit and directly above it, in lower case.
fn comments_of(tree: &Tree, unit: UnitId) -> String {
    let of = &tree.units[unit];
    let (first, last) = (of.opening.unwrap_or(of.first), of.last);
    let before = first.index().checked_sub(1).map(|before| tree.statements.as_raw_slice()[before].span.end);
    let span = Span::new(before.unwrap_or(0), tree.statements[last].span.end);
    let inside = tree.source.comments.iter().filter(|comment| span.encloses(comment.span));
    let texts = inside.map(|comment| String::from_utf8_lossy(tree.source.texts.bytes(comment.span)).to_lowercase());
    texts.collect::<Vec<_>>().join("\n")
}
