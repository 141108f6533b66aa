//! Which source form a file is in: its extension says so, and its content may say otherwise.
//!
//! A build system can compile any file in either form, and people do: free form in `.f`, fixed form in `.f90`. So the
//! content is looked at first, for lines that are impossible in one form. The extension decides when there are none.
//!
//! - Impossible in fixed form: a statement that begins in columns 1 to 5; an `&` at the end of the text.
//! - Impossible in free form: `*` or a lone `C` in column 1, a continuation sign in column 6 after a line without `&`.

use std::path::Path;

use memchr::memmem;

use super::classes::{first_nonblank, trim_end};
use super::prescanned::SourceForm;
use super::span::line_end;

/// So many lines that are not comments are enough to judge by.
const SAMPLE_LINES: u32 = 400;
/// The sample ends behind so many bytes, whatever it holds.
const SAMPLE_BYTES: usize = 1 << 20;

/// The form that the extension of a file name stands for, if it stands for one.
pub fn form_of_extension(path: &Path) -> Option<SourceForm> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "f" | "for" | "ftn" | "f77" | "f66" | "fpp" => Some(SourceForm::Fixed),
        "fypp" | "pf" | "f90" | "f95" | "f03" | "f08" | "f15" | "f18" | "f23" => Some(SourceForm::Free),
        _ => None,
    }
}

/// Whether the content of a file allows to read it in this form although it is not the one that it was read in first,
/// and whether there is a line that demands it.
pub fn may_be_in(form: SourceForm, bytes: &[u8]) -> (bool, bool) {
    let evidence = Evidence::gather(bytes, u32::MAX, usize::MAX);
    let (in_favour, against) = match form {
        SourceForm::Fixed => (evidence.fixed, evidence.free),
        SourceForm::Free => (evidence.free, evidence.fixed),
    };
    (against == 0 || in_favour > 2 * against, in_favour > 0)
}

/// The form in which a file should be read first.
pub fn guess_form(path: &Path, bytes: &[u8]) -> SourceForm {
    let suggested = form_of_extension(path);
    let evidence = Evidence::gather(bytes, SAMPLE_LINES, SAMPLE_BYTES);
    match suggested {
        Some(SourceForm::Fixed) if evidence.free > 2 * evidence.fixed => SourceForm::Free,
        Some(SourceForm::Free) if evidence.fixed > 2 * evidence.free => SourceForm::Fixed,
        Some(form) => form,
        None if evidence.fixed > evidence.free => SourceForm::Fixed,
        None => SourceForm::Free,
    }
}

/// Lines that speak for one form and against the other.
#[derive(Default, Debug, PartialEq, Eq)]
struct Evidence {
    fixed: u32,
    free: u32,
}

impl Evidence {
    /// What so many lines of code, and at most so many bytes, say.
    fn gather(bytes: &[u8], lines: u32, size: usize) -> Evidence {
        let line_end = line_end(bytes);
        let bytes = &bytes[..bytes.len().min(size)];
        let mut evidence = Evidence::default();
        let mut code_lines = 0;
        let mut position = 0;
        // Whether the last line that is no comment in free form ended in `&`: then anything may begin the next.
        let mut continued = false;
        // Whether the last line ends in a sign that something must follow.
        let mut unfinished = false;
        // Whether C comments may end, as far as it is known.
        let mut c_comments = true;
        while position < bytes.len() && code_lines < lines {
            let end = memchr::memchr(line_end, &bytes[position..]).map_or(bytes.len(), |length| position + length);
            let line = trim_end(&bytes[position..end]);
            position = end + 1;
            let Some(first) = first_nonblank(line) else { continue };
            // A comment of C, in a preprocessed file, says nothing.
            if c_comments && line[first..].starts_with(b"/*") && memmem::find(&line[first..], b"*/").is_none() {
                let rest = bytes.get(position..).unwrap_or_default();
                if let Some(length) = memmem::find(rest, b"*/") {
                    let line_length = memchr::memchr(line_end, &rest[length..]).unwrap_or(rest.len());
                    position += length + line_length + 1;
                    continue;
                }
                c_comments = false;
            }
            if line[first] == b'!' || line[0] == b'#' {
                continue;
            }
            code_lines += 1;
            let ampersand = line.last() == Some(&b'&') && line.len() > first + 1;
            if !continued {
                evidence.weigh(line, first, unfinished);
            }
            if ampersand && line.len() <= 72 && !is_comment_in_fixed_form(line) && !line[first..].contains(&b'!') {
                evidence.free += 1;
            }
            unfinished = matches!(line.last(), Some(b',' | b'(' | b'+' | b'-' | b'='));
            continued = ends_in_ampersand(line) || (continued && line[first] == b'!');
        }
        evidence
    }

    /// Judges a line that does not continue a line of free form.
    fn weigh(&mut self, line: &[u8], first: usize, unfinished: bool) {
        if first == 0 && is_comment_in_fixed_form(line) {
            self.fixed += u32::from(is_no_statement(line));
        } else if first == 5 && !line[..5].contains(&b'\t') {
            // A statement of free form may begin in column 6, but only with a letter, a digit or a sign such as `(`.
            let sign = line[5];
            self.fixed += u32::from(!sign.is_ascii_alphanumeric() && sign != b'_');
            let digit_then_code = sign.is_ascii_digit() && sign != b'0' && !line.get(6).is_some_and(u8::is_ascii_digit);
            self.fixed += u32::from(digit_then_code && (unfinished || !is_labelled_statement(&line[5..])));
        } else if first < 5 && !line[..first].contains(&b'\t') && line[first].is_ascii_alphabetic() {
            self.free += u32::from(begins_like_statement(&line[first..]));
        }
    }
}

fn is_comment_in_fixed_form(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'c' | b'C' | b'*' | b'd' | b'D' | b'!'))
}

/// Whether a line with a comment sign in column 1 can't be a statement of free form.
fn is_no_statement(line: &[u8]) -> bool {
    match line {
        [b'*', ..] | [b'c' | b'C'] => true,
        // A specification.
        [b'c' | b'C', b'=', b' ', rest @ ..]
            if [&b"stencil "[..], b"access "].iter().any(|word| rest.starts_with(word)) =>
        {
            true
        }
        [b'c' | b'C', rest @ ..] => {
            let next = first_nonblank(rest).map_or(b' ', |at| rest[at]);
            // `c = 1`, `c(i) = 1`, `c%x = 1`, `c => d`, `c: do`, or a longer name: `call`.
            let follows_name = matches!(next, b'=' | b'(' | b'%' | b':' | b'[' | b'_' | b'&');
            !follows_name && !rest[0].is_ascii_alphanumeric()
        }
        _ => false,
    }
}

/// Whether the text is digits, a blank and a letter: a labelled statement of free form, rather than a continuation
/// sign.
fn is_labelled_statement(text: &[u8]) -> bool {
    matches!(text, [b'0'..=b'9', b' ', next, ..] if next.is_ascii_alphabetic())
}

/// Whether a line goes on in the next by the rules of free form: whether its last character before a comment is an
/// ampersand.
fn ends_in_ampersand(line: &[u8]) -> bool {
    if memchr::memchr(b'&', line).is_none() {
        return false;
    }
    let mut quote = None;
    let mut last = b' ';
    for &byte in line {
        match quote {
            None if byte == b'!' => break,
            None if matches!(byte, b'\'' | b'"') => quote = Some(byte),
            Some(open) if byte == open => quote = None,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
    }
    last == b'&'
}

/// Whether text begins as a Fortran statement does: with a keyword, or a name that something is assigned to.
fn begins_like_statement(text: &[u8]) -> bool {
    let length = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    if KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(&text[..length])) {
        return true;
    }
    let rest = &text[length..];
    match first_nonblank(rest).map(|at| rest[at]) {
        Some(b'=' | b'%') => true,
        Some(b'(' | b':') => memchr::memchr(b'=', rest).is_some() || rest.windows(2).any(|pair| pair == b"::"),
        _ => false,
    }
}

const KEYWORDS: [&[u8]; 40] = [
    b"program",
    b"module",
    b"submodule",
    b"subroutine",
    b"function",
    b"use",
    b"implicit",
    b"integer",
    b"real",
    b"logical",
    b"complex",
    b"character",
    b"double",
    b"type",
    b"class",
    b"interface",
    b"contains",
    b"end",
    b"enddo",
    b"endif",
    b"if",
    b"else",
    b"do",
    b"call",
    b"print",
    b"write",
    b"read",
    b"open",
    b"close",
    b"return",
    b"stop",
    b"allocate",
    b"deallocate",
    b"select",
    b"case",
    b"private",
    b"public",
    b"parameter",
    b"pure",
    b"elemental",
];
