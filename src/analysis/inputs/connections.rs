//! Which OPEN statements units are connected by, as that flows through the graph of a program.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::code::{NodeId, NodeKind};
use super::expression::{Expression, VariableId};
use super::program::Program;

/// A unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// One with a number.
    Number(i128),
    /// The one that a node gave to a variable: by NEWUNIT, or a number that is not known.
    Given(NodeId, VariableId),
}

impl Unit {
    /// Unit 5; `*` is the same until an OPEN connects it to another file, and then, too.
    pub const STANDARD_INPUT: Unit = Unit::Number(5);
}

/// What a unit is connected by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// No OPEN so far.
    Never,
    /// This OPEN.
    Open(NodeId),
    /// Nothing since a CLOSE.
    Closed,
}

/// The names of files of a program's OPEN statements.
#[derive(Debug, Default)]
pub struct Names {
    of: Vec<Expression>,
    by_node: FxHashMap<NodeId, usize>,
    by_variable: FxHashMap<VariableId, Vec<usize>>,
}

impl Names {
    /// Those of a program.
    pub fn new(program: &Program) -> Self {
        let mut names = Names::default();
        for (node, of) in program.nodes.iter().enumerate() {
            let NodeKind::Open(open) = &of.kind else { continue };
            let Some(file) = open.file.as_ref().filter(|file| !file.has_unknown()) else { continue };
            let index = names.of.iter().position(|known| known == file).unwrap_or_else(|| {
                names.of.push(file.clone());
                file.variables(&mut |variable| names.by_variable.entry(variable).or_default().push(names.of.len() - 1));
                names.of.len() - 1
            });
            names.by_node.insert(node, index);
        }
        names
    }
}

/// The OPENs of a name so far, with the value that it has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Opened {
    nodes: BTreeSet<NodeId>,
    /// Whether the name may have changed since an earlier one.
    has_changed: bool,
}

/// What all units are connected by.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Connections {
    units: Rc<BTreeMap<Unit, BTreeSet<Source>>>,
    opened: Rc<BTreeMap<usize, Opened>>,
}

impl Connections {
    /// What a unit may be connected by.
    pub fn sources(&self, unit: Unit) -> BTreeSet<Source> {
        self.units.get(&unit).cloned().unwrap_or_else(|| std::iter::once(Source::Never).collect())
    }

    /// Connects a unit.
    pub fn connect(&mut self, unit: Unit, source: Source) {
        Rc::make_mut(&mut self.units).insert(unit, std::iter::once(source).collect());
    }

    /// Nothing has connected a unit.
    pub fn forget(&mut self, unit: Unit) {
        if self.units.contains_key(&unit) {
            Rc::make_mut(&mut self.units).remove(&unit);
        }
    }

    /// Connects a unit by an OPEN; `is_constant`: its FILE= is.
    pub fn open(&mut self, unit: Unit, node: NodeId, is_constant: bool, names: &Names) {
        self.connect(unit, Source::Open(node));
        let Some(&name) = names.by_node.get(&node).filter(|_| !is_constant) else { return };
        let opened = Rc::make_mut(&mut self.opened).entry(name).or_default();
        if opened.has_changed {
            *opened = Opened::default();
        }
        opened.nodes.insert(node);
    }

    /// A variable may have changed.
    pub fn change(&mut self, variable: VariableId, names: &Names) {
        for name in names.by_variable.get(&variable).into_iter().flatten() {
            if self.opened.contains_key(name) {
                Rc::make_mut(&mut self.opened).entry(*name).or_default().has_changed = true;
            }
        }
    }

    /// The earlier OPENs of the name of an OPEN, if it has not changed since.
    pub fn earlier(&self, node: NodeId, names: &Names) -> Option<BTreeSet<NodeId>> {
        match self.opened.get(names.by_node.get(&node)?) {
            None => Some(BTreeSet::new()),
            Some(opened) => (!opened.has_changed).then(|| opened.nodes.clone()),
        }
    }

    /// What is so on one of two ways.
    pub fn merge(&self, other: &Connections) -> Connections {
        let mut merged = self.clone();
        if self.units != other.units {
            let units = Rc::make_mut(&mut merged.units);
            for unit in other.units.keys().chain(self.units.keys()) {
                units.insert(*unit, &self.sources(*unit) | &other.sources(*unit));
            }
        }
        if self.opened != other.opened {
            let opened = Rc::make_mut(&mut merged.opened);
            for (name, of) in other.opened.iter() {
                let there = opened.entry(*name).or_default();
                there.nodes.extend(&of.nodes);
                there.has_changed |= of.has_changed;
            }
        }
        merged
    }
}
