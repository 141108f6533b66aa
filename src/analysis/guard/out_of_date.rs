//! What became of the arrays that a comment speaks of, and whether the comment is old because of that.
//!
//! A claim is *old* if it is wrong, every use that it speaks of follows, and it was right before: what it says is what
//! the code reads, but for the change of layout. One that was wrong before is no matter of the change.

use std::collections::HashMap;
use std::path::PathBuf;

use super::comments::{CommentClaim, ReadArray, SpecificationComment};
use super::compare::ProgramComparison;
use super::layout::Layout;
use super::region::{STEPS, in_dimensions};
use super::report::UseClass;
use crate::analysis::stencil::infer::{Approximation, scheme};
use crate::diagnostics::Location;
use crate::region::{Budget, Component, IntegerSet, Interval, Scheme, Unf};
use crate::source::LineColumn;

/// A place in some file.
type SourcePosition = (PathBuf, LineColumn);

fn position(location: &Location) -> SourcePosition {
    (location.path.clone(), location.start)
}

/// What a comparison says of the statements and references of the new program.
pub struct UseOutcomes<'c> {
    statements: HashMap<SourcePosition, StatementOutcome>,
    /// The layout of the array of a reference.
    references: HashMap<SourcePosition, &'c Layout>,
}

/// What is said of a statement.
#[derive(Clone, Copy)]
struct StatementOutcome {
    /// Whether all its uses follow.
    follow: bool,
    /// Whether the indices of one of its arrays moved.
    shift: bool,
}

/// What became of the array of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadChange {
    /// The change concerns no statement of the computation.
    Nothing,
    /// Every use follows.
    Follows {
        /// What became of the dimensions.
        layout: Layout,
        /// Whether the array may lie elsewhere, seen from the left side, as indices moved.
        shift: bool,
    },
    /// Not every use follows.
    Otherwise,
}

impl<'c> UseOutcomes<'c> {
    /// What is said of the uses that were compared.
    pub fn new(comparison: &'c ProgramComparison) -> Self {
        let mut judgement = UseOutcomes { statements: HashMap::new(), references: HashMap::new() };
        for array in &comparison.arrays {
            let shift = array.layout.shift.iter().any(|&shift| shift != 0);
            for used in &array.uses {
                if let Some(statement) = used.statement.location() {
                    let outcome = judgement
                        .statements
                        .entry(position(&statement))
                        .or_insert(StatementOutcome { follow: true, shift: false });
                    outcome.follow &= used.class == UseClass::Follows;
                    outcome.shift |= shift;
                }
                if let Some(reference) = used.place.location() {
                    judgement.references.insert(position(&reference), &array.layout);
                }
            }
        }
        judgement
    }

    /// What became of an array that is read.
    pub fn change(&self, read: &ReadArray) -> ReadChange {
        let statements = read.reads.iter().map(|(statement, _)| statement).chain([&read.root]);
        let outcome: Vec<StatementOutcome> =
            statements.filter_map(|statement| self.statements.get(&position(statement)).copied()).collect();
        if outcome.is_empty() {
            return ReadChange::Nothing;
        }
        if !outcome.iter().all(|outcome| outcome.follow) {
            return ReadChange::Otherwise;
        }
        let layout = read.reads.iter().find_map(|(_, reference)| self.references.get(&position(reference)));
        let rank = read.offsets.first().map_or(0, Vec::len);
        ReadChange::Follows {
            layout: layout.map_or_else(|| Layout::same(rank), |layout| (*layout).clone()),
            shift: outcome.iter().any(|outcome| outcome.shift),
        }
    }

    /// Whether a claim of a comment is old.
    pub fn is_old(&self, comment: &SpecificationComment, claim: &CommentClaim) -> bool {
        let Some(read) = claim.read.as_ref().filter(|_| !claim.holds) else { return false };
        match self.change(read) {
            ReadChange::Follows { layout, shift } => was_right(comment, read, &layout, shift),
            ReadChange::Nothing | ReadChange::Otherwise => false,
        }
    }
}

/// Whether what a comment says is what the code reads, but for the change of layout: compared in the dimensions that
/// are old and new.
fn was_right(comment: &SpecificationComment, read: &ReadArray, layout: &Layout, shift: bool) -> bool {
    let said = &comment.specification;
    let is_of_rank = read.offsets.iter().all(|offsets| offsets.len() == layout.rank());
    let keeps_dimensions = layout.added().is_empty() && layout.dropped().is_empty();
    // Without a dimension reads become the same, with another one they don't stay the same.
    if !is_of_rank || (keeps_dimensions && said.read_once != read.read_once) {
        return false;
    }
    let Some(meaning) = comment.meaning.as_ref().map(Unf::<Interval>::to_index) else { return false };
    let is_beyond =
        |scheme: &Scheme<IntegerSet>| scheme.components.iter().skip(layout.old_rank).any(|one| !one.is_every());
    if meaning.schemes().iter().any(is_beyond) {
        return false;
    }
    let kept = layout.kept();
    let old: Vec<(usize, i64)> = kept.iter().map(|&(old, _)| (old, 0)).collect();
    let new: Vec<(usize, i64)> = kept.iter().map(|&(_, new)| (new, 0)).collect();
    let reads = Unf::new(layout.rank(), read.offsets.iter().map(scheme)).to_index();
    let (Some(mut claimed), Some(code)) = (in_dimensions(&meaning, &old), in_dimensions(&reads, &new)) else {
        return false;
    };
    if shift {
        // Where the bounds of what lies elsewhere would be is not known.
        if said.approximation != Approximation::Exact {
            return true;
        }
        // The lowest offsets tell by how much the code lies higher than what is claimed.
        let by =
            |at: usize| lowest(&code, at).zip(lowest(&claimed, at)).map_or(0, |(now, was)| now.saturating_sub(was));
        let moves: Vec<(usize, i64)> = (0..kept.len()).map(|at| (at, by(at))).collect();
        let Some(moved) = in_dimensions(&claimed, &moves) else { return false };
        claimed = moved;
    }
    let is_inside = |one: &Unf<IntegerSet>, other: &Unf<IntegerSet>| {
        one.uncovered(other, &mut Budget::new(STEPS)).map_or(true, |outside| outside.is_none())
    };
    let is_lower = said.approximation == Approximation::AtMost || is_inside(&claimed, &code);
    let is_upper = said.approximation == Approximation::AtLeast || is_inside(&code, &claimed);
    is_lower && is_upper
}

/// The lowest offset that is told of a dimension.
fn lowest(region: &Unf<IntegerSet>, dimension: usize) -> Option<i64> {
    let of_scheme = |scheme: &Scheme<IntegerSet>| match &scheme.components[dimension] {
        Component::Within(set) => set.ranges().first().map(|range| range.0),
        Component::Every => None,
    };
    region.schemes().iter().filter_map(of_scheme).min()
}
