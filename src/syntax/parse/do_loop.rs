//! DO (clause 11.1.7 of the standard): its header in all forms.

use super::assignment::{concurrent_header, optional_expression};
use super::expression::expression;
use super::lexical::{Context, Input, Parsed, comma_list, fail, identifier, label, optional, parenthesised, symbol};
use super::reference::reference;
use crate::syntax::ast::statement::{DoControl, Locality, StatementKind};

/// R1122 nonlabel-do-stmt, R1121 label-do-stmt, behind the keyword.
pub fn do_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, label) = match input.first() {
        Some(b'0'..=b'9') => {
            let (rest, label) = label(input)?;
            (rest, Some(label))
        }
        _ => (input, None),
    };
    let (rest, _) = optional(",", rest);
    let (rest, control) = loop_control(cx, rest)?;
    Ok((rest, StatementKind::Do { label, control }))
}

/// R1123 loop-control.
fn loop_control<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, DoControl> {
    if input.is_empty() {
        return Ok((input, DoControl::Forever));
    }
    if input.starts_with(b"while(") {
        let (rest, condition) = parenthesised(cx, &input[b"while".len()..], |inner| expression(cx, inner))?;
        return Ok((rest, DoControl::While(condition)));
    }
    if input.starts_with(b"concurrent(") {
        let (rest, mut header) = concurrent_header(cx, &input[b"concurrent".len()..])?;
        let (rest, locality) = localities(cx, rest)?;
        header.locality = locality;
        return Ok((rest, DoControl::Concurrent(Box::new(header))));
    }
    let (rest, variable) = reference(cx, input)?;
    let (rest, ()) = symbol("=", rest)?;
    let (rest, lower) = expression(cx, rest)?;
    let (rest, ()) = symbol(",", rest)?;
    let (rest, upper) = expression(cx, rest)?;
    let (rest, step) = optional_expression(cx, rest, b",")?;
    let (lower, upper, step) = (Box::new(lower), Box::new(upper), step.map(Box::new));
    Ok((rest, DoControl::Counted { variable, lower, upper, step }))
}

/// R1129 concurrent-locality.
fn localities<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Vec<Locality>> {
    let mut rest = input;
    let mut localities = Vec::new();
    while !rest.is_empty() {
        let (next, locality) = locality(cx, rest)?;
        localities.push(locality);
        rest = next;
    }
    Ok((rest, localities))
}

/// R1130 locality-spec.
fn locality<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Locality> {
    let (rest, word) = identifier(cx, input)?;
    let known = [&b"local"[..], b"local_init", b"shared", b"default", b"reduce"]
        .iter()
        .any(|known| input[..input.len() - rest.len()] == **known);
    if !known {
        return fail(input, "LOCAL, LOCAL_INIT, SHARED, DEFAULT or REDUCE");
    }
    parenthesised(cx, rest, |inner| {
        let (inner, operation) = if input.starts_with(b"reduce") {
            let Some(colon) = memchr::memchr(b':', inner) else { return fail(inner, "an operation and a colon") };
            (&inner[colon + 1..], Some(cx.intern(&inner[..colon])))
        } else {
            (inner, None)
        };
        let (rest, names) = comma_list(inner, |item| identifier(cx, item))?;
        Ok((rest, Locality { keyword: word, operation, names }))
    })
}
