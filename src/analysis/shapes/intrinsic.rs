//! What intrinsic functions demand of their arguments, and the shapes of their results (Fortran 2023, 16.9). How the
//! shape follows stands in the row of the table of intrinsics; here is what that means for extents.

use crate::analysis::obligations::{Amount, Point, Subject};
use crate::intrinsics::{Intrinsic, ResultShape};
use crate::source::Span;
use crate::symbolic::{Condition, Term, constant, maximum, product};
use crate::syntax::{ArgumentList, Expression, ExpressionKind, NameTable};

use super::collect::{Collector, Shape};
use super::rules;

/// The arguments of a call of an intrinsic function, each looked at once.
struct Arguments<'a> {
    function: &'a Intrinsic,
    list: &'a ArgumentList,
    names: &'a NameTable,
    shapes: Vec<Shape>,
}

impl Collector {
    /// The shape of the result of an intrinsic function.
    pub fn intrinsic(
        &mut self,
        point: &mut Point<'_, '_>,
        function: &Intrinsic,
        list: &ArgumentList,
        span: Span,
    ) -> Shape {
        // What is asked about is not read.
        if function.is_inquiry() && function.shape == ResultShape::Scalar {
            return Some(Vec::new());
        }
        let shapes: Vec<Shape> = list.items.iter().map(|item| self.argument(point, item)).collect();
        let names = &point.unit.tree.names;
        let arguments = Arguments { function, list, names, shapes };
        match function.shape {
            ResultShape::Elemental | ResultShape::Sequence => self.elemental(point, &arguments),
            ResultShape::Scalar => Some(Vec::new()),
            ResultShape::Reduction | ResultShape::Location => self.reduction(point, &arguments, span),
            ResultShape::Bounds => {
                if arguments.expression("dim").is_some() {
                    return Some(Vec::new());
                }
                let rank = arguments.first_shape()?.len();
                Some(vec![constant(rank as i64)])
            }
            ResultShape::Shifted => self.shifted(point, &arguments, span),
            ResultShape::Transposed => match arguments.first_shape()? {
                [rows, columns] => Some(vec![columns.clone(), rows.clone()]),
                _ => None,
            },
            ResultShape::Spread => self.spread(point, &arguments, span),
            ResultShape::Reshaped => self.reshaped(point, &arguments, span),
            ResultShape::MatrixProduct => self.matrix_product(point, &arguments, span),
            ResultShape::VectorProduct => {
                if let (Some([left]), Some([right])) = (arguments.shape_at(0), arguments.shape_at(1)) {
                    let (left, right) = (left.clone(), right.clone());
                    self.equal_extents(point, &arguments, span, (0, 1, left), (1, 1, right));
                }
                Some(Vec::new())
            }
            ResultShape::Packed => self.packed(point, &arguments, span),
            ResultShape::Unpacked => self.unpacked(point, &arguments, span),
            ResultShape::Transferred | ResultShape::Unknown => None,
        }
    }

    fn elemental(&mut self, point: &mut Point<'_, '_>, arguments: &Arguments<'_>) -> Shape {
        let mut result = Some(Vec::new());
        let mut text = String::new();
        for (item, shape) in arguments.list.items.iter().zip(&arguments.shapes) {
            let other = point.text(item.span);
            let pair = ((result, text), (shape.clone(), other.clone()));
            result = self.conforming(&rules::SHAPES_DIFFER, item.span, pair.0, pair.1);
            text = other;
        }
        result
    }

    fn equal_extents(
        &mut self,
        point: &Point<'_, '_>,
        arguments: &Arguments<'_>,
        span: Span,
        (left, left_dimension, left_extent): (usize, usize, Term),
        (right, right_dimension, right_extent): (usize, usize, Term),
    ) {
        let text = |at: usize, dimension: usize| {
            let text = arguments.text_at(point, at);
            format!("dimension {dimension} of '{text}' has the extent")
        };
        let condition = Condition::equal(&left_extent, &right_extent);
        self.found.operands.extend([left_extent.clone(), right_extent.clone()]);
        let subject = Subject::Sizes {
            there: Amount::new(text(left, left_dimension), left_extent),
            needed: Amount::new(text(right, right_dimension), right_extent),
        };
        self.demand(&rules::INTRINSIC_ARGUMENTS_DIFFER, span, condition, subject);
    }

    /// The dimension that DIM says, if it is a constant; else nothing. That it is one of the array is demanded.
    fn dimension(&mut self, point: &mut Point<'_, '_>, dim: &Expression, rank: usize, span: Span) -> Option<usize> {
        if !point.is_integer(dim) {
            return None;
        }
        let (value, most) = (point.integer(dim), constant(rank as i64));
        let within = Condition::at_most(&constant(1), &value)
            .zip(Condition::at_most(&value, &most))
            .map(|(from, to)| Condition::all([from, to]));
        let subject =
            Subject::Sizes { there: Amount::new("the rank is", most), needed: Amount::new("DIM is", value.clone()) };
        self.demand(&rules::INTRINSIC_ARGUMENTS_DIFFER, span, within, subject);
        usize::try_from(value.as_constant()?).ok()?.checked_sub(1).filter(|&at| at < rank)
    }

    /// SUM and the like, MAXLOC and the like.
    fn reduction(&mut self, point: &mut Point<'_, '_>, arguments: &Arguments<'_>, span: Span) -> Shape {
        let (dim, mask) = arguments.dimension_and_mask(point);
        let array = arguments.first_shape().map(<[Term]>::to_vec);
        if let (Some(array), Some(mask)) = (&array, mask)
            && let Some(mask_shape) = arguments.shape_of(mask)
        {
            let texts = (arguments.text_at(point, 0), point.text(mask.span));
            let rule = &rules::INTRINSIC_ARGUMENTS_DIFFER;
            self.conforming(rule, span, (Some(array.clone()), texts.0), (Some(mask_shape), texts.1));
        }
        let Some(dim) = dim else {
            if arguments.function.shape == ResultShape::Reduction {
                return Some(Vec::new());
            }
            return array.map(|array| vec![constant(array.len() as i64)]);
        };
        let mut array = array?;
        let at = self.dimension(point, dim, array.len(), span)?;
        array.remove(at);
        Some(array)
    }

    /// CSHIFT and EOSHIFT.
    fn shifted(&mut self, point: &mut Point<'_, '_>, arguments: &Arguments<'_>, span: Span) -> Shape {
        let array = arguments.first_shape()?.to_vec();
        let at = match arguments.expression("dim") {
            Some(dim) => self.dimension(point, dim, array.len(), span),
            None => Some(0),
        };
        if let (Some(at), Some(shift)) = (at, arguments.shape_named("shift"))
            && !shift.is_empty()
        {
            let mut rest = array.clone();
            rest.remove(at);
            let text = |name: &str| arguments.expression(name).map(|of| point.text(of.span)).unwrap_or_default();
            let pair = ((Some(rest), text("array")), (Some(shift), text("shift")));
            self.conforming(&rules::INTRINSIC_ARGUMENTS_DIFFER, span, pair.0, pair.1);
        }
        Some(array)
    }

    fn spread(&mut self, point: &mut Point<'_, '_>, arguments: &Arguments<'_>, span: Span) -> Shape {
        let mut array = arguments.first_shape()?.to_vec();
        let dim = arguments.expression("dim")?;
        let at = self.dimension(point, dim, array.len() + 1, span)?;
        let copies = point.integer(arguments.expression("ncopies")?);
        array.insert(at, maximum(vec![constant(0), copies])?);
        Some(array)
    }

    fn reshaped(&mut self, point: &mut Point<'_, '_>, arguments: &Arguments<'_>, span: Span) -> Shape {
        let wanted = arguments.expression("shape")?;
        let extents = match &wanted.kind {
            ExpressionKind::ArrayConstructor { values, .. } => {
                let is_scalar = |value: &Expression| !matches!(value.kind, ExpressionKind::ImpliedDo(_));
                if !values.iter().all(|value| is_scalar(value) && point.is_integer(value)) {
                    return None;
                }
                let is_rank_zero = |value: &Expression| {
                    point.unit.resolved.rank(point.unit.tree, point.statement, value).is_none_or(|rank| rank == 0)
                };
                if !values.iter().all(is_rank_zero) {
                    return None;
                }
                values.iter().map(|value| point.integer(value)).collect::<Vec<Term>>()
            }
            ExpressionKind::Reference(reference) => {
                let (function, list) = point.context().intrinsic(reference)?;
                let of = list.items.first()?.expression().filter(|_| function.name == "shape")?;
                point.shape(of)?
            }
            _ => return None,
        };
        for extent in &extents {
            let Some(meant) = Condition::at_most(&constant(0), extent) else { continue };
            let message =
                format!("RESHAPE makes an array with the extent {}, which is negative", point.unit.places.text(extent));
            self.oddity(&rules::EXTENT_NEGATIVE, span, meant, message);
        }
        if arguments.expression("pad").is_none()
            && let Some(source) = arguments.first_shape()
        {
            let count =
                |extents: &[Term]| extents.iter().try_fold(constant(1), |count, extent| product(&count, extent));
            if let (Some(there), Some(needed)) = (count(source), count(&extents)) {
                let text = arguments.text_at(point, 0);
                let condition = Condition::at_most(&needed, &there);
                let subject = Subject::Sizes {
                    there: Amount::of_elements(format!("'{text}' has"), there),
                    needed: Amount::new("SHAPE asks for", needed),
                };
                let not_negative = extents.iter().filter_map(|extent| Condition::at_most(&constant(0), extent));
                self.under(Condition::all(not_negative), |collector| {
                    collector.demand(&rules::INTRINSIC_ARGUMENTS_DIFFER, span, condition, subject);
                });
            }
        }
        extents.into_iter().map(|extent| maximum(vec![constant(0), extent])).collect()
    }

    fn matrix_product(&mut self, point: &mut Point<'_, '_>, arguments: &Arguments<'_>, span: Span) -> Shape {
        self.mark_contracts(point, arguments);
        let left = arguments.shape_at(0)?.to_vec();
        let right = arguments.shape_at(1)?.to_vec();
        let (inner_left, inner_right) = (left.last()?.clone(), right.first()?.clone());
        self.equal_extents(point, arguments, span, (0, left.len(), inner_left), (1, 1, inner_right));
        let outer = left[..left.len() - 1].iter().chain(&right[1..]);
        Some(outer.cloned().collect())
    }

    /// Arrays of any shape that are multiplied as they are: that they fit is for the caller to see to.
    fn mark_contracts(&mut self, point: &Point<'_, '_>, arguments: &Arguments<'_>) {
        for item in &arguments.list.items {
            let Some(ExpressionKind::Reference(reference)) = item.expression().map(|of| &of.kind) else { continue };
            let Some(symbol) = reference.as_name().and_then(|_| point.symbol(reference)) else { continue };
            let of = point.unit.resolved.symbol(symbol);
            let is_explicit = of.shape.as_ref().is_some_and(|shape| shape.is_explicit);
            if of.is_dummy && !is_explicit {
                let name = point.unit.tree.names.text(of.name);
                let arrays = self.found.arrays.iter_mut().filter(|array| array.name == name);
                arrays.for_each(|array| array.is_contract = true);
            }
        }
    }

    fn packed(&mut self, point: &mut Point<'_, '_>, arguments: &Arguments<'_>, span: Span) -> Shape {
        let mask = arguments.shape_named("mask");
        if let Some(mask) = mask.filter(|mask| !mask.is_empty()) {
            let text = |name: &str| arguments.expression(name).map(|of| point.text(of.span)).unwrap_or_default();
            let pair = ((arguments.shape_at(0).map(<[Term]>::to_vec), text("array")), (Some(mask), text("mask")));
            self.conforming(&rules::INTRINSIC_ARGUMENTS_DIFFER, span, pair.0, pair.1);
        }
        if arguments.expression("vector").is_some() {
            return arguments.shape_named("vector");
        }
        let mask = arguments.expression("mask")?;
        if point.condition(mask) != Condition::True {
            return None;
        }
        let extents = arguments.first_shape()?;
        let count = extents.iter().try_fold(constant(1), |count, extent| product(&count, extent))?;
        Some(vec![count])
    }

    fn unpacked(&mut self, point: &mut Point<'_, '_>, arguments: &Arguments<'_>, span: Span) -> Shape {
        let mask = arguments.shape_named("mask")?;
        if let Some(field) = arguments.shape_named("field").filter(|field| !field.is_empty()) {
            let text = |name: &str| arguments.expression(name).map(|of| point.text(of.span)).unwrap_or_default();
            let pair = ((Some(mask.clone()), text("mask")), (Some(field), text("field")));
            self.conforming(&rules::INTRINSIC_ARGUMENTS_DIFFER, span, pair.0, pair.1);
        }
        Some(mask)
    }
}

impl<'a> Arguments<'a> {
    fn first_shape(&self) -> Option<&[Term]> {
        self.shape_at(0)
    }

    /// The shape of the argument for the dummy argument at a position.
    fn shape_at(&self, dummy: usize) -> Option<&[Term]> {
        self.shapes[self.position(dummy)?].as_deref()
    }

    fn position(&self, dummy: usize) -> Option<usize> {
        self.function.actual(dummy, self.list, self.names)
    }

    /// The argument for the dummy argument at a position, as text.
    fn text_at(&self, point: &Point<'_, '_>, dummy: usize) -> String {
        self.position(dummy).map(|at| point.text(self.list.items[at].span)).unwrap_or_default()
    }

    fn expression(&self, keyword: &str) -> Option<&'a Expression> {
        self.function.argument(keyword, self.list, self.names)
    }

    /// The shape of an argument that was looked at.
    fn shape_of(&self, expression: &Expression) -> Shape {
        let at =
            self.list.items.iter().position(|item| item.expression().is_some_and(|of| std::ptr::eq(of, expression)))?;
        self.shapes[at].clone()
    }

    fn shape_named(&self, keyword: &str) -> Shape {
        self.shape_at(self.function.position(keyword)?).map(<[Term]>::to_vec)
    }

    /// DIM and MASK: where the second argument has no keyword, it is the one that its type says.
    fn dimension_and_mask(&self, point: &Point<'_, '_>) -> (Option<&'a Expression>, Option<&'a Expression>) {
        let (dim, mask) = (self.expression("dim"), self.expression("mask"));
        match (dim, mask) {
            (Some(dim), None) if !point.is_integer(dim) && self.function.position("mask") != Some(0) => {
                (None, Some(dim))
            }
            pair => pair,
        }
    }
}
