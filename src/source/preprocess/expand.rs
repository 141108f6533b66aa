//! Macro expansion: text in, text out.
//!
//! A macro is not expanded in its own expansion. Text that came out of one is read again with that macro (and those
//! around it) hidden; a name that was met while hidden gets a [`HIDDEN`] mark and is never expanded after that. What
//! one use, and all uses of a file together, may become is bounded by [`USE_LIMIT`] and the table's fuel, and nesting
//! by [`DEPTH_LIMIT`].

use std::rc::Rc;

use super::is_word_byte;
use super::macros::{Macro, MacroTable, Part, trim};
use crate::source::classes::first_nonblank;

/// One use of a macro becomes so many bytes at most.
const USE_LIMIT: usize = 1 << 16;
/// Macros use each other this deep at most.
const DEPTH_LIMIT: usize = 100;
/// Stands before a name that must not be expanded any more.
const HIDDEN: u8 = 0x01;

/// Why a use can't be expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// The text ends before the argument list does, which is read so far.
    Incomplete(ArgumentList),
    /// A name that is one of a function-like macro has no arguments: it stands for itself.
    NotACall,
    /// It would become too large.
    TooLarge,
    /// The number of arguments is wrong.
    ArgumentCount,
}

/// How far the argument list of a macro use is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ArgumentList {
    /// How many brackets are open; none before the list begins.
    depth: u32,
}

/// Where an argument list ends in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ListEnd {
    /// Before this index.
    Before(usize),
    /// In text to come, perhaps.
    Further,
    /// There is none.
    Missing,
}

impl ArgumentList {
    /// Reads on in the text that follows.
    pub fn read(&mut self, text: &[u8]) -> ListEnd {
        let mut at = 0;
        if self.depth == 0 {
            let Some(skip) = first_nonblank(text) else { return ListEnd::Further };
            if text[skip] != b'(' {
                return ListEnd::Missing;
            }
            at = skip;
        }
        while at < text.len() {
            match text[at] {
                b'(' => self.depth += 1,
                b')' => self.depth -= 1,
                _ => {}
            }
            at = token(text, at).1;
            if self.depth == 0 {
                return ListEnd::Before(at);
            }
        }
        ListEnd::Further
    }
}

/// What a text becomes.
struct Expanded {
    text: Vec<u8>,
    /// Where in it the name of a function-like macro stands whose arguments go on in what follows the text.
    open: Option<usize>,
}

/// What a macro use becomes.
struct ExpandedUse {
    /// The text; it has something open only if the arguments don't end in the text around the use.
    expanded: Expanded,
    /// Index behind the arguments.
    behind: usize,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Name,
    /// A number, a character constant, or a name that must not be expanded.
    Opaque,
    Other,
}

/// The token at an index, and the index behind it.
pub(super) fn token(text: &[u8], at: usize) -> (Token, usize) {
    let rest = &text[at..];
    match rest[0] {
        quote @ (b'\'' | b'"') => {
            let length = memchr::memchr(quote, &rest[1..]).map_or(rest.len(), |length| length + 2);
            (Token::Opaque, at + length)
        }
        b'0'..=b'9' => (Token::Opaque, at + hollerith_extent(rest).unwrap_or_else(|| word_length(rest))),
        HIDDEN => (Token::Opaque, at + 1 + word_length(&rest[1..])),
        byte if is_word_byte(byte) => (Token::Name, at + word_length(rest)),
        _ => (Token::Other, at + 1),
    }
}

/// The length of the Hollerith constant that a text begins with.
pub(super) fn hollerith_extent(text: &[u8]) -> Option<usize> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let count: usize = std::str::from_utf8(text.get(..digits)?).ok()?.parse().ok()?;
    let extent = (digits + 1).checked_add(count)?;
    (count > 0 && matches!(text.get(digits), Some(b'h' | b'H')) && extent <= text.len()).then_some(extent)
}

/// The file name of an `#include`.
pub(super) fn unquoted_name(text: &[u8]) -> Option<&[u8]> {
    let (open, rest) = trim(text).split_first()?;
    let close = match open {
        b'"' | b'\'' => *open,
        b'<' => b'>',
        _ => return None,
    };
    memchr::memchr(close, rest).map(|length| &rest[..length])
}

impl MacroTable {
    /// The text with all its macros expanded.
    pub fn expand_text(&mut self, text: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut expansion = Expansion { table: self, hidden: Vec::new(), depth: 0, left: USE_LIMIT.min(self.fuel) };
        let limit = expansion.left;
        let expanded = expansion.expand(text);
        let used = limit - expansion.left;
        self.fuel = self.fuel.saturating_sub(used);
        expanded.map(|expanded| without_marks(expanded.text))
    }

    /// What the macro becomes that is used by the name that ends at `name_end`, and the index behind its arguments.
    /// With `may_go_on` more text may follow: then a use is not complete whose expansion needs that.
    pub fn expand_use(
        &mut self,
        definition: &Rc<Macro>,
        text: &[u8],
        name_end: usize,
        may_go_on: bool,
    ) -> Result<(Vec<u8>, usize), Failure> {
        let mut expansion = Expansion { table: self, hidden: Vec::new(), depth: 0, left: USE_LIMIT.min(self.fuel) };
        let limit = expansion.left;
        let expanded = expansion.expand_use(definition, text, name_end);
        let used = limit - expansion.left;
        self.fuel = self.fuel.saturating_sub(used);
        let ExpandedUse { expanded: Expanded { text: expanded, open }, behind } = expanded?;
        if let Some(name) = open.filter(|_| may_go_on) {
            let mut list = ArgumentList::default();
            let listed = name + word_length(&expanded[name..]);
            if list.read(&expanded[listed..]) == ListEnd::Further && list.read(&text[behind..]) == ListEnd::Further {
                return Err(Failure::Incomplete(list));
            }
        }
        Ok((without_marks(expanded), behind))
    }
}

fn without_marks(mut text: Vec<u8>) -> Vec<u8> {
    text.retain(|&byte| byte != HIDDEN);
    text
}

struct Expansion<'t> {
    table: &'t MacroTable,
    /// The macros in whose expansion we are.
    hidden: Vec<Rc<Macro>>,
    /// How deep arguments and expansions are nested.
    depth: usize,
    /// How many bytes may still be read and made for the use.
    left: usize,
}

impl Expansion<'_> {
    fn spend(&mut self, bytes: usize) -> Result<(), Failure> {
        let enough = self.left > bytes;
        self.left = self.left.saturating_sub(bytes + 1);
        if enough { Ok(()) } else { Err(Failure::TooLarge) }
    }

    fn is_hidden(&self, definition: &Macro) -> bool {
        self.hidden.iter().any(|hidden| hidden.name == definition.name)
    }

    fn expand(&mut self, text: &[u8]) -> Result<Expanded, Failure> {
        self.spend(text.len())?;
        if self.depth >= DEPTH_LIMIT {
            return Err(Failure::TooLarge);
        }
        self.depth += 1;
        let mut out = Vec::with_capacity(text.len());
        let mut open = None;
        let mut at = 0;
        while at < text.len() {
            let (kind, end) = token(text, at);
            let word = &text[at..end];
            at = end;
            let definition = if kind == Token::Name { self.table.get(word) } else { None };
            let Some(definition) = definition else {
                out.extend_from_slice(word);
                continue;
            };
            if self.is_hidden(&definition) {
                out.push(HIDDEN);
                out.extend_from_slice(word);
                continue;
            }
            match self.expand_use(&definition, text, end) {
                Ok(used) => {
                    open = open.or(used.expanded.open.map(|name| out.len() + name));
                    out.extend_from_slice(&used.expanded.text);
                    at = used.behind;
                }
                Err(Failure::TooLarge) => return Err(Failure::TooLarge),
                Err(failure) => {
                    if let Failure::Incomplete(_) = failure {
                        open = open.or(Some(out.len()));
                    }
                    out.extend_from_slice(word);
                }
            }
        }
        self.depth -= 1;
        Ok(Expanded { text: out, open })
    }

    /// As [`MacroTable::expand_use`]. When the expansion ends within another use, the arguments of that go on in the
    /// text behind this one.
    fn expand_use(&mut self, definition: &Rc<Macro>, text: &[u8], name_end: usize) -> Result<ExpandedUse, Failure> {
        let (mut replaced, mut behind) = self.replace(definition, text, name_end)?;
        let mut definition = Rc::clone(definition);
        let mut out = Vec::new();
        loop {
            self.hidden.push(definition);
            let expanded = self.expand(&replaced);
            self.hidden.pop();
            let Expanded { text: mut expanded, open } = expanded?;
            let Some(name) = open else {
                out.append(&mut expanded);
                return Ok(ExpandedUse { expanded: Expanded { text: out, open: None }, behind });
            };
            let name_end = name + word_length(&expanded[name..]);
            let mut list = ArgumentList::default();
            let end = match list.read(&expanded[name_end..]) {
                ListEnd::Further => list.read(&text[behind..]),
                // What was expanded behind the name has changed where constants end.
                ListEnd::Before(_) | ListEnd::Missing => ListEnd::Missing,
            };
            let function = self.table.get(&expanded[name..name_end]);
            let next = match (end, function) {
                (ListEnd::Before(length), Some(function)) => {
                    self.spend(length)?;
                    let call = [&expanded[name..], &text[behind..behind + length]].concat();
                    match self.replace(&function, &call, name_end - name) {
                        Ok((next, _)) => Some((next, function, length)),
                        Err(Failure::TooLarge) => return Err(Failure::TooLarge),
                        // The name stays as it is.
                        Err(_) => None,
                    }
                }
                _ => None,
            };
            let Some((next, function, length)) = next else {
                let open = (end == ListEnd::Further).then_some(out.len() + name);
                out.append(&mut expanded);
                return Ok(ExpandedUse { expanded: Expanded { text: out, open }, behind });
            };
            expanded.truncate(name);
            out.append(&mut expanded);
            (replaced, definition) = (next, function);
            behind += length;
        }
    }

    /// The body with the arguments in it, not yet read again, and the index behind the arguments.
    fn replace(&mut self, definition: &Macro, text: &[u8], name_end: usize) -> Result<(Vec<u8>, usize), Failure> {
        let Some(parameters) = definition.parameters else {
            let mut out = Vec::new();
            for part in &definition.body {
                if let Part::Text(text) = part {
                    out.extend_from_slice(text);
                }
            }
            return Ok((out, name_end));
        };
        let within = &text[..text.len().min(name_end + self.left)];
        let found = arguments(within, name_end);
        let read = found.as_ref().map_or(within.len(), |(_, end)| *end) - name_end;
        match found {
            Err(Failure::NotACall) => {}
            Err(_) if within.len() < text.len() => {
                self.left = 0;
                return Err(Failure::TooLarge);
            }
            _ => self.spend(read)?,
        }
        let (mut arguments, end) = found?;
        if parameters == 0 && arguments == [b""] {
            arguments.clear();
        }
        let joined;
        if definition.variadic && arguments.len() >= parameters && parameters > 0 {
            joined = arguments[parameters - 1..].join(&b", "[..]);
            arguments.truncate(parameters - 1);
            arguments.push(&joined);
        } else if definition.variadic && arguments.len() + 1 == parameters {
            arguments.push(b"");
        }
        if arguments.len() != parameters {
            return Err(Failure::ArgumentCount);
        }
        let mut expanded: Vec<Option<Vec<u8>>> = vec![None; parameters];
        let mut out = Vec::new();
        for part in &definition.body {
            let before = out.len();
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::Verbatim(index) => out.extend_from_slice(arguments[*index]),
                Part::Quoted(index) => out.extend(quoted(arguments[*index])),
                Part::Argument(index) => {
                    let argument = match &mut expanded[*index] {
                        Some(argument) => argument,
                        unknown => unknown.insert(self.expand(arguments[*index])?.text),
                    };
                    out.extend_from_slice(argument);
                }
            }
            self.spend(out.len() - before)?;
        }
        Ok((out, end))
    }
}

/// The argument as a character constant of Fortran.
fn quoted(argument: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for &byte in argument.iter().filter(|&&byte| byte != HIDDEN) {
        if byte == b'"' {
            out.push(byte);
        }
        out.push(byte);
    }
    out.push(b'"');
    out
}

/// The length of the name that a text begins with.
fn word_length(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_word_byte(byte)).count()
}

/// The arguments in brackets behind a name, and the index behind the closing bracket.
fn arguments(text: &[u8], name_end: usize) -> Result<(Vec<&[u8]>, usize), Failure> {
    let text_of_list = &text[name_end..];
    let mut list = ArgumentList::default();
    let end = match list.read(text_of_list) {
        ListEnd::Before(end) => end,
        ListEnd::Further => return Err(Failure::Incomplete(list)),
        ListEnd::Missing => return Err(Failure::NotACall),
    };
    let mut arguments = Vec::new();
    let mut start = first_nonblank(text_of_list).unwrap_or(0) + 1;
    let mut at = start;
    let mut depth = 0_u32;
    while at < end {
        match text_of_list[at] {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b',' | b')' if depth == 0 => {
                arguments.push(trim(&text_of_list[start..at]));
                start = at + 1;
            }
            _ => {}
        }
        at = token(text_of_list, at).1;
    }
    Ok((arguments, name_end + end))
}
