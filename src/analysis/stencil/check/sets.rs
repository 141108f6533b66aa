//! Code and specification as sets that can be held against each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::stencil::computations::{ClassifiedRead, Coordinate, Offsets, RelativeRead, spoken};
use crate::analysis::stencil::infer::scheme;
use crate::analysis::stencil::spec::Approximation;
use crate::region::{
    ANY_FIXED, Component, Direction, Extent, IndexScheme, IntegerSet, Interval, Place, SOME_FIXED, Unf,
};
use crate::solve::{Answer, Native, Solver};
use crate::source::Span;

/// What the code reads of an array, and what is specified of it.
#[derive(Clone, Debug)]
pub struct ComparedSets {
    /// Read.
    pub code: Unf<IntegerSet>,
    /// Specified.
    pub specified: Unf<IntegerSet>,
    /// The reads that make up the code, one by one.
    pub spoken: Vec<Offsets>,
    /// The dimensions in which all fixed indices are taken for equal.
    alike: Vec<bool>,
}

impl ComparedSets {
    /// The sets of some reads and of a region. A dimension in which every read is fixed counts only if the region has
    /// fixed indices there; where it has any fixed index, all are taken for equal.
    pub fn new(reads: &[RelativeRead], meaning: &Unf<Interval>) -> Self {
        let specified = meaning.to_index();
        let components = |dimension: usize| specified.schemes().iter().map(move |scheme| &scheme.components[dimension]);
        let speaks_of_fixed = |dimension: usize| dimension < specified.rank() && components(dimension).any(has_fixed);
        let spoken = spoken(reads, speaks_of_fixed);
        let code = union_of(spoken.iter(), specified.rank());
        let alike = (0..specified.rank()).map(|dimension| components(dimension).any(holds_any_fixed)).collect();
        ComparedSets { code, specified, spoken, alike: Vec::new() }.made_alike(alike)
    }

    /// The same with all fixed indices taken for equal.
    pub fn with_fixed_alike(&self) -> Self {
        self.clone().made_alike(vec![true; self.specified.rank()])
    }

    fn made_alike(self, alike: Vec<bool>) -> Self {
        if !alike.contains(&true) {
            return ComparedSets { alike, ..self };
        }
        ComparedSets {
            code: with_fixed_alike(&self.code, &alike),
            specified: with_fixed_alike(&self.specified, &alike),
            alike,
            ..self
        }
    }

    /// The reads that are not inside what is specified, by their numbers.
    pub fn outside(&self) -> Vec<usize> {
        let mut native = Native::default();
        let is_outside = |at: &usize| {
            let read = union_of(std::iter::once(&self.spoken[*at]), self.specified.rank());
            native.difference(&with_fixed_alike(&read, &self.alike), &self.specified) != Answer::Empty
        };
        (0..self.spoken.len()).filter(is_outside).collect()
    }

    /// A vector as it is told: where all fixed indices are taken for equal, one of them is some.
    pub fn told(&self, mut vector: Vec<i64>) -> Vec<i64> {
        for (place, alike) in vector.iter_mut().zip(&self.alike) {
            if *alike && (ANY_FIXED.0..=ANY_FIXED.1).contains(place) {
                *place = SOME_FIXED;
            }
        }
        vector
    }

    /// Whether a fixed index occurs in either.
    pub fn have_fixed(&self) -> bool {
        let schemes = self.code.schemes().iter().chain(self.specified.schemes());
        schemes.flat_map(|scheme| &scheme.components).any(has_fixed)
    }

    /// The first dimension, from 0, in which the code follows other loop variables than are specified, if it follows
    /// some and some are specified.
    pub fn other_direction(&self, approximation: Approximation) -> Option<usize> {
        let differ = |dimension: &usize| {
            let (code, specified) = (directions(&self.code, *dimension), directions(&self.specified, *dimension));
            let are_told = !code.is_empty() && !specified.is_empty();
            are_told
                && match approximation {
                    Approximation::Exact => code != specified,
                    Approximation::AtMost => !code.is_subset(&specified),
                    Approximation::AtLeast => !specified.is_subset(&code),
                }
        };
        (0..self.code.rank().min(self.specified.rank())).find(differ)
    }
}

/// The directions of the offsets in a dimension of a union.
pub fn directions(union: &Unf<IntegerSet>, dimension: usize) -> BTreeSet<Direction> {
    let mut found = BTreeSet::new();
    for scheme in union.schemes() {
        let Some(Component::Within(set)) = scheme.components.get(dimension) else { continue };
        found.extend(set.ranges().iter().filter_map(|&(first, _)| match Place::of(first) {
            Place::Offset(direction, _) => Some(direction),
            Place::Fixed(_) | Place::Named(_) | Place::SomeFixed => None,
        }));
    }
    found
}

/// The set that reads denote.
pub fn union_of<'r>(reads: impl Iterator<Item = &'r Offsets>, rank: usize) -> Unf<IntegerSet> {
    Unf::new(rank, reads.map(scheme)).to_index()
}

fn any_fixed() -> IntegerSet {
    IntegerSet::from_ranges([ANY_FIXED]).unwrap_or_else(|| IntegerSet::single(ANY_FIXED.0))
}

fn has_fixed(component: &Component<IntegerSet>) -> bool {
    matches!(component, Component::Within(set) if set.intersection(&any_fixed()).is_some())
}

fn holds_any_fixed(component: &Component<IntegerSet>) -> bool {
    matches!(component, Component::Within(set) if any_fixed().is_subset(set))
}

/// A union with every fixed index in some dimensions made any.
fn with_fixed_alike(union: &Unf<IntegerSet>, dimensions: &[bool]) -> Unf<IntegerSet> {
    let alike = |(dimension, component): (usize, &Component<IntegerSet>)| match component {
        Component::Within(set) if dimensions[dimension] && has_fixed(component) => {
            Component::Within(set.union(&any_fixed()))
        }
        other => other.clone(),
    };
    let scheme = |scheme: &IndexScheme| IndexScheme::new(scheme.components.iter().enumerate().map(alike).collect());
    Unf::new(union.rank(), union.schemes().iter().map(scheme))
}

/// The groups of references with the same subscripts, by place; those that stand alone are left out.
pub fn repeated(classified: &[ClassifiedRead]) -> Vec<BTreeSet<Span>> {
    let mut by_subscripts: BTreeMap<&[Coordinate], BTreeSet<Span>> = BTreeMap::new();
    for read in classified {
        by_subscripts.entry(&read.coordinates).or_default().insert(read.span);
    }
    by_subscripts.into_values().filter(|spans| spans.len() > 1).collect()
}
