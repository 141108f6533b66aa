//! From the graph of a program to a reading plan: loops become repetitions, branches that read differently
//! alternatives, jumps out of a loop exits. What does not read, and what nothing read depends on, is left out.
//!
//! Ways that only lead to a failure are no ways: what they need stands as conditions behind the READs. A graph that is
//! not made of such pieces (a jump into a loop) gives a plan that ends there.

use std::rc::Rc;

use petgraph::algo::dominators::{self, Dominators};
use petgraph::graphmap::DiGraphMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{NodeId, NodeKind, successors};
use super::conditions::{Flow, Needs};
use super::connections::Names;
use super::constants::{self, State};
use super::expression::{Expression, VariableId};
use super::files::Files;
use super::plan::*;
use super::program::Program;
use super::value::Value;

/// The most steps of a plan.
const MOST_STEPS: usize = 20_000;

/// A loop that is being followed, or nodes of which some lead past what follows the others.
#[derive(Clone, Debug)]
pub(super) struct Around {
    nodes: Rc<FxHashSet<NodeId>>,
    /// Where the ways meet that lead out of it.
    join: NodeId,
    /// The head of a loop.
    pub(super) head: Option<NodeId>,
    /// Where its exits lead, if it has some.
    pub(super) after: Option<NodeId>,
    /// Whether exits count it.
    is_level: bool,
}

/// The plan of a program.
pub fn plan(name: &str, program: &Program, flow: &Flow<'_>, needs: &Needs) -> Plan {
    let names = Names::new(program);
    let states = constants::states(program, &names);
    let files = Files::new(flow, &states, &names);
    let end = program.nodes.len();
    let (loops, is_terminal) = (loops(flow), terminal(flow));
    let structure = Structure {
        program,
        flow,
        needs,
        files: &files,
        states: &states,
        postdominators: postdominators(flow, &is_terminal, &loops, end),
        is_terminal: &is_terminal,
        loops: loops.into_iter().map(|(head, nodes)| (head, Rc::new(nodes))).collect(),
        count: 0,
        around: Vec::new(),
    };
    let mut structure = structure;
    let mut steps = structure.sequence(program.entry, None);
    super::slice::slice(&mut steps);
    let files = in_order(files.files, &mut steps);
    Plan {
        program: name.to_owned(),
        sources: program.files.clone(),
        files,
        variables: program.variables.clone(),
        steps,
        not_given: program.not_given.clone(),
    }
}

/// Files in the order in which they are read first, and those of which it is not known last.
fn in_order(files: Vec<PlanFile>, steps: &mut [Step]) -> Vec<PlanFile> {
    let mut order = Vec::new();
    each_file(steps, &mut |file, is_read| {
        if is_read && !order.contains(file) {
            order.push(*file);
        }
    });
    order.extend((0..files.len()).filter(|file| !order.contains(file)).collect::<Vec<_>>());
    each_file(steps, &mut |file, _| *file = order.iter().position(|it| it == file).unwrap_or(*file));
    order.into_iter().map(|file| files[file].clone()).collect()
}

/// Visits the files that steps mention; `true` for those that are read.
fn each_file(steps: &mut [Step], visit: &mut dyn FnMut(&mut usize, bool)) {
    for step in steps {
        match step {
            Step::Read(read) => {
                visit(&mut read.file, true);
                for caught in [&mut read.end, &mut read.error].into_iter().flatten() {
                    if let Some(steps) = caught.steps_mut() {
                        each_file(steps, visit);
                    }
                }
                each_file(&mut read.then, visit);
            }
            Step::Repeat(repeat) => each_file(&mut repeat.of, visit),
            Step::Block(steps) => each_file(steps, visit),
            Step::Either(branches) => branches.iter_mut().for_each(|branch| each_file(&mut branch.of, visit)),
            Step::Rewind(file) | Step::Back(file) | Step::Move(file) | Step::Reopen(file) => visit(file, false),
            Step::Set(..) | Step::Allocate(..) | Step::Forget(_) | Step::Exit(..) | Step::Cycle(..) | Step::Lost => {}
        }
    }
}

/// The nodes that lead to the end of the program, a failure or something that is not followed, without a READ.
fn terminal(flow: &Flow<'_>) -> Vec<bool> {
    let mut is_terminal: Vec<bool> = flow.is_end.iter().zip(&flow.is_dead).map(|(end, dead)| *end || *dead).collect();
    // What can be reached from behind is known first.
    for &node in flow.order.iter().rev() {
        let kind = &flow.program.nodes[node].kind;
        let is_read = matches!(kind, NodeKind::Read(_));
        is_terminal[node] |= !is_read && successors(kind).iter().all(|&next| is_terminal[next]);
    }
    is_terminal
}

/// Where the ways behind each node meet. A loop that is only left to where nothing is read any more ends at its head.
fn postdominators(
    flow: &Flow<'_>,
    is_terminal: &[bool],
    loops: &FxHashMap<NodeId, FxHashSet<NodeId>>,
    end: NodeId,
) -> Dominators<NodeId> {
    let mut graph: DiGraphMap<NodeId, ()> = DiGraphMap::new();
    graph.add_node(end);
    let nodes: Vec<NodeId> = flow.order.iter().copied().filter(|&node| !is_terminal[node]).collect();
    for &node in &nodes {
        let mut next = successors(&flow.program.nodes[node].kind);
        next.retain(|&next| !is_terminal[next]);
        if next.is_empty() {
            graph.add_edge(end, node, ());
        }
        for next in next {
            graph.add_edge(next, node, ());
        }
    }
    for (&head, nodes) in loops {
        let leaves = |&node: &NodeId| {
            let next = successors(&flow.program.nodes[node].kind);
            next.into_iter().any(|next| !is_terminal[next] && !nodes.contains(&next))
        };
        if !nodes.iter().any(leaves) {
            graph.add_edge(end, head, ());
        }
    }
    dominators::simple_fast(&graph, end)
}

/// The loops: the nodes of each by its head.
fn loops(flow: &Flow<'_>) -> FxHashMap<NodeId, FxHashSet<NodeId>> {
    let mut graph: DiGraphMap<NodeId, ()> = DiGraphMap::new();
    graph.add_node(flow.program.entry);
    for &node in &flow.order {
        for next in successors(&flow.program.nodes[node].kind) {
            graph.add_edge(node, next, ());
        }
    }
    let dominated = dominators::simple_fast(&graph, flow.program.entry);
    let mut back: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    for &node in &flow.order {
        for next in successors(&flow.program.nodes[node].kind) {
            if dominated.dominators(node).is_some_and(|mut above| above.any(|it| it == next)) {
                back.entry(next).or_default().push(node);
            }
        }
    }
    back.into_iter()
        .map(|(head, from)| {
            let mut nodes = flow.reaching(&from, Some(head));
            nodes.insert(head);
            (head, nodes)
        })
        .collect()
}

pub(super) struct Structure<'s, 'p> {
    pub(super) program: &'p Program,
    pub(super) flow: &'s Flow<'p>,
    pub(super) needs: &'s Needs,
    pub(super) files: &'s Files,
    pub(super) states: &'s [Option<State>],
    pub(super) is_terminal: &'s [bool],
    postdominators: Dominators<NodeId>,
    loops: FxHashMap<NodeId, Rc<FxHashSet<NodeId>>>,
    count: usize,
    pub(super) around: Vec<Around>,
}

impl Structure<'_, '_> {
    pub(super) fn is_dead(&self, node: NodeId) -> bool {
        self.flow.is_dead[node]
    }

    /// The node at which the ways behind a node meet again, if there is one in front of the end of the loop around.
    pub(super) fn join(&self, node: NodeId) -> Option<NodeId> {
        let join = self.postdominators.immediate_dominator(node).filter(|&it| it < self.program.nodes.len());
        match self.around.last() {
            // What comes behind a loop, and is never left, does not end the ways in front of it.
            Some(around) if around.head.is_none() => {
                Some(join.filter(|it| around.nodes.contains(it)).unwrap_or(around.join))
            }
            Some(around) => join.map(|join| if around.nodes.contains(&join) { join } else { around.join }),
            None => join,
        }
    }

    /// A jump: the end of the program, or to a loop that is around.
    pub(super) fn jump(&self, node: NodeId) -> Option<Step> {
        let always = Expression::logical(true);
        let mut level = 0;
        for around in self.around.iter().rev() {
            level += usize::from(around.is_level);
            if around.after == Some(node) {
                return Some(Step::Exit(always, level));
            }
            if around.head == Some(node) {
                return Some(Step::Cycle(always, level));
            }
        }
        None
    }

    /// The steps from a node up to another one.
    pub(super) fn sequence(&mut self, from: NodeId, until: Option<NodeId>) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut node = from;
        loop {
            self.count += 1;
            if Some(node) == until {
                return steps;
            }
            if self.count > MOST_STEPS || self.is_dead(node) {
                steps.push(Step::Lost);
                return steps;
            }
            if let Some(jump) = self.jump(node) {
                steps.push(jump);
                return steps;
            }
            if self.is_terminal[node] {
                let is_end = self.flow.is_end[node];
                steps.push(if is_end { Step::Exit(Expression::logical(true), 0) } else { Step::Lost });
                return steps;
            }
            if self.loops.contains_key(&node) {
                match self.repetition(node, &mut steps) {
                    Some(after) => node = after,
                    None => return steps,
                }
                continue;
            }
            match self.step(node, &mut steps) {
                Some(next) => node = next,
                None => return steps,
            }
        }
    }

    /// Adds the step of a node; gives what follows.
    fn step(&mut self, node: NodeId, steps: &mut Vec<Step>) -> Option<NodeId> {
        let program = self.program;
        match &program.nodes[node].kind {
            NodeKind::Pass(next) | NodeKind::Again(next) => return Some(*next),
            NodeKind::Assign(place, value, next) => {
                steps.push(Step::Set(place.clone(), value.clone()));
                return Some(*next);
            }
            NodeKind::Allocate(variable, bounds, next) => {
                steps.push(Step::Allocate(*variable, bounds.clone()));
                return Some(*next);
            }
            NodeKind::Forget(variables, next) => {
                steps.push(Step::Forget(variables.clone()));
                return Some(*next);
            }
            NodeKind::Branch(condition, then, otherwise) => {
                return self.branch(node, condition, *then, *otherwise, steps);
            }
            NodeKind::Do(of) => {
                // No round of it comes to its end.
                let next = self.join(node);
                let body = self.sequence(of.body, next);
                let when = Expression::Unknown;
                steps.push(Step::Either(vec![Branch { when, of: body }]));
                return next;
            }
            NodeKind::Read(read) => return self.read(node, read, steps),
            NodeKind::Open(open) => {
                steps.extend_from_slice(self.files.steps(node));
                if let Some(unit) = open.new_unit {
                    steps.push(Step::Forget(vec![unit]));
                }
                return Some(open.next);
            }
            NodeKind::Position(_, _, next) => {
                steps.extend_from_slice(self.files.steps(node));
                return Some(*next);
            }
            NodeKind::Stop | NodeKind::Return => steps.push(Step::Exit(Expression::logical(true), 0)),
            NodeKind::Fail(_) | NodeKind::Lost | NodeKind::Call(_) => steps.push(Step::Lost),
        }
        None
    }

    fn branch(
        &mut self,
        node: NodeId,
        condition: &Expression,
        then: NodeId,
        otherwise: NodeId,
        steps: &mut Vec<Step>,
    ) -> Option<NodeId> {
        if self.is_dead(then) {
            return Some(otherwise);
        }
        if self.is_dead(otherwise) || then == otherwise {
            return Some(then);
        }
        let join = self.join(node);
        let Some(merge) = self.merge(node, [then, otherwise], join) else {
            self.ways(condition, then, otherwise, join, steps);
            return join;
        };
        let mut around =
            Around { nodes: Rc::new(merge.before), join: merge.at, head: None, after: None, is_level: merge.is_passed };
        let (true, Some(join)) = (merge.is_passed, join) else {
            self.around.push(around);
            self.ways(condition, then, otherwise, Some(merge.at), steps);
            self.around.pop();
            return Some(merge.at);
        };
        // Some ways lead past what is read: that is a block, which they leave.
        around.after = Some(join);
        self.around.push(around.clone());
        let mut of = Vec::new();
        self.ways(condition, then, otherwise, Some(merge.at), &mut of);
        self.around.pop();
        self.around.push(Around { nodes: Rc::new(merge.behind), join, ..around });
        of.extend(self.sequence(merge.at, Some(join)));
        self.around.pop();
        steps.push(Step::Block(of));
        Some(join)
    }

    /// Adds the steps of the two ways behind a branch, up to where they meet.
    fn ways(
        &mut self,
        condition: &Expression,
        then: NodeId,
        otherwise: NodeId,
        join: Option<NodeId>,
        steps: &mut Vec<Step>,
    ) {
        let first = self.sequence(then, join);
        let second = self.sequence(otherwise, join);
        let negated = condition.clone().not();
        match (jumps_under(&first, condition), jumps_under(&second, &negated)) {
            // Behind a jump that is always taken the condition does not hold.
            (Some(jumps), _) if first.last().is_some_and(is_jump) => {
                steps.extend(jumps);
                steps.extend(second);
            }
            (_, Some(jumps)) if second.last().is_some_and(is_jump) => {
                steps.extend(jumps);
                steps.extend(first);
            }
            (Some(jumps), Some(others)) => steps.extend(jumps.into_iter().chain(others)),
            (Some(jumps), None) if !jumps.is_empty() || !is_chain(&second) => {
                steps.extend(jumps);
                steps.push(Step::Either(vec![Branch { when: negated, of: second }]));
            }
            (None, Some(jumps)) => {
                steps.extend(jumps);
                steps.push(Step::Either(vec![Branch { when: condition.clone(), of: first }]));
            }
            (Some(_) | None, None) => {
                let other = self.only_condition(otherwise);
                steps.push(alternatives(condition, first, other, second));
            }
        }
    }

    /// The condition without which the ways from a node fail.
    fn only_condition(&self, mut node: NodeId) -> Expression {
        while let NodeKind::Pass(next) = &self.program.nodes[node].kind {
            node = *next;
        }
        match &self.program.nodes[node].kind {
            NodeKind::Branch(condition, _, otherwise) if self.is_dead(*otherwise) => condition.clone(),
            _ => Expression::logical(true),
        }
    }

    /// Adds the repetition that begins at a node; gives what follows.
    fn repetition(&mut self, head: NodeId, steps: &mut Vec<Step>) -> Option<NodeId> {
        let nodes = self.loops[&head].clone();
        let after = match &self.program.nodes[head].kind {
            NodeKind::Do(of) if !self.is_dead(of.after) => Some(of.after),
            _ => {
                let mut after = self.postdominators.immediate_dominator(head);
                while after.is_some_and(|it| nodes.contains(&it)) {
                    after = after.and_then(|it| self.postdominators.immediate_dominator(it));
                }
                let after = after.filter(|&it| it < self.program.nodes.len());
                match self.around.last() {
                    // It is left to where what is around goes on.
                    Some(around) if around.head.is_none() => {
                        Some(after.filter(|it| around.nodes.contains(it)).unwrap_or(around.join))
                    }
                    _ => after,
                }
            }
        };
        let mut changed: Vec<VariableId> = self.flow.changed(&nodes).into_iter().collect();
        changed.sort_unstable();
        if !self.flow.has_reads(&nodes) {
            steps.push(Step::Forget(changed));
            return after;
        }
        let around = Around { nodes: Rc::clone(&nodes), join: head, head: Some(head), after, is_level: true };
        self.around.push(around);
        let repeat = match &self.program.nodes[head].kind {
            NodeKind::Do(of) => {
                let body = self.sequence(of.body, Some(head));
                let count = of.step.map(|step| Count {
                    variable: of.variable,
                    lower: self.known(head, &of.lower),
                    upper: self.known(head, &of.upper),
                    step,
                });
                if count.is_none() { Step::Lost } else { Step::Repeat(Repeat { count, of: body }) }
            }
            _ => {
                let mut of = Vec::new();
                if let Some(next) = self.step(head, &mut of) {
                    of.extend(self.sequence(next, Some(head)));
                }
                Step::Repeat(Repeat { count: None, of })
            }
        };
        self.around.pop();
        let is_silent = matches!(&repeat, Step::Repeat(repeat) if repeat.count.is_some() && is_silent(&repeat.of));
        steps.push(if is_silent { Step::Forget(changed) } else { repeat });
        after
    }

    /// An expression, as the number that it always is in front of a node if it is one.
    fn known(&self, node: NodeId, of: &Expression) -> Expression {
        let value = self.states[node].as_ref().and_then(|state| constants::value(self.program, of, &state.values));
        match value {
            Some(value @ Value::Integer(_)) => Expression::Constant(value),
            _ => of.clone(),
        }
    }
}

/// Whether nothing follows a step.
pub(super) fn is_jump(step: &Step) -> bool {
    match step {
        Step::Exit(when, _) | Step::Cycle(when, _) => when.is_logical(true),
        Step::Lost => true,
        _ => false,
    }
}

/// Whether steps are one list of branches.
fn is_chain(steps: &[Step]) -> bool {
    matches!(steps, [Step::Either(_)])
}

/// Two ways of which neither is nothing but jumps.
fn alternatives(condition: &Expression, first: Vec<Step>, other: Expression, second: Vec<Step>) -> Step {
    let mut branches = vec![Branch { when: condition.clone(), of: first }];
    match second.as_slice() {
        // A chain of conditions is one list of branches.
        [Step::Either(more)] => branches.extend(more.iter().cloned()),
        _ => branches.push(Branch { when: other, of: second }),
    }
    Step::Either(branches)
}

/// Jumps under a condition, where steps are nothing else.
fn jumps_under(steps: &[Step], condition: &Expression) -> Option<Vec<Step>> {
    let under = |step: &Step| match step {
        Step::Exit(when, level) => Some(Step::Exit(condition.clone().and(when.clone()), *level)),
        Step::Cycle(when, level) => Some(Step::Cycle(condition.clone().and(when.clone()), *level)),
        _ => None,
    };
    steps.iter().map(under).collect()
}

/// Whether steps do nothing but change variables.
fn is_silent(steps: &[Step]) -> bool {
    steps.iter().all(|step| match step {
        Step::Set(..) | Step::Allocate(..) | Step::Forget(_) => true,
        Step::Either(branches) => branches.iter().all(|branch| is_silent(&branch.of)),
        Step::Repeat(repeat) => is_silent(&repeat.of),
        Step::Block(of) => is_silent(of),
        Step::Read(_)
        | Step::Exit(..)
        | Step::Cycle(..)
        | Step::Rewind(_)
        | Step::Back(_)
        | Step::Move(_)
        | Step::Reopen(_)
        | Step::Lost => false,
    })
}
