//! Checking: every specification of a file against the code below it (docs/semantics.md, section 3).
//!
//! - a *claim* is what one specification says of one array; all claims of one group on one array are judged together;
//! - code and claim are two unions of index schemes; the solver says whether they are the same set, or on the side of
//!   each other that the claim allows, and if not, gives a *witness*;
//! - a *repair* is a change of one reference after which the code conforms.
//!
//! Entry point: [`check`]; result: [`Checked`]. A specification that can't be verified gives a finding, never silence.

mod analysis;
mod checked_claim;
mod claim;
mod clash;
mod comments;
mod conformance;
mod finding;
mod fix;
mod notation;
mod repair;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::attach::{RegionScopes, Specifications};
use super::computations::{ArrayAccess, Computation};
use super::infer::{Approximation, Covered, Inference, specifications_of};
use super::rules;
use crate::diagnostics::{Allowances, Finding, Level, Levels, Location, Note, Registry, Rule};
use crate::solve::Solver;
use crate::source::Span;
use crate::syntax::StatementId;
use crate::values::ArrayKey;

pub use analysis::{Check, CheckOptions, CheckOutcome};
pub use checked_claim::{CheckedClaim, claims};
pub use finding::WitnessRecord;

use claim::{Claim, DenotedClaim};
use conformance::{ArrayReads, Violation};
use fix::CommentEdits;

/// Which computations must have a specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Require {
    /// None.
    #[default]
    Nothing,
    /// Those for whose arrays more can be said than `pointed`.
    Nontrivial,
    /// All for whose arrays something can be said.
    All,
}

/// Which claims are meant: those on an array, by its name in lower case, of the computation at a place.
pub type ClaimFilter<'o> = dyn Fn(&Location, &str) -> bool + 'o;

/// What is asked of a file, and what of it is not told.
#[derive(Clone, Copy)]
pub struct CheckRequest<'d> {
    /// Which computations must have a specification.
    pub require: Require,
    /// The rules that there are.
    pub registry: Registry,
    /// The levels of the rules. What is off is not told, and not fixed.
    pub levels: &'d Levels,
    /// Whether a file is checked by itself too: what is not compiled of it is no matter of a file that includes it.
    pub is_checked_itself: &'d dyn Fn(&Path) -> bool,
    /// If given, of which claims alone to tell.
    pub only: Option<&'d ClaimFilter<'d>>,
}

/// What a file holds: its tree and names, what its comments specify, and its computations, among which is every
/// statement that a specification stands above.
#[derive(Clone, Copy)]
pub struct CheckInput<'s> {
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

impl CheckInput<'_> {
    fn statement_span(&self, statement: StatementId) -> Span {
        self.scopes.tree.statements[statement].span
    }

    /// Where a statement stands.
    pub fn place_of(&self, statement: StatementId) -> Location {
        Location::of(&self.scopes.tree.source.texts, self.statement_span(statement))
    }
}

/// What came of checking a file.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// What is wrong, by place.
    pub findings: Vec<Finding>,
    /// The arrays that a specification speaks of, rightly or not.
    pub covered: Covered,
    /// The rules by which something in the named file is an error that no comment allows, whatever the configuration
    /// makes of them.
    pub broken: BTreeSet<&'static Rule>,
    /// Number of stencil and access specifications among the comments, malformed ones included.
    pub specifications: usize,
    /// Number of them that were verified and hold for each of their arrays.
    pub holding: usize,
}

/// Checks the specifications of a file. The findings of the front end take part in what comments allow.
pub fn check(
    input: CheckInput<'_>,
    solver: &mut dyn Solver,
    request: CheckRequest<'_>,
    front_end: Vec<Finding>,
) -> Checked {
    let mut checking = Checking { input, solver, found: Vec::new(), shortened: BTreeSet::new() };
    let mut wrong: BTreeSet<usize> = BTreeSet::new();
    let mut groups: BTreeMap<(StatementId, ArrayKey), Vec<Claim<'_>>> = BTreeMap::new();
    for (number, attached) in input.specifications.attached.iter().enumerate() {
        for variable in &attached.specification.variables {
            match claim::locate(input, number, attached, variable) {
                Ok(claim) => {
                    groups.entry((claim.computation.statement, claim.array.key().clone())).or_default().push(claim);
                }
                Err(finding) => {
                    wrong.insert(number);
                    checking.found.push(AttributedFinding::at_statement(*finding, attached.statement, [number]));
                }
            }
        }
    }
    let mut covered = Covered::new();
    for ((statement, _), claims) in groups {
        let numbers: Vec<usize> = claims.iter().map(|claim| claim.number).collect();
        covered.entry(statement).or_default().extend(claims.first().map(|claim| claim.array.name()));
        if !checking.check_claims(claims) {
            wrong.extend(numbers);
        }
    }
    let mut found = checking.found;
    found.extend(front_end.into_iter().map(AttributedFinding::unattached));
    found.extend(comments::findings(input));
    let (inactive, in_inactive_branches) = comments::in_inactive_branches(input.scopes.tree, request);
    found.extend(inactive);
    found.extend(comments::missing(input, &covered, request.require));
    let found = silence(input, found, request);
    let attached = input.specifications.attached.len();
    Checked {
        broken: broken(input, &found),
        findings: reported(input, found, request),
        covered,
        specifications: attached + input.specifications.lost + in_inactive_branches,
        holding: attached - wrong.len(),
    }
}

/// What no comment allows, and the comments that allow nothing.
fn silence(
    input: CheckInput<'_>,
    mut found: Vec<AttributedFinding>,
    request: CheckRequest<'_>,
) -> Vec<AttributedFinding> {
    let mut allowances = Allowances::read(&input.scopes.tree.source, request.registry);
    found.retain(|found| {
        let anchor = found.anchor.map(|statement| input.place_of(statement));
        !allowances.silence(&found.finding, anchor.as_ref())
    });
    // What is missing may be asked for in another run.
    let is_asked = |rule: &Rule| rule.options.is_empty() || request.require == Require::All;
    let unused = allowances.unused(|rule| rule.is_reported_by("check") && is_asked(rule));
    found.extend(unused.map(AttributedFinding::unattached));
    found.extend(allowances.faults.into_iter().map(AttributedFinding::unattached));
    found
}

/// The rules that the named file breaks by an error.
fn broken(input: CheckInput<'_>, found: &[AttributedFinding]) -> BTreeSet<&'static Rule> {
    let here = &input.scopes.tree.source.texts.root().path;
    let findings = found.iter().map(|found| &found.finding);
    let errors = findings.filter(|one| one.rule.level == Level::Error && one.location.path == *here);
    errors.map(|finding| finding.rule).collect()
}

/// What is told of what was found, by place. Fixes come last: they change no more than what is told.
fn reported(input: CheckInput<'_>, mut found: Vec<AttributedFinding>, request: CheckRequest<'_>) -> Vec<Finding> {
    found.retain(|found| request.levels.level(found.finding.rule) != Level::Off);
    if let Some(only) = request.only {
        found.retain(|found| {
            let is_wanted = |(statement, name): &(StatementId, String)| only(&input.place_of(*statement), name);
            found.array.as_ref().is_some_and(is_wanted)
        });
    }
    fix::attach_fixes(input, &mut found);
    let mut findings: Vec<Finding> = found.into_iter().map(|found| found.finding).collect();
    findings.sort_by(|left, right| (&left.location, left.rule.code).cmp(&(&right.location, right.rule.code)));
    findings
}

/// A finding with what it belongs to.
struct AttributedFinding {
    finding: Finding,
    /// The statement that the specifications in question are attached to.
    anchor: Option<StatementId>,
    /// The array that is spoken of, by name, and the statement of its computation.
    array: Option<(StatementId, String)>,
    /// These specifications, and what the finding would have done with each.
    edits: CommentEdits,
}

impl AttributedFinding {
    fn at_statement(finding: Finding, anchor: StatementId, comments: impl IntoIterator<Item = usize>) -> Self {
        let edits = comments.into_iter().map(|number| (number, fix::CommentEdit::default())).collect();
        AttributedFinding { finding, anchor: Some(anchor), array: None, edits }
    }

    fn unattached(finding: Finding) -> Self {
        AttributedFinding { finding, anchor: None, array: None, edits: CommentEdits::new() }
    }
}

struct Checking<'s, 'c> {
    input: CheckInput<'s>,
    solver: &'c mut dyn Solver,
    found: Vec<AttributedFinding>,
    /// The specifications for which a shorter one has been told.
    shortened: BTreeSet<usize>,
}

/// The claims of one group on one array.
struct ClaimGroup<'s> {
    /// Those that clash with none before them.
    standing: Vec<DenotedClaim<'s>>,
    /// Those that clash with one.
    clashing: Vec<DenotedClaim<'s>>,
    /// Those that have no meaning for the array, each with the finding.
    meaningless: Vec<(Claim<'s>, Finding)>,
    /// Whether nothing is wrong with them but that something is said twice.
    all_stand: bool,
}

impl<'s> ClaimGroup<'s> {
    /// The claims that name a dimension which the array has not.
    fn beyond_the_rank(&self) -> impl Iterator<Item = Claim<'s>> + Clone + '_ {
        let is_beyond = |(_, finding): &&(Claim<'s>, Finding)| finding.rule == &rules::INVALID_DIMENSION;
        self.meaningless.iter().filter(is_beyond).map(|(claim, _)| *claim)
    }
}

impl<'s> Checking<'s, '_> {
    fn report(&mut self, finding: Finding, claim: &Claim<'_>, edits: CommentEdits) {
        let array = Some((claim.computation.statement, claim.array.name()));
        self.found.push(AttributedFinding { finding, anchor: Some(claim.attached.statement), array, edits });
    }

    /// Judges all claims of one group on one array: whether they hold.
    fn check_claims(&mut self, claims: Vec<Claim<'s>>) -> bool {
        let Some(first) = claims.first().copied() else { return true };
        let access = match first.array.described {
            Ok(access) => access,
            Err(undescribed) => {
                let finding = finding::not_specifiable(self.input, &claims, undescribed);
                self.report(finding, &first, CommentEdits::from([(first.number, fix::CommentEdit::default())]));
                return false;
            }
        };
        let mut group = self.group(claims, access.into());
        let wrong = conformance::first_violation(access.into(), &group.standing, self.solver);
        self.report_meaningless(&mut group, access, wrong.is_none());
        let Some(first) = group.standing.first() else { return false };
        match wrong {
            None => {
                group.standing.iter().for_each(|denoted| self.shorten(denoted));
                group.all_stand
            }
            Some((wrong, at)) => {
                let inferred = specifications_of(access);
                let finding = finding::violation_finding(self.input, &group.standing, at, access, &wrong, &inferred);
                let edits = match wrong {
                    Violation::Undecided(_) => CommentEdits::new(),
                    _ => self.replacement(&group, access.into(), &inferred),
                };
                self.report(finding, &first.claim, edits);
                false
            }
        }
    }

    /// Reports the claims of a group without a meaning. Those that name a dimension which the array has not give way to
    /// what is inferred, or to the others, if those say all.
    fn report_meaningless(&mut self, group: &mut ClaimGroup<'s>, access: &ArrayAccess, others_hold: bool) {
        let is_exact =
            |denoted: &DenotedClaim<'_>| denoted.claim.attached.specification.approximation == Approximation::Exact;
        let inferred = specifications_of(access);
        let edits = match others_hold && group.standing.iter().any(is_exact) {
            true => fix::dropping(group.beyond_the_rank()),
            false => self.replacement(group, access.into(), &inferred),
        };
        for (claim, mut finding) in std::mem::take(&mut group.meaningless) {
            let is_fixable = finding.rule == &rules::INVALID_DIMENSION;
            if is_fixable {
                finding.notes.extend(inferred.iter().cloned().map(Note::Inferred));
            }
            let edits = if is_fixable {
                edits.clone()
            } else {
                CommentEdits::from([(claim.number, fix::CommentEdit::default())])
            };
            self.report(finding, &claim, edits);
        }
    }

    /// Gives the claims of a group their meaning, and reports those that clash with one before them.
    fn group(&mut self, claims: Vec<Claim<'s>>, reading: ArrayReads<'_>) -> ClaimGroup<'s> {
        let mut group =
            ClaimGroup { standing: Vec::new(), clashing: Vec::new(), meaningless: Vec::new(), all_stand: true };
        for claim in claims {
            let denoted = match claim::denote(self.input, claim) {
                Ok(denoted) => denoted,
                Err(finding) => {
                    group.all_stand = false;
                    group.meaningless.push((claim, *finding));
                    continue;
                }
            };
            match clash::clash(self.input, &group.standing, &denoted, self.solver) {
                None => group.standing.push(denoted),
                Some((finding, earlier)) => {
                    let is_repetition = finding.rule == &rules::DUPLICATE_SPECIFICATION;
                    let goes = match is_repetition {
                        true => Some(&denoted),
                        false => self.contradicted(&group.standing[earlier], &denoted, reading),
                    };
                    let edits = goes.map(|denoted| fix::dropping([denoted.claim])).unwrap_or_default();
                    self.report(finding, &claim, edits);
                    group.all_stand &= is_repetition;
                    group.clashing.push(denoted);
                }
            }
        }
        group
    }

    /// Of two claims that can't both hold the one that the code contradicts, the later one if it contradicts both.
    fn contradicted<'d>(
        &mut self,
        earlier: &'d DenotedClaim<'s>,
        later: &'d DenotedClaim<'s>,
        reading: ArrayReads<'_>,
    ) -> Option<&'d DenotedClaim<'s>> {
        match conformance::violation_of(reading, later, self.solver) {
            None => Some(earlier),
            Some(Violation::Undecided(_)) => None,
            Some(_) => Some(later),
        }
    }

    /// What is inferred in the place of the claims of a group; if one of those that clash holds, it stays instead.
    fn replacement(&mut self, group: &ClaimGroup<'s>, reading: ArrayReads<'_>, inferred: &[String]) -> CommentEdits {
        if inferred.is_empty() {
            return CommentEdits::new();
        }
        let holds = |claim: &&DenotedClaim<'s>| conformance::violation_of(reading, claim, self.solver).is_none();
        let (right, wrong): (Vec<_>, Vec<_>) = group.clashing.iter().partition(holds);
        let goes = group.standing.iter().chain(wrong).map(|denoted| denoted.claim).chain(group.beyond_the_rank());
        let first = goes.clone().next();
        let mut edits = fix::dropping(goes);
        if let (Some(first), true) = (first, right.is_empty()) {
            edits.entry(first.number).or_default().added.extend_from_slice(inferred);
        }
        edits
    }

    /// S021, once for each comment.
    fn shorten(&mut self, denoted: &DenotedClaim<'s>) {
        let number = denoted.claim.number;
        if self.shortened.contains(&number) {
            return;
        }
        if let Some((finding, region)) = comments::overlong(self.input, denoted) {
            self.shortened.insert(number);
            let edit = fix::CommentEdit { region: Some(region), ..fix::CommentEdit::default() };
            self.report(finding, &denoted.claim, CommentEdits::from([(number, edit)]));
        }
    }
}
