//! Infers and verifies the shape of array accesses in Fortran programs.
//!
//! The modules, in the order in which data passes through them:
#![forbid(unsafe_code)]

pub mod source;
pub mod syntax;

pub mod intrinsics;
pub mod names;

pub mod flow;
pub mod procedures;

pub mod symbolic;
pub mod values;

pub mod region;
pub mod solve;

pub mod diagnostics;
pub mod workspace;

pub mod analysis;

pub mod server;

pub mod cli;
