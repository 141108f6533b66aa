//! The lines of files that were changed since a revision of their repository.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::files;
use super::revision::{self, Revision};
use crate::diagnostics::paths;
use crate::source::{SourceText, SourceTexts};

/// What a revision holds, to tell what was changed since.
#[derive(Debug)]
pub struct Changes {
    /// The files of the revision.
    files: HashSet<PathBuf>,
    /// Those whose bytes are others in the work tree, with their bytes in the revision.
    different: HashMap<PathBuf, Option<Vec<u8>>>,
}

impl Changes {
    /// Those since a revision of the repository in which a path lies.
    ///
    /// # Errors
    ///
    /// As of [`revision::read`].
    pub fn since(name: &str, path: &Path) -> anyhow::Result<Self> {
        let Revision { files, different, .. } = revision::read(name, path)?;
        Ok(Changes { files: files.into_iter().collect(), different })
    }

    /// The lines of a text that are changed.
    pub fn lines(&self, text: &SourceText) -> ChangedLines {
        let path = text.path.canonicalize().unwrap_or_else(|_| paths::resolved(&text.path));
        let before = match self.different.get(&path) {
            Some(before) => before.clone(),
            // The text may be one that stands for that of the file.
            None if self.files.contains(&path) => files::read(&path).ok(),
            None => None,
        };
        match before {
            Some(before) if before == text.bytes => ChangedLines::Some(Vec::new()),
            Some(before) => ChangedLines::Some(changed(SourceTexts::new(path, before).root(), text)),
            None => ChangedLines::All,
        }
    }
}

/// Lines of a text that are not as they were.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChangedLines {
    /// Every line: the file was not there.
    All,
    /// These, counted from 1. An empty range stands for lines that are gone between two that are there.
    Some(Vec<Range<u32>>),
}

impl ChangedLines {
    /// Whether one of the lines from `first` to `last` is changed, or something between them is gone.
    pub fn touch(&self, first: u32, last: u32) -> bool {
        let touches = |range: &Range<u32>| match range.is_empty() {
            true => first < range.start && range.start <= last,
            false => range.start <= last && first < range.end,
        };
        match self {
            ChangedLines::All => true,
            ChangedLines::Some(ranges) => ranges.iter().any(touches),
        }
    }
}

fn changed(before: &SourceText, now: &SourceText) -> Vec<Range<u32>> {
    fn lines(text: &SourceText) -> Vec<&[u8]> {
        (1..=text.line_count()).map(|line| text.line(line)).collect()
    }
    let (before, now) = (lines(before), lines(now));
    let operations = capture_diff_slices(Algorithm::Myers, &before, &now);
    let is_change = |operation: &&DiffOp| !matches!(operation, DiffOp::Equal { .. });
    let lines = |operation: &DiffOp| {
        let Range { start, end } = operation.new_range();
        start as u32 + 1..end as u32 + 1
    };
    operations.iter().filter(is_change).map(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn since(before: &str, now: &str) -> ChangedLines {
        let path = PathBuf::from("/nowhere/a.f90");
        let different = HashMap::from([(path.clone(), Some(before.as_bytes().to_vec()))]);
        let changes = Changes { files: HashSet::from([path.clone()]), different };
        changes.lines(SourceTexts::new(path, now.into()).root())
    }

    #[test]
    fn lines_that_came_or_changed_are_told_from_those_that_moved() {
        let lines = since("a\nb\nc\nd\n", "new\na\nb\nother\nd\n");
        let touched: Vec<u32> = (1..=5).filter(|&line| lines.touch(line, line)).collect();
        assert_eq!(touched, [1, 4]);
        assert!(lines.touch(2, 4) && !lines.touch(2, 3));
    }

    #[test]
    fn what_is_gone_changes_the_lines_around_it_together() {
        let lines = since("a &\n& b &\n& c\nd\n", "a &\n& c\nd\n");
        assert!(lines.touch(1, 2));
        assert!(!lines.touch(1, 1) && !lines.touch(2, 2) && !lines.touch(3, 3));
    }

    #[test]
    fn line_ends_are_no_part_of_lines() {
        assert_eq!(since("a\r\nb\r\n", "a\nb\n"), ChangedLines::Some(Vec::new()));
    }

    #[test]
    fn a_file_that_was_not_there_is_new() {
        let changes = Changes { files: HashSet::new(), different: HashMap::new() };
        assert_eq!(changes.lines(SourceTexts::new("/nowhere/a.f90", Vec::new()).root()), ChangedLines::All);
    }
}
