//! Indices and ranges of indices as records for programs.

use serde::Serialize;

use super::computations::{ConstantNames, Offsets};
use crate::region::{Component, Direction, Interval, IntervalScheme, Place, SOME_FIXED};

/// What a subscript is relative to the left side: an offset from the variable that is expected there; one from another
/// variable; one from a variable that the left side has not; a fixed index; or `null`, as good as any.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum IndexRecord {
    /// An offset from the variable that is expected there.
    Offset(i64),
    /// An offset from the variable in another dimension of the left side, counted from 1.
    Along { offset: i64, along: usize },
    /// An offset from a variable that the left side has not.
    Free { offset: i64, free: bool },
    /// A fixed index: a number, the name of a constant, or some (`null`).
    Fixed { fixed: FixedRecord },
    /// Any.
    Any(()),
}

/// A fixed index: its value, the name of a constant, or `null` for some index.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FixedRecord {
    /// Its value.
    Value(i64),
    /// The name of a constant.
    Name(String),
    /// Some index.
    Some(()),
}

/// A range in one dimension of a region: `[lowest, highest, contains zero]` of offsets from the variable that is
/// expected there; the same from another variable; a fixed index; or `null`, every index.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum RangeRecord {
    /// Offsets from the variable that is expected there.
    Offsets(i64, i64, bool),
    /// Offsets from the variable in another dimension of the left side, counted from 1.
    Along { offsets: (i64, i64, bool), along: usize },
    /// Offsets from a variable that the left side has not.
    Free { offsets: (i64, i64, bool), free: bool },
    /// A fixed index.
    Fixed { fixed: FixedRecord },
    /// Every index.
    Every(()),
}

/// The indices of a read.
pub fn index_records(offsets: &Offsets, names: &ConstantNames) -> Vec<IndexRecord> {
    let record = |(dimension, code): (usize, &Option<i64>)| match code {
        None => IndexRecord::Any(()),
        Some(code) => index_record(dimension, *code, names),
    };
    offsets.iter().enumerate().map(record).collect()
}

/// The index at a place on the line, in a dimension counted from 0.
pub fn index_record(dimension: usize, code: i64, names: &ConstantNames) -> IndexRecord {
    match Place::of(code) {
        Place::Offset(Direction::Usual, offset) => IndexRecord::Offset(offset),
        Place::Offset(Direction::Along(along), offset) => IndexRecord::Along { offset, along },
        Place::Offset(Direction::Free, offset) => IndexRecord::Free { offset, free: true },
        _ => IndexRecord::Fixed { fixed: fixed_record(dimension, code, names) },
    }
}

fn fixed_record(dimension: usize, code: i64, names: &ConstantNames) -> FixedRecord {
    match (names.get(&(dimension, code)), Place::of(code)) {
        (Some(name), _) => FixedRecord::Name(name.to_string()),
        (None, Place::Fixed(value)) => FixedRecord::Value(value),
        (None, _) => FixedRecord::Some(()),
    }
}

/// The ranges of a product of intervals.
pub fn range_records(scheme: &IntervalScheme, names: &ConstantNames) -> Vec<RangeRecord> {
    let record = |(dimension, component): (usize, &Component<Interval>)| match component {
        Component::Every => RangeRecord::Every(()),
        Component::Within(interval) => range_record(dimension, interval, names),
    };
    scheme.components.iter().enumerate().map(record).collect()
}

fn range_record(dimension: usize, interval: &Interval, names: &ConstantNames) -> RangeRecord {
    let offsets = (interval.lower(), interval.upper(), interval.contains_zero());
    match interval.direction() {
        Some(Direction::Usual) => RangeRecord::Offsets(offsets.0, offsets.1, offsets.2),
        Some(Direction::Along(along)) => RangeRecord::Along { offsets, along },
        Some(Direction::Free) => RangeRecord::Free { offsets, free: true },
        None => {
            let code = interval.fixed().and_then(Place::code).unwrap_or(SOME_FIXED);
            RangeRecord::Fixed { fixed: fixed_record(dimension, code, names) }
        }
    }
}
