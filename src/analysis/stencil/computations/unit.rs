//! A program unit whose computations are sought.

use std::collections::BTreeMap;

use super::function::Functions;
use crate::flow::FlowPosition;
use crate::names::SymbolId;
use crate::values::ValueContext;

/// What the search for roots works on.
pub struct UnitContext<'t> {
    /// The unit with the values of its scalars.
    pub values: ValueContext<'t>,
    /// For each statement that was not understood, by its position, the symbols of the names in its text.
    pub names_in_unparsed: &'t BTreeMap<FlowPosition, Vec<SymbolId>>,
    /// The functions that can be referenced.
    pub functions: &'t Functions<'t>,
}
