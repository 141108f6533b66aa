//! Of which kind of type an expression is: integers are followed, data is not, and says nothing of sizes.

use crate::syntax::{BinaryOperator, Expression, ExpressionKind, LiteralKind, Reference, UnaryOperator};

use super::point::Point;

impl Point<'_, '_> {
    /// Whether an expression is an integer, as far as its type can be seen.
    pub fn is_integer(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Literal(literal) => matches!(literal.kind, LiteralKind::Integer(_)),
            ExpressionKind::Parenthesised(inner)
            | ExpressionKind::Unary(UnaryOperator::Plus | UnaryOperator::Minus, inner) => self.is_integer(inner),
            ExpressionKind::Binary(operations) => {
                operations.rest.iter().all(|(operator, _)| operator.is_numeric())
                    && operations.operands().all(|operand| self.is_integer(operand))
            }
            ExpressionKind::Reference(reference) => self.is_integer_reference(reference),
            ExpressionKind::Complex(_)
            | ExpressionKind::Substring(..)
            | ExpressionKind::Unary(..)
            | ExpressionKind::ArrayConstructor { .. }
            | ExpressionKind::ImpliedDo(_)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::PercentFunction(..)
            | ExpressionKind::Nil
            | ExpressionKind::Star
            | ExpressionKind::Repeat(..) => false,
        }
    }

    fn is_integer_reference(&self, reference: &Reference) -> bool {
        if let Some(name) = reference.as_name()
            && self.bound.iter().any(|(bound, _)| *bound == name.name)
        {
            return true;
        }
        if let Some((function, list)) = self.context().intrinsic(reference) {
            let first = || list.items.iter().find_map(|item| item.expression());
            return match function.name {
                "size" | "lbound" | "ubound" | "int" | "nint" | "floor" | "ceiling" | "len" | "len_trim" | "count"
                | "index" | "ichar" | "iachar" | "shape" | "kind" | "maxloc" | "minloc" | "findloc" | "idint"
                | "ifix" => true,
                "max" | "min" | "abs" | "mod" | "modulo" | "sign" | "merge" | "iand" | "ior" | "ieor" | "ishft"
                | "dim" | "sum" | "product" | "maxval" | "minval" => {
                    first().is_some_and(|argument| self.is_integer(argument))
                }
                "max0" | "min0" | "iabs" => true,
                _ => false,
            };
        }
        self.unit.resolved.type_of(self.unit.tree, self.statement, reference).is_some_and(|type_| type_.is_integer())
    }

    /// Whether a logical expression is one of data: it compares characters or real numbers, or asks whether there is an
    /// array or a target.
    pub(super) fn is_of_data(&self, expression: &Expression) -> bool {
        if let ExpressionKind::Reference(reference) = &expression.kind {
            let function = self.context().intrinsic(reference).map(|(function, _)| function.name);
            return matches!(function, Some("allocated" | "associated" | "lge" | "lgt" | "lle" | "llt"));
        }
        let ExpressionKind::Binary(operations) = &expression.kind else { return false };
        operations.rest.len() == 1
            && operations.rest[0].0.is_relational()
            && operations.operands().any(|operand| self.is_data(operand))
    }

    /// Whether an expression is certainly of type character, real or complex.
    pub fn is_data(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Literal(literal) => match literal.kind {
                LiteralKind::Real | LiteralKind::Character | LiteralKind::Hollerith => true,
                LiteralKind::Integer(_) | LiteralKind::Logical(_) | LiteralKind::Boz => false,
            },
            ExpressionKind::Parenthesised(inner)
            | ExpressionKind::Unary(UnaryOperator::Plus | UnaryOperator::Minus, inner) => self.is_data(inner),
            ExpressionKind::Binary(operations) => {
                let is_of_operands =
                    |operator: &BinaryOperator| operator.is_numeric() || *operator == BinaryOperator::Concatenate;
                operations.rest.iter().all(|(operator, _)| is_of_operands(operator))
                    && operations.operands().any(|operand| self.is_data(operand))
            }
            ExpressionKind::Reference(reference) => match self.context().intrinsic(reference) {
                Some((_, list)) => {
                    !self.is_integer_reference(reference)
                        && list.items.iter().filter_map(|item| item.expression()).any(|argument| self.is_data(argument))
                }
                None => {
                    let type_ = self.unit.resolved.type_of(self.unit.tree, self.statement, reference);
                    type_.is_some_and(|type_| type_.base.is_data())
                }
            },
            ExpressionKind::Substring(..) | ExpressionKind::Complex(_) => true,
            ExpressionKind::Unary(..)
            | ExpressionKind::ArrayConstructor { .. }
            | ExpressionKind::ImpliedDo(_)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::PercentFunction(..)
            | ExpressionKind::Nil
            | ExpressionKind::Star
            | ExpressionKind::Repeat(..) => false,
        }
    }
}
