//! The whole pipeline against an oracle: random kernels whose reads are known are printed as Fortran in both forms, and what is
//! inferred must be what was put in.
//!
//! The oracle knows nothing of intervals or unions: it decides membership point by point on a window. What is written is plain code of the
//! paper ([`kernel`]), the same with computed, periodic and clamped indices and with reads in functions ([`idioms`]), or array syntax
//! ([`sections`]).

mod idioms;
mod judge;
mod kernel;
mod random;
mod sections;

use judge::judge;
use kernel::{Style, kernel};

/// Kernels per run and style; each is tried in both forms.
const KERNELS: u64 = 2_000;

#[test]
fn inference_finds_what_the_generator_put_in() {
    for seed in 0..KERNELS {
        let kernel = kernel(seed, Style::Plain);
        judge(&kernel, &kernel.free, "kernel.f90");
        judge(&kernel, &kernel.fixed, "kernel.f");
    }
}

#[test]
fn inference_sees_through_computed_indices_and_functions() {
    for seed in 0..KERNELS {
        let kernel = kernel(seed, Style::Idioms);
        judge(&kernel, &kernel.free, "kernel.f90");
        judge(&kernel, &kernel.fixed, "kernel.f");
    }
}

#[test]
fn inference_understands_array_syntax() {
    for seed in 0..KERNELS {
        let kernel = sections::kernel(seed);
        judge(&kernel, &kernel.free, "kernel.f90");
        judge(&kernel, &kernel.fixed, "kernel.f");
    }
}
