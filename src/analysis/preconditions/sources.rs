//! Where a unit fails: STOP and ERROR STOP, calls that end the program, calls of procedures that may fail.

use super::backward::Backward;
use super::bind::Binding;
use super::build;
use super::connect::any;
use super::ends::normal_ends;
use super::failure::{Failure, Failures};
use super::formula::{Formula, Kind, Place, Type};
use super::options::{FailureOptions, FatalProcedure};
use super::procedure::Requirement;
use super::relation::Relation;
use super::unit::UnitContext;
use crate::flow::FlowPosition;
use crate::names::SymbolKind;
use crate::syntax::{
    BinaryOperator, Expression, ExpressionKind, Reference, Statement, StatementId, StatementKind, UnitKind,
};

/// The failures of a unit.
pub fn failures(unit: &UnitContext<'_>, options: &FailureOptions) -> Failures {
    let mut found = Failures::default();
    let mut texts: Vec<Failure> = Vec::new();
    for position in unit.flow.statements.indices() {
        let id = unit.flow.statements[position];
        let statement = &unit.tree.statements[id];
        let (action, is_in_action) = match statement.kind.action() {
            Some(action) if matches!(statement.kind, StatementKind::If { .. }) => (action, true),
            _ => (statement, false),
        };
        let at = Site { unit, options, position, id, is_in_action };
        at.functions(&mut found);
        at.action(action, &mut found, &mut texts);
    }
    for failure in texts {
        if options.stop_text || failure.is_in_action || is_governed(unit, &found, failure.position) {
            found.add(failure);
        }
    }
    found.all.sort_by_key(|failure| failure.position);
    found.ends = normal_ends(unit, &found);
    found
}

/// Whether a STOP at a position is reached under a condition only, or stands in a subprogram that does nothing but
/// report and stop.
fn is_governed(unit: &UnitContext<'_>, failures: &Failures, position: FlowPosition) -> bool {
    if reports_only(unit) {
        return true;
    }
    let control = &unit.flow.control;
    let stop = control.block_of[position];
    let backward = Backward::new(unit, failures);
    let mut met = vec![false; control.blocks.len()];
    let mut pending = vec![crate::flow::BlockId::new(0)];
    while let Some(block) = pending.pop() {
        let end = if block == stop { position } else { control.blocks[block].last + 1 };
        if backward.may_leave_in_action(block, end) {
            return true;
        }
        let is_passed = std::mem::replace(&mut met[block.index()], true);
        if is_passed || block == stop || !backward.may_pass(control.blocks[block].last) {
            continue;
        }
        let mut next = control.successors(block).peekable();
        if next.peek().is_none() {
            return true;
        }
        pending.extend(next);
    }
    false
}

/// Whether a subprogram has no statements but output and STOP.
fn reports_only(unit: &UnitContext<'_>) -> bool {
    let is_subprogram = matches!(unit.tree.units[unit.unit()].kind, UnitKind::Subroutine | UnitKind::Function);
    let is_plain = |id: &StatementId| {
        let kind = &unit.tree.statements[*id].kind;
        match kind {
            StatementKind::InputOutput(transfer) => !transfer.operation.is_input(),
            StatementKind::Stop { .. } | StatementKind::Continue | StatementKind::Return(_) => true,
            StatementKind::Call { .. } | StatementKind::Assignment { .. } | StatementKind::If { .. } => false,
            _ => unit.tree.construct_of[*id].is_none(),
        }
    };
    is_subprogram && unit.flow.statements.iter().all(is_plain)
}

/// A statement that may fail.
struct Site<'u, 't> {
    unit: &'u UnitContext<'t>,
    options: &'u FailureOptions,
    position: FlowPosition,
    id: StatementId,
    is_in_action: bool,
}

impl Site<'_, '_> {
    fn failure(&self, condition: Formula, at: Place, message: Option<String>) -> Failure {
        let (position, is_in_action) = (self.position, self.is_in_action);
        Failure { position, is_in_action, condition, at, message, via: Vec::new(), is_one_of_several: false }
    }

    fn action(&self, statement: &Statement, found: &mut Failures, texts: &mut Vec<Failure>) {
        let place = self.unit.place(statement.span);
        match &statement.kind {
            StatementKind::Stop { error, code, .. } => {
                let code = code.as_ref().map(|code| self.unit.lower(self.id, code));
                let message = code.as_ref().and_then(text_of);
                let certain = build::logical(false);
                match code.as_ref().map(Formula::type_) {
                    _ if *error => found.add(self.failure(certain, place, message)),
                    Some(Type::Integer(_)) => self.unless_zero(code, place, found),
                    Some(_) => texts.push(self.failure(certain, place, message)),
                    None => {}
                }
            }
            StatementKind::Call { procedure } => self.call(procedure, place, found),
            _ => {}
        }
    }

    /// A failure unless a code is 0.
    fn unless_zero(&self, code: Option<Formula>, place: Place, found: &mut Failures) {
        let Some(code) = code else { return };
        let condition = build::compare(Relation::Equal, code, build::integer(0));
        if !condition.is_logical(true) {
            found.add(self.failure(condition, place, None));
        }
    }

    fn call(&self, procedure: &Reference, place: Place, found: &mut Failures) {
        let unit = self.unit;
        let Some(part) = procedure.parts.last() else { return };
        let name = unit.tree.names.text(part.name.name);
        let arguments: Vec<&Expression> =
            part.lists.iter().flat_map(|list| &list.items).filter_map(|item| item.expression()).collect();
        let message = || self.texts(procedure);
        if let Some(fatal) = self.options.fatal.iter().find(|fatal| fatal.name == name) {
            if let Some(condition) = self.of_fatal(fatal, procedure) {
                found.add(self.failure(condition, place, message()));
            }
            return;
        }
        let callee = unit.callees.callee(self.id, procedure);
        let known = callee.as_ref().and_then(|callee| callee.procedure.clone());
        if let Some(known) = known.filter(|known| !known.is_one_of_several) {
            if known.always_fails {
                found.add(self.failure(build::logical(false), place, message()));
            } else {
                self.requirements(procedure, place, found);
            }
            return;
        }
        let is_intrinsic = unit
            .resolved
            .symbol_at(self.id, part.name.name)
            .is_some_and(|symbol| matches!(unit.resolved.symbol(symbol).kind, SymbolKind::Intrinsic));
        match name {
            "abort" if is_intrinsic => found.add(self.failure(build::logical(false), place, None)),
            "exit" if is_intrinsic => {
                let code = arguments.first().map(|code| unit.lower(self.id, code));
                self.unless_zero(code, place, found);
            }
            "mpi_abort" | "xerbla" => {
                let is_one_of_several = unit.callees.is_one_of_several(self.id, procedure);
                let failure = self.failure(build::logical(false), place, message());
                found.add(Failure { is_one_of_several, ..failure });
            }
            _ => {}
        }
    }

    /// The character constants that a call is given.
    fn texts(&self, procedure: &Reference) -> Option<String> {
        let arguments = procedure.parts.last()?.lists.iter().flat_map(|list| &list.items);
        let arguments = arguments.filter_map(|item| item.expression());
        let texts = arguments.filter_map(|argument| text_of(&self.unit.lower(self.id, argument)));
        Some(texts.collect::<Vec<_>>().join(": ")).filter(|text| !text.is_empty())
    }

    /// The condition under which a call of a procedure that the configuration names does not fail.
    fn of_fatal(&self, fatal: &FatalProcedure, procedure: &Reference) -> Option<Formula> {
        let Some(only) = &fatal.only_if else { return Some(build::logical(false)) };
        let unit = self.unit;
        let list = procedure.parts.last()?.lists.first()?;
        let dummies = unit.callees.callee(self.id, procedure).and_then(|callee| callee.procedure);
        let position = dummies.and_then(|known| known.dummies.iter().position(|dummy| dummy.name == only.argument));
        let given = list.items.iter().enumerate().find(|(at, item)| match item.keyword {
            Some(keyword) => unit.tree.names.text(keyword.name) == only.argument,
            None => position == Some(*at) || only.argument.parse() == Ok(at + 1),
        });
        let actual = unit.lower(self.id, given?.1.expression()?);
        let value = match (only.value.parse::<i64>(), only.value.strip_prefix(['\'', '"'])) {
            (Ok(value), _) => build::integer(value),
            (_, Some(text)) => build::text(text.trim_end_matches(['\'', '"'])),
            _ => {
                let name = unit.tree.names.get(&only.value)?;
                unit.lower_reference(
                    self.id,
                    &Reference::of_name(crate::syntax::Identifier { name, span: Default::default() }),
                )?
            }
        };
        Some(build::compare(Relation::NotEqual, actual, value))
    }

    /// What the procedure of a reference needs.
    fn requirements(&self, reference: &Reference, place: Place, found: &mut Failures) {
        for failure in self.needed(reference, &place) {
            found.add(failure);
        }
    }

    fn needed(&self, reference: &Reference, place: &Place) -> Vec<Failure> {
        let Some(callee) = self.unit.callees.callee(self.id, reference) else { return Vec::new() };
        let Some(procedure) = &callee.procedure else { return Vec::new() };
        if procedure.requirements.is_empty() {
            return Vec::new();
        }
        let binding = Binding::new(self.unit, self.id, reference, &callee, procedure);
        // What is known in part only is told one call further, and not of all those who call the caller.
        let is_passed_on =
            |requirement: &&Requirement| requirement.via.is_empty() || !requirement.condition.has_unknown();
        let passed_on = procedure.requirements.iter().filter(is_passed_on);
        // A STOP without a text says what the last call on the way to it is given.
        let texts = || self.texts(reference);
        let bound = passed_on.map(|requirement| Failure {
            position: self.position,
            is_in_action: self.is_in_action,
            condition: binding.formula(&requirement.condition),
            at: requirement.at.clone(),
            message: requirement.message.clone().or_else(texts),
            via: std::iter::once(place.clone()).chain(requirement.via.iter().cloned()).collect(),
            is_one_of_several: requirement.is_one_of_several,
        });
        let is_told =
            |failure: &Failure| !failure.condition.is_logical(true) && !binding.speaks_of_absent(&failure.condition);
        bound.filter(is_told).collect()
    }

    /// What the functions need to which a statement refers.
    fn functions(&self, found: &mut Failures) {
        let unit = self.unit;
        let kind = &unit.tree.statements[self.id].kind;
        let in_condition = match kind {
            StatementKind::If { condition, .. } => Some(condition.span),
            _ => None,
        };
        let called = match kind.executed() {
            StatementKind::Call { procedure } => Some(procedure),
            _ => None,
        };
        unit.each_function(self.id, &mut |reference| {
            if called.is_some_and(|called| std::ptr::eq(called, reference)) {
                return;
            }
            let Some(part) = reference.parts.last() else { return };
            let span = part.name.span;
            let place = unit.place(unit.tree.statements[self.id].span);
            let is_in_action = self.is_in_action && !in_condition.is_some_and(|condition| condition.encloses(span));
            let is_sure = is_evaluated(kind, span);
            let site = Site { is_in_action, ..*self };
            let always = unit
                .callees
                .callee(self.id, reference)
                .and_then(|callee| callee.procedure)
                .is_some_and(|procedure| procedure.always_fails);
            let mut needed = if always {
                vec![site.failure(build::logical(false), place, None)]
            } else {
                site.needed(reference, &place)
            };
            for failure in &mut needed {
                if !is_sure {
                    failure.condition = any([unit.unknown_truth(self.id), failure.condition.clone()]);
                }
            }
            needed.into_iter().for_each(|failure| found.add(failure));
        });
    }
}

/// The text that a formula is.
fn text_of(formula: &Formula) -> Option<String> {
    if let Kind::Text(text) = formula.kind() { Some(text.trim().to_owned()) } else { None }
}

/// Whether what stands at a span of a statement is evaluated whenever the statement is executed: not as a later operand
/// of `.and.` or `.or.`, nor under a mask or in a loop of the statement.
fn is_evaluated(kind: &StatementKind, span: crate::source::Span) -> bool {
    if matches!(
        kind,
        StatementKind::Where { .. }
            | StatementKind::Forall { .. }
            | StatementKind::WhereConstruct(_)
            | StatementKind::ElseWhere(..)
            | StatementKind::ForallConstruct(_)
    ) {
        return false;
    }
    let mut is_sure = true;
    let names = crate::syntax::NameTable::default();
    crate::syntax::visit::walk_expressions(&names, kind, &mut |expression| {
        crate::syntax::visit::walk_subexpressions(expression, &mut |inner| match &inner.kind {
            ExpressionKind::Binary(operations) => {
                let is_lazy = operations.rest.iter().any(|(operator, operand)| {
                    matches!(operator, BinaryOperator::And | BinaryOperator::Or) && operand.span.encloses(span)
                });
                is_sure &= !is_lazy;
            }
            ExpressionKind::ImpliedDo(_) | ExpressionKind::Conditional(..) => {
                is_sure &= !inner.span.encloses(span);
            }
            _ => {}
        });
    });
    is_sure
}
