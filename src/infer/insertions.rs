//! The comment lines that inference adds to a file.

use std::collections::BTreeSet;

use super::existing::Existing;
use super::{Inference, InferredComputation, InferredSpecification};
use crate::edit::LineInsertion;
use crate::source::SourceForm;
use crate::syntax::Tree;

/// The lines to be inserted. Arrays that a specification in the file speaks of already are left out; nothing at all is
/// inserted into a file with an error in its specifications.
pub fn insertions(tree: &Tree, inference: &Inference, existing: &Existing, marker: char) -> Vec<LineInsertion> {
    if existing.has_errors {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for computation in &inference.computations {
        let place = place(tree, computation, marker);
        for specification in &computation.specifications {
            let covered = existing.covered.get(&computation.statement);
            if let Some(text) = remaining(specification, covered) {
                lines.push(LineInsertion {
                    before_line: place.line,
                    text: [place.start.as_slice(), text.as_bytes()].concat(),
                });
            }
        }
    }
    lines
}

/// Where and how the comments of a computation begin.
struct Place {
    line: u32,
    start: Vec<u8>,
}

fn place(tree: &Tree, computation: &InferredComputation, marker: char) -> Place {
    let text = tree.source.texts.root();
    let (_, start, _) = tree.source.texts.locate(computation.span);
    let comment = match tree.source.form {
        SourceForm::Fixed => format!("c{marker} ").into_bytes(),
        SourceForm::Free => {
            let line = text.line(start.line);
            let blanks = line.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
            [&line[..blanks], format!("!{marker} ").as_bytes()].concat()
        }
    };
    Place { line: start.line, start: comment }
}

/// The specification without the arrays that are specified already; `None` when none is left.
fn remaining(specification: &InferredSpecification, covered: Option<&BTreeSet<String>>) -> Option<String> {
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
