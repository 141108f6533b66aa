//! Summaries of what the functions of a file read ([`super::function`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::contribution::{Contribution, Root};
use super::function::{
    FileFunctions, FunctionArray, FunctionDummy, FunctionIndex, FunctionRead, FunctionReads, FunctionSubscript,
    Functions, Library, leading_extents,
};
use super::search::Search;
use super::subscript::SubscriptKind;
use super::unit::UnitContext;
use super::{Reason, relative};
use crate::flow::{FlowPosition, VariableId, unit_flow};
use crate::names::{Resolved, SymbolId};
use crate::procedures::{FileProcedures, References};
use crate::syntax::{DummyArgument, Name, StatementKind, Tree, UnitId};
use crate::values::{Atom, Index, ScalarMemo, ValueContext};

/// A function that reads more than this is not summarised.
const READS: usize = 256;

impl<'t> Functions<'t> {
    /// What a function of the file reads.
    pub(super) fn summary(&self, unit: UnitId) -> Option<Arc<FunctionReads>> {
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
        let values = ValueContext {
            tree,
            resolved,
            flow: &flow,
            paper: false,
            changed_by_internal: &BTreeSet::new(),
            bounds: &self.bounds,
            summarises: true,
            memo: ScalarMemo::default(),
        };
        let context = UnitContext::new(values, &names_in_unparsed, self);
        let returns = flow.statements.iter_enumerated().filter(|&(position, &id)| {
            position + 1 == flow.statements.next_idx() || returns(&self.procedures.tree.statements[id].kind)
        });
        let mut search = Search::new(&context);
        let mut contributions: Vec<Contribution> = Vec::new();
        for (position, _) in returns {
            let (Root { contributions: found, unparsed, is_incomplete, .. }, _) = search.contributions(position);
            if is_incomplete
                || !unparsed.is_empty()
                || found.iter().any(|one| !one.read.declared || one.read.is_handed_over)
            {
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
        let mut reads: Vec<FunctionRead> =
            contributions.iter().map(|one| read(&context.values, one, &position_of)).collect();
        reads.extend(self.scalar_components(&context.values, &position_of));
        Some(FunctionReads {
            dummies: dummies.iter().map(|&(name, symbol)| self.dummy(name, symbol)).collect(),
            reads,
            scalars: self.foreign_scalars(unit, &context.values),
        })
    }

    /// The scalar components of dummy structures that the function uses: the actual argument may be an element of an
    /// array.
    fn scalar_components(
        &self,
        values: &ValueContext<'_>,
        position_of: &dyn Fn(SymbolId) -> Option<usize>,
    ) -> Vec<FunctionRead> {
        let effects = &values.flow.effects;
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
    fn foreign_scalars(&self, unit: UnitId, values: &ValueContext<'_>) -> Vec<String> {
        let effects = &values.flow.effects;
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
    values: &ValueContext<'_>,
    contribution: &Contribution,
    position_of: &dyn Fn(SymbolId) -> Option<usize>,
) -> FunctionRead {
    let array = &contribution.read.array;
    let name = |name: Name| values.tree.names.text(name).to_owned();
    let of_value = |value: &Index| {
        let found = index(values, contribution.position, value, position_of)?;
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
    values: &ValueContext<'_>,
    position: FlowPosition,
    value: &Index,
    position_of: &dyn Fn(SymbolId) -> Option<usize>,
) -> Result<Option<FunctionIndex>, Reason> {
    let depends = value.variables().any(|symbol| values.is_fixed_dummy(symbol));
    if value.inside.calls || (depends && value.inside.indirect) {
        return Err(Reason::IndirectIndex);
    }
    let is_counted = |symbol: SymbolId| values.is_counted(position, symbol);
    if value.variables().any(|symbol| !is_counted(symbol) && values.changes_in_unit(symbol)) {
        return Err(Reason::LoopVaryingIndex);
    }
    // What a variable of the host or a module is at the reference is not known here.
    if value.variables().any(|symbol| !is_counted(symbol) && !values.is_fixed_dummy(symbol)) {
        return Err(Reason::SymbolicOffset);
    }
    if !depends && value.form.as_constant().is_none() {
        return Ok(None);
    }
    let dummy = |atom: &Atom| match atom {
        Atom::Variable(symbol) if values.is_fixed_dummy(*symbol) => position_of(*symbol),
        Atom::Variable(_) | Atom::Opaque(_) => None,
    };
    let form = value.form.map_atoms(|atom| dummy(atom).ok_or(Reason::NonNeighbourIndex))?;
    let form = form.ok_or(Reason::NonNeighbourIndex)?;
    Ok(Some(FunctionIndex { form, at_border: value.derivation.at_border }))
}
