//! Renderers of a study: [`full`] for a person, [`json`] and [`csv`] for programs.
//!
//! All print the same [`tables`], and numbers become percentages here and nowhere else.

pub mod csv;
pub mod full;
pub mod json;
pub mod tables;

use crate::survey::{Counts, Study};

/// How a study is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
#[allow(missing_docs, reason = "the values of the option")]
pub enum SurveyFormat {
    Full,
    Json,
    Csv,
}

/// The name of the sum over all packages.
pub const TOTAL: &str = "all packages";

/// Prints a study; `each`: a person wants the tables of each package, too.
pub fn render(study: &Study, format: SurveyFormat, each: bool) -> String {
    match format {
        SurveyFormat::Full => full::render(study, each),
        SurveyFormat::Json => json::render(study),
        SurveyFormat::Csv => csv::render(study),
    }
}

/// The packages by name, and their sum if there are several.
fn parts(study: &Study) -> Vec<(&str, Counts)> {
    let mut parts: Vec<(&str, Counts)> =
        study.packages.iter().map(|(name, counts)| (name.as_str(), counts.clone())).collect();
    if parts.len() != 1 {
        parts.push((TOTAL, study.total()));
    }
    parts
}
