//! The values that an expression may have.
//!
//! It is put into normal form ([`Index`]). A scalar that changes in the loops stands for the values that it has there
//! ([`super::scalar_values`]); periodic and clamped forms (`mod(i, n) + 1`, `min(i + 1, n)`) for their value away from
//! the border ([`super::border`]). So an index can have several values: one for each way on which control arrives.

use std::collections::{BTreeMap, BTreeSet};

use super::bounded::Bounded;
use super::context::ValueContext;
use super::expression::ExpressionContext;
use super::index::{Index, IndexSum, Inside, Selection, VALUES, combined};
use crate::flow::{FlowPosition, canonical};
use crate::intrinsics::{self, Evaluation};
use crate::names::{PartClass, SymbolId};
use crate::source::Span;
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{BinaryOperator, Expression, ExpressionKind, Reference, UnaryOperator};

/// Longest text of what a variable in an opaque atom stands for.
const LONGEST: usize = 512;

/// What the dummy arguments of a statement function or procedure stand for.
pub type Bindings = BTreeMap<SymbolId, Vec<Index>>;

/// Finds the values of the expressions of one statement.
#[derive(Clone, Copy)]
pub struct Evaluator<'a, 't> {
    /// The unit.
    pub values: &'a ValueContext<'t>,
    /// Where names are looked up.
    pub context: ExpressionContext<'t>,
    /// Position of the statement that is executed.
    pub position: FlowPosition,
    /// What stands for dummy arguments.
    pub bindings: Option<&'a Bindings>,
}

impl<'a, 't> Evaluator<'a, 't> {
    /// For the expressions of the statement at a position.
    pub fn new(values: &'a ValueContext<'t>, position: FlowPosition) -> Self {
        Evaluator { values, context: values.expression_context(position), position, bindings: None }
    }

    /// The values that an expression may have, at least one.
    pub fn evaluate(&self, expression: &Expression) -> Vec<Index> {
        self.linear(expression).filter(|values| !values.is_empty()).unwrap_or_else(|| self.opaque(expression))
    }

    /// The linear forms; `None` when a number overflows or there are too many.
    fn linear(&self, expression: &Expression) -> Option<Vec<Index>> {
        match &expression.kind {
            ExpressionKind::Parenthesised(inner) => self.linear(inner),
            ExpressionKind::Unary(UnaryOperator::Plus, inner) => self.linear(inner),
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => combined(&zero(), &self.linear(inner)?, -1),
            ExpressionKind::Binary(operations) => self.operations(expression, &operations.first, &operations.rest),
            ExpressionKind::Conditional(tests, last) if !self.context.paper => {
                // Each test stands before the values behind it.
                let mut selection = Selection::Always;
                let mut cases = Vec::with_capacity(tests.len() + 1);
                for (test, value) in tests {
                    selection = selection.max(self.selects(test));
                    cases.push((value, selection));
                }
                cases.push((&**last, selection));
                self.one_of(cases.into_iter())
            }
            ExpressionKind::Reference(reference) => self.reference(expression, reference),
            _ => Some(self.folded(expression)),
        }
    }

    /// The values of all of these: it is one of them, as something decides.
    pub(super) fn one_of<'e>(&self, cases: impl Iterator<Item = (&'e Expression, Selection)>) -> Option<Vec<Index>> {
        let mut found = Vec::new();
        for (case, selection) in cases {
            for mut value in self.linear(case)? {
                value.derivation.is_computed = true;
                value.derivation.selection = value.derivation.selection.max(selection);
                if !found.contains(&value) {
                    found.push(value);
                }
            }
        }
        (found.len() <= VALUES).then_some(found)
    }

    /// A constant, or an opaque atom.
    pub(super) fn folded(&self, expression: &Expression) -> Vec<Index> {
        match self.context.constant(expression) {
            Some(value) => vec![Index::constant(value)],
            None => self.opaque(expression),
        }
    }

    fn operations(
        &self,
        whole: &Expression,
        first: &Expression,
        rest: &[(BinaryOperator, Expression)],
    ) -> Option<Vec<Index>> {
        let mut sum = self.linear(first)?;
        for (operator, operand) in rest {
            sum = match operator {
                BinaryOperator::Add => combined(&sum, &self.linear(operand)?, 1)?,
                BinaryOperator::Subtract => combined(&sum, &self.linear(operand)?, -1)?,
                BinaryOperator::Multiply => {
                    let factor = self.linear(operand)?;
                    match (as_constant(&sum), as_constant(&factor)) {
                        (_, Some(constant)) => combined(&zero(), &sum, constant)?,
                        (Some(constant), None) => combined(&zero(), &factor, constant)?,
                        (None, None) => return Some(self.folded(whole)),
                    }
                }
                _ => return Some(self.folded(whole)),
            };
        }
        Some(sum)
    }

    fn reference(&self, expression: &Expression, reference: &Reference) -> Option<Vec<Index>> {
        if let [part] = reference.parts.as_slice()
            && part.lists.is_empty()
        {
            let symbol = self.context.resolved.symbol_at(self.context.statement, part.name.name);
            return Some(match symbol.map(|symbol| (symbol, self.context.resolved.class_of(symbol, part))) {
                Some((symbol, PartClass::Scalar | PartClass::Unknown)) => {
                    let symbol = self.meant(symbol);
                    self.variable(symbol).unwrap_or_else(|| vec![Index::variable(symbol)])
                }
                _ => self.folded(expression),
            });
        }
        if self.context.paper {
            if let Some(inner) = self.modulo_argument(reference) {
                return self.linear(inner);
            }
        } else if let Some((function, list)) = self.context.intrinsic(reference)
            && let Some(values) = self.border_function(function, list)
        {
            return Some(values);
        } else if let Some((array, dimension)) = Bounded::of_inquiry(self.context, expression)
            && self.context.constant(expression).is_none()
        {
            return Some(vec![self.values.bounds.of(&array, dimension).index()]);
        }
        Some(self.folded(expression))
    }

    /// In paper mode, `e` of `mod(e, n)`.
    fn modulo_argument<'r>(&self, reference: &'r Reference) -> Option<&'r Expression> {
        let [part] = reference.parts.as_slice() else { return None };
        let function = intrinsics::function(self.context.tree.names.text(part.name.name))?;
        let is_modulo = matches!(function.evaluation, Some(Evaluation::Remainder | Evaluation::Modulo));
        let [list] = part.lists.as_slice() else { return None };
        match list.items.as_slice() {
            [argument, _] if is_modulo => argument.expression(),
            _ => None,
        }
    }

    fn symbol(&self, name: crate::syntax::Name) -> Option<SymbolId> {
        Some(self.meant(self.context.resolved.symbol_at(self.context.statement, name)?))
    }

    /// The variable that a name stands for.
    fn meant(&self, symbol: SymbolId) -> SymbolId {
        if self.context.paper { symbol } else { canonical(self.context.resolved, symbol) }
    }

    /// What a scalar stands for, if not for itself.
    fn variable(&self, symbol: SymbolId) -> Option<Vec<Index>> {
        if let Some(bound) = self.bindings.and_then(|bindings| bindings.get(&symbol)) {
            return Some(bound.clone());
        }
        Some(self.values.scalar_values(self.position, symbol)?.to_vec())
    }

    /// An expression as one opaque atom.
    pub(super) fn opaque(&self, expression: &Expression) -> Vec<Index> {
        let mut text = self.context.text(expression.span);
        let mut inside = Inside::default();
        let mut replaced: BTreeSet<SymbolId> = BTreeSet::new();
        let mut settled: Vec<Span> = Vec::new();
        walk_subexpressions(expression, &mut |inner| {
            let ExpressionKind::Reference(reference) = &inner.kind else { return };
            if settled.iter().any(|span| span.encloses(inner.span)) {
                return;
            }
            if self.context.constant(inner).is_some() || self.context.is_inquiry(reference) {
                settled.push(inner.span);
            } else {
                self.note_reference(reference, &mut inside, &mut replaced);
            }
        });
        // The same text with other values of what stands in it is another index.
        for symbol in replaced {
            let values = self.variable(symbol).unwrap_or_default();
            values.iter().for_each(|value| {
                inside.variables.extend(value.variables());
                inside.add(&value.inside);
            });
            let forms: Vec<&IndexSum> = values.iter().map(|value| &value.form).collect();
            let meaning = format!("[{symbol:?}={forms:?}]");
            // What is long is told apart by its place.
            match meaning.len() <= LONGEST {
                true => text.push_str(&meaning),
                false => text.push_str(&format!("[{symbol:?}@{:?}]", self.position)),
            }
        }
        vec![Index::opaque(text, inside)]
    }

    fn note_reference(&self, reference: &Reference, inside: &mut Inside, replaced: &mut BTreeSet<SymbolId>) {
        let Some(first) = reference.parts.first() else { return };
        let Some(symbol) = self.symbol(first.name.name) else { return };
        for class in self.context.resolved.classify(self.context.tree, self.context.statement, reference) {
            match class {
                PartClass::Array { .. } => {
                    inside.indirect = true;
                    inside.arrays.insert(symbol);
                }
                PartClass::Function | PartClass::StatementFunction => {
                    inside.indirect = true;
                    inside.calls = true;
                }
                PartClass::Unknown if reference.parts.iter().any(|part| !part.lists.is_empty()) => {
                    inside.indirect = true;
                    inside.calls = true;
                }
                PartClass::Scalar | PartClass::Substring | PartClass::Unknown => {
                    let is_name = reference.parts.len() == 1;
                    if is_name && self.variable(symbol).is_some() {
                        replaced.insert(symbol);
                    } else {
                        inside.variables.insert(symbol);
                    }
                }
                PartClass::Intrinsic | PartClass::StructureConstructor | PartClass::Constant => {}
            }
        }
    }
}

fn zero() -> Vec<Index> {
    vec![Index::default()]
}

/// The constant that all of the values are.
fn as_constant(values: &[Index]) -> Option<i64> {
    match values {
        [one] => one.form.as_constant(),
        _ => None,
    }
}
