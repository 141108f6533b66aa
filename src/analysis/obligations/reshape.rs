//! Statements that give arrays other shapes: ALLOCATE, pointer assignment, ASSOCIATE, BLOCK, `move_alloc`, and what
//! assignment to an allocatable array does.

use crate::flow::canonical;
use crate::names::ScopeKind;
use crate::symbolic::{Term, constant};
use crate::syntax::{Argument, ArgumentValue, Expression, Identifier, Reference, StatementId, StatementKind};
use crate::values::ArrayKey;

use super::place::Origin;
use super::point::Point;
use super::state::{Dimension, Dimensions, State};
use super::step::{Place, argument_reference};
use super::unit::{Unit, dimensions_of_extents, explicit_dimension, extent_between, from_extent};

impl<'t> Unit<'t> {
    pub(super) fn is_allocatable(&self, id: StatementId, reference: &Reference) -> bool {
        let [part] = reference.parts.as_slice() else {
            return self.component_properties(id, reference).is_some_and(|properties| properties.allocatable);
        };
        let symbol = self.resolved.symbol_at(id, part.name.name);
        // An associate name has not the ALLOCATABLE attribute of what it stands for (11.1.3.3).
        symbol.is_some_and(|symbol| self.resolved.symbol(symbol).is_allocatable)
    }

    /// The array that a statement assigns as a whole, with what it is assigned, if that may give it another shape: it
    /// is allocatable, and no structure.
    pub(super) fn assigned_array(
        &self,
        id: StatementId,
        kind: &'t StatementKind,
    ) -> Option<(&'t Reference, &'t Expression)> {
        let StatementKind::Assignment { target, value } = kind else { return None };
        let is_whole = target.parts.last().is_some_and(|part| part.lists.is_empty());
        let is_reshaped = is_whole && self.is_allocatable(id, target) && !self.is_structure(id, target);
        is_reshaped.then_some((target, value))
    }

    /// Gives arrays that are assigned as wholes at some positions shapes that are not known, those left out that keep
    /// theirs: what is assigned is a scalar, or has the same shape as long as the others keep theirs.
    pub(super) fn havoc_assigned(&mut self, before: &State, state: &mut State, places: &[Place<'_>]) {
        let flow = self.flow;
        let mut kept: Vec<_> = places
            .iter()
            .filter_map(|at| {
                let id = flow.statements[at.position];
                Some((at, self.assigned_array(id, self.tree.statements[id].kind.executed())?))
            })
            .collect();
        loop {
            let count = kept.len();
            let mut still = Vec::with_capacity(count);
            for (at, (target, value)) in kept {
                if self.keeps_shape(state, at, target, value) {
                    still.push((at, (target, value)));
                } else {
                    self.havoc_shape(before, state, at, target);
                }
            }
            if still.len() == count {
                return;
            }
            kept = still;
        }
    }

    /// Whether an allocatable array has the shape of what it is assigned, so that it is not allocated anew (10.2.1.3).
    fn keeps_shape(&mut self, state: &State, at: &Place<'_>, target: &'t Reference, value: &'t Expression) -> bool {
        let mut point = self.point(state, at, self.flow.statements[at.position]);
        let Some(shape) = point.shape(value) else { return false };
        let same = |old: Dimensions| {
            old.len() == shape.len() && old.iter().zip(&shape).all(|(old, new)| old.extent.as_ref() == Some(new))
        };
        shape.is_empty() || point.dimensions(target).is_some_and(same)
    }

    /// Whether a component on the way of a reference is a pointer, or may be one.
    pub(super) fn has_pointer_component(&self, id: StatementId, reference: &Reference) -> bool {
        (2..=reference.parts.len()).any(|count| {
            let to_component = Reference { parts: reference.parts[..count].iter().cloned().collect() };
            self.component_properties(id, &to_component).is_none_or(|properties| properties.pointer)
        })
    }

    fn component_properties(&self, id: StatementId, reference: &Reference) -> Option<crate::names::Properties> {
        let (last, before) = reference.parts.split_last()?;
        let owner = Reference { parts: before.iter().cloned().collect() };
        let type_ = self.resolved.type_of(self.tree, id, &owner)?.derived()?;
        Some(self.resolved.component(type_, self.tree.names.text(last.name.name))?.properties)
    }

    /// The dimensions of an allocatable array that was assigned an array: the lower bounds stay if the shape does, else
    /// they are those of a whole array, or 1.
    pub(super) fn reallocated(
        &mut self,
        old: Option<Dimensions>,
        whole: Option<Dimensions>,
        extents: Vec<Term>,
        at: &Place<'_>,
    ) -> Option<Dimensions> {
        let old = old.filter(|old| old.len() == extents.len());
        let region = at.chain.last().copied().unwrap_or_default();
        let made = extents.into_iter().enumerate().map(|(dimension, extent)| {
            let new_lower = whole.as_ref().and_then(|whole| whole.get(dimension)).map(|of| of.lower.clone());
            let new_lower = new_lower.unwrap_or_else(|| constant(1));
            let lower = match old.as_ref().map(|old| &old[dimension].lower) {
                Some(lower) if *lower == new_lower => new_lower,
                _ => self.places.term("lbound", region, Origin::Joined),
            };
            from_extent(lower, extent)
        });
        made.collect()
    }

    pub(super) fn allocate(
        &mut self,
        before: &State,
        state: &mut State,
        at: &Place<'_>,
        id: StatementId,
        object: &'t Reference,
        options: &'t [(Identifier, Expression)],
    ) {
        let Some(key) = self.key_of(id, object) else { return };
        let Some(last) = object.parts.last() else { return };
        let names = &self.tree.names;
        let model = options
            .iter()
            .find(|(name, _)| matches!(names.text(name.name), "source" | "mold"))
            .map(|(_, expression)| expression);
        let mut point = self.point(before, at, id);
        let made = match (last.lists.first(), model) {
            (Some(list), _) => allocated_bounds(&mut point, &list.items),
            (None, Some(model)) => match point.whole_array(model) {
                Some(dimensions) => Some(dimensions),
                None => point.shape(model).and_then(dimensions_of_extents),
            },
            (None, None) => None,
        };
        // Its components have been looked at before it was there.
        self.forget_components(state, &key);
        state.arrays.insert(key, made);
    }

    pub(super) fn point_to(
        &mut self,
        before: &State,
        state: &mut State,
        at: &Place<'_>,
        id: StatementId,
        target: &'t Reference,
        value: &'t Expression,
    ) {
        let Some(key) = self.key_of(id, target) else { return };
        let Some(last) = target.parts.last() else { return };
        let mut point = self.point(before, at, id);
        let whole = point.whole_array(value);
        let extents = match &whole {
            Some(whole) => whole.iter().map(|dimension| dimension.extent.clone()).collect(),
            None => point.shape(value),
        };
        let made = match last.lists.first() {
            None => match whole {
                Some(whole) => Some(whole),
                None => extents.and_then(dimensions_of_extents),
            },
            Some(list) => pointer_bounds(&mut point, &list.items, extents),
        };
        self.forget_components(state, &key);
        state.arrays.insert(key, made);
    }

    pub(super) fn associate(
        &mut self,
        before: &State,
        state: &mut State,
        at: &Place<'_>,
        id: StatementId,
        kind: &'t StatementKind,
    ) {
        let StatementKind::Associate(associations) = kind else { return };
        for association in associations {
            let Some(symbol) = self.resolved.symbol_at(id + 1, association.name.name) else { continue };
            if canonical(self.resolved, symbol) != symbol {
                continue;
            }
            let key = ArrayKey { symbol, components: Vec::new() };
            let is_array = self.resolved.symbol(symbol).shape.is_some();
            let selector = &association.selector;
            let mut point = self.point(before, at, id);
            if is_array {
                let made = match point.whole_array(selector) {
                    Some(whole) => Some(whole),
                    None => point.shape(selector).and_then(dimensions_of_extents),
                };
                state.arrays.insert(key, made);
            } else if point.is_integer(selector) {
                let value = point.integer(selector);
                state.scalars.insert(key, value);
            }
        }
    }

    /// The arrays of a BLOCK construct.
    pub(super) fn declare_in_block(&mut self, before: &State, state: &mut State, id: StatementId) {
        let scope = self.resolved.scope_of(id + 1);
        if !matches!(self.resolved.scope_kind(scope), ScopeKind::Block(_)) {
            return;
        }
        let declared = self.declared;
        let mut arrays: Vec<_> =
            declared.specs().filter(|(symbol, ..)| self.resolved.symbol(*symbol).scope == scope).collect();
        arrays.sort_by_key(|(symbol, ..)| *symbol);
        for (symbol, statement, spec) in arrays {
            let of = self.resolved.symbol(symbol);
            if of.is_allocatable || of.is_pointer {
                continue;
            }
            let key = ArrayKey { symbol, components: Vec::new() };
            let made = self.declared_dimensions(before, statement, spec, &key, false);
            state.arrays.insert(key, made);
        }
    }

    /// `call move_alloc(from, to)`.
    pub(super) fn move_allocation(
        &mut self,
        before: &State,
        state: &mut State,
        id: StatementId,
        procedure: &'t Reference,
    ) {
        let [part] = procedure.parts.as_slice() else { return };
        if self.tree.names.text(part.name.name) != "move_alloc" {
            return;
        }
        let arguments: Vec<&Reference> =
            part.lists.iter().flat_map(|list| &list.items).filter_map(argument_reference).collect();
        let [from, to, ..] = arguments.as_slice() else { return };
        let (Some(from_key), Some(to_key)) = (self.key_of(id, from), self.key_of(id, to)) else { return };
        let Some(symbol) = self.resolved.symbol_at(id, from.parts[0].name.name) else { return };
        let symbol = canonical(self.resolved, symbol);
        let moved = self.dimensions(before, id, symbol, from);
        state.arrays.insert(to_key, moved);
        state.arrays.insert(from_key, None);
    }
}

/// The bounds in an ALLOCATE statement.
pub fn allocated_bounds(point: &mut Point<'_, '_>, items: &[Argument]) -> Option<Dimensions> {
    let mut dimensions = Vec::with_capacity(items.len());
    for item in items {
        let (lower, upper) = match &item.value {
            ArgumentValue::Expression(upper) => (constant(1), point.integer(upper)),
            ArgumentValue::Section(section) => {
                let lower = section.lower.as_ref().map_or(constant(1), |lower| point.integer(lower));
                (lower, point.integer(section.upper.as_ref()?))
            }
            ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted | ArgumentValue::Multiple(_) => return None,
        };
        dimensions.push(explicit_dimension(lower, upper)?);
    }
    Some(dimensions.into())
}

/// The bounds in a pointer assignment, of a target with these extents.
fn pointer_bounds(point: &mut Point<'_, '_>, items: &[Argument], extents: Option<Vec<Term>>) -> Option<Dimensions> {
    let mut dimensions = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let ArgumentValue::Section(section) = &item.value else { return None };
        let lower = section.lower.as_ref().map_or(constant(1), |lower| point.integer(lower));
        dimensions.push(match &section.upper {
            Some(upper) => {
                let upper = point.integer(upper);
                let extent = extent_between(&lower, &upper)?;
                Dimension { lower, upper: Some(upper), extent: Some(extent) }
            }
            None => from_extent(lower, extents.as_ref()?.get(at)?.clone())?,
        });
    }
    Some(dimensions.into())
}
