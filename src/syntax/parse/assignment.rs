//! Assignment (clause 10.2 of the standard), WHERE and FORALL.

use super::classify::is_assignment;
use super::expression::expression;
use super::lexical::{Context, Input, Parsed, fail, identifier, parenthesised, symbol};
use super::reference::{keyword_length, reference};
use super::type_spec::{name_with_arguments, type_spec, type_spec_ahead};
use crate::syntax::ast::declaration::{TypeSpec, TypeSpecKind};
use crate::syntax::ast::expression::Expression;
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{ConcurrentControl, ConcurrentHeader, Statement, StatementKind};

/// R1032 assignment-stmt, R1033 pointer-assignment-stmt; R1544 stmt-function-stmt looks like the first.
pub fn assignment<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, target) = reference(cx, input)?;
    if let Some(behind) = rest.strip_prefix(b"=>") {
        let (rest, value) = expression(cx, behind)?;
        return Ok((rest, StatementKind::PointerAssignment { target, value }));
    }
    let (rest, ()) = symbol("=", rest)?;
    let (rest, value) = expression(cx, rest)?;
    Ok((rest, StatementKind::Assignment { target, value }))
}

/// The assignment that a one-line WHERE or FORALL governs (a WHERE may stand in a FORALL).
fn governed_assignment<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Box<Statement>> {
    let (rest, kind) = if is_assignment(input) {
        assignment(cx, input)?
    } else if let Some(behind) = input.strip_prefix(b"where") {
        cx.nested(behind, |inner| where_statement(cx, inner))?
    } else {
        return fail(input, "an assignment");
    };
    let span = cx.span(input, rest);
    Ok((rest, Box::new(Statement { kind, span, label: None, construct_name: None })))
}

/// R1041 where-stmt, R1043 where-construct-stmt, behind the keyword.
pub fn where_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, mask) = parenthesised(cx, input, |inner| expression(cx, inner))?;
    if rest.is_empty() {
        return Ok((rest, StatementKind::WhereConstruct(mask)));
    }
    let (rest, action) = governed_assignment(cx, rest)?;
    Ok((rest, StatementKind::Where { mask, action }))
}

/// R1047 masked-elsewhere-stmt, R1048 elsewhere-stmt, behind the keyword.
pub fn elsewhere<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, mask) = match input.first() {
        Some(b'(') => {
            let (rest, mask) = parenthesised(cx, input, |inner| expression(cx, inner))?;
            (rest, Some(mask))
        }
        _ => (input, None),
    };
    let (rest, name) = optional_name(cx, rest)?;
    Ok((rest, StatementKind::ElseWhere(mask, name)))
}

/// A construct name at the end of a statement, if there is one.
pub fn optional_name<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<Identifier>> {
    if input.is_empty() {
        return Ok((input, None));
    }
    let (rest, name) = identifier(cx, input)?;
    Ok((rest, Some(name)))
}

/// R1055 forall-stmt, R1051 forall-construct-stmt, behind the keyword.
pub fn forall<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, header) = concurrent_header(cx, input)?;
    let header = Box::new(header);
    if rest.is_empty() {
        return Ok((rest, StatementKind::ForallConstruct(header)));
    }
    let (rest, action) = governed_assignment(cx, rest)?;
    Ok((rest, StatementKind::Forall { header, action }))
}

/// R1125 concurrent-header: `([type ::] controls [, mask])`.
pub fn concurrent_header<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, ConcurrentHeader> {
    parenthesised(cx, input, |inner| {
        let (mut rest, type_spec) = optional_type_spec(cx, inner)?;
        let mut controls = Vec::new();
        loop {
            let (next, control) = concurrent_control(cx, rest)?;
            controls.push(control);
            let Some(behind) = next.strip_prefix(b",") else {
                return Ok((next, ConcurrentHeader { type_spec, controls, mask: None, locality: Vec::new() }));
            };
            if keyword_length(behind).is_none() {
                let (rest, mask) = expression(cx, behind)?;
                return Ok((rest, ConcurrentHeader { type_spec, controls, mask: Some(mask), locality: Vec::new() }));
            }
            rest = behind;
        }
    })
}

/// R702 type-spec with the `::` behind it, if there is one.
pub fn optional_type_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<TypeSpec>> {
    if !super::classify::type_spec_ahead(input) {
        return Ok((input, None));
    }
    let (rest, type_spec) = bare_type_spec(cx, input)?;
    let (rest, ()) = symbol("::", rest)?;
    Ok((rest, Some(type_spec)))
}

/// R702 type-spec, where a derived type stands without `type(…)`.
pub fn bare_type_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, TypeSpec> {
    if type_spec_ahead(cx, input) {
        return type_spec(cx, input);
    }
    let (rest, (name, parameters)) = name_with_arguments(cx, input)?;
    Ok((rest, TypeSpec { kind: TypeSpecKind::Derived(name, parameters), span: cx.span(input, rest) }))
}

/// R1126 concurrent-control: `name = lower : upper [: step]`.
fn concurrent_control<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, ConcurrentControl> {
    let (rest, variable) = identifier(cx, input)?;
    let (rest, ()) = symbol("=", rest)?;
    let (rest, lower) = expression(cx, rest)?;
    let (rest, ()) = symbol(":", rest)?;
    let (rest, upper) = expression(cx, rest)?;
    let (rest, step) = optional_expression(cx, rest, b":")?;
    Ok((rest, ConcurrentControl { variable, lower, upper, step }))
}

/// An expression behind a separator, if the separator is there.
pub fn optional_expression<'i>(cx: &Context<'_>, input: Input<'i>, separator: &[u8]) -> Parsed<'i, Option<Expression>> {
    match input.strip_prefix(separator) {
        Some(behind) => {
            let (rest, value) = expression(cx, behind)?;
            Ok((rest, Some(value)))
        }
        None => Ok((input, None)),
    }
}
