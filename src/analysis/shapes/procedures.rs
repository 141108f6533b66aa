//! Which procedure of a file, or of another one, a name means.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::names::{Resolved, SymbolId, SymbolKind};
use crate::procedures::FileProcedures;
use crate::syntax::{StatementKind, Subprogram, Tree, UnitId, UnitKind};
use crate::workspace::Project;

/// A procedure that a name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meant {
    /// One of this file.
    Here(UnitId),
    /// One in another file: the file, the module (empty for external ones) and the name.
    Elsewhere(PathBuf, String, String),
}

/// The procedures of a file by their names, and the external ones of other files.
#[derive(Debug)]
pub struct ProcedureNames<'v> {
    project: &'v Project,
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

impl<'v> ProcedureNames<'v> {
    /// Those of a file.
    pub fn new(procedures: &FileProcedures<'_>, project: &'v Project) -> Self {
        let (tree, resolved) = (procedures.tree, procedures.resolved);
        let mut found = ProcedureNames { project, by_symbol: FxHashMap::default(), by_name: FxHashMap::default() };
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
        // A name that may come from a module or include file that is not there may be another procedure's.
        if of.is_dummy || of.is_pointer || of.is_doubtful || !is_procedure {
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
                let file = self.file_of_external(resolved, &of.kind, &name)?;
                Some(Meant::Elsewhere(file.to_path_buf(), String::new(), name))
            }
        }
    }

    /// The file of an external procedure of this name: of a subroutine where it is called, of a function where it is
    /// referred to, of whichever there is where a declaration leaves that open.
    fn file_of_external<'r>(&self, resolved: &'r Resolved, kind: &SymbolKind, name: &str) -> Option<&'r Path>
    where
        'v: 'r,
    {
        let subroutine = || self.project.file_of_external_subroutine(name);
        let function = || resolved.file_of_external_function(name);
        match kind {
            SymbolKind::Subroutine { .. } => subroutine(),
            SymbolKind::Function { .. } => function(),
            _ => match (subroutine(), function()) {
                (Some(_), Some(_)) => None,
                (subroutine, function) => subroutine.or(function),
            },
        }
    }
}
