//! Dominators of the blocks of a unit, and their dominance frontiers.
//!
//! - block *a dominates* block *b*: every way from the entry to *b* leads through *a*;
//! - *dominance frontier* of *a*: the blocks at which what *a* dominates ends: they have a predecessor that *a*
//!   dominates and are not dominated by *a* themselves (or are *a*).
//!
//! Every block has an entry that leads to it: to what can't be reached from the unit's first block, a virtual entry
//! leads directly. The algorithm is the one by semidominators (Lengauer and Tarjan 1979, in the form "Semi-NCA" of
//! Georgiadis 2005), which takes no more than n log n steps on graphs of any shape but very odd ones; frontiers are
//! those of Cytron and others (1991).

use oxc_index::{IndexSlice, IndexVec, index_vec};

use super::graph::{BlockId, ControlFlow};
use super::grouped::Grouped;

/// The dominator tree of a unit's blocks.
#[derive(Clone, Debug, Default)]
pub struct Dominators {
    /// For each block its number in preorder of the tree, and the last number of those below it.
    interval: IndexVec<BlockId, (u32, u32)>,
    /// For each block its dominance frontier.
    frontier: Grouped<BlockId, BlockId>,
}

impl Dominators {
    /// The dominators in a graph whose blocks are in depth-first order `preorder`, each with the one it was reached
    /// from.
    pub fn new(flow: &ControlFlow, preorder: &[(BlockId, Option<BlockId>)]) -> Self {
        let immediate = SemiNca::new(flow, preorder).immediate_dominators();
        let interval = intervals(&immediate, preorder);
        let frontier = frontiers(flow, &immediate);
        Dominators { interval, frontier }
    }

    /// Where a block stands in the preorder of the tree, and the last place of those that it dominates.
    pub fn interval(&self, block: BlockId) -> (u32, u32) {
        self.interval[block]
    }

    /// Where a block stands in the preorder of the tree.
    pub fn preorder(&self, block: BlockId) -> u32 {
        self.interval[block].0
    }

    /// Whether a block dominates another one, or is it.
    pub fn dominates(&self, block: BlockId, other: BlockId) -> bool {
        let (first, last) = self.interval[block];
        (first..=last).contains(&self.preorder(other))
    }

    /// The dominance frontier of a block.
    pub fn frontier(&self, block: BlockId) -> &[BlockId] {
        self.frontier.of(block)
    }
}

/// The computation of immediate dominators. Blocks go by their numbers in depth-first order, from 1; number 0 is the
/// virtual entry.
struct SemiNca<'a> {
    flow: &'a ControlFlow,
    preorder: &'a [(BlockId, Option<BlockId>)],
    /// For each block its number.
    number: IndexVec<BlockId, u32>,
    /// For each number the one it was reached from.
    parent: Vec<u32>,
    /// An ancestor in the depth-first tree: the parent, until paths are compressed.
    ancestor: Vec<u32>,
    /// The number with the least semidominator on the compressed path.
    label: Vec<u32>,
    semidominator: Vec<u32>,
    /// The way up that is being compressed.
    path: Vec<u32>,
}

impl<'a> SemiNca<'a> {
    fn new(flow: &'a ControlFlow, preorder: &'a [(BlockId, Option<BlockId>)]) -> Self {
        let mut number = index_vec![0; preorder.len()];
        for (at, &(block, _)) in preorder.iter().enumerate() {
            number[block] = at as u32 + 1;
        }
        let of_parent = |&(_, from): &(BlockId, Option<BlockId>)| from.map_or(0, |from| number[from]);
        let parent: Vec<u32> = std::iter::once(0).chain(preorder.iter().map(of_parent)).collect();
        let own: Vec<u32> = (0..=preorder.len() as u32).collect();
        SemiNca {
            flow,
            preorder,
            number,
            ancestor: parent.clone(),
            parent,
            label: own.clone(),
            semidominator: own,
            path: Vec::new(),
        }
    }

    fn immediate_dominators(mut self) -> IndexVec<BlockId, Option<BlockId>> {
        for number in (1..self.parent.len() as u32).rev() {
            let (block, from) = self.preorder[number as usize - 1];
            let mut least = self.parent[number as usize];
            if from.is_some() {
                let flow = self.flow;
                for before in flow.predecessors(block) {
                    let label = self.least_on_path(self.number[before], number + 1);
                    least = least.min(self.semidominator[label as usize]);
                }
            }
            self.semidominator[number as usize] = least;
        }
        let mut immediate = self.parent;
        for number in 1..immediate.len() {
            let mut candidate = immediate[number];
            while candidate > self.semidominator[number] {
                candidate = immediate[candidate as usize];
            }
            immediate[number] = candidate;
        }
        let mut by_block = index_vec![None; self.preorder.len()];
        for (&(block, _), &dominator) in self.preorder.iter().zip(&immediate[1..]) {
            by_block[block] = dominator.checked_sub(1).map(|at| self.preorder[at as usize].0);
        }
        by_block
    }

    /// The number with the least semidominator on the way up from a number to those below `linked`, which are not done
    /// yet.
    fn least_on_path(&mut self, from: u32, linked: u32) -> u32 {
        let mut at = from;
        while self.ancestor[at as usize] >= linked {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        let mut above = at;
        while let Some(number) = self.path.pop() {
            self.ancestor[number as usize] = self.ancestor[above as usize];
            let least = |label: u32| self.semidominator[label as usize];
            if least(self.label[above as usize]) < least(self.label[number as usize]) {
                self.label[number as usize] = self.label[above as usize];
            }
            above = number;
        }
        self.label[from as usize]
    }
}

/// Numbers the dominator tree in preorder.
fn intervals(
    immediate: &IndexSlice<BlockId, [Option<BlockId>]>,
    preorder: &[(BlockId, Option<BlockId>)],
) -> IndexVec<BlockId, (u32, u32)> {
    // A dominator comes before what it dominates in depth-first order, so sizes can be summed up from the back.
    let mut size: IndexVec<BlockId, u32> = index_vec![1; immediate.len()];
    for &(block, _) in preorder.iter().rev() {
        if let Some(dominator) = immediate[block] {
            size[dominator] += size[block];
        }
    }
    let mut interval = index_vec![(0, 0); immediate.len()];
    // The next free number below each block, and below the virtual entry.
    let mut next_below: IndexVec<BlockId, u32> = index_vec![0; immediate.len()];
    let mut next_top = 0;
    for &(block, _) in preorder {
        let next = match immediate[block] {
            Some(dominator) => &mut next_below[dominator],
            None => &mut next_top,
        };
        let first = *next;
        *next += size[block];
        interval[block] = (first, first + size[block] - 1);
        next_below[block] = first + 1;
    }
    interval
}

fn frontiers(flow: &ControlFlow, immediate: &IndexSlice<BlockId, [Option<BlockId>]>) -> Grouped<BlockId, BlockId> {
    let mut pairs: Vec<(BlockId, BlockId)> = Vec::new();
    // For each block the last one that was put into its frontier.
    let mut last: IndexVec<BlockId, Option<BlockId>> = index_vec![None; immediate.len()];
    for block in immediate.indices() {
        for before in flow.predecessors(block) {
            let mut at = Some(before);
            while let Some(runner) = at.filter(|_| at != immediate[block]) {
                if last[runner].replace(block) == Some(block) {
                    // The way further up was gone for another predecessor.
                    break;
                }
                pairs.push((runner, block));
                at = immediate[runner];
            }
        }
    }
    Grouped::new(immediate.len(), pairs.iter().copied())
}

#[cfg(test)]
mod tests {
    use petgraph::graph::{DiGraph, NodeIndex};
    use proptest::prelude::*;

    use super::*;
    use crate::flow::{Block, FlowPosition};

    /// A graph of blocks of one statement each.
    fn control(count: usize, edges: &[(usize, usize)]) -> ControlFlow {
        let positions = || (0..count).map(FlowPosition::new);
        let mut graph = DiGraph::new();
        for _ in 0..count {
            graph.add_node(());
        }
        for &(from, to) in edges {
            graph.update_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
        ControlFlow {
            blocks: positions().map(|position| Block { first: position, last: position }).collect(),
            block_of: (0..count).map(BlockId::new).collect(),
            graph,
        }
    }

    /// The blocks that can be reached from the virtual entry without passing a block.
    fn reached_without(flow: &ControlFlow, starts: &[BlockId], avoided: BlockId) -> IndexVec<BlockId, bool> {
        let mut reached: IndexVec<BlockId, bool> = index_vec![false; flow.blocks.len()];
        let mut pending: Vec<BlockId> = starts.to_vec();
        while let Some(block) = pending.pop() {
            if block != avoided && !std::mem::replace(&mut reached[block], true) {
                pending.extend(flow.successors(block));
            }
        }
        reached
    }

    /// Compares with the definitions of dominance and of the dominance frontier.
    fn check(count: usize, edges: &[(usize, usize)]) -> Result<(), TestCaseError> {
        let flow = control(count, edges);
        let preorder = flow.preorder();
        let starts: Vec<BlockId> =
            preorder.iter().filter(|(_, from)| from.is_none()).map(|&(block, _)| block).collect();
        let dominators = Dominators::new(&flow, &preorder);
        let mut dominates: IndexVec<BlockId, IndexVec<BlockId, bool>> = IndexVec::new();
        for block in flow.blocks.indices() {
            let reached = reached_without(&flow, &starts, block);
            dominates.push(reached.iter().map(|reached| !reached).collect());
            for other in flow.blocks.indices() {
                prop_assert_eq!(dominators.dominates(block, other), dominates[block][other], "{:?} {:?}", block, other);
            }
        }
        for block in flow.blocks.indices() {
            let is_frontier = |other: &BlockId| {
                flow.predecessors(*other).any(|before| dominates[block][before])
                    && (*other == block || !dominates[block][*other])
            };
            let expected: Vec<BlockId> = flow.blocks.indices().filter(is_frontier).collect();
            let mut found = dominators.frontier(block).to_vec();
            found.sort_unstable();
            prop_assert_eq!(found, expected, "frontier of {:?}", block);
        }
        Ok(())
    }

    #[test]
    fn the_ways_of_an_if_meet_behind_it() {
        let flow = control(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        let dominators = Dominators::new(&flow, &flow.preorder());
        let [first, left, right, behind] = [0, 1, 2, 3].map(BlockId::new);
        assert!([left, right, behind].iter().all(|&block| dominators.dominates(first, block)));
        assert!(!dominators.dominates(left, behind) && !dominators.dominates(right, behind));
        assert_eq!((dominators.frontier(left), dominators.frontier(right)), (&[behind][..], &[behind][..]));
        assert!(dominators.frontier(first).is_empty());
    }

    proptest! {
        #[test]
        fn dominance_is_what_all_ways_have_in_common(
            (count, edges) in (1..10usize).prop_flat_map(|count| {
                (Just(count), prop::collection::vec((0..count, 0..count), 0..20))
            })
        ) {
            check(count, &edges)?;
        }
    }
}
