//! Computation roots and the reads that flow to them (docs/semantics.md, section 2).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::bounds::LowerBounds;
use super::function::Functions;
use super::held::HeldValues;
use super::index::Index;
use super::reads::{ArrayReference, SubscriptKind, is_array_valued};
use super::search::Search;
use super::value::Place;
use crate::flow::{
    DefinitionId, FlowPosition, LoopId, Reaching, UnitFlow, Value, ValueId, VariableId, assignment_of,
    is_statement_function,
};
use crate::names::{Resolved, SymbolId};
use crate::syntax::{Expression, Reference, Tree};

/// How many iterations earlier a value was computed, per loop; `None`: in an iteration that has no fixed distance. Loops
/// that aren't listed: in the same iteration.
pub type Distance = Vec<(LoopId, Option<i64>)>;

/// A distance that is shared by what lies at it.
pub type SharedDistance = Rc<[(LoopId, Option<i64>)]>;

/// A read that flows to a root.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// The read.
    pub read: Rc<ArrayReference>,
    /// Position of the statement it stands in.
    pub position: FlowPosition,
    /// How much earlier it happens than the root.
    pub distance: SharedDistance,
}

/// A computation root with everything that flows to it.
#[derive(Clone, Debug)]
pub struct Root {
    /// Position of the assignment.
    pub position: FlowPosition,
    /// Whether it is a root; else it was asked for.
    pub is_root: bool,
    /// The reads in source order.
    pub contributions: Vec<Contribution>,
    /// Positions of statements that were not understood and may define a scalar on the way.
    pub unparsed: Vec<FlowPosition>,
    /// Whether some statement flows to it from more iterations than are told apart, so that reads are missing.
    pub is_incomplete: bool,
    /// Number of assignments that flow to it.
    pub flowing: usize,
}

/// Which assignments are sought besides the roots.
#[derive(Clone, Copy, Debug)]
pub enum Besides<'a> {
    /// Those at these positions, whether arrays flow to them or not.
    Wanted(&'a BTreeSet<FlowPosition>),
    /// Those to which array reads flow without an induction variable in their indices (paper, section 2.1).
    FixedReads,
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
    /// For each statement that was not understood, by its position, the symbols of the names in its text.
    pub names_in_unparsed: &'t BTreeMap<FlowPosition, Vec<SymbolId>>,
    /// The lower bounds of arrays that no constant gives.
    pub bounds: &'t LowerBounds<'t>,
    /// The functions that can be referenced.
    pub functions: &'t Functions<'t>,
    /// Whether the unit is a function whose reads are to be told relative to its dummy arguments.
    pub summarises: bool,
    /// What its scalars hold, as far as it was asked for.
    pub held: HeldValues,
}

impl<'t> Analysis<'t> {
    /// Where the expressions of the statement at a position stand.
    pub fn place(&self, position: FlowPosition) -> Place<'t> {
        let statement = self.flow.statements[position];
        Place { tree: self.tree, resolved: self.resolved, statement, paper: self.paper }
    }

    /// The assignment at a position, statement functions left out.
    pub fn assignment(&self, position: FlowPosition) -> Option<(&'t Reference, &'t Expression)> {
        let id = *self.flow.statements.get(position)?;
        let (target, value, _) = assignment_of(&self.tree.statements[id].kind)?;
        (!is_statement_function(self.resolved, id, target)).then_some((target, value))
    }

    /// The definitions behind a use.
    pub fn definitions_of(&self, index: usize) -> Vec<Reaching> {
        if !self.paper {
            return self.flow.reaching(index);
        }
        // By name alone, wherever they stand.
        let of_variable = self.flow.values.definitions.of(self.flow.effects.uses[index].variable);
        of_variable.iter().map(|&definition| Reaching { definition, scope: None }).collect()
    }

    /// What is made of all roots of the unit and of the assignments that are sought besides, in source order. A root with all that flows
    /// to it can be large, so none is kept.
    pub fn roots<T>(&self, besides: Besides<'_>, mut describe: impl FnMut(&Root) -> T) -> Vec<T> {
        let assignments: Vec<FlowPosition> =
            self.flow.statements.indices().filter(|&position| self.assignment(position).is_some()).collect();
        let mut search = Search::new(self);
        let mut part_of_a_root = FixedBitSet::with_capacity(self.flow.statements.len());
        let mut part_of_another = part_of_a_root.clone();
        let mut found: BTreeMap<FlowPosition, T> = BTreeMap::new();
        let mut others: BTreeMap<FlowPosition, T> = BTreeMap::new();
        for position in self.consumers_first(&assignments) {
            let may_be_root = self.flow.loops.innermost(position).is_some() || self.is_array_valued(position);
            if !may_be_root || part_of_a_root.contains(position.index()) {
                continue;
            }
            let (root, through) = search.contributions(position);
            let through = through.into_iter().map(FlowPosition::index);
            if root.contributions.iter().any(|contribution| self.is_relative(position, contribution)) {
                part_of_a_root.extend(through);
                found.insert(position, describe(&root));
            } else if matches!(besides, Besides::FixedReads)
                && !root.contributions.is_empty()
                && !part_of_another.contains(position.index())
            {
                part_of_another.extend(through);
                others.insert(position, describe(&Root { is_root: false, ..root }));
            }
        }
        // In a ring of flow a statement may come before the root that it is part of.
        others.retain(|&position, _| !part_of_a_root.contains(position.index()));
        if let Besides::Wanted(wanted) = besides {
            let wanted = wanted.iter().filter(|position| !found.contains_key(position));
            for &position in wanted.filter(|&&position| self.assignment(position).is_some()) {
                let (other, _) = search.contributions(position);
                others.insert(position, describe(&Root { is_root: false, ..other }));
            }
        }
        found.append(&mut others);
        found.into_values().collect()
    }

    /// Whether the assignment at a position gives values to a whole array or a section of it.
    fn is_array_valued(&self, position: FlowPosition) -> bool {
        !self.paper
            && self.assignment(position).is_some_and(|(target, _)| is_array_valued(self.place(position), target))
    }

    /// The assignments, each before those that flow to it; of those that flow to each other, the last one first. An assignment to an array
    /// element flows to nothing, so these come first.
    fn consumers_first(&self, assignments: &[FlowPosition]) -> Vec<FlowPosition> {
        let effects = &self.flow.effects;
        let defines_scalar = |position: &FlowPosition| {
            effects.definitions.binary_search_by_key(position, |definition| definition.position).is_ok()
        };
        let (scalars, mut others): (Vec<FlowPosition>, Vec<FlowPosition>) =
            assignments.iter().copied().partition(defines_scalar);
        // Definitions flow to uses through links: the values of variables, or in paper mode the variables. The nodes are the links first,
        // then the assignments.
        let values = &self.flow.values;
        let links = if self.paper { values.definitions.count() } else { values.all.len() } as u32;
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(links as usize + scalars.len(), scalars.len());
        for _ in 0..links as usize + scalars.len() {
            graph.add_node(());
        }
        let mut flow = |from: u32, to: u32| {
            graph.add_edge(from.into(), to.into(), ());
        };
        let producer = |definition: DefinitionId| {
            let position = effects.definitions[definition].position;
            scalars.binary_search(&position).ok().map(|at| links + at as u32)
        };
        for link in 0..links {
            match self.paper {
                true => values
                    .definitions
                    .of(VariableId::from_raw(link))
                    .iter()
                    .filter_map(|&one| producer(one))
                    .for_each(|from| flow(from, link)),
                false => match values.all[ValueId::from_raw(link)] {
                    Value::Defined(definition) => producer(definition).into_iter().for_each(|from| flow(from, link)),
                    Value::Perhaps(definition, before) => {
                        producer(definition)
                            .into_iter()
                            .chain(before.map(ValueId::raw))
                            .for_each(|from| flow(from, link));
                    }
                    Value::Joined(_, ways) => values.ways(ways).iter().for_each(|&(_, from)| flow(from.raw(), link)),
                },
            }
        }
        for (&position, at) in scalars.iter().zip(links..) {
            let uses = self.flow.flowing_uses_at(position);
            uses.filter_map(|index| self.link_of(index)).for_each(|from| flow(from, at));
        }
        for group in kosaraju_scc(&graph) {
            let first = others.len();
            let positions =
                group.iter().filter_map(|node| node.index().checked_sub(links as usize)).map(|at| scalars[at]);
            others.extend(positions);
            others[first..].sort_unstable_by(|left, right| right.cmp(left));
        }
        others
    }

    /// The link that a use reads.
    fn link_of(&self, index: usize) -> Option<u32> {
        match self.paper {
            true => Some(self.flow.effects.uses[index].variable.raw()),
            false => self.flow.values.of_use[index].map(ValueId::raw),
        }
    }

    /// Whether an induction variable of a loop around both the read and the root occurs in an index of the read, or a section of it is
    /// aligned with one on the left.
    fn is_relative(&self, root: FlowPosition, contribution: &Contribution) -> bool {
        let common = self.common_loop(root, contribution.position);
        let is_counted = |symbol| self.flow.induction_variables(common).any(|(_, variable)| variable.symbol == symbol);
        contribution.read.subscripts.iter().any(|subscript| match &subscript.kind {
            SubscriptKind::Index(values) | SubscriptKind::Window(values) => {
                values.iter().flat_map(Index::variables).any(is_counted)
            }
            SubscriptKind::Aligned { .. } => !self.paper,
            SubscriptKind::Unaligned(_) => true,
            SubscriptKind::Other(_) => false,
        })
    }

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

    /// The same, where a value that may be older than it seems has no fixed distance: a variable that is not defined anew in each iteration
    /// may have kept it through several.
    pub fn surest_distance(&self, index: usize, reaching: Reaching) -> Distance {
        let variable = self.flow.effects.uses[index].variable;
        let mut distance = self.distance(index, reaching);
        for (id, iterations) in &mut distance {
            *iterations = iterations.filter(|_| !self.may_keep(*id, variable));
        }
        distance.extend(self.kept_in(index, reaching).map(|id| (id, None)));
        distance
    }

    /// The loops in which a definition reaches a use within an iteration, and from earlier ones as well: how old the value is, is not known.
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
