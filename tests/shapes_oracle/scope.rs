//! What a procedure of the generator can name.

use super::random::Random;

/// What the elements of an array are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    Real,
    Integer,
    Logical,
}

/// One dimension of an array.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The lower bound.
    pub lower: String,
    /// The upper one, if there is one.
    pub upper: Option<String>,
}

impl Bounds {
    pub fn new(lower: &str, upper: &str) -> Self {
        Bounds { lower: lower.into(), upper: Some(upper.into()) }
    }

    /// As a declaration writes it.
    pub fn text(&self) -> String {
        let upper = self.upper.as_deref().unwrap_or("*");
        if self.lower == "1" { upper.to_owned() } else { format!("{}:{upper}", self.lower) }
    }
}

/// An array.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: String,
    pub bounds: Vec<Bounds>,
    pub element: Element,
    pub is_allocatable: bool,
    /// Whether it is a dummy argument of assumed shape.
    pub is_assumed: bool,
}

impl Array {
    pub fn rank(&self) -> usize {
        self.bounds.len()
    }

    /// That a reference to the whole array has an element.
    pub fn has_elements(&self) -> String {
        format!("size({}) > 0", self.name)
    }

    /// Whether the array has an upper bound in each dimension, so that it can be named without subscripts.
    pub fn is_whole(&self) -> bool {
        self.bounds.iter().all(|bounds| bounds.upper.is_some())
    }
}

/// The loop variables.
const COUNTERS: [&str; 4] = ["i", "j", "l", "p"];

/// What a procedure can name.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    /// Integer expressions that are sizes.
    pub sizes: Vec<String>,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// The loop variables that count, each with the bounds of the dimension that it runs over.
    pub counting: Vec<(String, Bounds)>,
}

impl Scope {
    /// A loop variable that does not count.
    pub fn counter(&self) -> Option<&'static str> {
        COUNTERS.into_iter().find(|name| self.counting.iter().all(|(counting, _)| counting != name))
    }

    /// The arrays that are real and can be named as a whole, of one rank.
    pub fn whole(&self, rank: usize) -> Vec<Array> {
        let fits = |array: &&Array| array.element == Element::Real && array.rank() == rank && array.is_whole();
        self.arrays.iter().filter(fits).cloned().collect()
    }

    /// One of the arrays that are real and can be named as a whole, of one rank; unless it may be any, with the
    /// declared bounds of another one.
    pub fn like(&self, random: &mut Random, array: &Array, may_be_any: bool) -> Array {
        let mut from = self.whole(array.rank());
        if !may_be_any {
            from.retain(|one| one.extents() == array.extents());
        }
        if from.is_empty() { array.clone() } else { random.pick(&from).clone() }
    }
}

impl Array {
    /// Texts that are equal for equal declarations.
    pub fn extents(&self) -> Vec<String> {
        self.bounds.iter().map(Bounds::text).collect()
    }
}
