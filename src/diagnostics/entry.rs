//! What is reported of one file: findings, and what an analysis lists besides them.

use std::path::Path;

use serde::Serialize;

use super::{Finding, Palette};
use crate::source::{SourceForm, SourceTexts, Span};

/// What an analysis lists besides findings: a statement, and what was concluded of it.
pub trait Entry {
    /// What programs call one: `computation`.
    const NAME: &'static str;

    /// The statement.
    fn span(&self) -> Span;

    /// The unit it stands in, as `module::procedure`; may be empty.
    fn unit(&self) -> &str;

    /// The lines below the statement, for a person; none: it is not listed.
    fn lines(&self, texts: &SourceTexts, palette: &Palette) -> Vec<String>;

    /// The same as sentences that stand by themselves, each with its place.
    fn sentences(&self) -> Vec<(Span, String)>;

    /// All of it, for programs.
    fn json<'e>(&'e self, texts: &'e SourceTexts) -> impl Serialize + 'e;
}

/// The entries of an analysis that has none.
#[derive(Clone, Copy, Debug)]
pub enum NoEntry {}

impl Entry for NoEntry {
    const NAME: &'static str = "";

    fn span(&self) -> Span {
        match *self {}
    }

    fn unit(&self) -> &str {
        match *self {}
    }

    fn lines(&self, _: &SourceTexts, _: &Palette) -> Vec<String> {
        match *self {}
    }

    fn sentences(&self) -> Vec<(Span, String)> {
        match *self {}
    }

    fn json<'e>(&'e self, _: &'e SourceTexts) -> impl Serialize + 'e {}
}

/// All that is reported of one file.
#[derive(Debug)]
pub struct Report<'a, E = NoEntry> {
    /// The file as it was named or found.
    pub path: &'a Path,
    /// Its text and the texts that it includes; `None` if it could not be read.
    pub texts: Option<&'a SourceTexts>,
    /// The findings, by place.
    pub findings: Vec<Finding>,
    /// The file and its entries, where these are what the run is about.
    pub listing: Option<(FileSummary<'a>, Vec<E>)>,
}

impl<'a> Report<'a> {
    /// The report of findings alone.
    pub fn of_findings(path: &'a Path, texts: Option<&'a SourceTexts>, findings: Vec<Finding>) -> Self {
        Report { path, texts, findings, listing: None }
    }
}

/// What is said of a file that was analysed.
#[derive(Clone, Copy, Debug)]
pub struct FileSummary<'a> {
    /// The form in which it was read.
    pub form: SourceForm,
    /// Number of logical statements.
    pub statement_count: usize,
    /// The statements that could not be parsed, each with the reason.
    pub not_understood: &'a [(Span, String)],
}
