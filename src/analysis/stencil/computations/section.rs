//! Array sections: where they begin, and how far their elements lie from those of the left side.

use super::Reason;
use super::alignment::Alignment;
use super::dimension::{Dimension, DimensionKind, Start};
use super::reader::Reader;
use super::subscript::SubscriptKind;
use crate::flow::canonical;
use crate::names::{PartClass, Shape};
use crate::source::Span;
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{ArgumentValue, Expression, ExpressionKind, Reference, Section, StatementId};
use crate::values::{Atom, Bindings, Bounded, BoundedKey, Evaluator, ExpressionContext, Index, Inside, LowerBound};

/// Widest section that is taken apart into its elements.
const WINDOW: i64 = 64;

impl Reader<'_, '_> {
    /// The dimensions of the arrays in a reference whose parts are of these classes, in order.
    pub(super) fn dimensions<'e>(&self, reference: &'e Reference, classes: &[PartClass]) -> Vec<Dimension<'e>> {
        let context = self.context();
        let shapes = context.resolved.shapes(context.tree, context.statement, reference);
        let mut found = Vec::new();
        for (at, ((part, class), shape)) in reference.parts.iter().zip(classes).zip(shapes).enumerate() {
            let rank = match class {
                PartClass::Array { rank } => Some(*rank as usize),
                PartClass::Unknown => None,
                _ => continue,
            };
            let whole = |dimension| self.whole(reference, at, shape, dimension);
            let Some(list) = part.lists.first() else {
                let of_whole = |dimension| DimensionKind::Section(whole(dimension), None);
                let span = part.name.span;
                found.extend((0..rank.unwrap_or(0)).map(|dimension| Dimension { kind: of_whole(dimension), span }));
                continue;
            };
            for (dimension, item) in list.items.iter().enumerate() {
                let kind = match &item.value {
                    ArgumentValue::Section(section) if rank.is_some() => {
                        DimensionKind::Section(self.start(section, whole(dimension)), Some(section))
                    }
                    ArgumentValue::Expression(index) if rank.is_some() && context.is_array(index) => {
                        DimensionKind::Vector(index)
                    }
                    ArgumentValue::Expression(index) => DimensionKind::Index(index),
                    ArgumentValue::Section(_)
                    | ArgumentValue::AlternateReturn(_)
                    | ArgumentValue::Omitted
                    | ArgumentValue::Multiple(_) => DimensionKind::Unknown(&item.value),
                };
                found.push(Dimension { kind, span: item.span });
            }
        }
        found
    }

    /// Where the sections of a reference begin, in order; none if it is no array.
    pub(super) fn sections(&self, reference: &Reference) -> Vec<Start> {
        let context = self.context();
        let classes = context.resolved.classify(context.tree, context.statement, reference);
        let start = |dimension: Dimension<'_>| match dimension.kind {
            DimensionKind::Section(start, _) => Some(start),
            DimensionKind::Vector(_) => Some(Start { lower: None, is_whole: false, is_open: false, stride: None }),
            DimensionKind::Index(_) | DimensionKind::Unknown(_) => None,
        };
        self.dimensions(reference, &classes).into_iter().filter_map(start).collect()
    }

    fn start(&self, section: &Section, whole: Start) -> Start {
        let written = section.lower.as_ref().map(|lower| self.evaluator.evaluate(lower));
        let stride = section.stride.as_ref().map(|stride| self.evaluator.evaluate(stride));
        let stride = stride.filter(|stride| !is_one(stride.as_slice()));
        let is_forward =
            |step: &Vec<Index>| matches!(step.as_slice(), [one] if one.form.as_constant().is_some_and(|step| step > 0));
        match (written, &stride) {
            (Some(lower), _) => Start { lower: Some(lower), is_whole: false, is_open: false, stride },
            // Up to some index only, it is not aligned with whole dimensions.
            (None, None) if section.upper.is_some() => Start { is_whole: whole.is_whole && !whole.is_open, ..whole },
            (None, None) => whole,
            (None, Some(step)) if is_forward(step) => Start { stride, ..whole },
            // It may begin at the upper bound.
            (None, Some(_)) => Start { lower: None, is_whole: false, is_open: false, stride },
        }
    }

    /// The start of a whole dimension of the part of a reference at a place.
    fn whole(&self, reference: &Reference, at: usize, shape: Option<&Shape>, dimension: usize) -> Start {
        let bounds = self.evaluator.values.bounds;
        let start = |lower, is_whole, is_open| Start { lower: Some(vec![lower]), is_whole, is_open, stride: None };
        let declared = shape.and_then(|shape| shape.bounds.get(dimension)).and_then(|bounds| bounds.lower);
        if let Some(lower) = declared {
            return start(Index::constant(lower), true, false);
        }
        let parts = || Reference { parts: reference.parts[..=at].iter().cloned().collect() };
        let array = match at + 1 == reference.parts.len() {
            true => Bounded::new(self.context(), reference),
            false => Bounded::new(self.context(), &parts()),
        };
        let Some(array) = array else { return Start { lower: None, is_whole: true, is_open: true, stride: None } };
        let lower = bounds.of(&array, dimension);
        if let (LowerBound::Named { is_open: true, .. }, BoundedKey::Array(key)) = (&lower, &array.key)
            && key.components.is_empty()
            && let Some((statement, declared)) = bounds.declared(key.symbol, dimension)
        {
            // A name for it serves where its value when the unit is entered can't be told.
            return match self.at_entry(statement, declared) {
                Some(declared) => start(declared, true, false),
                None => start(lower.index(), false, false),
            };
        }
        match &lower {
            LowerBound::Known(_) => start(lower.index(), true, false),
            LowerBound::Named { is_open, .. } => start(lower.index(), *is_open, *is_open),
        }
    }

    /// The value of a bound that a declaration computes, when the unit with the declaration is entered: of variables
    /// that change later, or elsewhere, it has a value of that time.
    fn at_entry(&self, statement: StatementId, bound: &Expression) -> Option<Index> {
        let context = ExpressionContext { statement, ..self.context() };
        let values = self.evaluator.values;
        let unit = *context.tree.unit_of.get(statement)?;
        let mut bindings = Bindings::new();
        let mut then: Vec<Atom> = Vec::new();
        walk_subexpressions(bound, &mut |inner| {
            let ExpressionKind::Reference(reference) = &inner.kind else { return };
            let Some(symbol) =
                reference.parts.first().and_then(|part| context.resolved.symbol_at(statement, part.name.name))
            else {
                return;
            };
            let symbol = canonical(context.resolved, symbol);
            if unit != Some(values.flow.unit) || values.changes_in_unit(symbol) {
                let term = format!("{symbol:?}@{unit:?}");
                then.push(Atom::Opaque(term.clone()));
                bindings.insert(symbol, vec![Index::opaque(term, Inside::default())]);
            }
        });
        let evaluator = Evaluator { context, bindings: Some(&bindings), ..self.evaluator };
        let values = evaluator.evaluate(bound);
        let [one] = values.as_slice() else { return None };
        let is_known = |atom: &Atom| matches!(atom, Atom::Variable(_)) || then.contains(atom);
        one.form.atoms().all(is_known).then(|| one.clone())
    }

    /// A section in a alignment.
    pub(super) fn section(
        &self,
        written: Option<&Section>,
        start: &Start,
        alignment: &Alignment,
        span: Span,
    ) -> SubscriptKind {
        match alignment {
            Alignment::Aligned { axis, shift } => {
                let offset = match (self.axes.get(*axis), shift) {
                    (Some(left), Ok(shift)) => self.offset(left, start, *shift),
                    (_, Err(reason)) => Err(*reason),
                    (None, _) => Err(Reason::NonNeighbourIndex),
                };
                SubscriptKind::Aligned { axis: *axis as u32, offset }
            }
            Alignment::Reduced | Alignment::Unclear(_) if start.stride.is_some() => {
                SubscriptKind::Other(Reason::StridedSection)
            }
            Alignment::Reduced => self.run_over(written, start, span),
            Alignment::Unclear(reason) if self.axes.is_empty() => SubscriptKind::Other(*reason),
            Alignment::Unclear(reason) => SubscriptKind::Unaligned(*reason),
        }
    }

    /// How far the elements of a section, moved by so many positions, lie from those of one on the left.
    fn offset(&self, left: &Start, read: &Start, shift: i64) -> Result<i64, Reason> {
        let single = |values: &Vec<Index>| match values.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(Reason::LoopVaryingIndex),
        };
        let strides = (&left.stride, &read.stride);
        match strides {
            (None, None) => {}
            (Some(left), Some(right)) if single(left)?.form == single(right)?.form => {}
            _ => return Err(Reason::StridedSection),
        }
        let step = match &read.stride {
            Some(stride) if shift != 0 => single(stride)?.form.as_constant().ok_or(Reason::StridedSection)?,
            _ => 1,
        };
        let moved = shift.checked_mul(step).ok_or(Reason::NonNeighbourIndex)?;
        // Bounds that are not known are taken to be the same where both dimensions are whole, or the usual one.
        let is_usual = |start: &Start| start.is_whole && (start.is_open || start.lower.as_deref().is_some_and(is_one));
        let are_usual = is_usual(left) && is_usual(read);
        let (Some(from), Some(to)) = (&left.lower, &read.lower) else {
            return if are_usual { Ok(moved) } else { Err(Reason::SymbolicOffset) };
        };
        let difference = single(to)?.plus(&single(from)?, -1).ok_or(Reason::NonNeighbourIndex)?;
        match difference.form.as_constant() {
            Some(offset) => return offset.checked_add(moved).ok_or(Reason::NonNeighbourIndex),
            None if are_usual => return Ok(moved),
            None => {}
        }
        let moves = difference.variables().any(|symbol| {
            let values = self.evaluator.values;
            values.is_counted(self.evaluator.position, symbol)
        });
        Err(if difference.inside.indirect {
            Reason::IndirectIndex
        } else if moves {
            Reason::NonNeighbourIndex
        } else {
            Reason::SymbolicOffset
        })
    }

    /// A section of which all elements are read: as these elements, if they are few and known; else it is as good as
    /// any fixed index.
    fn run_over(&self, written: Option<&Section>, start: &Start, span: Span) -> SubscriptKind {
        let context = self.context();
        let lower = start.lower.as_deref().filter(|_| !start.is_whole);
        let upper = written.and_then(|section| section.upper.as_ref()).map(|upper| self.evaluator.evaluate(upper));
        let mut inside = Inside { runs_over: true, ..Inside::default() };
        for bound in lower.into_iter().flatten().chain(upper.iter().flatten()) {
            inside.variables.extend(bound.variables());
            inside.add(&bound.inside);
        }
        let moves = inside.variables.iter().any(|&symbol| self.evaluator.counts(symbol));
        if moves
            && start.stride.is_none()
            && let (Some([lower]), Some([upper])) = (lower, upper.as_deref())
            && let Some(elements) = elements(lower, upper)
        {
            return SubscriptKind::Window(elements);
        }
        SubscriptKind::Index(vec![Index::opaque(format!("[{}]", context.text(span)), inside)])
    }
}

/// Whether an index is 1.
pub(super) fn is_one(values: &[Index]) -> bool {
    matches!(values, [one] if one.form.as_constant() == Some(1))
}

/// All of the elements between two indices that differ by a constant.
fn elements(lower: &Index, upper: &Index) -> Option<Vec<Index>> {
    let last = upper.plus(lower, -1)?.form.as_constant()?;
    if !(0..WINDOW).contains(&last) {
        return None;
    }
    (0..=last).map(|step| lower.plus(&Index::constant(step), 1)).collect()
}
