//! What functions read of the arrays that they are given, so that a stencil is found that sits in a helper function.
//!
//! A function without side effects is summarised as a computation of its own whose root is its result: each read of an array is told
//! relative to the dummy arguments ([`FunctionReads`]). A reference to the function then reads the actual arguments at these places.
//! Summaries are made of summaries; functions that call themselves or each other in a ring have none, nor have those whose result depends on
//! arrays of their own. Functions of other files come from a
//! [`Library`].

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::LowerBounds;
use super::held::HeldValues;
use super::index::{Atom, Index};
use super::reads::SubscriptKind;
use super::roots::{Analysis, Contribution, Root};
use super::search::Search;
use super::{Reason, relative};
use crate::flow::{FlowPosition, VariableId, unit_flow};
use crate::names::{Resolved, Shape, SymbolId};
use crate::procedures::{FileProcedures, Location, References, Summaries};
use crate::symbolic::Affine;
use crate::syntax::{DummyArgument, Name, StatementKind, Tree, UnitId};

/// A function that reads more than this is not summarised.
const READS: usize = 256;

/// What a function reads, apart from its scalar arguments.
#[derive(Clone, Debug, Default)]
pub struct FunctionReads {
    /// Its dummy arguments in order.
    pub dummies: Vec<FunctionDummy>,
    /// The reads in source order.
    pub reads: Vec<FunctionRead>,
    /// The scalar variables of hosts and modules that its result depends on, lower case. What flows to these is not known here.
    pub scalars: Vec<String>,
}

/// A dummy argument.
#[derive(Clone, Debug)]
pub struct FunctionDummy {
    /// The lower-case name.
    pub name: String,
    /// The lower bounds of its dimensions, as far as they are known; none for a scalar.
    pub lower_bounds: Vec<Option<i64>>,
    /// If it is declared with extents: those of all dimensions but the last, as far as they are known. Only an actual argument with the same
    /// ones has its elements at the same places (clause 15.5.2.12).
    pub leading_extents: Option<Vec<Option<i64>>>,
    /// Whether its lower bounds are those of the actual argument: it is a pointer or allocatable.
    pub is_deferred: bool,
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

/// The functions of one file: by module (none for external ones) and name, both lower case.
pub type FileFunctions = FxHashMap<(Option<String>, String), Arc<FunctionReads>>;

/// Where the functions of other files come from.
pub trait Library {
    /// The functions of a file; `None` if they can't be had.
    fn functions_of(&self, file: &Path) -> Option<Arc<FileFunctions>>;
}

/// A library without functions.
pub struct NoLibrary;

impl Library for NoLibrary {
    fn functions_of(&self, _: &Path) -> Option<Arc<FileFunctions>> {
        None
    }
}

/// What the functions read that can be referenced in a file.
pub struct Functions<'t> {
    /// The procedures of the file.
    pub procedures: &'t FileProcedures<'t>,
    library: &'t dyn Library,
    /// The lower bounds of arrays that no constant gives.
    pub bounds: LowerBounds<'t>,
    summaries: Summaries<UnitId, Option<Arc<FunctionReads>>>,
}

impl<'t> Functions<'t> {
    /// Those of a file, which may refer to those of the library.
    pub fn new(procedures: &'t FileProcedures<'t>, library: &'t dyn Library) -> Self {
        let bounds = LowerBounds::of(procedures.tree, procedures.resolved);
        Functions { procedures, library, bounds, summaries: Summaries::default() }
    }

    /// What the function that a symbol stands for reads.
    pub fn reads_of(&self, symbol: SymbolId) -> Option<Arc<FunctionReads>> {
        match self.procedures.location(symbol)? {
            Location::Here(unit) => self.summary(unit),
            Location::OtherFile { file, module, name } => {
                self.library.functions_of(file)?.get(&(module.map(str::to_owned), name.to_owned())).cloned()
            }
        }
    }

    fn summary(&self, unit: UnitId) -> Option<Arc<FunctionReads>> {
        self.summaries.get(unit, &None, |unit| self.references(unit), |unit, _| self.summarise(unit).map(Arc::new))
    }

    /// The functions of the file that the summary of one may depend on.
    fn references(&self, unit: UnitId) -> References<UnitId, Option<Arc<FunctionReads>>> {
        match self.procedures.function(unit) {
            Some(function) if self.procedures.may_be_without_side_effects(function, unit) => {
                References::To(self.procedures.referenced_functions(unit))
            }
            _ => References::None(None),
        }
    }

    fn summarise(&self, unit: UnitId) -> Option<FunctionReads> {
        let FileProcedures { tree, resolved, .. } = *self.procedures;
        let subprogram = self.procedures.function(unit)?;
        let statements = self.procedures.statements(unit);
        let &last = statements.last()?;
        let dummies: Vec<(Name, Option<SymbolId>)> = subprogram
            .dummies
            .iter()
            .filter_map(|dummy| match dummy {
                DummyArgument::Name(name) => Some((name.name, self.procedures.resolved.symbol_at(last, name.name))),
                DummyArgument::Star => None,
            })
            .collect();
        // What has a summary has no side effects.
        let changes_nothing = |symbol| self.procedures.is_pure(symbol) || self.reads_of(symbol).is_some();
        let effects = self.procedures.effects_knowing(unit, &changes_nothing);
        if !self.procedures.is_without_side_effects(subprogram, unit, &effects) {
            return None;
        }
        let result = subprogram.suffix.result.unwrap_or(subprogram.name);
        let result = self.procedures.resolved.symbol(self.procedures.resolved.symbol_at(last, result.name)?);
        let is_structure = result.type_.is_none_or(|type_| type_.derived().is_some());
        if result.shape.is_some() || result.is_pointer || is_structure {
            return None;
        }
        let flow = unit_flow(tree, resolved, unit, statements.to_vec(), effects);
        let names_in_unparsed = relative::names_in_unparsed(tree, resolved, &flow);
        let analysis = Analysis {
            tree,
            resolved,
            flow: &flow,
            paper: false,
            changed_by_internal: &BTreeSet::new(),
            names_in_unparsed: &names_in_unparsed,
            bounds: &self.bounds,
            functions: self,
            summarises: true,
            held: HeldValues::default(),
        };
        let returns = flow.statements.iter_enumerated().filter(|&(position, &id)| {
            position + 1 == flow.statements.next_idx() || returns(&self.procedures.tree.statements[id].kind)
        });
        let mut search = Search::new(&analysis);
        let mut contributions: Vec<Contribution> = Vec::new();
        for (position, _) in returns {
            let (Root { contributions: found, unparsed, is_incomplete, .. }, _) = search.contributions(position);
            if is_incomplete || !unparsed.is_empty() || found.iter().any(|one| !one.read.declared) {
                return None;
            }
            contributions.extend(found);
        }
        // What is read on the way to several returns counts once.
        let mut met = FxHashSet::default();
        contributions.retain(|one| met.insert((one.position, one.read.span, one.read.ordinal, one.read.array.clone())));
        if contributions.len() > READS || contributions.iter().any(|one| self.is_own_array(unit, one)) {
            return None;
        }
        let position_of = |symbol: SymbolId| dummies.iter().position(|(_, dummy)| *dummy == Some(symbol));
        let mut reads: Vec<FunctionRead> = contributions.iter().map(|one| read(&analysis, one, &position_of)).collect();
        reads.extend(self.scalar_components(&analysis, &position_of));
        Some(FunctionReads {
            dummies: dummies.iter().map(|&(name, symbol)| self.dummy(name, symbol)).collect(),
            reads,
            scalars: self.foreign_scalars(unit, &analysis),
        })
    }

    /// The scalar components of dummy structures that the function uses: the actual argument may be an element of an array.
    fn scalar_components(
        &self,
        analysis: &Analysis<'_>,
        position_of: &dyn Fn(SymbolId) -> Option<usize>,
    ) -> Vec<FunctionRead> {
        let effects = &analysis.flow.effects;
        let variables: BTreeSet<VariableId> = effects.uses.iter().map(|used| used.variable).collect();
        let of_dummy = variables.into_iter().filter_map(|variable| {
            let components = effects.variables.components(variable);
            let position = position_of(effects.variables.symbol(variable))?;
            let components: Vec<String> =
                components.iter().map(|&name| self.procedures.tree.names.text(name).to_owned()).collect();
            let base = FunctionArray::Dummy(position);
            (!components.is_empty()).then_some(FunctionRead { base, components, subscripts: Vec::new() })
        });
        of_dummy.collect()
    }

    /// Whether a read is of an array of the function's own: what that holds is not followed.
    fn is_own_array(&self, unit: UnitId, contribution: &Contribution) -> bool {
        let of = self.procedures.resolved.symbol(contribution.read.array.symbol);
        self.procedures.is_local(unit, of) && !of.is_dummy
    }

    /// The scalars of hosts and modules that assignments of the function use.
    fn foreign_scalars(&self, unit: UnitId, analysis: &Analysis<'_>) -> Vec<String> {
        let effects = &analysis.flow.effects;
        let used =
            effects.uses.iter().map(|used| self.procedures.resolved.symbol(effects.variables.symbol(used.variable)));
        let foreign = used.filter(|of| !self.procedures.is_local(unit, of));
        let names: BTreeSet<&str> = foreign.map(|of| self.procedures.tree.names.text(of.name)).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    fn dummy(&self, name: Name, symbol: Option<SymbolId>) -> FunctionDummy {
        let name = self.procedures.tree.names.text(name).to_owned();
        let Some(shape) = symbol.and_then(|symbol| self.procedures.resolved.symbol(symbol).shape.as_ref()) else {
            return FunctionDummy { name, lower_bounds: Vec::new(), leading_extents: None, is_deferred: false };
        };
        let is_deferred = symbol.is_some_and(|symbol| {
            let of = self.procedures.resolved.symbol(symbol);
            of.is_pointer || of.is_allocatable
        });
        let lower = |dimension: usize| shape.bounds.get(dimension).and_then(|bounds| bounds.lower);
        let lower_bounds = (0..usize::from(shape.rank)).map(lower).collect();
        let leading_extents = shape.is_explicit.then(|| leading_extents(shape));
        FunctionDummy { name, lower_bounds, leading_extents, is_deferred }
    }
}

/// What every function of a tree reads that has no side effects: for other files.
pub fn file_functions(tree: &Tree, resolved: &Resolved, library: &dyn Library) -> FileFunctions {
    let procedures = FileProcedures::new(tree, resolved);
    let functions = Functions::new(&procedures, library);
    let text = |name: Name| tree.names.text(name).to_owned();
    let found = procedures.public_functions().into_iter().filter_map(|(unit, module, name)| {
        let summary = functions.summary(unit)?;
        // What another file means by the name of a variable is another matter.
        let is_closed = summary.reads.iter().all(|read| matches!(read.base, FunctionArray::Dummy(_)));
        is_closed.then(|| ((module.map(text), text(name)), summary))
    });
    found.collect()
}

/// The extents of all dimensions but the last, as far as they are known.
pub(super) fn leading_extents(shape: &Shape) -> Vec<Option<i64>> {
    let leading = shape.bounds.iter().take(usize::from(shape.rank).saturating_sub(1));
    leading.map(|bounds| bounds.upper?.checked_sub(bounds.lower?)?.checked_add(1)).collect()
}

/// Whether a statement returns from a procedure, perhaps on a condition.
fn returns(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Return(_) => true,
        StatementKind::If { action, .. } => returns(&action.kind),
        _ => false,
    }
}

/// A read of a function, told by its dummy arguments.
fn read(
    analysis: &Analysis<'_>,
    contribution: &Contribution,
    position_of: &dyn Fn(SymbolId) -> Option<usize>,
) -> FunctionRead {
    let array = &contribution.read.array;
    let name = |name: Name| analysis.tree.names.text(name).to_owned();
    let of_value = |value: &Index| {
        let found = index(analysis, contribution.position, value, position_of)?;
        Ok(found.ok_or_else(|| format!("{:?}", value.form)))
    };
    let subscripts = contribution.read.subscripts.iter().map(|subscript| match &subscript.kind {
        SubscriptKind::Index(values) => several(values.iter().map(of_value), false),
        SubscriptKind::Window(values) => several(values.iter().map(of_value), true),
        SubscriptKind::Aligned { .. } => FunctionSubscript::Unclear(Reason::NonNeighbourIndex),
        SubscriptKind::Other(reason) | SubscriptKind::Unaligned(reason) => FunctionSubscript::Unclear(*reason),
    });
    let base = match position_of(array.symbol) {
        Some(position) => FunctionArray::Dummy(position),
        None => FunctionArray::Variable(array.symbol),
    };
    FunctionRead {
        base,
        components: array.components.iter().map(|&component| name(component)).collect(),
        subscripts: subscripts.collect(),
    }
}

fn several(
    values: impl Iterator<Item = Result<Result<FunctionIndex, String>, Reason>>,
    are_all_read: bool,
) -> FunctionSubscript {
    let values: Result<Vec<Result<FunctionIndex, String>>, Reason> = values.collect();
    match values {
        Err(reason) => FunctionSubscript::Unclear(reason),
        Ok(values) => match values.into_iter().collect::<Result<Vec<_>, String>>() {
            Ok(values) => FunctionSubscript::Values { values, are_all_read },
            Err(form) => FunctionSubscript::Fixed(form),
        },
    }
}

/// An index by the dummy arguments; `None` if it does not depend on them.
fn index(
    analysis: &Analysis<'_>,
    position: FlowPosition,
    value: &Index,
    position_of: &dyn Fn(SymbolId) -> Option<usize>,
) -> Result<Option<FunctionIndex>, Reason> {
    let depends = value.variables().any(|symbol| analysis.is_fixed_dummy(symbol));
    if value.inside.calls || (depends && value.inside.indirect) {
        return Err(Reason::IndirectIndex);
    }
    let is_counted = |symbol: SymbolId| analysis.is_counted(position, symbol);
    if value.variables().any(|symbol| !is_counted(symbol) && analysis.changes_in_unit(symbol)) {
        return Err(Reason::LoopVaryingIndex);
    }
    // What a variable of the host or a module is at the reference is not known here.
    if value.variables().any(|symbol| !is_counted(symbol) && !analysis.is_fixed_dummy(symbol)) {
        return Err(Reason::SymbolicOffset);
    }
    if !depends && value.form.as_constant().is_none() {
        return Ok(None);
    }
    let dummy = |atom: &Atom| match atom {
        Atom::Variable(symbol) if analysis.is_fixed_dummy(*symbol) => position_of(*symbol),
        Atom::Variable(_) | Atom::Opaque(_) => None,
    };
    let form = value.form.map_atoms(|atom| dummy(atom).ok_or(Reason::NonNeighbourIndex))?;
    let form = form.ok_or(Reason::NonNeighbourIndex)?;
    Ok(Some(FunctionIndex { form, at_border: value.derivation.at_border }))
}
