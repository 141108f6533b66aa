//! The lower bounds that ALLOCATE statements and pointer assignments of a file give to deferred-shape arrays.

use std::collections::{HashMap, HashSet};

use super::reads::ArrayKey;
use super::value::Place;
use crate::flow::canonical;
use crate::names::Resolved;
use crate::syntax::{ArgumentValue, Reference, StatementKind, Tree};

/// What is known of a lower bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LowerBound {
    /// It is this wherever the array is allocated.
    Known(i64),
    /// It differs, or is not constant.
    Unclear,
}

/// The lower bounds of the arrays that a file allocates, by dimension.
#[derive(Debug, Default)]
pub struct Allocated {
    bounds: HashMap<ArrayKey, Vec<LowerBound>>,
    /// Arrays that get bounds otherwise, too: from a source or target.
    otherwise: HashSet<ArrayKey>,
}

impl Allocated {
    /// Those of a file.
    pub fn of(tree: &Tree, resolved: &Resolved) -> Self {
        let mut found = Allocated::default();
        for (statement, id) in tree.statements.iter().zip(0..) {
            let place = Place { tree, resolved, statement: id, paper: false };
            found.note_statement(place, &statement.kind);
        }
        found
    }

    fn note_statement(&mut self, place: Place<'_>, kind: &StatementKind) {
        match kind {
            StatementKind::Allocate { objects, .. } => objects.iter().for_each(|object| self.note(place, object)),
            StatementKind::PointerAssignment { target, .. } => self.note(place, target),
            StatementKind::If { action, .. } => self.note_statement(place, &action.kind),
            _ => {}
        }
    }

    fn note(&mut self, place: Place<'_>, object: &Reference) {
        let Some(key) = key_of(place, object) else { return };
        let Some(list) = object.parts.last().and_then(|part| part.lists.first()) else {
            self.otherwise.insert(key);
            return;
        };
        let bounds = list.items.iter().map(|item| match &item.value {
            ArgumentValue::Section(section) => {
                let lower = section.lower.as_ref().map_or(Some(1), |lower| place.constant(lower));
                lower.map_or(LowerBound::Unclear, LowerBound::Known)
            }
            _ => LowerBound::Known(1),
        });
        let bounds: Vec<LowerBound> = bounds.collect();
        let known = self.bounds.entry(key).or_insert_with(|| bounds.clone());
        known.resize(known.len().max(bounds.len()), LowerBound::Unclear);
        for (dimension, known) in known.iter_mut().enumerate() {
            if bounds.get(dimension) != Some(known) {
                *known = LowerBound::Unclear;
            }
        }
    }

    /// The lower bound of one dimension of an array; `None` if the file does not allocate it.
    pub fn lower_bound(&self, key: &ArrayKey, dimension: usize) -> Option<LowerBound> {
        let bound = self.bounds.get(key)?.get(dimension).copied()?;
        let is_usual = bound == LowerBound::Known(1) || !self.otherwise.contains(key);
        Some(if is_usual { bound } else { LowerBound::Unclear })
    }
}

/// The array that a reference is of.
pub fn key_of(place: Place<'_>, reference: &Reference) -> Option<ArrayKey> {
    let first = reference.parts.first()?;
    let symbol = canonical(place.resolved, place.resolved.symbol_at(place.statement, first.name.name)?);
    Some(ArrayKey::of(symbol, &reference.parts))
}
