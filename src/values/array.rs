//! Arrays by the names that lead to them.

use crate::names::SymbolId;
use crate::syntax::{Name, Part};

/// An array: a name, perhaps with the components that lead to it (`d%y`).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayKey {
    /// The first name.
    pub symbol: SymbolId,
    /// The components behind it.
    pub components: Vec<Name>,
}

impl ArrayKey {
    /// The array of a reference with these parts, the first of which means a symbol.
    pub fn new(symbol: SymbolId, parts: &[Part]) -> Self {
        ArrayKey { symbol, components: parts.iter().skip(1).map(|part| part.name.name).collect() }
    }
}
