//! The prescanner: physical lines in, logical statements out.
//!
//! The work is done line by line, in one pass, without recursion:
//!
//! 1. `Prescanner::run` takes the next line of the text at hand. Texts are on a stack, because they include each other.
//! 2. A line with `#` in column 1 goes to the preprocessor; lines in an inactive branch are skipped.
//!    Because this comes before the source form, conditionals may stand anywhere, also inside of a statement.
//! 3. The line handler of the [source form](super::form) deals with comments, labels and continuation.
//! 4. Statement text goes to the cooker; if a macro is used in it, in pieces.
//!
//! Nothing fails: what can't be understood becomes a [note](SourceNote), and the next line is read.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::comments::{is_conditional_line, is_directive};
use super::cook::{Cooker, Stop};
use super::form::{form_of_extension, guess_form, may_be_in};
use super::notes::Notes;
use super::preprocess::Preprocessor;
use super::prescanned::{Comment, Directive, IncludeObstacle, Prescanned, SourceForm, SourceNote};
use super::span::{SourceTexts, Span, line_end};

/// How the source form of a file is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FormChoice {
    /// By extension and content.
    #[default]
    Auto,
    /// Fixed form, whatever the file looks like.
    Fixed,
    /// Free form, whatever the file looks like.
    Free,
}

/// Reads the bytes of an included file.
pub type ReadFile = Arc<dyn Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync>;

/// Whether a file that is there may be included.
pub type MayInclude = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

/// How a file is read.
#[derive(Clone)]
pub struct PrescanOptions {
    /// How the source form is found.
    pub form: FormChoice,
    /// Number of columns that count in fixed form (72, 80, 132); `None` when all do.
    pub fixed_line_length: Option<u32>,
    /// Where included files are looked for, behind the directory of the including file (`-I`).
    pub include_directories: Vec<PathBuf>,
    /// Macros that are defined from the start, as `NAME` or `NAME=VALUE` (`-D`).
    pub defines: Vec<String>,
    /// Macros that are defined elsewhere and stand for types.
    pub types: Vec<String>,
    /// Whether lines behind the sentinel `!$` are code.
    pub openmp: bool,
    /// How included files are read.
    pub read: ReadFile,
    /// Which of them are.
    pub may_include: MayInclude,
}

impl Default for PrescanOptions {
    fn default() -> Self {
        PrescanOptions {
            form: FormChoice::Auto,
            fixed_line_length: Some(72),
            include_directories: Vec::new(),
            defines: Vec::new(),
            types: Vec::new(),
            openmp: false,
            read: Arc::new(|path: &Path| std::fs::read(path)),
            may_include: Arc::new(|_: &Path| true),
        }
    }
}

/// Turns the bytes of a file, and of what it includes, into logical statements.
///
/// Never fails; [`Prescanned::notes`] says what could not be understood. A file of more than 4 GiB is cut off there.
pub fn prescan(path: impl Into<PathBuf>, bytes: Vec<u8>, options: &PrescanOptions) -> Prescanned {
    let path = path.into();
    let mut bytes = bytes;
    bytes.truncate(u32::MAX as usize - 2);
    let form = match options.form {
        FormChoice::Auto => guess_form(&path, &bytes),
        FormChoice::Fixed => SourceForm::Fixed,
        FormChoice::Free => SourceForm::Free,
    };
    let mut prescanner = Prescanner::new(form, bytes.len(), options);
    if options.form == FormChoice::Auto && form_of_extension(&path).is_some_and(|suggested| suggested != form) {
        prescanner.notes.add(Span::default(), SourceNote::FormGuessed { used: form });
    }
    prescanner.preprocessor.prepare(&path, &bytes, options);
    prescanner.open(path, bytes);
    prescanner.run();
    prescanner.into_result()
}

/// A text that was opened: the named file or an included one.
pub(super) struct OpenedText {
    pub path: PathBuf,
    pub bytes: Rc<Vec<u8>>,
    /// Offset of its first byte in the unit's offset space.
    pub base: u32,
}

/// How far a text has been read.
pub(super) struct Frame {
    /// Index in [`Prescanner::texts`].
    pub text: usize,
    pub bytes: Rc<Vec<u8>>,
    pub base: u32,
    pub position: usize,
    /// Number of the line at `position`, from 1.
    pub line: u32,
    /// What ends a line: a line feed, or in files without any a carriage return.
    line_end: u8,
    /// The form that it is in: that of the text that includes it, unless its lines rule that out.
    form: SourceForm,
    /// Whether an INCLUDE line opened it: then a statement can't reach across its ends.
    pub by_include_line: bool,
    /// Whether its end was dealt with; it stays on the stack while what its last line includes is read.
    is_left: bool,
    /// Number of conditionals that were open before it.
    pub conditionals_before: usize,
    /// Whether a C comment that began in a directive or header goes on.
    pub in_c_comment: bool,
    /// Whether C comments begin in it, perhaps.
    pub has_c_comments: bool,
    /// Whether it is known that no C comment ends behind `position`, so that nobody looks again.
    pub no_c_comment_ends: bool,
}

impl Frame {
    /// The next line without its end, and its offset.
    pub fn next_line<'b>(&mut self, bytes: &'b [u8]) -> (&'b [u8], u32) {
        let start = self.position;
        let rest = bytes.get(start..).unwrap_or_default();
        let length = memchr::memchr(self.line_end, rest).unwrap_or(rest.len());
        self.position = start + length + 1;
        self.line += 1;
        let line = &rest[..length];
        (line.strip_suffix(b"\r").unwrap_or(line), self.base + start as u32)
    }

    /// Begins a C comment that goes on behind the line at hand, if one ends there at all; says whether it does.
    pub fn begin_c_comment(&mut self, bytes: &[u8]) -> bool {
        let rest = bytes.get(self.position..).unwrap_or_default();
        self.in_c_comment = !self.no_c_comment_ends && memchr::memmem::find(rest, b"*/").is_some();
        self.no_c_comment_ends |= !self.in_c_comment;
        self.in_c_comment
    }
}

/// Whether a line of free form belongs to the statement of the line before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Continuation {
    /// It begins another one.
    None,
    /// It does: the line before ended in `&`.
    Certain,
    /// If it begins with `&`: the line before had nothing but that.
    WithAmpersand,
}

/// The state of one run.
pub(super) struct Prescanner<'o> {
    pub options: &'o PrescanOptions,
    /// The form of the text at hand.
    pub form: SourceForm,
    /// That of the named file.
    root_form: SourceForm,
    pub cooker: Cooker,
    pub notes: Notes,
    pub preprocessor: Preprocessor,
    pub texts: Vec<OpenedText>,
    pub frames: Vec<Frame>,
    /// Texts that were read already, by path, or why they are not included.
    pub known_texts: HashMap<PathBuf, Result<Rc<Vec<u8>>, IncludeObstacle>>,
    /// The files that `#include` lines asked for, with the place of the line.
    pub included_by_directive: Vec<(Vec<u8>, Span)>,
    /// Number of conditionals that were open before the text at hand.
    pub conditionals_before: usize,
    /// Number of bytes included so far.
    pub included_bytes: usize,
    /// Free form: whether the next line belongs to the statement at hand.
    pub continuation: Continuation,
    /// Number of comments up to the last line of code; those behind it may turn out to lie inside of its statement.
    pub comments_seen: usize,
    /// A backslash has joined the line to come to the last one, and so many of its columns count.
    pub spliced: Option<usize>,
    /// Fixed form: the columns that the last line of code lacks, and the offset of its last byte.
    pub short_line: (u32, u32),
}

impl<'o> Prescanner<'o> {
    fn new(form: SourceForm, size: usize, options: &'o PrescanOptions) -> Self {
        Prescanner {
            options,
            form,
            root_form: form,
            cooker: Cooker::new(form, size),
            notes: Notes::default(),
            preprocessor: Preprocessor::default(),
            texts: Vec::new(),
            frames: Vec::new(),
            known_texts: HashMap::new(),
            included_by_directive: Vec::new(),
            conditionals_before: 0,
            included_bytes: 0,
            continuation: Continuation::None,
            comments_seen: 0,
            spliced: None,
            short_line: (0, 0),
        }
    }

    /// Puts a text on the stack. The caller has made sure that it fits into the offset space.
    pub(super) fn open(&mut self, path: PathBuf, bytes: Vec<u8>) {
        self.open_shared(path, Rc::new(bytes), false);
    }

    /// As [`Prescanner::open`], for bytes that others hold too.
    pub(super) fn open_shared(&mut self, path: PathBuf, bytes: Rc<Vec<u8>>, by_include_line: bool) {
        let base = self.texts.last().map_or(0, |last| last.base + last.bytes.len() as u32 + 1);
        let byte_order_mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let line_end = line_end(&bytes);
        let is_included = !self.texts.is_empty();
        let other = match self.form {
            SourceForm::Fixed => SourceForm::Free,
            SourceForm::Free => SourceForm::Fixed,
        };
        let form = if is_included && may_be_in(other, &bytes) == (true, true) { other } else { self.form };
        self.frames.push(Frame {
            form,
            text: self.texts.len(),
            has_c_comments: memchr::memmem::find(&bytes, b"/*").is_some(),
            bytes: Rc::clone(&bytes),
            base,
            position: byte_order_mark,
            line: 0,
            line_end,
            by_include_line,
            is_left: false,
            conditionals_before: self.preprocessor.conditionals.len(),
            in_c_comment: false,
            no_c_comment_ends: false,
        });
        self.texts.push(OpenedText { path, bytes, base });
    }

    /// Reads all texts on the stack to their ends.
    fn run(&mut self) {
        while let Some(mut frame) = self.frames.pop() {
            let bytes = Rc::clone(&frame.bytes);
            self.preprocessor.enter(&self.texts[frame.text].path);
            self.change_form(frame.form);
            self.conditionals_before = frame.conditionals_before;
            while frame.position < bytes.len() && !self.has_includes() {
                self.line(&bytes, &mut frame);
            }
            let is_done = frame.position >= bytes.len();
            if is_done && !frame.is_left {
                frame.is_left = true;
                self.leave(&frame);
            }
            if !is_done || self.has_includes() {
                self.frames.push(frame);
                self.open_includes();
            }
        }
    }

    /// Goes on in a text that is in another form, perhaps: a statement can't reach from one form into the other.
    fn change_form(&mut self, form: SourceForm) {
        if form != self.form {
            self.flush_awaiting();
            self.finish_fixed_statement();
            self.form = form;
            self.cooker.change_form(form);
        }
    }

    fn has_includes(&self) -> bool {
        !self.cooker.includes.is_empty() || !self.included_by_directive.is_empty()
    }

    /// Takes in the next line of a text.
    fn line(&mut self, bytes: &[u8], frame: &mut Frame) {
        let (line, offset) = frame.next_line(bytes);
        let Some(line) = self.behind_c_comment(line, frame) else { return };
        let spliced = self.spliced.take();
        if spliced.is_none() && self.preprocess(&line, offset, bytes, frame) {
            return;
        }
        let line = self.without_c_comments(line, bytes, frame);
        let line = self.with_names_for_inline(line);
        match (self.form, spliced) {
            (SourceForm::Fixed, None) => self.fixed_line(&line, offset),
            (SourceForm::Fixed, Some(columns)) => {
                self.fixed_text(&line, &line[..line.len().min(columns)], 0, columns, offset)
            }
            (SourceForm::Free, None) => self.free_line(&line, offset),
            (SourceForm::Free, Some(_)) => self.free_text(&line, 0, offset),
        }
    }

    /// What is due at the end of a text.
    fn leave(&mut self, frame: &Frame) {
        self.close_conditionals(frame);
        if frame.by_include_line || self.frames.is_empty() {
            self.flush_awaiting();
            self.finish_fixed_statement();
        }
    }

    /// Ends the statement at hand and notes what is wrong with it.
    pub(super) fn finish_statement(&mut self) {
        self.flush_awaiting();
        self.cooker.finish();
        self.continuation = Continuation::None;
        for span in std::mem::take(&mut self.cooker.unterminated) {
            let reason = "Character constant is not closed".to_owned();
            self.notes.add(span, SourceNote::NotUnderstood { reason });
        }
    }

    /// Statement text of one line, up to a trailing comment or continuation sign.
    pub(super) fn feed(&mut self, text: &[u8], offset: u32) -> Stop {
        if self.cooker.awaiting || self.preprocessor.uses_macro(text) {
            return self.feed_expanded(text, offset);
        }
        self.cook_line(text, offset)
    }

    /// A comment line, or directive line, whose sign is at `sign`.
    pub(super) fn comment_line(&mut self, line: &[u8], sign: usize, offset: u32) {
        let span = Span::new(offset + sign as u32, offset + line.len() as u32);
        let statements_before = self.cooker.started();
        if is_directive(&line[sign..]) {
            self.cooker.directives.push(Directive { span, statements_before });
        } else {
            self.cooker.comments.push(Comment { span, statements_before, own_line: true });
        }
    }

    /// A comment behind code.
    pub(super) fn trailing_comment(&mut self, line: &[u8], sign: usize, offset: u32) {
        let span = Span::new(offset + sign as u32, offset + line.len() as u32);
        let statements_before = self.cooker.started();
        self.cooker.comments.push(Comment { span, statements_before, own_line: false });
    }

    /// A continuation line has come: the comments behind the line that it continues lie inside of a statement.
    pub(super) fn comments_lie_inside(&mut self) {
        for comment in self.cooker.comments.iter_mut().skip(self.comments_seen) {
            comment.own_line = false;
        }
        self.comments_seen = self.cooker.comments.len();
    }

    /// Whether a comment, given from its sign on, is code that is compiled with OpenMP only, and that is asked for.
    pub(super) fn is_conditional_code(&self, comment: &[u8]) -> bool {
        self.options.openmp && is_conditional_line(comment)
    }

    fn into_result(self) -> Prescanned {
        let Prescanner { cooker, options, notes, preprocessor, texts, known_texts, root_form: form, .. } = self;
        drop(known_texts);
        let mut opened = texts.into_iter().map(|text| (text.path, Rc::unwrap_or_clone(text.bytes)));
        let mut texts = match opened.next() {
            Some((path, bytes)) => SourceTexts::new(path, bytes),
            None => SourceTexts::default(),
        };
        for (path, bytes) in opened {
            texts.add(path, bytes);
        }
        let mut statements = cooker.statements;
        for statement in &mut statements {
            let origins = &cooker.origins[statement.start as usize..statement.end as usize];
            statement.span = texts.within_text(statement.span, origins);
        }
        Prescanned {
            texts,
            form,
            is_preprocessed: preprocessor.is_used,
            is_fypp: preprocessor.is_fypp,
            columns: options.fixed_line_length,
            types: options.types.iter().map(|name| name.to_ascii_lowercase()).collect(),
            cooked: cooker.cooked,
            origins: cooker.origins,
            statements,
            comments: cooker.comments,
            directives: cooker.directives,
            inactive: preprocessor.inactive,
            notes: notes.finish(),
        }
    }
}
