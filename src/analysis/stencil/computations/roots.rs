//! Computation roots and the reads that flow to them (docs/semantics.md, section 2).

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::contribution::Root;
use super::reads::is_array_valued;
use super::search::Search;
use super::subscript::{ArrayReference, SubscriptKind};
use super::unit::UnitContext;
use crate::flow::{DefinitionId, DefinitionKind, FlowPosition, Value, ValueId};
use crate::values::Index;

/// Which assignments are described with the roots.
#[derive(Clone, Copy, Debug)]
pub enum Further<'a> {
    /// Those at these positions, whether arrays flow to them or not.
    Wanted(&'a BTreeSet<FlowPosition>),
    /// Those to which array reads flow without an induction variable in their indices (paper, section 2.1).
    FixedReads,
}

impl UnitContext<'_> {
    /// What is made of all roots of the unit and of the further assignments, in source order. A root with all that
    /// flows to it can be large, so none is kept.
    pub fn roots<T>(&self, further: Further<'_>, mut describe: impl FnMut(&Root) -> T) -> Vec<T> {
        let assignments: Vec<FlowPosition> = self
            .values
            .flow
            .statements
            .indices()
            .filter(|&position| self.values.assignment(position).is_some())
            .collect();
        let mut search = Search::new(self);
        let mut part_of_a_root = FixedBitSet::with_capacity(self.values.flow.statements.len());
        let mut part_of_another = part_of_a_root.clone();
        let mut found: BTreeMap<FlowPosition, T> = BTreeMap::new();
        let mut others: BTreeMap<FlowPosition, T> = BTreeMap::new();
        for position in self.consumers_first(&assignments) {
            let may_be_root = self.values.flow.loops.innermost(position).is_some() || self.is_array_valued(position);
            if !may_be_root || part_of_a_root.contains(position.index()) {
                continue;
            }
            let (root, through) = search.contributions(position);
            let through = through.into_iter().map(FlowPosition::index);
            if root.contributions.iter().any(|one| self.is_relative(position, one.position, &one.read)) {
                part_of_a_root.extend(through);
                found.insert(position, describe(&root));
            } else if matches!(further, Further::FixedReads)
                && !root.contributions.is_empty()
                && !part_of_another.contains(position.index())
            {
                part_of_another.extend(through);
                others.insert(position, describe(&Root { is_root: false, ..root }));
            }
        }
        // In a ring of flow a statement may come before the root that it is part of.
        others.retain(|&position, _| !part_of_a_root.contains(position.index()));
        if let Further::Wanted(wanted) = further {
            let wanted = wanted.iter().filter(|position| !found.contains_key(position));
            for &position in wanted.filter(|&&position| self.values.assignment(position).is_some()) {
                let (other, _) = search.contributions(position);
                others.insert(position, describe(&Root { is_root: false, ..other }));
            }
        }
        found.append(&mut others);
        found.into_values().collect()
    }

    /// Whether the assignment at a position gives values to a whole array or a section of it.
    fn is_array_valued(&self, position: FlowPosition) -> bool {
        !self.values.paper
            && self
                .values
                .assignment(position)
                .is_some_and(|(target, _)| is_array_valued(self.values.expression_context(position), target))
    }

    /// The assignments, each before those that flow to it; of those that flow to each other, the last one first. An
    /// assignment to an array element flows to nothing, so these come first.
    fn consumers_first(&self, assignments: &[FlowPosition]) -> Vec<FlowPosition> {
        let effects = &self.values.flow.effects;
        let defines_scalar = |position: &FlowPosition| {
            effects.definitions.binary_search_by_key(position, |definition| definition.position).is_ok()
        };
        let (scalars, mut others): (Vec<FlowPosition>, Vec<FlowPosition>) =
            assignments.iter().copied().partition(defines_scalar);
        // What defines scalars: these assignments, and calls.
        let called = effects.definitions.iter().filter(|definition| definition.kind == DefinitionKind::Called);
        let mut producers: Vec<FlowPosition> = called.map(|definition| definition.position).collect();
        producers.extend(&scalars);
        producers.sort_unstable();
        producers.dedup();
        // Definitions flow to uses through the values of variables. The nodes are the values first, then the producers.
        let values = &self.values.flow.values;
        let links = values.all.len() as u32;
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(links as usize + producers.len(), producers.len());
        for _ in 0..links as usize + producers.len() {
            graph.add_node(());
        }
        let mut flow = |from: u32, to: u32| {
            graph.add_edge(from.into(), to.into(), ());
        };
        let producer = |definition: DefinitionId| {
            let position = effects.definitions[definition].position;
            producers.binary_search(&position).ok().map(|at| links + at as u32)
        };
        for (value, link) in values.all.iter().zip(0..) {
            match *value {
                Value::Defined(definition) => producer(definition).into_iter().for_each(|from| flow(from, link)),
                Value::Perhaps(definition, before) => {
                    let from = producer(definition).into_iter().chain(before.map(ValueId::raw));
                    from.for_each(|from| flow(from, link));
                }
                Value::Joined(_, ways) => values.ways(ways).iter().for_each(|&(_, from)| flow(from.raw(), link)),
            }
        }
        for (&position, at) in producers.iter().zip(links..) {
            let uses = self.values.flow.flowing_uses_at(position);
            uses.filter_map(|index| values.of_use[index]).for_each(|from| flow(from.raw(), at));
        }
        for group in kosaraju_scc(&graph) {
            let first = others.len();
            let positions =
                group.iter().filter_map(|node| node.index().checked_sub(links as usize)).map(|at| producers[at]);
            others.extend(positions.filter(|position| scalars.binary_search(position).is_ok()));
            others[first..].sort_unstable_by(|left, right| right.cmp(left));
        }
        others
    }

    /// Whether an induction variable of a loop around both the read and the root occurs in an index of the read, or a
    /// section of it is aligned with one on the left.
    pub fn is_relative(&self, root: FlowPosition, position: FlowPosition, read: &ArrayReference) -> bool {
        let common = self.values.common_loop(root, position);
        let is_counted =
            |symbol| self.values.flow.induction_variables(common).any(|(_, variable)| variable.symbol == symbol);
        read.subscripts.iter().any(|subscript| match &subscript.kind {
            SubscriptKind::Index(values) | SubscriptKind::Window(values) => {
                values.iter().flat_map(Index::variables).any(is_counted)
            }
            SubscriptKind::Aligned { .. } => !self.values.paper,
            SubscriptKind::Unaligned(_) => true,
            SubscriptKind::Other(_) => false,
        })
    }
}
