//! A baseline: findings that are known, so that only others are reported.
//!
//! It is a text file with a line for each finding, in order of paths, codes and [fingerprints](super::fingerprint), so
//! that it can be read in a diff, and changes of two branches merge. Paths and fingerprints count from its directory:
//! it says the same wherever the program is run.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use super::fingerprint::Fingerprints;
use super::render::quotation::printable;
use super::{Finding, paths};
use crate::source::SourceTexts;

/// The first line of a file; the number is that of its format.
const HEAD: &str = "# camfort-rs baseline 1: known findings, written by `check --write-baseline`";

/// A known finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct KnownFinding {
    /// The file, as text, below the directory of the baseline.
    pub path: String,
    /// The code of the rule.
    pub code: String,
    /// What stays of it when lines move.
    pub fingerprint: String,
}

impl fmt::Display for KnownFinding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.code, self.fingerprint, self.path)
    }
}

/// Known findings, and the directory from which their paths count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Baseline {
    directory: PathBuf,
    findings: BTreeSet<KnownFinding>,
}

/// A line of a baseline that says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BaselineError {
    /// The first line is not that of a baseline.
    #[error("this is no baseline of this version of camfort-rs (`check --write-baseline` writes one)")]
    NoBaseline,
    /// A line, counted from 1, is no known finding.
    #[error("line {0} is no known finding: a code, a fingerprint and a path")]
    Line(usize),
}

impl Baseline {
    /// An empty baseline for a file in a directory.
    pub fn new(directory: &Path) -> Self {
        Baseline { directory: paths::resolved(directory), findings: BTreeSet::new() }
    }

    /// Reads the text of a file in a directory. Empty lines and those that begin with `#` say nothing.
    ///
    /// # Errors
    ///
    /// When it is no baseline.
    pub fn parse(text: &str, directory: &Path) -> Result<Self, BaselineError> {
        let mut baseline = Baseline::new(directory);
        if text.lines().next() != Some(HEAD) {
            return Err(BaselineError::NoBaseline);
        }
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            baseline.findings.insert(known_finding(line).ok_or(BaselineError::Line(number + 1))?);
        }
        Ok(baseline)
    }

    /// Its text.
    pub fn text(&self) -> String {
        let lines: String = self.findings.iter().map(|finding| format!("{finding}\n")).collect();
        format!("{HEAD}\n{lines}")
    }

    /// What is written of the findings of one file, in their order.
    pub fn describe(&self, texts: &SourceTexts, findings: &[Finding]) -> Vec<KnownFinding> {
        let here = |finding: &Finding| paths::resolved(&finding.location.path);
        let mut fingerprints = Fingerprints::new(&self.directory, Some(texts));
        let describe = |finding: &Finding| KnownFinding {
            path: printable(&paths::relative_text(&self.directory, &here(finding))).into_owned(),
            code: finding.rule.code.to_owned(),
            fingerprint: fingerprints.next_as(finding, &here(finding)),
        };
        findings.iter().map(describe).collect()
    }

    /// Whether a finding is known.
    pub fn contains(&self, finding: &KnownFinding) -> bool {
        self.findings.contains(finding)
    }

    /// The same directory with other findings.
    pub fn with_findings(&self, findings: BTreeSet<KnownFinding>) -> Self {
        Baseline { directory: self.directory.clone(), findings }
    }

    /// The text of a path in it.
    pub fn path_text(&self, path: &Path) -> String {
        printable(&paths::relative_text(&self.directory, &paths::resolved(path))).into_owned()
    }

    /// The findings, in order.
    pub fn findings(&self) -> &BTreeSet<KnownFinding> {
        &self.findings
    }
}

/// A known finding from its line.
fn known_finding(line: &str) -> Option<KnownFinding> {
    let mut parts = line.splitn(3, ' ');
    let (code, fingerprint, path) = (parts.next()?, parts.next()?, parts.next()?);
    let is_fingerprint = fingerprint.len() == 32 && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit());
    let known = || KnownFinding { path: path.into(), code: code.into(), fingerprint: fingerprint.into() };
    (is_fingerprint && !code.is_empty() && !path.is_empty()).then(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Location, rules};
    use crate::source::LineColumn;

    fn findings(path: &str, lines: &[u32]) -> Vec<Finding> {
        let location = |&line: &u32| {
            let at = LineColumn { line, column: 1 };
            Location { path: path.into(), start: at, end: at }
        };
        lines.iter().map(|line| Finding::new(&rules::UNBALANCED_CONSTRUCT, location(line), "Wrong")).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let baseline = Baseline::new(Path::new("/top"));
        let texts = SourceTexts::new("/top/src/a b.f90", b"x\ny\nx\n".to_vec());
        let known = baseline.describe(&texts, &findings("/top/src/a b.f90", &[1, 2, 3]));
        assert!(known.iter().all(|one| one.path == "src/a b.f90" && one.code == "F006"));
        let written = baseline.with_findings(known.iter().cloned().collect());
        assert_eq!(written.findings().len(), 3);
        let read = Baseline::parse(&written.text(), Path::new("/top")).expect("a baseline");
        assert_eq!(read, written);
        assert!(known.iter().all(|one| read.contains(one)));
    }

    #[test]
    fn the_directory_in_which_the_program_runs_does_not_matter() {
        let here = std::env::current_dir().expect("there is one");
        let describe = |path: &str| {
            let baseline = Baseline::new(&here.join("top"));
            baseline.describe(&SourceTexts::new(path, b"x\n".to_vec()), &findings(path, &[1]))
        };
        let absolute = here.join("top/src/a.f90");
        assert_eq!(describe("top/src/a.f90"), describe(absolute.to_str().expect("text")));
        assert_eq!(describe("./top/../top/src/a.f90"), describe("top/src/a.f90"));
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        let parse = |text: &str| Baseline::parse(text, Path::new(".")).map(|_| ());
        assert_eq!(parse(""), Err(BaselineError::NoBaseline));
        assert_eq!(parse("{}"), Err(BaselineError::NoBaseline));
        assert_eq!(parse(&format!("{HEAD}\n\n# a remark\nS010 12 a.f90\n")), Err(BaselineError::Line(4)));
        assert_eq!(parse(&format!("{HEAD}\n")), Ok(()));
    }
}
