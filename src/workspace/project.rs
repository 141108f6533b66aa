//! The files that are analysed together, with their modules.

use std::collections::{HashMap, HashSet};
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use rustc_hash::FxHasher;

use super::external::ExternalSubroutines;
use super::module_search::{FileModules, ModuleSearch};
use super::options::SourceOptions;
use super::reading::{self, prescan_like};
use crate::names::{ModuleIndex, ModuleSummary, external_subroutines};
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
    inclusions: Vec<(PathBuf, HashSet<PathBuf>)>,
    /// For each included file, links resolved, the files that include it, once that was asked for.
    includers: OnceLock<HashMap<PathBuf, Vec<PathBuf>>>,
    /// Its external subroutines, once they were asked for.
    external_subroutines: OnceLock<ExternalSubroutines>,
    /// Of files with a subroutine of which there are several, what tells which of them is meant.
    described: Mutex<HashMap<PathBuf, Arc<DescribedFile>>>,
}

/// What a file says of its external subroutines.
#[derive(Debug, Default)]
struct DescribedFile {
    /// By lower-case name, what tells copies from others.
    subroutines: HashMap<String, u64>,
    has_program: bool,
}

/// One of several definitions of an external subroutine.
struct Definition<'p> {
    file: &'p Path,
    fingerprint: u64,
    /// Whether it stands beside a main program.
    is_private: bool,
}

/// Whether all definitions have the same statements.
fn are_copies(definitions: &[Definition<'_>]) -> bool {
    definitions.windows(2).all(|pair| pair[0].fingerprint == pair[1].fingerprint)
}

impl Project {
    /// Indexes the modules of all files. Files that can't be read are passed over here; reading them again for analysis
    /// reports them.
    pub fn load(paths: &[PathBuf], options: SourceOptions) -> Project {
        let search = ModuleSearch::new(&options);
        let by_file: Vec<FileModules> = paths.par_iter().with_max_len(1).map(|path| search.look(path)).collect();
        let mut modules = Vec::new();
        let mut inclusions = Vec::new();
        for (path, found) in paths.iter().zip(by_file) {
            modules.extend(found.modules);
            inclusions.push((path.clone(), found.included));
        }
        Project::new(paths, modules, options).with_inclusions(inclusions)
    }

    /// The project of these files with their modules, which a [`ModuleSearch`] gave, in the order of the files.
    pub fn new(paths: &[PathBuf], modules: Vec<ModuleSummary>, mut options: SourceOptions) -> Project {
        options.files = options.files.remembering_what_is_missing();
        Project {
            options,
            index: ModuleIndex::new(modules),
            paths: paths.to_vec(),
            real_paths: OnceLock::new(),
            inclusions: Vec::new(),
            includers: OnceLock::new(),
            external_subroutines: OnceLock::new(),
            described: Mutex::default(),
        }
    }

    /// The same, where it is known what files include, in the order of their paths.
    #[must_use]
    pub fn with_inclusions(mut self, inclusions: Vec<(PathBuf, HashSet<PathBuf>)>) -> Project {
        self.inclusions = inclusions;
        self
    }

    /// The same, where only these of the included files are its own.
    #[must_use]
    pub fn owning(mut self, is_own: impl Fn(&Path) -> bool) -> Project {
        let mut known: HashMap<PathBuf, bool> = HashMap::new();
        for (_, included) in &mut self.inclusions {
            included.retain(|path| *known.entry(path.clone()).or_insert_with(|| is_own(path)));
        }
        self
    }

    /// The files of the project that include one that is its own, in the order of their paths.
    pub fn includers(&self, included: &Path) -> &[PathBuf] {
        let index = || {
            let mut real_paths: HashMap<&Path, Option<PathBuf>> = HashMap::new();
            let mut includers: HashMap<PathBuf, Vec<PathBuf>> = HashMap::new();
            for (including, path) in self.inclusions.iter().flat_map(|(by, all)| all.iter().map(move |one| (by, one))) {
                let real = real_paths.entry(path).or_insert_with(|| path.canonicalize().ok());
                if let Some(real) = real {
                    includers.entry(real.clone()).or_default().push(including.clone());
                }
            }
            includers
        };
        let includers = || self.includers.get_or_init(index);
        if self.inclusions.iter().all(|(_, included)| included.is_empty()) {
            return &[];
        }
        included.canonicalize().ok().and_then(|real| includers().get(&real)).map_or(&[], Vec::as_slice)
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

    /// The external subroutines of its files, looked for when they are asked for first.
    pub fn external_subroutines(&self) -> &ExternalSubroutines {
        self.external_subroutines.get_or_init(|| ExternalSubroutines::new(&self.paths, &self.options.files))
    }

    /// The file of the external subroutine of this lower-case name. Of several files it is the first if all have the
    /// same statements; else that of the only definition that stands beside no main program, as one beside it is that
    /// program's own: what follows is true of the other programs. None if it is not known which is meant.
    pub fn file_of_external_subroutine(&self, name: &str) -> Option<&Path> {
        let files = self.external_subroutines().files(name);
        if let [only] = files {
            return Some(only);
        }
        let definition = |file| {
            let described = self.described(file);
            Some(Definition { file, fingerprint: *described.subroutines.get(name)?, is_private: described.has_program })
        };
        let mut definitions: Vec<_> = files.iter().map(PathBuf::as_path).filter_map(definition).collect();
        if !are_copies(&definitions) {
            definitions.retain(|definition| !definition.is_private);
        }
        let first = definitions.first()?;
        are_copies(&definitions).then_some(first.file)
    }

    /// What tells the external subroutines of a file from others of their names.
    fn described(&self, file: &Path) -> Arc<DescribedFile> {
        let lock = || self.described.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(file).cloned() {
            return known;
        }
        let describe = |tree: Tree| DescribedFile {
            subroutines: external_subroutines(&tree),
            has_program: tree.has_main_program(),
        };
        let found = Arc::new(self.declarations(file).map(describe).unwrap_or_default());
        lock().insert(file.to_path_buf(), Arc::clone(&found));
        found
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

    /// The same project where a file has another text.
    pub(super) fn with_text(&self, path: &Path, text: &[u8]) -> Project {
        let (path, text) = (path.to_path_buf(), text.to_vec());
        let overlay = move |asked: &Path| (asked == path).then(|| text.clone());
        let files = self.options.files.clone().with_overlay(overlay);
        Project::new(&[], Vec::new(), SourceOptions { files, ..self.options.clone() })
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
