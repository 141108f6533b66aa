//! A study as one JSON document (`docs/survey.schema.json`).

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::tables::StudyTables;
use crate::analysis::survey::Study;

/// A change that a reader could trip over raises it.
const VERSION: u32 = 1;

/// A study.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(title = "camfort-rs survey --format json"))]
struct StudyDocument<'a> {
    /// Raised by a change that a reader could trip over.
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    version: u32,
    /// The packages by name.
    packages: Vec<PackageTables<'a>>,
    /// All packages together.
    total: StudyTables,
}

/// One package.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct PackageTables<'a> {
    name: &'a str,
    #[serde(flatten)]
    tables: StudyTables,
}

/// The document.
pub fn render(study: &Study) -> String {
    let packages = study.packages.iter().map(|(name, counts)| PackageTables { name, tables: StudyTables::new(counts) });
    let document =
        StudyDocument { version: VERSION, packages: packages.collect(), total: StudyTables::new(&study.total()) };
    let text = serde_json::to_string_pretty(&document);
    text.expect("records of texts, numbers and lists can always be written") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::documented::{assert_made_from, schema_of};

    #[test]
    fn the_schema_is_that_of_the_records() {
        assert_made_from("survey.schema.json", &schema_of::<StudyDocument<'static>>());
    }
}
