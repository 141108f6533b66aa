//! Indices that are computed by a statement of their own: `ip = i - 1`, repaired there.

use std::collections::BTreeSet;

use super::change::{Change, Site, distances, moved_bound, slip_of};
use super::world::{ArrayId, Changed, JudgedStatement};
use crate::analysis::stencil::check::input::CheckInput;
use crate::analysis::stencil::check::notation;
use crate::analysis::stencil::computations::{ClassifiedRead, Coordinate};
use crate::flow::assignment_of;
use crate::source::Span;

/// The changes of the definitions of the scalars that are whole subscripts.
pub fn changes(input: CheckInput<'_>, judged: &JudgedStatement<'_>, arrays: &[ArrayId]) -> Vec<Change> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for read in arrays.iter().flat_map(|&array| judged.reads(array)).filter(|read| !read.is_plain) {
        names.extend((0..read.subscripts.len()).filter_map(|dimension| scalar(input, read, dimension)));
    }
    names.iter().flat_map(|name| of_name(input, judged, arrays, name)).collect()
}

/// The scalar that is all of a subscript which moves with a loop, in lower case.
fn scalar(input: CheckInput<'_>, read: &ClassifiedRead, dimension: usize) -> Option<String> {
    let is_relative = matches!(read.coordinates[dimension], Coordinate::Relative(..));
    let text = notation::compact(input.scopes.tree, read.subscripts[dimension].span).filter(|_| is_relative)?;
    let is_name = text.bytes().all(crate::source::is_name_byte) && !text.as_bytes().first()?.is_ascii_digit();
    is_name.then(|| text.to_ascii_lowercase())
}

fn of_name(input: CheckInput<'_>, judged: &JudgedStatement<'_>, arrays: &[ArrayId], name: &str) -> Vec<Change> {
    let Some(span) = definition(input, judged, name) else { return Vec::new() };
    let Some(text) = notation::compact(input.scopes.tree, span) else { return Vec::new() };
    let moved = |by: i64| {
        let mut changed = Changed::default();
        for &array in arrays {
            let mut reads = judged.reads(array).to_vec();
            let mut moves = false;
            for read in &mut reads {
                for dimension in 0..read.subscripts.len() {
                    if scalar(input, read, dimension).as_deref() == Some(name)
                        && let Coordinate::Relative(_, offset) = &mut read.coordinates[dimension]
                    {
                        *offset = offset.checked_add(by)?;
                        moves = true;
                    }
                }
            }
            if moves {
                changed.reads.insert(array, reads);
            }
        }
        let replacement = moved_bound(&text, by);
        Some(Change { slip: slip_of(by), site: Site::Definition, span, replacement, changed })
    };
    distances().filter_map(moved).collect()
}

/// The right side of the one assignment to a scalar in the unit of a computation; `None` if there are several, or none.
fn definition(input: CheckInput<'_>, judged: &JudgedStatement<'_>, name: &str) -> Option<Span> {
    let tree = input.scopes.tree;
    let name = tree.names.get(name)?;
    let mut found = tree.statements.iter_enumerated().filter_map(|(id, statement)| {
        let (target, value, _) = assignment_of(&statement.kind)?;
        let is_meant = target.as_name()?.name == name && tree.unit_of[id] == Some(judged.computation.unit);
        is_meant.then_some(value.span)
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
