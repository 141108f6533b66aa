//! Constructs and jumps: DO, IF, SELECT CASE and the like as loops and branches.

use super::code::{DoLoop, NodeId, NodeKind, Site, successors};
use super::expression::{Expression, Operator, VariableId};
use super::lower::{Enclosing, Lower};
use super::value::{DataType, Value};
use crate::syntax::{CaseRange, Construct, ConstructKind, DoControl, Name, StatementId, StatementKind};

/// How deep constructs are followed.
const DEEPEST: usize = 100;

impl<'t> Lower<'t> {
    /// A construct, from one index of the own statements up to another.
    pub(super) fn construct(&mut self, construct: &'t Construct, at: usize, end: usize, next: NodeId) -> NodeId {
        if self.depth >= DEEPEST {
            return self.add(Site::default(), NodeKind::Lost);
        }
        self.depth += 1;
        let id = self.own[at];
        let name = self.tree().statements[id].construct_name.map(|name| name.name);
        let node = match construct.kind {
            ConstructKind::Do => self.do_construct(construct, at, end, name, next),
            ConstructKind::If | ConstructKind::SelectCase | ConstructKind::SelectType | ConstructKind::SelectRank => {
                self.enclosing.push(Enclosing { name, is_loop: false, again: next, after: next });
                let after = self.end_label(construct, next);
                let node = self.branches(construct, at, end, after);
                self.enclosing.pop();
                node
            }
            ConstructKind::Associate | ConstructKind::Block | ConstructKind::Critical | ConstructKind::ChangeTeam => {
                self.enclosing.push(Enclosing { name, is_loop: false, again: next, after: next });
                let after = self.end_label(construct, next);
                let last = if construct.end.is_some() { end - 1 } else { end };
                let node = self.sequence(at + 1, last.max(at + 1), after);
                self.enclosing.pop();
                node
            }
            ConstructKind::Forall | ConstructKind::Where => self.forget_range(at, end, next),
            ConstructKind::DerivedType
            | ConstructKind::Enum
            | ConstructKind::Interface
            | ConstructKind::Map
            | ConstructKind::Structure
            | ConstructKind::Union => next,
        };
        self.depth -= 1;
        node
    }

    /// Whether the nodes from one on do nothing but change variables, and lead nowhere but to another one.
    fn is_silent(&self, start: NodeId, next: NodeId) -> bool {
        self.nodes[start..].iter().all(|node| {
            let changes = match &node.kind {
                NodeKind::Pass(_)
                | NodeKind::Again(_)
                | NodeKind::Assign(..)
                | NodeKind::Allocate(..)
                | NodeKind::Forget(..)
                | NodeKind::Branch(..)
                | NodeKind::Do(_) => true,
                NodeKind::Read(_)
                | NodeKind::Open(_)
                | NodeKind::Position(..)
                | NodeKind::Call(_)
                | NodeKind::Fail(_)
                | NodeKind::Stop
                | NodeKind::Return
                | NodeKind::Lost => false,
            };
            changes && successors(&node.kind).iter().all(|&to| to + 1 >= start || to == next)
        })
    }

    /// The label of the END statement of a construct leads behind it.
    fn end_label(&mut self, construct: &Construct, next: NodeId) -> NodeId {
        construct.end.map_or(next, |end| self.define_label(end, next))
    }

    fn do_construct(
        &mut self,
        construct: &'t Construct,
        at: usize,
        end: usize,
        name: Option<Name>,
        next: NodeId,
    ) -> NodeId {
        let id = self.own[at];
        let site = self.site(id);
        let StatementKind::Do { control, .. } = &self.tree().statements[id].kind else {
            return self.add(site, NodeKind::Lost);
        };
        if let DoControl::Concurrent(_) = control {
            return self.forget_range(at, end, next);
        }
        let start = self.nodes.len() + 1;
        let head = self.add(site, NodeKind::Lost);
        let again = self.add(site, NodeKind::Again(head));
        let body_end = match construct.end {
            Some(end) => {
                self.define_label(end, again);
                self.index(end)
            }
            None => end,
        };
        let is_counted = matches!(control, DoControl::Counted { .. });
        let again = if is_counted { again } else { head };
        self.enclosing.push(Enclosing { name, is_loop: true, again, after: next });
        let body = self.sequence(at + 1, body_end.max(at + 1), again);
        self.enclosing.pop();
        self.nodes[head].kind = match control {
            DoControl::Forever => NodeKind::Pass(body),
            DoControl::While(condition) => {
                let condition = NodeKind::Branch(self.lowering.expression(id, condition), body, next);
                let branch = self.add(site, condition.clone());
                // What the condition calls is called in each round.
                match self.referenced(id, branch) {
                    first if first == branch => condition,
                    first => NodeKind::Pass(first),
                }
            }
            DoControl::Counted { variable, lower, upper, step } => {
                let place = self.lowering.reference(id, variable);
                let counted = match place {
                    Expression::Variable(it) if matches!(self.type_of(it), Some(DataType::Integer(_))) => Some(it),
                    _ => None,
                };
                let Some(variable) = counted else {
                    if self.is_silent(start, next) {
                        return self.forget_range(at, end, next);
                    }
                    // How often it is done is not known.
                    let symbol = self.resolved().symbol_at(id, variable.parts[0].name.name);
                    let branch = self.add(site, NodeKind::Branch(Expression::Unknown, body, next));
                    let first = self.forget_symbols(site, symbol.into_iter().collect(), branch);
                    self.nodes[head].kind = NodeKind::Pass(first);
                    return head;
                };
                let step = match step {
                    None => Some(1),
                    Some(step) => self.resolved().constant(self.tree(), id, step).filter(|&step| step != 0),
                };
                let lower = self.lowering.expression(id, lower);
                let upper = self.lowering.expression(id, upper);
                NodeKind::Do(DoLoop { variable, lower, upper, step, body, after: next })
            }
            DoControl::Concurrent(_) => NodeKind::Lost,
        };
        head
    }

    fn type_of(&self, variable: VariableId) -> Option<DataType> {
        self.lowering.variables[variable.index()].variable.data_type
    }

    fn branches(&mut self, construct: &'t Construct, at: usize, end: usize, next: NodeId) -> NodeId {
        let id = self.own[at];
        let selector = match &self.tree().statements[id].kind {
            StatementKind::SelectCase(selector) => self.lowering.expression(id, selector),
            _ => Expression::Unknown,
        };
        let last = if construct.end.is_some() { end - 1 } else { end };
        let headers: Vec<usize> = construct.headers.iter().map(|&header| self.index(header)).collect();
        let mut otherwise = next;
        let mut cases = Vec::new();
        for (index, &header) in headers.iter().enumerate().rev() {
            let to = headers.get(index + 1).copied().unwrap_or(last);
            let id = self.own[header];
            let body = self.sequence(header + 1, to.max(header + 1), next);
            match &self.tree().statements[id].kind {
                StatementKind::IfThen(condition) | StatementKind::ElseIf(condition, _) => {
                    let condition = self.lowering.expression(id, condition);
                    cases.push((id, condition, body));
                }
                StatementKind::Else(_) => otherwise = body,
                StatementKind::Case { ranges, .. } if ranges.is_empty() => otherwise = body,
                StatementKind::Case { ranges, .. } => {
                    let condition = self.case(id, &selector, ranges);
                    cases.push((id, condition, body));
                }
                StatementKind::SelectCase(_) | StatementKind::SelectType(_) | StatementKind::SelectRank(_) => {}
                _ => cases.push((id, Expression::Unknown, body)),
            }
        }
        for (id, condition, body) in cases {
            otherwise = self.add(self.site(id), NodeKind::Branch(condition, body, otherwise));
        }
        otherwise
    }

    fn case(&mut self, id: StatementId, selector: &Expression, ranges: &[CaseRange]) -> Expression {
        let compare = |operator, value| Expression::binary(operator, selector.clone(), value);
        ranges.iter().fold(Expression::logical(false), |any, range| {
            any.or(match range {
                CaseRange::Value(value) => match self.lowering.expression(id, value) {
                    Expression::Constant(Value::Logical(true)) => selector.clone(),
                    Expression::Constant(Value::Logical(false)) => selector.clone().not(),
                    value => compare(Operator::Equal, value),
                },
                CaseRange::Range(lower, upper) => {
                    let lower = lower.as_ref().map(|it| self.lowering.expression(id, it));
                    let upper = upper.as_ref().map(|it| self.lowering.expression(id, it));
                    let lower = lower.map_or(Expression::logical(true), |it| compare(Operator::GreaterEqual, it));
                    lower.and(upper.map_or(Expression::logical(true), |it| compare(Operator::LessEqual, it)))
                }
            })
        })
    }

    /// Where CYCLE or EXIT leads.
    pub(super) fn jump(&mut self, name: Option<Name>, is_cycle: bool, next: NodeId) -> NodeId {
        let found = self.enclosing.iter().rev().find(|it| match name {
            Some(name) => it.name == Some(name),
            None => it.is_loop,
        });
        match found {
            Some(of) => {
                if is_cycle {
                    of.again
                } else {
                    of.after
                }
            }
            None => next,
        }
    }
}
