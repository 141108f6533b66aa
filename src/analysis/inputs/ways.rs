//! The ways behind a branch: where they meet, though some lead past that, and whether they fail.

use rustc_hash::FxHashSet;

use super::code::{NodeId, NodeKind, successors};
use super::structure::Structure;

/// Where ways behind a branch meet, while others lead past that.
pub(super) struct Merge {
    pub(super) at: NodeId,
    /// The nodes in front of it.
    pub(super) before: FxHashSet<NodeId>,
    /// Those from there to where all ways meet.
    pub(super) behind: FxHashSet<NodeId>,
    /// Whether one way leads straight to where all ways meet.
    pub(super) is_passed: bool,
}

impl Structure<'_, '_> {
    /// Where ways behind a node meet in front of the join, if something is read there and others lead past it.
    pub(super) fn merge(&self, node: NodeId, ways: [NodeId; 2], join: Option<NodeId>) -> Option<Merge> {
        let [first, second] = ways.map(|way| self.reached(way, join));
        let common: FxHashSet<NodeId> = first.intersection(&second).copied().collect();
        if !self.flow.has_reads(&common) {
            return None;
        }
        let before: FxHashSet<NodeId> = first.union(&second).filter(|it| !common.contains(it)).copied().collect();
        let enters = |from: &NodeId| successors(&self.program.nodes[*from].kind).into_iter();
        let mut entries: Vec<NodeId> = ways.into_iter().filter(|it| common.contains(it)).collect();
        entries.extend(before.iter().flat_map(enters).filter(|it| common.contains(it)));
        let at = *entries.first()?;
        if entries.iter().any(|&other| other != at) || before.contains(&node) || common.contains(&node) {
            return None;
        }
        let is_join = |it: NodeId| {
            let to = self.through(it, join);
            Some(to) == join && self.jump(to).is_none()
        };
        let is_passed = before.iter().flat_map(enters).chain(ways).any(is_join);
        Some(Merge { at, before, behind: common, is_passed })
    }

    /// The nodes that are reached from a node in front of a join, the end and what is around.
    fn reached(&self, from: NodeId, join: Option<NodeId>) -> FxHashSet<NodeId> {
        let mut found = FxHashSet::default();
        let mut pending = vec![from];
        while let Some(node) = pending.pop() {
            let to = self.through(node, join);
            let is_outside = Some(to) == join || self.is_terminal[node] || self.is_around(to);
            if !is_outside && found.insert(node) {
                pending.extend(successors(&self.program.nodes[node].kind));
            }
        }
        found
    }

    /// Where a node leads that does nothing, up to a join or what is around.
    fn through(&self, from: NodeId, join: Option<NodeId>) -> NodeId {
        let mut node = from;
        for _ in 0..self.program.nodes.len() {
            match &self.program.nodes[node].kind {
                _ if Some(node) == join || self.is_around(node) => return node,
                NodeKind::Pass(next) | NodeKind::Again(next) => node = *next,
                _ => return node,
            }
        }
        from
    }

    /// Whether a node is where a loop around begins, or where one leads.
    pub(super) fn is_around(&self, node: NodeId) -> bool {
        self.around.iter().any(|around| around.after == Some(node) || around.head == Some(node))
    }

    /// Whether a way from a node may fail before it comes to what follows another node, or to the next READ.
    pub(super) fn may_fail(&self, from: NodeId, next: NodeId) -> bool {
        let behind = self.behind(next);
        let mut met = FxHashSet::default();
        let mut pending = vec![from];
        while let Some(node) = pending.pop() {
            let kind = &self.program.nodes[node].kind;
            if matches!(kind, NodeKind::Fail(_)) {
                return true;
            }
            if !behind.contains(&node) && met.insert(node) && !matches!(kind, NodeKind::Read(_)) {
                pending.extend(successors(kind));
            }
        }
        false
    }

    /// The nodes that can be reached from one, itself included.
    fn behind(&self, from: NodeId) -> FxHashSet<NodeId> {
        let mut found = FxHashSet::default();
        let mut pending = vec![from];
        while let Some(node) = pending.pop() {
            if found.insert(node) {
                pending.extend(successors(&self.program.nodes[node].kind));
            }
        }
        found
    }
}
