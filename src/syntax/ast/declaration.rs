//! Types, attributes and declared entities (clauses 7 and 8 of the standard).

use super::expression::{ArgumentList, Expression, Reference};
use super::names::{Identifier, Name};
use crate::source::Span;

/// R702 type-spec, R703 declaration-type-spec.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeSpec {
    /// Which type.
    pub kind: TypeSpecKind,
    /// Where it stands.
    pub span: Span,
}

impl TypeSpec {
    /// Whether it is that of a DEC RECORD.
    pub fn is_record(&self) -> bool {
        matches!(self.kind, TypeSpecKind::Record(_))
    }
}

/// The forms of a type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeSpecKind {
    /// R704 intrinsic-type-spec.
    Intrinsic {
        /// The type.
        base: IntrinsicType,
        /// R706 kind-selector or `*8`; for CHARACTER the kind.
        kind: Option<KindSelector>,
        /// R721 char-selector: the length of a CHARACTER.
        length: Option<Length>,
    },
    /// R754 derived-type-spec in `type(…)`, with type parameters.
    Derived(Identifier, Option<ArgumentList>),
    /// `class(…)`.
    Class(Identifier, Option<ArgumentList>),
    /// `class(*)`.
    ClassStar,
    /// `type(*)`.
    TypeStar,
    /// `type(integer(4))`: an intrinsic type in `type(…)`.
    TypeOfIntrinsic(Box<TypeSpec>),
    /// F2023 `typeof(…)`.
    TypeOf(Box<Expression>),
    /// F2023 `classof(…)`.
    ClassOf(Box<Expression>),
    /// DEC `record /name/`.
    Record(Identifier),
    /// F202Y several types or kinds, `type(integer, real)` or `real(kind=sp, dp)`: the text.
    Generic(Name),
    /// An undefined macro where a type stands: `KPP_REAL :: t`.
    Macro(Identifier, Option<ArgumentList>),
}

/// The intrinsic types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is named after its type")]
pub enum IntrinsicType {
    Integer,
    Real,
    DoublePrecision,
    Complex,
    DoubleComplex,
    Character,
    Logical,
    /// DEC `byte`.
    Byte,
}

impl IntrinsicType {
    /// The keyword that names it.
    pub fn keyword(self) -> &'static str {
        match self {
            IntrinsicType::Integer => "integer",
            IntrinsicType::Real => "real",
            IntrinsicType::DoublePrecision => "double precision",
            IntrinsicType::Complex => "complex",
            IntrinsicType::DoubleComplex => "double complex",
            IntrinsicType::Character => "character",
            IntrinsicType::Logical => "logical",
            IntrinsicType::Byte => "byte",
        }
    }
}

/// The kind of an intrinsic type.
#[derive(Clone, PartialEq, Debug)]
pub enum KindSelector {
    /// `(kind=expr)` or `(expr)`.
    Kind(Box<Expression>),
    /// `*8`: bytes.
    Bytes(i64),
}

/// R722 length-selector, R723 char-length.
#[derive(Clone, PartialEq, Debug)]
pub enum Length {
    /// An expression.
    Expression(Box<Expression>),
    /// `*`.
    Assumed,
    /// `:`.
    Deferred,
}

/// R802 attr-spec, R738 component-attr-spec, R740 proc-attr-spec, binding attributes, and extensions.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "each is named after its attribute")]
pub enum Attribute {
    Abstract,
    Allocatable,
    Asynchronous,
    /// DEC `automatic`.
    Automatic,
    /// `bind(c, …)`.
    Bind(ArgumentList),
    Codimension(Coshape),
    Contiguous,
    Deferred,
    Dimension(ArraySpec),
    /// `extends(parent)`.
    Extends(Identifier),
    External,
    Intent(Intent),
    Intrinsic,
    /// Type parameter attributes.
    Kind,
    Len,
    NonOverridable,
    NoPass,
    Optional,
    Parameter,
    Pass(Option<Identifier>),
    Pointer,
    Private,
    Protected,
    Public,
    /// F2023 `rank(n)`.
    Rank(Box<Expression>),
    Save,
    Sequence,
    /// DEC `static`.
    Static,
    Target,
    Value,
    Volatile,
    /// An undefined macro, or a vendor attribute such as `device`.
    Macro(Identifier, Option<ArgumentList>),
}

impl Attribute {
    /// The shape of a DIMENSION attribute.
    pub fn dimension(&self) -> Option<&ArraySpec> {
        if let Attribute::Dimension(shape) = self { Some(shape) } else { None }
    }
}

/// R826 intent-spec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is named after its intent")]
pub enum Intent {
    In,
    Out,
    InOut,
}

/// R815 array-spec: one entry per dimension.
#[derive(Clone, PartialEq, Debug)]
pub struct ArraySpec {
    /// The dimensions; empty only for assumed rank `(..)`.
    pub dimensions: Vec<DimensionSpec>,
    /// Whether it is R825 assumed-rank-spec `..`.
    pub assumed_rank: bool,
    /// From the opening to the closing bracket.
    pub span: Span,
}

/// One dimension of an array-spec.
#[derive(Clone, PartialEq, Debug)]
pub enum DimensionSpec {
    /// R816 explicit-shape-spec `[lower:] upper`.
    Explicit(Option<Expression>, Expression),
    /// R819 assumed-shape-spec or R820 deferred-shape-spec `[lower] :`.
    Colon(Option<Expression>),
    /// R821 assumed-implied-spec, R822 assumed-size-spec `[lower:] *`.
    Star(Option<Expression>),
}

/// R809 coarray-spec: like an array-spec, in square brackets.
#[derive(Clone, PartialEq, Debug)]
pub struct Coshape {
    /// The codimensions.
    pub dimensions: Vec<DimensionSpec>,
}

/// R803 entity-decl, R739 component-decl, and the entities of attribute statements.
#[derive(Clone, PartialEq, Debug)]
pub struct Entity {
    /// The name.
    pub name: Identifier,
    /// The shape behind the name.
    pub shape: Option<ArraySpec>,
    /// The coshape behind the name.
    pub coshape: Option<Coshape>,
    /// `*length` behind the name (for numeric types: bytes).
    pub length: Option<Length>,
    /// Initial value.
    pub initial: Option<Initializer>,
    /// From the name to the end of the initial value.
    pub span: Span,
}

/// R805 initialization and its extensions.
#[derive(Clone, PartialEq, Debug)]
pub enum Initializer {
    /// `= expr`.
    Value(Expression),
    /// `=> target`.
    Pointer(Expression),
    /// `/ values /` behind the entity.
    Slashes(Vec<Expression>),
}

/// R1508 generic-spec.
#[derive(Clone, PartialEq, Debug)]
pub enum GenericSpec {
    /// A generic name.
    Name(Identifier),
    /// `operator(…)`: the operator's cooked text, dots included.
    Operator(Identifier),
    /// `assignment(=)`.
    Assignment,
    /// `read(formatted)`, `write(unformatted)`: R1509.
    DefinedIo {
        /// `read` or `write`.
        direction: Identifier,
        /// `formatted` or `unformatted`.
        form: Identifier,
    },
}

/// A set of R838 data-stmt: objects and their values.
#[derive(Clone, PartialEq, Debug)]
pub struct DataSet {
    /// Variables and implied loops.
    pub objects: Vec<Expression>,
    /// Values; `n*v` is [`super::expression::ExpressionKind::Repeat`].
    pub values: Vec<Expression>,
}

/// A block of R873 common-stmt or a group of R868 namelist-stmt.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedGroup {
    /// The name between slashes; `None` for blank common.
    pub name: Option<Identifier>,
    /// Its objects.
    pub entities: Vec<Entity>,
}

/// R1411 rename, R1412 only.
#[derive(Clone, PartialEq, Debug)]
pub struct UseItem {
    /// The name or generic as known here.
    pub local: GenericSpec,
    /// The name in the module, when it is renamed (`local => remote`).
    pub remote: Option<GenericSpec>,
}

/// R1527 prefix-spec (the type of a function is [`super::statement::Subprogram::result_type`]).
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "each is named after its keyword")]
pub enum Prefix {
    Elemental,
    Generic,
    Impure,
    Module,
    NonRecursive,
    Pure,
    Recursive,
    Simple,
    /// CUDA `attributes(…)` or an undefined macro.
    Other(Identifier, Option<ArgumentList>),
}

/// R750: one binding of a type-bound procedure statement: `name => procedure`.
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    /// The binding's name.
    pub name: Identifier,
    /// The procedure, when it is named.
    pub target: Option<Identifier>,
}

/// R1536 dummy-arg.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DummyArgument {
    /// A name.
    Name(Identifier),
    /// `*`: an alternate return.
    Star,
}

/// R1104 association, R1113 coarray-association: `name => selector`.
#[derive(Clone, PartialEq, Debug)]
pub struct Association {
    /// The associate name.
    pub name: Identifier,
    /// Its coshape (in `change team`).
    pub coshape: Option<Coshape>,
    /// What it stands for.
    pub selector: Expression,
}

/// A Cray pointer pair `(pointer, pointee)`.
#[derive(Clone, PartialEq, Debug)]
pub struct CrayPointer {
    /// The pointer.
    pub pointer: Identifier,
    /// The pointee, perhaps with a shape.
    pub pointee: Entity,
}

/// R870 equivalence-set.
pub type EquivalenceSet = Vec<Reference>;
