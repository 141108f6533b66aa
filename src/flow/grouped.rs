//! Items in numbered groups, laid out in one row: what belongs to each variable or block, without a list of its own for each.

/// Items in groups, those of each group in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub struct Grouped<T> {
    /// For each group where it ends; it begins where the one before ends.
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Grouped<T> {
    /// So many groups with these items, each given with its group.
    pub fn new(count: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut ends = vec![0; count];
        let mut total = 0;
        for (group, _) in items.clone() {
            ends[group as usize] += 1;
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
            let end = &mut ends[group as usize];
            row[*end as usize] = item;
            *end += 1;
        }
        Grouped { ends, items: row }
    }

    /// The items of a group.
    pub fn of(&self, group: u32) -> &[T] {
        let first = group.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.items[first as usize..self.ends[group as usize] as usize]
    }

    /// The number of groups.
    pub fn count(&self) -> usize {
        self.ends.len()
    }
}
