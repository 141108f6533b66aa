//! Rules about a specification by itself, and about what it is attached to.

use super::SPECIFIED_LOOP;
use crate::diagnostics::{Example, Level, Rule};

/// S001.
pub static MALFORMED_SPECIFICATION: Rule = Rule {
    code: "S001",
    name: "malformed-specification",
    level: Level::Error,
    explanation: "A comment begins like a specification (`!= stencil`, `!= access`, `!= region`) and breaks the grammar. \
        The finding stands at the exact column and says what could have stood there. A specification that can't be read \
        is not checked, which must never look like a pass.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    ..Rule::DEFAULT
};

/// S002.
pub static UNKNOWN_REGION_VARIABLE: Rule = Rule {
    code: "S002",
    name: "unknown-region-variable",
    level: Level::Error,
    explanation: "A specification names a region variable that is not in scope. A region variable is known from its `region` \
        line to the end of the program unit, contained procedures included, and wherever a module that declares it is \
        used, unless modules that are used declare different ones under that name.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, twoPoint :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  != region :: twoPoint = backward(depth=1, dim=1)
  do i = 2, n
    != stencil readOnce, twoPoint :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    ..Rule::DEFAULT
};

/// S003.
pub static REGION_VARIABLE_REDEFINED: Rule = Rule {
    code: "S003",
    name: "region-variable-redefined",
    level: Level::Error,
    explanation: "A region variable is declared a second time in one scope, or in terms of itself. The first declaration \
        stands. An inner scope may declare a name anew.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  != region :: twoPoint = backward(depth=1, dim=1)
  != region :: twoPoint = forward(depth=1, dim=1)
  do i = 2, n
    != stencil readOnce, twoPoint :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  != region :: twoPoint = backward(depth=1, dim=1)
  do i = 2, n
    != stencil readOnce, twoPoint :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    ..Rule::DEFAULT
};

/// S004.
pub static UNUSED_REGION_VARIABLE: Rule = Rule {
    code: "S004",
    name: "unused-region-variable",
    level: Level::Warning,
    explanation: "A region variable is declared and no specification uses it. Those that a module declares are exported with \
        it and may be used elsewhere, so they are never reported.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  != region :: near = centered(depth=1, dim=1)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  != region :: near = backward(depth=1, dim=1)
  do i = 2, n
    != stencil readOnce, near :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    ..Rule::DEFAULT
};

/// S005.
pub static INVALID_DIMENSION: Rule = Rule {
    code: "S005",
    name: "invalid-dimension",
    level: Level::Error,
    explanation: "A specification speaks of a dimension that the array doesn't have. Dimensions count from 1, in the order \
        of the subscripts.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=2) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    fix: Some("Replace the specification by the inferred one"),
    ..Rule::DEFAULT
};

/// S006.
pub static UNATTACHED_SPECIFICATION: Rule = Rule {
    code: "S006",
    name: "unattached-specification",
    level: Level::Error,
    explanation: "A specification belongs to the next statement, and that statement holds no array computation, or holds \
        several (a loop with two assignments that read the array); or a name fits several arrays (`y` where `p%y` and \
        `q%y` are read); or the comment follows code on its line. Put it on a line of its own directly above the \
        assignment, with the whole names of arrays.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i) + a(i-1) != stencil readOnce, backward(depth=1, dim=1) :: a
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    ..Rule::DEFAULT
};

/// S007.
pub static DUPLICATE_SPECIFICATION: Rule = Rule {
    code: "S007",
    name: "duplicate-specification",
    level: Level::Warning,
    explanation: "Two specifications above one statement say the same of one array, perhaps in other words. One is enough: \
        `--fix` removes the later.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: a
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    fix: Some("Remove the later specification"),
    is_fix_safe: true,
    ..Rule::DEFAULT
};

/// S008.
pub static CONTRADICTORY_SPECIFICATIONS: Rule = Rule {
    code: "S008",
    name: "contradictory-specifications",
    level: Level::Error,
    explanation: "Two specifications above one statement can't both hold for one array: they give different sets, a lower \
        bound that is not inside the upper one, `stencil` and `access`, or only one of them says `readOnce`. The later one \
        is not held against the code; `--unsafe-fixes` removes that which the code contradicts, and where it contradicts both, what \
        is inferred takes their place.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: a
    != stencil readOnce, forward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    fix: Some("Remove the specification that the code contradicts"),
    ..Rule::DEFAULT
};

/// S009.
pub static INACTIVE_SPECIFICATION: Rule = Rule {
    code: "S009",
    name: "inactive-specification",
    level: Level::Error,
    explanation: "A specification stands in a branch of the preprocessor (`#ifdef`) that is not compiled with the macros given, \
        so nothing is known of the code it speaks of. Check the file once more with the macros that choose that branch \
        (`-D NAME`); if every branch is checked by some run, this rule can be turned off in the configuration.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
#ifdef WIDE
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
#endif
end subroutine
",
    ),
    keeps: Example::File(
        "\
#define WIDE
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
#ifdef WIDE
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
#endif
end subroutine
",
    ),
    commands: &["check"],
    ..Rule::DEFAULT
};
