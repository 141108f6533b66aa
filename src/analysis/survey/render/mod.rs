//! Renderers of a study: [`full`] for a person, [`json`] and [`csv`] for programs, [`html`] as a page that stands
//! alone.
//!
//! [`rows`] prints no tables but a row for each computation.
//!
//! All others print the same [`tables`], and numbers become percentages here and nowhere else.

pub mod csv;
pub mod full;
pub mod html;
pub mod json;
#[cfg(feature = "parquet")]
pub mod parquet;
mod picture;
pub mod rows;
pub mod tables;

use serde::Serialize;

use super::Study;
use super::places::Places;
use tables::StudyTables;

/// How a study is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
#[allow(missing_docs, reason = "the values of the option")]
pub enum SurveyFormat {
    Full,
    Json,
    Csv,
    Html,
    Rows,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl SurveyFormat {
    /// Whether it is a row for each computation, not tables: these are not kept in partial results.
    pub fn is_rows(self) -> bool {
        !matches!(self, SurveyFormat::Full | SurveyFormat::Json | SurveyFormat::Csv | SurveyFormat::Html)
    }
}

/// The name of the sum over all packages.
pub const TOTAL: &str = "all packages";

/// How much of a study a person reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The numbers that matter most.
    Summary,
    /// The tables of the whole.
    Whole,
    /// The tables of each package, too.
    Each,
}

/// Where a study comes from.
#[derive(Clone, Debug, Serialize)]
pub struct Heading {
    /// The day, such as 2026-11-29.
    pub date: String,
    /// The command that made it.
    pub command: String,
}

/// Prints a study; the page lists the places, if they were kept. Nothing if the format is one of rows.
pub fn render(
    study: &Study,
    format: SurveyFormat,
    extent: Extent,
    heading: &Heading,
    places: Option<&Places>,
) -> String {
    match format {
        SurveyFormat::Full => full::render(study, extent),
        SurveyFormat::Json => json::render(study),
        SurveyFormat::Csv => csv::render(study),
        SurveyFormat::Html => html::render(study, heading, places),
        _ => String::new(),
    }
}

/// The tables of each package by name, and of their sum if there are several.
fn parts(study: &Study) -> Vec<(&str, StudyTables)> {
    let mut parts: Vec<(&str, StudyTables)> =
        study.packages.iter().map(|(name, counts)| (name.as_str(), StudyTables::new(counts))).collect();
    if parts.len() != 1 {
        parts.push((TOTAL, StudyTables::new(&study.total())));
    }
    parts
}
