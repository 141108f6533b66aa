//! Array constructors (R770): their elements are aligned with the left side by position, and an implied DO is a loop.
//!
//! In `b = [a(1), (a(i), i = 2, n)]` the element that *i* stands for has the position *i - 1*, counted from 0, so *i*
//! is the index on the left. The variable of an implied DO is bound to such a sum over the axis of the left side; what
//! subscripts make of it says how far the elements lie from those on the left.

use super::Reason;
use super::alignment::{Alignment, Alignments};
use super::dimension::{DimensionKind, Start};
use super::reader::Reader;
use super::section::is_one;
use super::subscript::{Subscript, SubscriptKind};
use crate::flow::canonical;
use crate::intrinsics::ResultShape;
use crate::names::SymbolId;
use crate::syntax::{Argument, Expression, ExpressionKind, ImpliedDo, Section};
use crate::values::{Bindings, Evaluator, Index, Inside};

/// The axis that a constructor is aligned with, shifted by so much.
#[derive(Clone, Copy)]
struct Along {
    axis: usize,
    shift: i64,
}

impl Reader<'_, '_> {
    /// The reads of the values of an array constructor.
    pub(super) fn constructor(&mut self, values: &[Expression], alignments: &Alignments) {
        let Alignment::Aligned { axis, shift: Ok(shift) } = alignments.dimension(0, 1) else {
            // Which element goes where is not followed.
            let inside = match alignments {
                Alignments::All(Alignment::Reduced) => Alignments::All(Alignment::Reduced),
                _ => Alignments::unclear(),
            };
            return values.iter().for_each(|value| self.expression(value, &inside));
        };
        let mut position = Some(Index::constant(0));
        for value in values {
            position = self.constructor_value(value, Along { axis, shift }, position);
        }
    }

    /// The reads of a value whose first element has this position, if it is known; gives the position behind it.
    fn constructor_value(&mut self, value: &Expression, along: Along, position: Option<Index>) -> Option<Index> {
        let context = self.context();
        if let ExpressionKind::ImpliedDo(implied) = &value.kind {
            self.implied_along(implied, along, position.as_ref());
            let bounds = [&implied.lower, &implied.upper].into_iter().chain(&implied.step);
            bounds.for_each(|bound| self.expression(bound, &Alignments::scalar()));
            return position?.plus(&self.length_of_implied(implied)?, 1);
        }
        if self.is_scalar(value) {
            self.expression(value, &Alignments::scalar());
            return position?.plus(&Index::constant(1), 1);
        }
        match context.resolved.rank(context.tree, context.statement, value) {
            Some(1) => {
                let before = position.as_ref().and_then(|position| position.form.as_constant());
                let shift = before.and_then(|before| along.shift.checked_sub(before)).ok_or(Reason::SymbolicOffset);
                let aligned = Alignment::Aligned { axis: along.axis, shift };
                self.expression(value, &Alignments::Each(vec![aligned]));
                position?.plus(&self.length_of_section(value)?, 1)
            }
            _ => {
                self.expression(value, &Alignments::unclear());
                None
            }
        }
    }

    /// The reads of the items of an implied DO that is aligned with the left side.
    fn implied_along(&mut self, implied: &ImpliedDo, along: Along, position: Option<&Index>) {
        let context = self.context();
        let Some(symbol) = context.resolved.symbol_at(context.statement, implied.variable.name) else { return };
        let symbol = canonical(context.resolved, symbol);
        let counted = match implied.items.as_slice() {
            [item] if self.is_scalar(item) => {
                position.and_then(|position| self.counted_along(implied, along, position, symbol))
            }
            _ => None,
        };
        // What is not known moves with the left side all the same.
        let unknown = || axis_index(along.axis, symbol).plus(&Index::opaque("[?]".to_owned(), Inside::default()), 1);
        let Some(counted) = counted.or_else(unknown) else { return };
        let mut bindings: Bindings = self.evaluator.bindings.cloned().unwrap_or_default();
        bindings.insert(symbol, vec![counted]);
        let evaluator = Evaluator { bindings: Some(&bindings), ..self.evaluator };
        let mut reader =
            Reader { unit: self.unit, evaluator, axes: self.axes.clone(), found: Vec::new(), depth: self.depth };
        for item in &implied.items {
            let is_scalar = reader.is_scalar(item);
            reader.expression(item, &if is_scalar { Alignments::scalar() } else { Alignments::unclear() });
        }
        let mut found = reader.found;
        for subscript in found.iter_mut().flat_map(|read| &mut read.subscripts) {
            self.align(subscript, along.axis, symbol);
        }
        self.found.extend(found);
    }

    /// What the variable of an implied DO is by the index on the left, where the first element has this position.
    fn counted_along(&self, implied: &ImpliedDo, along: Along, position: &Index, symbol: SymbolId) -> Option<Index> {
        let left = self.axes.get(along.axis)?;
        let step = self.step_along(implied, left)?;
        let first = match left {
            Start { is_whole: true, is_open: true, .. } => Index::constant(1),
            Start { lower, .. } => single(lower.as_ref()?)?,
        };
        let moved = Index::constant(along.shift.checked_mul(step)?);
        let begin = single(&self.evaluator.evaluate(&implied.lower))?;
        begin.plus(position, -step)?.plus(&moved, 1)?.plus(&first, -1)?.plus(&axis_index(along.axis, symbol), 1)
    }

    /// The step of an implied DO, if that is the stride of the section on the left.
    fn step_along(&self, implied: &ImpliedDo, left: &Start) -> Option<i64> {
        let step = match &implied.step {
            Some(step) => single(&self.evaluator.evaluate(step))?.form.as_constant()?,
            None => 1,
        };
        let stride = match &left.stride {
            Some(stride) => single(stride)?.form.as_constant()?,
            None => 1,
        };
        (step == stride).then_some(step)
    }

    /// Whether an expression is known to be no array.
    fn is_scalar(&self, expression: &Expression) -> bool {
        let context = self.context();
        match &expression.kind {
            ExpressionKind::Literal(_) | ExpressionKind::Complex(_) => true,
            ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(_, inner) => self.is_scalar(inner),
            ExpressionKind::Binary(operations) => operations.operands().all(|operand| self.is_scalar(operand)),
            ExpressionKind::Conditional(tests, last) => {
                tests.iter().all(|(_, value)| self.is_scalar(value)) && self.is_scalar(last)
            }
            ExpressionKind::Reference(reference) => match context.intrinsic(reference) {
                Some((function, list)) => match function.shape {
                    ResultShape::Elemental => {
                        list.items.iter().filter_map(Argument::expression).all(|argument| self.is_scalar(argument))
                    }
                    ResultShape::Reduction => function.argument("dim", list, &context.tree.names).is_none(),
                    ResultShape::Scalar | ResultShape::VectorProduct => true,
                    _ => false,
                },
                None => context.resolved.rank(context.tree, context.statement, expression) == Some(0),
            },
            _ => false,
        }
    }

    /// How many elements an implied DO with one scalar item in each turn gives.
    fn length_of_implied(&self, implied: &ImpliedDo) -> Option<Index> {
        let has_unit_step = implied.step.as_ref().is_none_or(|step| is_one(&self.evaluator.evaluate(step)));
        if !has_unit_step || implied.items.iter().any(|item| matches!(item.kind, ExpressionKind::ImpliedDo(_))) {
            return None;
        }
        let turns = self.length(&implied.lower, &implied.upper)?;
        let items = i64::try_from(implied.items.len()).ok()?;
        Index::constant(0).plus(&turns, items)
    }

    /// How many elements a section has.
    fn length_of_section(&self, value: &Expression) -> Option<Index> {
        let context = self.context();
        let ExpressionKind::Reference(reference) = &value.kind else { return None };
        let classes = context.resolved.classify(context.tree, context.statement, reference);
        let mut dimensions = self.dimensions(reference, &classes);
        dimensions.retain(|dimension| dimension.is_section());
        match dimensions.as_slice() {
            [dimension] => match dimension.kind {
                DimensionKind::Section(
                    Start { stride: None, .. },
                    Some(Section { lower: Some(lower), upper: Some(upper), .. }),
                ) => self.length(lower, upper),
                _ => None,
            },
            _ => None,
        }
    }

    /// How many indices lie between two.
    fn length(&self, lower: &Expression, upper: &Expression) -> Option<Index> {
        let (lower, upper) = (single(&self.evaluator.evaluate(lower))?, single(&self.evaluator.evaluate(upper))?);
        upper.plus(&lower, -1)?.plus(&Index::constant(1), 1)
    }

    /// Aligns a subscript in which the variable of an implied DO occurs.
    fn align(&self, subscript: &mut Subscript, axis: usize, symbol: SymbolId) {
        let (SubscriptKind::Index(values) | SubscriptKind::Window(values)) = &subscript.kind else { return };
        if !values.iter().any(|value| value.inside.variables.contains(&symbol)) {
            return;
        }
        let is_window = matches!(subscript.kind, SubscriptKind::Window(_));
        let axis_atom = axis_index(axis, symbol);
        let offset = match values.as_slice() {
            _ if values.iter().any(|value| value.inside.indirect) => Err(Reason::IndirectIndex),
            [value] if !is_window => match value.plus(&axis_atom, -1) {
                Some(rest) if rest.inside.variables.contains(&symbol) => Err(Reason::NonNeighbourIndex),
                Some(rest) => match rest.form.as_constant() {
                    Some(offset) => Ok(offset),
                    _ if rest.variables().any(|symbol| self.evaluator.counts(symbol)) => Err(Reason::NonNeighbourIndex),
                    _ => Err(Reason::SymbolicOffset),
                },
                None => Err(Reason::NonNeighbourIndex),
            },
            _ => Err(Reason::NonNeighbourIndex),
        };
        subscript.kind = match offset {
            Ok(offset) => SubscriptKind::Aligned { axis: axis as u32, offset: Ok(offset) },
            Err(reason) => SubscriptKind::Unaligned(reason),
        };
    }
}

/// The index on the left along an axis, for which the variable of an implied DO stands.
fn axis_index(axis: usize, symbol: SymbolId) -> Index {
    Index::opaque(format!("[{axis}]"), Inside { variables: [symbol].into(), ..Inside::default() })
}

fn single(values: &[Index]) -> Option<Index> {
    match values {
        [one] => Some(one.clone()),
        _ => None,
    }
}
