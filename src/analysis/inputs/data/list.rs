//! List-directed input (Fortran 2023, 13.10.3), as the runtime of gfortran reads it.
//!
//! The standard says what a value looks like; what becomes of anything else (where a bad value ends, which record the
//! next READ begins with, what counts as the end of the file) is the runtime's, and is followed here state by state:
//! tests read the same random records with both.

use super::cursor::{Cursor, Place};
use super::scanned::{Fault, FaultKind, Field, Loss, Scanned, quoted};
use crate::analysis::inputs::value::{DataType, Value};

/// How far the text of a bad value is looked at for a message.
const LOOKED_AT: usize = 64;

/// Reads the items of one list-directed READ, or of one namelist group.
#[derive(Debug)]
pub struct ListReader {
    /// Whether `,` is the decimal sign (DECIMAL='COMMA').
    pub(super) decimal_comma: bool,
    /// Whether values belong to a namelist: comments, and records that end nowhere.
    pub(super) in_namelist: bool,
    is_first: bool,
    /// A slash was met: what follows keeps its value.
    is_complete: bool,
    pub(super) met_line_end: bool,
    met_comma: bool,
    /// Whether the character behind the last separator was looked at: the runtime loses it if the READ fails there.
    looked_ahead: bool,
    /// How many more items the last value is for, and the value: none for a repeated null.
    pub(super) repeat: u32,
    saved: Option<(DataType, Field)>,
    /// What of a bad value is still to be passed over.
    pub(super) unread: Unread,
    /// Whether a bad value can't be a name of a namelist that follows.
    pub(super) is_no_name: bool,
    /// The characters of the value so far, and where they began.
    pub(super) token: Vec<u8>,
    pub(super) start: Place,
}

/// What the runtime passes over when a READ fails at a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unread {
    /// Nothing: the value was read to its end.
    Nothing,
    /// One character.
    Character,
    /// The rest of the line.
    Line,
}

/// How reading a value ended otherwise than with one.
pub(super) enum Stop {
    /// There is none.
    Null,
    /// At the end of the file.
    End,
    /// At something else.
    Bad(FaultKind),
}

/// A part of a value.
pub(super) type Read<T> = Result<T, Stop>;

/// Whether a byte, or the end of the file, ends a value.
pub fn is_separator(byte: Option<u8>) -> bool {
    matches!(byte, None | Some(b' ' | b',' | b'/' | b'\n' | b'\t' | b'\r' | b';'))
}

impl ListReader {
    /// The reader of a READ statement.
    pub fn new(decimal_comma: bool) -> Self {
        ListReader {
            decimal_comma,
            in_namelist: false,
            is_first: true,
            is_complete: false,
            met_line_end: false,
            met_comma: false,
            looked_ahead: false,
            repeat: 0,
            saved: None,
            unread: Unread::Nothing,
            is_no_name: false,
            token: Vec::new(),
            start: Place { line: 1, column: 1 },
        }
    }

    /// The reader of values of a namelist.
    pub fn of_namelist(decimal_comma: bool) -> Self {
        ListReader { in_namelist: true, is_first: false, ..ListReader::new(decimal_comma) }
    }

    /// Makes it the reader of another READ statement.
    pub fn restart(&mut self, decimal_comma: bool) {
        self.decimal_comma = decimal_comma;
        self.is_first = true;
        self.is_complete = false;
        self.met_line_end = false;
        self.met_comma = false;
        self.looked_ahead = false;
        self.repeat = 0;
        self.saved = None;
        self.unread = Unread::Nothing;
    }

    /// Whether the list was ended by a slash.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many more items the last value, or null value, is for.
    pub fn pending(&self) -> u32 {
        self.repeat
    }

    /// Forgets what the last value was still for.
    pub fn drop_pending(&mut self) {
        self.repeat = 0;
        self.saved = None;
    }

    /// The next item.
    pub fn item(&mut self, cursor: &mut Cursor<'_>, item: DataType) -> Scanned {
        if self.is_first {
            self.is_first = false;
            self.skip_blanks(cursor);
            let first = cursor.peek();
            if first.is_none() {
                return Scanned::End;
            }
            self.start = cursor.place();
            if is_separator(first) {
                self.separator(cursor);
                if !matches!(first, Some(b'\n' | b'\r')) {
                    return Scanned::Null;
                }
                if !self.finish_separator(cursor) {
                    return Scanned::End;
                }
            }
        } else {
            if self.repeat > 0 {
                return self.repeated(item);
            }
            if self.is_complete {
                return Scanned::Null;
            }
            if !self.met_line_end {
                self.skip_blanks(cursor);
            }
            if self.met_line_end && !self.finish_separator(cursor) {
                return Scanned::End;
            }
        }
        self.repeat = 1;
        self.fresh(cursor, item)
    }

    /// Reads a value that begins at the next character.
    pub fn fresh(&mut self, cursor: &mut Cursor<'_>, item: DataType) -> Scanned {
        self.token.clear();
        self.saved = None;
        self.repeat = 1;
        self.unread = Unread::Nothing;
        self.is_no_name = false;
        self.looked_ahead = false;
        self.start = cursor.place();
        if cursor.peek().is_none() {
            return Scanned::End;
        }
        let read = match item {
            DataType::Integer(kind) => self.integer(cursor, kind),
            DataType::Real(kind) => self.real(cursor, kind),
            DataType::Complex(kind) => self.complex(cursor, kind),
            DataType::Logical(_) => self.logical(cursor),
            DataType::Character(length) => self.character(cursor, length),
        };
        match read {
            Ok(field) => {
                self.saved = Some((item, field));
                self.repeated(item)
            }
            Err(Stop::Null) => {
                self.repeat -= 1;
                Scanned::Null
            }
            Err(Stop::End) => Scanned::End,
            Err(Stop::Bad(kind)) => {
                self.repeat = 0;
                self.bad(cursor, kind)
            }
        }
    }

    /// The value that is there already, for one more item.
    fn repeated(&mut self, item: DataType) -> Scanned {
        self.repeat -= 1;
        let Some((of, field)) = &self.saved else { return Scanned::Null };
        let is_same = match (*of, item) {
            (DataType::Character(one), DataType::Character(other)) if one != other => {
                let mut field = field.clone();
                // What was cut for a shorter variable is not known for a longer one.
                field.value = match &field.value {
                    Some(Value::Character(text)) if field.loss.is_none() => fitted(text, other).0,
                    _ => None,
                };
                if self.repeat == 0 {
                    self.saved = None;
                }
                return Scanned::Value(field);
            }
            (of, item) => of == item,
        };
        if !is_same {
            let fault = Fault { place: field.place, text: quoted(&self.token), kind: FaultKind::RepeatedType(*of) };
            return Scanned::Bad(fault);
        }
        if self.repeat == 0 {
            return self.saved.take().map_or(Scanned::Null, |(_, field)| Scanned::Value(field));
        }
        Scanned::Value(field.clone())
    }

    /// Ends the READ: the rest of the record is passed over. Gives false where the runtime meets the end of the file.
    pub fn finish(&mut self, cursor: &mut Cursor<'_>) -> bool {
        self.saved = None;
        self.repeat = 0;
        if self.met_line_end {
            if cursor.peek() == Some(b'\n') && self.is_line_end_ahead(cursor) {
                cursor.advance();
            }
            return true;
        }
        if cursor.peek().is_none() {
            return false;
        }
        cursor.skip_line();
        true
    }

    /// Ends a READ that failed at a value, as the runtime does: mostly it passes over the rest of the line.
    pub fn abandon(&mut self, cursor: &mut Cursor<'_>) {
        match std::mem::replace(&mut self.unread, Unread::Nothing) {
            Unread::Line => {
                cursor.skip_line();
            }
            Unread::Character => cursor.advance(),
            Unread::Nothing if self.looked_ahead => cursor.advance(),
            Unread::Nothing => {}
        }
    }

    /// Goes on behind a bad value as if it were one.
    pub fn recover(&mut self, cursor: &mut Cursor<'_>) {
        if std::mem::replace(&mut self.unread, Unread::Nothing) == Unread::Nothing {
            return;
        }
        let is_complex = self.token.first() == Some(&b'(') && !self.token.ends_with(b")");
        if is_complex {
            while !matches!(cursor.peek(), None | Some(b'\n' | b')')) {
                cursor.advance();
            }
        }
        while !self.ends_word(cursor.peek()) {
            cursor.advance();
        }
        self.separator(cursor);
    }

    /// Skips blanks, and sees whether the line ends behind them.
    pub(super) fn skip_blanks(&mut self, cursor: &mut Cursor<'_>) {
        while matches!(cursor.peek(), Some(b' ' | b'\t' | b'\r')) {
            cursor.advance();
        }
        self.met_line_end = matches!(cursor.peek(), None | Some(b'\n'));
    }

    /// Whether the end of the line that was met was only looked at.
    fn is_line_end_ahead(&self, cursor: &mut Cursor<'_>) -> bool {
        self.met_comma && cursor.peek() == Some(b'\n')
    }

    /// What stands between two values, up to the end of the line.
    pub fn separator(&mut self, cursor: &mut Cursor<'_>) {
        self.skip_blanks(cursor);
        self.met_comma = false;
        self.looked_ahead = !matches!(cursor.peek(), Some(b'/' | b'\n'));
        match cursor.peek() {
            Some(b',') if self.decimal_comma => {}
            Some(b',' | b';') => {
                cursor.advance();
                self.met_comma = true;
                self.skip_blanks(cursor);
            }
            Some(b'/') => {
                cursor.advance();
                self.is_complete = true;
            }
            Some(b'\n') => {
                cursor.advance();
                if self.in_namelist {
                    self.skip_blank_lines(cursor);
                    self.met_line_end = false;
                }
            }
            Some(b'!') if self.in_namelist => {
                cursor.skip_line();
                self.met_line_end = true;
            }
            _ => {}
        }
    }

    /// Blanks, ends of lines and comments of a namelist.
    pub fn skip_blank_lines(&mut self, cursor: &mut Cursor<'_>) {
        loop {
            match cursor.peek() {
                Some(b'\n' | b'\r' | b' ' | b'\t') => cursor.advance(),
                Some(b'!') => {
                    cursor.skip_line();
                }
                _ => break,
            }
        }
    }

    /// What stands between two values where the first is at the end of a line. Gives false at the end of the file.
    pub(super) fn finish_separator(&mut self, cursor: &mut Cursor<'_>) -> bool {
        loop {
            self.skip_blanks(cursor);
            match cursor.peek() {
                None => return false,
                Some(b',') if !self.met_comma => {
                    cursor.advance();
                    self.skip_blanks(cursor);
                    match cursor.peek() {
                        None => return false,
                        Some(b'\n' | b'\r') => {}
                        _ => return true,
                    }
                }
                Some(b'/') => {
                    cursor.advance();
                    self.is_complete = true;
                    return true;
                }
                Some(b'\n' | b'\r') => cursor.advance(),
                Some(b'!') if self.in_namelist => {
                    cursor.skip_line();
                }
                _ => return true,
            }
        }
    }

    /// The fault of a value that ends before the next character.
    fn bad(&mut self, cursor: &mut Cursor<'_>, kind: FaultKind) -> Scanned {
        if self.unread != Unread::Nothing {
            let mut offset = 0;
            let is_open = self.token.first() == Some(&b'(');
            while offset < LOOKED_AT {
                let byte = cursor.ahead(offset);
                let ends = if is_open { matches!(byte, None | Some(b'\n' | b'\r')) } else { is_separator(byte) };
                if ends {
                    break;
                }
                self.token.extend(byte);
                offset += 1;
                if is_open && byte == Some(b')') {
                    break;
                }
            }
        }
        Scanned::Bad(Fault { place: self.start, text: quoted(&self.token), kind })
    }

    /// A malformed value: the next character is the one that does not fit.
    pub(super) fn malformed<T>(&mut self, cursor: &mut Cursor<'_>) -> Read<T> {
        self.unread = Unread::Line;
        Err(if cursor.peek().is_none() { Stop::End } else { Stop::Bad(FaultKind::Malformed) })
    }

    /// A null value.
    pub(super) fn null<T>(&mut self, cursor: &mut Cursor<'_>) -> Read<T> {
        if cursor.peek().is_none() {
            return Err(Stop::End);
        }
        self.separator(cursor);
        Err(Stop::Null)
    }

    pub(super) fn field(&self, value: Option<Value>) -> Field {
        Field { value, place: self.start, loss: None }
    }

    /// Takes the next character into the value.
    #[inline]
    pub(super) fn take(&mut self, cursor: &mut Cursor<'_>) -> Option<u8> {
        let byte = cursor.next_byte();
        self.token.extend(byte);
        byte
    }

    /// Takes digits.
    #[inline]
    pub(super) fn digits(&mut self, cursor: &mut Cursor<'_>) -> usize {
        let before = self.token.len();
        while let Some(byte @ b'0'..=b'9') = cursor.peek() {
            self.token.push(byte);
            cursor.advance();
        }
        self.token.len() - before
    }

    /// Whether a byte ends a value that is not a real.
    pub(super) fn ends_word(&self, byte: Option<u8>) -> bool {
        is_separator(byte) || (self.in_namelist && byte == Some(b'!'))
    }

    /// Whether a byte ends a real value.
    pub(super) fn ends_value(&self, byte: Option<u8>) -> bool {
        self.ends_word(byte) && !(self.decimal_comma && byte == Some(b','))
    }
}

/// A text in a variable of a length.
pub fn fitted(text: &[u8], length: Option<u32>) -> (Option<Value>, Option<Loss>) {
    match length {
        Some(length) if text.len() > length as usize => {
            let (kept, cut) = text.split_at(length as usize);
            let loss = cut.iter().any(|&byte| byte != b' ').then_some(Loss::Cut);
            (Some(Value::text(kept)), loss)
        }
        _ => (Some(Value::text(text)), None),
    }
}
