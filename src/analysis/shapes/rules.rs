//! The rules about the shapes of arrays, by code.

use crate::diagnostics::{Example, Level, Rule};

/// All of them.
pub const ALL: &[&Rule] = &[
    &SHAPES_DIFFER,
    &INTRINSIC_ARGUMENTS_DIFFER,
    &ARGUMENT_TOO_SMALL,
    &OUT_OF_BOUNDS,
    &SECTION_OUT_OF_BOUNDS,
    &EXTENT_NEGATIVE,
    &ONLY_WHEN_SQUARE,
    &ONLY_WHEN_ONE,
    &CONTRADICTORY_SIZES,
    &PERMUTED_EXTENTS,
    &MAY_FAIL,
    &CALL_BREAKS_ASSUMPTION,
];

/// What these rules have in common.
const OF_SHAPES: Rule = Rule { commands: &["shapes"], ..Rule::DEFAULT };

/// A001.
pub static SHAPES_DIFFER: Rule = Rule {
    code: "A001",
    name: "shapes-differ",
    explanation: "The operands of an operation that works element by element, the two sides of an assignment, or a mask \
        and what it masks have different extents, whatever the values of the variables, whenever the statement is \
        reached and its operands are not empty. The compiler checks that where the extents are constants; elsewhere \
        what lies behind the shorter array is read or overwritten. An allocatable array on the left takes the shape \
        of the right side, so nothing is demanded there.",
    breaks: Example::File(
        "subroutine centre(u, p, n)\n  integer, intent(in) :: n\n  real, intent(in) :: u(0:n)\n  \
         real, intent(out) :: p(n)\n  p = abs(u)\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine centre(u, p, n)\n  integer, intent(in) :: n\n  real, intent(in) :: u(0:n)\n  \
         real, intent(out) :: p(n)\n  p = abs(u(1:n))\nend subroutine\n",
    ),
    ..OF_SHAPES
};

/// A002.
pub static INTRINSIC_ARGUMENTS_DIFFER: Rule = Rule {
    code: "A002",
    name: "intrinsic-arguments-differ",
    explanation: "The arguments of an array intrinsic do not fit together, whatever the values of the variables: the \
        inner extents of MATMUL, the vectors of DOT_PRODUCT, the elements that RESHAPE needs without PAD, a DIM that \
        is beyond the rank, a mask of another shape.",
    breaks: Example::File(
        "subroutine apply(a, x, y, n)\n  integer, intent(in) :: n\n  real, intent(in) :: a(n,n+2), x(n)\n  \
         real, intent(out) :: y(n)\n  y = matmul(a, x)\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine apply(a, x, y, n)\n  integer, intent(in) :: n\n  real, intent(in) :: a(n,n+2), x(n+2)\n  \
         real, intent(out) :: y(n)\n  y = matmul(a, x)\nend subroutine\n",
    ),
    ..OF_SHAPES
};

/// A003.
pub static ARGUMENT_TOO_SMALL: Rule = Rule {
    code: "A003",
    name: "argument-too-small",
    explanation: "An actual argument has fewer elements than the dummy argument of explicit shape that it is for, \
        whatever the values of the variables. An array element hands over what follows it in the order of elements. \
        No compiler checks that at run time; the procedure reads and overwrites what lies behind the array. The same \
        goes for the target of a pointer that gets bounds of its own.",
    breaks: Example::File(
        "subroutine solve(x, w, n)\n  integer, intent(in) :: n\n  real, intent(inout) :: x(n), w(2*n)\n  \
         w(1:n) = x\nend subroutine\n\nsubroutine run(x, n)\n  integer, intent(in) :: n\n  \
         real, intent(inout) :: x(n)\n  real :: work(2*n - 1)\n  if (n < 1) return\n  call solve(x, work, n)\n\
         end subroutine\n",
    ),
    keeps: Example::File(
        "subroutine solve(x, w, n)\n  integer, intent(in) :: n\n  real, intent(inout) :: x(n), w(2*n)\n  \
         w(1:n) = x\nend subroutine\n\nsubroutine run(x, n)\n  integer, intent(in) :: n\n  \
         real, intent(inout) :: x(n)\n  real :: work(2*n)\n  if (n < 1) return\n  call solve(x, work, n)\n\
         end subroutine\n",
    ),
    ..OF_SHAPES
};

/// A004.
pub static OUT_OF_BOUNDS: Rule = Rule {
    code: "A004",
    name: "out-of-bounds",
    explanation: "A subscript leaves the bounds of its dimension, in some iteration of the loops around it and whatever \
        the values of the variables, whenever the statement is reached. The text names the iteration, the value and \
        the bound. The last dimension of an assumed-size dummy argument has no upper bound, nor has one that is \
        declared `a(1)`, as FORTRAN 66 did, also of an array in EQUIVALENCE or behind a Cray pointer. A subscript \
        that is beyond its dimension and still within the array is told, too; where that is meant, a comment `! camfort: allow(A004)` above the statement says so.",
    breaks: Example::File(
        "subroutine upwind(q, f, n)\n  integer, intent(in) :: n\n  real, intent(in) :: q(n)\n  \
         real, intent(out) :: f(n)\n  integer :: i\n  do i = 1, n\n    f(i) = q(i) - q(i-1)\n  end do\n\
         end subroutine\n",
    ),
    keeps: Example::File(
        "subroutine upwind(q, f, n)\n  integer, intent(in) :: n\n  real, intent(in) :: q(0:n)\n  \
         real, intent(out) :: f(n)\n  integer :: i\n  do i = 1, n\n    f(i) = q(i) - q(i-1)\n  end do\n\
         end subroutine\n",
    ),
    ..OF_SHAPES
};

/// A005.
pub static SECTION_OUT_OF_BOUNDS: Rule = Rule {
    code: "A005",
    name: "section-out-of-bounds",
    explanation: "A section that has elements begins or ends outside of the bounds of its dimension, whatever the values \
        of the variables, whenever the statement is reached. An empty section may have any bounds.",
    breaks: Example::File(
        "subroutine shift(x, n)\n  integer, intent(in) :: n\n  real, intent(inout) :: x(n)\n  \
         x(1:n) = x(2:n+1)\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine shift(x, n)\n  integer, intent(in) :: n\n  real, intent(inout) :: x(n)\n  \
         x(1:n-1) = x(2:n)\nend subroutine\n",
    ),
    ..OF_SHAPES
};

/// A006.
pub static EXTENT_NEGATIVE: Rule = Rule {
    code: "A006",
    name: "extent-negative",
    level: Level::Warning,
    explanation: "An array is allocated with bounds of which the upper one is by more than 1 below the lower one, \
        whatever the values of the variables. That is an array without elements, which is legal and hardly meant; \
        mostly two sizes were exchanged. In the SHAPE of RESHAPE a negative extent is an error.",
    breaks: Example::File(
        "subroutine fill(n, m)\n  integer, intent(in) :: n, m\n  real, allocatable :: gap(:)\n  \
         if (n < m) allocate (gap(n - m))\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine fill(n, m)\n  integer, intent(in) :: n, m\n  real, allocatable :: gap(:)\n  \
         if (n < m) allocate (gap(m - n))\nend subroutine\n",
    ),
    ..OF_SHAPES
};

/// A010.
pub static ONLY_WHEN_SQUARE: Rule = Rule {
    code: "A010",
    name: "only-when-square",
    level: Level::Warning,
    explanation: "The statement is right only if two extents of one array are equal, and nothing says that they are: a \
        loop over the second dimension runs to the size of the first, a product is taken in the wrong order. On a \
        square grid it works. Where loops leave out a border, the extents need only be nearly equal: the message says \
        by how much they may differ. It is not told where all calls in the file give such extents.",
    breaks: Example::File(
        "subroutine add(h, rain, nx, ny)\n  integer, intent(in) :: nx, ny\n  real, intent(inout) :: h(nx,ny)\n  \
         real, intent(in) :: rain\n  integer :: i, j\n  do j = 1, nx\n    do i = 1, ny\n      \
         h(i,j) = h(i,j) + rain\n    end do\n  end do\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine add(h, rain, nx, ny)\n  integer, intent(in) :: nx, ny\n  real, intent(inout) :: h(nx,ny)\n  \
         real, intent(in) :: rain\n  integer :: i, j\n  do j = 1, ny\n    do i = 1, nx\n      \
         h(i,j) = h(i,j) + rain\n    end do\n  end do\nend subroutine\n",
    ),
    ..OF_SHAPES
};

/// A011.
pub static ONLY_WHEN_ONE: Rule = Rule {
    code: "A011",
    name: "only-when-one",
    level: Level::Warning,
    explanation: "The statement is right only if an extent is 1, and nothing says that it is. Fortran does not stretch an \
        extent of 1, as other languages do: use SPREAD, or a scalar.",
    breaks: Example::File(
        "subroutine shift(y, n)\n  integer, intent(in) :: n\n  real, intent(inout) :: y(n)\n  real :: bias(1)\n  \
         bias = 0.5\n  y = y - bias\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine shift(y, n)\n  integer, intent(in) :: n\n  real, intent(inout) :: y(n)\n  real :: bias(1)\n  \
         bias = 0.5\n  y = y - bias(1)\nend subroutine\n",
    ),
    ..OF_SHAPES
};

/// A012.
pub static CONTRADICTORY_SIZES: Rule = Rule {
    code: "A012",
    name: "contradictory-sizes",
    explanation: "What the statement demands of sizes can be, but not together with what statements before it demand: \
        whatever the values of the variables, one of them fails.",
    breaks: Example::File(
        "subroutine blend(a, b, n, m)\n  integer, intent(in) :: n, m\n  real, intent(inout) :: a(n), b(m)\n  \
         if (n < 2) return\n  a(2:n) = b\n  b = 2.0*a\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine blend(a, b, n, m)\n  integer, intent(in) :: n, m\n  real, intent(inout) :: a(n), b(m)\n  \
         if (n < 2) return\n  a(2:n) = b\n  b = 2.0*a(2:n)\nend subroutine\n",
    ),
    ..OF_SHAPES
};

/// A013.
pub static PERMUTED_EXTENTS: Rule = Rule {
    code: "A013",
    name: "permuted-extents",
    level: Level::Warning,
    explanation: "A whole array goes to a dummy argument of explicit shape and the same rank whose extents are those of \
        the array in another order. The elements are as many, so nothing fails, but each stands elsewhere: the procedure \
        sees the array as if it were folded anew, right only if the extents are equal. Mostly two arguments are swapped.",
    breaks: Example::File(
        "subroutine warm(t, nx, ny)\n  integer, intent(in) :: nx, ny\n  real, intent(inout) :: t(nx,ny)\n  \
         call smooth(t, ny, nx)\ncontains\n  subroutine smooth(a, n, m)\n    integer, intent(in) :: n, m\n    \
         real, intent(inout) :: a(n,m)\n    a(:,1) = 0.5*a(:,1)\n  end subroutine\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine warm(t, nx, ny)\n  integer, intent(in) :: nx, ny\n  real, intent(inout) :: t(nx,ny)\n  \
         call smooth(t, nx, ny)\ncontains\n  subroutine smooth(a, n, m)\n    integer, intent(in) :: n, m\n    \
         real, intent(inout) :: a(n,m)\n    a(:,1) = 0.5*a(:,1)\n  end subroutine\nend subroutine\n",
    ),
    ..OF_SHAPES
};

/// A020.
pub static MAY_FAIL: Rule = Rule {
    code: "A020",
    name: "may-fail",
    level: Level::Warning,
    options: &["--possible"],
    explanation: "With `--possible`: the statement is right for some values and wrong for others, in a main program or a \
        procedure that nothing in the file calls. The text gives values for which it fails. A test of the values \
        before it, or a declaration that follows them, makes it right for all.",
    breaks: Example::File(
        "program log\n  integer :: n, i\n  real :: level(50)\n  read *, n\n  do i = 1, n\n    level(i) = 0.1*i\n  \
         end do\n  print *, level(1)\nend program\n",
    ),
    keeps: Example::File(
        "program log\n  integer :: n, i\n  real :: level(50)\n  read *, n\n  if (n > 50) stop 'too many'\n  \
         do i = 1, n\n    level(i) = 0.1*i\n  end do\n  print *, level(1)\nend program\n",
    ),
    ..OF_SHAPES
};

/// A021.
pub static CALL_BREAKS_ASSUMPTION: Rule = Rule {
    code: "A021",
    name: "call-breaks-assumption",
    explanation: "The arguments of a call are such that a statement of the procedure certainly fails once it is reached; \
        the text names that statement. Where it fails unless two extents of an array are equal, or one is 1, this is \
        a warning.",
    breaks: Example::File(
        "real function knot(t, n, k)\n  integer, intent(in) :: n, k\n  real, intent(in) :: t(n)\n  knot = t(k)\n\
         end function\n\nsubroutine ends(t, n, s)\n  integer, intent(in) :: n\n  real, intent(in) :: t(n)\n  \
         real, intent(out) :: s\n  real, external :: knot\n  s = knot(t, n, n + 1)\nend subroutine\n",
    ),
    keeps: Example::File(
        "real function knot(t, n, k)\n  integer, intent(in) :: n, k\n  real, intent(in) :: t(n)\n  knot = t(k)\n\
         end function\n\nsubroutine ends(t, n, s)\n  integer, intent(in) :: n\n  real, intent(in) :: t(n)\n  \
         real, intent(out) :: s\n  real, external :: knot\n  s = knot(t, n, n)\nend subroutine\n",
    ),
    ..OF_SHAPES
};
