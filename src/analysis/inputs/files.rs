//! The files of a plan: which READ is of which, and where a file begins anew.
//!
//! A READ is of the OPENs that may have connected its unit; OPENs that one READ may be of are of one file of the plan,
//! and so are OPENs of one unit with the same FILE=.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::code::{NodeId, NodeKind, Open, Positioning};
use super::conditions::Flow;
use super::connections::{Names, Source, Unit};
use super::constants::{self, State};
use super::plan::{PlanFile, Step};
use super::program::Program;

/// The files of a plan, and which READ reads which.
#[derive(Default)]
pub struct Files {
    /// The files.
    pub files: Vec<PlanFile>,
    /// Which of them are texts that are read from their beginning.
    is_text: Vec<bool>,
    of_read: FxHashMap<NodeId, usize>,
    steps: FxHashMap<NodeId, Vec<Step>>,
}

impl Files {
    /// Those of a program.
    pub fn new(flow: &Flow<'_>, states: &[Option<State>], names: &Names) -> Self {
        let mut search = Search {
            flow,
            states,
            names,
            connections: Vec::new(),
            joined: Vec::new(),
            same_name: Vec::new(),
            reads: Vec::new(),
        };
        search.join_named();
        search.join_read();
        search.files()
    }

    /// The file that a READ reads, if it is known.
    pub fn of_read(&self, node: NodeId) -> Option<usize> {
        self.of_read.get(&node).copied()
    }

    /// Whether a file is a text that is read from its beginning.
    pub fn is_text(&self, file: usize) -> bool {
        self.is_text.get(file).is_some_and(|it| *it)
    }

    /// What an OPEN, or a statement that positions, does to files that are read.
    pub fn steps(&self, node: NodeId) -> &[Step] {
        self.steps.get(&node).map_or(&[], Vec::as_slice)
    }
}

/// What a READ may be of: an OPEN, or the file that a unit has without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Connection {
    Open(NodeId),
    Default(Unit),
}

/// The search for the files of a program.
struct Search<'s, 'p> {
    flow: &'s Flow<'p>,
    states: &'s [Option<State>],
    names: &'s Names,
    connections: Vec<Connection>,
    /// For each connection another one of the same file, or itself.
    joined: Vec<usize>,
    /// The same where only OPENs with the same name are of one file.
    same_name: Vec<usize>,
    /// READs with a connection that they are of.
    reads: Vec<(NodeId, usize)>,
}

impl Search<'_, '_> {
    fn program(&self) -> &Program {
        self.flow.program
    }

    fn find(&self, connection: Connection) -> Option<usize> {
        self.connections.iter().position(|it| *it == connection)
    }

    fn index(&mut self, connection: Connection) -> usize {
        if let Some(known) = self.find(connection) {
            return known;
        }
        self.connections.push(connection);
        self.joined.push(self.joined.len());
        self.joined.len() - 1
    }

    /// The connection that stands for all of the same file.
    fn root(&self, mut of: usize) -> usize {
        while self.joined[of] != of {
            of = self.joined[of];
        }
        of
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (first, second) = (one.min(other), one.max(other));
        self.joined[second] = first;
    }

    fn unit_of_open(&self, node: NodeId, open: &Open) -> Option<Unit> {
        match open.new_unit {
            Some(variable) => Some(Unit::Given(node, variable)),
            None => self.states[node].as_ref()?.unit(self.program(), Some(open.unit.as_ref()?)),
        }
    }

    /// OPENs that one READ may be of are of one file.
    fn join_read(&mut self) {
        let program = self.flow.program;
        for &node in &self.flow.order {
            let NodeKind::Read(read) = &program.nodes[node].kind else { continue };
            let Some(state) = &self.states[node] else { continue };
            let Some(unit) = state.unit(program, read.unit.as_ref()) else { continue };
            let sources = state.connections.sources(unit);
            let opens = sources.iter().filter_map(|it| if let Source::Open(open) = it { Some(*open) } else { None });
            let opens: Vec<usize> = opens.map(|open| self.index(Connection::Open(open))).collect();
            let of = match (opens.first(), unit) {
                // Standard input, or a file: which of them is not known.
                (Some(_), Unit::STANDARD_INPUT) if opens.len() < sources.len() => continue,
                (Some(&first), _) => first,
                (None, Unit::Number(_)) => self.index(Connection::Default(unit)),
                (None, Unit::Given(..)) => continue,
            };
            opens.iter().for_each(|&other| self.join(of, other));
            self.reads.push((node, of));
        }
    }

    fn opens(&self) -> Vec<(NodeId, &Open)> {
        let open = |&node: &NodeId| match &self.flow.program.nodes[node].kind {
            NodeKind::Open(open) => Some((node, open.as_ref())),
            _ => None,
        };
        self.flow.order.iter().filter_map(open).collect()
    }

    /// OPENs of one unit with the same name are of one file.
    fn join_named(&mut self) {
        let mut known: BTreeMap<(Option<i128>, Option<String>), usize> = BTreeMap::new();
        let program = self.flow.program;
        for &node in &self.flow.order {
            let NodeKind::Open(open) = &program.nodes[node].kind else { continue };
            let Some(state) = &self.states[node] else { continue };
            let unit = match self.unit_of_open(node, open) {
                Some(Unit::Number(number)) => Some(number),
                Some(Unit::Given(..)) => None,
                None => continue,
            };
            let index = self.index(Connection::Open(node));
            let name = constants::value_of_name(program, open, state);
            if open.file.is_none() && unit.is_none() {
                continue;
            }
            if open.file.is_none() || name.is_some() {
                let other = *known.entry((unit, name)).or_insert(index);
                self.join(other, index);
                continue;
            }
            for earlier in state.connections.earlier(node, self.names).into_iter().flatten() {
                let NodeKind::Open(other) = &program.nodes[earlier].kind else { continue };
                if self.unit_of_open(earlier, other) == self.unit_of_open(node, open) {
                    let other = self.index(Connection::Open(earlier));
                    self.join(other, index);
                }
            }
        }
        self.same_name = (0..self.joined.len()).map(|index| self.root(index)).collect();
    }

    /// The files that are read.
    fn files(mut self) -> Files {
        let mut files = Files::default();
        let mut of_root: BTreeMap<usize, usize> = BTreeMap::new();
        for (node, of) in std::mem::take(&mut self.reads) {
            let file = *of_root.entry(self.root(of)).or_insert_with(|| {
                let unit = match self.connections[of] {
                    Connection::Default(Unit::STANDARD_INPUT) => "*".to_owned(),
                    Connection::Default(Unit::Number(unit)) => unit.to_string(),
                    Connection::Default(Unit::Given(..)) | Connection::Open(_) => String::new(),
                };
                files.files.push(PlanFile { unit, ..PlanFile::default() });
                files.is_text.push(true);
                files.files.len() - 1
            });
            files.of_read.insert(node, file);
        }
        let opens = self.opens();
        let file_of = |node: NodeId| {
            let index = self.find(Connection::Open(node))?;
            of_root.get(&self.root(index)).copied()
        };
        let mut names: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); files.files.len()];
        for &(node, open) in &opens {
            let Some((file, index)) = file_of(node).zip(self.find(Connection::Open(node))) else { continue };
            let of = &mut files.files[file];
            if let Some(Unit::Number(unit)) = self.unit_of_open(node, open) {
                of.unit = unit.to_string();
            }
            names[file].insert(self.same_name[index]);
            let name =
                self.states[node].as_ref().and_then(|state| constants::value_of_name(self.program(), open, state));
            (of.name, of.expression) = match (names[file].len(), name) {
                (1, Some(name)) => (Some(name), None),
                (1, None) => (None, open.file_text.clone()),
                _ => (None, None),
            };
            of.is_scratch |= open.is_scratch;
            of.decimal_comma |= open.decimal_comma;
            of.blank_zero |= open.blank_zero;
            files.is_text[file] &= open.is_text;
        }
        for &(node, open) in &opens {
            if let Some(file) = file_of(node) {
                let step = self.opened(node, open, names[file].len() == 1, &|it| file_of(it) == Some(file));
                files.steps.extend(step.map(|step| (node, vec![step(file)])));
            }
        }
        self.position(&mut files, &of_root, &file_of);
        files
    }

    /// What an OPEN does to its file; `is_one`: all OPENs of it have the same name.
    fn opened(
        &self,
        node: NodeId,
        open: &Open,
        is_one: bool,
        is_same: &dyn Fn(NodeId) -> bool,
    ) -> Option<fn(usize) -> Step> {
        let state = self.states[node].as_ref()?;
        let unit = self.unit_of_open(node, open)?;
        let before = state.connections.sources(unit);
        let is_still = |it: &Source| matches!(it, Source::Open(other) if is_same(*other));
        let is_constant = open.file.is_none() || constants::value_of_name(self.program(), open, state).is_some();
        let is_known = is_constant || state.connections.earlier(node, self.names).is_some();
        if open.file.is_none() && before.iter().all(|it| matches!(it, Source::Open(_))) {
            return None;
        }
        if !is_one || !is_known {
            return Some(Step::Reopen);
        }
        if before.iter().any(is_still) {
            // The same file again: it stays where it is, if it is still connected.
            let is_sure = before.iter().all(|it| is_still(it) || *it == Source::Never);
            return if is_sure { None } else { Some(Step::Move) };
        }
        Some(Step::Rewind)
    }

    /// What REWIND, BACKSPACE, ENDFILE and WRITE do to files.
    fn position(&self, files: &mut Files, of_root: &BTreeMap<usize, usize>, file_of: &dyn Fn(NodeId) -> Option<usize>) {
        for &node in &self.flow.order {
            let NodeKind::Position(unit, positioning, _) = &self.program().nodes[node].kind else { continue };
            let Some(state) = &self.states[node] else { continue };
            let Some(unit) = state.unit(self.program(), Some(unit)) else {
                if matches!(positioning, Positioning::Rewind | Positioning::Back) {
                    files.steps.insert(node, (0..files.files.len()).map(Step::Move).collect());
                }
                continue;
            };
            let found = state.connections.sources(unit).into_iter().filter_map(|source| match source {
                Source::Open(open) => file_of(open),
                Source::Never | Source::Closed => {
                    let index = self.find(Connection::Default(unit))?;
                    of_root.get(&self.root(index)).copied()
                }
            });
            let found: BTreeSet<usize> = found.collect();
            let step = match positioning {
                Positioning::Close => continue,
                Positioning::Rewind if found.len() == 1 => Step::Rewind,
                Positioning::Back if found.len() == 1 => Step::Back,
                Positioning::Rewind | Positioning::Back | Positioning::Elsewhere => Step::Move,
            };
            files.steps.insert(node, found.into_iter().map(step).collect());
        }
    }
}
