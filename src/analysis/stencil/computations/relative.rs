//! Relativisation, consistency and multiplicity of the reads of one root.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::contribution::{Contribution, Root};
use super::coordinate::{Axis, ClassifiedRead, Coordinate, LeftSide, classify, left_side};
use super::unit::UnitContext;
use super::{ArrayAccess, Computation, Offsets, Reason, RelativeRead, Undescribed};
use crate::analysis::stencil::spec::ComputationKind;
use crate::flow::{DefinitionKind, FlowPosition, UnitFlow};
use crate::names::{Resolved, SymbolId};
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
    Undescribed { array: first.array.clone(), spelling: first.spelling.clone(), reason, span, classified: Vec::new() }
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
    if let Some(contribution) = contributions.iter().find(|contribution| contribution.read.is_handed_over) {
        return Err(undescribed(contributions, Reason::ProcedureInFlow, contribution.read.span));
    }
    let classified =
        classify(values, root, contributions).map_err(|(reason, span)| undescribed(contributions, reason, span))?;
    match relate(left, &classified, values.paper) {
        Ok(Relation { kind, reads, read_once }) => Ok(ArrayAccess {
            array: first.array.clone(),
            spelling: first.spelling.clone(),
            kind,
            reads,
            read_once,
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
    let axes =
        axes_of(classified).map_err(|culprit| (Reason::InconsistentInductionVariables, classified[culprit].span))?;
    let on_left: BTreeSet<Axis> = left.axes.keys().copied().collect();
    let consistent = axes.is_subset(&on_left) || axes.is_superset(&on_left);
    if !consistent && paper {
        return Err((Reason::InconsistentInductionVariables, first));
    }
    let kind = if consistent { left.kind } else { ComputationKind::Access };
    let none = BTreeMap::new();
    let shifts = if consistent { &left.axes } else { &none };
    let mut reads: Vec<RelativeRead> = Vec::with_capacity(classified.len());
    let mut known: FxHashSet<RelativeRead> = FxHashSet::with_capacity_and_hasher(classified.len(), Default::default());
    for ClassifiedRead { coordinates, span, statement, .. } in classified {
        let offsets: Option<Offsets> = coordinates.iter().map(|coordinate| offset(coordinate, shifts)).collect();
        let offsets = offsets.ok_or((Reason::NonNeighbourIndex, *span))?;
        let read = RelativeRead { offsets, span: *span, statement: *statement };
        if known.insert(read.clone()) {
            reads.push(read);
        }
    }
    Ok(Relation { kind, reads, read_once: !is_repeated(classified) })
}

/// The offset of a coordinate relative to the left side: `Some(None)` where it is absolute, `None` on overflow.
fn offset(coordinate: &Coordinate, shifts: &BTreeMap<Axis, i64>) -> Option<Option<i64>> {
    match coordinate {
        Coordinate::Absolute(_) => Some(None),
        Coordinate::Relative(axis, offset) => offset.checked_sub(shifts.get(axis).copied().unwrap_or(0)).map(Some),
    }
}

/// The axes that an array is read along, if the reads agree on one for each dimension (and on the number of
/// dimensions); else the first read that does not agree with those before it.
fn axes_of(classified: &[ClassifiedRead]) -> Result<BTreeSet<Axis>, usize> {
    let rank = classified.first().map_or(0, |read| read.coordinates.len());
    let mut axes: Vec<Option<Axis>> = vec![None; rank];
    for (read, ClassifiedRead { coordinates, .. }) in classified.iter().enumerate() {
        if coordinates.len() != rank {
            return Err(read);
        }
        for (known, coordinate) in axes.iter_mut().zip(coordinates) {
            if let Coordinate::Relative(axis, _) = coordinate
                && *known.get_or_insert(*axis) != *axis
            {
                return Err(read);
            }
        }
    }
    Ok(axes.into_iter().flatten().collect())
}

/// Whether two reads, written in two places, have the same subscripts after normalisation.
fn is_repeated(classified: &[ClassifiedRead]) -> bool {
    let mut written: BTreeMap<&[Coordinate], (Span, u32)> = BTreeMap::new();
    let place = |read: &ClassifiedRead| (read.span, read.ordinal);
    classified.iter().any(|read| *written.entry(&read.coordinates).or_insert(place(read)) != place(read))
}
