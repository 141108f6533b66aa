//! Laws of the lattice and of inference, against brute force on a window.

use super::{read, text};
use crate::region::{
    Budget, Component, Inferred, Interval, IntervalScheme, RegionLanguage, Scheme, SubscriptScheme, Unf, coalesce,
    elongate, infer_regions, join, shortest, split,
};
use proptest::prelude::*;

/// Every vector with components in `-reach..=reach`.
pub(crate) fn window(rank: usize, reach: i64) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for _ in 0..rank {
        let longer =
            points.iter().flat_map(|point| (-reach..=reach).map(move |last| [point.as_slice(), &[last]].concat()));
        points = longer.collect();
    }
    points
}

fn printable_interval() -> impl Strategy<Value = Interval> {
    let sides = prop_oneof![Just((1, 0)), Just((0, 1)), Just((1, 1))];
    let constant = (sides, 1i64..=2, any::<bool>());
    prop_oneof![
        1 => Just(Interval::ORIGIN),
        3 => constant.prop_map(|((below, above), depth, zero)| {
            Interval::new(-below * depth, above * depth, zero).expect("depth is at least 1")
        }),
    ]
}

fn product(rank: usize) -> impl Strategy<Value = IntervalScheme> {
    let component = prop_oneof![1 => Just(Component::Every), 3 => printable_interval().prop_map(Component::Within)];
    prop::collection::vec(component, rank).prop_map(Scheme::new)
}

pub(crate) fn specification(rank: usize, terms: usize) -> impl Strategy<Value = Unf<Interval>> {
    prop::collection::vec(product(rank), 1..=terms).prop_map(move |terms| Unf::new(rank, terms))
}

pub(crate) fn reads(rank: usize, most: usize) -> impl Strategy<Value = Vec<SubscriptScheme>> {
    let offset = prop_oneof![1 => Just(None), 12 => (-2i64..=2).prop_map(Some)];
    prop::collection::vec(prop::collection::vec(offset, rank), 1..=most)
        .prop_map(|reads| reads.iter().map(|offsets| read(offsets)).collect())
}

/// The reads of a code that does what the specification says: free dimensions absolute, all others point by point.
fn reads_of(union: &Unf<Interval>) -> Vec<SubscriptScheme> {
    let mut reads = Vec::new();
    for scheme in union.schemes() {
        for point in window(scheme.rank(), 3).iter().filter(|point| scheme.holds(point)) {
            let offsets: Vec<_> =
                scheme.components.iter().zip(point).map(|(own, at)| (!own.is_every()).then_some(*at)).collect();
            reads.push(read(&offsets));
        }
    }
    reads
}

fn same<A: crate::region::Extent, B: crate::region::Extent>(left: &Unf<A>, right: &Unf<B>) -> bool {
    window(left.rank(), 3).iter().all(|point| left.holds(point) == right.holds(point))
}

fn inside<A: crate::region::Extent, B: crate::region::Extent>(left: &Unf<A>, right: &Unf<B>) -> bool {
    window(left.rank(), 3).iter().all(|point| !left.holds(point) || right.holds(point))
}

pub(crate) fn all_printable(union: &Unf<Interval>) -> bool {
    let printable = |component: &Component<Interval>| match component {
        Component::Within(interval) => interval.is_printable(),
        Component::Every => true,
    };
    union.schemes().iter().all(|scheme| scheme.components.iter().all(printable))
}

/// The products of printable intervals of depth at most 2 that lie inside a set.
fn products_inside(rank: usize, holds: impl Fn(&[i64]) -> bool) -> Vec<IntervalScheme> {
    let bounds = (0..=2i64).flat_map(|depth| [(-depth, 0), (0, depth), (-depth, depth)]);
    let intervals =
        bounds.flat_map(|(lower, upper)| [true, false].map(|zero| Interval::new(lower, upper, zero))).flatten();
    let components: Vec<_> = intervals.map(Component::Within).chain([Component::Every]).collect();
    let mut products = vec![Vec::new()];
    for _ in 0..rank {
        products = products
            .iter()
            .flat_map(|start| components.iter().map(|last| [start.as_slice(), &[*last]].concat()))
            .collect();
    }
    let points = window(rank, 3);
    let lies_inside = |product: &IntervalScheme| points.iter().all(|point| !product.holds(point) || holds(point));
    let mut found: Vec<_> = products.into_iter().map(Scheme::new).filter(lies_inside).collect();
    found.sort();
    found.dedup();
    found
}

/// Whether so few products cover the points, by trying all ways to cover the first point that is left.
fn coverable(points: &[Vec<i64>], products: &[IntervalScheme], count: usize) -> bool {
    let Some(first) = points.first() else { return true };
    count > 0
        && products.iter().filter(|product| product.holds(first)).any(|product| {
            let rest: Vec<_> = points.iter().filter(|point| !product.holds(point)).cloned().collect();
            coverable(&rest, products, count - 1)
        })
}

fn spec_of_any_rank() -> impl Strategy<Value = Unf<Interval>> {
    prop_oneof![specification(1, 4), specification(2, 4), specification(3, 4), specification(4, 3)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn union_and_intersection_form_a_distributive_lattice(
        (a, b, c) in (1usize..=3).prop_flat_map(|rank| (specification(rank, 3), specification(rank, 3), specification(rank, 3)))
    ) {
        for (left, right) in [
            (a.union(&a), a.clone()),
            (a.intersection(&a), a.clone()),
            (a.union(&b), b.union(&a)),
            (a.intersection(&b), b.intersection(&a)),
            (a.union(&b.union(&c)), a.union(&b).union(&c)),
            (a.intersection(&b.intersection(&c)), a.intersection(&b).intersection(&c)),
            (a.intersection(&b.union(&c)), a.intersection(&b).union(&a.intersection(&c))),
            (a.union(&b.intersection(&c)), a.union(&b).intersection(&a.union(&c))),
            (a.union(&a.intersection(&b)), a.clone()),
        ] {
            prop_assert!(left.to_index().is_same_set(&right.to_index(), &mut Budget::new(1_000_000)).expect("small"));
            prop_assert!(same(&left, &right));
        }
        for point in window(a.rank(), 3) {
            prop_assert_eq!(a.union(&b).holds(&point), a.holds(&point) || b.holds(&point));
            prop_assert_eq!(a.intersection(&b).holds(&point), a.holds(&point) && b.holds(&point));
        }
    }

    #[test]
    fn difference_is_exact((a, b) in (1usize..=3).prop_flat_map(|rank| (specification(rank, 4), reads(rank, 8)))) {
        let (left, right) = (a.to_index(), Unf::new(a.rank(), b).to_index());
        for (one, two) in [(&left, &right), (&right, &left), (&left, &left)] {
            let rest = one.difference(two, &mut Budget::new(1_000_000)).expect("small");
            for point in window(a.rank(), 3) {
                prop_assert_eq!(rest.holds(&point), one.holds(&point) && !two.holds(&point));
                prop_assert!(rest.schemes().iter().filter(|part| part.holds(&point)).count() <= one.schemes().len());
            }
            let uncovered = one.uncovered(two, &mut Budget::new(1_000_000)).expect("small");
            prop_assert_eq!(uncovered.is_none(), rest.is_empty());
            prop_assert_eq!(uncovered.is_none(), inside(one, two));
        }
    }

    #[test]
    fn normal_forms_keep_the_set(union in spec_of_any_rank()) {
        prop_assert!(same(&union, &union.to_index()));
        prop_assert!(same(&union, &union.clone().drop_subsumed()));
        prop_assert!(same(&union, &join(union.clone())));
        prop_assert!(same(&union, &coalesce(union.to_index())));
        let parts = Unf::new(union.rank(), join(union.clone()).schemes().iter().flat_map(split));
        prop_assert!(same(&union, &parts) && all_printable(&parts));
        prop_assert!(coalesce(union.to_index()).schemes().len() <= union.schemes().len());
    }

    #[test]
    fn subsumption_is_inclusion((a, b) in (1usize..=3).prop_flat_map(|rank| (product(rank), product(rank)))) {
        let (left, right) = (Unf::new(a.rank(), [a.clone()]), Unf::new(a.rank(), [b.clone()]));
        prop_assert_eq!(a.is_subset(&b), inside(&left, &right));
        prop_assert_eq!(a.is_subset(&b), a.to_index().is_subset(&b.to_index()));
        prop_assert_eq!(a.intersection(&b), b.intersection(&a));
        prop_assert_eq!(a.meets(&b), a.intersection(&b).is_some());
        prop_assert_eq!(a.is_subset(&b), a.intersection(&b).as_ref() == Some(&a));
    }

    #[test]
    fn elongation_is_the_least_product_around(read in reads(2, 1), other in product(2)) {
        let point = read[0].map(|offset| *offset);
        let around = Unf::new(2, [point]);
        let product = elongate(&read[0]);
        prop_assert!(inside(&around, &Unf::new(2, [product.clone()])));
        prop_assert!(!inside(&around, &Unf::new(2, [other.clone()])) || product.is_subset(&other));
    }

    #[test]
    fn inference_gives_back_every_specification(union in spec_of_any_rank()) {
        let reads = reads_of(&union);
        match infer_regions(&reads, RegionLanguage::Paper) {
            Inferred::Exact(regions) => {
                prop_assert!(same(&regions, &union));
                prop_assert!(regions.schemes().len() <= union.schemes().len());
                prop_assert_eq!(shortest(&union), Some(regions));
            }
            Inferred::Nothing => prop_assert!(union.schemes().iter().any(Scheme::is_every)),
            other => prop_assert!(false, "{:?} for {}", other, text(&union)),
        }
    }

    #[test]
    fn inference_is_sound_tight_and_minimal(reads in prop_oneof![reads(1, 6), reads(2, 9)]) {
        let rank = reads[0].rank();
        let code = Unf::new(rank, reads.clone());
        let parts = match infer_regions(&reads, RegionLanguage::Paper) {
            Inferred::Exact(regions) => {
                prop_assert!(same(&regions, &code));
                vec![regions]
            }
            Inferred::Bounds { at_least, at_most } => {
                let below = at_least.unwrap_or(Unf::empty(rank));
                prop_assert!(inside(&below, &code) && inside(&code, &at_most) && !same(&below, &at_most));
                // Tight: every printable product inside the code is in the lower bound, and the reads' elongations are
                // the upper.
                prop_assert!(products_inside(rank, |point| code.holds(point)).iter().all(|product| inside(&Unf::new(rank, [product.clone()]), &below)));
                prop_assert!(same(&at_most, &Unf::new(rank, reads.iter().map(elongate))));
                vec![below, at_most]
            }
            Inferred::Nothing => {
                prop_assert!(reads.iter().any(Scheme::is_every));
                vec![]
            }
        };
        for regions in parts {
            prop_assert!(all_printable(&regions));
            let products = products_inside(rank, |point| regions.holds(point));
            let points: Vec<_> = window(rank, 3).into_iter().filter(|point| regions.holds(point)).collect();
            let count = regions.schemes().len();
            prop_assert!(count == 0 || !coverable(&points, &products, count - 1), "{} is too long", text(&regions));
        }
    }

    #[test]
    fn the_result_depends_on_the_set_only(mut reads in reads(3, 10), seed in any::<u64>()) {
        let first = infer_regions(&reads, RegionLanguage::Paper);
        let turn = (seed as usize) % reads.len();
        reads.rotate_left(turn);
        reads.push(reads[0].clone());
        prop_assert_eq!(infer_regions(&reads, RegionLanguage::Paper), first);
    }
}

#[test]
fn overlapping_constants_unite_as_the_paper_says() {
    for depth in 1..4 {
        let centered = Interval::new(-depth, depth, true).expect("valid");
        let forward = Interval::new(0, depth, true).expect("valid");
        let backward = Interval::new(-depth, 0, true).expect("valid");
        assert_eq!(forward.hull(&backward), Some(centered));
        assert_eq!(Interval::new(0, depth, false).expect("valid").hull(&Interval::ORIGIN), Some(forward));
        assert_eq!(Interval::new(-depth, depth, false).expect("valid").hull(&Interval::ORIGIN), Some(centered));
        assert_eq!(forward.hull(&Interval::new(0, depth, false).expect("valid")), Some(forward));
    }
}
