//! The form of every index of a computation, specifiable or not (paper, section 2.1): what a study of code counts.
//!
//! [`super::relate`] asks whether reads can be described and stops at the first index that can't; here each index gets
//! a form. The two agree: the reads of an array are neighbourhood and absolute indices throughout exactly if they can
//! be classified.

use super::Computation;
use super::Reason;
use super::contribution::{Contribution, Root};
use super::coordinate::{Axis, Coordinate, classify_one, coordinates};
use super::reads::array_references;
use super::relative;
use super::subscript::{ArrayReference, Subscript, SubscriptKind};
use super::unit::UnitContext;
use crate::flow::FlowPosition;
use crate::source::Span;
use crate::values::{Atom, Distance, IndexSum, ValueContext};

/// The form of one index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum IndexForm {
    /// `i + c`, or a section that is aligned with the left side: the axis and the offset.
    Neighbour(Axis, i64),
    /// `f * i + c` with a constant factor other than 0 and 1: the axis, the factor and the offset.
    Affine(Axis, i64, i64),
    /// No induction variable, and nothing in it changes in the loops: by its normal form.
    Absolute(IndexSum),
    /// Anything else.
    Other(Reason),
}

/// A read with the forms of its indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormedRead {
    /// One for each dimension. Of an index that has several values beside one that is neither neighbourhood nor
    /// absolute index, the first.
    pub indices: Vec<IndexForm>,
    /// The reference.
    pub span: Span,
    /// Tells the reads of one reference to a function apart; 0 for what is read where it is written.
    pub ordinal: u32,
}

/// A computation with the forms of all its indices.
#[derive(Clone, Debug)]
pub struct FormedComputation {
    /// What can be described. It is a root, or an assignment in a loop or to a whole array that reads arrays at
    /// absolute indices only.
    pub computation: Computation,
    /// The indices of the left side; none for a scalar.
    pub left: Option<Vec<IndexForm>>,
    /// The reads of each array, in the order of the arrays.
    pub reads: Vec<Vec<FormedRead>>,
    /// Number of further assignments that flow to it.
    pub flowing: usize,
}

/// Describes a root and tells the forms of its indices.
pub(super) fn describe(unit: &UnitContext<'_>, root: &Root) -> FormedComputation {
    let by_array = relative::by_array(root);
    let reads = by_array.iter().map(|(_, contributions)| {
        contributions.iter().flat_map(|contribution| formed_reads(&unit.values, root.position, contribution)).collect()
    });
    FormedComputation {
        left: left_forms(unit, root.position),
        reads: reads.collect(),
        flowing: root.flowing,
        computation: relative::relativise(unit, root, &by_array),
    }
}

/// The reads of one reference: several if an index has several values.
fn formed_reads(values: &ValueContext<'_>, root: FlowPosition, contribution: &Contribution) -> Vec<FormedRead> {
    let read: &ArrayReference = &contribution.read;
    let formed = |indices| FormedRead { indices, span: read.span, ordinal: read.ordinal };
    let mut classified = Vec::new();
    let Err((reason, blamed)) = classify_one(values, root, contribution, &mut classified) else {
        let form_of = |coordinate| match coordinate {
            Coordinate::Relative(axis, offset) => IndexForm::Neighbour(axis, offset),
            Coordinate::Absolute(index) => IndexForm::Absolute(index.form),
        };
        return classified
            .into_iter()
            .map(|read| formed(read.coordinates.into_iter().map(form_of).collect()))
            .collect();
    };
    let path = FlowPath { root, read: contribution.position, distance: contribution.distance.to_vec() };
    let mut indices: Vec<IndexForm> = read.subscripts.iter().map(|subscript| form(values, &path, subscript)).collect();
    let is_special = |form: &IndexForm| matches!(form, IndexForm::Affine(..) | IndexForm::Other(_));
    if !indices.iter().any(is_special) {
        // Each index is fine, but it is not known which of their values occur together.
        let at = read.subscripts.iter().position(|subscript| subscript.span == blamed).unwrap_or(0);
        if let Some(index) = indices.get_mut(at) {
            *index = IndexForm::Other(reason);
        }
    }
    vec![formed(indices)]
}

/// The indices of the left side of the assignment at a position; `None` if it is a scalar.
fn left_forms(unit: &UnitContext<'_>, position: FlowPosition) -> Option<Vec<IndexForm>> {
    let (target, _) = unit.values.assignment(position)?;
    let span = unit.values.tree.statements[unit.values.flow.statements[position]].span;
    let references = array_references(unit, position, target, span);
    let path = FlowPath { root: position, read: position, distance: Distance::new() };
    let form_of = |subscript: &Subscript| match &subscript.kind {
        // The sections of the left side are what those of the right side are aligned with.
        SubscriptKind::Aligned { axis, .. } => IndexForm::Neighbour(Axis::Section(*axis), 0),
        _ => form(&unit.values, &path, subscript),
    };
    let forms = references.iter().flat_map(|reference| &reference.subscripts).map(form_of);
    (!references.is_empty()).then(|| forms.collect())
}

/// How a read comes to its root.
struct FlowPath {
    root: FlowPosition,
    read: FlowPosition,
    distance: Distance,
}

/// The form of one subscript; of several values, that of the first.
fn form(values: &ValueContext<'_>, path: &FlowPath, subscript: &Subscript) -> IndexForm {
    let reason = match coordinates(values, path.root, path.read, &path.distance, subscript) {
        Ok(possible) => match possible.first() {
            Some(Coordinate::Relative(axis, offset)) => return IndexForm::Neighbour(*axis, *offset),
            Some(Coordinate::Absolute(index)) => return IndexForm::Absolute(index.form.clone()),
            None => Reason::NonNeighbourIndex,
        },
        Err(reason) => reason,
    };
    affine(values, path, subscript).unwrap_or(IndexForm::Other(reason))
}

/// The form of a subscript that is `f * i + c`.
fn affine(values: &ValueContext<'_>, path: &FlowPath, subscript: &Subscript) -> Option<IndexForm> {
    let SubscriptKind::Index(indices) = &subscript.kind else { return None };
    let [index] = indices.as_slice() else { return None };
    let (Atom::Variable(symbol), factor) = index.form.single_term()? else { return None };
    let common = values.common_loop(path.root, path.read);
    let (id, variable) = values.flow.induction_variables(common).find(|(_, variable)| variable.symbol == *symbol)?;
    let earlier = match path.distance.iter().find(|&&(other, _)| other == id) {
        None => 0,
        Some(&(_, iterations)) => iterations?,
    };
    let shift = variable.advance(earlier)?.checked_mul(factor)?;
    let offset = index.form.constant_term().checked_sub(shift)?;
    (factor != 1).then_some(IndexForm::Affine(Axis::Variable(*symbol), factor, offset))
}
