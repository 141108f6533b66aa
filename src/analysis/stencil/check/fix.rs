//! Fixes: the comment lines that would be right.
//!
//! A comment may speak of several arrays, some rightly, and a group may give two bounds for one array in two comments.
//! So every finding edits what it would have done with each comment ([`CommentEdit`]). The edits of those findings that
//! are told, and of no others, are put together comment by comment, and each of these findings carries the change of
//! its whole comments: applied together, they don't get in each other's way.

use super::attributed::{AttributedFinding, CommentEdit, CommentEdits};
use super::claim::Claim;
use super::input::CheckInput;
use crate::analysis::stencil::attach::{Attached, CommentLines, DeclaredRegion};
use crate::analysis::stencil::infer::{InferredComputation, comes_from_elsewhere, insertion_point};
use crate::analysis::stencil::rules;
use crate::analysis::stencil::spec::{OldSpelling, Specification, SpecificationText};
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
    let (whole, safe) = (joined(found, |_| true), joined(found, |rule| rule.is_fix_safe));
    let attached = &input.specifications.attached;
    for AttributedFinding { finding, anchor, edits, .. } in found {
        let mut anchors = anchor.iter().copied().chain(edits.keys().map(|&number| attached[number].statement));
        // What stands above a macro or an included line belongs to code that is elsewhere: it is told, not edited.
        if anchors.any(|statement| comes_from_elsewhere(input.scopes.tree, statement)) {
            finding.fix = None;
            continue;
        }
        let changes = |of: &CommentEdits| -> Vec<LineChange> {
            let of_comment = |number: &usize| change_of(input.scopes.tree, &attached[*number], of.get(number)?);
            edits.keys().filter_map(of_comment).collect()
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

/// The change of a comment that carries a edit out.
fn change_of(tree: &Tree, attached: &Attached, edit: &CommentEdit) -> Option<LineChange> {
    if edit.is_empty() {
        return None;
    }
    let said = &attached.specification;
    let variables: Vec<_> =
        said.variables.iter().filter(|name| !edit.dropped.contains(&name.offset)).cloned().collect();
    let mut texts = Vec::new();
    if !variables.is_empty() {
        texts.push(match &edit.region {
            Some(region) => Specification { region: region.clone(), variables, ..said.clone() }.to_string(),
            None => {
                let head = said.variables.first().map_or(0, |name| name.offset);
                let names: Vec<&str> = variables.iter().map(|name| name.text.as_str()).collect();
                let is_planned = |word: &&OldSpelling| edit.old_words.contains(&word.offset);
                let region = todays_words(&attached.text, attached.old_spellings.iter().filter(is_planned), head);
                format!("{} {}", region.trim_end(), names.join(", "))
            }
        });
    }
    texts.extend(edit.added.iter().cloned());
    lines_instead(tree, &attached.text, &texts)
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

/// The text up to an offset, with today's words for older ones.
fn todays_words<'w>(text: &SpecificationText, words: impl Iterator<Item = &'w OldSpelling>, end: usize) -> String {
    let mut result = Vec::new();
    let mut from = 0;
    for word in words.filter(|word| word.offset + word.old.len() <= end) {
        result.extend_from_slice(&text.text[from..word.offset]);
        result.extend_from_slice(word.new.as_bytes());
        from = word.offset + word.old.len();
    }
    result.extend_from_slice(&text.text[from.min(end)..end.min(text.text.len())]);
    String::from_utf8_lossy(&result).into_owned()
}

/// The lines of a comment of the named file replaced by one line for each text.
fn lines_instead(tree: &Tree, text: &SpecificationText, texts: &[String]) -> Option<LineChange> {
    CommentLines::of(tree, text).filter(|lines| lines.is_in_root).map(|lines| lines.instead(texts))
}
