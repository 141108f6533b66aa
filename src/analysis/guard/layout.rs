//! How the layout of an array changed: which dimension is which of the old ones, which are new, and by how much indices
//! moved.
//!
//! Extents tell dimensions apart; where they don't (`a(n,n)`, deferred shapes), the uses do: the layout is the one that
//! most of them follow. A lower bound that moves together with its upper bound (`1:n` to `0:n-1`) shifts all indices;
//! one that moves alone adds elements and leaves every index as it is.

use super::affine::{Subscript, Sum};

/// Ranks up to which every order of dimensions is tried; of higher ones those that keep the order, and exchanges of
/// two.
const EVERY_ORDER: usize = 4;

/// What became of the dimensions of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// For each dimension of today the old one that it is, or `None` if it is new.
    pub from: Vec<Option<usize>>,
    /// For each dimension of today, by how much indices are greater than before.
    pub shift: Vec<i64>,
    /// For each dimension of today, how many elements it has more because its lower bound moved alone: no index moves
    /// then, but what uses the whole dimension has another extent.
    pub grown: Vec<i64>,
    /// The rank before.
    pub old_rank: usize,
    /// Whether something says so: the extents, or a use that follows. Else the rank changed, and which dimension is
    /// which can't be told.
    pub is_known: bool,
}

impl Layout {
    /// Nothing changed.
    pub fn same(rank: usize) -> Self {
        Layout {
            from: (0..rank).map(Some).collect(),
            shift: vec![0; rank],
            grown: vec![0; rank],
            old_rank: rank,
            is_known: true,
        }
    }

    /// The rank now.
    pub fn rank(&self) -> usize {
        self.from.len()
    }

    /// Whether every subscript means what it meant.
    pub fn is_same(&self) -> bool {
        self.rank() == self.old_rank
            && self.from.iter().enumerate().all(|(at, from)| *from == Some(at))
            && self.shift.iter().chain(&self.grown).all(|&number| number == 0)
    }

    /// Whether rank or order of dimensions changed.
    pub fn moves_dimensions(&self) -> bool {
        self.rank() != self.old_rank || self.from.iter().enumerate().any(|(at, from)| *from != Some(at))
    }

    /// The old dimensions that are gone.
    pub fn dropped(&self) -> Vec<usize> {
        (0..self.old_rank).filter(|&old| !self.from.contains(&Some(old))).collect()
    }

    /// The dimensions that are new.
    pub fn added(&self) -> Vec<usize> {
        (0..self.rank()).filter(|&new| self.from[new].is_none()).collect()
    }

    /// Which dimension of today an old one is.
    pub fn now(&self, old: usize) -> Option<usize> {
        self.from.iter().position(|&from| from == Some(old))
    }

    /// The dimensions that there were and still are, as (old, new), in the order of today.
    pub fn kept(&self) -> Vec<(usize, usize)> {
        self.from.iter().enumerate().filter_map(|(new, old)| old.map(|old| (old, new))).collect()
    }

    /// What changed, in words: `rank 2, now 3: dimension 3 is new`.
    pub fn words(&self) -> String {
        let mut words = Vec::new();
        if self.rank() != self.old_rank {
            words.push(format!("rank {}, now {}", self.old_rank, self.rank()));
        }
        if !self.is_known {
            words.push("and which dimension is which can't be told".to_owned());
            return words.join(", ");
        }
        words.extend(self.added().iter().map(|new| format!("dimension {} is new", new + 1)));
        words.extend(self.dropped().iter().map(|old| format!("dimension {} is gone", old + 1)));
        let kept = self.kept();
        let moved: Vec<&(usize, usize)> = kept.iter().filter(|(old, new)| old != new).collect();
        if let (true, [(old, new), _]) = (self.rank() == self.old_rank, moved.as_slice()) {
            words.push(format!("dimensions {} and {} have changed places", old.min(new) + 1, old.max(new) + 1));
        } else if !kept.is_sorted() {
            let moved = kept.iter().filter(|(old, new)| old != new);
            words.extend(moved.map(|(old, new)| format!("dimension {} was {}", new + 1, old + 1)));
        }
        for (new, &shift) in self.shift.iter().enumerate().filter(|(_, shift)| **shift != 0) {
            words.push(format!(
                "indices of dimension {} are {} by {}",
                new + 1,
                direction(shift),
                shift.unsigned_abs()
            ));
        }
        for (new, &grown) in self.grown.iter().enumerate().filter(|(_, grown)| **grown != 0) {
            let word = if grown > 0 { "more" } else { "fewer" };
            let number = grown.unsigned_abs();
            words.push(format!("dimension {} has {number} {word} at its lower end, indices stay as they are", new + 1));
        }
        words.join(", ")
    }
}

fn direction(shift: i64) -> &'static str {
    if shift < 0 { "lower" } else { "higher" }
}

/// The likeliest layout for these bounds; `votes` counts the uses that follow one.
pub fn deduce(old: &[Subscript], new: &[Subscript], votes: &dyn Fn(&Layout) -> usize) -> Layout {
    let mut ways = candidates(old.len(), new.len());
    ways.push(by_extents(old, new));
    let candidates = ways.into_iter().map(|from| {
        let of = |number: &dyn Fn(&Subscript, &Subscript) -> i64| -> Vec<i64> {
            from.iter().enumerate().map(|(at, from)| from.map_or(0, |from| number(&old[from], &new[at]))).collect()
        };
        Layout { shift: of(&shift), grown: of(&grown), from, old_rank: old.len(), is_known: true }
    });
    let extents = |layout: &Layout| {
        let same = |(at, from): (usize, &Option<usize>)| from.is_some_and(|from| has_same_extent(&old[from], &new[at]));
        layout.from.iter().enumerate().filter(|pair| same((pair.0, pair.1))).count()
    };
    let disorder = |layout: &Layout| {
        let kept: Vec<usize> = layout.from.iter().filter_map(|from| *from).collect();
        let inversions: usize =
            (0..kept.len()).map(|at| kept[at..].iter().filter(|&&later| later < kept[at]).count()).sum();
        // Of two equally good ones, the new dimension is the last.
        let late: usize = layout.added().iter().map(|&new| layout.rank() - new).sum();
        (inversions, late, layout.dropped().iter().map(|&old| layout.old_rank - old).sum::<usize>())
    };
    let best = candidates.max_by_key(|layout| (extents(layout), votes(layout), std::cmp::Reverse(disorder(layout))));
    let unknown =
        || Layout { from: vec![None; new.len()], old_rank: old.len(), is_known: false, ..Layout::same(new.len()) };
    let mut best = best.unwrap_or_else(unknown);
    // Where the bounds are not written, they contradict nothing.
    let may_be = |(at, from): (usize, &Option<usize>)| match from {
        Some(from) => {
            let is_open = old[*from].upper().is_none() || new[at].upper().is_none();
            is_open || has_same_extent(&old[*from], &new[at])
        }
        None => true,
    };
    let is_likely = best.from.iter().enumerate().all(may_be);
    best.is_known &= old.len() == new.len() || is_likely || votes(&best) > 0;
    best
}

/// The ways in which dimensions can have become others: each of the lesser number is one of the greater.
fn candidates(old: usize, new: usize) -> Vec<Vec<Option<usize>>> {
    let kept = old.min(new);
    if old.max(new) <= EVERY_ORDER {
        let mut found = Vec::new();
        extend(&mut vec![None; new], 0, kept, old, true, &mut found);
        return found;
    }
    let mut in_order = Vec::new();
    extend(&mut vec![None; new], 0, kept, old, false, &mut in_order);
    // Exchanges are only tried where no dimension comes or goes.
    let mut found = in_order.clone();
    for first in 0..new {
        for second in first + 1..new {
            if let ([from], true) = (in_order.as_slice(), old == new) {
                let mut exchanged = from.clone();
                exchanged.swap(first, second);
                found.push(exchanged);
            }
        }
    }
    found
}

/// Each dimension is the first old one of its extent; those that are left over are the same in order.
fn by_extents(old: &[Subscript], new: &[Subscript]) -> Vec<Option<usize>> {
    let mut left: Vec<usize> = (0..old.len()).collect();
    let mut from: Vec<Option<usize>> = new
        .iter()
        .map(|now| {
            let at = left.iter().position(|&was| has_same_extent(&old[was], now))?;
            Some(left.remove(at))
        })
        .collect();
    let mut left = left.into_iter();
    from.iter_mut().filter(|from| from.is_none()).for_each(|from| *from = left.next());
    from
}

/// Fills dimensions from `at` on with `left` old ones.
fn extend(
    from: &mut Vec<Option<usize>>,
    at: usize,
    left: usize,
    old: usize,
    in_any_order: bool,
    found: &mut Vec<Vec<Option<usize>>>,
) {
    // A search among so many dimensions would not end.
    const MOST: usize = 4096;
    if found.len() >= MOST || from.len() - at < left {
        return;
    }
    if at == from.len() {
        found.push(from.clone());
        return;
    }
    let before: Vec<usize> = from[..at].iter().filter_map(|from| *from).collect();
    for one in 0..old {
        let is_next = in_any_order || before.last().is_none_or(|&last| last < one);
        if left > 0 && is_next && !before.contains(&one) {
            from[at] = Some(one);
            extend(from, at + 1, left - 1, old, in_any_order, found);
        }
    }
    from[at] = None;
    extend(from, at + 1, left, old, in_any_order, found);
}

/// By how much the indices of a dimension are greater than before.
pub fn shift(old: &Subscript, new: &Subscript) -> i64 {
    let Some(lower) = new.lower().distance_from(&old.lower()) else { return 0 };
    match (old.upper(), new.upper()) {
        (Some(before), Some(now)) if now.distance_from(before) != Some(lower) => 0,
        (Some(_), None) | (None, Some(_)) => 0,
        _ => lower,
    }
}

/// How many elements more a dimension has at its lower end while its upper bound stays.
fn grown(old: &Subscript, new: &Subscript) -> i64 {
    match (old.upper(), new.upper(), new.lower().distance_from(&old.lower())) {
        (Some(before), Some(now), Some(lower)) if before == now => lower.saturating_neg(),
        _ => 0,
    }
}

/// Whether two dimensions have the same extent, as far as it is written.
fn has_same_extent(old: &Subscript, new: &Subscript) -> bool {
    match (old.upper(), new.upper()) {
        (Some(before), Some(now)) => {
            let before = extent(&old.lower(), before);
            before.is_some() && before == extent(&new.lower(), now)
        }
        _ => false,
    }
}

/// The number of elements but one; `None` on overflow.
fn extent(lower: &Sum, upper: &Sum) -> Option<Sum> {
    upper.clone().checked_add_multiple(lower, -1)
}
