//! A condition for all values of a counter as one on sections of arrays.

use super::build::{arithmetic, element};
use super::formula::{Counter, Formula, Kind, Operator, Subscript};
use super::linear::Linear;

/// The body with sections in the place of the elements that the counter runs through, if that says the same.
pub fn as_section(counter: &Counter, body: &Formula) -> Option<Formula> {
    if counter.step.as_integer() != Some(1) {
        return None;
    }
    let made = section(counter, body)?;
    let is_left = made.any_node(&mut |node| *node.kind() == Kind::Bound(counter.number));
    (made.rank() > 0 && !is_left).then_some(made)
}

/// An elementwise expression over sections; `None` if it is not elementwise.
fn section(counter: &Counter, formula: &Formula) -> Option<Formula> {
    let bound = Formula::new(Kind::Bound(counter.number));
    if !formula.any_node(&mut |node| *node == bound) {
        return (formula.rank() == 0).then(|| formula.clone());
    }
    let go = |part: &Formula| section(counter, part);
    match formula.kind() {
        Kind::Element(array, subscripts) => {
            let is_moving = |subscript: &&Subscript| {
                let mut moves = false;
                subscript.each_part(&mut |part| moves = moves || part.any_node(&mut |node| *node == bound));
                moves
            };
            let moving: Vec<usize> =
                subscripts.iter().enumerate().filter(|(_, one)| is_moving(one)).map(|(at, _)| at).collect();
            let [at] = moving.as_slice() else { return None };
            if array.any_node(&mut |node| *node == bound) {
                return None;
            }
            let Subscript::Index(index) = &subscripts[*at] else { return None };
            let mut made = subscripts.clone();
            made[*at] = triplet(counter, &bound, array, *at, index)?;
            Some(element(array.clone(), made))
        }
        Kind::Component(object, member) => Some(super::build::component(go(object)?, member.clone())),
        Kind::Compare(of, left, right) => Some(Formula::new(Kind::Compare(*of, go(left)?, go(right)?))),
        Kind::Arithmetic(operator, left, right) => Some(arithmetic(*operator, go(left)?, go(right)?)),
        Kind::Negative(operand) => Some(Formula::new(Kind::Negative(go(operand)?))),
        Kind::Not(operand) => Some(Formula::new(Kind::Not(go(operand)?))),
        Kind::All(parts) => Some(Formula::new(Kind::All(parts.iter().map(go).collect::<Option<_>>()?))),
        Kind::Any(parts) => Some(Formula::new(Kind::Any(parts.iter().map(go).collect::<Option<_>>()?))),
        // `all(table(i, :) <= 100.0)` for all `i`.
        Kind::Call(name, arguments) => match (&**name, arguments.as_slice()) {
            ("all", [mask]) => section_of_mask(counter, mask),
            ("abs", [operand]) => Some(super::build::call(name, vec![go(operand)?])),
            _ => None,
        },
        Kind::ForAll(inner, body) => {
            let inner = as_section(inner, body)?;
            section_of_mask(counter, &inner)
        }
        Kind::Integer(_)
        | Kind::Real(_)
        | Kind::Logical(_)
        | Kind::Text(_)
        | Kind::Value(_)
        | Kind::Input(_)
        | Kind::Unknown(_)
        | Kind::Bound(_)
        | Kind::Substring(..)
        | Kind::Array(_)
        | Kind::Equivalent(..) => None,
    }
}

/// A mask with one array, all of whose rows the counter runs through.
fn section_of_mask(counter: &Counter, mask: &Formula) -> Option<Formula> {
    let bound = Formula::new(Kind::Bound(counter.number));
    let Kind::Compare(of, left, right) = mask.kind() else { return None };
    if right.rank() != 0 || right.any_node(&mut |node| *node == bound) {
        return None;
    }
    let Kind::Element(array, subscripts) = left.kind() else { return None };
    let moving = |subscript: &Subscript| matches!(subscript, Subscript::Index(index) if *index == bound);
    let at = subscripts.iter().position(moving)?;
    let mut made = subscripts.clone();
    made[at] = triplet(counter, &bound, array, at, &bound)?;
    let left = element(array.clone(), made);
    let is_left = left.any_node(&mut |node| *node == bound);
    (!is_left).then(|| Formula::new(Kind::Compare(*of, left, right.clone())))
}

/// The triplet that an index runs through, if the counter moves it by one.
fn triplet(counter: &Counter, bound: &Formula, array: &Formula, at: usize, index: &Formula) -> Option<Subscript> {
    let sum = Linear::new(index)?;
    if sum.factor(bound) != 1 {
        return None;
    }
    let end = |value: &Formula| {
        let distance = arithmetic(Operator::Subtract, index.clone(), bound.clone());
        let made = arithmetic(Operator::Add, value.clone(), distance);
        Linear::new(&made).map_or(made, |sum| sum.formula())
    };
    let (first, last) = (end(&counter.first), end(&counter.last));
    let is_extent = |formula: &Formula| {
        let Kind::Call(name, arguments) = formula.kind() else { return false };
        &**name == "size"
            && match arguments.as_slice() {
                [of] => of == array && array.rank() == 1,
                [of, dimension] => of == array && dimension.as_integer() == i64::try_from(at + 1).ok(),
                _ => false,
            }
    };
    if first.as_integer() == Some(1) && is_extent(&last) {
        return Some(Subscript::Section(None, None, None));
    }
    Some(Subscript::Section(Some(first), Some(last), None))
}
