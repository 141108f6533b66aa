//! The maximal products of intervals inside a set, dimension by dimension.

use super::budget::{Budget, Exhausted};
use super::interval::Interval;
use super::scheme::{Component, IntervalScheme, Scheme};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

/// A product of intervals, or the tail of one.
type Product = Vec<Component<Interval>>;

/// Sets of vectors that are looked at one dimension at a time: what a set holds of the other dimensions over values of
/// the first is its *section* there.
pub(super) trait Sections {
    /// A set of vectors; two are the same if they compare equal, and may be so otherwise.
    type Set: Clone + Eq + Hash;

    /// Whether a set is empty.
    fn is_empty(&self, set: &Self::Set) -> bool;

    /// The components that a maximal product inside a set can have in the first dimension, and perhaps more.
    fn first_components(&self, set: &Self::Set, budget: &mut Budget) -> Result<Vec<Component<Interval>>, Exhausted>;

    /// What a set holds over each value of a component of the first dimension alike.
    fn section_over(
        &mut self,
        set: &Self::Set,
        over: &Component<Interval>,
        budget: &mut Budget,
    ) -> Result<Self::Set, Exhausted>;

    /// Whether a product lies inside a set.
    fn holds(
        &mut self,
        set: &Self::Set,
        product: &[Component<Interval>],
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let Some((first, tail)) = product.split_first() else { return Ok(!self.is_empty(set)) };
        if self.is_empty(set) {
            return Ok(false);
        }
        let section = self.section_over(set, first, budget)?;
        self.holds(&section, tail, budget)
    }
}

/// All products of the components that `sections` knows which lie inside a set of this rank and in no other such
/// product, sorted.
pub(super) fn maximal_products<S: Sections>(
    sections: &mut S,
    set: &S::Set,
    rank: usize,
    budget: &mut Budget,
) -> Result<Vec<IntervalScheme>, Exhausted> {
    let products = maximal(sections, set, rank, &mut FxHashMap::default(), budget)?;
    let mut schemes: Vec<_> = products.iter().cloned().map(Scheme::new).collect();
    schemes.sort_unstable();
    Ok(schemes)
}

/// Over each possible first component stands the section of the other dimensions; its maximal products are maximal
/// together with that component unless a larger first component carries them too.
fn maximal<S: Sections>(
    space: &mut S,
    set: &S::Set,
    rank: usize,
    known: &mut FxHashMap<S::Set, Rc<Vec<Product>>>,
    budget: &mut Budget,
) -> Result<Rc<Vec<Product>>, Exhausted> {
    if space.is_empty(set) {
        return Ok(Rc::new(Vec::new()));
    }
    if rank == 0 {
        return Ok(Rc::new(vec![Vec::new()]));
    }
    if let Some(products) = known.get(set) {
        return Ok(Rc::clone(products));
    }
    let mut sections = Vec::new();
    for first in space.first_components(set, budget)? {
        let section = space.section_over(set, &first, budget)?;
        if !space.is_empty(&section) {
            sections.push((first, section));
        }
    }
    let larger = |first: &Component<Interval>, other: &Component<Interval>| first != other && first.is_subset(other);
    let mut products = Vec::new();
    for (first, section) in &sections {
        let above: Vec<_> = sections.iter().filter(|(other, _)| larger(first, other)).collect();
        if above.iter().any(|(_, carried)| carried == section) {
            continue;
        }
        for tail in maximal(space, section, rank - 1, known, budget)?.iter() {
            budget.spend(1)?;
            let mut is_maximal = true;
            for (_, carried) in &above {
                is_maximal = is_maximal && !space.holds(carried, tail, budget)?;
            }
            if is_maximal {
                products.push([*first].iter().chain(tail).copied().collect());
            }
        }
    }
    let products = Rc::new(products);
    known.insert(set.clone(), Rc::clone(&products));
    Ok(products)
}
