//! Variables are eliminated from rows (Fourier and Motzkin, with coefficients divided by their common divisor and
//! constants rounded down, as the variables are integers).

use super::answer::{Preference, preferred};
use super::conjunction::Conjunction;
use super::linear::Variable;
use super::rows::{Sum, Sums};
use crate::symbolic::gcd;

/// Rows of one conjunction.
const MOST_ROWS: usize = 120;

/// What is known of rows when all variables are eliminated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eliminated {
    /// They can't hold together.
    Impossible,
    /// They hold for the values that were given to their variables.
    Values,
    /// They may, for rational numbers at least, or the limit was reached.
    Unclear,
}

/// How a variable was eliminated.
enum Step {
    /// It is this, over variables that are eliminated later.
    Equals(Variable, Sum),
    /// These sums, in which it occurs, are not negative.
    Bounded(Variable, Vec<Sum>),
}

/// Eliminates all variables from the rows of a conjunction, and gives them values with which the rows hold; variables
/// that occur in none keep theirs.
pub fn eliminate(conjunction: &Conjunction<'_>, values: &mut [i64], preference: Preference) -> Eliminated {
    let mut zero: Vec<Sum> = conjunction.zero.iter().map(|row| Sum::new(row)).collect();
    let mut sums = Sums::default();
    for &row in &conjunction.not_negative {
        if sums.add(Sum::new(row)).is_none() {
            return Eliminated::Impossible;
        }
    }
    for &(variable, _) in zero.iter().chain(sums.iter()).flat_map(Sum::terms) {
        values[variable as usize] = preferred(variable, preference);
    }
    let mut steps = Vec::new();
    while let Some(sum) = take_equality(&mut zero) {
        match eliminate_equality(sum, &mut zero, &mut sums, &mut steps) {
            Some(true) => {}
            Some(false) => return Eliminated::Impossible,
            None => return Eliminated::Unclear,
        }
    }
    let mut counts = vec![(0, 0); values.len()];
    while let Some(variable) = sums.cheapest(&mut counts) {
        let with = sums.take(variable);
        let (lower, upper): (Vec<&Sum>, Vec<&Sum>) = with.iter().partition(|sum| sum.coefficient(variable) > 0);
        for below in &lower {
            for above in &upper {
                let Some(combined) = combine(below, above, variable) else { return Eliminated::Unclear };
                if sums.add(combined).is_none() {
                    return Eliminated::Impossible;
                }
            }
        }
        if sums.len() > MOST_ROWS {
            return Eliminated::Unclear;
        }
        steps.push(Step::Bounded(variable, with));
    }
    if give_values(&steps, values).is_some() { Eliminated::Values } else { Eliminated::Unclear }
}

/// The equality that is eliminated next: one with a coefficient of 1 or -1, if there is one.
fn take_equality(zero: &mut Vec<Sum>) -> Option<Sum> {
    let has_unit = |sum: &Sum| sum.terms().iter().any(|(_, factor)| factor.abs() == 1);
    let at = zero.iter().position(has_unit).or(if zero.is_empty() { None } else { Some(0) })?;
    Some(zero.swap_remove(at))
}

/// Eliminates a variable of an equality; `Some(false)` if it can't hold, `None` on overflow.
fn eliminate_equality(sum: Sum, zero: &mut [Sum], sums: &mut Sums, steps: &mut Vec<Step>) -> Option<bool> {
    if sum.terms().is_empty() {
        return Some(sum.constant() == 0);
    }
    let divisor = sum.divisor()?;
    if sum.constant() % divisor != 0 {
        return Some(false);
    }
    let sum = sum.divided(divisor);
    let Some(&(variable, factor)) = sum.terms().iter().find(|(_, factor)| factor.abs() == 1) else {
        let opposite = sum.combined(-1, &sum, 0)?;
        return Some(sums.add(sum).is_some() && sums.add(opposite).is_some());
    };
    // With the coefficient 1 or -1 a multiple of the equality takes the variable out of another sum.
    let without = |other: &Sum| other.combined(1, &sum, other.coefficient(variable).checked_mul(-factor)?);
    for other in zero.iter_mut().filter(|other| other.coefficient(variable) != 0) {
        *other = without(other)?;
    }
    for other in sums.take(variable) {
        if sums.add(without(&other)?).is_none() {
            return Some(false);
        }
    }
    steps.push(Step::Equals(variable, sum));
    Some(true)
}

/// What two sums say together in which a variable has a positive and a negative coefficient.
fn combine(below: &Sum, above: &Sum, variable: Variable) -> Option<Sum> {
    let (positive, negative) = (below.coefficient(variable), above.coefficient(variable).checked_neg()?);
    let divisor = i64::try_from(gcd(positive.unsigned_abs(), negative.unsigned_abs())).ok()?;
    below.combined(negative / divisor, above, positive / divisor)
}

/// Gives values to all variables, the last eliminated first; `None` if there is no integer where one is needed.
fn give_values(steps: &[Step], values: &mut [i64]) -> Option<()> {
    for step in steps.iter().rev() {
        match step {
            Step::Equals(variable, sum) => {
                let rest = sum.value(values, Some(*variable))?;
                values[*variable as usize] = rest.checked_mul(-sum.coefficient(*variable))?;
            }
            Step::Bounded(variable, sums) => {
                let (mut least, mut most) = (i64::MIN, i64::MAX);
                for sum in sums {
                    let (factor, rest) = (sum.coefficient(*variable), sum.value(values, Some(*variable))?);
                    if factor > 0 {
                        let opposite = rest.checked_neg()?;
                        let rounded_up = opposite.div_euclid(factor) + i64::from(opposite.rem_euclid(factor) != 0);
                        least = least.max(rounded_up);
                    } else {
                        most = most.min(rest.div_euclid(factor.checked_neg()?));
                    }
                }
                if least > most {
                    return None;
                }
                values[*variable as usize] = values[*variable as usize].clamp(least, most);
            }
        }
    }
    Some(())
}
