//! Where the procedures are that statements of a file call.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::names::{PassedObject, SymbolKind};
use crate::procedures::Location;
use crate::syntax::visit::walk_references;
use crate::syntax::{Reference, StatementId, UnitId};
use crate::workspace::{FileView, LinkedProcedures};

/// The procedures of a file, and of the others that it may call.
pub struct Called<'v> {
    /// Those of the file and of others.
    pub linked: LinkedProcedures<'v>,
}

/// The object of a reference to a type-bound procedure, and what it is passed to.
type Passed = (PassedObject<String>, Reference);

impl<'v> Called<'v> {
    /// Those of a file.
    pub fn new(view: &'v FileView<'_>) -> Self {
        Called { linked: LinkedProcedures::new(view) }
    }

    /// Where the procedure is that a reference calls, if that is known, and the object that it is passed.
    pub fn location(&self, id: StatementId, reference: &Reference) -> Option<(Option<Location<'_>>, Option<Passed>)> {
        let procedures = &self.linked.own;
        let (tree, resolved) = (procedures.tree, procedures.resolved);
        if reference.parts.len() > 1 {
            let bound = resolved.binding_of(tree, id, reference)?;
            let passed = (bound.passed.clone(), bound.object.clone());
            return Some((procedures.location_of_bound(&bound), Some(passed)));
        }
        let symbol = resolved.symbol_at(id, reference.parts.first()?.name.name)?;
        let is_procedure = matches!(
            resolved.symbol(symbol).kind,
            SymbolKind::Function { .. }
                | SymbolKind::Subroutine { .. }
                | SymbolKind::ExternalProcedure
                | SymbolKind::ProcedurePointer
                | SymbolKind::Generic { .. }
                | SymbolKind::Unknown
        );
        is_procedure.then(|| (self.linked.location(symbol), None))
    }

    /// The procedures one of which a reference calls, where it is not known which.
    pub fn candidates(&self, id: StatementId, reference: &Reference) -> Vec<Location<'_>> {
        let [part] = reference.parts.as_slice() else { return Vec::new() };
        let symbol = self.linked.own.resolved.symbol_at(id, part.name.name);
        symbol.map(|symbol| self.linked.candidates(symbol)).unwrap_or_default()
    }

    /// Whether a reference calls an external subroutine of which the files have several that differ.
    pub fn is_one_of_several(&self, id: StatementId, reference: &Reference) -> bool {
        let [part] = reference.parts.as_slice() else { return false };
        let name = self.linked.own.tree.names.text(part.name.name);
        self.linked.is_one_of_several(name)
            && self.location(id, reference).is_some_and(|(location, _)| location.is_none())
    }

    /// The procedures of the file that a unit calls, in order.
    pub fn of_file(&self, unit: UnitId) -> Vec<UnitId> {
        let mut called = BTreeSet::new();
        self.each(unit, &mut |location| {
            if let Location::Here(unit) = location {
                called.insert(unit);
            }
        });
        called.into_iter().collect()
    }

    /// Whether a statement refers to one of these units.
    pub fn refers_to(&self, id: StatementId, units: &[UnitId]) -> bool {
        let mut found = false;
        self.each_of(id, &mut |location| found |= matches!(location, Location::Here(unit) if units.contains(&unit)));
        found
    }

    fn each(&self, unit: UnitId, note: &mut dyn FnMut(Location<'_>)) {
        self.linked.own.statements(unit).iter().for_each(|&id| self.each_of(id, note));
    }

    fn each_of(&self, id: StatementId, note: &mut dyn FnMut(Location<'_>)) {
        let tree = self.linked.own.tree;
        walk_references(
            &tree.names,
            &tree.statements[id].kind,
            &mut |reference, _| match self.location(id, reference) {
                Some((Some(location), _)) => note(location),
                Some((None, _)) => self.candidates(id, reference).into_iter().for_each(&mut *note),
                None => {}
            },
        );
    }
}

/// The files that a file may ask for: those of the procedures that it calls.
pub fn asks(view: &FileView<'_>) -> Vec<PathBuf> {
    let called = Called::new(view);
    let mut files = BTreeSet::new();
    for unit in view.tree().executable_units() {
        called.each(unit, &mut |location| {
            if let Location::OtherFile { file, .. } = location {
                files.insert(file.to_path_buf());
            }
        });
    }
    files.into_iter().collect()
}
