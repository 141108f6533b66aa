//! The line: one integer for everything that an index of an array can be, so that what is read stays a set of integers,
//! whichever loop an index follows.
//!
//! The line is cut into bands of 2^56 integers. The band around 0 holds the offsets along the usual direction, each its
//! own integer. The next one holds the offsets along variables that the left side has not, the one behind it the fixed
//! indices, and then come the bands of the offsets along each dimension of the left side. Sets, their algebra and the
//! solvers know nothing of this: only who makes the integers and who prints them does.

/// The width of a band, as a power of two.
const BAND_BITS: u32 = 56;
/// The greatest distance from the middle of a band that has an integer of its own: no offset and no fixed index is
/// greater.
pub const REACH: i64 = (1 << (BAND_BITS - 1)) - 1;
/// The band of the offsets along variables that the left side has not.
const FREE: i64 = 1;
/// The band of the fixed indices.
const FIXED: i64 = 2;
/// The band of the offsets along dimension 0 of the left side, if there were one.
const ALONG: i64 = 2;
/// Fixed indices from here to the end of the band are named constants whose value is not known.
const NAMES: i64 = 1 << (BAND_BITS - 2);

/// The highest dimension of a left side that has a band: that of a data reference of four parts with fifteen subscripts
/// each.
pub const HIGHEST_DIMENSION: usize = 60;

/// Which loop variable an offset counts from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Direction {
    /// The one that is expected of the dimension.
    #[default]
    Usual,
    /// The one in this dimension of the left side, from 1 to [`HIGHEST_DIMENSION`].
    Along(usize),
    /// One that the left side has not.
    Free,
}

/// What an integer of the line stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// So far from a loop variable.
    Offset(Direction, i64),
    /// A fixed index with this value.
    Fixed(i64),
    /// A fixed index that is a named constant without a known value; of the name no more than a hash is kept.
    Named(i64),
    /// A fixed index of which nothing is known: it may be any.
    SomeFixed,
}

impl Place {
    /// The integer of the place; `None` if it is too far from the middle of its band, or its dimension too high.
    pub fn code(self) -> Option<i64> {
        let (band, value) = match self {
            Place::Offset(Direction::Usual, value) => (0, value),
            Place::Offset(Direction::Free, value) => (FREE, value),
            Place::Offset(Direction::Along(dimension), value) => {
                let is_known = (1..=HIGHEST_DIMENSION).contains(&dimension);
                (is_known.then(|| ALONG + dimension as i64)?, value)
            }
            Place::Fixed(value) => ((value < NAMES).then_some(FIXED)?, value),
            Place::Named(value) => ((NAMES..REACH).contains(&value).then_some(FIXED)?, value),
            Place::SomeFixed => (FIXED, REACH),
        };
        (-REACH..=REACH).contains(&value).then(|| (band << BAND_BITS) + value)
    }

    /// The place with this integer; one that belongs to no band is taken for an offset along the usual direction.
    pub fn of(code: i64) -> Self {
        let (band, value) = split(code);
        match band {
            FREE => Place::Offset(Direction::Free, value),
            FIXED if value >= REACH => Place::SomeFixed,
            FIXED if value >= NAMES => Place::Named(value),
            FIXED => Place::Fixed(value),
            band if (ALONG + 1..=ALONG + HIGHEST_DIMENSION as i64).contains(&band) => {
                Place::Offset(Direction::Along((band - ALONG) as usize), value)
            }
            _ => Place::Offset(Direction::Usual, code),
        }
    }

    /// What an offset counts from; `None` if the index is fixed.
    pub fn direction(self) -> Option<Direction> {
        match self {
            Place::Offset(direction, _) => Some(direction),
            Place::Fixed(_) | Place::Named(_) | Place::SomeFixed => None,
        }
    }

    /// The place of a named constant without a known value. Letter case makes no difference.
    pub fn named(name: &str) -> Self {
        // FNV-1a, whose results are the same everywhere.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Place::Named(NAMES + (hash % (NAMES as u64 - 1)) as i64)
    }
}

/// The integers of all fixed indices, first and last. The last one is that of [`Place::SomeFixed`].
pub const ANY_FIXED: (i64, i64) = ((FIXED << BAND_BITS) - REACH, (FIXED << BAND_BITS) + REACH);

/// The integer of a fixed index of which nothing is known.
pub const SOME_FIXED: i64 = ANY_FIXED.1;

/// What the integer of a place stands for, as first and last integer: itself, and [`SOME_FIXED`] all fixed indices.
pub fn integers_of(code: i64) -> (i64, i64) {
    if code == SOME_FIXED { ANY_FIXED } else { (code, code) }
}

/// The first and the last integer of the offsets along a direction; `None` if its dimension is too high.
pub fn offsets_along(direction: Direction) -> Option<(i64, i64)> {
    let end = |value| Place::Offset(direction, value).code();
    Some((end(-REACH)?, end(REACH)?))
}

/// The band of an integer, and its distance from the middle of the band.
fn split(code: i64) -> (i64, i64) {
    let band = code.saturating_add(1 << (BAND_BITS - 1)) >> BAND_BITS;
    (band, code - (band << BAND_BITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place() -> impl Strategy<Value = Place> {
        let direction = prop_oneof![
            Just(Direction::Usual),
            Just(Direction::Free),
            (1..=HIGHEST_DIMENSION).prop_map(Direction::Along)
        ];
        let value = prop_oneof![-4..4i64, Just(REACH), Just(-REACH)];
        prop_oneof![
            (direction, value).prop_map(|(direction, value)| Place::Offset(direction, value)),
            (-REACH..NAMES).prop_map(Place::Fixed),
            "[a-z]{1,8}".prop_map(|name| Place::named(&name)),
            Just(Place::SomeFixed)
        ]
    }

    proptest! {
        #[test]
        fn every_place_has_an_integer_of_its_own(place in place()) {
            prop_assert_eq!(place.code().map(Place::of), Some(place));
        }
    }

    #[test]
    fn offsets_along_the_usual_direction_are_their_own_integers() {
        assert_eq!(Place::Offset(Direction::Usual, -3).code(), Some(-3));
        assert_eq!(Place::of(5), Place::Offset(Direction::Usual, 5));
    }

    #[test]
    fn what_has_no_place_has_no_integer() {
        assert_eq!(Place::Offset(Direction::Usual, REACH + 1).code(), None);
        assert_eq!(Place::Offset(Direction::Along(HIGHEST_DIMENSION + 1), 0).code(), None);
        assert_eq!(Place::Offset(Direction::Along(0), 0).code(), None);
        assert_eq!(Place::Fixed(NAMES).code(), None);
        for offset in [i64::MIN, i64::MAX, -(1 << BAND_BITS)] {
            assert_eq!(Place::of(offset), Place::Offset(Direction::Usual, offset));
            assert_eq!(integers_of(offset), (offset, offset));
        }
        assert_eq!(Place::Named(REACH).code(), None);
    }

    #[test]
    fn names_differ_by_their_letters_only() {
        assert_eq!(Place::named("Wall"), Place::named("wall"));
        assert_ne!(Place::named("wall"), Place::named("well"));
    }

    #[test]
    fn every_fixed_index_lies_between_the_two_ends() {
        let (first, last) = ANY_FIXED;
        for place in [Place::Fixed(-7), Place::Fixed(NAMES - 1), Place::named("n"), Place::SomeFixed] {
            assert!(place.code().is_some_and(|code| (first..=last).contains(&code)), "{place:?}");
        }
        assert!(Place::Offset(Direction::Along(1), -REACH).code().is_some_and(|code| code > last));
    }
}
