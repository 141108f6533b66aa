//! The loops of a flow graph, those made of GO TO included, and what their iterations add to scalars.

use fixedbitset::FixedBitSet;
use oxc_index::{IndexVec, index_vec};

use super::build;
use super::effects::base;
use super::formula::{Formula, Kind, Operator, Root};
use super::linear::Linear;
use super::unit::UnitContext;
use crate::flow::{BlockId, ControlFlow, FlowPosition, canonical};
use crate::names::SymbolId;
use crate::syntax::{DoControl, StatementId, StatementKind};

/// The natural loops of a graph.
#[derive(Debug)]
pub struct Loops {
    /// For each block that is a header, the blocks of its loop.
    pub of_header: IndexVec<BlockId, Option<FixedBitSet>>,
    /// The blocks that lead back to themselves by way of a loop into which control can jump beside its header. None of
    /// them counts as a header.
    pub tangled: FixedBitSet,
}

impl Loops {
    /// Those of a graph.
    pub fn new(control: &ControlFlow) -> Loops {
        let count = control.blocks.len();
        let mut of_header: IndexVec<BlockId, Option<FixedBitSet>> = index_vec![None; count];
        let mut state = vec![0_u8; count];
        let mut pending: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
        let mut back: Vec<(BlockId, BlockId)> = Vec::new();
        let entry = BlockId::new(0);
        if count > 0 {
            state[0] = 1;
            pending.push((entry, control.successors(entry).collect()));
        }
        while let Some((block, rest)) = pending.last_mut() {
            let block = *block;
            match rest.pop() {
                Some(next) => match state[next.index()] {
                    0 => {
                        state[next.index()] = 1;
                        pending.push((next, control.successors(next).collect()));
                    }
                    1 => back.push((block, next)),
                    _ => {}
                },
                None => {
                    state[block.index()] = 2;
                    pending.pop();
                }
            }
        }
        let mut tangled = FixedBitSet::with_capacity(count);
        for (from, header) in back {
            let blocks = of_header[header].get_or_insert_with(|| {
                let mut blocks = FixedBitSet::with_capacity(count);
                blocks.insert(header.index());
                blocks
            });
            let mut pending = vec![from];
            while let Some(block) = pending.pop() {
                if blocks.put(block.index()) {
                    continue;
                }
                if block == entry {
                    tangled.union_with(&around(control, header));
                    break;
                }
                pending.extend(control.predecessors(block).filter(|before| state[before.index()] != 0));
            }
        }
        for block in tangled.ones().map(BlockId::new) {
            of_header[block] = None;
        }
        Loops { of_header, tangled }
    }

    /// The blocks of the loop that a block heads.
    pub fn blocks(&self, header: BlockId) -> Option<&FixedBitSet> {
        self.of_header[header].as_ref()
    }
}

/// The blocks that can be reached from a block and from which it can be reached.
fn around(control: &ControlFlow, block: BlockId) -> FixedBitSet {
    let reached = |next: &dyn Fn(BlockId) -> Vec<BlockId>| {
        let mut found = FixedBitSet::with_capacity(control.blocks.len());
        let mut pending = vec![block];
        while let Some(at) = pending.pop() {
            if !found.put(at.index()) {
                pending.extend(next(at));
            }
        }
        found
    };
    let mut found = reached(&|at| control.successors(at).collect());
    found.intersect_with(&reached(&|at| control.predecessors(at).collect()));
    found
}

/// A DO loop that counts.
#[derive(Clone, Debug)]
pub struct Counting {
    /// The statement.
    pub statement: StatementId,
    /// The variable.
    pub variable: Formula,
    /// Its name.
    pub name: String,
    /// First value, last value, step, where the loop begins.
    pub range: [Formula; 3],
}

impl Counting {
    /// How many iterations there are, counted from 0, before the one in which the variable has its value.
    pub fn before(&self) -> Option<Formula> {
        let [first, _, step] = &self.range;
        let distance = build::arithmetic(Operator::Subtract, self.variable.clone(), first.clone());
        steps(distance, step)
    }

    /// How many iterations there are.
    pub fn iterations(&self) -> Option<Formula> {
        let [first, last, step] = &self.range;
        let distance = build::arithmetic(Operator::Subtract, last.clone(), first.clone());
        let distance = build::arithmetic(Operator::Add, distance, step.clone());
        let count = steps(distance, step)?;
        Some(match count.as_integer() {
            Some(count) => build::integer(count.max(0)),
            None => build::call("max", vec![count, build::integer(0)]),
        })
    }

    /// The value of the variable behind the loop.
    pub fn value_behind(&self) -> Option<Formula> {
        let [first, _, step] = &self.range;
        let way = build::arithmetic(Operator::Multiply, step.clone(), self.iterations()?);
        Some(build::arithmetic(Operator::Add, first.clone(), way))
    }
}

/// A distance in steps.
fn steps(distance: Formula, step: &Formula) -> Option<Formula> {
    match step.as_integer()? {
        1 => Some(distance),
        -1 => Some(build::negative(distance)),
        _ => Some(build::arithmetic(Operator::Divide, distance, step.clone())),
    }
}

impl UnitContext<'_> {
    /// The DO loop that a block heads, if it counts an integer that is a variable by itself.
    pub fn counting(&self, header: BlockId) -> Option<Counting> {
        let statement = self.flow.statements[self.flow.control.blocks[header].last];
        let StatementKind::Do { control: DoControl::Counted { variable, lower, upper, step }, .. } =
            &self.tree.statements[statement].kind
        else {
            return None;
        };
        let name = variable.as_name()?;
        let counter = self.lower_reference(statement, variable)?;
        if !matches!(counter.kind(), Kind::Value(_)) || !matches!(counter.type_(), super::formula::Type::Integer(_)) {
            return None;
        }
        let bound = |expression| self.lower(statement, expression);
        let step = step.as_ref().map_or_else(|| build::integer(1), |step| bound(step));
        let range = [bound(lower), bound(upper), step];
        Some(Counting { statement, variable: counter, name: self.tree.names.text(name.name).to_owned(), range })
    }

    /// The variables that the statements of a loop may change, and whether they call what may change others.
    pub fn changed_in(&self, blocks: &FixedBitSet) -> (Vec<SymbolId>, bool) {
        let mut changed = Vec::new();
        let mut calls = false;
        for block in blocks.ones().map(BlockId::new) {
            let of = self.flow.control.blocks[block];
            for position in (of.first.index()..=of.last.index()).map(FlowPosition::new) {
                changed.extend(self.changed_at(position).iter().copied());
                calls |= self.calls_at(position);
                changed.extend(self.counted_at(position));
            }
        }
        changed.sort_unstable();
        changed.dedup();
        (changed, calls)
    }

    /// The variable that a DO statement at a position counts.
    pub fn counted_at(&self, position: FlowPosition) -> Option<SymbolId> {
        let id = self.flow.statements[position];
        let StatementKind::Do { control: DoControl::Counted { variable, .. }, .. } = &self.tree.statements[id].kind
        else {
            return None;
        };
        let symbol = self.resolved.symbol_at(id, variable.parts.first()?.name.name)?;
        Some(canonical(self.resolved, symbol))
    }

    /// What each iteration of a loop adds to a scalar: one assignment does so, in each iteration once.
    pub fn increment(&self, loops: &Loops, header: BlockId, root: &Root, changed: &[Root]) -> Option<Formula> {
        let symbol = self.symbol_of(root)?;
        let blocks = loops.blocks(header)?;
        let positions = blocks.ones().flat_map(|block| {
            let of = self.flow.control.blocks[BlockId::new(block)];
            (of.first.index()..=of.last.index()).map(FlowPosition::new)
        });
        let mut changing = positions.filter(|&position| {
            self.changed_at(position).contains(&symbol) || self.counted_at(position) == Some(symbol)
        });
        let (only, None) = (changing.next()?, changing.next()) else { return None };
        let id = self.flow.statements[only];
        let StatementKind::Assignment { target, value } = &self.tree.statements[id].kind else { return None };
        let target = self.lower_reference(id, target)?;
        if base(&target).as_ref() != Some(root) || !matches!(target.kind(), Kind::Value(_)) || target.rank() != 0 {
            return None;
        }
        let added = Linear::difference(&self.lower(id, value), &target)?.formula();
        let is_constant = added.unknown().is_none() && !changed.iter().any(|root| added.mentions(root));
        let is_each_time = self.is_on_every_way(blocks, header, self.flow.control.block_of[only]);
        let is_in_inner = loops.of_header.iter_enumerated().any(|(other, inner)| {
            other != header
                && inner.as_ref().is_some_and(|inner| {
                    inner.is_subset(blocks) && inner.contains(self.flow.control.block_of[only].index())
                })
        });
        (is_constant && is_each_time && !is_in_inner).then_some(added)
    }

    /// Whether each way through an iteration passes a block.
    fn is_on_every_way(&self, blocks: &FixedBitSet, header: BlockId, block: BlockId) -> bool {
        let mut met = FixedBitSet::with_capacity(blocks.len());
        let mut pending = vec![header];
        while let Some(at) = pending.pop() {
            if at == block || met.put(at.index()) {
                continue;
            }
            for next in self.flow.control.successors(at) {
                if next == header {
                    return false;
                }
                if blocks.contains(next.index()) {
                    pending.push(next);
                }
            }
        }
        true
    }
}
