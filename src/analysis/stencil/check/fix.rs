//! Fixes: the comment lines that would be right.
//!
//! A comment may speak of several arrays, some rightly, and a group may give two bounds for one array in two comments.
//! So every finding edits what it would have done with each comment ([`CommentEdit`]). The edits of those findings that
//! are told, and of no others, are put together comment by comment, and each of these findings carries the change of
//! its whole comments, or of its whole group where that is [put together anew](super::rewrite): applied together, they
//! don't get in each other's way.

use std::collections::BTreeSet;

use super::attributed::{AttributedFinding, CommentEdits};
use super::claim::Claim;
use super::input::CheckInput;
use super::rewrite::{RewrittenGroups, lines_instead, rewritten, todays_words};
use crate::analysis::stencil::attach::DeclaredRegion;
use crate::analysis::stencil::infer::{InferredComputation, comes_from_elsewhere, insertion_point};
use crate::analysis::stencil::rules;
use crate::diagnostics::edit::LineChange;
use crate::diagnostics::{Fix, Rule};
use crate::syntax::Tree;

/// The edits by which comments shall not make these claims any more.
pub fn dropping<'s>(claims: impl IntoIterator<Item = Claim<'s>>) -> CommentEdits {
    let mut edits = CommentEdits::new();
    for claim in claims {
        edits.entry(claim.number).or_default().dropped.insert(claim.variable.offset);
    }
    edits
}

/// Gives every finding that a change of comment lines would remove that change.
pub fn attach_fixes(input: CheckInput<'_>, found: &mut [AttributedFinding]) {
    let whole = rewritten(input, &joined(found, |_| true));
    let safe = rewritten(input, &joined(found, |rule| rule.is_fix_safe));
    let attached = &input.specifications.attached;
    for AttributedFinding { finding, anchor, edits, .. } in found {
        let mut anchors = anchor.iter().copied().chain(edits.keys().map(|&number| attached[number].statement));
        // What stands above a macro or an included line belongs to code that is elsewhere: it is told, not edited.
        if anchors.any(|statement| comes_from_elsewhere(input.scopes.tree, statement)) {
            finding.fix = None;
            continue;
        }
        let changes = |groups: &RewrittenGroups| -> Vec<LineChange> {
            let mut changes: BTreeSet<&LineChange> = BTreeSet::new();
            for number in edits.keys() {
                let Some(group) = groups.get(&attached[*number].statement) else { continue };
                match group.is_joined {
                    true => changes.extend(group.changes.values()),
                    false => changes.extend(group.changes.get(number)),
                }
            }
            changes.into_iter().cloned().collect()
        };
        let Some(description) = finding.rule.fix else { continue };
        if edits.values().any(|edit| !edit.is_empty()) {
            let safe_changes = finding.rule.is_fix_safe.then(|| changes(&safe));
            let changes = changes(&whole);
            finding.fix = (!changes.is_empty()).then_some(Fix { description, changes, safe_changes });
        }
    }
}

/// What the findings of some rules have done with each comment.
fn joined(found: &[AttributedFinding], is_wanted: impl Fn(&Rule) -> bool) -> CommentEdits {
    let mut joined = CommentEdits::new();
    let wanted = found.iter().filter(|found| is_wanted(found.finding.rule));
    for (number, edit) in wanted.flat_map(|found| &found.edits) {
        joined.entry(*number).or_default().join(edit);
    }
    joined
}

/// A fix that is safe by itself.
fn safe_fix(description: &'static str, change: LineChange) -> Fix {
    Fix { description, safe_changes: Some(vec![change.clone()]), changes: vec![change] }
}

/// S017 in the declaration of a region variable.
pub fn declaration_fix(tree: &Tree, declared: &DeclaredRegion) -> Option<Fix> {
    let text = todays_words(&declared.text, declared.old_spellings.iter(), declared.text.text.len());
    let change = lines_instead(tree, &declared.text, &[text.trim_end().to_owned()])?;
    Some(safe_fix(rules::OLD_SPELLING.fix?, change))
}

/// S020: the specifications that are missing, directly above the statement.
pub fn insertion(input: CheckInput<'_>, computation: &InferredComputation, texts: &[String]) -> Option<Fix> {
    let place = insertion_point(input.scopes.tree, computation, '=');
    let lines = texts.iter().map(|text| [place.start.as_slice(), text.as_bytes()].concat()).collect();
    let change = LineChange { first_line: place.line, line_count: 0, lines };
    Some(safe_fix(rules::MISSING_SPECIFICATION.fix?, change))
}
