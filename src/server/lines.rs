//! Positions as the protocol counts them: lines from 0, and in them UTF-16 code units.

use gen_lsp_types::{Position, Range};

use crate::diagnostics::Location;
use crate::source::{LineColumn, SourceText, SourceTexts};

/// A text with the beginnings of its lines, which end with LF, CR LF or CR.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// The lines of a text.
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        let ends = ends.filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        Lines { text, starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect() }
    }

    /// The line at this number without its end; empty behind the last.
    fn line(&self, number: usize) -> &'t str {
        let Some(&start) = self.starts.get(number) else { return "" };
        let end = self.starts.get(number + 1).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// The byte at a position; one behind the end of a line means the end, and one within a character its beginning.
    pub fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let line = self.line(position.line as usize);
        let mut units = 0;
        for (at, character) in line.char_indices() {
            units += character.len_utf16();
            if units > position.character as usize {
                return start + at;
            }
        }
        start + line.len()
    }

    /// The position of a byte.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let character = self.text[self.starts[line]..offset].encode_utf16().count();
        Position { line: line as u32, character: character as u32 }
    }
}

/// The text of a document with both ways to count in it.
#[derive(Debug)]
pub struct Places<'t> {
    lines: Lines<'t>,
    source: SourceTexts,
}

impl<'t> Places<'t> {
    /// The places of a text.
    pub fn new(text: &'t str) -> Self {
        Places { lines: Lines::new(text), source: SourceTexts::new("", text.as_bytes().to_vec()) }
    }

    fn source(&self) -> &SourceText {
        self.source.root()
    }

    /// The range of a location.
    pub fn range(&self, location: &Location) -> Range {
        Range { start: self.position(location.start), end: self.position(location.end) }
    }

    /// The position of a line and column.
    pub fn position(&self, at: LineColumn) -> Position {
        let start = self.source().line_start(at.line) as usize;
        let rest = &self.lines.text[start..];
        // A byte order mark is no character of the text.
        let mark = if start == 0 && rest.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let columns = at.column.saturating_sub(1) as usize;
        let length = rest[mark..].char_indices().nth(columns).map_or(rest.len(), |(at, _)| mark + at);
        self.lines.position(start + length)
    }

    /// The position of the beginning of a line.
    pub fn line_start(&self, line: u32) -> Position {
        self.lines.position(self.source().line_start(line) as usize)
    }

    /// The line and column of a position.
    pub fn line_column(&self, position: Position) -> LineColumn {
        self.source().line_column(self.lines.offset(position) as u32)
    }

    /// The text of a line, from 1, without its end.
    pub fn line(&self, line: u32) -> &[u8] {
        self.source().line(line)
    }

    /// The end of a line that is put in front of another one.
    pub fn line_end(&self) -> &'static str {
        match self.lines.text.find(['\n', '\r']).map(|at| &self.lines.text[at..]) {
            Some(end) if end.starts_with("\r\n") => "\r\n",
            Some(end) if end.starts_with('\r') => "\r",
            _ => "\n",
        }
    }
}

/// Whether a position of a text lies in a location, its end included.
pub fn holds(location: &Location, at: LineColumn) -> bool {
    location.start <= at && at <= location.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn position(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn characters_beyond_the_first_plane_are_two_units() {
        let lines = Lines::new("a𝔸b\r\nä\rc");
        assert_eq!(lines.position(5), position(0, 3));
        assert_eq!(lines.offset(position(0, 3)), 5);
        // The second half of a character is no position: it means the character.
        assert_eq!(lines.offset(position(0, 2)), 1);
        assert_eq!(lines.offset(position(0, 99)), 6);
        assert_eq!(lines.position(10), position(1, 1));
        assert_eq!(lines.offset(position(2, 0)), 11);
        assert_eq!(lines.offset(position(9, 0)), lines.text.len());
    }

    #[test]
    fn columns_are_characters_and_a_mark_is_none() {
        let places = Places::new("\u{feff}ab\nä𝔸b = c\n");
        assert_eq!(places.position(LineColumn { line: 1, column: 2 }), position(0, 2));
        assert_eq!(places.position(LineColumn { line: 2, column: 3 }), position(1, 3));
        assert_eq!(places.line_column(position(1, 3)), LineColumn { line: 2, column: 3 });
        assert_eq!(places.line_start(2), position(1, 0));
        assert_eq!(places.position(LineColumn { line: 9, column: 1 }), position(2, 0));
    }

    proptest! {
        #[test]
        fn positions_and_offsets_agree(text in "([abä𝔸]{0,3}(\n|\r\n|\r)?){0,6}") {
            let lines = Lines::new(&text);
            for (offset, character) in text.char_indices() {
                let is_inside_end = character == '\n' && text[..offset].ends_with('\r');
                if !is_inside_end {
                    prop_assert_eq!(lines.offset(lines.position(offset)), offset);
                }
            }
        }
    }
}
