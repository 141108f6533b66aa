//! Items in numbered groups, laid out in one row: what belongs to each variable or block, without a list of its own for
//! each.

use oxc_index::{Idx, IndexVec, index_vec};

/// Items in groups, those of each group in the order in which they were given.
#[derive(Clone, Debug)]
pub struct Grouped<G: Idx, T> {
    /// For each group where it ends; it begins where the one before ends.
    ends: IndexVec<G, u32>,
    items: Vec<T>,
}

impl<G: Idx, T> Default for Grouped<G, T> {
    fn default() -> Self {
        Grouped { ends: IndexVec::new(), items: Vec::new() }
    }
}

impl<G: Idx, T: Copy + Default> Grouped<G, T> {
    /// So many groups with these items, each given with its group.
    pub fn new(count: usize, items: impl Iterator<Item = (G, T)> + Clone) -> Self {
        let mut ends: IndexVec<G, u32> = index_vec![0; count];
        let mut total = 0;
        for (group, _) in items.clone() {
            ends[group] += 1;
            total += 1;
        }
        let mut next = 0;
        for end in &mut ends {
            let size = std::mem::replace(end, next);
            next += size;
        }
        // Each end moves on from where the group begins.
        let mut row = vec![T::default(); total];
        for (group, item) in items {
            let end = &mut ends[group];
            row[*end as usize] = item;
            *end += 1;
        }
        Grouped { ends, items: row }
    }

    /// The items of a group.
    pub fn of(&self, group: G) -> &[T] {
        let first = group.index().checked_sub(1).map_or(0, |before| self.ends.raw[before]);
        &self.items[first as usize..self.ends[group] as usize]
    }
}
