//! Which procedure of a file, or of another one, a name means.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::names::{Resolved, SymbolId, SymbolKind};
use crate::procedures::FileProcedures;
use crate::syntax::{StatementKind, Subprogram, Tree, UnitId, UnitKind};

/// A procedure that a name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meant {
    /// One of this file.
    Here(UnitId),
    /// One in another file: the file, the module (empty for external ones) and the name.
    Elsewhere(PathBuf, String, String),
}

/// The procedures of a file by their names.
#[derive(Debug, Default)]
pub struct ProcedureNames {
    by_symbol: FxHashMap<SymbolId, UnitId>,
    /// External procedures, and those of modules by the module; `None` if there are several of that name.
    by_name: FxHashMap<(String, String), Option<UnitId>>,
}

/// The statement that opens a procedure.
pub fn subprogram(tree: &Tree, unit: UnitId) -> Option<&Subprogram> {
    let of = &tree.units[unit];
    if !matches!(of.kind, UnitKind::Subroutine | UnitKind::Function) {
        return None;
    }
    match &tree.statements[of.opening?].kind {
        StatementKind::Subroutine(subprogram) | StatementKind::Function(subprogram) => Some(subprogram),
        _ => None,
    }
}

/// The module that a unit stands in; empty outside of modules.
pub fn module_of(tree: &Tree, unit: UnitId) -> String {
    let host = tree.units[unit].parent.and_then(|host| tree.units[host].opening);
    match host.map(|opening| &tree.statements[opening].kind) {
        Some(StatementKind::Module(name)) => tree.names.text(name.name).to_owned(),
        _ => String::new(),
    }
}

impl ProcedureNames {
    /// Those of a file.
    pub fn new(procedures: &FileProcedures<'_>) -> Self {
        let (tree, resolved) = (procedures.tree, procedures.resolved);
        let mut found = ProcedureNames::default();
        for (id, unit) in tree.units.iter_enumerated() {
            let Some(subprogram) = subprogram(tree, id) else { continue };
            let name = tree.names.text(subprogram.name.name).to_owned();
            let module = module_of(tree, id);
            if unit.parent.is_none() || !module.is_empty() {
                let named = found.by_name.entry((module, name));
                named.and_modify(|several| *several = None).or_insert(Some(id));
            }
            let last = procedures.statements(id).last();
            let around = last.and_then(|&last| resolved.parent_scope(resolved.scope_of(last)));
            if unit.parent.is_some()
                && let Some(symbol) = around.and_then(|around| resolved.find(around, subprogram.name.name))
            {
                found.by_symbol.entry(symbol).or_insert(id);
            }
        }
        found
    }

    /// The procedure that a symbol means.
    pub fn meant(&self, tree: &Tree, resolved: &Resolved, symbol: SymbolId) -> Option<Meant> {
        if let Some(&unit) = self.by_symbol.get(&symbol) {
            return Some(Meant::Here(unit));
        }
        let of = resolved.symbol(symbol);
        let is_procedure = matches!(
            of.kind,
            SymbolKind::Function { .. } | SymbolKind::Subroutine { .. } | SymbolKind::ExternalProcedure
        );
        if of.is_dummy || of.is_pointer || !is_procedure {
            return None;
        }
        if let Some(origin) = resolved.origin(tree, symbol) {
            let key = (origin.module.to_owned(), origin.name.to_owned());
            return match self.by_name.get(&key) {
                Some(unit) => unit.map(Meant::Here),
                None => Some(Meant::Elsewhere(origin.file.to_path_buf(), key.0, key.1)),
            };
        }
        let name = tree.names.text(of.name).to_owned();
        match self.by_name.get(&(String::new(), name.clone())) {
            Some(unit) => unit.map(Meant::Here),
            None => {
                // A CALL means a subroutine, whatever functions there are of the name.
                if matches!(of.kind, SymbolKind::Subroutine { .. }) {
                    return None;
                }
                let file = resolved.file_of_external_function(&name)?;
                Some(Meant::Elsewhere(file.to_path_buf(), String::new(), name))
            }
        }
    }
}
