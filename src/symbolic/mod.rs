//! Mathematics of symbolic integers, without anything of Fortran: [`Affine`], sums of atoms with integer coefficients.
//!
//! An *atom* is whatever the caller cannot take apart: a variable, a bound, the text of a product. Integers are
//! mathematical; where one does not fit into 64 bits an operation gives `None`, never a wrong sum.

mod affine;

pub use affine::Affine;
