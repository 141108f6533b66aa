//! Replacing a file in one step, or not at all.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::attributes::{Lost, transfer};
use super::temporary::Temporary;

/// Why a file was not written. It then is as it was.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file's mode, or the system, forbids writing to it.
    #[error("'{}' is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// The file isn't what was read: somebody else has written to it since.
    #[error("'{}' was changed by another program meanwhile", .0.display())]
    ChangedMeanwhile(PathBuf),
    /// A directory, a device, a pipe.
    #[error("'{}' is not a regular file", .0.display())]
    NotARegularFile(PathBuf),
    /// The file belongs to another user or group, and whoever runs this can't give files away.
    #[error("'{}' would lose its owner or group, as another user runs this", .0.display())]
    OwnerLost(PathBuf),
    /// The system doesn't let the new file have an extended attribute of the old one.
    #[error("'{}' would lose its attribute '{}'", .path.display(), .attribute.display())]
    AttributeLost {
        /// The file.
        path: PathBuf,
        /// The attribute's name.
        attribute: OsString,
    },
    /// The system refused something else.
    #[error("'{}' could not be written: {source}", .path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Replaces the content of the file at `path` by `new`, if it still is `original`.
///
/// The new content goes to a temporary file in the same directory, is flushed to the disk, and takes the old file's
/// place by a rename: whoever interrupts this leaves the old file or the new one, never half of one. Owner,
/// permissions, access control lists and extended attributes stay. A symbolic link stays a link; the file it leads to
/// is replaced. Other hard links to the file keep the old content.
///
/// # Errors
///
/// When something of this can't be; then the file is as it was.
pub fn write_atomically(path: &Path, original: &[u8], new: &[u8]) -> Result<(), WriteError> {
    let system = |source| WriteError::System { path: path.to_path_buf(), source };
    let real = fs::canonicalize(path).map_err(system)?;
    let metadata = fs::metadata(&real).map_err(system)?;
    if !metadata.is_file() {
        return Err(WriteError::NotARegularFile(path.to_path_buf()));
    }
    refuse_read_only(path, &real, &metadata)?;
    let folder = real.parent().unwrap_or(Path::new("."));
    let mut temporary = Temporary::new_in(folder, None).map_err(system)?;
    temporary.write_all(new).map_err(system)?;
    match transfer(&real, &metadata, temporary.as_file()).map_err(system)? {
        None => {}
        Some(Lost::Owner) => return Err(WriteError::OwnerLost(path.to_path_buf())),
        Some(Lost::Attribute(attribute)) => {
            return Err(WriteError::AttributeLost { path: path.to_path_buf(), attribute });
        }
    }
    // As late as possible, so that as little time as possible is left for another program to write in.
    if fs::read(&real).map_err(system)? != original {
        return Err(WriteError::ChangedMeanwhile(path.to_path_buf()));
    }
    temporary.persist(&real).map_err(system)?;
    // The rename is on the disk when the directory is. Where directories can't be flushed nothing is lost but this.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// A file of results, which is there, or takes the place of an older one, when it is whole. (A pipe or device, such as
/// `/dev/null`, is written to at once.)
#[derive(Debug)]
pub struct NewFile {
    /// The place, with symbolic links followed.
    path: PathBuf,
    output: BufWriter<Output>,
}

#[derive(Debug)]
enum Output {
    Temporary(Temporary),
    Direct(File),
}

impl Output {
    fn file(&self) -> &File {
        match self {
            Output::Temporary(temporary) => temporary.as_file(),
            Output::Direct(file) => file,
        }
    }
}

impl NewFile {
    /// Begins a file at `path`.
    ///
    /// # Errors
    ///
    /// When nothing can be written in its directory.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path).ok();
        if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(NewFile { path: path.to_path_buf(), output: BufWriter::new(Output::Direct(file)) });
        }
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let permissions = metadata.map(|metadata| metadata.permissions()).or_else(usual_permissions);
        let temporary = Temporary::new_in(folder, permissions)?;
        Ok(NewFile { path, output: BufWriter::new(Output::Temporary(temporary)) })
    }

    /// Another way to write to it, for who wants to own what it writes to.
    ///
    /// # Errors
    ///
    /// When the system has no more handles.
    pub fn handle(&self) -> io::Result<File> {
        self.output.get_ref().file().try_clone()
    }

    /// Puts it in its place.
    ///
    /// # Errors
    ///
    /// When the system refuses to; what was there before still is.
    pub fn finish(self) -> io::Result<()> {
        match self.output.into_inner().map_err(|error| error.into_error())? {
            Output::Temporary(temporary) => temporary.persist(&self.path),
            Output::Direct(_) => Ok(()),
        }
    }
}

/// Writes a file of results, whole or not at all.
///
/// # Errors
///
/// When the system refuses to; what was there before still is.
pub fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = NewFile::begin(path)?;
    file.write_all(content)?;
    file.finish()
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// The permissions that new files have, less what the user's mask takes away; those of temporary files are the owner's
/// only.
fn usual_permissions() -> Option<fs::Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Some(fs::Permissions::from_mode(0o666))
    }
    #[cfg(not(unix))]
    None
}

/// A rename needs no permission to write to the file itself, so it is asked for here. The mode comes first, as it binds
/// the superuser too.
fn refuse_read_only(path: &Path, real: &Path, metadata: &Metadata) -> Result<(), WriteError> {
    let read_only = || WriteError::ReadOnly(path.to_path_buf());
    if metadata.permissions().readonly() {
        return Err(read_only());
    }
    match OpenOptions::new().write(true).open(real) {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
            Err(read_only())
        }
        Err(source) => Err(WriteError::System { path: path.to_path_buf(), source }),
    }
}
