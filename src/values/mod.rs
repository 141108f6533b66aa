//! What scalars, indices and bounds hold where.
//!
//! - *index normal form*: a subscript as a sum of variables with integer coefficients and a constant ([`IndexSum`]);
//!   what is not linear is an *opaque* atom;
//! - *value* of an index: its normal form with how it came about ([`Index`]). An index has several values where control
//!   arrives on several ways;
//! - *settled* value: one that means the same at another position;
//! - *distance*: how many iterations earlier a value was computed than it is used, loop by loop ([`Distance`]);
//! - *border*: where a periodic or clamped index (`mod(i, n) + 1`, `min(i + 1, n)`) leaves its usual form.
//!
//! Entry point: [`Evaluator::evaluate`] for an expression at a position of a unit, which is a [`ValueContext`]; result:
//! the values that the expression may have, at least one. What an expression is by its place alone, without the flow,
//! an [`ExpressionContext`] says.

mod array;
mod border;
mod bound_copies;
mod bounded;
mod bounds;
mod condition;
mod context;
mod distance;
mod evaluator;
mod expression;
mod index;
mod jump;
mod memo;
mod ring;
mod scalar_values;

pub use array::ArrayKey;
pub use bounded::{Bounded, BoundedKey};
pub use bounds::{LowerBound, LowerBounds};
pub use context::ValueContext;
pub use distance::Distance;
pub use evaluator::{Bindings, Evaluator};
pub use expression::ExpressionContext;
pub use index::{Atom, Derivation, Index, IndexSum, Inside, Selection, are_paired, combined, computed};
pub use memo::ScalarMemo;
