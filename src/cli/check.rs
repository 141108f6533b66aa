//! `camfort-rs check PATH…`: from what was typed to a [`Plan`], and what the plan does with one file.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::bail;

use super::Exit;
use super::arguments::CheckArguments;
use super::config;
use super::run::{self, Manner, Outcome, Task, report_of};
use super::settings::{Flags, Settings};
use super::terminal::Terminal;
use crate::check::Require;
use crate::edit::{self, LineChange};
use crate::project::{FileResult, Project};
use crate::report::summary::counted;
use crate::report::{Contents, Finding, Selection, Severity, Summary};

/// What happens with the fixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// They are told.
    Report,
    /// The change is shown, and made; what is left is told.
    Fix,
    /// The change is shown.
    Diff,
    /// The changed text of standard input is printed.
    Filter,
}

/// What a run is to do with each file.
#[derive(Debug)]
struct Plan {
    mode: Mode,
    require: Require,
    manner: Manner,
}

impl Plan {
    /// What the arguments mean; an error when they contradict each other.
    fn new(arguments: &CheckArguments, settings: &Settings) -> anyhow::Result<Self> {
        let from_stdin = arguments.paths.reads_stdin()?;
        let mode = match (arguments.diff, arguments.fix) {
            (true, _) => Mode::Diff,
            (false, true) if from_stdin => Mode::Filter,
            (false, true) => Mode::Fix,
            (false, false) => Mode::Report,
        };
        let prints_data = matches!(mode, Mode::Diff | Mode::Filter);
        let selection = Selection { lowest_severity: Severity::Warning, specifications: false, reasons: false };
        let options = &arguments.output_options;
        let contents = Contents::Findings;
        let manner = Manner::new(options, settings, contents, prints_data, mode == Mode::Fix, selection)?;
        Ok(Plan { mode, require: settings.require, manner })
    }

    fn check(&self, project: &Project, path: &Path, bytes: &[u8]) -> FileResult {
        let mut result = project.check_file(path, bytes, self.require);
        self.manner.levels.apply(&mut result.findings);
        result
    }

    /// Fixes a file, as the mode says: the findings that are left, and what to print.
    fn fix(
        &self,
        project: &Project,
        result: FileResult,
        bytes: &[u8],
        outcome: &mut Outcome,
    ) -> anyhow::Result<FileResult> {
        let changes = changes(&result.findings);
        let path = result.path.as_path();
        if changes.is_empty() {
            if self.mode == Mode::Filter {
                outcome.data = bytes.to_vec();
            }
            return Ok(result);
        }
        let fixed = edit::change(bytes, &changes);
        let same_program = project.is_same_program(&result, bytes, &fixed);
        if !same_program || !edit::is_change_of(&fixed, bytes, &changes) {
            bail!("'{}' is left as it is: fixing would change the program (please report this)", path.display());
        }
        let after = self.check(project, path, &fixed);
        // What is left may be more: a region variable that nothing uses any more.
        let fixable = |result: &FileResult| result.findings.iter().filter(|finding| finding.fix.is_some()).count();
        if fixable(&after) >= fixable(&result) {
            bail!("'{}' is left as it is: fixing would not help (please report this)", path.display());
        }
        outcome.summary.changed_files = 1;
        outcome.summary.insertions = changes.len();
        if self.manner.verbose {
            outcome.notes.push(format!("{}: {}", path.display(), counted(changes.len(), "change")));
        }
        match self.mode {
            Mode::Filter => outcome.data = fixed,
            Mode::Diff => {
                outcome.data = edit::unified_diff(path, bytes, &fixed);
                return Ok(result);
            }
            Mode::Fix | Mode::Report => {
                if self.manner.output.format.is_for_people() {
                    outcome.data = edit::unified_diff(path, bytes, &fixed);
                }
                edit::write_atomically(path, bytes, &fixed)?;
            }
        }
        Ok(after)
    }
}

/// The changes of all fixes, by place. Findings on one comment share its change; of two that would touch the same lines in
/// different ways the first is made.
fn changes(findings: &[Finding]) -> Vec<LineChange> {
    let all = findings.iter().filter_map(|finding| finding.fix.as_ref()).flat_map(|fix| &fix.changes);
    let mut next = 0;
    let mut changes: Vec<LineChange> = all.collect::<BTreeSet<_>>().into_iter().cloned().collect();
    changes.retain(|change| {
        let is_free = change.first_line >= next;
        next = next.max(change.first_line + change.line_count);
        is_free
    });
    changes
}

impl Task for Plan {
    fn analyse(&self, project: &Project, path: &Path, bytes: &[u8]) -> Outcome {
        let mut outcome = Outcome::default();
        let mut result = self.check(project, path, bytes);
        if self.mode != Mode::Report {
            match self.fix(project, result, bytes, &mut outcome) {
                Ok(left) => result = left,
                Err(error) => {
                    outcome.failures.push(format!("{error:#}"));
                    result = self.check(project, path, bytes);
                }
            }
        }
        let report = report_of(&result);
        let of_edit = std::mem::take(&mut outcome.summary);
        outcome.summary = Summary {
            checked: result.specifications,
            holding: result.holding,
            changed_files: of_edit.changed_files,
            insertions: of_edit.insertions,
            ..Summary::of(&report)
        };
        outcome.report = self.manner.output.findings(path, Some(&result.texts), &result.findings);
        outcome
    }

    fn manner(&self) -> &Manner {
        &self.manner
    }

    fn table(&self, summary: &Summary) -> String {
        summary.findings_table()
    }

    fn closing(&self, summary: &Summary) -> String {
        let files = counted(summary.changed_files, "file");
        let edit_line = match self.mode {
            Mode::Report | Mode::Filter => String::new(),
            _ if summary.changed_files == 0 => "nothing to fix".to_owned(),
            Mode::Fix => format!("{files} fixed"),
            Mode::Diff => format!("{files} would be fixed"),
        };
        format!("{}\n{edit_line}", summary.check_line())
    }
}

/// The settings of the run.
fn settings(arguments: &CheckArguments) -> anyhow::Result<Settings> {
    let flags = Flags {
        exclude: arguments.paths.exclude.clone(),
        require: arguments.require,
        format: arguments.output_options.format,
        error_on_warning: arguments.output_options.error_on_warning,
        ..arguments.source.flags()
    };
    let config = config::find(&arguments.paths.named(), arguments.source.config.as_deref())?;
    Settings::new(flags, config.as_ref())
}

/// Runs the command.
pub fn run(arguments: &CheckArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let settings = settings(arguments)?;
    let plan = Plan::new(arguments, &settings)?;
    run::run(&plan, settings, &arguments.paths, &arguments.output_options, false, terminal)
}
