//! The result of name resolution for one file, and what can be asked of it.

use oxc_index::IndexVec;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::chains::Chains;
use super::constant::{Constant, Environment, evaluate};
use super::declared::{DeclaredBinding, PassedObject};
use super::entity::Resolver;
use super::index::{LookUp, ModuleIndex, SharedSymbol, UseTarget};
use super::scopes::{Association, FILE_SCOPE, Scope, ScopeKind, Scopes, Unseen};
use super::symbol::*;
use super::unseen::{TypeOwner, UnseenTypes};
use crate::source::Span;
use crate::syntax::{Expression, Name, NameTable, Reference, StatementId, Tree};

/// Where an imported name comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The module that declares it.
    pub module: &'a str,
    /// The file of that module.
    pub file: &'a Path,
    /// Its name there.
    pub name: &'a str,
}

/// What a reference to a type-bound procedure means.
#[derive(Clone, Debug)]
pub struct BoundProcedure<'a> {
    /// The module and the name of the procedure, if it is known which one it is.
    pub procedure: Option<(&'a str, &'a str)>,
    /// Which dummy argument the object is passed to.
    pub passed: &'a PassedObject<String>,
    /// The object.
    pub object: Reference,
}

/// The names of one file, resolved.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// What there is to report, in source order.
    pub notes: Vec<(Span, NameNote)>,
    pub(super) scopes: Scopes,
    pub(super) symbols: IndexVec<SymbolId, Symbol>,
    /// For each scope the symbols it owns.
    pub(super) maps: IndexVec<ScopeId, FxHashMap<Name, SymbolId>>,
    /// How scopes nest.
    pub(super) chains: Chains,
    /// For each scope where its USE statements lead.
    pub(super) targets: IndexVec<ScopeId, Vec<UseTarget>>,
    /// For each scope of a submodule the module or submodule that is its host, if it was found.
    pub(super) hosts: IndexVec<ScopeId, Option<u32>>,
    pub(super) index: ModuleIndex,
    pub(super) types: Vec<DerivedTypeTable>,
    /// The types that are known by the uses of their components only.
    pub(super) unseen: UnseenTypes,
}

impl Resolved {
    /// The innermost scope of a statement: a unit, a BLOCK, ASSOCIATE or CHANGE TEAM construct, a guard's block of
    /// SELECT TYPE or SELECT RANK, a derived type. The header of a construct stands in the scope around it.
    pub fn scope_of(&self, statement: StatementId) -> ScopeId {
        self.scopes.of_statement.get(statement).copied().unwrap_or(FILE_SCOPE)
    }

    /// What makes a scope.
    pub fn scope_kind(&self, scope: ScopeId) -> ScopeKind {
        self.scopes.all.get(scope).map_or(ScopeKind::File, |scope| scope.kind)
    }

    /// The scope around a scope, whether or not its names can be seen inside.
    pub fn parent_scope(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scopes.all.get(scope)?.parent
    }

    /// The symbol that a name means in a statement. Every name that occurs there as the first part of a reference, as
    /// the variable of a loop, or in a declaration has one.
    pub fn symbol_at(&self, statement: StatementId, name: Name) -> Option<SymbolId> {
        self.find(self.scope_of(statement), name)
    }

    /// The symbol that a name means in a scope.
    pub fn find(&self, scope: ScopeId, name: Name) -> Option<SymbolId> {
        let mut at = Some(scope);
        while let Some(id) = at {
            match self.find_to_gate(id, name) {
                Ok(symbol) => return Some(symbol),
                Err(gate) => at = self.scope_seen_from(gate?, name),
            }
        }
        None
    }

    /// The symbol that a name means from a scope outward to the next one that imports names or hides some, or that
    /// scope.
    pub(super) fn find_to_gate(&self, scope: ScopeId, name: Name) -> Result<SymbolId, Option<ScopeId>> {
        if self.maps.get(scope).is_none() {
            return Err(None);
        }
        self.chains.find(&self.scopes, scope, name, |scope| self.maps[scope].get(&name).copied()).map_err(Some)
    }

    /// The next scope in which to look for a name that a scope does not own.
    pub(super) fn scope_seen_from(&self, scope: ScopeId, name: Name) -> Option<ScopeId> {
        let scope: &Scope = self.scopes.all.get(scope)?;
        match &scope.association {
            Association::All => scope.parent,
            Association::Listed(names) if names.contains(&name) => scope.parent,
            Association::Listed(_) | Association::Nothing => None,
        }
    }

    /// A symbol by its id, which must come from this value.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id]
    }

    /// A derived type.
    pub fn derived_type(&self, id: TypeId) -> Option<&DerivedTypeTable> {
        match id.raw().checked_sub(self.index.type_count()) {
            Some(at) => self.types.get(at as usize).or_else(|| self.unseen.table(id)),
            None => self.index.derived_type(id),
        }
    }

    /// The component that a name means in a type, inherited ones included.
    pub fn component(&self, type_: TypeId, name: &str) -> Option<&Component> {
        if let Member::Component(component, _) = self.member(type_, name) { Some(component) } else { None }
    }

    /// Whether a component in a reference is a pointer, or may be one, as its type is not known: other names may stand
    /// for what it points to.
    pub fn has_pointer_component(&self, tree: &Tree, statement: StatementId, reference: &Reference) -> bool {
        let may_be_pointer = |index: usize| {
            let object = Reference { parts: reference.parts[..index].into() };
            let type_ = self.type_of(tree, statement, &object).and_then(|type_| type_.derived());
            let component =
                type_.and_then(|type_| self.component(type_, tree.names.text(reference.parts[index].name.name)));
            component.is_none_or(|component| component.properties.pointer)
        };
        (1..reference.parts.len()).any(may_be_pointer)
    }

    /// The type-bound procedure that a reference ends with, if it does: of an object of a known type, which is the rest
    /// of it.
    pub fn binding_of(&self, tree: &Tree, statement: StatementId, reference: &Reference) -> Option<BoundProcedure<'_>> {
        let (last, object) = reference.parts.split_last()?;
        if object.is_empty() {
            return None;
        }
        let object = Reference { parts: object.iter().cloned().collect() };
        let type_ = self.type_of(tree, statement, &object)?;
        let name = tree.names.text(last.name.name);
        let Member::Binding(table, binding) = self.member(type_.derived()?, name) else { return None };
        // Of a polymorphic object, another type may bind another procedure.
        let is_static = matches!(type_.base, BaseType::Derived(_));
        let procedure = || Some((table.module.as_deref()?, binding.target.as_deref()?));
        Some(BoundProcedure { procedure: procedure().filter(|_| is_static), passed: &binding.passed, object })
    }

    /// The interface of the procedure that is bound to a type, if it is known which one that is.
    pub fn interface_of_bound(&self, bound: &BoundProcedure<'_>) -> Option<Arc<ProcedureInterface>> {
        let (module, name) = bound.procedure?;
        let UseTarget::Module(module) = self.index.target(module) else { return None };
        let LookUp::Symbol(_, shared) = self.index.find(module, name, true) else { return None };
        let (SymbolKind::Function { interface } | SymbolKind::Subroutine { interface }) = &shared.facts.kind else {
            return None;
        };
        interface.clone()
    }

    /// The file of a module of the project.
    pub fn file_of_module(&self, module: &str) -> Option<&Path> {
        self.index.file_of_module(module)
    }

    /// What a name means behind an object of a type.
    pub(super) fn member(&self, type_: TypeId, name: &str) -> Member<'_> {
        let mut at = Some(type_);
        // Chains of extension longer than this would be a ring.
        for _ in 0..256 {
            let Some(id) = at else { return Member::Absent };
            let Some(table) = self.derived_type(id) else { return Member::Absent };
            match table.by_name.get(name) {
                Some(MemberIndex::Component(index)) => {
                    let component = table.components.get(*index as usize);
                    return component.map_or(Member::Absent, |component| Member::Component(component, id));
                }
                Some(MemberIndex::Binding(index)) => {
                    let bound = |binding| Member::Binding(table, binding);
                    return table.bindings.get(*index as usize).map_or(Member::Absent, bound);
                }
                None if table.parent.is_some() => at = table.parent,
                None if !table.is_open => return Member::Absent,
                None => match self.unseen.find(TypeOwner::Extension(id)) {
                    Some(extension) => at = Some(extension),
                    None => return Member::Doubtful(id),
                },
            }
        }
        Member::Absent
    }

    /// The value of an integer constant expression of a statement; `None` when it is none, or overflows 64 bits.
    pub fn constant(&self, tree: &Tree, statement: StatementId, expression: &Expression) -> Option<i64> {
        let view = ScopeView { resolved: self, names: &tree.names, scope: self.scope_of(statement) };
        evaluate(&Constant::of(expression, &tree.names), &view)
    }

    /// Where a name that was imported through USE comes from.
    pub fn origin<'a>(&'a self, tree: &'a Tree, symbol: SymbolId) -> Option<Origin<'a>> {
        let of = self.symbol(symbol);
        let LookUp::Symbol(id, shared) = self.find_used(of.scope, of.name, &tree.names) else { return None };
        let (module, file) = self.index.module(id)?;
        Some(Origin { module, file, name: &shared.name })
    }

    /// The file of the project with an external function of this name.
    pub fn file_of_external_function(&self, name: &str) -> Option<&Path> {
        self.index.file_of_external_function(name)
    }

    /// All files of the project with an external function of this name.
    pub fn files_of_external_function(&self, name: &str) -> &[std::path::PathBuf] {
        self.index.files_of_external_function(name)
    }

    /// The modules of the project that the scopes from this one outward use, innermost first, each with its USE's
    /// place.
    pub fn used_modules(&self, scope: ScopeId) -> Vec<(&str, Span)> {
        let mut used = Vec::new();
        let mut at = Some(scope);
        while let Some(id) = at {
            let Some(current) = self.scopes.all.get(id) else { break };
            for (declared, target) in current.uses.iter().zip(&self.targets[id]) {
                if let UseTarget::Module(module) = target
                    && let Some(name) = self.index.module_name(*module)
                {
                    used.push((name, declared.place.1));
                }
            }
            at = match current.association {
                Association::Nothing => None,
                Association::All | Association::Listed(_) => current.parent,
            };
        }
        used
    }

    /// Looks a name up in what a scope uses.
    pub(super) fn find_used<'a>(&'a self, scope: ScopeId, name: Name, names: &'a NameTable) -> LookUp<'a> {
        let (Some(current), Some(targets)) = (self.scopes.all.get(scope), self.targets.get(scope)) else {
            return LookUp::Absent;
        };
        let mut best = LookUp::Absent;
        for unseen in &current.unseen {
            match unseen {
                Unseen::Anything => best = LookUp::Doubtful,
                Unseen::Library(external) if external.may_declare(names.text(name)) => return LookUp::External(None),
                Unseen::Library(_) => {}
            }
        }
        let uses = current.uses.iter().zip(targets).filter_map(|(declared, target)| {
            declared.remote(&name).map(|remote| (names.text(*remote), *target, false))
        });
        let host =
            self.hosts.get(scope).copied().flatten().map(|host| (names.text(name), UseTarget::Module(host), true));
        for (text, target, host_view) in uses.chain(host) {
            let found = match target {
                UseTarget::Module(id) => self.index.find(id, text, host_view),
                UseTarget::External(external) if external.declares_anything() => LookUp::Doubtful,
                UseTarget::External(external) if external.may_declare(text) => {
                    LookUp::External(super::external::external_constant(text))
                }
                UseTarget::External(_) => LookUp::Absent,
                UseTarget::Missing => LookUp::Doubtful,
            };
            match (found, best) {
                (LookUp::Symbol(..), _) => return found,
                (LookUp::External(_), _) | (LookUp::Doubtful, LookUp::Absent) => best = found,
                _ => {}
            }
        }
        best
    }
}

/// What a name means behind an object.
pub(super) enum Member<'a> {
    /// A component, and the type that has it.
    Component(&'a Component, TypeId),
    /// A type-bound procedure, and the type that binds it.
    Binding(&'a DerivedTypeTable, &'a DeclaredBinding<String>),
    /// Nothing that was seen, but this type may have more.
    Doubtful(TypeId),
    /// Nothing.
    Absent,
}

/// Whether a name behind an object of an intrinsic type is a part of it (R915, R914 and type parameters).
pub(super) fn is_complex_part(base: BaseType, name: &str) -> bool {
    match name {
        "re" | "im" => matches!(base, BaseType::Complex | BaseType::DoubleComplex),
        "kind" => true,
        "len" => base == BaseType::Character,
        _ => false,
    }
}

/// The environment of constant expressions in a scope.
pub(super) struct ScopeView<'a> {
    pub(super) resolved: &'a Resolved,
    pub(super) names: &'a NameTable,
    pub(super) scope: ScopeId,
}

/// What a name means, whether or not it has a symbol in the file yet.
enum Seen<'a> {
    Own(&'a Symbol),
    Shared(&'a SharedSymbol),
    External(Option<i64>),
}

impl<'a> ScopeView<'a> {
    fn see(&self, name: Name) -> Option<Seen<'a>> {
        let mut at = Some(self.scope);
        while let Some(id) = at {
            let gate = match self.resolved.find_to_gate(id, name) {
                Ok(symbol) => return Some(Seen::Own(self.resolved.symbol(symbol))),
                Err(gate) => gate?,
            };
            match self.resolved.find_used(gate, name, self.names) {
                LookUp::Symbol(_, shared) => return Some(Seen::Shared(shared)),
                LookUp::External(value) => return Some(Seen::External(value)),
                LookUp::Doubtful | LookUp::Absent => at = self.resolved.scope_seen_from(gate, name),
            }
        }
        None
    }
}

impl Environment<Name> for ScopeView<'_> {
    fn text<'n>(&'n self, name: &'n Name) -> &'n str {
        self.names.text(*name)
    }

    fn parameter(&self, name: &Name) -> Option<i64> {
        let kind = match self.see(*name)? {
            Seen::Own(symbol) => &symbol.kind,
            Seen::Shared(shared) => &shared.facts.kind,
            Seen::External(value) => return value,
        };
        if let SymbolKind::Parameter(value) = kind { *value } else { None }
    }

    fn elements(&self, name: &Name) -> Option<Arc<[i64]>> {
        match self.see(*name)? {
            Seen::Own(symbol) => symbol.elements.clone(),
            Seen::Shared(shared) => shared.facts.elements.clone(),
            Seen::External(_) => None,
        }
    }

    fn bounds(&self, name: &Name) -> Option<Vec<Bounds>> {
        let shape = match self.see(*name)? {
            Seen::Own(symbol) => symbol.shape.as_ref(),
            Seen::Shared(shared) => shared.facts.shape.as_ref(),
            Seen::External(_) => None,
        };
        shape.map(|shape| shape.bounds.clone())
    }

    fn type_of(&self, name: &Name) -> Option<SymbolType> {
        match self.see(*name)? {
            Seen::Own(symbol) => symbol.type_,
            Seen::Shared(shared) => shared.facts.type_,
            Seen::External(_) => None,
        }
    }

    fn is_declared(&self, name: &Name) -> bool {
        match self.see(*name) {
            Some(Seen::Own(symbol)) => !matches!(symbol.kind, SymbolKind::Intrinsic),
            Some(Seen::Shared(shared)) => !matches!(shared.facts.kind, SymbolKind::Intrinsic),
            Some(Seen::External(_)) => true,
            None => false,
        }
    }
}

impl Resolver<Name> for ScopeView<'_> {
    fn derived_type(&self, name: &Name) -> Option<TypeId> {
        let declared = match self.see(*name) {
            Some(Seen::Own(symbol)) => Some((&symbol.kind, symbol.type_)),
            Some(Seen::Shared(shared)) => Some((&shared.facts.kind, shared.facts.type_)),
            Some(Seen::External(_)) | None => None,
        };
        let declared = declared.filter(|(kind, _)| matches!(kind, SymbolKind::DerivedType));
        let declared = declared.and_then(|(_, type_)| type_?.derived());
        declared.or_else(|| self.resolved.unseen.find(TypeOwner::Named(*name)))
    }

    fn own_type(&self, index: u32) -> TypeId {
        TypeId::from_raw(self.resolved.index.type_count() + index)
    }
}
