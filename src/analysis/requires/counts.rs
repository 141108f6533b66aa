//! How many requirements are found, and of which kind.

use super::entry::ProcedureRequirements;
use crate::diagnostics::counts::counted;

/// How many requirements procedures have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RequirementCounts {
    /// Those after which the program stops exactly if they are false.
    pub exact: usize,
    /// Those that hold something that was not followed.
    pub approximate: usize,
    /// Those whose conditions were given up.
    pub undecided: usize,
}

impl RequirementCounts {
    /// Those of procedures.
    pub fn of<'p>(procedures: impl IntoIterator<Item = &'p ProcedureRequirements>) -> Self {
        let mut counts = RequirementCounts::default();
        for procedure in procedures {
            let all = procedure.requirements.len();
            let exact = procedure.requirements.iter().filter(|one| one.condition.unknown().is_none()).count();
            counts.exact += exact;
            counts.approximate += all - exact;
            counts.undecided += procedure.undecided.len();
        }
        counts
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &RequirementCounts) {
        self.exact += other.exact;
        self.approximate += other.approximate;
        self.undecided += other.undecided;
    }

    /// `12 requirements: 9 exact, 2 approximate, 1 undecided`.
    pub fn sentence(&self) -> String {
        let named = [(self.exact, "exact"), (self.approximate, "approximate"), (self.undecided, "undecided")];
        let all = counted(named.iter().map(|(count, _)| count).sum(), "requirement");
        let parts: Vec<String> =
            named.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
        if parts.is_empty() { all } else { format!("{all}: {}", parts.join(", ")) }
    }
}
