//! The verdict on the claims of one group on one array.

use super::claim::DenotedClaim;
use super::sets::ComparedSets;
use crate::analysis::stencil::computations::{ArrayAccess, Relation, RelativeRead};
use crate::analysis::stencil::spec::{Approximation, ComputationKind, Specification};
use crate::region::{Interval, Unf};
use crate::solve::{Answer, Solver};

/// How the code reads an array, as far as claims speak of it.
#[derive(Clone, Copy, Debug)]
pub struct ArrayReads<'r> {
    /// Stencil or access.
    pub kind: ComputationKind,
    /// The reads, at least one.
    pub reads: &'r [RelativeRead],
    /// Whether none is repeated.
    pub read_once: bool,
}

impl<'r> From<&'r ArrayAccess> for ArrayReads<'r> {
    fn from(access: &'r ArrayAccess) -> Self {
        ArrayReads { kind: access.kind, reads: &access.reads, read_once: access.read_once }
    }
}

impl<'r> From<&'r Relation> for ArrayReads<'r> {
    fn from(relation: &'r Relation) -> Self {
        ArrayReads { kind: relation.kind, reads: &relation.reads, read_once: relation.read_once }
    }
}

/// What is wrong with a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// S013.
    Kind,
    /// S024.
    Direction {
        /// The first dimension, from 0, in which the code follows other loop variables than are specified.
        dimension: usize,
    },
    /// S012.
    Repeated,
    /// S010: what the code reads and the claim does not allow, what the claim asks for and the code does not read; one
    /// or both.
    Region {
        /// Read and not allowed.
        not_allowed: Option<Vec<i64>>,
        /// Specified and not read.
        not_read: Option<Vec<i64>>,
    },
    /// S016, with the solver's reason.
    Undecided(String),
    /// S025: as S010, and with all fixed indices taken for equal there is no difference.
    FixedIndex {
        /// Read and not allowed.
        not_allowed: Option<Vec<i64>>,
        /// Specified and not read.
        not_read: Option<Vec<i64>>,
    },
    /// S011.
    NotReadOnce,
}

impl Violation {
    /// Whether a change of what is read could clear it.
    pub fn is_of_reads(&self) -> bool {
        match self {
            Violation::Direction { .. }
            | Violation::Repeated
            | Violation::Region { .. }
            | Violation::FixedIndex { .. } => true,
            Violation::Kind | Violation::Undecided(_) | Violation::NotReadOnce => false,
        }
    }

    /// Of several things that are wrong with one array, that of the lowest rank is reported.
    fn rank(&self) -> u8 {
        match self {
            Violation::Kind => 0,
            Violation::Direction { .. } => 1,
            Violation::Repeated => 2,
            Violation::Region { .. } => 3,
            Violation::Undecided(_) => 4,
            Violation::FixedIndex { .. } => 5,
            Violation::NotReadOnce => 6,
        }
    }
}

/// What is wrong, and with which of the claims; `None` if all hold.
pub fn first_violation(
    reading: ArrayReads<'_>,
    claims: &[DenotedClaim<'_>],
    solver: &mut dyn Solver,
) -> Option<(Violation, usize)> {
    let mut worst: Option<(Violation, usize)> = None;
    for (at, claim) in claims.iter().enumerate() {
        let Some(wrong) = violation_of(reading, claim, solver) else { continue };
        if worst.as_ref().is_none_or(|(other, _)| wrong.rank() < other.rank()) {
            worst = Some((wrong, at));
        }
    }
    worst
}

/// What is wrong with one claim; `None` if it holds.
pub fn violation_of(reading: ArrayReads<'_>, claim: &DenotedClaim<'_>, solver: &mut dyn Solver) -> Option<Violation> {
    violation(reading, &claim.claim.attached.specification, &claim.meaning.union, solver)
}

/// What is wrong with a specification whose region denotes this; `None` if it holds.
pub fn violation(
    reading: ArrayReads<'_>,
    said: &Specification,
    region: &Unf<Interval>,
    solver: &mut dyn Solver,
) -> Option<Violation> {
    if said.kind != reading.kind {
        return Some(Violation::Kind);
    }
    let sets = ComparedSets::new(reading.reads, region);
    if let Some(dimension) = sets.other_direction(said.approximation) {
        return Some(Violation::Direction { dimension });
    }
    if said.read_once && !reading.read_once {
        return Some(Violation::Repeated);
    }
    let wrong = match difference(&sets, said.approximation, solver) {
        Some(Violation::Region { not_allowed, not_read })
            if sets.have_fixed() && difference(&sets.with_fixed_alike(), said.approximation, solver).is_none() =>
        {
            Some(Violation::FixedIndex { not_allowed, not_read })
        }
        wrong => wrong,
    };
    match wrong {
        None if !said.read_once && reading.read_once => Some(Violation::NotReadOnce),
        wrong => wrong,
    }
}

/// Where the sets differ in a direction that is not approximated.
fn difference(sets: &ComparedSets, approximation: Approximation, solver: &mut dyn Solver) -> Option<Violation> {
    let ComparedSets { code, specified, .. } = sets;
    let mut not_allowed = None;
    let mut not_read = None;
    if approximation != Approximation::AtLeast {
        match solver.difference(code, specified) {
            Answer::Empty => {}
            Answer::Witness(offset) => not_allowed = Some(sets.told(offset)),
            Answer::Unknown(reason) => return Some(Violation::Undecided(reason)),
        }
    }
    if approximation != Approximation::AtMost {
        match solver.difference(specified, code) {
            Answer::Empty => {}
            Answer::Witness(offset) => not_read = Some(sets.told(offset)),
            // That they differ is certain already.
            Answer::Unknown(_) if not_allowed.is_some() => {}
            Answer::Unknown(reason) => return Some(Violation::Undecided(reason)),
        }
    }
    let differs = not_allowed.is_some() || not_read.is_some();
    differs.then_some(Violation::Region { not_allowed, not_read })
}
