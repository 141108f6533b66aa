//! The JSON documents, for other tools: `docs/json.md` explains them, `docs/infer.schema.json` and `docs/check.schema.json`,
//! which are made from the records here, state them.
//!
//! The records are shared with the [JSON Lines](super::jsonl) renderer. Fields are only ever added; what a reader could
//! trip over raises [`VERSION`].

use std::path::Path;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::stencil::infer::{Approximation, ComputationKind, InferredComputation, RegionBox};
use crate::diagnostics::edit::LineChange;
use crate::diagnostics::{FileReport, Finding, Fix, Location, Related, Repair, Witness};
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

    /// The text of the document, one record on each line: a person can read it, and `diff` and `grep` can. Files and
    /// computations are left out where only findings are asked for.
    pub fn render(&self, only_findings: bool) -> String {
        let findings = list(&self.findings);
        if only_findings {
            return format!("{{\"version\":{VERSION},\n\"findings\":{findings}}}\n");
        }
        let (files, computations) = (list(&self.files), list(&self.computations));
        format!(
            "{{\"version\":{VERSION},\n\"files\":{files},\n\"computations\":{computations},\n\"findings\":{findings}}}\n"
        )
    }
}

/// A value as JSON on one line.
pub(super) fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("records of strings, numbers and lists can always be written")
}

/// A JSON list, each element on its own line.
fn list<T: Serialize>(records: &[T]) -> String {
    let lines: Vec<String> = records.iter().map(text).collect();
    if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", lines.join(",\n")) }
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

    /// The records of findings alone.
    pub fn of_findings(findings: &[Finding]) -> Self {
        Records { findings: findings.iter().map(FindingRecord::of).collect(), ..Records::default() }
    }
}

/// A position: line and column from 1, the column in characters.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct PositionRecord {
    #[cfg_attr(test, schemars(range(min = 1)))]
    line: u32,
    #[cfg_attr(test, schemars(range(min = 1)))]
    column: u32,
}

impl From<LineColumn> for PositionRecord {
    fn from(at: LineColumn) -> Self {
        PositionRecord { line: at.line, column: at.column }
    }
}

/// From the first character to behind the last. `path` is there only when it isn't that of the record: an included file.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
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

    /// A place that is told together with another.
    fn beside(at: &Location, other: &Location) -> Self {
        let elsewhere = (at.path != other.path).then(|| display(&at.path));
        SpanRecord { start: at.start.into(), end: at.end.into(), path: elsewhere }
    }
}

/// A file that was analysed.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    path: String,
    /// How it was read.
    #[cfg_attr(test, schemars(extend("enum" = ["fixed", "free"])))]
    form: &'static str,
    /// Number of statements.
    statements: usize,
    /// The statements that could not be parsed.
    not_understood: Vec<NotUnderstoodRecord>,
}

/// A statement that could not be parsed.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct NotUnderstoodRecord {
    span: SpanRecord,
    reason: String,
}

/// An assignment in a loop, or to a whole array or section, that reads arrays.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ComputationRecord {
    path: String,
    span: SpanRecord,
    /// The program unit, as module::procedure.
    unit: String,
    #[cfg_attr(test, schemars(extend("enum" = ["stencil", "access"])))]
    kind: &'static str,
    specifications: Vec<SpecificationRecord>,
    unspecified: Vec<UnspecifiedRecord>,
    /// Arrays of whose specifications it is left out what an index is at a border only, as `mod(i, n) + 1` at the end of the ring.
    borders: Vec<BorderRecord>,
}

/// An array with an index that has another value at a border.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct BorderRecord {
    variable: String,
    span: SpanRecord,
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
        let borders = computation
            .borders
            .iter()
            .map(|border| BorderRecord { variable: border.variable.clone(), span: SpanRecord::of(texts, border.span) });
        ComputationRecord {
            path: path.to_owned(),
            span: SpanRecord::of(texts, computation.span),
            unit: computation.unit.clone(),
            kind: kind(computation.kind),
            specifications: specifications.collect(),
            unspecified: unspecified.collect(),
            borders: borders.collect(),
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
/// or `null` (every offset) for each dimension.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
struct SpecificationRecord {
    /// Without comment sign and marker.
    text: String,
    #[cfg_attr(test, schemars(extend("enum" = ["stencil", "access"])))]
    kind: &'static str,
    #[cfg_attr(test, schemars(length(min = 1)))]
    variables: Vec<String>,
    read_once: bool,
    #[cfg_attr(test, schemars(extend("enum" = ["exact", "atMost", "atLeast"])))]
    approximation: &'static str,
    #[cfg_attr(test, schemars(length(min = 1)))]
    region: Vec<RegionBox>,
}

/// An array without a specification.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct UnspecifiedRecord {
    variable: String,
    #[cfg_attr(test, schemars(extend("enum" = crate::analysis::stencil::infer::Reason::ALL.map(crate::analysis::stencil::infer::Reason::name))))]
    reason: &'static str,
    span: SpanRecord,
}

/// A finding.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct FindingRecord {
    /// The code of the rule.
    #[cfg_attr(test, schemars(regex(pattern = "^[FS][0-9]{3}$")))]
    code: &'static str,
    /// The name of the rule.
    name: &'static str,
    #[cfg_attr(test, schemars(extend("enum" = ["note", "warning", "error"])))]
    severity: &'static str,
    path: String,
    span: SpanRecord,
    /// What is wrong, in one sentence.
    message: String,
    /// Further sentences.
    notes: Vec<String>,
    witness: Option<WitnessRecord>,
    /// Other places that are part of it, those to blame first.
    related: Vec<RelatedRecord>,
    /// What inference says of the arrays in question, a specification each.
    inferred: Vec<String>,
    /// Changes of one reference after which the code conforms, the likeliest first.
    repairs: Vec<RepairRecord>,
    fix: Option<FixRecord>,
}

impl FindingRecord {
    fn of(finding: &Finding) -> Self {
        let at = &finding.location;
        FindingRecord {
            code: finding.rule.code,
            name: finding.rule.name,
            severity: finding.severity.name(),
            path: display(&at.path),
            span: SpanRecord::beside(at, at),
            message: finding.message.clone(),
            notes: finding.notes.clone(),
            witness: finding.witness.as_ref().map(WitnessRecord::of),
            related: finding.related.iter().map(|related| RelatedRecord::of(related, at)).collect(),
            inferred: finding.inferred.clone(),
            repairs: finding.repairs.iter().map(|repair| RepairRecord::of(repair, at)).collect(),
            fix: finding.fix.as_ref().and_then(FixRecord::of),
        }
    }
}

/// An offset in which code and specification differ.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
struct WitnessRecord {
    /// One component for each dimension, relative to the left side.
    offset: Vec<i64>,
    /// Whether the code reads it and the specification does not allow it, or the reverse.
    is_read: bool,
    /// The reference in terms of the source.
    reference: String,
}

impl WitnessRecord {
    fn of(witness: &Witness) -> Self {
        let Witness { offset, is_read, reference } = witness.clone();
        WitnessRecord { offset, is_read, reference }
    }
}

/// A place that is part of a finding.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
struct RelatedRecord {
    span: SpanRecord,
    /// What is to be said of it.
    label: String,
    /// Whether this is what is wrong, and not only what it is measured by.
    to_blame: bool,
}

impl RelatedRecord {
    fn of(related: &Related, beside: &Location) -> Self {
        let span = SpanRecord::beside(&related.location, beside);
        RelatedRecord { span, label: related.label.clone(), to_blame: related.to_blame }
    }
}

/// A change of one reference.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct RepairRecord {
    span: SpanRecord,
    /// What should stand there.
    replacement: String,
}

impl RepairRecord {
    fn of(repair: &Repair, beside: &Location) -> Self {
        RepairRecord { span: SpanRecord::beside(&repair.location, beside), replacement: repair.replacement.clone() }
    }
}

/// A change of comment lines that removes the finding.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct FixRecord {
    /// What it does, as a command.
    description: String,
    /// The lines, by place; they don't overlap.
    changes: Vec<ChangeRecord>,
}

/// Lines of the finding's file and what stands there instead.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
struct ChangeRecord {
    /// The first line to be replaced, from 1; or, with a count of 0, the line above which the new ones go.
    first_line: u32,
    /// Number of lines to be replaced.
    line_count: u32,
    /// The new lines, without line ends.
    lines: Vec<String>,
}

impl FixRecord {
    /// `None` when the lines aren't Unicode, which JSON can't hold.
    fn of(fix: &Fix) -> Option<Self> {
        let changes = fix.changes.iter().map(ChangeRecord::of).collect::<Option<_>>()?;
        Some(FixRecord { description: fix.description.clone(), changes })
    }
}

impl ChangeRecord {
    fn of(change: &LineChange) -> Option<Self> {
        let lines = change.lines.iter().map(|line| String::from_utf8(line.clone()).ok()).collect::<Option<_>>()?;
        Some(ChangeRecord { first_line: change.first_line, line_count: change.line_count, lines })
    }
}

/// JSON is Unicode; a path that isn't gets replacement characters.
fn display(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
pub(crate) mod tests;
