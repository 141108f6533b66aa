//! What a statement does to the values of variables and the shapes of arrays.

use std::collections::BTreeSet;

use thin_vec::ThinVec;

use crate::flow::{FlowPosition, canonical, is_statement_function};
use crate::intrinsics::{LibraryProcedure, library_procedure};
use crate::names::{BaseType, Dummy, PartClass, SymbolId, SymbolKind, SymbolType};
use crate::symbolic::{Atom, Condition, constant};
use crate::syntax::visit::{Access, walk_references};
use crate::syntax::{Argument, Expression, ExpressionKind, Intent, NameTable, Reference, StatementId, StatementKind};
use crate::values::ArrayKey;

use super::place::Origin;
use super::point::Point;
use super::region::RegionId;
use super::state::{Dimension, Dimensions, State};
use super::summary::{Procedure, SharedChanges};
use super::unit::{Unit, from_extent};

/// Where and under what a statement is executed.
#[derive(Clone)]
pub struct Place<'s> {
    /// Its position.
    pub position: FlowPosition,
    /// The regions around it.
    pub chain: &'s [RegionId],
    /// Under what it is reached.
    pub reached: &'s Condition,
}

impl<'t> Unit<'t> {
    /// Executes a statement.
    pub fn step(&mut self, state: &mut State, at: &Place<'_>) {
        let tree = self.tree;
        let id = self.flow.statements[at.position];
        let before = state.clone();
        let kind = &tree.statements[id].kind;
        self.act(&before, state, at, id, kind);
    }

    pub(super) fn point<'p>(&'p mut self, state: &'p State, at: &Place<'_>, statement: StatementId) -> Point<'p, 't> {
        let chain = at.chain.to_vec();
        let bound = chain.iter().flat_map(|&region| self.regions[region].names.clone()).collect();
        Point { unit: self, state, statement, chain, reached: at.reached.clone(), bound }
    }

    fn act(&mut self, before: &State, state: &mut State, at: &Place<'_>, id: StatementId, kind: &'t StatementKind) {
        if let StatementKind::If { condition, action } = kind {
            let value = self.point(before, at, id).condition(condition);
            let mut evaluated = before.clone();
            self.define_what_unknown_may(&mut evaluated, at, id, &StatementKind::IfThen(condition.clone()));
            let mut changed = evaluated.clone();
            self.act(&evaluated, &mut changed, at, id, &action.kind);
            let region = at.chain.last().copied().unwrap_or_default();
            *state = self.join(&[(value.not(), evaluated), (value, changed)], region);
            return;
        }
        let mut known: BTreeSet<ArrayKey> = BTreeSet::new();
        match kind {
            StatementKind::Assignment { target, value } if !is_statement_function(self.resolved, id, target) => {
                self.assign(before, state, at, id, target, value, &mut known);
            }
            StatementKind::Allocate { objects, options, .. } => {
                for object in objects {
                    self.allocate(before, state, at, id, object, options);
                }
            }
            StatementKind::Deallocate { objects, .. } | StatementKind::Nullify(objects) => {
                for object in objects {
                    if let Some(key) = self.key_of(id, object) {
                        state.arrays.insert(key, None);
                    }
                }
            }
            StatementKind::PointerAssignment { target, value } => {
                self.point_to(before, state, at, id, target, value);
            }
            StatementKind::Associate(_) => self.associate(before, state, at, id, kind),
            StatementKind::Block => self.declare_in_block(before, state, id),
            _ => {}
        }
        for reference in self.reshaped_by(id, kind) {
            self.forget_aliases(state, id, reference);
        }
        self.define_what_unknown_may(state, at, id, kind);
        self.havoc_defined(before, state, at, &known);
        if let StatementKind::Call { procedure } = kind {
            self.move_allocation(before, state, id, procedure);
        }
    }

    /// The variable that a reference is, with its components, if each part but the last has no subscripts.
    pub(super) fn key_of(&self, id: StatementId, reference: &Reference) -> Option<ArrayKey> {
        let symbol = self.resolved.symbol_at(id, reference.parts.first()?.name.name)?;
        let (_, before) = reference.parts.split_last()?;
        let is_one = before.iter().all(|part| part.lists.is_empty());
        is_one.then(|| ArrayKey::new(canonical(self.resolved, symbol), &reference.parts))
    }

    #[allow(clippy::too_many_arguments, reason = "they are the statement and where it stands")]
    fn assign(
        &mut self,
        before: &State,
        state: &mut State,
        at: &Place<'_>,
        id: StatementId,
        target: &'t Reference,
        value: &'t Expression,
        known: &mut BTreeSet<ArrayKey>,
    ) {
        let Some(key) = self.key_of(id, target) else { return };
        let last_has_list = target.parts.last().is_some_and(|part| !part.lists.is_empty());
        let class = self.resolved.classify(self.tree, id, target).last().copied();
        let type_ = self.resolved.type_of(self.tree, id, target).filter(|_| !last_has_list);
        let is_logical = type_.is_some_and(|type_| type_.base == BaseType::Logical);
        let is_integer = type_.is_some_and(|type_| type_.is_integer());
        match class {
            Some(PartClass::Scalar) if is_logical && !self.tree.hides(id) => {
                let truth = self.point(before, at, id).truth(value);
                state.scalars.insert(key.clone(), truth);
                known.insert(key.clone());
            }
            Some(PartClass::Scalar) if is_integer && !self.tree.hides(id) => {
                let mut point = self.point(before, at, id);
                let is_number = point.is_integer(value);
                let term = if is_number { Some(point.integer(value)) } else { None };
                if let Some(term) = term {
                    state.scalars.insert(key.clone(), term);
                    known.insert(key.clone());
                }
            }
            Some(PartClass::Array { rank: 1.. }) if !last_has_list && self.is_allocatable(id, target) => {
                let mut point = self.point(before, at, id);
                let (old, whole) = (point.dimensions(target), point.whole_array(value));
                let shape = point.shape(value);
                let new = match shape {
                    // A scalar leaves the shape as it is.
                    Some(extents) if extents.is_empty() => old,
                    Some(extents) => self.reallocated(old, whole, extents, at),
                    None => old.map(|old| self.fresh_dimensions(&key, old.len(), at)),
                };
                state.arrays.insert(key.clone(), new);
            }
            _ => {}
        }
        // The components of a structure are allocated anew, or point elsewhere (10.2.1.3).
        if self.is_structure(id, target) {
            self.forget_components(state, &key);
        }
    }

    /// Forgets the shapes of components that may have changed as those of another object: what a statement gives a
    /// shape may be the same, as one of them is a pointer or what pointers point to.
    fn forget_aliases(&mut self, state: &mut State, id: StatementId, reference: &Reference) {
        let Some(symbol) = reference.parts.first().and_then(|part| self.resolved.symbol_at(id, part.name.name)) else {
            return;
        };
        let symbol = canonical(self.resolved, symbol);
        let is_seen_twice = |symbol: SymbolId| {
            let of = self.resolved.symbol(symbol);
            of.is_pointer || of.is_target
        };
        if !is_seen_twice(symbol) {
            return;
        }
        let others: Vec<SymbolId> =
            self.mentioned.keys().copied().filter(|&other| other != symbol && is_seen_twice(other)).collect();
        for symbol in others {
            self.forget_components(state, &ArrayKey { symbol, components: Vec::new() });
        }
    }

    /// Whether a reference is a structure, or may be one, as its type is not known.
    pub(super) fn is_structure(&self, id: StatementId, reference: &Reference) -> bool {
        let type_ = self.resolved.type_of(self.tree, id, reference);
        type_.is_none_or(|type_| type_.derived().is_some() || type_.base == BaseType::Unknown)
    }

    /// What a statement gives a shape, or may.
    fn reshaped_by(&self, id: StatementId, kind: &'t StatementKind) -> Vec<&'t Reference> {
        match kind {
            StatementKind::Allocate { objects, .. }
            | StatementKind::Deallocate { objects, .. }
            | StatementKind::Nullify(objects) => objects.iter().collect(),
            StatementKind::PointerAssignment { target, .. } => vec![target],
            StatementKind::Assignment { target, .. } => {
                let is_reshaped = self.is_structure(id, target) || self.assigned_array(id, kind).is_some();
                if is_reshaped { vec![target] } else { Vec::new() }
            }
            _ => Vec::new(),
        }
    }

    /// Gives new values to all that the statement may define, those left out of which the value is known.
    fn havoc_defined(&mut self, before: &State, state: &mut State, at: &Place<'_>, known: &BTreeSet<ArrayKey>) {
        let id = self.flow.statements[at.position];
        let calls = self.flow.effects.calls.binary_search(&at.position).is_ok();
        let definitions = &self.flow.effects.definitions;
        let first = definitions.as_raw_slice().partition_point(|definition| definition.position < at.position);
        let defined: Vec<ArrayKey> = definitions
            .iter()
            .skip(first)
            .take_while(|definition| definition.position == at.position)
            .map(|definition| ArrayKey {
                symbol: canonical(self.resolved, self.flow.effects.variables.symbol(definition.variable)),
                components: self.flow.effects.variables.components(definition.variable).to_vec(),
            })
            .chain(self.changed_arrays.get(&at.position).into_iter().flatten().cloned())
            .collect();
        if defined.is_empty() && !calls {
            return;
        }
        let (kept, changed) = self.what_calls_leave(id);
        for key in defined {
            if !known.contains(&key) && !kept.contains(&key) && !self.is_constant_in(key.symbol, at) {
                self.havoc_variable(state, &key, at);
                if calls {
                    self.note_what_calls_read(before, state, at, &key);
                }
            }
        }
        if calls && !changed.is_empty() {
            let is_changed = |&symbol: &SymbolId| {
                let in_common = self.resolved.symbol(symbol).in_common;
                self.is_shared(symbol)
                    && !self.is_constant_in(symbol, at)
                    && changed.has(in_common, || self.root(symbol))
            };
            let shared: Vec<SymbolId> = self.mentioned.keys().copied().filter(is_changed).collect();
            for symbol in shared {
                self.havoc_variable(state, &ArrayKey { symbol, components: Vec::new() }, at);
                self.havoc_arrays(before, state, symbol, at);
            }
        }
        if calls {
            for symbol in self.reshaped_by_calls(id) {
                self.havoc_arrays(before, state, symbol, at);
            }
        }
    }

    /// Gives new values to the variables between the parentheses behind names that nothing declares, as their files are
    /// not there: what looks like an array may be a function, which may define its arguments.
    fn define_what_unknown_may(&mut self, state: &mut State, at: &Place<'_>, id: StatementId, kind: &StatementKind) {
        let mut found: Vec<ArrayKey> = Vec::new();
        walk_references(&self.tree.names, kind, &mut |reference, access| {
            let [part] = reference.parts.as_slice() else { return };
            let symbol = self.resolved.symbol_at(id, part.name.name);
            let is_unknown = symbol.is_some_and(|symbol| self.resolved.symbol(symbol).is_doubtful);
            if is_unknown && matches!(access, Access::Read | Access::Output) {
                let arguments = part.lists.iter().flat_map(|list| &list.items).filter_map(argument_reference);
                found.extend(arguments.filter_map(|argument| self.key_of(id, argument)));
            }
        });
        for key in found {
            if !self.is_constant_in(key.symbol, at) {
                self.havoc_variable(state, &key, at);
            }
        }
    }

    /// A truth value that a call gives may say something of all numbers that the call has.
    fn note_what_calls_read(&mut self, before: &State, state: &State, at: &Place<'_>, key: &ArrayKey) {
        let of = self.resolved.symbol(key.symbol);
        let is_logical = key.components.is_empty() && of.type_.is_some_and(|type_| type_.base == BaseType::Logical);
        let place = state.scalars.get(key).and_then(|term| match term.single_term() {
            Some((Atom::Place(place), 1)) => Some(*place),
            _ => None,
        });
        let Some(place) = place.filter(|_| is_logical) else { return };
        let id = self.flow.statements[at.position];
        let arguments = self.called(id).into_iter().flat_map(|(reference, _)| reference.arguments());
        let arguments: Vec<&Expression> = arguments.filter_map(Argument::expression).collect();
        let mut point = self.point(before, at, id);
        let reads: Vec<_> = arguments.into_iter().flat_map(|argument| point.reads(argument)).collect();
        self.places.add_reads(place, reads);
    }

    /// Gives new values to all that the statement at a position may change, one variable left out; arrays that are
    /// assigned as wholes keep their shapes for now (see `havoc_assigned`).
    pub fn havoc_at(&mut self, before: &State, state: &mut State, at: &Place<'_>, except: Option<SymbolId>) {
        let id = self.flow.statements[at.position];
        let known = except.map(|symbol| ArrayKey { symbol, components: Vec::new() }).into_iter().collect();
        self.havoc_defined(before, state, at, &known);
        let kind = self.tree.statements[id].kind.executed();
        if self.assigned_array(id, kind).is_some() {
            return;
        }
        for reference in self.reshaped_by(id, kind) {
            self.havoc_shape(before, state, at, reference);
        }
    }

    /// Gives what a reference names, or has for components, shapes that are not known.
    pub(super) fn havoc_shape(&mut self, before: &State, state: &mut State, at: &Place<'_>, reference: &Reference) {
        let id = self.flow.statements[at.position];
        let symbol = reference.parts.first().and_then(|part| self.resolved.symbol_at(id, part.name.name));
        if let Some(symbol) = symbol {
            self.havoc_arrays(before, state, canonical(self.resolved, symbol), at);
        }
        self.forget_aliases(state, id, reference);
    }

    /// Whether a variable keeps its value: a dummy argument with INTENT(IN), or what a loop around counts.
    fn is_constant_in(&self, symbol: SymbolId, at: &Place<'_>) -> bool {
        let of = self.resolved.symbol(symbol);
        let is_counter = at.chain.iter().any(|&region| {
            let id = self.regions[region].of_loop;
            id.is_some_and(|id| {
                let of = &self.flow.loops.loops[id];
                of.first != at.position && self.counted_by(of.header) == Some(symbol)
            })
        });
        is_counter || of.intent == Some(Intent::In) || matches!(of.kind, SymbolKind::Parameter(_))
    }

    /// The variable that a DO statement counts.
    pub fn counted_by(&self, header: StatementId) -> Option<SymbolId> {
        let StatementKind::Do { control: crate::syntax::DoControl::Counted { variable, .. }, .. } =
            &self.tree.statements[header].kind
        else {
            return None;
        };
        let symbol = self.resolved.symbol_at(header, variable.as_name()?.name)?;
        Some(canonical(self.resolved, symbol))
    }

    /// Gives a variable, and all of its components, a value that is not known.
    pub fn havoc_variable(&mut self, state: &mut State, key: &ArrayKey, at: &Place<'_>) {
        let region = at.chain.last().copied().unwrap_or_default();
        let keys: Vec<ArrayKey> = self
            .mentioned
            .get(&key.symbol)
            .into_iter()
            .flatten()
            .filter(|other| other.components.starts_with(&key.components))
            .cloned()
            .chain([key.clone()])
            .collect();
        for key in keys {
            let text = self.name_of(&key);
            let term = self.places.term(text, region, Origin::Opaque(ThinVec::new()));
            state.scalars.insert(key, term);
        }
    }

    /// The name of a variable with its components.
    pub fn name_of(&self, key: &ArrayKey) -> String {
        let names = &self.tree.names;
        let mut text = names.text(self.resolved.symbol(key.symbol).name).to_owned();
        key.components.iter().for_each(|&component| text += &format!("%{}", names.text(component)));
        text
    }

    /// Gives the arrays that a variable is or has, and that may be allocated or point elsewhere, shapes that are not
    /// known.
    pub fn havoc_arrays(&mut self, before: &State, state: &mut State, symbol: SymbolId, at: &Place<'_>) {
        let of = self.resolved.symbol(symbol);
        let is_deferred = of.is_allocatable || of.is_pointer;
        let keys: Vec<ArrayKey> = self.mentioned.get(&symbol).into_iter().flatten().cloned().collect();
        for key in keys {
            if key.components.is_empty() && !is_deferred {
                continue;
            }
            let rank = match before.arrays.get(&key) {
                Some(Some(dimensions)) => Some(dimensions.len()),
                Some(None) => None,
                None if key.components.is_empty() => self.entry_dimensions(&key).map(|dimensions| dimensions.len()),
                None => None,
            };
            let new = rank.map(|rank| self.fresh_dimensions(&key, rank, at));
            if new.is_some() || !key.components.is_empty() {
                state.arrays.insert(key, new);
            }
        }
    }

    /// Dimensions of which nothing is known.
    pub(super) fn fresh_dimensions(&mut self, key: &ArrayKey, rank: usize, at: &Place<'_>) -> Dimensions {
        let region = at.chain.last().copied().unwrap_or_default();
        let name = self.name_of(key);
        let mut dimensions = Vec::with_capacity(rank);
        for dimension in 1..=rank {
            let lower = self.places.term(format!("lbound({name},{dimension})"), region, Origin::Opaque(ThinVec::new()));
            let text = if rank == 1 { format!("size({name})") } else { format!("size({name},{dimension})") };
            let extent = self.places.term(text, region, Origin::Opaque(ThinVec::new()));
            if let (Some(definition), Some((Atom::Place(place), _))) =
                (Condition::at_most(&constant(0), &extent), extent.single_term())
            {
                self.places.define(*place, definition);
            }
            dimensions.push(from_extent(lower, extent).unwrap_or(Dimension {
                lower: constant(1),
                upper: None,
                extent: None,
            }));
        }
        dimensions.into()
    }

    /// What is known of the components of an array that gets another shape.
    pub(super) fn forget_components(&mut self, state: &mut State, key: &ArrayKey) {
        let mentioned = self.mentioned.get(&key.symbol).into_iter().flatten();
        for other in mentioned {
            if other.components.len() > key.components.len() && other.components.starts_with(&key.components) {
                state.arrays.insert(other.clone(), None);
            }
        }
    }

    /// The arguments that the procedures called in a statement leave as they are, and what these may change that is not
    /// local.
    pub fn what_calls_leave(&self, id: StatementId) -> (BTreeSet<ArrayKey>, SharedChanges) {
        let (mut kept, mut changed) = (BTreeSet::new(), BTreeSet::new());
        let mut shared = SharedChanges::default();
        for (reference, symbol) in self.called(id) {
            let arguments: Vec<&Argument> = reference.arguments().collect();
            let dummies = symbol.and_then(|symbol| self.changed_by(id, symbol, reference, &mut shared));
            if dummies.is_none() {
                shared.add_all(&SharedChanges::any());
            }
            for (position, argument) in arguments.into_iter().enumerate() {
                let Some(of) = argument_reference(argument) else { continue };
                let Some(key) = self.key_of(id, of) else { continue };
                let may_change = dummies.as_ref().is_none_or(|dummies| dummies.iter().any(|changed| changed[position]));
                if may_change {
                    changed.insert(key)
                } else {
                    kept.insert(key)
                };
            }
        }
        kept.retain(|key| !changed.contains(key));
        (kept, shared)
    }

    /// Of each procedure that a symbol may mean where it is called, which of the arguments it may change; adds what
    /// else it may. `None` if it is not known.
    fn changed_by(
        &self,
        id: StatementId,
        symbol: SymbolId,
        reference: &Reference,
        shared: &mut SharedChanges,
    ) -> Option<Vec<Vec<bool>>> {
        let arguments: &[&Argument] = &reference.arguments().collect::<Vec<_>>();
        let callees = self.callees.callees(id, symbol, reference);
        if let [None] = callees.as_slice() {
            let of_library = self.changed_by_library(symbol, arguments);
            return Some(vec![of_library.or_else(|| self.changed_by_bound(symbol, arguments))?]);
        }
        let meant = callees.into_iter().filter_map(|callee| match callee {
            Some(callee) => {
                let changed = changed_arguments(&callee, arguments, &self.tree.names)?;
                shared.add_all(&callee.shared_changes);
                Some(Some(changed))
            }
            None => Some(None),
        });
        meant.collect::<Option<Vec<_>>>().filter(|meant| !meant.is_empty())
    }

    /// Which of the arguments a procedure of a library may change; `None` if it is none.
    fn changed_by_library(&self, symbol: SymbolId, arguments: &[&Argument]) -> Option<Vec<bool>> {
        let of = self.resolved.symbol(symbol);
        let may_be_external = matches!(
            of.kind,
            SymbolKind::Subroutine { .. }
                | SymbolKind::Function { .. }
                | SymbolKind::ExternalProcedure
                | SymbolKind::Unknown
        );
        let is_external = may_be_external && !of.is_dummy && !of.is_pointer;
        let procedure = library_procedure(self.tree.names.text(of.name)).filter(|_| is_external)?;
        let has_keyword = arguments.iter().any(|argument| argument.keyword.is_some());
        let is_changed = |position: usize| match procedure {
            LibraryProcedure::Changes(changed) => has_keyword || changed.contains(&position),
            LibraryProcedure::ChangesArguments => true,
        };
        Some((0..arguments.len()).map(is_changed).collect())
    }

    /// Which of the arguments a procedure with BIND(C) may change that is in no file; `None` if it is none. One in C
    /// knows no variables of modules but those that have BIND, too, or a pointer (Fortran 2023, 18.9), unless it is
    /// given a procedure to call.
    fn changed_by_bound(&self, symbol: SymbolId, arguments: &[&Argument]) -> Option<Vec<bool>> {
        let interface = self.resolved.symbol(symbol).kind.interface().filter(|interface| interface.is_bound)?;
        let is_plain = |dummy: &Dummy| {
            let is_intrinsic = |type_: SymbolType| type_.derived().is_none() && type_.base != BaseType::Unknown;
            !dummy.is_procedure && dummy.type_.is_some_and(is_intrinsic)
        };
        if !interface.dummies.iter().all(is_plain) {
            return None;
        }
        let changed = arguments.iter().enumerate().map(|(position, argument)| {
            let dummy = interface.dummy_for(argument, position, &self.tree.names)?;
            Some(!dummy.properties.value && dummy.properties.intent != Some(Intent::In))
        });
        changed.collect()
    }

    /// The procedures of the program that a statement calls, each with the symbol of its name.
    pub fn called(&self, id: StatementId) -> Vec<(&'t Reference, Option<SymbolId>)> {
        let mut found = Vec::new();
        walk_references(&self.tree.names, &self.tree.statements[id].kind, &mut |reference, access| {
            let classes = self.resolved.classify(self.tree, id, reference);
            let is_function =
                classes.contains(&PartClass::Function) && reference.parts.iter().any(|part| !part.lists.is_empty());
            if access == Access::Called || is_function {
                let symbol = match reference.parts.as_slice() {
                    [part] => self.resolved.symbol_at(id, part.name.name),
                    _ => None,
                };
                found.push((reference, symbol));
            }
        });
        found
    }

    /// The variables that calls in a statement may give another shape: what is passed to a dummy argument that is
    /// allocatable or a pointer, or to a procedure whose interface is not known; and the bases of components.
    fn reshaped_by_calls(&self, id: StatementId) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        for (reference, symbol) in self.called(id) {
            let interface = symbol.and_then(|symbol| self.resolved.symbol(symbol).kind.interface());
            // Without an explicit interface no dummy argument can be allocatable or a pointer (15.4.2.2).
            let is_implicit = interface.is_none()
                && symbol.is_some_and(|symbol| {
                    let of = self.resolved.symbol(symbol);
                    !of.use_associated && !matches!(of.kind, SymbolKind::Generic { .. })
                });
            for (position, argument) in reference.arguments().enumerate() {
                let Some(of) = argument_reference(argument) else { continue };
                let Some(key) = self.key_of(id, of) else { continue };
                let dummy = interface.and_then(|interface| interface.dummy_for(argument, position, &self.tree.names));
                let is_kept = match dummy {
                    Some(dummy) => {
                        let properties = dummy.properties;
                        let is_plain = !properties.allocatable && !properties.pointer;
                        let is_derived = dummy.type_.is_none_or(|type_| type_.derived().is_some());
                        properties.intent == Some(Intent::In) && !properties.pointer || is_plain && !is_derived
                    }
                    None => is_implicit,
                };
                if !is_kept {
                    found.insert(key.symbol);
                }
            }
        }
        if matches!(self.tree.statements[id].kind, StatementKind::Unparsed(_) | StatementKind::MacroStatement(_)) {
            for name in crate::flow::names_in_text(self.tree, &self.tree.statements[id]) {
                found.extend(self.resolved.symbol_at(id, name).map(|symbol| canonical(self.resolved, symbol)));
            }
        }
        found
    }
}

/// Of each argument of a call, whether a procedure may change it; `None` if it can't be the procedure that is meant.
fn changed_arguments(callee: &Procedure, arguments: &[&Argument], names: &NameTable) -> Option<Vec<bool>> {
    let of_argument = |(position, argument): (usize, &&Argument)| {
        let dummies = callee.dummies.iter().map(|dummy| dummy.name.as_str());
        Some(callee.dummies.get(argument.dummy(position, dummies, names)?)?.is_changed)
    };
    arguments.iter().enumerate().map(of_argument).collect()
}

/// The reference that an argument is.
pub fn argument_reference(argument: &Argument) -> Option<&Reference> {
    match &argument.expression()?.kind {
        ExpressionKind::Reference(reference) => Some(reference),
        _ => None,
    }
}
