//! Definitions of types and what stands in them (clauses 7.5 and 7.6, DEC structures): type definitions, type-bound and
//! declared procedures, generics, enumerations, STRUCTURE, UNION and MAP.
//!
//! Every parser begins at its keyword and leaves what it does not want.

use super::entity::{attributes_and_colons, entity, generic_spec, plain_entity};
use super::expression::expression;
use super::lexical::{Context, Input, Parsed, comma_list, identifier, keyword, optional, parenthesised, symbol};
use super::type_spec::{type_spec, type_spec_ahead};
use crate::syntax::ast::declaration::{Attribute, Binding};
use crate::syntax::ast::expression::Expression;
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{StatementKind, TypeSpecOrName};

/// R727 derived-type-stmt.
pub fn derived_type<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "type", input)?;
    let (rest, attributes) = attributes_and_colons(cx, rest)?;
    let (rest, name) = identifier(cx, rest)?;
    let (rest, parameters) = match rest.first() {
        Some(b'(') => parenthesised(cx, rest, |inner| comma_list(inner, |item| identifier(cx, item)))?,
        _ => (rest, Vec::new()),
    };
    Ok((rest, StatementKind::DerivedType { attributes, name, parameters }))
}

/// R731 sequence-stmt.
pub fn sequence<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "sequence", input)?;
    Ok((rest, StatementKind::Sequence))
}

/// What PROCEDURE begins: R749 type-bound-procedure-stmt, R1512 procedure-declaration-stmt, R741
/// proc-component-def-stmt.
///
/// An interface makes it a declaration, unless DEFERRED makes it a binding. `procedure [::] names` in an interface
/// block (R1506) reads as a binding here; the block builder, which knows where it stands, turns it into a
/// [`StatementKind::ModuleProcedure`].
pub fn procedure<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "procedure", input)?;
    let bracketed = rest.first() == Some(&b'(');
    let (rest, interface) = match rest {
        [b'(', b')', ..] => (&rest[2..], None),
        [b'(', ..] => {
            let (rest, interface) = parenthesised(cx, rest, |inner| procedure_interface(cx, inner))?;
            (rest, Some(interface))
        }
        _ => (rest, None),
    };
    let (rest, attributes) = attributes_and_colons(cx, rest)?;
    let binding_interface = match interface {
        None if !bracketed => None,
        Some(TypeSpecOrName::Name(name)) if attributes.contains(&Attribute::Deferred) => Some(name),
        _ => {
            let (rest, entities) = comma_list(rest, |item| entity(cx, item))?;
            return Ok((
                rest,
                StatementKind::ProcedureDeclaration {
                    interface,
                    attributes: attributes.into(),
                    entities: entities.into(),
                },
            ));
        }
    };
    let (rest, bindings) = comma_list(rest, |item| binding(cx, item))?;
    Ok((rest, StatementKind::TypeBoundProcedure { interface: binding_interface, attributes, bindings }))
}

/// R1513 proc-interface.
fn procedure_interface<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, TypeSpecOrName> {
    if type_spec_ahead(cx, input) {
        let (rest, spec) = type_spec(cx, input)?;
        return Ok((rest, TypeSpecOrName::Type(spec)));
    }
    let (rest, name) = identifier(cx, input)?;
    Ok((rest, TypeSpecOrName::Name(name)))
}

/// R750 type-bound-proc-decl.
fn binding<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Binding> {
    let (rest, name) = identifier(cx, input)?;
    let Some(behind) = rest.strip_prefix(b"=>") else { return Ok((rest, Binding { name, target: None })) };
    let (rest, target) = identifier(cx, behind)?;
    Ok((rest, Binding { name, target: Some(target) }))
}

/// R751 type-bound-generic-stmt, R1510 generic-stmt.
pub fn generic<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "generic", input)?;
    let (rest, attributes) = attributes_and_colons(cx, rest)?;
    let (rest, spec) = generic_spec(cx, rest)?;
    let (rest, ()) = symbol("=>", rest)?;
    let (rest, targets) = comma_list(rest, |item| identifier(cx, item))?;
    Ok((rest, StatementKind::Generic { attributes, spec, targets }))
}

/// R753 final-procedure-stmt.
pub fn finaliser<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "final", input)?;
    let (rest, _) = optional("::", rest);
    let (rest, names) = comma_list(rest, |item| identifier(cx, item))?;
    Ok((rest, StatementKind::Final(names)))
}

/// R760 enum-def-stmt.
pub fn enumeration<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "enum", input)?;
    let (mut rest, mut attributes) = (rest, Vec::new());
    while let Some(behind) = rest.strip_prefix(b",") {
        let (next, attribute) = super::entity::attribute(cx, behind)?;
        attributes.push(attribute);
        rest = next;
    }
    let (rest, named) = optional("::", rest);
    let (rest, name) = match named {
        true => identifier(cx, rest).map(|(rest, name)| (rest, Some(name)))?,
        false => (rest, None),
    };
    Ok((rest, StatementKind::Enum { attributes, name }))
}

/// R761 enumerator-def-stmt, F2023 R768 enumeration-enumerator-stmt.
pub fn enumerator<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "enumerator", input)?;
    let (rest, _) = optional("::", rest);
    let (rest, enumerators) = comma_list(rest, |item| enumerator_value(cx, item))?;
    Ok((rest, StatementKind::Enumerator(enumerators)))
}

/// R762 enumerator.
fn enumerator_value<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, (Identifier, Option<Expression>)> {
    let (rest, name) = identifier(cx, input)?;
    let Some(behind) = rest.strip_prefix(b"=") else { return Ok((rest, (name, None))) };
    let (rest, value) = expression(cx, behind)?;
    Ok((rest, (name, Some(value))))
}

/// F2023 R767 enumeration-type-stmt.
pub fn enumeration_type<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "enumeration type", input)?;
    let (rest, attributes) = attributes_and_colons(cx, rest)?;
    let (rest, name) = identifier(cx, rest)?;
    Ok((rest, StatementKind::EnumerationType { attributes, name }))
}

/// DEC STRUCTURE: a name between slashes, then (in another structure) the fields of that type.
pub fn structure<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "structure", input)?;
    let (rest, name) = match rest.strip_prefix(b"/") {
        Some(behind) => {
            let (rest, name) = identifier(cx, behind)?;
            let (rest, ()) = symbol("/", rest)?;
            (rest, Some(name))
        }
        None => (rest, None),
    };
    let (rest, entities) = match rest.is_empty() {
        true => (rest, Vec::new()),
        false => comma_list(rest, |item| plain_entity(cx, item))?,
    };
    Ok((rest, StatementKind::Structure { name, entities }))
}

/// DEC UNION.
pub fn union<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "union", input)?;
    Ok((rest, StatementKind::Union))
}

/// DEC MAP.
pub fn map<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "map", input)?;
    Ok((rest, StatementKind::Map))
}
