//! Under what control goes from one block to the next.

use thin_vec::ThinVec;

use crate::flow::{BlockId, FlowPosition};
use crate::symbolic::{Condition, constant};
use crate::syntax::{CaseRange, ConstructId, Expression, StatementId, StatementKind};

use super::place::{Origin, PlaceInfo};
use super::point::Point;
use super::unit::Unit;

impl Unit<'_> {
    /// Under what control goes from the statement at a position, which ends its block, to each of the blocks that
    /// follow it. DO statements are left to whoever walks through loops.
    pub fn branches(point: &mut Point<'_, '_>, position: FlowPosition, targets: &[BlockId]) -> Vec<Condition> {
        let unit = &point.unit;
        let statement = &unit.tree.statements[unit.flow.statements[position]];
        if targets.len() < 2 {
            return vec![Condition::True; targets.len()];
        }
        let firsts: Vec<FlowPosition> = targets.iter().map(|&target| unit.flow.control.blocks[target].first).collect();
        let found = match &statement.kind {
            StatementKind::IfThen(condition) | StatementKind::ElseIf(condition, _) => {
                if_then(point, position, &firsts, condition)
            }
            StatementKind::If { condition, action } => one_line_if(point, position, &firsts, condition, &action.kind),
            StatementKind::SelectCase(selector) => select_case(point, position, &firsts, selector),
            StatementKind::ComputedGoTo(labels, selector) => computed_goto(point, position, &firsts, labels, selector),
            StatementKind::ArithmeticIf(expression, labels) => arithmetic_if(point, &firsts, *labels, expression),
            _ => None,
        };
        found.unwrap_or_else(|| targets.iter().map(|_| unknown(point)).collect())
    }
}

/// A condition of which nothing is known and that nothing was read for.
fn unknown(point: &mut Point<'_, '_>) -> Condition {
    let region = point.region();
    let origin = Origin::Opaque(ThinVec::new());
    let info = PlaceInfo { text: "a branch".into(), region, origin, definition: None };
    Condition::Logical(point.unit.places.add(info), true)
}

fn if_then(
    point: &mut Point<'_, '_>,
    position: FlowPosition,
    firsts: &[FlowPosition],
    condition: &Expression,
) -> Option<Vec<Condition>> {
    let condition = point.condition(condition);
    // Where the block is empty, the next position is the next header, to which control goes if the condition is false.
    let is_empty = is_next_header(point, position);
    Some(
        firsts
            .iter()
            .map(|&first| if (first == position + 1) != is_empty { condition.clone() } else { condition.not() })
            .collect(),
    )
}

/// Whether the statement behind a header is another header of the same construct.
fn is_next_header(point: &Point<'_, '_>, position: FlowPosition) -> bool {
    let (tree, statements) = (point.unit.tree, &point.unit.flow.statements);
    let construct: Option<ConstructId> = tree.construct_of[statements[position]];
    let next = statements.get(position + 1);
    construct.zip(next).is_some_and(|(construct, next)| tree.constructs[construct].headers.contains(next))
}

fn one_line_if(
    point: &mut Point<'_, '_>,
    position: FlowPosition,
    firsts: &[FlowPosition],
    condition: &Expression,
    action: &StatementKind,
) -> Option<Vec<Condition>> {
    let condition = point.condition(condition);
    let inner: Option<Vec<FlowPosition>> = match action {
        StatementKind::GoTo(label) => label_position(point, *label).map(|target| vec![target]),
        StatementKind::Cycle(_) | StatementKind::Exit(_) => None,
        _ => return None,
    };
    // Of the two ways one is that of the action, the other one leads on.
    let [left, right] = firsts else { return None };
    let following = following(point, position);
    let leads_on = match inner.as_deref() {
        Some([target]) if target == left && target != right => *right,
        Some([target]) if target == right => *left,
        _ if following == Some(*left) => *left,
        _ if following == Some(*right) => *right,
        _ => return None,
    };
    Some(firsts.iter().map(|&first| if first == leads_on { condition.not() } else { condition.clone() }).collect())
}

/// Where control goes behind a statement that is followed by another one in its block of statements.
fn following(point: &Point<'_, '_>, position: FlowPosition) -> Option<FlowPosition> {
    let statements = &point.unit.flow.statements;
    (position + 1 < statements.len()).then_some(position + 1)
}

fn label_position(point: &Point<'_, '_>, label: u32) -> Option<FlowPosition> {
    let unit = &point.unit;
    let statements = unit.flow.statements.iter_enumerated();
    statements.filter(|(_, id)| unit.tree.statements[**id].label == Some(label)).map(|(position, _)| position).next()
}

fn select_case(
    point: &mut Point<'_, '_>,
    position: FlowPosition,
    firsts: &[FlowPosition],
    selector: &Expression,
) -> Option<Vec<Condition>> {
    let tree = point.unit.tree;
    let id = point.unit.flow.statements[position];
    let construct = tree.construct_of[id]?;
    let is_integer = point.is_integer(selector);
    let value = is_integer.then(|| point.integer(selector));
    let reads = point.reads(selector);
    let headers: Vec<StatementId> = tree.constructs[construct].headers[1..].to_vec();
    let mut met: Vec<(FlowPosition, Condition)> = Vec::new();
    let mut others = Vec::new();
    for header in headers {
        let StatementKind::Case { ranges, .. } = &tree.statements[header].kind else { return None };
        let at = point.unit.flow.position(header)?;
        if ranges.is_empty() {
            continue;
        }
        let condition = match &value {
            Some(value) => {
                let in_range = ranges.iter().map(|range| in_range(point, value, range)).collect::<Option<Vec<_>>>();
                Condition::any(in_range?)
            }
            None => {
                let region = point.region();
                let reads = reads.iter().copied().collect();
                let origin = if point.is_data(selector) { Origin::Data(reads) } else { Origin::Opaque(reads) };
                let info = PlaceInfo { text: "a case".into(), region, origin, definition: None };
                Condition::Logical(point.unit.places.add(info), true)
            }
        };
        others.push(condition.clone());
        met.push((at, condition));
    }
    let otherwise = Condition::all(others.iter().map(Condition::not));
    Some(
        firsts
            .iter()
            .map(|first| match met.iter().find(|(at, _)| at == first) {
                Some((_, condition)) => condition.clone(),
                // CASE DEFAULT, of which a program that is none has several, or what stands behind.
                None => otherwise.clone(),
            })
            .collect(),
    )
}

fn in_range(point: &mut Point<'_, '_>, value: &crate::symbolic::Term, range: &CaseRange) -> Option<Condition> {
    match range {
        CaseRange::Value(expression) => Condition::equal(value, &point.integer(expression)),
        CaseRange::Range(lower, upper) => {
            let lower = match lower {
                Some(lower) => Condition::at_most(&point.integer(lower), value)?,
                None => Condition::True,
            };
            let upper = match upper {
                Some(upper) => Condition::at_most(value, &point.integer(upper))?,
                None => Condition::True,
            };
            Some(Condition::all([lower, upper]))
        }
    }
}

fn computed_goto(
    point: &mut Point<'_, '_>,
    position: FlowPosition,
    firsts: &[FlowPosition],
    labels: &[u32],
    selector: &Expression,
) -> Option<Vec<Condition>> {
    if !point.is_integer(selector) {
        return None;
    }
    let value = point.integer(selector);
    let next = following(point, position);
    let mut found = Vec::new();
    for &first in firsts {
        let mut ways = Vec::new();
        for (number, &label) in (1..).zip(labels) {
            if label_position(point, label) == Some(first) {
                ways.push(Condition::equal(&value, &constant(number))?);
            }
        }
        if next == Some(first) {
            ways.push(Condition::less(&value, &constant(1))?);
            ways.push(Condition::less(&constant(labels.len() as i64), &value)?);
        }
        found.push(Condition::any(ways));
    }
    Some(found)
}

fn arithmetic_if(
    point: &mut Point<'_, '_>,
    firsts: &[FlowPosition],
    labels: [u32; 3],
    expression: &Expression,
) -> Option<Vec<Condition>> {
    if !point.is_integer(expression) {
        return None;
    }
    let value = point.integer(expression);
    let zero = constant(0);
    let signs = [Condition::less(&value, &zero)?, Condition::equal(&value, &zero)?, Condition::less(&zero, &value)?];
    let targets = labels.map(|label| label_position(point, label));
    let ways = |first: &FlowPosition| {
        let of = signs.iter().zip(targets).filter(|(_, target)| *target == Some(*first));
        Condition::any(of.map(|(sign, _)| sign.clone()))
    };
    Some(firsts.iter().map(ways).collect())
}
