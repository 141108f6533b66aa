//! From declarations to symbols: every declared name, every name that comes through USE, every implicit one.
//!
//! Order of work: the file's modules go on top of the project's index; declared names become symbols and their types,
//! bounds and values are evaluated in source order; statement functions are told from array assignments; then all
//! statements are walked, names that occur are looked up (and imported or implicitly declared), and how they are used
//! is noted; at the end that evidence decides what undeclared names are.

use oxc_index::{IndexVec, index_vec};
use rustc_hash::{FxHashMap, FxHashSet};

use super::chains::Chains;
use super::declare::{Declarations, declare, implicit_type};
use super::declared::Properties;
use super::entity::{Facts, facts, resolve_derived_type, resolve_type};
use super::evidence::Evidence;
use super::index::{LookUp, ModuleIndex, UseTarget};
use super::resolved::{Resolved, ScopeView};
use super::scopes::{FILE_SCOPE, ScopeKind, Scopes};
use super::summary::{declared_type, summaries_of, summary_name};
use super::symbol::*;
use super::unseen::UnseenTypes;
use crate::source::Span;
use crate::syntax::visit::{Access, StatementVisitor, Visitor, walk_expression, walk_reference, walk_statement};
use crate::syntax::*;

/// Resolution in progress.
pub(super) struct Resolution<'t> {
    pub(super) tree: &'t Tree,
    pub(super) resolved: Resolved,
    /// For each symbol how it is used.
    pub(super) evidence: IndexVec<SymbolId, Evidence>,
    /// How the components are used of types that were not seen.
    pub(super) of_components: FxHashMap<(TypeId, Name), Evidence>,
    /// For each scope the names that its USE statements do not give: whether they might.
    absent: IndexVec<ScopeId, FxHashMap<Name, bool>>,
    /// The scopes that headers and guards open.
    opened_by: FxHashMap<StatementId, ScopeId>,
}

/// Resolves the names of a tree.
pub fn resolve_tree(tree: &Tree, index: &ModuleIndex) -> Resolved {
    let declarations = declare(tree);
    let own = summaries_of(tree, &declarations);
    let index = if own.is_empty() { index.clone() } else { index.with(own) };
    let count = declarations.scopes.all.len();
    let mut resolved = Resolved {
        notes: Vec::new(),
        scopes: Scopes::default(),
        symbols: IndexVec::new(),
        maps: index_vec![FxHashMap::default(); count],
        chains: Chains::default(),
        targets: IndexVec::with_capacity(count),
        hosts: index_vec![None; count],
        index,
        types: Vec::with_capacity(declarations.types.len()),
        unseen: UnseenTypes::default(),
    };
    resolved.unseen = UnseenTypes::starting_at(resolved.index.type_count() + declarations.types.len() as u32);
    let mut resolution = Resolution {
        tree,
        resolved,
        evidence: IndexVec::new(),
        of_components: FxHashMap::default(),
        absent: index_vec![FxHashMap::default(); count],
        opened_by: FxHashMap::default(),
    };
    resolution.run(declarations);
    resolution.resolved
}

impl Resolution<'_> {
    fn run(&mut self, declarations: Declarations) {
        let scopes_of_types = declarations.types.iter().map(|&(scope, ..)| scope);
        let types: Vec<_> =
            scopes_of_types.zip(0..).map(|(scope, index)| (scope, declared_type(&declarations, index))).collect();
        self.resolved.scopes = declarations.scopes;
        self.find_modules();
        let hosts = &self.resolved.hosts;
        self.resolved.chains = Chains::new(&self.resolved.scopes, |scope| hosts[scope].is_some());
        self.enter_declared();
        let parents = types.iter().filter_map(|(scope, declared)| Some((*scope, declared.parent?)));
        self.enter_unseen_types(parents);
        self.evaluate_declared();
        for (scope, declared) in types {
            let module = self.module_around(scope);
            let table = resolve_derived_type(&declared, module, &self.view(scope));
            self.resolved.types.push(table);
        }
        self.enter_separate_procedures();
        self.decide_statement_functions();
        self.walk();
        self.conclude();
    }

    /// The name of the module whose specification part a scope stands in.
    fn module_around(&self, scope: ScopeId) -> Option<&'_ str> {
        let unit = self.resolved.scopes.unit_scope(scope);
        let ScopeKind::Unit(unit) = self.resolved.scope_kind(unit) else { return None };
        let StatementKind::Module(name) = &self.tree.statements[self.tree.units[unit].opening?].kind else {
            return None;
        };
        Some(self.tree.names.text(name.name))
    }

    pub(super) fn view(&self, scope: ScopeId) -> ScopeView<'_> {
        ScopeView { resolved: &self.resolved, names: &self.tree.names, scope }
    }

    /// Finds the modules that USE statements name, and the hosts of submodules.
    fn find_modules(&mut self) {
        let mut reported: FxHashSet<Name> = FxHashSet::default();
        let mut rings: FxHashSet<String> = FxHashSet::default();
        let names = &self.tree.names;
        for id in self.resolved.scopes.all.indices() {
            let scope = &self.resolved.scopes.all[id];
            let opening = if let ScopeKind::Unit(unit) = scope.kind { self.tree.units[unit].opening } else { None };
            let module = summary_name(self.tree, opening);
            let mut targets = Vec::with_capacity(scope.uses.len());
            for declared in &scope.uses {
                let used = names.text(declared.module);
                let target = self.resolved.index.target(used);
                targets.push(target);
                if target == UseTarget::Missing && reported.insert(declared.module) {
                    self.resolved.notes.push((declared.place.1, NameNote::ModuleNotFound(used.to_owned())));
                }
                if let Some((user, _)) = &module
                    && let Some(ring) = self.resolved.index.ring(user, used)
                    && rings.insert(ring.to_owned())
                {
                    self.resolved.notes.push((declared.place.1, NameNote::CircularUse(ring.to_owned())));
                }
            }
            if let Some((_, Some(host))) = &module {
                match self.resolved.index.target(host) {
                    UseTarget::Module(module) => self.resolved.hosts[id] = Some(module),
                    UseTarget::External(_) | UseTarget::Missing => self.report_missing_host(id, opening, host),
                }
            }
            self.resolved.targets.push(targets);
        }
        self.resolved.notes.sort_by_key(|(span, _)| (span.start, span.end));
    }

    /// A submodule whose ancestor is missing may know any name.
    fn report_missing_host(&mut self, scope: ScopeId, opening: Option<StatementId>, host: &str) {
        self.resolved.scopes.all[scope].note_unseen(super::scopes::Unseen::Anything);
        if let Some(StatementKind::Submodule { ancestor, .. }) =
            opening.and_then(|id| self.tree.statements.get(id)).map(|statement| &statement.kind)
        {
            self.resolved.notes.push((ancestor.span, NameNote::ModuleNotFound(host.to_owned())));
        }
    }

    /// Makes a symbol of each declaration, without facts so far; derived types have their ids.
    fn enter_declared(&mut self) {
        let declared = self.resolved.scopes.all.iter().map(|scope| scope.symbols.len()).sum();
        self.resolved.symbols.reserve(declared);
        self.evidence.reserve(declared);
        for scope in self.resolved.scopes.all.indices() {
            let is_type = matches!(self.resolved.scopes.all[scope].kind, ScopeKind::Type(_));
            for index in 0..self.resolved.scopes.all[scope].symbols.len() {
                let declared = &self.resolved.scopes.all[scope].symbols[index];
                let (name, place, properties) = (declared.name, declared.declared, declared.properties);
                let is_constant = matches!(declared.kind, super::declared::DeclaredKind::Parameter(_));
                if is_type && !is_constant {
                    continue;
                }
                let mut facts = Facts::unknown();
                if let super::declared::DeclaredKind::DerivedType(index) = declared.kind {
                    let id = TypeId::from_raw(self.resolved.index.type_count() + index);
                    facts.kind = SymbolKind::DerivedType;
                    facts.type_ = Some(SymbolType::plain(BaseType::Derived(id)));
                }
                self.enter(scope, name, facts, properties, place);
            }
        }
    }

    /// Adds a symbol to a scope.
    pub(super) fn enter(
        &mut self,
        scope: ScopeId,
        name: Name,
        facts: Facts,
        properties: Properties,
        declared: Option<Span>,
    ) -> SymbolId {
        let unit = if let ScopeKind::Unit(unit) = self.resolved.scopes.get(scope).kind { Some(unit) } else { None };
        let in_module =
            unit.is_some_and(|unit| matches!(self.tree.units[unit].kind, UnitKind::Module | UnitKind::Submodule));
        let id = self.resolved.symbols.push(Symbol {
            name,
            scope,
            kind: facts.kind,
            type_: facts.type_,
            shape: facts.shape,
            declared,
            is_doubtful: false,
            is_dummy: properties.dummy,
            is_result: properties.result,
            intent: properties.intent,
            in_common: properties.in_common,
            use_associated: in_module,
            is_pointer: properties.pointer,
            is_allocatable: properties.allocatable,
            is_target: properties.target,
            is_optional: properties.optional,
            is_value: properties.value,
            is_saved: properties.saved,
            is_volatile: properties.volatile,
            equivalenced: properties.equivalenced,
            elements: facts.elements,
        });
        self.evidence.push(Evidence::default());
        self.resolved.maps[scope].insert(name, id);
        self.resolved.chains.enter(scope, name);
        id
    }

    /// Evaluates types, bounds and values in source order, hosts before what they contain.
    fn evaluate_declared(&mut self) {
        for scope in self.resolved.scopes.all.indices() {
            for position in 0..self.resolved.scopes.all[scope].order.len() {
                let current = &self.resolved.scopes.all[scope];
                let declared = &current.symbols[current.order[position] as usize];
                let Some(&id) = self.resolved.maps[scope].get(&declared.name) else { continue };
                // A generic name is touched by each of its specific procedures, but depends on nothing.
                if matches!(self.resolved.symbol(id).kind, SymbolKind::Generic { .. }) {
                    continue;
                }
                let facts = facts(declared, &self.view(scope));
                let symbol = &mut self.resolved.symbols[id];
                symbol.kind = facts.kind;
                symbol.type_ = facts.type_;
                symbol.shape = facts.shape;
                symbol.elements = facts.elements;
            }
        }
    }

    /// R1538: a separate module procedure has the dummies and the result of its interface.
    fn enter_separate_procedures(&mut self) {
        for (id, unit) in self.tree.units.iter_enumerated() {
            let opening = unit.opening.and_then(|id| self.tree.statements.get(id));
            let Some(StatementKind::ModuleProcedure { names, .. }) = opening.map(|statement| &statement.kind) else {
                continue;
            };
            let (UnitKind::ModuleProcedure, Some(name)) = (unit.kind, names.first()) else { continue };
            let scope = Scopes::of_unit(id);
            let Some(host) = self.resolved.scopes.get(scope).parent else { continue };
            let Ok(id) = self.lookup(host, name.name) else { continue };
            let Some(interface) = self.resolved.symbol(id).kind.interface().cloned() else { continue };
            for dummy in interface.dummies.iter().chain(&interface.result) {
                let Some(name) = self.tree.names.get(&dummy.name) else { continue };
                if self.resolved.maps[scope].contains_key(&name) {
                    continue;
                }
                let kind = if dummy.is_procedure { SymbolKind::ExternalProcedure } else { SymbolKind::Variable };
                let facts = Facts { kind, type_: dummy.type_, shape: dummy.shape.clone(), elements: None };
                self.enter(scope, name, facts, dummy.properties, None);
            }
        }
    }

    /// The symbol that a name means in a scope, imported if need be; otherwise whether it may exist unseen.
    pub(super) fn lookup(&mut self, scope: ScopeId, name: Name) -> Result<SymbolId, bool> {
        let mut doubtful = false;
        let mut at = Some(scope);
        while let Some(id) = at {
            let gate = match self.resolved.find_to_gate(id, name) {
                Ok(symbol) => return Ok(symbol),
                Err(gate) => gate.unwrap_or(FILE_SCOPE),
            };
            match self.import(gate, name) {
                Ok(symbol) => return Ok(symbol),
                Err(may_exist) => doubtful |= may_exist,
            }
            at = self.resolved.scope_seen_from(gate, name);
        }
        Err(doubtful)
    }

    /// Imports a name through the USE statements of one scope.
    fn import(&mut self, scope: ScopeId, name: Name) -> Result<SymbolId, bool> {
        let current = &self.resolved.scopes.all[scope];
        if current.uses.is_empty() && current.unseen.is_empty() && self.resolved.hosts[scope].is_none() {
            return Err(false);
        }
        if let Some(&doubtful) = self.absent[scope].get(&name) {
            return Err(doubtful);
        }
        let (facts, properties, is_external) = match self.resolved.find_used(scope, name, &self.tree.names) {
            LookUp::Symbol(_, shared) => (shared.facts.clone(), shared.properties, false),
            LookUp::External(value) => {
                let kind = value.map_or(SymbolKind::Unknown, |value| SymbolKind::Parameter(Some(value)));
                (Facts { kind, ..Facts::unknown() }, Properties::default(), true)
            }
            LookUp::Doubtful => {
                self.absent[scope].insert(name, true);
                return Err(true);
            }
            LookUp::Absent => {
                self.absent[scope].insert(name, false);
                return Err(false);
            }
        };
        let id = self.enter(scope, name, facts, properties, None);
        self.resolved.symbols[id].use_associated = true;
        let evidence = &mut self.evidence[id];
        evidence.is_imported = true;
        evidence.is_external = is_external;
        Ok(id)
    }

    /// The type that the scope's IMPLICIT rules give a name.
    pub(super) fn implied_type(&self, scope: ScopeId, name: Name) -> Option<SymbolType> {
        let declared = implicit_type(&self.resolved.scopes, scope, name, &self.tree.names)?;
        Some(resolve_type(&declared, &self.view(scope)))
    }

    /// R1544: an assignment `f(x) = …` before the first executable statement defines a statement function, unless `f`
    /// is an array; the first that does not is the first executable statement, and so no later one does.
    fn decide_statement_functions(&mut self) {
        for scope in self.resolved.scopes.all.indices() {
            for statement in self.resolved.scopes.all[scope].statement_functions.clone() {
                let StatementKind::Assignment { target, .. } = &self.tree.statements[statement].kind else {
                    break;
                };
                let Some(part) = target.parts.first() else { break };
                let name = part.name.name;
                let implied = self.implied_type(scope, name);
                let id = match self.lookup(scope, name) {
                    Ok(id) if self.resolved.symbol(id).scope == scope && !self.resolved.symbol(id).use_associated => id,
                    Ok(id) if self.is_plain_scalar(id) && implied.is_some() => {
                        self.enter_function(scope, part, implied)
                    }
                    Err(false) if implied.is_some() => self.enter_function(scope, part, implied),
                    _ => break,
                };
                self.resolved.symbols[id].kind = SymbolKind::StatementFunction { statement };
            }
        }
    }

    fn is_plain_scalar(&self, id: SymbolId) -> bool {
        let symbol = self.resolved.symbol(id);
        symbol.shape.is_none() && matches!(symbol.kind, SymbolKind::Variable) && !symbol.use_associated
    }

    fn enter_function(&mut self, scope: ScopeId, part: &Part, type_: Option<SymbolType>) -> SymbolId {
        let facts = Facts { type_, ..Facts::unknown() };
        self.enter(scope, part.name.name, facts, Properties::default(), Some(part.name.span))
    }

    /// Walks all statements: looks up what occurs, notes how it is used, and enters associate names.
    fn walk(&mut self) {
        for (id, scope) in self.resolved.scopes.all.iter_enumerated() {
            let opener = match scope.kind {
                ScopeKind::Associate(construct) => self.tree.constructs[construct].headers.first().copied(),
                ScopeKind::Guard(_, statement) => Some(statement),
                ScopeKind::File | ScopeKind::Unit(_) | ScopeKind::Block(_) | ScopeKind::Type(_) => None,
            };
            if let Some(opener) = opener {
                self.opened_by.insert(opener, id);
            }
        }
        let tree = self.tree;
        for (id, statement) in tree.statements.iter_enumerated() {
            let scope = self.resolved.scopes.of_statement[id];
            walk_statement(&mut Occurrences { resolution: self, scope }, &statement.kind);
            if let Some(&opened) = self.opened_by.get(&id) {
                self.enter_associate_names(id, opened);
            }
        }
    }

    /// Notes how a name is used that occurs in a scope; if none is declared, it is declared by its use.
    fn occur(&mut self, scope: ScopeId, name: Name) -> &mut Evidence {
        let id = match self.lookup(scope, name) {
            Ok(id) => id,
            Err(doubtful) => {
                let unit = self.resolved.scopes.unit_scope(scope);
                let type_ = self.implied_type(scope, name);
                let kind = if doubtful && type_.is_none() { SymbolKind::Unknown } else { SymbolKind::Variable };
                let facts = Facts { kind, type_, shape: None, elements: None };
                let id = self.enter(unit, name, facts, Properties::default(), None);
                self.resolved.symbols[id].is_doubtful = doubtful;
                id
            }
        };
        &mut self.evidence[id]
    }
}

/// Looks up the names of data objects and procedures that occur in a statement.
struct Occurrences<'r, 't> {
    resolution: &'r mut Resolution<'t>,
    scope: ScopeId,
}

impl<'t> Visitor<'t> for Occurrences<'_, 't> {
    fn name(&mut self, name: Identifier, access: Access) {
        if access.is_of_object() {
            self.resolution.occur(self.scope, name.name);
        }
    }

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        if let Some(part) = reference.parts.first() {
            self.resolution.occur(self.scope, part.name.name).add(reference, access);
        }
        if reference.parts.len() > 1 {
            self.resolution.note_components(self.scope, reference, access);
        }
        walk_reference(self, reference, access);
    }

    fn expression(&mut self, expression: &'t Expression, access: Access) {
        walk_expression(self, expression, access);
    }
}

impl<'t> StatementVisitor<'t> for Occurrences<'_, 't> {
    fn names(&self) -> &'t NameTable {
        &self.resolution.tree.names
    }

    fn action(&mut self, action: &'t Statement) {
        walk_statement(self, &action.kind);
    }

    /// What its names are, it does not tell; it may declare anything (see [`declare`]).
    fn not_understood(&mut self) {}
}
