//! Conditions under which a scalar gets a value.
//!
//! An index that is fixed on some way is taken for that of a border, unless data decide: `if (i == n)` tests for a border, but with
//! `if (u(i) > 0)` the fixed element is read as well as the other one.

use super::Analysis;
use super::value::Place;
use crate::flow::FlowPosition;
use crate::names::PartClass;
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{ConstructId, Expression, ExpressionKind, StatementId, StatementKind};

impl Analysis<'_> {
    /// Whether data decide that control comes to one position on the way to another one.
    pub fn is_decided_by_data(&self, position: FlowPosition, used: FlowPosition) -> bool {
        let (id, used) = (self.flow.statements[position], self.flow.statements[used]);
        if self.tests_data(id) {
            return true;
        }
        let mut around = self.tree.construct_of[id];
        while let Some(construct) = around {
            let of = &self.tree.constructs[construct];
            if of.headers.first().is_some_and(|&first| (first..=of.last).contains(&used)) {
                return false;
            }
            if self.headers(construct).iter().any(|&header| self.tests_data(header)) {
                return true;
            }
            around = of.parent;
        }
        false
    }

    fn headers(&self, construct: ConstructId) -> &[StatementId] {
        &self.tree.constructs[construct].headers
    }

    /// Whether a statement goes on by what data say.
    fn tests_data(&self, id: StatementId) -> bool {
        let place = Place { tree: self.tree, resolved: self.resolved, statement: id, paper: self.paper };
        match &self.tree.statements[id].kind {
            StatementKind::If { condition, .. } | StatementKind::IfThen(condition) => place.holds_data(condition),
            StatementKind::ElseIf(condition, _) | StatementKind::SelectCase(condition) => place.holds_data(condition),
            _ => false,
        }
    }
}

impl Place<'_> {
    /// Whether a condition depends on more than integers and logical flags: on arrays, functions of the program, or real numbers.
    pub fn holds_data(&self, condition: &Expression) -> bool {
        let mut found = false;
        walk_subexpressions(condition, &mut |inner| {
            let ExpressionKind::Reference(reference) = &inner.kind else { return };
            let classes = self.resolved.classify(self.tree, self.statement, reference);
            found |= classes.iter().any(|class| {
                matches!(class, PartClass::Array { .. } | PartClass::Function | PartClass::StatementFunction)
            });
            if let ([PartClass::Scalar], [part]) = (classes.as_slice(), reference.parts.as_slice()) {
                let symbol = self.resolved.symbol_at(self.statement, part.name.name);
                let type_ = symbol.and_then(|symbol| self.resolved.symbol(symbol).type_);
                found |= type_.is_some_and(|type_| type_.is_real());
            }
        });
        found
    }
}
