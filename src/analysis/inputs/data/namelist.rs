//! Namelist input (Fortran 2023, 13.11.3), as the runtime of gfortran reads it: groups are searched, names may have
//! components and subscripts, values may be repeated, left out, or stop before the end of an array.

use super::cursor::{Cursor, Place};
use super::list::{ListReader, is_separator};
use super::namelist_names::{NameAhead, NameFault, NamelistVariable, Targets, name_ahead, read_name};
use super::scanned::{Fault, FaultKind, Scanned, quoted};
use crate::analysis::inputs::value::DataType;

/// What a value of a group is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// The index of the variable.
    pub variable: usize,
    /// The number of the element in array element order; `None` where that is not known.
    pub number: Option<usize>,
    /// The characters that are meant, if not all: the first and the last, from 1.
    pub substring: Option<(usize, usize)>,
}

/// What is met in a group.
#[derive(Clone, PartialEq, Debug)]
pub enum NamelistEvent {
    /// What stands there for an element of a variable.
    Value(Element, Scanned),
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

/// What the runtime meets where something is wrong with a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fails {
    /// An error.
    Error,
    /// The end of the file: it looks for a name, and there is none.
    End,
}

/// How a group was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupRead {
    /// How it ended.
    pub end: GroupEnd,
    /// What the runtime meets at the first thing that is wrong with it, if anything is.
    pub fails: Option<Fails>,
}

/// How far a name is looked for behind a value.
const LONGEST_NAME: usize = 200;

/// Reads a group from the next place at which it stands.
pub fn read_group(
    cursor: &mut Cursor<'_>,
    group: &str,
    variables: &[NamelistVariable],
    decimal_comma: bool,
    meet: &mut dyn FnMut(NamelistEvent),
) -> GroupRead {
    if !find_group(cursor, group) {
        return GroupRead { end: GroupEnd::Missing, fails: None };
    }
    let list = ListReader::of_namelist(decimal_comma);
    let mut reader = GroupReader { cursor, list, variables, meet, behind: Behind::Nothing, fails: None };
    let is_closed = reader.objects();
    let fails = reader.fails;
    // A file that ends in the line of the end of the group ends too early for the runtime.
    let is_complete = cursor.skip_line() && is_closed;
    GroupRead { end: if is_complete { GroupEnd::Complete } else { GroupEnd::Open }, fails }
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
                    cursor.skip(group.len());
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
    /// What stands in front of the next word.
    behind: Behind,
    /// What the runtime meets at the first thing that is wrong.
    fails: Option<Fails>,
}

/// What stands in front of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Behind {
    Nothing,
    /// The values of a variable.
    Values(usize),
    /// Something that was told to be wrong.
    Fault,
}

impl GroupReader<'_, '_> {
    /// Tells what is wrong.
    fn tell(&mut self, event: NamelistEvent) {
        self.fails.get_or_insert(Fails::Error);
        (self.meet)(event);
    }

    /// The runtime takes what comes next for a name: notes whether the file ends in it.
    fn note_fault(&mut self) {
        let end = if name_ahead(self.cursor, 0).is_none() { Fails::End } else { Fails::Error };
        self.fails.get_or_insert(end);
    }

    /// Reads names and values to the end of the group; false at the end of the file.
    fn objects(&mut self) -> bool {
        self.list.separator(self.cursor);
        while !self.list.is_complete() {
            self.list.separator(self.cursor);
            let is_open = !self.list.is_complete() && self.list.met_line_end;
            if is_open && !self.list.finish_separator(self.cursor) {
                return false;
            }
            if self.list.is_complete() {
                break;
            }
            match self.cursor.peek() {
                None => return false,
                Some(b'/') => {
                    self.cursor.advance();
                    break;
                }
                Some(b'&' | b'$') => {
                    self.end();
                    break;
                }
                Some(b'?') => self.cursor.advance(),
                Some(_) => {
                    if !self.object() {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// `&end` and `$end`.
    fn end(&mut self) {
        let place = self.cursor.place();
        let is_end = (1..)
            .zip(b"end")
            .all(|(offset, letter)| self.cursor.ahead(offset).is_some_and(|byte| byte.to_ascii_lowercase() == *letter));
        if is_end {
            self.cursor.skip(4);
        } else {
            let text = self.skip_word();
            self.tell(NamelistEvent::Malformed(place, text));
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

    /// Reads a name and its values; false where the file ends in it.
    fn object(&mut self) -> bool {
        let ahead = name_ahead(self.cursor, 0);
        let is_name = ahead.as_ref().is_some_and(|ahead| {
            is_name_start(ahead.text.bytes().next().unwrap_or(b' '))
                && (is_known(self.variables, &ahead.text) || self.is_assigned(ahead.first))
        });
        let first = ahead.as_ref().map_or(0, |ahead| ahead.first);
        if !is_name {
            self.surplus(first);
            return true;
        }
        let place = self.cursor.place_of(first);
        let word = self.word_ahead(first);
        let targets = match read_name(self.cursor, self.variables) {
            Ok(targets) => targets,
            Err(NameFault::End) => return false,
            Err(fault) => {
                self.faulty(fault, place, word);
                return true;
            }
        };
        self.list.separator(self.cursor);
        if !self.list.is_complete() && self.list.met_line_end && !self.list.finish_separator(self.cursor) {
            return false;
        }
        if self.list.is_complete() {
            return true;
        }
        if self.cursor.peek() != Some(b'=') {
            self.tell(NamelistEvent::Malformed(place, word));
            return true;
        }
        self.cursor.advance();
        self.values(&targets);
        self.behind = targets.runs.last().map_or(Behind::Nothing, |run| Behind::Values(run.variable));
        true
    }

    /// Tells what is wrong with a name, and goes to what follows its `=`.
    fn faulty(&mut self, fault: NameFault, place: Place, word: String) {
        self.tell(match fault {
            NameFault::Unknown(path) => {
                let root = path.split('%').next().unwrap_or_default();
                let is_known = is_known(self.variables, root);
                NamelistEvent::UnknownName(place, if is_known { path } else { word.clone() })
            }
            NameFault::Subscript(variable, place, text) => NamelistEvent::Subscript(variable, place, text),
            NameFault::Malformed(place) => NamelistEvent::Malformed(place, "(".to_owned()),
            NameFault::End => return,
        });
        if self.cursor.place() <= place {
            self.skip_separators();
            self.cursor.skip(word.len());
        }
        let mut offset = 0;
        while let Some(byte) = self.cursor.ahead(offset) {
            match byte {
                b'=' => {
                    self.cursor.skip(offset + 1);
                    break;
                }
                b'\n' | b'/' | b'!' | b'\'' | b'"' | b'&' | b'$' => break,
                _ => offset += 1,
            }
        }
        self.list.drop_pending();
        self.behind = Behind::Fault;
    }

    /// Passes over a word that nothing is left for; told is the first of them.
    fn surplus(&mut self, first: usize) {
        self.note_fault();
        self.cursor.skip(first);
        self.skip_separators();
        let place = self.cursor.place();
        let text = self.word_ahead(0);
        match std::mem::replace(&mut self.behind, Behind::Fault) {
            Behind::Values(variable) => self.tell(NamelistEvent::TooMany(variable, place, text)),
            Behind::Nothing => self.tell(NamelistEvent::Malformed(place, text)),
            Behind::Fault => {}
        }
        match self.cursor.peek() {
            None | Some(b'/' | b'&' | b'$') => {}
            Some(b'\'' | b'"') => {
                self.list.fresh(self.cursor, DataType::Character(None));
                self.list.drop_pending();
            }
            Some(_) => {
                self.skip_word();
            }
        }
    }

    fn skip_separators(&mut self) {
        while self.cursor.peek().is_some_and(|byte| is_separator(Some(byte)) && byte != b'/') {
            self.cursor.advance();
        }
    }

    /// Reads the values behind `=`, up to the next name.
    fn values(&mut self, targets: &Targets) {
        for (at, run) in targets.runs.iter().enumerate() {
            let is_last = at + 1 == targets.runs.len();
            self.list.drop_pending();
            if at > 0 && self.list.met_line_end && !self.list.is_complete() {
                self.list.finish_separator(self.cursor);
            }
            self.list.skip_blanks(self.cursor);
            let mut numbers = run.elements.iter().flatten();
            loop {
                let number = numbers.next().copied();
                if (number.is_none() && run.elements.is_some())
                    || !self.is_value_next(self.variables[run.variable].data_type)
                {
                    break;
                }
                let element = Element { variable: run.variable, number, substring: targets.substring };
                let is_repeated = self.list.pending() > 0;
                let of = self.variables[run.variable].data_type;
                let is_text = matches!(of, DataType::Character(_));
                // The runtime leaves what is no text to the next component.
                if is_text && !is_repeated && (self.cursor.peek() == Some(b'!') || !is_last && !self.is_text_next()) {
                    break;
                }
                let of = match (of, targets.substring) {
                    (DataType::Character(_), Some((first, last))) => {
                        DataType::Character(u32::try_from(last + 1 - first).ok())
                    }
                    _ => of,
                };
                let scanned = self.value(of, is_repeated);
                (self.meet)(NamelistEvent::Value(element, scanned));
            }
            if self.list.pending() > 0 {
                let place = self.cursor.place();
                self.list.drop_pending();
                self.tell(NamelistEvent::TooMany(run.variable, place, String::new()));
            }
        }
    }

    /// Whether a value comes next: no name, and no end of the group.
    fn is_value_next(&mut self, of: DataType) -> bool {
        if self.list.pending() > 0 {
            return true;
        }
        if self.list.is_complete() {
            return false;
        }
        if self.list.met_line_end && !self.list.finish_separator(self.cursor) {
            return false;
        }
        let is_end = self.list.is_complete() || matches!(self.cursor.peek(), None | Some(b'&' | b'$'));
        !is_end && !self.is_name_ahead(of)
    }

    fn value(&mut self, data_type: DataType, is_repeated: bool) -> Scanned {
        if is_repeated {
            return self.list.item(self.cursor, data_type);
        }
        if matches!(data_type, DataType::Character(_)) && !self.is_text_next() {
            return Scanned::Bad(self.unquoted());
        }
        if self.cursor.peek() == Some(b'!') {
            // The runtime takes a comment for a null value.
            self.list.separator(self.cursor);
            return Scanned::Null;
        }
        if self.is_word_of_a_name(data_type) {
            self.note_fault();
        }
        let scanned = self.list.fresh(self.cursor, data_type);
        if scanned == Scanned::End {
            self.fails.get_or_insert(Fails::End);
        }
        let Scanned::Bad(fault) = &scanned else { return scanned };
        if fault.kind != FaultKind::Malformed || self.list.is_no_name {
            self.fails.get_or_insert(Fails::Error);
        } else if let Some(end) = self.fails_behind() {
            self.fails.get_or_insert(end);
        } else {
            self.list.drop_pending();
            return Scanned::Null;
        }
        self.list.recover(self.cursor);
        scanned
    }

    /// What the runtime meets because of the bad value whose characters it has read up to here: nothing, if a name of
    /// the group, or its end, comes next.
    fn fails_behind(&mut self) -> Option<Fails> {
        let offset = self.separators_ahead();
        if matches!(self.cursor.ahead(offset), Some(b'/' | b'&' | b'$')) {
            return None;
        }
        match name_ahead(self.cursor, offset) {
            None => Some(Fails::End),
            Some(ahead) if is_known(self.variables, &ahead.text) => None,
            Some(_) => Some(Fails::Error),
        }
    }

    /// Where what separates values ends.
    fn separators_ahead(&mut self) -> usize {
        let mut offset = self.blanks_ahead(0);
        let mut has_comma = false;
        let mut is_line_end = false;
        match self.cursor.ahead(offset) {
            Some(b',') if self.list.decimal_comma => {}
            Some(b',' | b';') => {
                has_comma = true;
                offset = self.blanks_ahead(offset + 1);
                is_line_end = self.cursor.ahead(offset) == Some(b'\n');
            }
            Some(b'!') => {
                offset = self.line_ahead(offset);
                is_line_end = true;
            }
            Some(b'\n') => offset = self.lines_ahead(offset),
            _ => {}
        }
        while is_line_end {
            offset = self.blanks_ahead(offset);
            match self.cursor.ahead(offset) {
                Some(b',') if !has_comma => {
                    offset = self.blanks_ahead(offset + 1);
                    is_line_end = self.cursor.ahead(offset) == Some(b'\n');
                }
                Some(b'\n') => offset += 1,
                Some(b'!') => offset = self.line_ahead(offset),
                _ => is_line_end = false,
            }
        }
        offset
    }

    /// Where blanks, ends of lines and comments end.
    fn lines_ahead(&mut self, mut offset: usize) -> usize {
        loop {
            offset = self.blanks_ahead(offset);
            match self.cursor.ahead(offset) {
                Some(b'\n') => offset += 1,
                Some(b'!') => offset = self.line_ahead(offset),
                _ => return offset,
            }
        }
    }

    /// Where blanks end that begin so many bytes ahead.
    fn blanks_ahead(&mut self, mut offset: usize) -> usize {
        while matches!(self.cursor.ahead(offset), Some(b' ' | b'\t' | b'\r')) {
            offset += 1;
        }
        offset
    }

    /// Where the next line begins.
    fn line_ahead(&mut self, mut offset: usize) -> usize {
        while let Some(byte) = self.cursor.ahead(offset) {
            offset += 1;
            if byte == b'\n' {
                break;
            }
        }
        offset
    }

    /// Whether what comes next is read as a text: it is in quotes, begins with a digit, or is nothing.
    fn is_text_next(&mut self) -> bool {
        let first = self.cursor.peek();
        matches!(first, Some(b'\'' | b'"' | b'0'..=b'9')) || is_separator(first)
    }

    /// What is read as no text.
    fn unquoted(&mut self) -> Fault {
        self.note_fault();
        let place = self.cursor.place();
        let text = self.skip_word();
        self.list.separator(self.cursor);
        Fault { place, text, kind: FaultKind::Malformed }
    }

    /// The word that begins so many bytes ahead.
    fn word_ahead(&mut self, first: usize) -> String {
        let mut text = Vec::new();
        let is_of_word = |byte: &u8| !is_separator(Some(*byte)) && !matches!(byte, b'=' | b'!');
        while let Some(byte) = self.cursor.ahead(first + text.len()).filter(is_of_word) {
            text.push(byte);
            if text.len() >= LONGEST_NAME {
                break;
            }
        }
        quoted(&text)
    }

    /// Whether a name and `=` come next, and not a value.
    fn is_name_ahead(&mut self, of: DataType) -> bool {
        let Some(first) = self.cursor.peek().filter(|&byte| is_name_start(byte)) else { return false };
        let may_be_value = match of {
            DataType::Logical(_) => matches!(first, b't' | b'T' | b'f' | b'F'),
            DataType::Real(_) => !self.is_word_of_a_name(of),
            DataType::Integer(_) | DataType::Complex(_) | DataType::Character(_) => false,
        };
        if may_be_value && matches!(of, DataType::Logical(_)) {
            // The runtime looks for `=` behind one word only.
            let end = (0..LONGEST_NAME)
                .find(|&at| matches!(self.cursor.ahead(at), Some(b'=')) || is_separator(self.cursor.ahead(at)));
            let next = end.map(|end| self.lines_ahead(end));
            return next.is_some_and(|next| self.cursor.ahead(next) == Some(b'='));
        }
        let is_known = |ahead: NameAhead| is_known(self.variables, &ahead.text);
        self.is_assigned(0) || (!may_be_value && name_ahead(self.cursor, 0).is_some_and(is_known))
    }

    /// Whether a real is to be read, and what comes next is a word, but none for an infinity or NaN.
    fn is_word_of_a_name(&mut self, of: DataType) -> bool {
        let letters = self.letters_ahead();
        let is_number = matches!(letters.as_str(), "" | "inf" | "infinity" | "nan");
        matches!(of, DataType::Real(_)) && !is_number
    }

    /// The letters that come next, lower case.
    fn letters_ahead(&mut self) -> String {
        let mut text = String::new();
        while let Some(byte) = self.cursor.ahead(text.len()).filter(u8::is_ascii_alphabetic) {
            text.push(char::from(byte.to_ascii_lowercase()));
        }
        text
    }

    /// Whether a word so many bytes ahead is followed by `=`, perhaps with brackets and components between.
    fn is_assigned(&mut self, first: usize) -> bool {
        let mut offset = first;
        let mut depth = 0;
        while offset < first + LONGEST_NAME {
            match self.cursor.ahead(offset) {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                Some(byte) if is_name_character(byte) || byte == b'%' => {}
                Some(b' ' | b'\t' | b',' | b':' | b'+' | b'-') if depth > 0 => {}
                _ => break,
            }
            offset += 1;
        }
        offset = self.lines_ahead(offset);
        depth == 0 && self.cursor.ahead(offset) == Some(b'=')
    }
}

/// Whether a variable, or a structure, of the group has this name.
fn is_known(variables: &[NamelistVariable], name: &str) -> bool {
    variables.iter().any(|it| it.name.split('%').next() == Some(name))
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_name_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}
