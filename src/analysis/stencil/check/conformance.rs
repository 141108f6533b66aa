//! The verdict on the claims of one group on one array.

use super::claim::DenotedClaim;
use crate::analysis::stencil::computations::{ArrayAccess, Offsets, Relation, RelativeRead};
use crate::analysis::stencil::infer::scheme;
use crate::analysis::stencil::spec::{Approximation, ComputationKind};
use crate::region::{IntegerSet, Unf};
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
    /// S011.
    NotReadOnce,
}

impl Violation {
    /// Of several things that are wrong with one array, that of the lowest rank is reported.
    fn rank(&self) -> u8 {
        match self {
            Violation::Kind => 0,
            Violation::Repeated => 1,
            Violation::Region { .. } => 2,
            Violation::Undecided(_) => 3,
            Violation::NotReadOnce => 4,
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
    let said = &claim.claim.attached.specification;
    if said.kind != reading.kind {
        return Some(Violation::Kind);
    }
    if said.read_once && !reading.read_once {
        return Some(Violation::Repeated);
    }
    let code = union_of(reading.reads.iter().map(|read| &read.offsets), claim.meaning.union.rank());
    let specified = claim.meaning.union.to_index();
    match region_violation(&code, &specified, said.approximation, solver) {
        None if !said.read_once && reading.read_once => Some(Violation::NotReadOnce),
        wrong => wrong,
    }
}

fn region_violation(
    code: &Unf<IntegerSet>,
    specified: &Unf<IntegerSet>,
    approximation: Approximation,
    solver: &mut dyn Solver,
) -> Option<Violation> {
    let mut not_allowed = None;
    let mut not_read = None;
    if approximation != Approximation::AtLeast {
        match solver.difference(code, specified) {
            Answer::Empty => {}
            Answer::Witness(offset) => not_allowed = Some(offset),
            Answer::Unknown(reason) => return Some(Violation::Undecided(reason)),
        }
    }
    if approximation != Approximation::AtMost {
        match solver.difference(specified, code) {
            Answer::Empty => {}
            Answer::Witness(offset) => not_read = Some(offset),
            // That they differ is certain already.
            Answer::Unknown(_) if not_allowed.is_some() => {}
            Answer::Unknown(reason) => return Some(Violation::Undecided(reason)),
        }
    }
    let differs = not_allowed.is_some() || not_read.is_some();
    differs.then_some(Violation::Region { not_allowed, not_read })
}

/// The set that reads denote.
pub fn union_of<'r>(reads: impl Iterator<Item = &'r Offsets>, rank: usize) -> Unf<IntegerSet> {
    Unf::new(rank, reads.map(scheme)).to_index()
}
