//! What holds in a run: what the command line says, else what the configuration file says, else what is usual.
//!
//! [`Settings::new`] puts the three together, key by key; lists are added up. On the way it writes down each key with
//! its value and where that comes from, which is what `--show-settings` prints.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::ValueEnum;
use globset::Glob;

use super::arguments::{Form, Marker, Stops};
use super::config::{Config, ConfigFile, FilesTable, RuleTable};
use super::config_values::{Choice, Located, RuleUrl, name, nearest};
use super::flags::Flags;
use super::terminal::Terminal;
use crate::analysis::RULES;
use crate::analysis::inputs::{InputOptions, split};
use crate::analysis::preconditions::{FailureOptions, FatalProcedure};
use crate::analysis::requires::RequireOptions;
use crate::analysis::shapes::ShapeOptions;
use crate::analysis::stencil::check::Require;
use crate::analysis::stencil::infer::Narrowing;
use crate::analysis::stencil::{CheckOptions, InferOptions, StencilOptions};
use crate::diagnostics::{Format, Level, Levels, Rule, paths};
use crate::server::DataSettings;
use crate::solve::Procedure;
use crate::workspace::{ExpansionCommand, FileForms, Files, FixedLineLength, SourceOptions, SourceRoots, SpecialFiles};

/// Characters of a setting up to which the comments behind it are aligned.
const WIDEST: usize = 60;

/// All that holds in a run.
#[derive(Clone)]
pub struct Settings {
    /// How files are read.
    pub source: SourceOptions,
    /// What analyses of stencils are asked.
    pub stencils: StencilOptions,
    /// The marker of inserted comments.
    pub marker: char,
    /// Characters of an inserted comment line up to which it is not broken.
    pub line_length: Option<usize>,
    /// The address of a rule's page, with `{code}` in place of the code.
    pub rule_url: Option<String>,
    /// What is passed over in directories, as on the command line.
    pub exclude: Vec<String>,
    /// The same as in the configuration file, and its directory, from which paths count.
    pub exclude_below: (PathBuf, Vec<String>),
    /// Which computations must have a specification.
    pub require: Require,
    /// What `requires` and `inputs` take for a failure.
    pub failures: FailureOptions,
    /// Data files that `server` holds against programs.
    pub data: Vec<DataSettings>,
    /// How results are printed.
    pub format: Format,
    /// What makes the exit status.
    pub exit: ExitSettings,
    /// Sentences on commands of the configuration file that are not run.
    refused: Vec<String>,
    lines: Vec<Line>,
}

/// What findings make of the exit status.
#[derive(Clone, Copy, Debug)]
pub struct ExitSettings {
    /// Whether warnings count as errors.
    pub error_on_warning: bool,
    /// Whether nothing that is found counts.
    pub exit_zero: bool,
}

/// A key, its value in TOML, and where that comes from.
#[derive(Clone, Debug)]
struct Line {
    key: String,
    value: String,
    from: String,
}

impl Settings {
    /// Puts command line and configuration file together, for a run over these paths. An error is about the file.
    pub fn new(named: &[PathBuf], flags: Flags, file: Option<&ConfigFile>) -> anyhow::Result<Settings> {
        let nothing = Config::default();
        let config = file.map_or(&nothing, |file| &file.config);
        let directory = file.map(|file| file.directory.clone()).unwrap_or_default();
        let mut merge = Merge { file, lines: Vec::new(), refused: Vec::new() };

        let form = merge.choice("form", flags.form, &config.form, Form::Auto);
        let fixed_line_length = merge.fixed_line_length(flags.fixed_line_length, config);
        let roots = merge.roots(named, &flags, &directory);
        let include_directories = merge.include_directories(flags.include, config, &directory);
        let defines = merge.list("defines", flags.define, config.defines.clone(), |text| string(text));
        let excluded = merge.excluded(&flags.exclude, config)?;
        let require = merge.choice("require", flags.require, &config.require, Require::Nothing);
        let procedure = merge.choice("solver", flags.solver, &config.solver, Procedure::default());
        let paper = merge.switch("paper", flags.paper, &config.paper);
        let nontrivial = merge.switch("nontrivial", flags.nontrivial, &config.nontrivial);
        let fixed = merge.switch("fixed", flags.fixed, &config.fixed);
        let partial_dimensions =
            merge.switch("partial-dimensions", flags.partial_dimensions, &config.partial_dimensions);
        let marker = merge.choice("marker", flags.marker, &config.marker, Marker::Equals);
        let line_length = merge.line_length(&config.line_length);
        let rule_url = merge.rule_url(&config.rule_url);
        let format = merge.choice("format", flags.format, &config.format, Format::Full);
        let lists_reads = matches!(format, Format::Json | Format::Jsonl);
        let error_on_warning = merge.switch("error-on-warning", flags.error_on_warning, &config.error_on_warning);
        let failures = merge.failures(config)?;
        let data = merge.data(config, &directory);
        let mut levels = merge.levels(config, &directory)?;
        select(&mut levels, &flags.select, &flags.ignore)?;
        let forms = merge.forms(directory.clone(), &config.files, flags.allow_commands)?;

        let source = SourceOptions {
            form: form.choice(),
            fixed_line_length,
            forms,
            include_directories,
            defines,
            roots,
            files: Files::default(),
        };
        Ok(Settings {
            source,
            stencils: StencilOptions {
                paper,
                nontrivial,
                fixed,
                partial_dimensions,
                lists_reads,
                solver: procedure,
                rules: RULES,
                levels,
            },
            marker: marker.character(),
            line_length,
            rule_url,
            exclude: flags.exclude,
            exclude_below: (directory, excluded),
            require,
            failures,
            data,
            format,
            exit: ExitSettings { error_on_warning, exit_zero: flags.exit_zero },
            refused: merge.refused,
            lines: merge.lines,
        })
    }

    /// Says which commands of the configuration file are not run.
    pub fn tell_refused(&self, terminal: &mut Terminal) {
        self.refused.iter().for_each(|sentence| terminal.note(&format!("warning: {sentence}")));
    }

    /// What `infer` is asked.
    pub fn infer_options(&self) -> InferOptions {
        let narrowing = Narrowing::default();
        InferOptions { stencils: self.stencils.clone(), marker: self.marker, line_length: self.line_length, narrowing }
    }

    /// What `check` is asked.
    pub fn check_options(&self) -> CheckOptions {
        CheckOptions { stencils: self.stencils.clone(), require: self.require }
    }

    /// What `shapes` is asked.
    pub fn shape_options(&self) -> ShapeOptions {
        let StencilOptions { solver, rules, levels, .. } = self.stencils.clone();
        ShapeOptions { solver, possible: false, rules, levels }
    }

    /// What `requires` is asked.
    pub fn require_options(&self) -> RequireOptions {
        let StencilOptions { solver, rules, levels, .. } = self.stencils.clone();
        RequireOptions { solver, failures: self.failures.clone(), rules, levels }
    }

    /// What `inputs` is asked.
    pub fn input_options(&self) -> InputOptions {
        InputOptions { failures: self.failures.clone(), approximate: false }
    }

    /// All settings as a configuration file that says the same, with comments that tell where each comes from.
    pub fn show(&self) -> String {
        let settings: Vec<String> = self
            .lines
            .iter()
            .map(|line| if line.value.is_empty() { line.key.clone() } else { format!("{} = {}", line.key, line.value) })
            .collect();
        let width =
            settings.iter().map(|line| line.chars().count()).filter(|&width| width <= WIDEST).max().unwrap_or(0);
        let lines = settings.iter().zip(&self.lines);
        lines
            .map(|(setting, Line { from, .. })| match from.is_empty() {
                true => format!("{setting}\n"),
                false => format!("{setting:<width$}  # {from}\n"),
            })
            .collect()
    }
}

/// A merge under way.
struct Merge<'f> {
    file: Option<&'f ConfigFile>,
    lines: Vec<Line>,
    refused: Vec<String>,
}

impl Merge<'_> {
    fn write(&mut self, key: &str, value: String, from: String) {
        self.lines.push(Line { key: key.to_owned(), value, from });
    }

    fn place<T>(&self, placed: &Located<T>) -> String {
        self.file.map_or_else(String::new, |file| file.place(&placed.span))
    }

    fn error<T>(&self, placed: &Located<T>, message: &str) -> anyhow::Error {
        match self.file {
            Some(file) => file.error(&placed.span, message),
            None => anyhow::anyhow!("{message}"),
        }
    }

    /// A setting that has one value.
    fn one<T>(
        &mut self,
        key: &str,
        flag: Option<T>,
        file: Option<Located<T>>,
        default: T,
        text: impl Fn(&T) -> String,
    ) -> T {
        let (value, from) = match (flag, file) {
            (Some(value), _) => (value, "command line".to_owned()),
            (None, Some(placed)) => {
                let from = self.place(&placed);
                (placed.value, from)
            }
            (None, None) => (default, "default".to_owned()),
        };
        self.write(key, text(&value), from);
        value
    }

    fn choice<T: ValueEnum>(&mut self, key: &str, flag: Option<T>, file: &Option<Located<Choice<T>>>, default: T) -> T {
        let file = file.as_ref().map(|placed| placed.as_ref().map(|choice| choice.0.clone()));
        self.one(key, flag, file, default, |value| string(&name(value)))
    }

    fn switch(&mut self, key: &str, flag: bool, file: &Option<Located<bool>>) -> bool {
        self.one(key, flag.then_some(true), file.clone(), false, bool::to_string)
    }

    /// What counts as a failure; shown only if the file says it.
    fn failures(&mut self, config: &Config) -> anyhow::Result<FailureOptions> {
        let mut options = FailureOptions::default();
        if let Some(fatal) = &config.requires.fatal {
            for procedure in &fatal.value {
                let parsed = FatalProcedure::parse(&procedure.value);
                options.fatal.push(parsed.map_err(|message| self.error(procedure, &message))?);
            }
            let texts: Vec<String> = fatal.value.iter().map(|procedure| string(&procedure.value)).collect();
            self.write("requires.fatal", format!("[{}]", texts.join(", ")), self.place(fatal));
        }
        if let Some(stops) = &config.requires.stops {
            options.stop_text = stops.value.0 == Stops::Text;
            self.write("requires.stops", string(&name(&stops.value.0)), self.place(stops));
        }
        Ok(options)
    }

    /// Data files and the programs that read them; shown only if the file says it.
    fn data(&mut self, config: &Config, directory: &Path) -> Vec<DataSettings> {
        let mut found = Vec::new();
        for (typed, sources) in &config.inputs {
            let (name, path) = split(&typed.value);
            let below = |path: &Path| paths::resolved(&directory.join(path));
            let name = name.map(str::to_owned);
            found.push(DataSettings { name, path: below(Path::new(path)), sources: below(&sources.value) });
            let key = format!("inputs.{}", string(&typed.value));
            self.write(&key, string(&sources.value.display().to_string()), self.place(sources));
        }
        found
    }

    /// Where lines are broken is shown only if the file says it: there is no value for nowhere.
    fn line_length(&mut self, file: &Option<Located<NonZeroUsize>>) -> Option<usize> {
        let placed = file.as_ref()?;
        let from = self.place(placed);
        self.write("line-length", placed.value.to_string(), from);
        Some(placed.value.get())
    }

    /// The same for the address of rules.
    fn rule_url(&mut self, file: &Option<Located<RuleUrl>>) -> Option<String> {
        let placed = file.as_ref()?;
        let from = self.place(placed);
        self.write("rule-url", string(&placed.value.0), from);
        Some(placed.value.0.clone())
    }

    /// A list in which what was typed comes first, because the first that fits is taken.
    fn list<T: Clone>(
        &mut self,
        key: &str,
        flags: Vec<T>,
        file: Option<Located<Vec<T>>>,
        text: impl Fn(&T) -> String,
    ) -> Vec<T> {
        let mut from = Vec::new();
        if !flags.is_empty() {
            from.push("command line".to_owned());
        }
        from.extend(file.as_ref().map(|placed| self.place(placed)));
        if from.is_empty() {
            from.push("default".to_owned());
        }
        let all: Vec<T> = flags.into_iter().chain(file.map(|placed| placed.value).unwrap_or_default()).collect();
        let texts: Vec<String> = all.iter().map(text).collect();
        self.write(key, format!("[{}]", texts.join(", ")), from.join(" and "));
        all
    }

    fn fixed_line_length(&mut self, flag: Option<FixedLineLength>, config: &Config) -> FixedLineLength {
        let file = config.fixed_line_length.as_ref().map(|length| length.as_ref().map(|length| length.0));
        self.one("fixed-line-length", flag, file, FixedLineLength::Auto, line_length_text)
    }

    /// The directories of the file count from its own, and are shown from where we are.
    fn include_directories(&mut self, flags: Vec<PathBuf>, config: &Config, directory: &Path) -> Vec<PathBuf> {
        let here = std::env::current_dir().unwrap_or_default();
        let from_here = |path: &PathBuf| paths::below(&here, &directory.join(path));
        let file =
            config.include_paths.as_ref().map(|list| list.as_ref().map(|list| list.iter().map(from_here).collect()));
        self.list("include-paths", flags, file, |path| string(&paths::text(path)))
    }

    /// What was typed is the user's choice, and so is what a file says that was named. The file that lies with the
    /// sources may have come with them.
    fn roots(&self, named: &[PathBuf], flags: &Flags, directory: &Path) -> SourceRoots {
        let chosen =
            |file: &'_ &ConfigFile| file.config.include_paths.as_ref().is_some_and(|list| file.is_choice(&list.span));
        let of_file = self.file.filter(chosen).and_then(|file| file.config.include_paths.as_ref());
        let of_file = of_file.into_iter().flat_map(|list| list.value.iter().map(|path| directory.join(path)));
        SourceRoots::new(named, flags.include.iter().cloned().chain(of_file))
    }

    /// The globs of the file.
    fn excluded(&mut self, flags: &[String], config: &Config) -> anyhow::Result<Vec<String>> {
        let globs = config.exclude.iter().flat_map(|list| &list.value);
        globs.clone().try_for_each(|glob| self.check_glob(glob))?;
        let excluded: Vec<String> = globs.map(|glob| glob.value.clone()).collect();
        let file = config.exclude.as_ref().map(|list| list.as_ref().map(|_| excluded.clone()));
        self.list("exclude", flags.to_vec(), file, |text| string(text));
        Ok(excluded)
    }

    /// The severities of the rules that the file speaks of.
    fn levels(&mut self, config: &Config, directory: &Path) -> anyhow::Result<Levels> {
        let mut levels = Levels::default();
        self.rules(&config.rules)?.into_iter().for_each(|(rule, level)| levels.set(rule, level));
        for table in config.files.iter().filter(|table| !table.rules.is_empty()) {
            self.check_glob(&table.glob)?;
            let rules = self.rules(&table.rules)?;
            levels
                .set_in(directory, &table.glob.value, rules)
                .map_err(|error| self.error(&table.glob, &error.to_string()))?;
        }
        if !config.rules.is_empty() {
            self.write("\n[rules]", String::new(), String::new());
        }
        for (called, level) in &config.rules {
            let from = self.place(called);
            self.write(&string(&called.value), string(&name(&level.value.0)), from);
        }
        Ok(levels)
    }

    /// Rules with their levels.
    fn rules(&self, table: &RuleTable) -> anyhow::Result<BTreeMap<&'static Rule, Level>> {
        let mut rules = BTreeMap::new();
        for (called, level) in table {
            let Some(rule) = RULES.find(&called.value) else {
                return Err(self.error(called, &no_rule(&called.value)));
            };
            if rules.insert(rule, level.value.0).is_some() {
                return Err(self.error(called, &format!("rule {} ({}) is here twice", rule.code, rule.name)));
            }
        }
        Ok(rules)
    }

    /// The files that are read in another way.
    fn forms(&mut self, directory: PathBuf, tables: &[FilesTable], allowed: bool) -> anyhow::Result<FileForms> {
        let mut special = Vec::new();
        for table in tables {
            let FilesTable { glob, form, fixed_line_length, types, define, rules, preprocess } = table;
            self.check_glob(glob)?;
            let says_form = form.is_some() || fixed_line_length.is_some();
            if !says_form && types.is_none() && define.is_none() && rules.is_empty() && preprocess.is_none() {
                let message =
                    "this says nothing of the files: form, fixed-line-length, types, define, rules or preprocess";
                return Err(self.error(glob, message));
            }
            self.write("\n[[files]]", String::new(), String::new());
            let from = self.place(glob);
            self.write("glob", string(&glob.value), from);
            if let Some(form) = form {
                let from = self.place(form);
                self.write("form", string(&name(&form.value.0)), from);
            }
            if let Some(length) = fixed_line_length {
                let from = self.place(length);
                self.write("fixed-line-length", line_length_text(&length.value.0), from);
            }
            for (key, list) in [("types", types), ("define", define)] {
                if let Some(list) = list {
                    let texts: Vec<String> = list.value.iter().map(|text| string(text)).collect();
                    let from = self.place(list);
                    self.write(key, format!("[{}]", texts.join(", ")), from);
                }
            }
            if let Some((first, _)) = rules.first_key_value() {
                let text = |(called, level): (&Located<String>, &Located<Choice<Level>>)| {
                    format!("{} = {}", string(&called.value), string(&name(&level.value.0)))
                };
                let texts: Vec<String> = rules.iter().map(text).collect();
                let from = self.place(first);
                self.write("rules", format!("{{ {} }}", texts.join(", ")), from);
            }
            let expansion = preprocess.as_ref().map(|command| self.command(command, allowed)).transpose()?.flatten();
            let owned =
                |list: &Option<Located<Vec<String>>>| list.as_ref().map_or_else(Vec::new, |list| list.value.clone());
            special.push(SpecialFiles {
                types: owned(types),
                defines: owned(define),
                expansion,
                glob: glob.value.clone(),
                form: form.as_ref().map(|form| form.value.0.choice()),
                fixed_line_length: fixed_line_length.as_ref().map(|length| length.value.0),
            });
        }
        FileForms::new(directory, special)
            .map_err(|(number, error)| self.error(&tables[number].glob, &error.to_string()))
    }

    /// The command that expands files, if it may be run.
    fn command(&mut self, text: &Located<String>, allowed: bool) -> anyhow::Result<Option<ExpansionCommand>> {
        let may_run = allowed || self.file.is_some_and(|file| file.is_choice(&text.span));
        let Some(command) = ExpansionCommand::new(&text.value) else {
            return Err(self.error(text, "this is no command"));
        };
        let from = self.place(text);
        if !may_run {
            let refused = format!(
                "{from}: '{}' is not run, and its files are read as they stand: `--allow-commands` allows the commands \
                 of a configuration file that was found, and `--config` names one",
                text.value
            );
            self.refused.push(refused);
        }
        self.write("preprocess", string(&text.value), from);
        Ok(may_run.then_some(command))
    }

    fn check_glob(&self, glob: &Located<String>) -> anyhow::Result<()> {
        Glob::new(&glob.value).map(drop).map_err(|error| self.error(glob, &error.to_string()))
    }
}

/// What is said of a word that selects no rule.
fn no_rule(word: &str) -> String {
    let hint = match nearest(word, &RULES.words()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => "`camfort-rs explain` lists them".to_owned(),
    };
    format!("there is no rule '{word}'; {hint}")
}

/// Turns off all rules but those selected, if any are, and those that are ignored. A rule that is selected by its whole
/// code or name is on, whatever the configuration says.
fn select(levels: &mut Levels, selected: &[String], ignored: &[String]) -> anyhow::Result<()> {
    let rules = |option: &str, words: &[String]| -> anyhow::Result<Vec<&'static Rule>> {
        let mut rules = Vec::new();
        for word in words {
            let matching = RULES.select(word);
            ensure!(!matching.is_empty(), "--{option}: {}", no_rule(word));
            rules.extend(matching);
        }
        Ok(rules)
    };
    let (on, off) = (rules("select", selected)?, rules("ignore", ignored)?);
    selected.iter().filter_map(|word| RULES.find(word)).for_each(|rule| levels.turn_on(rule));
    let is_off = |rule: &&'static Rule| off.contains(rule) || (!selected.is_empty() && !on.contains(rule));
    RULES.rules().filter(is_off).for_each(|rule| levels.turn_off(rule));
    Ok(())
}

/// Text as a string of TOML.
fn string(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn line_length_text(length: &FixedLineLength) -> String {
    match length {
        FixedLineLength::Auto => string("auto"),
        FixedLineLength::Unlimited => string("none"),
        FixedLineLength::Columns(columns) => columns.to_string(),
    }
}
