//! Operations that change the form of a union and not its set (elongation apart): coalesce, join, split, elongate.

use super::integers::IntegerSet;
use super::interval::{Interval, Shape};
use super::scheme::{Component, Extent, IntervalScheme, Scheme, SubscriptScheme};
use super::unf::Unf;
use std::collections::BTreeMap;

/// Stretches a read to the origin: the least product of printable intervals that holds it. Every product of printable
/// intervals around the read holds this one.
pub fn elongate(read: &SubscriptScheme) -> IntervalScheme {
    read.map(|offset| Interval::reaching(*offset))
}

/// Merges schemes that differ in one dimension until none do. Same set; the result depends on the set of schemes only.
pub fn coalesce(union: Unf<IntegerSet>) -> Unf<IntegerSet> {
    merge(union, IntegerSet::union)
}

/// Merges interval schemes that differ in one dimension until none do. Same set: intervals that touch the origin are
/// closed under union.
pub fn join(union: Unf<Interval>) -> Unf<Interval> {
    merge(union, Interval::hull)
}

fn merge<T: Extent>(union: Unf<T>, unite: impl Fn(&T, &T) -> T) -> Unf<T> {
    let rank = union.rank();
    let mut current = union.drop_subsumed();
    loop {
        let before = current.schemes().len();
        for dimension in 0..rank {
            let mut groups: BTreeMap<Vec<Component<T>>, Component<T>> = BTreeMap::new();
            for scheme in current.schemes() {
                let mut others = scheme.components.clone();
                let own = others.remove(dimension);
                let merged = match groups.get(&others) {
                    Some(Component::Within(earlier)) => own.map(|set| unite(earlier, set)),
                    Some(Component::Every) => Component::Every,
                    None => own,
                };
                groups.insert(others, merged);
            }
            let rebuilt = groups.into_iter().map(|(mut components, own)| {
                components.insert(dimension, own);
                Scheme::new(components)
            });
            current = Unf::new(rank, rebuilt);
        }
        current = current.drop_subsumed();
        if current.schemes().len() == before {
            return current;
        }
    }
}

/// Cuts every interval that no constant denotes at the origin: `[-2..1]` into `[-2..0]` and `[0..1]`. The union of the
/// parts is the scheme; each is printable.
pub fn split(scheme: &IntervalScheme) -> Vec<IntervalScheme> {
    let mut parts = vec![Vec::with_capacity(scheme.rank())];
    for component in &scheme.components {
        let alternatives = match component {
            Component::Within(interval) => halves(interval).into_iter().map(Component::Within).collect(),
            Component::Every => vec![Component::Every],
        };
        let extended = parts.iter().flat_map(|part: &Vec<Component<Interval>>| {
            alternatives.iter().map(move |last| part.iter().chain([last]).copied().collect())
        });
        parts = extended.collect();
    }
    parts.into_iter().map(Scheme::new).collect()
}

fn halves(interval: &Interval) -> Vec<Interval> {
    if interval.shape() != Shape::Asymmetric {
        return vec![*interval];
    }
    let zero = interval.contains_zero();
    let sides = [Interval::new(interval.lower(), 0, zero), Interval::new(0, interval.upper(), zero)];
    sides.into_iter().flatten().collect()
}
