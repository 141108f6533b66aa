//! From the paths that were named to packages and their files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::partial::FileName;
use crate::workspace::discovery::{self, DiscoveredFiles, Exclusions};

/// Files that are analysed together.
#[derive(Debug)]
pub struct Package {
    /// Its name: that of its directory, unless two have the same.
    pub name: String,
    /// Its directory.
    directory: PathBuf,
    /// Its files by path.
    pub files: Vec<PathBuf>,
}

impl Package {
    /// How a file of it is called in results, wherever it lies.
    pub fn name_of(&self, file: &Path) -> FileName {
        let below = file.strip_prefix(&self.directory).unwrap_or(file);
        let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
        FileName { package: self.name.clone(), path: parts.collect::<Vec<_>>().join("/") }
    }
}

/// The packages, and the paths that can't be read, each with what the system said.
#[derive(Debug, Default)]
pub struct Packages {
    /// The packages by name.
    pub all: Vec<Package>,
    /// What can't be read.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// Finds the packages: each directory that was named, or, with `split`, each directory in one; files that were named by
/// themselves make the package of the directory that they lie in. Of directories inside each other the inner one has
/// the files.
pub fn find(paths: &[PathBuf], split: bool, exclusions: &Exclusions) -> anyhow::Result<Packages> {
    let mut found = Packages::default();
    // What is searched for each package.
    let mut roots: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in paths {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => {
                let directory = path.parent().unwrap_or(Path::new(""));
                roots.entry(directory.to_path_buf()).or_default().push(path.clone());
            }
            Ok(_) if split => {
                for directory in directories_in(path)? {
                    roots.entry(directory.clone()).or_default().push(directory);
                }
            }
            _ => roots.entry(path.clone()).or_default().push(path.clone()),
        }
    }
    let names = names_of(roots.keys());
    let inside = |outer: &PathBuf, inner: &PathBuf| inner != outer && inner.starts_with(outer);
    for ((directory, searched), name) in roots.iter().zip(names) {
        let DiscoveredFiles { files, unreadable, .. } = discovery::find(searched, exclusions);
        let inner: Vec<&PathBuf> = roots.keys().filter(|other| inside(directory, other)).collect();
        let is_own = |file: &PathBuf| !inner.iter().any(|inner| file.starts_with(inner));
        let files = files.into_iter().filter(is_own).collect();
        found.all.push(Package { name, directory: directory.clone(), files });
        found.unreadable.extend(unreadable);
    }
    found.all.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(found)
}

/// The directories in a directory, without hidden ones.
fn directories_in(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read '{}'", path.display()))?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !is_hidden && entry.path().is_dir() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// A name for each directory: its own, or all of its path if others are called the same.
fn names_of<'a>(directories: impl Iterator<Item = &'a PathBuf>) -> Vec<String> {
    let own = |directory: &Path| {
        let resolved = directory.canonicalize().or_else(|_| std::env::current_dir());
        let name = directory.file_name().map(ToOwned::to_owned);
        let name = name.or_else(|| resolved.ok()?.file_name().map(ToOwned::to_owned));
        name.map_or_else(|| directory.display().to_string(), |name| name.to_string_lossy().into_owned())
    };
    let named: Vec<(&PathBuf, String)> = directories.map(|directory| (directory, own(directory))).collect();
    let is_alone = |name: &String| named.iter().filter(|(_, other)| other == name).count() == 1;
    let name = |(directory, name): &(&PathBuf, String)| match is_alone(name) {
        true => name.clone(),
        false => directory.display().to_string(),
    };
    named.iter().map(name).collect()
}
