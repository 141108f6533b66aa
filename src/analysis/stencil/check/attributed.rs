//! Findings with what they belong to: a statement, an array, and what they would have done with comments.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::stencil::spec::Region;
use crate::diagnostics::Finding;
use crate::syntax::StatementId;

/// What is to be done with one comment.
#[derive(Clone, Debug, Default)]
pub struct CommentEdit {
    /// The variables that it shall not speak of any more, by their offsets.
    pub dropped: BTreeSet<usize>,
    /// The specifications that shall stand there too.
    pub added: Vec<String>,
    /// A shorter region for what is left.
    pub region: Option<Region>,
    /// The older words, by their offsets, that shall be today's.
    pub old_words: BTreeSet<usize>,
}

impl CommentEdit {
    /// Whether there is nothing to be done.
    pub fn is_empty(&self) -> bool {
        self.dropped.is_empty() && self.added.is_empty() && self.region.is_none() && self.old_words.is_empty()
    }

    /// Adds what another finding would have done.
    pub fn join(&mut self, other: &CommentEdit) {
        self.dropped.extend(&other.dropped);
        // Several findings on one array would have the same stand there.
        let new = other.added.iter().filter(|text| !self.added.contains(text)).cloned().collect::<Vec<_>>();
        self.added.extend(new);
        self.old_words.extend(&other.old_words);
        if self.region.is_none() {
            self.region.clone_from(&other.region);
        }
    }
}

/// The edits, by the number of the attached specification.
pub type CommentEdits = BTreeMap<usize, CommentEdit>;

/// A finding with what it belongs to.
pub struct AttributedFinding {
    /// The finding.
    pub finding: Finding,
    /// The statement that the specifications in question are attached to.
    pub anchor: Option<StatementId>,
    /// The array that is spoken of, by name, and the statement of its computation.
    pub array: Option<(StatementId, String)>,
    /// These specifications, and what the finding would have done with each.
    pub edits: CommentEdits,
}

impl AttributedFinding {
    /// A finding that belongs to what is specified above a statement, in these comments.
    pub fn at_statement(finding: Finding, anchor: StatementId, comments: impl IntoIterator<Item = usize>) -> Self {
        let edits = comments.into_iter().map(|number| (number, CommentEdit::default())).collect();
        AttributedFinding { finding, anchor: Some(anchor), array: None, edits }
    }

    /// A finding that belongs to no specification.
    pub fn unattached(finding: Finding) -> Self {
        AttributedFinding { finding, anchor: None, array: None, edits: CommentEdits::new() }
    }
}
