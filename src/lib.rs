//! Infers and verifies the shape of array accesses in Fortran programs.
//!
//! The modules, in the order in which data passes through them:
#![forbid(unsafe_code)]

pub mod source;
pub mod syntax;

pub mod names;

pub mod flow;

pub mod access;

pub mod region;
pub mod solve;
pub mod spec;

pub mod edit;
pub mod report;

pub mod attach;
pub mod check;
pub mod guard;
pub mod infer;
pub mod survey;

pub mod project;

pub mod cli;
