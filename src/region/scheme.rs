//! Schemes: products of one component per dimension.

use super::integers::IntegerSet;
use super::interval::Interval;
use super::line::{ANY_FIXED, integers_of};

/// What a component of a scheme can be constrained to: a non-empty set of integers of some form.
pub trait Extent: Clone + Ord {
    /// The common elements, in the same form; `None` if there are none.
    fn intersection(&self, other: &Self) -> Option<Self>;

    /// Whether every element is one of the other.
    fn is_subset(&self, other: &Self) -> bool;

    /// Whether the integer is an element.
    fn holds(&self, value: i64) -> bool;
}

/// The integer of a [`Place`](super::Place); that of a fixed index of which nothing is known stands for all of them.
impl Extent for i64 {
    fn intersection(&self, other: &Self) -> Option<Self> {
        if self.is_subset(other) { Some(*self) } else { other.is_subset(self).then_some(*other) }
    }

    fn is_subset(&self, other: &Self) -> bool {
        self == other || other.holds(*self)
    }

    fn holds(&self, value: i64) -> bool {
        let (first, any) = ANY_FIXED;
        *self == value || *self == any && (first..=any).contains(&value)
    }
}

/// One dimension of a scheme.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Component<T> {
    /// The dimension is constrained to a set.
    Within(T),
    /// The dimension is unconstrained: all of Z.
    Every,
}

impl<T: Extent> Component<T> {
    /// The common elements; `None` if there are none.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Component::Every, _) => Some(other.clone()),
            (_, Component::Every) => Some(self.clone()),
            (Component::Within(left), Component::Within(right)) => left.intersection(right).map(Component::Within),
        }
    }

    /// Whether every element is one of the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Component::Every) => true,
            (Component::Every, _) => false,
            (Component::Within(left), Component::Within(right)) => left.is_subset(right),
        }
    }

    /// Whether the integer is an element.
    pub fn holds(&self, value: i64) -> bool {
        match self {
            Component::Every => true,
            Component::Within(set) => set.holds(value),
        }
    }
}

impl<T> Component<T> {
    /// The component with its set put into another form.
    pub fn map<U>(&self, form: impl FnOnce(&T) -> U) -> Component<U> {
        match self {
            Component::Every => Component::Every,
            Component::Within(set) => Component::Within(form(set)),
        }
    }

    /// Whether the dimension is unconstrained.
    pub fn is_every(&self) -> bool {
        matches!(self, Component::Every)
    }
}

/// A product of components; its rank is their number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scheme<T> {
    /// The components, in the order of the dimensions.
    pub components: Vec<Component<T>>,
}

/// A product of finite sets of integers or Z.
pub type IndexScheme = Scheme<IntegerSet>;
/// A product of intervals or Z: what a product of region constants denotes.
pub type IntervalScheme = Scheme<Interval>;
/// A product of single integers, each that of a [`Place`](super::Place), or Z: what one read denotes.
pub type SubscriptScheme = Scheme<i64>;

impl<T: Extent> Scheme<T> {
    /// The product of these components.
    pub fn new(components: Vec<Component<T>>) -> Self {
        Scheme { components }
    }

    /// Z^rank.
    pub fn every(rank: usize) -> Self {
        Scheme { components: vec![Component::Every; rank] }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.components.len()
    }

    /// Whether the scheme is all of Z^rank.
    pub fn is_every(&self) -> bool {
        self.components.iter().all(Component::is_every)
    }

    /// The common elements of two schemes of equal rank; `None` if there are none.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let pairs = self.components.iter().zip(&other.components);
        pairs.map(|(left, right)| left.intersection(right)).collect::<Option<Vec<_>>>().map(Scheme::new)
    }

    /// Whether there are common elements with a scheme of equal rank.
    pub fn meets(&self, other: &Self) -> bool {
        self.components.iter().zip(&other.components).all(|(left, right)| left.intersection(right).is_some())
    }

    /// Whether every element is one of the other scheme, of equal rank.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.components.iter().zip(&other.components).all(|(left, right)| left.is_subset(right))
    }

    /// Whether the vector, of equal rank, is an element.
    pub fn holds(&self, point: &[i64]) -> bool {
        self.components.iter().zip(point).all(|(component, value)| component.holds(*value))
    }

    /// The scheme with every set put into another form.
    pub fn map<U: Extent>(&self, mut form: impl FnMut(&T) -> U) -> Scheme<U> {
        Scheme::new(self.components.iter().map(|component| component.map(&mut form)).collect())
    }
}

impl IntervalScheme {
    /// The number of dimensions that are constrained: the constants of the printed product.
    pub fn constants(&self) -> usize {
        self.components.iter().filter(|component| !component.is_every()).count()
    }

    /// The number of its elements, unconstrained dimensions not counted.
    pub fn size(&self) -> u128 {
        let factor = |component: &Component<Interval>| match component {
            Component::Every => 1,
            Component::Within(interval) => u128::from(interval.size()),
        };
        self.components.iter().fold(1, |size, component| size.saturating_mul(factor(component)))
    }

    /// The same set as an index scheme.
    pub fn to_index(&self) -> IndexScheme {
        self.map(Interval::to_integers)
    }
}

impl SubscriptScheme {
    /// The same set as an index scheme.
    pub fn to_index(&self) -> IndexScheme {
        self.map(|code| IntegerSet::range(integers_of(*code)))
    }
}
