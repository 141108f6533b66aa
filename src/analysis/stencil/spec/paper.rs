//! What is left of a region where the language is that of the paper.

use crate::region::{Component, Direction, Interval, IntervalScheme, Unf};

/// A region as the paper has it: offsets count from whichever variable, and a fixed index is as good as any.
pub fn on_paper(union: &Unf<Interval>) -> Unf<Interval> {
    let plain = |component: &Component<Interval>| match component {
        Component::Within(interval) => match interval.direction() {
            Some(_) => interval.along(Direction::Usual).map_or(Component::Every, Component::Within),
            None => Component::Every,
        },
        Component::Every => Component::Every,
    };
    let scheme = |scheme: &IntervalScheme| IntervalScheme::new(scheme.components.iter().map(plain).collect());
    Unf::new(union.rank(), union.schemes().iter().map(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::Place;

    #[test]
    fn directions_and_fixed_indices_are_lost() {
        let within = |place| Component::Within(Interval::at(place));
        let scheme = IntervalScheme::new(vec![
            within(Place::Offset(Direction::Along(2), 3)),
            within(Place::Offset(Direction::Free, 0)),
            within(Place::Fixed(1)),
            Component::Every,
        ]);
        let expected = IntervalScheme::new(vec![
            within(Place::Offset(Direction::Usual, 3)),
            Component::Within(Interval::ORIGIN),
            Component::Every,
            Component::Every,
        ]);
        assert_eq!(on_paper(&Unf::new(4, [scheme])), Unf::new(4, [expected]));
    }
}
