//! The whole pipeline against an oracle: random kernels whose reads are known are printed as Fortran in both forms, and
//! what is inferred must be what was put in.
//!
//! The oracle knows nothing of intervals or unions: it decides membership point by point on a window. What is written
//! is plain code of the paper ([`kernel`]); the same with all that is understood beyond it: indices that are computed,
//! periodic, clamped or carried over ([`idioms`]), arrays that are allocated, parts of structures, pointers or
//! associate names, with lower bounds of any kind ([`storage`]), reads in functions of this file and others
//! ([`functions`]), DO CONCURRENT and FORALL ([`program`]); or array syntax ([`sections`]). All of it is valid Fortran.

mod functions;
mod idioms;
mod judge;
mod kernel;
mod program;
mod random;
mod sections;
mod storage;

use judge::judge;
use kernel::{Kernel, Style, kernel};

/// Kernels per run and style; each is tried in both forms.
const KERNELS: u64 = 2_000;

#[test]
fn inference_finds_what_the_generator_put_in() {
    judge_all(|seed| kernel(seed, Style::Plain));
}

#[test]
fn inference_sees_through_computed_indices_and_functions() {
    judge_all(|seed| kernel(seed, Style::Idioms));
}

#[test]
fn inference_understands_array_syntax() {
    judge_all(sections::kernel);
}

/// The kernels of a style, in both forms.
fn judge_all(kernel_of: impl Fn(u64) -> Kernel) {
    for seed in 0..KERNELS {
        let kernel = kernel_of(seed);
        judge(&kernel, &kernel.free, "kernel.f90");
        judge(&kernel, &kernel.fixed, "kernel.f");
    }
}
