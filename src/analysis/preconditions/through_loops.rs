//! What is needed where a loop is entered: for a statement inside of it in all iterations, for one behind it with what
//! the loop has changed.

use fixedbitset::FixedBitSet;

use super::backward::{Need, Way, chosen};
use super::build;
use super::connect::{any, for_all};
use super::effects::{base, change_variable};
use super::formula::{Formula, Kind, Operator, Root};
use super::loops::Counting;
use crate::flow::{BlockId, FlowPosition};

/// A loop that does not count is gone through so often.
const MOST_ROUNDS: usize = 3;

impl Way<'_, '_, '_> {
    /// What is needed where a loop is entered.
    pub(super) fn entering_loop(&mut self, header: BlockId) -> Need {
        let Some(blocks) = self.of.loops.blocks(header).cloned() else { return self.block(header) };
        let is_inside = match &self.question.at {
            Some((position, ..)) => blocks.contains(self.of.unit.flow.control.block_of[*position].index()),
            None => false,
        };
        if !self.leads_there.contains(header.index()) {
            return self.block(header);
        }
        if is_inside { self.inside_loop(header, &blocks) } else { self.behind_loop(header, &blocks) }
    }

    /// The variables that a loop changes and that a formula speaks of.
    fn changed(&self, header: BlockId, blocks: &FixedBitSet, formula: &Formula) -> Vec<Root> {
        let of_loop = self.of.changed(header, blocks);
        let mut changed: Vec<Root> = of_loop.roots.iter().filter(|root| formula.mentions(root)).cloned().collect();
        if of_loop.calls && formula.has_shared() {
            formula.any_node(&mut |node| {
                if let Kind::Value(variable) = node.kind()
                    && matches!(variable.root, Root::Global(_) | Root::Host(..))
                {
                    changed.push(variable.root.clone());
                }
                false
            });
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// The first statement of a loop by which it may be left beside its header, without failing.
    fn early_exit(&self, header: BlockId, blocks: &FixedBitSet) -> Option<FlowPosition> {
        let unit = self.of.unit;
        let control = &unit.flow.control;
        for block in blocks.ones().map(BlockId::new) {
            let last = control.blocks[block].last;
            let leaves = block != header
                && control
                    .successors(block)
                    .any(|next| !blocks.contains(next.index()) && !self.of.fails.contains(next.index()));
            let ends = control.successors(block).next().is_none() && !self.of.fails.contains(block.index());
            if leaves || ends {
                return Some(last);
            }
            if self.of.may_leave_in_action(block, last + 1) {
                return Some(last);
            }
        }
        None
    }

    /// What is needed where a loop is entered, for a statement inside.
    fn inside_loop(&mut self, header: BlockId, blocks: &FixedBitSet) -> Need {
        let unit = self.of.unit;
        let Some(counting) = unit.counting(header) else { return self.through_loop(header, blocks) };
        let block = unit.flow.control.blocks[header];
        let body = unit.flow.control.block_of[block.last + 1];
        let need = self.along(header, body)?;
        let place = unit.place_of(counting.statement);
        let counter = base(&counting.variable);
        let all_changed = self.of.changed(header, blocks);
        let mut need = need;
        for root in self.changed(header, blocks, &need) {
            if Some(&root) == counter.as_ref() {
                continue;
            }
            need = match self.at_iteration(header, &counting, &root, &all_changed.roots) {
                Some(value) => change_variable(&need, &root, &mut |_| Some(value.clone())),
                None => unit.forget(&need, &root, &place),
            };
        }
        let mut need = for_all(&counting.variable, &counting.name, counting.range.clone(), &need);
        if let Some(position) = self.early_exit(header, blocks) {
            need = any([unit.unknown_truth(unit.flow.statements[position]), need]);
        }
        Some(need)
    }

    /// The value of a scalar at the beginning of the iteration in which the counter has its value.
    fn at_iteration(&self, header: BlockId, counting: &Counting, root: &Root, changed: &[Root]) -> Option<Formula> {
        self.after_iterations(header, root, changed, counting.before()?)
    }

    fn after_iterations(&self, header: BlockId, root: &Root, changed: &[Root], count: Formula) -> Option<Formula> {
        let unit = self.of.unit;
        let added = unit.increment(&self.of.loops, header, root, changed)?;
        let variable = unit.variable(unit.symbol_of(root)?);
        let way = build::arithmetic(Operator::Multiply, added, count);
        Some(build::arithmetic(Operator::Add, variable, way))
    }

    /// What is needed where a loop that does not count is entered: a formula that the loop does not change.
    fn through_loop(&mut self, header: BlockId, blocks: &FixedBitSet) -> Need {
        let unit = self.of.unit;
        let mut assumed: Need = Some(build::logical(true));
        for _ in 0..MOST_ROUNDS {
            blocks.ones().for_each(|block| self.known[BlockId::new(block)] = None);
            self.going_on[header] = Some(assumed.clone());
            let need = self.block(header);
            if need == assumed || self.is_given_up {
                return need;
            }
            assumed = need;
        }
        self.going_on[header] = None;
        blocks.ones().for_each(|block| self.known[BlockId::new(block)] = None);
        let need = self.block(header)?;
        let last = unit.flow.statements[unit.flow.control.blocks[header].last];
        let place = unit.place_of(last);
        let mut forgotten = need.clone();
        for root in self.changed(header, blocks, &need) {
            forgotten = unit.forget(&forgotten, &root, &place);
        }
        if self.question.at.is_none() {
            return Some(unit.unknown("", place, need.type_(), need.rank()));
        }
        Some(any([unit.unknown_truth(last), forgotten]))
    }

    /// What is needed where a loop is entered, for a statement behind it.
    fn behind_loop(&mut self, header: BlockId, blocks: &FixedBitSet) -> Need {
        let unit = self.of.unit;
        let control = &unit.flow.control;
        let counting = unit.counting(header);
        let statement = unit.flow.statements[control.blocks[header].last];
        let mut needs: Vec<(Formula, Need)> = Vec::new();
        let mut leaves_early = false;
        for block in blocks.ones().map(BlockId::new) {
            let outside: Vec<BlockId> =
                control.successors(block).filter(|next| !blocks.contains(next.index())).collect();
            for next in outside {
                let need = self.along(block, next);
                leaves_early |= block != header && need.is_some();
                needs.push((unit.unknown_truth(statement), need));
            }
            let ends = control.successors(block).next().is_none() && !self.of.fails.contains(block.index());
            if ends || self.of.may_leave_in_action(block, control.blocks[block].last + 1) {
                leaves_early = true;
                needs.push((unit.unknown_truth(statement), Some(self.question.at_return.clone())));
            }
        }
        let mut need = chosen(needs)?;
        let place = unit.place_of(statement);
        let all_changed = self.of.changed(header, blocks);
        for root in self.changed(header, blocks, &need) {
            let value = counting.as_ref().filter(|_| !leaves_early).and_then(|counting| {
                if base(&counting.variable).as_ref() == Some(&root) {
                    return counting.value_behind();
                }
                self.after_iterations(header, &root, &all_changed.roots, counting.iterations()?)
            });
            need = match value {
                Some(value) => change_variable(&need, &root, &mut |_| Some(value.clone())),
                None => unit.forget(&need, &root, &place),
            };
        }
        // A statement before the counter in the header's block.
        self.header_statements(header, need)
    }

    /// What is needed before the statements of a header's block.
    fn header_statements(&mut self, header: BlockId, need: Formula) -> Need {
        let of = self.of.unit.flow.control.blocks[header];
        let mut need = Some(need);
        for position in (of.first.index()..of.last.index()).rev().map(FlowPosition::new) {
            need = self.statement(position, need);
        }
        need
    }
}
