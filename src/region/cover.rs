//! The least cover of a staircase by products of printable intervals: a set cover of its corners by its maximal
//! products, solved by branch and bound.
//!
//! Least means, in this order: the fewest products; the fewest constants; the largest products; the first in the order
//! of printed terms. Only maximal products need to be tried: putting a maximal product in the place of one inside it
//! makes no cover worse in the first three. When the budget ends, the best cover found so far stands (the first one
//! found is that of the greedy rule), so the result is always a cover and always the same.

use super::Component;
use super::budget::Budget;
use super::scheme::IntervalScheme;
use super::staircase::Corner;
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;

/// The value of a cover, less is better: products, constants, size, then the indices of the products.
type Cost = (usize, usize, Reverse<u128>, Vec<usize>);

struct Search<'a> {
    products: &'a [IntervalScheme],
    /// Per product: the corners that it holds.
    covered_by: Vec<FixedBitSet>,
    /// Per corner: the products that hold it.
    candidates: Vec<Vec<usize>>,
    best: Option<Cost>,
    budget: Budget,
}

/// The best cover of the corners by these products (sorted), each corner being held by at least one of them.
pub(super) fn least_cover(corners: &[Corner], products: &[IntervalScheme], budget: Budget) -> Vec<IntervalScheme> {
    let holds = |product: &IntervalScheme, corner: &Corner| {
        product.components.iter().zip(corner).all(|(component, value)| match value {
            Component::Within(value) => component.holds(*value),
            Component::Every => component.is_every(),
        })
    };
    let covered = |product| -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(corners.len());
        (0..corners.len()).filter(|at| holds(product, &corners[*at])).for_each(|at| set.insert(at));
        set
    };
    let covered_by: Vec<FixedBitSet> = products.iter().map(covered).collect();
    let holders = |corner| (0..products.len()).filter(|at| covered_by[*at].contains(corner)).collect();
    let candidates: Vec<Vec<usize>> = (0..corners.len()).map(holders).collect();
    let mut search = Search { products, covered_by, candidates, best: None, budget };
    let mut open = FixedBitSet::with_capacity(corners.len());
    open.insert_range(..);
    search.best = Some(search.greedy(open.clone()));
    search.branch(&open, &mut Vec::new());
    let chosen = search.best.map(|(_, _, _, chosen)| chosen).unwrap_or_default();
    chosen.into_iter().map(|at| products[at].clone()).collect()
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

    /// Takes again and again the product that holds the most open corners.
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

    /// Tries every way to cover the open corner that has the fewest candidates.
    fn branch(&mut self, open: &FixedBitSet, chosen: &mut Vec<usize>) {
        // The bound below looks at each open corner and its candidates.
        if self.budget.spend(4 * (open.len() + self.products.len())).is_err() {
            return;
        }
        let Some(corner) = open.ones().min_by_key(|corner| self.candidates[*corner].len()) else {
            let cost = self.cost(chosen);
            if self.best.as_ref().is_none_or(|best| cost < *best) {
                self.best = Some(cost);
            }
            return;
        };
        if self.best.as_ref().is_some_and(|best| chosen.len() + self.independent(open) > best.0) {
            return;
        }
        let mut order = self.candidates[corner].clone();
        order.sort_by_key(|at| Reverse(self.covered_by[*at].intersection_count(open)));
        for product in order {
            let mut rest = open.clone();
            rest.difference_with(&self.covered_by[product]);
            chosen.push(product);
            self.branch(&rest, chosen);
            chosen.pop();
        }
    }

    /// A number of open corners no two of which one product holds: at least so many products are still needed.
    fn independent(&self, open: &FixedBitSet) -> usize {
        let mut left = open.clone();
        let mut count = 0;
        while let Some(corner) = left.ones().min_by_key(|corner| self.candidates[*corner].len()) {
            count += 1;
            for product in &self.candidates[corner] {
                left.difference_with(&self.covered_by[*product]);
            }
        }
        count
    }
}
