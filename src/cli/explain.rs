//! `camfort-rs explain CODE`.

use anyhow::bail;

use super::Exit;
use super::arguments::ExplainArguments;
use super::terminal::Terminal;
use crate::diagnostics::{explanation, rules};

/// Prints one rule, all of them, or their list.
pub fn run(arguments: &ExplainArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let text = match &arguments.code {
        Some(code) => match rules::with_code(code) {
            Some(rule) => explanation::text(rule),
            None => bail!("there is no rule '{code}'; `camfort-rs explain` lists them"),
        },
        None if arguments.all => explanation::page(),
        None => list(),
    };
    terminal.print(text.as_bytes())?;
    Ok(Exit::Clean)
}

fn list() -> String {
    rules::ALL.iter().map(|rule| format!("{}  {:<7}  {}\n", rule.code, rule.severity.name(), rule.name)).collect()
}
