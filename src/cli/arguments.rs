//! What can be typed behind several commands, or behind one that has no more to say.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use clap_complete::Shell;

use crate::diagnostics::Format;
use crate::solve::Procedure;
use crate::source::prescan::FormChoice;
use crate::workspace::FixedLineLength;

/// What is read.
#[derive(Args, Debug)]
pub struct PathArguments {
    /// Files, or directories to search for Fortran files; `-` reads standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The name to use for standard input; its extension tells the source form
    #[arg(long, value_name = "NAME", help_heading = "Files")]
    pub stdin_filename: Option<PathBuf>,
    /// Print the files that would be read and do nothing else; standard error has what is skipped in directories
    #[arg(long, help_heading = "Files")]
    pub show_files: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub exclude: ExcludeArguments,
    /// Look for modules in these files only, not in the rest of the project: the nearest directory upward that holds
    /// `camfort.toml`, `fpm.toml` or `.git`
    #[arg(long, help_heading = "Files")]
    pub isolated: bool,
}

/// What is passed over.
#[derive(Args, Clone, Debug, Default)]
pub struct ExcludeArguments {
    /// Skip what matches in directories: a name (`*_old.f90`, `vendor`) or a path (`src/gen/**`); repeatable
    #[arg(long = "exclude", value_name = "GLOB", help_heading = "Files")]
    pub globs: Vec<String>,
}

impl PathArguments {
    /// Whether standard input is read; an error if other paths are named beside it, or a name is given to nothing.
    pub fn reads_stdin(&self) -> anyhow::Result<bool> {
        let from_stdin = self.paths.iter().any(|path| path.as_os_str() == "-");
        if from_stdin && self.paths.len() > 1 {
            bail!("'-' (standard input) can't be combined with other paths");
        }
        if self.stdin_filename.is_some() && !from_stdin {
            bail!("--stdin-filename needs the path '-' (standard input)");
        }
        Ok(from_stdin)
    }

    /// The paths, with its name in place of standard input.
    pub fn named(&self) -> Vec<PathBuf> {
        let name =
            |path: &PathBuf| if path.as_os_str() == "-" { self.stdin_name().to_path_buf() } else { path.clone() };
        self.paths.iter().map(name).collect()
    }

    /// The name of standard input.
    pub fn stdin_name(&self) -> &Path {
        self.stdin_filename.as_deref().unwrap_or(Path::new("standard-input"))
    }
}

/// How source is read.
#[derive(Args, Debug)]
#[command(next_help_heading = "Source")]
pub struct SourceArguments {
    /// The source form; `auto` tells it from the extension and the text [default: auto]
    #[arg(long, value_enum)]
    pub form: Option<Form>,
    /// Columns that count on a fixed-form line (72, 80, 132), or `none` for all; `auto` is 72, or 132 where 72 make no
    /// sense [default: auto]
    #[arg(long, value_name = "N|none|auto", value_parser = line_length)]
    pub fixed_line_length: Option<FixedLineLength>,
    /// Define a preprocessor macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Look for included files here too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Infer as the paper and CamFort do, to compare with them (`:` as offset 0, `mod(e, n)` as `e`, no shifts for
    /// earlier iterations)
    #[arg(long)]
    pub paper: bool,
    /// What compares code and specification: Z3, the native procedure, or both, where a disagreement is an error
    /// [default: z3]
    #[arg(long, value_enum, value_name = "z3|native|both", hide_possible_values = true)]
    pub solver: Option<Procedure>,
    /// Read this configuration file, not the `camfort.toml` or `fpm.toml` that is nearest above the paths; or take a
    /// setting as it would stand in one, such as `rules.S011 = "off"`; repeatable
    #[arg(long, value_name = "FILE|KEY=VALUE")]
    pub config: Vec<String>,
    /// Run the commands (`preprocess`) of a configuration file that was not named by `--config`
    #[arg(long)]
    pub allow_commands: bool,
}

/// The values of `--format`, as help shows them.
pub const FORMATS: &str = "full|concise|json|jsonl|sarif|github|gitlab|junit|rdjsonl";

/// What is printed and how.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// How results are printed: `full` and `concise` are for people, `json` and `jsonl` hold everything for programs,
    /// the others hold the findings for the services that show them beside the code [default: full]
    #[arg(long, value_enum, hide_possible_values = true, value_name = FORMATS)]
    pub format: Option<Format>,
    /// Close with the number of findings by rule (and, of `infer`, with the share of array computations of which all is
    /// said and the number of arrays without a specification by reason)
    #[arg(long)]
    pub statistics: bool,
    /// Colours in what is printed
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Only errors, no summary, no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Also findings of severity note, and the name of each file that is changed
    #[arg(short, long)]
    pub verbose: bool,
    /// Exit with status 1 for warnings too
    #[arg(long)]
    pub error_on_warning: bool,
    /// Exit with status 0 whatever is found; 2 still says that the run failed
    #[arg(long)]
    pub exit_zero: bool,
    /// Write to FILE, when the run is complete, what would go to standard output
    #[arg(long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
    /// Only findings of these rules: codes, names, or beginnings of codes (`S01`), with commas between them
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub select: Vec<String>,
    /// No findings of these rules; wins over --select
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Number of threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Print the settings that hold, as a configuration file, with where each comes from, and do nothing else
    #[arg(long)]
    pub show_settings: bool,
}

/// Values of `--form`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the values of the option")]
pub enum Form {
    Auto,
    Fixed,
    Free,
}

impl Form {
    /// What it asks of the prescanner.
    pub fn choice(self) -> FormChoice {
        match self {
            Form::Auto => FormChoice::Auto,
            Form::Fixed => FormChoice::Fixed,
            Form::Free => FormChoice::Free,
        }
    }
}

/// Which STOP with a text is a failure.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the values of the setting")]
pub enum Stops {
    Text,
    Conditional,
}

/// Values of `--marker`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the values of the option")]
pub enum Marker {
    #[value(name = "=")]
    Equals,
    #[value(name = "!")]
    Exclamation,
    #[value(name = ">")]
    Greater,
    #[value(name = "<")]
    Less,
}

impl Marker {
    /// The character.
    pub fn character(self) -> char {
        match self {
            Marker::Equals => '=',
            Marker::Exclamation => '!',
            Marker::Greater => '>',
            Marker::Less => '<',
        }
    }
}

/// Values of `--color`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the values of the option")]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// Reads the value of `--fixed-line-length`; the error says what it should be.
pub fn line_length(text: &str) -> Result<FixedLineLength, String> {
    match text {
        "auto" => Ok(FixedLineLength::Auto),
        "none" => Ok(FixedLineLength::Unlimited),
        _ => match text.parse() {
            Ok(columns) if columns > 6 => Ok(FixedLineLength::Columns(columns)),
            _ => Err("a number of columns above 6, none, or auto".into()),
        },
    }
}

/// Arguments of the commands that show one file.
#[derive(Args, Debug)]
pub struct FileArguments {
    /// The file; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub source: SourceArguments,
}

/// Arguments of `debug`.
#[derive(Args, Debug)]
pub struct DebugArguments {
    /// The phase
    #[arg(value_enum, value_name = "PHASE")]
    pub phase: Phase,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub file: FileArguments,
}

/// The phases that have a dump.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The logical statements: continuation lines joined, comments and labels apart, macros expanded
    Statements,
    /// The syntax tree
    Tree,
    /// The syntax tree as a Fortran program in free form, which gives an equal tree
    Unparse,
    /// Scopes and what each name means in them
    Names,
    /// The control-flow graph, loops and the definitions that reach each statement
    Flow,
    /// The array computations and how they read their arrays
    Computations,
    /// What statements demand of the shapes of arrays, and what becomes of that
    Obligations,
}

/// Arguments of `explain`.
#[derive(Args, Debug)]
pub struct ExplainArguments {
    /// The code of a rule, such as S010; without it, all rules are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
    /// Explain every rule (this is docs/rules.md)
    #[arg(long, conflicts_with = "code")]
    pub all: bool,
}

/// Arguments of `man`.
#[derive(Args, Debug)]
pub struct ManArguments {
    /// The directory, such as `~/.local/share/man/man1`; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// Arguments of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}
