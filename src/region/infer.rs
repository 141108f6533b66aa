//! From the reads of an array to the regions of its specification.
//!
//! The union of the reads is held between two staircases (see [`super::staircase`]): the greatest inside and the least
//! around it. If they are the same, the union has an exact specification in the language of the paper; else it has one
//! in the extended language (see [`super::cells`]), unless that needs too many constants, and the staircases are its
//! best bounds. Each is written as the fewest products of region constants.

use super::budget::{Budget, Exhausted};
use super::cells::least_products;
use super::cover::least_cover;
use super::integers::IntegerSet;
use super::interval::{Interval, Shape};
use super::line::{Direction, Place};
use super::maximal::maximal_products;
use super::scheme::{Component, IntervalScheme, Scheme, SubscriptScheme};
use super::simplify::{coalesce, join, split};
use super::staircase::{Corner, Staircase, Staircases, exact_part};
use super::unf::Unf;
use std::collections::BTreeSet;

/// What regions say about a set of reads. All schemes are products of printable intervals, in the order of printed
/// terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inferred {
    /// The reads are exactly this set.
    Exact(Unf<Interval>),
    /// No specification denotes the reads exactly: they lie between two sets.
    Bounds {
        /// The greatest set inside that regions can denote; `None` if it is empty.
        at_least: Option<Unf<Interval>>,
        /// The least set around that regions can denote.
        at_most: Unf<Interval>,
    },
    /// There is nothing to say: no read, or the reads are all of Z^N.
    Nothing,
}

/// Which region constants there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RegionLanguage {
    /// Those of the paper. All integers of the reads are offsets along the usual direction.
    Paper,
    /// With `shifted`, `fixed`, `along` and `free`. The integers of the reads are those of places.
    #[default]
    Extended,
}

/// Steps for putting the reads into shape and for finding maximal products; about a second at worst.
const SHAPE_STEPS: u64 = 10_000_000;
/// What needs more constants of the extended language is said by bounds.
const MOST_CONSTANTS: usize = 24;

/// The regions of the union of some reads of equal rank.
///
/// Law: `Exact(u)` denotes the union of the reads; of `Bounds`, `at_least` is a subset and `at_most` a superset. The
/// result depends on that set only, not on order or repetition, as long as the budget suffices; when it does not
/// (hundreds of irregular offsets), the law still holds and the result is longer or weaker than the best one.
pub fn infer_regions(reads: &[SubscriptScheme], language: RegionLanguage) -> Inferred {
    let Some(rank) = reads.first().map(Scheme::rank) else { return Inferred::Nothing };
    if reads.iter().any(Scheme::is_every) {
        return Inferred::Nothing;
    }
    let reads = distinct(rank, reads);
    let place = |code: &i64| match language {
        RegionLanguage::Paper => Place::Offset(Direction::Usual, *code),
        RegionLanguage::Extended => Place::of(*code),
    };
    let corner = |read: &&SubscriptScheme| read.components.iter().map(|component| component.map(place)).collect();
    let corners: Vec<Corner> = reads.iter().map(corner).collect();
    match language {
        RegionLanguage::Paper => Bounds::of(&corners).regions(rank),
        RegionLanguage::Extended => {
            let union = Unf::new(rank, reads.into_iter().cloned()).to_index();
            extended(rank, &corners, union)
        }
    }
}

/// The fewest products of region constants that denote the same set as these; `None` if the set is empty or the search
/// exceeds its budget.
pub fn shortest(union: &Unf<Interval>) -> Option<Unf<Interval>> {
    let mut budget = Budget::new(SHAPE_STEPS);
    let components = || union.schemes().iter().flat_map(|scheme| &scheme.components);
    let is_shifted = |component: &Component<Interval>| match component {
        Component::Within(interval) => interval.shape() == Shape::Shifted,
        Component::Every => false,
    };
    let regions = if components().any(is_shifted) {
        printable(Unf::new(union.rank(), least_products(&coalesce(union.to_index()), &mut budget).ok()?))
    } else {
        let mut corners = Vec::new();
        for scheme in union.schemes() {
            corners.extend(extreme_corners(scheme, &mut budget).ok()?);
        }
        let staircase = Staircase::around(corners, &mut budget).ok()?;
        least_regions(union.rank(), staircase.corners(), &mut budget).ok()?
    };
    (!regions.is_empty()).then_some(regions)
}

/// The regions of reads that are those of places. (Those farther away than any place are held between bounds.)
fn extended(rank: usize, corners: &[Corner], union: Unf<IntegerSet>) -> Inferred {
    let bounds = Bounds::of(corners);
    let has_integer = |component: &Component<Place>| match component {
        Component::Within(place) => place.code().is_some(),
        Component::Every => true,
    };
    if !bounds.are_same && corners.iter().flatten().all(has_integer) {
        let products = least_products(&coalesce(union), &mut Budget::new(SHAPE_STEPS));
        let exact = products.map(|products| printable(Unf::new(rank, products)));
        if let Some(exact) = exact.ok().filter(|regions| !is_long(regions)) {
            return Inferred::Exact(exact);
        }
    }
    let inferred = bounds.regions(rank);
    match inferred {
        Inferred::Exact(regions) if is_long(&regions) && corners.iter().any(has_known_fixed) => {
            without_fixed(rank, corners, Some(regions.clone()), regions)
        }
        Inferred::Bounds { at_least, at_most } => without_fixed(rank, corners, at_least, at_most),
        Inferred::Exact(_) | Inferred::Nothing => inferred,
    }
}

/// Bounds of these reads; one that is too long is found again without what is known of fixed indices: below without
/// these reads, above with any fixed index in their place.
fn without_fixed(rank: usize, corners: &[Corner], at_least: Option<Unf<Interval>>, at_most: Unf<Interval>) -> Inferred {
    let is_too_long = |regions: &Unf<Interval>| is_long(regions) && corners.iter().any(has_known_fixed);
    let at_least = if at_least.as_ref().is_some_and(is_too_long) {
        let others: Vec<Corner> = corners.iter().filter(|corner| !has_known_fixed(corner)).cloned().collect();
        Bounds::of(&others).at_least(rank)
    } else {
        at_least
    };
    let at_most = if is_too_long(&at_most) {
        let any = |component: &Component<Place>| match component {
            Component::Within(Place::Fixed(_) | Place::Named(_)) => Component::Within(Place::SomeFixed),
            Component::Within(Place::Offset(..) | Place::SomeFixed) | Component::Every => *component,
        };
        let corners: BTreeSet<Corner> = corners.iter().map(|corner| corner.iter().map(any).collect()).collect();
        Bounds::of(&corners.into_iter().collect::<Vec<_>>()).at_most(rank)
    } else {
        at_most
    };
    Inferred::Bounds { at_least, at_most }
}

/// Whether a read has a fixed index of which something is known.
fn has_known_fixed(read: &Corner) -> bool {
    read.iter().any(|component| matches!(component, Component::Within(Place::Fixed(_) | Place::Named(_))))
}

/// Whether a union has more constants than one has patience to read.
fn is_long(regions: &Unf<Interval>) -> bool {
    regions.schemes().iter().map(IntervalScheme::constants).sum::<usize>() > MOST_CONSTANTS
}

/// The two staircases between which a union of reads lies.
struct Bounds {
    inside: Vec<Corner>,
    around: Vec<Corner>,
    /// Whether they are the same, and so the union itself.
    are_same: bool,
    budget: Budget,
}

impl Bounds {
    /// Of these reads.
    fn of(reads: &[Corner]) -> Self {
        let mut budget = Budget::new(SHAPE_STEPS);
        let around = Staircase::around(reads.iter().cloned(), &mut budget);
        let (inside, is_complete) = match part_inside(reads, &mut budget) {
            Ok(inside) => (inside.corners().to_vec(), true),
            Err(Exhausted) => (reads.iter().filter(|read| touches_origin(read)).cloned().collect(), false),
        };
        let around = around.map_or_else(|Exhausted| reads.to_vec(), |around| around.corners().to_vec());
        let are_same = inside == around && is_complete;
        Bounds { inside, around, are_same, budget }
    }

    fn at_least(&mut self, rank: usize) -> Option<Unf<Interval>> {
        (!self.inside.is_empty()).then(|| regions(rank, &self.inside, &mut self.budget))
    }

    fn at_most(&mut self, rank: usize) -> Unf<Interval> {
        regions(rank, &self.around, &mut self.budget)
    }

    fn regions(mut self, rank: usize) -> Inferred {
        if self.are_same {
            return Inferred::Exact(self.at_most(rank));
        }
        let at_least = self.at_least(rank);
        Inferred::Bounds { at_least, at_most: self.at_most(rank) }
    }
}

/// The reads, sorted, without those that lie inside another one. Only a read with a dimension that is unconstrained, or
/// in which it may have any fixed index, can hold another.
fn distinct(rank: usize, reads: &[SubscriptScheme]) -> Vec<&SubscriptScheme> {
    let of_rank = reads.iter().filter(|read| read.rank() == rank);
    let distinct: BTreeSet<&SubscriptScheme> = of_rank.collect();
    let is_several = |component: &Component<i64>| match component {
        Component::Within(code) => Place::of(*code) == Place::SomeFixed,
        Component::Every => true,
    };
    let several: Vec<_> = distinct.iter().copied().filter(|read| read.components.iter().any(is_several)).collect();
    let is_outermost = |read: &&SubscriptScheme| !several.iter().any(|other| other != read && read.is_subset(other));
    distinct.iter().copied().filter(is_outermost).collect()
}

/// Whether a read is its own elongation.
fn touches_origin(read: &Corner) -> bool {
    let is_near = |component: &Component<Place>| match component {
        Component::Within(Place::Offset(_, value)) => (-1..=1).contains(value),
        Component::Within(Place::Fixed(_) | Place::Named(_) | Place::SomeFixed) | Component::Every => true,
    };
    read.iter().all(is_near)
}

/// The greatest staircase inside the reads, of which none is inside another.
fn part_inside(reads: &[Corner], budget: &mut Budget) -> Result<Staircase, Exhausted> {
    if reads.iter().all(touches_origin) {
        Staircase::around(reads.iter().cloned(), budget)
    } else {
        exact_part(reads, budget)
    }
}

/// The corners of one product: one for each way to choose an extreme in every dimension.
fn extreme_corners(scheme: &IntervalScheme, budget: &mut Budget) -> Result<Vec<Corner>, Exhausted> {
    let mut corners: Vec<Corner> = vec![Vec::new()];
    for component in &scheme.components {
        let values: Vec<Component<Place>> = match component {
            Component::Within(interval) => interval.extremes().map(Component::Within).collect(),
            Component::Every => vec![Component::Every],
        };
        budget.spend(corners.len() * values.len())?;
        let extended =
            corners.iter().flat_map(|corner| values.iter().map(|value| [corner.as_slice(), &[*value]].concat()));
        corners = extended.collect();
    }
    Ok(corners)
}

/// The set with these corners as few products; as more than need be when the budget ends.
fn regions(rank: usize, corners: &[Corner], budget: &mut Budget) -> Unf<Interval> {
    least_regions(rank, corners, budget).unwrap_or_else(|Exhausted| {
        let reaching = |component: &Component<Place>| component.map(|place| Interval::reaching(*place));
        let elongated = corners.iter().map(|corner| Scheme::new(corner.iter().map(reaching).collect()));
        printable(Unf::new(rank, elongated))
    })
}

fn least_regions(rank: usize, corners: &[Corner], budget: &mut Budget) -> Result<Unf<Interval>, Exhausted> {
    let staircase = Staircase::around(corners.iter().cloned(), budget)?;
    let products = maximal_products(&mut Staircases, &staircase, rank, budget)?;
    let corners = staircase.corners();
    let holds = |product: usize, corner: usize| {
        products[product].components.iter().zip(&corners[corner]).all(|(component, value)| match (component, value) {
            (Component::Every, _) => true,
            (Component::Within(interval), Component::Within(place)) => interval.holds_place(*place),
            (Component::Within(_), Component::Every) => false,
        })
    };
    Ok(printable(Unf::new(rank, least_cover(corners.len(), &products, holds, budget)?)))
}

/// Joins what differs in one dimension, then splits what no constant denotes. Applied to a least cover this leaves the
/// number of products as it is and writes `[-2..1]` as backward and forward rather than as overlapping backward and
/// centered.
fn printable(union: Unf<Interval>) -> Unf<Interval> {
    let rank = union.rank();
    Unf::new(rank, join(union).schemes().iter().flat_map(split)).drop_subsumed()
}
