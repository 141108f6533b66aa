//! What is inferred, point by point against what is read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::infer::{Approximation, ComputationKind, InferredSpecification, RegionBox};
use camfort_rs::analysis::stencil::{Infer, InferOptions};
use camfort_rs::workspace::{Project, SourceOptions};
use tempfile::TempDir;

use super::kernel::{Index, Kernel, Read};

/// Points are looked at from minus this to this in each dimension, so that all offsets lie inside.
fn window(reads: &[Read], left: &BTreeMap<usize, i64>) -> i64 {
    let offsets = reads.iter().flatten().filter_map(|&index| offset(index, left));
    offsets.map(i64::abs).max().unwrap_or(0) + 2
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

/// Regions denote a set exactly if with each read the set has everything between it and the origin, because the least
/// region that holds the read has.
fn is_denotable(reads: &[Read], left: &BTreeMap<usize, i64>, set: &BTreeSet<Vec<i64>>) -> bool {
    let window = window(reads, left);
    reads.iter().all(|read| {
        let ranges = read.iter().map(|&index| match offset(index, left) {
            None => -window..=window,
            Some(0) => 0..=0,
            Some(at) if at > 0 => 1..=at,
            Some(at) => at..=-1,
        });
        product(ranges).iter().all(|point| set.contains(point))
    })
}

/// A project of the files beside a kernel.
fn project_of(others: &[String]) -> (Project, Option<TempDir>) {
    if others.is_empty() {
        return (Project::load(&[], SourceOptions::default()), None);
    }
    let directory = tempfile::tempdir().expect("a directory for some files");
    let paths: Vec<PathBuf> = (0..others.len()).map(|at| directory.path().join(format!("other{at}.f90"))).collect();
    for (path, text) in paths.iter().zip(others) {
        std::fs::write(path, text).expect("a file can be written");
    }
    (Project::load(&paths, SourceOptions::default()), Some(directory))
}

/// What is inferred from a kernel is what it reads.
pub fn judge(kernel: &Kernel, source: &str, name: &str) {
    let (project, _directory) = project_of(&kernel.others);
    let source = &*[&[source.to_string()], kernel.others.as_slice()].concat().join("! in another file:\n");
    let own = source.split("! in another file:\n").next().unwrap_or(source);
    let view = project.view(Path::new(name), own.as_bytes());
    assert!(view.not_understood().is_empty(), "{:?}\n{source}", view.not_understood());
    let result = analyse::<Infer>(&view, InferOptions::default());
    let mut found: BTreeMap<String, Vec<&InferredSpecification>> = BTreeMap::new();
    for specification in result.inference.computations.iter().flat_map(|root| &root.specifications) {
        for variable in &specification.variables {
            found.entry(variable.to_lowercase()).or_default().push(specification);
        }
    }
    let nothing = BTreeMap::new();
    for (array, reads) in &kernel.arrays {
        let is_apart = kernel.apart.contains(array);
        let (kind, left) = if is_apart { (ComputationKind::Access, &nothing) } else { (kernel.kind, &kernel.left) };
        let window = window(reads, left);
        let all = product(reads[0].iter().map(|_| -window..=window));
        let is_read = |point: &&Vec<i64>| {
            reads.iter().any(|read| {
                read.iter().zip(*point).all(|(&index, &at)| offset(index, left).is_none_or(|offset| offset == at))
            })
        };
        let set: BTreeSet<Vec<i64>> = all.iter().filter(is_read).cloned().collect();
        let specifications = found.remove(array).unwrap_or_default();
        if kernel.silent.contains(array) {
            assert!(
                specifications.is_empty(),
                "nothing can be said of {array}:\n{source}\n{:?}",
                specifications[0].text
            );
            continue;
        }
        if set.len() == all.len() {
            assert!(specifications.is_empty(), "nothing to say of {array}:\n{source}");
            continue;
        }
        assert!(!specifications.is_empty(), "no specification of {array}:\n{source}\n{:?}", result.inference);
        let once = reads.iter().collect::<BTreeSet<_>>().len() == reads.len();
        let exact = is_denotable(reads, left, &set);
        for specification in specifications {
            let context = || format!("{array} in\n{source}\n{}", specification.text);
            assert_eq!(specification.kind, kind, "{}", context());
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
