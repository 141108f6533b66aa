//! The lower bounds of arrays that no constant in their declaration gives: those that ALLOCATE statements and pointer assignments of a file
//! give to deferred-shape arrays, and those that are declared by expressions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::reads::ArrayKey;
use super::value::Place;
use crate::flow::canonical;
use crate::names::{PartClass, Resolved, ScopeKind, SymbolId};
use crate::syntax::{
    ArgumentValue, ArraySpec, DimensionSpec, Expression, ExpressionKind, Part, Reference, StatementId, StatementKind,
    Tree,
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
    pub fn of(tree: &'t Tree, resolved: &'t Resolved) -> Self {
        let mut found = LowerBounds::default();
        for (id, statement) in tree.statements.iter_enumerated() {
            let place = Place { tree, resolved, statement: id, paper: false };
            found.note_statement(place, &statement.kind);
            found.note_declarations(place, &statement.kind);
        }
        found
    }

    fn note_statement(&mut self, place: Place<'_>, kind: &StatementKind) {
        match kind {
            StatementKind::Allocate { objects, .. } => {
                for object in objects {
                    let Some(key) = key_of(place, object) else { continue };
                    self.note(key, object.parts.last().and_then(|part| bounds_of(place, part)));
                }
            }
            StatementKind::PointerAssignment { target, value } => {
                let Some(key) = key_of(place, target) else { return };
                let given = target.parts.last().and_then(|part| bounds_of(place, part));
                self.note(key, given.or_else(|| bounds_of_target(place, value)));
            }
            StatementKind::If { action, .. } => self.note_statement(place, &action.kind),
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

    fn note_declarations(&mut self, place: Place<'t>, kind: &'t StatementKind) {
        let scope = place.resolved.scope_of(place.statement);
        // The bounds of components are constants.
        if !matches!(place.resolved.scope_kind(scope), ScopeKind::Unit(_)) {
            return;
        }
        for (entity, spec) in kind.shapes() {
            if spec.dimensions.iter().any(|dimension| written_lower(dimension).is_some())
                && let Some(symbol) = place.resolved.symbol_at(place.statement, entity.name.name)
            {
                self.declared.insert(symbol, (place.statement, spec));
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
fn bounds_of(place: Place<'_>, part: &Part) -> Option<Vec<LowerBound>> {
    let bounds = part.lists.first()?.items.iter().map(|item| match &item.value {
        ArgumentValue::Section(section) => {
            let lower = section.lower.as_ref().map_or(Some(1), |lower| place.constant(lower));
            lower.map_or(LowerBound::Unclear, LowerBound::Known)
        }
        _ => LowerBound::Known(1),
    });
    Some(bounds.collect())
}

/// The lower bounds of a pointer that gets a target: those of a whole array, else 1; `None` if they are not known.
fn bounds_of_target(place: Place<'_>, target: &Expression) -> Option<Vec<LowerBound>> {
    let ExpressionKind::Reference(reference) = &target.kind else { return None };
    let classes = place.resolved.classify(place.tree, place.statement, reference);
    if !classes.iter().all(|class| matches!(class, PartClass::Array { .. } | PartClass::Scalar)) {
        return None;
    }
    let rank = usize::from(place.resolved.rank(place.tree, place.statement, target)?);
    let shape = place.resolved.shapes(place.tree, place.statement, reference).last().copied().flatten();
    match reference.parts.last()?.lists.is_empty() {
        true if matches!(classes.last(), Some(PartClass::Array { .. })) => {
            let known = |bounds: &crate::names::Bounds| bounds.lower.map(LowerBound::Known);
            shape?.bounds.iter().map(known).collect()
        }
        _ => Some(vec![LowerBound::Known(1); rank]),
    }
}

/// The array that a reference is of.
pub fn key_of(place: Place<'_>, reference: &Reference) -> Option<ArrayKey> {
    let first = reference.parts.first()?;
    let symbol = canonical(place.resolved, place.resolved.symbol_at(place.statement, first.name.name)?);
    Some(ArrayKey::of(symbol, &reference.parts))
}
