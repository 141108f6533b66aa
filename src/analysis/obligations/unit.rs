//! A unit under analysis: its places, what its variables are on entry, and what is known to hold.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::{FlowPosition, UnitFlow};
use crate::names::{Resolved, ScopeKind, SymbolId};
use crate::solve::conditions::ConditionSolver;
use crate::symbolic::{Atom, Condition, Place, Term, constant, difference, maximum, place_term};
use crate::syntax::{ArraySpec, DimensionSpec, Expression, Reference, StatementId, Tree};
use crate::values::ArrayKey;

use super::declared::{DeclaredArrays, Mentioned};
use super::demand::{NamedArray, Source};
use super::facts::Facts;
use super::place::{Aspect, Entry, Origin, PlaceInfo, Places, Root};
use super::point::Point;
use super::region::{Region, RegionId, Regions, Replacements};
use super::state::{Dimension, Dimensions, Element, State};
use super::summary::{Callees, Procedure};

/// A unit under analysis.
pub struct Unit<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The flow of the unit.
    pub flow: &'t UnitFlow,
    /// The arrays that the file declares.
    pub declared: &'t DeclaredArrays<'t>,
    /// What says what statements demand.
    pub source: &'t dyn Source,
    /// What is known of the procedures that it calls.
    pub callees: &'t dyn Callees,
    /// Its dummy arguments in order.
    pub dummies: Vec<Option<SymbolId>>,
    /// Variables of this unit or its hosts that internal procedures may change.
    pub changed_by_internal: &'t BTreeSet<SymbolId>,
    /// The scalars and arrays that it mentions, by their first name.
    pub mentioned: BTreeMap<SymbolId, BTreeSet<ArrayKey>>,
    /// Its places.
    pub places: Places,
    /// Its loops.
    pub regions: Regions,
    /// What decides conditions.
    pub solver: ConditionSolver,
    /// Where procedures are called that may end the program, as far as procedures are known.
    pub stopping_calls: Vec<FlowPosition>,
    /// For the places that say whether a call that is made under some condition returns, what that condition speaks of.
    pub leading_to_calls: FxHashMap<Place, BTreeSet<Place>>,
    /// The first statement with a call that may end the program under conditions that are not told there.
    pub(super) untold_end: Option<StatementId>,
    /// What must hold as calls came back.
    pub(super) came_back: FxHashSet<Condition>,
    /// Under what the ways out of the unit were come to.
    pub(super) ways_out: Vec<Condition>,
    /// Whether what they end is left out of account for now.
    pub takes_calls_to_return: bool,
    /// What was noted to hold.
    pub facts: Facts,
    entry_places: FxHashMap<(ArrayKey, Aspect), Place>,
    entry_arrays: FxHashMap<ArrayKey, Option<Dimensions>>,
    inquired_bounds: FxHashMap<(RegionId, Term, Term), Term>,
    /// The integer arrays of which elements are named, by the positions at which they may change.
    pub(super) changed_arrays: FxHashMap<FlowPosition, Vec<ArrayKey>>,
    /// The values of array elements that were read.
    pub(super) elements: FxHashMap<Element, Term>,
    pub(super) replacements: Replacements,
}

/// All that a unit is made of before it is looked at.
pub struct UnitParts<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The flow of the unit.
    pub flow: &'t UnitFlow,
    /// The arrays that the file declares.
    pub declared: &'t DeclaredArrays<'t>,
    /// What says what statements demand.
    pub source: &'t dyn Source,
    /// What is known of the procedures that it calls.
    pub callees: &'t dyn Callees,
    /// Its dummy arguments in order.
    pub dummies: Vec<Option<SymbolId>>,
    /// Variables of this unit or its hosts that internal procedures may change.
    pub changed_by_internal: &'t BTreeSet<SymbolId>,
}

impl<'t> Unit<'t> {
    /// A unit of which nothing is known yet.
    pub fn new(parts: UnitParts<'t>, regions: Regions, solver: ConditionSolver) -> Self {
        let UnitParts { tree, resolved, flow, declared, source, callees, dummies, changed_by_internal } = parts;
        let Mentioned { variables: mentioned, changed_arrays } = Mentioned::new(tree, resolved, flow);
        let mut made = Unit {
            tree,
            resolved,
            flow,
            declared,
            source,
            callees,
            dummies,
            changed_by_internal,
            mentioned,
            places: Places::default(),
            regions,
            solver,
            stopping_calls: Vec::new(),
            leading_to_calls: FxHashMap::default(),
            untold_end: None,
            came_back: FxHashSet::default(),
            ways_out: Vec::new(),
            takes_calls_to_return: false,
            facts: Facts::default(),
            entry_places: FxHashMap::default(),
            entry_arrays: FxHashMap::default(),
            inquired_bounds: FxHashMap::default(),
            changed_arrays,
            elements: FxHashMap::default(),
            replacements: Replacements::default(),
        };
        made.stopping_calls = made.found_stopping_calls();
        made
    }

    /// Where procedures are called that may end the program, in order. One that is not known counts as one that comes
    /// back.
    fn found_stopping_calls(&self) -> Vec<FlowPosition> {
        let statements = self.flow.statements.iter_enumerated();
        let calls_stop = |id: StatementId| self.callees_of(id).iter().flatten().any(|callee| callee.has_stop);
        statements.filter(|(_, id)| calls_stop(**id)).map(|(position, _)| position).collect()
    }

    /// What is known of the procedures that a statement calls.
    pub fn callees_of(&self, id: StatementId) -> Vec<Option<Arc<Procedure>>> {
        let called = self.called(id).into_iter();
        called
            .flat_map(|(reference, symbol)| {
                symbol.map_or_else(|| vec![None], |symbol| self.callees.callees(id, symbol, reference))
            })
            .collect()
    }

    /// The value of a scalar at a point; `None` if it may change without being named.
    pub fn value(&mut self, state: &State, key: &ArrayKey) -> Option<Term> {
        if !self.has_own_values(key.symbol) {
            return None;
        }
        if let Some(term) = state.scalars.get(key) {
            return Some(term.clone());
        }
        Some(place_term(self.entry_place(key, Aspect::Value)))
    }

    /// Whether a variable changes only where it is named, or by a procedure that knows it.
    pub(super) fn has_own_values(&self, symbol: SymbolId) -> bool {
        let of = self.resolved.symbol(symbol);
        !(of.is_volatile || of.equivalenced || of.is_pointer || of.is_target)
    }

    /// The place of a value that is there on entry.
    pub fn entry_place(&mut self, key: &ArrayKey, aspect: Aspect) -> Place {
        if let Some(&known) = self.entry_places.get(&(key.clone(), aspect)) {
            return known;
        }
        let names = &self.tree.names;
        let components: Vec<String> = key.components.iter().map(|&name| names.text(name).to_owned()).collect();
        let mut name = names.text(self.resolved.symbol(key.symbol).name).to_owned();
        components.iter().for_each(|component| name += &format!("%{component}"));
        let text = match aspect {
            Aspect::Value => name,
            Aspect::Extent(dimension) => match self.rank_of(key) {
                Some(1) => format!("size({name})"),
                _ => format!("size({name},{})", dimension + 1),
            },
            Aspect::Lower(dimension) => format!("lbound({name},{})", dimension + 1),
            Aspect::Present => format!("present({name})"),
        };
        let root = self.root(key.symbol);
        let origin = Origin::Entry(Entry { root, components, aspect }.into());
        let place =
            self.places.add(PlaceInfo { text: text.into(), region: RegionId::new(0), origin, definition: None });
        if let Aspect::Extent(_) = aspect
            && let Some(definition) = Condition::at_most(&constant(0), &place_term(place))
        {
            self.places.define(place, definition);
        }
        self.entry_places.insert((key.clone(), aspect), place);
        place
    }

    fn rank_of(&self, key: &ArrayKey) -> Option<u8> {
        if !key.components.is_empty() {
            return None;
        }
        self.resolved.symbol(key.symbol).shape.as_ref().map(|shape| shape.rank)
    }

    /// What a caller knows a variable by.
    pub fn root(&self, symbol: SymbolId) -> Root {
        if let Some(at) = self.dummies.iter().position(|dummy| *dummy == Some(symbol)) {
            return Root::Dummy(at);
        }
        let of = self.resolved.symbol(symbol);
        let names = &self.tree.names;
        if of.in_common {
            return self.declared.common_name(symbol).map_or(Root::Local, Root::Global);
        }
        if let Some(origin) = self.resolved.origin(self.tree, symbol) {
            return Root::Global(format!("{}::{}", origin.module, origin.name));
        }
        if of.use_associated
            && let ScopeKind::Unit(unit) = self.resolved.scope_kind(of.scope)
        {
            return Root::Global(format!("{}::{}", super::declared::module_name(self.tree, unit), names.text(of.name)));
        }
        Root::Local
    }

    /// What a variable that all units know by this name is, if this one mentions it.
    pub fn global(&mut self, state: &State, name: &str, components: &[String], aspect: Aspect) -> Option<Term> {
        let symbols: Vec<SymbolId> = self.mentioned.keys().copied().collect();
        let is_this = |root: Root| matches!(root, Root::Global(global) if global == name);
        let symbol = symbols.into_iter().find(|&symbol| is_this(self.root(symbol)))?;
        let components = components.iter().map(|component| self.tree.names.get(component)).collect::<Option<_>>()?;
        let key = ArrayKey { symbol, components };
        match aspect {
            Aspect::Value => self.value(state, &key),
            Aspect::Present => None,
            Aspect::Extent(at) => self.known_dimensions(state, &key)?.get(at)?.extent.clone(),
            Aspect::Lower(at) => Some(self.known_dimensions(state, &key)?.get(at)?.lower.clone()),
        }
    }

    /// The dimensions of an array, or of a component, as far as they were looked at or changed.
    pub fn known_dimensions(&mut self, state: &State, key: &ArrayKey) -> Option<Dimensions> {
        match state.arrays.get(key) {
            Some(known) => known.clone(),
            None if key.components.is_empty() => self.entry_dimensions(key),
            None => self.entry_arrays.get(key).cloned().flatten(),
        }
    }

    /// Whether a variable lives outside of the unit, or may be changed by an internal procedure.
    pub fn is_shared(&self, symbol: SymbolId) -> bool {
        let of = self.resolved.symbol(symbol);
        let owner = self.resolved.scope_kind(of.scope);
        let is_of_host = matches!(owner, ScopeKind::Unit(unit) if unit != self.flow.unit);
        // A name that may be declared in a file that is not there may be in COMMON, or in a module.
        of.is_doubtful || of.in_common || of.use_associated || is_of_host || self.changed_by_internal.contains(&symbol)
    }

    /// The dimensions of the array of a reference at a point; `symbol` is what its first name means.
    pub fn dimensions(
        &mut self,
        state: &State,
        statement: StatementId,
        symbol: SymbolId,
        reference: &Reference,
    ) -> Option<Dimensions> {
        let key = ArrayKey::new(symbol, &reference.parts);
        let (_, before) = reference.parts.split_last()?;
        let is_one_array = before.iter().all(|part| part.lists.is_empty());
        if is_one_array && let Some(known) = state.arrays.get(&key) {
            return known.clone();
        }
        if reference.parts.len() == 1 {
            return self.entry_dimensions(&key);
        }
        let shapes = self.resolved.shapes(self.tree, statement, reference);
        let shape = (*shapes.last()?)?.clone();
        let is_constant = !shape.bounds.is_empty()
            && shape.bounds.iter().all(|bounds| bounds.lower.is_some() && bounds.upper.is_some());
        if is_constant {
            return shape.bounds.iter().map(|bounds| constant_dimension(bounds.lower?, bounds.upper?)).collect();
        }
        if !is_one_array {
            return None;
        }
        if let Some(known) = self.entry_arrays.get(&key) {
            return known.clone();
        }
        let made: Option<Dimensions> = (0..usize::from(shape.rank)).map(|at| self.deferred(&key, at)).collect();
        self.entry_arrays.insert(key, made.clone());
        made
    }

    /// The dimensions of an array that is a name by itself, as they are on entry.
    pub fn entry_dimensions(&mut self, key: &ArrayKey) -> Option<Dimensions> {
        if let Some(known) = self.entry_arrays.get(key) {
            return known.clone();
        }
        // Bounds may ask about the array itself.
        self.entry_arrays.insert(key.clone(), None);
        let made = self.make_dimensions(key);
        self.entry_arrays.insert(key.clone(), made.clone());
        made
    }

    fn make_dimensions(&mut self, key: &ArrayKey) -> Option<Dimensions> {
        let of = self.resolved.symbol(key.symbol);
        let shape = of.shape.as_ref()?;
        let known: Option<Dimensions> =
            shape.bounds.iter().map(|bounds| constant_dimension(bounds.lower?, bounds.upper?)).collect();
        let rank = usize::from(shape.rank);
        if !key.components.is_empty() || rank == 0 {
            return None;
        }
        let (is_dummy, in_common, is_overlaid) = (of.is_dummy, of.in_common, of.equivalenced);
        let is_deferred = of.is_allocatable || of.is_pointer;
        match self.declared.spec(key.symbol) {
            Some((statement, spec)) if spec.dimensions.len() == rank => {
                if is_deferred {
                    return (0..rank).map(|at| self.deferred(key, at)).collect();
                }
                let owner = self.resolved.scope_kind(of.scope);
                let is_own = matches!(owner, ScopeKind::Unit(unit) if unit == self.flow.unit);
                if !is_own && known.is_none() {
                    return None;
                }
                // Of an array on other storage (EQUIVALENCE, a Cray pointer) the extent 1 says nothing either.
                let has_open_end =
                    is_dummy || is_overlaid || (in_common && self.declared.is_last_in_common(key.symbol));
                self.declared_dimensions(&State::default(), statement, spec, key, has_open_end)
            }
            _ if is_deferred => (0..rank).map(|at| self.deferred(key, at)).collect(),
            _ if shape.bounds.len() == rank => known,
            _ => None,
        }
    }

    /// The dimensions that a declaration gives an array where its bounds are evaluated in this state.
    pub fn declared_dimensions(
        &mut self,
        state: &State,
        statement: StatementId,
        spec: &ArraySpec,
        key: &ArrayKey,
        has_open_end: bool,
    ) -> Option<Dimensions> {
        let rank = spec.dimensions.len();
        let mut dimensions = Vec::with_capacity(rank);
        for (at, dimension) in spec.dimensions.iter().enumerate() {
            let mut bound = |expression: &Expression| {
                let mut point = self.point_on_entry(state, statement);
                if point.is_integer(expression) { Some(point.integer(expression)) } else { None }
            };
            let is_last = at + 1 == rank;
            dimensions.push(match dimension {
                DimensionSpec::Explicit(lower, upper) => {
                    let is_one = lower.is_none() && is_last && has_open_end;
                    let lower = lower.as_ref().map_or(Some(constant(1)), &mut bound)?;
                    let upper = bound(upper)?;
                    let is_open = is_one && upper.as_constant() == Some(1);
                    let made = explicit_dimension(lower, upper)?;
                    if is_open { Dimension { upper: None, ..made } } else { made }
                }
                DimensionSpec::Star(lower) => {
                    let lower = lower.as_ref().map_or(Some(constant(1)), &mut bound)?;
                    Dimension { lower, upper: None, extent: None }
                }
                DimensionSpec::Colon(lower) => {
                    let lower = lower.as_ref().map_or(Some(constant(1)), &mut bound)?;
                    let extent = place_term(self.entry_place(key, Aspect::Extent(at)));
                    from_extent(lower, extent)?
                }
            });
        }
        Some(dimensions.into())
    }

    /// A dimension that an allocation or a pointer assignment has given before the unit is entered.
    fn deferred(&mut self, key: &ArrayKey, at: usize) -> Option<Dimension> {
        let lower = place_term(self.entry_place(key, Aspect::Lower(at)));
        let extent = place_term(self.entry_place(key, Aspect::Extent(at)));
        from_extent(lower, extent)
    }

    /// A point at which declarations are evaluated.
    fn point_on_entry<'p>(&'p mut self, state: &'p State, statement: StatementId) -> Point<'p, 't> {
        Point { unit: self, state, statement, chain: Vec::new(), reached: Condition::True, bound: Vec::new() }
    }

    /// The dummy arguments that are matrices, or of higher rank, with a shape that their declarations give.
    pub fn shaped_dummies(&mut self) -> Vec<NamedArray> {
        let mut found = Vec::new();
        for symbol in self.dummies.clone().into_iter().flatten() {
            let of = self.resolved.symbol(symbol);
            let is_shaped = of.shape.as_ref().is_some_and(|shape| shape.rank >= 2 && shape.is_explicit);
            if !is_shaped {
                continue;
            }
            let name = self.tree.names.text(of.name).to_owned();
            if let Some(dimensions) = self.entry_dimensions(&ArrayKey { symbol, components: Vec::new() }) {
                let extents = dimensions.iter().map(|dimension| dimension.extent.clone()).collect();
                found.push(NamedArray { name, extents, is_contract: false });
            }
        }
        found
    }

    /// What an inquiry for a bound gives, made where it is asked for the first time: the place and its definition.
    pub fn inquired_bound(
        &mut self,
        of: (RegionId, Term, Term),
        make: impl FnOnce(&mut Self) -> (Term, Condition),
    ) -> Term {
        if let Some(known) = self.inquired_bounds.get(&of) {
            return known.clone();
        }
        let (term, definition) = make(self);
        if let Some((Atom::Place(place), 1)) = term.single_term() {
            self.places.define(*place, definition);
        }
        self.inquired_bounds.insert(of, term.clone());
        term
    }

    /// A new region inside a statement: FORALL, an implied DO.
    pub fn local_region(&mut self, parent: RegionId) -> RegionId {
        let (first, end) = (FlowPosition::new(1), FlowPosition::new(0));
        self.regions.push(Region { parent: Some(parent), first, end, ..Region::default() })
    }

    /// What was read for an opaque place.
    pub fn read_behind(&self, place: Place) -> Vec<Place> {
        match &self.places.info(place).origin {
            Origin::Opaque(reads) | Origin::Data(reads) => reads.to_vec(),
            Origin::Entry(_) | Origin::Element | Origin::Counted | Origin::Joined => Vec::new(),
        }
    }

    /// Places with what was read for those that are opaque, in order.
    pub(super) fn with_read_behind(&self, mut places: Vec<Place>) -> Vec<Place> {
        let behind: Vec<Place> = places.iter().flat_map(|&place| self.read_behind(place)).collect();
        places.extend(behind);
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// A dimension with constant bounds.
fn constant_dimension(lower: i64, upper: i64) -> Option<Dimension> {
    explicit_dimension(constant(lower), constant(upper))
}

/// A dimension with these bounds.
pub fn explicit_dimension(lower: Term, upper: Term) -> Option<Dimension> {
    let extent = extent_between(&lower, &upper)?;
    Some(Dimension { lower, upper: Some(upper), extent: Some(extent) })
}

/// How many integers lie between two bounds.
pub fn extent_between(lower: &Term, upper: &Term) -> Option<Term> {
    maximum(vec![constant(0), difference(upper, lower)?.checked_add_constant(1)?])
}

/// A dimension with a lower bound and an extent.
pub fn from_extent(lower: Term, extent: Term) -> Option<Dimension> {
    let upper = crate::symbolic::sum(&lower, &extent)?.checked_add_constant(-1)?;
    Some(Dimension { lower, upper: Some(upper), extent: Some(extent) })
}

/// The dimensions of an array whose lower bounds are 1.
pub fn dimensions_of_extents(extents: Vec<Term>) -> Option<Dimensions> {
    let made: Option<Vec<Dimension>> = extents.into_iter().map(|extent| from_extent(constant(1), extent)).collect();
    made.map(Rc::from)
}
