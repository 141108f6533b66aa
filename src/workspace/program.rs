//! A program and another version of it, side by side: the same files under the same names, wherever each version lies.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::bail;
use walkdir::WalkDir;

use super::discovery::{self, Exclusions};
use super::revision::{self, LARGEST_INCLUDE, Revision};
use super::{Files, SourceOptions, files};
use crate::diagnostics::paths;

/// A file of a program.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Where it is read.
    pub path: PathBuf,
    /// What it is called in a comparison: its path from the root of the program, with slashes.
    pub name: String,
}

/// A program: its files, and how they are read.
#[derive(Debug)]
pub struct Program {
    /// The files.
    pub files: Vec<SourceFile>,
    /// How they are read.
    pub options: SourceOptions,
    /// For a revision: what is otherwise in the work tree.
    different: Option<HashMap<PathBuf, Option<Vec<u8>>>>,
    /// The directories in which included files are looked for, each with its name.
    roots: Vec<PathBuf>,
}

impl Program {
    /// A program whose files are called as they lie below the directory of a file.
    pub fn beside(files: Vec<PathBuf>, options: &SourceOptions, file: &Path) -> Self {
        let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Program::below(files, options, &paths::resolved(directory))
    }

    /// A program whose files are called as they lie below a directory.
    fn below(files: Vec<PathBuf>, options: &SourceOptions, directory: &Path) -> Self {
        let real = directory.canonicalize().unwrap_or_else(|_| directory.to_path_buf());
        let name = |path: &Path| {
            let resolved = path.canonicalize().unwrap_or_else(|_| paths::resolved(path));
            paths::text(resolved.strip_prefix(&real).unwrap_or(path))
        };
        let files = files.into_iter().map(|path| SourceFile { name: name(&path), path }).collect();
        Program { files, options: options.clone(), different: None, roots: Vec::new() }
    }

    /// The paths of its files.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// Whether a file of this program has these bytes, which a program that it is compared with has in its place.
    pub fn is_same_file(&self, file: &SourceFile, bytes: &[u8]) -> bool {
        match &self.different {
            Some(different) => !different.contains_key(&file.path),
            None => self.options.files.read(&file.path).is_ok_and(|own| own == bytes),
        }
    }

    /// The names, without extension and in lower case, of files that are no Fortran sources and not the same in another
    /// program: what includes them is another text.
    pub fn changed_includes(&self, other: &Program) -> Vec<String> {
        let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
        let is_other = |path: &Path| !discovery::is_fortran(path);
        if let Some(different) = &self.different {
            return different.keys().filter(|path| is_other(path)).filter_map(|path| stem(path)).collect();
        }
        let others = |program: &Program| {
            let mut found: HashMap<PathBuf, PathBuf> = HashMap::new();
            for root in &program.roots {
                for entry in WalkDir::new(root).into_iter().filter_map(Result::ok) {
                    let is_small = entry.metadata().is_ok_and(|of| of.is_file() && of.len() <= LARGEST_INCLUDE);
                    if is_small && is_other(entry.path()) {
                        let below = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_path_buf();
                        found.insert(below, entry.into_path());
                    }
                }
            }
            found
        };
        let (mine, theirs) = (others(self), others(other));
        let read = |path: Option<&PathBuf>| path.and_then(|path| files::read(path).ok());
        let is_changed = |below: &&PathBuf| read(mine.get(*below)) != read(theirs.get(*below));
        let mut names: Vec<String> =
            mine.keys().chain(theirs.keys()).filter(is_changed).filter_map(|path| stem(path)).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// A program as it was, and as it is.
#[derive(Debug)]
pub struct Versions {
    /// As it was.
    pub before: Program,
    /// As it is.
    pub now: Program,
}

/// The program at these paths, and the version of it in another directory: each path is looked for below that; a single
/// one that is not there is the directory itself.
///
/// # Errors
///
/// When none of the paths is there, or no file.
pub fn with_directory(
    base: &Path,
    named: &[PathBuf],
    options: &SourceOptions,
    exclusions: &Exclusions,
) -> anyhow::Result<Versions> {
    let counterpart = |path: &Path| {
        let below = if path.is_relative() { base.join(path) } else { PathBuf::new() };
        match below.exists() && !path.is_absolute() {
            true => Some(below),
            false if named.len() == 1 && path.is_dir() => Some(base.to_path_buf()),
            false => None,
        }
    };
    let mut programs = (Vec::new(), Vec::new());
    let mut roots = (Vec::new(), Vec::new());
    for path in named {
        let label = |root: &Path, file: &Path| {
            let below = file.strip_prefix(root).unwrap_or(file);
            let whole = if named.len() == 1 { below.to_path_buf() } else { path.join(below) };
            paths::text(&whole)
        };
        if let Some(before) = counterpart(path) {
            let found = discovery::find(std::slice::from_ref(&before), exclusions);
            let of = |file: PathBuf| SourceFile { name: label(&before, &file), path: file };
            programs.0.extend(found.files.into_iter().map(of));
            roots.0.push(before);
        }
        let found = discovery::find(std::slice::from_ref(path), exclusions);
        programs.1.extend(found.files.into_iter().map(|file| SourceFile { name: label(path, &file), path: file }));
        roots.1.push(path.clone());
    }
    if roots.0.is_empty() {
        bail!("none of the paths is below '{}'", base.display());
    }
    if programs.0.is_empty() {
        bail!("'{}' holds no Fortran file below these paths: there is nothing to compare with", base.display());
    }
    let mut base_options = options.clone();
    for directory in &mut base_options.include_directories {
        let there = base.join(&*directory);
        if directory.is_relative() && there.exists() {
            *directory = there;
        }
    }
    let program = |files, options, roots| Program { files, options, different: None, roots };
    Ok(Versions {
        before: program(programs.0, base_options, roots.0),
        now: program(programs.1, options.clone(), roots.1),
    })
}

/// The program of some files, which were found at these paths, and the version of it in a revision of the repository
/// that holds the first path.
///
/// # Errors
///
/// When there is no such revision.
pub fn with_revision(
    name: &str,
    named: &[PathBuf],
    files: Vec<PathBuf>,
    options: &SourceOptions,
    exclusions: &Exclusions,
) -> anyhow::Result<Versions> {
    let revision = revision::read(name, named.first().map_or(Path::new("."), PathBuf::as_path))?;
    let now = Program::below(files, options, &revision.root);
    Ok(Versions { before: of_revision(revision, named, options, exclusions), now })
}

/// The program of a revision: what is the same is read from the work tree.
fn of_revision(revision: Revision, named: &[PathBuf], options: &SourceOptions, exclusions: &Exclusions) -> Program {
    let Revision { root, files, different } = revision;
    let named: Vec<PathBuf> =
        named.iter().map(|path| path.canonicalize().unwrap_or_else(|_| paths::resolved(path))).collect();
    let is_wanted = |file: &PathBuf| {
        named.iter().any(|path| match file.strip_prefix(path) {
            Ok(below) if below.as_os_str().is_empty() => true,
            Ok(below) => discovery::is_fortran(file) && !exclusions.passes_over(path, below),
            Err(_) => false,
        })
    };
    let files: Vec<SourceFile> = files
        .into_iter()
        .filter(is_wanted)
        .map(|path| SourceFile { name: paths::text(path.strip_prefix(&root).unwrap_or(&path)), path })
        .collect();
    let there = different.clone();
    let read = move |path: &Path| match there.get(&paths::resolved(path)) {
        Some(Some(bytes)) => Ok(bytes.clone()),
        Some(None) => Err(io::Error::from(io::ErrorKind::NotFound)),
        None => files::read(path),
    };
    let options = SourceOptions { files: Files::new(read), ..options.clone() };
    Program { files, options, different: Some(different), roots: Vec::new() }
}
