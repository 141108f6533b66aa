//! From subscripts as written to coordinates: what each is relative to, and what is absolute.
//!
//! This is where the flow of the unit is asked: which variables are induction variables, what changes in a loop, how
//! much earlier a value was computed. The result, [`ClassifiedRead`], needs none of that any more: what follows from it
//! ([`super::relative`]) is arithmetic, and can be done again for reads that are not in the program but might be.
//!
//! A reference whose subscripts have several values gives several reads. An index that is fixed, or off by some amount
//! that is not known, on one way and moves with a loop on another is that of a border: the border's value is left out.

use std::collections::{BTreeMap, BTreeSet};

use smallvec::{SmallVec, smallvec};

use super::Reason;
use super::contribution::Contribution;
use super::reads::array_references;
use super::subscript::{ArrayReference, Subscript, SubscriptKind};
use super::unit::UnitContext;
use crate::analysis::stencil::spec::ComputationKind;
use crate::flow::{BlockId, FlowPosition, LoopId};
use crate::names::SymbolId;
use crate::region::{Place, SOME_FIXED};
use crate::source::Span;
use crate::syntax::{Reference, StatementId, Tree};
use crate::values::{ArrayKey, Atom, Index, IndexSum, Selection, ValueContext, are_paired};

/// What a dimension of a read or of a left side runs over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Axis {
    /// An induction variable.
    Variable(SymbolId),
    /// The positions of the sections of an array-valued assignment, by their number on the left side (paper mode: `:`
    /// counts as offset 0 of one and the same axis).
    Section(u32),
}

/// One dimension of a read, once it is classified.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Coordinate {
    /// A neighbourhood index: the axis and the offset.
    Relative(Axis, i64),
    /// An absolute index.
    Absolute(AbsoluteIndex),
}

/// An index without an induction variable of the loops around its computation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AbsoluteIndex {
    /// Its normal form.
    pub form: IndexSum,
    /// Its place on the line; `None` if it stands for several indices, as a section does.
    pub place: Option<i64>,
}

impl AbsoluteIndex {
    /// A number.
    pub fn constant(value: i64) -> Self {
        let form = IndexSum::constant(value);
        AbsoluteIndex { place: Some(fixed_place(&form, None)), form }
    }
}

/// The left side of a computation.
#[derive(Clone, Debug)]
pub struct LeftSide {
    /// Stencil if it has a relative index, else access.
    pub kind: ComputationKind,
    /// Each axis on the left with its offset.
    pub axes: BTreeMap<Axis, i64>,
    /// Each axis that scatters what is written (`b(2*i+2)`), with the offset that shifts it there.
    pub scattered: BTreeMap<Axis, i64>,
    /// The axis of each subscript; `None` where it is absolute or something else.
    pub subscripts: Vec<Option<Axis>>,
    /// The array; `None` if it is a scalar.
    pub array: Option<ArrayKey>,
    /// The reference as written; `None` if it is a scalar.
    pub written: Option<WrittenReference>,
    /// Why nothing can be said of any array.
    pub problem: Option<(Reason, Span)>,
}

impl LeftSide {
    /// What offsets along an axis are relative to.
    pub fn origin(&self, axis: Axis) -> i64 {
        self.axes.get(&axis).or(self.scattered.get(&axis)).copied().unwrap_or(0)
    }
}

/// A read whose every subscript is a neighbourhood index or absolute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassifiedRead {
    /// The coordinates, one per dimension.
    pub coordinates: Vec<Coordinate>,
    /// The subscripts as written.
    pub subscripts: Vec<WrittenSubscript>,
    /// The reference.
    pub span: Span,
    /// Tells the reads of one reference to a function apart; 0 for what is read where it is written.
    pub ordinal: u32,
    /// The statement it stands in: the root or one that flows to it.
    pub statement: StatementId,
    /// Whether the coordinates are just what is written: an index with its variable and constant, in each dimension.
    pub is_plain: bool,
    /// Whether it is a factor of a matrix product.
    pub is_factor: bool,
    /// The subscript whose values at the border are left out, if there is one.
    pub border: Option<Span>,
}

/// A reference as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenReference {
    /// The reference.
    pub span: Span,
    /// Its subscripts.
    pub subscripts: Vec<WrittenSubscript>,
}

/// A subscript as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenSubscript {
    /// Where it stands.
    pub span: Span,
    /// Its constant part; 0 for a section.
    pub constant: i64,
    /// The name of the constant that is all of it, as spelt, if one is.
    pub constant_name: Option<Box<str>>,
}

impl WrittenSubscript {
    fn new(subscript: &Subscript) -> Self {
        let constant = match &subscript.kind {
            SubscriptKind::Index(values) => values.first().map_or(0, |value| value.form.constant_term()),
            _ => 0,
        };
        WrittenSubscript { span: subscript.span, constant, constant_name: subscript.constant_name.clone() }
    }
}

/// More reads than this for one reference are given up.
const READS: usize = 4096;

/// One value of a subscript: its coordinate, `None` if it is that of a border, and where it was set.
type Possible = (Option<Coordinate>, Option<BlockId>);

/// Classifies the reads of one array that flow to a root; an error at the first subscript that is neither.
pub(super) fn classify(
    values: &ValueContext<'_>,
    root: FlowPosition,
    contributions: &[&Contribution],
) -> Result<Vec<ClassifiedRead>, (Reason, Span)> {
    let mut found = Vec::with_capacity(contributions.len());
    for contribution in contributions {
        classify_one(values, root, contribution, &mut found)?;
    }
    Ok(found)
}

/// The same where one dimension alone has subscripts that are neither: these stand for any index.
pub(super) fn classify_partly(
    values: &ValueContext<'_>,
    root: FlowPosition,
    contributions: &[&Contribution],
) -> Option<Vec<ClassifiedRead>> {
    let mut found = Vec::with_capacity(contributions.len());
    let mut open = BTreeSet::new();
    for contribution in contributions {
        classify_leaving_open(values, root, contribution, &mut found, Some(&mut open)).ok()?;
    }
    (open.len() == 1).then_some(found)
}

/// Classifies the reads of one reference, and puts them behind those that were found.
pub(super) fn classify_one(
    values: &ValueContext<'_>,
    root: FlowPosition,
    contribution: &Contribution,
    found: &mut Vec<ClassifiedRead>,
) -> Result<(), (Reason, Span)> {
    classify_leaving_open(values, root, contribution, found, None)
}

/// The same, where subscripts that are neither may stand for any index; notes in which dimensions.
fn classify_leaving_open(
    values: &ValueContext<'_>,
    root: FlowPosition,
    contribution: &Contribution,
    found: &mut Vec<ClassifiedRead>,
    mut open: Option<&mut BTreeSet<usize>>,
) -> Result<(), (Reason, Span)> {
    let read = &contribution.read;
    let mut is_plain = read.ordinal == 0;
    let mut border = None;
    let mut ways: Vec<Vec<Possible>> = vec![Vec::new()];
    let mut before: Vec<Subscripted> = Vec::with_capacity(read.subscripts.len());
    for (dimension, subscript) in read.subscripts.iter().enumerate() {
        let blame = |reason| (reason, subscript.span);
        let possible = coordinates(values, root, contribution.position, &contribution.distance, subscript);
        let possible = match (possible, open.as_deref_mut()) {
            (Err(reason), Some(open)) if reason != Reason::ProcedureInFlow => {
                open.insert(dimension);
                Subscripted::one(Coordinate::Absolute(any_index(subscript)))
            }
            (possible, _) => possible.map_err(blame)?,
        };
        is_plain &= possible.is_plain;
        border = border.or(possible.leaves_out.then_some(subscript.span));
        ways = together(ways, &before, &possible).ok_or(blame(Reason::LoopVaryingIndex))?;
        before.push(possible);
    }
    let subscripts: Vec<WrittenSubscript> = read.subscripts.iter().map(WrittenSubscript::new).collect();
    let mut known: Vec<Vec<Coordinate>> = Vec::new();
    for way in ways {
        // A way that leads along the border is left out whole.
        let Some(coordinates) = way.into_iter().map(|(coordinate, _)| coordinate).collect::<Option<Vec<_>>>() else {
            continue;
        };
        if !known.contains(&coordinates) {
            known.push(coordinates);
        }
    }
    for coordinates in known {
        found.push(ClassifiedRead {
            coordinates,
            subscripts: subscripts.clone(),
            span: read.span,
            ordinal: read.ordinal,
            statement: read.statement,
            is_plain,
            is_factor: read.is_factor,
            border,
        });
    }
    Ok(())
}

/// Any index, by what is written.
fn any_index(subscript: &Subscript) -> AbsoluteIndex {
    let form = match &subscript.kind {
        SubscriptKind::Index(values) => values.first().map(|value| value.form.clone()),
        _ => None,
    };
    let by_place = || IndexSum::atom(Atom::Opaque(format!("{:?}", subscript.span)));
    AbsoluteIndex { form: form.unwrap_or_else(by_place), place: None }
}

/// All ways to put one more dimension to those before it. Values that were set together stay together; where several
/// dimensions have several values otherwise, it is not known which occur together.
fn together(
    mut ways: Vec<Vec<Possible>>,
    before: &[Subscripted],
    possible: &Subscripted,
) -> Option<Vec<Vec<Possible>>> {
    if let [(coordinate, origin)] = possible.all.as_slice() {
        // The one value occurs with all of the others.
        ways.iter_mut().for_each(|way| way.push((coordinate.clone(), *origin)));
        return Some(ways);
    }
    let origins = |of: &Subscripted| of.all.iter().map(|&(_, origin)| origin).collect::<Vec<_>>();
    let mut is_paired = Vec::with_capacity(before.len());
    for other in before {
        is_paired.push(match are_paired(&origins(other), &origins(possible)) {
            _ if other.are_all_read || possible.are_all_read => false,
            Some(is_paired) => is_paired,
            // One of them has one value away from the border: that occurs with each of the other.
            None if other.kept() <= 1 || possible.kept() <= 1 => false,
            None => return None,
        });
    }
    let mut found = Vec::with_capacity(ways.len());
    for way in ways {
        for (coordinate, origin) in &possible.all {
            if is_paired.iter().zip(&way).all(|(&is_paired, (_, other))| !is_paired || other == origin) {
                let mut extended = way.clone();
                extended.push((coordinate.clone(), *origin));
                found.push(extended);
            }
        }
    }
    (found.len() <= READS && !found.is_empty()).then_some(found)
}

/// Classifies the left side of the assignment at a position.
pub(super) fn left_side(unit: &UnitContext<'_>, position: FlowPosition) -> LeftSide {
    let mut left = LeftSide {
        kind: ComputationKind::Access,
        axes: BTreeMap::new(),
        scattered: BTreeMap::new(),
        subscripts: Vec::new(),
        array: None,
        written: None,
        problem: None,
    };
    let Some((target, _)) = unit.values.assignment(position) else { return left };
    let span = unit.values.tree.statements[unit.values.flow.statements[position]].span;
    let references = array_references(unit, position, target, span);
    if let [reference] = references.as_slice() {
        left.array = Some(reference.array.clone());
        let subscripts = reference.subscripts.iter().map(WrittenSubscript::new).collect();
        left.written =
            Some(WrittenReference { span: written_span(unit.values.tree, span, reference, target), subscripts });
    }
    for subscript in references.iter().flat_map(|reference| &reference.subscripts) {
        let all: Result<Vec<Coordinate>, Reason> = match &subscript.kind {
            // The sections of the left side are what those of the right side are aligned with.
            SubscriptKind::Aligned { axis, .. } => Ok(vec![Coordinate::Relative(Axis::Section(*axis), 0)]),
            _ => coordinates(&unit.values, position, position, &[], subscript)
                .map(|possible| possible.all.into_iter().filter_map(|(coordinate, _)| coordinate).collect()),
        };
        left.subscripts.push(match all.as_deref() {
            Ok([Coordinate::Relative(axis, _), ..]) => Some(*axis),
            _ => None,
        });
        for coordinate in all.iter().flatten() {
            let Coordinate::Relative(axis, offset) = *coordinate else { continue };
            left.kind = ComputationKind::Stencil;
            let known = *left.axes.entry(axis).or_insert(offset);
            if known != offset && left.problem.is_none() {
                left.problem = Some((Reason::SeveralOffsetsOnLeft, subscript.span));
            }
        }
        // Any other index scatters what is written.
        if let (Err(_), Some((axis, offset))) = (&all, scattering(&unit.values, position, subscript)) {
            left.scattered.entry(axis).or_insert(offset);
        }
        if all.is_err() && unit.values.paper {
            if moves_with_loop(&unit.values, position, subscript) {
                left.kind = ComputationKind::Stencil;
            }
            left.problem = Some((Reason::LeftSideNotNeighbour, subscript.span));
        }
    }
    left
}

/// The axis of an index `k*i + c + …` on the left side with the shift of the loop that leads from `k*i + …` to it. What
/// is left of `c` counts for none: `2*i-1`, `2*i` and `2*i+1` are all elements of `i`.
fn scattering(values: &ValueContext<'_>, position: FlowPosition, subscript: &Subscript) -> Option<(Axis, i64)> {
    let SubscriptKind::Index(indices) = &subscript.kind else { return None };
    let [index] = indices.as_slice() else { return None };
    let mut counted = index.variables().filter(|&symbol| values.is_counted(position, symbol));
    let (symbol, None) = (counted.next()?, counted.next()) else { return None };
    let factor = index.form.coefficient(&Atom::Variable(symbol));
    if values.paper || factor == 0 {
        return None;
    }
    Some((Axis::Variable(symbol), index.form.constant_term().checked_div(factor)?))
}

/// Where the reference to an array on the left side stands: from its name to the bracket behind its last subscript.
fn written_span(tree: &Tree, statement: Span, reference: &ArrayReference, target: &Reference) -> Span {
    let start = target.parts.first().map_or(statement.start, |part| part.name.span.start);
    let last = reference.subscripts.last().map_or(start, |subscript| subscript.span.end);
    let behind = tree.source.texts.bytes(Span::new(last, statement.end));
    let bracket = memchr::memchr(b')', behind).map_or(0, |at| at as u32 + 1);
    Span::new(start, last + bracket)
}

/// Whether an induction variable of the loops around a position occurs in a subscript, in whatever form.
fn moves_with_loop(values: &ValueContext<'_>, position: FlowPosition, subscript: &Subscript) -> bool {
    match &subscript.kind {
        SubscriptKind::Index(indices) => {
            indices.iter().flat_map(Index::variables).any(|symbol| values.is_counted(position, symbol))
        }
        _ => false,
    }
}

/// What a subscript can be.
pub(super) struct Subscripted {
    all: SmallVec<[Possible; 1]>,
    /// Whether it is none or other of them, or all of them.
    are_all_read: bool,
    /// Whether it is what is written.
    is_plain: bool,
    /// Whether it has another value at the border.
    leaves_out: bool,
}

impl Subscripted {
    /// How many values it has away from the border.
    fn kept(&self) -> usize {
        self.all.iter().filter(|(coordinate, _)| coordinate.is_some()).count()
    }

    /// The first value that it has away from the border.
    pub(super) fn first(&self) -> Option<&Coordinate> {
        self.all.iter().find_map(|(coordinate, _)| coordinate.as_ref())
    }

    fn one(coordinate: Coordinate) -> Self {
        Subscripted {
            all: smallvec![(Some(coordinate), None)],
            are_all_read: false,
            is_plain: false,
            leaves_out: false,
        }
    }
}

/// Classifies one subscript of a read (or of the left side, when both positions are the root's).
pub(super) fn coordinates(
    values: &ValueContext<'_>,
    root: FlowPosition,
    read: FlowPosition,
    distance: &[(LoopId, Option<i64>)],
    subscript: &Subscript,
) -> Result<Subscripted, Reason> {
    let name = subscript.constant_name.as_deref();
    let of_value = |value: &Index| coordinate(values, root, read, distance, value, name);
    match &subscript.kind {
        SubscriptKind::Index(values) => one_of(values, of_value),
        SubscriptKind::Window(values) => {
            let of_element = |value: &Index| Ok((Some(of_value(value)?), None));
            let all = values.iter().map(of_element).collect::<Result<_, Reason>>()?;
            Ok(Subscripted { all, are_all_read: true, is_plain: false, leaves_out: false })
        }
        SubscriptKind::Aligned { axis, offset } => {
            Ok(Subscripted::one(Coordinate::Relative(Axis::Section(*axis), (*offset)?)))
        }
        SubscriptKind::Other(reason) | SubscriptKind::Unaligned(reason) => Err(*reason),
    }
}

/// Classifies an index that has one of several values.
fn one_of(values: &[Index], of_value: impl Fn(&Index) -> Result<Coordinate, Reason>) -> Result<Subscripted, Reason> {
    let is_plain = matches!(values, [one] if !one.derivation.is_computed);
    if let [one] = values {
        let all = smallvec![(Some(of_value(one)?), one.derivation.origin)];
        return Ok(Subscripted { all, are_all_read: false, is_plain, leaves_out: one.derivation.at_border });
    }
    let results: Vec<(Result<Coordinate, Reason>, &Index)> =
        values.iter().map(|value| (of_value(value), value)).collect();
    let moves = |result: &Result<Coordinate, Reason>| matches!(result, Ok(Coordinate::Relative(..)));
    let any_moves = results.iter().any(|(result, _)| moves(result));
    let mut all = SmallVec::new();
    let mut leaves_out = false;
    let by_data = |value: &Index| value.derivation.selection == Selection::Data;
    let any_moves_by_data = results.iter().any(|(result, value)| moves(result) && by_data(value));
    for (result, value) in results {
        leaves_out |= value.derivation.at_border;
        let is_at_border = match value.derivation.selection {
            Selection::Always => !any_moves_by_data,
            Selection::Border => true,
            Selection::Data => false,
        };
        match result {
            Ok(Coordinate::Absolute(_)) | Err(Reason::SymbolicOffset) if any_moves && is_at_border => {
                leaves_out = true;
                all.push((None, value.derivation.origin));
            }
            result => all.push((Some(result?), value.derivation.origin)),
        }
    }
    Ok(Subscripted { all, are_all_read: false, is_plain, leaves_out })
}

/// Classifies one value of an index.
fn coordinate(
    values: &ValueContext<'_>,
    root: FlowPosition,
    read: FlowPosition,
    distance: &[(LoopId, Option<i64>)],
    index: &Index,
    constant_name: Option<&str>,
) -> Result<Coordinate, Reason> {
    let common = values.common_loop(root, read);
    let mut relative = values
        .flow
        .induction_variables(common)
        .filter(|(_, variable)| index.variables().any(|symbol| symbol == variable.symbol));
    let Some((id, variable)) = relative.next() else {
        return absolute(values, read, common, index, constant_name);
    };
    if relative.next().is_some() {
        return Err(if index.inside.indirect { Reason::IndirectIndex } else { Reason::NonNeighbourIndex });
    }
    if index.inside.indirect {
        return Err(Reason::IndirectIndex);
    }
    if index.form.coefficient(&Atom::Variable(variable.symbol)) != 1 {
        return Err(Reason::NonNeighbourIndex);
    }
    if index.form.single_term().is_none() {
        let is_inside = index.inside.variables.contains(&variable.symbol);
        return Err(if is_inside { Reason::NonNeighbourIndex } else { Reason::SymbolicOffset });
    }
    let earlier = match distance.iter().find(|(other, _)| *other == id) {
        None => 0,
        Some((_, Some(iterations))) => *iterations,
        Some((_, None)) => return Err(Reason::LoopVaryingIndex),
    };
    let shift = variable.advance(earlier).ok_or(Reason::LoopVaryingIndex)?;
    let offset = index.form.constant_term().checked_sub(shift).ok_or(Reason::NonNeighbourIndex)?;
    Ok(Coordinate::Relative(Axis::Variable(variable.symbol), offset))
}

/// An index without an induction variable of the loops around both: absolute if nothing in it changes in these loops.
/// What an inner loop around the read alone counts is absolute for the root.
fn absolute(
    values: &ValueContext<'_>,
    read: FlowPosition,
    common: Option<LoopId>,
    index: &Index,
    constant_name: Option<&str>,
) -> Result<Coordinate, Reason> {
    let flow = values.flow;
    if index.inside.calls {
        return Err(Reason::IndirectIndex);
    }
    let place = (!index.inside.runs_over).then(|| fixed_place(&index.form, constant_name));
    let coordinate = Ok(Coordinate::Absolute(AbsoluteIndex { form: index.form.clone(), place }));
    if values.paper && !index.inside.indirect {
        return coordinate;
    }
    let Some(outermost) = flow.loops.chain(common).last() else { return coordinate };
    let mut named = index.variables().filter(|&symbol| !values.is_counted(read, symbol));
    if named.any(|symbol| values.may_change(outermost, symbol))
        || index.inside.arrays.iter().any(|&symbol| values.may_change(outermost, symbol))
    {
        return Err(Reason::LoopVaryingIndex);
    }
    coordinate
}

/// The place of a fixed index on the line: by its value, by the name of a constant whose value is not known, or as that
/// of some index.
fn fixed_place(form: &IndexSum, constant_name: Option<&str>) -> i64 {
    let known = match (form.as_constant(), constant_name) {
        (Some(value), _) => Place::Fixed(value),
        (None, Some(name)) => Place::named(name),
        (None, None) => Place::SomeFixed,
    };
    known.code().unwrap_or(SOME_FIXED)
}
