//! What is listed of a procedure: with `--assumptions` what it takes for granted of its arguments and of variables of
//! others, with `--undecided` of which statements it is not known whether they are certain to fail.

use std::sync::Arc;

use serde::Serialize;

use crate::analysis::obligations::{Assumption, Procedure};
use crate::analysis::stencil::computations::unit_path;
use crate::diagnostics::render::json::path_text;
use crate::diagnostics::{Entry, Palette, Rule};
use crate::source::{SourceTexts, Span};
use crate::syntax::{Tree, UnitId};

/// A statement of which it is not known whether it is certain to fail.
#[derive(Clone, Debug)]
pub struct UndecidedStatement {
    /// Its line.
    pub line: u32,
    /// What it demands that does not hold for all values, each with its rule.
    pub demands: Vec<(&'static Rule, String)>,
    /// Why it is not known, as a clause.
    pub why: String,
}

/// What a person wants to see of procedures.
#[derive(Clone, Copy, Default, Debug)]
pub struct Shown {
    /// What they take for granted.
    pub assumptions: bool,
    /// What is not decided.
    pub undecided: bool,
}

impl Shown {
    /// Whether it is anything.
    pub fn is_any(self) -> bool {
        self.assumptions || self.undecided
    }
}

/// A procedure, or a main program, as it is listed.
#[derive(Clone, Debug)]
pub struct ListedProcedure {
    /// The unit with those around it.
    unit: String,
    /// The statement that opens it.
    span: Span,
    /// What it takes for granted; nothing of a main program.
    procedure: Option<Arc<Procedure>>,
    undecided: Vec<UndecidedStatement>,
    /// What a person sees of it.
    pub shown: Shown,
}

impl ListedProcedure {
    /// That of a unit.
    pub fn new(
        tree: &Tree,
        unit: UnitId,
        procedure: Option<Arc<Procedure>>,
        undecided: Vec<UndecidedStatement>,
    ) -> Self {
        let of = &tree.units[unit];
        let span = tree.statements[of.opening.unwrap_or(of.first)].span;
        ListedProcedure { unit: unit_path(tree, unit), span, procedure, undecided, shown: Shown::default() }
    }

    fn name(&self) -> &str {
        self.procedure.as_ref().map_or(self.unit.as_str(), |procedure| &procedure.name)
    }

    /// What statements demand, each with its rule and text, in their order.
    fn demands(&self) -> impl Iterator<Item = (&Assumption, &'static Rule, &str)> {
        self.procedure.iter().flat_map(|procedure| &procedure.assumptions).flat_map(|one| {
            let others = one.others.iter().map(|(rule, text)| (*rule, text.as_str()));
            std::iter::once((one.rule, one.text.as_str())).chain(others).map(move |(rule, text)| (one, rule, text))
        })
    }

    /// What is not decided, each with its statement, rule and text.
    fn open(&self) -> impl Iterator<Item = (&UndecidedStatement, &'static Rule, &str)> {
        self.undecided.iter().flat_map(|one| one.demands.iter().map(move |(rule, text)| (one, *rule, text.as_str())))
    }
}

impl Entry for ListedProcedure {
    const NAME: &'static str = "procedure";

    fn span(&self) -> Span {
        self.span
    }

    fn unit(&self) -> &str {
        &self.unit
    }

    fn lines(&self, _: &SourceTexts, palette: &Palette) -> Vec<String> {
        let Palette { faint, good, .. } = palette;
        let line = |text: &str, source: String| format!("{faint}={faint:#} {good}{text}{good:#}  {source}");
        let granted = self.demands().filter(|_| self.shown.assumptions);
        let mut lines: Vec<String> = granted.map(|(one, rule, text)| line(text, source_of(one, rule))).collect();
        let open = self.open().filter(|_| self.shown.undecided);
        lines.extend(open.map(|(one, rule, text)| line(text, source_of_undecided(one, rule))));
        lines.dedup();
        lines
    }

    fn sentences(&self) -> Vec<(Span, String)> {
        let sentence = |text: &str, source: String| (self.span, format!("{} requires {text}  {source}", self.name()));
        let granted = self.demands().filter(|_| self.shown.assumptions);
        let open = self.open().filter(|_| self.shown.undecided);
        let granted = granted.map(|(one, rule, text)| sentence(text, source_of(one, rule)));
        granted.chain(open.map(|(one, rule, text)| sentence(text, source_of_undecided(one, rule)))).collect()
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
        let undecided = self.open().map(|(one, rule, text)| UndecidedRecord {
            text,
            rule: rule.code,
            line: one.line,
            why: &one.why,
        });
        ShapesProcedureRecord {
            procedure: &self.unit,
            path: path_text(path),
            line: start.line,
            requires: requires.collect(),
            undecided: undecided.collect(),
        }
    }
}

/// Exactness, rule and line of a demand.
fn source_of(one: &Assumption, rule: &Rule) -> String {
    format!("{}  {}  line {}", if one.is_exact { "exact" } else { "approx." }, rule.code, one.line)
}

/// Rule and line of what is not decided, and why it is not.
fn source_of_undecided(one: &UndecidedStatement, rule: &Rule) -> String {
    format!("undecided  {}  line {}  ({})", rule.code, one.line, one.why)
}

/// A procedure, for programs.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShapesProcedureRecord<'p> {
    /// The unit with those around it: `module::procedure`.
    procedure: &'p str,
    /// The file.
    path: String,
    /// The line of the statement that opens it.
    line: u32,
    /// What must hold where it is entered, in the order of the statements that demand it.
    requires: Vec<AssumptionRecord<'p>>,
    /// What statements demand that may be certain to fail, though that is not known.
    undecided: Vec<UndecidedRecord<'p>>,
}

/// Something that may be certain to fail, for programs.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct UndecidedRecord<'p> {
    /// What is demanded, in the names of the procedure.
    text: &'p str,
    /// The code of the rule that is broken where it does not hold.
    rule: &'p str,
    /// The line of the statement that demands it.
    line: u32,
    /// Why it is not known, as a clause.
    why: &'p str,
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
