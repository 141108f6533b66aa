//! What holds where a block is entered, because of the branches that control passes on its way: behind
//! `IF (INFO == 0) THEN` a condition on INFO need not be asked again, as long as INFO stays what it is.

use std::ops::Range;

use oxc_index::{IndexVec, index_vec};

use super::backward::{Backward, Way};
use super::build::{logical, merge};
use super::connect::{all, implies, not};
use super::formula::{Formula, Kind, Type};
use super::given_back::known_choices;
use crate::flow::{BlockId, ControlFlow, FlowPosition};

/// Larger conditions are not remembered, nor more of them.
const LARGEST: u32 = 5;
const MOST: usize = 12;

/// A formula that is no larger is taken as it is, whatever branches say.
const SMALL: u32 = 12;

/// What holds on each way out of a block, by where it leads.
type FactsOfWays = Vec<(BlockId, Vec<Formula>)>;

/// The blocks that can be reached, each behind those that lead to it where there is no loop.
fn in_order(control: &ControlFlow) -> Vec<BlockId> {
    let mut order: Vec<BlockId> = Vec::new();
    let mut met = vec![false; control.blocks.len()];
    let mut pending = vec![(BlockId::new(0), false)];
    while let Some((block, is_done)) = pending.pop() {
        if is_done {
            order.push(block);
        } else if !std::mem::replace(&mut met[block.index()], true) {
            pending.push((block, true));
            pending.extend(control.successors(block).filter(|next| !met[next.index()]).map(|next| (next, false)));
        }
    }
    order.reverse();
    order
}

/// A formula where a condition holds, without alternatives of which it decides one. What it says by itself stays: other
/// ways may need the same, and what all need is found by its form.
fn given(fact: &Formula, formula: &Formula) -> Formula {
    if !fact.may_concern(formula) {
        return formula.clone();
    }
    match formula.kind() {
        Kind::Any(parts) if parts.iter().any(|part| implies(fact, part)) => logical(true),
        Kind::All(parts) => {
            let made: Vec<Formula> = parts.iter().map(|part| given(fact, part)).collect();
            let is_same = made.iter().zip(parts).all(|(one, other)| one.is_same(other));
            if is_same { formula.clone() } else { all(made) }
        }
        Kind::Call(name, parts) if &**name == "merge" && formula.rank() == 0 => match parts.as_slice() {
            [one, _, mask] if implies(fact, mask) => given(fact, one),
            [_, other, mask] if implies(fact, &not(mask)) => given(fact, other),
            [one, other, mask] => merge(mask, &given(fact, one), &given(fact, other)),
            _ => formula.clone(),
        },
        _ => formula.clone(),
    }
}

impl Backward<'_, '_> {
    /// For each block what holds where it is entered.
    fn found_facts(&self) -> IndexVec<BlockId, Vec<Formula>> {
        let control = &self.unit.flow.control;
        let mut found: IndexVec<BlockId, Vec<Formula>> = index_vec![Vec::new(); control.blocks.len()];
        // What holds behind each block that was looked at, by where control goes from it.
        let mut behind: IndexVec<BlockId, FactsOfWays> = index_vec![Vec::new(); control.blocks.len()];
        for block in in_order(control) {
            let mut common: Option<Vec<Formula>> = (block.index() == 0).then(Vec::new);
            let mut is_come_back_to = false;
            for before in control.predecessors(block) {
                let of_way = behind[before].iter().find(|(target, _)| *target == block);
                let Some((_, facts)) = of_way else {
                    is_come_back_to = true;
                    continue;
                };
                common = Some(match common {
                    None => facts.clone(),
                    Some(common) => common.into_iter().filter(|fact| facts.contains(fact)).collect(),
                });
            }
            let mut facts = common.unwrap_or_default();
            if is_come_back_to {
                facts.retain(|fact| self.loop_keeps(block, fact));
            }
            facts.truncate(MOST);
            behind[block] = self.facts_behind(block, &facts);
            found[block] = facts;
        }
        found
    }

    /// What holds behind a block by where control goes from it, if `known` holds where it is entered.
    fn facts_behind(&self, block: BlockId, known: &[Formula]) -> FactsOfWays {
        let kept: Vec<Formula> = known.iter().filter(|fact| self.keeps(block, fact)).cloned().collect();
        let control = &self.unit.flow.control;
        let last = control.blocks[block].last;
        let targets: Vec<BlockId> = control.successors(block).collect();
        if targets.len() < 2 || self.unit.has_changing_functions(self.unit.flow.statements[last], None) {
            return targets.into_iter().map(|target| (target, kept.clone())).collect();
        }
        let ways = self.unit.ways(last, &targets);
        let with_condition = |(target, condition): (BlockId, Formula)| {
            let mut facts = kept.clone();
            for fact in condition.conjuncts() {
                if is_simple(fact) && !facts.contains(fact) {
                    facts.push(fact.clone());
                }
            }
            (target, facts)
        };
        targets.into_iter().zip(ways).map(with_condition).collect()
    }

    /// Whether a condition holds behind a block if it held before.
    fn keeps(&self, block: BlockId, fact: &Formula) -> bool {
        let of = self.unit.flow.control.blocks[block];
        self.keep(of.first.index()..of.last.index() + 1, fact)
    }

    /// Whether a condition holds behind statements if it held before.
    fn keep(&self, mut positions: Range<usize>, fact: &Formula) -> bool {
        positions.all(|position| {
            let position = FlowPosition::new(position);
            let kind = &self.unit.tree.statements[self.unit.flow.statements[position]].kind;
            let counted = self.unit.counted_at(position).map(|symbol| self.unit.root(symbol));
            !self.concerns(position, kind.executed(), fact) && counted.is_none_or(|root| !fact.may_mention(&root))
        })
    }

    /// Whether a condition holds in each iteration of the loop that a block heads if it held before.
    fn loop_keeps(&self, header: BlockId, fact: &Formula) -> bool {
        let Some(blocks) = self.loops.blocks(header) else { return false };
        blocks.ones().all(|block| self.keeps(BlockId::new(block), fact))
    }
}

impl Way<'_, '_, '_> {
    /// What is needed before a statement, without what is decided where its block is entered, and of values without
    /// what will not count in the end.
    pub(super) fn reduced(&self, position: FlowPosition, mut need: Formula) -> Formula {
        if need.size() <= SMALL {
            return need;
        }
        let control = &self.of.unit.flow.control;
        let block = control.block_of[position];
        let before = control.blocks[block].first.index()..position.index();
        for fact in &self.of.facts.get_or_init(|| self.of.found_facts())[block] {
            let made = given(fact, &need);
            if !made.is_same(&need) && self.of.keep(before.clone(), fact) {
                need = made;
            }
        }
        if self.question.at.is_some() || need.type_() == Type::Logical {
            return need;
        }
        known_choices(&need, &|part| if self.is_arbitrary(part) { part.clone() } else { self.unknown_value(position) })
    }
}

/// Whether a condition is worth remembering: of few parts, all of them variables or numbers.
fn is_simple(fact: &Formula) -> bool {
    let is_other = &mut |node: &Formula| matches!(node.kind(), Kind::Call(..) | Kind::Input(_) | Kind::ForAll(..));
    let is_condition = matches!(fact.kind(), Kind::Compare(..) | Kind::Value(_) | Kind::Not(_));
    is_condition && fact.size() <= LARGEST && fact.rank() == 0 && !fact.has_unknown() && !fact.any_node(is_other)
}
