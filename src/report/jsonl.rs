//! JSON Lines: the records of the [JSON document](super::json), one per line, each with its `type`. Written file by file
//! while the run goes on, so it suits big code bases.

use serde::Serialize;

use super::json::{self, ComputationRecord, FileRecord, FindingRecord, Records, VERSION};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Line<'a> {
    Version { version: u32 },
    File(&'a FileRecord),
    Computation(&'a ComputationRecord),
    Finding(&'a FindingRecord),
}

/// The first line: the version of the format.
pub fn head() -> String {
    line(&Line::Version { version: VERSION })
}

/// The lines of one file: the file, its computations, its findings.
pub fn render(records: &Records) -> String {
    let file = records.file.iter().map(Line::File);
    let computations = records.computations.iter().map(Line::Computation);
    let findings = records.findings.iter().map(Line::Finding);
    file.chain(computations).chain(findings).map(|record| line(&record)).collect()
}

fn line(record: &Line) -> String {
    json::text(record) + "\n"
}
