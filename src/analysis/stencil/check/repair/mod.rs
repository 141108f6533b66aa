//! Repair hints: which one change of the source makes all of a statement conform.
//!
//! The bugs that a specification exists to catch are one wrong sign, a distance off by one, the wrong loop variable,
//! two swapped indices, another fixed index, the name of another array, on the right side, in what flows to it, or on
//! the left. So these are undone, one at a time; a change after which everything holds that is specified of the
//! statement is a hint. It is no verdict, and decided by the native procedure. Of several such changes those are told
//! that clear the most statements (what is read into a scalar flows to many), of these the likeliest slips, and of more
//! than a few equally likely ones none: no hint is better than a wrong one.

mod change;
mod definition;
mod order;
mod world;

use std::collections::{BTreeSet, HashMap};

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

/// The changes after which one statement conforms.
pub struct Repairs<'j, 's> {
    judged: &'j JudgedStatement<'s>,
    candidates: Vec<(Likelihood, Change)>,
}

/// For each change, by its place and text, the number of statements that conform after it.
pub type ClearedStatements = HashMap<(Span, String), usize>;

/// How many statements each change clears.
pub fn cleared(repairs: &[Repairs<'_, '_>]) -> ClearedStatements {
    let mut cleared = ClearedStatements::new();
    for (_, change) in repairs.iter().flat_map(|repairs| &repairs.candidates) {
        *cleared.entry((change.span, change.replacement.clone())).or_default() += 1;
    }
    cleared
}

impl<'j, 's> Repairs<'j, 's> {
    /// Those of a statement with findings.
    pub fn new(input: CheckInput<'_>, judged: &'j JudgedStatement<'s>) -> Self {
        let read: usize = (0..judged.computation.arrays.len()).map(|at| judged.reads(ArrayId::Read(at)).len()).sum();
        let mut candidates: Vec<(Likelihood, Change)> = Vec::new();
        let possible = if read > MOST_READS { Vec::new() } else { changes(input, judged) };
        for change in possible {
            let is_new = |(_, other): &(Likelihood, Change)| {
                (other.span, &other.replacement) != (change.span, &change.replacement)
            };
            if conforms(input, judged, &change.changed) && candidates.iter().all(is_new) {
                candidates.push(((change.slip, order::disorder(judged, &change)), change));
            }
        }
        Repairs { judged, candidates }
    }

    /// The findings of the statement, by their numbers.
    pub fn findings(&self) -> impl Iterator<Item = usize> {
        self.judged.groups.iter().filter_map(|group| group.finding)
    }

    /// The changes that are as likely as any other one: those that clear the most statements, then the likeliest slips.
    pub fn likeliest(&self, cleared: &ClearedStatements) -> Vec<&Change> {
        let count = |change: &Change| cleared.get(&(change.span, change.replacement.clone())).copied().unwrap_or(0);
        let most = self.candidates.iter().map(|(_, change)| count(change)).max();
        let mut candidates: Vec<&(Likelihood, Change)> =
            self.candidates.iter().filter(|(_, change)| Some(count(change)) == most).collect();
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
}

/// Adds changes to a finding that they clear.
pub fn add(input: CheckInput<'_>, told: &[&Change], finding: &mut Finding) {
    let mut ways: Vec<String> = Vec::new();
    for change in told {
        let location = Location::of(&input.scopes.tree.source.texts, change.span);
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

/// What changes are sorted by, the likeliest first.
type Likelihood = (Slip, Disorder);

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
