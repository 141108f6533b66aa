//! Types, and the statements that define them (clause 7).

use super::Writer;
use crate::syntax::ast::declaration::*;
use crate::syntax::ast::expression::{ArgumentList, Expression};
use crate::syntax::ast::names::{Identifier, Name};
use crate::syntax::ast::statement::TypeSpecOrName;

impl Writer<'_> {
    /// R703 declaration-type-spec.
    pub(super) fn type_spec(&mut self, spec: &TypeSpec) {
        match &spec.kind {
            TypeSpecKind::Intrinsic { base, kind, length } => self.intrinsic(*base, kind.as_ref(), length.as_ref()),
            TypeSpecKind::Derived(name, list) => self.named_type("type", name, list),
            TypeSpecKind::Class(name, list) => self.named_type("class", name, list),
            TypeSpecKind::ClassStar => self.put("class(*)"),
            TypeSpecKind::TypeStar => self.put("type(*)"),
            TypeSpecKind::TypeOfIntrinsic(inner) => {
                self.put("type");
                self.bracketed([&**inner], Self::type_spec);
            }
            TypeSpecKind::TypeOf(value) => {
                self.put("typeof");
                self.bracketed([&**value], Self::expression);
            }
            TypeSpecKind::ClassOf(value) => {
                self.put("classof");
                self.bracketed([&**value], Self::expression);
            }
            TypeSpecKind::Generic(text) => self.name(*text),
            TypeSpecKind::Record(_) => {
                self.put("record ");
                self.structure_name(spec);
            }
            TypeSpecKind::Macro(name, list) => {
                self.identifier(name);
                self.optional_arguments(list);
            }
        }
    }

    /// A statement whose text behind its keyword is kept as it is.
    pub(super) fn keyword_and_text(&mut self, keyword: &'static str, text: Name) {
        self.put(keyword);
        self.name(text);
    }

    /// R702 type-spec, where a derived type stands without `type(…)`.
    pub(super) fn bare_type_spec(&mut self, spec: &TypeSpec) {
        match &spec.kind {
            TypeSpecKind::Derived(name, list) => {
                self.identifier(name);
                self.optional_arguments(list);
            }
            TypeSpecKind::Intrinsic { .. }
            | TypeSpecKind::Class(..)
            | TypeSpecKind::ClassStar
            | TypeSpecKind::TypeStar
            | TypeSpecKind::TypeOfIntrinsic(_)
            | TypeSpecKind::TypeOf(_)
            | TypeSpecKind::ClassOf(_)
            | TypeSpecKind::Record(_)
            | TypeSpecKind::Generic(_)
            | TypeSpecKind::Macro(..) => self.type_spec(spec),
        }
    }

    fn named_type(&mut self, keyword: &str, name: &Identifier, list: &Option<ArgumentList>) {
        self.put(keyword);
        self.put("(");
        self.identifier(name);
        self.optional_arguments(list);
        self.put(")");
    }

    /// The name between slashes of DEC RECORD.
    pub(super) fn structure_name(&mut self, spec: &TypeSpec) {
        if let TypeSpecKind::Record(name) = &spec.kind {
            self.slashed(name);
        }
    }

    /// R704 intrinsic-type-spec.
    fn intrinsic(&mut self, base: IntrinsicType, kind: Option<&KindSelector>, length: Option<&Length>) {
        self.put(base.keyword());
        match (length, kind) {
            (None, None) => {}
            (None, Some(KindSelector::Bytes(bytes))) => {
                self.put("*");
                self.number(bytes);
            }
            (length, kind) => {
                self.put("(");
                if let Some(length) = length {
                    self.put("len=");
                    self.length(length);
                }
                if let Some(KindSelector::Kind(kind)) = kind {
                    self.put(if length.is_some() { ", kind=" } else { "kind=" });
                    self.expression(kind);
                }
                self.put(")");
            }
        }
    }

    /// R701 type-param-value.
    pub(super) fn length(&mut self, length: &Length) {
        match length {
            Length::Expression(value) => self.expression(value),
            Length::Assumed => self.put("*"),
            Length::Deferred => self.put(":"),
        }
    }

    /// R727 derived-type-stmt.
    pub(super) fn derived_type(&mut self, attributes: &[Attribute], name: &Identifier, parameters: &[Identifier]) {
        self.head("type", attributes);
        self.identifier(name);
        if !parameters.is_empty() {
            self.bracketed(parameters, Self::identifier);
        }
    }

    /// R1512 procedure-declaration-stmt, R741 proc-component-def-stmt.
    pub(super) fn procedure_declaration(
        &mut self,
        interface: &Option<TypeSpecOrName>,
        attributes: &[Attribute],
        entities: &[Entity],
    ) {
        self.put("procedure(");
        match interface {
            Some(TypeSpecOrName::Name(name)) => self.identifier(name),
            Some(TypeSpecOrName::Type(spec)) => self.type_spec(spec),
            None => {}
        }
        self.head(")", attributes);
        self.entities(entities);
    }

    /// R749 type-bound-procedure-stmt.
    pub(super) fn type_bound_procedure(
        &mut self,
        interface: &Option<Identifier>,
        attributes: &[Attribute],
        bindings: &[Binding],
    ) {
        self.put("procedure");
        if let Some(interface) = interface {
            self.bracketed([interface], Self::identifier);
        }
        self.head("", attributes);
        self.separated(bindings, Self::binding);
    }

    /// R751 type-bound-generic-stmt, R1510 generic-stmt.
    pub(super) fn generic(&mut self, attributes: &[Attribute], spec: &GenericSpec, targets: &[Identifier]) {
        self.head("generic", attributes);
        self.generic_spec(spec);
        self.put(" => ");
        self.identifiers(targets);
    }

    /// R760 enum-def-stmt.
    pub(super) fn enumeration(&mut self, attributes: &[Attribute], name: &Option<Identifier>) {
        match name {
            None => {
                self.put("enum");
                self.attributes(attributes);
            }
            Some(name) => {
                self.head("enum", attributes);
                self.identifier(name);
            }
        }
    }

    /// DEC STRUCTURE.
    pub(super) fn structure(&mut self, name: &Option<Identifier>, entities: &[Entity]) {
        self.put("structure");
        if let Some(name) = name {
            self.put(" ");
            self.slashed(name);
        }
        if !entities.is_empty() {
            self.put(" ");
            self.entities(entities);
        }
    }

    fn binding(&mut self, binding: &Binding) {
        self.identifier(&binding.name);
        if let Some(target) = &binding.target {
            self.put(" => ");
            self.identifier(target);
        }
    }

    pub(super) fn enumerator(&mut self, (name, value): &(Identifier, Option<Expression>)) {
        self.identifier(name);
        if let Some(value) = value {
            self.put(" = ");
            self.expression(value);
        }
    }
}
