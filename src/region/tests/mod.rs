//! Known answers and laws of the region algebra.

mod examples;
mod laws;

use super::{Component, IntervalScheme, Scheme, Shape, SubscriptScheme, Unf};

/// A read from one offset per dimension; `None` is an absolute index.
pub(crate) fn read(offsets: &[Option<i64>]) -> SubscriptScheme {
    Scheme::new(offsets.iter().map(|offset| offset.map_or(Component::Every, Component::Within)).collect())
}

/// A union as text: per dimension P, B, F or C with depth, `o` for nonpointed, `*` for a free one.
pub(crate) fn text(union: &Unf<super::Interval>) -> String {
    union.schemes().iter().map(scheme_text).collect::<Vec<_>>().join(" + ")
}

fn scheme_text(scheme: &IntervalScheme) -> String {
    let factor = |component: &Component<super::Interval>| match component {
        Component::Every => "*".to_owned(),
        Component::Within(interval) => {
            let hole = if interval.contains_zero() { "" } else { "o" };
            match interval.shape() {
                Shape::Pointed => "P".to_owned(),
                Shape::Backward => format!("B{}{hole}", interval.depth()),
                Shape::Forward => format!("F{}{hole}", interval.depth()),
                Shape::Centered => format!("C{}{hole}", interval.depth()),
                Shape::Asymmetric => format!("[{}..{}]{hole}", interval.lower(), interval.upper()),
            }
        }
    };
    scheme.components.iter().map(factor).collect::<Vec<_>>().join("")
}
