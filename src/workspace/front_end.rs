//! Findings of the front end: what was not understood, not found, or guessed.

use crate::diagnostics::{Finding, Location, Rule, rules};
use crate::names::{NameNote, Resolved};
use crate::source::{SourceForm, SourceNote, Span};
use crate::syntax::Tree;

/// Findings of one rule that one file may give; the rest are counted in one more.
const MOST_OF_A_RULE: usize = 20;

/// All findings of source, syntax and names for one file, rule by rule, each in order of place.
pub fn findings(tree: &Tree, resolved: &Resolved) -> Vec<Finding> {
    let mut found: Vec<UnplacedFinding> = Vec::new();
    for (span, note) in &tree.source.notes {
        found.push(of_source(note, *span));
    }
    for (span, reason) in tree.not_understood() {
        found.push(UnplacedFinding::new(&rules::STATEMENT_NOT_UNDERSTOOD, span, reason.to_owned()));
    }
    for (span, message) in &tree.unbalanced {
        found.push(UnplacedFinding::new(&rules::UNBALANCED_CONSTRUCT, *span, message.clone()));
    }
    for (span, note) in &resolved.notes {
        let (message, cause) = match note {
            NameNote::ModuleNotFound(module) => (format!("Module '{module}' is in none of the files given"), module),
            NameNote::CircularUse(ring) => (format!("Modules use each other: {ring}"), ring),
        };
        found.push(UnplacedFinding {
            cause: Some(cause.clone()),
            ..UnplacedFinding::new(&rules::MODULE_NOT_FOUND, *span, message)
        });
    }
    summarised(tree, found)
}

/// A finding before its place is looked up.
struct UnplacedFinding {
    rule: &'static Rule,
    span: Span,
    message: String,
    cause: Option<String>,
}

impl UnplacedFinding {
    fn new(rule: &'static Rule, span: Span, message: String) -> Self {
        UnplacedFinding { rule, span, message, cause: None }
    }
}

fn of_source(note: &SourceNote, span: Span) -> UnplacedFinding {
    match note {
        SourceNote::NotIncluded { file, obstacle } => {
            let message = format!("Included file '{file}': {}", obstacle.text());
            UnplacedFinding {
                cause: Some(file.clone()),
                ..UnplacedFinding::new(&rules::INCLUDE_NOT_FOUND, span, message)
            }
        }
        SourceNote::FormGuessed { used } => {
            let form = match used {
                SourceForm::Fixed => "fixed",
                SourceForm::Free => "free",
            };
            let message = format!("The file is in {form} form, which its extension does not suggest");
            UnplacedFinding::new(&rules::SOURCE_FORM_GUESSED, span, message)
        }
        SourceNote::LineLengthGuessed { columns } => {
            let message = format!("Lines are read up to column {columns}: cut off at 72 they make no statements");
            UnplacedFinding::new(&rules::SOURCE_FORM_GUESSED, span, message)
        }
        SourceNote::NotUnderstood { reason } | SourceNote::Preprocessor { reason } => {
            UnplacedFinding::new(&rules::STATEMENT_NOT_UNDERSTOOD, span, reason.clone())
        }
        SourceNote::UnbalancedConditional { reason } => {
            UnplacedFinding::new(&rules::UNBALANCED_CONSTRUCT, span, reason.clone())
        }
    }
}

/// Not more than a screenful for one cause: the first findings of each rule, and how many more there are.
fn summarised(tree: &Tree, found: Vec<UnplacedFinding>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules::ALL {
        let of_rule: Vec<&UnplacedFinding> = found.iter().filter(|found| found.rule == *rule).collect();
        for UnplacedFinding { rule, span, message, cause } in of_rule.iter().take(MOST_OF_A_RULE) {
            let location = Location::of(&tree.source.texts, *span);
            findings.push(Finding { cause: cause.clone(), ..Finding::new(rule, location, message.clone()) });
        }
        if of_rule.len() > MOST_OF_A_RULE
            && let Some(last) = findings.last_mut()
        {
            last.remark(format!("{} more of this kind follow in this file", of_rule.len() - MOST_OF_A_RULE));
        }
    }
    findings
}
