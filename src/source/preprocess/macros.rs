//! Macro definitions and the table of them.

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use super::is_word_byte;
use crate::source::classes::{first_nonblank, trim_end};

/// A part of a macro's body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Text that stands for itself.
    Text(Vec<u8>),
    /// The argument of this index, expanded.
    Argument(usize),
    /// The argument of this index as it was written, because it is pasted to its neighbour.
    Verbatim(usize),
    /// The argument of this index as a character constant.
    Quoted(usize),
}

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    pub name: Vec<u8>,
    /// Number of parameters; `None` for an object-like macro.
    pub parameters: Option<usize>,
    /// Whether the last parameter takes all further arguments.
    pub variadic: bool,
    pub body: Vec<Part>,
}

impl Macro {
    /// The object-like macro with this name and body.
    pub fn object(name: &[u8], body: &[u8]) -> Macro {
        Macro { name: name.to_vec(), parameters: None, variadic: false, body: parse_body(body, &[]) }
    }

    /// Reads what follows `#define`: name, parameters, body.
    pub fn parse(text: &[u8]) -> Result<Macro, &'static str> {
        let length = text.iter().take_while(|&&byte| is_word_byte(byte)).count();
        let (name, rest) = text.split_at(length);
        if name.first().is_none_or(u8::is_ascii_digit) {
            return Err("#define without a name");
        }
        let Some(list) = rest.strip_prefix(b"(") else {
            return Ok(Macro::object(name, rest));
        };
        let close = memchr::memchr(b')', list).ok_or("#define whose parameter list is not closed")?;
        let mut names: Vec<&[u8]> = list[..close].split(|&byte| byte == b',').map(trim).collect();
        if names == [b""] {
            names.clear();
        }
        let mut variadic = false;
        if let Some(last) = names.last_mut()
            && let Some(named) = last.strip_suffix(b"...")
        {
            variadic = true;
            *last = if named.is_empty() { b"__VA_ARGS__" } else { trim(named) };
        }
        if !names.iter().all(|name| !name.is_empty() && name.iter().all(|&byte| is_word_byte(byte))) {
            return Err("#define whose parameters are not names");
        }
        let body = parse_body(&list[close + 1..], &names);
        Ok(Macro { name: name.to_vec(), parameters: Some(names.len()), variadic, body })
    }
}

pub(super) fn trim(text: &[u8]) -> &[u8] {
    let text = trim_end(text);
    &text[first_nonblank(text).unwrap_or(text.len())..]
}

/// Splits a body at its parameters and pasting signs.
fn parse_body(text: &[u8], parameters: &[&[u8]]) -> Vec<Part> {
    let text = trim(text);
    let mut parts = Vec::new();
    let mut plain = Vec::new();
    let mut pasting = false;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let paste = if rest.starts_with(b"##") {
            2
        } else if rest.starts_with(b"/**/") {
            4
        } else {
            0
        };
        if paste > 0 {
            at += paste;
            while plain.last().is_some_and(|&byte| byte == b' ' || byte == b'\t') {
                plain.pop();
            }
            if plain.is_empty()
                && let Some(last) = parts.last_mut()
                && let Part::Argument(index) = *last
            {
                *last = Part::Verbatim(index);
            }
            at += first_nonblank(&text[at..]).unwrap_or(0);
            pasting = true;
            continue;
        }
        let length = match rest[0] {
            quote @ (b'\'' | b'"') => memchr::memchr(quote, &rest[1..]).map_or(1, |length| length + 2),
            byte if is_word_byte(byte) => rest.iter().take_while(|&&byte| is_word_byte(byte)).count(),
            b'#' => {
                let blanks = first_nonblank(&rest[1..]).unwrap_or(0);
                1 + blanks + rest[1 + blanks..].iter().take_while(|&&byte| is_word_byte(byte)).count()
            }
            _ => 1,
        };
        let token = &rest[..length];
        at += length;
        let name = token.strip_prefix(b"#").map_or(token, trim);
        let parameter = parameters.iter().position(|parameter| *parameter == name);
        match parameter {
            None => plain.extend_from_slice(token),
            Some(index) => {
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                parts.push(match token[0] {
                    b'#' => Part::Quoted(index),
                    _ if pasting => Part::Verbatim(index),
                    _ => Part::Argument(index),
                });
            }
        }
        pasting = false;
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    parts
}

/// The macros that are defined.
pub(super) struct MacroTable {
    macros: HashMap<Vec<u8>, Rc<Macro>>,
    /// The bytes that names begin with, and (as bits) the lengths that they have: most names are not looked up.
    first_bytes: [bool; 256],
    beginnings: Vec<u8>,
    lengths: u64,
    line: u32,
    file: Vec<u8>,
    /// How many bytes may still come out of macros.
    pub(super) fuel: usize,
}

impl Default for MacroTable {
    fn default() -> Self {
        MacroTable {
            macros: HashMap::new(),
            first_bytes: [false; 256],
            beginnings: Vec::new(),
            lengths: 0,
            line: 0,
            file: Vec::new(),
            fuel: 0,
        }
    }
}

impl MacroTable {
    /// Adds a macro, or replaces it.
    pub fn define(&mut self, definition: Macro) {
        if !definition.name.is_empty() {
            self.note_name(&definition.name);
            self.macros.insert(definition.name.clone(), Rc::new(definition));
        }
    }

    /// Removes a macro.
    pub fn undefine(&mut self, name: &[u8]) {
        self.macros.remove(name);
    }

    /// Whether a macro of this name is defined.
    pub fn is_defined(&self, name: &[u8]) -> bool {
        self.macros.contains_key(name) || name == b"__LINE__" || name == b"__FILE__"
    }

    /// Makes `__LINE__` and `__FILE__` known.
    pub fn enable_places(&mut self) {
        self.note_name(b"__LINE__");
    }

    /// Sets the value of `__LINE__`.
    pub fn set_line(&mut self, line: u32) {
        self.line = line;
    }

    /// Sets the value of `__FILE__`.
    pub fn set_file(&mut self, path: &Path) {
        self.file = path.to_string_lossy().replace('"', "\"\"").into_bytes();
    }

    /// Bounds what all macros together may become, by the size of the source.
    pub fn set_fuel(&mut self, source_size: usize) {
        self.fuel = (1 << 22) + source_size.saturating_mul(4);
    }

    /// The macro of this name.
    pub fn get(&self, name: &[u8]) -> Option<Rc<Macro>> {
        if !self.may_be_macro(name) {
            return None;
        }
        // One that is defined by name holds: so an edited text can be compared without regard to the numbers of its
        // lines.
        if let Some(defined) = self.macros.get(name) {
            return Some(defined.clone());
        }
        match name {
            b"__LINE__" => Some(Rc::new(Macro::object(name, self.line.to_string().as_bytes()))),
            b"__FILE__" => Some(Rc::new(Macro::object(name, &[b"\"", &self.file[..], b"\""].concat()))),
            _ => None,
        }
    }

    fn may_be_macro(&self, name: &[u8]) -> bool {
        name.first().is_some_and(|&first| self.first_bytes[first as usize]) && self.lengths & length_bit(name) != 0
    }

    /// Whether a name in the text, quoted or not, is that of a macro.
    pub fn is_used_in(&self, text: &[u8]) -> bool {
        let is_macro_at = |at: usize| {
            let begins_word = at == 0 || !is_word_byte(text[at - 1]);
            begins_word && {
                let length = text[at..].iter().take_while(|&&byte| is_word_byte(byte)).count();
                let name = &text[at..at + length];
                self.may_be_macro(name) && self.is_defined(name)
            }
        };
        match self.beginnings[..] {
            [] => false,
            [one] => memchr::memchr_iter(one, text).any(is_macro_at),
            [one, two] => memchr::memchr2_iter(one, two, text).any(is_macro_at),
            [one, two, three] => memchr::memchr3_iter(one, two, three, text).any(is_macro_at),
            _ => (0..text.len()).any(|at| self.first_bytes[text[at] as usize] && is_macro_at(at)),
        }
    }

    /// Notes with which byte a name begins, and how long it is.
    fn note_name(&mut self, name: &[u8]) {
        self.lengths |= length_bit(name);
        if let Some(&first) = name.first()
            && !std::mem::replace(&mut self.first_bytes[first as usize], true)
        {
            self.beginnings.push(first);
        }
    }
}

fn length_bit(name: &[u8]) -> u64 {
    1 << name.len().min(63)
}
