//! From specification statements to declarations: one pass over the statements of a tree, without lookups.
//!
//! Entry point: [`declare`]; result: [`Declarations`], the scopes with what is declared in them.

use super::declared::*;
use super::entity::type_of;
use super::external::external_include;
use super::interface::attach_interfaces;
use super::scopes::{Association, ScopeKind, Scopes, Unseen};
use super::symbol::{BaseType, ScopeId};
use crate::source::{IncludeObstacle, SourceNote, Span};
use crate::syntax::*;

/// The scopes of a tree with their declarations.
#[derive(Clone, Debug)]
pub struct Declarations {
    /// The scopes.
    pub scopes: Scopes,
    /// The derived types and DEC structures in order: the scope of each, its name, and the name of its parent type.
    pub types: Vec<(ScopeId, Option<Name>, Option<Name>)>,
}

/// What one pass over the statements collects.
pub(super) struct Collector<'t> {
    pub(super) tree: &'t Tree,
    pub(super) scopes: Scopes,
    types: Vec<(ScopeId, Option<Name>, Option<Name>)>,
    /// The generic name of the interface block that is open in a scope.
    open_generic: Vec<(ScopeId, Option<Name>)>,
    /// The last enumerator, for the value of the next one.
    pub(super) last_enumerator: Option<Name>,
}

/// Collects the declarations of a tree.
pub fn declare(tree: &Tree) -> Declarations {
    let scopes = Scopes::of_tree(tree);
    let mut collector = Collector { tree, scopes, types: Vec::new(), open_generic: Vec::new(), last_enumerator: None };
    for id in tree.statements.indices() {
        collector.statement(id);
    }
    collector.mark_missing_includes();
    collector.finish_types();
    collector.type_implicitly();
    attach_interfaces(tree, &mut collector.scopes);
    Declarations { scopes: collector.scopes, types: collector.types }
}

impl Collector<'_> {
    fn statement(&mut self, id: StatementId) {
        let tree = self.tree;
        let statement = &tree.statements[id];
        let scope = self.scopes.of_statement[id];
        if let Some(name) = statement.construct_name {
            let unit = self.scopes.unit_scope(scope);
            if self.scopes.get(unit).declared(name.name).is_none() {
                self.touch(unit, name).kind = DeclaredKind::ConstructName;
            }
        }
        use StatementKind as Kind;
        match &statement.kind {
            Kind::Module(name) | Kind::Submodule { name, .. } => self.touch(scope, *name).kind = DeclaredKind::Module,
            Kind::Subroutine(subprogram) => self.subprogram(scope, subprogram, false),
            Kind::Function(subprogram) => self.subprogram(scope, subprogram, true),
            Kind::Entry { name, dummies, suffix } => self.entry(scope, *name, dummies, suffix),
            Kind::ModuleProcedure { names, .. } => self.module_procedure(id, scope, names),
            Kind::Use { module, only, items, .. } => self.use_statement(id, scope, *module, *only, items),
            Kind::Import { mode, names } => self.import(scope, *mode, names),
            Kind::Implicit(rule) => self.implicit(scope, rule),
            Kind::TypeDeclaration(declaration) => self.type_declaration(scope, declaration),
            Kind::Records(declarations) => {
                declarations.iter().for_each(|declaration| self.type_declaration(scope, declaration));
            }
            Kind::ProcedureDeclaration { interface, attributes, entities } => {
                self.procedure_declaration(scope, interface.as_ref(), attributes, entities);
            }
            Kind::AttributeStatement { attribute, entities, generics, .. } => {
                self.attribute_statement(scope, attribute, entities, generics);
            }
            Kind::Parameter(values) => self.parameters(scope, values),
            Kind::Common(groups) => self.common(scope, groups),
            Kind::Equivalence(sets) => self.equivalence(scope, sets),
            Kind::Namelist(groups) => self.namelist(scope, groups),
            Kind::Interface { generic, .. } => self.interface(scope, generic.as_ref()),
            Kind::End { of: Some(EndOf::Interface), .. } => {
                self.open_generic.pop();
            }
            Kind::DerivedType { attributes, name, parameters } => {
                self.derived_type(id, scope, attributes, *name, parameters);
            }
            Kind::TypeBoundProcedure { interface, attributes, bindings } => {
                let passed = passed_object(attributes);
                let bindings = bindings.iter().map(|binding| DeclaredBinding {
                    name: binding.name.name,
                    target: interface.is_none().then(|| binding.target.unwrap_or(binding.name).name),
                    passed: passed.clone(),
                });
                self.scopes.get_mut(scope).bindings.extend(bindings);
            }
            Kind::Generic { attributes, spec, targets } => self.generic(scope, attributes, spec, targets),
            Kind::Enum { .. } => self.last_enumerator = None,
            Kind::Enumerator(values) => self.enumerators(scope, values),
            Kind::Structure { name, entities } => self.structure(id, scope, *name, entities),
            Kind::CrayPointer(pairs) => self.cray_pointers(scope, pairs),
            Kind::Assignment { target, .. } => self.assignment(id, scope, target),
            Kind::Unparsed(_) => {
                self.unseen(scope);
                self.unseen_procedure(id, scope);
            }
            // What is declared there is not known, nor are the names that an instance brings.
            Kind::MacroStatement(_)
            | Kind::Template { .. }
            | Kind::Require(_)
            | Kind::Instantiate(_)
            | Kind::Deferred(_) => self.unseen(scope),
            // These declare nothing, or what they declare no name outside of them means.
            Kind::Program(_)
            | Kind::BlockData(_)
            | Kind::Contains
            | Kind::End { .. }
            | Kind::Data(_)
            | Kind::Sequence
            | Kind::Final(_)
            | Kind::EnumerationType { .. }
            | Kind::Union
            | Kind::Map
            | Kind::Format(_) => {}
            Kind::PointerAssignment { .. }
            | Kind::Call { .. }
            | Kind::Allocate { .. }
            | Kind::Deallocate { .. }
            | Kind::Nullify(_)
            | Kind::GoTo(_)
            | Kind::ComputedGoTo(..)
            | Kind::AssignedGoTo(..)
            | Kind::Assign(..)
            | Kind::ArithmeticIf(..)
            | Kind::Continue
            | Kind::Cycle(_)
            | Kind::Exit(_)
            | Kind::Return(_)
            | Kind::Stop { .. }
            | Kind::Pause(_)
            | Kind::InputOutput(_)
            | Kind::ImageControl { .. }
            | Kind::If { .. }
            | Kind::IfThen(_)
            | Kind::ElseIf(..)
            | Kind::Else(_)
            | Kind::Do { .. }
            | Kind::SelectCase(_)
            | Kind::Case { .. }
            | Kind::SelectType(_)
            | Kind::TypeGuard(..)
            | Kind::SelectRank(_)
            | Kind::RankCase(..)
            | Kind::Where { .. }
            | Kind::WhereConstruct(_)
            | Kind::ElseWhere(..)
            | Kind::Forall { .. }
            | Kind::ForallConstruct(_)
            | Kind::Associate(_)
            | Kind::Block
            | Kind::Critical(_)
            | Kind::ChangeTeam { .. } => self.execute(scope),
        }
    }

    /// The declaration of a name in a scope, made now if there is none.
    pub(super) fn touch(&mut self, scope: ScopeId, name: Identifier) -> &mut Declared<Name> {
        let declared = self.scopes.get_mut(scope).declare(name.name, Some(name.span));
        declared.declared.get_or_insert(name.span);
        declared
    }

    fn execute(&mut self, scope: ScopeId) {
        let unit = self.scopes.unit_scope(scope);
        self.scopes.get_mut(unit).in_execution = true;
    }

    /// A statement that was not understood: before the first executable statement it may declare anything.
    fn unseen(&mut self, scope: ScopeId) {
        if matches!(self.scopes.get(scope).kind, ScopeKind::Type(_)) {
            self.scopes.get_mut(scope).note_unseen(Unseen::Anything);
            return;
        }
        let unit = self.scopes.unit_scope(scope);
        let unit = self.scopes.get_mut(unit);
        if !unit.in_execution {
            unit.note_unseen(Unseen::Anything);
        }
    }

    /// A statement that was not understood and opens a procedure: its host has one whose name is not known.
    fn unseen_procedure(&mut self, id: StatementId, scope: ScopeId) {
        let ScopeKind::Unit(unit) = self.scopes.get(scope).kind else { return };
        if self.tree.units[unit].opening != Some(id) {
            return;
        }
        if let Some(host) = self.scopes.get(scope).parent {
            self.scopes.get_mut(host).note_unseen(Unseen::Anything);
        }
    }

    fn subprogram(&mut self, scope: ScopeId, subprogram: &Subprogram, is_function: bool) {
        self.dummies(scope, &subprogram.dummies);
        let names = &self.tree.names;
        let type_ = subprogram.result_type.as_ref().map(|spec| type_of(spec, subprogram.length.as_ref(), names));
        if is_function {
            let result = subprogram.suffix.result.unwrap_or(subprogram.name);
            let variable = self.touch(scope, result);
            variable.properties.result = true;
            variable.type_ = type_;
        }
        let is_contained = self.scopes.get(scope).parent.is_some();
        if !is_contained && (!is_function || subprogram.suffix.result.is_some()) {
            let own = self.touch(scope, subprogram.name);
            own.kind = procedure_kind(is_function);
        }
        if let Some(host) = self.scopes.get(scope).parent {
            self.declare_procedure(host, subprogram.name, is_function);
            if let Some(generic) = self.generic_at(host).filter(|_| self.is_interface_body(scope)) {
                self.add_specifics(host, generic, std::iter::once(subprogram.name.name));
            }
        }
    }

    fn is_interface_body(&self, scope: ScopeId) -> bool {
        let ScopeKind::Unit(unit) = self.scopes.get(scope).kind else { return false };
        self.tree.units[unit].kind == UnitKind::InterfaceBody
    }

    /// Declares a contained procedure or interface body in its host; a generic of the same name keeps the name.
    fn declare_procedure(&mut self, host: ScopeId, name: Identifier, is_function: bool) {
        let outer = self.touch(host, name);
        if !matches!(outer.kind, DeclaredKind::Generic(_) | DeclaredKind::DerivedType(_)) {
            outer.kind = procedure_kind(is_function);
        }
    }

    fn dummies(&mut self, scope: ScopeId, dummies: &[DummyArgument]) {
        for dummy in dummies {
            if let DummyArgument::Name(name) = dummy {
                self.touch(scope, *name).properties.dummy = true;
            }
        }
    }

    fn entry(&mut self, scope: ScopeId, name: Identifier, dummies: &[DummyArgument], suffix: &Suffix) {
        self.dummies(scope, dummies);
        let ScopeKind::Unit(unit) = self.scopes.get(scope).kind else { return };
        let is_function = self.tree.units[unit].kind == UnitKind::Function;
        let host = self.scopes.get(scope).parent;
        if is_function {
            self.touch(scope, suffix.result.unwrap_or(name)).properties.result = true;
        }
        if let Some(host) = host {
            self.declare_procedure(host, name, is_function);
        }
    }

    fn module_procedure(&mut self, id: StatementId, scope: ScopeId, names: &[Identifier]) {
        // `module procedure name` that opens a unit is told from the list in an interface block by its unit.
        let unit = self.tree.unit_of.get(id).copied().flatten();
        if unit.is_some_and(|unit| self.tree.units[unit].opening == Some(id)) {
            return;
        }
        if let Some(&(at, Some(generic))) = self.open_generic.last()
            && at == scope
        {
            self.add_specifics(scope, generic, names.iter().map(|name| name.name));
        }
    }

    /// Adds specific procedures to a generic name, which a derived type of the same name keeps to itself.
    fn add_specifics(&mut self, scope: ScopeId, generic: Name, names: impl Iterator<Item = Name>) {
        let declared = self.scopes.get_mut(scope).declare(generic, None);
        match &mut declared.kind {
            DeclaredKind::Generic(specifics) => specifics.extend(names),
            DeclaredKind::DerivedType(_) => {}
            kind @ (DeclaredKind::Data
            | DeclaredKind::Parameter(_)
            | DeclaredKind::Function(_)
            | DeclaredKind::Subroutine(_)
            | DeclaredKind::External
            | DeclaredKind::ProcedurePointer
            | DeclaredKind::Intrinsic
            | DeclaredKind::Module
            | DeclaredKind::Namelist
            | DeclaredKind::ConstructName) => *kind = DeclaredKind::Generic(names.collect()),
        }
    }

    fn interface(&mut self, scope: ScopeId, generic: Option<&GenericSpec>) {
        let name = match generic {
            Some(GenericSpec::Name(name)) => Some(*name),
            _ => None,
        };
        if let Some(name) = name {
            self.touch(scope, name);
            self.add_specifics(scope, name.name, std::iter::empty());
        }
        self.open_generic.push((scope, name.map(|name| name.name)));
    }

    /// The generic name of the interface block that is open in a scope.
    fn generic_at(&self, scope: ScopeId) -> Option<Name> {
        self.open_generic.last().filter(|(at, _)| *at == scope).and_then(|(_, name)| *name)
    }

    fn generic(&mut self, scope: ScopeId, attributes: &[Attribute], spec: &GenericSpec, targets: &[Identifier]) {
        let GenericSpec::Name(name) = spec else { return };
        if matches!(self.scopes.get(scope).kind, ScopeKind::Type(_)) {
            let binding = DeclaredBinding { name: name.name, target: None, passed: PassedObject::First };
            self.scopes.get_mut(scope).bindings.push(binding);
            return;
        }
        self.touch(scope, *name);
        self.add_specifics(scope, name.name, targets.iter().map(|target| target.name));
        self.access_attributes(scope, name.name, attributes);
    }

    fn use_statement(&mut self, id: StatementId, scope: ScopeId, module: Identifier, only: bool, items: &[UseItem]) {
        let mut declared = DeclaredUse {
            module: module.name,
            only,
            remote_of: Default::default(),
            renamed: Default::default(),
            place: (id, module.span),
        };
        for item in items {
            let GenericSpec::Name(local) = &item.local else { continue };
            match &item.remote {
                Some(GenericSpec::Name(remote)) => {
                    declared.remote_of.insert(local.name, remote.name);
                    declared.renamed.insert(remote.name);
                }
                _ => {
                    declared.remote_of.insert(local.name, local.name);
                }
            }
        }
        self.scopes.get_mut(scope).uses.push(declared);
    }

    fn import(&mut self, scope: ScopeId, mode: Option<Identifier>, names: &[Identifier]) {
        let mode = mode.map(|mode| self.tree.names.text(mode.name));
        let scope = self.scopes.get_mut(scope);
        let association = match mode {
            Some("none") => Association::Nothing,
            _ if names.is_empty() => Association::All,
            _ => Association::Listed(names.iter().map(|name| name.name).collect()),
        };
        match (&mut scope.association, association) {
            (Association::Listed(listed), Association::Listed(more)) => listed.extend(more),
            (current, association) => *current = association,
        }
    }

    fn implicit(&mut self, scope: ScopeId, rule: &ImplicitRule) {
        let unit = self.scopes.unit_scope(scope);
        let names = &self.tree.names;
        let rules = &mut self.scopes.get_mut(unit).implicit;
        match rule {
            ImplicitRule::None(list) => {
                // `implicit none (external)` leaves the types of variables implicit.
                let types = list.is_empty() || list.iter().any(|item| names.text(item.name) == "type");
                rules.none |= types;
            }
            ImplicitRule::Types(types) => {
                for (spec, ranges) in types {
                    let type_ = type_of(spec, None, names);
                    rules.letters.extend(ranges.iter().map(|&(from, to)| (from, to, type_.clone())));
                }
            }
        }
    }

    fn derived_type(
        &mut self,
        id: StatementId,
        scope: ScopeId,
        attributes: &[Attribute],
        name: Identifier,
        parameters: &[Identifier],
    ) {
        let parent = attributes
            .iter()
            .find_map(|attribute| if let Attribute::Extends(parent) = attribute { Some(parent.name) } else { None });
        let Some(inner) = self.add_type(id, Some(name.name), parent) else { return };
        let index = self.types.len() as u32 - 1;
        self.access_attributes(scope, name.name, attributes);
        let declared = self.touch(scope, name);
        declared.kind = DeclaredKind::DerivedType(index);
        for parameter in parameters {
            self.touch(inner, *parameter);
        }
    }

    /// Adds the type that a header statement opens and gives its scope.
    fn add_type(&mut self, id: StatementId, name: Option<Name>, parent: Option<Name>) -> Option<ScopeId> {
        let construct = self.tree.construct_of.get(id).copied().flatten()?;
        let inner = self.scopes.of_construct.get(construct).copied().flatten()?;
        self.types.push((inner, name, parent));
        Some(inner)
    }

    fn structure(&mut self, id: StatementId, scope: ScopeId, name: Option<Identifier>, entities: &[Entity]) {
        if self.add_type(id, name.map(|name| name.name), None).is_none() {
            return;
        }
        let index = self.types.len() as u32 - 1;
        if let Some(name) = name {
            // The name is known in the whole unit, also when the structure is nested.
            let mut outer = scope;
            while let (ScopeKind::Type(_), Some(parent)) = (self.scopes.get(outer).kind, self.scopes.get(outer).parent)
            {
                outer = parent;
            }
            self.touch(outer, name).kind = DeclaredKind::DerivedType(index);
        }
        for entity in entities {
            let type_ = DeclaredType { base: DeclaredBase::Structure(index), kind: None, length: None };
            self.entity_shape(scope, entity).type_ = Some(type_);
        }
    }

    /// Before the first executable statement `f(x) = …` may define a statement function; which it is can be said when
    /// names are known.
    fn assignment(&mut self, id: StatementId, scope: ScopeId, target: &Reference) {
        let current = self.scopes.get(scope);
        let may_define = current.is_unit()
            && !current.in_execution
            && is_statement_function_form(target)
            && target.parts.first().and_then(|part| current.declared(part.name.name)).is_none_or(|declared| {
                let properties = &declared.properties;
                let is_object = properties.dummy || properties.result || properties.in_common;
                declared.shape.is_none() && !is_object && matches!(declared.kind, DeclaredKind::Data)
            });
        if may_define {
            self.scopes.get_mut(scope).statement_functions.push(id);
        } else {
            self.execute(scope);
        }
    }

    /// An include file that was not found may declare anything in the unit around it.
    fn mark_missing_includes(&mut self) {
        let missing = self.tree.source.notes.iter().filter_map(|(span, note)| {
            let SourceNote::NotIncluded { file, obstacle } = note else { return None };
            (*obstacle != IncludeObstacle::IncludesItself).then_some((*span, file.as_str()))
        });
        let missing: Vec<(Span, &str)> = missing.collect();
        if missing.is_empty() {
            return;
        }
        let mut starts: Vec<(u32, StatementId)> = Vec::with_capacity(self.tree.statements.len());
        starts.extend(self.tree.statements.iter_enumerated().map(|(id, statement)| (statement.span.start, id)));
        starts.sort_unstable();
        for (span, file) in missing {
            let after = starts.partition_point(|&(start, _)| start < span.start);
            let Some(&(_, before)) = after.checked_sub(1).and_then(|at| starts.get(at)) else { continue };
            let scope = self.scopes.unit_scope(self.scopes.of_statement[before]);
            let unseen = external_include(file).map_or(Unseen::Anything, |external| {
                if external.declares_anything() { Unseen::Anything } else { Unseen::Library(external) }
            });
            self.scopes.get_mut(scope).note_unseen(unseen);
        }
    }

    /// Gives each extended type a component with the parent's name.
    fn finish_types(&mut self) {
        for (scope, _, parent) in &self.types {
            let Some(parent) = parent else { continue };
            let component = self.scopes.get_mut(*scope).declare(*parent, None);
            component.type_ = Some(DeclaredType { base: DeclaredBase::Derived(*parent), kind: None, length: None });
        }
    }

    /// Gives declared data objects without a type the one that their first letter implies.
    fn type_implicitly(&mut self) {
        for id in self.scopes.all.indices() {
            for index in 0..self.scopes.get(id).symbols.len() {
                let declared = &self.scopes.get(id).symbols[index];
                let is_data =
                    matches!(declared.kind, DeclaredKind::Data | DeclaredKind::Parameter(_) | DeclaredKind::External);
                if is_data && declared.type_.is_none() {
                    let type_ = implicit_type(&self.scopes, id, declared.name, &self.tree.names);
                    self.scopes.get_mut(id).symbols[index].type_ = type_;
                }
            }
        }
    }
}

/// The type that the IMPLICIT statements of a scope and its hosts give a name; `None` under IMPLICIT NONE.
pub fn implicit_type(scopes: &Scopes, scope: ScopeId, name: Name, names: &NameTable) -> Option<DeclaredType<Name>> {
    let letter = names.text(name).bytes().next()?;
    let mut at = Some(scopes.unit_scope(scope));
    while let Some(id) = at {
        let current = scopes.get(id);
        let rules = &current.implicit;
        let given = rules.letters.iter().rev().find(|(from, to, _)| (*from..=*to).contains(&letter));
        if let Some((_, _, type_)) = given {
            return Some(type_.clone());
        }
        if rules.none {
            return None;
        }
        // An interface body has no host association, and so no implicit typing from its host.
        at = match current.association {
            Association::All => current.parent.map(|parent| scopes.unit_scope(parent)),
            Association::Listed(_) | Association::Nothing => None,
        };
    }
    let is_integer = (b'i'..=b'n').contains(&letter);
    Some(DeclaredType::plain(if is_integer { BaseType::Integer } else { BaseType::Real }))
}

fn procedure_kind(is_function: bool) -> DeclaredKind<Name> {
    if is_function { DeclaredKind::Function(None) } else { DeclaredKind::Subroutine(None) }
}

/// Whether a target is `f(x, y)` with plain distinct names, the form of a statement function (R1544).
fn is_statement_function_form(target: &Reference) -> bool {
    let [Part { lists, image: None, .. }] = target.parts.as_slice() else { return false };
    let [list] = lists.as_slice() else { return false };
    let mut seen = Vec::with_capacity(list.items.len());
    list.items.iter().all(|item| {
        let ArgumentValue::Expression(Expression { kind: ExpressionKind::Reference(reference), .. }) = &item.value
        else {
            return false;
        };
        let Some(name) = reference.as_name() else { return false };
        let is_new = item.keyword.is_none() && seen.len() < 64 && !seen.contains(&name.name);
        seen.push(name.name);
        is_new
    })
}

/// Which dummy argument the attributes of a type-bound procedure say that the object is passed to.
fn passed_object(attributes: &[Attribute]) -> PassedObject<Name> {
    for attribute in attributes {
        if let Attribute::Pass(Some(name)) = attribute {
            return PassedObject::Named(name.name);
        }
    }
    if attributes.contains(&Attribute::NoPass) { PassedObject::Nowhere } else { PassedObject::First }
}
