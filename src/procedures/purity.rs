//! Purity: functions that change nothing, because they are declared PURE or evidently might be.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::file::{FileProcedures, Location};
use super::known::Known;
use super::summaries::References;
use crate::flow::Effects;
use crate::names::{ScopeKind, SymbolId};
use crate::syntax::declarative;
use crate::syntax::{Prefix, StatementId, StatementKind, Subprogram, UnitId, UnitKind};

impl FileProcedures<'_> {
    /// Whether a symbol stands for a function of this file that evidently changes nothing but its own variables. One
    /// that refers to itself, directly or through others, counts as changing something.
    pub fn is_pure(&self, symbol: SymbolId) -> bool {
        matches!(self.location(symbol), Some(Location::Here(unit)) if self.is_pure_unit(unit))
    }

    fn is_pure_unit(&self, unit: UnitId) -> bool {
        let references = |unit| self.purity_references(unit).map_or(References::None(false), References::To);
        // What is left to say is whether all that it refers to is pure; that was asked for before.
        self.purity
            .get(unit, &false, references, |_, referenced| referenced.iter().all(|&unit| self.is_pure_unit(unit)))
    }

    /// The functions of the file that a function refers to, if it is pure but for theirs.
    fn purity_references(&self, unit: UnitId) -> Option<Vec<UnitId>> {
        let subprogram = self.function(unit)?;
        let found = RefCell::new(Vec::new());
        let note = |symbol: SymbolId| {
            let Some(Location::Here(unit)) = self.location(symbol) else { return false };
            found.borrow_mut().push(unit);
            true
        };
        let effects = self.effects_knowing(unit, &Known { changes_nothing: &note, arguments: &|_| None });
        self.is_without_side_effects(subprogram, unit, &effects).then(|| found.into_inner())
    }

    /// Whether a function is PURE, or evidently might be: it changes nothing but what is its own, and calls nothing
    /// that may change something.
    pub fn is_without_side_effects(&self, subprogram: &Subprogram, unit: UnitId, effects: &Effects) -> bool {
        if !self.may_be_without_side_effects(subprogram, unit) {
            return false;
        }
        if subprogram.is_pure() {
            return true;
        }
        let is_own = |symbol: SymbolId| {
            let of = self.resolved.symbol(symbol);
            self.is_local(unit, of) && !(of.is_dummy || of.in_common || of.is_saved || of.equivalenced || of.is_pointer)
        };
        effects.calls.is_empty() && effects.changes.iter().all(|&(symbol, _)| is_own(symbol))
    }

    /// Whether the statements of a function by themselves leave it possible that it has no side effects.
    pub fn may_be_without_side_effects(&self, subprogram: &Subprogram, unit: UnitId) -> bool {
        let kind = |id: &StatementId| &self.tree.statements[*id].kind;
        let statements = self.statements(unit);
        !statements.iter().any(|id| matches!(kind(id), StatementKind::Entry { .. }))
            && !subprogram.prefixes.contains(&Prefix::Impure)
            && (subprogram.is_pure() || statements.iter().all(|id| changes_named_variables_only(kind(id))))
    }

    /// The effects of the internal procedures: those whose host is no module.
    pub fn internal_effects(&self) -> BTreeMap<UnitId, Effects> {
        let is_internal = |unit: &UnitId| {
            let of = &self.tree.units[*unit];
            let host = of.parent.map(|host| self.tree.units[host].kind);
            host.is_some_and(|host| !matches!(host, UnitKind::Module | UnitKind::Submodule))
                && of.kind != UnitKind::InterfaceBody
        };
        let internal = self.tree.units.indices().filter(is_internal);
        internal.map(|unit| (unit, self.effects(unit))).collect()
    }

    /// The effects of a unit's own statements.
    pub fn effects(&self, unit: UnitId) -> Effects {
        self.effects_knowing(unit, &Known { changes_nothing: &|symbol| self.is_pure(symbol), arguments: &|_| None })
    }

    /// The variables of their hosts that internal procedures with these effects may change.
    pub fn changed_by_internal(&self, internal: &BTreeMap<UnitId, Effects>) -> BTreeSet<SymbolId> {
        let of_host = |unit: UnitId, symbol: SymbolId| {
            let scope = self.resolved.scope_kind(self.resolved.symbol(symbol).scope);
            matches!(scope, ScopeKind::Unit(owner) if owner != unit)
        };
        let mut changed = BTreeSet::new();
        for (&unit, effects) in internal {
            changed.extend(effects.changes.iter().map(|&(symbol, _)| symbol).filter(|&symbol| of_host(unit, symbol)));
        }
        changed
    }
}

/// Whether a statement, the action of a one-line IF, WHERE or FORALL included, changes at most variables that its
/// effects name. One that stops the program changes nothing.
fn changes_named_variables_only(kind: &StatementKind) -> bool {
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
        Kind::If { action, .. } | Kind::Where { action, .. } | Kind::Forall { action, .. } => {
            changes_named_variables_only(&action.kind)
        }
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
        declarative!() => true,
    }
}
