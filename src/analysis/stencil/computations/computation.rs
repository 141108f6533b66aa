//! What is said of a computation.

use std::collections::BTreeMap;

use super::Reason;
use super::coordinate::{ClassifiedRead, LeftSide};
use crate::analysis::stencil::spec::ComputationKind;
use crate::source::Span;
use crate::syntax::{StatementId, UnitId};
use crate::values::ArrayKey;

/// The subscript scheme of one read: per dimension its place on the line (see [`crate::region::Place`]), or `None`
/// where it is as good as any.
pub type Offsets = Vec<Option<i64>>;

/// The names of constants that stand for whole subscripts, as spelt, by the dimension, from 0, and the place.
pub type ConstantNames = BTreeMap<(usize, i64), Box<str>>;

/// One read of an array as the root sees it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RelativeRead {
    /// The offsets.
    pub offsets: Offsets,
    /// The reference.
    pub span: Span,
    /// The statement it stands in: the root or one that flows to it.
    pub statement: StatementId,
}

/// What a root reads of one array.
#[derive(Clone, Debug)]
pub struct ArrayAccess {
    /// The array.
    pub array: ArrayKey,
    /// Its name as spelt in the first read.
    pub spelling: String,
    /// The kind of the specification it gets.
    pub kind: ComputationKind,
    /// The reads.
    pub reads: Vec<RelativeRead>,
    /// Whether no two of them have the same subscripts.
    pub read_once: bool,
    /// For each dimension the one of the left side, from 1, that is followed there where nothing else is said.
    pub usual: Vec<Option<usize>>,
    /// Whether in one dimension an index is not known, so that no more can be said than what is read at most.
    pub is_partial: bool,
    /// The names of its fixed indices.
    pub constant_names: ConstantNames,
    /// The subscript of which values are left out that it has at a border only, if there is one.
    pub border: Option<Span>,
    /// The reads before they were related to the left side; none if no statement was asked for.
    pub classified: Vec<ClassifiedRead>,
}

/// An array that can't be described, with the reason and the place to blame.
#[derive(Clone, Debug)]
pub struct Undescribed {
    /// The array.
    pub array: ArrayKey,
    /// Its name as spelt in the first read.
    pub spelling: String,
    /// Why.
    pub reason: Reason,
    /// The subscript or reference to blame.
    pub span: Span,
    /// The reads, if the reason is not in their subscripts and a statement was asked for; else none.
    pub classified: Vec<ClassifiedRead>,
    /// What can be said if the reason is in one dimension only, which is left open.
    pub partial: Option<Box<ArrayAccess>>,
}

impl Undescribed {
    /// What can be said of the array if nothing but an upper bound is wanted.
    pub fn at_most(&self) -> Option<&ArrayAccess> {
        self.partial.as_deref()
    }
}

/// One computation root with the arrays that flow to it, in the order of their first reads.
#[derive(Clone, Debug)]
pub struct Computation {
    /// The root.
    pub statement: StatementId,
    /// The unit it stands in.
    pub unit: UnitId,
    /// Its left side, which says the kind.
    pub left: LeftSide,
    /// Whether it is a root; else it was asked for.
    pub is_root: bool,
    /// The arrays, in the order of their first reads.
    pub arrays: Vec<Result<ArrayAccess, Undescribed>>,
}
