//! The mutation bench: what is inferred is inserted, then one slip is made in the code, and `check` must say so and
//! give the right hint. Prints a table by the kind of slip.
//!
//! By default a sample of the slips in `corpus/` is tried. `CAMFORT_MUTANTS=DIR` takes the files below a directory
//! instead, which are looked at together, `CAMFORT_EVERY=N` each N-th slip of a kind (1: all), `CAMFORT_SHOW=1` prints
//! what is missed.
#![allow(clippy::print_stdout, reason = "the table is a result of its own")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::check::Require;
use camfort_rs::analysis::stencil::computations::{
    self, AbsoluteIndex, Axis, ClassifiedRead, Computation, Coordinate, WrittenSubscript,
};
use camfort_rs::analysis::stencil::{Check, CheckOptions, Infer, InferOptions};
use camfort_rs::diagnostics::{Finding, Location, Severity, Suggestion, edit};
use camfort_rs::names::Resolved;
use camfort_rs::region::Place;
use camfort_rs::source::{SourceTexts, Span};
use camfort_rs::syntax::{StatementId, Tree};
use camfort_rs::workspace::{Project, SourceOptions};

mod common;
use common::{fortran_files, replaced, root};

/// The kinds of slips.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Slip {
    Offset,
    DroppedOffset,
    Variable,
    Swap,
    SectionStart,
    FixedIndex,
    ArrayName,
    LeftSide,
}

/// One slip: the bytes that are replaced, and what stands there then.
type Mutant = (Slip, Vec<(Span, String)>);

/// Source text without blanks, in lower case.
fn compact(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars()
        .filter(|character| !character.is_whitespace())
        .map(|character| character.to_ascii_lowercase())
        .collect()
}

/// What slips are made in: a file with its names.
struct Subject<'t> {
    tree: &'t Tree,
    resolved: &'t Resolved,
    bytes: &'t [u8],
}

impl Subject<'_> {
    fn text(&self, span: Span) -> String {
        compact(self.bytes.get(span.start as usize..span.end as usize).unwrap_or_default())
    }

    fn over(&self, axis: Axis, constant: i64) -> Option<String> {
        let Axis::Variable(symbol) = axis else { return None };
        let variable = self.tree.names.text(self.resolved.symbol(symbol).name);
        Some(if constant == 0 { variable.to_string() } else { format!("{variable}{constant:+}") })
    }

    /// Whether a reference stands in the file as it is read, on one line.
    fn is_plain(&self, span: Span) -> bool {
        let is_here = self.tree.source.texts.in_root(span) && span.end as usize <= self.bytes.len();
        is_here && !self.text(span).contains('&') && self.text(span).contains('(')
    }

    /// All slips in the reads of a computation, and on its left side.
    fn mutants(&self, computation: &Computation) -> Vec<Mutant> {
        let mut found = Vec::new();
        let reads = || computation.arrays.iter().flatten().flat_map(|access| &access.classified);
        let axes: BTreeSet<Axis> = reads()
            .flat_map(|read| &read.coordinates)
            .filter_map(|one| if let Coordinate::Relative(axis, _) = one { Some(*axis) } else { None })
            .chain(computation.left.axes.keys().copied())
            .collect();
        for access in computation.arrays.iter().flatten() {
            let names = computation.arrays.iter().flatten().filter(|other| {
                other.array != access.array && other.usual.len() == access.usual.len() && !other.spelling.contains('%')
            });
            let names: Vec<&str> = names.map(|other| other.spelling.as_str()).collect();
            for read in access.classified.iter().filter(|read| read.ordinal == 0 && self.is_plain(read.span)) {
                found.extend(self.of_read(read, &axes));
                let name = Span::new(read.span.start, read.span.start + access.spelling.len() as u32);
                if self.text(name) == access.spelling.to_ascii_lowercase() {
                    found.extend(names.iter().map(|other| (Slip::ArrayName, vec![(name, (*other).to_owned())])));
                }
            }
        }
        if let Some(written) = &computation.left.written
            && self.is_plain(written.span)
            && !found.is_empty()
        {
            for (subscript, axis) in written.subscripts.iter().zip(&computation.left.subscripts) {
                for by in [-1, 1] {
                    let text = axis.and_then(|axis| self.over(axis, subscript.constant + by));
                    found.extend(text.map(|text| (Slip::LeftSide, vec![(subscript.span, text)])));
                }
            }
        }
        found
    }

    fn of_read(&self, read: &ClassifiedRead, axes: &BTreeSet<Axis>) -> Vec<Mutant> {
        let mut found = Vec::new();
        for (dimension, (written, coordinate)) in read.subscripts.iter().zip(&read.coordinates).enumerate() {
            let WrittenSubscript { span, constant, .. } = *written;
            let mut add = |slip, text: Option<String>| found.extend(text.map(|text| (slip, vec![(span, text)])));
            match coordinate {
                Coordinate::Relative(Axis::Section(_), _) => {
                    let text = self.text(span);
                    if let Some((lower, rest)) = text.split_once(':').filter(|(lower, _)| !lower.is_empty()) {
                        add(Slip::SectionStart, Some(format!("{lower}+1:{rest}")));
                        add(Slip::SectionStart, Some(format!("{lower}-1:{rest}")));
                    }
                }
                Coordinate::Relative(axis, _) if read.is_plain => {
                    for changed in [constant - 1, constant + 1] {
                        add(Slip::Offset, self.over(*axis, changed).filter(|_| changed != 0));
                    }
                    if constant != 0 {
                        add(Slip::Offset, self.over(*axis, -constant));
                        add(Slip::DroppedOffset, self.over(*axis, 0));
                    }
                    for other in axes.iter().filter(|other| *other != axis) {
                        add(Slip::Variable, self.over(*other, constant));
                    }
                }
                Coordinate::Absolute(AbsoluteIndex { place: Some(place), .. }) => {
                    if let Place::Fixed(value) = Place::of(*place) {
                        add(Slip::FixedIndex, Some((value + 1).to_string()));
                    }
                }
                Coordinate::Relative(..) | Coordinate::Absolute(_) => {}
            }
            for other in read.subscripts[..dimension].iter().map(|other| other.span) {
                let (one, two) = (self.text(other), self.text(span));
                if one != two {
                    found.push((Slip::Swap, vec![(other, two), (span, one)]));
                }
            }
        }
        found
    }
}

/// The text with a slip in it.
fn mutated(bytes: &[u8], edits: &[(Span, String)]) -> Vec<u8> {
    replaced(bytes, edits.iter().map(|(span, text)| (span.start as usize..span.end as usize, text.as_str())))
}

/// The text with what a hint suggests.
fn with_hint(bytes: &[u8], hint: &Suggestion) -> String {
    let text = String::from_utf8_lossy(bytes);
    let Location { start, end, .. } = &hint.location;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (first, last) = (start.line as usize - 1, end.line as usize - 1);
    if first == last {
        let line: Vec<char> = lines[first].chars().collect();
        let (from, to) = (start.column as usize - 1, end.column as usize - 1);
        let part = |part: &[char]| part.iter().collect::<String>();
        lines[first] = format!("{}{}{}", part(&line[..from]), hint.replacement, part(&line[to.min(line.len())..]));
    }
    compact(lines.join("\n").as_bytes())
}

/// What came of the slips of one kind.
#[derive(Clone, Copy, Default, Debug)]
struct Shares {
    tried: usize,
    /// Those after which the code reads the same elements as before, or as often.
    absorbed: usize,
    caught: usize,
    restored: usize,
    misled: usize,
}

fn check_of(project: &Project, path: &Path, bytes: &[u8]) -> Vec<Finding> {
    let options = CheckOptions { require: Require::All, ..CheckOptions::default() };
    analyse::<Check>(&project.view(path, bytes), options).findings
}

/// The text without the lines that inference writes.
fn without_specifications(text: &[u8]) -> Vec<u8> {
    let is_specification = |line: &&[u8]| {
        let line = line.trim_ascii_start();
        [b"!= stencil ".as_slice(), b"!= access ", b"c= stencil ", b"c= access "]
            .iter()
            .any(|sign| line.starts_with(sign))
    };
    text.split_inclusive(|&byte| byte == b'\n').filter(|line| !is_specification(line)).flatten().copied().collect()
}

fn is_told(finding: &Finding) -> bool {
    finding.rule.code.starts_with('S') && (finding.severity == Severity::Error || finding.rule.code == "S020")
}

/// Tries the slips in one file; `turn` counts those of each kind, of which each so many-th is tried.
fn try_file(
    project: &Project,
    path: &Path,
    every: usize,
    turn: &mut BTreeMap<Slip, usize>,
    shares: &mut BTreeMap<Slip, Shares>,
) {
    let Ok(bare) = std::fs::read(path) else { return };
    let inferred = analyse::<Infer>(&project.view(path, bare.as_slice()), InferOptions::default());
    let bytes = edit::apply(&bare, &inferred.insertions);
    // Findings on a file as it is would hide those on a slip.
    if check_of(project, path, &bytes).iter().any(is_told) {
        return;
    }
    let view = project.view(path, bytes.as_slice());
    let (tree, resolved) = (view.tree(), view.names());
    // Classified reads are kept where something is asked for; the first statement, no assignment, adds nothing.
    let wanted = BTreeSet::from([StatementId::default()]);
    let found = computations::computations(tree, resolved, false, &wanted, &computations::NoLibrary);
    let subject = Subject { tree, resolved, bytes: &bytes };
    let original = compact(&bytes);
    for (slip, edits) in found.iter().filter(|one| one.is_root).flat_map(|one| subject.mutants(one)) {
        let turn = turn.entry(slip).or_default();
        *turn += 1;
        if !turn.is_multiple_of(every) {
            continue;
        }
        let text = mutated(&bytes, &edits);
        let findings = check_of(project, path, &text);
        let mut told = findings.iter().filter(|finding| is_told(finding));
        let is_caught = told.clone().next().is_some();
        let hints = told.find(|finding| !finding.suggestions.is_empty()).map(|finding| finding.suggestions.as_slice());
        let is_restored = hints.is_some_and(|hints| hints.iter().any(|hint| with_hint(&text, hint) == original));
        // What is inferred without what is there says what the code reads.
        let now = analyse::<Infer>(&project.view(path, without_specifications(&text)), InferOptions::default());
        let is_absorbed = edit::apply(&without_specifications(&text), &now.insertions) == text;
        let of_slip = shares.entry(slip).or_default();
        of_slip.tried += 1;
        of_slip.absorbed += usize::from(is_absorbed);
        of_slip.caught += usize::from(is_caught);
        of_slip.restored += usize::from(is_restored);
        of_slip.misled += usize::from(hints.is_some() && !is_restored);
        if std::env::var_os("CAMFORT_SHOW").is_some() && !(is_caught && is_restored) {
            show(&view.texts().clone(), slip, &edits, &subject, &findings);
        }
    }
}

fn show(texts: &SourceTexts, slip: Slip, edits: &[(Span, String)], subject: &Subject<'_>, findings: &[Finding]) {
    let (path, start, _) = texts.locate(edits[0].0);
    let line =
        String::from_utf8_lossy(subject.bytes).lines().nth(start.line as usize - 1).unwrap_or_default().to_owned();
    let codes: Vec<&str> = findings.iter().map(|finding| finding.rule.code).collect();
    let hints: Vec<&str> =
        findings.iter().flat_map(|finding| &finding.suggestions).map(|hint| hint.replacement.as_str()).collect();
    println!(
        "{}:{} {slip:?} {:?}: {codes:?} {hints:?} of {}",
        path.display(),
        start.line,
        edits.last().map(|one| &one.1),
        line.trim()
    );
}

#[test]
fn slips_are_caught_and_hints_undo_them() {
    let folder = std::env::var_os("CAMFORT_MUTANTS").map_or_else(|| root().join("corpus"), PathBuf::from);
    let every = std::env::var("CAMFORT_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(23);
    let (mut turn, mut shares) = (BTreeMap::new(), BTreeMap::new());
    let files = fortran_files(&folder);
    let project = Project::load(&files, SourceOptions::default());
    for path in &files {
        try_file(&project, path, every, &mut turn, &mut shares);
    }
    println!(
        "| slip | tried | absorbed | caught | first hint restores | first hint misleads |\n|---|---|---|---|---|---|"
    );
    let percent = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
    for (slip, Shares { tried, absorbed, caught, restored, misled }) in &shares {
        println!(
            "| {slip:?} | {tried} | {:.1} % | {:.1} % | {:.1} % | {:.1} % |",
            percent(*absorbed, *tried),
            percent(*caught, *tried),
            percent(*restored, *tried),
            percent(*misled, *tried)
        );
    }
    let of = |slip: Slip| shares.get(&slip).copied().unwrap_or_default();
    let offsets = of(Slip::Offset);
    assert!(offsets.tried >= 20, "{offsets:?}");
    // Of what is read in two places one may be read elsewhere without a trace.
    assert_eq!(offsets.caught + offsets.absorbed, offsets.tried, "{offsets:?}");
    assert!(percent(offsets.restored, offsets.caught) >= 90.0, "{offsets:?}");
    for slip in [Slip::Variable, Slip::Swap] {
        assert_eq!(of(slip).caught + of(slip).absorbed, of(slip).tried, "{slip:?}: {:?}", of(slip));
        assert!(percent(of(slip).caught, of(slip).tried) >= 90.0, "{slip:?}: {:?}", of(slip));
    }
}
