//! Checking: every specification of a file against the code below it (docs/semantics.md, section 3).
//!
//! - a *claim* is what one specification says of one array; all claims of one group on one array are judged together;
//! - code and claim are two unions of index schemes; the solver says whether they are the same set, or on the side of
//!   each other that the claim allows, and if not, gives a *witness*;
//! - a *repair* is a change of one reference after which the code conforms.
//!
//! Entry point: [`check`]; result: [`Checked`]. A specification that can't be verified gives a finding, never silence.

mod analysis;
mod attributed;
mod checked_claim;
mod claim;
mod clash;
mod comments;
mod conformance;
mod doubt;
mod finding;
mod fix;
mod input;
mod notation;
mod permuted;
mod repair;
mod rewrite;
mod sets;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::attach::{Attached, finding as finding_at, whole_span};
use super::computations::{ArrayAccess, Computation};
use super::infer::{Approximation, Covered, Language, regions_of, specifications_of};
use super::rules;
use super::spec::SpelledName;
use crate::diagnostics::{Allowances, Finding, Level, Note, Rule};
use crate::region::{Component, Interval, Unf};
use crate::solve::{Answer, Solver};
use crate::syntax::StatementId;
use crate::values::ArrayKey;

pub use analysis::{Check, CheckOptions, CheckOutcome};
pub use checked_claim::{CheckedClaim, claims};
pub use finding::WitnessRecord;
pub use input::{CheckInput, CheckRequest, Checked, ClaimFilter, Require};
pub use notation::offsets;

use attributed::{AttributedFinding, CommentEdit, CommentEdits};
use claim::{Claim, DenotedClaim};
use conformance::{ArrayReads, Violation};
use repair::{JudgedGroup, JudgedStatement, Repairs};

/// Checks the specifications of a file. The findings of the front end take part in what comments allow.
pub fn check(
    input: CheckInput<'_>,
    solver: &mut dyn Solver,
    request: CheckRequest<'_>,
    front_end: Vec<Finding>,
) -> Checked {
    let mut checking =
        Checking { input, solver, found: Vec::new(), judged: BTreeMap::new(), shortened: BTreeSet::new() };
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
                    checking.note_missing(attached, variable, &finding);
                    checking.found.push(AttributedFinding::at_statement(*finding, attached.statement, [number]));
                }
            }
        }
    }
    let mut covered = Covered::new();
    let mut told_along = BTreeSet::new();
    for ((statement, _), claims) in groups {
        let says_along = |claim: &&Claim<'_>| claim.attached.specification.region.says_along();
        told_along.extend(claims.iter().find(says_along).map(|claim| (statement, claim.array.name())));
        let numbers: Vec<usize> = claims.iter().map(|claim| claim.number).collect();
        covered.entry(statement).or_default().extend(claims.first().map(|claim| claim.array.name()));
        if !checking.check_claims(claims) {
            wrong.extend(numbers);
        }
    }
    let mut found = checking.found;
    add_hints(input, checking.judged.values(), &mut found);
    found.extend(front_end.into_iter().map(AttributedFinding::unattached));
    found.extend(comments::findings(input));
    let (inactive, in_inactive_branches) = comments::in_inactive_branches(input.scopes.tree, request);
    found.extend(inactive);
    found.extend(comments::missing(input, &covered, request.require));
    if !input.paper {
        found.extend(permuted::findings(input, &told_along));
    }
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

/// Adds what would clear all findings of a statement to them.
fn add_hints<'s, 'j>(
    input: CheckInput<'_>,
    judged: impl Iterator<Item = &'j JudgedStatement<'s>>,
    found: &mut [AttributedFinding],
) where
    's: 'j,
{
    let has_findings = |judged: &&JudgedStatement<'_>| judged.groups.iter().any(|group| group.finding.is_some());
    let all: Vec<Repairs<'_, '_>> = judged.filter(has_findings).map(|judged| Repairs::new(input, judged)).collect();
    let cleared = repair::cleared(&all);
    for repairs in &all {
        let told = repairs.likeliest(&cleared);
        repairs.findings().for_each(|number| repair::add(input, &told, &mut found[number].finding));
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
    found.retain(|AttributedFinding { finding, .. }| {
        request.levels.level(finding.rule, &finding.location.path) != Level::Off
    });
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

struct Checking<'s, 'c> {
    input: CheckInput<'s>,
    solver: &'c mut dyn Solver,
    found: Vec<AttributedFinding>,
    /// What was judged so far, by the statement of the computation.
    judged: BTreeMap<StatementId, JudgedStatement<'s>>,
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
    /// Notes that a specified array is not read (which the next finding is going to say).
    fn note_missing(&mut self, attached: &'s Attached, variable: &'s SpelledName, finding: &Finding) {
        let computation = claim::computation_of(self.input, attached.statement);
        if let (Some(computation), true) = (computation, finding.rule == &rules::ARRAY_NOT_READ) {
            let finding = Some(self.found.len());
            let group = JudgedGroup { array: None, name: &variable.text, claims: vec![attached], finding };
            self.judge(computation, group);
        }
    }

    /// Notes what became of a group of claims; `has_finding`: whether the last finding is on it.
    fn note_judged(&mut self, claims: &[Claim<'s>], has_finding: bool) {
        let Some(first) = claims.first() else { return };
        let array = first.computation.arrays.iter().position(|array| match array {
            Ok(access) => access.array == *first.array.key(),
            Err(undescribed) => undescribed.array == *first.array.key(),
        });
        let group = JudgedGroup {
            array,
            name: &first.variable.text,
            claims: claims.iter().map(|claim| claim.attached).collect(),
            finding: if has_finding { self.found.len().checked_sub(1) } else { None },
        };
        self.judge(first.computation, group);
    }

    fn judge(&mut self, computation: &'s Computation, group: JudgedGroup<'s>) {
        let fresh = JudgedStatement { computation, groups: Vec::new() };
        self.judged.entry(computation.statement).or_insert(fresh).groups.push(group);
    }

    fn report(&mut self, finding: Finding, claim: &Claim<'_>, edits: CommentEdits) {
        let array = Some((claim.computation.statement, claim.array.name()));
        self.found.push(AttributedFinding { finding, anchor: Some(claim.attached.statement), array, edits });
    }

    /// Judges all claims of one group on one array: whether they hold.
    fn check_claims(&mut self, claims: Vec<Claim<'s>>) -> bool {
        let Some(first) = claims.first().copied() else { return true };
        let access = match claims.iter().map(Claim::access).find(Result::is_err).unwrap_or(first.access()) {
            Ok(access) => access,
            Err(undescribed) => {
                let finding = finding::not_specifiable(self.input, first, undescribed);
                self.report(finding, &first, CommentEdits::from([(first.number, CommentEdit::default())]));
                self.note_judged(&claims, true);
                return false;
            }
        };
        let mut group = self.group(claims, access.into());
        let standing: Vec<Claim<'s>> = group.standing.iter().map(|denoted| denoted.claim).collect();
        let wrong = conformance::first_violation(access.into(), &group.standing, self.solver);
        self.report_meaningless(&mut group, access, wrong.is_none());
        let Some(first) = group.standing.first() else { return false };
        match wrong {
            None => {
                group.standing.iter().for_each(|denoted| self.shorten(denoted));
                self.tighten(&group, access);
                self.note_judged(&standing, false);
                group.all_stand
            }
            Some((wrong, at)) => {
                let inferred = specifications_of(access, self.language(&group));
                let finding = finding::violation_finding(self.input, &group.standing, at, access, &wrong, &inferred);
                let is_judged = finding.rule != &rules::NOT_CHECKED && finding.rule != &rules::UNDECIDED;
                let edits = match is_judged {
                    true => self.replacement(&group, access.into(), &inferred),
                    false => CommentEdits::new(),
                };
                self.report(finding, &first.claim, edits);
                self.note_judged(&standing, wrong.is_of_reads());
                false
            }
        }
    }

    /// Reports the claims of a group without a meaning. Those that name a dimension which the array has not give way to
    /// what is inferred, or to the others, if those say all.
    fn report_meaningless(&mut self, group: &mut ClaimGroup<'s>, access: &ArrayAccess, others_hold: bool) {
        let is_exact =
            |denoted: &DenotedClaim<'_>| denoted.claim.attached.specification.approximation == Approximation::Exact;
        let inferred = specifications_of(access, self.language(group));
        let edits = match others_hold && group.standing.iter().any(is_exact) {
            true => fix::dropping(group.beyond_the_rank()),
            false => self.replacement(group, access.into(), &inferred),
        };
        for (claim, mut finding) in std::mem::take(&mut group.meaningless) {
            let is_fixable = finding.rule == &rules::INVALID_DIMENSION;
            if is_fixable {
                finding.notes.extend(inferred.iter().cloned().map(Note::Inferred));
            }
            let edits =
                if is_fixable { edits.clone() } else { CommentEdits::from([(claim.number, CommentEdit::default())]) };
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

    /// The language in which what is inferred is put beside the claims of a group: with fixed indices, if these have
    /// some.
    fn language(&self, group: &ClaimGroup<'_>) -> Language {
        let have_fixed = group.standing.iter().any(|denoted| {
            let components = denoted.meaning.union.schemes().iter().flat_map(|scheme| &scheme.components);
            components.into_iter().any(|one| matches!(one, Component::Within(interval) if interval.fixed().is_some()))
        });
        Language { paper: self.input.paper, fixed: have_fixed }
    }

    /// S026, once for the bounds of a group on an array that hold.
    fn tighten(&mut self, group: &ClaimGroup<'s>, access: &ArrayAccess) {
        let is_bound =
            |denoted: &&DenotedClaim<'s>| denoted.claim.attached.specification.approximation != Approximation::Exact;
        let may_tell = group.all_stand && !self.input.paper;
        let Some(first) = group.standing.iter().find(is_bound).filter(|_| may_tell) else { return };
        let language = self.language(group);
        let regions = regions_of(access, language);
        let is_exact = matches!(regions.as_slice(), [(Approximation::Exact, _)]);
        let are_loose = group.standing.iter().filter(is_bound).any(|denoted| self.is_loose(denoted, &regions));
        if !(is_exact || are_loose) {
            return;
        }
        let how = if is_exact { "exactly" } else { "by a tighter bound" };
        let message = format!("What is read of '{}' can be specified {how}", first.claim.variable.text);
        let span = whole_span(&first.claim.attached.text);
        let mut finding = finding_at(self.input.scopes.tree, &rules::BOUND_NOT_TIGHT, span, message);
        let inferred = specifications_of(access, language);
        finding.notes.extend(inferred.iter().cloned().map(Note::Inferred));
        let edits = self.replacement(group, access.into(), &inferred);
        self.report(finding, &first.claim, edits);
    }

    /// Whether one of the bounds that can be said of the code lies nearer to it than a claim.
    fn is_loose(&mut self, denoted: &DenotedClaim<'s>, regions: &[(Approximation, Unf<Interval>)]) -> bool {
        let approximation = denoted.claim.attached.specification.approximation;
        let claimed = denoted.meaning.union.to_index();
        regions.iter().filter(|(bound, _)| *bound == approximation).any(|(bound, region)| {
            let tight = region.to_index();
            let (larger, smaller) = match bound {
                Approximation::AtLeast => (&tight, &claimed),
                Approximation::Exact | Approximation::AtMost => (&claimed, &tight),
            };
            let differs = matches!(self.solver.difference(larger, smaller), Answer::Witness(_));
            differs && self.solver.difference(smaller, larger) == Answer::Empty
        })
    }

    /// S021, once for each comment.
    fn shorten(&mut self, denoted: &DenotedClaim<'s>) {
        let number = denoted.claim.number;
        if self.shortened.contains(&number) {
            return;
        }
        if let Some((finding, region)) = comments::overlong(self.input, denoted) {
            self.shortened.insert(number);
            let edit = CommentEdit { region: Some(region), ..CommentEdit::default() };
            self.report(finding, &denoted.claim, CommentEdits::from([(number, edit)]));
        }
    }
}
