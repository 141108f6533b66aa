//! What connects conditions: not, and, or, for all.

use std::sync::Arc;

use super::build::{arithmetic, call, compare, integer, logical, order};
use super::formula::{Counter, Formula, Kind, Operator, Type};
use super::linear::Linear;
use super::relation::{Comparison, Relation};
use super::substitute::replace;

/// Pairs of larger conditions are not compared.
const LARGEST_PAIR: u64 = 1_000;

/// More parts are not compared with each other.
const MOST_COMPARED: usize = 40;

/// The negation.
pub fn not(of: &Formula) -> Formula {
    match of.kind() {
        Kind::Logical(value) => logical(!value),
        Kind::Not(inner) => inner.clone(),
        // What is simplified of a conjunction is so of the disjunction of the negations.
        Kind::All(parts) => Formula::new(Kind::Any(parts.iter().map(not).collect())),
        Kind::Any(parts) => Formula::new(Kind::All(parts.iter().map(not).collect())),
        Kind::Compare(relation, left, right) => {
            let is_real = |side: &Formula| matches!(side.type_(), Type::Real(_));
            let negated = if relation.relation.is_order() && (is_real(left) || is_real(right)) {
                Comparison { is_negated: !relation.is_negated, ..*relation }
            } else {
                Comparison::plain(relation.without_nan().complement())
            };
            Formula::new(Kind::Compare(negated, left.clone(), right.clone()))
        }
        Kind::Equivalent(left, right) => match (is_plain(left), is_plain(right)) {
            (true, false) => equivalent(left, &not(right)),
            _ => equivalent(&not(left), right),
        },
        Kind::Call(name, arguments) if arguments.len() == 1 && matches!(&**name, "all" | "any") => {
            call(if &**name == "all" { "any" } else { "all" }, vec![not(&arguments[0])])
        }
        _ => Formula::new(Kind::Not(of.clone())),
    }
}

/// Whether it is a logical variable or something like one.
fn is_plain(formula: &Formula) -> bool {
    !matches!(formula.kind(), Kind::Compare(..) | Kind::Not(_) | Kind::All(_) | Kind::Any(_) | Kind::Equivalent(..))
}

/// Whether two conditions have the same truth value.
pub fn equivalent(left: &Formula, right: &Formula) -> Formula {
    match (left.kind(), right.kind()) {
        (Kind::Logical(true), _) => right.clone(),
        (Kind::Logical(false), _) => not(right),
        (_, Kind::Logical(true)) => left.clone(),
        (_, Kind::Logical(false)) => not(left),
        _ if left == right => logical(true),
        _ if not(left) == *right => logical(false),
        (Kind::Not(one), Kind::Not(other)) => equivalent(one, other),
        _ => Formula::new(Kind::Equivalent(left.clone(), right.clone())),
    }
}

/// Whether a second condition holds wherever the first does, by their form alone.
pub fn implies(left: &Formula, right: &Formula) -> bool {
    if left == right {
        return true;
    }
    if !left.may_concern(right) || u64::from(left.size()) * u64::from(right.size()) > LARGEST_PAIR {
        return false;
    }
    match (left.kind(), right.kind()) {
        (_, Kind::All(parts)) => parts.iter().all(|part| implies(left, part)),
        (Kind::Any(parts), _) => parts.iter().all(|part| implies(part, right)),
        (Kind::All(parts), _) if parts.iter().any(|part| implies(part, right)) => true,
        (_, Kind::Any(parts)) => parts.iter().any(|part| implies(left, part)),
        (Kind::Compare(one, left, bound), Kind::Compare(other, right, limit)) if left == right => {
            if let (Some(bound), Some(limit)) = (bound.as_integer(), limit.as_integer())
                && matches!(left.type_(), Type::Integer(_))
            {
                let (one, bound) = closed(one.without_nan(), bound);
                let (other, limit) = closed(other.without_nan(), limit);
                return narrows(Comparison::plain(one), Comparison::plain(other), bound.cmp(&limit), true);
            }
            let Some(order) = order(bound, limit) else { return false };
            narrows(*one, *other, order, matches!(left.type_(), Type::Integer(_) | Type::Character(_)))
        }
        _ => false,
    }
}

/// A comparison of an integer with a number as one whose bound belongs to it.
fn closed(relation: Relation, bound: i64) -> (Relation, i64) {
    match relation {
        Relation::Less => (Relation::LessEqual, bound.saturating_sub(1)),
        Relation::Greater => (Relation::GreaterEqual, bound.saturating_add(1)),
        Relation::Equal | Relation::NotEqual | Relation::LessEqual | Relation::GreaterEqual => (relation, bound),
    }
}

/// Two comparisons of one value with one number as one: `x >= c` and `x /= c` is `x > c`, `x < c` or `x == c` is
/// `x <= c`.
fn fused(is_all: bool, one: &Formula, other: &Formula) -> Option<Formula> {
    let (Kind::Compare(first, left, bound), Kind::Compare(second, right, limit)) = (one.kind(), other.kind()) else {
        return None;
    };
    if left != right || bound != limit || first.is_negated || second.is_negated {
        return None;
    }
    let relation = match (is_all, first.relation, second.relation) {
        (true, Relation::GreaterEqual, Relation::NotEqual) | (true, Relation::NotEqual, Relation::GreaterEqual) => {
            Relation::Greater
        }
        (true, Relation::LessEqual, Relation::NotEqual) | (true, Relation::NotEqual, Relation::LessEqual) => {
            Relation::Less
        }
        (false, Relation::Greater, Relation::Equal) | (false, Relation::Equal, Relation::Greater) => {
            Relation::GreaterEqual
        }
        (false, Relation::Less, Relation::Equal) | (false, Relation::Equal, Relation::Less) => Relation::LessEqual,
        _ => return None,
    };
    Some(Formula::new(Kind::Compare(Comparison::plain(relation), left.clone(), bound.clone())))
}

/// Whether `x one a` is narrower than `x other b`, where `a` and `b` stand in this order. `is_total`: there is no NaN.
fn narrows(one: Comparison, other: Comparison, order: std::cmp::Ordering, is_total: bool) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    // What a comparison says of NaN: that of the first may not hold of it where that of the second does not.
    let of_nan = |of: Comparison| of.holds(None);
    if !is_total && of_nan(one) && !of_nan(other) {
        return false;
    }
    match (one.without_nan(), other.without_nan()) {
        (Relation::Equal, other) => other.holds(Some(order)),
        (one, Relation::Equal) => one == Relation::Equal && order == Equal,
        (Relation::NotEqual, Relation::NotEqual) => order == Equal,
        (Relation::NotEqual, _) => false,
        (Relation::Less, Relation::NotEqual) => order != Greater,
        (Relation::LessEqual, Relation::NotEqual) => order == Less,
        (Relation::Greater, Relation::NotEqual) => order != Less,
        (Relation::GreaterEqual, Relation::NotEqual) => order == Greater,
        (Relation::Less, Relation::Less | Relation::LessEqual) | (Relation::LessEqual, Relation::LessEqual) => {
            order != Greater
        }
        (Relation::LessEqual, Relation::Less) => order == Less,
        (Relation::Greater, Relation::Greater | Relation::GreaterEqual)
        | (Relation::GreaterEqual, Relation::GreaterEqual) => order != Less,
        (Relation::GreaterEqual, Relation::Greater) => order == Greater,
        (Relation::Less | Relation::LessEqual, Relation::Greater | Relation::GreaterEqual)
        | (Relation::Greater | Relation::GreaterEqual, Relation::Less | Relation::LessEqual) => false,
    }
}

/// Whether all of these hold.
pub fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
    connect(true, parts)
}

/// Whether one of these holds.
pub fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
    connect(false, parts)
}

fn connect(is_all: bool, parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut flat: Vec<Formula> = Vec::new();
    for part in parts {
        match part.kind() {
            Kind::Logical(value) if *value == is_all => {}
            Kind::Logical(_) => return logical(!is_all),
            Kind::All(inner) if is_all => flat.extend(inner.iter().cloned()),
            Kind::Any(inner) if !is_all => flat.extend(inner.iter().cloned()),
            _ => flat.push(part),
        }
    }
    if flat.len() > 1 && flat.len() <= MOST_COMPARED {
        flat = match reduced(is_all, flat) {
            Some(flat) => flat,
            None => return logical(!is_all),
        };
    } else {
        let mut met = rustc_hash::FxHashSet::default();
        flat.retain(|part| met.insert(part.clone()));
    }
    match flat.len() {
        0 => logical(is_all),
        1 => flat.remove(0),
        _ => Formula::new(if is_all { Kind::All(flat) } else { Kind::Any(flat) }),
    }
}

/// The parts without those that others make superfluous; `None` if two parts decide the whole.
fn reduced(is_all: bool, parts: Vec<Formula>) -> Option<Vec<Formula>> {
    if Formula::are_unrelated(&parts) {
        return Some(parts);
    }
    let negated: Vec<Formula> = parts.iter().map(not).collect();
    // `a` and (`not a` or `b`) is `a` and `b`; dually.
    let mut shortened = Vec::with_capacity(parts.len());
    let mut has_changed = false;
    for (at, part) in parts.iter().enumerate() {
        let inner = match part.kind() {
            Kind::Any(inner) if is_all => inner,
            Kind::All(inner) if !is_all => inner,
            _ => {
                shortened.push(part.clone());
                continue;
            }
        };
        let others = || negated.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, negated)| negated);
        let is_decided =
            |one: &Formula| others().any(|negated| if is_all { implies(one, negated) } else { implies(negated, one) });
        let kept: Vec<Formula> = inner.iter().filter(|one| !is_decided(one)).cloned().collect();
        if kept.len() < inner.len() {
            has_changed = true;
            shortened.push(if is_all { any(kept) } else { all(kept) });
        } else {
            shortened.push(part.clone());
        }
    }
    if has_changed {
        let again = connect(is_all, shortened);
        return match again.kind() {
            Kind::Logical(value) if *value != is_all => None,
            Kind::Logical(_) => Some(Vec::new()),
            Kind::All(parts) if is_all => Some(parts.clone()),
            Kind::Any(parts) if !is_all => Some(parts.clone()),
            _ => Some(vec![again]),
        };
    }
    for (at, part) in parts.iter().enumerate() {
        let pair = parts[..at].iter().enumerate().find_map(|(other, one)| Some((other, fused(is_all, one, part)?)));
        if let Some((other, made)) = pair {
            let mut left = parts.clone();
            left.remove(at);
            left[other] = made;
            return reduced(is_all, left);
        }
    }
    let mut kept: Vec<Formula> = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        let decides =
            |other: &Formula| if is_all { implies(other, &negated[at]) } else { implies(&negated[at], other) };
        if parts[..at].iter().any(decides) {
            return None;
        }
        let covers = |other: &Formula| if is_all { implies(other, part) } else { implies(part, other) };
        let is_covered = parts.iter().enumerate().any(|(other, formula)| {
            // Of two that cover each other the first stays.
            other != at && covers(formula) && (other < at || formula != part && !mutual(is_all, formula, part))
        });
        if !is_covered {
            kept.push(part.clone());
        }
    }
    Some(kept)
}

/// Whether each of two conditions is covered by the other, the first of which is known to cover.
fn mutual(is_all: bool, formula: &Formula, part: &Formula) -> bool {
    if is_all { implies(part, formula) } else { implies(formula, part) }
}

/// Whether a condition holds for all values that a counter takes: `first`, `first + step`, … up to `last`. The body
/// has the counter as the value of `variable`.
pub fn for_all(variable: &Formula, name: &str, range: [Formula; 3], body: &Formula) -> Formula {
    let [first, last, step] = &range;
    let runs = runs(first, last, step);
    let depends = |part: &Formula| part.any_node(&mut |node| node == variable);
    if !depends(body) {
        return any([not(&runs), body.clone()]);
    }
    match body.kind() {
        Kind::All(parts) => {
            return all(parts.iter().map(|part| for_all(variable, name, range.clone(), part)));
        }
        Kind::Any(parts) if parts.iter().any(|part| !depends(part)) => {
            let (inner, outer): (Vec<Formula>, Vec<Formula>) = parts.iter().cloned().partition(|part| depends(part));
            return any(outer.into_iter().chain([for_all(variable, name, range.clone(), &any(inner))]));
        }
        Kind::Compare(relation, left, right) => {
            if let Some(at) = worst(variable, relation.without_nan(), left, right, &range) {
                return any([not(&runs), replace(body, variable, &at)]);
            }
        }
        _ => {}
    }
    let mut deepest = 0;
    body.any_node(&mut |node| {
        if let Kind::ForAll(counter, _) = node.kind() {
            deepest = deepest.max(counter.number);
        }
        false
    });
    let number = deepest + 1;
    let body = replace(body, variable, &Formula::new(Kind::Bound(number)));
    if body.is_logical(true) {
        return body;
    }
    let [first, last, step] = range;
    Formula::new(Kind::ForAll(Arc::new(Counter { number, name: Arc::from(name), first, last, step }), body))
}

/// Whether a counter takes any value.
pub fn runs(first: &Formula, last: &Formula, step: &Formula) -> Formula {
    match step.as_integer() {
        Some(1..) => compare(Relation::LessEqual, first.clone(), last.clone()),
        Some(_) => compare(Relation::GreaterEqual, first.clone(), last.clone()),
        None => {
            let zero = || integer(0);
            all([
                any([
                    compare(Relation::Less, step.clone(), zero()),
                    compare(Relation::LessEqual, first.clone(), last.clone()),
                ]),
                any([
                    compare(Relation::Greater, step.clone(), zero()),
                    compare(Relation::GreaterEqual, first.clone(), last.clone()),
                ]),
            ])
        }
    }
}

/// The last value that a counter takes, if it takes any; `None` if that can't be said.
pub fn last_value(first: &Formula, last: &Formula, step: &Formula) -> Option<Formula> {
    let step = step.as_integer()?;
    if step.abs() == 1 {
        return Some(last.clone());
    }
    let size = integer(step.checked_abs()?);
    let distance = if step > 0 { (last, first) } else { (first, last) };
    let distance = arithmetic(Operator::Subtract, distance.0.clone(), distance.1.clone());
    let steps = arithmetic(Operator::Divide, distance, size.clone());
    let way = arithmetic(Operator::Multiply, size, steps);
    Some(arithmetic(if step > 0 { Operator::Add } else { Operator::Subtract }, first.clone(), way))
}

/// The value of the counter for which an order of integers, linear in it, holds only if it holds for all.
fn worst(
    variable: &Formula,
    relation: Relation,
    left: &Formula,
    right: &Formula,
    range: &[Formula; 3],
) -> Option<Formula> {
    let [first, last, step] = range;
    let difference = Linear::difference(left, right)?;
    let factor = difference.factor(variable);
    let is_elsewhere = |atom: &Formula| atom != variable && atom.any_node(&mut |node| node == variable);
    if factor == 0 || difference.terms.iter().any(|(atom, _)| is_elsewhere(atom)) {
        return None;
    }
    let wants_small = match relation {
        Relation::Less | Relation::LessEqual => true,
        Relation::Greater | Relation::GreaterEqual => false,
        Relation::Equal | Relation::NotEqual => return None,
    };
    let is_last_worst = (factor > 0) == wants_small;
    let goes_up = step.as_integer()? > 0;
    if is_last_worst == goes_up { last_value(first, last, step) } else { Some(first.clone()) }
}
