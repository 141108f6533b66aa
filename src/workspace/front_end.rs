//! Findings of the front end: what was not understood, not found, or guessed.

use crate::diagnostics::{Finding, Location, Rule, rules};
use crate::names::{NameNote, Resolved};
use crate::source::{SourceForm, SourceNote, Span};
use crate::syntax::{StatementKind, Tree};

/// Findings of one rule that one file may give; the rest are counted in one more.
const MOST_OF_A_RULE: usize = 20;

/// All findings of source, syntax and names for one file, rule by rule, each in order of place.
pub fn findings(tree: &Tree, resolved: &Resolved) -> Vec<Finding> {
    let mut found: Vec<(&'static Rule, Span, String)> = Vec::new();
    for (span, note) in &tree.source.notes {
        let (rule, message) = of_source(note);
        found.push((rule, *span, message));
    }
    for statement in &tree.statements {
        if let StatementKind::Unparsed(reason) = &statement.kind {
            found.push((&rules::STATEMENT_NOT_UNDERSTOOD, statement.span, reason.clone()));
        }
    }
    for (span, message) in &tree.unbalanced {
        found.push((&rules::UNBALANCED_CONSTRUCT, *span, message.clone()));
    }
    for (span, note) in &resolved.notes {
        let message = match note {
            NameNote::ModuleNotFound(module) => format!("Module '{module}' is in none of the files given"),
            NameNote::CircularUse(ring) => format!("Modules use each other: {ring}"),
        };
        found.push((&rules::MODULE_NOT_FOUND, *span, message));
    }
    summarised(tree, found)
}

fn of_source(note: &SourceNote) -> (&'static Rule, String) {
    match note {
        SourceNote::IncludeNotFound { file, reason } => {
            (&rules::INCLUDE_NOT_FOUND, format!("Included file '{file}': {reason}"))
        }
        SourceNote::FormGuessed { used } => {
            let form = match used {
                SourceForm::Fixed => "fixed",
                SourceForm::Free => "free",
            };
            (&rules::SOURCE_FORM_GUESSED, format!("The file is in {form} form, which its extension does not suggest"))
        }
        SourceNote::LineLengthGuessed { columns } => (
            &rules::SOURCE_FORM_GUESSED,
            format!("Lines are read up to column {columns}: cut off at 72 they make no statements"),
        ),
        SourceNote::NotUnderstood { reason } | SourceNote::Preprocessor { reason } => {
            (&rules::STATEMENT_NOT_UNDERSTOOD, reason.clone())
        }
        SourceNote::UnbalancedConditional { reason } => (&rules::UNBALANCED_CONSTRUCT, reason.clone()),
    }
}

/// Not more than a screenful for one cause: the first findings of each rule, and how many more there are.
fn summarised(tree: &Tree, found: Vec<(&'static Rule, Span, String)>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules::ALL {
        let of_rule: Vec<_> = found.iter().filter(|(other, ..)| other.code == rule.code).collect();
        for (rule, span, message) in of_rule.iter().take(MOST_OF_A_RULE) {
            let location = Location::of(&tree.source.texts, *span);
            findings.push(Finding::new(rule, location, message.clone()));
        }
        if of_rule.len() > MOST_OF_A_RULE
            && let Some(last) = findings.last_mut()
        {
            last.notes.push(format!("{} more of this kind follow in this file", of_rule.len() - MOST_OF_A_RULE));
        }
    }
    findings
}
