//! The configuration file: `camfort.toml`, or the table `[extra.camfort]` of an `fpm.toml`. docs/configuration.md is
//! its manual.
//!
//! [`find`] gives the one file that configures a run, read into a [`Config`]: what it says, each with its place. What
//! that means, together with the command line, is the matter of [`super::settings`].

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use serde::Deserialize;
use toml::de::DeTable;

use super::arguments::{Form, Marker, Stops};
use super::config_keys::{UnknownKey, unknown_keys};
use super::config_values::{Choice, LineLength, Located, RuleUrl, list};
use crate::analysis::RULES;
use crate::analysis::stencil::check::Require;
use crate::diagnostics::{Format, Level, paths};
use crate::solve::Procedure;
use crate::source::SourceTexts;
use crate::workspace::{discovery, files};

/// The file that is a configuration by its name.
const OWN_NAME: &str = "camfort.toml";
/// The manifest of the Fortran package manager, which has room for other tools.
const MANIFEST_NAME: &str = "fpm.toml";

/// Severities of rules, by code or name.
pub type RuleTable = BTreeMap<Located<String>, Located<Choice<Level>>>;

/// What a configuration file says. Paths and globs count from its directory.
#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "camfort.toml"))]
pub struct Config {
    /// The source form; `auto` tells it from the extension and the text.
    pub form: Option<Located<Choice<Form>>>,
    /// Columns that count on a fixed-form line; `auto` is 72, or 132 where 72 make no sense.
    pub fixed_line_length: Option<Located<LineLength>>,
    /// Files for which form or line length are others; of several that match a file, the last wins.
    pub files: Vec<FilesTable>,
    /// Directories where included files are looked for too.
    #[serde(deserialize_with = "list")]
    pub include_paths: Option<Located<Vec<PathBuf>>>,
    /// Preprocessor macros that are defined, as `NAME` or `NAME=VALUE`.
    #[serde(deserialize_with = "list")]
    pub defines: Option<Located<Vec<String>>>,
    /// What is passed over in directories: the name of files or directories at any depth, or a path.
    #[serde(deserialize_with = "list")]
    pub exclude: Option<Located<Vec<Located<String>>>>,
    /// The severity of rules, by code or name.
    #[cfg_attr(test, schemars(schema_with = "super::config_tests::rules_schema"))]
    pub rules: RuleTable,
    /// Which computations `check` wants a specification for.
    pub require: Option<Located<Choice<Require>>>,
    /// What decides whether code and specification agree.
    pub solver: Option<Located<Choice<Procedure>>>,
    /// Whether to infer as the paper and CamFort do.
    pub paper: Option<Located<bool>>,
    /// Whether `infer` leaves out specifications that say no more than `pointed`.
    pub nontrivial: Option<Located<bool>>,
    /// Whether `infer` says fixed indices also where every read of an array has one.
    pub fixed: Option<Located<bool>>,
    /// Whether `infer` says what is read at most where the index of one dimension is not known.
    pub partial_dimensions: Option<Located<bool>>,
    /// The character behind the comment sign of inserted specifications.
    pub marker: Option<Located<Choice<Marker>>>,
    /// Characters of a comment line that `infer` inserts up to which it is not broken; by default none is.
    pub line_length: Option<Located<NonZeroUsize>>,
    /// The address of the page of a rule, with `{code}` in place of its code: terminals make a link of the code.
    #[cfg_attr(test, schemars(with = "Option<String>", regex(pattern = r"^(https?|file)://[!-~]*\{code\}[!-~]*$")))]
    pub rule_url: Option<Located<RuleUrl>>,
    /// How results are printed.
    pub format: Option<Located<Choice<Format>>>,
    /// Whether warnings count as errors in the exit status.
    pub error_on_warning: Option<Located<bool>>,
    /// What `requires` and `inputs` take for a failure.
    pub requires: RequiresTable,
    /// Data files that `server` holds against programs: each as `inputs --check` takes it, with a file or directory of
    /// the sources of the program that reads it.
    pub inputs: DataTable,
}

/// Sources of programs, by the data files that these read.
pub type DataTable = BTreeMap<Located<String>, Located<PathBuf>>;

/// What ends the program with a failure.
#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RequiresTable {
    /// Procedures that end the program: a name, or a name with the value of an argument for which they do so,
    /// `mom_error(level = FATAL)`.
    #[serde(deserialize_with = "list")]
    pub fatal: Option<Located<Vec<Located<String>>>>,
    /// Which STOP with a text is a failure: each (`text`), or one that is reached under a condition.
    pub stops: Option<Located<Choice<Stops>>>,
}

impl RequiresTable {
    fn or(self, other: RequiresTable) -> RequiresTable {
        RequiresTable { fatal: self.fatal.or(other.fatal), stops: self.stops.or(other.stops) }
    }
}

/// Files that are read in another way.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FilesTable {
    /// The files: without a slash the name of a file at any depth, with one a path.
    pub glob: Located<String>,
    /// Their source form.
    pub form: Option<Located<Choice<Form>>>,
    /// Their line length.
    pub fixed_line_length: Option<Located<LineLength>>,
    /// Undefined macros that stand for types in them.
    #[serde(default, deserialize_with = "list")]
    pub types: Option<Located<Vec<String>>>,
    /// Preprocessor macros that are defined in them too, as `NAME` or `NAME=VALUE`.
    #[serde(default, deserialize_with = "list")]
    pub define: Option<Located<Vec<String>>>,
    /// The severity of rules in them, by code or name.
    #[serde(default)]
    #[cfg_attr(test, schemars(schema_with = "super::config_tests::rules_schema"))]
    pub rules: RuleTable,
    /// A command that expands their text before it is read, from standard input to standard output, with line markers;
    /// it is run only if that is allowed on the command line, or the file is named there.
    pub preprocess: Option<Located<String>>,
}

/// The part of an `fpm.toml` that is ours; the rest is not looked at.
#[derive(Deserialize)]
struct Manifest {
    extra: Option<Extra>,
}

#[derive(Deserialize)]
struct Extra {
    camfort: Option<Config>,
}

/// A configuration file that was read.
#[derive(Debug)]
pub struct ConfigFile {
    /// The directory from which its paths count, from the root directory on.
    pub directory: PathBuf,
    /// What it says.
    pub config: Config,
    /// Whether it was named, and not only found above the paths: then what it says is the user's choice.
    pub is_named: bool,
    /// The file, by which it is named.
    texts: SourceTexts,
    /// What was typed of it, each with the place at which it stands behind the file.
    typed: Vec<(usize, String)>,
}

impl ConfigFile {
    /// Whether something in it is the choice of the user, and not only found above the paths.
    pub fn is_choice(&self, span: &Range<usize>) -> bool {
        self.is_named || self.typed_at(span).is_some()
    }

    /// What was typed that holds a place.
    fn typed_at(&self, span: &Range<usize>) -> Option<&str> {
        let typed = self.typed.iter().rev().find(|(start, _)| *start <= span.start);
        typed.map(|(_, text)| text.as_str())
    }

    /// The place of something in it, for the reader of a list: `camfort.toml:3`.
    pub fn place(&self, span: &Range<usize>) -> String {
        if self.typed_at(span).is_some() {
            return "command line".to_owned();
        }
        let file = self.texts.root();
        format!("{}:{}", file.path.display(), file.line_column(span.start as u32).line)
    }

    /// An error at a place.
    pub fn error(&self, span: &Range<usize>, message: &str) -> anyhow::Error {
        match self.typed_at(span) {
            Some(typed) => anyhow!("--config '{typed}': {message}"),
            None => error_at(&self.texts, Some(span.clone()), message),
        }
    }

    /// The same with a setting that was typed, which wins.
    fn with_typed(mut self, setting: &str) -> anyhow::Result<Self> {
        let last = self.typed.last().map(|(start, text)| start + text.len());
        let start = last.unwrap_or(self.texts.root().bytes.len()) + 1;
        self.typed.push((start, setting.to_owned()));
        // So that its places are behind those of the file.
        let text = format!("{}{setting}", " ".repeat(start));
        let wrong = |error: toml::de::Error| self.error(&(start..start), &message_of(&error));
        let root = DeTable::parse(&text).map_err(wrong)?;
        if let Some(UnknownKey { span, message }) = first_unknown_key(root.get_ref()) {
            return Err(self.error(&span, &message));
        }
        let typed: Config = toml::from_str(&text).map_err(wrong)?;
        self.config = typed.or(std::mem::take(&mut self.config));
        Ok(self)
    }
}

impl Config {
    /// What this says, and where it says nothing, the other. Of `[[files]]` both hold, this one behind the other.
    fn or(self, other: Config) -> Config {
        let is_here = |called: &Located<String>| {
            let rule = RULES.find(&called.value);
            rule.is_some() && self.rules.keys().any(|own| RULES.find(&own.value) == rule)
        };
        let mut rules: RuleTable = other.rules.into_iter().filter(|(called, _)| !is_here(called)).collect();
        rules.extend(self.rules);
        let mut inputs = other.inputs;
        self.inputs.into_iter().for_each(|(data, sources)| {
            inputs.retain(|known, _| known.value != data.value);
            inputs.insert(data, sources);
        });
        Config {
            form: self.form.or(other.form),
            fixed_line_length: self.fixed_line_length.or(other.fixed_line_length),
            files: other.files.into_iter().chain(self.files).collect(),
            include_paths: self.include_paths.or(other.include_paths),
            defines: self.defines.or(other.defines),
            exclude: self.exclude.or(other.exclude),
            rules,
            require: self.require.or(other.require),
            solver: self.solver.or(other.solver),
            paper: self.paper.or(other.paper),
            nontrivial: self.nontrivial.or(other.nontrivial),
            fixed: self.fixed.or(other.fixed),
            partial_dimensions: self.partial_dimensions.or(other.partial_dimensions),
            marker: self.marker.or(other.marker),
            line_length: self.line_length.or(other.line_length),
            rule_url: self.rule_url.or(other.rule_url),
            format: self.format.or(other.format),
            error_on_warning: self.error_on_warning.or(other.error_on_warning),
            requires: self.requires.or(other.requires),
            inputs,
        }
    }
}

/// What is wrong, on one line.
fn message_of(error: &toml::de::Error) -> String {
    error.message().replace('`', "'").replace('\n', "; ")
}

fn error_at(texts: &SourceTexts, span: Option<Range<usize>>, message: &str) -> anyhow::Error {
    let file = texts.root();
    let at = file.line_column(span.map_or(0, |span| span.start as u32));
    anyhow!("{}:{}:{}: {message}", file.path.display(), at.line, at.column)
}

/// The configuration of a run over these paths: the file that was named; or the one that is nearest above each path, if
/// that is the same one for all that have any; or none. On top of it are the settings that were typed: what has a `=`
/// in it and is no file.
pub fn find(paths: &[PathBuf], named: &[String]) -> anyhow::Result<Option<ConfigFile>> {
    let is_setting = |text: &&String| text.contains('=') && !Path::new(text).is_file();
    let (settings, files): (Vec<&String>, Vec<&String>) = named.iter().partition(is_setting);
    let file = match files[..] {
        [] => find_file(paths, None)?,
        [file] => find_file(paths, Some(Path::new(file)))?,
        [..] => bail!("--config names more than one file"),
    };
    if settings.is_empty() {
        return Ok(file);
    }
    let nothing = || {
        let (directory, texts) = (paths::resolved(Path::new(".")), SourceTexts::new("--config", Vec::new()));
        ConfigFile { directory, config: Config::default(), is_named: false, texts, typed: Vec::new() }
    };
    settings.into_iter().try_fold(file.unwrap_or_else(nothing), |file, text| file.with_typed(text)).map(Some)
}

/// The configuration file.
fn find_file(paths: &[PathBuf], named: Option<&Path>) -> anyhow::Result<Option<ConfigFile>> {
    if let Some(path) = named {
        let is_manifest = path.file_name().is_some_and(|name| name == MANIFEST_NAME);
        let Some(file) = read(path, files::read_named(path), is_manifest)? else {
            bail!("'{}' has no table [extra.camfort]", path.display());
        };
        return Ok(Some(ConfigFile { is_named: true, ..file }));
    }
    let starts: BTreeSet<PathBuf> = paths.iter().map(|path| directory_of(path)).collect();
    let mut found: Option<(PathBuf, ConfigFile)> = None;
    for start in starts {
        match (above(&start)?, &found) {
            (None, _) => {}
            (Some(file), None) => found = Some((start, file)),
            (Some(file), Some((_, first))) if file.directory == first.directory => {}
            (Some(file), Some((other, first))) => bail!(
                "'{}' is configured by '{}' and '{}' by '{}', but a run has one configuration: name it with --config",
                shown(other).display(),
                first.texts.root().path.display(),
                shown(&start).display(),
                file.texts.root().path.display(),
            ),
        }
    }
    Ok(found.map(|(_, file)| file))
}

/// Where the search for the configuration of a path begins.
fn directory_of(path: &Path) -> PathBuf {
    let path = paths::resolved(path);
    match path.parent() {
        Some(parent) if !path.is_dir() => parent.to_path_buf(),
        _ => path,
    }
}

/// The nearest configuration in a directory or above it.
fn above(directory: &Path) -> anyhow::Result<Option<ConfigFile>> {
    for directory in directory.ancestors() {
        let (own, manifest) = (directory.join(OWN_NAME), directory.join(MANIFEST_NAME));
        if let Some(file) = [&own, &manifest].into_iter().find(|file| leads_out(file)) {
            bail!(
                "'{}' is a symbolic link that leads out of its directory: name it with --config",
                shown(file).display()
            );
        }
        // What bears our name is meant as ours, and an error if it is no file.
        let of_own = if own.symlink_metadata().is_ok() { read(&own, files::read(&own), false)? } else { None };
        let of_manifest = if manifest.is_file() { read(&manifest, files::read(&manifest), true)? } else { None };
        match (of_own, of_manifest) {
            (Some(_), Some(_)) => bail!(
                "'{}' and the table [extra.camfort] of '{}' configure one directory: keep one of them",
                shown(&own).display(),
                shown(&manifest).display(),
            ),
            (Some(file), None) | (None, Some(file)) => return Ok(Some(file)),
            (None, None) => {}
        }
    }
    Ok(None)
}

/// Whether a file is a symbolic link to one that lies not below its directory: messages would quote that.
fn leads_out(file: &Path) -> bool {
    let Some(directory) = file.parent().and_then(|directory| directory.canonicalize().ok()) else { return false };
    file.is_symlink() && file.canonicalize().is_ok_and(|real| real.is_file() && !real.starts_with(directory))
}

/// The path as messages show it.
fn shown(path: &Path) -> PathBuf {
    match paths::below(&std::env::current_dir().unwrap_or_default(), path) {
        here if here.as_os_str().is_empty() => PathBuf::from("."),
        path => path,
    }
}

/// Reads the bytes of a file; `None` is a manifest that says nothing for us.
fn read(path: &Path, bytes: io::Result<Vec<u8>>, is_manifest: bool) -> anyhow::Result<Option<ConfigFile>> {
    let name = shown(path);
    let bytes = bytes.map_err(|error| anyhow!("'{}' can't be read: {}", name.display(), discovery::reason(&error)))?;
    // The manifest of a package that doesn't use us may be as wrong as it likes.
    if is_manifest && memchr::memmem::find(&bytes, b"camfort").is_none() {
        return Ok(None);
    }
    let texts = SourceTexts::new(name, bytes);
    let text = std::str::from_utf8(&texts.root().bytes)
        .map_err(|error| error_at(&texts, Some(error.valid_up_to()..error.valid_up_to()), "this is not UTF-8"))?;
    let wrong = |error: toml::de::Error| error_at(&texts, error.span(), &message_of(&error));
    let root = DeTable::parse(text).map_err(wrong)?;
    let extra = || root.get_ref().get("extra")?.get_ref().as_table()?.get("camfort")?.get_ref().as_table();
    let ours = if is_manifest { extra() } else { Some(root.get_ref()) };
    if let Some(UnknownKey { span, message }) = ours.and_then(first_unknown_key) {
        return Err(error_at(&texts, Some(span), &message));
    }
    let config = match is_manifest {
        true => toml::from_str(text).map(|manifest: Manifest| manifest.extra.and_then(|extra| extra.camfort)),
        false => toml::from_str(text).map(Some),
    };
    let config = config.map_err(wrong)?;
    let directory = paths::resolved(path).parent().map(Path::to_path_buf).unwrap_or_default();
    Ok(config.map(|config| ConfigFile { directory, config, is_named: false, texts, typed: Vec::new() }))
}

/// The first key of a configuration that means nothing.
fn first_unknown_key(config: &DeTable<'_>) -> Option<UnknownKey> {
    let files = config.get("files").and_then(|files| files.get_ref().as_array());
    let tables = files.into_iter().flatten().filter_map(|table| table.get_ref().as_table());
    let in_files = tables.flat_map(unknown_keys::<FilesTable>);
    let requires = config.get("requires").and_then(|requires| requires.get_ref().as_table());
    let in_requires = requires.into_iter().flat_map(unknown_keys::<RequiresTable>);
    unknown_keys::<Config>(config)
        .into_iter()
        .chain(in_files)
        .chain(in_requires)
        .min_by_key(|unknown| unknown.span.start)
}
