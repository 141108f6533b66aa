//! The tree of one specification line.

use crate::region::{Component, Interval, IntervalScheme, Shape, Unf, split};

/// Whether a specification speaks of a stencil or of an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ComputationKind {
    /// The left side is an array reference with a relative index.
    Stencil,
    /// The left side is a scalar or has absolute indices only.
    Access,
}

/// How a specification relates to the code (paper, section 4.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Approximation {
    /// The sets are equal.
    Exact,
    /// The specification is a lower bound.
    AtLeast,
    /// The specification is an upper bound.
    AtMost,
}

/// A name as spelt, with its place. Names are equal without regard to letter case or place only by
/// [`SpelledName::key`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpelledName {
    /// The name as spelt; parts of a data reference are separated by `%`, without blanks.
    pub text: String,
    /// Offset of its first byte in the specification's text.
    pub offset: usize,
}

impl SpelledName {
    /// A name that stands nowhere yet.
    pub fn new(text: impl Into<String>) -> Self {
        SpelledName { text: text.into(), offset: 0 }
    }

    /// What names are compared by: Fortran's names have no letter case.
    pub fn key(&self) -> String {
        self.text.to_ascii_lowercase()
    }
}

/// One constant: an interval in one dimension, Z in every other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionConstant {
    interval: Interval,
    dimension: usize,
    /// Offset of the dimension's number in the specification's text.
    pub dimension_offset: usize,
}

impl RegionConstant {
    /// The constant for a printable interval in a dimension counted from 1; `None` if there is none.
    pub fn new(interval: Interval, dimension: usize, dimension_offset: usize) -> Option<Self> {
        let printable = interval.shape() != Shape::Asymmetric && dimension > 0;
        printable.then_some(RegionConstant { interval, dimension, dimension_offset })
    }

    /// What it denotes in its dimension.
    pub fn interval(&self) -> Interval {
        self.interval
    }

    /// Its dimension, from 1.
    pub fn dimension(&self) -> usize {
        self.dimension
    }
}

/// A region expression. Sums and products have at least two operands; both associate, and brackets in the source are
/// kept as nesting only where they hold operands together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Region {
    /// `pointed(…)`, `forward(…)`, `backward(…)`, `centered(…)`.
    Constant(RegionConstant),
    /// A region variable.
    Variable(SpelledName),
    /// Union.
    Sum(Vec<Region>),
    /// Intersection.
    Product(Vec<Region>),
}

/// `stencil` or `access`, modifiers, a region, the variables that it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// Stencil or access.
    pub kind: ComputationKind,
    /// Whether `readOnce` is given.
    pub read_once: bool,
    /// Exact or a bound.
    pub approximation: Approximation,
    /// The region.
    pub region: Region,
    /// The arrays, at least one.
    pub variables: Vec<SpelledName>,
}

/// `region :: name = region`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionDeclaration {
    /// The region variable.
    pub name: SpelledName,
    /// What it stands for.
    pub region: Region,
}

/// What one specification comment says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecificationLine {
    /// Declares a region variable.
    Declaration(RegionDeclaration),
    /// Specifies arrays of the statement that follows.
    Specification(Specification),
}

/// Convert (paper, section 6.3): the expression that denotes a union, a sum of products in the order of the union.
/// `None` if the union is empty or holds all of Z^N, which no expression denotes.
pub fn convert(union: &Unf<Interval>) -> Option<Region> {
    let terms = union.schemes().iter().flat_map(split).map(|term| convert_product(&term));
    flatten(terms.collect::<Option<Vec<_>>>()?, Region::Sum)
}

fn convert_product(product: &IntervalScheme) -> Option<Region> {
    let factor = |(at, component): (usize, &Component<Interval>)| match component {
        Component::Within(interval) => RegionConstant::new(*interval, at + 1, 0).map(Region::Constant),
        Component::Every => None,
    };
    flatten(product.components.iter().enumerate().filter_map(factor).collect(), Region::Product)
}

/// The operand alone, or all of them under the operator; `None` if there are none.
pub fn flatten(mut operands: Vec<Region>, operator: impl FnOnce(Vec<Region>) -> Region) -> Option<Region> {
    match operands.len() {
        0 | 1 => operands.pop(),
        _ => Some(operator(operands)),
    }
}
