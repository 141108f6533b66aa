//! Conditions and values taken backward from one point of a unit to its entry.
//!
//! What a block *needs* is a formula over the values at its beginning: if it holds there, then the condition that is
//! asked for holds whenever control passes its statement. It follows from what the blocks behind it need. A way that
//! always fails elsewhere needs nothing and decides nothing ([`Need`] is `None`): of a chain of checks each is told as
//! if those before it had passed. A loop is entered once; its iterations are one formula for all values of its
//! counter, or, if it does not count, a formula that taking it through the loop once more does not change.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use oxc_index::{IndexVec, index_vec};
use rustc_hash::FxHashMap;

use super::build;
use super::connect::all;
use super::effects::base;
use super::failure::{Failure, Failures};
use super::formula::{Formula, Root};
use super::loops::Loops;
use super::procedure::GivenUp;
use super::step::Touched;
use super::unit::UnitContext;
use crate::flow::{BlockId, FlowPosition};
use crate::syntax::StatementKind;

/// What is needed at a point; `None`: whatever is true, all ways from here fail elsewhere.
pub type Need = Option<Formula>;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Question {
    /// The condition where a statement is executed: its position, whether its action counts, and the condition.
    pub at: Option<(FlowPosition, bool, Formula)>,
    /// What is needed where the unit returns.
    pub at_return: Formula,
    /// Whether a failure elsewhere is no failure here: then each way counts.
    pub counts_all_ways: bool,
}

impl Question {
    /// Under what a condition holds wherever a statement is executed.
    pub fn condition(position: FlowPosition, is_in_action: bool, condition: Formula) -> Self {
        let at = Some((position, is_in_action, condition));
        Question { at, at_return: build::logical(true), counts_all_ways: false }
    }

    /// Under what a failure does not happen.
    pub fn of(failure: &Failure) -> Self {
        Question::condition(failure.position, failure.is_in_action, failure.condition.clone())
    }

    /// What a value is where the unit returns.
    pub fn value(value: Formula) -> Self {
        Question { at: None, at_return: value, counts_all_ways: false }
    }

    /// The same with all ways counted.
    #[must_use]
    pub fn counting_all_ways(mut self) -> Self {
        self.counts_all_ways = true;
        self
    }
}

/// Of a formula that is larger than this the large parts are given up.
const LARGEST: u32 = 800;

/// The same once much work was done.
const LARGEST_LATE: u32 = 100;

/// The nodes of formulas that are taken through blocks, for one question and for all of a unit.
const MOST_WORK: u64 = 60_000;
const MOST_WORK_OF_UNIT: u64 = 300_000;

/// Blocks are followed through each other no deeper.
const DEEPEST: usize = 3_000;

/// What of a unit does not depend on the question.
pub struct Backward<'u, 't> {
    pub(super) unit: &'u UnitContext<'t>,
    failures: &'u Failures,
    pub(super) loops: Loops,
    /// Blocks from which all ways fail.
    pub(super) fails: FixedBitSet,
    /// What may still be done.
    work_left: Cell<u64>,
    /// What each statement that was met may change.
    touched: RefCell<IndexVec<FlowPosition, Option<Touched>>>,
    /// What each loop that was met changes, by its header.
    changed: RefCell<FxHashMap<BlockId, Rc<Changed>>>,
    /// The blocks from which others can be reached.
    leading_to: RefCell<FxHashMap<BlockId, Rc<FixedBitSet>>>,
    /// What branches say where each block is entered, if that was asked for.
    pub(super) facts: OnceCell<IndexVec<BlockId, Vec<Formula>>>,
}

/// What a loop changes.
pub(super) struct Changed {
    /// The variables.
    pub(super) roots: Vec<Root>,
    /// Whether it calls what may change others.
    pub(super) calls: bool,
}

/// One question on its way.
pub(super) struct Way<'b, 'u, 't> {
    pub(super) of: &'b Backward<'u, 't>,
    pub(super) question: &'b Question,
    /// The blocks from which the statement of the question can be reached; all blocks if there is none.
    pub(super) leads_there: Rc<FixedBitSet>,
    pub(super) known: IndexVec<BlockId, Option<Need>>,
    /// What is taken for needed where a loop goes on.
    pub(super) going_on: IndexVec<BlockId, Option<Need>>,
    pub(super) depth: usize,
    pub(super) work: u64,
    pub(super) is_given_up: bool,
    /// Why something of which nothing is known stands for a part of the condition, where its size or the flow is the
    /// reason.
    pub(super) lost: Option<GivenUp>,
    /// What stands for values that are not known, of those that are asked for.
    pub(super) unknown: OnceCell<Formula>,
    /// What stands for values where the unit fails.
    pub(super) arbitrary: OnceCell<Formula>,
    /// What stands for all that is needed where control jumps into loops. It is never negated, so that it may be one.
    pub(super) tangled: Need,
}

impl<'u, 't> Backward<'u, 't> {
    /// A unit that fails at these statements.
    pub fn new(unit: &'u UnitContext<'t>, failures: &'u Failures) -> Self {
        let loops = Loops::new(&unit.flow.control);
        let mut made = Backward {
            unit,
            failures,
            loops,
            fails: FixedBitSet::new(),
            work_left: Cell::new(MOST_WORK_OF_UNIT),
            touched: RefCell::new(index_vec![None; unit.flow.statements.len()]),
            changed: RefCell::default(),
            leading_to: RefCell::default(),
            facts: OnceCell::new(),
        };
        made.fails = made.always_failing();
        made
    }

    /// Whether the unit never returns, whatever the values.
    pub fn always_fails(&self) -> bool {
        self.fails.contains(0)
    }

    /// For each position whether control may come to it behind one of these statements, or at it.
    pub fn at_or_behind(&self, positions: &[FlowPosition]) -> FixedBitSet {
        let control = &self.unit.flow.control;
        let mut found = FixedBitSet::with_capacity(self.unit.flow.statements.len());
        let mut met = FixedBitSet::with_capacity(control.blocks.len());
        let mut pending: Vec<BlockId> = Vec::new();
        for &position in positions {
            let block = control.block_of[position];
            found.insert_range(position.index()..control.blocks[block].last.index() + 1);
            pending.extend(control.successors(block));
        }
        while let Some(block) = pending.pop() {
            if !met.put(block.index()) {
                let of = control.blocks[block];
                found.insert_range(of.first.index()..of.last.index() + 1);
                pending.extend(control.successors(block));
            }
        }
        found
    }

    /// Whether control may come to a statement and go on behind it without failing.
    pub fn may_pass(&self, position: FlowPosition) -> bool {
        !self.fails.contains(self.unit.flow.control.block_of[position].index())
    }

    fn always_failing(&self) -> FixedBitSet {
        let control = &self.unit.flow.control;
        let mut fails = FixedBitSet::with_capacity(control.blocks.len());
        for (&position, &is_action_only) in &self.failures.certain {
            let block = control.block_of[position];
            if !is_action_only && !self.may_leave_in_action(block, position) {
                fails.insert(block.index());
            }
        }
        let mut pending: Vec<BlockId> = fails.ones().map(BlockId::new).collect();
        while let Some(block) = pending.pop() {
            for before in control.predecessors(block) {
                let may_leave = self.may_leave_in_action(before, control.blocks[before].last + 1);
                if !may_leave
                    && !fails.contains(before.index())
                    && control.successors(before).all(|next| fails.contains(next.index()))
                {
                    fails.insert(before.index());
                    pending.push(before);
                }
            }
        }
        fails
    }

    /// Whether a one-line IF returns, or stops without a failure, in a block before a position.
    pub fn may_leave_in_action(&self, block: BlockId, end: FlowPosition) -> bool {
        let of = self.unit.flow.control.blocks[block];
        (of.first.index()..=of.last.index()).map(FlowPosition::new).take_while(|&at| at < end).any(|position| {
            let id = self.unit.flow.statements[position];
            let action = self.unit.tree.statements[id].kind.action();
            let is_certain = self.failures.certain.contains_key(&position);
            action.is_some_and(|action| match action.kind {
                StatementKind::Return(_) => true,
                StatementKind::Stop { .. } => !is_certain,
                _ => false,
            })
        })
    }

    /// What the unit needs on entry; `None` if that can't be found out.
    pub fn on_entry(&self, question: &Question) -> Option<Need> {
        self.on_entry_in_part(question).ok().map(|(need, _)| need)
    }

    /// What the unit needs on entry, and why a part of it was lost on the way; an error if all of it was.
    pub fn on_entry_in_part(&self, question: &Question) -> Result<(Need, Option<GivenUp>), GivenUp> {
        let control = &self.unit.flow.control;
        if control.blocks.is_empty() || self.work_left.get() == 0 {
            return Err(GivenUp::TooLarge);
        }
        let count = control.blocks.len();
        let leads_there = match &question.at {
            None => {
                let mut all = FixedBitSet::with_capacity(count);
                all.insert_range(..);
                Rc::new(all)
            }
            Some((position, ..)) => self.leading_to(control.block_of[*position]),
        };
        let mut way = Way {
            of: self,
            question,
            leads_there,
            known: index_vec![None; count],
            going_on: index_vec![None; count],
            depth: 0,
            work: 0,
            is_given_up: false,
            lost: None,
            unknown: OnceCell::new(),
            arbitrary: OnceCell::new(),
            tangled: None,
        };
        let need = way.entering(BlockId::new(0));
        let need = way.given_back(need);
        self.work_left.set(self.work_left.get().saturating_sub(way.work));
        if way.is_given_up { Err(way.lost.unwrap_or(GivenUp::TooLarge)) } else { Ok((need, way.lost)) }
    }
}

impl Backward<'_, '_> {
    /// The blocks from which a block can be reached.
    fn leading_to(&self, block: BlockId) -> Rc<FixedBitSet> {
        let find = || {
            let control = &self.unit.flow.control;
            let mut found = FixedBitSet::with_capacity(control.blocks.len());
            let mut pending = vec![block];
            while let Some(block) = pending.pop() {
                if !found.put(block.index()) {
                    pending.extend(control.predecessors(block));
                }
            }
            Rc::new(found)
        };
        Rc::clone(self.leading_to.borrow_mut().entry(block).or_insert_with(find))
    }

    /// Whether a statement may change what a formula speaks of.
    pub(super) fn concerns(&self, position: FlowPosition, kind: &StatementKind, formula: &Formula) -> bool {
        let known = self.touched.borrow()[position];
        let touched = known.unwrap_or_else(|| {
            let found = self.unit.touched(position, kind);
            self.touched.borrow_mut()[position] = Some(found);
            found
        });
        touched.concerns(formula)
    }

    /// What a loop changes.
    pub(super) fn changed(&self, header: BlockId, blocks: &FixedBitSet) -> Rc<Changed> {
        let find = || {
            let (symbols, calls) = self.unit.changed_in(blocks);
            let roots = symbols.into_iter().filter_map(|symbol| base(&self.unit.variable(symbol))).collect();
            Rc::new(Changed { roots, calls })
        };
        Rc::clone(self.changed.borrow_mut().entry(header).or_insert_with(find))
    }
}

impl Way<'_, '_, '_> {
    /// What is needed where control enters a block from outside of the loops that it heads.
    fn entering(&mut self, block: BlockId) -> Need {
        if self.of.loops.tangled.contains(block.index()) && self.leads_there.contains(block.index()) {
            if self.tangled.is_none() {
                let first = self.of.unit.flow.control.blocks[block].first;
                self.tangled = self.lose(GivenUp::JumpIntoLoop, first);
            }
            return self.tangled.clone();
        }
        if self.of.loops.blocks(block).is_some() { self.entering_loop(block) } else { self.block(block) }
    }

    /// What is needed where control goes from one block to another.
    pub(super) fn along(&mut self, from: BlockId, to: BlockId) -> Need {
        match self.of.loops.blocks(to) {
            Some(blocks) if blocks.contains(from.index()) => {
                self.going_on[to].clone().unwrap_or_else(|| Some(build::logical(true)))
            }
            _ => self.entering(to),
        }
    }

    /// What is needed at the beginning of a block.
    pub(super) fn block(&mut self, block: BlockId) -> Need {
        if self.is_given_up {
            return None;
        }
        if let Some(known) = &self.known[block] {
            return known.clone();
        }
        let need = if !self.leads_there.contains(block.index()) {
            // What is asked for does not lie behind it.
            self.otherwise(self.of.fails.contains(block.index()))
        } else if self.depth > DEEPEST {
            self.is_given_up = true;
            None
        } else {
            self.depth += 1;
            let need = self.through(block);
            self.depth -= 1;
            need
        };
        self.known[block] = Some(need.clone());
        need
    }

    /// What is needed where the statement is not reached any more.
    fn otherwise(&self, fails: bool) -> Need {
        if !fails || self.question.counts_all_ways {
            return Some(self.question.at_return.clone()).filter(|_| self.question.at.is_some() || !fails);
        }
        None
    }

    fn through(&mut self, block: BlockId) -> Need {
        let unit = self.of.unit;
        let of = unit.flow.control.blocks[block];
        let mut need = self.behind(block);
        for position in (of.first.index()..=of.last.index()).rev().map(FlowPosition::new) {
            let size = need.as_ref().map_or(0, Formula::size);
            need = self.statement(position, need);
            if self.question.at.as_ref().is_some_and(|(at, ..)| *at != position) {
                need = need.map(|need| self.of.failures.unless_ended(unit, position, need));
            }
            let may_shrink = |need: &Formula| position == of.first || need.size() > size.max(LARGEST / 4);
            need = need.map(|need| if may_shrink(&need) { self.reduced(position, need) } else { need });
            let largest = if self.work > MOST_WORK { LARGEST_LATE } else { LARGEST };
            if let Some(large) = need.take_if(|need| need.size() > largest) {
                need = self.without_large_parts(&large, largest / 2, position);
            }
        }
        self.work += u64::from(need.as_ref().map_or(1, Formula::size));
        let most = if self.question.at.is_some() { MOST_WORK + MOST_WORK / 4 } else { MOST_WORK };
        self.is_given_up |= self.work > most;
        need
    }

    /// A condition of which nothing is known, or a value.
    fn lose(&mut self, reason: GivenUp, position: FlowPosition) -> Need {
        self.lost.get_or_insert(reason);
        if self.question.at.is_none() {
            return Some(self.unknown_value(position));
        }
        Some(self.of.unit.unknown_truth(self.of.unit.flow.statements[position]))
    }

    /// A condition without those of its parts that are too large together, the smallest being kept: so the checks that
    /// stand beside a large one are known whole.
    fn without_large_parts(&mut self, large: &Formula, most: u32, position: FlowPosition) -> Need {
        let lost = self.lose(GivenUp::TooLarge, position)?;
        let mut sizes: Vec<u32> = large.conjuncts().iter().map(Formula::size).collect();
        sizes.sort_unstable();
        let mut total = 0;
        let fitting = sizes.iter().take_while(|&&size| {
            total += size;
            total <= most
        });
        let largest_kept = fitting.last().copied().unwrap_or(0);
        let kept = large.conjuncts().iter().filter(|part| part.size() <= largest_kept);
        Some(all(kept.cloned().chain([lost])))
    }

    /// What is needed behind the last statement of a block.
    fn behind(&mut self, block: BlockId) -> Need {
        let unit = self.of.unit;
        let last = unit.flow.control.blocks[block].last;
        let mut targets: Vec<BlockId> = unit.flow.control.successors(block).collect();
        targets.sort_unstable();
        if targets.is_empty() {
            return Some(self.question.at_return.clone());
        }
        let needs: Vec<Need> = targets.iter().map(|&target| self.along(block, target)).collect();
        // Where all ways need the same, it does not matter under what control takes which.
        let mut needed = needs.iter().flatten();
        let first = needed.next()?;
        let may_fail = self.asks_number() && needs.iter().any(Option::is_none);
        if needed.all(|need| need == first) && !may_fail {
            return Some(first.clone());
        }
        let ways = unit.ways(last, &targets);
        self.chosen(ways.into_iter().zip(needs).collect())
    }

    /// What is needed before a statement.
    pub(super) fn statement(&mut self, position: FlowPosition, after: Need) -> Need {
        let unit = self.of.unit;
        let id = unit.flow.statements[position];
        let asked = match &self.question.at {
            Some((at, in_action, condition)) if *at == position => Some((*in_action, condition.clone())),
            _ => None,
        };
        let failing = self.of.failures.certain.get(&position).copied();
        let kind = &unit.tree.statements[id].kind;
        let StatementKind::If { condition, action } = kind else {
            if let Some((_, condition)) = asked {
                return Some(condition);
            }
            return if failing.is_some() { self.otherwise(true) } else { self.before(position, kind, after) };
        };
        if let Some((false, condition)) = asked {
            return Some(condition);
        }
        if failing == Some(false) {
            return self.otherwise(true);
        }
        let is_jump = matches!(action.kind, StatementKind::GoTo(_) | StatementKind::Cycle(_) | StatementKind::Exit(_));
        if is_jump {
            return after.map(|after| unit.before_functions(&after, id));
        }
        let called = match &action.kind {
            StatementKind::Call { procedure } => Some(procedure),
            _ => None,
        };
        let is_met = asked.is_some() || failing.is_some();
        let leaves = matches!(action.kind, StatementKind::Return(_) | StatementKind::Stop { .. });
        if let (false, false, Some(need)) = (is_met, leaves, &after)
            && (self.is_constant(need) || !self.of.concerns(position, &action.kind, need))
        {
            return after;
        }
        let inside = match asked {
            Some((_, condition)) => Some(condition),
            None if failing == Some(true) => self.otherwise(true),
            None => match &action.kind {
                StatementKind::Return(_) | StatementKind::Stop { .. } => Some(self.question.at_return.clone()),
                action => self.before(position, action, after.clone()),
            },
        };
        let need = self.chosen(vec![
            (unit.lower(id, condition), inside),
            (super::connect::not(&unit.lower(id, condition)), after),
        ]);
        need.map(|need| unit.before_functions_but(&need, id, called))
    }

    /// What is needed before a statement that does not fail.
    fn before(&mut self, position: FlowPosition, kind: &StatementKind, after: Need) -> Need {
        let after = after?;
        let is_same = self.is_constant(&after) || !self.of.concerns(position, kind, &after);
        Some(if is_same { after } else { self.of.unit.before(&after, position, kind) })
    }

    fn is_constant(&self, formula: &Formula) -> bool {
        build::is_constant(formula)
    }
}

/// What is needed where one of several ways is taken, each under its condition; those that need nothing are left out.
pub(super) fn chosen(needs: Vec<(Formula, Need)>) -> Need {
    let mut needed: Vec<(Formula, Formula)> =
        needs.into_iter().filter_map(|(condition, need)| Some((condition, need?))).collect();
    // What is left when no other condition holds is where nothing is needed, so that the others are told as they are.
    needed.sort_by_key(|(_, need)| need.is_logical(true));
    let mut needed = needed.into_iter().rev();
    let (_, mut made) = needed.next()?;
    for (condition, need) in needed {
        made = build::merge(&condition, &need, &made);
    }
    Some(made)
}
