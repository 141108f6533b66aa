//! The language as a whole: errors at their place, printing and reading, the grammar.

mod errors;
mod grammar;
mod round_trip;
