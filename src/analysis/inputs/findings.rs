//! What is wrong with data, as findings.

use super::facts::{Catches, DataPath, Fact, FactKind};
use super::plan::{Failure, Plan, PlanSite};
use super::rules;
use super::value::DataType;
use crate::diagnostics::{Finding, Location, Severity};
use crate::source::LineColumn;

/// The findings for what is wrong with data files.
pub fn findings(plan: &Plan, data: &[DataPath], facts: &[Fact]) -> Vec<Finding> {
    facts.iter().filter_map(|fact| Some(finding(plan, data.get(fact.data)?, fact))).collect()
}

fn finding(plan: &Plan, data: &DataPath, fact: &Fact) -> Finding {
    let found = &fact.found;
    let (rule, message) = match &fact.kind {
        FactKind::NotAValue(name, Some(of)) => {
            (&rules::NOT_A_VALUE_OF_ITS_TYPE, format!("'{found}' is no {} value for '{name}'", type_name(*of)))
        }
        FactKind::NotAValue(_, None) => {
            (&rules::NOT_A_VALUE_OF_ITS_TYPE, format!("'{found}' is neither a name of the group nor a value"))
        }
        FactKind::Breaks(condition) => {
            (&rules::BREAKS_CONDITION, format!("{} breaks the condition '{condition}'", quoted(found)))
        }
        FactKind::EndsEarly(wanted) => (&rules::DATA_ENDS_EARLY, format!("The file ends where {wanted} is read")),
        FactKind::LeftOver => (&rules::DATA_LEFT_OVER, "The program ends without having read this".to_owned()),
        FactKind::UnknownName(group, _) => {
            (&rules::UNKNOWN_NAMELIST_VARIABLE, format!("'{found}' is no variable of the namelist group '{group}'"))
        }
        FactKind::Subscript(name, true) => {
            (&rules::NAMELIST_SUBSCRIPT, format!("'{found}' is one value more than '{name}' has elements"))
        }
        FactKind::Subscript(name, false) if found == "(" => {
            (&rules::NAMELIST_SUBSCRIPT, format!("'{name}' has no such subscripts"))
        }
        FactKind::Subscript(name, false) => {
            (&rules::NAMELIST_SUBSCRIPT, format!("The subscript {found} is outside of the bounds of '{name}'"))
        }
        FactKind::Overflows(name, Some(of @ DataType::Integer(_)), _) => {
            (&rules::VALUE_OVERFLOWS, format!("{found} does not fit into '{name}', which is {of}"))
        }
        FactKind::Overflows(name, Some(of @ DataType::Character(_)), _) => {
            (&rules::VALUE_OVERFLOWS, format!("The text is cut: '{name}' is {of}"))
        }
        FactKind::Overflows(name, ..) => (&rules::VALUE_OVERFLOWS, format!("The value of '{name}' becomes infinite")),
    };
    let start = LineColumn { line: fact.place.line, column: fact.place.column };
    let length = u32::try_from(found.len()).unwrap_or(u32::MAX);
    let end = LineColumn { line: start.line, column: start.column.saturating_add(length) };
    let mut finding = Finding::new(rule, Location { path: data.path.clone(), start, end }, message);
    if let FactKind::UnknownName(_, Some(nearest)) = &fact.kind {
        finding.remark(format!("The nearest name is '{nearest}'"));
    }
    if let Some(failure) = &fact.failure {
        finding.remark(fails(plan, failure, fact.read));
    }
    if fact.is_approximate {
        finding.remark("Whether the program comes there depends on what is not known");
        finding.severity = Severity::Warning;
    }
    if fact.catches != Catches::Not {
        finding.remark(match fact.catches {
            Catches::Ends => "The program catches that and ends",
            Catches::Perhaps => "The program catches that; whether it goes on is not known",
            Catches::GoesOn | Catches::Not => "The program catches that and goes on",
        });
        finding.severity = Severity::Note;
    } else if matches!(fact.kind, FactKind::Overflows(.., false)) {
        finding.severity = Severity::Warning;
    }
    if fact.read.line > 0 {
        finding.record("read", &place(plan, fact.read));
    }
    finding
}

/// A value as a message quotes it.
fn quoted(found: &str) -> String {
    if found.starts_with('\'') { found.to_owned() } else { format!("'{found}'") }
}

fn type_name(of: DataType) -> &'static str {
    match of {
        DataType::Integer(_) => "integer",
        DataType::Real(_) => "real",
        DataType::Complex(_) => "complex",
        DataType::Logical(_) => "logical",
        DataType::Character(_) => "character",
    }
}

/// `file:line` of a source.
pub fn place(plan: &Plan, site: PlanSite) -> String {
    let source = plan.sources.get(site.source as usize).map_or("?", String::as_str);
    format!("{source}:{}", site.line)
}

fn fails(plan: &Plan, failure: &Failure, read: PlanSite) -> String {
    if failure.at == read {
        return format!("The READ at {} fails", place(plan, read));
    }
    let message = if failure.message.is_empty() { String::new() } else { format!(" (\"{}\")", failure.message) };
    format!("The program stops at {}{message}; read at {}", place(plan, failure.at), place(plan, read))
}
