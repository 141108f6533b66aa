//! What a CALL reads for the scalars that it gives values to.
//!
//! Of a procedure that has a summary ([`super::function::SubroutineReads`]) that is what its body reads for the
//! argument. Any other may read each of its arguments, and what that means for the arrays among them is not known.

use std::collections::BTreeSet;

use super::alignment::Alignments;
use super::function::{FunctionReads, Given, SubroutineReads};
use super::reader::Reader;
use super::subscript::ArrayReference;
use super::unit::UnitContext;
use crate::flow::{FlowPosition, VariableId, scalar_of};
use crate::names::SymbolKind;
use crate::source::Span;
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{Argument, ArgumentList, Expression, ExpressionKind, Intent, Reference, StatementKind};
use crate::values::Evaluator;

/// What a call reads for one variable.
#[derive(Default)]
pub(super) struct Called {
    /// The reads.
    pub reads: Vec<ArrayReference>,
    /// The scalars that flow to what it gives; `None` if it is not known what does.
    pub taken: Option<BTreeSet<VariableId>>,
}

/// What the call at a position reads for a variable that it may define.
pub(super) fn called(unit: &UnitContext<'_>, position: FlowPosition, variable: VariableId) -> Called {
    let id = unit.values.flow.statements[position];
    let statement = &unit.values.tree.statements[id];
    let kind = statement.kind.action().map_or(&statement.kind, |action| &action.kind);
    let (StatementKind::Call { procedure } | StatementKind::MacroStatement(procedure)) = kind else {
        return Called::default();
    };
    let list = procedure.parts.last().and_then(|part| part.lists.first());
    let Some(list) = list else { return Called::default() };
    let call = Call { unit, position, procedure, list, span: statement.span };
    call.known(variable).unwrap_or_else(|| Called { reads: call.all_reads(), taken: None })
}

/// A CALL.
struct Call<'a, 't> {
    unit: &'a UnitContext<'t>,
    position: FlowPosition,
    procedure: &'t Reference,
    list: &'t ArgumentList,
    span: Span,
}

impl<'a, 't> Call<'a, 't> {
    fn reader(&self) -> Reader<'a, 't> {
        let evaluator = Evaluator::new(&self.unit.values, self.position);
        Reader { unit: self.unit, evaluator, axes: Vec::new(), found: Vec::new(), depth: 0 }
    }

    /// The summary of the procedure.
    fn summary(&self) -> Option<std::sync::Arc<SubroutineReads>> {
        let context = self.unit.values.expression_context(self.position);
        let name = self.procedure.parts.first().filter(|_| self.procedure.parts.len() == 1)?.name.name;
        let summary = self.unit.functions.subroutine(context.resolved.symbol_at(context.statement, name)?);
        summary.filter(|_| self.unit.may_inline())
    }

    /// What is read for a variable, if the procedure is known.
    fn known(&self, variable: VariableId) -> Option<Called> {
        let summary = self.summary()?;
        let mut known = Called { reads: Vec::new(), taken: Some(BTreeSet::new()) };
        let mut is_argument = false;
        for (position, item) in self.list.items.iter().enumerate() {
            if item.expression().and_then(|argument| self.variable(argument)) != Some(variable) {
                continue;
            }
            is_argument = true;
            let given = summary.given.get(self.dummy(&summary, position, item)?)?;
            match given {
                Given::Nothing => {}
                Given::Value(reads) => {
                    known.reads.extend(self.reads(reads)?);
                    known.taken.as_mut()?.extend(self.taken(&summary, reads));
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
        let name = self.procedure.parts.first().map_or("", |part| self.unit.values.tree.names.text(part.name.name));
        reader.function(summary, name, self.list, self.span);
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
    fn all_reads(&self) -> Vec<ArrayReference> {
        let mut reader = self.reader();
        let is_out = self.out_arguments();
        for (position, item) in self.list.items.iter().enumerate() {
            if !is_out(position, item) {
                reader.argument(&item.value, &Alignments::unclear());
            }
        }
        reader.found.iter_mut().for_each(|read| read.is_handed_over = true);
        reader.found
    }

    /// Which arguments are known to be not read, but to get values only.
    fn out_arguments(&self) -> impl Fn(usize, &Argument) -> bool {
        let values = &self.unit.values;
        let summary = self.summary();
        let statement = values.flow.statements[self.position];
        let symbol = match self.procedure.parts.as_slice() {
            [part] => values.resolved.symbol_at(statement, part.name.name),
            _ => None,
        };
        let interface = symbol.and_then(|symbol| match &values.resolved.symbol(symbol).kind {
            SymbolKind::Subroutine { interface } => interface.clone(),
            _ => None,
        });
        let names = &values.tree.names;
        move |position, item| {
            if let Some(summary) = &summary {
                let dummies = summary.dummies.iter().map(|dummy| dummy.name.as_str());
                let dummy = item.dummy(position, dummies, names).and_then(|at| summary.dummies.get(at));
                return dummy.is_some_and(|dummy| dummy.intent == Some(Intent::Out));
            }
            let Some(interface) = &interface else { return false };
            let dummies = interface.dummies.iter().map(|dummy| dummy.name.as_str());
            let dummy = item.dummy(position, dummies, names).and_then(|at| interface.dummies.get(at));
            dummy.is_some_and(|dummy| dummy.properties.intent == Some(Intent::Out))
        }
    }
}
