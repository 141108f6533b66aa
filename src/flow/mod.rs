//! Control and data flow of one program unit.
//!
//! - *block*: statements that are always executed one after the other;
//! - *reaching definition*: a definition of a scalar whose value can still be there at a use;
//! - *flows to*: statement *d* flows to assignment *u* when *d* assigns a scalar, that definition reaches a use on *u*'s right
//!   side, and so on through further assignments. Flow goes through scalars only, never through array elements.
//!
//! Entry point: [`unit_flow`]; result: [`UnitFlow`]. Nothing here knows of stencils.

mod dump;
mod effects;
mod graph;
mod loops;
mod reaching;

use std::collections::BTreeMap;

pub use dump::dump;
pub use effects::{
    Definition, DefinitionKind, Effects, Use, VariableId, Variables, assignment_of, canonical, effects,
    is_statement_function, names_in_text, scalar_of,
};
pub use graph::{Block, BlockId, ControlFlow};
pub use loops::{InductionVariable, Loop, LoopId, LoopNest};
pub use reaching::{DefinitionId, Extent, Reaching, reaching_definitions};

use crate::names::{Resolved, SymbolId};
use crate::syntax::{StatementId, Tree, UnitId};

/// The flow of one unit.
#[derive(Clone, Debug)]
pub struct UnitFlow {
    /// The unit.
    pub unit: UnitId,
    /// The unit's own statements in order, those of contained units left out. A *position* is an index into this.
    pub statements: Vec<StatementId>,
    /// The control-flow graph.
    pub control: ControlFlow,
    /// The loops.
    pub loops: LoopNest,
    /// What the statements do to scalars.
    pub effects: Effects,
    /// For each use the definitions that reach it.
    pub reaching: Reaching,
    /// For each sequential loop, the same within one iteration of it (its back edge taken away).
    within_iteration: BTreeMap<LoopId, Reaching>,
    /// For each variable or array, in order, the positions at which it may change.
    changes: Vec<(SymbolId, u32)>,
}

/// Analyses a unit whose own statements are `statements` (see [`own_statements`]) with these [`effects()`].
pub fn unit_flow(
    tree: &Tree,
    resolved: &Resolved,
    unit: UnitId,
    statements: Vec<StatementId>,
    effects: Effects,
) -> UnitFlow {
    let control = graph::control_flow(tree, resolved, &statements);
    let loops = loops::loops(tree, resolved, unit, &statements);
    let whole = Extent { first: 0, last: (statements.len() as u32).saturating_sub(1), closed: None };
    let reaching = reaching_definitions(&control, &effects, whole);
    let mut changes = effects.changes.clone();
    changes.sort_unstable();
    let mut flow =
        UnitFlow { unit, statements, control, loops, effects, reaching, within_iteration: BTreeMap::new(), changes };
    for id in 0..flow.loops.loops.len() as LoopId {
        if flow.carries_values(id) {
            let extent = flow.iteration(id);
            flow.within_iteration.insert(id, reaching_definitions(&flow.control, &flow.effects, extent));
        }
    }
    flow
}

/// The own statements of every unit of a tree: each statement goes to the innermost unit it belongs to.
pub fn own_statements(tree: &Tree) -> Vec<Vec<StatementId>> {
    let mut own = vec![Vec::new(); tree.units.len()];
    for (id, unit) in tree.unit_of.iter().enumerate() {
        if let Some(unit) = unit {
            own[*unit as usize].push(id as StatementId);
        }
    }
    own
}

impl UnitFlow {
    /// Position of a statement among the unit's own ones.
    pub fn position(&self, statement: StatementId) -> Option<u32> {
        self.statements.binary_search(&statement).ok().map(|position| position as u32)
    }

    /// The uses of the assignment at a position, as indices into [`Effects::uses`].
    pub fn uses_at(&self, position: u32) -> std::ops::Range<usize> {
        let uses = &self.effects.uses;
        uses.partition_point(|used| used.position < position)..uses.partition_point(|used| used.position <= position)
    }

    /// Positions of a loop: its header and body.
    pub fn positions_of(&self, id: LoopId) -> std::ops::RangeInclusive<u32> {
        let of = &self.loops.loops[id as usize];
        let at = |statement: StatementId| self.statements.partition_point(|&other| other < statement) as u32;
        at(of.header)..=(at(of.last + 1).saturating_sub(1))
    }

    /// One iteration of a loop: header and body, entered at the header, without the way back to it.
    fn iteration(&self, id: LoopId) -> Extent {
        let positions = self.positions_of(id);
        Extent { first: *positions.start(), last: *positions.end(), closed: Some(*positions.start()) }
    }

    /// Whether some value of a scalar may come into an iteration of this loop from an earlier one: a definition inside
    /// reaches a use inside, and not just further down in the same block.
    fn carries_values(&self, id: LoopId) -> bool {
        if !self.loops.loops[id as usize].sequential {
            return false;
        }
        let positions = self.positions_of(id);
        let uses = &self.effects.uses;
        let first = uses.partition_point(|used| used.position < *positions.start());
        let last = uses.partition_point(|used| used.position <= *positions.end());
        (first..last).any(|index| {
            self.reaching[index].iter().any(|&definition| {
                let position = self.effects.definitions[definition as usize].position;
                let used = uses[index].position;
                let block_of = |position: u32| self.control.block_of[position as usize];
                positions.contains(&position) && !(position < used && block_of(position) == block_of(used))
            })
        })
    }

    /// Whether a definition reaches a use within one iteration of a loop around both.
    pub fn reaches_within_iteration(&self, id: LoopId, index: usize, definition: DefinitionId) -> bool {
        match self.within_iteration.get(&id) {
            // Definitions are in order.
            Some(reaching) => reaching[index].binary_search(&definition).is_ok(),
            None => true,
        }
    }

    /// Whether a variable or array may change inside a loop (its header included), in whole or in part: by definition, or
    /// passed to a procedure.
    pub fn changes_in(&self, id: LoopId, symbol: SymbolId) -> bool {
        let positions = self.positions_of(id);
        let at = self.changes.partition_point(|&change| change < (symbol, *positions.start()));
        self.changes.get(at).is_some_and(|&(other, position)| other == symbol && positions.contains(&position))
    }

    /// The variables and arrays that may change inside a loop.
    pub fn changed_in(&self, id: LoopId) -> impl Iterator<Item = SymbolId> + '_ {
        let positions = self.positions_of(id);
        self.changes.iter().filter(move |(_, position)| positions.contains(position)).map(|&(symbol, _)| symbol)
    }

    /// Whether a procedure is called inside a loop that may change what is not local.
    pub fn calls_in(&self, id: LoopId) -> bool {
        let positions = self.positions_of(id);
        let called = self.effects.calls.partition_point(|position| position < positions.start());
        self.effects.calls.get(called).is_some_and(|position| positions.contains(position))
    }

    /// The induction variables of a loop and those around it, inner ones first.
    pub fn induction_variables(
        &self,
        innermost: Option<LoopId>,
    ) -> impl Iterator<Item = (LoopId, InductionVariable)> + '_ {
        self.loops
            .chain(innermost)
            .flat_map(|id| self.loops.loops[id as usize].variables.iter().map(move |&variable| (id, variable)))
    }
}
