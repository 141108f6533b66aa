//! What the configuration makes of the severities of the rules.

use std::collections::BTreeMap;

use super::{Finding, Rule, Severity};

/// The rules whose severity is another than that of the table; `None` is off.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels(BTreeMap<&'static str, Option<Severity>>);

impl Levels {
    /// Gives a rule a severity, or turns it off.
    pub fn set(&mut self, rule: &'static Rule, level: Option<Severity>) {
        self.0.insert(rule.code, level);
    }

    /// The severity of a rule; `None` is off.
    pub fn of(&self, rule: &'static Rule) -> Option<Severity> {
        self.0.get(rule.code).copied().unwrap_or(Some(rule.severity))
    }

    /// All findings pass through here before they are counted or printed: those of rules that are off are taken out, the others
    /// get the severity that was asked for.
    pub fn apply(&self, findings: &mut Vec<Finding>) {
        findings.retain_mut(|finding| match self.of(finding.rule) {
            None => false,
            Some(severity) => {
                finding.severity = severity;
                true
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Location, rules};
    use crate::source::LineColumn;

    #[test]
    fn findings_are_taken_out_or_get_another_severity() {
        let at = LineColumn { line: 1, column: 1 };
        let location = Location { path: "a.f90".into(), start: at, end: at };
        let all = [&rules::REGION_DIFFERS, &rules::MODULE_NOT_FOUND, &rules::REPEATED_READ];
        let mut findings: Vec<Finding> =
            all.iter().map(|rule| Finding::new(rule, location.clone(), "Something")).collect();
        let mut levels = Levels::default();
        levels.set(&rules::REGION_DIFFERS, Some(Severity::Note));
        levels.set(&rules::MODULE_NOT_FOUND, None);
        levels.apply(&mut findings);
        let left: Vec<(&str, Severity)> = findings.iter().map(|one| (one.rule.code, one.severity)).collect();
        assert_eq!(left, [("S010", Severity::Note), ("S012", Severity::Error)]);
    }
}
