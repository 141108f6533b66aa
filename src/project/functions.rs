//! What the functions of other files read: each file is read once more when one of its functions is referenced with arrays.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::Project;
use crate::access::{FileFunctions, Library, file_functions};

/// What was found out about the functions of files; `None` for a file that can't be read.
pub(super) type Known = Mutex<HashMap<PathBuf, Option<Arc<FileFunctions>>>>;

/// The functions of a project, as one thread asks for them.
pub(super) struct ProjectLibrary<'p> {
    project: &'p Project,
    /// The files that are read at the moment, each for a function of the one before.
    under_way: RefCell<Vec<PathBuf>>,
    /// Whether something was left out for the sake of a file that is under way.
    was_cut: Cell<bool>,
}

impl Project {
    /// The functions of the project's files.
    pub(super) fn library(&self) -> ProjectLibrary<'_> {
        ProjectLibrary { project: self, under_way: RefCell::default(), was_cut: Cell::new(false) }
    }
}

impl Library for ProjectLibrary<'_> {
    fn functions_of(&self, file: &Path) -> Option<Arc<FileFunctions>> {
        let known = || self.project.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(file) {
            return found.clone();
        }
        if self.under_way.borrow().iter().any(|other| other == file) {
            // Files whose functions need each other's are not followed around.
            self.was_cut.set(true);
            return None;
        }
        self.under_way.borrow_mut().push(file.to_path_buf());
        let cut_before = self.was_cut.replace(false);
        let found = std::fs::read(file).ok().map(|bytes| {
            let (tree, resolved) = self.project.resolve(file, &bytes);
            Arc::new(file_functions(&tree, &resolved, self))
        });
        self.under_way.borrow_mut().pop();
        // Nothing was left out for the sake of a file that is not under way any more.
        let is_first = self.under_way.borrow().is_empty();
        if is_first || !self.was_cut.get() {
            known().insert(file.to_path_buf(), found.clone());
        }
        self.was_cut.set(!is_first && (self.was_cut.get() || cut_before));
        found
    }
}
