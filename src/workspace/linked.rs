//! Which procedure a name of a file means, where the linker decides: the external procedures of the other files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::project::Project;
use super::view::FileView;
use crate::names::{Specific, SymbolId, SymbolKind};
use crate::procedures::{FileProcedures, Location};
use crate::syntax::{Name, StatementId, StatementKind, Tree, UnitId, UnitKind};

/// The procedures of a file, and those of the other files of its project that it may call.
pub struct LinkedProcedures<'v> {
    /// Those of the file.
    pub own: FileProcedures<'v>,
    project: &'v Project,
    /// Names of interface bodies whose procedures are linked by another label (R1528 language-binding-spec): these are
    /// none that stand in Fortran under that name.
    labelled: BTreeSet<Name>,
}

impl<'v> LinkedProcedures<'v> {
    /// Those of a file.
    pub fn new(view: &'v FileView<'_>) -> Self {
        let tree = view.tree();
        let bodies = tree.units.iter().filter(|unit| unit.kind == UnitKind::InterfaceBody);
        let labelled = bodies.filter_map(|unit| match &tree.statements[unit.opening?].kind {
            StatementKind::Subroutine(body) | StatementKind::Function(body) => {
                body.suffix.bind.is_some().then_some(body.name.name)
            }
            _ => None,
        });
        LinkedProcedures {
            own: FileProcedures::new(tree, view.names()),
            project: view.project(),
            labelled: labelled.collect(),
        }
    }

    /// Where the procedure is that a symbol stands for.
    pub fn location(&self, symbol: SymbolId) -> Option<Location<'_>> {
        if let Some(unit) = self.own.inner(symbol) {
            return Some(Location::Here(unit));
        }
        let of = self.own.resolved.symbol(symbol);
        // A name that may come from a module or an include file that is not there may be another procedure's.
        if of.is_doubtful || self.labelled.contains(&of.name) {
            return None;
        }
        match self.own.location(symbol) {
            Some(found @ Location::OtherFile { module: None, name, .. }) => {
                // Where a declaration leaves open whether it is a function, it is not known which of the two is meant.
                let is_open = matches!(of.kind, SymbolKind::ExternalProcedure);
                (!is_open || self.project.external_subroutines().files(name).is_empty()).then_some(found)
            }
            Some(found) => Some(found),
            None => {
                let is_subroutine = matches!(of.kind, SymbolKind::Subroutine { .. } | SymbolKind::ExternalProcedure);
                let is_one = is_subroutine && !of.is_dummy && !of.is_pointer;
                self.external_subroutine(self.own.external_name(symbol).filter(|_| is_one)?)
            }
        }
    }

    /// Where the procedures are of which a symbol that is no generic name means one, `None` for one that is not known.
    pub fn meant(&self, symbol: SymbolId) -> Vec<Option<Location<'_>>> {
        let location = self.location(symbol);
        let candidates = if location.is_none() { self.candidates(symbol) } else { Vec::new() };
        if candidates.is_empty() { vec![location] } else { candidates.into_iter().map(Some).collect() }
    }

    /// Where the specific procedures are that a generic name of a statement may mean, `None` for one that is not known;
    /// and if the symbol is no generic name, or not all of them are known.
    pub fn specifics(&self, statement: StatementId, symbol: SymbolId) -> Option<Vec<Option<Location<'_>>>> {
        let (tree, resolved) = (self.own.tree, self.own.resolved);
        let of = resolved.symbol(symbol);
        if !matches!(of.kind, SymbolKind::Generic { .. }) || of.is_doubtful {
            return None;
        }
        let location = |specific| match specific {
            Specific::Symbol(symbol) => self.location(symbol),
            Specific::External { name, is_function } => {
                self.own.external(name, is_function).or_else(|| self.external_subroutine(name).filter(|_| !is_function))
            }
            Specific::OfModule(origin) => self.own.location_in(origin.module, Some(origin.file), origin.name),
        };
        Some(resolved.specifics(tree, statement, of.name)?.into_iter().map(location).collect())
    }

    /// The external subroutine of another file that has a name.
    fn external_subroutine<'a>(&'a self, name: &'a str) -> Option<Location<'a>> {
        if self.own.tree.names.get(name).is_some_and(|name| self.own.has_several(name)) {
            return None;
        }
        let file = self.project.file_of_external_subroutine(name)?;
        let own: &Path = &self.own.tree.source.texts.root().path;
        (own != file).then_some(Location::OtherFile { file, module: None, name })
    }

    /// The external functions one of which a symbol means, where [`Self::location`] does not say which: those of the
    /// name in all files. None if it may be still another one. Subroutines are not looked for: each test program that
    /// brings its own XERBLA would be one that a library needs.
    pub fn candidates(&self, symbol: SymbolId) -> Vec<Location<'_>> {
        let of = self.own.resolved.symbol(symbol);
        let name = self.own.tree.names.text(of.name);
        let is_function = match of.kind {
            SymbolKind::Function { .. } => true,
            SymbolKind::ExternalProcedure => self.project.external_subroutines().files(name).is_empty(),
            _ => false,
        };
        let is_known = !of.use_associated && !of.is_doubtful && !self.labelled.contains(&of.name);
        let is_own = self.own.inner(symbol).is_some() || self.own.has_external(of.name);
        if !is_function || of.is_dummy || of.is_pointer || !is_known || is_own {
            return Vec::new();
        }
        let files = self.own.resolved.files_of_external_function(name);
        files.iter().map(|file| Location::OtherFile { file, module: None, name }).collect()
    }

    /// All files with an external procedure of a lower-case name.
    pub fn external_files(&self, name: &str) -> BTreeSet<&Path> {
        let functions = self.own.resolved.files_of_external_function(name).iter();
        functions.chain(self.project.external_subroutines().files(name)).map(PathBuf::as_path).collect()
    }

    /// Whether the files have several external subroutines of a lower-case name.
    pub fn is_one_of_several(&self, name: &str) -> bool {
        self.project.external_subroutines().files(name).len() > 1
    }
}

/// What a file tells others of its procedures.
#[derive(Clone, Debug)]
pub struct PublicProcedures<P> {
    /// By module (`None` for external ones) and name.
    by_name: BTreeMap<(Option<String>, String), P>,
    has_program: bool,
}

impl<P> Default for PublicProcedures<P> {
    fn default() -> Self {
        PublicProcedures { by_name: BTreeMap::new(), has_program: false }
    }
}

impl<P> PublicProcedures<P> {
    /// Those that other files may refer to, with what is known of them.
    pub fn new(procedures: &FileProcedures<'_>, known: impl Fn(UnitId) -> Option<P>) -> Self {
        let tree = procedures.tree;
        let text = |name| tree.names.text(name).to_owned();
        let public = procedures.public_procedures().into_iter();
        let named = public.filter_map(|(unit, module, name)| Some(((module.map(text), text(name)), known(unit)?)));
        PublicProcedures { by_name: named.collect(), has_program: tree.has_main_program() }
    }

    /// The procedure of a module, or the external one, that a file refers to. An external procedure beside a main
    /// program is not linked with another main program.
    pub fn get(&self, module: Option<&str>, name: &str, from: &Tree) -> Option<&P> {
        if module.is_none() && self.has_program && from.has_main_program() {
            return None;
        }
        self.by_name.get(&(module.map(str::to_owned), name.to_owned()))
    }
}
