//! A file: its procedures, each after those that it calls.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use super::called::Called;
use super::decide::Decider;
use super::initial::InitialValues;
use super::options::FailureOptions;
use super::passed::ExternalArgument;
use super::procedure::Procedure;
use super::sources::failures;
use super::summary::{UnitOutcome, summarise};
use super::unit::{Callee, Callees, UnitContext};
use crate::analysis::obligations::DeclaredArrays;
use crate::flow::{FlowPosition, canonical, unit_flow};
use crate::names::{PassedObject, SymbolId};
use crate::procedures::Location;
use crate::solve::Procedure as Solver;
use crate::solve::conditions::SharedAnswers;
use crate::syntax::{DummyArgument, Name, Reference, StatementId, UnitId};
use crate::workspace::{FileView, PublicProcedures, SummaryLookup};

/// What a file tells others.
#[derive(Clone, Debug, Default)]
pub struct FileSummary {
    /// The procedures.
    pub procedures: PublicProcedures<Arc<Procedure>>,
    /// What came of the units of the file.
    outcomes: BTreeMap<UnitId, Arc<UnitOutcome>>,
}

/// What the procedures of a file are analysed with.
#[derive(Clone, Debug)]
pub struct Options {
    /// What counts as a failure.
    pub failures: FailureOptions,
    /// What decides conditions.
    pub solver: Solver,
    /// What was decided in other files.
    pub answers: Arc<SharedAnswers>,
}

/// A file under analysis.
pub struct FileConditions<'v> {
    /// The procedures of the file, and of the others that it calls.
    pub called: Called<'v>,
    declared: DeclaredArrays<'v>,
    initial: InitialValues<'v>,
    changed_by_internal: BTreeSet<SymbolId>,
    others: &'v SummaryLookup<'v, FileSummary>,
    options: &'v Options,
    /// The procedures of the file that each unit calls.
    pub calls: BTreeMap<UnitId, Vec<UnitId>>,
    outcomes: RefCell<BTreeMap<UnitId, Arc<UnitOutcome>>>,
    /// What names in statements call that were met.
    callees: RefCell<FxHashMap<(StatementId, Name), Option<Callee>>>,
}

impl<'v> FileConditions<'v> {
    /// Analyses the procedures of a file, unless they are known.
    pub fn new(
        view: &'v FileView<'_>,
        others: &'v SummaryLookup<'v, FileSummary>,
        options: &'v Options,
        known: Option<&FileSummary>,
    ) -> Self {
        let (tree, resolved) = (view.tree(), view.names());
        let mut made = FileConditions {
            called: Called::new(view),
            declared: DeclaredArrays::new(tree, resolved),
            initial: InitialValues::new(tree, resolved),
            changed_by_internal: BTreeSet::new(),
            others,
            options,
            calls: BTreeMap::new(),
            outcomes: RefCell::default(),
            callees: RefCell::default(),
        };
        let procedures = &made.called.linked.own;
        made.changed_by_internal = procedures.changed_by_internal(&procedures.internal_effects());
        let units = tree.executable_units();
        made.calls = units.iter().map(|&unit| (unit, made.called.of_file(unit))).collect();
        match known {
            Some(known) => made.outcomes = RefCell::new(known.outcomes.clone()),
            None => made.analyse_all(&units),
        }
        made
    }

    /// Analyses units, each after those that it calls.
    fn analyse_all(&self, units: &[UnitId]) {
        let mut graph: DiGraph<UnitId, ()> = DiGraph::new();
        let nodes: BTreeMap<UnitId, NodeIndex> = units.iter().map(|&unit| (unit, graph.add_node(unit))).collect();
        for (unit, callees) in &self.calls {
            for callee in callees {
                if let (Some(&from), Some(&to)) = (nodes.get(unit), nodes.get(callee)) {
                    graph.add_edge(from, to, ());
                }
            }
        }
        // Those that are called come first.
        for ring in petgraph::algo::tarjan_scc(&graph) {
            let mut ring: Vec<UnitId> = ring.into_iter().map(|node| graph[node]).collect();
            ring.sort_unstable();
            let is_ring = ring.len() > 1 || self.calls[&ring[0]].contains(&ring[0]);
            let outcomes: Vec<(UnitId, Option<UnitOutcome>)> =
                ring.iter().map(|&unit| (unit, self.analyse(unit, if is_ring { &ring } else { &[] }))).collect();
            let found = outcomes.into_iter().filter_map(|(unit, outcome)| Some((unit, Arc::new(outcome?))));
            self.outcomes.borrow_mut().extend(found);
        }
    }

    /// What is known of a procedure.
    fn procedure(&self, location: Location<'_>) -> Option<Arc<Procedure>> {
        match location {
            Location::Here(unit) => self.outcome(unit).map(|outcome| outcome.procedure.clone()),
            Location::OtherFile { file, module, name } => {
                let of_file = self.others.of_file(file)?;
                let found = of_file.procedures.get(module, name, self.called.linked.own.tree)?;
                Some(if found.leaves_open() { Arc::new(self.settled(found)) } else { found.clone() })
            }
        }
    }

    /// A procedure with what became of those of its arguments that it passes to others that need it in turn: they are
    /// changed if one is that can be come to in this way.
    fn settled(&self, procedure: &Procedure) -> Procedure {
        let mut made = procedure.clone();
        for dummy in &mut made.dummies {
            if let Some(passed_to) = &dummy.passed_to
                && let Some(is_changed) = self.changes_one_of(passed_to.clone())
            {
                dummy.is_changed = is_changed;
                dummy.passed_to = None;
            }
        }
        made
    }

    /// Whether one of these arguments may be changed, or one as which it is passed on; `None` if not all is known yet
    /// of those procedures.
    fn changes_one_of(&self, arguments: Vec<ExternalArgument>) -> Option<bool> {
        let tree = self.called.linked.own.tree;
        let mut met: BTreeSet<ExternalArgument> = BTreeSet::new();
        let mut pending = arguments;
        while let Some(argument) = pending.pop() {
            if met.contains(&argument) {
                continue;
            }
            let (name, at) = &argument;
            let files = self.called.linked.external_files(name);
            if files.is_empty() {
                return Some(true);
            }
            for file in files {
                let of_file = self.others.of_file(file)?;
                let procedure = of_file.procedures.get(None, name, tree);
                let Some(dummy) = procedure.and_then(|procedure| procedure.dummies.get(*at)) else { return Some(true) };
                match &dummy.passed_to {
                    _ if !dummy.is_changed => {}
                    Some(passed_to) => pending.extend(passed_to.iter().cloned()),
                    None => return Some(true),
                }
            }
            met.insert(argument);
        }
        Some(false)
    }

    /// What came of a unit.
    pub fn outcome(&self, unit: UnitId) -> Option<Arc<UnitOutcome>> {
        self.outcomes.borrow().get(&unit).cloned()
    }

    /// The units that were analysed.
    pub fn units(&self) -> Vec<UnitId> {
        self.outcomes.borrow().keys().copied().collect()
    }

    /// What others must know of the file.
    pub fn summary(&self) -> FileSummary {
        let outcomes = self.outcomes.borrow();
        let known = |unit| outcomes.get(&unit).map(|outcome| outcome.procedure.clone());
        FileSummary { procedures: PublicProcedures::new(&self.called.linked.own, known), outcomes: outcomes.clone() }
    }

    /// Analyses a unit; `ring`: the units that need each other and of which it is one.
    fn analyse(&self, unit: UnitId, ring: &[UnitId]) -> Option<UnitOutcome> {
        let (tree, resolved) = (self.called.linked.own.tree, self.called.linked.own.resolved);
        let statements = self.called.linked.own.statements(unit).to_vec();
        let &last = statements.last()?;
        let flow = unit_flow(tree, resolved, unit, statements, self.called.linked.own.effects(unit));
        let subprogram = self.called.linked.own.subprogram(unit);
        let symbol = |dummy: &DummyArgument| match dummy {
            DummyArgument::Name(name) => resolved.symbol_at(last, name.name).map(|symbol| canonical(resolved, symbol)),
            DummyArgument::Star => None,
        };
        let dummies: Vec<Option<SymbolId>> =
            subprogram.map(|subprogram| subprogram.dummies.iter().map(symbol).collect()).unwrap_or_default();
        let context = UnitContext::new(
            &self.called.linked.own,
            &flow,
            &self.declared,
            &self.initial,
            dummies,
            &self.changed_by_internal,
            self,
        );
        let failures = failures(&context, &self.options.failures);
        let recursive: Vec<FlowPosition> = flow
            .statements
            .iter_enumerated()
            .filter(|(_, id)| !ring.is_empty() && self.called.refers_to(**id, ring))
            .map(|(position, _)| position)
            .collect();
        Some(summarise(&context, &failures, &recursive, &Decider::new(self.options.solver, &self.options.answers)))
    }
}

impl Callees for FileConditions<'_> {
    fn callee(&self, statement: StatementId, reference: &Reference) -> Option<Callee> {
        let [part] = reference.parts.as_slice() else { return self.find_callee(statement, reference) };
        let key = (statement, part.name.name);
        if let Some(known) = self.callees.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find_callee(statement, reference);
        self.callees.borrow_mut().insert(key, found.clone());
        found
    }

    fn is_one_of_several(&self, statement: StatementId, reference: &Reference) -> bool {
        self.called.is_one_of_several(statement, reference)
    }
}

impl FileConditions<'_> {
    /// What is known of a procedure that is one of several.
    fn one_of_several(&self, candidates: Vec<Location<'_>>) -> Option<Arc<Procedure>> {
        let known: Option<Vec<Arc<Procedure>>> =
            candidates.into_iter().map(|location| self.procedure(location)).collect();
        Procedure::one_of(&known?).map(Arc::new)
    }

    fn find_callee(&self, statement: StatementId, reference: &Reference) -> Option<Callee> {
        let (location, passed) = self.called.location(statement, reference)?;
        let candidates = if location.is_none() { self.called.candidates(statement, reference) } else { Vec::new() };
        let external = location.iter().chain(&candidates).find_map(|location| match location {
            Location::OtherFile { module: None, name, .. } => Some((*name).to_owned()),
            _ => None,
        });
        let procedure = match location {
            Some(location) => self.procedure(location),
            None => self.one_of_several(candidates),
        };
        let passed = passed.and_then(|(passed, object)| {
            let at = match passed {
                PassedObject::First => 0,
                PassedObject::Named(name) => procedure.as_ref()?.dummies.iter().position(|dummy| dummy.name == name)?,
                PassedObject::Nowhere => return None,
            };
            Some((at, object))
        });
        Some(Callee { procedure, external, passed })
    }
}
