//! The Code Quality report of GitLab: a JSON list of issues.

use std::path::Path;

use serde::Serialize;

use super::json;
use crate::diagnostics::{Finding, Severity, paths};

/// What stands before the issues.
pub const HEAD: &str = "[\n";
/// What stands behind the issues.
pub const TAIL: &str = "\n]\n";

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: IssueLocation,
}

#[derive(Serialize)]
struct IssueLocation {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// The issue for a finding, as JSON.
pub fn issue(root: &Path, finding: &Finding, fingerprint: String) -> String {
    let Finding { rule, location, .. } = finding;
    json::text(&Issue {
        description: format!("{}: {}", rule.code, finding.text()),
        check_name: rule.name,
        fingerprint,
        severity: match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note => "info",
        },
        location: IssueLocation {
            path: paths::relative_text(root, &location.path),
            lines: Lines { begin: location.start.line, end: location.end.line },
        },
    })
}
