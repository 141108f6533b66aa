//! The schema of the configuration file, made from its types; and what is said of wrong ones.

use std::borrow::Cow;

use clap::ValueEnum;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::config::Config;
use super::config_values::{Choice, LineLength, Located, hint, names};
use crate::analysis::RULES;
use crate::diagnostics::Level;
use crate::diagnostics::documented::assert_made_from;

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T: ValueEnum> JsonSchema for Choice<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Choice".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": names::<T>() })
    }
}

impl JsonSchema for LineLength {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "LineLength".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "integer", "minimum": 7 }, { "enum": ["auto", "none"] }] })
    }
}

/// Rules by code or name, in any letter case; editors complete them as they are in the table.
pub fn rules_schema(generator: &mut SchemaGenerator) -> Schema {
    let level = Choice::<Level>::json_schema(generator);
    let properties: serde_json::Map<String, serde_json::Value> =
        RULES.words().iter().map(|name| ((*name).to_owned(), level.clone().to_value())).collect();
    json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn schema() -> serde_json::Value {
    schemars::schema_for!(Config).to_value()
}

#[test]
fn the_documented_schema_of_the_configuration_is_that_of_its_types() {
    let text = serde_json::to_string_pretty(&schema()).expect("a schema is JSON");
    assert_made_from("camfort.schema.json", &(text + "\n"));
}

/// Every key, with a value that is right.
const RIGHT: &str = r#"
form = "fixed"
fixed-line-length = 132
include-paths = ["include"]
defines = ["MPI", "N=3"]
exclude = ["vendor", "src/gen/**"]
require = "nontrivial"
solver = "native"
paper = true
nontrivial = true
fixed = true
partial-dimensions = true
marker = "!"
line-length = 100
rule-url = "https://example.org/rules/{code}.html"
format = "concise"
error-on-warning = true

[rules]
S011 = "warning"
module-not-found = "off"

[[files]]
glob = "old/**"
form = "free"
fixed-line-length = "none"
types = ["MYREAL"]
define = ["OLD"]
rules = { S010 = "off" }
preprocess = "fypp -n"

[requires]
fatal = ["endrun", "mom_error(level = FATAL)"]
stops = "text"

[inputs]
"run.nml" = "src/"
"10=grades.txt" = "src/grades.f90"
"#;

/// Lines that are each wrong in one way.
const WRONG: [&str; 22] = [
    "frm = \"fixed\"",
    "form = \"fix\"",
    "form = 1",
    "fixed-line-length = 6",
    "fixed-line-length = \"all\"",
    "include-paths = \"include\"",
    "defines = [1]",
    "paper = \"yes\"",
    "marker = \"?\"",
    "rules.S999 = \"off\"",
    "rules.S010 = \"fatal\"",
    "files = [{ form = \"free\" }]",
    "files = [{ glob = \"a\", frm = \"free\" }]",
    "files = [{ glob = \"a\", rules = { S010 = \"fatal\" } }]",
    "line-length = 0",
    "rule-url = \"https://example.org/rules\"",
    "rule-url = \"javascript:{code}\"",
    "require = \"everything\"",
    "requires = { fatl = [] }",
    "requires = { fatal = \"endrun\" }",
    "requires = { stops = \"all\" }",
    "inputs = { \"run.nml\" = 1 }",
];

#[test]
fn program_and_schema_agree_on_what_is_right() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    let valid = |text: &str| {
        let table: toml::Table = text.parse().expect("TOML");
        validator.is_valid(&serde_json::to_value(table).expect("JSON"))
    };
    assert!(valid(RIGHT));
    let config: Config = toml::from_str(RIGHT).expect("right");
    let known = schema()["properties"].as_object().expect("an object").len();
    let table: toml::Table = RIGHT.parse().expect("TOML");
    assert_eq!(table.len(), known, "every key is tried");
    assert_eq!((config.rules.len(), config.files.len()), (2, 1));
    for line in WRONG {
        assert!(!valid(line), "{line}");
        let read = toml::from_str::<Config>(line);
        // Names of rules are looked up later.
        assert!(read.is_err() || line.contains("S999"), "{line}");
    }
}

#[test]
fn the_nearest_word_is_named_if_there_is_one() {
    let known = ["form", "format", "fixed-line-length"];
    assert_eq!(hint("fxied-line-lenght", &known), "did you mean 'fixed-line-length'?");
    assert_eq!(hint("Forn", &known), "did you mean 'form'?");
    assert_eq!(hint("colour", &known), "there are form, format, fixed-line-length");
    assert_eq!(hint("colour", &[]), "there are ");
}

#[test]
fn help_lists_the_formats_there_are() {
    assert_eq!(super::arguments::FORMATS, names::<crate::diagnostics::Format>().join("|"));
}
