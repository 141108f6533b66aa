//! Attributes and declared entities (clause 8).

use super::Writer;
use crate::syntax::ast::declaration::*;
use crate::syntax::ast::expression::Expression;

impl Writer<'_> {
    /// What stands in front of the names of a declaration: its keyword or type, the attributes, and `::`.
    pub(super) fn head(&mut self, keyword: &str, attributes: &[Attribute]) {
        self.put(keyword);
        self.attributes(attributes);
        self.put(" :: ");
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.put(", ");
            self.attribute(attribute);
        }
    }

    /// R802 attr-spec. An empty shape is that of a DIMENSION or CODIMENSION statement.
    pub(super) fn attribute(&mut self, attribute: &Attribute) {
        match attribute {
            Attribute::Abstract => self.put("abstract"),
            Attribute::Allocatable => self.put("allocatable"),
            Attribute::Asynchronous => self.put("asynchronous"),
            Attribute::Automatic => self.put("automatic"),
            Attribute::Bind(list) => {
                self.put("bind");
                self.argument_list(list);
            }
            Attribute::Codimension(coshape) => {
                self.put("codimension");
                if !coshape.dimensions.is_empty() {
                    self.coshape(coshape);
                }
            }
            Attribute::Contiguous => self.put("contiguous"),
            Attribute::Deferred => self.put("deferred"),
            Attribute::Dimension(shape) => {
                self.put("dimension");
                if shape.assumed_rank || !shape.dimensions.is_empty() {
                    self.shape(shape);
                }
            }
            Attribute::Extends(parent) => {
                self.put("extends");
                self.bracketed([parent], Self::identifier);
            }
            Attribute::External => self.put("external"),
            Attribute::Intent(Intent::In) => self.put("intent(in)"),
            Attribute::Intent(Intent::Out) => self.put("intent(out)"),
            Attribute::Intent(Intent::InOut) => self.put("intent(inout)"),
            Attribute::Intrinsic => self.put("intrinsic"),
            Attribute::Kind => self.put("kind"),
            Attribute::Len => self.put("len"),
            Attribute::NonOverridable => self.put("non_overridable"),
            Attribute::NoPass => self.put("nopass"),
            Attribute::Optional => self.put("optional"),
            Attribute::Parameter => self.put("parameter"),
            Attribute::Pass(argument) => {
                self.put("pass");
                if let Some(argument) = argument {
                    self.bracketed([argument], Self::identifier);
                }
            }
            Attribute::Pointer => self.put("pointer"),
            Attribute::Private => self.put("private"),
            Attribute::Protected => self.put("protected"),
            Attribute::Public => self.put("public"),
            Attribute::Rank(rank) => {
                self.put("rank");
                self.bracketed([&**rank], Self::expression);
            }
            Attribute::Save => self.put("save"),
            Attribute::Sequence => self.put("sequence"),
            Attribute::Static => self.put("static"),
            Attribute::Target => self.put("target"),
            Attribute::Value => self.put("value"),
            Attribute::Volatile => self.put("volatile"),
            Attribute::Macro(name, list) => {
                self.identifier(name);
                self.optional_arguments(list);
            }
        }
    }

    pub(super) fn shape(&mut self, shape: &ArraySpec) {
        match shape.assumed_rank {
            true => self.put("(..)"),
            false => self.bracketed(&shape.dimensions, Self::dimension),
        }
    }

    pub(super) fn coshape(&mut self, coshape: &Coshape) {
        self.put("[");
        self.separated(&coshape.dimensions, Self::dimension);
        self.put("]");
    }

    fn dimension(&mut self, dimension: &DimensionSpec) {
        let mut lower = |lower: &Option<Expression>, mark| {
            if let Some(lower) = lower {
                self.expression(lower);
                self.put(mark);
            }
        };
        match dimension {
            DimensionSpec::Explicit(first, last) => {
                lower(first, ":");
                self.expression(last);
            }
            DimensionSpec::Colon(first) => {
                lower(first, "");
                self.put(":");
            }
            DimensionSpec::Star(first) => {
                lower(first, ":");
                self.put("*");
            }
        }
    }

    pub(super) fn entities(&mut self, entities: &[Entity]) {
        self.separated(entities, Self::entity);
    }

    /// R803 entity-decl.
    pub(super) fn entity(&mut self, entity: &Entity) {
        self.identifier(&entity.name);
        entity.shape.iter().for_each(|shape| self.shape(shape));
        entity.coshape.iter().for_each(|coshape| self.coshape(coshape));
        if let Some(length) = &entity.length {
            self.char_length(length);
        }
        match &entity.initial {
            Some(Initializer::Value(value)) => {
                self.put(" = ");
                self.expression(value);
            }
            Some(Initializer::Pointer(target)) => {
                self.put(" => ");
                self.expression(target);
            }
            Some(Initializer::Slashes(values)) => self.values(values),
            None => {}
        }
    }

    /// `*` and R723 char-length: a number, or anything in brackets.
    pub(super) fn char_length(&mut self, length: &Length) {
        self.put("*");
        match length {
            Length::Expression(value) if is_number(value) => self.expression(value),
            Length::Expression(_) | Length::Assumed | Length::Deferred => self.bracketed([length], Self::length),
        }
    }

    /// `/ data-stmt-value-list /`.
    pub(super) fn values(&mut self, values: &[Expression]) {
        self.put(" / ");
        self.expressions(values);
        self.put(" /");
    }

    /// R1508 generic-spec.
    pub(super) fn generic_spec(&mut self, spec: &GenericSpec) {
        match spec {
            GenericSpec::Name(name) => self.identifier(name),
            GenericSpec::Operator(operator) => {
                self.put("operator");
                self.bracketed([operator], Self::identifier);
            }
            GenericSpec::Assignment => self.put("assignment(=)"),
            GenericSpec::DefinedIo { direction, form } => {
                self.identifier(direction);
                self.bracketed([form], Self::identifier);
            }
        }
    }
}

fn is_number(value: &Expression) -> bool {
    use crate::syntax::ast::expression::{ExpressionKind, LiteralKind};
    matches!(&value.kind, ExpressionKind::Literal(literal) if matches!(literal.kind, LiteralKind::Integer(_)))
}
