//! Variables of which it is left open whether they change: they are passed to procedures that need this one in turn.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::SymbolId;

/// An argument of an external procedure: its lower-case name, and the position of the dummy argument.
pub type ExternalArgument = (String, usize);

/// Of variables that change why: surely, or only if external procedures that need the unit in turn change what they
/// get.
#[derive(Default)]
pub struct Reasons {
    /// Those that may change for another reason than that.
    certain: FxHashSet<SymbolId>,
    /// The arguments by which each is passed to such procedures.
    passed_to: FxHashMap<SymbolId, Vec<ExternalArgument>>,
}

impl Reasons {
    /// Notes that a variable may change for another reason.
    pub fn add_certain(&mut self, symbol: SymbolId) {
        self.certain.insert(symbol);
    }

    /// Notes that a variable is passed to such a procedure.
    pub fn add_passed(&mut self, symbol: SymbolId, to: ExternalArgument) {
        self.passed_to.entry(symbol).or_default().push(to);
    }

    /// The arguments by which those variables are passed on that may change for no other reason.
    pub fn passed_only(mut self) -> FxHashMap<SymbolId, Vec<ExternalArgument>> {
        self.passed_to.retain(|symbol, _| !self.certain.contains(symbol));
        self.passed_to
    }
}
