//! Procedures that statements refer to in other ways than by a CALL of their name: functions, generic names, type-bound
//! procedures, procedures that are passed. They are not followed, only whether they read matters.

use super::code::{Call, NodeId, NodeKind};
use super::lower::Lower;
use crate::names::SymbolKind;
use crate::procedures::Location;
use crate::syntax::visit::{Access, walk_references};
use crate::syntax::{Reference, StatementId};

impl Lower<'_> {
    /// The procedures that a statement refers to, in front of it.
    pub(super) fn referenced(&mut self, id: StatementId, next: NodeId) -> NodeId {
        let mut found: Vec<[String; 3]> = Vec::new();
        let tree = self.tree();
        walk_references(&tree.names, &tree.statements[id].kind, &mut |reference, access| {
            for place in self.references(id, reference, access == Access::Called) {
                if !found.contains(&place) {
                    found.push(place);
                }
            }
        });
        let mut next = next;
        for [file, module, name] in found {
            let module = Some(module).filter(|module| !module.is_empty());
            let call = Call {
                file,
                module,
                name,
                written: String::new(),
                arguments: Vec::new(),
                changes: Vec::new(),
                message: String::new(),
                is_reference: true,
                next,
            };
            next = self.add(self.line(id), NodeKind::Call(Box::new(call)));
        }
        next
    }

    /// File, module and name, or key, of the procedures that a reference may mean.
    fn references(&self, id: StatementId, reference: &Reference, is_called: bool) -> Vec<[String; 3]> {
        let (tree, resolved) = (self.tree(), self.resolved());
        if reference.parts.len() > 1 {
            let bound = resolved.binding_of(tree, id, reference);
            let place = bound.and_then(|bound| self.procedures.location_of_bound(&bound).map(|it| self.place(&it)));
            return place.into_iter().collect();
        }
        let Some(symbol) = resolved.symbol_at(id, reference.parts[0].name.name) else { return Vec::new() };
        let SymbolKind::Generic { specifics } = &resolved.symbol(symbol).kind else {
            let location = self.procedures.location(symbol).filter(|_| !is_called);
            return location.map(|it| self.place(&it)).into_iter().collect();
        };
        if let Some(origin) = resolved.origin(tree, symbol) {
            let file = origin.file.display().to_string();
            return specifics.iter().map(|name| [file.clone(), origin.module.to_owned(), name.clone()]).collect();
        }
        let symbols = specifics.iter().filter_map(|name| resolved.symbol_at(id, tree.names.get(name)?));
        symbols.filter_map(|symbol| self.procedures.location(symbol).map(|it| self.place(&it))).collect()
    }

    fn place(&self, location: &Location<'_>) -> [String; 3] {
        match location {
            Location::Here(unit) => {
                let last = self.procedures.statements(*unit).last();
                let key = last.map_or(String::new(), |&last| format!("{:?}", self.resolved().scope_of(last)));
                [self.path.clone(), String::new(), key]
            }
            Location::OtherFile { file, module, name } => {
                [file.display().to_string(), module.unwrap_or_default().to_owned(), (*name).to_owned()]
            }
        }
    }
}
