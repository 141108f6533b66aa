//! What one region constant denotes in its dimension: intervals that touch the origin, with or without the origin
//! itself (the paper's holed intervals), runs away from it, and fixed indices.

use super::integers::IntegerSet;
use super::line::{ANY_FIXED, Direction, Place, REACH, offsets_along};
use super::scheme::Extent;
use std::cmp::Ordering;

/// A set of offsets along one direction, without gaps but for 0, or of fixed indices: one, or all. Never empty.
///
/// Each set has one form: that of offsets that lie beside the origin (`1..=k`) begins at the origin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// What offsets count from; `None`: these are fixed indices.
    direction: Option<Direction>,
    lower: i64,
    upper: i64,
    contains_zero: bool,
}

/// Which region constant denotes an interval; in the order of terms in a printed specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// Only the origin.
    Pointed,
    /// `[-k..0]`.
    Backward,
    /// `[0..k]`.
    Forward,
    /// `[-k..k]`.
    Centered,
    /// `[-a..b]` with different `a` and `b`, both at least 1: no constant denotes it, it must be [split](super::split).
    Asymmetric,
    /// `[k..k+m]` or `[-k-m..-k]` with `k` at least 2.
    Shifted,
    /// A fixed index, or any.
    Fixed,
}

impl Interval {
    /// Only the origin: `[0..0]`.
    pub const ORIGIN: Interval =
        Interval { direction: Some(Direction::Usual), lower: 0, upper: 0, contains_zero: true };

    /// Any fixed index.
    pub const ANY_FIXED: Interval = Interval { direction: None, lower: -REACH, upper: REACH, contains_zero: true };

    /// The interval with these bounds, along the usual direction; `None` unless `lower <= 0 <= upper`, or if it were
    /// empty.
    pub fn new(lower: i64, upper: i64, contains_zero: bool) -> Option<Self> {
        let touches = lower <= 0 && 0 <= upper;
        (touches && (contains_zero || lower < upper)).then_some(Interval {
            lower,
            upper,
            contains_zero,
            ..Self::ORIGIN
        })
    }

    /// The offset `by` and the `depth` next ones away from the origin, along the usual direction; `None` if `by` is 0
    /// or farther than any offset, or `depth` is negative.
    pub fn shifted(by: i64, depth: i64) -> Option<Self> {
        let known = by != 0 && (-REACH..=REACH).contains(&by) && depth >= 0;
        let end = by.signum().saturating_mul(depth).saturating_add(by).clamp(-REACH, REACH);
        known.then(|| Interval::run(Direction::Usual, by.min(end), by.max(end)))
    }

    /// The offsets from `lower` to `upper`, which is not less.
    pub(super) fn run(direction: Direction, lower: i64, upper: i64) -> Self {
        Interval {
            direction: Some(direction),
            lower: if lower == 1 { 0 } else { lower },
            upper: if upper == -1 { 0 } else { upper },
            contains_zero: lower <= 0 && 0 <= upper,
        }
    }

    /// The set of one place; for [`Place::SomeFixed`], all fixed indices.
    pub fn at(place: Place) -> Self {
        match place {
            Place::Offset(direction, value) => Interval::run(direction, value, value),
            Place::Fixed(value) | Place::Named(value) => {
                Interval { direction: None, lower: value, upper: value, contains_zero: value == 0 }
            }
            Place::SomeFixed => Interval::ANY_FIXED,
        }
    }

    /// The least interval around a place that touches the origin: of offsets `[0..0]`, `[1..value]` or `[value..-1]`,
    /// of fixed indices the place itself.
    pub fn reaching(place: Place) -> Self {
        match place {
            Place::Offset(direction, value) => {
                Interval::run(direction, value.min(value.signum()), value.max(value.signum()))
            }
            Place::Fixed(_) | Place::Named(_) | Place::SomeFixed => Interval::at(place),
        }
    }

    /// The same offsets along another direction; `None` if the integers have no room for that one. Fixed indices have
    /// no direction.
    pub fn along(self, direction: Direction) -> Option<Self> {
        offsets_along(direction)?;
        Some(Interval { direction: self.direction.map(|_| direction), ..self })
    }

    /// What its offsets count from; `None` if these are fixed indices.
    pub fn direction(&self) -> Option<Direction> {
        self.direction
    }

    /// The fixed index, or that it may be any; `None` if these are offsets.
    pub fn fixed(&self) -> Option<Place> {
        match self.direction {
            Some(_) => None,
            None if self.lower < self.upper => Some(Place::SomeFixed),
            None => Some(Place::of(self.integers().0)),
        }
    }

    /// The lower bound, at most 0 unless the shape is shifted or fixed. (Where 0 does not belong and is the bound, the
    /// least element is 1.)
    pub fn lower(&self) -> i64 {
        self.lower
    }

    /// The upper bound, at least 0 unless the shape is shifted or fixed. (Where 0 does not belong and is the bound, the
    /// greatest element is -1.)
    pub fn upper(&self) -> i64 {
        self.upper
    }

    /// Whether 0 belongs to the interval.
    pub fn contains_zero(&self) -> bool {
        self.contains_zero
    }

    /// Which constant denotes the interval.
    pub fn shape(&self) -> Shape {
        match (self.lower, self.upper) {
            _ if self.direction.is_none() => Shape::Fixed,
            (lower, upper) if lower > 0 || upper < 0 => Shape::Shifted,
            (0, 0) => Shape::Pointed,
            (_, 0) => Shape::Backward,
            (0, _) => Shape::Forward,
            (lower, upper) if lower.unsigned_abs() == upper.unsigned_abs() => Shape::Centered,
            _ => Shape::Asymmetric,
        }
    }

    /// Whether one constant denotes it.
    pub fn is_printable(&self) -> bool {
        self.shape() != Shape::Asymmetric
    }

    /// The distance of the farther bound from the origin; of a shifted one, from the nearer bound.
    pub fn depth(&self) -> u64 {
        match self.shape() {
            Shape::Shifted => self.lower.abs_diff(self.upper),
            Shape::Fixed => 0,
            Shape::Pointed | Shape::Backward | Shape::Forward | Shape::Centered | Shape::Asymmetric => {
                self.lower.unsigned_abs().max(self.upper.unsigned_abs())
            }
        }
    }

    /// How far it is shifted: the bound nearer to the origin; 0 for one that touches it.
    pub fn amount(&self) -> i64 {
        0i64.clamp(self.lower, self.upper)
    }

    /// The number of its elements.
    pub fn size(&self) -> u64 {
        let is_hole = self.lower <= 0 && 0 <= self.upper && !self.contains_zero;
        self.lower.abs_diff(self.upper).saturating_add(u64::from(!is_hole))
    }

    /// The union, if it is an interval: offsets along one direction without gaps but for 0, or one set inside the
    /// other.
    pub fn hull(&self, other: &Self) -> Option<Self> {
        if self.is_subset(other) {
            return Some(*other);
        }
        let touches = |one: &Self, next: &Self| one.lower <= next.upper.saturating_add(1);
        let is_gapless = touches(self, other) && touches(other, self) && self.direction == other.direction;
        let hull = Interval {
            direction: self.direction,
            lower: self.lower.min(other.lower),
            upper: self.upper.max(other.upper),
            contains_zero: self.contains_zero || other.contains_zero,
        };
        (other.is_subset(self) || is_gapless && self.direction.is_some()).then_some(hull)
    }

    /// Its elements that need one each to be reached: the two ends and, if it belongs, the origin. Every union of
    /// intervals that touch the origin or are fixed which holds them holds the whole.
    pub fn extremes(&self) -> impl Iterator<Item = Place> {
        let ends = self.direction.map(|direction| {
            let ends = [(self.lower, self.lower < 0), (0, self.contains_zero), (self.upper, self.upper > 0)];
            let present = ends.into_iter().filter(|(_, is_present)| *is_present);
            present.map(move |(value, _)| Place::Offset(direction, value))
        });
        ends.into_iter().flatten().chain(self.fixed())
    }

    /// Whether a place belongs to it; [`Place::SomeFixed`] only to all fixed indices.
    pub fn holds_place(&self, place: Place) -> bool {
        match place {
            Place::Offset(direction, value) => {
                let is_within = self.lower <= value && value <= self.upper && (value != 0 || self.contains_zero);
                self.direction == Some(direction) && is_within
            }
            Place::Fixed(value) | Place::Named(value) => {
                self.direction.is_none() && self.lower <= value && value <= self.upper
            }
            Place::SomeFixed => *self == Interval::ANY_FIXED,
        }
    }

    /// The integers of its bounds, and that of 0. (No index has an offset beyond the reach.)
    pub(super) fn integers(&self) -> (i64, i64, i64) {
        let (first, _) = match self.direction {
            None => ANY_FIXED,
            Some(direction) => offsets_along(direction).unwrap_or((-REACH, REACH)),
        };
        let zero = first + REACH;
        (zero + self.lower.clamp(-REACH, REACH), zero + self.upper.clamp(-REACH, REACH), zero)
    }

    /// The same set as a set of integers.
    pub fn to_integers(&self) -> IntegerSet {
        let (first, last, zero) = self.integers();
        let below_and_above = [(first, last.min(zero - 1)), (first.max(zero + 1), last)];
        let at_zero = self.contains_zero.then_some((zero, zero));
        IntegerSet::from_ranges(below_and_above.into_iter().chain(at_zero)).unwrap_or_else(|| IntegerSet::single(zero))
    }

    fn key(&self) -> (Shape, bool, i64, u64, i64, i64, bool, Option<Direction>) {
        let is_any = *self == Interval::ANY_FIXED;
        let (amount, hole) = (self.amount(), !self.contains_zero);
        (self.shape(), is_any, amount, self.depth(), self.upper.saturating_neg(), self.lower, hole, self.direction)
    }
}

/// The order of terms in a printed specification: shape, amount or index, depth, with before without the origin,
/// direction.
impl Ord for Interval {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Interval {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Extent for Interval {
    fn intersection(&self, other: &Self) -> Option<Self> {
        let common = Interval {
            direction: self.direction,
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
            contains_zero: self.contains_zero && other.contains_zero,
        };
        let is_hole = (common.lower, common.upper, common.contains_zero) == (0, 0, false);
        (self.direction == other.direction && common.lower <= common.upper && !is_hole).then_some(common)
    }

    fn is_subset(&self, other: &Self) -> bool {
        let is_within = other.lower <= self.lower && self.upper <= other.upper;
        self.direction == other.direction && is_within && (other.contains_zero || !self.contains_zero)
    }

    fn holds(&self, value: i64) -> bool {
        self.holds_place(Place::of(value))
    }
}
