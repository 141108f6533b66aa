//! What a called procedure takes for granted, as demands of the statement that calls it.

use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use crate::diagnostics::Rule;
use crate::names::{BaseType, SymbolType};
use crate::symbolic::{Condition, Place, Term, constant, place_term, substitute};
use crate::syntax::{Expression, ExpressionKind, Reference};
use crate::values::ArrayKey;

use super::demand::{Demand, Subject};
use super::place::{Aspect, Entry, Origin, PlaceInfo, Root};
use super::point::Point;
use super::summary::Procedure;

/// The terms of a caller that the places of a procedure stand for in one call.
pub struct Binding<'c> {
    callee: &'c Procedure,
    /// The actual argument of each dummy argument.
    actual: Vec<Option<&'c Expression>>,
    terms: FxHashMap<Place, Term>,
}

impl<'c> Binding<'c> {
    /// The binding of a call's arguments.
    pub fn new(point: &Point<'_, '_>, callee: &'c Procedure, reference: &'c Reference) -> Self {
        let names = &point.unit.tree.names;
        let mut actual = vec![None; callee.dummies.len()];
        for (position, argument) in reference.arguments().enumerate() {
            let dummies = callee.dummies.iter().map(|dummy| dummy.name.as_str());
            if let Some(at) = argument.dummy(position, dummies, names)
                && let Some(slot) = actual.get_mut(at)
            {
                *slot = argument.expression();
            }
        }
        Binding { callee, actual, terms: FxHashMap::default() }
    }

    /// The actual argument of a dummy argument.
    pub fn actual(&self, dummy: usize) -> Option<&'c Expression> {
        self.actual.get(dummy).copied().flatten()
    }

    /// A term of the procedure in the caller's terms.
    pub fn term(&mut self, point: &mut Point<'_, '_>, term: &Term) -> Option<Term> {
        let mut places = Vec::new();
        crate::symbolic::places_of(term, &mut places);
        self.bind(point, places)?;
        substitute(term, &|place| self.terms.get(&place).cloned())
    }

    /// A condition of the procedure in the caller's terms.
    pub fn condition(&mut self, point: &mut Point<'_, '_>, condition: &Condition) -> Option<Condition> {
        let mut places = Vec::new();
        condition.places(&mut places);
        self.bind(point, places)?;
        condition.substitute(&|place| self.terms.get(&place).cloned())
    }

    fn bind(&mut self, point: &mut Point<'_, '_>, places: Vec<Place>) -> Option<()> {
        let mut pending = places;
        let mut copied: Vec<(Place, Place)> = Vec::new();
        while let Some(place) = pending.pop() {
            if self.terms.contains_key(&place) {
                continue;
            }
            let info = self.callee.places.get(place.0 as usize)?;
            let known = match &info.origin {
                Origin::Entry(entry) => self.entry(point, entry),
                Origin::Element | Origin::Counted | Origin::Joined | Origin::Opaque(_) | Origin::Data(_) => None,
            };
            let term = match known {
                Some(term) => term,
                None => {
                    let origin = match &info.origin {
                        Origin::Entry(_) | Origin::Element | Origin::Opaque(_) | Origin::Data(_) => {
                            Origin::Opaque(ThinVec::new())
                        }
                        origin @ (Origin::Counted | Origin::Joined) => origin.clone(),
                    };
                    let region = point.region();
                    let copy = PlaceInfo { text: info.text.clone(), region, origin, definition: None };
                    let copy = point.unit.places.add(copy);
                    if let Some(definition) = &info.definition {
                        definition.places(&mut pending);
                    }
                    copied.push((place, copy));
                    place_term(copy)
                }
            };
            self.terms.insert(place, term);
        }
        for (place, copy) in copied {
            if let Some(definition) = &self.callee.places[place.0 as usize].definition {
                let definition = definition.substitute(&|place| self.terms.get(&place).cloned())?;
                point.unit.places.define(copy, definition);
            }
        }
        Some(())
    }

    /// What a value on entry of the procedure is in the caller.
    fn entry(&self, point: &mut Point<'_, '_>, entry: &Entry) -> Option<Term> {
        match &entry.root {
            Root::Local => None,
            Root::Global(name) => point.unit.global(point.state, name, &entry.components, entry.aspect),
            Root::Dummy(at) => match entry.aspect {
                Aspect::Present => self.present(point, *at),
                Aspect::Value if entry.components.is_empty() => value(point, self.actual(*at)?),
                Aspect::Value | Aspect::Extent(_) | Aspect::Lower(_) if !entry.components.is_empty() => {
                    self.component(point, *at, entry)
                }
                Aspect::Extent(dimension) => point.shape(self.actual(*at)?)?.get(dimension).cloned(),
                Aspect::Lower(dimension) => Some(point.whole_array(self.actual(*at)?)?.get(dimension)?.lower.clone()),
                Aspect::Value => None,
            },
        }
    }

    fn present(&self, point: &mut Point<'_, '_>, at: usize) -> Option<Term> {
        let Some(actual) = self.actual(at) else { return Some(constant(0)) };
        if let ExpressionKind::Reference(reference) = &actual.kind
            && let Some(symbol) = point.symbol(reference)
            && reference.as_name().is_some()
        {
            let of = point.unit.resolved.symbol(symbol);
            if of.is_optional {
                let key = ArrayKey { symbol, components: Vec::new() };
                return Some(place_term(point.unit.entry_place(&key, Aspect::Present)));
            }
            // One that is not allocated is absent.
            if of.is_allocatable || of.is_pointer {
                return None;
            }
        }
        Some(constant(1))
    }

    /// What a component of an argument is.
    fn component(&self, point: &mut Point<'_, '_>, at: usize, entry: &Entry) -> Option<Term> {
        let ExpressionKind::Reference(reference) = &self.actual(at)?.kind else { return None };
        if reference.parts.iter().any(|part| !part.lists.is_empty()) {
            return None;
        }
        let symbol = crate::flow::canonical(point.unit.resolved, point.symbol(reference)?);
        let mut key = ArrayKey::new(symbol, &reference.parts);
        for component in &entry.components {
            key.components.push(point.unit.tree.names.get(component)?);
        }
        match entry.aspect {
            Aspect::Value => point.unit.value(point.state, &key),
            Aspect::Extent(dimension) => point.unit.known_dimensions(point.state, &key)?.get(dimension)?.extent.clone(),
            Aspect::Lower(dimension) => {
                Some(point.unit.known_dimensions(point.state, &key)?.get(dimension)?.lower.clone())
            }
            Aspect::Present => None,
        }
    }
}

/// The value of an actual argument, or its truth value.
fn value(point: &mut Point<'_, '_>, actual: &Expression) -> Option<Term> {
    if point.is_integer(actual) {
        return Some(point.integer(actual));
    }
    let is_logical = match &actual.kind {
        ExpressionKind::Reference(reference) => {
            let type_ = point.unit.resolved.type_of(point.unit.tree, point.statement, reference);
            type_.is_some_and(|type_| type_.base == BaseType::Logical)
        }
        ExpressionKind::Literal(_) | ExpressionKind::Binary(_) | ExpressionKind::Unary(..) => true,
        _ => false,
    };
    is_logical.then(|| point.truth(actual))
}

/// What the procedures that a statement calls take for granted, as demands under a rule.
pub fn callee_demands(point: &mut Point<'_, '_>, rule: &'static Rule) -> Vec<Demand> {
    let mut found = Vec::new();
    let statement = point.statement;
    for (reference, symbol) in point.unit.called(statement) {
        let Some(callee) = symbol.and_then(|symbol| point.unit.callees.callee(statement, symbol, reference)) else {
            continue;
        };
        if callee.assumptions.is_empty() {
            continue;
        }
        let here = point.unit.tree.source.texts.root().path.clone();
        let mut binding = Binding::new(point, &callee, reference);
        for assumption in callee.assumptions.iter().filter(|assumption| assumption.is_exact) {
            let guard = binding.condition(point, &assumption.guard);
            let condition = binding.condition(point, &assumption.condition);
            let (Some(guard), Some(condition)) = (guard, condition) else { continue };
            let span = reference.parts[0].name.span;
            let file = (assumption.file != here).then(|| assumption.file.clone());
            let procedure = callee.name.clone();
            let subject = Subject::Callee { procedure, file, line: assumption.line, text: assumption.all_texts() };
            found.push(Demand { rule, span, guard, condition, regions: Vec::new(), subject });
        }
    }
    found
}

/// Finds out which of the equalities that called procedures need hold where they are called.
pub fn note_equalities(point: &mut Point<'_, '_>) {
    let statement = point.statement;
    for (reference, symbol) in point.unit.called(statement) {
        let Some(symbol) = symbol else { continue };
        let Some(callee) = point.unit.callees.callee(statement, symbol, reference) else { continue };
        if callee.equalities.is_empty() {
            continue;
        }
        let mut binding = Binding::new(point, &callee, reference);
        let mut holding = Vec::new();
        for equality in &callee.equalities {
            let condition = binding.condition(point, equality);
            holding.push(condition.is_some_and(|condition| {
                let unequal = point.unit.with_known([point.reached.clone(), condition.not()], true);
                point.unit.solver.is_impossible(&unequal)
            }));
        }
        point.unit.callees.note_call(symbol, &holding);
    }
}

/// The extents of the result of a function that is called.
pub fn result_shape(point: &mut Point<'_, '_>, reference: &Reference) -> Option<Vec<Term>> {
    let symbol = point.symbol(reference)?;
    let callee = point.unit.callees.callee(point.statement, symbol, reference)?;
    let mut binding = Binding::new(point, &callee, reference);
    let extents = callee.result.as_ref()?;
    extents.iter().map(|extent| binding.term(point, extent)).collect()
}

/// Whether the elements of an array that is handed over take another number of storage units than those of the dummy
/// argument, as where complex numbers become pairs of real ones: then elements can't be counted against each other.
fn has_other_elements(point: &Point<'_, '_>, dummy: Option<SymbolType>, actual: &Expression) -> bool {
    let ExpressionKind::Reference(reference) = &actual.kind else { return false };
    let Some(actual) = point.unit.resolved.type_of(point.unit.tree, point.statement, reference) else { return false };
    let Some(dummy) = dummy else { return false };
    if dummy.is_character() || actual.is_character() {
        return dummy.is_character() != actual.is_character() || dummy.length != actual.length;
    }
    matches!((dummy.bytes(), actual.bytes()), (Some(one), Some(other)) if one != other)
}

/// Whether an array stands on other storage (EQUIVALENCE, a Cray pointer): its extents don't say how much there is.
fn is_overlaid(point: &Point<'_, '_>, actual: &Expression) -> bool {
    let ExpressionKind::Reference(reference) = &actual.kind else { return false };
    point.symbol(reference).is_some_and(|symbol| point.unit.resolved.symbol(symbol).equivalenced)
}

/// The dummy arguments of explicit shape that a call has, each with its name, its actual argument and its extents,
/// which are negative where the bounds are that far apart; of an assumed size the last is `None`.
pub fn explicit_arguments<'a>(
    point: &mut Point<'_, '_>,
    reference: &'a Reference,
) -> Vec<(String, &'a Expression, Vec<Option<Term>>)> {
    let mut found = Vec::new();
    let Some(symbol) = (match reference.parts.as_slice() {
        [_] => point.symbol(reference),
        _ => None,
    }) else {
        return found;
    };
    let Some(callee) = point.unit.callees.callee(point.statement, symbol, reference) else { return found };
    for (position, argument) in reference.arguments().enumerate() {
        let names = callee.dummies.iter().map(|dummy| dummy.name.as_str());
        let Some(at) = argument.dummy(position, names, &point.unit.tree.names) else { continue };
        let (Some(dummy), Some(actual)) = (callee.dummies.get(at), argument.expression()) else { continue };
        let Some(dimensions) = dummy.dimensions.as_ref().filter(|_| dummy.is_explicit) else { continue };
        if has_other_elements(point, dummy.type_, actual) || is_overlaid(point, actual) {
            continue;
        }
        let mut binding = Binding::new(point, &callee, reference);
        // Without an upper bound the storage that is there is all that is wanted.
        let extents = dimensions.iter().map(|dimension| binding.term(point, &dimension.distance()?));
        found.push((dummy.name.clone(), actual, extents.collect()));
    }
    found
}
