//! Rules about the source text itself, whatever it is analysed for.

use super::{Example, Level, Rule};

/// The rules of every analysis, by code.
pub const ALL: &[&Rule] = &[
    &STATEMENT_NOT_UNDERSTOOD,
    &UNREADABLE_FILE,
    &INCLUDE_NOT_FOUND,
    &MODULE_NOT_FOUND,
    &SOURCE_FORM_GUESSED,
    &UNBALANCED_CONSTRUCT,
    &UNUSED_ALLOW,
];

/// A loop with nothing wrong, which keeps many rules.
pub const PLAIN_LOOP: &str = "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i) + a(i-1)
  end do
end subroutine
";

/// F001.
pub static STATEMENT_NOT_UNDERSTOOD: Rule = Rule {
    code: "F001",
    name: "statement-not-understood",
    level: Level::Warning,
    explanation: "A statement is neither standard Fortran nor an extension that this program knows. It is skipped and \
        everything around it is analysed; where it could have changed a value that a computation uses, that computation \
        gets no specification (`unparsed-statement-in-flow`). A file that makes \
        sense only where others include it is best left out with `--exclude`: there it is read all the same. If a compiler \
        accepts the statement, please report it: `camfort-rs debug statements FILE` shows how it was read.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i) +* a(i-1)
  end do
end subroutine
",
    ),
    keeps: Example::File(PLAIN_LOOP),
    ..Rule::DEFAULT
};

/// F002.
pub static UNREADABLE_FILE: Rule = Rule {
    code: "F002",
    name: "unreadable-file",
    level: Level::Error,
    explanation: "A file or directory is missing, or the system doesn't let this program read it. The other files \
        go on, and the exit status is 2: the run did not do all that was asked.",
    breaks: Example::CommandLine("$ camfort-rs infer no_such_file.f90\n"),
    keeps: Example::CommandLine("$ camfort-rs infer laplace.f90\n"),
    is_silenceable: false,
    ..Rule::DEFAULT
};

/// F003.
pub static INCLUDE_NOT_FOUND: Rule = Rule {
    code: "F003",
    name: "include-not-found",
    level: Level::Warning,
    explanation: "The file of an INCLUDE line or of an #include directive is neither beside the including file nor in a \
        directory given with `-I`, or it includes itself, or it lies, symbolic links resolved, outside of the paths \
        given, of the directories of `-I`, and of the project (the nearest directory upward with a `camfort.toml`, an \
        `fpm.toml` or a `.git`): text from elsewhere is in no output. What it would declare stays unknown, so arrays declared there \
        may be taken for functions. A report for people tells of each missing file once, and at its end of how many places ask for it.",
    breaks: Example::File(
        "\
subroutine step
  include 'no_such_file.inc'
end subroutine
",
    ),
    keeps: Example::File(
        "\
subroutine step
  real :: a(10), b(10)
  common /fields/ a, b
end subroutine
",
    ),
    ..Rule::DEFAULT
};

/// F004.
pub static MODULE_NOT_FOUND: Rule = Rule {
    code: "F004",
    name: "module-not-found",
    level: Level::Warning,
    explanation: "A used module is in none of the files given, nor in their project (the nearest directory upward that holds \
        `camfort.toml`, `fpm.toml` or `.git`; `--isolated` does not look there), and is not one that compilers or well-known \
        libraries provide. What it declares stays unknown, and specifications that rest on it are not checked. Name its file, \
        or the directory it lies in, on the command line too.",
    breaks: Example::File(
        "\
subroutine step
  use no_such_module
end subroutine
",
    ),
    keeps: Example::File(
        "\
module fields
  real :: a(10), b(10)
end module

subroutine step
  use fields
end subroutine
",
    ),
    ..Rule::DEFAULT
};

/// F005.
pub static SOURCE_FORM_GUESSED: Rule = Rule {
    code: "F005",
    name: "source-form-guessed",
    level: Level::Note,
    explanation: "The file's extension suggests fixed form (`.f`, `.for`, …) or free form (`.f90`, …), its text is in the \
        other one, and it was read as what it is: a note, and a warning where `infer` would insert comments in that form. \
        `--form fixed` or `--form free` decides for all files. The same note is made of a fixed-form file whose lines make no \
        statements when they are cut off at column 72, as the standard has it, and do at column 132; \
        `--fixed-line-length` decides that.",
    breaks: Example::File(
        "\
c     this text is in fixed form, its file ends in .f90
      subroutine step(a, b, n)
      integer n, i
      real a(n), b(n)
      do 10 i = 2, n
   10 b(i) = a(i-1)
      end
",
    ),
    keeps: Example::File(
        "\
! this text is in free form, its file ends in .f90
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i-1)
  end do
end subroutine
",
    ),
    ..Rule::DEFAULT
};

/// F006.
pub static UNBALANCED_CONSTRUCT: Rule = Rule {
    code: "F006",
    name: "unbalanced-construct",
    level: Level::Warning,
    explanation: "An END statement is missing, surplus, or ends another construct than the one that is open. The analysis \
        goes on with the most likely reading; loops around the place may be seen longer or shorter than they are meant.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i-1)
end subroutine
",
    ),
    keeps: Example::File(PLAIN_LOOP),
    ..Rule::DEFAULT
};

/// F007.
pub static UNUSED_ALLOW: Rule = Rule {
    code: "F007",
    name: "unused-allow",
    level: Level::Warning,
    explanation: "A comment such as `! camfort: allow(S011)` silences findings of the statement below it and of the \
        specifications above that statement. This one silences nothing: what it allowed is gone, or no such rule exists.",
    breaks: Example::File(
        "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    ! camfort: allow(S011)
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
  do i = 2, n
    ! camfort: allow(S011)
    != stencil backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    ),
    commands: &["check", "guard"],
    is_silenceable: false,
    ..Rule::DEFAULT
};
