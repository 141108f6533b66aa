//! `camfort-rs requires PATH…`: from what was typed to a [`RequiresTask`], and what the plan does with one file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::bail;
use clap::Args;

use super::Exit;
use super::arguments::{OutputArguments, PathArguments, SourceArguments};
use super::run::{self, Outcome, OutputSettings, Task, file_summary};
use super::settings::Settings;
use super::terminal::Terminal;
use crate::analysis::Session;
use crate::analysis::requires::{
    ListedProcedure, ProcedureRequirements, REQUIREMENT_UNDOCUMENTED, RequireOptions, RequirementCounts, Requires,
    RequiresOutcome, schema,
};
use crate::analysis::stencil::Summary;
use crate::analysis::stencil::infer::Inference;
use crate::diagnostics::{Contents, Entry, Level, Report};
use crate::workspace::FileView;

/// Closes the help of `requires`.
pub const REQUIRES_EXAMPLES: &str = "\
Examples:
  camfort-rs requires src/                       what keeps each procedure from stopping, and why
  camfort-rs requires --entry run_model src/     the same of one procedure
  camfort-rs requires --entry run_model --schema src/   and as JSON Schema

Exit status: 0 no error found, 1 an error in the code, 2 the run itself failed.";

/// Arguments of `requires`.
#[derive(Args, Debug)]
pub struct RequiresArguments {
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub paths: PathArguments,

    /// List this procedure, instead of all that no other procedure of their file calls
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// Print what is given to the procedure as JSON Schema: its arguments, or the namelist groups that it reads
    #[arg(long, requires = "entry", conflicts_with_all = ["format", "undocumented"])]
    pub schema: bool,

    /// With --schema, also say what is known approximately only
    #[arg(long, requires = "schema")]
    pub approximate: bool,

    /// List also where a procedure may stop under a condition that was given up, because it grows too large
    #[arg(long, conflicts_with = "schema")]
    pub undecided: bool,

    /// Report requirements on arguments that no comment of the procedure mentions by name
    #[arg(long)]
    pub undocumented: bool,

    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub source: SourceArguments,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub output_options: OutputArguments,
}

/// What a run is to do with each file.
#[derive(Debug)]
struct RequiresTask {
    options: RequireOptions,
    output_settings: OutputSettings,
    entry: Option<String>,
    undecided: bool,
    schema: Option<SchemaPrinting>,
}

/// Schemas by file; that of the first one is printed.
#[derive(Debug)]
struct SchemaPrinting {
    approximate: bool,
    found: Mutex<BTreeMap<PathBuf, String>>,
}

impl Task for RequiresTask {
    type Analysis = Requires;

    fn options(&self) -> RequireOptions {
        self.options.clone()
    }

    fn act(&self, session: &Session<'_, Requires>, view: &FileView<'_>) -> Outcome {
        let RequiresOutcome { findings, procedures } = session.analyse(view);
        let not_understood = view.not_understood();
        let file = file_summary(view, &not_understood);
        let mut summary = Summary::new(file, &Inference::default());
        let is_asked = |procedure: &&ProcedureRequirements| Some(&procedure.name) == self.entry.as_ref();
        let counts_them = |it: &&ProcedureRequirements| self.entry.is_none() || is_asked(it);
        summary.requirements = RequirementCounts::of(procedures.iter().filter(counts_them));
        if let Some(printing) = &self.schema {
            if let Some(procedure) = procedures.iter().find(is_asked) {
                let text = format!("{:#}\n", schema(procedure, printing.approximate));
                let mut found = printing.found.lock().unwrap_or_else(PoisonError::into_inner);
                found.insert(view.path().to_path_buf(), text);
            }
            return Outcome { summary, ..Outcome::default() };
        }
        let listed = procedures.iter().filter(counts_them).map(|procedure| ListedProcedure {
            procedure,
            is_shown: self.entry.is_some() || procedure.is_outermost,
            shows_undecided: self.undecided,
        });
        let listing = Some((file, listed.collect()));
        let report = Report { path: view.path(), texts: Some(view.texts()), findings, listing };
        let report = self.output_settings.output.render(report);
        Outcome { report, summary, ..Outcome::default() }
    }

    fn output_settings(&self) -> &OutputSettings {
        &self.output_settings
    }

    fn table(&self, summary: &Summary) -> String {
        summary.findings.table()
    }

    fn closing(&self, summary: &Summary, _: bool) -> String {
        summary.requires_line()
    }
}

/// Runs the command.
pub fn run(arguments: &RequiresArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let RequiresArguments { paths, entry, schema, approximate, undecided, undocumented, source, output_options } =
        arguments;
    let mut settings: Settings = run::settings(run::flags(paths, source, output_options), paths, source)?;
    if *undocumented {
        settings.stencils.levels.ask(&REQUIREMENT_UNDOCUMENTED, Level::Note);
    }
    let options = settings.require_options();
    let contents = Contents::Entries(ListedProcedure::NAME);
    let output_settings = OutputSettings::new(output_options, &settings, contents, *schema, false)?;
    let entry = entry.as_ref().map(|entry| entry.to_ascii_lowercase());
    let schema = schema.then(|| SchemaPrinting { approximate: *approximate, found: Mutex::default() });
    let task = RequiresTask { options, output_settings, entry, undecided: *undecided, schema };
    let exit = run::run(&task, settings, paths, output_options, false, terminal)?;
    if let (Some(printing), Some(entry)) = (&task.schema, &task.entry)
        && !output_options.show_settings
    {
        let found = printing.found.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(text) = found.values().next() else { bail!("no procedure '{entry}' is in the files") };
        terminal.print(text.as_bytes())?;
    }
    Ok(exit)
}
