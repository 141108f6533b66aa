//! Conditions over terms: comparisons, truth values, and what connects them.

use std::cmp::Ordering;
use std::sync::Arc;

use smallvec::SmallVec;

use super::term::{Place, Term, difference, places_of, substitute, value_of};

/// A condition in negation normal form.
///
/// It is simplified where it is made: what no place can change is [`Condition::True`] or [`Condition::False`], parts
/// stand in order and once, and a part next to its negation decides the whole. So conditions that are equal as written
/// are identical; whether two mean the same a solver must say.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Condition {
    /// It holds.
    True,
    /// It does not.
    False,
    /// How a term compares with 0.
    Compare(Relation, Term),
    /// Whether a place is (or, with `false`, is not) different from 0, where it stands for a truth value.
    Logical(Place, bool),
    /// All of these hold.
    All(Arc<[Condition]>),
    /// At least one of these holds.
    Any(Arc<[Condition]>),
}

/// How a term compares with 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// It is not less.
    NotNegative,
    /// It is 0.
    Zero,
    /// It is not 0.
    NotZero,
}

/// Terms with larger numbers are not compared.
const LARGEST: u64 = 1 << 60;

impl Condition {
    /// Whether a term compares so with 0. Its numbers are at most 2^60.
    pub fn compare(relation: Relation, term: Term) -> Condition {
        if let Some(value) = term.as_constant() {
            let holds = match relation {
                Relation::NotNegative => value >= 0,
                Relation::Zero => value == 0,
                Relation::NotZero => value != 0,
            };
            return if holds { Condition::True } else { Condition::False };
        }
        normalised(relation, &term).unwrap_or(Condition::Compare(relation, term))
    }

    /// `left <= right`; `None` if a number would be too large.
    pub fn at_most(left: &Term, right: &Term) -> Option<Condition> {
        bounded(difference(right, left)?).map(|term| Condition::compare(Relation::NotNegative, term))
    }

    /// `left < right`; `None` if a number would be too large.
    pub fn less(left: &Term, right: &Term) -> Option<Condition> {
        let distance = difference(right, left)?.checked_add_constant(-1)?;
        bounded(distance).map(|term| Condition::compare(Relation::NotNegative, term))
    }

    /// `left = right`; `None` if a number would be too large.
    pub fn equal(left: &Term, right: &Term) -> Option<Condition> {
        bounded(difference(left, right)?).map(|term| Condition::compare(Relation::Zero, term))
    }

    /// The negation.
    #[must_use]
    pub fn not(&self) -> Condition {
        match self {
            Condition::True => Condition::False,
            Condition::False => Condition::True,
            Condition::Compare(Relation::NotNegative, term) => {
                // What is compared is far from the ends of 64 bits, and normalised as its negation is.
                let negative = term.clone().checked_mul(-1).and_then(|term| term.checked_add_constant(-1));
                Condition::Compare(Relation::NotNegative, negative.unwrap_or_default())
            }
            Condition::Compare(Relation::Zero, term) => Condition::Compare(Relation::NotZero, term.clone()),
            Condition::Compare(Relation::NotZero, term) => Condition::Compare(Relation::Zero, term.clone()),
            Condition::Logical(place, value) => Condition::Logical(*place, !value),
            Condition::All(parts) => Condition::any(parts.iter().map(Condition::not)),
            Condition::Any(parts) => Condition::all(parts.iter().map(Condition::not)),
        }
    }

    /// Whether another condition is the negation of this one, as it would be made.
    fn is_negated_by(&self, other: &Condition) -> bool {
        let each = |parts: &[Condition], others: &[Condition]| {
            parts.len() == others.len() && parts.iter().all(|part| others.iter().any(|other| part.is_negated_by(other)))
        };
        match (self, other) {
            (Condition::Logical(left, yes), Condition::Logical(right, no)) => left == right && yes != no,
            (Condition::Compare(left, one), Condition::Compare(right, other)) => match (left, right) {
                (Relation::NotNegative, Relation::NotNegative) => is_complement(one, other),
                (Relation::Zero, Relation::NotZero) | (Relation::NotZero, Relation::Zero) => one == other,
                (Relation::NotNegative | Relation::Zero | Relation::NotZero, _) => false,
            },
            (Condition::All(parts), Condition::Any(others)) | (Condition::Any(parts), Condition::All(others)) => {
                each(parts, others)
            }
            (Condition::True, Condition::False) | (Condition::False, Condition::True) => true,
            _ => false,
        }
    }

    /// Whether all of these hold.
    pub fn all(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let mut flat: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                Condition::True => {}
                Condition::False => return Condition::False,
                Condition::All(inner) => flat.extend(inner.iter().cloned()),
                Condition::Compare(..) | Condition::Logical(..) | Condition::Any(_) => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let has_negation = |part| flat.binary_search_by(|other| order_to_negation(other, part)).is_ok();
        if flat.iter().any(|part| is_simple(part) && has_negation(part)) {
            return Condition::False;
        }
        match flat.len() {
            0 => Condition::True,
            1 => flat.remove(0),
            _ => Condition::All(flat.into()),
        }
    }

    /// Whether at least one of these holds.
    pub fn any(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let mut flat: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                Condition::False => {}
                Condition::True => return Condition::True,
                Condition::Any(inner) => flat.extend(inner.iter().cloned()),
                Condition::Compare(..) | Condition::Logical(..) | Condition::All(_) => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        while let Some((first, second, merged)) = mergeable(&flat) {
            flat.remove(second);
            flat.remove(first);
            match merged {
                Condition::True => return Condition::True,
                Condition::Any(inner) => flat.extend(inner.iter().cloned()),
                merged => flat.push(merged),
            }
            flat.sort_unstable();
            flat.dedup();
        }
        match flat.len() {
            0 => Condition::False,
            1 => flat.remove(0),
            _ => Condition::Any(flat.into()),
        }
    }

    /// Whether a conclusion holds wherever a premise does.
    pub fn implies(premise: &Condition, conclusion: Condition) -> Condition {
        Condition::any([premise.not(), conclusion])
    }

    /// The parts that all hold: those of a conjunction, else the condition itself.
    pub fn conjuncts(&self) -> &[Condition] {
        match self {
            Condition::True => &[],
            Condition::All(parts) => parts,
            Condition::False | Condition::Compare(..) | Condition::Logical(..) | Condition::Any(_) => {
                std::slice::from_ref(self)
            }
        }
    }

    /// How many comparisons and truth values it has.
    pub fn size(&self) -> usize {
        match self {
            Condition::True | Condition::False => 0,
            Condition::Compare(..) | Condition::Logical(..) => 1,
            Condition::All(parts) | Condition::Any(parts) => parts.iter().map(Condition::size).sum(),
        }
    }

    /// The condition with places replaced by terms, truth values by other places; `None` on overflow or division by 0,
    /// or where a truth value is replaced by what is none.
    pub fn substitute(&self, replace: &dyn Fn(Place) -> Option<Term>) -> Option<Condition> {
        Some(match self {
            Condition::True | Condition::False => self.clone(),
            Condition::Compare(relation, term) => Condition::compare(*relation, bounded(substitute(term, replace)?)?),
            Condition::Logical(place, value) => match replace(*place) {
                None => self.clone(),
                Some(term) => truth(&term, *value)?,
            },
            Condition::All(parts) => {
                Condition::all(parts.iter().map(|part| part.substitute(replace)).collect::<Option<Vec<_>>>()?)
            }
            Condition::Any(parts) => {
                Condition::any(parts.iter().map(|part| part.substitute(replace)).collect::<Option<Vec<_>>>()?)
            }
        })
    }

    /// Adds its places to a list, those of truth values too.
    pub fn places(&self, found: &mut Vec<Place>) {
        match self {
            Condition::True | Condition::False => {}
            Condition::Compare(_, term) => places_of(term, found),
            Condition::Logical(place, _) => found.push(*place),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| part.places(found)),
        }
    }

    /// Whether it holds where places have these values; `None` on overflow or division by 0.
    pub fn holds(&self, values: &dyn Fn(Place) -> i64) -> Option<bool> {
        match self {
            Condition::True => Some(true),
            Condition::False => Some(false),
            Condition::Compare(relation, term) => {
                let value = value_of(term, values)?;
                Some(match relation {
                    Relation::NotNegative => value >= 0,
                    Relation::Zero => value == 0,
                    Relation::NotZero => value != 0,
                })
            }
            Condition::Logical(place, value) => Some((values(*place) != 0) == *value),
            Condition::All(parts) => parts.iter().try_fold(true, |all, part| Some(all & part.holds(values)?)),
            Condition::Any(parts) => parts.iter().try_fold(false, |any, part| Some(any | part.holds(values)?)),
        }
    }
}

/// A term whose numbers are so small that what is made of its comparisons fits, too.
fn bounded(term: Term) -> Option<Term> {
    let is_small = |number: i64| number.unsigned_abs() <= LARGEST;
    (is_small(term.constant_term()) && term.terms().all(|(_, factor)| is_small(factor))).then_some(term)
}

/// Whether a term that stands for a truth value has this one.
fn truth(term: &Term, value: bool) -> Option<Condition> {
    use super::term::Atom;
    if let Some(number) = term.as_constant() {
        return Some(if (number != 0) == value { Condition::True } else { Condition::False });
    }
    match term.single_term() {
        Some((Atom::Place(place), 1)) if term.constant_term() == 0 => Some(Condition::Logical(*place, value)),
        _ => None,
    }
}

/// Whether a term is `-other - 1`.
fn is_complement(term: &Term, other: &Term) -> bool {
    let opposite =
        |((left, factor), (right, other)): ((_, i64), (_, i64))| left == right && factor.checked_neg() == Some(other);
    term.constant_term().checked_add(other.constant_term()) == Some(-1)
        && term.atoms().count() == other.atoms().count()
        && term.terms().zip(other.terms()).all(opposite)
}

fn is_simple(condition: &Condition) -> bool {
    matches!(condition, Condition::Compare(..) | Condition::Logical(..))
}

/// How a condition stands in order to the negation of a simple one, which is not made for that.
fn order_to_negation(other: &Condition, simple: &Condition) -> Ordering {
    match (other, simple) {
        (Condition::Compare(left, one), Condition::Compare(right, term)) => match right {
            Relation::NotNegative => left.cmp(right).then_with(|| {
                let negative = term.terms().map(|(atom, factor)| (atom, -factor));
                one.terms().cmp(negative).then(one.constant_term().cmp(&(-term.constant_term() - 1)))
            }),
            Relation::Zero => left.cmp(&Relation::NotZero).then_with(|| one.cmp(term)),
            Relation::NotZero => left.cmp(&Relation::Zero).then_with(|| one.cmp(term)),
        },
        (Condition::Logical(left, yes), Condition::Logical(right, no)) => left.cmp(right).then(yes.cmp(&!no)),
        // Conditions of different kinds stand in the order of the kinds.
        _ => other.cmp(simple),
    }
}

/// A comparison divided by the common divisor of its coefficients, equalities with a positive first one.
fn normalised(relation: Relation, term: &Term) -> Option<Condition> {
    let divisor = term.divisor().filter(|&divisor| divisor > 0)?;
    let divided = term.clone().divided(divisor);
    match relation {
        Relation::NotNegative => Some(Condition::Compare(relation, divided)),
        Relation::Zero | Relation::NotZero => {
            if term.constant_term() % divisor != 0 {
                return Some(if relation == Relation::Zero { Condition::False } else { Condition::True });
            }
            let is_negative = divided.terms().next().is_some_and(|(_, factor)| factor < 0);
            Some(Condition::Compare(relation, if is_negative { divided.checked_mul(-1)? } else { divided }))
        }
    }
}

/// Two alternatives that differ in what one has and the other has negated, or of which one is all of
/// the other and more: with what they are together.
fn mergeable(parts: &[Condition]) -> Option<(usize, usize, Condition)> {
    // Joins of control flow have few ways in; longer lists are left as they are.
    if parts.len() > 12 {
        return None;
    }
    // What leaves nothing behind comes first, as it may have to meet another one that is whole.
    for merge in [complementary, shortened] {
        for (first, left) in parts.iter().enumerate() {
            for (second, right) in parts.iter().enumerate().skip(first + 1) {
                if is_simple(left) && is_simple(right) {
                    if left.is_negated_by(right) {
                        return Some((first, second, Condition::True));
                    }
                } else if let Some(merged) = merge(left, right) {
                    return Some((first, second, merged));
                }
            }
        }
    }
    None
}

/// Parts that one of two conditions has and the other has not.
type Parts<'c> = SmallVec<[&'c Condition; 4]>;

/// The parts of each of two conditions that the other has not, in order; `None` if there are several of both.
fn differing<'c>(left: &'c Condition, right: &'c Condition) -> Option<(Parts<'c>, Parts<'c>)> {
    let (mut left, mut right) = (left.conjuncts(), right.conjuncts());
    let (mut only_left, mut only_right) = (Parts::new(), Parts::new());
    loop {
        match (left, right) {
            ([], _) | (_, []) => break,
            ([one, rest_left @ ..], [other, rest_right @ ..]) => match one.cmp(other) {
                Ordering::Equal => (left, right) = (rest_left, rest_right),
                Ordering::Less => {
                    only_left.push(one);
                    left = rest_left;
                }
                Ordering::Greater => {
                    only_right.push(other);
                    right = rest_right;
                }
            },
        }
        if only_left.len() > 1 && only_right.len() > 1 {
            return None;
        }
    }
    only_left.extend(left);
    only_right.extend(right);
    (only_left.len() <= 1 || only_right.len() <= 1).then_some((only_left, only_right))
}

/// Two conditions of which one is all of the other and more, or which differ in something and its negation.
fn complementary(left: &Condition, right: &Condition) -> Option<Condition> {
    let (only_left, only_right) = differing(left, right)?;
    if only_left.is_empty() {
        return Some(left.clone());
    }
    if only_right.is_empty() {
        return Some(right.clone());
    }
    let negates = |one: &Condition, others: &[&Condition]| match (one, others) {
        (_, [other]) => one.is_negated_by(other),
        (Condition::Any(parts), others) => {
            parts.len() == others.len() && parts.iter().all(|part| others.iter().any(|other| part.is_negated_by(other)))
        }
        _ => false,
    };
    let is_negation = match (only_left.as_slice(), only_right.as_slice()) {
        ([one], others) | (others, [one]) => negates(one, others),
        _ => false,
    };
    is_negation.then(|| {
        let common = left.conjuncts().iter().filter(|part| only_left.binary_search(part).is_err()).cloned();
        Condition::all(common)
    })
}

/// `c` or (`not c` and more), which is `c` or more.
fn shortened(left: &Condition, right: &Condition) -> Option<Condition> {
    let (only_left, only_right) = differing(left, right)?;
    let simplified = |short: &[&Condition], long: &[&Condition]| -> Option<Condition> {
        let [one] = short else { return None };
        let at = long.iter().position(|part| one.is_negated_by(part))?;
        let rest = long.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, part)| (*part).clone());
        let choice = Condition::any([(*one).clone(), Condition::all(rest)]);
        let common = left.conjuncts().iter().filter(|part| right.conjuncts().binary_search(part).is_ok()).cloned();
        Some(Condition::all(common.chain([choice])))
    };
    simplified(&only_left, &only_right).or_else(|| simplified(&only_right, &only_left))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::term::{constant, place_term};
    use super::*;

    /// Conditions as they are written.
    #[derive(Clone, Debug)]
    enum Tree {
        Compare(Relation, Vec<(u32, i64)>, i64),
        Logical(u32),
        Not(Box<Tree>),
        All(Vec<Tree>),
        Any(Vec<Tree>),
    }

    fn trees() -> impl Strategy<Value = Tree> {
        let relation = prop_oneof![Just(Relation::NotNegative), Just(Relation::Zero), Just(Relation::NotZero)];
        let terms = prop::collection::vec((0..2_u32, -3..4_i64), 0..3);
        let leaf = prop_oneof![
            (relation, terms, -4..5_i64).prop_map(|(relation, terms, number)| Tree::Compare(relation, terms, number)),
            (2..4_u32).prop_map(Tree::Logical),
        ];
        leaf.prop_recursive(4, 24, 3, |inner| {
            prop_oneof![
                inner.clone().prop_map(|tree| Tree::Not(Box::new(tree))),
                prop::collection::vec(inner.clone(), 0..4).prop_map(Tree::All),
                prop::collection::vec(inner, 0..4).prop_map(Tree::Any),
            ]
        })
    }

    fn term(terms: &[(u32, i64)], number: i64) -> Term {
        terms.iter().fold(constant(number), |sum, &(place, factor)| {
            sum.checked_add_multiple(&place_term(Place(place)), factor).expect("small")
        })
    }

    fn condition(tree: &Tree) -> Condition {
        match tree {
            Tree::Compare(relation, terms, number) => Condition::compare(*relation, term(terms, *number)),
            Tree::Logical(place) => Condition::Logical(Place(*place), true),
            Tree::Not(inner) => condition(inner).not(),
            Tree::All(parts) => Condition::all(parts.iter().map(condition)),
            Tree::Any(parts) => Condition::any(parts.iter().map(condition)),
        }
    }

    fn holds(tree: &Tree, at: &[i64; 4]) -> bool {
        match tree {
            Tree::Compare(relation, terms, number) => {
                let value = value_of(&term(terms, *number), &|place| at[place.0 as usize]).expect("small");
                match relation {
                    Relation::NotNegative => value >= 0,
                    Relation::Zero => value == 0,
                    Relation::NotZero => value != 0,
                }
            }
            Tree::Logical(place) => at[*place as usize] != 0,
            Tree::Not(inner) => !holds(inner, at),
            Tree::All(parts) => parts.iter().all(|part| holds(part, at)),
            Tree::Any(parts) => parts.iter().any(|part| holds(part, at)),
        }
    }

    proptest! {
        #[test]
        fn simplification_keeps_the_meaning(tree in trees(), n in -5..6_i64, m in -5..6_i64, p in 0..2_i64, q in 0..2_i64) {
            let at = [n, m, p, q];
            let of = |place: Place| at[place.0 as usize];
            let made = condition(&tree);
            prop_assert_eq!(made.holds(&of), Some(holds(&tree, &at)));
            let replaced = made.substitute(&|place| Some(constant(of(place)))).expect("small");
            prop_assert_eq!(replaced, if holds(&tree, &at) { Condition::True } else { Condition::False });
        }
    }

    #[test]
    fn branches_that_meet_again_leave_nothing_behind() {
        let n = place_term(Place(0));
        let first = Condition::at_most(&n, &constant(3)).expect("small");
        let second = Condition::equal(&n, &constant(7)).expect("small");
        let around = Condition::Logical(Place(1), true);
        let ways = [
            Condition::all([around.clone(), first.clone()]),
            Condition::all([around.clone(), first.not(), second.clone()]),
            Condition::all([around.clone(), first.not(), second.not()]),
        ];
        assert_eq!(Condition::any(ways), around);
    }
}
