//! Putting expressions in the place of others.

use std::sync::Arc;

use super::build::{arithmetic, call, comparison, component, element, merge, negative};
use super::connect::{all, any, equivalent, not};
use super::formula::{Counter, Formula, Input, Kind, Subscript};

/// The expression with other expressions in it, which `change` gives for whole nodes; what it gives is not looked into
/// again. The rest is made anew of its parts, so that it is simplified.
pub fn substitute(formula: &Formula, change: &mut dyn FnMut(&Formula) -> Option<Formula>) -> Formula {
    if let Some(changed) = change(formula) {
        return changed;
    }
    let mut go = |part: &Formula| substitute(part, change);
    match formula.kind() {
        Kind::Integer(_)
        | Kind::Real(_)
        | Kind::Logical(_)
        | Kind::Text(_)
        | Kind::Value(_)
        | Kind::Unknown(_)
        | Kind::Bound(_) => formula.clone(),
        Kind::Input(input) => {
            let before = go(&input.before);
            Formula::new(Kind::Input(Arc::new(Input { before, ..(**input).clone() })))
        }
        Kind::Component(object, member) => {
            unless_same(formula, object, go(object), |object| component(object, member.clone()))
        }
        Kind::Element(array, subscripts) => {
            let array = go(array);
            let subscripts = subscripts.iter().map(|subscript| subscript.map(&mut go)).collect();
            element(array, subscripts)
        }
        Kind::Substring(text, first, last) => {
            let text = go(text);
            let (first, last) = (first.as_ref().map(&mut go), last.as_ref().map(&mut go));
            Formula::new(Kind::Substring(text, first, last))
        }
        Kind::Array(parts) => Formula::new(Kind::Array(parts.iter().map(go).collect())),
        Kind::Call(name, arguments) => {
            let made: Vec<Formula> = arguments.iter().map(go).collect();
            match (&**name, made.as_slice()) {
                ("merge", [one, other, mask]) => merge(mask, one, other),
                _ => call(name, made),
            }
        }
        Kind::Arithmetic(operator, left, right) => {
            let (one, other) = (go(left), go(right));
            if one.is_same(left) && other.is_same(right) { formula.clone() } else { arithmetic(*operator, one, other) }
        }
        Kind::Compare(relation, left, right) => {
            let (one, other) = (go(left), go(right));
            if one.is_same(left) && other.is_same(right) { formula.clone() } else { comparison(*relation, one, other) }
        }
        Kind::Equivalent(left, right) => equivalent(&go(left), &go(right)),
        Kind::Negative(operand) => unless_same(formula, operand, go(operand), negative),
        Kind::Not(operand) => unless_same(formula, operand, go(operand), |operand| not(&operand)),
        Kind::All(parts) | Kind::Any(parts) => {
            let made: Vec<Formula> = parts.iter().map(go).collect();
            let is_same = made.iter().zip(parts).all(|(one, other)| one.is_same(other));
            match formula.kind() {
                _ if is_same => formula.clone(),
                Kind::All(_) => all(made),
                _ => any(made),
            }
        }
        Kind::ForAll(counter, body) => {
            let range = [go(&counter.first), go(&counter.last), go(&counter.step)];
            let body = go(body);
            again(counter, range, body)
        }
    }
}

fn unless_same(formula: &Formula, part: &Formula, made: Formula, make: impl FnOnce(Formula) -> Formula) -> Formula {
    if made.is_same(part) { formula.clone() } else { make(made) }
}

/// A quantifier over other parts.
fn again(counter: &Arc<Counter>, range: [Formula; 3], body: Formula) -> Formula {
    let variable = Formula::new(Kind::Bound(counter.number));
    super::connect::for_all(&variable, &counter.name, range, &body)
}

impl Subscript {
    /// The subscript with its parts changed.
    pub fn map(&self, change: &mut dyn FnMut(&Formula) -> Formula) -> Subscript {
        match self {
            Subscript::Index(index) => Subscript::Index(change(index)),
            Subscript::Section(first, last, step) => {
                let mut part = |part: &Option<Formula>| part.as_ref().map(&mut *change);
                Subscript::Section(part(first), part(last), part(step))
            }
        }
    }
}

/// The expression with one part of it replaced everywhere.
pub fn replace(formula: &Formula, part: &Formula, by: &Formula) -> Formula {
    substitute(formula, &mut |node| (node == part).then(|| by.clone()))
}
