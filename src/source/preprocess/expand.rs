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
    /// The text ends before the argument list does.
    Incomplete,
    /// A name that is one of a function-like macro has no arguments: it stands for itself.
    NotACall,
    /// It would become too large.
    TooLarge,
    /// The number of arguments is wrong.
    ArgumentCount,
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
    let word = |text: &[u8]| text.iter().take_while(|&&byte| is_word_byte(byte)).count();
    match rest[0] {
        quote @ (b'\'' | b'"') => {
            let length = memchr::memchr(quote, &rest[1..]).map_or(rest.len(), |length| length + 2);
            (Token::Opaque, at + length)
        }
        b'0'..=b'9' => (Token::Opaque, at + hollerith_extent(rest).unwrap_or_else(|| word(rest))),
        HIDDEN => (Token::Opaque, at + 1 + word(&rest[1..])),
        byte if is_word_byte(byte) => (Token::Name, at + word(rest)),
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
        expanded.map(without_marks)
    }

    /// What the macro becomes that is used by the name at `from..name_end`, and the index behind its arguments.
    pub fn expand_use(
        &mut self,
        definition: &Rc<Macro>,
        text: &[u8],
        name_end: usize,
    ) -> Result<(Vec<u8>, usize), Failure> {
        let mut expansion = Expansion { table: self, hidden: Vec::new(), depth: 0, left: USE_LIMIT.min(self.fuel) };
        let limit = expansion.left;
        let expanded = expansion.expand_use(definition, text, name_end);
        let used = limit - expansion.left;
        self.fuel = self.fuel.saturating_sub(used);
        expanded.map(|(text, end)| (without_marks(text), end))
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

    fn expand(&mut self, text: &[u8]) -> Result<Vec<u8>, Failure> {
        self.spend(text.len())?;
        if self.depth >= DEPTH_LIMIT {
            return Err(Failure::TooLarge);
        }
        self.depth += 1;
        let mut out = Vec::with_capacity(text.len());
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
                Ok((expanded, behind)) => {
                    out.extend_from_slice(&expanded);
                    at = behind;
                }
                Err(Failure::TooLarge) => return Err(Failure::TooLarge),
                Err(_) => out.extend_from_slice(word),
            }
        }
        self.depth -= 1;
        Ok(out)
    }

    /// As [`MacroTable::expand_use`]. When the expansion ends in the name of a function-like macro and arguments follow
    /// it in the text, that is a use, too.
    fn expand_use(
        &mut self,
        definition: &Rc<Macro>,
        text: &[u8],
        name_end: usize,
    ) -> Result<(Vec<u8>, usize), Failure> {
        let mut definition = Rc::clone(definition);
        let mut end = name_end;
        let mut out = Vec::new();
        let mut first = true;
        loop {
            let (replaced, behind) = match self.replace(&definition, text, end) {
                Ok(replaced) => replaced,
                Err(Failure::TooLarge) => return Err(Failure::TooLarge),
                Err(failure) if first => return Err(failure),
                // The name at the end of `out` has no arguments after all; it stays as it is.
                Err(_) => return Ok((out, end)),
            };
            if !first {
                out.truncate(out.len() - definition.name.len());
            }
            first = false;
            end = behind;
            self.hidden.push(definition);
            let expanded = self.expand(&replaced);
            self.hidden.pop();
            out.extend_from_slice(&expanded?);
            let next = first_nonblank(&text[end..]).map(|skip| text[end + skip]);
            match self.function_at_end(&out) {
                Some(function) if next == Some(b'(') => definition = function,
                _ => return Ok((out, end)),
            }
        }
    }

    /// The function-like macro whose name the text ends with.
    fn function_at_end(&self, text: &[u8]) -> Option<Rc<Macro>> {
        let length = text.iter().rev().take_while(|&&byte| is_word_byte(byte)).count();
        let (before, name) = text.split_at(text.len() - length);
        if before.last() == Some(&HIDDEN) {
            return None;
        }
        self.table.get(name).filter(|definition| definition.parameters.is_some() && !self.is_hidden(definition))
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
                        unknown => unknown.insert(self.expand(arguments[*index])?),
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

/// The arguments in brackets behind a name, and the index behind the closing bracket.
fn arguments(text: &[u8], name_end: usize) -> Result<(Vec<&[u8]>, usize), Failure> {
    let Some(skip) = first_nonblank(&text[name_end..]) else { return Err(Failure::Incomplete) };
    if text[name_end + skip] != b'(' {
        return Err(Failure::NotACall);
    }
    let mut arguments = Vec::new();
    let mut at = name_end + skip + 1;
    let mut start = at;
    let mut depth = 0_u32;
    while at < text.len() {
        let (_, end) = token(text, at);
        match text[at] {
            b'(' => depth += 1,
            b')' if depth == 0 => {
                arguments.push(trim(&text[start..at]));
                return Ok((arguments, end));
            }
            b')' => depth -= 1,
            b',' if depth == 0 => {
                arguments.push(trim(&text[start..at]));
                start = end;
            }
            _ => {}
        }
        at = end;
    }
    Err(Failure::Incomplete)
}
