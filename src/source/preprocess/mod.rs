//! The preprocessor: conditionals, macros and includes, as `cpp` in its traditional mode has them for Fortran.
//!
//! It works in two places of the prescanner. [`Prescanner::preprocess`] sees each line before the source form does, and
//! takes the directive lines (`#` in column 1) and the lines of inactive branches. [`Prescanner::feed_expanded`] sees
//! statement text in which a macro may be used. So a file without directives pays for one comparison on each line.
//!
//! Names that are not defined count as 0 in conditions, as in C. Nothing is predefined but `__LINE__` and `__FILE__`.

mod c_syntax;
mod conditionals;
mod expand;
mod expression;
mod fypp;
mod includes;
mod kinds;
mod macros;
mod uses;

pub use super::preprocess::includes::paths_of_included;
pub use super::preprocess::kinds::{HIDDEN_STATEMENT, is_preprocessed};

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use memchr::memmem;

use super::classes::{first_nonblank, trim_end};
use super::preprocess::conditionals::Conditional;
use super::preprocess::kinds::{is_fypp, is_pfunit};
use super::preprocess::macros::{Macro, MacroTable};
use super::preprocess::uses::Held;
use super::prescan::{Frame, PrescanOptions, Prescanner};
use super::prescanned::{SourceForm, SourceNote, is_name_byte};
use super::span::Span;

/// The state of the preprocessor.
#[derive(Default)]
pub(super) struct Preprocessor {
    macros: MacroTable,
    /// Whether the file is preprocessed: its name says so (`.F90`, `.fpp`), or a line begins with `#`.
    pub is_used: bool,
    /// Whether it is one for fypp.
    pub is_fypp: bool,
    /// Whether it is one for pFUnit.
    is_pfunit: bool,
    /// The conditionals that are open, outermost first.
    pub conditionals: Vec<Conditional>,
    /// The lines of inactive branches so far.
    pub inactive: Vec<Span>,
    /// Where the inactive lines at hand begin.
    inactive_from: Option<u32>,
    /// Text of a macro call whose arguments go on in the next line.
    held: Held,
    /// Names of files that a note was made about.
    missing: HashSet<String>,
}

impl Preprocessor {
    /// Sets up what is known before the first line.
    pub fn prepare(&mut self, path: &Path, bytes: &[u8], options: &PrescanOptions) {
        self.is_fypp = is_fypp(path, bytes);
        self.is_pfunit = is_pfunit(path);
        self.is_used = self.is_fypp || is_preprocessed(path, bytes);
        for definition in &options.defines {
            let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
            self.macros.define(Macro::object(name.trim().as_bytes(), value.as_bytes()));
        }
        if [&b"__LINE__"[..], b"__FILE__"].iter().any(|name| memmem::find(bytes, name).is_some()) {
            self.macros.enable_places();
        }
        self.macros.set_fuel(bytes.len());
    }

    /// Notes that the lines to come are those of the file with this name.
    pub fn enter(&mut self, path: &Path) {
        self.macros.set_file(path);
    }

    /// Whether the lines at hand are not part of the program.
    fn is_skipping(&self) -> bool {
        self.conditionals.last().is_some_and(|conditional| !conditional.is_active())
    }

    /// Whether text may use a macro.
    pub fn uses_macro(&self, text: &[u8]) -> bool {
        self.macros.is_used_in(text)
    }
}

impl Prescanner<'_> {
    /// Takes a line in if the preprocessor is responsible for it, and says whether it did.
    pub(super) fn preprocess(&mut self, line: &[u8], offset: u32, bytes: &[u8], frame: &mut Frame) -> bool {
        if (self.preprocessor.is_fypp || self.preprocessor.is_pfunit)
            && self.foreign_directive(line, offset, bytes, frame)
        {
            return true;
        }
        if self.is_directive_line(line) {
            self.directive_line(line, offset, bytes, frame);
            return true;
        }
        if self.preprocessor.is_skipping() {
            return true;
        }
        self.preprocessor.macros.set_line(frame.line);
        self.stops_compiler(line, offset)
    }

    /// Whether a line is one for the preprocessor. Some preprocessors take a `#` that is indented, too; in free form,
    /// and in the label field of fixed form, it can't be anything else.
    fn is_directive_line(&self, line: &[u8]) -> bool {
        if line.first() == Some(&b'#') {
            return true;
        }
        if !matches!(line.first(), Some(b' ' | b'\t')) {
            return false;
        }
        let Some(first) = first_nonblank(line).filter(|&first| line[first] == b'#') else { return false };
        if self.form == SourceForm::Fixed && (first >= LABEL_FIELD || line[..first].contains(&b'\t')) {
            return false;
        }
        DIRECTIVES.contains(&split_word(&line[first + 1..]).0)
    }

    fn directive_line(&mut self, line: &[u8], offset: u32, bytes: &[u8], frame: &mut Frame) {
        let span = Span::new(offset, offset + line.len() as u32);
        let text = join_lines(line, bytes, frame);
        let without_sign = first_nonblank(&text).map_or(&b""[..], |sign| &text[sign + 1..]);
        let (name, rest) = split_word(without_sign);
        let is_definition = name == b"define";
        let (rest, unclosed) = without_c_comments(rest, is_definition);
        if unclosed {
            frame.begin_c_comment(bytes);
        }
        let rest = trim_end(&rest);
        let rest = &rest[first_nonblank(rest).unwrap_or(rest.len())..];
        let next_line = frame.base + frame.position.min(bytes.len()) as u32;
        self.preprocessor.macros.set_line(frame.line);
        self.preprocessor.macros.enable_places();
        if self.conditional(name, rest, span, next_line) || self.preprocessor.is_skipping() {
            return;
        }
        match name {
            b"define" => match Macro::parse(rest) {
                Ok(definition) => self.preprocessor.macros.define(definition),
                Err(reason) => self.preprocessor_note(span, reason.to_owned()),
            },
            b"undef" => self.preprocessor.macros.undefine(split_word(rest).0),
            b"include" => self.include_directive(rest, span),
            b"error" => {
                let message = String::from_utf8_lossy(rest).into_owned();
                self.preprocessor_note(span, format!("#error is reached: {message}"));
            }
            // `#warning`, `#pragma`, `#line`, line markers, and in fixed form comments.
            _ => {}
        }
    }

    fn preprocessor_note(&mut self, span: Span, reason: String) {
        self.notes.add(span, SourceNote::Preprocessor { reason });
    }
}

/// Columns of a label in fixed form.
const LABEL_FIELD: usize = 5;

const DIRECTIVES: [&[u8]; 13] = [
    b"if", b"ifdef", b"ifndef", b"elif", b"else", b"endif", b"define", b"undef", b"include", b"error", b"warning",
    b"pragma", b"line",
];

/// Whether a byte can be part of a macro's name.
fn is_word_byte(byte: u8) -> bool {
    is_name_byte(byte) && !matches!(byte, b'$' | b'@')
}

/// The word at the start of a text, and what is behind it. Blanks before the word are skipped.
fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = &text[first_nonblank(text).unwrap_or(text.len())..];
    let length = text.iter().take_while(|&&byte| is_word_byte(byte)).count();
    text.split_at(length)
}

/// A directive line with those that a backslash at its end adds to it.
fn join_lines<'b>(line: &'b [u8], bytes: &'b [u8], frame: &mut Frame) -> Cow<'b, [u8]> {
    let Some(head) = trim_end(line).strip_suffix(b"\\") else { return Cow::Borrowed(line) };
    let mut joined = head.to_vec();
    while frame.position < bytes.len() {
        let (next, _) = frame.next_line(bytes);
        // As if they were one line: a name may go on in the next.
        match trim_end(next).strip_suffix(b"\\") {
            Some(part) => joined.extend_from_slice(part),
            None => {
                joined.extend_from_slice(next);
                break;
            }
        }
    }
    Cow::Owned(joined)
}

/// The text without C comments, and whether the last of them isn't closed. In a macro's body an empty comment pastes
/// what stands on its sides, so it stays.
fn without_c_comments(text: &[u8], keep_empty: bool) -> (Cow<'_, [u8]>, bool) {
    if memmem::find(text, b"/*").is_none() {
        return (Cow::Borrowed(text), false);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        match rest[0] {
            quote @ (b'\'' | b'"') => {
                let length = memchr::memchr(quote, &rest[1..]).map_or(1, |length| length + 2);
                out.extend_from_slice(&rest[..length]);
                at += length;
            }
            b'/' if rest.starts_with(b"/*") => {
                let Some(length) = memmem::find(&rest[2..], b"*/") else { return (Cow::Owned(out), true) };
                out.extend_from_slice(if length == 0 && keep_empty { b"/**/" } else { b" " });
                at += length + 4;
            }
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
    (Cow::Owned(out), false)
}
