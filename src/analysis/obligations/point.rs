//! A point of a unit, and what expressions are worth there.

use std::sync::Arc;

use crate::flow::{associated_element, canonical, scalar_of};
use crate::intrinsics::{Evaluation, Intrinsic};
use crate::names::{PartClass, SymbolId, SymbolKind};
use crate::source::Span;
use crate::symbolic::{
    Atom, Condition, Place, Term, absolute, constant, difference, maximum, minimum, modulo, place_term, places_of,
    product, quotient, remainder, sum,
};
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{
    ArgumentList, BinaryOperator, Expression, ExpressionKind, LiteralKind, Name, Operations, Reference, StatementId,
    UnaryOperator,
};
use crate::values::{ArrayKey, ExpressionContext};

use super::place::{Aspect, Origin, PlaceInfo};
use super::region::RegionId;
use super::state::{Dimension, State};
use super::unit::Unit;

/// A statement under way.
pub struct Point<'p, 't> {
    /// The unit.
    pub unit: &'p mut Unit<'t>,
    /// What variables are before it.
    pub state: &'p State,
    /// The statement.
    pub statement: StatementId,
    /// The regions around it, outermost first.
    pub chain: Vec<RegionId>,
    /// Under what it is reached.
    pub reached: Condition,
    /// The names that stand for something else than variables, innermost last.
    pub bound: Vec<(Name, Term)>,
}

impl<'t> Point<'_, 't> {
    /// Where its expressions stand.
    pub fn context(&self) -> ExpressionContext<'t> {
        ExpressionContext {
            tree: self.unit.tree,
            resolved: self.unit.resolved,
            statement: self.statement,
            paper: false,
        }
    }

    /// The innermost region around it.
    pub fn region(&self) -> RegionId {
        self.chain.last().copied().unwrap_or_default()
    }

    /// The innermost region around it that one of these places belongs to.
    pub(super) fn innermost(&self, places: &[Place]) -> RegionId {
        let regions: Vec<RegionId> = places.iter().map(|&place| self.unit.places.info(place).region).collect();
        self.chain.iter().rev().find(|region| regions.contains(region)).copied().unwrap_or_default()
    }

    /// The text of a part of the statement.
    pub fn text(&self, span: Span) -> String {
        self.context().text(span)
    }

    /// A value that is not followed, which some places were read for.
    pub fn opaque(&mut self, text: impl Into<Arc<str>>, reads: Vec<Place>) -> Term {
        let region = self.region();
        self.unit.places.term(text, region, Origin::Opaque(reads.into()))
    }

    /// The value of an integer expression.
    pub fn integer(&mut self, expression: &Expression) -> Term {
        match self.known_integer(expression) {
            Some(term) => term,
            None => {
                let reads = self.reads(expression);
                let text = self.text(expression.span);
                self.opaque(text, reads)
            }
        }
    }

    /// The value of an integer expression, if it is one of what is known.
    fn known_integer(&mut self, expression: &Expression) -> Option<Term> {
        if let Some(value) = self.context().constant(expression) {
            return Some(constant(value));
        }
        match &expression.kind {
            ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(UnaryOperator::Plus, inner) => {
                Some(self.integer(inner))
            }
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => self.integer(inner).checked_mul(-1),
            ExpressionKind::Binary(operations) => self.operations(operations),
            ExpressionKind::Reference(reference) => self.reference(reference),
            ExpressionKind::Literal(_)
            | ExpressionKind::Complex(_)
            | ExpressionKind::Substring(..)
            | ExpressionKind::Unary(UnaryOperator::Not | UnaryOperator::Defined(_), _)
            | ExpressionKind::ArrayConstructor { .. }
            | ExpressionKind::ImpliedDo(_)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::PercentFunction(..)
            | ExpressionKind::Nil
            | ExpressionKind::Star
            | ExpressionKind::Repeat(..) => None,
        }
    }

    fn operations(&mut self, operations: &Operations) -> Option<Term> {
        let mut result = self.integer(&operations.first);
        for (operator, operand) in &operations.rest {
            let right = self.integer(operand);
            result = match operator {
                BinaryOperator::Add => sum(&result, &right)?,
                BinaryOperator::Subtract => difference(&result, &right)?,
                BinaryOperator::Multiply => product(&result, &right)?,
                BinaryOperator::Divide => quotient(&result, &right)?,
                BinaryOperator::Power => match right.as_constant() {
                    Some(0) => constant(1),
                    Some(exponent @ 1..=3) => {
                        let factors = (1..exponent).map(|_| result.clone()).collect::<Vec<_>>();
                        factors.iter().try_fold(result, |power, factor| product(&power, factor))?
                    }
                    _ => return None,
                },
                BinaryOperator::Concatenate
                | BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterEqual
                | BinaryOperator::And
                | BinaryOperator::Or
                | BinaryOperator::Equivalent
                | BinaryOperator::NotEquivalent
                | BinaryOperator::Defined(_) => return None,
            };
        }
        Some(result)
    }

    fn reference(&mut self, reference: &Reference) -> Option<Term> {
        if let Some(name) = reference.as_name()
            && let Some((_, term)) = self.bound.iter().rev().find(|(bound, _)| *bound == name.name)
        {
            return Some(term.clone());
        }
        if let Some((function, list)) = self.context().intrinsic(reference) {
            return self.intrinsic(function, list);
        }
        self.scalar(reference).or_else(|| self.element(reference))
    }

    /// The value of a scalar variable, if it is one that only this unit and what it calls change.
    fn scalar(&mut self, reference: &Reference) -> Option<Term> {
        let key = self.scalar_key(reference)?;
        let type_ = self.unit.resolved.type_of(self.unit.tree, self.statement, reference);
        if !type_.is_some_and(|type_| type_.is_integer()) {
            return None;
        }
        self.unit.value(self.state, &key)
    }

    /// The variable that a reference to a scalar is.
    pub fn scalar_key(&self, reference: &Reference) -> Option<ArrayKey> {
        let (symbol, components) = scalar_of(self.unit.tree, self.unit.resolved, self.statement, reference)?;
        Some(ArrayKey { symbol, components })
    }

    fn intrinsic(&mut self, function: &Intrinsic, list: &ArgumentList) -> Option<Term> {
        let names = &self.unit.tree.names;
        if matches!(function.name, "size" | "lbound" | "ubound") {
            return self.inquiry(function, list);
        }
        let arguments: Vec<&Expression> = list.items.iter().filter_map(|item| item.expression()).collect();
        match function.evaluation? {
            Evaluation::Maximum | Evaluation::Minimum => {
                if !arguments.iter().all(|argument| self.is_integer(argument)) {
                    return None;
                }
                let operands = arguments.iter().map(|argument| self.integer(argument)).collect();
                if function.evaluation == Some(Evaluation::Maximum) { maximum(operands) } else { minimum(operands) }
            }
            Evaluation::Magnitude => {
                let operand = arguments.first().filter(|argument| self.is_integer(argument))?;
                absolute(self.integer(operand))
            }
            // A kind does not change the value of what fits.
            Evaluation::Integer => {
                let operand = arguments.first().filter(|argument| self.is_integer(argument))?;
                Some(self.integer(operand))
            }
            Evaluation::Remainder | Evaluation::Modulo => {
                let value = function.argument("a", list, names)?;
                let divisor = function.argument("p", list, names)?;
                if !self.is_integer(value) || !self.is_integer(divisor) {
                    return None;
                }
                let (value, divisor) = (self.integer(value), self.integer(divisor));
                if function.evaluation == Some(Evaluation::Remainder) {
                    remainder(&value, &divisor)
                } else {
                    modulo(&value, &divisor)
                }
            }
            Evaluation::PositiveDifference => {
                let [left, right] = arguments.as_slice() else { return None };
                let distance = difference(&self.integer(left), &self.integer(right))?;
                maximum(vec![constant(0), distance])
            }
            Evaluation::Choice => self.choice(function, list),
            Evaluation::And => self.masked(&arguments),
            Evaluation::Sign
            | Evaluation::Or
            | Evaluation::ExclusiveOr
            | Evaluation::Shift
            | Evaluation::IntegerKind
            | Evaluation::RealKind
            | Evaluation::LargestElement
            | Evaluation::SmallestElement
            | Evaluation::Sum
            | Evaluation::Product
            | Evaluation::Kind
            | Evaluation::Length
            | Evaluation::Extent
            | Evaluation::LowerBound
            | Evaluation::UpperBound => None,
        }
    }

    /// `iand(i, m)` with a constant that is not negative lies in 0..m.
    fn masked(&mut self, arguments: &[&Expression]) -> Option<Term> {
        let mask = arguments.iter().filter_map(|argument| self.context().constant(argument)).find(|mask| *mask >= 0)?;
        let reads = arguments.iter().flat_map(|argument| self.reads(argument)).collect();
        let term = self.opaque("iand(...)", reads);
        let range = [Condition::at_most(&constant(0), &term)?, Condition::at_most(&term, &constant(mask))?];
        self.define(&term, Condition::all(range));
        Some(term)
    }

    /// `merge(t, f, mask)` of scalars.
    fn choice(&mut self, function: &Intrinsic, list: &ArgumentList) -> Option<Term> {
        let names = &self.unit.tree.names;
        let (yes, no) = (function.argument("tsource", list, names)?, function.argument("fsource", list, names)?);
        let mask = function.argument("mask", list, names)?;
        if !self.is_integer(yes) || !self.is_integer(no) {
            return None;
        }
        let (yes, no, mask) = (self.integer(yes), self.integer(no), self.condition(mask));
        let region = self.region();
        let term = self.unit.places.term("merge(...)", region, Origin::Joined);
        let chosen = Condition::any([
            Condition::all([mask.clone(), Condition::equal(&term, &yes)?]),
            Condition::all([mask.not(), Condition::equal(&term, &no)?]),
        ]);
        self.define(&term, chosen);
        Some(term)
    }

    /// The dimensions of an expression that is an array as a whole.
    pub fn whole_array(&mut self, expression: &Expression) -> Option<std::rc::Rc<[Dimension]>> {
        let ExpressionKind::Reference(reference) = &expression.kind else { return None };
        if reference.parts.last().is_some_and(|part| part.lists.is_empty()) {
            return self.dimensions(reference);
        }
        None
    }

    /// The extents of an expression.
    pub fn shape(&mut self, expression: &Expression) -> Option<Vec<Term>> {
        let source = self.unit.source;
        source.shape(self, expression)
    }

    /// Says what always holds of a term that is a place.
    pub fn define(&mut self, term: &Term, definition: Condition) {
        let mut places = Vec::new();
        places_of(term, &mut places);
        if let [place] = places.as_slice() {
            self.unit.places.define(*place, definition);
        }
    }

    /// The places that are read for a value: those of scalars, and the extents of whole arrays.
    pub fn reads(&mut self, expression: &Expression) -> Vec<Place> {
        let mut references = Vec::new();
        walk_subexpressions(expression, &mut |inner| {
            if let ExpressionKind::Reference(reference) = &inner.kind {
                references.push(reference);
            }
        });
        let mut places = Vec::new();
        for reference in references {
            if let Some(name) = reference.as_name()
                && let Some((_, term)) = self.bound.iter().rev().find(|(bound, _)| *bound == name.name)
            {
                places_of(term, &mut places);
                continue;
            }
            if let Some(key) = self.scalar_key(reference) {
                if let Some(term) = self.unit.value(self.state, &key) {
                    places_of(&term, &mut places);
                }
            } else if let Some(dimensions) = self.dimensions(reference)
                && reference.parts.iter().all(|part| part.lists.is_empty())
            {
                let extents = dimensions.iter().filter_map(|dimension| dimension.extent.as_ref());
                extents.for_each(|extent| places_of(extent, &mut places));
            }
        }
        self.unit.with_read_behind(places)
    }

    /// The condition that a logical expression is.
    pub fn condition(&mut self, expression: &Expression) -> Condition {
        match self.known_condition(expression) {
            Some(condition) => condition,
            None => {
                let reads = self.reads(expression);
                let text = self.text(expression.span);
                let region = self.region();
                let reads = reads.into();
                let origin = if self.is_of_data(expression) { Origin::Data(reads) } else { Origin::Opaque(reads) };
                let info = PlaceInfo { text: text.into(), region, origin, definition: None };
                Condition::Logical(self.unit.places.add(info), true)
            }
        }
    }

    /// The truth value of a logical expression as a number that is 0 where it is false.
    pub fn truth(&mut self, expression: &Expression) -> Term {
        match self.condition(expression) {
            Condition::True => constant(1),
            Condition::False => constant(0),
            Condition::Logical(place, true) => place_term(place),
            condition @ (Condition::Compare(..)
            | Condition::Logical(_, false)
            | Condition::All(_)
            | Condition::Any(_)) => {
                let text = self.text(expression.span);
                let region = self.region();
                let info = PlaceInfo { text: text.into(), region, origin: Origin::Joined, definition: None };
                let place = self.unit.places.add(info);
                let same = Condition::any([
                    Condition::all([Condition::Logical(place, true), condition.clone()]),
                    Condition::all([Condition::Logical(place, false), condition.not()]),
                ]);
                self.unit.places.define(place, same);
                place_term(place)
            }
        }
    }

    fn known_condition(&mut self, expression: &Expression) -> Option<Condition> {
        match &expression.kind {
            ExpressionKind::Literal(literal) => match literal.kind {
                LiteralKind::Logical(true) => Some(Condition::True),
                LiteralKind::Logical(false) => Some(Condition::False),
                LiteralKind::Integer(_)
                | LiteralKind::Real
                | LiteralKind::Character
                | LiteralKind::Boz
                | LiteralKind::Hollerith => None,
            },
            ExpressionKind::Parenthesised(inner) => Some(self.condition(inner)),
            ExpressionKind::Unary(UnaryOperator::Not, inner) => Some(self.condition(inner).not()),
            ExpressionKind::Binary(operations) => self.logical_operations(operations),
            ExpressionKind::Reference(reference) => self.logical_reference(reference),
            ExpressionKind::Complex(_)
            | ExpressionKind::Substring(..)
            | ExpressionKind::Unary(..)
            | ExpressionKind::ArrayConstructor { .. }
            | ExpressionKind::ImpliedDo(_)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::PercentFunction(..)
            | ExpressionKind::Nil
            | ExpressionKind::Star
            | ExpressionKind::Repeat(..) => None,
        }
    }

    fn logical_operations(&mut self, operations: &Operations) -> Option<Condition> {
        let operator = operations.rest.first()?.0;
        match operator {
            BinaryOperator::And => {
                let parts: Vec<Condition> = operations.operands().map(|operand| self.condition(operand)).collect();
                Some(Condition::all(parts))
            }
            BinaryOperator::Or => {
                let parts: Vec<Condition> = operations.operands().map(|operand| self.condition(operand)).collect();
                Some(Condition::any(parts))
            }
            BinaryOperator::Equivalent | BinaryOperator::NotEquivalent if operations.rest.len() == 1 => {
                let (left, right) = (self.condition(&operations.first), self.condition(&operations.rest[0].1));
                let same = Condition::any([
                    Condition::all([left.clone(), right.clone()]),
                    Condition::all([left.not(), right.not()]),
                ]);
                Some(if operator == BinaryOperator::Equivalent { same } else { same.not() })
            }
            BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEqual => {
                let (left, right) = (&operations.first, &operations.rest[0].1);
                let is_scalar = |expression: &Expression| {
                    self.unit.resolved.rank(self.unit.tree, self.statement, expression).is_none_or(|rank| rank == 0)
                };
                if operations.rest.len() != 1
                    || !self.is_integer(left)
                    || !self.is_integer(right)
                    || !is_scalar(left)
                    || !is_scalar(right)
                {
                    return None;
                }
                let (left, right) = (self.integer(left), self.integer(right));
                Some(match operator {
                    BinaryOperator::Equal => Condition::equal(&left, &right)?,
                    BinaryOperator::NotEqual => Condition::equal(&left, &right)?.not(),
                    BinaryOperator::Less => Condition::less(&left, &right)?,
                    BinaryOperator::LessEqual => Condition::at_most(&left, &right)?,
                    BinaryOperator::Greater => Condition::less(&right, &left)?,
                    _ => Condition::at_most(&right, &left)?,
                })
            }
            BinaryOperator::Equivalent
            | BinaryOperator::NotEquivalent
            | BinaryOperator::Power
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Concatenate
            | BinaryOperator::Defined(_) => None,
        }
    }

    fn logical_reference(&mut self, reference: &Reference) -> Option<Condition> {
        if let Some((function, list)) = self.context().intrinsic(reference) {
            let names = &self.unit.tree.names;
            if function.name == "present"
                && let Some(ExpressionKind::Reference(of)) = function.argument("a", list, names).map(|of| &of.kind)
            {
                let name = of.as_name()?;
                let symbol = self.unit.resolved.symbol_at(self.statement, name.name)?;
                let key = ArrayKey { symbol: canonical(self.unit.resolved, symbol), components: Vec::new() };
                return Some(Condition::Logical(self.unit.entry_place(&key, Aspect::Present), true));
            }
            return None;
        }
        let symbol = self.unit.resolved.symbol_at(self.statement, reference.parts.first()?.name.name)?;
        let is_logical = self
            .unit
            .resolved
            .type_of(self.unit.tree, self.statement, reference)
            .is_some_and(|type_| type_.base == crate::names::BaseType::Logical);
        if !is_logical || matches!(self.unit.resolved.symbol(symbol).kind, SymbolKind::Parameter(_)) {
            return None;
        }
        let key = self.scalar_key(reference)?;
        match self.unit.value(self.state, &key)? {
            term if term == constant(0) => Some(Condition::False),
            term if term == constant(1) => Some(Condition::True),
            term => match term.single_term() {
                Some((Atom::Place(place), 1)) if term.constant_term() == 0 => Some(Condition::Logical(*place, true)),
                _ => None,
            },
        }
    }

    /// What each part of a reference is.
    pub fn classes(&self, reference: &Reference) -> crate::names::PartClasses {
        self.unit.resolved.classify(self.unit.tree, self.statement, reference)
    }

    /// The symbol of the first name of a reference.
    pub fn symbol(&self, reference: &Reference) -> Option<SymbolId> {
        self.unit.resolved.symbol_at(self.statement, reference.parts.first()?.name.name)
    }

    /// The dimensions of the array that the last part of a reference names, whatever its subscripts.
    pub fn dimensions(&mut self, reference: &Reference) -> Option<std::rc::Rc<[Dimension]>> {
        let last = *self.classes(reference).last()?;
        let PartClass::Array { rank: 1.. } = last else { return None };
        let symbol = canonical(self.unit.resolved, self.symbol(reference)?);
        if associated_element(self.unit.tree, self.unit.resolved, symbol).is_some() && reference.parts.len() > 1 {
            return None;
        }
        self.unit.dimensions(self.state, self.statement, symbol, reference)
    }
}
