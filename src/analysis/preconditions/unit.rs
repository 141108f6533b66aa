//! A unit under analysis: its variables, and where its statements stand.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::build;
use super::formula::{Formula, Kind, Place, Root, Type, Unknown, Variable};
use super::passed::{ExternalArgument, Reasons};
use super::procedure::Procedure;
use super::substitute::substitute;
use crate::analysis::obligations::DeclaredArrays;
use crate::flow::{FlowPosition, UnitFlow, canonical};
use crate::names::{BaseType, Resolved, ScopeKind, SymbolId, SymbolType};
use crate::procedures::FileProcedures;
use crate::source::Span;
use crate::syntax::{Expression, ExpressionKind, Reference, StatementId, StatementKind, Tree, UnitId};

/// What a unit is analysed with.
pub struct UnitContext<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The procedures of the file.
    pub procedures: &'t FileProcedures<'t>,
    /// The flow of the unit.
    pub flow: &'t UnitFlow,
    /// What the file declares.
    pub declared: &'t DeclaredArrays<'t>,
    /// The initial values that declarations of the file give.
    pub initial: &'t super::initial::InitialValues<'t>,
    /// The dummy arguments in order.
    pub dummies: Vec<Option<SymbolId>>,
    /// What is known of the procedures that it calls.
    pub callees: &'t dyn Callees,
    variables: RefCell<FxHashMap<SymbolId, Formula>>,
    places: RefCell<FxHashMap<StatementId, Place>>,
    /// Expressions by their statement and their place in memory.
    lowered: RefCell<FxHashMap<(StatementId, usize), Formula>>,
    next_unknown: Cell<u32>,
    changed_at: FxHashMap<FlowPosition, Vec<SymbolId>>,
    /// The variables that change, if at all, only by what external procedures do that need the unit in turn, each with
    /// the arguments by which it is passed to them.
    pub passed_to: FxHashMap<SymbolId, Vec<ExternalArgument>>,
    /// The statements that refer to functions of the program.
    with_functions: FxHashSet<StatementId>,
    /// Variables of the unit that pointers may point to.
    pub targets: Vec<Root>,
    /// Those, and others of the unit that internal procedures may change: a call may change them without being given
    /// them.
    pub exposed: Vec<Root>,
}

/// The procedures that a unit calls.
pub trait Callees {
    /// What a reference of a statement calls; `None` if it calls none of the program's procedures.
    fn callee(&self, statement: StatementId, reference: &Reference) -> Option<Callee>;

    /// Whether it calls a procedure of which the files have several that differ.
    fn is_one_of_several(&self, statement: StatementId, reference: &Reference) -> bool;
}

/// A procedure that is called.
#[derive(Clone, Debug)]
pub struct Callee {
    /// What is known of it.
    pub procedure: Option<Arc<Procedure>>,
    /// Its name, lower case, if it is an external procedure of another file.
    pub external: Option<String>,
    /// The object that a type-bound procedure is passed, and the position of its dummy argument.
    pub passed: Option<(usize, Reference)>,
}

impl<'t> UnitContext<'t> {
    /// A unit with its parts.
    pub fn new(
        procedures: &'t FileProcedures<'t>,
        flow: &'t UnitFlow,
        declared: &'t DeclaredArrays<'t>,
        initial: &'t super::initial::InitialValues<'t>,
        dummies: Vec<Option<SymbolId>>,
        changed_by_internal: &BTreeSet<SymbolId>,
        callees: &'t dyn Callees,
    ) -> Self {
        let mut changed_at: FxHashMap<FlowPosition, Vec<SymbolId>> = FxHashMap::default();
        for &(symbol, position) in &flow.effects.changes {
            changed_at.entry(position).or_default().push(canonical(procedures.resolved, symbol));
        }
        let mut made = UnitContext {
            tree: procedures.tree,
            resolved: procedures.resolved,
            procedures,
            flow,
            declared,
            initial,
            dummies,
            callees,
            variables: RefCell::default(),
            places: RefCell::default(),
            lowered: RefCell::default(),
            next_unknown: Cell::new(0),
            changed_at: FxHashMap::default(),
            passed_to: FxHashMap::default(),
            with_functions: FxHashSet::default(),
            targets: Vec::new(),
            exposed: Vec::new(),
        };
        made.targets = made.found_targets();
        let by_internal = changed_by_internal.iter().map(|&symbol| made.root(symbol));
        let is_own = |root: &Root| matches!(root, Root::Dummy(_) | Root::Local(_));
        made.exposed = made.targets.iter().cloned().chain(by_internal.filter(is_own)).collect();
        for &id in &flow.statements {
            let mut has_any = false;
            made.each_function_of(id, &mut |_| has_any = true);
            if has_any {
                made.with_functions.insert(id);
            }
        }
        let mut reasons = Reasons::default();
        for (position, symbols) in &mut changed_at {
            *symbols = made.without_kept(flow.statements[*position], symbols, &mut reasons);
        }
        made.passed_to = reasons.passed_only();
        made.changed_at = changed_at;
        made
    }

    /// Dummy arguments with TARGET, and what pointers are assigned to.
    fn found_targets(&self) -> Vec<Root> {
        let mut symbols: BTreeSet<SymbolId> = self.dummies.iter().copied().flatten().collect();
        for &id in &self.flow.statements {
            let kind = &self.tree.statements[id].kind;
            let StatementKind::PointerAssignment { value, .. } = kind.executed() else {
                continue;
            };
            let ExpressionKind::Reference(reference) = &value.kind else { continue };
            let symbol = reference.parts.first().and_then(|part| self.resolved.symbol_at(id, part.name.name));
            symbols.extend(symbol.map(|symbol| canonical(self.resolved, symbol)));
        }
        symbols.retain(|&symbol| self.resolved.symbol(symbol).is_target);
        symbols.into_iter().map(|symbol| self.root(symbol)).collect()
    }

    /// An expression as a formula, if that was found out. What is unknown in it is another value each time.
    pub fn lowered(&self, statement: StatementId, expression: &Expression) -> Option<Formula> {
        let known = self.lowered.borrow().get(&(statement, std::ptr::from_ref(expression).addr())).cloned()?;
        if !known.has_unknown() {
            return Some(known);
        }
        let mut renewed: FxHashMap<u32, Formula> = FxHashMap::default();
        Some(substitute(&known, &mut |node| match node.kind() {
            Kind::Unknown(of) => {
                let new = || self.unknown(of.shown.clone(), of.place.clone(), of.type_, of.rank);
                Some(renewed.entry(of.number).or_insert_with(new).clone())
            }
            _ => (!node.has_unknown()).then(|| node.clone()),
        }))
    }

    /// Remembers an expression as a formula.
    pub fn note_lowered(&self, statement: StatementId, expression: &Expression, formula: &Formula) {
        self.lowered.borrow_mut().insert((statement, std::ptr::from_ref(expression).addr()), formula.clone());
    }

    /// The unit.
    pub fn unit(&self) -> UnitId {
        self.flow.unit
    }

    /// Where a span stands.
    pub fn place(&self, span: Span) -> Place {
        let (path, start, _) = self.tree.source.texts.locate(span);
        Place { file: Arc::from(path), line: start.line, column: start.column }
    }

    /// Where a statement stands.
    pub fn place_of(&self, statement: StatementId) -> Place {
        let new = || self.place(self.tree.statements[statement].span);
        self.places.borrow_mut().entry(statement).or_insert_with(new).clone()
    }

    /// A value of which nothing is known.
    pub fn unknown(&self, shown: impl Into<Arc<str>>, place: Place, type_: Type, rank: u8) -> Formula {
        let number = self.next_unknown.get() + 1;
        self.next_unknown.set(number);
        Formula::new(Kind::Unknown(Arc::new(Unknown { number, shown: shown.into(), place, type_, rank })))
    }

    /// A truth value of which nothing is known, and that is not shown.
    pub fn unknown_truth(&self, statement: StatementId) -> Formula {
        self.unknown("", self.place_of(statement), Type::Logical, 0)
    }

    /// A value of which nothing is known, in the place of an expression.
    pub fn unknown_expression(&self, statement: StatementId, expression: &Expression) -> Formula {
        let text = String::from_utf8_lossy(self.tree.source.texts.bytes(expression.span)).into_owned();
        let rank = self.resolved.rank(self.tree, statement, expression).unwrap_or(0);
        self.unknown(text, self.place(expression.span), Type::Other, rank)
    }

    /// The value that a variable has.
    pub fn variable(&self, symbol: SymbolId) -> Formula {
        let symbol = canonical(self.resolved, symbol);
        if let Some(known) = self.variables.borrow().get(&symbol) {
            return known.clone();
        }
        let of = self.resolved.symbol(symbol);
        let variable = Variable {
            root: self.root(symbol),
            name: Arc::from(self.tree.names.text(of.name)),
            type_: of.type_.map_or(Type::Other, type_of),
            rank: of.shape.as_ref().map_or(0, |shape| shape.rank),
            is_optional: of.is_optional,
        };
        let made = build::value(Arc::new(variable));
        self.variables.borrow_mut().insert(symbol, made.clone());
        made
    }

    /// What a variable is known by.
    pub fn root(&self, symbol: SymbolId) -> Root {
        let at = self.dummies.iter().position(|dummy| *dummy == Some(symbol));
        if let Some(at) = at.and_then(|at| u32::try_from(at).ok()) {
            return Root::Dummy(at);
        }
        let of = self.resolved.symbol(symbol);
        let name = self.tree.names.text(of.name);
        let local = Root::Local(symbol.raw());
        if of.in_common {
            return self.declared.common_name(symbol).map_or(local, |name| Root::Global(Arc::from(name)));
        }
        if let Some(origin) = self.resolved.origin(self.tree, symbol) {
            return Root::Global(Arc::from(format!("{}::{}", origin.module, origin.name)));
        }
        let ScopeKind::Unit(owner) = self.resolved.scope_kind(of.scope) else { return local };
        if of.use_associated {
            let module = crate::analysis::obligations::module_name(self.tree, owner);
            return Root::Global(Arc::from(format!("{module}::{name}")));
        }
        if owner != self.unit() {
            return Root::Host(
                Arc::from(crate::analysis::stencil::computations::unit_path(self.tree, owner)),
                name.into(),
            );
        }
        local
    }

    /// The variables and arrays that the statement at a position may change.
    pub fn changed_at(&self, position: FlowPosition) -> &[SymbolId] {
        self.changed_at.get(&position).map_or(&[], Vec::as_slice)
    }

    /// Whether a statement refers to functions of the program.
    pub fn has_functions(&self, id: StatementId) -> bool {
        self.with_functions.contains(&id)
    }

    /// Whether the statement at a position calls something that may change any variable that is not local.
    pub fn calls_at(&self, position: FlowPosition) -> bool {
        self.flow.effects.calls.binary_search(&position).is_ok()
    }
}

/// A type, as far as expressions depend on it.
pub fn type_of(type_: SymbolType) -> Type {
    let kind = |default: u8| type_.kind.map_or(default, |kind| u8::try_from(kind).unwrap_or(0));
    match type_.base {
        BaseType::Integer => Type::Integer(kind(4)),
        BaseType::Byte => Type::Integer(1),
        BaseType::Real => Type::Real(kind(4)),
        BaseType::DoublePrecision => Type::Real(8),
        BaseType::Logical => Type::Logical,
        BaseType::Character => Type::Character(type_.length.and_then(|length| u32::try_from(length).ok())),
        BaseType::Complex
        | BaseType::DoubleComplex
        | BaseType::Derived(_)
        | BaseType::Class(_)
        | BaseType::Unlimited
        | BaseType::Unknown => Type::Other,
    }
}
