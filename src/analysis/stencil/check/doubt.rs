//! What a claim rests on that is not known: then it is not checked (S018), and nothing that follows is called wrong.

use super::claim::{Claim, arrays};
use super::input::CheckInput;
use crate::analysis::stencil::computations::{ArrayAccess, Computation, Reason, Undescribed};
use crate::analysis::stencil::spec::SpelledName;
use crate::flow::assignment_of;
use crate::names::Doubt;
use crate::source::Span;
use crate::syntax::visit::{Access, StatementVisitor, Visitor, walk_expression, walk_reference, walk_statement};
use crate::syntax::{Expression, Identifier, NameTable, Reference, Statement, StatementId};

/// A sentence on what an array that can be described rests on; `of_kind`: what is said is the kind of the computation.
pub fn of_described(input: CheckInput<'_>, claim: &Claim<'_>, access: &ArrayAccess, of_kind: bool) -> Option<String> {
    let in_reads = access.reads.iter().find_map(|read| {
        let is_in_read = |span: Span| read.span.encloses(span);
        doubt(input, read.statement, is_in_read)
    });
    // What has subscripts on the left is an array whatever it is.
    let is_bare = |target: &&Reference| target.parts.iter().all(|part| part.lists.is_empty());
    let on_left = || {
        let target = left_side(input, claim.computation).filter(is_bare)?;
        doubt_of(input, claim.computation.statement, target)
    };
    in_reads.or_else(|| of_kind.then(on_left).flatten()).map(sentence)
}

/// A sentence on what an array that can't be described rests on.
pub fn of_undescribed(input: CheckInput<'_>, computation: &Computation, undescribed: &Undescribed) -> Option<String> {
    let blamed = undescribed.span;
    // A procedure that the array is handed to stands around it.
    let is_blamed = |span: Span| blamed.encloses(span) || span.encloses(blamed);
    let statements = &input.scopes.tree.statements;
    let mut holding = statements.iter_enumerated().filter(|(_, statement)| statement.span.encloses(blamed));
    let mut at_place = || holding.find_map(|(id, _)| doubt(input, id, is_blamed));
    let may_be_of_bounds = matches!(undescribed.reason, Reason::NonNeighbourIndex | Reason::SymbolicOffset);
    let on_left = || doubt_of(input, computation.statement, left_side(input, computation)?);
    at_place().or_else(|| may_be_of_bounds.then(on_left).flatten()).map(sentence)
}

/// A sentence on what a computation rests on that does not read a variable of a specification above a statement.
pub fn of_not_read(
    input: CheckInput<'_>,
    statement: StatementId,
    computation: Option<&Computation>,
    variable: &SpelledName,
) -> Option<String> {
    let unknown = computation.into_iter().flat_map(arrays).filter_map(|array| array.described.err());
    let mut unknown =
        unknown.filter(|undescribed| matches!(undescribed.reason, Reason::UndeclaredArray | Reason::ProcedureInFlow));
    let in_flow = computation
        .and_then(|computation| unknown.find_map(|undescribed| of_undescribed(input, computation, undescribed)));
    let key = variable.key();
    let names = &input.scopes.tree.names;
    let is_named = |reference: &Reference| {
        let mut parts = reference.parts.iter().map(|part| names.text(part.name.name));
        key.split('%').all(|name| parts.any(|part| part == name))
    };
    in_flow.or_else(|| {
        references(input, statement).into_iter().find_map(|(reference, _)| {
            let doubt = is_named(reference).then(|| doubt_of(input, statement, reference)).flatten();
            doubt.map(sentence)
        })
    })
}

fn sentence(doubt: Doubt) -> String {
    let Doubt { subject, modules } = doubt;
    let quoted: Vec<String> = modules.iter().map(|module| format!("'{module}'")).collect();
    match quoted.split_last() {
        None => format!("{subject} is unknown: nothing that was found declares it"),
        Some((only, [])) => format!("{subject} is unknown, module {only} is in none of the files"),
        Some((last, others)) => {
            format!("{subject} is unknown, modules {} and {last} are in none of the files", others.join(", "))
        }
    }
}

/// The left side of a computation.
fn left_side<'s>(input: CheckInput<'s>, computation: &Computation) -> Option<&'s Reference> {
    assignment_of(&input.scopes.tree.statements[computation.statement].kind).map(|(target, ..)| target)
}

/// The first of the references in a statement at such places of which it is not known what they mean.
fn doubt(input: CheckInput<'_>, statement: StatementId, is_meant: impl Fn(Span) -> bool) -> Option<Doubt> {
    let references = references(input, statement).into_iter();
    references.filter(|(_, span)| is_meant(*span)).find_map(|(reference, _)| doubt_of(input, statement, reference))
}

fn doubt_of(input: CheckInput<'_>, statement: StatementId, reference: &Reference) -> Option<Doubt> {
    input.scopes.resolved.doubt(input.scopes.tree, statement, reference)
}

/// The references in a statement with their places.
fn references<'s>(input: CheckInput<'s>, statement: StatementId) -> Vec<(&'s Reference, Span)> {
    let tree = input.scopes.tree;
    let mut collector = Collector { names: &tree.names, found: Vec::new() };
    walk_statement(&mut collector, &tree.statements[statement].kind);
    collector.found
}

struct Collector<'t> {
    names: &'t NameTable,
    found: Vec<(&'t Reference, Span)>,
}

impl<'t> Visitor<'t> for Collector<'t> {
    fn name(&mut self, _: Identifier, _: Access) {}

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        if let (Some(first), Some(last)) = (reference.parts.first(), reference.parts.last()) {
            let end = last.lists.last().map_or(last.name.span.end, |list| list.span.end);
            self.found.push((reference, Span::new(first.name.span.start, end)));
        }
        walk_reference(self, reference, access);
    }

    fn expression(&mut self, expression: &'t Expression, access: Access) {
        walk_expression(self, expression, access);
    }
}

impl<'t> StatementVisitor<'t> for Collector<'t> {
    fn names(&self) -> &'t NameTable {
        self.names
    }

    fn action(&mut self, action: &'t Statement) {
        walk_statement(self, &action.kind);
    }

    fn not_understood(&mut self) {}
}
