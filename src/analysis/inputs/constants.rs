//! Which units and files READ statements mean, and what IOSTAT decides: constants that flow through the graph.

use rustc_hash::FxHashMap;

use super::cells::Cells;
use super::code::{NodeId, NodeKind};
use super::evaluate::Evaluator;
use super::expression::{Expression, Variable, VariableId};
use super::lower::successors;
use super::program::Program;
use super::value::Value;

/// The values of scalars that are the same on every way.
type Known = FxHashMap<VariableId, Value>;

/// How many nodes are copied behind a READ to see what its IOSTAT decides.
const MOST_COPIED: usize = 12;
/// How often a node is looked at.
const MOST_VISITS: usize = 60;

/// The first unit that NEWUNIT gives.
const FIRST_NEW_UNIT: i128 = -10;

/// The unit that NEWUNIT gives in an OPEN statement.
pub fn new_unit(open: NodeId) -> i128 {
    FIRST_NEW_UNIT - open as i128
}

/// What is constant in front of each node. `interesting`: the variables that are followed.
pub fn constants(program: &Program) -> Vec<Option<Known>> {
    let interesting = interesting(program);
    let mut before: Vec<Option<Known>> = vec![None; program.nodes.len()];
    let mut visits = vec![0; program.nodes.len()];
    before[program.entry] = Some(Known::default());
    let mut pending = vec![program.entry];
    while let Some(node) = pending.pop() {
        visits[node] += 1;
        if visits[node] > MOST_VISITS {
            continue;
        }
        let known = before[node].clone().unwrap_or_default();
        for (next, known) in behind(program, node, known, &interesting) {
            let merged = match &before[next] {
                None => known,
                Some(there) => there
                    .iter()
                    .filter(|(key, it)| known.get(key) == Some(it))
                    .map(|(key, it)| (*key, it.clone()))
                    .collect(),
            };
            if before[next].as_ref() != Some(&merged) {
                before[next] = Some(merged);
                pending.push(next);
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

/// What is known in front of the nodes behind a node.
fn behind(program: &Program, node: NodeId, mut known: Known, interesting: &[bool]) -> Vec<(NodeId, Known)> {
    let forget = |known: &mut Known, variable: VariableId| {
        known.remove(&variable);
    };
    match &program.nodes[node].kind {
        NodeKind::Assign(Expression::Variable(target), value_of, _) => {
            let is_followed = interesting[target.index()] && !program.variables[target.index()].is_opaque;
            let value = is_followed.then(|| value(program, value_of, &known)).flatten();
            forget(&mut known, *target);
            if let Some(value) = value {
                known.insert(*target, value);
            }
        }
        NodeKind::Forget(variables, _) => variables.iter().for_each(|it| forget(&mut known, *it)),
        NodeKind::Do(of) => forget(&mut known, of.variable),
        NodeKind::Read(read) => {
            for variable in super::reads::defined(read) {
                forget(&mut known, variable);
            }
        }
        NodeKind::Open(open) => {
            if let Some(unit) = open.new_unit {
                known.insert(unit, Value::Integer(new_unit(node)));
            }
        }
        _ => {}
    }
    successors(&program.nodes[node].kind).into_iter().map(|next| (next, known.clone())).collect()
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

/// Where a way leads on which a variable has a value, if it decides a branch; nodes in between are copied.
fn threaded(program: &mut Program, from: NodeId, variable: VariableId, value: &Value) -> Option<NodeId> {
    let known: Known = std::iter::once((variable, value.clone())).collect();
    let mut between = Vec::new();
    let mut node = from;
    let mut target = None;
    for _ in 0..2 * MOST_COPIED {
        match &program.nodes[node].kind {
            NodeKind::Pass(next) => node = *next,
            NodeKind::Branch(condition, then, otherwise) => {
                match self::value(program, condition, &known) {
                    Some(Value::Logical(is_true)) => node = if is_true { *then } else { *otherwise },
                    _ => break,
                }
                target = Some((node, between.len()));
            }
            NodeKind::Assign(place, _, next) => {
                if *place == Expression::Variable(variable) || between.len() >= MOST_COPIED {
                    break;
                }
                between.push(node);
                node = *next;
            }
            NodeKind::Forget(variables, next) => {
                if variables.contains(&variable) || between.len() >= MOST_COPIED {
                    break;
                }
                between.push(node);
                node = *next;
            }
            _ => break,
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
