//! How files are read.

use std::path::PathBuf;

use super::files::Files;
use super::forms::{FileForms, FixedLineLength};
use super::roots::SourceRoots;
use crate::source::prescan::FormChoice;

/// How files are read.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// The source form; [`FormChoice::Auto`] tells it from extension and content.
    pub form: FormChoice,
    /// Columns of a fixed-form line that count.
    pub fixed_line_length: FixedLineLength,
    /// The files for which one of these two is another.
    pub forms: FileForms,
    /// Where INCLUDE lines and `#include` look, after the directory of the including file.
    pub include_directories: Vec<PathBuf>,
    /// Preprocessor macros that are defined from the start, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Where included files may lie.
    pub roots: SourceRoots,
    /// Where the bytes of files come from.
    pub files: Files,
}
