//! Compact text of expressions, fully bracketed: what tests and dumps compare.
//!
//! Entry point: [`expression_text`]. Every operator node is bracketed, so the text shows how an expression was understood.

use std::fmt::Write;

use super::ast::expression::*;
use super::ast::names::{Identifier, Name, NameTable};

/// An expression with one pair of brackets for each operator node; a kept pair of parentheses is written `<…>`.
pub fn expression_text(names: &NameTable, expression: &Expression) -> String {
    let mut writer = Writer { names, text: String::new() };
    writer.expression(expression);
    writer.text
}

/// A reference, as in [`expression_text`].
pub fn reference_text(names: &NameTable, reference: &Reference) -> String {
    let mut writer = Writer { names, text: String::new() };
    writer.reference(reference);
    writer.text
}

/// A list in brackets, as in [`expression_text`].
pub fn argument_list_text(names: &NameTable, list: &ArgumentList) -> String {
    let mut writer = Writer { names, text: String::new() };
    writer.list(list, "(", ")");
    writer.text
}

struct Writer<'a> {
    names: &'a NameTable,
    text: String,
}

impl Writer<'_> {
    fn name(&mut self, name: Name) {
        self.text.push_str(self.names.text(name));
    }

    fn identifier(&mut self, identifier: &Identifier) {
        self.name(identifier.name);
    }

    fn separated<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text.push_str(", ");
            }
            write(self, item);
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Literal(literal) => self.literal(literal),
            ExpressionKind::Complex(parts) => {
                self.text.push_str("complex(");
                self.expression(&parts.0);
                self.text.push_str(", ");
                self.expression(&parts.1);
                self.text.push(')');
            }
            ExpressionKind::Reference(reference) => self.reference(reference),
            ExpressionKind::Substring(parent, range) => {
                self.expression(parent);
                self.list(range, "(", ")");
            }
            ExpressionKind::Parenthesised(inner) => {
                self.text.push('<');
                self.expression(inner);
                self.text.push('>');
            }
            ExpressionKind::Unary(operator, operand) => self.unary(*operator, operand),
            ExpressionKind::Binary(operations) => {
                self.text.push('(');
                self.expression(&operations.first);
                for (operator, term) in &operations.rest {
                    let _ = write!(self.text, " {} ", operator_text(self.names, *operator));
                    self.expression(term);
                }
                self.text.push(')');
            }
            ExpressionKind::ArrayConstructor { type_spec, values } => {
                self.text.push_str(if type_spec.is_some() { "[type :: " } else { "[" });
                self.separated(values, Self::expression);
                self.text.push(']');
            }
            ExpressionKind::ImpliedDo(implied) => self.implied_do(implied),
            ExpressionKind::Conditional(branches, otherwise) => {
                self.text.push('(');
                for (test, value) in branches {
                    self.expression(test);
                    self.text.push_str(" ? ");
                    self.expression(value);
                    self.text.push_str(" : ");
                }
                self.expression(otherwise);
                self.text.push(')');
            }
            ExpressionKind::PercentFunction(name, argument) => {
                let _ = write!(self.text, "%{}(", self.names.text(name.name));
                self.expression(argument);
                self.text.push(')');
            }
            ExpressionKind::Star => self.text.push('*'),
            ExpressionKind::Repeat(count, value) => {
                self.expression(count);
                self.text.push_str(" times ");
                self.expression(value);
            }
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expression) {
        self.text.push('(');
        match operator {
            UnaryOperator::Plus => self.text.push('+'),
            UnaryOperator::Minus => self.text.push('-'),
            UnaryOperator::Not => self.text.push_str("not "),
            UnaryOperator::Defined(name) => {
                let _ = write!(self.text, ".{}. ", self.names.text(name));
            }
        }
        self.expression(operand);
        self.text.push(')');
    }

    fn implied_do(&mut self, implied: &ImpliedDo) {
        self.text.push_str("do(");
        self.separated(&implied.items, Self::expression);
        self.text.push_str("; ");
        if implied.type_spec.is_some() {
            self.text.push_str("type :: ");
        }
        self.identifier(&implied.variable);
        self.text.push_str(" = ");
        self.expression(&implied.lower);
        self.text.push_str(", ");
        self.expression(&implied.upper);
        if let Some(step) = &implied.step {
            self.text.push_str(", ");
            self.expression(step);
        }
        self.text.push(')');
    }

    fn literal(&mut self, literal: &Literal) {
        let kind = match literal.kind {
            LiteralKind::Integer(Some(_)) => "",
            LiteralKind::Integer(None) => "big:",
            LiteralKind::Real => "real:",
            LiteralKind::Logical(_) => "logical:",
            LiteralKind::Character => "",
            LiteralKind::Boz => "boz:",
            LiteralKind::Hollerith => "hollerith:",
        };
        self.text.push_str(kind);
        self.name(literal.text);
    }

    fn reference(&mut self, reference: &Reference) {
        for (at, part) in reference.parts.iter().enumerate() {
            if at > 0 {
                self.text.push('%');
            }
            self.identifier(&part.name);
            for list in &part.lists {
                self.list(list, "(", ")");
            }
            if let Some(image) = &part.image {
                self.list(image, "[", "]");
            }
        }
    }

    fn list(&mut self, list: &ArgumentList, open: &str, close: &str) {
        self.text.push_str(open);
        self.separated(&list.items, |writer, item| {
            if let Some(keyword) = &item.keyword {
                let _ = write!(writer.text, "{}=", writer.names.text(keyword.name));
            }
            writer.value(&item.value);
        });
        self.text.push_str(close);
    }

    fn value(&mut self, value: &ArgumentValue) {
        match value {
            ArgumentValue::Expression(expression) => self.expression(expression),
            ArgumentValue::AlternateReturn(label) => {
                let _ = write!(self.text, "*{label}");
            }
            ArgumentValue::Omitted => self.text.push('_'),
            ArgumentValue::Section(section) => {
                if let Some(lower) = &section.lower {
                    self.expression(lower);
                }
                self.text.push(':');
                if let Some(upper) = &section.upper {
                    self.expression(upper);
                }
                if let Some(stride) = &section.stride {
                    self.text.push(':');
                    self.expression(stride);
                }
            }
        }
    }
}

fn operator_text(names: &NameTable, operator: BinaryOperator) -> String {
    let text = match operator {
        BinaryOperator::Power => "**",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Concatenate => "//",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "/=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::And => "and",
        BinaryOperator::Or => "or",
        BinaryOperator::Equivalent => "eqv",
        BinaryOperator::NotEquivalent => "neqv",
        BinaryOperator::Defined(name) => return format!(".{}.", names.text(name)),
    };
    text.to_string()
}
