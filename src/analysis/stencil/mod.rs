//! Stencil specifications: what each array computation reads, in words that can be inferred and checked.

pub mod attach;
pub mod check;
pub mod computations;
pub mod infer;
pub mod spec;
