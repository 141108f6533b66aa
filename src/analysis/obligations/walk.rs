//! The way through a unit: block by block in the order of the text, with what variables are and under what each block
//! is reached, both in terms of what there is on entry.
//!
//! This is the weakest precondition read from the other end: what a statement demands, with what its variables are put
//! in, is what would be demanded on entry if it were brought backward assignment by assignment. Going forward, what a
//! block is reached under is known before what it demands is asked, and a state serves all demands of a block.

use std::collections::BTreeMap;

use thin_vec::ThinVec;

use crate::flow::{BlockId, FlowPosition};
use crate::symbolic::{Condition, Term, constant, difference, maximum, minimum, place_term, places_of, product, sum};
use crate::syntax::{ConcurrentHeader, DoControl, Expression, StatementId, StatementKind};
use crate::values::ArrayKey;

use super::place::{Origin, PlaceInfo};
use super::point::Point;
use super::region::{Counter, RegionId, chain};
use super::state::State;
use super::step::Place;
use super::unit::Unit;

/// A way into a block.
struct Way {
    source: Option<BlockId>,
    condition: Condition,
    state: State,
}

/// What a walk meets.
pub trait Visitor {
    /// A statement that may be executed, before it is.
    fn statement(&mut self, point: &mut Point<'_, '_>);
}

/// Conditions with more parts get a name.
const MOST_PARTS: usize = 60;

impl<'t> Unit<'t> {
    /// Walks through the unit.
    pub fn walk(&mut self, visitor: &mut dyn Visitor) {
        let flow = self.flow;
        let blocks = &flow.control.blocks;
        let mut ways: BTreeMap<BlockId, Vec<Way>> = BTreeMap::new();
        let start = self.state_on_entry();
        ways.entry(BlockId::new(0)).or_default().push(Way { source: None, condition: Condition::True, state: start });
        for (block, of) in blocks.iter_enumerated() {
            let Some(into) = ways.remove(&block) else { continue };
            let (mut reached, mut state) = self.enter(block, into);
            if reached == Condition::False {
                continue;
            }
            let around = chain(&self.regions, of.first);
            for (number, &region) in around.iter().enumerate() {
                if self.regions[region].first == of.first && self.regions[region].entered.is_none() {
                    let is_counted = self.is_counted(region);
                    self.regions[region].entered = Some(reached.clone());
                    if !is_counted {
                        self.begin_region(&mut state, region, &around[..=number]);
                    }
                }
            }
            let mut position = of.first;
            loop {
                let id = flow.statements[position];
                let is_counting = around
                    .last()
                    .is_some_and(|&region| self.regions[region].first == position && self.is_counted(region));
                let outer = if is_counting { &around[..around.len() - 1] } else { &around[..] };
                visitor.statement(&mut self.point_at(&state, id, outer, &reached));
                if is_counting {
                    self.count(block, &around, &state, &reached, &mut ways);
                } else {
                    let place = Place { position, chain: &around, reached: &reached };
                    let before = state.clone();
                    self.step(&mut state, &place);
                    reached = self.after_calls(&before, position, reached, outer);
                    reached = self.after_end(&before, id, reached, outer);
                }
                if position == of.last {
                    if !is_counting {
                        self.note_last(block, &reached);
                        self.leave_block(block, &around, state.clone(), &reached, &mut ways);
                    }
                    break;
                }
                position += 1;
            }
        }
    }

    /// What variables are on entry, as far as it is not as it was: allocatable arrays of the unit are not allocated,
    /// and have the lower bounds that an assignment would give them.
    fn state_on_entry(&mut self) -> State {
        let mut state = State::default();
        let keys: Vec<ArrayKey> = self.mentioned.values().flatten().cloned().collect();
        for key in keys.into_iter().filter(|key| key.components.is_empty()) {
            let of = self.resolved.symbol(key.symbol);
            if of.is_allocatable && !of.is_dummy && !of.is_saved && !self.is_shared(key.symbol) {
                let made = self.entry_dimensions(&key);
                let made = made.and_then(|dimensions| {
                    dimensions
                        .iter()
                        .map(|dimension| super::unit::from_extent(constant(1), dimension.extent.clone()?))
                        .collect()
                });
                state.arrays.insert(key, made);
            }
        }
        state
    }

    /// A point at a statement.
    pub fn point_at<'p>(
        &'p mut self,
        state: &'p State,
        statement: StatementId,
        around: &[RegionId],
        reached: &Condition,
    ) -> Point<'p, 't> {
        let bound = around.iter().flat_map(|&region| self.regions[region].names.clone()).collect();
        Point { unit: self, state, statement, chain: around.to_vec(), reached: reached.clone(), bound }
    }

    /// Under what a block is reached, and with which values.
    fn enter(&mut self, block: BlockId, ways: Vec<Way>) -> (Condition, State) {
        let around = chain(&self.regions, self.flow.control.blocks[block].first);
        let innermost = around.last().copied().unwrap_or_default();
        let joined_in = if self.regions[innermost].first == self.flow.control.blocks[block].first {
            self.regions[innermost].parent.unwrap_or_default()
        } else {
            innermost
        };
        let reached = self.reached(block, &ways);
        let reached = self.named_if_long(reached, joined_in);
        let pairs: Vec<(Condition, State)> = ways.into_iter().map(|way| (way.condition, way.state)).collect();
        let state = self.join(&pairs, joined_in);
        (reached, state)
    }

    /// Under what some way into a block is taken. Ways that together are all ways out of a loop are taken whenever it
    /// is entered.
    fn reached(&self, block: BlockId, ways: &[Way]) -> Condition {
        let blocks = &self.flow.control.blocks;
        let mut conditions: Vec<Option<Condition>> = ways.iter().map(|way| Some(way.condition.clone())).collect();
        let mut found = Vec::new();
        for region in self.regions.iter().skip(1) {
            let Some(entered) = &region.entered else { continue };
            let is_inside = |way: &Way| {
                way.source.is_some_and(|source| {
                    let first = blocks[source].first;
                    region.first <= first && first <= region.end
                })
            };
            let leads_here_only = region.exits.iter().all(|exit| *exit == Some(block));
            let is_outside = !(region.first <= blocks[block].first && blocks[block].first <= region.end);
            let all_ways = region.is_left_early && leads_here_only && is_outside && self.ends_here(region, block);
            if all_ways && ways.iter().any(is_inside) {
                let mut took = false;
                for (way, condition) in ways.iter().zip(&mut conditions) {
                    if is_inside(way) {
                        took |= condition.take().is_some();
                    }
                }
                if took {
                    found.push(entered.clone());
                }
            }
        }
        Condition::any(found.into_iter().chain(conditions.into_iter().flatten()))
    }

    /// Whether the end of a region's iterations leads to a block, or it has none.
    fn ends_here(&self, region: &super::region::Region, block: BlockId) -> bool {
        let header = self.flow.control.block_of[region.first];
        let leaves = |target: BlockId| {
            let first = self.flow.control.blocks[target].first;
            !(region.first <= first && first <= region.end)
        };
        self.flow.control.successors(header).filter(|&target| leaves(target)).all(|target| target == block)
    }

    /// A condition, or a truth value that is the same if it is long.
    fn named_if_long(&mut self, condition: Condition, region: RegionId) -> Condition {
        if condition.size() <= MOST_PARTS {
            return condition;
        }
        let info = PlaceInfo { text: "a branch".into(), region, origin: Origin::Joined, definition: None };
        let place = self.places.add(info);
        let same = Condition::any([
            Condition::all([Condition::Logical(place, true), condition.clone()]),
            Condition::all([Condition::Logical(place, false), condition.not()]),
        ]);
        if same.size() <= 4 * MOST_PARTS {
            self.places.define(place, same);
        }
        Condition::Logical(place, true)
    }

    /// Whether a region is a loop that counts.
    fn is_counted(&self, region: RegionId) -> bool {
        let Some(id) = self.regions[region].of_loop else { return false };
        let header = self.flow.loops.loops[id].header;
        let StatementKind::Do { control, .. } = &self.tree.statements[header].kind else { return false };
        matches!(control, DoControl::Counted { .. } | DoControl::Concurrent(_))
    }

    /// Gives the variables that a region changes values that differ in each iteration.
    fn begin_region(&mut self, state: &mut State, region: RegionId, around: &[RegionId]) {
        let before = state.clone();
        self.havoc_changed(&before, state, region, around);
        let mut first_values = Vec::new();
        for (key, term) in &state.scalars {
            let entry = match before.scalars.get(key) {
                Some(entry) => entry.clone(),
                None => place_term(self.entry_place(key, super::place::Aspect::Value)),
            };
            if *term != entry
                && let Some((crate::symbolic::Atom::Place(place), 1)) = term.single_term()
            {
                first_values.push((*place, entry));
            }
        }
        for (key, dimensions) in &state.arrays {
            let (Some(new), Some(old)) = (dimensions, before.arrays.get(key).cloned().flatten()) else { continue };
            for (new, old) in new.iter().zip(old.iter()) {
                let pairs = [(Some(&new.lower), Some(&old.lower)), (new.extent.as_ref(), old.extent.as_ref())];
                for (new, old) in pairs.into_iter().filter_map(|(new, old)| Some((new?, old?))) {
                    if new != old
                        && let Some((crate::symbolic::Atom::Place(place), 1)) = new.single_term()
                    {
                        first_values.push((*place, old.clone()));
                    }
                }
            }
        }
        self.regions[region].first_values = first_values;
    }

    /// Gives all that may change in a region new values.
    fn havoc_changed(&mut self, before: &State, state: &mut State, region: RegionId, around: &[RegionId]) {
        let (first, end) = (self.regions[region].first, self.regions[region].end);
        let reached = Condition::True;
        let counted = self.regions[region].of_loop.map(|id| self.flow.loops.loops[id].header);
        let counted = counted.and_then(|header| self.counted_by(header));
        let positions = (first.raw()..=end.raw()).map(FlowPosition::from_raw);
        let places: Vec<Place<'_>> =
            positions.map(|position| Place { position, chain: around, reached: &reached }).collect();
        for at in &places {
            self.havoc_at(before, state, at, counted);
        }
        self.havoc_assigned(before, state, &places);
    }

    /// Leaves a block for those that follow it.
    fn leave_block(
        &mut self,
        block: BlockId,
        around: &[RegionId],
        state: State,
        reached: &Condition,
        ways: &mut BTreeMap<BlockId, Vec<Way>>,
    ) {
        let last = self.flow.control.blocks[block].last;
        let mut targets: Vec<BlockId> = self.flow.control.successors(block).collect();
        targets.sort_unstable();
        let id = self.flow.statements[last];
        let mut point = self.point_at(&state, id, around, reached);
        let conditions = match &point.unit.tree.statements[id].kind {
            StatementKind::Do { control: DoControl::While(condition), .. } if targets.len() == 2 => {
                let condition = point.condition(condition);
                vec![condition.clone(), condition.not()]
            }
            _ => Unit::branches(&mut point, last, &targets),
        };
        for (target, condition) in targets.into_iter().zip(conditions) {
            let condition = Condition::all([reached.clone(), condition]);
            self.note_early_exit(around, target, &condition);
            if target > block && condition != Condition::False {
                ways.entry(target).or_default().push(Way { source: Some(block), condition, state: state.clone() });
            }
        }
    }

    /// Where a loop is left early, whether it ends normally depends on what that depends on.
    fn note_early_exit(&mut self, around: &[RegionId], target: BlockId, condition: &Condition) {
        let to = self.flow.control.blocks[target].first;
        for &region in around {
            let of = &self.regions[region];
            if (to < of.first || to > of.end)
                && let Some(place) = of.ends_normally
            {
                let reads = self.closure(std::slice::from_ref(condition));
                self.places.add_reads(place, reads);
            }
        }
    }

    /// Executes the header of a loop that counts.
    fn count(
        &mut self,
        block: BlockId,
        around: &[RegionId],
        state: &State,
        reached: &Condition,
        ways: &mut BTreeMap<BlockId, Vec<Way>>,
    ) {
        let Some((&region, outer)) = around.split_last() else { return };
        let last = self.flow.control.blocks[block].last;
        let id = self.flow.statements[last];
        let tree = self.tree;
        let StatementKind::Do { control, .. } = &tree.statements[id].kind else { return };
        let mut inside = state.clone();
        self.begin_region(&mut inside, region, around);
        let mut behind = state.clone();
        let before = state.clone();
        self.havoc_changed(&before, &mut behind, region, outer);
        let range = match control {
            DoControl::Counted { variable, lower, upper, step } => {
                let mut point = self.point_at(state, id, outer, reached);
                let is_integer = variable_is_integer(&point, variable);
                let (lower, upper) = (point.integer(lower), point.integer(upper));
                let step = step.as_deref().map_or(Some(1), |step| step_of(&mut point, step));
                let name = point.text(tree.statements[id].span);
                let name = variable.as_name().map_or(name, |name| tree.names.text(name.name).to_owned());
                let key = point.scalar_key(variable);
                let (range, value) = self.counter(region, name, lower.clone(), upper.clone(), step);
                if let Some(key) = key.filter(|_| is_integer) {
                    inside.scalars.insert(key.clone(), value);
                    let left_with = match step {
                        Some(1) => upper.clone().checked_add_constant(1).and_then(|next| maximum(vec![next, lower])),
                        Some(-1) => upper.clone().checked_add_constant(-1).and_then(|next| minimum(vec![next, lower])),
                        _ => None,
                    };
                    if let Some(value) = left_with {
                        behind.scalars.insert(key, value);
                    }
                }
                if is_integer { range } else { Condition::True }
            }
            DoControl::Concurrent(header) => {
                let mut point = self.point_at(state, id, outer, reached);
                point.chain = around.to_vec();
                concurrent(&mut point, region, header)
            }
            DoControl::Forever | DoControl::While(_) => Condition::True,
        };
        let mut normally = reached.clone();
        if self.regions[region].is_left_early {
            let around_region = outer.last().copied().unwrap_or_default();
            let info = PlaceInfo {
                text: "the loop ends".into(),
                region: around_region,
                origin: Origin::Opaque(ThinVec::new()),
                definition: None,
            };
            let place = self.places.add(info);
            let reads = self.closure(std::slice::from_ref(&range));
            self.places.add_reads(place, reads);
            self.regions[region].ends_normally = Some(place);
            normally = Condition::all([normally, Condition::Logical(place, true)]);
        }
        for target in self.flow.control.successors(block) {
            let first = self.flow.control.blocks[target].first;
            let is_inside = self.regions[region].first < first && first <= self.regions[region].end;
            let (condition, state) = if is_inside {
                (Condition::all([reached.clone(), range.clone()]), inside.clone())
            } else {
                (normally.clone(), behind.clone())
            };
            if target > block && condition != Condition::False {
                ways.entry(target).or_default().push(Way { source: Some(block), condition, state });
            }
        }
    }

    /// A counter of a region: the condition that an iteration is one, and the value that is counted.
    pub fn counter(
        &mut self,
        region: RegionId,
        name: String,
        lower: Term,
        upper: Term,
        step: Option<i64>,
    ) -> (Condition, Term) {
        let place = self.places.add(PlaceInfo {
            text: name.as_str().into(),
            region,
            origin: Origin::Counted,
            definition: None,
        });
        let number = place_term(place);
        let direct = |first: Term, last: Option<Term>, value: Term| Counter {
            place,
            name: name.clone(),
            value,
            first,
            last,
            lower: lower.clone(),
            upper: upper.clone(),
        };
        let in_order = |parts: [Option<Condition>; 2]| Condition::all(parts.into_iter().flatten());
        let (range, counter) = match step {
            Some(1) => {
                let parts = [Condition::at_most(&lower, &number), Condition::at_most(&number, &upper)];
                (in_order(parts), direct(lower.clone(), Some(upper.clone()), number))
            }
            Some(-1) => {
                let parts = [Condition::at_most(&number, &lower), Condition::at_most(&upper, &number)];
                (in_order(parts), direct(lower.clone(), Some(upper.clone()), number))
            }
            Some(step) if step != 0 => {
                let value = number.clone().checked_mul(step).and_then(|way| sum(&lower, &way));
                let value = value.unwrap_or_else(|| number.clone());
                let within =
                    if step > 0 { Condition::at_most(&value, &upper) } else { Condition::at_most(&upper, &value) };
                let parts = [Condition::at_most(&constant(0), &number), within];
                let last = self.last_iteration(region, &lower, &upper, step);
                (in_order(parts), direct(constant(0), last, value))
            }
            // Whether there is an iteration at all depends on the step.
            _ => {
                let mut reads = Vec::new();
                [&lower, &upper].into_iter().for_each(|bound| places_of(bound, &mut reads));
                let origin = Origin::Opaque(reads.into());
                let info =
                    PlaceInfo { text: format!("an iteration for {name}").into(), region, origin, definition: None };
                let is_one = Condition::Logical(self.places.add(info), true);
                (is_one, direct(lower.clone(), None, number))
            }
        };
        let value = counter.value.clone();
        self.regions[region].counters.push(counter);
        (range, value)
    }

    /// The number of the last iteration, from 0: how often the step fits, rounded down.
    fn last_iteration(&mut self, region: RegionId, lower: &Term, upper: &Term, step: i64) -> Option<Term> {
        let distance = difference(upper, lower)?;
        if let Some(distance) = distance.as_constant() {
            let (distance, step) = if step > 0 { (distance, step) } else { (-distance, -step) };
            return Some(constant(distance.div_euclid(step)));
        }
        let parent = self.regions[region].parent.unwrap_or_default();
        let place = self.places.add(PlaceInfo {
            text: "the last iteration".into(),
            region: parent,
            origin: Origin::Joined,
            definition: None,
        });
        let number = place_term(place);
        let (distance, size) = if step > 0 { (distance, step) } else { (distance.checked_mul(-1)?, -step) };
        let reached = product(&number, &constant(size))?;
        let next = reached.clone().checked_add_constant(size)?;
        self.places.define(
            place,
            Condition::all([Condition::at_most(&reached, &distance)?, Condition::less(&distance, &next)?]),
        );
        Some(number)
    }
}

fn variable_is_integer(point: &Point<'_, '_>, variable: &crate::syntax::Reference) -> bool {
    let type_ = point.unit.resolved.type_of(point.unit.tree, point.statement, variable);
    type_.is_some_and(|type_| type_.is_integer())
}

/// A step, if it is a constant other than 0.
pub fn step_of(point: &mut Point<'_, '_>, step: &Expression) -> Option<i64> {
    point.integer(step).as_constant().filter(|&step| step != 0)
}

/// The counters and the mask of DO CONCURRENT or FORALL.
pub fn concurrent(point: &mut Point<'_, '_>, region: RegionId, header: &ConcurrentHeader) -> Condition {
    let mut parts = Vec::new();
    for control in &header.controls {
        let (lower, upper) = (point.integer(&control.lower), point.integer(&control.upper));
        let step = control.step.as_ref().map_or(Some(1), |step| step_of(point, step));
        let name = point.unit.tree.names.text(control.variable.name).to_owned();
        let (range, value) = point.unit.counter(region, name, lower, upper, step);
        parts.push(range);
        let named = (control.variable.name, value);
        point.unit.regions[region].names.push(named.clone());
        point.bound.push(named);
    }
    if let Some(mask) = &header.mask {
        parts.push(point.condition(mask));
    }
    Condition::all(parts)
}
