//! Reaching definitions: which values of a scalar can arrive at which use.
//!
//! The classic forward may-analysis with one bit per definition, solved over basic blocks in reverse postorder. Variables are
//! taken in groups of some thousand definitions, so memory stays in proportion to the number of blocks. The same procedure
//! runs over a whole unit and, for the question whether a value comes from the same iteration, over the body of one loop
//! with its back edge taken away.

use fixedbitset::FixedBitSet;

use super::effects::{Effects, Use};
use super::graph::{BlockId, ControlFlow};

/// Index of a definition in [`Effects::definitions`].
pub type DefinitionId = u32;

/// Definitions per group.
const GROUP: usize = 4096;

/// A part of a graph: the whole, or a range of positions entered at its first one.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// First position.
    pub first: u32,
    /// Last position.
    pub last: u32,
    /// Ways to this position are not followed (the header of the loop whose back edge is taken away).
    pub closed: Option<u32>,
}

/// For each use (same order) the definitions that reach it.
pub type Reaching = Vec<Vec<DefinitionId>>;

/// Solves the analysis within an extent; uses and definitions outside have no part in it.
pub fn reaching_definitions(flow: &ControlFlow, effects: &Effects, extent: Extent) -> Reaching {
    let mut result: Reaching = vec![Vec::new(); effects.uses.len()];
    let uses = range_of(&effects.uses, extent, |used| used.position);
    if uses.is_empty() {
        return result;
    }
    let mut wanted = FixedBitSet::with_capacity(effects.variables.len());
    effects.uses[uses.clone()].iter().for_each(|used| wanted.insert(used.variable.0 as usize));
    let mut definitions: Vec<DefinitionId> = range_of(&effects.definitions, extent, |definition| definition.position)
        .filter(|&id| wanted.contains(effects.definitions[id].variable.0 as usize))
        .map(|id| id as DefinitionId)
        .collect();
    definitions.sort_by_key(|&id| (effects.definitions[id as usize].variable, id));
    let blocks: Vec<BlockId> = flow
        .order
        .iter()
        .copied()
        .filter(|&block| {
            let block = flow.blocks[block as usize];
            block.first >= extent.first && block.first <= extent.last
        })
        .collect();
    let mut from = 0;
    while from < definitions.len() {
        let mut to = (from + GROUP).min(definitions.len());
        let variable = |at: usize| effects.definitions[definitions[at] as usize].variable;
        while to < definitions.len() && variable(to) == variable(to - 1) {
            to += 1;
        }
        let group = Group::new(flow, effects, extent, &blocks, &definitions[from..to]);
        group.solve(&effects.uses[uses.clone()], &mut result[uses.clone()]);
        from = to;
    }
    result
}

/// The index range of the items whose position lies in the extent; items are in order of position.
fn range_of<T>(items: &[T], extent: Extent, position: impl Fn(&T) -> u32) -> std::ops::Range<usize> {
    let first = items.partition_point(|item| position(item) < extent.first);
    let last = items.partition_point(|item| position(item) <= extent.last);
    first..last.max(first)
}

/// The definitions of some variables, with their bits.
struct Group<'a> {
    flow: &'a ControlFlow,
    effects: &'a Effects,
    extent: Extent,
    blocks: &'a [BlockId],
    /// The group's definitions, grouped by variable: bit *n* is `definitions[n]`.
    definitions: &'a [DefinitionId],
    /// Bits in statement order.
    in_order: Vec<usize>,
}

impl<'a> Group<'a> {
    fn new(
        flow: &'a ControlFlow,
        effects: &'a Effects,
        extent: Extent,
        blocks: &'a [BlockId],
        definitions: &'a [DefinitionId],
    ) -> Self {
        let mut in_order: Vec<usize> = (0..definitions.len()).collect();
        in_order.sort_by_key(|&bit| definitions[bit]);
        Group { flow, effects, extent, blocks, definitions, in_order }
    }

    fn definition(&self, bit: usize) -> &super::effects::Definition {
        &self.effects.definitions[self.definitions[bit] as usize]
    }

    /// The bits of one variable's definitions.
    fn bits_of(&self, variable: super::effects::VariableId) -> std::ops::Range<usize> {
        let of = |bit: &DefinitionId| self.effects.definitions[*bit as usize].variable;
        self.definitions.partition_point(|bit| of(bit) < variable)
            ..self.definitions.partition_point(|bit| of(bit) <= variable)
    }

    /// The bits of the definitions at positions `first..=last`, in statement order.
    fn within(&self, first: u32, last: u32) -> &[usize] {
        let from = self.in_order.partition_point(|&bit| self.definition(bit).position < first);
        let to = self.in_order.partition_point(|&bit| self.definition(bit).position <= last);
        &self.in_order[from..to.max(from)]
    }

    /// What a definition does to the values that are there.
    fn apply(&self, bit: usize, values: &mut FixedBitSet) {
        if self.definition(bit).kills {
            values.set_range(self.bits_of(self.definition(bit).variable), false);
        }
        values.insert(bit);
    }

    fn solve(&self, uses: &[Use], result: &mut [Vec<DefinitionId>]) {
        let entering = self.fixed_point();
        let position_of_block = |block: BlockId| self.flow.blocks[block as usize];
        let mut index = 0;
        // Uses are in statement order, and so are the blocks by their first positions.
        while index < uses.len() {
            let block = self.flow.block_of[uses[index].position as usize];
            let range = position_of_block(block);
            let mut values = entering[block as usize].clone().unwrap_or_else(|| self.empty());
            let mut from = range.first.max(self.extent.first);
            while index < uses.len() && uses[index].position <= range.last {
                let used = uses[index];
                if used.position > from {
                    let before = self.within(from, used.position - 1);
                    before.iter().for_each(|&bit| self.apply(bit, &mut values));
                    from = used.position;
                }
                let reaching = self.bits_of(used.variable).filter(|&bit| values.contains(bit));
                result[index].extend(reaching.map(|bit| self.definitions[bit]));
                index += 1;
            }
        }
    }

    fn empty(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.definitions.len())
    }

    /// The values at the entry of each block of the extent.
    fn fixed_point(&self) -> Vec<Option<FixedBitSet>> {
        let mut entering: Vec<Option<FixedBitSet>> = vec![None; self.flow.blocks.len()];
        let mut leaving: Vec<Option<FixedBitSet>> = vec![None; self.flow.blocks.len()];
        self.blocks.iter().for_each(|&block| entering[block as usize] = Some(self.empty()));
        let mut pending = FixedBitSet::with_capacity(self.blocks.len());
        pending.insert_range(..);
        let mut rank = vec![usize::MAX; self.flow.blocks.len()];
        self.blocks.iter().enumerate().for_each(|(at, &block)| rank[block as usize] = at);
        while !pending.is_clear() {
            let round: Vec<usize> = pending.ones().collect();
            for at in round {
                if !pending.contains(at) {
                    continue;
                }
                pending.remove(at);
                let block = self.blocks[at];
                let values = self.merge(block, &leaving);
                let out = self.through(block, &values);
                entering[block as usize] = Some(values);
                if leaving[block as usize].as_ref() != Some(&out) {
                    leaving[block as usize] = Some(out);
                    for next in self.flow.graph.neighbors(petgraph::graph::NodeIndex::new(block as usize)) {
                        let closed = self
                            .extent
                            .closed
                            .is_some_and(|closed| self.flow.block_of[closed as usize] == next.index() as u32);
                        if rank[next.index()] != usize::MAX && !closed {
                            pending.insert(rank[next.index()]);
                        }
                    }
                }
            }
        }
        entering
    }

    fn merge(&self, block: BlockId, leaving: &[Option<FixedBitSet>]) -> FixedBitSet {
        let mut values = self.empty();
        let closed = self.extent.closed.is_some_and(|closed| self.flow.block_of[closed as usize] == block);
        if !closed {
            for before in self.flow.predecessors(block) {
                if let Some(out) = &leaving[before as usize] {
                    values.union_with(out);
                }
            }
        }
        values
    }

    fn through(&self, block: BlockId, values: &FixedBitSet) -> FixedBitSet {
        let block = self.flow.blocks[block as usize];
        let mut values = values.clone();
        for &bit in self.within(block.first.max(self.extent.first), block.last.min(self.extent.last)) {
            self.apply(bit, &mut values);
        }
        values
    }
}
