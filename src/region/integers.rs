//! Finite sets of integers, kept as ranges so that a depth of a million costs no more than one of one.

use super::scheme::Extent;

/// A finite, non-empty set of integers: sorted inclusive ranges that neither overlap nor touch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntegerSet {
    ranges: Vec<(i64, i64)>,
}

impl IntegerSet {
    /// The set of one integer.
    pub fn single(value: i64) -> Self {
        IntegerSet { ranges: vec![(value, value)] }
    }

    /// The integers from the first to the last of a range, which is not less.
    pub(super) fn range(range: (i64, i64)) -> Self {
        IntegerSet { ranges: vec![range] }
    }

    /// The union of inclusive ranges in any order; `None` if it is empty. Ranges with `first > last` hold nothing.
    pub fn from_ranges(ranges: impl IntoIterator<Item = (i64, i64)>) -> Option<Self> {
        let mut sorted: Vec<_> = ranges.into_iter().filter(|(first, last)| first <= last).collect();
        sorted.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::with_capacity(sorted.len());
        for (first, last) in sorted {
            match merged.last_mut() {
                Some(previous) if first <= previous.1.saturating_add(1) => previous.1 = previous.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        (!merged.is_empty()).then_some(IntegerSet { ranges: merged })
    }

    /// The ranges, in ascending order, both ends included.
    pub fn ranges(&self) -> &[(i64, i64)] {
        &self.ranges
    }

    /// Whether the integer is in the set.
    pub fn contains(&self, value: i64) -> bool {
        let at = self.ranges.partition_point(|&(_, last)| last < value);
        self.ranges.get(at).is_some_and(|&(first, _)| first <= value)
    }

    /// The element nearest to zero; of two, the positive one.
    pub fn nearest_to_zero(&self) -> i64 {
        let candidates = self.ranges.iter().map(|&(first, last)| 0i64.clamp(first, last));
        candidates.min_by_key(|value| (value.unsigned_abs(), *value < 0)).unwrap_or(0)
    }

    /// Everything outside the set, within the range of `i64`; `None` if that is nothing.
    pub fn complement(&self) -> Option<Self> {
        IntegerSet { ranges: vec![(i64::MIN, i64::MAX)] }.difference(self)
    }

    /// All elements of either set.
    pub fn union(&self, other: &Self) -> Self {
        let both = self.ranges.iter().chain(&other.ranges).copied();
        IntegerSet::from_ranges(both).unwrap_or_else(|| self.clone())
    }

    /// The elements of this set that are not in the other; `None` if there are none.
    pub fn difference(&self, other: &Self) -> Option<Self> {
        let mut rest = Vec::new();
        let mut taken = other.ranges.iter().peekable();
        for &(first, last) in &self.ranges {
            // `from` is the first element not yet decided; `None` behind the greatest integer.
            let mut from = Some(first);
            while let (Some(start), Some(&&(low, high))) = (from, taken.peek()) {
                if high < start {
                    taken.next();
                } else if low > last {
                    break;
                } else {
                    rest.extend((start < low).then(|| (start, low - 1)));
                    from = high.checked_add(1);
                    if high > last {
                        break;
                    }
                }
            }
            rest.extend(from.filter(|start| *start <= last).map(|start| (start, last)));
        }
        IntegerSet::from_ranges(rest)
    }
}

impl Extent for IntegerSet {
    fn intersection(&self, other: &Self) -> Option<Self> {
        let (mut left, mut right) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        let mut common = Vec::new();
        while let (Some(&&(a, b)), Some(&&(c, d))) = (left.peek(), right.peek()) {
            common.push((a.max(c), b.min(d)));
            if b < d {
                left.next();
            } else {
                right.next();
            }
        }
        IntegerSet::from_ranges(common)
    }

    fn is_subset(&self, other: &Self) -> bool {
        self.ranges.iter().all(|&(first, last)| {
            let at = other.ranges.partition_point(|&(_, end)| end < first);
            other.ranges.get(at).is_some_and(|&(low, high)| low <= first && last <= high)
        })
    }

    fn holds(&self, value: i64) -> bool {
        self.contains(value)
    }
}
