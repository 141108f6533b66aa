//! Known answers and laws of the region algebra.

mod examples;
mod extended;
mod laws;

use super::{Component, Direction, IntervalScheme, Place, Scheme, Shape, SubscriptScheme, Unf};

/// A read from one offset per dimension; `None` is an absolute index.
pub(crate) fn read(offsets: &[Option<i64>]) -> SubscriptScheme {
    Scheme::new(offsets.iter().map(|offset| offset.map_or(Component::Every, Component::Within)).collect())
}

/// A union as text: per dimension P, B, F or C with depth, `o` for nonpointed, S with amount and depth, X with a fixed
/// index or `?`, `*` for an unconstrained one; behind it `>p` for what follows dimension p of the left side, `>` for
/// what follows nothing of it.
pub(crate) fn text(union: &Unf<super::Interval>) -> String {
    union.schemes().iter().map(scheme_text).collect::<Vec<_>>().join(" + ")
}

fn scheme_text(scheme: &IntervalScheme) -> String {
    let factor = |component: &Component<super::Interval>| match component {
        Component::Every => "*".to_owned(),
        Component::Within(interval) => interval_text(interval),
    };
    scheme.components.iter().map(factor).collect::<Vec<_>>().join("")
}

fn interval_text(interval: &super::Interval) -> String {
    let hole = if interval.contains_zero() { "" } else { "o" };
    let set = match interval.shape() {
        Shape::Pointed => "P".to_owned(),
        Shape::Backward => format!("B{}{hole}", interval.depth()),
        Shape::Forward => format!("F{}{hole}", interval.depth()),
        Shape::Centered => format!("C{}{hole}", interval.depth()),
        Shape::Asymmetric => format!("[{}..{}]{hole}", interval.lower(), interval.upper()),
        Shape::Shifted if interval.depth() == 0 => format!("S({})", interval.amount()),
        Shape::Shifted => format!("S({},{})", interval.amount(), interval.depth()),
        Shape::Fixed => match interval.fixed() {
            Some(Place::Fixed(value)) => format!("X({value})"),
            Some(Place::SomeFixed) => "X?".to_owned(),
            other => format!("{other:?}"),
        },
    };
    match interval.direction() {
        Some(Direction::Along(dimension)) => format!("{set}>{dimension}"),
        Some(Direction::Free) => format!("{set}>"),
        Some(Direction::Usual) | None => set,
    }
}
