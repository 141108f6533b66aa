//! The documented schema is made from the records.

use schemars::JsonSchema;

use super::entry::ProcedureRecord;
use crate::diagnostics::documented::{assert_made_from, schema_of};
use crate::diagnostics::render::json::{FileRecord, FindingRecord, VERSION};

#[derive(JsonSchema)]
#[schemars(title = "camfort-rs requires --format json")]
#[allow(dead_code, reason = "only its schema is asked for")]
struct RequiresDocument<'d> {
    /// A change that a reader could trip over raises it.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    files: Vec<FileRecord>,
    procedures: Vec<ProcedureRecord<'d>>,
    findings: Vec<FindingRecord<'d, ()>>,
}

#[test]
fn the_documented_schema_is_that_of_the_records() {
    assert_made_from("requires.schema.json", &schema_of::<RequiresDocument<'_>>());
}
