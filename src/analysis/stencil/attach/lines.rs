//! The lines of a specification comment, and others in their place.

use std::path::PathBuf;

use super::whole_span;
use crate::analysis::stencil::spec::SpecificationText;
use crate::diagnostics::edit::LineChange;
use crate::syntax::Tree;

/// The lines of one comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommentLines {
    /// The file that they stand in.
    pub path: PathBuf,
    /// Whether that is the named file; else it is included.
    pub is_in_root: bool,
    /// The first one, from 1.
    first: u32,
    /// How many there are.
    count: u32,
    /// What stands before the text: blanks, sign and marker.
    sign: Vec<u8>,
    /// The comment on the last line, from its `!` on.
    note: Vec<u8>,
}

impl CommentLines {
    /// The lines of a comment; `None` if something else comes before it on its line that is no part of the file.
    pub fn of(tree: &Tree, text: &SpecificationText) -> Option<Self> {
        let texts = &tree.source.texts;
        let span = whole_span(text);
        let (path, start, end) = texts.locate(span);
        let own = texts.text_at(span.start);
        let length = span.start.checked_sub(own.base + own.line_start(start.line))?;
        let behind = (span.end - own.base - own.line_start(end.line)) as usize;
        let note = own.line(end.line).get(behind..).unwrap_or_default().trim_ascii();
        Some(CommentLines {
            path: path.to_path_buf(),
            is_in_root: texts.in_root(span),
            first: start.line,
            count: end.line - start.line + 1,
            sign: own.line(start.line).get(..length as usize)?.to_vec(),
            note: note.to_vec(),
        })
    }

    /// Whether the same stands around the text of both, and that is nothing but sign and marker.
    pub fn is_like(&self, other: &CommentLines) -> bool {
        self.sign == other.sign && self.note.is_empty() && other.note.is_empty()
    }

    /// The change that puts one line for each text there, with the sign and marker of the first line; the first of them
    /// keeps the comment on the last.
    pub fn instead(&self, texts: &[String]) -> LineChange {
        let line = |text: &String| [self.sign.as_slice(), text.as_bytes()].concat();
        let mut lines: Vec<Vec<u8>> = texts.iter().map(line).collect();
        if let Some(first) = lines.first_mut()
            && !self.note.is_empty()
        {
            first.extend([b" ", self.note.as_slice()].concat());
        }
        LineChange { first_line: self.first, line_count: self.count, lines }
    }
}
