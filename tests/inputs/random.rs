//! A generator for the tests on data files.
#![allow(dead_code, reason = "each test uses a part")]

/// A generator of numbers that is the same on every run.
pub struct Random(u64);

impl Random {
    /// The generator with a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// A number from 0 on, below the bound if that is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }

    /// One of some.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}
