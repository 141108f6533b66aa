//! Rules about what a change of array layouts leaves behind. Their examples are pairs of programs, before and now.

use crate::diagnostics::{Example, Level, Rule};

/// The rules of guard, by code.
pub const ALL: &[&Rule] = &[
    &LAYOUT_CHANGED,
    &USE_STILL_OLD,
    &USE_DIFFERS_OTHERWISE,
    &USE_NOT_COMPARED,
    &USE_FOLLOWS,
    &ARGUMENT_SHAPE_DIFFERS,
    &SPECIFICATION_OUT_OF_DATE,
];

/// A loop over an array with this declaration and these reads, with what stands above and below its statement.
macro_rules! step {
    ($declared:literal, $reads:literal) => {
        step!($declared, $reads, "", "")
    };
    ($declared:literal, $reads:literal, $above:literal, $below:literal) => {
        concat!(
            "subroutine step(temp, b, nx, ny, nz)\n",
            "  integer :: nx, ny, nz, i, j, k\n",
            "  real :: ",
            $declared,
            ", b(nx,ny)\n",
            "  do j = 1, ny\n",
            "    do i = 2, nx\n",
            $above,
            "      b(i,j) = ",
            $reads,
            "\n",
            "    end do\n",
            "  end do\n",
            $below,
            "end subroutine\n"
        )
    };
}

/// The loop as it was.
const BEFORE: &str = step!("temp(nx,ny)", "temp(i,j) - temp(i-1,j)");

/// A procedure that gets an array with this shape, and its caller with an array of that shape.
macro_rules! call {
    ($actual:literal, $dummy:literal, $element:literal) => {
        concat!(
            "subroutine run(t, nx, ny, nz)\n",
            "  integer :: nx, ny, nz\n",
            "  real :: t",
            $actual,
            "\n",
            "  call step(t, nx, ny, nz)\n",
            "end subroutine\n\n",
            "subroutine step(temp, nx, ny, nz)\n",
            "  integer :: nx, ny, nz\n",
            "  real :: temp",
            $dummy,
            "\n",
            "  temp",
            $element,
            " = 0\n",
            "end subroutine\n"
        )
    };
}

/// The loop after a third dimension was added, everywhere.
const FOLLOWED: Example =
    Example::Versions { before: BEFORE, now: step!("temp(nx,ny,nz)", "temp(i,j,1) - temp(i-1,j,1)") };

/// G001.
pub static LAYOUT_CHANGED: Rule = Rule {
    code: "G001",
    name: "layout-changed",
    level: Level::Note,
    explanation: "The layout of an array is another than before: its rank, the order of its dimensions, a bound, or the \
        kind of its declaration. The findings below it are about its uses. Which dimension is which is told by \
        the extents, and where those are equal by what most uses say.",
    breaks: FOLLOWED,
    keeps: Example::Versions { before: BEFORE, now: BEFORE },
    commands: &["guard"],
    ..Rule::DEFAULT
};

/// G002.
pub static USE_STILL_OLD: Rule = Rule {
    code: "G002",
    name: "use-still-old",
    level: Level::Error,
    explanation: "The array has another layout now, and this use is as it was: a subscript is missing or stands in the \
        place where its dimension was, or a dimension is named by its old number. Compilers find wrong ranks \
        where interfaces are explicit; they don't find swapped dimensions.",
    breaks: Example::Versions { before: BEFORE, now: step!("temp(nx,ny,nz)", "temp(i,j,1) - temp(i-1,j)") },
    keeps: FOLLOWED,
    commands: &["guard"],
    ..Rule::DEFAULT
};

/// G003.
pub static USE_DIFFERS_OTHERWISE: Rule = Rule {
    code: "G003",
    name: "use-differs-otherwise",
    level: Level::Error,
    explanation: "The use changed, but not, or not only, in the way in which the layout of its array did: another element \
        is read or written than before. In a refactoring that is a slip; where it is meant, make it a change of \
        its own.",
    breaks: Example::Versions { before: BEFORE, now: step!("temp(nx,ny,nz)", "temp(i,j,1) - temp(i+1,j,1)") },
    keeps: FOLLOWED,
    commands: &["guard"],
    ..Rule::DEFAULT
};

/// G004.
pub static USE_NOT_COMPARED: Rule = Rule {
    code: "G004",
    name: "use-not-compared",
    level: Level::Warning,
    explanation: "The array has another layout now, and whether this use follows can't be said: there was none like it \
        before, or the array is used as a whole where the order or the number of its elements matters. A person \
        should look.",
    breaks: Example::Versions {
        before: step!("temp(nx,ny)", "temp(i,j) - temp(i-1,j)", "", "  write (*,*) temp\n"),
        now: step!("temp(nx,ny,nz)", "temp(i,j,1) - temp(i-1,j,1)", "", "  write (*,*) temp\n"),
    },
    keeps: FOLLOWED,
    commands: &["guard"],
    ..Rule::DEFAULT
};

/// G005.
pub static USE_FOLLOWS: Rule = Rule {
    code: "G005",
    name: "use-follows",
    level: Level::Note,
    explanation: "The use is what the old one becomes by the change of its array. Such uses are listed by `--verbose` only.",
    breaks: FOLLOWED,
    keeps: Example::Versions { before: BEFORE, now: BEFORE },
    commands: &["guard"],
    ..Rule::DEFAULT
};

/// G006.
pub static ARGUMENT_SHAPE_DIFFERS: Rule = Rule {
    code: "G006",
    name: "argument-shape-differs",
    level: Level::Error,
    explanation: "An argument had the shape of its dummy argument, and has it no more: the layout of one of the two changed \
        and that of the other did not, or not in the same way. Without an explicit interface no compiler tells.",
    breaks: Example::Versions {
        before: call!("(nx,ny)", "(nx,ny)", "(1,1)"),
        now: call!("(nx,ny,nz)", "(nx,ny)", "(1,1)"),
    },
    keeps: Example::Versions {
        before: call!("(nx,ny)", "(nx,ny)", "(1,1)"),
        now: call!("(nx,ny,nz)", "(nx,ny,nz)", "(1,1,1)"),
    },
    commands: &["guard"],
    ..Rule::DEFAULT
};

/// G007.
pub static SPECIFICATION_OUT_OF_DATE: Rule = Rule {
    code: "G007",
    name: "specification-out-of-date",
    level: Level::Warning,
    explanation: "The uses follow the change of their array, and the specification in the comment, or the region variable \
        that it mentions, is still the old one. `--fix` writes the new one. A region variable is renumbered if everything \
        that names it, in whatever file, follows the same change and holds then; else the specifications of what \
        changed are written out. What stands in an included file, or above code that a macro makes, is told and not edited.",
    breaks: Example::Versions {
        before: step!(
            "temp(nx,ny)",
            "temp(i,j) - temp(i-1,j)",
            "      != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: temp\n",
            ""
        ),
        now: step!(
            "temp(ny,nx)",
            "temp(j,i) - temp(j,i-1)",
            "      != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: temp\n",
            ""
        ),
    },
    keeps: Example::Versions {
        before: step!(
            "temp(nx,ny)",
            "temp(i,j) - temp(i-1,j)",
            "      != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: temp\n",
            ""
        ),
        now: step!(
            "temp(ny,nx)",
            "temp(j,i) - temp(j,i-1)",
            "      != stencil readOnce, pointed(along=2, dim=1)*backward(along=1, depth=1, dim=2) :: temp\n",
            ""
        ),
    },
    fix: Some("Renumber the dimensions"),
    commands: &["guard"],
    ..Rule::DEFAULT
};
