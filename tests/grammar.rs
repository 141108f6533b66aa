//! Walks `grammar/fortran.toml`: each example gives the statement it is listed for.

use camfort_rs::source::{FormChoice, PrescanOptions, prescan};
use camfort_rs::syntax::lexical::Context;
use camfort_rs::syntax::parse_statement::statement;
use serde::Deserialize;

/// The list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grammar {
    statement: Vec<Form>,
}

/// One statement form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    rule: String,
    name: String,
    kind: String,
    standard: String,
    #[serde(default)]
    form: Layout,
    examples: Vec<String>,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Layout {
    #[default]
    Free,
    Fixed,
}

/// The variant of the one statement of a text, and with it the reason when it was not understood.
fn kind_of(example: &str, layout: &Layout) -> String {
    let (text, form) = match layout {
        Layout::Free => (format!("{example}\n"), FormChoice::Free),
        Layout::Fixed => (format!("      {example}\n"), FormChoice::Fixed),
    };
    let source = prescan("example.f90", text.into_bytes(), &PrescanOptions { form, ..PrescanOptions::default() });
    let cx = Context::new(&source);
    let [logical] = &source.statements[..] else { return format!("{} statements", source.statements.len()) };
    let debug = format!("{:?}", statement(&cx, logical).kind);
    match debug.split_once([' ', '(', '{']) {
        Some(("Unparsed", _)) => debug,
        Some((variant, _)) => variant.to_string(),
        None => debug,
    }
}

#[test]
fn every_example_gives_its_statement() {
    let grammar: Grammar = toml::from_str(include_str!("../grammar/fortran.toml")).expect("the list is valid TOML");
    let mut wrong = Vec::new();
    for form in &grammar.statement {
        assert!(!form.examples.is_empty(), "{} ({}, {}) has no example", form.name, form.rule, form.standard);
        for example in &form.examples {
            let found = kind_of(example, &form.form);
            if found != form.kind {
                wrong.push(format!("{}: `{example}` gives {found}", form.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
