//! A file read from front to back: a window of bytes, and the line and column of the first of them.
//!
//! Memory does not grow with the file: what was read is dropped when the window is filled again. Only what is looked
//! ahead at is kept, and one record at a time where a format wants one.

use std::io::Read;

/// How many bytes are read at once.
const CHUNK: usize = 1 << 16;

/// A place in a data file: both count from 1, columns in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A data file, and how far it was read.
pub struct Cursor<'r> {
    reader: Box<dyn Read + Send + 'r>,
    window: Vec<u8>,
    /// The first byte of the window that was not consumed.
    at: usize,
    is_exhausted: bool,
    line: u32,
    /// The offset in the window (perhaps before it) of the first byte of the line.
    line_start: isize,
    /// The same of the line before, if that is known.
    line_before: Option<isize>,
    /// Whether the line before stays in the window.
    keeps_lines: bool,
    /// The error that ended the file, if one did.
    failure: Option<std::io::Error>,
}

impl<'r> Cursor<'r> {
    /// The beginning of a file.
    pub fn new(reader: impl Read + Send + 'r) -> Self {
        Cursor {
            reader: Box::new(reader),
            window: Vec::with_capacity(CHUNK),
            at: 0,
            is_exhausted: false,
            line: 1,
            line_start: 0,
            line_before: None,
            keeps_lines: false,
            failure: None,
        }
    }

    /// Keeps the line before the one that is read, for [`Self::back`].
    pub fn keep_lines(&mut self) {
        self.keeps_lines = true;
    }

    /// Whether it does.
    pub fn keeps_lines(&self) -> bool {
        self.keeps_lines
    }

    /// Goes back to the beginning of the line before; of the last line, where that has no end. False if that is not
    /// known.
    pub fn back(&mut self) -> bool {
        let is_line_begun = self.at as isize != self.line_start;
        let start = match (is_line_begun, self.peek()) {
            (true, Some(_)) => return false,
            (true, None) => self.line_start,
            (false, _) => match self.line_before.take() {
                Some(start) => {
                    self.line -= 1;
                    start
                }
                None => return false,
            },
        };
        let Ok(at) = usize::try_from(start) else { return false };
        (self.at, self.line_start) = (at, start);
        true
    }

    fn begin_line(&mut self) {
        self.line += 1;
        self.line_before = Some(self.line_start);
        self.line_start = self.at as isize;
    }

    /// The next byte, which stays; `None` at the end of the file.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        match self.window.get(self.at) {
            Some(byte) => Some(*byte),
            None => self.ahead(0),
        }
    }

    /// The byte so many behind the next.
    #[inline]
    pub fn ahead(&mut self, count: usize) -> Option<u8> {
        while self.at + count >= self.window.len() {
            if !self.fill() {
                return None;
            }
        }
        self.window.get(self.at + count).copied()
    }

    /// Consumes the next byte.
    #[inline]
    pub fn advance(&mut self) {
        if let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'\n' {
                self.begin_line();
            }
        }
    }

    /// Consumes so many bytes.
    pub fn skip(&mut self, count: usize) {
        (0..count).for_each(|_| self.advance());
    }

    /// Consumes and gives the next byte.
    #[inline]
    pub fn next_byte(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.advance();
        byte
    }

    /// The place of the next byte.
    #[inline]
    pub fn place(&self) -> Place {
        Place { line: self.line, column: (self.at as isize - self.line_start) as u32 + 1 }
    }

    /// The place of the byte so many behind the next.
    pub fn place_of(&mut self, count: usize) -> Place {
        let Place { mut line, mut column } = self.place();
        for offset in 0..count {
            (line, column) = if self.ahead(offset) == Some(b'\n') { (line + 1, 1) } else { (line, column + 1) };
        }
        Place { line, column }
    }

    /// Why the file could not be read to its end, if so.
    pub fn take_failure(&mut self) -> Option<std::io::Error> {
        self.failure.take()
    }

    /// Consumes the rest of the line and what ends it. Gives false when the file ends before the line does.
    pub fn skip_line(&mut self) -> bool {
        self.consume_line(&mut |_| {})
    }

    /// Consumes the rest of the line, which it gives, and what ends it. Gives false when the file ends before the line
    /// does.
    pub fn take_line(&mut self, line: &mut Vec<u8>) -> bool {
        self.consume_line(&mut |bytes| line.extend_from_slice(bytes))
    }

    fn consume_line(&mut self, take: &mut dyn FnMut(&[u8])) -> bool {
        loop {
            match memchr::memchr(b'\n', &self.window[self.at..]) {
                Some(offset) => {
                    take(&self.window[self.at..self.at + offset]);
                    self.at += offset + 1;
                    self.begin_line();
                    return true;
                }
                None => {
                    take(&self.window[self.at..]);
                    self.at = self.window.len();
                    if !self.fill() {
                        return false;
                    }
                }
            }
        }
    }

    /// Reads more bytes behind the window; false when there are none.
    #[cold]
    fn fill(&mut self) -> bool {
        if self.is_exhausted {
            return false;
        }
        let start = if self.keeps_lines { self.line_before.unwrap_or(self.line_start) } else { self.at as isize };
        let dropped = usize::try_from(start).unwrap_or(self.at);
        self.window.drain(..dropped);
        self.line_start -= dropped as isize;
        self.line_before = self.line_before.map(|start| start - dropped as isize);
        self.at -= dropped;
        let kept = self.window.len();
        self.window.resize(kept + CHUNK, 0);
        let count = loop {
            match self.reader.read(&mut self.window[kept..]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    break 0;
                }
                Ok(count) => break count,
            }
        };
        self.window.truncate(kept + count);
        self.is_exhausted = count == 0;
        count > 0
    }
}

impl std::fmt::Debug for Cursor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cursor").field("place", &self.place()).finish_non_exhaustive()
    }
}
