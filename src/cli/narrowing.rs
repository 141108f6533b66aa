//! What of the findings a run of `check` is about: not those of a baseline, and only those in changed statements.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use clap::Args;

use super::arguments::PathArguments;
use crate::diagnostics::baseline::{Baseline, KnownFinding};
use crate::diagnostics::counts::counted;
use crate::diagnostics::{Finding, Location, edit};
use crate::source::SourceTexts;
use crate::workspace::changes::{ChangedLines, Changes};

/// What was typed of it.
#[derive(Args, Debug)]
#[command(next_help_heading = "Adoption")]
pub struct NarrowingArguments {
    /// Report (and fix) only what is not in this file of known findings
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write what is found to the file that --baseline names, and report nothing
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "diff", "since"])]
    pub write_baseline: bool,
    /// Report (and fix) only what concerns lines that were changed since this git revision (a tag, a branch, `HEAD`) of
    /// the repository that holds the first path
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
}

/// What a run reports of its findings.
#[derive(Debug, Default)]
pub struct Narrowing {
    baseline: Option<BaselineUse>,
    changes: Option<Changes>,
}

/// A baseline, and what a run finds of it.
#[derive(Debug)]
struct BaselineUse {
    file: PathBuf,
    is_to_be_written: bool,
    known: Baseline,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    /// The files that were looked at, as the baseline calls them.
    files: BTreeSet<String>,
    /// What was found in them, known or not.
    findings: BTreeSet<KnownFinding>,
}

impl Narrowing {
    /// What the arguments mean.
    ///
    /// # Errors
    ///
    /// When the baseline or the revision can't be read.
    pub fn new(arguments: &NarrowingArguments, paths: &PathArguments) -> anyhow::Result<Self> {
        let baseline = arguments.baseline.as_deref().map(|file| BaselineUse::open(file, arguments.write_baseline));
        let named = paths.named();
        let first = named.first().map_or(Path::new("."), PathBuf::as_path);
        let changes = arguments
            .since
            .as_deref()
            .map(|revision| Changes::since(revision, first).with_context(|| format!("--since '{revision}'")));
        Ok(Narrowing { baseline: baseline.transpose()?, changes: changes.transpose()? })
    }

    /// Takes out of the findings of a file those that are not to be reported.
    pub fn apply(&self, path: &Path, texts: &SourceTexts, findings: &mut Vec<Finding>) {
        if let Some(baseline) = &self.baseline {
            baseline.apply(path, texts, findings);
        }
        if let Some(changes) = &self.changes {
            let mut lines: HashMap<PathBuf, ChangedLines> = HashMap::new();
            let mut is_changed = |location: &Location| {
                let Some(text) = texts.of_path(&location.path) else { return true };
                let lines = lines.entry(location.path.clone()).or_insert_with(|| changes.lines(text));
                lines.touch(location.start.line, location.end.line)
            };
            findings.retain(|finding| {
                is_changed(&finding.location) || finding.marks.iter().any(|mark| is_changed(&mark.location))
            });
        }
    }

    /// Writes the baseline, if that was asked for; gives a sentence on what was done with it.
    ///
    /// # Errors
    ///
    /// When the system refuses to, or `failed`: not every file could be read.
    pub fn close(&self, failed: bool) -> anyhow::Result<Option<String>> {
        self.baseline.as_ref().map(|baseline| baseline.close(failed)).transpose()
    }
}

impl BaselineUse {
    fn open(file: &Path, is_to_be_written: bool) -> anyhow::Result<Self> {
        let directory = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let known = match is_to_be_written {
            true => Baseline::new(directory),
            false => {
                let text = fs::read_to_string(file).with_context(|| format!("'{}' can't be read", file.display()))?;
                Baseline::parse(&text, directory).with_context(|| format!("'{}'", file.display()))?
            }
        };
        Ok(BaselineUse { file: file.to_path_buf(), is_to_be_written, known, found: Mutex::default() })
    }

    fn apply(&self, path: &Path, texts: &SourceTexts, findings: &mut Vec<Finding>) {
        let described = self.known.describe(texts, findings);
        let is_known: Vec<bool> =
            described.iter().map(|finding| self.is_to_be_written || self.known.contains(finding)).collect();
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.files.insert(self.known.path_text(path));
        found.findings.extend(described);
        let mut is_known = is_known.into_iter();
        findings.retain(|_| !is_known.next().unwrap_or(false));
    }

    fn close(&self, failed: bool) -> anyhow::Result<String> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let file = self.file.display();
        if self.is_to_be_written {
            anyhow::ensure!(!failed, "'{file}' is not written, as not everything could be checked");
            let baseline = self.known.with_findings(found.findings.clone());
            edit::write_new(&self.file, baseline.text().as_bytes())
                .with_context(|| format!("'{file}' can't be written"))?;
            return Ok(format!("{} written to '{file}'", counted(found.findings.len(), "finding")));
        }
        let (present, other): (Vec<_>, Vec<_>) =
            self.known.findings().iter().partition(|finding| found.findings.contains(finding));
        let gone = other.iter().filter(|finding| found.files.contains(&finding.path)).count();
        let sentence = format!("{} not reported, as '{file}' has them", counted(present.len(), "finding"));
        Ok(match gone {
            0 => sentence,
            _ => format!("{sentence}; {gone} that it has are gone (`--write-baseline` leaves them out)"),
        })
    }
}
