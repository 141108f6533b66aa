//! A study as one JSON document (`docs/survey.schema.json`).

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::tables::{HYPOTHESES, Table, percentage, tables};
use crate::analysis::survey::{Counts, Study};

/// A change that a reader could trip over raises it.
const VERSION: u32 = 1;

/// A study.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(title = "camfort-rs survey --format json"))]
struct StudyRecord<'a> {
    /// Raised by a change that a reader could trip over.
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    version: u32,
    /// The packages by name.
    packages: Vec<PackageRecord<'a>>,
    /// All packages together.
    total: CountsRecord,
}

/// One package.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct PackageRecord<'a> {
    name: &'a str,
    #[serde(flatten)]
    counts: CountsRecord,
}

/// The counts of some files.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct CountsRecord {
    sizes: SizesRecord,
    /// Assignments in loops, or to whole arrays, to which arrays flow.
    assignments: u64,
    /// Array computations: assignments with one of these arrays.
    computations: u64,
    /// The paper's hypotheses; percentages are of all computations.
    hypotheses: Vec<HypothesisRecord>,
    /// The counts of the rows of a table add up to its total; percentages are of that.
    tables: Vec<TableRecord>,
}

/// The paper's Table 1.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
struct SizesRecord {
    files: u64,
    /// Files of which everything was understood.
    understood_files: u64,
    /// Lines that are neither blank nor comment.
    physical_lines: u64,
    understood_physical_lines: u64,
    raw_lines: u64,
    understood_raw_lines: u64,
    statements: u64,
    not_understood_statements: u64,
}

/// How many computations are as a hypothesis says.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct HypothesisRecord {
    #[cfg_attr(test, schemars(range(min = 1, max = 5)))]
    number: u8,
    statement: &'static str,
    count: u64,
    percent: f64,
}

/// A table.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct TableRecord {
    id: &'static str,
    title: &'static str,
    /// What is counted.
    #[cfg_attr(test, schemars(extend("enum" = ["computations", "assignments", "specifications"])))]
    counts: &'static str,
    /// What each key of a row says.
    columns: Vec<&'static str>,
    total: u64,
    rows: Vec<RowRecord>,
}

/// A row of a table.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct RowRecord {
    keys: Vec<String>,
    count: u64,
    percent: f64,
}

/// Rounded to two decimals, as every format prints it.
fn percent(count: u64, whole: u64) -> f64 {
    (percentage(count, whole) * 100.0).round() / 100.0
}

impl CountsRecord {
    fn of(counts: &Counts) -> Self {
        let computations = counts.computations();
        let hypotheses = HYPOTHESES.iter().map(|hypothesis| {
            let count = counts.computations_with(hypothesis.holds);
            let percent = percent(count, computations);
            HypothesisRecord { number: hypothesis.number, statement: hypothesis.statement, count, percent }
        });
        CountsRecord {
            sizes: SizesRecord {
                files: counts.files,
                understood_files: counts.understood_files,
                physical_lines: counts.physical_lines,
                understood_physical_lines: counts.understood_physical_lines,
                raw_lines: counts.raw_lines,
                understood_raw_lines: counts.understood_raw_lines,
                statements: counts.statements,
                not_understood_statements: counts.not_understood,
            },
            assignments: counts.assignments,
            computations,
            hypotheses: hypotheses.collect(),
            tables: tables(counts).into_iter().map(TableRecord::of).collect(),
        }
    }
}

impl TableRecord {
    fn of(table: Table) -> Self {
        let total = table.total();
        let row = |row: super::tables::Row| RowRecord {
            percent: percent(row.count, total),
            keys: row.keys,
            count: row.count,
        };
        TableRecord {
            id: table.id,
            title: table.title,
            counts: table.whole.name(),
            columns: table.columns,
            total,
            rows: table.rows.into_iter().map(row).collect(),
        }
    }
}

/// The document.
pub fn render(study: &Study) -> String {
    let packages = study.packages.iter().map(|(name, counts)| PackageRecord { name, counts: CountsRecord::of(counts) });
    let packages = packages.collect();
    let record = StudyRecord { version: VERSION, packages, total: CountsRecord::of(&study.total()) };
    let text = serde_json::to_string_pretty(&record);
    text.expect("records of texts, numbers and lists can always be written") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::render::json::tests::{assert_made_from, schema_of};

    #[test]
    fn the_schema_is_that_of_the_records() {
        assert_made_from("survey.schema.json", &schema_of::<StudyRecord<'static>>());
    }
}
