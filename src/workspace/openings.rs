//! Which statements a text may have that matter to other files, told by a quick look at the beginnings of its lines.

use memchr::memmem;

use crate::source::is_name_byte;

/// The word that opens a module.
pub const MODULE: &[u8] = b"module";
const SUBMODULE: &[u8] = b"submodule";
const FUNCTION: &[u8] = b"function";
const INCLUDE: &[u8] = b"include";
const USE: &[u8] = b"use";

/// Which statements a text may have, judged by the beginnings of its statements and by what directives hold.
#[derive(Debug, Default)]
pub struct Openings {
    /// MODULE or SUBMODULE.
    pub module: bool,
    /// FUNCTION.
    pub function: bool,
    /// Whether there are directives.
    pub is_preprocessed: bool,
    /// The names of the files that are included, by `#include` and by INCLUDE lines; `None` where a macro stands for
    /// the name.
    pub included: Vec<Option<String>>,
    /// The modules that USE statements name, and the ancestors of submodules, in lower case, each as often as it is
    /// named.
    pub used: Vec<String>,
    /// Whether its macros paste words together.
    pub pastes: bool,
}

impl Openings {
    /// Those of a text.
    pub fn of(text: &[u8]) -> Openings {
        let mut openings = Openings::default();
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let has_semicolons = memchr::memchr(b';', text).is_some();
        let mut rest = text;
        while !rest.is_empty() {
            let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            let line = &rest[..length];
            openings.note(line);
            if has_semicolons {
                memchr::memchr_iter(b';', line).for_each(|at| openings.note(&line[at + 1..]));
            }
            rest = rest.get(length + 1..).unwrap_or_default();
        }
        openings.pastes = openings.is_preprocessed && pastes(text);
        openings
    }

    /// Notes what a statement may be that begins here, perhaps behind a label.
    fn note(&mut self, text: &[u8]) {
        let begin = text.iter().position(|byte| *byte > b' ' && !byte.is_ascii_digit());
        let text = &text[begin.unwrap_or(text.len())..];
        let Some(first) = text.first().map(u8::to_ascii_lowercase) else { return };
        match first {
            b'#' => {
                self.is_preprocessed = true;
                self.module |= holds_word(text, MODULE);
                self.include(text[1..].trim_ascii_start(), true);
            }
            b'i' if begins_with(text, INCLUDE) => self.include(text, false),
            b'u' if begins_with(text, USE) => self.used.extend(used_module(&text[USE.len()..])),
            _ if prefixes(first).iter().any(|word| begins_with(text, word)) => {
                let is_submodule = begins_with(text, SUBMODULE);
                self.module |= is_submodule || begins_with(text, MODULE);
                if is_submodule && let Some(ancestor) = text[SUBMODULE.len()..].trim_ascii_start().strip_prefix(b"(") {
                    self.used.extend(name_at(ancestor));
                }
                self.function |= holds_word(text, FUNCTION);
            }
            _ => {}
        }
    }

    /// Notes a file that is included, if `text` says so.
    fn include(&mut self, text: &[u8], by_directive: bool) {
        if !begins_with(text, INCLUDE) {
            return;
        }
        let text = text[INCLUDE.len()..].trim_ascii_start();
        let close = match text.first() {
            Some(&quote @ (b'"' | b'\'')) => quote,
            Some(b'<') => b'>',
            _ if by_directive => return self.included.push(None),
            _ => return,
        };
        if let Some(length) = memchr::memchr(close, &text[1..]) {
            self.included.push(Some(String::from_utf8_lossy(&text[1..=length]).trim().to_owned()));
        }
    }
}

/// With what a FUNCTION statement (R1530) may begin, by the first letter: prefixes (R1527), and types (R703), those of
/// extensions included; and SUBMODULE.
fn prefixes(first: u8) -> &'static [&'static [u8]] {
    match first {
        b'a' => &[b"attributes"],
        b'b' => &[b"byte"],
        b'c' => &[b"character", b"class", b"complex"],
        b'd' => &[b"double"],
        b'e' => &[b"elemental"],
        b'f' => &[FUNCTION],
        b'i' => &[b"integer", b"impure"],
        b'l' => &[b"logical"],
        b'm' => &[MODULE],
        b'n' => &[b"non_recursive"],
        b'p' => &[b"pure"],
        b'r' => &[b"real", b"recursive"],
        b's' => &[b"simple", SUBMODULE],
        b't' => &[b"type"],
        _ => &[],
    }
}

/// The module that a USE statement names (R1409), from what stands behind its first word.
fn used_module(text: &[u8]) -> Option<String> {
    match text.first()? {
        byte if is_name_byte(*byte) => None,
        _ => match text.trim_ascii_start() {
            nature @ [b',' | b':', ..] => name_at(&nature[memmem::find(nature, b"::")? + 2..]),
            name => name_at(name),
        },
    }
}

/// The name with which a text begins, in lower case.
fn name_at(text: &[u8]) -> Option<String> {
    let text = text.trim_ascii_start();
    let length = text.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(text.len());
    let name = text[..length].to_ascii_lowercase();
    String::from_utf8(name).ok().filter(|name| !name.is_empty())
}

fn begins_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Whether a text holds a lower-case word in any case.
pub fn holds_word(text: &[u8], word: &[u8]) -> bool {
    let first = word[0];
    memchr::memchr2_iter(first, first.to_ascii_uppercase(), text).any(|at| begins_with(&text[at..], word))
}

/// Whether macros of a text paste words together.
fn pastes(text: &[u8]) -> bool {
    memmem::find(text, b"##").is_some() || memmem::find(text, b"/**/").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_told_by_what_stands_before_them() {
        for text in [
            "function f(x)",
            "      INTEGER FUNCTION F(X)",
            "10 continue; real(8)function f(x)",
            "\u{feff}pure elemental function f(x)",
            "x=1\r\tType(t) Function f(x)",
        ] {
            assert!(Openings::of(text.as_bytes()).function, "{text}");
        }
        for text in ["! a function", "c function", "      call function(x)", "end function", "      x = function"] {
            assert!(!Openings::of(text.as_bytes()).function, "{text}");
        }
    }

    #[test]
    fn used_modules_are_told_by_their_names() {
        for text in [
            "use tools",
            "  USE Tools, only: t => u",
            "x = 1; use, intrinsic :: tools",
            "use::tools",
            "use ::  tools ! c",
            "use tools; real :: x",
            "submodule (tools) more",
            "SUBMODULE(tools:more) most",
        ] {
            assert_eq!(Openings::of(text.as_bytes()).used, ["tools"], "{text}");
        }
        for text in ["! use tools", "c use tools", "users = tools", "use = 1", "call use(tools)"] {
            assert!(Openings::of(text.as_bytes()).used.is_empty(), "{text}");
        }
    }
}
