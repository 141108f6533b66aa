//! The values of list-directed input: what each type is written like, and where a value ends.

use super::cursor::Cursor;
use super::list::{ListReader, Read, Stop, Unread, fitted, is_separator};
use super::number::{self, NumberFault};
use super::scanned::{FaultKind, Field, Loss};
use crate::analysis::inputs::value::Value;

/// The largest repeat count.
const MOST_REPEATS: u32 = 200_000_000;

impl ListReader {
    /// The digits and the `*` that were taken are a repeat count.
    fn set_repeat(&mut self) -> Read<()> {
        let digits = self.token.strip_suffix(b"*").unwrap_or(&self.token);
        let count = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
        match count {
            Some(count @ 1..=MOST_REPEATS) => {
                self.repeat = count;
                Ok(())
            }
            _ => Err(Stop::Bad(FaultKind::Repeat)),
        }
    }

    pub(super) fn integer(&mut self, cursor: &mut Cursor<'_>, kind: u8) -> Read<Field> {
        let mut from = 0;
        match cursor.peek() {
            Some(b'+' | b'-') => {}
            Some(b'0'..=b'9') => {
                self.digits(cursor);
                match cursor.peek() {
                    Some(b'*') => {
                        self.take(cursor);
                        self.set_repeat()?;
                        from = self.token.len();
                        if self.ends_word(cursor.peek()) {
                            return self.null(cursor);
                        }
                    }
                    byte if self.ends_word(byte) => {
                        return self.convert_integer(cursor, from, kind);
                    }
                    _ => return self.malformed(cursor),
                }
            }
            byte if is_separator(byte) => return self.null(cursor),
            _ => return self.malformed(cursor),
        }
        if matches!(cursor.peek(), Some(b'+' | b'-')) {
            self.take(cursor);
        }
        if self.digits(cursor) == 0 {
            return self.malformed(cursor);
        }
        let next = cursor.peek();
        if !self.ends_word(next) {
            return self.malformed(cursor);
        }
        self.convert_integer(cursor, from, kind)
    }

    fn convert_integer(&mut self, cursor: &mut Cursor<'_>, from: usize, kind: u8) -> Read<Field> {
        let text = &self.token[from..];
        let is_negative = text.first() == Some(&b'-');
        let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
        let value = number::integer(digits, is_negative, kind);
        self.separator(cursor);
        match value {
            Ok(value) => Ok(self.field(Some(Value::Integer(value)))),
            Err(_) => Err(Stop::Bad(FaultKind::Overflow)),
        }
    }

    pub(super) fn real(&mut self, cursor: &mut Cursor<'_>, kind: u8) -> Read<Field> {
        let mut from = 0;
        match cursor.peek() {
            Some(b'0'..=b'9') => {
                self.digits(cursor);
                if cursor.peek() == Some(b'*') {
                    self.take(cursor);
                    self.set_repeat()?;
                    from = self.token.len();
                    if self.ends_word(cursor.peek()) {
                        return self.null(cursor);
                    }
                    self.real_text(cursor, from)?;
                } else {
                    self.mantissa(cursor, true)?;
                }
            }
            byte if self.ends_value(byte) => return self.null(cursor),
            _ => self.real_text(cursor, from)?,
        }
        if !self.ends_value(cursor.peek()) {
            return self.malformed(cursor);
        }
        let (value, loss) = self.convert_real(from, kind, cursor)?;
        self.separator(cursor);
        Ok(Field { value: number::real_value(value, kind), place: self.start, loss })
    }

    /// A sign, then a number, an infinity or a NaN.
    fn real_text(&mut self, cursor: &mut Cursor<'_>, from: usize) -> Read<()> {
        if matches!(cursor.peek(), Some(b'+' | b'-')) {
            self.take(cursor);
        }
        match cursor.peek() {
            Some(b'0'..=b'9') => {
                self.digits(cursor);
                self.mantissa(cursor, true)
            }
            Some(b'.') => self.mantissa(cursor, false),
            Some(b',') if self.decimal_comma => self.mantissa(cursor, false),
            Some(b'i' | b'I' | b'n' | b'N') => self.named(cursor, from),
            _ => self.malformed(cursor),
        }
    }

    /// What follows the digits in front of the decimal sign.
    fn mantissa(&mut self, cursor: &mut Cursor<'_>, has_digits: bool) -> Read<()> {
        let mut has_digits = has_digits;
        let point = cursor.peek();
        if point == Some(b'.') || (point == Some(b',') && self.decimal_comma) {
            cursor.advance();
            self.token.push(b'.');
            has_digits |= self.digits(cursor) > 0;
        }
        match cursor.peek() {
            Some(b'e' | b'E' | b'd' | b'D' | b'q' | b'Q') => {
                cursor.advance();
                self.token.push(b'e');
                if matches!(cursor.peek(), Some(b'+' | b'-')) {
                    self.take(cursor);
                }
            }
            Some(b'+' | b'-') => {
                self.token.push(b'e');
                self.take(cursor);
            }
            _ if has_digits => return Ok(()),
            _ => {
                return if self.ends_value(cursor.peek()) || cursor.peek() == Some(b')') {
                    Ok(())
                } else {
                    self.malformed(cursor)
                };
            }
        }
        self.is_no_name = self.digits(cursor) == 0;
        if self.is_no_name { self.malformed(cursor) } else { Ok(()) }
    }

    /// INF, INFINITY, NAN, NAN(…).
    fn named(&mut self, cursor: &mut Cursor<'_>, from: usize) -> Read<()> {
        while matches!(cursor.peek(), Some(byte) if byte.is_ascii_alphabetic()) {
            self.take(cursor);
        }
        let text = self.token[from..].to_ascii_lowercase();
        let text = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(&text).to_vec();
        match text.as_slice() {
            b"inf" | b"infinity" => Ok(()),
            b"nan" => {
                if cursor.peek() == Some(b'(') {
                    while !matches!(cursor.peek(), Some(b')')) {
                        if is_separator(cursor.peek()) {
                            return self.malformed(cursor);
                        }
                        cursor.advance();
                    }
                    cursor.advance();
                }
                Ok(())
            }
            _ => {
                self.is_no_name = true;
                self.malformed(cursor)
            }
        }
    }

    /// The value of the characters taken from an offset on.
    fn convert_real(&mut self, from: usize, kind: u8, cursor: &mut Cursor<'_>) -> Read<(Option<f64>, Option<Loss>)> {
        match number::real(&self.token[from..], kind) {
            Ok(value) => {
                let text = &self.token[from..];
                let loss = value.filter(|value| number::is_overflow(*value, text)).map(|_| Loss::Infinite);
                Ok((value, loss))
            }
            Err(NumberFault::Malformed | NumberFault::Overflow) => {
                self.is_no_name = true;
                self.separator(cursor);
                Err(Stop::Bad(FaultKind::Malformed))
            }
        }
    }

    /// A repeat count in front of a logical or complex value. Null values end here.
    fn repeat_count(&mut self, cursor: &mut Cursor<'_>) -> Read<()> {
        match cursor.peek() {
            Some(b'0'..=b'9') => {
                self.digits_of_count(cursor)?;
                if cursor.peek() != Some(b'*') {
                    let fault = match self.malformed(cursor) {
                        Err(Stop::Bad(_)) => Err(Stop::Bad(FaultKind::Repeat)),
                        fault => fault,
                    };
                    // The runtime passes over a line from here on, whether or not this one ends here.
                    if cursor.peek() == Some(b'\n') {
                        cursor.advance();
                    }
                    return fault;
                }
                self.take(cursor);
                self.set_repeat()?;
                self.is_no_name = self.in_namelist && cursor.peek() == Some(b'!');
                if is_separator(cursor.peek()) { self.null(cursor) } else { Ok(()) }
            }
            byte if self.ends_word(byte) => self.null(cursor),
            _ => Ok(()),
        }
    }

    /// Takes digits until they are too many for a count.
    fn digits_of_count(&mut self, cursor: &mut Cursor<'_>) -> Read<()> {
        let mut count = 0;
        while let Some(byte @ b'0'..=b'9') = cursor.peek() {
            self.take(cursor);
            count = 10 * count + u32::from(byte - b'0');
            if count > MOST_REPEATS {
                return Err(Stop::Bad(FaultKind::Repeat));
            }
        }
        Ok(())
    }

    pub(super) fn logical(&mut self, cursor: &mut Cursor<'_>) -> Read<Field> {
        self.repeat_count(cursor)?;
        let has_point = cursor.peek() == Some(b'.');
        if has_point {
            self.take(cursor);
        }
        let value = match cursor.peek() {
            Some(b't' | b'T') => true,
            Some(b'f' | b'F') => false,
            _ => return self.malformed(cursor),
        };
        self.take(cursor);
        let is_word = !has_point && !is_separator(cursor.peek());
        while !self.ends_word(cursor.peek()) {
            self.take(cursor);
        }
        if is_word && !self.in_namelist {
            // Behind `true` the runtime takes one character, whichever it is, for all that separates values.
            self.met_line_end = matches!(cursor.peek(), None | Some(b'\n'));
            cursor.advance();
        } else {
            self.separator(cursor);
        }
        Ok(self.field(Some(Value::Logical(value))))
    }

    pub(super) fn complex(&mut self, cursor: &mut Cursor<'_>, kind: u8) -> Read<Field> {
        self.repeat_count(cursor)?;
        if cursor.peek() != Some(b'(') {
            return self.malformed(cursor);
        }
        self.take(cursor);
        let (re, first) = self.part(cursor, kind)?;
        let between = if self.decimal_comma { b';' } else { b',' };
        if cursor.peek() != Some(between) {
            return self.malformed(cursor);
        }
        self.take(cursor);
        let (im, second) = self.part(cursor, kind)?;
        if cursor.peek() != Some(b')') {
            return self.malformed(cursor);
        }
        self.take(cursor);
        if !is_separator(cursor.peek()) {
            return self.malformed(cursor);
        }
        self.separator(cursor);
        let value = re.zip(im).map(|(re, im)| Value::Complex(re, im, kind));
        Ok(Field { value, place: self.start, loss: first.or(second) })
    }

    /// One part of a complex value, with blanks and line ends around it.
    fn part(&mut self, cursor: &mut Cursor<'_>, kind: u8) -> Read<(Option<f64>, Option<Loss>)> {
        self.skip_blanks_and_lines(cursor);
        let from = self.token.len();
        self.real_text(cursor, from)?;
        let next = cursor.peek();
        if !is_separator(next) && next != Some(b')') {
            return self.malformed(cursor);
        }
        let part = number::real(&self.token[from..], kind);
        let Ok(value) = part else { return self.malformed(cursor) };
        let loss = value.filter(|value| number::is_overflow(*value, &self.token[from..])).map(|_| Loss::Infinite);
        self.skip_blanks_and_lines(cursor);
        Ok((value, loss))
    }

    fn skip_blanks_and_lines(&mut self, cursor: &mut Cursor<'_>) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = cursor.peek() {
            self.token.push(byte);
            cursor.advance();
        }
    }

    pub(super) fn character(&mut self, cursor: &mut Cursor<'_>, length: Option<u32>) -> Read<Field> {
        let mut from = 0;
        let mut quote = None;
        match cursor.peek() {
            Some(b'0'..=b'9') => {
                self.digits(cursor);
                if cursor.peek() == Some(b'*') {
                    self.take(cursor);
                    self.set_repeat()?;
                    from = self.token.len();
                    match cursor.peek() {
                        None => return Err(Stop::End),
                        byte @ Some(b'\'' | b'"') => quote = byte,
                        byte if is_separator(byte) => return self.null(cursor),
                        _ => {}
                    }
                }
            }
            byte @ Some(b'\'' | b'"') => quote = byte,
            byte if is_separator(byte) => return self.null(cursor),
            _ => {}
        }
        let Some(quote) = quote else {
            while !is_separator(cursor.peek()) {
                self.take(cursor);
            }
            self.separator(cursor);
            let (value, loss) = fitted(&self.token[from..], length);
            return Ok(Field { value, place: self.start, loss });
        };
        self.quoted_text(cursor, from, quote, length)
    }

    /// A text in quotes. What is too long for the variable is not kept.
    fn quoted_text(&mut self, cursor: &mut Cursor<'_>, from: usize, quote: u8, length: Option<u32>) -> Read<Field> {
        cursor.advance();
        let most = from + length.map_or(usize::MAX >> 1, |length| length as usize) + 1;
        let mut keeps_blank_only = true;
        let mut is_closed = false;
        while let Some(byte) = cursor.next_byte() {
            if byte == quote {
                if cursor.peek() != Some(quote) {
                    is_closed = true;
                    break;
                }
                cursor.advance();
            } else if matches!(byte, b'\n' | b'\r') {
                continue;
            }
            if self.token.len() < most {
                self.token.push(byte);
            } else {
                keeps_blank_only &= byte == b' ';
            }
        }
        if !self.ends_word(cursor.peek()) {
            self.unread = Unread::Character;
            self.is_no_name = true;
            return Err(Stop::Bad(FaultKind::Malformed));
        }
        let is_end = cursor.peek().is_none();
        self.separator(cursor);
        if is_end {
            self.met_line_end = true;
        }
        let (value, mut loss) = fitted(&self.token[from..], length);
        if !keeps_blank_only {
            loss = Some(Loss::Cut);
        }
        // Of a text that never ends only that is worth telling.
        let loss = loss.filter(|_| is_closed);
        Ok(Field { value, place: self.start, loss })
    }
}
