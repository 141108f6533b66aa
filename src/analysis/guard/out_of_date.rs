//! What became of the arrays that a comment speaks of, and whether the comment is old because of that.
//!
//! A claim is *old* if it is wrong, every use that it speaks of follows, and it was right before: what it says is what the code reads, but for
//! the change of layout. One that was wrong before is no matter of the change.

use std::collections::HashMap;
use std::path::PathBuf;

use super::comments::{Claim, Comment, ReadArray};
use super::compare::Comparison;
use super::layout::Layout;
use super::region::{STEPS, in_dimensions};
use super::report::Class;
use crate::analysis::stencil::infer::{Approximation, scheme};
use crate::diagnostics::Location;
use crate::region::{Budget, Component, IntegerSet, Interval, Scheme, Unf};
use crate::source::LineColumn;

/// A place in some file.
type At = (PathBuf, LineColumn);

fn at(location: &Location) -> At {
    (location.path.clone(), location.start)
}

/// What a comparison says of the statements and references of the new program.
pub struct Judgement<'c> {
    statements: HashMap<At, Judged>,
    /// The layout of the array of a reference.
    references: HashMap<At, &'c Layout>,
}

/// What is said of a statement.
#[derive(Clone, Copy)]
struct Judged {
    /// Whether all its uses follow.
    follow: bool,
    /// Whether the indices of one of its arrays moved.
    shift: bool,
}

/// What became of the array of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
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

impl<'c> Judgement<'c> {
    /// What is said of the uses that were compared.
    pub fn of(comparison: &'c Comparison) -> Self {
        let mut judgement = Judgement { statements: HashMap::new(), references: HashMap::new() };
        for array in &comparison.arrays {
            let shift = array.layout.shift.iter().any(|&shift| shift != 0);
            for used in &array.uses {
                if let Some(statement) = used.statement.location() {
                    let judged =
                        judgement.statements.entry(at(&statement)).or_insert(Judged { follow: true, shift: false });
                    judged.follow &= used.class == Class::Follows;
                    judged.shift |= shift;
                }
                if let Some(reference) = used.place.location() {
                    judgement.references.insert(at(&reference), &array.layout);
                }
            }
        }
        judgement
    }

    /// What became of an array that is read.
    pub fn change(&self, read: &ReadArray) -> Change {
        let statements = read.reads.iter().map(|(statement, _)| statement).chain([&read.root]);
        let judged: Vec<Judged> =
            statements.filter_map(|statement| self.statements.get(&at(statement)).copied()).collect();
        if judged.is_empty() {
            return Change::Nothing;
        }
        if !judged.iter().all(|judged| judged.follow) {
            return Change::Otherwise;
        }
        let layout = read.reads.iter().find_map(|(_, reference)| self.references.get(&at(reference)));
        let rank = read.offsets.first().map_or(0, Vec::len);
        Change::Follows {
            layout: layout.map_or_else(|| Layout::same(rank), |layout| (*layout).clone()),
            shift: judged.iter().any(|judged| judged.shift),
        }
    }

    /// Whether a claim of a comment is old.
    pub fn is_old(&self, comment: &Comment, claim: &Claim) -> bool {
        let Some(read) = claim.read.as_ref().filter(|_| !claim.holds) else { return false };
        match self.change(read) {
            Change::Follows { layout, shift } => was_right(comment, read, &layout, shift),
            Change::Nothing | Change::Otherwise => false,
        }
    }
}

/// Whether what a comment says is what the code reads, but for the change of layout: compared in the dimensions that are old and new.
fn was_right(comment: &Comment, read: &ReadArray, layout: &Layout, shift: bool) -> bool {
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
