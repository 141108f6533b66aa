//! Where a unit ends the program without a failure: what comes behind is not reached then, in whoever calls it.

use super::bind::Binding;
use super::build;
use super::connect::{all, any, not};
use super::failure::{Failures, NormalEnd};
use super::formula::Formula;
use super::procedure::Ends;
use super::unit::UnitContext;
use crate::flow::FlowPosition;
use crate::names::SymbolKind;
use crate::syntax::{Reference, StatementId, StatementKind};

/// The statements of a unit that may end the program without a failure.
pub fn normal_ends(unit: &UnitContext<'_>, failures: &Failures) -> Vec<NormalEnd> {
    let mut found = Vec::new();
    for position in unit.flow.statements.indices() {
        let id = unit.flow.statements[position];
        let kind = &unit.tree.statements[id].kind;
        let is_in_action = matches!(kind, StatementKind::If { .. });
        // Where it does not fail, it ends.
        let passes = || {
            let own = failures.all.iter().find(|failure| {
                failure.position == position && failure.is_in_action == is_in_action && failure.via.is_empty()
            });
            own.map_or(build::logical(false), |failure| not(&failure.condition))
        };
        let mut add = |is_in_action, passes: Formula, stays| {
            if !passes.is_logical(true) {
                found.push(NormalEnd { position, is_in_action, passes, stays });
            }
        };
        let called = match kind.executed() {
            StatementKind::Call { procedure } => Some(procedure),
            _ => None,
        };
        unit.each_function(id, &mut |reference| {
            let is_called = called.is_some_and(|called| std::ptr::eq(called, reference));
            if let Some(passes) = of_callee(unit, id, reference).filter(|_| !is_called) {
                // It is not asked whether the function is evaluated.
                let passes = any([unit.unknown_truth(id), passes]);
                add(false, passes.clone(), Some(not(&passes)));
            }
        });
        match kind.executed() {
            StatementKind::Stop { error: false, .. } => add(is_in_action, passes(), None),
            StatementKind::Call { procedure } if is_exit(unit, id, procedure) => {
                add(is_in_action, passes(), Some(build::logical(true)));
            }
            StatementKind::Call { procedure } => {
                if let Some(passes) = of_callee(unit, id, procedure) {
                    add(is_in_action, passes.clone(), Some(not(&passes)));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a call is one of the intrinsic EXIT.
fn is_exit(unit: &UnitContext<'_>, id: StatementId, procedure: &Reference) -> bool {
    let [part] = procedure.parts.as_slice() else { return false };
    let symbol = unit.resolved.symbol_at(id, part.name.name);
    unit.tree.names.text(part.name.name) == "exit"
        && symbol.is_some_and(|symbol| matches!(unit.resolved.symbol(symbol).kind, SymbolKind::Intrinsic))
}

/// The condition under which a procedure that is referred to does not end the program; `None` if it never does.
fn of_callee(unit: &UnitContext<'_>, id: StatementId, reference: &Reference) -> Option<Formula> {
    let callee = unit.callees.callee(id, reference)?;
    let procedure = callee.procedure.as_ref()?;
    match &procedure.ends {
        Ends::Never => None,
        Ends::Perhaps => Some(unit.unknown_truth(id)),
        Ends::Unless(condition) => {
            let binding = Binding::new(unit, id, reference, &callee, procedure);
            let bound = binding.formula(condition);
            Some(if binding.speaks_of_absent(&bound) { unit.unknown_truth(id) } else { bound })
        }
    }
}

impl Failures {
    /// What is needed before a statement, unless it ends the program: then what comes behind is not reached.
    pub fn unless_ended(&self, unit: &UnitContext<'_>, position: FlowPosition, need: Formula) -> Formula {
        let first = self.ends.partition_point(|end| end.position < position);
        let mut made = need;
        for end in self.ends[first..].iter().take_while(|end| end.position == position) {
            // Where it fails anyway, nothing is needed of what comes behind.
            let fails = self.certain.get(&position).is_some_and(|is_in_action| *is_in_action == end.is_in_action);
            let Some(stays) = end.stays.as_ref().filter(|_| !fails) else { continue };
            let id = unit.flow.statements[position];
            made = match &unit.tree.statements[id].kind {
                // What is not known is not made longer by the condition under which it is asked.
                StatementKind::If { condition, .. } if end.is_in_action && !stays.has_unknown() => {
                    any([all([unit.lower(id, condition), stays.clone()]), made])
                }
                _ => any([stays.clone(), made]),
            };
        }
        made
    }
}
