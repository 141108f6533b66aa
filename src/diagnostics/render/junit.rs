//! JUnit's XML: a suite for each file, a failed test case for each finding, a passed one for a file without any.

use std::path::Path;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::concise;
use crate::diagnostics::{Finding, Severity, paths};

/// The name of the suite of a file.
pub fn name(root: &Path, path: &Path) -> String {
    xml(&paths::relative_text(root, path))
}

/// The suite of one file.
pub fn suite(name: &str, cases: Vec<TestCase>) -> TestSuite {
    let mut suite = TestSuite::new(name);
    if cases.is_empty() {
        let mut clean = TestCase::new("camfort-rs", TestCaseStatus::success());
        clean.set_classname(name);
        clean.extra.insert("file".into(), name.into());
        suite.add_test_case(clean);
    }
    suite.add_test_cases(cases);
    suite
}

/// The case of a finding.
pub fn case(root: &Path, finding: &Finding) -> TestCase {
    let (at, rule) = (&finding.location, finding.rule);
    let mut status = match finding.severity {
        // A note asks for nothing to be done.
        Severity::Note => TestCaseStatus::success(),
        Severity::Warning | Severity::Error => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    if finding.severity > Severity::Note {
        status.set_message(xml(&finding.message));
        status.set_type(finding.severity.name());
        status.set_description(xml(&concise::line(finding)));
    }
    let path = xml(&paths::relative_text(root, &at.path));
    let mut case = TestCase::new(format!("{} {} {}:{}", rule.code, rule.name, at.start.line, at.start.column), status);
    case.set_classname(path.as_str());
    case.extra.insert("file".into(), path.as_str().into());
    case.extra.insert("line".into(), at.start.line.to_string().into());
    if finding.severity == Severity::Note {
        case.set_system_out(xml(&concise::line(finding)));
    }
    case
}

/// The text with a replacement character for each that XML 1.0 has no place for (production 2).
fn xml(text: &str) -> String {
    let has_no_place =
        |c: char| (c.is_ascii_control() && !"\t\n\r".contains(c)) || matches!(c, '\u{FFFE}' | '\u{FFFF}');
    text.replace(has_no_place, "\u{FFFD}")
}

/// The document.
pub fn render(suites: Vec<TestSuite>) -> String {
    let mut report = Report::new("camfort-rs");
    report.add_test_suites(suites);
    let mut text = report.to_string().expect("what an XmlString holds can always be written");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
