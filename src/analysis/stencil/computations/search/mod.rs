//! The search for everything that flows to a root: depth first along reaching definitions.
//!
//! *What belongs to a root*: what the innermost loop around it reads, and of what loops further out read that which
//! moves with them. What a scalar carries out of its loop belongs to no root outside of that loop, so such a definition
//! is not followed, nor is one outside of all loops from inside of one. All statements on a path thus stand in loops
//! around the root. (Where a procedure is summarised, its loops are no concern: all that it reads belongs to it.)
//!
//! What a variable takes from its own earlier value is *history* and adds no read: a definition that comes from an
//! earlier iteration, or from before the loop, is not followed if its variable is defined on the path that leads to it
//! already, and no statement is followed into itself. What lies below a statement therefore depends on the path to it.
//! A statement that was searched completely is not searched again at the same distance; one below which something was
//! cut off for the sake of a statement further up the path is searched again once that one has left the path. A ring is
//! not cut off so: what leads back to a statement of the path, at the distance at which it stands there, is as complete
//! as that statement will be when it leaves the path.
//!
//! What a CALL gives to a scalar is a node like an assignment ([`Node`]): it reads what the procedure reads for it. Of
//! one of which that is not known, all that it may read, and all that flows into it, is handed over.
//!
//! Mostly there is no history: what flows to a statement does so within one iteration and around no ring, and all below
//! it is [plain](Search::is_plain). Then no path matters, and what lies below is gathered in any order.

mod distances;
mod levels;
mod node;
mod reaching;
mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::rc::Rc;

use oxc_index::{IndexVec, index_vec};
use rustc_hash::FxHashMap;

use distances::{DistanceId, Distances};
use levels::{LeftOut, insert};
use node::{Node, NodeId, Nodes};
use reaching::{Hop, Reaching, reaching};
use state::{DISTANCES, State, Step};

use super::called::Call;
use super::contribution::{Contribution, Root, SharedDistance};
use super::reads::reads;
use super::subscript::ArrayReference;
use super::unit::UnitContext;
use crate::flow::{FlowPosition, VariableId, scalar_of};
use crate::source::Span;
use crate::values::ArrayKey;

/// Statements visited for all roots of a unit; roots for which more would be needed are given up.
const VISITS: usize = 2_000_000;
/// Definitions looked at for all roots of a unit, in the same way.
const HOPS: usize = 16 * VISITS;
/// Definitions found behind uses for all roots of a unit, in the same way: to find one takes longer than to look at it.
const FOUND: usize = 1 << 21;
/// Definitions that are remembered by the statements that they reach; beyond, they are found anew each time.
const REMEMBERED: usize = 1 << 18;

/// The search, with what is known of each assignment that was met so far.
pub struct Search<'a, 't> {
    unit: &'a UnitContext<'t>,
    nodes: Nodes,
    /// For each node what it reads itself.
    own: IndexVec<NodeId, Option<Rc<Own>>>,
    /// What the calls may read of which it is not known what they read.
    unknown_calls: FxHashMap<FlowPosition, Rc<Own>>,
    /// For each node what reaches it.
    reaching: IndexVec<NodeId, Option<Rc<Reaching>>>,
    /// How many definitions these are.
    remembered: usize,
    /// For each node whether it is plain, once that is known.
    plain: IndexVec<NodeId, Option<bool>>,
    distances: Distances,
    state: State,
    visits: usize,
    hops: usize,
    /// How many definitions were found behind uses.
    found: usize,
}

/// What a node reads itself.
#[derive(Default)]
struct Own {
    reads: Vec<Rc<ArrayReference>>,
    /// Of a call, the scalars that flow to what it gives, if that is known.
    taken: Option<BTreeSet<VariableId>>,
    /// If it is a call of which it is not known what it reads: the first node met of those for the variables that it
    /// may define. All of them read the same.
    unknown_call: Option<NodeId>,
}

impl<'a, 't> Search<'a, 't> {
    /// A search in one unit.
    pub fn new(unit: &'a UnitContext<'t>) -> Self {
        let flow = unit.values.flow;
        let nodes = Nodes::new(flow.statements.len(), &flow.effects);
        let (count, variables) = (nodes.count(), flow.effects.variables.len());
        Search {
            unit,
            nodes,
            own: index_vec![None; count],
            unknown_calls: FxHashMap::default(),
            reaching: index_vec![None; count],
            remembered: 0,
            plain: index_vec![None; count],
            distances: Distances::new(),
            state: State::new(count, variables),
            visits: 0,
            hops: 0,
            found: 0,
        }
    }

    /// The root at a position, and the positions of the assignments of which all that they read, and all that flows to
    /// them, belongs to it.
    pub fn contributions(&mut self, position: FlowPosition) -> (Root, Vec<FlowPosition>) {
        self.search(self.nodes.statement(position), self.target(position))
    }

    /// What flows to the value of a variable where the unit returns at a position.
    pub fn returned(&mut self, position: FlowPosition, variable: VariableId) -> Root {
        let node = self.nodes.return_of(position, variable);
        self.own.push(None);
        self.reaching.push(None);
        self.plain.push(None);
        self.state.add_node();
        let (root, _) = self.search(node, None);
        root
    }

    fn search(&mut self, node: NodeId, variable: Option<VariableId>) -> (Root, Vec<FlowPosition>) {
        let mut root = Root::new(self.nodes.get(node).position());
        let mut through = Vec::new();
        self.state.meet(node, 0);
        self.enter(&mut root, node, variable, 0);
        while let Some(step) = self.state.path.last_mut() {
            match step.pending.checked_sub(1) {
                Some(next) => {
                    step.pending = next;
                    let (hop, distance) = (step.reaching.hops[next], step.distance);
                    let Some(distance) = self.follow(&mut root, hop, distance) else { continue };
                    if self.is_plain(hop.node) {
                        self.gather(&mut root, &mut through, hop.node, distance);
                    } else {
                        through.push(hop.node);
                        self.enter(&mut root, hop.node, Some(hop.variable), distance);
                    }
                }
                None => self.state.leave(),
            }
        }
        root.contributions.sort_by(|left, right| key(left).cmp(&key(right)));
        root.contributions.dedup_by(|left, right| key(left) == key(right));
        root.unparsed.sort_unstable();
        root.unparsed.dedup();
        root.entered.sort_unstable();
        root.entered.dedup();
        through.sort_unstable();
        through.dedup();
        self.state.forget();
        root.flowing = through.iter().filter_map(|&node| self.nodes.position_of_statement(node)).count();
        let through = self.wholly_part(&root, through);
        (root, through.into_iter().filter_map(|node| self.nodes.position_of_statement(node)).collect())
    }

    /// Of the nodes that flow to a root, in order, those of which everything belongs to it.
    fn wholly_part(&mut self, root: &Root, mut through: Vec<NodeId>) -> Vec<NodeId> {
        // What flows into an unknown call is no part of the root.
        through.retain(|&node| self.own[node].as_ref().is_none_or(|own| own.unknown_call.is_none()));
        let is_whole = |&node: &NodeId| {
            let position = self.nodes.get(node).position();
            let own = self.own[node].iter().flat_map(|own| &own.reads);
            own.into_iter().all(|read| belongs(self.unit, root.position, position, read))
        };
        let mut pending: Vec<NodeId> = through.iter().copied().filter(|node| !is_whole(node)).collect();
        if pending.is_empty() {
            return through;
        }
        let mut reached_by: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for &node in &through {
            let reaching = self.reaching(node).unwrap_or_default();
            reaching.hops.iter().for_each(|hop| reached_by.entry(hop.node).or_default().push(node));
        }
        let mut apart: BTreeSet<NodeId> = pending.iter().copied().collect();
        while let Some(node) = pending.pop() {
            let users = reached_by.get(&node).into_iter().flatten().copied();
            pending.extend(users.filter(|&user| apart.insert(user)));
        }
        through.into_iter().filter(|node| !apart.contains(node)).collect()
    }

    /// The scalar that an assignment defines.
    fn target(&self, position: FlowPosition) -> Option<VariableId> {
        let unit = self.unit;
        let (target, _) = unit.values.assignment(position)?;
        let statement = unit.values.flow.statements[position];
        let (symbol, components) = scalar_of(unit.values.tree, unit.values.resolved, statement, target)?;
        unit.values.flow.effects.variables.get(symbol, components)
    }

    /// The distance from the root of the assignment that a hop leads to, if it is to be searched.
    fn follow(&mut self, root: &mut Root, hop: Hop, distance: DistanceId) -> Option<DistanceId> {
        self.hops += 1;
        let distance = self.distances.sum(distance, hop.distance);
        if self.state.is_known(hop.node, distance) {
            return None;
        }
        if let Some(level) = self.state.history(hop) {
            self.state.leave_out(|left_out| insert(&mut left_out.history, level));
            return None;
        }
        self.state.meet(hop.node, distance);
        self.is_within_limits(root, hop.node).then_some(distance)
    }

    /// Counts a visit to a statement that was met, and says whether there are not too many.
    fn is_within_limits(&mut self, root: &mut Root, node: NodeId) -> bool {
        self.visits += 1;
        let met = self.state.met[node].len();
        let is_within = met <= DISTANCES && self.visits <= VISITS && self.hops <= HOPS;
        root.is_incomplete |= !is_within;
        is_within
    }

    /// Whether all that flows to an assignment flows there within one iteration, and around no ring. Then no way to it
    /// goes through what lies below it, so that nothing below it is ever history.
    fn is_plain(&mut self, node: NodeId) -> bool {
        if let Some(known) = self.plain[node] {
            return known;
        }
        // A statement under way counts as not plain: who meets it has come around a ring.
        self.plain[node] = Some(false);
        let Some(reaching) = self.followed(node) else { return false };
        let mut path = vec![(node, reaching, 0)];
        while let Some((node, reaching, next)) = path.last_mut() {
            match reaching.hops.get(*next) {
                None => {
                    self.plain[*node] = Some(true);
                    path.pop();
                }
                Some(hop) => match self.plain[hop.node] {
                    _ if hop.is_earlier => drop(path.pop()),
                    Some(true) => *next += 1,
                    Some(false) => drop(path.pop()),
                    None => {
                        let below = hop.node;
                        self.plain[below] = Some(false);
                        match self.followed(below) {
                            Some(reaching) => path.push((below, reaching, 0)),
                            None => drop(path.pop()),
                        }
                    }
                },
            }
        }
        self.plain[node] == Some(true)
    }

    /// Notes a plain assignment, met at a distance, and all that flows to it.
    fn gather(&mut self, root: &mut Root, through: &mut Vec<NodeId>, node: NodeId, distance: DistanceId) {
        self.state.note_searched(node, distance, Some(LeftOut::default()));
        // Those from `next` on are still to be noted.
        let mut next = through.len();
        through.push(node);
        while let Some(&node) = through.get(next) {
            next += 1;
            let reaching = self.note(root, node, distance);
            self.hops += reaching.hops.len();
            for hop in &reaching.hops {
                let met = self.state.meet(hop.node, distance);
                let is_searched = met.iter().any(|met| met.distance == distance && met.searched.is_some());
                if !is_searched && self.is_within_limits(root, hop.node) {
                    self.state.note_searched(hop.node, distance, Some(LeftOut::default()));
                    through.push(hop.node);
                }
            }
        }
    }

    /// Puts an assignment on the path: notes its reads and finds the definitions that reach it.
    fn enter(&mut self, root: &mut Root, node: NodeId, variable: Option<VariableId>, distance: DistanceId) {
        let reaching = self.note(root, node, distance);
        let pending = reaching.hops.len();
        let (defined_before, left_out, waiting) = (None, LeftOut::default(), Vec::new());
        self.state.enter(Step { node, variable, distance, defined_before, reaching, pending, left_out, waiting });
    }

    /// Notes what a node reads and what it may read, and gives what reaches it.
    fn note(&mut self, root: &mut Root, node: NodeId, distance: DistanceId) -> Rc<Reaching> {
        let own = self.own(node);
        if own.unknown_call.is_some() {
            self.hand_over(root, node);
            return Rc::default();
        }
        let position = self.nodes.get(node).position();
        let shared = self.distances.get(distance);
        let contribution = |read: &Rc<ArrayReference>| Contribution {
            read: Rc::clone(read),
            position,
            distance: Rc::clone(&shared),
            is_handed_over: read.is_handed_over,
        };
        let at = root.position;
        let belonging = own.reads.iter().filter(|read| belongs(self.unit, at, position, read));
        root.contributions.extend(belonging.map(contribution));
        let reaching = self.reaching(node).unwrap_or_else(|| {
            root.is_incomplete = true;
            Rc::default()
        });
        root.unparsed.extend(&reaching.unparsed);
        root.entered.extend(&reaching.entered);
        reaching
    }

    /// Notes all that flows into a call of which it is not known what it reads.
    fn hand_over(&mut self, root: &mut Root, node: NodeId) {
        root.has_unknown_call = true;
        if self.unit.values.summarises {
            // There is no summary then, whatever is handed over.
            return;
        }
        let none = self.distances.get(0);
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            if self.state.handed_over.put(node.index()) {
                continue;
            }
            let own = self.own(node);
            if let Some(call) = own.unknown_call.filter(|&call| call != node) {
                pending.push(call);
                continue;
            }
            self.visits += 1;
            let position = self.nodes.get(node).position();
            let belonging = own.reads.iter().filter(|read| belongs(self.unit, root.position, position, read));
            root.contributions.extend(belonging.map(|read| Contribution {
                read: Rc::clone(read),
                position,
                distance: Rc::clone(&none),
                is_handed_over: true,
            }));
            match self.reaching(node) {
                Some(reaching) if self.visits <= VISITS => pending.extend(reaching.hops.iter().map(|hop| hop.node)),
                _ => root.is_incomplete = true,
            }
        }
    }

    /// What a node reads itself.
    fn own(&mut self, node: NodeId) -> Rc<Own> {
        if let Some(known) = &self.own[node] {
            return Rc::clone(known);
        }
        let unit = self.unit;
        let own = match self.nodes.get(node) {
            Node::Statement(position) => match unit.values.assignment(position) {
                Some((target, value)) => {
                    let reads = reads(unit, position, target, value).into_iter().map(Rc::new).collect();
                    Own { reads, ..Own::default() }
                }
                None => Own::default(),
            },
            Node::Called(position, variable) => {
                let call = Call::at(unit, position);
                let Some(known) = call.as_ref().and_then(|call| call.known(variable)) else {
                    return self.unknown_call(node, position, call.as_ref());
                };
                let reads = known.reads.into_iter().map(Rc::new).collect();
                Own { reads, taken: Some(known.taken), unknown_call: None }
            }
            Node::Returned(..) => Own::default(),
        };
        Rc::clone(self.own[node].insert(Rc::new(own)))
    }

    /// What a node may read that is a call of which it is not known what it reads.
    fn unknown_call(&mut self, node: NodeId, position: FlowPosition, call: Option<&Call<'_, '_>>) -> Rc<Own> {
        let own = self.unknown_calls.entry(position).or_insert_with(|| {
            let reads = call.map_or(Vec::new(), Call::all_reads).into_iter().map(Rc::new).collect();
            Rc::new(Own { reads, taken: None, unknown_call: Some(node) })
        });
        Rc::clone(self.own[node].insert(Rc::clone(own)))
    }

    /// What is followed from a node: all that reaches it, but of a call of which it is not known what it reads nothing,
    /// as that is handed over; `None` where too much was looked for already.
    fn followed(&mut self, node: NodeId) -> Option<Rc<Reaching>> {
        let is_call = matches!(self.nodes.get(node), Node::Called(..));
        if is_call && self.own(node).unknown_call.is_some() {
            return Some(Rc::default());
        }
        self.reaching(node)
    }

    /// What reaches a node; `None` where too much was looked for already.
    fn reaching(&mut self, node: NodeId) -> Option<Rc<Reaching>> {
        if let Some(known) = &self.reaching[node] {
            return Some(Rc::clone(known));
        }
        if self.found > FOUND {
            return None;
        }
        let of = self.nodes.get(node);
        let own = matches!(of, Node::Called(..)).then(|| self.own(node));
        let taken = own.as_ref().and_then(|own| own.taken.as_ref());
        let found = Rc::new(reaching(self.unit, &self.nodes, of, taken, &mut self.distances));
        self.found += found.hops.len() + found.unparsed.len() + 1;
        if self.remembered < REMEMBERED {
            self.remembered += found.hops.len() + 1;
            self.reaching[node] = Some(Rc::clone(&found));
        }
        Some(found)
    }
}

/// What contributions are sorted and told apart by.
fn key(of: &Contribution) -> (FlowPosition, Span, u32, &ArrayKey, bool, &SharedDistance) {
    (of.position, of.read.span, of.read.ordinal, &of.read.array, of.is_handed_over, &of.distance)
}

/// Whether a read at a position that flows to a root belongs to it: it stands in the same loop, or moves with those
/// around both.
fn belongs(unit: &UnitContext<'_>, root: FlowPosition, position: FlowPosition, read: &ArrayReference) -> bool {
    let loops = &unit.values.flow.loops;
    let is_near = unit.values.summarises || loops.innermost(root) == loops.innermost(position);
    is_near || unit.is_relative(root, position, read)
}
