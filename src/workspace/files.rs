//! Where the bytes of files come from: the disk, texts that stand for files, or another version of a program.

use std::fmt::{Debug, Formatter};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;

use crate::source::prescan::ReadFile;

/// Larger files are no sources, nor anything else that people write.
const LARGEST: u64 = 256 << 20;

/// Opens a file of the disk to be read, if it is one: a device or a pipe may have no end, or never a beginning.
///
/// # Errors
///
/// When it is none, or the system says so.
pub fn open(path: &Path) -> io::Result<File> {
    // Before it is opened, as to open a pipe waits for whoever writes to it.
    if std::fs::metadata(path)?.is_file() {
        return File::open(path);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
}

/// The bytes of a file of the disk.
///
/// # Errors
///
/// When it is none, is larger than any source, or can't be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_within_limit(open(path)?)
}

/// The same of what a person names as an option, which may well be `/dev/null` or a pipe.
///
/// # Errors
///
/// When it is larger than any source, or can't be read.
pub fn read_named(path: &Path) -> io::Result<Vec<u8>> {
    read_within_limit(File::open(path)?)
}

fn read_within_limit(file: File) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(length.min(LARGEST) as usize);
    // (A file of a system such as `/proc` says that it is empty.)
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {} MB", LARGEST >> 20)));
    }
    Ok(bytes)
}

/// Reads the bytes of files, named ones and included ones.
#[derive(Clone)]
pub struct Files(ReadFile);

impl Files {
    /// Files that are read in some way.
    pub fn new(read: impl Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Self {
        Files(Arc::new(read))
    }

    /// The same files, but those that `overlay` has a text for have that text: what an editor has not saved yet, or
    /// standard input.
    #[must_use]
    pub fn with_overlay(self, overlay: impl Fn(&Path) -> Option<Vec<u8>> + Send + Sync + 'static) -> Self {
        Files::new(move |path| overlay(path).map_or_else(|| self.read(path), Ok))
    }

    /// The same files; for one that is not there it is not looked again. For the time of a run: a file that comes into
    /// being meanwhile is not found.
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
        Files::new(read)
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

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_not_read() {
        let of = |path: &str| read(Path::new(path)).map(|bytes| bytes.len()).map_err(|error| error.to_string());
        assert_eq!(of("/dev/zero"), Err("it is no regular file".to_owned()));
        assert_eq!(of("/"), Err("it is no regular file".to_owned()));
    }
}
