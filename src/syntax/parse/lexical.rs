//! What every statement parser is made of: context, keywords, names, labels, lists.
//!
//! Parsers are nom functions over the rest of one statement's cooked text. All rests are suffixes of that text, so the
//! number of remaining bytes says where a parser stands, and a [`Context`] turns that into a source span.

use std::cell::{Cell, OnceCell, RefCell};

use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult};

use crate::source::{Prescanned, SourceForm, Span, is_name_byte};
use crate::syntax::ast::names::{Identifier, Name, NameTable};

/// The rest of a statement's cooked text.
pub type Input<'a> = &'a [u8];

/// What a statement parser gives back.
pub type Parsed<'a, T> = IResult<Input<'a>, T, Trouble>;

/// Brackets (and other recursive forms) may nest this deep; deeper statements are not understood.
pub const NESTING_LIMIT: u32 = 200;

/// Why a parser stopped: the furthest point reached and what was expected there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// Bytes of the statement that remained.
    pub remaining: usize,
    /// What would have been right, as in "Expected {expected}".
    pub expected: &'static str,
}

impl<'a> ParseError<Input<'a>> for Trouble {
    fn from_error_kind(input: Input<'a>, _: ErrorKind) -> Self {
        Trouble { remaining: input.len(), expected: "something else" }
    }

    fn append(_: Input<'a>, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// Of two alternatives that failed, the one that came further explains more.
    fn or(self, other: Self) -> Self {
        if other.remaining < self.remaining { other } else { self }
    }
}

/// A recoverable failure: another alternative may fit.
pub fn fail<'i, T>(input: Input<'i>, expected: &'static str) -> Parsed<'i, T> {
    Err(Err::Error(Trouble { remaining: input.len(), expected }))
}

/// Which statements are parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParsedStatements {
    /// All.
    All,
    /// Those that are not executable.
    Declarations,
}

/// What the parsers of one file share.
pub struct Context<'a> {
    /// The file.
    pub source: &'a Prescanned,
    /// Where names are interned.
    pub names: RefCell<NameTable>,
    /// Names by a cheap hash of their text, each the last one with that hash: most names are read again soon.
    recent: Vec<Cell<Option<Name>>>,
    /// The same for short names, which are compared as numbers.
    recent_short: Vec<Cell<ShortName>>,
    /// Which statements are parsed.
    parsed_statements: ParsedStatements,
    /// Cooked offset of the end of the statement at hand.
    statement_end: Cell<u32>,
    /// How deep brackets nest at this point.
    depth: Cell<u32>,
    /// Whether the file declares DEC records, once someone asked.
    declares_records: OnceCell<bool>,
}

impl<'a> Context<'a> {
    /// The context of a file in which nothing is parsed yet.
    pub fn new(source: &'a Prescanned, parsed_statements: ParsedStatements) -> Self {
        Context {
            source,
            names: RefCell::default(),
            recent: vec![Cell::new(None); RECENT_NAMES],
            recent_short: vec![Cell::new(ShortName::default()); RECENT_NAMES],
            parsed_statements,
            statement_end: Cell::new(0),
            depth: Cell::new(0),
            declares_records: OnceCell::new(),
        }
    }

    /// Whether executable statements are left out: each becomes a CONTINUE. BLOCK, which may hold declarations, and its
    /// end stay.
    pub fn leaves_out_actions(&self) -> bool {
        self.parsed_statements == ParsedStatements::Declarations
    }

    /// Begins a statement, which ends at this offset of the cooked text.
    pub fn begin_statement(&self, end: u32) {
        self.statement_end.set(end);
        self.depth.set(0);
    }

    /// Whether keywords need not be followed by a blank.
    pub fn fixed_form(&self) -> bool {
        self.source.form == SourceForm::Fixed
    }

    /// Whether the file has a DEC RECORD statement, so that `a.b.c` is a chain of components.
    pub fn declares_records(&self) -> bool {
        let find = || memchr::memmem::find(&self.source.cooked, b"record/").is_some();
        *self.declares_records.get_or_init(find)
    }

    /// Whether the file goes through the preprocessor. Names that stand alone as statements are then macros that are
    /// defined elsewhere.
    pub fn preprocessed(&self) -> bool {
        self.source.is_preprocessed
    }

    /// Cooked offset at which `input` begins.
    pub fn offset(&self, input: Input<'_>) -> u32 {
        self.statement_end.get() - input.len() as u32
    }

    /// Source span from the beginning of `from` to the beginning of `to` (`to` is a suffix of `from`). A blank that was
    /// eaten at the end does not count.
    pub fn span(&self, from: Input<'_>, to: Input<'_>) -> Span {
        let length = from.len() - to.len();
        let blank = length > 1 && from[length - 1] == b' ';
        self.source.span(self.offset(from), self.offset(to) - u32::from(blank))
    }

    /// Interns the text from the beginning of `from` to the beginning of `to`; bytes that are not UTF-8 read as
    /// Latin-1.
    pub fn intern_between(&self, from: Input<'_>, to: Input<'_>) -> Name {
        self.intern(&from[..from.len() - to.len()])
    }

    /// Interns bytes; those that are not UTF-8 read as Latin-1.
    pub fn intern(&self, bytes: &[u8]) -> Name {
        if bytes.len() <= SHORT {
            return self.intern_short(bytes.iter().copied().fold(0, append), bytes);
        }
        let recent = &self.recent[cheap_hash(bytes) % RECENT_NAMES];
        if let Some(name) = recent.get()
            && self.names.borrow().text(name).as_bytes() == bytes
        {
            return name;
        }
        let name = self.intern_anew(bytes);
        recent.set(Some(name));
        name
    }

    /// Interns a short text that is given as a number, too.
    fn intern_short(&self, text: u64, bytes: &[u8]) -> Name {
        let slot = text.wrapping_mul(SPREAD) >> (u64::BITS - RECENT_NAMES.ilog2());
        let recent = &self.recent_short[slot as usize];
        let ShortName { text: known, length, name } = recent.get();
        match name {
            Some(name) if known == text && usize::from(length) == bytes.len() => name,
            _ => {
                let name = self.intern_anew(bytes);
                recent.set(ShortName { text, length: bytes.len() as u8, name: Some(name) });
                name
            }
        }
    }

    fn intern_anew(&self, bytes: &[u8]) -> Name {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.names.borrow_mut().intern(text),
            Err(_) => self.names.borrow_mut().intern(&bytes.iter().map(|&byte| char::from(byte)).collect::<String>()),
        }
    }

    /// Runs a parser one nesting level deeper, or fails when that is too deep. Levels that the parser entered by
    /// [`Context::descend`] are left again.
    pub fn nested<'i, T>(&self, input: Input<'i>, parser: impl FnOnce(Input<'i>) -> Parsed<'i, T>) -> Parsed<'i, T> {
        let depth = self.depth.get();
        self.descend(input)?;
        let result = parser(input);
        self.depth.set(depth);
        result
    }

    /// Enters one nesting level, or fails when that is too deep. The next enclosing [`Context::nested`] leaves it.
    pub fn descend(&self, input: Input<'_>) -> Result<(), Err<Trouble>> {
        if self.depth.get() >= NESTING_LIMIT {
            return Err(Err::Failure(Trouble { remaining: input.len(), expected: "at most 200 nested brackets" }));
        }
        self.depth.set(self.depth.get() + 1);
        Ok(())
    }

    /// Leaves levels that were entered by [`Context::descend`].
    pub fn ascend(&self, levels: u32) {
        self.depth.set(self.depth.get().saturating_sub(levels));
    }
}

/// Texts of so many bytes fit into a number.
const SHORT: usize = size_of::<u64>();

/// The number of a text of which a further byte was read.
fn append(number: u64, byte: u8) -> u64 {
    number << 8 | u64::from(byte)
}

/// A short name, its text as a number.
#[derive(Clone, Copy, Default)]
struct ShortName {
    text: u64,
    length: u8,
    name: Option<Name>,
}

/// Size of the tables of recent names, a power of two.
const RECENT_NAMES: usize = 512;
/// Spreads texts that are numbers over such a table: 2 to the 64th over the golden ratio, made odd.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A hash that tells most names of one file apart.
fn cheap_hash(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |hash: usize, &byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte)))
}

/// Skips the blank that free form keeps between two names.
pub fn blank(input: Input<'_>) -> Input<'_> {
    input.strip_prefix(b" ").unwrap_or(input)
}

/// Eats a keyword of one or more words, `keyword(cx, "end if", input)`: a blank in `words` is an optional blank in the
/// text. In free form the last word must end there (no name byte may follow); a blank behind it is eaten too.
pub fn keyword<'i>(cx: &Context<'_>, words: &'static str, input: Input<'i>) -> Parsed<'i, ()> {
    let mut rest = input;
    for &byte in words.as_bytes() {
        if byte == b' ' {
            rest = blank(rest);
        } else if rest.first() == Some(&byte) {
            rest = &rest[1..];
        } else {
            return fail(input, words);
        }
    }
    if !cx.fixed_form() && rest.first().is_some_and(|&byte| is_name_byte(byte)) {
        return fail(input, words);
    }
    Ok((blank(rest), ()))
}

/// Eats exactly these bytes, no blank around them.
pub fn symbol<'i>(text: &'static str, input: Input<'i>) -> Parsed<'i, ()> {
    match input.strip_prefix(text.as_bytes()) {
        Some(rest) => Ok((rest, ())),
        None => fail(input, text),
    }
}

/// Eats `text` if it is there and says whether it was.
pub fn optional<'i>(text: &'static str, input: Input<'i>) -> (Input<'i>, bool) {
    match input.strip_prefix(text.as_bytes()) {
        Some(rest) => (rest, true),
        None => (input, false),
    }
}

/// How many bytes of a name or number the text begins with.
pub fn word_length(input: &[u8]) -> usize {
    input.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(input.len())
}

/// R603 name, as long as it goes; a blank behind it is eaten.
pub fn identifier<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Identifier> {
    let starts = input.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$'));
    if !starts {
        return fail(input, "a name");
    }
    // Its length and its text as a number, in one go.
    let (mut number, mut length) = (0, 0);
    while let Some(&byte) = input.get(length).filter(|byte| is_name_byte(**byte)) {
        number = append(number, byte);
        length += 1;
    }
    let (text, rest) = input.split_at(length);
    let name = if length <= SHORT { cx.intern_short(number, text) } else { cx.intern(text) };
    Ok((blank(rest), Identifier { name, span: cx.span(input, rest) }))
}

/// Digits as a number (saturating); a blank behind them is eaten.
pub fn digits(input: Input<'_>) -> Parsed<'_, u64> {
    let length = input.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(input.len());
    if length == 0 {
        return fail(input, "a number");
    }
    let value = input[..length]
        .iter()
        .fold(0u64, |value, &digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    Ok((blank(&input[length..]), value))
}

/// R611 label.
pub fn label(input: Input<'_>) -> Parsed<'_, u32> {
    let (rest, value) = digits(input)?;
    Ok((rest, u32::try_from(value).unwrap_or(u32::MAX)))
}

/// One or more items with commas between them.
pub fn comma_list<'i, T>(input: Input<'i>, mut item: impl FnMut(Input<'i>) -> Parsed<'i, T>) -> Parsed<'i, Vec<T>> {
    let (mut rest, first) = item(input)?;
    if rest.first() != Some(&b',') {
        return Ok((rest, vec![first]));
    }
    let mut items = Vec::with_capacity(2);
    items.push(first);
    while let Some(behind) = rest.strip_prefix(b",") {
        let (next, value) = item(behind)?;
        items.push(value);
        rest = next;
    }
    Ok((rest, items))
}

/// `( item )`, one nesting level deeper; a blank behind it is eaten.
pub fn parenthesised<'i, T>(
    cx: &Context<'_>,
    input: Input<'i>,
    item: impl FnOnce(Input<'i>) -> Parsed<'i, T>,
) -> Parsed<'i, T> {
    let (rest, ()) = symbol("(", input)?;
    let (rest, value) = cx.nested(rest, item)?;
    let (rest, ()) = symbol(")", rest)?;
    Ok((blank(rest), value))
}

/// Requires the end of the statement.
pub fn end_of_statement(input: Input<'_>) -> Parsed<'_, ()> {
    if input.is_empty() { Ok((input, ())) } else { fail(input, "the end of the statement") }
}
