//! Rules about which loop variable is followed, and about fixed indices and bounds.

use super::SPECIFIED_LOOP;
use crate::diagnostics::{Example, Level, Rule};

/// S023.
pub static PERMUTED_SUBSCRIPTS: Rule = Rule {
    code: "S023",
    name: "permuted-subscripts",
    level: Level::Warning,
    explanation: "In one statement one array is read with the loop variables in another order than on the left side, and \
        another array of the same rank in that order, both without offsets. Two subscripts that were swapped by mistake \
        look like this. It needs no specification; one for the array that says `along` silences it.",
    breaks: Example::File(
        "\
subroutine add(d, b, e, n)
  integer :: n, i, j
  real :: d(n, n), b(n, n), e(n, n)
  do j = 1, n
    do i = 1, n
      e(i, j) = d(i, j) + b(j, i)
    end do
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine add(d, b, e, n)
  integer :: n, i, j
  real :: d(n, n), b(n, n), e(n, n)
  do j = 1, n
    do i = 1, n
      e(i, j) = d(i, j) + b(i, j)
    end do
  end do
end subroutine
",
    ),
    commands: &["check"],
    ..Rule::DEFAULT
};

/// S024.
pub static OTHER_LOOP_VARIABLE: Rule = Rule {
    code: "S024",
    name: "other-loop-variable",
    level: Level::Error,
    explanation: "A read follows another dimension of the left side than the specification says by `along` (or by saying \
        nothing, which means the order of the left side), or it runs over a variable that the left side has not where \
        `free` is not said, or the reverse. `x(i)` for `x(j)` and `a(j,i)` for `a(i,j)` look like this. Not told with \
        `--paper`.",
    breaks: Example::File(
        "\
subroutine scale(x, b, n)
  integer :: n, i, j
  real :: x(n), b(n, n)
  do j = 1, n
    do i = 1, n
      != stencil readOnce, pointed(along=2, dim=1) :: x
      b(i, j) = x(i)
    end do
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine scale(x, b, n)
  integer :: n, i, j
  real :: x(n), b(n, n)
  do j = 1, n
    do i = 1, n
      != stencil readOnce, pointed(along=2, dim=1) :: x
      b(i, j) = x(j)
    end do
  end do
end subroutine
",
    ),
    fix: Some("Replace the specification by the inferred one"),
    ..Rule::DEFAULT
};

/// S025.
pub static FIXED_INDEX_DIFFERS: Rule = Rule {
    code: "S025",
    name: "fixed-index-differs",
    level: Level::Error,
    explanation: "The code reads another fixed index than `fixed(at=…)` says, and with all fixed indices taken for equal \
        there is no difference. An old time level that is read for the new one looks like this.",
    breaks: Example::File(
        "\
subroutine drop(x, y, n)
  integer :: n, i
  real :: x(n), y(n)
  do i = 1, n
    != stencil readOnce, pointed(dim=1) + fixed(at=1, dim=1) :: x
    y(i) = x(i) - x(2)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine drop(x, y, n)
  integer :: n, i
  real :: x(n), y(n)
  do i = 1, n
    != stencil readOnce, pointed(dim=1) + fixed(at=1, dim=1) :: x
    y(i) = x(i) - x(1)
  end do
end subroutine
",
    ),
    fix: Some("Replace the specification by the inferred one"),
    ..Rule::DEFAULT
};

/// S026.
pub static BOUND_NOT_TIGHT: Rule = Rule {
    code: "S026",
    name: "bound-not-tight",
    level: Level::Warning,
    explanation: "An `atMost` or `atLeast` specification holds, but what the code reads can be said exactly, or by a \
        tighter bound. A bound lets pass what an exact specification catches. Not told with `--paper`.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, atMost, backward(depth=2, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    fix: Some("Replace the specification by the inferred one"),
    ..Rule::DEFAULT
};
