//! From subscripts as written to coordinates: what each is relative to, and what is absolute.
//!
//! This is where the flow of the unit is asked: which variables are induction variables, what changes in a loop, how much
//! earlier a value was computed. The result, [`ClassifiedRead`], needs none of that any more: what follows from it
//! ([`super::relative`]) is arithmetic, and can be done again for reads that are not in the program but might be.

use std::collections::{BTreeMap, BTreeSet};

use super::Reason;
use super::index::{Index, LinearForm, Term};
use super::reads::{Subscript, SubscriptKind, array_references};
use super::roots::{Analysis, Contribution};
use crate::flow::{LoopId, canonical};
use crate::names::{Symbol, SymbolId, SymbolKind};
use crate::source::Span;
use crate::spec::ComputationKind;
use crate::syntax::{Intent, StatementId};

/// What a dimension of a read or of a left side runs over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Axis {
    /// An induction variable.
    Variable(SymbolId),
    /// The positions of a section (paper mode: `:` counts as offset 0).
    Section,
}

/// One dimension of a read, once it is classified.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Coordinate {
    /// A neighbourhood index: the axis and the offset.
    Relative(Axis, i64),
    /// An absolute index, by its normal form.
    Absolute(LinearForm),
}

/// The left side of a computation.
#[derive(Clone, Debug)]
pub struct LeftSide {
    /// Stencil if it has a relative index, else access.
    pub kind: ComputationKind,
    /// Each axis on the left with its offset.
    pub axes: BTreeMap<Axis, i64>,
    /// The axis of each subscript; `None` where it is absolute or something else.
    pub subscripts: Vec<Option<Axis>>,
    /// Why nothing can be said of any array.
    pub problem: Option<(Reason, Span)>,
}

/// A read whose every subscript is a neighbourhood index or absolute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassifiedRead {
    /// The coordinates, one per dimension.
    pub coordinates: Vec<Coordinate>,
    /// The subscripts as written: place, and constant part (0 for a section).
    pub subscripts: Vec<(Span, i64)>,
    /// The reference.
    pub span: Span,
    /// The statement it stands in: the root or one that flows to it.
    pub statement: StatementId,
}

/// Classifies the reads of one array that flow to a root; an error at the first subscript that is neither.
pub(super) fn classify(
    analysis: &Analysis<'_>,
    root: u32,
    contributions: &[&Contribution],
) -> Result<Vec<ClassifiedRead>, (Reason, Span)> {
    let of_contribution = |contribution: &&Contribution| {
        let read = &contribution.read;
        let classify = |subscript: &Subscript| {
            coordinate(analysis, root, contribution.position, &contribution.distance, subscript)
                .map_err(|reason| (reason, subscript.span))
        };
        let written = |subscript: &Subscript| match &subscript.kind {
            SubscriptKind::Index(index) => (subscript.span, index.form.constant),
            SubscriptKind::Section { .. } => (subscript.span, 0),
        };
        Ok(ClassifiedRead {
            coordinates: read.subscripts.iter().map(classify).collect::<Result<_, _>>()?,
            subscripts: read.subscripts.iter().map(written).collect(),
            span: read.span,
            statement: read.statement,
        })
    };
    contributions.iter().map(of_contribution).collect()
}

/// Classifies the left side of the assignment at a position.
pub(super) fn left_side(analysis: &Analysis<'_>, position: u32) -> LeftSide {
    let mut left =
        LeftSide { kind: ComputationKind::Access, axes: BTreeMap::new(), subscripts: Vec::new(), problem: None };
    let Some((target, _)) = analysis.assignment(position) else { return left };
    let place = analysis.place(position);
    let span = analysis.tree.statements[place.statement as usize].span;
    let references = array_references(place, target, span);
    for subscript in references.iter().flat_map(|reference| &reference.subscripts) {
        let coordinate = coordinate(analysis, position, position, &[], subscript);
        left.subscripts.push(match &coordinate {
            Ok(Coordinate::Relative(axis, _)) => Some(*axis),
            _ => None,
        });
        match coordinate {
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
