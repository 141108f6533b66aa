//! What a file declares: the shapes of arrays, the members of COMMON blocks, the variables that a unit mentions.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::{FlowPosition, UnitFlow, canonical};
use crate::names::{Resolved, ScopeKind, SymbolId};
use crate::syntax::visit::walk_references;
use crate::syntax::{ArraySpec, NamedGroup, Reference, StatementId, StatementKind, Tree, UnitId};
use crate::values::ArrayKey;

/// The arrays that a file declares, and the members of its COMMON blocks.
#[derive(Debug, Default)]
pub struct DeclaredArrays<'t> {
    specs: FxHashMap<SymbolId, (StatementId, &'t ArraySpec)>,
    common: FxHashMap<SymbolId, String>,
    last_in_common: FxHashSet<SymbolId>,
}

impl<'t> DeclaredArrays<'t> {
    /// Those of a file.
    pub fn new(tree: &'t Tree, resolved: &Resolved) -> Self {
        let mut found = DeclaredArrays::default();
        // The blocks go on from statement to statement within a unit.
        let mut blocks: BTreeMap<(Option<UnitId>, String), Vec<SymbolId>> = BTreeMap::new();
        for (id, statement) in tree.statements.iter_enumerated() {
            if let ScopeKind::Type(_) = resolved.scope_kind(resolved.scope_of(id)) {
                continue;
            }
            for (entity, spec) in statement.kind.shapes() {
                if let Some(symbol) = resolved.symbol_at(id, entity.name.name) {
                    found.specs.insert(symbol, (id, spec));
                }
            }
            if let StatementKind::Common(groups) = &statement.kind {
                for group in groups {
                    let members = blocks.entry((tree.unit_of[id], block_name(tree, group))).or_default();
                    let named = group.entities.iter().filter_map(|entity| resolved.symbol_at(id, entity.name.name));
                    members.extend(named);
                }
            }
        }
        for ((_, block), members) in blocks {
            found.last_in_common.extend(members.last());
            for (number, &member) in members.iter().enumerate() {
                let of = resolved.symbol(member);
                // Behind an array, or in another type, it is not known which storage it has.
                let is_plain = |type_: crate::names::SymbolType| type_.kind.is_none() && type_.length.is_none();
                if of.shape.is_some() || !of.type_.is_some_and(is_plain) {
                    break;
                }
                found.common.insert(member, format!("/{block}/{number}"));
            }
        }
        found
    }

    /// The shape that an array is declared with, and the statement.
    pub fn spec(&self, symbol: SymbolId) -> Option<(StatementId, &'t ArraySpec)> {
        self.specs.get(&symbol).copied()
    }

    /// The arrays that are declared.
    pub fn specs(&self) -> impl Iterator<Item = (SymbolId, StatementId, &'t ArraySpec)> + '_ {
        self.specs.iter().map(|(&symbol, &(statement, spec))| (symbol, statement, spec))
    }

    /// A name for the storage of a scalar in a COMMON block that all units share.
    pub fn common_name(&self, symbol: SymbolId) -> Option<String> {
        self.common.get(&symbol).cloned()
    }

    /// Whether a variable is the last one of a COMMON block.
    pub fn is_last_in_common(&self, symbol: SymbolId) -> bool {
        self.last_in_common.contains(&symbol)
    }
}

fn block_name(tree: &Tree, group: &NamedGroup) -> String {
    group.name.map_or(String::new(), |name| tree.names.text(name.name).to_owned())
}

/// The name of the module that a unit is.
pub fn module_name(tree: &Tree, unit: UnitId) -> &str {
    let opening = tree.units[unit].opening.map(|opening| &tree.statements[opening].kind);
    match opening {
        Some(StatementKind::Module(name)) => tree.names.text(name.name),
        _ => "",
    }
}

/// What a unit mentions.
#[derive(Debug, Default)]
pub struct Mentioned {
    /// The variables, with their components, by the first name.
    pub variables: BTreeMap<SymbolId, BTreeSet<ArrayKey>>,
    /// The integer arrays of which it names elements, by the positions at which they may change.
    pub changed_arrays: FxHashMap<FlowPosition, Vec<ArrayKey>>,
}

impl Mentioned {
    /// What a unit with this flow mentions.
    pub fn new(tree: &Tree, resolved: &Resolved, flow: &UnitFlow) -> Self {
        let mut found = Mentioned::default();
        let mut arrays: BTreeMap<SymbolId, BTreeSet<ArrayKey>> = BTreeMap::new();
        for &id in &flow.statements {
            walk_references(&tree.names, &tree.statements[id].kind, &mut |reference, _| {
                let Some(first) = reference.parts.first() else { return };
                let Some(symbol) = resolved.symbol_at(id, first.name.name) else { return };
                let is_integer_element = is_integer_element(tree, resolved, id, symbol, reference);
                let symbol = canonical(resolved, symbol);
                if is_integer_element {
                    arrays.entry(symbol).or_default().insert(ArrayKey::new(symbol, &reference.parts));
                }
                for length in 1..=reference.parts.len() {
                    found
                        .variables
                        .entry(symbol)
                        .or_default()
                        .insert(ArrayKey::new(symbol, &reference.parts[..length]));
                }
            });
        }
        for (symbol, position) in &flow.effects.changes {
            for array in arrays.get(symbol).into_iter().flatten() {
                found.changed_arrays.entry(*position).or_default().push(array.clone());
            }
        }
        found
    }
}

/// Whether a reference, whose first name means a symbol, is an element or section of an integer array.
fn is_integer_element(
    tree: &Tree,
    resolved: &Resolved,
    id: StatementId,
    symbol: SymbolId,
    reference: &Reference,
) -> bool {
    let has_subscripts = reference.parts.last().is_some_and(|part| part.lists.len() == 1);
    let type_ = || match reference.parts.len() {
        1 => resolved.symbol(symbol).shape.as_ref().and(resolved.symbol(symbol).type_),
        _ => resolved.type_of(tree, id, reference),
    };
    has_subscripts && type_().is_some_and(|type_| type_.is_integer())
}
