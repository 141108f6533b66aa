//! What a CALL reads for the scalars that it gives values to.
//!
//! Of a procedure that has a summary ([`super::function::SubroutineReads`]) that is what its body reads for the
//! argument. Any other may read each of its arguments, and what that means for the arrays among them is not known.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use thin_vec::ThinVec;

use super::alignment::Alignments;
use super::function::{FunctionReads, Given, SubroutineReads, object_argument, with_object};
use super::reader::Reader;
use super::subscript::ArrayReference;
use super::unit::UnitContext;
use crate::flow::{FlowPosition, VariableId, scalar_of};
use crate::names::{ProcedureInterface, SymbolKind};
use crate::source::Span;
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{Argument, ArgumentList, Expression, ExpressionKind, Intent, Reference, StatementKind};
use crate::values::{Evaluator, ValueContext};

/// What a call reads for one variable.
#[derive(Default)]
pub(super) struct Called {
    /// The reads.
    pub reads: Vec<ArrayReference>,
    /// The scalars that flow to what it gives.
    pub taken: BTreeSet<VariableId>,
}

/// A CALL.
pub(super) struct Call<'a, 't> {
    unit: &'a UnitContext<'t>,
    position: FlowPosition,
    name: &'t str,
    /// The summary of the procedure, if it has one.
    summary: Option<Arc<SubroutineReads>>,
    /// Its interface, if it has none.
    interface: Option<Arc<ProcedureInterface>>,
    /// The arguments, the object of a type-bound procedure among them.
    list: Cow<'t, ArgumentList>,
    span: Span,
}

impl<'a, 't> Call<'a, 't> {
    /// The call at a position, if the statement there is one.
    pub(super) fn at(unit: &'a UnitContext<'t>, position: FlowPosition) -> Option<Self> {
        let id = unit.values.flow.statements[position];
        let statement = &unit.values.tree.statements[id];
        let kind = statement.kind.executed();
        let (StatementKind::Call { procedure } | StatementKind::MacroStatement(procedure)) = kind else { return None };
        Some(Call::new(unit, position, procedure, statement.span))
    }

    fn new(unit: &'a UnitContext<'t>, position: FlowPosition, procedure: &'t Reference, span: Span) -> Self {
        let ValueContext { tree, resolved, flow, .. } = unit.values;
        let statement = flow.statements[position];
        let (functions, no_arguments) = (unit.functions, || Cow::Owned(ArgumentList { items: ThinVec::new(), span }));
        let last = procedure.parts.last();
        let list = last.and_then(|part| part.lists.first()).map_or_else(no_arguments, Cow::Borrowed);
        let name = last.map_or("", |part| tree.names.text(part.name.name));
        let mut call = Call { unit, position, name, summary: None, interface: None, list, span };
        if let [part] = procedure.parts.as_slice() {
            let symbol = resolved.symbol_at(statement, part.name.name);
            call.summary = symbol.and_then(|symbol| functions.subroutine(symbol)).filter(|_| unit.may_inline());
            call.interface = symbol.and_then(|symbol| match &resolved.symbol(symbol).kind {
                SymbolKind::Subroutine { interface } => interface.clone(),
                _ => None,
            });
        } else if let Some(bound) = resolved.binding_of(tree, statement, procedure) {
            let summary = functions.procedures.location_of_bound(&bound).and_then(|at| functions.subroutine_at(at));
            let dummies = summary.as_ref().map_or(&[][..], |summary| &summary.dummies);
            match with_object(&bound, &call.list, dummies, span).filter(|_| unit.may_inline()) {
                Some(list) => (call.summary, call.list) = (summary, Cow::Owned(list)),
                None => call.list.to_mut().items.insert(0, object_argument(&bound.object, span)),
            }
        } else if let Some((_, object)) = procedure.parts.split_last() {
            // A component that is a procedure, of a type that is perhaps not known.
            let object = Reference { parts: object.iter().cloned().collect() };
            call.list.to_mut().items.insert(0, object_argument(&object, span));
        }
        call
    }

    fn reader(&self) -> Reader<'a, 't> {
        let evaluator = Evaluator::new(&self.unit.values, self.position);
        Reader { unit: self.unit, evaluator, axes: Vec::new(), found: Vec::new(), depth: 0 }
    }

    /// What is read for a variable that it may define; `None` if that is not known.
    pub(super) fn known(&self, variable: VariableId) -> Option<Called> {
        let summary = self.summary.as_deref()?;
        let mut known = Called::default();
        let mut is_argument = false;
        for (position, item) in self.list.items.iter().enumerate() {
            if item.expression().and_then(|argument| self.variable(argument)) != Some(variable) {
                continue;
            }
            is_argument = true;
            let given = summary.given.get(self.dummy(summary, position, item)?)?;
            match given {
                Given::Nothing => {}
                Given::Value(reads) => {
                    known.reads.extend(self.reads(reads)?);
                    known.taken.extend(self.taken(summary, reads));
                }
                Given::Unknown => return None,
            }
        }
        // It may be a part of a structure that is an argument, or the reverse.
        is_argument.then_some(known)
    }

    /// The dummy argument that one at a position is for.
    fn dummy(&self, summary: &SubroutineReads, position: usize, item: &Argument) -> Option<usize> {
        let names = summary.dummies.iter().map(|dummy| dummy.name.as_str());
        item.dummy(position, names, &self.unit.values.tree.names)
    }

    /// The scalar variable that an expression is.
    fn variable(&self, expression: &Expression) -> Option<VariableId> {
        let ExpressionKind::Reference(reference) = &expression.kind else { return None };
        let values = &self.unit.values;
        let statement = values.flow.statements[self.position];
        let (symbol, components) = scalar_of(values.tree, values.resolved, statement, reference)?;
        values.flow.effects.variables.get(symbol, components)
    }

    /// What the procedure reads for one result. Of an element or section that is handed to a dummy array it is not told
    /// what is read.
    fn reads(&self, summary: &FunctionReads) -> Option<Vec<ArrayReference>> {
        let mut reader = self.reader();
        if !reader.is_closed(summary) {
            return None;
        }
        reader.function(summary, self.name, &self.list, self.span);
        let arrays = self.list.items.iter().enumerate().filter_map(|(position, item)| {
            let names = summary.dummies.iter().map(|dummy| dummy.name.as_str());
            let dummy = summary.dummies.get(item.dummy(position, names, &self.unit.values.tree.names)?)?;
            let ExpressionKind::Reference(reference) = &item.expression()?.kind else { return None };
            let is_part = reference.parts.iter().any(|part| !part.lists.is_empty());
            let key = self.unit.values.expression_context(self.position).array_key(reference)?;
            (is_part && !dummy.lower_bounds.is_empty()).then_some(key)
        });
        for array in arrays.collect::<Vec<_>>() {
            let of_array = reader.found.iter_mut().filter(|read| read.array == array);
            of_array.for_each(|read| read.is_handed_over = true);
        }
        Some(reader.found)
    }

    /// The scalars in the arguments on which a result depends.
    fn taken(&self, summary: &SubroutineReads, result: &FunctionReads) -> Vec<VariableId> {
        let mut found = Vec::new();
        for (position, item) in self.list.items.iter().enumerate() {
            let Some(dummy) = self.dummy(summary, position, item) else { continue };
            if result.uses_dummy(dummy)
                && let Some(argument) = item.expression()
            {
                walk_subexpressions(argument, &mut |inner| found.extend(self.variable(inner)));
            }
        }
        found
    }

    /// All that the call may read.
    pub(super) fn all_reads(&self) -> Vec<ArrayReference> {
        let mut reader = self.reader();
        for (position, item) in self.list.items.iter().enumerate() {
            if self.intent(position, item) != Some(Intent::Out) {
                reader.argument(&item.value, &Alignments::unclear());
            }
        }
        reader.found.iter_mut().for_each(|read| read.is_handed_over = true);
        reader.found
    }

    /// The intent of the dummy argument that one at a position is for, if that is known.
    fn intent(&self, position: usize, item: &Argument) -> Option<Intent> {
        let names = &self.unit.values.tree.names;
        if let Some(summary) = &self.summary {
            return summary.dummies.get(self.dummy(summary, position, item)?)?.intent;
        }
        self.interface.as_ref()?.dummy_for(item, position, names)?.properties.intent
    }
}
