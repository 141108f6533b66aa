//! Conditional jumps forward: with them old code selects what stands between.

use rustc_hash::FxHashMap;

use crate::flow::UnitFlow;
use crate::syntax::{StatementId, StatementKind, Tree};

/// A conditional jump over what stands between two statements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// The statement that jumps.
    pub from: StatementId,
    /// Where it leads.
    pub to: StatementId,
}

/// Those of a unit.
pub(super) fn jumps(tree: &Tree, flow: &UnitFlow) -> Vec<Jump> {
    let labelled = flow.statements.iter().filter_map(|&id| Some((tree.statements[id].label?, id)));
    let targets: FxHashMap<u32, StatementId> = labelled.collect();
    let mut found = Vec::new();
    for &from in &flow.statements {
        let labels: &[u32] = match &tree.statements[from].kind {
            StatementKind::If { action, .. } => match &action.kind {
                StatementKind::GoTo(label) => std::slice::from_ref(label),
                _ => &[],
            },
            StatementKind::ArithmeticIf(_, labels) => labels,
            StatementKind::ComputedGoTo(labels, _) => labels,
            _ => &[],
        };
        let targets = labels.iter().filter_map(|label| targets.get(label));
        found.extend(targets.filter(|&&to| from < to).map(|&to| Jump { from, to }));
    }
    found
}
