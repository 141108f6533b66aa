//! Declared entities: type declarations, attributes in both forms, procedure declarations, PARAMETER, enumerators,
//! groups that share storage or a name, Cray pointers.

use super::constant::{Constant, Operation};
use super::declare::Collector;
use super::declared::*;
use super::entity::{shape_of, type_of};
use super::symbol::{BaseType, ScopeId};
use crate::syntax::*;

impl Collector<'_> {
    pub(super) fn type_declaration(&mut self, scope: ScopeId, declaration: &TypeDeclaration) {
        for entity in &declaration.entities {
            let type_ = type_of(&declaration.type_spec, entity.length.as_ref(), &self.tree.names);
            self.attributes(scope, entity.name, &declaration.attributes);
            let declared = self.entity_shape(scope, entity);
            declared.type_ = Some(type_);
            self.initial(scope, entity, declaration.attributes.contains(&Attribute::Parameter));
        }
    }

    /// The value of a named constant, or the initial value of a variable.
    fn initial(&mut self, scope: ScopeId, entity: &Entity, is_parameter: bool) {
        let names = &self.tree.names;
        let value = match &entity.initial {
            Some(Initializer::Value(value)) if is_parameter => Constant::of(value, names),
            Some(_) if !is_parameter => {
                self.touch(scope, entity.name).properties.saved = true;
                return;
            }
            _ if is_parameter => Constant::Unknown,
            _ => return,
        };
        self.touch(scope, entity.name).kind = DeclaredKind::Parameter(value);
    }

    /// Declares an entity with the shape behind its name, if any.
    pub(super) fn entity_shape(&mut self, scope: ScopeId, entity: &Entity) -> &mut Declared<Name> {
        let shape = entity.shape.as_ref().map(|shape| shape_of(shape, &self.tree.names));
        let declared = self.touch(scope, entity.name);
        if shape.is_some() {
            declared.shape = shape;
        }
        declared
    }

    fn attributes(&mut self, scope: ScopeId, name: Identifier, attributes: &[Attribute]) {
        for attribute in attributes {
            self.attribute(scope, name, attribute);
        }
    }

    pub(super) fn access_attributes(&mut self, scope: ScopeId, name: Name, attributes: &[Attribute]) {
        for attribute in attributes {
            let is_private = *attribute == Attribute::Private;
            if !is_private && *attribute != Attribute::Public {
                continue;
            }
            self.scopes.get_mut(scope).access.private.insert(name, is_private);
        }
    }

    fn attribute(&mut self, scope: ScopeId, name: Identifier, attribute: &Attribute) {
        let names = &self.tree.names;
        if matches!(attribute, Attribute::Private | Attribute::Public) {
            self.access_attributes(scope, name.name, std::slice::from_ref(attribute));
            return;
        }
        let declared = self.touch(scope, name);
        let properties = &mut declared.properties;
        match attribute {
            Attribute::Allocatable => properties.allocatable = true,
            Attribute::Pointer => {
                properties.pointer = true;
                if matches!(declared.kind, DeclaredKind::External) {
                    declared.kind = DeclaredKind::ProcedurePointer;
                }
            }
            Attribute::Target => properties.target = true,
            Attribute::Intent(intent) => properties.intent = Some(*intent),
            Attribute::Optional => properties.optional = true,
            Attribute::Value => properties.value = true,
            Attribute::Save | Attribute::Static => properties.saved = true,
            // What has BIND any procedure in C may change (Fortran 2023, 18.9.1).
            Attribute::Volatile | Attribute::Asynchronous | Attribute::Bind(_) => properties.volatile = true,
            Attribute::Dimension(shape) => declared.shape = Some(shape_of(shape, names)),
            Attribute::Rank(rank) => {
                declared.shape = Some(DeclaredShape { dimensions: Vec::new(), rank: Constant::of(rank, names) });
            }
            Attribute::External => {
                declared.kind =
                    if properties.pointer { DeclaredKind::ProcedurePointer } else { DeclaredKind::External };
            }
            Attribute::Intrinsic => declared.kind = DeclaredKind::Intrinsic,
            // What these say is not asked of a symbol, or was noted before.
            Attribute::Abstract
            | Attribute::Automatic
            | Attribute::Codimension(_)
            | Attribute::Contiguous
            | Attribute::Deferred
            | Attribute::Extends(_)
            | Attribute::Kind
            | Attribute::Len
            | Attribute::NonOverridable
            | Attribute::NoPass
            | Attribute::Parameter
            | Attribute::Pass(_)
            | Attribute::Private
            | Attribute::Protected
            | Attribute::Public
            | Attribute::Sequence
            | Attribute::Macro(..) => {}
        }
    }

    pub(super) fn attribute_statement(
        &mut self,
        scope: ScopeId,
        attribute: &Attribute,
        entities: &[Entity],
        generics: &[GenericSpec],
    ) {
        let is_access = matches!(attribute, Attribute::Private | Attribute::Public);
        if is_access {
            if entities.is_empty() && generics.is_empty() {
                self.scopes.get_mut(scope).access.default_private = *attribute == Attribute::Private;
            }
            for generic in generics {
                if let GenericSpec::Name(name) = generic {
                    self.access_attributes(scope, name.name, std::slice::from_ref(attribute));
                }
            }
        }
        for entity in entities {
            self.attribute(scope, entity.name, attribute);
            if !is_access {
                self.entity_shape(scope, entity);
            }
        }
    }

    pub(super) fn procedure_declaration(
        &mut self,
        scope: ScopeId,
        interface: Option<&TypeSpecOrName>,
        attributes: &[Attribute],
        entities: &[Entity],
    ) {
        let type_ = match interface {
            Some(TypeSpecOrName::Type(spec)) => Some(type_of(spec, None, &self.tree.names)),
            _ => None,
        };
        for entity in entities {
            self.attributes(scope, entity.name, attributes);
            let declared = self.touch(scope, entity.name);
            let is_pointer = declared.properties.pointer;
            declared.kind = if is_pointer { DeclaredKind::ProcedurePointer } else { DeclaredKind::External };
            declared.type_.clone_from(&type_);
        }
    }

    pub(super) fn parameters(&mut self, scope: ScopeId, values: &[(Identifier, Expression)]) {
        for (name, value) in values {
            let value = Constant::of(value, &self.tree.names);
            self.touch(scope, *name).kind = DeclaredKind::Parameter(value);
        }
    }

    pub(super) fn common(&mut self, scope: ScopeId, groups: &[NamedGroup]) {
        for entity in groups.iter().flat_map(|group| &group.entities) {
            self.entity_shape(scope, entity).properties.in_common = true;
        }
    }

    pub(super) fn equivalence(&mut self, scope: ScopeId, sets: &[EquivalenceSet]) {
        for part in sets.iter().flatten().filter_map(|reference| reference.parts.first()) {
            self.touch(scope, part.name).properties.equivalenced = true;
        }
    }

    /// The names of namelist groups.
    pub(super) fn namelist(&mut self, scope: ScopeId, groups: &[NamedGroup]) {
        for name in groups.iter().filter_map(|group| group.name) {
            self.touch(scope, name).kind = DeclaredKind::Namelist;
        }
    }

    pub(super) fn enumerators(&mut self, scope: ScopeId, values: &[(Identifier, Option<Expression>)]) {
        for (name, value) in values {
            let value = match (value, self.last_enumerator) {
                (Some(value), _) => Constant::of(value, &self.tree.names),
                (None, Some(last)) => {
                    let one = (Operation::Add, Constant::Integer(1));
                    Constant::Chain(Box::new(Constant::Name(last)), vec![one])
                }
                (None, None) => Constant::Integer(0),
            };
            let declared = self.touch(scope, *name);
            declared.kind = DeclaredKind::Parameter(value);
            declared.type_ = Some(DeclaredType::plain(BaseType::Integer));
            self.last_enumerator = Some(name.name);
        }
    }

    pub(super) fn cray_pointers(&mut self, scope: ScopeId, pairs: &[CrayPointer]) {
        for pair in pairs {
            self.touch(scope, pair.pointer).type_ = Some(DeclaredType::plain(BaseType::Integer));
            self.entity_shape(scope, &pair.pointee).properties.equivalenced = true;
        }
    }
}
