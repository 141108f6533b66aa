//! What the comments of a file say of arrays, claim by claim, for those who ask what becomes of it.

use super::claim::{self, Claim};
use super::{Subject, verdict};
use crate::access::{ArrayAccess, Computation};
use crate::attach::Attached;
use crate::solve::Solver;

/// What one specification says of one array, with whether that holds.
#[derive(Clone, Copy, Debug)]
pub struct JudgedClaim<'s> {
    /// The array, by its name in lower case, with the computation and how it is read there; `None` if there is no such array, or it is
    /// read in a way that can't be specified.
    pub read: Option<(&'s Computation, &'s ArrayAccess)>,
    /// Whether the claim holds, looked at by itself.
    pub holds: bool,
}

/// The claims of one specification, one for each of its names.
pub fn claims<'s>(
    subject: Subject<'s>,
    number: usize,
    attached: &'s Attached,
    solver: &mut dyn Solver,
) -> Vec<JudgedClaim<'s>> {
    let mut judge = |claim: Claim<'s>| {
        let access = claim.array.described.ok()?;
        let denoted = claim::denote(subject, claim).ok();
        let holds = denoted.is_some_and(|denoted| verdict::wrong_with(access.into(), &denoted, solver).is_none());
        Some(JudgedClaim { read: Some((claim.computation, access)), holds })
    };
    let of_name = |variable| claim::locate(subject, number, attached, variable).ok().and_then(&mut judge);
    let names = attached.specification.variables.iter();
    names.map(of_name).map(|claim| claim.unwrap_or(JudgedClaim { read: None, holds: false })).collect()
}
