//! The rules about procedures that stop the program, by code.

use crate::diagnostics::{Example, Level, Rule};

/// All of them.
pub const ALL: &[&Rule] = &[&CALL_ALWAYS_FAILS, &NEVER_RETURNS, &REQUIREMENT_UNDOCUMENTED];

/// What these rules have in common.
const OF_REQUIREMENTS: Rule = Rule { commands: &["requires"], ..Rule::DEFAULT };

/// R001.
pub static CALL_ALWAYS_FAILS: Rule = Rule {
    code: "R001",
    name: "call-always-fails",
    explanation: "Whenever this call is reached, the procedure that is called stops the program: what it needs of its \
        arguments and of variables of modules and COMMON blocks can't be true together, by what is assigned and asked \
        before. A call under a condition of a procedure that only checks and reports (it has no result, and changes \
        nothing that outlives it) is meant to fail, and is no finding.",
    breaks: Example::File(
        "subroutine start(n)\n  integer, intent(out) :: n\n  n = 0\n  call reserve(n)\nend subroutine\n\
         subroutine reserve(count)\n  integer, intent(in) :: count\n  if (count < 1) error stop 'count'\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine start(n)\n  integer, intent(out) :: n\n  n = 1\n  call reserve(n)\nend subroutine\n\
         subroutine reserve(count)\n  integer, intent(in) :: count\n  if (count < 1) error stop 'count'\nend subroutine\n",
    ),
    ..OF_REQUIREMENTS
};

/// R002.
pub static NEVER_RETURNS: Rule = Rule {
    code: "R002",
    name: "never-returns",
    level: Level::Warning,
    explanation: "The procedure stops the program whatever it is given, though it has a result, or changes an argument \
        or a variable that outlives it: its checks contradict each other, or it is not written yet. A subroutine that \
        gives nothing back and always stops does so by purpose. Where a call in it is reported as R001, that is the \
        cause, and this is not reported.",
    breaks: Example::File(
        "subroutine half(n, m)\n  integer, intent(in) :: n\n  integer, intent(out) :: m\n  \
         if (n < 5) error stop 'too small'\n  if (n > 3) error stop 'too large'\n  m = n/2\nend subroutine\n",
    ),
    keeps: Example::File(
        "subroutine half(n, m)\n  integer, intent(in) :: n\n  integer, intent(out) :: m\n  \
         if (n < 3) error stop 'too small'\n  if (n > 5) error stop 'too large'\n  m = n/2\nend subroutine\n",
    ),
    ..OF_REQUIREMENTS
};

/// R003.
pub static REQUIREMENT_UNDOCUMENTED: Rule = Rule {
    code: "R003",
    name: "requirement-undocumented",
    level: Level::Off,
    options: &["--undocumented"],
    explanation: "With `--undocumented`, or a severity in the configuration: the procedure stops the program unless a dummy argument has certain values, and no comment in it, or \
        directly above it, mentions the argument by name. It says where the program stops, and what is needed.",
    breaks: Example::File(
        "subroutine reserve(count)\n  integer, intent(in) :: count\n  if (count < 1) error stop 'count'\nend subroutine\n",
    ),
    keeps: Example::File(
        "! Reserves memory; count is positive.\nsubroutine reserve(count)\n  integer, intent(in) :: count\n  \
         if (count < 1) error stop 'count'\nend subroutine\n",
    ),
    ..OF_REQUIREMENTS
};
