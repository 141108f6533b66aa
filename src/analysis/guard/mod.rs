//! Guard: what a change of array layouts leaves behind.
//!
//! A dimension is added to an array, two are swapped, a lower bound moves, and a thousand uses must follow. Guard
//! compares the program before and after, use by use, and tells those that don't.
//!
//! Glossary. *Snapshot*: a program reduced to its arrays and their uses, from sources ([`Recorder`]) or from a lock
//! file ([`lock`]). *Layout*: which dimension of an array is which of the old ones, and how indices moved. *Use*: one
//! reference to an array. It *follows* when it is the old one, transformed by the change of its array (and by that of
//! the loops around it); it is *still old* when it is as it was and may not be; it *differs otherwise* when it changed
//! in a way that the layout doesn't explain.
//!
//! Entry point: [`compare()`]; result: [`ProgramComparison`], by array. Text decides first: subscripts are compared as
//! sums with a constant. Where they are written in another way the specifications that inference gives decide, and they
//! also find what changed outside of the subscripts.

pub mod affected;
mod affine;
mod aligned;
pub mod base;
mod calls;
mod changes;
mod collect;
mod comments;
mod compare;
mod disambiguate;
mod findings;
pub mod fixes;
mod layout;
pub mod lock;
mod matching;
mod out_of_date;
mod record;
mod recording;
mod region;
mod report;
pub mod rules;
pub mod snapshot;
mod spelling;
mod statement;
#[cfg(test)]
mod tests;
mod variables;
mod verdict;

pub use comments::{CommentPlace, FileComments, RegionId};
pub use compare::{ProgramComparison, compare};
pub use findings::{ArrayFindings, closing, groups};
pub use layout::Layout;
pub use out_of_date::UseOutcomes;
pub use recording::{Guard, GuardOptions, Recorded, RecordedFile, Recorder, Sides};
pub use report::{ArrayReport, ComparedUse, UseClass};
pub use snapshot::Snapshot;
pub use spelling::spell_as_source;
pub use variables::{NewText, Renewal, renewals};
