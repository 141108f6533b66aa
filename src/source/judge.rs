//! Judgments about cooked statement text: what a quote or an `h` behind it means, whether it is an INCLUDE line.
//!
//! Fortran has no tokens that could be found without looking back. These functions look back over the cooked text of
//! the statement, and are asked only where the next byte leaves doubt.

use super::prescanned::is_name_byte;

/// The value of a statement label; more digits than five saturate.
pub(super) fn label_value(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |value: u32, digit| (value * 10 + u32::from(digit - b'0')).min(99_999))
}

/// The file name, if the cooked text is an INCLUDE line.
pub(super) fn include_name(text: &[u8]) -> Option<&[u8]> {
    let (quote, rest) = text.strip_prefix(b"include")?.split_first()?;
    let name = rest.strip_suffix(std::slice::from_ref(quote))?;
    (matches!(quote, b'\'' | b'"') && !name.is_empty() && !name.contains(quote)).then_some(name)
}

/// Whether an apostrophe is the DEC sign before a record number, as in `read(10'irec)`.
pub(super) fn is_record_sign(quote: u8, before: &[u8]) -> bool {
    if quote != b'\'' || !before.last().is_some_and(|&byte| is_name_byte(byte)) {
        return false;
    }
    let unit = before.iter().rev().take_while(|&&byte| is_name_byte(byte)).count();
    let head = &before[..before.len() - unit];
    [&b"read("[..], b"write(", b"rewrite(", b"find(", b"delete("].iter().any(|keyword| head.ends_with(keyword))
}

/// The length of the Hollerith constant whose `h` follows the given statement text, if it is one.
///
/// Digits before an `h` mean one unless they end a name (`x2h`), a type's length (`real*8 heap`), a statement label
/// (`do 10 h = 1, 5`, which ends in a letter and digits too) or a real number.
pub(super) fn hollerith_length(text: &[u8]) -> Option<u32> {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (before, digits) = text.split_at(text.len() - digits);
    let length = digits
        .iter()
        .try_fold(0, |value: u32, digit| Some(value * 10 + u32::from(digit - b'0')).filter(|&value| value <= 9_999))?;
    let (last, head) = before.split_last()?;
    let possible = match last {
        b'.' => head.last().is_some_and(u8::is_ascii_alphabetic),
        b'*' => !TYPE_KEYWORDS.iter().any(|keyword| head.ends_with(keyword)),
        // Edit descriptors need no comma between them: `2x4hend.`
        b'x' | b'p' if before.starts_with(b"format(") => true,
        &byte if is_name_byte(byte) => ends_with_message_keyword(before),
        _ => true,
    };
    (possible && length > 0).then_some(length)
}

const TYPE_KEYWORDS: [&[u8]; 6] = [b"integer", b"real", b"complex", b"logical", b"character", b"byte"];

/// Whether the text is a statement keyword that a message may follow at once.
fn ends_with_message_keyword(text: &[u8]) -> bool {
    [&b"stop"[..], b"pause", b"print"]
        .iter()
        .any(|keyword| text.strip_suffix(*keyword).is_some_and(|head| matches!(head.last(), None | Some(b')'))))
}
