//! The initial values that declarations of a file give.

use rustc_hash::FxHashMap;

use crate::names::{Resolved, ScopeKind, SymbolId, TypeId};
use crate::syntax::{Expression, Initializer, StatementId, StatementKind, Tree};

/// Initial values of variables and named constants, and of components.
#[derive(Debug, Default)]
pub struct InitialValues<'t> {
    variables: FxHashMap<SymbolId, (StatementId, &'t Expression)>,
    components: FxHashMap<(String, String), (StatementId, &'t Expression)>,
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
                _ => {}
            }
        }
        found
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

fn type_name(tree: &Tree, header: Option<StatementId>) -> Option<String> {
    match &tree.statements[header?].kind {
        StatementKind::DerivedType { name, .. } => Some(tree.names.text(name.name).to_owned()),
        _ => None,
    }
}
