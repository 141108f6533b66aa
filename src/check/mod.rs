//! Checking: every specification of a file against the code below it (docs/semantics.md, section 3).
//!
//! - a *claim* is what one specification says of one array; all claims of one group on one array are judged together;
//! - code and claim are two unions of index schemes; the solver says whether they are the same set, or on the side of each other
//!   that the claim allows, and if not, gives a *witness*;
//! - a *repair* is a change of one reference after which the code conforms.
//!
//! Entry point: [`check`]; result: [`Checked`]. A specification that can't be verified gives a finding, never silence.

mod allow;
mod claim;
mod clash;
mod comments;
mod finding;
mod fix;
mod repair;
#[cfg(test)]
mod tests;
mod verdict;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use crate::access::Computation;
use crate::attach::{RegionScopes, Specifications};
use crate::infer::{Covered, Inference};
use crate::report::{Finding, rules};
use crate::solve::Solver;
use crate::source::Span;
use crate::syntax::StatementId;

use claim::{Claim, Denoted};
use fix::{Plan, Plans};

/// Which computations must have a specification.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Require {
    /// None.
    #[default]
    Nothing,
    /// Those for whose arrays more can be said than `pointed`.
    Nontrivial,
    /// All for whose arrays something can be said.
    All,
}

/// What a file holds: its tree and names, what its comments specify, and its computations, among which is every statement
/// that a specification stands above.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    /// The tree, the names and the region variables.
    pub scopes: &'s RegionScopes<'s>,
    /// What the comments say.
    pub specifications: &'s Specifications,
    /// What the code reads.
    pub computations: &'s [Computation],
    /// What inference says of it.
    pub inference: &'s Inference,
    /// Whether to do as CamFort does.
    pub paper: bool,
}

impl Subject<'_> {
    fn statement_span(&self, statement: StatementId) -> Span {
        self.scopes.tree.statements[statement as usize].span
    }
}

/// What came of checking a file.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// What is wrong, by place.
    pub findings: Vec<Finding>,
    /// The arrays that a specification which holds speaks of.
    pub covered: Covered,
    /// Number of stencil and access specifications among the comments, malformed ones included.
    pub specifications: usize,
    /// Number of them that were verified and hold for each of their arrays.
    pub holding: usize,
}

/// Checks the specifications of a file. The findings of the front end take part in what comments allow.
pub fn check(subject: Subject<'_>, solver: &mut dyn Solver, require: Require, front_end: Vec<Finding>) -> Checked {
    let mut checking = Checking { subject, solver, found: Vec::new(), holding: Covered::new(), plans: Plans::new() };
    let mut wrong: BTreeSet<usize> = BTreeSet::new();
    let mut groups: BTreeMap<(StatementId, String), Vec<Claim<'_>>> = BTreeMap::new();
    for (number, attached) in subject.specifications.attached.iter().enumerate() {
        for variable in &attached.specification.variables {
            match claim::locate(subject, number, attached, variable) {
                Ok(claim) => groups.entry((claim.computation.statement, claim.array.key())).or_default().push(claim),
                Err(finding) => {
                    wrong.insert(number);
                    checking.found.push(Found::on(*finding, attached.statement, [number]));
                }
            }
        }
    }
    let mut spoken_of = Covered::new();
    for ((statement, array), claims) in groups {
        let numbers: Vec<usize> = claims.iter().map(|claim| claim.number).collect();
        spoken_of.entry(statement).or_default().insert(array.clone());
        if checking.judge(claims) {
            checking.holding.entry(statement).or_default().insert(array);
        } else {
            wrong.extend(numbers);
        }
    }
    let Checking { mut found, holding, plans, .. } = checking;
    found.extend(front_end.into_iter().map(Found::alone));
    found.extend(comments::findings(subject));
    let (inactive, in_inactive_branches) = comments::in_inactive_branches(subject.scopes.tree);
    found.extend(inactive);
    found.extend(comments::missing(subject, &spoken_of, require));
    fix::attach_fixes(subject, &plans, &mut found);
    let attached = subject.specifications.attached.len();
    Checked {
        findings: allow::silence(subject, found, require),
        covered: holding,
        specifications: attached + subject.specifications.lost + in_inactive_branches,
        holding: attached - wrong.len(),
    }
}

/// A finding with what it belongs to.
struct Found {
    finding: Finding,
    /// The statement that the specifications in question are attached to.
    anchor: Option<StatementId>,
    /// These specifications, by number.
    comments: Vec<usize>,
}

impl Found {
    fn on(finding: Finding, anchor: StatementId, comments: impl IntoIterator<Item = usize>) -> Self {
        Found { finding, anchor: Some(anchor), comments: comments.into_iter().collect() }
    }

    fn alone(finding: Finding) -> Self {
        Found { finding, anchor: None, comments: Vec::new() }
    }
}

struct Checking<'s, 'c> {
    subject: Subject<'s>,
    solver: &'c mut dyn Solver,
    found: Vec<Found>,
    holding: Covered,
    plans: Plans,
}

impl<'s> Checking<'s, '_> {
    fn plan(&mut self, claim: &Claim<'_>) -> &mut Plan {
        self.plans.entry(claim.number).or_default()
    }

    fn report(&mut self, finding: Finding, claims: &[Claim<'_>]) {
        let Some(first) = claims.first() else { return };
        self.found.push(Found::on(finding, first.attached.statement, claims.iter().map(|claim| claim.number)));
    }

    /// Judges all claims of one group on one array: whether they hold.
    fn judge(&mut self, claims: Vec<Claim<'s>>) -> bool {
        let Some(first) = claims.first() else { return true };
        let access = match first.array.described {
            Ok(access) => access,
            Err(undescribed) => {
                let finding = finding::not_specifiable(self.subject, &claims, undescribed);
                self.report(finding, &claims[..1]);
                return false;
            }
        };
        let (standing, all_stand) = self.standing(claims);
        if standing.is_empty() {
            return false;
        }
        match verdict::first_wrong(access.into(), &standing, self.solver) {
            None => {
                standing.iter().for_each(|denoted| self.shorten(denoted));
                all_stand
            }
            Some((wrong, at)) => {
                let finding = finding::of_verdict(self.subject, &standing, at, access, &wrong);
                self.replace(&standing, &finding.inferred);
                let claims: Vec<Claim<'_>> = standing.iter().map(|denoted| denoted.claim).collect();
                self.report(finding, &claims);
                false
            }
        }
    }

    /// The claims that have a meaning and don't clash with one before them, and whether that is all that contradict nothing.
    fn standing(&mut self, claims: Vec<Claim<'s>>) -> (Vec<Denoted<'s>>, bool) {
        let mut standing: Vec<Denoted<'s>> = Vec::new();
        let mut all_stand = true;
        for claim in claims {
            let denoted = match claim::denote(self.subject, claim) {
                Ok(denoted) => denoted,
                Err(finding) => {
                    all_stand = false;
                    self.report(*finding, &[claim]);
                    continue;
                }
            };
            match clash::clash(self.subject, &standing, &denoted, self.solver) {
                None => standing.push(denoted),
                Some(finding) => {
                    all_stand &= finding.rule == &rules::DUPLICATE_SPECIFICATION;
                    // What is said twice can go; of what contradicts itself, the later.
                    self.plan(&claim).dropped.insert(claim.variable.offset);
                    self.report(finding, &[claim]);
                }
            }
        }
        (standing, all_stand)
    }

    /// Plans to put what is inferred in the place of the claims on an array.
    fn replace(&mut self, standing: &[Denoted<'_>], inferred: &[String]) {
        if inferred.is_empty() {
            return;
        }
        for (position, denoted) in standing.iter().enumerate() {
            let plan = self.plan(&denoted.claim);
            plan.dropped.insert(denoted.claim.variable.offset);
            if position == 0 {
                plan.added.extend_from_slice(inferred);
            }
        }
    }

    /// S021, once for each comment.
    fn shorten(&mut self, denoted: &Denoted<'s>) {
        let Some((finding, region)) = comments::overlong(self.subject, denoted) else { return };
        let plan = self.plan(&denoted.claim);
        if plan.region.is_none() {
            plan.region = Some(region);
            self.report(finding, &[denoted.claim]);
        }
    }
}
