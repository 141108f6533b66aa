//! What a statement does to scalars: which it defines, which it may change, and which flow into it.

use std::collections::HashMap;

use crate::names::{PartClass, Resolved, SymbolId, SymbolKind};
use crate::syntax::visit::{walk_expressions, walk_subexpressions};
use crate::syntax::{
    ArgumentValue, DoControl, Expression, ExpressionKind, IoOperation, Name, Reference, Statement, StatementId,
    StatementKind, Tree,
};

/// A scalar variable of a unit: a name, perhaps with components (`d%x`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u32);

/// The scalar variables that a unit mentions.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    ids: HashMap<(SymbolId, Vec<Name>), VariableId>,
    symbols: Vec<SymbolId>,
}

impl Variables {
    /// The variable with this base and components.
    pub fn intern(&mut self, symbol: SymbolId, components: Vec<Name>) -> VariableId {
        let next = VariableId(self.symbols.len() as u32);
        let id = *self.ids.entry((symbol, components)).or_insert(next);
        if id == next {
            self.symbols.push(symbol);
        }
        id
    }

    /// The variable with this base and components, if the unit mentions it.
    pub fn get(&self, symbol: SymbolId, components: Vec<Name>) -> Option<VariableId> {
        self.ids.get(&(symbol, components)).copied()
    }

    /// The base of a variable.
    pub fn symbol(&self, id: VariableId) -> SymbolId {
        self.symbols[id.0 as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }
}

/// How a definition comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinitionKind {
    /// An assignment: what its right side reads flows on.
    Assigned,
    /// A loop header, READ, or another statement that gives a value that depends on no array of this program.
    Other,
    /// A statement that was not understood may define it.
    Unparsed,
}

/// One definition of one variable.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Position of the statement among the unit's own ones.
    pub position: u32,
    /// The variable.
    pub variable: VariableId,
    /// How.
    pub kind: DefinitionKind,
    /// Whether the variable has this value behind the statement for sure.
    pub kills: bool,
}

/// One variable whose value flows into the right side of an assignment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Use {
    /// Position of the assignment.
    pub position: u32,
    /// The variable.
    pub variable: VariableId,
}

/// The effects of all statements of a unit.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The scalar variables.
    pub variables: Variables,
    /// Definitions in statement order.
    pub definitions: Vec<Definition>,
    /// Uses in statement order, each pair once.
    pub uses: Vec<Use>,
    /// Positions at which variables may change without a definition that reaches: passed to a procedure.
    pub may_change: Vec<(VariableId, u32)>,
    /// Bases of arrays that a statement writes to or hands to a procedure, in statement order.
    pub array_writes: Vec<(SymbolId, u32)>,
    /// Positions of statements that call a procedure that may change any variable that is not local.
    pub calls: Vec<u32>,
}

/// The assignment that a statement is or performs (`if (…) a = b`), with whether it is performed for sure.
pub fn assignment_of(kind: &StatementKind) -> Option<(&Reference, &Expression, bool)> {
    match kind {
        StatementKind::Assignment { target, value } => Some((target, value, true)),
        StatementKind::If { action, .. }
        | StatementKind::Where { action, .. }
        | StatementKind::Forall { action, .. } => {
            assignment_of(&action.kind).map(|(target, value, _)| (target, value, false))
        }
        _ => None,
    }
}

/// Collects the effects of a unit's own statements.
pub fn effects(tree: &Tree, resolved: &Resolved, statements: &[StatementId]) -> Effects {
    let mut collector = Collector { tree, resolved, id: 0, position: 0, effects: Effects::default() };
    for (position, &id) in statements.iter().enumerate() {
        collector.position = position as u32;
        collector.id = id;
        collector.statement(&tree.statements[id as usize]);
    }
    collector.effects
}

/// Whether an assignment defines a statement function (R1544), which executes nothing.
pub fn is_statement_function(tree: &Tree, resolved: &Resolved, id: StatementId, target: &Reference) -> bool {
    matches!(resolved.classify(tree, id, target).first(), Some(PartClass::StatementFunction))
}

struct Collector<'t> {
    tree: &'t Tree,
    resolved: &'t Resolved,
    id: StatementId,
    position: u32,
    effects: Effects,
}

impl Collector<'_> {
    fn statement(&mut self, statement: &Statement) {
        self.kind(&statement.kind, statement, true);
        self.function_calls(&statement.kind);
    }

    fn kind(&mut self, kind: &StatementKind, statement: &Statement, certain: bool) {
        match kind {
            StatementKind::Assignment { target, value } => self.assignment(target, value, certain),
            StatementKind::If { action, .. }
            | StatementKind::Where { action, .. }
            | StatementKind::Forall { action, .. } => self.kind(&action.kind, statement, false),
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
                let lists = procedure.parts.iter().flat_map(|part| &part.lists);
                for argument in lists.flat_map(|list| &list.items) {
                    self.argument(&argument.value);
                }
            }
            StatementKind::MacroStatement(reference) => {
                for argument in reference.parts.iter().flat_map(|part| &part.lists).flat_map(|list| &list.items) {
                    self.argument(&argument.value);
                }
            }
            StatementKind::InputOutput(transfer) => {
                let reads = matches!(
                    transfer.operation,
                    IoOperation::Read | IoOperation::Accept | IoOperation::Decode | IoOperation::BufferIn
                );
                for control in &transfer.control {
                    if control.keyword.is_some() {
                        control.value.iter().for_each(|value| self.passed(value));
                    }
                }
                for item in transfer.items.iter().filter(|_| reads) {
                    match &item.kind {
                        ExpressionKind::Reference(reference) => self.define(reference, DefinitionKind::Other, false),
                        _ => self.passed(item),
                    }
                }
            }
            StatementKind::Allocate { options, .. } | StatementKind::Deallocate { options, .. } => {
                options.iter().for_each(|(_, value)| self.passed(value));
            }
            StatementKind::Unparsed(_) => self.unparsed(statement),
            _ => {}
        }
    }

    fn assignment(&mut self, target: &Reference, value: &Expression, certain: bool) {
        if is_statement_function(self.tree, self.resolved, self.id, target) {
            return;
        }
        self.define(target, DefinitionKind::Assigned, certain);
        let mut used = Vec::new();
        walk_subexpressions(value, &mut |expression| {
            if let ExpressionKind::Reference(reference) = &expression.kind {
                used.extend(scalar_of(self.tree, self.resolved, self.id, reference));
            }
        });
        let first = self.effects.uses.len();
        for (symbol, components) in used {
            let variable = self.effects.variables.intern(symbol, components);
            self.effects.uses.push(Use { position: self.position, variable });
        }
        self.effects.uses[first..].sort_unstable();
        self.effects.uses.dedup();
    }

    /// A definition of the scalar that a reference is; of an array element it is none.
    fn define(&mut self, target: &Reference, kind: DefinitionKind, kills: bool) {
        if let Some((symbol, components)) = scalar_of(self.tree, self.resolved, self.id, target) {
            let variable = self.effects.variables.intern(symbol, components);
            self.effects.definitions.push(Definition { position: self.position, variable, kind, kills });
            self.effects.may_change.push((variable, self.position));
        } else {
            self.array_written(target);
        }
    }

    fn array_written(&mut self, reference: &Reference) {
        let first = reference.parts.first().map(|part| part.name.name);
        if let Some(symbol) = first.and_then(|name| self.resolved.symbol_at(self.id, name)) {
            self.effects.array_writes.push((symbol, self.position));
        }
    }

    fn define_name(&mut self, name: Name, kind: DefinitionKind, kills: bool) {
        if let Some(symbol) = self.resolved.symbol_at(self.id, name) {
            let variable = self.effects.variables.intern(symbol, Vec::new());
            self.effects.definitions.push(Definition { position: self.position, variable, kind, kills });
            self.effects.may_change.push((variable, self.position));
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
            ExpressionKind::Reference(reference) => {
                if let Some((symbol, components)) = scalar_of(self.tree, self.resolved, self.id, reference) {
                    let variable = self.effects.variables.intern(symbol, components);
                    self.effects.may_change.push((variable, self.position));
                } else {
                    self.array_written(reference);
                }
            }
            ExpressionKind::ImpliedDo(implied) => implied.items.iter().for_each(|item| self.passed(item)),
            _ => {}
        }
    }

    /// Functions of the program may change their arguments and what is not local, as subroutines may; intrinsic ones don't.
    fn function_calls(&mut self, kind: &StatementKind) {
        let mut calls = Vec::new();
        walk_expressions(kind, &mut |expression| {
            walk_subexpressions(expression, &mut |inner| {
                if let ExpressionKind::Reference(reference) = &inner.kind
                    && reference.parts.iter().any(|part| !part.lists.is_empty())
                {
                    let classes = self.resolved.classify(self.tree, self.id, reference);
                    for (part, class) in reference.parts.iter().zip(classes) {
                        if class == PartClass::Function && !self.is_pure(part.name.name) {
                            calls.push(part.lists.clone());
                        }
                    }
                }
            });
        });
        if calls.is_empty() {
            return;
        }
        self.effects.calls.push(self.position);
        for argument in calls.iter().flatten().flat_map(|list| &list.items) {
            self.argument(&argument.value);
        }
    }

    fn is_pure(&self, name: Name) -> bool {
        let symbol = self.resolved.symbol_at(self.id, name).map(|symbol| &self.resolved.symbol(symbol).kind);
        matches!(symbol, Some(SymbolKind::Function { interface: Some(interface) }) if interface.is_pure)
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

/// The scalar variable that a reference is, if it is one: a name without a shape and brackets, perhaps with such components.
pub fn scalar_of(
    tree: &Tree,
    resolved: &Resolved,
    id: StatementId,
    reference: &Reference,
) -> Option<(SymbolId, Vec<Name>)> {
    let first = reference.parts.first()?;
    let symbol = resolved.symbol_at(id, first.name.name)?;
    let without_lists = reference.parts.iter().all(|part| part.lists.is_empty());
    let plain = |class: &PartClass| matches!(class, PartClass::Scalar | PartClass::Unknown | PartClass::Substring);
    let classes = resolved.classify(tree, id, reference);
    let scalar = classes.iter().all(plain) && (without_lists || classes.contains(&PartClass::Substring));
    scalar.then(|| (symbol, reference.parts[1..].iter().map(|part| part.name.name).collect()))
}
