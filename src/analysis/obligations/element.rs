//! The values of array elements: of the same array, with the same subscripts, and not changed in between, they are the
//! same, whatever they are.

use crate::names::{PartClass, SymbolKind};
use crate::symbolic::{Place, Term, places_of};
use crate::syntax::{Expression, Reference};
use crate::values::ArrayKey;

use super::place::Origin;
use super::point::Point;
use super::state::Element;

impl Point<'_, '_> {
    /// The value of an element of an integer array that only this unit and what it calls change.
    pub(super) fn element(&mut self, reference: &Reference) -> Option<Term> {
        let (array, subscripts) = self.element_of(reference)?;
        let type_ = self.unit.resolved.type_of(self.unit.tree, self.statement, reference)?;
        if !type_.is_integer() || !self.unit.has_own_values(array.symbol) {
            return None;
        }
        let subscripts: Vec<Term> = subscripts.into_iter().map(|subscript| self.integer(subscript)).collect();
        let values = self.state.scalars.get(&array).cloned();
        let element = Element { array, values, subscripts };
        if let Some(known) = self.unit.elements.get(&element) {
            return Some(known.clone());
        }
        let mut behind: Vec<Place> = Vec::new();
        element.values.iter().chain(&element.subscripts).for_each(|term| places_of(term, &mut behind));
        let region = self.innermost(&behind);
        let origin = if element.values.is_none() {
            Origin::Element
        } else {
            let mut reads = Vec::new();
            element.subscripts.iter().for_each(|term| places_of(term, &mut reads));
            Origin::Opaque(self.unit.with_read_behind(reads).into())
        };
        let subscripts: Vec<String> = element.subscripts.iter().map(|term| self.unit.places.text(term)).collect();
        let text = format!("{}({})", self.unit.name_of(&element.array), subscripts.join(","));
        let term = self.unit.places.term(text, region, origin);
        self.unit.elements.insert(element, term.clone());
        Some(term)
    }

    /// The array and the subscripts of a reference to an element of an array that is no pointer and stands in no array
    /// of structures.
    fn element_of<'r>(&self, reference: &'r Reference) -> Option<(ArrayKey, Vec<&'r Expression>)> {
        let (last, before) = reference.parts.split_last()?;
        let [list] = last.lists.as_slice() else { return None };
        let is_plain = before.iter().all(|part| part.lists.is_empty())
            && reference.parts.iter().all(|part| part.image.is_none())
            && matches!(self.classes(reference).last(), Some(PartClass::Array { rank: 1.. }))
            && !self.unit.has_pointer_component(self.statement, reference);
        if !is_plain {
            return None;
        }
        let is_scalar = |subscript: &&Expression| {
            let rank = self.unit.resolved.rank(self.unit.tree, self.statement, subscript);
            rank == Some(0) && self.is_integer(subscript)
        };
        let subscripts =
            list.items.iter().map(|item| item.expression().filter(is_scalar)).collect::<Option<Vec<_>>>()?;
        let array = self.unit.key_of(self.statement, reference)?;
        // What a name in ASSOCIATE stands for changes under its own name, too.
        let is_variable = !matches!(self.unit.resolved.symbol(array.symbol).kind, SymbolKind::AssociateName { .. });
        is_variable.then_some((array, subscripts))
    }
}
