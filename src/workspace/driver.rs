//! The one way over the files of a run: in parallel, with what came of each handed on in their order.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::in_order::in_order;
use super::{FileView, ModuleSearch, Project, SourceOptions, discovery};
use crate::names::ModuleSummary;
use crate::names::external::external_module;

/// Stack of a thread: deeply nested expressions are parsed by recursion.
const STACK_BYTES: usize = 64 << 20;

/// The threads of a run.
#[derive(Debug)]
pub struct Driver {
    threads: rayon::ThreadPool,
}

/// What kept a file from being looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileFailure {
    /// It is missing or can't be read: what the system said.
    Unreadable(String),
    /// An internal error, which is to be reported.
    Internal,
}

impl FileFailure {
    /// The sentence about a file.
    pub fn message(&self, path: &Path) -> String {
        match self {
            FileFailure::Unreadable(reason) => format!("cannot read '{}': {reason}", path.display()),
            FileFailure::Internal => {
                format!("internal error in '{}': please report it with this file", path.display())
            }
        }
    }
}

impl Driver {
    /// So many threads, or as many as there are cores.
    ///
    /// # Errors
    ///
    /// When the system does not give them.
    pub fn new(threads: Option<u16>) -> anyhow::Result<Self> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from));
        let threads = builder.stack_size(STACK_BYTES).build().context("the threads could not be started")?;
        Ok(Driver { threads })
    }

    /// Does some work on one of the threads, whose stack is large.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
    }

    /// Works on all items in parallel, and takes each result on the calling thread, which must be none of the driver's,
    /// in the order of the items. Where `take` breaks no further item is begun, and what it broke with is given back.
    pub fn each<T: Sync, R: Send, B: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
        take: impl FnMut(R) -> ControlFlow<B>,
    ) -> Option<B> {
        in_order(&self.threads, items, work, take)
    }

    /// Works on all items in parallel: the results, in the order of the items.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let mut results = Vec::with_capacity(items.len());
        self.each(items, work, |result| {
            results.push(result);
            ControlFlow::<()>::Continue(())
        });
        results
    }

    /// The project of some files, whose modules are looked for in those that are `indexed`; `looked` is called after
    /// each of these. Where they use others, these are looked for in the files that `elsewhere` gives.
    pub fn project(
        &self,
        paths: &[PathBuf],
        indexed: &[PathBuf],
        options: SourceOptions,
        elsewhere: impl FnOnce() -> Vec<PathBuf>,
        mut looked: impl FnMut(),
    ) -> Project {
        let (mut modules, mut used, mut inclusions) = (Vec::new(), HashSet::new(), Vec::new());
        let search = ModuleSearch::new(&options);
        self.each(
            indexed,
            |path| (path.clone(), search.look(path)),
            |(path, found)| {
                inclusions.push((path, found.included));
                modules.extend(found.modules);
                used.extend(found.used);
                looked();
                ControlFlow::<()>::Continue(())
            },
        );
        if lacks_modules(&modules, used) {
            let found = self.map(&elsewhere(), |path| search.look(path).modules);
            // External functions are those of the files given: elsewhere there may be several programs.
            let named = found.into_iter().flatten().filter(|module| !module.name.is_empty());
            modules.extend(named);
        }
        Project::new(paths, modules, options).with_inclusions(inclusions)
    }

    /// Works on files of a project as [`Driver::each`] does. An internal error in one file doesn't keep the others from
    /// being looked at.
    pub fn each_file<T: Sync, R: Send, B: Send>(
        &self,
        project: &Project,
        files: &[T],
        path: impl Fn(&T) -> &Path + Sync,
        work: impl Fn(&T, &FileView<'_>) -> R + Sync,
        mut take: impl FnMut(&T, Result<R, FileFailure>) -> ControlFlow<B>,
    ) -> Option<B> {
        let one = |file: &T| {
            let path = path(file);
            let read = project.read(path);
            let view = read.map_err(|error| FileFailure::Unreadable(discovery::reason(&error)))?;
            catch_unwind(AssertUnwindSafe(|| work(file, &view))).map_err(|_| FileFailure::Internal)
        };
        let mut taken = files.iter();
        self.each(files, one, |result| match taken.next() {
            Some(file) => take(file, result),
            None => ControlFlow::Continue(()),
        })
    }
}

/// Whether modules with some of these names are neither among these nor known ones.
fn lacks_modules(modules: &[ModuleSummary], mut names: HashSet<String>) -> bool {
    modules.iter().for_each(|module| {
        names.remove(&module.name);
    });
    names.iter().any(|name| external_module(name).is_none())
}
