//! What expressions and types access: the expressions, designators and names inside them (clauses 7, 9 and 10).

use super::access::Access;
use super::visitor::Visitor;
use crate::syntax::ast::declaration::{KindSelector, Length, TypeSpec, TypeSpecKind};
use crate::syntax::ast::expression::*;

/// Visits what stands directly in an expression that is accessed so. What a data object stands for is handed on: the
/// items of an implied DO are accessed as the list around it is.
pub fn walk_expression<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, expression: &'t Expression, access: Access) {
    match &expression.kind {
        ExpressionKind::Literal(_) | ExpressionKind::Star | ExpressionKind::Nil => {}
        ExpressionKind::Complex(parts) => {
            visitor.expression(&parts.0, Access::Read);
            visitor.expression(&parts.1, Access::Read);
        }
        ExpressionKind::Reference(reference) => visitor.reference(reference, access),
        ExpressionKind::Substring(parent, range) => {
            visitor.expression(parent, Access::Read);
            walk_list(visitor, range, Access::Read);
        }
        ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(_, inner) => {
            visitor.expression(inner, Access::Read);
        }
        ExpressionKind::Binary(operations) => {
            operations.operands().for_each(|operand| visitor.expression(operand, Access::Read));
        }
        ExpressionKind::ArrayConstructor { type_spec, values } => {
            type_spec.iter().for_each(|type_spec| walk_type_spec(visitor, type_spec));
            values.iter().for_each(|value| visitor.expression(value, Access::Read));
        }
        ExpressionKind::ImpliedDo(implied) => walk_implied_do(visitor, implied, access),
        ExpressionKind::Conditional(branches, otherwise) => {
            for (test, value) in branches {
                visitor.expression(test, Access::Read);
                visitor.expression(value, access);
            }
            visitor.expression(otherwise, access);
        }
        ExpressionKind::PercentFunction(_, argument) => visitor.expression(argument, access),
        ExpressionKind::Repeat(count, value) => {
            visitor.expression(count, Access::Read);
            visitor.expression(value, access);
        }
    }
}

fn walk_implied_do<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, implied: &'t ImpliedDo, access: Access) {
    implied.items.iter().for_each(|item| visitor.expression(item, access));
    implied.type_spec.iter().for_each(|type_spec| walk_type_spec(visitor, type_spec));
    let is_of_io = matches!(access, Access::Input | Access::Output);
    let variable = if is_of_io { Access::DoVariable } else { Access::Index };
    visitor.name(implied.variable, variable);
    let bounds = [&implied.lower, &implied.upper].into_iter().chain(&implied.step);
    bounds.for_each(|bound| visitor.expression(bound, Access::Read));
}

/// Visits the subscripts and arguments of a reference that is accessed so: the last list of what is called holds
/// arguments, all else is read.
pub fn walk_reference<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, reference: &'t Reference, access: Access) {
    let last = reference.parts.len().saturating_sub(1);
    for (at, part) in reference.parts.iter().enumerate() {
        let inner = if at == last && access == Access::Called { Access::Argument } else { Access::Read };
        part.lists.iter().for_each(|list| walk_list(visitor, list, inner));
        part.image.iter().for_each(|image| walk_list(visitor, image, Access::Read));
    }
}

/// Visits the items of a list that are accessed so; the bounds of sections are read.
pub fn walk_list<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, list: &'t ArgumentList, access: Access) {
    list.items.iter().for_each(|item| walk_argument(visitor, item, access));
}

/// Visits what stands in an item of a list that is accessed so.
pub fn walk_argument<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, argument: &'t Argument, access: Access) {
    walk_argument_value(visitor, &argument.value, access);
}

fn walk_argument_value<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, value: &'t ArgumentValue, access: Access) {
    match value {
        ArgumentValue::Expression(value) => visitor.expression(value, access),
        ArgumentValue::Section(section) => walk_section(visitor, section),
        ArgumentValue::Multiple(inner) => walk_argument_value(visitor, inner, Access::Read),
        ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {}
    }
}

fn walk_section<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, section: &'t Section) {
    let Section { lower, upper, stride } = section;
    lower.iter().chain(upper).chain(stride).for_each(|bound| visitor.expression(bound, Access::Read));
}

/// Visits the names and expressions in a type.
pub fn walk_type_spec<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, type_spec: &'t TypeSpec) {
    match &type_spec.kind {
        TypeSpecKind::Intrinsic { base: _, kind, length } => {
            length.iter().for_each(|length| walk_length(visitor, length));
            match kind {
                Some(KindSelector::Kind(kind)) => visitor.expression(kind, Access::Read),
                Some(KindSelector::Bytes(_)) | None => {}
            }
        }
        TypeSpecKind::Derived(name, list) | TypeSpecKind::Class(name, list) | TypeSpecKind::Macro(name, list) => {
            visitor.name(*name, Access::Named);
            list.iter().for_each(|list| walk_list(visitor, list, Access::Read));
        }
        TypeSpecKind::TypeOfIntrinsic(inner) => walk_type_spec(visitor, inner),
        TypeSpecKind::TypeOf(value) | TypeSpecKind::ClassOf(value) => visitor.expression(value, Access::Read),
        TypeSpecKind::Record(name) => visitor.name(*name, Access::Named),
        TypeSpecKind::ClassStar | TypeSpecKind::TypeStar | TypeSpecKind::Generic(_) => {}
    }
}

pub(super) fn walk_length<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, length: &'t Length) {
    match length {
        Length::Expression(value) => visitor.expression(value, Access::Read),
        Length::Assumed | Length::Deferred => {}
    }
}
