//! Source, paths and places as parts of a text that a person reads: whatever they hold, they change no terminal.

use std::borrow::Cow;
use std::path::Path;

use crate::source::LineColumn;

/// Characters of source quoted within a sentence.
const LONGEST_QUOTATION: usize = 40;

/// `path:line:column`, as everybody writes it.
pub fn place(path: &Path, at: LineColumn) -> String {
    printable(&format!("{}:{}:{}", path.display(), at.line, at.column)).into_owned()
}

/// A path.
pub fn path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// Source in quotes, if it is short enough to be read in passing.
pub fn quoted(source: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(source);
    let fits = !text.is_empty() && text.chars().count() <= LONGEST_QUOTATION && !text.contains(['\n', '\r']);
    fits.then(|| format!("'{}'", printable(&text)))
}

/// A text with a replacement character for each control character: a form feed, a stray escape.
pub fn printable(text: &str) -> Cow<'_, str> {
    match text.contains(char::is_control) {
        true => Cow::Owned(text.replace(char::is_control, "\u{FFFD}")),
        false => Cow::Borrowed(text),
    }
}
