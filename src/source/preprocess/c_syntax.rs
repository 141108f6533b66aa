//! What a preprocessor for C makes of lines that are no directives: comments in `/* … */`, and backslashes that join
//! lines.

use std::borrow::Cow;

use memchr::memmem;

use crate::source::classes::first_nonblank;
use crate::source::cook::Context;
use crate::source::prescan::{Frame, Prescanner};
use crate::source::prescanned::SourceForm;

impl Prescanner<'_> {
    /// The line with blanks for the end of a C comment that an earlier line began; `None` if nothing else is on it.
    pub(in crate::source) fn behind_c_comment<'l>(&self, line: &'l [u8], frame: &mut Frame) -> Option<Cow<'l, [u8]>> {
        if !frame.in_c_comment {
            return Some(Cow::Borrowed(line));
        }
        let behind = memmem::find(line, b"*/")? + 2;
        frame.in_c_comment = false;
        first_nonblank(&line[behind..])?;
        let mut rest = line.to_vec();
        rest[..behind].fill(b' ');
        Some(Cow::Owned(rest))
    }

    /// A line of code with blanks for its C comments. Where no line is a directive and the name of the file doesn't ask
    /// for a preprocessor, only those at the beginning of a line are comments; nothing else can stand there.
    pub(in crate::source) fn without_c_comments<'l>(
        &self,
        line: Cow<'l, [u8]>,
        bytes: &[u8],
        frame: &mut Frame,
    ) -> Cow<'l, [u8]> {
        if !frame.has_c_comments || self.begins_as_comment(&line) {
            return line;
        }
        let begins_so = first_nonblank(&line).is_some_and(|first| line[first..].starts_with(b"/*"));
        if !self.preprocessor.is_used && !begins_so {
            return line;
        }
        let mut quote = match self.cooker.context {
            Context::Code => None,
            Context::Quoted(quote) => Some(quote),
            Context::Hollerith(_) => return line,
        };
        let mut line = line;
        let mut at = 0;
        while let Some(&byte) = line.get(at) {
            match (quote, byte) {
                (Some(delimiter), _) => quote = (byte != delimiter).then_some(delimiter),
                (None, b'\'' | b'"') => quote = Some(byte),
                (None, b'!') => break,
                // Except for `/*(…)`, the end of a FORMAT, nothing in Fortran looks so.
                (None, b'/') if line[at..].starts_with(b"/*") && line.get(at + 2) != Some(&b'(') => {
                    let closed = memmem::find(&line[at + 2..], b"*/").map(|length| at + length + 4);
                    let Some(end) = closed.or_else(|| frame.begin_c_comment(bytes).then_some(line.len())) else {
                        break;
                    };
                    line.to_mut()[at..end].fill(b' ');
                    at = end;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        line
    }

    /// Whether a line is a comment by its first sign.
    pub(super) fn begins_as_comment(&self, line: &[u8]) -> bool {
        match self.form {
            SourceForm::Fixed => matches!(line.first(), Some(b'c' | b'C' | b'*' | b'd' | b'D' | b'!')),
            SourceForm::Free => first_nonblank(line).is_some_and(|first| line[first] == b'!'),
        }
    }

    /// The text of a line of code without the backslash at its end, and whether there was one: then the next line goes
    /// on where this one ends, whatever its columns.
    pub(in crate::source) fn splice<'l>(&self, text: &'l [u8]) -> (&'l [u8], bool) {
        match text.strip_suffix(b"\\") {
            Some(head) if self.preprocessor.is_used => (head, true),
            _ => (text, false),
        }
    }
}
