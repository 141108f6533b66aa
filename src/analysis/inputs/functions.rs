//! The intrinsic functions that conditions on data use, where their results are exact.

use super::arithmetic::{Data, as_real, both, each, operation, rounded};
use super::expression::Operator;
use super::value::{DataType, Value};

/// The value of a function, by its lower-case name.
pub fn call(name: &str, arguments: Vec<Data>) -> Data {
    match (name, arguments.as_slice()) {
        ("all" | "any", [mask]) => Data::Scalar(quantified(mask, name == "any")),
        ("count", [mask]) => Data::Scalar(count(mask)),
        ("sum" | "product" | "maxval" | "minval", [of]) => Data::Scalar(reduced(name, of)),
        ("size", [Data::Array(elements)]) => Data::Scalar(Some(Value::Integer(elements.len() as i128))),
        ("min" | "max", [_, _, ..]) => {
            let mut arguments = arguments.into_iter();
            let first = arguments.next().unwrap_or(Data::Scalar(None));
            arguments.fold(first, |one, other| both(one, other, &|one, other| extreme(one, other, name == "max")))
        }
        ("mod" | "modulo" | "sign" | "index" | "scan" | "verify", [_, _]) => {
            let mut arguments = arguments.into_iter();
            let (Some(one), Some(other)) = (arguments.next(), arguments.next()) else { return Data::Scalar(None) };
            both(one, other, &|one, other| binary(name, one, other))
        }
        (_, [of]) => each(of.clone(), &|value| unary(name, value)),
        ("real", [of, Data::Scalar(Some(Value::Integer(kind)))]) => {
            let kind = *kind;
            each(of.clone(), &|value| real(value, u8::try_from(kind).ok()?))
        }
        ("int", [of, Data::Scalar(Some(Value::Integer(kind)))]) => {
            let kind = u8::try_from(*kind).unwrap_or(0);
            each(of.clone(), &|value| integer_of_kind(value, kind))
        }
        _ => Data::Scalar(None),
    }
}

fn quantified(mask: &Data, decides: bool) -> Option<Value> {
    let Data::Array(elements) = mask else { return None };
    let decided = elements.contains(&Some(Value::Logical(decides)));
    let is_known = decided || elements.iter().all(Option::is_some);
    is_known.then_some(Value::Logical(decided == decides))
}

fn count(mask: &Data) -> Option<Value> {
    let Data::Array(elements) = mask else { return None };
    let mut count = 0;
    for element in elements {
        count += i128::from(*element.as_ref()? == Value::Logical(true));
    }
    Some(Value::Integer(count))
}

/// Sums and products of integers only: those of reals depend on their order.
fn reduced(name: &str, of: &Data) -> Option<Value> {
    let Data::Array(elements) = of else { return None };
    let mut elements = elements.iter();
    let mut result = elements.next()?.clone()?;
    if matches!(name, "sum" | "product") && !matches!(result, Value::Integer(_)) {
        return None;
    }
    for element in elements {
        let element = element.as_ref()?;
        result = match name {
            "sum" => operation(Operator::Add, &result, element)?,
            "product" => operation(Operator::Multiply, &result, element)?,
            _ => extreme(&result, element, name == "maxval")?,
        };
    }
    Some(result)
}

/// The larger or the smaller of two numbers; nothing with a NaN.
fn extreme(one: &Value, other: &Value, is_max: bool) -> Option<Value> {
    let is_nan = |value: &Value| matches!(value, Value::Real(value, _) if value.is_nan());
    if is_nan(one) || is_nan(other) {
        return None;
    }
    let Value::Logical(is_less) = operation(Operator::Less, one, other)? else { return None };
    Some(if is_less == is_max { other.clone() } else { one.clone() })
}

fn binary(name: &str, one: &Value, other: &Value) -> Option<Value> {
    match (name, one, other) {
        ("mod", Value::Integer(one), Value::Integer(other)) => one.checked_rem(*other).map(Value::Integer),
        ("modulo", Value::Integer(one), Value::Integer(other)) => {
            let rest = one.checked_rem(*other)?;
            let is_across = rest != 0 && (rest < 0) != (*other < 0);
            Some(Value::Integer(if is_across { rest + other } else { rest }))
        }
        ("sign", Value::Integer(one), Value::Integer(other)) => {
            Some(Value::Integer(if *other < 0 { -one.abs() } else { one.abs() }))
        }
        ("sign", Value::Real(one, kind), Value::Real(other, _)) => Some(Value::Real(one.copysign(*other), *kind)),
        ("index", Value::Character(text), Value::Character(part)) => {
            let found = text.windows(part.len().max(1)).position(|window| window == part.as_ref());
            (!part.is_empty()).then(|| Value::Integer(found.map_or(0, |at| at as i128 + 1)))
        }
        ("scan", Value::Character(text), Value::Character(set)) => {
            let found = text.iter().position(|byte| set.contains(byte));
            // Blanks at the end of the text are not kept.
            (!set.contains(&b' ')).then(|| Value::Integer(found.map_or(0, |at| at as i128 + 1)))
        }
        ("verify", Value::Character(text), Value::Character(set)) => {
            let found = text.iter().position(|byte| !set.contains(byte));
            found.map(|at| Value::Integer(at as i128 + 1))
        }
        _ => None,
    }
}

fn unary(name: &str, value: &Value) -> Option<Value> {
    Some(match (name, value) {
        ("abs", Value::Integer(value)) => Value::Integer(value.abs()),
        ("abs", Value::Real(value, kind)) => Value::Real(value.abs(), *kind),
        ("sqrt", Value::Real(value, kind)) => rounded(value.sqrt(), *kind),
        ("real" | "float", _) => real(value, if let Value::Complex(_, _, kind) = value { *kind } else { 4 })?,
        ("dble", _) => real(value, 8)?,
        ("aimag" | "dimag", Value::Complex(_, im, kind)) => Value::Real(*im, *kind),
        ("conjg", Value::Complex(re, im, kind)) => Value::Complex(*re, -im, *kind),
        ("int" | "idint" | "ifix", Value::Integer(_)) => value.clone(),
        ("int" | "idint" | "ifix", Value::Real(value, _)) => integer(value.trunc())?,
        ("nint", Value::Real(value, _)) => integer(value.round())?,
        ("floor", Value::Real(value, _)) => integer(value.floor())?,
        ("ceiling", Value::Real(value, _)) => integer(value.ceil())?,
        ("trim", Value::Character(_)) => value.clone(),
        ("adjustl", Value::Character(text)) => {
            Value::text(&text[text.iter().take_while(|&&byte| byte == b' ').count()..])
        }
        ("len_trim", Value::Character(text)) => Value::Integer(text.len() as i128),
        ("iachar" | "ichar", Value::Character(text)) => Value::Integer(text.first().copied().unwrap_or(b' ').into()),
        ("is_iostat_end", Value::Integer(value)) => Value::Logical(*value == -1),
        ("isnan" | "ieee_is_nan", Value::Real(value, _)) => Value::Logical(value.is_nan()),
        ("logical", Value::Logical(_)) => value.clone(),
        _ => return None,
    })
}

/// A number as a real of a kind.
fn real(value: &Value, kind: u8) -> Option<Value> {
    if kind != 4 && kind != 8 {
        return None;
    }
    let value = if let Value::Complex(re, ..) = value { *re } else { as_real(value, kind)? };
    Some(rounded(value, kind))
}

/// A number as an integer of a kind: of an integer the last bits, of a real nothing that the kind does not hold.
pub fn integer_of_kind(value: &Value, kind: u8) -> Option<Value> {
    if !matches!(kind, 1 | 2 | 4 | 8) {
        return None;
    }
    if let Value::Integer(value) = value {
        return Some(Value::Integer(DataType::integer_of_kind(*value, kind)));
    }
    let Some(Value::Integer(value)) = unary("int", value) else { return None };
    (DataType::integer_of_kind(value, kind) == value).then_some(Value::Integer(value))
}

/// A real without a fraction as an integer, if default integers hold it.
fn integer(value: f64) -> Option<Value> {
    (value.abs() < 2_147_483_648.0).then_some(Value::Integer(value as i128))
}
