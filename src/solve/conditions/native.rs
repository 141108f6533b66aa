//! The native procedure: cases are split, and variables eliminated from what is left (Fourier and Motzkin, with
//! coefficients divided by their common divisor and constants rounded down, as the variables are integers).

use rustc_hash::FxHashMap;

use super::answer::{Model, Satisfiable, model};
use super::linear::{Formula, Problem, Row, Variable};
use crate::symbolic::{Condition, Relation};

/// Conjunctions looked at for one question.
const MOST_CASES: u32 = 24;

/// Rows of one conjunction.
const MOST_ROWS: usize = 120;

/// Whether a condition, whose problem this is, can hold, and how many conjunctions were looked at for that.
pub fn decide(problem: &Problem, condition: &Condition) -> (Satisfiable, u32) {
    let mut search = Search { problem, condition, cases: 0, gave_up: false };
    let mut conjunction = Conjunction::default();
    for formula in &problem.formulas {
        if !conjunction.assume(formula) {
            return (Satisfiable::No, 0);
        }
    }
    let answer = match search.split(conjunction) {
        Some(found) => Satisfiable::Model(found),
        None if search.gave_up => Satisfiable::Unknown,
        None => Satisfiable::No,
    };
    (answer, search.cases)
}

/// What holds together: rows that are 0, rows that are not negative, and choices that are still to be made.
#[derive(Clone, Default)]
struct Conjunction {
    zero: Vec<Row>,
    not_negative: Vec<Row>,
    choices: Vec<Vec<Formula>>,
}

impl Conjunction {
    /// Adds a formula; `false` if it is evident that all can't hold.
    fn assume(&mut self, formula: &Formula) -> bool {
        match formula {
            Formula::All(parts) => parts.iter().all(|part| self.assume(part)),
            Formula::Any(parts) => match parts.as_slice() {
                [] => false,
                [single] => self.assume(single),
                _ => {
                    self.choices.push(parts.clone());
                    true
                }
            },
            Formula::Row(relation, row) => match (relation, row.as_constant()) {
                (Relation::NotNegative, Some(value)) => value >= 0,
                (Relation::Zero, Some(value)) => value == 0,
                (Relation::NotZero, Some(value)) => value != 0,
                (Relation::NotNegative, None) => {
                    self.not_negative.push(row.clone());
                    true
                }
                (Relation::Zero, None) => {
                    self.zero.push(row.clone());
                    true
                }
                (Relation::NotZero, None) => {
                    let side = |sign: i64| row.clone().checked_mul(sign)?.checked_add_constant(-1);
                    let sides = [side(1), side(-1)].into_iter().flatten();
                    self.choices.push(sides.map(|row| Formula::Row(Relation::NotNegative, row)).collect());
                    true
                }
            },
        }
    }

    /// Takes out of the choices what the bounds of single variables decide; `false` if all can't hold.
    fn prune(&mut self) -> bool {
        loop {
            let bounds = Bounds::of(self);
            if bounds.is_empty {
                return false;
            }
            let mut forced = Vec::new();
            let mut kept = Vec::new();
            for mut choice in std::mem::take(&mut self.choices) {
                if choice.iter().any(|part| bounds.decide(part) == Some(true)) {
                    continue;
                }
                choice.retain(|part| bounds.decide(part) != Some(false));
                match choice.len() {
                    0 => return false,
                    1 => forced.extend(choice.pop()),
                    _ => kept.push(choice),
                }
            }
            self.choices = kept;
            if forced.is_empty() {
                return true;
            }
            if !forced.iter().all(|part| self.assume(part)) {
                return false;
            }
        }
    }
}

/// What single variables can be.
struct Bounds {
    of: FxHashMap<Variable, (i64, i64)>,
    is_empty: bool,
}

/// Bounds beyond this are none.
const FAR: i64 = 1 << 40;

impl Bounds {
    fn of(conjunction: &Conjunction) -> Self {
        let mut bounds = Bounds { of: FxHashMap::default(), is_empty: false };
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
        self.of.get(&variable).copied().unwrap_or((-FAR, FAR))
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
                self.of.insert(variable, new);
                changed = true;
                self.is_empty |= new.0 > new.1;
            }
        }
        changed
    }

    /// Whether a row, times a sign, is at least 0 whatever the variables are.
    fn is_never_negative(&self, row: &Row, sign: i64) -> bool {
        let mut sum = row.constant_term().checked_mul(sign);
        for (&variable, factor) in row.terms() {
            // The least value is the greatest of the opposite.
            let least = self.greatest(variable, -factor * sign).and_then(i64::checked_neg);
            sum = sum.zip(least).and_then(|(sum, least)| sum.checked_add(least));
        }
        sum.is_some_and(|sum| sum >= 0)
    }

    /// Whether a row, times a sign, is negative whatever the variables are.
    fn is_always_negative(&self, row: &Row, sign: i64) -> bool {
        let mut sum = row.constant_term().checked_mul(sign);
        for (&variable, factor) in row.terms() {
            let greatest = self.greatest(variable, factor * sign);
            sum = sum.zip(greatest).and_then(|(sum, greatest)| sum.checked_add(greatest));
        }
        sum.is_some_and(|sum| sum < 0)
    }

    /// Whether a formula holds, if the bounds say so.
    fn decide(&self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Row(Relation::NotNegative, row) => {
                if self.is_always_negative(row, 1) {
                    return Some(false);
                }
                self.is_never_negative(row, 1).then_some(true)
            }
            Formula::Row(relation, row) => {
                let differs = self.is_always_negative(row, 1) || self.is_always_negative(row, -1);
                let is_zero = self.is_never_negative(row, 1) && self.is_never_negative(row, -1);
                let zero = if differs { Some(false) } else { is_zero.then_some(true) };
                zero.map(|zero| zero == (*relation == Relation::Zero))
            }
            Formula::All(parts) => {
                let each: Vec<Option<bool>> = parts.iter().map(|part| self.decide(part)).collect();
                if each.contains(&Some(false)) {
                    return Some(false);
                }
                each.iter().all(|part| *part == Some(true)).then_some(true)
            }
            Formula::Any(parts) => {
                let each: Vec<Option<bool>> = parts.iter().map(|part| self.decide(part)).collect();
                if each.contains(&Some(true)) {
                    return Some(true);
                }
                each.iter().all(|part| *part == Some(false)).then_some(false)
            }
        }
    }
}

struct Search<'p> {
    problem: &'p Problem,
    condition: &'p Condition,
    cases: u32,
    gave_up: bool,
}

impl Search<'_> {
    /// A model of a conjunction, if there is one that is found.
    fn split(&mut self, mut conjunction: Conjunction) -> Option<Model> {
        self.cases += 1;
        if self.cases > MOST_CASES {
            self.gave_up = true;
            return None;
        }
        if !conjunction.prune() {
            return None;
        }
        match eliminate(&conjunction, self.problem.variable_count()) {
            Eliminated::Impossible => return None,
            Eliminated::Values(values) => {
                if let Some(found) = model(self.problem, self.condition, &values) {
                    return Some(found);
                }
                if conjunction.choices.is_empty() {
                    self.gave_up = true;
                    return None;
                }
            }
            Eliminated::Unclear if conjunction.choices.is_empty() => {
                self.gave_up = true;
                return None;
            }
            Eliminated::Unclear => {}
        }
        let shortest = (0..conjunction.choices.len()).min_by_key(|&at| conjunction.choices[at].len())?;
        let choice = conjunction.choices.swap_remove(shortest);
        for part in &choice {
            let mut case = conjunction.clone();
            if case.assume(part)
                && let Some(found) = self.split(case)
            {
                return Some(found);
            }
            if self.cases > MOST_CASES {
                return None;
            }
        }
        None
    }
}

/// What is known of rows when all variables are eliminated.
enum Eliminated {
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

fn eliminate(conjunction: &Conjunction, variable_count: usize) -> Eliminated {
    let mut zero = conjunction.zero.clone();
    let mut rows = Rows::default();
    for row in &conjunction.not_negative {
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
    while let Some(variable) = rows.cheapest() {
        let (with, without): (Vec<Row>, Vec<Row>) =
            rows.into_rows().into_iter().partition(|row| row.coefficient(&variable) != 0);
        rows = Rows::default();
        for row in without {
            if rows.add(row).is_none() {
                return Eliminated::Impossible;
            }
        }
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
    values(&steps, variable_count).map_or(Eliminated::Unclear, Eliminated::Values)
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
    let divisor = row.terms().fold(0, |divisor, (_, factor)| gcd(divisor, factor));
    if row.constant_term() % divisor != 0 {
        return Some(false);
    }
    let row = divided(row, divisor)?;
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

fn divided(row: &Row, divisor: i64) -> Option<Row> {
    let mut result = Row::constant(row.constant_term().div_euclid(divisor));
    for (&variable, factor) in row.terms() {
        result = result.checked_add_multiple(&Row::atom(variable), factor / divisor)?;
    }
    Some(result)
}

fn gcd(left: i64, right: i64) -> i64 {
    let (mut left, mut right) = (left.saturating_abs(), right.saturating_abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// What two rows say together in which a variable has a positive and a negative coefficient.
fn combine(below: &Row, above: &Row, variable: Variable) -> Option<Row> {
    let (positive, negative) = (below.coefficient(&variable), above.coefficient(&variable).checked_neg()?);
    let divisor = gcd(positive, negative);
    below.clone().checked_mul(negative / divisor)?.checked_add_multiple(above, positive / divisor)
}

/// Rows that are not negative; of those that differ in the constant only the strictest.
#[derive(Default)]
struct Rows(FxHashMap<Row, i64>);

impl Rows {
    /// Adds a row; `None` if it can't hold.
    fn add(&mut self, row: Row) -> Option<()> {
        let divisor = row.terms().fold(0, |divisor, (_, factor)| gcd(divisor, factor));
        if divisor == 0 {
            return (row.constant_term() >= 0).then_some(());
        }
        let row = if divisor == 1 { row } else { divided(&row, divisor)? };
        let number = row.constant_term();
        let known = self.0.entry(row.with_constant(0)).or_insert(number);
        *known = (*known).min(number);
        Some(())
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn into_rows(self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.0.into_iter().map(|(row, number)| row.with_constant(number)).collect();
        rows.sort_unstable();
        rows
    }

    /// The variable whose elimination adds fewest rows.
    fn cheapest(&self) -> Option<Variable> {
        let mut counts: FxHashMap<Variable, (usize, usize)> = FxHashMap::default();
        for (&variable, factor) in self.0.keys().flat_map(Row::terms) {
            let count = counts.entry(variable).or_default();
            if factor > 0 {
                count.0 += 1;
            } else {
                count.1 += 1;
            }
        }
        counts
            .into_iter()
            .min_by_key(|&(variable, (lower, upper))| (lower * upper, variable))
            .map(|(variable, _)| variable)
    }
}

/// Values for all variables, the last eliminated first; `None` if there is no integer where one is needed.
fn values(steps: &[Step], variable_count: usize) -> Option<Vec<i64>> {
    let mut values = vec![1_i64; variable_count];
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
                values[*variable as usize] = 1.clamp(least, most);
            }
        }
    }
    Some(values)
}
