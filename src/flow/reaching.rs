//! Reaching definitions: which values of a scalar can arrive at which use, and around which loop they come.
//!
//! A definition reaches a use *within one iteration* of a loop around both if some way from one to the other stays in the loop and does
//! not pass its header. The innermost such loop says all: the same holds for every loop around it, and for none inside it. It is found
//! by going back from the use through the joins of the variable: the *scope* of a way is the innermost loop around everything on it
//! whose header it does not pass.

use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::UnitFlow;
use super::effects::DefinitionId;
use super::graph::BlockId;
use super::loops::LoopId;
use super::position::FlowPosition;
use super::values::{Value, ValueId};

/// A definition that reaches a use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reaching {
    /// The definition.
    pub definition: DefinitionId,
    /// The innermost loop around both such that the definition reaches the use within one iteration of it; `None` if there is no such
    /// loop.
    pub scope: Option<LoopId>,
}

impl UnitFlow {
    /// The definitions that reach a use (an index into [`super::Effects::uses`]), in order.
    pub fn reaching(&self, index: usize) -> Vec<Reaching> {
        let scope = self.loops.innermost(self.effects.uses[index].position);
        let mut found = Vec::new();
        match self.values.of_use[index] {
            None => {}
            Some(value) => match self.values.all[value] {
                Value::Defined(definition) => found.push(self.reached(definition, scope)),
                Value::Perhaps(..) | Value::Joined(..) => self.go_back(value, scope, &mut found),
            },
        }
        found.sort_unstable();
        found
    }

    /// Goes back from a value through all that it is made of, the innermost scopes first: so each value is met in its best scope first.
    fn go_back(&self, value: ValueId, scope: Option<LoopId>, found: &mut Vec<Reaching>) {
        let mut met: FxHashSet<ValueId> = FxHashSet::default();
        // By depth of the scope; the scopes of one depth are one loop, as all are around the use.
        let mut pending: BinaryHeap<(u32, ValueId, Option<LoopId>)> = BinaryHeap::new();
        pending.push((self.depth(scope), value, scope));
        while let Some((_, value, scope)) = pending.pop() {
            if !met.insert(value) {
                continue;
            }
            let mut push = |value: ValueId, scope: Option<LoopId>| {
                if !met.contains(&value) {
                    pending.push((self.depth(scope), value, scope));
                }
            };
            match self.values.all[value] {
                Value::Defined(definition) => found.push(self.reached(definition, scope)),
                Value::Perhaps(definition, before) => {
                    let reached = self.reached(definition, scope);
                    found.push(reached);
                    before.into_iter().for_each(|before| push(before, reached.scope));
                }
                Value::Joined(block, ways) => {
                    let scope = self.around_block(scope, block);
                    let outside = self.before_header(scope, block);
                    self.values
                        .ways(ways)
                        .iter()
                        .for_each(|&(from, value)| push(value, self.around_block(outside, from)));
                }
            }
        }
    }

    fn depth(&self, scope: Option<LoopId>) -> u32 {
        scope.map_or(0, |id| self.loops.loops[id].depth)
    }

    fn reached(&self, definition: DefinitionId, scope: Option<LoopId>) -> Reaching {
        let position = self.effects.definitions[definition].position;
        Reaching { definition, scope: self.around(scope, position) }
    }

    /// The innermost loop around a scope and a position. A loop's header belongs to it.
    fn around(&self, scope: Option<LoopId>, position: FlowPosition) -> Option<LoopId> {
        let mut at = scope;
        while let Some(id) = at.filter(|&id| !self.positions_of(id).contains(&position)) {
            at = self.loops.loops[id].parent;
        }
        at
    }

    fn around_block(&self, scope: Option<LoopId>, block: BlockId) -> Option<LoopId> {
        self.around(scope, self.control.blocks[block].first)
    }

    /// The scope of a way that comes into a block from before it: if the block is the header of the scope, the loop around that.
    fn before_header(&self, scope: Option<LoopId>, block: BlockId) -> Option<LoopId> {
        let first = self.control.blocks[block].first;
        match scope {
            Some(id) if *self.positions_of(id).start() == first => self.loops.loops[id].parent,
            _ => scope,
        }
    }
}
