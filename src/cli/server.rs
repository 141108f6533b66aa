//! `camfort-rs server`: the settings of the language server, and its streams.

use std::path::{Path, PathBuf};

use clap::Args;
use lsp_server::Connection;

use super::Exit;
use super::arguments::{ExcludeArguments, SourceArguments};
use super::config;
use super::flags::Flags;
use super::settings::Settings;
use crate::analysis::stencil::{AssistOptions, StencilOptions};
use crate::server::{self, GuardSettings, ServerSettings};
use crate::workspace::Driver;
use crate::workspace::discovery::{self, Exclusions};

/// Arguments of `server`.
#[derive(Args, Debug)]
pub struct ServerArguments {
    /// Speak over standard input and output, as is done anyway (editors like to say so)
    #[arg(long, hide = true)]
    pub stdio: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub exclude: ExcludeArguments,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at its type")]
    pub source: SourceArguments,
}

/// Serves an editor until it says good-bye.
pub fn run(arguments: &ServerArguments) -> anyhow::Result<Exit> {
    let driver = Driver::new(None)?;
    let (connection, threads) = Connection::stdio();
    let ended = server::serve(&connection, driver, &|roots| load(arguments, roots));
    // The thread that writes ends when nobody can send any more.
    drop(connection);
    let written = threads.join();
    ended?;
    written?;
    Ok(Exit::Clean)
}

/// The settings for some folders, and their files.
fn load(arguments: &ServerArguments, roots: &[PathBuf]) -> anyhow::Result<ServerSettings> {
    let here = [PathBuf::from(".")];
    let named = if roots.is_empty() { &here[..] } else { roots };
    let config = config::find(named, &arguments.source.config)?;
    let flags = Flags { exclude: arguments.exclude.globs.clone(), ..arguments.source.flags() };
    let settings = Settings::new(named, flags, config.as_ref())?;
    let source = settings.source.clone();
    let exclusions = Exclusions::new(&settings.exclude, &settings.exclude_below, None::<&Path>, source.roots.clone())?;
    // Without a folder only what is open is looked at.
    let paths = discovery::find(roots, &exclusions).files;
    let assist =
        AssistOptions { check: settings.check_options(), marker: settings.marker, line_length: settings.line_length };
    let (shapes, inputs) = (settings.shape_options(), settings.input_options());
    let StencilOptions { paper, levels, .. } = settings.stencils;
    let data = settings.data.clone();
    let guard = Some(GuardSettings { exclusions, paper, levels });
    Ok(ServerSettings { source, paths, assist, shapes, inputs, data, guard })
}
