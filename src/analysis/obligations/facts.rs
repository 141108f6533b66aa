//! What was noted to hold in a unit: what earlier statements demanded, and what follows from it.

use rustc_hash::FxHashSet;

use crate::symbolic::{Condition, Place};

/// Facts with more comparisons are not noted.
pub const LARGEST_FACT: usize = 16;

/// What was noted to hold, the latest last.
#[derive(Default)]
pub struct Facts {
    /// All of it.
    pub noted: Vec<Fact>,
    known: FxHashSet<Condition>,
}

/// Something that holds, with its places in order.
pub struct Fact {
    /// What holds.
    pub condition: Condition,
    /// Its places.
    pub places: Vec<Place>,
}

impl Facts {
    /// Notes that something holds, wherever what it says is of interest.
    pub fn add(&mut self, condition: Condition) {
        if condition == Condition::True || condition.size() > LARGEST_FACT || !self.known.insert(condition.clone()) {
            return;
        }
        let mut places = Vec::new();
        condition.places(&mut places);
        places.sort_unstable();
        places.dedup();
        self.noted.push(Fact { condition, places });
    }

    /// Whether something was noted to hold.
    pub fn contains(&self, condition: &Condition) -> bool {
        self.known.contains(condition)
    }
}
