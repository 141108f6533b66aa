//! Rings: a remainder of a loop's variable is a place on a ring only if the loop goes round once.
//!
//! `mod(i, n) + 1` is the next place where *i* runs from 1 to *n*. Where it runs to `n*m`, or is divided by *n*
//! as well, the remainder decodes an index: it and the quotient are two indices in one.

use super::context::ValueContext;
use super::evaluator::Evaluator;
use super::index::{Index, IndexSum};
use crate::flow::{LoopId, canonical};
use crate::names::SymbolId;
use crate::syntax::visit::{walk_expressions, walk_subexpressions};
use crate::syntax::{
    BinaryOperator, ConcurrentHeader, DoControl, Expression, ExpressionKind, StatementId, StatementKind,
};

impl Evaluator<'_, '_> {
    /// Whether the loop around this place that counts a variable provably goes round a ring of this size at most once.
    pub(super) fn goes_round_once(&self, symbol: SymbolId, size: &Index) -> bool {
        let values = self.values;
        let Some(id) = values.loop_of(self.position, symbol) else { return false };
        values.spans_at_most(id, symbol, size) && !values.is_divided(id, symbol, &size.form)
    }
}

impl ValueContext<'_> {
    /// Whether the values of a loop's variable provably span no more than this many.
    fn spans_at_most(&self, id: LoopId, symbol: SymbolId, size: &Index) -> bool {
        let of = &self.flow.loops.loops[id];
        let Some(variable) = of.variables.iter().find(|variable| variable.symbol == symbol) else { return false };
        let Some((first, last)) = self.bounds_of(id, symbol) else { return false };
        let (lowest, highest) = match variable.step {
            Some(step) if step > 0 => (first, last),
            Some(_) => (last, first),
            None => return false,
        };
        let left = size.plus(&highest, -1).and_then(|left| left.plus(&lowest, 1));
        left.and_then(|left| left.form.as_constant()).is_some_and(|left| left >= 1)
    }

    /// The first and the last value of a loop's variable.
    fn bounds_of(&self, id: LoopId, symbol: SymbolId) -> Option<(Index, Index)> {
        let of = &self.flow.loops.loops[id];
        let (lower, upper) = match &self.tree.statements[of.header].kind {
            StatementKind::Do { control: DoControl::Counted { lower, upper, .. }, .. } => (&**lower, &**upper),
            StatementKind::Do { control: DoControl::Concurrent(header), .. }
            | StatementKind::ForallConstruct(header)
            | StatementKind::Forall { header, .. } => self.bounds_in(id, header, symbol)?,
            _ => return None,
        };
        let evaluator = Evaluator::new(self, of.first);
        let value = |bound: &Expression| {
            let mut values = evaluator.evaluate(bound);
            values.pop().filter(|_| values.is_empty())
        };
        Some((value(lower)?, value(upper)?))
    }

    fn bounds_in<'h>(
        &self,
        id: LoopId,
        header: &'h ConcurrentHeader,
        symbol: SymbolId,
    ) -> Option<(&'h Expression, &'h Expression)> {
        let at = self.flow.loops.loops[id].variables.iter().position(|variable| variable.symbol == symbol)?;
        let control = header.controls.get(at)?;
        Some((&control.lower, &control.upper))
    }

    /// Whether something with a loop's variable in it is divided by this in the loop.
    fn is_divided(&self, id: LoopId, symbol: SymbolId, by: &IndexSum) -> bool {
        if !self.memo.divisors.borrow().contains_key(&(id, symbol)) {
            // What is asked on the way finds that nothing is divided.
            self.memo.divisors.borrow_mut().insert((id, symbol), Vec::new());
            let divisors = self.divisors(id, symbol);
            self.memo.divisors.borrow_mut().insert((id, symbol), divisors);
        }
        self.memo.divisors.borrow().get(&(id, symbol)).is_some_and(|divisors| divisors.contains(by))
    }

    /// By what something with a loop's variable in it is divided in the loop.
    fn divisors(&self, id: LoopId, symbol: SymbolId) -> Vec<IndexSum> {
        let mut found = Vec::new();
        let positions = self.flow.positions_of(id);
        for (position, &statement) in self.flow.statements.iter_enumerated().filter(|(at, _)| positions.contains(at)) {
            let evaluator = Evaluator::new(self, position);
            let mut note = |expression: &Expression| {
                let ExpressionKind::Binary(operations) = &expression.kind else { return };
                for (at, (operator, divisor)) in operations.rest.iter().enumerate() {
                    let mut divided = operations.operands().take(at + 1);
                    if *operator == BinaryOperator::Divide
                        && divided.any(|operand| self.names(statement, operand, symbol))
                    {
                        found.extend(evaluator.evaluate(divisor).into_iter().map(|value| value.form));
                    }
                }
            };
            walk_expressions(&self.tree.names, &self.tree.statements[statement].kind, &mut note);
        }
        found
    }

    /// Whether an expression names a variable.
    fn names(&self, statement: StatementId, expression: &Expression, symbol: SymbolId) -> bool {
        let mut found = false;
        walk_subexpressions(expression, &mut |inner| {
            if let ExpressionKind::Reference(reference) = &inner.kind
                && let Some(name) = reference.as_name()
                && let Some(named) = self.resolved.symbol_at(statement, name.name)
            {
                found |= canonical(self.resolved, named) == symbol;
            }
        });
        found
    }
}
