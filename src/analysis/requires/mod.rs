//! What must be true where a procedure is entered, so that it does not stop the program.
//!
//! The engine of [preconditions](super::preconditions) finds the requirements of each procedure; here they become
//! findings (`findings`), entries that are listed (`entry`, `requirement_line`, `condition`), and a JSON Schema
//! (`schema`).

mod analysis;
mod condition;
mod counts;
mod data_type;
mod entry;
mod findings;
mod requirement_line;
mod rules;
mod schema;
#[cfg(test)]
mod tests;

pub use analysis::{RequireOptions, Requires, RequiresOutcome};
pub use counts::RequirementCounts;
pub use entry::{Argument, ListedProcedure, ProcedureRequirements};
pub use rules::REQUIREMENT_UNDOCUMENTED;
pub use schema::schema;
