//! Names to what they stand for: scopes, symbols, types and shapes, modules, constant expressions.
//!
//! First every file of a project is [summarised](summarise): what its modules declare, as owned data. The summaries
//! make one [`ModuleIndex`]. With it each file is [resolved](resolve()) on its own, in any order and in parallel; the
//! result is a [`Resolved`], which says for a name in a statement which [`Symbol`] it means, for a reference what each
//! of its parts is ([`PartClass`]), and for an expression its value if it is an integer constant.
//!
//! Glossary. *Scope*: a program unit, a construct with names of its own, a derived type. *Host association*: a
//! contained scope sees the names around it. *Use association*: names that come through USE. *Declared*: said by a
//! specification statement, as opposed to implied by a first letter. *Doubtful*: a name that may come from a module,
//! include file or statement that was not found or not understood; with a list behind it, it may be anything.
//!
//! Steps, one file each: `scopes` (which statement stands in which scope), `declare` (specification statements to
//! declarations), `summary` and `index` (modules), `resolve` and `evidence` (symbols), `components` (of types that
//! were not found), `classify` (references), `doubt` (what rests on something that was not found).

#![deny(clippy::wildcard_enum_match_arm)]

mod chains;
mod classify;
mod components;
#[allow(clippy::wildcard_enum_match_arm, reason = "what cannot be evaluated is unknown, whatever it is")]
mod constant;
mod declare;
mod declare_entities;
pub mod declared;
mod doubt;
mod dump;
mod entity;
mod evidence;
pub mod external;
mod generic;
pub mod index;
mod interface;
mod resolve;
mod resolved;
mod scopes;
mod summary;
pub mod symbol;
mod unseen;

#[cfg(test)]
#[allow(clippy::wildcard_enum_match_arm, reason = "a test fails on what it does not expect")]
mod tests;

pub use classify::PartClasses;
pub use declared::{DeclaredBinding, ModuleSummary, PassedObject, Properties};
pub use doubt::Doubt;
pub use generic::Specific;
pub use index::ModuleIndex;
pub use resolved::{BoundProcedure, Origin, Resolved};
pub use scopes::ScopeKind;
pub use summary::external_subroutines;
pub use symbol::*;

use crate::syntax::Tree;

/// What other files need of a file: its modules and submodules, and the names of its external functions.
pub fn summarise(tree: &Tree) -> Vec<ModuleSummary> {
    if !summary::has_modules(tree) {
        return summary::summary_outside_modules(tree).into_iter().collect();
    }
    summary::summaries_of(tree, &declare::declare(tree))
}

/// Resolves the names of a file. Its own modules need not be in the index.
pub fn resolve(tree: &Tree, index: &ModuleIndex) -> Resolved {
    resolve::resolve_tree(tree, index)
}
