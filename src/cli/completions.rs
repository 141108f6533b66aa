//! `camfort-rs completions SHELL`.

use clap::CommandFactory;

use super::Exit;
use super::arguments::CompletionsArguments;
use super::command::Arguments;
use super::terminal::Terminal;

/// Prints the completion script.
pub fn run(arguments: &CompletionsArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "camfort-rs", &mut script);
    terminal.print(&script)?;
    Ok(Exit::Clean)
}
