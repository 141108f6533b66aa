//! Compact text of specification statements: what tests and the tree dump show.
//!
//! Entry point: [`declaration_text`]. Keywords are in upper case, expressions as in [`super::dump`].

use super::ast::declaration::*;
use super::ast::expression::{ArgumentList, Expression};
use super::ast::names::{Identifier, NameTable};
use super::ast::statement::*;
use super::dump::{argument_list_text, expression_text, reference_text};

/// A specification statement, program unit header or END statement; `None` for any other statement.
pub fn declaration_text(names: &NameTable, kind: &StatementKind) -> Option<String> {
    let text = Text { names };
    text.of_unit(kind)
        .or_else(|| text.of_scope(kind))
        .or_else(|| text.of_names(kind))
        .or_else(|| text.of_type_definition(kind))
}

fn join<T>(items: &[T], text: impl FnMut(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn ranges(letters: &[(u8, u8)]) -> String {
    join(letters, |(first, last)| match first == last {
        true => char::from(*first).to_string(),
        false => format!("{}-{}", char::from(*first), char::from(*last)),
    })
}

struct Text<'a> {
    names: &'a NameTable,
}

impl Text<'_> {
    fn name(&self, name: &Identifier) -> &str {
        self.names.text(name.name)
    }

    fn after_blank(&self, name: &Option<Identifier>) -> String {
        name.as_ref().map_or(String::new(), |name| format!(" {}", self.name(name)))
    }

    fn name_list(&self, names: &[Identifier]) -> String {
        join(names, |name| self.name(name).to_owned())
    }

    fn expression(&self, expression: &Expression) -> String {
        expression_text(self.names, expression)
    }

    fn expressions(&self, expressions: &[Expression]) -> String {
        join(expressions, |expression| self.expression(expression))
    }

    fn arguments(&self, arguments: &Option<ArgumentList>) -> String {
        arguments.as_ref().map_or(String::new(), |list| argument_list_text(self.names, list))
    }

    /// Headers and ends of program units.
    fn of_unit(&self, kind: &StatementKind) -> Option<String> {
        Some(match kind {
            StatementKind::Program(name) => format!("PROGRAM {}", self.name(name)),
            StatementKind::Module(name) => format!("MODULE {}", self.name(name)),
            StatementKind::Submodule { name, ancestor, parent } => {
                let parent = parent.as_ref().map_or(String::new(), |parent| format!(":{}", self.name(parent)));
                format!("SUBMODULE ({}{parent}) {}", self.name(ancestor), self.name(name))
            }
            StatementKind::BlockData(name) => format!("BLOCK DATA{}", self.after_blank(name)),
            StatementKind::Subroutine(subprogram) => self.subprogram("SUBROUTINE", subprogram),
            StatementKind::Function(subprogram) => self.subprogram("FUNCTION", subprogram),
            StatementKind::ModuleProcedure { module, names } => {
                format!("{}PROCEDURE {}", if *module { "MODULE " } else { "" }, self.name_list(names))
            }
            StatementKind::Entry { name, dummies, suffix } => {
                format!("ENTRY {}({}){}", self.name(name), self.dummies(dummies), self.suffix(suffix))
            }
            StatementKind::Contains => "CONTAINS".to_owned(),
            StatementKind::End { of, options, name } => match of {
                Some(of) => {
                    let (keywords, options) = (super::nesting::unbalanced::end_text(*of), self.arguments(options));
                    format!("{keywords}{options}{}", self.after_blank(name))
                }
                None => "END".to_owned(),
            },
            _ => return None,
        })
    }

    /// Statements about the names of a whole scope: USE, IMPORT, IMPLICIT.
    fn of_scope(&self, kind: &StatementKind) -> Option<String> {
        Some(match kind {
            StatementKind::Use { nature, module, only, items } => {
                let nature = nature.as_ref().map_or(String::new(), |nature| format!(", {} ::", self.name(nature)));
                let only = if *only { ", ONLY:" } else { "" };
                let items = join(items, |item| match &item.remote {
                    Some(remote) => format!("{} => {}", self.generic(&item.local), self.generic(remote)),
                    None => self.generic(&item.local),
                });
                format!("USE{nature} {}{only}{}{items}", self.name(module), if items.is_empty() { "" } else { " " })
            }
            StatementKind::Import { mode, names } => {
                let mode = mode.as_ref().map_or(String::new(), |mode| format!(", {}", self.name(mode)));
                format!("IMPORT{mode} {}", self.name_list(names)).trim_end().to_owned()
            }
            StatementKind::Implicit(ImplicitRule::None(restricted)) => {
                format!("IMPLICIT NONE {}", self.name_list(restricted)).trim_end().to_owned()
            }
            StatementKind::Implicit(ImplicitRule::Types(types)) => {
                format!(
                    "IMPLICIT {}",
                    join(types, |(spec, letters)| format!("{} ({})", self.type_spec(spec), ranges(letters)))
                )
            }
            _ => return None,
        })
    }

    /// Specification statements about single names.
    fn of_names(&self, kind: &StatementKind) -> Option<String> {
        Some(match kind {
            StatementKind::TypeDeclaration(declaration) => {
                let head = self.type_spec(&declaration.type_spec) + &self.attributes(&declaration.attributes);
                format!("{head} :: {}", self.entities(&declaration.entities))
            }
            StatementKind::Records(declarations) => join(declarations, |declaration| {
                format!("{} :: {}", self.type_spec(&declaration.type_spec), self.entities(&declaration.entities))
            }),
            StatementKind::AttributeStatement { attribute, entities, blocks, generics } => {
                let items = [
                    self.entities(entities),
                    join(blocks, |block| format!("/{}/", self.name(block))),
                    join(generics, |generic| self.generic(generic)),
                ];
                let items = items.iter().filter(|list| !list.is_empty()).cloned().collect::<Vec<_>>().join(", ");
                format!("{} :: {items}", self.attribute(attribute)).trim_end_matches(" :: ").to_owned()
            }
            StatementKind::Parameter(constants) => format!(
                "PARAMETER {}",
                join(constants, |(name, value)| format!("{} = {}", self.name(name), self.expression(value)))
            ),
            StatementKind::Data(sets) => {
                let set =
                    |set: &DataSet| format!("{} /{}/", self.expressions(&set.objects), self.expressions(&set.values));
                format!("DATA {}", join(sets, set))
            }
            StatementKind::Common(groups) => format!("COMMON {}", self.groups(groups)),
            StatementKind::Namelist(groups) => format!("NAMELIST {}", self.groups(groups)),
            StatementKind::Equivalence(sets) => {
                let set = |set: &EquivalenceSet| format!("({})", join(set, |item| reference_text(self.names, item)));
                format!("EQUIVALENCE {}", join(sets, set))
            }
            StatementKind::Interface { is_abstract, generic } => {
                let generic = generic.as_ref().map_or(String::new(), |generic| format!(" {}", self.generic(generic)));
                format!("{}INTERFACE{generic}", if *is_abstract { "ABSTRACT " } else { "" })
            }
            StatementKind::CrayPointer(pairs) => {
                let pair =
                    |pair: &CrayPointer| format!("({}, {})", self.name(&pair.pointer), self.entity(&pair.pointee));
                format!("POINTER {}", join(pairs, pair))
            }
            _ => return None,
        })
    }

    /// Definitions of types and what stands in them.
    fn of_type_definition(&self, kind: &StatementKind) -> Option<String> {
        Some(match kind {
            StatementKind::DerivedType { attributes, name, parameters } => {
                let parameters = match parameters.is_empty() {
                    true => String::new(),
                    false => format!("({})", self.name_list(parameters)),
                };
                format!("TYPE{} :: {}{parameters}", self.attributes(attributes), self.name(name))
            }
            StatementKind::Sequence => "SEQUENCE".to_owned(),
            StatementKind::ProcedureDeclaration { interface, attributes, entities } => {
                let interface = match interface {
                    Some(TypeSpecOrName::Name(name)) => self.name(name).to_owned(),
                    Some(TypeSpecOrName::Type(spec)) => self.type_spec(spec),
                    None => String::new(),
                };
                format!("PROCEDURE({interface}){} :: {}", self.attributes(attributes), self.entities(entities))
            }
            StatementKind::TypeBoundProcedure { interface, attributes, bindings } => {
                let interface = interface.as_ref().map_or(String::new(), |name| format!("({})", self.name(name)));
                let binding = |binding: &Binding| match &binding.target {
                    Some(target) => format!("{} => {}", self.name(&binding.name), self.name(target)),
                    None => self.name(&binding.name).to_owned(),
                };
                format!("BINDING{interface}{} :: {}", self.attributes(attributes), join(bindings, binding))
            }
            StatementKind::Generic { attributes, spec, targets } => {
                let head = self.attributes(attributes);
                format!("GENERIC{head} :: {} => {}", self.generic(spec), self.name_list(targets))
            }
            StatementKind::Final(names) => format!("FINAL {}", self.name_list(names)),
            StatementKind::Enum { attributes, name } => {
                format!("ENUM{}{}", self.attributes(attributes), self.after_blank(name))
            }
            StatementKind::Enumerator(values) => {
                let value = |(name, value): &(Identifier, Option<Expression>)| match value {
                    Some(value) => format!("{} = {}", self.name(name), self.expression(value)),
                    None => self.name(name).to_owned(),
                };
                format!("ENUMERATOR {}", join(values, value))
            }
            StatementKind::EnumerationType { attributes, name } => {
                format!("ENUMERATION TYPE{} :: {}", self.attributes(attributes), self.name(name))
            }
            StatementKind::Structure { name, entities } => {
                let name = name.as_ref().map_or(String::new(), |name| format!(" /{}/", self.name(name)));
                format!("STRUCTURE{name} {}", self.entities(entities)).trim_end().to_owned()
            }
            StatementKind::Union => "UNION".to_owned(),
            StatementKind::Map => "MAP".to_owned(),
            _ => return None,
        })
    }

    fn type_spec(&self, spec: &TypeSpec) -> String {
        match &spec.kind {
            TypeSpecKind::Intrinsic { base, kind, length } => self.intrinsic(*base, kind.as_ref(), length.as_ref()),
            TypeSpecKind::Derived(name, list) => format!("type({}{})", self.name(name), self.arguments(list)),
            TypeSpecKind::Class(name, list) => format!("class({}{})", self.name(name), self.arguments(list)),
            TypeSpecKind::ClassStar => "class(*)".to_owned(),
            TypeSpecKind::TypeStar => "type(*)".to_owned(),
            TypeSpecKind::TypeOfIntrinsic(inner) => format!("type({})", self.type_spec(inner)),
            TypeSpecKind::TypeOf(value) => format!("typeof({})", self.expression(value)),
            TypeSpecKind::ClassOf(value) => format!("classof({})", self.expression(value)),
            TypeSpecKind::Record(name) => format!("record /{}/", self.name(name)),
            TypeSpecKind::Macro(name, list) => format!("macro {}{}", self.name(name), self.arguments(list)),
        }
    }

    fn intrinsic(&self, base: IntrinsicType, kind: Option<&KindSelector>, length: Option<&Length>) -> String {
        let mut text = base.keyword().to_owned();
        if let Some(length) = length {
            text += &format!("(len={})", self.length(length));
        }
        match kind {
            Some(KindSelector::Kind(kind)) => text += &format!("(kind={})", self.expression(kind)),
            Some(KindSelector::Bytes(bytes)) => text += &format!("*{bytes}"),
            None => {}
        }
        text
    }

    fn length(&self, length: &Length) -> String {
        match length {
            Length::Expression(value) => self.expression(value),
            Length::Assumed => "*".to_owned(),
            Length::Deferred => ":".to_owned(),
        }
    }

    fn attributes(&self, attributes: &[Attribute]) -> String {
        attributes.iter().map(|attribute| format!(", {}", self.attribute(attribute))).collect()
    }

    fn attribute(&self, attribute: &Attribute) -> String {
        match attribute {
            Attribute::Bind(list) => format!("BIND{}", argument_list_text(self.names, list)),
            Attribute::Codimension(coshape) => format!("CODIMENSION[{}]", self.dimensions(&coshape.dimensions)),
            Attribute::Dimension(shape) if shape.dimensions.is_empty() && !shape.assumed_rank => "DIMENSION".to_owned(),
            Attribute::Dimension(shape) => format!("DIMENSION{}", self.shape(shape)),
            Attribute::Extends(parent) => format!("EXTENDS({})", self.name(parent)),
            Attribute::Intent(intent) => format!("INTENT({})", format!("{intent:?}").to_uppercase()),
            Attribute::Pass(Some(argument)) => format!("PASS({})", self.name(argument)),
            Attribute::Pass(None) => "PASS".to_owned(),
            Attribute::Rank(rank) => format!("RANK({})", self.expression(rank)),
            Attribute::Macro(name, list) => format!("macro {}{}", self.name(name), self.arguments(list)),
            simple => format!("{simple:?}").to_uppercase(),
        }
    }

    fn shape(&self, shape: &ArraySpec) -> String {
        match shape.assumed_rank {
            true => "(..)".to_owned(),
            false => format!("({})", self.dimensions(&shape.dimensions)),
        }
    }

    fn dimensions(&self, dimensions: &[DimensionSpec]) -> String {
        let lower = |lower: &Option<Expression>, rest: &str| match lower {
            Some(lower) => format!("{}:{rest}", self.expression(lower)),
            None => rest.to_owned(),
        };
        join(dimensions, |dimension| match dimension {
            DimensionSpec::Explicit(first, last) => lower(first, &self.expression(last)),
            DimensionSpec::Colon(None) => ":".to_owned(),
            DimensionSpec::Colon(first) => lower(first, ""),
            DimensionSpec::Star(first) => lower(first, "*"),
        })
    }

    fn entities(&self, entities: &[Entity]) -> String {
        join(entities, |entity| self.entity(entity))
    }

    fn entity(&self, entity: &Entity) -> String {
        let mut text = self.name(&entity.name).to_owned();
        if let Some(shape) = &entity.shape {
            text += &self.shape(shape);
        }
        if let Some(coshape) = &entity.coshape {
            text += &format!("[{}]", self.dimensions(&coshape.dimensions));
        }
        if let Some(length) = &entity.length {
            text += &format!("*{}", self.length(length));
        }
        match &entity.initial {
            Some(Initializer::Value(value)) => text += &format!(" = {}", self.expression(value)),
            Some(Initializer::Pointer(target)) => text += &format!(" => {}", self.expression(target)),
            Some(Initializer::Slashes(values)) => text += &format!(" /{}/", self.expressions(values)),
            None => {}
        }
        text
    }

    fn groups(&self, groups: &[NamedGroup]) -> String {
        let group = |group: &NamedGroup| {
            let name = group.name.as_ref().map_or("", |name| self.name(name));
            format!("/{name}/ {}", self.entities(&group.entities))
        };
        join(groups, group)
    }

    fn generic(&self, generic: &GenericSpec) -> String {
        match generic {
            GenericSpec::Name(name) => self.name(name).to_owned(),
            GenericSpec::Operator(operator) => format!("operator({})", self.name(operator)),
            GenericSpec::Assignment => "assignment(=)".to_owned(),
            GenericSpec::DefinedIo { direction, form } => format!("{}({})", self.name(direction), self.name(form)),
        }
    }

    fn subprogram(&self, keyword: &str, subprogram: &Subprogram) -> String {
        let mut text = String::new();
        for prefix in &subprogram.prefixes {
            match prefix {
                Prefix::Other(name, list) => text += &format!("{}{} ", self.name(name), self.arguments(list)),
                simple => text += &format!("{} ", format!("{simple:?}").to_uppercase()),
            }
        }
        if let Some(spec) = &subprogram.result_type {
            text += &format!("{} ", self.type_spec(spec));
        }
        let length = subprogram.length.as_ref().map_or(String::new(), |length| format!("*{}", self.length(length)));
        let (name, dummies) = (self.name(&subprogram.name), self.dummies(&subprogram.dummies));
        format!("{text}{keyword} {name}{length}({dummies}){}", self.suffix(&subprogram.suffix))
    }

    fn dummies(&self, dummies: &[DummyArgument]) -> String {
        join(dummies, |dummy| match dummy {
            DummyArgument::Name(name) => self.name(name).to_owned(),
            DummyArgument::Star => "*".to_owned(),
        })
    }

    fn suffix(&self, suffix: &Suffix) -> String {
        let result = suffix.result.as_ref().map_or(String::new(), |name| format!(" RESULT({})", self.name(name)));
        let bind =
            suffix.bind.as_ref().map_or(String::new(), |list| format!(" BIND{}", argument_list_text(self.names, list)));
        result + &bind
    }
}
