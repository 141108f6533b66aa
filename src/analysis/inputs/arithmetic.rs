//! Operations on values, element by element for arrays, as the compiled program computes them.

use std::cmp::Ordering;

use super::expression::Operator;
use super::value::Value;

/// A value of any rank; elements in array element order.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    /// A scalar, if it is known.
    Scalar(Option<Value>),
    /// The elements of an array.
    Array(Vec<Option<Value>>),
}

/// What a function makes of each element.
pub fn each(data: Data, function: &impl Fn(&Value) -> Option<Value>) -> Data {
    match data {
        Data::Scalar(value) => Data::Scalar(value.as_ref().and_then(function)),
        Data::Array(values) => Data::Array(values.iter().map(|value| value.as_ref().and_then(function)).collect()),
    }
}

/// What a function makes of each pair of elements.
pub fn both(left: Data, right: Data, function: &impl Fn(&Value, &Value) -> Option<Value>) -> Data {
    let pair = |left: &Option<Value>, right: &Option<Value>| function(left.as_ref()?, right.as_ref()?);
    match (left, right) {
        (Data::Scalar(left), Data::Scalar(right)) => Data::Scalar(pair(&left, &right)),
        (Data::Array(left), Data::Scalar(right)) => Data::Array(left.iter().map(|left| pair(left, &right)).collect()),
        (Data::Scalar(left), Data::Array(right)) => Data::Array(right.iter().map(|right| pair(&left, right)).collect()),
        (Data::Array(left), Data::Array(right)) if left.len() == right.len() => {
            Data::Array(left.iter().zip(&right).map(|(left, right)| pair(left, right)).collect())
        }
        (Data::Array(_), Data::Array(_)) => Data::Scalar(None),
    }
}

/// The kind of the result of an operation on a real and something else.
fn real_kind(left: &Value, right: &Value) -> u8 {
    let kind = |value: &Value| match value {
        Value::Real(_, kind) | Value::Complex(_, _, kind) => *kind,
        Value::Integer(_) | Value::Logical(_) | Value::Character(_) => 0,
    };
    kind(left).max(kind(right))
}

/// A number as a real of a kind.
pub fn as_real(value: &Value, kind: u8) -> Option<f64> {
    match *value {
        Value::Integer(value) => Some(if kind == 4 { f64::from(value as f32) } else { value as f64 }),
        Value::Real(value, _) => Some(value),
        Value::Complex(..) | Value::Logical(_) | Value::Character(_) => None,
    }
}

/// A real result, rounded to its kind.
pub fn rounded(value: f64, kind: u8) -> Value {
    Value::Real(if kind == 4 { f64::from(value as f32) } else { value }, kind)
}

/// The order of two texts, the shorter one padded with blanks.
fn text_order(left: &[u8], right: &[u8]) -> Ordering {
    let length = left.len().max(right.len());
    let padded = |text: &'_ [u8], at: usize| text.get(at).copied().unwrap_or(b' ');
    (0..length).map(|at| padded(left, at).cmp(&padded(right, at))).find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
}

/// An operation on two values; nothing where the result is not known exactly.
pub fn operation(operator: Operator, left: &Value, right: &Value) -> Option<Value> {
    if let (Value::Integer(left), Value::Integer(right)) = (left, right)
        && let Some(value) = integer_operation(operator, *left, *right)
    {
        return value;
    }
    if matches!(left, Value::Complex(..)) || matches!(right, Value::Complex(..)) {
        return complex_operation(operator, left, right);
    }
    if let (Some(one), Some(other)) = (as_real(left, real_kind(left, right)), as_real(right, real_kind(left, right)))
        && let Some(value) = real_operation(operator, one, other, real_kind(left, right))
    {
        return Some(value);
    }
    let order = match (left, right) {
        (Value::Character(left), Value::Character(right)) => Some(text_order(left, right)),
        (Value::Logical(left), Value::Logical(right)) => {
            return match operator {
                Operator::Equivalent | Operator::Equal => Some(Value::Logical(left == right)),
                Operator::NotEquivalent | Operator::NotEqual => Some(Value::Logical(left != right)),
                _ => None,
            };
        }
        (Value::Integer(left), Value::Integer(right)) => Some(left.cmp(right)),
        _ => {
            let kind = real_kind(left, right);
            as_real(left, kind)?.partial_cmp(&as_real(right, kind)?)
        }
    };
    let truth = match operator {
        Operator::Equal => order == Some(Ordering::Equal),
        Operator::NotEqual => order != Some(Ordering::Equal),
        Operator::Less => order == Some(Ordering::Less),
        Operator::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Operator::Greater => order == Some(Ordering::Greater),
        Operator::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => return None,
    };
    Some(Value::Logical(truth))
}

/// Arithmetic on integers; the outer option: whether it is arithmetic. A result that default integers don't hold is not
/// known, as the kind of the operands is not.
fn integer_operation(operator: Operator, left: i128, right: i128) -> Option<Option<Value>> {
    let value = match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Power => u32::try_from(right).ok().and_then(|right| left.checked_pow(right)),
        _ => return None,
    };
    let is_held = |value: &i128| i32::try_from(*value).is_ok();
    Some(value.filter(is_held).map(Value::Integer))
}

/// Arithmetic on reals; nothing for comparisons. Powers are not exact.
fn real_operation(operator: Operator, left: f64, right: f64, kind: u8) -> Option<Value> {
    let value = match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        _ => return None,
    };
    // Operands of kind 4 have at most 24 digits: rounding twice gives what rounding once does.
    Some(rounded(value, kind))
}

fn complex_operation(operator: Operator, left: &Value, right: &Value) -> Option<Value> {
    let parts = |value: &Value| match *value {
        Value::Complex(re, im, _) => Some((re, im)),
        _ => Some((as_real(value, real_kind(left, right))?, 0.0)),
    };
    let is_equal = parts(left)? == parts(right)?;
    match operator {
        Operator::Equal => Some(Value::Logical(is_equal)),
        Operator::NotEqual => Some(Value::Logical(!is_equal)),
        _ => None,
    }
}
