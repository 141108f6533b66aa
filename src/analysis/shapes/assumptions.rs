//! What `--assumptions` lists: what each procedure takes for granted of its arguments and of variables of others.

use std::sync::Arc;

use serde::Serialize;

use crate::analysis::obligations::{Assumption, Procedure};
use crate::analysis::stencil::computations::unit_path;
use crate::diagnostics::render::json::path_text;
use crate::diagnostics::{Entry, Palette, Rule};
use crate::source::{SourceTexts, Span};
use crate::syntax::{Tree, UnitId};

/// A procedure with what it takes for granted.
#[derive(Clone, Debug)]
pub struct ListedAssumptions {
    /// The unit with those around it.
    unit: String,
    /// The statement that opens it.
    span: Span,
    procedure: Arc<Procedure>,
}

impl ListedAssumptions {
    /// Those of a unit.
    pub fn new(tree: &Tree, unit: UnitId, procedure: Arc<Procedure>) -> Self {
        let of = &tree.units[unit];
        let span = tree.statements[of.opening.unwrap_or(of.first)].span;
        ListedAssumptions { unit: unit_path(tree, unit), span, procedure }
    }

    /// What statements demand, each with its rule and text, in their order.
    fn demands(&self) -> impl Iterator<Item = (&Assumption, &'static Rule, &str)> {
        self.procedure.assumptions.iter().flat_map(|one| {
            let others = one.others.iter().map(|(rule, text)| (*rule, text.as_str()));
            std::iter::once((one.rule, one.text.as_str())).chain(others).map(move |(rule, text)| (one, rule, text))
        })
    }
}

impl Entry for ListedAssumptions {
    const NAME: &'static str = "procedure";

    fn span(&self) -> Span {
        self.span
    }

    fn unit(&self) -> &str {
        &self.unit
    }

    fn lines(&self, _: &SourceTexts, palette: &Palette) -> Vec<String> {
        let Palette { faint, good, .. } = palette;
        let line = |(one, rule, text): (&Assumption, &Rule, &str)| {
            format!("{faint}={faint:#} {good}{text}{good:#}  {}", source_of(one, rule))
        };
        let mut lines: Vec<String> = self.demands().map(line).collect();
        lines.dedup();
        lines
    }

    fn sentences(&self) -> Vec<(Span, String)> {
        let sentence = |(one, rule, text): (&Assumption, &Rule, &str)| {
            format!("{} requires {text}  {}", self.procedure.name, source_of(one, rule))
        };
        self.demands().map(|demand| (self.span, sentence(demand))).collect()
    }

    fn json<'e>(&'e self, texts: &'e SourceTexts) -> impl Serialize + 'e {
        let (path, start, _) = texts.locate(self.span);
        let requires = self.demands().map(|(one, rule, text)| AssumptionRecord {
            text,
            rule: rule.code,
            path: path_text(&one.file),
            line: one.line,
            exact: one.is_exact,
        });
        AssumptionsRecord {
            procedure: &self.unit,
            path: path_text(path),
            line: start.line,
            requires: requires.collect(),
        }
    }
}

/// Exactness, rule and line of a demand.
fn source_of(one: &Assumption, rule: &Rule) -> String {
    format!("{}  {}  line {}", if one.is_exact { "exact" } else { "approx." }, rule.code, one.line)
}

/// A procedure, for programs.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AssumptionsRecord<'p> {
    /// The unit with those around it: `module::procedure`.
    procedure: &'p str,
    /// The file.
    path: String,
    /// The line of the statement that opens it.
    line: u32,
    /// What must hold where it is entered, in the order of the statements that demand it.
    requires: Vec<AssumptionRecord<'p>>,
}

/// Something that a procedure takes for granted, for programs.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AssumptionRecord<'p> {
    /// What is demanded, in the names of the procedure.
    text: &'p str,
    /// The code of the rule that is broken where it does not hold.
    rule: &'p str,
    /// The file of the statement that demands it.
    path: String,
    /// Its line.
    line: u32,
    /// Whether the statement fails exactly where this does not hold, and not only perhaps.
    exact: bool,
}
