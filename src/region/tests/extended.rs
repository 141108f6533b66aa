//! The extended language: offsets away from the origin and with gaps, along several directions, and fixed indices.

use super::{read, text};
use crate::region::Place::{Fixed, Offset, SomeFixed};
use crate::region::{
    Budget, Component, Direction, Extent, HIGHEST_DIMENSION, Inferred, Interval, IntervalScheme, Place, REACH,
    RegionLanguage, Scheme, SubscriptScheme, Unf, coalesce, infer_regions, join, shortest, split,
};
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn usual(offset: i64) -> Option<Place> {
    Some(Offset(Direction::Usual, offset))
}

fn along(dimension: usize, offset: i64) -> Option<Place> {
    Some(Offset(Direction::Along(dimension), offset))
}

fn free(offset: i64) -> Option<Place> {
    Some(Offset(Direction::Free, offset))
}

fn places(reads: &[&[Option<Place>]]) -> Vec<SubscriptScheme> {
    let code = |place: &Option<Place>| place.map(|place| place.code().expect("it has an integer"));
    reads.iter().map(|places| read(&places.iter().map(code).collect::<Vec<_>>())).collect()
}

fn inferred(reads: &[SubscriptScheme]) -> String {
    match infer_regions(reads, RegionLanguage::Extended) {
        Inferred::Exact(union) => text(&union),
        Inferred::Bounds { at_least, at_most } => {
            format!("{} <= {}", at_least.as_ref().map(text).unwrap_or_default(), text(&at_most))
        }
        Inferred::Nothing => "nothing".to_owned(),
    }
}

fn offsets(offsets: &[i64]) -> String {
    inferred(&offsets.iter().map(|offset| read(&[Some(*offset)])).collect::<Vec<_>>())
}

#[test]
fn runs_away_from_the_origin_are_shifted() {
    assert_eq!(offsets(&[2]), "S(2)");
    assert_eq!(offsets(&[-6, -5, -4, -3]), "S(-3,3)");
    assert_eq!(offsets(&[-2, 0, 1]), "F1 + S(-2)");
    assert_eq!(offsets(&[-2, 2, 7, -7]), "S(-7) + S(-2) + S(2) + S(7)");
    assert_eq!(offsets(&[-5, -1, 0, 1, 5]), "C1 + S(-5) + S(5)");
    assert_eq!(offsets(&[0, 4]), "P + S(4)");
    assert_eq!(offsets(&[2, 3, 1]), "F3o");
    assert_eq!(offsets(&[-1, 1, 2, 4, 5]), "B1o + F2o + S(4,1)");
    assert_eq!(offsets(&[-2, -1, 0, 1]), "B2 + F1");
    assert_eq!(offsets(&(1000..9000).collect::<Vec<_>>()), "S(1000,7999)");
    assert_eq!(offsets(&[REACH, -REACH]), format!("S({}) + S({})", -REACH, REACH));
    // No index has such an offset.
    assert_eq!(offsets(&[i64::MIN, 0]), format!("P <= B{}", i64::MIN.unsigned_abs()));
}

#[test]
fn boxes_are_as_large_as_can_be() {
    let points = |points: &[[i64; 2]]| inferred(&points.iter().map(|at| read(&at.map(Some))).collect::<Vec<_>>());
    assert_eq!(points(&[[0, 2], [0, -2], [2, 0], [-2, 0]]), "PS(-2) + PS(2) + S(-2)P + S(2)P");
    assert_eq!(points(&[[0, 0], [2, -2], [3, -2], [2, -3], [3, -3]]), "PP + S(2,1)S(-2,1)");
    assert_eq!(points(&[[2, 0], [2, 2], [2, 3]]), "S(2)P + S(2)S(2,1)");
    assert_eq!(points(&[[0, 0], [0, 2], [1, 2], [1, 0], [2, 2]]), "F1P + F2S(2)");
}

#[test]
fn directions_and_fixed_indices_stand_by_themselves() {
    assert_eq!(inferred(&places(&[&[usual(0)], &[free(0)], &[along(2, 0)]])), "P + P>2 + P>");
    assert_eq!(inferred(&places(&[&[usual(-1)], &[along(2, 1)], &[along(2, 0)]])), "B1o + F1>2");
    assert_eq!(inferred(&places(&[&[usual(0)], &[Some(Fixed(1))], &[Some(Fixed(2))]])), "P + X(1) + X(2)");
    assert_eq!(inferred(&places(&[&[usual(0)], &[Some(Fixed(1))], &[Some(SomeFixed)]])), "P + X?");
    assert_eq!(inferred(&places(&[&[Some(Fixed(-3))], &[Some(Fixed(0))], &[Some(Fixed(1))]])), "X(-3) + X(0) + X(1)");
    assert_eq!(inferred(&places(&[&[along(3, 3), along(1, 0)], &[along(3, 2), along(1, 0)]])), "S(2,1)>3P>1");
    let reads = [[usual(0), Some(Fixed(1))], [usual(0), usual(0)], [Some(SomeFixed), usual(0)]];
    assert_eq!(inferred(&places(&reads.each_ref().map(|read| read.as_slice()))), "PP + PX(1) + X?P");
    let reads = [[usual(0), Some(Fixed(1))], [usual(1), Some(SomeFixed)], [usual(2), Some(SomeFixed)]];
    assert_eq!(inferred(&places(&reads.each_ref().map(|read| read.as_slice()))), "F2X(1) + F2oX?");
    let highest = Some(Offset(Direction::Along(HIGHEST_DIMENSION), -1));
    assert_eq!(inferred(&places(&[&[highest]])), format!("B1o>{HIGHEST_DIMENSION}"));
}

#[test]
fn what_needs_too_many_constants_lies_between_bounds() {
    let irregular: Vec<i64> = (0..30).map(|n| n * n).collect();
    assert_eq!(offsets(&irregular), format!("F1 <= F{}", 29 * 29));
    let both: Vec<i64> = irregular.iter().flat_map(|offset| [*offset, -offset]).collect();
    assert_eq!(offsets(&both), format!("C1 <= C{}", 29 * 29));
    let turned: Vec<_> = irregular.iter().map(|offset| [along(2, *offset)]).chain([[usual(-1)]]).collect();
    let turned: Vec<&[Option<Place>]> = turned.iter().map(|read| read.as_slice()).collect();
    assert_eq!(inferred(&places(&turned)), format!("B1o + F1>2 <= B1o + F{}>2", 29 * 29));
    let fixed: Vec<_> = irregular.iter().map(|index| [Some(Fixed(*index))]).chain([[usual(-1)]]).collect();
    let fixed: Vec<&[Option<Place>]> = fixed.iter().map(|read| read.as_slice()).collect();
    assert_eq!(inferred(&places(&fixed)), "B1o <= B1o + X?");
    assert_eq!(inferred(&places(&fixed[..24])).split(" + ").count(), 24);
}

#[test]
fn shortest_writes_runs_as_one() {
    let shifted = |by, depth| Interval::shifted(by, depth).expect("valid");
    let of =
        |intervals: &[Interval]| Unf::new(1, intervals.iter().map(|one| Scheme::new(vec![Component::Within(*one)])));
    let union = of(&[shifted(4, 2), shifted(2, 0), shifted(3, 0), Interval::ORIGIN, shifted(-2, 0)]);
    assert_eq!(shortest(&union).as_ref().map(text).as_deref(), Some("P + S(-2) + S(2,4)"));
    assert_eq!(shifted(1, 2), Interval::new(0, 3, false).expect("valid"));
    assert_eq!(shifted(-1, 0), Interval::new(-1, 0, false).expect("valid"));
    assert_eq!(shifted(REACH - 1, i64::MAX).size(), 2);
    assert_eq!(Interval::shifted(REACH + 1, 0), None);
    assert_eq!(Interval::shifted(0, 1), None);
}

#[test]
fn irregular_reads_take_bounded_time() {
    for (rank, count, reach) in [(1, 3000, 5000), (2, 60, 4), (2, 600, 40), (3, 64, 3), (4, 200, 2), (15, 100, 2)] {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % limit) as i64
        };
        let mut place = || match next(16) {
            0 => None,
            1 => Some(Fixed(next(5))),
            2 => along(1, next(3)),
            _ => usual(next(2 * reach + 1) - reach as i64),
        };
        let reads: Vec<Vec<_>> = (0..count).map(|_| (0..rank).map(|_| place()).collect()).collect();
        let reads = places(&reads.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let start = Instant::now();
        let found = infer_regions(&reads, RegionLanguage::Extended);
        // In the debug build on a busy machine; a tenth of it is usual.
        assert!(start.elapsed() < Duration::from_secs(60), "{rank} {count} {reach}: {:?}", start.elapsed());
        let (Inferred::Exact(around) | Inferred::Bounds { at_most: around, .. }) = &found else { continue };
        let point = |read: &SubscriptScheme| -> Vec<i64> {
            read.components.iter().map(|own| if let Component::Within(at) = own { *at } else { 99_999 }).collect()
        };
        assert!(reads.iter().all(|read| around.holds(&point(read))), "{rank} {count} {reach}");
    }
}

/// The places that tests read at.
fn place() -> impl Strategy<Value = Option<Place>> {
    prop_oneof![
        1 => Just(None),
        12 => (-3i64..=3).prop_map(usual),
        4 => (-1i64..=2).prop_map(|offset| along(2, offset)),
        1 => Just(free(0)),
        3 => (1i64..=2).prop_map(|index| Some(Fixed(index))),
        1 => Just(Some(SomeFixed)),
    ]
}

fn reads(rank: usize, most: usize) -> impl Strategy<Value = Vec<SubscriptScheme>> {
    prop::collection::vec(prop::collection::vec(place(), rank), 1..=most)
        .prop_map(|reads| places(&reads.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

/// The integers at which sets of these places can differ.
fn window(rank: usize) -> Vec<Vec<i64>> {
    let offsets = (-4..=4).map(usual).chain((-3..=3).map(|offset| along(2, offset))).chain((-1..=1).map(free));
    let fixed = [Fixed(1), Fixed(2), Place::named("wall"), SomeFixed].map(Some);
    let codes: Vec<i64> = offsets.chain(fixed).filter_map(|place| place?.code()).collect();
    let mut points = vec![Vec::new()];
    for _ in 0..rank {
        points = points
            .iter()
            .flat_map(|point: &Vec<i64>| codes.iter().map(move |code| [point.as_slice(), &[*code]].concat()))
            .collect();
    }
    points
}

fn same<A: Extent, B: Extent>(left: &Unf<A>, right: &Unf<B>) -> bool {
    window(left.rank()).iter().all(|point| left.holds(point) == right.holds(point))
}

/// All intervals that a constant denotes and these tests can give rise to.
fn printable_intervals() -> Vec<Interval> {
    let touching = (0..=3i64).flat_map(|depth| [(-depth, 0), (0, depth), (-depth, depth)]);
    let touching = touching.flat_map(|(lower, upper)| [true, false].map(|zero| Interval::new(lower, upper, zero)));
    let shifted = [(2, 0), (2, 1), (3, 0)].into_iter();
    let shifted = shifted.flat_map(|(by, depth)| [Interval::shifted(by, depth), Interval::shifted(-by, depth)]);
    let offsets: Vec<Interval> = touching.chain(shifted).flatten().collect();
    let directions = [Direction::Usual, Direction::Along(2), Direction::Free];
    let directed = directions.iter().flat_map(|direction| offsets.iter().filter_map(|one| one.along(*direction)));
    directed.chain([Fixed(1), Fixed(2), SomeFixed].map(Interval::at)).collect()
}

fn interval() -> impl Strategy<Value = Interval> {
    prop::sample::select(printable_intervals())
}

fn specification(rank: usize, terms: usize) -> impl Strategy<Value = Unf<Interval>> {
    let component = prop_oneof![1 => Just(Component::Every), 4 => interval().prop_map(Component::Within)];
    let product = prop::collection::vec(component, rank).prop_map(Scheme::new);
    prop::collection::vec(product, 1..=terms).prop_map(move |terms| Unf::new(rank, terms))
}

/// The products of printable intervals inside a set of which none is inside another.
fn products_inside(union: &Unf<Interval>) -> Vec<IntervalScheme> {
    let components: Vec<_> =
        printable_intervals().into_iter().map(Component::Within).chain([Component::Every]).collect();
    let mut products = vec![Vec::new()];
    for _ in 0..union.rank() {
        products = products
            .iter()
            .flat_map(|start: &Vec<_>| components.iter().map(move |last| [start.as_slice(), &[*last]].concat()))
            .collect();
    }
    let outside: Vec<_> = window(union.rank()).into_iter().filter(|point| !union.holds(point)).collect();
    let is_inside = |product: &IntervalScheme| !outside.iter().any(|point| product.holds(point));
    let inside = products.into_iter().map(Scheme::new).filter(is_inside);
    Unf::new(union.rank(), inside).drop_subsumed().schemes().to_vec()
}

/// The fewest constants of a cover of the points by so many of these products.
fn fewest_constants(points: &[Vec<i64>], products: &[IntervalScheme], count: usize) -> Option<usize> {
    let Some(first) = points.first() else { return Some(0) };
    let next = count.checked_sub(1)?;
    let with = |product: &IntervalScheme| {
        let rest: Vec<_> = points.iter().filter(|point| !product.holds(point)).cloned().collect();
        Some(fewest_constants(&rest, products, next)? + product.constants())
    };
    products.iter().filter(|product| product.holds(first)).filter_map(with).min()
}

proptest! {
    // All products of all constants are tried.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn inference_is_exact_and_minimal(reads in prop_oneof![reads(1, 7), reads(2, 5)]) {
        let rank = reads[0].rank();
        let code = Unf::new(rank, reads.clone());
        match infer_regions(&reads, RegionLanguage::Extended) {
            Inferred::Exact(regions) => {
                prop_assert!(same(&regions, &code), "{}", text(&regions));
                let is_same = regions.to_index().is_same_set(&code.to_index(), &mut Budget::new(1_000_000));
                prop_assert!(is_same.expect("small"));
                let products = products_inside(&regions);
                let points: Vec<_> = window(rank).into_iter().filter(|point| regions.holds(point)).collect();
                let count = regions.schemes().len();
                let constants = regions.schemes().iter().map(IntervalScheme::constants).sum();
                let fewest = |count| fewest_constants(&points, &products, count);
                prop_assert_eq!(fewest(count - 1), None, "{} is too long", text(&regions));
                prop_assert_eq!(fewest(count), Some(constants), "{}", text(&regions));
            }
            Inferred::Nothing => prop_assert!(reads.iter().any(Scheme::is_every)),
            other => prop_assert!(false, "{:?}", other),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_the_paper_can_say_is_said_so(reads in (1usize..=3).prop_flat_map(|rank| super::laws::reads(rank, 9))) {
        let paper = infer_regions(&reads, RegionLanguage::Paper);
        let extended = infer_regions(&reads, RegionLanguage::Extended);
        let has_bounds = matches!(paper, Inferred::Bounds { .. });
        prop_assert!(has_bounds || paper == extended);
    }

    #[test]
    fn the_result_depends_on_the_set_only(mut reads in reads(3, 8), seed in any::<u64>()) {
        let first = infer_regions(&reads, RegionLanguage::Extended);
        let turn = (seed as usize) % reads.len();
        reads.rotate_left(turn);
        reads.push(reads[0].clone());
        prop_assert_eq!(infer_regions(&reads, RegionLanguage::Extended), first);
    }

    #[test]
    fn bounds_of_many_reads_hold(reads in prop::collection::vec((-9i64..=9, place()), 20..40)) {
        let reads = reads.into_iter().map(|(offset, place)| [usual(offset), place]).collect::<Vec<_>>();
        let reads = places(&reads.iter().map(|read| read.as_slice()).collect::<Vec<_>>());
        let code = Unf::new(2, reads.clone()).to_index();
        let mut budget = Budget::new(10_000_000);
        match infer_regions(&reads, RegionLanguage::Extended) {
            Inferred::Exact(regions) => {
                prop_assert!(regions.to_index().is_same_set(&code, &mut budget).expect("small"));
            }
            Inferred::Bounds { at_least, at_most } => {
                let at_least = at_least.unwrap_or(Unf::empty(2)).to_index();
                prop_assert_eq!(at_least.uncovered(&code, &mut budget).expect("small"), None);
                prop_assert_eq!(code.uncovered(&at_most.to_index(), &mut budget).expect("small"), None);
            }
            Inferred::Nothing => prop_assert!(false),
        }
    }

    #[test]
    fn shortest_keeps_the_set(union in prop_oneof![specification(1, 5), specification(2, 4)]) {
        match shortest(&union) {
            Some(best) => {
                prop_assert!(same(&best, &union));
                prop_assert!(best.schemes().len() <= union.schemes().len());
                prop_assert_eq!(shortest(&best), Some(best));
            }
            None => prop_assert!(false, "{}", text(&union)),
        }
    }

    #[test]
    fn normal_forms_keep_the_set(union in prop_oneof![specification(1, 5), specification(2, 4)]) {
        prop_assert!(same(&union, &union.to_index()));
        prop_assert!(same(&union, &union.clone().drop_subsumed()));
        prop_assert!(same(&union, &join(union.clone())));
        prop_assert!(same(&union, &coalesce(union.to_index())));
        let parts = Unf::new(union.rank(), join(union.clone()).schemes().iter().flat_map(split));
        prop_assert!(same(&union, &parts));
        prop_assert!(super::laws::all_printable(&parts));
    }

    #[test]
    fn intervals_form_a_lattice_with_their_sets((left, right) in (interval(), interval())) {
        let [a, b] = [left, right].map(|one| one.to_integers());
        prop_assert_eq!(left.is_subset(&right), a.is_subset(&b));
        prop_assert_eq!(left.intersection(&right).map(|common| common.to_integers()), a.intersection(&b));
        prop_assert_eq!(left == right, a == b);
        if let Some(hull) = left.hull(&right) {
            prop_assert_eq!(hull.to_integers(), a.union(&b));
            prop_assert_eq!(right.hull(&left), Some(hull));
        }
        for point in window(1) {
            prop_assert_eq!(left.holds(point[0]), a.contains(point[0]));
        }
    }
}
