//! Control and data flow of one program unit.
//!
//! - *block*: statements that are always executed one after the other;
//! - *reaching definition*: a definition of a scalar whose value can still be there at a use;
//! - *flows to*: statement *d* flows to assignment *u* when *d* assigns a scalar, that definition reaches a use on
//!   *u*'s right side, and so on through further assignments. Flow goes through scalars only, never through array
//!   elements.
//!
//! Entry point: [`unit_flow`]; result: [`UnitFlow`]. It takes the [`Effects`] of the statements, which `procedures`
//! finds.

#![deny(clippy::wildcard_enum_match_arm)]

mod dominators;
mod dump;
mod effects;
mod graph;
mod grouped;
mod loops;
mod position;
mod reaching;
mod scalar;
mod statement;
mod values;

pub use dump::dump;
pub use effects::{Definition, DefinitionId, DefinitionKind, Effects, Use, VariableId, Variables};
pub use graph::{Block, BlockId, ControlFlow};
pub use grouped::Grouped;
pub use loops::{InductionVariable, Loop, LoopId, LoopNest};
pub use position::FlowPosition;
pub use reaching::Reaching;
pub use scalar::{associated_element, canonical, may_be_scalar, scalar_at, scalar_of, selector_of};
pub use statement::{assignment_of, is_statement_function, names_in_text};
pub use values::{Value, ValueId, Values};

use oxc_index::{IndexVec, index_vec};

use dominators::Dominators;
use fixedbitset::FixedBitSet;

use crate::names::{Resolved, SymbolId};
use crate::syntax::{StatementId, Tree, UnitId};

/// The flow of one unit.
#[derive(Clone, Debug)]
pub struct UnitFlow {
    /// The unit.
    pub unit: UnitId,
    /// The unit's own statements in order, those of contained units left out.
    pub statements: IndexVec<FlowPosition, StatementId>,
    /// The control-flow graph.
    pub control: ControlFlow,
    /// The loops.
    pub loops: LoopNest,
    /// What the statements do to scalars.
    pub effects: Effects,
    /// The values that uses read.
    pub values: Values,
}

/// Analyses a unit whose own statements are `statements` (see [`own_statements`]) with these effects.
pub fn unit_flow(
    tree: &Tree,
    resolved: &Resolved,
    unit: UnitId,
    statements: Vec<StatementId>,
    effects: Effects,
) -> UnitFlow {
    let statements = IndexVec::from_vec(statements);
    let loops = loops::loops(tree, resolved, &statements);
    let control = graph::control_flow(tree, resolved, &statements, &loops);
    let preorder = control.preorder();
    let values = values::values(&control, &Dominators::new(&control, &preorder), &effects);
    UnitFlow { unit, statements, control, loops, effects, values }
}

/// The own statements of every unit of a tree: each statement goes to the innermost unit it belongs to.
pub fn own_statements(tree: &Tree) -> IndexVec<UnitId, Vec<StatementId>> {
    let mut own = index_vec![Vec::new(); tree.units.len()];
    for (id, unit) in tree.unit_of.iter_enumerated() {
        if let Some(unit) = unit {
            own[*unit].push(id);
        }
    }
    own
}

impl UnitFlow {
    /// Position of a statement among the unit's own ones.
    pub fn position(&self, statement: StatementId) -> Option<FlowPosition> {
        self.statements.binary_search(&statement).ok()
    }

    /// The uses of the statement at a position, as indices into [`Effects::uses`].
    pub fn uses_at(&self, position: FlowPosition) -> std::ops::Range<usize> {
        let uses = &self.effects.uses;
        uses.partition_point(|used| used.position < position)..uses.partition_point(|used| used.position <= position)
    }

    /// Those of them that flow into the right side, or to the caller.
    pub fn flowing_uses_at(&self, position: FlowPosition) -> impl Iterator<Item = usize> + '_ {
        self.uses_at(position).filter(|&index| self.effects.uses[index].flows)
    }

    /// Positions of a loop: its header and body.
    pub fn positions_of(&self, id: LoopId) -> std::ops::RangeInclusive<FlowPosition> {
        let of = &self.loops.loops[id];
        of.first..=of.end
    }

    /// Whether a variable or array may change inside a loop (its header included), in whole or in part: by definition,
    /// or passed to a procedure.
    pub fn changes_in(&self, id: LoopId, symbol: SymbolId) -> bool {
        let positions = self.positions_of(id);
        let at = self.effects.changes.partition_point(|&change| change < (symbol, *positions.start()));
        self.effects.changes.get(at).is_some_and(|&(other, position)| other == symbol && positions.contains(&position))
    }

    /// Whether a variable or array may change anywhere in the unit, in the same sense.
    pub fn changes_anywhere(&self, symbol: SymbolId) -> bool {
        let at = self.effects.changes.partition_point(|&(other, _)| other < symbol);
        self.effects.changes.get(at).is_some_and(|&(other, _)| other == symbol)
    }

    /// The variables and arrays that may change inside a loop.
    pub fn changed_in(&self, id: LoopId) -> impl Iterator<Item = SymbolId> + '_ {
        let positions = self.positions_of(id);
        self.effects.changes.iter().filter(move |(_, position)| positions.contains(position)).map(|&(symbol, _)| symbol)
    }

    /// Whether a procedure is called inside a loop that may change what is not local.
    pub fn calls_in(&self, id: LoopId) -> bool {
        let positions = self.positions_of(id);
        let called = self.effects.calls.partition_point(|position| position < positions.start());
        self.effects.calls.get(called).is_some_and(|position| positions.contains(position))
    }

    /// Whether a value that a scalar has behind one position of a loop may still be there before another one, or the
    /// next turn if that is the header, without leaving the iteration.
    pub fn is_way_without(&self, id: LoopId, variable: VariableId, from: FlowPosition, to: FlowPosition) -> bool {
        let positions = self.positions_of(id);
        let header = self.control.block_of[*positions.start()];
        let (first, last) = (self.control.block_of[from], self.control.block_of[to]);
        // They stand in the order of their positions.
        let kills: Vec<FlowPosition> = self
            .values
            .definitions
            .of(variable)
            .iter()
            .map(|&definition| self.effects.definitions[definition])
            .filter(|definition| definition.kills)
            .map(|definition| definition.position)
            .collect();
        let is_killed_between = |from: FlowPosition, to: FlowPosition| {
            let first = kills.partition_point(|&position| position <= from);
            kills.get(first).is_some_and(|&position| position < to)
        };
        if first == last && from < to {
            return !is_killed_between(from, to);
        }
        if is_killed_between(from, self.control.blocks[first].last + 1) {
            return false;
        }
        let mut defining = FixedBitSet::with_capacity(self.control.blocks.len());
        kills.iter().for_each(|&position| defining.insert(self.control.block_of[position].index()));
        let mut met = FixedBitSet::with_capacity(self.control.blocks.len());
        let mut pending = vec![first];
        while let Some(block) = pending.pop() {
            for next in self.control.successors(block) {
                if next == last
                    && !is_killed_between(
                        FlowPosition::from_raw(self.control.blocks[last].first.raw().saturating_sub(1)),
                        to,
                    )
                {
                    return true;
                }
                if next == header {
                    continue;
                }
                let is_inside = positions.contains(&self.control.blocks[next].first);
                if is_inside && !defining.contains(next.index()) && !met.put(next.index()) {
                    pending.push(next);
                }
            }
        }
        false
    }

    /// The induction variables of a loop and those around it, inner ones first.
    pub fn induction_variables(
        &self,
        innermost: Option<LoopId>,
    ) -> impl Iterator<Item = (LoopId, InductionVariable)> + '_ {
        self.loops
            .chain(innermost)
            .flat_map(|id| self.loops.loops[id].variables.iter().map(move |&variable| (id, variable)))
    }
}
