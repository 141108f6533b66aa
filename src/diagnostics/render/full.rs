//! For a person: findings with the source lines they speak of, and entries under their statements.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Snippet};

use super::piece::Piece;
use super::quotation::{self, place, printable};
use super::style::Palette;
use crate::diagnostics::{Entry, Finding, Location, Mark, Report, Severity};
use crate::source::{LineColumn, SourceText, SourceTexts};

/// Lines shown of a statement that goes over many.
const LONGEST_EXCERPT: u32 = 6;
/// Lines around a place that the renderer may show with it, where another place is near.
const CONTEXT: u32 = 3;
/// Characters shown of a line: no line of a program that people read is longer, and generated ones go over megabytes.
const LONGEST_LINE: usize = 400;

/// The report on one file: its findings with these numbers, then its entries. Codes are links to this address, if there
/// is one, with `{code}` in place of the code.
pub fn render<E: Entry>(
    report: &Report<'_, E>,
    selected: &[usize],
    palette: &Palette,
    rule_url: Option<&str>,
) -> Vec<Piece> {
    let of_finding = |&number: &usize| {
        let text = render_finding(&report.findings[number], report.texts, palette, rule_url);
        Piece::of_finding(number, text + "\n")
    };
    let mut pieces: Vec<Piece> = selected.iter().map(of_finding).collect();
    if let (Some(texts), Some((_, entries))) = (report.texts, &report.listing) {
        pieces.push(Piece::of_listing(entries.iter().map(|entry| render_entry(texts, entry, palette)).collect()));
    }
    pieces
}

/// One finding; without `texts` (a file that can't be read, whose path the message gives) there are no source lines.
fn render_finding(finding: &Finding, texts: Option<&SourceTexts>, palette: &Palette, rule_url: Option<&str>) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut title = level.primary_title(printable(&finding.message)).id(finding.rule.code);
    if let Some(url) = rule_url {
        title = title.id_url(url.replace("{code}", finding.rule.code));
    }
    let mut group = Group::with_title(title);
    let excerpts = texts.map(|texts| excerpts(texts, finding)).unwrap_or_default();
    if texts.is_some() {
        let LineColumn { line, column } = finding.location.start;
        let path = quotation::path(&finding.location.path);
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
    for text in finding.remarks() {
        group = group.element(Level::NOTE.message(printable(text)));
    }
    for text in finding.inferred() {
        group = group.element(Level::NOTE.with_name("inferred").message(text));
    }
    let text = palette.renderer().render(&[group]);
    // The renderer shows the control characters of ASCII; those of Latin 1 command some terminals too.
    let text = text.replace(|c: char| ('\u{80}'..='\u{9f}').contains(&c), "\u{FFFD}");
    // The place stands below the message. Before an excerpt without a path the renderer puts an empty line and an empty
    // place.
    let empty_place = finding.message.split('\n').count() + 2;
    let has_empty_place = excerpts.first().is_some_and(|excerpt| excerpt.path.is_none());
    let mut shown = String::with_capacity(text.len() + 1);
    for (number, line) in text.lines().enumerate() {
        if !(has_empty_place && number == empty_place) {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    shown
}

/// Some source lines as text, and what of them is marked.
struct Excerpt {
    /// The file, if it isn't that of the finding.
    path: Option<String>,
    first_line: u32,
    text: String,
    marks: Vec<MarkedRange>,
}

struct MarkedRange {
    /// In bytes of the excerpt.
    range: Range<usize>,
    label: String,
    is_primary: bool,
}

fn annotation(mark: &MarkedRange) -> Annotation<'_> {
    let kind = if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
    let annotation = kind.span(mark.range.clone());
    if mark.label.is_empty() { annotation } else { annotation.label(mark.label.as_str()) }
}

/// What is shown of a finding, file by file, its own first: the places that belong to it, and its own where none of
/// them lies there or none is a primary one.
fn excerpts(texts: &SourceTexts, finding: &Finding) -> Vec<Excerpt> {
    let is_primary = !finding.marks.iter().any(|mark| mark.is_primary);
    let own = Mark { location: finding.location.clone(), label: String::new(), is_primary };
    let (path, lines) = (&own.location.path, own.location.start.line..=own.location.end.line);
    let is_own = |mark: &Mark| mark.location.path == *path && lines.contains(&mark.location.start.line);
    let is_shown = finding.marks.iter().any(is_own);
    let marks: Vec<&Mark> = finding.marks.iter().chain((is_primary || !is_shown).then_some(&own)).collect();
    // A file that is included twice has two texts.
    let mut seen = HashSet::new();
    let mut texts: Vec<&SourceText> = texts.all().iter().filter(|text| seen.insert(text.path.as_path())).collect();
    texts.sort_by_key(|text| text.path != *path);
    let of_text = |text: &SourceText| {
        let here: Vec<&Mark> = marks.iter().copied().filter(|mark| mark.location.path == text.path).collect();
        let mut excerpt = excerpt(text, &here)?;
        excerpt.path = (text.path != *path).then(|| quotation::path(&text.path));
        Some(excerpt)
    };
    texts.into_iter().filter_map(of_text).collect()
}

/// The lines from the first to the last place, those between that are near none of them empty: the renderer leaves them
/// out. Bytes that aren't UTF-8 become one replacement character each, as columns count them.
fn excerpt(source: &SourceText, places: &[&Mark]) -> Option<Excerpt> {
    let last_of = |place: &Mark| {
        let Location { start, end, .. } = &place.location;
        end.line.max(start.line).min(start.line + LONGEST_EXCERPT - 1)
    };
    let first_line = places.iter().map(|place| place.location.start.line).min()?;
    let last_line = places.iter().map(|place| last_of(place)).max()?.min(source.line_count().max(first_line));
    let near = |place: &&Mark| {
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
    let mark = |place: &&Mark| {
        let Location { start, end, .. } = &place.location;
        let first = byte_of(start.line, Some(start.column));
        let last = last_of(place);
        let end = byte_of(last, (last == end.line).then_some(end.column));
        MarkedRange { range: first..end.max(first), label: place.label.clone(), is_primary: place.is_primary }
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

/// One entry: place and unit, the statement's lines, and below them what was concluded. Empty if that is nothing.
fn render_entry<E: Entry>(texts: &SourceTexts, entry: &E, palette: &Palette) -> String {
    let conclusions = entry.lines(texts, palette);
    if conclusions.is_empty() {
        return String::new();
    }
    let location = Location::of(texts, entry.span());
    let Palette { strong, faint, .. } = palette;
    let mut text = format!("{strong}{}{strong:#}", place(&location.path, location.start));
    if !entry.unit().is_empty() {
        let _ = write!(text, "  {faint}{}{faint:#}", entry.unit());
    }
    text.push('\n');
    let width = location.end.line.to_string().len().max(4);
    for (number, line) in source_lines(texts, &location) {
        let _ = writeln!(text, "{faint}{number:>width$} |{faint:#} {line}");
    }
    for conclusion in conclusions {
        let _ = writeln!(text, "{:>width$} {conclusion}", "");
    }
    text + "\n"
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
        *line = printable(line.get(indentation..).unwrap_or_default().trim_end()).into_owned();
    }
    if shown_last < last {
        lines.push((String::new(), format!("… {} more lines", last - shown_last)));
    }
    lines
}
