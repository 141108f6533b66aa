//! The engine under `requires`: what must be true where a procedure is entered, so that a condition holds
//! wherever control passes a statement.
//!
//! A condition is a [`Formula`], a Fortran expression over the values that variables have at one point of a program.
//! It is taken backward through the flow of a unit, statement by statement, as a weakest precondition: an assignment
//! puts its right side in the place of the variable, a branch makes an implication, a loop a quantifier, a call what
//! the procedure is known to give back. What is not followed is a value of which nothing is known, with the place that
//! made it so.

mod arguments;
mod backward;
mod bind;
pub mod build;
mod called;
mod characters;
mod connect;
mod context;
mod decide;
mod edges;
mod effects;
mod ends;
mod facts;
mod failure;
mod file;
mod formula;
mod given_back;
mod initial;
mod intrinsic;
mod linear;
mod literal;
mod loops;
mod lower;
mod namelist;
mod options;
mod passed;
mod procedure;
mod relation;
mod sections;
mod sources;
mod step;
mod substitute;
mod summary;
pub mod text;
mod through_loops;
mod typing;
mod unit;

pub use backward::{Backward, Need, Question};
pub use bind::Binding;
pub use called::asks;
pub use connect::{all, any, equivalent, for_all, implies, not};
pub use decide::Decider;
pub use effects::base;
pub use failure::{Failure, Failures};
pub use file::{FileConditions, FileSummary, Options};
pub use formula::{
    Counter, Formula, Input, Kind, Member, Operator, Place, Real, Root, Subscript, Type, Unknown, Variable,
};
pub use initial::InitialValues;
pub use namelist::{namelist_read, namelist_symbols};
pub use options::{FailureOptions, FatalArgument, FatalProcedure};
pub use procedure::{Dummy, Ends, GivenUp, Procedure, Requirement, Undecided};
pub use relation::{Comparison, Relation};
pub use sections::as_section;
pub use substitute::{replace, substitute};
pub use summary::{FailingCall, UnitOutcome};
pub use unit::{Callee, Callees, UnitContext, type_of};
