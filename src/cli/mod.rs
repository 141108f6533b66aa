//! The command line: what was typed, what it means, and one file per command.
//!
//! [`run()`] is the entry point. Arguments pass two stages: `command` and `arguments` hold what can be typed, as clap
//! types, and each command turns its part into a plan (a plain struct with one `match`-able mode) before it does
//! anything. Commands write through `terminal::Terminal`, so that standard output carries results only, and give back
//! an [`Exit`].

mod arguments;
mod check;
mod choices;
mod command;
mod completions;
mod config;
mod config_keys;
#[cfg(test)]
mod config_tests;
mod config_values;
mod debug;
mod exit;
mod explain;
mod fixing;
mod flags;
mod guard;
mod infer;
mod inputs;
mod man;
mod narrowing;
mod process;
mod requires;
mod run;
mod server;
mod settings;
mod shapes;
mod survey;
mod terminal;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Parser;

use command::{Arguments, Command};
pub use exit::Exit;
use infer::InferArguments;
use terminal::Terminal;

/// Runs the program with its arguments, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let mut terminal = Terminal::new();
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return answer(&error, &mut terminal),
    };
    process::prepare();
    let ended = execute(arguments.command, &mut terminal);
    match ended.and_then(|exit| terminal.finish().map(|()| exit)) {
        Ok(exit) => exit,
        Err(error) => {
            terminal.note(&format!("error: {error:#}"));
            Exit::Failure
        }
    }
}

/// Prints what clap answers instead of arguments: help, the version, or what is wrong with what was typed.
fn answer(answer: &clap::Error, terminal: &mut Terminal) -> Exit {
    match answer.print().and_then(|()| io::stdout().flush()) {
        Ok(()) if answer.exit_code() == 0 => Exit::Clean,
        // A reader who closed the pipe doesn't want the rest.
        Err(error) if answer.exit_code() == 0 && error.kind() == io::ErrorKind::BrokenPipe => Exit::Clean,
        Ok(()) => Exit::Failure,
        Err(error) => {
            terminal.note(&format!("error: {error}"));
            Exit::Failure
        }
    }
}

/// What the commands give back: `Err` is for what stops the whole run.
fn execute(command: Command, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    match command {
        Command::Infer(arguments) | Command::StencilsSynth(arguments) => infer::run(&arguments, terminal),
        Command::StencilsInfer(arguments) => infer::run(&InferArguments { report: true, ..arguments }, terminal),
        Command::Check(arguments) | Command::StencilsCheck(arguments) => check::run(&arguments, terminal),
        Command::Guard(arguments) => guard::run(&arguments, terminal),
        Command::Shapes(arguments) => shapes::run(&arguments, terminal),
        Command::Requires(arguments) => requires::run(&arguments, terminal),
        Command::Inputs(arguments) => inputs::run(&arguments, terminal),
        Command::Survey(arguments) => survey::run(&arguments, terminal),
        Command::Server(arguments) => server::run(&arguments),
        Command::Parse(arguments) => debug::parse(&arguments, terminal),
        Command::Debug(arguments) => debug::run(&arguments, terminal),
        Command::Explain(arguments) => explain::run(&arguments, terminal),
        Command::Completions(arguments) => completions::run(&arguments, terminal),
        Command::Man(arguments) => man::run(&arguments),
    }
}
