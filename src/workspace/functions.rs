//! What the functions of other files read: each file is read again when one of its functions is referenced.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::Project;
use crate::analysis::stencil::computations::{FileFunctions, Library, file_functions};

/// Through so many files functions are followed that refer to functions of other files.
const FILES: u8 = 3;

/// What was found out about the functions of files, by the number of further files that might be asked; `None` for a file that can't be
/// read.
pub(super) type Known = Mutex<HashMap<(PathBuf, u8), Option<Arc<FileFunctions>>>>;

/// The functions of a project's files, as seen through some number of files. So what is known of a file does not depend on who asks
/// first, whatever files need each other.
pub(super) struct ProjectLibrary<'p> {
    project: &'p Project,
    files: u8,
    /// Whether it was asked for anything.
    was_asked: Cell<bool>,
}

impl Project {
    /// The functions of the project's files.
    pub(super) fn library(&self) -> ProjectLibrary<'_> {
        ProjectLibrary { project: self, files: FILES, was_asked: Cell::new(false) }
    }
}

impl Library for ProjectLibrary<'_> {
    fn functions_of(&self, file: &Path) -> Option<Arc<FileFunctions>> {
        self.was_asked.set(true);
        let files = self.files.checked_sub(1)?;
        let known = || self.project.functions.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (file.to_path_buf(), files);
        if let Some(found) = known().get(&key) {
            return found.clone();
        }
        let library = ProjectLibrary { project: self.project, files, was_asked: Cell::new(false) };
        let found = self.project.options.reader.read(file).ok().map(|bytes| {
            let (tree, resolved) = self.project.resolve(file, &bytes);
            Arc::new(file_functions(&tree, &resolved, &library))
        });
        // Where none was asked it is the same however many further files might be.
        let alike = if library.was_asked.get() { files..files + 1 } else { 0..FILES };
        known().extend(alike.map(|files| ((file.to_path_buf(), files), found.clone())));
        found
    }
}
