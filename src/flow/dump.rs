//! The flow of a unit as text, for `camfort-rs debug flow FILE`.

use std::fmt::Write;

use petgraph::graph::NodeIndex;

use super::position::FlowPosition;
use super::{InductionVariable, Reaching, UnitFlow};
use crate::names::Resolved;
use crate::syntax::{StatementId, Tree};

/// Blocks with their successors, loops with their induction variables, and the definitions that reach each use.
pub fn dump(tree: &Tree, resolved: &Resolved, flow: &UnitFlow) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_flow(&mut text, tree, resolved, flow);
    text
}

fn write_flow(text: &mut String, tree: &Tree, resolved: &Resolved, flow: &UnitFlow) -> std::fmt::Result {
    let line = |statement: StatementId| {
        let (_, start, _) = tree.source.texts.locate(tree.statements[statement].span);
        start.line
    };
    let at = |position: FlowPosition| line(flow.statements[position]);
    let name = |symbol| tree.names.text(resolved.symbol(symbol).name);
    for (index, block) in flow.control.blocks.iter().enumerate() {
        let mut next: Vec<usize> =
            flow.control.graph.neighbors(NodeIndex::new(index)).map(|node| node.index()).collect();
        next.sort_unstable();
        writeln!(text, "block {index}: lines {}-{} -> {next:?}", at(block.first), at(block.last))?;
    }
    for (index, of) in flow.loops.loops.iter().enumerate() {
        let step = |step: Option<i64>| step.map_or_else(|| "unknown".to_owned(), |step| step.to_string());
        let counted = |variable: &InductionVariable| format!("{} step {}", name(variable.symbol), step(variable.step));
        let variables: Vec<String> = of.variables.iter().map(counted).collect();
        let parent = of.parent.map_or(String::new(), |parent| format!(" in loop {parent:?}"));
        writeln!(text, "loop {index}: lines {}-{}{parent}: {}", line(of.header), line(of.last), variables.join(", "))?;
    }
    for (index, used) in flow.effects.uses.iter().enumerate() {
        let line = |reaching: Reaching| at(flow.effects.definitions[reaching.definition].position).to_string();
        let lines: Vec<String> = flow.reaching(index).into_iter().map(line).collect();
        let variable = name(flow.effects.variables.symbol(used.variable));
        writeln!(text, "use of {variable} in line {}: defined in lines [{}]", at(used.position), lines.join(", "))?;
    }
    Ok(())
}
