//! All expressions of a statement, and all expressions in an expression, for the phases that come later.
//!
//! Entry points: [`walk_expressions`] (top-level expressions in source order, the one-line action's included) and
//! [`walk_subexpressions`] (pre-order, subscripts and arguments included). A designator that is defined or only named (the target
//! of an assignment, an allocated object) is no expression: its subscripts are given instead.

use super::ast::declaration::*;
use super::ast::expression::*;
use super::ast::statement::*;

/// What is called with each expression.
type Visit<'a, 'e> = &'a mut dyn FnMut(&'e Expression);

/// Calls `visit` with every top-level expression of a statement, in source order: not with the expressions inside them.
pub fn walk_expressions<'e>(kind: &'e StatementKind, visit: Visit<'_, 'e>) {
    match kind {
        StatementKind::Assignment { target, value } | StatementKind::PointerAssignment { target, value } => {
            in_reference(target, visit);
            visit(value);
        }
        StatementKind::Call { procedure } | StatementKind::MacroStatement(procedure) => in_reference(procedure, visit),
        StatementKind::Allocate { type_spec, objects, options } => {
            type_spec.iter().for_each(|type_spec| in_type(type_spec, visit));
            in_allocation(objects, options, visit);
        }
        StatementKind::Deallocate { objects, options } => in_allocation(objects, options, visit),
        StatementKind::Nullify(objects) => objects.iter().for_each(|object| in_reference(object, visit)),
        StatementKind::ComputedGoTo(_, selector) => visit(selector),
        StatementKind::ArithmeticIf(condition, _) => visit(condition),
        StatementKind::Return(value) | StatementKind::Pause(value) => value.iter().for_each(|value| visit(value)),
        StatementKind::Stop { code, quiet, .. } => code.iter().chain(quiet).for_each(|value| visit(value)),
        StatementKind::InputOutput(io) => {
            io.control.iter().filter_map(|control| control.value.as_ref()).for_each(&mut *visit);
            io.items.iter().for_each(visit);
        }
        StatementKind::ImageControl { arguments, .. } | StatementKind::Critical(arguments) => {
            arguments.iter().for_each(|list| in_list(list, visit));
        }
        StatementKind::If { condition, action } => {
            visit(condition);
            walk_expressions(&action.kind, visit);
        }
        StatementKind::Where { mask, action } => {
            visit(mask);
            walk_expressions(&action.kind, visit);
        }
        StatementKind::Forall { header, action } => {
            in_header(header, visit);
            walk_expressions(&action.kind, visit);
        }
        StatementKind::IfThen(value)
        | StatementKind::ElseIf(value, _)
        | StatementKind::SelectCase(value)
        | StatementKind::WhereConstruct(value) => visit(value),
        StatementKind::ElseWhere(mask, _) => mask.iter().for_each(visit),
        StatementKind::Do { control, .. } => in_do_control(control, visit),
        StatementKind::Case { ranges, .. } => ranges.iter().for_each(|range| in_case_range(range, visit)),
        StatementKind::SelectType(selector) | StatementKind::SelectRank(selector) => visit(&selector.selector),
        StatementKind::TypeGuard(TypeGuard::TypeIs(type_spec) | TypeGuard::ClassIs(type_spec), _) => {
            in_type(type_spec, visit);
        }
        StatementKind::RankCase(RankCase::Rank(rank), _) => visit(rank),
        StatementKind::ForallConstruct(header) => in_header(header, visit),
        StatementKind::Associate(associations) => in_associations(associations, visit),
        StatementKind::ChangeTeam { team, associations, options } => {
            visit(team);
            in_associations(associations, visit);
            options.iter().for_each(|(_, value)| visit(value));
        }
        specification => in_specification(specification, visit),
    }
}

/// The statements of the specification part and of program units; those that hold no expression give none.
fn in_specification<'e>(kind: &'e StatementKind, visit: Visit<'_, 'e>) {
    match kind {
        StatementKind::Subroutine(subprogram) | StatementKind::Function(subprogram) => in_subprogram(subprogram, visit),
        StatementKind::Entry { suffix, .. } => suffix.bind.iter().for_each(|list| in_list(list, visit)),
        StatementKind::Implicit(ImplicitRule::Types(types)) => {
            types.iter().for_each(|(type_spec, _)| in_type(type_spec, visit));
        }
        StatementKind::TypeDeclaration(declaration) => {
            in_type(&declaration.type_spec, visit);
            in_attributes(&declaration.attributes, visit);
            in_entities(&declaration.entities, visit);
        }
        StatementKind::Records(declarations) => {
            declarations.iter().for_each(|declaration| in_entities(&declaration.entities, visit));
        }
        StatementKind::ProcedureDeclaration { interface, attributes, entities } => {
            if let Some(TypeSpecOrName::Type(type_spec)) = interface {
                in_type(type_spec, visit);
            }
            in_attributes(attributes, visit);
            in_entities(entities, visit);
        }
        StatementKind::AttributeStatement { attribute, entities, .. } => {
            in_attribute(attribute, visit);
            in_entities(entities, visit);
        }
        StatementKind::Parameter(constants) => constants.iter().for_each(|(_, value)| visit(value)),
        StatementKind::Data(sets) => {
            for set in sets {
                set.objects.iter().chain(&set.values).for_each(&mut *visit);
            }
        }
        StatementKind::Common(groups) | StatementKind::Namelist(groups) => {
            groups.iter().for_each(|group| in_entities(&group.entities, visit));
        }
        StatementKind::Equivalence(sets) => {
            sets.iter().flatten().for_each(|reference| in_reference(reference, visit));
        }
        StatementKind::DerivedType { attributes, .. }
        | StatementKind::TypeBoundProcedure { attributes, .. }
        | StatementKind::Generic { attributes, .. }
        | StatementKind::Enum { attributes, .. }
        | StatementKind::EnumerationType { attributes, .. } => in_attributes(attributes, visit),
        StatementKind::Enumerator(enumerators) => {
            enumerators.iter().filter_map(|(_, value)| value.as_ref()).for_each(visit);
        }
        StatementKind::Structure { entities, .. } => in_entities(entities, visit),
        StatementKind::CrayPointer(pairs) => pairs.iter().for_each(|pair| in_entity(&pair.pointee, visit)),
        _ => {}
    }
}

/// Calls `visit` with an expression and every expression inside it, outer ones first, in source order.
pub fn walk_subexpressions<'e>(expression: &'e Expression, visit: Visit<'_, 'e>) {
    visit(expression);
    let mut deeper = |inner: &'e Expression| walk_subexpressions(inner, visit);
    match &expression.kind {
        ExpressionKind::Literal(_) | ExpressionKind::Star => {}
        ExpressionKind::Complex(parts) => {
            deeper(&parts.0);
            deeper(&parts.1);
        }
        ExpressionKind::Reference(reference) => in_reference(reference, &mut deeper),
        ExpressionKind::Substring(parent, range) => {
            deeper(parent);
            in_list(range, &mut deeper);
        }
        ExpressionKind::Parenthesised(inner)
        | ExpressionKind::Unary(_, inner)
        | ExpressionKind::PercentFunction(_, inner) => deeper(inner),
        ExpressionKind::Binary(operations) => operations.operands().for_each(deeper),
        ExpressionKind::ArrayConstructor { type_spec, values } => {
            type_spec.iter().for_each(|type_spec| in_type(type_spec, &mut deeper));
            values.iter().for_each(deeper);
        }
        ExpressionKind::ImpliedDo(implied) => {
            implied.items.iter().for_each(&mut deeper);
            implied.type_spec.iter().for_each(|type_spec| in_type(type_spec, &mut deeper));
            deeper(&implied.lower);
            deeper(&implied.upper);
            implied.step.iter().for_each(deeper);
        }
        ExpressionKind::Conditional(branches, otherwise) => {
            for (test, value) in branches {
                deeper(test);
                deeper(value);
            }
            deeper(otherwise);
        }
        ExpressionKind::Repeat(count, value) => {
            deeper(count);
            deeper(value);
        }
    }
}

/// Every expression inside the subscripts and arguments of a reference, outer ones before inner ones.
pub fn walk_indices<'e>(reference: &'e Reference, visit: Visit<'_, 'e>) {
    in_reference(reference, &mut |index| walk_subexpressions(index, visit));
}

// These two are the heart of every walk: each caller has its own copy, which calls without a detour.

fn in_reference<'e>(reference: &'e Reference, visit: &mut (impl FnMut(&'e Expression) + ?Sized)) {
    for part in &reference.parts {
        for list in &part.lists {
            in_list(list, visit);
        }
        if let Some(image) = &part.image {
            in_list(image, visit);
        }
    }
}

fn in_list<'e>(list: &'e ArgumentList, visit: &mut (impl FnMut(&'e Expression) + ?Sized)) {
    for item in &list.items {
        match &item.value {
            ArgumentValue::Expression(value) => visit(value),
            ArgumentValue::Section(Section { lower, upper, stride }) => {
                lower.iter().chain(upper).chain(stride).for_each(|bound| visit(bound));
            }
            ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {}
        }
    }
}

fn in_allocation<'e>(objects: &'e [Reference], options: &'e [(super::Identifier, Expression)], visit: Visit<'_, 'e>) {
    objects.iter().for_each(|object| in_reference(object, visit));
    options.iter().for_each(|(_, value)| visit(value));
}

fn in_associations<'e>(associations: &'e [Association], visit: Visit<'_, 'e>) {
    for association in associations {
        association.coshape.iter().for_each(|coshape| in_dimensions(&coshape.dimensions, visit));
        visit(&association.selector);
    }
}

fn in_do_control<'e>(control: &'e DoControl, visit: Visit<'_, 'e>) {
    match control {
        DoControl::Forever => {}
        DoControl::Counted { variable, lower, upper, step } => {
            in_reference(variable, visit);
            visit(lower);
            visit(upper);
            step.iter().for_each(|step| visit(step));
        }
        DoControl::While(condition) => visit(condition),
        DoControl::Concurrent(header) => in_header(header, visit),
    }
}

fn in_header<'e>(header: &'e ConcurrentHeader, visit: Visit<'_, 'e>) {
    header.type_spec.iter().for_each(|type_spec| in_type(type_spec, visit));
    for control in &header.controls {
        visit(&control.lower);
        visit(&control.upper);
        control.step.iter().for_each(&mut *visit);
    }
    header.mask.iter().for_each(visit);
}

fn in_case_range<'e>(range: &'e CaseRange, visit: Visit<'_, 'e>) {
    match range {
        CaseRange::Value(value) => visit(value),
        CaseRange::Range(lower, upper) => lower.iter().chain(upper).for_each(visit),
    }
}

fn in_subprogram<'e>(subprogram: &'e Subprogram, visit: Visit<'_, 'e>) {
    for prefix in &subprogram.prefixes {
        if let Prefix::Other(_, Some(list)) = prefix {
            in_list(list, visit);
        }
    }
    subprogram.result_type.iter().for_each(|type_spec| in_type(type_spec, visit));
    subprogram.length.iter().for_each(|length| in_length(length, visit));
    subprogram.suffix.bind.iter().for_each(|list| in_list(list, visit));
}

fn in_type<'e>(type_spec: &'e TypeSpec, visit: Visit<'_, 'e>) {
    match &type_spec.kind {
        TypeSpecKind::Intrinsic { kind, length, .. } => {
            length.iter().for_each(|length| in_length(length, visit));
            if let Some(KindSelector::Kind(kind)) = kind {
                visit(kind);
            }
        }
        TypeSpecKind::Derived(_, list) | TypeSpecKind::Class(_, list) | TypeSpecKind::Macro(_, list) => {
            list.iter().for_each(|list| in_list(list, visit));
        }
        TypeSpecKind::TypeOfIntrinsic(inner) => in_type(inner, visit),
        TypeSpecKind::TypeOf(value) | TypeSpecKind::ClassOf(value) => visit(value),
        TypeSpecKind::ClassStar | TypeSpecKind::TypeStar | TypeSpecKind::Record(_) => {}
    }
}

fn in_length<'e>(length: &'e Length, visit: Visit<'_, 'e>) {
    if let Length::Expression(value) = length {
        visit(value);
    }
}

fn in_attributes<'e>(attributes: &'e [Attribute], visit: Visit<'_, 'e>) {
    attributes.iter().for_each(|attribute| in_attribute(attribute, visit));
}

fn in_attribute<'e>(attribute: &'e Attribute, visit: Visit<'_, 'e>) {
    match attribute {
        Attribute::Dimension(shape) => in_dimensions(&shape.dimensions, visit),
        Attribute::Codimension(coshape) => in_dimensions(&coshape.dimensions, visit),
        Attribute::Bind(list) | Attribute::Macro(_, Some(list)) => in_list(list, visit),
        Attribute::Rank(rank) => visit(rank),
        _ => {}
    }
}

fn in_dimensions<'e>(dimensions: &'e [DimensionSpec], visit: Visit<'_, 'e>) {
    for dimension in dimensions {
        match dimension {
            DimensionSpec::Explicit(lower, upper) => lower.iter().chain([upper]).for_each(&mut *visit),
            DimensionSpec::Colon(lower) | DimensionSpec::Star(lower) => lower.iter().for_each(&mut *visit),
        }
    }
}

fn in_entities<'e>(entities: &'e [Entity], visit: Visit<'_, 'e>) {
    entities.iter().for_each(|entity| in_entity(entity, visit));
}

fn in_entity<'e>(entity: &'e Entity, visit: Visit<'_, 'e>) {
    entity.shape.iter().for_each(|shape| in_dimensions(&shape.dimensions, visit));
    entity.coshape.iter().for_each(|coshape| in_dimensions(&coshape.dimensions, visit));
    entity.length.iter().for_each(|length| in_length(length, visit));
    match &entity.initial {
        Some(Initializer::Value(value) | Initializer::Pointer(value)) => visit(value),
        Some(Initializer::Slashes(values)) => values.iter().for_each(visit),
        None => {}
    }
}
