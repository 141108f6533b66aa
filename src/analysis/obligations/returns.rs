//! What follows from control going on: behind calls, which came back, and behind what may end the unit; and under what
//! a procedure comes back itself.

use crate::flow::{BlockId, FlowPosition};
use crate::names::SymbolId;
use crate::symbolic::{Condition, Place, places_of};
use crate::syntax::{Argument, ConstructId, ConstructKind, Expression, Reference, StatementId, StatementKind};
use crate::values::ArrayKey;

use super::call::Binding;
use super::place::{Origin, PlaceInfo};
use super::point::Point;
use super::region::RegionId;
use super::state::State;
use super::summary::{Returns, one_may_stop};
use super::unit::Unit;

/// Comparisons in the condition under which a procedure comes back that callers are told.
const LARGEST_RETURN: usize = 20;

impl Unit<'_> {
    /// Under what control comes back from the calls of a statement, if it is reached under a condition.
    pub(super) fn after_calls(
        &mut self,
        state: &State,
        position: FlowPosition,
        reached: Condition,
        around: &[RegionId],
    ) -> Condition {
        let is_in = |calls: &[FlowPosition]| calls.binary_search(&position).is_ok();
        if !is_in(&self.flow.effects.calls) && !is_in(&self.stopping_calls) {
            return reached;
        }
        let tree = self.tree;
        let id = self.flow.statements[position];
        let kind = &tree.statements[id].kind;
        let callees = self.callees_of(id);
        let is_known_to_stop = callees.iter().flatten().any(|callee| callee.has_stop);
        let StatementKind::Call { procedure } = kind.executed() else {
            self.note_untold_end(id, is_known_to_stop);
            return reached;
        };
        if !one_may_stop(&callees) {
            return reached;
        }
        let mut point = self.point_at(state, id, around, &reached);
        let called = match kind {
            StatementKind::If { condition, .. } => Some(point.condition(condition)),
            _ => None,
        };
        let Returns { condition, is_exact } = returns_of(&mut point, procedure);
        let is_told = condition == Condition::False || is_exact && callees.len() == 1;
        let came_back =
            called.as_ref().map_or(condition.clone(), |called| Condition::implies(called, condition.clone()));
        self.came_back.extend(came_back.conjuncts().iter().cloned());
        let behind = Condition::all([reached.clone(), came_back]);
        if is_told {
            return behind;
        }
        self.note_untold_end(id, is_known_to_stop);
        let constructs = std::iter::successors(tree.construct_of[id], |&construct| tree.constructs[construct].parent);
        let is_branching = |construct: ConstructId| {
            let kind = tree.constructs[construct].kind;
            matches!(kind, ConstructKind::If | ConstructKind::SelectCase | ConstructKind::SelectType)
        };
        // Where it is called in any case, what follows is judged as if it came back.
        if called.is_none() && !constructs.into_iter().any(is_branching) {
            return behind;
        }
        let reads = self.read_by_calls(state, id, around, &reached);
        let returns = self.untold_return(reads, around, called.as_ref().unwrap_or(&reached));
        Condition::all([behind, called.map_or(returns.clone(), |called| Condition::implies(&called, returns))])
    }

    /// That a call returns, which depends on what it reads, and on what it is called under: a program ends where that
    /// is not as it should be.
    fn untold_return(&mut self, reads: Vec<Place>, around: &[RegionId], called: &Condition) -> Condition {
        let region = around.last().copied().unwrap_or_default();
        let origin = Origin::Data(reads.into());
        let place = self.places.add(PlaceInfo { text: "the call returns".into(), region, origin, definition: None });
        let leading = self.closure(std::slice::from_ref(called));
        self.leading_to_calls.insert(place, leading);
        Condition::Logical(place, true)
    }

    /// A condition without what calls in these loops have left of their iterations.
    pub(super) fn in_each_iteration(&self, condition: &Condition, loops: &[RegionId]) -> Condition {
        let is_kept = |part: &&Condition| {
            let mut places = Vec::new();
            part.places(&mut places);
            let is_of_loop = places.into_iter().any(|place| loops.contains(&self.places.info(place).region));
            !is_of_loop || !self.came_back.contains(part)
        };
        Condition::all(condition.conjuncts().iter().filter(is_kept).cloned())
    }

    /// What the procedures that a statement calls may read: their arguments, and what they share with the unit.
    fn read_by_calls(
        &mut self,
        state: &State,
        id: StatementId,
        around: &[RegionId],
        reached: &Condition,
    ) -> Vec<Place> {
        let arguments = self.called(id).into_iter().flat_map(|(of, _)| of.arguments());
        let arguments: Vec<&Expression> = arguments.filter_map(Argument::expression).collect();
        let is_read = |symbol: &SymbolId| {
            self.is_shared(*symbol) && self.resolved.symbol(*symbol).type_.is_none_or(|type_| !type_.base.is_data())
        };
        let shared = self.mentioned.iter().filter(|(symbol, _)| is_read(symbol));
        let shared: Vec<ArrayKey> = shared.flat_map(|(_, keys)| keys.iter().cloned()).collect();
        let mut point = self.point_at(state, id, around, reached);
        let mut reads: Vec<_> = arguments.into_iter().flat_map(|argument| point.reads(argument)).collect();
        for key in shared {
            let extents = match self.known_dimensions(state, &key) {
                Some(dimensions) => dimensions.iter().filter_map(|dimension| dimension.extent.clone()).collect(),
                None => self.value(state, &key).into_iter().collect::<Vec<_>>(),
            };
            extents.iter().for_each(|term| places_of(term, &mut reads));
        }
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    fn note_untold_end(&mut self, id: StatementId, is_known_to_stop: bool) {
        if is_known_to_stop {
            self.untold_end = Some(self.untold_end.map_or(id, |first| first.min(id)));
        }
    }

    /// Under what control goes on behind a statement that may end the unit.
    pub(super) fn after_end(
        &mut self,
        state: &State,
        id: StatementId,
        reached: Condition,
        around: &[RegionId],
    ) -> Condition {
        let tree = self.tree;
        let kind = &tree.statements[id].kind;
        let is_return = matches!(kind.executed(), StatementKind::Return(_));
        if !is_return && !matches!(kind.executed(), StatementKind::Stop { .. }) {
            return reached;
        }
        self.note_end(around, std::slice::from_ref(&reached));
        let StatementKind::If { condition, .. } = kind else {
            if is_return {
                self.ways_out.push(reached.clone());
            }
            return reached;
        };
        let condition = self.point_at(state, id, around, &reached).condition(condition);
        self.note_end(around, std::slice::from_ref(&condition));
        if is_return {
            self.ways_out.push(Condition::all([reached.clone(), condition.clone()]));
        }
        Condition::all([reached, condition.not()])
    }

    /// Where the unit is left inside loops, whether they end normally depends on what that depends on.
    fn note_end(&mut self, around: &[RegionId], depends: &[Condition]) {
        let ends: Vec<_> = around.iter().filter_map(|&region| self.regions[region].ends_normally).collect();
        for place in ends {
            let reads = self.closure(depends);
            self.places.add_reads(place, reads);
        }
    }

    /// Notes under what the end of the unit is come to.
    pub(super) fn note_last(&mut self, block: BlockId, reached: &Condition) {
        let control = &self.flow.control;
        let last = &self.tree.statements[self.flow.statements[control.blocks[block].last]].kind;
        let has_ended = matches!(last, StatementKind::Stop { .. } | StatementKind::Return(_));
        if control.successors(block).next().is_none() && !has_ended {
            self.ways_out.push(reached.clone());
        }
    }

    /// Under what the unit comes back to its callers, once it was walked through.
    pub fn returns(&mut self) -> Returns {
        let unknown = Returns { condition: Condition::True, is_exact: false };
        // What is an argument depends on where it was entered.
        let is_entry = |id: &StatementId| matches!(self.tree.statements[*id].kind, StatementKind::Entry { .. });
        let all = Condition::any(self.ways_out.clone());
        if all.size() > LARGEST_RETURN || self.flow.statements.iter().any(is_entry) {
            return unknown;
        }
        let condition = self.follows_for_entry(&all);
        let may_stop = |id: StatementId| {
            let kind = self.tree.statements[id].kind.executed();
            matches!(kind, StatementKind::Unparsed(_) | StatementKind::MacroStatement(_))
                || one_may_stop(&self.callees_of(id))
        };
        let is_exact =
            condition == all && !self.flow.effects.calls.iter().any(|&call| may_stop(self.flow.statements[call]));
        Returns { condition, is_exact }
    }

    /// What follows from a condition and speaks of nothing but what there is on entry.
    fn follows_for_entry(&mut self, condition: &Condition) -> Condition {
        match condition {
            Condition::All(parts) => Condition::all(parts.iter().map(|part| self.follows_for_entry(part))),
            Condition::Any(parts) => Condition::any(parts.iter().map(|part| self.follows_for_entry(part))),
            Condition::True | Condition::False => condition.clone(),
            Condition::Compare(..) | Condition::Logical(..) => {
                let mut places = Vec::new();
                condition.places(&mut places);
                let counts = |&place: &_| matches!(self.places.info(place).origin, Origin::Counted);
                let counts = places.iter().any(counts);
                if counts || !self.is_of_entry(condition) { Condition::True } else { condition.clone() }
            }
        }
    }
}

/// Under what a procedure that is called has come back, as far as that can be said there.
fn returns_of(point: &mut Point<'_, '_>, procedure: &Reference) -> Returns {
    let unknown = Returns { condition: Condition::True, is_exact: false };
    let [part] = procedure.parts.as_slice() else { return unknown };
    let symbol = point.unit.resolved.symbol_at(point.statement, part.name.name);
    let callees = symbol.map_or(Vec::new(), |symbol| point.unit.callees.callees(point.statement, symbol, procedure));
    let mut of_each = Vec::new();
    let mut is_exact = callees.len() == 1;
    for callee in callees {
        let Some(callee) = callee else { return unknown };
        is_exact &= callee.returns.is_exact;
        let mut binding = Binding::new(point, &callee, procedure);
        let parts = callee.returns.condition.conjuncts().iter().map(|part| {
            let bound = binding.condition(point, part);
            is_exact &= bound.is_some();
            bound.unwrap_or(Condition::True)
        });
        of_each.push(Condition::all(parts.collect::<Vec<_>>()));
    }
    if of_each.is_empty() { unknown } else { Returns { condition: Condition::any(of_each), is_exact } }
}
