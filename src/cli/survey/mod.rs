//! `camfort-rs survey PATH…` and `camfort-rs survey merge FILE…`: package by package, each file's computations are
//! classified and counted.
//!
//! A package's files are analysed against the modules of that package only, so that a study can be split by packages
//! (and a package by `--share`) without changing it. What is kept of a file are its counts.

pub mod arguments;

use std::io::{self, BufWriter};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use chrono::Utc;

use super::Exit;
use super::config;
use super::flags::Flags;
use super::settings::Settings;
use super::terminal::{Progress, Terminal};
use crate::analysis::Session;
use crate::analysis::survey::packages::{self, Package};
use crate::analysis::survey::partial::{Digest, FileCounts, FileName, PartialHeader};
use crate::analysis::survey::partial_file::{self, PartialFile};
use crate::analysis::survey::places::Places;
use crate::analysis::survey::render::SurveyFormat;
#[cfg(feature = "parquet")]
use crate::analysis::survey::render::parquet::ParquetRows;
use crate::analysis::survey::render::rows::{CsvRows, Rows};
use crate::analysis::survey::render::{Extent, Heading, render};
use crate::analysis::survey::{Counts, FileSurvey, Study, Survey, SurveyOptions};
use crate::diagnostics::counts::counted;
use crate::diagnostics::edit::{NewFile, write_new};
use crate::workspace::discovery::Exclusions;
use crate::workspace::{Driver, FileFailure, FileView, SourceOptions};
use arguments::{MergeArguments, Share, SurveyArguments, SurveyCommand, SurveyOutput};

/// Runs the command.
pub fn run(arguments: &SurveyArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    if let Some(SurveyCommand::Merge(arguments)) = &arguments.command {
        return merge(arguments, terminal);
    }
    let config = config::find(&arguments.paths, &arguments.source.config)?;
    let flags = Flags { exclude: arguments.exclude.globs.clone(), ..arguments.source.flags() };
    let settings = Settings::new(&arguments.paths, flags, config.as_ref())?;
    settings.tell_refused(terminal);
    let exclusions = Exclusions::new(&settings.exclude, &settings.exclude_below, None, settings.source.roots.clone())?;
    let found = packages::find(&arguments.paths, arguments.packages, &exclusions)?;
    let driver = Driver::new(arguments.jobs)?;
    let analysis = SurveyOptions { paper: settings.stencils.paper };
    let row_file = row_file(&arguments.output)?;
    let rows = rows(&arguments.output, row_file.as_ref(), arguments.partial.is_some())?;
    let partial = match &arguments.partial {
        Some(path) => Some(PartialFile::open(path, &PartialHeader::new(options_text(&settings.source, analysis)))?),
        None => None,
    };
    let mut exit = Exit::Clean;
    for (path, reason) in &found.unreadable {
        terminal.note(&format!("error: Cannot read '{}': {reason}", path.display()));
        exit = Exit::Failure;
    }
    let file_count = found.all.iter().map(|package| package.files.len()).sum();
    if file_count == 0 && found.unreadable.is_empty() {
        terminal.note("warning: no Fortran file found");
    }
    let mut run = Run {
        source: settings.source,
        analysis,
        driver,
        share: arguments.share,
        rows,
        places: Places::default(),
        keeps: arguments.output.format.is_rows() || arguments.output.format == SurveyFormat::Html,
        results: Mutex::new(Results { partial, ..Results::default() }),
        progress: Progress::new(2 * file_count, !arguments.quiet),
        file_count,
    };
    for package in &found.all {
        run.package(package)?;
    }
    run.progress.finish();
    if let Some(rows) = &mut run.rows {
        rows.finish().context("the rows could not be written")?;
        run.rows = None;
        row_file.map_or(Ok(()), NewFile::finish).context("the rows could not be written")?;
    }
    let mut results = run.results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.failures.sort();
    for failure in &results.failures {
        terminal.note(&format!("error: {failure}"));
        exit = Exit::Failure;
    }
    let study = match (&mut results.partial, &arguments.partial) {
        (Some(partial), Some(path)) => {
            partial.close()?;
            partial_file::merge(std::slice::from_ref(path), None)?.0.study
        }
        _ => results.study,
    };
    if !arguments.quiet && results.skipped > 0 {
        terminal.note(&format!("{} had been done before", counted(results.skipped as usize, "file")));
    }
    if !arguments.output.format.is_rows() {
        let places = arguments.partial.is_none().then_some(&run.places);
        print(&study, &arguments.output, places, terminal)?;
    }
    Ok(exit)
}

/// The file for rows, if there is to be one.
fn row_file(output: &SurveyOutput) -> anyhow::Result<Option<NewFile>> {
    let path = output.output.as_ref().filter(|_| output.format.is_rows());
    let begin = |path: &PathBuf| NewFile::begin(path).with_context(|| format!("cannot write '{}'", path.display()));
    path.map(begin).transpose()
}

/// Where a row for each computation goes, if that is asked for.
fn rows(
    output: &SurveyOutput,
    file: Option<&NewFile>,
    has_partial: bool,
) -> anyhow::Result<Option<Box<dyn Rows + Send>>> {
    if !output.format.is_rows() {
        return Ok(None);
    }
    if has_partial {
        bail!("--partial holds counts: rows can't be made from it");
    }
    let file = file.map(NewFile::handle).transpose()?;
    Ok(Some(match (output.format, file) {
        #[cfg(feature = "parquet")]
        (SurveyFormat::Parquet, Some(file)) => Box::new(ParquetRows::new(BufWriter::new(file))?),
        #[cfg(feature = "parquet")]
        (SurveyFormat::Parquet, None) => bail!("--format parquet needs --output FILE"),
        (_, Some(file)) => Box::new(CsvRows::new(BufWriter::new(file))?),
        (_, None) => Box::new(CsvRows::new(BufWriter::new(io::stdout()))?),
    }))
}

/// Adds up partial results.
fn merge(arguments: &MergeArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    if arguments.output.format.is_rows() {
        bail!("partial results hold counts: rows can't be made from them");
    }
    let (merged, notes) = partial_file::merge(&arguments.files, arguments.partial.as_deref())?;
    notes.iter().for_each(|note| terminal.note(&format!("note: {note}")));
    if merged.met_again > 0 {
        let files = counted(merged.met_again as usize, "file");
        terminal.note(&format!("note: {files} met again in another partial result, counted once"));
    }
    print(&merged.study, &arguments.output, None, terminal)?;
    Ok(Exit::Clean)
}

/// Prints a study, or writes it to a file.
fn print(study: &Study, output: &SurveyOutput, places: Option<&Places>, terminal: &mut Terminal) -> anyhow::Result<()> {
    let extent = match (output.summary, output.each) {
        (true, _) => Extent::Summary,
        (false, true) => Extent::Each,
        (false, false) => Extent::Whole,
    };
    let heading = Heading { date: Utc::now().format("%Y-%m-%d").to_string(), command: command_text() };
    let text = render(study, output.format, extent, &heading, places);
    match &output.output {
        Some(path) => write_new(path, text.as_bytes()).with_context(|| format!("cannot write '{}'", path.display())),
        None => Ok(terminal.print(text.as_bytes())?),
    }
}

/// What was typed, quoted where a shell wants it.
fn command_text() -> String {
    let is_plain =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "-_./:=,+@%".contains(c));
    let quoted = |text: String| if is_plain(&text) { text } else { format!("'{}'", text.replace('\'', r"'\''")) };
    let typed = std::env::args_os().skip(1).map(|argument| quoted(argument.to_string_lossy().into_owned()));
    std::iter::once("camfort-rs".to_owned()).chain(typed).collect::<Vec<_>>().join(" ")
}

/// The options that bear on classification, as far as they don't depend on the machine. Results that were made with
/// other ones must not be added up.
fn options_text(options: &SourceOptions, analysis: SurveyOptions) -> String {
    let defines: Vec<String> = options.defines.iter().map(|define| format!(" -D {define}")).collect();
    let special: Vec<String> = options.forms.special().iter().map(|files| format!(", files {files}")).collect();
    format!(
        "paper {}, form {:?}, fixed line length {:?}{}{}",
        analysis.paper,
        options.form,
        options.fixed_line_length,
        defines.concat(),
        special.concat()
    )
}

/// A run under way.
struct Run {
    source: SourceOptions,
    analysis: SurveyOptions,
    driver: Driver,
    share: Option<Share>,
    rows: Option<Box<dyn Rows + Send>>,
    /// Whether computations are wanted, for rows or places; else only their counts.
    keeps: bool,
    places: Places,
    results: Mutex<Results>,
    progress: Progress,
    file_count: usize,
}

/// What came of the files so far.
#[derive(Default)]
struct Results {
    study: Study,
    partial: Option<PartialFile>,
    /// Files and lines that were looked at.
    files: u64,
    lines: u64,
    /// Files that had been done before.
    skipped: u64,
    failures: Vec<String>,
}

impl Run {
    /// Classifies the computations of a package's files.
    fn package(&mut self, package: &Package) -> anyhow::Result<()> {
        let Run { driver, results, progress, share, rows, places, keeps, file_count, .. } = self;
        let results = &*results;
        let mut advance = || {
            progress.advance(1);
            let results = results.lock().unwrap_or_else(PoisonError::into_inner);
            progress.tell(|| format!(", {} of {file_count} files, {} lines", results.files, results.lines));
        };
        let project = driver.project(&package.files, &package.files, self.source.clone(), Vec::new, &mut advance);
        let session: Session<'_, Survey> = Session::new(&project, self.analysis);
        let is_in_share = |number: usize| share.is_none_or(|share| number % share.of == share.number);
        let numbered = package.files.iter().enumerate();
        let files: Vec<_> = numbered.filter(|(number, _)| is_in_share(*number)).map(|(_, path)| path.clone()).collect();
        let keeps = *keeps;
        let work = |_: &_, view: &FileView<'_>| survey(results, &session, package, view, keeps);
        let failed = driver.each_file(
            &project,
            &files,
            |path| path.as_path(),
            work,
            |path, done| {
                advance();
                let done = done.unwrap_or_else(|failure| {
                    results.lock().unwrap_or_else(PoisonError::into_inner).failures.push(sentence(&failure, path));
                    Ok(None)
                });
                let written = done.and_then(|done| match (rows.as_mut(), done) {
                    (Some(rows), Some((name, survey))) => {
                        rows.write(&name, &survey).context("the rows could not be written")
                    }
                    (None, Some((name, survey))) => {
                        places.add(&name, &survey);
                        Ok(())
                    }
                    (_, None) => Ok(()),
                });
                written.map_or_else(ControlFlow::Break, ControlFlow::Continue)
            },
        );
        failed.map_or(Ok(()), Err)
    }
}

/// What is said of a file that could not be classified.
fn sentence(failure: &FileFailure, path: &Path) -> String {
    match failure {
        FileFailure::Unreadable(reason) => format!("Cannot read '{}': {reason}", path.display()),
        FileFailure::Internal => failure.message(path),
    }
}

/// Classifies the computations of a file, unless that has been done, and notes the result at once; it is given back if
/// it is to be kept. An error is about the partial result.
fn survey(
    results: &Mutex<Results>,
    session: &Session<'_, Survey>,
    package: &Package,
    view: &FileView<'_>,
    keeps: bool,
) -> anyhow::Result<Option<(FileName, FileSurvey)>> {
    let results = || results.lock().unwrap_or_else(PoisonError::into_inner);
    let (file, digest) = (package.name_of(view.path()), Digest::new(view.bytes()));
    {
        let mut results = results();
        let is_done = results.partial.as_ref().map_or(Ok(false), |partial| partial.is_done(&file, digest))?;
        if is_done {
            results.skipped += 1;
            return Ok(None);
        }
    }
    let survey = session.analyse(view);
    let counts = Counts::of_file(&survey);
    let mut results = results();
    results.files += 1;
    results.lines += counts.sizes.raw_lines;
    match &mut results.partial {
        Some(partial) => partial.add(&FileCounts { file: file.clone(), digest, counts })?,
        None => results.study.add(&file.package, &counts),
    }
    Ok(keeps.then_some((file, survey)))
}
