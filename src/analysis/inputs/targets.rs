//! The procedures that a call may mean, and what is found out of those that are not followed.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::code::{Call, CodeVariable, FileCode, NodeId, Owner, Procedure, successors};
use super::expression::VariableId;

/// A procedure that a call may mean.
#[derive(Clone, Debug)]
pub(super) struct Target {
    code: Arc<FileCode>,
    index: usize,
    /// Whether it is entered at one of its ENTRY statements.
    pub(super) is_entry: bool,
}

impl Target {
    pub(super) fn procedure(&self) -> &Procedure {
        &self.code.procedures[self.index]
    }

    /// Its file and key.
    pub(super) fn key(&self) -> String {
        let of = self.procedure();
        format!("{}#{}", of.path, of.key)
    }
}

/// What procedures may do.
#[derive(Clone, Debug, Default)]
pub(super) struct Deeds {
    /// Whether they read, or do something else that is not followed.
    pub(super) reads: bool,
    /// Whether they end the program without a failure.
    pub(super) stops: bool,
    /// Whether they call procedures that are not known.
    pub(super) is_unknown: bool,
    /// Whether they call some that are named elsewhere.
    pub(super) is_indirect: bool,
    /// Whether the procedure itself changes what it is given.
    pub(super) changes_arguments: bool,
    pub(super) changed: FxHashSet<VariableId>,
}

impl Deeds {
    pub(super) fn add(&mut self, other: &Deeds) {
        self.reads |= other.reads;
        self.stops |= other.stops;
        self.is_unknown |= other.is_unknown;
        self.is_indirect |= other.is_indirect;
        self.changes_arguments |= other.changes_arguments;
        self.changed.extend(&other.changed);
    }
}

/// Whether a variable of a procedure is one of others, too, that are not its callers' arguments.
pub(super) fn is_known_outside(of: &Procedure, code: &CodeVariable) -> bool {
    match &code.owner {
        Owner::Unit(scope) => *scope != of.key || code.is_shared,
        Owner::Module(_) | Owner::Common(_) => true,
        Owner::Dummy(_) => false,
    }
}

/// The nodes of a procedure that can be reached; all, if it is entered elsewhere.
pub(super) fn reached(of: &Procedure, is_entry: bool) -> Vec<NodeId> {
    if is_entry {
        return (0..of.nodes.len()).collect();
    }
    let mut is_met = vec![false; of.nodes.len()];
    let (mut pending, mut found) = (vec![of.entry], Vec::new());
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut is_met[node], true) {
            found.push(node);
            pending.extend(successors(&of.nodes[node].kind));
        }
    }
    found
}

/// The procedures of files that a call may mean.
pub(super) fn targets_in(files: Vec<Arc<FileCode>>, call: &Call) -> Vec<Target> {
    let mut found = Vec::new();
    if call.name.is_empty() {
        return found;
    }
    for code in files {
        let is_reached = |it: &Procedure| (it.module.is_some() || it.is_external) && it.module == call.module;
        let is_meant = |it: &Procedure| it.key == call.name || is_reached(it) && it.name == call.name;
        let is_entry = |it: &Procedure| is_reached(it) && it.entries.contains(&call.name);
        let place = code.procedures.iter().position(is_meant).map(|index| (index, false));
        let place = place.or_else(|| code.procedures.iter().position(is_entry).map(|index| (index, true)));
        if let Some((index, is_entry)) = place {
            found.push(Target { code, index, is_entry });
        }
    }
    found
}
