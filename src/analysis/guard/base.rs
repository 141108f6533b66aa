//! What a program is compared with: a lock file, another directory, or a revision of its repository.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::{Snapshot, lock};
use crate::workspace::SourceOptions;
use crate::workspace::discovery::Exclusions;
use crate::workspace::program::{self, Program, Versions};

/// What a program is compared with.
#[derive(Debug)]
pub enum Base {
    /// A lock file.
    Lock(Snapshot),
    /// Sources.
    Program(Box<Program>),
}

/// Opens what `--base` names, and gives the program of today the names that go with it.
///
/// # Errors
///
/// When it is nothing that can be compared with.
pub fn open(
    name: &str,
    named: &[PathBuf],
    files: Vec<PathBuf>,
    options: &SourceOptions,
    exclusions: &Exclusions,
) -> anyhow::Result<(Base, Program)> {
    let path = Path::new(name);
    if path.is_dir() {
        let Versions { before, now } = program::with_directory(path, named, options, exclusions)?;
        return Ok((Base::Program(Box::new(before)), now));
    }
    if path.is_file() {
        let text = std::fs::read_to_string(path).with_context(|| format!("'{name}' can't be read"))?;
        if !lock::is_lock(&text) {
            bail!("'{name}' is no lock file of camfort-rs (`guard --save FILE` writes one)");
        }
        let snapshot = lock::read(&text).with_context(|| format!("'{name}'"))?;
        if snapshot.units.is_empty() {
            bail!("'{name}' holds no unit: there is nothing to compare with");
        }
        return Ok((Base::Lock(snapshot), Program::beside(files, options, path)));
    }
    let Versions { before, now } = program::with_revision(name, named, files, options, exclusions)
        .with_context(|| format!("'{name}' is no directory and no file"))?;
    Ok((Base::Program(Box::new(before)), now))
}
