//! How much earlier the value of a scalar was computed than it is used.

use super::context::ValueContext;
use crate::flow::{FlowPosition, LoopId, Reaching, Value};

/// How many iterations earlier a value was computed, per loop; `None`: in an iteration that has no fixed distance.
/// Loops that aren't listed: in the same iteration.
pub type Distance = Vec<(LoopId, Option<i64>)>;

impl<'t> ValueContext<'t> {
    /// The innermost loop around both positions.
    pub fn common_loop(&self, left: FlowPosition, right: FlowPosition) -> Option<LoopId> {
        self.flow.loops.common(self.flow.loops.innermost(left), self.flow.loops.innermost(right))
    }

    /// How much earlier the value of a definition was computed than it is used, loop by loop.
    pub fn distance(&self, index: usize, reaching: Reaching) -> Distance {
        if self.paper {
            return Vec::new();
        }
        let loops = &self.flow.loops;
        let used = self.flow.effects.uses[index].position;
        let defined = self.flow.effects.definitions[reaching.definition].position;
        // Those around both that it comes around, inner ones first.
        let carrying = |&id: &LoopId| Some(id) != reaching.scope;
        let mut carried: Vec<LoopId> = loops.chain(self.common_loop(used, defined)).take_while(carrying).collect();
        while carried.last().is_some_and(|&id| !loops.loops[id].sequential) {
            carried.pop();
        }
        // Around the back edge of the outermost; the loops inside it are left and entered anew on the way.
        let outermost = carried.len().wrapping_sub(1);
        let mut distance: Distance =
            carried.iter().enumerate().map(|(at, &id)| (id, (at == outermost).then_some(1))).collect();
        distance.reverse();
        distance
    }

    /// The same, where a value that may be older than it seems has no fixed distance: a variable that is not defined
    /// anew in each iteration may have kept it through several.
    pub fn surest_distance(&self, index: usize, reaching: Reaching) -> Distance {
        let variable = self.flow.effects.uses[index].variable;
        let mut distance = self.distance(index, reaching);
        for (id, iterations) in &mut distance {
            *iterations = iterations.filter(|_| !self.may_keep(*id, variable));
        }
        distance.extend(self.kept_in(index, reaching).map(|id| (id, None)));
        distance
    }

    /// The loops in which a definition reaches a use within an iteration, and from earlier ones as well: how old the
    /// value is, is not known.
    fn kept_in(&self, index: usize, reaching: Reaching) -> impl Iterator<Item = LoopId> + use<'_, 't> {
        let flow = self.flow;
        let used = flow.effects.uses[index];
        let defined = flow.effects.definitions[reaching.definition].position;
        let is_direct =
            flow.values.of_use[index].is_none_or(|value| matches!(flow.values.all[value], Value::Defined(_)));
        let within = reaching.scope.filter(|_| !is_direct);
        flow.loops.chain(within).filter(move |&id| {
            let header = *flow.positions_of(id).start();
            flow.loops.loops[id].sequential
                && self.is_way_without(id, used.variable, header, used.position)
                && self.is_way_without(id, used.variable, defined, header)
        })
    }
}
