//! Infers and verifies the shape of array accesses in Fortran programs.
//!
//! The modules, in the order in which data passes through them:
#![forbid(unsafe_code)]

pub mod names;
pub mod region;
pub mod source;
pub mod spec;
pub mod syntax;
// flow, access, spec and solve follow
pub mod edit;
pub mod infer;
pub mod report;
