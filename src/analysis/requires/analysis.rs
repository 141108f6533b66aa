//! The analysis `requires` file by file.

use std::collections::BTreeSet;

use super::entry::ProcedureRequirements;
use super::{findings, rules};
use crate::analysis::preconditions::{FailureOptions, FileConditions, FileSummary, Options};
use crate::analysis::stencil::computations::unit_path;
use crate::analysis::{Analysis, Context};
use crate::diagnostics::{Allowances, Finding, Level, Levels, Registry, Rule};
use crate::solve::Procedure;
use crate::syntax::UnitId;
use crate::workspace::{FileView, SummaryLookup};

/// What `requires` can be asked.
#[derive(Clone, Debug)]
pub struct RequireOptions {
    /// What decides conditions.
    pub solver: Procedure,
    /// What counts as a failure.
    pub failures: FailureOptions,
    /// The rules that comments can name.
    pub rules: Registry,
    /// The severities of the rules.
    pub levels: Levels,
}

/// What `requires` says of a file.
#[derive(Debug)]
pub struct RequiresOutcome {
    /// What is found, in order of place.
    pub findings: Vec<Finding>,
    /// What the procedures need, in the order of the file.
    pub procedures: Vec<ProcedureRequirements>,
}

/// Finds out what keeps procedures from stopping.
#[derive(Debug)]
pub struct Requires {
    options: RequireOptions,
    conditions: Options,
}

impl Analysis for Requires {
    const NAME: &'static str = "requires";
    const ABOUT: &'static str = "what must be true of arguments and settings, or the program stops";
    const RULES: &'static [&'static Rule] = rules::ALL;
    type Options = RequireOptions;
    type Summary = FileSummary;
    type Outcome = RequiresOutcome;

    fn new(options: RequireOptions) -> Self {
        let conditions = Options { failures: options.failures.clone(), solver: options.solver, has_inputs: false };
        Requires { options, conditions }
    }

    fn summarise(&self, view: &FileView<'_>, others: &SummaryLookup<'_, FileSummary>) -> FileSummary {
        FileConditions::new(view, others, &self.conditions).summary()
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileSummary>) -> RequiresOutcome {
        let conditions = FileConditions::new(view, &context.summaries, &self.conditions);
        let units = conditions.units();
        let called: BTreeSet<UnitId> = conditions
            .calls(&units)
            .into_iter()
            .flat_map(|(unit, callees)| callees.into_iter().filter(move |callee| *callee != unit))
            .collect();
        let mut findings = view.front_end_findings();
        let mut procedures = Vec::new();
        for unit in units {
            let Some(outcome) = conditions.outcome(unit) else { continue };
            findings.extend(findings::of_unit(view.tree(), unit, &outcome));
            let path = unit_path(view.tree(), unit);
            procedures.extend(ProcedureRequirements::new(view.tree(), unit, path, &outcome, !called.contains(&unit)));
        }
        RequiresOutcome { findings: self.allowed(view, findings), procedures }
    }
}

impl Requires {
    /// The findings that no comment allows, and the comments that allow nothing, in order of place.
    fn allowed(&self, view: &FileView<'_>, mut findings: Vec<Finding>) -> Vec<Finding> {
        let mut allowances = Allowances::read(&view.tree().source, self.options.rules);
        findings.retain(|finding| !allowances.silence(finding, None));
        let levels = &self.options.levels;
        let is_asked = |rule: &Rule| rule.options.is_empty() || levels.is_configured(rule, view.path());
        findings.extend(allowances.unused(|rule| rule.is_reported_by(Self::NAME) && is_asked(rule)));
        findings.extend(allowances.faults);
        findings.retain(|finding| {
            let level = levels.level(finding.rule, &finding.location.path);
            level != Level::Off && is_asked(finding.rule)
        });
        findings.sort_by(|one, other| (&one.location, one.rule).cmp(&(&other.location, other.rule)));
        findings
    }
}
