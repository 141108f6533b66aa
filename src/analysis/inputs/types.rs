//! The types of expressions, and what a value becomes when it is assigned to a variable of another type.

use super::expression::{Expression, Operator, Variable};
use super::value::{DataType, Value};

/// The type of an expression, if it can be said.
pub fn type_of(expression: &Expression, variables: &[Variable]) -> Option<DataType> {
    match expression {
        Expression::Constant(value) => Some(match value {
            Value::Integer(_) => DataType::Integer(4),
            Value::Real(_, kind) => DataType::Real(*kind),
            Value::Complex(_, _, kind) => DataType::Complex(*kind),
            Value::Logical(_) => DataType::Logical(4),
            Value::Character(text) => DataType::Character(u32::try_from(text.len()).ok()),
        }),
        Expression::Variable(variable) | Expression::Element(variable, _) | Expression::Section(variable, _) => {
            variables.get(variable.index())?.data_type
        }
        Expression::Not(_) | Expression::And(_) | Expression::Or(_) | Expression::All { .. } => {
            Some(DataType::Logical(4))
        }
        Expression::Negate(of) => type_of(of, variables),
        Expression::Binary(operator, left, right) => match operator {
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Power => {
                let (left, right) = (type_of(left, variables)?, type_of(right, variables)?);
                Some(match (left, right) {
                    (DataType::Integer(one), DataType::Integer(other)) => DataType::Integer(one.max(other)),
                    (DataType::Real(one), DataType::Real(other)) => DataType::Real(one.max(other)),
                    (DataType::Real(kind), DataType::Integer(_)) | (DataType::Integer(_), DataType::Real(kind)) => {
                        DataType::Real(kind)
                    }
                    _ => return None,
                })
            }
            _ => Some(DataType::Logical(4)),
        },
        Expression::Array(parts) => type_of(parts.first()?, variables),
        Expression::Call(name, arguments) => match (name.as_str(), arguments.as_slice()) {
            ("abs" | "max" | "min" | "mod" | "modulo" | "sign" | "maxval" | "minval" | "sum" | "sqrt", [of, ..]) => {
                type_of(of, variables)
            }
            ("int", [_, Expression::Constant(Value::Integer(kind))]) => {
                Some(DataType::Integer(u8::try_from(*kind).ok()?))
            }
            ("int" | "nint" | "floor" | "ceiling" | "size" | "count" | "len_trim" | "index", _) => {
                Some(DataType::Integer(4))
            }
            ("real", [_, Expression::Constant(Value::Integer(kind))]) => {
                Some(DataType::Real(u8::try_from(*kind).ok()?))
            }
            ("dble", _) => Some(DataType::Real(8)),
            ("all" | "any", _) => Some(DataType::Logical(4)),
            _ => None,
        },
        Expression::Substring(..) | Expression::Unknown => None,
    }
}

/// What a variable of a type holds when a value is assigned to it; unknown where that can't be said.
pub fn converted(value: &Expression, to: Option<DataType>, variables: &[Variable]) -> Expression {
    let Some(from) = type_of(value, variables) else { return Expression::Unknown };
    match (to, from) {
        (Some(DataType::Integer(to)), DataType::Integer(from)) if from <= to => value.clone(),
        (Some(DataType::Logical(_)), DataType::Logical(_)) => value.clone(),
        (Some(DataType::Integer(to)), DataType::Integer(_)) if holds(to, value) => value.clone(),
        (Some(DataType::Integer(4)), DataType::Real(_)) => Expression::Call("int".to_owned(), vec![value.clone()]),
        (Some(DataType::Integer(to)), DataType::Integer(_) | DataType::Real(_)) => {
            Expression::Call("int".to_owned(), vec![value.clone(), Expression::integer(to.into())])
        }
        (Some(DataType::Real(to)), DataType::Real(from)) if to == from => value.clone(),
        (Some(DataType::Real(to)), DataType::Integer(_) | DataType::Real(_)) => {
            Expression::Call("real".to_owned(), vec![value.clone(), Expression::integer(to.into())])
        }
        (Some(DataType::Complex(to)), DataType::Complex(from)) if to == from => value.clone(),
        (Some(DataType::Character(Some(to))), DataType::Character(Some(from))) if from <= to => value.clone(),
        _ => Expression::Unknown,
    }
}

/// Whether an expression is a constant that integers of a kind hold.
fn holds(kind: u8, value: &Expression) -> bool {
    let Expression::Constant(Value::Integer(value)) = value else { return false };
    DataType::integer_of_kind(*value, kind) == *value
}
