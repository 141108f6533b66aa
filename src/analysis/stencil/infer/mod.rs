//! Inference: from the array computations of a file to the specifications to be inserted (paper, section 6.3).
//!
//! Result: [`Inference`], plain data that the renderers and the editor read.

mod analysis;
mod convert;
mod included;
mod insertions;
mod narrowing;
mod place;
mod report;
#[cfg(test)]
mod tests;

pub use analysis::{Infer, InferOptions, InferOutcome};
pub use convert::{InferenceOptions, Language, infer, regions_of, scheme, specifications_of};
pub use included::IncludedInsertions;
pub use insertions::{Covered, InsertionPoint, insertion_point, insertions, remaining};
pub use narrowing::Narrowing;
pub use place::{Places, comes_from_elsewhere};
pub use report::{ComputationRecord, ListedComputation, Selection};

use super::computations::ConstantNames;
pub use super::computations::Reason;
use super::index_record::IndexRecord;
pub use super::spec::{Approximation, ComputationKind};
use crate::region::{Component, Interval, Shape, Unf};
use crate::source::Span;
use crate::syntax::StatementId;

/// What was inferred for one file, in source order.
#[derive(Clone, Debug, Default)]
pub struct Inference {
    /// Every computation root of the file.
    pub computations: Vec<InferredComputation>,
}

/// A computation root with what can be said of the arrays it reads.
#[derive(Clone, Debug)]
pub struct InferredComputation {
    /// The root.
    pub statement: StatementId,
    /// The statement above which its comments stand: the root, or the opening of a construct around it on its line.
    pub above: StatementId,
    /// Its place.
    pub span: Span,
    /// The unit it stands in, as `module::procedure`.
    pub unit: String,
    /// The kind that its left side has. A single specification may differ (`access` for arrays whose induction
    /// variables are inconsistent with the left side).
    pub kind: ComputationKind,
    /// The specifications, one per line to be inserted, in the order of insertion.
    pub specifications: Vec<InferredSpecification>,
    /// The arrays that get none, each with its reason.
    pub unspecified: Vec<Unspecified>,
    /// The arrays of which it is left out what is read at a border.
    pub borders: Vec<Border>,
    /// The reads of the arrays that can be described, if they were asked for.
    pub reads: Vec<ListedRead>,
}

/// One read of an array.
#[derive(Clone, Debug)]
pub struct ListedRead {
    /// The array as spelt in its first read.
    pub variable: String,
    /// The reference.
    pub span: Span,
    /// What each subscript is, relative to the left side.
    pub indices: Vec<IndexRecord>,
}

/// An array with an index that has another value at a border than elsewhere: `mod(i, n) + 1`, `min(i + 1, n)`.
#[derive(Clone, Debug)]
pub struct Border {
    /// The array as spelt in the source.
    pub variable: String,
    /// The index.
    pub span: Span,
}

/// One specification line.
#[derive(Clone, Debug)]
pub struct InferredSpecification {
    /// The specification without comment sign and marker: `stencil readOnce, pointed(dim=1) :: a`.
    pub text: String,
    /// The variables as spelt in the source, sorted.
    pub variables: Vec<String>,
    /// Kind of this line.
    pub kind: ComputationKind,
    /// Whether no subscript is read twice.
    pub read_once: bool,
    /// Exact or one of two bounds.
    pub approximation: Approximation,
    /// The union normal form that the text denotes; for variables of different rank, that for the highest.
    pub region: Unf<Interval>,
    /// The names of the fixed indices in it.
    pub constant_names: ConstantNames,
}

impl InferredSpecification {
    /// What the lines of a group are sorted by.
    pub(super) fn order(&self) -> (String, Approximation, ComputationKind) {
        let first = self.variables.first().map_or(String::new(), |name| name.to_ascii_lowercase());
        (first, self.approximation, self.kind)
    }

    /// Whether its every constant is `pointed`.
    pub fn is_trivial(&self) -> bool {
        let is_pointed = |component: &Component<Interval>| match component {
            Component::Every => true,
            Component::Within(interval) => interval.shape() == Shape::Pointed,
        };
        self.region.schemes().iter().flat_map(|scheme| &scheme.components).all(is_pointed)
    }
}

/// An array without a specification.
#[derive(Clone, Debug)]
pub struct Unspecified {
    /// The array as spelt in the source.
    pub variable: String,
    /// Why.
    pub reason: Reason,
    /// The source span that is to blame.
    pub span: Span,
}
