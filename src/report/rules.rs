//! The one table of rules. `camfort-rs explain`, `docs/rules.md` (see [`super::explanation`]) and the tests of the examples
//! are all made from it.
//!
//! A code is stable once released. To add a rule, add its `static` and name it in [`ALL`].

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// For information.
    Note,
    /// Something that a person should look at.
    Warning,
    /// Something is wrong: the exit status is 1.
    Error,
}

impl Severity {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A kind of finding.
#[derive(PartialEq, Eq, Debug)]
pub struct Rule {
    /// `F` (the source) or `S` (the specifications) and three digits.
    pub code: &'static str,
    /// The name in words, with hyphens.
    pub name: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// One paragraph: when it fires, why that matters, what to do.
    pub explanation: &'static str,
    /// Fortran that breaks it (or, where no text can, the command line that does).
    pub breaks: &'static str,
    /// The same made right.
    pub keeps: &'static str,
}

/// A loop with nothing wrong, which keeps many rules.
const PLAIN_LOOP: &str = "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i) + a(i-1)
  end do
end subroutine
";

/// The same with its specification.
const SPECIFIED_LOOP: &str = "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
";

/// Every rule, by code.
pub static ALL: &[&Rule] = &[
    &STATEMENT_NOT_UNDERSTOOD,
    &UNREADABLE_FILE,
    &INCLUDE_NOT_FOUND,
    &MODULE_NOT_FOUND,
    &SOURCE_FORM_GUESSED,
    &UNBALANCED_CONSTRUCT,
    &MALFORMED_SPECIFICATION,
    &UNKNOWN_REGION_VARIABLE,
    &REGION_VARIABLE_REDEFINED,
    &INVALID_DIMENSION,
    &UNATTACHED_SPECIFICATION,
    &REGION_DIFFERS,
    &MISSING_READ_ONCE,
    &REPEATED_READ,
    &KIND_DIFFERS,
    &ARRAY_NOT_READ,
    &NOT_SPECIFIABLE,
];

/// The rule with a code, in any letter case.
pub fn with_code(code: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code))
}

/// F001.
pub static STATEMENT_NOT_UNDERSTOOD: Rule = Rule {
    code: "F001",
    name: "statement-not-understood",
    severity: Severity::Warning,
    explanation: "A statement is neither standard Fortran nor an extension that this program knows. It is skipped and \
        everything around it is analysed; where it could have changed a value that a computation uses, that computation \
        gets no specification (`unparsed-statement-in-flow`). If a compiler accepts the statement, please report it: \
        `camfort-rs debug statements FILE` shows how it was read.",
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
        may be taken for functions.",
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
        other one, and it was read as what it is. `--form fixed` or `--form free` decides for all files.",
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

/// S001.
pub static MALFORMED_SPECIFICATION: Rule = Rule {
    code: "S001",
    name: "malformed-specification",
    severity: Severity::Error,
    explanation: "A comment begins like a specification (`!= stencil`, `!= access`, `!= region`) and breaks the grammar. \
        The finding stands at the exact column and says what could have stood there. A specification that can't be read \
        is not checked, which must never look like a pass.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    keeps: SPECIFIED_LOOP,
};

/// S002.
pub static UNKNOWN_REGION_VARIABLE: Rule = Rule {
    code: "S002",
    name: "unknown-region-variable",
    severity: Severity::Error,
    explanation: "A specification names a region variable that is not in scope. A region variable is known from its `region` \
        line to the end of the program unit, contained procedures included, and wherever a module that declares it is \
        used.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, twoPoint :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    keeps: "\
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
};

/// S003.
pub static REGION_VARIABLE_REDEFINED: Rule = Rule {
    code: "S003",
    name: "region-variable-redefined",
    severity: Severity::Error,
    explanation: "A region variable is declared a second time in one scope, or in terms of itself. The first declaration \
        stands. An inner scope may declare a name anew.",
    breaks: "\
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
    keeps: "\
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
};

/// S005.
pub static INVALID_DIMENSION: Rule = Rule {
    code: "S005",
    name: "invalid-dimension",
    severity: Severity::Error,
    explanation: "A specification speaks of a dimension that the array doesn't have. Dimensions count from 1, in the order \
        of the subscripts.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=2) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    keeps: SPECIFIED_LOOP,
};

/// S006.
pub static UNATTACHED_SPECIFICATION: Rule = Rule {
    code: "S006",
    name: "unattached-specification",
    severity: Severity::Error,
    explanation: "A specification belongs to the next statement, and that statement holds no array computation, or holds \
        several (a loop with two assignments that read the array); or the comment follows code on its line. Put it on a \
        line of its own directly above the assignment.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    b(i) = a(i) + a(i-1) != stencil readOnce, backward(depth=1, dim=1) :: a
  end do
end subroutine
",
    keeps: SPECIFIED_LOOP,
};

/// S010.
pub static REGION_DIFFERS: Rule = Rule {
    code: "S010",
    name: "region-differs",
    severity: Severity::Error,
    explanation: "The code reads the array at other offsets than the specification says: an exact one must give the very \
        set, `atMost` may say more, `atLeast` less. A wrong sign or two swapped indices look like this. Either the \
        code or the specification is wrong, and only a person can say which.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n - 1
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i+1)
  end do
end subroutine
",
    keeps: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n - 1
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
};

/// S011.
pub static MISSING_READ_ONCE: Rule = Rule {
    code: "S011",
    name: "missing-read-once",
    severity: Severity::Error,
    explanation: "The region is right and every element is read only once, but the specification lacks `readOnce`. Without \
        it a specification says that some element is read twice.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    keeps: SPECIFIED_LOOP,
};

/// S012.
pub static REPEATED_READ: Rule = Rule {
    code: "S012",
    name: "repeated-read",
    severity: Severity::Error,
    explanation: "The specification says `readOnce`, and the code reads one element twice. Reads are counted as written, \
        over every statement that flows to this one. A term copied and not adapted looks like this.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: a
    b(i) = a(i) + a(i-1) + a(i-1)
  end do
end subroutine
",
    keeps: SPECIFIED_LOOP,
};

/// S013.
pub static KIND_DIFFERS: Rule = Rule {
    code: "S013",
    name: "kind-differs",
    severity: Severity::Error,
    explanation: "The specification says `stencil` and the left side has no index that moves with the loop, or it says \
        `access` and the left side has one.",
    breaks: "\
subroutine total(a, s, n)
  integer :: n, i
  real :: a(n), s
  do i = 1, n
    != stencil readOnce, pointed(dim=1) :: a
    s = s + a(i)
  end do
end subroutine
",
    keeps: "\
subroutine total(a, s, n)
  integer :: n, i
  real :: a(n), s
  do i = 1, n
    != access readOnce, pointed(dim=1) :: a
    s = s + a(i)
  end do
end subroutine
",
};

/// S014.
pub static ARRAY_NOT_READ: Rule = Rule {
    code: "S014",
    name: "array-not-read",
    severity: Severity::Error,
    explanation: "The specification names a variable that the computation below it does not read, neither in its own right \
        side nor through the scalars that flow into it. The name may be misspelt, or the statement may have changed.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(n), b(n)
  do i = 2, n
    != stencil readOnce, backward(depth=1, dim=1) :: c
    b(i) = a(i) + a(i-1)
  end do
end subroutine
",
    keeps: SPECIFIED_LOOP,
};

/// S015.
pub static NOT_SPECIFIABLE: Rule = Rule {
    code: "S015",
    name: "not-specifiable",
    severity: Severity::Error,
    explanation: "The array is read in a way that specifications can't describe here, such as `a(2*i)` or `a(idx(i))`; the \
        message says which. A specification that can't be checked must not look like one that holds.",
    breaks: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(2*n), b(n)
  do i = 1, n
    != stencil readOnce, pointed(dim=1) :: a
    b(i) = a(2*i)
  end do
end subroutine
",
    keeps: "\
subroutine step(a, b, n)
  integer :: n, i
  real :: a(2*n), b(n)
  do i = 1, n
    b(i) = a(2*i)
  end do
end subroutine
",
};
