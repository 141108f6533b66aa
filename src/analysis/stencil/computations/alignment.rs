//! What the dimensions of an expression stand for, and what intrinsic functions make of it.
//!
//! The *alignment* of a dimension says which axis of the left side it is aligned with, or that a function runs over all
//! of it.

use super::Reason;
use super::reader::Reader;
use crate::intrinsics::{Intrinsic, ResultShape};
use crate::syntax::{ArgumentList, BinaryOperator, Expression, ExpressionKind, UnaryOperator};

/// The alignment of a dimension of an expression.
#[derive(Clone, Debug)]
pub(super) enum Alignment {
    /// It is aligned with an axis of the left side, shifted by so much.
    Aligned { axis: usize, shift: Result<i64, Reason> },
    /// All of it is read for each element.
    Reduced,
    /// Nothing can be said.
    Unclear(Reason),
}

/// The alignments of the dimensions of an expression.
#[derive(Clone, Debug)]
pub(super) enum Alignments {
    /// One for each; an expression of another rank does not conform, scalars excepted.
    Each(Vec<Alignment>),
    /// The same for all, however many there are.
    All(Alignment),
}

impl Alignments {
    /// Those of a scalar.
    pub fn scalar() -> Self {
        Alignments::Each(Vec::new())
    }

    /// Those of an expression that is aligned with the left side as it stands.
    pub fn aligned(rank: usize) -> Self {
        Alignments::Each((0..rank).map(|axis| Alignment::Aligned { axis, shift: Ok(0) }).collect())
    }

    /// Those of an array of which it is not known which element goes where.
    pub fn unclear() -> Self {
        Alignments::All(Alignment::Unclear(Reason::NonNeighbourIndex))
    }

    pub fn dimension(&self, dimension: usize, rank: usize) -> Alignment {
        match self {
            Alignments::Each(alignments) if alignments.len() == rank => alignments[dimension].clone(),
            Alignments::Each(_) => Alignment::Unclear(Reason::NonNeighbourIndex),
            Alignments::All(alignment) => alignment.clone(),
        }
    }

    pub fn are_scalar(&self) -> bool {
        matches!(self, Alignments::Each(alignments) if alignments.is_empty())
    }
}

impl Reader<'_, '_> {
    /// The arguments of an intrinsic function.
    pub(super) fn intrinsic(&mut self, function: &Intrinsic, list: &ArgumentList, alignments: &Alignments) {
        let context = self.context();
        let argument = |keyword: &str| function.argument(keyword, list, &context.tree.names);
        // In the place of DIM the mask may stand as well.
        let dimension = || argument("dim").filter(|dim| !self.is_logical(dim)).map(|dim| context.constant(dim));
        let of_array = match function.shape {
            ResultShape::Elemental | ResultShape::Scalar | ResultShape::Bounds => {
                return self.arguments(list, alignments);
            }
            ResultShape::Sequence if list.items.len() == function.arguments.len() => {
                return self.arguments(list, alignments);
            }
            ResultShape::Shifted => {
                let by = argument("shift").and_then(|shift| context.constant(shift));
                shifted(alignments, dimension().unwrap_or(Some(1)), by)
            }
            ResultShape::Transposed => match alignments {
                Alignments::Each(each) => Alignments::Each(each.iter().rev().cloned().collect()),
                Alignments::All(alignment) => Alignments::All(alignment.clone()),
            },
            ResultShape::Spread => spread_source(alignments, dimension().flatten()),
            ResultShape::Reduction | ResultShape::Location => reduced(alignments, dimension()),
            ResultShape::VectorProduct => Alignments::All(Alignment::Reduced),
            ResultShape::MatrixProduct => {
                return self.factors([argument("matrix_a"), argument("matrix_b")], alignments);
            }
            ResultShape::Reshaped
            | ResultShape::Packed
            | ResultShape::Unpacked
            | ResultShape::Transferred
            | ResultShape::Sequence
            | ResultShape::Unknown => Alignments::unclear(),
        };
        let others = match function.shape {
            ResultShape::Shifted | ResultShape::Spread => Alignments::unclear(),
            _ => of_array.clone(),
        };
        let array = function.arguments.first().and_then(|first| argument(first.name));
        for item in list.items.iter() {
            let Some(argument) = item.expression() else { continue };
            let is_array = array.is_some_and(|array| std::ptr::eq(array, argument));
            self.expression(argument, if is_array { &of_array } else { &others });
        }
    }

    /// The factors of a matrix product: a row of the first and a column of the second are read for each element.
    fn factors(&mut self, factors: [Option<&Expression>; 2], alignments: &Alignments) {
        let context = self.context();
        let ranks = factors.map(|factor| context.resolved.rank(context.tree, context.statement, factor?));
        let of_result = |dimension: usize, rank: usize| vec![alignments.dimension(dimension, rank)];
        let none = Vec::new;
        let (rows, columns) = match ranks {
            [Some(2), Some(2)] => (of_result(0, 2), of_result(1, 2)),
            [Some(2), Some(1)] => (of_result(0, 1), none()),
            [Some(1), Some(2)] => (none(), of_result(0, 1)),
            _ => {
                let unclear = Alignments::unclear();
                return factors.into_iter().flatten().for_each(|factor| self.expression(factor, &unclear));
            }
        };
        let first = rows.into_iter().chain([Alignment::Reduced]).collect();
        let second = [Alignment::Reduced].into_iter().chain(columns).collect();
        for (factor, each) in factors.into_iter().flatten().zip([first, second]) {
            let before = self.found.len();
            self.expression(factor, &Alignments::Each(each));
            let of_factor = self.found[before..].iter_mut().filter(|read| read.span == factor.span);
            of_factor.for_each(|read| read.is_factor = true);
        }
    }

    /// Whether an expression is a mask: it compares, or is known to be logical.
    fn is_logical(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Parenthesised(inner) => self.is_logical(inner),
            ExpressionKind::Unary(UnaryOperator::Not, _) => true,
            ExpressionKind::Binary(operations) => operations.rest.iter().any(|(operator, _)| {
                use BinaryOperator::*;
                matches!(operator, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | And | Or)
            }),
            ExpressionKind::Reference(_) => self.context().is_array(expression),
            _ => false,
        }
    }
}

/// The alignments of the operands of an operator; what a defined one does with arrays is not known.
pub(super) fn through_operator(alignments: &Alignments, is_defined: bool) -> Alignments {
    match alignments {
        _ if !is_defined || alignments.are_scalar() => alignments.clone(),
        _ => Alignments::unclear(),
    }
}

/// The alignments of an array whose elements a function moves by a constant along one dimension.
fn shifted(alignments: &Alignments, dimension: Option<i64>, by: Option<i64>) -> Alignments {
    let along = dimension.and_then(|dimension| usize::try_from(dimension.checked_sub(1)?).ok());
    let (Some(along), Alignments::Each(each)) = (along, alignments) else {
        return match alignments {
            // All of it is read anyhow.
            Alignments::All(Alignment::Reduced) => alignments.clone(),
            _ => Alignments::unclear(),
        };
    };
    let mut each = each.clone();
    if let Some(Alignment::Aligned { shift, .. }) = each.get_mut(along) {
        *shift = match (&*shift, by) {
            (Ok(before), Some(by)) => before.checked_add(by).ok_or(Reason::NonNeighbourIndex),
            (Err(reason), _) => Err(*reason),
            (Ok(_), None) => Err(Reason::SymbolicOffset),
        };
    }
    Alignments::Each(each)
}

/// The alignments of an array that a function reduces: along one dimension, or all of it.
fn reduced(alignments: &Alignments, dimension: Option<Option<i64>>) -> Alignments {
    match (dimension, alignments) {
        (None, _) | (_, Alignments::All(Alignment::Reduced)) => Alignments::All(Alignment::Reduced),
        (Some(along), Alignments::Each(each)) => {
            let along = along.and_then(|along| usize::try_from(along.checked_sub(1)?).ok());
            match along.filter(|&along| along <= each.len()) {
                Some(along) => {
                    let mut each = each.clone();
                    each.insert(along, Alignment::Reduced);
                    Alignments::Each(each)
                }
                None => Alignments::unclear(),
            }
        }
        (Some(_), Alignments::All(alignment)) => Alignments::All(alignment.clone()),
    }
}

/// The alignments of an array that SPREAD copies along a new dimension.
fn spread_source(alignments: &Alignments, dimension: Option<i64>) -> Alignments {
    match (alignments, dimension.and_then(|dimension| usize::try_from(dimension.checked_sub(1)?).ok())) {
        (Alignments::All(alignment), _) => Alignments::All(alignment.clone()),
        (Alignments::Each(each), Some(along)) if along < each.len() => {
            let mut each = each.clone();
            each.remove(along);
            Alignments::Each(each)
        }
        _ => Alignments::unclear(),
    }
}
