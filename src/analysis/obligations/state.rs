//! What scalars and arrays are at a point of a unit.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::symbolic::{Term, difference};
use crate::values::ArrayKey;

/// The bounds of one dimension of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The lower bound.
    pub lower: Term,
    /// The upper bound as it is declared; `None` if there is none: the last dimension of an assumed size.
    pub upper: Option<Term>,
    /// The extent, which is not negative; `None` without an upper bound.
    pub extent: Option<Term>,
}

impl Dimension {
    /// How far the bounds are apart, which is the extent unless it is negative.
    pub fn distance(&self) -> Option<Term> {
        difference(self.upper.as_ref()?, &self.lower)?.checked_add_constant(1)
    }
}

/// The dimensions of an array.
pub type Dimensions = Rc<[Dimension]>;

/// Which element of which values: an array changes as a whole.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Element {
    /// The array.
    pub array: ArrayKey,
    /// What stands for the values that the array has had since it was changed last; `None` for those on entry.
    pub values: Option<Term>,
    /// The subscripts.
    pub subscripts: Vec<Term>,
}

/// What scalars and arrays are at a point; what is not there is as it was when the unit was entered.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct State {
    /// The values of scalar variables, told by their names as arrays are.
    pub scalars: BTreeMap<ArrayKey, Term>,
    /// The shapes of arrays that change theirs; `None` if nothing is known of it.
    pub arrays: BTreeMap<ArrayKey, Option<Dimensions>>,
}
