//! The variables of a procedure as those of the program.

use super::code::Item;
use super::expression::{Expression, Subscript, Variable, VariableId};
use super::value::DataType;

/// Whether two declarations of a variable give its elements the same numbers.
pub(super) fn is_alike(one: &Variable, other: &Variable) -> bool {
    let is_bound_alike = |one: Option<i64>, other: Option<i64>| one == other || one.is_none() || other.is_none();
    let types = match (one.data_type, other.data_type) {
        (Some(DataType::Character(_)), Some(DataType::Character(_))) => true,
        (one, other) => one == other,
    };
    types
        && one.bounds.len() == other.bounds.len()
        && one.bounds.iter().zip(&other.bounds).all(|(one, other)| one[0] == other[0])
        && (one.bounds.len() < 2
            || one.bounds.iter().zip(&other.bounds).all(|(one, other)| is_bound_alike(one[1], other[1])))
}

/// An expression over the variables of the program.
pub(super) fn renamed(expression: &Expression, mapped: &[VariableId]) -> Expression {
    let variable = |it: &VariableId| mapped.get(it.index()).copied().unwrap_or(*it);
    let each = |parts: &[Expression]| parts.iter().map(|part| renamed(part, mapped)).collect();
    expression.replaced(&|part| match part {
        Expression::Variable(it) => Some(Expression::Variable(variable(it))),
        Expression::Element(it, parts) => Some(Expression::Element(variable(it), each(parts))),
        Expression::Section(it, subscripts) => {
            let part = |it: &Option<Expression>| it.as_ref().map(|it| renamed(it, mapped));
            let subscripts = subscripts.iter().map(|subscript| match subscript {
                Subscript::Index(index) => Subscript::Index(renamed(index, mapped)),
                Subscript::Range(lower, upper, step) => Subscript::Range(part(lower), part(upper), part(step)),
            });
            Some(Expression::Section(variable(it), subscripts.collect()))
        }
        _ => None,
    })
}

pub(super) fn renamed_item(item: &Item, mapped: &[VariableId]) -> Item {
    match item {
        Item::Reference(place, of) => Item::Reference(renamed(place, mapped), *of),
        Item::Loop { variable, lower, upper, step, items } => Item::Loop {
            variable: mapped.get(variable.index()).copied().unwrap_or(*variable),
            lower: renamed(lower, mapped),
            upper: renamed(upper, mapped),
            step: renamed(step, mapped),
            items: items.iter().map(|item| renamed_item(item, mapped)).collect(),
        },
        Item::Unknown(written) => Item::Unknown(written.clone()),
    }
}
