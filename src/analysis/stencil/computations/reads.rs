//! The array reads of an expression.
//!
//! - *section*: a subscript with bounds, or a dimension of a whole array; it runs over positions;
//! - *axis* of an array-valued assignment: a dimension of its left side that is a section. The sections of the right
//!   side are *aligned* with these axes one after the other, as Fortran's conformance rule does (clause 10.2.1.2);
//! - *alignment* of a dimension of an expression: which axis it is aligned with, or whether a function such as SUM runs
//!   over all of it.
//!
//! Entry points: [`Reader`] for a right side, [`array_references`] for a left side.

use rustc_hash::FxHashMap;

use super::Reason;
use super::alignment::{Alignment, Alignments, through_operator};
use super::dimension::{Dimension, DimensionKind};
use super::reader::Reader;
use super::subscript::{ArrayReference, Subscript, SubscriptKind, spelling};
use super::unit::UnitContext;
use crate::flow::{FlowPosition, associated_element, canonical, selector_of};
use crate::names::{PartClass, SymbolId, SymbolKind};
use crate::source::Span;
use crate::syntax::{
    Argument, ArgumentList, ArgumentValue, BinaryOperator, Expression, ExpressionKind, ImpliedDo, Part, Reference,
    Section, StatementId, UnaryOperator,
};
use crate::values::{ArrayKey, Evaluator, ExpressionContext, Index, Inside};

/// The array reads of an assignment: of its right side, subscripts included, and in the subscripts of its left side.
pub fn reads(
    unit: &UnitContext<'_>,
    position: FlowPosition,
    target: &Reference,
    value: &Expression,
) -> Vec<ArrayReference> {
    let evaluator = Evaluator::new(&unit.values, position);
    let mut reader = Reader { unit, evaluator, axes: Vec::new(), found: Vec::new(), depth: 0 };
    if !evaluator.context.paper {
        reader.axes = reader.sections(target);
    }
    let aligned = Alignments::aligned(reader.axes.len());
    let span = reader.context().tree.statements[reader.context().statement].span;
    if reader.array(target, span, &aligned) {
        reader.found.retain(|read| read.span != span);
    }
    reader.expression(value, &aligned);
    if evaluator.context.is_from_macro() {
        number_expanded(&mut reader.found);
    }
    reader.found
}

/// Tells apart the reads that one macro use became, all of which have its place, by their order in the expanded text.
fn number_expanded(found: &mut [ArrayReference]) {
    let mut places: FxHashMap<(Span, StatementId), u32> = FxHashMap::default();
    for read in &*found {
        *places.entry((read.span, read.statement)).or_default() += 1;
    }
    for (read, ordinal) in found.iter_mut().zip(1..) {
        if places.get(&(read.span, read.statement)).is_some_and(|count| *count > 1) {
            read.ordinal = ordinal;
        }
    }
}

/// The array that a left side is: one, or none if it is a scalar; in paper mode one for each part with a list.
pub fn array_references(
    unit: &UnitContext<'_>,
    position: FlowPosition,
    target: &Reference,
    span: Span,
) -> Vec<ArrayReference> {
    let evaluator = Evaluator::new(&unit.values, position);
    let mut reader = Reader { unit, evaluator, axes: Vec::new(), found: Vec::new(), depth: 0 };
    reader.axes = reader.sections(target);
    reader.array(target, span, &Alignments::aligned(reader.axes.len()));
    // Not what its subscripts read.
    reader.found.retain(|read| read.span == span);
    reader.found
}

impl Reader<'_, '_> {
    /// Collects the reads of an expression whose dimensions have these alignments.
    pub(super) fn expression(&mut self, expression: &Expression, alignments: &Alignments) {
        match &expression.kind {
            ExpressionKind::Reference(reference) => self.reference(reference, expression.span, alignments),
            ExpressionKind::Parenthesised(inner) | ExpressionKind::PercentFunction(_, inner) => {
                self.expression(inner, alignments);
            }
            ExpressionKind::Unary(operator, inner) => {
                let is_defined = matches!(operator, UnaryOperator::Defined(_));
                self.expression(inner, &through_operator(alignments, is_defined));
            }
            ExpressionKind::Binary(operations) => {
                let is_defined =
                    operations.rest.iter().any(|(operator, _)| matches!(operator, BinaryOperator::Defined(_)));
                let alignments = through_operator(alignments, is_defined);
                operations.operands().for_each(|operand| self.expression(operand, &alignments));
            }
            ExpressionKind::Conditional(tests, last) => {
                for (test, value) in tests {
                    self.expression(test, &Alignments::scalar());
                    self.expression(value, alignments);
                }
                self.expression(last, alignments);
            }
            ExpressionKind::ArrayConstructor { values, .. } => self.constructor(values, alignments),
            ExpressionKind::ImpliedDo(implied) => {
                self.implied(implied, alignments);
                let bounds = [&implied.lower, &implied.upper].into_iter().chain(&implied.step);
                bounds.for_each(|bound| self.expression(bound, &Alignments::scalar()));
            }
            ExpressionKind::Complex(parts) => {
                self.expression(&parts.0, alignments);
                self.expression(&parts.1, alignments);
            }
            ExpressionKind::Substring(parent, range) => {
                self.expression(parent, alignments);
                self.arguments(range, &Alignments::scalar());
            }
            ExpressionKind::Repeat(count, value) => {
                self.expression(count, alignments);
                self.expression(value, alignments);
            }
            ExpressionKind::Literal(_) | ExpressionKind::Star | ExpressionKind::Nil => {}
        }
    }

    /// The items of an implied do: its variable is one of its own (clause 19.4).
    pub(super) fn implied(&mut self, implied: &ImpliedDo, alignments: &Alignments) {
        let context = self.context();
        let mut bindings = self.evaluator.bindings.cloned().unwrap_or_default();
        if let Some(symbol) = context.resolved.symbol_at(context.statement, implied.variable.name) {
            let name = context.tree.names.text(implied.variable.name);
            let counted = Index::opaque(format!("[{name}]"), Inside { runs_over: true, ..Inside::default() });
            bindings.insert(canonical(context.resolved, symbol), vec![counted]);
        }
        let evaluator = Evaluator { bindings: Some(&bindings), ..self.evaluator };
        let mut reader =
            Reader { unit: self.unit, evaluator, axes: self.axes.clone(), found: Vec::new(), depth: self.depth };
        implied.items.iter().for_each(|item| reader.expression(item, alignments));
        let found = reader.found;
        self.found.extend(found);
    }

    fn reference(&mut self, reference: &Reference, span: Span, alignments: &Alignments) {
        let context = self.context();
        if context.is_inquiry(reference) {
            let lists = reference.parts.iter().flat_map(|part| &part.lists);
            let others = lists.flat_map(|list| list.items.iter().skip(1)).filter_map(Argument::expression);
            others.for_each(|argument| self.expression(argument, &Alignments::scalar()));
            return;
        }
        if let Some((function, list)) = context.intrinsic(reference).filter(|_| !context.paper) {
            return self.intrinsic(function, list, alignments);
        }
        if self.array(reference, span, alignments) {
            return;
        }
        if !context.paper && (self.selector(reference, span, alignments) || self.call(reference, span, alignments)) {
            return;
        }
        if reference.as_name().is_some() {
            return;
        }
        let classes = context.resolved.classify(context.tree, context.statement, reference);
        let passes_through = context.paper || self.is_elemental(reference);
        for (part, class) in reference.parts.iter().zip(classes) {
            let is_function = matches!(class, PartClass::Function | PartClass::Unknown) && !passes_through;
            let unclear = Alignments::unclear();
            let of_arguments = if is_function { &unclear } else { alignments };
            for list in part.all_lists() {
                if class == PartClass::Function && is_function {
                    let function = std::ptr::eq(part, &reference.parts[0]).then_some(part.name.name);
                    let function = function.and_then(|name| context.resolved.symbol_at(context.statement, name));
                    self.handed(function, list, of_arguments);
                } else {
                    self.arguments(list, of_arguments);
                }
            }
        }
    }

    pub(super) fn arguments(&mut self, list: &ArgumentList, alignments: &Alignments) {
        list.items.iter().for_each(|item| self.argument(&item.value, alignments));
    }

    pub(super) fn argument(&mut self, value: &ArgumentValue, alignments: &Alignments) {
        match value {
            ArgumentValue::Expression(expression) => self.expression(expression, alignments),
            ArgumentValue::Section(section) => self.bounds(section),
            ArgumentValue::Multiple(inner) => self.argument(inner, &Alignments::unclear()),
            ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {}
        }
    }

    fn bounds(&mut self, section: &Section) {
        let bounds = section.lower.iter().chain(&section.upper).chain(&section.stride);
        bounds.for_each(|bound| self.expression(bound, &Alignments::scalar()));
    }

    /// Whether a function of the program is elemental, so that its arguments are aligned as its result.
    pub(super) fn is_elemental(&self, reference: &Reference) -> bool {
        let context = self.context();
        let [part] = reference.parts.as_slice() else { return false };
        let symbol = context.resolved.symbol_at(context.statement, part.name.name);
        symbol.is_some_and(|symbol| match &context.resolved.symbol(symbol).kind {
            SymbolKind::Function { interface: Some(interface) } => interface.is_elemental,
            _ => false,
        })
    }

    /// An associate name that stands for an expression: what that reads.
    fn selector(&mut self, reference: &Reference, span: Span, alignments: &Alignments) -> bool {
        let context = self.context();
        let [Part { name, lists, .. }] = reference.parts.as_slice() else { return false };
        let Some(symbol) = context.resolved.symbol_at(context.statement, name.name) else { return false };
        match selector_of(context.tree, context.resolved, symbol) {
            Some((statement, selector)) if lists.is_empty() => {
                self.inline(statement, span, |reader| reader.expression(selector, alignments))
            }
            _ => false,
        }
    }

    /// Reads what a name stands for that is associated in a statement, as reads of the reference to it; `false` if that
    /// can't be followed.
    fn inline(&mut self, statement: StatementId, span: Span, read: impl FnOnce(&mut Self)) -> bool {
        let values = self.values();
        let Some(position) = values.flow.position(statement) else { return false };
        if !self.unit.may_inline() {
            return false;
        }
        let before = self.found.len();
        let outer = std::mem::replace(&mut self.evaluator, Evaluator::new(values, position));
        read(self);
        self.evaluator = outer;
        self.settle(before, self.evaluator.position, position);
        self.rename(before, span);
        true
    }

    /// Notes the array that a reference is, and what its subscripts read; `false` if it is a scalar or a function.
    fn array(&mut self, reference: &Reference, span: Span, alignments: &Alignments) -> bool {
        let context = self.context();
        let Some(first) = reference.parts.first() else { return false };
        let Some(symbol) = context.resolved.symbol_at(context.statement, first.name.name) else { return false };
        if !context.paper && self.element(reference, symbol, span, alignments) {
            return true;
        }
        let is_array = |class: &PartClass| matches!(class, PartClass::Array { .. });
        if reference.as_name().is_some() && !is_array(&context.resolved.class_of(symbol, first)) {
            return false;
        }
        let classes = context.resolved.classify(context.tree, context.statement, reference);
        let is_unknown = |(part, class): (&Part, &PartClass)| *class == PartClass::Unknown && !part.lists.is_empty();
        let unknown = reference.parts.iter().zip(&classes).any(is_unknown);
        if !classes.iter().any(is_array) && !unknown {
            return false;
        }
        if classes.iter().any(|class| matches!(class, PartClass::Function | PartClass::StructureConstructor)) {
            return false;
        }
        let array = |key, parts: &[Part], subscripts, declared| ArrayReference {
            array: key,
            spelling: spelling(context, parts),
            span,
            ordinal: 0,
            statement: context.statement,
            subscripts,
            declared,
            is_handed_over: false,
            is_factor: false,
        };
        if context.paper {
            let parts = reference.parts.iter().zip(&classes).enumerate();
            let arrays = parts.filter(|(_, (part, class))| is_array(class) || is_unknown((part, class)));
            for (index, (part, class)) in arrays {
                let subscripts = subscripts_on_paper(&self.evaluator, part, class);
                self.found.push(array(
                    ArrayKey::new(symbol, &reference.parts[..=index]),
                    std::slice::from_ref(part),
                    subscripts,
                    is_array(class),
                ));
            }
            let lists = reference.parts.iter().flat_map(|part| part.all_lists());
            lists.for_each(|list| self.arguments(list, alignments));
            return true;
        }
        let subscripts = self.subscripts(reference, &classes, alignments);
        let key = ArrayKey::new(canonical(context.resolved, symbol), &reference.parts);
        self.found.push(array(key, &reference.parts, subscripts, !unknown));
        true
    }

    /// Notes the array of which an associate name stands for an element, or for a part of one.
    fn element(&mut self, reference: &Reference, symbol: SymbolId, span: Span, alignments: &Alignments) -> bool {
        let context = self.context();
        let Some((statement, selector)) = associated_element(context.tree, context.resolved, symbol) else {
            return false;
        };
        let ExpressionKind::Reference(of) = &selector.kind else { return false };
        let read_element = |reader: &mut Self| {
            reader.array(of, selector.span, &Alignments::scalar());
        };
        if !self.inline(statement, span, read_element) {
            return false;
        }
        let Some(mut element) = self.found.pop() else { return false };
        let classes = context.resolved.classify(context.tree, context.statement, reference);
        element.subscripts.extend(self.subscripts(reference, &classes, alignments));
        let behind = &reference.parts[1..];
        element.array.components.extend(behind.iter().map(|part| part.name.name));
        if !behind.is_empty() {
            element.spelling += &format!("%{}", spelling(context, behind));
        }
        self.found.push(element);
        true
    }

    /// What was found from a place on stands at one position and counts at another one: indices that mean something
    /// else there are as good as any fixed ones, if no loop is around both.
    fn settle(&mut self, from: usize, used: FlowPosition, position: FlowPosition) {
        let values = self.values();
        let no_loop = values.common_loop(used, position).is_none();
        for subscript in self.found[from..].iter_mut().flat_map(|read| &mut read.subscripts) {
            let (SubscriptKind::Index(indices) | SubscriptKind::Window(indices)) = &subscript.kind else { continue };
            if !indices.iter().all(|value| values.is_settled(used, position, value)) {
                subscript.kind = match no_loop {
                    true => SubscriptKind::Index(vec![Index::opaque(
                        format!("{indices:?}@{position:?}"),
                        Inside::default(),
                    )]),
                    false => SubscriptKind::Other(Reason::LoopVaryingIndex),
                };
            }
        }
    }

    /// Makes what was found from a place on reads of a reference that stands for them.
    pub(super) fn rename(&mut self, from: usize, span: Span) {
        let statement = self.context().statement;
        for (read, ordinal) in self.found[from..].iter_mut().zip(1..) {
            (read.span, read.statement, read.ordinal) = (span, statement, ordinal);
        }
    }

    /// The subscripts of all parts of a reference to an array, whose sections have these alignments.
    fn subscripts(&mut self, reference: &Reference, classes: &[PartClass], alignments: &Alignments) -> Vec<Subscript> {
        let dimensions = self.dimensions(reference, classes);
        let rank = dimensions.iter().filter(|dimension| dimension.is_section()).count();
        let mut sections = 0..rank;
        let mut alignment = || {
            sections.next().map_or(Alignment::Unclear(Reason::NonNeighbourIndex), |at| alignments.dimension(at, rank))
        };
        let mut found = Vec::with_capacity(dimensions.len());
        for Dimension { kind, span } in dimensions {
            let mut constant_name = None;
            let kind = match kind {
                DimensionKind::Section(start, written) => {
                    written.into_iter().for_each(|section| self.bounds(section));
                    self.section(written, &start, &alignment(), span)
                }
                DimensionKind::Vector(index) => {
                    self.expression(index, &Alignments::Each(vec![alignment()]));
                    SubscriptKind::Other(Reason::IndirectIndex)
                }
                DimensionKind::Index(index) => {
                    let before = self.found.len();
                    self.expression(index, &Alignments::scalar());
                    if classes.contains(&PartClass::Unknown) && !self.may_be_index(index) {
                        self.hand_over(before, index);
                    }
                    constant_name = self.constant_name(index);
                    SubscriptKind::Index(self.evaluator.evaluate(index))
                }
                DimensionKind::Unknown(value) => {
                    self.argument(value, &Alignments::unclear());
                    SubscriptKind::Other(Reason::NonNeighbourIndex)
                }
            };
            found.push(Subscript { kind, span, constant_name });
        }
        for (part, class) in reference.parts.iter().zip(classes) {
            let has_subscripts = matches!(class, PartClass::Array { .. } | PartClass::Unknown);
            let others = part.all_lists().skip(usize::from(has_subscripts));
            others.for_each(|list| self.arguments(list, &Alignments::scalar()));
        }
        found
    }
}

impl Reader<'_, '_> {
    /// The name of the constant that an index is, as spelt; `None` if it is anything else.
    fn constant_name(&self, index: &Expression) -> Option<Box<str>> {
        let ExpressionKind::Reference(reference) = &index.kind else { return None };
        reference.as_name()?;
        let context = self.context();
        let classes = context.resolved.classify(context.tree, context.statement, reference);
        (classes.as_slice() == [PartClass::Constant]).then(|| spelling(context, &reference.parts).into())
    }
}

/// The subscripts that a part contributes where results are to be those of CamFort.
fn subscripts_on_paper(evaluator: &Evaluator<'_, '_>, part: &Part, class: &PartClass) -> Vec<Subscript> {
    let rank = match class {
        PartClass::Array { rank } => *rank,
        PartClass::Unknown => 0,
        _ => return Vec::new(),
    };
    let whole = SubscriptKind::Aligned { axis: 0, offset: Ok(0) };
    let of = |item: &Argument| match &item.value {
        ArgumentValue::Expression(expression) => SubscriptKind::Index(evaluator.evaluate(expression)),
        ArgumentValue::Section(section) if section.stride.is_some() => SubscriptKind::Other(Reason::StridedSection),
        ArgumentValue::Section(section) if section.lower.is_none() && section.upper.is_none() => whole.clone(),
        _ => SubscriptKind::Other(Reason::NonNeighbourIndex),
    };
    match part.lists.first() {
        Some(list) => list.items.iter().map(|item| Subscript::new(of(item), item.span)).collect(),
        None => (0..rank).map(|_| Subscript::new(whole.clone(), part.name.span)).collect(),
    }
}

/// Whether an assignment to this target gives values to an array: its left side is a section or a whole array.
pub fn is_array_valued(context: ExpressionContext<'_>, target: &Reference) -> bool {
    let classes = context.resolved.classify(context.tree, context.statement, target);
    target.parts.iter().zip(&classes).any(|(part, class)| match (class, part.lists.first()) {
        (PartClass::Array { .. }, None) => true,
        (PartClass::Array { .. }, Some(list)) => list.items.iter().any(|item| match &item.value {
            ArgumentValue::Section(_) => true,
            ArgumentValue::Multiple(inner) => matches!(**inner, ArgumentValue::Section(_)),
            // A vector subscript.
            ArgumentValue::Expression(index) => {
                matches!(index.kind, ExpressionKind::Reference(_)) && context.is_array(index)
            }
            _ => false,
        }),
        _ => false,
    })
}
