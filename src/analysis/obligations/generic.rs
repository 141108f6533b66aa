//! Which specific procedure a generic name means: those are left out of which an argument can't be for the dummy
//! argument, as types, kinds or ranks differ (Fortran 2023, 15.5.5.2 and 15.5.2.5).

use crate::names::{BaseType, Resolved, SymbolType};
use crate::syntax::{Expression, ExpressionKind, LiteralKind, Reference, StatementId, Tree};

use super::summary::{DummyArgument, Procedure};

/// Types of which no value is one of another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Integer,
    Real,
    Complex,
    Logical,
    Character,
    Structure,
}

/// Whether a reference in a statement may be one to a specific procedure, as far as its arguments tell.
pub fn may_mean(
    tree: &Tree,
    resolved: &Resolved,
    statement: StatementId,
    reference: &Reference,
    specific: &Procedure,
) -> bool {
    let mut is_given = vec![false; specific.dummies.len()];
    for (position, argument) in reference.arguments().enumerate() {
        let names = specific.dummies.iter().map(|dummy| dummy.name.as_str());
        let Some(at) = argument.dummy(position, names, &tree.names) else { return false };
        let Some(dummy) = specific.dummies.get(at) else { return false };
        is_given[at] = true;
        let Some(actual) = argument.expression() else { continue };
        let rank = resolved.rank(tree, statement, actual).filter(|_| !specific.is_elemental);
        let has_other_rank = matches!((dummy.rank, rank), (Some(dummy), Some(actual)) if dummy != actual);
        if has_other_rank || has_other_type(dummy, tree, resolved, statement, actual) {
            return false;
        }
    }
    specific.dummies.iter().zip(is_given).all(|(dummy, is_given)| is_given || dummy.is_optional)
}

/// Whether an expression is certainly of another type than a dummy argument.
fn has_other_type(
    dummy: &DummyArgument,
    tree: &Tree,
    resolved: &Resolved,
    statement: StatementId,
    actual: &Expression,
) -> bool {
    let of_dummy = if dummy.is_structure { Some(Class::Structure) } else { dummy.type_.as_ref().and_then(class) };
    let (of_actual, type_) = match &actual.kind {
        ExpressionKind::Literal(literal) => (of_literal(&literal.kind), None),
        ExpressionKind::Reference(reference) => {
            let type_ = resolved.type_of(tree, statement, reference);
            (type_.as_ref().and_then(class), type_)
        }
        _ => (None, None),
    };
    let (Some(of_dummy), Some(of_actual)) = (of_dummy, of_actual) else { return false };
    if of_dummy != of_actual {
        return true;
    }
    // Without a kind it is the default one, or one that can't be computed.
    let kind = |type_: &SymbolType| match type_.base {
        BaseType::DoublePrecision | BaseType::DoubleComplex => Some(8),
        _ => type_.kind,
    };
    let kinds = (dummy.type_.as_ref().and_then(kind), type_.as_ref().and_then(kind));
    matches!(kinds, (Some(dummy), Some(actual)) if dummy != actual)
}

fn class(type_: &SymbolType) -> Option<Class> {
    match type_.base {
        BaseType::Integer => Some(Class::Integer),
        BaseType::Real | BaseType::DoublePrecision => Some(Class::Real),
        BaseType::Complex | BaseType::DoubleComplex => Some(Class::Complex),
        BaseType::Logical => Some(Class::Logical),
        BaseType::Character => Some(Class::Character),
        BaseType::Derived(_) | BaseType::Class(_) => Some(Class::Structure),
        BaseType::Byte | BaseType::Unlimited | BaseType::Unknown => None,
    }
}

fn of_literal(kind: &LiteralKind) -> Option<Class> {
    match kind {
        LiteralKind::Integer(_) => Some(Class::Integer),
        LiteralKind::Real => Some(Class::Real),
        LiteralKind::Logical(_) => Some(Class::Logical),
        LiteralKind::Character => Some(Class::Character),
        LiteralKind::Boz | LiteralKind::Hollerith => None,
    }
}
