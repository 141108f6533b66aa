//! How often what was reported.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Reported, Rule, Severity};

/// The findings of a run, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingCounts {
    by_severity: BTreeMap<Severity, usize>,
    by_rule: BTreeMap<&'static Rule, usize>,
}

impl FindingCounts {
    /// Counts one finding more.
    pub fn add(&mut self, finding: &Reported) {
        *self.by_severity.entry(finding.severity).or_default() += 1;
        *self.by_rule.entry(finding.rule).or_default() += 1;
    }

    /// Number of findings of a severity.
    pub fn of_severity(&self, severity: Severity) -> usize {
        self.by_severity.get(&severity).copied().unwrap_or(0)
    }

    /// `1 error, 2 warnings`; empty if there are none.
    pub fn sentence(&self) -> String {
        let counts: Vec<String> =
            self.by_severity.iter().rev().map(|(severity, &count)| counted(count, severity.name())).collect();
        counts.join(", ")
    }

    /// The findings by rule, most frequent first; empty if there are none.
    pub fn table(&self) -> String {
        let rows = self.by_rule.iter().map(|(rule, &count)| (count, rule.code, rule.name));
        table("finding", "", rows.collect())
    }
}

/// A table of counts, the highest first, each with a name and its explanation: below `5 things without a roof:` for a
/// thing and what is said of it. Empty if nothing was counted.
pub fn table(thing: &str, said_of_it: &str, mut rows: Vec<(usize, &str, &str)>) -> String {
    let total = rows.iter().map(|(count, ..)| count).sum();
    if total == 0 {
        return String::new();
    }
    rows.sort_by_key(|&(count, ..)| std::cmp::Reverse(count));
    let width = rows.iter().map(|(_, name, _)| name.len()).max().unwrap_or(0);
    let mut text = format!("{}{said_of_it}:\n", counted(total, thing));
    for (count, name, explanation) in rows {
        let _ = writeln!(text, "{count:>8}  {name:<width$}  {explanation}");
    }
    text
}

/// `1 file`, `2 files`.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
