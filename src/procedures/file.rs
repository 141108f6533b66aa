//! The procedures of a file, and which procedure a reference means.

use std::path::Path;

use oxc_index::{IndexSlice, IndexVec};
use rustc_hash::FxHashMap;

use super::effects::effects_knowing;
use super::known::Known;
use super::summaries::Summaries;
use crate::flow::{Effects, own_statements};
use crate::names::{BoundProcedure, Resolved, ScopeKind, Symbol, SymbolId, SymbolKind};
use crate::syntax::visit::walk_references;
use crate::syntax::{DummyArgument, Name, StatementId, StatementKind, Subprogram, Tree, Unit, UnitId, UnitKind};

/// Where a procedure is.
#[derive(Clone, Copy, Debug)]
pub enum Location<'a> {
    /// In this file.
    Here(UnitId),
    /// In another file of the project.
    OtherFile {
        /// The file.
        file: &'a Path,
        /// The module, lower case; `None` for an external procedure.
        module: Option<&'a str>,
        /// Its name, lower case.
        name: &'a str,
    },
}

/// The procedures of a file with what is known of them.
pub struct FileProcedures<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    own: IndexVec<UnitId, Vec<StatementId>>,
    /// Module procedures and internal ones by their symbols in the scope around them.
    by_symbol: FxHashMap<SymbolId, UnitId>,
    /// External procedures and those of modules, by module and name; `None` if the file has several of that name.
    by_name: FxHashMap<(Option<Name>, Name), Option<UnitId>>,
    /// Which functions change nothing, as far as this file tells.
    pub(super) purity: Summaries<UnitId, bool>,
}

impl<'t> FileProcedures<'t> {
    /// Those of a tree.
    pub fn new(tree: &'t Tree, resolved: &'t Resolved) -> Self {
        let mut found = FileProcedures {
            tree,
            resolved,
            own: own_statements(tree),
            by_symbol: FxHashMap::default(),
            by_name: FxHashMap::default(),
            purity: Summaries::default(),
        };
        for (id, unit) in tree.units.iter_enumerated() {
            let Some(subprogram) = found.subprogram(id) else { continue };
            let host = unit.parent.map(|host| &tree.units[host]);
            let module = host.and_then(|host| {
                let StatementKind::Module(name) = &tree.statements[host.opening?].kind else { return None };
                Some(name.name)
            });
            if unit.parent.is_none() || module.is_some() {
                let named = found.by_name.entry((module, subprogram.name.name));
                named.and_modify(|several| *several = None).or_insert(Some(id));
            }
            let around = found.own[id].last().and_then(|&last| resolved.parent_scope(resolved.scope_of(last)));
            if unit.parent.is_some()
                && let Some(symbol) = around.and_then(|around| resolved.find(around, subprogram.name.name))
            {
                found.by_symbol.entry(symbol).or_insert(id);
            }
        }
        found
    }

    /// The own statements of a unit, those of contained units left out.
    pub fn statements(&self, unit: UnitId) -> &[StatementId] {
        &self.own[unit]
    }

    /// The own statements of all units.
    pub fn all_statements(&self) -> &IndexSlice<UnitId, [Vec<StatementId>]> {
        &self.own
    }

    /// The procedures that other files may refer to, each with its module (none for external ones) and name, in source
    /// order.
    pub fn public_procedures(&self) -> Vec<(UnitId, Option<Name>, Name)> {
        let named = self.by_name.iter().filter_map(|(&(module, name), &unit)| Some((unit?, module, name)));
        let mut found: Vec<_> = named.collect();
        found.sort_unstable_by_key(|&(unit, ..)| unit);
        found
    }

    /// The statement that opens a unit, if that is a function.
    pub fn function(&self, unit: UnitId) -> Option<&'t Subprogram> {
        self.subprogram(unit).filter(|_| self.tree.units[unit].kind == UnitKind::Function)
    }

    /// The statement that opens a unit, if that is a function or a subroutine.
    pub fn subprogram(&self, unit: UnitId) -> Option<&'t Subprogram> {
        let of = &self.tree.units[unit];
        let is_procedure = matches!(of.kind, UnitKind::Function | UnitKind::Subroutine);
        let opening = of.opening.filter(|_| is_procedure)?;
        let (StatementKind::Function(subprogram) | StatementKind::Subroutine(subprogram)) =
            &self.tree.statements[opening].kind
        else {
            return None;
        };
        Some(subprogram)
    }

    /// The dummy arguments of the procedure of this file that a symbol stands for, in order: the name, lower case, and
    /// whether it is an array.
    pub fn dummies_of(&self, symbol: SymbolId) -> Option<Vec<(&'t str, bool)>> {
        let Location::Here(unit) = self.location(symbol)? else { return None };
        let (subprogram, &last) = (self.subprogram(unit)?, self.own[unit].last()?);
        let (tree, resolved) = (self.tree, self.resolved);
        let described = subprogram.dummies.iter().map(|dummy| match dummy {
            DummyArgument::Name(name) => {
                let symbol = resolved.symbol_at(last, name.name);
                let is_array = symbol.is_some_and(|symbol| resolved.symbol(symbol).shape.is_some());
                (tree.names.text(name.name), is_array)
            }
            DummyArgument::Star => ("*", false),
        });
        Some(described.collect())
    }

    /// The internal or module procedure of this file that a symbol of the scope around it stands for.
    pub fn inner(&self, symbol: SymbolId) -> Option<UnitId> {
        self.by_symbol.get(&symbol).copied()
    }

    /// Whether the file has an external procedure of a name, or several.
    pub fn has_external(&self, name: Name) -> bool {
        self.by_name.contains_key(&(None, name))
    }

    /// Whether the file has several external procedures of a name.
    pub fn has_several(&self, name: Name) -> bool {
        self.by_name.get(&(None, name)).is_some_and(Option::is_none)
    }

    /// Where the procedure is that a symbol stands for.
    pub fn location(&self, symbol: SymbolId) -> Option<Location<'_>> {
        if let Some(unit) = self.inner(symbol) {
            return Some(Location::Here(unit));
        }
        let of = self.resolved.symbol(symbol);
        let is_procedure = matches!(
            of.kind,
            SymbolKind::Function { .. } | SymbolKind::Subroutine { .. } | SymbolKind::ExternalProcedure
        );
        // What stands for a dummy procedure is not known.
        if of.is_dummy || of.is_pointer || !is_procedure {
            return None;
        }
        let is_function = !matches!(of.kind, SymbolKind::Subroutine { .. });
        if let Some(name) = self.external_name(symbol) {
            return self.external(name, is_function);
        }
        let origin = self.resolved.origin(self.tree, symbol)?;
        self.location_in(origin.module, Some(origin.file), origin.name)
    }

    /// The name of the external procedure that a symbol of a procedure stands for, if it is none of a module.
    pub fn external_name(&self, symbol: SymbolId) -> Option<&str> {
        let of = self.resolved.symbol(symbol);
        let own = Some(self.tree.names.text(of.name));
        if !of.use_associated {
            return own;
        }
        match of.kind.interface()?.is_external {
            true if of.declared.is_some() => own,
            true => self.resolved.origin(self.tree, symbol).map(|origin| origin.name),
            false => None,
        }
    }

    /// Where an external procedure is: in this file, or a function in another one.
    pub fn external<'a>(&'a self, name: &'a str, is_function: bool) -> Option<Location<'a>> {
        let own = self.tree.names.get(name).and_then(|name| self.by_name.get(&(None, name)));
        if let Some(&unit) = own {
            return unit.map(Location::Here);
        }
        // What is called is no function.
        let file = self.resolved.file_of_external_function(name).filter(|_| is_function)?;
        Some(Location::OtherFile { file, module: None, name })
    }

    /// Where a procedure of a module is, all names in lower case; the file is that of the module.
    pub fn location_in<'a>(&'a self, module: &'a str, file: Option<&'a Path>, name: &'a str) -> Option<Location<'a>> {
        if let (Some(of), Some(name)) = (self.tree.names.get(module), self.tree.names.get(name))
            && let Some(&unit) = self.by_name.get(&(Some(of), name))
        {
            return unit.map(Location::Here);
        }
        Some(Location::OtherFile { file: file?, module: Some(module), name })
    }

    /// Where the procedure is that is bound to a type, if it is known which one it is.
    pub fn location_of_bound<'a>(&'a self, bound: &BoundProcedure<'a>) -> Option<Location<'a>> {
        let (module, name) = bound.procedure?;
        self.location_in(module, self.resolved.file_of_module(module), name)
    }

    /// The procedures of the file that a unit refers to, each as often as it does.
    pub fn referenced_procedures(&self, unit: UnitId) -> Vec<UnitId> {
        let mut found = Vec::new();
        for &id in &self.own[unit] {
            walk_references(&self.tree.names, &self.tree.statements[id].kind, &mut |reference, _| {
                let Some(first) = reference.parts.first().filter(|first| !first.lists.is_empty()) else { return };
                let symbol = self.resolved.symbol_at(id, first.name.name);
                if let Some(Location::Here(unit)) = symbol.and_then(|symbol| self.location(symbol)) {
                    found.push(unit);
                }
            });
        }
        found
    }

    /// Whether a unit has internal procedures.
    pub fn has_internal(&self, unit: UnitId) -> bool {
        let is_internal = |of: &Unit| of.parent == Some(unit) && of.kind != UnitKind::InterfaceBody;
        self.tree.units.iter().any(is_internal)
    }

    /// Whether a symbol is declared in a unit, or a construct of it, and may not come from a module that was not found.
    pub fn is_local(&self, unit: UnitId, of: &Symbol) -> bool {
        let ScopeKind::Unit(owner) = self.resolved.scope_kind(of.scope) else { return true };
        owner == unit && !of.use_associated && !of.is_doubtful
    }

    /// The effects of a unit's own statements, where more is known of procedures than their declarations say.
    pub fn effects_knowing(&self, unit: UnitId, known: &Known<'_>) -> Effects {
        effects_knowing(self.tree, self.resolved, &self.own[unit], known)
    }
}
