//! What a statement does to scalars: which it defines, which it may change, and which flow into it.

use super::known::Known;
use crate::flow::{
    Definition, DefinitionKind, Effects, FlowPosition, Use, canonical, is_statement_function, may_be_scalar,
    names_in_text, scalar_at, scalar_of, selector_of,
};
use crate::names::{BaseType, PartClass, Resolved, SymbolId, SymbolKind};
use crate::syntax::declarative;
use crate::syntax::visit::{
    Access, StatementVisitor, Visitor, walk_expression, walk_indices, walk_reference, walk_statement,
    walk_subexpressions,
};
use crate::syntax::{
    ArgumentValue, DummyArgument, Expression, ExpressionKind, Identifier, InputOutput, Intent, Name, NameTable, Part,
    Reference, Statement, StatementId, StatementKind, Tree,
};

/// Collects the effects of a unit's own statements.
pub fn effects(tree: &Tree, resolved: &Resolved, statements: &[StatementId]) -> Effects {
    let known = Known { changes_nothing: &|_| false, arguments: &|_| None };
    effects_knowing(tree, resolved, statements, &known)
}

/// The same, where more is known of procedures.
pub fn effects_knowing(tree: &Tree, resolved: &Resolved, statements: &[StatementId], known: &Known<'_>) -> Effects {
    let is_namelist = |id: &StatementId| matches!(tree.statements[*id].kind, StatementKind::Namelist(_));
    let namelists = statements.iter().copied().filter(is_namelist).collect();
    let results = results(tree, resolved, statements);
    let mut collector = Collector {
        tree,
        resolved,
        known,
        id: StatementId::default(),
        position: FlowPosition::default(),
        namelists,
        results,
        called: Vec::new(),
        is_certain: true,
        in_call: false,
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

/// The variables that hold what a procedure returns: the result variables of a function and of its ENTRY statements,
/// the scalar dummy arguments of a subroutine that it may change and that are no structures.
fn results(tree: &Tree, resolved: &Resolved, statements: &[StatementId]) -> Vec<SymbolId> {
    let Some(&last) = statements.last() else { return Vec::new() };
    let mut results = Vec::new();
    for &id in statements {
        let kind = &tree.statements[id].kind;
        let (name, suffix) = if let StatementKind::Function(subprogram) = kind {
            (subprogram.name, &subprogram.suffix)
        } else if let StatementKind::Entry { name, suffix, .. } = kind {
            (*name, suffix)
        } else {
            if let StatementKind::Subroutine(subprogram) = kind {
                let dummies = subprogram.dummies.iter().filter_map(|dummy| match dummy {
                    DummyArgument::Name(name) => resolved.symbol_at(last, name.name),
                    DummyArgument::Star => None,
                });
                let is_given = |&symbol: &SymbolId| {
                    let of = resolved.symbol(symbol);
                    let is_structure = of.type_.as_ref().is_some_and(|type_| type_.derived().is_some());
                    of.shape.is_none() && of.intent != Some(Intent::In) && !is_structure
                };
                results.extend(dummies.filter(is_given));
            }
            continue;
        };
        let name = suffix.result.unwrap_or(name);
        // Its own statement stands in the scope around the function.
        let symbol = resolved.symbol_at(last, name.name);
        results.extend(symbol.filter(|&symbol| resolved.symbol(symbol).is_result));
    }
    results
}

/// Collects effects; CALLs see [`super::called`].
pub(super) struct Collector<'t> {
    pub(super) tree: &'t Tree,
    pub(super) resolved: &'t Resolved,
    pub(super) known: &'t Known<'t>,
    pub(super) id: StatementId,
    pub(super) position: FlowPosition,
    /// The NAMELIST statements of the unit.
    namelists: Vec<StatementId>,
    /// The variables that hold what the unit returns.
    results: Vec<SymbolId>,
    /// The references to functions in the statement.
    called: Vec<&'t Part>,
    /// Whether the statement is executed whenever control comes to it: not the action of a one-line IF.
    is_certain: bool,
    /// Whether what is defined is an argument of a CALL.
    pub(super) in_call: bool,
    pub(super) effects: Effects,
}

impl<'t> StatementVisitor<'t> for Collector<'t> {
    fn names(&self) -> &'t NameTable {
        &self.tree.names
    }

    /// Whether it is executed, its condition says.
    fn action(&mut self, action: &'t Statement) {
        let before = std::mem::replace(&mut self.is_certain, false);
        self.kind(&action.kind);
        self.is_certain = before;
    }

    /// A statement that was not understood may define every name in its text, and call anything.
    fn not_understood(&mut self) {
        self.effects.calls.push(self.position);
        let statement = &self.tree.statements[self.id];
        for name in names_in_text(self.tree, statement) {
            self.define_name(name, DefinitionKind::Unparsed, false);
        }
    }
}

impl<'t> Visitor<'t> for Collector<'t> {
    fn name(&mut self, name: Identifier, access: Access) {
        match access {
            Access::Assigned | Access::DoVariable => {
                self.define_name(name.name, DefinitionKind::Other, self.is_certain)
            }
            // The variable of FORALL, of DO CONCURRENT and of an array constructor is another one than that outside.
            Access::Index
            | Access::Read
            | Access::Output
            | Access::Listed
            | Access::Bound
            | Access::Declared
            | Access::Named => {}
            // These don't stand alone.
            Access::PointerAssigned
            | Access::Nullified
            | Access::Allocated
            | Access::Deallocated
            | Access::Input
            | Access::Specifier
            | Access::OutputUnit
            | Access::Synchronized
            | Access::Argument
            | Access::Called
            | Access::Selector
            | Access::Initialized
            | Access::Equivalenced => self.define_name(name.name, DefinitionKind::Other, false),
        }
    }

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        if access == Access::Called {
            return self.call(reference);
        }
        self.note_call(reference);
        match access {
            Access::Assigned | Access::DoVariable | Access::PointerAssigned | Access::Nullified | Access::Input => {
                self.define(reference, DefinitionKind::Other, self.is_certain)
            }
            Access::Allocated | Access::Deallocated | Access::Specifier | Access::Synchronized | Access::Argument => {
                self.define(reference, DefinitionKind::Other, false)
            }
            Access::OutputUnit => self.output_unit(reference),
            // It has that value, or that storage, before anything is executed.
            Access::Initialized | Access::Equivalenced => {}
            Access::Read
            | Access::Output
            | Access::Selector
            | Access::Called
            | Access::Index
            | Access::Listed
            | Access::Bound
            | Access::Declared
            | Access::Named => {}
        }
        walk_reference(self, reference, access);
    }

    fn expression(&mut self, expression: &'t Expression, access: Access) {
        if access == Access::Selector {
            walk_subexpressions(expression, &mut |inner| self.uses_scalar(inner, false));
        }
        // The list of an implied DO may be empty.
        let is_certain = self.is_certain && !matches!(expression.kind, ExpressionKind::ImpliedDo(_));
        let before = std::mem::replace(&mut self.is_certain, is_certain);
        walk_expression(self, expression, access);
        self.is_certain = before;
    }
}

impl<'t> Collector<'t> {
    fn statement(&mut self, statement: &'t Statement) {
        self.kind(&statement.kind);
        // What a preprocessor makes of an assignment is not known: it may define more, and what it defines is no known
        // value.
        if matches!(statement.kind, StatementKind::Assignment { .. }) && self.tree.hides(self.id) {
            for name in names_in_text(self.tree, statement) {
                self.define_name(name, DefinitionKind::Unparsed, false);
            }
        }
        self.function_calls();
    }

    fn kind(&mut self, kind: &'t StatementKind) {
        use StatementKind as Kind;
        match kind {
            Kind::Assignment { target, value } if !is_statement_function(self.resolved, self.id, target) => {
                self.assignment(target, value);
            }
            // It executes nothing, but what it calls is called wherever it is referenced.
            Kind::Assignment { target: _, value } => self.expression(value, Access::Read),
            Kind::InputOutput(transfer) => self.transfer(transfer, kind),
            Kind::Return(_) => {
                walk_statement(self, kind);
                self.returns();
            }
            Kind::If { condition, .. }
            | Kind::IfThen(condition)
            | Kind::ElseIf(condition, _)
            | Kind::SelectCase(condition) => {
                self.tests(condition);
                walk_statement(self, kind);
            }
            // What these do, the access of each of their names tells.
            Kind::PointerAssignment { .. }
            | Kind::Call { .. }
            | Kind::Allocate { .. }
            | Kind::Deallocate { .. }
            | Kind::Nullify(_)
            | Kind::GoTo(_)
            | Kind::ComputedGoTo(..)
            | Kind::AssignedGoTo(..)
            | Kind::Assign(..)
            | Kind::ArithmeticIf(..)
            | Kind::Continue
            | Kind::Cycle(_)
            | Kind::Exit(_)
            | Kind::Stop { .. }
            | Kind::Pause(_)
            | Kind::ImageControl { .. }
            | Kind::MacroStatement(_)
            | Kind::Unparsed(_)
            | Kind::Else(_)
            | Kind::Do { .. }
            | Kind::Case { .. }
            | Kind::SelectType(_)
            | Kind::TypeGuard(..)
            | Kind::SelectRank(_)
            | Kind::RankCase(..)
            | Kind::Where { .. }
            | Kind::WhereConstruct(_)
            | Kind::ElseWhere(..)
            | Kind::Forall { .. }
            | Kind::ForallConstruct(_)
            | Kind::Associate(_)
            | Kind::Block
            | Kind::Critical(_)
            | Kind::ChangeTeam { .. }
            | Kind::End { .. } => walk_statement(self, kind),
            // These are not executed; the functions in the bounds of what they declare are called when the unit is
            // entered.
            declarative!() | Kind::CrayPointer(_) => walk_statement(self, kind),
        }
    }

    /// Notes the integers that a condition uses: what they are may say where a loop stands.
    fn tests(&mut self, condition: &Expression) {
        walk_subexpressions(condition, &mut |inner| {
            let Some((symbol, components)) = self.scalar(inner) else { return };
            if self.resolved.symbol(symbol).type_.is_some_and(|type_| type_.is_integer()) {
                self.uses((symbol, components), false);
            }
        });
    }

    /// The unit returns its results to its caller.
    fn returns(&mut self) {
        let results = std::mem::take(&mut self.results);
        results.iter().for_each(|&symbol| self.uses((symbol, Vec::new()), true));
        self.results = results;
    }

    /// An input/output statement that may end otherwise than by reading all its items defines none of them for sure.
    fn transfer(&mut self, transfer: &'t InputOutput, kind: &'t StatementKind) {
        let keywords = transfer.control.iter().filter_map(|control| control.keyword);
        let may_end_early =
            |keyword: Identifier| matches!(self.tree.names.text(keyword.name), "err" | "end" | "eor" | "iostat");
        let is_certain = self.is_certain && !keywords.into_iter().any(may_end_early);
        let before = std::mem::replace(&mut self.is_certain, is_certain);
        walk_statement(self, kind);
        self.is_certain = before;
        if transfer.operation.is_input() {
            transfer.control.iter().filter_map(|control| control.value.as_ref()).for_each(|value| self.namelist(value));
        }
    }

    /// R1201 io-unit of WRITE: what is no number may be an internal file.
    fn output_unit(&mut self, unit: &Reference) {
        let symbol = unit.as_name().and_then(|name| self.resolved.symbol_at(self.id, name.name));
        let is_number = symbol
            .and_then(|symbol| self.resolved.symbol(symbol).type_)
            .is_some_and(|type_| type_.base == BaseType::Integer);
        if !is_number {
            self.define(unit, DefinitionKind::Other, false);
        }
    }

    /// Reading a namelist group may define every variable in it.
    fn namelist(&mut self, group: &Expression) {
        let ExpressionKind::Reference(reference) = &group.kind else { return };
        let Some(name) = reference.as_name().map(|name| name.name) else { return };
        let tree = self.tree;
        let groups = self.namelists.iter().flat_map(|&id| {
            if let StatementKind::Namelist(groups) = &tree.statements[id].kind { groups.as_slice() } else { &[] }
        });
        let entities: Vec<Name> = groups
            .filter(|group| group.name.is_some_and(|of| of.name == name))
            .flat_map(|group| group.entities.iter().map(|entity| entity.name.name))
            .collect();
        entities.into_iter().for_each(|entity| self.define_name(entity, DefinitionKind::Other, false));
    }

    fn assignment(&mut self, target: &'t Reference, value: &'t Expression) {
        self.define(target, DefinitionKind::Assigned, self.is_certain);
        self.uses_value(value);
        walk_subexpressions(value, &mut |expression| self.note_call_in(expression));
        walk_indices(target, &mut |expression| {
            self.uses_scalar(expression, true);
            self.note_call_in(expression);
        });
    }

    /// Notes the scalars that flow into the value of an expression.
    pub(super) fn uses_value(&mut self, value: &'t Expression) {
        // The statement functions that the value refers to, directly or through others.
        let mut functions: Vec<StatementId> = Vec::new();
        walk_subexpressions(value, &mut |expression| {
            self.uses_scalar(expression, true);
            self.note_statement_function(expression, &mut functions);
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
    }

    /// The scalar variable that an expression is.
    fn scalar(&self, expression: &Expression) -> Option<(SymbolId, Vec<Name>)> {
        let ExpressionKind::Reference(reference) = &expression.kind else { return None };
        scalar_of(self.tree, self.resolved, self.id, reference)
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
    pub(super) fn uses(&mut self, (symbol, components): (SymbolId, Vec<Name>), flows: bool) {
        let variable = self.effects.variables.intern(symbol, components);
        self.effects.uses.push(Use { position: self.position, variable, flows });
    }

    /// Notes that it uses what an expression is, if that is a scalar.
    pub(super) fn uses_scalar(&mut self, expression: &Expression, flows: bool) {
        if let Some(scalar) = self.scalar(expression) {
            self.uses(scalar, flows);
        }
    }

    /// A definition of the scalar that a reference is; of an array element it is none. The variable or array that it is
    /// a part of may change in any case.
    pub(super) fn define(&mut self, target: &Reference, kind: DefinitionKind, kills: bool) {
        let first = target.parts.first().map(|part| part.name.name);
        let Some(symbol) = first.and_then(|name| self.resolved.symbol_at(self.id, name)) else { return };
        if may_be_scalar(target)
            && let Some((symbol, components)) = scalar_at(self.tree, self.resolved, self.id, target, symbol)
        {
            let variable = self.effects.variables.intern(symbol, components);
            let kind = if self.in_call { DefinitionKind::Called } else { kind };
            // A substring leaves the rest of the variable as it was.
            let kills = kills && target.parts.iter().all(|part| part.lists.is_empty());
            self.effects.definitions.push(Definition { position: self.position, variable, kind, kills });
        }
        self.change(symbol);
    }

    /// Notes that a variable may change, and with an associate name the variable that has what it stands for (19.6.7).
    fn change(&mut self, symbol: SymbolId) {
        let mut changed = canonical(self.resolved, symbol);
        self.effects.changes.push((changed, self.position));
        while let Some((statement, selector)) = selector_of(self.tree, self.resolved, changed)
            && let ExpressionKind::Reference(Reference { parts }) = &selector.kind
            && let Some(first) = parts.first()
            && let Some(variable) = self.resolved.symbol_at(statement, first.name.name)
            && variable != changed
        {
            changed = canonical(self.resolved, variable);
            self.effects.changes.push((changed, self.position));
        }
    }

    fn define_name(&mut self, name: Name, kind: DefinitionKind, kills: bool) {
        if let Some(symbol) = self.resolved.symbol_at(self.id, name) {
            let symbol = canonical(self.resolved, symbol);
            let variable = self.effects.variables.intern(symbol, Vec::new());
            self.effects.definitions.push(Definition { position: self.position, variable, kind, kills });
            self.change(symbol);
        }
    }

    /// A variable handed to a function, which may change it.
    fn passed(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Reference(reference) => self.define(reference, DefinitionKind::Other, false),
            ExpressionKind::PercentFunction(_, inner) => self.passed(inner),
            ExpressionKind::Conditional(branches, otherwise) => {
                branches.iter().for_each(|(_, value)| self.passed(value));
                self.passed(otherwise);
            }
            // Values.
            ExpressionKind::Literal(_)
            | ExpressionKind::Complex(_)
            | ExpressionKind::Substring(..)
            | ExpressionKind::Parenthesised(_)
            | ExpressionKind::Unary(..)
            | ExpressionKind::Binary(_)
            | ExpressionKind::ArrayConstructor { .. }
            | ExpressionKind::ImpliedDo(_)
            | ExpressionKind::Star
            | ExpressionKind::Nil
            | ExpressionKind::Repeat(..) => {}
        }
    }

    /// Notes the function that an expression calls, apart from those in its operands and arguments.
    fn note_call_in(&mut self, expression: &'t Expression) {
        if let ExpressionKind::Reference(reference) = &expression.kind {
            self.note_call(reference);
        }
    }

    /// Notes the function that a reference calls, apart from those that it calls inside.
    fn note_call(&mut self, reference: &'t Reference) {
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

    /// Functions of the program may change their arguments and what is not local, as subroutines may; intrinsic ones
    /// don't.
    fn function_calls(&mut self) {
        if self.called.is_empty() {
            return;
        }
        self.effects.calls.push(self.position);
        let called = std::mem::take(&mut self.called);
        for argument in called.iter().flat_map(|part| &part.lists).flat_map(|list| &list.items) {
            if let ArgumentValue::Expression(value) = &argument.value {
                self.passed(value);
            }
        }
    }

    fn is_pure(&self, function: SymbolId) -> bool {
        let kind = &self.resolved.symbol(function).kind;
        let is_declared = matches!(kind, SymbolKind::Function { interface: Some(interface) } if interface.is_pure);
        is_declared || (self.known.changes_nothing)(function)
    }
}

/// Whether an expression is a dummy argument of the statement function with this left side.
fn is_dummy_of(target: &Reference, expression: &Expression) -> bool {
    let single = |expression: &Expression| {
        let ExpressionKind::Reference(reference) = &expression.kind else { return None };
        reference.as_name().map(|name| name.name)
    };
    let dummies = target.parts.iter().flat_map(|part| &part.lists).flat_map(|list| &list.items);
    let mut names = dummies.filter_map(|item| {
        let ArgumentValue::Expression(dummy) = &item.value else { return None };
        single(dummy)
    });
    single(expression).is_some_and(|name| names.any(|dummy| dummy == name))
}
