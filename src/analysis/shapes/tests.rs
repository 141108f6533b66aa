//! The schema in `docs` is made from the records.

use schemars::JsonSchema;

use super::listed::ShapesProcedureRecord;
use crate::diagnostics::documented::{assert_made_from, schema_of};
use crate::diagnostics::render::json::{FileRecord, FindingRecord, VERSION};

#[derive(JsonSchema)]
#[schemars(title = "camfort-rs shapes --assumptions, or --undecided, --format json")]
#[allow(dead_code, reason = "only its schema is asked for")]
struct ShapesDocument<'d> {
    /// A change that a reader could trip over raises it.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    files: Vec<FileRecord>,
    procedures: Vec<ShapesProcedureRecord<'d>>,
    findings: Vec<FindingRecord<'d, ()>>,
}

#[test]
fn the_documented_schema_is_that_of_the_records() {
    assert_made_from("shapes.schema.json", &schema_of::<ShapesDocument<'_>>());
}
