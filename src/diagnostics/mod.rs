//! What the program tells: findings, the rules behind them, and the renderers.
//!
//! A [`Finding`] stays structured until a renderer prints it. There is one [renderer](render) per file, each from plain data to
//! text; [`output`](render::output) is the way to all of them. What they print of one file is a [`FileReport`] or findings alone.
//!
//! Glossary: a *rule* is a kind of finding and has a stable code ([`rules`] is the one table of them); a *location* is a
//! place as an editor counts it; a *summary* is the closing count.

pub mod edit;
pub mod explanation;
pub mod finding;
pub mod fingerprint;
pub mod levels;
pub mod paths;
pub mod render;
pub mod rules;

use std::path::Path;

use crate::analysis::stencil::infer::Inference;
use crate::source::{SourceForm, SourceTexts, Span};

pub use finding::{Finding, Fix, Location, Related, Repair, Witness};
pub use levels::Levels;
pub use render::output::{Added, Causes, Contents, Document, Format, Output, Part};
pub use render::summary::Summary;
pub use rules::{Rule, Severity};

/// All that can be told of one analysed file.
#[derive(Clone, Copy, Debug)]
pub struct FileReport<'a> {
    /// The file as it was named or found.
    pub path: &'a Path,
    /// The form in which it was read.
    pub form: SourceForm,
    /// Its text and the texts that it includes.
    pub texts: &'a SourceTexts,
    /// Number of logical statements.
    pub statement_count: usize,
    /// The statements that could not be parsed, each with the reason.
    pub not_understood: &'a [(Span, String)],
    /// The computations and what was inferred for them.
    pub inference: &'a Inference,
    /// The findings, by place.
    pub findings: &'a [Finding],
}

/// What a person wants to see; a program always gets everything.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Findings of a lower severity are left out.
    pub lowest_severity: Severity,
    /// The specifications of every computation.
    pub specifications: bool,
    /// The arrays that get no specification, each with its reason.
    pub reasons: bool,
}
