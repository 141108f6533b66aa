//! The paper's experiment (section 7.2): the offsets of a kernel are varied, and the specification of the right one
//! must catch every variant that is not a permutation of its reads.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::{Check, CheckOptions, Infer, InferOptions};
use camfort_rs::workspace::{Project, SourceOptions};

/// The codes that a wrong kernel may get.
const CAUGHT: [&str; 2] = ["S010", "S012"];

/// A kernel that sums reads of one array at some offsets.
type Reads = Vec<Vec<i64>>;

/// A program with many variants of a kernel, each below the specification of the right one; and the line of each
/// variant.
fn program(rank: usize, specification: &str, variants: &[Reads]) -> (String, Vec<u32>) {
    let names = ["i", "j", "k"];
    let subscripts = |offsets: &[i64]| {
        let index = |(name, offset): (&&str, &i64)| match offset {
            0 => (*name).to_owned(),
            _ => format!("{name}{offset:+}"),
        };
        names.iter().zip(offsets).map(index).collect::<Vec<_>>().join(",")
    };
    let shape = vec!["n"; rank].join(",");
    let mut text = format!("subroutine kernel(a, b, n)\n  integer :: n, i, j, k\n  real :: a({shape}), b({shape})\n");
    for name in names[..rank].iter().rev() {
        let _ = writeln!(text, "  do {name} = 2, n - 1");
    }
    let mut lines = Vec::new();
    for reads in variants {
        let sum: Vec<String> = reads.iter().map(|offsets| format!("a({})", subscripts(offsets))).collect();
        let _ = writeln!(text, "    != {specification}\n    b({}) = ({})/4", subscripts(&vec![0; rank]), sum.join("+"));
        lines.push(text.lines().count() as u32);
    }
    text.push_str(&"  end do\n".repeat(rank));
    text.push_str("end subroutine\n");
    (text, lines)
}

/// Which of the variants are found to be wrong; each finding must be of the kinds that the paper's experiment expects.
fn caught(rank: usize, right: &Reads, variants: &[Reads]) -> Vec<bool> {
    let project = Project::load(&[], SourceOptions::default());
    let (bare, _) = program(rank, "", std::slice::from_ref(right));
    let inferred = analyse::<Infer>(&project.view(Path::new("right.f90"), bare.as_bytes()), InferOptions::default());
    let specifications = &inferred.inference.computations[0].specifications;
    assert_eq!(specifications.len(), 1, "{specifications:?}");
    let (text, lines) = program(rank, &specifications[0].text, variants);
    let result = analyse::<Check>(&project.view(Path::new("variants.f90"), text.as_bytes()), CheckOptions::default());
    assert_eq!(result.specifications, variants.len());
    let mut wrong = BTreeSet::new();
    for finding in &result.findings {
        assert!(CAUGHT.contains(&finding.rule.code), "{finding:?}");
        assert!(wrong.insert(finding.location.start.line), "two findings on one line: {finding:?}");
    }
    assert_eq!(result.holding, variants.len() - wrong.len());
    lines.iter().map(|line| wrong.contains(line)).collect()
}

fn is_permutation(one: &Reads, other: &Reads) -> bool {
    let (mut one, mut other) = (one.clone(), other.clone());
    one.sort();
    other.sort();
    one == other
}

/// All ways to choose so many offsets out of -1, 0 and 1.
fn choices(count: u32) -> impl Iterator<Item = Vec<i64>> {
    (0..3i64.pow(count)).map(move |number| (0..count).map(|digit| number / 3i64.pow(digit) % 3 - 1).collect())
}

#[test]
fn of_all_jacobi_kernels_only_the_permutations_pass() {
    let right: Reads = vec![vec![-1, 0], vec![1, 0], vec![0, 1], vec![0, -1]];
    let variants: Vec<Reads> = choices(8).map(|offsets| offsets.chunks(2).map(<[i64]>::to_vec).collect()).collect();
    let caught = caught(2, &right, &variants);
    assert_eq!((variants.len(), caught.iter().filter(|caught| **caught).count()), (6561, 6537));
    for (variant, caught) in variants.iter().zip(caught) {
        assert_eq!(caught, !is_permutation(variant, &right), "{variant:?}");
    }
}

#[test]
fn of_all_three_point_kernels_only_the_permutations_pass() {
    let right: Reads = vec![vec![-1], vec![0], vec![1]];
    let variants: Vec<Reads> = choices(3).map(|offsets| offsets.iter().map(|&offset| vec![offset]).collect()).collect();
    let caught = caught(1, &right, &variants);
    assert_eq!(caught.iter().filter(|caught| !**caught).count(), 6);
    for (variant, caught) in variants.iter().zip(caught) {
        assert_eq!(caught, !is_permutation(variant, &right), "{variant:?}");
    }
}

#[test]
fn of_seven_point_kernels_only_the_permutations_pass() {
    let mut right: Reads = vec![vec![0, 0, 0]];
    for dimension in 0..3 {
        for offset in [-1, 1] {
            let mut read = vec![0, 0, 0];
            read[dimension] = offset;
            right.push(read);
        }
    }
    // A linear congruential generator: the same sample in every run.
    let mut state = 20_261_128_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut variants = Vec::new();
    for number in 0..3000 {
        let mut variant = right.clone();
        // Chance alone hardly ever comes near: some variants are permutations, some differ in one or two subscripts,
        // others are random.
        for at in (1..variant.len()).rev() {
            variant.swap(at, random(at as u64 + 1) as usize);
        }
        let changes = if number % 10 == 9 { 21 } else { number % 3 };
        for _ in 0..changes {
            variant[random(7) as usize][random(3) as usize] = random(3) as i64 - 1;
        }
        variants.push(variant);
    }
    let caught = caught(3, &right, &variants);
    let passed = caught.iter().filter(|caught| !**caught).count();
    assert!((1000..2200).contains(&passed), "{passed} of 3000 passed");
    for (variant, caught) in variants.iter().zip(caught) {
        assert_eq!(caught, !is_permutation(variant, &right), "{variant:?}");
    }
}
