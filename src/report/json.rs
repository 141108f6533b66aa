//! The JSON document, for other tools: `docs/json.md` explains it and `docs/infer.schema.json` states it.
//!
//! The records are shared with the [JSON Lines](super::jsonl) renderer. Fields are only ever added; what a reader could
//! trip over raises [`VERSION`].

use serde::Serialize;

use super::{FileReport, Finding, Location};
use crate::infer::{Approximation, ComputationKind, InferredComputation, RegionBox};
use crate::source::{LineColumn, SourceForm, SourceTexts, Span};

/// The version of the format.
pub const VERSION: u32 = 1;

/// The whole document. It can only be written when every file has been read, so it is collected; the lines of
/// [`super::jsonl`] are not.
#[derive(Debug, Default)]
pub struct Document {
    files: Vec<FileRecord>,
    computations: Vec<ComputationRecord>,
    findings: Vec<FindingRecord>,
}

impl Document {
    /// Adds what was found in one file.
    pub fn add(&mut self, records: Records) {
        self.files.extend(records.file);
        self.computations.extend(records.computations);
        self.findings.extend(records.findings);
    }

    /// The text of the document, one record on each line: a person can read it, and `diff` and `grep` can.
    pub fn render(&self) -> serde_json::Result<String> {
        let files = list(&self.files)?;
        let computations = list(&self.computations)?;
        let findings = list(&self.findings)?;
        Ok(format!(
            "{{\"version\":{VERSION},\n\"files\":{files},\n\"computations\":{computations},\n\"findings\":{findings}}}\n"
        ))
    }
}

/// A JSON list, each element on its own line.
fn list<T: Serialize>(records: &[T]) -> serde_json::Result<String> {
    let lines = records.iter().map(serde_json::to_string).collect::<serde_json::Result<Vec<_>>>()?;
    Ok(if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", lines.join(",\n")) })
}

/// What one file contributes to a document.
#[derive(Debug, Default)]
pub struct Records {
    /// The file itself; `None` when it could not be read.
    pub file: Option<FileRecord>,
    /// Its computations, in source order.
    pub computations: Vec<ComputationRecord>,
    /// Its findings.
    pub findings: Vec<FindingRecord>,
}

impl Records {
    /// The records of an analysed file.
    pub fn of(report: &FileReport) -> Self {
        let (path, texts) = (display(report.path), report.texts);
        let not_understood = report
            .not_understood
            .iter()
            .map(|(span, reason)| NotUnderstoodRecord { span: SpanRecord::of(texts, *span), reason: reason.clone() });
        Records {
            file: Some(FileRecord {
                path: path.clone(),
                form: match report.form {
                    SourceForm::Fixed => "fixed",
                    SourceForm::Free => "free",
                },
                statements: report.statement_count,
                not_understood: not_understood.collect(),
            }),
            computations: report
                .inference
                .computations
                .iter()
                .map(|computation| ComputationRecord::of(&path, texts, computation))
                .collect(),
            findings: report.findings.iter().map(FindingRecord::of).collect(),
        }
    }

    /// The record of a finding on a file that could not be read.
    pub fn of_finding(finding: &Finding) -> Self {
        Records { findings: vec![FindingRecord::of(finding)], ..Records::default() }
    }
}

/// A position: line and column from 1, the column in characters.
#[derive(Serialize, Debug)]
struct PositionRecord {
    line: u32,
    column: u32,
}

impl From<LineColumn> for PositionRecord {
    fn from(at: LineColumn) -> Self {
        PositionRecord { line: at.line, column: at.column }
    }
}

/// From the first character to behind the last. `path` is there only when it isn't that of the record: an included file.
#[derive(Serialize, Debug)]
struct SpanRecord {
    start: PositionRecord,
    end: PositionRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

impl SpanRecord {
    fn of(texts: &SourceTexts, span: Span) -> Self {
        let (path, start, end) = texts.locate(span);
        let elsewhere = (path != texts.root().path).then(|| display(path));
        SpanRecord { start: start.into(), end: end.into(), path: elsewhere }
    }
}

/// A file that was analysed.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    path: String,
    form: &'static str,
    statements: usize,
    not_understood: Vec<NotUnderstoodRecord>,
}

/// A statement that could not be parsed.
#[derive(Serialize, Debug)]
struct NotUnderstoodRecord {
    span: SpanRecord,
    reason: String,
}

/// An array computation.
#[derive(Serialize, Debug)]
pub struct ComputationRecord {
    path: String,
    span: SpanRecord,
    unit: String,
    kind: &'static str,
    specifications: Vec<SpecificationRecord>,
    unspecified: Vec<UnspecifiedRecord>,
}

impl ComputationRecord {
    fn of(path: &str, texts: &SourceTexts, computation: &InferredComputation) -> Self {
        let specifications = computation.specifications.iter().map(|one| SpecificationRecord {
            text: one.text.clone(),
            kind: kind(one.kind),
            variables: one.variables.clone(),
            read_once: one.read_once,
            approximation: match one.approximation {
                Approximation::Exact => "exact",
                Approximation::AtLeast => "atLeast",
                Approximation::AtMost => "atMost",
            },
            region: one.region.clone(),
        });
        let unspecified = computation.unspecified.iter().map(|array| UnspecifiedRecord {
            variable: array.variable.clone(),
            reason: array.reason.name(),
            span: SpanRecord::of(texts, array.span),
        });
        ComputationRecord {
            path: path.to_owned(),
            span: SpanRecord::of(texts, computation.span),
            unit: computation.unit.clone(),
            kind: kind(computation.kind),
            specifications: specifications.collect(),
            unspecified: unspecified.collect(),
        }
    }
}

fn kind(kind: ComputationKind) -> &'static str {
    match kind {
        ComputationKind::Stencil => "stencil",
        ComputationKind::Access => "access",
    }
}

/// One specification. `region` is its union normal form: a list of boxes, each with `[lowest, highest, contains zero]`
/// or `null` (unconstrained) per dimension.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct SpecificationRecord {
    text: String,
    kind: &'static str,
    variables: Vec<String>,
    read_once: bool,
    approximation: &'static str,
    region: Vec<RegionBox>,
}

/// An array without a specification.
#[derive(Serialize, Debug)]
struct UnspecifiedRecord {
    variable: String,
    reason: &'static str,
    span: SpanRecord,
}

/// A finding.
#[derive(Serialize, Debug)]
pub struct FindingRecord {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    path: String,
    span: SpanRecord,
    message: String,
    notes: Vec<String>,
}

impl FindingRecord {
    fn of(finding: &Finding) -> Self {
        let Location { path, start, end } = &finding.location;
        FindingRecord {
            code: finding.rule.code,
            name: finding.rule.name,
            severity: finding.severity.name(),
            path: display(path),
            span: SpanRecord { start: (*start).into(), end: (*end).into(), path: None },
            message: finding.message.clone(),
            notes: finding.notes.clone(),
        }
    }
}

/// JSON is Unicode; a path that isn't gets replacement characters.
fn display(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}
