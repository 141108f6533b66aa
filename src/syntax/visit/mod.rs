//! One walk over statements, declarations and expressions, which says of every name and every expression in which way
//! it is accessed.
//!
//! - *access mode* ([`Access`]): what a statement does to a name or an expression where it stands: read, defined,
//!   called, bound, declared;
//! - *visitor* ([`Visitor`]): what is called with them, in the order of the text. It is called with whole designators
//!   and expressions, and calls [`walk_reference`] or [`walk_expression`] to go into one.
//!
//! Entry point: [`walk_statement`]. All that later phases know of what a statement does to names comes from here, so
//! each kind of statement and expression is listed: a new one does not compile before it is said what it accesses.

#![deny(clippy::wildcard_enum_match_arm)]

mod access;
mod action;
mod declaration;
mod expression;
mod visitor;

pub use access::Access;
pub use expression::{walk_argument, walk_expression, walk_list, walk_reference, walk_type_spec};

pub use visitor::{StatementVisitor, Visitor};

use super::ast::expression::{Expression, Reference};
use super::ast::names::{Identifier, NameTable};
use super::ast::statement::{Statement, StatementKind};
use action::*;
use declaration::*;

/// Visits all that a statement accesses.
pub fn walk_statement<'t, V: StatementVisitor<'t> + ?Sized>(visitor: &mut V, kind: &'t StatementKind) {
    use StatementKind as Kind;
    match kind {
        Kind::Assignment { target, value } => {
            visitor.reference(target, Access::Assigned);
            visitor.expression(value, Access::Read);
        }
        Kind::PointerAssignment { target, value } => {
            visitor.reference(target, Access::PointerAssigned);
            visitor.expression(value, Access::Read);
        }
        Kind::Call { procedure } | Kind::MacroStatement(procedure) => visitor.reference(procedure, Access::Called),
        Kind::Allocate { type_spec, objects, options } => {
            type_spec.iter().for_each(|type_spec| walk_type_spec(visitor, type_spec));
            walk_objects(visitor, objects, Access::Allocated);
            walk_options(visitor, options);
        }
        Kind::Deallocate { objects, options } => {
            walk_objects(visitor, objects, Access::Deallocated);
            walk_options(visitor, options);
        }
        Kind::Nullify(objects) => walk_objects(visitor, objects, Access::Nullified),
        Kind::ComputedGoTo(_, selector) => visitor.expression(selector, Access::Read),
        Kind::ArithmeticIf(condition, _) => visitor.expression(condition, Access::Read),
        Kind::AssignedGoTo(variable, _) => visitor.name(*variable, Access::Read),
        Kind::Assign(_, variable) => visitor.name(*variable, Access::Assigned),
        Kind::Return(value) | Kind::Pause(value) => {
            value.iter().for_each(|value| visitor.expression(value, Access::Read));
        }
        Kind::Stop { error: _, code, quiet } => {
            code.iter().chain(quiet).for_each(|value| visitor.expression(value, Access::Read));
        }
        Kind::InputOutput(io) => walk_input_output(visitor, io),
        Kind::ImageControl { keywords, arguments } => {
            arguments.iter().for_each(|list| walk_image_control(visitor, *keywords, list));
        }
        Kind::If { condition, action } | Kind::Where { mask: condition, action } => {
            visitor.expression(condition, Access::Read);
            visitor.action(action);
        }
        Kind::Forall { header, action } => {
            walk_header(visitor, header);
            visitor.action(action);
        }
        Kind::GoTo(_) | Kind::Continue | Kind::Format(_) => {}
        Kind::Cycle(name) | Kind::Exit(name) => walk_names(visitor, name, Access::Named),
        Kind::Unparsed(_) => visitor.not_understood(),

        Kind::IfThen(value) | Kind::SelectCase(value) | Kind::WhereConstruct(value) => {
            visitor.expression(value, Access::Read);
        }
        Kind::ElseIf(condition, name) => {
            visitor.expression(condition, Access::Read);
            walk_names(visitor, name, Access::Named);
        }
        Kind::ElseWhere(mask, name) => {
            mask.iter().for_each(|mask| visitor.expression(mask, Access::Read));
            walk_names(visitor, name, Access::Named);
        }
        Kind::Else(name) => walk_names(visitor, name, Access::Named),
        Kind::Do { label: _, control } => walk_do_control(visitor, control),
        Kind::Case { ranges, name } => {
            ranges.iter().for_each(|range| walk_case_range(visitor, range));
            walk_names(visitor, name, Access::Named);
        }
        Kind::SelectType(selector) | Kind::SelectRank(selector) => walk_selector(visitor, selector),
        Kind::TypeGuard(guard, name) => {
            walk_type_guard(visitor, guard);
            walk_names(visitor, name, Access::Named);
        }
        Kind::RankCase(case, name) => {
            walk_rank_case(visitor, case);
            walk_names(visitor, name, Access::Named);
        }
        Kind::ForallConstruct(header) => walk_header(visitor, header),
        Kind::Associate(associations) => walk_associations(visitor, associations),
        Kind::Block => {}
        Kind::Critical(options) => options.iter().for_each(|options| walk_option_list(visitor, options)),
        Kind::ChangeTeam { team, associations, options } => {
            visitor.expression(team, Access::Read);
            walk_associations(visitor, associations);
            walk_options(visitor, options);
        }

        Kind::Program(name) | Kind::Module(name) => visitor.name(*name, Access::Declared),
        Kind::Submodule { name, ancestor, parent } => {
            walk_names(visitor, [ancestor].into_iter().chain(parent), Access::Named);
            visitor.name(*name, Access::Declared);
        }
        Kind::BlockData(name) => walk_names(visitor, name, Access::Declared),
        Kind::Subroutine(subprogram) | Kind::Function(subprogram) => walk_subprogram(visitor, subprogram),
        Kind::ModuleProcedure { module: _, names } => walk_names(visitor, names, Access::Named),
        Kind::Entry { name, dummies, suffix } => walk_heading(visitor, *name, dummies, suffix),
        Kind::Contains => {}
        Kind::End { of: _, options, name } => {
            options.iter().for_each(|options| walk_option_list(visitor, options));
            walk_names(visitor, name, Access::Named);
        }

        Kind::Use { nature: _, module, only: _, items } => {
            visitor.name(*module, Access::Named);
            items.iter().for_each(|item| walk_use_item(visitor, item));
        }
        Kind::Import { mode: _, names } => walk_names(visitor, names, Access::Named),
        Kind::Implicit(rule) => walk_implicit(visitor, rule),
        Kind::TypeDeclaration(declaration) => walk_type_declaration(visitor, declaration),
        Kind::Records(declarations) => {
            declarations.iter().for_each(|declaration| walk_type_declaration(visitor, declaration));
        }
        Kind::ProcedureDeclaration { interface, attributes, entities } => {
            interface.iter().for_each(|interface| walk_interface(visitor, interface));
            walk_attributes(visitor, attributes);
            walk_entities(visitor, entities, Access::Declared);
        }
        Kind::AttributeStatement { attribute, entities, blocks, generics } => {
            walk_attribute(visitor, attribute);
            walk_entities(visitor, entities, Access::Declared);
            walk_names(visitor, blocks, Access::Named);
            generics.iter().for_each(|generic| walk_generic_spec(visitor, generic, Access::Named));
        }
        Kind::Parameter(constants) => {
            constants.iter().for_each(|(name, value)| walk_constant(visitor, *name, Some(value)));
        }
        Kind::Data(sets) => walk_data(visitor, sets),
        Kind::Common(groups) => walk_groups(visitor, groups, Access::Declared),
        Kind::Namelist(groups) => walk_groups(visitor, groups, Access::Listed),
        Kind::Equivalence(sets) => walk_equivalence(visitor, sets),
        Kind::Interface { is_abstract: _, generic } => {
            generic.iter().for_each(|generic| walk_generic_spec(visitor, generic, Access::Declared));
        }
        Kind::DerivedType { attributes, name, parameters } => {
            walk_attributes(visitor, attributes);
            walk_names(visitor, [name].into_iter().chain(parameters), Access::Declared);
        }
        Kind::Template { requirement: _, name, parameters } => {
            walk_names(visitor, [name].into_iter().chain(parameters), Access::Declared);
        }
        // What their texts name is not looked into.
        Kind::Require(_) | Kind::Instantiate(_) | Kind::Deferred(_) => {}
        Kind::Sequence | Kind::Union | Kind::Map => {}
        Kind::TypeBoundProcedure { interface, attributes, bindings } => {
            walk_names(visitor, interface, Access::Named);
            walk_attributes(visitor, attributes);
            walk_bindings(visitor, bindings);
        }
        Kind::Generic { attributes, spec, targets } => {
            walk_attributes(visitor, attributes);
            walk_generic_spec(visitor, spec, Access::Declared);
            walk_names(visitor, targets, Access::Named);
        }
        Kind::Final(names) => walk_names(visitor, names, Access::Named),
        Kind::Enum { attributes, name } => {
            walk_attributes(visitor, attributes);
            walk_names(visitor, name, Access::Declared);
        }
        Kind::Enumerator(enumerators) => {
            enumerators.iter().for_each(|(name, value)| walk_constant(visitor, *name, value.as_ref()));
        }
        Kind::EnumerationType { attributes, name } => {
            walk_attributes(visitor, attributes);
            visitor.name(*name, Access::Declared);
        }
        Kind::Structure { name, entities } => {
            walk_names(visitor, name, Access::Declared);
            walk_entities(visitor, entities, Access::Declared);
        }
        Kind::CrayPointer(pairs) => {
            for pair in pairs {
                visitor.name(pair.pointer, Access::Declared);
                walk_entity(visitor, &pair.pointee, Access::Declared);
            }
        }
    }
}

/// Calls `visit` with every designator, function reference and call of a statement, outer ones first, in the order of
/// the text.
pub fn walk_references<'t>(
    names: &'t NameTable,
    kind: &'t StatementKind,
    visit: &mut dyn FnMut(&'t Reference, Access),
) {
    walk_statement(&mut References { names, visit }, kind);
}

struct References<'v, 't> {
    names: &'t NameTable,
    visit: &'v mut dyn FnMut(&'t Reference, Access),
}

impl<'t> Visitor<'t> for References<'_, 't> {
    fn name(&mut self, _: Identifier, _: Access) {}

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        (self.visit)(reference, access);
        walk_reference(self, reference, access);
    }

    fn expression(&mut self, expression: &'t Expression, access: Access) {
        walk_expression(self, expression, access);
    }
}

impl<'t> StatementVisitor<'t> for References<'_, 't> {
    fn names(&self) -> &'t NameTable {
        self.names
    }

    fn action(&mut self, action: &'t Statement) {
        walk_statement(self, &action.kind);
    }

    /// Of its text no references are known.
    fn not_understood(&mut self) {}
}

/// Calls `visit` with every expression of a statement, outer ones first, in the order of the text.
pub fn walk_expressions<'t>(names: &'t NameTable, kind: &'t StatementKind, visit: &mut dyn FnMut(&'t Expression)) {
    walk_statement(&mut Expressions { names, visit }, kind);
}

struct Expressions<'v, 't> {
    names: &'t NameTable,
    visit: &'v mut dyn FnMut(&'t Expression),
}

impl<'t> Visitor<'t> for Expressions<'_, 't> {
    fn name(&mut self, _: Identifier, _: Access) {}

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        walk_reference(self, reference, access);
    }

    fn expression(&mut self, expression: &'t Expression, access: Access) {
        (self.visit)(expression);
        walk_expression(self, expression, access);
    }
}

impl<'t> StatementVisitor<'t> for Expressions<'_, 't> {
    fn names(&self) -> &'t NameTable {
        self.names
    }

    fn action(&mut self, action: &'t Statement) {
        walk_statement(self, &action.kind);
    }

    /// Of its text no expressions are known.
    fn not_understood(&mut self) {}
}

/// Calls `visit` with an expression and every expression inside it, outer ones first, in the order of the text.
pub fn walk_subexpressions<'t>(expression: &'t Expression, visit: &mut dyn FnMut(&'t Expression)) {
    Subexpressions(visit).expression(expression, Access::Read);
}

/// Calls `visit` with every expression inside the subscripts and arguments of a reference, outer ones first.
pub fn walk_indices<'t>(reference: &'t Reference, visit: &mut dyn FnMut(&'t Expression)) {
    walk_reference(&mut Subexpressions(visit), reference, Access::Read);
}

/// Visits every expression, whatever is done to it.
struct Subexpressions<'v, 't>(&'v mut dyn FnMut(&'t Expression));

impl<'t> Visitor<'t> for Subexpressions<'_, 't> {
    fn name(&mut self, _: Identifier, _: Access) {}

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        walk_reference(self, reference, access);
    }

    fn expression(&mut self, expression: &'t Expression, access: Access) {
        (self.0)(expression);
        walk_expression(self, expression, access);
    }
}
