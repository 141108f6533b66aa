//! Under what control goes from one block to the next.

use super::build;
use super::connect::{all, any, not};
use super::formula::Formula;
use super::relation::Relation;
use super::unit::UnitContext;
use crate::flow::{BlockId, FlowPosition};
use crate::syntax::{CaseRange, Expression, StatementId, StatementKind};

impl UnitContext<'_> {
    /// Under what control goes from the statement at a position, which ends its block, to each of several blocks; of
    /// these conditions one holds. Loops that count are left to who follows loops.
    pub fn ways(&self, position: FlowPosition, targets: &[BlockId]) -> Vec<Formula> {
        let id = self.flow.statements[position];
        let found = match &self.tree.statements[id].kind {
            StatementKind::IfThen(condition) | StatementKind::ElseIf(condition, _) => {
                self.if_then(position, id, targets, condition)
            }
            StatementKind::If { condition, action } => self.one_line_if(position, id, targets, condition, &action.kind),
            StatementKind::SelectCase(selector) => self.select_case(id, targets, selector),
            StatementKind::ComputedGoTo(labels, selector) => {
                self.computed_goto(position, id, targets, labels, selector)
            }
            StatementKind::ArithmeticIf(expression, labels) => self.arithmetic_if(id, targets, *labels, expression),
            StatementKind::Do { control: crate::syntax::DoControl::While(condition), .. } => {
                self.if_then(position, id, targets, condition)
            }
            _ => None,
        };
        found.unwrap_or_else(|| targets.iter().map(|_| self.unknown_truth(id)).collect())
    }

    fn first(&self, block: BlockId) -> FlowPosition {
        self.flow.control.blocks[block].first
    }

    fn if_then(
        &self,
        position: FlowPosition,
        id: StatementId,
        targets: &[BlockId],
        condition: &Expression,
    ) -> Option<Vec<Formula>> {
        let condition = self.lower(id, condition);
        // Where the block is empty, the next position is the next header, to which control goes if the condition does
        // not hold.
        let is_empty = self.is_next_header(position);
        let way = |&target: &BlockId| {
            let is_inside = (self.first(target) == position + 1) != is_empty;
            if is_inside { condition.clone() } else { not(&condition) }
        };
        Some(targets.iter().map(way).collect())
    }

    /// Whether the statement behind a header is another header of the same construct.
    fn is_next_header(&self, position: FlowPosition) -> bool {
        let statements = &self.flow.statements;
        let construct = self.tree.construct_of[statements[position]];
        let next = statements.get(position + 1);
        construct.zip(next).is_some_and(|(construct, next)| {
            let headers = &self.tree.constructs[construct].headers;
            headers.contains(next) && headers.first() != Some(next)
        })
    }

    fn one_line_if(
        &self,
        position: FlowPosition,
        id: StatementId,
        targets: &[BlockId],
        condition: &Expression,
        action: &StatementKind,
    ) -> Option<Vec<Formula>> {
        let [one, other] = targets else { return None };
        let jumped = match action {
            StatementKind::GoTo(label) => Some(self.label(*label)?),
            StatementKind::Cycle(_) | StatementKind::Exit(_) => None,
            _ => return None,
        };
        let leads_on = match jumped {
            Some(target) if target == *one => *other,
            Some(_) => *one,
            None if self.first(*one) == position + 1 => *one,
            None if self.first(*other) == position + 1 => *other,
            // The IF ends a construct: control goes on behind the loop's end, which is not the one that it leaves.
            None => return None,
        };
        let condition = self.lower(id, condition);
        let way = |&target: &BlockId| if target == leads_on { not(&condition) } else { condition.clone() };
        Some(targets.iter().map(way).collect())
    }

    fn label(&self, label: u32) -> Option<BlockId> {
        let mut labelled =
            self.flow.statements.iter_enumerated().filter(|(_, id)| self.tree.statements[**id].label == Some(label));
        labelled.next().map(|(position, _)| self.flow.control.block_of[position])
    }

    fn select_case(&self, id: StatementId, targets: &[BlockId], selector: &Expression) -> Option<Vec<Formula>> {
        let construct = &self.tree.constructs[self.tree.construct_of[id]?];
        let value = self.lower(id, selector);
        let mut met: Vec<(BlockId, Formula)> = Vec::new();
        for &header in &construct.headers[1..] {
            let StatementKind::Case { ranges, .. } = &self.tree.statements[header].kind else { return None };
            if !ranges.is_empty() {
                let block = self.flow.control.block_of[self.flow.position(header)?];
                met.push((block, any(ranges.iter().map(|range| self.in_range(id, &value, range)))));
            }
        }
        let otherwise = all(met.iter().map(|(_, condition)| not(condition)));
        let way = |&target: &BlockId| {
            let own = met.iter().find(|(block, _)| *block == target);
            own.map_or_else(|| otherwise.clone(), |(_, condition)| condition.clone())
        };
        Some(targets.iter().map(way).collect())
    }

    fn in_range(&self, id: StatementId, value: &Formula, range: &CaseRange) -> Formula {
        let compare = |relation, bound: &Expression| {
            let bound = self.lower(id, bound);
            if value.type_() == super::formula::Type::Logical {
                return super::connect::equivalent(value, &bound);
            }
            build::compare(relation, value.clone(), bound)
        };
        match range {
            CaseRange::Value(of) => compare(Relation::Equal, of),
            CaseRange::Range(lower, upper) => all([
                lower.as_ref().map_or(build::logical(true), |lower| compare(Relation::GreaterEqual, lower)),
                upper.as_ref().map_or(build::logical(true), |upper| compare(Relation::LessEqual, upper)),
            ]),
        }
    }

    fn computed_goto(
        &self,
        position: FlowPosition,
        id: StatementId,
        targets: &[BlockId],
        labels: &[u32],
        selector: &Expression,
    ) -> Option<Vec<Formula>> {
        let value = self.lower(id, selector);
        let next = self.flow.control.block_of.get(position + 1).copied();
        let mut found = Vec::new();
        for &target in targets {
            let mut ways = Vec::new();
            for (number, &label) in (1..).zip(labels) {
                if self.label(label) == Some(target) {
                    ways.push(build::compare(Relation::Equal, value.clone(), build::integer(number)));
                }
            }
            if next == Some(target) {
                let count = i64::try_from(labels.len()).ok()?;
                ways.push(build::compare(Relation::Less, value.clone(), build::integer(1)));
                ways.push(build::compare(Relation::Greater, value.clone(), build::integer(count)));
            }
            found.push(any(ways));
        }
        Some(found)
    }

    fn arithmetic_if(
        &self,
        id: StatementId,
        targets: &[BlockId],
        labels: [u32; 3],
        expression: &Expression,
    ) -> Option<Vec<Formula>> {
        let value = self.lower(id, expression);
        let relations = [Relation::Less, Relation::Equal, Relation::Greater];
        let blocks = labels.map(|label| self.label(label));
        let way = |&target: &BlockId| {
            let of = relations.iter().zip(blocks).filter(|(_, block)| *block == Some(target));
            let zero = || build::integer(0);
            any(of.map(|(relation, _)| build::compare(*relation, value.clone(), zero())))
        };
        Some(targets.iter().map(way).collect())
    }
}
