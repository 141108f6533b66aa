//! The values that an index may have.
//!
//! An index is put into normal form ([`Index`]). A scalar that changes in the loops stands for what it holds there
//! ([`super::held`]); periodic and clamped forms (`mod(i, n) + 1`, `min(i + 1, n)`) for their value away from the border
//! ([`super::border`]). So an index can have several values: one for each way on which control arrives.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysis;
use super::index::{Derivation, Index, IndexSum, Inside};
use crate::flow::{BlockId, FlowPosition, canonical};
use crate::intrinsics::{self, Evaluation, Intrinsic};
use crate::names::{PartClass, Resolved, SymbolId};
use crate::source::Span;
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{
    Argument, ArgumentList, ArgumentValue, BinaryOperator, Expression, ExpressionKind, Literal, LiteralKind, Reference,
    StatementId, Tree, UnaryOperator,
};

/// Longest text of what a variable in an opaque atom stands for.
const LONGEST: usize = 512;
/// More values than this are not told apart.
pub(super) const VALUES: usize = 16;

/// Where an expression stands, for looking names up.
#[derive(Clone, Copy)]
pub struct Place<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The statement.
    pub statement: StatementId,
    /// Whether results are to be compared with those of CamFort.
    pub paper: bool,
}

impl Place<'_> {
    /// The intrinsic function that a reference calls, with its arguments.
    pub fn intrinsic<'r>(&self, reference: &'r Reference) -> Option<(&'static Intrinsic, &'r ArgumentList)> {
        let [part] = reference.parts.as_slice() else { return None };
        let [list] = part.lists.as_slice() else { return None };
        if self.resolved.classify(self.tree, self.statement, reference).as_slice() != [PartClass::Intrinsic] {
            return None;
        }
        Some((intrinsics::function(self.tree.names.text(part.name.name))?, list))
    }

    /// Whether a reference asks about an array or variable without reading its elements: such a value does not change in a loop
    /// that does not allocate.
    pub fn is_inquiry(&self, reference: &Reference) -> bool {
        self.intrinsic(reference).is_some_and(|(function, _)| function.is_inquiry())
    }

    /// The text of a part of the statement: lower case, without blanks and continuations.
    pub fn text(&self, span: Span) -> String {
        let source = &self.tree.source;
        let statement = source.statements.get(self.statement.index());
        let text = statement.and_then(|statement| source.part_of(statement, span));
        let text = text.unwrap_or_else(|| source.texts.bytes(span).to_vec()).into_iter();
        text.filter(|byte| !byte.is_ascii_whitespace()).map(|byte| char::from(byte.to_ascii_lowercase())).collect()
    }

    /// Whether an expression is known to be an array.
    pub fn is_array(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Literal(_) => false,
            ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(_, inner) => self.is_array(inner),
            ExpressionKind::Binary(operations) => operations.operands().any(|operand| self.is_array(operand)),
            ExpressionKind::Reference(reference) if reference.as_name().is_some() => {
                let classes = self.resolved.classify(self.tree, self.statement, reference);
                matches!(classes.as_slice(), [PartClass::Array { rank: 1.. }])
            }
            _ => self.resolved.rank(self.tree, self.statement, expression).is_some_and(|rank| rank > 0),
        }
    }

    /// The value of an integer constant expression.
    pub fn constant(&self, expression: &Expression) -> Option<i64> {
        match &expression.kind {
            // With a kind the value may be too large for it.
            ExpressionKind::Literal(Literal { kind: LiteralKind::Integer(Some(value)), text })
                if !self.tree.names.text(*text).contains('_') =>
            {
                Some(*value)
            }
            _ => self.resolved.constant(self.tree, self.statement, expression),
        }
    }
}

/// The expression that an argument is.
pub fn expression_of(argument: &Argument) -> Option<&Expression> {
    match &argument.value {
        ArgumentValue::Expression(expression) => Some(expression),
        _ => None,
    }
}

/// What the dummy arguments of a statement function or procedure stand for.
pub type Bindings = BTreeMap<SymbolId, Vec<Index>>;

/// Finds the values of the expressions of one statement.
#[derive(Clone, Copy)]
pub struct Evaluator<'a, 't> {
    /// The unit.
    pub analysis: &'a Analysis<'t>,
    /// Where names are looked up.
    pub place: Place<'t>,
    /// Position of the statement that is executed.
    pub position: FlowPosition,
    /// What stands for dummy arguments.
    pub bindings: Option<&'a Bindings>,
}

impl<'a, 't> Evaluator<'a, 't> {
    /// For the expressions of the statement at a position.
    pub fn at(analysis: &'a Analysis<'t>, position: FlowPosition) -> Self {
        Evaluator { analysis, place: analysis.place(position), position, bindings: None }
    }

    /// The values that an expression may have, at least one.
    pub fn values(&self, expression: &Expression) -> Vec<Index> {
        self.linear(expression).filter(|values| !values.is_empty()).unwrap_or_else(|| self.opaque(expression))
    }

    /// The linear forms; `None` when a number overflows or there are too many.
    fn linear(&self, expression: &Expression) -> Option<Vec<Index>> {
        match &expression.kind {
            ExpressionKind::Parenthesised(inner) => self.linear(inner),
            ExpressionKind::Unary(UnaryOperator::Plus, inner) => self.linear(inner),
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => combined(&zero(), &self.linear(inner)?, -1),
            ExpressionKind::Binary(operations) => self.operations(expression, &operations.first, &operations.rest),
            ExpressionKind::Conditional(tests, last) if !self.place.paper => {
                let cases = tests.iter().map(|(_, value)| value).chain(std::iter::once(&**last));
                self.one_of(cases)
            }
            ExpressionKind::Reference(reference) => self.reference(expression, reference),
            _ => Some(self.folded(expression)),
        }
    }

    /// The values of all of these: it is one of them.
    pub(super) fn one_of<'e>(&self, cases: impl Iterator<Item = &'e Expression>) -> Option<Vec<Index>> {
        let mut found = Vec::new();
        for case in cases {
            for mut value in self.linear(case)? {
                value.derivation.is_computed = true;
                if !found.contains(&value) {
                    found.push(value);
                }
            }
        }
        (found.len() <= VALUES).then_some(found)
    }

    /// A constant, or an opaque atom.
    pub(super) fn folded(&self, expression: &Expression) -> Vec<Index> {
        match self.place.constant(expression) {
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
            let symbol = self.place.resolved.symbol_at(self.place.statement, part.name.name);
            return Some(match symbol.map(|symbol| (symbol, self.place.resolved.class_of(symbol, part))) {
                Some((symbol, PartClass::Scalar | PartClass::Unknown)) => {
                    let symbol = self.meant(symbol);
                    self.variable(symbol).unwrap_or_else(|| vec![Index::variable(symbol)])
                }
                _ => self.folded(expression),
            });
        }
        if self.place.paper {
            if let Some(inner) = self.modulo_argument(reference) {
                return self.linear(inner);
            }
        } else if let Some((function, list)) = self.place.intrinsic(reference)
            && let Some(values) = self.border_function(function, list)
        {
            return Some(values);
        }
        Some(self.folded(expression))
    }

    /// In paper mode, `e` of `mod(e, n)`.
    fn modulo_argument<'r>(&self, reference: &'r Reference) -> Option<&'r Expression> {
        let [part] = reference.parts.as_slice() else { return None };
        let function = intrinsics::function(self.place.tree.names.text(part.name.name))?;
        let is_modulo = matches!(function.evaluation, Some(Evaluation::Remainder | Evaluation::Modulo));
        let [list] = part.lists.as_slice() else { return None };
        match list.items.as_slice() {
            [argument, _] if is_modulo => expression_of(argument),
            _ => None,
        }
    }

    fn symbol(&self, name: crate::syntax::Name) -> Option<SymbolId> {
        Some(self.meant(self.place.resolved.symbol_at(self.place.statement, name)?))
    }

    /// The variable that a name stands for.
    fn meant(&self, symbol: SymbolId) -> SymbolId {
        if self.place.paper { symbol } else { canonical(self.place.resolved, symbol) }
    }

    /// What a scalar stands for, if not for itself.
    fn variable(&self, symbol: SymbolId) -> Option<Vec<Index>> {
        if let Some(bound) = self.bindings.and_then(|bindings| bindings.get(&symbol)) {
            return Some(bound.clone());
        }
        let held = self.analysis.held(self.position, symbol)?;
        Some(held.to_vec())
    }

    /// An expression as one opaque atom.
    pub(super) fn opaque(&self, expression: &Expression) -> Vec<Index> {
        let mut text = self.place.text(expression.span);
        let mut inside = Inside::default();
        let mut replaced: BTreeSet<SymbolId> = BTreeSet::new();
        let mut settled: Vec<Span> = Vec::new();
        walk_subexpressions(expression, &mut |inner| {
            let ExpressionKind::Reference(reference) = &inner.kind else { return };
            if settled.iter().any(|span| span.encloses(inner.span)) {
                return;
            }
            if self.place.constant(inner).is_some() || self.place.is_inquiry(reference) {
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
        for class in self.place.resolved.classify(self.place.tree, self.place.statement, reference) {
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

/// All sums of a value on the left with `factor` times one on the right. Where both sides have several, these must come from the same
/// blocks of statements: then those of one block belong together.
pub(super) fn combined(left: &[Index], right: &[Index], factor: i64) -> Option<Vec<Index>> {
    if let ([one], [other]) = (left, right) {
        return Some(vec![one.plus(other, factor)?]);
    }
    let origins = |values: &[Index]| values.iter().map(|value| value.derivation.origin).collect::<Vec<_>>();
    let is_paired = are_paired(&origins(left), &origins(right))?;
    let mut found: Vec<Index> = Vec::new();
    for one in left {
        for other in right {
            if !is_paired || one.derivation.origin == other.derivation.origin {
                let sum = one.plus(other, factor)?;
                if !found.contains(&sum) {
                    found.push(sum);
                }
            }
        }
    }
    (found.len() <= VALUES).then_some(found)
}

/// Whether of the values of two indices, given by their origins, only those of the same origin occur together: not if one of them has one
/// value only; `None` if it cannot be said, because they have not the same origins.
pub(super) fn are_paired(left: &[Option<BlockId>], right: &[Option<BlockId>]) -> Option<bool> {
    if left.len() <= 1 || right.len() <= 1 {
        return Some(false);
    }
    let distinct = |origins: &[Option<BlockId>]| origins.iter().copied().collect::<Option<BTreeSet<BlockId>>>();
    let (ours, theirs) = (distinct(left)?, distinct(right)?);
    (ours == theirs && ours.len() == left.len() && ours.len() == right.len()).then_some(true)
}

/// Marks values as computed.
pub(super) fn computed(mut values: Vec<Index>, at_border: bool) -> Vec<Index> {
    for value in &mut values {
        value.derivation =
            Derivation { is_computed: true, at_border: at_border || value.derivation.at_border, ..value.derivation };
    }
    values
}
