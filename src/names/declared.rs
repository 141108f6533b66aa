//! Declarations as they are written: the specification parts of scopes, not yet resolved, over names of type `N`.
//!
//! One form serves twice: over interned [`Name`]s for the scopes of a tree, over `String`s for what a module tells
//! other files ([`ModuleSummary`]). Types are names, bounds are `Constant` expressions; resolving them is the next
//! step's task.

use std::borrow::Borrow;
use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

use super::constant::Constant;
use super::symbol::BaseType;
use crate::source::Span;
use crate::syntax::{Intent, Name, StatementId};

/// A declared name.
#[derive(Clone, PartialEq, Debug)]
pub struct Declared<N> {
    /// The name.
    pub name: N,
    /// What it is declared to be.
    pub kind: DeclaredKind<N>,
    /// Its type.
    pub type_: Option<DeclaredType<N>>,
    /// Its shape.
    pub shape: Option<DeclaredShape<N>>,
    /// Its attributes.
    pub properties: Properties,
    /// The place of the declaration; `None` in summaries.
    pub declared: Option<Span>,
}

/// What a name is declared to be.
#[derive(Clone, PartialEq, Debug)]
pub enum DeclaredKind<N> {
    /// A variable, or nothing that says otherwise.
    Data,
    /// A named constant and its value.
    Parameter(Constant<N>),
    /// A function, with its interface when it is in this file.
    Function(Option<Box<DeclaredInterface<N>>>),
    /// A subroutine, with its interface when it is in this file.
    Subroutine(Option<Box<DeclaredInterface<N>>>),
    /// EXTERNAL, or `procedure(…)`.
    External,
    /// INTRINSIC.
    Intrinsic,
    /// `procedure(…), pointer`.
    ProcedurePointer,
    /// A generic name with its specific procedures.
    Generic(Vec<N>),
    /// A derived type: index into the types of the file or summary.
    DerivedType(u32),
    /// A namelist group.
    Namelist,
    /// The name of a module in its own scope.
    Module,
    /// A construct's name.
    ConstructName,
}

/// Attributes of a data object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named after its attribute")]
pub struct Properties {
    pub dummy: bool,
    pub result: bool,
    pub intent: Option<Intent>,
    pub in_common: bool,
    pub pointer: bool,
    pub allocatable: bool,
    pub target: bool,
    pub optional: bool,
    pub value: bool,
    /// SAVE, or an initial value.
    pub saved: bool,
    pub volatile: bool,
    pub equivalenced: bool,
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredType<N> {
    /// Which type.
    pub base: DeclaredBase<N>,
    /// Kind.
    pub kind: Option<Constant<N>>,
    /// Length of a CHARACTER.
    pub length: Option<Constant<N>>,
}

/// The base of a type as written.
#[derive(Clone, PartialEq, Debug)]
pub enum DeclaredBase<N> {
    /// An intrinsic type, or one that cannot be said.
    Known(BaseType),
    /// `type(name)`, `record /name/`.
    Derived(N),
    /// `class(name)`.
    Class(N),
    /// An unnamed nested DEC structure: index into the types of the file or summary.
    Structure(u32),
}

/// A shape as written.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredShape<N> {
    /// Bounds per dimension; empty for assumed rank and for a rank without bounds.
    pub dimensions: Vec<DeclaredBounds<N>>,
    /// Rank: the number of dimensions, 0 for assumed rank, or F2023 `rank(n)`.
    pub rank: Constant<N>,
}

/// Bounds of one dimension as written.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredBounds<N> {
    /// Lower bound; `None` for a deferred shape, where allocation says it.
    pub lower: Option<Constant<N>>,
    /// Upper bound.
    pub upper: Option<Constant<N>>,
}

/// A procedure's interface as declared.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredInterface<N> {
    /// Dummies in order; `None` for an alternate return.
    pub dummies: Vec<Option<Declared<N>>>,
    /// A function's result.
    pub result: Option<Declared<N>>,
    /// ELEMENTAL.
    pub is_elemental: bool,
    /// PURE in some form.
    pub is_pure: bool,
    /// Whether it is the interface body of an external procedure that is linked by its name.
    pub is_external: bool,
    /// Whether it is the interface body of a procedure with BIND(C).
    pub is_bound: bool,
}

/// A type-bound procedure (R748) or generic.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredBinding<N> {
    /// Its name.
    pub name: N,
    /// The procedure that it is bound to; `None` for a generic or deferred one.
    pub target: Option<N>,
    /// Which dummy argument the object is passed to.
    pub passed: PassedObject<N>,
}

/// The dummy argument that the object is passed to (clause 7.5.4.5).
#[derive(Clone, PartialEq, Debug)]
pub enum PassedObject<N> {
    /// The first one.
    First,
    /// That of this name.
    Named(N),
    /// None: NOPASS.
    Nowhere,
}

impl<N> DeclaredBinding<N> {
    /// The same binding over other names.
    pub fn map<M>(&self, to: &impl Fn(&N) -> Option<M>) -> Option<DeclaredBinding<M>> {
        let passed = match &self.passed {
            PassedObject::First => PassedObject::First,
            PassedObject::Named(name) => PassedObject::Named(to(name)?),
            PassedObject::Nowhere => PassedObject::Nowhere,
        };
        Some(DeclaredBinding { name: to(&self.name)?, target: self.target.as_ref().and_then(to), passed })
    }
}

/// A derived type as declared.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredDerivedType<N> {
    /// Its name; `None` for an unnamed DEC structure.
    pub name: Option<N>,
    /// `extends(parent)`.
    pub parent: Option<N>,
    /// Its components.
    pub components: Vec<Declared<N>>,
    /// Its type-bound procedures and generics.
    pub bindings: Vec<DeclaredBinding<N>>,
    /// Whether a statement in it was not understood.
    pub is_open: bool,
}

/// A USE statement.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredUse<N: Eq + Hash> {
    /// The module.
    pub module: N,
    /// Whether it has an ONLY list.
    pub only: bool,
    /// Local names of listed items, each with its name in the module.
    pub remote_of: FxHashMap<N, N>,
    /// Names that this statement renames, so that they are not visible under themselves.
    pub renamed: FxHashSet<N>,
    /// The statement (0 in summaries) and the module's name in it.
    pub place: (StatementId, Span),
}

impl<N: Clone + Eq + Hash> DeclaredUse<N> {
    /// The name in the module that `local` means through this statement, `None` when the statement does not give it.
    pub fn remote<'a, Q: Eq + Hash + ?Sized>(&'a self, local: &'a Q) -> Option<&'a Q>
    where
        N: Borrow<Q>,
    {
        match self.remote_of.get(local) {
            Some(remote) => Some(remote.borrow()),
            None if self.only || self.renamed.contains(local) => None,
            None => Some(local),
        }
    }
}

/// Default accessibility and the exceptions from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Accessibility<N: Eq + Hash> {
    /// Whether a PRIVATE statement without a list stands in the module.
    pub default_private: bool,
    /// Names with an access attribute of their own: whether it is PRIVATE.
    pub private: FxHashMap<N, bool>,
}

impl<N: Eq + Hash> Default for Accessibility<N> {
    fn default() -> Self {
        Accessibility { default_private: false, private: FxHashMap::default() }
    }
}

impl<N: Eq + Hash> Accessibility<N> {
    /// Whether a name can be seen by users of the module.
    pub fn is_public<Q: Eq + Hash + ?Sized>(&self, name: &Q) -> bool
    where
        N: Borrow<Q>,
    {
        !self.private.get(name).copied().unwrap_or(self.default_private)
    }
}

/// What other files need of a file: one of its modules or submodules, as owned data. One with an empty name holds what
/// stands in no module: the names of the file's external functions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ModuleSummary {
    /// The lower-case name; of a submodule `ancestor:name`.
    pub name: String,
    /// The file it stands in.
    pub file: std::path::PathBuf,
    /// Of a submodule, the summary name of the module or submodule that is its host.
    pub host: Option<String>,
    /// Its USE statements.
    pub uses: Vec<DeclaredUse<String>>,
    /// Accessibility.
    pub access: Accessibility<String>,
    /// Names that its specification part declares, in order.
    pub symbols: Vec<Declared<String>>,
    /// Indices into `symbols` in the order in which statements touch them; the last touch has the whole declaration.
    pub order: Vec<u32>,
    /// Its derived types.
    pub types: Vec<DeclaredDerivedType<String>>,
    /// Whether it may declare more than was seen: a statement was not understood or an include file is missing.
    pub is_open: bool,
    /// External functions of the file, in a summary without a name.
    pub external_functions: Vec<ExternalFunction>,
}

/// An external function, as other files know it.
#[derive(Clone, PartialEq, Debug)]
pub struct ExternalFunction {
    /// The lower-case name.
    pub name: String,
    /// Whether it evidently has side effects: it is not PURE, and calls subroutines or transfers data. Nobody needs to
    /// look at what it reads.
    pub has_side_effects: bool,
    /// Depends on its statements only: copies of one function in several files have the same.
    pub fingerprint: u64,
}

impl<N: Clone> Declared<N> {
    /// A declaration that says nothing but the name.
    pub fn new(name: N, declared: Option<Span>) -> Self {
        let properties = Properties::default();
        Declared { name, kind: DeclaredKind::Data, type_: None, shape: None, properties, declared }
    }

    /// The same declaration over other names, without its place; names that `to` does not give are unknown.
    pub fn map<M: Clone>(&self, name: M, to: &impl Fn(&N) -> Option<M>) -> Declared<M> {
        let kind = match &self.kind {
            DeclaredKind::Data => DeclaredKind::Data,
            DeclaredKind::Parameter(value) => DeclaredKind::Parameter(value.map(to)),
            DeclaredKind::Function(interface) => {
                DeclaredKind::Function(interface.as_ref().map(|interface| Box::new(interface.map(to))))
            }
            DeclaredKind::Subroutine(interface) => {
                DeclaredKind::Subroutine(interface.as_ref().map(|interface| Box::new(interface.map(to))))
            }
            DeclaredKind::External => DeclaredKind::External,
            DeclaredKind::Intrinsic => DeclaredKind::Intrinsic,
            DeclaredKind::ProcedurePointer => DeclaredKind::ProcedurePointer,
            DeclaredKind::Generic(specifics) => DeclaredKind::Generic(specifics.iter().filter_map(to).collect()),
            DeclaredKind::DerivedType(index) => DeclaredKind::DerivedType(*index),
            DeclaredKind::Namelist => DeclaredKind::Namelist,
            DeclaredKind::Module => DeclaredKind::Module,
            DeclaredKind::ConstructName => DeclaredKind::ConstructName,
        };
        Declared {
            name,
            kind,
            type_: self.type_.as_ref().map(|type_| type_.map(to)),
            shape: self.shape.as_ref().map(|shape| shape.map(to)),
            properties: self.properties,
            declared: None,
        }
    }
}

impl<N: Clone> DeclaredType<N> {
    /// A type without parameters.
    pub fn plain(base: BaseType) -> Self {
        DeclaredType { base: DeclaredBase::Known(base), kind: None, length: None }
    }

    fn map<M>(&self, to: &impl Fn(&N) -> Option<M>) -> DeclaredType<M> {
        let unknown = DeclaredBase::Known(BaseType::Unknown);
        let base = match &self.base {
            DeclaredBase::Known(base) => DeclaredBase::Known(*base),
            DeclaredBase::Derived(name) => to(name).map_or(unknown, DeclaredBase::Derived),
            DeclaredBase::Class(name) => to(name).map_or(unknown, DeclaredBase::Class),
            DeclaredBase::Structure(index) => DeclaredBase::Structure(*index),
        };
        DeclaredType {
            base,
            kind: self.kind.as_ref().map(|kind| kind.map(to)),
            length: self.length.as_ref().map(|length| length.map(to)),
        }
    }
}

impl<N: Clone> DeclaredShape<N> {
    fn map<M>(&self, to: &impl Fn(&N) -> Option<M>) -> DeclaredShape<M> {
        let bound = |bound: &Option<Constant<N>>| bound.as_ref().map(|bound| bound.map(to));
        let dimensions = self.dimensions.iter();
        DeclaredShape {
            dimensions: dimensions
                .map(|dimension| DeclaredBounds { lower: bound(&dimension.lower), upper: bound(&dimension.upper) })
                .collect(),
            rank: self.rank.map(to),
        }
    }
}

impl<N: Clone> DeclaredInterface<N> {
    /// Dummies keep their names, if `to` gives none for them; what refers to them elsewhere is unknown.
    fn map<M: Clone>(&self, to: &impl Fn(&N) -> Option<M>) -> DeclaredInterface<M> {
        let dummy = |dummy: &Declared<N>| to(&dummy.name).map(|name| dummy.map(name, to));
        DeclaredInterface {
            dummies: self.dummies.iter().map(|entry| entry.as_ref().and_then(dummy)).collect(),
            result: self.result.as_ref().and_then(dummy),
            is_elemental: self.is_elemental,
            is_pure: self.is_pure,
            is_external: self.is_external,
            is_bound: self.is_bound,
        }
    }
}

impl<N: Clone> DeclaredDerivedType<N> {
    /// The same type over other names.
    pub fn map<M: Clone>(&self, to: &impl Fn(&N) -> Option<M>) -> DeclaredDerivedType<M> {
        let components = self.components.iter();
        DeclaredDerivedType {
            name: self.name.as_ref().and_then(to),
            parent: self.parent.as_ref().and_then(to),
            components: components
                .filter_map(|component| to(&component.name).map(|name| component.map(name, to)))
                .collect(),
            bindings: self.bindings.iter().filter_map(|binding| binding.map(to)).collect(),
            is_open: self.is_open,
        }
    }
}

/// A USE statement over strings.
pub fn use_as_text(declared: &DeclaredUse<Name>, text: &impl Fn(&Name) -> String) -> DeclaredUse<String> {
    DeclaredUse {
        module: text(&declared.module),
        only: declared.only,
        remote_of: declared.remote_of.iter().map(|(local, remote)| (text(local), text(remote))).collect(),
        renamed: declared.renamed.iter().map(text).collect(),
        place: (StatementId::default(), Span::default()),
    }
}
