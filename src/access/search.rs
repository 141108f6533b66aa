//! The search for everything that flows to a root: depth first along reaching definitions.
//!
//! What a variable takes from its own earlier value is *history* and adds no read: a definition that comes from an earlier
//! iteration is not followed if its variable is defined on the path that leads to it already, and no statement is followed
//! into itself. What lies below a statement therefore depends on the path to it. A statement that was searched completely is
//! not searched again at the same distance; one below which something was cut off for the sake of a statement further up the
//! path is searched again once that one has left the path.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::reads::{ArrayReference, reads};
use super::roots::{Analysis, Contribution, Distance, Root};
use crate::flow::{DefinitionKind, VariableId, scalar_of};

/// A statement may flow to a root from this many different distances; beyond, the root is given up.
const DISTANCES: usize = 16;
/// Statements visited for all roots of a unit; roots for which more would be needed are given up.
const VISITS: usize = 2_000_000;

/// Levels of the path (0 is the root) for whose sake something was left out below a statement.
type Levels = BTreeSet<usize>;

/// The search, with the reads of each assignment that was met so far.
pub struct Search<'a, 't> {
    analysis: &'a Analysis<'t>,
    reads: HashMap<u32, Vec<Rc<ArrayReference>>>,
    /// What reaches each assignment that was met so far.
    reaching: HashMap<u32, Rc<Reaching>>,
    visits: usize,
}

/// What reaches the right side of one assignment.
#[derive(Default)]
struct Reaching {
    /// The assignments whose values reach it.
    hops: Vec<Hop>,
    /// Positions of statements that were not understood and may be among them.
    unparsed: Vec<u32>,
}

/// An assignment whose value reaches another one.
struct Hop {
    position: u32,
    variable: VariableId,
    /// How much earlier it is than the assignment that it reaches: nothing within one iteration.
    distance: Distance,
}

/// An assignment on the path, with the definitions that reach it and are still to be followed.
struct Step {
    position: u32,
    variable: Option<VariableId>,
    distance: Distance,
    reaching: Rc<Reaching>,
    /// How many of the hops are still to be followed.
    pending: usize,
    left_out_for: Levels,
    /// Statements to be searched again when this one leaves the path.
    expiring: Vec<(u32, Distance)>,
}

/// What is known while one root is searched.
struct State {
    root: Root,
    through: BTreeSet<u32>,
    path: Vec<Step>,
    on_path: HashMap<u32, usize>,
    visited: HashMap<(u32, Distance), Levels>,
    distances: HashMap<u32, HashSet<Distance>>,
}

impl<'a, 't> Search<'a, 't> {
    /// A search in one unit.
    pub fn new(analysis: &'a Analysis<'t>) -> Self {
        Search { analysis, reads: HashMap::new(), reaching: HashMap::new(), visits: 0 }
    }

    /// The root at a position and the positions of all assignments that flow to it.
    pub fn contributions(&mut self, position: u32) -> (Root, BTreeSet<u32>) {
        let mut state = State {
            root: Root {
                position,
                is_root: true,
                contributions: Vec::new(),
                unparsed: Vec::new(),
                is_incomplete: false,
            },
            through: BTreeSet::new(),
            path: Vec::new(),
            on_path: HashMap::new(),
            visited: HashMap::new(),
            distances: HashMap::new(),
        };
        let variable = self.target(position);
        self.enter(&mut state, position, variable, Vec::new());
        while let Some(step) = state.path.last_mut() {
            match step.pending.checked_sub(1) {
                Some(next) => {
                    step.pending = next;
                    let (reaching, distance) = (Rc::clone(&step.reaching), step.distance.clone());
                    self.follow(&mut state, &reaching.hops[next], &distance);
                }
                None => state.leave(),
            }
        }
        let mut root = state.root;
        let key = |of: &Contribution| (of.position, of.read.span, of.read.array.clone(), of.distance.clone());
        root.contributions.sort_by_cached_key(key);
        root.contributions.dedup_by(|left, right| key(left) == key(right));
        root.unparsed.sort_unstable();
        root.unparsed.dedup();
        (root, state.through)
    }

    /// The scalar that an assignment defines.
    fn target(&self, position: u32) -> Option<VariableId> {
        let analysis = self.analysis;
        let (target, _) = analysis.assignment(position)?;
        let statement = analysis.flow.statements[position as usize];
        let (symbol, components) = scalar_of(analysis.tree, analysis.resolved, statement, target)?;
        analysis.flow.effects.variables.get(symbol, components)
    }

    /// Follows a hop to an assignment that is at some distance from the root.
    fn follow(&mut self, state: &mut State, hop: &Hop, distance: &Distance) {
        if let Some(level) = state.history(hop) {
            state.leave_out_for(&Levels::from([level]));
            return;
        }
        let key = (hop.position, add(distance, &hop.distance));
        if let Some(levels) = state.visited.get(&key).cloned() {
            state.leave_out_for(&levels);
            return;
        }
        let distances = state.distances.entry(key.0).or_default();
        distances.insert(key.1.clone());
        self.visits += 1;
        if distances.len() > DISTANCES || self.visits > VISITS {
            state.root.is_incomplete = true;
            return;
        }
        state.through.insert(key.0);
        self.enter(state, key.0, Some(hop.variable), key.1);
    }

    /// Puts an assignment on the path: notes its reads and finds the definitions that reach it.
    fn enter(&mut self, state: &mut State, position: u32, variable: Option<VariableId>, distance: Distance) {
        let analysis = self.analysis;
        let own = self.reads.entry(position).or_insert_with(|| match analysis.assignment(position) {
            Some((_, value)) => reads(analysis.place(position), value).into_iter().map(Rc::new).collect(),
            None => Vec::new(),
        });
        let contribution =
            |read: &Rc<ArrayReference>| Contribution { read: Rc::clone(read), position, distance: distance.clone() };
        state.root.contributions.extend(own.iter().map(contribution));
        let reaching =
            Rc::clone(self.reaching.entry(position).or_insert_with(|| Rc::new(reaching(analysis, position))));
        state.root.unparsed.extend(&reaching.unparsed);
        let pending = reaching.hops.len();
        state.visited.insert((position, distance.clone()), Levels::new());
        state.on_path.insert(position, state.path.len());
        let (left_out_for, expiring) = (Levels::new(), Vec::new());
        state.path.push(Step { position, variable, distance, reaching, pending, left_out_for, expiring });
    }
}

/// What reaches the right side of the assignment at a position.
fn reaching(analysis: &Analysis<'_>, position: u32) -> Reaching {
    let effects = &analysis.flow.effects;
    let around = analysis.flow.loops.innermost(position);
    let counted: BTreeSet<_> = analysis.flow.induction_variables(around).map(|(_, variable)| variable.symbol).collect();
    let mut found = Reaching::default();
    for index in analysis.flow.uses_at(position) {
        let variable = effects.uses[index].variable;
        // A loop's variable has its value from the loop, whatever a statement that was not understood may hold.
        if counted.contains(&effects.variables.symbol(variable)) {
            continue;
        }
        for (definition, position, kind) in analysis.definitions_of(index) {
            match kind {
                DefinitionKind::Assigned => {
                    found.hops.push(Hop { position, variable, distance: analysis.distance(index, definition) });
                }
                DefinitionKind::Unparsed => found.unparsed.push(position),
                DefinitionKind::Other => {}
            }
        }
    }
    found
}

impl State {
    /// If following a definition would only lead into the history of something on the path: the level of that.
    fn history(&self, hop: &Hop) -> Option<usize> {
        // A value of an earlier iteration.
        let same_variable = || self.path.iter().position(|step| step.variable == Some(hop.variable));
        self.on_path
            .get(&hop.position)
            .copied()
            .or_else(|| if hop.distance.is_empty() { None } else { same_variable() })
    }

    /// Something below the last statement of the path was left out for the sake of those at these levels.
    fn leave_out_for(&mut self, levels: &Levels) {
        if let Some(step) = self.path.last_mut() {
            step.left_out_for.extend(levels);
        }
    }

    /// Takes the last statement off the path.
    fn leave(&mut self) {
        let Some(step) = self.path.pop() else { return };
        self.on_path.remove(&step.position);
        for key in step.expiring {
            self.visited.remove(&key);
        }
        let above: Levels = step.left_out_for.into_iter().filter(|&level| level < self.path.len()).collect();
        if let Some(&deepest) = above.last() {
            let key = (step.position, step.distance);
            self.visited.insert(key.clone(), above.clone());
            self.path[deepest].expiring.push(key);
            self.leave_out_for(&above);
        }
    }
}

/// The sum of two distances.
fn add(left: &Distance, right: &Distance) -> Distance {
    let mut sum = left.clone();
    for &(id, iterations) in right {
        match sum.iter_mut().find(|(other, _)| *other == id) {
            Some((_, total)) => *total = total.zip(iterations).map(|(left, right)| left + right),
            None => sum.push((id, iterations)),
        }
    }
    sum.sort_unstable();
    sum
}
