//! The lower bounds of arrays that no constant in their declaration gives: those that ALLOCATE statements and pointer
//! assignments of a file give to deferred-shape arrays, and those that are declared by expressions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::array::ArrayKey;
use super::expression::ExpressionContext;
use crate::names::{PartClass, Resolved, ScopeKind, SymbolId};
use crate::syntax::{
    ArgumentValue, ArraySpec, DimensionSpec, Expression, ExpressionKind, Part, StatementId, StatementKind, Tree,
};

/// What is known of a lower bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LowerBound {
    /// It is this wherever the array is allocated.
    Known(i64),
    /// It differs, or is not constant.
    Unclear,
}

/// The lower bounds that a file gives, by dimension.
#[derive(Debug, Default)]
pub struct LowerBounds<'t> {
    allocated: FxHashMap<ArrayKey, Vec<LowerBound>>,
    /// Arrays that get bounds otherwise, too: from a source, or a target of which they are not known.
    otherwise: FxHashSet<ArrayKey>,
    /// The specification of each array that has expressions for bounds, with the statement.
    declared: FxHashMap<SymbolId, (StatementId, &'t ArraySpec)>,
}

impl<'t> LowerBounds<'t> {
    /// Those of a file.
    pub fn new(tree: &'t Tree, resolved: &'t Resolved) -> Self {
        let mut found = LowerBounds::default();
        for (id, statement) in tree.statements.iter_enumerated() {
            let context = ExpressionContext { tree, resolved, statement: id, paper: false };
            found.note_statement(context, &statement.kind);
            found.note_declarations(context, &statement.kind);
        }
        found
    }

    fn note_statement(&mut self, context: ExpressionContext<'_>, kind: &StatementKind) {
        match kind {
            StatementKind::Allocate { objects, .. } => {
                for object in objects {
                    let Some(key) = context.array_key(object) else { continue };
                    self.note(key, object.parts.last().and_then(|part| bounds_of(context, part)));
                }
            }
            StatementKind::PointerAssignment { target, value } => {
                let Some(key) = context.array_key(target) else { return };
                let given = target.parts.last().and_then(|part| bounds_of(context, part));
                self.note(key, given.or_else(|| bounds_of_target(context, value)));
            }
            StatementKind::If { action, .. } => self.note_statement(context, &action.kind),
            _ => {}
        }
    }

    /// Notes the bounds that an array gets in one place, if they are known.
    fn note(&mut self, key: ArrayKey, bounds: Option<Vec<LowerBound>>) {
        let Some(bounds) = bounds else {
            self.otherwise.insert(key);
            return;
        };
        let known = self.allocated.entry(key).or_insert_with(|| bounds.clone());
        known.resize(known.len().max(bounds.len()), LowerBound::Unclear);
        for (dimension, known) in known.iter_mut().enumerate() {
            if bounds.get(dimension) != Some(known) {
                *known = LowerBound::Unclear;
            }
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

    /// The lower bound of one dimension of an array; `None` if the file does not allocate it.
    pub fn allocated(&self, key: &ArrayKey, dimension: usize) -> Option<LowerBound> {
        let bound = self.allocated.get(key)?.get(dimension).copied()?;
        let is_usual = bound == LowerBound::Known(1) || !self.otherwise.contains(key);
        Some(if is_usual { bound } else { LowerBound::Unclear })
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
fn bounds_of(context: ExpressionContext<'_>, part: &Part) -> Option<Vec<LowerBound>> {
    let bounds = part.lists.first()?.items.iter().map(|item| match &item.value {
        ArgumentValue::Section(section) => {
            let lower = section.lower.as_ref().map_or(Some(1), |lower| context.constant(lower));
            lower.map_or(LowerBound::Unclear, LowerBound::Known)
        }
        _ => LowerBound::Known(1),
    });
    Some(bounds.collect())
}

/// The lower bounds of a pointer that gets a target: those of a whole array, else 1; `None` if they are not known.
fn bounds_of_target(context: ExpressionContext<'_>, target: &Expression) -> Option<Vec<LowerBound>> {
    let ExpressionKind::Reference(reference) = &target.kind else { return None };
    let classes = context.resolved.classify(context.tree, context.statement, reference);
    if !classes.iter().all(|class| matches!(class, PartClass::Array { .. } | PartClass::Scalar)) {
        return None;
    }
    let rank = usize::from(context.resolved.rank(context.tree, context.statement, target)?);
    let shape = context.resolved.shapes(context.tree, context.statement, reference).last().copied().flatten();
    match reference.parts.last()?.lists.is_empty() {
        true if matches!(classes.last(), Some(PartClass::Array { .. })) => {
            let known = |bounds: &crate::names::Bounds| bounds.lower.map(LowerBound::Known);
            shape?.bounds.iter().map(known).collect()
        }
        _ => Some(vec![LowerBound::Known(1); rank]),
    }
}
