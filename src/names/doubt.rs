//! What a reference means may rest on something that is in none of the files: the module of a name, the type of a
//! variable.

use super::index::UseTarget;
use super::resolved::{Member, Resolved};
use super::symbol::{ScopeId, Symbol, SymbolKind};
use super::unseen::TypeOwner;
use crate::syntax::{ExpressionKind, Name, Reference, StatementId, Tree};

/// Why it is not known what a reference means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// What is not known: `'g'`, or `the type of 'g'`.
    pub subject: String,
    /// The modules that may declare it and are in none of the files; none if nothing is known that might.
    pub modules: Vec<String>,
}

impl Resolved {
    /// Why it is not known what a reference in a statement means, if that is so.
    pub fn doubt(&self, tree: &Tree, statement: StatementId, reference: &Reference) -> Option<Doubt> {
        let (first, behind) = reference.parts.split_first()?;
        let name = first.name.name;
        let symbol = self.symbol(self.symbol_at(statement, name)?);
        if let SymbolKind::AssociateName { statement, index, .. } = symbol.kind {
            let selector = tree.statements[statement].kind.selectors().nth(index as usize)?;
            let ExpressionKind::Reference(of) = &selector.kind else { return None };
            return self.doubt(tree, statement, of);
        }
        let mut path = format!("'{}'", tree.names.text(name));
        if is_undeclared(symbol) {
            return Some(Doubt { subject: path, modules: self.missing_modules(tree, symbol.scope, name) });
        }
        let doubt_of_type = |path: &str, type_name: &str| {
            let type_name = tree.names.get(type_name);
            let modules = type_name.map(|name| self.missing_modules(tree, symbol.scope, name));
            Some(Doubt { subject: format!("the type of {path}"), modules: modules.unwrap_or_default() })
        };
        let (mut type_, mut owner) = (symbol.type_, TypeOwner::Variable(name));
        for part in behind {
            let text = tree.names.text(part.name.name);
            let known = type_.and_then(|type_| type_.derived());
            let unseen = || self.unseen.find(owner);
            let Some(structure) = known.or_else(unseen) else {
                return if type_.is_none() { doubt_of_type(&path, "") } else { None };
            };
            if let Some(table) = self.unseen.table(structure) {
                return doubt_of_type(&path, &table.name);
            }
            match self.member(structure, text) {
                Member::Component(component, holder) => {
                    if let Some(table) = self.unseen.table(holder) {
                        return doubt_of_type(&path, &table.name);
                    }
                    type_ = component.type_;
                    owner = TypeOwner::Component(holder, part.name.name);
                }
                Member::Doubtful(holder) => {
                    return doubt_of_type(&path, self.derived_type(holder).map_or("", |table| &table.name));
                }
                Member::Binding(..) | Member::Absent => return None,
            }
            path.insert_str(path.len() - 1, &format!("%{text}"));
        }
        None
    }

    /// The modules in none of the files that a name may come from in a scope; the one alone whose USE lists it.
    fn missing_modules(&self, tree: &Tree, scope: ScopeId, name: Name) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut at = Some(scope);
        while let Some(id) = at {
            let Some(current) = self.scopes.all.get(id) else { break };
            for (declared, target) in current.uses.iter().zip(self.targets.get(id).into_iter().flatten()) {
                let Some(remote) = declared.remote(&name) else { continue };
                let missing = match target {
                    UseTarget::Missing => Some(tree.names.text(declared.module)),
                    UseTarget::External(external) => {
                        external.declares_anything().then(|| tree.names.text(declared.module))
                    }
                    UseTarget::Module(module) => self.index.missing_behind(*module, tree.names.text(*remote)),
                };
                let Some(missing) = missing.map(str::to_owned) else { continue };
                if declared.remote_of.contains_key(&name) {
                    return vec![missing];
                }
                if !found.contains(&missing) {
                    found.push(missing);
                }
            }
            at = current.parent;
        }
        found
    }
}

/// Whether nothing that was seen declares a name.
fn is_undeclared(symbol: &Symbol) -> bool {
    let is_without_type = || symbol.type_.is_none() && symbol.declared.is_none() && !symbol.use_associated;
    match symbol.kind {
        SymbolKind::Variable | SymbolKind::Unknown => symbol.is_doubtful || is_without_type(),
        SymbolKind::Function { .. } | SymbolKind::Subroutine { .. } => symbol.is_doubtful,
        SymbolKind::Parameter(_)
        | SymbolKind::StatementFunction { .. }
        | SymbolKind::Intrinsic
        | SymbolKind::ExternalProcedure
        | SymbolKind::ProcedurePointer
        | SymbolKind::Generic { .. }
        | SymbolKind::Module
        | SymbolKind::DerivedType
        | SymbolKind::Namelist
        | SymbolKind::ConstructName
        | SymbolKind::AssociateName { .. } => false,
    }
}
