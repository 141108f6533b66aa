//! What the dimensions of an expression stand for, and what intrinsic functions make of it.
//!
//! The *role* of a dimension says which axis of the left side it is aligned with, or that a function runs over all of it.

use super::Reason;
use super::reads::Reader;
use super::value::expression_of;
use crate::intrinsics::{Intrinsic, ResultShape};
use crate::syntax::{ArgumentList, BinaryOperator, Expression, ExpressionKind, UnaryOperator};

/// The role of a dimension of an expression.
#[derive(Clone, Debug)]
pub(super) enum Role {
    /// It is aligned with an axis of the left side, shifted by so much.
    Aligned { axis: usize, shift: Result<i64, Reason> },
    /// All of it is read for each element.
    Reduced,
    /// Nothing can be said.
    Unclear(Reason),
}

/// The roles of the dimensions of an expression.
#[derive(Clone, Debug)]
pub(super) enum Roles {
    /// One for each; an expression of another rank does not conform, scalars excepted.
    Each(Vec<Role>),
    /// The same for all, however many there are.
    All(Role),
}

impl Roles {
    /// Those of a scalar.
    pub fn scalar() -> Self {
        Roles::Each(Vec::new())
    }

    /// Those of an expression that is aligned with the left side as it stands.
    pub fn aligned(rank: usize) -> Self {
        Roles::Each((0..rank).map(|axis| Role::Aligned { axis, shift: Ok(0) }).collect())
    }

    /// Those of an array of which it is not known which element goes where.
    pub fn unclear() -> Self {
        Roles::All(Role::Unclear(Reason::NonNeighbourIndex))
    }

    pub fn of(&self, dimension: usize, rank: usize) -> Role {
        match self {
            Roles::Each(roles) if roles.len() == rank => roles[dimension].clone(),
            Roles::Each(_) => Role::Unclear(Reason::NonNeighbourIndex),
            Roles::All(role) => role.clone(),
        }
    }

    pub fn are_scalar(&self) -> bool {
        matches!(self, Roles::Each(roles) if roles.is_empty())
    }
}

impl Reader<'_, '_> {
    /// The arguments of an intrinsic function.
    pub(super) fn intrinsic(&mut self, function: &Intrinsic, list: &ArgumentList, roles: &Roles) {
        let place = self.place();
        let argument = |keyword: &str| function.argument(keyword, list, &place.tree.names);
        // In the place of DIM the mask may stand as well.
        let dimension = || argument("dim").filter(|dim| !self.is_logical(dim)).map(|dim| place.constant(dim));
        let of_array = match function.shape {
            ResultShape::Elemental | ResultShape::Scalar | ResultShape::Bounds => return self.arguments(list, roles),
            ResultShape::Sequence if list.items.len() == function.arguments.len() => {
                return self.arguments(list, roles);
            }
            ResultShape::Shifted => {
                let by = argument("shift").and_then(|shift| place.constant(shift));
                shifted(roles, dimension().unwrap_or(Some(1)), by)
            }
            ResultShape::Transposed => match roles {
                Roles::Each(each) => Roles::Each(each.iter().rev().cloned().collect()),
                Roles::All(role) => Roles::All(role.clone()),
            },
            ResultShape::Spread => without(roles, dimension().flatten()),
            ResultShape::Reduction | ResultShape::Location => reduced(roles, dimension()),
            ResultShape::VectorProduct => Roles::All(Role::Reduced),
            ResultShape::Reshaped
            | ResultShape::MatrixProduct
            | ResultShape::Packed
            | ResultShape::Unpacked
            | ResultShape::Transferred
            | ResultShape::Sequence
            | ResultShape::Unknown => Roles::unclear(),
        };
        let others = match function.shape {
            ResultShape::Shifted | ResultShape::Spread => Roles::unclear(),
            _ => of_array.clone(),
        };
        let array = function.arguments.first().and_then(|first| argument(first.name));
        for item in list.items.iter() {
            let Some(argument) = expression_of(item) else { continue };
            let is_array = array.is_some_and(|array| std::ptr::eq(array, argument));
            self.expression(argument, if is_array { &of_array } else { &others });
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
            ExpressionKind::Reference(_) => self.place().is_array(expression),
            _ => false,
        }
    }
}

/// The roles of the operands of an operator; what a defined one does with arrays is not known.
pub(super) fn through_operator(roles: &Roles, is_defined: bool) -> Roles {
    match roles {
        _ if !is_defined || roles.are_scalar() => roles.clone(),
        _ => Roles::unclear(),
    }
}

/// The roles of an array whose elements a function moves by a constant along one dimension.
fn shifted(roles: &Roles, dimension: Option<i64>, by: Option<i64>) -> Roles {
    let along = dimension.and_then(|dimension| usize::try_from(dimension.checked_sub(1)?).ok());
    let (Some(along), Roles::Each(each)) = (along, roles) else {
        return match roles {
            // All of it is read anyhow.
            Roles::All(Role::Reduced) => roles.clone(),
            _ => Roles::unclear(),
        };
    };
    let mut each = each.clone();
    if let Some(Role::Aligned { shift, .. }) = each.get_mut(along) {
        *shift = match (&*shift, by) {
            (Ok(before), Some(by)) => before.checked_add(by).ok_or(Reason::NonNeighbourIndex),
            (Err(reason), _) => Err(*reason),
            (Ok(_), None) => Err(Reason::SymbolicOffset),
        };
    }
    Roles::Each(each)
}

/// The roles of an array that a function reduces: along one dimension, or all of it.
fn reduced(roles: &Roles, dimension: Option<Option<i64>>) -> Roles {
    match (dimension, roles) {
        (None, _) | (_, Roles::All(Role::Reduced)) => Roles::All(Role::Reduced),
        (Some(along), Roles::Each(each)) => {
            let along = along.and_then(|along| usize::try_from(along.checked_sub(1)?).ok());
            match along.filter(|&along| along <= each.len()) {
                Some(along) => {
                    let mut each = each.clone();
                    each.insert(along, Role::Reduced);
                    Roles::Each(each)
                }
                None => Roles::unclear(),
            }
        }
        (Some(_), Roles::All(role)) => Roles::All(role.clone()),
    }
}

/// The roles of an array that SPREAD copies along a new dimension.
fn without(roles: &Roles, dimension: Option<i64>) -> Roles {
    match (roles, dimension.and_then(|dimension| usize::try_from(dimension.checked_sub(1)?).ok())) {
        (Roles::All(role), _) => Roles::All(role.clone()),
        (Roles::Each(each), Some(along)) if along < each.len() => {
            let mut each = each.clone();
            each.remove(along);
            Roles::Each(each)
        }
        _ => Roles::unclear(),
    }
}
