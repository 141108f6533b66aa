//! Functions without side effects: those that are declared PURE, and those that evidently might be.

#![deny(clippy::wildcard_enum_match_arm)]

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::function::{Functions, Home};
use crate::flow::{Effects, effects_knowing};
use crate::names::SymbolId;
use crate::syntax::{Prefix, StatementId, StatementKind, Subprogram, UnitId};

/// Which functions of a file have no side effects, as far as the file itself tells.
#[derive(Default)]
pub(super) struct Harmless {
    known: RefCell<FxHashMap<UnitId, bool>>,
}

/// A function that is looked at, with the functions of the file that it references.
struct Step {
    unit: UnitId,
    referenced: Vec<UnitId>,
}

impl Harmless {
    /// Whether a function has none. One that references itself, directly or through others, counts as having some.
    pub fn is_harmless(&self, functions: &Functions<'_>, unit: UnitId) -> bool {
        let mut path: Vec<Step> = Vec::new();
        let mut next = Some(unit);
        loop {
            if let Some(unit) = next.take() {
                if self.known.borrow().contains_key(&unit) {
                    // It leads back, or is known.
                } else if let Some(referenced) = referenced(functions, unit) {
                    // Until all that it references is known, what leads back to it has side effects.
                    self.known.borrow_mut().insert(unit, false);
                    path.push(Step { unit, referenced });
                } else {
                    self.known.borrow_mut().insert(unit, false);
                }
            }
            let Some(step) = path.last_mut() else { break };
            next = step.referenced.iter().copied().find(|unit| !self.known.borrow().contains_key(unit));
            if next.is_none() {
                let is_harmless = step.referenced.iter().all(|unit| self.known.borrow()[unit]);
                self.known.borrow_mut().insert(step.unit, is_harmless);
                path.pop();
            }
        }
        self.known.borrow()[&unit]
    }
}

/// The functions of the file that a function references, if it has no side effects but for theirs.
fn referenced(functions: &Functions<'_>, unit: UnitId) -> Option<Vec<UnitId>> {
    let subprogram = functions.opening(unit)?;
    let found = RefCell::new(Vec::new());
    let note = |symbol: SymbolId| match functions.unit_of(symbol) {
        Some(Home::Here(unit)) => {
            found.borrow_mut().push(unit);
            true
        }
        _ => false,
    };
    let effects = effects_knowing(functions.tree, functions.resolved, &functions.own[unit], &note);
    functions.is_without_side_effects(subprogram, unit, &effects).then(|| found.into_inner())
}

impl Functions<'_> {
    /// Whether a function is PURE, or evidently might be: it changes nothing but what is its own, and calls nothing that may change something.
    pub(super) fn is_without_side_effects(&self, subprogram: &Subprogram, unit: UnitId, effects: &Effects) -> bool {
        let is_entry = |&id: &StatementId| matches!(self.tree.statements[id].kind, StatementKind::Entry { .. });
        if self.own[unit].iter().any(is_entry) {
            return false;
        }
        if subprogram.prefixes.contains(&Prefix::Impure) {
            return false;
        }
        if subprogram.is_pure() {
            return true;
        }
        let is_own = |symbol: SymbolId| {
            let of = self.resolved.symbol(symbol);
            self.is_of(unit, of) && !(of.is_dummy || of.in_common || of.is_saved || of.equivalenced || of.is_pointer)
        };
        let is_harmless = |&id: &StatementId| is_harmless(&self.tree.statements[id].kind);
        effects.calls.is_empty()
            && effects.changes.iter().all(|&(symbol, _)| is_own(symbol))
            && self.own[unit].iter().all(is_harmless)
    }
}

/// Whether a statement, the action of a one-line IF, WHERE or FORALL included, changes at most variables that its effects name. One that
/// stops the program changes nothing.
fn is_harmless(kind: &StatementKind) -> bool {
    use StatementKind as Kind;
    match kind {
        // Files, other images, what a pointer points to, and whatever was not understood.
        Kind::InputOutput(_)
        | Kind::ImageControl { .. }
        | Kind::Critical(_)
        | Kind::ChangeTeam { .. }
        | Kind::Call { .. }
        | Kind::PointerAssignment { .. }
        | Kind::CrayPointer(_)
        | Kind::MacroStatement(_)
        | Kind::Unparsed(_) => false,
        Kind::If { action, .. } | Kind::Where { action, .. } | Kind::Forall { action, .. } => is_harmless(&action.kind),
        Kind::Assignment { .. }
        | Kind::Allocate { .. }
        | Kind::Deallocate { .. }
        | Kind::Nullify(_)
        | Kind::GoTo(_)
        | Kind::ComputedGoTo(..)
        | Kind::AssignedGoTo(..)
        | Kind::Assign(..)
        | Kind::ArithmeticIf(..)
        | Kind::Continue
        | Kind::Cycle(_)
        | Kind::Exit(_)
        | Kind::Return(_)
        | Kind::Stop { .. }
        | Kind::Pause(_)
        | Kind::IfThen(_)
        | Kind::ElseIf(..)
        | Kind::Else(_)
        | Kind::Do { .. }
        | Kind::SelectCase(_)
        | Kind::Case { .. }
        | Kind::SelectType(_)
        | Kind::TypeGuard(..)
        | Kind::SelectRank(_)
        | Kind::RankCase(..)
        | Kind::WhereConstruct(_)
        | Kind::ElseWhere(..)
        | Kind::ForallConstruct(_)
        | Kind::Associate(_)
        | Kind::Block
        | Kind::End { .. } => true,
        // Not executed. A second way in, ENTRY, is asked for before.
        Kind::Program(_)
        | Kind::Module(_)
        | Kind::Submodule { .. }
        | Kind::BlockData(_)
        | Kind::Subroutine(_)
        | Kind::Function(_)
        | Kind::ModuleProcedure { .. }
        | Kind::Entry { .. }
        | Kind::Contains
        | Kind::Use { .. }
        | Kind::Import { .. }
        | Kind::Implicit(_)
        | Kind::TypeDeclaration(_)
        | Kind::Records(_)
        | Kind::ProcedureDeclaration { .. }
        | Kind::AttributeStatement { .. }
        | Kind::Parameter(_)
        | Kind::Data(_)
        | Kind::Common(_)
        | Kind::Equivalence(_)
        | Kind::Namelist(_)
        | Kind::Interface { .. }
        | Kind::DerivedType { .. }
        | Kind::Sequence
        | Kind::TypeBoundProcedure { .. }
        | Kind::Generic { .. }
        | Kind::Final(_)
        | Kind::Enum { .. }
        | Kind::Enumerator(_)
        | Kind::EnumerationType { .. }
        | Kind::Structure { .. }
        | Kind::Union
        | Kind::Map
        | Kind::Format(_) => true,
    }
}
