//! Two preprocessors of Fortran's own: fypp (`#:if`, `$:call`, `${name}$`) and pFUnit (`@test`).
//!
//! Their files are read as they stand, once: directives are left out, so every branch and every body of a macro is
//! read, and an inline expression `${…}$` stands for a name, made of its letters, that takes as many bytes. What such
//! text hides is not known: the statements that it stands in are marked ([`LogicalStatement::hides`]), and nothing is
//! specified on them.
//!
//! [`LogicalStatement::hides`]: crate::source::LogicalStatement::hides

use std::borrow::Cow;

use memchr::memmem;

use super::kinds::HIDDEN_STATEMENT;
use crate::source::classes::{first_nonblank, trim_end};
use crate::source::cook::Origin;
use crate::source::prescan::{Frame, Prescanner};

/// What opens and closes text that fypp evaluates within a line.
const INLINE: [(&[u8], &[u8]); 3] = [(b"${", b"}$"), (b"@{", b"}@"), (b"#{", b"}#")];

impl Prescanner<'_> {
    /// Takes in a line if it is a directive of fypp or pFUnit, with the lines that continue it, and says whether it
    /// did.
    pub(super) fn foreign_directive(&mut self, line: &[u8], offset: u32, bytes: &[u8], frame: &mut Frame) -> bool {
        let Some(first) = first_nonblank(line) else { return false };
        let (fypp, pfunit) = (self.preprocessor.is_fypp, self.preprocessor.is_pfunit);
        let makes_statements = match &line[first..] {
            [b'#', b':' | b'!', ..] if fypp => false,
            [b'$' | b'@', b':', ..] if fypp => true,
            [b'@', next, ..] if pfunit && next.is_ascii_alphabetic() => false,
            _ => return false,
        };
        let is_comment = line[first..].starts_with(b"#!");
        let mut last = line;
        while !is_comment && trim_end(last).ends_with(b"&") && frame.position < bytes.len() {
            last = frame.next_line(bytes).0;
        }
        if makes_statements && self.cooker.is_open() {
            self.cooker.hides = true;
        } else if makes_statements {
            self.cooker.begin_line();
            self.cooker.hides = true;
            self.cooker.cook(HIDDEN_STATEMENT, Origin::Macro(offset + first as u32));
            self.finish_statement();
        }
        true
    }

    /// A line of code with names of the same lengths for the text that fypp evaluates in it.
    pub(in crate::source) fn with_names_for_inline<'l>(&mut self, line: Cow<'l, [u8]>) -> Cow<'l, [u8]> {
        self.cooker.line_hides = false;
        if !self.preprocessor.is_fypp || self.begins_as_comment(&line) {
            return line;
        }
        let mut line = line;
        let mut from = 0;
        while let Some((start, end)) = inline(&line, from) {
            // The macro call `@{name}@` may be a statement of its own, too.
            for byte in &mut line.to_mut()[start..end] {
                *byte = if byte.is_ascii_alphanumeric() { byte.to_ascii_lowercase() } else { b'_' };
            }
            self.cooker.line_hides = true;
            from = end;
        }
        self.cooker.hides |= self.cooker.line_hides;
        line
    }
}

/// The next text from a place on that fypp evaluates, its signs included. Inline conditions reach to the last sign of
/// the line.
fn inline(line: &[u8], from: usize) -> Option<(usize, usize)> {
    let rest = &line[from..];
    let candidates = INLINE.iter().filter_map(|(open, close)| memmem::find(rest, open).map(|at| (at, *close)));
    let (at, close) = candidates.min_by_key(|(at, _)| *at)?;
    let inside = &rest[at + 2..];
    let length = if close == b"}#" { memmem::rfind(inside, close) } else { memmem::find(inside, close) }?;
    Some((from + at, from + at + 2 + length + 2))
}
