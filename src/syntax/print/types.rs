//! Types, and the statements that define them (clause 7).

use super::Writer;
use crate::syntax::ast::declaration::*;
use crate::syntax::ast::expression::{ArgumentList, Expression};
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{StatementKind, TypeSpecOrName};

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

    /// R702 type-spec, where a derived type stands without `type(…)`.
    pub(super) fn bare_type_spec(&mut self, spec: &TypeSpec) {
        match &spec.kind {
            TypeSpecKind::Derived(name, list) => {
                self.identifier(name);
                self.optional_arguments(list);
            }
            _ => self.type_spec(spec),
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
            self.put("/");
            self.identifier(name);
            self.put("/");
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

    /// Definitions of types and what only stands in them. Says whether the statement was one.
    pub(super) fn type_definition(&mut self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::DerivedType { attributes, name, parameters } => {
                self.head("type", attributes);
                self.identifier(name);
                if !parameters.is_empty() {
                    self.bracketed(parameters, Self::identifier);
                }
            }
            StatementKind::Sequence => self.put("sequence"),
            StatementKind::ProcedureDeclaration { interface, attributes, entities } => {
                self.put("procedure(");
                match interface {
                    Some(TypeSpecOrName::Name(name)) => self.identifier(name),
                    Some(TypeSpecOrName::Type(spec)) => self.type_spec(spec),
                    None => {}
                }
                self.head(")", attributes);
                self.entities(entities);
            }
            StatementKind::TypeBoundProcedure { interface, attributes, bindings } => {
                self.put("procedure");
                if let Some(interface) = interface {
                    self.bracketed([interface], Self::identifier);
                }
                self.head("", attributes);
                self.separated(bindings, Self::binding);
            }
            StatementKind::Generic { attributes, spec, targets } => {
                self.head("generic", attributes);
                self.generic_spec(spec);
                self.put(" => ");
                self.identifiers(targets);
            }
            StatementKind::Final(names) => {
                self.put("final :: ");
                self.identifiers(names);
            }
            StatementKind::Enum { attributes, name: None } => {
                self.put("enum");
                self.attributes(attributes);
            }
            StatementKind::Enum { attributes, name: Some(name) } => {
                self.head("enum", attributes);
                self.identifier(name);
            }
            StatementKind::Enumerator(values) => {
                self.put("enumerator :: ");
                self.separated(values, Self::enumerator);
            }
            StatementKind::EnumerationType { attributes, name } => {
                self.head("enumeration type", attributes);
                self.identifier(name);
            }
            StatementKind::Structure { name, entities } => {
                self.put("structure");
                if let Some(name) = name {
                    self.put(" /");
                    self.identifier(name);
                    self.put("/");
                }
                if !entities.is_empty() {
                    self.put(" ");
                    self.entities(entities);
                }
            }
            StatementKind::Union => self.put("union"),
            StatementKind::Map => self.put("map"),
            _ => return false,
        }
        true
    }

    fn binding(&mut self, binding: &Binding) {
        self.identifier(&binding.name);
        if let Some(target) = &binding.target {
            self.put(" => ");
            self.identifier(target);
        }
    }

    fn enumerator(&mut self, (name, value): &(Identifier, Option<Expression>)) {
        self.identifier(name);
        if let Some(value) = value {
            self.put(" = ");
            self.expression(value);
        }
    }
}
