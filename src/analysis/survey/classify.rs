//! From the forms of the indices of a computation to its classes (paper, section 2.1).

use std::collections::{BTreeMap, BTreeSet};

use super::class::{Category, LeftClass, Relation, Reuse, RightClass};
use super::pattern::{self, Point};
use crate::analysis::stencil::computations::{Axis, FormedRead, IndexForm};

/// What an index moves along: an induction variable or section, and the factor before it. Two sides that scan with
/// different factors have nothing in common: `b(i) = a(2*i)`.
type Scan = (Axis, i64);

/// What is told of how one array is read.
#[derive(Clone, Debug)]
pub struct ReadClasses {
    /// The classes.
    pub category: Category,
    /// The canonical text of the offsets, of neighbourhood patterns whose reads agree on what each dimension runs
    /// along.
    pub shape: Option<String>,
}

/// The class of a left side; no indices: a scalar.
pub fn left_class(left: Option<&[IndexForm]>) -> LeftClass {
    let Some(indices) = left else { return LeftClass::Variable };
    let is_bare = |index: &IndexForm| matches!(index, IndexForm::Neighbour(_, 0));
    match Forms::new(indices) {
        Forms { other: true, .. } => LeftClass::Other,
        Forms { affine: true, absolute: false, .. } => LeftClass::Affine,
        Forms { affine: true, absolute: true, .. } => LeftClass::AffineAbsolute,
        Forms { neighbour: true, absolute: true, .. } => LeftClass::NeighbourhoodAbsolute,
        Forms { neighbour: true, .. } if indices.iter().all(is_bare) => LeftClass::InductionVariables,
        Forms { neighbour: true, .. } => LeftClass::Neighbourhood,
        Forms { .. } => LeftClass::Absolute,
    }
}

/// The class of the reads of one array.
pub fn right_class(reads: &[FormedRead]) -> RightClass {
    match Forms::new(reads.iter().flat_map(|read| &read.indices)) {
        Forms { other: true, .. } => RightClass::Other,
        Forms { affine: true, absolute: false, .. } => RightClass::Affine,
        Forms { affine: true, absolute: true, .. } => RightClass::AffineAbsolute,
        Forms { neighbour: true, absolute: false, .. } => RightClass::Neighbourhood,
        Forms { neighbour: true, absolute: true, .. } => RightClass::NeighbourhoodAbsolute,
        Forms { .. } => RightClass::Absolute,
    }
}

/// Classifies the reads of one array beside the left side. Of what may be no array at all, nothing is told but that.
pub fn classify(left: Option<&[IndexForm]>, reads: &[FormedRead], is_array: bool) -> ReadClasses {
    let right = if is_array { right_class(reads) } else { RightClass::Other };
    let left_class = left_class(left);
    let mut category = Category {
        left: left_class,
        right,
        contiguity: None,
        position: None,
        reuse: None,
        relation: None,
        relativised: false,
    };
    if !right.is_static() {
        return ReadClasses { category, shape: None };
    }
    let left = left.unwrap_or_default();
    let scans = scans_of(reads);
    if left_class != LeftClass::Other {
        category.relation = Some(relation(left, scans.as_deref()));
    }
    let is_related = category.relation.is_some_and(|relation| relation != Relation::Inconsistent);
    let shifts = if is_related { shifts_of(left).unwrap_or_default() } else { BTreeMap::new() };
    let written = points(reads, &BTreeMap::new());
    let relative = points(reads, &shifts);
    category.relativised = relative != written;
    category.contiguity = Some(match scans {
        Some(_) => pattern::contiguity(&relative),
        // Along different variables nothing is beside anything.
        None => super::class::Contiguity::Disjoint,
    });
    category.position = Some(pattern::position(&relative));
    category.reuse = Some(if is_repeated(reads) { Reuse::Repeated } else { Reuse::Once });
    let shape = (right.is_neighbourhood() && scans.is_some()).then(|| pattern::text(&relative));
    ReadClasses { category, shape }
}

/// Number of references to the array, as they are written.
pub fn references(reads: &[FormedRead]) -> usize {
    reads.iter().map(|read| (read.span.start, read.span.end, read.ordinal)).collect::<BTreeSet<_>>().len()
}

/// Which forms occur.
struct Forms {
    neighbour: bool,
    affine: bool,
    absolute: bool,
    other: bool,
}

impl Forms {
    fn new<'a>(indices: impl IntoIterator<Item = &'a IndexForm>) -> Self {
        let mut found = Forms { neighbour: false, affine: false, absolute: false, other: false };
        for index in indices {
            match index {
                IndexForm::Neighbour(..) => found.neighbour = true,
                IndexForm::Affine(..) => found.affine = true,
                IndexForm::Absolute(_) => found.absolute = true,
                IndexForm::Other(_) => found.other = true,
            }
        }
        found
    }
}

/// What an index runs along, and its offset.
fn scan(index: &IndexForm) -> Option<(Scan, i64)> {
    match index {
        IndexForm::Neighbour(axis, offset) => Some(((*axis, 1), *offset)),
        IndexForm::Affine(axis, factor, offset) => Some(((*axis, *factor), *offset)),
        IndexForm::Absolute(_) | IndexForm::Other(_) => None,
    }
}

/// What each dimension runs along, nothing where all reads are absolute; `None` if the reads do not agree.
fn scans_of(reads: &[FormedRead]) -> Option<Vec<Option<Scan>>> {
    let mut scans: Vec<Option<Scan>> = vec![None; reads.first()?.indices.len()];
    for read in reads {
        if read.indices.len() != scans.len() {
            return None;
        }
        for (known, index) in scans.iter_mut().zip(&read.indices) {
            if let Some((scan, _)) = scan(index)
                && *known.get_or_insert(scan) != scan
            {
                return None;
            }
        }
    }
    Some(scans)
}

/// How the left side relates to reads whose dimensions run along these.
fn relation(left: &[IndexForm], right: Option<&[Option<Scan>]>) -> Relation {
    let (Some(right), Some(_)) = (right, shifts_of(left)) else { return Relation::Inconsistent };
    let placed = |scans: &mut dyn Iterator<Item = Option<Scan>>| -> BTreeSet<(usize, Scan)> {
        scans.enumerate().filter_map(|(dimension, scan)| Some((dimension, scan?))).collect()
    };
    let on_left = placed(&mut left.iter().map(|index| scan(index).map(|(scan, _)| scan)));
    let on_right = placed(&mut right.iter().copied());
    let alone = |placed: &BTreeSet<(usize, Scan)>| placed.iter().map(|&(_, scan)| scan).collect::<BTreeSet<Scan>>();
    let (left, right) = (alone(&on_left), alone(&on_right));
    match (left.is_subset(&right), left.is_superset(&right)) {
        (true, true) if on_left == on_right => Relation::Direct,
        (true, true) => Relation::Permutation,
        (true, false) => Relation::LeftSubset,
        (false, true) => Relation::LeftSuperset,
        (false, false) => Relation::Inconsistent,
    }
}

/// The offsets on the left; `None` if one of them is not alone: `b(i,i+1)` has no origin.
fn shifts_of(left: &[IndexForm]) -> Option<BTreeMap<Scan, i64>> {
    let mut shifts = BTreeMap::new();
    for (scan, offset) in left.iter().filter_map(scan) {
        if *shifts.entry(scan).or_insert(offset) != offset {
            return None;
        }
    }
    Some(shifts)
}

/// The offsets of the reads, relative to those on the left.
fn points(reads: &[FormedRead], shifts: &BTreeMap<Scan, i64>) -> BTreeSet<Point> {
    let component = |index: &IndexForm| {
        let (scan, offset) = scan(index)?;
        Some(offset.saturating_sub(shifts.get(&scan).copied().unwrap_or(0)))
    };
    reads.iter().map(|read| read.indices.iter().map(component).collect()).collect()
}

/// Whether two reads, written in two places, have the same subscripts.
fn is_repeated(reads: &[FormedRead]) -> bool {
    let mut written: BTreeMap<&[IndexForm], (u32, u32, u32)> = BTreeMap::new();
    reads.iter().any(|read| {
        let place = (read.span.start, read.span.end, read.ordinal);
        *written.entry(&read.indices).or_insert(place) != place
    })
}
