//! Temporary files that vanish however this process ends, if the system lets it do anything before: when they are
//! dropped, and when [`remove_all`] is called for a signal.

use std::collections::BTreeSet;
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// The temporary files that exist. Signals come to the process, so this is the process's too.
static EXISTING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn existing() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    EXISTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files; from now on none can be made. For a process that is about to end.
pub fn remove_all() {
    let existing = existing();
    for path in existing.iter() {
        // One that can't be removed can't be helped.
        let _ = std::fs::remove_file(path);
    }
    // Another thread that begins a file waits until the process has ended.
    mem::forget(existing);
}

/// A temporary file that may take the place of another.
#[derive(Debug)]
pub struct Temporary {
    file: NamedTempFile,
    _entry: Entry,
}

impl Temporary {
    /// Makes one in a directory; without `permissions` it is the owner's only.
    pub fn new_in(directory: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".camfort-rs-").suffix(".tmp");
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        let mut existing = existing();
        let file = builder.tempfile_in(directory)?;
        let path = file.path().to_path_buf();
        existing.insert(path.clone());
        Ok(Temporary { file, _entry: Entry(path) })
    }

    /// The file.
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Flushes it to the disk and gives it a name, in place of what has that name now.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        self.as_file().sync_all()?;
        self.file.persist(path).map(drop).map_err(|error| error.error)
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// An entry of [`EXISTING`], as long as the file exists under that name.
#[derive(Debug)]
struct Entry(PathBuf);

impl Drop for Entry {
    fn drop(&mut self) {
        existing().remove(&self.0);
    }
}
