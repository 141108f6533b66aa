//! Operations that change the form of a union and not its set (elongation apart): coalesce, join, split, elongate.

use super::integers::IntegerSet;
use super::interval::Interval;
use super::line::Place;
use super::scheme::{Component, Extent, IntervalScheme, Scheme, SubscriptScheme};
use super::unf::Unf;
use std::collections::BTreeMap;

/// Stretches a read to the origin, in each dimension along its own direction: the least product around it of printable
/// intervals that touch the origin or are fixed. Every such product around the read holds this one.
pub fn elongate(read: &SubscriptScheme) -> IntervalScheme {
    read.map(|code| Interval::reaching(Place::of(*code)))
}

/// Merges schemes that differ in one dimension until none do. Same set; the result depends on the set of schemes only.
pub fn coalesce(union: Unf<IntegerSet>) -> Unf<IntegerSet> {
    merge(union, |one, other| Some(one.union(other)))
}

/// Merges interval schemes that differ in one dimension, where the two intervals unite into one, until none do. Same
/// set.
pub fn join(union: Unf<Interval>) -> Unf<Interval> {
    merge(union, Interval::hull)
}

fn merge<T: Extent>(union: Unf<T>, unite: impl Fn(&T, &T) -> Option<T>) -> Unf<T> {
    let rank = union.rank();
    let mut current = union;
    loop {
        let before = current.schemes().len();
        for dimension in 0..rank {
            let mut groups: BTreeMap<Vec<Component<T>>, Vec<Component<T>>> = BTreeMap::new();
            for scheme in current.schemes() {
                let mut others = scheme.components.clone();
                let own = others.remove(dimension);
                add(groups.entry(others).or_default(), own, &unite);
            }
            let rebuilt = groups.into_iter().flat_map(|(others, merged)| {
                merged.into_iter().map(move |own| {
                    let mut components = others.clone();
                    components.insert(dimension, own);
                    Scheme::new(components)
                })
            });
            current = Unf::new(rank, rebuilt);
        }
        current = current.drop_subsumed();
        if current.schemes().len() == before {
            return current;
        }
    }
}

/// Adds a set to some of which no two unite, uniting it with those that it can be united with.
fn add<T: Extent>(sets: &mut Vec<Component<T>>, mut new: Component<T>, unite: &impl Fn(&T, &T) -> Option<T>) {
    let united = |one: &Component<T>, other: &Component<T>| match (one, other) {
        (Component::Within(one), Component::Within(other)) => unite(one, other).map(Component::Within),
        (Component::Every, _) | (_, Component::Every) => Some(Component::Every),
    };
    while let Some((at, union)) = sets.iter().enumerate().find_map(|(at, set)| Some((at, united(set, &new)?))) {
        sets.swap_remove(at);
        new = union;
    }
    sets.push(new);
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
    let Some(direction) = interval.direction().filter(|_| !interval.is_printable()) else { return vec![*interval] };
    let zero = interval.contains_zero();
    let sides = [Interval::new(interval.lower(), 0, zero), Interval::new(0, interval.upper(), zero)];
    sides.into_iter().flatten().filter_map(|side| side.along(direction)).collect()
}
