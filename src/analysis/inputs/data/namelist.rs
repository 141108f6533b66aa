//! Namelist input (Fortran 2023, 13.11.3), as the runtime of gfortran reads it: groups are searched, names may have
//! components and subscripts, values may be repeated, left out, or stop before the end of an array.

use super::cursor::{Cursor, Place};
use super::list::{ListReader, is_separator};
use super::scanned::{Fault, FaultKind, Scanned, quoted};
use crate::analysis::inputs::value::DataType;

/// A variable of a group: a scalar or an array of an intrinsic type.
#[derive(Clone, PartialEq, Debug)]
pub struct NamelistVariable {
    /// Its name, with components: `grid%spacing`.
    pub name: String,
    /// Its type.
    pub data_type: DataType,
    /// The bounds of all its dimensions; `None` where they are not known.
    pub bounds: Vec<Option<(i64, i64)>>,
    /// How many of them belong to each part of the name.
    pub dimensions: Vec<usize>,
}

/// What is met in a group.
#[derive(Clone, PartialEq, Debug)]
pub enum NamelistEvent {
    /// What stands there for an element of a variable, by its number in array element order; no number where the bounds
    /// are not known.
    Value(usize, Option<usize>, Scanned),
    /// A name that is not in the group.
    UnknownName(Place, String),
    /// A subscript of a variable that is outside of its bounds, or a bracket behind a scalar.
    Subscript(usize, Place, String),
    /// A value more than a variable has elements.
    TooMany(usize, Place, String),
    /// Something that is neither a name nor a value.
    Malformed(Place, String),
}

/// How reading a group ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupEnd {
    /// It was read to its end.
    Complete,
    /// The file ended before the group began.
    Missing,
    /// The file ended inside of the group.
    Open,
}

/// The most elements that a name without subscripts is for.
const MOST_ELEMENTS: usize = 1 << 22;
/// How far a name is looked for behind a value.
const LONGEST_NAME: usize = 200;

/// Reads a group from the next place at which it stands.
pub fn read_group(
    cursor: &mut Cursor<'_>,
    group: &str,
    variables: &[NamelistVariable],
    decimal_comma: bool,
    meet: &mut dyn FnMut(NamelistEvent),
) -> GroupEnd {
    if !find_group(cursor, group) {
        return GroupEnd::Missing;
    }
    let mut reader = GroupReader { cursor, list: ListReader::of_namelist(decimal_comma), variables, meet };
    // A file that ends directly behind the group ends too early for the runtime.
    if !reader.objects() || cursor.peek().is_none() {
        return GroupEnd::Open;
    }
    cursor.skip_line();
    GroupEnd::Complete
}

/// Looks for the beginning of a group, and goes behind its name.
fn find_group(cursor: &mut Cursor<'_>, group: &str) -> bool {
    while let Some(byte) = cursor.next_byte() {
        match byte {
            b'!' => {
                cursor.skip_line();
            }
            b'&' | b'$' => {
                let is_named = group.bytes().enumerate().all(|(index, expected)| {
                    cursor.ahead(index).is_some_and(|byte| byte.to_ascii_lowercase() == expected)
                });
                let behind = cursor.ahead(group.len());
                if is_named && (is_separator(behind) || behind == Some(b'!')) {
                    (0..group.len()).for_each(|_| cursor.advance());
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

struct GroupReader<'g, 'r> {
    cursor: &'g mut Cursor<'r>,
    list: ListReader,
    variables: &'g [NamelistVariable],
    meet: &'g mut dyn FnMut(NamelistEvent),
}

/// A subscript as it is written, and where.
#[derive(Clone, Debug)]
enum WrittenSubscript {
    Index(i64, Place),
    Range(Option<(i64, Place)>, Option<(i64, Place)>, i64),
}

/// A part of a name: its text and its subscripts with the place of their bracket.
#[derive(Clone, Debug)]
struct NamePart {
    text: String,
    bracket: Option<Place>,
    subscripts: Vec<WrittenSubscript>,
}

/// What a name stands for: elements of variables, in order.
struct Targets {
    elements: Vec<(usize, Option<usize>)>,
    /// Whether the number of elements is not known.
    is_open: bool,
}

impl GroupReader<'_, '_> {
    /// Reads names and values to the end of the group; false at the end of the file.
    fn objects(&mut self) -> bool {
        loop {
            self.skip_separators();
            match self.cursor.peek() {
                None => return false,
                Some(b'/') => {
                    self.cursor.advance();
                    return true;
                }
                Some(b'&' | b'$') => {
                    self.cursor.advance();
                    self.skip_word();
                    return true;
                }
                Some(byte) if is_name_start(byte) => {
                    if self.object() {
                        return true;
                    }
                }
                Some(_) => {
                    let place = self.cursor.place();
                    let text = self.skip_word();
                    (self.meet)(NamelistEvent::Malformed(place, text));
                }
            }
        }
    }

    fn skip_separators(&mut self) {
        loop {
            self.list.skip_blank_lines(self.cursor);
            match self.cursor.peek() {
                Some(b',' | b';') => self.cursor.advance(),
                _ => return,
            }
        }
    }

    /// Passes over characters up to a separator, at least one, and gives them.
    fn skip_word(&mut self) -> String {
        let mut text = Vec::new();
        while let Some(byte) = self.cursor.peek() {
            if !text.is_empty() && (is_separator(Some(byte)) || byte == b'!') {
                break;
            }
            text.push(byte);
            self.cursor.advance();
        }
        quoted(&text)
    }

    /// Reads a name and its values; true when the group ends behind them.
    fn object(&mut self) -> bool {
        let place = self.cursor.place();
        let Some(parts) = self.name() else {
            let text = self.skip_word();
            (self.meet)(NamelistEvent::Malformed(place, text));
            return false;
        };
        self.list.skip_blank_lines(self.cursor);
        if self.cursor.peek() != Some(b'=') {
            // A word where a name should be.
            let text = parts.first().map_or(String::new(), |part| part.text.clone());
            (self.meet)(NamelistEvent::UnknownName(place, text));
            return false;
        }
        self.cursor.advance();
        let targets = self.targets(place, &parts);
        self.values(targets)
    }

    fn name(&mut self) -> Option<Vec<NamePart>> {
        let mut parts = Vec::new();
        loop {
            let mut text = String::new();
            while let Some(byte) = self.cursor.peek().filter(|&byte| is_name_character(byte)) {
                text.push(char::from(byte.to_ascii_lowercase()));
                self.cursor.advance();
            }
            let mut part = NamePart { text, bracket: None, subscripts: Vec::new() };
            self.skip_blanks();
            if self.cursor.peek() == Some(b'(') {
                part.bracket = Some(self.cursor.place());
                self.cursor.advance();
                part.subscripts = self.subscripts()?;
                self.skip_blanks();
            }
            parts.push(part);
            if self.cursor.peek() != Some(b'%') {
                return Some(parts);
            }
            self.cursor.advance();
        }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.cursor.peek(), Some(b' ' | b'\t')) {
            self.cursor.advance();
        }
    }

    fn subscripts(&mut self) -> Option<Vec<WrittenSubscript>> {
        let mut subscripts = Vec::new();
        loop {
            let lower = self.number();
            self.skip_blanks();
            let mut subscript = lower.map(|(value, place)| WrittenSubscript::Index(value, place));
            if self.cursor.peek() == Some(b':') {
                self.cursor.advance();
                let upper = self.number();
                self.skip_blanks();
                let mut step = 1;
                if self.cursor.peek() == Some(b':') {
                    self.cursor.advance();
                    step = self.number()?.0;
                    self.skip_blanks();
                }
                subscript = Some(WrittenSubscript::Range(lower, upper, step)).filter(|_| step != 0);
            }
            subscripts.push(subscript?);
            let byte = self.cursor.peek()?;
            self.cursor.advance();
            match byte {
                b',' => {}
                b')' => return Some(subscripts),
                _ => return None,
            }
        }
    }

    fn number(&mut self) -> Option<(i64, Place)> {
        self.skip_blanks();
        let place = self.cursor.place();
        let mut text = String::new();
        while let Some(byte @ (b'0'..=b'9' | b'+' | b'-')) = self.cursor.peek() {
            text.push(char::from(byte));
            self.cursor.advance();
        }
        Some((text.parse().ok()?, place))
    }

    /// What a name stands for; `None` for nothing of the group.
    fn targets(&mut self, place: Place, parts: &[NamePart]) -> Option<Targets> {
        let full: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        let full = full.join("%");
        let inner = format!("{full}%");
        let matching: Vec<usize> = (0..self.variables.len())
            .filter(|&index| self.variables[index].name == full || self.variables[index].name.starts_with(&inner))
            .collect();
        if matching.is_empty() {
            let root = &parts[0].text;
            let is_root = |it: &NamelistVariable| it.name == *root || it.name.starts_with(&format!("{root}%"));
            let text = if self.variables.iter().any(is_root) { full } else { root.clone() };
            (self.meet)(NamelistEvent::UnknownName(place, text));
            return None;
        }
        let mut targets = Targets { elements: Vec::new(), is_open: false };
        for index in matching {
            self.elements(index, parts, &mut targets)?;
        }
        Some(targets)
    }

    /// Adds the elements of a variable that a name means.
    fn elements(&mut self, index: usize, parts: &[NamePart], targets: &mut Targets) -> Option<()> {
        let variable = &self.variables[index];
        let mut ranges: Vec<Option<Vec<i64>>> = Vec::new();
        let (mut dimension, mut has_subscripts, mut has_range) = (0, false, false);
        for (position, &count) in variable.dimensions.iter().enumerate() {
            let bounds = &variable.bounds[dimension..dimension + count];
            dimension += count;
            let part = parts.get(position);
            match part.and_then(|part| part.bracket.map(|bracket| (part, bracket))) {
                None => {
                    has_range |= count > 0;
                    ranges.extend(bounds.iter().map(|bounds| bounds.map(|(lower, upper)| (lower..=upper).collect())));
                }
                Some((part, bracket)) => {
                    if part.subscripts.len() != count {
                        (self.meet)(NamelistEvent::Subscript(index, bracket, "(".to_owned()));
                        return None;
                    }
                    has_subscripts = true;
                    for (subscript, bounds) in part.subscripts.iter().zip(bounds) {
                        has_range |= matches!(subscript, WrittenSubscript::Range(..));
                        match range(subscript, *bounds) {
                            Ok(range) => ranges.push(range),
                            Err((value, place)) => {
                                (self.meet)(NamelistEvent::Subscript(index, place, value.to_string()));
                                return None;
                            }
                        }
                    }
                }
            }
        }
        let numbers = numbers(&ranges, &variable.bounds);
        match numbers {
            None => {
                targets.is_open = true;
                targets.elements.push((index, None));
            }
            // Values behind that of one element are for the elements that follow it.
            Some(numbers) if has_subscripts && !has_range => {
                let count = element_count(&variable.bounds).unwrap_or(numbers[0] + 1);
                targets.elements.extend((numbers[0]..count).map(|number| (index, Some(number))));
            }
            Some(numbers) => targets.elements.extend(numbers.into_iter().map(|number| (index, Some(number)))),
        }
        Some(())
    }

    /// Reads the values behind `=`; true when the group ends behind them.
    fn values(&mut self, targets: Option<Targets>) -> bool {
        self.list.drop_pending();
        let is_known = targets.is_some();
        let targets = targets.unwrap_or(Targets { elements: Vec::new(), is_open: true });
        let last = targets.elements.last().copied();
        let mut elements = targets.elements.iter().copied();
        let mut too_many = false;
        loop {
            if self.list.pending() == 0 {
                if self.list.is_complete() {
                    return true;
                }
                self.list.skip_blank_lines(self.cursor);
                match self.cursor.peek() {
                    None => return false,
                    Some(b'/') => {
                        self.cursor.advance();
                        return true;
                    }
                    Some(b'&' | b'$') => return false,
                    Some(_) if self.is_name_ahead() => return false,
                    Some(_) => {}
                }
            }
            let target = elements.next().or(last.filter(|_| targets.is_open).map(|(index, _)| (index, None)));
            let place = self.cursor.place();
            let is_repeated = self.list.pending() > 0;
            match target {
                Some((index, number)) => {
                    let scanned = self.value(self.variables[index].data_type, is_repeated);
                    (self.meet)(NamelistEvent::Value(index, number, scanned));
                }
                None => {
                    let data_type =
                        last.map_or(DataType::Character(None), |(index, _)| self.variables[index].data_type);
                    let text = self.word_ahead();
                    let scanned = self.value(data_type, is_repeated);
                    let is_null = scanned == Scanned::Null;
                    let place = if let Scanned::Value(field) = &scanned { field.place } else { place };
                    if let Some((index, _)) = last.filter(|_| is_known && !is_null)
                        && !std::mem::replace(&mut too_many, true)
                    {
                        (self.meet)(NamelistEvent::TooMany(index, place, text));
                    }
                }
            }
        }
    }

    fn value(&mut self, data_type: DataType, is_repeated: bool) -> Scanned {
        if is_repeated {
            return self.list.item(self.cursor, data_type);
        }
        if matches!(data_type, DataType::Character(_)) {
            let bad = self.unquoted();
            if let Some(fault) = bad {
                return Scanned::Bad(fault);
            }
        }
        let scanned = self.list.fresh(self.cursor, data_type);
        if let Scanned::Bad(_) = scanned {
            self.list.recover(self.cursor);
        }
        scanned
    }

    /// A text that is in no quotes, which a namelist does not allow.
    fn unquoted(&mut self) -> Option<Fault> {
        let mut offset = 0;
        while matches!(self.cursor.ahead(offset), Some(b'0'..=b'9')) {
            offset += 1;
        }
        let behind = self.cursor.ahead(offset);
        let first = if offset > 0 && behind == Some(b'*') { self.cursor.ahead(offset + 1) } else { self.cursor.peek() };
        if matches!(first, Some(b'\'' | b'"')) || is_separator(first) {
            return None;
        }
        let place = self.cursor.place();
        let text = self.skip_word();
        self.list.separator(self.cursor);
        Some(Fault { place, text, kind: FaultKind::Malformed })
    }

    /// The next word, which stays.
    fn word_ahead(&mut self) -> String {
        let mut text = Vec::new();
        while let Some(byte) = self.cursor.ahead(text.len()).filter(|&byte| !is_separator(Some(byte))) {
            text.push(byte);
            if text.len() >= LONGEST_NAME {
                break;
            }
        }
        quoted(&text)
    }

    /// Whether a name and `=` come next, and not a value.
    fn is_name_ahead(&mut self) -> bool {
        if !self.cursor.peek().is_some_and(is_name_start) {
            return false;
        }
        let mut offset = 0;
        let mut depth = 0;
        while offset < LONGEST_NAME {
            match self.cursor.ahead(offset) {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                Some(byte) if is_name_character(byte) || byte == b'%' => {}
                Some(b' ' | b'\t' | b',' | b':' | b'+' | b'-') if depth > 0 => {}
                _ => break,
            }
            offset += 1;
        }
        while matches!(self.cursor.ahead(offset), Some(b' ' | b'\t')) && offset < 2 * LONGEST_NAME {
            offset += 1;
        }
        depth == 0 && self.cursor.ahead(offset) == Some(b'=')
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_name_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// The indices that a subscript means.
///
/// # Errors
///
/// The index that is outside of the bounds, and where it stands.
fn range(subscript: &WrittenSubscript, bounds: Option<(i64, i64)>) -> Result<Option<Vec<i64>>, (i64, Place)> {
    let Some((lowest, highest)) = bounds else { return Ok(None) };
    let inside = |(value, place): (i64, Place)| {
        if (lowest..=highest).contains(&value) { Ok(value) } else { Err((value, place)) }
    };
    match subscript {
        WrittenSubscript::Index(value, place) => Ok(Some(vec![inside((*value, *place))?])),
        WrittenSubscript::Range(lower, upper, step) => {
            let lower = lower.map_or(Ok(if *step > 0 { lowest } else { highest }), inside)?;
            let upper = upper.map_or(Ok(if *step > 0 { highest } else { lowest }), inside)?;
            let mut indices = Vec::new();
            let mut index = lower;
            while if *step > 0 { index <= upper } else { index >= upper } {
                indices.push(index);
                index += step;
            }
            Ok(Some(indices))
        }
    }
}

fn element_count(bounds: &[Option<(i64, i64)>]) -> Option<usize> {
    let mut extents = bounds.iter().map(|bounds| usize::try_from((*bounds)?.1 - (*bounds)?.0 + 1).ok());
    extents.try_fold(1usize, |count, extent| count.checked_mul(extent?))
}

/// The numbers of elements in array element order, the first subscript varying fastest.
fn numbers(ranges: &[Option<Vec<i64>>], bounds: &[Option<(i64, i64)>]) -> Option<Vec<usize>> {
    let mut numbers = vec![0usize];
    let mut strides = Vec::new();
    let mut stride = 1usize;
    for bounds in bounds {
        let (lower, upper) = (*bounds)?;
        strides.push((lower, stride));
        stride = stride.checked_mul(usize::try_from(upper - lower + 1).ok()?)?;
    }
    for (range, (lower, stride)) in ranges.iter().zip(strides).rev() {
        let range = range.as_ref()?;
        if numbers.len().checked_mul(range.len())? > MOST_ELEMENTS {
            return None;
        }
        let offset = |index: i64| usize::try_from(index - lower).ok()?.checked_mul(stride);
        let mut longer = Vec::with_capacity(numbers.len() * range.len());
        for &behind in &numbers {
            for &index in range {
                longer.push(behind + offset(index)?);
            }
        }
        numbers = longer;
    }
    Some(numbers)
}
