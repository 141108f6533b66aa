//! Infers and verifies the shape of array accesses in Fortran programs.
#![forbid(unsafe_code)]

pub mod source;
pub mod syntax;
