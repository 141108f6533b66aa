//! Types (clause 7 of the standard): `integer(8)`, `real*8`, `character(len=*)`, `type(t)`, `record /r/`, …
//!
//! Entry point: [`type_spec`]; result: one [`TypeSpec`]. [`implicit_type_spec`] serves IMPLICIT, where a bracket behind
//! the type may be the list of letters, and [`macro_type_spec`] an undefined macro that stands for a type.

use super::classify::behind_brackets;
use super::expression::expression;
use super::lexical::{Context, Input, Parsed, blank, digits, fail, identifier, keyword, parenthesised, symbol};
use super::reference::argument_list;
use crate::source::is_name_byte;
use crate::syntax::ast::declaration::{IntrinsicType, KindSelector, Length, TypeSpec, TypeSpecKind};
use crate::syntax::ast::expression::{ArgumentList, Expression, ExpressionKind, Literal, LiteralKind};
use crate::syntax::ast::names::Identifier;

/// The keywords of R704 intrinsic-type-spec, and DEC's.
const INTRINSIC_TYPES: &[(&str, IntrinsicType)] = &[
    ("integer", IntrinsicType::Integer),
    ("real", IntrinsicType::Real),
    ("double precision", IntrinsicType::DoublePrecision),
    ("double complex", IntrinsicType::DoubleComplex),
    ("complex", IntrinsicType::Complex),
    ("character", IntrinsicType::Character),
    ("logical", IntrinsicType::Logical),
    ("byte", IntrinsicType::Byte),
];

/// R702 type-spec, R703 declaration-type-spec.
pub fn type_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, TypeSpec> {
    if let Some(generic) = generic_type(cx, input) {
        return Ok(generic);
    }
    let (rest, kind) = match intrinsic_keyword(cx, input) {
        Some((rest, base)) => intrinsic_behind(cx, rest, base)?,
        None => derived(cx, input)?,
    };
    Ok((rest, TypeSpec { kind, span: cx.span(input, rest) }))
}

/// R864 implicit-spec: its type, where `(a-h)` is no kind: a bracket belongs to the type only when another one follows
/// it.
pub fn implicit_type_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, TypeSpec> {
    match intrinsic_keyword(cx, input) {
        Some((rest, base)) if rest.first() == Some(&b'(') && !bracket_behind_bracket(rest) => {
            let kind = TypeSpecKind::Intrinsic { base, kind: None, length: None };
            Ok((rest, TypeSpec { kind, span: cx.span(input, rest) }))
        }
        Some(_) => type_spec(cx, input),
        None => derived(cx, input)
            .map(|(rest, kind)| (rest, TypeSpec { kind, span: cx.span(input, rest) }))
            .or_else(|trouble| implicit_macro_type(cx, input).ok_or(trouble)),
    }
}

/// A macro, perhaps with a length, in front of the bracket with the letters: `implicit MYREAL (a-h)`, `implicit
/// MYREAL*8 (a-h)`.
fn implicit_macro_type<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<(Input<'i>, TypeSpec)> {
    let (rest, name) = identifier(cx, input).ok()?;
    let rest = match rest.strip_prefix(b"*") {
        Some(length) => digits(length).ok()?.0,
        None => rest,
    };
    let kind = TypeSpecKind::Macro(name, None);
    (rest.first() == Some(&b'(')).then(|| (rest, TypeSpec { kind, span: cx.span(input, rest) }))
}

/// An undefined macro where a type stands, perhaps with arguments.
pub fn macro_type_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, TypeSpec> {
    let (rest, (name, arguments)) = name_with_arguments(cx, input)?;
    Ok((rest, TypeSpec { kind: TypeSpecKind::Macro(name, arguments), span: cx.span(input, rest) }))
}

/// A name, perhaps with a list in brackets: R754 derived-type-spec, a macro.
pub fn name_with_arguments<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, (Identifier, Option<ArgumentList>)> {
    let (rest, name) = identifier(cx, input)?;
    if rest.first() != Some(&b'(') {
        return Ok((rest, (name, None)));
    }
    let (rest, arguments) = argument_list(cx, rest)?;
    Ok((rest, (name, Some(arguments))))
}

/// Whether the text is a type that begins with a keyword and a selector, closing bracket or end behind it: what tells
/// `procedure(real)` from `procedure(realise)`.
pub fn type_spec_ahead(cx: &Context<'_>, input: Input<'_>) -> bool {
    let begins = |words| keyword(cx, words, input).is_ok_and(|(rest, ())| rest.first() == Some(&b'('));
    let intrinsic =
        intrinsic_keyword(cx, input).is_some_and(|(rest, _)| !rest.first().is_some_and(|&byte| is_name_byte(byte)));
    intrinsic || ["type", "class", "typeof", "classof"].into_iter().any(begins)
}

fn intrinsic_keyword<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<(Input<'i>, IntrinsicType)> {
    let first = input.first()?;
    INTRINSIC_TYPES
        .iter()
        .filter(|(words, _)| words.as_bytes()[0] == *first)
        .find_map(|(words, base)| keyword(cx, words, input).ok().map(|(rest, ())| (rest, *base)))
}

/// Whether the bracket that opens here closes in front of another opening bracket.
fn bracket_behind_bracket(input: Input<'_>) -> bool {
    let mut depth = 0usize;
    for (at, byte) in input.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return input.get(at + 1) == Some(&b'('),
            b')' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// R704 intrinsic-type-spec behind its keyword.
fn intrinsic_behind<'i>(cx: &Context<'_>, input: Input<'i>, base: IntrinsicType) -> Parsed<'i, TypeSpecKind> {
    if base == IntrinsicType::Character {
        let (rest, (length, kind)) = char_selector(cx, input)?;
        return Ok((rest, TypeSpecKind::Intrinsic { base, kind, length }));
    }
    let (rest, kind) = match input.first() {
        Some(b'*') => {
            let (rest, bytes) = byte_count(cx, &input[1..])?;
            (rest, Some(KindSelector::Bytes(bytes)))
        }
        Some(b'(') => {
            let (rest, kind) = parenthesised(cx, input, |inner| kind_value(cx, inner))?;
            (rest, Some(kind))
        }
        _ => (input, None),
    };
    Ok((rest, TypeSpecKind::Intrinsic { base, kind, length: None }))
}

/// The `8` of `real*8`, perhaps in brackets.
fn byte_count<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, i64> {
    let (rest, bytes) = match input.first() {
        Some(b'(') => parenthesised(cx, input, digits)?,
        _ => digits(input)?,
    };
    Ok((rest, i64::try_from(bytes).unwrap_or(i64::MAX)))
}

/// R706 kind-selector without its brackets.
fn kind_value<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, KindSelector> {
    let rest = input.strip_prefix(b"kind=").unwrap_or(input);
    let (rest, kind) = expression(cx, rest)?;
    Ok((rest, KindSelector::Kind(Box::new(kind))))
}

/// R721 char-selector, R722 length-selector.
fn char_selector<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, (Option<Length>, Option<KindSelector>)> {
    match input.first() {
        Some(b'*') => {
            let (rest, length) = char_length(cx, &input[1..])?;
            Ok((rest, (Some(length), None)))
        }
        Some(b'(') => parenthesised(cx, input, |inner| char_selector_items(cx, inner)),
        _ => Ok((input, (None, None))),
    }
}

/// The items between the brackets of R721: `len=`, `kind=`, or by position the length, then the kind.
fn char_selector_items<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, (Option<Length>, Option<KindSelector>)> {
    let (mut length, mut kind) = (None, None);
    let mut rest = input;
    loop {
        if rest.starts_with(b"kind=") || (length.is_some() && kind.is_none() && !rest.starts_with(b"len=")) {
            let (next, value) = kind_value(cx, rest)?;
            (rest, kind) = (next, Some(value));
        } else if length.is_none() {
            let (next, value) = type_param_value(cx, rest.strip_prefix(b"len=").unwrap_or(rest))?;
            (rest, length) = (next, Some(value));
        } else {
            return fail(rest, "one length and one kind");
        }
        match rest.strip_prefix(b",") {
            Some(behind) => rest = behind,
            None => return Ok((rest, (length, kind))),
        }
    }
}

/// R723 char-length: digits, or `( type-param-value )`.
pub fn char_length<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Length> {
    match input.first() {
        Some(b'(') => parenthesised(cx, input, |inner| type_param_value(cx, inner)),
        Some(b'*') => Ok((blank(&input[1..]), Length::Assumed)),
        _ => {
            let (rest, value) = integer_constant(cx, input)?;
            Ok((rest, Length::Expression(Box::new(value))))
        }
    }
}

/// The digits of `character*8`: digits only, because `*8e` in `character*8e` is followed by the name `e`.
fn integer_constant<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    let (rest, value) = digits(input)?;
    let length = input.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let literal = Literal { kind: LiteralKind::Integer(i64::try_from(value).ok()), text: cx.intern(&input[..length]) };
    Ok((rest, Expression { kind: ExpressionKind::Literal(literal), span: cx.span(input, &input[length..]) }))
}

/// R701 type-param-value.
fn type_param_value<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Length> {
    match input {
        [b'*', b')' | b',', ..] => Ok((&input[1..], Length::Assumed)),
        [b':', ..] => Ok((&input[1..], Length::Deferred)),
        _ => {
            let (rest, value) = expression(cx, input)?;
            Ok((rest, Length::Expression(Box::new(value))))
        }
    }
}

/// The types that are not intrinsic: R703, F2023 `typeof` and `classof`, DEC RECORD.
fn derived<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, TypeSpecKind> {
    let begins = |words: &'static str, next: u8| match keyword(cx, words, input) {
        Ok((rest, ())) if rest.first() == Some(&next) => Some(rest),
        _ => None,
    };
    if let Some(rest) = begins("type", b'(') {
        parenthesised(cx, rest, |inner| inside_type(cx, inner))
    } else if let Some(rest) = begins("class", b'(') {
        parenthesised(cx, rest, |inner| inside_class(cx, inner))
    } else if let Some(rest) = begins("typeof", b'(') {
        let (rest, value) = parenthesised(cx, rest, |inner| expression(cx, inner))?;
        Ok((rest, TypeSpecKind::TypeOf(Box::new(value))))
    } else if let Some(rest) = begins("classof", b'(') {
        let (rest, value) = parenthesised(cx, rest, |inner| expression(cx, inner))?;
        Ok((rest, TypeSpecKind::ClassOf(Box::new(value))))
    } else if let Some(rest) = begins("record", b'/') {
        let (rest, spec) = record_type(cx, rest)?;
        Ok((rest, spec.kind))
    } else {
        fail(input, "a type")
    }
}

/// DEC's `/structure/`, behind RECORD.
pub fn record_type<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, TypeSpec> {
    let (rest, ()) = symbol("/", input)?;
    let (rest, name) = identifier(cx, rest)?;
    let (rest, ()) = symbol("/", rest)?;
    Ok((rest, TypeSpec { kind: TypeSpecKind::Record(name), span: cx.span(input, rest) }))
}

/// What stands between the brackets of `type(…)`.
fn inside_type<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, TypeSpecKind> {
    if let Some(rest) = input.strip_prefix(b"*") {
        return Ok((rest, TypeSpecKind::TypeStar));
    }
    if type_spec_ahead(cx, input) {
        let (rest, inner) = type_spec(cx, input)?;
        return Ok((rest, TypeSpecKind::TypeOfIntrinsic(Box::new(inner))));
    }
    let (rest, (name, parameters)) = name_with_arguments(cx, input)?;
    Ok((rest, TypeSpecKind::Derived(name, parameters)))
}

/// What stands between the brackets of `class(…)`.
fn inside_class<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, TypeSpecKind> {
    if let Some(rest) = input.strip_prefix(b"*") {
        return Ok((rest, TypeSpecKind::ClassStar));
    }
    let (rest, (name, parameters)) = name_with_arguments(cx, input)?;
    Ok((rest, TypeSpecKind::Class(name, parameters)))
}

/// The types of a dummy argument of a generic subprogram: `type(integer, real)`, `real(kind=sp, dp)`; `None` if it has
/// one type only.
fn generic_type<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<(Input<'i>, TypeSpec)> {
    let open = memchr::memchr(b'(', input)?;
    let has_kinds_only = matches!(&input[..open], b"integer" | b"real" | b"complex" | b"logical");
    let several_kinds = || has_kinds_only && input[open..].starts_with(b"(kind=");
    if !(matches!(&input[..open], b"type" | b"class") || several_kinds()) {
        return None;
    }
    let behind = behind_brackets(input, open)?;
    let mut depth = 0usize;
    let is_list = input[open..behind].iter().any(|byte| {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 1 && *byte == b','
    });
    let rest = &input[behind..];
    let kind = TypeSpecKind::Generic(cx.intern(&input[..behind]));
    (is_list && matches!(rest, [b',' | b':', ..])).then(|| (rest, TypeSpec { kind, span: cx.span(input, rest) }))
}
