//! Fixed form (clause 6.3.3) and the DEC tab form: columns count.
//!
//! A statement is finished when the next initial line begins, because only then it is known that nothing continues it.

use super::classes::{first_nonblank, is_blank};
use super::cook::{Context, Origin, Stop};
use super::judge::label_value;
use super::prescan::Prescanner;
use super::span::Span;

/// What the columns of a line say that it is. Indices are into the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Card {
    /// Nothing but blanks.
    Blank,
    /// A comment from this index on.
    Comment(usize),
    /// The first line of a statement: its label field ends, and its text starts, at these indices.
    Initial { field_end: usize, text: usize, text_end: usize },
    /// A continuation line whose text starts at this index.
    Continuation { text: usize, text_end: usize },
}

/// Reads the columns of a line. `line_length` is the number of columns that count.
pub(super) fn read_card(line: &[u8], line_length: Option<u32>) -> Card {
    let limit = line_length.map_or(usize::MAX, |length| length as usize);
    let text_end = line.len().min(limit);
    match line.first() {
        None => return Card::Blank,
        Some(b'c' | b'C' | b'*' | b'd' | b'D' | b'!' | b'#') => return Card::Comment(0),
        Some(b'&') => return Card::Continuation { text: 1, text_end: text_end.max(1) },
        _ => {}
    }
    // Most lines have neither a label nor a continuation sign.
    if line.starts_with(b"      ") {
        return initial(line, 5, 6, text_end);
    }
    let mut at = 0;
    let mut has_label = false;
    while at < 5 && at < line.len() {
        match line[at] {
            b'\t' => break,
            b'!' => return Card::Comment(at),
            b'0'..=b'9' => has_label = true,
            byte if is_blank(byte) => {}
            // A statement that begins too far to the left.
            _ => return initial(line, at, at, text_end),
        }
        at += 1;
    }
    match line.get(at) {
        Some(b'\t') => {
            // The tab leads to column 7, from where on the columns count.
            let tab_end = line.len().min(limit.saturating_add(at + 1).saturating_sub(6));
            match line.get(at + 1) {
                Some(b'1'..=b'9' | b'&') if !has_label => {
                    Card::Continuation { text: at + 2, text_end: tab_end.max(at + 2) }
                }
                _ => initial(line, at, at + 1, tab_end.max(at + 1)),
            }
        }
        None => initial(line, at, at, text_end),
        Some(b'0') => initial(line, 5, 6, text_end),
        Some(&byte) if is_blank(byte) => initial(line, 5, 6, text_end),
        Some(_) if has_label => initial(line, 5, 5, text_end),
        // An INCLUDE line is no statement, and so may begin in any column.
        Some(b'i' | b'I') if is_include_line(&line[5..]) => initial(line, 5, 5, text_end),
        Some(_) => Card::Continuation { text: 6, text_end: text_end.max(6) },
    }
}

/// Whether a text begins with INCLUDE and a quote.
fn is_include_line(text: &[u8]) -> bool {
    let (word, rest) = text.split_at(text.len().min(b"include".len()));
    let name = first_nonblank(rest).map(|at| rest[at]);
    word.eq_ignore_ascii_case(b"include") && matches!(name, Some(b'\'' | b'"'))
}

/// An initial line, unless there is nothing on it but blanks or a comment.
fn initial(line: &[u8], field_end: usize, text: usize, text_end: usize) -> Card {
    let text_end = text_end.max(text);
    let no_label = line[..field_end].iter().all(|&byte| is_blank(byte));
    match first_nonblank(&line[text..text_end]) {
        None if no_label => Card::Blank,
        Some(skip) if no_label && line[text + skip] == b'!' => Card::Comment(text + skip),
        _ => Card::Initial { field_end, text, text_end },
    }
}

impl Prescanner<'_> {
    /// Takes in one line of fixed form; `offset` is that of its first byte.
    pub(super) fn fixed_line(&mut self, line: &[u8], offset: u32) {
        let mut card = read_card(line, self.options.fixed_line_length);
        let unmasked;
        let mut code = line;
        if let Card::Comment(at) = card {
            if !self.is_conditional_code(&line[at..]) {
                self.comment_line(line, at, offset);
                return;
            }
            unmasked = [&line[..at], b"  ", &line[at + 2..]].concat();
            code = &unmasked;
            card = read_card(code, self.options.fixed_line_length);
        }
        let (text, text_end) = match card {
            Card::Blank | Card::Comment(_) => return,
            Card::Continuation { text, text_end } if self.cooker.is_open() => {
                self.comments_lie_inside();
                let (columns, origin) = self.short_line;
                self.cooker.pad(columns, origin);
                (text, text_end)
            }
            Card::Continuation { text, text_end } => {
                self.cooker.begin_line();
                (text, text_end)
            }
            Card::Initial { text, text_end, .. } if self.arguments_go_on(offset) => {
                self.comments_lie_inside();
                (text, text_end)
            }
            Card::Initial { field_end, text, text_end } => {
                self.finish_fixed_statement();
                self.cooker.begin_line();
                self.read_label(&code[..field_end], offset);
                (text, text_end)
            }
        };
        let columns = self.options.fixed_line_length.map_or(usize::MAX, |length| length as usize);
        self.fixed_text(line, &code[..text_end.min(code.len())], text, columns, offset);
    }

    /// Takes in the statement text of a line whose code, from the column `text` on, is `code`; of what a backslash
    /// joins to it so many columns count as it leaves.
    pub(super) fn fixed_text(&mut self, line: &[u8], code: &[u8], text: usize, columns: usize, offset: u32) {
        let (code, is_spliced) = self.splice(code);
        let stop = self.feed(code.get(text..).unwrap_or_default(), offset + text as u32);
        if let Stop::Comment(at) = stop {
            self.trailing_comment(line, text + at, offset);
        } else if is_spliced {
            self.spliced = Some(columns.saturating_sub(code.len()));
            return;
        }
        let missing = self.options.fixed_line_length.map_or(0, |length| length.saturating_sub(line.len() as u32));
        self.short_line = (missing, offset + (line.len() as u32).saturating_sub(1));
        if self.cooker.is_include_line() {
            self.finish_fixed_statement();
        }
        self.comments_seen = self.cooker.comments.len();
    }

    /// Ends the statement at hand. Blanks that an editor cut off behind a Hollerith constant come back.
    pub(super) fn finish_fixed_statement(&mut self) {
        if let Context::Hollerith(_) = self.cooker.context {
            let (columns, origin) = self.short_line;
            self.cooker.pad(columns, origin);
        }
        self.finish_statement();
    }

    /// Reads the label field, in which blanks mean nothing.
    fn read_label(&mut self, field: &[u8], offset: u32) {
        let mut digits = [0; 5];
        let mut count = 0;
        let mut span = Span::default();
        for (at, &byte) in field.iter().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
            if count == 0 {
                span.start = offset + at as u32;
            }
            if let Some(digit) = digits.get_mut(count) {
                *digit = byte;
                count += 1;
            }
            span.end = offset + at as u32 + 1;
        }
        if count > 0 {
            self.cooker.set_label(label_value(&digits[..count]), span);
        }
    }

    /// Statement text of a line whose bytes lie in the source one behind the other.
    pub(super) fn cook_line(&mut self, text: &[u8], offset: u32) -> Stop {
        self.cooker.cook(text, Origin::Sequential(offset))
    }
}
