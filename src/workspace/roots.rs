//! The directories from which a run may show source: those of the paths that were given, what was typed as `-I`, and
//! the project.
//!
//! Whoever sends a file that includes `/etc/passwd` wants to see its lines in the log of the run. So what an INCLUDE
//! line or a symbolic link leads to is read only if it lies, links resolved, below one of these directories. Text that
//! is not read is in no output, whatever its format.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostics::paths;
use crate::source::prescan::MayInclude;

/// What makes a directory that of a project.
const PROJECT_MARKS: [&str; 3] = ["camfort.toml", "fpm.toml", ".git"];

/// Some directories; by default all.
#[derive(Clone, Debug, Default)]
pub struct SourceRoots(Option<Arc<Directories>>);

#[derive(Clone, Debug)]
struct Directories {
    /// Directories whose links may lead astray, without symbolic links in their paths.
    real: Vec<PathBuf>,
    /// Those of them that are the projects of the paths given.
    projects: Vec<PathBuf>,
    /// Directories that were named and lie outside of these: the system's, whose links are right (`/usr/include/mpif.h`
    /// is one on some systems), from the root directory on.
    trusted: Vec<PathBuf>,
}

impl SourceRoots {
    /// Those of a run: directories that were given, directories of files that were given, the projects of both, and
    /// other directories that were named.
    pub fn new(given: &[PathBuf], named: impl Iterator<Item = PathBuf>) -> SourceRoots {
        let (mut roots, mut projects): (Vec<PathBuf>, Vec<PathBuf>) = (Vec::new(), Vec::new());
        for path in given {
            let path = paths::resolved(path);
            let directory = match path.parent() {
                Some(parent) if !path.is_dir() => parent.to_path_buf(),
                _ => path,
            };
            let real = real(&directory);
            projects.extend(project(&directory).map(self::real));
            projects.extend(project(&real).map(Path::to_path_buf));
            roots.push(real);
        }
        roots.extend(projects.iter().cloned());
        for directories in [&mut roots, &mut projects] {
            directories.sort();
            directories.dedup();
        }
        let is_inside = |directory: &PathBuf| roots.iter().any(|root| real(directory).starts_with(root));
        let trusted = named.filter(|directory| !is_inside(directory)).map(|directory| paths::resolved(&directory));
        let trusted = trusted.collect();
        SourceRoots(Some(Arc::new(Directories { real: roots, projects, trusted })))
    }

    /// The same and another directory.
    #[must_use]
    pub fn with(mut self, directory: &Path) -> SourceRoots {
        self.0.iter_mut().for_each(|directories| Arc::make_mut(directories).real.push(real(directory)));
        self
    }

    /// The directories of the projects that the paths given belong to.
    pub fn projects(&self) -> &[PathBuf] {
        self.0.as_ref().map_or(&[], |directories| &directories.projects)
    }

    /// Whether a file lies in one of them, links resolved.
    pub fn enclose(&self, path: &Path) -> bool {
        let Some(directories) = &self.0 else { return true };
        let resolved = paths::resolved(path);
        directories.trusted.iter().any(|root| resolved.starts_with(root)) || self.enclose_real(&real(path))
    }

    /// Whether a file whose path has no symbolic links lies in one of them.
    pub fn enclose_real(&self, path: &Path) -> bool {
        let Some(directories) = &self.0 else { return true };
        directories.real.iter().any(|root| path.starts_with(root))
    }

    /// Whether they enclose a file, as a plain function.
    pub(super) fn function(&self) -> MayInclude {
        let roots = self.clone();
        Arc::new(move |path| roots.enclose(path))
    }
}

/// The nearest directory upward that is that of a project.
fn project(directory: &Path) -> Option<&Path> {
    let is_project = |directory: &&Path| PROJECT_MARKS.iter().any(|mark| directory.join(mark).exists());
    directory.ancestors().find(is_project)
}

/// The path without symbolic links. What is not on the disk (the text of an editor, a file of a revision) lies where
/// the directories that are there lead to.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let resolved = paths::resolved(path);
    for there in resolved.ancestors().skip(1) {
        if let (Ok(real), Ok(below)) = (there.canonicalize(), resolved.strip_prefix(there)) {
            return real.join(below);
        }
    }
    resolved
}
