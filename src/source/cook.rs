//! Building cooked text: the part of prescanning that both source forms share.
//!
//! The line handlers ([`super::fixed`], [`super::free`]) know columns, labels and continuation; what remains of a line
//! is *statement text*, and that goes through [`Cooker::cook`], which knows character contexts, Hollerith constants,
//! blanks, `;` and where a trailing comment starts. The cooker's state outlives a line, because a statement does.
//!
//! Glossary: the *context* says what the next byte belongs to (code, a character constant, a Hollerith constant); an
//! *origin* is the source offset that a cooked byte came from.

use super::classes::{Class, PLAIN, class, first_nonblank, is_blank};
use super::judge::{hollerith_length, include_name, is_record_sign, label_value};
use super::prescanned::{Comment, Directive, LogicalStatement, SourceForm, is_name_byte};
use super::span::Span;

/// Where the bytes of a text came from.
#[derive(Clone, Copy)]
pub(super) enum Origin<'a> {
    /// Byte `i` is the source byte at this offset plus `i`.
    Sequential(u32),
    /// All bytes come from the macro use at this offset.
    Macro(u32),
    /// Byte `i` has the `i`-th origin.
    Mapped(&'a [u32]),
}

impl<'a> Origin<'a> {
    /// The origin of the text from byte `at` on.
    pub fn from(self, at: usize) -> Origin<'a> {
        match self {
            Origin::Sequential(base) => Origin::Sequential(base + at as u32),
            Origin::Macro(offset) => Origin::Macro(offset),
            Origin::Mapped(offsets) => Origin::Mapped(offsets.get(at..).unwrap_or_default()),
        }
    }

    /// The source offset of byte `at`.
    pub fn of(self, at: usize) -> u32 {
        match self {
            Origin::Sequential(base) => base + at as u32,
            Origin::Macro(offset) => offset,
            Origin::Mapped(offsets) => offsets.get(at).or(offsets.last()).copied().unwrap_or_default(),
        }
    }
}

/// What the next byte of statement text belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    /// Anything outside constants.
    Code,
    /// A character constant with this delimiter.
    Quoted(u8),
    /// A Hollerith constant of which so many bytes are missing.
    Hollerith(u32),
}

/// Why [`Cooker::cook`] came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The text is used up.
    End,
    /// A comment starts at this index.
    Comment(usize),
    /// The continuation sign of free form stands at this index.
    Ampersand(usize),
}

/// So many bytes of a line are copied in one go: most lines, but not those of a hundred thousand statements.
const CHUNK: usize = 1024;

/// The cooked text so far, and the state of the statement that is being built.
pub(super) struct Cooker {
    pub cooked: Vec<u8>,
    pub origins: Vec<u32>,
    pub statements: Vec<LogicalStatement>,
    pub comments: Vec<Comment>,
    pub directives: Vec<Directive>,
    /// The files that INCLUDE lines asked for since this was last emptied, with the place of the line.
    pub includes: Vec<(Vec<u8>, Span)>,
    /// The openings of character constants that nothing closed.
    pub unterminated: Vec<Span>,
    pub context: Context,
    /// Whether blanks were skipped behind the last cooked byte.
    pub pending_blank: bool,
    /// Whether fypp makes some of the text of the statement at hand, and of those that begin on the line at hand.
    pub hides: bool,
    pub line_hides: bool,
    /// Whether text of the statement waits elsewhere (a macro call whose arguments go on in the next line).
    pub awaiting: bool,
    keep_blanks: bool,
    start: usize,
    label: Option<(u32, Span)>,
    /// Length of `cooked` behind the last closing quote, to tell a doubled quote from a new constant.
    closed_at: usize,
    /// Index in `cooked` of the opening quote of the constant at hand.
    opened_at: usize,
    position: u32,
    from_macro: bool,
}

impl Cooker {
    /// A cooker with nothing in it; `size` is that of the source.
    pub fn new(form: SourceForm, size: usize) -> Self {
        Cooker {
            cooked: Vec::with_capacity(size.min(1 << 24)),
            origins: Vec::with_capacity(size.min(1 << 24)),
            statements: Vec::with_capacity(size / 48),
            comments: Vec::with_capacity(size / 128),
            directives: Vec::new(),
            includes: Vec::new(),
            unterminated: Vec::new(),
            context: Context::Code,
            pending_blank: false,
            hides: false,
            line_hides: false,
            awaiting: false,
            keep_blanks: form == SourceForm::Free,
            start: 0,
            label: None,
            closed_at: usize::MAX,
            opened_at: 0,
            position: 0,
            from_macro: false,
        }
    }

    /// Goes on in another form, with the next statement.
    pub fn change_form(&mut self, form: SourceForm) {
        self.keep_blanks = form == SourceForm::Free;
    }

    /// Whether a statement has begun that is not finished.
    pub fn is_open(&self) -> bool {
        self.cooked.len() > self.start || self.label.is_some() || self.awaiting
    }

    /// Whether the statement at hand is an INCLUDE line, which nothing continues.
    pub fn is_include_line(&self) -> bool {
        self.context == Context::Code && self.cooked.get(self.start..).is_some_and(|text| include_name(text).is_some())
    }

    /// Whether the last byte closes a character constant with this quote. One that goes on with the same quote in the
    /// next line is a doubled one.
    pub fn is_closed_by(&self, quote: u8) -> bool {
        self.closed_at == self.cooked.len() && !self.pending_blank && self.cooked.last() == Some(&quote)
    }

    /// Number of statements that have begun.
    pub fn started(&self) -> u32 {
        self.statements.len() as u32 + u32::from(self.is_open())
    }

    /// Gives the statement that is about to begin its label.
    pub fn set_label(&mut self, label: u32, span: Span) {
        self.label = Some((label, span));
    }

    /// Notes that the next statement is the first of its line.
    pub fn begin_line(&mut self) {
        self.position = 0;
    }

    /// Appends statement text. Comes back at the first comment or continuation sign.
    pub fn cook(&mut self, text: &[u8], origin: Origin) -> Stop {
        let mut at = 0;
        while at < text.len() {
            match self.context {
                Context::Quoted(quote) => match self.quoted(text, at, origin, quote) {
                    Ok(next) => at = next,
                    Err(ampersand) => return Stop::Ampersand(ampersand),
                },
                Context::Hollerith(missing) => {
                    let count = (missing as usize).min(text.len() - at);
                    self.copy(&text[at..at + count], at, origin);
                    at += count;
                    let left = missing - count as u32;
                    self.context = if left == 0 { Context::Code } else { Context::Hollerith(left) };
                }
                Context::Code => match class(text[at]) {
                    Class::Plain | Class::LetterH | Class::Blank => at = self.code(text, at, origin),
                    Class::Quote => {
                        self.quote(text[at], origin.of(at));
                        at += 1;
                    }
                    Class::Bang => return Stop::Comment(at),
                    Class::Semicolon => {
                        self.finish();
                        at += 1;
                    }
                    Class::Ampersand => {
                        let next = first_nonblank(&text[at + 1..]).map(|skip| text[at + 1 + skip]);
                        if self.keep_blanks && matches!(next, None | Some(b'!')) {
                            return Stop::Ampersand(at);
                        }
                        self.push(b'&', origin.of(at));
                        at += 1;
                    }
                },
            }
        }
        Stop::End
    }

    /// Appends the text that a macro use became. Its last byte gets the origin of the last byte of the use.
    pub fn cook_macro(&mut self, text: &[u8], used: Span) -> Stop {
        let before = self.cooked.len();
        let stop = self.cook(text, Origin::Macro(used.start));
        if self.cooked.len() > before
            && let Some(last) = self.origins.last_mut()
        {
            *last = used.end.max(used.start + 1) - 1;
        }
        stop
    }

    /// Appends blanks in a constant that goes on behind the end of a short line of fixed form. Text that waits comes
    /// first.
    pub fn pad(&mut self, columns: u32, origin: u32) {
        let count = match self.context {
            _ if self.awaiting => 0,
            Context::Code => 0,
            Context::Quoted(_) => columns,
            Context::Hollerith(missing) => columns.min(missing),
        };
        let length = self.cooked.len() + count as usize;
        self.cooked.resize(length, b' ');
        self.origins.resize(length, origin);
        if let Context::Hollerith(missing) = self.context {
            self.context = if missing == count { Context::Code } else { Context::Hollerith(missing - count) };
        }
    }

    /// Ends the statement at hand.
    pub fn finish(&mut self) {
        let quoted = matches!(self.context, Context::Quoted(_));
        let from_macro = std::mem::take(&mut self.from_macro);
        let hides = std::mem::replace(&mut self.hides, self.line_hides);
        self.context = Context::Code;
        self.pending_blank = false;
        self.closed_at = usize::MAX;
        let label = self.label.take();
        let (start, end) = (self.start, self.cooked.len());
        if start == end && label.is_none() {
            return;
        }
        if quoted {
            let opening = self.origins.get(self.opened_at).copied().unwrap_or_default();
            let last = self.origins.last().copied().unwrap_or_default();
            self.unterminated.push(Span::new(opening, last.max(opening) + 1));
            self.discard();
            return;
        }
        let mut span = match self.origins.get(start..end) {
            Some([first, .., last]) => Span::new(*first, last + 1),
            Some([only]) => Span::new(*only, only + 1),
            _ => label.map(|(_, span)| span).unwrap_or_default(),
        };
        if let Some(name) = include_name(&self.cooked[start..]) {
            let name = name.to_vec();
            self.includes.push((name, span));
            self.discard();
            return;
        }
        if let Some((_, label_span)) = label {
            span.start = label_span.start;
        }
        if self.position > 0
            && let Some(previous) = self.statements.last_mut()
        {
            previous.shares_line = true;
        }
        self.statements.push(LogicalStatement {
            start: start as u32,
            end: end as u32,
            label: label.map(|(value, _)| value),
            span,
            position_on_line: self.position,
            shares_line: false,
            from_macro,
            hides,
        });
        self.position += 1;
        self.start = end;
    }

    /// Takes the statement at hand back, as if it had never begun.
    fn discard(&mut self) {
        self.cooked.truncate(self.start);
        self.origins.truncate(self.start);
        let count = self.statements.len() as u32;
        for comment in self.comments.iter_mut().rev().take_while(|comment| comment.statements_before > count) {
            comment.statements_before = count;
        }
        for directive in self.directives.iter_mut().rev().take_while(|directive| directive.statements_before > count) {
            directive.statements_before = count;
        }
    }

    /// Copies code up to the next sign that means something here; gives back its index.
    fn code(&mut self, text: &[u8], from: usize, origin: Origin) -> usize {
        let mut at = from;
        if self.cooked.len() == self.start && self.label.is_none() {
            at += first_nonblank(&text[at..]).unwrap_or(text.len() - at);
            self.pending_blank |= at > from;
            if text.get(at).is_some_and(u8::is_ascii_digit) {
                at = self.take_label(text, at, origin);
            }
        }
        loop {
            at = match origin {
                Origin::Sequential(base) => self.words(text, at, |at| base + at as u32),
                _ => self.words(text, at, |at| origin.of(at)),
            };
            self.from_macro |= matches!(origin, Origin::Macro(_)) && at > from;
            if !text.get(at).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'h')) {
                return at;
            }
            self.keep_blank_in_format(text, at, origin);
            let length = hollerith_length(&self.cooked[self.start..]);
            self.pending_blank = false;
            self.push(b'h', origin.of(at));
            at += 1;
            if let Some(length) = length {
                self.context = Context::Hollerith(length);
                return at;
            }
        }
    }

    /// Copies code up to the next sign that means something here, or to an `h` behind a digit; gives back its index.
    fn words(&mut self, text: &[u8], from: usize, origin: impl Fn(usize) -> u32) -> usize {
        let mut at = from;
        loop {
            let end = text.len().min(at + CHUNK);
            at = self.words_of_chunk(&text[..end], at, &origin);
            if at < end || end == text.len() {
                return at;
            }
        }
    }

    /// The same up to the end of a chunk at most: room is made for all of it beforehand, though a statement may end
    /// soon.
    fn words_of_chunk(&mut self, text: &[u8], from: usize, origin: &impl Fn(usize) -> u32) -> usize {
        let begin = self.cooked.len();
        let (mut last, mut last_origin) = match begin > self.start {
            true => (self.cooked[begin - 1], self.origins[begin - 1]),
            false => (b' ', 0),
        };
        // Room for everything; and one blank may wait that was skipped in an earlier line.
        let room = text.len() - from + 1;
        self.cooked.resize(begin + room, 0);
        self.origins.resize(begin + room, 0);
        let cooked = &mut self.cooked[begin..begin + room];
        let origins = &mut self.origins[begin..begin + room];
        let (keep_blanks, mut pending_blank) = (self.keep_blanks, self.pending_blank);
        let (mut at, mut to) = (from, 0);
        for &byte in &text[from..] {
            let mut lower = PLAIN[usize::from(byte)];
            if lower == 0 {
                match class(byte) {
                    Class::Blank => {
                        pending_blank = true;
                        at += 1;
                        continue;
                    }
                    Class::LetterH if !last.is_ascii_digit() || keep_blanks && pending_blank => lower = b'h',
                    _ => break,
                }
            }
            let next = origin(at);
            if pending_blank {
                pending_blank = false;
                if keep_blanks && is_name_byte(last) && is_name_byte(lower) {
                    (cooked[to], origins[to]) = (b' ', blank_between(last_origin, next));
                    to += 1;
                }
            }
            (last, last_origin) = (lower, next);
            (cooked[to], origins[to]) = (last, last_origin);
            to += 1;
            at += 1;
        }
        self.pending_blank = pending_blank;
        self.cooked.truncate(begin + to);
        self.origins.truncate(begin + to);
        at
    }

    /// Keeps the blank between a number and the count of a Hollerith edit descriptor, whose `h` is at `at`: `F8.3
    /// 4HABCD`.
    fn keep_blank_in_format(&mut self, text: &[u8], at: usize, origin: Origin) {
        let count = text[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let before = self.cooked.len() - count;
        let number = self.cooked[self.start..].get(..before.saturating_sub(self.start)).unwrap_or_default();
        let behind_blank = text[..at - count].last().is_some_and(|&byte| is_blank(byte));
        let in_format = !self.keep_blanks && number.starts_with(b"format(");
        if in_format && behind_blank && number.last().is_some_and(u8::is_ascii_digit) {
            self.origins.insert(before, blank_between(self.origins[before - 1], origin.of(at - count)));
            self.cooked.insert(before, b' ');
        }
    }

    /// Reads the digits with which a statement begins as its label.
    fn take_label(&mut self, text: &[u8], from: usize, origin: Origin) -> usize {
        let digits = text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let span = Span::new(origin.of(from), origin.of(from + digits - 1) + 1);
        self.label = Some((label_value(&text[from..from + digits]), span));
        from + digits
    }

    /// Copies bytes as they are.
    fn copy(&mut self, bytes: &[u8], from: usize, origin: Origin) {
        self.cooked.extend_from_slice(bytes);
        self.copy_origins(bytes.len(), from, origin);
    }

    fn copy_origins(&mut self, count: usize, from: usize, origin: Origin) {
        match origin {
            Origin::Sequential(base) => {
                let first = base + from as u32;
                self.origins.extend(first..first + count as u32);
            }
            Origin::Macro(offset) => {
                self.origins.resize(self.origins.len() + count, offset);
                self.from_macro = true;
            }
            Origin::Mapped(_) => self.origins.extend((from..from + count).map(|at| origin.of(at))),
        }
    }

    fn push(&mut self, byte: u8, origin: u32) {
        self.cooked.push(byte);
        self.origins.push(origin);
    }

    /// Appends the one blank that stands for the blanks between the last byte and the next, which is at `next`.
    fn push_blank(&mut self, next: u32) {
        self.push(b' ', self.origins.last().map_or(next, |&last| blank_between(last, next)));
    }

    /// A quote in code: opens a constant, or is the second of a doubled quote.
    fn quote(&mut self, quote: u8, origin: u32) {
        let adjoins_constant = self.closed_at == self.cooked.len();
        let doubled = adjoins_constant && !self.pending_blank && self.cooked.last() == Some(&quote);
        if !doubled {
            if is_record_sign(quote, &self.cooked[self.start..]) {
                self.pending_blank = false;
                self.push(quote, origin);
                return;
            }
            if adjoins_constant && self.pending_blank {
                self.push_blank(origin);
            }
            self.opened_at = self.cooked.len();
        }
        self.pending_blank = false;
        self.push(quote, origin);
        self.context = Context::Quoted(quote);
    }

    /// Copies a character constant up to its closing quote, and gives back the index behind that or behind the text;
    /// `Err` is the place of the ampersand that continues it.
    fn quoted(&mut self, text: &[u8], from: usize, origin: Origin, quote: u8) -> Result<usize, usize> {
        if let Some(length) = memchr::memchr(quote, &text[from..]) {
            let behind = from + length + 1;
            self.copy(&text[from..behind], from, origin);
            self.closed_at = self.cooked.len();
            self.context = Context::Code;
            return Ok(behind);
        }
        let continued = self.keep_blanks && text.last() == Some(&b'&');
        let end = text.len() - usize::from(continued);
        self.copy(&text[from..end], from, origin);
        if continued { Err(end) } else { Ok(end) }
    }
}

/// The origin of a blank that is kept behind the byte from `last`, in front of that from `next`.
fn blank_between(last: u32, next: u32) -> u32 {
    (last + 1).min(next)
}
