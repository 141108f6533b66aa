//! Conditions under which a scalar gets a value.
//!
//! An index that is fixed on some way is taken for that of a border, unless data decide: `if (i == n)` tests for a
//! border, but with `if (u(i) > 0)` the fixed element is read as well as the other one.

use super::context::ValueContext;
use crate::flow::FlowPosition;
use crate::syntax::{ConstructId, StatementId, StatementKind};

impl ValueContext<'_> {
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
        let context = self.statement_context(id);
        match &self.tree.statements[id].kind {
            StatementKind::If { condition, .. } | StatementKind::IfThen(condition) => {
                context.depends_on_data(condition)
            }
            StatementKind::ElseIf(condition, _) | StatementKind::SelectCase(condition) => {
                context.depends_on_data(condition)
            }
            _ => false,
        }
    }
}
