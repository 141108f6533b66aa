//! Rules about a specification and its code.

use super::SPECIFIED_LOOP;
use crate::diagnostics::rules::PLAIN_LOOP;
use crate::diagnostics::{Example, Level, Rule};

/// S010.
pub static REGION_DIFFERS: Rule = Rule {
    code: "S010",
    name: "region-differs",
    level: Level::Error,
    explanation: "The code reads the array at other offsets than the specification says: an exact one must give the very \
        set, `atMost` may say more, `atLeast` less. A wrong sign or two swapped indices look like this. Either the \
        code or the specification is wrong, and only a person can say which.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n - 1
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i+1)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n - 1
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    fix: Some("Replace the specification by the inferred one"),
    ..Rule::DEFAULT
};

/// S011.
pub static MISSING_READ_ONCE: Rule = Rule {
    code: "S011",
    name: "missing-read-once",
    level: Level::Error,
    explanation: "The region is right and every element is read only once, but the specification lacks `readOnce`. Without \
        it a specification says that some element is read twice.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    fix: Some("Replace the specification by the inferred one"),
    is_fix_safe: true,
    ..Rule::DEFAULT
};

/// S012.
pub static REPEATED_READ: Rule = Rule {
    code: "S012",
    name: "repeated-read",
    level: Level::Error,
    explanation: "The specification says `readOnce`, and the code reads one element twice. Reads are counted as written, \
        over every statement that flows to this one. A term copied and not adapted looks like this.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    fix: Some("Replace the specification by the inferred one"),
    ..Rule::DEFAULT
};

/// S013.
pub static KIND_DIFFERS: Rule = Rule {
    code: "S013",
    name: "kind-differs",
    level: Level::Error,
    explanation: "The specification says `stencil` and the left side has no index that moves with the loop, or it says \
        `access` and the left side has one.",
    breaks: Example::File(
        "\
subroutine total(a, s, n)
  integer :: n, i
  real :: a(n), s
  do i = 1, n
    != stencil readOnce, pointed(dim=1) :: a
    s = s + a(i)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine total(a, s, n)
  integer :: n, i
  real :: a(n), s
  do i = 1, n
    != access readOnce, pointed(dim=1) :: a
    s = s + a(i)
  end do
end subroutine
",
    ),
    fix: Some("Replace the specification by the inferred one"),
    ..Rule::DEFAULT
};

/// S014.
pub static ARRAY_NOT_READ: Rule = Rule {
    code: "S014",
    name: "array-not-read",
    level: Level::Error,
    explanation: "The specification names a variable that the computation below it does not read, neither in its own right \
        side nor through the scalars that flow into it. The name may be misspelt, or the statement may have changed.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: c
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    ..Rule::DEFAULT
};

/// S015.
pub static NOT_SPECIFIABLE: Rule = Rule {
    code: "S015",
    name: "not-specifiable",
    level: Level::Error,
    explanation: "The array is read in a way that specifications can't describe here, such as `a(2*i)` or `a(idx(i))`; the \
        message says which. A specification that can't be checked must not look like one that holds.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(2*n), b(n)
  do i = 1, n
    != stencil readOnce, pointed(dim=1) :: a
    b(i) = a(2*i)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(2*n), b(n)
  do i = 1, n
    b(i) = a(2*i)
  end do
end subroutine
",
    ),
    ..Rule::DEFAULT
};

/// S016.
pub static UNDECIDED: Rule = Rule {
    code: "S016",
    name: "undecided",
    level: Level::Error,
    explanation: "The solver gave no answer within its limit, or (with `--solver both`) the two procedures disagree. What is not \
        decided does not count as right. A specification that needs more than a few regions can often be put simpler: \
        `camfort-rs infer --report` shows how.",
    // Nothing that fits on a page makes the solver give up.
    breaks: Example::Sketch("$ camfort-rs check generated.f90   # hundreds of regions in a dozen dimensions\n"),
    keeps: Example::Sketch("$ camfort-rs check step.f90\n"),
    ..Rule::DEFAULT
};

/// S017.
pub static OLD_SPELLING: Rule = Rule {
    code: "S017",
    name: "old-spelling",
    level: Level::Warning,
    explanation: "`reflexive` and `irreflexive` are words of an earlier version of the language: they are called `pointed` and \
        `nonpointed` now.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1, irreflexive) :: a
    b(i) = a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1, nonpointed) :: a
    b(i) = a(i-1)
  end do
end subroutine
",
    ),
    fix: Some("Use the word of today"),
    is_fix_safe: true,
    ..Rule::DEFAULT
};

/// S018.
pub static NOT_CHECKED: Rule = Rule {
    code: "S018",
    name: "not-checked",
    level: Level::Error,
    explanation: "What the specification or its statement rests on is not known: a module is in none of the files, or nothing \
        declares a name. Nothing is called wrong then, and nothing right. Name the files with the modules too, or run in \
        their project: modules are looked for below the nearest directory upward that holds `camfort.toml`, `fpm.toml` or \
        `.git`.",
    breaks: Example::File(
        "\
subroutine step(g, b, n)
  use elsewhere, only: grid
  integer :: n, i
  type(grid) :: g
  real :: b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: g%t
    b(i) = g%t(i) + g%t(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
module elsewhere
  type :: grid
    real, allocatable :: t(:)
  end type
end module

subroutine step(g, b, n)
  use elsewhere, only: grid
  integer :: n, i
  type(grid) :: g
  real :: b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: g%t
    b(i) = g%t(i) + g%t(i-1)
  end do
end subroutine
",
    ),
    commands: &["check"],
    ..Rule::DEFAULT
};

/// S020.
pub static MISSING_SPECIFICATION: Rule = Rule {
    code: "S020",
    name: "missing-specification",
    level: Level::Off,
    explanation: "An array computation reads arrays that could have a specification and have none. Reported only if that is \
        asked for, and an error then: `--require all` wants one for every such array, `--require nontrivial` only where it would \
        say more than `pointed`. `camfort-rs infer` writes them.",
    breaks: Example::File(PLAIN_LOOP),
    keeps: Example::File(SPECIFIED_LOOP),
    fix: Some("Insert the inferred specification"),
    is_fix_safe: true,
    commands: &["check"],
    options: &["--require", "all"],
    ..Rule::DEFAULT
};

/// S021.
pub static OVERLONG_SPECIFICATION: Rule = Rule {
    code: "S021",
    name: "overlong-specification",
    level: Level::Warning,
    explanation: "Written out as a sum of products, the specification has more products than the shortest one that means the \
        same. The shorter one is offered as a fix.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n - 1
    != stencil readOnce, backward(depth=1, dim=1) + forward(depth=1, dim=1) :: a
    b(i) = a(i-1) + a(i) + a(i+1)
  end do
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n - 1
    != stencil readOnce, centered(depth=1, dim=1) :: a
    b(i) = a(i-1) + a(i) + a(i+1)
  end do
end subroutine
",
    ),
    fix: Some("Shorten the specification"),
    is_fix_safe: true,
    ..Rule::DEFAULT
};

/// S022.
pub static MISSPELT_SPECIFICATION: Rule = Rule {
    code: "S022",
    name: "misspelt-specification",
    level: Level::Warning,
    explanation: "Behind the marker `=` stands a word that is almost `stencil`, `access` or `region`. It makes an ordinary comment, which \
        nothing is held against.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stensil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(SPECIFIED_LOOP),
    ..Rule::DEFAULT
};
