//! `camfort-rs infer PATH…`: from what was typed to a [`Plan`], and the run over all files.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rayon::prelude::*;

use super::Exit;
use super::arguments::{InferArguments, OutputArguments};
use super::config;
use super::discovery::{self, Exclusions, Found};
use super::one_file::{self, Outcome};
use super::settings::{Flags, Settings};
use super::terminal::{Progress, Terminal, coloured, coloured_notes};
use crate::project::{Project, ProjectOptions, modules_of};
use crate::report::full::Style;
use crate::report::summary::counted;
use crate::report::{Contents, Document, Levels, Output, Selection, Severity, Summary};

/// Files per thread that are analysed before their results are printed: enough to keep all threads busy, few enough that
/// results don't pile up.
const FILES_PER_THREAD: usize = 32;
/// Stack of a thread: deeply nested expressions are parsed by recursion.
pub const STACK_BYTES: usize = 64 << 20;

/// What happens with the specifications.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// They go into the files.
    InPlace,
    /// The change is printed.
    Diff,
    /// They are listed.
    Report,
    /// Changed copies are written below a directory.
    Copy(PathBuf),
    /// The changed text of standard input is printed.
    Filter,
}

/// What a run is to do with each file.
#[derive(Debug)]
pub struct Plan {
    /// What happens with the specifications.
    pub mode: Mode,
    /// How results are printed.
    pub output: Output,
    /// The severities of the rules.
    pub levels: Levels,
    /// Whether each changed file is named.
    pub verbose: bool,
}

impl Plan {
    /// What the arguments mean; an error when they contradict each other.
    fn new(arguments: &InferArguments, settings: &Settings) -> anyhow::Result<Self> {
        let from_stdin = arguments.paths.reads_stdin()?;
        let mode = match &arguments.output {
            Some(_) if from_stdin => {
                bail!("--output can't be combined with '-': the edited text goes to standard output")
            }
            Some(folder) => Mode::Copy(folder.clone()),
            None if arguments.diff => Mode::Diff,
            None if arguments.report => Mode::Report,
            None if from_stdin => Mode::Filter,
            None => Mode::InPlace,
        };
        let options = &arguments.output_options;
        if mode.prints_data() && !settings.format.is_for_people() {
            bail!("standard output would hold the edited text or the diff and the findings too; add --report");
        }
        let lowest_severity = match (options.quiet, options.verbose) {
            (true, _) => Severity::Error,
            (_, true) => Severity::Note,
            _ => Severity::Warning,
        };
        let selection = Selection { lowest_severity, specifications: mode == Mode::Report, reasons: arguments.why };
        let in_colour = if mode.prints_data() { coloured_notes(options.color) } else { coloured(options.color) };
        let root = std::env::current_dir().unwrap_or_default();
        let output = Output { format: settings.format, selection, style: Style::new(in_colour), root };
        Ok(Plan { mode, output, levels: settings.levels.clone(), verbose: options.verbose })
    }
}

impl Mode {
    /// Whether standard output is the edited text or the diff, and nothing else may stand there.
    fn prints_data(&self) -> bool {
        matches!(self, Mode::Diff | Mode::Filter)
    }

    /// Whether a run is worth going on with when nobody reads its output.
    fn writes_files(&self) -> bool {
        matches!(self, Mode::InPlace | Mode::Copy(_))
    }
}

/// The settings of the run.
fn settings(arguments: &InferArguments) -> anyhow::Result<Settings> {
    let flags = Flags {
        exclude: arguments.paths.exclude.clone(),
        nontrivial: arguments.nontrivial,
        marker: arguments.marker,
        format: arguments.output_options.format,
        error_on_warning: arguments.output_options.error_on_warning,
        ..arguments.source.flags()
    };
    let config = config::find(&arguments.paths.named(), arguments.source.config.as_deref())?;
    Settings::new(flags, config.as_ref())
}

/// Runs the command.
pub fn run(arguments: InferArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let settings = settings(&arguments)?;
    let plan = Plan::new(&arguments, &settings)?;
    if arguments.output_options.show_settings {
        terminal.print(settings.show().as_bytes())?;
        return Ok(Exit::Clean);
    }
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.output_options.jobs.map_or(0, usize::from))
        .stack_size(STACK_BYTES)
        .build()?;
    let document = Document::new(plan.output.format, Contents::Inference);
    terminal.print(document.head().as_bytes())?;
    let mut run = Run { plan: &plan, terminal, document, summary: Summary::default(), failed: false };
    if arguments.paths.reads_stdin()? {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).context("standard input could not be read")?;
        let outcome = threads.install(|| {
            let project = Project::load(&[], settings.project);
            one_file::infer_bytes(&plan, &project, arguments.paths.stdin_name(), bytes)
        });
        run.print(outcome)?;
    } else {
        let exclusions = Exclusions::new(&settings.exclude, &settings.exclude_below, arguments.output.as_deref())?;
        let found = discovery::find(&arguments.paths.paths, &exclusions);
        run.over_files(&found, settings.project, &threads, !arguments.output_options.quiet)?;
    }
    run.close(&arguments, settings.error_on_warning)
}

/// A run under way.
struct Run<'a> {
    plan: &'a Plan,
    terminal: &'a mut Terminal,
    document: Document,
    summary: Summary,
    failed: bool,
}

impl Run<'_> {
    /// Analyses the files in parallel, a chunk at a time, and prints what came of them in the order of their paths.
    fn over_files(
        &mut self,
        found: &Found,
        options: ProjectOptions,
        threads: &rayon::ThreadPool,
        show_progress: bool,
    ) -> anyhow::Result<()> {
        if let Mode::Copy(folder) = &self.plan.mode {
            refuse_clashes(folder, &found.files)?;
        }
        for (path, reason) in &found.unreadable {
            self.print(one_file::unreadable(self.plan, path, reason))?;
        }
        if found.files.is_empty() && found.unreadable.is_empty() {
            self.terminal.note("warning: no Fortran file found");
        }
        let plan = self.plan;
        // Each file is looked at twice: for its modules, and to be analysed.
        let mut progress = Progress::new(2 * found.files.len(), show_progress);
        let chunks = || found.files.chunks(FILES_PER_THREAD * threads.current_num_threads());
        let mut modules = Vec::new();
        for chunk in chunks() {
            modules.extend(threads.install(|| modules_of(chunk, &options)));
            progress.advance(chunk.len());
        }
        let project = Project::new(modules, options);
        for chunk in chunks() {
            let analyse = |path: &PathBuf| one_file::infer_path(plan, &project, path);
            let outcomes: Vec<Outcome> = threads.install(|| chunk.par_iter().with_max_len(1).map(analyse).collect());
            progress.advance(outcomes.len());
            progress.aside(|| outcomes.into_iter().try_for_each(|outcome| self.print(outcome)))?;
            if self.terminal.output_closed() && !plan.mode.writes_files() {
                break;
            }
        }
        progress.finish();
        Ok(())
    }

    /// Prints what came of one file, and counts it.
    fn print(&mut self, outcome: Outcome) -> anyhow::Result<()> {
        let report = self.document.add(outcome.report);
        if self.plan.mode.prints_data() {
            self.terminal.print(&outcome.data)?;
            self.terminal.note(&report);
        } else {
            self.terminal.print(report.as_bytes())?;
        }
        if self.plan.output.selection.lowest_severity < Severity::Error {
            outcome.notes.iter().for_each(|note| self.terminal.note(&format!("note: {note}")));
        }
        for failure in &outcome.failures {
            self.failed = true;
            self.terminal.note(&format!("error: {failure}"));
        }
        self.failed |= outcome.is_unreadable;
        self.summary.add(&outcome.summary);
        Ok(())
    }

    /// Prints what closes the run, and gives its exit status.
    fn close(self, arguments: &InferArguments, error_on_warning: bool) -> anyhow::Result<Exit> {
        let OutputArguments { statistics, quiet, .. } = arguments.output_options;
        let edit_line = self.edit_line();
        self.terminal.print(self.document.tail().as_bytes())?;
        // When the reader has gone, the run may have ended early, and counts would mislead.
        let is_complete = !self.terminal.output_closed() || self.plan.mode.writes_files();
        if is_complete && (statistics || (arguments.why && !quiet)) {
            self.terminal.note(&self.summary.table());
        }
        if is_complete && !quiet && self.summary.files > 0 {
            self.terminal.note(&self.summary.line());
            self.terminal.note(&edit_line);
        }
        let warnings_count = error_on_warning && self.summary.count(Severity::Warning) > 0;
        Ok(match self.failed {
            true => Exit::Failure,
            false if self.summary.count(Severity::Error) > 0 || warnings_count => Exit::Findings,
            false => Exit::Clean,
        })
    }

    /// What was, or would be, done to files.
    fn edit_line(&self) -> String {
        if self.summary.insertions == 0 && self.plan.mode != Mode::Filter && self.plan.mode != Mode::Report {
            return "nothing to insert".to_owned();
        }
        let lines = counted(self.summary.insertions, "line");
        let files = counted(self.summary.changed_files, "file");
        match &self.plan.mode {
            Mode::Report | Mode::Filter => String::new(),
            Mode::InPlace => format!("{lines} inserted into {files}"),
            Mode::Diff => format!("{lines} would be inserted into {files}"),
            Mode::Copy(folder) => format!("{lines} inserted into the copies of {files} in '{}'", folder.display()),
        }
    }
}

/// Two files must not get the same copy, nor a file be its own.
fn refuse_clashes(folder: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
    let mut taken: HashMap<PathBuf, &PathBuf> = HashMap::new();
    for file in files {
        let copy = one_file::copy_path(folder, file);
        if copy.exists() && copy.canonicalize().ok() == file.canonicalize().ok() {
            bail!("--output '{}' would overwrite '{}' itself", folder.display(), file.display());
        }
        if let Some(other) = taken.insert(copy, file) {
            bail!("--output would give '{}' and '{}' the same copy", other.display(), file.display());
        }
    }
    Ok(())
}
