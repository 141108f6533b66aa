//! Intervals that touch the origin, with or without the origin itself (the paper's holed intervals).

use super::integers::IntegerSet;
use super::scheme::Extent;
use std::cmp::Ordering;

/// The set `lower..=upper`, where `lower <= 0 <= upper`, with or without 0; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
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
}

impl Interval {
    /// Only the origin: `[0..0]`.
    pub const ORIGIN: Interval = Interval { lower: 0, upper: 0, contains_zero: true };

    /// The interval with these bounds; `None` unless `lower <= 0 <= upper`, or if it were empty.
    pub fn new(lower: i64, upper: i64, contains_zero: bool) -> Option<Self> {
        let touches = lower <= 0 && 0 <= upper;
        (touches && (contains_zero || lower < upper)).then_some(Interval { lower, upper, contains_zero })
    }

    /// The least printable interval around an integer: `[0..0]`, `[1..value]` or `[value..-1]`.
    pub fn reaching(value: i64) -> Self {
        Interval { lower: value.min(0), upper: value.max(0), contains_zero: value == 0 }
    }

    /// The lower bound, at most 0.
    pub fn lower(&self) -> i64 {
        self.lower
    }

    /// The upper bound, at least 0.
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
            (0, 0) => Shape::Pointed,
            (_, 0) => Shape::Backward,
            (0, _) => Shape::Forward,
            (lower, upper) if lower.unsigned_abs() == upper.unsigned_abs() => Shape::Centered,
            _ => Shape::Asymmetric,
        }
    }

    /// The distance of the farther bound from the origin.
    pub fn depth(&self) -> u64 {
        self.lower.unsigned_abs().max(self.upper.unsigned_abs())
    }

    /// The number of its elements.
    pub fn size(&self) -> u64 {
        self.lower
            .unsigned_abs()
            .saturating_add(self.upper.unsigned_abs())
            .saturating_add(u64::from(self.contains_zero))
    }

    /// The least interval around both.
    pub fn hull(&self, other: &Self) -> Self {
        Interval {
            lower: self.lower.min(other.lower),
            upper: self.upper.max(other.upper),
            contains_zero: self.contains_zero || other.contains_zero,
        }
    }

    /// Its elements that need one each to be reached: the two ends and, if it belongs, the origin. Every union of
    /// intervals that holds them holds the whole.
    pub fn extremes(&self) -> impl Iterator<Item = i64> {
        let ends = [(self.lower, self.lower < 0), (0, self.contains_zero), (self.upper, self.upper > 0)];
        ends.into_iter().filter(|(_, present)| *present).map(|(value, _)| value)
    }

    /// The same set as a set of integers.
    pub fn to_integers(&self) -> IntegerSet {
        let parts = [(self.lower, -1), (0, if self.contains_zero { 0 } else { -1 }), (1, self.upper)];
        IntegerSet::from_ranges(parts).unwrap_or_else(|| IntegerSet::single(0))
    }

    fn key(&self) -> (Shape, u64, i64, i64, bool) {
        (self.shape(), self.depth(), -self.upper, self.lower, !self.contains_zero)
    }
}

/// The order of terms in a printed specification: shape, depth, with before without the origin.
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
        let zero = self.contains_zero && other.contains_zero;
        Interval::new(self.lower.max(other.lower), self.upper.min(other.upper), zero)
    }

    fn is_subset(&self, other: &Self) -> bool {
        other.lower <= self.lower && self.upper <= other.upper && (other.contains_zero || !self.contains_zero)
    }

    fn holds(&self, value: i64) -> bool {
        self.lower <= value && value <= self.upper && (value != 0 || self.contains_zero)
    }
}
