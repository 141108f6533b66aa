//! Which variables a statement changes, where more is known of the procedures that it calls than that they might.

use rustc_hash::FxHashSet;

use super::unit::{Callee, UnitContext};
use crate::flow::canonical;
use crate::names::SymbolId;
use crate::syntax::visit::walk_references;
use crate::syntax::{ExpressionKind, IoOperation, Reference, StatementId, StatementKind};

impl UnitContext<'_> {
    /// Of the variables that a statement may change those that it does as far as the procedures are known: an argument
    /// that a procedure leaves as it is, and that nothing else in the statement changes, is none.
    pub fn without_kept(&self, id: StatementId, symbols: &[SymbolId]) -> Vec<SymbolId> {
        let kind = &self.tree.statements[id].kind;
        let own = match kind.action().map_or(kind, |action| &action.kind) {
            StatementKind::Assignment { target, .. } => target.parts.first(),
            StatementKind::InputOutput(transfer)
                if !matches!(transfer.operation, IoOperation::Write | IoOperation::Print) =>
            {
                return symbols.to_vec();
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
            _ => return symbols.to_vec(),
        };
        let own = own.and_then(|part| self.resolved.symbol_at(id, part.name.name));
        let own = own.map(|symbol| canonical(self.resolved, symbol));
        let (mut kept, mut changed) = (FxHashSet::default(), FxHashSet::default());
        walk_references(&self.tree.names, kind, &mut |reference, _| {
            let callee = self.callees.callee(id, reference);
            if let Some(callee) = callee {
                self.sort_arguments(id, reference, &callee, &mut kept, &mut changed);
            }
        });
        let is_changed =
            |symbol: &&SymbolId| own == Some(**symbol) || !kept.contains(*symbol) || changed.contains(*symbol);
        symbols.iter().filter(is_changed).copied().collect()
    }

    /// Sorts the variables that are arguments by whether the procedure may change them.
    fn sort_arguments(
        &self,
        id: StatementId,
        reference: &Reference,
        callee: &Callee,
        kept: &mut FxHashSet<SymbolId>,
        changed: &mut FxHashSet<SymbolId>,
    ) {
        let mut sort = |of: &Reference, dummy: Option<usize>| {
            let Some(symbol) = of.parts.first().and_then(|part| self.resolved.symbol_at(id, part.name.name)) else {
                return;
            };
            let dummy = callee.procedure.as_ref().and_then(|procedure| procedure.dummies.get(dummy?));
            let is_kept = dummy.is_some_and(|dummy| !dummy.is_changed);
            if is_kept { &mut *kept } else { &mut *changed }.insert(canonical(self.resolved, symbol));
        };
        let passed = callee.passed.as_ref();
        if let Some((at, object)) = passed {
            sort(object, Some(*at));
        }
        let items = reference.parts.last().into_iter().flat_map(|part| &part.lists).flat_map(|list| &list.items);
        for (position, argument) in items.enumerate() {
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
