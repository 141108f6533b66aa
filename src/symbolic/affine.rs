//! Affine sums in canonical form: `2*i + n - 1`.

use std::fmt;

use smallvec::{SmallVec, smallvec};

/// A sum of atoms of type `A`, each with its coefficient, and a constant.
///
/// The form is canonical: atoms are in ascending order, each occurs once, and no coefficient is 0. So two sums are
/// equal as functions of their atoms exactly if they are identical. Most have one atom (`i + 1`), which is stored in
/// place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Affine<A> {
    terms: SmallVec<[(A, i64); 1]>,
    constant: i64,
}

/// The greatest common divisor of two numbers, of which 0 is divided by all.
pub fn gcd(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

impl<A> Affine<A> {
    /// A number.
    pub fn constant(value: i64) -> Self {
        Affine { terms: SmallVec::new(), constant: value }
    }

    /// An atom.
    pub fn atom(atom: A) -> Self {
        Affine { terms: smallvec![(atom, 1)], constant: 0 }
    }

    /// The constant that is added to the terms.
    pub fn constant_term(&self) -> i64 {
        self.constant
    }

    /// The atoms in ascending order, each with its coefficient, which is not 0.
    pub fn terms(&self) -> impl Iterator<Item = (&A, i64)> {
        self.terms.iter().map(|(atom, coefficient)| (atom, *coefficient))
    }

    /// The atoms in ascending order.
    pub fn atoms(&self) -> impl Iterator<Item = &A> {
        self.terms.iter().map(|(atom, _)| atom)
    }

    /// The sum as a number, if it has no atoms.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The only atom, with its coefficient.
    pub fn single_term(&self) -> Option<(&A, i64)> {
        match self.terms.as_slice() {
            [(atom, coefficient)] => Some((atom, *coefficient)),
            _ => None,
        }
    }

    /// The same terms with another constant.
    #[must_use]
    pub fn with_constant(self, constant: i64) -> Self {
        Affine { constant, ..self }
    }

    /// The greatest common divisor of the coefficients, 0 if there are no terms; `None` if it is 2^63.
    pub fn divisor(&self) -> Option<i64> {
        let divisor = self.terms.iter().map(|(_, coefficient)| coefficient.unsigned_abs()).fold(0, gcd);
        i64::try_from(divisor).ok()
    }

    /// The sum divided by a common divisor of its coefficients, which is positive; the constant is rounded down.
    #[must_use]
    pub fn divided(mut self, divisor: i64) -> Self {
        self.terms.iter_mut().for_each(|(_, coefficient)| *coefficient /= divisor);
        let constant = self.constant.div_euclid(divisor);
        self.with_constant(constant)
    }

    /// The sum and a number; `None` on overflow.
    #[must_use]
    pub fn checked_add_constant(self, number: i64) -> Option<Self> {
        let constant = self.constant.checked_add(number)?;
        Some(self.with_constant(constant))
    }

    /// The product with a number; `None` on overflow.
    #[must_use]
    pub fn checked_mul(mut self, factor: i64) -> Option<Self> {
        if factor == 0 {
            return Some(Affine::constant(0));
        }
        for (_, coefficient) in &mut self.terms {
            *coefficient = coefficient.checked_mul(factor)?;
        }
        let constant = self.constant.checked_mul(factor)?;
        Some(self.with_constant(constant))
    }
}

impl<A: Ord> Affine<A> {
    /// The coefficient of an atom, 0 if it does not occur.
    pub fn coefficient(&self, atom: &A) -> i64 {
        self.terms.iter().find(|(other, _)| other == atom).map_or(0, |&(_, coefficient)| coefficient)
    }

    /// Whether another sum differs from this one by a number at most.
    pub fn has_same_terms(&self, other: &Self) -> bool {
        self.terms == other.terms
    }

    /// How much greater this sum is than another one, if that is a number that fits.
    pub fn distance_from(&self, other: &Self) -> Option<i64> {
        self.has_same_terms(other).then(|| self.constant.checked_sub(other.constant))?
    }

    /// `self + factor * other`; `None` on overflow.
    #[must_use]
    pub fn checked_add_multiple(mut self, other: &Self, factor: i64) -> Option<Self>
    where
        A: Clone,
    {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (atom, coefficient) in &other.terms {
            self.add_term(atom, coefficient.checked_mul(factor)?)?;
        }
        Some(self)
    }

    /// The sum with each atom replaced, by equal ones perhaps; the first error, or `Ok(None)` on overflow.
    pub fn map_atoms<B: Ord + Clone, E>(
        &self,
        mut replace: impl FnMut(&A) -> Result<B, E>,
    ) -> Result<Option<Affine<B>>, E> {
        let mut result = Some(Affine::constant(self.constant));
        for (atom, coefficient) in &self.terms {
            let atom = replace(atom)?;
            result = result.and_then(|mut sum| sum.add_term(&atom, *coefficient).map(|()| sum));
        }
        Ok(result)
    }

    /// Adds a multiple of an atom; `None` on overflow, which leaves the sum as it was.
    fn add_term(&mut self, atom: &A, coefficient: i64) -> Option<()>
    where
        A: Clone,
    {
        match self.terms.binary_search_by(|(other, _)| other.cmp(atom)) {
            Ok(at) => match self.terms[at].1.checked_add(coefficient)? {
                0 => drop(self.terms.remove(at)),
                sum => self.terms[at].1 = sum,
            },
            Err(_) if coefficient == 0 => {}
            Err(at) => self.terms.insert(at, (atom.clone(), coefficient)),
        }
        Some(())
    }
}

impl<A> Default for Affine<A> {
    fn default() -> Self {
        Affine::constant(0)
    }
}

/// As atoms with their coefficients, and the constant: `{i: 2, n: 1} - 1`.
impl<A: fmt::Debug> fmt::Debug for Affine<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.terms()).finish()?;
        write!(f, "{:+}", self.constant)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A point at which sums are evaluated: the values of the atoms.
    type Point = [i64; 4];

    fn value(sum: &Affine<usize>, at: &Point) -> i128 {
        let terms = sum.terms().map(|(&atom, coefficient)| i128::from(coefficient) * i128::from(at[atom]));
        terms.sum::<i128>() + i128::from(sum.constant_term())
    }

    fn sum_of(terms: &[(usize, i64)], constant: i64) -> Option<Affine<usize>> {
        terms.iter().try_fold(Affine::constant(constant), |sum, &(atom, coefficient)| {
            sum.checked_add_multiple(&Affine::atom(atom), coefficient)
        })
    }

    fn sums() -> impl Strategy<Value = Affine<usize>> {
        let terms = prop::collection::vec((0..4_usize, -9..10_i64), 0..5);
        (terms, -99..100_i64).prop_filter_map("fits", |(terms, constant)| sum_of(&terms, constant))
    }

    fn points() -> impl Strategy<Value = Point> {
        prop::array::uniform4(-1000..1000_i64)
    }

    fn is_canonical(sum: &Affine<usize>) -> bool {
        let atoms: Vec<_> = sum.atoms().collect();
        atoms.windows(2).all(|pair| pair[0] < pair[1]) && sum.terms().all(|(_, coefficient)| coefficient != 0)
    }

    proptest! {
        #[test]
        fn operations_commute_with_evaluation(one in sums(), other in sums(), factor in -9..10_i64, at in points()) {
            let added = one.clone().checked_add_multiple(&other, factor).expect("fits");
            prop_assert_eq!(value(&added, &at), value(&one, &at) + i128::from(factor) * value(&other, &at));
            let multiplied = one.clone().checked_mul(factor).expect("fits");
            prop_assert_eq!(value(&multiplied, &at), i128::from(factor) * value(&one, &at));
            let moved = one.clone().checked_add_constant(factor).expect("fits");
            prop_assert_eq!(value(&moved, &at), value(&one, &at) + i128::from(factor));
            prop_assert!([added, multiplied, moved].iter().all(is_canonical));
        }

        #[test]
        fn equal_is_identical(terms in prop::collection::vec((0..4_usize, -3..4_i64), 0..6), constant in -9..10_i64) {
            let mut reversed = terms.clone();
            reversed.reverse();
            let sum = sum_of(&terms, constant).expect("fits");
            prop_assert_eq!(&sum, &sum_of(&reversed, constant).expect("fits"));
            prop_assert_eq!(sum.clone().checked_add_multiple(&sum, -1).expect("fits"), Affine::constant(0));
        }

        #[test]
        fn a_distance_is_the_difference_everywhere(one in sums(), other in sums(), at in points(), by in -9..10_i64) {
            if let Some(distance) = one.distance_from(&other) {
                prop_assert_eq!(value(&one, &at) - value(&other, &at), i128::from(distance));
            }
            prop_assert_eq!(one.clone().checked_add_constant(by).expect("fits").distance_from(&one), Some(by));
        }

        #[test]
        fn replacing_atoms_is_evaluating_elsewhere(sum in sums(), onto in prop::array::uniform4(0..4_usize), at in points()) {
            let replaced = sum.map_atoms(|&atom| Ok::<_, ()>(onto[atom])).expect("fits").expect("fits");
            prop_assert!(is_canonical(&replaced));
            prop_assert_eq!(value(&replaced, &at), value(&sum, &onto.map(|atom| at[atom])));
        }

        #[test]
        fn coefficients_rebuild_the_sum(sum in sums()) {
            let terms: Vec<(usize, i64)> = (0..4).map(|atom| (atom, sum.coefficient(&atom))).collect();
            prop_assert_eq!(sum_of(&terms, sum.constant_term()).expect("fits"), sum);
        }
    }

    #[test]
    fn overflow_gives_nothing() {
        let most = Affine::atom('i').checked_mul(i64::MAX).expect("fits");
        assert_eq!(most.clone().checked_add_multiple(&Affine::atom('i'), 1), None);
        assert_eq!(most.clone().checked_mul(2), None);
        assert_eq!(most.checked_mul(0), Some(Affine::constant(0)));
        assert_eq!(Affine::<char>::constant(i64::MAX).checked_add_constant(1), None);
        assert_eq!(Affine::<char>::constant(i64::MIN).distance_from(&Affine::constant(1)), None);
        let added = Affine::constant(1).checked_add_multiple(&Affine::<char>::constant(i64::MIN), -1);
        assert_eq!(added, None);
    }

    #[test]
    fn single_terms_and_constants_are_told_from_sums() {
        let shifted = Affine::atom('i').checked_add_constant(-1).expect("fits");
        assert_eq!(shifted.single_term(), Some((&'i', 1)));
        assert_eq!(shifted.as_constant(), None);
        assert_eq!(format!("{shifted:?}"), "{'i': 1}-1");
        assert_eq!(Affine::<char>::constant(3).as_constant(), Some(3));
        assert_eq!(sum_of(&[(0, 1), (1, 2)], 0).expect("fits").single_term(), None);
    }
}
