//! Where the bytes of files come from: the disk, texts that stand for files, or another version of a program.

use std::fmt::{Debug, Formatter};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;

use crate::source::prescan::ReadFile;

/// Reads the bytes of files, named ones and included ones.
#[derive(Clone)]
pub struct Files(ReadFile);

impl Files {
    /// Files that are read in some way.
    pub fn new(read: impl Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Self {
        Files(Arc::new(read))
    }

    /// The same files, but those that `overlay` has a text for have that text: what an editor has not saved yet, or standard input.
    #[must_use]
    pub fn with_overlay(self, overlay: impl Fn(&Path) -> Option<Vec<u8>> + Send + Sync + 'static) -> Self {
        Files::new(move |path| overlay(path).map_or_else(|| self.read(path), Ok))
    }

    /// The same files; for one that is not there it is not looked again. For the time of a run: a file that comes into being
    /// meanwhile is not found.
    #[must_use]
    pub fn remembering_what_is_missing(self) -> Self {
        let missing: Mutex<FxHashSet<PathBuf>> = Mutex::default();
        Files::new(move |path| {
            let missing = || missing.lock().unwrap_or_else(PoisonError::into_inner);
            if missing().contains(path) {
                return Err(io::ErrorKind::NotFound.into());
            }
            let found = self.read(path);
            if found.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                missing().insert(path.to_path_buf());
            }
            found
        })
    }

    /// The bytes of a file.
    ///
    /// # Errors
    ///
    /// When there is none, or it can't be read.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        (self.0)(path)
    }

    /// The same as a plain function.
    pub(super) fn function(&self) -> ReadFile {
        self.0.clone()
    }
}

impl Default for Files {
    fn default() -> Self {
        Files::new(|path: &Path| std::fs::read(path))
    }
}

impl Debug for Files {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Files")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stands_for_the_bytes_of_a_file() {
        let below = Files::new(|path| Ok(path.to_string_lossy().into_owned().into_bytes()));
        let files = below.with_overlay(|path| (path == Path::new("b.f90")).then(|| b"unsaved".to_vec()));
        assert_eq!(files.read(Path::new("a.f90")).ok().as_deref(), Some(&b"a.f90"[..]));
        assert_eq!(files.read(Path::new("b.f90")).ok().as_deref(), Some(&b"unsaved"[..]));
    }
}
