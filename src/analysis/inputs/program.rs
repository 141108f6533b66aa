//! A main program with the procedures that it calls put in their places: one graph, one table of variables.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Argument, Call, CodeVariable, FileCode, Item, Node, NodeId, NodeKind, Owner, Procedure, successors};
use super::code::{GroupVariable, ReadForm};
use super::expression::{Expression, Subscript, Variable, VariableId};

/// The most nodes of a program; what would be more is not followed.
const MOST_NODES: usize = 20_000;
/// Through how many calls procedures are followed.
const DEEPEST: usize = 24;

/// A line of a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The file, by its index in [`Program::files`].
    pub file: u32,
    /// The line.
    pub line: u32,
}

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

/// Gives the code of the file of a procedure that is called.
pub type Files<'f> = dyn Fn(&Call) -> Option<Arc<FileCode>> + 'f;

/// Puts the procedures that a main program calls in their places.
pub fn assemble(main: &Procedure, files: &Files<'_>) -> Program {
    let mut assembly = Assembly {
        files,
        program: Program::default(),
        known: FxHashMap::default(),
        shared: Vec::new(),
        under_way: Vec::new(),
        reading: FxHashMap::default(),
        reading_data: FxHashMap::default(),
        unknown_calls: Vec::new(),
        initial: Vec::new(),
        layouts: FxHashMap::default(),
        in_blocks: Vec::new(),
    };
    let stop = assembly.add(Site { file: 0, line: 0 }, NodeKind::Stop);
    let entry = assembly.procedure(main, &[], stop, None);
    assembly.program.entry = assembly.begin(entry);
    assembly.unshare_blocks();
    for node in std::mem::take(&mut assembly.unknown_calls) {
        let shared = assembly.shared.clone();
        if let NodeKind::Forget(variables, _) = &mut assembly.program.nodes[node].kind {
            variables.extend(shared.iter().copied().filter(|it| !variables.contains(it)).collect::<Vec<_>>());
        }
    }
    assembly.program
}

/// What a dummy argument stands for.
#[derive(Clone, Debug)]
enum Binding {
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

struct Assembly<'f> {
    files: &'f Files<'f>,
    program: Program,
    known: FxHashMap<String, VariableId>,
    shared: Vec<VariableId>,
    under_way: Vec<String>,
    /// Whether procedures read, by file and key.
    reading: FxHashMap<String, bool>,
    reading_data: FxHashMap<String, bool>,
    unknown_calls: Vec<NodeId>,
    /// The values that variables have when the program begins.
    initial: Vec<(VariableId, Expression)>,
    /// The layouts of COMMON blocks by name, and the variables in them.
    layouts: FxHashMap<String, FxHashSet<String>>,
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

    fn add(&mut self, site: Site, kind: NodeKind) -> NodeId {
        self.program.nodes.push(ProgramNode { site, kind });
        self.program.nodes.len() - 1
    }

    fn file(&mut self, path: &str) -> u32 {
        let known = self.program.files.iter().position(|file| file == path);
        let index = known.unwrap_or_else(|| {
            self.program.files.push(path.to_owned());
            self.program.files.len() - 1
        });
        u32::try_from(index).unwrap_or(u32::MAX)
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
    fn variable(&mut self, procedure: &Procedure, of: &CodeVariable, bindings: &[Binding]) -> VariableId {
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
    fn procedure(&mut self, of: &Procedure, bindings: &[Binding], after: NodeId, outer: Option<&Outer>) -> NodeId {
        let file = self.file(&of.path);
        for (block, layout) in &of.blocks {
            self.layouts.entry(block.clone()).or_default().insert(layout.clone());
        }
        let mapped: Vec<VariableId> = of.variables.iter().map(|it| self.variable(of, it, bindings)).collect();
        let first = self.program.nodes.len();
        for node in &of.nodes {
            self.add(Site { file, line: node.line }, NodeKind::Lost);
        }
        self.under_way.push(format!("{}#{}", of.path, of.key));
        for (index, node) in of.nodes.iter().enumerate() {
            let kind = self.node(of, node, &mapped, bindings, first, after, outer);
            self.program.nodes[first + index].kind = kind;
            if let (NodeKind::Fail(_), Some(outer)) = (&node.kind, outer) {
                self.program.nodes[first + index].site = outer.site;
            }
        }
        self.under_way.pop();
        first + of.entry
    }

    #[allow(clippy::too_many_arguments, reason = "the frame of a procedure")]
    fn node(
        &mut self,
        of: &Procedure,
        node: &Node,
        mapped: &[VariableId],
        bindings: &[Binding],
        first: NodeId,
        after: NodeId,
        outer: Option<&Outer>,
    ) -> NodeKind {
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
            NodeKind::Branch(condition, then, otherwise) => {
                NodeKind::Branch(expression(condition), at(then), at(otherwise))
            }
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
            NodeKind::Call(call) => self.call(of, call, node.line, mapped, bindings, first, outer),
            NodeKind::Fail(message) => match outer {
                Some(outer) if !outer.message.is_empty() => NodeKind::Fail(outer.message.clone()),
                _ => NodeKind::Fail(message.clone()),
            },
            NodeKind::Stop => NodeKind::Stop,
            NodeKind::Return => NodeKind::Pass(after),
            NodeKind::Lost => NodeKind::Lost,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the frame of a procedure")]
    fn call(
        &mut self,
        of: &Procedure,
        call: &Call,
        line: u32,
        mapped: &[VariableId],
        bindings: &[Binding],
        first: NodeId,
        outer: Option<&Outer>,
    ) -> NodeKind {
        let next = first + call.next;
        let site = Site { file: self.file(&of.path), line };
        let code = (self.files)(call);
        let callee = code.as_ref().and_then(|code| find(code, call));
        let changes: Vec<VariableId> = call.changes.iter().filter_map(|it| mapped.get(it.index())).copied().collect();
        if call.is_reference {
            let reads = callee.is_some_and(|callee| self.reads_data(callee, &mut FxHashSet::default()));
            return if reads { NodeKind::Lost } else { NodeKind::Pass(next) };
        }
        let Some(callee) = callee else {
            // It may change what it can see, and is taken to read nothing.
            if !call.written.is_empty() && !self.program.not_given.contains(&call.written) {
                self.program.not_given.push(call.written.clone());
            }
            let node = self.add(site, NodeKind::Forget(changes, next));
            self.unknown_calls.push(node);
            return NodeKind::Pass(node);
        };
        let key = format!("{}#{}", callee.path, callee.key);
        let is_too_much = self.under_way.len() >= DEEPEST
            || self.under_way.contains(&key)
            || self.program.nodes.len() + callee.nodes.len() > MOST_NODES;
        let reads = self.reads(callee, &mut FxHashSet::default());
        if is_too_much {
            if reads {
                return NodeKind::Lost;
            }
            let node = self.add(site, NodeKind::Forget(changes, next));
            self.unknown_calls.push(node);
            return NodeKind::Pass(node);
        }
        let own = Outer { site, message: call.message.clone() };
        let outer = if reads { outer } else { Some(outer.unwrap_or(&own)) };
        let (inner, values, back) = self.bind(of, callee, call, mapped, bindings);
        let mut after = next;
        for (place, value) in back {
            after = self.add(site, NodeKind::Assign(place, value, after));
        }
        let mut entry = self.procedure(callee, &inner, after, outer);
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
        of: &Procedure,
        callee: &Procedure,
        call: &Call,
        mapped: &[VariableId],
        bindings: &[Binding],
    ) -> (Vec<Binding>, Vec<(VariableId, Expression)>, Vec<(Expression, Expression)>) {
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

    /// Whether a procedure, or one that it calls, reads.
    fn reads_data(&mut self, of: &Procedure, met: &mut FxHashSet<String>) -> bool {
        let key = format!("{}#{}", of.path, of.key);
        if let Some(&known) = self.reading_data.get(&key) {
            return known;
        }
        if !met.insert(key.clone()) {
            return false;
        }
        let reads = of.nodes.iter().any(|node| match &node.kind {
            NodeKind::Read(_) => true,
            NodeKind::Call(call) => (self.files)(call)
                .is_some_and(|code| find(&code, call).is_some_and(|callee| self.reads_data(callee, met))),
            _ => false,
        });
        self.reading_data.insert(key, reads);
        reads
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
            NodeKind::Call(call) => {
                (self.files)(call).is_some_and(|code| find(&code, call).is_some_and(|callee| self.reads(callee, met)))
            }
            _ => false,
        });
        self.reading.insert(key, reads);
        reads
    }
}

/// The procedure that a call means.
fn find<'c>(code: &'c FileCode, call: &Call) -> Option<&'c Procedure> {
    if call.name.is_empty() {
        return None;
    }
    let is_meant = |it: &&Procedure| {
        let is_reached = it.module.is_some() || it.is_external;
        it.key == call.name || (is_reached && it.name == call.name && it.module == call.module)
    };
    code.procedures.iter().find(is_meant)
}

/// Whether two declarations of a variable give its elements the same numbers.
fn is_alike(one: &Variable, other: &Variable) -> bool {
    let is_bound_alike = |one: Option<i64>, other: Option<i64>| one == other || one.is_none() || other.is_none();
    let types = match (one.data_type, other.data_type) {
        (Some(super::value::DataType::Character(_)), Some(super::value::DataType::Character(_))) => true,
        (one, other) => one == other,
    };
    types
        && one.bounds.len() == other.bounds.len()
        && one.bounds.iter().zip(&other.bounds).all(|(one, other)| one[0] == other[0])
        && (one.bounds.len() < 2
            || one.bounds.iter().zip(&other.bounds).all(|(one, other)| is_bound_alike(one[1], other[1])))
}

/// An expression over the variables of the program.
fn renamed(expression: &Expression, mapped: &[VariableId]) -> Expression {
    let variable = |it: &VariableId| mapped.get(it.index()).copied().unwrap_or(*it);
    let each = |parts: &[Expression]| parts.iter().map(|part| renamed(part, mapped)).collect();
    expression.replaced(&|part| match part {
        Expression::Variable(it) => Some(Expression::Variable(variable(it))),
        Expression::Element(it, parts) => Some(Expression::Element(variable(it), each(parts))),
        Expression::Section(it, subscripts) => {
            let part = |it: &Option<Expression>| it.as_ref().map(|it| renamed(it, mapped));
            let subscripts = subscripts.iter().map(|subscript| match subscript {
                Subscript::Index(index) => Subscript::Index(renamed(index, mapped)),
                Subscript::Range(lower, upper, step) => Subscript::Range(part(lower), part(upper), part(step)),
            });
            Some(Expression::Section(variable(it), subscripts.collect()))
        }
        _ => None,
    })
}

fn renamed_item(item: &Item, mapped: &[VariableId]) -> Item {
    match item {
        Item::Reference(place, of) => Item::Reference(renamed(place, mapped), *of),
        Item::Loop { variable, lower, upper, step, items } => Item::Loop {
            variable: mapped.get(variable.index()).copied().unwrap_or(*variable),
            lower: renamed(lower, mapped),
            upper: renamed(upper, mapped),
            step: renamed(step, mapped),
            items: items.iter().map(|item| renamed_item(item, mapped)).collect(),
        },
        Item::Unknown => Item::Unknown,
    }
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
