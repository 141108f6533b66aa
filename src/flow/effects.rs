//! What a statement does to scalars: which it defines, which it may change, and which flow into it.

use oxc_index::{IndexVec, define_index_type};
use rustc_hash::FxHashMap;

use super::position::FlowPosition;
use super::scalar::{canonical, may_be_scalar, scalar_at, scalar_of};
use crate::names::{Dummy, PartClass, Resolved, SymbolId, SymbolKind};
use crate::syntax::visit::{walk_expressions, walk_indices, walk_subexpressions};
use crate::syntax::{
    ArgumentValue, DoControl, Expression, ExpressionKind, InputOutput, Intent, IoOperation, Name, Part, Reference,
    Statement, StatementId, StatementKind, Tree,
};

define_index_type! {
    /// A scalar variable of a unit: a name, perhaps with components (`d%x`).
    pub struct VariableId = u32;
}

define_index_type! {
    /// Index of a definition in [`Effects::definitions`].
    #[derive(Default)]
    pub struct DefinitionId = u32;
}

/// The scalar variables that a unit mentions.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    ids: FxHashMap<(SymbolId, Vec<Name>), VariableId>,
    keys: IndexVec<VariableId, (SymbolId, Vec<Name>)>,
}

impl Variables {
    /// The variable with this base and components.
    pub fn intern(&mut self, symbol: SymbolId, components: Vec<Name>) -> VariableId {
        let next = self.keys.next_idx();
        let key = (symbol, components);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        self.keys.push(key.clone());
        self.ids.insert(key, next);
        next
    }

    /// The variable with this base and components, if the unit mentions it.
    pub fn get(&self, symbol: SymbolId, components: Vec<Name>) -> Option<VariableId> {
        self.ids.get(&(symbol, components)).copied()
    }

    /// The base of a variable.
    pub fn symbol(&self, id: VariableId) -> SymbolId {
        self.keys[id].0
    }

    /// The components of a variable, behind its base.
    pub fn components(&self, id: VariableId) -> &[Name] {
        &self.keys[id].1
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// How a definition comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinitionKind {
    /// An assignment: what its right side reads flows on.
    Assigned,
    /// A loop header, READ, a call, or another statement that gives a value of which nothing is known.
    Other,
    /// A statement that was not understood may define it.
    Unparsed,
}

/// One definition of one variable.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Position of the statement among the unit's own ones.
    pub position: FlowPosition,
    /// The variable.
    pub variable: VariableId,
    /// How.
    pub kind: DefinitionKind,
    /// Whether the variable has this value behind the statement for sure.
    pub kills: bool,
}

/// One variable whose value an assignment uses, or a function returns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Use {
    /// Position of the assignment, or of the statement that returns.
    pub position: FlowPosition,
    /// The variable.
    pub variable: VariableId,
    /// Whether it flows into the right side (or to the caller), not only into an index on the left.
    pub flows: bool,
}

/// The effects of all statements of a unit.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The scalar variables.
    pub variables: Variables,
    /// Definitions in statement order.
    pub definitions: IndexVec<DefinitionId, Definition>,
    /// Uses in statement order, each variable of a statement once.
    pub uses: Vec<Use>,
    /// For each variable or array, in order, the positions at which it, or a part of it, may change: by definition, or passed to a
    /// procedure. By the first name of the reference.
    pub changes: Vec<(SymbolId, FlowPosition)>,
    /// Positions of statements that call a procedure that may change any variable that is not local.
    pub calls: Vec<FlowPosition>,
}

/// The assignment that a statement is or performs (`if (…) a = b`), with whether it is performed for sure.
pub fn assignment_of(kind: &StatementKind) -> Option<(&Reference, &Expression, bool)> {
    match kind {
        StatementKind::Assignment { target, value } => Some((target, value, true)),
        _ => assignment_of(&kind.action()?.kind).map(|(target, value, _)| (target, value, false)),
    }
}

/// Collects the effects of a unit's own statements.
pub fn effects(tree: &Tree, resolved: &Resolved, statements: &[StatementId]) -> Effects {
    effects_knowing(tree, resolved, statements, &|_| false)
}

/// The same, where it is known of functions that are not declared PURE whether they change nothing.
pub fn effects_knowing(
    tree: &Tree,
    resolved: &Resolved,
    statements: &[StatementId],
    changes_nothing: &dyn Fn(SymbolId) -> bool,
) -> Effects {
    let is_namelist = |id: &StatementId| matches!(tree.statements[*id].kind, StatementKind::Namelist(_));
    let namelists = statements.iter().copied().filter(is_namelist).collect();
    let results = result_variables(tree, resolved, statements);
    let mut collector = Collector {
        tree,
        resolved,
        changes_nothing,
        id: StatementId::default(),
        position: FlowPosition::default(),
        namelists,
        results,
        called: Vec::new(),
        effects: Effects::default(),
    };
    for (position, &id) in (0..).map(FlowPosition::new).zip(statements) {
        collector.position = position;
        collector.id = id;
        collector.statement(&tree.statements[id]);
        if position + 1 == statements.len() {
            collector.returns();
        }
        collector.effects.use_once(position);
    }
    let mut effects = collector.effects;
    effects.define_parts_and_wholes();
    effects.changes.sort_unstable();
    effects
}

/// The result variables of a function and of its ENTRY statements.
fn result_variables(tree: &Tree, resolved: &Resolved, statements: &[StatementId]) -> Vec<SymbolId> {
    let results = statements.iter().filter_map(|&id| {
        let (name, suffix) = match &tree.statements[id].kind {
            StatementKind::Function(subprogram) => (subprogram.name, &subprogram.suffix),
            StatementKind::Entry { name, suffix, .. } => (*name, suffix),
            _ => return None,
        };
        let name = suffix.result.unwrap_or(name);
        // Its own statement stands in the scope around the function.
        let symbol = resolved.symbol_at(*statements.last()?, name.name)?;
        resolved.symbol(symbol).is_result.then_some(symbol)
    });
    results.collect()
}

impl Effects {
    /// Leaves each variable that is used at a position, the last one so far, once.
    fn use_once(&mut self, position: FlowPosition) {
        let first = self.uses.iter().rposition(|used| used.position != position).map_or(0, |before| before + 1);
        // What flows stays before what does not.
        self.uses[first..].sort_unstable_by_key(|used| (used.variable, !used.flows));
        let mut kept = first;
        for at in first..self.uses.len() {
            if kept == first || self.uses[kept - 1].variable != self.uses[at].variable {
                self.uses[kept] = self.uses[at];
                kept += 1;
            }
        }
        self.uses.truncate(kept);
    }

    /// A definition of `d` defines `d%x`, and one of `d%x` a part of `d`.
    fn define_parts_and_wholes(&mut self) {
        if self.variables.keys.iter().all(|(_, components)| components.is_empty()) {
            return;
        }
        let mut by_base: FxHashMap<SymbolId, Vec<VariableId>> = FxHashMap::default();
        for (id, &(base, _)) in self.variables.keys.iter_enumerated() {
            by_base.entry(base).or_default().push(id);
        }
        let mut related = Vec::new();
        for definition in &self.definitions {
            let (base, path) = &self.variables.keys[definition.variable];
            for &other in by_base.get(base).into_iter().flatten().filter(|&&other| other != definition.variable) {
                let other_path = &self.variables.keys[other].1;
                let is_part = other_path.starts_with(path);
                if is_part || path.starts_with(other_path) {
                    related.push(Definition { variable: other, kills: definition.kills && is_part, ..*definition });
                }
            }
        }
        self.definitions.extend(related);
        self.definitions.sort_by_key(|definition| definition.position);
    }
}

/// Whether an assignment defines a statement function (R1544), which executes nothing.
pub fn is_statement_function(resolved: &Resolved, id: StatementId, target: &Reference) -> bool {
    let symbol = target.parts.first().and_then(|part| resolved.symbol_at(id, part.name.name));
    symbol.is_some_and(|symbol| matches!(resolved.symbol(symbol).kind, SymbolKind::StatementFunction { .. }))
}

struct Collector<'t> {
    tree: &'t Tree,
    resolved: &'t Resolved,
    changes_nothing: &'t dyn Fn(SymbolId) -> bool,
    id: StatementId,
    position: FlowPosition,
    /// The NAMELIST statements of the unit.
    namelists: Vec<StatementId>,
    /// The variables that hold what the unit returns.
    results: Vec<SymbolId>,
    /// The references to functions in the statement.
    called: Vec<&'t Part>,
    effects: Effects,
}

impl<'t> Collector<'t> {
    fn statement(&mut self, statement: &'t Statement) {
        self.kind(&statement.kind, statement, true);
        self.function_calls();
    }

    fn kind(&mut self, kind: &'t StatementKind, statement: &'t Statement, certain: bool) {
        match kind {
            StatementKind::Assignment { target, value } if !is_statement_function(self.resolved, self.id, target) => {
                self.assignment(target, value, certain);
            }
            StatementKind::If { condition, action } | StatementKind::Where { mask: condition, action } => {
                self.note_calls(condition);
                self.kind(&action.kind, statement, false);
            }
            StatementKind::Forall { header, action } => {
                let bounds = header.controls.iter().flat_map(|control| [&control.lower, &control.upper]);
                let steps = header.controls.iter().filter_map(|control| control.step.as_ref());
                bounds.chain(steps).chain(&header.mask).for_each(|inner| self.note_calls(inner));
                self.kind(&action.kind, statement, false);
            }
            _ => {
                walk_expressions(kind, &mut |expression| self.note_calls(expression));
                self.other(kind, statement, certain);
            }
        }
    }

    /// What any other statement does, apart from the functions that it calls.
    fn other(&mut self, kind: &StatementKind, statement: &Statement, certain: bool) {
        match kind {
            StatementKind::Do { control: DoControl::Counted { variable, .. }, .. } => {
                self.define(variable, DefinitionKind::Other, true);
            }
            StatementKind::PointerAssignment { target, .. } => self.define(target, DefinitionKind::Other, certain),
            StatementKind::Assign(_, variable) => self.define_name(variable.name, DefinitionKind::Other, certain),
            StatementKind::Nullify(targets) => {
                targets.iter().for_each(|target| self.define(target, DefinitionKind::Other, certain));
            }
            StatementKind::Call { procedure } => {
                self.effects.calls.push(self.position);
                self.arguments(procedure, certain);
            }
            StatementKind::MacroStatement(reference) => {
                for argument in reference.parts.iter().flat_map(|part| &part.lists).flat_map(|list| &list.items) {
                    self.argument(&argument.value);
                }
            }
            StatementKind::InputOutput(transfer) => self.transfer(transfer),
            StatementKind::ImageControl { arguments: Some(list), .. } | StatementKind::Critical(Some(list)) => {
                list.items.iter().filter(|item| item.keyword.is_some()).for_each(|item| self.argument(&item.value));
            }
            StatementKind::Allocate { objects, options, .. } | StatementKind::Deallocate { objects, options } => {
                objects.iter().for_each(|object| self.define(object, DefinitionKind::Other, false));
                options.iter().for_each(|(_, value)| self.passed(value));
            }
            StatementKind::Return(_) => self.returns(),
            StatementKind::Associate(associations) => {
                for association in associations {
                    walk_subexpressions(&association.selector, &mut |expression| self.uses_scalar(expression, false));
                }
            }
            StatementKind::Unparsed(_) => self.unparsed(statement),
            _ => {}
        }
    }

    /// The unit returns its results to its caller.
    fn returns(&mut self) {
        let results = std::mem::take(&mut self.results);
        results.iter().for_each(|&symbol| self.uses((symbol, Vec::new()), true));
        self.results = results;
    }

    /// What an input/output statement reads into, and what its specifiers change.
    fn transfer(&mut self, transfer: &InputOutput) {
        let reads = matches!(
            transfer.operation,
            IoOperation::Read | IoOperation::Accept | IoOperation::Decode | IoOperation::BufferIn
        );
        let mut certain = true;
        for control in &transfer.control {
            if let Some(keyword) = control.keyword {
                let keyword = self.tree.names.text(keyword.name);
                certain &= !matches!(keyword, "err" | "end" | "eor" | "iostat");
                control.value.iter().for_each(|value| self.passed(value));
            }
            if reads && let Some(value) = &control.value {
                self.namelist(value);
            }
        }
        for item in &transfer.items {
            match &item.kind {
                ExpressionKind::Reference(reference) if reads => self.define(reference, DefinitionKind::Other, certain),
                ExpressionKind::ImpliedDo(_) => self.passed(item),
                _ => {}
            }
        }
    }

    /// Reading a namelist group may define every variable in it.
    fn namelist(&mut self, group: &Expression) {
        let ExpressionKind::Reference(reference) = &group.kind else { return };
        let Some(name) = reference.as_name().map(|name| name.name) else { return };
        let tree = self.tree;
        let groups = self.namelists.iter().flat_map(|&id| match &tree.statements[id].kind {
            StatementKind::Namelist(groups) => groups.as_slice(),
            _ => &[],
        });
        let entities: Vec<Name> = groups
            .filter(|group| group.name.is_some_and(|of| of.name == name))
            .flat_map(|group| group.entities.iter().map(|entity| entity.name.name))
            .collect();
        entities.into_iter().for_each(|entity| self.define_name(entity, DefinitionKind::Other, false));
    }

    fn assignment(&mut self, target: &'t Reference, value: &'t Expression, certain: bool) {
        self.define(target, DefinitionKind::Assigned, certain);
        // The statement functions that the value refers to, directly or through others.
        let mut functions: Vec<StatementId> = Vec::new();
        walk_subexpressions(value, &mut |expression| {
            self.uses_scalar(expression, true);
            self.note_statement_function(expression, &mut functions);
            self.note_call(expression);
        });
        let mut next = 0;
        while let Some(&function) = functions.get(next) {
            next += 1;
            let tree = self.tree;
            let StatementKind::Assignment { target, value } = &tree.statements[function].kind else {
                continue;
            };
            walk_subexpressions(value, &mut |expression| {
                if !is_dummy_of(target, expression) {
                    self.uses_scalar(expression, true);
                }
                self.note_statement_function(expression, &mut functions);
            });
        }
        walk_indices(target, &mut |expression| {
            self.uses_scalar(expression, false);
            self.note_call(expression);
        });
    }

    /// The scalar variable that an expression is.
    fn scalar(&self, expression: &Expression) -> Option<(SymbolId, Vec<Name>)> {
        match &expression.kind {
            ExpressionKind::Reference(reference) => scalar_of(self.tree, self.resolved, self.id, reference),
            _ => None,
        }
    }

    /// Notes the statement function that an expression refers to.
    fn note_statement_function(&self, expression: &Expression, met: &mut Vec<StatementId>) {
        let ExpressionKind::Reference(reference) = &expression.kind else { return };
        let Some(first) = reference.parts.first().filter(|first| !first.lists.is_empty()) else { return };
        let symbol = self.resolved.symbol_at(self.id, first.name.name);
        if let Some(SymbolKind::StatementFunction { statement }) =
            symbol.map(|symbol| &self.resolved.symbol(symbol).kind)
            && !met.contains(statement)
        {
            met.push(*statement);
        }
    }

    /// Notes that the statement uses a scalar, and whether it flows on.
    fn uses(&mut self, (symbol, components): (SymbolId, Vec<Name>), flows: bool) {
        let variable = self.effects.variables.intern(symbol, components);
        self.effects.uses.push(Use { position: self.position, variable, flows });
    }

    /// Notes that it uses what an expression is, if that is a scalar.
    fn uses_scalar(&mut self, expression: &Expression, flows: bool) {
        if let Some(scalar) = self.scalar(expression) {
            self.uses(scalar, flows);
        }
    }

    /// A definition of the scalar that a reference is; of an array element it is none. The variable or array that it is a part of may
    /// change in any case.
    fn define(&mut self, target: &Reference, kind: DefinitionKind, kills: bool) {
        let first = target.parts.first().map(|part| part.name.name);
        let Some(symbol) = first.and_then(|name| self.resolved.symbol_at(self.id, name)) else { return };
        if may_be_scalar(target)
            && let Some((symbol, components)) = scalar_at(self.tree, self.resolved, self.id, target, symbol)
        {
            let variable = self.effects.variables.intern(symbol, components);
            // A substring leaves the rest of the variable as it was.
            let kills = kills && target.parts.iter().all(|part| part.lists.is_empty());
            self.effects.definitions.push(Definition { position: self.position, variable, kind, kills });
        }
        self.effects.changes.push((canonical(self.resolved, symbol), self.position));
    }

    fn define_name(&mut self, name: Name, kind: DefinitionKind, kills: bool) {
        if let Some(symbol) = self.resolved.symbol_at(self.id, name) {
            let symbol = canonical(self.resolved, symbol);
            let variable = self.effects.variables.intern(symbol, Vec::new());
            self.effects.definitions.push(Definition { position: self.position, variable, kind, kills });
            self.effects.changes.push((symbol, self.position));
        }
    }

    fn argument(&mut self, value: &ArgumentValue) {
        if let ArgumentValue::Expression(expression) = value {
            self.passed(expression);
        }
    }

    /// A variable handed to a procedure or a specifier, which may change it.
    fn passed(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Reference(reference) => self.define(reference, DefinitionKind::Other, false),
            ExpressionKind::PercentFunction(_, inner) => self.passed(inner),
            ExpressionKind::ImpliedDo(implied) => {
                self.define_name(implied.variable.name, DefinitionKind::Other, false);
                implied.items.iter().for_each(|item| self.passed(item));
            }
            _ => {}
        }
    }

    /// The arguments of a call, those left out for which a dummy argument with INTENT(IN) is known.
    fn arguments(&mut self, procedure: &Reference, certain: bool) {
        let dummies = self.dummies(procedure);
        let items = procedure.parts.iter().flat_map(|part| &part.lists).flat_map(|list| &list.items);
        for (position, argument) in items.enumerate() {
            let names = dummies.iter().map(|(name, _)| name.as_str());
            let dummy = argument.dummy(position, names, &self.tree.names).and_then(|at| dummies.get(at));
            match dummy.and_then(|&(_, intent)| intent) {
                Some(Intent::In) => {}
                // It has another value afterwards, or none.
                Some(Intent::Out) => match &argument.value {
                    ArgumentValue::Expression(Expression { kind: ExpressionKind::Reference(reference), .. }) => {
                        self.define(reference, DefinitionKind::Other, certain);
                    }
                    value => self.argument(value),
                },
                _ => self.argument(&argument.value),
            }
        }
    }

    /// The dummy arguments of a procedure whose interface was seen, each with its intent.
    fn dummies(&self, procedure: &Reference) -> Vec<(String, Option<Intent>)> {
        let [part] = procedure.parts.as_slice() else { return Vec::new() };
        let Some(symbol) = self.resolved.symbol_at(self.id, part.name.name) else { return Vec::new() };
        match &self.resolved.symbol(symbol).kind {
            SymbolKind::Subroutine { interface: Some(interface) }
            | SymbolKind::Function { interface: Some(interface) } => {
                let intent = |dummy: &Dummy| match dummy.properties {
                    properties if properties.value => Some(Intent::In),
                    properties => properties.intent,
                };
                interface.dummies.iter().map(|dummy| (dummy.name.clone(), intent(dummy))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Notes the functions that an expression calls.
    fn note_calls(&mut self, expression: &'t Expression) {
        walk_subexpressions(expression, &mut |inner| self.note_call(inner));
    }

    /// Notes the function that a reference calls, apart from those that it calls inside.
    fn note_call(&mut self, expression: &'t Expression) {
        let ExpressionKind::Reference(reference) = &expression.kind else { return };
        if reference.parts.iter().all(|part| part.lists.is_empty()) {
            return;
        }
        let classes = self.resolved.classify(self.tree, self.id, reference);
        for (part, class) in reference.parts.iter().zip(classes) {
            let symbol = || self.resolved.symbol_at(self.id, part.name.name);
            if class == PartClass::Function && !symbol().is_some_and(|symbol| self.is_pure(symbol)) {
                self.called.push(part);
            }
        }
    }

    /// Functions of the program may change their arguments and what is not local, as subroutines may; intrinsic ones don't.
    fn function_calls(&mut self) {
        if self.called.is_empty() {
            return;
        }
        self.effects.calls.push(self.position);
        let called = std::mem::take(&mut self.called);
        for argument in called.iter().flat_map(|part| &part.lists).flat_map(|list| &list.items) {
            self.argument(&argument.value);
        }
    }

    fn is_pure(&self, function: SymbolId) -> bool {
        match &self.resolved.symbol(function).kind {
            SymbolKind::Function { interface: Some(interface) } if interface.is_pure => true,
            _ => (self.changes_nothing)(function),
        }
    }

    /// A statement that was not understood may define every name in its text.
    fn unparsed(&mut self, statement: &Statement) {
        let names: Vec<Name> = names_in_text(self.tree, statement).collect();
        for name in names {
            self.define_name(name, DefinitionKind::Unparsed, false);
        }
    }
}

/// The known names in the source text of a statement.
pub fn names_in_text<'t>(tree: &'t Tree, statement: &Statement) -> impl Iterator<Item = Name> + 't {
    let text = tree.source.texts.bytes(statement.span).to_ascii_lowercase();
    let words: Vec<String> = text
        .split(|&byte| !crate::source::is_name_byte(byte))
        .filter(|word| word.first().is_some_and(|byte| byte.is_ascii_alphabetic()))
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    words.into_iter().filter_map(|word| tree.names.get(&word))
}

/// Whether an expression is a dummy argument of the statement function with this left side.
fn is_dummy_of(target: &Reference, expression: &Expression) -> bool {
    let single = |expression: &Expression| match &expression.kind {
        ExpressionKind::Reference(reference) => reference.as_name().map(|name| name.name),
        _ => None,
    };
    let dummies = target.parts.iter().flat_map(|part| &part.lists).flat_map(|list| &list.items);
    let mut names = dummies.filter_map(|item| match &item.value {
        ArgumentValue::Expression(dummy) => single(dummy),
        _ => None,
    });
    single(expression).is_some_and(|name| names.any(|dummy| dummy == name))
}
