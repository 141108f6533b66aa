//! The Code Quality report of GitLab: a JSON list of issues.

use std::path::Path;

use serde::Serialize;

use super::json;
use crate::diagnostics::fingerprint::Fingerprints;
use crate::diagnostics::{Finding, Severity, paths};
use crate::source::SourceTexts;

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
    location: Place,
}

#[derive(Serialize)]
struct Place {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// The issues of one file, each as JSON.
pub fn issues(root: &Path, texts: Option<&SourceTexts>, findings: &[&Finding]) -> Vec<String> {
    let mut fingerprints = Fingerprints::new(root, texts);
    let issue = |finding: &&Finding| {
        let at = &finding.location;
        json::text(&Issue {
            description: format!("{}: {}", finding.rule.code, finding.text()),
            check_name: finding.rule.name,
            fingerprint: fingerprints.of_next(finding),
            severity: match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            location: Place {
                path: paths::text(&paths::below(root, &at.path)),
                lines: Lines { begin: at.start.line, end: at.end.line },
            },
        })
    };
    findings.iter().map(issue).collect()
}
