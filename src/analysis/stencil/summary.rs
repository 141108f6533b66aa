//! The closing count of a run.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::infer::{Inference, Reason, Unspecified};
use crate::analysis::obligations::Counts;
use crate::analysis::requires::RequirementCounts;
use crate::diagnostics::counts::{counted, table};
use crate::diagnostics::{FileSummary, FindingCounts};

/// Counts over all files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files analysed.
    pub files: usize,
    /// Logical statements.
    pub statements: usize,
    /// Statements that could not be parsed.
    pub not_understood: usize,
    /// Array computations.
    pub computations: usize,
    /// Those with at least one specification.
    pub specified_computations: usize,
    /// Those with a specification for every array that has a shape to state.
    pub fully_specified: usize,
    /// Those without an index that is read from an array, computed by a function or not linear.
    pub linear_computations: usize,
    /// Specification lines.
    pub specifications: usize,
    /// Arrays without a specification, by reason.
    pub unspecified: BTreeMap<Reason, usize>,
    /// Findings. (Of one file there are none here: the document knows which are new.)
    pub findings: FindingCounts,
    /// Specifications in comments that were seen by `check`.
    pub checked: usize,
    /// Those of them that hold.
    pub holding: usize,
    /// Files that were changed, or would be.
    pub changed_files: usize,
    /// Lines that were inserted, or would be.
    pub insertions: usize,
    /// What became of what statements demand.
    pub obligations: Counts,
    /// What procedures require.
    pub requirements: RequirementCounts,
    /// Findings that could be removed by other fixes than those that were asked for.
    pub other_fixes: usize,
}

impl Summary {
    /// The counts of one file, without those of the edit.
    pub fn new(file: FileSummary<'_>, inference: &Inference) -> Self {
        let computations = &inference.computations;
        let mut summary = Summary {
            files: 1,
            statements: file.statement_count,
            not_understood: file.not_understood.len(),
            computations: computations.len(),
            specified_computations: computations.iter().filter(|one| !one.specifications.is_empty()).count(),
            fully_specified: computations.iter().filter(|one| one.unspecified.iter().all(is_shapeless)).count(),
            linear_computations: computations.iter().filter(|one| !one.unspecified.iter().any(is_not_linear)).count(),
            specifications: computations.iter().map(|one| one.specifications.len()).sum(),
            ..Summary::default()
        };
        for array in computations.iter().flat_map(|one| &one.unspecified) {
            *summary.unspecified.entry(array.reason).or_default() += 1;
        }
        summary
    }

    /// Adds the counts of another file.
    pub fn add(&mut self, other: &Summary) {
        self.files += other.files;
        self.statements += other.statements;
        self.not_understood += other.not_understood;
        self.computations += other.computations;
        self.specified_computations += other.specified_computations;
        self.fully_specified += other.fully_specified;
        self.linear_computations += other.linear_computations;
        self.specifications += other.specifications;
        self.checked += other.checked;
        self.holding += other.holding;
        self.changed_files += other.changed_files;
        self.insertions += other.insertions;
        self.obligations.add(&other.obligations);
        self.requirements.add(&other.requirements);
        self.other_fixes += other.other_fixes;
        for (&reason, count) in &other.unspecified {
            *self.unspecified.entry(reason).or_default() += count;
        }
    }

    /// What was read: files and statements.
    fn extent(&self) -> String {
        let mut text = format!("{} with {}", counted(self.files, "file"), counted(self.statements, "statement"));
        if self.not_understood > 0 {
            let _ = write!(text, " ({} not understood)", self.not_understood);
        }
        text
    }

    /// The sentence that closes a run of `check`.
    pub fn check_line(&self) -> String {
        let specifications = counted(self.checked, "specification");
        let holding = match self.checked {
            0 => String::new(),
            checked if checked == self.holding => ", all hold".to_owned(),
            _ => format!(", {} hold", self.holding),
        };
        format!("{}: {specifications}{holding}{}", self.extent(), self.findings_text())
    }

    /// The sentence that closes a run of `shapes`.
    pub fn shapes_line(&self) -> String {
        format!("{}: {}{}", self.extent(), self.obligations.sentence(), self.findings_text())
    }

    /// The sentence that closes a run of `requires`.
    pub fn requires_line(&self) -> String {
        format!("{}: {}{}", self.extent(), self.requirements.sentence(), self.findings_text())
    }

    /// The numbers of findings by severity, behind a semicolon; empty if there are none.
    fn findings_text(&self) -> String {
        match self.findings.sentence() {
            sentence if sentence.is_empty() => sentence,
            sentence => format!("; {sentence}"),
        }
    }

    /// The sentence that closes a run of `infer`.
    pub fn line(&self) -> String {
        let mut text = self.extent();
        let _ = write!(
            text,
            ": {} for {} of {}",
            counted(self.specifications, "specification"),
            self.specified_computations,
            counted(self.computations, "array computation"),
        );
        let unspecified: usize = self.unspecified.values().sum();
        if unspecified > 0 {
            let _ = write!(text, ", {} without one", counted(unspecified, "array"));
        }
        text.push_str(&self.findings_text());
        text
    }

    /// The share of computations of which all is said, two lines; empty if there are none.
    pub fn shares(&self) -> String {
        let share = |of: usize| 100.0 * self.fully_specified as f64 / of.max(1) as f64;
        match self.computations {
            0 => String::new(),
            all => format!(
                "{} with a specification for every array that has a shape to state:\n{:>8.1} % of all {all}\n\
                 {:>8.1} % of the {} without an indirect or non-linear index\n",
                counted(self.fully_specified, "array computation"),
                share(all),
                share(self.linear_computations),
                self.linear_computations,
            ),
        }
    }

    /// The table of `--statistics`: arrays without a specification by reason, findings by rule. Most frequent first.
    pub fn table(&self) -> String {
        let reasons = self.unspecified.iter().map(|(reason, &count)| (count, reason.name(), reason.explanation()));
        table("array", " without a specification", reasons.collect()) + &self.findings.table()
    }
}

/// Whether an array has no shape to state: it is read at fixed places only.
fn is_shapeless(array: &Unspecified) -> bool {
    array.reason == Reason::AbsoluteOnly
}

fn is_not_linear(array: &Unspecified) -> bool {
    matches!(array.reason, Reason::IndirectIndex | Reason::NonNeighbourIndex)
}
