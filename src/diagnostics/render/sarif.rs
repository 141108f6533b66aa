//! SARIF 2.1.0 (OASIS standard), which code scanning services and editors read.
//!
//! The structs are the part of the standard's object model that is used, under the standard's names; numbers are those
//! of its sections. Columns count characters (`columnKind` says so), and the end of a region is exclusive, as in a
//! [`Location`].

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::json;
use crate::diagnostics::edit::LineChange;
use crate::diagnostics::{Finding, Fix, Level, Location, Registry, Rule, explanation, paths};
use crate::source::{LineColumn, SourceText, SourceTexts};

/// The schema that documents name.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";
/// The name and version of our fingerprint (3.27.17).
const FINGERPRINT: &str = "lineText/v1";

/// What stands behind the results.
pub const TAIL: &str = "\n]}]}\n";

/// 3.18 `tool`, which has one component.
#[derive(Serialize)]
struct Tool {
    driver: ToolComponent,
}

/// 3.19
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolComponent {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<ReportingDescriptor>,
}

/// 3.49
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportingDescriptor {
    id: &'static str,
    name: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: ReportingConfiguration,
}

/// 3.50
#[derive(Serialize)]
struct ReportingConfiguration {
    level: &'static str,
}

/// 3.11 `message`, and 3.12 `multiformatMessageString`
#[derive(Serialize)]
struct Message {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<String>,
}

/// 3.27
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Message,
    locations: [SarifLocation; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<SarifLocation>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix>,
}

/// 3.28
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

/// 3.29
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

/// 3.4
#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

/// 3.30, a text region of line and column
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

/// 3.55
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    description: Message,
    artifact_changes: [ArtifactChange; 1],
}

/// 3.56
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement>,
}

/// 3.57
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: ArtifactContent,
}

/// 3.3
#[derive(Serialize)]
struct ArtifactContent {
    text: String,
}

/// What stands before the results: the tool with all its rules, and how columns count.
pub fn head(registry: Registry) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let rules = registry.rules().map(descriptor).collect();
    let tool = Tool { driver: ToolComponent { name: "camfort-rs", version, semantic_version: version, rules } };
    format!(
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{},\n\
        \"columnKind\":\"unicodeCodePoints\",\n\"results\":[\n",
        json::text(&tool)
    )
}

fn descriptor(rule: &Rule) -> ReportingDescriptor {
    let mut words = rule.name.replace('-', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let help = explanation::text(rule);
    ReportingDescriptor {
        id: rule.code,
        name: rule.name,
        short_description: message(words),
        full_description: message(rule.explanation.to_owned()),
        help: Message { text: help.clone(), markdown: Some(help) },
        default_configuration: ReportingConfiguration { level: level(rule.level) },
    }
}

/// The result for a finding, as JSON.
pub fn result(
    registry: Registry,
    root: &Path,
    texts: Option<&SourceTexts>,
    finding: &Finding,
    fingerprint: String,
) -> String {
    let related = finding.marks.iter().enumerate().map(|(id, mark)| SarifLocation {
        id: Some(id),
        message: Some(message(mark.label.clone())),
        ..location(root, &mark.location)
    });
    json::text(&SarifResult {
        rule_id: finding.rule.code,
        rule_index: registry.rules().position(|rule| rule == finding.rule),
        level: level(Some(finding.severity).into()),
        message: message(finding.text()),
        locations: [location(root, &finding.location)],
        related_locations: related.collect(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, fingerprint)]),
        fixes: finding.fix.iter().filter_map(|fix| sarif_fix(root, texts, &finding.location.path, fix)).collect(),
    })
}

/// The standard has the same words but for one.
fn level(level: Level) -> &'static str {
    if level == Level::Off { "none" } else { level.name() }
}

fn message(text: String) -> Message {
    Message { text, markdown: None }
}

fn artifact(root: &Path, path: &Path) -> ArtifactLocation {
    ArtifactLocation { uri: paths::uri(&paths::below(root, path)) }
}

fn location(root: &Path, at: &Location) -> SarifLocation {
    let physical_location =
        PhysicalLocation { artifact_location: artifact(root, &at.path), region: region(at.start, at.end) };
    SarifLocation { id: None, physical_location, message: None }
}

fn region(start: LineColumn, end: LineColumn) -> Region {
    Region { start_line: start.line, start_column: start.column, end_line: end.line, end_column: end.column }
}

/// A fix of whole lines, with the line ends of the file; `None` when the lines aren't Unicode.
fn sarif_fix(root: &Path, texts: Option<&SourceTexts>, path: &Path, fix: &Fix) -> Option<SarifFix> {
    let text = texts.and_then(|texts| texts.of_path(path));
    let replacements = fix.changes.iter().map(|change| replacement(text, change)).collect::<Option<_>>()?;
    let changes = ArtifactChange { artifact_location: artifact(root, path), replacements };
    Some(SarifFix { description: message(fix.description.to_owned()), artifact_changes: [changes] })
}

fn replacement(text: Option<&SourceText>, change: &LineChange) -> Option<Replacement> {
    let LineChange { first_line, line_count, .. } = change;
    let replaced = text.map_or(&b""[..], |text| &text.bytes[..text.line_start(first_line + 1) as usize]);
    let line_end = match replaced {
        [.., b'\r', b'\n'] => "\r\n",
        [.., b'\r'] => "\r",
        _ => "\n",
    };
    let lines = change.unicode_lines()?;
    let line_start = |line| LineColumn { line, column: 1 };
    Some(Replacement {
        deleted_region: region(line_start(*first_line), line_start(first_line + line_count)),
        inserted_content: ArtifactContent { text: lines.iter().flat_map(|line| [*line, line_end]).collect() },
    })
}
