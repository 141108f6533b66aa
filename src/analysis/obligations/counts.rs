//! How often what became of demands.

use super::judge::{Judged, Verdict};

/// What became of demands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All of them.
    pub demands: usize,
    /// Those that hold whatever the values.
    pub hold: usize,
    /// Those that fail whenever their statement is reached.
    pub fail: usize,
    /// Those that hold only if an array is degenerate.
    pub degenerate: usize,
    /// Those that procedures take for granted.
    pub assumed: usize,
    /// Those that are not decided.
    pub undecided: usize,
}

impl Counts {
    /// Adds other counts.
    pub fn add(&mut self, other: &Counts) {
        self.demands += other.demands;
        self.hold += other.hold;
        self.fail += other.fail;
        self.degenerate += other.degenerate;
        self.assumed += other.assumed;
        self.undecided += other.undecided;
    }

    /// Counts the demands of a statement.
    pub fn note(&mut self, judged: &Judged) {
        let (all, open) = (judged.demands.len(), judged.open.len());
        self.demands += all;
        self.hold += all - open;
        match judged.verdict {
            Verdict::Holds | Verdict::Unreachable => {}
            Verdict::Fails(..) | Verdict::Contradicts(_) => self.fail += open,
            Verdict::OnlyIf(_) => self.degenerate += open,
            Verdict::Assumed => self.assumed += open,
            Verdict::Undecided(_) => self.undecided += open,
        }
    }

    /// `12 obligations: 9 hold, 1 fails, 2 assumed`.
    pub fn sentence(&self) -> String {
        let named = [
            (self.hold, "hold"),
            (self.fail, "fail"),
            (self.degenerate, "only if degenerate"),
            (self.assumed, "assumed"),
            (self.undecided, "undecided"),
        ];
        let parts: Vec<String> =
            named.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
        let all = crate::diagnostics::counts::counted(self.demands, "obligation");
        if parts.is_empty() { all } else { format!("{all}: {}", parts.join(", ")) }
    }
}
