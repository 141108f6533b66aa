//! Relativisation, consistency and multiplicity of the reads of one root.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::index::{Index, LinearForm, Term};
use super::reads::{ArrayKey, Subscript, SubscriptKind, array_references};
use super::roots::{Analysis, Contribution, Root};
use super::{ArrayAccess, Computation, Offsets, Reason, RelativeRead, Undescribed};
use crate::flow::{LoopId, canonical};
use crate::names::{Symbol, SymbolId, SymbolKind};
use crate::source::Span;
use crate::spec::ComputationKind;
use crate::syntax::Intent;

/// What a dimension of a read or of a left side runs over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Axis {
    /// An induction variable.
    Variable(SymbolId),
    /// The positions of a section (paper mode: `:` counts as offset 0).
    Section,
}

/// One dimension of a read, once it is classified.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Coordinate {
    /// A neighbourhood index: the axis and the offset.
    Relative(Axis, i64),
    /// An absolute index, by its normal form.
    Absolute(LinearForm),
}

/// The left side of a root.
struct LeftSide {
    kind: ComputationKind,
    /// Each axis on the left with its offset.
    axes: BTreeMap<Axis, i64>,
    /// Why nothing can be said of any array.
    problem: Option<(Reason, Span)>,
}

/// Describes what a root reads of each array.
pub fn relativise(analysis: &Analysis<'_>, root: &Root) -> Computation {
    let left = left_side(analysis, root.position);
    let mut order: Vec<ArrayKey> = Vec::new();
    let mut by_array: HashMap<ArrayKey, Vec<&Contribution>> = HashMap::new();
    for contribution in &root.contributions {
        let array = contribution.read.array.clone();
        by_array
            .entry(array.clone())
            .or_insert_with(|| {
                order.push(array);
                Vec::new()
            })
            .push(contribution);
    }
    let mentioned = mentioned_in_unparsed(analysis, root);
    let arrays = order.into_iter().map(|array| {
        let contributions = &by_array[&array];
        match mentioned.iter().find(|(symbol, _)| *symbol == array.symbol) {
            Some(&(_, span)) => Err(undescribed(contributions, Reason::UnparsedStatementInFlow, span)),
            None if root.is_incomplete => {
                Err(undescribed(contributions, Reason::LoopVaryingIndex, contributions[0].read.span))
            }
            None => describe(analysis, root.position, &left, contributions),
        }
    });
    let arrays = arrays.collect();
    let statement = analysis.flow.statements[root.position as usize];
    Computation { statement, unit: analysis.flow.unit, kind: left.kind, is_root: root.is_root, arrays }
}

/// The names in statements that were not understood and may define a scalar on the way.
fn mentioned_in_unparsed(analysis: &Analysis<'_>, root: &Root) -> Vec<(SymbolId, Span)> {
    let mut mentioned = Vec::new();
    for &position in &root.unparsed {
        let id = analysis.flow.statements[position as usize];
        let statement = &analysis.tree.statements[id as usize];
        for name in crate::flow::names_in_text(analysis.tree, statement) {
            if let Some(symbol) = analysis.resolved.symbol_at(id, name) {
                mentioned.push((symbol, statement.span));
            }
        }
    }
    mentioned
}

fn undescribed(contributions: &[&Contribution], reason: Reason, span: Span) -> Undescribed {
    let first = &contributions[0].read;
    Undescribed { array: first.array.clone(), spelling: first.spelling.clone(), reason, span }
}

/// Classifies the left side of the assignment at a position.
fn left_side(analysis: &Analysis<'_>, position: u32) -> LeftSide {
    let mut left = LeftSide { kind: ComputationKind::Access, axes: BTreeMap::new(), problem: None };
    let Some((target, _)) = analysis.assignment(position) else { return left };
    let place = analysis.place(position);
    let span = analysis.tree.statements[place.statement as usize].span;
    let references = array_references(place, target, span);
    for subscript in references.iter().flat_map(|reference| &reference.subscripts) {
        match coordinate(analysis, position, position, &[], subscript) {
            Ok(Coordinate::Absolute(_)) => {}
            Ok(Coordinate::Relative(axis, offset)) => {
                left.kind = ComputationKind::Stencil;
                let known = *left.axes.entry(axis).or_insert(offset);
                if known != offset && left.problem.is_none() {
                    left.problem = Some((Reason::SeveralOffsetsOnLeft, subscript.span));
                }
            }
            Err(_) => {
                if moves_with_loop(analysis, position, subscript) {
                    left.kind = ComputationKind::Stencil;
                }
                left.problem = Some((Reason::LeftSideNotNeighbour, subscript.span));
            }
        }
    }
    left
}

/// Whether an induction variable of the loops around a position occurs in a subscript, in whatever form.
fn moves_with_loop(analysis: &Analysis<'_>, position: u32, subscript: &Subscript) -> bool {
    let innermost = analysis.flow.loops.innermost(position);
    let mut variables = analysis.flow.induction_variables(innermost);
    match &subscript.kind {
        SubscriptKind::Index(index) => variables.any(|(_, variable)| index.variables.contains(&variable.symbol)),
        SubscriptKind::Section { .. } => false,
    }
}

/// Describes the reads of one array.
fn describe(
    analysis: &Analysis<'_>,
    root: u32,
    left: &LeftSide,
    contributions: &[&Contribution],
) -> Result<ArrayAccess, Undescribed> {
    let fail = |reason, span| Err(undescribed(contributions, reason, span));
    let first = &contributions[0].read;
    if !first.declared {
        return fail(Reason::UndeclaredArray, first.span);
    }
    let mut coordinates = Vec::with_capacity(contributions.len());
    for contribution in contributions {
        let mut of_read = Vec::with_capacity(contribution.read.subscripts.len());
        for subscript in &contribution.read.subscripts {
            match coordinate(analysis, root, contribution.position, &contribution.distance, subscript) {
                Ok(coordinate) => of_read.push(coordinate),
                Err(reason) => return fail(reason, subscript.span),
            }
        }
        coordinates.push(of_read);
    }
    let absolute = |of_read: &Vec<Coordinate>| of_read.iter().all(|one| matches!(one, Coordinate::Absolute(_)));
    if coordinates.iter().all(absolute) {
        return fail(Reason::AbsoluteOnly, first.span);
    }
    if let Some((reason, span)) = left.problem {
        return fail(reason, span);
    }
    let axes = match axes_of(&coordinates) {
        Ok(axes) => axes,
        Err(culprit) => {
            return fail(Reason::InconsistentInductionVariables, contributions[culprit].read.span);
        }
    };
    let on_left: BTreeSet<Axis> = left.axes.keys().copied().collect();
    let consistent = axes.is_subset(&on_left) || axes.is_superset(&on_left);
    if !consistent && analysis.paper {
        return fail(Reason::InconsistentInductionVariables, first.span);
    }
    let kind = if consistent { left.kind } else { ComputationKind::Access };
    let shifts = if consistent { &left.axes } else { &BTreeMap::new() };
    let read_once = !is_repeated(contributions, &coordinates);
    let mut reads: Vec<RelativeRead> = Vec::with_capacity(contributions.len());
    for (contribution, of_read) in contributions.iter().zip(&coordinates) {
        let offsets: Option<Offsets> = of_read.iter().map(|coordinate| offset(coordinate, shifts)).collect();
        let Some(offsets) = offsets else { return fail(Reason::NonNeighbourIndex, contribution.read.span) };
        let read = RelativeRead { offsets, span: contribution.read.span, statement: contribution.read.statement };
        if !reads.contains(&read) {
            reads.push(read);
        }
    }
    Ok(ArrayAccess { array: first.array.clone(), spelling: first.spelling.clone(), kind, reads, read_once })
}

/// The offset of a coordinate relative to the left side: `Some(None)` where it is absolute, `None` on overflow.
fn offset(coordinate: &Coordinate, shifts: &BTreeMap<Axis, i64>) -> Option<Option<i64>> {
    match coordinate {
        Coordinate::Absolute(_) => Some(None),
        Coordinate::Relative(axis, offset) => offset.checked_sub(shifts.get(axis).copied().unwrap_or(0)).map(Some),
    }
}

/// The axes that an array is read along, if the reads agree on one for each dimension (and on the number of dimensions);
/// else the first read that does not agree with those before it.
fn axes_of(coordinates: &[Vec<Coordinate>]) -> Result<BTreeSet<Axis>, usize> {
    let rank = coordinates.first().map_or(0, Vec::len);
    let mut axes: Vec<Option<Axis>> = vec![None; rank];
    for (read, of_read) in coordinates.iter().enumerate() {
        if of_read.len() != rank {
            return Err(read);
        }
        for (known, coordinate) in axes.iter_mut().zip(of_read) {
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
fn is_repeated(contributions: &[&Contribution], coordinates: &[Vec<Coordinate>]) -> bool {
    let mut written: BTreeMap<&[Coordinate], Span> = BTreeMap::new();
    contributions.iter().zip(coordinates).any(|(contribution, of_read)| {
        let span = contribution.read.span;
        *written.entry(of_read).or_insert(span) != span
    })
}

/// Classifies one subscript of a read (or of the left side, when both positions are the root's).
fn coordinate(
    analysis: &Analysis<'_>,
    root: u32,
    read: u32,
    distance: &[(LoopId, Option<i64>)],
    subscript: &Subscript,
) -> Result<Coordinate, Reason> {
    let index = match &subscript.kind {
        SubscriptKind::Index(index) => index,
        SubscriptKind::Section { strided: true, .. } => return Err(Reason::StridedSection),
        SubscriptKind::Section { whole: true, .. } if analysis.paper => {
            return Ok(Coordinate::Relative(Axis::Section, 0));
        }
        SubscriptKind::Section { .. } => return Err(Reason::NonNeighbourIndex),
    };
    let common = analysis.common_loop(root, read);
    let relative: Vec<_> = analysis
        .flow
        .induction_variables(common)
        .filter(|(_, variable)| index.variables.contains(&variable.symbol))
        .collect();
    let [(id, variable)] = relative.as_slice() else {
        if relative.is_empty() {
            return absolute(analysis, read, common, index);
        }
        return Err(if index.indirect { Reason::IndirectIndex } else { Reason::NonNeighbourIndex });
    };
    if index.indirect {
        return Err(Reason::IndirectIndex);
    }
    let term = Term::Variable(variable.symbol);
    if index.form.terms.get(&term) != Some(&1) {
        return Err(Reason::NonNeighbourIndex);
    }
    if index.form.terms.len() > 1 {
        let name = analysis.tree.names.text(analysis.resolved.symbol(variable.symbol).name);
        let inside = |term: &Term| matches!(term, Term::Opaque(text) if has_word(text, name));
        let non_linear = index.form.terms.keys().any(inside);
        return Err(if non_linear { Reason::NonNeighbourIndex } else { Reason::SymbolicOffset });
    }
    let earlier = match distance.iter().find(|(other, _)| other == id) {
        None => 0,
        Some((_, Some(iterations))) => *iterations,
        Some((_, None)) => return Err(Reason::LoopVaryingIndex),
    };
    let shift = variable.step.checked_mul(earlier).ok_or(Reason::NonNeighbourIndex)?;
    let offset = index.form.constant.checked_sub(shift).ok_or(Reason::NonNeighbourIndex)?;
    Ok(Coordinate::Relative(Axis::Variable(variable.symbol), offset))
}

/// Whether a text of Fortran without blanks holds a name as a whole word.
fn has_word(text: &str, name: &str) -> bool {
    text.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_')).any(|word| word == name)
}

/// An index without an induction variable of the loops around both: absolute if nothing in it changes in these loops.
/// What an inner loop around the read alone counts is absolute for the root.
fn absolute(analysis: &Analysis<'_>, read: u32, common: Option<LoopId>, index: &Index) -> Result<Coordinate, Reason> {
    let flow = analysis.flow;
    if index.calls {
        return Err(Reason::IndirectIndex);
    }
    let coordinate = Ok(Coordinate::Absolute(index.form.clone()));
    if analysis.paper && !index.indirect {
        return coordinate;
    }
    let Some(outermost) = flow.loops.chain(common).last() else { return coordinate };
    let counted_inside: BTreeSet<SymbolId> =
        flow.induction_variables(flow.loops.innermost(read)).map(|(_, variable)| variable.symbol).collect();
    let mut named = index.variables.iter().filter(|symbol| !counted_inside.contains(symbol)).chain(&index.arrays);
    if named.any(|&symbol| may_change(analysis, outermost, symbol)) {
        return Err(Reason::LoopVaryingIndex);
    }
    coordinate
}

/// Whether a variable or array may change inside a loop, by its own name or another one.
fn may_change(analysis: &Analysis<'_>, outermost: LoopId, symbol: SymbolId) -> bool {
    let flow = analysis.flow;
    let symbol = canonical(analysis.resolved, symbol);
    let of = analysis.resolved.symbol(symbol);
    if let SymbolKind::AssociateName { statement, .. } = of.kind {
        // The name stands for an expression, evaluated where the construct begins.
        let inside = |position| flow.positions_of(outermost).contains(&position);
        return flow.position(statement).is_some_and(inside) || flow.changes_in(outermost, symbol);
    }
    // COMMON and module variables can be changed by any procedure, the host's by its internal ones.
    let by_calls = (of.in_common || of.use_associated || analysis.changed_by_internal.contains(&symbol))
        && of.intent != Some(Intent::In);
    let has_other_names = |other: &Symbol| other.equivalenced || other.is_pointer || other.is_target;
    flow.changes_in(outermost, symbol)
        || (by_calls && flow.calls_in(outermost))
        || (has_other_names(of)
            && flow.changed_in(outermost).any(|changed| has_other_names(analysis.resolved.symbol(changed))))
}
