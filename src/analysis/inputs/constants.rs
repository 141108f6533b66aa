//! Which units READ statements mean, and what IOSTAT decides: values that flow through the graph.
//!
//! A variable that gets a value which is not known (a free unit from a function, NEWUNIT) holds what that statement
//! gave it: an OPEN and a READ of this value are of the same unit.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::connections::{Connections, Names, Source, Unit};

use super::cells::Cells;
use super::code::{NodeId, NodeKind, Open, Positioning, successors};
use super::evaluate::Evaluator;
use super::expression::{Expression, Variable, VariableId};
use super::program::Program;
use super::reads;
use super::value::{DataType, Value};

/// The values of scalars that are the same on every way.
type Known = FxHashMap<VariableId, Value>;

/// How many nodes are copied behind a READ to see what its IOSTAT decides.
const MOST_COPIED: usize = 12;
/// How often a node is looked at.
const MOST_VISITS: usize = 60;

/// What is known in front of a node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// The values of scalars.
    pub values: Known,
    /// The variables that hold what a node gave to one of them.
    symbols: FxHashMap<VariableId, (NodeId, VariableId)>,
    /// What the units are connected to.
    pub connections: Connections,
}

impl State {
    /// The unit that an expression means, if that is known; none is standard input.
    pub fn unit(&self, program: &Program, unit: Option<&Expression>) -> Option<Unit> {
        let Some(unit) = unit else { return Some(Unit::STANDARD_INPUT) };
        if let Expression::Variable(variable) = unit
            && let Some(&(node, of)) = self.symbols.get(variable)
        {
            return Some(Unit::Given(node, of));
        }
        match value(program, unit, &self.values) {
            Some(Value::Integer(unit)) => Some(Unit::Number(unit)),
            _ => None,
        }
    }

    /// What is known on both of two ways.
    fn merge(&self, other: &State) -> State {
        let values = self.values.iter().filter(|(key, it)| other.values.get(key) == Some(it));
        let symbols = self.symbols.iter().filter(|(key, it)| other.symbols.get(key) == Some(it));
        State {
            values: values.map(|(key, it)| (*key, it.clone())).collect(),
            symbols: symbols.map(|(key, it)| (*key, *it)).collect(),
            connections: self.connections.merge(&other.connections),
        }
    }

    fn forget(&mut self, variable: VariableId, names: &Names) {
        self.values.remove(&variable);
        self.symbols.remove(&variable);
        self.connections.change(variable, names);
    }

    /// A variable gets a value at a node that is not known: it is one of its own.
    fn give(&mut self, node: NodeId, variable: VariableId, flow: &Followed<'_>) {
        self.forget(variable, flow.names);
        if !flow.is_followed(variable) {
            return;
        }
        // What the node gave before is another value.
        self.symbols.retain(|_, symbol| *symbol != (node, variable));
        self.connections.forget(Unit::Given(node, variable));
        self.symbols.insert(variable, (node, variable));
    }
}

/// What flows through a program.
struct Followed<'p> {
    program: &'p Program,
    names: &'p Names,
    /// The variables that are followed.
    interesting: Vec<bool>,
}

impl Followed<'_> {
    fn is_followed(&self, variable: VariableId) -> bool {
        self.interesting[variable.index()] && !self.program.variables[variable.index()].is_opaque
    }

    /// What is known behind a node.
    fn behind(&self, node: NodeId, mut state: State) -> State {
        match &self.program.nodes[node].kind {
            NodeKind::Assign(Expression::Variable(target), of, _) => self.assign(node, *target, of, &mut state),
            NodeKind::Assign(place, ..) => {
                super::reads::variable_of(place).iter().for_each(|it| state.forget(*it, self.names));
            }
            NodeKind::Forget(variables, _) => variables.iter().for_each(|it| state.give(node, *it, self)),
            NodeKind::Do(of) => state.give(node, of.variable, self),
            NodeKind::Read(read) => {
                super::reads::defined(read).into_iter().for_each(|it| state.give(node, it, self));
            }
            NodeKind::Open(open) => self.open(node, open, &mut state),
            NodeKind::Position(unit, Positioning::Close, _) => {
                if let Some(unit) = state.unit(self.program, Some(unit)) {
                    state.connections.connect(unit, Source::Closed);
                }
            }
            _ => {}
        }
        state
    }

    fn assign(&self, node: NodeId, target: VariableId, of: &Expression, state: &mut State) {
        if !self.is_followed(target) {
            return state.forget(target, self.names);
        }
        let symbol = match of {
            Expression::Variable(from) => state.symbols.get(from).copied(),
            _ => None,
        };
        match (symbol, value(self.program, of, &state.values)) {
            (Some(symbol), _) => {
                state.forget(target, self.names);
                state.symbols.insert(target, symbol);
            }
            (None, Some(value)) => {
                state.forget(target, self.names);
                state.values.insert(target, value);
            }
            (None, None) => state.give(node, target, self),
        }
    }

    fn open(&self, node: NodeId, open: &Open, state: &mut State) {
        let unit = match open.new_unit {
            Some(variable) => {
                state.give(node, variable, self);
                Some(Unit::Given(node, variable))
            }
            None => open.unit.as_ref().and_then(|unit| state.unit(self.program, Some(unit))),
        };
        let Some(unit) = unit else { return };
        let is_connected = state.connections.sources(unit).iter().all(|it| matches!(it, Source::Open(_)));
        if open.file.is_some() || !is_connected {
            let is_constant = value_of_name(self.program, open, state).is_some();
            state.connections.open(unit, node, is_constant, self.names);
        }
    }
}

/// The constant that FILE= is.
pub fn value_of_name(program: &Program, open: &Open, state: &State) -> Option<String> {
    match value(program, open.file.as_ref()?, &state.values)? {
        Value::Character(text) => Some(String::from_utf8_lossy(&text).into_owned()),
        _ => None,
    }
}

/// What is known in front of each node.
pub fn states(program: &Program, names: &Names) -> Vec<Option<State>> {
    let flow = Followed { program, names, interesting: interesting(program) };
    let order = program.order();
    let mut place = vec![0; program.nodes.len()];
    order.iter().enumerate().for_each(|(index, &node)| place[node] = index);
    let mut before: Vec<Option<State>> = vec![None; program.nodes.len()];
    let mut visits = vec![0; program.nodes.len()];
    before[program.entry] = Some(State::default());
    let mut pending: BTreeSet<usize> = std::iter::once(place[program.entry]).collect();
    while let Some(index) = pending.pop_first() {
        let node = order[index];
        visits[node] += 1;
        if visits[node] > MOST_VISITS {
            continue;
        }
        let state = flow.behind(node, before[node].clone().unwrap_or_default());
        for next in successors(&program.nodes[node].kind) {
            let merged = before[next].as_ref().map_or_else(|| state.clone(), |there| there.merge(&state));
            if before[next].as_ref() != Some(&merged) {
                before[next] = Some(merged);
                pending.insert(place[next]);
            }
        }
    }
    before
}

/// The variables that units, files and formats depend on.
fn interesting(program: &Program) -> Vec<bool> {
    let mut found = vec![false; program.variables.len()];
    let mark = |expression: &Expression, found: &mut Vec<bool>| {
        expression.variables(&mut |variable| found[variable.index()] = true);
    };
    for node in &program.nodes {
        match &node.kind {
            NodeKind::Read(read) => read.unit.iter().for_each(|unit| mark(unit, &mut found)),
            NodeKind::Position(unit, ..) => mark(unit, &mut found),
            NodeKind::Do(of) => [&of.lower, &of.upper].into_iter().for_each(|it| mark(it, &mut found)),
            NodeKind::Open(open) => {
                open.unit.iter().chain(&open.file).for_each(|it| mark(it, &mut found));
                if let Some(unit) = open.new_unit {
                    found[unit.index()] = true;
                }
            }
            _ => {}
        }
    }
    for _ in 0..8 {
        let before = found.clone();
        for node in &program.nodes {
            if let NodeKind::Assign(Expression::Variable(target), value, _) = &node.kind
                && found[target.index()]
            {
                mark(value, &mut found);
            }
        }
        if before == found {
            break;
        }
    }
    found
}

/// The values that are known, as cells.
fn cells(variables: &[Variable], known: &Known) -> Cells {
    let mut cells = Cells::new(variables);
    for (variable, value) in known {
        if let Some(cell) = cells.cell_mut(*variable, 0) {
            cell.value = Some(value.clone());
        }
    }
    cells
}

/// The value of an expression, if it is constant.
pub fn value(program: &Program, expression: &Expression, known: &Known) -> Option<Value> {
    if let Expression::Constant(value) = expression {
        return Some(value.clone());
    }
    let mut is_known = true;
    expression.variables(&mut |variable| is_known &= known.contains_key(&variable));
    if !is_known || expression.has_unknown() {
        return None;
    }
    let cells = cells(&program.variables, known);
    Evaluator { variables: &program.variables, cells: &cells, counts_broken: true, bound: None }.scalar(expression)
}

/// Leads the ways behind READs, on which IOSTAT is known, past the branches that it decides.
pub fn thread_statuses(program: &mut Program) {
    for node in 0..program.nodes.len() {
        let NodeKind::Assign(Expression::Variable(status), Expression::Constant(value), next) =
            &program.nodes[node].kind
        else {
            continue;
        };
        let (status, value, next) = (*status, value.clone(), *next);
        if let Some(target) = threaded(program, next, status, &value)
            && let NodeKind::Assign(_, _, next) = &mut program.nodes[node].kind
        {
            *next = target;
        }
    }
}

/// Where a way leads on which a variable has a value, if that, or what is made of it, decides a branch; nodes in
/// between are copied.
fn threaded(program: &mut Program, from: NodeId, variable: VariableId, value: &Value) -> Option<NodeId> {
    let mut known: Known = std::iter::once((variable, value.clone())).collect();
    let mut between = Vec::new();
    let mut node = from;
    let mut target = None;
    for _ in 0..2 * MOST_COPIED {
        match &program.nodes[node].kind {
            NodeKind::Pass(next) => node = *next,
            NodeKind::Branch(condition, then, otherwise) => {
                match decided(program, condition, &known) {
                    Some(is_true) => node = if is_true { *then } else { *otherwise },
                    None => break,
                }
                target = Some((node, between.len()));
            }
            NodeKind::Assign(place, assigned, next) => {
                let assigned = self::value(program, assigned, &known).filter(|it| matches!(it, Value::Integer(_)));
                forget(&mut known, &reads::variable_of(place).into_iter().collect::<Vec<_>>());
                if let (Expression::Variable(variable), Some(value)) = (place, assigned)
                    && holds_default_integers(program, *variable)
                {
                    known.insert(*variable, value);
                }
                between.push(node);
                node = *next;
            }
            NodeKind::Forget(variables, next) => {
                forget(&mut known, variables);
                between.push(node);
                node = *next;
            }
            _ => break,
        }
        if known.is_empty() || between.len() > MOST_COPIED {
            break;
        }
    }
    let (mut target, count) = target?;
    for &node in between[..count].iter().rev() {
        let mut copy = program.nodes[node].clone();
        if let NodeKind::Assign(_, _, next) | NodeKind::Forget(_, next) = &mut copy.kind {
            *next = target;
        }
        program.nodes.push(copy);
        target = program.nodes.len() - 1;
    }
    Some(target)
}

/// Whether a condition holds, if that depends on known variables alone.
fn decided(program: &Program, condition: &Expression, known: &Known) -> Option<bool> {
    if !condition.mentions(&|variable| known.contains_key(&variable)) {
        return None;
    }
    let cells = cells(&program.variables, known);
    Evaluator { variables: &program.variables, cells: &cells, counts_broken: true, bound: None }.truth(condition)
}

fn forget(known: &mut Known, variables: &[VariableId]) {
    for variable in variables {
        known.remove(variable);
    }
}

/// Whether a variable is a scalar that holds what a default integer does.
fn holds_default_integers(program: &Program, variable: VariableId) -> bool {
    let of = &program.variables[variable.index()];
    of.bounds.is_empty() && !of.is_opaque && matches!(of.data_type, Some(DataType::Integer(4 | 8)))
}
