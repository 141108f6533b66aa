//! Integer expressions as sums.

use super::build::{arithmetic, integer, negative};
use super::formula::{Formula, Kind, Operator, Type};

/// A sum of expressions with factors, none of them 0, and a number. The order is that of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// The summands.
    pub terms: Vec<(Formula, i64)>,
    /// The number.
    pub constant: i64,
}

/// Longer sums are not looked at.
const MOST_TERMS: usize = 12;

impl Linear {
    /// An integer expression as a sum; `None` on overflow, and of anything else.
    pub fn new(formula: &Formula) -> Option<Linear> {
        let mut sum = Linear { terms: Vec::new(), constant: 0 };
        sum.add(formula, 1)?;
        sum.terms.retain(|(_, factor)| *factor != 0);
        Some(sum)
    }

    /// What is left of an expression when another one is taken from it.
    pub fn difference(left: &Formula, right: &Formula) -> Option<Linear> {
        let mut sum = Linear::new(left)?;
        sum.add(right, -1)?;
        sum.terms.retain(|(_, factor)| *factor != 0);
        Some(sum)
    }

    fn add(&mut self, formula: &Formula, factor: i64) -> Option<()> {
        match formula.kind() {
            Kind::Integer(value) => {
                self.constant = self.constant.checked_add(value.checked_mul(factor)?)?;
            }
            Kind::Arithmetic(Operator::Add, left, right) => {
                self.add(left, factor)?;
                self.add(right, factor)?;
            }
            Kind::Arithmetic(Operator::Subtract, left, right) => {
                self.add(left, factor)?;
                self.add(right, factor.checked_neg()?)?;
            }
            Kind::Negative(operand) => self.add(operand, factor.checked_neg()?)?,
            Kind::Arithmetic(Operator::Multiply, left, right) => match (left.as_integer(), right.as_integer()) {
                (Some(number), _) => self.add(right, factor.checked_mul(number)?)?,
                (_, Some(number)) => self.add(left, factor.checked_mul(number)?)?,
                _ => self.add_atom(formula, factor)?,
            },
            _ => self.add_atom(formula, factor)?,
        }
        Some(())
    }

    fn add_atom(&mut self, atom: &Formula, factor: i64) -> Option<()> {
        if !matches!(atom.type_(), Type::Integer(_)) || atom.rank() != 0 {
            return None;
        }
        if let Some((_, known)) = self.terms.iter_mut().find(|(other, _)| other == atom) {
            *known = known.checked_add(factor)?;
            return Some(());
        }
        (self.terms.len() < MOST_TERMS).then(|| self.terms.push((atom.clone(), factor)))
    }

    /// The factor of an expression.
    pub fn factor(&self, atom: &Formula) -> i64 {
        self.terms.iter().find(|(other, _)| other == atom).map_or(0, |(_, factor)| *factor)
    }

    /// The sum as an expression.
    pub fn formula(&self) -> Formula {
        let mut made: Option<Formula> = None;
        let raw = |operator, left, right| Formula::new(Kind::Arithmetic(operator, left, right));
        // What is positive comes first: `n - k`, not `-k + n`.
        let (positive, negative_terms): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(_, factor)| *factor > 0);
        for (atom, factor) in positive {
            let term = scaled(atom, *factor);
            made = Some(made.map_or(term.clone(), |sum| raw(Operator::Add, sum, term)));
        }
        if made.is_none() && self.constant != 0 && !negative_terms.is_empty() {
            made = Some(integer(self.constant));
            for (atom, factor) in negative_terms {
                made = made.map(|sum| raw(Operator::Subtract, sum, scaled(atom, -factor)));
            }
            return made.unwrap_or_else(|| integer(self.constant));
        }
        for (atom, factor) in negative_terms {
            let term = scaled(atom, factor.saturating_neg());
            made = Some(match made {
                Some(sum) => raw(Operator::Subtract, sum, term),
                None => negative(term),
            });
        }
        match (made, self.constant) {
            (None, constant) => integer(constant),
            (Some(sum), 0) => sum,
            (Some(sum), constant) if constant > 0 => raw(Operator::Add, sum, integer(constant)),
            (Some(sum), constant) => raw(Operator::Subtract, sum, integer(constant.saturating_neg())),
        }
    }
}

fn scaled(atom: &Formula, factor: i64) -> Formula {
    if factor == 1 { atom.clone() } else { arithmetic(Operator::Multiply, integer(factor), atom.clone()) }
}
