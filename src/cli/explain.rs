//! `camfort-rs explain CODE`.

use anyhow::bail;

use super::Exit;
use super::arguments::ExplainArguments;
use super::terminal::Terminal;
use crate::analysis::RULES;
use crate::diagnostics::explanation;

/// Prints one rule, all of them, or their list.
pub fn run(arguments: &ExplainArguments, terminal: &mut Terminal) -> anyhow::Result<Exit> {
    let text = match &arguments.code {
        Some(code) => match RULES.find(code) {
            Some(rule) => explanation::text(rule),
            None => bail!("there is no rule '{code}'; `camfort-rs explain` lists them"),
        },
        None if arguments.all => explanation::page(RULES),
        None => list(),
    };
    terminal.print(text.as_bytes())?;
    Ok(Exit::Clean)
}

fn list() -> String {
    RULES.rules().map(|rule| format!("{}  {:<7}  {}\n", rule.code, rule.level.name(), rule.name)).collect()
}
