//! Index normal form: a subscript as a sum of variables with integer coefficients and a constant.
//!
//! `1+i`, `i-(-1)`, `(i+2)-1` and `i + k - 1` with `parameter (k=2)` all become *i + 1*. What is not linear becomes an *opaque*
//! term that remembers which variables occur in it.

use std::collections::{BTreeMap, BTreeSet};

use super::reads::is_inquiry;
use crate::names::{PartClass, Resolved, SymbolId};
use crate::source::Span;
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{
    Argument, ArgumentValue, BinaryOperator, Expression, ExpressionKind, Reference, StatementId, Tree, UnaryOperator,
};

/// A term of an index, apart from its coefficient.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term {
    /// A scalar variable.
    Variable(SymbolId),
    /// Anything else, by its text (lower case, no blanks).
    Opaque(String),
}

impl Term {
    /// The variable, if it is one.
    fn variable(&self) -> Option<SymbolId> {
        match self {
            Term::Variable(symbol) => Some(*symbol),
            Term::Opaque(_) => None,
        }
    }
}

/// An index in normal form: the sum of its terms with their coefficients (never 0) and the constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct LinearForm {
    /// The terms with their coefficients.
    pub terms: BTreeMap<Term, i64>,
    /// The constant.
    pub constant: i64,
}

/// A subscript that is an index, with everything that decides what it is relative to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    /// The normal form.
    pub form: LinearForm,
    /// Every scalar variable in it, those inside opaque terms too.
    pub variables: BTreeSet<SymbolId>,
    /// Whether it holds a reference to an array or to a function of the program.
    pub indirect: bool,
    /// The arrays that an opaque term reads: their bases.
    pub arrays: BTreeSet<SymbolId>,
    /// Whether it holds a reference to a function that isn't intrinsic, or to something unknown.
    pub calls: bool,
}

impl LinearForm {
    fn constant(value: i64) -> Self {
        LinearForm { constant: value, ..LinearForm::default() }
    }

    fn term(term: Term) -> Self {
        LinearForm { terms: BTreeMap::from([(term, 1)]), constant: 0 }
    }

    fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`; `None` on overflow.
    fn plus(mut self, other: &LinearForm, factor: i64) -> Option<LinearForm> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (term, coefficient) in &other.terms {
            let sum = self.terms.entry(term.clone()).or_insert(0);
            *sum = sum.checked_add(coefficient.checked_mul(factor)?)?;
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        Some(self)
    }
}

/// Where an expression stands, for looking names up.
#[derive(Clone, Copy)]
pub struct Place<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The statement.
    pub statement: StatementId,
    /// Whether results are to be compared with those of CamFort (`mod(e, n)` counts as `e`).
    pub paper: bool,
}

impl Place<'_> {
    /// The normal form of an index.
    pub fn index(self, expression: &Expression) -> Index {
        let form = self.linear(expression).unwrap_or_else(|| self.opaque(expression));
        let mut index =
            Index { form, variables: BTreeSet::new(), indirect: false, arrays: BTreeSet::new(), calls: false };
        if index.form.terms.keys().all(|term| matches!(term, Term::Variable(_))) {
            // What cancels out, or is constant, does not count.
            index.variables = index.form.terms.keys().filter_map(Term::variable).collect();
            return index;
        }
        let mut settled: Vec<Span> = Vec::new();
        walk_subexpressions(expression, &mut |inner| {
            let ExpressionKind::Reference(reference) = &inner.kind else { return };
            if settled.iter().any(|span| span.encloses(inner.span)) {
                return;
            }
            let is_constant = self.resolved.constant(self.tree, self.statement, inner).is_some();
            if is_constant || is_inquiry(self, reference) {
                settled.push(inner.span);
            } else {
                self.note_reference(reference, &mut index);
            }
        });
        index
    }

    fn note_reference(self, reference: &Reference, index: &mut Index) {
        let Some(first) = reference.parts.first() else { return };
        let Some(symbol) = self.resolved.symbol_at(self.statement, first.name.name) else { return };
        for class in self.resolved.classify(self.tree, self.statement, reference) {
            match class {
                PartClass::Array { .. } => {
                    index.indirect = true;
                    index.arrays.insert(symbol);
                }
                PartClass::Function | PartClass::StatementFunction => {
                    index.indirect = true;
                    index.calls = true;
                }
                PartClass::Unknown if reference.parts.iter().any(|part| !part.lists.is_empty()) => {
                    index.indirect = true;
                    index.calls = true;
                }
                PartClass::Scalar | PartClass::Substring | PartClass::Unknown => {
                    index.variables.insert(symbol);
                }
                PartClass::Intrinsic | PartClass::StructureConstructor | PartClass::Constant => {}
            }
        }
    }

    /// An expression as one opaque term.
    fn opaque(self, expression: &Expression) -> LinearForm {
        let text = self.tree.source.texts.bytes(expression.span);
        let text: String = text
            .iter()
            .filter(|byte| !byte.is_ascii_whitespace())
            .map(|&byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        LinearForm::term(Term::Opaque(text))
    }

    /// The linear form; `None` when a number overflows.
    fn linear(self, expression: &Expression) -> Option<LinearForm> {
        match &expression.kind {
            ExpressionKind::Parenthesised(inner) => self.linear(inner),
            ExpressionKind::Unary(UnaryOperator::Plus, inner) => self.linear(inner),
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => LinearForm::default().plus(&self.linear(inner)?, -1),
            ExpressionKind::Binary(first, rest) => self.operations(expression, first, rest),
            ExpressionKind::Reference(reference) => self.reference(expression, reference),
            _ => self.folded(expression),
        }
    }

    /// A constant, or an opaque term.
    fn folded(self, expression: &Expression) -> Option<LinearForm> {
        Some(match self.resolved.constant(self.tree, self.statement, expression) {
            Some(value) => LinearForm::constant(value),
            None => self.opaque(expression),
        })
    }

    fn operations(
        self,
        whole: &Expression,
        first: &Expression,
        rest: &[(BinaryOperator, Expression)],
    ) -> Option<LinearForm> {
        let mut sum = self.linear(first)?;
        for (operator, operand) in rest {
            sum = match operator {
                BinaryOperator::Add => sum.plus(&self.linear(operand)?, 1)?,
                BinaryOperator::Subtract => sum.plus(&self.linear(operand)?, -1)?,
                BinaryOperator::Multiply => {
                    let factor = self.linear(operand)?;
                    match (sum.as_constant(), factor.as_constant()) {
                        (_, Some(constant)) => LinearForm::default().plus(&sum, constant)?,
                        (Some(constant), None) => LinearForm::default().plus(&factor, constant)?,
                        (None, None) => return self.folded(whole),
                    }
                }
                _ => return self.folded(whole),
            };
        }
        Some(sum)
    }

    fn reference(self, expression: &Expression, reference: &Reference) -> Option<LinearForm> {
        if let Some(inner) = self.modulo_argument(reference) {
            return self.linear(inner);
        }
        let symbol = reference.parts.first().and_then(|part| self.resolved.symbol_at(self.statement, part.name.name));
        let classes = self.resolved.classify(self.tree, self.statement, reference);
        if let ([PartClass::Scalar | PartClass::Unknown], [part], Some(symbol)) =
            (classes.as_slice(), reference.parts.as_slice(), symbol)
            && part.lists.is_empty()
        {
            return Some(LinearForm::term(Term::Variable(symbol)));
        }
        self.folded(expression)
    }

    /// In paper mode, `e` of `mod(e, n)`.
    fn modulo_argument(self, reference: &Reference) -> Option<&Expression> {
        let [part] = reference.parts.as_slice() else { return None };
        let is_modulo = self.paper && matches!(self.tree.names.text(part.name.name), "mod" | "modulo");
        let [list] = part.lists.as_slice() else { return None };
        match list.items.as_slice() {
            [Argument { value: ArgumentValue::Expression(inner), .. }, _] if is_modulo => Some(inner),
            _ => None,
        }
    }
}
