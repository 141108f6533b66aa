//! What begins with a bracket: parentheses, complex constants, implied DO, conditional expressions, array constructors
//! (clauses 7.4.3.3, 7.8, 10.1.2 and 12.6.3).
//!
//! An implied DO is accepted wherever a parenthesis is; where it has no meaning, a later phase may say so.

use super::assignment::{optional_expression, optional_type_spec};
use super::classify::type_spec_ahead;
use super::expression::expression;
use super::lexical::{Context, Input, Parsed, comma_list, fail, identifier, parenthesised, symbol, word_length};
use crate::syntax::ast::expression::{Expression, ExpressionKind, ImpliedDo};

/// An expression that begins with `(` and is no array constructor.
pub fn bracketed<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    let (rest, kind) = parenthesised(cx, input, |inner| inside(cx, inner))?;
    Ok((rest, Expression { kind, span: cx.span(input, rest) }))
}

fn inside<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, ExpressionKind> {
    let (rest, first) = expression(cx, input)?;
    match rest.first() {
        Some(b',') => several(cx, rest, first),
        Some(b'?') => conditional(cx, rest, first),
        _ => Ok((rest, ExpressionKind::Parenthesised(Box::new(first)))),
    }
}

/// R718 complex-literal-constant, or R774, R1218, R840: an implied DO. `input` begins with the comma behind the first
/// item.
fn several<'i>(cx: &Context<'_>, input: Input<'i>, first: Expression) -> Parsed<'i, ExpressionKind> {
    let mut items = vec![first];
    let mut rest = input;
    while let Some(behind) = rest.strip_prefix(b",") {
        if control_ahead(behind) {
            return implied_do_control(cx, behind, items);
        }
        let (next, item) = expression(cx, behind)?;
        items.push(item);
        rest = next;
    }
    let mut parts = items.into_iter();
    match (parts.next(), parts.next(), parts.next()) {
        (Some(real), Some(imaginary), None) => Ok((rest, ExpressionKind::Complex(Box::new((real, imaginary))))),
        _ => fail(rest, "the control of an implied DO"),
    }
}

/// Whether `name =` comes next, or a type and `::`: the control of an implied DO.
fn control_ahead(input: Input<'_>) -> bool {
    if input.starts_with(b"integer") && type_spec_ahead(input) {
        return true;
    }
    let length = word_length(input);
    length > 0 && matches!(&input[length..], [b'=', next, ..] if *next != b'=')
}

/// R775 ac-implied-do-control, R1220: `variable = lower, upper [, step]`.
fn implied_do_control<'i>(cx: &Context<'_>, input: Input<'i>, items: Vec<Expression>) -> Parsed<'i, ExpressionKind> {
    let (rest, type_spec) = optional_type_spec(cx, input)?;
    let (rest, variable) = identifier(cx, rest)?;
    let (rest, ()) = symbol("=", rest)?;
    let (rest, lower) = expression(cx, rest)?;
    let (rest, ()) = symbol(",", rest)?;
    let (rest, upper) = expression(cx, rest)?;
    let (rest, step) = optional_expression(cx, rest, b",")?;
    let implied = ImpliedDo { items, variable, type_spec: type_spec.map(Box::new), lower, upper, step };
    Ok((rest, ExpressionKind::ImpliedDo(Box::new(implied))))
}

/// F2023 R1002 conditional-expr. `input` begins with the `?` behind the first condition.
fn conditional<'i>(cx: &Context<'_>, input: Input<'i>, first: Expression) -> Parsed<'i, ExpressionKind> {
    let (mut rest, mut test) = (input, first);
    let mut branches = Vec::new();
    while let Some(behind) = rest.strip_prefix(b"?") {
        let (next, value) = expression(cx, behind)?;
        let (next, ()) = symbol(":", next)?;
        let (next, otherwise) = expression(cx, next)?;
        branches.push((test, value));
        (rest, test) = (next, otherwise);
    }
    Ok((rest, ExpressionKind::Conditional(branches, Box::new(test))))
}

/// R769 array-constructor between `open` and `close`.
pub fn array_constructor<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
    open: &'static str,
    close: &'static str,
) -> Parsed<'i, Expression> {
    let (rest, ()) = symbol(open, input)?;
    let (rest, kind) = cx.nested(rest, |inner| {
        let (rest, type_spec) = optional_type_spec(cx, inner)?;
        let (rest, values) = if rest.starts_with(close.as_bytes()) {
            (rest, Vec::new())
        } else {
            comma_list(rest, |value| expression(cx, value))?
        };
        Ok((rest, ExpressionKind::ArrayConstructor { type_spec: type_spec.map(Box::new), values }))
    })?;
    let (rest, ()) = symbol(close, rest)?;
    Ok((rest, Expression { kind, span: cx.span(input, rest) }))
}
