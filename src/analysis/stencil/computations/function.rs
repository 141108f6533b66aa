//! What procedures read of the arrays that they are given, so that a stencil is found that sits in a helper procedure.
//!
//! A function without side effects is summarised as a computation of its own whose root is its result: each read of an
//! array is told relative to the dummy arguments ([`FunctionReads`]). A reference to the function then reads the actual
//! arguments at these places. In the same way a subroutine is summarised for each scalar that it gives a value to
//! ([`SubroutineReads`]). Summaries are made of summaries; procedures that call themselves or each other in a ring
//! have none, nor have those whose result depends on arrays of their own. Procedures of other files come from a
//! [`Library`].

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Reason;
use crate::names::{BoundProcedure, PassedObject, Shape, SymbolId};
use crate::procedures::{FileProcedures, Location, Summaries};
use crate::source::Span;
use crate::symbolic::Affine;
use crate::syntax::{Argument, ArgumentList, ArgumentValue, Expression, ExpressionKind, Intent, Reference, UnitId};
use crate::values::LowerBounds;

/// What a procedure reads for one result, apart from its scalar arguments.
#[derive(Clone, Debug, Default)]
pub struct FunctionReads {
    /// Its dummy arguments in order.
    pub dummies: Vec<FunctionDummy>,
    /// The reads in source order.
    pub reads: Vec<FunctionRead>,
    /// The scalar variables of hosts and modules that its result depends on, lower case. What flows to these is not
    /// known here.
    pub scalars: Vec<String>,
    /// The scalar dummy arguments on whose values the result depends, by their positions.
    pub depends_on: BTreeSet<usize>,
}

impl FunctionReads {
    /// Whether an array that stands for a dummy argument is read, or one in a structure that does.
    pub fn reads_dummy(&self, dummy: usize) -> bool {
        self.reads.iter().any(|read| matches!(read.base, FunctionArray::Dummy(of) if of == dummy))
    }

    /// Whether the result depends on a dummy argument.
    pub fn uses_dummy(&self, dummy: usize) -> bool {
        self.depends_on.contains(&dummy) || self.reads_dummy(dummy)
    }
}

/// What a subroutine reads for the scalars that it gives values to.
#[derive(Clone, Debug)]
pub struct SubroutineReads {
    /// Its dummy arguments in order.
    pub dummies: Vec<FunctionDummy>,
    /// For each of them what it gets.
    pub given: Vec<Given>,
}

/// What a subroutine gives to a dummy argument.
#[derive(Clone, Debug)]
pub enum Given {
    /// Nothing: it is a scalar that keeps its value.
    Nothing,
    /// A scalar value for which this is read.
    Value(FunctionReads),
    /// It is not known what.
    Unknown,
}

/// A dummy argument.
#[derive(Clone, Debug)]
pub struct FunctionDummy {
    /// The lower-case name.
    pub name: String,
    /// The lower bounds of its dimensions, as far as they are known; none for a scalar.
    pub lower_bounds: Vec<Option<i64>>,
    /// If it is declared with extents: those of all dimensions but the last, as far as they are known. Only an actual
    /// argument with the same ones has its elements at the same places (clause 15.5.2.12).
    pub leading_extents: Option<Vec<Option<i64>>>,
    /// Whether its lower bounds are those of the actual argument: it is a pointer or allocatable.
    pub is_deferred: bool,
    /// Its intent, if it is declared; one with VALUE has INTENT(IN).
    pub intent: Option<Intent>,
}

/// One read of an array by a function.
#[derive(Clone, Debug)]
pub struct FunctionRead {
    /// What the array belongs to.
    pub base: FunctionArray,
    /// The components behind it, lower case.
    pub components: Vec<String>,
    /// The subscripts of all parts in order.
    pub subscripts: Vec<FunctionSubscript>,
}

/// The array that a function reads.
#[derive(Clone, Debug)]
pub enum FunctionArray {
    /// A dummy argument, by its position.
    Dummy(usize),
    /// A variable of a host or module that the function and the reference to it see under one name, in one file.
    Variable(SymbolId),
}

/// A subscript of such a read.
#[derive(Clone, Debug)]
pub enum FunctionSubscript {
    /// One of these values, or all of them.
    Values {
        /// The values.
        values: Vec<FunctionIndex>,
        /// Whether all are read.
        are_all_read: bool,
    },
    /// An index that does not depend on the arguments, or all indices: by its normal form.
    Fixed(String),
    /// Nothing can be said.
    Unclear(Reason),
}

/// An index that depends on scalar dummy arguments.
#[derive(Clone, Debug)]
pub struct FunctionIndex {
    /// A sum of dummy arguments by their positions.
    pub form: Affine<usize>,
    /// Whether it is the value away from a border.
    pub at_border: bool,
}

/// A module (none for external procedures) and the name of a procedure, both lower case.
pub type ProcedureName = (Option<String>, String);

/// The procedures of one file.
#[derive(Clone, Debug, Default)]
pub struct FileFunctions {
    /// Its functions.
    pub functions: FxHashMap<ProcedureName, Arc<FunctionReads>>,
    /// Its subroutines.
    pub subroutines: FxHashMap<ProcedureName, Arc<SubroutineReads>>,
}

/// Where the procedures of other files come from.
pub trait Library {
    /// The procedures of a file; `None` if they can't be had.
    fn functions_of(&self, file: &Path) -> Option<Arc<FileFunctions>>;
}

/// A library without procedures.
pub struct NoLibrary;

impl Library for NoLibrary {
    fn functions_of(&self, _: &Path) -> Option<Arc<FileFunctions>> {
        None
    }
}

/// What the procedures read that can be referenced in a file.
pub struct Functions<'t> {
    /// The procedures of the file.
    pub procedures: &'t FileProcedures<'t>,
    /// The procedures of other files.
    pub(super) library: &'t dyn Library,
    /// The lower bounds of arrays that no constant gives.
    pub bounds: LowerBounds<'t>,
    /// What is known of the functions of this file.
    pub(super) summaries: Summaries<UnitId, Option<Arc<FunctionReads>>>,
    /// What is known of its subroutines.
    pub(super) of_subroutines: Summaries<UnitId, Option<Arc<SubroutineReads>>>,
}

impl<'t> Functions<'t> {
    /// Those of a file, which may refer to those of the library.
    pub fn new(procedures: &'t FileProcedures<'t>, library: &'t dyn Library) -> Self {
        let bounds = LowerBounds::new(procedures.tree, procedures.resolved);
        let (summaries, of_subroutines) = (Summaries::default(), Summaries::default());
        Functions { procedures, library, bounds, summaries, of_subroutines }
    }

    /// What the function that a symbol stands for reads.
    pub fn reads_of(&self, symbol: SymbolId) -> Option<Arc<FunctionReads>> {
        self.reads_at(self.procedures.location(symbol)?)
    }

    /// What the function at a place reads.
    pub fn reads_at(&self, location: Location<'_>) -> Option<Arc<FunctionReads>> {
        match location {
            Location::Here(unit) => self.summary(unit),
            Location::OtherFile { file, module, name } => {
                self.library.functions_of(file)?.functions.get(&(module.map(str::to_owned), name.to_owned())).cloned()
            }
        }
    }

    /// What the subroutine that a symbol stands for reads for what it gives.
    pub fn subroutine(&self, symbol: SymbolId) -> Option<Arc<SubroutineReads>> {
        self.subroutine_at(self.procedures.location(symbol)?)
    }

    /// What the subroutine at a place reads for what it gives.
    pub fn subroutine_at(&self, location: Location<'_>) -> Option<Arc<SubroutineReads>> {
        match location {
            Location::Here(unit) => self.subroutine_summary(unit),
            Location::OtherFile { file, module, name } => {
                self.library.functions_of(file)?.subroutines.get(&(module.map(str::to_owned), name.to_owned())).cloned()
            }
        }
    }
}

/// The arguments of a type-bound procedure with these dummy arguments, the object among them; `None` if it has no
/// place.
pub(super) fn with_object(
    bound: &BoundProcedure<'_>,
    list: &ArgumentList,
    dummies: &[FunctionDummy],
    span: Span,
) -> Option<ArgumentList> {
    let at = match bound.passed {
        PassedObject::First => 0,
        PassedObject::Named(name) => dummies.iter().position(|dummy| dummy.name == *name)?,
        PassedObject::Nowhere => return Some(list.clone()),
    };
    let mut with = list.clone();
    // The arguments before it have no keywords.
    if list.items.get(..at)?.iter().any(|item| item.keyword.is_some()) {
        return None;
    }
    with.items.insert(at, object_argument(&bound.object, span));
    Some(with)
}

/// The object of a type-bound procedure as an argument.
pub(super) fn object_argument(object: &Reference, span: Span) -> Argument {
    let kind = ExpressionKind::Reference(object.clone());
    Argument { keyword: None, value: ArgumentValue::Expression(Expression { kind, span }), span }
}

/// The extents of all dimensions but the last, as far as they are known.
pub(super) fn leading_extents(shape: &Shape) -> Vec<Option<i64>> {
    let leading = shape.bounds.iter().take(usize::from(shape.rank).saturating_sub(1));
    leading.map(|bounds| bounds.upper?.checked_sub(bounds.lower?)?.checked_add(1)).collect()
}
