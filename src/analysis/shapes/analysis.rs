//! The analysis `shapes` file by file.

use super::file::{FileProcedureSummaries, FileShapes};
use super::listed::ListedProcedure;
use super::rules;
use crate::analysis::obligations::Counts;
use crate::analysis::{Analysis, Context};
use crate::diagnostics::{Allowances, Finding, Levels, Registry, Rule};
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
    /// The procedures that take something for granted, or of which something is not decided, in their order.
    pub procedures: Vec<ListedProcedure>,
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
        let (found, counts) = shapes.findings(view);
        let procedures = shapes.listed();
        let mut findings = view.front_end_findings();
        findings.extend(found);
        let ShapeOptions { rules, levels, possible, .. } = &self.options;
        let is_judged = |rule: &Rule| rule.is_reported_by(Self::NAME) && (rule.options.is_empty() || *possible);
        let findings = Allowances::told(&view.tree().source, *rules, levels, findings, is_judged);
        ShapesOutcome { findings, counts, procedures }
    }
}
