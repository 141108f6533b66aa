//! What reaches one node.

use std::collections::BTreeSet;

use super::distances::{DistanceId, Distances};
use super::node::{Node, NodeId, Nodes};
use crate::analysis::stencil::computations::unit::UnitContext;
use crate::flow::{DefinitionKind, FlowPosition, LoopId, VariableId};

/// What reaches one node: the right side of an assignment, or what a call takes.
#[derive(Default)]
pub(super) struct Reaching {
    /// The nodes whose values reach it.
    pub(super) hops: Vec<Hop>,
    /// Positions of statements that were not understood and may be among them.
    pub(super) unparsed: Vec<FlowPosition>,
    /// Where a procedure is summarised: the variables with which it is entered that may reach it.
    pub(super) entered: Vec<VariableId>,
}

/// A node whose value reaches another one.
#[derive(Clone, Copy)]
pub(super) struct Hop {
    pub(super) node: NodeId,
    pub(super) variable: VariableId,
    /// How much earlier it is than the node that it reaches: nothing within one iteration.
    pub(super) distance: DistanceId,
    /// Whether the value is one of an earlier iteration, or from before the loop around the use.
    pub(super) is_earlier: bool,
}

/// What reaches a node, of a call that takes only `taken` if that is known.
pub(super) fn reaching(
    unit: &UnitContext<'_>,
    nodes: &Nodes,
    node: Node,
    taken: Option<&BTreeSet<VariableId>>,
    distances: &mut Distances,
) -> Reaching {
    let effects = &unit.values.flow.effects;
    let position = node.position();
    let around = unit.values.flow.loops.innermost(position);
    let is_wanted = |variable: VariableId| match node {
        Node::Statement(_) => true,
        Node::Called(..) => taken.is_none_or(|taken| taken.contains(&variable)),
        Node::Returned(_, returned) => variable == returned,
    };
    let mut found = Reaching::default();
    for index in unit.values.flow.flowing_uses_at(position) {
        let variable = effects.uses[index].variable;
        let symbol = effects.variables.symbol(variable);
        // A loop's variable has its value from the loop, whatever a statement that was not understood may hold.
        let is_counted = unit.values.flow.induction_variables(around).any(|(_, counted)| counted.symbol == symbol);
        if is_counted || !is_wanted(variable) {
            continue;
        }
        if unit.values.summarises && unit.values.flow.may_be_entered_with(index) {
            found.entered.push(variable);
        }
        for reaching in unit.values.definitions_of(index) {
            let definition = effects.definitions[reaching.definition];
            if !may_belong(unit, around, definition.position) {
                continue;
            }
            let node = match definition.kind {
                DefinitionKind::Assigned => Some(nodes.statement(definition.position)),
                DefinitionKind::Called if !unit.values.paper => nodes.called(definition),
                DefinitionKind::Unparsed => {
                    found.unparsed.push(definition.position);
                    None
                }
                DefinitionKind::Called | DefinitionKind::Other => None,
            };
            if let Some(node) = node {
                let distance = distances.id(unit.values.distance(index, reaching));
                let is_earlier = distance != 0 || !unit.values.summarises && reaching.scope != around;
                found.hops.push(Hop { node, variable, distance, is_earlier });
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
