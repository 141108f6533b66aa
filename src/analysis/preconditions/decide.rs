//! Whether a condition can hold: as one on integers, for the solver.
//!
//! A text that is compared with literals is an integer that says which of them it is. A real that is compared with
//! numbers is an integer that says between which of them it lies, below 0 where it has no order (NaN). Other
//! comparisons of reals say how the two lie to each other. What is left is a truth value of its own. So the answer
//! *impossible* is always right.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::build::number;
use super::formula::{Formula, Kind, Operator, Type};
use super::relation::{Comparison, Relation};
use crate::solve::Procedure;
use crate::solve::conditions::{ConditionSolver, SharedAnswers};
use crate::symbolic::{self, Condition, Place, Term, constant, place_term};

/// Larger conditions are not asked about.
const LARGEST: u32 = 400;

/// A solver of formulas.
#[derive(Debug)]
pub struct Decider {
    solver: RefCell<ConditionSolver>,
    /// What was answered before.
    known: RefCell<FxHashMap<Formula, Option<bool>>>,
}

impl Decider {
    /// A solver with a procedure, which knows what others have answered.
    pub fn new(procedure: Procedure, answers: &Arc<SharedAnswers>) -> Self {
        let solver = ConditionSolver::new(procedure, Arc::clone(answers));
        Decider { solver: RefCell::new(solver), known: RefCell::default() }
    }

    /// Whether a condition certainly never holds.
    pub fn is_impossible(&self, formula: &Formula) -> bool {
        self.answer(formula) == Some(false)
    }

    /// Whether a condition certainly holds for some values.
    pub fn is_possible(&self, formula: &Formula) -> bool {
        self.answer(formula) == Some(true)
    }

    fn answer(&self, formula: &Formula) -> Option<bool> {
        if let Kind::Logical(value) = formula.kind() {
            return Some(*value);
        }
        if formula.size() > LARGEST {
            return None;
        }
        if let Some(known) = self.known.borrow().get(formula) {
            return *known;
        }
        let mut encoding = Encoding::new(formula);
        let condition = encoding.condition(formula, true);
        let answer = self.solver.borrow_mut().can_hold(&condition);
        self.known.borrow_mut().insert(formula.clone(), answer);
        answer
    }
}

/// The places that parts of a formula become.
#[derive(Default)]
struct Encoding {
    places: FxHashMap<Formula, Place>,
    /// The texts that any expression is compared with.
    texts: FxHashMap<Formula, i64>,
    /// The numbers that each real expression is compared with, in order.
    numbers: FxHashMap<Formula, Vec<f64>>,
}

impl Encoding {
    fn new(formula: &Formula) -> Self {
        let mut made = Encoding::default();
        formula.any_node(&mut |node| {
            if let Kind::Compare(_, left, right) = node.kind()
                && !is_integer(left, right)
                && let Some(value) = number(right)
            {
                let known = made.numbers.entry(left.clone()).or_default();
                if !known.contains(&value) {
                    known.push(value);
                }
            }
            false
        });
        for numbers in made.numbers.values_mut() {
            numbers.sort_by(f64::total_cmp);
        }
        made
    }

    fn place(&mut self, of: &Formula) -> Place {
        let next = Place(u32::try_from(self.places.len()).unwrap_or(u32::MAX));
        *self.places.entry(of.clone()).or_insert(next)
    }

    /// The condition, or its negation.
    fn condition(&mut self, formula: &Formula, holds: bool) -> Condition {
        match formula.kind() {
            Kind::Logical(value) if *value == holds => Condition::True,
            Kind::Logical(_) => Condition::False,
            Kind::All(parts) | Kind::Any(parts) => {
                let is_all = matches!(formula.kind(), Kind::All(_)) == holds;
                let parts: Vec<Condition> = parts.iter().map(|part| self.condition(part, holds)).collect();
                if is_all { Condition::all(parts) } else { Condition::any(parts) }
            }
            Kind::Not(inner) => self.condition(inner, !holds),
            Kind::Equivalent(left, right) => {
                let both = [self.condition(left, true), self.condition(right, holds)];
                let neither = [self.condition(left, false), self.condition(right, !holds)];
                Condition::any([Condition::all(both), Condition::all(neither)])
            }
            Kind::Compare(of, left, right) if left.rank() == 0 && right.rank() == 0 => {
                let made = self.compare(*of, left, right);
                let made = made.unwrap_or_else(|| self.truth(formula));
                if holds { made } else { made.not() }
            }
            _ => {
                let made = self.truth(formula);
                if holds { made } else { made.not() }
            }
        }
    }

    fn truth(&mut self, formula: &Formula) -> Condition {
        Condition::Logical(self.place(formula), true)
    }

    fn compare(&mut self, of: Comparison, left: &Formula, right: &Formula) -> Option<Condition> {
        if is_integer(left, right) {
            let (left, right) = (self.term(left)?, self.term(right)?);
            return relation(of.without_nan(), &left, &right);
        }
        if let (Kind::Text(_), relation @ (Relation::Equal | Relation::NotEqual)) = (right.kind(), of.without_nan()) {
            let next = i64::try_from(self.texts.len()).ok()?;
            let code = *self.texts.entry(right.clone()).or_insert(next);
            return self::relation(relation, &place_term(self.place(left)), &constant(code));
        }
        if let Some(value) = number(right) {
            let at = self.numbers.get(left)?.iter().position(|known| *known == value)?;
            let point = i64::try_from(2 * at + 1).ok()?;
            let place = place_term(self.place(left));
            let is_number = Condition::at_most(&constant(0), &place)?;
            let made = relation(of.relation, &place, &constant(point))?;
            let made = match of.relation {
                Relation::NotEqual => made,
                _ => Condition::all([is_number, made]),
            };
            return Some(if of.is_negated { made.not() } else { made });
        }
        let is_real = |side: &Formula| matches!(side.type_(), Type::Real(_) | Type::Integer(_));
        if !is_real(left) || !is_real(right) {
            return None;
        }
        // -1, 0, 1: less, equal, greater; anything else: no order.
        let (of, left, right) = if left > right {
            (Comparison { relation: of.relation.reversed(), ..of }, right, left)
        } else {
            (of, left, right)
        };
        let pair = Formula::new(Kind::Array(vec![left.clone(), right.clone()]));
        let place = place_term(self.place(&pair));
        let is = |value: i64| Condition::equal(&place, &constant(value));
        let made = match of.relation {
            Relation::Equal => is(0)?,
            Relation::NotEqual => is(0)?.not(),
            Relation::Less => is(-1)?,
            Relation::Greater => is(1)?,
            Relation::LessEqual => Condition::any([is(-1)?, is(0)?]),
            Relation::GreaterEqual => Condition::any([is(0)?, is(1)?]),
        };
        Some(if of.is_negated { made.not() } else { made })
    }

    /// An integer expression as a term.
    fn term(&mut self, formula: &Formula) -> Option<Term> {
        match formula.kind() {
            Kind::Integer(value) => Some(constant(*value)),
            Kind::Arithmetic(operator, left, right) => {
                let (one, other) = (self.term(left)?, self.term(right)?);
                match operator {
                    Operator::Add => symbolic::sum(&one, &other),
                    Operator::Subtract => symbolic::difference(&one, &other),
                    Operator::Multiply => symbolic::product(&one, &other),
                    Operator::Divide => symbolic::quotient(&one, &other),
                    Operator::Power | Operator::Concatenate => Some(place_term(self.place(formula))),
                }
            }
            Kind::Negative(operand) => self.term(operand)?.checked_mul(-1),
            Kind::Call(name, arguments) => {
                let known = matches!(&**name, "mod" | "modulo" | "min" | "max" | "abs");
                if !known || arguments.iter().any(|one| !matches!(one.type_(), Type::Integer(_)) || one.rank() != 0) {
                    return Some(place_term(self.place(formula)));
                }
                let terms: Vec<Term> = arguments.iter().map(|one| self.term(one)).collect::<Option<_>>()?;
                match (&**name, terms.as_slice()) {
                    ("mod", [one, other]) => symbolic::remainder(one, other),
                    ("modulo", [one, other]) => symbolic::modulo(one, other),
                    ("abs", [one]) => symbolic::absolute(one.clone()),
                    ("min", _) => symbolic::minimum(terms),
                    ("max", _) => symbolic::maximum(terms),
                    _ => None,
                }
            }
            _ => Some(place_term(self.place(formula))),
        }
    }
}

fn is_integer(left: &Formula, right: &Formula) -> bool {
    matches!((left.type_(), right.type_()), (Type::Integer(_), Type::Integer(_)))
}

fn relation(relation: Relation, left: &Term, right: &Term) -> Option<Condition> {
    match relation {
        Relation::Equal => Condition::equal(left, right),
        Relation::NotEqual => Condition::equal(left, right).map(|equal| equal.not()),
        Relation::Less => Condition::less(left, right),
        Relation::LessEqual => Condition::at_most(left, right),
        Relation::Greater => Condition::less(right, left),
        Relation::GreaterEqual => Condition::at_most(right, left),
    }
}
