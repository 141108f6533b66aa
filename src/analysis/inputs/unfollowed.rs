//! Procedures that a program calls and that are not followed: functions, those that are called again from within, those
//! of which it is not known which one is meant. What they may do all the same is found out: whether they read, whether
//! they end the program, what they change that the program knows.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::code::{Call, CallKind, FileCode, NodeId, NodeKind, Owner, Positioning};
use super::expression::{Expression, VariableId};
use super::program::{Assembly, Unfollowed};
use super::reads;
use super::targets::{Deeds, Target, is_known_outside, reached, targets_in};

impl Assembly<'_> {
    /// The procedures that a call may mean.
    pub(super) fn targets(&self, call: &Call) -> Vec<Target> {
        let mut found = targets_in((self.files)(call), call);
        let is_external = |code: &Arc<FileCode>| !code.separate.iter().any(|(_, name)| *name == call.name);
        if found.is_empty() && call.module.is_some() && (self.files)(call).iter().all(is_external) {
            // The module may only have its interface.
            let external = Call { file: String::new(), module: None, ..call.clone() };
            found = targets_in((self.files)(&external), &external);
        }
        found
    }

    /// Whether a call means a procedure of a module that a submodule defines.
    pub(super) fn is_separate(&self, call: &Call) -> bool {
        let Some(module) = &call.module else { return false };
        let is_meant = |(of, name): &(String, String)| of == module && *name == call.name;
        (self.files)(call).iter().any(|code| code.separate.iter().any(is_meant))
    }

    /// A call of a procedure that is not known.
    pub(super) fn forget(&mut self, call: Unfollowed, changes_shared: bool) -> NodeKind {
        if !changes_shared && call.changes.is_empty() {
            return NodeKind::Pass(call.next);
        }
        let node = self.add(call.site, NodeKind::Forget(call.changes, call.next));
        if changes_shared {
            self.unknown_calls.push(node);
        }
        NodeKind::Pass(node)
    }

    /// A call of one of several procedures, or of one that can't be followed.
    pub(super) fn unfollowed(&mut self, targets: &[Target], kind: CallKind, mut call: Unfollowed) -> NodeKind {
        if kind == CallKind::Passed {
            for target in targets {
                if self.passed.iter().all(|known| known.key() != target.key()) {
                    self.passed.push(target.clone());
                }
            }
        }
        let mut deeds = Deeds::default();
        for target in targets {
            deeds.add(&self.deeds(target));
        }
        if deeds.reads {
            return NodeKind::Lost;
        }
        if kind == CallKind::Generic && !deeds.changes_arguments {
            call.changes.clear();
        }
        call.changes.extend(deeds.changed.iter().copied());
        call.changes.sort_unstable();
        if deeds.is_indirect {
            let node = self.add(call.site, NodeKind::Lost);
            let rest = self.indirect(call);
            self.program.nodes[node].kind = rest;
            return self.perhaps_stop(deeds.stops, node);
        }
        let site = call.site;
        let rest = self.forget(call, deeds.is_unknown);
        let node = self.add(site, rest);
        self.perhaps_stop(deeds.stops, node)
    }

    /// It is not known whether the program ends, or goes on at a node.
    fn perhaps_stop(&mut self, stops: bool, next: NodeId) -> NodeKind {
        if !stops {
            return NodeKind::Pass(next);
        }
        let stop = self.add(self.program.nodes[next].site, NodeKind::Stop);
        NodeKind::Branch(Expression::Unknown, stop, next)
    }

    /// A call of a procedure that is named elsewhere: which these are is known in the end.
    pub(super) fn indirect(&mut self, call: Unfollowed) -> NodeKind {
        let node = self.add(call.site, NodeKind::Pass(call.next));
        self.indirect.push((node, call));
        NodeKind::Pass(node)
    }

    /// Lets calls of dummy procedures and pointers do what any procedure does that is named somewhere.
    pub(super) fn call_passed(&mut self) {
        let mut deeds = Deeds::default();
        let mut index = 0;
        while let Some(target) = self.passed.get(index).cloned() {
            deeds.add(&self.deeds(&target));
            index += 1;
        }
        for (node, mut call) in std::mem::take(&mut self.indirect) {
            if deeds.reads {
                self.program.nodes[node].kind = NodeKind::Lost;
                continue;
            }
            call.changes.extend(deeds.changed.iter().copied());
            call.changes.sort_unstable();
            let rest = self.forget(call, true);
            let site = self.program.nodes[node].site;
            let rest = self.add(site, rest);
            self.program.nodes[node].kind = self.perhaps_stop(deeds.stops, rest);
        }
    }

    /// What a procedure may do, with all that it calls.
    fn deeds(&mut self, target: &Target) -> Rc<Deeds> {
        let key = target.key();
        if let Some(known) = self.deeds.get(&key) {
            return Rc::clone(known);
        }
        let mut deeds = Deeds::default();
        let mut met: FxHashSet<String> = std::iter::once(key.clone()).collect();
        let mut pending = vec![target.clone()];
        while let Some(target) = pending.pop() {
            let is_first = target.key() == key;
            let called = self.own_deeds(&target, &mut deeds, is_first);
            for called in called {
                if met.insert(called.key()) {
                    pending.push(called);
                }
            }
        }
        let deeds = Rc::new(deeds);
        self.deeds.insert(key, Rc::clone(&deeds));
        deeds
    }

    /// Adds what a procedure does itself; gives those that it calls.
    fn own_deeds(&mut self, target: &Target, deeds: &mut Deeds, is_first: bool) -> Vec<Target> {
        let of = target.procedure();
        for (block, layout) in &of.blocks {
            self.layouts.entry(block.clone()).or_default().insert(layout.clone());
        }
        let mut called = Vec::new();
        let mut changed: FxHashSet<VariableId> = FxHashSet::default();
        for node in reached(of, target.is_entry) {
            match &of.nodes[node].kind {
                NodeKind::Read(_) | NodeKind::Open(_) | NodeKind::Lost => deeds.reads = true,
                NodeKind::Position(_, positioning, _) => deeds.reads |= *positioning != Positioning::Elsewhere,
                NodeKind::Stop => deeds.stops = true,
                NodeKind::Call(call) => {
                    changed.extend(&call.changes);
                    let targets = self.targets(call);
                    match call.kind {
                        CallKind::Indirect => deeds.is_indirect = true,
                        _ if self.is_separate(call) => deeds.reads = true,
                        CallKind::Call | CallKind::Reference | CallKind::Generic => {
                            deeds.is_unknown |= targets.is_empty()
                        }
                        CallKind::Passed => {
                            let is_new = |it: &&Target| self.passed.iter().all(|known| known.key() != it.key());
                            let new: Vec<Target> = targets.iter().filter(is_new).cloned().collect();
                            self.passed.extend(new);
                        }
                    }
                    called.extend(targets);
                }
                kind => changed.extend(reads::changed(kind)),
            }
        }
        for (variable, code) in (0..).map(VariableId).zip(&of.variables) {
            let is_changed = changed.contains(&variable);
            deeds.changes_arguments |= is_first && is_changed && matches!(code.owner, Owner::Dummy(_));
            if is_changed && is_known_outside(of, code) {
                deeds.changed.insert(self.variable(of, code, &[]));
            }
        }
        called
    }

    /// What changes a structure changes its components.
    pub(super) fn forget_components(&mut self) {
        let by_key: BTreeMap<&String, VariableId> = self.known.iter().map(|(key, &id)| (key, id)).collect();
        let is_structure = |id: &VariableId| self.program.variables[id.index()].data_type.is_none();
        let mut components: BTreeMap<VariableId, Vec<VariableId>> = BTreeMap::new();
        for (&key, id) in by_key.iter().filter(|(_, id)| is_structure(id)) {
            let behind = by_key.range::<String, _>(key..).skip(1).take_while(|(other, _)| other.starts_with(key));
            let is_part = |other: &str| other[key.len()..].starts_with(['%', '(']);
            let parts = behind.filter(|(other, _)| is_part(other)).map(|(_, &id)| id);
            components.insert(*id, parts.collect());
        }
        for node in &mut self.program.nodes {
            let NodeKind::Forget(variables, _) = &mut node.kind else { continue };
            let more: Vec<VariableId> =
                variables.iter().filter_map(|it| components.get(it)).flatten().copied().collect();
            for variable in more {
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            }
        }
    }
}
