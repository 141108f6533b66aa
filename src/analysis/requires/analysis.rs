//! The analysis `requires` file by file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::data_type::DataType;
use super::entry::{Argument, ProcedureRequirements};
use super::{findings, rules};
use crate::analysis::preconditions::{
    Dummy, FailureOptions, FileConditions, FileSummary, Options, UnitOutcome, asks, namelist_read, namelist_symbols,
};
use crate::analysis::stencil::computations::unit_path;
use crate::analysis::{Analysis, Context};
use crate::diagnostics::{Allowances, Finding, Levels, Registry, Rule};
use crate::solve::Procedure;
use crate::syntax::{Intent, StatementKind, UnitId};
use crate::workspace::{Asks, FileView, SummaryLookup};

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
    const ASKS: Option<Asks> = Some(asks);
    type Options = RequireOptions;
    type Summary = FileSummary;
    type Outcome = RequiresOutcome;

    fn new(options: RequireOptions) -> Self {
        let conditions =
            Options { failures: options.failures.clone(), solver: options.solver, answers: Arc::default() };
        Requires { options, conditions }
    }

    fn summarise(&self, view: &FileView<'_>, others: &SummaryLookup<'_, FileSummary>) -> FileSummary {
        FileConditions::new(view, others, &self.conditions, None).summary()
    }

    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, FileSummary>) -> RequiresOutcome {
        let known = context.summaries.of_view(view);
        let conditions = FileConditions::new(view, &context.summaries, &self.conditions, Some(&known));
        let (units, calls) = (conditions.units(), &conditions.calls);
        let called: BTreeSet<UnitId> = calls
            .iter()
            .flat_map(|(unit, callees)| callees.iter().copied().filter(move |callee| callee != unit))
            .collect();
        let mut findings = view.front_end_findings();
        let mut procedures = Vec::new();
        for unit in units {
            let Some(outcome) = conditions.outcome(unit) else { continue };
            findings.extend(findings::of_unit(view.tree(), unit, &outcome));
            let path = unit_path(view.tree(), unit);
            let of = &view.tree().units[unit];
            procedures.push(ProcedureRequirements {
                name: path.rsplit("::").next().unwrap_or_default().to_ascii_lowercase(),
                path,
                span: view.tree().statements[of.opening.unwrap_or(of.first)].span,
                is_outermost: !called.contains(&unit),
                requirements: outcome.procedure.requirements.clone(),
                undecided: outcome.procedure.undecided.clone(),
                arguments: arguments(&conditions, unit, &outcome),
                groups: groups(&conditions, calls, unit),
            });
        }
        let RequireOptions { rules, levels, .. } = &self.options;
        let is_asked = |rule: &Rule| rule.options.is_empty() || levels.is_configured(rule, view.path());
        findings.retain(|finding| is_asked(finding.rule));
        let is_judged = |rule: &Rule| rule.is_reported_by(Self::NAME) && is_asked(rule);
        let findings = Allowances::told(&view.tree().source, *rules, levels, findings, is_judged);
        RequiresOutcome { findings, procedures }
    }
}

/// The arguments that a procedure is given: all but those that it only gives back.
fn arguments(conditions: &FileConditions<'_>, unit: UnitId, outcome: &UnitOutcome) -> Vec<Argument> {
    let (tree, resolved) = (conditions.called.linked.own.tree, conditions.called.linked.own.resolved);
    let Some(&last) = conditions.called.linked.own.statements(unit).last() else { return Vec::new() };
    let given = outcome.procedure.dummies.iter().filter(|dummy| dummy.intent != Some(Intent::Out));
    let argument = |dummy: &Dummy| {
        let symbol = resolved.symbol_at(last, tree.names.get(&dummy.name)?)?;
        let type_ = DataType::of_variable(resolved, symbol);
        Some(Argument { name: dummy.name.clone(), type_, is_optional: dummy.is_optional })
    };
    given.filter_map(argument).collect()
}

/// A namelist group: its name, and its variables with their types.
type Group = (String, Vec<(String, DataType)>);

/// The namelist groups that a unit reads, or a procedure of the file that it calls.
fn groups(conditions: &FileConditions<'_>, calls: &BTreeMap<UnitId, Vec<UnitId>>, unit: UnitId) -> Vec<Group> {
    let (tree, resolved) = (conditions.called.linked.own.tree, conditions.called.linked.own.resolved);
    let mut found: Vec<Group> = Vec::new();
    let mut met = BTreeSet::from([unit]);
    let mut pending = vec![unit];
    while let Some(unit) = pending.pop() {
        for &id in conditions.called.linked.own.statements(unit) {
            let StatementKind::InputOutput(transfer) = &tree.statements[id].kind else { continue };
            if !transfer.operation.is_input() {
                continue;
            }
            let Some(group) = namelist_read(tree, resolved, id, transfer) else { continue };
            let name = tree.names.text(group).to_owned();
            if found.iter().all(|(known, _)| *known != name) {
                let variable = |symbol| {
                    let name = tree.names.text(resolved.symbol(symbol).name).to_owned();
                    (name, DataType::of_variable(resolved, symbol))
                };
                found.push((name, namelist_symbols(tree, resolved, id, group).into_iter().map(variable).collect()));
            }
        }
        pending.extend(calls.get(&unit).into_iter().flatten().copied().filter(|callee| met.insert(*callee)));
    }
    found
}
