//! The analysis `shapes` file by file.

use super::assumptions::ListedAssumptions;
use super::file::{FileProcedureSummaries, FileShapes};
use super::rules;
use crate::analysis::obligations::Counts;
use crate::analysis::{Analysis, Context};
use crate::diagnostics::{Allowances, Finding, Level, Levels, Registry, Rule};
use crate::solve::Procedure;
use crate::workspace::{FileView, SummaryLookup};

/// What `shapes` can be asked.
#[derive(Clone, Debug)]
pub struct ShapeOptions {
    /// What decides conditions.
    pub solver: Procedure,
    /// Whether to tell also what fails for some values.
    pub possible: bool,
    /// The rules that comments can name.
    pub rules: Registry,
    /// The severities of the rules.
    pub levels: Levels,
}

/// What `shapes` says of a file.
#[derive(Debug)]
pub struct ShapesOutcome {
    /// What is found, in order of place.
    pub findings: Vec<Finding>,
    /// What became of the demands.
    pub counts: Counts,
    /// What procedures take for granted, in their order.
    pub assumptions: Vec<ListedAssumptions>,
}

/// Checks the shapes of arrays.
#[derive(Debug)]
pub struct Shapes {
    options: ShapeOptions,
}

impl Analysis for Shapes {
    const NAME: &'static str = "shapes";
    const ABOUT: &'static str = "whether arrays fit: shapes, bounds, arguments";
    const RULES: &'static [&'static Rule] = rules::ALL;
    type Options = ShapeOptions;
    type Summary = FileProcedureSummaries;
    type Outcome = ShapesOutcome;

    fn new(options: ShapeOptions) -> Self {
        Shapes { options }
    }

    fn summarise(
        &self,
        view: &FileView<'_>,
        others: &SummaryLookup<'_, FileProcedureSummaries>,
    ) -> FileProcedureSummaries {
        FileShapes::new(view, others, self.options.solver, false).procedures()
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileProcedureSummaries>) -> ShapesOutcome {
        let shapes = FileShapes::new(view, &context.summaries, self.options.solver, self.options.possible);
        let (found, counts) = shapes.findings();
        let assumptions = shapes.assumptions();
        let mut findings = view.front_end_findings();
        findings.extend(found);
        ShapesOutcome { findings: self.allowed(view, findings), counts, assumptions }
    }
}

impl Shapes {
    /// The findings that no comment allows, and the comments that allow nothing, in order of place.
    fn allowed(&self, view: &FileView<'_>, mut findings: Vec<Finding>) -> Vec<Finding> {
        let mut allowances = Allowances::read(&view.tree().source, self.options.rules);
        findings.retain(|finding| !allowances.silence(finding, None));
        let is_asked = |rule: &Rule| rule.options.is_empty() || self.options.possible;
        findings.extend(allowances.unused(|rule| rule.is_reported_by(Self::NAME) && is_asked(rule)));
        findings.extend(allowances.faults);
        findings.retain(|finding| self.options.levels.level(finding.rule, &finding.location.path) != Level::Off);
        findings.sort_by(|one, other| (&one.location, one.rule).cmp(&(&other.location, other.rule)));
        findings
    }
}
