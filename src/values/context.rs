//! What is known of a program unit when its values are asked for.

use std::collections::BTreeSet;

use super::bounds::LowerBounds;
use super::expression::ExpressionContext;
use super::memo::ScalarMemo;
use crate::flow::{FlowPosition, Reaching, UnitFlow, assignment_of, is_statement_function};
use crate::names::{Resolved, SymbolId};
use crate::syntax::{Expression, Reference, StatementId, Tree};

/// A program unit with what decides which values its scalars and indices have.
pub struct ValueContext<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The unit's flow.
    pub flow: &'t UnitFlow,
    /// Whether to do as CamFort does.
    pub paper: bool,
    /// Variables of this unit or its hosts that an internal procedure may change.
    pub changed_by_internal: &'t BTreeSet<SymbolId>,
    /// The lower bounds of arrays that no constant gives.
    pub bounds: &'t LowerBounds<'t>,
    /// Whether the unit is a procedure whose dummy arguments stand for what a caller counts.
    pub summarises: bool,
    /// The values of its scalars, as far as they were asked for.
    pub memo: ScalarMemo,
}

impl<'t> ValueContext<'t> {
    /// Where the expressions of the statement at a position stand.
    pub fn expression_context(&self, position: FlowPosition) -> ExpressionContext<'t> {
        self.statement_context(self.flow.statements[position])
    }

    /// Where the expressions of a statement stand.
    pub(super) fn statement_context(&self, statement: StatementId) -> ExpressionContext<'t> {
        ExpressionContext { tree: self.tree, resolved: self.resolved, statement, paper: self.paper }
    }

    /// The assignment at a position, statement functions left out.
    pub fn assignment(&self, position: FlowPosition) -> Option<(&'t Reference, &'t Expression)> {
        let id = *self.flow.statements.get(position)?;
        let (target, value, _) = assignment_of(&self.tree.statements[id].kind)?;
        (!is_statement_function(self.resolved, id, target)).then_some((target, value))
    }

    /// The definitions behind a use.
    pub fn definitions_of(&self, index: usize) -> Vec<Reaching> {
        self.definitions_at_most(index, usize::MAX).unwrap_or_default()
    }

    /// The same, if they are not more than so many.
    pub(super) fn definitions_at_most(&self, index: usize, most: usize) -> Option<Vec<Reaching>> {
        self.flow.reaching_at_most(index, most)
    }
}
