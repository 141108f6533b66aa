//! For a person: findings with the source lines they speak of, and specifications under their statements.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::concise::place;
use super::{FileReport, Finding, Location, Selection, Severity};
use crate::infer::{InferredComputation, Unspecified};
use crate::source::{SourceText, SourceTexts};

/// Lines shown of a statement that goes over many.
const LONGEST_EXCERPT: u32 = 6;
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

/// The report on one file: its findings, then its computations, as selected. Empty when there is nothing to say.
pub fn render(report: &FileReport, selection: Selection, style: Style) -> String {
    let mut text = String::new();
    for finding in report.findings.iter().filter(|finding| finding.severity >= selection.lowest_severity) {
        text.push_str(&render_finding(finding, Some(report.texts), style));
        text.push('\n');
    }
    for computation in &report.inference.computations {
        let listed = (selection.specifications && !computation.specifications.is_empty())
            || (selection.reasons && !computation.unspecified.is_empty());
        if listed {
            text.push_str(&render_computation(report.texts, computation, selection, style));
            text.push('\n');
        }
    }
    text
}

/// One finding; without `texts` (a file that can't be read, whose path the message gives) there are no source lines.
pub fn render_finding(finding: &Finding, texts: Option<&SourceTexts>, style: Style) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let path = finding.location.path.to_string_lossy();
    let excerpt =
        texts.and_then(|texts| text_of(texts, &finding.location)).map(|text| excerpt(text, &finding.location));
    let title = level.primary_title(finding.message.as_str()).id(finding.rule.code);
    let mut group = Group::with_title(title);
    if let Some(excerpt) = &excerpt {
        group = group.element(
            Snippet::source(excerpt.text.as_str())
                .line_start(finding.location.start.line as usize)
                .path(path)
                .annotation(AnnotationKind::Primary.span(excerpt.marked.clone())),
        );
    } else if texts.is_some() {
        group = group.element(Origin::path(path).line(finding.location.start.line as usize));
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    let renderer = if style.coloured { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.render(&[group]);
    text.push('\n');
    text
}

/// The text in which a location lies.
fn text_of<'texts>(texts: &'texts SourceTexts, location: &Location) -> Option<&'texts SourceText> {
    texts.all().iter().find(|text| text.path == location.path)
}

/// Some source lines as text, and what of them is marked, in bytes.
struct Excerpt {
    text: String,
    marked: Range<usize>,
}

/// The lines of a location. Bytes that aren't UTF-8 become one replacement character each, as columns count them.
fn excerpt(source: &SourceText, location: &Location) -> Excerpt {
    let (first, last) = (location.start.line, location.end.line.max(location.start.line));
    let shown_last = last.min(first + LONGEST_EXCERPT - 1).min(source.line_count().max(first));
    let mut text = String::new();
    let mut marked = 0..0;
    for number in first..=shown_last {
        let line = shortened(source.line(number));
        if number == first {
            marked.start = byte_of_column(&line, location.start.column);
        }
        marked.end = text.len() + if number == last { byte_of_column(&line, location.end.column) } else { line.len() };
        text.push_str(&line);
        text.push('\n');
    }
    marked.end = marked.end.max(marked.start);
    Excerpt { text, marked }
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
    if selection.reasons {
        for arrays in by_cause(&computation.unspecified) {
            let _ = writeln!(text, "{:>width$} {faint}={end} {}", "", reason_text(texts, &arrays, style));
        }
    }
    text
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
    let Some(source) = text_of(texts, location) else { return Vec::new() };
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

/// Control characters (a form feed, a stray escape) would change the terminal, not show.
fn printable(character: char) -> char {
    if character.is_control() { char::REPLACEMENT_CHARACTER } else { character }
}
