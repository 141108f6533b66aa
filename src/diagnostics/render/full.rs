//! For a person: findings with the source lines they speak of, and specifications under their statements.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::concise::place;
use super::output::{Causes, Piece};
use crate::analysis::stencil::infer::{Border, InferredComputation, Unspecified};
use crate::diagnostics::{FileReport, Finding, Location, Related, Selection, Severity};
use crate::source::{LineColumn, SourceText, SourceTexts};

/// Lines shown of a statement that goes over many.
const LONGEST_EXCERPT: u32 = 6;
/// Lines around a place that the renderer may show with it, where another place is near.
const CONTEXT: u32 = 3;
/// Characters of source quoted within a sentence.
const LONGEST_QUOTATION: usize = 40;
/// Characters shown of a line: no line of a program that people read is longer, and generated ones go over megabytes.
const LONGEST_LINE: usize = 400;

/// The colours of a report, or none.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    emphasis: &'static str,
    faint: &'static str,
    good: &'static str,
    end: &'static str,
    coloured: bool,
}

impl Style {
    /// Colours as ANSI escape sequences, or plain text.
    pub fn new(coloured: bool) -> Self {
        if coloured {
            Style { emphasis: "\x1b[1m", faint: "\x1b[2m", good: "\x1b[32m", end: "\x1b[0m", coloured }
        } else {
            Style { emphasis: "", faint: "", good: "", end: "", coloured }
        }
    }
}

/// The report on one file: its findings but for those whose causes were told, then its computations, as selected.
pub fn render(report: &FileReport, selection: Selection, style: Style, told: &Causes) -> Vec<Piece> {
    let findings = report.findings.iter().enumerate();
    let selected =
        findings.filter(|(_, finding)| finding.severity >= selection.lowest_severity && !told.were_told(finding));
    let of_finding = |(number, finding): (usize, &Finding)| {
        Piece::of(number, render_finding(finding, Some(report.texts), style) + "\n")
    };
    let mut pieces: Vec<Piece> = selected.map(of_finding).collect();
    let mut text = String::new();
    for computation in &report.inference.computations {
        let listed = (selection.specifications && !computation.specifications.is_empty())
            || (selection.reasons && !computation.unspecified.is_empty());
        if listed {
            text.push_str(&render_computation(report.texts, computation, selection, style));
            text.push('\n');
        }
    }
    pieces.push(Piece::beside(text));
    pieces
}

/// One finding; without `texts` (a file that can't be read, whose path the message gives) there are no source lines.
pub fn render_finding(finding: &Finding, texts: Option<&SourceTexts>, style: Style) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(finding.message.as_str()).id(finding.rule.code);
    let path = shown(&finding.location.path);
    let excerpts = texts.map(|texts| excerpts(texts, finding)).unwrap_or_default();
    let mut group = Group::with_title(title);
    if texts.is_some() {
        let LineColumn { line, column } = finding.location.start;
        group = group.element(Origin::path(path).line(line as usize).char_column(column as usize));
    }
    for excerpt in &excerpts {
        let snippet = Snippet::source(excerpt.text.as_str()).line_start(excerpt.first_line as usize);
        let snippet = match &excerpt.path {
            Some(path) => snippet.path(path.as_str()),
            None => snippet,
        };
        group = group.element(snippet.annotations(excerpt.marks.iter().map(annotation)));
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for text in &finding.inferred {
        group = group.element(Level::NOTE.with_name("inferred").message(text.as_str()));
    }
    let renderer = if style.coloured { Renderer::styled() } else { Renderer::plain() };
    // The renderer shows the control characters of ASCII; those of Latin 1 command some terminals too.
    let text = renderer.render(&[group]).replace(|c: char| ('\u{80}'..='\u{9f}').contains(&c), "\u{FFFD}");
    // The place stands in the first line; before an excerpt without a path the renderer puts an empty one.
    let is_empty_place =
        |line: &str| line.contains(":::") && anstream::adapter::strip_str(line).to_string().trim() == ":::";
    let mut shown = String::with_capacity(text.len() + 1);
    for line in text.lines().filter(|line| !is_empty_place(line)) {
        shown.push_str(line);
        shown.push('\n');
    }
    shown
}

/// Some source lines as text, and what of them is marked.
struct Excerpt {
    /// The file, if it isn't that of the finding.
    path: Option<String>,
    first_line: u32,
    text: String,
    marks: Vec<Mark>,
}

struct Mark {
    /// In bytes of the excerpt.
    range: Range<usize>,
    label: String,
    to_blame: bool,
}

fn annotation(mark: &Mark) -> Annotation<'_> {
    let kind = if mark.to_blame { AnnotationKind::Primary } else { AnnotationKind::Context };
    let annotation = kind.span(mark.range.clone());
    if mark.label.is_empty() { annotation } else { annotation.label(mark.label.as_str()) }
}

/// What is shown of a finding, file by file: the places that belong to it, and its own where none of them lies there or none is to
/// blame.
fn excerpts(texts: &SourceTexts, finding: &Finding) -> Vec<Excerpt> {
    let to_blame = !finding.related.iter().any(|related| related.to_blame);
    let own = Related { location: finding.location.clone(), label: String::new(), to_blame };
    let lines = own.location.start.line..=own.location.end.line;
    let is_shown = finding
        .related
        .iter()
        .any(|related| related.location.path == own.location.path && lines.contains(&related.location.start.line));
    let places: Vec<&Related> = finding.related.iter().chain((to_blame || !is_shown).then_some(&own)).collect();
    // A file that is included twice has two texts.
    let mut seen = HashSet::new();
    texts
        .all()
        .iter()
        .filter(|text| seen.insert(text.path.as_path()))
        .filter_map(|text| {
            let here: Vec<&Related> = places.iter().copied().filter(|place| place.location.path == text.path).collect();
            let mut excerpt = excerpt(text, &here)?;
            excerpt.path = (text.path != finding.location.path).then(|| shown(&text.path));
            Some(excerpt)
        })
        .collect()
}

/// The lines from the first to the last place, those between that are near none of them empty: the renderer leaves them out. Bytes
/// that aren't UTF-8 become one replacement character each, as columns count them.
fn excerpt(source: &SourceText, places: &[&Related]) -> Option<Excerpt> {
    let last_of = |place: &Related| {
        let Location { start, end, .. } = &place.location;
        end.line.max(start.line).min(start.line + LONGEST_EXCERPT - 1)
    };
    let first_line = places.iter().map(|place| place.location.start.line).min()?;
    let last_line = places.iter().map(|place| last_of(place)).max()?.min(source.line_count().max(first_line));
    let near = |place: &&Related| {
        let first = place.location.start.line.saturating_sub(CONTEXT).max(first_line);
        first..=last_of(place).saturating_add(CONTEXT).min(last_line)
    };
    let copied: BTreeSet<u32> = places.iter().flat_map(near).collect();
    let mut text = String::new();
    let mut starts: BTreeMap<u32, usize> = BTreeMap::new();
    let mut next = first_line;
    for number in copied {
        text.extend((next..number).map(|_| '\n'));
        starts.insert(number, text.len());
        text.push_str(&shortened(source.line(number)));
        text.push('\n');
        next = number + 1;
    }
    let byte_of = |line: u32, column: Option<u32>| {
        let start = starts.get(&line.min(last_line)).copied().unwrap_or(0);
        let line = text[start..].split('\n').next().unwrap_or_default();
        start + column.map_or(line.len(), |column| byte_of_column(line, column))
    };
    let mark = |place: &&Related| {
        let Location { start, end, .. } = &place.location;
        let first = byte_of(start.line, Some(start.column));
        let last = last_of(place);
        let end = byte_of(last, (last == end.line).then_some(end.column));
        Mark { range: first..end.max(first), label: place.label.clone(), to_blame: place.to_blame }
    };
    let marks = places.iter().map(mark).collect();
    Some(Excerpt { path: None, first_line, text, marks })
}

fn shortened(line: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(line) {
        line if line.len() <= LONGEST_LINE => line,
        line => Cow::Owned(line.chars().take(LONGEST_LINE).collect()),
    }
}

/// The byte at which a column (from 1, in characters) begins.
fn byte_of_column(line: &str, column: u32) -> usize {
    line.char_indices().nth(column.max(1) as usize - 1).map_or(line.len(), |(byte, _)| byte)
}

/// One computation: place and unit, the statement's lines, and below them what was inferred.
fn render_computation(
    texts: &SourceTexts,
    computation: &InferredComputation,
    selection: Selection,
    style: Style,
) -> String {
    let location = Location::of(texts, computation.span);
    let Style { emphasis, faint, good, end, .. } = style;
    let mut text = format!("{emphasis}{}{end}", place(&location.path, location.start));
    if !computation.unit.is_empty() {
        let _ = write!(text, "  {faint}{}{end}", computation.unit);
    }
    text.push('\n');
    let width = location.end.line.to_string().len().max(4);
    for (number, line) in source_lines(texts, &location) {
        let _ = writeln!(text, "{faint}{number:>width$} |{end} {line}");
    }
    if selection.specifications {
        for specification in &computation.specifications {
            let _ = writeln!(text, "{:>width$} {faint}={end} {good}{}{end}", "", specification.text);
        }
    }
    if selection.specifications && !computation.specifications.is_empty() {
        for border in &computation.borders {
            let _ = writeln!(text, "{:>width$} {faint}= {}{end}", "", border_text(texts, border));
        }
    }
    if selection.reasons {
        for arrays in by_cause(&computation.unspecified) {
            let _ = writeln!(text, "{:>width$} {faint}={end} {}", "", reason_text(texts, &arrays, style));
        }
    }
    text
}

/// What is left out of the specification of an array.
fn border_text(texts: &SourceTexts, border: &Border) -> String {
    let index = quoted(texts.bytes(border.span)).unwrap_or_else(|| "its index".to_owned());
    format!("away from the border: the other value of {index} is left out for '{}'", border.variable)
}

/// The arrays that get no specification, those with one reason and one place to blame together, in order.
fn by_cause(unspecified: &[Unspecified]) -> Vec<Vec<&Unspecified>> {
    let mut groups: Vec<Vec<&Unspecified>> = Vec::new();
    for array in unspecified {
        let same_cause = |group: &&mut Vec<&Unspecified>| {
            group.first().is_some_and(|first| (first.reason, first.span) == (array.reason, array.span))
        };
        match groups.iter_mut().find(same_cause) {
            Some(group) => group.push(array),
            None => groups.push(vec![array]),
        }
    }
    groups
}

/// Why arrays got no specification, and the source to blame.
fn reason_text(texts: &SourceTexts, arrays: &[&Unspecified], style: Style) -> String {
    let Some(first) = arrays.first() else { return String::new() };
    let names: Vec<String> = arrays.iter().map(|array| format!("'{}'", array.variable)).collect();
    let (reason, explanation) = (first.reason.name(), first.reason.explanation());
    let Style { emphasis, faint, end, .. } = style;
    let location = Location::of(texts, first.span);
    let at = match texts.in_root(first.span) {
        true => format!("{}:{}", location.start.line, location.start.column),
        false => place(&location.path, location.start),
    };
    let blamed = match quoted(texts.bytes(first.span)) {
        Some(source) => format!("{source} at {at}"),
        None => format!("at {at}"),
    };
    format!("no specification for {}: {emphasis}{reason}{end}: {explanation} {faint}({blamed}){end}", names.join(", "))
}

/// Source in quotes, if it is short enough to be read in passing.
fn quoted(source: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(source);
    let fits = !text.is_empty() && text.chars().count() <= LONGEST_QUOTATION && !text.contains(['\n', '\r']);
    fits.then(|| format!("'{}'", text.chars().map(printable).collect::<String>()))
}

/// The numbered lines of a statement, with the common indentation taken off; the middle of a very long one is left out.
fn source_lines(texts: &SourceTexts, location: &Location) -> Vec<(String, String)> {
    let Some(source) = texts.of_path(&location.path) else { return Vec::new() };
    let last = location.end.line.min(source.line_count());
    let shown_last = last.min(location.start.line + LONGEST_EXCERPT - 1);
    let mut lines: Vec<(String, String)> = (location.start.line..=shown_last)
        .map(|number| (number.to_string(), shortened(source.line(number)).replace('\t', "        ")))
        .collect();
    let indentation = lines
        .iter()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(_, line)| line.len() - line.trim_start_matches(' ').len())
        .min()
        .unwrap_or(0);
    for (_, line) in &mut lines {
        *line = line.get(indentation..).unwrap_or_default().trim_end().chars().map(printable).collect();
    }
    if shown_last < last {
        lines.push((String::new(), format!("… {} more lines", last - shown_last)));
    }
    lines
}

/// A path as text that changes no terminal.
fn shown(path: &Path) -> String {
    path.to_string_lossy().replace(char::is_control, "\u{FFFD}")
}

/// Control characters (a form feed, a stray escape) would change the terminal, not show.
fn printable(character: char) -> char {
    if character.is_control() { char::REPLACEMENT_CHARACTER } else { character }
}
