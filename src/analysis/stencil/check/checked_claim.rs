//! What the comments of a file say of arrays, claim by claim, for those who ask what becomes of it.

use super::claim::{self, Claim};
use super::conformance;
use super::input::CheckInput;
use crate::analysis::stencil::attach::Attached;
use crate::analysis::stencil::computations::{ArrayAccess, Computation, Undescribed};
use crate::solve::Solver;

/// What one specification says of one array, with whether that holds.
#[derive(Clone, Copy, Debug)]
pub struct CheckedClaim<'s> {
    /// The computation, and how it reads the array; `None` if there is no such array.
    pub read: Option<(&'s Computation, Result<&'s ArrayAccess, &'s Undescribed>)>,
    /// Whether the claim holds, looked at by itself.
    pub holds: bool,
}

/// The claims of one specification, one for each of its names.
pub fn claims<'s>(
    input: CheckInput<'s>,
    number: usize,
    attached: &'s Attached,
    solver: &mut dyn Solver,
) -> Vec<CheckedClaim<'s>> {
    let mut holds = |claim: Claim<'s>| {
        let Ok(access) = claim.access() else { return false };
        let denoted = claim::denote(input, claim);
        denoted.is_ok_and(|denoted| conformance::violation_of(access.into(), &denoted, solver).is_none())
    };
    let of_name = |variable| match claim::locate(input, number, attached, variable) {
        Ok(claim) => CheckedClaim { read: Some((claim.computation, claim.array.described)), holds: holds(claim) },
        Err(_) => CheckedClaim { read: None, holds: false },
    };
    attached.specification.variables.iter().map(of_name).collect()
}
