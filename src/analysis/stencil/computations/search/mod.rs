//! The search for everything that flows to a root: depth first along reaching definitions.
//!
//! *What belongs to a root*: what the innermost loop around it reads, and of what loops further out read that which
//! moves with them. What a scalar carries out of its loop belongs to no root outside of that loop, so such a definition
//! is not followed, nor is one outside of all loops from inside of one. All statements on a path thus stand in loops
//! around the root. (Where a procedure is summarised, its loops are no concern: all that it reads belongs to it.)
//!
//! What a variable takes from its own earlier value is *history* and adds no read: a definition that comes from an
//! earlier iteration, or from before the loop, is not followed if its variable is defined on the path that leads to it
//! already, and no statement is followed into itself. What lies below a statement therefore depends on the path to it.
//! A statement that was searched completely is not searched again at the same distance; one below which something was
//! cut off for the sake of a statement further up the path is searched again once that one has left the path. A ring is
//! not cut off so: what leads back to a statement of the path, at the distance at which it stands there, is as complete
//! as that statement will be when it leaves the path.
//!
//! Mostly there is no history: what flows to a statement does so within one iteration and around no ring, and all below
//! it is [plain](Search::is_plain). Then no path matters, and what lies below is gathered in any order.

mod distances;
mod reaching;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use oxc_index::{IndexVec, index_vec};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use distances::{DistanceId, Distances};
use reaching::{Hop, Reaching, reaching};

use super::contribution::{Contribution, Root, SharedDistance};
use super::reads::reads;
use super::subscript::ArrayReference;
use super::unit::UnitContext;
use crate::flow::{FlowPosition, VariableId, scalar_of};
use crate::source::Span;
use crate::values::ArrayKey;

/// A statement may flow to a root from this many different distances; beyond, the root is given up.
const DISTANCES: usize = 16;
/// Statements visited for all roots of a unit; roots for which more would be needed are given up.
const VISITS: usize = 2_000_000;
/// Definitions looked at for all roots of a unit, in the same way.
const HOPS: usize = 16 * VISITS;
/// Definitions found behind uses for all roots of a unit, in the same way: to find one takes longer than to look at it.
const FOUND: usize = 1 << 21;
/// Definitions that are remembered by the statements that they reach; beyond, they are found anew each time.
const REMEMBERED: usize = 1 << 18;

/// Levels of the path (0 is the root), as bits; `None`: none. They are shared between a statement and those above it.
type Levels = Option<Rc<FixedBitSet>>;

/// What keeps the search below a statement from being complete: the levels of the path at which the causes stand.
#[derive(Clone, Default)]
struct LeftOut {
    /// Something was cut off as history of these.
    history: Levels,
    /// A ring leads back to these.
    rings: Levels,
}

impl LeftOut {
    /// The last level of them.
    fn deepest(&self) -> Option<usize> {
        let deepest = |levels: &Levels| levels.as_ref().and_then(|levels| levels.maximum());
        deepest(&self.history).max(deepest(&self.rings))
    }

    /// Adds those of another statement.
    fn join(&mut self, other: &LeftOut) {
        join(&mut self.history, &other.history);
        join(&mut self.rings, &other.rings);
    }
}

fn insert(levels: &mut Levels, level: usize) {
    let levels = Rc::make_mut(levels.get_or_insert_default());
    levels.grow(level + 1);
    levels.insert(level);
}

/// Removes a level, and says whether it was there.
fn remove(levels: &mut Levels, level: usize) -> bool {
    let is_there = levels.as_ref().is_some_and(|levels| levels.contains(level));
    if is_there && let Some(levels) = levels {
        Rc::make_mut(levels).remove(level);
    }
    is_there
}

fn join(levels: &mut Levels, others: &Levels) {
    match (levels, others) {
        (_, None) => {}
        (levels @ None, Some(others)) => *levels = Some(Rc::clone(others)),
        (Some(levels), Some(others)) if others.is_subset(levels) => {}
        (Some(levels), Some(others)) => Rc::make_mut(levels).union_with(others),
    }
}

/// The search, with what is known of each assignment that was met so far.
pub struct Search<'a, 't> {
    unit: &'a UnitContext<'t>,
    /// For each position the reads of the assignment there.
    reads: IndexVec<FlowPosition, Option<Rc<[Rc<ArrayReference>]>>>,
    /// For each position what reaches the assignment there.
    reaching: IndexVec<FlowPosition, Option<Rc<Reaching>>>,
    /// How many definitions these are.
    remembered: usize,
    /// For each position whether the assignment there is plain, once that is known.
    plain: IndexVec<FlowPosition, Option<bool>>,
    distances: Distances,
    state: State,
    visits: usize,
    hops: usize,
    /// How many definitions were found behind uses.
    found: usize,
}

/// An assignment on the path, with the definitions that reach it and are still to be followed.
struct Step {
    position: FlowPosition,
    variable: Option<VariableId>,
    distance: DistanceId,
    /// The level at which the variable was defined before.
    defined_before: Option<usize>,
    reaching: Rc<Reaching>,
    /// How many of the hops are still to be followed.
    pending: usize,
    left_out: LeftOut,
    /// Statements, met at a distance, that are not complete for the sake of this one, and of none below it.
    waiting: Vec<(FlowPosition, DistanceId)>,
}

/// What is known while one root is searched.
struct State {
    path: Vec<Step>,
    /// For each position its level on the path, if it is there.
    level: IndexVec<FlowPosition, Option<usize>>,
    /// For each variable the last level of the path at which it is defined.
    defined_at: IndexVec<VariableId, Option<usize>>,
    /// For each position the distances at which it was met.
    met: IndexVec<FlowPosition, SmallVec<[Met; 1]>>,
    /// The positions at which something was met.
    met_at: Vec<FlowPosition>,
}

/// A distance at which a statement was met.
struct Met {
    distance: DistanceId,
    /// If the statement need not be searched again: what was left out below it.
    searched: Option<LeftOut>,
}

impl<'a, 't> Search<'a, 't> {
    /// A search in one unit.
    pub fn new(unit: &'a UnitContext<'t>) -> Self {
        let (count, variables) = (unit.values.flow.statements.len(), unit.values.flow.effects.variables.len());
        Search {
            unit,
            reads: index_vec![None; count],
            reaching: index_vec![None; count],
            remembered: 0,
            plain: index_vec![None; count],
            distances: Distances::new(),
            state: State {
                path: Vec::new(),
                level: index_vec![None; count],
                defined_at: index_vec![None; variables],
                met: (0..count).map(|_| SmallVec::new()).collect(),
                met_at: Vec::new(),
            },
            visits: 0,
            hops: 0,
            found: 0,
        }
    }

    /// The root at a position, and the positions of the assignments of which all that they read, and all that flows to
    /// them, belongs to it.
    pub fn contributions(&mut self, position: FlowPosition) -> (Root, Vec<FlowPosition>) {
        let mut root = Root {
            position,
            is_root: true,
            contributions: Vec::new(),
            unparsed: Vec::new(),
            is_incomplete: false,
            flowing: 0,
        };
        let mut through = Vec::new();
        self.state.meet(position, 0);
        self.enter(&mut root, position, self.target(position), 0);
        while let Some(step) = self.state.path.last_mut() {
            match step.pending.checked_sub(1) {
                Some(next) => {
                    step.pending = next;
                    let (hop, distance) = (step.reaching.hops[next], step.distance);
                    let Some(distance) = self.follow(&mut root, hop, distance) else { continue };
                    if self.is_plain(hop.position) {
                        self.gather(&mut root, &mut through, hop.position, distance);
                    } else {
                        through.push(hop.position);
                        self.enter(&mut root, hop.position, Some(hop.variable), distance);
                    }
                }
                None => self.state.leave(),
            }
        }
        root.contributions.sort_by(|left, right| key(left).cmp(&key(right)));
        root.contributions.dedup_by(|left, right| key(left) == key(right));
        root.unparsed.sort_unstable();
        root.unparsed.dedup();
        through.sort_unstable();
        through.dedup();
        root.flowing = through.len();
        self.state.forget();
        let through = self.wholly_part(&root, through);
        (root, through)
    }

    /// Of the assignments that flow to a root, in order, those of which everything belongs to it.
    fn wholly_part(&mut self, root: &Root, through: Vec<FlowPosition>) -> Vec<FlowPosition> {
        let is_whole = |&position: &FlowPosition| {
            let own = self.reads[position].as_deref().unwrap_or_default();
            own.iter().all(|read| belongs(self.unit, root.position, position, read))
        };
        let mut pending: Vec<FlowPosition> = through.iter().copied().filter(|position| !is_whole(position)).collect();
        if pending.is_empty() {
            return through;
        }
        let mut reached_by: FxHashMap<FlowPosition, Vec<FlowPosition>> = FxHashMap::default();
        for &position in &through {
            let reaching = self.reaching(position).unwrap_or_default();
            reaching.hops.iter().for_each(|hop| reached_by.entry(hop.position).or_default().push(position));
        }
        let mut apart: BTreeSet<FlowPosition> = pending.iter().copied().collect();
        while let Some(position) = pending.pop() {
            let users = reached_by.get(&position).into_iter().flatten().copied();
            pending.extend(users.filter(|&user| apart.insert(user)));
        }
        through.into_iter().filter(|position| !apart.contains(position)).collect()
    }

    /// The scalar that an assignment defines.
    fn target(&self, position: FlowPosition) -> Option<VariableId> {
        let unit = self.unit;
        let (target, _) = unit.values.assignment(position)?;
        let statement = unit.values.flow.statements[position];
        let (symbol, components) = scalar_of(unit.values.tree, unit.values.resolved, statement, target)?;
        unit.values.flow.effects.variables.get(symbol, components)
    }

    /// The distance from the root of the assignment that a hop leads to, if it is to be searched.
    fn follow(&mut self, root: &mut Root, hop: Hop, distance: DistanceId) -> Option<DistanceId> {
        self.hops += 1;
        let distance = self.distances.sum(distance, hop.distance);
        if self.state.is_known(hop.position, distance) {
            return None;
        }
        if let Some(level) = self.state.history(hop) {
            self.state.leave_out(|left_out| insert(&mut left_out.history, level));
            return None;
        }
        self.state.meet(hop.position, distance);
        self.is_within_limits(root, hop.position).then_some(distance)
    }

    /// Counts a visit to a statement that was met, and says whether there are not too many.
    fn is_within_limits(&mut self, root: &mut Root, position: FlowPosition) -> bool {
        self.visits += 1;
        let met = self.state.met[position].len();
        let is_within = met <= DISTANCES && self.visits <= VISITS && self.hops <= HOPS;
        root.is_incomplete |= !is_within;
        is_within
    }

    /// Whether all that flows to an assignment flows there within one iteration, and around no ring. Then no way to it
    /// goes through what lies below it, so that nothing below it is ever history.
    fn is_plain(&mut self, position: FlowPosition) -> bool {
        if let Some(known) = self.plain[position] {
            return known;
        }
        // A statement under way counts as not plain: who meets it has come around a ring.
        self.plain[position] = Some(false);
        let Some(reaching) = self.reaching(position) else { return false };
        let mut path = vec![(position, reaching, 0)];
        while let Some((position, reaching, next)) = path.last_mut() {
            match reaching.hops.get(*next) {
                None => {
                    self.plain[*position] = Some(true);
                    path.pop();
                }
                Some(hop) => match self.plain[hop.position] {
                    _ if hop.is_earlier => drop(path.pop()),
                    Some(true) => *next += 1,
                    Some(false) => drop(path.pop()),
                    None => {
                        let below = hop.position;
                        self.plain[below] = Some(false);
                        match self.reaching(below) {
                            Some(reaching) => path.push((below, reaching, 0)),
                            None => drop(path.pop()),
                        }
                    }
                },
            }
        }
        self.plain[position] == Some(true)
    }

    /// Notes a plain assignment, met at a distance, and all that flows to it.
    fn gather(
        &mut self,
        root: &mut Root,
        through: &mut Vec<FlowPosition>,
        position: FlowPosition,
        distance: DistanceId,
    ) {
        self.state.note_searched(position, distance, Some(LeftOut::default()));
        // Those from `next` on are still to be noted.
        let mut next = through.len();
        through.push(position);
        while let Some(&position) = through.get(next) {
            next += 1;
            let reaching = self.note(root, position, distance);
            self.hops += reaching.hops.len();
            for hop in &reaching.hops {
                let met = self.state.meet(hop.position, distance);
                let is_searched = met.iter().any(|met| met.distance == distance && met.searched.is_some());
                if !is_searched && self.is_within_limits(root, hop.position) {
                    self.state.note_searched(hop.position, distance, Some(LeftOut::default()));
                    through.push(hop.position);
                }
            }
        }
    }

    /// Puts an assignment on the path: notes its reads and finds the definitions that reach it.
    fn enter(&mut self, root: &mut Root, position: FlowPosition, variable: Option<VariableId>, distance: DistanceId) {
        let reaching = self.note(root, position, distance);
        let pending = reaching.hops.len();
        let (defined_before, left_out, waiting) = (None, LeftOut::default(), Vec::new());
        self.state.enter(Step { position, variable, distance, defined_before, reaching, pending, left_out, waiting });
    }

    /// Notes what an assignment reads and what it may read, and gives what reaches it.
    fn note(&mut self, root: &mut Root, position: FlowPosition, distance: DistanceId) -> Rc<Reaching> {
        let unit = self.unit;
        let own = self.reads[position].get_or_insert_with(|| match unit.values.assignment(position) {
            Some((target, value)) => reads(unit, position, target, value).into_iter().map(Rc::new).collect(),
            None => Rc::default(),
        });
        if !own.is_empty() {
            let shared = self.distances.get(distance);
            let contribution = |read: &Rc<ArrayReference>| Contribution {
                read: Rc::clone(read),
                position,
                distance: Rc::clone(&shared),
            };
            let at = root.position;
            let belonging = own.iter().filter(|read| belongs(unit, at, position, read));
            root.contributions.extend(belonging.map(contribution));
        }
        let reaching = self.reaching(position).unwrap_or_else(|| {
            root.is_incomplete = true;
            Rc::default()
        });
        root.unparsed.extend(&reaching.unparsed);
        reaching
    }

    /// What reaches the right side of the assignment at a position; `None` where too much was looked for already.
    fn reaching(&mut self, position: FlowPosition) -> Option<Rc<Reaching>> {
        if let Some(known) = &self.reaching[position] {
            return Some(Rc::clone(known));
        }
        if self.found > FOUND {
            return None;
        }
        let found = Rc::new(reaching(self.unit, position, &mut self.distances));
        self.found += found.hops.len() + found.unparsed.len() + 1;
        if self.remembered < REMEMBERED {
            self.remembered += found.hops.len() + 1;
            self.reaching[position] = Some(Rc::clone(&found));
        }
        Some(found)
    }
}

/// What contributions are sorted and told apart by.
fn key(of: &Contribution) -> (FlowPosition, Span, u32, &ArrayKey, &SharedDistance) {
    (of.position, of.read.span, of.read.ordinal, &of.read.array, &of.distance)
}

/// Whether a read at a position that flows to a root belongs to it: it stands in the same loop, or moves with those
/// around both.
fn belongs(unit: &UnitContext<'_>, root: FlowPosition, position: FlowPosition, read: &ArrayReference) -> bool {
    let loops = &unit.values.flow.loops;
    let is_near = unit.values.summarises || loops.innermost(root) == loops.innermost(position);
    is_near || unit.is_relative(root, position, read)
}

impl State {
    /// Notes that a statement is met at a distance, unless there are too many; gives all at which it was met.
    fn meet(&mut self, position: FlowPosition, distance: DistanceId) -> &[Met] {
        let met = &mut self.met[position];
        if met.is_empty() {
            self.met_at.push(position);
        }
        if met.len() <= DISTANCES && !met.iter().any(|met| met.distance == distance) {
            met.push(Met { distance, searched: None });
        }
        met
    }

    /// Forgets what was met.
    fn forget(&mut self) {
        self.met_at.drain(..).for_each(|position| self.met[position].clear());
    }

    /// Puts a statement on the path.
    fn enter(&mut self, mut step: Step) {
        let level = self.path.len();
        self.level[step.position] = Some(level);
        if let Some(variable) = step.variable {
            step.defined_before = self.defined_at[variable].replace(level);
        }
        self.note_searched(step.position, step.distance, Some(LeftOut::default()));
        self.path.push(step);
    }

    /// Notes whether a statement that was met at a distance need not be searched again there, and what was left out
    /// below it.
    fn note_searched(&mut self, position: FlowPosition, distance: DistanceId, searched: Option<LeftOut>) {
        if let Some(met) = self.met[position].iter_mut().find(|met| met.distance == distance) {
            met.searched = searched;
        }
    }

    /// Whether a statement at a distance need not be searched from the end of the path: it is on the path, or was
    /// searched. What was left out below it is left out here.
    fn is_known(&mut self, position: FlowPosition, distance: DistanceId) -> bool {
        let on_path = self.level[position].filter(|&level| self.path[level].distance == distance);
        if let Some(level) = on_path {
            self.leave_out(|left_out| insert(&mut left_out.rings, level));
            return true;
        }
        let met = self.met[position].iter().find(|met| met.distance == distance);
        let searched = met.and_then(|met| met.searched.clone());
        if let Some(below) = &searched {
            self.leave_out(|left_out| left_out.join(below));
        }
        searched.is_some()
    }

    /// If following a definition would only lead into the history of something on the path: the last level of such. As
    /// long as that is on the path, it does not matter what stands further up.
    fn history(&self, hop: Hop) -> Option<usize> {
        let same_variable = if hop.is_earlier { self.defined_at[hop.variable] } else { None };
        self.level[hop.position].max(same_variable)
    }

    /// Notes something that is left out below the last statement of the path.
    fn leave_out(&mut self, note: impl FnOnce(&mut LeftOut)) {
        if let Some(step) = self.path.last_mut() {
            note(&mut step.left_out);
        }
    }

    /// Takes the last statement off the path.
    fn leave(&mut self) {
        let Some(mut step) = self.path.pop() else { return };
        let height = self.path.len();
        self.level[step.position] = None;
        if let Some(variable) = step.variable {
            self.defined_at[variable] = step.defined_before;
        }
        // Its own level does not concern those above it.
        remove(&mut step.left_out.history, height);
        remove(&mut step.left_out.rings, height);
        for (position, distance) in std::mem::take(&mut step.waiting) {
            self.released(position, distance, height, &step.left_out);
        }
        self.wait(step.position, step.distance, step.left_out.clone());
        self.leave_out(|left_out| left_out.join(&step.left_out));
    }

    /// The statement at `height` has left the path, and with it went one of the causes that another statement is not
    /// complete. What was cut off may be found now; a ring is as complete as the one that left.
    fn released(&mut self, position: FlowPosition, distance: DistanceId, height: usize, left: &LeftOut) {
        let met = self.met[position].iter_mut().find(|met| met.distance == distance);
        let Some(mut below) = met.and_then(|met| met.searched.take()) else { return };
        if remove(&mut below.history, height) {
            return;
        }
        remove(&mut below.rings, height);
        below.join(left);
        self.wait(position, distance, below);
    }

    /// Notes that a statement was searched at a distance, but for what was left out, and waits for the last cause of
    /// that.
    fn wait(&mut self, position: FlowPosition, distance: DistanceId, left_out: LeftOut) {
        if let Some(deepest) = left_out.deepest() {
            self.path[deepest].waiting.push((position, distance));
        }
        self.note_searched(position, distance, Some(left_out));
    }
}
