//! What a program assumes of the data that it reads, and whether data files keep it.
//!
//! 1. `lower`: each procedure becomes a graph of assignments, branches, loops, READs and failures (`code`);
//! 2. `program`: a main program with all that it calls becomes one graph; `constants`, `connections`, `files`: the
//!    units and files of its READs;
//! 3. `conditions`: what must be true behind each READ, by weakest preconditions; `structure`: the graph as a tree of
//!    steps, the [`Plan`];
//! 4. `check`: a plan is followed on data files, read by [`data`], its conditions evaluated by `evaluate`.
//!
//! Entry points: [`Inputs`] → [`InputsOutcome`]; [`check`](check()) → [`Checked`].

mod analysis;
mod arithmetic;
mod blocks;
mod cells;
mod check;
mod check_read;
mod code;
mod conditions;
mod connections;
mod constants;
pub mod data;
mod evaluate;
mod expression;
mod expression_text;
mod facts;
mod files;
mod findings;
mod functions;
mod lower;
mod lower_call;
mod lower_expression;
mod lower_flow;
mod lower_io;
mod lower_references;
mod named;
mod plan;
mod plan_text;
mod program;
mod reads;
mod renaming;
mod rules;
mod simplify;
mod slice;
mod structure;
mod structure_reads;
mod targets;
mod types;
mod unfollowed;
mod value;
mod ways;

pub use analysis::{InputOptions, Inputs, InputsOutcome};
pub use check::{Checked, check};
pub use code::FileCode;
pub use expression::{Expression, Operator, Subscript, Variable, VariableId};
pub use facts::{DataPath, Fact, FactKind};
pub use findings::findings;
pub use named::{data_path, files, split};
pub use plan::*;
pub use plan_text::{is_known, plan_text, reads_nothing};
pub use value::{DataType, Value, trimmed};
