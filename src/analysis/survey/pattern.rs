//! The set of offsets that an array is read at: whether it hangs together, where it lies, and its canonical text.
//!
//! A point has one component for each dimension: an offset, or everything (`None`) where the index is absolute.

use std::collections::{BTreeSet, VecDeque};

use super::class::{Contiguity, Position};

/// What is read: an offset for each dimension, or everything.
pub type Point = Vec<Option<i64>>;

/// Patterns of more points than this are told by their number of dimensions only.
pub const MOST_POINTS: usize = 125;

/// Whether the points hang together by steps of one in one dimension. The origin may serve as a stepping stone, whether
/// it is read or not: `a(i-1) + a(i+1)` is what `centered(…, nonpointed)` denotes.
pub fn contiguity(points: &BTreeSet<Point>) -> Contiguity {
    let mut with_origin = points.clone();
    if let Some(first) = points.first() {
        with_origin.insert(vec![Some(0); first.len()]);
    }
    match is_connected(points) || is_connected(&with_origin) {
        true => Contiguity::Contiguous,
        false => Contiguity::Disjoint,
    }
}

fn is_connected(points: &BTreeSet<Point>) -> bool {
    let mut pending: BTreeSet<&Point> = points.iter().collect();
    let mut reached: VecDeque<&Point> = pending.pop_first().into_iter().collect();
    while let Some(point) = reached.pop_front() {
        let (near, far) = pending.into_iter().partition(|other| are_neighbours(point, other));
        pending = far;
        reached.extend::<BTreeSet<&Point>>(near);
    }
    pending.is_empty()
}

/// Whether two points are at most one step apart. Everything is at no distance from anything.
fn are_neighbours(left: &Point, right: &Point) -> bool {
    let apart = |(left, right): (&Option<i64>, &Option<i64>)| match (left, right) {
        (Some(left), Some(right)) => left.abs_diff(*right),
        _ => 0,
    };
    left.len() == right.len() && left.iter().zip(right).map(apart).fold(0, u64::saturating_add) <= 1
}

/// Where the point lies that is nearest to the origin.
pub fn position(points: &BTreeSet<Point>) -> Position {
    let distance = |point: &Point| point.iter().flatten().map(|offset| offset.unsigned_abs()).max().unwrap_or(0);
    match points.iter().map(distance).min() {
        Some(0) | None => Position::Origin,
        Some(1) => Position::Straddle,
        Some(_) => Position::Away,
    }
}

/// The canonical text of a pattern: `(-1,0) (0,*) (1,0)`.
pub fn text(points: &BTreeSet<Point>) -> String {
    if points.len() > MOST_POINTS {
        let rank = points.first().map_or(0, Vec::len);
        return format!("more than {MOST_POINTS} points in {rank}D");
    }
    let component = |component: &Option<i64>| component.map_or("*".to_owned(), |offset| offset.to_string());
    let one = |point: &Point| format!("({})", point.iter().map(component).collect::<Vec<_>>().join(","));
    points.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The points that a canonical text stands for; `None` if it is none, or tells too many points to list them.
pub fn points(text: &str) -> Option<BTreeSet<Point>> {
    let component = |text: &str| match text {
        "*" => Some(None),
        _ => text.parse().ok().map(Some),
    };
    let one = |text: &str| -> Option<Point> {
        text.strip_prefix('(')?.strip_suffix(')')?.split(',').map(component).collect()
    };
    text.split(' ').map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(points: &[&[i64]]) -> BTreeSet<Point> {
        points.iter().map(|point| point.iter().map(|&offset| Some(offset)).collect()).collect()
    }

    #[test]
    fn what_hangs_together_is_contiguous() {
        let contiguous: &[&[&[i64]]] = &[
            &[&[0]],
            &[&[5]],
            &[&[0], &[1], &[2]],
            &[&[2], &[3]],
            &[&[-1], &[1]],
            &[&[-2], &[-1], &[1], &[2]],
            &[&[1, 0], &[0, 1]],
            &[&[0, 0], &[0, 1], &[1, 1]],
        ];
        for points in contiguous {
            assert_eq!(contiguity(&set(points)), Contiguity::Contiguous, "{points:?}");
        }
        let disjoint: &[&[&[i64]]] =
            &[&[&[0], &[2]], &[&[-1], &[2]], &[&[-2], &[2]], &[&[0, 0], &[1, 1]], &[&[1, 1], &[-1, -1]]];
        for points in disjoint {
            assert_eq!(contiguity(&set(points)), Contiguity::Disjoint, "{points:?}");
        }
    }

    #[test]
    fn an_absolute_index_is_near_to_all() {
        let lines = BTreeSet::from([vec![Some(0), None], vec![Some(1), Some(7)]]);
        assert_eq!(contiguity(&lines), Contiguity::Contiguous);
        assert_eq!(position(&BTreeSet::from([vec![Some(0), None]])), Position::Origin);
    }

    #[test]
    fn the_nearest_point_tells_the_position() {
        assert_eq!(position(&set(&[&[0, 0], &[7, 7]])), Position::Origin);
        assert_eq!(position(&set(&[&[1, 0], &[7, 7]])), Position::Straddle);
        assert_eq!(position(&set(&[&[1, -1]])), Position::Straddle);
        assert_eq!(position(&set(&[&[0, 2], &[2, 0]])), Position::Away);
        assert_eq!(position(&set(&[&[i64::MIN]])), Position::Away);
    }

    #[test]
    fn the_text_tells_the_points() {
        let pattern = BTreeSet::from([vec![Some(-1), None], vec![Some(0), Some(12)]]);
        assert_eq!(text(&pattern), "(-1,*) (0,12)");
        assert_eq!(points(&text(&pattern)), Some(pattern));
        let many: BTreeSet<Point> = (0..200).map(|offset| vec![Some(offset)]).collect();
        assert_eq!(points(&text(&many)), None);
    }
}
