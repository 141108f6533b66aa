//! The settings of a server.

use std::path::PathBuf;

use crate::analysis::inputs::InputOptions;
use crate::analysis::shapes::ShapeOptions;
use crate::analysis::stencil::{AssistOptions, CheckOptions, StencilOptions};
use crate::diagnostics::Levels;
use crate::workspace::SourceOptions;
use crate::workspace::discovery::Exclusions;

/// Stack of the threads that analyse: deeply nested expressions are parsed by recursion.
pub const STACK_BYTES: usize = 64 << 20;

/// How files are read and analysed, and which files there are.
#[derive(Debug)]
pub struct ServerSettings {
    /// How files are read.
    pub source: SourceOptions,
    /// The files of the project, in order.
    pub paths: Vec<PathBuf>,
    /// What is asked of the analysis.
    pub assist: AssistOptions,
    /// What is asked of that of shapes.
    pub shapes: ShapeOptions,
    /// What is asked of that of data files.
    pub inputs: InputOptions,
    /// Data files, and the programs that read them.
    pub data: Vec<DataSettings>,
    /// What a comparison needs; nothing is compared without it.
    pub guard: Option<GuardSettings>,
}

/// A data file that is held against a program.
#[derive(Clone, Debug)]
pub struct DataSettings {
    /// The unit or the name of the file in the program, if it is said.
    pub name: Option<String>,
    /// The data file.
    pub path: PathBuf,
    /// The sources of the program: a file, or a directory.
    pub sources: PathBuf,
}

/// What decides how a project is compared with an older one.
#[derive(Debug)]
pub struct GuardSettings {
    /// What is passed over in directories.
    pub exclusions: Exclusions,
    /// Whether to infer as the paper and CamFort do.
    pub paper: bool,
    /// The severities of rules.
    pub levels: Levels,
}

impl Default for ServerSettings {
    fn default() -> Self {
        let StencilOptions { solver, rules, levels, .. } = StencilOptions::default();
        let shapes = ShapeOptions { solver, possible: false, rules, levels };
        let assist = AssistOptions { check: CheckOptions::default(), marker: '=', line_length: None };
        ServerSettings {
            source: SourceOptions::default(),
            paths: Vec::new(),
            assist,
            shapes,
            inputs: InputOptions::default(),
            data: Vec::new(),
            guard: None,
        }
    }
}

/// Reads the configuration for some folders and finds their files.
pub type LoadSettings<'l> = dyn Fn(&[PathBuf]) -> anyhow::Result<ServerSettings> + Sync + 'l;
