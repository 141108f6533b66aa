//! Rows in the hands of elimination: few variables each, which are merged again and again.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::linear::{Row, Variable};
use crate::symbolic::gcd;

/// A sum of variables with coefficients other than 0, in ascending order, and a number.
#[derive(Clone, Debug)]
pub struct Sum {
    terms: SmallVec<[(Variable, i64); 4]>,
    constant: i64,
}

impl Sum {
    /// That of a row.
    pub fn new(row: &Row) -> Self {
        let terms = row.terms().map(|(&variable, factor)| (variable, factor)).collect();
        Sum { terms, constant: row.constant_term() }
    }

    /// The variables with their coefficients.
    pub fn terms(&self) -> &[(Variable, i64)] {
        &self.terms
    }

    /// The number.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// The coefficient of a variable.
    pub fn coefficient(&self, variable: Variable) -> i64 {
        self.terms.iter().find(|(other, _)| *other == variable).map_or(0, |(_, factor)| *factor)
    }

    /// The greatest common divisor of the coefficients, 0 if there are none; `None` if it is no number here.
    pub fn divisor(&self) -> Option<i64> {
        let mut divisor = 0;
        for (_, factor) in &self.terms {
            divisor = gcd(divisor, factor.unsigned_abs());
            if divisor == 1 {
                break;
            }
        }
        i64::try_from(divisor).ok()
    }

    /// The sum divided by a positive divisor of its coefficients, the number rounded down.
    #[must_use]
    pub fn divided(mut self, divisor: i64) -> Self {
        if divisor != 1 {
            self.terms.iter_mut().for_each(|(_, factor)| *factor /= divisor);
            self.constant = self.constant.div_euclid(divisor);
        }
        self
    }

    /// `by * self + times * other`; `None` on overflow.
    pub fn combined(&self, by: i64, other: &Sum, times: i64) -> Option<Sum> {
        let mut terms = SmallVec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(&&(one, factor)), Some(&&(two, more))) if one == two => {
                    left.next();
                    right.next();
                    (one, factor.checked_mul(by)?.checked_add(more.checked_mul(times)?)?)
                }
                (Some(&&(one, factor)), two) if two.is_none_or(|two| one < two.0) => {
                    left.next();
                    (one, factor.checked_mul(by)?)
                }
                (_, Some(&&(two, more))) => {
                    right.next();
                    (two, more.checked_mul(times)?)
                }
                (Some(_), None) => break,
            };
            if next.1 != 0 {
                terms.push(next);
            }
        }
        let constant = self.constant.checked_mul(by)?.checked_add(other.constant.checked_mul(times)?)?;
        Some(Sum { terms, constant })
    }

    /// The value where variables have these values, one of them left out; `None` on overflow.
    pub fn value(&self, values: &[i64], except: Option<Variable>) -> Option<i64> {
        let mut sum = self.constant;
        for &(variable, factor) in self.terms.iter().filter(|(variable, _)| Some(*variable) != except) {
            sum = sum.checked_add(factor.checked_mul(*values.get(variable as usize)?)?)?;
        }
        Some(sum)
    }

    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.terms.hash(&mut hasher);
        hasher.finish()
    }
}

/// Sums that are not negative, each with a hash of its terms; of those that differ in the number only the strictest.
#[derive(Default)]
pub struct Sums {
    hashes: Vec<u64>,
    sums: Vec<Sum>,
}

impl Sums {
    /// Adds a sum; `None` if it can't be.
    pub fn add(&mut self, sum: Sum) -> Option<()> {
        // By a divisor that is no number here it is not divided, which is right as well.
        let divisor = sum.divisor().unwrap_or(1);
        if divisor == 0 {
            return (sum.constant >= 0).then_some(());
        }
        let sum = sum.divided(divisor);
        let hash = sum.hash();
        let known = self.hashes.iter().enumerate().filter(|(_, known)| **known == hash).map(|(at, _)| at);
        match known.into_iter().find(|&at| self.sums[at].terms == sum.terms) {
            Some(at) if self.sums[at].constant > sum.constant => self.sums[at] = sum,
            Some(_) => {}
            None => {
                self.hashes.push(hash);
                self.sums.push(sum);
            }
        }
        Some(())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Sum> {
        self.sums.iter()
    }

    /// Takes out those in which a variable occurs.
    pub fn take(&mut self, variable: Variable) -> Vec<Sum> {
        let mut taken = Vec::new();
        let mut kept = 0;
        for at in 0..self.sums.len() {
            if self.sums[at].terms.iter().any(|(other, _)| *other == variable) {
                continue;
            }
            self.sums.swap(kept, at);
            self.hashes.swap(kept, at);
            kept += 1;
        }
        taken.extend(self.sums.drain(kept..));
        self.hashes.truncate(kept);
        taken
    }

    /// The variable whose elimination adds fewest sums.
    pub fn cheapest(&self, counts: &mut [(usize, usize)]) -> Option<Variable> {
        counts.iter_mut().for_each(|count| *count = (0, 0));
        for &(variable, factor) in self.sums.iter().flat_map(|sum| &sum.terms) {
            let count = &mut counts[variable as usize];
            if factor > 0 {
                count.0 += 1;
            } else {
                count.1 += 1;
            }
        }
        let met = counts.iter().enumerate().filter(|(_, count)| **count != (0, 0));
        met.min_by_key(|(_, (lower, upper))| lower * upper).map(|(variable, _)| variable as Variable)
    }
}
