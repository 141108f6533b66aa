//! How the files of a project are read: from the disk, or from elsewhere, such as an older revision.

use std::fmt::{Debug, Formatter};
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::source::prescan::ReadFile;

/// Reads the bytes of a file, named ones and included ones.
#[derive(Clone)]
pub struct FileReader(ReadFile);

impl FileReader {
    /// Reads files in some way.
    pub fn new(read: impl Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Self {
        FileReader(Arc::new(read))
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
