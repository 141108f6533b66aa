//! What is known while one root is searched.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use oxc_index::{IndexVec, index_vec};
use smallvec::SmallVec;

use super::distances::DistanceId;
use super::levels::{LeftOut, insert, remove};
use super::node::NodeId;
use super::reaching::{Hop, Reaching};
use crate::flow::VariableId;

/// A statement may flow to a root from this many different distances; beyond, the root is given up.
pub(super) const DISTANCES: usize = 16;

/// An assignment on the path, with the definitions that reach it and are still to be followed.
pub(super) struct Step {
    pub(super) node: NodeId,
    pub(super) variable: Option<VariableId>,
    pub(super) distance: DistanceId,
    /// The level at which the variable was defined before.
    pub(super) defined_before: Option<usize>,
    pub(super) reaching: Rc<Reaching>,
    /// How many of the hops are still to be followed.
    pub(super) pending: usize,
    pub(super) left_out: LeftOut,
    /// Statements, met at a distance, that are not complete for the sake of this one, and of none below it.
    pub(super) waiting: Vec<(NodeId, DistanceId)>,
}

/// What is known while one root is searched.
pub(super) struct State {
    pub(super) path: Vec<Step>,
    /// For each node its level on the path, if it is there.
    level: IndexVec<NodeId, Option<usize>>,
    /// For each variable the last level of the path at which it is defined.
    defined_at: IndexVec<VariableId, Option<usize>>,
    /// For each node the distances at which it was met.
    pub(super) met: IndexVec<NodeId, SmallVec<[Met; 1]>>,
    /// The nodes at which something was met.
    met_at: Vec<NodeId>,
    /// The nodes whose reads were handed over to a call.
    pub(super) handed_over: FixedBitSet,
}

/// A distance at which a statement was met.
pub(super) struct Met {
    pub(super) distance: DistanceId,
    /// If the statement need not be searched again: what was left out below it.
    pub(super) searched: Option<LeftOut>,
}

impl State {
    /// Of a unit with so many nodes and variables, of which nothing was met.
    pub(super) fn new(nodes: usize, variables: usize) -> Self {
        State {
            path: Vec::new(),
            level: index_vec![None; nodes],
            defined_at: index_vec![None; variables],
            met: (0..nodes).map(|_| SmallVec::new()).collect(),
            met_at: Vec::new(),
            handed_over: FixedBitSet::with_capacity(nodes),
        }
    }

    /// Makes room for one more node.
    pub(super) fn add_node(&mut self) {
        self.level.push(None);
        self.met.push(SmallVec::new());
        self.handed_over.grow(self.met.len());
    }

    /// Notes that a statement is met at a distance, unless there are too many; gives all at which it was met.
    pub(super) fn meet(&mut self, node: NodeId, distance: DistanceId) -> &[Met] {
        let met = &mut self.met[node];
        if met.is_empty() {
            self.met_at.push(node);
        }
        if met.len() <= DISTANCES && !met.iter().any(|met| met.distance == distance) {
            met.push(Met { distance, searched: None });
        }
        met
    }

    /// Forgets what was met.
    pub(super) fn forget(&mut self) {
        self.met_at.drain(..).for_each(|node| self.met[node].clear());
        self.handed_over.clear();
    }

    /// Puts a statement on the path.
    pub(super) fn enter(&mut self, mut step: Step) {
        let level = self.path.len();
        self.level[step.node] = Some(level);
        if let Some(variable) = step.variable {
            step.defined_before = self.defined_at[variable].replace(level);
        }
        self.note_searched(step.node, step.distance, Some(LeftOut::default()));
        self.path.push(step);
    }

    /// Notes whether a statement that was met at a distance need not be searched again there, and what was left out
    /// below it.
    pub(super) fn note_searched(&mut self, node: NodeId, distance: DistanceId, searched: Option<LeftOut>) {
        if let Some(met) = self.met[node].iter_mut().find(|met| met.distance == distance) {
            met.searched = searched;
        }
    }

    /// Whether a statement at a distance need not be searched from the end of the path: it is on the path, or was
    /// searched. What was left out below it is left out here.
    pub(super) fn is_known(&mut self, node: NodeId, distance: DistanceId) -> bool {
        let on_path = self.level[node].filter(|&level| self.path[level].distance == distance);
        if let Some(level) = on_path {
            self.leave_out(|left_out| insert(&mut left_out.rings, level));
            return true;
        }
        let met = self.met[node].iter().find(|met| met.distance == distance);
        let searched = met.and_then(|met| met.searched.clone());
        if let Some(below) = &searched {
            self.leave_out(|left_out| left_out.join(below));
        }
        searched.is_some()
    }

    /// If following a definition would only lead into the history of something on the path: the last level of such. As
    /// long as that is on the path, it does not matter what stands further up.
    pub(super) fn history(&self, hop: Hop) -> Option<usize> {
        let same_variable = if hop.is_earlier { self.defined_at[hop.variable] } else { None };
        self.level[hop.node].max(same_variable)
    }

    /// Notes something that is left out below the last statement of the path.
    pub(super) fn leave_out(&mut self, note: impl FnOnce(&mut LeftOut)) {
        if let Some(step) = self.path.last_mut() {
            note(&mut step.left_out);
        }
    }

    /// Takes the last statement off the path.
    pub(super) fn leave(&mut self) {
        let Some(mut step) = self.path.pop() else { return };
        let height = self.path.len();
        self.level[step.node] = None;
        if let Some(variable) = step.variable {
            self.defined_at[variable] = step.defined_before;
        }
        // Its own level does not concern those above it.
        remove(&mut step.left_out.history, height);
        remove(&mut step.left_out.rings, height);
        for (node, distance) in std::mem::take(&mut step.waiting) {
            self.released(node, distance, height, &step.left_out);
        }
        self.wait(step.node, step.distance, step.left_out.clone());
        self.leave_out(|left_out| left_out.join(&step.left_out));
    }

    /// The statement at `height` has left the path, and with it went one of the causes that another statement is not
    /// complete. What was cut off may be found now; a ring is as complete as the one that left.
    fn released(&mut self, node: NodeId, distance: DistanceId, height: usize, left: &LeftOut) {
        let met = self.met[node].iter_mut().find(|met| met.distance == distance);
        let Some(mut below) = met.and_then(|met| met.searched.take()) else { return };
        if remove(&mut below.history, height) {
            return;
        }
        remove(&mut below.rings, height);
        below.join(left);
        self.wait(node, distance, below);
    }

    /// Notes that a statement was searched at a distance, but for what was left out, and waits for the last cause of
    /// that.
    fn wait(&mut self, node: NodeId, distance: DistanceId, left_out: LeftOut) {
        if let Some(deepest) = left_out.deepest() {
            self.path[deepest].waiting.push((node, distance));
        }
        self.note_searched(node, distance, Some(left_out));
    }
}
