//! Conditions as a person would write them: constants are added up, and of alternatives on one integer those are left
//! out that others imply.

use super::expression::{Expression, Operator, Variable};
use super::types::type_of;
use super::value::{DataType, Value};

/// A condition in fewer words.
pub fn simplified(condition: &Expression, variables: &[Variable]) -> Expression {
    Simplifier { variables }.condition(condition)
}

/// Ranges of integers, in order and apart from each other.
type Ranges = Vec<(i128, i128)>;

const LEAST: i128 = i128::MIN / 4;
const MOST: i128 = i128::MAX / 4;

struct Simplifier<'v> {
    variables: &'v [Variable],
}

impl Simplifier<'_> {
    fn condition(&self, of: &Expression) -> Expression {
        match of {
            Expression::And(parts) => {
                parts.iter().fold(Expression::logical(true), |all, part| all.and(self.condition(part)))
            }
            Expression::Or(parts) => {
                let joined = parts.iter().fold(Expression::logical(false), |any, part| any.or(self.condition(part)));
                match joined {
                    Expression::Or(parts) => self.alternatives(parts),
                    other => other,
                }
            }
            Expression::All { variable, lower, upper, step, condition } => Expression::All {
                variable: *variable,
                lower: Box::new(self.sums(lower)),
                upper: Box::new(self.sums(upper)),
                step: *step,
                condition: Box::new(self.condition(condition)),
            },
            other => self.sums(other),
        }
    }

    /// An expression with constants added up: `i + 1 - 1` is `i`. Of reals that would be another value.
    fn sums(&self, of: &Expression) -> Expression {
        of.replaced(&|part| match part {
            Expression::Binary(operator @ (Operator::Add | Operator::Subtract), left, right) => {
                let (left, right) = (self.sums(left), self.sums(right));
                Some(self.sum(*operator, left, right))
            }
            Expression::Call(name, arguments) if name == "abs" => match arguments.as_slice() {
                [Expression::Constant(Value::Integer(value))] => {
                    Some(Expression::Constant(Value::Integer(value.abs())))
                }
                _ => None,
            },
            _ => None,
        })
    }

    fn sum(&self, operator: Operator, left: Expression, right: Expression) -> Expression {
        let sum = Expression::binary(operator, left, right);
        let (term, constant) = self.split(&sum);
        let is_nested = matches!(&sum, Expression::Binary(_, left, _) if self.split(left).1 != 0);
        match i64::try_from(constant) {
            Ok(0) if is_nested => term.clone(),
            Ok(constant @ 1..) if is_nested => {
                Expression::binary(Operator::Add, term.clone(), Expression::integer(constant))
            }
            Ok(constant) if is_nested && constant > i64::MIN => {
                Expression::binary(Operator::Subtract, term.clone(), Expression::integer(-constant))
            }
            _ => sum,
        }
    }

    /// An integer as something and a constant that is added to it.
    fn split<'e>(&self, of: &'e Expression) -> (&'e Expression, i128) {
        if let Expression::Binary(operator @ (Operator::Add | Operator::Subtract), left, right) = of
            && let Expression::Constant(Value::Integer(constant)) = right.as_ref()
            && self.is_integer(left)
        {
            let (term, inner) = self.split(left);
            let constant = if *operator == Operator::Add { *constant } else { -constant };
            return (term, inner + constant);
        }
        (of, 0)
    }

    fn is_integer(&self, of: &Expression) -> bool {
        matches!(type_of(of, self.variables), Some(DataType::Integer(_)))
    }

    /// What a comparison of an integer with a constant says of it.
    fn ranges<'e>(&self, of: &'e Expression) -> Option<(&'e Expression, Ranges)> {
        let (operator, left, right) = match of {
            Expression::Binary(operator, left, right) => (*operator, left, right),
            Expression::Not(of) => match of.as_ref() {
                Expression::Binary(operator, left, right) => (operator.opposite()?, left, right),
                _ => return None,
            },
            _ => return None,
        };
        let Expression::Constant(Value::Integer(value)) = right.as_ref() else { return None };
        if !self.is_integer(left) || left.has_unknown() {
            return None;
        }
        let (term, added) = self.split(left);
        let value = value - added;
        let ranges = match operator {
            Operator::Equal => vec![(value, value)],
            Operator::NotEqual => vec![(LEAST, value - 1), (value + 1, MOST)],
            Operator::Less => vec![(LEAST, value - 1)],
            Operator::LessEqual => vec![(LEAST, value)],
            Operator::Greater => vec![(value + 1, MOST)],
            Operator::GreaterEqual => vec![(value, MOST)],
            _ => return None,
        };
        Some((term, ranges))
    }

    /// Alternatives without those that others imply.
    fn alternatives(&self, parts: Vec<Expression>) -> Expression {
        let ranges: Vec<Option<(&Expression, Ranges)>> = parts.iter().map(|part| self.ranges(part)).collect();
        let mut kept: Vec<Option<Expression>> = parts.iter().cloned().map(Some).collect();
        for (index, of) in ranges.iter().enumerate() {
            let Some((term, own)) = of else { continue };
            let same: Vec<usize> = (0..parts.len())
                .filter(|&other| ranges[other].as_ref().is_some_and(|(another, _)| another == term))
                .collect();
            let all = union(same.iter().filter_map(|&other| ranges[other].as_ref()).flat_map(|it| it.1.clone()));
            if all == [(LEAST, MOST)] {
                return Expression::logical(true);
            }
            if same.first() == Some(&index) && same.len() > 1 {
                // One of them says it all, or one that is none of them.
                let alone = same.iter().find(|&&other| ranges[other].as_ref().is_some_and(|(_, it)| *it == all));
                let one = alone.map(|&other| parts[other].clone()).or_else(|| comparison(term, &all));
                if let Some(one) = one {
                    same.iter().for_each(|&other| kept[other] = None);
                    kept[index] = Some(one);
                    continue;
                }
            }
            let is_implied = same.iter().filter(|&&other| other != index && kept[other].is_some()).any(|&other| {
                ranges[other].as_ref().is_some_and(|(_, others)| {
                    let is_within = |range: &(i128, i128)| others.iter().any(|it| it.0 <= range.0 && range.1 <= it.1);
                    own.iter().all(is_within)
                })
            });
            if is_implied {
                kept[index] = None;
            }
        }
        let is_implied = |part: &Expression| parts.iter().any(|other| is_other_value(part, other));
        let kept = kept.into_iter().flatten().filter(|part| !is_implied(part));
        kept.fold(Expression::logical(false), Expression::or)
    }
}

/// Whether a thing that equals one constant does not equal another one, as the other condition has it.
fn is_other_value(one: &Expression, other: &Expression) -> bool {
    let (Expression::Binary(Operator::Equal, left, right), Expression::Binary(Operator::NotEqual, same, another)) =
        (one, other)
    else {
        return false;
    };
    match (right.as_ref(), another.as_ref()) {
        (Expression::Constant(Value::Character(right)), Expression::Constant(Value::Character(another))) => {
            left == same && right != another
        }
        _ => false,
    }
}

/// Ranges as few as possible.
fn union(ranges: impl Iterator<Item = (i128, i128)>) -> Ranges {
    let mut ranges: Ranges = ranges.collect();
    ranges.sort_unstable();
    let mut found: Ranges = Vec::new();
    for (from, to) in ranges {
        match found.last_mut() {
            Some(last) if from <= last.1 + 1 => last.1 = last.1.max(to),
            _ => found.push((from, to)),
        }
    }
    found
}

/// The comparison that says that an integer is in ranges, if one does.
fn comparison(term: &Expression, ranges: &[(i128, i128)]) -> Option<Expression> {
    let (operator, value) = match ranges {
        [(LEAST, to)] => (Operator::LessEqual, *to),
        [(from, MOST)] => (Operator::GreaterEqual, *from),
        [(LEAST, to), (from, MOST)] if to + 2 == *from => (Operator::NotEqual, to + 1),
        _ => return None,
    };
    let value = Expression::integer(i64::try_from(value).ok()?);
    Some(Expression::binary(operator, term.clone(), value))
}
