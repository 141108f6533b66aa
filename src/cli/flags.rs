//! What the command line says, apart from what it means.

use std::path::PathBuf;

use super::arguments::{Form, Marker, SourceArguments};
use crate::analysis::stencil::check::Require;
use crate::diagnostics::Format;
use crate::solve::Procedure;
use crate::workspace::FixedLineLength;

/// What was typed that decides settings. A command leaves out what it has no option for.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the options of these names")]
pub struct Flags {
    pub form: Option<Form>,
    pub fixed_line_length: Option<FixedLineLength>,
    pub include: Vec<PathBuf>,
    pub define: Vec<String>,
    pub exclude: Vec<String>,
    pub require: Option<Require>,
    pub solver: Option<Procedure>,
    pub paper: bool,
    pub nontrivial: bool,
    pub fixed: bool,
    pub partial_dimensions: bool,
    pub marker: Option<Marker>,
    pub format: Option<Format>,
    pub error_on_warning: bool,
    pub exit_zero: bool,
    pub select: Vec<String>,
    pub ignore: Vec<String>,
    pub allow_commands: bool,
}

impl SourceArguments {
    /// What they say that a configuration file can say too.
    pub fn flags(&self) -> Flags {
        Flags {
            form: self.form,
            fixed_line_length: self.fixed_line_length,
            include: self.include.clone(),
            define: self.define.clone(),
            paper: self.paper,
            solver: self.solver,
            allow_commands: self.allow_commands,
            ..Flags::default()
        }
    }
}
