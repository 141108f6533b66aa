//! What a row of the tables of intrinsic procedures says.

use super::evaluate::Evaluation;
use crate::syntax::{ArgumentList, Expression, Intent, NameTable};

/// An intrinsic procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Intrinsic {
    /// The name, lower case.
    pub name: &'static str,
    /// What kind of procedure it is.
    pub class: Class,
    /// The dummy arguments in order, those that are optional last. MAX and MIN take any number of further ones.
    pub arguments: &'static [DummyArgument],
    /// The shape of the result; of a subroutine, whether it works element by element.
    pub shape: ResultShape,
    /// How the value follows from integers.
    pub evaluation: Option<Evaluation>,
}

/// A dummy argument of an intrinsic procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DummyArgument {
    /// The keyword, lower case.
    pub name: &'static str,
    /// What the procedure does with it.
    pub intent: Intent,
    /// Whether it may be left out.
    pub is_optional: bool,
}

/// The kinds of intrinsic procedures (clause 16.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A function of scalars that works on arrays element by element.
    Elemental,
    /// A function that asks about a variable and does not read its value.
    Inquiry,
    /// An inquiry function that asks about the type of its argument alone: KIND, HUGE.
    TypeInquiry,
    /// Any other function of the standard.
    Transformational,
    /// A function of the compilers' libraries whose result depends on more than its arguments, or which changes them.
    Impure,
    /// A subroutine that works on arrays element by element.
    ElementalSubroutine,
    /// A pure subroutine, which may be simple.
    PureSubroutine,
    /// An atomic subroutine.
    Atomic,
    /// A collective subroutine.
    Collective,
    /// Any other subroutine of the standard.
    Subroutine,
    /// A subroutine of the compilers' libraries that returns (GNU, DEC). A program may have one of its own of that
    /// name.
    LibrarySubroutine,
    /// A subroutine that ends the program (GNU, DEC).
    Terminating,
}

/// How the shape of a function's result follows from its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultShape {
    /// That of the arguments, which conform: element by element.
    Elemental,
    /// A scalar.
    Scalar,
    /// A scalar; with DIM the shape of the first argument without that dimension (SUM).
    Reduction,
    /// A vector with an element for each dimension of the first argument; with DIM as [`ResultShape::Reduction`]
    /// (MAXLOC).
    Location,
    /// A vector with an element for each dimension of the first argument; with DIM a scalar (LBOUND).
    Bounds,
    /// That of the first argument, whose elements move along DIM, or else the first dimension (CSHIFT).
    Shifted,
    /// That of the matrix with its dimensions exchanged (TRANSPOSE).
    Transposed,
    /// That of the first argument with a new dimension DIM (SPREAD).
    Spread,
    /// What the argument SHAPE says (RESHAPE).
    Reshaped,
    /// The outer extents of two matrices, or a matrix and a vector (MATMUL).
    MatrixProduct,
    /// A scalar, of two vectors of equal extent (DOT_PRODUCT).
    VectorProduct,
    /// A vector with the chosen elements (PACK).
    Packed,
    /// That of the mask (UNPACK).
    Unpacked,
    /// That of MOLD, or a vector as long as SIZE or the source says (TRANSFER).
    Transferred,
    /// As [`ResultShape::Elemental`], and with three arguments a vector (BESSEL_JN).
    Sequence,
    /// Nothing is said of it here.
    Unknown,
}

impl Intrinsic {
    /// Whether it asks about its first argument and does not read its value.
    pub fn is_inquiry(&self) -> bool {
        matches!(self.class, Class::Inquiry | Class::TypeInquiry)
    }

    /// The position of the dummy argument with this keyword, from 0.
    pub fn position(&self, keyword: &str) -> Option<usize> {
        self.arguments.iter().position(|dummy| dummy.name == keyword)
    }

    /// The actual argument for the dummy argument with this keyword, if it is there and an expression.
    pub fn argument<'l>(&self, keyword: &str, list: &'l ArgumentList, names: &NameTable) -> Option<&'l Expression> {
        list.items[self.actual(self.position(keyword)?, list, names)?].expression()
    }

    /// Where the actual argument for the dummy argument at a position stands, as keywords may come in any order.
    pub fn actual(&self, dummy: usize, list: &ArgumentList, names: &NameTable) -> Option<usize> {
        let keywords = || self.arguments.iter().map(|dummy| dummy.name);
        (0..list.items.len()).find(|&at| list.items[at].dummy(at, keywords(), names) == Some(dummy))
    }
}

/// Rows of a table: `Class name(required, … [optional, …]) -> Shape = Evaluation;`. An argument without a word behind
/// it has INTENT(IN). Without a shape it follows from the class.
macro_rules! rows {
    ($($class:ident $name:ident(
        $($required:ident $(: $intent:ident)?),* $([$($optional:ident $(: $intent_of_optional:ident)?),*])?
    ) $(-> $shape:ident)? $(= $evaluation:ident)?;)*) => {
        &[$($crate::intrinsics::row::Intrinsic {
            name: stringify!($name),
            class: $crate::intrinsics::row::Class::$class,
            arguments: &[
                $($crate::intrinsics::row::DummyArgument {
                    name: stringify!($required),
                    intent: $crate::intrinsics::row::intent!($($intent)?),
                    is_optional: false,
                },)*
                $($($crate::intrinsics::row::DummyArgument {
                    name: stringify!($optional),
                    intent: $crate::intrinsics::row::intent!($($intent_of_optional)?),
                    is_optional: true,
                },)*)?
            ],
            shape: $crate::intrinsics::row::shape!($class $($shape)?),
            evaluation: $crate::intrinsics::row::evaluation!($($evaluation)?),
        },)*]
    };
}

macro_rules! intent {
    () => {
        $crate::syntax::Intent::In
    };
    (out) => {
        $crate::syntax::Intent::Out
    };
    (inout) => {
        $crate::syntax::Intent::InOut
    };
}

macro_rules! shape {
    (Elemental) => {
        $crate::intrinsics::row::ResultShape::Elemental
    };
    (ElementalSubroutine) => {
        $crate::intrinsics::row::ResultShape::Elemental
    };
    ($class:ident) => {
        $crate::intrinsics::row::ResultShape::Scalar
    };
    ($class:ident $shape:ident) => {
        $crate::intrinsics::row::ResultShape::$shape
    };
}

macro_rules! evaluation {
    () => {
        None
    };
    ($evaluation:ident) => {
        Some($crate::intrinsics::evaluate::Evaluation::$evaluation)
    };
}

pub(super) use {evaluation, intent, rows, shape};
