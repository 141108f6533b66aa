//! Known answers: the kernels that every reader of the paper knows.

use super::{read, text};
use crate::region::{Component, Inferred, RegionLanguage, infer_regions, shortest};
use std::time::{Duration, Instant};

fn points<const N: usize>(offsets: &[[i64; N]]) -> Vec<crate::region::SubscriptScheme> {
    offsets.iter().map(|point| read(&point.map(Some))).collect()
}

fn inferred(reads: &[crate::region::SubscriptScheme]) -> String {
    match infer_regions(reads, RegionLanguage::Paper) {
        Inferred::Exact(union) => text(&union),
        Inferred::Bounds { at_least, at_most } => {
            format!("{} <= {}", at_least.as_ref().map(text).unwrap_or_default(), text(&at_most))
        }
        Inferred::Nothing => "nothing".to_owned(),
    }
}

fn one_dimension(offsets: &[i64]) -> String {
    inferred(&points(&offsets.iter().map(|offset| [*offset]).collect::<Vec<_>>()))
}

#[test]
fn one_dimension_is_read_off() {
    assert_eq!(one_dimension(&[0]), "P");
    assert_eq!(one_dimension(&[0, 1, 0]), "F1");
    assert_eq!(one_dimension(&[-1]), "B1o");
    assert_eq!(one_dimension(&[-2, -1, 2, 1]), "C2o");
    assert_eq!(one_dimension(&[-2, -1, 0, 2, 1]), "C2");
}

#[test]
fn an_asymmetric_interval_is_split_at_the_origin() {
    assert_eq!(one_dimension(&[-2, -1, 0, 1]), "B2 + F1");
    assert_eq!(one_dimension(&[-1, 1, 2]), "B1o + F2o");
    let square: Vec<_> = (-2..=1).flat_map(|i| (-2..=1).map(move |j| [i, j])).collect();
    assert_eq!(inferred(&points(&square)), "B2B2 + B2F1 + F1B2 + F1F1");
}

#[test]
fn an_asymmetric_interval_may_be_shared() {
    let offsets = [[-2, 0], [-1, 0], [0, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];
    assert_eq!(inferred(&points(&offsets)), "B2P + C1F1");
}

#[test]
fn gaps_give_bounds() {
    assert_eq!(one_dimension(&[3]), " <= F3o");
    assert_eq!(one_dimension(&[0, -4]), "P <= B4");
    assert_eq!(one_dimension(&[-5, -1, 0, 1, 5]), "C1 <= C5");
    assert_eq!(one_dimension(&[-2, 2]), " <= C2o");
    assert_eq!(inferred(&points(&[[0, 0], [1, 3]])), "PP <= PP + F1oF3o");
}

#[test]
fn stars_and_squares() {
    assert_eq!(inferred(&points(&[[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])), "PC1 + C1P");
    assert_eq!(inferred(&points(&[[1, 0], [-1, 0], [0, 1], [0, -1]])), "PC1o + C1oP");
    assert_eq!(inferred(&points(&[[0, 0], [1, 1]])), "PP + F1oF1o");
    assert_eq!(inferred(&points(&[[0, -2], [0, -1], [1, -1], [-1, -1]])), "PB2o + C1B1o");
    let sobel: Vec<_> = (-1..=1).flat_map(|i| (-1..=1).map(move |j| [i, j])).filter(|at| *at != [0, 0]).collect();
    assert_eq!(inferred(&points(&sobel)), "C1C1o + C1oC1");
    let cube: Vec<_> = (0..27).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]).collect();
    assert_eq!(inferred(&points(&cube)), "C1C1C1");
    let seven: Vec<_> =
        cube.iter().copied().filter(|at| at.iter().filter(|offset| **offset != 0).count() < 2).collect();
    assert_eq!(inferred(&points(&seven)), "PPC1 + PC1P + C1PP");
    let nineteen: Vec<_> =
        cube.iter().copied().filter(|at| at.iter().filter(|offset| **offset != 0).count() < 3).collect();
    assert_eq!(inferred(&points(&nineteen)), "PC1C1 + C1PC1 + C1C1P");
}

#[test]
fn absolute_indices_leave_their_dimension_free() {
    assert_eq!(inferred(&[read(&[None, Some(0)])]), "*P");
    assert_eq!(inferred(&[read(&[Some(0), Some(0)]), read(&[Some(0), None])]), "P*");
    assert_eq!(inferred(&[read(&[None, None])]), "nothing");
    assert_eq!(inferred(&[read(&[Some(1), None]), read(&[None, None])]), "nothing");
    assert_eq!(inferred(&[]), "nothing");
    assert_eq!(inferred(&[read(&[Some(2), None]), read(&[Some(1), Some(0)])]), "F2oP <= F2o*");
    assert_eq!(inferred(&[read(&[Some(2), Some(0)]), read(&[Some(1), None])]), "F1o* + F2oP");
}

#[test]
fn depth_and_rank_cost_nothing() {
    let start = Instant::now();
    assert_eq!(one_dimension(&[500_000_000_000]), " <= F500000000000o");
    assert_eq!(one_dimension(&[i64::MIN, i64::MAX]), format!(" <= B{}o + F{}o", i64::MIN.unsigned_abs(), i64::MAX));
    let fifteen = read(&[Some(0); 15]);
    assert_eq!(inferred(&[fifteen]), "P".repeat(15));
    let thousand: Vec<i64> = (0..1000).collect();
    assert_eq!(one_dimension(&thousand), "F999");
    let axes = |axis: usize, offset: i64| {
        read(&std::array::from_fn::<_, 15, _>(|at| Some(if at == axis { offset } else { 0 })))
    };
    let star: Vec<_> = (0..15).flat_map(|axis| [-1, 0, 1].map(|offset| axes(axis, offset))).collect();
    assert_eq!(inferred(&star).split(" + ").count(), 15);
    let seven: Vec<_> =
        (0..2187i64).map(|n| std::array::from_fn::<_, 7, _>(|d| n / 3i64.pow(d as u32) % 3 - 1)).collect();
    assert_eq!(inferred(&points(&seven)), "C1".repeat(7));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn shortest_joins_and_drops() {
    let of = |offsets: &[i64]| match infer_regions(
        &points(&offsets.iter().map(|o| [*o]).collect::<Vec<_>>()),
        RegionLanguage::Paper,
    ) {
        Inferred::Exact(union) => union,
        other => panic!("{other:?}"),
    };
    let wordy = of(&[0, 1, 2]).union(&of(&[0, -1, -2])).union(&of(&[0]));
    assert_eq!(shortest(&wordy).as_ref().map(text).as_deref(), Some("C2"));
    assert_eq!(shortest(&crate::region::Unf::empty(1)), None);
}

/// A sequence of numbers that looks random and is the same on every run.
fn scattered(seed: u64) -> impl FnMut(u64) -> i64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |limit| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit) as i64
    }
}

#[test]
fn irregular_reads_take_bounded_time() {
    for (rank, count, reach) in [(1, 3000, 5000), (2, 64, 4), (4, 64, 1), (4, 64, 3), (7, 500, 1), (15, 200, 2)] {
        for free in [0, 4] {
            let mut next = scattered(rank as u64 * 31 + count as u64 + free);
            let mut offset = || if next(20) < free as i64 { None } else { Some(next(2 * reach + 1) - reach as i64) };
            let reads: Vec<_> = (0..count).map(|_| read(&(0..rank).map(|_| offset()).collect::<Vec<_>>())).collect();
            let start = Instant::now();
            let inferred = infer_regions(&reads, RegionLanguage::Paper);
            // In the debug build on a busy machine; a tenth of it is usual.
            assert!(start.elapsed() < Duration::from_secs(40), "{rank} {count} {reach}: {:?}", start.elapsed());
            let (Inferred::Exact(around) | Inferred::Bounds { at_most: around, .. }) = &inferred else { continue };
            let point = |read: &crate::region::SubscriptScheme| -> Vec<i64> {
                read.components.iter().map(|own| if let Component::Within(at) = own { *at } else { 99_999 }).collect()
            };
            assert!(reads.iter().all(|read| around.holds(&point(read))), "{rank} {count} {reach}");
        }
    }
}
