//! Exit status.

use std::process::ExitCode;

/// How a run ended; the numbers are part of the interface.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// No finding of severity error.
    Clean = 0,
    /// At least one error (or, if asked, warning) was found in the code.
    Findings = 1,
    /// The run did not do all that was asked: bad usage, an unreadable path, an internal error.
    Failure = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
