//! The analyses: a folder each, with its rules, options, texts and tests; and what they have in common.
//!
//! An [`Analysis`] says something of one file at a time. What it must know of other files it asks its [`Context`] for: a *summary* of
//! each, plain data that the same analysis makes and that is kept for the run. [`Session`] is an analysis over the files of a project, and
//! all that a command or a server needs to run it. [`ALL`] lists the analyses.
//!
//! An analysis is a value with methods and not a type with functions, because it holds its options and what it keeps over a run (stencils:
//! what the solver decided); and it is known by its type and not behind a `dyn`, because each gives another outcome and whoever runs it
//! prints that.

pub mod guard;
mod session;
pub mod stencil;
pub mod survey;

pub use session::{Analysis, Context, Session, analyse};

/// What is known of an analysis without running it.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name.
    pub name: &'static str,
    /// What it says, in one line.
    pub about: &'static str,
}

impl Description {
    const fn of<A: Analysis>() -> Self {
        Description { name: A::NAME, about: A::ABOUT }
    }
}

/// The analyses.
pub const ALL: [Description; 4] = [
    Description::of::<stencil::Infer>(),
    Description::of::<stencil::Check>(),
    Description::of::<guard::Guard>(),
    Description::of::<survey::Survey>(),
];
