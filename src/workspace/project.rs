//! The files that are analysed together, with their modules.

use std::collections::HashSet;
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHasher;

use super::module_search::ModuleSearch;
use super::options::SourceOptions;
use super::reading::{self, prescan_like};
use crate::names::{ModuleIndex, ModuleSummary};
use crate::source::{Prescanned, SourceForm};
use crate::syntax::Tree;

/// The modules of all files, and how files are read.
#[derive(Debug)]
pub struct Project {
    options: SourceOptions,
    index: ModuleIndex,
    paths: Vec<PathBuf>,
    /// The same paths, links resolved, once that was asked for.
    real_paths: OnceLock<HashSet<PathBuf>>,
}

impl Project {
    /// Indexes the modules of all files. Files that can't be read are passed over here; reading them again for analysis
    /// reports them.
    pub fn load(paths: &[PathBuf], options: SourceOptions) -> Project {
        let search = ModuleSearch::new(&options);
        let of_file = |path: &PathBuf| search.look(path).modules;
        let by_file: Vec<Vec<ModuleSummary>> = paths.par_iter().with_max_len(1).map(of_file).collect();
        Project::new(paths, by_file.into_iter().flatten().collect(), options)
    }

    /// The project of these files with their modules, which a [`ModuleSearch`] gave, in the order of the files.
    pub fn new(paths: &[PathBuf], modules: Vec<ModuleSummary>, mut options: SourceOptions) -> Project {
        options.files = options.files.remembering_what_is_missing();
        Project { options, index: ModuleIndex::new(modules), paths: paths.to_vec(), real_paths: OnceLock::new() }
    }

    /// The options it was loaded with.
    pub fn options(&self) -> &SourceOptions {
        &self.options
    }

    /// Its files.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The modules of its files.
    pub fn index(&self) -> &ModuleIndex {
        &self.index
    }

    /// Whether a file is one of the project's.
    pub fn is_given(&self, path: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        let real_paths = || self.paths.iter().filter_map(|path| real(path)).collect();
        real(path).is_some_and(|path| self.real_paths.get_or_init(real_paths).contains(&path))
    }

    /// What a file declares; executable statements may be left out.
    ///
    /// # Errors
    ///
    /// When it can't be read.
    pub fn declarations(&self, path: &Path) -> io::Result<Tree> {
        Ok(reading::parse_declarations(path, &self.options.files.read(path)?, &self.options))
    }

    /// Depends on the statements of a text of a file only, not on its comments. It is read in the layout in which the
    /// first text was, and `__LINE__` is what it is defined to be.
    pub(super) fn fingerprint(&self, first: &Prescanned, path: &Path, bytes: &[u8], line: Option<u32>) -> u64 {
        let Some(line) = line else { return fingerprint(&prescan_like(first, path, bytes, &self.options)) };
        let mut options = self.options.clone();
        options.defines.push(format!("__LINE__={line}"));
        fingerprint(&prescan_like(first, path, bytes, &options))
    }
}

pub(super) fn fingerprint(source: &Prescanned) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(u8::from(source.form == SourceForm::Fixed));
    for statement in &source.statements {
        hasher.write_u32(statement.label.unwrap_or(u32::MAX));
        hasher.write_u32(statement.end);
    }
    hasher.write(&source.cooked);
    hasher.finish()
}
