//! The rules about data files, by code.

use crate::diagnostics::{Example, Level, Rule};

/// All of them.
pub const ALL: &[&Rule] = &[
    &NOT_A_VALUE_OF_ITS_TYPE,
    &BREAKS_CONDITION,
    &DATA_ENDS_EARLY,
    &DATA_LEFT_OVER,
    &UNKNOWN_NAMELIST_VARIABLE,
    &NAMELIST_SUBSCRIPT,
    &VALUE_OVERFLOWS,
];

/// What these rules have in common. They stand in data files, which have no comments that could silence them.
const OF_INPUTS: Rule = Rule { commands: &["inputs"], is_silenceable: false, ..Rule::DEFAULT };

/// I001.
pub static NOT_A_VALUE_OF_ITS_TYPE: Rule = Rule {
    code: "I001",
    name: "not-a-value-of-its-type",
    explanation: "Where the program reads a variable, something stands that the Fortran runtime does not take for a \
        value of its type: the READ fails. Where the program catches that (IOSTAT, ERR) and stops, its STOP is named; \
        where it goes on, it is a note.",
    breaks: Example::Sketch("camfort-rs inputs --check '*=speed.txt' cars.f90   # speed.txt: 6..5"),
    keeps: Example::Sketch("camfort-rs inputs --check '*=speed.txt' cars.f90   # speed.txt: 6.5"),
    ..OF_INPUTS
};

/// I002.
pub static BREAKS_CONDITION: Rule = Rule {
    code: "I002",
    name: "breaks-condition",
    explanation: "The program tests what it has read and stops: with this value it comes to a STOP with a code or a \
        text, to ERROR STOP, or to a procedure that always ends with one. A condition on several values stands at the \
        one that was read last.",
    breaks: Example::Sketch("camfort-rs inputs --check 10=grades.txt grades.f90   # a grade of -9"),
    keeps: Example::Sketch("camfort-rs inputs --check 10=grades.txt grades.f90   # a grade of 9"),
    ..OF_INPUTS
};

/// I003.
pub static DATA_ENDS_EARLY: Rule = Rule {
    code: "I003",
    name: "data-ends-early",
    explanation: "The file ends where the program reads on and does not catch the end; or a namelist group is missing, \
        or not closed. It stands behind the last character.",
    breaks: Example::Sketch("camfort-rs inputs --check run.nml model.f90   # run.nml has no group &physics"),
    keeps: Example::Sketch("camfort-rs inputs --check run.nml model.f90   # run.nml ends with &physics /"),
    ..OF_INPUTS
};

/// I004.
pub static DATA_LEFT_OVER: Rule = Rule {
    code: "I004",
    name: "data-left-over",
    level: Level::Note,
    explanation: "The program ends without having read the whole file: a count that is too small, a value that ends a \
        loop too early, or records that nobody needs. It stands on the first record left over, once in a file.",
    breaks: Example::Sketch(
        "camfort-rs inputs --check 10=grades.txt grades.f90   # three students are announced, four follow",
    ),
    keeps: Example::Sketch("camfort-rs inputs --check 10=grades.txt grades.f90   # four students are announced"),
    ..OF_INPUTS
};

/// I005.
pub static UNKNOWN_NAMELIST_VARIABLE: Rule = Rule {
    code: "I005",
    name: "unknown-namelist-variable",
    explanation: "A name in a namelist group is not one of its variables, or a component that its variable does not \
        have. The READ fails, after twenty minutes in the queue as a rule. The nearest name is told.",
    breaks: Example::Sketch("camfort-rs inputs --check run.nml model.f90   # &run stesp = 100 /"),
    keeps: Example::Sketch("camfort-rs inputs --check run.nml model.f90   # &run steps = 100 /"),
    ..OF_INPUTS
};

/// I006.
pub static NAMELIST_SUBSCRIPT: Rule = Rule {
    code: "I006",
    name: "namelist-subscript",
    explanation: "A subscript in a namelist is outside of the declared bounds, a scalar gets a subscript, or more \
        values follow than the variable has elements. The READ fails.",
    breaks: Example::Sketch("camfort-rs inputs --check run.nml model.f90   # depth(7) = 10.0 of real :: depth(6)"),
    keeps: Example::Sketch("camfort-rs inputs --check run.nml model.f90   # depth(6) = 10.0"),
    ..OF_INPUTS
};

/// I007.
pub static VALUE_OVERFLOWS: Rule = Rule {
    code: "I007",
    name: "value-overflows",
    explanation: "A value is too large for its variable. An integer makes the READ fail, and is an error. A text that \
        is longer than its variable is cut, and a real number beyond the largest becomes infinite: the program runs with \
        something else than what is written, which is a warning.",
    breaks: Example::Sketch("camfort-rs inputs --check '*=probes.txt' probes.f90   # 200 where an integer(1) is read"),
    keeps: Example::Sketch("camfort-rs inputs --check '*=probes.txt' probes.f90   # 100"),
    ..OF_INPUTS
};
