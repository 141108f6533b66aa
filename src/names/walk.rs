//! Every place of a statement where a name of its scope occurs, with what is done to it there.

use crate::syntax::visit::{walk_expressions, walk_subexpressions};
use crate::syntax::*;

/// What is done to a name where it occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is used in an expression or a list.
    Value,
    /// It is given a value, storage or a target: a function reference cannot stand here.
    Target,
    /// It is called.
    Call,
}

/// A place where a name occurs.
#[derive(Clone, Copy, Debug)]
pub enum Occurrence<'t> {
    /// As the first part of a reference.
    Reference(&'t Reference, Role),
    /// Alone, as in a DO CONCURRENT header.
    Name(Identifier, Role),
}

/// Calls `found` for each occurrence in a statement, the action of a one-line IF, WHERE or FORALL included: first what is
/// defined or called, then what is used. The items of READ and DATA come both ways.
pub fn occurrences<'t>(statement: &'t Statement, found: &mut dyn FnMut(Occurrence<'t>)) {
    let mut current = Some(&statement.kind);
    while let Some(kind) = current {
        defined(kind, found);
        current = kind.action().map(|action| &action.kind);
    }
    walk_expressions(&statement.kind, &mut |expression| occurrences_in(expression, found));
}

/// Calls `found` for each occurrence in an expression.
pub fn occurrences_in<'t>(expression: &'t Expression, found: &mut dyn FnMut(Occurrence<'t>)) {
    walk_subexpressions(expression, &mut |inner| match &inner.kind {
        ExpressionKind::Reference(reference) => found(Occurrence::Reference(reference, Role::Value)),
        ExpressionKind::ImpliedDo(implied) => found(Occurrence::Name(implied.variable, Role::Target)),
        _ => {}
    });
}

/// The names that a statement defines, calls or only lists, as far as they are no expressions.
fn defined<'t>(kind: &'t StatementKind, found: &mut dyn FnMut(Occurrence<'t>)) {
    use StatementKind as Kind;
    match kind {
        Kind::Assignment { target, .. } | Kind::PointerAssignment { target, .. } => {
            found(Occurrence::Reference(target, Role::Target));
        }
        Kind::Call { procedure } | Kind::MacroStatement(procedure) => {
            found(Occurrence::Reference(procedure, Role::Call));
        }
        Kind::Allocate { objects, .. } | Kind::Deallocate { objects, .. } | Kind::Nullify(objects) => {
            objects.iter().for_each(|object| found(Occurrence::Reference(object, Role::Target)));
        }
        Kind::Equivalence(sets) => {
            sets.iter().flatten().for_each(|object| found(Occurrence::Reference(object, Role::Target)));
        }
        Kind::AssignedGoTo(name, _) => found(Occurrence::Name(*name, Role::Value)),
        Kind::Assign(_, name) => found(Occurrence::Name(*name, Role::Target)),
        Kind::InputOutput(io) => {
            if matches!(
                io.operation,
                IoOperation::Read | IoOperation::Accept | IoOperation::Decode | IoOperation::BufferIn
            ) {
                io.items.iter().for_each(|item| defined_item(item, found));
            }
        }
        Kind::Data(sets) => sets.iter().flat_map(|set| &set.objects).for_each(|object| defined_item(object, found)),
        Kind::Namelist(groups) => {
            let members = groups.iter().flat_map(|group| &group.entities);
            members.for_each(|member| found(Occurrence::Name(member.name, Role::Value)));
        }
        Kind::Do { control: DoControl::Counted { variable, .. }, .. } => {
            found(Occurrence::Reference(variable, Role::Target));
        }
        Kind::Do { control: DoControl::Concurrent(header), .. }
        | Kind::Forall { header, .. }
        | Kind::ForallConstruct(header) => {
            header.controls.iter().for_each(|control| found(Occurrence::Name(control.variable, Role::Target)));
            let names = header.locality.iter().flat_map(|locality| &locality.names);
            names.for_each(|name| found(Occurrence::Name(*name, Role::Value)));
        }
        _ => {}
    }
}

/// The references that a READ or DATA item defines, the items of implied loops included.
fn defined_item<'t>(item: &'t Expression, found: &mut dyn FnMut(Occurrence<'t>)) {
    match &item.kind {
        ExpressionKind::Reference(reference) => found(Occurrence::Reference(reference, Role::Target)),
        ExpressionKind::ImpliedDo(implied) => implied.items.iter().for_each(|item| defined_item(item, found)),
        _ => {}
    }
}
