//! Replacing whole lines.

use super::{line_end_at, lines, split_byte_order_mark, without_line_end};
use crate::source::line_end;
use std::collections::BTreeSet;

/// Lines of a text and what stands there instead.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineChange {
    /// The first line to be replaced, from 1; or, with a count of 0, the line above which the new ones go.
    pub first_line: u32,
    /// Number of lines to be replaced.
    pub line_count: u32,
    /// The new lines, without line ends.
    pub lines: Vec<Vec<u8>>,
}

impl LineChange {
    /// The new lines as text; `None` if one isn't Unicode.
    pub fn unicode_lines(&self) -> Option<Vec<&str>> {
        self.lines.iter().map(|line| std::str::from_utf8(line).ok()).collect()
    }

    fn first(&self) -> usize {
        self.first_line.max(1) as usize - 1
    }

    fn end(&self) -> usize {
        self.first() + self.line_count as usize
    }
}

/// Changes by place, each once; of two that would touch the same lines in different ways the first.
pub fn in_turn<'c>(changes: impl Iterator<Item = &'c LineChange>) -> Vec<LineChange> {
    let mut next = 0;
    let mut changes: Vec<LineChange> = changes.collect::<BTreeSet<_>>().into_iter().cloned().collect();
    changes.retain(|change| {
        let is_free = change.first_line >= next;
        next = next.max(change.first_line + change.line_count);
        is_free
    });
    changes
}

/// The text with these changes, which are in order and don't overlap; one that reaches behind the last line changes
/// nothing there. Each new line gets the line end of the line whose place it takes. Every other byte stays.
pub fn change(original: &[u8], changes: &[LineChange]) -> Vec<u8> {
    let (mark, text) = split_byte_order_mark(original);
    let lines = lines(text);
    let mut result = mark.to_vec();
    let mut next = 0;
    for change in changes {
        let first = change.first().clamp(next, lines.len());
        lines[next..first].iter().for_each(|line| result.extend_from_slice(line));
        let end = line_end_at(&lines, first.min(lines.len().saturating_sub(1)), line_end(text));
        for line in &change.lines {
            result.extend_from_slice(line);
            result.extend_from_slice(end);
        }
        next = change.end().clamp(first, lines.len());
    }
    lines[next..].iter().for_each(|line| result.extend_from_slice(line));
    result
}

/// Whether a text differs from the original by these changes only: the new lines stand where they should, and around
/// them every line is as it was. (Written without a look at [`change`], as its witness.)
pub fn is_change_of(edited: &[u8], original: &[u8], changes: &[LineChange]) -> bool {
    let (old_mark, old) = split_byte_order_mark(original);
    let (new_mark, new) = split_byte_order_mark(edited);
    let line_end = line_end(new);
    let (old, new) = (lines(old), lines(new));
    let (mut at_old, mut at_new) = (0, 0);
    for change in changes {
        while at_old < change.first() {
            if old.get(at_old).is_none() || old.get(at_old) != new.get(at_new) {
                return false;
            }
            at_old += 1;
            at_new += 1;
        }
        for line in &change.lines {
            if new.get(at_new).is_none_or(|found| without_line_end(found, line_end) != line.as_slice()) {
                return false;
            }
            at_new += 1;
        }
        at_old += change.line_count as usize;
    }
    old_mark == new_mark && at_old <= old.len() && at_new <= new.len() && old[at_old..] == new[at_new..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line_change(first_line: u32, line_count: u32, lines: &[&str]) -> LineChange {
        LineChange { first_line, line_count, lines: lines.iter().map(|line| line.as_bytes().to_vec()).collect() }
    }

    #[test]
    fn lines_are_replaced_removed_and_added() {
        let text = b"one\r\ntwo\nthree\nfour";
        let changes = [line_change(1, 1, &["1", "1b"]), line_change(2, 0, &["1c"]), line_change(3, 1, &[])];
        let edited = change(text, &changes);
        assert_eq!(edited, b"1\r\n1b\r\n1c\ntwo\nfour");
        assert!(is_change_of(&edited, text, &changes));
        assert!(!is_change_of(b"1\r\n1b\r\n1c\ntwo\nfive", text, &changes));
        assert!(!is_change_of(text, text, &changes));
    }

    proptest! {
        #[test]
        fn every_change_is_recognised(
            text in "(\u{feff})?(([ab]{0,2}\r?\n){0,6}|([ab]{0,2}\r){0,6})[ab]{0,2}",
            parts in prop::collection::vec((0u32..3, 0u32..3, prop::collection::vec("[xy]{0,2}", 0..3)), 0..3),
        ) {
            let count = lines(split_byte_order_mark(text.as_bytes()).1).len() as u32;
            let mut next = 1;
            let mut changes = Vec::new();
            for (skipped, replaced, lines) in parts {
                let first_line = next + skipped;
                // Nothing goes behind a last line that has no end.
                if first_line + replaced > count {
                    break;
                }
                changes.push(LineChange { first_line, line_count: replaced, lines: lines.iter().map(|line| line.as_bytes().to_vec()).collect() });
                next = first_line + replaced;
            }
            let edited = change(text.as_bytes(), &changes);
            prop_assert!(is_change_of(&edited, text.as_bytes(), &changes));
        }
    }
}
