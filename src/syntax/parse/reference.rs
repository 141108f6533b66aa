//! Designators, function references and their bracketed lists (clauses 9 and 15.5).
//!
//! Entry points: [`reference()`], [`argument_list`], [`section`]. What a name with brackets is (element, call,
//! substring, constructor) is not decided here.

use smallvec::{SmallVec, smallvec};
use thin_vec::{ThinVec, thin_vec};

use super::expression::{dotted_name, expression, intrinsic_operator};
use super::lexical::{Context, Input, Parsed, blank, fail, identifier, label, symbol};
use crate::source::is_name_byte;
use crate::syntax::ast::expression::{
    Argument, ArgumentList, ArgumentValue, Expression, ExpressionKind, Part, Reference, Section,
};

/// R901 designator, R911 data-ref, R1520 function-reference, R1522 procedure-designator: parts joined by `%` or DEC's
/// `.`.
pub fn reference<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Reference> {
    let (mut rest, first) = part(cx, input)?;
    let mut parts = smallvec![first];
    loop {
        let behind = match rest {
            [b'%', behind @ ..] => behind,
            [b'.', behind @ ..] if component_behind_point(cx, rest) => behind,
            _ => return Ok((rest, Reference { parts })),
        };
        let (next, component) = part(cx, behind)?;
        parts.push(component);
        rest = next;
    }
}

/// R912 part-ref: a name, bracketed lists, an image selector.
fn part<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Part> {
    let (mut rest, name) = identifier(cx, input)?;
    let mut lists = ThinVec::new();
    while rest.first() == Some(&b'(') {
        let (next, list) = argument_list(cx, rest)?;
        if lists.is_empty() {
            // A second one is rare.
            lists = ThinVec::with_capacity(1);
        }
        lists.push(list);
        rest = next;
    }
    let mut image = None;
    if rest.first() == Some(&b'[') {
        let (next, list) = image_selector(cx, rest)?;
        image = Some(Box::new(list));
        rest = next;
    }
    Ok((blank(rest), Part { name, lists, image }))
}

/// Whether the `.` at the beginning joins a component to a record (DEC), as opposed to opening an operator.
///
/// `.name` without a second point is a component. `.name.` is an operator when the language has it, or when no name
/// follows; a component when an operator of the language follows (`s.x.eq.y`). What remains (`a.b.c`) is a chain of
/// components in files that declare records, and a defined operator in all others.
fn component_behind_point(cx: &Context<'_>, input: Input<'_>) -> bool {
    let Some((name, behind)) = dotted_name(input) else {
        return input.get(1).is_some_and(u8::is_ascii_alphabetic);
    };
    if matches!(name, b"not" | b"true" | b"false") || intrinsic_operator(name).is_some() {
        return false;
    }
    if !behind.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let closing_point = &input[name.len() + 1..];
    match dotted_name(closing_point) {
        Some((next, _)) if intrinsic_operator(next).is_some() => true,
        _ => cx.declares_records(),
    }
}

/// R924 image-selector.
pub fn image_selector<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, ArgumentList> {
    list_between(cx, input, "[", "]")
}

/// Subscripts, arguments or a substring range in parentheses, perhaps none: R920, R1523, R910.
pub fn argument_list<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, ArgumentList> {
    list_between(cx, input, "(", ")")
}

fn list_between<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
    open: &'static str,
    close: &'static str,
) -> Parsed<'i, ArgumentList> {
    let (rest, ()) = symbol(open, input)?;
    let (rest, items) = if rest.starts_with(close.as_bytes()) {
        (rest, ThinVec::new())
    } else {
        cx.nested(rest, |inner| arguments(cx, inner))?
    };
    let (rest, ()) = symbol(close, rest)?;
    Ok((blank(rest), ArgumentList { items, span: cx.span(input, rest) }))
}

/// One or more items with commas between them, which take no more memory than they need.
fn arguments<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, ThinVec<Argument>> {
    let (mut rest, first) = argument(cx, input)?;
    if rest.first() != Some(&b',') {
        return Ok((rest, thin_vec![first]));
    }
    let mut items: SmallVec<[Argument; 4]> = smallvec![first];
    while let Some(behind) = rest.strip_prefix(b",") {
        let (next, item) = argument(cx, behind)?;
        items.push(item);
        rest = next;
    }
    let mut exact = ThinVec::with_capacity(items.len());
    exact.extend(items);
    Ok((rest, exact))
}

/// R1523 actual-arg-spec, R919 section-subscript.
pub fn argument<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Argument> {
    let (rest, keyword) = match keyword_length(input) {
        Some(length) => {
            let (_, keyword) = identifier(cx, input)?;
            (&input[length + 1..], Some(keyword))
        }
        None => (input, None),
    };
    let (rest, value) = argument_value(cx, rest)?;
    Ok((rest, Argument { keyword, value, span: cx.span(input, rest) }))
}

/// Length of the name in front of a `=` that makes it a keyword, if there is one.
pub(super) fn keyword_length(input: Input<'_>) -> Option<usize> {
    let length = input.iter().position(|&byte| !is_name_byte(byte))?;
    let starts = input.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$'));
    let assigns = matches!(&input[length..], [b'=', next, ..] if !matches!(next, b'=' | b'>'));
    (starts && assigns).then_some(length)
}

fn argument_value<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, ArgumentValue> {
    match input {
        [b',' | b')' | b']', ..] => Ok((input, ArgumentValue::Omitted)),
        [b'*' | b'&', b'0'..=b'9', ..] => {
            let (rest, label) = label(&input[1..])?;
            Ok((rest, ArgumentValue::AlternateReturn(label)))
        }
        [b'*', ..] => {
            let (rest, star) = star(cx, input)?;
            Ok((rest, ArgumentValue::Expression(star)))
        }
        [b':', ..] => {
            let (rest, section) = section(cx, input)?;
            Ok((rest, ArgumentValue::Section(section)))
        }
        [b'@', next, ..] if !matches!(next, b'@' | b',' | b')' | b']' | b'*') => {
            let (rest, value) = argument_value(cx, &input[1..])?;
            Ok((rest, ArgumentValue::Multiple(Box::new(value))))
        }
        _ => {
            let (rest, value) = expression(cx, input)?;
            if rest.first() != Some(&b':') {
                return Ok((rest, ArgumentValue::Expression(value)));
            }
            let (rest, section) = section_behind(cx, rest, Some(Box::new(value)))?;
            Ok((rest, ArgumentValue::Section(section)))
        }
    }
}

/// A lone `*`: a format, a unit, an assumed length.
pub fn star<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    let (rest, ()) = symbol("*", input)?;
    match rest.first() {
        None | Some(b',' | b')' | b']') => {
            Ok((rest, Expression { kind: ExpressionKind::Star, span: cx.span(input, rest) }))
        }
        _ => fail(rest, "nothing behind a lone *"),
    }
}

/// R921 subscript-triplet or R910 substring-range: at least its first colon.
pub fn section<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Section> {
    let (rest, lower) = bound(cx, input)?;
    section_behind(cx, rest, lower)
}

/// The rest of a section, from its first colon on.
fn section_behind<'i>(cx: &Context<'_>, input: Input<'i>, lower: Option<Box<Expression>>) -> Parsed<'i, Section> {
    let (rest, ()) = symbol(":", input)?;
    let (rest, upper) = bound(cx, rest)?;
    let (rest, stride) = match rest.strip_prefix(b":") {
        Some(behind) => bound(cx, behind)?,
        None => (rest, None),
    };
    Ok((rest, Section { lower, upper, stride }))
}

/// An expression that may be missing in front of a colon, a comma or a closing bracket.
fn bound<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<Box<Expression>>> {
    if matches!(input.first(), Some(b':' | b',' | b')' | b']')) {
        return Ok((input, None));
    }
    // The last bound of an assumed size: `w(10)[0:*]` in ALLOCATE.
    let (rest, value) = if input.first() == Some(&b'*') { star(cx, input)? } else { expression(cx, input)? };
    Ok((rest, Some(Box::new(value))))
}
