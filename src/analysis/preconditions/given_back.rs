//! What is asked of the values that a unit gives back: where it fails nothing is given back, so there the value may be
//! anything, and does not matter.

use super::backward::{Need, Way, chosen};
use super::build::{self, merge};
use super::formula::{Formula, Kind, Type};
use crate::flow::FlowPosition;

/// Larger conditions under which a unit fails are not remembered.
const LARGEST: u32 = 8;

impl Way<'_, '_, '_> {
    /// What is needed where one of several ways is taken, each under its condition.
    pub(super) fn chosen(&self, mut needs: Vec<(Formula, Need)>) -> Need {
        if !self.asks_number() {
            return chosen(needs);
        }
        let failing: Vec<Formula> = needs.iter().filter(|(_, need)| need.is_none()).map(|(it, _)| it.clone()).collect();
        for (_, need) in &mut needs {
            need.take_if(|need| self.is_arbitrary(need));
        }
        let made = chosen(needs)?;
        // That it fails for other values of a status matters to whoever sets the status.
        let is_of_status = |condition: &&Formula| match condition.kind() {
            Kind::Compare(_, left, right) if build::is_constant(right) && condition.size() <= LARGEST => {
                matches!(left.kind(), Kind::Value(variable) if made.mentions(&variable.root))
            }
            _ => false,
        };
        let known = failing.iter().filter(is_of_status);
        Some(known.fold(made.clone(), |made, condition| merge(condition, self.arbitrary(&made), &made)))
    }

    /// Whether a value is asked for that is no truth value: one that is put together of others by choices alone.
    pub(super) fn asks_number(&self) -> bool {
        self.question.at.is_none() && self.question.at_return.type_() != Type::Logical
    }

    /// Stands for the value where the unit fails.
    fn arbitrary(&self, like: &Formula) -> &Formula {
        let place = || self.of.unit.place_of(self.of.unit.flow.statements[FlowPosition::new(0)]);
        self.arbitrary.get_or_init(|| self.of.unit.unknown("", place(), like.type_(), like.rank()))
    }

    /// Whether a value stands for one where the unit fails.
    pub(super) fn is_arbitrary(&self, value: &Formula) -> bool {
        self.arbitrary.get().is_some_and(|arbitrary| value == arbitrary)
    }

    /// A value on entry, without where the unit fails.
    pub(super) fn given_back(&self, need: Need) -> Need {
        let Some(arbitrary) = self.arbitrary.get() else { return need };
        let made = self.without_arbitrary(&need?);
        let is_left = made.any_node(&mut |node| node == arbitrary);
        Some(if is_left { self.unknown_value(FlowPosition::new(0)) } else { made })
    }

    fn without_arbitrary(&self, value: &Formula) -> Formula {
        let Kind::Call(name, parts) = value.kind() else { return value.clone() };
        match (&**name, parts.as_slice()) {
            ("merge", [one, other, mask]) => {
                let (one, other) = (self.without_arbitrary(one), self.without_arbitrary(other));
                match (self.is_arbitrary(&one), self.is_arbitrary(&other)) {
                    (true, _) => other,
                    (_, true) => one,
                    _ => merge(mask, &one, &other),
                }
            }
            _ => value.clone(),
        }
    }

    /// Something unknown in the place of the value that is asked for: the same one on all ways, as only one is taken.
    pub(super) fn unknown_value(&self, position: FlowPosition) -> Formula {
        let (value, unit) = (&self.question.at_return, self.of.unit);
        let new = || unit.unknown("", unit.place_of(unit.flow.statements[position]), value.type_(), value.rank());
        self.unknown.get_or_init(new).clone()
    }
}

/// A value as choices under conditions that are known; where they lead to something that is not known whole, that is
/// what `unknown` gives for it.
pub(super) fn known_choices(value: &Formula, unknown: &dyn Fn(&Formula) -> Formula) -> Formula {
    if !value.has_unknown() {
        return value.clone();
    }
    match value.kind() {
        Kind::Call(name, arguments) if &**name == "merge" => match arguments.as_slice() {
            [one, other, mask] if !mask.has_unknown() => {
                merge(mask, &known_choices(one, unknown), &known_choices(other, unknown))
            }
            _ => unknown(value),
        },
        _ => unknown(value),
    }
}

/// Whether a value is a choice of which something is known.
pub(super) fn is_known_in_part(value: &Formula) -> bool {
    matches!(value.kind(), Kind::Call(name, _) if &**name == "merge")
}
