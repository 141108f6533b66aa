//! What is needed before a statement, if it is known what is needed behind it.

use super::bind::Binding;
use super::effects::base;
use super::formula::{Formula, Kind, Root, root_bit};
use super::namelist::{namelist_read, namelist_symbols};
use super::unit::{Callee, UnitContext};
use crate::flow::{FlowPosition, is_statement_function};
use crate::syntax::visit::walk_references;
use crate::syntax::{InputOutput, Reference, StatementId, StatementKind};

/// The variables that a statement may change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Touched {
    /// One bit for each, by its root.
    roots: u64,
    /// Whether all that other units can see are among them.
    shared: bool,
}

impl Touched {
    /// Any variable.
    const ANYTHING: Touched = Touched { roots: u64::MAX, shared: true };

    /// Whether a formula may be another one before the statement.
    pub fn concerns(self, formula: &Formula) -> bool {
        formula.may_mention_any(self.roots) || self.shared && formula.has_shared()
    }

    fn add(&mut self, designator: &Formula) {
        self.roots |= base(designator).map_or(0, |root| root_bit(&root));
    }

    fn add_roots(&mut self, roots: &[Root]) {
        roots.iter().for_each(|root| self.roots |= root_bit(root));
    }

    /// Adds all that a call may change without being given it.
    fn add_shared(&mut self, unit: &UnitContext<'_>) {
        self.shared = true;
        self.add_roots(&unit.exposed);
    }
}

impl UnitContext<'_> {
    /// What [`UnitContext::before`] may change formulas in.
    pub fn touched(&self, position: FlowPosition, kind: &StatementKind) -> Touched {
        let id = self.flow.statements[position];
        let called = match kind {
            StatementKind::Call { procedure } => Some(procedure),
            _ => None,
        };
        if self.has_changing_functions(id, called) {
            return Touched::ANYTHING;
        }
        let mut touched = Touched::default();
        match kind {
            StatementKind::Assignment { target, .. }
                if !is_statement_function(self.resolved, id, target) && !self.tree.hides(id) =>
            {
                let first = target.parts.first().and_then(|part| self.resolved.symbol_at(id, part.name.name));
                let designator = self.lower_reference(id, target).filter(|designator| base(designator).is_some());
                let changed = designator.or_else(|| first.map(|symbol| self.variable(symbol)));
                changed.iter().for_each(|changed| touched.add(changed));
                if self.is_through_pointer(id, target) {
                    touched.add_roots(&self.targets);
                }
                return touched;
            }
            StatementKind::Call { procedure: reference } => {
                if let Some(callee) = self.callees.callee(id, reference) {
                    return self.touched_by_call(position, reference, &callee);
                }
            }
            StatementKind::InputOutput(transfer) if namelist_read(self.tree, self.resolved, id, transfer).is_some() => {
                return Touched::ANYTHING;
            }
            StatementKind::Do { .. } => return touched,
            _ => {}
        }
        if self.calls_at(position) {
            touched.add_shared(self);
        }
        self.changed_at(position).iter().for_each(|&symbol| touched.add(&self.variable(symbol)));
        touched
    }

    fn touched_by_call(&self, position: FlowPosition, reference: &Reference, callee: &Callee) -> Touched {
        let id = self.flow.statements[position];
        let mut touched = Touched::default();
        let Some(procedure) = &callee.procedure else {
            let passed = callee.passed.as_ref().and_then(|(_, object)| self.lower_reference(id, object));
            passed.iter().for_each(|object| touched.add(object));
            self.changed_at(position).iter().for_each(|&symbol| touched.add(&self.variable(symbol)));
            touched.add_shared(self);
            return touched;
        };
        let binding = Binding::new(self, id, reference, callee, procedure);
        for at in (0..procedure.dummies.len()).filter(|&at| procedure.dummies[at].is_changed) {
            binding.actual(at).into_iter().for_each(|actual| touched.add(actual));
        }
        for root in &procedure.changes {
            match root {
                Root::Global(_) => touched.roots |= root_bit(root),
                // It may be a variable of this unit.
                Root::Host(..) | Root::Dummy(_) | Root::Local(_) => return Touched::ANYTHING,
            }
        }
        if procedure.changes_anything {
            touched.add_shared(self);
        }
        touched
    }

    /// The formula before a statement at a position, or before the action of a one-line IF there.
    pub fn before(&self, after: &Formula, position: FlowPosition, kind: &StatementKind) -> Formula {
        let id = self.flow.statements[position];
        match kind {
            StatementKind::Assignment { target, value } if !is_statement_function(self.resolved, id, target) => {
                let made = if self.tree.hides(id) {
                    self.forget_changed(after, position)
                } else {
                    let value = self.lower(id, value);
                    self.assign(after, id, target, &value)
                };
                self.before_functions(&made, id)
            }
            StatementKind::Call { procedure } => {
                let made = match self.callees.callee(id, procedure) {
                    Some(callee) => self.call(after, id, procedure, &callee),
                    None => self.forget_changed(after, position),
                };
                self.before_functions_but(&made, id, Some(procedure))
            }
            StatementKind::InputOutput(transfer) if transfer.operation.is_input() => {
                self.before_functions(&self.read(after, position, transfer), id)
            }
            StatementKind::Do { .. } => after.clone(),
            _ => {
                let made = self.forget_changed(after, position);
                self.before_functions(&made, id)
            }
        }
    }

    /// The formula with all unknown that the effects of a statement name, and no functions of the program.
    fn forget_changed(&self, formula: &Formula, position: FlowPosition) -> Formula {
        let id = self.flow.statements[position];
        let place = self.place_of(id);
        let mut made = formula.clone();
        for &symbol in self.changed_at(position) {
            made = self.forget_unless_in(&made, symbol, &place);
        }
        let is_known = self.has_known_functions_only(id);
        if self.calls_at(position) && !is_known { self.forget_shared(&made, &place) } else { made }
    }

    fn has_known_functions_only(&self, id: StatementId) -> bool {
        let mut is_known = true;
        let mut has_any = false;
        self.each_function(id, &mut |reference| {
            has_any = true;
            is_known &= self.callees.callee(id, reference).is_some_and(|callee| callee.procedure.is_some());
        });
        has_any && is_known
    }

    /// Visits the references to functions of the program in a statement.
    pub fn each_function(&self, id: StatementId, visit: &mut dyn FnMut(&Reference)) {
        if self.has_functions(id) {
            self.each_function_of(id, visit);
        }
    }

    /// The same, looked for anew.
    pub fn each_function_of(&self, id: StatementId, visit: &mut dyn FnMut(&Reference)) {
        walk_references(&self.tree.names, &self.tree.statements[id].kind, &mut |reference, _| {
            let is_call = reference.parts.last().is_some_and(|part| !part.lists.is_empty());
            if is_call && self.callees.callee(id, reference).is_some() {
                visit(reference);
            }
        });
    }

    /// The formula before the functions that a statement refers to.
    pub fn before_functions(&self, formula: &Formula, id: StatementId) -> Formula {
        self.before_functions_but(formula, id, None)
    }

    /// The same, one reference left out.
    pub fn before_functions_but(&self, formula: &Formula, id: StatementId, except: Option<&Reference>) -> Formula {
        let has_values = || formula.any_node(&mut |node| matches!(node.kind(), Kind::Value(_)));
        if !self.has_functions(id) || !has_values() {
            return formula.clone();
        }
        let mut made = formula.clone();
        self.each_function(id, &mut |reference| {
            if except.is_some_and(|except| std::ptr::eq(except, reference)) {
                return;
            }
            let Some(callee) = self.callees.callee(id, reference) else { return };
            if !self.is_unchanging(id, &callee) {
                made = self.call(&made, id, reference, &callee);
            }
        });
        made
    }

    /// Whether a function to which a statement refers changes nothing.
    fn is_unchanging(&self, id: StatementId, callee: &Callee) -> bool {
        match &callee.procedure {
            Some(procedure) => {
                !procedure.changes_anything
                    && procedure.changes.is_empty()
                    && procedure.dummies.iter().all(|dummy| !dummy.is_changed)
            }
            // One that is not known was asked for by the effects.
            None => !self.flow.position(id).is_some_and(|position| self.calls_at(position)),
        }
    }

    /// Whether a statement refers to functions that may change something, one reference left out.
    pub fn has_changing_functions(&self, id: StatementId, except: Option<&Reference>) -> bool {
        let mut found = false;
        self.each_function(id, &mut |reference| {
            let is_meant = !found && except.is_none_or(|except| !std::ptr::eq(except, reference));
            let callee = if is_meant { self.callees.callee(id, reference) } else { None };
            found |= callee.is_some_and(|callee| !self.is_unchanging(id, &callee));
        });
        found
    }

    /// The formula before a statement that reads: what a namelist gives is a symbol of its own, of anything else
    /// nothing is known.
    fn read(&self, after: &Formula, position: FlowPosition, transfer: &InputOutput) -> Formula {
        let id = self.flow.statements[position];
        let Some(group) = namelist_read(self.tree, self.resolved, id, transfer) else {
            return self.forget_changed(after, position);
        };
        let place = self.place_of(id);
        let group_name: std::sync::Arc<str> = std::sync::Arc::from(self.tree.names.text(group));
        let mut made = after.clone();
        let mut roots: Vec<Root> = Vec::new();
        for item in self.namelist_variables(id, group) {
            let Some(root) = base(&item) else { continue };
            let input = super::formula::Input {
                place: place.clone(),
                variable: item.clone(),
                group: group_name.clone(),
                before: item.clone(),
            };
            let value = Formula::new(Kind::Input(std::sync::Arc::new(input)));
            made = self.put(&made, &item, &value, &place);
            roots.push(root);
        }
        // What else it changes: IOSTAT, SIZE.
        for &symbol in self.changed_at(position) {
            let is_item = base(&self.variable(symbol)).is_some_and(|root| roots.contains(&root));
            if !is_item {
                made = self.forget_unless_in(&made, symbol, &place);
            }
        }
        made
    }

    /// The variables of a namelist group, in order.
    pub fn namelist_variables(&self, id: StatementId, group: crate::syntax::Name) -> Vec<Formula> {
        let symbols = namelist_symbols(self.tree, self.resolved, id, group);
        symbols.into_iter().map(|symbol| self.variable(symbol)).collect()
    }
}
