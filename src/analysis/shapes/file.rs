//! A file: its procedures, each after those that it calls.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::obligations::{
    Callees, Counts, DeclaredArrays, Demands, Judged, Point, Procedure, Source, Unit, UnitParts, Verdict, Visitor,
    may_mean, note_equalities, regions,
};
use crate::analysis::stencil::computations::unit_path;
use crate::diagnostics::Finding;
use crate::flow::{canonical, unit_flow};
use crate::names::{Resolved, SymbolId};
use crate::procedures::{Location, References, Summaries};
use crate::solve::Procedure as Solver;
use crate::solve::conditions::{ConditionSolver, SharedAnswers};
use crate::symbolic::Term;
use crate::syntax::visit::walk_references;
use crate::syntax::{DummyArgument as SyntaxDummy, Expression, Reference, StatementId, Tree, UnitId};
use crate::workspace::{FileView, LinkedProcedures, PublicProcedures, SummaryLookup};

use super::collect::Collector;
use super::kept::{Leaving, ShapesOfFile};
use super::listed::{ListedProcedure, UndecidedStatement};
use super::{statement, text};

/// What statements demand of shapes.
struct ShapeSource;

impl Source for ShapeSource {
    fn demands(&self, point: &mut Point<'_, '_>) -> Demands {
        statement::demands(point)
    }

    fn shape(&self, point: &mut Point<'_, '_>, expression: &Expression) -> Option<Vec<Term>> {
        Collector::default().shape(point, expression)
    }
}

/// What came of one unit.
#[derive(Default)]
struct UnitOutcome {
    findings: Vec<Finding>,
    /// Those that tell of an equality, in the order of the statements.
    equalities: Vec<Finding>,
    counts: Counts,
    undecided: Vec<UndecidedStatement>,
    leaving: Vec<Leaving>,
    dump: String,
}

/// What is asked of a file.
#[derive(Clone)]
pub struct Asked {
    /// What decides conditions.
    pub solver: Solver,
    /// What was decided in other files.
    pub answers: Arc<SharedAnswers>,
    /// With examples of what fails for some values.
    pub possible: bool,
    /// With the verdicts as text.
    pub dump: bool,
}

/// A file under analysis, and what came of its units.
pub struct FileShapes<'v> {
    tree: &'v Tree,
    outcomes: BTreeMap<UnitId, UnitOutcome>,
    procedures: BTreeMap<UnitId, Arc<Procedure>>,
    public: PublicProcedures<Arc<Procedure>>,
}

/// The procedures that units of a file call.
struct FileCallees<'v> {
    file: &'v FileContext<'v>,
    known: &'v RefCell<BTreeMap<UnitId, Arc<Procedure>>>,
    /// Of each procedure that is called, which of the equalities that it needs hold at all calls.
    holding: &'v RefCell<BTreeMap<UnitId, Vec<bool>>>,
}

/// What the units of a file are analysed with.
pub(super) struct FileContext<'v> {
    pub(super) tree: &'v Tree,
    pub(super) resolved: &'v Resolved,
    pub(super) linked: &'v LinkedProcedures<'v>,
    others: &'v SummaryLookup<'v, ShapesOfFile>,
}

impl FileCallees<'_> {
    fn procedure(&self, location: &Location<'_>) -> Option<Arc<Procedure>> {
        match *location {
            Location::Here(unit) => self.known.borrow().get(&unit).cloned(),
            Location::OtherFile { file, module, name } => {
                self.file.others.of_file(file)?.procedures.get(module, name, self.file.tree).cloned()
            }
        }
    }
}

impl Callees for FileCallees<'_> {
    fn callees(&self, statement: StatementId, symbol: SymbolId, reference: &Reference) -> Vec<Option<Arc<Procedure>>> {
        let procedure =
            |location: &Option<Location<'_>>| location.as_ref().and_then(|location| self.procedure(location));
        let Some(specifics) = self.file.linked.specifics(statement, symbol) else {
            return self.file.linked.meant(symbol).iter().map(procedure).collect();
        };
        let all: Vec<_> = specifics.iter().map(procedure).collect();
        let (tree, resolved) = (self.file.tree, self.file.resolved);
        let is_meant = |specific: &&Option<Arc<Procedure>>| {
            specific.as_ref().is_none_or(|specific| may_mean(tree, resolved, statement, reference, specific))
        };
        let meant: Vec<_> = all.iter().filter(is_meant).cloned().collect();
        // Where none is left, what is known of types is not what the compiler knows.
        if meant.is_empty() { all } else { meant }
    }

    fn note_call(&self, symbol: SymbolId, holding: &[bool]) {
        if let Some(Location::Here(unit)) = self.file.linked.location(symbol) {
            let mut all = self.holding.borrow_mut();
            let known = all.entry(unit).or_insert_with(|| holding.to_vec());
            known.iter_mut().zip(holding).for_each(|(known, holds)| *known &= holds);
        }
    }
}

impl<'v> FileShapes<'v> {
    /// Analyses a file.
    pub fn new(view: &'v FileView<'_>, others: &'v SummaryLookup<'v, ShapesOfFile>, asked: Asked) -> Self {
        let (tree, resolved) = (view.tree(), view.names());
        let linked = LinkedProcedures::new(view);
        let procedures = &linked.own;
        let declared = DeclaredArrays::new(tree, resolved);
        let internal = procedures.internal_effects();
        let changed_by_internal = procedures.changed_by_internal(&internal);
        let known = RefCell::new(BTreeMap::new());
        let outcomes: RefCell<BTreeMap<UnitId, UnitOutcome>> = RefCell::new(BTreeMap::new());
        let holding = RefCell::new(BTreeMap::new());
        let units = tree.executable_units();
        let context = FileContext { tree, resolved, linked: &linked, others };
        let called = calls(&linked, &units);
        let callers: BTreeSet<UnitId> = called.values().flatten().copied().collect();
        let analysis = UnitAnalysis {
            context: &context,
            declared: &declared,
            changed_by_internal: &changed_by_internal,
            asked,
            path: view.path(),
            known: &known,
            holding: &holding,
        };
        let order: Summaries<UnitId, ()> = Summaries::default();
        let analyse = |unit: UnitId| {
            let outcome = analysis.unit(unit, !callers.contains(&unit));
            outcomes.borrow_mut().insert(unit, outcome);
        };
        let references = |unit: UnitId| References::To(called.get(&unit).cloned().unwrap_or_default());
        let ring = |ring: &[UnitId]| {
            analysis.expect_ring(ring);
            ring.iter().copied().for_each(analyse);
        };
        for &unit in &units {
            order.get_or_ring(unit, &(), references, |unit, _| analyse(unit), ring);
        }
        let mut outcomes = outcomes.into_inner();
        let holding = holding.into_inner();
        for (unit, outcome) in &mut outcomes {
            let holding = holding.get(unit).map_or(&[][..], Vec::as_slice);
            let told = std::mem::take(&mut outcome.equalities).into_iter().enumerate();
            let told = told.filter(|(number, _)| holding.get(*number) != Some(&true));
            outcome.findings.extend(told.map(|(_, finding)| finding));
        }
        let procedures = known.into_inner();
        let public = PublicProcedures::new(&linked.own, |unit| procedures.get(&unit).cloned());
        FileShapes { tree, outcomes, procedures, public }
    }

    /// What is kept of it.
    pub fn kept(self) -> ShapesOfFile {
        let mut kept = ShapesOfFile { procedures: self.public, ..ShapesOfFile::default() };
        for (unit, outcome) in self.outcomes {
            let procedure = self.procedures.get(&unit);
            let takes_something = procedure.is_some_and(|procedure| !procedure.assumptions.is_empty());
            if takes_something || !outcome.undecided.is_empty() {
                kept.listed.push(ListedProcedure::new(self.tree, unit, procedure.cloned(), outcome.undecided));
            }
            kept.counts.add(&outcome.counts);
            kept.findings.push((outcome.findings, outcome.leaving));
        }
        kept
    }
}

/// The files that a file asks for: those of the procedures that it refers to.
pub fn asks(view: &FileView<'_>) -> Vec<PathBuf> {
    let linked = LinkedProcedures::new(view);
    let mut files = BTreeSet::new();
    for (_, location) in references(&linked, &view.tree().executable_units()) {
        if let Location::OtherFile { file, .. } = location {
            files.insert(file.to_path_buf());
        }
    }
    files.into_iter().collect()
}

/// The demands of a file with their verdicts, as text.
pub fn dump(view: &FileView<'_>, others: &SummaryLookup<'_, ShapesOfFile>, solver: Solver) -> String {
    let shapes = FileShapes::new(view, others, Asked { solver, answers: Arc::default(), possible: false, dump: true });
    let texts =
        shapes.outcomes.iter().map(|(&unit, outcome)| format!("{}\n{}", unit_path(shapes.tree, unit), outcome.dump));
    texts.collect::<Vec<_>>().join("\n")
}

/// The procedures that units refer to.
fn references<'a>(linked: &'a LinkedProcedures<'_>, units: &[UnitId]) -> Vec<(UnitId, Location<'a>)> {
    let (tree, resolved) = (linked.own.tree, linked.own.resolved);
    let mut found = Vec::new();
    for &unit in units {
        let mut met = BTreeSet::new();
        for &id in linked.own.statements(unit) {
            walk_references(&tree.names, &tree.statements[id].kind, &mut |reference, _| {
                let Some(first) = reference.parts.first() else { return };
                let symbol = resolved.symbol_at(id, first.name.name).filter(|&symbol| met.insert(symbol));
                let Some(symbol) = symbol else { return };
                let meant = linked.specifics(id, symbol).unwrap_or_else(|| linked.meant(symbol));
                found.extend(meant.into_iter().flatten().map(|location| (unit, location)));
            });
        }
    }
    found
}

/// The procedures of the file that each unit calls.
fn calls(linked: &LinkedProcedures<'_>, units: &[UnitId]) -> BTreeMap<UnitId, Vec<UnitId>> {
    let mut found: BTreeMap<UnitId, BTreeSet<UnitId>> = BTreeMap::new();
    for (unit, location) in references(linked, units) {
        if let Location::Here(callee) = location {
            found.entry(unit).or_default().insert(callee);
        }
    }
    found.into_iter().map(|(unit, called)| (unit, called.into_iter().collect())).collect()
}

/// What units are analysed with.
pub(super) struct UnitAnalysis<'v> {
    pub(super) context: &'v FileContext<'v>,
    pub(super) declared: &'v DeclaredArrays<'v>,
    changed_by_internal: &'v BTreeSet<SymbolId>,
    asked: Asked,
    pub(super) path: &'v Path,
    pub(super) known: &'v RefCell<BTreeMap<UnitId, Arc<Procedure>>>,
    holding: &'v RefCell<BTreeMap<UnitId, Vec<bool>>>,
}

/// Judges each statement that is met.
struct Judging {
    possible: bool,
    judged: Vec<Judged>,
}

impl Visitor for Judging {
    fn statement(&mut self, point: &mut Point<'_, '_>) {
        let source = point.unit.source;
        let demands = source.demands(point);
        self.judged.extend(Unit::judge(point, demands, self.possible));
        note_equalities(point);
    }
}

impl UnitAnalysis<'_> {
    fn unit(&self, unit: UnitId, is_outermost: bool) -> UnitOutcome {
        self.with_unit(unit, |analysed| self.outcome(analysed, unit, is_outermost)).unwrap_or_default()
    }

    /// Does something with a unit of which nothing is known yet; `None` if it can't be analysed.
    pub(super) fn with_unit<R>(&self, unit: UnitId, act: impl FnOnce(&mut Unit<'_>) -> R) -> Option<R> {
        let (tree, resolved) = (self.context.tree, self.context.resolved);
        let procedures = &self.context.linked.own;
        let statements = procedures.statements(unit).to_vec();
        let &last = statements.last()?;
        let effects = procedures.effects(unit);
        let flow = unit_flow(tree, resolved, unit, statements, effects);
        let regions = regions(tree, &flow)?;
        let dummies: Vec<Option<SymbolId>> = procedures
            .subprogram(unit)
            .map(|subprogram| {
                let symbol = |dummy: &SyntaxDummy| match dummy {
                    SyntaxDummy::Name(name) => {
                        resolved.symbol_at(last, name.name).map(|symbol| canonical(resolved, symbol))
                    }
                    SyntaxDummy::Star => None,
                };
                subprogram.dummies.iter().map(symbol).collect()
            })
            .unwrap_or_default();
        let callees = FileCallees { file: self.context, known: self.known, holding: self.holding };
        let parts = UnitParts {
            tree,
            resolved,
            flow: &flow,
            declared: self.declared,
            source: &ShapeSource,
            callees: &callees,
            dummies,
            changed_by_internal: self.changed_by_internal,
        };
        let solver = ConditionSolver::new(self.asked.solver, self.asked.answers.clone());
        Some(act(&mut Unit::new(parts, regions, solver)))
    }

    fn outcome(&self, analysed: &mut Unit<'_>, unit: UnitId, is_outermost: bool) -> UnitOutcome {
        let mut judging = Judging { possible: self.asked.possible && is_outermost, judged: Vec::new() };
        analysed.walk(&mut judging);
        let judged = judging.judged;
        let mut outcome = UnitOutcome::default();
        for of in &judged {
            outcome.counts.note(of);
            let finding = text::finding(analysed, of, is_outermost);
            outcome.undecided.extend(text::undecided(analysed, of));
            if let Some(array) = of.leaves_bounds_of().filter(|_| finding.is_some()) {
                outcome.leaving.push(Leaving {
                    finding: outcome.findings.len(),
                    statement: of.statement,
                    array: array.to_owned(),
                });
            }
            match of.verdict {
                Verdict::OnlyIf(_) => outcome.equalities.extend(finding),
                _ => outcome.findings.extend(finding),
            }
            outcome.findings.extend(text::oddities(analysed, of));
        }
        if self.asked.dump {
            outcome.dump = crate::analysis::obligations::dump(analysed, &judged, &text::demand_text);
        }
        if let Some(procedure) = self.summary(analysed, unit, &judged) {
            self.known.borrow_mut().insert(unit, Arc::new(procedure));
        }
        outcome
    }
}
