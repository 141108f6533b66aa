//! Conditions without what the conditions around them decide: of `a or (b and c)` only what `c` says where `a` does not
//! hold and `b` does matters. So what is unknown is left out where nothing depends on it.

use super::build::logical;
use super::connect::{all, any, implies, not};
use super::formula::{Formula, Kind};

/// Larger conditions are left as they are.
const LARGEST: u32 = 500;

/// A condition in which parts that are unknown are left out where what stands around them decides.
pub fn without_undecisive(condition: &Formula) -> Formula {
    if condition.size() > LARGEST { condition.clone() } else { within(condition, &Facts::default()) }
}

/// What holds wherever a part of a condition matters.
#[derive(Clone, Default)]
struct Facts(Vec<Formula>);

impl Facts {
    /// These and another one.
    fn and(&self, fact: &Formula) -> Facts {
        let mut made = self.clone();
        for one in fact.conjuncts() {
            // Of what is unknown each occurrence is the same value, but it decides nothing that is known.
            if !one.has_unknown() {
                made.0.push(one.clone());
            }
        }
        made.reduce();
        made
    }

    /// Leaves out alternatives that other facts rule out.
    fn reduce(&mut self) {
        for at in 0..self.0.len() {
            let Kind::Any(alternatives) = self.0[at].kind() else { continue };
            let is_ruled_out = |one: &&Formula| {
                let negated = not(one);
                self.0.iter().enumerate().any(|(other, fact)| other != at && implies(fact, &negated))
            };
            let (ruled_out, left): (Vec<&Formula>, Vec<&Formula>) = alternatives.iter().partition(is_ruled_out);
            if !ruled_out.is_empty() && !left.is_empty() {
                let left: Vec<Formula> = left.into_iter().cloned().collect();
                self.0[at] = any(left);
            }
        }
    }

    /// What they say of a condition.
    fn decide(&self, condition: &Formula) -> Option<bool> {
        let negated = not(condition);
        self.0.iter().find_map(|fact| {
            if implies(fact, condition) {
                return Some(true);
            }
            implies(fact, &negated).then_some(false)
        })
    }
}

/// A condition where facts hold.
fn within(condition: &Formula, facts: &Facts) -> Formula {
    if let Some(truth) = facts.decide(condition) {
        return logical(truth);
    }
    if !condition.has_unknown() {
        return condition.clone();
    }
    match condition.kind() {
        Kind::All(parts) => all(each(parts, facts, |other| other.clone())),
        Kind::Any(parts) => any(each(parts, facts, not)),
        _ => condition.clone(),
    }
}

/// The parts, each where `holds` of the others does.
fn each(parts: &[Formula], facts: &Facts, holds: impl Fn(&Formula) -> Formula) -> Vec<Formula> {
    let mut made = parts.to_vec();
    for at in 0..made.len() {
        if made[at].has_unknown() {
            let others = made.iter().enumerate().filter(|(other, _)| *other != at);
            let known = others.fold(facts.clone(), |known, (_, other)| known.and(&holds(other)));
            made[at] = within(&made[at], &known);
        }
    }
    made
}
