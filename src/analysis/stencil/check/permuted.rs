//! Reads in another order of the loop variables than the rest of their statement (S023).

use std::collections::BTreeSet;

use super::attributed::AttributedFinding;
use super::input::CheckInput;
use crate::analysis::stencil::attach::finding;
use crate::analysis::stencil::computations::{ArrayAccess, Computation, RelativeRead};
use crate::analysis::stencil::rules;
use crate::diagnostics::{Location, Mark};
use crate::region::{Direction, Place};
use crate::syntax::StatementId;

/// S023 for every computation of a file. `told_along`: the arrays of which a specification says `along`, by statement
/// and name in lower case.
pub fn findings(input: CheckInput<'_>, told_along: &BTreeSet<(StatementId, String)>) -> Vec<AttributedFinding> {
    let of_computation = |computation| permuted(computation).map(move |access| (computation, access));
    let all = input.computations.iter().filter(|computation| computation.is_root).flat_map(of_computation);
    let is_told = |computation: &Computation, access: &ArrayAccess| {
        told_along.contains(&(computation.statement, access.spelling.to_ascii_lowercase()))
    };
    all.filter(|(computation, access)| !is_told(computation, access))
        .map(|(computation, access)| permuted_finding(input, computation, access))
        .collect()
}

fn permuted_finding(input: CheckInput<'_>, computation: &Computation, access: &ArrayAccess) -> AttributedFinding {
    let tree = input.scopes.tree;
    let name = &access.spelling;
    let message = format!("'{name}' is read with the loop variables in another order than the left side and others");
    let span = tree.statements[computation.statement].span;
    let mut found = finding(tree, &rules::PERMUTED_SUBSCRIPTS, span, message);
    let read = access.reads.iter().find(|read| read.statement == computation.statement);
    found.marks.extend(read.map(|read| Mark {
        location: Location::of(&tree.source.texts, read.span),
        label: "in another order".to_owned(),
        is_primary: true,
    }));
    found.remark(format!(
        "If that is meant, a specification of '{name}' that says 'along' tells so (camfort-rs infer writes it)"
    ));
    AttributedFinding::at_statement(found, computation.statement, [])
}

/// The arrays that are read in the statement itself, without offsets, in another order of the loop variables than on
/// the left; if another array, which is not on the left, is read in that order.
fn permuted(computation: &Computation) -> impl Iterator<Item = &ArrayAccess> {
    let left = &computation.left;
    let relative = left.subscripts.iter().zip(1..).filter_map(|(axis, dimension)| axis.map(|_| dimension));
    let order: Vec<usize> = relative.collect();
    // A variable in two places has no order.
    let has_order = order.len() > 1 && left.axes.len() == order.len();
    let described = || computation.arrays.iter().filter_map(|array| array.as_ref().ok()).filter(move |_| has_order);
    let is_in_order = |access: &&ArrayAccess| {
        let orders = orders(computation, access);
        orders.iter().any(|one| one.as_deref() == Some(&order)) && left.array.as_ref() != Some(&access.array)
    };
    let any_in_order = described().any(|access| is_in_order(&access));
    let is_permuted = move |access: &&ArrayAccess| {
        let orders = orders(computation, access);
        let is_other = |one: &Option<Vec<usize>>| {
            one.as_ref().is_some_and(|one| {
                let mut sorted = one.clone();
                sorted.sort_unstable();
                sorted == order && *one != order
            })
        };
        any_in_order && !orders.is_empty() && orders.iter().all(is_other)
    };
    described().filter(is_permuted)
}

/// For each read of an array in the statement itself, the dimensions of the left side that its subscripts follow; none
/// where one has an offset or follows none.
fn orders(computation: &Computation, access: &ArrayAccess) -> Vec<Option<Vec<usize>>> {
    let followed = |(dimension, code): (usize, &Option<i64>)| match Place::of((*code)?) {
        Place::Offset(Direction::Usual, 0) => access.usual.get(dimension).copied().flatten(),
        Place::Offset(Direction::Along(of), 0) => Some(of),
        _ => None,
    };
    let order = |read: &RelativeRead| read.offsets.iter().enumerate().map(followed).collect();
    access.reads.iter().filter(|read| read.statement == computation.statement).map(order).collect()
}
