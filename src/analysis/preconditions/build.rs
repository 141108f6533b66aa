//! Making expressions: constants are folded, comparisons of integers brought into one form, what decides a connective
//! is decided, so that what comes out is what a person would write.
//!
//! Integers are mathematical; reals are folded in their kind, as a compiler does. What is not valid of NaN is not done.

use std::sync::Arc;

use super::connect::{all, any, implies, not};
use super::formula::{Formula, Kind, Member, Operator, Real, Subscript, Type, Variable};
use super::linear::Linear;
use super::relation::{Comparison, Relation};

/// An integer.
pub fn integer(value: i64) -> Formula {
    Formula::new(Kind::Integer(value))
}

/// A real number of a kind.
pub fn real(value: f64, kind: u8) -> Formula {
    Formula::new(Kind::Real(Real::new(value, kind)))
}

/// A truth value.
pub fn logical(value: bool) -> Formula {
    Formula::new(Kind::Logical(value))
}

/// A text; trailing blanks do not count.
pub fn text(value: &str) -> Formula {
    Formula::new(Kind::Text(Arc::from(value.trim_end_matches(' '))))
}

/// The value of a variable.
pub fn value(variable: Arc<Variable>) -> Formula {
    Formula::new(Kind::Value(variable))
}

/// A component of an object.
pub fn component(object: Formula, member: Arc<Member>) -> Formula {
    Formula::new(Kind::Component(object, member))
}

/// An element or section of an array.
pub fn element(array: Formula, subscripts: Vec<Subscript>) -> Formula {
    if let (Kind::Array(parts), [Subscript::Index(index)]) = (array.kind(), subscripts.as_slice())
        && let Some(part) = index
            .as_integer()
            .and_then(|index| usize::try_from(index).ok()?.checked_sub(1))
            .and_then(|index| parts.get(index))
    {
        return part.clone();
    }
    let is_whole = |subscript: &Subscript| matches!(subscript, Subscript::Section(None, None, None));
    if subscripts.iter().all(is_whole) {
        return array;
    }
    Formula::new(Kind::Element(array, subscripts))
}

/// `-operand`
pub fn negative(operand: Formula) -> Formula {
    match operand.kind() {
        Kind::Integer(value) => {
            value.checked_neg().map_or_else(|| Formula::new(Kind::Negative(operand.clone())), integer)
        }
        Kind::Real(number) => real(-number.value(), number.kind),
        Kind::Negative(inner) => inner.clone(),
        _ => Formula::new(Kind::Negative(operand)),
    }
}

/// An arithmetic operation, or a concatenation.
pub fn arithmetic(operator: Operator, left: Formula, right: Formula) -> Formula {
    let folded = match (left.kind(), right.kind()) {
        (Kind::Integer(one), Kind::Integer(other)) => integers(operator, *one, *other).map(integer),
        (Kind::Real(_) | Kind::Integer(_), Kind::Real(_) | Kind::Integer(_)) => reals(operator, &left, &right),
        (Kind::Text(_), Kind::Text(_)) => None,
        _ => neutral(operator, &left, &right),
    };
    if let Some(folded) = folded {
        return folded;
    }
    let is_integer = |operand: &Formula| matches!(operand.type_(), Type::Integer(_)) && operand.rank() == 0;
    let made = Formula::new(Kind::Arithmetic(operator, left, right));
    if let Kind::Arithmetic(Operator::Add | Operator::Subtract, left, right) = made.kind()
        && is_integer(left)
        && is_integer(right)
        && let Some(sum) = Linear::new(&made)
        && (sum.terms.len() < 2 || sum.terms.len() < count_terms(&made))
    {
        return sum.formula();
    }
    made
}

/// How many summands an expression is written with, numbers included.
fn count_terms(sum: &Formula) -> usize {
    match sum.kind() {
        Kind::Arithmetic(Operator::Add | Operator::Subtract, left, right) => count_terms(left) + count_terms(right),
        Kind::Negative(operand) => count_terms(operand),
        _ => 1,
    }
}

fn integers(operator: Operator, left: i64, right: i64) -> Option<i64> {
    match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Power => left.checked_pow(u32::try_from(right).ok()?),
        Operator::Concatenate => None,
    }
}

/// The number that a constant is.
pub fn number(formula: &Formula) -> Option<f64> {
    match formula.kind() {
        // Larger ones may not be exact.
        Kind::Integer(value) if value.unsigned_abs() <= 1 << 53 => Some(*value as f64),
        Kind::Real(real) => Some(real.value()),
        _ => None,
    }
}

fn reals(operator: Operator, left: &Formula, right: &Formula) -> Option<Formula> {
    let kind = match (left.type_(), right.type_()) {
        (Type::Real(one), Type::Real(other)) => one.max(other),
        (Type::Real(kind), _) | (_, Type::Real(kind)) => kind,
        _ => return None,
    };
    if !matches!(kind, 4 | 8) {
        return None;
    }
    let (one, other) = (number(left)?, number(right)?);
    // A value of 64 bits rounded to 32 is the rounded result (Figueroa 1995), powers apart.
    let result = match operator {
        Operator::Add => one + other,
        Operator::Subtract => one - other,
        Operator::Multiply => one * other,
        Operator::Divide => one / other,
        Operator::Power if right.as_integer() == Some(2) => one * one,
        Operator::Power | Operator::Concatenate => return None,
    };
    result.is_finite().then(|| real(result, kind))
}

/// Operations of integers that change nothing.
fn neutral(operator: Operator, left: &Formula, right: &Formula) -> Option<Formula> {
    let is_integer = matches!((left.type_(), right.type_()), (Type::Integer(_), Type::Integer(_)));
    match (operator, left.as_integer(), right.as_integer()) {
        (Operator::Multiply | Operator::Divide | Operator::Power, _, Some(1)) => Some(left.clone()),
        (Operator::Multiply, Some(1), _) => Some(right.clone()),
        (Operator::Add | Operator::Subtract, _, Some(0)) if is_integer => Some(left.clone()),
        (Operator::Add, Some(0), _) if is_integer => Some(right.clone()),
        _ => None,
    }
}

/// A reference to an intrinsic function.
pub fn call(name: &str, arguments: Vec<Formula>) -> Formula {
    super::intrinsic::fold(name, &arguments).unwrap_or_else(|| Formula::new(Kind::Call(Arc::from(name), arguments)))
}

/// The value of a condition's choice.
pub fn merge(condition: &Formula, when_true: &Formula, when_false: &Formula) -> Formula {
    if when_true == when_false || condition.is_logical(true) {
        return when_true.clone();
    }
    if condition.is_logical(false) {
        return when_false.clone();
    }
    if when_true.type_() == Type::Logical && when_true.rank() == 0 && condition.rank() == 0 {
        return choose(condition, when_true, when_false);
    }
    Formula::new(Kind::Call(Arc::from("merge"), vec![when_true.clone(), when_false.clone(), condition.clone()]))
}

/// `(condition and when_true) or (not condition and when_false)`, of logical values.
pub fn choose(condition: &Formula, when_true: &Formula, when_false: &Formula) -> Formula {
    if when_true == when_false || condition.is_logical(true) {
        return when_true.clone();
    }
    if condition.is_logical(false) {
        return when_false.clone();
    }
    let is_common = |part: &&Formula| when_false.conjuncts().contains(part);
    let common: Vec<Formula> = when_true.conjuncts().iter().filter(is_common).cloned().collect();
    if !common.is_empty() && !when_true.is_logical(true) {
        let rest = |parts: &[Formula]| all(parts.iter().filter(|part| !common.contains(part)).cloned());
        let (one, other) = (rest(when_true.conjuncts()), rest(when_false.conjuncts()));
        return all(common.iter().cloned().chain([choose(condition, &one, &other)]));
    }
    let is_shared = |part: &&Formula| when_false.disjuncts().contains(part);
    let shared: Vec<Formula> = when_true.disjuncts().iter().filter(is_shared).cloned().collect();
    if !shared.is_empty() && !when_true.is_logical(false) {
        let rest = |parts: &[Formula]| any(parts.iter().filter(|part| !shared.contains(part)).cloned());
        let (one, other) = (rest(when_true.disjuncts()), rest(when_false.disjuncts()));
        return any(shared.iter().cloned().chain([choose(condition, &one, &other)]));
    }
    let negated = not(condition);
    // Each is true on its side only.
    if implies(when_true, condition) && implies(when_false, &negated) {
        return any([when_true.clone(), when_false.clone()]);
    }
    if when_true.is_logical(false) {
        return all([negated, when_false.clone()]);
    }
    if when_false.is_logical(false) {
        return all([condition.clone(), when_true.clone()]);
    }
    all([any([negated, when_true.clone()]), any([condition.clone(), when_false.clone()])])
}

/// A comparison.
pub fn compare(relation: Relation, left: Formula, right: Formula) -> Formula {
    comparison(Comparison::plain(relation), left, right)
}

/// A comparison that may be negated.
pub fn comparison(of: Comparison, left: Formula, right: Formula) -> Formula {
    if let Some(order) = order(&left, &right) {
        return logical(of.holds(Some(order)));
    }
    if let Some(lifted) = lift_choice(of, &left, &right) {
        return lifted;
    }
    match (left.type_(), right.type_()) {
        (Type::Integer(_), Type::Integer(_)) if left.rank() == 0 && right.rank() == 0 => {
            compare_integers(of.without_nan(), left, right)
        }
        (Type::Integer(_) | Type::Real(_), Type::Integer(_) | Type::Real(_)) => compare_reals(of, left, right),
        _ => {
            let relation = of.without_nan();
            if left == right {
                return logical(relation.holds(Some(std::cmp::Ordering::Equal)));
            }
            let (relation, left, right) =
                if is_constant(&left) { (relation.reversed(), right, left) } else { (relation, left, right) };
            Formula::new(Kind::Compare(Comparison::plain(relation), left, right))
        }
    }
}

/// Whether it is a number or text.
pub fn is_constant(formula: &Formula) -> bool {
    matches!(formula.kind(), Kind::Integer(_) | Kind::Real(_) | Kind::Text(_) | Kind::Logical(_))
}

/// How two constants compare.
pub fn order(left: &Formula, right: &Formula) -> Option<std::cmp::Ordering> {
    match (left.kind(), right.kind()) {
        (Kind::Integer(one), Kind::Integer(other)) => Some(one.cmp(other)),
        (Kind::Text(one), Kind::Text(other)) => Some(order_of_texts(one, other)),
        _ => number(left)?.partial_cmp(&number(right)?),
    }
}

/// How two texts compare where the shorter one is filled with blanks.
pub fn order_of_texts(left: &str, right: &str) -> std::cmp::Ordering {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let common = left.len().min(right.len());
    let blanks = |rest: &[u8]| rest.iter().map(|byte| byte.cmp(&b' ')).find(|order| order.is_ne());
    left[..common].cmp(&right[..common]).then_with(|| {
        let of_left = blanks(&left[common..]);
        let of_right = blanks(&right[common..]).map(std::cmp::Ordering::reverse);
        of_left.or(of_right).unwrap_or(std::cmp::Ordering::Equal)
    })
}

/// A comparison with `merge(a, b, mask)`, as a choice of comparisons.
fn lift_choice(of: Comparison, left: &Formula, right: &Formula) -> Option<Formula> {
    let parts = |side: &Formula| match side.kind() {
        Kind::Call(name, arguments) if &**name == "merge" && side.rank() == 0 && side.size() < 40 => {
            <[Formula; 3]>::try_from(arguments.clone()).ok()
        }
        _ => None,
    };
    if let Some([one, other, mask]) = parts(left) {
        return Some(choose(&mask, &comparison(of, one, right.clone()), &comparison(of, other, right.clone())));
    }
    let [one, other, mask] = parts(right)?;
    Some(choose(&mask, &comparison(of, left.clone(), one), &comparison(of, left.clone(), other)))
}

/// Comparisons of integers: what is left of one variable is compared with a number; else both sides stay as they are
/// written.
fn compare_integers(relation: Relation, left: Formula, right: Formula) -> Formula {
    let plain = |left, right| Formula::new(Kind::Compare(Comparison::plain(relation), left, right));
    let Some(difference) = Linear::difference(&left, &right) else { return plain(left, right) };
    match difference.terms.as_slice() {
        [] => logical(relation.holds(Some(difference.constant.cmp(&0)))),
        [(atom, factor)] => single(relation, atom, *factor, difference.constant).unwrap_or_else(|| plain(left, right)),
        [(one, 1), (other, -1)] if difference.constant == 0 => plain(one.clone(), other.clone()),
        [(one, -1), (other, 1)] if difference.constant == 0 => plain(other.clone(), one.clone()),
        _ if is_constant(&left) => Formula::new(Kind::Compare(Comparison::plain(relation.reversed()), right, left)),
        _ => plain(left, right),
    }
}

/// `factor * atom + constant relation 0`, solved for the atom.
fn single(relation: Relation, atom: &Formula, factor: i64, constant: i64) -> Option<Formula> {
    let relation = if factor < 0 { relation.reversed() } else { relation };
    let bound = constant.checked_neg()?;
    let (bound, factor) = if factor < 0 { (bound.checked_neg()?, factor.checked_neg()?) } else { (bound, factor) };
    let made = |relation: Relation, bound: i64| {
        within_kind(relation, atom, bound)
            .unwrap_or_else(|| Formula::new(Kind::Compare(Comparison::plain(relation), atom.clone(), integer(bound))))
    };
    let (floor, is_whole) = (bound.div_euclid(factor), bound % factor == 0);
    Some(match relation {
        Relation::Equal if !is_whole => logical(false),
        Relation::NotEqual if !is_whole => logical(true),
        Relation::Less | Relation::GreaterEqual if !is_whole => made(relation, floor + 1),
        _ => made(relation, floor),
    })
}

/// Comparisons that the range of a kind decides.
fn within_kind(relation: Relation, atom: &Formula, bound: i64) -> Option<Formula> {
    let is_variable = matches!(atom.kind(), Kind::Value(_) | Kind::Component(..) | Kind::Element(..) | Kind::Input(_));
    let is_extent = matches!(atom.kind(), Kind::Call(name, _) if matches!(&**name, "size" | "len" | "len_trim"));
    let (least, most) = match atom.type_() {
        _ if is_extent => (0, i64::MAX),
        Type::Integer(1) if is_variable => (i64::from(i8::MIN), i64::from(i8::MAX)),
        Type::Integer(2) if is_variable => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Type::Integer(4) if is_variable => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => return None,
    };
    let holds_for = |value: i64| relation.holds(Some(value.cmp(&bound)));
    match relation {
        Relation::Equal if bound < least || bound > most => Some(logical(false)),
        Relation::NotEqual if bound < least || bound > most => Some(logical(true)),
        Relation::Equal | Relation::NotEqual => None,
        _ if holds_for(least) == holds_for(most) => Some(logical(holds_for(least))),
        _ => None,
    }
}

/// Comparisons of reals: a sum with a number is solved for the rest where it is compared with 0, which rounding does
/// not change (a difference is 0 only of equal numbers); a sign moves to the other side.
fn compare_reals(of: Comparison, left: Formula, right: Formula) -> Formula {
    let reversed = |of: Comparison| Comparison { relation: of.relation.reversed(), ..of };
    if is_constant(&left) {
        return compare_reals(reversed(of), right, left);
    }
    if left == right && matches!(left.type_(), Type::Integer(_)) {
        return logical(of.holds(Some(std::cmp::Ordering::Equal)));
    }
    if let (Kind::Negative(operand), Some(_)) = (left.kind(), number(&right)) {
        return compare_reals(reversed(of), operand.clone(), negative(right));
    }
    if number(&right) == Some(0.0)
        && let Kind::Arithmetic(operator @ (Operator::Add | Operator::Subtract), one, other) = left.kind()
    {
        match (operator, number(one), number(other)) {
            (Operator::Add, _, Some(_)) => return compare_reals(of, one.clone(), negative(other.clone())),
            (Operator::Add, Some(_), _) => return compare_reals(of, other.clone(), negative(one.clone())),
            (Operator::Subtract, _, Some(_)) => return compare_reals(of, one.clone(), other.clone()),
            (Operator::Subtract, Some(_), _) => return compare_reals(reversed(of), other.clone(), one.clone()),
            _ => {}
        }
    }
    let of = if of.relation.is_order() { of } else { Comparison::plain(of.without_nan()) };
    Formula::new(Kind::Compare(of, left, right))
}
