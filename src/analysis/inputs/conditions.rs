//! What must be true behind a READ so that a failing statement is not reached: weakest preconditions, backward over the
//! graph of a program, with the READs as the places to stop at.
//!
//! Each failing place is looked at by itself, and the others count as if what they need were given: of two tests in a
//! row the second needs no mention of the first. A condition goes up past a READ that gives a value to nothing in it
//! and whose failure is a failure of the program; else it stays there. Around a loop that reads, conditions go a fixed
//! number of times; what is left out makes a condition weaker, so what it finds broken is. A loop that does not read
//! gives a condition for every value of its variable, or for the first round only if it may be left. Only the ways from
//! a READ to the failing place are followed.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{DoLoop, NodeId, NodeKind, Read, Site, successors};
use super::expression::{Expression, Operator, VariableId};
use super::program::Program;
use super::reads;
use super::simplify::simplified;
use super::types;

/// How often conditions go around loops.
const PASSES: usize = 3;
/// A condition with more nodes is left out.
const LARGEST: usize = 200;

/// A condition behind a READ, and what fails when it does not hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Need {
    /// The condition.
    pub condition: Expression,
    /// What fails.
    pub site: Site,
    /// What that says.
    pub message: String,
    /// Whether what is not known was left out: it may hold all the same.
    pub is_approximate: bool,
}

/// The conditions behind each READ.
pub type Needs = FxHashMap<NodeId, Vec<Need>>;

/// A program with what its conditions depend on.
pub struct Flow<'p> {
    /// The program.
    pub program: &'p Program,
    /// The nodes that can be reached, each behind those that it is reached from where there is no loop.
    pub order: Vec<NodeId>,
    /// The nodes from which all ways lead to a failure, without a READ.
    pub is_dead: Vec<bool>,
    /// The nodes from which nothing is read any more.
    pub is_end: Vec<bool>,
    predecessors: Vec<Vec<NodeId>>,
    /// The DO loops by their heads.
    loops: FxHashMap<NodeId, Rounds>,
}

/// The rounds of a DO loop.
struct Rounds {
    /// Whether the nodes that lead to the next one read, or move a file.
    reads: bool,
    /// The variables that they may change.
    changed: FxHashSet<VariableId>,
    /// Whether the loop may be left from them, but for a failure.
    may_be_left: bool,
}

impl<'p> Flow<'p> {
    /// The flow of a program.
    pub fn new(program: &'p Program) -> Self {
        let order = program.order();
        let mut predecessors = vec![Vec::new(); program.nodes.len()];
        for &node in &order {
            for next in successors(&program.nodes[node].kind) {
                predecessors[next].push(node);
            }
        }
        let mut is_dead = vec![false; program.nodes.len()];
        let mut pending: Vec<NodeId> =
            order.iter().copied().filter(|&it| matches!(program.nodes[it].kind, NodeKind::Fail(_))).collect();
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut is_dead[node], true) {
                continue;
            }
            for &before in &predecessors[node] {
                let kind = &program.nodes[before].kind;
                let is_read = matches!(kind, NodeKind::Read(_));
                if !is_read && successors(kind).iter().all(|&next| is_dead[next]) {
                    pending.push(before);
                }
            }
        }
        let is_end = vec![false; program.nodes.len()];
        let mut flow = Flow { program, order, is_dead, is_end, predecessors, loops: FxHashMap::default() };
        flow.find_ends();
        let is_loop = |node: &&NodeId| matches!(program.nodes[**node].kind, NodeKind::Do(_));
        flow.loops = flow.order.iter().filter(is_loop).map(|&head| (head, flow.rounds(head))).collect();
        flow
    }

    fn find_ends(&mut self) {
        let nodes = &self.program.nodes;
        let reads = |node: &&NodeId| matches!(nodes[**node].kind, NodeKind::Read(_) | NodeKind::Lost);
        let targets: Vec<NodeId> = self.order.iter().filter(reads).copied().collect();
        let before = self.reaching(&targets, None);
        for &node in &self.order {
            self.is_end[node] = !before.contains(&node);
        }
    }

    /// The nodes from which some can be reached, without passing one.
    pub fn reaching(&self, targets: &[NodeId], without: Option<NodeId>) -> FxHashSet<NodeId> {
        let mut found = FxHashSet::default();
        let mut pending = targets.to_vec();
        while let Some(node) = pending.pop() {
            if Some(node) != without && found.insert(node) {
                pending.extend(&self.predecessors[node]);
            }
        }
        found
    }

    /// The rounds of a DO loop.
    fn rounds(&self, head: NodeId) -> Rounds {
        let is_again = |&&node: &&NodeId| self.program.nodes[node].kind == NodeKind::Again(head);
        let again: Vec<NodeId> = self.predecessors[head].iter().filter(is_again).copied().collect();
        let nodes = self.reaching(&again, Some(head));
        let leaves = |node: &NodeId| {
            let next = successors(&self.program.nodes[*node].kind);
            next.iter().any(|next| *next != head && !nodes.contains(next) && !self.is_dead[*next])
        };
        let may_be_left = nodes.iter().any(leaves);
        Rounds { reads: self.has_reads(&nodes), changed: self.changed(&nodes), may_be_left }
    }

    /// The variables that nodes may change.
    pub fn changed(&self, nodes: &FxHashSet<NodeId>) -> FxHashSet<VariableId> {
        nodes.iter().flat_map(|&node| reads::changed(&self.program.nodes[node].kind)).collect()
    }

    /// Whether one of the nodes reads, or moves a file.
    pub fn has_reads(&self, nodes: &FxHashSet<NodeId>) -> bool {
        nodes.iter().any(|&node| {
            matches!(
                self.program.nodes[node].kind,
                NodeKind::Read(_) | NodeKind::Open(_) | NodeKind::Position(..) | NodeKind::Lost
            )
        })
    }

    /// The failing places, each with its nodes; one that says several things is several.
    fn failures(&self) -> Vec<(Site, Vec<NodeId>)> {
        let mut found: Vec<(Site, Vec<NodeId>)> = Vec::new();
        let mut known: FxHashMap<(Site, &str), usize> = FxHashMap::default();
        for &node in &self.order {
            let NodeKind::Fail(message) = &self.program.nodes[node].kind else { continue };
            let site = self.program.nodes[node].site;
            let at = *known.entry((site, message)).or_insert_with(|| {
                found.push((site, Vec::new()));
                found.len() - 1
            });
            found[at].1.push(node);
        }
        found
    }

    /// The nodes that can be reached from a READ, READs included.
    fn behind_reads(&self) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.program.nodes.len());
        let is_read = |node: &NodeId| matches!(self.program.nodes[*node].kind, NodeKind::Read(_));
        let mut pending: Vec<NodeId> = self.order.iter().copied().filter(is_read).collect();
        while let Some(node) = pending.pop() {
            if !found.put(node) {
                pending.extend(successors(&self.program.nodes[node].kind));
            }
        }
        found
    }

    /// The conditions behind all READs; `approximate`: also those of which a part is not known.
    pub fn needs(&self, approximate: bool) -> Needs {
        let mut needs = Needs::default();
        let behind_reads = self.behind_reads();
        for (site, nodes) in self.failures() {
            if !nodes.iter().any(|&node| behind_reads.contains(node)) {
                continue;
            }
            let message = match &self.program.nodes[nodes[0]].kind {
                NodeKind::Fail(message) => message.clone(),
                _ => String::new(),
            };
            let mut backward = Backward::new(self, &nodes, &behind_reads);
            for _ in 0..PASSES {
                if !backward.pass() {
                    break;
                }
            }
            for (read, conditions) in backward.kept {
                let of_read = needs.entry(read).or_default();
                for condition in conditions {
                    let is_approximate = !can_be(&condition, false);
                    let condition = if is_approximate { known_part(&condition) } else { Some(condition) };
                    let condition = condition.filter(|it| !is_approximate || approximate && can_be(it, false));
                    let condition = condition.map(|it| simplified(&it, &self.program.variables));
                    let Some(condition) = condition.filter(|it| !it.is_logical(true)) else { continue };
                    let need = Need { condition, site, message: message.clone(), is_approximate };
                    if !of_read.contains(&need) {
                        of_read.push(need);
                    }
                }
            }
        }
        for of_read in needs.values_mut() {
            // The simplest first: a value that breaks one is not known for the others.
            of_read.sort_by_key(|need| (need.is_approximate, variable_count(&need.condition), need.site));
        }
        needs
    }
}

/// The conditions for one failing place.
struct Backward<'f, 'p> {
    flow: &'f Flow<'p>,
    targets: &'f [NodeId],
    /// The nodes between READs and the place, the last one first.
    relevant: Vec<NodeId>,
    is_relevant: FixedBitSet,
    conditions: FxHashMap<NodeId, Rc<Expression>>,
    /// Whether a condition was asked for before it was known.
    lacks_any: Cell<bool>,
    /// What stays behind READs.
    kept: BTreeMap<NodeId, Vec<Expression>>,
    /// The condition of what is not looked at.
    nothing: Rc<Expression>,
}

impl<'f, 'p> Backward<'f, 'p> {
    fn new(flow: &'f Flow<'p>, targets: &'f [NodeId], behind_reads: &FixedBitSet) -> Self {
        let mut is_relevant = FixedBitSet::with_capacity(flow.program.nodes.len());
        let mut pending: Vec<NodeId> = targets.to_vec();
        while let Some(node) = pending.pop() {
            if behind_reads.contains(node) && !is_relevant.put(node) {
                pending.extend(&flow.predecessors[node]);
            }
        }
        let relevant = flow.order.iter().rev().copied().filter(|&node| is_relevant.contains(node)).collect();
        Backward {
            flow,
            targets,
            relevant,
            is_relevant,
            conditions: FxHashMap::default(),
            lacks_any: Cell::new(false),
            kept: BTreeMap::new(),
            nothing: Rc::new(Expression::logical(true)),
        }
    }

    /// Finds the conditions in front of all nodes; whether doing so once more may give others.
    fn pass(&mut self) -> bool {
        self.kept.clear();
        self.lacks_any.set(false);
        let mut has_changed = false;
        for index in 0..self.relevant.len() {
            let node = self.relevant[index];
            let condition = self.before(node);
            let condition = if condition.size() > LARGEST { Rc::clone(&self.nothing) } else { condition };
            let is_other = self.conditions.get(&node).is_some_and(|before| *before != condition);
            has_changed |= is_other;
            self.conditions.insert(node, condition);
        }
        has_changed || self.lacks_any.get()
    }

    /// The condition in front of a node, as far as it is known.
    fn at(&self, node: NodeId) -> Rc<Expression> {
        if let Some(known) = self.conditions.get(&node) {
            return Rc::clone(known);
        }
        if self.is_relevant.contains(node) {
            self.lacks_any.set(true);
        }
        Rc::clone(&self.nothing)
    }

    /// The condition in front of a node, with nothing known of some variables.
    fn without(&self, node: NodeId, is_one: &impl Fn(VariableId) -> bool) -> Rc<Expression> {
        let condition = self.at(node);
        if condition.mentions(is_one) { Rc::new(condition.without(is_one)) } else { condition }
    }

    fn before(&mut self, node: NodeId) -> Rc<Expression> {
        let program = self.flow.program;
        match &program.nodes[node].kind {
            NodeKind::Pass(next) | NodeKind::Position(_, _, next) => self.at(*next),
            NodeKind::Again(head) => Rc::new(self.next_round(*head)),
            NodeKind::Assign(place, value, next) => self.assigned(place, value, *next),
            NodeKind::Allocate(variable, _, next) => self.without(*next, &|it| it == *variable),
            NodeKind::Forget(variables, next) => self.without(*next, &|it| variables.contains(&it)),
            NodeKind::Open(open) => self.without(open.next, &|it| Some(it) == open.new_unit),
            NodeKind::Branch(condition, then, otherwise) => self.branch(condition, *then, *otherwise),
            NodeKind::Do(of) => Rc::new(self.loop_of(node, of)),
            NodeKind::Read(read) => Rc::new(self.read(node, read)),
            NodeKind::Fail(_) if self.targets.contains(&node) => Rc::new(Expression::logical(false)),
            NodeKind::Fail(_) | NodeKind::Stop | NodeKind::Return | NodeKind::Lost | NodeKind::Call(_) => {
                Rc::clone(&self.nothing)
            }
        }
    }

    fn assigned(&self, place: &Expression, value: &Expression, next: NodeId) -> Rc<Expression> {
        let after = self.at(next);
        let variables = &self.flow.program.variables;
        let Some(variable) = reads::variable_of(place) else { return after };
        if !after.mentions(&|it| it == variable) {
            return after;
        }
        let of = &variables[variable.index()];
        let value = match value {
            _ if of.is_opaque => Expression::Unknown,
            value => types::converted(value, of.data_type, variables),
        };
        Rc::new(match place {
            Expression::Variable(_) if of.bounds.is_empty() => after.with(variable, &value),
            Expression::Element(_, indices) => after.replaced(&|part| match part {
                Expression::Element(it, others) if *it == variable => {
                    let is_constant = |it: &Expression| matches!(it, Expression::Constant(_));
                    if others == indices {
                        Some(value.clone())
                    } else if others.iter().chain(indices).all(is_constant) {
                        Some(part.clone())
                    } else {
                        Some(Expression::Unknown)
                    }
                }
                Expression::Variable(it) | Expression::Section(it, _) if *it == variable => Some(Expression::Unknown),
                _ => None,
            }),
            _ => after.without(&|it| it == variable),
        })
    }

    fn branch(&self, condition: &Expression, then: NodeId, otherwise: NodeId) -> Rc<Expression> {
        let (first, second) = (self.at(then), self.at(otherwise));
        if Rc::ptr_eq(&first, &second) || first == second {
            return first;
        }
        // What is behind a failure of another place is never reached, and needs no guard on the way past it.
        let first = match self.flow.is_dead[otherwise] {
            true if second.is_logical(true) => return first,
            true => first.as_ref().clone(),
            false => guarded(|| condition.clone().not(), &first),
        };
        let second = match self.flow.is_dead[then] {
            true => second.as_ref().clone(),
            false => guarded(|| condition.clone(), &second),
        };
        Rc::new(first.and(second))
    }

    /// In front of a loop.
    fn loop_of(&self, head: NodeId, of: &DoLoop) -> Expression {
        let is_own = |it: VariableId| it == of.variable;
        if of.lower.mentions(&is_own) || of.upper.mentions(&is_own) {
            return Expression::logical(true);
        }
        let Some(rounds) = self.flow.loops.get(&head) else { return Expression::logical(true) };
        let Some(step) = of.step else { return Expression::logical(true) };
        let compare = if step > 0 { Operator::LessEqual } else { Operator::GreaterEqual };
        let runs = || Expression::binary(compare, of.lower.clone(), of.upper.clone());
        let (body, after) = (self.at(of.body), self.at(of.after));
        if rounds.reads {
            let first = body.with(of.variable, &of.lower);
            return guarded(|| runs().not(), &first).and(guarded(runs, &after.with(of.variable, &of.lower)));
        }
        let is_changed = |it: VariableId| rounds.changed.contains(&it);
        let after = if rounds.may_be_left {
            Expression::logical(true)
        } else {
            after.without(&|it| is_changed(it) || it == of.variable)
        };
        let body = body.without(&|it| is_changed(it) && it != of.variable);
        let body = if rounds.may_be_left || is_changed(of.variable) || !body.mentions(&is_own) {
            guarded(|| runs().not(), &body.with(of.variable, &of.lower))
        } else {
            every(of, step, body)
        };
        body.and(after)
    }

    /// At the end of a round of a loop that reads.
    fn next_round(&self, head: NodeId) -> Expression {
        let NodeKind::Do(of) = &self.flow.program.nodes[head].kind else { return Expression::logical(true) };
        let rounds = self.flow.loops.get(&head).filter(|rounds| rounds.reads);
        let (Some(Rounds { changed, .. }), Some(step)) = (rounds, of.step) else { return Expression::logical(true) };
        let is_fixed = !of.upper.mentions(&|it| changed.contains(&it) || it == of.variable);
        if !is_fixed || changed.contains(&of.variable) {
            return Expression::logical(true);
        }
        let next = Expression::binary(Operator::Add, Expression::Variable(of.variable), Expression::integer(step));
        let compare = if step > 0 { Operator::LessEqual } else { Operator::GreaterEqual };
        let runs = || Expression::binary(compare, next.clone(), of.upper.clone());
        let (body, after) = (self.at(of.body).with(of.variable, &next), self.at(of.after).with(of.variable, &next));
        guarded(|| runs().not(), &body).and(guarded(runs, &after))
    }

    /// In front of a READ: what it gives no value to, if it can't go on without having read.
    fn read(&mut self, node: NodeId, read: &Read) -> Expression {
        let defined = reads::defined(read);
        let is_caught = read.end.is_some() || read.error.is_some();
        let mut passed = Expression::logical(true);
        for condition in self.at(read.next).as_ref().clone().conjuncts() {
            if !is_caught && !condition.mentions(&|it| defined.contains(&it)) {
                passed = passed.and(condition);
            } else {
                self.kept.entry(node).or_default().push(condition);
            }
        }
        passed
    }
}

/// How many variables a condition mentions.
fn variable_count(condition: &Expression) -> usize {
    let mut found = FxHashSet::default();
    condition.variables(&mut |variable| {
        found.insert(variable);
    });
    found.len()
}

/// A condition unless a guard holds, conjunct by conjunct.
fn guarded(guard: impl FnOnce() -> Expression, condition: &Expression) -> Expression {
    if condition.is_logical(true) {
        return condition.clone();
    }
    let guard = guard();
    if guard.is_logical(true) {
        return guard;
    }
    let parts = condition.clone().conjuncts().into_iter();
    parts.fold(Expression::logical(true), |all, part| all.and(guard.clone().or(part)))
}

/// A condition for every value of the variable of a loop, conjunct by conjunct.
fn every(of: &DoLoop, step: i64, condition: Expression) -> Expression {
    let parts = condition.conjuncts().into_iter();
    parts.fold(Expression::logical(true), |all, condition| {
        all.and(Expression::All {
            variable: of.variable,
            lower: Box::new(of.lower.clone()),
            upper: Box::new(of.upper.clone()),
            step,
            condition: Box::new(condition),
        })
    })
}

/// A condition without the alternatives and conjuncts of which nothing is known; `None` if nothing is left.
fn known_part(condition: &Expression) -> Option<Expression> {
    match condition {
        Expression::Or(parts) => parts.iter().filter_map(known_part).reduce(Expression::or),
        Expression::And(parts) => parts.iter().filter_map(known_part).reduce(Expression::and),
        Expression::All { variable, lower, upper, step, condition } => Some(Expression::All {
            variable: *variable,
            lower: lower.clone(),
            upper: upper.clone(),
            step: *step,
            condition: Box::new(known_part(condition)?),
        }),
        other => (!other.has_unknown()).then(|| other.clone()),
    }
}

/// Whether a condition can be known to be true, or false, for some values.
fn can_be(condition: &Expression, truth: bool) -> bool {
    match condition {
        Expression::Constant(super::value::Value::Logical(value)) => *value == truth,
        Expression::And(parts) if truth => parts.iter().all(|part| can_be(part, truth)),
        Expression::And(parts) => parts.iter().any(|part| can_be(part, truth)),
        Expression::Or(parts) if truth => parts.iter().any(|part| can_be(part, truth)),
        Expression::Or(parts) => parts.iter().all(|part| can_be(part, truth)),
        Expression::Not(of) => can_be(of, !truth),
        Expression::All { condition, .. } => can_be(condition, truth),
        other => !other.has_unknown(),
    }
}
