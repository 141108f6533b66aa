//! Regions: sets of integer vectors that say at which offsets from the origin an array is read. Pure mathematics, no
//! Fortran.
//!
//! Glossary (the words of the paper, section 4 and 6.3):
//! - *scheme*: a product of components, one per dimension; a component constrains its dimension or leaves it free (Z).
//! - *subscript scheme*: every constrained component is one integer; what a single read gives.
//! - *interval scheme*: every constrained component is an [`Interval`]; what a specification gives.
//! - *index scheme*: every constrained component is a finite set of integers; holds both of the above.
//! - *union normal form* ([`Unf`]): a finite union of schemes of equal rank.
//! - *printable*: an interval that one region constant denotes (`pointed`, `backward`, `forward`, `centered`,
//!   `shifted`, `fixed`).
//! - *elongate*: stretch a read to the origin, which gives the least product around it of intervals that touch it or
//!   are fixed.
//! - *coalesce*, *join*: merge schemes that differ in one dimension; *split*: the inverse, for intervals that are not
//!   printable.
//!
//! Entry point: [`infer_regions`], from the reads of one array to [`Inferred`]. For checking: [`Unf::uncovered`].

mod budget;
mod cells;
mod cover;
mod infer;
mod integers;
mod interval;
mod line;
mod maximal;
mod scheme;
mod simplify;
mod staircase;
#[cfg(test)]
mod tests;
mod unf;

pub use budget::{Budget, Exhausted};
pub use infer::{Inferred, RegionLanguage, infer_regions, shortest};
pub use integers::IntegerSet;
pub use interval::{Interval, Shape};
pub use line::{ANY_FIXED, Direction, HIGHEST_DIMENSION, Place, REACH, SOME_FIXED, integers_of, offsets_along};
pub use scheme::{Component, Extent, IndexScheme, IntervalScheme, Scheme, SubscriptScheme};
pub use simplify::{coalesce, elongate, join, split};
pub use unf::Unf;
