//! A program unit whose computations are sought.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::function::Functions;
use crate::flow::FlowPosition;
use crate::names::SymbolId;
use crate::values::ValueContext;

/// References to functions and associate names that are replaced in one unit; beyond, they stay what they are.
const INLINED: usize = 1 << 14;

/// What the search for roots works on.
pub struct UnitContext<'t> {
    /// The unit with the values of its scalars.
    pub values: ValueContext<'t>,
    /// For each statement that was not understood, by its position, the symbols of the names in its text.
    pub names_in_unparsed: &'t BTreeMap<FlowPosition, Vec<SymbolId>>,
    /// The functions that can be referenced.
    pub functions: &'t Functions<'t>,
    /// Number of references that were replaced by what they stand for.
    inlined: Cell<usize>,
}

impl<'t> UnitContext<'t> {
    /// A unit of which nothing was asked yet.
    pub fn new(
        values: ValueContext<'t>,
        names_in_unparsed: &'t BTreeMap<FlowPosition, Vec<SymbolId>>,
        functions: &'t Functions<'t>,
    ) -> Self {
        UnitContext { values, names_in_unparsed, functions, inlined: Cell::new(0) }
    }

    /// Whether one more reference to a function or associate name may be replaced by what it stands for; counts it.
    pub fn may_inline(&self) -> bool {
        let inlined = self.inlined.get() + 1;
        self.inlined.set(inlined);
        inlined <= INLINED
    }
}
