//! `camfort-rs check PATH…`: from what was typed to a [`Plan`], and what the plan does with one file.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::bail;

use super::Exit;
use super::arguments::CheckArguments;
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

    /// Fixes a file, as the mode says: what is found in it then, if that is what is to be reported.
    fn fix(
        &self,
        project: &Project,
        result: &FileResult,
        bytes: &[u8],
        outcome: &mut Outcome,
    ) -> anyhow::Result<Option<FileResult>> {
        let changes = changes(&result.findings);
        let path = result.path.as_path();
        if changes.is_empty() {
            if self.mode == Mode::Filter {
                outcome.data = bytes.to_vec();
            }
            return Ok(None);
        }
        let fixed = edit::change(bytes, &changes);
        let same_program = project.is_same_program(result, bytes, &fixed);
        if !same_program || !edit::is_change_of(&fixed, bytes, &changes) {
            bail!("'{}' is left as it is: fixing would change the program (please report this)", path.display());
        }
        let after = self.check(project, path, &fixed);
        // What is left may be more: a region variable that nothing uses any more.
        let fixable = |result: &FileResult| result.findings.iter().filter(|finding| finding.fix.is_some()).count();
        if fixable(&after) >= fixable(result) {
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
                return Ok(None);
            }
            Mode::Fix | Mode::Report => {
                if self.manner.output.format.is_for_people() {
                    outcome.data = edit::unified_diff(path, bytes, &fixed);
                }
                edit::write_atomically(path, bytes, &fixed)?;
            }
        }
        Ok(Some(after))
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
            match self.fix(project, &result, bytes, &mut outcome) {
                Ok(Some(left)) => result = left,
                Ok(None) => {}
                Err(error) => outcome.failures.push(format!("{error:#}")),
            }
        }
        let (checked, holding) = (result.specifications, result.holding);
        outcome.summary.add(&Summary { checked, holding, ..Summary::of(&report_of(&result)) });
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

/// Runs the command.
pub fn run(arguments: &CheckArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let CheckArguments { paths, source, output_options, .. } = arguments;
    let flags = Flags { require: arguments.require, ..run::flags(paths, source, output_options) };
    let settings = run::settings(flags, paths, source)?;
    let plan = Plan::new(arguments, &settings)?;
    run::run(&plan, settings, paths, output_options, false, terminal)
}
