//! The way from findings to the text of a run in some format.
//!
//! Files are rendered on any thread and in any order: [`Output::render`] makes the [`Rendered`] of one [`Report`]. They
//! then go, in the order of the files, into the one [`Document`] of the run, which gives back the text that can be
//! printed at once: [`Document::head`], [`Document::add`] for each file, [`Document::tail`]. What these return, one
//! after the other, is a whole document in its format, also when no file is added.
//!
//! What an included file holds is found with each file that includes it. Each finding is emitted once, in every format:
//! of those with the same rule, place and text the document takes the first. In the format for people, so is what has
//! its cause outside of the files, such as a missing module: the first file reports it, and the end says in how many
//! more it was found.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use quick_junit::{TestCase, TestSuite};

use super::json::{self, Records, Tags};
use super::piece::{Contents, Piece};
use super::quotation::printable;
use super::style::Palette;
use super::{concise, full, github, gitlab, jsonl, junit, rdjsonl, sarif};
use crate::diagnostics::fingerprint::{Fingerprints, fnv1a};
use crate::diagnostics::{Entry, Finding, Levels, Registry, Report, Rule, Severity, paths};

/// Lines at the end of a report about causes that many files have in common.
const MOST_CAUSES: usize = 10;

/// The formats of findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// reviewdog's diagnostics, a line of JSON each.
    Rdjsonl,
}

impl Format {
    /// Whether it is for a person who reads the terminal; if not, nothing else may be printed with it.
    pub fn is_for_people(self) -> bool {
        matches!(self, Format::Full | Format::Concise)
    }
}

/// How the findings of a run are printed.
#[derive(Clone, Debug)]
pub struct Output {
    /// The format.
    pub format: Format,
    /// The rules that there are.
    pub registry: Registry,
    /// What the configuration makes of them.
    pub levels: Levels,
    /// Findings of a lower severity are not shown to people and services; JSON always holds everything.
    pub lowest_severity: Severity,
    /// Colours, in the format for people.
    pub palette: Palette,
    /// The address of a rule's page, with `{code}` in place of the code, where codes are to be links: on a terminal, in
    /// the format for people.
    pub rule_url: Option<String>,
    /// The working directory: services want paths that begin there.
    pub root: PathBuf,
    /// The causes that were reported.
    pub causes: Causes,
}

/// What outside of the files a finding comes from: the rule, and what is missing.
type Cause = (&'static Rule, String);

/// What was reported of causes outside of the files: how often, and in which words first. The threads that render files
/// look there for what they can leave out; the document alone adds to it.
#[derive(Clone, Debug, Default)]
pub struct Causes(Arc<Mutex<BTreeMap<Cause, (usize, String)>>>);

impl Causes {
    fn with<T>(&self, act: impl FnOnce(&mut BTreeMap<Cause, (usize, String)>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the cause of a finding was reported of another file.
    fn were_reported(&self, finding: &Finding) -> bool {
        cause(finding).is_some_and(|cause| self.with(|reported| reported.contains_key(&cause)))
    }

    /// Counts a finding with this cause, and says whether it is the first.
    fn is_first(&self, cause: Cause, message: String) -> bool {
        self.with(|reported| {
            let (count, _) = reported.entry(cause).or_insert((0, message));
            *count += 1;
            *count == 1
        })
    }

    /// What was found again, most often first.
    fn render(&self) -> String {
        let mut again: Vec<(usize, String)> =
            self.with(|reported| reported.values().filter(|(count, _)| *count > 1).cloned().collect());
        again.sort_by(|(left, _), (right, _)| right.cmp(left));
        let mut text = String::new();
        if !again.is_empty() {
            text.push_str("Told once, but found in more places (--format concise tells each):\n");
        }
        for (count, message) in again.iter().take(MOST_CAUSES) {
            let _ = writeln!(text, "{count:8}  {}", printable(message));
        }
        if let Some(more @ [_, ..]) = again.get(MOST_CAUSES..) {
            let places: usize = more.iter().map(|(count, _)| count).sum();
            let _ = writeln!(text, "{places:8}  {} more such messages", more.len());
        }
        text
    }
}

fn cause(finding: &Finding) -> Option<Cause> {
    Some((finding.rule, finding.cause.clone()?))
}

/// What one file contributes to a document.
#[derive(Debug, Default)]
pub struct Rendered {
    /// All its findings; the content refers to them by number.
    findings: Vec<Reported>,
    /// The numbers of those whose cause is reported once, with their messages.
    causes: Vec<(usize, Cause, String)>,
    content: Content,
}

/// What is left of a finding that was rendered.
#[derive(Clone, Copy, Debug)]
pub struct Reported {
    /// How much it matters.
    pub severity: Severity,
    /// Its rule.
    pub rule: &'static Rule,
    /// The same for findings that say the same.
    identity: u128,
}

impl Reported {
    fn new(output: &Output, finding: &Finding) -> Self {
        let (rule, at) = (finding.rule, &finding.location);
        let path = paths::below(&output.root, &at.path);
        let place = format!("{}:{}:{}:{}", at.start.line, at.start.column, at.end.line, at.end.column);
        let text = finding.text();
        let parts = [rule.code.as_bytes(), path.as_os_str().as_encoded_bytes(), place.as_bytes(), text.as_bytes()];
        // No part can end like the beginning of the next: a NUL is in no code, path or place.
        Reported { severity: finding.severity, rule, identity: fnv1a(&parts.join(&0)) }
    }
}

#[derive(Debug)]
enum Content {
    /// Texts in their order.
    Pieces(Vec<Piece>),
    /// Records of the JSON document.
    Records(Records),
    /// A suite of JUnit's, by its name: the number of a finding and its case.
    Suite(String, Vec<(usize, TestCase)>),
}

impl Default for Content {
    fn default() -> Self {
        Content::Pieces(Vec::new())
    }
}

impl Output {
    /// Renders what is to be reported of a file. All findings pass through here, and get the severities that the
    /// configuration gives.
    pub fn render<E: Entry>(&self, mut report: Report<'_, E>) -> Rendered {
        self.levels.apply(&mut report.findings);
        let findings = &report.findings;
        let mut selected: Vec<usize> =
            (0..findings.len()).filter(|&number| findings[number].severity >= self.lowest_severity).collect();
        let mut causes = Vec::new();
        if self.format == Format::Full {
            let with_cause = selected.iter().filter_map(|&number| {
                cause(&findings[number]).map(|cause| (number, cause, findings[number].message.clone()))
            });
            causes = with_cause.collect();
            selected.retain(|&number| !self.causes.were_reported(&findings[number]));
        }
        let each = |render: &mut dyn FnMut(&Finding) -> String| {
            let piece = |&number: &usize| Piece::of_finding(number, render(&findings[number]));
            Content::Pieces(selected.iter().map(piece).collect())
        };
        let mut fingerprints = Fingerprints::new(&self.root, report.texts);
        let content = match self.format {
            Format::Full => Content::Pieces(full::render(&report, &selected, &self.palette, self.rule_url.as_deref())),
            Format::Concise => Content::Pieces(concise::render(&report, &selected)),
            Format::Json => Content::Records(Records::new(&report, Tags::None)),
            Format::Jsonl => Content::Pieces(jsonl::render(&report)),
            Format::Sarif => each(&mut |finding| {
                let fingerprint = fingerprints.of_next(finding);
                sarif::result(self.registry, &self.root, report.texts, finding, fingerprint)
            }),
            Format::Github => each(&mut |finding| github::command(&self.root, finding)),
            Format::Gitlab => each(&mut |finding| gitlab::issue(&self.root, finding, fingerprints.of_next(finding))),
            Format::Rdjsonl => each(&mut |finding| rdjsonl::diagnostic(&self.root, report.texts, finding)),
            Format::Junit => {
                let cases = selected.iter().map(|&number| (number, junit::case(&self.root, &findings[number])));
                Content::Suite(junit::name(&self.root, report.path), cases.collect())
            }
        };
        Rendered { findings: findings.iter().map(|finding| Reported::new(self, finding)).collect(), causes, content }
    }
}

/// The document of a run: it takes what was rendered in order, and gives back what can be printed.
#[derive(Debug)]
pub struct Document {
    format: Format,
    registry: Registry,
    records: json::Document,
    suites: Vec<TestSuite>,
    has_pieces: bool,
    /// The identities of the findings so far.
    emitted: HashSet<u128>,
    causes: Causes,
}

/// What a file added to a document.
#[derive(Debug)]
pub struct Emitted {
    /// What can be printed of it.
    pub text: String,
    /// The findings that were not emitted before.
    pub findings: Vec<Reported>,
}

impl Document {
    /// An empty document for what this output gives.
    pub fn new(output: &Output, contents: Contents) -> Self {
        Document {
            format: output.format,
            registry: output.registry,
            records: json::Document::new(contents),
            suites: Vec::new(),
            has_pieces: false,
            emitted: HashSet::new(),
            causes: output.causes.clone(),
        }
    }

    /// What stands before the first file.
    pub fn head(&self) -> String {
        match self.format {
            Format::Jsonl => jsonl::head(),
            Format::Sarif => sarif::head(self.registry),
            Format::Gitlab => gitlab::HEAD.to_owned(),
            Format::Json => self.records.head(),
            Format::Full | Format::Concise | Format::Github | Format::Junit | Format::Rdjsonl => String::new(),
        }
    }

    /// What stands between two findings.
    fn separator(&self) -> &'static str {
        match self.format {
            Format::Sarif | Format::Gitlab => ",\n",
            Format::Full
            | Format::Concise
            | Format::Json
            | Format::Jsonl
            | Format::Github
            | Format::Junit
            | Format::Rdjsonl => "",
        }
    }

    /// Takes the next file.
    ///
    /// # Errors
    ///
    /// When what waits for the end can't be written to a temporary file.
    pub fn add(&mut self, rendered: Rendered) -> io::Result<Emitted> {
        let Rendered { findings, causes, content } = rendered;
        let is_new: Vec<bool> = findings.iter().map(|finding| self.emitted.insert(finding.identity)).collect();
        let mut is_shown = is_new.clone();
        for (number, cause, message) in causes {
            is_shown[number] = is_new[number] && self.causes.is_first(cause, message);
        }
        let passes = |piece: &Piece| piece.finding.is_none_or(|number| is_shown[number]);
        let mut text = String::new();
        match content {
            Content::Pieces(pieces) => {
                for piece in pieces.into_iter().filter(passes) {
                    if std::mem::replace(&mut self.has_pieces, true) {
                        text.push_str(self.separator());
                    }
                    text.push_str(&piece.text);
                }
            }
            Content::Records(records) => text = self.records.add(records, passes)?,
            Content::Suite(name, cases) => {
                let cases = cases.into_iter().filter(|(number, _)| is_shown[*number]).map(|(_, case)| case);
                self.suites.push(junit::suite(&name, cases.collect()));
            }
        }
        let findings = findings.into_iter().zip(is_new).filter_map(|(finding, is_new)| is_new.then_some(finding));
        Ok(Emitted { text, findings: findings.collect() })
    }

    /// Prints what stands behind the last file.
    ///
    /// # Errors
    ///
    /// Those of `print`, and when a temporary file can't be read.
    pub fn tail<E: From<io::Error>>(self, mut print: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        match self.format {
            Format::Json => self.records.tail(print),
            Format::Sarif => print(sarif::TAIL),
            Format::Gitlab => print(gitlab::TAIL),
            Format::Junit => print(&junit::render(self.suites)),
            Format::Full => print(&self.causes.render()),
            Format::Concise | Format::Jsonl | Format::Github | Format::Rdjsonl => Ok(()),
        }
    }
}
