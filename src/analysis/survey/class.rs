//! The classes of the study (paper, section 2.1). `docs/survey.md` defines each with an example.

use serde::{Deserialize, Serialize};

/// Defines classes that have a name in reports, data and partial results, and a phrase that says what they hold.
macro_rules! classes {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $text:literal: $phrase:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub enum $name {
            $(
                #[doc = $phrase]
                #[serde(rename = $text)]
                $variant,
            )+
        }

        impl $name {
            /// Every class, in the order of tables.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The name in reports and data.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }

            /// What it holds, for a person.
            pub fn phrase(self) -> &'static str {
                match self {
                    $($name::$variant => $phrase,)+
                }
            }
        }
    };
}

classes! {
    /// The left side of an assignment by its indices.
    LeftClass {
        Variable = "variable": "a scalar",
        InductionVariables = "induction-variables": "every index an induction variable: b(i,j)",
        Neighbourhood = "neighbourhood": "every index i + c, some c not 0: b(i,j-1)",
        NeighbourhoodAbsolute = "neighbourhood+absolute": "indices i + c and absolute ones: b(i,1)",
        Affine = "affine": "indices f*i + c, perhaps beside i + c: b(2*i+1,j)",
        AffineAbsolute = "affine+absolute": "the same beside absolute ones: b(2*i,1)",
        Absolute = "absolute": "absolute indices only: b(1,2)",
        Other = "other": "an index of another form: b(idx(i))",
    }
}

classes! {
    /// The reads of one array by their indices.
    RightClass {
        Neighbourhood = "neighbourhood": "every index i + c: a(i,j-1)",
        NeighbourhoodAbsolute = "neighbourhood+absolute": "indices i + c and absolute ones: a(i,1)",
        Affine = "affine": "indices f*i + c, perhaps beside i + c: a(2*i+1,j)",
        AffineAbsolute = "affine+absolute": "the same beside absolute ones: a(2*i,1)",
        Absolute = "absolute": "absolute indices only: a(1,2)",
        Other = "other": "an index of another form: a(idx(i))",
    }
}

classes! {
    /// Whether what is read hangs together.
    Contiguity {
        Contiguous = "contiguous": "one piece: a(i) + a(i+1)",
        Disjoint = "disjoint": "several pieces: a(i) + a(i+2)",
    }
}

classes! {
    /// Where what is read lies.
    Position {
        Origin = "origin": "over the origin: a(i)",
        Straddle = "straddle": "beside the origin: a(i-1) + a(i+1)",
        Away = "away": "away from the origin: a(i+2)",
    }
}

classes! {
    /// Whether an element is read again.
    Reuse {
        Once = "once": "no subscripts are repeated: a(i) + a(i+1)",
        Repeated = "repeated": "some subscripts are repeated: a(i) * a(i)",
    }
}

classes! {
    /// The induction variables on the left beside those on the right.
    Relation {
        Direct = "direct": "the same, each in the same dimension: b(i,j) = a(i,j)",
        Permutation = "permutation": "the same in other dimensions: b(i,j) = a(j,i)",
        LeftSubset = "left-subset": "fewer on the left: b(i) = a(i,j)",
        LeftSuperset = "left-superset": "more on the left: b(i,j) = a(i)",
        Inconsistent = "inconsistent": "neither: b(i) = a(j)",
    }
}

classes! {
    /// A specification by its constants other than `pointed` (paper, section 7).
    Action {
        AllPointed = "all-pointed": "pointed only",
        Single = "single-action": "one forward, backward or centered",
        MultiProduct = "multi-action, only *": "several, joined by * only",
        MultiSum = "multi-action, only +": "several, joined by + only",
        MultiBoth = "multi-action, * and +": "several, joined by * and +",
    }
}

classes! {
    /// How a specification relates to the code (paper, section 4.3).
    Bound {
        Exact = "exact": "what is read and what is said are the same",
        AtMost = "atMost": "the code reads no more",
        AtLeast = "atLeast": "the code reads no less",
    }
}

impl LeftClass {
    /// Whether it makes the assignment a stencil: an array at neighbourhood indices.
    pub fn is_neighbourhood(self) -> bool {
        matches!(self, LeftClass::InductionVariables | LeftClass::Neighbourhood | LeftClass::NeighbourhoodAbsolute)
    }
}

impl RightClass {
    /// Whether every index is a neighbourhood index or absolute, and not all absolute.
    pub fn is_neighbourhood(self) -> bool {
        matches!(self, RightClass::Neighbourhood | RightClass::NeighbourhoodAbsolute)
    }

    /// Whether the pattern is static: constant offsets from induction variables or multiples of them.
    pub fn is_static(self) -> bool {
        self.is_neighbourhood() || matches!(self, RightClass::Affine | RightClass::AffineAbsolute)
    }
}

/// All that is told of how one computation reads one array. Every table of section 2 is a sum over these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Category {
    /// The left side.
    pub left: LeftClass,
    /// The reads.
    pub right: RightClass,
    /// Of static patterns.
    pub contiguity: Option<Contiguity>,
    /// Of static patterns.
    pub position: Option<Position>,
    /// Of static patterns.
    pub reuse: Option<Reuse>,
    /// Of static patterns whose left side is not other.
    pub relation: Option<Relation>,
    /// Whether the offsets are not those that are written, as the left side has an offset itself.
    pub relativised: bool,
}

impl Category {
    /// Hypothesis 1: the pattern is static.
    pub fn is_static(&self) -> bool {
        self.right.is_static()
    }

    /// Hypothesis 2: static and contiguous.
    pub fn is_contiguous(&self) -> bool {
        self.is_static() && self.contiguity == Some(Contiguity::Contiguous)
    }

    /// Hypothesis 3: static and contiguous, over the origin or beside it.
    pub fn is_near(&self) -> bool {
        self.is_contiguous() && self.position != Some(Position::Away)
    }

    /// Hypothesis 4: neighbourhood indices on both sides, which agree.
    pub fn is_stencil(&self) -> bool {
        let agree = self.relation.is_some_and(|relation| relation != Relation::Inconsistent);
        self.left.is_neighbourhood() && self.right.is_neighbourhood() && agree
    }

    /// Hypothesis 5: static, and no subscripts are repeated.
    pub fn is_read_once(&self) -> bool {
        self.is_static() && self.reuse == Some(Reuse::Once)
    }
}
