//! The initial values that declarations of a file give.

use rustc_hash::FxHashMap;

use crate::analysis::obligations::module_name;
use crate::names::{Resolved, ScopeKind, SymbolId, TypeId};
use crate::syntax::{
    DataSet, Expression, ExpressionKind, Identifier, Initializer, StatementId, StatementKind, Tree, UnitKind,
};

/// Initial values of variables and named constants, and of components.
#[derive(Debug, Default)]
pub struct InitialValues<'t> {
    variables: FxHashMap<SymbolId, (StatementId, &'t Expression)>,
    components: FxHashMap<(String, String), (StatementId, &'t Expression)>,
    modules: FxHashMap<(String, String), (StatementId, &'t Expression)>,
}

impl<'t> InitialValues<'t> {
    /// Those of a file.
    pub fn new(tree: &'t Tree, resolved: &Resolved) -> Self {
        let mut found = InitialValues::default();
        for (id, statement) in tree.statements.iter_enumerated() {
            match &statement.kind {
                StatementKind::TypeDeclaration(declaration) => {
                    let of_type = match resolved.scope_kind(resolved.scope_of(id)) {
                        ScopeKind::Type(construct) => {
                            type_name(tree, tree.constructs[construct].headers.first().copied())
                        }
                        _ => None,
                    };
                    for entity in &declaration.entities {
                        let Some(Initializer::Value(value)) = &entity.initial else { continue };
                        match (&of_type, resolved.symbol_at(id, entity.name.name)) {
                            (Some(of_type), _) => {
                                let key = (of_type.clone(), tree.names.text(entity.name.name).to_owned());
                                found.components.insert(key, (id, value));
                            }
                            (None, Some(symbol)) => {
                                found.variables.insert(symbol, (id, value));
                            }
                            (None, None) => {}
                        }
                    }
                }
                StatementKind::Parameter(constants) => {
                    for (name, value) in constants {
                        if let Some(symbol) = resolved.symbol_at(id, name.name) {
                            found.variables.insert(symbol, (id, value));
                        }
                    }
                }
                StatementKind::Data(sets) => {
                    for (variable, value) in sets.iter().flat_map(pairs) {
                        if let Some(symbol) = resolved.symbol_at(id, variable.name) {
                            found.variables.insert(symbol, (id, value));
                        }
                    }
                }
                _ => {}
            }
        }
        for (&symbol, &value) in &found.variables {
            let unit = tree.unit_of[value.0].filter(|&unit| tree.units[unit].kind == UnitKind::Module);
            if let Some(unit) = unit {
                let key =
                    (module_name(tree, unit).to_owned(), tree.names.text(resolved.symbol(symbol).name).to_owned());
                found.modules.insert(key, value);
            }
        }
        found
    }

    /// The initial value of a variable of a module, or of a constant of it, by their names.
    pub fn of_module(&self, module: &str, name: &str) -> Option<(StatementId, &'t Expression)> {
        self.modules.get(&(module.to_owned(), name.to_owned())).copied()
    }

    /// The initial value of a variable or named constant, and the statement that gives it.
    pub fn of_variable(&self, symbol: SymbolId) -> Option<(StatementId, &'t Expression)> {
        self.variables.get(&symbol).copied()
    }

    /// The default initial value of a component.
    pub fn of_component(
        &self,
        resolved: &Resolved,
        type_: TypeId,
        component: &str,
    ) -> Option<(StatementId, &'t Expression)> {
        let name = resolved.derived_type(type_)?.name.clone();
        self.components.get(&(name, component.to_owned())).copied()
    }
}

/// The scalars of a set of a DATA statement with their values, where each object is a name and has one value.
fn pairs(set: &DataSet) -> Vec<(Identifier, &Expression)> {
    let name = |object: &Expression| match &object.kind {
        ExpressionKind::Reference(reference) => reference.as_name(),
        _ => None,
    };
    let names: Option<Vec<Identifier>> = set.objects.iter().map(name).collect();
    let has_repeats = set.values.iter().any(|value| matches!(value.kind, ExpressionKind::Repeat(..)));
    match names {
        Some(names) if names.len() == set.values.len() && !has_repeats => names.into_iter().zip(&set.values).collect(),
        _ => Vec::new(),
    }
}

fn type_name(tree: &Tree, header: Option<StatementId>) -> Option<String> {
    match &tree.statements[header?].kind {
        StatementKind::DerivedType { name, .. } => Some(tree.names.text(name.name).to_owned()),
        _ => None,
    }
}
