//! What the use of a name says about it, where its declaration does not: `x(i) = 1` makes `x` an array, `y = f(x)`
//! makes an undeclared `f` an external function, as Fortran 77's rule has it.

use super::resolve::Resolution;
use super::symbol::{Shape, SymbolId, SymbolKind};
use crate::intrinsics;
use crate::syntax::visit::Access;
use crate::syntax::{ArgumentValue, Part, Reference};

/// How a name is used in a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence {
    /// It comes through USE.
    pub is_imported: bool,
    /// It comes from a known external module.
    pub is_external: bool,
    /// It is called.
    pub is_called: bool,
    /// It stands in an expression with a list behind it.
    pub is_listed: bool,
    /// It has a list `(a:b)` behind it, as a substring or a section of rank 1.
    pub is_ranged: bool,
    /// It is called, or has a list behind it that can't be one of subscripts.
    pub is_procedure: bool,
    /// The largest number of subscripts where it must be an array.
    pub subscripts: usize,
}

impl Evidence {
    /// Adds one use.
    pub fn add(&mut self, reference: &Reference, access: Access) {
        if let Some(part) = reference.parts.first() {
            self.add_part(part, reference.parts.len() == 1, access);
        }
    }

    /// Adds the use of a part of a reference, perhaps its last one.
    pub fn add_part(&mut self, part: &Part, is_last: bool, access: Access) {
        if access == Access::Called && is_last {
            self.is_called = true;
            self.is_procedure = true;
            return;
        }
        let Some(list) = part.lists.first() else { return };
        if list.items.is_empty() || list.items.iter().any(|item| item.keyword.is_some()) {
            self.is_procedure = true;
        }
        let sections = || {
            list.items
                .iter()
                .filter_map(|item| if let ArgumentValue::Section(section) = &item.value { Some(section) } else { None })
        };
        let is_range = list.items.len() == 1 && part.lists.len() == 1 && sections().any(|it| it.stride.is_none());
        if is_range {
            self.is_ranged = true;
        } else if access.is_of_variable() || !is_last || sections().next().is_some() {
            self.subscripts = self.subscripts.max(list.items.len());
        } else {
            self.is_listed = true;
        }
    }

    /// The rank of the array that a component is whose declaration was not seen; 0 if nothing says that it is one.
    pub fn component_rank(&self) -> usize {
        match self.subscripts {
            0 => usize::from(self.is_ranged),
            rank => rank,
        }
    }
}

impl Resolution<'_> {
    /// Lets the evidence decide about names whose declaration leaves it open.
    pub(super) fn conclude(&mut self) {
        self.conclude_components();
        for id in self.resolved.symbols.indices() {
            let symbol = self.resolved.symbol(id);
            let is_open =
                matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Unknown | SymbolKind::AssociateName { .. });
            let is_settled = self.evidence[id].is_imported && !matches!(symbol.kind, SymbolKind::Unknown);
            if symbol.shape.is_some() || !is_open || is_settled {
                continue;
            }
            self.conclude_symbol(id);
        }
    }

    fn conclude_symbol(&mut self, id: SymbolId) {
        let evidence = self.evidence[id];
        let symbol = &self.resolved.symbols[id];
        let is_character = symbol.type_.is_some_and(|type_| type_.is_character());
        let is_associate = matches!(symbol.kind, SymbolKind::AssociateName { .. });
        let is_named_subroutine = || intrinsics::subroutine(self.tree.names.text(symbol.name)).is_some();
        let rank = if evidence.subscripts > 0 {
            evidence.subscripts
        } else {
            // A range of something that is no CHARACTER is a section.
            usize::from(evidence.is_ranged && !is_character && !is_associate)
        };
        let kind = if rank > 0 && !evidence.is_external {
            (!is_associate).then_some(SymbolKind::Variable)
        } else if is_associate || symbol.is_result {
            None
        } else if evidence.is_called {
            let is_intrinsic = symbol.declared.is_none() && is_named_subroutine();
            Some(if is_intrinsic { SymbolKind::Intrinsic } else { SymbolKind::Subroutine { interface: None } })
        } else if evidence.is_listed {
            self.listed_kind(id)
        } else {
            None
        };
        let symbol = &mut self.resolved.symbols[id];
        if let Some(kind) = kind {
            symbol.kind = kind;
        }
        if rank > 0 && !evidence.is_external {
            symbol.shape = Some(Shape::of_rank(rank));
        }
    }

    /// What `x` is, if it is no array and occurs as `x(…)` in expressions.
    fn listed_kind(&self, id: SymbolId) -> Option<SymbolKind> {
        let evidence = self.evidence[id];
        let symbol = self.resolved.symbol(id);
        let function = Some(SymbolKind::Function { interface: None });
        if evidence.is_external {
            return function;
        }
        if symbol.is_pointer || symbol.is_allocatable || symbol.in_common || symbol.is_saved || symbol.equivalenced {
            return None;
        }
        let text = self.tree.names.text(symbol.name);
        if !symbol.is_dummy && intrinsics::function(text).is_some() {
            return Some(SymbolKind::Intrinsic);
        }
        if symbol.declared.is_some() || self.resolved.index.has_external_function(text) {
            return function;
        }
        // Under IMPLICIT NONE an undeclared name comes from somewhere unseen.
        if symbol.is_doubtful || symbol.type_.is_none() { Some(SymbolKind::Unknown) } else { function }
    }
}
