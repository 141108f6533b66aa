//! From the statements of a unit to the graph of a [`Procedure`].
//!
//! The graph is built from behind: what follows a statement is there before it, and where a label or the beginning of a
//! loop is needed earlier, an empty node stands for it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::blocks::CommonBlocks;
use super::code::{FileCode, Node, NodeId, NodeKind, Owner, Positioning, Procedure, Site, successors};
use super::expression::{Expression, Operator};
use super::lower_expression::{Lowering, character};
use super::value::Value;
use crate::analysis::preconditions::{FailureOptions, InitialValues};
use crate::flow::{Effects, FlowPosition, is_statement_function};
use crate::names::{Resolved, SymbolId};
use crate::procedures::{FileProcedures, Known};
use crate::syntax::{
    ArgumentValue, Construct, DummyArgument, Expression as Syntax, ExpressionKind, Identifier, IoOperation,
    LiteralKind, Name, Prefix, Reference, Statement, StatementId, StatementKind, Tree, Unit, UnitId, UnitKind,
};
use crate::workspace::{FileView, Project};

/// The code of a file; `failures`: what ends a program beside what the language says.
pub fn lower_file(view: &FileView<'_>, failures: &FailureOptions) -> FileCode {
    let (tree, resolved) = (view.tree(), view.names());
    let procedures = FileProcedures::new(tree, resolved);
    let (initial, blocks) = (InitialValues::new(tree, resolved), CommonBlocks::new(tree, resolved));
    let path = view.path().display().to_string();
    let paths = tree.source.texts.all().iter().map(|text| text.path.display().to_string()).collect::<Vec<_>>();
    let paths: Arc<[String]> = paths.into();
    let known = Known { changes_nothing: &|_| false, arguments: &|_| None };
    let entries = entries(tree);
    let mut operations = None;
    let mut code = FileCode { path: path.clone(), procedures: Vec::new(), separate: separate(tree) };
    for (unit, of) in tree.units.iter_enumerated() {
        if matches!(of.kind, UnitKind::MainProgram | UnitKind::Subroutine | UnitKind::Function) {
            let effects = procedures.effects_knowing(unit, &known);
            let mut lower = Lower::new(&procedures, (&initial, &blocks, &entries), failures, unit, effects, view);
            lower.operations = operations.get_or_insert_with(|| lower.defined_operations()).clone();
            lower.body();
            code.procedures.push(lower.procedure(unit, &path, Arc::clone(&paths)));
        }
    }
    code
}

/// The ENTRYs of a file by their names, with the units that they stand in.
fn entries(tree: &Tree) -> FxHashMap<Name, UnitId> {
    let mut found = FxHashMap::default();
    for (id, statement) in tree.statements.iter_enumerated() {
        if let (StatementKind::Entry { name, .. }, Some(unit)) = (&statement.kind, tree.unit_of[id]) {
            found.entry(name.name).or_insert(unit);
        }
    }
    found
}

/// The procedures of modules that submodules define: interface bodies with MODULE.
fn separate(tree: &Tree) -> Vec<(String, String)> {
    let module_of = |unit: UnitId| match &tree.statements[tree.units[unit].opening?].kind {
        StatementKind::Module(name) => Some(tree.names.text(name.name).to_owned()),
        _ => None,
    };
    let separate = |unit: &Unit| match &tree.statements[unit.opening?].kind {
        StatementKind::Function(of) | StatementKind::Subroutine(of)
            if unit.kind == UnitKind::InterfaceBody && of.prefixes.contains(&Prefix::Module) =>
        {
            Some((module_of(unit.parent?)?, tree.names.text(of.name.name).to_owned()))
        }
        _ => None,
    };
    tree.units.iter().filter_map(separate).collect()
}

/// A construct that CYCLE and EXIT may name.
pub(super) struct Enclosing {
    pub(super) name: Option<Name>,
    pub(super) is_loop: bool,
    pub(super) again: NodeId,
    pub(super) after: NodeId,
}

/// What the units of a file share: initial values, COMMON blocks, ENTRYs.
type OfFile<'t> = (&'t InitialValues<'t>, &'t CommonBlocks, &'t FxHashMap<Name, UnitId>);

/// Lowers one unit.
pub struct Lower<'t> {
    /// Its expressions and variables.
    pub lowering: Lowering<'t>,
    /// The graph so far.
    pub nodes: Vec<Node>,
    pub(super) procedures: &'t FileProcedures<'t>,
    pub(super) failures: &'t FailureOptions,
    effects: Effects,
    pub(super) own: &'t [StatementId],
    pub(super) path: String,
    pub(super) project: &'t Project,
    labels: FxHashMap<u32, NodeId>,
    pub(super) enclosing: Vec<Enclosing>,
    /// What nodes forget, by symbols: their variables may be met later.
    pub(super) forgotten: Vec<(NodeId, Vec<SymbolId>)>,
    /// What calls are given as a whole.
    pub(super) wholes: FxHashMap<NodeId, Vec<SymbolId>>,
    /// The procedures of the file that define operations and assignments.
    pub(super) operations: Vec<[String; 3]>,
    /// The ENTRYs of the file.
    pub(super) entries: &'t FxHashMap<Name, UnitId>,
    /// The nodes of STOPs with a text.
    text_stops: Vec<NodeId>,
    entry: NodeId,
    pub(super) depth: usize,
}

impl<'t> Lower<'t> {
    fn new(
        procedures: &'t FileProcedures<'t>,
        (initial, blocks, entries): OfFile<'t>,
        failures: &'t FailureOptions,
        unit: UnitId,
        effects: Effects,
        view: &'t FileView<'_>,
    ) -> Self {
        let (tree, resolved) = (procedures.tree, procedures.resolved);
        let own = procedures.statements(unit);
        let key = own.last().map_or(String::new(), |&last| format!("{:?}", resolved.scope_of(last)));
        let mut dummies = FxHashMap::default();
        if let (Some(subprogram), Some(&last)) = (procedures.subprogram(unit), own.last()) {
            for (position, dummy) in subprogram.dummies.iter().enumerate() {
                if let DummyArgument::Name(name) = dummy
                    && let Some(symbol) = resolved.symbol_at(last, name.name)
                {
                    dummies.insert(symbol, position);
                }
            }
        }
        Lower {
            lowering: Lowering::new(tree, resolved, key, dummies, (initial, blocks.of_unit(unit))),
            nodes: Vec::new(),
            procedures,
            failures,
            effects,
            own,
            path: view.path().display().to_string(),
            project: view.project(),
            labels: FxHashMap::default(),
            enclosing: Vec::new(),
            forgotten: Vec::new(),
            wholes: FxHashMap::default(),
            operations: Vec::new(),
            entries,
            text_stops: Vec::new(),
            entry: 0,
            depth: 0,
        }
    }

    /// The tree.
    pub fn tree(&self) -> &'t Tree {
        self.lowering.tree
    }

    /// The names.
    pub fn resolved(&self) -> &'t Resolved {
        self.lowering.resolved
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &'t str {
        self.tree().names.text(name)
    }

    /// The own statements of the unit.
    pub fn statements(&self) -> &'t [StatementId] {
        self.own
    }

    /// Adds a node.
    pub fn add(&mut self, site: Site, kind: NodeKind) -> NodeId {
        self.nodes.push(Node { site, kind });
        self.nodes.len() - 1
    }

    /// Where a statement stands.
    pub fn site(&self, id: StatementId) -> Site {
        let (texts, span) = (&self.tree().source.texts, self.tree().statements[id].span);
        let file = u32::try_from(texts.index_at(span.start)).unwrap_or(0);
        Site { file, line: texts.locate(span).1.line }
    }

    fn body(&mut self) {
        let end = self.own.last().map_or(Site::default(), |&last| self.site(last));
        let is_main = self.lowering.dummies.is_empty() && self.is_main();
        let finish = self.add(end, if is_main { NodeKind::Stop } else { NodeKind::Return });
        self.entry = self.sequence(0, self.own.len(), finish);
        if !self.failures.stop_text {
            self.last_stop();
            self.normal_stop();
        }
        for (node, symbols) in std::mem::take(&mut self.forgotten) {
            let wholes = self.wholes.remove(&node).unwrap_or_default();
            for symbol in symbols {
                self.lowering.represent_structure(symbol);
                let variables = self.lowering.variables_of(symbol);
                match &mut self.nodes[node].kind {
                    NodeKind::Forget(of, _) => of.extend(variables),
                    NodeKind::Call(call) => {
                        if !wholes.contains(&symbol) {
                            call.parts.extend(variables.iter().copied());
                        }
                        call.changes.extend(variables);
                    }
                    _ => {}
                }
            }
        }
    }

    fn is_main(&self) -> bool {
        let unit = self.own.last().and_then(|&last| self.tree().unit_of[last]);
        unit.is_some_and(|unit| self.tree().units[unit].kind == UnitKind::MainProgram)
    }

    /// The last statement of a main program, in no construct, is its normal end.
    fn last_stop(&mut self) {
        let tree = self.tree();
        let is_last = |id: &&StatementId| !matches!(tree.statements[**id].kind, StatementKind::End { .. });
        let Some(&last) = self.own.iter().rev().find(is_last).filter(|_| self.is_main()) else { return };
        if tree.construct_of[last].is_none() && matches!(tree.statements[last].kind, StatementKind::Stop { .. }) {
            let site = self.site(last);
            for &node in &self.text_stops {
                if self.nodes[node].site == site {
                    self.nodes[node].kind = NodeKind::Stop;
                }
            }
        }
    }

    /// A STOP with a text where no other normal end can be reached is the normal end: the last one.
    fn normal_stop(&mut self) {
        let mut reached = vec![false; self.nodes.len()];
        let mut pending = vec![self.entry];
        let mut ends = false;
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut reached[node], true) {
                continue;
            }
            ends |= matches!(self.nodes[node].kind, NodeKind::Stop | NodeKind::Return);
            pending.extend(successors(&self.nodes[node].kind));
        }
        let last = self.text_stops.iter().copied().filter(|&node| reached[node]).max_by_key(|&it| self.nodes[it].site);
        if let Some(last) = last.filter(|_| !ends) {
            self.nodes[last].kind = NodeKind::Stop;
        }
    }

    /// Local variables that keep their values, but that nothing outside of the unit can change: those of a main
    /// program, and those that the unit itself never changes.
    fn keep_local(&mut self, unit: UnitId) {
        let is_main = self.tree().units[unit].kind == UnitKind::MainProgram;
        let may_change = !is_main && self.procedures.has_internal(unit);
        for (variable, &symbol) in self.lowering.variables.iter_mut().zip(&self.lowering.roots) {
            let is_own = variable.owner == Owner::Unit(self.lowering.key.clone());
            let is_changed = || self.effects.changes.iter().any(|&(changed, _)| changed == symbol);
            if variable.is_shared && is_own && !may_change && (is_main || !is_changed()) {
                variable.is_shared = false;
            }
        }
    }

    fn procedure(mut self, unit: UnitId, path: &str, paths: Arc<[String]>) -> Procedure {
        self.keep_local(unit);
        let tree = self.tree();
        let subprogram = self.procedures.subprogram(unit);
        let module = tree.units[unit].parent.and_then(|host| {
            let opening = tree.units[host].opening?;
            let StatementKind::Module(name) = &tree.statements[opening].kind else { return None };
            Some(self.text(name.name).to_owned())
        });
        let entry = |id: &StatementId| match &tree.statements[*id].kind {
            StatementKind::Entry { name, .. } => Some(tree.names.text(name.name).to_owned()),
            _ => None,
        };
        Procedure {
            name: subprogram.map_or(String::new(), |subprogram| self.text(subprogram.name.name).to_owned()),
            module,
            key: self.lowering.key.clone(),
            is_main: tree.units[unit].kind == UnitKind::MainProgram,
            is_external: tree.units[unit].parent.is_none(),
            path: path.to_owned(),
            paths,
            variables: self.lowering.variables,
            dummies: subprogram.map_or(0, |subprogram| subprogram.dummies.len()),
            entries: self.own.iter().filter_map(entry).collect(),
            blocks: self.lowering.blocks.iter().map(|block| (block.name.clone(), block.layout.clone())).collect(),
            nodes: self.nodes,
            entry: self.entry,
        }
    }

    /// The node that stands for a label.
    pub fn label(&mut self, label: u32) -> NodeId {
        if let Some(&node) = self.labels.get(&label) {
            return node;
        }
        let node = self.add(Site::default(), NodeKind::Lost);
        self.labels.insert(label, node);
        node
    }

    pub(super) fn define_label(&mut self, id: StatementId, node: NodeId) -> NodeId {
        let Some(label) = self.tree().statements[id].label else { return node };
        let stands = self.label(label);
        self.nodes[stands] = Node { site: self.site(id), kind: NodeKind::Pass(node) };
        stands
    }

    /// Own statements from one index up to another, and what follows them.
    pub(super) fn sequence(&mut self, from: usize, to: usize, next: NodeId) -> NodeId {
        let mut elements = Vec::new();
        let mut at = from;
        while at < to {
            let id = self.own[at];
            let construct = self.tree().construct_of[id].map(|it| &self.tree().constructs[it]);
            let opened = self.opened(id, construct);
            let end = opened.map_or(at + 1, |construct| self.index(construct.last) + 1).clamp(at + 1, to);
            elements.push((at, end, opened));
            at = end;
        }
        let mut next = next;
        for (at, end, opened) in elements.into_iter().rev() {
            let id = self.own[at];
            let node = match opened {
                Some(construct) => self.construct(construct, at, end, next),
                None => self.statement(id, FlowPosition::new(at), &self.tree().statements[id], next),
            };
            let node = match opened {
                Some(construct) => construct.headers.iter().fold(node, |node, &header| self.referenced(header, node)),
                None => self.referenced(id, node),
            };
            next = self.define_label(id, node);
        }
        next
    }

    /// The construct that a statement opens: the outermost one.
    fn opened(&self, id: StatementId, innermost: Option<&'t Construct>) -> Option<&'t Construct> {
        innermost.filter(|construct| construct.headers.first() == Some(&id))
    }

    /// The index among the own statements.
    pub(super) fn index(&self, id: StatementId) -> usize {
        self.own.partition_point(|&other| other < id)
    }

    /// The symbols that may change at positions.
    pub(super) fn changed(&self, from: FlowPosition, to: FlowPosition) -> Vec<SymbolId> {
        let changes = self.effects.changes.iter().filter(|(_, position)| (from..to).contains(position));
        changes.map(|&(symbol, _)| symbol).collect()
    }

    /// Forgets symbols.
    pub fn forget_symbols(&mut self, site: Site, symbols: Vec<SymbolId>, next: NodeId) -> NodeId {
        if symbols.is_empty() {
            return next;
        }
        let node = self.add(site, NodeKind::Forget(Vec::new(), next));
        self.forgotten.push((node, symbols));
        node
    }

    pub(super) fn forget_range(&mut self, at: usize, end: usize, next: NodeId) -> NodeId {
        let symbols = self.changed(FlowPosition::new(at), FlowPosition::new(end));
        self.forget_symbols(self.site(self.own[at]), symbols, next)
    }

    /// Forgets what a statement may change, but for a symbol.
    pub fn forget(&mut self, id: StatementId, position: FlowPosition, but: Option<SymbolId>, next: NodeId) -> NodeId {
        let mut symbols = self.changed(position, position + 1);
        symbols.retain(|&symbol| Some(symbol) != but);
        self.forget_symbols(self.site(id), symbols, next)
    }

    fn statement(&mut self, id: StatementId, at: FlowPosition, statement: &'t Statement, next: NodeId) -> NodeId {
        let site = self.site(id);
        match &statement.kind {
            StatementKind::If { condition, action } => {
                let then = self.statement(id, at, action, next);
                let condition = self.lowering.expression(id, condition);
                self.add(site, NodeKind::Branch(condition, then, next))
            }
            StatementKind::GoTo(label) => self.label(*label),
            StatementKind::ComputedGoTo(labels, selector) => {
                let selector = self.lowering.expression(id, selector);
                let mut otherwise = next;
                for (index, &label) in labels.iter().enumerate().rev() {
                    let number = Expression::integer(index as i64 + 1);
                    let condition = Expression::binary(Operator::Equal, selector.clone(), number);
                    let target = self.label(label);
                    otherwise = self.add(site, NodeKind::Branch(condition, target, otherwise));
                }
                otherwise
            }
            StatementKind::ArithmeticIf(value, labels) => {
                let value = self.lowering.expression(id, value);
                let [negative, zero, positive] = labels.map(|label| self.label(label));
                let compare = |operator, value| Expression::binary(operator, value, Expression::integer(0));
                let rest = self.add(site, NodeKind::Branch(compare(Operator::Equal, value.clone()), zero, positive));
                self.add(site, NodeKind::Branch(compare(Operator::Less, value), negative, rest))
            }
            StatementKind::AssignedGoTo(..) | StatementKind::Unparsed(_) | StatementKind::MacroStatement(_) => {
                self.add(site, NodeKind::Lost)
            }
            StatementKind::Cycle(name) => self.jump(name.map(|name| name.name), true, next),
            StatementKind::Exit(name) => self.jump(name.map(|name| name.name), false, next),
            StatementKind::Return(_) => self.add(site, NodeKind::Return),
            StatementKind::Stop { error, code, .. } => self.stop(id, *error, code.as_deref()),
            StatementKind::Call { procedure } => self.call(id, at, procedure, next),
            StatementKind::Assignment { target, value } => {
                if is_statement_function(self.resolved(), id, target) {
                    return next;
                }
                let symbol = self.resolved().symbol_at(id, target.parts[0].name.name);
                let place = self.lowering.reference(id, target);
                let is_plain =
                    matches!(place, Expression::Variable(_) | Expression::Element(..) | Expression::Section(..));
                let is_structure = self.lowering.structure(id, target).is_some();
                if !is_plain || is_structure {
                    return self.forget(id, at, None, next);
                }
                let value = self.lowering.expression(id, value);
                let assign = self.add(site, NodeKind::Assign(place, value, next));
                self.forget(id, at, symbol, assign)
            }
            StatementKind::Allocate { objects, options, .. } => {
                let next = self.succeeds(id, options, next);
                let mut next = self.forget(id, at, None, next);
                for object in objects {
                    next = self.allocate(id, object, next);
                }
                next
            }
            StatementKind::InputOutput(transfer) => self.input_output(id, at, transfer, next),
            StatementKind::End { .. } => next,
            _ => self.forget(id, at, None, next),
        }
    }

    /// What follows an ALLOCATE: it is taken to succeed.
    fn succeeds(&mut self, id: StatementId, options: &[(Identifier, Syntax)], next: NodeId) -> NodeId {
        let status = options.iter().find(|(name, _)| self.text(name.name) == "stat");
        let Some((_, Syntax { kind: ExpressionKind::Reference(status), .. })) = status else { return next };
        match self.lowering.reference(id, status) {
            status @ Expression::Variable(_) => {
                self.add(self.site(id), NodeKind::Assign(status, Expression::integer(0), next))
            }
            _ => next,
        }
    }

    fn allocate(&mut self, id: StatementId, object: &Reference, next: NodeId) -> NodeId {
        let [part] = object.parts.as_slice() else { return next };
        let [list] = part.lists.as_slice() else { return next };
        let whole = Reference::of_name(part.name);
        let Expression::Variable(variable) = self.lowering.reference(id, &whole) else { return next };
        let mut bounds = Vec::new();
        for argument in &list.items {
            bounds.push(match &argument.value {
                ArgumentValue::Expression(upper) => [Expression::integer(1), self.lowering.expression(id, upper)],
                ArgumentValue::Section(section) => {
                    let (Some(lower), Some(upper)) = (&section.lower, &section.upper) else { return next };
                    [self.lowering.expression(id, lower), self.lowering.expression(id, upper)]
                }
                ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted | ArgumentValue::Multiple(_) => return next,
            });
        }
        self.add(self.site(id), NodeKind::Allocate(variable, bounds, next))
    }

    pub(super) fn stop(&mut self, id: StatementId, is_error: bool, code: Option<&Syntax>) -> NodeId {
        let site = self.site(id);
        let text = code.and_then(|code| self.literal_text(code));
        if let (Some(text), false) = (&text, is_error) {
            let node = self.add(site, NodeKind::Fail(text.clone()));
            self.text_stops.push(node);
            return node;
        }
        let value = code.map(|code| self.lowering.expression(id, code));
        match value {
            _ if is_error => self.add(site, NodeKind::Fail(text.unwrap_or_default())),
            None => self.add(site, NodeKind::Stop),
            Some(Expression::Constant(Value::Integer(0))) => self.add(site, NodeKind::Stop),
            Some(Expression::Constant(Value::Integer(code))) => self.add(site, NodeKind::Fail(code.to_string())),
            Some(code) => {
                let fails = self.add(site, NodeKind::Fail(String::new()));
                let ends = self.add(site, NodeKind::Stop);
                let condition = Expression::binary(Operator::NotEqual, code, Expression::integer(0));
                self.add(site, NodeKind::Branch(condition, fails, ends))
            }
        }
    }

    /// The text of a character literal.
    pub fn literal_text(&self, expression: &Syntax) -> Option<String> {
        let ExpressionKind::Literal(literal) = &expression.kind else { return None };
        if literal.kind != LiteralKind::Character {
            return None;
        }
        character(self.text(literal.text)).map(|text| String::from_utf8_lossy(&text).into_owned())
    }

    /// What a transfer statement other than READ and OPEN does.
    pub fn position(&mut self, operation: IoOperation) -> Option<Positioning> {
        match operation {
            IoOperation::Rewind => Some(Positioning::Rewind),
            IoOperation::Close => Some(Positioning::Close),
            IoOperation::Backspace => Some(Positioning::Back),
            IoOperation::EndFile | IoOperation::Write => Some(Positioning::Elsewhere),
            _ => None,
        }
    }
}
