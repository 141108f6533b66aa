//! A run over files: what `infer` and `check` have in common.
//!
//! [`run`] finds the files, indexes their modules, lets a [`Task`] work on each of them in parallel, prints what came
//! of them in the order of their paths, and gives the exit status. What comes of one file is an [`Outcome`]: text and
//! counts, nothing that refers to the file any more. So what is kept of files until it is printed is small.

use std::io::{self, IsTerminal, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::Exit;
use super::arguments::{Color, OutputArguments, PathArguments, SourceArguments};
use super::config;
use super::flags::Flags;
use super::settings::{ExitSettings, Settings};
use super::terminal::{Progress, Terminal, coloured, coloured_notes};
use crate::analysis::stencil::Summary;
use crate::analysis::{Analysis, RULES, Session};
use crate::diagnostics::{
    Causes, Contents, Document, Emitted, FileSummary, Finding, FindingCounts, Location, Output, Palette, Rendered,
    Report, Severity, rules,
};
use crate::source::{LineColumn, Span};
use crate::workspace::discovery::{self, DiscoveredFiles, Exclusions};
use crate::workspace::{Driver, FileFailure, FileView, Project, SourceOptions};

/// What a command does with each file, and how it prints what came of it.
pub trait Task: Sync {
    /// The analysis that it runs.
    type Analysis: Analysis<Options: Clone, Outcome: Send>;
    /// What it asks of it.
    fn options(&self) -> <Self::Analysis as Analysis>::Options;
    /// Analyses a file, and acts on it.
    fn act(&self, session: &Session<'_, Self::Analysis>, view: &FileView<'_>) -> Outcome;
    /// How its results are printed.
    fn output_settings(&self) -> &OutputSettings;
    /// A directory in which the run writes, to be passed over.
    fn output_directory(&self) -> Option<&Path> {
        None
    }
    /// Looks at the files that were found before anything is done; an error stops the run.
    fn inspect(&self, _files: &[PathBuf]) -> anyhow::Result<()> {
        Ok(())
    }
    /// Looks at what the run would come to, before anything is done; an error stops it.
    fn approve(
        &self,
        _driver: &Driver,
        _project: &Project,
        _session: &Session<'_, Self::Analysis>,
        _files: &[PathBuf],
    ) -> anyhow::Result<()> {
        Ok(())
    }
    /// What is left to do when all files were acted on.
    fn finish(&self) -> Outcome {
        Outcome::default()
    }
    /// The table of `--statistics`.
    fn table(&self, summary: &Summary) -> String;
    /// The sentences that close the run; `failed`: not all that was asked could be done, as was said.
    fn closing(&self, summary: &Summary, failed: bool) -> String;
}

/// What came of one file.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Findings and, as selected, specifications and reasons.
    pub report: Rendered,
    /// The diff, or the edited text of standard input: bytes as they are in the file.
    pub data: Vec<u8>,
    /// The counts, but for the findings: the report has them.
    pub summary: Summary,
    /// Whether the file could not be read. The run has failed then, whatever the severity of the finding.
    pub is_unreadable: bool,
    /// Notes for standard error, a line each.
    pub notes: Vec<String>,
    /// What kept the program from doing what was asked.
    pub failures: Vec<String>,
}

/// How the results of a run are printed.
#[derive(Debug)]
pub struct OutputSettings {
    /// How findings are.
    pub output: Output,
    /// What is reported besides findings.
    pub contents: Contents,
    /// Whether standard output is the edited text or a diff, and nothing else may stand there.
    pub prints_data: bool,
    /// Whether files are written: then a run is worth going on with when nobody reads its output.
    pub writes_files: bool,
    /// Whether each changed file is named.
    pub verbose: bool,
}

impl OutputSettings {
    /// What the options and settings say; an error when a program's format would share standard output with data.
    pub fn new(
        options: &OutputArguments,
        settings: &Settings,
        contents: Contents,
        prints_data: bool,
        writes_files: bool,
    ) -> anyhow::Result<Self> {
        if prints_data && !settings.format.is_for_people() {
            bail!("standard output would hold the edited text or the diff and the findings too");
        }
        let lowest_severity = match (options.quiet, options.verbose) {
            // What makes the exit status is told in any case.
            (true, _) if !settings.exit.error_on_warning => Severity::Error,
            (true, _) => Severity::Warning,
            (_, true) => Severity::Note,
            _ => Severity::Warning,
        };
        let in_colour = match (prints_data, &options.output_file) {
            (true, _) => coloured_notes(options.color),
            (false, Some(_)) => options.color == Color::Always,
            (false, None) => coloured(options.color),
        };
        let is_terminal = !prints_data && options.output_file.is_none() && io::stdout().is_terminal();
        let root = std::env::current_dir().unwrap_or_default();
        let output = Output {
            format: settings.format,
            registry: RULES,
            levels: settings.stencils.levels.clone(),
            lowest_severity,
            palette: Palette::new(in_colour),
            rule_url: settings.rule_url.clone().filter(|_| in_colour && is_terminal),
            root,
            causes: Causes::default(),
        };
        Ok(OutputSettings { output, contents, prints_data, writes_files, verbose: options.verbose })
    }

    /// Prints a part of the report: beside the data, if standard output holds these.
    pub fn print(&self, report: &str, terminal: &mut Terminal) -> anyhow::Result<()> {
        if self.prints_data {
            terminal.lines(report);
        } else {
            terminal.print(report.as_bytes())?;
        }
        Ok(())
    }
}

/// What was typed that every run has options for and that decides settings.
pub fn flags(paths: &PathArguments, source: &SourceArguments, options: &OutputArguments) -> Flags {
    Flags {
        exclude: paths.exclude.globs.clone(),
        format: options.format,
        error_on_warning: options.error_on_warning,
        exit_zero: options.exit_zero,
        select: options.select.clone(),
        ignore: options.ignore.clone(),
        ..source.flags()
    }
}

/// The settings of a run: these flags, and what the configuration file for the paths says.
pub fn settings(flags: Flags, paths: &PathArguments, source: &SourceArguments) -> anyhow::Result<Settings> {
    let config = config::find(&paths.named(), &source.config)?;
    Settings::new(&paths.named(), flags, config.as_ref())
}

/// Runs a task over the files that were named; `always_table`: the table of `--statistics` is part of what was asked
/// for.
pub fn run(
    task: &impl Task,
    mut settings: Settings,
    paths: &PathArguments,
    options: &OutputArguments,
    always_table: bool,
    terminal: &mut Terminal,
) -> anyhow::Result<Exit> {
    if options.show_settings {
        terminal.print(settings.show().as_bytes())?;
        return Ok(Exit::Clean);
    }
    terminal.write_to(options.output_file.as_deref())?;
    settings.tell_refused(terminal);
    let driver = Driver::new(options.jobs)?;
    let roots = settings.source.roots.clone();
    let exclusions = Exclusions::new(&settings.exclude, &settings.exclude_below, task.output_directory(), roots)?;
    let from_stdin = paths.reads_stdin()?;
    let found = match from_stdin {
        true => DiscoveredFiles { files: vec![paths.stdin_name().to_path_buf()], ..DiscoveredFiles::default() },
        false => discovery::find(&paths.paths, &exclusions),
    };
    if paths.show_files || options.verbose {
        found
            .passed_over
            .iter()
            .for_each(|(path, why)| terminal.note(&format!("note: '{}' is skipped: {why}", path.display())));
    }
    if paths.show_files {
        return show_files(&found, terminal);
    }
    if from_stdin {
        let (name, text) = (paths.stdin_name().to_path_buf(), standard_input()?);
        settings.source.files = settings.source.files.with_overlay(move |path| (path == name).then(|| text.clone()));
    }
    let elsewhere = || match paths.isolated {
        true => Vec::new(),
        false => discovery::rest_of_projects(&found.files, &exclusions),
    };
    task.inspect(&found.files)?;
    // From here on no file stops the run, so that a document which is begun will be closed; only an output that can't
    // be written to does.
    let document = Document::new(&task.output_settings().output, task.output_settings().contents);
    terminal.print(document.head().as_bytes())?;
    let mut run = Run { task, terminal, document, summary: Summary::default(), failed: false };
    let is_own = |path: &Path| exclusions.leave(&paths.paths, path);
    run.over_files(&found, elsewhere, is_own, settings.source, &driver, !options.quiet)?;
    run.close(options, &settings.exit, always_table)
}

/// Prints the files that would be read, a line each.
fn show_files(found: &DiscoveredFiles, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    for path in &found.files {
        terminal.print(path.as_os_str().as_encoded_bytes())?;
        terminal.print(b"\n")?;
    }
    for (path, reason) in &found.unreadable {
        terminal.note(&format!("error: cannot read '{}': {reason}", path.display()));
    }
    Ok(if found.unreadable.is_empty() { Exit::Clean } else { Exit::Failure })
}

/// The exit status of a run with these findings; `failed`: not all that was asked could be done.
pub fn exit(failed: bool, findings: &FindingCounts, settings: &ExitSettings) -> Exit {
    let counts = |severity| findings.of_severity(severity) > 0;
    let wrong = counts(Severity::Error) || (settings.error_on_warning && counts(Severity::Warning));
    match failed {
        true => Exit::Failure,
        false if wrong && !settings.exit_zero => Exit::Findings,
        false => Exit::Clean,
    }
}

fn standard_input() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).context("standard input could not be read")?;
    Ok(bytes)
}

/// A run under way.
struct Run<'a, T> {
    task: &'a T,
    terminal: &'a mut Terminal,
    document: Document,
    summary: Summary,
    failed: bool,
}

impl<T: Task> Run<'_, T> {
    /// Analyses the files in parallel, and prints what came of them in the order of their paths.
    fn over_files(
        &mut self,
        found: &DiscoveredFiles,
        elsewhere: impl FnOnce() -> Vec<PathBuf>,
        is_own: impl Fn(&Path) -> bool,
        options: SourceOptions,
        driver: &Driver,
        show_progress: bool,
    ) -> anyhow::Result<()> {
        let task = self.task;
        for (path, reason) in &found.unreadable {
            self.print(unreadable(task, path, reason))?;
        }
        if found.files.is_empty() && found.unreadable.is_empty() {
            self.terminal.note("warning: no Fortran file found");
        }
        // Each file is looked at twice: for its modules, and to be analysed.
        let mut progress = Progress::new(2 * found.files.len(), show_progress);
        let files = &found.files;
        let project = driver.project(files, files, options, elsewhere, || progress.advance(1)).owning(is_own);
        let session = Session::new(&project, task.options());
        progress.aside(|| task.approve(driver, &project, &session, files))?;
        let act = |_: &PathBuf, view: &FileView<'_>| task.act(&session, view);
        let ended = driver.each_file(&project, files, PathBuf::as_path, act, |path, outcome| {
            progress.advance(1);
            let outcome = outcome.unwrap_or_else(|failure| failed(task, path, &failure));
            match progress.aside(|| self.print(outcome)) {
                Ok(()) if self.terminal.output_closed() && !task.output_settings().writes_files => {
                    ControlFlow::Break(Ok(()))
                }
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(Err(error)),
            }
        });
        progress.finish();
        ended.unwrap_or(Ok(()))?;
        self.print(task.finish())
    }

    /// Prints what came of one file, and counts it.
    fn print(&mut self, outcome: Outcome) -> anyhow::Result<()> {
        let Emitted { text: report, findings } = self.document.add(outcome.report)?;
        findings.iter().for_each(|finding| self.summary.findings.add(finding));
        self.terminal.print(&outcome.data)?;
        self.task.output_settings().print(&report, self.terminal)?;
        if self.task.output_settings().output.lowest_severity < Severity::Error {
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
    fn close(
        self,
        options: &OutputArguments,
        exit_settings: &ExitSettings,
        always_table: bool,
    ) -> anyhow::Result<Exit> {
        let Run { task, terminal, document, summary, failed } = self;
        document.tail(|text| task.output_settings().print(text, terminal))?;
        // When the reader has gone, the run may have ended early, and counts would mislead.
        let is_complete = !terminal.output_closed() || task.output_settings().writes_files;
        if is_complete && (options.statistics || (always_table && !options.quiet)) {
            terminal.lines(&task.table(&summary));
        }
        if is_complete && !options.quiet && summary.files > 0 {
            terminal.lines(&task.closing(&summary, failed));
        }
        Ok(exit(failed, &summary.findings, exit_settings))
    }
}

/// The outcome for a file that could not be analysed.
fn failed(task: &impl Task, path: &Path, failure: &FileFailure) -> Outcome {
    match failure {
        FileFailure::Unreadable(reason) => unreadable(task, path, reason),
        FileFailure::Internal => Outcome { failures: vec![failure.message(path)], ..Outcome::default() },
    }
}

/// The outcome for a path that is missing or can't be read.
fn unreadable(task: &impl Task, path: &Path, reason: &str) -> Outcome {
    let start = LineColumn { line: 1, column: 1 };
    let location = Location { path: path.to_path_buf(), start, end: start };
    let message = format!("Cannot read '{}': {reason}", path.display());
    let findings = vec![Finding::new(&rules::UNREADABLE_FILE, location, message)];
    let mut outcome = Outcome { is_unreadable: true, ..Outcome::default() };
    outcome.report = task.output_settings().output.render(Report::of_findings(path, None, findings));
    outcome
}

/// What is said of an analysed file.
pub fn file_summary<'v>(view: &'v FileView<'_>, not_understood: &'v [(Span, String)]) -> FileSummary<'v> {
    let tree = view.tree();
    FileSummary { form: tree.source.form, statement_count: tree.statements.len(), not_understood }
}
