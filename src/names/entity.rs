//! Types, shapes and whole declarations, from the syntax tree to their written form, and from there to facts.

use std::hash::Hash;
use std::sync::Arc;

use super::constant::{Constant, Environment, evaluate, evaluate_elements};
use super::declared::*;
use super::symbol::{
    BaseType, Bounds, Component, DerivedTypeTable, Dummy, MemberIndex, ProcedureInterface, Shape, SymbolKind,
    SymbolType, TypeId,
};
use crate::syntax::Name;
use crate::syntax::{
    ArraySpec, DimensionSpec, Expression, IntrinsicType, KindSelector, Length, NameTable, TypeSpec, TypeSpecKind,
};

/// The written form of a type; `length` behind the entity's name overrides that of the type.
pub fn type_of(spec: &TypeSpec, length: Option<&Length>, names: &NameTable) -> DeclaredType<Name> {
    match &spec.kind {
        TypeSpecKind::Intrinsic { base, kind, length: own } => intrinsic_type(*base, kind, own, length, names),
        TypeSpecKind::Derived(name, _) | TypeSpecKind::Record(name) => {
            DeclaredType { base: DeclaredBase::Derived(name.name), kind: None, length: None }
        }
        TypeSpecKind::Class(name, _) => DeclaredType { base: DeclaredBase::Class(name.name), kind: None, length: None },
        TypeSpecKind::ClassStar | TypeSpecKind::TypeStar => DeclaredType::plain(BaseType::Unlimited),
        TypeSpecKind::TypeOfIntrinsic(inner) => type_of(inner, length, names),
        TypeSpecKind::TypeOf(_) | TypeSpecKind::ClassOf(_) | TypeSpecKind::Generic(_) | TypeSpecKind::Macro(..) => {
            DeclaredType::plain(BaseType::Unknown)
        }
    }
}

fn intrinsic_type(
    base: IntrinsicType,
    kind: &Option<KindSelector>,
    own_length: &Option<Length>,
    length: Option<&Length>,
    names: &NameTable,
) -> DeclaredType<Name> {
    let base = match base {
        IntrinsicType::Integer => BaseType::Integer,
        IntrinsicType::Real => BaseType::Real,
        IntrinsicType::DoublePrecision => BaseType::DoublePrecision,
        IntrinsicType::Complex => BaseType::Complex,
        IntrinsicType::DoubleComplex => BaseType::DoubleComplex,
        IntrinsicType::Character => BaseType::Character,
        IntrinsicType::Logical => BaseType::Logical,
        IntrinsicType::Byte => BaseType::Byte,
    };
    let kind = kind.as_ref().map(|kind| match kind {
        KindSelector::Kind(kind) => Constant::of(kind, names),
        KindSelector::Bytes(bytes) => Constant::Integer(*bytes),
    });
    let given = |length: &Length| match length {
        Length::Expression(length) => Constant::of(length, names),
        Length::Assumed | Length::Deferred => Constant::Unknown,
    };
    if base == BaseType::Character {
        let length = length.or(own_length.as_ref()).map_or(Constant::Integer(1), given);
        return DeclaredType { base: DeclaredBase::Known(base), kind, length: Some(length) };
    }
    // `integer x*2`: the length behind a numeric name is its size in bytes.
    let kind = length.map(given).or(kind);
    DeclaredType { base: DeclaredBase::Known(base), kind, length: None }
}

/// The written form of a shape.
pub fn shape_of(spec: &ArraySpec, names: &NameTable) -> DeclaredShape<Name> {
    let constant = |bound: &Expression| Constant::of(bound, names);
    let lower = |bound: &Option<Expression>| Some(bound.as_ref().map_or(Constant::Integer(1), constant));
    let dimensions = spec.dimensions.iter().map(|dimension| match dimension {
        DimensionSpec::Explicit(from, to) => DeclaredBounds { lower: lower(from), upper: Some(constant(to)) },
        DimensionSpec::Colon(from) => DeclaredBounds { lower: from.as_ref().map(constant), upper: None },
        DimensionSpec::Star(from) => DeclaredBounds { lower: lower(from), upper: None },
    });
    let dimensions: Vec<_> = if spec.assumed_rank { Vec::new() } else { dimensions.collect() };
    let rank = Constant::Integer(dimensions.len() as i64);
    DeclaredShape { dimensions, rank }
}

/// An environment that also knows derived types.
pub trait Resolver<N>: Environment<N> {
    /// The derived type that a name means.
    fn derived_type(&self, name: &N) -> Option<TypeId>;
    /// The id of a type by its index in the file or summary.
    fn own_type(&self, index: u32) -> TypeId;
}

/// What is known of a declared name after resolution.
#[derive(Clone, Debug)]
pub struct Facts {
    /// What it is.
    pub kind: SymbolKind,
    /// Type.
    pub type_: Option<SymbolType>,
    /// Shape.
    pub shape: Option<Shape>,
    /// Elements of an integer array constant.
    pub elements: Option<Arc<[i64]>>,
}

impl Facts {
    /// A symbol of which nothing is known.
    pub fn unknown() -> Self {
        Facts { kind: SymbolKind::Unknown, type_: None, shape: None, elements: None }
    }
}

/// Resolves a declaration.
pub fn facts<N: Clone + Eq + Hash>(declared: &Declared<N>, resolver: &impl Resolver<N>) -> Facts {
    let mut type_ = declared.type_.as_ref().map(|type_| resolve_type(type_, resolver));
    let mut shape = declared.shape.as_ref().map(|shape| resolve_shape(shape, &declared.properties, resolver));
    let mut elements = None;
    let text = |name: &N| resolver.text(name).to_owned();
    let kind = match &declared.kind {
        DeclaredKind::Data => SymbolKind::Variable,
        DeclaredKind::Parameter(value) => {
            let may_be_integer = type_.is_none_or(|it| it.is_integer() || it.base == BaseType::Unknown);
            match &mut shape {
                Some(shape) => {
                    elements = evaluate_elements(value, resolver).filter(|_| may_be_integer);
                    imply_upper_bound(shape, elements.as_deref());
                    SymbolKind::Parameter(None)
                }
                None => SymbolKind::Parameter(evaluate(value, resolver).filter(|_| may_be_integer)),
            }
        }
        DeclaredKind::Function(interface) => {
            SymbolKind::Function { interface: interface.as_ref().map(|it| Arc::new(resolve_interface(it, resolver))) }
        }
        DeclaredKind::Subroutine(interface) => {
            SymbolKind::Subroutine { interface: interface.as_ref().map(|it| Arc::new(resolve_interface(it, resolver))) }
        }
        DeclaredKind::External => SymbolKind::ExternalProcedure,
        DeclaredKind::Intrinsic => SymbolKind::Intrinsic,
        DeclaredKind::ProcedurePointer => SymbolKind::ProcedurePointer,
        DeclaredKind::Generic(specifics) => SymbolKind::Generic { specifics: specifics.iter().map(text).collect() },
        DeclaredKind::DerivedType(index) => {
            type_ = Some(SymbolType::plain(BaseType::Derived(resolver.own_type(*index))));
            SymbolKind::DerivedType
        }
        DeclaredKind::Namelist => SymbolKind::Namelist,
        DeclaredKind::Module => SymbolKind::Module,
        DeclaredKind::ConstructName => SymbolKind::ConstructName,
    };
    Facts { kind, type_, shape, elements }
}

/// R822: `x(*) = [1, 2, 3]` takes its upper bound from the value.
fn imply_upper_bound(shape: &mut Shape, elements: Option<&[i64]>) {
    let ([bounds], Some(elements)) = (shape.bounds.as_mut_slice(), elements) else { return };
    if bounds.upper.is_none() {
        let extent = i64::try_from(elements.len()).ok();
        bounds.upper = bounds.lower.zip(extent).and_then(|(lower, extent)| lower.checked_add(extent)?.checked_sub(1));
    }
}

/// Resolves a type.
pub fn resolve_type<N: Clone + Eq + Hash>(type_: &DeclaredType<N>, resolver: &impl Resolver<N>) -> SymbolType {
    let base = match &type_.base {
        DeclaredBase::Known(base) => *base,
        DeclaredBase::Derived(name) => resolver.derived_type(name).map_or(BaseType::Unknown, BaseType::Derived),
        DeclaredBase::Class(name) => resolver.derived_type(name).map_or(BaseType::Unknown, BaseType::Class),
        DeclaredBase::Structure(index) => BaseType::Derived(resolver.own_type(*index)),
    };
    SymbolType {
        base,
        kind: type_.kind.as_ref().and_then(|kind| evaluate(kind, resolver)),
        length: type_.length.as_ref().and_then(|length| evaluate(length, resolver)),
    }
}

fn resolve_shape<N: Clone + Eq + Hash>(
    shape: &DeclaredShape<N>,
    properties: &Properties,
    resolver: &impl Resolver<N>,
) -> Shape {
    let is_deferred = properties.pointer || properties.allocatable;
    let value = |bound: &Option<Constant<N>>| bound.as_ref().and_then(|bound| evaluate(bound, resolver));
    let bounds = shape.dimensions.iter().map(|dimension| {
        let is_colon = dimension.lower.is_none() && dimension.upper.is_none();
        // An assumed shape begins at 1, a deferred one where it is allocated or pointed to.
        let lower = if is_colon && properties.dummy && !is_deferred { Some(1) } else { value(&dimension.lower) };
        Bounds { lower, upper: value(&dimension.upper) }
    });
    let rank = evaluate(&shape.rank, resolver).and_then(|rank| u8::try_from(rank).ok()).unwrap_or(0);
    let leading = shape.dimensions.len().saturating_sub(1);
    let is_explicit = shape.dimensions.iter().take(leading).any(|dimension| dimension.upper.is_some());
    Shape { rank, bounds: bounds.collect(), is_explicit }
}

fn resolve_interface<N: Clone + Eq + Hash>(
    interface: &DeclaredInterface<N>,
    resolver: &impl Resolver<N>,
) -> ProcedureInterface {
    let dummy = |declared: &Declared<N>| Dummy {
        name: resolver.text(&declared.name).to_owned(),
        type_: declared.type_.as_ref().map(|type_| resolve_type(type_, resolver)),
        shape: declared.shape.as_ref().map(|shape| resolve_shape(shape, &declared.properties, resolver)),
        properties: declared.properties,
        is_procedure: is_procedure(&declared.kind),
    };
    let alternate_return = || Dummy {
        name: "*".to_owned(),
        type_: None,
        shape: None,
        properties: Properties { dummy: true, ..Properties::default() },
        is_procedure: false,
    };
    ProcedureInterface {
        dummies: interface.dummies.iter().map(|it| it.as_ref().map_or_else(alternate_return, dummy)).collect(),
        result: interface.result.as_ref().map(dummy),
        is_elemental: interface.is_elemental,
        is_pure: interface.is_pure,
        is_external: interface.is_external,
        is_bound: interface.is_bound,
    }
}

fn is_procedure<N>(kind: &DeclaredKind<N>) -> bool {
    matches!(
        kind,
        DeclaredKind::External
            | DeclaredKind::ProcedurePointer
            | DeclaredKind::Function(_)
            | DeclaredKind::Subroutine(_)
    )
}

/// Resolves a derived type.
pub fn resolve_derived_type<N: Clone + Eq + Hash>(
    declared: &DeclaredDerivedType<N>,
    module: Option<&str>,
    resolver: &impl Resolver<N>,
) -> DerivedTypeTable {
    let parent = declared.parent.as_ref().and_then(|parent| resolver.derived_type(parent));
    let mut table = DerivedTypeTable {
        name: declared.name.as_ref().map_or(String::new(), |name| resolver.text(name).to_owned()),
        parent,
        is_open: declared.is_open || (declared.parent.is_some() && parent.is_none()),
        module: module.map(str::to_owned),
        ..DerivedTypeTable::default()
    };
    for component in &declared.components {
        let name = resolver.text(&component.name).to_owned();
        table.by_name.insert(name.clone(), MemberIndex::Component(table.components.len() as u32));
        table.components.push(Component {
            name,
            type_: component.type_.as_ref().map(|type_| resolve_type(type_, resolver)),
            shape: component.shape.as_ref().map(|shape| resolve_shape(shape, &component.properties, resolver)),
            properties: component.properties,
            is_procedure: is_procedure(&component.kind),
        });
    }
    for binding in &declared.bindings {
        let Some(binding) = binding.map(&|name| Some(resolver.text(name).to_owned())) else { continue };
        table.by_name.entry(binding.name.clone()).or_insert(MemberIndex::Binding(table.bindings.len() as u32));
        table.bindings.push(binding);
    }
    table
}
