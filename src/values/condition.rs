//! Conditions under which a scalar gets a value.
//!
//! An index that is fixed on some way is that of a border if the way is chosen by where the loop stands: `if (i == n)`.
//! If data choose (`if (u(i) > 0)`), or a switch (`if (periodic)`), the fixed element is read as well as the other one.

use super::context::ValueContext;
use super::evaluator::Evaluator;
use super::index::{Atom, Index, Selection, combined};
use super::jump::jumps;
use crate::flow::{FlowPosition, LoopId};
use crate::names::SymbolId;
use crate::syntax::{
    BinaryOperator, CaseRange, ConstructId, Expression, ExpressionKind, StatementId, StatementKind, UnaryOperator,
};

impl ValueContext<'_> {
    /// What decides whether control comes to one position on the way to another one.
    pub fn selection(&self, position: FlowPosition, used: FlowPosition) -> Selection {
        let (id, used) = (self.flow.statements[position], self.flow.statements[used]);
        let mut selection = match &self.tree.statements[id].kind {
            StatementKind::If { condition, .. } => self.selects(id, condition),
            _ => Selection::Always,
        };
        let mut around = self.tree.construct_of[id];
        while let Some(construct) = around {
            let of = &self.tree.constructs[construct];
            if of.headers.first().is_some_and(|&first| (first..=of.last).contains(&used)) {
                break;
            }
            selection = selection.max(self.branch(construct, id));
            around = of.parent;
        }
        let jumps = self.memo.jumps.get_or_init(|| jumps(self.tree, self.flow));
        let over = jumps.iter().filter(|jump| jump.from < id && id < jump.to && jump.to <= used);
        over.map(|jump| self.jumps_by(jump.from)).fold(selection, Selection::max)
    }

    /// What a conditional jump decides by.
    fn jumps_by(&self, statement: StatementId) -> Selection {
        let place = |value: &Expression| {
            let evaluator = self.flow.position(statement).map(|position| Evaluator::new(self, position));
            let tells = |evaluator: Evaluator<'_, '_>| {
                evaluator.evaluate(value).iter().all(|value| evaluator.tells_place(value))
            };
            if evaluator.is_some_and(tells) { Selection::Border } else { Selection::Data }
        };
        match &self.tree.statements[statement].kind {
            StatementKind::If { condition, .. } => self.selects(statement, condition),
            StatementKind::ArithmeticIf(value, _) => place(value),
            StatementKind::ComputedGoTo(_, value) => place(value),
            _ => Selection::Always,
        }
    }

    /// What decides whether control comes to a statement of a construct: the conditions of its branch and of those
    /// before.
    fn branch(&self, construct: ConstructId, statement: StatementId) -> Selection {
        let headers = &self.tree.constructs[construct].headers;
        let before = headers.iter().filter(|&&header| header <= statement);
        let one = |&header: &StatementId| match &self.tree.statements[header].kind {
            StatementKind::IfThen(condition) | StatementKind::ElseIf(condition, _) => self.selects(header, condition),
            StatementKind::SelectCase(selector) => self.selects_case(header, selector, headers),
            StatementKind::SelectType(_) | StatementKind::SelectRank(_) => Selection::Data,
            _ => Selection::Always,
        };
        before.map(one).max().unwrap_or_default()
    }

    /// What a condition decides by.
    fn selects(&self, statement: StatementId, condition: &Expression) -> Selection {
        let evaluator = self.flow.position(statement).map(|position| Evaluator::new(self, position));
        evaluator.map_or(Selection::Data, |evaluator| evaluator.selects(condition))
    }

    /// What a SELECT CASE decides by.
    fn selects_case(&self, statement: StatementId, selector: &Expression, headers: &[StatementId]) -> Selection {
        let is_constant =
            |case: StatementId, value: &Expression| self.statement_context(case).constant(value).is_some();
        let are_constant = headers.iter().all(|&case| {
            let StatementKind::Case { ranges, .. } = &self.tree.statements[case].kind else { return true };
            ranges.iter().all(|range| match range {
                CaseRange::Value(value) => is_constant(case, value),
                CaseRange::Range(lower, upper) => lower.iter().chain(upper).all(|bound| is_constant(case, bound)),
            })
        });
        let Some(position) = self.flow.position(statement) else { return Selection::Data };
        let evaluator = Evaluator::new(self, position);
        let is_border = are_constant && evaluator.evaluate(selector).iter().all(|value| evaluator.tells_place(value));
        if is_border { Selection::Border } else { Selection::Data }
    }
}

impl Evaluator<'_, '_> {
    /// What a condition decides by: a border's compares an induction variable with something that does not change in
    /// the loop, in every part.
    pub(super) fn selects(&self, condition: &Expression) -> Selection {
        if self.is_of_border(condition) { Selection::Border } else { Selection::Data }
    }

    fn is_of_border(&self, condition: &Expression) -> bool {
        use BinaryOperator::*;
        match &condition.kind {
            ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(UnaryOperator::Not, inner) => {
                self.is_of_border(inner)
            }
            ExpressionKind::Binary(operations) => match operations.rest.as_slice() {
                [(Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual, right)] => {
                    let difference = combined(&self.evaluate(&operations.first), &self.evaluate(right), -1);
                    difference.is_some_and(|values| values.iter().all(|value| self.tells_place(value)))
                }
                rest if rest.iter().all(|(operator, _)| matches!(operator, And | Or)) => {
                    operations.operands().all(|operand| self.is_of_border(operand))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a value depends on where a loop stands, and on nothing else that changes in this loop.
    fn tells_place(&self, value: &Index) -> bool {
        let mut counted = self.values.flow.induction_variables(self.values.flow.loops.innermost(self.position));
        let counted = counted.find(|(_, variable)| value.form.coefficient(&Atom::Variable(variable.symbol)) != 0);
        if value.inside.indirect {
            return false;
        }
        let Some((id, variable)) = counted else {
            // Of a dummy argument that the caller counts.
            let is_place = value.variables().any(|symbol| self.values.is_fixed_dummy(symbol));
            return is_place && !value.variables().any(|symbol| self.values.changes_in_unit(symbol));
        };
        let is_same = |symbol: SymbolId| symbol == variable.symbol || self.stays_in(id, symbol);
        !value.inside.variables.contains(&variable.symbol) && value.variables().all(is_same)
    }

    /// Whether a variable has one value in a loop.
    fn stays_in(&self, id: LoopId, symbol: SymbolId) -> bool {
        let is_counted_inside = self
            .values
            .flow
            .induction_variables(self.values.flow.loops.innermost(self.position))
            .take_while(|&(other, _)| other != id)
            .any(|(_, variable)| variable.symbol == symbol);
        !is_counted_inside && !self.values.may_change(id, symbol)
    }
}
