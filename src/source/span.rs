//! Positions: one 32-bit offset space for each translation unit.
//!
//! A translation unit is the file that was named and everything it includes. Each of these texts occupies an interval
//! of one offset space: the named file from 0, the included ones behind it in the order of their inclusion (with one
//! unused offset between two texts, so that no span touches two). A [`Span`] is therefore two numbers and still says
//! which file it lies in, and an AST node needs no file id.

use std::path::{Path, PathBuf};

/// A half-open range of byte offsets in a translation unit's offset space, always of *original* text: a token that came
/// out of a macro lies where the macro was used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// Whether the other span lies inside this one.
    pub fn encloses(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A position as a person counts it: both from 1, the column in characters (a byte that is not valid UTF-8 counts as
/// one character, a tab as one).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One text of a translation unit: the named file or an included one.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// Path as given or as found on the search path.
    pub path: PathBuf,
    /// The bytes as they are on disk.
    pub bytes: Vec<u8>,
    /// Offset of the first byte in the unit's offset space.
    pub base: u32,
    /// Offsets (from the start of this text) of the first byte of each line.
    line_starts: Vec<u32>,
    /// The last byte of a line end.
    line_end: u8,
}

/// The byte that ends a line of a text: LF, before which a CR belongs to the line end too; where no LF is, as in files
/// of the first Macintoshes, CR. (A CR between lines that end with LF is a blank.)
pub fn line_end(text: &[u8]) -> u8 {
    let has_line_feed = memchr::memchr(b'\n', text).is_some();
    if !has_line_feed && memchr::memchr(b'\r', text).is_some() { b'\r' } else { b'\n' }
}

impl SourceText {
    fn new(path: PathBuf, bytes: Vec<u8>, base: u32) -> Self {
        let line_end = line_end(&bytes);
        let mut line_starts = vec![0];
        line_starts.extend(memchr::memchr_iter(line_end, &bytes).map(|at| at as u32 + 1));
        SourceText { path, bytes, base, line_starts, line_end }
    }

    /// Number of lines; a last line without a newline counts.
    pub fn line_count(&self) -> u32 {
        let last = *self.line_starts.last().unwrap_or(&0);
        self.line_starts.len() as u32 - u32::from(last as usize == self.bytes.len())
    }

    /// Bytes of a line (from 1), without its line end.
    pub fn line(&self, line: u32) -> &[u8] {
        let start = self.line_start(line) as usize;
        let rest = &self.bytes[start..];
        let length = memchr::memchr(self.line_end, rest).unwrap_or(rest.len());
        let text = &rest[..length];
        text.strip_suffix(b"\r").unwrap_or(text)
    }

    /// Offset, from the start of this text, of the first byte of a line (from 1; behind the last line: the end).
    pub fn line_start(&self, line: u32) -> u32 {
        self.line_starts.get(line.saturating_sub(1) as usize).copied().unwrap_or(self.bytes.len() as u32)
    }

    /// Line and column of a byte of this text.
    pub fn line_column(&self, local: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|&start| start <= local).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (local as usize).min(self.bytes.len());
        let before = &self.bytes[start..end];
        // A byte order mark is no character of the text.
        let before = if start == 0 { before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(before) } else { before };
        LineColumn { line: line as u32, column: character_count(before) + 1 }
    }
}

/// UTF-8's mark at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Number of characters of bytes that may or may not be UTF-8: each maximal invalid sequence counts as one.
fn character_count(bytes: &[u8]) -> u32 {
    if bytes.is_ascii() {
        return bytes.len() as u32;
    }
    bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() as u32 + u32::from(!chunk.invalid().is_empty())).sum()
}

/// All texts of one translation unit.
#[derive(Clone, Debug, Default)]
pub struct SourceTexts {
    texts: Vec<SourceText>,
}

impl SourceTexts {
    /// The texts of a unit that so far is one file.
    pub fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        SourceTexts { texts: vec![SourceText::new(path.into(), bytes, 0)] }
    }

    /// Adds an included text and returns its index; `None` when the offset space (4 GiB) is full.
    pub fn add(&mut self, path: impl Into<PathBuf>, bytes: Vec<u8>) -> Option<usize> {
        let base = self.texts.last().map_or(0, |last| u64::from(last.base) + last.bytes.len() as u64 + 1);
        if base + bytes.len() as u64 >= u64::from(u32::MAX) {
            return None;
        }
        self.texts.push(SourceText::new(path.into(), bytes, base as u32));
        Some(self.texts.len() - 1)
    }

    /// The named file.
    pub fn root(&self) -> &SourceText {
        &self.texts[0]
    }

    /// All texts, the named file first.
    pub fn all(&self) -> &[SourceText] {
        &self.texts
    }

    /// The first text of a file.
    pub fn of_path(&self, path: &Path) -> Option<&SourceText> {
        self.texts.iter().find(|text| text.path == path)
    }

    /// The text in which an offset lies.
    pub fn text_at(&self, offset: u32) -> &SourceText {
        &self.texts[self.index_at(offset)]
    }

    /// The index of that text among all.
    pub fn index_at(&self, offset: u32) -> usize {
        self.texts.partition_point(|text| text.base <= offset).max(1) - 1
    }

    /// A span that ends where the last of these offsets in the text is in which it begins. (A statement may go on in an
    /// included text, and end there.)
    pub(super) fn within_text(&self, span: Span, offsets: &[u32]) -> Span {
        if self.texts.len() == 1 {
            return span;
        }
        let text = self.text_at(span.start);
        let lies_inside = |&&offset: &&u32| offset >= text.base && offset - text.base <= text.bytes.len() as u32;
        match offsets.iter().rev().find(lies_inside) {
            Some(&last) => Span::new(span.start, last.max(span.start) + 1),
            None => span,
        }
    }

    /// Whether a span lies in the named file (not in an included one).
    pub fn in_root(&self, span: Span) -> bool {
        span.start as usize <= self.root().bytes.len()
    }

    /// The original bytes under a span.
    pub fn bytes(&self, span: Span) -> &[u8] {
        let text = self.text_at(span.start);
        let from = ((span.start - text.base) as usize).min(text.bytes.len());
        let to = ((span.end.saturating_sub(text.base)) as usize).clamp(from, text.bytes.len());
        &text.bytes[from..to]
    }

    /// Path, first and last position (the end is behind the last character) of a span.
    pub fn locate(&self, span: Span) -> (&Path, LineColumn, LineColumn) {
        let text = self.text_at(span.start);
        let end = span.end.max(span.start) - text.base;
        (&text.path, text.line_column(span.start - text.base), text.line_column(end))
    }
}
