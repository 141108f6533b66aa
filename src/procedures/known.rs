//! What is known of procedures where they are referenced, beside what their declarations say.

use crate::names::SymbolId;
use crate::syntax::Intent;

/// What a subroutine does to a scalar that it gets for an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentEffect {
    /// Whether it may change it.
    pub changes: bool,
    /// Whether it has another value afterwards for sure, or none.
    pub kills: bool,
    /// Whether its value may be read.
    pub reads: bool,
}

impl ArgumentEffect {
    /// Of a dummy argument with this intent.
    pub fn of_intent(intent: Option<Intent>) -> Self {
        match intent {
            Some(Intent::In) => ArgumentEffect { changes: false, kills: false, reads: true },
            Some(Intent::Out) => ArgumentEffect { changes: true, kills: true, reads: false },
            Some(Intent::InOut) | None => ArgumentEffect { changes: true, kills: false, reads: true },
        }
    }
}

/// The dummy arguments of a subroutine by their lower-case names, each with what is done to it.
pub type ArgumentEffects = Vec<(String, ArgumentEffect)>;

/// What is known of the procedures that a unit refers to, beside what their declarations say.
pub struct Known<'k> {
    /// Whether a function that is not declared PURE changes nothing.
    pub changes_nothing: &'k dyn Fn(SymbolId) -> bool,
    /// What a subroutine does to its arguments.
    pub arguments: &'k dyn Fn(SymbolId) -> Option<ArgumentEffects>,
}
