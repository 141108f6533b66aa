//! The way from findings to the text of a run in some format.
//!
//! Files are rendered on any thread and in any order: [`Output::file`] or [`Output::findings`] gives the [`Part`] of one
//! file. The parts then go, in the order of the files, into the one [`Document`] of the run, which gives back the text
//! that can be printed at once: [`Document::head`], [`Document::add`] for each part, [`Document::tail`]. What these
//! return, one after the other, is a whole document in its format, also when no file is added.
//!
//! What an included file holds is found with each file that includes it. Each finding is told once, in every format: of those with
//! the same rule, place and text the document takes the first. In the format for people, so is what has its cause elsewhere, such as a
//! missing module: the first file tells of it, and the end says in how many more it was found.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::ValueEnum;
use quick_junit::{TestCase, TestSuite};

use super::full::Style;
use super::json::Records;
use super::{concise, full, github, gitlab, json, jsonl, junit, sarif};
use crate::diagnostics::{FileReport, Finding, Selection, Severity, fingerprint, paths};
use crate::source::SourceTexts;

/// Lines at the end of a report about causes that many files have in common.
const MOST_CAUSES: usize = 10;

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
    /// The causes that were told.
    pub causes: Causes,
}

/// What was told of causes outside of the files: by their messages, how often. The threads that render files look there for what they can
/// leave out; the document alone adds to it.
#[derive(Clone, Debug, Default)]
pub struct Causes(Arc<Mutex<BTreeMap<String, usize>>>);

impl Causes {
    fn with<T>(&self, act: impl FnOnce(&mut BTreeMap<String, usize>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the cause of a finding was told of another file.
    pub fn were_told(&self, finding: &Finding) -> bool {
        finding.rule.is_caused_elsewhere() && self.with(|told| told.contains_key(&finding.message))
    }

    /// Counts a finding with this message, and says whether it is the first.
    fn is_first(&self, message: String) -> bool {
        let count = self.with(|told| {
            let count = told.entry(message).or_default();
            *count += 1;
            *count
        });
        count == 1
    }

    /// What was found again, most often first.
    fn render(&self) -> String {
        let mut again: Vec<(usize, String)> = self.with(|told| {
            told.iter().filter(|&(_, &count)| count > 1).map(|(message, count)| (*count, message.clone())).collect()
        });
        again.sort_by(|(left, _), (right, _)| right.cmp(left));
        let mut text = String::new();
        if !again.is_empty() {
            text.push_str("Told once, but found in more places (--format concise tells each):\n");
        }
        for (count, message) in again.iter().take(MOST_CAUSES) {
            let _ = writeln!(text, "{count:8}  {}", message.replace(char::is_control, "\u{FFFD}"));
        }
        if let Some(more @ [_, ..]) = again.get(MOST_CAUSES..) {
            let places: usize = more.iter().map(|(count, _)| count).sum();
            let _ = writeln!(text, "{places:8}  {} more such messages", more.len());
        }
        text
    }
}

/// What one file contributes to a document.
#[derive(Debug, Default)]
pub struct Part {
    /// All its findings; the content refers to them by number.
    findings: Vec<Told>,
    /// The numbers and messages of those whose cause is told once.
    causes: Vec<(usize, String)>,
    content: Content,
}

/// What is left of a finding that was rendered.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// How much it matters.
    pub severity: Severity,
    /// The code of its rule.
    pub code: &'static str,
    /// The same for findings that say the same.
    identity: u128,
}

/// A piece of text, and the number of the finding that it tells, if it tells one.
#[derive(Debug)]
pub struct Piece {
    /// Which of the findings of the file it tells.
    pub finding: Option<usize>,
    /// The text.
    pub text: String,
}

impl Piece {
    /// Text that tells a finding.
    pub fn of(finding: usize, text: String) -> Self {
        Piece { finding: Some(finding), text }
    }

    /// Any other text.
    pub fn beside(text: String) -> Self {
        Piece { finding: None, text }
    }
}

#[derive(Debug)]
enum Content {
    /// Text that stands by itself.
    Text(Vec<Piece>),
    /// Records of the JSON document.
    Records(Records),
    /// Elements of a JSON list, each as text.
    Elements(Vec<Piece>),
    /// A suite of JUnit's, by its name: the number of a finding and its case.
    Suite(String, Vec<(usize, TestCase)>),
}

impl Default for Content {
    fn default() -> Self {
        Content::Text(Vec::new())
    }
}

impl Output {
    /// The part of a file that was analysed: its findings and, where the format has a place for it, what was inferred.
    pub fn file(&self, report: &FileReport) -> Part {
        let content = match self.format {
            Format::Full => Content::Text(full::render(report, self.selection, self.style, &self.causes)),
            Format::Concise => Content::Text(concise::render(report, self.selection)),
            Format::Json => Content::Records(Records::of(report)),
            Format::Jsonl => Content::Text(jsonl::render(&Records::of(report))),
            Format::Sarif | Format::Github | Format::Gitlab | Format::Junit => {
                return self.findings(report.path, Some(report.texts), report.findings);
            }
        };
        self.part(report.findings, content)
    }

    /// The part of a file of which only findings are told; `texts` is `None` when it could not be read.
    pub fn findings(&self, path: &Path, texts: Option<&SourceTexts>, findings: &[Finding]) -> Part {
        let lowest = self.selection.lowest_severity;
        let (numbers, selected): (Vec<usize>, Vec<&Finding>) =
            findings.iter().enumerate().filter(|(_, finding)| finding.severity >= lowest).unzip();
        let pieces =
            |texts: Vec<String>| numbers.iter().zip(texts).map(|(&number, text)| Piece::of(number, text)).collect();
        let each =
            |render: &dyn Fn(&Finding) -> String| pieces(selected.iter().map(|finding| render(finding)).collect());
        let content = match self.format {
            Format::Full => Content::Text(each(&|finding| full::render_finding(finding, texts, self.style) + "\n")),
            Format::Concise => Content::Text(each(&concise::render_finding)),
            Format::Json => Content::Records(Records::of_findings(findings)),
            Format::Jsonl => Content::Text(jsonl::render(&Records::of_findings(findings))),
            Format::Sarif => Content::Elements(pieces(sarif::results(&self.root, texts, &selected))),
            Format::Github => Content::Text(each(&|finding| github::command(&self.root, finding))),
            Format::Gitlab => Content::Elements(pieces(gitlab::issues(&self.root, texts, &selected))),
            Format::Junit => {
                let cases = selected.iter().map(|finding| junit::case(&self.root, finding));
                Content::Suite(junit::name(&self.root, path), numbers.iter().copied().zip(cases).collect())
            }
        };
        self.part(findings, content)
    }

    fn part(&self, findings: &[Finding], content: Content) -> Part {
        let told = |finding: &Finding| {
            let (rule, at) = (finding.rule, &finding.location);
            let path = paths::below(&self.root, &at.path);
            let place = format!("{}:{}:{}:{}", at.start.line, at.start.column, at.end.line, at.end.column);
            let text = finding.text();
            let parts = [rule.code.as_bytes(), path.as_os_str().as_encoded_bytes(), place.as_bytes(), text.as_bytes()];
            // No part can end like the beginning of the next: a NUL is in no code, path or place.
            Told { severity: finding.severity, code: rule.code, identity: fingerprint::fnv1a(&parts.join(&0)) }
        };
        let is_told_once = |finding: &Finding| {
            let is_selected = finding.severity >= self.selection.lowest_severity;
            self.format == Format::Full && is_selected && finding.rule.is_caused_elsewhere()
        };
        let told_once = findings.iter().enumerate().filter(|(_, finding)| is_told_once(finding));
        let causes = told_once.map(|(number, finding)| (number, finding.message.clone())).collect();
        Part { findings: findings.iter().map(told).collect(), causes, content }
    }
}

/// The document of a run: it takes the parts in order, and gives back what can be printed.
#[derive(Debug)]
pub struct Document {
    format: Format,
    contents: Contents,
    records: json::Document,
    suites: Vec<TestSuite>,
    has_elements: bool,
    /// The identities of the findings so far.
    told: HashSet<u128>,
    causes: Causes,
}

/// What a part added to a document.
#[derive(Debug)]
pub struct Added {
    /// What can be printed of it.
    pub text: String,
    /// The findings that were not told before.
    pub findings: Vec<Told>,
}

impl Document {
    /// An empty document for what this output gives.
    pub fn new(output: &Output, contents: Contents) -> Self {
        Document {
            format: output.format,
            contents,
            records: json::Document::default(),
            suites: Vec::new(),
            has_elements: false,
            told: HashSet::new(),
            causes: output.causes.clone(),
        }
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
    pub fn add(&mut self, part: Part) -> Added {
        let Part { findings, causes, content } = part;
        let is_new: Vec<bool> = findings.iter().map(|finding| self.told.insert(finding.identity)).collect();
        let mut is_shown = is_new.clone();
        for (number, message) in causes {
            is_shown[number] = is_new[number] && self.causes.is_first(message);
        }
        let is_new_finding = |number: usize| is_shown.get(number).copied().unwrap_or(true);
        let is_new_piece = |piece: &Piece| piece.finding.is_none_or(is_new_finding);
        let mut text = String::new();
        match content {
            Content::Text(pieces) => text = pieces.into_iter().filter(is_new_piece).map(|piece| piece.text).collect(),
            Content::Records(mut records) => {
                let mut number = 0..;
                records.findings.retain(|_| number.next().is_none_or(is_new_finding));
                self.records.add(records);
            }
            Content::Suite(name, cases) => {
                let cases = cases.into_iter().filter(|(number, _)| is_new_finding(*number)).map(|(_, case)| case);
                self.suites.push(junit::suite(&name, cases.collect()));
            }
            Content::Elements(elements) => {
                for element in elements.into_iter().filter(is_new_piece) {
                    if std::mem::replace(&mut self.has_elements, true) {
                        text.push_str(",\n");
                    }
                    text.push_str(&element.text);
                }
            }
        }
        let findings = findings.into_iter().zip(is_new).filter_map(|(finding, is_new)| is_new.then_some(finding));
        Added { text, findings: findings.collect() }
    }

    /// What stands behind the last part.
    pub fn tail(self) -> String {
        match self.format {
            Format::Json => self.records.render(self.contents == Contents::Findings),
            Format::Sarif => sarif::TAIL.to_owned(),
            Format::Gitlab => gitlab::TAIL.to_owned(),
            Format::Junit => junit::render(self.suites),
            Format::Full => self.causes.render(),
            Format::Concise | Format::Jsonl | Format::Github => String::new(),
        }
    }
}
