//! What the statements of the specification part access, and types, attributes and declared entities (clauses 7, 8, 14
//! and 15).

use super::access::Access;
use super::expression::{walk_length, walk_list, walk_type_spec};
use super::visitor::Visitor;
use crate::syntax::ast::declaration::*;
use crate::syntax::ast::expression::Expression;
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::*;

pub(super) fn walk_names<'t, V: Visitor<'t> + ?Sized>(
    visitor: &mut V,
    names: impl IntoIterator<Item = &'t Identifier>,
    access: Access,
) {
    names.into_iter().for_each(|name| visitor.name(*name, access));
}

pub(super) fn walk_subprogram<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, subprogram: &'t Subprogram) {
    for prefix in &subprogram.prefixes {
        match prefix {
            Prefix::Other(_, list) => list.iter().for_each(|list| walk_list(visitor, list, Access::Read)),
            Prefix::Elemental
            | Prefix::Generic
            | Prefix::Impure
            | Prefix::Module
            | Prefix::NonRecursive
            | Prefix::Pure
            | Prefix::Recursive
            | Prefix::Simple => {}
        }
    }
    subprogram.result_type.iter().for_each(|type_spec| walk_type_spec(visitor, type_spec));
    walk_heading(visitor, subprogram.name, &subprogram.dummies, &subprogram.suffix);
    subprogram.length.iter().for_each(|length| walk_length(visitor, length));
}

/// The name, the dummy arguments, the result and the binding of a procedure or an ENTRY.
pub(super) fn walk_heading<'t, V: Visitor<'t> + ?Sized>(
    visitor: &mut V,
    name: Identifier,
    dummies: &'t [DummyArgument],
    suffix: &'t Suffix,
) {
    visitor.name(name, Access::Declared);
    for dummy in dummies {
        match dummy {
            DummyArgument::Name(name) => visitor.name(*name, Access::Declared),
            DummyArgument::Star => {}
        }
    }
    walk_names(visitor, &suffix.result, Access::Declared);
    suffix.bind.iter().for_each(|list| walk_list(visitor, list, Access::Read));
}

pub(super) fn walk_use_item<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, item: &'t UseItem) {
    walk_generic_spec(visitor, &item.local, Access::Declared);
    item.remote.iter().for_each(|remote| walk_generic_spec(visitor, remote, Access::Named));
}

pub(super) fn walk_implicit<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, rule: &'t ImplicitRule) {
    match rule {
        ImplicitRule::None(_) => {}
        ImplicitRule::Types(types) => types.iter().for_each(|(type_spec, _)| walk_type_spec(visitor, type_spec)),
    }
}

pub(super) fn walk_type_declaration<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, declaration: &'t TypeDeclaration) {
    walk_type_spec(visitor, &declaration.type_spec);
    walk_attributes(visitor, &declaration.attributes);
    walk_entities(visitor, &declaration.entities, Access::Declared);
}

pub(super) fn walk_interface<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, interface: &'t TypeSpecOrName) {
    match interface {
        TypeSpecOrName::Name(name) => visitor.name(*name, Access::Named),
        TypeSpecOrName::Type(type_spec) => walk_type_spec(visitor, type_spec),
    }
}

pub(super) fn walk_data<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, sets: &'t [DataSet]) {
    for set in sets {
        set.objects.iter().for_each(|object| visitor.expression(object, Access::Initialized));
        set.values.iter().for_each(|value| visitor.expression(value, Access::Read));
    }
}

pub(super) fn walk_groups<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, groups: &'t [NamedGroup], access: Access) {
    for group in groups {
        walk_names(visitor, &group.name, Access::Named);
        walk_entities(visitor, &group.entities, access);
    }
}

pub(super) fn walk_equivalence<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, sets: &'t [EquivalenceSet]) {
    sets.iter().flatten().for_each(|object| visitor.reference(object, Access::Equivalenced));
}

/// R1508 generic-spec; operators have no name.
pub(super) fn walk_generic_spec<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, spec: &'t GenericSpec, access: Access) {
    match spec {
        GenericSpec::Name(name) => visitor.name(*name, access),
        GenericSpec::Operator(_) | GenericSpec::Assignment | GenericSpec::DefinedIo { .. } => {}
    }
}

pub(super) fn walk_bindings<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, bindings: &'t [Binding]) {
    for binding in bindings {
        visitor.name(binding.name, Access::Declared);
        walk_names(visitor, &binding.target, Access::Named);
    }
}

/// Names with initial values: R852 named-constant-def, R762 enumerator.
pub(super) fn walk_constant<'t, V: Visitor<'t> + ?Sized>(
    visitor: &mut V,
    name: Identifier,
    value: Option<&'t Expression>,
) {
    visitor.name(name, Access::Declared);
    value.into_iter().for_each(|value| visitor.expression(value, Access::Read));
}

pub(super) fn walk_attributes<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, attributes: &'t [Attribute]) {
    attributes.iter().for_each(|attribute| walk_attribute(visitor, attribute));
}

pub(super) fn walk_attribute<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, attribute: &'t Attribute) {
    match attribute {
        Attribute::Dimension(shape) => walk_dimensions(visitor, &shape.dimensions),
        Attribute::Codimension(coshape) => walk_dimensions(visitor, &coshape.dimensions),
        Attribute::Bind(list) => walk_list(visitor, list, Access::Read),
        Attribute::Macro(_, list) => list.iter().for_each(|list| walk_list(visitor, list, Access::Read)),
        Attribute::Rank(rank) => visitor.expression(rank, Access::Read),
        Attribute::Extends(parent) => visitor.name(*parent, Access::Named),
        Attribute::Pass(argument) => walk_names(visitor, argument, Access::Named),
        Attribute::Abstract
        | Attribute::Allocatable
        | Attribute::Asynchronous
        | Attribute::Automatic
        | Attribute::Contiguous
        | Attribute::Deferred
        | Attribute::External
        | Attribute::Intent(_)
        | Attribute::Intrinsic
        | Attribute::Kind
        | Attribute::Len
        | Attribute::NonOverridable
        | Attribute::NoPass
        | Attribute::Optional
        | Attribute::Parameter
        | Attribute::Pointer
        | Attribute::Private
        | Attribute::Protected
        | Attribute::Public
        | Attribute::Save
        | Attribute::Sequence
        | Attribute::Static
        | Attribute::Target
        | Attribute::Value
        | Attribute::Volatile => {}
    }
}

pub(super) fn walk_dimensions<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, dimensions: &'t [DimensionSpec]) {
    for dimension in dimensions {
        match dimension {
            DimensionSpec::Explicit(lower, upper) => {
                lower.iter().chain([upper]).for_each(|bound| visitor.expression(bound, Access::Read));
            }
            DimensionSpec::Colon(lower) | DimensionSpec::Star(lower) => {
                lower.iter().for_each(|bound| visitor.expression(bound, Access::Read));
            }
        }
    }
}

pub(super) fn walk_entities<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, entities: &'t [Entity], access: Access) {
    entities.iter().for_each(|entity| walk_entity(visitor, entity, access));
}

pub(super) fn walk_entity<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, entity: &'t Entity, access: Access) {
    visitor.name(entity.name, access);
    entity.shape.iter().for_each(|shape| walk_dimensions(visitor, &shape.dimensions));
    entity.coshape.iter().for_each(|coshape| walk_dimensions(visitor, &coshape.dimensions));
    entity.length.iter().for_each(|length| walk_length(visitor, length));
    match &entity.initial {
        Some(Initializer::Value(value) | Initializer::Pointer(value)) => visitor.expression(value, Access::Read),
        Some(Initializer::Slashes(values)) => {
            values.iter().for_each(|value| visitor.expression(value, Access::Read));
        }
        None => {}
    }
}
