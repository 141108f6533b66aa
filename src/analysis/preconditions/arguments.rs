//! Which variables a statement changes, where more is known of the procedures that it calls than that they might.

use rustc_hash::FxHashSet;

use super::passed::{ExternalArgument, Reasons};
use super::unit::{Callee, UnitContext};
use crate::flow::canonical;
use crate::names::SymbolId;
use crate::syntax::visit::walk_references;
use crate::syntax::{ExpressionKind, IoOperation, Reference, StatementId, StatementKind};

/// The variables that are arguments in a statement, by what becomes of them.
#[derive(Default)]
struct Arguments {
    kept: FxHashSet<SymbolId>,
    changed: FxHashSet<SymbolId>,
    passed_to: Vec<(SymbolId, ExternalArgument)>,
}

impl UnitContext<'_> {
    /// Of the variables that a statement may change those that it does as far as the procedures are known: an argument
    /// that a procedure leaves as it is, and that nothing else in the statement changes, is none.
    pub fn without_kept(&self, id: StatementId, symbols: &[SymbolId], reasons: &mut Reasons) -> Vec<SymbolId> {
        let Some((own, arguments)) = self.sorted_arguments(id) else {
            symbols.iter().for_each(|&symbol| reasons.add_certain(symbol));
            return symbols.to_vec();
        };
        let is_passed = |symbol: SymbolId| arguments.passed_to.iter().any(|(passed, _)| *passed == symbol);
        let mut changed = Vec::new();
        for &symbol in symbols {
            let is_certain = own == Some(symbol) || arguments.changed.contains(&symbol);
            if is_certain || is_passed(symbol) || !arguments.kept.contains(&symbol) {
                changed.push(symbol);
            }
            if is_certain || !is_passed(symbol) && !arguments.kept.contains(&symbol) {
                reasons.add_certain(symbol);
            }
        }
        for (symbol, argument) in arguments.passed_to {
            reasons.add_passed(symbol, argument);
        }
        changed
    }

    /// The variable that a statement assigns to, and those that it passes to procedures; `None` if it may change
    /// others.
    fn sorted_arguments(&self, id: StatementId) -> Option<(Option<SymbolId>, Arguments)> {
        let kind = &self.tree.statements[id].kind;
        let own = match kind.executed() {
            StatementKind::Assignment { target, .. } => target.parts.first(),
            StatementKind::InputOutput(transfer)
                if !matches!(transfer.operation, IoOperation::Write | IoOperation::Print) =>
            {
                return None;
            }
            StatementKind::Call { .. }
            | StatementKind::InputOutput(_)
            | StatementKind::IfThen(_)
            | StatementKind::ElseIf(..)
            | StatementKind::SelectCase(_)
            | StatementKind::ComputedGoTo(..)
            | StatementKind::ArithmeticIf(..)
            | StatementKind::GoTo(_)
            | StatementKind::Cycle(_)
            | StatementKind::Exit(_)
            | StatementKind::Return(_)
            | StatementKind::Stop { .. } => None,
            _ => return None,
        };
        let own = own.and_then(|part| self.resolved.symbol_at(id, part.name.name));
        let own = own.map(|symbol| canonical(self.resolved, symbol));
        let mut arguments = Arguments::default();
        walk_references(&self.tree.names, kind, &mut |reference, _| {
            let callee = self.callees.callee(id, reference);
            if let Some(callee) = callee {
                self.sort_arguments(id, reference, &callee, &mut arguments);
            }
        });
        Some((own, arguments))
    }

    /// Sorts the variables that are arguments by whether the procedure may change them.
    fn sort_arguments(&self, id: StatementId, reference: &Reference, callee: &Callee, sorted: &mut Arguments) {
        let mut sort = |of: &Reference, at: Option<usize>| {
            let Some(symbol) = of.parts.first().and_then(|part| self.resolved.symbol_at(id, part.name.name)) else {
                return;
            };
            let symbol = canonical(self.resolved, symbol);
            let dummy = callee.procedure.as_ref().and_then(|procedure| procedure.dummies.get(at?));
            let is_open = dummy.map_or(callee.procedure.is_none(), |dummy| dummy.passed_to.is_some());
            if dummy.is_some_and(|dummy| !dummy.is_changed) {
                sorted.kept.insert(symbol);
            } else if let (true, Some(at), Some(name)) = (is_open, at, &callee.external) {
                sorted.passed_to.push((symbol, (name.clone(), at)));
            } else {
                sorted.changed.insert(symbol);
            }
        };
        let passed = callee.passed.as_ref();
        if let Some((at, object)) = passed {
            sort(object, Some(*at));
        }
        for (position, argument) in reference.arguments().enumerate() {
            let Some(ExpressionKind::Reference(of)) = argument.expression().map(|expression| &expression.kind) else {
                continue;
            };
            let names =
                callee.procedure.iter().flat_map(|procedure| &procedure.dummies).map(|dummy| dummy.name.as_str());
            // The object takes a place in the order of the dummies.
            let shift = usize::from(passed.is_some_and(|(at, _)| *at <= position));
            sort(of, argument.dummy(position + shift, names, &self.tree.names));
        }
    }
}
