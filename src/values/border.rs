//! Periodic and clamped indices: what they are away from the border (docs/semantics.md, section 6).
//!
//! `mod(i - 2 + n, n) + 1` is *i - 1* except at the end of the ring, `min(i + 1, n)` is *i + 1* except at the edge.

use super::evaluator::Evaluator;
use super::index::{Index, IndexSum, Selection, computed};
use crate::intrinsics::{Evaluation, Intrinsic};
use crate::names::SymbolId;
use crate::syntax::{Argument, ArgumentList, Expression};

/// Smallest ring on which neighbours can be told from each other: with fewer places two steps forward are one or two
/// backward.
const SMALLEST_RING: i64 = 6;

impl Evaluator<'_, '_> {
    /// The values of a reference to an intrinsic function away from the border; `None` if it is no such function.
    pub(super) fn border_function(&self, function: &Intrinsic, list: &ArgumentList) -> Option<Vec<Index>> {
        let argument = |keyword: &str| function.argument(keyword, list, &self.context.tree.names);
        let evaluation = function.evaluation?;
        match evaluation {
            Evaluation::Remainder | Evaluation::Modulo => {
                let [first, second] = list.items.as_slice() else { return None };
                self.remainder(first.expression()?, second.expression()?)
            }
            Evaluation::Minimum | Evaluation::Maximum => {
                let arguments: Option<Vec<&Expression>> = list.items.iter().map(Argument::expression).collect();
                self.extremum(evaluation == Evaluation::Maximum, &arguments?)
            }
            Evaluation::Choice => {
                let cases = [argument("tsource")?, argument("fsource")?];
                let selection = argument("mask").map_or(Selection::Data, |mask| self.selects(mask));
                self.one_of(cases.into_iter().map(|case| (case, selection)))
            }
            Evaluation::Integer => {
                let values = self.evaluate(argument("a")?);
                let is_integer =
                    |value: &Index| value.is_linear() && value.variables().all(|symbol| self.values.is_integer(symbol));
                values.iter().all(is_integer).then(|| computed(values, false))
            }
            _ => None,
        }
    }

    /// A remainder as a place on a ring: multiples of the modulus vanish.
    fn remainder(&self, dividend: &Expression, modulus: &Expression) -> Option<Vec<Index>> {
        let modulus = self.evaluate(modulus);
        let [modulus] = modulus.as_slice() else { return None };
        let dividend = self.evaluate(dividend);
        // Only what moves with a loop goes around a ring.
        let moves = |value: &Index| value.is_linear() && self.moves(value);
        if !dividend.iter().all(moves) || self.moves(modulus) || !self.values.is_invariant(self.position, modulus) {
            return None;
        }
        let goes_round_once = |symbol| !self.counts(symbol) || self.goes_round_once(symbol, modulus);
        if !dividend.iter().flat_map(Index::variables).all(goes_round_once) {
            return None;
        }
        let reduced: Option<Vec<Index>> =
            dividend.into_iter().map(|value| without_multiples(value, &modulus.form)).collect();
        Some(computed(reduced?, true))
    }

    /// The smallest or largest of some values: the one that moves with a loop, where the others are the edge.
    fn extremum(&self, largest: bool, arguments: &[&Expression]) -> Option<Vec<Index>> {
        let all: Vec<Vec<Index>> = arguments.iter().map(|argument| self.evaluate(argument)).collect();
        let (mut moving, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|values| values.iter().any(|value| self.moves(value)));
        let at_border = !others.is_empty();
        // An edge that changes in the loop is none.
        if !others.iter().flatten().all(|other| self.values.is_invariant(self.position, other)) {
            return None;
        }
        let mut chosen = moving.pop()?;
        for values in moving {
            // Both move: one is always the smaller one if they differ by a constant.
            let ([one], [other]) = (chosen.as_slice(), values.as_slice()) else { return None };
            if !one.form.has_same_terms(&other.form) {
                return None;
            }
            if (other.form.constant_term() > one.form.constant_term()) == largest {
                chosen = values;
            }
        }
        Some(computed(chosen, at_border))
    }

    /// Whether a loop around this place counts a variable, or the caller of the procedure may.
    pub fn counts(&self, symbol: SymbolId) -> bool {
        self.values.is_counted(self.position, symbol) || self.values.is_fixed_dummy(symbol)
    }

    fn moves(&self, value: &Index) -> bool {
        value.variables().any(|symbol| self.counts(symbol))
    }
}

/// A value without the multiples of a modulus; what is left of a constant is the nearest to 0.
fn without_multiples(mut value: Index, modulus: &IndexSum) -> Option<Index> {
    match modulus.terms().next() {
        Some((atom, coefficient)) => {
            let there = value.form.coefficient(atom);
            if there.checked_rem(coefficient)? == 0 {
                let times = there.checked_div(coefficient)?.checked_neg()?;
                value.form = value.form.checked_add_multiple(modulus, times)?;
            }
        }
        None => {
            let size = modulus.constant_term().checked_abs().filter(|&size| size > 0)?;
            let rest = value.form.constant_term().rem_euclid(size);
            let nearest = if rest > size / 2 { rest - size } else { rest };
            // Half around the ring, or around a small one, forward and backward can't be told apart.
            if nearest.unsigned_abs().saturating_mul(4) > size.unsigned_abs() || size < SMALLEST_RING {
                return None;
            }
            value.form = value.form.with_constant(nearest);
        }
    }
    Some(value)
}
