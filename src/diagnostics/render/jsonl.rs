//! JSON Lines: the records of the [JSON document](super::json), one per line, each with its `type`. Written file by
//! file while the run goes on, so it suits big code bases.

use serde::Serialize;

use super::json::{Records, Tags, VERSION};
use super::piece::Piece;
use crate::diagnostics::{Entry, Report};

#[derive(Serialize)]
struct Version {
    version: u32,
}

/// The first line: the version of the format.
pub fn head() -> String {
    Tags::Type.line("version", &Version { version: VERSION })
}

/// The lines of one file: the file, its entries, its findings.
pub fn render<E: Entry>(report: &Report<'_, E>) -> Vec<Piece> {
    let Records { file, entries, findings } = Records::new(report, Tags::Type);
    let listing = file.into_iter().chain(entries).collect();
    std::iter::once(Piece::of_listing(listing)).chain(findings).collect()
}
