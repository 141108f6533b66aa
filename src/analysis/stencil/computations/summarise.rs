//! Summaries of what the procedures of a file read ([`super::function`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::contribution::{Contribution, Root};
use super::function::{
    FileFunctions, FunctionArray, FunctionDummy, FunctionIndex, FunctionRead, FunctionReads, FunctionSubscript,
    Functions, Given, Library, SubroutineReads, leading_extents,
};
use super::search::Search;
use super::subscript::SubscriptKind;
use super::unit::UnitContext;
use super::{Reason, relative};
use crate::flow::{Effects, FlowPosition, VariableId, Variables, unit_flow};
use crate::names::{Resolved, SymbolId};
use crate::procedures::{ArgumentEffect, ArgumentEffects, FileProcedures, Known, Location, References};
use crate::syntax::{DummyArgument, Intent, Name, StatementKind, Tree, UnitId};
use crate::values::{Atom, Index, ScalarMemo, ValueContext};

/// A procedure that reads more than this is not summarised.
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
                References::To(self.procedures.referenced_procedures(unit))
            }
            _ => References::None(None),
        }
    }

    /// What a subroutine of the file reads for the scalars that it gives values to.
    pub(super) fn subroutine_summary(&self, unit: UnitId) -> Option<Arc<SubroutineReads>> {
        let references = |unit: UnitId| match self.procedures.subprogram(unit) {
            Some(_) if self.procedures.function(unit).is_none() && !self.has_entry(unit) => {
                References::To(self.procedures.referenced_procedures(unit))
            }
            _ => References::None(None),
        };
        self.of_subroutines.get(unit, &None, references, |unit, _| self.summarise_subroutine(unit).map(Arc::new))
    }

    fn has_entry(&self, unit: UnitId) -> bool {
        let mut statements = self.procedures.statements(unit).iter();
        statements.any(|&id| matches!(self.procedures.tree.statements[id].kind, StatementKind::Entry { .. }))
    }

    /// The dummy arguments of a procedure, each with its symbol.
    fn dummies(&self, unit: UnitId) -> Option<Vec<(Name, Option<SymbolId>)>> {
        let subprogram = self.procedures.subprogram(unit)?;
        let &last = self.procedures.statements(unit).last()?;
        let dummies = subprogram.dummies.iter().filter_map(|dummy| match dummy {
            DummyArgument::Name(name) => Some((name.name, self.procedures.resolved.symbol_at(last, name.name))),
            DummyArgument::Star => None,
        });
        Some(dummies.collect())
    }

    /// The effects of a procedure that is summarised.
    fn effects_of(&self, unit: UnitId) -> Effects {
        // What has a summary has no side effects.
        let changes_nothing = |symbol| self.procedures.is_pure(symbol) || self.reads_of(symbol).is_some();
        let known = Known { changes_nothing: &changes_nothing, arguments: &|symbol| self.argument_effects(symbol) };
        self.procedures.effects_knowing(unit, &known)
    }

    /// The effects of a unit's own statements.
    pub(super) fn effects(&self, unit: UnitId) -> Effects {
        let changes_nothing = |symbol| self.procedures.is_pure(symbol);
        let known = Known { changes_nothing: &changes_nothing, arguments: &|symbol| self.argument_effects(symbol) };
        self.procedures.effects_knowing(unit, &known)
    }

    /// What a subroutine of this file does to its arguments, if its declarations do not say that of all scalars.
    fn argument_effects(&self, symbol: SymbolId) -> Option<ArgumentEffects> {
        let Location::Here(unit) = self.procedures.location(symbol)? else { return None };
        let is_open = |&(_, symbol): &(Name, Option<SymbolId>)| {
            let of = symbol.map(|symbol| self.procedures.resolved.symbol(symbol));
            of.is_some_and(|of| of.shape.is_none() && of.intent.is_none() && !of.is_value)
        };
        if !self.dummies(unit)?.iter().any(is_open) {
            return None;
        }
        let summary = self.subroutine_summary(unit)?;
        let described = summary.dummies.iter().zip(&summary.given).enumerate().map(|(at, (dummy, given))| {
            let effect = match given {
                Given::Nothing => ArgumentEffect::of_intent(Some(Intent::In)),
                Given::Value(reads) if dummy.intent.is_none() => {
                    ArgumentEffect { changes: true, kills: !reads.depends_on.contains(&at), reads: true }
                }
                Given::Value(_) | Given::Unknown => ArgumentEffect::of_intent(dummy.intent),
            };
            (dummy.name.clone(), effect)
        });
        Some(described.collect())
    }

    /// Looks into a procedure that has these effects.
    fn inside<T>(&self, unit: UnitId, effects: Effects, look: impl FnOnce(&UnitContext<'_>) -> T) -> T {
        let FileProcedures { tree, resolved, .. } = *self.procedures;
        let flow = unit_flow(tree, resolved, unit, self.procedures.statements(unit).to_vec(), effects);
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
        look(&UnitContext::new(values, &names_in_unparsed, self))
    }

    fn summarise_subroutine(&self, unit: UnitId) -> Option<SubroutineReads> {
        let dummies = self.dummies(unit)?;
        let declared: Vec<Option<Given>> = dummies.iter().map(|&(_, symbol)| self.given_as_declared(symbol)).collect();
        let given = match declared.iter().all(Option::is_some) {
            true => declared.into_iter().flatten().collect(),
            false => self.given(unit, &dummies, declared),
        };
        Some(SubroutineReads { dummies: self.described_dummies(&dummies), given })
    }

    /// What a subroutine gives to a dummy argument, if its declaration says that.
    fn given_as_declared(&self, symbol: Option<SymbolId>) -> Option<Given> {
        let Some(symbol) = symbol else { return Some(Given::Unknown) };
        let of = self.procedures.resolved.symbol(symbol);
        let has_other_names = of.is_pointer || of.is_target || of.equivalenced || of.is_volatile;
        if of.shape.is_some() || has_other_names || of.type_.is_none_or(|type_| type_.derived().is_some()) {
            return Some(Given::Unknown);
        }
        (of.intent == Some(Intent::In)).then_some(Given::Nothing)
    }

    /// What a subroutine gives to each of its dummy arguments, of some of which their declarations say it.
    fn given(&self, unit: UnitId, dummies: &[(Name, Option<SymbolId>)], declared: Vec<Option<Given>>) -> Vec<Given> {
        let effects = self.effects_of(unit);
        // What an internal procedure gives to the variables of its host is not followed.
        let calls_internal = !effects.calls.is_empty() && self.procedures.has_internal(unit);
        self.inside(unit, effects, |context| {
            let flow = context.values.flow;
            let mut search = Search::new(context);
            let mut of_scalar = |symbol: SymbolId| {
                if !flow.changes_anywhere(symbol) {
                    return Given::Nothing;
                }
                let variable = flow.effects.variables.get(symbol, Vec::new()).filter(|_| !calls_internal);
                let reads = variable.and_then(|variable| {
                    let roots = returns(context).map(|position| search.returned(position, variable));
                    self.reads_for(unit, context, dummies, roots)
                });
                reads.map_or(Given::Unknown, Given::Value)
            };
            let all = dummies.iter().zip(declared);
            all.map(|(&(_, symbol), known)| match (known, symbol) {
                (Some(known), _) => known,
                (None, Some(symbol)) => of_scalar(symbol),
                (None, None) => Given::Unknown,
            })
            .collect()
        })
    }

    fn described_dummies(&self, dummies: &[(Name, Option<SymbolId>)]) -> Vec<FunctionDummy> {
        dummies.iter().map(|&(name, symbol)| self.dummy(name, symbol)).collect()
    }

    fn summarise(&self, unit: UnitId) -> Option<FunctionReads> {
        let subprogram = self.procedures.function(unit)?;
        let &last = self.procedures.statements(unit).last()?;
        let dummies = self.dummies(unit)?;
        let effects = self.effects_of(unit);
        if !self.procedures.is_without_side_effects(subprogram, unit, &effects) {
            return None;
        }
        let result = subprogram.suffix.result.unwrap_or(subprogram.name);
        let result = self.procedures.resolved.symbol(self.procedures.resolved.symbol_at(last, result.name)?);
        let is_structure = result.type_.is_none_or(|type_| type_.derived().is_some());
        if result.shape.is_some() || result.is_pointer || is_structure {
            return None;
        }
        let summary = self.inside(unit, effects, |context| {
            let mut search = Search::new(context);
            let roots = returns(context).map(|position| search.contributions(position).0);
            self.reads_for(unit, context, &dummies, roots)
        });
        // Its arguments are read where it is referenced, whatever it does with them.
        summary.map(|reads| FunctionReads { depends_on: (0..dummies.len()).collect(), ..reads })
    }

    /// What a procedure with these dummy arguments reads for one result, which has a root at each return.
    fn reads_for(
        &self,
        unit: UnitId,
        context: &UnitContext<'_>,
        dummies: &[(Name, Option<SymbolId>)],
        roots: impl Iterator<Item = Root>,
    ) -> Option<FunctionReads> {
        let mut contributions: Vec<Contribution> = Vec::new();
        let mut entered: BTreeSet<VariableId> = BTreeSet::new();
        for root in roots {
            let is_unclear = |one: &Contribution| !one.read.declared || one.is_handed_over;
            if root.is_incomplete || root.has_unknown_call || !root.unparsed.is_empty() {
                return None;
            }
            if root.contributions.iter().any(is_unclear) {
                return None;
            }
            contributions.extend(root.contributions);
            entered.extend(root.entered);
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
        let variables = &context.values.flow.effects.variables;
        reads.extend(self.scalar_components(variables, &entered, &position_of));
        let depends_on = entered.iter().filter_map(|&variable| position_of(variables.symbol(variable)));
        Some(FunctionReads {
            dummies: self.described_dummies(dummies),
            reads,
            scalars: self.foreign_scalars(unit, variables, &entered),
            depends_on: depends_on.collect(),
        })
    }

    /// The scalar components of dummy structures that the procedure uses: the actual argument may be an element of an
    /// array.
    fn scalar_components(
        &self,
        variables: &Variables,
        entered: &BTreeSet<VariableId>,
        position_of: &dyn Fn(SymbolId) -> Option<usize>,
    ) -> Vec<FunctionRead> {
        let of_dummy = entered.iter().filter_map(|&variable| {
            let components = variables.components(variable);
            let position = position_of(variables.symbol(variable))?;
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

    /// The scalars of hosts and modules among those with which the procedure is entered.
    fn foreign_scalars(&self, unit: UnitId, variables: &Variables, entered: &BTreeSet<VariableId>) -> Vec<String> {
        let used = entered.iter().map(|&variable| self.procedures.resolved.symbol(variables.symbol(variable)));
        let foreign = used.filter(|of| !self.procedures.is_local(unit, of));
        let names: BTreeSet<&str> = foreign.map(|of| self.procedures.tree.names.text(of.name)).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    fn dummy(&self, name: Name, symbol: Option<SymbolId>) -> FunctionDummy {
        let name = self.procedures.tree.names.text(name).to_owned();
        let intent = symbol.and_then(|symbol| {
            let of = self.procedures.resolved.symbol(symbol);
            if of.is_value { Some(Intent::In) } else { of.intent }
        });
        let Some(shape) = symbol.and_then(|symbol| self.procedures.resolved.symbol(symbol).shape.as_ref()) else {
            return FunctionDummy { name, lower_bounds: Vec::new(), leading_extents: None, is_deferred: false, intent };
        };
        let is_deferred = symbol.is_some_and(|symbol| {
            let of = self.procedures.resolved.symbol(symbol);
            of.is_pointer || of.is_allocatable
        });
        let lower = |dimension: usize| shape.bounds.get(dimension).and_then(|bounds| bounds.lower);
        let lower_bounds = (0..usize::from(shape.rank)).map(lower).collect();
        let leading_extents = shape.is_explicit.then(|| leading_extents(shape));
        FunctionDummy { name, lower_bounds, leading_extents, is_deferred, intent }
    }
}

/// What every function of a tree reads that has no side effects, and every subroutine: for other files.
pub fn file_functions(tree: &Tree, resolved: &Resolved, library: &dyn Library) -> FileFunctions {
    let procedures = FileProcedures::new(tree, resolved);
    let functions = Functions::new(&procedures, library);
    let text = |name: Name| tree.names.text(name).to_owned();
    // What another file means by the name of a variable is another matter.
    let is_closed =
        |summary: &FunctionReads| summary.reads.iter().all(|read| matches!(read.base, FunctionArray::Dummy(_)));
    let mut found = FileFunctions::default();
    for (unit, module, name) in procedures.public_procedures() {
        let name = (module.map(text), text(name));
        if let Some(summary) = functions.summary(unit).filter(|summary| is_closed(summary)) {
            found.functions.insert(name, summary);
        } else if let Some(summary) = functions.subroutine_summary(unit) {
            let mut summary = Arc::unwrap_or_clone(summary);
            for given in &mut summary.given {
                if matches!(given, Given::Value(reads) if !is_closed(reads)) {
                    *given = Given::Unknown;
                }
            }
            found.subroutines.insert(name, Arc::new(summary));
        }
    }
    found
}

/// The positions at which a procedure returns.
fn returns(context: &UnitContext<'_>) -> impl Iterator<Item = FlowPosition> {
    let statements = &context.values.flow.statements;
    let returns = statements.iter_enumerated().filter(|&(position, &id)| {
        position + 1 == statements.next_idx() || is_return(&context.values.tree.statements[id].kind)
    });
    returns.map(|(position, _)| position)
}

/// Whether a statement returns from a procedure, perhaps on a condition.
fn is_return(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Return(_) => true,
        StatementKind::If { action, .. } => is_return(&action.kind),
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
