//! The JSON documents, for other tools: `docs/json.md` explains them, `docs/infer.schema.json` and
//! `docs/check.schema.json`, which are made from the records here and those of the analyses, state them.
//!
//! The records are shared with the JSON Lines renderer. Fields are only ever added; what a reader could
//! trip over raises [`VERSION`].

use std::io;
use std::path::Path;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::piece::{Contents, Piece};
use super::spool::Spool;
use crate::diagnostics::edit::LineChange;
use crate::diagnostics::{DataRecord, Entry, FileSummary, Finding, Fix, Location, Mark, Report, Suggestion};
use crate::source::{LineColumn, SourceForm, SourceTexts, Span};

/// The version of the format.
pub const VERSION: u32 = 1;

/// The document, one record on each line: a person can read it, and `diff` and `grep` can. Its first list is printed as
/// it grows, the others wait for the end.
#[derive(Debug)]
pub struct Document {
    contents: Contents,
    files: List,
    entries: List,
    findings: List,
}

impl Document {
    /// An empty document.
    pub fn new(contents: Contents) -> Self {
        let findings_alone = contents == Contents::Findings;
        let [files, entries] = [List::default(), List::spooled()];
        Document { contents, files, entries, findings: if findings_alone { List::default() } else { List::spooled() } }
    }

    /// What stands before the first file.
    pub fn head(&self) -> String {
        let first = if self.contents == Contents::Findings { "findings" } else { "files" };
        format!("{{\"version\":{VERSION},\n\"{first}\":")
    }

    /// Adds the records of a file, of its findings those that pass; and gives what can be printed of them.
    ///
    /// # Errors
    ///
    /// When what waits can't be written to a temporary file.
    pub fn add(&mut self, records: Records, passes: impl Fn(&Piece) -> bool) -> io::Result<String> {
        let mut text = String::new();
        if self.contents != Contents::Findings {
            records.file.iter().try_for_each(|file| self.files.add(file, &mut text))?;
            records.entries.iter().try_for_each(|entry| self.entries.add(entry, &mut text))?;
        }
        let mut passing = records.findings.iter().filter(|piece| passes(piece));
        passing.try_for_each(|piece| self.findings.add(&piece.text, &mut text))?;
        Ok(text)
    }

    /// Prints what stands behind the last file.
    ///
    /// # Errors
    ///
    /// Those of `print`, and when the temporary file can't be read.
    pub fn tail<E: From<io::Error>>(self, mut print: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        if let Contents::Entries(name) = self.contents {
            self.files.close(&mut print)?;
            print(&format!(",\n\"{name}s\":"))?;
            self.entries.close(&mut print)?;
            print(",\n\"findings\":")?;
        }
        self.findings.close(&mut print)?;
        print("}\n")
    }
}

/// A list of the document, each element on its own line.
#[derive(Debug, Default)]
struct List {
    has_elements: bool,
    /// Where it waits, if other lists stand before it.
    waiting: Option<Spool>,
}

impl List {
    fn spooled() -> Self {
        List { waiting: Some(Spool::default()), ..List::default() }
    }

    /// Adds a record; to `text` if it can be printed at once.
    fn add(&mut self, record: &str, text: &mut String) -> io::Result<()> {
        let before = if std::mem::replace(&mut self.has_elements, true) { ",\n" } else { "[\n" };
        match &mut self.waiting {
            None => {
                *text += before;
                *text += record;
                Ok(())
            }
            Some(spool) => spool.push(before).and_then(|()| spool.push(record)),
        }
    }

    fn close<E: From<io::Error>>(self, mut print: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        if let Some(spool) = self.waiting {
            spool.replay(&mut print)?;
        }
        print(if self.has_elements { "\n]" } else { "[]" })
    }
}

/// A value as JSON on one line.
pub(super) fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("records of strings, numbers and lists can always be written")
}

/// What one file contributes to a document, each record as JSON.
#[derive(Debug, Default)]
pub struct Records {
    /// The file itself, if it is one of what is listed.
    pub file: Option<String>,
    /// Its entries, in source order.
    pub entries: Vec<String>,
    /// Its findings.
    pub findings: Vec<Piece>,
}

impl Records {
    /// The records of a file, each with what it is or without.
    pub fn new<E: Entry>(report: &Report<'_, E>, tags: Tags) -> Self {
        let mut records = Records::default();
        if let (Some(texts), Some((summary, entries))) = (report.texts, &report.listing) {
            records.file = Some(tags.line("file", &FileRecord::new(report.path, texts, summary)));
            records.entries = entries.iter().map(|entry| tags.line(E::NAME, &entry.json(texts))).collect();
        }
        let line = |finding| tags.line("finding", &FindingRecord::new(finding));
        let findings = report.findings.iter().enumerate();
        records.findings = findings.map(|(number, finding)| Piece::of_finding(number, line(finding))).collect();
        records
    }
}

/// Whether a record says what it is.
#[derive(Clone, Copy, Debug)]
pub enum Tags {
    /// No: it is an element of a list of such records.
    None,
    /// In its member `type`; and a line ends behind it.
    Type,
}

impl Tags {
    /// The text of a record, and what programs call such a record.
    pub fn line<T: Serialize>(self, name: &'static str, record: &T) -> String {
        #[derive(Serialize)]
        struct Tagged<'r, T> {
            #[serde(rename = "type")]
            name: &'static str,
            #[serde(flatten)]
            record: &'r T,
        }
        match self {
            Tags::None => text(record),
            Tags::Type => text(&Tagged { name, record }) + "\n",
        }
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

/// From the first character to behind the last. `path` is there only when it isn't that of the record: an included
/// file.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SpanRecord {
    start: PositionRecord,
    end: PositionRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

impl SpanRecord {
    /// A span in a record of the file whose texts these are.
    pub fn new(texts: &SourceTexts, span: Span) -> Self {
        SpanRecord::within(&texts.root().path, &Location::of(texts, span))
    }

    /// A location in a record of a file.
    fn within(file: &Path, at: &Location) -> Self {
        let path = (at.path != file).then(|| path_text(&at.path));
        SpanRecord { start: at.start.into(), end: at.end.into(), path }
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

impl FileRecord {
    fn new(path: &Path, texts: &SourceTexts, summary: &FileSummary<'_>) -> Self {
        let not_understood = summary.not_understood.iter();
        FileRecord {
            path: path_text(path),
            form: match summary.form {
                SourceForm::Fixed => "fixed",
                SourceForm::Free => "free",
            },
            statements: summary.statement_count,
            not_understood: not_understood
                .map(|(span, reason)| NotUnderstoodRecord {
                    span: SpanRecord::new(texts, *span),
                    reason: reason.clone(),
                })
                .collect(),
        }
    }
}

/// A statement that could not be parsed.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
struct NotUnderstoodRecord {
    span: SpanRecord,
    reason: String,
}

/// A finding.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "FindingRecord"))]
pub struct FindingRecord<'f, W> {
    /// The code of the rule.
    #[cfg_attr(test, schemars(regex(pattern = "^[A-Z][0-9]{3}$")))]
    code: &'static str,
    /// The name of the rule.
    name: &'static str,
    #[cfg_attr(test, schemars(extend("enum" = ["note", "warning", "error"])))]
    severity: &'static str,
    path: String,
    span: SpanRecord,
    /// What is wrong, in one sentence.
    message: &'f str,
    /// Further sentences.
    notes: Vec<&'f str>,
    witness: Option<W>,
    /// Other places that are part of it, those to blame first.
    related: Vec<RelatedRecord<'f>>,
    /// What inference says of the arrays in question, a specification each.
    inferred: Vec<&'f str>,
    /// Changes of one reference after which the code conforms, the likeliest first.
    repairs: Vec<RepairRecord<'f>>,
    fix: Option<FixRecord<'f>>,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(skip))]
    others: OtherRecords<'f>,
}

impl<'f> FindingRecord<'f, &'f RawValue> {
    fn new(finding: &'f Finding) -> Self {
        let Finding { rule, severity, location, message, marks, suggestions, fix, records, .. } = finding;
        let file = &location.path;
        let witness = records.iter().find(|record| record.name == DataRecord::WITNESS);
        FindingRecord {
            code: rule.code,
            name: rule.name,
            severity: severity.name(),
            path: path_text(file),
            span: SpanRecord::within(file, location),
            message,
            notes: finding.remarks().collect(),
            witness: witness.map(|record| record.json.as_ref()),
            related: marks.iter().map(|mark| RelatedRecord::new(mark, file)).collect(),
            inferred: finding.inferred().collect(),
            repairs: suggestions.iter().map(|suggestion| RepairRecord::new(suggestion, file)).collect(),
            fix: fix.as_ref().and_then(FixRecord::new),
            others: OtherRecords(records),
        }
    }
}

/// What else there is in a finding, under its names.
#[derive(Debug)]
struct OtherRecords<'f>(&'f [DataRecord]);

impl Serialize for OtherRecords<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for record in self.0.iter().filter(|record| record.name != DataRecord::WITNESS) {
            map.serialize_entry(record.name, &record.json)?;
        }
        map.end()
    }
}

/// A place that is part of a finding.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "RelatedRecord"))]
#[serde(rename_all = "camelCase")]
struct RelatedRecord<'f> {
    span: SpanRecord,
    /// What is to be said of it.
    label: &'f str,
    /// Whether this is what is wrong, and not only what it is measured by.
    to_blame: bool,
}

impl<'f> RelatedRecord<'f> {
    fn new(mark: &'f Mark, file: &Path) -> Self {
        RelatedRecord { span: SpanRecord::within(file, &mark.location), label: &mark.label, to_blame: mark.is_primary }
    }
}

/// A change of one reference.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "RepairRecord"))]
struct RepairRecord<'f> {
    span: SpanRecord,
    /// What should stand there.
    replacement: &'f str,
}

impl<'f> RepairRecord<'f> {
    fn new(suggestion: &'f Suggestion, file: &Path) -> Self {
        RepairRecord { span: SpanRecord::within(file, &suggestion.location), replacement: &suggestion.replacement }
    }
}

/// A change of comment lines that removes the finding.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "FixRecord"))]
#[serde(rename_all = "camelCase")]
struct FixRecord<'f> {
    /// What it does, as a command.
    description: &'f str,
    /// Whether it is safe: it means what stood there, or adds to it.
    is_safe: bool,
    /// The lines, by place; they don't overlap.
    changes: Vec<ChangeRecord<'f>>,
}

/// Lines of the finding's file and what stands there instead.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "ChangeRecord"))]
#[serde(rename_all = "camelCase")]
struct ChangeRecord<'f> {
    /// The first line to be replaced, from 1; or, with a count of 0, the line above which the new ones go.
    first_line: u32,
    /// Number of lines to be replaced.
    line_count: u32,
    /// The new lines, without line ends.
    lines: Vec<&'f str>,
}

impl<'f> FixRecord<'f> {
    /// `None` when the lines aren't Unicode, which JSON can't hold.
    fn new(fix: &'f Fix) -> Option<Self> {
        let changes = fix.changes.iter().map(ChangeRecord::new).collect::<Option<_>>()?;
        Some(FixRecord { description: fix.description, is_safe: fix.safe_changes.is_some(), changes })
    }
}

impl<'f> ChangeRecord<'f> {
    fn new(change: &'f LineChange) -> Option<Self> {
        let LineChange { first_line, line_count, .. } = *change;
        Some(ChangeRecord { first_line, line_count, lines: change.unicode_lines()? })
    }
}

/// JSON is Unicode; a path that isn't gets replacement characters.
pub fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
