//! What the program reports: findings, the rules behind them, and the renderers.
//!
//! A [`Finding`] stays structured until a renderer prints it. There is one [renderer](render) per file, each from plain
//! data to text; [`Output`] is the way to all of them. What they print of one file is its [`Report`].
//!
//! Glossary: a *rule* is a kind of finding and has a stable code, the [`Registry`] has all of them; a *location* is a
//! place as an editor counts it; an *entry* is what an analysis lists besides findings.

pub mod baseline;
pub mod counts;
#[cfg(test)]
pub(crate) mod documented;
pub mod edit;
mod entry;
pub mod explanation;
mod finding;
pub mod fingerprint;
mod levels;
pub mod paths;
mod registry;
pub mod render;
mod rule;
pub mod rules;
mod suppression;

pub use counts::FindingCounts;
pub use entry::{Entry, FileSummary, NoEntry, Report};
pub use finding::{DataRecord, Finding, Fix, Location, Mark, Note, Suggestion};
pub use levels::Levels;
pub use registry::Registry;
pub use render::output::{Causes, Document, Emitted, Format, Output, Rendered, Reported};
pub use render::piece::Contents;
pub use render::style::Palette;
pub use rule::{Example, Level, Rule, Severity};
pub use suppression::Allowances;
