//! Conditions as linear formulae: each place and each operation is a variable.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::symbolic::{Affine, Applied, Atom, Condition, Operation, Place, Relation, Term};

/// A variable of a problem.
pub type Variable = u32;

/// A sum over variables.
pub type Row = Affine<Variable>;

/// A formula over rows.
#[derive(Clone, Debug)]
pub enum Formula {
    /// This row is not negative.
    NotNegative(Row),
    /// This row is 0.
    Zero(Row),
    /// All of these hold; nothing is true.
    All(Vec<Formula>),
    /// At least one of these holds; nothing is false.
    Any(Vec<Formula>),
}

impl Formula {
    /// A variable that it speaks of.
    pub fn first_variable(&self) -> Option<Variable> {
        match self {
            Formula::NotNegative(row) | Formula::Zero(row) => row.atoms().next().copied(),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().find_map(Formula::first_variable),
        }
    }
}

/// A linear formula that holds if a condition does.
#[derive(Debug)]
pub struct Problem {
    /// All that holds: the condition, and what is known of its operations.
    pub formulas: Vec<Formula>,
    variables: FxHashMap<Atom, Variable>,
    /// Variables for the truth values that places stand for: 0 or 1. In order, so that the same is made of conditions
    /// that differ in the numbers of places only.
    truths: BTreeMap<Place, Variable>,
    count: Variable,
    products: usize,
    /// Operations of which less is said than holds.
    inexact: Vec<Inexact>,
}

/// An operation of which less is said than holds: a product, a division by what is no constant.
#[derive(Clone, Debug)]
struct Inexact {
    operation: Operation,
    result: Row,
    operands: Vec<Row>,
}

/// Products of which something is said: each brings choices with it.
const MOST_PRODUCTS: usize = 3;

impl Problem {
    /// The problem of a condition; `None` on overflow.
    pub fn new(condition: &Condition) -> Option<Self> {
        let mut problem = Problem {
            formulas: Vec::new(),
            variables: FxHashMap::default(),
            truths: BTreeMap::new(),
            count: 0,
            products: 0,
            inexact: Vec::new(),
        };
        let formula = problem.formula(condition)?;
        problem.formulas.push(formula);
        problem.link_truths()?;
        Some(problem)
    }

    /// How many variables there are.
    pub fn variable_count(&self) -> usize {
        self.count as usize
    }

    /// The variable of a place, that of the number if it stands for a truth value, too.
    pub fn variable_of(&self, place: Place) -> Option<Variable> {
        self.variables.get(&Atom::Place(place)).or_else(|| self.truths.get(&place)).copied()
    }

    /// The places with their variables.
    pub fn places(&self) -> impl Iterator<Item = (Place, Variable)> + '_ {
        let numbers = self.variables.iter().filter_map(|(atom, &variable)| match atom {
            Atom::Place(place) => Some((*place, variable)),
            Atom::Applied(_) => None,
        });
        let is_number = |place: &Place| self.variables.contains_key(&Atom::Place(*place));
        let truths = self.truths.iter().filter(move |(place, _)| !is_number(place));
        numbers.chain(truths.map(|(&place, &variable)| (place, variable)))
    }

    /// The problem in which one operand of each product (the first, or the last), and what each division divides, are
    /// all that is left to choose, the other operands being as they are for some values: a special case in which all is
    /// linear. `None` if it is already, or on overflow.
    pub fn linearised(&self, values: &[i64], first: bool) -> Option<Problem> {
        if self.inexact.is_empty() {
            return None;
        }
        let mut special = Problem {
            formulas: self.formulas.clone(),
            variables: self.variables.clone(),
            truths: self.truths.clone(),
            inexact: Vec::new(),
            ..*self
        };
        for Inexact { operation, result, operands } in &self.inexact {
            let free = if first || *operation != Operation::Product { 0 } else { operands.len().checked_sub(1)? };
            let mut number = 1_i64;
            for (_, row) in operands.iter().enumerate().filter(|(at, _)| *at != free) {
                let value = value_of(row, values)?;
                special.formulas.push(Formula::Zero(row.clone().checked_add_constant(value.checked_neg()?)?));
                number = number.checked_mul(value)?;
            }
            let (operand, by) = (operands.get(free)?, Row::constant(number));
            let known = match operation {
                Operation::Product => vec![Formula::Zero(minus(result, &operand.clone().checked_mul(number)?)?)],
                Operation::Quotient if number != 0 => quotient(result, operand, &by)?,
                Operation::Remainder if number != 0 => special.remainder(result, operand, &by)?,
                Operation::Modulo if number != 0 => special.modulo(result, operand, &by)?,
                Operation::Quotient
                | Operation::Remainder
                | Operation::Modulo
                | Operation::Minimum
                | Operation::Maximum
                | Operation::Absolute => return None,
            };
            special.formulas.extend(known);
        }
        Some(special)
    }

    /// A place that stands for a number, too, is true where that is not 0.
    fn link_truths(&mut self) -> Option<()> {
        for (&place, &truth) in &self.truths {
            let Some(&number) = self.variables.get(&Atom::Place(place)) else { continue };
            let (truth, number) = (Row::atom(truth), Row::atom(number));
            let yes = Formula::All(vec![at_least(&truth, 1)?, not_zero(&number)?]);
            let no = Formula::All(vec![at_most(&truth, 0)?, Formula::Zero(number)]);
            self.formulas.push(Formula::Any(vec![yes, no]));
        }
        Some(())
    }

    fn formula(&mut self, condition: &Condition) -> Option<Formula> {
        Some(match condition {
            Condition::True => Formula::All(Vec::new()),
            Condition::False => Formula::Any(Vec::new()),
            Condition::Compare(relation, term) => {
                let row = self.row(term)?;
                match relation {
                    Relation::NotNegative => Formula::NotNegative(row),
                    Relation::Zero => Formula::Zero(row),
                    Relation::NotZero => not_zero(&row)?,
                }
            }
            Condition::Logical(place, value) => {
                let truth = self.truth(*place)?;
                if *value { at_least(&truth, 1)? } else { at_most(&truth, 0)? }
            }
            Condition::All(parts) => Formula::All(self.formulas_of(parts)?),
            Condition::Any(parts) => Formula::Any(self.formulas_of(parts)?),
        })
    }

    fn formulas_of(&mut self, parts: &[Condition]) -> Option<Vec<Formula>> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    fn row(&mut self, term: &Term) -> Option<Row> {
        let mut row = Row::constant(term.constant_term());
        for (atom, factor) in term.terms() {
            let variable = self.variable(atom)?;
            row = row.checked_add_multiple(&Row::atom(variable), factor)?;
        }
        Some(row)
    }

    /// The truth value that a place stands for.
    fn truth(&mut self, place: Place) -> Option<Row> {
        if let Some(&known) = self.truths.get(&place) {
            return Some(Row::atom(known));
        }
        let variable = self.fresh();
        self.truths.insert(place, variable);
        let row = Row::atom(variable);
        self.formulas.extend([at_least(&row, 0)?, at_most(&row, 1)?]);
        Some(row)
    }

    fn variable(&mut self, atom: &Atom) -> Option<Variable> {
        if let Some(&known) = self.variables.get(atom) {
            return Some(known);
        }
        let variable = self.fresh();
        self.variables.insert(atom.clone(), variable);
        if let Atom::Applied(of) = atom {
            self.define(variable, of)?;
        }
        Some(variable)
    }

    /// Says what is known of the result of an operation.
    fn define(&mut self, result: Variable, of: &Applied) -> Option<()> {
        let operands = of.operands.iter().map(|operand| self.row(operand)).collect::<Option<Vec<Row>>>()?;
        let result = Row::atom(result);
        let is_exact = match of.operation {
            Operation::Product => false,
            Operation::Quotient | Operation::Remainder | Operation::Modulo => {
                operands.get(1).is_some_and(|divisor| divisor.as_constant().is_some())
            }
            Operation::Minimum | Operation::Maximum | Operation::Absolute => true,
        };
        if !is_exact {
            let (operation, result, operands) = (of.operation, result.clone(), operands.clone());
            self.inexact.push(Inexact { operation, result, operands });
        }
        let known = match (of.operation, operands.as_slice()) {
            (Operation::Maximum, all) => extreme(&result, all, 1)?,
            (Operation::Minimum, all) => extreme(&result, all, -1)?,
            (Operation::Absolute, [operand]) => {
                let negative = operand.clone().checked_mul(-1)?;
                extreme(&result, &[operand.clone(), negative], 1)?
            }
            (Operation::Quotient, [left, right]) => quotient(&result, left, right)?,
            (Operation::Remainder, [left, right]) => self.remainder(&result, left, right)?,
            (Operation::Modulo, [left, right]) => self.modulo(&result, left, right)?,
            (Operation::Product, [left, right]) if self.products < MOST_PRODUCTS => {
                self.products += 1;
                product(&result, left, right)?
            }
            (
                Operation::Product
                | Operation::Absolute
                | Operation::Quotient
                | Operation::Remainder
                | Operation::Modulo,
                _,
            ) => Vec::new(),
        };
        self.formulas.extend(known);
        Some(())
    }

    /// `left - right * q` for a quotient `q` of which nothing else is asked.
    fn remainder(&mut self, result: &Row, left: &Row, right: &Row) -> Option<Vec<Formula>> {
        let Some(divisor) = right.as_constant() else {
            let positive = at_least(right, 1)?;
            let below = not_negative(minus(right, result)?.checked_add_constant(-1)?);
            let case = |sign: i64| -> Option<Formula> {
                let (left, result) = (left.clone().checked_mul(sign)?, result.clone().checked_mul(sign)?);
                let upper = not_negative(minus(right, &result)?.checked_add_constant(-1)?);
                let within = not_negative(minus(&left, &result)?);
                Some(Formula::All(vec![not_negative(left), not_negative(result), upper, within]))
            };
            let known = Formula::All(vec![positive, below, Formula::Any(vec![case(1)?, case(-1)?])]);
            return Some(vec![Formula::Any(vec![at_most(right, 0)?, known])]);
        };
        let quotient_variable = Row::atom(self.fresh());
        let multiple = quotient_variable.checked_mul(divisor)?;
        let balance = minus(&minus(left, &multiple)?, result)?;
        let most = i64::try_from(divisor.unsigned_abs()).ok()? - 1;
        let positive = vec![not_negative(left.clone()), not_negative(result.clone()), at_most(result, most)?];
        let negative = vec![at_most(left, 0)?, at_most(result, 0)?, at_least(result, most.checked_neg()?)?];
        Some(vec![Formula::Zero(balance), Formula::Any(vec![Formula::All(positive), Formula::All(negative)])])
    }

    fn modulo(&mut self, result: &Row, left: &Row, right: &Row) -> Option<Vec<Formula>> {
        let Some(divisor) = right.as_constant() else {
            let below = not_negative(minus(right, result)?.checked_add_constant(-1)?);
            let known = Formula::All(vec![at_least(right, 1)?, not_negative(result.clone()), below]);
            return Some(vec![Formula::Any(vec![at_most(right, 0)?, known])]);
        };
        let quotient_variable = Row::atom(self.fresh());
        let balance = minus(&minus(left, &quotient_variable.checked_mul(divisor)?)?, result)?;
        let range = if divisor > 0 {
            vec![not_negative(result.clone()), at_most(result, divisor - 1)?]
        } else {
            vec![at_most(result, 0)?, at_least(result, divisor.checked_add(1)?)?]
        };
        Some(std::iter::once(Formula::Zero(balance)).chain(range).collect())
    }

    /// A new variable.
    fn fresh(&mut self) -> Variable {
        self.count += 1;
        self.count - 1
    }
}

/// The value of a row; `None` on overflow.
pub fn value_of(row: &Row, values: &[i64]) -> Option<i64> {
    row.terms().try_fold(row.constant_term(), |sum, (&variable, factor)| {
        sum.checked_add(factor.checked_mul(*values.get(variable as usize)?)?)
    })
}

fn minus(left: &Row, right: &Row) -> Option<Row> {
    left.clone().checked_add_multiple(right, -1)
}

fn not_negative(row: Row) -> Formula {
    Formula::NotNegative(row)
}

fn not_zero(row: &Row) -> Option<Formula> {
    Some(Formula::Any(vec![at_least(row, 1)?, at_most(row, -1)?]))
}

fn at_most(row: &Row, most: i64) -> Option<Formula> {
    Some(not_negative(Row::constant(most).checked_add_multiple(row, -1)?))
}

fn at_least(row: &Row, least: i64) -> Option<Formula> {
    Some(not_negative(row.clone().checked_add_constant(least.checked_neg()?)?))
}

/// The greatest (with sign 1) or least (-1) of some rows: on the right side of each, and one of them.
fn extreme(result: &Row, operands: &[Row], sign: i64) -> Option<Vec<Formula>> {
    let mut known = Vec::new();
    let mut one_of = Vec::new();
    for operand in operands {
        let distance = minus(result, operand)?.checked_mul(sign)?;
        one_of.push(Formula::Zero(distance.clone()));
        known.push(not_negative(distance));
    }
    known.push(Formula::Any(one_of));
    Some(known)
}

/// `left / right`, truncated: exact for a constant divisor, else that it lies between 0 and what is divided.
fn quotient(result: &Row, left: &Row, right: &Row) -> Option<Vec<Formula>> {
    let Some(divisor) = right.as_constant() else {
        let within = not_negative(minus(left, result)?);
        let known = Formula::All(vec![not_negative(result.clone()), within]);
        return Some(vec![Formula::Any(vec![at_most(left, -1)?, at_most(right, 0)?, known])]);
    };
    let rest = minus(left, &result.clone().checked_mul(divisor)?)?;
    let most = i64::try_from(divisor.unsigned_abs()).ok()? - 1;
    let positive = vec![not_negative(left.clone()), not_negative(rest.clone()), at_most(&rest, most)?];
    let negative = vec![at_most(left, 0)?, at_most(&rest, 0)?, at_least(&rest, most.checked_neg()?)?];
    Some(vec![Formula::Any(vec![Formula::All(positive), Formula::All(negative)])])
}

/// What is said of a product: the sign, and that factors of at least 1 make it no smaller.
fn product(result: &Row, left: &Row, right: &Row) -> Option<Vec<Formula>> {
    let grows = |factor: &Row, other: &Row| -> Option<Formula> {
        Some(Formula::Any(vec![at_most(factor, 0)?, at_most(other, -1)?, not_negative(minus(result, other)?)]))
    };
    let vanishes = |factor: &Row| -> Option<Formula> {
        let both = Formula::All(vec![Formula::Zero(factor.clone()), Formula::Zero(result.clone())]);
        Some(Formula::Any(vec![at_least(factor, 1)?, at_most(factor, -1)?, both]))
    };
    Some(vec![grows(left, right)?, grows(right, left)?, vanishes(left)?, vanishes(right)?])
}
