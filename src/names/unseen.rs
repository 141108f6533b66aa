//! What a file says of derived types whose declarations were not found, by the uses of their components: `t%x(i) = 1`
//! makes `x` an array in the type of `t`.
//!
//! Such a type is told by its name; where not even that is known, by the variable or component that has it.

use rustc_hash::FxHashMap;

use super::symbol::{Component, DerivedTypeTable, MemberIndex, TypeId};
use crate::syntax::Name;

/// By what a type is told whose declaration was not found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeOwner {
    /// Its name.
    Named(Name),
    /// The name of the variables that have it.
    Variable(Name),
    /// The component that has it, by its type.
    Component(TypeId, Name),
    /// It is what a type has beyond what was seen of it.
    Extension(TypeId),
}

/// The derived types of a file whose declarations were not found.
#[derive(Clone, Debug, Default)]
pub struct UnseenTypes {
    /// The id of the first.
    first: u32,
    tables: Vec<DerivedTypeTable>,
    by_owner: FxHashMap<TypeOwner, TypeId>,
}

impl UnseenTypes {
    /// No types; the ids of those to come begin with this one.
    pub fn starting_at(first: u32) -> Self {
        UnseenTypes { first, ..UnseenTypes::default() }
    }

    /// The type with this owner, if there was one.
    pub fn find(&self, owner: TypeOwner) -> Option<TypeId> {
        self.by_owner.get(&owner).copied()
    }

    /// The components of a type, as far as they are known by their uses.
    pub fn table(&self, id: TypeId) -> Option<&DerivedTypeTable> {
        self.tables.get(id.raw().checked_sub(self.first)? as usize)
    }

    /// The type with this owner; of a new one `title` makes the name.
    pub fn enter(&mut self, owner: TypeOwner, title: impl FnOnce() -> String) -> TypeId {
        let next = TypeId::from_raw(self.first + self.tables.len() as u32);
        let id = *self.by_owner.entry(owner).or_insert(next);
        if id == next {
            self.tables.push(DerivedTypeTable { name: title(), is_open: true, ..DerivedTypeTable::default() });
        }
        id
    }

    /// Adds a component to a type.
    pub fn add(&mut self, id: TypeId, component: Component) {
        let at = id.raw().checked_sub(self.first).map(|at| at as usize);
        if let Some(table) = at.and_then(|at| self.tables.get_mut(at)) {
            let index = MemberIndex::Component(table.components.len() as u32);
            table.by_name.insert(component.name.clone(), index);
            table.components.push(component);
        }
    }
}
