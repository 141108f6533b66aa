//! Checking: every specification of a file against the code below it (docs/semantics.md, section 3).
//!
//! - a *claim* is what one specification says of one array; all claims of one group on one array are judged together;
//! - code and claim are two unions of index schemes; the solver says whether they are the same set, or on the side of each other
//!   that the claim allows, and if not, gives a *witness*;
//! - a *repair* is a change of one reference after which the code conforms.
//!
//! Entry point: [`check`]; result: [`Checked`]. A specification that can't be verified gives a finding, never silence.

mod analysis;
mod claim;
mod claimed;
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
use std::path::Path;

use super::attach::{RegionScopes, Specifications};
use super::computations::{ArrayAccess, ArrayKey, Computation};
use super::infer::{Approximation, Covered, Inference, specifications_of};
use super::rules;
use crate::diagnostics::{Allowances, Finding, Level, Levels, Location, Note, Registry, Rule};
use crate::solve::Solver;
use crate::source::Span;
use crate::syntax::StatementId;

pub use analysis::{Check, CheckOptions, CheckOutcome};
pub use claimed::{JudgedClaim, claims};
pub use finding::WitnessRecord;

use claim::{Claim, Denoted};
use fix::Plans;
use verdict::{Reading, Wrong};

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
pub type Only<'o> = dyn Fn(&Location, &str) -> bool + 'o;

/// What is asked of a file, and what of it is not told.
#[derive(Clone, Copy)]
pub struct Demands<'d> {
    /// Which computations must have a specification.
    pub require: Require,
    /// The rules that there are.
    pub registry: Registry,
    /// The levels of the rules. What is off is not told, and not fixed.
    pub levels: &'d Levels,
    /// Whether a file is checked by itself too: what is not compiled of it is no matter of a file that includes it.
    pub is_checked_itself: &'d dyn Fn(&Path) -> bool,
    /// If given, of which claims alone to tell.
    pub only: Option<&'d Only<'d>>,
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
    pub spoken_of: Covered,
    /// The rules by which something in the named file is an error that no comment allows, whatever the configuration
    /// makes of them.
    pub broken: BTreeSet<&'static Rule>,
    /// Number of stencil and access specifications among the comments, malformed ones included.
    pub specifications: usize,
    /// Number of them that were verified and hold for each of their arrays.
    pub holding: usize,
}

/// Checks the specifications of a file. The findings of the front end take part in what comments allow.
pub fn check(subject: Subject<'_>, solver: &mut dyn Solver, demands: Demands<'_>, front_end: Vec<Finding>) -> Checked {
    let mut checking = Checking { subject, solver, found: Vec::new(), shortened: BTreeSet::new() };
    let mut wrong: BTreeSet<usize> = BTreeSet::new();
    let mut groups: BTreeMap<(StatementId, ArrayKey), Vec<Claim<'_>>> = BTreeMap::new();
    for (number, attached) in subject.specifications.attached.iter().enumerate() {
        for variable in &attached.specification.variables {
            match claim::locate(subject, number, attached, variable) {
                Ok(claim) => {
                    groups.entry((claim.computation.statement, claim.array.key().clone())).or_default().push(claim);
                }
                Err(finding) => {
                    wrong.insert(number);
                    checking.found.push(Found::on(*finding, attached.statement, [number]));
                }
            }
        }
    }
    let mut spoken_of = Covered::new();
    for ((statement, _), claims) in groups {
        let numbers: Vec<usize> = claims.iter().map(|claim| claim.number).collect();
        spoken_of.entry(statement).or_default().extend(claims.first().map(|claim| claim.array.name()));
        if !checking.judge(claims) {
            wrong.extend(numbers);
        }
    }
    let mut found = checking.found;
    found.extend(front_end.into_iter().map(Found::alone));
    found.extend(comments::findings(subject));
    let (inactive, in_inactive_branches) = comments::in_inactive_branches(subject.scopes.tree, demands);
    found.extend(inactive);
    found.extend(comments::missing(subject, &spoken_of, demands.require));
    let found = silence(subject, found, demands);
    let attached = subject.specifications.attached.len();
    Checked {
        broken: broken(subject, &found),
        findings: told(subject, found, demands),
        spoken_of,
        specifications: attached + subject.specifications.lost + in_inactive_branches,
        holding: attached - wrong.len(),
    }
}

/// What no comment allows, and the comments that allow nothing.
fn silence(subject: Subject<'_>, mut found: Vec<Found>, demands: Demands<'_>) -> Vec<Found> {
    let mut allowances = Allowances::read(&subject.scopes.tree.source, demands.registry);
    found.retain(|found| {
        let anchor = found.anchor.map(|statement| subject.place_of(statement));
        !allowances.silence(&found.finding, anchor.as_ref())
    });
    // What is missing may be asked for in another run.
    let is_asked = |rule: &Rule| rule.options.is_empty() || demands.require == Require::All;
    let unused = allowances.unused(|rule| rule.is_reported_by("check") && is_asked(rule));
    found.extend(unused.map(Found::alone));
    found.extend(allowances.faults.into_iter().map(Found::alone));
    found
}

/// The rules that the named file breaks by an error.
fn broken(subject: Subject<'_>, found: &[Found]) -> BTreeSet<&'static Rule> {
    let here = &subject.scopes.tree.source.texts.root().path;
    let findings = found.iter().map(|found| &found.finding);
    let errors = findings.filter(|one| one.rule.level == Level::Error && one.location.path == *here);
    errors.map(|finding| finding.rule).collect()
}

/// What is told of what was found, by place. Fixes come last: they change no more than what is told.
fn told(subject: Subject<'_>, mut found: Vec<Found>, demands: Demands<'_>) -> Vec<Finding> {
    found.retain(|found| demands.levels.level(found.finding.rule) != Level::Off);
    if let Some(only) = demands.only {
        found.retain(|found| {
            let is_wanted = |(statement, name): &(StatementId, String)| only(&subject.place_of(*statement), name);
            found.array.as_ref().is_some_and(is_wanted)
        });
    }
    fix::attach_fixes(subject, &mut found);
    let mut findings: Vec<Finding> = found.into_iter().map(|found| found.finding).collect();
    findings.sort_by(|left, right| (&left.location, left.rule.code).cmp(&(&right.location, right.rule.code)));
    findings
}

/// A finding with what it belongs to.
struct Found {
    finding: Finding,
    /// The statement that the specifications in question are attached to.
    anchor: Option<StatementId>,
    /// The array that is spoken of, by name, and the statement of its computation.
    array: Option<(StatementId, String)>,
    /// These specifications, and what the finding would have done with each.
    plans: Plans,
}

impl Found {
    fn on(finding: Finding, anchor: StatementId, comments: impl IntoIterator<Item = usize>) -> Self {
        let plans = comments.into_iter().map(|number| (number, fix::Plan::default())).collect();
        Found { finding, anchor: Some(anchor), array: None, plans }
    }

    fn alone(finding: Finding) -> Self {
        Found { finding, anchor: None, array: None, plans: Plans::new() }
    }
}

struct Checking<'s, 'c> {
    subject: Subject<'s>,
    solver: &'c mut dyn Solver,
    found: Vec<Found>,
    /// The specifications for which a shorter one has been told.
    shortened: BTreeSet<usize>,
}

/// The claims of one group on one array.
struct Group<'s> {
    /// Those that clash with none before them.
    standing: Vec<Denoted<'s>>,
    /// Those that clash with one.
    clashing: Vec<Denoted<'s>>,
    /// Those that have no meaning for the array, each with the finding.
    meaningless: Vec<(Claim<'s>, Finding)>,
    /// Whether nothing is wrong with them but that something is said twice.
    all_stand: bool,
}

impl<'s> Group<'s> {
    /// The claims that name a dimension which the array has not.
    fn beyond_the_rank(&self) -> impl Iterator<Item = Claim<'s>> + Clone + '_ {
        let is_beyond = |(_, finding): &&(Claim<'s>, Finding)| finding.rule == &rules::INVALID_DIMENSION;
        self.meaningless.iter().filter(is_beyond).map(|(claim, _)| *claim)
    }
}

impl<'s> Checking<'s, '_> {
    fn report(&mut self, finding: Finding, claim: &Claim<'_>, plans: Plans) {
        let array = Some((claim.computation.statement, claim.array.name()));
        self.found.push(Found { finding, anchor: Some(claim.attached.statement), array, plans });
    }

    /// Judges all claims of one group on one array: whether they hold.
    fn judge(&mut self, claims: Vec<Claim<'s>>) -> bool {
        let Some(first) = claims.first().copied() else { return true };
        let access = match first.array.described {
            Ok(access) => access,
            Err(undescribed) => {
                let finding = finding::not_specifiable(self.subject, &claims, undescribed);
                self.report(finding, &first, Plans::from([(first.number, fix::Plan::default())]));
                return false;
            }
        };
        let mut group = self.group(claims, access.into());
        let wrong = verdict::first_wrong(access.into(), &group.standing, self.solver);
        self.report_meaningless(&mut group, access, wrong.is_none());
        let Some(first) = group.standing.first() else { return false };
        match wrong {
            None => {
                group.standing.iter().for_each(|denoted| self.shorten(denoted));
                group.all_stand
            }
            Some((wrong, at)) => {
                let inferred = specifications_of(access);
                let finding = finding::of_verdict(self.subject, &group.standing, at, access, &wrong, &inferred);
                let plans = match wrong {
                    Wrong::Undecided(_) => Plans::new(),
                    _ => self.replacement(&group, access.into(), &inferred),
                };
                self.report(finding, &first.claim, plans);
                false
            }
        }
    }

    /// Reports the claims of a group without a meaning. Those that name a dimension which the array has not give way to what is inferred,
    /// or to the others, if those say all.
    fn report_meaningless(&mut self, group: &mut Group<'s>, access: &ArrayAccess, others_hold: bool) {
        let is_exact =
            |denoted: &Denoted<'_>| denoted.claim.attached.specification.approximation == Approximation::Exact;
        let inferred = specifications_of(access);
        let plans = match others_hold && group.standing.iter().any(is_exact) {
            true => fix::dropping(group.beyond_the_rank()),
            false => self.replacement(group, access.into(), &inferred),
        };
        for (claim, mut finding) in std::mem::take(&mut group.meaningless) {
            let is_fixable = finding.rule == &rules::INVALID_DIMENSION;
            if is_fixable {
                finding.notes.extend(inferred.iter().cloned().map(Note::Inferred));
            }
            let plans = if is_fixable { plans.clone() } else { Plans::from([(claim.number, fix::Plan::default())]) };
            self.report(finding, &claim, plans);
        }
    }

    /// Gives the claims of a group their meaning, and reports those that clash with one before them.
    fn group(&mut self, claims: Vec<Claim<'s>>, reading: Reading<'_>) -> Group<'s> {
        let mut group = Group { standing: Vec::new(), clashing: Vec::new(), meaningless: Vec::new(), all_stand: true };
        for claim in claims {
            let denoted = match claim::denote(self.subject, claim) {
                Ok(denoted) => denoted,
                Err(finding) => {
                    group.all_stand = false;
                    group.meaningless.push((claim, *finding));
                    continue;
                }
            };
            match clash::clash(self.subject, &group.standing, &denoted, self.solver) {
                None => group.standing.push(denoted),
                Some((finding, earlier)) => {
                    let is_repetition = finding.rule == &rules::DUPLICATE_SPECIFICATION;
                    let goes = match is_repetition {
                        true => Some(&denoted),
                        false => self.contradicted(&group.standing[earlier], &denoted, reading),
                    };
                    let plans = goes.map(|denoted| fix::dropping([denoted.claim])).unwrap_or_default();
                    self.report(finding, &claim, plans);
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
        earlier: &'d Denoted<'s>,
        later: &'d Denoted<'s>,
        reading: Reading<'_>,
    ) -> Option<&'d Denoted<'s>> {
        match verdict::wrong_with(reading, later, self.solver) {
            None => Some(earlier),
            Some(Wrong::Undecided(_)) => None,
            Some(_) => Some(later),
        }
    }

    /// What is inferred in the place of the claims of a group; if one of those that clash holds, it stays instead.
    fn replacement(&mut self, group: &Group<'s>, reading: Reading<'_>, inferred: &[String]) -> Plans {
        if inferred.is_empty() {
            return Plans::new();
        }
        let holds = |claim: &&Denoted<'s>| verdict::wrong_with(reading, claim, self.solver).is_none();
        let (right, wrong): (Vec<_>, Vec<_>) = group.clashing.iter().partition(holds);
        let goes = group.standing.iter().chain(wrong).map(|denoted| denoted.claim).chain(group.beyond_the_rank());
        let first = goes.clone().next();
        let mut plans = fix::dropping(goes);
        if let (Some(first), true) = (first, right.is_empty()) {
            plans.entry(first.number).or_default().added.extend_from_slice(inferred);
        }
        plans
    }

    /// S021, once for each comment.
    fn shorten(&mut self, denoted: &Denoted<'s>) {
        let number = denoted.claim.number;
        if self.shortened.contains(&number) {
            return;
        }
        if let Some((finding, region)) = comments::overlong(self.subject, denoted) {
            self.shortened.insert(number);
            let plan = fix::Plan { region: Some(region), ..fix::Plan::default() };
            self.report(finding, &denoted.claim, Plans::from([(number, plan)]));
        }
    }
}
