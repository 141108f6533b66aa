//! What references to intrinsic functions are simplified to.

use super::build::{arithmetic, compare, integer, logical, merge, number, real, text};
use super::connect::{all, any};
use super::formula::{Formula, Kind, Operator, Subscript, Type};
use super::relation::Relation;
use super::substitute::substitute;

/// Arrays with more elements are not written out.
const MOST_ELEMENTS: usize = 32;

/// A simpler expression for a reference.
pub fn fold(name: &str, arguments: &[Formula]) -> Option<Formula> {
    match (name, arguments) {
        ("merge", [one, other, mask]) if matches!(mask.kind(), Kind::Logical(_)) => Some(merge(mask, one, other)),
        ("all" | "any", [mask]) => reduce(name == "all", mask),
        ("size", [array]) => size(array),
        ("size", [array, dimension]) => extent(array, dimension.as_integer()?),
        ("abs", [operand]) => match operand.kind() {
            Kind::Integer(value) => value.checked_abs().map(integer),
            Kind::Real(value) => Some(real(value.value().abs(), value.kind)),
            _ => None,
        },
        ("min" | "max", _) => extreme(name, arguments),
        ("mod", [one, other]) => one.as_integer()?.checked_rem(other.as_integer()?).map(integer),
        ("modulo", [one, other]) => {
            let (one, other) = (one.as_integer()?, other.as_integer()?);
            let left = one.checked_rem(other)?;
            Some(integer(if left != 0 && (left < 0) != (other < 0) { left + other } else { left }))
        }
        ("int", [operand]) if matches!(operand.type_(), Type::Integer(4)) => Some(operand.clone()),
        ("real", [operand]) => match operand.kind() {
            Kind::Integer(_) | Kind::Real(_) => Some(real(number(operand)?, 4)),
            _ if operand.type_() == Type::Real(4) => Some(operand.clone()),
            _ => None,
        },
        ("dble", [operand]) => match operand.kind() {
            Kind::Integer(_) | Kind::Real(_) => Some(real(number(operand)?, 8)),
            _ if operand.type_() == Type::Real(8) => Some(operand.clone()),
            _ => None,
        },
        ("trim" | "adjustl", [operand]) => match operand.kind() {
            Kind::Text(value) if name == "trim" => Some(text(value)),
            Kind::Text(value) => Some(text(value.trim_start_matches(' '))),
            _ => None,
        },
        ("len_trim", [operand]) => match operand.kind() {
            Kind::Text(value) => i64::try_from(value.len()).ok().map(integer),
            _ => None,
        },
        ("len", [operand]) => match operand.type_() {
            Type::Character(Some(length)) if !matches!(operand.kind(), Kind::Text(_)) => Some(integer(length.into())),
            _ => None,
        },
        ("ichar" | "iachar", [operand]) => match operand.kind() {
            Kind::Text(value) if value.len() <= 1 => Some(integer(value.bytes().next().unwrap_or(b' ').into())),
            _ => None,
        },
        ("logical", [operand]) if operand.type_() == Type::Logical => Some(operand.clone()),
        _ => None,
    }
}

fn extreme(name: &str, arguments: &[Formula]) -> Option<Formula> {
    let is_less = |one: &Formula, other: &Formula| Some(number(one)? < number(other)?);
    let mut best: Option<&Formula> = None;
    for argument in arguments {
        let known = best
            .map_or(Some(true), |best| if name == "min" { is_less(argument, best) } else { is_less(best, argument) });
        number(argument)?;
        if known? {
            best = Some(argument);
        }
    }
    best.cloned()
}

/// ALL or ANY of a mask that is no array any more, or whose elements are written out.
fn reduce(is_all: bool, mask: &Formula) -> Option<Formula> {
    if mask.rank() == 0 {
        return Some(mask.clone());
    }
    let count = elements(mask)?;
    let parts = (0..count).map(|at| element_of(mask, at)).collect::<Option<Vec<_>>>()?;
    Some(if is_all { all(parts) } else { any(parts) })
}

/// How many elements an expression has whose arrays are all written out.
fn elements(formula: &Formula) -> Option<usize> {
    if formula.rank() == 0 {
        return None;
    }
    let mut count = None;
    let mut is_known = true;
    substitute(formula, &mut |node| match node.kind() {
        Kind::Array(parts) => {
            is_known &= count.is_none_or(|count| count == parts.len());
            count = Some(parts.len());
            Some(node.clone())
        }
        Kind::Call(..) | Kind::Element(..) | Kind::Component(..) if node.rank() == 0 => Some(node.clone()),
        Kind::Value(_)
        | Kind::Element(..)
        | Kind::Component(..)
        | Kind::Input(_)
        | Kind::Unknown(_)
        | Kind::Call(..) => {
            is_known &= node.rank() == 0;
            Some(node.clone())
        }
        _ => None,
    });
    count.filter(|count| is_known && *count <= MOST_ELEMENTS)
}

/// An element of an elementwise expression.
fn element_of(formula: &Formula, at: usize) -> Option<Formula> {
    let mut is_there = true;
    let made = substitute(formula, &mut |node| match node.kind() {
        Kind::Array(parts) => {
            let part = parts.get(at).cloned();
            is_there &= part.is_some();
            part
        }
        _ => None,
    });
    is_there.then_some(made)
}

fn size(array: &Formula) -> Option<Formula> {
    match array.kind() {
        Kind::Array(parts) => i64::try_from(parts.len()).ok().map(integer),
        Kind::Element(_, subscripts) => {
            let mut product = integer(1);
            for subscript in subscripts {
                product = arithmetic(Operator::Multiply, product, extent_of_subscript(subscript)?);
            }
            Some(product)
        }
        _ => None,
    }
}

fn extent(array: &Formula, dimension: i64) -> Option<Formula> {
    let at = usize::try_from(dimension).ok()?.checked_sub(1)?;
    match array.kind() {
        Kind::Element(_, subscripts) => {
            let ranked = |subscript: &&Subscript| match subscript {
                Subscript::Index(index) => index.rank() > 0,
                Subscript::Section(..) => true,
            };
            extent_of_subscript(subscripts.iter().filter(ranked).nth(at)?)
        }
        _ if array.rank() == 1 && at == 0 => {
            Some(size(array).unwrap_or_else(|| Formula::new(Kind::Call("size".into(), vec![array.clone()]))))
        }
        _ => None,
    }
}

fn extent_of_subscript(subscript: &Subscript) -> Option<Formula> {
    match subscript {
        Subscript::Index(index) if index.rank() == 0 => Some(integer(1)),
        Subscript::Index(index) => size(index),
        Subscript::Section(Some(first), Some(last), None) => {
            let length = arithmetic(Operator::Subtract, last.clone(), first.clone());
            let length = arithmetic(Operator::Add, length, integer(1));
            let runs = compare(Relation::GreaterEqual, length.clone(), integer(0));
            Some(if runs == logical(true) { length } else { super::build::call("max", vec![length, integer(0)]) })
        }
        Subscript::Section(..) => None,
    }
}
