//! The least cover of a set by products of printable intervals: a set cover of its elements (the corners of a
//! staircase, or [cells](super::cells)) by its maximal products, solved by branch and bound.
//!
//! Least means, in this order: the fewest products; the fewest constants; the largest products; the first in the order
//! of printed terms. Only maximal products need to be tried: putting a maximal product in the place of one inside it
//! makes no cover worse in the first three. When the budget ends, the best cover found so far stands (the first one
//! found is that of the greedy rule), so the result is always a cover and always the same.

use super::budget::{Budget, Exhausted};
use super::scheme::IntervalScheme;
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Steps for the search, beyond which the best cover so far stands; some tenths of a second.
const COVER_STEPS: u64 = 1_000_000;

/// The value of a cover, less is better: products, constants, size, then the indices of the products.
type Cost = (usize, usize, Reverse<u128>, Vec<usize>);

struct Search<'a> {
    products: &'a [IntervalScheme],
    /// Per product: the elements that it holds.
    covered_by: Vec<FixedBitSet>,
    /// Per element: the products that hold it.
    candidates: Vec<Vec<usize>>,
    best: Option<Cost>,
    budget: Budget,
}

/// The best cover of some elements, told by their numbers, by these products (sorted), each element being held by at
/// least one of them. `budget` is for what comes before the search.
pub(super) fn least_cover(
    elements: usize,
    products: &[IntervalScheme],
    holds: impl Fn(usize, usize) -> bool,
    budget: &mut Budget,
) -> Result<Vec<IntervalScheme>, Exhausted> {
    budget.spend(products.len() * elements)?;
    let holders = |element| -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(products.len());
        (0..products.len()).filter(|product| holds(*product, element)).for_each(|product| set.insert(product));
        set
    };
    let hardest = hardest((0..elements).map(holders).collect(), budget)?;
    let covered = |product: usize| -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(hardest.len());
        (0..hardest.len()).filter(|at| hardest[*at].contains(product)).for_each(|at| set.insert(at));
        set
    };
    let covered_by = (0..products.len()).map(covered).collect();
    let candidates = hardest.iter().map(|holders| holders.ones().collect()).collect();
    let mut search = Search { products, covered_by, candidates, best: None, budget: Budget::new(COVER_STEPS) };
    let mut open = FixedBitSet::with_capacity(hardest.len());
    open.insert_range(..);
    search.best = Some(search.greedy(open.clone()));
    search.branch(&open, &mut Vec::new());
    let chosen = search.best.map(|(_, _, _, chosen)| chosen).unwrap_or_default();
    Ok(chosen.into_iter().map(|at| products[at].clone()).collect())
}

/// Of the elements, each given by its holders, those that need covering: whoever covers an element also covers each one
/// that all its holders hold.
fn hardest(elements: Vec<FixedBitSet>, budget: &mut Budget) -> Result<Vec<FixedBitSet>, Exhausted> {
    let distinct: BTreeSet<Vec<usize>> = elements.iter().map(|holders| holders.ones().collect()).collect();
    let mut fewest_first: Vec<Vec<usize>> = distinct.into_iter().collect();
    fewest_first.sort_by_key(Vec::len);
    let mut kept: Vec<FixedBitSet> = Vec::new();
    for holders in fewest_first {
        budget.spend(kept.len())?;
        let holders: FixedBitSet = holders.into_iter().collect();
        if !kept.iter().any(|other| other.is_subset(&holders)) {
            kept.push(holders);
        }
    }
    Ok(kept)
}

impl Search<'_> {
    fn cost(&self, chosen: &[usize]) -> Cost {
        let mut sorted = chosen.to_vec();
        sorted.sort_unstable();
        let products = || sorted.iter().map(|at| &self.products[*at]);
        let constants = products().map(IntervalScheme::constants).sum();
        let size = products().fold(0u128, |sum, product| sum.saturating_add(product.size()));
        (sorted.len(), constants, Reverse(size), sorted)
    }

    /// Takes again and again the product that holds the most open elements.
    fn greedy(&self, mut open: FixedBitSet) -> Cost {
        let mut chosen = Vec::new();
        while !open.is_clear() {
            let gain = |at: &usize| self.covered_by[*at].intersection_count(&open);
            let Some(next) = (0..self.products.len()).max_by_key(|at| (gain(at), Reverse(*at))) else { break };
            if gain(&next) == 0 {
                break;
            }
            open.difference_with(&self.covered_by[next]);
            chosen.push(next);
        }
        self.cost(&chosen)
    }

    /// Tries every way to cover the open element that has the fewest candidates.
    fn branch(&mut self, open: &FixedBitSet, chosen: &mut Vec<usize>) {
        // The bound below looks at each open element and its candidates.
        if self.budget.spend(4 * (open.len() + self.products.len())).is_err() {
            return;
        }
        let Some(hardest) = open.ones().min_by_key(|element| self.candidates[*element].len()) else {
            let cost = self.cost(chosen);
            if self.best.as_ref().is_none_or(|best| cost < *best) {
                self.best = Some(cost);
            }
            return;
        };
        if self.best.as_ref().is_some_and(|best| chosen.len() + self.independent(open) > best.0) {
            return;
        }
        let mut order = self.candidates[hardest].clone();
        order.sort_by_key(|at| Reverse(self.covered_by[*at].intersection_count(open)));
        for product in order {
            let mut rest = open.clone();
            rest.difference_with(&self.covered_by[product]);
            chosen.push(product);
            self.branch(&rest, chosen);
            chosen.pop();
        }
    }

    /// A number of open elements no two of which one product holds: at least so many products are still needed.
    fn independent(&self, open: &FixedBitSet) -> usize {
        let mut left = open.clone();
        let mut count = 0;
        while let Some(element) = left.ones().min_by_key(|element| self.candidates[*element].len()) {
            count += 1;
            for product in &self.candidates[element] {
                left.difference_with(&self.covered_by[*product]);
            }
        }
        count
    }
}
