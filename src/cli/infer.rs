//! `camfort-rs infer PATH…`: from what was typed to a [`InferTask`], and what the plan does with one file.

use std::collections::HashMap;
use std::fs;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;

use super::Exit;
use super::arguments::{Marker, OutputArguments, PathArguments, SourceArguments};
use super::flags::Flags;
use super::run::{self, Outcome, OutputSettings, Task, file_summary};
use super::settings::Settings;
use super::terminal::{Terminal, confirmed, is_interactive};
use crate::analysis::Session;
use crate::analysis::stencil::infer::{IncludedInsertions, ListedComputation, Narrowing, Selection, remaining};
use crate::analysis::stencil::{Infer, InferOptions, InferOutcome, Summary};
use crate::diagnostics::counts::counted;
use crate::diagnostics::edit::{self, LineInsertion};
use crate::diagnostics::render::quotation::{self, printable};
use crate::diagnostics::{Contents, Entry, Format, Report};
use crate::workspace::{Driver, FileView, Project};

/// Closes the help of `infer`.
pub const INFER_EXAMPLES: &str = "\
Examples:
  camfort-rs infer --report src/           count what can be said, file by file (--list: list it)
  camfort-rs infer --diff src/             show what would be inserted
  camfort-rs infer src/laplace.f90         insert it
  camfort-rs infer --report --why a.f90    also say why an array gets no specification

Exit status: 0 no error found, 1 an error in the code or its specifications, 2 the run itself failed.";

/// Arguments of `infer`.
#[derive(Args, Debug)]
pub struct InferArguments {
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub paths: PathArguments,

    /// Print the change as a unified diff and write nothing
    #[arg(long, group = "mode")]
    pub diff: bool,
    /// List the specifications under their statements and write nothing; of directories and several files only tell the
    /// numbers of each file, unless --list, --why, --procedure, --lines or --array ask for more
    #[arg(long, group = "mode")]
    pub report: bool,
    /// With --report, list the specifications of directories and several files too, not only their numbers
    #[arg(long, requires = "report")]
    pub list: bool,
    /// Write the files with their specifications below DIR, under their own relative paths, and leave the originals
    #[arg(long, group = "mode", value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Only of this procedure, by its name or as `module::procedure`
    #[arg(long, value_name = "NAME")]
    pub procedure: Option<String>,
    /// Only of statements in these lines of the one file that is named
    #[arg(long, value_name = "A-B", value_parser = lines)]
    pub lines: Option<RangeInclusive<u32>>,
    /// Only of this array
    #[arg(long, value_name = "NAME")]
    pub array: Option<String>,
    /// Leave out specifications that say no more than `pointed`
    #[arg(long)]
    pub nontrivial: bool,
    /// Say which fixed indices an array is read at, also in a dimension in which every read is fixed
    #[arg(long)]
    pub fixed: bool,
    /// Say what is read at most where the index of one dimension is not known (`g(i,j,elem(e))`)
    #[arg(long)]
    pub partial_dimensions: bool,
    /// Also list the arrays that get no specification, each with the reason
    #[arg(long)]
    pub why: bool,
    /// Insert more than 1,000 lines without asking; only on a terminal is there a question
    #[arg(long, conflicts_with_all = ["diff", "report"])]
    pub yes: bool,
    /// The character behind the comment sign: `=`, `!`, `>` or `<` [default: =]
    #[arg(long, value_enum, value_name = "CHAR", hide_possible_values = true)]
    pub marker: Option<Marker>,

    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub source: SourceArguments,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub output_options: OutputArguments,
}

/// Reads the value of `--lines`: `7` or `7-12`.
fn lines(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok(first..=last),
        _ => Err("a line or two with a hyphen between them: 7-12".into()),
    }
}

/// What happens with the specifications.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Mode {
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

/// More lines are not inserted without asking a person.
const UNASKED_LINES: usize = 1_000;

/// What a run is to do with each file.
#[derive(Debug)]
struct InferTask {
    mode: Mode,
    options: InferOptions,
    output_settings: OutputSettings,
    selection: Selection,
    /// Whether a report for people tells the numbers of each file and lists nothing.
    is_digest: bool,
    /// Whether a person is asked before many lines are inserted.
    asks: bool,
    /// What is to be inserted into included files, when all files that include them were looked at.
    included: Mutex<Vec<IncludedInsertions>>,
    /// Whether the table begins with the share of computations of which all is said.
    has_shares: bool,
}

impl InferTask {
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
        let prints_data = matches!(mode, Mode::Diff | Mode::Filter);
        let writes_files = matches!(mode, Mode::InPlace | Mode::Copy(_));
        let is_digest = mode == Mode::Report && settings.format == Format::Full && !lists(arguments);
        let selection = Selection { specifications: mode == Mode::Report && !is_digest, reasons: arguments.why };
        let asks = mode == Mode::InPlace && !arguments.yes && is_interactive();
        let options = &arguments.output_options;
        let contents = Contents::Entries(ListedComputation::NAME);
        let output_settings = OutputSettings::new(options, settings, contents, prints_data, writes_files)
            .map_err(|error| anyhow!("{error}; add --report"))?;
        Ok(InferTask {
            mode,
            options: InferOptions { narrowing: narrowing(arguments)?, ..settings.infer_options() },
            output_settings,
            selection,
            is_digest,
            asks,
            included: Mutex::default(),
            has_shares: options.statistics,
        })
    }

    /// Leaves an included file to the end of the run: until then others read it as it was.
    fn write_at_end(&self, included: IncludedInsertions) {
        self.included.lock().unwrap_or_else(PoisonError::into_inner).push(included);
    }

    /// Counts what was inserted into a file, and says it if that was asked for.
    fn count(&self, path: &Path, insertions: &[LineInsertion], outcome: &mut Outcome) {
        outcome.summary.insertions += insertions.len();
        outcome.summary.changed_files += usize::from(!insertions.is_empty());
        if self.output_settings.verbose && !insertions.is_empty() {
            outcome.notes.push(format!("{}: {}", path.display(), counted(insertions.len(), "specification")));
        }
    }

    /// What was, or would be, done to files.
    fn edit_line(&self, summary: &Summary, failed: bool) -> String {
        if summary.insertions == 0 && self.mode != Mode::Filter && self.mode != Mode::Report {
            // Where something went wrong, there may have been something to insert.
            return if failed { String::new() } else { "nothing to insert".to_owned() };
        }
        let lines = counted(summary.insertions, "line");
        let files = counted(summary.changed_files, "file");
        match &self.mode {
            Mode::Report | Mode::Filter => String::new(),
            Mode::InPlace => format!("{lines} inserted into {files}"),
            Mode::Diff => format!("{lines} would be inserted into {files}"),
            Mode::Copy(folder) => {
                printable(&format!("{lines} inserted into the copies of {files} in '{}'", folder.display()))
                    .into_owned()
            }
        }
    }
}

impl Task for InferTask {
    type Analysis = Infer;

    fn options(&self) -> InferOptions {
        self.options.clone()
    }

    fn act(&self, session: &Session<'_, Infer>, view: &FileView<'_>) -> Outcome {
        let mut result = session.analyse(view);
        let findings = std::mem::take(&mut result.findings);
        let computations = result.inference.computations.iter();
        let entries = computations.map(|computation| ListedComputation {
            computation,
            selection: self.selection,
            covered: result.covered.get(&computation.statement),
        });
        let not_understood = view.not_understood();
        let summary = file_summary(view, &not_understood);
        let listing = Some((summary, entries.collect()));
        let report = Report { path: view.path(), texts: Some(view.texts()), findings, listing };
        let report = self.output_settings.output.render(report);
        let mut outcome = Outcome { report, summary: Summary::new(summary, &result.inference), ..Outcome::default() };
        if let Err(error) = act(self, view, &result, &mut outcome) {
            outcome.failures.push(format!("{error:#}"));
        }
        outcome
    }

    fn output_settings(&self) -> &OutputSettings {
        &self.output_settings
    }

    fn output_directory(&self) -> Option<&Path> {
        match &self.mode {
            Mode::Copy(folder) => Some(folder),
            _ => None,
        }
    }

    fn inspect(&self, files: &[PathBuf]) -> anyhow::Result<()> {
        self.output_directory().map_or(Ok(()), |folder| refuse_clashes(folder, files))
    }

    fn approve(
        &self,
        driver: &Driver,
        project: &Project,
        session: &Session<'_, Infer>,
        files: &[PathBuf],
    ) -> anyhow::Result<()> {
        if !self.asks {
            return Ok(());
        }
        let mut lines = 0;
        let count = |_: &PathBuf, view: &FileView<'_>| session.analyse(view).insertions.len();
        let exceeded = driver.each_file(project, files, PathBuf::as_path, count, |_, counted| {
            lines += counted.unwrap_or(0);
            if lines > UNASKED_LINES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let question = "More than 1,000 lines would be inserted (--report counts them, --yes doesn't ask). Go on?";
        match exceeded {
            Some(()) if !confirmed(question)? => bail!("nothing was inserted"),
            _ => Ok(()),
        }
    }

    fn finish(&self) -> Outcome {
        let included = std::mem::take(&mut *self.included.lock().unwrap_or_else(PoisonError::into_inner));
        let mut outcome = Outcome::default();
        for one in included {
            let edited = edit::apply(&one.bytes, &one.insertions);
            match edit::write_atomically(&one.path, &one.bytes, &edited) {
                Ok(()) => self.count(&one.path, &one.insertions, &mut outcome),
                Err(error) => outcome.failures.push(error.to_string()),
            }
        }
        outcome
    }

    fn table(&self, summary: &Summary) -> String {
        match self.has_shares {
            true => summary.shares() + &summary.table(),
            false => summary.table(),
        }
    }

    fn closing(&self, summary: &Summary, failed: bool) -> String {
        format!("{}\n{}", summary.line(), self.edit_line(summary, failed))
    }
}

/// Runs the command.
pub fn run(arguments: &InferArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let InferArguments { paths, source, output_options, .. } = arguments;
    let flags = Flags {
        nontrivial: arguments.nontrivial,
        fixed: arguments.fixed,
        partial_dimensions: arguments.partial_dimensions,
        marker: arguments.marker,
        ..run::flags(paths, source, output_options)
    };
    let settings = run::settings(flags, paths, source)?;
    let plan = InferTask::new(arguments, &settings)?;
    run::run(&plan, settings, paths, output_options, arguments.why, terminal)
}

/// Whether the specifications are to be listed, one by one: so they are of a single file, or if something of them is
/// asked for.
fn lists(arguments: &InferArguments) -> bool {
    let is_narrowed = arguments.procedure.is_some() || arguments.array.is_some();
    arguments.list || arguments.why || is_narrowed || names_one_file(arguments)
}

fn names_one_file(arguments: &InferArguments) -> bool {
    matches!(&arguments.paths.paths[..], [path] if !path.is_dir())
}

/// The numbers of a file, a line; nothing if there are no computations with something to say.
fn digest(path: &Path, result: &InferOutcome) -> String {
    let computations = &result.inference.computations;
    let specifications = computations.iter().flat_map(|computation| {
        let covered = result.covered.get(&computation.statement);
        computation.specifications.iter().filter(move |one| remaining(one, covered).is_some())
    });
    let (trivial, telling): (Vec<_>, Vec<_>) = specifications.partition(|one| one.is_trivial());
    let without: usize = computations.iter().map(|computation| computation.unspecified.len()).sum();
    let mut parts = Vec::new();
    if !telling.is_empty() || !trivial.is_empty() {
        let all = counted(telling.len() + trivial.len(), "specification");
        parts.push(format!("{all} to insert, {} of more than 'pointed'", telling.len()));
    }
    if without > 0 {
        parts.push(format!("{} without one", counted(without, "array")));
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!("{}: {}\n", quotation::path(path), parts.join("; ")),
    }
}

/// What of the files is asked for.
fn narrowing(arguments: &InferArguments) -> anyhow::Result<Narrowing> {
    ensure!(arguments.lines.is_none() || names_one_file(arguments), "--lines needs one file");
    let InferArguments { procedure, lines, array, .. } = arguments;
    Ok(Narrowing { procedure: procedure.clone(), lines: lines.clone(), array: array.clone() })
}

/// Edits, as the mode says.
fn act(plan: &InferTask, view: &FileView<'_>, result: &InferOutcome, outcome: &mut Outcome) -> anyhow::Result<()> {
    if plan.mode == Mode::Report {
        if plan.is_digest {
            outcome.data = digest(view.path(), result).into_bytes();
        }
        return Ok(());
    }
    let (path, bytes) = (view.path(), view.bytes());
    let insertions = result.insertions.as_slice();
    if !result.forbidden_by.is_empty() {
        let codes = result.forbidden_by.join(", ");
        outcome.notes.push(format!("'{}' is left as it is: its specifications have errors ({codes})", path.display()));
    }
    let edited = edited_text(view, insertions)?;
    let is_left_to_the_end = plan.mode == Mode::InPlace && !view.project().includers(path).is_empty();
    match &plan.mode {
        Mode::InPlace if insertions.is_empty() => {}
        Mode::InPlace if is_left_to_the_end => {
            let (path, bytes, insertions) = (path.to_path_buf(), bytes.to_vec(), insertions.to_vec());
            plan.write_at_end(IncludedInsertions { path, bytes, insertions });
        }
        Mode::InPlace => edit::write_atomically(path, bytes, &edited)?,
        Mode::Diff => outcome.data = edit::unified_diff(path, bytes, &edited),
        Mode::Filter => outcome.data.clone_from(&edited),
        Mode::Copy(folder) => write_copy(&copy_path(folder, path), &edited)?,
        Mode::Report => {}
    }
    if !is_left_to_the_end {
        plan.count(path, insertions, outcome);
    }
    result.included.iter().try_for_each(|included| act_on_included(plan, view, included, outcome))
}

/// Edits an included file, as the mode says.
fn act_on_included(
    plan: &InferTask,
    view: &FileView<'_>,
    included: &IncludedInsertions,
    outcome: &mut Outcome,
) -> anyhow::Result<()> {
    let IncludedInsertions { path, bytes, insertions } = included;
    let edited = edit::apply(bytes, insertions);
    if !view.is_same_program_with(path, &edited) {
        bail!("'{}' is left as it is: inserting would change the program (please report this)", path.display());
    }
    match &plan.mode {
        Mode::InPlace => {
            plan.write_at_end(included.clone());
            return Ok(());
        }
        Mode::Diff => outcome.data.extend(edit::unified_diff(path, bytes, &edited)),
        Mode::Copy(folder) => write_copy(&copy_path(folder, path), &edited)?,
        Mode::Filter | Mode::Report => return Ok(()),
    }
    plan.count(path, insertions, outcome);
    Ok(())
}

/// The text with the lines inserted, after two checks: it is the same program, and without these lines it is the
/// original.
fn edited_text(view: &FileView<'_>, insertions: &[LineInsertion]) -> anyhow::Result<Vec<u8>> {
    let (path, bytes) = (view.path(), view.bytes());
    let edited = edit::apply(bytes, insertions);
    if insertions.is_empty() {
        return Ok(edited);
    }
    let same_program = view.is_same_program(&edited);
    if !same_program || edit::without_insertions(&edited, insertions).as_deref() != Some(bytes) {
        bail!("'{}' is left as it is: inserting would change the program (please report this)", path.display());
    }
    Ok(edited)
}

/// Where the copy of a file goes: its path below the working directory, or all of it, without `..`.
fn copy_path(folder: &Path, path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let relative = path.strip_prefix(&here).unwrap_or(path);
    let names = relative.components().filter(|component| matches!(component, Component::Normal(_)));
    folder.join(names.collect::<PathBuf>())
}

fn write_copy(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(|| format!("'{}' could not be made", parent.display()))?;
    }
    edit::write_new(path, text).with_context(|| format!("'{}' could not be written", path.display()))
}

/// Two files must not get the same copy, nor a file be its own.
fn refuse_clashes(folder: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
    let mut taken: HashMap<PathBuf, &PathBuf> = HashMap::new();
    for file in files {
        let copy = copy_path(folder, file);
        if copy.exists() && copy.canonicalize().ok() == file.canonicalize().ok() {
            bail!("--output '{}' would overwrite '{}' itself", folder.display(), file.display());
        }
        if let Some(other) = taken.insert(copy, file) {
            bail!("--output would give '{}' and '{}' the same copy", other.display(), file.display());
        }
    }
    Ok(())
}
