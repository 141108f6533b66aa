//! Index normal form: a subscript as a sum of variables with integer coefficients and a constant.
//!
//! `1+i`, `i-(-1)`, `(i+2)-1` and `i + k - 1` with `parameter (k=2)` all become *i + 1*. What is not linear becomes an
//! *opaque* atom that remembers which variables occur in it.

use std::collections::BTreeSet;

use crate::flow::BlockId;
use crate::names::SymbolId;
use crate::symbolic::Affine;

/// More values than this are not told apart.
pub(super) const VALUES: usize = 16;

/// What a subscript is a sum of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// A scalar variable.
    Variable(SymbolId),
    /// Anything else, by its text (lower case, no blanks).
    Opaque(String),
}

impl Atom {
    /// The variable, if it is one.
    fn variable(&self) -> Option<SymbolId> {
        match self {
            Atom::Variable(symbol) => Some(*symbol),
            Atom::Opaque(_) => None,
        }
    }
}

/// An index in normal form.
pub type IndexSum = Affine<Atom>;

/// One value that an index may have, with everything that decides what it is relative to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// The normal form.
    pub form: IndexSum,
    /// What occurs inside its opaque atoms.
    pub inside: Inside,
    /// How it came about.
    pub derivation: Derivation,
}

/// What occurs inside the opaque atoms of an index.
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
    /// Whether there is something that runs over several values: a section, the variable of an implied DO.
    pub runs_over: bool,
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
    /// What decides whether it is this value or another one.
    pub selection: Selection,
    /// The block of statements in which a scalar got this value, where it may have got another one elsewhere.
    pub origin: Option<BlockId>,
}

/// What decides whether an index has a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Selection {
    /// Nothing by itself: it is that value unless another one is given.
    #[default]
    Always,
    /// Where a loop stands.
    Border,
    /// Data or a switch: both values are read.
    Data,
}

impl Derivation {
    /// Of a value that two others make up.
    fn and(self, other: Derivation) -> Derivation {
        Derivation {
            is_computed: self.is_computed || other.is_computed,
            at_border: self.at_border || other.at_border,
            wraps: self.wraps || other.wraps,
            selection: self.selection.max(other.selection),
            origin: self.origin.or(other.origin),
        }
    }
}

impl Index {
    /// A constant.
    pub fn constant(value: i64) -> Self {
        Index { form: Affine::constant(value), ..Index::default() }
    }

    /// A scalar variable.
    pub fn variable(symbol: SymbolId) -> Self {
        Index { form: Affine::atom(Atom::Variable(symbol)), ..Index::default() }
    }

    /// One opaque atom, by its text.
    pub fn opaque(text: String, inside: Inside) -> Self {
        Index { form: Affine::atom(Atom::Opaque(text)), inside, ..Index::default() }
    }

    /// Every scalar variable in it, those inside opaque atoms too.
    pub fn variables(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.form.atoms().filter_map(Atom::variable).chain(self.inside.variables.iter().copied())
    }

    /// Whether it is a sum of variables alone.
    pub fn is_linear(&self) -> bool {
        self.form.atoms().all(|atom| atom.variable().is_some())
    }

    /// `self + factor * other`; `None` on overflow.
    pub fn plus(&self, other: &Index, factor: i64) -> Option<Index> {
        let form = self.form.clone().checked_add_multiple(&other.form, factor)?;
        let mut sum = Index { form, inside: Inside::default(), derivation: self.derivation.and(other.derivation) };
        // What cancels out does not count.
        if !sum.is_linear() {
            sum.inside = self.inside.clone();
            sum.inside.add(&other.inside);
        }
        Some(sum)
    }
}

impl Inside {
    /// Adds what occurs elsewhere.
    pub fn add(&mut self, other: &Inside) {
        self.variables.extend(&other.variables);
        self.arrays.extend(&other.arrays);
        self.indirect |= other.indirect;
        self.calls |= other.calls;
        self.runs_over |= other.runs_over;
    }
}

/// All sums of a value on the left with `factor` times one on the right. Where both sides have several, these must come
/// from the same blocks of statements: then those of one block belong together.
pub fn combined(left: &[Index], right: &[Index], factor: i64) -> Option<Vec<Index>> {
    if let ([one], [other]) = (left, right) {
        return Some(vec![one.plus(other, factor)?]);
    }
    let origins = |values: &[Index]| values.iter().map(|value| value.derivation.origin).collect::<Vec<_>>();
    let is_paired = are_paired(&origins(left), &origins(right))?;
    let mut found: Vec<Index> = Vec::new();
    for one in left {
        for other in right {
            if !is_paired || one.derivation.origin == other.derivation.origin {
                let sum = one.plus(other, factor)?;
                if !found.contains(&sum) {
                    found.push(sum);
                }
            }
        }
    }
    (found.len() <= VALUES).then_some(found)
}

/// Whether of the values of two indices, given by their origins, only those of the same origin occur together: not if
/// one of them has one value only; `None` if it cannot be said, because they have not the same origins.
pub fn are_paired(left: &[Option<BlockId>], right: &[Option<BlockId>]) -> Option<bool> {
    if left.len() <= 1 || right.len() <= 1 {
        return Some(false);
    }
    let distinct = |origins: &[Option<BlockId>]| origins.iter().copied().collect::<Option<BTreeSet<BlockId>>>();
    let (ours, theirs) = (distinct(left)?, distinct(right)?);
    (ours == theirs && ours.len() == left.len() && ours.len() == right.len()).then_some(true)
}

/// Marks values as computed.
pub fn computed(mut values: Vec<Index>, at_border: bool) -> Vec<Index> {
    for value in &mut values {
        value.derivation =
            Derivation { is_computed: true, at_border: at_border || value.derivation.at_border, ..value.derivation };
    }
    values
}
