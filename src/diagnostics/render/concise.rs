//! One line per finding or sentence of an entry, as compilers and linters write and editors read: `path:line:column:
//! …`.

use super::piece::Piece;
use super::quotation::place;
use crate::diagnostics::{Entry, Finding, Location, Report};

/// The lines of one file, by place; of its findings those with these numbers.
pub fn render<E: Entry>(report: &Report<'_, E>, selected: &[usize]) -> Vec<Piece> {
    let mut lines: Vec<(Location, Piece)> = Vec::new();
    for &number in selected {
        let finding = &report.findings[number];
        lines.push((finding.location.clone(), Piece::of_finding(number, line(finding))));
    }
    if let (Some(texts), Some((_, entries))) = (report.texts, &report.listing) {
        for (span, sentence) in entries.iter().flat_map(Entry::sentences) {
            let location = Location::of(texts, span);
            let text = format!("{}: {sentence}\n", place(&location.path, location.start));
            lines.push((location, Piece::of_listing(text)));
        }
        lines.sort_by(|(one, _), (other, _)| (&one.path, one.start).cmp(&(&other.path, other.start)));
    }
    lines.into_iter().map(|(_, piece)| piece).collect()
}

/// One finding on a line of its own; what else it says follows the message.
pub fn line(finding: &Finding) -> String {
    let Finding { rule, severity, location, .. } = finding;
    format!("{}: {} {}: {}\n", place(&location.path, location.start), rule.code, severity.name(), finding.text())
}
