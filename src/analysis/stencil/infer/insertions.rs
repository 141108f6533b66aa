//! The comment lines that inference adds to a file.

use std::collections::{BTreeMap, BTreeSet};

use super::{Inference, InferredComputation, InferredSpecification};
use crate::diagnostics::edit::LineInsertion;
use crate::source::SourceForm;
use crate::syntax::{StatementId, Tree};

/// For each statement the arrays (in lower case) that a specification in the file speaks of already.
pub type Covered = BTreeMap<StatementId, BTreeSet<String>>;

/// The lines to be inserted into the named file; arrays that are covered are left out.
pub fn insertions(tree: &Tree, inference: &Inference, covered: &Covered, marker: char) -> Vec<LineInsertion> {
    let is_here =
        |computation: &&InferredComputation| tree.source.texts.in_root(tree.statements[computation.above].span);
    lines_above(tree, inference.computations.iter().filter(is_here), covered, marker)
}

/// The lines to be inserted above some computations of one text, in their order.
pub(super) fn lines_above<'c>(
    tree: &Tree,
    computations: impl Iterator<Item = &'c InferredComputation>,
    covered: &Covered,
    marker: char,
) -> Vec<LineInsertion> {
    let mut lines = Vec::new();
    for computation in computations {
        let place = insertion_point(tree, computation, marker);
        for specification in &computation.specifications {
            if let Some(text) = remaining(specification, covered.get(&computation.statement)) {
                let text = [place.start.as_slice(), text.as_bytes()].concat();
                lines.push((specification, LineInsertion { before_line: place.line, text }));
            }
        }
    }
    // Several computations may have their comments above one line.
    lines.sort_by_cached_key(|(specification, line)| (line.before_line, specification.order()));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Where and how the comments of a computation begin.
pub struct InsertionPoint {
    /// The line above which they go.
    pub line: u32,
    /// Blanks, comment sign and marker.
    pub start: Vec<u8>,
}

/// The place of the comments of a computation.
pub fn insertion_point(tree: &Tree, computation: &InferredComputation, marker: char) -> InsertionPoint {
    let texts = &tree.source.texts;
    let span = tree.statements[computation.above].span;
    let (text, (_, start, _)) = (texts.text_at(span.start), texts.locate(span));
    let comment = match tree.source.form {
        // What is included may be in the other form: an exclamation mark in column 1 is right in both.
        SourceForm::Fixed if !texts.in_root(span) => format!("!{marker} ").into_bytes(),
        SourceForm::Fixed => format!("c{marker} ").into_bytes(),
        SourceForm::Free => {
            let line = text.line(start.line);
            let blanks = line.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
            [&line[..blanks], format!("!{marker} ").as_bytes()].concat()
        }
    };
    InsertionPoint { line: start.line, start: comment }
}

/// The specification without the arrays that are covered; `None` when none is left.
pub fn remaining(specification: &InferredSpecification, covered: Option<&BTreeSet<String>>) -> Option<String> {
    let Some(covered) = covered else { return Some(specification.text.clone()) };
    let left: Vec<&str> = specification
        .variables
        .iter()
        .filter(|name| !covered.contains(&name.to_ascii_lowercase()))
        .map(String::as_str)
        .collect();
    if left.is_empty() {
        return None;
    }
    let (region, _) = specification.text.rsplit_once(" :: ")?;
    Some(format!("{region} :: {}", left.join(", ")))
}
