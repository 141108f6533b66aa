//! Procedures that statements refer to in other ways than by a CALL of their name: functions, generic names, type-bound
//! procedures, operators, procedures that are passed. They are not followed, only what they may do matters.

use super::code::{Call, CallKind, NodeId, NodeKind, Presence};
use super::lower::Lower;
use crate::names::{SymbolId, SymbolKind};
use crate::procedures::Location;
use crate::syntax::visit::{Access, walk_expressions, walk_references};
use crate::syntax::{
    BinaryOperator, Expression, ExpressionKind, GenericSpec, Identifier, Reference, StatementId, StatementKind,
    UnaryOperator, UnitId,
};

/// File, module and name, or key, of a procedure, and what is done with it.
type Place = ([String; 3], CallKind);

impl Lower<'_> {
    /// The procedures that a statement refers to, in front of it.
    pub(super) fn referenced(&mut self, id: StatementId, next: NodeId) -> NodeId {
        let mut found: Vec<Place> = Vec::new();
        let tree = self.tree();
        walk_references(&tree.names, &tree.statements[id].kind, &mut |reference, access| {
            for place in self.references(id, reference, access == Access::Called) {
                if !found.contains(&place) {
                    found.push(place);
                }
            }
        });
        if self.may_be_defined(id) {
            found.extend(self.operations.iter().cloned().map(|place| (place, CallKind::Reference)));
        }
        let mut next = next;
        for (place, kind) in found {
            next = self.refer(id, place, kind, next);
        }
        next
    }

    /// A node for a procedure that is not followed.
    pub(super) fn refer(
        &mut self,
        id: StatementId,
        [file, module, name]: [String; 3],
        kind: CallKind,
        next: NodeId,
    ) -> NodeId {
        let module = Some(module).filter(|module| !module.is_empty());
        let call = Call {
            file,
            module,
            name,
            written: String::new(),
            arguments: Vec::new(),
            presence: (Vec::new(), Presence::Unknown),
            changes: Vec::new(),
            parts: Vec::new(),
            message: String::new(),
            kind,
            next,
        };
        self.add(self.site(id), NodeKind::Call(Box::new(call)))
    }

    /// The procedures that a reference may mean.
    fn references(&self, id: StatementId, reference: &Reference, is_called: bool) -> Vec<Place> {
        let (tree, resolved) = (self.tree(), self.resolved());
        let kind = CallKind::Reference;
        if reference.parts.len() > 1 {
            let bound = resolved.binding_of(tree, id, reference);
            let place = bound.and_then(|bound| self.procedures.location_of_bound(&bound).map(|it| self.place(&it)));
            return place.into_iter().map(|place| (place, kind)).collect();
        }
        let first = &reference.parts[0];
        let Some(symbol) = resolved.symbol_at(id, first.name.name) else { return Vec::new() };
        let of = resolved.symbol(symbol);
        let SymbolKind::Generic { specifics } = &of.kind else {
            let is_procedure = matches!(of.kind, SymbolKind::Function { .. } | SymbolKind::ExternalProcedure);
            if is_called || of.is_result {
                return Vec::new();
            }
            if is_procedure && (of.is_dummy || of.is_pointer) && !first.lists.is_empty() {
                return vec![(Default::default(), CallKind::Indirect)];
            }
            let kind = if first.lists.is_empty() { CallKind::Passed } else { kind };
            let place = self.procedures.location(symbol).map(|it| self.place(&it));
            let place = place.or_else(|| self.entry(symbol).map(|unit| self.place(&Location::Here(unit))));
            return match place {
                Some(place) => vec![(place, kind)],
                // It may change what it can see.
                None if is_procedure && kind == CallKind::Reference => vec![(Default::default(), kind)],
                None => Vec::new(),
            };
        };
        if is_called {
            return Vec::new();
        }
        self.specifics(id, symbol, specifics).into_iter().map(|place| (place, kind)).collect()
    }

    /// The procedures that a generic name may mean.
    pub(super) fn specifics(&self, id: StatementId, symbol: SymbolId, specifics: &[String]) -> Vec<[String; 3]> {
        let (tree, resolved) = (self.tree(), self.resolved());
        if let Some(origin) = resolved.origin(tree, symbol) {
            let file = origin.file.display().to_string();
            let place = |name: &String| [file.clone(), origin.module.to_owned(), name.clone()];
            return specifics.iter().map(place).collect();
        }
        let symbols = specifics.iter().filter_map(|name| resolved.symbol_at(id, tree.names.get(name)?));
        symbols.filter_map(|symbol| self.procedures.location(symbol).map(|it| self.place(&it))).collect()
    }

    /// The unit of this file of which a symbol names an ENTRY.
    pub(super) fn entry(&self, symbol: SymbolId) -> Option<UnitId> {
        let of = self.resolved().symbol(symbol);
        let is_procedure = matches!(
            of.kind,
            SymbolKind::Function { .. } | SymbolKind::Subroutine { .. } | SymbolKind::ExternalProcedure
        );
        if !is_procedure || of.is_dummy || of.is_pointer || of.use_associated {
            return None;
        }
        self.entries.get(&of.name).copied()
    }

    /// Whether a statement has operations, or an assignment, that procedures may define.
    fn may_be_defined(&self, id: StatementId) -> bool {
        let tree = self.tree();
        let kind = &tree.statements[id].kind;
        let is_structure = |of: &Expression| match &of.kind {
            ExpressionKind::Reference(reference) => self.lowering.structure(id, reference).is_some(),
            _ => false,
        };
        let mut found = match kind {
            StatementKind::Assignment { target, .. } => self.lowering.structure(id, target).is_some(),
            _ => false,
        };
        walk_expressions(&tree.names, kind, &mut |expression| {
            found |= match &expression.kind {
                ExpressionKind::Unary(operator, of) => {
                    matches!(operator, UnaryOperator::Defined(_)) || is_structure(of)
                }
                ExpressionKind::Binary(operations) => {
                    let is_defined = |(operator, of): &(BinaryOperator, Expression)| {
                        matches!(operator, BinaryOperator::Defined(_)) || is_structure(of)
                    };
                    is_structure(&operations.first) || operations.rest.iter().any(is_defined)
                }
                _ => false,
            };
        });
        found
    }

    /// The procedures of this file that define operations and assignments.
    pub(super) fn defined_operations(&self) -> Vec<[String; 3]> {
        let tree = self.tree();
        let mut found = Vec::new();
        let mut is_inside = false;
        for (id, statement) in tree.statements.iter_enumerated() {
            let names: &[Identifier] = match &statement.kind {
                StatementKind::Interface { generic, .. } => {
                    is_inside = matches!(generic, Some(GenericSpec::Operator(_) | GenericSpec::Assignment));
                    &[]
                }
                StatementKind::ModuleProcedure { names, .. } if is_inside => names,
                StatementKind::Generic {
                    spec: GenericSpec::Operator(_) | GenericSpec::Assignment, targets, ..
                } => targets,
                _ => &[],
            };
            for name in names {
                let symbol = self.resolved().symbol_at(id, name.name);
                found.extend(symbol.and_then(|symbol| self.procedures.location(symbol)).map(|it| self.place(&it)));
            }
        }
        found
    }

    pub(super) fn place(&self, location: &Location<'_>) -> [String; 3] {
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
