//! `camfort-rs guard`: what a change of array layouts leaves behind, or the lock file that a later run compares with.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::Exit;
use super::arguments::{ExcludeArguments, OutputArguments, PathArguments, SourceArguments};
use super::run::{self, OutputSettings};
use super::settings::Settings;
use super::terminal::{Progress, Terminal};
use crate::analysis::RULES;
use crate::analysis::guard::base::{self, Base};
use crate::analysis::guard::fixes::{self, Comments};
use crate::analysis::guard::{self, ArrayFindings, GuardOptions, ProgramComparison, Recorded, Recorder, Sides, lock};
use crate::analysis::stencil::CheckOptions;
use crate::diagnostics::counts::counted;
use crate::diagnostics::edit::{self, LineChange, NewFile};
use crate::diagnostics::{Contents, Document, Finding, FindingCounts, Output, Report, Severity};
use crate::source::SourceTexts;
use crate::workspace::discovery::{self, Exclusions};
use crate::workspace::program::{Program, Versions};
use crate::workspace::{Driver, Project, files};

/// Closes the help of `guard`.
pub const GUARD_EXAMPLES: &str = "\
Examples:
  camfort-rs guard --base main src/         what the changes since branch main left behind
  camfort-rs guard --base ../v1.2 .         the same against another directory
  camfort-rs guard --save arrays.lock src/  write down the arrays and their uses
  camfort-rs guard --base arrays.lock src/  and compare with that later
  camfort-rs guard --base main --fix src/   rewrite the specifications of uses that follow

Exit status: 0 every use follows (or could not be compared), 1 some are still old or differ otherwise, 2 the run itself failed.";

/// Arguments of `guard`.
#[derive(Args, Debug)]
pub struct GuardArguments {
    /// Files, or directories to search for Fortran files [default: .]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What to compare with: a directory, a lock file, or a git revision (a tag, a branch, `HEAD~3`) of the repository
    /// that holds the first path
    #[arg(long, value_name = "DIR|LOCK|REV", required_unless_present_any = ["save", "show_settings"])]
    pub base: Option<String>,
    /// Write every array and every use of it to FILE, to be compared with later
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "fix", "diff"])]
    pub save: Option<PathBuf>,
    /// Rewrite the specification comments and region variables of the uses that follow; code is never changed
    #[arg(long, group = "mode")]
    pub fix: bool,
    /// Show as a unified diff what --fix would change, and write nothing
    #[arg(long, group = "mode")]
    pub diff: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub exclude: ExcludeArguments,

    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub source: SourceArguments,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub output_options: OutputArguments,
}

impl GuardArguments {
    /// The paths that were named, or the working directory.
    pub fn paths(&self) -> Vec<PathBuf> {
        if self.paths.is_empty() { vec![PathBuf::from(".")] } else { self.paths.clone() }
    }
}

/// Runs the command.
pub fn run(arguments: &GuardArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let paths = PathArguments {
        paths: arguments.paths(),
        stdin_filename: None,
        show_files: false,
        isolated: true,
        exclude: arguments.exclude.clone(),
    };
    if paths.reads_stdin()? {
        bail!("guard compares files, and standard input is none");
    }
    let options = &arguments.output_options;
    let flags = run::flags(&paths, &arguments.source, options);
    let mut settings = run::settings(flags, &paths, &arguments.source)?;
    if let Some(base) = arguments.base.as_deref().map(Path::new).filter(|base| base.is_dir()) {
        settings.source.roots = settings.source.roots.with(base);
    }
    if options.show_settings {
        terminal.print(settings.show().as_bytes())?;
        return Ok(Exit::Clean);
    }
    terminal.write_to(options.output_file.as_deref())?;
    settings.tell_refused(terminal);
    let driver = Driver::new(options.jobs)?;
    let exclusions = Exclusions::new(&settings.exclude, &settings.exclude_below, None, settings.source.roots.clone())?;
    let found = discovery::find(&paths.paths, &exclusions);
    for (path, reason) in &found.unreadable {
        terminal.note(&format!("error: cannot read '{}': {reason}", path.display()));
    }
    if found.files.is_empty() && found.unreadable.is_empty() {
        terminal.note("warning: no Fortran file found");
    }
    let all_read = found.unreadable.is_empty();
    let exit = match (&arguments.save, &arguments.base) {
        (Some(file), _) if found.files.is_empty() || !all_read => {
            bail!("'{}' is not written, as not every path could be read", file.display())
        }
        (Some(file), _) => {
            let program = Program::beside(found.files, &settings.source, file);
            save(&driver, &settings, &program, file, options.quiet, terminal)?
        }
        (None, Some(name)) => {
            let (base, program) = base::open(name, &paths.paths, found.files, &settings.source, &exclusions)?;
            compare(&driver, arguments, &settings, base, program, terminal)?
        }
        (None, None) => bail!("--base or --save is needed"),
    };
    Ok(if all_read { exit } else { Exit::Failure })
}

/// Writes the lock file.
fn save(
    driver: &Driver,
    settings: &Settings,
    program: &Program,
    file: &Path,
    quiet: bool,
    terminal: &mut Terminal,
) -> anyhow::Result<Exit> {
    let looks = 2 * program.files.len();
    let (recorded, _) = with_recorder(driver, settings, looks, quiet, |mut recorder| recorder.program(program));
    recorded.failures.iter().for_each(|failure| terminal.note(&format!("error: {failure}")));
    if !recorded.failures.is_empty() {
        bail!("'{}' is not written, as not every file could be read", file.display());
    }
    let write = || {
        let mut new = NewFile::begin(file)?;
        lock::write(&recorded.snapshot, &mut new)?;
        new.finish()
    };
    write().with_context(|| format!("'{}' can't be written", file.display()))?;
    if !quiet {
        let units = counted(recorded.snapshot.units.len(), "unit");
        let files = counted(program.files.len(), "file");
        terminal.note(&format!("{units} of {files} saved in {}", file.display()));
    }
    Ok(Exit::Clean)
}

/// Records programs, with progress through so many looks at files.
fn with_recorder<T>(
    driver: &Driver,
    settings: &Settings,
    looks: usize,
    quiet: bool,
    record: impl FnOnce(Recorder<'_>) -> T,
) -> T {
    let mut progress = Progress::new(looks, !quiet);
    let options = GuardOptions { paper: settings.stencils.paper, rules: RULES };
    let recorded = record(Recorder { driver, options, progress: &mut |files| progress.advance(files) });
    progress.finish();
    recorded
}

/// Compares the program with its base, and tells what was found.
fn compare(
    driver: &Driver,
    arguments: &GuardArguments,
    settings: &Settings,
    base: Base,
    program: Program,
    terminal: &mut Terminal,
) -> anyhow::Result<Exit> {
    let quiet = arguments.output_options.quiet;
    let (mut sides, program) = match base {
        Base::Lock(snapshot) => {
            let looks = 2 * program.files.len();
            let (now, project) =
                with_recorder(driver, settings, looks, quiet, |mut recorder| recorder.program(&program));
            let before = Recorded { snapshot, ..Recorded::default() };
            (Sides { before, now, project, unchanged: 0 }, program)
        }
        Base::Program(before) => {
            let versions = Versions { before: *before, now: program };
            let looks = 3 * (versions.before.files.len() + versions.now.files.len());
            let sides = with_recorder(driver, settings, looks, quiet, |mut recorder| recorder.versions(&versions));
            (sides, versions.now)
        }
    };
    let failures: Vec<&String> = sides.before.failures.iter().chain(&sides.now.failures).collect();
    failures.iter().for_each(|failure| terminal.note(&format!("error: {failure}")));
    let comparison = driver.install(|| guard::compare(&mut sides.before.snapshot, &mut sides.now.snapshot));
    let options = CheckOptions { stencils: settings.stencils.clone(), ..CheckOptions::default() };
    let comments = Comments { driver, program: &program, options };
    let mut comments = comments.out_of_date(&sides.project, &sides.now.snapshot, &comparison);
    let allowances = &mut sides.now.allowances;
    comments.retain(|finding| !allowances.silence(finding, None));
    let groups: Vec<ArrayFindings> =
        guard::groups(&comparison).into_iter().map(|group| group.without(allowances)).collect();
    let edits = arguments.fix || arguments.diff;
    let contents = Contents::Findings;
    let output_settings =
        OutputSettings::new(&arguments.output_options, settings, contents, arguments.diff, arguments.fix)?;
    let fixed = match edits {
        true => Some(apply(driver, &sides.project, &comments, arguments.diff, terminal)?),
        false => None,
    };
    // What was made or shown is told by that.
    let mut told: Vec<Finding> = comments.into_iter().filter(|finding| !edits || finding.fix.is_none()).collect();
    told.extend(sides.now.allowances.unused(|rule| rule.is_reported_by("guard")));
    let failed = !failures.is_empty() || fixed.as_ref().is_some_and(|applied| applied.failed);
    let counts = tell(groups, told, &output_settings, terminal)?;
    if !quiet {
        if let Some(applied) = &fixed {
            terminal.note(&edit_line(applied.files, arguments.diff));
        }
        terminal.lines(&closing(&comparison, sides.unchanged));
    }
    if arguments.output_options.statistics {
        terminal.lines(&counts.table());
    }
    Ok(run::exit(failed, &counts, &settings.exit))
}

fn closing(comparison: &ProgramComparison, unchanged: usize) -> String {
    let text = guard::closing(comparison);
    match unchanged {
        0 => text,
        1 => format!("{text}\n1 file is unchanged and not concerned"),
        _ => format!("{text}\n{unchanged} files are unchanged and not concerned"),
    }
}

/// Makes the changes that findings ask for, or shows them. What can't be written is said, and the other files are.
fn apply(
    driver: &Driver,
    project: &Project,
    comments: &[Finding],
    only_show: bool,
    terminal: &mut Terminal,
) -> anyhow::Result<Applied> {
    let mut applied = Applied::default();
    let change = |(path, changes): &(PathBuf, Vec<LineChange>)| changed(project, path, changes, only_show);
    let ended = driver.each(&fixes::changes(comments), change, |shown| {
        let printed = match shown {
            Ok(shown) => {
                applied.files += 1;
                terminal.print(&shown)
            }
            Err(error) => {
                applied.failed = true;
                terminal.note(&format!("error: {error:#}"));
                Ok(())
            }
        };
        printed.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    ended.map_or(Ok(applied), |error| Err(error.into()))
}

/// What was done with the files.
#[derive(Default)]
struct Applied {
    /// How many were changed, or would be.
    files: usize,
    /// Whether one could not be changed.
    failed: bool,
}

/// Makes the changes of one file: them as a diff.
fn changed(project: &Project, path: &Path, changes: &[LineChange], only_show: bool) -> anyhow::Result<Vec<u8>> {
    let view = project.read(path)?;
    let original = view.bytes();
    let fixed = edit::change(original, changes);
    if !edit::is_change_of(&fixed, original, changes) || !view.is_same_program(&fixed) {
        bail!("'{}' is left as it is: fixing would change the program (please report this)", path.display());
    }
    if !only_show {
        edit::write_atomically(path, original, &fixed)?;
    }
    Ok(edit::unified_diff(path, original, &fixed))
}

/// What was done.
fn edit_line(files: usize, only_show: bool) -> String {
    match (files, only_show) {
        (0, _) => "no specification to rewrite".to_owned(),
        (_, true) => format!("{} would be rewritten", counted(files, "file")),
        (_, false) => format!("{} rewritten", counted(files, "file")),
    }
}

/// Prints the findings array by array.
fn tell(
    groups: Vec<ArrayFindings>,
    comments: Vec<Finding>,
    output_settings: &OutputSettings,
    terminal: &mut Terminal,
) -> anyhow::Result<FindingCounts> {
    let mut teller =
        Teller { output: &output_settings.output, texts: HashMap::new(), counts: FindingCounts::default() };
    let mut document = Document::new(&output_settings.output, output_settings.contents);
    terminal.print(document.head().as_bytes())?;
    // What changed heads its findings, for a person too, unless only errors are wanted.
    let of_heading = Output {
        lowest_severity: match output_settings.output.lowest_severity {
            Severity::Error => Severity::Error,
            _ => Severity::Note,
        },
        ..output_settings.output.clone()
    };
    for ArrayFindings { heading, uses, is_harmless } in groups {
        let output = if is_harmless { teller.output } else { &of_heading };
        let mut text = teller.tell(output, heading.into_iter().collect(), &mut document)?;
        text.push_str(&teller.tell(teller.output, uses, &mut document)?);
        output_settings.print(&text, terminal)?;
        if terminal.output_closed() {
            break;
        }
    }
    let text = teller.tell(teller.output, comments, &mut document)?;
    output_settings.print(&text, terminal)?;
    document.tail(|text| output_settings.print(text, terminal))?;
    Ok(teller.counts)
}

/// Findings on their way to the document, with the texts that they stand in.
struct Teller<'m> {
    output: &'m Output,
    texts: HashMap<PathBuf, SourceTexts>,
    counts: FindingCounts,
}

impl Teller<'_> {
    fn tell(&mut self, output: &Output, findings: Vec<Finding>, document: &mut Document) -> io::Result<String> {
        let mut text = String::new();
        for mut finding in findings {
            let path = finding.location.path.clone();
            let texts = self
                .texts
                .entry(path.clone())
                .or_insert_with(|| SourceTexts::new(path.clone(), files::read(&path).unwrap_or_default()));
            guard::spell_as_source(&mut finding, texts.root());
            let emitted = document.add(output.render(Report::of_findings(&path, Some(texts), vec![finding])))?;
            emitted.findings.iter().for_each(|finding| self.counts.add(finding));
            text.push_str(&emitted.text);
        }
        Ok(text)
    }
}
