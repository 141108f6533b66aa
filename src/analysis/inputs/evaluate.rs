//! The values of expressions on data, as the compiled program computes them: integers of their kinds, reals of kinds 4
//! and 8 rounded after each operation, texts compared as if padded with blanks.
//!
//! What is not known makes what depends on it unknown, so a condition that is false is false in the program. So are
//! operations whose result is left to the processor: an integer that overflows, functions that are not exact.

use smallvec::SmallVec;

use super::arithmetic::{Data, both, each, operation};
use super::cells::{Cells, Origin, element_number};
use super::expression::{Expression, Subscript, Variable, VariableId};
use super::functions;
use super::types::type_of;
use super::value::{DataType, Value};

/// The most elements that a condition is evaluated for.
const MOST_ELEMENTS: i128 = 1 << 22;

/// Evaluates expressions.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'c> {
    /// The variables.
    pub variables: &'c [Variable],
    /// What is known of them.
    pub cells: &'c Cells,
    /// Whether a value that broke a condition counts; else it is unknown.
    pub counts_broken: bool,
    /// The variables of the quantifiers around.
    pub bound: Option<&'c Bound<'c>>,
}

/// The value of the variable of a quantifier.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'b> {
    variable: VariableId,
    value: i64,
    outer: Option<&'b Bound<'b>>,
}

impl<'c> Evaluator<'c> {
    /// The same where a variable has a value.
    fn with<'b>(&self, bound: &'b Bound<'b>) -> Evaluator<'b>
    where
        'c: 'b,
    {
        Evaluator {
            variables: self.variables,
            cells: self.cells,
            counts_broken: self.counts_broken,
            bound: Some(bound),
        }
    }

    /// The value of a variable that a quantifier gives it.
    fn bound_value(&self, variable: VariableId) -> Option<i64> {
        let mut bound = self.bound;
        while let Some(one) = bound {
            if one.variable == variable {
                return Some(one.value);
            }
            bound = one.outer;
        }
        None
    }

    /// The truth of a condition, if it is known.
    pub fn truth(&self, condition: &Expression) -> Option<bool> {
        match condition {
            Expression::And(parts) => self.connected(parts, false),
            Expression::Or(parts) => self.connected(parts, true),
            Expression::Not(of) => self.truth(of).map(|value| !value),
            Expression::All { variable, lower, upper, step, condition } => {
                let mut all = Some(true);
                for value in self.range(lower, upper, *step)? {
                    let bound = Bound { variable: *variable, value, outer: self.bound };
                    match self.with(&bound).truth(condition) {
                        Some(false) => return Some(false),
                        None => all = None,
                        Some(true) => {}
                    }
                }
                all
            }
            _ => match self.scalar(condition)? {
                Value::Logical(value) => Some(value),
                _ => None,
            },
        }
    }

    /// The values of the variable of a quantifier.
    fn range(&self, lower: &Expression, upper: &Expression, step: i64) -> Option<impl Iterator<Item = i64> + use<>> {
        let (lower, upper) = (self.integer(lower)?, self.integer(upper)?);
        let count = trip_count(lower, upper, step.into())?;
        let (lower, step) = (i64::try_from(lower).ok()?, step);
        let count = i64::try_from(count).ok().filter(|&count| i128::from(count) <= MOST_ELEMENTS)?;
        Some((0..count).map(move |round| lower + round * step))
    }

    /// A conjunction (`decides` false) or a disjunction (true).
    fn connected(&self, parts: &[Expression], decides: bool) -> Option<bool> {
        let mut result = Some(!decides);
        for part in parts {
            match self.truth(part) {
                Some(value) if value == decides => return Some(decides),
                None => result = None,
                Some(_) => {}
            }
        }
        result
    }

    /// The value of a scalar expression, if it is known.
    pub fn scalar(&self, expression: &Expression) -> Option<Value> {
        match self.data(expression) {
            Data::Scalar(value) => value,
            Data::Array(_) => None,
        }
    }

    /// The value of an integer expression, if it is known.
    pub fn integer(&self, expression: &Expression) -> Option<i128> {
        match self.scalar(expression)? {
            Value::Integer(value) => Some(value),
            _ => None,
        }
    }

    fn variable(&self, variable: VariableId) -> Option<&Variable> {
        self.variables.get(variable.index())
    }

    /// An element, by its number.
    fn element(&self, variable: VariableId, number: usize) -> Option<Value> {
        let cell = self.cells.element(variable, number)?;
        if cell.is_broken && !self.counts_broken { None } else { cell.value.clone() }
    }

    /// The number of the element with these subscripts, if they are known.
    pub fn element_of(&self, variable: VariableId, subscripts: &[Expression]) -> Option<usize> {
        let subscripts: Option<SmallVec<[i128; 4]>> = subscripts.iter().map(|it| self.integer(it)).collect();
        element_number(self.cells.bounds(variable), &subscripts?)
    }

    /// The numbers of the elements that a reference means, if they are known.
    pub fn element_numbers(&self, reference: &Expression) -> Option<Vec<usize>> {
        match reference {
            Expression::Variable(variable) => {
                let bounds = self.cells.bounds(*variable);
                let count = bounds.iter().try_fold(1usize, |count, bounds| {
                    count.checked_mul(usize::try_from((bounds[1]? - bounds[0]? + 1).max(0)).ok()?)
                });
                Some((0..count.filter(|&count| count as i128 <= MOST_ELEMENTS)?).collect())
            }
            Expression::Element(variable, subscripts) => Some(vec![self.element_of(*variable, subscripts)?]),
            Expression::Section(variable, subscripts) => self.section(self.cells.bounds(*variable), subscripts),
            _ => None,
        }
    }

    fn section(&self, of: &[[Option<i64>; 2]], subscripts: &[Subscript]) -> Option<Vec<usize>> {
        let mut indices: Vec<Vec<i128>> = vec![Vec::new()];
        if of.len() != subscripts.len() {
            return None;
        }
        let mut ranges = Vec::new();
        for (subscript, bounds) in subscripts.iter().zip(of) {
            ranges.push(match subscript {
                Subscript::Index(index) => vec![self.integer(index)?],
                Subscript::Range(lower, upper, step) => {
                    let bound = |given: &Option<Expression>, declared: Option<i64>| match given {
                        Some(given) => self.integer(given),
                        None => declared.map(i128::from),
                    };
                    let (lower, upper) = (bound(lower, bounds[0])?, bound(upper, bounds[1])?);
                    let step = step.as_ref().map_or(Some(1), |step| self.integer(step))?;
                    let count = trip_count(lower, upper, step).filter(|&count| count <= MOST_ELEMENTS)?;
                    (0..count).map(|round| lower + round * step).collect()
                }
            });
        }
        // The first subscript varies fastest.
        for range in ranges.iter().rev() {
            if (indices.len() as i128).checked_mul(range.len() as i128)? > MOST_ELEMENTS {
                return None;
            }
            let mut longer = Vec::with_capacity(indices.len() * range.len());
            for behind in &indices {
                for &index in range {
                    longer.push([&[index], behind.as_slice()].concat());
                }
            }
            indices = longer;
        }
        indices.iter().map(|index| element_number(of, index)).collect()
    }

    /// The value of an expression.
    pub fn data(&self, expression: &Expression) -> Data {
        match expression {
            Expression::Constant(value) => Data::Scalar(Some(value.clone())),
            Expression::Variable(variable) if self.variable(*variable).is_some_and(|it| it.bounds.is_empty()) => {
                let bound = self.bound_value(*variable).map(|value| Value::Integer(value.into()));
                Data::Scalar(bound.or_else(|| self.element(*variable, 0)))
            }
            Expression::Variable(variable) | Expression::Section(variable, _) => match self.element_numbers(expression)
            {
                Some(numbers) => Data::Array(numbers.into_iter().map(|it| self.element(*variable, it)).collect()),
                None => Data::Scalar(None),
            },
            Expression::Element(variable, subscripts) => {
                let number = self.element_of(*variable, subscripts);
                Data::Scalar(number.and_then(|number| self.element(*variable, number)))
            }
            Expression::Substring(of, from, to) => Data::Scalar(self.substring(of, from, to.as_deref())),
            Expression::And(_) | Expression::Or(_) | Expression::All { .. } => {
                Data::Scalar(self.truth(expression).map(Value::Logical))
            }
            Expression::Not(of) => each(self.data(of), &|value| match value {
                Value::Logical(value) => Some(Value::Logical(!value)),
                _ => None,
            }),
            Expression::Negate(of) => each(self.data(of), &|value| {
                Some(match value {
                    Value::Integer(value) => Value::Integer(-value),
                    Value::Real(value, kind) => Value::Real(-value, *kind),
                    Value::Complex(re, im, kind) => Value::Complex(-re, -im, *kind),
                    Value::Logical(_) | Value::Character(_) => return None,
                })
            }),
            Expression::Binary(operator, left, right) => {
                let kind = match type_of(expression, self.variables) {
                    Some(DataType::Integer(kind @ (1 | 2))) => kind,
                    _ => 16,
                };
                // What short integers do beyond their range is left to the compiler.
                let is_held = |value: &Value| match value {
                    Value::Integer(value) => DataType::integer_of_kind(*value, kind) == *value,
                    _ => true,
                };
                both(self.data(left), self.data(right), &|left, right| {
                    operation(*operator, left, right).filter(is_held)
                })
            }
            Expression::Call(name, arguments) => {
                functions::call(name, arguments.iter().map(|argument| self.data(argument)).collect())
            }
            Expression::Array(parts) => {
                let mut elements = Vec::new();
                for part in parts {
                    match self.data(part) {
                        Data::Scalar(value) => elements.push(value),
                        Data::Array(more) => elements.extend(more),
                    }
                }
                Data::Array(elements)
            }
            Expression::Unknown => Data::Scalar(None),
        }
    }

    fn substring(&self, of: &Expression, from: &Expression, to: Option<&Expression>) -> Option<Value> {
        let Value::Character(text) = self.scalar(of)? else { return None };
        let from = usize::try_from(self.integer(from)?).ok()?.checked_sub(1)?;
        let to = match to {
            Some(to) => usize::try_from(self.integer(to)?.max(0)).ok()?,
            None => text.len(),
        };
        // Behind its last character that is no blank a text has blanks.
        Some(Value::text(text.get(from..to.min(text.len())).unwrap_or_default()))
    }

    /// The value read last among those that make a condition false.
    pub fn witness(&self, condition: &Expression) -> Option<Origin> {
        match condition {
            // One part that is false is enough.
            Expression::And(parts) => {
                let broken = parts.iter().filter(|part| self.truth(part) == Some(false));
                broken.filter_map(|part| self.witness(part)).min()
            }
            Expression::All { variable, lower, upper, step, condition } => {
                let broken = self.range(lower, upper, *step)?.find(|&value| {
                    let bound = Bound { variable: *variable, value, outer: self.bound };
                    self.with(&bound).truth(condition) == Some(false)
                });
                let bound = Bound { variable: *variable, value: broken?, outer: self.bound };
                self.with(&bound).witness(condition)
            }
            Expression::Call(name, arguments) if name == "all" => self.element_witness(arguments.first()?),
            _ => self.last_origin(condition),
        }
    }

    /// The value read last among those of the first element that is false.
    fn element_witness(&self, mask: &Expression) -> Option<Origin> {
        let Data::Array(elements) = self.data(mask) else { return self.last_origin(mask) };
        let broken = elements.iter().position(|it| *it == Some(Value::Logical(false)))?;
        let single = mask.replaced(&|part| match part {
            Expression::Variable(variable) | Expression::Section(variable, _) => {
                let numbers = self.element_numbers(part).filter(|numbers| numbers.len() == elements.len())?;
                let subscripts = self.subscripts(*variable, *numbers.get(broken)?)?;
                Some(Expression::Element(*variable, subscripts))
            }
            _ => None,
        });
        self.last_origin(&single)
    }

    /// The subscripts of an element.
    fn subscripts(&self, variable: VariableId, number: usize) -> Option<Vec<Expression>> {
        let mut left = i64::try_from(number).ok()?;
        let mut subscripts = Vec::new();
        for bounds in self.cells.bounds(variable) {
            let lower = bounds[0]?;
            match bounds[1] {
                Some(upper) if upper >= lower => {
                    subscripts.push(Expression::integer(lower + left % (upper - lower + 1)));
                    left /= upper - lower + 1;
                }
                _ => subscripts.push(Expression::integer(lower + left)),
            }
        }
        (!subscripts.is_empty()).then_some(subscripts)
    }

    /// The value read last among those that an expression mentions.
    fn last_origin(&self, expression: &Expression) -> Option<Origin> {
        let own = match expression {
            Expression::Variable(variable) | Expression::Element(variable, _) | Expression::Section(variable, _) => {
                let numbers = match self.variable(*variable) {
                    _ if self.bound_value(*variable).is_some() => Vec::new(),
                    Some(it) if it.bounds.is_empty() => vec![0],
                    _ => self.element_numbers(expression).unwrap_or_default(),
                };
                numbers.iter().filter_map(|&number| self.cells.element(*variable, number)?.origin).max()
            }
            _ => None,
        };
        let mut last = own;
        expression.each_part(&mut |part| last = last.max(self.last_origin(part)));
        last
    }
}

/// How often a loop runs.
pub fn trip_count(lower: i128, upper: i128, step: i128) -> Option<i128> {
    let distance = upper.checked_sub(lower)?.checked_add(step)?;
    distance.checked_div(step).map(|count| count.max(0))
}
