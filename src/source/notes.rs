//! Findings of the prescanner, bounded in number: random bytes must not become a flood of messages.

use super::prescanned::{IncludeObstacle, SourceNote};
use super::span::Span;

/// So many notes of one kind are kept; the rest is counted.
const LIMIT: u32 = 20;

/// The notes so far.
#[derive(Default)]
pub(super) struct Notes {
    kept: Vec<(Span, SourceNote)>,
    counts: [u32; 5],
    /// Place of the first note of each kind that was not kept.
    first_dropped: [Span; 5],
}

impl Notes {
    /// Adds a note, or counts it when there are many of its kind already.
    pub fn add(&mut self, span: Span, note: SourceNote) {
        let kind = kind(&note);
        self.counts[kind] += 1;
        if self.counts[kind] <= LIMIT {
            self.kept.push((span, note));
        } else if self.counts[kind] == LIMIT + 1 {
            self.first_dropped[kind] = span;
        }
    }

    /// All notes, by kind at most so many and one that counts the others.
    pub fn finish(mut self) -> Vec<(Span, SourceNote)> {
        for (kind, &count) in self.counts.iter().enumerate() {
            if count > LIMIT {
                let more = count - LIMIT;
                let span = self.first_dropped[kind];
                self.kept.push((span, summary(kind, more)));
            }
        }
        self.kept
    }
}

fn kind(note: &SourceNote) -> usize {
    match note {
        SourceNote::NotIncluded { .. } => 0,
        SourceNote::FormGuessed { .. } | SourceNote::LineLengthGuessed { .. } => 1,
        SourceNote::NotUnderstood { .. } => 2,
        SourceNote::UnbalancedConditional { .. } => 3,
        SourceNote::Preprocessor { .. } => 4,
    }
}

fn summary(kind: usize, more: u32) -> SourceNote {
    match kind {
        0 => SourceNote::NotIncluded { file: format!("{more} more files"), obstacle: IncludeObstacle::NotFound },
        3 => SourceNote::UnbalancedConditional { reason: format!("{more} more conditionals are not balanced") },
        4 => SourceNote::Preprocessor { reason: format!("{more} more preprocessor lines are not understood") },
        _ => SourceNote::NotUnderstood { reason: format!("{more} more statements from here on are not understood") },
    }
}
