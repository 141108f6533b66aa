//! What references mean as scalar variables: names without a shape, perhaps with components, and what associate names
//! stand for.

use crate::names::{PartClass, Resolved, SymbolId, SymbolKind};
use crate::syntax::{ArgumentList, Expression, ExpressionKind, Name, Part, Reference, StatementId, Tree};

/// The scalar variable that a reference is, if it is one: a name without a shape and brackets, perhaps with such
/// components.
pub fn scalar_of(
    tree: &Tree,
    resolved: &Resolved,
    id: StatementId,
    reference: &Reference,
) -> Option<(SymbolId, Vec<Name>)> {
    // Most references to arrays need no look at their names.
    if !may_be_scalar(reference) {
        return None;
    }
    let first = reference.parts.first()?;
    scalar_at(tree, resolved, id, reference, resolved.symbol_at(id, first.name.name)?)
}

/// The same of a reference that [may be a scalar](may_be_scalar) and whose first name means this symbol.
pub fn scalar_at(
    tree: &Tree,
    resolved: &Resolved,
    id: StatementId,
    reference: &Reference,
    symbol: SymbolId,
) -> Option<(SymbolId, Vec<Name>)> {
    if associated_element(tree, resolved, symbol).is_some() {
        return None;
    }
    let is_plain = |class| matches!(class, PartClass::Scalar | PartClass::Unknown | PartClass::Substring);
    let without_lists = reference.parts.iter().all(|part| part.lists.is_empty());
    let is_scalar = match reference.parts.as_slice() {
        [part] => {
            let class = resolved.class_of(symbol, part);
            class == PartClass::Substring || without_lists && is_plain(class)
        }
        _ => {
            let classes = resolved.classify(tree, id, reference);
            classes.iter().copied().all(is_plain) && (without_lists || classes.contains(&PartClass::Substring))
        }
    };
    let components = || reference.parts[1..].iter().map(|part| part.name.name).collect();
    is_scalar.then(|| (canonical(resolved, symbol), components()))
}

/// With brackets only a substring is a scalar variable.
pub fn may_be_scalar(reference: &Reference) -> bool {
    let is_substring = |part: &Part| part.lists.first().is_some_and(ArgumentList::is_range);
    reference.parts.iter().all(|part| part.lists.is_empty()) || reference.parts.iter().any(is_substring)
}

/// What an associate name stands for that is no whole variable, with the statement that associates them.
pub fn selector_of<'t>(tree: &'t Tree, resolved: &Resolved, symbol: SymbolId) -> Option<(StatementId, &'t Expression)> {
    let SymbolKind::AssociateName { statement, index, whole: None } = resolved.symbol(symbol).kind else { return None };
    let selector = tree.statements[statement].kind.selectors().nth(index as usize)?;
    Some((statement, selector))
}

/// The array element that an associate name stands for, with the statement that associates them.
pub fn associated_element<'t>(
    tree: &'t Tree,
    resolved: &Resolved,
    symbol: SymbolId,
) -> Option<(StatementId, &'t Expression)> {
    let (statement, selector) = selector_of(tree, resolved, symbol)?;
    let ExpressionKind::Reference(reference) = &selector.kind else { return None };
    let classes = resolved.classify(tree, statement, reference);
    let is_variable = classes.iter().all(|class| matches!(class, PartClass::Array { .. } | PartClass::Scalar));
    let is_element = is_variable && resolved.rank(tree, statement, selector) == Some(0);
    (is_element && classes.iter().any(|class| matches!(class, PartClass::Array { .. })))
        .then_some((statement, selector))
}

/// The variable that a name stands for: an associate name of a whole variable is that variable.
pub fn canonical(resolved: &Resolved, symbol: SymbolId) -> SymbolId {
    let mut symbol = symbol;
    // Associations nest; each leads outwards.
    while let SymbolKind::AssociateName { whole: Some(variable), .. } = resolved.symbol(symbol).kind
        && variable != symbol
    {
        symbol = variable;
    }
    symbol
}
