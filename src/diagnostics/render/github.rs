//! Workflow commands of GitHub Actions: lines from which the service makes annotations beside the code.

use std::fmt::Write;
use std::path::Path;

use crate::diagnostics::{Finding, Severity, paths};

/// The command for a finding.
pub fn command(root: &Path, finding: &Finding) -> String {
    let kind = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let (at, rule) = (&finding.location, finding.rule);
    let file = paths::relative_text(root, &at.path);
    let title = format!("{} {}", rule.code, rule.name);
    let mut command = format!("::{kind} title={},file={},line={}", property(&title), property(&file), at.start.line);
    // The service takes columns only of a place within one line.
    if at.start.line == at.end.line {
        let _ = write!(command, ",col={},endColumn={}", at.start.column, at.end.column);
    } else {
        let _ = write!(command, ",endLine={}", at.end.line);
    }
    command + "::" + &data(&finding.text()) + "\n"
}

/// The escapes of a message. Other control characters have none.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    text.replace(char::is_control, "\u{FFFD}")
}

/// The escapes of a property's value.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
