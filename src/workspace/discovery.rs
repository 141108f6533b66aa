//! From the paths that were named to the files to be analysed.
//!
//! A file that is named is taken whatever its name; a directory is searched for files with a Fortran extension. Hidden
//! files and directories and those that build systems fill are passed over, symbolic links are followed within the
//! [roots](SourceRoots) of a run, and a file that is reached in two ways is taken once. `.gitignore` is not consulted:
//! what is built from depends on no version control.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use walkdir::{DirEntry, WalkDir};

use super::roots::SourceRoots;
use crate::diagnostics::paths;

/// Extensions of Fortran files, compared without regard to letter case.
const EXTENSIONS: [&str; 13] =
    ["f", "for", "ftn", "f77", "fpp", "f90", "f95", "f03", "f08", "f18", "f23", "fypp", "pf"];

/// Directories that hold what was built, not what was written.
const BUILD_DIRECTORIES: [&str; 3] = ["build", "_build", "target"];

/// Why a file that a symbolic link leads to is not read.
const LINK_OUT_OF_BOUNDS: &str =
    "a symbolic link leads to it, and it lies outside of the paths given, the directories of -I and the project";

/// What was found.
#[derive(Debug, Default)]
pub struct DiscoveredFiles {
    /// The files, sorted by path, each once.
    pub files: Vec<PathBuf>,
    /// Paths that are missing or can't be read, each with what the system said.
    pub unreadable: Vec<(PathBuf, String)>,
    /// Directories and Fortran files that were passed over in directories, each with the reason.
    pub passed_over: Vec<(PathBuf, PassedOver)>,
}

/// Why something in a directory is passed over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PassedOver {
    /// Its name begins with a dot.
    Hidden,
    /// By its name, a build system fills it.
    BuildDirectory,
    /// A glob says so.
    Excluded,
    /// The run writes there.
    Output,
}

impl fmt::Display for PassedOver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            PassedOver::Hidden => "hidden",
            PassedOver::BuildDirectory => "a directory of builds",
            PassedOver::Excluded => "excluded",
            PassedOver::Output => "written by this run",
        })
    }
}

/// What to pass over in directories, besides what is always passed over.
#[derive(Debug)]
pub struct Exclusions {
    /// Globs without a slash: they match the name of a file or directory at any depth.
    names: GlobSet,
    /// Globs with a slash: they match the path below the directory that was named, or the whole path.
    paths: GlobSet,
    /// Those of the configuration file match the path below its directory.
    below: (PathBuf, GlobSet),
    /// A directory by itself: where this run writes.
    output: Option<PathBuf>,
    /// Where symbolic links may lead.
    roots: SourceRoots,
}

impl Exclusions {
    /// Reads the globs: those that were typed, and those that count from a directory.
    pub fn new(
        typed: &[String],
        below: &(PathBuf, Vec<String>),
        output: Option<&Path>,
        roots: SourceRoots,
    ) -> anyhow::Result<Self> {
        let (mut names, mut paths, mut paths_below) =
            (GlobSetBuilder::new(), GlobSetBuilder::new(), GlobSetBuilder::new());
        for text in typed {
            let (glob, is_path) = glob(text).with_context(|| format!("--exclude '{text}'"))?;
            if is_path { &mut paths } else { &mut names }.add(glob);
        }
        for text in &below.1 {
            let (glob, is_path) = glob(text).with_context(|| format!("exclude '{text}'"))?;
            if is_path { &mut paths_below } else { &mut names }.add(glob);
        }
        // Each glob alone is right; together they can be more than the matcher takes.
        let key = if below.1.is_empty() { "--exclude" } else { "exclude" };
        let build = |globs: &GlobSetBuilder| globs.build().with_context(|| format!("{key}: these are too many globs"));
        let below = (below.0.clone(), build(&paths_below)?);
        let output = output.and_then(|path| fs::canonicalize(path).ok());
        Ok(Exclusions { names: build(&names)?, paths: build(&paths)?, below, output, roots })
    }

    /// Why an entry of a directory is passed over, if it is.
    fn reason(&self, entry: &DirEntry, root: &Path) -> Option<PassedOver> {
        let is_output = || self.output.is_some() && fs::canonicalize(entry.path()).ok() == self.output;
        passed_over_name(&entry.file_name().to_string_lossy(), entry.file_type().is_dir())
            .or_else(|| self.excludes_path(entry.path(), root).then_some(PassedOver::Excluded))
            .or_else(|| is_output().then_some(PassedOver::Output))
    }

    fn excludes_path(&self, path: &Path, root: &Path) -> bool {
        let below = path.strip_prefix(root).unwrap_or(path);
        let whole = path.strip_prefix(".").unwrap_or(path);
        path.file_name().is_some_and(|name| self.names.is_match(name))
            || self.paths.is_match(below)
            || self.paths.is_match(whole)
            || self.is_excluded_below(path)
    }

    /// Whether a file below a directory would not be found there, if it were there.
    pub fn passes_over(&self, root: &Path, below: &Path) -> bool {
        let mut path = root.to_path_buf();
        let names: Vec<_> = below.iter().collect();
        names.iter().enumerate().any(|(at, name)| {
            path.push(name);
            passed_over_name(&name.to_string_lossy(), at + 1 < names.len()).is_some() || self.excludes_path(&path, root)
        })
    }

    /// Whether a file that was come upon otherwise is among the paths given or below one of them, and not left out.
    pub fn leave(&self, given: &[PathBuf], file: &Path) -> bool {
        let file = paths::resolved(file);
        let is_below = |path: &PathBuf| match file.strip_prefix(paths::resolved(path)) {
            Ok(below) => !self.passes_over(path, below),
            Err(_) => false,
        };
        given.iter().any(is_below)
    }

    fn is_excluded_below(&self, path: &Path) -> bool {
        let (directory, globs) = &self.below;
        let matches = |path: &Path| path.strip_prefix(directory).is_ok_and(|below| globs.is_match(below));
        !globs.is_empty() && matches(&paths::resolved(path))
    }
}

/// A glob, and whether it is for paths and not for names.
fn glob(text: &str) -> Result<(Glob, bool), globset::Error> {
    let pattern = text.trim_end_matches('/');
    let is_path = pattern.contains('/');
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    Ok((GlobBuilder::new(pattern).literal_separator(true).build()?, is_path))
}

/// Finds the files.
pub fn find(paths: &[PathBuf], exclusions: &Exclusions) -> DiscoveredFiles {
    let (mut found, mut named) = (DiscoveredFiles::default(), Vec::new());
    for path in paths {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => search(path, exclusions, &mut found),
            Ok(_) => named.push(path),
            Err(error) => found.unreadable.push((path.clone(), reason(&error))),
        }
    }
    let (mut seen, mut real) = (HashSet::new(), RealPaths::default());
    let DiscoveredFiles { files, unreadable, passed_over } = &mut found;
    passed_over.sort();
    files.retain(|path| {
        let may_be_read = exclusions.roots.enclose_real(&real.of(path));
        if !may_be_read {
            unreadable.push((path.clone(), LINK_OUT_OF_BOUNDS.to_owned()));
        }
        may_be_read
    });
    files.extend(named.into_iter().cloned());
    files.sort();
    files.retain(|path| seen.insert(real.of(path)));
    found
}

/// The files of the projects that the paths of a run belong to, but for those that were given.
pub fn rest_of_projects(given: &[PathBuf], exclusions: &Exclusions) -> Vec<PathBuf> {
    let mut real = RealPaths::default();
    let given: HashSet<PathBuf> = given.iter().map(|path| real.of(path)).collect();
    let mut files = find(exclusions.roots.projects(), exclusions).files;
    files.retain(|path| !given.contains(&real.of(path)));
    files
}

/// Resolves the symbolic links of paths, those of each directory once.
#[derive(Default)]
struct RealPaths {
    directories: HashMap<PathBuf, PathBuf>,
}

impl RealPaths {
    /// The path without symbolic links; itself where there is no such file.
    fn of(&mut self, path: &Path) -> PathBuf {
        let is_link = fs::symlink_metadata(path).map_or(true, |metadata| metadata.is_symlink());
        let resolved = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        match (path.parent(), path.file_name()) {
            (Some(directory), Some(name)) if !is_link && !directory.as_os_str().is_empty() => {
                self.directories.entry(directory.to_path_buf()).or_insert_with(|| resolved(directory)).join(name)
            }
            _ => resolved(path),
        }
    }
}

fn search(root: &Path, exclusions: &Exclusions, found: &mut DiscoveredFiles) {
    let mut passed_over = Vec::new();
    let wanted = |entry: &DirEntry| match exclusions.reason(entry, root).filter(|_| entry.depth() > 0) {
        Some(reason) => {
            if entry.file_type().is_dir() || is_fortran(entry.path()) {
                passed_over.push((entry.path().to_path_buf(), reason));
            }
            false
        }
        None => true,
    };
    for entry in WalkDir::new(root).follow_links(true).into_iter().filter_entry(wanted) {
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_fortran(entry.path()) => found.files.push(entry.into_path()),
            Ok(_) => {}
            // A symbolic link to a directory above it: everything there is found without it.
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => {
                let path = error.path().unwrap_or(root).to_path_buf();
                // A link that leads nowhere is of no concern, unless it looks like source.
                if !path.is_symlink() || is_fortran(&path) {
                    let reason = error.io_error().map_or_else(|| error.to_string(), reason);
                    found.unreadable.push((path, reason));
                }
            }
        }
    }
    found.passed_over.append(&mut passed_over);
}

/// What the system said, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_owned(),
        None => text,
    }
}

fn passed_over_name(name: &str, is_directory: bool) -> Option<PassedOver> {
    let is_build = is_directory && BUILD_DIRECTORIES.contains(&name);
    match name.starts_with('.') {
        true => Some(PassedOver::Hidden),
        false => is_build.then_some(PassedOver::BuildDirectory),
    }
}

/// Whether the name ends like that of a Fortran file.
pub fn is_fortran(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}
