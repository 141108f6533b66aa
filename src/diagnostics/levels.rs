//! What the configuration makes of the severities of the rules.

use std::collections::BTreeMap;

use super::{Finding, Level, Rule};

/// The rules whose level is not their own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels(BTreeMap<&'static Rule, Level>);

impl Levels {
    /// Gives a rule a level; `false` if it had got one before.
    pub fn set(&mut self, rule: &'static Rule, level: Level) -> bool {
        self.0.insert(rule, level).is_none()
    }

    /// Turns a rule off.
    pub fn turn_off(&mut self, rule: &'static Rule) {
        self.0.insert(rule, Level::Off);
    }

    /// Gives a rule its own level again, or that of a warning if it is off by itself.
    pub fn turn_on(&mut self, rule: &'static Rule) {
        if self.level(rule) == Level::Off {
            self.0.insert(rule, if rule.level == Level::Off { Level::Warning } else { rule.level });
        }
    }

    /// The level of a rule.
    pub fn level(&self, rule: &'static Rule) -> Level {
        self.0.get(rule).copied().unwrap_or(rule.level)
    }

    /// All findings pass through here before they are counted or printed: those of rules that are off are taken out,
    /// the others get the severity that was asked for, if one was.
    pub fn apply(&self, findings: &mut Vec<Finding>) {
        findings.retain_mut(|finding| match self.level(finding.rule).severity() {
            None => false,
            Some(severity) => {
                if self.0.contains_key(finding.rule) {
                    finding.severity = severity;
                }
                true
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Location, Severity, rules};
    use crate::source::LineColumn;

    #[test]
    fn findings_are_taken_out_or_get_another_severity() {
        let at = LineColumn { line: 1, column: 1 };
        let location = Location { path: "a.f90".into(), start: at, end: at };
        let all = [&rules::UNREADABLE_FILE, &rules::MODULE_NOT_FOUND, &rules::UNBALANCED_CONSTRUCT];
        let mut findings: Vec<Finding> =
            all.iter().map(|rule| Finding::new(rule, location.clone(), "Something")).collect();
        let mut levels = Levels::default();
        levels.set(&rules::UNREADABLE_FILE, Level::Note);
        levels.set(&rules::MODULE_NOT_FOUND, Level::Off);
        levels.apply(&mut findings);
        let left: Vec<(&str, Severity)> = findings.iter().map(|one| (one.rule.code, one.severity)).collect();
        assert_eq!(left, [("F002", Severity::Note), ("F006", Severity::Warning)]);
    }
}
