//! From the reads of an array to the regions of its specification.
//!
//! The union of the reads is held between two staircases (see [`super::staircase`]): the greatest inside and the least
//! around it. If they are the same, the union has an exact specification; else they are its best bounds. Each is
//! written as the fewest products of region constants.

use super::budget::{Budget, Exhausted};
use super::cover::least_cover;
use super::interval::Interval;
use super::scheme::{Component, IntervalScheme, Scheme, SubscriptScheme};
use super::simplify::{elongate, join, split};
use super::staircase::{Corner, Staircase, exact_part};
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

/// Steps for putting the reads into shape and for finding maximal products; about a second at worst.
const SHAPE_STEPS: u64 = 10_000_000;
/// Steps for the search of the least cover.
const COVER_STEPS: u64 = 1_000_000;

/// The regions of the union of some reads of equal rank.
///
/// Law: `Exact(u)` denotes the union of the reads; of `Bounds`, `at_least` is a subset and `at_most` a superset. The
/// result depends on that set only, not on order or repetition, as long as the budget suffices; when it does not
/// (hundreds of irregular offsets), the law still holds and the result is longer or weaker than the best one.
pub fn infer_regions(reads: &[SubscriptScheme]) -> Inferred {
    let Some(rank) = reads.first().map(Scheme::rank) else { return Inferred::Nothing };
    if reads.iter().any(Scheme::is_every) {
        return Inferred::Nothing;
    }
    let corners = distinct(rank, reads);
    if let [one] = corners.as_slice() {
        // What it reaches is one product.
        let region = Unf::new(rank, [elongate(&Scheme::new(one.clone()))]);
        return match touches_origin(one) {
            true => Inferred::Exact(region),
            false => Inferred::Bounds { at_least: None, at_most: region },
        };
    }
    let mut budget = Budget::new(SHAPE_STEPS);
    let around = Staircase::around(corners.iter().cloned(), &mut budget);
    let (inside, complete) = match part_inside(&corners, &mut budget) {
        Ok(inside) => (inside.corners().to_vec(), true),
        Err(Exhausted) => (corners.iter().filter(|read| touches_origin(read)).cloned().collect(), false),
    };
    let around = around.map_or(corners, |around| around.corners().to_vec());
    if inside == around && complete {
        return Inferred::Exact(regions(rank, &inside, &mut budget));
    }
    let at_least = (!inside.is_empty()).then(|| regions(rank, &inside, &mut budget));
    Inferred::Bounds { at_least, at_most: regions(rank, &around, &mut budget) }
}

/// The fewest products of region constants that denote the same set as these; `None` if the set is empty or the search
/// exceeds its budget.
pub fn shortest(union: &Unf<Interval>) -> Option<Unf<Interval>> {
    let mut budget = Budget::new(SHAPE_STEPS);
    let mut corners = Vec::new();
    for scheme in union.schemes() {
        corners.extend(extreme_corners(scheme, &mut budget).ok()?);
    }
    let staircase = Staircase::around(corners, &mut budget).ok()?;
    least_regions(union.rank(), staircase.corners(), &mut budget).ok().filter(|regions| !regions.is_empty())
}

/// The reads, sorted, without those that lie inside another one. Only a read with a free dimension can hold another.
fn distinct(rank: usize, reads: &[SubscriptScheme]) -> Vec<Corner> {
    let of_rank = reads.iter().filter(|read| read.rank() == rank);
    let distinct: BTreeSet<&SubscriptScheme> = of_rank.collect();
    let with_free: Vec<_> = distinct.iter().filter(|read| read.components.iter().any(Component::is_every)).collect();
    let outermost =
        |read: &&&SubscriptScheme| !with_free.iter().any(|other| **other != **read && read.is_subset(other));
    distinct.iter().filter(outermost).map(|read| read.components.clone()).collect()
}

/// Whether a read is its own elongation.
fn touches_origin(read: &Corner) -> bool {
    let near = |component: &Component<i64>| matches!(component, Component::Every | Component::Within(-1..=1));
    read.iter().all(near)
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
        let values: Vec<Component<i64>> = match component {
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
        let elongated = corners.iter().map(|corner| elongate(&Scheme::new(corner.clone())));
        printable(Unf::new(rank, elongated))
    })
}

fn least_regions(rank: usize, corners: &[Corner], budget: &mut Budget) -> Result<Unf<Interval>, Exhausted> {
    let staircase = Staircase::around(corners.iter().cloned(), budget)?;
    let products = staircase.maximal_products(budget)?;
    budget.spend(products.len() * corners.len())?;
    let cover = least_cover(staircase.corners(), &products, Budget::new(COVER_STEPS));
    Ok(printable(Unf::new(rank, cover)))
}

/// Joins what differs in one dimension, then splits what no constant denotes. Applied to a least cover this leaves the
/// number of products as it is and writes `[-2..1]` as backward and forward rather than as overlapping backward and
/// centered.
fn printable(union: Unf<Interval>) -> Unf<Interval> {
    let rank = union.rank();
    Unf::new(rank, join(union).schemes().iter().flat_map(split)).drop_subsumed()
}
