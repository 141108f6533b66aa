//! The schemas in `docs` are made from the records.

use schemars::JsonSchema;

use super::check::WitnessRecord;
use super::infer::ComputationRecord;
use crate::diagnostics::documented::{assert_made_from, schema_of};
use crate::diagnostics::render::json::{FileRecord, FindingRecord, VERSION};

#[derive(JsonSchema)]
#[schemars(title = "camfort-rs infer --format json")]
#[allow(dead_code, reason = "only its schema is asked for")]
struct InferDocument<'d> {
    /// A change that a reader could trip over raises it.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    files: Vec<FileRecord>,
    computations: Vec<ComputationRecord<'d>>,
    findings: Vec<FindingRecord<'d, WitnessRecord>>,
}

#[derive(JsonSchema)]
#[schemars(title = "camfort-rs check --format json")]
#[allow(dead_code, reason = "only its schema is asked for")]
struct CheckDocument<'d> {
    /// A change that a reader could trip over raises it.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    findings: Vec<FindingRecord<'d, WitnessRecord>>,
}

#[test]
fn the_documented_schemas_are_those_of_the_records() {
    assert_made_from("infer.schema.json", &schema_of::<InferDocument<'_>>());
    assert_made_from("check.schema.json", &schema_of::<CheckDocument<'_>>());
}
