//! Relativisation, consistency and multiplicity of the reads of one root.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::contribution::{Contribution, Root};
use super::coordinate::{
    AbsoluteIndex, Axis, ClassifiedRead, Coordinate, LeftSide, classify, classify_partly, left_side,
};
use super::unit::UnitContext;
use super::{ArrayAccess, Computation, ConstantNames, Offsets, Reason, RelativeRead, Undescribed};
use crate::analysis::stencil::spec::ComputationKind;
use crate::flow::{DefinitionKind, FlowPosition, UnitFlow};
use crate::names::{Resolved, SymbolId};
use crate::region::{ANY_FIXED, Direction, Place};
use crate::source::Span;
use crate::syntax::Tree;
use crate::values::{ArrayKey, ValueContext};

/// What is read of each array, in the order of the first reads.
pub fn by_array(root: &Root) -> Vec<(ArrayKey, Vec<&Contribution>)> {
    let mut found: Vec<(ArrayKey, Vec<&Contribution>)> = Vec::new();
    let mut places: FxHashMap<&ArrayKey, usize> = FxHashMap::default();
    for contribution in &root.contributions {
        let array = &contribution.read.array;
        let place = *places.entry(array).or_insert_with(|| {
            found.push((array.clone(), Vec::new()));
            found.len() - 1
        });
        found[place].1.push(contribution);
    }
    found
}

/// Describes what a root reads of each array.
pub fn relativise(unit: &UnitContext<'_>, root: &Root, by_array: &[(ArrayKey, Vec<&Contribution>)]) -> Computation {
    let left = left_side(unit, root.position);
    let arrays = by_array.iter().map(|(array, contributions)| match mention(unit, root, array.symbol) {
        Some(span) => Err(undescribed(contributions, Reason::UnparsedStatementInFlow, span)),
        None if root.is_incomplete => {
            Err(undescribed(contributions, Reason::LoopVaryingIndex, contributions[0].read.span))
        }
        None => describe(&unit.values, root.position, &left, contributions),
    });
    let arrays = arrays.collect();
    let statement = unit.values.flow.statements[root.position];
    Computation { statement, unit: unit.values.flow.unit, left, is_root: root.is_root, arrays }
}

/// For each statement of a unit that was not understood, by its position, the symbols of the names in its text.
pub fn names_in_unparsed(tree: &Tree, resolved: &Resolved, flow: &UnitFlow) -> BTreeMap<FlowPosition, Vec<SymbolId>> {
    let mut found = BTreeMap::new();
    let unparsed = flow.effects.definitions.iter().filter(|definition| definition.kind == DefinitionKind::Unparsed);
    for definition in unparsed {
        found.entry(definition.position).or_insert_with(|| {
            let id = flow.statements[definition.position];
            let names = crate::flow::names_in_text(tree, &tree.statements[id]);
            names.filter_map(|name| resolved.symbol_at(id, name)).collect()
        });
    }
    found
}

/// The first statement that was not understood, may define a scalar on the way and mentions this symbol.
fn mention(unit: &UnitContext<'_>, root: &Root, symbol: SymbolId) -> Option<Span> {
    let mentions =
        |position: &FlowPosition| unit.names_in_unparsed.get(position).is_some_and(|all| all.contains(&symbol));
    let position = root.unparsed.iter().copied().find(mentions)?;
    let id = unit.values.flow.statements[position];
    Some(unit.values.tree.statements[id].span)
}

fn undescribed(contributions: &[&Contribution], reason: Reason, span: Span) -> Undescribed {
    let first = &contributions[0].read;
    let (array, spelling) = (first.array.clone(), first.spelling.clone());
    Undescribed { array, spelling, reason, span, classified: Vec::new(), partial: None }
}

/// Describes the reads of one array.
fn describe(
    values: &ValueContext<'_>,
    root: FlowPosition,
    left: &LeftSide,
    contributions: &[&Contribution],
) -> Result<ArrayAccess, Undescribed> {
    let first = &contributions[0].read;
    if !first.declared {
        return Err(undescribed(contributions, Reason::UndeclaredArray, first.span));
    }
    if let Some(contribution) = contributions.iter().find(|contribution| contribution.is_handed_over) {
        return Err(undescribed(contributions, Reason::ProcedureInFlow, contribution.read.span));
    }
    match classify(values, root, contributions) {
        Ok(classified) => related(left, contributions, classified, values.paper),
        Err((reason, span)) => {
            let partly = if values.paper { None } else { classify_partly(values, root, contributions) };
            let partial = partly.and_then(|classified| related(left, contributions, classified, false).ok());
            let partial = partial.map(|access| Box::new(ArrayAccess { is_partial: true, ..access }));
            Err(Undescribed { partial, ..undescribed(contributions, reason, span) })
        }
    }
}

/// What is read of an array by its classified reads.
fn related(
    left: &LeftSide,
    contributions: &[&Contribution],
    classified: Vec<ClassifiedRead>,
    paper: bool,
) -> Result<ArrayAccess, Undescribed> {
    let first = &contributions[0].read;
    match relate(left, &classified, paper) {
        Ok(Relation { kind, reads, read_once, usual }) => Ok(ArrayAccess {
            array: first.array.clone(),
            spelling: first.spelling.clone(),
            kind,
            reads,
            read_once,
            usual,
            is_partial: false,
            constant_names: constant_names(&classified),
            border: classified.iter().find_map(|read| read.border),
            classified,
        }),
        Err((reason, span)) => Err(Undescribed { classified, ..undescribed(contributions, reason, span) }),
    }
}

/// The reads of one array in relation to a left side.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The kind of the specification that the array gets.
    pub kind: ComputationKind,
    /// The reads, relative to the left side if the array is consistent with it.
    pub reads: Vec<RelativeRead>,
    /// Whether no two of them have the same subscripts.
    pub read_once: bool,
    /// For each dimension the one of the left side, from 1, that is followed there where nothing else is said.
    pub usual: Vec<Option<usize>>,
}

/// Relates the classified reads of one array, at least one, to the left side of their root.
///
/// # Errors
///
/// Why they can't be described, and the place to blame.
pub fn relate(left: &LeftSide, classified: &[ClassifiedRead], paper: bool) -> Result<Relation, (Reason, Span)> {
    let first = classified.first().map_or(Span::new(0, 0), |read| read.span);
    let is_absolute = |read: &ClassifiedRead| read.coordinates.iter().all(|one| matches!(one, Coordinate::Absolute(_)));
    if classified.iter().all(is_absolute) {
        return Err((Reason::AbsoluteOnly, first));
    }
    if let Some(problem) = left.problem {
        return Err(problem);
    }
    let frame = match paper {
        true => Frame::on_paper(left, classified),
        false => Frame::new(left, classified),
    };
    let frame = frame.map_err(|span| (Reason::InconsistentInductionVariables, span))?;
    let mut reads: Vec<RelativeRead> = Vec::with_capacity(classified.len());
    let mut known: FxHashSet<RelativeRead> = FxHashSet::with_capacity_and_hasher(classified.len(), Default::default());
    for ClassifiedRead { coordinates, span, statement, .. } in classified {
        let places = coordinates.iter().enumerate().map(|(dimension, one)| frame.place(dimension, one));
        let offsets: Option<Offsets> = places.collect();
        let offsets = offsets.ok_or((Reason::NonNeighbourIndex, *span))?;
        let read = RelativeRead { offsets, span: *span, statement: *statement };
        if known.insert(read.clone()) {
            reads.push(read);
        }
    }
    Ok(Relation { kind: left.kind, reads, read_once: !is_repeated(classified), usual: frame.usual })
}

/// What the reads of one array are told in: the left side, and which of its dimensions is followed where.
struct Frame<'l> {
    left: &'l LeftSide,
    /// For each dimension the one of the left side, from 1, that is followed there where nothing else is said.
    usual: Vec<Option<usize>>,
    paper: bool,
}

impl<'l> Frame<'l> {
    /// The frame for these reads: their dimensions over variables of the left side's relative dimensions follow these
    /// in order.
    ///
    /// # Errors
    ///
    /// The first read that does not agree with those before it: in the number of dimensions, or as both are read along
    /// a variable there that the left side has not, and not along the same.
    fn new(left: &'l LeftSide, classified: &[ClassifiedRead]) -> Result<Self, Span> {
        let free = axes_of(classified, |axis| !left.axes.contains_key(&axis))?;
        let rank = free.len();
        let is_counted = |dimension: &usize| {
            classified.iter().any(|read| match &read.coordinates[*dimension] {
                Coordinate::Relative(axis, _) => left.axes.contains_key(axis),
                Coordinate::Absolute(_) => false,
            })
        };
        if classified.iter().all(|read| read.is_factor) {
            return Ok(Frame { left, usual: of_factor(left, classified, rank), paper: false });
        }
        let mut relative = left.subscripts.iter().zip(1..).filter_map(|(axis, dimension)| axis.map(|_| dimension));
        let mut usual = vec![None; rank];
        for dimension in (0..rank).filter(is_counted) {
            usual[dimension] = relative.next();
        }
        Ok(Frame { left, usual, paper: false })
    }

    /// The frame where results are to be those of CamFort: in each dimension all reads use the same variable, and those
    /// read are a subset or a superset of those on the left.
    ///
    /// # Errors
    ///
    /// The read to blame.
    fn on_paper(left: &'l LeftSide, classified: &[ClassifiedRead]) -> Result<Self, Span> {
        let axes = axes_of(classified, |_| true)?;
        let usual = vec![None; axes.len()];
        let axes: BTreeSet<Axis> = axes.into_iter().flatten().collect();
        let on_left: BTreeSet<Axis> = left.axes.keys().copied().collect();
        match axes.is_subset(&on_left) || axes.is_superset(&on_left) {
            true => Ok(Frame { left, usual, paper: true }),
            false => Err(classified.first().map_or(Span::new(0, 0), |read| read.span)),
        }
    }

    /// The place of a coordinate on the line: `Some(None)` where it is as good as any, `None` where there is no number
    /// for it.
    fn place(&self, dimension: usize, coordinate: &Coordinate) -> Option<Option<i64>> {
        match coordinate {
            Coordinate::Absolute(_) if self.paper => Some(None),
            Coordinate::Absolute(index) => Some(index.place),
            Coordinate::Relative(axis, offset) => {
                let offset = offset.checked_sub(self.left.origin(*axis))?;
                Place::Offset(self.direction(dimension, *axis), offset).code().map(Some)
            }
        }
    }

    /// Which loop variable an axis is in a dimension.
    fn direction(&self, dimension: usize, axis: Axis) -> Direction {
        if self.paper || self.left.kind == ComputationKind::Access {
            return Direction::Usual;
        }
        let of_left = |dimension: usize| self.left.subscripts.get(dimension - 1).copied().flatten();
        match self.left.subscripts.iter().position(|one| *one == Some(axis)) {
            _ if self.usual[dimension].and_then(of_left) == Some(axis) => Direction::Usual,
            Some(at) => Direction::Along(at + 1),
            None => Direction::Free,
        }
    }
}

/// What a factor of a matrix product is expected to follow: what it follows.
fn of_factor(left: &LeftSide, classified: &[ClassifiedRead], rank: usize) -> Vec<Option<usize>> {
    let axis_in = |dimension: usize| {
        classified.iter().find_map(|read| match &read.coordinates[dimension] {
            Coordinate::Relative(axis, _) => Some(*axis),
            Coordinate::Absolute(_) => None,
        })
    };
    let followed = |axis: Axis| left.subscripts.iter().position(|one| *one == Some(axis)).map(|at| at + 1);
    (0..rank).map(|dimension| axis_in(dimension).and_then(followed)).collect()
}

/// The axis that is used in each dimension of those that `count`, if the reads agree on it (and on the number of
/// dimensions); else the first read that does not agree with those before it.
fn axes_of(classified: &[ClassifiedRead], counts: impl Fn(Axis) -> bool) -> Result<Vec<Option<Axis>>, Span> {
    let rank = classified.first().map_or(0, |read| read.coordinates.len());
    let mut axes: Vec<Option<Axis>> = vec![None; rank];
    for ClassifiedRead { coordinates, span, .. } in classified {
        if coordinates.len() != rank {
            return Err(*span);
        }
        for (known, coordinate) in axes.iter_mut().zip(coordinates) {
            if let Coordinate::Relative(axis, _) = coordinate
                && counts(*axis)
                && *known.get_or_insert(*axis) != *axis
            {
                return Err(*span);
            }
        }
    }
    Ok(axes)
}

/// The reads as specifications speak of them: of a dimension in which every read is fixed nothing is said, unless
/// `keeps` has it, from 0.
pub fn spoken(reads: &[RelativeRead], keeps: impl Fn(usize) -> bool) -> Vec<Offsets> {
    let is_fixed = |code: i64| (ANY_FIXED.0..=ANY_FIXED.1).contains(&code);
    let rank = reads.first().map_or(0, |read| read.offsets.len());
    let is_silent = |dimension: &usize| {
        let all_fixed = reads.iter().all(|read| read.offsets[*dimension].is_some_and(is_fixed));
        all_fixed && !keeps(*dimension)
    };
    let silent: Vec<usize> = (0..rank).filter(is_silent).collect();
    let spoken = |read: &RelativeRead| {
        let mut offsets = read.offsets.clone();
        silent.iter().for_each(|dimension| offsets[*dimension] = None);
        offsets
    };
    reads.iter().map(spoken).collect()
}

/// What the paper says of a read: from whichever variable an offset counts it is one, and a fixed index is as good as
/// any.
pub fn on_paper(offsets: &Offsets) -> Offsets {
    let plain = |code: &Option<i64>| match Place::of((*code)?) {
        Place::Offset(_, offset) => Some(offset),
        Place::Fixed(_) | Place::Named(_) | Place::SomeFixed => None,
    };
    offsets.iter().map(plain).collect()
}

/// The names of the constants that stand for whole subscripts, by the dimension, from 0, and the place: of several the
/// one that is read first.
fn constant_names(classified: &[ClassifiedRead]) -> ConstantNames {
    let mut names = ConstantNames::new();
    for read in classified {
        for (dimension, (coordinate, written)) in read.coordinates.iter().zip(&read.subscripts).enumerate() {
            if let (Coordinate::Absolute(AbsoluteIndex { place: Some(place), .. }), Some(name)) =
                (coordinate, &written.constant_name)
            {
                names.entry((dimension, *place)).or_insert_with(|| name.clone());
            }
        }
    }
    names
}

/// Whether two reads, written in two places, have the same subscripts after normalisation.
fn is_repeated(classified: &[ClassifiedRead]) -> bool {
    let mut written: BTreeMap<&[Coordinate], (Span, u32)> = BTreeMap::new();
    let place = |read: &ClassifiedRead| (read.span, read.ordinal);
    classified.iter().any(|read| *written.entry(&read.coordinates).or_insert(place(read)) != place(read))
}
