//! `infer` on one file: read it, infer, and do with the result what the plan says.
//!
//! The result is an [`Outcome`]: text and counts, nothing that refers to the file any more. So files can be worked on in any
//! order and on any thread, and what is kept of them until it is printed is small.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};

use super::discovery;
use super::infer::{Mode, Plan};
use crate::edit;
use crate::project::{FileResult, Project, program_fingerprint};
use crate::report::summary::counted;
use crate::report::{FileReport, Finding, Location, Part, Severity, Summary, rules};
use crate::source::LineColumn;

/// What came of one file.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Findings and, as selected, specifications and reasons.
    pub report: Part,
    /// The diff, or the edited text of standard input: bytes as they are in the file.
    pub data: Vec<u8>,
    /// The counts.
    pub summary: Summary,
    /// Whether the file could not be read. The run has failed then, whatever the severity of the finding.
    pub is_unreadable: bool,
    /// Notes for standard error, a line each.
    pub notes: Vec<String>,
    /// What kept the program from doing what was asked.
    pub failures: Vec<String>,
}

/// Analyses a file of the disk.
pub fn infer_path(plan: &Plan, project: &Project, path: &Path) -> Outcome {
    match fs::read(path) {
        Ok(bytes) => infer_bytes(plan, project, path, bytes),
        Err(error) => unreadable(plan, path, &discovery::reason(&error)),
    }
}

/// Analyses a text that is called `path`. An internal error in one file doesn't keep the others from being analysed.
pub fn infer_bytes(plan: &Plan, project: &Project, path: &Path, bytes: Vec<u8>) -> Outcome {
    let work = AssertUnwindSafe(|| infer_and_act(plan, project, path, &bytes));
    catch_unwind(work).unwrap_or_else(|_| Outcome {
        failures: vec![format!("internal error in '{}': please report it with this file", path.display())],
        ..Outcome::default()
    })
}

/// The outcome for a path that is missing or can't be read.
pub fn unreadable(plan: &Plan, path: &Path, reason: &str) -> Outcome {
    let start = LineColumn { line: 1, column: 1 };
    let location = Location { path: path.to_path_buf(), start, end: start };
    let message = format!("Cannot read '{}': {reason}", path.display());
    let mut findings = vec![Finding::new(&rules::UNREADABLE_FILE, location, message)];
    plan.levels.apply(&mut findings);
    let mut outcome = Outcome { is_unreadable: true, ..Outcome::default() };
    findings.iter().for_each(|finding| outcome.summary.add_finding(finding));
    outcome.report = plan.output.findings(path, None, &findings);
    outcome
}

fn infer_and_act(plan: &Plan, project: &Project, path: &Path, bytes: &[u8]) -> Outcome {
    let mut result = project.infer_file(path, bytes);
    plan.levels.apply(&mut result.findings);
    let report = report_of(&result);
    let mut outcome = Outcome { summary: Summary::of(&report), ..Outcome::default() };
    outcome.report = plan.output.file(&report);
    if let Err(error) = act(plan, project, &result, bytes, &mut outcome) {
        outcome.failures.push(format!("{error:#}"));
    }
    outcome
}

fn report_of(result: &FileResult) -> FileReport<'_> {
    FileReport {
        path: &result.path,
        form: result.form,
        texts: &result.texts,
        statement_count: result.statement_count,
        not_understood: &result.not_understood,
        inference: &result.inference,
        findings: &result.findings,
    }
}

/// Edits, as the mode says.
fn act(plan: &Plan, project: &Project, result: &FileResult, bytes: &[u8], outcome: &mut Outcome) -> anyhow::Result<()> {
    if plan.mode == Mode::Report {
        return Ok(());
    }
    let path = &result.path;
    let insertions = result.insertions.as_slice();
    let has_errors = result.findings.iter().any(|finding| finding.severity == Severity::Error);
    if has_errors && insertions.is_empty() {
        outcome.notes.push(format!("'{}' is left as it is: its specifications have errors", path.display()));
    }
    let edited = edited_text(project, result, bytes)?;
    match &plan.mode {
        Mode::InPlace if !insertions.is_empty() => edit::write_atomically(path, bytes, &edited)?,
        Mode::Diff => outcome.data = edit::unified_diff(path, bytes, &edited),
        Mode::Filter => outcome.data.clone_from(&edited),
        Mode::Copy(folder) => write_copy(&copy_path(folder, path), &edited)?,
        Mode::InPlace | Mode::Report => {}
    }
    outcome.summary.insertions = insertions.len();
    outcome.summary.changed_files = usize::from(!insertions.is_empty());
    if plan.verbose && !insertions.is_empty() {
        outcome.notes.push(format!("{}: {}", path.display(), counted(insertions.len(), "specification")));
    }
    Ok(())
}

/// The text with the lines inserted, after two checks: it is the same program, and without these lines it is the original.
fn edited_text(project: &Project, result: &FileResult, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let (path, insertions) = (&result.path, result.insertions.as_slice());
    let edited = edit::apply(bytes, insertions);
    if insertions.is_empty() {
        return Ok(edited);
    }
    let same_program = result.fingerprint == program_fingerprint(path, &edited, project.options());
    if !same_program || edit::without_insertions(&edited, insertions).as_deref() != Some(bytes) {
        bail!("'{}' is left as it is: inserting would change the program (please report this)", path.display());
    }
    Ok(edited)
}

/// Where the copy of a file goes: its path below the working directory, or all of it, without `..`.
pub fn copy_path(folder: &Path, path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let relative = path.strip_prefix(&here).unwrap_or(path);
    let names = relative.components().filter(|component| matches!(component, Component::Normal(_)));
    folder.join(names.collect::<PathBuf>())
}

fn write_copy(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(|| format!("'{}' could not be made", parent.display()))?;
    }
    fs::write(path, text).with_context(|| format!("'{}' could not be written", path.display()))
}
