//! Which files ask for which, and so which of them are in a ring: each needs the others, perhaps by way of others
//! still.
//!
//! Files are read as they are come to; a ring is closed when all is known of the files that it asks for (Tarjan).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{FileView, Project};

/// Gives the files that a file may ask for.
pub type Asks = fn(&FileView<'_>) -> Vec<PathBuf>;

/// A ring, by a number that says nothing. Most are a file alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ring(usize);

/// The rings that are known.
#[derive(Debug, Default)]
pub struct Order(Mutex<HashMap<PathBuf, Ring>>);

/// The way from the file that was asked for to the one that is looked at.
#[derive(Default)]
struct Way {
    /// The numbers of open files: where they stand in the list of these.
    numbers: HashMap<PathBuf, usize>,
    /// Files whose ring is not closed, as they were come to.
    open: Vec<PathBuf>,
}

/// What is looked at, and how.
struct Exploration<'e> {
    project: &'e Project,
    asks: Asks,
    /// Is given each file that is a ring alone, after all that it needs.
    alone: &'e dyn Fn(&FileView<'_>, Ring),
}

impl Order {
    /// The ring of a file that was come to.
    pub fn ring_of(&self, file: &Path) -> Option<Ring> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(file).copied()
    }

    /// Finds the rings of a file, whose view may be there already, and of all that it needs. Those that are alone in
    /// theirs are handed on, each after what it needs, unless another thread has come to them.
    pub fn explore(
        &self,
        project: &Project,
        asks: Asks,
        file: &Path,
        view: Option<&FileView<'_>>,
        alone: &dyn Fn(&FileView<'_>, Ring),
    ) {
        self.visit(&Exploration { project, asks, alone }, file, view, &mut Way::default());
    }

    /// The least number of a file that is open and that this one needs; `None` if its ring is closed.
    fn visit(
        &self,
        exploration: &Exploration<'_>,
        file: &Path,
        view: Option<&FileView<'_>>,
        way: &mut Way,
    ) -> Option<usize> {
        if let Some(&number) = way.numbers.get(file) {
            return Some(number);
        }
        if self.ring_of(file).is_some() {
            return None;
        }
        let number = way.open.len();
        way.numbers.insert(file.to_path_buf(), number);
        way.open.push(file.to_path_buf());
        let read = if view.is_none() { exploration.project.read(file).ok() } else { None };
        let view = view.or(read.as_ref());
        let mut least = number;
        for needed in view.map(exploration.asks).unwrap_or_default() {
            least = self.visit(exploration, &needed, None, way).map_or(least, |other| least.min(other));
        }
        if least < number {
            return Some(least);
        }
        let closed: Vec<PathBuf> = way.open.drain(number..).collect();
        way.numbers.retain(|_, open| *open < number);
        let is_alone = closed.len() == 1;
        let ring = self.close(closed);
        if let Some((view, ring)) = view.zip(ring).filter(|_| is_alone) {
            (exploration.alone)(view, ring);
        }
        None
    }

    /// Closes a ring, if no other thread has done so.
    fn close(&self, files: Vec<PathBuf>) -> Option<Ring> {
        let mut rings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ring = Ring(rings.len());
        for file in files {
            rings.entry(file).or_insert(ring);
        }
        (rings.len() > ring.0).then_some(ring)
    }
}
