//! Renderers of a study: [`full`] for a person, [`json`] and [`csv`] for programs, [`html`] as a page that stands alone.
//!
//! All print the same [`tables`], and numbers become percentages here and nowhere else.

pub mod csv;
pub mod full;
pub mod html;
pub mod json;
mod picture;
pub mod tables;

use crate::survey::{Counts, Study};

/// How a study is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
#[allow(missing_docs, reason = "the values of the option")]
pub enum SurveyFormat {
    Full,
    Json,
    Csv,
    Html,
}

/// The name of the sum over all packages.
pub const TOTAL: &str = "all packages";

/// Prints a study; `each`: a person wants the tables of each package, too.
pub fn render(study: &Study, format: SurveyFormat, each: bool) -> String {
    match format {
        SurveyFormat::Full => full::render(study, each),
        SurveyFormat::Json => json::render(study),
        SurveyFormat::Csv => csv::render(study),
        SurveyFormat::Html => html::render(study),
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
