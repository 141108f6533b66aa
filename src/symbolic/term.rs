//! Integer terms: sums over places, and over operations that are not linear.

use std::sync::Arc;

use super::affine::Affine;

/// An integer of which nothing is known here: the value of a variable at a point, an extent, a truth value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(pub u32);

/// What a term adds up.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// A place.
    Place(Place),
    /// The result of an operation that is not linear.
    Applied(Arc<Applied>),
}

/// An operation on terms that is no constant and not linear.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Applied {
    /// Which one.
    pub operation: Operation,
    /// What it is applied to, in order; of commutative ones in ascending order.
    pub operands: Vec<Term>,
}

/// The operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operation {
    /// The product of at least two atoms.
    Product,
    /// The quotient of two terms, truncated towards 0.
    Quotient,
    /// What is left of that division: it has the sign of the first operand.
    Remainder,
    /// What is left of a division that rounds down: it has the sign of the second operand.
    Modulo,
    /// The least of at least two terms.
    Minimum,
    /// The greatest of at least two terms.
    Maximum,
    /// The absolute value of a term.
    Absolute,
}

/// A sum over places and operations.
pub type Term = Affine<Atom>;

/// Terms with more atoms than this are not multiplied.
const MOST_ATOMS: usize = 8;

/// The number as a term.
pub fn constant(value: i64) -> Term {
    Affine::constant(value)
}

/// The value of a place.
pub fn place_term(place: Place) -> Term {
    Affine::atom(Atom::Place(place))
}

/// The sum of two terms.
pub fn sum(left: &Term, right: &Term) -> Option<Term> {
    left.clone().checked_add_multiple(right, 1)
}

/// What is left of a term when another one is taken from it.
pub fn difference(left: &Term, right: &Term) -> Option<Term> {
    left.clone().checked_add_multiple(right, -1)
}

fn applied(operation: Operation, operands: Vec<Term>) -> Term {
    Affine::atom(Atom::Applied(Arc::new(Applied { operation, operands })))
}

/// The product of two terms, multiplied out; `None` on overflow, or if it would be long.
pub fn product(left: &Term, right: &Term) -> Option<Term> {
    if let Some(factor) = left.as_constant() {
        return right.clone().checked_mul(factor);
    }
    if let Some(factor) = right.as_constant() {
        return left.clone().checked_mul(factor);
    }
    if left.atoms().count() * right.atoms().count() > MOST_ATOMS {
        return None;
    }
    let mut result = constant(left.constant_term().checked_mul(right.constant_term())?);
    for (atom, coefficient) in left.terms() {
        let single = Affine::atom(atom.clone());
        result = result.checked_add_multiple(&single, coefficient.checked_mul(right.constant_term())?)?;
        for (other, factor) in right.terms() {
            let monomial = monomial(atom, other);
            result = result.checked_add_multiple(&monomial, coefficient.checked_mul(factor)?)?;
        }
    }
    for (atom, coefficient) in right.terms() {
        let single = Affine::atom(atom.clone());
        result = result.checked_add_multiple(&single, coefficient.checked_mul(left.constant_term())?)?;
    }
    Some(result)
}

/// The product of two atoms, its factors in order.
fn monomial(left: &Atom, right: &Atom) -> Term {
    let factors = |atom: &Atom| match atom {
        Atom::Applied(of) if of.operation == Operation::Product => of.operands.clone(),
        Atom::Applied(_) | Atom::Place(_) => vec![Affine::atom(atom.clone())],
    };
    let mut operands = factors(left);
    operands.extend(factors(right));
    operands.sort_unstable();
    applied(Operation::Product, operands)
}

/// The quotient of two terms, truncated towards 0; `None` if the divisor is 0.
pub fn quotient(left: &Term, right: &Term) -> Option<Term> {
    if let Some(divisor) = right.as_constant() {
        if let Some(value) = left.as_constant() {
            return value.checked_div(divisor).map(constant);
        }
        if divisor == 0 {
            return None;
        }
        let is_divisible = left.constant_term() % divisor == 0 && left.terms().all(|(_, factor)| factor % divisor == 0);
        if is_divisible {
            let mut result = constant(left.constant_term().checked_div(divisor)?);
            for (atom, factor) in left.terms() {
                result = result.checked_add_multiple(&Affine::atom(atom.clone()), factor.checked_div(divisor)?)?;
            }
            return Some(result);
        }
    }
    Some(applied(Operation::Quotient, vec![left.clone(), right.clone()]))
}

/// What is left of a division that truncates towards 0; `None` if the divisor is 0.
pub fn remainder(left: &Term, right: &Term) -> Option<Term> {
    match (left.as_constant(), right.as_constant()) {
        (_, Some(0)) => None,
        (Some(value), Some(divisor)) => value.checked_rem(divisor).map(constant),
        _ => Some(applied(Operation::Remainder, vec![left.clone(), right.clone()])),
    }
}

/// What is left of a division that rounds down; `None` if the divisor is 0.
pub fn modulo(left: &Term, right: &Term) -> Option<Term> {
    match (left.as_constant(), right.as_constant()) {
        (_, Some(0)) => None,
        (Some(value), Some(divisor)) => modulo_of(value, divisor).map(constant),
        _ => Some(applied(Operation::Modulo, vec![left.clone(), right.clone()])),
    }
}

fn modulo_of(value: i64, divisor: i64) -> Option<i64> {
    let left = value.checked_rem(divisor)?;
    Some(if left != 0 && (left < 0) != (divisor < 0) { left + divisor } else { left })
}

/// The least of some terms, of which there is at least one.
pub fn minimum(operands: Vec<Term>) -> Option<Term> {
    extreme(Operation::Minimum, operands)
}

/// The greatest of some terms, of which there is at least one.
pub fn maximum(operands: Vec<Term>) -> Option<Term> {
    extreme(Operation::Maximum, operands)
}

fn extreme(operation: Operation, operands: Vec<Term>) -> Option<Term> {
    let mut kept: Vec<Term> = Vec::new();
    for operand in operands.into_iter().flat_map(|operand| operands_within(operation, operand)) {
        let wins = |distance: i64| if operation == Operation::Minimum { distance < 0 } else { distance > 0 };
        let same = kept.iter().position(|other| operand.has_same_terms(other));
        match same {
            Some(at) if operand.distance_from(&kept[at]).is_some_and(wins) => kept[at] = operand,
            Some(_) => {}
            None => kept.push(operand),
        }
    }
    kept.sort_unstable();
    if kept.len() > 1 { Some(applied(operation, kept)) } else { kept.pop() }
}

/// The operands of a term that is such an operation itself.
fn operands_within(operation: Operation, term: Term) -> Vec<Term> {
    if let Some((Atom::Applied(of), 1)) = term.single_term()
        && of.operation == operation
        && term.constant_term() == 0
    {
        return of.operands.clone();
    }
    vec![term]
}

/// The absolute value of a term.
pub fn absolute(operand: Term) -> Option<Term> {
    match operand.as_constant() {
        Some(value) => value.checked_abs().map(constant),
        None => Some(applied(Operation::Absolute, vec![operand])),
    }
}

/// The result of an operation on these operands, simplified.
fn apply(operation: Operation, operands: Vec<Term>) -> Option<Term> {
    match (operation, operands.as_slice()) {
        (Operation::Product, all) => all.iter().try_fold(constant(1), |result, factor| product(&result, factor)),
        (Operation::Quotient, [left, right]) => quotient(left, right),
        (Operation::Remainder, [left, right]) => remainder(left, right),
        (Operation::Modulo, [left, right]) => modulo(left, right),
        (Operation::Absolute, [operand]) => absolute(operand.clone()),
        (Operation::Minimum | Operation::Maximum, _) => extreme(operation, operands),
        (Operation::Quotient | Operation::Remainder | Operation::Modulo | Operation::Absolute, _) => None,
    }
}

/// The term with places replaced by terms; `None` on overflow or division by 0.
pub fn substitute(term: &Term, replace: &dyn Fn(Place) -> Option<Term>) -> Option<Term> {
    let mut result = constant(term.constant_term());
    for (atom, factor) in term.terms() {
        let replaced = match atom {
            Atom::Place(place) => replace(*place).unwrap_or_else(|| place_term(*place)),
            Atom::Applied(of) => {
                let operands = of.operands.iter().map(|operand| substitute(operand, replace)).collect::<Option<_>>()?;
                apply(of.operation, operands)?
            }
        };
        result = result.checked_add_multiple(&replaced, factor)?;
    }
    Some(result)
}

/// Adds the places of a term to a list.
pub fn places_of(term: &Term, found: &mut Vec<Place>) {
    for atom in term.atoms() {
        match atom {
            Atom::Place(place) => found.push(*place),
            Atom::Applied(of) => of.operands.iter().for_each(|operand| places_of(operand, found)),
        }
    }
}

/// The value of a term where places have these values; `None` on overflow or division by 0.
pub fn value_of(term: &Term, values: &dyn Fn(Place) -> i64) -> Option<i64> {
    let mut result = term.constant_term();
    for (atom, factor) in term.terms() {
        let value = match atom {
            Atom::Place(place) => values(*place),
            Atom::Applied(of) => value_of_applied(of, values)?,
        };
        result = result.checked_add(factor.checked_mul(value)?)?;
    }
    Some(result)
}

fn value_of_applied(of: &Applied, values: &dyn Fn(Place) -> i64) -> Option<i64> {
    let operands: Vec<i64> = of.operands.iter().map(|operand| value_of(operand, values)).collect::<Option<_>>()?;
    match (of.operation, operands.as_slice()) {
        (Operation::Product, all) => all.iter().try_fold(1_i64, |result, factor| result.checked_mul(*factor)),
        (Operation::Quotient, &[left, right]) => left.checked_div(right),
        (Operation::Remainder, &[left, right]) => left.checked_rem(right),
        (Operation::Modulo, &[left, right]) => modulo_of(left, right),
        (Operation::Absolute, &[operand]) => operand.checked_abs(),
        (Operation::Minimum, all) => all.iter().copied().min(),
        (Operation::Maximum, all) => all.iter().copied().max(),
        (Operation::Quotient | Operation::Remainder | Operation::Modulo | Operation::Absolute, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Expressions, evaluated as they stand.
    #[derive(Clone, Debug)]
    enum Tree {
        Number(i64),
        Place(u32),
        Apply(Operation, Vec<Tree>),
        Sum(Box<Tree>, Box<Tree>),
    }

    fn trees() -> impl Strategy<Value = Tree> {
        let leaf = prop_oneof![(-4..5_i64).prop_map(Tree::Number), (0..3_u32).prop_map(Tree::Place)];
        leaf.prop_recursive(3, 12, 2, |inner| {
            let pair = prop::collection::vec(inner.clone(), 2);
            let operation = prop_oneof![
                Just(Operation::Product),
                Just(Operation::Quotient),
                Just(Operation::Remainder),
                Just(Operation::Modulo),
                Just(Operation::Minimum),
                Just(Operation::Maximum),
            ];
            prop_oneof![
                (operation, pair).prop_map(|(operation, operands)| Tree::Apply(operation, operands)),
                inner.clone().prop_map(|operand| Tree::Apply(Operation::Absolute, vec![operand])),
                (inner.clone(), inner).prop_map(|(left, right)| Tree::Sum(Box::new(left), Box::new(right))),
            ]
        })
    }

    fn term(tree: &Tree) -> Option<Term> {
        match tree {
            Tree::Number(value) => Some(constant(*value)),
            Tree::Place(place) => Some(place_term(Place(*place))),
            Tree::Sum(left, right) => sum(&term(left)?, &term(right)?),
            Tree::Apply(operation, operands) => {
                apply(*operation, operands.iter().map(term).collect::<Option<Vec<_>>>()?)
            }
        }
    }

    fn value(tree: &Tree, at: &[i64; 3]) -> Option<i64> {
        match tree {
            Tree::Number(value) => Some(*value),
            Tree::Place(place) => Some(at[*place as usize]),
            Tree::Sum(left, right) => value(left, at)?.checked_add(value(right, at)?),
            Tree::Apply(operation, operands) => {
                let operands =
                    operands.iter().map(|operand| value(operand, at).map(constant)).collect::<Option<_>>()?;
                apply(*operation, operands)?.as_constant()
            }
        }
    }

    proptest! {
        #[test]
        fn terms_have_the_values_of_what_they_are_made_of(tree in trees(), at in prop::array::uniform3(-5..9_i64)) {
            if let (Some(term), Some(expected)) = (term(&tree), value(&tree, &at)) {
                let of = |place: Place| at[place.0 as usize];
                prop_assert_eq!(value_of(&term, &of), Some(expected));
                let replaced = substitute(&term, &|place| Some(constant(of(place))));
                prop_assert_eq!(replaced.and_then(|term| term.as_constant()), Some(expected));
            }
        }
    }

    #[test]
    fn what_is_equal_is_identical() {
        let n = place_term(Place(0));
        let next = n.clone().checked_add_constant(1).expect("fits");
        let triangle = quotient(&product(&n, &next).expect("short"), &constant(2));
        assert_eq!(triangle, quotient(&product(&next, &n).expect("short"), &constant(2)));
        assert_eq!(maximum(vec![n.clone(), next.clone()]), Some(next.clone()));
        assert_eq!(quotient(&n.clone().checked_mul(4).expect("fits"), &constant(2)), n.clone().checked_mul(2));
        assert_eq!(quotient(&n, &constant(0)), None);
    }
}
