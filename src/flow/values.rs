//! The values of scalars in sparse form (static single assignment, Cytron and others 1991): which definition, or which
//! join of several, a use reads.
//!
//! - *value*: what a definition leaves in a variable, or what arrives where ways from different values join;
//! - *join*: the value of a variable at the entry of a block to which different values of it come (there called a phi
//!   function).
//!
//! Where joins are needed is the *iterated* dominance frontier of the blocks with definitions. So a use is one step
//! away from the definition it reads, however many blocks lie between, and a variable with thousands of definitions
//! needs one join for each place where two ways meet, not a list of definitions for each use. Each variable is treated
//! alone; joins that no use reads are dropped.

use oxc_index::{IndexVec, define_index_type, index_vec};

use super::dominators::Dominators;
use super::effects::{DefinitionId, Effects, VariableId};
use super::graph::{BlockId, ControlFlow};
use super::grouped::Grouped;
use super::position::FlowPosition;

define_index_type! {
    /// Index of a value in [`Values::all`].
    pub struct ValueId = u32;
}

/// One value of one variable; `None` for a value before it: the one with which the unit is entered.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// What a definition leaves behind for sure.
    Defined(DefinitionId),
    /// What is there behind a definition that may leave the variable, or a part of it, as it was.
    Perhaps(DefinitionId, Option<ValueId>),
    /// What arrives at the entry of a block.
    Joined(BlockId, Ways),
}

/// The ways on which values arrive at a join: a range of [`Values::ways`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Ways {
    first: u32,
    end: u32,
}

/// The values of all scalars of a unit.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The values that some use reads, directly or through others.
    pub all: IndexVec<ValueId, Value>,
    /// For each use (same order as in [`Effects`]) the value that it reads, if any definition reaches it.
    pub of_use: Vec<Option<ValueId>>,
    /// For each variable its definitions, in order.
    pub definitions: Grouped<VariableId, DefinitionId>,
    ways: Vec<(BlockId, ValueId)>,
}

impl Values {
    /// For each way to a join the block it comes from and the value.
    pub fn ways(&self, ways: Ways) -> &[(BlockId, ValueId)] {
        &self.ways[ways.first as usize..ways.end as usize]
    }
}

/// Finds the values of all scalars.
pub fn values(flow: &ControlFlow, dominators: &Dominators, effects: &Effects) -> Values {
    let mut values = Values { of_use: vec![None; effects.uses.len()], ..Values::default() };
    let count = effects.variables.len();
    let definitions =
        Grouped::new(count, effects.definitions.iter().map(|one| one.variable).zip((0..).map(DefinitionId::new)));
    let uses: Grouped<VariableId, u32> = Grouped::new(count, effects.uses.iter().map(|one| one.variable).zip(0..));
    let mut work = OneVariable {
        flow,
        dominators,
        effects,
        definitions: &[],
        sites: Vec::new(),
        site_at: index_vec![None; flow.blocks.len()],
        blocks: Vec::new(),
        around: Vec::new(),
        reach: Vec::new(),
        final_id: Vec::new(),
    };
    for variable in (0..count).map(VariableId::new) {
        work.definitions = definitions.of(variable);
        if !work.definitions.is_empty() && !uses.of(variable).is_empty() {
            work.find(uses.of(variable), &mut values);
        }
    }
    values.definitions = definitions;
    values
}

/// A block in which a variable gets a value: at its entry by a join, inside by definitions, or both.
struct Site {
    block: BlockId,
    is_join: bool,
    /// Range of the block's definitions in [`OneVariable::definitions`].
    definitions: std::ops::Range<u32>,
    /// The nearest site above in the dominator tree.
    above: Option<u32>,
}

/// A value of one variable before those that nobody reads are dropped: a definition by its index among those of the
/// variable, or the join of a site.
#[derive(Clone, Copy)]
enum Local {
    Definition(u32),
    Join(u32),
}

/// The work on one variable.
struct OneVariable<'a> {
    flow: &'a ControlFlow,
    dominators: &'a Dominators,
    effects: &'a Effects,
    /// Its definitions, in order.
    definitions: &'a [DefinitionId],
    /// The sites in preorder of the dominator tree.
    sites: Vec<Site>,
    /// For each block with a site its place among them, while joins are placed; else for none.
    site_at: IndexVec<BlockId, Option<u32>>,
    /// Blocks whose frontier is still to be looked at while joins are placed.
    blocks: Vec<BlockId>,
    /// The sites that dominate the place to which `reach` has come, outer ones first.
    around: Vec<u32>,
    /// From which number in preorder on which site is the nearest one above, in order; of equal numbers the last one
    /// counts.
    reach: Vec<(u32, Option<u32>)>,
    /// The ids that values got: first those of the definitions, then those of the sites' joins.
    final_id: Vec<Option<ValueId>>,
}

impl OneVariable<'_> {
    fn find(&mut self, uses: &[u32], values: &mut Values) {
        self.place_sites(uses);
        self.final_id.clear();
        self.final_id.resize(self.definitions.len() + self.sites.len(), None);
        for &used in uses {
            let position = self.effects.uses[used as usize].position;
            let before = self.definitions.partition_point(|&id| self.position(id) < position) as u32;
            let value = self.value_before(self.flow.block_of[position], before);
            values.of_use[used as usize] = value.map(|local| self.keep(local, values));
        }
    }

    fn position(&self, id: DefinitionId) -> FlowPosition {
        self.effects.definitions[id].position
    }

    fn block(&self, definition: u32) -> BlockId {
        self.flow.block_of[self.position(self.definitions[definition as usize])]
    }

    fn kills(&self, definition: u32) -> bool {
        self.effects.definitions[self.definitions[definition as usize]].kills
    }

    /// The value in a block behind the first `count` definitions of the variable.
    fn value_before(&self, block: BlockId, count: u32) -> Option<Local> {
        match count.checked_sub(1) {
            Some(last) if self.block(last) == block => Some(Local::Definition(last)),
            _ => self.at_entry(block),
        }
    }

    /// Finds the blocks in which the variable gets a value.
    fn place_sites(&mut self, uses: &[u32]) {
        self.sites.clear();
        let mut first = 0;
        while first < self.definitions.len() as u32 {
            let block = self.block(first);
            let mut last = first + 1;
            while last < self.definitions.len() as u32 && self.block(last) == block {
                last += 1;
            }
            self.sites.push(Site { block, is_join: false, definitions: first..last, above: None });
            first = last;
        }
        if !self.is_simple(uses) {
            self.place_joins();
        }
        self.sites.sort_unstable_by_key(|site| self.dominators.preorder(site.block));
        self.find_reach();
    }

    /// Finds out over which blocks each site is the nearest one above.
    fn find_reach(&mut self) {
        self.reach.clear();
        for at in 0..self.sites.len() {
            let (first, _) = self.dominators.interval(self.sites[at].block);
            self.leave(first);
            self.sites[at].above = self.around.last().copied();
            self.around.push(at as u32);
            self.reach.push((first, Some(at as u32)));
        }
        self.leave(u32::MAX);
    }

    /// Leaves the sites that dominate nothing from a number in preorder on.
    fn leave(&mut self, number: u32) {
        while let Some(&inner) = self.around.last() {
            let (_, last) = self.dominators.interval(self.sites[inner as usize].block);
            if last >= number {
                break;
            }
            self.around.pop();
            self.reach.push((last + 1, self.around.last().copied()));
        }
    }

    /// Whether no use reads more than one value, which spares the joins: the only definition is there at each use
    /// behind it.
    fn is_simple(&self, uses: &[u32]) -> bool {
        self.definitions.len() == 1
            && self.kills(0)
            && uses.iter().all(|&used| {
                let position = self.effects.uses[used as usize].position;
                let block = self.flow.block_of[position];
                let defined = self.position(self.definitions[0]);
                match self.block(0) == block {
                    true => defined < position,
                    false => self.dominators.dominates(self.block(0), block),
                }
            })
    }

    /// Places joins in the iterated dominance frontier of the blocks with definitions.
    fn place_joins(&mut self) {
        for (site, at) in self.sites.iter().zip(0..) {
            self.site_at[site.block] = Some(at);
            self.blocks.push(site.block);
        }
        while let Some(block) = self.blocks.pop() {
            for &join in self.dominators.frontier(block) {
                let at = *self.site_at[join].get_or_insert_with(|| {
                    self.blocks.push(join);
                    self.sites.push(Site { block: join, is_join: false, definitions: 0..0, above: None });
                    self.sites.len() as u32 - 1
                });
                self.sites[at as usize].is_join = true;
            }
        }
        self.sites.iter().for_each(|site| self.site_at[site.block] = None);
    }

    /// The value at the entry of a block.
    fn at_entry(&self, block: BlockId) -> Option<Local> {
        let number = self.dominators.preorder(block);
        let count = self.reach.partition_point(|&(first, _)| first <= number);
        let mut at = count.checked_sub(1).and_then(|last| self.reach[last].1);
        if let Some(own) = at.filter(|&at| self.sites[at as usize].block == block) {
            let site = &self.sites[own as usize];
            if site.is_join {
                return Some(Local::Join(own));
            }
            at = site.above;
        }
        at.map(|site| self.at_exit_of_site(site))
    }

    fn at_exit_of_site(&self, at: u32) -> Local {
        let definitions = &self.sites[at as usize].definitions;
        if definitions.is_empty() { Local::Join(at) } else { Local::Definition(definitions.end - 1) }
    }

    /// The value at the exit of a block.
    fn at_exit(&self, block: BlockId) -> Option<Local> {
        let end = self.flow.blocks[block].last;
        let count = self.definitions.partition_point(|&id| self.position(id) <= end);
        self.value_before(block, count as u32)
    }

    fn slot(&self, local: Local) -> usize {
        match local {
            Local::Definition(definition) => definition as usize,
            Local::Join(site) => self.definitions.len() + site as usize,
        }
    }

    /// The final id of a value; it and what it is made of are kept.
    fn keep(&mut self, local: Local, values: &mut Values) -> ValueId {
        let mut pending = Vec::new();
        let id = self.reserve(local, &mut pending, values);
        while let Some((local, id)) = pending.pop() {
            match local {
                Local::Definition(definition) => {
                    let before = self.value_before(self.block(definition), definition);
                    let before = before.map(|before| self.reserve(before, &mut pending, values));
                    if let Value::Perhaps(_, known) = &mut values.all[id] {
                        *known = before;
                    }
                }
                Local::Join(site) => {
                    let first = values.ways.len() as u32;
                    for from in self.flow.predecessors(self.sites[site as usize].block) {
                        if let Some(value) = self.at_exit(from) {
                            let value = self.reserve(value, &mut pending, values);
                            values.ways.push((from, value));
                        }
                    }
                    if let Value::Joined(_, known) = &mut values.all[id] {
                        *known = Ways { first, end: values.ways.len() as u32 };
                    }
                }
            }
        }
        id
    }

    /// The final id of a value; a new one is put into the list of those whose parts are still to be found.
    fn reserve(&mut self, local: Local, pending: &mut Vec<(Local, ValueId)>, values: &mut Values) -> ValueId {
        let slot = self.slot(local);
        if let Some(id) = self.final_id[slot] {
            return id;
        }
        let id = values.all.next_idx();
        self.final_id[slot] = Some(id);
        let value = match local {
            Local::Definition(definition) => {
                let global = self.definitions[definition as usize];
                if self.kills(definition) { Value::Defined(global) } else { Value::Perhaps(global, None) }
            }
            Local::Join(site) => Value::Joined(self.sites[site as usize].block, Ways::default()),
        };
        if !matches!(value, Value::Defined(_)) {
            pending.push((local, id));
        }
        values.all.push(value);
        id
    }
}
