//! What is shown of an array reference or a specification under the pointer.

use std::fmt::Write;
use std::path::Path;

use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind};

use super::lines::{Places, holds};
use super::picture::picture;
use crate::analysis::stencil::AssistOutcome;
use crate::analysis::stencil::assist::{AssistedArray, AssistedComputation};
use crate::diagnostics::Location;
use crate::source::LineColumn;

/// The most offsets that are listed one by one.
const MOST_OFFSETS: usize = 12;

/// What is to be said at a place of a document.
pub fn hover(outcome: &AssistOutcome, path: &Path, places: &Places<'_>, at: LineColumn) -> Option<Hover> {
    let (location, arrays) = subject(outcome, path, at)?;
    let texts: Vec<String> = arrays.into_iter().map(array_text).collect();
    let value = texts.join("\n---\n\n");
    let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    (!texts.is_empty()).then(|| Hover { contents, range: Some(places.range(location)) })
}

/// What stands at a place, and the arrays that it is about: a reference, a specification, or else a computation.
fn subject<'o>(
    outcome: &'o AssistOutcome,
    path: &Path,
    at: LineColumn,
) -> Option<(&'o Location, Vec<&'o AssistedArray>)> {
    let arrays = outcome.computations.iter().flat_map(|computation| &computation.arrays);
    let reads = arrays.flat_map(|array| array.reads.iter().map(move |read| (&read.location, array)));
    let here = reads.filter(|(location, _)| location.path == path && holds(location, at));
    // Of references within each other the innermost begins last.
    let innermost = here.max_by_key(|(location, _)| location.start);
    if let Some((location, array)) = innermost {
        return Some((location, vec![array]));
    }
    if let Some(written) = outcome.specifications.iter().find(|written| holds(&written.location, at)) {
        let computation = outcome.computations.iter().find(|one| one.location == written.statement)?;
        let is_meant = |array: &&AssistedArray| written.arrays.contains(&array.name.to_ascii_lowercase());
        return Some((&written.location, computation.arrays.iter().filter(is_meant).collect()));
    }
    let computation: &AssistedComputation = outcome.computations.iter().find(|one| holds(&one.location, at))?;
    Some((&computation.location, computation.arrays.iter().collect()))
}

/// What is said of an array: words, a picture, the specification.
fn array_text(array: &AssistedArray) -> String {
    let mut text = format!("{}\n", words(array));
    if let Some(picture) = picture(array.reads.iter().map(|read| read.offsets.as_slice())) {
        let _ = write!(text, "\n```text\n{picture}```\n");
    }
    for specification in &array.specifications {
        let _ = write!(text, "\n`{specification}`\n");
    }
    if let Some(reason) = array.reason {
        let _ = write!(text, "\nNo specification: {reason}\n");
    }
    text
}

/// What is read, in a sentence.
fn words(array: &AssistedArray) -> String {
    let mut offsets: Vec<(&[Option<i64>], &str)> =
        array.reads.iter().map(|read| (read.offsets.as_slice(), read.text.as_str())).collect();
    offsets.sort_unstable();
    offsets.dedup();
    let name = &array.name;
    let times = if array.read_once { ", each once" } else { "" };
    let texts: Vec<&str> = offsets.iter().take(MOST_OFFSETS).map(|(_, text)| *text).collect();
    match offsets.len() {
        0 => format!("What is read of **{name}** can't be described"),
        1 => format!("**{name}** is read at offset {}{times}", texts.join(", ")),
        count if count > MOST_OFFSETS => format!("**{name}** is read at {count} offsets{times}"),
        _ => format!("**{name}** is read at offsets {}{times}", texts.join(", ")),
    }
}
