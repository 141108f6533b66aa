//! The native procedure: cut every box of the left side by the boxes of the right side; what is left over is the
//! difference.

use super::{Answer, Solver, ranks_differ, towards_zero};
use crate::region::{Budget, Component, Exhausted, IntegerSet, Unf};

/// Decides by cutting boxes, within a number of steps.
#[derive(Clone, Debug)]
pub struct Native {
    steps: u64,
}

impl Native {
    /// A procedure that gives up after so many comparisons of two boxes.
    pub fn new(steps: u64) -> Self {
        Native { steps }
    }
}

impl Default for Native {
    /// Enough for every specification that a person writes, less than a second's work.
    fn default() -> Self {
        Native::new(2_000_000)
    }
}

impl Solver for Native {
    fn difference(&mut self, left: &Unf<IntegerSet>, right: &Unf<IntegerSet>) -> Answer {
        if left.rank() != right.rank() {
            return ranks_differ();
        }
        match left.uncovered(right, &mut Budget::new(self.steps)) {
            Ok(None) => Answer::Empty,
            Ok(Some(part)) => {
                let nearest = |component: &Component<IntegerSet>| match component {
                    Component::Within(set) => set.nearest_to_zero(),
                    Component::Every => 0,
                };
                Answer::Witness(towards_zero(part.components.iter().map(nearest).collect(), left, right))
            }
            Err(Exhausted) => Answer::Unknown("the sets are too irregular to be compared box by box".to_owned()),
        }
    }
}
