//! Dynamic association (clause 9.7 of the standard): ALLOCATE, DEALLOCATE, NULLIFY.

use super::assignment::optional_type_spec;
use super::expression::expression;
use super::lexical::{Context, Input, Parsed, comma_list, fail, identifier, parenthesised};
use super::reference::{keyword_length, reference};
use crate::syntax::ast::expression::{Expression, Reference};
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::StatementKind;

/// An allocation or one of the options behind the allocations.
enum Item {
    Object(Reference),
    Option(Identifier, Expression),
}

/// R927 allocate-stmt, behind the keyword. Bounds are the last list of an object.
pub fn allocate<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    parenthesised(cx, input, |inner| {
        let (rest, type_spec) = optional_type_spec(cx, inner)?;
        let (rest, (objects, options)) = items(cx, rest)?;
        Ok((rest, StatementKind::Allocate { type_spec: type_spec.map(Box::new), objects, options }))
    })
}

/// R941 deallocate-stmt, behind the keyword.
pub fn deallocate<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    parenthesised(cx, input, |inner| {
        let (rest, (objects, options)) = items(cx, inner)?;
        Ok((rest, StatementKind::Deallocate { objects, options }))
    })
}

/// R939 nullify-stmt, behind the keyword.
pub fn nullify<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    parenthesised(cx, input, |inner| {
        let (rest, objects) = comma_list(inner, |item| reference(cx, item))?;
        Ok((rest, StatementKind::Nullify(objects)))
    })
}

/// Objects, one at least, and options (R928 alloc-opt, R942 dealloc-opt).
#[allow(clippy::type_complexity, reason = "the pair is taken apart at once")]
fn items<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, (Vec<Reference>, Vec<(Identifier, Expression)>)> {
    let (rest, items) = comma_list(input, |item| allocation_item(cx, item))?;
    let (mut objects, mut options) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Object(object) => objects.push(object),
            Item::Option(name, value) => options.push((name, value)),
        }
    }
    if objects.is_empty() {
        return fail(input, "an object");
    }
    Ok((rest, (objects, options)))
}

fn allocation_item<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Item> {
    if let Some(length) = keyword_length(input) {
        let (_, name) = identifier(cx, input)?;
        let (rest, value) = expression(cx, &input[length + 1..])?;
        return Ok((rest, Item::Option(name, value)));
    }
    let (rest, object) = reference(cx, input)?;
    Ok((rest, Item::Object(object)))
}
