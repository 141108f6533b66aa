//! Which data file stands for which file of a plan.

use std::path::{Path, PathBuf};

use super::facts::DataPath;
use super::plan::Plan;

/// A file that a plan reads: its index, its unit and its name, where it has these.
pub type NamedFile<'p> = (usize, &'p str, &'p str);

/// The files that a plan reads.
pub fn files(plan: &Plan) -> Vec<NamedFile<'_>> {
    let files = plan.files.iter().enumerate();
    files.map(|(index, file)| (index, file.unit.as_str(), file.name.as_deref().unwrap_or(""))).collect()
}

/// The name of a file of a plan, and the path, in `NAME=FILE`; no name in `FILE`.
pub fn split(typed: &str) -> (Option<&str>, &str) {
    match typed.split_once('=').filter(|(name, _)| !name.contains('/')) {
        Some((name, path)) => (Some(name), path),
        None => (None, typed),
    }
}

/// The file of a plan that a data file stands for: that of the unit or name that is given, that of its own name, or the
/// only one.
pub fn data_path(plan: &Plan, name: Option<&str>, path: PathBuf) -> Option<DataPath> {
    let files = files(plan);
    let is_named = |it: &&NamedFile<'_>| match name {
        Some(name) => it.1 == name || it.2 == name || plan.files[it.0].expression.as_deref() == Some(name),
        None => true,
    };
    let is_same = |it: &&NamedFile<'_>| Path::new(it.2).file_name() == path.file_name();
    let named: Vec<NamedFile<'_>> = files.iter().filter(is_named).copied().collect();
    let same: Vec<usize> = named.iter().filter(is_same).map(|it| it.0).collect();
    let file = match (same.as_slice(), named.as_slice()) {
        ([file], _) | (_, [(file, ..)]) => *file,
        _ => return None,
    };
    Some(DataPath { file, path, text: None })
}
