//! What the statements of a unit do to scalars, as plain data: which they define, which they may change, and which flow
//! into them. `procedures` finds it, as it depends on the procedures that are called.

use oxc_index::{IndexVec, define_index_type};
use rustc_hash::FxHashMap;

use super::position::FlowPosition;
use crate::names::SymbolId;
use crate::syntax::Name;

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
    /// A CALL that has the variable for an argument: what the procedure reads for it flows on.
    Called,
    /// A loop header, READ, a reference to a function, or another statement that gives a value of which nothing is
    /// known.
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

/// One variable whose value an assignment, a CALL or a condition uses, or a procedure returns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Use {
    /// Position of the assignment or CALL, of the statement with the condition, or of the one that returns.
    pub position: FlowPosition,
    /// The variable.
    pub variable: VariableId,
    /// Whether it flows into the assignment (or to the procedure that is called, or to the caller), not only into a
    /// condition.
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
    /// For each variable or array, in order, the positions at which it, or a part of it, may change: by definition, or
    /// passed to a procedure. By the first name of the reference.
    pub changes: Vec<(SymbolId, FlowPosition)>,
    /// Positions of statements that call a procedure that may change any variable that is not local.
    pub calls: Vec<FlowPosition>,
}

impl Effects {
    /// Leaves each variable that is used at a position, the last one so far, once.
    pub fn use_once(&mut self, position: FlowPosition) {
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
    pub fn define_parts_and_wholes(&mut self) {
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
