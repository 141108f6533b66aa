//! What keeps the search below a node from being complete.

use std::rc::Rc;

use fixedbitset::FixedBitSet;

/// Levels of the path (0 is the root), as bits; `None`: none. They are shared between a statement and those above it.
pub(super) type Levels = Option<Rc<FixedBitSet>>;

/// What keeps the search below a statement from being complete: the levels of the path at which the causes stand.
#[derive(Clone, Default)]
pub(super) struct LeftOut {
    /// Something was cut off as history of these.
    pub(super) history: Levels,
    /// A ring leads back to these.
    pub(super) rings: Levels,
}

impl LeftOut {
    /// The last level of them.
    pub(super) fn deepest(&self) -> Option<usize> {
        let deepest = |levels: &Levels| levels.as_ref().and_then(|levels| levels.maximum());
        deepest(&self.history).max(deepest(&self.rings))
    }

    /// Adds those of another statement.
    pub(super) fn join(&mut self, other: &LeftOut) {
        join(&mut self.history, &other.history);
        join(&mut self.rings, &other.rings);
    }
}

pub(super) fn insert(levels: &mut Levels, level: usize) {
    let levels = Rc::make_mut(levels.get_or_insert_default());
    levels.grow(level + 1);
    levels.insert(level);
}

/// Removes a level, and says whether it was there.
pub(super) fn remove(levels: &mut Levels, level: usize) -> bool {
    let is_there = levels.as_ref().is_some_and(|levels| levels.contains(level));
    if is_there && let Some(levels) = levels {
        Rc::make_mut(levels).remove(level);
    }
    is_there
}

pub(super) fn join(levels: &mut Levels, others: &Levels) {
    match (levels, others) {
        (_, None) => {}
        (levels @ None, Some(others)) => *levels = Some(Rc::clone(others)),
        (Some(levels), Some(others)) if others.is_subset(levels) => {}
        (Some(levels), Some(others)) => Rc::make_mut(levels).union_with(others),
    }
}
