//! `camfort-rs man DIR`.

use std::fs;

use anyhow::Context;
use clap::CommandFactory;

use super::Exit;
use super::arguments::ManArguments;
use super::command::Arguments;

/// Writes a page for the program and one for each command.
pub fn run(arguments: &ManArguments) -> anyhow::Result<Exit> {
    let directory = &arguments.directory;
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), directory))
        .with_context(|| format!("the man pages can't be written to '{}'", directory.display()))?;
    Ok(Exit::Clean)
}
