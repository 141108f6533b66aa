//! Variables are eliminated from rows (Fourier and Motzkin, with coefficients divided by their common divisor and
//! constants rounded down, as the variables are integers).

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::answer::{Preference, preferred};
use super::conjunction::Conjunction;
use super::linear::{Row, Variable};
use crate::symbolic::gcd;

/// Rows of one conjunction.
const MOST_ROWS: usize = 120;

/// What is known of rows when all variables are eliminated.
pub enum Eliminated {
    /// They can't hold together.
    Impossible,
    /// They hold for these values, by variable.
    Values(Vec<i64>),
    /// They may, for rational numbers at least, or the limit was reached.
    Unclear,
}

/// How a variable was eliminated.
enum Step {
    /// It is this, over variables that are eliminated later.
    Equals(Variable, Row),
    /// These rows, in which it occurs, are not negative.
    Bounded(Variable, Vec<Row>),
}

/// Eliminates all variables from the rows of a conjunction.
pub fn eliminate(conjunction: &Conjunction<'_>, variable_count: usize, preference: Preference) -> Eliminated {
    let mut zero: Vec<Row> = conjunction.zero.iter().copied().cloned().collect();
    let mut rows = Rows::default();
    for &row in &conjunction.not_negative {
        if rows.add(row.clone()).is_none() {
            return Eliminated::Impossible;
        }
    }
    let mut steps = Vec::new();
    while let Some(row) = take_equality(&mut zero) {
        match eliminate_equality(&row, &mut zero, &mut rows, &mut steps) {
            Some(true) => {}
            Some(false) => return Eliminated::Impossible,
            None => return Eliminated::Unclear,
        }
    }
    while let Some(variable) = rows.cheapest(variable_count) {
        let with = rows.take(variable);
        let (lower, upper): (Vec<&Row>, Vec<&Row>) = with.iter().partition(|row| row.coefficient(&variable) > 0);
        for below in &lower {
            for above in &upper {
                let Some(combined) = combine(below, above, variable) else { return Eliminated::Unclear };
                if rows.add(combined).is_none() {
                    return Eliminated::Impossible;
                }
            }
        }
        if rows.len() > MOST_ROWS {
            return Eliminated::Unclear;
        }
        steps.push(Step::Bounded(variable, with));
    }
    values(&steps, variable_count, preference).map_or(Eliminated::Unclear, Eliminated::Values)
}

/// The equality that is eliminated next: one with a coefficient of 1 or -1, if there is one.
fn take_equality(zero: &mut Vec<Row>) -> Option<Row> {
    let has_unit = |row: &Row| row.terms().any(|(_, factor)| factor.abs() == 1);
    let at = zero.iter().position(has_unit).or(if zero.is_empty() { None } else { Some(0) })?;
    Some(zero.swap_remove(at))
}

/// Eliminates a variable of an equality; `Some(false)` if it can't hold, `None` on overflow.
fn eliminate_equality(row: &Row, zero: &mut Vec<Row>, rows: &mut Rows, steps: &mut Vec<Step>) -> Option<bool> {
    if let Some(value) = row.as_constant() {
        return Some(value == 0);
    }
    let divisor = row.divisor()?;
    if row.constant_term() % divisor != 0 {
        return Some(false);
    }
    let row = row.clone().divided(divisor);
    let unit = row.terms().find(|(_, factor)| factor.abs() == 1).map(|(&variable, factor)| (variable, factor));
    let Some((variable, factor)) = unit else {
        let opposite = row.clone().checked_mul(-1)?;
        return Some(rows.add(row).is_some() && rows.add(opposite).is_some());
    };
    // variable = -factor * (row - factor * variable)
    let rest = row.checked_add_multiple(&Row::atom(variable), factor.checked_neg()?)?;
    let value = rest.checked_mul(-factor)?;
    let replace = |row: &Row| -> Option<Row> {
        let factor = row.coefficient(&variable);
        if factor == 0 {
            return Some(row.clone());
        }
        let without = row.clone().checked_add_multiple(&Row::atom(variable), factor.checked_neg()?)?;
        without.checked_add_multiple(&value, factor)
    };
    *zero = zero.iter().map(replace).collect::<Option<_>>()?;
    let mut replaced = Rows::default();
    for row in std::mem::take(rows).into_rows() {
        if replaced.add(replace(&row)?).is_none() {
            return Some(false);
        }
    }
    *rows = replaced;
    steps.push(Step::Equals(variable, value));
    Some(true)
}

/// What two rows say together in which a variable has a positive and a negative coefficient.
fn combine(below: &Row, above: &Row, variable: Variable) -> Option<Row> {
    let (positive, negative) = (below.coefficient(&variable), above.coefficient(&variable).checked_neg()?);
    let divisor = i64::try_from(gcd(positive.unsigned_abs(), negative.unsigned_abs())).ok()?;
    below.clone().checked_mul(negative / divisor)?.checked_add_multiple(above, positive / divisor)
}

/// Rows that are not negative, each with a hash of its terms; of those that differ in the constant only the strictest.
#[derive(Default)]
struct Rows(Vec<(u64, Row)>);

impl Rows {
    /// Adds a row; `None` if it can't hold.
    fn add(&mut self, row: Row) -> Option<()> {
        // By a divisor that is no number here the row is not divided, which is right as well.
        let divisor = row.divisor().unwrap_or(1);
        if divisor == 0 {
            return (row.constant_term() >= 0).then_some(());
        }
        let row = if divisor == 1 { row } else { row.divided(divisor) };
        let mut hasher = FxHasher::default();
        row.terms().for_each(|term| term.hash(&mut hasher));
        let hash = hasher.finish();
        let is_same = |(known, other): &&mut (u64, Row)| *known == hash && other.has_same_terms(&row);
        match self.0.iter_mut().find(is_same) {
            Some((_, known)) if known.constant_term() > row.constant_term() => *known = row,
            Some(_) => {}
            None => self.0.push((hash, row)),
        }
        Some(())
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn into_rows(self) -> impl Iterator<Item = Row> {
        self.0.into_iter().map(|(_, row)| row)
    }

    /// Takes out the rows in which a variable occurs.
    fn take(&mut self, variable: Variable) -> Vec<Row> {
        let occurs = |(_, row): &mut (u64, Row)| row.atoms().any(|atom| *atom == variable);
        self.0.extract_if(.., occurs).map(|(_, row)| row).collect()
    }

    /// The variable whose elimination adds fewest rows.
    fn cheapest(&self, variable_count: usize) -> Option<Variable> {
        let mut counts = vec![(0_usize, 0_usize); variable_count];
        for (&variable, factor) in self.0.iter().flat_map(|(_, row)| row.terms()) {
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

/// Values for all variables, the last eliminated first; `None` if there is no integer where one is needed.
fn values(steps: &[Step], variable_count: usize, preference: Preference) -> Option<Vec<i64>> {
    let mut values: Vec<i64> =
        (0..variable_count).map(|variable| preferred(variable as Variable, preference)).collect();
    let evaluate = |row: &Row, values: &[i64], except: Option<Variable>| -> Option<i64> {
        let mut sum = row.constant_term();
        for (&variable, factor) in row.terms().filter(|(variable, _)| Some(**variable) != except) {
            sum = sum.checked_add(factor.checked_mul(values[variable as usize])?)?;
        }
        Some(sum)
    };
    for step in steps.iter().rev() {
        match step {
            Step::Equals(variable, row) => values[*variable as usize] = evaluate(row, &values, None)?,
            Step::Bounded(variable, rows) => {
                let (mut least, mut most) = (i64::MIN, i64::MAX);
                for row in rows {
                    let (factor, rest) = (row.coefficient(variable), evaluate(row, &values, Some(*variable))?);
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
    Some(values)
}
