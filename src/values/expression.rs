//! What can be said of an expression by where it stands, without the flow of the unit.

use super::array::ArrayKey;
use crate::flow::canonical;
use crate::intrinsics::{self, Intrinsic};
use crate::names::{PartClass, Resolved};
use crate::source::Span;
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{ArgumentList, Expression, ExpressionKind, Literal, LiteralKind, Reference, StatementId, Tree};

/// Where an expression stands, for looking names up.
#[derive(Clone, Copy)]
pub struct ExpressionContext<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The statement.
    pub statement: StatementId,
    /// Whether results are to be compared with those of CamFort.
    pub paper: bool,
}

impl ExpressionContext<'_> {
    /// The intrinsic function that a reference calls, with its arguments.
    pub fn intrinsic<'r>(&self, reference: &'r Reference) -> Option<(&'static Intrinsic, &'r ArgumentList)> {
        let [part] = reference.parts.as_slice() else { return None };
        let [list] = part.lists.as_slice() else { return None };
        if self.resolved.classify(self.tree, self.statement, reference).as_slice() != [PartClass::Intrinsic] {
            return None;
        }
        Some((intrinsics::function(self.tree.names.text(part.name.name))?, list))
    }

    /// Whether some text of the statement came out of a macro.
    pub fn is_from_macro(&self) -> bool {
        self.tree.source.statements.get(self.statement.index()).is_some_and(|logical| logical.from_macro)
    }

    /// Whether a reference asks about an array or variable without reading its elements: such a value does not change
    /// in a loop that does not allocate.
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

    /// Whether a condition depends on more than integers and logical flags: on arrays, functions of the program, or
    /// real numbers.
    pub fn depends_on_data(&self, condition: &Expression) -> bool {
        let mut found = false;
        walk_subexpressions(condition, &mut |inner| {
            let ExpressionKind::Reference(reference) = &inner.kind else { return };
            let classes = self.resolved.classify(self.tree, self.statement, reference);
            found |= classes.iter().any(|class| {
                matches!(class, PartClass::Array { .. } | PartClass::Function | PartClass::StatementFunction)
            });
            if let ([PartClass::Scalar], [part]) = (classes.as_slice(), reference.parts.as_slice()) {
                let symbol = self.resolved.symbol_at(self.statement, part.name.name);
                let type_ = symbol.and_then(|symbol| self.resolved.symbol(symbol).type_);
                found |= type_.is_some_and(|type_| type_.is_real());
            }
        });
        found
    }

    /// The array that a reference is of.
    pub fn array_key(&self, reference: &Reference) -> Option<ArrayKey> {
        let first = reference.parts.first()?;
        let symbol = canonical(self.resolved, self.resolved.symbol_at(self.statement, first.name.name)?);
        Some(ArrayKey::new(symbol, &reference.parts))
    }
}
