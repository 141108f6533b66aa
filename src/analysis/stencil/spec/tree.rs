//! The tree of one specification line.

use crate::region::{Component, Direction, Interval, IntervalScheme, Place, Unf, split};
use std::cmp::Ordering;

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionConstant {
    interval: Interval,
    dimension: usize,
    index_name: Option<SpelledName>,
    /// Offset of the dimension's number in the specification's text.
    pub dimension_offset: usize,
}

impl RegionConstant {
    /// The constant for a printable interval in a dimension counted from 1; `None` if there is none (the fixed index of
    /// a named constant needs its name).
    pub fn new(interval: Interval, dimension: usize, dimension_offset: usize) -> Option<Self> {
        let has_text = interval.is_printable() && !matches!(interval.fixed(), Some(Place::Named(_)));
        (has_text && dimension > 0).then_some(RegionConstant {
            interval,
            dimension,
            index_name: None,
            dimension_offset,
        })
    }

    /// The fixed index of a named constant; `None` if there is no such dimension.
    pub fn named(name: SpelledName, dimension: usize, dimension_offset: usize) -> Option<Self> {
        let interval = Interval::at(Place::named(&name.text));
        (dimension > 0).then_some(RegionConstant { interval, dimension, index_name: Some(name), dimension_offset })
    }

    /// The same in another dimension, counted from 1; `None` if there is none.
    pub fn in_dimension(&self, dimension: usize) -> Option<Self> {
        (dimension > 0).then(|| RegionConstant { dimension, ..self.clone() })
    }

    /// The same along another direction; `None` if there is none.
    pub fn along(&self, direction: Direction) -> Option<Self> {
        Some(RegionConstant { interval: self.interval.along(direction)?, ..self.clone() })
    }

    /// What it denotes in its dimension; a named constant as one without a known value.
    pub fn interval(&self) -> Interval {
        self.interval
    }

    /// Its dimension, from 1.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The named constant that is its fixed index.
    pub fn index_name(&self) -> Option<&SpelledName> {
        self.index_name.as_ref()
    }
}

/// A region expression. Sums and products have at least two operands; both associate, and brackets in the source are
/// kept as nesting only where they hold operands together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Region {
    /// `pointed(…)`, `forward(…)`, `backward(…)`, `centered(…)`, `shifted(…)`, `fixed(…)`.
    Constant(RegionConstant),
    /// A region variable.
    Variable(SpelledName),
    /// Union.
    Sum(Vec<Region>),
    /// Intersection.
    Product(Vec<Region>),
}

impl Region {
    /// Whether it names region variables.
    pub fn has_variables(&self) -> bool {
        match self {
            Region::Constant(_) => false,
            Region::Variable(_) => true,
            Region::Sum(operands) | Region::Product(operands) => operands.iter().any(Region::has_variables),
        }
    }

    /// Whether a constant in it says which dimension of the left side it follows. (Region variables are not looked
    /// into.)
    pub fn says_along(&self) -> bool {
        match self {
            Region::Constant(constant) => matches!(constant.interval().direction(), Some(Direction::Along(_))),
            Region::Variable(_) => false,
            Region::Sum(operands) | Region::Product(operands) => operands.iter().any(Region::says_along),
        }
    }
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

/// The names of named constants by their places: a dimension, counted from 1, and the integer of a fixed index in it
/// give the name as it shall be spelt, if it has one.
pub type IndexNames<'n> = &'n dyn Fn(usize, i64) -> Option<String>;

/// Convert (paper, section 6.3): the expression that denotes a union, a sum of products in the order of printed terms.
/// `None` if the union is empty or holds all of Z^N, which no expression denotes, or names a constant that `names` does
/// not know.
pub fn convert(union: &Unf<Interval>, names: IndexNames<'_>) -> Option<Region> {
    let mut terms: Vec<IntervalScheme> = union.schemes().iter().flat_map(split).collect();
    terms.sort_by(|left, right| order(left, right, names));
    let terms = terms.iter().map(|term| convert_product(term, names));
    flatten(terms.collect::<Option<Vec<_>>>()?, Region::Sum)
}

fn convert_product(product: &IntervalScheme, names: IndexNames<'_>) -> Option<Region> {
    let factor = |(at, component): (usize, &Component<Interval>)| match component {
        Component::Within(interval) => Some(convert_interval(interval, at + 1, names).map(Region::Constant)),
        Component::Every => None,
    };
    let factors = product.components.iter().enumerate().filter_map(factor).collect::<Option<Vec<_>>>()?;
    flatten(factors, Region::Product)
}

fn convert_interval(interval: &Interval, dimension: usize, names: IndexNames<'_>) -> Option<RegionConstant> {
    match index_name(interval, dimension, names) {
        Some(name) => RegionConstant::named(SpelledName::new(name), dimension, 0),
        None => RegionConstant::new(*interval, dimension, 0),
    }
}

/// The name of the fixed index that an interval is.
fn index_name(interval: &Interval, dimension: usize, names: IndexNames<'_>) -> Option<String> {
    interval.fixed().and_then(Place::code).and_then(|code| names(dimension, code))
}

/// The order of printed terms: that of their intervals, but named constants stand by their names behind other fixed
/// indices.
fn order(left: &IntervalScheme, right: &IntervalScheme, names: IndexNames<'_>) -> Ordering {
    let name = |component: &Component<Interval>, at: usize| match component {
        Component::Within(interval) => index_name(interval, at + 1, names).map(|name| name.to_ascii_lowercase()),
        Component::Every => None,
    };
    let is_value = |component: &Component<Interval>| match component {
        Component::Within(interval) => matches!(interval.fixed(), Some(Place::Fixed(_))),
        Component::Every => false,
    };
    let pairs = left.components.iter().zip(&right.components).enumerate();
    let orders = pairs.map(|(at, (left, right))| match (name(left, at), name(right, at)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(_), None) if is_value(right) => Ordering::Greater,
        (None, Some(_)) if is_value(left) => Ordering::Less,
        _ => left.cmp(right),
    });
    orders.fold(Ordering::Equal, Ordering::then)
}

/// The operand alone, or all of them under the operator; `None` if there are none.
pub fn flatten(mut operands: Vec<Region>, operator: impl FnOnce(Vec<Region>) -> Region) -> Option<Region> {
    match operands.len() {
        0 | 1 => operands.pop(),
        _ => Some(operator(operands)),
    }
}
