//! Repair hints: which change of one reference makes the code conform.
//!
//! The bug that a specification exists to catch is one wrong sign, a distance off by one, two swapped indices, or the
//! name of another array. So these changes are tried on the references that flow to the computation, one at a time;
//! where the code then conforms, that is a hint. It is no verdict, and decided by the native procedure.

use std::collections::{BTreeMap, BTreeSet};

use super::claim::{self, ComputationArray, DenotedClaim};
use super::conformance::{ArrayReads, first_violation};
use super::finding::not_allowed;
use super::{CheckInput, notation};
use crate::analysis::stencil::computations::{Axis, ClassifiedRead, Computation, Coordinate, Relation, relate};
use crate::diagnostics::{Finding, Location, Note, Suggestion};
use crate::solve::Native;
use crate::source::Span;

/// Hints that are given.
const MOST_REPAIRS: usize = 3;
/// Reads beyond which no change is tried: the time grows with their square.
const MOST_READS: usize = 200;

/// The claims on one array, and how it is read.
#[derive(Clone, Copy)]
pub struct Target<'t> {
    /// The claims.
    pub claims: &'t [DenotedClaim<'t>],
    /// The computation.
    pub computation: &'t Computation,
    /// The reads of the array.
    pub classified: &'t [ClassifiedRead],
}

/// Adds the likeliest repairs, and a note on each.
pub fn add(input: CheckInput<'_>, finding: &mut Finding, target: Target<'_>) {
    for candidate in repairs(input, target) {
        let span = candidate.span;
        let location = Location::of(&input.scopes.tree.source.texts, span);
        let place = if location.start.line == finding.location.start.line && location.path == finding.location.path {
            String::new()
        } else {
            format!(" in line {}", location.start.line)
        };
        let Some(now) = notation::compact(input.scopes.tree, span) else { continue };
        let replacement = candidate.replacement;
        let note = Note::Remark(format!("The code conforms if '{now}'{place} is made '{replacement}'"));
        // Of two references that are the same either may be the one.
        if !finding.notes.contains(&note) {
            finding.notes.push(note);
        }
        finding.suggestions.push(Suggestion { location, replacement });
    }
}

/// A change of one reference.
struct Candidate {
    span: Span,
    replacement: String,
    likelihood: Likelihood,
}

/// What the candidates are sorted by: the kind of slip, then the order in which people write reads, then the place.
type Likelihood = (Slip, Disorder, Span);

/// The kinds of slips, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Slip {
    Sign,
    OffByOne,
    Swap,
    Name,
}

fn repairs(input: CheckInput<'_>, target: Target<'_>) -> Vec<Candidate> {
    if target.claims.is_empty() || target.classified.len() > MOST_READS {
        return Vec::new();
    }
    let mut candidates = Vec::new();
    for span in suspects(target, input.paper) {
        candidates.extend(changed_subscripts(input, target, span));
        candidates.extend(renamed_away(input, target, span));
    }
    candidates.extend(renamed_to(input, target));
    candidates.sort_by_key(|candidate: &Candidate| candidate.likelihood);
    let mut reported = BTreeSet::new();
    candidates.retain(|candidate| reported.insert((candidate.span, candidate.replacement.clone())));
    candidates.truncate(MOST_REPAIRS);
    candidates
}

/// The groups of references with the same subscripts, by place; those that stand alone are left out.
pub fn repeated(classified: &[ClassifiedRead]) -> Vec<BTreeSet<Span>> {
    let mut by_subscripts: BTreeMap<&[Coordinate], BTreeSet<Span>> = BTreeMap::new();
    for read in classified {
        by_subscripts.entry(&read.coordinates).or_default().insert(read.span);
    }
    by_subscripts.into_values().filter(|spans| spans.len() > 1).collect()
}

/// The references that must be changed if one change is to be enough: every read that is not allowed, one of two that
/// must not be the same; all, where nothing is wrong but what is missing; none, where one change can't be enough.
fn suspects(target: Target<'_>, paper: bool) -> BTreeSet<Span> {
    let all: BTreeSet<Span> = target.classified.iter().map(|read| read.span).collect();
    let Ok(relation) = relate(&target.computation.left, target.classified, paper) else { return all };
    let mut suspects = all;
    let mut must_be_among = |spans: BTreeSet<Span>| suspects.retain(|span| spans.contains(span));
    for claim in target.claims {
        let said = &claim.claim.attached.specification;
        if said.approximation != crate::analysis::stencil::infer::Approximation::AtLeast {
            let guilty: BTreeSet<Span> = not_allowed((&relation).into(), claim).iter().map(|read| read.span).collect();
            match guilty.len() {
                0 => {}
                1 => must_be_among(guilty),
                _ => return BTreeSet::new(),
            }
        }
        if said.read_once {
            for spans in repeated(target.classified) {
                if spans.len() > 2 {
                    return BTreeSet::new();
                }
                must_be_among(spans);
            }
        }
    }
    suspects
}

/// A change of the subscripts of a reference.
struct SubscriptChange {
    slip: Slip,
    /// Two dimensions whose coordinates change places.
    swapped: Option<(usize, usize)>,
    /// Dimensions with what is added to their constants.
    shifted: Vec<(usize, i64)>,
    /// The subscripts that stand there then.
    subscripts: Vec<String>,
}

impl SubscriptChange {
    /// Changes a read; `None` where there is no such one.
    fn apply(&self, read: &mut ClassifiedRead) -> Option<()> {
        if let Some((one, other)) = self.swapped {
            read.coordinates.swap(one, other);
        }
        self.shifted.iter().try_for_each(|&(dimension, by)| shift(read, dimension, by))
    }
}

/// Changes of the subscripts of a reference after which the claims hold.
fn changed_subscripts(input: CheckInput<'_>, target: Target<'_>, span: Span) -> Vec<Candidate> {
    let pattern = target.classified.iter().find(|read| read.span == span);
    // Of what is not written there nothing can be changed there.
    let Some(pattern) = pattern.filter(|read| read.is_plain) else { return Vec::new() };
    let written = pattern.subscripts.iter().map(|(span, _)| notation::compact(input.scopes.tree, *span));
    let Some(written) = written.collect::<Option<Vec<String>>>() else { return Vec::new() };
    let changes = slips(input, pattern, &written).into_iter().chain(swaps(input, pattern, &written));
    let candidate = |change: SubscriptChange| {
        let mut reads = target.classified.to_vec();
        reads.iter_mut().filter(|read| read.span == span).try_for_each(|read| change.apply(read))?;
        if !conforms(input, target, &reads) {
            return None;
        }
        let replacement = notation::reference_with(input.scopes.tree, pattern, &change.subscripts)?;
        let likelihood = (change.slip, disorder(change.slip, target, pattern, &reads), span);
        Some(Candidate { span, replacement, likelihood })
    };
    changes.filter_map(candidate).collect()
}

/// Another sign, or one more or less, in one subscript.
fn slips(input: CheckInput<'_>, pattern: &ClassifiedRead, written: &[String]) -> Vec<SubscriptChange> {
    let mut changes = Vec::new();
    for (dimension, coordinate) in pattern.coordinates.iter().enumerate() {
        let Coordinate::Relative(axis, _) = *coordinate else { continue };
        let (span, constant) = pattern.subscripts[dimension];
        let slips = [
            (Slip::Sign, constant.checked_neg()),
            (Slip::OffByOne, constant.checked_sub(1)),
            (Slip::OffByOne, constant.checked_add(1)),
        ];
        for (slip, changed) in slips {
            let by = changed.and_then(|changed| changed.checked_sub(constant));
            let (Some(changed), Some(by)) = (changed, by.filter(|&by| by != 0)) else { continue };
            let mut subscripts = written.to_vec();
            subscripts[dimension] = notation::index(input, axis, span, changed);
            changes.push(SubscriptChange { slip, swapped: None, shifted: vec![(dimension, by)], subscripts });
        }
    }
    changes
}

/// Two subscripts in each other's place, or their constants.
fn swaps(input: CheckInput<'_>, pattern: &ClassifiedRead, written: &[String]) -> Vec<SubscriptChange> {
    let mut changes = Vec::new();
    for one in 0..pattern.coordinates.len() {
        for other in 0..one {
            let slip = Slip::Swap;
            let mut subscripts = written.to_vec();
            subscripts.swap(one, other);
            changes.push(SubscriptChange { slip, swapped: Some((one, other)), shifted: Vec::new(), subscripts });
            let (Coordinate::Relative(first, _), Coordinate::Relative(second, _)) =
                (&pattern.coordinates[one], &pattern.coordinates[other])
            else {
                continue;
            };
            let ((of_one, here), (of_other, there)) = (pattern.subscripts[one], pattern.subscripts[other]);
            let (Some(up), Some(down)) = (there.checked_sub(here), here.checked_sub(there)) else { continue };
            let mut subscripts = written.to_vec();
            subscripts[one] = notation::index(input, *first, of_one, there);
            subscripts[other] = notation::index(input, *second, of_other, here);
            changes.push(SubscriptChange { slip, swapped: None, shifted: vec![(one, up), (other, down)], subscripts });
        }
    }
    changes
}

/// Changes a relative coordinate; `None` where there is no such number.
fn shift(read: &mut ClassifiedRead, dimension: usize, by: i64) -> Option<()> {
    if let Some(Coordinate::Relative(_, constant)) = read.coordinates.get_mut(dimension) {
        *constant = constant.checked_add(by)?;
    }
    Some(())
}

/// How far the order of the reads, once one is changed, is from the order in which they are written elsewhere in the
/// computation. Of two references that are the same by mistake either may be the wrong one: people write the offsets of
/// a statement in one direction, `a(i+1) - a(i-1)` beside `b(i+1) - b(i-1)`, and rather upwards than downwards.
fn disorder(slip: Slip, target: Target<'_>, changed: &ClassifiedRead, after: &[ClassifiedRead]) -> Disorder {
    if slip == Slip::Swap {
        let changed = after.iter().find(|read| read.span == changed.span);
        return (changed.map_or(0, |read| unusual_axes(target, read)), false);
    }
    let is_twin = |read: &ClassifiedRead| read.span != changed.span && read.coordinates == changed.coordinates;
    if !target.classified.iter().any(is_twin) {
        return Disorder::default();
    }
    let (upwards, downwards) = count_directions(after);
    let own = target.claims[0].claim.array.key();
    let (mut up_elsewhere, mut down_elsewhere) = (0, 0);
    for array in claim::arrays(target.computation).filter(|array| array.key() != own) {
        if let Ok(access) = array.described
            && access.classified.len() <= MOST_READS
        {
            let (up, down) = count_directions(&access.classified);
            up_elsewhere += up;
            down_elsewhere += down;
        }
    }
    let is_downwards = downwards > upwards;
    (upwards.min(downwards), is_downwards != (down_elsewhere > up_elsewhere))
}

/// The number of pairs against the direction of the array (of subscripts over an unusual axis), and whether that
/// direction is against that of other arrays.
type Disorder = (usize, bool);

/// How often a subscript of a read runs over another axis than that subscript does on the left side and in other
/// arrays.
fn unusual_axes(target: Target<'_>, read: &ClassifiedRead) -> usize {
    let axis = |coordinate: &Coordinate| match coordinate {
        Coordinate::Relative(axis, _) => Some(*axis),
        Coordinate::Absolute(_) => None,
    };
    let own: Vec<Option<Axis>> = read.coordinates.iter().map(axis).collect();
    let differing = |other: &[Option<Axis>]| {
        own.iter().zip(other).filter(|(one, other)| one.is_some() && other.is_some() && one != other).count()
    };
    let key = target.claims[0].claim.array.key();
    let others = claim::arrays(target.computation).filter(|array| array.key() != key);
    let reads = others.filter_map(|array| array.described.ok()).flat_map(|access| &access.classified);
    let of_reads = reads.map(|read| differing(&read.coordinates.iter().map(axis).collect::<Vec<_>>()));
    of_reads.sum::<usize>() + differing(&target.computation.left.subscripts)
}

/// Of the pairs of reads that differ in one dimension, how many are written upwards, and how many downwards.
fn count_directions(reads: &[ClassifiedRead]) -> (usize, usize) {
    let mut in_order: Vec<&ClassifiedRead> = reads.iter().collect();
    in_order.sort_by_key(|read| read.span);
    let (mut upwards, mut downwards) = (0, 0);
    for (at, first) in in_order.iter().enumerate() {
        for second in &in_order[at + 1..] {
            let mut differing = first.coordinates.iter().zip(&second.coordinates).filter(|(one, other)| one != other);
            if let (Some((one, other)), None) = (differing.next(), differing.next()) {
                *(if one < other { &mut upwards } else { &mut downwards }) += 1;
            }
        }
    }
    (upwards, downwards)
}

/// Whether all claims hold for these reads.
fn conforms(input: CheckInput<'_>, target: Target<'_>, reads: &[ClassifiedRead]) -> bool {
    if reads.is_empty() {
        return false;
    }
    match relate(&target.computation.left, reads, input.paper) {
        Ok(relation) => holds(&relation, target.claims),
        Err(_) => false,
    }
}

fn holds(relation: &Relation, claims: &[DenotedClaim<'_>]) -> bool {
    let rank = relation.reads.first().map_or(0, |read| read.offsets.len());
    let fits = claims.iter().all(|claim| claim.meaning.union.rank() == rank);
    fits && first_violation(ArrayReads::from(relation), claims, &mut Native::default()).is_none()
}

/// The same reference to another array of the computation, if that makes the claims hold.
fn renamed_away(input: CheckInput<'_>, target: Target<'_>, span: Span) -> Vec<Candidate> {
    let kept: Vec<ClassifiedRead> = target.classified.iter().filter(|read| read.span != span).cloned().collect();
    if !conforms(input, target, &kept) {
        return Vec::new();
    }
    let moved = target.classified.iter().find(|read| read.span == span);
    let Some(moved) = moved.filter(|read| read.ordinal == 0) else { return Vec::new() };
    let own = &target.claims[0].claim.array;
    let others = claim::arrays(target.computation).filter(|array| array.key() != own.key());
    let named = others.filter_map(|array| {
        let access = array.described.ok().filter(|access| access.classified.len() <= MOST_READS)?;
        let fits = access.classified.first().is_some_and(|read| read.coordinates.len() == moved.coordinates.len());
        let moved = target.classified.iter().filter(|read| read.span == span);
        let reads: Vec<ClassifiedRead> = access.classified.iter().chain(moved).cloned().collect();
        let still_holds = fits && keeps_claims(input, target, &array, &reads);
        let replacement = still_holds.then(|| renamed(input, span, own.spelling(), array.spelling()))??;
        Some(Candidate { span, replacement, likelihood: (Slip::Name, Disorder::default(), span) })
    });
    named.collect()
}

/// References to other arrays that make the claims hold if they are made references to this one.
fn renamed_to(input: CheckInput<'_>, target: Target<'_>) -> Vec<Candidate> {
    let own = &target.claims[0].claim.array;
    let rank = target.classified.first().map_or(0, |read| read.coordinates.len());
    let mut found = Vec::new();
    for other in claim::arrays(target.computation).filter(|array| array.key() != own.key()) {
        let Ok(access) = other.described else { continue };
        if access.classified.len() > MOST_READS {
            continue;
        }
        let fitting = access.classified.iter().filter(|read| read.ordinal == 0 && read.coordinates.len() == rank);
        let spans: BTreeSet<Span> = fitting.map(|read| read.span).collect();
        for span in spans {
            let moved = access.classified.iter().filter(|read| read.span == span).cloned();
            let reads: Vec<ClassifiedRead> = target.classified.iter().cloned().chain(moved).collect();
            let left: Vec<ClassifiedRead> =
                access.classified.iter().filter(|read| read.span != span).cloned().collect();
            if conforms(input, target, &reads)
                && keeps_claims(input, target, &other, &left)
                && let Some(replacement) = renamed(input, span, other.spelling(), own.spelling())
            {
                found.push(Candidate { span, replacement, likelihood: (Slip::Name, Disorder::default(), span) });
            }
        }
    }
    found
}

/// Whether what the group specifies of another array holds for these reads of it.
fn keeps_claims(
    input: CheckInput<'_>,
    target: Target<'_>,
    array: &ComputationArray<'_>,
    reads: &[ClassifiedRead],
) -> bool {
    let anchor = target.claims[0].claim.attached.statement;
    let attached = &input.specifications.attached;
    let first = attached.partition_point(|one| one.statement < anchor);
    let group = attached[first..].iter().enumerate().take_while(|(_, one)| one.statement == anchor);
    let claims: Vec<DenotedClaim<'_>> = group
        .flat_map(|(at, attached)| attached.specification.variables.iter().map(move |name| (at, attached, name)))
        .filter_map(|(at, attached, name)| claim::locate(input, first + at, attached, name).ok())
        .filter(|claim| claim.array.key() == array.key())
        .filter_map(|claim| claim::denote(input, claim).ok())
        .collect();
    claims.is_empty() || conforms(input, Target { claims: &claims, ..target }, reads)
}

/// A reference with the name of another array; only where names have no components in between.
fn renamed(input: CheckInput<'_>, span: Span, from: &str, to: &str) -> Option<String> {
    let source = notation::compact(input.scopes.tree, span)?;
    let head = source.get(..from.len())?;
    let rest = source.get(from.len()..)?;
    (head.eq_ignore_ascii_case(from) && rest.starts_with('(')).then(|| format!("{to}{rest}"))
}
