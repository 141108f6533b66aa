//! Reaching definitions: which values of a scalar can arrive at which use, and around which loop they come.
//!
//! A definition reaches a use *within one iteration* of a loop around both if some way from one to the other stays in
//! the loop and does not pass its header. The innermost such loop says all: the same holds for every loop around it,
//! and for none inside it. It is found by going back from the use through the joins of the variable: the *scope* of a
//! way is the innermost loop around everything on it whose header it does not pass.

use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::UnitFlow;
use super::effects::DefinitionId;
use super::graph::BlockId;
use super::loops::LoopId;
use super::position::FlowPosition;
use super::values::{Value, ValueId};

/// A definition that reaches a use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reaching {
    /// The definition.
    pub definition: DefinitionId,
    /// The innermost loop around both such that the definition reaches the use within one iteration of it; `None` if
    /// there is no such loop.
    pub scope: Option<LoopId>,
}

impl UnitFlow {
    /// The definitions that reach a use (an index into [`super::Effects::uses`]), in order.
    pub fn reaching(&self, index: usize) -> Vec<Reaching> {
        self.reaching_at_most(index, usize::MAX).unwrap_or_default()
    }

    /// The same, if they are not more than so many.
    pub fn reaching_at_most(&self, index: usize, most: usize) -> Option<Vec<Reaching>> {
        let scope = self.loops.innermost(self.effects.uses[index].position);
        let mut found = Vec::new();
        match self.values.of_use[index] {
            None => {}
            Some(value) => match self.values.all[value] {
                Value::Defined(definition) => found.push(self.reached(definition, scope)),
                Value::Perhaps(..) | Value::Joined(..) => self.go_back(value, scope, most, &mut found),
            },
        }
        found.sort_unstable();
        (found.len() <= most).then_some(found)
    }

    /// Goes back from a value through all that it is made of, the innermost scopes first: so each value is met in its
    /// best scope first. It ends when more than `most` definitions are found.
    fn go_back(&self, value: ValueId, scope: Option<LoopId>, most: usize, found: &mut Vec<Reaching>) {
        let mut met: FxHashSet<ValueId> = FxHashSet::default();
        // By depth of the scope; the scopes of one depth are one loop, as all are around the use.
        let mut pending: BinaryHeap<(u32, ValueId, Option<LoopId>)> = BinaryHeap::new();
        pending.push((self.depth(scope), value, scope));
        while found.len() <= most
            && let Some((_, value, scope)) = pending.pop()
        {
            if !met.insert(value) {
                continue;
            }
            let mut push = |value: ValueId, scope: Option<LoopId>| {
                if !met.contains(&value) {
                    pending.push((self.depth(scope), value, scope));
                }
            };
            match self.values.all[value] {
                Value::Defined(definition) => found.push(self.reached(definition, scope)),
                Value::Perhaps(definition, before) => {
                    let reached = self.reached(definition, scope);
                    found.push(reached);
                    before.into_iter().for_each(|before| push(before, reached.scope));
                }
                Value::Joined(block, ways) => {
                    let scope = self.around_block(scope, block);
                    let outside = self.before_header(scope, block);
                    self.values
                        .ways(ways)
                        .iter()
                        .for_each(|&(from, value)| push(value, self.around_block(outside, from)));
                }
            }
        }
    }

    /// Whether a use (an index into [`super::Effects::uses`]) may read the value with which the unit is entered: no
    /// definition stands on some way to it.
    pub fn may_be_entered_with(&self, index: usize) -> bool {
        let mut met: FxHashSet<ValueId> = FxHashSet::default();
        let mut pending = vec![self.values.of_use[index]];
        while let Some(value) = pending.pop() {
            let Some(value) = value else { return true };
            if !met.insert(value) {
                continue;
            }
            match self.values.all[value] {
                Value::Defined(_) => {}
                Value::Perhaps(_, before) => pending.push(before),
                Value::Joined(block, ways) => {
                    let ways = self.values.ways(ways);
                    if ways.len() < self.control.predecessors(block).count() {
                        return true;
                    }
                    pending.extend(ways.iter().map(|&(_, value)| Some(value)));
                }
            }
        }
        false
    }

    fn depth(&self, scope: Option<LoopId>) -> u32 {
        scope.map_or(0, |id| self.loops.loops[id].depth)
    }

    fn reached(&self, definition: DefinitionId, scope: Option<LoopId>) -> Reaching {
        let position = self.effects.definitions[definition].position;
        Reaching { definition, scope: self.around(scope, position) }
    }

    /// The innermost loop around a scope and a position. A loop's header belongs to it.
    fn around(&self, scope: Option<LoopId>, position: FlowPosition) -> Option<LoopId> {
        let mut at = scope;
        while let Some(id) = at.filter(|&id| !self.positions_of(id).contains(&position)) {
            at = self.loops.loops[id].parent;
        }
        at
    }

    fn around_block(&self, scope: Option<LoopId>, block: BlockId) -> Option<LoopId> {
        self.around(scope, self.control.blocks[block].first)
    }

    /// The scope of a way that comes into a block from before it: if the block is the header of the scope, the loop
    /// around that.
    fn before_header(&self, scope: Option<LoopId>, block: BlockId) -> Option<LoopId> {
        let first = self.control.blocks[block].first;
        match scope {
            Some(id) if *self.positions_of(id).start() == first => self.loops.loops[id].parent,
            _ => scope,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::flow::{UnitFlow, own_statements, unit_flow};
    use crate::names::{ModuleIndex, Resolved, resolve};
    use crate::procedures::effects;
    use crate::source::{PrescanOptions, prescan};
    use crate::syntax::{Tree, UnitId, nesting};

    /// The flow of the statements of a main program, whose first one stands on line 0.
    fn flow(text: &str) -> (Tree, Resolved, UnitFlow) {
        let tree =
            nesting::parse(prescan("case.f90", format!("{text}\nend\n").into_bytes(), &PrescanOptions::default()));
        let resolved = resolve(&tree, &ModuleIndex::new([]));
        let statements = own_statements(&tree).remove(UnitId::new(0));
        let effects = effects(&tree, &resolved, &statements);
        let flow = unit_flow(&tree, &resolved, UnitId::new(0), statements, effects);
        (tree, resolved, flow)
    }

    /// For the use of a variable on a line: the lines of the definitions that reach it, and around which loop within
    /// one iteration.
    fn reaching(text: &str, line: usize, name: &str) -> Vec<(usize, Option<usize>)> {
        let (tree, resolved, flow) = flow(text);
        let is_named = |index: &usize| {
            let symbol = flow.effects.variables.symbol(flow.effects.uses[*index].variable);
            tree.names.text(resolved.symbol(symbol).name) == name
        };
        let used = (0..flow.effects.uses.len()).filter(|&index| flow.effects.uses[index].position == line);
        let index = used.into_iter().find(is_named).expect("the line uses the variable");
        let line_of = |one: &super::Reaching| flow.effects.definitions[one.definition].position.index();
        flow.reaching(index).iter().map(|one| (line_of(one), one.scope.map(|id| id.index()))).collect()
    }

    #[test]
    fn the_last_definition_reaches() {
        assert_eq!(reaching("k = 1\nk = 2\nm = k", 2, "k"), [(1, None)]);
    }

    #[test]
    fn one_that_may_be_passed_by_leaves_the_one_before() {
        assert_eq!(reaching("k = 1\nif (x > 0) k = 2\nm = k", 2, "k"), [(0, None), (1, None)]);
        let both = "if (x > 0) then\nk = 1\nelse\nk = 2\nend if\nm = k";
        assert_eq!(reaching(both, 5, "k"), [(1, None), (3, None)]);
    }

    #[test]
    fn around_a_loop_a_definition_reaches_the_next_iteration() {
        // From before the loop, and from the iteration before, which is outside of one iteration.
        let carried = "k = 0\ndo i = 1, n\nm = k\nk = i\nend do";
        assert_eq!(reaching(carried, 2, "k"), [(0, None), (3, None)]);
        let within = "k = 0\ndo i = 1, n\nk = i\nm = k\nend do";
        assert_eq!(reaching(within, 3, "k"), [(2, Some(0))]);
        let outer = "do j = 1, n\nk = j\ndo i = 1, n\nm = k\nend do\nend do";
        assert_eq!(reaching(outer, 3, "k"), [(1, Some(0))]);
    }

    #[test]
    fn jumps_pass_definitions_by() {
        assert_eq!(reaching("k = 1\nif (x > 0) goto 10\nk = 2\n10 m = k", 3, "k"), [(0, None), (2, None)]);
        assert_eq!(
            reaching("k = 1\ndo i = 1, n\nif (x > i) exit\nk = 2\nend do\nm = k", 5, "k"),
            [(0, None), (3, None)]
        );
    }

    #[test]
    fn loops_nest_and_count() {
        let (tree, resolved, flow) =
            flow("do j = n, 1, -2\ndo concurrent (i = 1:n, k = 1:n)\nm = i\nend do\ndo while (m > 0)\nend do\nend do");
        let found: Vec<_> =
            flow.loops
                .loops
                .iter()
                .map(|one| {
                    let counted = one.variables.iter().map(|counted| {
                        (tree.names.text(resolved.symbol(counted.symbol).name), counted.step.unwrap_or(0))
                    });
                    (
                        one.first.index(),
                        one.end.index(),
                        one.parent.map(|parent| parent.index()),
                        one.depth,
                        one.sequential,
                        counted.collect::<Vec<_>>(),
                    )
                })
                .collect();
        assert_eq!(
            found,
            [
                (0, 6, None, 1, true, vec![("j", -2)]),
                (1, 3, Some(0), 2, false, vec![("i", 1), ("k", 1)]),
                (4, 5, Some(0), 2, true, vec![]),
            ]
        );
    }
}
