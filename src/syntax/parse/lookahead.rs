//! What must stand behind a leading keyword for it to be one.
//!
//! Fortran reserves no word, and several statements begin with the same one, so the tables of leading keywords name for
//! each keyword one of these conditions on the text behind it.

use super::lexical::{Input, word_length};

/// A condition on the text behind a keyword.
pub type Lookahead = fn(Input<'_>) -> bool;

/// Anything.
pub fn any(_: Input<'_>) -> bool {
    true
}

/// Nothing more.
pub fn end(rest: Input<'_>) -> bool {
    rest.is_empty()
}

/// An opening parenthesis.
pub fn bracket(rest: Input<'_>) -> bool {
    rest.first() == Some(&b'(')
}

/// Nothing more, or an opening parenthesis.
pub fn end_or_bracket(rest: Input<'_>) -> bool {
    end(rest) || bracket(rest)
}

/// A digit.
pub fn number(rest: Input<'_>) -> bool {
    rest.first().is_some_and(u8::is_ascii_digit)
}

/// Not the rest of `double precision` or `double complex` in fixed form.
pub fn not_double(rest: Input<'_>) -> bool {
    !(rest.starts_with(b"ubleprecision") || rest.starts_with(b"ublecomplex"))
}

/// What DEC's TYPE statement has behind its keyword, as opposed to a type declaration or definition: a format and
/// perhaps a comma (`*`, a label, a character constant), or a name, a comma and what is written.
pub fn output_list(rest: Input<'_>) -> bool {
    let length = word_length(rest);
    match rest.first() {
        Some(b'*' | b'\'' | b'"' | b'0'..=b'9') => true,
        Some(b'a'..=b'z') => rest.get(length) == Some(&b',') && rest.len() > length + 1,
        _ => false,
    }
}

/// A slash.
pub fn slash(rest: Input<'_>) -> bool {
    rest.first() == Some(&b'/')
}

/// `type name`, `type :: name`, `type, attributes :: name`, as opposed to `type is (…)` and DEC's `type *, x`, `type
/// 10, x`.
pub fn type_definition(rest: Input<'_>) -> bool {
    let guard = rest.strip_prefix(b"is").is_some_and(bracket);
    let name = rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    let length = word_length(rest);
    let nothing_but_parameters = matches!(rest.get(length), None | Some(b'('));
    rest.starts_with(b"::") || rest.starts_with(b",") || name && nothing_but_parameters && !guard
}
