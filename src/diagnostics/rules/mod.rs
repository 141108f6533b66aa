//! The one table of rules. `camfort-rs explain`, `docs/rules.md` (see [`super::explanation`]) and the tests of the examples
//! are all made from it.
//!
//! A code is stable once released. To add a rule, add its `static` and name it in [`ALL`].

mod conformity;
mod layout;
mod source;
mod specification;

pub use conformity::*;
pub use layout::*;
pub use source::*;
pub use specification::*;

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
    /// `F` (the source), `S` (the specifications) or `G` (a change of array layouts) and three digits.
    pub code: &'static str,
    /// The name in words, with hyphens.
    pub name: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// One paragraph: when it fires, why that matters, what to do.
    pub explanation: &'static str,
    /// Fortran that breaks it (or, where no text can, the command line that does). Of a change of layouts the program before and now, each
    /// below a comment that says so.
    pub breaks: &'static str,
    /// The same made right.
    pub keeps: &'static str,
}

impl Rule {
    /// Whether what is wrong is not in the file: one missing file or module may give the same finding in thousands of files.
    pub fn is_caused_elsewhere(&self) -> bool {
        [INCLUDE_NOT_FOUND.code, MODULE_NOT_FOUND.code].contains(&self.code)
    }
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
    &UNUSED_ALLOW,
    &MALFORMED_SPECIFICATION,
    &UNKNOWN_REGION_VARIABLE,
    &REGION_VARIABLE_REDEFINED,
    &UNUSED_REGION_VARIABLE,
    &INVALID_DIMENSION,
    &UNATTACHED_SPECIFICATION,
    &DUPLICATE_SPECIFICATION,
    &CONTRADICTORY_SPECIFICATIONS,
    &INACTIVE_SPECIFICATION,
    &REGION_DIFFERS,
    &MISSING_READ_ONCE,
    &REPEATED_READ,
    &KIND_DIFFERS,
    &ARRAY_NOT_READ,
    &NOT_SPECIFIABLE,
    &UNDECIDED,
    &OLD_SPELLING,
    &MISSING_SPECIFICATION,
    &OVERLONG_SPECIFICATION,
    &LAYOUT_CHANGED,
    &USE_STILL_OLD,
    &USE_DIFFERS_OTHERWISE,
    &USE_NOT_COMPARED,
    &USE_FOLLOWS,
    &ARGUMENT_SHAPE_DIFFERS,
    &SPECIFICATION_OUT_OF_DATE,
];

/// The rule with a code or a name, in any letter case.
pub fn named(name: &str) -> Option<&'static Rule> {
    with_code(name).or_else(|| ALL.iter().copied().find(|rule| rule.name.eq_ignore_ascii_case(name)))
}

/// The rule with a code, in any letter case.
pub fn with_code(code: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code))
}
