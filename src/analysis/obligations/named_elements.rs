//! The elements of integer arrays that a unit names, and where these arrays may change.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::flow::{FlowPosition, UnitFlow, canonical};
use crate::names::{Resolved, SymbolId};
use crate::symbolic::Term;
use crate::syntax::Tree;
use crate::syntax::visit::walk_references;
use crate::values::ArrayKey;

/// Which element of which values: an array changes as a whole.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Element {
    /// The array.
    pub array: ArrayKey,
    /// What stands for the values that the array has had since it was changed last; `None` for those on entry.
    pub values: Option<Term>,
    /// The subscripts.
    pub subscripts: Vec<Term>,
}

/// The integer arrays of which a unit names elements, by the positions at which they may change.
pub fn changed_arrays(tree: &Tree, resolved: &Resolved, flow: &UnitFlow) -> FxHashMap<FlowPosition, Vec<ArrayKey>> {
    let mut arrays: BTreeMap<SymbolId, BTreeSet<ArrayKey>> = BTreeMap::new();
    for &id in &flow.statements {
        walk_references(&tree.names, &tree.statements[id].kind, &mut |reference, _| {
            let Some((first, rest)) = reference.parts.split_first() else { return };
            let Some(symbol) = resolved.symbol_at(id, first.name.name) else { return };
            let is_element = rest.last().unwrap_or(first).lists.len() == 1;
            let is_integer = || match rest {
                [] => {
                    let of = resolved.symbol(symbol);
                    of.shape.is_some() && of.type_.is_some_and(|type_| type_.is_integer())
                }
                _ => resolved.type_of(tree, id, reference).is_some_and(|type_| type_.is_integer()),
            };
            if is_element && is_integer() {
                let symbol = canonical(resolved, symbol);
                arrays.entry(symbol).or_default().insert(ArrayKey::new(symbol, &reference.parts));
            }
        });
    }
    let mut changed: FxHashMap<FlowPosition, Vec<ArrayKey>> = FxHashMap::default();
    for (symbol, position) in &flow.effects.changes {
        for array in arrays.get(symbol).into_iter().flatten() {
            changed.entry(*position).or_default().push(array.clone());
        }
    }
    changed
}
