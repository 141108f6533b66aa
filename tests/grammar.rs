//! Walks `grammar/fortran.toml`: each example gives the statement it is listed for, no rule of the standards is
//! missing, and `docs/grammar.md` says what the list says. `CAMFORT_WRITE_DOCS=1 cargo test --test grammar` writes the
//! page anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use camfort_rs::names::{ModuleIndex, resolve};
use camfort_rs::procedures::effects;
use camfort_rs::source::{FormChoice, PrescanOptions, Prescanned, prescan};
use camfort_rs::syntax::parse::lexical::{Context, ParsedStatements};
use camfort_rs::syntax::parse::statement::statement;
use camfort_rs::syntax::visit::{Access, StatementVisitor, Visitor, walk_expression, walk_reference, walk_statement};
use camfort_rs::syntax::{Expression, Identifier, NameTable, Reference, Statement, StatementId, nesting};
use serde::Deserialize;

/// The list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grammar {
    /// By standard, the rules that a statement of its own belongs to, each as number and name.
    rules: BTreeMap<String, Vec<String>>,
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
    /// Free form, in a file that goes through the preprocessor.
    Preprocessed,
}

fn grammar() -> Grammar {
    toml::from_str(include_str!("../grammar/fortran.toml")).expect("the list is valid TOML")
}

impl Form {
    /// Whether this is the form, or a form, of a rule given as number and name.
    fn belongs_to(&self, rule: &str) -> bool {
        rule.strip_prefix(self.rule.as_str()).is_some_and(|name| self.name.starts_with(name.trim_start()))
    }

    fn is_standard(&self) -> bool {
        self.rule.starts_with('R') || self.rule.starts_with("F2023 R")
    }
}

/// A file that consists of an example.
fn file_of(example: &str, layout: &Layout) -> Prescanned {
    let (text, form) = match layout {
        Layout::Free | Layout::Preprocessed => (format!("{example}\n"), FormChoice::Free),
        Layout::Fixed => (format!("      {example}\n"), FormChoice::Fixed),
    };
    let name = if *layout == Layout::Preprocessed { "example.F90" } else { "example.f90" };
    prescan(name, text.into_bytes(), &PrescanOptions { form, ..PrescanOptions::default() })
}

/// The variant of the one statement of a text, and with it the reason when it was not understood.
fn kind_of(example: &str, layout: &Layout) -> String {
    let source = file_of(example, layout);
    let cx = Context::new(&source, ParsedStatements::All);
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
    let mut wrong = Vec::new();
    for form in &grammar().statement {
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

#[test]
fn every_rule_of_the_standards_has_an_example() {
    let grammar = grammar();
    let listed = |rule: &String| grammar.statement.iter().any(|form| form.belongs_to(rule));
    let missing: Vec<&String> = grammar.rules.values().flatten().filter(|rule| !listed(rule)).collect();
    assert!(missing.is_empty(), "no example for {missing:?}");
    let known = |form: &Form| grammar.rules.values().flatten().any(|rule| rule.starts_with(&format!("{} ", form.rule)));
    let strange: Vec<&str> = grammar
        .statement
        .iter()
        .filter(|form| form.rule.starts_with('R') && !known(form))
        .map(|form| form.name.as_str())
        .collect();
    assert!(strange.is_empty(), "the rules of {strange:?} are not in [rules]");
}

/// The names of a statement, each with how it is accessed, in the order of the text.
struct Accesses<'t> {
    names: &'t NameTable,
    found: Vec<String>,
}

impl<'t> Visitor<'t> for Accesses<'t> {
    fn name(&mut self, name: Identifier, access: Access) {
        let access = format!("{access:?}").to_lowercase();
        self.found.push(format!("{access} {}", self.names.text(name.name)));
    }

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        self.name(reference.parts[0].name, access);
        walk_reference(self, reference, access);
    }

    fn expression(&mut self, expression: &'t Expression, access: Access) {
        walk_expression(self, expression, access);
    }
}

impl<'t> StatementVisitor<'t> for Accesses<'t> {
    fn names(&self) -> &'t NameTable {
        self.names
    }

    fn action(&mut self, action: &'t Statement) {
        walk_statement(self, &action.kind);
    }

    fn not_understood(&mut self) {
        self.found.push("not understood".to_string());
    }
}

/// What an example accesses, and what its effects are: the variables that it may change, and whether it calls what may
/// change others.
fn what_it_does(example: &str, layout: &Layout) -> String {
    let tree = nesting::parse(file_of(example, layout));
    let mut accesses = Accesses { names: &tree.names, found: Vec::new() };
    walk_statement(&mut accesses, &tree.statements[StatementId::new(0)].kind);
    let resolved = resolve(&tree, &ModuleIndex::new([]));
    let effects = effects(&tree, &resolved, &[StatementId::new(0)]);
    let mut changed: Vec<&str> =
        effects.changes.iter().map(|&(symbol, _)| tree.names.text(resolved.symbol(symbol).name)).collect();
    changed.sort_unstable();
    changed.dedup();
    let changes = if changed.is_empty() { String::new() } else { format!("; changes {}", changed.join(", ")) };
    let calls = if effects.calls.is_empty() { "" } else { "; calls" };
    let accesses = if accesses.found.is_empty() { "nothing".to_string() } else { accesses.found.join(", ") };
    format!("{accesses}{changes}{calls}")
}

/// Reviewed by hand against 19.6.7 and 19.6.8 of the standard.
#[test]
fn every_form_says_what_it_does_to_names() {
    let mut text = String::new();
    for form in &grammar().statement {
        let _ = writeln!(text, "{} ({})", form.name, form.kind);
        for example in &form.examples {
            let _ = writeln!(text, "    {example}\n        {}", what_it_does(example, &form.form));
        }
    }
    insta::assert_snapshot!("effects", text);
}

/// The rows of a table, one for each form: rule, name, since when, examples.
fn table(forms: &[&Form]) -> String {
    let mut text = String::from("| rule | statement | since | examples |\n|---|---|---|---|\n");
    for form in forms {
        let quoted: Vec<String> =
            form.examples.iter().map(|example| format!("`` {} ``", example.replace('|', "\\|"))).collect();
        let rule = if form.rule == "none" { "" } else { form.rule.as_str() };
        let layout = match form.form {
            Layout::Free => "",
            Layout::Fixed => " (fixed form)",
            Layout::Preprocessed => " (preprocessed)",
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "| {rule} | {}{layout} | {} | {} |", form.name, form.standard, quoted.join("<br>"));
    }
    text
}

/// The text of `docs/grammar.md`.
fn page(grammar: &Grammar) -> String {
    let order = |form: &&Form| {
        let digits = |character: char| character.is_ascii_digit();
        let number = form.rule.trim_start_matches("F2023 ").trim_start_matches('R');
        number.chars().take_while(|character| digits(*character)).collect::<String>().parse::<u32>().unwrap_or(u32::MAX)
    };
    let of = |chosen: &dyn Fn(&Form) -> bool| {
        let mut forms: Vec<&Form> = grammar.statement.iter().filter(|form| chosen(form)).collect();
        forms.sort_by_key(order);
        forms
    };
    let standard = of(&|form| form.rule.starts_with('R'));
    let newest = of(&|form| form.rule.starts_with("F2023 R"));
    let others: Vec<&Form> = grammar.statement.iter().filter(|form| !form.is_standard()).collect();
    let rules: usize = grammar.rules.values().map(Vec::len).sum();
    let examples: usize = grammar.statement.iter().map(|form| form.examples.len()).sum();
    format!(
        "# Statements that are understood\n\n\
         Made of `grammar/fortran.toml` by `CAMFORT_WRITE_DOCS=1 cargo test --test grammar`: do not edit.\n\n\
         {rules} rules of the standards belong to a statement of its own; each has a form here. With the extensions there are {} forms \
         with {examples} examples, each of which a test parses. *Since* is the oldest standard with the statement, or where an \
         extension comes from. What is no statement is not listed: INCLUDE lines, preprocessor lines, comments and directives.\n\n\
         ## Fortran 2018 and before\n\n{}\n## Fortran 2023\n\n{}\n## Deleted statements, dialects and macros\n\n{}",
        grammar.statement.len(),
        table(&standard),
        table(&newest),
        table(&others),
    )
}

#[test]
fn the_page_in_docs_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/grammar.md");
    let page = page(&grammar());
    if std::env::var_os("CAMFORT_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).expect("docs/ is there");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == page, "docs/grammar.md is old; `CAMFORT_WRITE_DOCS=1 cargo test --test grammar` makes it anew");
}
