//! Arrays by what gives them their bounds.

use super::array::ArrayKey;
use super::expression::ExpressionContext;
use crate::flow::canonical;
use crate::intrinsics::Evaluation;
use crate::names::{PartClass, TypeId};
use crate::syntax::{Expression, ExpressionKind, Name, Reference};

/// An array that gets bounds: a component of a type is one wherever its objects are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BoundedKey {
    /// A component of a type.
    Component(TypeId, Name),
    /// Another array.
    Array(ArrayKey),
}

impl BoundedKey {
    /// The array that a reference is of, its last part's subscripts aside.
    pub fn new(context: ExpressionContext<'_>, reference: &Reference) -> Option<Self> {
        if let Some((last, object)) = reference.parts.split_last()
            && !object.is_empty()
        {
            let object = Reference { parts: object.iter().cloned().collect() };
            let type_ = context.resolved.type_of(context.tree, context.statement, &object);
            if let Some(type_) = type_.and_then(|type_| type_.derived()) {
                return Some(BoundedKey::Component(type_, last.name.name));
            }
        }
        context.array_key(reference).map(BoundedKey::Array)
    }
}

/// An array in a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounded {
    /// What gives it its bounds.
    pub key: BoundedKey,
    /// Tells it apart from the same component of another object.
    name: String,
}

impl Bounded {
    /// The array that a reference is of, its last part's subscripts aside.
    pub fn new(context: ExpressionContext<'_>, reference: &Reference) -> Option<Self> {
        let first = reference.parts.first()?;
        let symbol = canonical(context.resolved, context.resolved.symbol_at(context.statement, first.name.name)?);
        let mut name = format!("{symbol:?}");
        let last = reference.parts.len() - 1;
        for (at, part) in reference.parts.iter().enumerate() {
            if at > 0 {
                name += &format!("%{}", context.tree.names.text(part.name.name));
            }
            if at < last {
                part.lists.iter().for_each(|list| name += &context.text(list.span));
            }
        }
        Some(Bounded { key: BoundedKey::new(context, reference)?, name })
    }

    /// The whole array that an expression is.
    pub fn of_whole(context: ExpressionContext<'_>, expression: &Expression) -> Option<Self> {
        let ExpressionKind::Reference(reference) = &expression.kind else { return None };
        let classes = context.resolved.classify(context.tree, context.statement, reference);
        let is_whole = matches!(classes.last(), Some(PartClass::Array { .. }))
            && reference.parts.last().is_some_and(|part| part.lists.is_empty());
        let is_data = classes.iter().all(|class| matches!(class, PartClass::Array { .. } | PartClass::Scalar));
        if is_whole && is_data { Bounded::new(context, reference) } else { None }
    }

    /// The array and dimension whose lower bound an expression asks for: `lbound(b, 1)`.
    pub fn of_inquiry(context: ExpressionContext<'_>, expression: &Expression) -> Option<(Self, usize)> {
        let (array, dimension) = Bounded::of_inquiries(context, expression)?;
        Some((array, dimension?))
    }

    /// The array whose lower bounds an expression asks for, and the dimension if it is only one's.
    pub fn of_inquiries(context: ExpressionContext<'_>, expression: &Expression) -> Option<(Self, Option<usize>)> {
        let ExpressionKind::Reference(reference) = &expression.kind else { return None };
        let (function, list) = context.intrinsic(reference)?;
        if function.evaluation != Some(Evaluation::LowerBound) {
            return None;
        }
        let array = Bounded::of_whole(context, function.argument("array", list, &context.tree.names)?)?;
        let dimension = match function.argument("dim", list, &context.tree.names) {
            Some(dimension) => Some(usize::try_from(context.constant(dimension)?.checked_sub(1)?).ok()?),
            None => None,
        };
        Some((array, dimension))
    }

    /// The name of the lower bound of one of its dimensions.
    pub fn bound(&self, dimension: usize) -> String {
        format!("lbound({},{dimension})", self.name)
    }
}

/// The lower bound that an array gets in one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// A constant.
    Known(i64),
    /// That of another array, in one of its dimensions.
    Same(Bounded, usize),
    /// What is written there, by a name.
    Written(String),
}
