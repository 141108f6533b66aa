//! The loops of a unit and their induction variables.

use oxc_index::{IndexSlice, IndexVec, define_index_type};

use super::position::FlowPosition;
use crate::names::{Resolved, SymbolId};
use crate::syntax::{
    ConcurrentHeader, ConstructKind, DoControl, Expression, ExpressionKind, StatementId, StatementKind, Tree,
    UnaryOperator,
};

define_index_type! {
    /// Index of a loop in [`LoopNest::loops`].
    pub struct LoopId = u32;
}

/// One loop: a DO construct in any form, a FORALL construct, or a one-line FORALL.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The statement that begins it.
    pub header: StatementId,
    /// The last statement that belongs to it (its end or terminal statement).
    pub last: StatementId,
    /// Positions among the unit's own statements: from the header to the last statement.
    pub first: FlowPosition,
    /// The last of these positions.
    pub end: FlowPosition,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// How many loops there are around a statement in it, itself included.
    pub depth: u32,
    /// Its induction variables: none for DO and DO WHILE.
    pub variables: Vec<InductionVariable>,
    /// Whether its iterations follow each other (not DO CONCURRENT and FORALL).
    pub sequential: bool,
}

/// R1124 do-variable or R1125 index-name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InductionVariable {
    /// The variable.
    pub symbol: SymbolId,
    /// What an iteration adds to it, not 0; `None` if that is no constant.
    pub step: Option<i64>,
}

impl InductionVariable {
    /// What so many iterations add to it; `None` if that is not known, or too large.
    pub fn advance(&self, iterations: i64) -> Option<i64> {
        if iterations == 0 { Some(0) } else { self.step?.checked_mul(iterations) }
    }
}

/// All loops of a unit, outer ones before inner ones.
#[derive(Clone, Debug, Default)]
pub struct LoopNest {
    /// The loops.
    pub loops: IndexVec<LoopId, Loop>,
    /// For each own statement of the unit (by its position there) the innermost loop around it.
    innermost: IndexVec<FlowPosition, Option<LoopId>>,
}

impl LoopNest {
    /// The innermost loop around the statement at a position.
    pub fn innermost(&self, position: FlowPosition) -> Option<LoopId> {
        self.innermost.get(position).copied().flatten()
    }

    /// A loop and those around it, inner ones first.
    pub fn chain(&self, innermost: Option<LoopId>) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(innermost, |&id| self.loops[id].parent)
    }

    /// The innermost loop around both of two loops.
    pub fn common(&self, left: Option<LoopId>, right: Option<LoopId>) -> Option<LoopId> {
        let (mut left, mut right) = (left?, right?);
        // An outer loop has a smaller number than those inside it.
        while left != right {
            let inner = if left > right { &mut left } else { &mut right };
            *inner = self.loops[*inner].parent?;
        }
        Some(left)
    }
}

/// Finds the loops of a unit. `statements` are the unit's own statements in order.
pub fn loops(tree: &Tree, resolved: &Resolved, statements: &IndexSlice<FlowPosition, [StatementId]>) -> LoopNest {
    let mut nest = LoopNest { innermost: IndexVec::with_capacity(statements.len()), ..LoopNest::default() };
    let mut open: Vec<LoopId> = Vec::new();
    for (first, &id) in statements.iter_enumerated() {
        while open.last().is_some_and(|&innermost| nest.loops[innermost].last < id) {
            open.pop();
        }
        nest.innermost.push(open.last().copied());
        let statement = &tree.statements[id];
        let one_line = matches!(statement.kind, StatementKind::Forall { .. });
        let last = match last_of_loop(tree, id) {
            Some(last) => last,
            None if one_line => id,
            None => continue,
        };
        let (variables, sequential) = induction_variables(tree, resolved, id, &statement.kind);
        let parent = open.last().copied();
        let depth = parent.map_or(0, |parent: LoopId| nest.loops[parent].depth) + 1;
        let end = statements.as_raw_slice().partition_point(|&other| other <= last).max(first.index() + 1) - 1;
        let end = FlowPosition::new(end);
        let new = nest.loops.push(Loop { header: id, last, first, end, parent, depth, variables, sequential });
        if one_line {
            if let Some(slot) = nest.innermost.last_mut() {
                *slot = Some(new);
            }
        } else {
            open.push(new);
        }
    }
    nest
}

/// The last statement of the DO or FORALL construct that a statement opens.
fn last_of_loop(tree: &Tree, id: StatementId) -> Option<StatementId> {
    let construct = &tree.constructs[tree.construct_of[id]?];
    let is_loop = matches!(construct.kind, ConstructKind::Do | ConstructKind::Forall);
    (is_loop && construct.headers.first() == Some(&id)).then_some(construct.last)
}

/// The induction variables of a loop header, and whether its iterations follow each other.
fn induction_variables(
    tree: &Tree,
    resolved: &Resolved,
    id: StatementId,
    kind: &StatementKind,
) -> (Vec<InductionVariable>, bool) {
    let step_of = |step: Option<&Expression>| match step {
        None => Some(1),
        Some(step) => constant_step(tree, resolved, id, step),
    };
    let of_header = |header: &ConcurrentHeader| {
        let found = header.controls.iter().filter_map(|control| {
            Some(InductionVariable {
                symbol: resolved.symbol_at(id + usize::from(!is_one_line(kind)), control.variable.name)?,
                step: step_of(control.step.as_ref()),
            })
        });
        found.collect()
    };
    if let StatementKind::Do { control: DoControl::Counted { variable, step, .. }, .. } = kind {
        let variable = variable
            .as_name()
            .and_then(|name| resolved.symbol_at(id, name.name))
            .map(|symbol| InductionVariable { symbol, step: step_of(step.as_deref()) })
            .filter(|variable| variable.step != Some(0));
        return (variable.into_iter().collect(), true);
    }
    if let StatementKind::Do { control: DoControl::Concurrent(header), .. }
    | StatementKind::ForallConstruct(header)
    | StatementKind::Forall { header, .. } = kind
    {
        return (of_header(header), false);
    }
    (Vec::new(), true)
}

/// Whether header and body are one statement.
fn is_one_line(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Forall { .. })
}

/// A constant step; a literal under a sign needs no evaluation.
fn constant_step(tree: &Tree, resolved: &Resolved, id: StatementId, step: &Expression) -> Option<i64> {
    if let ExpressionKind::Unary(UnaryOperator::Minus, inner) = &step.kind {
        return resolved.constant(tree, id, inner).and_then(i64::checked_neg);
    }
    resolved.constant(tree, id, step)
}
