//! What is inferred, point by point against what is read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::infer::{Approximation, ComputationKind, InferredSpecification};
use camfort_rs::analysis::stencil::{Infer, InferOptions};
use camfort_rs::region::{Direction, Place};
use camfort_rs::workspace::{Project, SourceOptions};
use tempfile::TempDir;

use super::kernel::{Index, Kernel, Read};

/// What a read is in each dimension as specifications speak of it; `None`: everything.
type Told = Vec<Option<Place>>;

/// The reads of an array as specifications speak of them, by the definitions and not by how the program finds them.
fn told(kernel: &Kernel, reads: &[Read]) -> Vec<Told> {
    let is_on_left =
        |index: &Index| matches!(index, Index::Relative(variable, _) if kernel.left.contains_key(variable));
    let rank = reads[0].len();
    let mut relative: Vec<usize> = kernel.left_dimensions.values().copied().collect();
    relative.sort_unstable();
    let counted: Vec<usize> = (0..rank).filter(|&at| reads.iter().any(|read| is_on_left(&read[at]))).collect();
    let direction = |at: usize, variable: usize| match kernel.left_dimensions.get(&variable) {
        _ if kernel.kind == ComputationKind::Access => Direction::Usual,
        None => Direction::Free,
        Some(followed) => match counted.iter().position(|&other| other == at).and_then(|m| relative.get(m)) {
            Some(usual) if usual == followed => Direction::Usual,
            _ => Direction::Along(*followed),
        },
    };
    let all_fixed = |at: usize| reads.iter().all(|read| matches!(read[at], Index::Absolute(_)));
    let told = |(at, index): (usize, &Index)| match *index {
        Index::Range(_) => None,
        Index::Absolute(_) if all_fixed(at) => None,
        Index::Absolute(value) => Some(Place::Fixed(value)),
        Index::Relative(variable, offset) => {
            let origin = kernel.left.get(&variable).copied().unwrap_or(0);
            Some(Place::Offset(direction(at, variable), offset - origin))
        }
    };
    reads.iter().map(|read| read.iter().enumerate().map(told).collect()).collect()
}

/// In each dimension every place at which sets of these reads can differ: those that are read with their neighbours, in
/// each direction.
fn places(reads: &[Told], dimension: usize) -> Vec<i64> {
    let read: BTreeSet<Place> = reads.iter().filter_map(|read| read[dimension]).collect();
    let near = |place: &Place| match *place {
        Place::Offset(_, offset) => [Direction::Usual, Direction::Free, Direction::Along(1), Direction::Along(2)]
            .into_iter()
            .flat_map(|direction| (-1..=1).map(move |by| Place::Offset(direction, offset + by)))
            .collect::<Vec<Place>>(),
        Place::Fixed(value) => (-1..=1).map(|by| Place::Fixed(value + by)).collect(),
        other => vec![other],
    };
    let origin = [Place::Offset(Direction::Usual, 0), Place::Fixed(1)];
    let all: BTreeSet<Place> = read.iter().flat_map(near).chain(origin).collect();
    all.into_iter().filter_map(Place::code).collect()
}

/// All points of a product.
fn product(dimensions: impl Iterator<Item = Vec<i64>>) -> Vec<Vec<i64>> {
    dimensions.fold(vec![Vec::new()], |shorter, places| {
        let extended = |point: &Vec<i64>| {
            places.iter().map(|&at| point.iter().copied().chain([at]).collect::<Vec<i64>>()).collect::<Vec<_>>()
        };
        shorter.iter().flat_map(extended).collect()
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
    for (array, reads) in &kernel.arrays {
        let told = told(kernel, reads);
        let all = product((0..reads[0].len()).map(|dimension| places(&told, dimension)));
        let is_read = |point: &Vec<i64>| {
            let is_at = |(place, at): (&Option<Place>, &i64)| place.is_none_or(|place| place.code() == Some(*at));
            told.iter().any(|read| read.iter().zip(point).all(is_at))
        };
        let specifications = found.remove(array).unwrap_or_default();
        if kernel.silent.contains(array) {
            assert!(
                specifications.is_empty(),
                "nothing can be said of {array}:\n{source}\n{:?}",
                specifications[0].text
            );
            continue;
        }
        if told.iter().any(|read| read.iter().all(Option::is_none)) {
            assert!(specifications.is_empty(), "nothing to say of {array}:\n{source}");
            continue;
        }
        assert!(!specifications.is_empty(), "no specification of {array}:\n{source}\n{:?}", result.inference);
        let once = reads.iter().collect::<BTreeSet<_>>().len() == reads.len();
        for specification in specifications {
            let context = || format!("{array} in\n{source}\n{}", specification.text);
            assert_eq!(specification.kind, kernel.kind, "{}", context());
            assert_eq!(specification.read_once, once, "{}", context());
            assert_eq!(specification.approximation, Approximation::Exact, "{}", context());
            let region = specification.region.to_index();
            let differing = all.iter().find(|point| region.holds(point) != is_read(point));
            assert_eq!(differing, None, "{}", context());
        }
    }
    assert!(found.is_empty(), "{found:?} are not read:\n{source}");
}
