//! The rules of specifications.

mod conformity;
mod direction;
mod specification;

pub use conformity::*;
pub use direction::*;
pub use specification::*;

use crate::diagnostics::Rule;

/// The rules of specifications, by code.
pub const ALL: &[&Rule] = &[
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
    &NOT_CHECKED,
    &MISSING_SPECIFICATION,
    &OVERLONG_SPECIFICATION,
    &MISSPELT_SPECIFICATION,
    &PERMUTED_SUBSCRIPTS,
    &OTHER_LOOP_VARIABLE,
    &FIXED_INDEX_DIFFERS,
    &BOUND_NOT_TIGHT,
];

/// A loop with a specification that holds, which keeps many rules.
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
