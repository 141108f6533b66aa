//! From the failures of a unit to what callers must know of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::backward::{Backward, Need, Question};
use super::build;
use super::characters::with_characters;
use super::connect::{all, any, not};
use super::context::without_undecisive;
use super::decide::Decider;
use super::effects::{base, is_inquiry};
use super::failure::Failures;
use super::formula::{Formula, Kind, Place, Root, Type};
use super::given_back::{is_known_in_part, known_choices};
use super::procedure::{Dummy, Ends, GivenUp, Procedure, Requirement, Undecided};
use super::substitute::substitute;
use super::unit::UnitContext;
use crate::flow::FlowPosition;
use crate::names::{SymbolId, SymbolKind};
use crate::syntax::{DummyArgument, Intent, StatementKind, Subprogram, UnitKind};

/// What came of a unit.
#[derive(Clone, Debug)]
pub struct UnitOutcome {
    /// What callers must know.
    pub procedure: Arc<Procedure>,
    /// Calls that fail whenever they are reached.
    pub failing_calls: Vec<FailingCall>,
    /// Whether no values let it return, though not each way through it fails.
    pub never_returns: bool,
}

/// A call all of whose requirements together can't be met.
#[derive(Clone, Debug)]
pub struct FailingCall {
    /// The statement of the call.
    pub statement: crate::syntax::StatementId,
    /// Whether it is reached under a condition.
    pub is_conditional: bool,
    /// Whether the procedure only checks and reports: it gives nothing back.
    pub is_report: bool,
    /// The requirements of the call, over the values there.
    pub requirements: Vec<Requirement>,
}

/// Values that are given back are followed in units with at most so many blocks, and so many of them.
const MOST_BLOCKS: usize = 250;
const MOST_VALUES: usize = 24;

/// A value that is given back is no larger.
const LARGEST_VALUE: u32 = 120;

/// A condition that is larger is not told of callers: theirs would not be read any more.
const LARGEST_END: u32 = 60;

/// A unit with more failures is not asked which of them can't happen.
const MOST_FAILURES: usize = 400;

/// What comes of a unit that fails at these statements.
///
/// `recursive` are the statements that may lead to a call of the unit itself: what it needs then is not followed. Where
/// it fails without having come to one of them, that does not matter.
pub fn summarise(
    unit: &UnitContext<'_>,
    failures: &Failures,
    recursive: &[FlowPosition],
    decider: &Decider,
) -> UnitOutcome {
    let mut procedure = described(unit);
    let backward = Backward::new(unit, failures);
    let recursed = backward.at_or_behind(recursive);
    procedure.always_fails = backward.always_fails();
    let mut met: BTreeSet<(String, Place)> = BTreeSet::new();
    let mut on_entry: Vec<Option<Formula>> = Vec::with_capacity(failures.all.len());
    for (failure, need) in failures.all.iter().zip(needs(&backward, failures)) {
        let (need, lost) = need.unwrap_or_else(|reason| {
            procedure.undecided.push(failure.undecided(reason));
            (None, None)
        });
        let condition = need.map(|condition| {
            let condition = with_characters(&unit.on_entry(&condition));
            if condition.has_unknown() { without_undecisive(&condition) } else { condition }
        });
        on_entry.push(condition.clone());
        let Some(mut condition) = condition else { continue };
        // What can't happen, because of what was checked before, is not told.
        let is_exact = condition.unknown().is_none() && failures.all.len() <= MOST_FAILURES;
        let is_dead = || {
            let strict = backward.on_entry(&Question::of(failure).counting_all_ways()).flatten();
            strict.is_some_and(|strict| decider.is_impossible(&not(&unit.on_entry(&strict))))
        };
        if condition.is_logical(true) || is_exact && is_dead() {
            continue;
        }
        if recursed.contains(failure.position.index()) {
            condition = any([unit.unknown_truth(unit.flow.statements[failure.position]), condition]);
        }
        for condition in by_knowledge(condition) {
            match shown(&condition) {
                None => procedure.undecided.push(failure.undecided(lost.unwrap_or(GivenUp::NothingKnown))),
                // What is left of ways that exclude each other.
                Some(shown)
                    if shown.is_logical(false)
                        && let Some(reason) = lost
                        && condition.has_unknown() =>
                {
                    procedure.undecided.push(failure.undecided(reason));
                }
                Some(shown) => {
                    if met.insert((super::text::text(&shown), failure.at.clone())) {
                        procedure.requirements.push(failure.requirement(condition));
                    }
                }
            }
        }
    }
    if !failures.all.is_empty() {
        let call = |&position: &FlowPosition| unit.place_of(unit.flow.statements[position]);
        let calls = recursive.iter().map(call);
        let undecided = |at| Undecided { at, message: None, via: Vec::new(), reason: GivenUp::CallsItself };
        procedure.undecided.extend(calls.map(undecided));
    }
    give_back(unit, &backward, &mut procedure);
    procedure.ends = ends_of(unit, &backward, failures);
    let failing_calls = failing_calls(unit, &backward, failures, &on_entry, decider);
    // Another procedure of the name may be called, which returns.
    let rests_on_one_of_several =
        failures.all.iter().any(|failure| failure.is_one_of_several && failure.condition.is_logical(false));
    let certain = procedure.requirements.iter().filter(|requirement| !requirement.is_one_of_several);
    let exact: Vec<Formula> = certain
        .map(|requirement| requirement.condition.clone())
        .filter(|condition| condition.unknown().is_none())
        .collect();
    let never_returns = (procedure.always_fails && !rests_on_one_of_several)
        || (!exact.is_empty() && decider.is_impossible(&all(exact)));
    UnitOutcome { procedure: Arc::new(procedure), failing_calls, never_returns }
}

/// What each failure needs where the unit is entered. Where not all can be found out, what is known whole comes first,
/// and what fails nearest.
fn needs(backward: &Backward<'_, '_>, failures: &Failures) -> Vec<Result<(Need, Option<GivenUp>), GivenUp>> {
    let mut found = vec![Err(GivenUp::TooLarge); failures.all.len()];
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&at| (failures.all[at].condition.has_unknown(), failures.all[at].via.len()));
    for at in order {
        found[at] = backward.on_entry_in_part(&Question::of(&failures.all[at]));
    }
    found
}

/// A condition without what is not shown of it: ways of control that are not followed. `None` if nothing else is left.
fn shown(condition: &Formula) -> Option<Formula> {
    let parts = |parts: &[Formula]| parts.iter().filter_map(shown).collect::<Vec<_>>();
    let some = |parts: Vec<Formula>, connect: fn(Vec<Formula>) -> Formula| (!parts.is_empty()).then(|| connect(parts));
    match condition.kind() {
        Kind::Unknown(unknown) if unknown.shown.is_empty() => None,
        Kind::Not(inner) => shown(inner).map(|inner| not(&inner)),
        Kind::All(inner) => some(parts(inner), all),
        Kind::Any(inner) => some(parts(inner), any),
        _ => Some(condition.clone()),
    }
}

impl Requirement {
    /// The condition as it is shown.
    pub fn shown(&self) -> Formula {
        shown(&self.condition).unwrap_or_else(|| self.condition.clone())
    }
}

/// A condition as those of which it is made, if it has parts that are known whole beside others: the former and the
/// latter.
fn by_knowledge(condition: Formula) -> Vec<Formula> {
    let Kind::All(parts) = condition.kind() else { return vec![condition] };
    let (in_part, whole): (Vec<Formula>, Vec<Formula>) = parts.iter().cloned().partition(Formula::has_unknown);
    if in_part.is_empty() || whole.is_empty() { vec![condition] } else { vec![all(whole), all(in_part)] }
}

/// The calls all of whose requirements together are certainly false where they are reached; `on_entry`: what each
/// failure needs where the unit is entered.
fn failing_calls(
    unit: &UnitContext<'_>,
    backward: &Backward<'_, '_>,
    failures: &Failures,
    on_entry: &[Option<Formula>],
    decider: &Decider,
) -> Vec<FailingCall> {
    let mut found = Vec::new();
    let mut start = 0;
    for group in failures.all.chunk_by(|one, other| {
        one.position == other.position && one.is_in_action == other.is_in_action && one.via.first() == other.via.first()
    }) {
        let needed = &on_entry[start..start + group.len()];
        start += group.len();
        let first = &group[0];
        let is_certain = |need: &&Formula| need.unknown().is_none() && !need.is_logical(true);
        let certain = needed.iter().zip(group).filter(|(_, failure)| !failure.is_one_of_several);
        let needed = all(certain.filter_map(|(need, _)| need.as_ref()).filter(is_certain).cloned());
        if first.via.is_empty() || needed.is_logical(true) {
            continue;
        }
        let never = Question::condition(first.position, first.is_in_action, build::logical(false));
        let Some(Some(unreached)) = backward.on_entry(&never.counting_all_ways()) else { continue };
        let unreached = unit.on_entry(&unreached);
        let reached = not(&unreached);
        if unreached.unknown().is_none()
            && decider.is_possible(&reached)
            && decider.is_impossible(&all([needed, reached.clone()]))
        {
            let requirements = group.iter().map(|failure| failure.requirement(failure.condition.clone())).collect();
            let statement = unit.flow.statements[first.position];
            let is_report = calls_report(unit, statement);
            found.push(FailingCall { statement, is_conditional: !reached.is_logical(true), is_report, requirements });
        }
    }
    found
}

/// Under what a unit ends the program.
pub fn ends_of(unit: &UnitContext<'_>, backward: &Backward<'_, '_>, failures: &Failures) -> Ends {
    let mut conditions = Vec::new();
    for end in &failures.ends {
        let question = Question::condition(end.position, end.is_in_action, end.passes.clone()).counting_all_ways();
        match backward.on_entry(&question) {
            None => return Ends::Perhaps,
            Some(None) => {}
            Some(Some(condition)) => conditions.push(with_characters(&unit.on_entry(&condition))),
        }
    }
    let condition = all(conditions);
    if condition.is_logical(true) {
        Ends::Never
    } else if condition.has_unknown() || condition.size() > LARGEST_END {
        Ends::Perhaps
    } else {
        Ends::Unless(condition)
    }
}

/// Whether a statement calls a procedure that gives nothing back.
fn calls_report(unit: &UnitContext<'_>, statement: crate::syntax::StatementId) -> bool {
    let StatementKind::Call { procedure } = unit.tree.statements[statement].kind.executed() else { return false };
    let callee = unit.callees.callee(statement, procedure).and_then(|callee| callee.procedure);
    callee.is_some_and(|callee| callee.gives_nothing_back)
}

/// What a declaration says of a procedure, and what it may change.
fn described(unit: &UnitContext<'_>) -> Procedure {
    let Some(subprogram) = subprogram(unit) else { return Procedure::default() };
    let names = &unit.tree.names;
    let mut changed: BTreeSet<SymbolId> = BTreeSet::new();
    for position in unit.flow.statements.indices() {
        changed.extend(unit.changed_at(position));
    }
    let mut procedure = Procedure { name: names.text(subprogram.name.name).to_owned(), ..Procedure::default() };
    for (at, dummy) in subprogram.dummies.iter().enumerate() {
        let DummyArgument::Name(name) = dummy else {
            procedure.dummies.push(Dummy {
                name: "*".to_owned(),
                type_: Type::Other,
                rank: 0,
                intent: None,
                is_optional: false,
                is_changed: false,
                passed_to: None,
                begins_at_one: true,
            });
            continue;
        };
        let symbol = unit.dummies.get(at).copied().flatten();
        let of = symbol.map(|symbol| unit.resolved.symbol(symbol));
        let value = symbol.map(|symbol| unit.variable(symbol));
        let intent = of.and_then(|of| of.intent);
        procedure.dummies.push(Dummy {
            name: names.text(name.name).to_owned(),
            type_: value.as_ref().map_or(Type::Other, Formula::type_),
            rank: value.as_ref().map_or(0, Formula::rank),
            intent,
            is_optional: of.is_some_and(|of| of.is_optional),
            is_changed: intent != Some(Intent::In)
                && symbol.is_none_or(|symbol| intent == Some(Intent::Out) || changed.contains(&symbol)),
            passed_to: symbol
                .filter(|_| intent.is_none_or(|intent| intent == Intent::InOut))
                .and_then(|symbol| unit.passed_to.get(&symbol).cloned()),
            begins_at_one: of.is_some_and(|of| {
                of.shape.as_ref().is_none_or(|shape| {
                    !shape.bounds.is_empty() && shape.bounds.iter().all(|bounds| bounds.lower == Some(1))
                })
            }),
        });
    }
    for symbol in &changed {
        let root = unit.root(*symbol);
        if matches!(root, Root::Global(_) | Root::Host(..)) {
            procedure.changes.insert(root);
        }
    }
    for position in unit.flow.statements.indices() {
        let (changes, anything) = changed_by_callees(unit, position);
        procedure.changes.extend(changes);
        procedure.changes_anything |= anything;
    }
    procedure.gives_nothing_back = unit.tree.units[unit.unit()].kind == UnitKind::Subroutine
        && procedure.changes.is_empty()
        && procedure.dummies.iter().all(|dummy| !dummy.is_changed);
    procedure
}

/// What the procedures may change that a statement calls, and whether that may be anything.
fn changed_by_callees(unit: &UnitContext<'_>, position: crate::flow::FlowPosition) -> (Vec<Root>, bool) {
    let id = unit.flow.statements[position];
    let kind = &unit.tree.statements[id].kind;
    let mut changes = Vec::new();
    let mut has_unknown = false;
    let mut has_any = false;
    let own = |root: &Root| match root {
        Root::Host(of, _) => crate::analysis::stencil::computations::unit_path(unit.tree, unit.unit()) != **of,
        _ => true,
    };
    let mut note = |reference: &crate::syntax::Reference| {
        has_any = true;
        match unit.callees.callee(id, reference).and_then(|callee| callee.procedure) {
            Some(procedure) => {
                changes.extend(procedure.changes.iter().filter(|root| own(root)).cloned());
                has_unknown |= procedure.changes_anything;
            }
            None => has_unknown = true,
        }
    };
    unit.each_function(id, &mut note);
    if let StatementKind::Call { procedure } = &kind.executed() {
        note(procedure);
    }
    let calls = unit.calls_at(position);
    (changes, calls && (has_unknown || !has_any))
}

/// The statement that opens the unit, if it is a subprogram.
pub fn subprogram<'t>(unit: &UnitContext<'t>) -> Option<&'t Subprogram> {
    unit.procedures.subprogram(unit.unit())
}

/// Finds out what a procedure gives back.
fn give_back(unit: &UnitContext<'_>, backward: &Backward<'_, '_>, procedure: &mut Procedure) {
    let is_small = unit.flow.control.blocks.len() <= MOST_BLOCKS;
    if !is_small || subprogram(unit).is_none() || procedure.always_fails {
        return;
    }
    let Some(place) = unit.flow.statements.first().map(|&id| unit.place_of(id)) else { return };
    let at_return = |value: &Formula| {
        let made = backward.on_entry(&Question::value(value.clone())).flatten()?;
        let unknown = unit.unknown(super::text::text(value), place.clone(), value.type_(), value.rank());
        let made = known_choices(&unit.on_entry(&made), &|_| unknown.clone());
        (made.unknown().is_none() || is_known_in_part(&made))
            .then_some(made)
            .filter(|made| made.size() <= LARGEST_VALUE)
    };
    if let Some(result) = result_of(unit) {
        procedure.result = at_return(&result);
    }
    let mut values: BTreeMap<Formula, Formula> = BTreeMap::new();
    for value in given_back(unit, procedure).into_iter().take(MOST_VALUES) {
        if let Some(made) = at_return(&value) {
            values.insert(value, made);
        }
    }
    procedure.values = values;
}

fn result_of(unit: &UnitContext<'_>) -> Option<Formula> {
    let of = subprogram(unit)?;
    if unit.tree.units[unit.unit()].kind != UnitKind::Function {
        return None;
    }
    let name = of.suffix.result.unwrap_or(of.name);
    let symbol = unit.resolved.symbol_at(*unit.flow.statements.last()?, name.name)?;
    let result = unit.variable(symbol);
    (result.rank() == 0 && result.type_() != Type::Other).then_some(result)
}

/// The scalars that a procedure may change and that outlive it, components of objects included.
fn given_back(unit: &UnitContext<'_>, procedure: &Procedure) -> Vec<Formula> {
    let mut found: BTreeSet<Formula> = BTreeSet::new();
    let is_given = |root: &Root| match root {
        Root::Dummy(at) => procedure.dummies.get(*at as usize).is_some_and(|dummy| dummy.is_changed),
        Root::Global(_) | Root::Host(..) => procedure.changes.contains(root),
        Root::Local(_) => false,
    };
    let mut met: FxHashSet<SymbolId> = FxHashSet::default();
    for &id in &unit.flow.statements {
        crate::syntax::visit::walk_references(&unit.tree.names, &unit.tree.statements[id].kind, &mut |reference, _| {
            let has_lists = reference.parts.iter().any(|part| !part.lists.is_empty());
            let mut is_new = || match reference.as_name().and_then(|name| unit.resolved.symbol_at(id, name.name)) {
                Some(symbol) => met.insert(symbol),
                None => true,
            };
            if has_lists || !is_new() {
                return;
            }
            let Some(value) = unit.lower_reference(id, reference) else { return };
            let is_plain = value.rank() == 0 && value.type_() != Type::Other;
            let is_named_constant = matches!(value.kind(), Kind::Value(variable)
            if unit.symbol_of(&variable.root).is_some_and(|symbol| {
                matches!(unit.resolved.symbol(symbol).kind, SymbolKind::Parameter(_))
            }));
            if is_plain && !is_named_constant && base(&value).is_some_and(|root| is_given(&root)) {
                found.insert(value);
            }
        });
    }
    // What a namelist gives, arrays too.
    for &id in &unit.flow.statements {
        let StatementKind::InputOutput(transfer) = &unit.tree.statements[id].kind else { continue };
        if let Some(group) = super::namelist::namelist_read(unit.tree, unit.resolved, id, transfer) {
            let variables = unit.namelist_variables(id, group).into_iter();
            found.extend(variables.filter(|value| base(value).is_some_and(|root| is_given(&root))));
        }
    }
    found.into_iter().collect()
}

impl UnitContext<'_> {
    /// A formula at the entry of the unit: its own variables have their initial values, or none that is known.
    pub fn on_entry(&self, formula: &Formula) -> Formula {
        let place = self.flow.statements.first().map(|&id| self.place_of(id));
        let Some(place) = place else { return formula.clone() };
        let mut made: rustc_hash::FxHashMap<Formula, Formula> = rustc_hash::FxHashMap::default();
        substitute(formula, &mut |node| {
            let root = match node.kind() {
                Kind::Call(name, _) if is_inquiry(name) => return Some(node.clone()),
                Kind::Value(_) | Kind::Component(..) | Kind::Element(..) => base(node)?,
                _ => return None,
            };
            let symbol = self.symbol_of(&root)?;
            if let Root::Dummy(_) = root {
                let is_undefined = self.resolved.symbol(symbol).intent == Some(Intent::Out);
                let has_default = matches!(node.kind(), Kind::Component(..));
                return (is_undefined && !has_default).then(|| self.undefined(&mut made, node, &place));
            }
            let of = self.resolved.symbol(symbol);
            if of.in_common || matches!(of.kind, SymbolKind::Parameter(_)) {
                return None;
            }
            if let Some(value) = self.initial_value(symbol, node) {
                return Some(value);
            }
            Some(self.undefined(&mut made, node, &place))
        })
    }

    fn undefined(&self, made: &mut rustc_hash::FxHashMap<Formula, Formula>, node: &Formula, place: &Place) -> Formula {
        let new = || self.unknown(super::text::text(node), place.clone(), node.type_(), node.rank());
        made.entry(node.clone()).or_insert_with(new).clone()
    }

    /// The value that a variable of the unit has when it is entered, if the declaration says so for each time.
    fn initial_value(&self, symbol: SymbolId, node: &Formula) -> Option<Formula> {
        let is_main = self.tree.units[self.unit()].kind == UnitKind::MainProgram;
        let (statement, value) = match node.kind() {
            Kind::Value(_) if is_main => self.initial.of_variable(symbol)?,
            Kind::Component(object, member) => {
                let of = self.resolved.symbol(symbol);
                if of.is_saved && !is_main || of.is_allocatable || of.is_pointer {
                    return None;
                }
                let type_ = self.derived_type_of(object)?;
                self.initial.of_component(self.resolved, type_, &member.name)?
            }
            _ => return None,
        };
        let value = super::lower::converted(self.lower(statement, value), node.type_());
        (build::is_constant(&value) || matches!(value.kind(), Kind::Array(_))).then_some(value)
    }

    fn derived_type_of(&self, object: &Formula) -> Option<crate::names::TypeId> {
        match object.kind() {
            Kind::Value(variable) => self.resolved.symbol(self.symbol_of(&variable.root)?).type_?.derived(),
            Kind::Component(inner, member) => {
                let type_ = self.derived_type_of(inner)?;
                self.resolved.component(type_, &member.name)?.type_?.derived()
            }
            _ => None,
        }
    }
}
