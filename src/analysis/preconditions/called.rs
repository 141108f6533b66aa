//! Where the procedures are that statements of a file call.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::names::{PassedObject, SymbolId, SymbolKind};
use crate::procedures::{FileProcedures, Location};
use crate::syntax::visit::walk_references;
use crate::syntax::{Reference, StatementId, UnitId};
use crate::workspace::{FileView, Project};

/// The procedures of a file, and of the others that it may call.
pub struct Called<'v> {
    /// Those of the file.
    pub procedures: FileProcedures<'v>,
    project: &'v Project,
}

/// The object of a reference to a type-bound procedure, and what it is passed to.
type Passed = (PassedObject<String>, Reference);

impl<'v> Called<'v> {
    /// Those of a file.
    pub fn new(view: &'v FileView<'_>) -> Self {
        Called { procedures: FileProcedures::new(view.tree(), view.names()), project: view.project() }
    }

    /// Where the procedure is that a reference calls, if that is known, and the object that it is passed.
    pub fn location(&self, id: StatementId, reference: &Reference) -> Option<(Option<Location<'_>>, Option<Passed>)> {
        let (tree, resolved) = (self.procedures.tree, self.procedures.resolved);
        if reference.parts.len() > 1 {
            let bound = resolved.binding_of(tree, id, reference)?;
            let passed = (bound.passed.clone(), bound.object.clone());
            return Some((self.procedures.location_of_bound(&bound), Some(passed)));
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
        is_procedure.then(|| (self.procedures.location(symbol).or_else(|| self.external(symbol)), None))
    }

    /// The external subroutine of another file that a symbol means.
    fn external(&self, symbol: SymbolId) -> Option<Location<'_>> {
        let of = self.procedures.resolved.symbol(symbol);
        let is_subroutine = matches!(of.kind, SymbolKind::Subroutine { .. } | SymbolKind::ExternalProcedure);
        if !is_subroutine || of.is_dummy || of.is_pointer || of.use_associated || of.is_doubtful {
            return None;
        }
        let name = self.procedures.tree.names.text(of.name);
        let file = self.project.file_of_external_subroutine(name)?;
        let own = self.procedures.tree.source.texts.root();
        (own.path != file).then_some(Location::OtherFile { file, module: None, name })
    }

    /// Whether a reference calls an external subroutine of which the files have several that differ.
    pub fn is_one_of_several(&self, id: StatementId, reference: &Reference) -> bool {
        let [part] = reference.parts.as_slice() else { return false };
        let name = self.procedures.tree.names.text(part.name.name);
        self.project.external_subroutines().files(name).len() > 1
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

    fn each(&self, unit: UnitId, note: &mut dyn FnMut(Location<'_>)) {
        let tree = self.procedures.tree;
        for &id in self.procedures.statements(unit) {
            walk_references(&tree.names, &tree.statements[id].kind, &mut |reference, _| {
                if let Some((Some(location), _)) = self.location(id, reference) {
                    note(location);
                }
            });
        }
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
