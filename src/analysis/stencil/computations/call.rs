//! Reads through references to functions: by their summaries ([`super::function`]), and by the expressions of statement
//! functions.

use super::Reason;
use super::alignment::Alignments;
use super::dimension::{DimensionKind, Start};
use super::function::{
    FunctionArray, FunctionDummy, FunctionIndex, FunctionRead, FunctionReads, FunctionSubscript, leading_extents,
    object_argument, with_object,
};
use super::reader::Reader;
use super::subscript::{ArrayReference, Subscript, SubscriptKind, spelling};
use crate::flow::canonical;
use crate::names::{PartClass, PassedObject, ScopeKind, SymbolId, SymbolKind};
use crate::source::Span;
use crate::syntax::{Argument, ArgumentList, Expression, ExpressionKind, Part, Reference, StatementId, StatementKind};
use crate::values::{ArrayKey, Bindings, Evaluator, ExpressionContext, Index, Inside, combined, computed};

/// Statement functions that refer to others, nested deeper than this, are not followed.
const DEPTH: usize = 16;

impl Reader<'_, '_> {
    /// What a reference to a function reads of arrays outside its own arguments' expressions, if that is known; these
    /// are searched too.
    pub(super) fn call(&mut self, reference: &Reference, span: Span, alignments: &Alignments) -> bool {
        // An elemental function is referenced once for each element.
        if !alignments.are_scalar() && self.is_elemental(reference) {
            return false;
        }
        let context = self.evaluator.context;
        let [Part { name, lists, .. }] = reference.parts.as_slice() else {
            return self.bound_call(reference, span, alignments);
        };
        let [list] = lists.as_slice() else { return false };
        let Some(symbol) = context.resolved.symbol_at(context.statement, name.name) else { return false };
        match context.resolved.symbol(symbol).kind {
            SymbolKind::StatementFunction { statement } => self.statement_function(statement, list, span),
            SymbolKind::Function { .. } | SymbolKind::ExternalProcedure => match self.unit.functions.reads_of(symbol) {
                Some(summary) if self.is_closed(&summary) && self.unit.may_inline() => {
                    self.function(&summary, context.tree.names.text(name.name), list, span);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The reads of a reference to a type-bound procedure. One of which it is not known what it reads reads the object.
    fn bound_call(&mut self, reference: &Reference, span: Span, alignments: &Alignments) -> bool {
        let context = self.evaluator.context;
        let Some(bound) = context.resolved.binding_of(context.tree, context.statement, reference) else { return false };
        let Some(list) = reference.parts.last().and_then(|part| part.lists.first()) else { return false };
        let functions = self.unit.functions;
        let summary = functions.procedures.location_of_bound(&bound).and_then(|at| functions.reads_at(at));
        if alignments.are_scalar()
            && let Some(summary) = summary
            && self.is_closed(&summary)
            && let Some(list) = with_object(&bound, list, &summary.dummies, span)
            && self.unit.may_inline()
        {
            let name = bound.procedure.map_or("", |(_, name)| name);
            self.function(&summary, name, &list, span);
            return true;
        }
        // An elemental function is referenced once for each element.
        let interface = || context.resolved.interface_of_bound(&bound);
        let is_aligned = alignments.are_scalar() || interface().is_some_and(|interface| interface.is_elemental);
        let inside = if is_aligned { alignments.clone() } else { Alignments::unclear() };
        if *bound.passed != PassedObject::Nowhere {
            self.argument(&object_argument(&bound.object, span).value, &inside);
        }
        self.handed(None, list, &inside);
        true
    }

    /// The reads of a statement function's expression (R1544), its dummy arguments replaced.
    fn statement_function(&mut self, statement: StatementId, list: &ArgumentList, span: Span) -> bool {
        let context = self.evaluator.context;
        let StatementKind::Assignment { target, value } = &context.tree.statements[statement].kind else {
            return false;
        };
        let Some(dummies) = target.parts.first().and_then(|part| part.lists.first()) else { return false };
        if self.depth >= DEPTH || !self.unit.may_inline() {
            return false;
        }
        self.arguments(list, &Alignments::scalar());
        let inner = ExpressionContext { statement, ..context };
        let mut bindings = Bindings::new();
        for (dummy, actual) in dummies.items.iter().zip(&list.items) {
            let dummy = dummy.expression().and_then(|dummy| match &dummy.kind {
                ExpressionKind::Reference(reference) => reference.parts.first(),
                _ => None,
            });
            let symbol = dummy.and_then(|dummy| context.resolved.symbol_at(statement, dummy.name.name));
            if let (Some(symbol), Some(actual)) = (symbol, actual.expression()) {
                let values = computed(self.evaluator.evaluate(actual), false);
                bindings.insert(canonical(context.resolved, symbol), values);
            }
        }
        let evaluator = Evaluator {
            values: self.evaluator.values,
            context: inner,
            position: self.evaluator.position,
            bindings: Some(&bindings),
        };
        let mut reader =
            Reader { unit: self.unit, evaluator, axes: Vec::new(), found: Vec::new(), depth: self.depth + 1 };
        reader.expression(value, &Alignments::scalar());
        let found = reader.found;
        self.take(found, span);
        true
    }

    /// Reads that a function does are reads of the reference to it.
    fn take(&mut self, found: Vec<ArrayReference>, span: Span) {
        let before = self.found.len();
        self.found.extend(found);
        self.rename(before, span);
    }

    /// The reads of a function that has a summary.
    pub(super) fn function(&mut self, summary: &FunctionReads, name: &str, list: &ArgumentList, span: Span) {
        let context = self.evaluator.context;
        let mut actuals: Vec<Option<&Expression>> = vec![None; summary.dummies.len()];
        for (position, item) in list.items.iter().enumerate() {
            let dummies = summary.dummies.iter().map(|dummy| dummy.name.as_str());
            let at = item.dummy(position, dummies, &context.tree.names);
            // Of an array, or a structure with arrays, the summary says what is read.
            let is_array = at.is_some_and(|at| {
                let is_array = summary.dummies.get(at).is_some_and(|dummy| !dummy.lower_bounds.is_empty());
                is_array || summary.reads_dummy(at)
            });
            if let Some(slot) = at.and_then(|at| actuals.get_mut(at)) {
                *slot = item.expression();
            }
            if at.is_none_or(|at| summary.uses_dummy(at)) {
                self.actual(item, is_array);
            }
        }
        let scalars: Vec<Option<Vec<Index>>> =
            actuals.iter().map(|actual| actual.map(|actual| self.evaluator.evaluate(actual))).collect();
        let mut found = Vec::new();
        for read in &summary.reads {
            let values = |subscript: &FunctionSubscript| {
                kind_of(subscript, &scalars).unwrap_or_else(|form| {
                    // The same place each time that the function is referenced.
                    let inside = Inside { runs_over: true, ..Inside::default() };
                    SubscriptKind::Index(vec![Index::opaque(format!("{name}[{form}]"), inside)])
                })
            };
            found.extend(self.read_of(summary, read, &actuals, span, &values));
        }
        self.take(found, span);
    }

    /// Whether all that a function reads can be told here: names mean the same, and no scalar of another unit that it
    /// uses is changed here.
    pub(super) fn is_closed(&self, summary: &FunctionReads) -> bool {
        let context = self.evaluator.context;
        let symbol_of = |name: &String| context.resolved.symbol_at(context.statement, context.tree.names.get(name)?);
        let is_same = |read: &FunctionRead| match read.base {
            FunctionArray::Dummy(_) => true,
            FunctionArray::Variable(symbol) => self.seen_as(symbol).is_some(),
        };
        summary.reads.iter().all(is_same)
            && !summary.scalars.iter().filter_map(symbol_of).any(|symbol| self.values().changes_in_unit(symbol))
    }

    /// The symbol under which a variable that a function of this file sees is seen here, under the same name.
    fn seen_as(&self, symbol: SymbolId) -> Option<SymbolId> {
        let context = self.evaluator.context;
        let of = context.resolved.symbol(symbol);
        let here = context.resolved.symbol_at(context.statement, of.name)?;
        if here == symbol {
            return Some(here);
        }
        let ScopeKind::Unit(owner) = context.resolved.scope_kind(of.scope) else { return None };
        let opening = context.tree.units.get(owner)?.opening?;
        let StatementKind::Module(module) = &context.tree.statements[opening].kind else { return None };
        let origin =
            context.resolved.symbol(here).use_associated.then(|| context.resolved.origin(context.tree, here))??;
        let text = |name| context.tree.names.text(name);
        (origin.module == text(module.name) && origin.name == text(of.name)).then_some(here)
    }

    /// What an actual argument itself reads: of an array that is handed over only the subscripts.
    fn actual(&mut self, item: &Argument, is_array: bool) {
        let scalar = Alignments::scalar();
        let Some(expression) = item.expression() else { return };
        match &expression.kind {
            ExpressionKind::Reference(reference) if is_array && self.is_variable(reference) => {
                reference.parts.iter().flat_map(|part| &part.lists).for_each(|list| self.arguments(list, &scalar));
            }
            _ if is_array => self.expression(expression, &Alignments::unclear()),
            _ => self.expression(expression, &scalar),
        }
    }

    fn is_variable(&self, reference: &Reference) -> bool {
        let context = self.evaluator.context;
        let classes = context.resolved.classify(context.tree, context.statement, reference);
        classes.iter().all(|class| matches!(class, PartClass::Array { .. } | PartClass::Scalar))
    }

    /// One read of a function as one of what stands for its dummy argument.
    fn read_of(
        &self,
        summary: &FunctionReads,
        read: &FunctionRead,
        actuals: &[Option<&Expression>],
        span: Span,
        values: &dyn Fn(&FunctionSubscript) -> SubscriptKind,
    ) -> Option<ArrayReference> {
        let context = self.evaluator.context;
        let mut components = Vec::new();
        for component in &read.components {
            // A component that is never named in this file is none of the arrays that are described.
            components.push(context.tree.names.get(component)?);
        }
        let plain = |at: usize| Subscript::new(values(&read.subscripts[at]), span);
        let array = |array, spelling, subscripts| ArrayReference {
            array,
            spelling,
            span,
            ordinal: 0,
            statement: context.statement,
            subscripts,
            declared: true,
            is_handed_over: false,
            is_factor: false,
        };
        let behind: String = read.components.iter().map(|component| format!("%{component}")).collect();
        let dummy = match &read.base {
            FunctionArray::Dummy(dummy) => *dummy,
            FunctionArray::Variable(symbol) => {
                let symbol = self.seen_as(*symbol)?;
                let name = context.tree.names.text(context.resolved.symbol(symbol).name);
                let subscripts = (0..read.subscripts.len()).map(plain).collect();
                return Some(array(ArrayKey { symbol, components }, format!("{name}{behind}"), subscripts));
            }
        };
        let actual = (*actuals.get(dummy)?)?;
        let ExpressionKind::Reference(reference) = &actual.kind else { return None };
        if !self.is_variable(reference) {
            return None;
        }
        let symbol = context.resolved.symbol_at(context.statement, reference.parts.first()?.name.name)?;
        let mut key = ArrayKey::new(canonical(context.resolved, symbol), &reference.parts);
        key.components.extend(components);
        let text = format!("{}{behind}", spelling(context, &reference.parts));
        let dummy = summary.dummies.get(dummy)?;
        let of_dummy = self.of_actual(reference, dummy, &read.subscripts, span, values);
        let behind_dummy = (dummy.lower_bounds.len()..read.subscripts.len()).map(plain);
        let subscripts: Vec<Subscript> = of_dummy.into_iter().chain(behind_dummy).collect();
        // A component of a structure that is no element of an array is a scalar.
        (!subscripts.is_empty()).then(|| array(key, text, subscripts))
    }

    /// The subscripts of an actual argument where a function reads a dummy argument with these subscripts.
    fn of_actual(
        &self,
        reference: &Reference,
        dummy: &FunctionDummy,
        read: &[FunctionSubscript],
        span: Span,
        values: &dyn Fn(&FunctionSubscript) -> SubscriptKind,
    ) -> Vec<Subscript> {
        let context = self.context();
        let classes = context.resolved.classify(context.tree, context.statement, reference);
        let dimensions = self.dimensions(reference, &classes);
        let rank = dimensions.iter().filter(|dimension| dimension.is_section()).count();
        let bounds = &dummy.lower_bounds;
        // Of another rank or layout, or from some element on: which element is which is not followed.
        let fits = rank == bounds.len() && self.is_laid_out(reference, dummy);
        let mut sections = bounds.iter().zip(read.iter().map(Some).chain(std::iter::repeat(None)));
        let kinds = dimensions.into_iter().filter_map(|dimension| {
            let of_dummy = if dimension.is_section() { sections.next() } else { None };
            Some(match (dimension.kind, of_dummy) {
                (DimensionKind::Unknown(_), _) => return None,
                (DimensionKind::Vector(_), _) => SubscriptKind::Unaligned(Reason::IndirectIndex),
                (DimensionKind::Index(index), _) if fits => SubscriptKind::Index(self.evaluator.evaluate(index)),
                (DimensionKind::Section(start, _), Some((bound, Some(subscript))))
                    if fits && start.stride.is_none() =>
                {
                    moved(values(subscript), *bound, &start, dummy.is_deferred)
                }
                (DimensionKind::Section(..), Some(_)) if fits => SubscriptKind::Other(Reason::StridedSection),
                _ => SubscriptKind::Unaligned(Reason::ProcedureInFlow),
            })
        });
        kinds.map(|kind| Subscript::new(kind, span)).collect()
    }

    /// Whether the elements of an actual argument lie as the dummy argument declares them.
    fn is_laid_out(&self, reference: &Reference, dummy: &FunctionDummy) -> bool {
        let Some(wanted) = &dummy.leading_extents else { return true };
        let context = self.evaluator.context;
        let shapes = context.resolved.shapes(context.tree, context.statement, reference);
        let is_whole = reference.parts.iter().all(|part| part.lists.is_empty());
        let extents = shapes.into_iter().flatten().next_back().map(leading_extents);
        is_whole && wanted.iter().all(Option::is_some) && extents.as_ref() == Some(wanted)
    }
}

/// A subscript of a function's read where these scalars are handed over; its form if it does not depend on them.
fn kind_of<'s>(subscript: &'s FunctionSubscript, scalars: &[Option<Vec<Index>>]) -> Result<SubscriptKind, &'s str> {
    match subscript {
        FunctionSubscript::Fixed(form) => Err(form),
        FunctionSubscript::Unclear(reason) => Ok(SubscriptKind::Unaligned(*reason)),
        FunctionSubscript::Values { values, are_all_read } => {
            let all: Option<Vec<Vec<Index>>> = values.iter().map(|value| bound(value, scalars)).collect();
            Ok(match (all, are_all_read) {
                (None, _) => SubscriptKind::Other(Reason::NonNeighbourIndex),
                (Some(all), true) => SubscriptKind::Window(all.into_iter().flatten().collect()),
                (Some(all), false) => SubscriptKind::Index(all.into_iter().flatten().collect()),
            })
        }
    }
}

/// The values of an index of a function where these scalars are handed over.
fn bound(index: &FunctionIndex, scalars: &[Option<Vec<Index>>]) -> Option<Vec<Index>> {
    let mut sum = vec![Index::constant(index.form.constant_term())];
    for (&dummy, factor) in index.form.terms() {
        let actual = scalars.get(dummy)?.as_ref()?;
        sum = combined(&sum, actual, factor)?;
    }
    Some(computed(sum, index.at_border))
}

/// A subscript of a dummy argument with this lower bound as one of the actual argument, of which the section begins
/// there.
fn moved(kind: SubscriptKind, lower: Option<i64>, start: &Start, is_deferred: bool) -> SubscriptKind {
    let shift = match (lower, start.lower.as_deref()) {
        // Bounds that are not known are taken to be the usual one where the dimension is whole.
        (Some(1), _) if start.is_whole && start.is_open => return kind,
        // A pointer or allocatable keeps its bounds.
        (None, _) if start.is_whole && is_deferred => return kind,
        (Some(lower), Some([first])) => first.plus(&Index::constant(lower), -1),
        _ => None,
    };
    let Some(shift) = shift else { return SubscriptKind::Unaligned(Reason::SymbolicOffset) };
    let all = |values: Vec<Index>| values.iter().map(|value| value.plus(&shift, 1)).collect::<Option<Vec<Index>>>();
    let moved = match kind {
        SubscriptKind::Index(values) => all(values).map(SubscriptKind::Index),
        SubscriptKind::Window(values) => all(values).map(SubscriptKind::Window),
        other => Some(other),
    };
    moved.unwrap_or(SubscriptKind::Other(Reason::NonNeighbourIndex))
}
