//! Changes to source files: whole comment lines, and nothing else.
//!
//! The edits that this program makes to a person's file are to put comment lines above statements and to replace
//! comment lines. Everything here keeps that promise small enough to check: an insertion is a list of
//! [`LineInsertion`]s, [`apply`] makes the new text, [`without_insertions`] takes the lines out again (the caller
//! compares with the original before it writes); a replacement is a list of [`LineChange`]s, made by [`change()`] and
//! verified by [`is_change_of`]. [`write_atomically`] replaces a file in one step or not at all. [`unified_diff`] shows
//! the same to a person.
//!
//! Glossary: a *line* ends with LF; a CR before it belongs to the line end (CRLF). In a text without any LF it ends
//! with CR, else a lone CR is an ordinary byte.

use crate::source::line_end;

mod attributes;
mod change;
mod diff;
mod temporary;
mod wrap;
mod write;

pub use change::{LineChange, change, in_turn, is_change_of};
pub use diff::unified_diff;
pub use temporary::remove_all as remove_temporary_files;
pub use wrap::wrapped;
pub use write::{NewFile, WriteError, write_atomically, write_new};

/// The byte order mark that some editors put at the start of UTF-8 text. It belongs to no line.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One comment line to be put in front of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineInsertion {
    /// The line (from 1) of the original text above which it goes; a number behind the last line means the last line.
    pub before_line: u32,
    /// The line, without line end.
    pub text: Vec<u8>,
}

/// The text with the lines inserted: those for one line in the order of the list, each with the line end of the line
/// that it stands above. Every other byte stays.
pub fn apply(original: &[u8], insertions: &[LineInsertion]) -> Vec<u8> {
    let (_, text) = split_byte_order_mark(original);
    if text.is_empty() {
        // There is no line above which anything could go.
        return original.to_vec();
    }
    let insertions = in_order(insertions, lines(text).len()).into_iter();
    let as_change = |(index, insertion): (usize, &LineInsertion)| LineChange {
        first_line: index as u32 + 1,
        line_count: 0,
        lines: vec![insertion.text.clone()],
    };
    change(original, &insertions.map(as_change).collect::<Vec<_>>())
}

/// The inverse of [`apply`]: the edited text without the lines that were inserted, or `None` when one of them isn't
/// where it should be.
pub fn without_insertions(edited: &[u8], insertions: &[LineInsertion]) -> Option<Vec<u8>> {
    let (mark, text) = split_byte_order_mark(edited);
    let lines = lines(text);
    let mut result = mark.to_vec();
    let mut rest = lines.iter();
    let mut passed = 0;
    for (number, insertion) in in_order(insertions, lines.len().saturating_sub(insertions.len())) {
        for line in rest.by_ref().take(number - passed) {
            result.extend_from_slice(line);
        }
        passed = number;
        if without_line_end(rest.next()?, line_end(text)) != insertion.text {
            return None;
        }
    }
    rest.for_each(|line| result.extend_from_slice(line));
    Some(result)
}

/// The insertions by line index (from 0, at most that of the last line), those of one line in their order.
fn in_order(insertions: &[LineInsertion], line_count: usize) -> Vec<(usize, &LineInsertion)> {
    let last = line_count.saturating_sub(1);
    let mut ordered: Vec<_> =
        insertions.iter().map(|insertion| ((insertion.before_line.max(1) as usize - 1).min(last), insertion)).collect();
    ordered.sort_by_key(|(number, _)| *number);
    ordered
}

/// The line end for a line that goes above the line at `index`: the last line may have none, and then the line above it
/// decides.
fn line_end_at<'text>(lines: &[&'text [u8]], index: usize, line_end: u8) -> &'text [u8] {
    let ends = [Some(index), index.checked_sub(1)];
    ends.into_iter()
        .flatten()
        .filter_map(|at| lines.get(at))
        .map(|line| &line[without_line_end(line, line_end).len()..])
        .find(|end| !end.is_empty())
        .unwrap_or(b"\n")
}

fn split_byte_order_mark(text: &[u8]) -> (&[u8], &[u8]) {
    let length = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    text.split_at(length)
}

/// The lines of a text, each with its line end.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let line_end = line_end(text);
    text.split_inclusive(|&byte| byte == line_end).collect()
}

/// A line of a text whose lines end with this byte.
fn without_line_end(line: &[u8], line_end: u8) -> &[u8] {
    let Some(text) = line.strip_suffix(&[line_end]) else { return line };
    text.strip_suffix(b"\r").filter(|_| line_end == b'\n').unwrap_or(text)
}
