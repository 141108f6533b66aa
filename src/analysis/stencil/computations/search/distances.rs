//! Distances by numbers: most of them are the same few.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::analysis::stencil::computations::contribution::SharedDistance;
use crate::flow::LoopId;
use crate::values::Distance;

/// A distance by its number in [`Distances`]; 0 is no distance.
pub(super) type DistanceId = u32;

/// All distances that were met, each once.
pub(super) struct Distances {
    all: Vec<SharedDistance>,
    ids: FxHashMap<SharedDistance, DistanceId>,
    sums: FxHashMap<(DistanceId, DistanceId), DistanceId>,
}

impl Distances {
    pub(super) fn new() -> Self {
        let mut new = Distances { all: Vec::new(), ids: FxHashMap::default(), sums: FxHashMap::default() };
        new.id(Distance::new());
        new
    }

    pub(super) fn id(&mut self, distance: Distance) -> DistanceId {
        if distance.is_empty() && !self.all.is_empty() {
            return 0;
        }
        let shared: SharedDistance = distance.into();
        *self.ids.entry(shared).or_insert_with_key(|shared| {
            self.all.push(Rc::clone(shared));
            self.all.len() as DistanceId - 1
        })
    }

    pub(super) fn get(&self, id: DistanceId) -> SharedDistance {
        Rc::clone(&self.all[id as usize])
    }

    /// The sum of two distances.
    pub(super) fn sum(&mut self, left: DistanceId, right: DistanceId) -> DistanceId {
        if right == 0 {
            return left;
        }
        if let Some(&known) = self.sums.get(&(left, right)) {
            return known;
        }
        let sum = add(&self.all[left as usize], &self.all[right as usize]);
        let id = self.id(sum);
        self.sums.insert((left, right), id);
        id
    }
}

/// The sum of two distances.
pub(super) fn add(left: &[(LoopId, Option<i64>)], right: &[(LoopId, Option<i64>)]) -> Distance {
    let mut sum = left.to_vec();
    for &(id, iterations) in right {
        match sum.iter_mut().find(|(other, _)| *other == id) {
            Some((_, total)) => *total = total.zip(iterations).map(|(left, right)| left + right),
            None => sum.push((id, iterations)),
        }
    }
    sum.sort_unstable();
    sum
}
