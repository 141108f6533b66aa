//! What can be typed behind `camfort-rs survey`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::analysis::survey::render::SurveyFormat;
use crate::cli::arguments::{ExcludeArguments, SourceArguments};

/// Closes the help of `survey`.
pub const SURVEY_EXAMPLES: &str = "\
Examples:
  camfort-rs survey src/                           the tables of one package
  camfort-rs survey --packages --format json all/  those of each directory in all/, and their sum
  camfort-rs survey --partial a.jsonl src/         note each file when done; run again to go on
  camfort-rs survey merge a.jsonl b.jsonl          add up what was noted on several machines

Exit status: 0 done, 2 the run failed or a path could not be read.";

/// Arguments of `survey`.
#[derive(Args, Debug)]
pub struct SurveyArguments {
    /// What to do instead.
    #[command(subcommand)]
    pub command: Option<SurveyCommand>,
    /// Directories, each a package; files by themselves make the package of their directory
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Take each directory in a PATH as a package, not the PATH itself
    #[arg(long, help_heading = "Files")]
    pub packages: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub exclude: ExcludeArguments,
    /// Of the files of each package classify every N-th only, beginning with the K-th: the shares 1/N to N/N are the
    /// whole
    #[arg(long, value_name = "K/N", help_heading = "Files", value_parser = share)]
    pub share: Option<Share>,
    /// Note the result of each file in FILE when it is done, skip files that are noted there, and print what FILE holds
    /// at the end
    #[arg(long, value_name = "FILE")]
    pub partial: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub output: SurveyOutput,
    /// No progress, no notes
    #[arg(short, long)]
    pub quiet: bool,
    /// Number of threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub source: SourceArguments,
}

/// What `survey` can do instead.
#[derive(Subcommand, Debug)]
pub enum SurveyCommand {
    /// Add up partial results; the same file in two of them is counted once
    Merge(MergeArguments),
}

/// Arguments of `survey merge`.
#[derive(Args, Debug)]
pub struct MergeArguments {
    /// Partial results
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also write the sum as a partial result
    #[arg(long, value_name = "FILE")]
    pub partial: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub output: SurveyOutput,
}

/// How a study is printed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct SurveyOutput {
    /// How the tables are printed: as text, for programs, as lines for spreadsheets, as a page with charts and
    /// pictures; or `rows`: no tables but one line of CSV for each array computation (with the feature `parquet`,
    /// `parquet` writes the same as Apache Parquet)
    #[arg(
        long,
        value_enum,
        default_value = "full",
        hide_possible_values = true,
        value_name = "full|json|csv|html|rows"
    )]
    pub format: SurveyFormat,
    /// Write to FILE, not to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// With the format `full`, print the tables of each package too, not only those of the sum
    #[arg(long)]
    pub each: bool,
    /// With the format `full`, print a few lines for each package and the sum: the share that can be specified, the
    /// hypotheses, the most frequent shapes
    #[arg(long, conflicts_with = "each")]
    pub summary: bool,
}

/// A part of the files: those whose number leaves this remainder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Which part, from 0.
    pub number: usize,
    /// How many parts there are.
    pub of: usize,
}

/// Reads the value of `--share`; the error says what it should be.
fn share(text: &str) -> Result<Share, String> {
    let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse::<usize>().ok()?, of.parse().ok()?)));
    match numbers {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Share { number: number - 1, of }),
        _ => Err("two numbers such as 1/4".into()),
    }
}
