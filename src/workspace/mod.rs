//! The files of a run: found, read, parsed against the modules of all, and handed to the analyses.
//!
//! A [`Project`] is some files with their modules indexed; it keeps no tree, so memory is bounded by the files that are under way and not by
//! their number. A [`FileView`] is one file of it: its tree and names, made when they are asked for, once. [`Driver`] works on the files
//! in parallel and hands on what came of each in their order. Nothing here knows an analysis: what one file tells another beyond its
//! modules is kept in [`Summaries`], whatever it is.
//!
//! - *overlay*: a text that stands for the bytes of a file, such as what an editor has not saved yet, or standard input;
//! - *program*: files with the names by which they are compared with those of another version of it, which lies in another directory or
//!   in a revision of its repository ([`program`]).

use std::collections::HashSet;
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHasher;

use crate::names::{ModuleIndex, ModuleSummary};
use crate::source::prescan::FormChoice;
use crate::source::{Prescanned, SourceForm};
use crate::syntax::Tree;

pub mod discovery;
mod driver;
pub mod files;
mod forms;
mod front_end;
mod in_order;
mod module_search;
pub mod program;
mod reading;
pub mod revision;
mod summaries;
mod view;

pub use driver::{Driver, FileFailure};
pub use files::Files;
pub use forms::{FileForms, SpecialFiles};
pub use module_search::ModuleSearch;
pub use reading::{FixedLineLength, parse};
pub use summaries::{PerFile, Summaries, SummaryLookup};
pub use view::FileView;

/// How files are read.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// The source form; [`FormChoice::Auto`] tells it from extension and content.
    pub form: FormChoice,
    /// Columns of a fixed-form line that count.
    pub fixed_line_length: FixedLineLength,
    /// The files for which one of these two is another.
    pub forms: FileForms,
    /// Where INCLUDE lines and `#include` look, after the directory of the including file.
    pub include_directories: Vec<PathBuf>,
    /// Preprocessor macros that are defined from the start, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Where the bytes of files come from.
    pub files: Files,
}

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
        let of_file = |path: &PathBuf| search.modules_of(path);
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

    /// The view of a file.
    ///
    /// # Errors
    ///
    /// When it can't be read.
    pub fn read(&self, path: &Path) -> io::Result<FileView<'_>> {
        Ok(self.view(path, self.options.files.read(path)?))
    }

    /// The view of a text that is called `path`.
    pub fn view(&self, path: &Path, bytes: impl Into<Vec<u8>>) -> FileView<'_> {
        FileView::new(self, path, bytes.into())
    }

    /// What a file declares; executable statements may be left out.
    ///
    /// # Errors
    ///
    /// When it can't be read.
    pub fn declarations(&self, path: &Path) -> io::Result<Tree> {
        Ok(reading::parse_declarations(path, &self.options.files.read(path)?, &self.options))
    }

    /// Depends on the form and the statements of a text only, not on its comments; `__LINE__` is what it is defined to be.
    fn fingerprint(&self, path: &Path, bytes: &[u8], defined_line: Option<u32>) -> u64 {
        let Some(line) = defined_line else { return fingerprint(&parse(path, bytes, &self.options).source) };
        let mut options = self.options.clone();
        options.defines.push(format!("__LINE__={line}"));
        fingerprint(&parse(path, bytes, &options).source)
    }
}

fn fingerprint(source: &Prescanned) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(u8::from(source.form == SourceForm::Fixed));
    for statement in &source.statements {
        hasher.write_u32(statement.label.unwrap_or(u32::MAX));
        hasher.write_u32(statement.end);
    }
    hasher.write(&source.cooked);
    hasher.finish()
}
