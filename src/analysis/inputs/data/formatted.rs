//! Formatted input (Fortran 2023, 13.3 to 13.8), as the runtime of gfortran reads it: fields of records by edit
//! descriptors.

use super::cursor::{Cursor, Place};
use super::format::{DataEdit, Edit, Format, FormatItem};
use super::list::fitted;
use super::number::{self, NumberFault};
use super::scanned::{Fault, FaultKind, Field, Loss, Scanned, quoted};
use crate::analysis::inputs::value::{DataType, Value, trimmed};

/// A format as a row of steps, with jumps for its groups.
#[derive(Clone, PartialEq, Debug)]
pub struct FormatSteps {
    steps: Vec<Step>,
    /// The step at which a format that is used up begins again; `None` when no item could follow.
    again: Option<usize>,
}

#[derive(Clone, PartialEq, Debug)]
enum Step {
    Edit(Edit),
    /// Begins a group that is there so many times.
    Open(u32),
    /// Ends the group that begins there.
    Close(usize),
}

impl FormatSteps {
    /// The steps of a format.
    pub fn new(format: &Format) -> Self {
        let mut steps = Vec::new();
        let mut again = 0;
        for (index, item) in format.items.iter().enumerate() {
            if index == format.reversion() {
                again = steps.len();
            }
            push(&mut steps, item);
        }
        FormatSteps { steps, again: format.has_data(format.reversion()).then_some(again) }
    }
}

fn push(steps: &mut Vec<Step>, item: &FormatItem) {
    let times = item.repeat.unwrap_or(u32::MAX);
    let open = steps.len();
    if times != 1 {
        steps.push(Step::Open(times));
    }
    match &item.edit {
        Edit::Group(items) => items.iter().for_each(|item| push(steps, item)),
        edit => steps.push(Step::Edit(edit.clone())),
    }
    if times != 1 {
        steps.push(Step::Close(open));
    }
}

/// Reads the items of one formatted READ.
#[derive(Debug)]
pub struct FormattedReader {
    record: Vec<u8>,
    /// The place of the record's first character; `None` before it is read.
    start: Option<Place>,
    /// Whether the record is the file's last and no end of a line ends it.
    is_open: bool,
    /// Whether anything was read from it.
    is_used: bool,
    /// The column of the next field, from 0.
    at: usize,
    /// How many fields of the record a comma ended: the runtime does not count these commas as columns.
    commas: usize,
    step: usize,
    /// How often each group that was begun is still to come.
    rounds: Vec<u32>,
    blank_zero: bool,
    decimal_comma: bool,
    /// Whether an item was asked for.
    has_begun: bool,
    scale: i32,
}

/// The largest exponent that a field may hold.
const LARGEST_EXPONENT: i64 = 9999;

/// What the runtime says of a number in a field.
type Number<T> = Result<T, NumberFault>;

impl FormattedReader {
    /// The reader of a READ statement.
    pub fn new() -> Self {
        FormattedReader {
            record: Vec::new(),
            start: None,
            is_open: false,
            is_used: false,
            at: 0,
            commas: 0,
            step: 0,
            rounds: Vec::new(),
            blank_zero: false,
            decimal_comma: false,
            has_begun: false,
            scale: 0,
        }
    }

    /// Makes it the reader of another READ statement.
    pub fn restart(&mut self, decimal_comma: bool, blank_zero: bool) {
        self.start = None;
        self.step = 0;
        self.rounds.clear();
        self.blank_zero = blank_zero;
        self.decimal_comma = decimal_comma;
        self.has_begun = false;
        self.scale = 0;
    }

    /// The next item.
    pub fn item(&mut self, cursor: &mut Cursor<'_>, format: &FormatSteps, item: DataType) -> Scanned {
        // The runtime looks at the decimal mode before it does what stands in front of an item, but for the first.
        let mode_before = self.decimal_comma;
        let edit = self.next_edit(cursor, format);
        let decimal_comma = if std::mem::replace(&mut self.has_begun, true) { mode_before } else { self.decimal_comma };
        let Some(edit) = edit else {
            // The format has no descriptor left, or the file no record.
            let place = self.start.unwrap_or(cursor.place());
            return match self.start {
                Some(_) => Scanned::Value(Field { value: None, place, loss: None }),
                None => Scanned::End,
            };
        };
        if !self.has_record(cursor) {
            return Scanned::End;
        }
        let width = edit.width.map_or(default_width(edit, item), |width| width as usize);
        let is_text = edit.letter == b'a' || (edit.letter == b'g' && matches!(item, DataType::Character(_)));
        self.is_used = true;
        let (start, end) = self.field(width, !is_text && !decimal_comma);
        self.scan(start..end, edit, item)
    }

    /// Ends the READ: what the format has left in front of the next item, and the rest of the record. Gives false at
    /// the end of the file.
    pub fn finish(&mut self, cursor: &mut Cursor<'_>, format: &FormatSteps) -> bool {
        self.rest(cursor, format) && self.skip_record(cursor)
    }

    /// Passes over the rest of the record; false at the end of the file.
    fn skip_record(&mut self, cursor: &mut Cursor<'_>) -> bool {
        let is_there = self.has_record(cursor) && (self.is_used || !self.is_open);
        self.start = None;
        is_there
    }

    /// Ends a READ that failed.
    pub fn abandon(&mut self, cursor: &mut Cursor<'_>) {
        self.has_record(cursor);
    }

    /// Reads the record if it isn't there yet; false at the end of the file.
    fn has_record(&mut self, cursor: &mut Cursor<'_>) -> bool {
        if self.start.is_some() {
            return true;
        }
        if cursor.peek().is_none() {
            return false;
        }
        self.start = Some(cursor.place());
        self.record.clear();
        self.at = 0;
        self.commas = 0;
        self.is_used = false;
        self.is_open = !cursor.take_line(&mut self.record);
        if self.record.last() == Some(&b'\r') {
            self.record.pop();
        }
        true
    }

    /// Does what stands in front of the next data edit descriptor, and gives it. `None` when none comes, and at the
    /// end of the file.
    fn next_edit(&mut self, cursor: &mut Cursor<'_>, format: &FormatSteps) -> Option<DataEdit> {
        let mut has_reverted = false;
        loop {
            let Some(step) = format.steps.get(self.step) else {
                if std::mem::replace(&mut has_reverted, true) || !self.skip_record(cursor) {
                    return None;
                }
                self.rounds.clear();
                self.step = format.again?;
                continue;
            };
            self.step += 1;
            match step {
                Step::Edit(Edit::Data(edit)) => return Some(*edit),
                Step::Edit(edit) => {
                    if !self.control(cursor, edit) {
                        return None;
                    }
                }
                Step::Open(0) => self.skip_group(format),
                Step::Open(times) => self.rounds.push(*times),
                Step::Close(open) => self.close(*open),
            }
        }
    }

    /// Goes behind a group that was just begun.
    fn skip_group(&mut self, format: &FormatSteps) {
        let open = self.step - 1;
        let is_end = |step: &Step| *step == Step::Close(open);
        self.step = format.steps.iter().position(is_end).map_or(format.steps.len(), |close| close + 1);
    }

    fn close(&mut self, open: usize) {
        match self.rounds.last_mut() {
            Some(left) if *left > 1 => {
                *left -= 1;
                self.step = open + 1;
            }
            _ => {
                self.rounds.pop();
            }
        }
    }

    /// The control edit descriptors behind the last item, up to a colon or a data edit descriptor; false at the end of
    /// the file.
    fn rest(&mut self, cursor: &mut Cursor<'_>, format: &FormatSteps) -> bool {
        while let Some(step) = format.steps.get(self.step) {
            self.step += 1;
            match step {
                Step::Edit(Edit::Data(_) | Edit::Colon) => return true,
                Step::Edit(edit) => {
                    if !self.control(cursor, edit) {
                        return false;
                    }
                }
                Step::Open(0) => self.skip_group(format),
                Step::Open(times) => self.rounds.push(*times),
                Step::Close(open) => self.close(*open),
            }
        }
        true
    }

    /// Does what a control edit descriptor says; false at the end of the file.
    fn control(&mut self, cursor: &mut Cursor<'_>, edit: &Edit) -> bool {
        match *edit {
            Edit::NextRecord => {
                if !self.skip_record(cursor) {
                    return false;
                }
            }
            Edit::Right(_) | Edit::Left(_) | Edit::Tab(_) => {
                if !self.has_record(cursor) {
                    return false;
                }
                self.at = match *edit {
                    Edit::Right(columns) => self.at.saturating_add(columns as usize),
                    Edit::Left(columns) => self.at.saturating_sub(columns as usize),
                    _ => (column(edit) as usize).saturating_sub(1) + self.commas,
                };
            }
            Edit::BlankZero(is_zero) => self.blank_zero = is_zero,
            Edit::DecimalComma(is_comma) => self.decimal_comma = is_comma,
            Edit::Scale(scale) => self.scale = scale,
            Edit::Colon | Edit::Ignored | Edit::Text | Edit::Group(_) | Edit::Data(_) => {}
        }
        true
    }

    /// The columns of the next field, and what follows it becomes the next. A comma may end the field of a number.
    fn field(&mut self, width: usize, may_end_at_comma: bool) -> (usize, usize) {
        let start = self.at.min(self.record.len());
        let end = self.at.saturating_add(width).min(self.record.len()).max(start);
        if may_end_at_comma && let Some(comma) = memchr::memchr(b',', &self.record[start..end]) {
            self.at = start + comma + 1;
            self.commas += 1;
            return (start, start + comma);
        }
        // A record that ends too early is blank behind its end, but its end is where the next column is counted from.
        self.at = end;
        (start, end)
    }

    fn place(&self, column: usize) -> Place {
        let start = self.start.unwrap_or(Place { line: 1, column: 1 });
        Place { line: start.line, column: start.column + column as u32 }
    }

    fn scan(&self, field: std::ops::Range<usize>, edit: DataEdit, item: DataType) -> Scanned {
        let start = field.start;
        let text = &self.record[field];
        let leading = text.iter().take_while(|&&byte| byte == b' ').count();
        let first = if leading == text.len() { 0 } else { leading };
        let place = self.place(start + first);
        let value = |value: Option<Value>| Scanned::Value(Field { value, place, loss: None });
        let bad = |fault: NumberFault| {
            let kind = match fault {
                NumberFault::Malformed => FaultKind::Malformed,
                NumberFault::Overflow => FaultKind::Overflow,
            };
            Scanned::Bad(Fault { place, text: quoted(trimmed(&text[first..])), kind })
        };
        match (edit.letter, item) {
            (b'i' | b'g', DataType::Integer(kind)) => {
                self.integer(text, 10, kind).map_or_else(bad, |it| value(Some(Value::Integer(it))))
            }
            (b'b' | b'o' | b'z', DataType::Integer(kind)) => {
                let radix = match edit.letter {
                    b'b' => 2,
                    b'o' => 8,
                    _ => 16,
                };
                self.integer(text, radix, kind).map_or_else(bad, |it| value(Some(Value::Integer(it))))
            }
            (b'f' | b'e' | b'd' | b'g', DataType::Real(kind)) => match self.real(text, edit.digits, kind) {
                Ok((number, loss)) => Scanned::Value(Field { value: number::real_value(number, kind), place, loss }),
                Err(fault) => bad(fault),
            },
            (b'l' | b'g', DataType::Logical(_)) => {
                logical(text).map_or_else(|| bad(NumberFault::Malformed), |it| value(Some(Value::Logical(it))))
            }
            (b'a' | b'g', DataType::Character(length)) => self.text(text, start, length),
            _ => value(None),
        }
    }

    /// A text: of a field that is wider than the variable the last characters count.
    fn text(&self, text: &[u8], start: usize, length: Option<u32>) -> Scanned {
        let skipped = length.map_or(0, |length| text.len().saturating_sub(length as usize));
        let (cut, kept) = text.split_at(skipped);
        let loss = cut.iter().any(|&byte| byte != b' ').then_some(Loss::Cut);
        let first = text.iter().position(|&byte| byte != b' ').unwrap_or(0);
        let value = fitted(kept, length).0;
        Scanned::Value(Field { value, place: self.place(start + first), loss })
    }

    fn integer(&self, text: &[u8], radix: u32, kind: u8) -> Number<i128> {
        let text = &text[text.iter().take_while(|&&byte| byte == b' ').count()..];
        let (is_negative, rest) = match text.first() {
            None => return Ok(0),
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            Some(_) => (false, text),
        };
        if rest.is_empty() {
            return Err(NumberFault::Malformed);
        }
        let largest = DataType::largest_integer(kind);
        // What is written as usual needs no wide arithmetic.
        if radix == 10 && rest.len() <= 9 && rest.iter().all(u8::is_ascii_digit) {
            let value = rest.iter().fold(0i64, |value, byte| 10 * value + i64::from(byte - b'0'));
            let value = i128::from(if is_negative { -value } else { value });
            return if value > largest || value < -largest - 1 { Err(NumberFault::Overflow) } else { Ok(value) };
        }
        // Patterns of bits may use the sign bit.
        let most = if radix == 10 { largest } else { largest.saturating_mul(2).saturating_add(1) };
        let mut value: i128 = 0;
        for &byte in rest {
            let byte = match byte {
                b' ' if self.blank_zero => b'0',
                b' ' => continue,
                byte => byte,
            };
            let digit = char::from(byte).to_digit(radix).ok_or(NumberFault::Malformed)?;
            let next = value.checked_mul(i128::from(radix)).and_then(|value| value.checked_add(i128::from(digit)));
            value = next.ok_or(NumberFault::Overflow)?;
            if value > most + i128::from(is_negative && radix == 10) {
                return Err(NumberFault::Overflow);
            }
        }
        if value > largest && radix != 10 {
            value -= most + 1;
        }
        Ok(if is_negative { -value } else { value })
    }

    /// A real number: an implied decimal sign, blanks, exponents without a letter.
    fn real(&self, text: &[u8], digits: u32, kind: u8) -> Number<(Option<f64>, Option<Loss>)> {
        let text = &text[text.iter().take_while(|&&byte| byte == b' ').count()..];
        if text.is_empty() {
            return Ok((Some(0.0), None));
        }
        let (sign, rest) = match text[0] {
            b'-' => ("-", &text[1..]),
            b'+' => ("", &text[1..]),
            _ => ("", text),
        };
        let with_loss = |value: Option<f64>| {
            let loss = value.filter(|value| value.is_infinite()).map(|_| Loss::Infinite);
            (value, loss)
        };
        // Most are written as C writes them, and nothing is left to be said of them.
        if self.scale == 0 && is_plain(rest) {
            return number::real(text, kind).map(with_loss);
        }
        // A sign alone is zero, not minus zero.
        let name = trimmed(rest);
        if name.is_empty() {
            return Ok((Some(0.0), None));
        }
        if matches!(name[0], b'i' | b'I' | b'n' | b'N') {
            let name = name.to_ascii_lowercase();
            let is_nan =
                name == b"nan" || name.starts_with(b"nan ") || (name.starts_with(b"nan(") && name.ends_with(b")"));
            let infinity = Ok((Some(if sign == "-" { f64::NEG_INFINITY } else { f64::INFINITY }), None));
            return match name.as_slice() {
                b"inf" | b"infinity" => infinity,
                // What follows behind a blank the runtime takes for part of the name, or not, as it happens.
                _ if name.starts_with(b"inf ") || name.starts_with(b"infinity ") => infinity,
                _ if is_nan => Ok((Some(f64::NAN), None)),
                _ => Err(NumberFault::Malformed),
            };
        }
        let mut written = Vec::with_capacity(text.len() + 8);
        written.extend_from_slice(sign.as_bytes());
        let mantissa = self.mantissa(rest, &mut written)?;
        let mut exponent = match mantissa.exponent {
            Some(exponent) => self.exponent(exponent)?,
            None => -i64::from(self.scale),
        };
        if !mantissa.has_point {
            exponent -= i64::from(digits);
        }
        if exponent != 0 {
            written.extend_from_slice(format!("e{exponent}").as_bytes());
        }
        number::real(&written, kind).map(with_loss)
    }

    /// The digits in front of the exponent, in C's notation.
    fn mantissa<'t>(&self, text: &'t [u8], written: &mut Vec<u8>) -> Number<Mantissa<'t>> {
        let mut has_point = false;
        let mut has_digits = false;
        let mut exponent = None;
        for (index, &byte) in text.iter().enumerate() {
            match byte {
                b'.' | b',' if (byte == b'.' || self.decimal_comma) && !has_point => {
                    if !has_digits {
                        written.push(b'0');
                    }
                    has_digits = true;
                    has_point = true;
                    written.push(b'.');
                }
                b' ' if !self.blank_zero => {}
                b' ' | b'0'..=b'9' => {
                    has_digits = true;
                    written.push(if byte == b' ' { b'0' } else { byte });
                }
                b'+' | b'-' => {
                    exponent = Some(&text[index..]);
                    break;
                }
                b'e' | b'E' | b'd' | b'D' | b'q' | b'Q' => {
                    exponent = Some(&text[index + 1..]);
                    break;
                }
                _ => return Err(NumberFault::Malformed),
            }
        }
        if !has_digits {
            written.push(b'0');
        }
        Ok(Mantissa { has_point, exponent })
    }

    fn exponent(&self, text: &[u8]) -> Number<i64> {
        let text = &text[text.iter().take_while(|&&byte| byte == b' ').count()..];
        let (sign, rest) = match text.first() {
            Some(b'-') => (-1, &text[1..]),
            Some(b'+') => (1, &text[1..]),
            _ => (1, text),
        };
        if rest.is_empty() {
            return Err(NumberFault::Malformed);
        }
        let mut value: i64 = 0;
        for &byte in rest {
            let digit = match byte {
                b' ' if self.blank_zero => 0,
                b' ' => continue,
                b'0'..=b'9' => i64::from(byte - b'0'),
                _ => return Err(NumberFault::Malformed),
            };
            value = 10 * value + digit;
            if value > LARGEST_EXPONENT {
                return Err(NumberFault::Malformed);
            }
        }
        Ok(sign * value)
    }
}

impl Default for FormattedReader {
    fn default() -> Self {
        FormattedReader::new()
    }
}

struct Mantissa<'t> {
    has_point: bool,
    /// What follows the letter of the exponent, or begins with its sign.
    exponent: Option<&'t [u8]>,
}

fn column(edit: &Edit) -> u32 {
    if let Edit::Tab(column) = edit { *column } else { 1 }
}

/// The width of a descriptor without one.
fn default_width(edit: DataEdit, item: DataType) -> usize {
    match (edit.letter, item) {
        (b'a' | b'g', DataType::Character(Some(length))) => length as usize,
        (b'a', DataType::Integer(kind) | DataType::Real(kind) | DataType::Logical(kind)) => usize::from(kind),
        (b'l', _) => 1,
        _ => 0,
    }
}

/// Whether a text is made of digits and one decimal point.
fn is_plain(text: &[u8]) -> bool {
    let mut points = 0;
    let is_number = text.iter().all(|byte| {
        points += usize::from(*byte == b'.');
        byte.is_ascii_digit() || *byte == b'.'
    });
    is_number && points == 1 && text.len() > 1
}

fn logical(text: &[u8]) -> Option<bool> {
    let text = &text[text.iter().take_while(|&&byte| byte == b' ').count()..];
    let text = text.strip_prefix(b".").unwrap_or(text);
    match text.first()? {
        b't' | b'T' => Some(true),
        b'f' | b'F' => Some(false),
        _ => None,
    }
}
