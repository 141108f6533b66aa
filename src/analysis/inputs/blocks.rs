//! COMMON blocks: where variables stand in them. Units that lay a block out alike share its variables one by one.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::names::{Bounds, Resolved, ScopeKind, SymbolId};
use crate::syntax::{StatementKind, Tree, UnitId};

/// The COMMON blocks of the units of a file.
#[derive(Debug, Default)]
pub struct CommonBlocks(BTreeMap<UnitId, Vec<CommonBlock>>);

/// A COMMON block as a unit lays it out.
#[derive(Debug)]
pub struct CommonBlock {
    /// Its name; empty for blank COMMON.
    pub name: String,
    /// Types and shapes of its variables in order, and whether one is EQUIVALENCE.
    pub layout: String,
    members: Vec<SymbolId>,
}

impl CommonBlock {
    /// The place of a variable among those of the block.
    pub fn place(&self, symbol: SymbolId) -> Option<usize> {
        self.members.iter().position(|member| *member == symbol)
    }
}

impl CommonBlocks {
    /// Those of a file. A block goes on from statement to statement.
    pub fn new(tree: &Tree, resolved: &Resolved) -> Self {
        let mut found: BTreeMap<UnitId, Vec<CommonBlock>> = BTreeMap::new();
        for (id, statement) in tree.statements.iter_enumerated() {
            let StatementKind::Common(groups) = &statement.kind else { continue };
            let ScopeKind::Unit(unit) = resolved.scope_kind(resolved.scope_of(id)) else { continue };
            let blocks = found.entry(unit).or_default();
            for group in groups {
                let name = group.name.map_or(String::new(), |name| tree.names.text(name.name).to_owned());
                let at = blocks.iter().position(|block| block.name == name).unwrap_or_else(|| {
                    blocks.push(CommonBlock { name, layout: String::new(), members: Vec::new() });
                    blocks.len() - 1
                });
                let members = group.entities.iter().filter_map(|entity| resolved.symbol_at(id, entity.name.name));
                blocks[at].members.extend(members);
            }
        }
        let path = &tree.source.texts.root().path;
        for block in found.values_mut().flatten() {
            for &member in &block.members {
                let of = resolved.symbol(member);
                let is_plain = of.type_.is_some_and(|type_| type_.derived().is_none()) && !of.equivalenced;
                let shape = of.shape.as_ref();
                let is_bounded = |bounds: &Bounds| bounds.lower.is_some() && bounds.upper.is_some();
                let is_known = is_plain && shape.is_none_or(|shape| shape.bounds.iter().all(is_bounded));
                // What is not known is like nothing else.
                let alone = if is_known { String::new() } else { format!("{} {member:?}", path.display()) };
                let _ = write!(block.layout, "{:?} {shape:?} {alone};", of.type_);
            }
        }
        CommonBlocks(found)
    }

    /// Those of a unit.
    pub fn of_unit(&self, unit: UnitId) -> &[CommonBlock] {
        self.0.get(&unit).map_or(&[], Vec::as_slice)
    }
}
