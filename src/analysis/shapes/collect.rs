//! What expressions demand of shapes and bounds, and the shapes that they have.

use crate::analysis::obligations::{
    Demand, Demands, Dimension, Dimensions, NamedArray, Oddity, Point, RegionId, Subject, Subscript, extent_between,
    result_shape, step_of,
};
use crate::diagnostics::Rule;
use crate::names::{BaseType, PartClass};
use crate::source::Span;
use crate::symbolic::{Condition, Term, constant, difference, maximum, product, quotient, sum};
use crate::syntax::{
    Argument, ArgumentList, ArgumentValue, BinaryOperator, Expression, ExpressionKind, ImpliedDo, Operations, Part,
    Reference, Section,
};

use super::rules;

/// The extents of an expression: none of a scalar, nothing if they are not known.
pub type Shape = Option<Vec<Term>>;

/// What is collected of one statement.
#[derive(Default)]
pub struct Collector {
    /// What is found.
    pub found: Demands,
    /// Under what the part is executed that is looked at.
    guard: Vec<Condition>,
    /// The loops inside the statement around it.
    regions: Vec<RegionId>,
}

impl Collector {
    /// Adds what must hold.
    pub fn demand(&mut self, rule: &'static Rule, span: Span, condition: Option<Condition>, subject: Subject) {
        let Some(condition) = condition else { return };
        let guard = self.guard();
        if condition != Condition::True {
            let regions = self.regions.clone();
            self.found.demands.push(Demand { rule, span, guard, condition, regions, subject });
        }
    }

    /// Looks at a part that is executed under a condition.
    pub fn under<R>(&mut self, condition: Condition, look: impl FnOnce(&mut Self) -> R) -> R {
        self.guard.push(condition);
        let result = look(self);
        self.guard.pop();
        result
    }

    /// Looks at a part that a loop inside the statement executes.
    pub fn inside<R>(
        &mut self,
        point: &mut Point<'_, '_>,
        look: impl FnOnce(&mut Self, &mut Point<'_, '_>, RegionId) -> R,
    ) -> R {
        let region = point.unit.local_region(point.region());
        point.chain.push(region);
        self.regions.push(region);
        let bound = point.bound.len();
        let result = look(self, point, region);
        point.bound.truncate(bound);
        self.regions.pop();
        point.chain.pop();
        result
    }

    /// Under what the part at hand is executed, if the statement is.
    pub fn guard(&self) -> Condition {
        Condition::all(self.guard.iter().cloned())
    }

    /// Adds what is not as it is meant.
    pub fn oddity(&mut self, rule: &'static Rule, span: Span, meant: Condition, message: String) {
        if self.regions.is_empty() {
            let guard = self.guard();
            self.found.oddities.push(Oddity { rule, span, guard, meant, message });
        }
    }

    /// The shape of an expression, all of whose parts are looked at.
    pub fn shape(&mut self, point: &mut Point<'_, '_>, expression: &Expression) -> Shape {
        match &expression.kind {
            ExpressionKind::Literal(_) | ExpressionKind::Complex(_) => Some(Vec::new()),
            ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(_, inner) => self.shape(point, inner),
            ExpressionKind::Binary(operations) => self.operations(point, operations),
            ExpressionKind::Reference(reference) => self.reference(point, reference, expression.span),
            ExpressionKind::ArrayConstructor { values, .. } => self.constructor(point, values),
            ExpressionKind::ImpliedDo(implied) => {
                self.implied_do(point, implied);
                None
            }
            ExpressionKind::Substring(inner, list) => {
                self.shape(point, inner);
                self.list(point, list);
                None
            }
            ExpressionKind::Conditional(branches, _) => {
                if let Some((condition, _)) = branches.first() {
                    self.shape(point, condition);
                }
                None
            }
            ExpressionKind::PercentFunction(_, inner) => {
                self.shape(point, inner);
                None
            }
            ExpressionKind::Nil | ExpressionKind::Star | ExpressionKind::Repeat(..) => None,
        }
    }

    fn list(&mut self, point: &mut Point<'_, '_>, list: &ArgumentList) {
        for item in &list.items {
            self.argument(point, item);
        }
    }

    /// Looks at an argument; its shape.
    pub fn argument(&mut self, point: &mut Point<'_, '_>, argument: &Argument) -> Shape {
        match &argument.value {
            ArgumentValue::Expression(expression) => self.shape(point, expression),
            ArgumentValue::Section(section) => {
                for bound in [&section.lower, &section.upper, &section.stride].into_iter().flatten() {
                    self.shape(point, bound);
                }
                None
            }
            ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted | ArgumentValue::Multiple(_) => None,
        }
    }

    fn operations(&mut self, point: &mut Point<'_, '_>, operations: &Operations) -> Shape {
        // Operators between values of derived types are defined by procedures, too.
        let is_defined = operations.rest.iter().any(|(operator, _)| matches!(operator, BinaryOperator::Defined(_)))
            || operations.operands().any(|operand| is_derived(point, operand));
        let mut result = self.shape(point, &operations.first);
        let mut before = Vec::new();
        let mut last = &operations.first;
        for (operator, operand) in &operations.rest {
            // What decides a logical operation need not be followed by the rest of it.
            let shape = match operator {
                BinaryOperator::And | BinaryOperator::Or => {
                    let condition = point.condition(last);
                    before.push(if *operator == BinaryOperator::And { condition } else { condition.not() });
                    let guard = Condition::all(before.iter().cloned());
                    self.under(guard, |collector| collector.shape(point, operand))
                }
                BinaryOperator::Power
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::Concatenate
                | BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterEqual
                | BinaryOperator::Equivalent
                | BinaryOperator::NotEquivalent
                | BinaryOperator::Defined(_) => self.shape(point, operand),
            };
            if !is_defined {
                let texts = (point.text(operations.first.span), point.text(operand.span));
                result = self.conforming(&rules::SHAPES_DIFFER, operand.span, (result, texts.0), (shape, texts.1));
            }
            last = operand;
        }
        if is_defined { None } else { result }
    }

    /// The shape of what works element by element on two operands, whose shapes must be the same.
    pub fn conforming(
        &mut self,
        rule: &'static Rule,
        span: Span,
        (left, left_text): (Shape, String),
        (right, right_text): (Shape, String),
    ) -> Shape {
        let (left, right) = match (left, right) {
            (Some(left), Some(right)) => (left, right),
            // What is not known may be an array.
            (Some(known), None) | (None, Some(known)) if !known.is_empty() => return Some(known),
            (Some(_), None) | (None, Some(_) | None) => return None,
        };
        if left.is_empty() {
            return Some(right);
        }
        if right.is_empty() || left.len() != right.len() {
            return Some(left);
        }
        for (at, (one, other)) in left.iter().zip(&right).enumerate() {
            let subject = Subject::Shapes {
                left: (left_text.clone(), one.clone()),
                right: (right_text.clone(), other.clone()),
                dimension: at + 1,
            };
            self.demand(rule, span, Condition::equal(one, other), subject);
            self.found.operands.extend([one.clone(), other.clone()]);
        }
        Some(left)
    }

    fn reference(&mut self, point: &mut Point<'_, '_>, reference: &Reference, span: Span) -> Shape {
        if let Some(name) = reference.as_name()
            && point.bound.iter().any(|(bound, _)| *bound == name.name)
        {
            return Some(Vec::new());
        }
        let classes = point.classes(reference);
        if let ([PartClass::Intrinsic], Some((function, list))) =
            (classes.as_slice(), point.context().intrinsic(reference))
        {
            return self.intrinsic(point, function, list, span);
        }
        let mut shape: Shape = Some(Vec::new());
        for (at, (part, class)) in reference.parts.iter().zip(&classes).enumerate() {
            let of_part = match class {
                PartClass::Array { rank: 1.. } => self.array_part(point, reference, at, span),
                PartClass::Scalar | PartClass::Constant => Some(Vec::new()),
                PartClass::Substring => {
                    part.lists.iter().for_each(|list| self.list(point, list));
                    Some(Vec::new())
                }
                PartClass::Function if reference.parts.len() == 1 => self.function(point, reference, part),
                PartClass::Array { .. }
                | PartClass::Function
                | PartClass::StatementFunction
                | PartClass::Intrinsic
                | PartClass::StructureConstructor
                | PartClass::Unknown => {
                    part.lists.iter().for_each(|list| self.list(point, list));
                    None
                }
            };
            shape = match (shape, of_part) {
                (Some(before), Some(after)) if before.is_empty() => Some(after),
                (Some(before), Some(after)) if after.is_empty() => Some(before),
                _ => None,
            };
        }
        shape
    }

    /// A function of the program.
    fn function(&mut self, point: &mut Point<'_, '_>, reference: &Reference, part: &Part) -> Shape {
        let mut shapes = Vec::new();
        for item in part.lists.iter().flat_map(|list| &list.items) {
            let shape = self.argument(point, item);
            if let Some(expression) = item.expression() {
                shapes.push((shape, point.text(expression.span), expression.span));
            }
        }
        self.explicit_arguments(point, reference);
        let symbol = point.symbol(reference)?;
        let Some(interface) = point.unit.resolved.symbol(symbol).kind.interface() else {
            return result_shape(point, reference);
        };
        let is_scalar = interface.result.as_ref().is_some_and(|result| result.shape.is_none());
        if interface.is_elemental {
            let mut result = Some(Vec::new());
            let mut text = String::new();
            for (shape, other, span) in shapes {
                result = self.conforming(&rules::SHAPES_DIFFER, span, (result, text.clone()), (shape, other.clone()));
                text = other;
            }
            return result;
        }
        if is_scalar { Some(Vec::new()) } else { result_shape(point, reference) }
    }

    /// A part of a reference that is an array: its subscripts are held against its bounds.
    fn array_part(&mut self, point: &mut Point<'_, '_>, reference: &Reference, at: usize, span: Span) -> Shape {
        let part = &reference.parts[at];
        let prefix = Reference { parts: reference.parts[..=at].iter().cloned().collect() };
        let dimensions = point.dimensions(&prefix);
        let Some(list) = part.lists.first() else {
            let dimensions = dimensions?;
            self.name_array(point, &prefix, &dimensions);
            let extents: Shape = dimensions.iter().map(|dimension| dimension.extent.clone()).collect();
            return extents;
        };
        part.lists.iter().skip(1).for_each(|list| self.list(point, list));
        if may_be_substring(point, &prefix, list) {
            self.list(point, list);
            return None;
        }
        let is_usable =
            |dimensions: &Dimensions| dimensions.len() == list.items.len() && !is_unused(point, &prefix, dimensions);
        let dimensions = dimensions.filter(is_usable);
        if let Some(dimensions) = &dimensions {
            self.name_array(point, &prefix, dimensions);
        }
        let rank = list.items.len();
        let mut extents = Some(Vec::new());
        for (number, item) in list.items.iter().enumerate() {
            let of = dimensions.as_ref().map(|dimensions| &dimensions[number]);
            let about = About { array: &prefix, reference: span, item: item.span, dimension: (number + 1, rank) };
            let extent = match &item.value {
                ArgumentValue::Expression(index) => self.subscript(point, index, of, &about),
                ArgumentValue::Section(section) => self.section(point, section, of, &about).map(Some),
                ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted | ArgumentValue::Multiple(_) => None,
            };
            match (extent, &mut extents) {
                (Some(Some(extent)), Some(extents)) => extents.push(extent),
                (Some(None), _) => {}
                _ => extents = None,
            }
        }
        extents
    }

    /// Notes an array, of whose extents an equality may be told.
    fn name_array(&mut self, point: &Point<'_, '_>, array: &Reference, dimensions: &[Dimension]) {
        let names = &point.unit.tree.names;
        let name = array.parts.iter().map(|part| names.text(part.name.name)).collect::<Vec<_>>().join("%");
        let extents = dimensions.iter().map(|dimension| dimension.extent.clone()).collect();
        if self.found.arrays.iter().all(|known| known.name != name) {
            self.found.arrays.push(NamedArray { name, extents, is_contract: false });
        }
    }

    /// A subscript: nothing of the shape if it is a scalar, the extent of a vector.
    fn subscript(
        &mut self,
        point: &mut Point<'_, '_>,
        index: &Expression,
        dimension: Option<&Dimension>,
        about: &About<'_>,
    ) -> Option<Option<Term>> {
        let shape = self.shape(point, index);
        match shape.as_deref() {
            Some([extent]) => return Some(Some(extent.clone())),
            Some([]) => {}
            Some(_) => return None,
            // An element of an array, or the value of a function.
            None if is_scalar(point, index) => {}
            None => return None,
        }
        if let Some(Dimension { lower, upper, .. }) = dimension
            && point.is_integer(index)
        {
            let value = point.integer(index);
            let within = within(&value, lower, upper.as_ref());
            let subject = about.subject(point, value, lower, upper.as_ref());
            self.demand(&rules::OUT_OF_BOUNDS, about.item, within, subject);
        }
        Some(None)
    }

    /// A section: its extent.
    fn section(
        &mut self,
        point: &mut Point<'_, '_>,
        section: &Section,
        dimension: Option<&Dimension>,
        about: &About<'_>,
    ) -> Option<Term> {
        for bound in [&section.lower, &section.upper, &section.stride].into_iter().flatten() {
            self.shape(point, bound);
        }
        let stride = section.stride.as_ref().map_or(Some(1), |stride| step_of(point, stride));
        let is_integer = |bound: &Option<Box<Expression>>| bound.as_ref().is_none_or(|bound| point.is_integer(bound));
        if !is_integer(&section.lower) || !is_integer(&section.upper) {
            return None;
        }
        let given = [&section.lower, &section.upper];
        let [lower, upper] = given.map(|bound| bound.as_ref().map(|bound| point.integer(bound)));
        if lower.is_none() && upper.is_none() && stride == Some(1) {
            return dimension?.extent.clone();
        }
        let stride = stride?;
        let whole = |first: bool| {
            let dimension = dimension?;
            if first == (stride > 0) { Some(dimension.lower.clone()) } else { dimension.upper.clone() }
        };
        let (first, last) = (lower.clone().or_else(|| whole(true))?, upper.clone().or_else(|| whole(false))?);
        let extent = section_extent(&first, &last, stride)?;
        self.found.operands.push(extent.clone());
        if let Some(Dimension { lower: least, upper: most, .. }) = dimension {
            let is_not_empty =
                if stride > 0 { Condition::at_most(&first, &last)? } else { Condition::at_most(&last, &first)? };
            let reached = if stride.abs() == 1 { Some(last.clone()) } else { last_reached(&first, &last, stride) };
            for (value, is_given) in [(Some(first.clone()), lower.is_some()), (reached, true)] {
                let Some(value) = value.filter(|_| is_given) else { continue };
                let within = within(&value, least, most.as_ref());
                let subject = about.subject(point, value, least, most.as_ref());
                let guard = is_not_empty.clone();
                self.under(guard, |collector| {
                    collector.demand(&rules::SECTION_OUT_OF_BOUNDS, about.item, within, subject);
                });
            }
        }
        Some(extent)
    }

    /// An array constructor: the number of its elements.
    fn constructor(&mut self, point: &mut Point<'_, '_>, values: &[Expression]) -> Shape {
        let mut count = Some(constant(0));
        for value in values {
            let of_value = self.element_count(point, value);
            count = count.zip(of_value).and_then(|(count, more)| sum(&count, &more));
        }
        count.map(|count| vec![count])
    }

    fn element_count(&mut self, point: &mut Point<'_, '_>, value: &Expression) -> Option<Term> {
        if let ExpressionKind::ImpliedDo(implied) = &value.kind {
            return self.implied_do(point, implied);
        }
        let shape = self.shape(point, value)?;
        shape.iter().try_fold(constant(1), |count, extent| product(&count, extent))
    }

    /// An implied DO: how many values it gives, if that is the same number in all iterations.
    pub fn implied_do(&mut self, point: &mut Point<'_, '_>, implied: &ImpliedDo) -> Option<Term> {
        let (lower, upper) = (point.integer(&implied.lower), point.integer(&implied.upper));
        let step = implied.step.as_ref().map_or(Some(1), |step| step_of(point, step));
        let name = implied.variable.name;
        let trips = step.and_then(|step| section_extent(&lower, &upper, step));
        let (each, place) = self.inside(point, |collector, point, region| {
            let text = point.unit.tree.names.text(name).to_owned();
            let (range, value) = point.unit.counter(region, text, lower, upper, step);
            let mut places = Vec::new();
            crate::symbolic::places_of(&value, &mut places);
            point.bound.push((name, value));
            let each = collector.under(range, |collector| {
                let mut count = Some(constant(0));
                for item in &implied.items {
                    let more = collector.element_count(point, item);
                    count = count.zip(more).and_then(|(count, more)| sum(&count, &more));
                }
                count
            });
            (each, places)
        });
        let each = each?;
        let mut inside = Vec::new();
        crate::symbolic::places_of(&each, &mut inside);
        let own_region = |place: &crate::symbolic::Place| place_is_new(&place_regions(point, place), point);
        if inside.iter().any(|found| place.contains(found) || own_region(found)) {
            return None;
        }
        product(&trips?, &each)
    }
}

/// Whether an array is declared with no elements, or with the element 0 only (`0:maxnests`): a program that has such
/// arrays does without what would be in them, as it is set up.
fn is_unused(point: &Point<'_, '_>, array: &Reference, dimensions: &[Dimension]) -> bool {
    let is_declared = point.symbol(array).is_some_and(|symbol| {
        let of = point.unit.resolved.symbol(symbol);
        !of.is_allocatable && !of.is_pointer && array.parts.len() == 1
    });
    let is_without = |of: &Dimension| {
        let extent = of.extent.as_ref().and_then(Term::as_constant);
        extent == Some(0) || extent == Some(1) && of.lower.as_constant() == Some(0)
    };
    is_declared && dimensions.iter().any(is_without)
}

/// Whether an expression is a variable of a derived type.
fn is_derived(point: &Point<'_, '_>, expression: &Expression) -> bool {
    let ExpressionKind::Reference(reference) = &expression.kind else { return false };
    let type_ = point.unit.resolved.type_of(point.unit.tree, point.statement, reference);
    type_.is_some_and(|type_| matches!(type_.base, BaseType::Derived(_) | BaseType::Class(_) | BaseType::Unlimited))
}

/// Whether what looks like a section of a vector may be a substring, as the declaration of the name was not found.
fn may_be_substring(point: &Point<'_, '_>, array: &Reference, list: &ArgumentList) -> bool {
    let is_section = matches!(list.items.as_slice(), [item] if matches!(item.value, ArgumentValue::Section(_)));
    is_section && point.symbol(array).is_some_and(|symbol| point.unit.resolved.symbol(symbol).is_doubtful)
}

/// The region that a place belongs to.
fn place_regions(point: &Point<'_, '_>, place: &crate::symbolic::Place) -> RegionId {
    point.unit.places.info(*place).region
}

/// Whether a region is one inside the statement.
fn place_is_new(region: &RegionId, point: &Point<'_, '_>) -> bool {
    let of = &point.unit.regions[*region];
    of.first > of.end && !point.chain.contains(region)
}

/// Whether an expression is known to be a scalar.
fn is_scalar(point: &Point<'_, '_>, expression: &Expression) -> bool {
    if let ExpressionKind::Reference(reference) = &expression.kind
        && let Some((function, _)) = point.context().intrinsic(reference)
    {
        return function.shape == crate::intrinsics::ResultShape::Scalar;
    }
    match &expression.kind {
        ExpressionKind::Binary(operations) => operations.operands().all(|operand| is_scalar(point, operand)),
        ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(_, inner) => is_scalar(point, inner),
        _ => point.unit.resolved.rank(point.unit.tree, point.statement, expression) == Some(0),
    }
}

/// Where a subscript stands.
struct About<'r> {
    array: &'r Reference,
    reference: Span,
    item: Span,
    dimension: (usize, usize),
}

impl About<'_> {
    fn subject(&self, point: &Point<'_, '_>, value: Term, lower: &Term, upper: Option<&Term>) -> Subject {
        let names = &point.unit.tree.names;
        let array = self.array.parts.iter().map(|part| names.text(part.name.name)).collect::<Vec<_>>().join("%");
        Subject::Subscript(Subscript {
            reference: point.text(self.reference),
            array,
            dimension: self.dimension,
            value,
            lower: lower.clone(),
            upper: upper.cloned(),
        })
    }
}

fn within(value: &Term, lower: &Term, upper: Option<&Term>) -> Option<Condition> {
    let from = Condition::at_most(lower, value)?;
    let to = upper.map_or(Some(Condition::True), |upper| Condition::at_most(value, upper))?;
    Some(Condition::all([from, to]))
}

/// How many elements a section has, or iterations a loop.
pub fn section_extent(first: &Term, last: &Term, stride: i64) -> Option<Term> {
    match stride {
        1 => extent_between(first, last),
        -1 => extent_between(last, first),
        _ => {
            let distance = difference(last, first)?.checked_add_constant(stride)?;
            maximum(vec![constant(0), quotient(&distance, &constant(stride))?])
        }
    }
}

/// The last index of a section that is not empty.
fn last_reached(first: &Term, last: &Term, stride: i64) -> Option<Term> {
    let steps = quotient(&difference(last, first)?, &constant(stride))?;
    sum(first, &steps.checked_mul(stride)?)
}
