//! Symbols: what the names of one file stand for, their types and shapes, and how the parts of a reference are read.
//!
//! *Symbol*: one named thing of one scope. *Shape*: rank and bounds of an array. *Part class*: what one part of
//! `a(i)%b(j)` is, once names are known.

use std::sync::Arc;

use oxc_index::define_index_type;
use rustc_hash::FxHashMap;

use super::declared::{DeclaredBinding, Properties};
use crate::source::Span;
use crate::syntax::{Argument, Intent, Name, NameTable, StatementId};

define_index_type! {
    /// Index of a scope in one [`Resolved`](super::Resolved).
    pub struct ScopeId = u32;
}

define_index_type! {
    /// Index of a symbol in one [`Resolved`](super::Resolved).
    pub struct SymbolId = u32;
}

define_index_type! {
    /// Index of a derived type, in the numbering of one [`Resolved`](super::Resolved): the types of the project's
    /// modules first, then those of its own modules, then those of its own scopes.
    pub struct TypeId = u32;
}

/// What a name of a file stands for.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name, as known in this scope.
    pub name: Name,
    /// The scope that owns it: for a host-associated name that of the host, for a use-associated one that with the USE.
    pub scope: ScopeId,
    /// What it is.
    pub kind: SymbolKind,
    /// Its type, declared or implicit; of a function the result's.
    pub type_: Option<SymbolType>,
    /// Its shape, when it is an array. With no declaration (`declared` is `None`, not `use_associated`) the shape comes
    /// from its use on the left of an assignment.
    pub shape: Option<Shape>,
    /// The place of its first declaration in this file; `None` for implicit and use-associated names.
    pub declared: Option<Span>,
    /// Whether nothing declares it, and it may come from a module, include file or statement that was not found or not
    /// understood.
    pub is_doubtful: bool,
    /// Whether it is a dummy argument.
    pub is_dummy: bool,
    /// Whether it is the result variable of a function (or of an ENTRY of a function).
    pub is_result: bool,
    /// INTENT.
    pub intent: Option<Intent>,
    /// Whether it is in a COMMON block.
    pub in_common: bool,
    /// Whether it comes from a module through USE, or is owned by the specification part of a module or submodule.
    pub use_associated: bool,
    /// POINTER.
    pub is_pointer: bool,
    /// ALLOCATABLE.
    pub is_allocatable: bool,
    /// TARGET.
    pub is_target: bool,
    /// OPTIONAL.
    pub is_optional: bool,
    /// VALUE.
    pub is_value: bool,
    /// SAVE, or an initial value.
    pub is_saved: bool,
    /// VOLATILE, ASYNCHRONOUS or BIND: it may change where it is not named.
    pub is_volatile: bool,
    /// Whether it stands in an EQUIVALENCE set, or is a Cray pointee.
    pub equivalenced: bool,
    /// The elements of a named constant that is an array of integers of rank 1.
    pub elements: Option<Arc<[i64]>>,
}

/// What a symbol is.
#[derive(Clone, Debug)]
pub enum SymbolKind {
    /// A variable, a function's result variable included.
    Variable,
    /// A named constant; its value when it is an integer scalar that can be computed.
    Parameter(Option<i64>),
    /// A function, external ones that are only known by their use included.
    Function {
        /// Its interface, when it was seen.
        interface: Option<Arc<ProcedureInterface>>,
    },
    /// A subroutine.
    Subroutine {
        /// Its interface, when it was seen.
        interface: Option<Arc<ProcedureInterface>>,
    },
    /// R1544.
    StatementFunction {
        /// The statement that defines it.
        statement: StatementId,
    },
    /// An intrinsic procedure.
    Intrinsic,
    /// EXTERNAL, or a procedure declaration without POINTER.
    ExternalProcedure,
    /// A procedure pointer.
    ProcedurePointer,
    /// A generic name and its specific procedures.
    Generic {
        /// The specific procedures' names, in order.
        specifics: Arc<[String]>,
    },
    /// The name of a module or submodule in its own scope.
    Module,
    /// A derived type, a DEC structure; `type_` says which.
    DerivedType,
    /// A namelist group.
    Namelist,
    /// A construct's name.
    ConstructName,
    /// A name of ASSOCIATE, SELECT TYPE, SELECT RANK or CHANGE TEAM.
    AssociateName {
        /// The header statement with the selector.
        statement: StatementId,
        /// Which of the header's associations.
        index: u32,
        /// The variable it stands for, when the selector is a name and nothing else.
        whole: Option<SymbolId>,
    },
    /// It comes from a module, include file or statement that was not found or not understood.
    Unknown,
}

impl SymbolKind {
    /// The interface of a procedure, when it was seen.
    pub fn interface(&self) -> Option<&Arc<ProcedureInterface>> {
        if let SymbolKind::Function { interface } | SymbolKind::Subroutine { interface } = self {
            interface.as_ref()
        } else {
            None
        }
    }
}

/// A type with its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolType {
    /// Which type.
    pub base: BaseType,
    /// Kind, when it is given and can be computed; `real*8` has 8.
    pub kind: Option<i64>,
    /// Length of a CHARACTER, when it can be computed.
    pub length: Option<i64>,
}

impl SymbolType {
    /// A type without given kind and length.
    pub fn plain(base: BaseType) -> Self {
        SymbolType { base, kind: None, length: None }
    }

    /// The derived type, if it is one that was found.
    pub fn derived(&self) -> Option<TypeId> {
        if let BaseType::Derived(id) | BaseType::Class(id) = self.base { Some(id) } else { None }
    }

    /// Whether it is INTEGER (or BYTE).
    pub fn is_integer(&self) -> bool {
        matches!(self.base, BaseType::Integer | BaseType::Byte)
    }

    /// Whether it is REAL or DOUBLE PRECISION.
    pub fn is_real(&self) -> bool {
        matches!(self.base, BaseType::Real | BaseType::DoublePrecision)
    }

    /// The bytes of a value on common machines, where kinds count bytes; `None` of CHARACTER and derived types.
    pub fn bytes(&self) -> Option<i64> {
        let kind = |default: i64| self.kind.unwrap_or(default);
        match self.base {
            BaseType::Integer | BaseType::Real | BaseType::Logical => Some(kind(4)),
            BaseType::DoublePrecision => Some(8),
            BaseType::Complex => Some(2 * kind(4)),
            BaseType::DoubleComplex => Some(16),
            BaseType::Byte => Some(1),
            BaseType::Character
            | BaseType::Derived(_)
            | BaseType::Class(_)
            | BaseType::Unlimited
            | BaseType::Unknown => None,
        }
    }

    /// Whether it is CHARACTER.
    pub fn is_character(&self) -> bool {
        self.base == BaseType::Character
    }
}

/// The types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the intrinsic ones are named after their types")]
pub enum BaseType {
    Integer,
    Real,
    DoublePrecision,
    Complex,
    DoubleComplex,
    Character,
    Logical,
    Byte,
    /// `type(t)`, `record /t/`.
    Derived(TypeId),
    /// `class(t)`.
    Class(TypeId),
    /// `class(*)`, `type(*)`.
    Unlimited,
    /// A derived type that was not found, a macro, `typeof(…)`.
    Unknown,
}

impl BaseType {
    /// Whether it is a type of data that is never a size: character, real or complex.
    pub fn is_data(self) -> bool {
        match self {
            BaseType::Character
            | BaseType::Real
            | BaseType::DoublePrecision
            | BaseType::Complex
            | BaseType::DoubleComplex => true,
            BaseType::Integer
            | BaseType::Logical
            | BaseType::Byte
            | BaseType::Derived(_)
            | BaseType::Class(_)
            | BaseType::Unlimited
            | BaseType::Unknown => false,
        }
    }
}

/// Rank and bounds of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The rank, 0 when it is assumed (`..`).
    pub rank: u8,
    /// One entry per dimension; empty when nothing but the rank is known.
    pub bounds: Vec<Bounds>,
    /// Whether the declaration gives the extent of a dimension but the last, constant or not, as for an explicit shape.
    pub is_explicit: bool,
}

impl Shape {
    /// A shape of which only the rank is known.
    pub fn of_rank(rank: usize) -> Self {
        Shape { rank: rank.min(usize::from(u8::MAX)) as u8, bounds: Vec::new(), is_explicit: false }
    }
}

/// Bounds of one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// Lower bound when constant; 1 when none is given for an explicit, assumed-size or assumed shape.
    pub lower: Option<i64>,
    /// Upper bound when constant.
    pub upper: Option<i64>,
}

/// What other parts know of a procedure.
#[derive(Clone, Debug, Default)]
pub struct ProcedureInterface {
    /// Dummy arguments in order; an alternate return has the name `*`.
    pub dummies: Vec<Dummy>,
    /// A function's result.
    pub result: Option<Dummy>,
    /// ELEMENTAL.
    pub is_elemental: bool,
    /// PURE, SIMPLE, or ELEMENTAL without IMPURE.
    pub is_pure: bool,
    /// Whether it is the interface body of an external procedure that is linked by its name.
    pub is_external: bool,
    /// Whether it is the interface body of a procedure with BIND(C).
    pub is_bound: bool,
}

impl ProcedureInterface {
    /// The dummy argument that an argument at a position is for.
    pub fn dummy_for(&self, argument: &Argument, position: usize, names: &NameTable) -> Option<&Dummy> {
        let dummies = self.dummies.iter().map(|dummy| dummy.name.as_str());
        self.dummies.get(argument.dummy(position, dummies, names)?)
    }
}

/// A dummy argument or function result in an interface.
#[derive(Clone, Debug)]
pub struct Dummy {
    /// The lower-case name.
    pub name: String,
    /// Type.
    pub type_: Option<SymbolType>,
    /// Shape of an array; bounds that depend on other dummies are unknown.
    pub shape: Option<Shape>,
    /// Attributes, INTENT among them.
    pub properties: Properties,
    /// Whether it is a procedure.
    pub is_procedure: bool,
}

/// A derived type or DEC structure.
#[derive(Clone, Debug, Default)]
pub struct DerivedTypeTable {
    /// The lower-case name; empty for an unnamed DEC structure.
    pub name: String,
    /// The type that it extends.
    pub parent: Option<TypeId>,
    /// Whether it may have components that were not seen: its parent was not found, or a statement in it was not
    /// understood.
    pub is_open: bool,
    /// Components in order, without inherited ones.
    pub components: Vec<Component>,
    /// The module that declares it; `None` for a type of another unit.
    pub module: Option<String>,
    /// Type-bound procedures in order.
    pub bindings: Vec<DeclaredBinding<String>>,
    /// Components and bindings by name.
    pub(super) by_name: FxHashMap<String, MemberIndex>,
}

/// Which component or type-bound procedure a name means.
#[derive(Clone, Copy, Debug)]
pub(super) enum MemberIndex {
    /// An index into `components`.
    Component(u32),
    /// An index into `bindings`.
    Binding(u32),
}

/// A component of a derived type.
#[derive(Clone, Debug)]
pub struct Component {
    /// The lower-case name.
    pub name: String,
    /// Type.
    pub type_: Option<SymbolType>,
    /// Shape of an array.
    pub shape: Option<Shape>,
    /// Attributes.
    pub properties: Properties,
    /// Whether it is a procedure pointer.
    pub is_procedure: bool,
}

/// What one part of a reference is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartClass {
    /// A scalar variable or component.
    Scalar,
    /// An array; its first list, if any, holds the subscripts. Rank 0: assumed rank.
    Array {
        /// The declared rank.
        rank: u32,
    },
    /// A scalar CHARACTER; the list is a substring range.
    Substring,
    /// A user function: module, internal, external, generic, or a procedure component.
    Function,
    /// A statement function.
    StatementFunction,
    /// An intrinsic function.
    Intrinsic,
    /// A structure constructor, R756.
    StructureConstructor,
    /// A scalar named constant.
    Constant,
    /// It cannot be said.
    Unknown,
}

/// What name resolution has to report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameNote {
    /// F004: a module that is neither in the project nor a known external one; once per module and file.
    ModuleNotFound(String),
    /// Modules that use each other, as `a -> b -> a`; once per ring, at a USE in its alphabetically first module.
    CircularUse(String),
}
