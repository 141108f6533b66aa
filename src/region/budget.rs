//! A bound on work. Minimal covers and differences of unions are hard problems in the worst case; whoever solves one
//! spends from a budget that counts elementary steps, so that time is bounded and, unlike with a clock, results are the
//! same on every machine.

/// The work was not finished within its budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the work exceeds its budget")]
pub struct Exhausted;

/// A number of elementary steps (comparisons of two schemes, roughly) that may still be made.
#[derive(Clone, Debug)]
pub struct Budget {
    remaining: u64,
}

impl Budget {
    /// A budget of so many steps.
    pub fn new(steps: u64) -> Self {
        Budget { remaining: steps }
    }

    /// Takes steps out of the budget; an error when it has not that many, which leaves it empty.
    pub fn spend(&mut self, steps: usize) -> Result<(), Exhausted> {
        match self.remaining.checked_sub(steps as u64) {
            Some(rest) => {
                self.remaining = rest;
                Ok(())
            }
            None => {
                self.remaining = 0;
                Err(Exhausted)
            }
        }
    }
}
