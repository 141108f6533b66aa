//! The commands. Help, usage errors and completions are generated from here, from the file of each command, and from
//! what several have in common ([`super::arguments`]).

use clap::{Parser, Subcommand};

use super::arguments::{CompletionsArguments, DebugArguments, ExplainArguments, FileArguments, ManArguments};
use super::check::{CHECK_EXAMPLES, CheckArguments};
use super::guard::{GUARD_EXAMPLES, GuardArguments};
use super::infer::{INFER_EXAMPLES, InferArguments};
use super::inputs::{INPUTS_EXAMPLES, InputsArguments};
use super::requires::{REQUIRES_EXAMPLES, RequiresArguments};
use super::server::ServerArguments;
use super::shapes::{SHAPES_EXAMPLES, ShapesArguments};
use super::survey::arguments::{SURVEY_EXAMPLES, SurveyArguments};

/// Infers the shape of array accesses in Fortran programs and writes it down as comments
///
/// camfort-rs reads Fortran (fixed and free form, FORTRAN 77 to Fortran 2023), finds the assignments that read arrays
/// in loops, and states for each array which neighbours are read: `!= stencil readOnce, centered(depth=1, dim=1) :: a`.
#[derive(Parser, Debug)]
#[command(name = "camfort-rs", bin_name = "camfort-rs", version, max_term_width = 100, subcommand_required = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands. The hidden ones are the names that CamFort gives them.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Infer specifications and insert them as comments above their statements
    ///
    /// Files are changed in place unless --diff, --report or --output is given. Only comment lines are added: every
    /// other byte stays, and a file whose specifications contradict its code is left as it is.
    #[command(after_help = INFER_EXAMPLES)]
    Infer(InferArguments),
    /// Check the specifications in the comments against the code
    ///
    /// Each is verified by Z3: the offsets that the code reads and those that the specification says must be the same,
    /// or on the side of each other that `atMost` or `atLeast` allows. A specification that can't be verified is an
    /// error.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Compare the program with an older one, and report the array uses that a change of layout left behind
    ///
    /// When an array gains or loses a dimension, when two are swapped or a lower bound moves, every use must follow.
    /// Each is compared with what it was: whether it follows, is still old, or differs otherwise. The code is never
    /// changed.
    #[command(after_help = GUARD_EXAMPLES)]
    Guard(GuardArguments),
    /// Classify every array computation and print the tables of an empirical study
    ///
    /// Each PATH is a package. Array computations are counted by the classes of the paper's study (what is read, where,
    /// how often, and how it relates to what is written) and by what can be specified of them.
    #[command(
        after_help = SURVEY_EXAMPLES,
        args_conflicts_with_subcommands = true,
        subcommand_negates_reqs = true,
        disable_help_subcommand = true,
        // A study compares nothing.
        mut_arg("solver", |solver| solver.hide(true))
    )]
    Survey(SurveyArguments),
    /// Find arrays that don't fit: shapes that differ, subscripts out of bounds, arguments that are too small
    ///
    /// What is reported is certain: whatever the values of the variables, the statement fails when it is reached, or it
    /// is right only if two extents of an array are equal.
    #[command(after_help = SHAPES_EXAMPLES)]
    Shapes(ShapesArguments),
    /// Tell what must be true of arguments and settings, or the program stops
    ///
    /// The conditions that guard STOP, ERROR STOP and calls that end the program are followed back through branches,
    /// loops and calls to where each procedure is entered. A call that stops the program whenever it is reached is an
    /// error.
    #[command(after_help = REQUIRES_EXAMPLES)]
    Requires(RequiresArguments),
    /// Tell what a program assumes of the data that it reads, and hold data files against it
    ///
    /// The READ statements of a main program and of what it calls, in order, with the conditions under which it does
    /// not stop. With --check, data files and namelists are read as the program would read them.
    #[command(
        after_help = INPUTS_EXAMPLES,
        mut_arg("paths", |paths| paths.required(false).required_unless_present("plan"))
    )]
    Inputs(InputsArguments),
    /// Serve an editor: the language server, on standard input and output
    ///
    /// Diagnostics as one types, what an array reference reads, inferred specifications to be inserted. Editors start
    /// it by themselves: see editors/ and docs/editors.md.
    Server(ServerArguments),
    /// Explain a rule, with an example that breaks it and one that keeps it
    Explain(ExplainArguments),
    /// Print the syntax tree of a file (for bug reports)
    Parse(FileArguments),
    /// Print what one phase of the analysis makes of a file
    Debug(DebugArguments),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
    /// Write the man pages of all commands to a directory
    Man(ManArguments),
    #[command(hide = true)]
    #[allow(missing_docs, reason = "the name says it")]
    StencilsInfer(InferArguments),
    #[command(hide = true)]
    #[allow(missing_docs, reason = "the name says it")]
    StencilsSynth(InferArguments),
    #[command(hide = true)]
    #[allow(missing_docs, reason = "the name says it")]
    StencilsCheck(CheckArguments),
}
