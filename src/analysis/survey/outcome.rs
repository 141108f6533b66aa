//! What can be specified of one array in one computation (paper, section 7), and if nothing, why.

use serde::{Deserialize, Serialize};

use super::class::{Action, Bound};
use crate::analysis::stencil::computations::{ArrayAccess, Reason};
use crate::analysis::stencil::infer::{Approximation, ComputationKind, Language, regions_of};
use crate::analysis::stencil::spec::{Region, convert};
use crate::region::Shape;

/// What came of one array in one computation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum SpecificationOutcome {
    /// An exact specification.
    Exact,
    /// An upper bound alone.
    AtMost,
    /// A lower bound alone: the least set around the reads is everything.
    AtLeast,
    /// Both bounds.
    Both,
    /// No specification, for this reason.
    Nothing(Reason),
}

impl SpecificationOutcome {
    /// Every outcome, in the order of tables.
    pub fn all() -> impl Iterator<Item = SpecificationOutcome> {
        let specified = [
            SpecificationOutcome::Exact,
            SpecificationOutcome::AtMost,
            SpecificationOutcome::AtLeast,
            SpecificationOutcome::Both,
        ];
        specified.into_iter().chain(Reason::ALL.into_iter().map(SpecificationOutcome::Nothing))
    }

    /// The name in reports and data.
    pub fn name(self) -> &'static str {
        match self {
            SpecificationOutcome::Exact => "exact",
            SpecificationOutcome::AtMost => "atMost",
            SpecificationOutcome::AtLeast => "atLeast",
            SpecificationOutcome::Both => "atLeast and atMost",
            SpecificationOutcome::Nothing(reason) => reason.name(),
        }
    }

    /// What it means, for a person.
    pub fn phrase(self) -> &'static str {
        match self {
            SpecificationOutcome::Exact => "a specification says exactly what is read",
            SpecificationOutcome::AtMost => "an upper bound can be stated",
            SpecificationOutcome::AtLeast => "a lower bound can be stated",
            SpecificationOutcome::Both => "a lower and an upper bound can be stated",
            SpecificationOutcome::Nothing(reason) => reason.explanation(),
        }
    }
}

impl From<SpecificationOutcome> for String {
    fn from(outcome: SpecificationOutcome) -> Self {
        outcome.name().to_owned()
    }
}

impl TryFrom<String> for SpecificationOutcome {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        SpecificationOutcome::all()
            .find(|outcome| outcome.name() == name)
            .ok_or(format!("no outcome is called '{name}'"))
    }
}

/// One specification of one array: an exact one or a bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SpecificationClass {
    /// Whether it is a stencil; else an access.
    pub is_stencil: bool,
    /// Exact or a bound.
    pub bound: Bound,
    /// Whether nothing is read twice.
    pub read_once: bool,
    /// Its constants.
    pub action: Action,
    /// Whether one of them is `nonpointed`.
    pub has_hole: bool,
    /// How often `*` occurs.
    pub products: u32,
    /// How often `+` occurs.
    pub sums: u32,
}

/// The specifications of one array, none, one or two bounds.
pub fn specifications(access: &ArrayAccess, language: Language) -> Vec<SpecificationClass> {
    let regions = regions_of(access, language);
    let classified = regions.iter().filter_map(|(approximation, region)| {
        let operators = Operators::of_region(&convert(region, &|_, _| None)?);
        Some(SpecificationClass {
            is_stencil: access.kind == ComputationKind::Stencil,
            bound: match approximation {
                Approximation::Exact => Bound::Exact,
                Approximation::AtMost => Bound::AtMost,
                Approximation::AtLeast => Bound::AtLeast,
            },
            read_once: access.read_once,
            action: operators.action(),
            has_hole: operators.has_hole,
            products: operators.products,
            sums: operators.sums,
        })
    });
    classified.collect()
}

/// What came of an array with these specifications.
pub fn outcome(specifications: &[SpecificationClass]) -> SpecificationOutcome {
    match specifications {
        [] => SpecificationOutcome::Nothing(Reason::AbsoluteOnly),
        [one] => match one.bound {
            Bound::Exact => SpecificationOutcome::Exact,
            Bound::AtMost => SpecificationOutcome::AtMost,
            Bound::AtLeast => SpecificationOutcome::AtLeast,
        },
        _ => SpecificationOutcome::Both,
    }
}

/// What an expression consists of.
#[derive(Default)]
struct Operators {
    products: u32,
    sums: u32,
    /// Constants other than `pointed` and `fixed`.
    actions: u32,
    has_hole: bool,
}

impl Operators {
    fn of_region(region: &Region) -> Self {
        let mut found = Operators::default();
        found.add(region);
        found
    }

    fn add(&mut self, region: &Region) {
        match region {
            Region::Constant(constant) => {
                self.actions += u32::from(!matches!(constant.interval().shape(), Shape::Pointed | Shape::Fixed));
                let interval = constant.interval();
                self.has_hole |= interval.shape() != Shape::Fixed && !interval.contains_zero();
            }
            Region::Variable(_) => {}
            Region::Sum(operands) => {
                self.sums += operands.len() as u32 - 1;
                operands.iter().for_each(|operand| self.add(operand));
            }
            Region::Product(operands) => {
                self.products += operands.len() as u32 - 1;
                operands.iter().for_each(|operand| self.add(operand));
            }
        }
    }

    fn action(&self) -> Action {
        match (self.actions, self.products > 0, self.sums > 0) {
            (0, ..) => Action::AllPointed,
            (1, ..) => Action::Single,
            (_, true, true) => Action::MultiBoth,
            (_, _, true) => Action::MultiSum,
            (_, _, false) => Action::MultiProduct,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::stencil::spec::{SpecificationLine, parse};

    fn action_of(region: &str) -> (Action, u32, u32, bool) {
        let parsed = parse(format!("stencil {region} :: a").as_bytes()).expect("it is a specification").line;
        let SpecificationLine::Specification(specification) = parsed else { panic!("it is no declaration") };
        let operators = Operators::of_region(&specification.region);
        (operators.action(), operators.products, operators.sums, operators.has_hole)
    }

    #[test]
    fn actions_are_told_by_constants_and_operators() {
        assert_eq!(action_of("pointed(dim=1)*pointed(dim=2)"), (Action::AllPointed, 1, 0, false));
        assert_eq!(action_of("forward(depth=1, dim=1)*pointed(dim=2)"), (Action::Single, 1, 0, false));
        assert_eq!(
            action_of("forward(depth=1, dim=1, nonpointed) + pointed(dim=1)*pointed(dim=2)"),
            (Action::Single, 1, 1, true)
        );
        assert_eq!(action_of("forward(depth=1, dim=1)*backward(depth=1, dim=2)"), (Action::MultiProduct, 1, 0, false));
        assert_eq!(action_of("forward(depth=1, dim=1) + backward(depth=1, dim=2)"), (Action::MultiSum, 0, 1, false));
        assert_eq!(
            action_of("centered(depth=1, dim=1)*pointed(dim=2) + pointed(dim=1)*centered(depth=1, dim=2)"),
            (Action::MultiBoth, 2, 1, false)
        );
    }

    #[test]
    fn outcomes_are_known_by_their_names() {
        for outcome in SpecificationOutcome::all() {
            assert_eq!(SpecificationOutcome::try_from(outcome.name().to_owned()), Ok(outcome));
        }
    }
}
