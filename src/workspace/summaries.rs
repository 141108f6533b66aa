//! What files tell each other beyond their modules: each is looked at when another file asks for it, and what it tells
//! is kept.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHasher;

use super::order::{Asks, Order, Ring};
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
pub struct Summaries<S> {
    limited: Table<(PathBuf, u8), Limited<S>>,
    /// Those made of all that there is to know of others, each made once: who needs it while it is made waits for it.
    whole: Mutex<HashMap<PathBuf, Arc<OnceLock<Whole<S>>>>>,
    order: Order,
}

/// A summary that is made of those of others through a few files.
#[derive(Debug)]
struct Limited<S> {
    /// `None` of a file that can't be read.
    summary: Option<Arc<S>>,
    /// Through how many further files it was followed; `None` if there were more than might be asked.
    depth: Option<u8>,
}

/// A summary with the bytes that it was made of, as a number.
type Whole<S> = Option<(u64, Arc<S>)>;

impl<S> Default for Summaries<S> {
    fn default() -> Self {
        Summaries { limited: Table::default(), whole: Mutex::default(), order: Order::default() }
    }
}

/// Makes the summary of a file.
pub type Summarise<'f, S> = dyn Fn(&FileView<'_>, &SummaryLookup<'_, S>) -> S + Sync + 'f;

/// The summaries of a project's files, as one of them sees them.
///
/// Where it is known which files a file may ask for ([`Asks`]), each is looked at once, after those: chains need no
/// limit. Files that need each other in a ring see each other's summaries through a few files, as all files do where
/// it is not known whom they ask.
pub struct SummaryLookup<'s, S> {
    project: &'s Project,
    known: &'s Summaries<S>,
    summarise: &'s Summarise<'s, S>,
    asks: Option<Asks>,
    /// The ring of the file that asks, once it is looked at.
    ring: Option<Ring>,
    /// Further files that may be asked, of those in a ring with the one that asks.
    files: u8,
    /// Through how many files that were asked they lead; `None` if there are more than may be asked.
    depth: Cell<Option<u8>>,
}

impl<'s, S> SummaryLookup<'s, S> {
    /// The summaries as a file sees them that is analysed.
    pub fn new(
        project: &'s Project,
        known: &'s Summaries<S>,
        summarise: &'s Summarise<'s, S>,
        asks: Option<Asks>,
    ) -> Self {
        SummaryLookup { project, known, summarise, asks, ring: None, files: FILES, depth: Cell::new(Some(0)) }
    }

    fn inner(&self, ring: Option<Ring>, files: u8) -> Self {
        SummaryLookup { ring, files, depth: Cell::new(Some(0)), ..*self }
    }

    /// The summary of a file; `None` if it can't be read, or too many files are under way already.
    pub fn of_file(&self, file: &Path) -> Option<Arc<S>> {
        let Some(asks) = self.asks else { return self.limited(file) };
        if self.ring.is_none() {
            self.explore(asks, file, None);
        }
        let ring = self.known.order.ring_of(file)?;
        if self.ring == Some(ring) { self.limited(file) } else { self.whole(file, ring, None).map(|(_, found)| found) }
    }

    /// The summary of the file that is analysed.
    pub fn of_view(&self, view: &FileView<'_>) -> Arc<S> {
        let own = fingerprint(view.bytes());
        let mut ring = None;
        if let Some(asks) = self.asks {
            self.explore(asks, view.path(), Some(view));
            ring = self.known.order.ring_of(view.path());
            if let Some(ring) = ring
                && let Some((bytes, found)) = self.whole(view.path(), ring, Some(view))
                && bytes == own
            {
                return found;
            }
            // Another text than others know it by.
            asks(view).iter().for_each(|file| self.explore(asks, file, None));
        }
        Arc::new((self.summarise)(view, &self.inner(ring, FILES)))
    }

    /// Looks at all that a file needs that is in no ring with others, and at itself.
    fn explore(&self, asks: Asks, file: &Path, view: Option<&FileView<'_>>) {
        self.known.order.explore(self.project, asks, file, view, &|view, ring| {
            self.whole(view.path(), ring, Some(view));
        });
    }

    /// The summary that is made of all that there is to know of others.
    fn whole(&self, file: &Path, ring: Ring, view: Option<&FileView<'_>>) -> Whole<S> {
        let cell = {
            let mut whole = self.known.whole.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(whole.entry(file.to_path_buf()).or_default())
        };
        let make = |view: &FileView<'_>| {
            let made = (self.summarise)(view, &self.inner(Some(ring), FILES));
            (fingerprint(view.bytes()), Arc::new(made))
        };
        let found = cell.get_or_init(|| match view {
            Some(view) => Some(make(view)),
            None => self.project.read(file).ok().map(|view| make(&view)),
        });
        found.clone()
    }

    /// The summary that is made of those of others through a few files.
    fn limited(&self, file: &Path) -> Option<Arc<S>> {
        let Some(files) = self.files.checked_sub(1) else {
            self.depth.set(None);
            return None;
        };
        let key = (file.to_path_buf(), files);
        let known = self.known.limited.get(&key).flatten().unwrap_or_else(|| self.find_out(file, files));
        let depth = self.depth.get().zip(known.depth).map(|(own, of_file)| own.max(of_file + 1));
        self.depth.set(depth);
        known.summary.clone()
    }

    /// Makes the summary of a file for which so many further ones may be asked.
    fn find_out(&self, file: &Path, files: u8) -> Arc<Limited<S>> {
        let inner = self.inner(self.ring, files);
        let summary = self.project.read(file).ok().map(|view| Arc::new((self.summarise)(&view, &inner)));
        let depth = inner.depth.get();
        let found = Arc::new(Limited { summary, depth });
        // It is the same wherever as many may be asked as were needed.
        let alike = depth.map_or(files..files + 1, |depth| depth..FILES);
        self.known.limited.extend(alike.map(|files| ((file.to_path_buf(), files), Some(found.clone()))));
        found
    }
}

fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}
