//! Files of `docs` that are made from the code, for the tests that hold them against it.

use std::path::Path;

use schemars::JsonSchema;

/// The schema of what serialisation gives. It is open: fields are only ever added, and a reader ignores those it
/// doesn't know.
pub fn schema_of<T: JsonSchema>() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n"
}

/// Holds a file of `docs` against what it is made from; with `UPDATE_DOCS` in the environment, makes it anew.
pub fn assert_made_from(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).expect("docs is writable");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/{name} is old; `UPDATE_DOCS=1 cargo test --lib documented` makes it anew");
}
