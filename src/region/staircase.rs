//! Staircases: unions of products of printable intervals, kept by their corners.
//!
//! Every printable interval that holds 3 holds 1 and 2 as well, so a union of printable products that holds a vector
//! holds its elongation. In each direction away from the origin such a set is a staircase, and its *corners* (the
//! vectors whose elongation lies in no other vector's) say all about it: whoever covers the corners by printable
//! products covers the set. A free dimension is a corner's largest possible value. Depths cost nothing: a corner at
//! 5000 is as cheap as one at 1.
//!
//! Two staircases matter for a set of reads: the greatest one inside ([`exact_part`]) and the least one around it
//! (whose corners are the outermost reads themselves).

use rustc_hash::FxHashMap;

use super::budget::{Budget, Exhausted};
use super::interval::Interval;
use super::scheme::{Component, IntervalScheme, Scheme};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A corner, or the tail of one: one component per dimension.
pub(super) type Corner = Vec<Component<i64>>;
/// A product of printable intervals, or the tail of one.
type Product = Vec<Component<Interval>>;

/// What sorting and copying a vector costs, in comparisons.
const BOOKKEEPING: usize = 16;

/// A union of printable products, as its corners: sorted, and none reaches another. No corner: the empty set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Staircase {
    corners: Vec<Corner>,
}

/// Whether the elongation of `far` holds that of `near`, in one dimension.
fn reaches(far: &Component<i64>, near: &Component<i64>) -> bool {
    match (far, near) {
        (Component::Every, _) => true,
        (_, Component::Every) => false,
        (Component::Within(far), Component::Within(near)) => {
            far.signum() == near.signum() && far.unsigned_abs() >= near.unsigned_abs()
        }
    }
}

/// The farthest value that both reach; none if they lie on different sides of the origin.
fn meet(left: &Component<i64>, right: &Component<i64>) -> Option<Component<i64>> {
    if reaches(left, right) {
        Some(*right)
    } else if reaches(right, left) {
        Some(*left)
    } else {
        None
    }
}

fn corner_reaches(far: &Corner, near: &Corner) -> bool {
    far.iter().zip(near).all(|(far, near)| reaches(far, near))
}

/// A measure that is greater for a vector that reaches another one: free dimensions, then the distance from the origin.
fn distance(vector: &Corner) -> (usize, u128) {
    let along = |component: &Component<i64>| match component {
        Component::Within(value) => u128::from(value.unsigned_abs()),
        Component::Every => 0,
    };
    (vector.iter().filter(|component| component.is_every()).count(), vector.iter().map(along).sum())
}

/// The signs of a vector's components; none if one of them is free.
fn signs(vector: &Corner) -> Option<Vec<i64>> {
    let sign = |component: &Component<i64>| match component {
        Component::Within(value) => Some(value.signum()),
        Component::Every => None,
    };
    vector.iter().map(sign).collect()
}

impl Staircase {
    /// The least staircase that holds these vectors.
    pub(super) fn around(vectors: impl IntoIterator<Item = Corner>, budget: &mut Budget) -> Result<Self, Exhausted> {
        let distinct: BTreeSet<Corner> = vectors.into_iter().collect();
        let mut farthest_first: Vec<Corner> = distinct.into_iter().collect();
        farthest_first.sort_by_cached_key(|vector| Reverse(distance(vector)));
        // A vector is reached by farther ones only, so those kept so far decide. One without a free dimension reaches
        // only vectors with the same signs; one with free ones may reach any.
        let mut by_signs: FxHashMap<Vec<i64>, Vec<Corner>> = FxHashMap::default();
        let mut with_free: Vec<Corner> = Vec::new();
        for vector in farthest_first {
            let signs = signs(&vector);
            let alike = signs.as_ref().and_then(|signs| by_signs.get(signs)).map_or(&[][..], Vec::as_slice);
            budget.spend(alike.len() + with_free.len() + BOOKKEEPING)?;
            if alike.iter().chain(&with_free).any(|other| corner_reaches(other, &vector)) {
                continue;
            }
            match signs {
                Some(signs) => by_signs.entry(signs).or_default().push(vector),
                None => with_free.push(vector),
            }
        }
        let mut corners: Vec<Corner> = by_signs.into_values().flatten().chain(with_free).collect();
        corners.sort_unstable();
        Ok(Staircase { corners })
    }

    /// The corners, sorted.
    pub(super) fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// Whether the set is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    fn intersection(&self, other: &Self, budget: &mut Budget) -> Result<Self, Exhausted> {
        if self == other {
            return Ok(self.clone());
        }
        budget.spend(self.corners.len() * other.corners.len() * 8)?;
        let pairs = self.corners.iter().flat_map(|left| other.corners.iter().map(move |right| (left, right)));
        let common = |(left, right): (&Corner, &Corner)| -> Option<Corner> {
            left.iter().zip(right).map(|(left, right)| meet(left, right)).collect()
        };
        Staircase::around(pairs.filter_map(common), budget)
    }

    /// The staircase of the other dimensions over one value of the first.
    fn section(&self, value: &Component<i64>, budget: &mut Budget) -> Result<Self, Exhausted> {
        let tails = self.corners.iter().filter_map(|corner| {
            let (first, tail) = corner.split_first()?;
            reaches(first, value).then(|| tail.to_vec())
        });
        Staircase::around(tails, budget)
    }

    /// What holds over each value of an interval of the first dimension alike: the section over its extremes.
    fn section_over(&self, interval: &Component<Interval>, budget: &mut Budget) -> Result<Self, Exhausted> {
        let Component::Within(interval) = interval else { return self.section(&Component::Every, budget) };
        let mut common: Option<Staircase> = None;
        for extreme in interval.extremes() {
            let section = self.section(&Component::Within(extreme), budget)?;
            common = Some(match common {
                Some(earlier) => earlier.intersection(&section, budget)?,
                None => section,
            });
        }
        Ok(common.unwrap_or(Staircase { corners: Vec::new() }))
    }

    /// Whether a product lies inside.
    fn holds(&self, product: &[Component<Interval>], budget: &mut Budget) -> Result<bool, Exhausted> {
        match product.split_first() {
            _ if self.is_empty() => Ok(false),
            None => Ok(true),
            Some((first, tail)) => self.section_over(first, budget)?.holds(tail, budget),
        }
    }

    /// The components that a maximal product inside can have in the first dimension: no other depth than a corner's.
    fn first_components(&self) -> Vec<Component<Interval>> {
        let values: BTreeSet<Component<i64>> =
            self.corners.iter().filter_map(|corner| corner.first().copied()).collect();
        let depths = |sign: i64| {
            let on_side = move |value: &Component<i64>| match value {
                Component::Within(value) if value.signum() == sign => Some(*value),
                _ => None,
            };
            values.iter().filter_map(on_side).collect::<Vec<_>>()
        };
        let (below, above) = (depths(-1), depths(1));
        let mirror = |value: &i64| value.checked_neg();
        let both = above.iter().copied().chain(below.iter().filter_map(mirror)).filter(|depth| {
            // A centered interval needs both sides; beyond the farthest corner there is none.
            above.iter().any(|value| value >= depth) && below.iter().any(|value| *value <= -depth)
        });
        let both: BTreeSet<i64> = both.collect();
        let sides = below.iter().map(|value| (*value, 0)).chain(above.iter().map(|value| (0, *value)));
        let bounds = sides.chain(both.iter().map(|depth| (-depth, *depth))).chain([(0, 0)]);
        let intervals = bounds.flat_map(|(lower, upper)| [true, false].map(|zero| Interval::new(lower, upper, zero)));
        intervals.flatten().map(Component::Within).chain([Component::Every]).collect()
    }

    /// All products of printable intervals that lie inside and in no other such product, sorted.
    pub(super) fn maximal_products(&self, budget: &mut Budget) -> Result<Vec<IntervalScheme>, Exhausted> {
        let rank = self.corners.first().map_or(0, Vec::len);
        let products = maximal(self, rank, &mut FxHashMap::default(), budget)?;
        let mut schemes: Vec<_> = products.iter().cloned().map(Scheme::new).collect();
        schemes.sort_unstable();
        Ok(schemes)
    }
}

/// The maximal products of a staircase of this rank, dimension by dimension: over each possible first component stands
/// the section of the other dimensions; its maximal products are maximal together with that component unless a larger
/// first component carries them too.
fn maximal(
    staircase: &Staircase,
    rank: usize,
    known: &mut FxHashMap<Staircase, Rc<Vec<Product>>>,
    budget: &mut Budget,
) -> Result<Rc<Vec<Product>>, Exhausted> {
    if staircase.is_empty() {
        return Ok(Rc::new(Vec::new()));
    }
    if rank == 0 {
        return Ok(Rc::new(vec![Vec::new()]));
    }
    if let Some(products) = known.get(staircase) {
        return Ok(Rc::clone(products));
    }
    let mut sections = Vec::new();
    for first in staircase.first_components() {
        let section = staircase.section_over(&first, budget)?;
        if !section.is_empty() {
            sections.push((first, section));
        }
    }
    let larger = |first: &Component<Interval>, other: &Component<Interval>| first != other && first.is_subset(other);
    let mut products = Vec::new();
    for (first, section) in &sections {
        let above: Vec<_> = sections.iter().filter(|(other, _)| larger(first, other)).collect();
        if above.iter().any(|(_, carried)| carried == section) {
            continue;
        }
        for tail in maximal(section, rank - 1, known, budget)?.iter() {
            budget.spend(1)?;
            let mut is_maximal = true;
            for (_, carried) in &above {
                is_maximal = is_maximal && !carried.holds(tail, budget)?;
            }
            if is_maximal {
                products.push([*first].iter().chain(tail).copied().collect());
            }
        }
    }
    let products = Rc::new(products);
    known.insert(staircase.clone(), Rc::clone(&products));
    Ok(products)
}

/// The greatest staircase inside the union of these reads: the vectors whose elongation consists of reads.
pub(super) fn exact_part(reads: &[Corner], budget: &mut Budget) -> Result<Staircase, Exhausted> {
    let tails: Vec<&[Component<i64>]> = reads.iter().map(Vec::as_slice).collect();
    exact_tails(&tails, budget)
}

fn exact_tails(tails: &[&[Component<i64>]], budget: &mut Budget) -> Result<Staircase, Exhausted> {
    budget.spend(tails.len() + 1)?;
    let mut free = Vec::new();
    let mut at_value: BTreeMap<i64, Vec<&[Component<i64>]>> = BTreeMap::new();
    for tail in tails {
        match tail.split_first() {
            Some((Component::Within(value), rest)) => at_value.entry(*value).or_default().push(rest),
            Some((Component::Every, rest)) => free.push(rest),
            // No dimension is left: the section holds its one (empty) vector.
            None => return Ok(Staircase { corners: vec![Vec::new()] }),
        }
    }
    let mut corners: Vec<Corner> = Vec::new();
    let mut extend = |first: Component<i64>, section: &Staircase| {
        corners.extend(section.corners.iter().map(|tail| [first].iter().chain(tail).copied().collect::<Corner>()));
    };
    if !free.is_empty() {
        extend(Component::Every, &exact_tails(&free, budget)?);
    }
    let mut section = |value: i64, budget: &mut Budget| match at_value.get_mut(&value) {
        Some(rest) => {
            rest.extend_from_slice(&free);
            exact_tails(rest, budget).map(Some)
        }
        // Only reads with a free first dimension pass here; their part is entered above.
        None => Ok(None),
    };
    if let Some(at_origin) = section(0, budget)? {
        extend(Component::Within(0), &at_origin);
    }
    for sign in [1, -1] {
        let mut value = sign;
        let mut common: Option<Staircase> = None;
        while let Some(next) = section(value, budget)? {
            let reached = match common {
                Some(earlier) => earlier.intersection(&next, budget)?,
                None => next,
            };
            if reached.is_empty() {
                break;
            }
            extend(Component::Within(value), &reached);
            common = Some(reached);
            value += sign;
        }
    }
    Staircase::around(corners, budget)
}
