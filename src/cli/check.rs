//! `camfort-rs check PATH…`: from what was typed to a [`CheckTask`], and what the plan does with one file.

use anyhow::bail;
use clap::Args;

use super::Exit;
use super::arguments::{OutputArguments, PathArguments, SourceArguments};
use super::fixing::{Changes, Extent};
use super::flags::Flags;
use super::narrowing::{Narrowing, NarrowingArguments};
use super::run::{self, Outcome, OutputSettings, Task, file_summary};
use super::settings::Settings;
use super::terminal::Terminal;
use crate::analysis::Session;
use crate::analysis::stencil::check::Require;
use crate::analysis::stencil::{Check, CheckOptions, CheckOutcome, Summary};
use crate::diagnostics::counts::counted;
use crate::diagnostics::edit;
use crate::diagnostics::{Contents, Report};
use crate::workspace::FileView;

/// Closes the help of `check`.
pub const CHECK_EXAMPLES: &str = "\
Examples:
  camfort-rs check src/                      check every specification
  camfort-rs check --require nontrivial src/ also ask for the ones that are missing
  camfort-rs check --diff --unsafe-fixes a.f90  show how the wrong ones would be replaced
  camfort-rs check --since main src/         only what concerns lines changed since branch main
  camfort-rs check --baseline known.txt src/ only what is not known (--write-baseline writes the file)
  camfort-rs check --format sarif src/       for a service that shows findings beside the code

Exit status: 0 no error found, 1 an error in the code or its specifications, 2 the run itself failed.";

/// Arguments of `check`.
#[derive(Args, Debug)]
pub struct CheckArguments {
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub paths: PathArguments,

    /// Change comments where that is safe (what is written means the same, or is added), after showing the change; then
    /// report what is left
    #[arg(long, group = "mode")]
    pub fix: bool,
    /// Show as a unified diff what --fix would change, and write nothing
    #[arg(long, group = "mode")]
    pub diff: bool,
    /// With --fix or --diff, also replace specifications that the code contradicts by inferred ones
    #[arg(long, requires = "mode")]
    pub unsafe_fixes: bool,
    /// With --fix or --diff, also change the code where one change, and no other, makes it conform to its specification
    #[arg(long, requires = "mode", conflicts_with = "unsafe_fixes")]
    pub fix_code: bool,
    /// Report computations that lack a specification too: `all`, or `nontrivial` where it would say more than `pointed`
    /// [default: nothing]
    #[arg(long, value_enum, value_name = "nontrivial|all", hide_possible_values = true)]
    pub require: Option<Require>,

    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub narrowing: NarrowingArguments,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub source: SourceArguments,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub output_options: OutputArguments,
}

/// What happens with the fixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// They are told.
    Report,
    /// They are made.
    Edit(Edit),
}

/// Where the fixed text goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edit {
    /// The change is made, and shown; what is left is told.
    InPlace,
    /// The change is shown.
    Diff,
    /// The fixed text of standard input is printed; what is left is told.
    Filter,
}

/// What a run is to do with each file.
#[derive(Debug)]
struct CheckTask {
    mode: Mode,
    extent: Extent,
    options: CheckOptions,
    narrowing: Narrowing,
    output_settings: OutputSettings,
}

impl CheckTask {
    /// What the arguments mean; an error when they contradict each other.
    fn new(arguments: &CheckArguments, settings: &Settings) -> anyhow::Result<Self> {
        let from_stdin = arguments.paths.reads_stdin()?;
        let mode = match (arguments.diff, arguments.fix) {
            (true, _) => Mode::Edit(Edit::Diff),
            (false, true) if from_stdin => Mode::Edit(Edit::Filter),
            (false, true) => Mode::Edit(Edit::InPlace),
            (false, false) => Mode::Report,
        };
        let prints_data = matches!(mode, Mode::Edit(Edit::Diff | Edit::Filter));
        let writes_files = mode == Mode::Edit(Edit::InPlace);
        let options = &arguments.output_options;
        let contents = Contents::Findings;
        let output_settings = OutputSettings::new(options, settings, contents, prints_data, writes_files)?;
        let narrowing = Narrowing::new(&arguments.narrowing, &arguments.paths)?;
        let extent = match (arguments.unsafe_fixes, arguments.fix_code) {
            (true, _) => Extent::Unsafe,
            (false, true) => Extent::Code,
            (false, false) => Extent::Safe,
        };
        Ok(CheckTask { mode, extent, options: settings.check_options(), narrowing, output_settings })
    }

    /// What is to be reported of a file.
    fn analyse(&self, session: &Session<'_, Check>, view: &FileView<'_>) -> CheckOutcome {
        let mut result = session.analyse(view);
        self.options.stencils.levels.apply(&mut result.findings);
        self.narrowing.apply(view.path(), view.texts(), &mut result.findings);
        result
    }

    /// Fixes a file: what is found in it then, if that is what is to be reported.
    fn fix<'p>(
        &self,
        edit: Edit,
        session: &Session<'p, Check>,
        view: &FileView<'_>,
        result: &CheckOutcome,
        outcome: &mut Outcome,
    ) -> anyhow::Result<Option<(FileView<'p>, CheckOutcome)>> {
        let changes = Changes::new(self.extent, view, &result.findings);
        let (path, bytes) = (view.path(), view.bytes());
        outcome.summary.other_fixes = changes.others;
        if changes.lines.is_empty() {
            if edit == Edit::Filter {
                outcome.data = bytes.to_vec();
            }
            return Ok(None);
        }
        let fixed = edit::change(bytes, &changes.lines);
        if !changes.may_be(&fixed, view) {
            bail!("'{}' is left as it is: fixing would change the program (please report this)", path.display());
        }
        let fixed_view = session.project().view(path, fixed.as_slice());
        let after = self.analyse(session, &fixed_view);
        // What is left may be more: a region variable that nothing uses any more.
        if Changes::new(self.extent, &fixed_view, &after.findings).findings >= changes.findings {
            bail!("'{}' is left as it is: fixing would not help (please report this)", path.display());
        }
        // First of all, so that nothing is told of a change that is not made.
        if edit == Edit::InPlace {
            edit::write_atomically(path, bytes, &fixed)?;
        }
        outcome.summary.changed_files = 1;
        outcome.summary.insertions = changes.lines.len();
        if self.output_settings.verbose {
            outcome.notes.push(format!("{}: {}", path.display(), counted(changes.lines.len(), "change")));
        }
        match edit {
            Edit::Filter => outcome.data = fixed,
            Edit::Diff => outcome.data = edit::unified_diff(path, bytes, &fixed),
            Edit::InPlace if self.output_settings.output.format.is_for_people() => {
                outcome.data = edit::unified_diff(path, bytes, &fixed);
            }
            Edit::InPlace => {}
        }
        Ok((edit != Edit::Diff).then_some((fixed_view, after)))
    }
}

impl Task for CheckTask {
    type Analysis = Check;

    fn options(&self) -> CheckOptions {
        self.options.clone()
    }

    fn act(&self, session: &Session<'_, Check>, view: &FileView<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let result = self.analyse(session, view);
        let mut left = None;
        if let Mode::Edit(edit) = self.mode {
            match self.fix(edit, session, view, &result, &mut outcome) {
                Ok(fixed) => left = fixed,
                Err(error) => outcome.failures.push(format!("{error:#}")),
            }
        }
        let (view, result) = match &left {
            Some((view, left)) => (view, left.clone()),
            None => (view, result),
        };
        let CheckOutcome { findings, specifications: checked, holding, inference } = result;
        let not_understood = view.not_understood();
        let counts = Summary::new(file_summary(view, &not_understood), &inference);
        outcome.summary.add(&Summary { checked, holding, ..counts });
        let report = Report::of_findings(view.path(), Some(view.texts()), findings);
        outcome.report = self.output_settings.output.render(report);
        outcome
    }

    fn output_settings(&self) -> &OutputSettings {
        &self.output_settings
    }

    fn table(&self, summary: &Summary) -> String {
        summary.findings.table()
    }

    fn closing(&self, summary: &Summary, failed: bool) -> String {
        let files = counted(summary.changed_files, "file");
        let edit_line = match self.mode {
            Mode::Report | Mode::Edit(Edit::Filter) => String::new(),
            Mode::Edit(_) if summary.changed_files == 0 && failed => String::new(),
            Mode::Edit(_) if summary.changed_files == 0 => "nothing to fix".to_owned(),
            Mode::Edit(Edit::InPlace) => format!("{files} fixed"),
            Mode::Edit(Edit::Diff) => format!("{files} would be fixed"),
        };
        let others = match summary.other_fixes {
            0 => String::new(),
            count => format!("{} could be fixed with --unsafe-fixes", counted(count, "finding")),
        };
        let mut lines = vec![summary.check_line(), others, edit_line];
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }
}

/// Runs the command.
pub fn run(arguments: &CheckArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let CheckArguments { paths, source, output_options, .. } = arguments;
    let flags = Flags { require: arguments.require, ..run::flags(paths, source, output_options) };
    let settings = run::settings(flags, paths, source)?;
    let plan = CheckTask::new(arguments, &settings)?;
    let exit = run::run(&plan, settings, paths, output_options, false, terminal)?;
    if let Some(sentence) = plan.narrowing.close(exit == Exit::Failure)?
        && !output_options.quiet
    {
        terminal.note(&sentence);
    }
    Ok(exit)
}
