//! The values of scalars: those that reach an index through assignments (`ip = i + 1; … a(ip)`).
//!
//! A scalar that does not change in the loops around an index stands for itself. One that does stands for the right
//! sides of all assignments that reach the index, if each is known; a value from an earlier iteration is shifted by the
//! steps of the loop. What comes from outside the loops is some fixed value.

use std::rc::Rc;

use super::context::ValueContext;
use super::evaluator::Evaluator;
use super::index::{Atom, Index, Inside, Selection, VALUES, computed};
use crate::flow::{DefinitionKind, FlowPosition, LoopId, Reaching, VariableId, canonical, selector_of};
use crate::names::{Symbol, SymbolId, SymbolKind};
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{Expression, ExpressionKind, Intent, StatementKind};

/// Chains of assignments longer than this are not followed.
const DEPTH: usize = 64;
/// Values asked for in one unit; beyond, scalars stand for themselves.
const QUESTIONS: usize = 1 << 16;
/// A scalar that is moved by less than this was not moved around a ring.
const SMALLEST_TURN: i64 = 4;

/// Where a variable must not change, so that it stands for itself.
#[derive(Clone, Copy)]
enum LoopOrUnit {
    /// In a loop.
    Loop(LoopId),
    /// In the whole unit.
    Unit,
}

impl ValueContext<'_> {
    /// Whether a loop around a position counts this variable.
    pub fn is_counted(&self, position: FlowPosition, symbol: SymbolId) -> bool {
        self.loop_of(position, symbol).is_some()
    }

    /// The loop around a position that counts a variable.
    pub(super) fn loop_of(&self, position: FlowPosition, symbol: SymbolId) -> Option<LoopId> {
        let mut counted = self.flow.induction_variables(self.flow.loops.innermost(position));
        counted.find(|(_, variable)| variable.symbol == symbol).map(|(id, _)| id)
    }

    /// Whether a variable is an integer.
    pub fn is_integer(&self, symbol: SymbolId) -> bool {
        self.resolved.symbol(symbol).type_.is_some_and(|type_| type_.is_integer())
    }

    /// Whether a variable is a dummy argument of the procedure whose reads are summarised, and keeps its value.
    pub fn is_fixed_dummy(&self, symbol: SymbolId) -> bool {
        self.summarises && self.resolved.symbol(symbol).is_dummy && !self.changes(LoopOrUnit::Unit, symbol)
    }

    /// The extent of what counts as a change for an index at a position.
    fn extent(&self, position: FlowPosition) -> Option<LoopOrUnit> {
        match self.flow.loops.chain(self.flow.loops.innermost(position)).last() {
            _ if self.summarises => Some(LoopOrUnit::Unit),
            outermost => outermost.map(LoopOrUnit::Loop),
        }
    }

    /// Whether a scalar may keep its value through a whole iteration of a loop: some way round does not define it for
    /// sure.
    pub fn may_keep(&self, id: LoopId, variable: VariableId) -> bool {
        let header = *self.flow.positions_of(id).start();
        self.is_way_without(id, variable, header, header)
    }

    /// Whether there is a way in an iteration of a loop from one position to another on which a scalar is not defined
    /// for sure.
    pub fn is_way_without(&self, id: LoopId, variable: VariableId, from: FlowPosition, to: FlowPosition) -> bool {
        let mut ways = self.memo.ways.borrow_mut();
        *ways.entry((id, variable, from, to)).or_insert_with(|| self.flow.is_way_without(id, variable, from, to))
    }

    /// The values of a scalar at a position, if it is not the same all the time and if all of it is known.
    pub fn scalar_values(&self, position: FlowPosition, symbol: SymbolId) -> Option<Rc<[Index]>> {
        if self.paper {
            return None;
        }
        let symbol = canonical(self.resolved, symbol);
        let of = self.resolved.symbol(symbol);
        let is_associated = matches!(of.kind, SymbolKind::AssociateName { .. });
        let may_be_index = of.shape.is_none() && (is_associated || self.is_integer(symbol));
        if !may_be_index || self.is_counted(position, symbol) {
            return None;
        }
        let extent = self.extent(position)?;
        let key = (position, symbol);
        if let Some(known) = self.memo.known.borrow().get(&key) {
            return known.clone();
        }
        if !is_associated && (!self.changes(extent, symbol) || self.changes_unseen(extent, symbol)) {
            return None;
        }
        let asked = self.memo.asked.get() + 1;
        self.memo.asked.set(asked);
        if asked > QUESTIONS || self.memo.under_way.borrow().len() > DEPTH {
            self.memo.was_cut.set(true);
            return None;
        }
        if !self.memo.under_way.borrow_mut().insert(key) {
            // It depends on itself.
            return None;
        }
        let cut_before = self.memo.was_cut.replace(false);
        let found =
            if is_associated { self.selected(position, symbol) } else { self.defined(position, symbol, extent) };
        self.memo.under_way.borrow_mut().remove(&key);
        let found: Option<Rc<[Index]>> = found.map(Rc::from);
        // What was not followed to its end is not kept: from elsewhere it may be.
        if !self.memo.was_cut.get() {
            self.memo.known.borrow_mut().insert(key, found.clone());
        }
        self.memo.was_cut.set(self.memo.was_cut.get() || cut_before);
        found
    }

    /// The value of an associate name that stands for an expression, evaluated where the construct begins.
    fn selected(&self, used: FlowPosition, symbol: SymbolId) -> Option<Vec<Index>> {
        let (statement, selector) = selector_of(self.tree, self.resolved, symbol)?;
        let position = self.flow.position(statement)?;
        let values = Evaluator::new(self, position).evaluate(selector);
        let values = computed(values, false);
        values.iter().all(|value| self.is_settled(used, position, value)).then_some(values)
    }

    /// The values that assignments give.
    fn defined(&self, position: FlowPosition, symbol: SymbolId, extent: LoopOrUnit) -> Option<Vec<Index>> {
        let variable = self.flow.effects.variables.get(symbol, Vec::new())?;
        let mut uses = self.flow.uses_at(position);
        let used = uses.find(|&index| self.flow.effects.uses[index].variable == variable)?;
        if self.may_change_first(position, variable) {
            return None;
        }
        let reaching = self.definitions_at_most(used, VALUES)?;
        let mut found: Vec<Index> = Vec::new();
        for &one in &reaching {
            let defined = self.flow.effects.definitions[one.definition].position;
            let distance = self.surest_distance(used, one);
            let is_same_execution = distance.is_empty() && self.is_inside_loop_of(position, defined);
            let is_one_of_several = reaching.len() > 1;
            let selection = if is_one_of_several { self.selection(defined, position) } else { Selection::Always };
            for mut value in self.assigned(position, symbol, one, &distance, extent)? {
                if !is_same_execution {
                    // Where it was computed says nothing of what else was computed then.
                    value.derivation.origin = None;
                } else if is_one_of_several {
                    value.derivation.origin = Some(self.flow.control.block_of[defined]);
                }
                value.derivation.selection = value.derivation.selection.max(selection);
                if !found.contains(&value) {
                    found.push(value);
                }
            }
        }
        (!found.is_empty()).then(|| without_wraps(found))
    }

    /// Whether the innermost loop around one position is around another one, too: what was set there was not carried
    /// out of a loop.
    fn is_inside_loop_of(&self, position: FlowPosition, defined: FlowPosition) -> bool {
        let around = self.flow.loops.innermost(defined);
        around.is_none() || self.common_loop(position, defined) == around
    }

    /// Whether the condition of a one-line IF may change a variable before its action uses it.
    fn may_change_first(&self, position: FlowPosition, variable: VariableId) -> bool {
        let id = self.flow.statements[position];
        let is_conditional = matches!(
            self.tree.statements[id].kind,
            StatementKind::If { .. } | StatementKind::Where { .. } | StatementKind::Forall { .. }
        );
        let definitions = &self.flow.effects.definitions;
        let first = definitions.as_raw_slice().partition_point(|definition| definition.position < position);
        let here = definitions.raw[first..].iter().take_while(|definition| definition.position == position);
        is_conditional && here.into_iter().any(|one| one.variable == variable && one.kind == DefinitionKind::Other)
    }

    /// The values that one of them gives, which is so much earlier.
    fn assigned(
        &self,
        position: FlowPosition,
        symbol: SymbolId,
        reaching: Reaching,
        distance: &[(LoopId, Option<i64>)],
        extent: LoopOrUnit,
    ) -> Option<Vec<Index>> {
        let definition = self.flow.effects.definitions[reaching.definition];
        let defined = definition.position;
        if let LoopOrUnit::Loop(outermost) = extent
            && !self.flow.positions_of(outermost).contains(&defined)
        {
            // Whatever it is, it stays the same in the loops.
            let fixed = Index::opaque(format!("{symbol:?}@{defined:?}"), Inside::default());
            return Some(vec![fixed]);
        }
        if definition.kind != DefinitionKind::Assigned {
            return None;
        }
        let (_, value) = self.assignment(defined)?;
        let wraps = distance.is_empty() && self.moves_itself(defined, symbol, value);
        let mut values = computed(Evaluator::new(self, defined).evaluate(value), false);
        for value in &mut values {
            if !self.is_settled(position, defined, value) {
                return None;
            }
            value.derivation.wraps |= wraps;
            for &(id, iterations) in distance {
                self.shift(value, id, iterations)?;
            }
        }
        Some(values)
    }

    /// Whether a value that was computed at one position means the same at another one: its variables are counted by
    /// loops around both, or do not change.
    pub fn is_settled(&self, position: FlowPosition, defined: FlowPosition, value: &Index) -> bool {
        let common = self.common_loop(position, defined);
        let extent = self.extent(defined);
        value.variables().all(|symbol| match self.loop_of(defined, symbol) {
            Some(counting) => self.flow.loops.chain(common).any(|id| id == counting),
            None => {
                let changes = extent.is_some_and(|extent| self.changes(extent, symbol));
                !changes && !self.is_counted(position, symbol)
            }
        })
    }

    /// Whether a value is the same all the time in the loops around a position.
    pub fn is_invariant(&self, position: FlowPosition, value: &Index) -> bool {
        let Some(extent) = self.extent(position) else { return true };
        let mut named = value.variables().chain(value.inside.arrays.iter().copied());
        !value.inside.calls && !named.any(|symbol| self.changes(extent, symbol))
    }

    /// A value from an earlier iteration of a loop.
    fn shift(&self, value: &mut Index, id: LoopId, iterations: Option<i64>) -> Option<()> {
        for variable in &self.flow.loops.loops[id].variables {
            if value.inside.variables.contains(&variable.symbol) {
                return None;
            }
            let coefficient = value.form.coefficient(&Atom::Variable(variable.symbol));
            if coefficient != 0 {
                let by = variable.advance(iterations?)?.checked_mul(coefficient)?;
                let form = std::mem::take(&mut value.form);
                value.form = form.checked_add_constant(by.checked_neg()?)?;
            }
        }
        Some(())
    }

    /// Whether an assignment moves a scalar by a named amount, as around a ring: `im = im + n`.
    fn moves_itself(&self, position: FlowPosition, symbol: SymbolId, value: &Expression) -> bool {
        let statement = self.flow.statements[position];
        let ExpressionKind::Binary(..) = value.kind else { return false };
        let (mut itself, mut named) = (false, false);
        walk_subexpressions(value, &mut |inner| {
            if let ExpressionKind::Reference(reference) = &inner.kind {
                let first = reference.parts.first().and_then(|part| self.resolved.symbol_at(statement, part.name.name));
                match first.map(|first| canonical(self.resolved, first) == symbol) {
                    Some(true) => itself = true,
                    _ => named = true,
                }
            }
        });
        itself && named
    }

    /// Whether a variable or array may change in an extent, by its own name or another one.
    fn changes(&self, extent: LoopOrUnit, symbol: SymbolId) -> bool {
        let symbol = canonical(self.resolved, symbol);
        let of = self.resolved.symbol(symbol);
        if let SymbolKind::AssociateName { statement, .. } = of.kind {
            // The name stands for an expression, evaluated where the construct begins.
            let is_inside = self.flow.position(statement).is_some_and(|position| self.is_in(extent, position));
            return is_inside || self.is_changed(extent, symbol);
        }
        self.is_changed(extent, symbol) || self.changes_unseen(extent, symbol)
    }

    /// The same for the whole unit.
    pub fn changes_in_unit(&self, symbol: SymbolId) -> bool {
        self.changes(LoopOrUnit::Unit, symbol)
    }

    /// The same for a loop.
    pub fn may_change(&self, outermost: LoopId, symbol: SymbolId) -> bool {
        self.changes(LoopOrUnit::Loop(outermost), symbol)
    }

    fn is_in(&self, extent: LoopOrUnit, position: FlowPosition) -> bool {
        match extent {
            LoopOrUnit::Loop(id) => self.flow.positions_of(id).contains(&position),
            LoopOrUnit::Unit => true,
        }
    }

    fn is_changed(&self, extent: LoopOrUnit, symbol: SymbolId) -> bool {
        match extent {
            LoopOrUnit::Loop(id) => self.flow.changes_in(id, symbol),
            LoopOrUnit::Unit => self.flow.changes_anywhere(symbol),
        }
    }

    /// Whether a variable may change otherwise than by what the unit does to it under its name.
    fn changes_unseen(&self, extent: LoopOrUnit, symbol: SymbolId) -> bool {
        let of = self.resolved.symbol(symbol);
        // COMMON and module variables can be changed by any procedure, the host's by its internal ones.
        let is_shared = of.in_common || of.use_associated || of.is_doubtful;
        let by_calls = (is_shared || self.changed_by_internal.contains(&symbol)) && of.intent != Some(Intent::In);
        let has_other_names = |other: &Symbol| other.equivalenced || other.is_pointer || other.is_target;
        let calls = || match extent {
            LoopOrUnit::Loop(id) => self.flow.calls_in(id),
            LoopOrUnit::Unit => !self.flow.effects.calls.is_empty(),
        };
        let others_change = || match extent {
            LoopOrUnit::Loop(id) => {
                self.flow.changed_in(id).any(|changed| has_other_names(self.resolved.symbol(changed)))
            }
            LoopOrUnit::Unit => true,
        };
        of.is_volatile || (by_calls && calls()) || (has_other_names(of) && others_change())
    }
}

/// Of the values of a scalar that may have been moved around a ring, those near the origin.
fn without_wraps(mut values: Vec<Index>) -> Vec<Index> {
    let distance = |value: &Index| value.form.constant_term().unsigned_abs();
    let nearest = |wraps: bool| values.iter().filter(move |value| value.derivation.wraps == wraps).map(distance);
    let (Some(moved), Some(stayed)) = (nearest(true).min(), nearest(false).max()) else { return values };
    let goes_around = moved.abs_diff(stayed) >= SMALLEST_TURN.unsigned_abs();
    // Data decide about a step that is taken for its own sake.
    let by_data = values.iter().any(|value| value.derivation.selection == Selection::Data);
    if goes_around && !by_data && values.iter().all(|value| value.form.has_same_terms(&values[0].form)) {
        let kept = moved < stayed;
        values.retain(|value| value.derivation.wraps == kept);
        values.iter_mut().for_each(|value| value.derivation.at_border = true);
    }
    values.iter_mut().for_each(|value| value.derivation.wraps = false);
    values
}
