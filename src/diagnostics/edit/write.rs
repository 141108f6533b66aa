//! Replacing a file in one step, or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

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
/// place and permissions by a rename: whoever interrupts this leaves the old file or the new one, never half of one. A
/// symbolic link stays a link; the file it leads to is replaced. Other hard links to the file keep the old content.
pub fn write_atomically(path: &Path, original: &[u8], new: &[u8]) -> Result<(), WriteError> {
    let system = |source| WriteError::System { path: path.to_path_buf(), source };
    let real = fs::canonicalize(path).map_err(system)?;
    let metadata = fs::metadata(&real).map_err(system)?;
    if !metadata.is_file() {
        return Err(WriteError::NotARegularFile(path.to_path_buf()));
    }
    refuse_read_only(path, &real, &metadata)?;
    let folder = real.parent().unwrap_or(Path::new("."));
    let temporary = filled_temporary_file(folder, new, &metadata).map_err(system)?;
    // As late as possible, so that as little time as possible is left for another program to write in.
    if fs::read(&real).map_err(system)? != original {
        return Err(WriteError::ChangedMeanwhile(path.to_path_buf()));
    }
    temporary.persist(&real).map_err(|error| system(error.error))?;
    // The rename is on the disk when the directory is. Where directories can't be flushed nothing is lost but this.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// A file of this program's own that is there, or takes the place of an older one, when it is whole.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    output: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins a file at `path`.
    ///
    /// # Errors
    ///
    /// When nothing can be written in its directory.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".camfort-rs-").suffix(".tmp");
        let permissions = fs::metadata(path).ok().map(|metadata| metadata.permissions()).or_else(usual_permissions);
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        Ok(NewFile { path: path.to_path_buf(), output: BufWriter::new(builder.tempfile_in(folder)?) })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    ///
    /// When the system refuses to; what was there before still is.
    pub fn finish(self) -> io::Result<()> {
        let file = self.output.into_inner().map_err(|error| error.into_error())?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// The permissions that new files have, less what the user's mask takes away; those of temporary files are the owner's only.
fn usual_permissions() -> Option<fs::Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Some(fs::Permissions::from_mode(0o666))
    }
    #[cfg(not(unix))]
    None
}

/// A rename needs no permission to write to the file itself, so it is asked for here. The mode comes first, as it binds the
/// superuser too.
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

/// A temporary file with the content, owner and permissions that the file shall have. It vanishes when dropped.
fn filled_temporary_file(folder: &Path, content: &[u8], metadata: &Metadata) -> io::Result<NamedTempFile> {
    let mut temporary = tempfile::Builder::new().prefix(".camfort-rs-").suffix(".tmp").tempfile_in(folder)?;
    temporary.write_all(content)?;
    keep_owner(temporary.as_file(), metadata);
    temporary.as_file().set_permissions(metadata.permissions())?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
}

/// Gives the file the owner and group of the old one where the system allows it; only the superuser can give files away.
#[cfg(unix)]
fn keep_owner(file: &File, metadata: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}
