//! How the files of a project are read: from the disk, or from elsewhere, such as an older revision.

use std::fmt::{Debug, Formatter};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;

use crate::source::prescan::ReadFile;

/// Reads the bytes of a file, named ones and included ones.
#[derive(Clone)]
pub struct FileReader(ReadFile);

impl FileReader {
    /// Reads files in some way.
    pub fn new(read: impl Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Self {
        FileReader(Arc::new(read))
    }

    /// The same reader, which does not look again for a file that is not there. For the time of a run: a file that comes into being
    /// meanwhile is not found.
    #[must_use]
    pub fn remembering_what_is_missing(self) -> Self {
        let missing: Mutex<FxHashSet<PathBuf>> = Mutex::default();
        FileReader::new(move |path| {
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

impl Default for FileReader {
    fn default() -> Self {
        FileReader::new(|path: &Path| std::fs::read(path))
    }
}

impl Debug for FileReader {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("FileReader")
    }
}
