//! Repair hints: which one change of the source makes all of a statement conform.
//!
//! The bugs that a specification exists to catch are one wrong sign, a distance off by one, the wrong loop variable,
//! two swapped indices, another fixed index, the name of another array, on the right side, in what flows to it, or on
//! the left. So these are undone, one at a time; a change after which everything holds that is specified of the
//! statement is a hint. It is no verdict, and decided by the native procedure. Of several such changes the likeliest
//! are told, and of more than a few equally likely ones none: no hint is better than a wrong one.

mod change;
mod definition;
mod order;
mod world;

use std::collections::BTreeSet;

use super::input::CheckInput;
use super::notation;
use crate::analysis::stencil::computations::{Axis, Coordinate};
use crate::diagnostics::{Finding, Location, Note, Suggestion};
use crate::source::Span;

use change::{Change, Slip};
use order::Disorder;
use world::{ArrayId, conforms};

pub use world::{JudgedGroup, JudgedStatement};

/// Equally likely changes that are told together.
const MOST_TOLD: usize = 3;
/// Reads beyond which no change is tried: the time grows with their square.
const MOST_READS: usize = 200;

/// Adds the likeliest change to the findings of a statement, if there is one that clears them all.
pub fn add(input: CheckInput<'_>, judged: &JudgedStatement<'_>, findings: &mut [&mut Finding]) {
    let told = likeliest(input, judged);
    let texts = &input.scopes.tree.source.texts;
    for finding in findings {
        let mut ways: Vec<String> = Vec::new();
        for change in &told {
            let location = Location::of(texts, change.span);
            let is_here = location.start.line == finding.location.start.line && location.path == finding.location.path;
            let place = if is_here { String::new() } else { format!(" in line {}", location.start.line) };
            let Some(now) = notation::compact(input.scopes.tree, change.span) else { continue };
            let way = format!("'{now}'{place} is made '{}'", change.replacement);
            // Of two references that are the same either may be the one.
            if !ways.contains(&way) {
                ways.push(way);
            }
            finding.suggestions.push(Suggestion { location, replacement: change.replacement.clone() });
        }
        if !ways.is_empty() {
            finding.notes.push(Note::Remark(format!("The code conforms if {}", ways.join(", or "))));
        }
    }
}

/// What changes are sorted by, the likeliest first.
type Likelihood = (Slip, Disorder);

/// The changes that are as likely as any other one.
fn likeliest(input: CheckInput<'_>, judged: &JudgedStatement<'_>) -> Vec<Change> {
    let read: usize = (0..judged.computation.arrays.len()).map(|at| judged.reads(ArrayId::Read(at)).len()).sum();
    if read > MOST_READS {
        return Vec::new();
    }
    let mut candidates: Vec<(Likelihood, Change)> = Vec::new();
    for change in changes(input, judged) {
        let is_new =
            |(_, other): &(Likelihood, Change)| (other.span, &other.replacement) != (change.span, &change.replacement);
        if conforms(input, judged, &change.changed) && candidates.iter().all(is_new) {
            candidates.push(((change.slip, order::disorder(judged, &change)), change));
        }
    }
    let Some(best) = candidates.iter().map(|(likelihood, _)| *likelihood).min() else { return Vec::new() };
    // One pair of reads in another order is no evidence.
    let (slip, (disorder, _)) = best;
    candidates.retain(|((other, (pairs, _)), _)| *other == slip && *pairs <= disorder + 1);
    candidates.sort_by_key(|(_, change)| (change.site, change.span));
    if candidates.len() > MOST_TOLD {
        return Vec::new();
    }
    candidates.into_iter().map(|(_, change)| change).collect()
}

/// All changes that may clear every finding.
fn changes(input: CheckInput<'_>, judged: &JudgedStatement<'_>) -> Vec<Change> {
    let failing = judged.failing();
    let axes = axes(judged);
    let spans = |array: ArrayId| judged.reads(array).iter().map(|read| read.span).collect::<BTreeSet<Span>>();
    let mut found = Vec::new();
    if let [array] = failing.as_slice() {
        for span in world::suspects(input, judged, *array) {
            found.extend(change::of_reference(input, judged, *array, span, &axes));
        }
    }
    let read = (0..judged.computation.arrays.len()).map(ArrayId::Read);
    let all: Vec<ArrayId> =
        read.chain(failing.iter().copied().filter(|array| matches!(array, ArrayId::Missing(_)))).collect();
    for &from in &all {
        for &to in all.iter().filter(|to| **to != from) {
            if failing.iter().all(|array| [from, to].contains(array)) {
                found.extend(spans(from).into_iter().filter_map(|span| change::renamed(input, judged, from, to, span)));
            }
        }
    }
    found.extend(definition::changes(input, judged, &all));
    found.extend(change::of_left_side(input, judged, &axes));
    found
}

/// The loop variables that occur in a computation.
fn axes(judged: &JudgedStatement<'_>) -> Vec<Axis> {
    let reads = (0..judged.computation.arrays.len()).flat_map(|at| judged.reads(ArrayId::Read(at)));
    let relative = reads.flat_map(|read| &read.coordinates).filter_map(|coordinate| match coordinate {
        Coordinate::Relative(axis, _) => Some(*axis),
        Coordinate::Absolute(_) => None,
    });
    let all: BTreeSet<Axis> = relative.chain(judged.computation.left.axes.keys().copied()).collect();
    all.into_iter().collect()
}
