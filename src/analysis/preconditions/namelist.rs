//! Namelist groups, and the statements that read them.

use crate::names::{Resolved, SymbolId, SymbolKind};
use crate::syntax::{ExpressionKind, InputOutput, Name, StatementId, StatementKind, Tree};

/// The namelist group that a statement reads or writes.
pub fn namelist_read(tree: &Tree, resolved: &Resolved, id: StatementId, transfer: &InputOutput) -> Option<Name> {
    let named = transfer.control.iter().enumerate().find_map(|(at, control)| {
        let value = control.value.as_ref()?;
        let ExpressionKind::Reference(reference) = &value.kind else { return None };
        let name = reference.as_name()?;
        let is_group = match control.keyword {
            Some(keyword) => tree.names.text(keyword.name) == "nml",
            None => at == 1,
        };
        is_group.then_some(name.name)
    })?;
    let symbol = resolved.symbol_at(id, named)?;
    matches!(resolved.symbol(symbol).kind, SymbolKind::Namelist).then_some(named)
}

/// The variables of a namelist group of this file, in order.
pub fn namelist_symbols(tree: &Tree, resolved: &Resolved, id: StatementId, group: Name) -> Vec<SymbolId> {
    let symbol = resolved.symbol_at(id, group);
    let mut found = Vec::new();
    for (other, statement) in tree.statements.iter_enumerated() {
        let StatementKind::Namelist(groups) = &statement.kind else { continue };
        for of in groups.iter().filter(|of| of.name.is_some_and(|name| name.name == group)) {
            if resolved.symbol_at(other, group) == symbol {
                found.extend(of.entities.iter().filter_map(|entity| resolved.symbol_at(other, entity.name.name)));
            }
        }
    }
    found
}
