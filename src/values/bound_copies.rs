//! Integers that hold lower bounds of arrays, and nothing else: `lb = lbound(b)`.

use rustc_hash::FxHashMap;

use super::bounded::Bounded;
use super::expression::ExpressionContext;
use crate::names::{Resolved, SymbolId};
use crate::syntax::visit::{Access, walk_references};
use crate::syntax::{Expression, ExpressionKind, Reference, StatementKind, Tree};

/// A variable, or an element of an array by its index.
type Holder = (SymbolId, Option<i64>);

/// What the integers of a file hold.
#[derive(Debug, Default)]
pub(super) struct BoundCopies {
    /// The bounds of an array, or of one of its dimensions; `None` if it holds other things as well.
    held: FxHashMap<Holder, Option<(Bounded, Option<usize>)>>,
    /// How often each variable may get a value, and how often of these a lower bound.
    changes: FxHashMap<SymbolId, (usize, usize)>,
}

impl BoundCopies {
    /// Those of a file.
    pub(super) fn new(tree: &Tree, resolved: &Resolved) -> Self {
        let mut found = BoundCopies::default();
        if !tree.statements.iter().any(|statement| matches!(statement.kind, StatementKind::Allocate { .. })) {
            return found;
        }
        for (id, statement) in tree.statements.iter_enumerated() {
            let context = ExpressionContext { tree, resolved, statement: id, paper: false };
            if let StatementKind::Assignment { target, value } = &statement.kind
                && let Some(bounds) = Bounded::of_inquiries(context, value)
                && let Some(holder) = holder(context, target)
            {
                let known = found.held.entry(holder).or_insert_with(|| Some(bounds.clone()));
                if *known != Some(bounds) {
                    *known = None;
                }
                found.changes.entry(holder.0).or_default().1 += 1;
            }
        }
        if !found.held.is_empty() {
            found.count_changes(tree, resolved);
        }
        found
    }

    fn count_changes(&mut self, tree: &Tree, resolved: &Resolved) {
        for (id, statement) in tree.statements.iter_enumerated() {
            walk_references(&tree.names, &statement.kind, &mut |reference, access| {
                let is_change = !matches!(access, Access::Read | Access::Output | Access::Called | Access::Declared);
                let first = reference.parts.first().filter(|_| is_change);
                let symbol = first.and_then(|first| resolved.symbol_at(id, first.name.name));
                if let Some(changes) = symbol.and_then(|symbol| self.changes.get_mut(&symbol)) {
                    changes.0 += 1;
                }
            });
        }
    }

    /// The array and dimension whose lower bound an expression holds.
    pub(super) fn of(&self, context: ExpressionContext<'_>, expression: &Expression) -> Option<(Bounded, usize)> {
        let ExpressionKind::Reference(reference) = &expression.kind else { return None };
        let (symbol, element) = holder(context, reference)?;
        let &(changes, copies) = self.changes.get(&symbol)?;
        if changes != copies {
            return None;
        }
        if let Some(Some((array, dimension))) = self.held.get(&(symbol, element)) {
            return Some((array.clone(), (*dimension)?));
        }
        // The whole array of bounds.
        let at = usize::try_from(element?.checked_sub(1)?).ok()?;
        match self.held.get(&(symbol, None)) {
            Some(Some((array, None))) => Some((array.clone(), at)),
            _ => None,
        }
    }
}

/// The variable or element that a reference is; dummy arguments and variables of other units may hold anything.
fn holder(context: ExpressionContext<'_>, reference: &Reference) -> Option<Holder> {
    let [part] = reference.parts.as_slice() else { return None };
    let symbol = context.resolved.symbol_at(context.statement, part.name.name)?;
    let of = context.resolved.symbol(symbol);
    if of.is_dummy || of.use_associated || of.in_common || of.equivalenced {
        return None;
    }
    // `lb(1)` counts from 1.
    let begins_at_1 = of.shape.as_ref().is_none_or(|shape| shape.bounds.iter().all(|bounds| bounds.lower == Some(1)));
    match part.lists.as_slice() {
        [] => Some((symbol, None)),
        [list] if begins_at_1 => match list.items.as_slice() {
            [item] => Some((symbol, Some(context.constant(item.expression()?)?))),
            _ => None,
        },
        _ => None,
    }
}
