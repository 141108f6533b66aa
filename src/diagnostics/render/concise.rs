//! One line per finding, specification or reason, as compilers and linters write and editors read:
//! `path:line:column: …`.

use std::path::Path;

use super::output::Piece;
use crate::diagnostics::{FileReport, Finding, Location, Selection};
use crate::source::LineColumn;

/// The lines of one file, by place.
pub fn render(report: &FileReport, selection: Selection) -> Vec<Piece> {
    let mut lines: Vec<(Location, Option<usize>, String)> = Vec::new();
    for (number, finding) in report.findings.iter().enumerate() {
        if finding.severity >= selection.lowest_severity {
            lines.push((finding.location.clone(), Some(number), finding_text(finding)));
        }
    }
    for computation in &report.inference.computations {
        let location = Location::of(report.texts, computation.span);
        if selection.specifications {
            lines.extend(computation.specifications.iter().map(|one| (location.clone(), None, one.text.clone())));
        }
        if selection.reasons {
            lines.extend(computation.unspecified.iter().map(|array| {
                let (name, explanation) = (array.reason.name(), array.reason.explanation());
                let text = format!("no specification for '{}': {name}: {explanation}", array.variable);
                (Location::of(report.texts, array.span), None, text)
            }));
        }
    }
    lines.sort_by(|(one, ..), (other, ..)| (&one.path, one.start).cmp(&(&other.path, other.start)));
    let piece = |(location, finding, text): (Location, Option<usize>, String)| Piece {
        finding,
        text: format!("{}: {text}\n", place(&location.path, location.start)),
    };
    lines.into_iter().map(piece).collect()
}

/// One finding on a line of its own; what else it says follows the message.
pub fn render_finding(finding: &Finding) -> String {
    format!("{}: {}\n", place(&finding.location.path, finding.location.start), finding_text(finding))
}

/// `path:line:column`, as everybody writes it.
pub fn place(path: &Path, at: LineColumn) -> String {
    format!("{}:{}:{}", path.display(), at.line, at.column).replace(char::is_control, "\u{FFFD}")
}

fn finding_text(finding: &Finding) -> String {
    format!("{} {}: {}", finding.rule.code, finding.severity.name(), finding.text())
}
