//! What a CALL does to the arguments.

use super::effects::Collector;
use super::known::{ArgumentEffect, ArgumentEffects};
use crate::flow::{DefinitionKind, scalar_of};
use crate::intrinsics::{self, Class, Intrinsic};
use crate::names::{Dummy, PassedObject, ProcedureInterface, SymbolKind};
use crate::syntax::visit::{Access, walk_argument, walk_indices, walk_list};
use crate::syntax::{Argument, ExpressionKind, Intent, Part, Reference};

impl<'t> Collector<'t> {
    /// A call, or an undefined macro, which may be one. It may change its arguments, those left out for which a dummy
    /// argument with INTENT(IN) is known.
    pub(super) fn call(&mut self, procedure: &'t Reference) {
        // Intrinsic subroutines change nothing but their arguments.
        if self.intrinsic(procedure).is_none() {
            self.effects.calls.push(self.position);
        }
        let Some((last, before)) = procedure.parts.split_last() else { return };
        before.iter().flat_map(Part::all_lists).for_each(|list| walk_list(self, list, Access::Read));
        let dummies = self.dummies(procedure);
        self.in_call = true;
        if !before.is_empty() {
            self.passed_object(procedure);
        }
        for (position, argument) in last.lists.iter().flat_map(|list| &list.items).enumerate() {
            let names = dummies.iter().map(|(name, _)| name.as_str());
            let dummy = argument.dummy(position, names, &self.tree.names).and_then(|at| dummies.get(at));
            let effect = dummy.map_or(ArgumentEffect::of_intent(None), |&(_, effect)| effect);
            let access = match effect {
                ArgumentEffect { changes: false, .. } => Access::Read,
                ArgumentEffect { kills: true, .. } => Access::Assigned,
                ArgumentEffect { kills: false, .. } => Access::Argument,
            };
            walk_argument(self, argument, access);
            self.uses_argument(argument, effect);
        }
        self.in_call = false;
    }

    /// The object of a type-bound procedure or procedure component that is called: it may be passed and changed.
    fn passed_object(&mut self, procedure: &Reference) {
        let bound = self.resolved.binding_of(self.tree, self.id, procedure);
        let is_passed = bound.as_ref().is_none_or(|bound| *bound.passed != PassedObject::Nowhere);
        let object = || Reference { parts: procedure.parts.iter().rev().skip(1).rev().cloned().collect() };
        let object = bound.map_or_else(object, |bound| bound.object);
        if is_passed {
            self.define(&object, DefinitionKind::Other, false);
            if let Some(scalar) = scalar_of(self.tree, self.resolved, self.id, &object) {
                self.uses(scalar, true);
            }
        }
    }

    /// Notes the scalars that an argument of a call uses: of a variable that only gets a value, those in its
    /// subscripts.
    fn uses_argument(&mut self, argument: &'t Argument, effect: ArgumentEffect) {
        match argument.expression().map(|value| (value, &value.kind)) {
            Some((_, ExpressionKind::Reference(reference))) if !effect.reads => {
                walk_indices(reference, &mut |index| self.uses_scalar(index, true));
            }
            Some((value, _)) => self.uses_value(value),
            None => {}
        }
    }

    /// The dummy arguments of a procedure whose body or interface was seen, each with what is done to it.
    fn dummies(&self, procedure: &Reference) -> ArgumentEffects {
        let effects = |interface: &ProcedureInterface| -> ArgumentEffects {
            let intent =
                |dummy: &Dummy| if dummy.properties.value { Some(Intent::In) } else { dummy.properties.intent };
            let effect = |dummy: &Dummy| ArgumentEffect::of_intent(intent(dummy));
            interface.dummies.iter().map(|dummy| (dummy.name.clone(), effect(dummy))).collect()
        };
        let [part] = procedure.parts.as_slice() else {
            let bound = self.resolved.binding_of(self.tree, self.id, procedure);
            let interface = bound.as_ref().and_then(|bound| self.resolved.interface_of_bound(bound));
            let all = interface.map_or(Vec::new(), |interface| effects(&interface));
            return match bound.map(|bound| bound.passed.clone()) {
                Some(PassedObject::First) => all.into_iter().skip(1).collect(),
                Some(PassedObject::Named(passed)) => all.into_iter().filter(|(name, _)| *name != passed).collect(),
                Some(PassedObject::Nowhere) | None => all,
            };
        };
        if let Some(intrinsic) = self.intrinsic(procedure) {
            let effect = |dummy: &intrinsics::DummyArgument| ArgumentEffect::of_intent(Some(dummy.intent));
            return intrinsic.arguments.iter().map(|dummy| (dummy.name.to_owned(), effect(dummy))).collect();
        }
        let Some(symbol) = self.resolved.symbol_at(self.id, part.name.name) else { return Vec::new() };
        if let Some(known) = (self.known.arguments)(symbol) {
            return known;
        }
        self.resolved.symbol(symbol).kind.interface().map_or(Vec::new(), |interface| effects(interface))
    }

    /// The intrinsic subroutine that is called. A subroutine of a compiler's library is none: a program may have one of
    /// that name in another file.
    fn intrinsic(&self, procedure: &Reference) -> Option<&'static Intrinsic> {
        let [part] = procedure.parts.as_slice() else { return None };
        let symbol = self.resolved.symbol_at(self.id, part.name.name)?;
        let is_intrinsic = matches!(self.resolved.symbol(symbol).kind, SymbolKind::Intrinsic);
        let found = intrinsics::subroutine(self.tree.names.text(part.name.name)).filter(|_| is_intrinsic);
        found.filter(|intrinsic| intrinsic.class != Class::LibrarySubroutine && intrinsic.class != Class::Terminating)
    }
}
