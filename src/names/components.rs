//! The components of types whose declarations were not found, by how a file uses them.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::declared::{DeclaredBase, DeclaredType, Properties};
use super::entity::Resolver;
use super::resolve::Resolution;
use super::resolved::{Member, is_complex_part};
use super::symbol::{BaseType, Component, ScopeId, Shape, SymbolType, TypeId};
use super::unseen::TypeOwner;
use crate::syntax::visit::Access;
use crate::syntax::{Name, Reference};

impl Resolution<'_> {
    /// Enters the types that the declarations of the file name and that nothing declares; `parents` are those that its
    /// types extend, each with a scope.
    pub(super) fn enter_unseen_types(&mut self, parents: impl Iterator<Item = (ScopeId, Name)>) {
        let scopes = &self.resolved.scopes.all;
        let declared = scopes.iter_enumerated().flat_map(|(scope, declarations)| {
            let types = declarations.symbols.iter().filter_map(|declared| declared.type_.as_ref());
            types.filter_map(move |type_| Some((scope, name_of(type_)?)))
        });
        let named: FxHashSet<(ScopeId, Name)> = declared.chain(parents).collect();
        let missing = |&(scope, name): &(ScopeId, Name)| self.view(scope).derived_type(&name).is_none();
        let mut missing: Vec<Name> = named.into_iter().filter(missing).map(|(_, name)| name).collect();
        missing.sort_unstable();
        for name in missing {
            let title = || self.tree.names.text(name).to_owned();
            self.resolved.unseen.enter(TypeOwner::Named(name), title);
        }
    }

    /// Enters the type that a guard names, if nothing declares it.
    pub(super) fn enter_unseen_type(&mut self, scope: ScopeId, type_: &DeclaredType<Name>) {
        if let Some(name) = name_of(type_)
            && self.view(scope).derived_type(&name).is_none()
        {
            let title = || self.tree.names.text(name).to_owned();
            self.resolved.unseen.enter(TypeOwner::Named(name), title);
        }
    }

    /// Notes how a reference uses the components of types that were not seen.
    pub(super) fn note_components(&mut self, scope: ScopeId, reference: &Reference, access: Access) {
        let Some((first, behind)) = reference.parts.split_first() else { return };
        let names = &self.tree.names;
        let mut type_ = self.resolved.find(scope, first.name.name).and_then(|id| self.resolved.symbol(id).type_);
        let mut owner = TypeOwner::Variable(first.name.name);
        for (part, left) in behind.iter().zip((0..behind.len()).rev()) {
            let (name, text) = (part.name.name, names.text(part.name.name));
            let structure = match type_.and_then(|type_| type_.derived()) {
                Some(id) => id,
                None if type_.is_some_and(|type_| is_complex_part(type_.base, text)) => return,
                None => self.enter_unseen(owner),
            };
            let holder = match self.resolved.member(structure, text) {
                Member::Component(component, holder) => {
                    type_ = component.type_;
                    holder
                }
                Member::Doubtful(open) => {
                    let open = match self.resolved.unseen.table(open) {
                        Some(_) => open,
                        None => self.enter_unseen(TypeOwner::Extension(open)),
                    };
                    self.of_components.entry((open, name)).or_default().add_part(part, left == 0, access);
                    type_ = None;
                    open
                }
                Member::Binding(..) | Member::Absent => return,
            };
            owner = TypeOwner::Component(holder, name);
        }
    }

    fn enter_unseen(&mut self, owner: TypeOwner) -> TypeId {
        let names = &self.tree.names;
        let title = match owner {
            TypeOwner::Named(name) | TypeOwner::Variable(name) => names.text(name).to_owned(),
            TypeOwner::Extension(id) => self.resolved.derived_type(id).map_or("", |table| &table.name).to_owned(),
            TypeOwner::Component(id, name) => {
                let of = self.resolved.derived_type(id).map_or("", |table| &table.name);
                format!("{of}%{}", names.text(name))
            }
        };
        self.resolved.unseen.enter(owner, || title)
    }

    /// Lets the evidence decide about the components of types that were not seen.
    pub(super) fn conclude_components(&mut self) {
        let mut known: BTreeMap<(TypeId, Name), Component> = BTreeMap::new();
        let unseen = &self.resolved.unseen;
        for (&(id, name), evidence) in &self.of_components {
            let structure = unseen.find(TypeOwner::Component(id, name));
            let rank = evidence.component_rank();
            if rank == 0 && structure.is_none() && !evidence.is_procedure {
                continue;
            }
            let component = Component {
                name: self.tree.names.text(name).to_owned(),
                type_: structure.map(|id| SymbolType::plain(BaseType::Derived(id))),
                shape: (rank > 0).then(|| Shape::of_rank(rank)),
                properties: Properties::default(),
                is_procedure: rank == 0 && evidence.is_procedure,
            };
            known.insert((id, name), component);
        }
        for ((id, _), component) in known {
            self.resolved.unseen.add(id, component);
        }
    }
}

/// The name of a derived type.
fn name_of(type_: &DeclaredType<Name>) -> Option<Name> {
    match type_.base {
        DeclaredBase::Derived(name) | DeclaredBase::Class(name) => Some(name),
        DeclaredBase::Known(_) | DeclaredBase::Structure(_) => None,
    }
}
