//! Conditions as linear formulae: each place and each operation is a variable.

use rustc_hash::FxHashMap;

use crate::symbolic::{Affine, Applied, Atom, Condition, Operation, Place, Relation, Term};

/// A variable of a problem.
pub type Variable = u32;

/// A sum over variables.
pub type Row = Affine<Variable>;

/// A formula over rows.
#[derive(Clone, Debug)]
pub enum Formula {
    /// How a row compares with 0.
    Row(Relation, Row),
    /// All of these hold; nothing is true.
    All(Vec<Formula>),
    /// At least one of these holds; nothing is false.
    Any(Vec<Formula>),
}

/// A linear formula that holds if a condition does.
#[derive(Debug)]
pub struct Problem {
    /// All that holds: the condition, and what is known of its operations.
    pub formulas: Vec<Formula>,
    variables: FxHashMap<Atom, Variable>,
    products: usize,
}

/// Products of which something is said: each brings choices with it.
const MOST_PRODUCTS: usize = 3;

impl Problem {
    /// The problem of a condition; `None` on overflow.
    pub fn new(condition: &Condition) -> Option<Self> {
        let mut problem = Problem { formulas: Vec::new(), variables: FxHashMap::default(), products: 0 };
        let formula = problem.formula(condition)?;
        problem.formulas.push(formula);
        Some(problem)
    }

    /// How many variables there are.
    pub fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// The places with their variables.
    pub fn places(&self) -> impl Iterator<Item = (Place, Variable)> + '_ {
        self.variables.iter().filter_map(|(atom, &variable)| match atom {
            Atom::Place(place) => Some((*place, variable)),
            Atom::Applied(_) => None,
        })
    }

    fn formula(&mut self, condition: &Condition) -> Option<Formula> {
        Some(match condition {
            Condition::True => Formula::All(Vec::new()),
            Condition::False => Formula::Any(Vec::new()),
            Condition::Compare(relation, term) => Formula::Row(*relation, self.row(term)?),
            Condition::Logical(place, value) => {
                let row = Affine::atom(self.variable(&Atom::Place(*place))?);
                if *value { Formula::Row(Relation::NotZero, row) } else { Formula::Row(Relation::Zero, row) }
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

    fn variable(&mut self, atom: &Atom) -> Option<Variable> {
        if let Some(&known) = self.variables.get(atom) {
            return Some(known);
        }
        let variable = self.variables.len() as Variable;
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
        Some(vec![
            Formula::Row(Relation::Zero, balance),
            Formula::Any(vec![Formula::All(positive), Formula::All(negative)]),
        ])
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
        Some(std::iter::once(Formula::Row(Relation::Zero, balance)).chain(range).collect())
    }

    /// A variable that stands for nothing that is asked.
    fn fresh(&mut self) -> Variable {
        let variable = self.variables.len() as Variable;
        // A name that no term has: the maximum of nothing.
        let unused = Applied { operation: Operation::Maximum, operands: vec![Term::constant(i64::from(variable))] };
        self.variables.insert(Atom::Applied(unused.into()), variable);
        variable
    }
}

fn minus(left: &Row, right: &Row) -> Option<Row> {
    left.clone().checked_add_multiple(right, -1)
}

fn not_negative(row: Row) -> Formula {
    Formula::Row(Relation::NotNegative, row)
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
        one_of.push(Formula::Row(Relation::Zero, distance.clone()));
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
        let zero = Formula::Row(Relation::Zero, factor.clone());
        Some(Formula::Any(vec![
            Formula::Row(Relation::NotZero, factor.clone()),
            Formula::All(vec![zero, Formula::Row(Relation::Zero, result.clone())]),
        ]))
    };
    Some(vec![grows(left, right)?, grows(right, left)?, vanishes(left)?, vanishes(right)?])
}
