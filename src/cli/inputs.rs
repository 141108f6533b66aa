//! `camfort-rs inputs PATH…`: from what was typed to reading plans, and to data files that are held against them.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use clap::Args;

use super::Exit;
use super::arguments::{OutputArguments, PathArguments, SourceArguments};
use super::run::{self, Outcome, OutputSettings, Task, file_summary};
use super::settings::Settings;
use super::terminal::Terminal;
use crate::analysis::Session;
use crate::analysis::inputs::{
    DataPath, InputOptions, Inputs, Plan, check, data_path, files, findings, is_known, plan_text, reads_nothing, split,
};
use crate::analysis::stencil::Summary;
use crate::analysis::stencil::infer::Inference;
use crate::diagnostics::{Contents, Document, Finding, FindingCounts, Format, Location, Report};
use crate::source::SourceTexts;
use crate::workspace::FileView;

/// Closes the help of `inputs`.
pub const INPUTS_EXAMPLES: &str = "\
Examples:
  camfort-rs inputs src/main.f90                        what the program reads, and what it needs of it
  camfort-rs inputs --check run.nml src/                hold a file against it, where only one fits
  camfort-rs inputs --check '*=in.txt' --check 10=grades.txt src/
                                                        by unit; '*' is standard input
  camfort-rs inputs --approximate src/main.f90          also conditions of which a part is not known
  camfort-rs inputs --format json src/main.f90 > plan.json
  camfort-rs inputs --plan plan.json --check run.nml    the same without the sources

Exit status: 0 no error found, 1 an error in the data, 2 the run itself failed.";

/// Lines of a larger file are not quoted.
const LARGEST_QUOTED: u64 = 8 << 20;

/// Arguments of `inputs`.
#[derive(Args, Debug)]
pub struct InputsArguments {
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub paths: PathArguments,

    /// Hold a data file against the plan. NAME is a unit, `*` for standard input, or what FILE= of the OPEN is; it may
    /// be left out where the program reads one file, or one of this name, as a unit may be where it is of several files
    #[arg(long, value_name = "[NAME=]FILE")]
    pub check: Vec<String>,
    /// Take the plan from a file that `--format json` wrote, and not from sources
    #[arg(long, value_name = "FILE", requires = "check")]
    pub plan: Option<PathBuf>,
    /// Tell also conditions of which a part is not known, as warnings
    #[arg(long, conflicts_with = "plan")]
    pub approximate: bool,

    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub source: SourceArguments,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub output_options: OutputArguments,
}

/// What a run is to do with each file.
#[derive(Debug)]
struct InputsTask {
    check: Vec<String>,
    options: InputOptions,
    is_json: bool,
    output_settings: OutputSettings,
    /// Whether a program reads the data files that were named.
    is_held: AtomicBool,
    /// Whether programs are named that read nothing.
    is_verbose: bool,
    /// How many read nothing, and what is printed for one.
    silent: Mutex<(usize, String)>,
}

impl Task for InputsTask {
    type Analysis = Inputs;

    fn options(&self) -> InputOptions {
        self.options.clone()
    }

    fn act(&self, session: &Session<'_, Inputs>, view: &FileView<'_>) -> Outcome {
        let plans = session.analyse(view).plans;
        let not_understood = view.not_understood();
        let summary = Summary::new(file_summary(view, &not_understood), &Inference::default());
        let mut outcome = Outcome { summary, ..Outcome::default() };
        if self.check.is_empty() {
            for plan in &plans {
                if !self.is_json && !self.is_verbose && reads_nothing(plan) {
                    if let Ok(mut silent) = self.silent.lock() {
                        *silent = (silent.0 + 1, self.written(view.path(), plan));
                    }
                    continue;
                }
                outcome.data.extend(self.written(view.path(), plan).into_bytes());
            }
            outcome.report = self.output_settings.output.render(Report::of_findings(view.path(), None, Vec::new()));
            return outcome;
        }
        let (mut found, mut texts) = (Vec::new(), None);
        for plan in &plans {
            match checked(plan, &self.check) {
                Ok(Some((findings, of))) => {
                    self.is_held.store(true, Ordering::Relaxed);
                    found.extend(findings);
                    texts = texts.or(of);
                }
                // One of several programs may read other files.
                Ok(None) => outcome.notes.push(format!(
                    "the program in '{}' is passed over: {}",
                    view.path().display(),
                    known(plan)
                )),
                Err(error) => {
                    self.is_held.store(true, Ordering::Relaxed);
                    outcome.failures.push(format!("{error:#}"));
                }
            }
        }
        outcome.report = self.output_settings.output.render(Report::of_findings(view.path(), texts.as_ref(), found));
        outcome
    }

    fn output_settings(&self) -> &OutputSettings {
        &self.output_settings
    }

    fn finish(&self) -> Outcome {
        let mut outcome = Outcome::default();
        if let Ok(silent) = self.silent.lock() {
            outcome.data = match &*silent {
                (0, _) => Vec::new(),
                (1, text) => text.clone().into_bytes(),
                (count, _) => format!("{count} programs read nothing\n").into_bytes(),
            };
        }
        if !self.check.is_empty() && !self.is_held.load(Ordering::Relaxed) {
            outcome
                .failures
                .push(format!("no program that was given reads {}: nothing was checked", self.check.join(", ")));
        }
        outcome
    }

    fn table(&self, summary: &Summary) -> String {
        summary.findings.table()
    }

    fn closing(&self, summary: &Summary, failed: bool) -> String {
        if self.check.is_empty() || failed { String::new() } else { closing(&summary.findings) }
    }
}

impl InputsTask {
    /// A plan as it is printed.
    fn written(&self, path: &Path, plan: &Plan) -> String {
        if self.is_json {
            return serde_json::to_string_pretty(plan).map_or(String::new(), |text| text + "\n");
        }
        let name = if plan.program.is_empty() { String::new() } else { format!("program {}  ", plan.program) };
        format!("{name}{}\n{}", path.display(), plan_text(plan))
    }
}

/// The sentence that closes a run.
fn closing(findings: &FindingCounts) -> String {
    match findings.sentence() {
        sentence if sentence.is_empty() => "nothing found in the data\n".to_owned(),
        sentence => format!("{sentence}\n"),
    }
}

/// What is found in data files that are held against a plan, and their texts, where they are small enough to be quoted;
/// `None` if one of them is none of the plan's.
fn checked(plan: &Plan, check: &[String]) -> anyhow::Result<Option<(Vec<Finding>, Option<SourceTexts>)>> {
    let data: Option<Vec<DataPath>> = check.iter().map(|typed| of_typed(plan, typed)).collect();
    let Some(data) = data else { return Ok(None) };
    let checked = self::check(plan, &data);
    if let Some((path, reason)) = checked.unreadable.first() {
        bail!("cannot read '{}': {reason}", path.display());
    }
    let mut findings = findings(plan, &data, &checked.facts);
    let mut texts: Option<SourceTexts> = None;
    for of in &data {
        let is_named = findings.iter().any(|finding| finding.location.path == of.path);
        let is_small = std::fs::metadata(&of.path).is_ok_and(|it| it.len() <= LARGEST_QUOTED);
        if is_named
            && is_small
            && let Ok(bytes) = std::fs::read(&of.path)
        {
            match &mut texts {
                Some(texts) => {
                    texts.add(&of.path, bytes);
                }
                None => texts = Some(SourceTexts::new(&of.path, bytes)),
            }
        }
    }
    let is_quoted = |path: &Path| texts.as_ref().is_some_and(|texts| texts.of_path(path).is_some());
    for finding in &mut findings {
        let Location { path, start, .. } = &finding.location;
        if !is_quoted(path) {
            finding.remark(format!("At {}:{}:{}", path.display(), start.line, start.column));
        }
    }
    Ok(Some((findings, texts)))
}

/// The data file that was typed.
fn of_typed(plan: &Plan, typed: &str) -> Option<DataPath> {
    let (name, path) = split(typed);
    data_path(plan, name, PathBuf::from(path))
}

fn known(plan: &Plan) -> String {
    let names = files(plan).into_iter().map(|(index, unit, name)| {
        let name = match &plan.files[index].expression {
            Some(expression) => expression.clone(),
            None if name.is_empty() => return unit.to_owned(),
            None => format!("'{name}'"),
        };
        if unit.is_empty() { name } else { format!("{unit} ({name})") }
    });
    let names: Vec<String> = names.collect();
    match names.is_empty() {
        true if is_known(plan) => "it reads nothing".to_owned(),
        true => "what it reads is not known".to_owned(),
        false => format!("it reads {}", names.join(", ")),
    }
}

/// Runs the command.
pub fn run(arguments: &InputsArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let InputsArguments { paths, check, plan, approximate, source, output_options } = arguments;
    let mut settings: Settings = run::settings(run::flags(paths, source, output_options), paths, source)?;
    let is_json = settings.format == Format::Json;
    if check.is_empty() {
        // A plan is printed as it is, with nothing around it.
        settings.format = Format::Full;
    }
    let output_settings = OutputSettings::new(output_options, &settings, Contents::Findings, false, false)?;
    if let Some(plan) = plan {
        return run_plan(plan, check, &output_settings, &settings, output_options, terminal);
    }
    let is_held = AtomicBool::new(false);
    let options = InputOptions { approximate: *approximate, ..settings.input_options() };
    let is_verbose = output_options.verbose;
    let silent = Mutex::default();
    let task = InputsTask { check: check.clone(), options, is_json, output_settings, is_held, is_verbose, silent };
    run::run(&task, settings, paths, output_options, false, terminal)
}

/// Holds data files against a plan that was written before.
fn run_plan(
    path: &Path,
    check: &[String],
    output_settings: &OutputSettings,
    settings: &Settings,
    options: &OutputArguments,
    terminal: &mut Terminal,
) -> anyhow::Result<Exit> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let plan: Plan = serde_json::from_str(&text).with_context(|| format!("'{}' is no reading plan", path.display()))?;
    let found = checked(&plan, check)?;
    let (found, texts) = found.with_context(|| format!("not all files are the program's: {}", known(&plan)))?;
    terminal.write_to(options.output_file.as_deref())?;
    let mut document = Document::new(&output_settings.output, output_settings.contents);
    terminal.print(document.head().as_bytes())?;
    let report = output_settings.output.render(Report::of_findings(path, texts.as_ref(), found));
    let emitted = document.add(report)?;
    let mut counts = FindingCounts::default();
    emitted.findings.iter().for_each(|finding| counts.add(finding));
    output_settings.print(&emitted.text, terminal)?;
    document.tail(|text| output_settings.print(text, terminal))?;
    if !options.quiet {
        terminal.lines(&closing(&counts));
    }
    Ok(run::exit(false, &counts, &settings.exit))
}
