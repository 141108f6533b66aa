//! What files tell each other beyond their modules: each is looked at when another file asks for it, and what it tells
//! is kept.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{FileView, Project};

/// Through so many files summaries are followed that are made of summaries of other files.
const FILES: u8 = 3;

/// A table that several threads fill. Two of them may make the same entry at a time; the entries are equal then.
#[derive(Debug)]
struct Table<K, T>(Mutex<HashMap<K, Option<Arc<T>>>>);

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Table(Mutex::default())
    }
}

impl<K: Eq + Hash, T> Table<K, T> {
    fn get(&self, key: &K) -> Option<Option<Arc<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn extend(&self, entries: impl Iterator<Item = (K, Option<Arc<T>>)>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(entries);
    }
}

/// What is known of files, each looked at once; `None` of one that can't be read.
#[derive(Debug)]
pub struct PerFile<T>(Table<PathBuf, T>);

impl<T> Default for PerFile<T> {
    fn default() -> Self {
        PerFile(Table::default())
    }
}

impl<T> PerFile<T> {
    /// What is known of a file, or what is found out of it now.
    pub fn get(&self, file: &Path, find_out: impl FnOnce(&Path) -> Option<T>) -> Option<Arc<T>> {
        let key = file.to_path_buf();
        self.0.get(&key).unwrap_or_else(|| {
            let found = find_out(file).map(Arc::new);
            self.0.extend(std::iter::once((key, found.clone())));
            found
        })
    }
}

/// The summaries of files, which may be made of summaries of others: by file, and the number of further files that
/// might be asked for it. So what is known of a file does not depend on who asks first, whatever files need each other.
#[derive(Debug)]
pub struct Summaries<S>(Table<(PathBuf, u8), S>);

impl<S> Default for Summaries<S> {
    fn default() -> Self {
        Summaries(Table::default())
    }
}

/// Makes the summary of a file.
pub type Summarise<'f, S> = dyn Fn(&FileView<'_>, &SummaryLookup<'_, S>) -> S + Sync + 'f;

/// The summaries of a project's files, as one of them sees them.
pub struct SummaryLookup<'s, S> {
    project: &'s Project,
    known: &'s Summaries<S>,
    summarise: &'s Summarise<'s, S>,
    /// Further files that may be asked.
    files: u8,
    /// Whether it was asked for anything.
    was_asked: Cell<bool>,
}

impl<'s, S> SummaryLookup<'s, S> {
    /// The summaries as a file sees them that is analysed.
    pub fn new(project: &'s Project, known: &'s Summaries<S>, summarise: &'s Summarise<'s, S>) -> Self {
        SummaryLookup { project, known, summarise, files: FILES, was_asked: Cell::new(false) }
    }

    /// The summary of a file; `None` if it can't be read, or too many files are under way already.
    pub fn of_file(&self, file: &Path) -> Option<Arc<S>> {
        self.was_asked.set(true);
        let files = self.files.checked_sub(1)?;
        if let Some(known) = self.known.0.get(&(file.to_path_buf(), files)) {
            return known;
        }
        let inner = SummaryLookup { files, was_asked: Cell::new(false), ..*self };
        let found = self.project.read(file).ok().map(|view| Arc::new((self.summarise)(&view, &inner)));
        // Where none was asked it is the same however many further files might be.
        let alike = if inner.was_asked.get() { files..files + 1 } else { 0..FILES };
        self.known.0.extend(alike.map(|files| ((file.to_path_buf(), files), found.clone())));
        found
    }
}
