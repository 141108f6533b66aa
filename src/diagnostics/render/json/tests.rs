//! The schemas in `docs` are made from the records.

use schemars::JsonSchema;

use crate::diagnostics::render::json::*;

#[derive(JsonSchema)]
#[schemars(title = "camfort-rs infer --format json")]
#[allow(dead_code, reason = "only its schema is asked for")]
struct InferDocument {
    /// A change that a reader could trip over raises it.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    files: Vec<FileRecord>,
    computations: Vec<ComputationRecord>,
    findings: Vec<FindingRecord>,
}

#[derive(JsonSchema)]
#[schemars(title = "camfort-rs check --format json")]
#[allow(dead_code, reason = "only its schema is asked for")]
struct CheckDocument {
    /// A change that a reader could trip over raises it.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    findings: Vec<FindingRecord>,
}

/// The schema of what serialisation gives. It is open: fields are only ever added, and a reader ignores those it doesn't know.
pub(crate) fn schema_of<T: JsonSchema>() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n"
}

/// Holds a file of `docs` against what it is made from; with `UPDATE_DOCS` in the environment, makes it anew.
pub(crate) fn assert_made_from(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).expect("docs is writable");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/{name} is old; `UPDATE_DOCS=1 cargo test --lib schema` makes it anew");
}

#[test]
fn the_schemas_are_those_of_the_records() {
    assert_made_from("infer.schema.json", &schema_of::<InferDocument>());
    assert_made_from("check.schema.json", &schema_of::<CheckDocument>());
}
