//! A computation as it would be after one change, and whether what is specified of it holds then.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::stencil::attach::Attached;
use crate::analysis::stencil::check::claim;
use crate::analysis::stencil::check::conformance::{ArrayReads, violation};
use crate::analysis::stencil::check::input::CheckInput;
use crate::analysis::stencil::check::sets::{self, ComparedSets};
use crate::analysis::stencil::computations::{ClassifiedRead, Computation, LeftSide, relate};
use crate::analysis::stencil::spec::Approximation;
use crate::solve::Native;
use crate::source::Span;

/// Which array of a computation: one that is read, by its number, or one that is specified and not read, by the number
/// of its group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ArrayId {
    /// One that is read.
    Read(usize),
    /// One that is not.
    Missing(usize),
}

/// What is specified of one array of a computation.
#[derive(Clone, Debug)]
pub struct JudgedGroup<'s> {
    /// The array by its number in the computation; `None` if it is not read.
    pub array: Option<usize>,
    /// Its name as spelt in the specification.
    pub name: &'s str,
    /// What is specified.
    pub claims: Vec<&'s Attached>,
    /// The finding on it that a change of the code could clear, by its number; `None` where nothing is wrong.
    pub finding: Option<usize>,
}

/// All that is specified of a computation.
#[derive(Clone, Debug)]
pub struct JudgedStatement<'s> {
    /// The computation.
    pub computation: &'s Computation,
    /// The arrays.
    pub groups: Vec<JudgedGroup<'s>>,
}

impl<'s> JudgedStatement<'s> {
    /// The array of a group.
    pub fn array_of(&self, group: usize) -> ArrayId {
        self.groups[group].array.map_or(ArrayId::Missing(group), ArrayId::Read)
    }

    /// The reads of an array as they are.
    pub fn reads(&self, array: ArrayId) -> &'s [ClassifiedRead] {
        match array {
            ArrayId::Missing(_) => &[],
            ArrayId::Read(at) => match &self.computation.arrays[at] {
                Ok(access) => &access.classified,
                Err(undescribed) => &undescribed.classified,
            },
        }
    }

    /// How an array is spelt.
    pub fn spelling(&self, array: ArrayId) -> &str {
        match array {
            ArrayId::Missing(group) => self.groups[group].name,
            ArrayId::Read(at) => match &self.computation.arrays[at] {
                Ok(access) => &access.spelling,
                Err(undescribed) => &undescribed.spelling,
            },
        }
    }

    /// The arrays with a finding.
    pub fn failing(&self) -> Vec<ArrayId> {
        let groups = (0..self.groups.len()).filter(|&group| self.groups[group].finding.is_some());
        groups.map(|group| self.array_of(group)).collect()
    }
}

/// What a change makes of a computation.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// The left side, if it changes.
    pub left: Option<LeftSide>,
    /// The reads of the arrays that change.
    pub reads: BTreeMap<ArrayId, Vec<ClassifiedRead>>,
}

/// Whether after a change all holds that is specified of a computation.
pub fn conforms(input: CheckInput<'_>, judged: &JudgedStatement<'_>, changed: &Changed) -> bool {
    let left = changed.left.as_ref().unwrap_or(&judged.computation.left);
    (0..judged.groups.len()).all(|number| {
        let group = &judged.groups[number];
        let array = judged.array_of(number);
        match changed.reads.get(&array) {
            Some(reads) => holds(input, left, &group.claims, reads),
            None if changed.left.is_some() => holds(input, left, &group.claims, judged.reads(array)),
            None => group.finding.is_none(),
        }
    })
}

/// The references to an array one of which must be changed if one change is to be enough: the one that is not allowed,
/// one of two that must not be the same; all, where nothing is wrong but what is missing; none, where one change can't
/// be enough.
pub fn suspects(input: CheckInput<'_>, judged: &JudgedStatement<'_>, array: ArrayId) -> BTreeSet<Span> {
    let reads = judged.reads(array);
    let mut suspects: BTreeSet<Span> = reads.iter().map(|read| read.span).collect();
    let Ok(relation) = relate(&judged.computation.left, reads, input.paper) else { return suspects };
    let mut must_be_among = |spans: &BTreeSet<Span>| suspects.retain(|span| spans.contains(span));
    let groups = (0..judged.groups.len()).filter(|&group| judged.array_of(group) == array);
    for attached in groups.flat_map(|group| &judged.groups[group].claims) {
        let said = &attached.specification;
        if said.approximation != Approximation::AtLeast
            && let Ok(meaning) = claim::meaning(input, attached, relation.usual.len(), &relation.usual)
        {
            let outside = ComparedSets::new(&relation.reads, &meaning.union).outside();
            let guilty: BTreeSet<Span> = outside.into_iter().map(|at| relation.reads[at].span).collect();
            match guilty.len() {
                0 => {}
                1 => must_be_among(&guilty),
                _ => return BTreeSet::new(),
            }
        }
        if said.read_once {
            for spans in sets::repeated(reads) {
                if spans.len() > 2 {
                    return BTreeSet::new();
                }
                must_be_among(&spans);
            }
        }
    }
    suspects
}

/// Whether specifications hold for some reads of an array.
fn holds(input: CheckInput<'_>, left: &LeftSide, claims: &[&Attached], reads: &[ClassifiedRead]) -> bool {
    if reads.is_empty() {
        return false;
    }
    let Ok(relation) = relate(left, reads, input.paper) else { return false };
    let rank = relation.usual.len();
    claims.iter().all(|attached| {
        let meaning = claim::meaning(input, attached, rank, &relation.usual);
        meaning.is_ok_and(|meaning| {
            let reading = ArrayReads::from(&relation);
            violation(reading, &attached.specification, &meaning.union, &mut Native::default()).is_none()
        })
    })
}
