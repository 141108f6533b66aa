//! The whole pipeline against an oracle: random kernels whose reads are known are printed as Fortran in both forms, and what is
//! inferred must be what was put in.
//!
//! The oracle knows nothing of intervals or unions: it decides membership point by point on a window.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use camfort_rs::infer::{Approximation, ComputationKind, InferredSpecification, RegionBox};
use camfort_rs::project::{Project, ProjectOptions};

/// Kernels per run; each is tried in both forms.
const KERNELS: u64 = 2_000;
/// Points are looked at from `-WINDOW` to `WINDOW` in each dimension; offsets stay inside.
const WINDOW: i64 = 5;

/// A small deterministic generator (linear congruential, 64 bits, upper half used).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at as u64 + 1) as usize);
        }
    }
}

/// One subscript: a loop variable (by number) with an offset, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Index {
    Relative(usize, i64),
    Absolute(i64),
}

type Read = Vec<Index>;

struct Kernel {
    free: String,
    fixed: String,
    kind: ComputationKind,
    arrays: BTreeMap<String, Vec<Read>>,
    /// Offsets of the loop variables on the left.
    left: BTreeMap<usize, i64>,
}

const VARIABLES: [&str; 3] = ["i", "j", "k"];

/// An index in one of its spellings; `two` is a named constant.
fn spell(random: &mut Random, index: Index) -> String {
    let (variable, offset) = match index {
        Index::Absolute(2) if random.chance(50) => return "two".into(),
        Index::Absolute(value) => return value.to_string(),
        Index::Relative(variable, offset) => (VARIABLES[variable], offset),
    };
    match (offset, random.below(4)) {
        (0, 0) => format!("{variable}+two-2"),
        (0, _) => variable.into(),
        (2, 0) => format!("{variable}+two"),
        (1, 1) => format!("({variable}+two)-1"),
        (_, 2) => format!("{offset}+{variable}"),
        (_, 3) => format!("{variable}-({})", -offset),
        _ => format!("{variable}{offset:+}"),
    }
}

fn reference(random: &mut Random, array: &str, read: &[Index]) -> String {
    let indices: Vec<String> = read.iter().map(|&index| spell(random, index)).collect();
    format!("{array}({})", indices.join(","))
}

fn kernel(seed: u64) -> Kernel {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5);
    let depth = random.between(1, 3) as usize;
    let (left_text, left, kind) = left_side(&mut random, depth);
    let mut arrays = BTreeMap::new();
    let mut terms = Vec::new();
    for name in ["a", "b", "c"].iter().take(random.between(1, 3) as usize) {
        let reads = reads(&mut random, depth, &left);
        terms.extend(reads.iter().map(|read| reference(&mut random, name, read)));
        arrays.insert((*name).to_string(), reads);
    }
    random.shuffle(&mut terms);
    let body = statements(&mut random, &left_text, terms);
    let shape = |name: &str, rank: usize| format!("{name}({})", vec!["99"; rank].join(","));
    let mut shapes: Vec<String> = arrays.iter().map(|(name, reads)| shape(name, reads[0].len())).collect();
    if kind == ComputationKind::Stencil {
        shapes.push(shape("out", left_text.matches(',').count() + 1));
    }
    let bounds = ["10, 80", "80, 10, -1", "10, 80, 2", "10, 80, two"];
    let bounds: Vec<&str> = (0..depth).map(|_| *random.pick(&bounds)).collect();
    let (free, fixed) = (free_form(&shapes, &bounds, &body), fixed_form(&shapes, &bounds, &body));
    Kernel { free, fixed, kind, arrays, left }
}

/// An array with distinct loop variables in any order, some of them shifted, perhaps with constant dimensions; or a scalar.
fn left_side(random: &mut Random, depth: usize) -> (String, BTreeMap<usize, i64>, ComputationKind) {
    if random.chance(15) {
        return ("total".into(), BTreeMap::new(), ComputationKind::Access);
    }
    let mut variables: Vec<usize> = (0..depth).collect();
    random.shuffle(&mut variables);
    variables.truncate(random.between(1, depth as i64) as usize);
    let mut left = BTreeMap::new();
    let mut indices = Vec::new();
    for variable in variables {
        if random.chance(15) {
            indices.push(Index::Absolute(random.between(1, 5)));
        }
        let offset = if random.chance(30) { random.between(-2, 2) } else { 0 };
        left.insert(variable, offset);
        indices.push(Index::Relative(variable, offset));
    }
    (reference(random, "out", &indices), left, ComputationKind::Stencil)
}

/// The dimensions of an array that is consistent with the left side: each runs over a loop variable or is constant.
fn axes(random: &mut Random, depth: usize, left: &BTreeMap<usize, i64>) -> Vec<Option<usize>> {
    let mut axes: Vec<Option<usize>> = if left.is_empty() || random.chance(60) {
        (0..depth).map(Some).collect()
    } else {
        left.keys().copied().filter(|_| random.chance(70)).map(Some).collect()
    };
    if axes.is_empty() {
        axes.push(left.keys().next().copied().or(Some(0)));
    }
    if axes.len() < 3 && random.chance(20) {
        axes.push(None);
    }
    random.shuffle(&mut axes);
    axes
}

/// Reads of one array; single reads may have a constant where others run over a variable.
fn reads(random: &mut Random, depth: usize, left: &BTreeMap<usize, i64>) -> Vec<Read> {
    let axes = axes(random, depth, left);
    let origin = |variable: usize| left.get(&variable).copied().unwrap_or(0);
    let reach = if random.chance(80) { 1 } else { 3 };
    let everywhere = random.chance(35);
    let mut reads: Vec<Read> = Vec::new();
    for _ in 0..random.between(1, 6) {
        let moved = random.below(axes.len() as u64) as usize;
        let mut read = Vec::new();
        for (at, axis) in axes.iter().enumerate() {
            read.push(match axis {
                None => Index::Absolute(random.between(1, 3)),
                Some(_) if random.chance(4) => Index::Absolute(random.between(1, 3)),
                Some(variable) => {
                    let offset = if everywhere || at == moved { random.between(-reach, reach) } else { 0 };
                    Index::Relative(*variable, origin(*variable) + offset)
                }
            });
        }
        reads.push(read);
    }
    // An array that is not read along each of its axes would be another one than was meant.
    if random.chance(50) || reads.iter().flatten().any(|index| matches!(index, Index::Absolute(_))) {
        let at_origin = |axis: &Option<usize>| match axis {
            Some(variable) => Index::Relative(*variable, origin(*variable)),
            None => Index::Absolute(1),
        };
        reads.push(axes.iter().map(at_origin).collect());
    }
    reads
}

/// The loop body: terms stand in the root itself, or reach it through scalars, chains of scalars and branches.
fn statements(random: &mut Random, left: &str, mut pending: Vec<String>) -> Vec<String> {
    let mut body: Vec<String> = Vec::new();
    let mut ready: Vec<String> = Vec::new();
    let mut scalars = 0;
    while let Some(term) = pending.pop() {
        if scalars >= 6 || random.chance(50) {
            ready.push(term);
            continue;
        }
        scalars += 1;
        let name = format!("t{scalars}");
        match random.below(3) {
            0 => body.push(format!("{name} = 2.0*{term}")),
            1 => {
                let other = pending.pop().unwrap_or_else(|| "1.0".into());
                body.push("if (flag > 0.0) then".into());
                body.push(format!("  {name} = {term}"));
                body.push("else".into());
                body.push(format!("  {name} = -{other}"));
                body.push("end if".into());
            }
            _ => {
                let from = ready.pop().unwrap_or_else(|| "1.0".into());
                body.push(format!("{name} = 0.0"));
                body.push(format!("{name} = {term} + {from}"));
            }
        }
        ready.push(name);
    }
    // A scalar that is used twice was read once.
    if let Some(scalar) = ready.iter().find(|term| term.starts_with('t')).cloned() {
        ready.push(scalar);
    }
    if left == "total" {
        ready.push("total".into());
    }
    random.shuffle(&mut ready);
    body.push(format!("{left} = {}", ready.join(" + ")));
    body
}

fn free_form(shapes: &[String], bounds: &[&str], body: &[String]) -> String {
    let mut lines = vec![
        "program kernel".to_string(),
        "  implicit none".into(),
        "  integer, parameter :: two = 2".into(),
        format!("  real :: {}", shapes.join(", ")),
        "  real :: t1, t2, t3, t4, t5, t6, total, flag".into(),
        "  integer :: i, j, k".into(),
    ];
    for (depth, bounds) in bounds.iter().enumerate() {
        lines.push(format!("{}do {} = {bounds}", "  ".repeat(depth + 1), VARIABLES[depth]));
    }
    let indent = "  ".repeat(bounds.len() + 1);
    lines.extend(body.iter().map(|statement| format!("{indent}{}", statement.replace(" + ", " + &\n      & "))));
    lines.extend((0..bounds.len()).rev().map(|depth| format!("{}end do", "  ".repeat(depth + 1))));
    lines.push("end program kernel".into());
    lines.join("\n") + "\n"
}

/// The same in fixed form: one label ends all loops, one term stands on a line.
fn fixed_form(shapes: &[String], bounds: &[&str], body: &[String]) -> String {
    let mut lines = vec![
        "      PROGRAM KERNEL".to_string(),
        "      INTEGER TWO, I, J, K".into(),
        "      PARAMETER (TWO = 2)".into(),
        format!("      REAL {}", shapes.join(", ").to_uppercase()),
        "      REAL T1, T2, T3, T4, T5, T6, TOTAL, FLAG".into(),
    ];
    for (depth, bounds) in bounds.iter().enumerate() {
        lines.push(format!("      DO 10 {} = {}", VARIABLES[depth].to_uppercase(), bounds.to_uppercase()));
    }
    for statement in body {
        let statement = statement.to_uppercase().replace(" > ", " .GT. ").replace(" + ", " +\n     &   ");
        lines.push(format!("      {}", statement.trim_start()));
    }
    lines.push("   10 CONTINUE".into());
    lines.push("      END".into());
    lines.join("\n") + "\n"
}

/// A subscript relative to the left side; `None` for a constant, which is everywhere.
fn offset(index: Index, left: &BTreeMap<usize, i64>) -> Option<i64> {
    match index {
        Index::Relative(variable, offset) => Some(offset - left.get(&variable).copied().unwrap_or(0)),
        Index::Absolute(_) => None,
    }
}

/// All points of a product of ranges.
fn product(ranges: impl Iterator<Item = std::ops::RangeInclusive<i64>>) -> Vec<Vec<i64>> {
    ranges.fold(vec![Vec::new()], |shorter, range| {
        shorter
            .iter()
            .flat_map(|point: &Vec<i64>| {
                range.clone().map(move |at| point.iter().copied().chain([at]).collect::<Vec<i64>>())
            })
            .collect()
    })
}

fn box_holds(region: &RegionBox, point: &[i64]) -> bool {
    region.iter().zip(point).all(|(bounds, &at)| match bounds {
        Some((low, high, zero)) => *low <= at && at <= *high && (at != 0 || *zero),
        None => true,
    })
}

/// Regions denote a set exactly if with each read the set has everything between it and the origin, because the least region
/// that holds the read has.
fn is_denotable(reads: &[Read], left: &BTreeMap<usize, i64>, set: &BTreeSet<Vec<i64>>) -> bool {
    reads.iter().all(|read| {
        let ranges = read.iter().map(|&index| match offset(index, left) {
            None => -WINDOW..=WINDOW,
            Some(0) => 0..=0,
            Some(at) if at > 0 => 1..=at,
            Some(at) => at..=-1,
        });
        product(ranges).iter().all(|point| set.contains(point))
    })
}

fn judge(kernel: &Kernel, source: &str, name: &str) {
    let project = Project::load(&[], ProjectOptions::default());
    let result = project.infer_file(Path::new(name), source.as_bytes());
    assert!(result.not_understood.is_empty(), "{:?}\n{source}", result.not_understood);
    let mut found: BTreeMap<String, Vec<&InferredSpecification>> = BTreeMap::new();
    for specification in result.inference.computations.iter().flat_map(|root| &root.specifications) {
        for variable in &specification.variables {
            found.entry(variable.to_lowercase()).or_default().push(specification);
        }
    }
    for (array, reads) in &kernel.arrays {
        let all = product(reads[0].iter().map(|_| -WINDOW..=WINDOW));
        let is_read = |point: &&Vec<i64>| {
            reads.iter().any(|read| {
                read.iter()
                    .zip(*point)
                    .all(|(&index, &at)| offset(index, &kernel.left).is_none_or(|offset| offset == at))
            })
        };
        let set: BTreeSet<Vec<i64>> = all.iter().filter(is_read).cloned().collect();
        let specifications = found.remove(array).unwrap_or_default();
        if set.len() == all.len() {
            assert!(specifications.is_empty(), "nothing to say of {array}:\n{source}");
            continue;
        }
        assert!(!specifications.is_empty(), "no specification of {array}:\n{source}\n{:?}", result.inference);
        let once = reads.iter().collect::<BTreeSet<_>>().len() == reads.len();
        let exact = is_denotable(reads, &kernel.left, &set);
        for specification in specifications {
            let context = || format!("{array} in\n{source}\n{}", specification.text);
            assert_eq!(specification.kind, kernel.kind, "{}", context());
            assert_eq!(specification.read_once, once, "{}", context());
            let denoted = |point: &&Vec<i64>| specification.region.iter().any(|region| box_holds(region, point));
            let below = all.iter().filter(denoted).all(|point| set.contains(point));
            let above = set.iter().all(|point| denoted(&point));
            match specification.approximation {
                Approximation::Exact => assert!(below && above, "{}", context()),
                Approximation::AtLeast => assert!(below && !exact, "{}", context()),
                Approximation::AtMost => assert!(above && !exact, "{}", context()),
            }
        }
    }
    assert!(found.is_empty(), "{found:?} are not read:\n{source}");
}

#[test]
fn inference_finds_what_the_generator_put_in() {
    for seed in 0..KERNELS {
        let kernel = kernel(seed);
        judge(&kernel, &kernel.free, "kernel.f90");
        judge(&kernel, &kernel.fixed, "kernel.f");
    }
}
