//! Computation roots and the reads that flow to them (docs/semantics.md, section 2).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::index::Place;
use super::reads::{ArrayReference, SubscriptKind};
use super::search::Search;
use crate::flow::{DefinitionKind, LoopId, UnitFlow, assignment_of, is_statement_function};
use crate::names::{Resolved, SymbolId};
use crate::syntax::{Expression, Reference, Tree};

/// How many iterations earlier a value was computed, per loop; `None`: in an iteration that has no fixed distance. Loops
/// that aren't listed: in the same iteration.
pub type Distance = Vec<(LoopId, Option<i64>)>;

/// A read that flows to a root.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// The read.
    pub read: Rc<ArrayReference>,
    /// Position of the statement it stands in.
    pub position: u32,
    /// How much earlier it happens than the root.
    pub distance: Distance,
}

/// A computation root with everything that flows to it.
#[derive(Clone, Debug)]
pub struct Root {
    /// Position of the assignment.
    pub position: u32,
    /// Whether it is a root; else it was asked for.
    pub is_root: bool,
    /// The reads in source order.
    pub contributions: Vec<Contribution>,
    /// Positions of statements that were not understood and may define a scalar on the way.
    pub unparsed: Vec<u32>,
    /// Whether some statement flows to it from more iterations than are told apart, so that reads are missing.
    pub is_incomplete: bool,
}

/// What the search for roots works on.
pub struct Analysis<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The unit's flow.
    pub flow: &'t UnitFlow,
    /// Whether to do as CamFort does.
    pub paper: bool,
    /// Variables of this unit or its hosts that an internal procedure may change.
    pub changed_by_internal: &'t BTreeSet<SymbolId>,
}

impl<'t> Analysis<'t> {
    /// Where the expressions of the statement at a position stand.
    pub fn place(&self, position: u32) -> Place<'t> {
        let statement = self.flow.statements[position as usize];
        Place { tree: self.tree, resolved: self.resolved, statement, paper: self.paper }
    }

    /// The assignment at a position, statement functions left out.
    pub fn assignment(&self, position: u32) -> Option<(&'t Reference, &'t Expression)> {
        let id = *self.flow.statements.get(position as usize)?;
        let (target, value, _) = assignment_of(&self.tree.statements[id as usize].kind)?;
        (!is_statement_function(self.tree, self.resolved, id, target)).then_some((target, value))
    }

    /// The definitions behind a use: as (definition, its position, its kind).
    pub fn definitions_of(&self, index: usize) -> Vec<(u32, u32, DefinitionKind)> {
        let effects = &self.flow.effects;
        if self.paper {
            let variable = effects.uses[index].variable;
            let all = effects.definitions.iter().enumerate().filter(|(_, definition)| definition.variable == variable);
            return all.map(|(id, definition)| (id as u32, definition.position, definition.kind)).collect();
        }
        let of = |&id: &u32| {
            let definition = &effects.definitions[id as usize];
            (id, definition.position, definition.kind)
        };
        self.flow.reaching[index].iter().map(of).collect()
    }

    /// All roots of the unit in source order, and the assignments at the positions that are `wanted` whether roots or not.
    pub fn roots(&self, wanted: &BTreeSet<u32>) -> Vec<Root> {
        let assignments: Vec<u32> =
            (0..self.flow.statements.len() as u32).filter(|&position| self.assignment(position).is_some()).collect();
        let mut search = Search::new(self);
        let mut part_of_a_root: HashSet<u32> = HashSet::new();
        let mut found = Vec::new();
        for mut component in self.consumers_first(&assignments) {
            component.sort_unstable_by(|left, right| right.cmp(left));
            for position in component {
                if self.flow.loops.innermost(position).is_none() || part_of_a_root.contains(&position) {
                    continue;
                }
                let (root, through) = search.contributions(position);
                if root.contributions.iter().any(|contribution| self.is_relative(position, contribution)) {
                    part_of_a_root.extend(through);
                    found.push(root);
                }
            }
        }
        let roots: BTreeSet<u32> = found.iter().map(|root| root.position).collect();
        for &position in wanted.difference(&roots).filter(|&&position| self.assignment(position).is_some()) {
            let (other, _) = search.contributions(position);
            found.push(Root { is_root: false, ..other });
        }
        found.sort_by_key(|root| root.position);
        found
    }

    /// The assignments, grouped by cycles of flow, each group before those that flow to it. An assignment to an array element
    /// flows to nothing, so these come first, each alone.
    fn consumers_first(&self, assignments: &[u32]) -> Vec<Vec<u32>> {
        let effects = &self.flow.effects;
        let defines_scalar = |position: &u32| {
            effects.definitions.binary_search_by_key(position, |definition| definition.position).is_ok()
        };
        let (scalars, others): (Vec<u32>, Vec<u32>) = assignments.iter().copied().partition(defines_scalar);
        let mut graph: DiGraph<u32, ()> = DiGraph::new();
        let node: HashMap<u32, NodeIndex> =
            scalars.iter().map(|&position| (position, graph.add_node(position))).collect();
        for &position in &scalars {
            let definitions = self.flow.uses_at(position).flat_map(|index| self.definitions_of(index));
            let producers: BTreeSet<u32> = definitions.map(|(_, defined, _)| defined).collect();
            for producer in producers.iter().filter_map(|producer| node.get(producer)) {
                graph.add_edge(*producer, node[&position], ());
            }
        }
        let groups = kosaraju_scc(&graph);
        let groups = groups.into_iter().map(|group| group.into_iter().map(|node| graph[node]).collect());
        others.into_iter().map(|position| vec![position]).chain(groups).collect()
    }

    /// Whether an induction variable of a loop around both the read and the root occurs in an index of the read.
    fn is_relative(&self, root: u32, contribution: &Contribution) -> bool {
        let common = self.common_loop(root, contribution.position);
        let variables: BTreeSet<_> =
            self.flow.induction_variables(common).map(|(_, variable)| variable.symbol).collect();
        contribution.read.subscripts.iter().any(|subscript| match &subscript.kind {
            SubscriptKind::Index(index) => !index.variables.is_disjoint(&variables),
            SubscriptKind::Section { .. } => false,
        })
    }

    /// The innermost loop around both positions.
    pub fn common_loop(&self, left: u32, right: u32) -> Option<LoopId> {
        self.flow.loops.common(self.flow.loops.innermost(left), self.flow.loops.innermost(right))
    }

    /// How much earlier the value of a definition was computed than it is used, loop by loop.
    pub fn distance(&self, index: usize, definition: u32) -> Distance {
        if self.paper {
            return Vec::new();
        }
        let used = self.flow.effects.uses[index].position;
        let defined = self.flow.effects.definitions[definition as usize].position;
        let mut around: Vec<LoopId> = self.flow.loops.chain(self.common_loop(used, defined)).collect();
        around.reverse();
        let carried = around.iter().position(|&id| {
            self.flow.loops.loops[id as usize].sequential && !self.flow.reaches_within_iteration(id, index, definition)
        });
        // Around the back edge of one loop; the loops inside it are left and entered anew on the way.
        match carried {
            Some(at) => around[at..]
                .iter()
                .enumerate()
                .map(|(inner, &id)| (id, if inner == 0 { Some(1) } else { None }))
                .collect(),
            None => Vec::new(),
        }
    }
}
