//! The lower bounds of arrays that no constant in their declaration gives: those that ALLOCATE statements, assignments
//! and pointer assignments of a file give to deferred-shape arrays, and those that are declared by expressions.
//!
//! Bounds that are no constants may still be the same: `allocate (a(lbound(b, 1):n))`, `allocate (a, source=b)` and
//! `a = b` copy them. So a lower bound that is not known is told by the array that it is a bound of, or was copied
//! from.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bound_copies::BoundCopies;
use super::bounded::{Bound, Bounded, BoundedKey};
use super::expression::ExpressionContext;
use super::index::{Index, Inside};
use crate::names::{PartClass, Resolved, ScopeKind, SymbolId};
use crate::syntax::{
    ArgumentValue, ArraySpec, DimensionSpec, Expression, ExpressionKind, Identifier, Reference, StatementId,
    StatementKind, Tree,
};

/// Copies of copies are followed so far.
const COPIES: usize = 8;

/// What is known of a lower bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LowerBound {
    /// It is this wherever the array gets bounds.
    Known(i64),
    /// It is no constant; bounds of one name are equal.
    Named {
        /// The name.
        name: String,
        /// Whether nothing in the file says what it is.
        is_open: bool,
    },
}

impl LowerBound {
    /// The bound as an index.
    pub fn index(&self) -> Index {
        match self {
            LowerBound::Known(lower) => Index::constant(*lower),
            LowerBound::Named { name, .. } => Index::opaque(name.clone(), Inside::default()),
        }
    }
}

/// The lower bounds that a file gives, by dimension.
#[derive(Debug, Default)]
pub struct LowerBounds<'t> {
    /// For each array what ALLOCATE statements, and targets of pointers, give it.
    allocated: FxHashMap<BoundedKey, Vec<Vec<Bound>>>,
    /// Arrays that get bounds otherwise, too: from a source, or a target of which they are not known.
    otherwise: FxHashSet<BoundedKey>,
    /// What assignments give to allocatable variables.
    assigned: FxHashMap<BoundedKey, Vec<Vec<Bound>>>,
    /// The specification of each array that has expressions for bounds, with the statement.
    declared: FxHashMap<SymbolId, (StatementId, &'t ArraySpec)>,
}

impl<'t> LowerBounds<'t> {
    /// Those of a file.
    pub fn new(tree: &'t Tree, resolved: &'t Resolved) -> Self {
        let copies = BoundCopies::new(tree, resolved);
        let mut found = LowerBounds::default();
        for (id, statement) in tree.statements.iter_enumerated() {
            let context = ExpressionContext { tree, resolved, statement: id, paper: false };
            found.note_statement(context, &copies, &statement.kind);
            found.note_declarations(context, &statement.kind);
        }
        found
    }

    fn note_statement(&mut self, context: ExpressionContext<'_>, copies: &BoundCopies, kind: &StatementKind) {
        match kind {
            StatementKind::Allocate { objects, options, .. } => {
                for object in objects {
                    let bounds = bounds_of(context, copies, object);
                    self.note(context, object, bounds.or_else(|| bounds_of_source(context, options)));
                }
            }
            StatementKind::PointerAssignment { target, value } => {
                let given = bounds_of(context, copies, target);
                self.note(context, target, given.or_else(|| bounds_of_target(context, value)));
            }
            StatementKind::Assignment { target, value } => {
                if let (Some(key), Some(bounds)) = (allocatable(context, target), bounds_of_value(context, value)) {
                    self.assigned.entry(key).or_default().push(bounds);
                }
            }
            StatementKind::If { action, .. } => self.note_statement(context, copies, &action.kind),
            _ => {}
        }
    }

    /// Notes the bounds that an array gets in one place, if they are known.
    fn note(&mut self, context: ExpressionContext<'_>, array: &Reference, bounds: Option<Vec<Bound>>) {
        let Some(key) = BoundedKey::new(context, array) else { return };
        match bounds {
            Some(bounds) => self.allocated.entry(key).or_default().push(bounds),
            None => drop(self.otherwise.insert(key)),
        }
    }

    fn note_declarations(&mut self, context: ExpressionContext<'t>, kind: &'t StatementKind) {
        let scope = context.resolved.scope_of(context.statement);
        // The bounds of components are constants.
        if !matches!(context.resolved.scope_kind(scope), ScopeKind::Unit(_)) {
            return;
        }
        for (entity, spec) in kind.shapes() {
            if spec.dimensions.iter().any(|dimension| written_lower(dimension).is_some())
                && let Some(symbol) = context.resolved.symbol_at(context.statement, entity.name.name)
            {
                self.declared.insert(symbol, (context.statement, spec));
            }
        }
    }

    /// The lower bound of one dimension of an array that is declared without it.
    pub fn of(&self, array: &Bounded, dimension: usize) -> LowerBound {
        self.follow(array, dimension, COPIES)
    }

    fn follow(&self, array: &Bounded, dimension: usize, depth: usize) -> LowerBound {
        let named = |is_open| LowerBound::Named { name: array.bound(dimension), is_open };
        let allocated = self.allocated.get(&array.key);
        let Some(given) = allocated.or_else(|| self.assigned.get(&array.key)) else { return named(true) };
        let mut found: Option<LowerBound> = None;
        for bounds in given {
            let bound = match bounds.get(dimension) {
                Some(Bound::Known(lower)) => LowerBound::Known(*lower),
                Some(Bound::Written(name)) => LowerBound::Named { name: name.clone(), is_open: false },
                // What gets bounds several times may have had others when they were copied.
                Some(Bound::Same(other, at))
                    if depth > 0 && self.allocated.get(&other.key).is_none_or(|all| all.len() == 1) =>
                {
                    match self.follow(other, *at, depth - 1) {
                        LowerBound::Named { name, .. } => LowerBound::Named { name, is_open: false },
                        known => known,
                    }
                }
                Some(Bound::Same(..)) | None => return named(false),
            };
            if found.get_or_insert_with(|| bound.clone()) != &bound {
                return named(false);
            }
        }
        match found {
            Some(bound) if bound == LowerBound::Known(1) || !self.otherwise.contains(&array.key) => bound,
            _ => named(false),
        }
    }

    /// The expression that declares the lower bound of one dimension of an array, and the statement.
    pub fn declared(&self, symbol: SymbolId, dimension: usize) -> Option<(StatementId, &'t Expression)> {
        let (statement, spec) = self.declared.get(&symbol)?;
        Some((*statement, written_lower(spec.dimensions.get(dimension)?)?))
    }
}

/// The lower bound that stands in a dimension of a declaration.
fn written_lower(dimension: &DimensionSpec) -> Option<&Expression> {
    match dimension {
        DimensionSpec::Explicit(lower, _) | DimensionSpec::Colon(lower) | DimensionSpec::Star(lower) => lower.as_ref(),
    }
}

/// The lower bounds that are written behind a name that is allocated or gets a target; `None` if there is nothing.
fn bounds_of(context: ExpressionContext<'_>, copies: &BoundCopies, array: &Reference) -> Option<Vec<Bound>> {
    let bounds = array.parts.last()?.lists.first()?.items.iter().map(|item| match &item.value {
        ArgumentValue::Section(section) => match &section.lower {
            None => Bound::Known(1),
            Some(lower) => written_bound(context, copies, lower),
        },
        _ => Bound::Known(1),
    });
    Some(bounds.collect())
}

/// A lower bound that is written in a statement that allocates.
fn written_bound(context: ExpressionContext<'_>, copies: &BoundCopies, lower: &Expression) -> Bound {
    if let Some(lower) = context.constant(lower) {
        return Bound::Known(lower);
    }
    let copied = Bounded::of_inquiry(context, lower).or_else(|| copies.of(context, lower));
    match copied {
        Some((array, dimension)) => Bound::Same(array, dimension),
        // What one statement allocates by one expression begins at one place.
        None => Bound::Written(format!("{}@{:?}", context.text(lower.span), context.statement)),
    }
}

/// The lower bounds of an array that is allocated like another one.
fn bounds_of_source(context: ExpressionContext<'_>, options: &[(Identifier, Expression)]) -> Option<Vec<Bound>> {
    let is_source = |name: Identifier| matches!(context.tree.names.text(name.name), "source" | "mold");
    let (_, source) = options.iter().find(|(name, _)| is_source(*name))?;
    bounds_of_value(context, source)
}

/// The lower bounds of what gets the value of an array and had none: those of a whole array, else 1; `None` for a
/// scalar, or if it is not known what it is.
fn bounds_of_value(context: ExpressionContext<'_>, value: &Expression) -> Option<Vec<Bound>> {
    let rank = usize::from(context.resolved.rank(context.tree, context.statement, value)?);
    if rank == 0 {
        return None;
    }
    match Bounded::of_whole(context, value) {
        Some(array) => Some((0..rank).map(|dimension| bound_of_whole(context, value, &array, dimension)).collect()),
        None => Some(vec![Bound::Known(1); rank]),
    }
}

/// A lower bound of a whole array.
fn bound_of_whole(context: ExpressionContext<'_>, value: &Expression, array: &Bounded, dimension: usize) -> Bound {
    let ExpressionKind::Reference(reference) = &value.kind else { return Bound::Known(1) };
    let shapes = context.resolved.shapes(context.tree, context.statement, reference);
    let declared = shapes.last().copied().flatten().and_then(|shape| shape.bounds.get(dimension)?.lower);
    declared.map_or_else(|| Bound::Same(array.clone(), dimension), Bound::Known)
}

/// The lower bounds of a pointer that gets a target: those of a whole array, else 1; `None` if they are not known.
fn bounds_of_target(context: ExpressionContext<'_>, target: &Expression) -> Option<Vec<Bound>> {
    let ExpressionKind::Reference(reference) = &target.kind else { return None };
    let classes = context.resolved.classify(context.tree, context.statement, reference);
    if !classes.iter().all(|class| matches!(class, PartClass::Array { .. } | PartClass::Scalar)) {
        return None;
    }
    let rank = usize::from(context.resolved.rank(context.tree, context.statement, target)?);
    let shape = context.resolved.shapes(context.tree, context.statement, reference).last().copied().flatten();
    match reference.parts.last()?.lists.is_empty() {
        true if matches!(classes.last(), Some(PartClass::Array { .. })) => {
            let known = |bounds: &crate::names::Bounds| bounds.lower.map(Bound::Known);
            shape?.bounds.iter().map(known).collect()
        }
        _ => Some(vec![Bound::Known(1); rank]),
    }
}

/// The allocatable variable of its own that the left side of an assignment is, as a whole.
fn allocatable(context: ExpressionContext<'_>, target: &Reference) -> Option<BoundedKey> {
    let symbol = context.resolved.symbol_at(context.statement, target.as_name()?.name)?;
    let of = context.resolved.symbol(symbol);
    (of.is_allocatable && !of.is_dummy && !of.use_associated).then(|| BoundedKey::new(context, target))?
}
