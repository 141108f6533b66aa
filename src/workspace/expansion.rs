//! Files that a command of the user's expands before they are read, such as `fypp -n`.
//!
//! The command gets the text on its standard input, in the directory of the file, and prints the expanded text with
//! line markers (`# 12 "file"`, `#line 12 "file"`). What is read is that text, and what is said of it has its place in
//! the file: a line that came through as it is keeps its columns; what the command made, or made several times, lies
//! where its line says and counts as made by a macro, so nothing is inserted there. Only the file itself is ever
//! edited.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::source::{Prescanned, SourceNote, SourceTexts, Span, line_end};

/// More text is nobody's source.
const LARGEST: usize = 1 << 30;

/// A program and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpansionCommand(Vec<String>);

impl Display for ExpansionCommand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl ExpansionCommand {
    /// The words of a text between blanks; there is no shell. `None` if there are none.
    pub fn new(text: &str) -> Option<Self> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(ExpansionCommand(words))
    }

    /// The command as it is typed.
    fn text(&self) -> String {
        self.0.join(" ")
    }

    /// Expands the text of a file; else a sentence that says why not.
    pub(super) fn expand(&self, path: &Path, text: &[u8]) -> Result<Expansion, String> {
        let called = self.text();
        let failed = |why: String| format!("'{called}' does not expand this file, which is read as it stands: {why}");
        let output = self.output(path, text).map_err(|error| failed(super::discovery::reason(&error)))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no reason given");
            return Err(failed(format!("{}, {}", output.status, last.trim())));
        }
        if text.len() + output.stdout.len() > LARGEST {
            return Err(failed("its output is too large".to_owned()));
        }
        Expansion::new(text, output.stdout)
            .ok_or_else(|| failed("its output has no line markers (with fypp, option -n)".to_owned()))
    }

    fn output(&self, path: &Path, text: &[u8]) -> io::Result<std::process::Output> {
        let mut command = Command::new(&self.0[0]);
        command.args(&self.0[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = path.parent().filter(|directory| directory.is_dir()) {
            command.current_dir(directory);
        }
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        std::thread::scope(|scope| {
            // By another thread, as a command may print before it has read all. One that does not read is its own
            // matter.
            scope.spawn(move || input.map(|mut input| input.write_all(text)));
            child.wait_with_output()
        })
    }
}

/// An expanded text, and where its lines come from.
#[derive(Debug)]
pub(super) struct Expansion {
    /// The text.
    pub text: Vec<u8>,
    original: Vec<u8>,
    lines: Vec<Line>,
}

/// A line of the expanded text.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Offset in the expanded text.
    start: u32,
    /// The line of the file that it is, or comes from.
    original: Span,
    /// Offset of the first character of that line.
    first: u32,
    /// Whether it is that line, byte for byte.
    is_same: bool,
    /// Whether it is the first that comes from there.
    is_first: bool,
    /// Whether it is the only one.
    is_only: bool,
}

impl Expansion {
    /// Reads the markers; `None` if there are none and the text is another one.
    fn new(original: &[u8], text: Vec<u8>) -> Option<Expansion> {
        let originals = lines(original);
        let mut expanded = Vec::new();
        let mut uses: HashMap<u32, usize> = HashMap::new();
        // The file that the first marker names is the one that the command was given.
        let mut root: Option<Vec<u8>> = None;
        let (mut number, mut in_root) = (1, true);
        for span in lines(&text) {
            let line = slice(&text, span);
            let mut is_marker = false;
            if let Some((at, file)) = marker(line) {
                is_marker = true;
                in_root = root.get_or_insert_with(|| file.to_vec()) == file;
                // Text out of another file lies where that was included.
                number = if in_root { at.max(1) } else { number };
            }
            let place = number.min(originals.len() as u32);
            let from = originals.get(place as usize - 1).copied().unwrap_or_default();
            let written = slice(original, from);
            let first = from.start + (written.len() - written.trim_ascii_start().len()) as u32;
            let is_same = in_root && !is_marker && written == line;
            let count = uses.entry(place).or_default();
            *count += usize::from(!is_marker);
            expanded.push((
                Line { start: span.start, original: from, first, is_same, is_first: *count == 1, is_only: true },
                place,
            ));
            number += u32::from(in_root && !is_marker);
        }
        if root.is_none() && text != original {
            return None;
        }
        let with_uses = |(line, place): (Line, u32)| Line { is_only: uses.get(&place) == Some(&1), ..line };
        let lines = expanded.into_iter().map(with_uses).collect();
        Some(Expansion { text, original: original.to_vec(), lines })
    }

    /// What was made of the expanded text, with its places in the file.
    pub fn in_file(&self, mut source: Prescanned) -> Prescanned {
        let mut texts = SourceTexts::new(&source.texts.root().path, self.original.clone());
        for text in source.texts.all().iter().skip(1) {
            texts.add(&text.path, text.bytes.clone());
        }
        source.texts = texts;
        for statement in &mut source.statements {
            statement.from_macro |= !self.keeps(statement.span);
            statement.span = self.span(statement.span);
        }
        for origin in &mut source.origins {
            *origin = self.offset(*origin);
        }
        source
            .comments
            .retain(|comment| self.line(comment.span.start).is_none_or(|line| line.is_same && line.is_first));
        for comment in &mut source.comments {
            comment.span = self.exact(comment.span);
        }
        source.directives.retain(|directive| self.line(directive.span.start).is_none_or(|line| line.is_same));
        for directive in &mut source.directives {
            directive.span = self.exact(directive.span);
        }
        for span in &mut source.inactive {
            *span = self.span(*span);
        }
        for (span, _) in source.notes.iter_mut().filter(|(span, _)| *span != Span::default()) {
            *span = self.span(*span);
        }
        source
    }

    /// The line of an offset, unless that lies in an included text.
    fn line(&self, offset: u32) -> Option<&Line> {
        (offset as usize <= self.text.len()).then(|| &self.lines[self.index(offset)])
    }

    fn index(&self, offset: u32) -> usize {
        self.lines.partition_point(|line| line.start <= offset).max(1) - 1
    }

    /// Whether all lines of a span are what they are in the file, and there once.
    fn keeps(&self, span: Span) -> bool {
        if span.start as usize > self.text.len() {
            return true;
        }
        let last = self.index(span.end.max(span.start + 1) - 1);
        self.lines[self.index(span.start)..=last].iter().all(|line| line.is_same && line.is_only)
    }

    fn offset(&self, offset: u32) -> u32 {
        match self.line(offset) {
            Some(line) if line.is_same && line.is_only => self.exactly(line, offset),
            Some(line) => line.first,
            // The texts behind the file move with its length.
            None => offset - self.text.len() as u32 + self.original.len() as u32,
        }
    }

    fn exactly(&self, line: &Line, offset: u32) -> u32 {
        (line.original.start + (offset - line.start)).min(line.original.end)
    }

    fn exact(&self, span: Span) -> Span {
        match self.line(span.start) {
            Some(line) => Span::new(self.exactly(line, span.start), self.exactly(line, span.end)),
            None => Span::new(self.offset(span.start), self.offset(span.end)),
        }
    }

    fn span(&self, span: Span) -> Span {
        let (start, last) = (self.offset(span.start), span.end.max(span.start + 1) - 1);
        let end = match self.line(last) {
            Some(line) if line.is_same && line.is_only => self.exactly(line, last) + u32::from(span.end > span.start),
            Some(line) => line.original.end,
            None => self.offset(span.end),
        };
        Span::new(start, end.max(start))
    }
}

/// The note that a file could not be expanded.
pub(super) fn not_expanded(reason: String) -> (Span, SourceNote) {
    (Span::default(), SourceNote::Preprocessor { reason })
}

/// The lines of a text, without their ends.
fn lines(text: &[u8]) -> Vec<Span> {
    let end = line_end(text);
    let mut start = 0;
    let mut spans = Vec::new();
    for line in text.split(|&byte| byte == end) {
        spans.push(Span::new(start, start + line.len() as u32));
        start += line.len() as u32 + 1;
    }
    spans
}

fn slice(text: &[u8], span: Span) -> &[u8] {
    text[span.start as usize..span.end as usize].trim_ascii_end()
}

/// The line and the file that a marker names.
fn marker(line: &[u8]) -> Option<(u32, &[u8])> {
    let rest = line.strip_prefix(b"#")?;
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let name = rest[digits..].trim_ascii_start().strip_prefix(b"\"")?;
    let length = memchr::memchr(b'"', name)?;
    Some((number, &name[..length]))
}
