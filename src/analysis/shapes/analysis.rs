//! The analysis `shapes` file by file.

use std::sync::Arc;

use super::file::{Asked, FileShapes, asks};
use super::kept::ShapesOfFile;
use super::listed::ListedProcedure;
use super::rules;
use crate::analysis::obligations::Counts;
use crate::analysis::{Analysis, Context};
use crate::diagnostics::{Allowances, Finding, Levels, Registry, Rule};
use crate::solve::Procedure;
use crate::solve::conditions::SharedAnswers;
use crate::workspace::{Asks, FileView, SummaryLookup};

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
    answers: Arc<SharedAnswers>,
}

impl Analysis for Shapes {
    const NAME: &'static str = "shapes";
    const ABOUT: &'static str = "whether arrays fit: shapes, bounds, arguments";
    const RULES: &'static [&'static Rule] = rules::ALL;
    const ASKS: Option<Asks> = Some(asks);
    type Options = ShapeOptions;
    type Summary = ShapesOfFile;
    type Outcome = ShapesOutcome;

    fn new(options: ShapeOptions) -> Self {
        Shapes { options, answers: Arc::default() }
    }

    fn summarise(&self, view: &FileView<'_>, others: &SummaryLookup<'_, ShapesOfFile>) -> ShapesOfFile {
        let ShapeOptions { solver, possible, .. } = self.options;
        FileShapes::new(view, others, Asked { solver, answers: self.answers.clone(), possible, dump: false }).kept()
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, ShapesOfFile>) -> ShapesOutcome {
        let of_file = context.summaries.of_view(view);
        let (counts, procedures) = (of_file.counts, of_file.listed.clone());
        let mut findings = view.front_end_findings();
        findings.extend(of_file.findings(view));
        let ShapeOptions { rules, levels, possible, .. } = &self.options;
        let is_judged = |rule: &Rule| rule.is_reported_by(Self::NAME) && (rule.options.is_empty() || *possible);
        let findings = Allowances::told(&view.tree().source, *rules, levels, findings, is_judged);
        ShapesOutcome { findings, counts, procedures }
    }
}
