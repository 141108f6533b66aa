//! JSON Lines: the records of the [JSON document](super::json), one per line, each with its `type`. Written file by file
//! while the run goes on, so it suits big code bases.

use serde::Serialize;

use super::json::{self, ComputationRecord, FileRecord, FindingRecord, Records, VERSION};
use super::output::Piece;

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
pub fn render(records: &Records) -> Vec<Piece> {
    let file = records.file.iter().map(Line::File);
    let computations = records.computations.iter().map(Line::Computation);
    let text = file.chain(computations).map(|record| line(&record)).collect();
    let findings = records.findings.iter().enumerate();
    let findings = findings.map(|(number, finding)| Piece::of(number, line(&Line::Finding(finding))));
    std::iter::once(Piece::beside(text)).chain(findings).collect()
}

fn line(record: &Line) -> String {
    json::text(record) + "\n"
}
