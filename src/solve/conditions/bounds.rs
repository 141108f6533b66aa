//! What single variables can be, as far as the rows of a conjunction say so one by one.

use super::conjunction::Conjunction;
use super::linear::{Formula, Row, Variable};

/// What single variables can be.
pub struct Bounds {
    of: Vec<(i64, i64)>,
    /// Whether some variable can be nothing.
    pub is_empty: bool,
}

/// Bounds beyond this are none.
const FAR: i64 = 1 << 40;

impl Bounds {
    /// The bounds that the rows of a conjunction give.
    pub fn of(conjunction: &Conjunction<'_>, variable_count: usize) -> Self {
        let mut bounds = Bounds { of: vec![(-FAR, FAR); variable_count], is_empty: false };
        for _ in 0..4 {
            let mut changed = false;
            for row in &conjunction.not_negative {
                changed |= bounds.tighten(row, 1);
            }
            for row in &conjunction.zero {
                changed |= bounds.tighten(row, 1) | bounds.tighten(row, -1);
            }
            if !changed || bounds.is_empty {
                break;
            }
        }
        bounds
    }

    fn get(&self, variable: Variable) -> (i64, i64) {
        self.of[variable as usize]
    }

    /// The greatest value of a factor times a variable.
    fn greatest(&self, variable: Variable, factor: i64) -> Option<i64> {
        let (least, most) = self.get(variable);
        let bound = if factor > 0 { most } else { least };
        if bound.abs() >= FAR { None } else { bound.checked_mul(factor) }
    }

    /// What follows for each variable of a row that, times a sign, is not negative.
    fn tighten(&mut self, row: &Row, sign: i64) -> bool {
        let mut finite = Some(0_i64);
        let mut unbounded = 0;
        for (&variable, factor) in row.terms() {
            match self.greatest(variable, factor * sign) {
                Some(value) => finite = finite.and_then(|sum| sum.checked_add(value)),
                None => unbounded += 1,
            }
        }
        let Some(total) = finite.and_then(|sum| sum.checked_add(row.constant_term().checked_mul(sign)?)) else {
            return false;
        };
        if unbounded == 0 && total < 0 {
            self.is_empty = true;
            return false;
        }
        let mut changed = false;
        for (&variable, factor) in row.terms() {
            let factor = factor * sign;
            let own = self.greatest(variable, factor);
            let rest = match (own, unbounded) {
                (Some(own), 0) => total - own,
                (None, 1) => total,
                _ => continue,
            };
            // factor * variable + rest >= 0
            let (least, most) = self.get(variable);
            let new = if factor > 0 {
                (least.max((-rest).div_euclid(factor) + i64::from((-rest).rem_euclid(factor) != 0)), most)
            } else {
                (least, most.min(rest.div_euclid(-factor)))
            };
            if new != (least, most) {
                self.of[variable as usize] = new;
                changed = true;
                self.is_empty |= new.0 > new.1;
            }
        }
        changed
    }

    /// The greatest value of a row times a sign.
    fn greatest_of(&self, row: &Row, sign: i64) -> Option<i64> {
        row.terms().try_fold(row.constant_term().checked_mul(sign)?, |sum, (&variable, factor)| {
            sum.checked_add(self.greatest(variable, factor * sign)?)
        })
    }

    /// Whether a row, times a sign, is at least 0 whatever the variables are: its opposite is never positive.
    fn is_never_negative(&self, row: &Row, sign: i64) -> bool {
        self.greatest_of(row, -sign).is_some_and(|greatest| greatest <= 0)
    }

    /// Whether a row, times a sign, is negative whatever the variables are.
    fn is_always_negative(&self, row: &Row, sign: i64) -> bool {
        self.greatest_of(row, sign).is_some_and(|greatest| greatest < 0)
    }

    /// Whether a formula holds, if the bounds say so.
    pub fn decide(&self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::NotNegative(row) => {
                if self.is_always_negative(row, 1) {
                    return Some(false);
                }
                self.is_never_negative(row, 1).then_some(true)
            }
            Formula::Zero(row) => {
                let differs = self.is_always_negative(row, 1) || self.is_always_negative(row, -1);
                let is_zero = self.is_never_negative(row, 1) && self.is_never_negative(row, -1);
                if differs { Some(false) } else { is_zero.then_some(true) }
            }
            Formula::All(parts) => {
                let mut all_hold = true;
                for part in parts {
                    match self.decide(part) {
                        Some(false) => return Some(false),
                        known => all_hold &= known == Some(true),
                    }
                }
                all_hold.then_some(true)
            }
            Formula::Any(parts) => {
                let mut none_holds = true;
                for part in parts {
                    match self.decide(part) {
                        Some(true) => return Some(true),
                        known => none_holds &= known == Some(false),
                    }
                }
                none_holds.then_some(false)
            }
        }
    }
}
