//! Looking a name up from a scope outward, in few steps however deep scopes nest.
//!
//! Most scopes on the way are constructs that see all of the scope around them and import nothing: *links*. The others
//! are *gates*: units, and constructs with USE, IMPORT, or something unseen in them. From a scope to its next gate a
//! name is looked for in the links one by one as long as they are few; beyond that, among the links that own a symbol
//! of this name, the innermost that encloses the scope. Links of one gate are numbered in the order of the text, so
//! those inside a link are the next ones.

use oxc_index::IndexVec;
use rustc_hash::FxHashMap;

use super::scopes::{Association, Scope, ScopeKind, Scopes};
use super::symbol::ScopeId;
use crate::syntax::Name;

/// So many links are looked into one by one.
const NEAR: usize = 8;

/// The chains of scopes of a file.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    /// For each scope its next gate outward, or itself.
    gates: IndexVec<ScopeId, ScopeId>,
    /// For each link the last one inside it, or itself.
    last_inside: IndexVec<ScopeId, ScopeId>,
    /// The links that own a symbol of a name, in order.
    owners: FxHashMap<Name, Vec<ScopeId>>,
}

impl Chains {
    /// The chains of scopes in which nothing is entered yet; `has_host`: whether it sees
    /// the names of a submodule's ancestor.
    pub fn new(scopes: &Scopes, has_host: impl Fn(ScopeId) -> bool) -> Chains {
        let mut gates = IndexVec::with_capacity(scopes.all.len());
        for (id, scope) in scopes.all.iter_enumerated() {
            let gate = match scope.parent {
                Some(parent) if is_link(scope) && !has_host(id) => gates[parent],
                _ => id,
            };
            gates.push(gate);
        }
        let mut last_inside: IndexVec<ScopeId, ScopeId> = scopes.all.indices().collect();
        for id in scopes.all.indices().rev() {
            if gates[id] != id
                && let Some(parent) = scopes.all[id].parent
            {
                last_inside[parent] = last_inside[parent].max(last_inside[id]);
            }
        }
        Chains { gates, last_inside, owners: FxHashMap::default() }
    }

    /// Notes that a scope owns a symbol of a name.
    pub fn enter(&mut self, scope: ScopeId, name: Name) {
        if self.gates[scope] != scope {
            let owners = self.owners.entry(name).or_default();
            if let Err(at) = owners.binary_search(&scope) {
                owners.insert(at, scope);
            }
        }
    }

    /// The symbol of a name, which `own` gives for the scopes that have one, of the innermost scope with one, from a
    /// scope outward to its next gate; else that gate.
    pub fn find<T>(
        &self,
        scopes: &Scopes,
        scope: ScopeId,
        name: Name,
        own: impl Fn(ScopeId) -> Option<T>,
    ) -> Result<T, ScopeId> {
        let gate = self.gates[scope];
        let mut at = scope;
        for _ in 0..NEAR {
            if let Some(found) = own(at) {
                return Ok(found);
            }
            match scopes.all[at].parent {
                Some(parent) if at != gate => at = parent,
                _ => return Err(gate),
            }
        }
        let owners = self.owners.get(&name).map_or(&[][..], Vec::as_slice);
        let before = owners.partition_point(|&owner| owner <= at);
        let enclosing = owners[..before].iter().rev().take_while(|&&owner| owner > gate);
        let owner = enclosing.copied().find(|&owner| self.last_inside[owner] >= at);
        own(owner.unwrap_or(gate)).ok_or(gate)
    }
}

fn is_link(scope: &Scope) -> bool {
    let is_construct = match scope.kind {
        ScopeKind::Block(_) | ScopeKind::Associate(_) | ScopeKind::Guard(..) | ScopeKind::Type(_) => true,
        ScopeKind::File | ScopeKind::Unit(_) => false,
    };
    is_construct && scope.association == Association::All && scope.uses.is_empty() && scope.unseen.is_empty()
}
