//! Types of what is given to a procedure, down to components of intrinsic types.

use crate::analysis::preconditions::{Type, type_of};
use crate::names::{Resolved, Shape, SymbolId, SymbolType};

/// A type with what a schema says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataType {
    /// The type of an element.
    pub base: BaseType,
    /// Of each dimension the extent, where that is constant.
    pub extents: Vec<Option<i64>>,
}

/// The type of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseType {
    /// An intrinsic type.
    Intrinsic(Type),
    /// A derived type with these components.
    Object(Vec<(String, DataType)>),
}

/// Components of components of … are followed no deeper: a type may hold itself.
const DEEPEST: u8 = 6;

impl DataType {
    /// The type of a variable.
    pub fn of_variable(resolved: &Resolved, symbol: SymbolId) -> Self {
        let of = resolved.symbol(symbol);
        DataType::new(resolved, of.type_, of.shape.as_ref(), 0)
    }

    fn new(resolved: &Resolved, type_: Option<SymbolType>, shape: Option<&Shape>, depth: u8) -> Self {
        let rank = shape.map_or(0, |shape| usize::from(shape.rank));
        let extent = |at: usize| {
            let bounds = shape?.bounds.get(at)?;
            Some((bounds.upper?.checked_sub(bounds.lower?)?.checked_add(1)?).max(0))
        };
        let derived = type_.and_then(|type_| type_.derived()).filter(|_| depth < DEEPEST);
        let base = match derived.and_then(|id| resolved.derived_type(id)) {
            Some(table) => {
                let component = |component: &crate::names::Component| {
                    let type_ = DataType::new(resolved, component.type_, component.shape.as_ref(), depth + 1);
                    (component.name.clone(), type_)
                };
                BaseType::Object(table.components.iter().filter(|one| !one.is_procedure).map(component).collect())
            }
            None => BaseType::Intrinsic(type_.map_or(Type::Other, type_of)),
        };
        DataType { base, extents: (0..rank).map(extent).collect() }
    }
}
