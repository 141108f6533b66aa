//! A main program with the procedures that it calls put in their places: one graph, one table of variables.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Argument, Call, CallKind, CodeVariable, FileCode, Node, NodeId, NodeKind, Owner, Procedure};
use super::code::{GroupVariable, Presence, ReadForm, Site, successors};
use super::expression::{Expression, Variable, VariableId};
use super::reads::variable_of;
use super::renaming::{is_alike, renamed, renamed_item};
use super::targets::{Deeds, Target};

/// The most nodes of a program; what would be more is not followed.
const MOST_NODES: usize = 20_000;
/// Through how many calls procedures are followed.
const DEEPEST: usize = 24;

/// A statement of the program.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramNode {
    /// Where it stands; of a failure in a procedure that reads nothing, where it is called.
    pub site: Site,
    /// What it does. No calls are left.
    pub kind: NodeKind,
}

/// A main program with all that it calls.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The source files.
    pub files: Vec<String>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The graph.
    pub nodes: Vec<ProgramNode>,
    /// Where it begins.
    pub entry: NodeId,
    /// The procedures that it calls and that are not among the files.
    pub not_given: Vec<String>,
}

/// Gives the code of the file of a procedure that is called; of several, where it is not known which one is meant.
pub type Files<'f> = dyn Fn(&Call) -> Vec<Arc<FileCode>> + 'f;

/// Puts the procedures that a main program calls in their places.
pub fn assemble(main: &Procedure, files: &Files<'_>) -> Program {
    let mut assembly = Assembly {
        files,
        program: Program::default(),
        known: FxHashMap::default(),
        shared: Vec::new(),
        under_way: Vec::new(),
        reading: FxHashMap::default(),
        deeds: FxHashMap::default(),
        passed: Vec::new(),
        indirect: Vec::new(),
        unknown_calls: Vec::new(),
        initial: Vec::new(),
        layouts: FxHashMap::default(),
        in_blocks: Vec::new(),
    };
    let stop = assembly.add(Site { file: 0, line: 0 }, NodeKind::Stop);
    let entry = assembly.procedure(main, &[], &[], stop, None);
    assembly.call_passed();
    assembly.program.entry = assembly.begin(entry);
    assembly.unshare_blocks();
    for node in std::mem::take(&mut assembly.unknown_calls) {
        let shared = assembly.shared.clone();
        if let NodeKind::Forget(variables, _) = &mut assembly.program.nodes[node].kind {
            variables.extend(shared.iter().copied().filter(|it| !variables.contains(it)).collect::<Vec<_>>());
        }
    }
    assembly.forget_components();
    assembly.program
}

/// What a dummy argument stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A variable of the caller: what its key begins with.
    Alias(String),
    /// A variable of its own.
    Own,
}

/// Why a failure counts as one of the call: the call's place, and the text that it is given.
#[derive(Clone, Debug)]
struct Outer {
    site: Site,
    message: String,
}

/// A procedure whose nodes are put into the program.
#[derive(Clone, Copy)]
struct Frame<'a> {
    of: &'a Procedure,
    /// Its variables in the program.
    mapped: &'a [VariableId],
    bindings: &'a [Binding],
    /// Which of its dummy arguments are present, where that is known.
    presence: &'a [Option<bool>],
    /// Where its nodes begin.
    first: NodeId,
    /// What follows it.
    after: NodeId,
    outer: Option<&'a Outer>,
}

impl Frame<'_> {
    /// A condition in which it is known which arguments are present.
    fn decided(&self, condition: &Expression) -> Expression {
        condition.replaced(&|part| match part {
            Expression::Call(name, arguments) if name == "present" => Some(match arguments.as_slice() {
                [Expression::Variable(variable)] => match self.of.variables.get(variable.index()).map(|it| &it.owner) {
                    Some(Owner::Dummy(position)) => match self.presence.get(*position) {
                        Some(Some(is_present)) => Expression::logical(*is_present),
                        _ => Expression::Unknown,
                    },
                    _ => Expression::Unknown,
                },
                _ => Expression::Unknown,
            }),
            _ => None,
        })
    }

    /// Whether a dummy argument is present in a procedure that it calls.
    fn presence_of(&self, call: &Call, position: usize) -> Option<bool> {
        match call.presence.0.get(position).unwrap_or(&call.presence.1) {
            Presence::Given => Some(true),
            Presence::Absent => Some(false),
            Presence::As(position) => self.presence.get(*position).copied().flatten(),
            Presence::Unknown => None,
        }
    }
}

/// A statement that calls something that is not followed.
#[derive(Clone, Debug)]
pub(super) struct Unfollowed {
    pub(super) site: Site,
    /// What it may change by its arguments.
    pub(super) changes: Vec<VariableId>,
    pub(super) next: NodeId,
}

pub(super) struct Assembly<'f> {
    pub(super) files: &'f Files<'f>,
    pub(super) program: Program,
    pub(super) known: FxHashMap<String, VariableId>,
    shared: Vec<VariableId>,
    under_way: Vec<String>,
    /// Whether procedures read, by file and key.
    reading: FxHashMap<String, bool>,
    /// What procedures may do that are not followed, by file and key.
    pub(super) deeds: FxHashMap<String, Rc<Deeds>>,
    /// The procedures that are named, so that others may call them.
    pub(super) passed: Vec<Target>,
    /// The calls of one of these.
    pub(super) indirect: Vec<(NodeId, Unfollowed)>,
    pub(super) unknown_calls: Vec<NodeId>,
    /// The values that variables have when the program begins.
    initial: Vec<(VariableId, Expression)>,
    /// The layouts of COMMON blocks by name, and the variables in them.
    pub(super) layouts: FxHashMap<String, FxHashSet<String>>,
    in_blocks: Vec<(String, VariableId)>,
}

impl Assembly<'_> {
    /// In front of the first statement variables have their initial values.
    fn begin(&mut self, entry: NodeId) -> NodeId {
        let site = self.program.nodes[entry].site;
        let mut entry = entry;
        for (variable, value) in std::mem::take(&mut self.initial) {
            entry = self.add(site, NodeKind::Assign(Expression::Variable(variable), value, entry));
        }
        entry
    }

    /// Nothing is known of what is in a COMMON block that units lay out in several ways.
    fn unshare_blocks(&mut self) {
        for (block, variable) in &self.in_blocks {
            if self.layouts.get(block).is_some_and(|layouts| layouts.len() > 1) {
                self.program.variables[variable.index()].is_opaque = true;
            }
        }
    }

    pub(super) fn add(&mut self, site: Site, kind: NodeKind) -> NodeId {
        self.program.nodes.push(ProgramNode { site, kind });
        self.program.nodes.len() - 1
    }

    pub(super) fn file(&mut self, path: &str) -> u32 {
        let known = self.program.files.iter().position(|file| file == path);
        let index = known.unwrap_or_else(|| {
            self.program.files.push(path.to_owned());
            self.program.files.len() - 1
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    /// The place in the program of one in a procedure's file, or one that it includes.
    fn site(&mut self, of: &Procedure, site: Site) -> Site {
        let path = usize::try_from(site.file).ok().filter(|&file| file > 0).and_then(|file| of.paths.get(file));
        Site { file: self.file(path.unwrap_or(&of.path)), ..site }
    }

    /// The beginning of the key of a variable.
    fn key(path: &str, procedure: &str, owner: &Owner, bindings: &[Binding]) -> String {
        match owner {
            Owner::Unit(scope) => format!("{path}#{scope}#"),
            Owner::Module(module) => format!("{module}::"),
            Owner::Common(block) => format!("/{block}/"),
            Owner::Dummy(position) => match bindings.get(*position) {
                Some(Binding::Alias(key)) => key.clone(),
                Some(Binding::Own) | None => format!("{path}#{procedure}#{position}"),
            },
        }
    }

    /// The variable of the program that one of a procedure is.
    pub(super) fn variable(&mut self, procedure: &Procedure, of: &CodeVariable, bindings: &[Binding]) -> VariableId {
        let key = format!("{}{}", Self::key(&procedure.path, &procedure.key, &of.owner, bindings), of.path);
        if let Some(&known) = self.known.get(&key) {
            if let Some(value) = &of.initial
                && self.initial.iter().all(|(there, _)| *there != known)
            {
                self.initial.push((known, value.clone()));
            }
            let there = &mut self.program.variables[known.index()];
            // Where an array is seen with other bounds its elements are not the same.
            if !is_alike(there, &of.variable) {
                there.is_opaque = true;
            }
            return known;
        }
        let id = VariableId(u32::try_from(self.program.variables.len()).unwrap_or(u32::MAX));
        self.program.variables.push(of.variable.clone());
        if of.is_shared && !matches!(of.owner, Owner::Dummy(_)) {
            self.shared.push(id);
        }
        self.known.insert(key, id);
        self.initial.extend(of.initial.clone().map(|value| (id, value)));
        if let Owner::Common(block) = &of.owner {
            self.in_blocks.push((block.clone(), id));
        }
        id
    }

    /// Adds the graph of a procedure; gives where it begins.
    /// `presence`: of its dummy arguments, where it is known.
    fn procedure(
        &mut self,
        of: &Procedure,
        bindings: &[Binding],
        presence: &[Option<bool>],
        after: NodeId,
        outer: Option<&Outer>,
    ) -> NodeId {
        self.file(&of.path);
        for (block, layout) in &of.blocks {
            self.layouts.entry(block.clone()).or_default().insert(layout.clone());
        }
        let mapped: Vec<VariableId> = of.variables.iter().map(|it| self.variable(of, it, bindings)).collect();
        let first = self.program.nodes.len();
        for node in &of.nodes {
            let site = self.site(of, node.site);
            self.add(site, NodeKind::Lost);
        }
        self.under_way.push(format!("{}#{}", of.path, of.key));
        for (index, node) in of.nodes.iter().enumerate() {
            let frame = Frame { of, mapped: &mapped, bindings, presence, first, after, outer };
            let kind = self.node(frame, node);
            self.program.nodes[first + index].kind = kind;
            if let (NodeKind::Fail(_), Some(outer)) = (&node.kind, outer) {
                self.program.nodes[first + index].site = outer.site;
            }
        }
        self.under_way.pop();
        first + of.entry
    }

    fn node(&mut self, frame: Frame<'_>, node: &Node) -> NodeKind {
        let Frame { mapped, first, after, outer, .. } = frame;
        let at = |node: &NodeId| first + node;
        let variable = |it: &VariableId| mapped.get(it.index()).copied().unwrap_or(*it);
        let expression = |it: &Expression| renamed(it, mapped);
        match &node.kind {
            NodeKind::Pass(next) => NodeKind::Pass(at(next)),
            NodeKind::Again(head) => NodeKind::Again(at(head)),
            NodeKind::Assign(target, value, next) => NodeKind::Assign(expression(target), expression(value), at(next)),
            NodeKind::Allocate(of, bounds, next) => {
                let bounds = bounds.iter().map(|[lower, upper]| [expression(lower), expression(upper)]).collect();
                NodeKind::Allocate(variable(of), bounds, at(next))
            }
            NodeKind::Forget(variables, next) => NodeKind::Forget(variables.iter().map(variable).collect(), at(next)),
            NodeKind::Branch(condition, then, otherwise) => match expression(&frame.decided(condition)) {
                condition if condition.is_logical(true) => NodeKind::Pass(at(then)),
                condition if condition.is_logical(false) => NodeKind::Pass(at(otherwise)),
                condition => NodeKind::Branch(condition, at(then), at(otherwise)),
            },
            NodeKind::Do(of) => {
                let mut of = of.clone();
                (of.variable, of.lower, of.upper) =
                    (variable(&of.variable), expression(&of.lower), expression(&of.upper));
                (of.body, of.after) = (at(&of.body), at(&of.after));
                NodeKind::Do(of)
            }
            NodeKind::Read(read) => {
                let mut read = read.clone();
                read.unit = read.unit.as_ref().map(expression);
                read.items = read.items.iter().map(|it| renamed_item(it, mapped)).collect();
                if let ReadForm::Namelist(_, variables) = &mut read.form {
                    variables.iter_mut().for_each(|it: &mut GroupVariable| it.variable = variable(&it.variable));
                }
                read.next = at(&read.next);
                (read.end, read.error) = (read.end.as_ref().map(at), read.error.as_ref().map(at));
                NodeKind::Read(read)
            }
            NodeKind::Open(open) => {
                let mut open = open.clone();
                open.unit = open.unit.as_ref().map(expression);
                open.file = open.file.as_ref().map(expression);
                open.new_unit = open.new_unit.as_ref().map(variable);
                open.next = at(&open.next);
                NodeKind::Open(open)
            }
            NodeKind::Position(unit, positioning, next) => NodeKind::Position(expression(unit), *positioning, at(next)),
            NodeKind::Call(call) => self.call(frame, call, node.site),
            NodeKind::Fail(message) => match outer {
                // What its own STOP says comes last.
                Some(outer) if !outer.message.is_empty() && is_code(message) => NodeKind::Fail(outer.message.clone()),
                _ => NodeKind::Fail(message.clone()),
            },
            NodeKind::Stop => NodeKind::Stop,
            NodeKind::Return => NodeKind::Pass(after),
            NodeKind::Lost => NodeKind::Lost,
        }
    }

    fn call(&mut self, frame: Frame<'_>, call: &Call, site: Site) -> NodeKind {
        let Frame { of, mapped, first, outer, .. } = frame;
        let next = first + call.next;
        let site = self.site(of, site);
        let renamed: Vec<VariableId> = call.changes.iter().filter_map(|it| mapped.get(it.index())).copied().collect();
        let targets = self.targets(call);
        let unfollowed = Unfollowed { site, changes: renamed, next };
        if self.is_separate(call) {
            return NodeKind::Lost;
        }
        let target = match (call.kind, targets.as_slice()) {
            (CallKind::Indirect, _) => return self.indirect(unfollowed),
            (CallKind::Passed, []) => return NodeKind::Pass(next),
            (CallKind::Call | CallKind::Reference | CallKind::Generic, []) => {
                // It may change what it can see, and is taken to read nothing.
                if !call.written.is_empty() && !self.program.not_given.contains(&call.written) {
                    self.program.not_given.push(call.written.clone());
                }
                return self.forget(unfollowed, true);
            }
            (CallKind::Call, [target]) if !target.is_entry => target.clone(),
            (CallKind::Call | CallKind::Reference | CallKind::Generic | CallKind::Passed, _) => {
                return self.unfollowed(&targets, call.kind, unfollowed);
            }
        };
        let callee = target.procedure();
        let is_too_much = self.under_way.len() >= DEEPEST
            || self.under_way.contains(&target.key())
            || self.program.nodes.len() + callee.nodes.len() > MOST_NODES;
        if is_too_much {
            return self.unfollowed(&targets, call.kind, unfollowed);
        }
        let mut own = outer.cloned().unwrap_or(Outer { site, message: String::new() });
        if !call.message.is_empty() {
            own.message.clone_from(&call.message);
        }
        let outer = if self.reads(callee, &mut FxHashSet::default()) { outer } else { Some(&own) };
        let (inner, values, back) = self.bind(frame, callee, call);
        let mut after = next;
        // Of what it is given a part only elements for scalars are followed back.
        let is_given_back = |it: VariableId| back.iter().any(|(place, _)| variable_of(place) == Some(it));
        let parts = call.parts.iter().filter_map(|it| mapped.get(it.index())).copied();
        let parts: Vec<VariableId> = parts.filter(|&it| !is_given_back(it)).collect();
        if !parts.is_empty() {
            after = self.add(site, NodeKind::Forget(parts, after));
        }
        for (place, value) in back {
            after = self.add(site, NodeKind::Assign(place, value, after));
        }
        let presence: Vec<Option<bool>> = (0..callee.dummies).map(|index| frame.presence_of(call, index)).collect();
        let mut entry = self.procedure(callee, &inner, &presence, after, outer);
        // Local variables begin without a value, unless their declaration gives one: then they keep what they have.
        let locals: Vec<VariableId> = callee
            .variables
            .iter()
            .filter(|it| !it.is_shared && it.initial.is_none())
            .map(|it| self.variable(callee, it, &inner))
            .collect();
        for (variable, value) in values {
            entry = self.add(site, NodeKind::Assign(Expression::Variable(variable), value, entry));
        }
        if !locals.is_empty() {
            entry = self.add(site, NodeKind::Forget(locals, entry));
        }
        NodeKind::Pass(entry)
    }

    /// What the dummy arguments of a procedure stand for, the values that its own variables begin with, and what is
    /// assigned when it returns.
    #[allow(clippy::type_complexity, reason = "three lists")]
    fn bind(
        &mut self,
        frame: Frame<'_>,
        callee: &Procedure,
        call: &Call,
    ) -> (Vec<Binding>, Vec<(VariableId, Expression)>, Vec<(Expression, Expression)>) {
        let Frame { of, mapped, bindings, .. } = frame;
        let mut inner = Vec::new();
        for position in 0..callee.dummies {
            inner.push(match call.arguments.get(position) {
                Some(Argument::Variable(owner, path)) => {
                    Binding::Alias(format!("{}{path}", Self::key(&of.path, &of.key, owner, bindings)))
                }
                _ => Binding::Own,
            });
        }
        let (mut values, mut back) = (Vec::new(), Vec::new());
        for (position, argument) in call.arguments.iter().enumerate() {
            let Argument::Value(value) = argument else { continue };
            let is_own = |it: &&CodeVariable| it.owner == Owner::Dummy(position) && it.path.is_empty();
            let Some(dummy) = callee.variables.iter().find(is_own) else { continue };
            if !dummy.variable.bounds.is_empty() {
                continue;
            }
            let dummy = self.variable(callee, dummy, &inner);
            let value = renamed(value, mapped);
            if matches!(value, Expression::Element(..)) {
                back.push((value.clone(), Expression::Variable(dummy)));
            }
            values.push((dummy, value));
        }
        (inner, values, back)
    }

    /// Whether a procedure, or one that it calls, reads or moves files.
    fn reads(&mut self, of: &Procedure, met: &mut FxHashSet<String>) -> bool {
        let key = format!("{}#{}", of.path, of.key);
        if let Some(&known) = self.reading.get(&key) {
            return known;
        }
        if !met.insert(key.clone()) {
            return false;
        }
        let reads = of.nodes.iter().any(|node| match &node.kind {
            NodeKind::Read(_) | NodeKind::Open(_) | NodeKind::Position(..) => true,
            NodeKind::Call(call) => self.targets(call).iter().any(|target| self.reads(target.procedure(), met)),
            _ => false,
        });
        self.reading.insert(key, reads);
        reads
    }
}

/// Whether a STOP says no more than a number.
fn is_code(message: &str) -> bool {
    message.bytes().all(|byte| byte.is_ascii_digit())
}

impl Program {
    /// The nodes that can be reached, each behind those that it is reached from where there is no loop.
    pub fn order(&self) -> Vec<NodeId> {
        let mut state = vec![0u8; self.nodes.len()];
        let mut order = Vec::new();
        let mut pending = vec![(self.entry, false)];
        while let Some((node, is_done)) = pending.pop() {
            if is_done {
                order.push(node);
                continue;
            }
            if std::mem::replace(&mut state[node], 1) == 1 {
                continue;
            }
            pending.push((node, true));
            for next in successors(&self.nodes[node].kind).into_iter().rev() {
                if state[next] == 0 {
                    pending.push((next, false));
                }
            }
        }
        order.reverse();
        order
    }
}
