//! `camfort-rs parse FILE` and `camfort-rs debug PHASE FILE`: what a phase makes of one file, as text.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;

use super::Exit;
use super::arguments::{DebugArguments, FileArguments, Phase};
use super::config;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::analysis::Session;
use crate::analysis::shapes::{self, Shapes};
use crate::analysis::stencil::computations;
use crate::syntax::print::{tree_text, unparse};
use crate::workspace::{Driver, Project, files};
use crate::{flow, procedures, source};

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
    let named = [path.to_path_buf()];
    let config = config::find(&named, &arguments.source.config)?;
    let settings = Settings::new(&named, arguments.source.flags(), config.as_ref())?;
    settings.tell_refused(terminal);
    let text = Driver::new(Some(1))?.install(|| dump(phase, path, bytes, settings));
    terminal.print(&text)?;
    Ok(Exit::Clean)
}

/// The text of a phase. Modules are those of this file only.
fn dump(phase: Phase, path: &Path, bytes: Vec<u8>, settings: Settings) -> Vec<u8> {
    let shape_options = settings.shape_options();
    let project = Project::load(&[path.to_path_buf()], settings.source);
    let view = project.view(path, bytes);
    let (tree, resolved) = (view.tree(), view.names());
    let text = match phase {
        Phase::Unparse => return unparse(tree),
        Phase::Statements => source::dump::dump(&tree.source),
        Phase::Tree => tree_text(tree),
        Phase::Names => resolved.dump(tree),
        Phase::Flow => {
            let units = flow::own_statements(tree).into_iter_enumerated();
            let text = units.map(|(unit, statements)| {
                let effects = procedures::effects(tree, resolved, &statements);
                let flow = flow::unit_flow(tree, resolved, unit, statements, effects);
                format!("{}\n{}", computations::unit_path(tree, unit), flow::dump(tree, resolved, &flow))
            });
            text.collect::<Vec<_>>().join("\n")
        }
        Phase::Computations => {
            let computations = computations::computations(
                tree,
                resolved,
                settings.stencils.paper,
                &BTreeSet::new(),
                &computations::NoLibrary,
            );
            computations::dump(tree, &computations)
        }
        Phase::Obligations => {
            let session = Session::<Shapes>::new(&project, shape_options);
            session.with(|_, context| shapes::dump(&view, &context.summaries, settings.stencils.solver))
        }
    };
    text.into_bytes()
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() != "-" {
        return files::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
