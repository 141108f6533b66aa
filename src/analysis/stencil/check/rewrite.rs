//! The comments of a group after their edits: as inference writes them, if they were so before.
//!
//! Arrays of which the same is said share a line, and the lines are sorted by their first variable. What a person has
//! put in other words stays where and as it is.

use std::collections::BTreeMap;

use super::attributed::{CommentEdit, CommentEdits};
use super::input::CheckInput;
use crate::analysis::stencil::attach::{Attached, CommentLines};
use crate::analysis::stencil::spec::{OldSpelling, Specification, SpecificationText};
use crate::diagnostics::edit::LineChange;
use crate::syntax::{StatementId, Tree};

/// What becomes of the comments of a group: the change of each of them that changes, by its number.
#[derive(Default)]
pub struct RewrittenGroup {
    /// The changes.
    pub changes: BTreeMap<usize, LineChange>,
    /// Whether they belong together, as what stood in one comment may stand in another one then.
    pub is_joined: bool,
}

/// Groups by the statement that they are attached to.
pub type RewrittenGroups = BTreeMap<StatementId, RewrittenGroup>;

/// Carries the edits out, group by group.
pub fn rewritten(input: CheckInput<'_>, edits: &CommentEdits) -> RewrittenGroups {
    let tree = input.scopes.tree;
    let mut groups: BTreeMap<StatementId, Vec<usize>> = BTreeMap::new();
    for (number, attached) in input.specifications.attached.iter().enumerate() {
        groups.entry(attached.statement).or_default().push(number);
    }
    groups.retain(|_, numbers| numbers.iter().any(|number| edits.get(number).is_some_and(|edit| !edit.is_empty())));
    let rewritten = groups.into_iter().map(|(statement, numbers)| {
        let comments = numbers.into_iter().map(|number| Comment::new(input, number, edits.get(&number)));
        let comments: Vec<Comment<'_>> = comments.collect();
        let joined = joined(tree, &comments);
        let is_joined = joined.is_some();
        let changes = joined.unwrap_or_else(|| {
            let edited = comments.iter().filter(|comment| comment.is_edited);
            edited.filter_map(|comment| Some((comment.number, comment.instead(tree, &comment.texts)?))).collect()
        });
        (statement, RewrittenGroup { changes, is_joined })
    });
    rewritten.collect()
}

/// A comment of a group.
struct Comment<'s> {
    number: usize,
    attached: &'s Attached,
    /// Its lines after the edit.
    texts: Vec<String>,
    is_edited: bool,
    /// Whether the edit changes which arrays it speaks of.
    is_of_other_arrays: bool,
}

impl<'s> Comment<'s> {
    fn new(input: CheckInput<'s>, number: usize, edit: Option<&CommentEdit>) -> Self {
        let attached = &input.specifications.attached[number];
        let nothing = CommentEdit::default();
        let edit = edit.unwrap_or(&nothing);
        Comment {
            number,
            attached,
            texts: texts(attached, edit),
            is_edited: !edit.is_empty(),
            is_of_other_arrays: !edit.dropped.is_empty() || !edit.added.is_empty(),
        }
    }

    /// Whether it is in the words of inference, in one line.
    fn is_as_inferred(&self) -> bool {
        let Attached { specification, text, .. } = self.attached;
        let is_in_its_words = text.text.trim_ascii_end() == specification.to_string().as_bytes();
        is_in_its_words && text.comments.len() == 1 && !specification.region.has_variables()
    }

    fn instead(&self, tree: &Tree, texts: &[String]) -> Option<LineChange> {
        lines_instead(tree, &self.attached.text, texts)
    }
}

/// The comments of a group put together anew; `None` if each is better changed by itself.
fn joined(tree: &Tree, comments: &[Comment<'_>]) -> Option<BTreeMap<usize, LineChange>> {
    let is_wanted = comments.iter().any(|comment| comment.is_of_other_arrays);
    let are_alike = || {
        let mut signs = comments.iter().map(|comment| CommentLines::of(tree, &comment.attached.text));
        let first = signs.next().flatten();
        let is_like_first =
            |lines: Option<CommentLines>| lines.zip(first.as_ref()).is_some_and(|(it, first)| it.is_like(first));
        signs.all(is_like_first)
    };
    if !is_wanted || !comments.iter().all(Comment::is_as_inferred) || !are_alike() {
        return None;
    }
    let mut lines = put_together(comments.iter().flat_map(|comment| comment.texts.iter().map(String::as_str)));
    let mut changes = BTreeMap::new();
    for (at, comment) in comments.iter().enumerate() {
        let count = if at + 1 == comments.len() { lines.len() } else { lines.len().min(1) };
        let texts: Vec<String> = lines.drain(..count).collect();
        if comment.is_edited || texts != comment.texts {
            changes.insert(comment.number, comment.instead(tree, &texts)?);
        }
    }
    Some(changes)
}

/// Specifications with one line for all arrays of which the same is said, by their first variables.
fn put_together<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut by_region: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for text in texts {
        let Some((region, names)) = text.rsplit_once(" :: ") else { continue };
        by_region.entry(region).or_default().extend(names.split(',').map(str::trim));
    }
    let mut lines: Vec<(String, &str, Vec<&str>)> = Vec::new();
    for (region, mut names) in by_region {
        names.sort_by_cached_key(|name| name.to_ascii_lowercase());
        names.dedup_by(|left, right| left.eq_ignore_ascii_case(right));
        lines.push((names.first().map_or_else(String::new, |name| name.to_ascii_lowercase()), region, names));
    }
    // Of one variable the lower bound stands first: `atLeast` comes before `atMost`.
    lines.sort();
    lines.into_iter().map(|(_, region, names)| format!("{region} :: {}", names.join(", "))).collect()
}

/// The lines of a comment after an edit.
fn texts(attached: &Attached, edit: &CommentEdit) -> Vec<String> {
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
    texts
}

/// The text up to an offset, with today's words for older ones.
pub fn todays_words<'w>(text: &SpecificationText, words: impl Iterator<Item = &'w OldSpelling>, end: usize) -> String {
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
pub fn lines_instead(tree: &Tree, text: &SpecificationText, texts: &[String]) -> Option<LineChange> {
    CommentLines::of(tree, text).filter(|lines| lines.is_in_root).map(|lines| lines.instead(texts))
}
