//! The settings of a server.

use std::path::PathBuf;

use crate::analysis::stencil::{AssistOptions, CheckOptions};
use crate::workspace::SourceOptions;

/// How files are read and analysed, and which files there are.
#[derive(Debug)]
pub struct ServerSettings {
    /// How files are read.
    pub source: SourceOptions,
    /// The files of the project, in order.
    pub paths: Vec<PathBuf>,
    /// What is asked of the analysis.
    pub assist: AssistOptions,
}

impl Default for ServerSettings {
    fn default() -> Self {
        let assist = AssistOptions { check: CheckOptions::default(), marker: '=', line_length: None };
        ServerSettings { source: SourceOptions::default(), paths: Vec::new(), assist }
    }
}

/// Reads the configuration for some folders and finds their files.
pub type LoadSettings<'l> = dyn Fn(&[PathBuf]) -> anyhow::Result<ServerSettings> + Sync + 'l;
