//! Both procedures against brute force, and the contract with the linked Z3.

use crate::region::{Direction, Interval, Place, Scheme, SubscriptScheme};
use crate::solve::*;
use ::z3::ast::{Bool, Int};
use ::z3::{SatResult, Solver as Z3Solver};
use proptest::prelude::*;

/// Terms in, numerals and verdicts out: all that we ask of the library.
#[test]
fn the_linked_z3_keeps_its_contract() {
    assert!(Z3::version().contains('.'), "{}", Z3::version());
    let (x, y) = (Int::new_const("x"), Int::new_const("y"));
    let solver = Z3Solver::new();
    solver.assert(x.ge(Int::from_i64(-3)));
    solver.assert(x.le(Int::from_i64(-3)));
    solver.assert(y.eq(Int::from_i64(i64::MIN)));
    assert_eq!(solver.check(), SatResult::Sat);
    let model = solver.get_model().expect("a model");
    assert_eq!(model.eval(&x, true).and_then(|value| value.as_i64()), Some(-3));
    assert_eq!(model.eval(&y, true).and_then(|value| value.as_i64()), Some(i64::MIN));
    solver.assert(x.eq(Int::from_i64(-3)).not());
    assert_eq!(solver.check(), SatResult::Unsat);
    let empty: &[Bool] = &[];
    let solver = Z3Solver::new();
    solver.assert(Bool::and(empty));
    assert_eq!(solver.check(), SatResult::Sat);
    solver.assert(Bool::or(empty));
    assert_eq!(solver.check(), SatResult::Unsat);
}

#[test]
fn a_resource_limit_gives_unknown() {
    // Pairwise different offsets in a range one too small: a pigeonhole problem, hard for any solver of this kind.
    let pigeons = 11;
    let points = |dimension: usize, other: usize, value: i64| {
        let component = |at| {
            if at == dimension || at == other { Component::Within(IntegerSet::single(value)) } else { Component::Every }
        };
        Scheme::new((0..pigeons).map(component).collect())
    };
    let hole = IntegerSet::from_ranges([(0, pigeons as i64 - 2)]).expect("not empty");
    let left = Unf::new(pigeons, [Scheme::new(vec![Component::Within(hole); pigeons])]);
    let pairs = (0..pigeons)
        .flat_map(|one| (0..one).flat_map(move |two| (0..pigeons as i64 - 1).map(move |at| (one, two, at))));
    let right = Unf::new(pigeons, pairs.map(|(one, two, at)| points(one, two, at)));
    assert!(matches!(Z3::new(100_000).difference(&left, &right), Answer::Unknown(_)));
    assert!(matches!(Native::new(100_000).difference(&left, &right), Answer::Unknown(_)));
}

#[test]
fn a_witness_is_moved_within_a_budget() {
    // So many ranges that trying the ends of all of them would take long; the witness stays one.
    let ranges = (0..60_000).map(|at| (4 * at, 4 * at + 1));
    let left = Unf::new(
        1,
        [Scheme::new(vec![Component::Within(IntegerSet::from_ranges([(7, 9_000_000)]).expect("not empty"))])],
    );
    let parts =
        ranges.map(|range| Scheme::new(vec![Component::Within(IntegerSet::from_ranges([range]).expect("not empty"))]));
    let right = Unf::new(1, parts);
    let witness = towards_zero(vec![9_000_000], &left, &right);
    assert!(left.holds(&witness) && !right.holds(&witness));
}

#[test]
fn sets_of_different_rank_are_not_compared() {
    let (line, plane) = (Unf::every(1), Unf::every(2));
    assert!(matches!(Native::default().difference(&line, &plane), Answer::Unknown(_)));
    assert!(matches!(Z3::default().difference(&line, &plane), Answer::Unknown(_)));
    assert!(matches!(compare(&mut Native::default(), &line, &plane), Comparison::Undecided(_)));
}

fn centered(depth: i64) -> Unf<IntegerSet> {
    let interval = Interval::new(-depth, depth, true).expect("valid");
    Unf::new(1, [Scheme::new(vec![Component::Within(interval)])]).to_index()
}

fn reads(offsets: &[i64]) -> Unf<IntegerSet> {
    Unf::new(1, offsets.iter().map(|offset| SubscriptScheme::new(vec![Component::Within(*offset)]))).to_index()
}

#[test]
fn comparison_says_which_side_has_more() {
    let memo = Memo::default();
    for solver in [
        &mut Native::default() as &mut dyn Solver,
        &mut Z3::default(),
        &mut Both::default(),
        &mut memo.before(Z3::default()),
    ] {
        assert_eq!(compare(solver, &reads(&[-1, 1, 0]), &centered(1)), Comparison::Same);
        assert_eq!(compare(solver, &reads(&[-1, 0]), &centered(1)), Comparison::OnlyRight(vec![1]));
        assert_eq!(compare(solver, &reads(&[-2, 0]), &centered(1)), Comparison::OnlyLeft(vec![-2]));
        assert_eq!(compare(solver, &Unf::every(1), &centered(700)), Comparison::OnlyLeft(vec![701]));
        assert_eq!(compare(solver, &Unf::empty(1), &Unf::empty(1)), Comparison::Same);
        assert_eq!(compare(solver, &Unf::empty(1), &Unf::every(1)), Comparison::OnlyRight(vec![0]));
    }
}

#[test]
fn queries_are_remembered_whatever_the_order() {
    let memo = Memo::default();
    for offsets in [[-1, 0, 1], [1, 0, -1], [0, 1, -1]] {
        assert_eq!(compare(&mut memo.before(Native::default()), &reads(&offsets), &centered(1)), Comparison::Same);
    }
    // Both sides coalesce to one form, so even the two directions are one question.
    assert_eq!(memo.queries(), 1);
}

/// How far from 0 the ranges of the pairs go: less in higher ranks, so that all points can be tried.
fn reach(rank: usize) -> i64 {
    match rank {
        1 | 2 => 3,
        3 => 2,
        _ => 1,
    }
}

/// Some ranges within the reach, or everything.
fn component(reach: i64) -> impl Strategy<Value = Component<IntegerSet>> {
    let range = (-reach..=reach, 0i64..=2).prop_map(move |(first, length)| (first, (first + length).min(reach)));
    prop_oneof![
        1 => Just(Component::Every),
        5 => prop::collection::vec(range, 1..=2).prop_map(|ranges| Component::Within(IntegerSet::from_ranges(ranges).expect("not empty"))),
    ]
}

fn union(rank: usize) -> impl Strategy<Value = Unf<IntegerSet>> {
    let scheme = prop::collection::vec(component(reach(rank)), rank).prop_map(Scheme::new);
    prop::collection::vec(scheme, 0..=4).prop_map(move |schemes| Unf::new(rank, schemes))
}

/// A union of reads at places of every kind.
fn places(rank: usize) -> impl Strategy<Value = Unf<IntegerSet>> {
    let direction = prop_oneof![Just(Direction::Usual), Just(Direction::Along(2)), Just(Direction::Free)];
    let place = prop_oneof![
        6 => (direction, -2i64..=2).prop_map(|(direction, offset)| Place::Offset(direction, offset)),
        3 => (-1i64..=1).prop_map(Place::Fixed),
        1 => Just(Place::named("wall")),
        1 => Just(Place::SomeFixed),
    ];
    let code = place.prop_map(|place| Component::Within(place.code().expect("it has an integer")));
    let component = prop_oneof![1 => Just(Component::Every), 8 => code];
    let read = prop::collection::vec(component, rank).prop_map(SubscriptScheme::new);
    prop::collection::vec(read, 0..=6).prop_map(move |reads| Unf::new(rank, reads).to_index())
}

/// All points of the ranges and one beyond: what is unconstrained shows there.
fn window(rank: usize) -> Vec<Vec<i64>> {
    let beyond = reach(rank) + 1;
    let mut points = vec![Vec::new()];
    for _ in 0..rank {
        let longer =
            |point: &Vec<i64>| (-beyond..=beyond).map(|last| [point.as_slice(), &[last]].concat()).collect::<Vec<_>>();
        points = points.iter().flat_map(longer).collect();
    }
    points
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn native_and_z3_agree_on_all_places((left, right) in (1usize..=3).prop_flat_map(|rank| (places(rank), places(rank)))) {
        for (left, right) in [(&left, &right), (&left, &left.union(&right)), (&left.union(&right), &right)] {
            let (of_native, of_z3) = (Native::default().difference(left, right), Z3::default().difference(left, right));
            prop_assert_eq!(&of_native, &of_z3);
            match of_native {
                Answer::Empty => {}
                Answer::Witness(point) => prop_assert!(left.holds(&point) && !right.holds(&point)),
                Answer::Unknown(reason) => prop_assert!(false, "{}", reason),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn native_and_z3_agree_with_brute_force((left, right, shared) in (1usize..=5).prop_flat_map(|rank| (union(rank), union(rank), any::<bool>()))) {
        // Every second pair is one of inclusion, which chance alone rarely gives.
        let right = if shared { right.union(&left) } else { right };
        let (mut native, mut z3) = (Native::default(), Z3::default());
        let outside = window(left.rank()).iter().any(|point| left.holds(point) && !right.holds(point));
        let (of_native, of_z3) = (native.difference(&left, &right), z3.difference(&left, &right));
        // Also the witness is the same.
        prop_assert_eq!(&of_native, &of_z3);
        for answer in [of_native, of_z3] {
            match answer {
                Answer::Empty => prop_assert!(!outside),
                Answer::Witness(point) => prop_assert!(outside && left.holds(&point) && !right.holds(&point)),
                Answer::Unknown(reason) => prop_assert!(false, "{}", reason),
            }
        }
        prop_assert!(!outside || compare(&mut native, &left, &right) != Comparison::Same);
    }
}
