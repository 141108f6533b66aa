//! Rules about the source text itself.

use super::{PLAIN_LOOP, Rule, Severity};

/// F001.
pub static STATEMENT_NOT_UNDERSTOOD: Rule = Rule {
    code: "F001",
    name: "statement-not-understood",
    severity: Severity::Warning,
    explanation: "A statement is neither standard Fortran nor an extension that this program knows. It is skipped and \
        everything around it is analysed; where it could have changed a value that a computation uses, that computation \
        gets no specification (`unparsed-statement-in-flow`). A file that makes \
        sense only where others include it is best left out with `--exclude`: there it is read all the same. If a compiler \
        accepts the statement, please report it: `camfort-rs debug statements FILE` shows how it was read.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i) +* a(i-1)
  end do
end subroutine
",
    keeps: PLAIN_LOOP,
};

/// F002.
pub static UNREADABLE_FILE: Rule = Rule {
    code: "F002",
    name: "unreadable-file",
    severity: Severity::Error,
    explanation: "A file or directory is missing, or the system doesn't let this program read it. The other files \
        go on, and the exit status is 2: the run did not do all that was asked.",
    breaks: "$ camfort-rs infer no_such_file.f90\n",
    keeps: "$ camfort-rs infer laplace.f90\n",
};

/// F003.
pub static INCLUDE_NOT_FOUND: Rule = Rule {
    code: "F003",
    name: "include-not-found",
    severity: Severity::Warning,
    explanation: "The file of an INCLUDE line or of an #include directive is neither beside the including file nor in a \
        directory given with `-I`, or it includes itself. What it would declare stays unknown, so arrays declared there \
        may be taken for functions. A report for people tells of each missing file once, and at its end of how many places ask for it.",
    breaks: "\
subroutine step
  include 'no_such_file.inc'
end subroutine
",
    keeps: "\
subroutine step
  real :: a(10), b(10)
  common /fields/ a, b
end subroutine
",
};

/// F004.
pub static MODULE_NOT_FOUND: Rule = Rule {
    code: "F004",
    name: "module-not-found",
    severity: Severity::Note,
    explanation: "A used module is in none of the files given and is not one that compilers or well-known libraries \
        provide. What it declares stays unknown. Name its file, or the directory it lies in, on the command line too.",
    breaks: "\
subroutine step
  use no_such_module
end subroutine
",
    keeps: "\
module fields
  real :: a(10), b(10)
end module

subroutine step
  use fields
end subroutine
",
};

/// F005.
pub static SOURCE_FORM_GUESSED: Rule = Rule {
    code: "F005",
    name: "source-form-guessed",
    severity: Severity::Note,
    explanation: "The file's extension suggests fixed form (`.f`, `.for`, …) or free form (`.f90`, …), its text is in the \
        other one, and it was read as what it is. `--form fixed` or `--form free` decides for all files. The same note is made of a fixed-form file whose lines make no \
        statements when they are cut off at column 72, as the standard has it, and do at column 132; `--fixed-line-length` decides that.",
    breaks: "\
c     this text is in fixed form, its file ends in .f90
      subroutine step(a, b, n)
      integer n, i
      real a(n), b(n)
      do 10 i = 2, n
   10 b(i) = a(i-1)
      end
",
    keeps: "\
! this text is in free form, its file ends in .f90
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i-1)
  end do
end subroutine
",
};

/// F006.
pub static UNBALANCED_CONSTRUCT: Rule = Rule {
    code: "F006",
    name: "unbalanced-construct",
    severity: Severity::Warning,
    explanation: "An END statement is missing, surplus, or ends another construct than the one that is open. The analysis \
        goes on with the most likely reading; loops around the place may be seen longer or shorter than they are meant.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i-1)
end subroutine
",
    keeps: PLAIN_LOOP,
};

/// F007.
pub static UNUSED_ALLOW: Rule = Rule {
    code: "F007",
    name: "unused-allow",
    severity: Severity::Warning,
    explanation: "A comment such as `! camfort: allow(S011)` silences findings of the statement below it and of the \
        specifications above that statement. This one silences nothing: what it allowed is gone, or no such rule exists.",
    breaks: "\
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
    keeps: "\
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
};
