//! What the procedures of a file do: their effects, whether they are pure, and which of them a reference means.
//!
//! - *effects* of a statement: the scalars that it defines and uses, and what it may change;
//! - *purity*: whether a procedure changes nothing but what is its own, as far as its file tells;
//! - *summary*: what is to be known of a procedure where it is referenced; it depends on the summaries of the
//!   procedures that it references itself ([`Summaries`]).
//!
//! Entry points: [`FileProcedures`] for a file, [`effects()`] for one unit by itself.

#![deny(clippy::wildcard_enum_match_arm)]

mod called;
mod effects;
mod file;
mod known;
mod purity;
mod summaries;
#[cfg(test)]
#[allow(clippy::wildcard_enum_match_arm, reason = "a test fails on what it does not expect")]
mod tests;

pub use effects::{effects, effects_knowing};
pub use file::{FileProcedures, Location};
pub use known::{ArgumentEffect, ArgumentEffects, Known};
pub use summaries::{References, Summaries};
