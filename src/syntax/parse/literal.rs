//! Literal constants (clause 7.4 of the standard, and the older forms).
//!
//! Entry points: [`number`], [`character`], [`logical`], [`named_constant_prefix`], chosen by the first byte. A literal
//! keeps its exact text, interned; only the value of an integer and of a logical constant is read here.

use super::expression::dotted_name;
use super::lexical::{Context, Input, Parsed, blank, fail, word_length};
use crate::source::is_name_byte;
use crate::syntax::ast::expression::{Expression, ExpressionKind, Literal, LiteralKind};

/// Makes the literal that reaches from the beginning of `input` to `rest`.
fn literal<'i>(cx: &Context<'_>, input: Input<'i>, rest: Input<'i>, kind: LiteralKind) -> Parsed<'i, Expression> {
    let text = cx.intern_between(input, rest);
    Ok((blank(rest), Expression { kind: ExpressionKind::Literal(Literal { kind, text }), span: cx.span(input, rest) }))
}

/// Number of digits at the beginning.
fn digit_count(input: Input<'_>) -> usize {
    input.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(input.len())
}

/// R709 kind-param, with its underscore: `_8`, `_dp`. Returns what follows, `input` itself when there is none.
fn kind_suffix(input: Input<'_>) -> Input<'_> {
    match input {
        [b'_', next, ..] if is_name_byte(*next) => {
            let length = word_length(input);
            &input[length..]
        }
        _ => input,
    }
}

/// R708 int-literal-constant, R714 real-literal-constant, a Hollerith constant, or a character constant whose kind is a
/// number. Begins with a digit, or with a point and a digit.
pub fn number<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    let count = digit_count(input);
    let behind = &input[count..];
    match behind {
        [b'h' | b'H', text @ ..] if count > 0 => return hollerith(cx, input, count, text),
        // Cray's octal constants, `777b`.
        [b'b', rest @ ..] if count > 0 && !rest.first().is_some_and(|&byte| is_name_byte(byte)) => {
            return literal(cx, input, rest, LiteralKind::Boz);
        }
        [b'_', quote @ (b'\'' | b'"'), ..] => return character_behind(cx, input, &behind[1..], *quote),
        _ => {}
    }
    let fraction = fraction(behind);
    let exponent = exponent(fraction);
    let rest = kind_suffix(exponent);
    if exponent.len() < behind.len() {
        return literal(cx, input, rest, LiteralKind::Real);
    }
    let value = std::str::from_utf8(&input[..count]).ok().and_then(|digits| digits.parse().ok());
    literal(cx, input, rest, LiteralKind::Integer(value))
}

/// The decimal point and the digits behind it, unless the point begins an operator: in `1.eq.i` the number is 1, in
/// `1.e5` and `1..eq.x` the point belongs to the number. Returns what follows.
fn fraction(input: Input<'_>) -> Input<'_> {
    let [b'.', behind @ ..] = input else { return input };
    let starts_exponent = exponent(behind).len() < behind.len();
    if !starts_exponent && dotted_name(input).is_some() {
        return input;
    }
    &behind[digit_count(behind)..]
}

/// R717 exponent with its letter: `e5`, `d+01`, `q0`; DEC's letter alone is one of 0: `8e`. Returns what follows,
/// `input` itself when there is none.
fn exponent(input: Input<'_>) -> Input<'_> {
    let [b'e' | b'd' | b'q', behind @ ..] = input else { return input };
    let (signed, digits) = match behind {
        [b'+' | b'-', digits @ ..] => (true, digits),
        _ => (false, behind),
    };
    let rest = &digits[digit_count(digits)..];
    // In `8e+48e` the sign is an operator.
    let is_operator = signed && rest.first().is_some_and(u8::is_ascii_alphabetic);
    match rest.len() < digits.len() && !is_operator {
        true => rest,
        false if behind.first().is_some_and(|&byte| is_name_byte(byte) || byte == b'.') => input,
        false => behind,
    }
}

/// A Hollerith constant: as many characters of `text` as the digits say.
fn hollerith<'i>(cx: &Context<'_>, input: Input<'i>, digits: usize, text: Input<'i>) -> Parsed<'i, Expression> {
    let length = std::str::from_utf8(&input[..digits]).ok().and_then(|digits| digits.parse::<usize>().ok());
    match length {
        Some(length) if length <= text.len() => literal(cx, input, &text[length..], LiteralKind::Hollerith),
        _ => fail(text, "as many characters as the Hollerith constant counts"),
    }
}

/// R724 char-literal-constant without a kind in front; also the suffixed forms `'0101'b` and `'text'c`.
pub fn character<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    match input.first() {
        Some(&quote @ (b'\'' | b'"')) => character_behind(cx, input, input, quote),
        _ => fail(input, "a character constant"),
    }
}

/// A character constant whose opening quote stands at the beginning of `quoted`; the literal begins at `input`.
fn character_behind<'i>(cx: &Context<'_>, input: Input<'i>, quoted: Input<'i>, quote: u8) -> Parsed<'i, Expression> {
    let Some(length) = quoted_length(quoted, quote) else {
        return fail(quoted, "a closing quote");
    };
    let (text, rest) = quoted.split_at(length);
    let ends = |rest: &[u8]| !rest.first().is_some_and(|&byte| is_name_byte(byte));
    match rest {
        [b'b' | b'o' | b'z' | b'x', behind @ ..]
            if ends(behind) && text[1..length - 1].iter().all(u8::is_ascii_hexdigit) && input.len() == quoted.len() =>
        {
            literal(cx, input, behind, LiteralKind::Boz)
        }
        [b'c', behind @ ..] if ends(behind) => literal(cx, input, behind, LiteralKind::Character),
        _ => literal(cx, input, rest, LiteralKind::Character),
    }
}

/// Length of a quoted text, both quotes included; a doubled quote does not end it. `None` when it is not closed.
pub fn quoted_length(quoted: Input<'_>, quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr(quote, quoted.get(at..)?)? + 1;
        if quoted.get(at) != Some(&quote) {
            return Some(at);
        }
        at += 1;
    }
}

/// R764 boz-literal-constant (`z'ff'`), and a character constant with a name as kind (`c_'x'`): letters directly in
/// front of a quote. `None` when `input` begins with no such thing.
pub fn named_constant_prefix<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<Parsed<'i, Expression>> {
    let length = input.iter().position(|&byte| !is_name_byte(byte))?;
    let quoted = &input[length..];
    let &quote @ (b'\'' | b'"') = quoted.first()? else { return None };
    match &input[..length] {
        [b'b' | b'o' | b'z' | b'x'] => Some(match quoted_length(quoted, quote) {
            Some(end) => literal(cx, input, &quoted[end..], LiteralKind::Boz),
            None => fail(quoted, "a closing quote"),
        }),
        [.., b'_'] => Some(character_behind(cx, input, quoted, quote)),
        _ => None,
    }
}

/// R725 logical-literal-constant: `input` begins with `.true.` or `.false.`, `behind` follows the second point.
pub fn logical<'i>(cx: &Context<'_>, input: Input<'i>, behind: Input<'i>, value: bool) -> Parsed<'i, Expression> {
    literal(cx, input, kind_suffix(behind), LiteralKind::Logical(value))
}
