//! Union normal form: a finite union of schemes of equal rank, with the operations of a lattice and an exact decision
//! of inclusion.

use super::budget::{Budget, Exhausted};
use super::integers::IntegerSet;
use super::interval::Interval;
use super::line::integers_of;
use super::scheme::{Component, Extent, IndexScheme, Scheme};
use std::rc::Rc;

/// A finite union of schemes of equal rank. The empty union is the empty set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unf<T> {
    rank: usize,
    schemes: Vec<Scheme<T>>,
}

impl<T: Extent> Unf<T> {
    /// The union of schemes; those of another rank are not of this space and are left out.
    pub fn new(rank: usize, schemes: impl IntoIterator<Item = Scheme<T>>) -> Self {
        let schemes: Vec<_> = schemes.into_iter().filter(|scheme| scheme.rank() == rank).collect();
        Unf { rank, schemes }
    }

    /// The empty set.
    pub fn empty(rank: usize) -> Self {
        Unf { rank, schemes: Vec::new() }
    }

    /// Z^rank.
    pub fn every(rank: usize) -> Self {
        Unf { rank, schemes: vec![Scheme::every(rank)] }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The schemes of the union.
    pub fn schemes(&self) -> &[Scheme<T>] {
        &self.schemes
    }

    /// Whether the union has no scheme, and so no element.
    pub fn is_empty(&self) -> bool {
        self.schemes.is_empty()
    }

    /// Whether a vector is an element.
    pub fn holds(&self, point: &[i64]) -> bool {
        self.schemes.iter().any(|scheme| scheme.holds(point))
    }

    /// Least upper bound: the elements of either.
    pub fn union(&self, other: &Self) -> Self {
        Unf::new(self.rank, self.schemes.iter().chain(&other.schemes).cloned())
    }

    /// Greatest lower bound: the common elements (products distribute over the union).
    pub fn intersection(&self, other: &Self) -> Self {
        let pairs = self.schemes.iter().flat_map(|left| other.schemes.iter().map(move |right| (left, right)));
        Unf::new(self.rank, pairs.filter_map(|(left, right)| left.intersection(right)))
    }

    /// The same set without the schemes that lie inside another one, in canonical order.
    pub fn drop_subsumed(mut self) -> Self {
        self.schemes.sort_unstable();
        self.schemes.dedup();
        let all = &self.schemes;
        let maximal = |scheme: &&Scheme<T>| !all.iter().any(|other| *scheme != other && scheme.is_subset(other));
        Unf { rank: self.rank, schemes: all.iter().filter(maximal).cloned().collect() }
    }

    /// The union with every set put into another form.
    pub fn map<U: Extent>(&self, mut form: impl FnMut(&T) -> U) -> Unf<U> {
        Unf { rank: self.rank, schemes: self.schemes.iter().map(|scheme| scheme.map(&mut form)).collect() }
    }
}

impl Unf<i64> {
    /// The same set as a union of index schemes.
    pub fn to_index(&self) -> Unf<IntegerSet> {
        self.map(|code| IntegerSet::range(integers_of(*code)))
    }
}

impl Unf<Interval> {
    /// The same set as a union of index schemes.
    pub fn to_index(&self) -> Unf<IntegerSet> {
        self.map(Interval::to_integers)
    }
}

impl Unf<IntegerSet> {
    /// The elements of this union that are not in the other, as pairwise disjoint parts of each scheme.
    pub fn difference(&self, other: &Self, budget: &mut Budget) -> Result<Self, Exhausted> {
        let mut rest = Unf::empty(self.rank);
        for scheme in &self.schemes {
            subtract(scheme, &other.schemes, budget, &mut |part| {
                rest.schemes.push(part);
                true
            })?;
        }
        Ok(rest)
    }

    /// A part of this union of which no element is in the other; `None` if there is none: this one is a subset.
    pub fn uncovered(&self, other: &Self, budget: &mut Budget) -> Result<Option<IndexScheme>, Exhausted> {
        let mut found = None;
        for scheme in &self.schemes {
            subtract(scheme, &other.schemes, budget, &mut |part| {
                found = Some(part);
                false
            })?;
            if found.is_some() {
                break;
            }
        }
        Ok(found)
    }

    /// Whether both are the same set.
    pub fn is_same_set(&self, other: &Self, budget: &mut Budget) -> Result<bool, Exhausted> {
        Ok(self.uncovered(other, budget)?.is_none() && other.uncovered(self, budget)?.is_none())
    }
}

/// Gives `visit` the parts of a scheme that no other one covers, until it returns false.
///
/// The scheme is cut along the faces of the other scheme that needs the fewest cuts; each part is then treated alone,
/// with the schemes that remain. Parts are visited depth first, so an uncovered one is found early. An explicit stack:
/// a union may have more schemes than a thread's stack has room for calls.
fn subtract(
    scheme: &IndexScheme,
    others: &[IndexScheme],
    budget: &mut Budget,
    visit: &mut dyn FnMut(IndexScheme) -> bool,
) -> Result<(), Exhausted> {
    let mut pending: Vec<(IndexScheme, Rc<[&IndexScheme]>)> = vec![(scheme.clone(), others.iter().collect())];
    while let Some((part, others)) = pending.pop() {
        budget.spend(others.len() + 1)?;
        let mut touching: Vec<_> = others.iter().copied().filter(|other| part.meets(other)).collect();
        let cuts = |other: &IndexScheme| {
            part.components.iter().zip(&other.components).filter(|(own, its)| !own.is_subset(its)).count()
        };
        let Some(at) = (0..touching.len()).min_by_key(|at| cuts(touching[*at])) else {
            if visit(part) {
                continue;
            }
            return Ok(());
        };
        let nearest = touching.remove(at);
        let remaining: Rc<[&IndexScheme]> = touching.into();
        pending.extend(outside(&part, nearest).into_iter().map(|piece| (piece, Rc::clone(&remaining))));
    }
    Ok(())
}

/// Disjoint parts that make up what a scheme holds beyond another one that it meets: at most one per dimension.
fn outside(scheme: &IndexScheme, other: &IndexScheme) -> Vec<IndexScheme> {
    let mut parts = Vec::new();
    let mut core = scheme.clone();
    for (dimension, its) in other.components.iter().enumerate() {
        let own = core.components[dimension].clone();
        if let Some(beyond) = component_difference(&own, its) {
            let mut part = core.clone();
            part.components[dimension] = beyond;
            parts.push(part);
        }
        if let Some(common) = own.intersection(its) {
            core.components[dimension] = common;
        }
    }
    parts
}

/// What a component holds beyond another one. What a free component holds beyond a set is told within the range of
/// `i64`: no subscript of Fortran lies outside.
fn component_difference(own: &Component<IntegerSet>, its: &Component<IntegerSet>) -> Option<Component<IntegerSet>> {
    let Component::Within(taken) = its else { return None };
    let rest = match own {
        Component::Every => taken.complement(),
        Component::Within(set) => set.difference(taken),
    };
    rest.map(Component::Within)
}
