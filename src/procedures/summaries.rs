//! Summaries of procedures that depend on those of other procedures.

use std::cell::RefCell;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// What a summary is made of.
pub enum References<K, V> {
    /// The summaries of these, and what the procedure does itself.
    To(Vec<K>),
    /// Nothing else: this is it.
    None(V),
}

/// The summaries of some keys, procedures as a rule: each is made when it is asked for, of the summaries of what it
/// references.
///
/// The law: the summary of a key is made once, after those of all that it references, and is remembered whatever it is;
/// the keys of a ring, which reference each other directly or through others, get the conservative summary, and what
/// references them is made of that. So a summary depends on the references alone, not on who asks first, and no chain
/// of references is too long: the search for what has to be summarised first (strongly connected components after
/// Tarjan 1972) does not recurse.
#[derive(Debug)]
pub struct Summaries<K, V> {
    known: RefCell<FxHashMap<K, V>>,
}

impl<K, V> Default for Summaries<K, V> {
    fn default() -> Self {
        Summaries { known: RefCell::default() }
    }
}

/// A key that is being looked at.
struct Step<K> {
    key: K,
    references: Vec<K>,
    /// How many of the references have been looked at.
    seen: usize,
    /// Its place among the open keys.
    place: usize,
    /// The first place that it leads back to: its own if it leads to none before it.
    first: usize,
    /// Whether it leads back to itself.
    is_in_ring: bool,
}

impl<K: Copy + Eq + Hash, V: Clone> Summaries<K, V> {
    /// The summary of a key. `references` gives all that the summary may depend on; `summarise` makes it of the key and
    /// these, and may ask for their summaries, which are known by then.
    pub fn get(
        &self,
        key: K,
        conservative: &V,
        references: impl Fn(K) -> References<K, V>,
        summarise: impl Fn(K, &[K]) -> V,
    ) -> V {
        self.get_or_ring(key, conservative, references, summarise, |_| {})
    }

    /// The same; `told_ring` gets the keys of each ring, when all others that they reference are summarised.
    pub fn get_or_ring(
        &self,
        key: K,
        conservative: &V,
        references: impl Fn(K) -> References<K, V>,
        summarise: impl Fn(K, &[K]) -> V,
        told_ring: impl Fn(&[K]),
    ) -> V {
        if let Some(known) = self.known(key) {
            return known;
        }
        let mut path: Vec<Step<K>> = Vec::new();
        // The keys that may still turn out to be in one ring with a key of the path, in the order in which they were
        // met.
        let mut open: Vec<K> = Vec::new();
        let mut places: FxHashMap<K, usize> = FxHashMap::default();
        let mut next = Some(key);
        loop {
            if let Some(key) = next.take() {
                match references(key) {
                    References::None(summary) => self.note(key, summary),
                    References::To(references) => {
                        let place = open.len();
                        open.push(key);
                        places.insert(key, place);
                        path.push(Step { key, references, seen: 0, place, first: place, is_in_ring: false });
                    }
                }
            }
            let Some(step) = path.last_mut() else { break };
            if let Some(&referenced) = step.references.get(step.seen) {
                step.seen += 1;
                match places.get(&referenced) {
                    Some(&place) => {
                        step.is_in_ring |= place == step.place;
                        step.first = step.first.min(place);
                    }
                    None if self.known(referenced).is_none() => next = Some(referenced),
                    None => {}
                }
                continue;
            }
            let Some(done) = path.pop() else { break };
            if done.first < done.place {
                if let Some(above) = path.last_mut() {
                    above.first = above.first.min(done.first);
                }
                continue;
            }
            // All that leads back to this key stands behind it.
            let ring = open.split_off(done.place);
            for &key in &ring {
                places.remove(&key);
                self.note(key, conservative.clone());
            }
            if ring.len() == 1 && !done.is_in_ring {
                let summary = summarise(done.key, &done.references);
                self.note(done.key, summary);
            } else {
                told_ring(&ring);
            }
        }
        self.known(key).unwrap_or_else(|| conservative.clone())
    }

    fn known(&self, key: K) -> Option<V> {
        self.known.borrow().get(&key).cloned()
    }

    fn note(&self, key: K, summary: V) {
        self.known.borrow_mut().insert(key, summary);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Asks for summaries of a graph, given by the references of each key: the number of ways from a key to an end,
    /// none in a ring.
    fn ways(graph: &[Vec<usize>], asked: &[usize]) -> (Vec<Option<u64>>, usize) {
        let summaries = Summaries::default();
        let made = Cell::new(0);
        fn get(
            summaries: &Summaries<usize, Option<u64>>,
            graph: &[Vec<usize>],
            made: &Cell<usize>,
            key: usize,
        ) -> Option<u64> {
            let references = |key: usize| match graph[key].as_slice() {
                [] => References::None(Some(1)),
                all => References::To(all.to_vec()),
            };
            let summarise = |_, references: &[usize]| {
                made.set(made.get() + 1);
                let of = |&other: &usize| get(summaries, graph, made, other);
                Some(references.iter().filter_map(of).fold(0, u64::saturating_add))
            };
            summaries.get(key, &None, references, summarise)
        }
        for &key in asked {
            let _ = get(&summaries, graph, &made, key);
        }
        let all = (0..graph.len()).map(|key| get(&summaries, graph, &made, key)).collect();
        (all, made.get())
    }

    #[test]
    fn each_summary_is_made_once_however_long_the_chain() {
        let count = 100_000;
        let graph: Vec<Vec<usize>> = (0..count).map(|key| if key == 0 { vec![] } else { vec![key - 1; 2] }).collect();
        let (found, made) = ways(&graph, &[count - 1]);
        assert_eq!((found[0], found[3], found[count - 1]), (Some(1), Some(8), Some(u64::MAX)));
        assert_eq!(made, count - 1);
    }

    #[test]
    fn what_is_in_a_ring_is_conservative_whoever_asks_first() {
        // 1, 2, 3 and 4 are in one ring, of two loops; 5 references itself; 0 leads there, 6 is led to.
        let graph = vec![vec![1, 5, 6], vec![2], vec![3, 4], vec![1, 6], vec![2], vec![5], vec![]];
        let expected = vec![Some(1), None, None, None, None, None, Some(1)];
        for first in 0..graph.len() {
            for second in 0..graph.len() {
                assert_eq!(ways(&graph, &[first, second]).0, expected, "{first} {second}");
            }
        }
    }
}
