//! Stencil specifications: what each array computation reads, in words that can be inferred and checked.
//!
//! Two analyses, [`Infer`] and [`Check`], of which each does a part of the other's work: what is inferred is not
//! inserted where what stands there already is wrong, and a specification that is wrong gives way to the inferred one.

pub mod assist;
pub mod attach;
pub mod check;
pub mod computations;
mod file;
mod index_record;
pub mod infer;
pub mod rules;
pub mod spec;
mod summary;
#[cfg(test)]
mod tests;

pub use assist::{Assist, AssistOptions, AssistOutcome};
pub use check::{Check, CheckOptions, CheckOutcome};
pub use file::{Depth, StencilFile, StencilOptions, Stencils, summarise};
pub use infer::{Infer, InferOptions, InferOutcome};
pub use summary::Summary;
