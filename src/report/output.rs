//! The way from findings to the text of a run in some format.
//!
//! Files are rendered on any thread and in any order: [`Output::file`] or [`Output::findings`] gives the [`Part`] of one
//! file. The parts then go, in the order of the files, into the one [`Document`] of the run, which gives back the text
//! that can be printed at once: [`Document::head`], [`Document::add`] for each part, [`Document::tail`]. What these
//! return, one after the other, is a whole document in its format, also when no file is added.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use quick_junit::TestSuite;

use super::full::Style;
use super::json::Records;
use super::{FileReport, Finding, Selection, concise, fingerprint, full, github, gitlab, json, jsonl, junit, sarif};
use crate::source::SourceTexts;

/// The formats of findings.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For a person, with the source lines.
    Full,
    /// For a person and editors, a line each.
    Concise,
    /// One JSON document.
    Json,
    /// JSON, a line for each record.
    Jsonl,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// The Code Quality report of GitLab.
    Gitlab,
    /// JUnit's XML.
    Junit,
}

impl Format {
    /// Whether it is for a person who reads the terminal; if not, nothing else may be printed with it.
    pub fn is_for_people(self) -> bool {
        matches!(self, Format::Full | Format::Concise)
    }
}

/// What a run reports besides findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// The files and the computations with their specifications, in the formats that have a place for them.
    Inference,
    /// Nothing.
    Findings,
}

/// How the findings of a run are printed.
#[derive(Clone, Debug)]
pub struct Output {
    /// The format.
    pub format: Format,
    /// What people get to see; JSON always holds everything.
    pub selection: Selection,
    /// Colours, in the format for people.
    pub style: Style,
    /// The working directory: services want paths that begin there.
    pub root: PathBuf,
}

/// What one file contributes to a document.
#[derive(Debug)]
pub enum Part {
    /// Text that stands by itself.
    Text(String),
    /// Records of the JSON document.
    Records(Records),
    /// Elements of a JSON list, each as text.
    Elements(Vec<String>),
    /// A suite of JUnit's.
    Suite(TestSuite),
}

impl Default for Part {
    fn default() -> Self {
        Part::Text(String::new())
    }
}

impl Output {
    /// The part of a file that was analysed: its findings and, where the format has a place for it, what was inferred.
    pub fn file(&self, report: &FileReport) -> Part {
        match self.format {
            Format::Full => Part::Text(full::render(report, self.selection, self.style)),
            Format::Concise => Part::Text(concise::render(report, self.selection)),
            Format::Json => Part::Records(Records::of(report)),
            Format::Jsonl => Part::Text(jsonl::render(&Records::of(report))),
            Format::Sarif | Format::Github | Format::Gitlab | Format::Junit => {
                self.findings(report.path, Some(report.texts), report.findings)
            }
        }
    }

    /// The part of a file of which only findings are told; `texts` is `None` when it could not be read.
    pub fn findings(&self, path: &Path, texts: Option<&SourceTexts>, findings: &[Finding]) -> Part {
        let lowest = self.selection.lowest_severity;
        let selected: Vec<&Finding> = findings.iter().filter(|finding| finding.severity >= lowest).collect();
        match self.format {
            Format::Full => {
                let paragraphs = selected.iter().map(|finding| full::render_finding(finding, texts, self.style) + "\n");
                Part::Text(paragraphs.collect())
            }
            Format::Concise => Part::Text(selected.iter().map(|finding| concise::render_finding(finding)).collect()),
            Format::Json => Part::Records(Records::of_findings(findings)),
            Format::Jsonl => Part::Text(jsonl::render(&Records::of_findings(findings))),
            Format::Sarif => Part::Elements(sarif::results(&self.root, texts, &selected)),
            Format::Github => Part::Text(github::render(&self.root, &selected)),
            Format::Gitlab => Part::Elements(gitlab::issues(&self.root, texts, &selected)),
            Format::Junit => Part::Suite(junit::suite(&self.root, path, &selected)),
        }
    }
}

/// The document of a run: it takes the parts in order, and gives back what can be printed.
#[derive(Debug)]
pub struct Document {
    format: Format,
    contents: Contents,
    records: json::Document,
    suites: Vec<TestSuite>,
    /// Hashes of the elements so far: what an included file holds is found with each file that includes it, and told once.
    elements: HashSet<u128>,
}

impl Document {
    /// An empty document.
    pub fn new(format: Format, contents: Contents) -> Self {
        Document { format, contents, records: json::Document::default(), suites: Vec::new(), elements: HashSet::new() }
    }

    /// What stands before the first part.
    pub fn head(&self) -> String {
        match self.format {
            Format::Jsonl => jsonl::head(),
            Format::Sarif => sarif::head(),
            Format::Gitlab => gitlab::HEAD.to_owned(),
            Format::Full | Format::Concise | Format::Json | Format::Github | Format::Junit => String::new(),
        }
    }

    /// Takes the next part.
    pub fn add(&mut self, part: Part) -> String {
        let mut text = String::new();
        match part {
            Part::Text(whole) => text = whole,
            Part::Records(records) => self.records.add(records),
            Part::Suite(suite) => self.suites.push(suite),
            Part::Elements(elements) => {
                for element in elements {
                    let separator = if self.elements.is_empty() { "" } else { ",\n" };
                    if self.elements.insert(fingerprint::fnv1a(element.as_bytes())) {
                        text.push_str(separator);
                        text.push_str(&element);
                    }
                }
            }
        }
        text
    }

    /// What stands behind the last part.
    pub fn tail(self) -> String {
        match self.format {
            Format::Json => self.records.render(self.contents == Contents::Findings),
            Format::Sarif => sarif::TAIL.to_owned(),
            Format::Gitlab => gitlab::TAIL.to_owned(),
            Format::Junit => junit::render(self.suites),
            Format::Full | Format::Concise | Format::Jsonl | Format::Github => String::new(),
        }
    }
}
