//! Staircases: unions of products of printable intervals, kept by their corners.
//!
//! Here printable means: touching the origin, or fixed. Every such interval that holds 3 holds 1 and 2 as well, so a
//! union of such products that holds a vector holds its elongation. Along each direction such a set is a staircase
//! away from the origin, and its *corners* (the vectors whose elongation lies in no other vector's) say all about it:
//! whoever covers the corners by printable products covers the set. An unconstrained dimension is a corner's largest
//! possible value; of fixed indices, one of which nothing is known reaches all. Depths cost nothing: a corner at 5000
//! is as cheap as one at 1.
//!
//! Two staircases matter for a set of reads: the greatest one inside ([`exact_part`]) and the least one around it
//! (whose corners are the outermost reads themselves).

use rustc_hash::FxHashMap;

use super::budget::{Budget, Exhausted};
use super::interval::Interval;
use super::line::{Direction, Place};
use super::maximal::Sections;
use super::scheme::Component;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A corner, or the tail of one: one component per dimension.
pub(super) type Corner = Vec<Component<Place>>;

/// What sorting and copying a vector costs, in comparisons.
const BOOKKEEPING: usize = 16;

/// A union of printable products, as its corners: sorted, and none reaches another. No corner: the empty set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Staircase {
    corners: Vec<Corner>,
}

/// Whether the elongation of `far` holds that of `near`, in one dimension.
fn reaches(far: &Component<Place>, near: &Component<Place>) -> bool {
    let (far, near) = match (far, near) {
        (Component::Every, _) => return true,
        (_, Component::Every) => return false,
        (Component::Within(far), Component::Within(near)) => (far, near),
    };
    match (far, near) {
        (Place::Offset(far_along, far), Place::Offset(near_along, near)) => {
            far_along == near_along && far.signum() == near.signum() && far.unsigned_abs() >= near.unsigned_abs()
        }
        (Place::SomeFixed, near) => near.direction().is_none(),
        (far, near) => far == near,
    }
}

/// The farthest value that both reach; none if they lie on different sides of the origin.
fn meet(left: &Component<Place>, right: &Component<Place>) -> Option<Component<Place>> {
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

/// A measure that is greater for a vector that reaches another one: unconstrained dimensions, then those of which no
/// more than that they are fixed is known, then the distance from the origin.
fn distance(vector: &Corner) -> (usize, usize, u128) {
    let along = |component: &Component<Place>| match component {
        Component::Within(Place::Offset(_, value)) => u128::from(value.unsigned_abs()),
        Component::Within(Place::Fixed(_) | Place::Named(_) | Place::SomeFixed) | Component::Every => 0,
    };
    let unknown = |component: &&Component<Place>| **component == Component::Within(Place::SomeFixed);
    let unconstrained = vector.iter().filter(|component| component.is_every()).count();
    (unconstrained, vector.iter().filter(unknown).count(), vector.iter().map(along).sum())
}

/// On which side of the origin of which direction a component lies; `None` in it if it is fixed.
type Side = Option<(Direction, i64)>;

/// The sides of a vector's components; none if one of them is unconstrained.
fn sides(vector: &Corner) -> Option<Vec<Side>> {
    let side = |component: &Component<Place>| match component {
        Component::Within(Place::Offset(direction, value)) => Some(Some((*direction, value.signum()))),
        Component::Within(Place::Fixed(_) | Place::Named(_) | Place::SomeFixed) => Some(None),
        Component::Every => None,
    };
    vector.iter().map(side).collect()
}

impl Staircase {
    /// The least staircase that holds these vectors.
    pub(super) fn around(vectors: impl IntoIterator<Item = Corner>, budget: &mut Budget) -> Result<Self, Exhausted> {
        let distinct: BTreeSet<Corner> = vectors.into_iter().collect();
        let mut farthest_first: Vec<Corner> = distinct.into_iter().collect();
        farthest_first.sort_by_cached_key(|vector| Reverse(distance(vector)));
        // A vector is reached by farther ones only, so those kept so far decide. One without an unconstrained dimension
        // reaches only vectors on the same sides; one with some may reach any.
        let mut by_sides: FxHashMap<Vec<Side>, Vec<Corner>> = FxHashMap::default();
        let mut unconstrained: Vec<Corner> = Vec::new();
        for vector in farthest_first {
            let sides = sides(&vector);
            let alike = sides.as_ref().and_then(|sides| by_sides.get(sides)).map_or(&[][..], Vec::as_slice);
            budget.spend(alike.len() + unconstrained.len() + BOOKKEEPING)?;
            if alike.iter().chain(&unconstrained).any(|other| corner_reaches(other, &vector)) {
                continue;
            }
            match sides {
                Some(sides) => by_sides.entry(sides).or_default().push(vector),
                None => unconstrained.push(vector),
            }
        }
        let mut corners: Vec<Corner> = by_sides.into_values().flatten().chain(unconstrained).collect();
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
    fn section(&self, value: &Component<Place>, budget: &mut Budget) -> Result<Self, Exhausted> {
        let tails = self.corners.iter().filter_map(|corner| {
            let (first, tail) = corner.split_first()?;
            reaches(first, value).then(|| tail.to_vec())
        });
        Staircase::around(tails, budget)
    }
}

/// The staircases of any rank.
pub(super) struct Staircases;

impl Sections for Staircases {
    type Set = Staircase;

    fn is_empty(&self, set: &Staircase) -> bool {
        set.is_empty()
    }

    /// No other depths than the corners'.
    fn first_components(&self, set: &Staircase, _: &mut Budget) -> Result<Vec<Component<Interval>>, Exhausted> {
        let mut directions: BTreeMap<Direction, BTreeSet<i64>> = BTreeMap::new();
        let mut fixed: BTreeSet<Place> = BTreeSet::new();
        for first in set.corners.iter().filter_map(|corner| corner.first()) {
            match *first {
                Component::Within(Place::Offset(direction, value)) => {
                    directions.entry(direction).or_default().insert(value);
                }
                Component::Within(place) => drop(fixed.insert(place)),
                Component::Every => {}
            }
        }
        let touching = directions.iter().flat_map(|(direction, values)| touching_intervals(*direction, values));
        let all = touching.chain(fixed.into_iter().map(Interval::at));
        Ok(all.map(Component::Within).chain([Component::Every]).collect())
    }

    /// The section over the component's extremes.
    fn section_over(
        &mut self,
        set: &Staircase,
        over: &Component<Interval>,
        budget: &mut Budget,
    ) -> Result<Staircase, Exhausted> {
        let Component::Within(interval) = over else { return set.section(&Component::Every, budget) };
        let mut common: Option<Staircase> = None;
        for extreme in interval.extremes() {
            let section = set.section(&Component::Within(extreme), budget)?;
            common = Some(match common {
                Some(earlier) => earlier.intersection(&section, budget)?,
                None => section,
            });
        }
        Ok(common.unwrap_or(Staircase { corners: Vec::new() }))
    }
}

/// The intervals along a direction that touch the origin and end at some of these values or, if both sides have such,
/// at their mirror images.
fn touching_intervals(direction: Direction, values: &BTreeSet<i64>) -> Vec<Interval> {
    let (below, above) = (values.range(..0), values.range(1..));
    let mirror = |value: &i64| value.checked_neg();
    let both = above.clone().copied().chain(below.clone().filter_map(mirror)).filter(|depth| {
        // A centered interval needs both sides; beyond the farthest corner there is none.
        values.last().is_some_and(|value| value >= depth) && values.first().is_some_and(|value| *value <= -depth)
    });
    let both: BTreeSet<i64> = both.collect();
    let sides = below.map(|value| (*value, 0)).chain(above.map(|value| (0, *value)));
    let bounds = sides.chain(both.iter().map(|depth| (-depth, *depth))).chain([(0, 0)]);
    let intervals = bounds.flat_map(|(lower, upper)| [true, false].map(|zero| Interval::new(lower, upper, zero)));
    intervals.flatten().filter_map(|interval| interval.along(direction)).collect()
}

/// The greatest staircase inside the union of these reads: the vectors whose elongation consists of reads.
pub(super) fn exact_part(reads: &[Corner], budget: &mut Budget) -> Result<Staircase, Exhausted> {
    let tails: Vec<&[Component<Place>]> = reads.iter().map(Vec::as_slice).collect();
    exact_tails(&tails, budget)
}

fn exact_tails(tails: &[&[Component<Place>]], budget: &mut Budget) -> Result<Staircase, Exhausted> {
    budget.spend(tails.len() + 1)?;
    let mut unconstrained = Vec::new();
    let mut at_place: BTreeMap<Place, Vec<&[Component<Place>]>> = BTreeMap::new();
    for tail in tails {
        match tail.split_first() {
            Some((Component::Within(place), rest)) => at_place.entry(*place).or_default().push(rest),
            Some((Component::Every, rest)) => unconstrained.push(rest),
            // No dimension is left: the section holds its one (empty) vector.
            None => return Ok(Staircase { corners: vec![Vec::new()] }),
        }
    }
    let mut corners: Vec<Corner> = Vec::new();
    let mut extend = |first: Component<Place>, section: &Staircase| {
        corners.extend(section.corners.iter().map(|tail| [first].iter().chain(tail).copied().collect::<Corner>()));
    };
    if !unconstrained.is_empty() {
        extend(Component::Every, &exact_tails(&unconstrained, budget)?);
    }
    let any_fixed = at_place.get(&Place::SomeFixed).cloned().unwrap_or_default();
    let section = |place: Place, budget: &mut Budget| match at_place.get(&place) {
        Some(own) => {
            let above = if matches!(place, Place::Fixed(_) | Place::Named(_)) { any_fixed.as_slice() } else { &[] };
            exact_tails(&[own, above, &unconstrained].concat(), budget).map(Some)
        }
        // Only what is entered over a larger component passes here.
        None => Ok(None),
    };
    let fixed = at_place.keys().filter(|place| place.direction().is_none());
    let directions: BTreeSet<Direction> = at_place.keys().filter_map(|place| place.direction()).collect();
    let origins = directions.iter().map(|direction| Place::Offset(*direction, 0));
    for place in fixed.copied().chain(origins) {
        if let Some(there) = section(place, budget)? {
            extend(Component::Within(place), &there);
        }
    }
    for (direction, sign) in directions.iter().flat_map(|direction| [(*direction, 1), (*direction, -1)]) {
        let mut value = sign;
        let mut common: Option<Staircase> = None;
        while let Some(next) = section(Place::Offset(direction, value), budget)? {
            let reached = match common {
                Some(earlier) => earlier.intersection(&next, budget)?,
                None => next,
            };
            if reached.is_empty() {
                break;
            }
            extend(Component::Within(Place::Offset(direction, value)), &reached);
            common = Some(reached);
            value += sign;
        }
    }
    Staircase::around(corners, budget)
}
