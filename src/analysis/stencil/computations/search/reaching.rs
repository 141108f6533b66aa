//! What reaches one assignment.

use super::distances::{DistanceId, Distances};
use crate::analysis::stencil::computations::unit::UnitContext;
use crate::flow::{DefinitionKind, FlowPosition, LoopId, VariableId};

/// What reaches the right side of one assignment.
#[derive(Default)]
pub(super) struct Reaching {
    /// The assignments whose values reach it.
    pub(super) hops: Vec<Hop>,
    /// Positions of statements that were not understood and may be among them.
    pub(super) unparsed: Vec<FlowPosition>,
}

/// An assignment whose value reaches another one.
#[derive(Clone, Copy)]
pub(super) struct Hop {
    pub(super) position: FlowPosition,
    pub(super) variable: VariableId,
    /// How much earlier it is than the assignment that it reaches: nothing within one iteration.
    pub(super) distance: DistanceId,
    /// Whether the value is one of an earlier iteration, or from before the loop around the use.
    pub(super) is_earlier: bool,
}

/// What reaches the right side of the assignment at a position.
pub(super) fn reaching(unit: &UnitContext<'_>, position: FlowPosition, distances: &mut Distances) -> Reaching {
    let effects = &unit.values.flow.effects;
    let around = unit.values.flow.loops.innermost(position);
    let mut found = Reaching::default();
    for index in unit.values.flow.flowing_uses_at(position) {
        let variable = effects.uses[index].variable;
        let symbol = effects.variables.symbol(variable);
        // A loop's variable has its value from the loop, whatever a statement that was not understood may hold.
        if unit.values.flow.induction_variables(around).any(|(_, counted)| counted.symbol == symbol) {
            continue;
        }
        for reaching in unit.values.definitions_of(index) {
            let definition = effects.definitions[reaching.definition];
            if !may_belong(unit, around, definition.position) {
                continue;
            }
            match definition.kind {
                DefinitionKind::Assigned => {
                    let distance = distances.id(unit.values.distance(index, reaching));
                    let is_earlier = distance != 0 || !unit.values.summarises && reaching.scope != around;
                    found.hops.push(Hop { position: definition.position, variable, distance, is_earlier });
                }
                DefinitionKind::Unparsed => found.unparsed.push(definition.position),
                DefinitionKind::Other => {}
            }
        }
    }
    found
}

/// Whether what a statement defines may belong to a root in the loop around its use: it stands in this loop or one
/// around it, or there is none.
fn may_belong(unit: &UnitContext<'_>, used: Option<LoopId>, defined: FlowPosition) -> bool {
    let loops = &unit.values.flow.loops;
    let defined = loops.innermost(defined);
    unit.values.summarises || defined == used || defined.is_some_and(|id| loops.chain(used).any(|around| around == id))
}
