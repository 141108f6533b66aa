//! The parser of one specification text (grammar in `grammar/specification.ebnf`). A recursive descent of nom parsers;
//! every alternative is chosen by its first word or sign, so an error stands where the text stops being a
//! specification.

use super::comment::is_word_byte;
use super::tree::{
    Approximation, ComputationKind, Region, RegionConstant, RegionDeclaration, Specification, SpecificationLine,
    SpelledName, flatten,
};
use crate::region::Interval;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::combinator::{cut, opt, peek, recognize, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::many0;
use nom::sequence::{delimited, pair, preceded};
use nom::{IResult, Parser};
use std::cell::RefCell;

/// More nested brackets than anyone writes, few enough for any thread's stack.
pub const DEEPEST_NESTING: usize = 64;

/// A specification text that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("Expected {expected} but found {found}")]
pub struct SyntaxError {
    /// Offset in the text of what was found.
    pub offset: usize,
    /// Length of what was found; 0 at the end of the text.
    pub length: usize,
    /// What could have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// A word of an earlier version of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OldSpelling {
    /// Offset of the word in the text.
    pub offset: usize,
    /// The word.
    pub old: &'static str,
    /// What it is called now.
    pub new: &'static str,
}

/// A specification text that was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedSpecification {
    /// What it says.
    pub line: SpecificationLine,
    /// Older spellings in it, in order.
    pub old_spellings: Vec<OldSpelling>,
}

/// Reads a text that starts with `stencil`, `access` or `region`.
pub fn parse(text: &[u8]) -> Result<ParsedSpecification, SyntaxError> {
    let parser_state = SpecificationParser { length: text.len(), old_spellings: RefCell::new(Vec::new()) };
    match parser_state.line(text) {
        Ok((_, line)) => Ok(ParsedSpecification { line, old_spellings: parser_state.old_spellings.into_inner() }),
        Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => Err(describe(text, failure)),
        Err(nom::Err::Incomplete(_)) => Err(describe(text, failure(&[], "a complete specification"))),
    }
}

type Remaining<'a> = &'a [u8];
type Parse<'a, T> = IResult<Remaining<'a>, T, ParseFailure>;

/// Where parsing stopped, as the number of bytes that were left, and what would have led on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ParseFailure {
    remaining: usize,
    expected: String,
}

impl<'a> ParseError<Remaining<'a>> for ParseFailure {
    fn from_error_kind(input: Remaining<'a>, _: ErrorKind) -> Self {
        ParseFailure { remaining: input.len(), expected: String::new() }
    }

    fn append(_: Remaining<'a>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

fn failure(at: Remaining<'_>, expected: &str) -> ParseFailure {
    ParseFailure { remaining: at.len(), expected: expected.to_owned() }
}

fn stop<'a, T>(at: Remaining<'a>, expected: &str) -> Parse<'a, T> {
    Err(nom::Err::Failure(failure(at, expected)))
}

/// The error for a person: the end of the text is behind its last character that is no blank.
fn describe(text: &[u8], failure: ParseFailure) -> SyntaxError {
    let offset = text.len().saturating_sub(failure.remaining).min(text.trim_ascii_end().len());
    let rest = text[offset..].trim_ascii_end();
    let word = rest.iter().take_while(|byte| is_word_byte(**byte)).count();
    let length = match rest {
        [] => 0,
        [b':', b':', ..] => 2,
        // A character of several bytes is shown whole.
        [first, ..] if !first.is_ascii() => rest.iter().take_while(|byte| !byte.is_ascii()).count(),
        _ => word.max(1),
    };
    let continued = rest == b"&";
    let found = match length {
        0 => "the end of the line".to_owned(),
        _ => format!("'{}'", String::from_utf8_lossy(&rest[..length])),
    };
    let expected = match continued {
        true => "a comment with the same marker and '&' on the next line".to_owned(),
        false => failure.expected,
    };
    let found = if continued { "none".to_owned() } else { found };
    SyntaxError { offset, length, expected, found }
}

fn blanks(input: Remaining<'_>) -> Parse<'_, ()> {
    take_while(|byte| byte == b' ' || byte == b'\t').map(|_| ()).parse(input)
}

/// A sign, after blanks.
fn sign<'a>(sign: &'static str) -> impl Parser<Remaining<'a>, Output = (), Error = ParseFailure> {
    preceded(blanks, tag(sign)).map(|_| ())
}

/// A word, after blanks: its place and the word.
fn word(input: Remaining<'_>) -> Parse<'_, Remaining<'_>> {
    let starts_word = verify(take_while1(is_word_byte), |word: &[u8]| !word[0].is_ascii_digit());
    preceded(blanks, recognize(starts_word)).parse(input)
}

/// The words that a region starts with or that stand before one: no names of variables.
const RESERVED: [&str; 8] =
    ["readonce", "atmost", "atleast", "pointed", "forward", "backward", "centered", "reflexive"];

/// The attributes of a constant as they are collected.
#[derive(Default)]
struct Attributes {
    dimension: Option<(usize, usize)>,
    depth: Option<i64>,
    without_origin: bool,
}

struct SpecificationParser {
    length: usize,
    old_spellings: RefCell<Vec<OldSpelling>>,
}

impl SpecificationParser {
    /// The offset of a rest of the text.
    fn offset(&self, rest: Remaining<'_>) -> usize {
        self.length - rest.len()
    }

    /// specification = region-declaration | specification-declaration
    fn line<'a>(&self, input: Remaining<'a>) -> Parse<'a, SpecificationLine> {
        let (start, ()) = blanks(input)?;
        let (rest, keyword) = opt(word).parse(start)?;
        match keyword.map(<[u8]>::to_ascii_lowercase).as_deref() {
            Some(b"stencil") => self.specification(ComputationKind::Stencil, rest),
            Some(b"access") => self.specification(ComputationKind::Access, rest),
            Some(b"region") => self.declaration(rest),
            _ => stop(start, "'stencil', 'access' or 'region'"),
        }
    }

    /// region-declaration = "region" "::" region-variable "=" region
    fn declaration<'a>(&self, input: Remaining<'a>) -> Parse<'a, SpecificationLine> {
        let (input, ()) = expect(sign("::"), "'::'", input)?;
        let (start, ()) = blanks(input)?;
        let (input, name) = expect(word, "a name for the region", start)?;
        if is_reserved(name) {
            return stop(start, "a name for the region that is no keyword");
        }
        let name = self.name(start, name);
        let (input, ()) = expect(sign("="), "'='", input)?;
        let (input, region) = self.sum(input, 0)?;
        let (input, ()) = end(input, "'+', '*' or the end of the line")?;
        Ok((input, SpecificationLine::Declaration(RegionDeclaration { name, region })))
    }

    /// specification-declaration = kind { modifier [","] } region "::" variable { [","] variable }
    fn specification<'a>(&self, kind: ComputationKind, input: Remaining<'a>) -> Parse<'a, SpecificationLine> {
        let (input, (read_once, approximation)) = modifiers(input)?;
        let (input, region) = self.sum(input, 0)?;
        let (input, ()) = expect(sign("::"), "'+', '*' or '::'", input)?;
        let (mut input, first) = self.variable(input)?;
        let mut variables = vec![first];
        loop {
            let (rest, comma) = opt(sign(",")).parse(input)?;
            if comma.is_none() && peek(word).parse(rest).is_err() {
                break;
            }
            let (rest, variable) = self.variable(rest)?;
            variables.push(variable);
            input = rest;
        }
        let (input, ()) = end(input, "',', another variable or the end of the line")?;
        Ok((
            input,
            SpecificationLine::Specification(Specification { kind, read_once, approximation, region, variables }),
        ))
    }

    /// variable = name { "%" name }
    fn variable<'a>(&self, input: Remaining<'a>) -> Parse<'a, SpelledName> {
        let (start, ()) = blanks(input)?;
        let (mut input, first) = expect(word, "a variable", start)?;
        let mut name = self.name(start, first);
        while let (rest, Some(())) = opt(sign("%")).parse(input)? {
            let (rest, part) = expect(word, "the name of a component", rest)?;
            name.text.push('%');
            name.text.push_str(&String::from_utf8_lossy(part));
            input = rest;
        }
        Ok((input, name))
    }

    fn name(&self, at: Remaining<'_>, word: Remaining<'_>) -> SpelledName {
        SpelledName { text: String::from_utf8_lossy(word).into_owned(), offset: self.offset(at) }
    }

    /// region = product { "+" product }
    fn sum<'a>(&self, input: Remaining<'a>, depth: usize) -> Parse<'a, Region> {
        let product = |input| self.product(input, depth);
        let (rest, (first, others)) = pair(product, many0(preceded(sign("+"), cut(product)))).parse(input)?;
        combine(rest, first, others, Region::Sum)
    }

    /// product = factor { "*" factor }
    fn product<'a>(&self, input: Remaining<'a>, depth: usize) -> Parse<'a, Region> {
        let factor = |input| self.factor(input, depth);
        let (rest, (first, others)) = pair(factor, many0(preceded(sign("*"), cut(factor)))).parse(input)?;
        combine(rest, first, others, Region::Product)
    }

    /// factor = "(" region ")" | constant | region-variable
    fn factor<'a>(&self, input: Remaining<'a>, depth: usize) -> Parse<'a, Region> {
        let (start, ()) = blanks(input)?;
        if start.first() == Some(&b'(') {
            if depth == DEEPEST_NESTING {
                return stop(start, &format!("a region with at most {DEEPEST_NESTING} nested brackets"));
            }
            let close = |input| expect(sign(")"), "'+', '*' or ')'", input);
            return delimited(sign("("), |input| self.sum(input, depth + 1), close).parse(start);
        }
        let (rest, name) = expect(word, "a region", start)?;
        match name.to_ascii_lowercase().as_slice() {
            b"pointed" => self.pointed(rest),
            b"reflexive" => {
                self.warn(start, "reflexive", "pointed");
                self.pointed(rest)
            }
            b"forward" => self.extent(rest, |depth| (0, depth)),
            b"backward" => self.extent(rest, |depth| (-depth, 0)),
            b"centered" => self.extent(rest, |depth| (-depth, depth)),
            _ if is_reserved(name) => stop(start, "a region"),
            _ if peek(sign("(")).parse(rest).is_ok() => stop(start, "'pointed', 'forward', 'backward' or 'centered'"),
            _ => Ok((rest, Region::Variable(self.name(start, name)))),
        }
    }

    /// "pointed" "(" "dim" "=" number ")"
    fn pointed<'a>(&self, input: Remaining<'a>) -> Parse<'a, Region> {
        let (input, ()) = expect(sign("("), "'('", input)?;
        let mut attributes = Attributes::default();
        let (input, ()) = self.attribute(&mut attributes, true, input)?;
        let (rest, ()) = expect(sign(")"), "')'", input)?;
        constant(rest, Some(Interval::ORIGIN), &attributes)
    }

    /// ( "forward" | "backward" | "centered" ) "(" attribute { [","] attribute } ")"
    fn extent<'a>(&self, input: Remaining<'a>, bounds: fn(i64) -> (i64, i64)) -> Parse<'a, Region> {
        let (input, ()) = expect(sign("("), "'('", input)?;
        let mut attributes = Attributes::default();
        let (mut input, ()) = self.attribute(&mut attributes, false, input)?;
        loop {
            let missing = attributes.missing();
            let (rest, comma) = opt(sign(",")).parse(input)?;
            if comma.is_none() {
                let (at, ()) = blanks(rest)?;
                if missing.is_empty() && at.first() == Some(&b')') {
                    break;
                }
                if word(at).is_err() {
                    let expected =
                        if missing.is_empty() { "',' or ')'".to_owned() } else { format!("',' and {missing}") };
                    return stop(at, &expected);
                }
            }
            (input, ()) = self.attribute(&mut attributes, false, rest)?;
        }
        let (rest, ()) = expect(sign(")"), "')'", input)?;
        let (lower, upper) = bounds(attributes.depth.unwrap_or(1));
        constant(rest, Interval::new(lower, upper, !attributes.without_origin), &attributes)
    }

    /// attribute = "dim" "=" number | "depth" "=" number | "nonpointed", each at most once, of `pointed` only the first
    fn attribute<'a>(&self, attributes: &mut Attributes, pointed: bool, input: Remaining<'a>) -> Parse<'a, ()> {
        let (start, ()) = blanks(input)?;
        let expected = if pointed { "'dim='".to_owned() } else { attributes.possible() };
        let (rest, name) = expect(word, &expected, start)?;
        match name.to_ascii_lowercase().as_slice() {
            b"dim" if attributes.dimension.is_none() => {
                let (at, ()) = expect(sign("="), "'='", rest)?;
                let (at, ()) = blanks(at)?;
                let (rest, dimension) = number(at)?;
                attributes.dimension = Some((usize::try_from(dimension).unwrap_or(usize::MAX), self.offset(at)));
                Ok((rest, ()))
            }
            b"depth" if !pointed && attributes.depth.is_none() => {
                let (rest, ()) = expect(sign("="), "'='", rest)?;
                let (rest, depth) = number(rest)?;
                attributes.depth = Some(depth);
                Ok((rest, ()))
            }
            keyword @ (b"nonpointed" | b"irreflexive") if !pointed && !attributes.without_origin => {
                if keyword == b"irreflexive" {
                    self.warn(start, "irreflexive", "nonpointed");
                }
                attributes.without_origin = true;
                Ok((rest, ()))
            }
            _ => stop(start, &expected),
        }
    }

    fn warn(&self, at: Remaining<'_>, old: &'static str, new: &'static str) {
        self.old_spellings.borrow_mut().push(OldSpelling { offset: self.offset(at), old, new });
    }
}

impl Attributes {
    /// The required ones that are not there yet.
    fn missing(&self) -> String {
        let wanted = [("'depth='", self.depth.is_none()), ("'dim='", self.dimension.is_none())];
        list(wanted.iter().filter(|(_, missing)| *missing).map(|(name, _)| *name), "and")
    }

    /// Those that are not there yet, or the end of the list.
    fn possible(&self) -> String {
        let wanted = [
            ("'depth='", self.depth.is_none()),
            ("'dim='", self.dimension.is_none()),
            ("'nonpointed'", !self.without_origin),
            ("')'", self.depth.is_some() && self.dimension.is_some() && self.without_origin),
        ];
        list(wanted.iter().filter(|(_, possible)| *possible).map(|(name, _)| *name), "or")
    }
}

/// `a, b or c`.
fn list<'a>(items: impl Iterator<Item = &'a str>, last: &str) -> String {
    let items: Vec<&str> = items.collect();
    match items.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, start)) => format!("{} {last} {end}", start.join(", ")),
        None => String::new(),
    }
}

/// Runs a parser for which there is no alternative; its error stands behind the blanks and says what was expected.
fn expect<'a, T>(
    mut parser: impl Parser<Remaining<'a>, Output = T, Error = ParseFailure>,
    expected: &str,
    input: Remaining<'a>,
) -> Parse<'a, T> {
    let (at, ()) = blanks(input)?;
    match parser.parse(at) {
        Err(nom::Err::Error(_)) => stop(at, expected),
        result => result,
    }
}

fn is_reserved(word: &[u8]) -> bool {
    RESERVED.iter().any(|reserved| word.eq_ignore_ascii_case(reserved.as_bytes()))
}

/// modifier = "readOnce" | "atMost" | "atLeast", each at most once, the last two not together
fn modifiers(mut input: Remaining<'_>) -> Parse<'_, (bool, Approximation)> {
    let (mut read_once, mut approximation) = (false, Approximation::Exact);
    loop {
        let (start, ()) = blanks(input)?;
        let (rest, modifier) = opt(word).parse(start)?;
        match modifier.map(<[u8]>::to_ascii_lowercase).as_deref() {
            Some(b"readonce") if !read_once => read_once = true,
            Some(b"atmost") if approximation == Approximation::Exact => approximation = Approximation::AtMost,
            Some(b"atleast") if approximation == Approximation::Exact => approximation = Approximation::AtLeast,
            Some(b"readonce" | b"atmost" | b"atleast") => {
                return stop(start, "a region (such a modifier is given already)");
            }
            _ => return Ok((start, (read_once, approximation))),
        }
        input = opt(sign(",")).parse(rest)?.0;
    }
}

/// A positive integer that fits, after blanks.
fn number(input: Remaining<'_>) -> Parse<'_, i64> {
    let (start, ()) = blanks(input)?;
    let (rest, digits) = take_while(|byte: u8| byte.is_ascii_digit()).parse(start)?;
    let value = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<i64>().ok());
    match value {
        Some(value) if value > 0 => Ok((rest, value)),
        None if !digits.is_empty() => stop(start, &format!("an integer of at most {}", i64::MAX)),
        _ => stop(start, "a positive integer"),
    }
}

fn end<'a>(input: Remaining<'a>, expected: &str) -> Parse<'a, ()> {
    let (rest, ()) = blanks(input)?;
    if rest.is_empty() { Ok((rest, ())) } else { stop(rest, expected) }
}

fn combine<'a>(
    rest: Remaining<'a>,
    first: Region,
    others: Vec<Region>,
    operator: fn(Vec<Region>) -> Region,
) -> Parse<'a, Region> {
    let operands = std::iter::once(first).chain(others).collect();
    match flatten(operands, operator) {
        Some(region) => Ok((rest, region)),
        None => stop(rest, "a region"),
    }
}

fn constant<'a>(rest: Remaining<'a>, interval: Option<Interval>, attributes: &Attributes) -> Parse<'a, Region> {
    let found = interval.zip(attributes.dimension);
    match found.and_then(|(interval, (dimension, offset))| RegionConstant::new(interval, dimension, offset)) {
        Some(constant) => Ok((rest, Region::Constant(constant))),
        None => stop(rest, "a region"),
    }
}
