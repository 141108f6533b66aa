//! Mathematics of symbolic integers, without anything of Fortran.
//!
//! [`Affine`] is a sum of atoms with integer coefficients. A [`Term`] is such a sum over [`Place`]s (integers of which
//! nothing is known here) and operations that are not linear, which stay as atoms. A [`Condition`] compares terms and
//! connects comparisons.
//!
//! Integers are mathematical; where one does not fit into 64 bits an operation gives `None`, never a wrong sum.

mod affine;
mod condition;
mod term;

pub use affine::{Affine, gcd};
pub use condition::{Condition, Relation};
pub use term::{
    Applied, Atom, Operation, Place, Term, absolute, constant, difference, maximum, minimum, modulo, place_term,
    places_of, product, quotient, remainder, substitute, sum, value_of,
};
