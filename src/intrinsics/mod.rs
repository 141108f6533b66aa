//! The intrinsic procedures: one row each, with all that any part of this program knows of it.
//!
//! A row gives the arguments, the [`Class`] (Fortran 2023, table 16.1), the [`ResultShape`] and, where an integer can
//! be had of it, the [`Evaluation`]. There are the procedures of the standard, the specific names of Fortran 77 (table
//! 16.2), which stand for their generic one, and the extensions that the common compilers know. Entry points:
//! [`function`], [`subroutine`] and [`procedure`].
//!
//! No intrinsic procedure changes a variable of the program other than an argument; which of these, their INTENT says.

mod evaluate;
mod functions;
mod libraries;
mod row;
mod subroutines;

#[cfg(test)]
mod tests;

pub use evaluate::Evaluation;
pub use libraries::{LibraryProcedure, MPI, NETCDF, OPENMP, library_procedure};
pub use row::{Class, DummyArgument, Intrinsic, ResultShape};

/// The intrinsic function with this generic or specific name, lower case.
pub fn function(name: &str) -> Option<&'static Intrinsic> {
    find(functions::GENERIC, name).or_else(|| {
        let at = functions::SPECIFIC.binary_search_by(|(specific, _)| (*specific).cmp(name)).ok()?;
        find(functions::GENERIC, functions::SPECIFIC[at].1)
    })
}

/// The intrinsic subroutine with this name, lower case.
pub fn subroutine(name: &str) -> Option<&'static Intrinsic> {
    find(subroutines::SUBROUTINES, name)
}

/// The intrinsic procedure with this name, lower case, or the procedure of an intrinsic module.
pub fn procedure(name: &str) -> Option<&'static Intrinsic> {
    function(name).or_else(|| subroutine(name)).or_else(|| find(functions::OF_MODULES, name))
}

fn find(table: &'static [Intrinsic], name: &str) -> Option<&'static Intrinsic> {
    table.binary_search_by(|row| row.name.cmp(name)).ok().map(|at| &table[at])
}
