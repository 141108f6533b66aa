//! Index normal form: a subscript as a sum of variables with integer coefficients and a constant.
//!
//! `1+i`, `i-(-1)`, `(i+2)-1` and `i + k - 1` with `parameter (k=2)` all become *i + 1*. What is not linear becomes an *opaque*
//! term that remembers which variables occur in it.

use std::collections::BTreeSet;
use std::fmt;

use smallvec::{SmallVec, smallvec};

use crate::flow::BlockId;
use crate::names::SymbolId;

/// A term of an index, apart from its coefficient.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term {
    /// A scalar variable.
    Variable(SymbolId),
    /// Anything else, by its text (lower case, no blanks).
    Opaque(String),
}

impl Term {
    /// The variable, if it is one.
    fn variable(&self) -> Option<SymbolId> {
        match self {
            Term::Variable(symbol) => Some(*symbol),
            Term::Opaque(_) => None,
        }
    }
}

/// An index in normal form: the sum of its terms with their coefficients (never 0) and the constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct LinearForm {
    /// The terms with their coefficients.
    pub terms: Terms,
    /// The constant.
    pub constant: i64,
}

/// The terms of a sum, in order, each once with its coefficient; there is one as a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Terms(SmallVec<[(Term, i64); 1]>);

impl Terms {
    /// The terms with their coefficients.
    pub fn iter(&self) -> impl Iterator<Item = (&Term, i64)> {
        self.0.iter().map(|(term, coefficient)| (term, *coefficient))
    }

    /// The terms.
    pub fn keys(&self) -> impl Iterator<Item = &Term> {
        self.0.iter().map(|(term, _)| term)
    }

    /// The coefficient of a term, if it is there.
    pub fn get(&self, term: &Term) -> Option<i64> {
        self.0.iter().find(|(other, _)| other == term).map(|&(_, coefficient)| coefficient)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a multiple of a term; `None` on overflow.
    fn add(&mut self, term: &Term, coefficient: i64) -> Option<()> {
        match self.0.binary_search_by(|(other, _)| other.cmp(term)) {
            Ok(at) => {
                let sum = self.0[at].1.checked_add(coefficient)?;
                match sum {
                    0 => drop(self.0.remove(at)),
                    _ => self.0[at].1 = sum,
                }
            }
            Err(_) if coefficient == 0 => {}
            Err(at) => self.0.insert(at, (term.clone(), coefficient)),
        }
        Some(())
    }
}

/// As a map.
impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// One value that an index may have, with everything that decides what it is relative to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// The normal form.
    pub form: LinearForm,
    /// What occurs inside its opaque terms.
    pub inside: Inside,
    /// How it came about.
    pub derivation: Derivation,
}

/// What occurs inside the opaque terms of an index.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inside {
    /// The scalar variables.
    pub variables: BTreeSet<SymbolId>,
    /// Whether there is a reference to an array or to a function of the program.
    pub indirect: bool,
    /// The arrays that are read: their bases.
    pub arrays: BTreeSet<SymbolId>,
    /// Whether there is a reference to a function that isn't intrinsic, or to something unknown.
    pub calls: bool,
}

/// How the value of an index came about, as far as it is not just written there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Derivation {
    /// It is not what is written: a scalar was replaced by its value, or a function such as MOD by what it gives.
    pub is_computed: bool,
    /// It is the value away from the border: a periodic or clamped index.
    pub at_border: bool,
    /// It is the value of a scalar that was moved by some named amount, as at the ends of a ring: `im = im + n`.
    pub wraps: bool,
    /// Data decide whether it is this value or another one: both are read.
    pub by_data: bool,
    /// The block of statements in which a scalar got this value, where it may have got another one elsewhere.
    pub origin: Option<BlockId>,
}

impl Derivation {
    /// Of a value that two others make up.
    fn and(self, other: Derivation) -> Derivation {
        Derivation {
            is_computed: self.is_computed || other.is_computed,
            at_border: self.at_border || other.at_border,
            wraps: self.wraps || other.wraps,
            by_data: self.by_data || other.by_data,
            origin: self.origin.or(other.origin),
        }
    }
}

impl Index {
    /// A constant.
    pub fn constant(value: i64) -> Self {
        Index { form: LinearForm::constant(value), ..Index::default() }
    }

    /// A scalar variable.
    pub fn variable(symbol: SymbolId) -> Self {
        Index { form: LinearForm::term(Term::Variable(symbol)), ..Index::default() }
    }

    /// One opaque term, by its text.
    pub fn opaque(text: String, inside: Inside) -> Self {
        Index { form: LinearForm::term(Term::Opaque(text)), inside, ..Index::default() }
    }

    /// Every scalar variable in it, those inside opaque terms too.
    pub fn variables(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.form.terms.keys().filter_map(Term::variable).chain(self.inside.variables.iter().copied())
    }

    /// `self + factor * other`; `None` on overflow.
    pub fn plus(&self, other: &Index, factor: i64) -> Option<Index> {
        let form = self.form.clone().plus(&other.form, factor)?;
        let mut inside = self.inside.clone();
        if !form.is_linear() {
            inside.add(&other.inside);
        } else {
            // What cancels out does not count.
            inside = Inside::default();
        }
        Some(Index { form, inside, derivation: self.derivation.and(other.derivation) })
    }
}

impl Inside {
    /// Adds what occurs elsewhere.
    pub fn add(&mut self, other: &Inside) {
        self.variables.extend(&other.variables);
        self.arrays.extend(&other.arrays);
        self.indirect |= other.indirect;
        self.calls |= other.calls;
    }
}

impl LinearForm {
    /// A constant.
    pub fn constant(value: i64) -> Self {
        LinearForm { constant: value, ..LinearForm::default() }
    }

    fn term(term: Term) -> Self {
        LinearForm { terms: Terms(smallvec![(term, 1)]), constant: 0 }
    }

    /// Whether its every term is a variable.
    pub fn is_linear(&self) -> bool {
        self.terms.keys().all(|term| term.variable().is_some())
    }

    /// Its value, if it is a constant.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`; `None` on overflow.
    pub fn plus(mut self, other: &LinearForm, factor: i64) -> Option<LinearForm> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (term, coefficient) in other.terms.iter() {
            self.terms.add(term, coefficient.checked_mul(factor)?)?;
        }
        Some(self)
    }
}
