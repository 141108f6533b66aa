//! How long a file is, and whether it was understood (paper, Table 1).

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::source::{SourceForm, SourceNote};
use crate::syntax::Tree;

/// The sizes of some files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Sizes {
    /// Files.
    pub files: u64,
    /// Files of which everything was understood: each statement, each preprocessor line, and how constructs nest.
    pub understood_files: u64,
    /// Lines that are neither blank nor comment.
    pub physical_lines: u64,
    /// Those of them in files that were understood.
    pub understood_physical_lines: u64,
    /// Lines, whatever stands on them.
    pub raw_lines: u64,
    /// Those of them in files that were understood.
    pub understood_raw_lines: u64,
    /// Statements, those of included files too.
    pub statements: u64,
    /// Statements that were not understood.
    #[serde(alias = "notUnderstood")]
    pub not_understood_statements: u64,
}

impl Sizes {
    /// The size of one file with this text that gave this tree.
    pub fn of_file(bytes: &[u8], tree: &Tree) -> Self {
        let unparsed = tree.not_understood().count();
        let stray = tree.source.notes.iter().filter(|(_, note)| is_trouble(note)).count();
        let (mut raw_lines, mut physical_lines) = (0, 0);
        for line in lines(bytes) {
            raw_lines += 1;
            physical_lines += u64::from(!is_blank_or_comment(line, tree.source.form));
        }
        let is_understood = u64::from(unparsed == 0 && stray == 0 && tree.unbalanced.is_empty());
        Sizes {
            files: 1,
            understood_files: is_understood,
            physical_lines,
            understood_physical_lines: is_understood * physical_lines,
            raw_lines,
            understood_raw_lines: is_understood * raw_lines,
            statements: tree.statements.len() as u64,
            not_understood_statements: unparsed as u64,
        }
    }

    /// Each number with its name; the paper's Table 1 holds the first six.
    pub fn named(self) -> [(&'static str, u64); 8] {
        [
            ("files", self.files),
            ("understood files", self.understood_files),
            ("physical lines", self.physical_lines),
            ("understood physical lines", self.understood_physical_lines),
            ("raw lines", self.raw_lines),
            ("understood raw lines", self.understood_raw_lines),
            ("statements", self.statements),
            ("statements not understood", self.not_understood_statements),
        ]
    }

    /// The sizes of these files and of others.
    pub fn plus(self, other: Self) -> Self {
        Sizes {
            files: self.files.saturating_add(other.files),
            understood_files: self.understood_files.saturating_add(other.understood_files),
            physical_lines: self.physical_lines.saturating_add(other.physical_lines),
            understood_physical_lines: self.understood_physical_lines.saturating_add(other.understood_physical_lines),
            raw_lines: self.raw_lines.saturating_add(other.raw_lines),
            understood_raw_lines: self.understood_raw_lines.saturating_add(other.understood_raw_lines),
            statements: self.statements.saturating_add(other.statements),
            not_understood_statements: self.not_understood_statements.saturating_add(other.not_understood_statements),
        }
    }
}

fn is_trouble(note: &SourceNote) -> bool {
    match note {
        SourceNote::NotUnderstood { .. }
        | SourceNote::Preprocessor { .. }
        | SourceNote::UnbalancedConditional { .. } => true,
        SourceNote::NotIncluded { .. } | SourceNote::FormGuessed { .. } | SourceNote::LineLengthGuessed { .. } => false,
    }
}

/// The lines of a text, which end in a line feed, a carriage return, or both.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let line = &rest[..end];
        let end_length = match &rest[end..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        rest = &rest[end + end_length..];
        Some(line)
    })
}

/// Whether a line holds no code. Directives such as `!$omp` stand in comments.
fn is_blank_or_comment(line: &[u8], form: SourceForm) -> bool {
    let is_fixed_comment = form == SourceForm::Fixed && matches!(line.first(), Some(b'c' | b'C' | b'*' | b'd' | b'D'));
    is_fixed_comment || line.trim_ascii_start().first().is_none_or(|&byte| byte == b'!')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn physical(text: &str, form: SourceForm) -> (usize, usize) {
        let all: Vec<&[u8]> = lines(text.as_bytes()).collect();
        (all.len(), all.iter().filter(|line| !is_blank_or_comment(line, form)).count())
    }

    #[test]
    fn lines_end_in_every_way() {
        assert_eq!(physical("a\nb\r\nc\rd", SourceForm::Free), (4, 4));
        assert_eq!(physical("", SourceForm::Free), (0, 0));
        assert_eq!(physical("a\n\n", SourceForm::Free), (2, 1));
    }

    #[test]
    fn comments_are_told_by_the_form() {
        let text = "c comment\n* comment\n! comment\n   ! comment\n!$omp parallel\n      x = 1 ! code\n#define A\n\t\n";
        assert_eq!(physical(text, SourceForm::Fixed), (8, 2));
        assert_eq!(physical("call f\ncall g\n ! no\n", SourceForm::Free), (3, 2));
    }
}
