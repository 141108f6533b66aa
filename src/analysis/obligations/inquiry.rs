//! What inquiry functions give: extents and bounds of arrays.

use crate::intrinsics::Intrinsic;
use crate::symbolic::{Condition, Term, constant, places_of, product, sum};
use crate::syntax::ArgumentList;

use super::place::Origin;
use super::point::Point;
use super::state::Dimension;

impl Point<'_, '_> {
    /// SIZE, LBOUND and UBOUND that are scalars.
    pub(super) fn inquiry(&mut self, function: &Intrinsic, list: &ArgumentList) -> Option<Term> {
        let names = &self.unit.tree.names;
        let array = function.argument("array", list, names)?;
        let dimension = match function.argument("dim", list, names) {
            None if function.name == "size" => None,
            None => return None,
            Some(dimension) => Some(usize::try_from(self.context().constant(dimension)?).ok()?.checked_sub(1)?),
        };
        let whole = self.whole_array(array);
        match (function.name, dimension) {
            ("size", None) => {
                let extents = self.shape(array)?;
                extents.iter().try_fold(constant(1), |product_so_far, extent| product(&product_so_far, extent))
            }
            ("size", Some(dimension)) => match whole {
                // The shape of an assumed-size array is not known, but that of its leading dimensions is.
                Some(dimensions) => dimensions.get(dimension)?.extent.clone(),
                None => self.shape(array)?.get(dimension).cloned(),
            },
            (name, Some(dimension)) => {
                let is_lower = name == "lbound";
                match whole {
                    Some(dimensions) => {
                        let text = format!("{name}({},{})", self.text(array.span), dimension + 1);
                        self.inquired_bound(dimensions.get(dimension)?, is_lower, text)
                    }
                    None => self
                        .shape(array)?
                        .get(dimension)
                        .map(|extent| if is_lower { constant(1) } else { extent.clone() }),
                }
            }
            (_, None) => None,
        }
    }

    /// What LBOUND or UBOUND gives of a dimension of a whole array: the bound, but 1 or 0 if the dimension has no
    /// extent (Fortran 2023, 16.9.119 and 16.9.213).
    fn inquired_bound(&mut self, dimension: &Dimension, is_lower: bool, text: String) -> Option<Term> {
        let Dimension { lower, extent, .. } = dimension;
        // Of one of assumed size there is always something.
        let Some(extent) = extent else { return is_lower.then(|| lower.clone()) };
        let bound = if is_lower { lower.clone() } else { sum(lower, extent)?.checked_add_constant(-1)? };
        if lower.as_constant() == Some(1) || extent.as_constant().is_some_and(|extent| extent > 0) {
            return Some(bound);
        }
        let of_nothing = constant(i64::from(is_lower));
        let mut places = Vec::new();
        places_of(&bound, &mut places);
        let region = self.innermost(&places);
        Some(self.unit.inquired_bound((region, bound.clone(), of_nothing.clone()), |unit| {
            let term = unit.places.term(text, region, Origin::Joined);
            let one = constant(1);
            let some = [Condition::at_most(&one, extent), Condition::equal(&term, &bound)];
            let none = [Condition::less(extent, &one), Condition::equal(&term, &of_nothing)];
            let all = |parts: [Option<Condition>; 2]| Condition::all(parts.into_iter().flatten());
            (term, Condition::any([all(some), all(none)]))
        }))
    }
}
