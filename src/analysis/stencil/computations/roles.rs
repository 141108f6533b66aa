//! What the dimensions of an expression stand for, and what intrinsic functions make of it.
//!
//! The *role* of a dimension says which axis of the left side it is aligned with, or that a function runs over all of it.

use super::Reason;
use super::reads::Reader;
use super::value::{Place, expression_of};
use crate::names::PartClass;
use crate::syntax::{ArgumentList, BinaryOperator, Expression, ExpressionKind, Reference, UnaryOperator};

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

/// Intrinsic functions that ask about an array and don't read its elements (clause 16.7, table 16.1, class I).
const INQUIRIES: [&str; 21] = [
    "allocated",
    "associated",
    "bit_size",
    "c_loc",
    "c_sizeof",
    "digits",
    "epsilon",
    "huge",
    "is_contiguous",
    "kind",
    "lbound",
    "len",
    "loc",
    "maxexponent",
    "present",
    "rank",
    "shape",
    "size",
    "sizeof",
    "tiny",
    "ubound",
];

/// Whether a reference asks about an array or variable without reading its elements: such a value does not change in a loop
/// that does not allocate.
pub fn is_inquiry(place: Place<'_>, reference: &Reference) -> bool {
    let [part] = reference.parts.as_slice() else { return false };
    !part.lists.is_empty()
        && INQUIRIES.binary_search(&place.tree.names.text(part.name.name)).is_ok()
        && place.resolved.classify(place.tree, place.statement, reference).as_slice() == [PartClass::Intrinsic]
}

impl Reader<'_, '_> {
    /// The arguments of an intrinsic function.
    pub(super) fn intrinsic(&mut self, name: &str, list: &ArgumentList, roles: &Roles) {
        let place = self.place();
        let keyword = match name {
            "transpose" => "matrix",
            "spread" => "source",
            "all" | "any" | "count" | "parity" => "mask",
            "norm2" => "x",
            _ => "array",
        };
        let array = place.argument(list, 0, keyword);
        let dimension = |at| place.argument(list, at, "dim").map(|dim| place.constant(dim));
        let of_array = match name {
            "cshift" | "eoshift" => {
                let at = if name == "cshift" { 2 } else { 3 };
                let by = place.argument(list, 1, "shift").and_then(|shift| place.constant(shift));
                shifted(roles, dimension(at).unwrap_or(Some(1)), by)
            }
            "transpose" => match roles {
                Roles::Each(each) => Roles::Each(each.iter().rev().cloned().collect()),
                Roles::All(role) => Roles::All(role.clone()),
            },
            "spread" => without(roles, dimension(1).flatten()),
            "all" | "any" | "count" | "parity" | "norm2" => reduced(roles, dimension(1)),
            "sum" | "product" | "maxval" | "minval" | "iall" | "iany" | "iparity" => {
                // The second argument may as well be the mask.
                let is_mask = || list.items.get(1).filter(|item| item.keyword.is_none()).and_then(expression_of);
                match is_mask().filter(|second| self.is_logical(second)) {
                    Some(_) => reduced(roles, None),
                    None => reduced(roles, dimension(1)),
                }
            }
            "maxloc" | "minloc" => match dimension(1) {
                Some(dimension) => reduced(roles, Some(dimension)),
                None => Roles::All(Role::Reduced),
            },
            "findloc" => match dimension(2) {
                Some(dimension) => reduced(roles, Some(dimension)),
                None => Roles::All(Role::Reduced),
            },
            "dot_product" => Roles::All(Role::Reduced),
            "matmul" | "pack" | "unpack" | "reshape" | "transfer" | "reduce" | "bessel_jn" | "bessel_yn" => {
                Roles::unclear()
            }
            _ => return self.arguments(list, roles),
        };
        let others = match name {
            "cshift" | "eoshift" | "spread" => Roles::unclear(),
            _ => of_array.clone(),
        };
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
