//! `camfort-rs shapes PATH…`: from what was typed to a [`ShapesTask`], and what the plan does with one file.

use clap::Args;

use super::Exit;
use super::arguments::{OutputArguments, PathArguments, SourceArguments};
use super::run::{self, Outcome, OutputSettings, Task, file_summary};
use super::settings::Settings;
use super::terminal::Terminal;
use crate::analysis::Session;
use crate::analysis::shapes::{ListedProcedure, ShapeOptions, Shapes, ShapesOutcome, Shown};
use crate::analysis::stencil::Summary;
use crate::analysis::stencil::infer::Inference;
use crate::diagnostics::{Contents, Entry, Report};
use crate::workspace::FileView;

/// Closes the help of `shapes`.
pub const SHAPES_EXAMPLES: &str = "\
Examples:
  camfort-rs shapes src/               what certainly goes wrong, and what is right only on a square grid
  camfort-rs shapes --assumptions src/ also what each procedure takes for granted
  camfort-rs shapes --possible src/    also what goes wrong for some values, each with an example
  camfort-rs shapes --undecided src/   also what may be certain to go wrong, and why that is not known

Exit status: 0 no error found, 1 an error in the code, 2 the run itself failed.";

/// Arguments of `shapes`.
#[derive(Args, Debug)]
pub struct ShapesArguments {
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub paths: PathArguments,

    /// Report also what fails for some values, in main programs and procedures that nothing calls
    #[arg(long)]
    pub possible: bool,
    /// List what each procedure takes for granted of its arguments and of what it shares with others
    #[arg(long)]
    pub assumptions: bool,
    /// List what statements demand of which it is not known whether it certainly fails, and why
    #[arg(long)]
    pub undecided: bool,

    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub source: SourceArguments,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub output_options: OutputArguments,
}

/// What a run is to do with each file.
#[derive(Debug)]
struct ShapesTask {
    options: ShapeOptions,
    output_settings: OutputSettings,
    shown: Shown,
}

impl Task for ShapesTask {
    type Analysis = Shapes;

    fn options(&self) -> ShapeOptions {
        self.options.clone()
    }

    fn act(&self, session: &Session<'_, Shapes>, view: &FileView<'_>) -> Outcome {
        let ShapesOutcome { findings, counts, mut procedures } = session.analyse(view);
        let not_understood = view.not_understood();
        let file = file_summary(view, &not_understood);
        let of_file = Summary::new(file, &Inference::default());
        procedures.iter_mut().for_each(|procedure| procedure.shown = self.shown);
        let listing = self.shown.is_any().then_some((file, procedures));
        let report = Report { path: view.path(), texts: Some(view.texts()), findings, listing };
        let report = self.output_settings.output.render(report);
        Outcome { report, summary: Summary { obligations: counts, ..of_file }, ..Outcome::default() }
    }

    fn output_settings(&self) -> &OutputSettings {
        &self.output_settings
    }

    fn table(&self, summary: &Summary) -> String {
        summary.findings.table()
    }

    fn closing(&self, summary: &Summary, _: bool) -> String {
        summary.shapes_line()
    }
}

/// Runs the command.
pub fn run(arguments: &ShapesArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let ShapesArguments { paths, possible, assumptions, undecided, source, output_options } = arguments;
    let shown = Shown { assumptions: *assumptions, undecided: *undecided };
    let settings: Settings = run::settings(run::flags(paths, source, output_options), paths, source)?;
    let options = ShapeOptions { possible: *possible, ..settings.shape_options() };
    let contents = if shown.is_any() { Contents::Entries(ListedProcedure::NAME) } else { Contents::Findings };
    let output_settings = OutputSettings::new(output_options, &settings, contents, false, false)?;
    let task = ShapesTask { options, output_settings, shown };
    run::run(&task, settings, paths, output_options, false, terminal)
}
