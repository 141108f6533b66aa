//! What a file tells others: a [`ModuleSummary`] for each of its modules and submodules.

use std::collections::HashMap;
use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::declare::Declarations;
use super::declared::*;
use super::scopes::{Scopes, Unseen};
use super::symbol::ScopeId;
use crate::source::Span;
use crate::syntax::{Name, StatementId, StatementKind, Tree, Unit, UnitId, UnitKind, calls_or_transfers};

/// The summary of what stands in no module, if there is something to tell.
pub fn summary_outside_modules(tree: &Tree) -> Option<ModuleSummary> {
    let external_functions = external_functions(tree);
    let file = tree.source.texts.root().path.clone();
    (!external_functions.is_empty()).then(|| ModuleSummary { external_functions, file, ..ModuleSummary::default() })
}

/// The summaries of the modules and submodules of a tree, and of what stands outside them.
pub fn summaries_of(tree: &Tree, declarations: &Declarations) -> Vec<ModuleSummary> {
    let mut types_of: HashMap<ScopeId, Vec<u32>> = HashMap::new();
    for ((scope, ..), index) in declarations.types.iter().zip(0..) {
        types_of.entry(declarations.scopes.unit_scope(*scope)).or_default().push(index);
    }
    let mut summaries = Vec::new();
    for (id, unit) in tree.units.iter_enumerated() {
        if !matches!(unit.kind, UnitKind::Module | UnitKind::Submodule) {
            continue;
        }
        let Some((name, host)) = summary_name(tree, unit.opening) else { continue };
        let scope = Scopes::of_unit(id);
        let types = types_of.get(&scope).map_or(&[][..], Vec::as_slice);
        summaries.push(summarise_scope(tree, declarations, scope, types, (name, host)));
    }
    summaries.extend(summary_outside_modules(tree));
    summaries
}

/// Whether a tree has modules, so that its declarations matter to other files.
pub fn has_modules(tree: &Tree) -> bool {
    tree.units.iter().any(|unit| matches!(unit.kind, UnitKind::Module | UnitKind::Submodule))
}

/// The external functions of a file, in order.
fn external_functions(tree: &Tree) -> Vec<ExternalFunction> {
    let functions =
        tree.units.iter_enumerated().filter(|(_, unit)| unit.parent.is_none() && unit.kind == UnitKind::Function);
    let described = functions.filter_map(|(id, unit)| {
        let StatementKind::Function(subprogram) = &tree.statements.get(unit.opening?)?.kind else { return None };
        let name = tree.names.text(subprogram.name.name).to_owned();
        let has_side_effects = !subprogram.is_pure() && acts(tree, id);
        Some(ExternalFunction { name, has_side_effects, fingerprint: fingerprint(tree, unit) })
    });
    described.collect()
}

/// The external subroutines of a file by their lower-case names, with what depends on their statements only.
pub fn external_subroutines(tree: &Tree) -> HashMap<String, u64> {
    let subroutines = tree.units.iter().filter(|unit| unit.parent.is_none() && unit.kind == UnitKind::Subroutine);
    let named = subroutines.filter_map(|unit| {
        let StatementKind::Subroutine(of) = &tree.statements.get(unit.opening?)?.kind else { return None };
        Some((tree.names.text(of.name.name).to_owned(), fingerprint(tree, unit)))
    });
    named.collect()
}

/// Depends on the statements of a unit, its internal procedures among them, and not on how they are laid out.
fn fingerprint(tree: &Tree, unit: &Unit) -> u64 {
    let mut hasher = FxHasher::default();
    for logical in &tree.source.statements[unit.first.index()..=unit.last.index()] {
        hasher.write_u32(logical.label.unwrap_or(u32::MAX));
        hasher.write(tree.source.text(logical));
    }
    hasher.finish()
}

/// Whether a statement of a unit evidently calls a subroutine or transfers data: told by its text, as actions may be
/// left out of the tree.
fn acts(tree: &Tree, unit: UnitId) -> bool {
    let Unit { first, last, .. } = tree.units[unit];
    let own = tree.unit_of[first..=last].iter().zip(&tree.source.statements[first.index()..=last.index()]);
    own.into_iter().any(|(&of, logical)| of == Some(unit) && calls_or_transfers(tree.source.text(logical)))
}

/// The name under which the unit that a statement opens is known, and its host's.
pub fn summary_name(tree: &Tree, opening: Option<StatementId>) -> Option<(String, Option<String>)> {
    let text = |name: Name| tree.names.text(name);
    let kind = &tree.statements.get(opening?)?.kind;
    if let StatementKind::Module(name) = kind {
        return Some((text(name.name).to_owned(), None));
    }
    let StatementKind::Submodule { name, ancestor, parent } = kind else { return None };
    let ancestor = text(ancestor.name);
    let host = match parent {
        Some(parent) => format!("{ancestor}:{}", text(parent.name)),
        None => ancestor.to_owned(),
    };
    Some((format!("{ancestor}:{}", text(name.name)), Some(host)))
}

fn summarise_scope(
    tree: &Tree,
    declarations: &Declarations,
    id: ScopeId,
    types: &[u32],
    (name, host): (String, Option<String>),
) -> ModuleSummary {
    let scope = declarations.scopes.get(id);
    let text = |name: &Name| tree.names.text(*name).to_owned();
    let to_text = |name: &Name| Some(text(name));
    let renumbered: HashMap<u32, u32> = types.iter().copied().zip(0..).collect();
    let symbols = scope.symbols.iter().map(|declared| {
        let mut declared = declared.map(text(&declared.name), &to_text);
        renumber(&mut declared, &renumbered);
        declared
    });
    let types = types.iter().map(|&index| {
        let mut declared = declared_type(declarations, index).map(&to_text);
        declared.components.iter_mut().for_each(|component| renumber(component, &renumbered));
        declared
    });
    let mut uses: Vec<_> = scope.uses.iter().map(|declared| use_as_text(declared, &text)).collect();
    for unseen in &scope.unseen {
        if let Unseen::Library(external) = unseen {
            uses.push(DeclaredUse {
                module: external.module().to_owned(),
                only: false,
                remote_of: Default::default(),
                renamed: Default::default(),
                place: (StatementId::default(), Span::default()),
            });
        }
    }
    ModuleSummary {
        name,
        file: tree.source.texts.root().path.clone(),
        host,
        uses,
        access: Accessibility {
            default_private: scope.access.default_private,
            private: scope.access.private.iter().map(|(name, private)| (text(name), *private)).collect(),
        },
        symbols: symbols.collect(),
        order: scope.order.clone(),
        types: types.collect(),
        is_open: scope.unseen.contains(&Unseen::Anything),
        ..ModuleSummary::default()
    }
}

/// A derived type of a file, from the scope that its components stand in.
pub fn declared_type(declarations: &Declarations, index: u32) -> DeclaredDerivedType<Name> {
    let (scope, name, parent) = declarations.types[index as usize];
    let scope = declarations.scopes.get(scope);
    DeclaredDerivedType {
        name,
        parent,
        components: scope.symbols.clone(),
        bindings: scope.bindings.clone(),
        is_open: !scope.unseen.is_empty(),
    }
}

fn renumber<N>(declared: &mut Declared<N>, numbers: &HashMap<u32, u32>) {
    if let DeclaredKind::DerivedType(index) = &mut declared.kind
        && let Some(&new) = numbers.get(index)
    {
        *index = new;
    }
    if let Some(DeclaredType { base: DeclaredBase::Structure(index), .. }) = &mut declared.type_
        && let Some(&new) = numbers.get(index)
    {
        *index = new;
    }
}
