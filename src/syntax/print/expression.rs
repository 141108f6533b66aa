//! Expressions, designators and their lists (clauses 7, 9 and 10).

use super::{Style, Writer};
use crate::syntax::ast::expression::*;

impl Writer<'_> {
    pub(super) fn expressions(&mut self, expressions: &[Expression]) {
        self.separated(expressions, Self::expression);
    }

    /// R1022 expr.
    pub(super) fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Literal(literal) => self.literal(literal),
            ExpressionKind::Complex(parts) => {
                let (real, imaginary) = &**parts;
                self.bracketed([real, imaginary], Self::expression);
            }
            ExpressionKind::Reference(reference) => self.reference(reference),
            ExpressionKind::Substring(parent, range) => {
                self.expression(parent);
                self.argument_list(range);
            }
            ExpressionKind::Parenthesised(inner) => self.parenthesised(inner),
            ExpressionKind::Unary(operator, operand) => self.operation(|writer| {
                writer.unary_operator(*operator);
                writer.expression(operand);
            }),
            ExpressionKind::Binary(operations) => self.operation(|writer| {
                writer.expression(&operations.first);
                for (operator, term) in &operations.rest {
                    writer.binary_operator(*operator);
                    writer.expression(term);
                }
            }),
            ExpressionKind::ArrayConstructor { type_spec, values } => {
                self.put("[");
                if let Some(type_spec) = type_spec {
                    self.bare_type_spec(type_spec);
                    self.put(" :: ");
                }
                self.expressions(values);
                self.put("]");
            }
            ExpressionKind::ImpliedDo(implied) => self.implied_do(implied),
            ExpressionKind::Conditional(branches, otherwise) => {
                self.put("(");
                for (test, value) in branches {
                    self.expression(test);
                    self.put(" ? ");
                    self.expression(value);
                    self.put(" : ");
                }
                self.expression(otherwise);
                self.put(")");
            }
            ExpressionKind::PercentFunction(name, argument) => {
                self.put("%");
                self.identifier(name);
                self.bracketed([&**argument], Self::expression);
            }
            ExpressionKind::Star => self.put("*"),
            ExpressionKind::Nil => self.put(".nil."),
            ExpressionKind::Repeat(count, value) => {
                self.expression(count);
                self.put("*");
                self.expression(value);
            }
        }
    }

    fn literal(&mut self, literal: &Literal) {
        if self.style == Style::Bracketed {
            self.put(match literal.kind {
                LiteralKind::Integer(Some(_)) | LiteralKind::Character => "",
                LiteralKind::Integer(None) => "big:",
                LiteralKind::Real => "real:",
                LiteralKind::Logical(_) => "logical:",
                LiteralKind::Boz => "boz:",
                LiteralKind::Hollerith => "hollerith:",
            });
        }
        self.name(literal.text);
    }

    /// R1001 `( expr )`; the brackets of the source are told from those of an operation.
    fn parenthesised(&mut self, inner: &Expression) {
        let (open, close) = match self.style {
            Style::Fortran => ("(", ")"),
            Style::Bracketed => ("<", ">"),
        };
        self.put(open);
        self.expression(inner);
        self.put(close);
    }

    /// Operations of one precedence level.
    fn operation(&mut self, write: impl FnOnce(&mut Self)) {
        let is_bracketed = self.style == Style::Bracketed;
        self.put(if is_bracketed { "(" } else { "" });
        write(self);
        self.put(if is_bracketed { ")" } else { "" });
    }

    fn unary_operator(&mut self, operator: UnaryOperator) {
        match operator {
            UnaryOperator::Plus => self.put("+"),
            UnaryOperator::Minus => self.put("-"),
            UnaryOperator::Not => self.put(".not. "),
            UnaryOperator::Defined(name) => {
                self.put(".");
                self.name(name);
                self.put(". ");
            }
        }
    }

    fn binary_operator(&mut self, operator: BinaryOperator) {
        let text = match operator {
            BinaryOperator::Power => "**",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Add => " + ",
            BinaryOperator::Subtract => " - ",
            BinaryOperator::Concatenate => " // ",
            BinaryOperator::Equal => " == ",
            BinaryOperator::NotEqual => " /= ",
            BinaryOperator::Less => " < ",
            BinaryOperator::LessEqual => " <= ",
            BinaryOperator::Greater => " > ",
            BinaryOperator::GreaterEqual => " >= ",
            BinaryOperator::And => " .and. ",
            BinaryOperator::Or => " .or. ",
            BinaryOperator::Equivalent => " .eqv. ",
            BinaryOperator::NotEquivalent => " .neqv. ",
            BinaryOperator::Defined(name) => {
                self.put(" .");
                self.name(name);
                ". "
            }
        };
        self.put(text);
    }

    /// R774 ac-implied-do and its like.
    fn implied_do(&mut self, implied: &ImpliedDo) {
        self.put("(");
        self.expressions(&implied.items);
        self.put(", ");
        if let Some(type_spec) = &implied.type_spec {
            self.bare_type_spec(type_spec);
            self.put(" :: ");
        }
        self.identifier(&implied.variable);
        self.put(" = ");
        self.separated([&implied.lower, &implied.upper].into_iter().chain(&implied.step), Self::expression);
        self.put(")");
    }

    /// R901 designator.
    pub(super) fn reference(&mut self, reference: &Reference) {
        for (at, part) in reference.parts.iter().enumerate() {
            if at > 0 {
                self.put("%");
            }
            self.identifier(&part.name);
            part.lists.iter().for_each(|list| self.argument_list(list));
            if let Some(image) = &part.image {
                self.put("[");
                self.separated(&image.items, Self::argument);
                self.put("]");
            }
        }
    }

    pub(super) fn argument_list(&mut self, list: &ArgumentList) {
        self.bracketed(&list.items, Self::argument);
    }

    /// A list, if there is one.
    pub(super) fn optional_arguments(&mut self, list: &Option<ArgumentList>) {
        list.iter().for_each(|list| self.argument_list(list));
    }

    /// R1523 actual-arg-spec, R919 section-subscript.
    fn argument(&mut self, argument: &Argument) {
        if let Some(keyword) = &argument.keyword {
            self.identifier(keyword);
            self.put("=");
        }
        self.argument_value(&argument.value);
    }

    fn argument_value(&mut self, value: &ArgumentValue) {
        match value {
            ArgumentValue::Expression(value) => self.expression(value),
            ArgumentValue::Section(section) => self.section(section),
            ArgumentValue::AlternateReturn(label) => {
                self.put("*");
                self.number(label);
            }
            ArgumentValue::Omitted => {}
            ArgumentValue::Multiple(inner) => {
                self.put("@");
                self.argument_value(inner);
            }
        }
    }

    /// R921 subscript-triplet.
    fn section(&mut self, section: &Section) {
        section.lower.iter().for_each(|lower| self.expression(lower));
        self.put(":");
        section.upper.iter().for_each(|upper| self.expression(upper));
        if let Some(stride) = &section.stride {
            self.put(":");
            self.expression(stride);
        }
    }
}
