//! The parser of one specification text (grammar in `grammar/specification.ebnf`). A recursive descent of nom parsers;
//! every alternative is chosen by its first word or sign, so an error stands where the text stops being a
//! specification.

use super::attribute::Attribute::{self, Along, At, By, Depth, Dim, Free, Nonpointed};
use super::attribute::{Attributes, CONSTANTS, ConstantForm};
use super::comment::is_word_byte;
use super::tree::{
    Approximation, ComputationKind, Region, RegionDeclaration, Specification, SpecificationLine, SpelledName, flatten,
};
use crate::region::{Direction, HIGHEST_DIMENSION, Place, REACH};
use nom::branch::alt;
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

/// The words that stand before a region: no names of variables, as those that one starts with.
const MODIFIERS: [&str; 3] = ["readonce", "atmost", "atleast"];

/// Where in a specification a region stands.
#[derive(Clone, Copy)]
struct RegionPlace {
    /// So many brackets are open.
    depth: usize,
    /// In an `access`, where dimensions follow no left side.
    in_access: bool,
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
        let (input, region) = self.sum(input, RegionPlace { depth: 0, in_access: false })?;
        let (input, ()) = end(input, "'+', '*' or the end of the line")?;
        Ok((input, SpecificationLine::Declaration(RegionDeclaration { name, region })))
    }

    /// specification-declaration = kind { modifier [","] } region "::" variable { [","] variable }
    fn specification<'a>(&self, kind: ComputationKind, input: Remaining<'a>) -> Parse<'a, SpecificationLine> {
        let (input, (read_once, approximation)) = modifiers(input)?;
        let in_access = kind == ComputationKind::Access;
        let (input, region) = self.sum(input, RegionPlace { depth: 0, in_access })?;
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
    fn sum<'a>(&self, input: Remaining<'a>, place: RegionPlace) -> Parse<'a, Region> {
        let product = |input| self.product(input, place);
        let (rest, (first, others)) = pair(product, many0(preceded(sign("+"), cut(product)))).parse(input)?;
        combine(rest, first, others, Region::Sum)
    }

    /// product = factor { "*" factor }
    fn product<'a>(&self, input: Remaining<'a>, place: RegionPlace) -> Parse<'a, Region> {
        let factor = |input| self.factor(input, place);
        let (rest, (first, others)) = pair(factor, many0(preceded(sign("*"), cut(factor)))).parse(input)?;
        combine(rest, first, others, Region::Product)
    }

    /// factor = "(" region ")" | constant | region-variable
    fn factor<'a>(&self, input: Remaining<'a>, place: RegionPlace) -> Parse<'a, Region> {
        let (start, ()) = blanks(input)?;
        if start.first() == Some(&b'(') {
            if place.depth == DEEPEST_NESTING {
                return stop(start, &format!("a region with at most {DEEPEST_NESTING} nested brackets"));
            }
            let inner = RegionPlace { depth: place.depth + 1, ..place };
            let close = |input| expect(sign(")"), "'+', '*' or ')'", input);
            return delimited(sign("("), |input| self.sum(input, inner), close).parse(start);
        }
        let (rest, name) = expect(word, "a region", start)?;
        if let Some(form) = CONSTANTS.iter().find(|form| name.eq_ignore_ascii_case(form.word.as_bytes())) {
            if let Some(now) = form.now {
                self.warn(start, form.word, now);
            }
            return self.constant(form, rest, place);
        }
        if is_reserved(name) {
            return stop(start, "a region");
        }
        if peek(sign("(")).parse(rest).is_ok() {
            let words = CONSTANTS.iter().filter(|form| form.now.is_none()).map(|form| format!("'{}'", form.word));
            return stop(start, &list(words, "or"));
        }
        Ok((rest, Region::Variable(self.name(start, name))))
    }

    /// The brackets of a constant: "(" attribute { [","] attribute } ")"
    fn constant<'a>(&self, form: &ConstantForm, input: Remaining<'a>, place: RegionPlace) -> Parse<'a, Region> {
        let (input, ()) = expect(sign("("), "'('", input)?;
        let mut attributes = Attributes::default();
        let (mut input, ()) = self.attribute(form, &mut attributes, input, place)?;
        loop {
            let missing = list(attributes.missing(form).map(Attribute::text), "and");
            let may_end = missing.is_empty();
            let (start, ()) = blanks(input)?;
            if may_end && start.first() == Some(&b')') {
                break;
            }
            let (rest, comma) = opt(sign(",")).parse(start)?;
            let (next, ()) = blanks(rest)?;
            let next_word = word(next).ok().map(|(_, word)| word);
            let is_elsewhere =
                next_word.and_then(Attribute::of).is_some_and(|next| place.in_access && next.is_of_stencils());
            if may_end && attributes.possible(form, !place.in_access).is_empty() && !is_elsewhere {
                return stop(start, "')'");
            }
            if comma.is_none() && next_word.is_none() {
                let expected = if may_end { "',' or ')'".to_owned() } else { format!("',' and {missing}") };
                return stop(next, &expected);
            }
            (input, ()) = self.attribute(form, &mut attributes, rest, place)?;
        }
        let (rest, ()) = expect(sign(")"), "')'", input)?;
        match attributes.constant(form) {
            Some(constant) => Ok((rest, Region::Constant(constant))),
            None => stop(rest, "a region"),
        }
    }

    /// One attribute of a constant, each at most once.
    fn attribute<'a>(
        &self,
        form: &ConstantForm,
        attributes: &mut Attributes,
        input: Remaining<'a>,
        place: RegionPlace,
    ) -> Parse<'a, ()> {
        let (start, ()) = blanks(input)?;
        let possible = attributes.possible(form, !place.in_access);
        let expected = list(possible.iter().copied().map(Attribute::text), "or");
        let (rest, name) = expect(word, &expected, start)?;
        let attribute = match Attribute::of(name) {
            Some(attribute) if possible.contains(&attribute) => attribute,
            Some(attribute) if place.in_access && attribute.is_of_stencils() => {
                return stop(start, "an attribute that an 'access' can have");
            }
            _ => return stop(start, &expected),
        };
        attributes.given.insert(attribute);
        if name.eq_ignore_ascii_case(b"irreflexive") {
            self.warn(start, "irreflexive", "nonpointed");
        }
        let value = |input| expect(sign("="), "'='", input).and_then(|(input, ())| blanks(input));
        match attribute {
            Along => {
                let (rest, dimension) = number(value(rest)?.0, HIGHEST_DIMENSION as i64)?;
                attributes.direction = Direction::Along(usize::try_from(dimension).unwrap_or(HIGHEST_DIMENSION));
                Ok((rest, ()))
            }
            At => {
                let (at, ()) = value(rest)?;
                if let (rest, Some(name)) = opt(word).parse(at)? {
                    attributes.index_name = Some(self.name(at, name));
                    return Ok((rest, ()));
                }
                let (rest, index) = integer(at, "an integer or a name")?;
                attributes.index = Some(index);
                Ok((rest, ()))
            }
            By => {
                let (at, ()) = value(rest)?;
                let (rest, by) = integer(at, "an integer other than 0")?;
                if by == 0 {
                    return stop(at, "an integer other than 0");
                }
                attributes.by = Some(by);
                Ok((rest, ()))
            }
            Depth => {
                let (rest, depth) = number(value(rest)?.0, i64::MAX)?;
                attributes.depth = Some(depth);
                Ok((rest, ()))
            }
            Dim => {
                let (at, ()) = value(rest)?;
                let (rest, dimension) = number(at, i64::MAX)?;
                attributes.dimension = Some((usize::try_from(dimension).unwrap_or(usize::MAX), self.offset(at)));
                Ok((rest, ()))
            }
            Free => {
                attributes.direction = Direction::Free;
                Ok((rest, ()))
            }
            Nonpointed => {
                attributes.without_origin = true;
                Ok((rest, ()))
            }
        }
    }

    fn warn(&self, at: Remaining<'_>, old: &'static str, new: &'static str) {
        self.old_spellings.borrow_mut().push(OldSpelling { offset: self.offset(at), old, new });
    }
}

/// `a, b or c`.
fn list(items: impl Iterator<Item = String>, last: &str) -> String {
    let items: Vec<String> = items.collect();
    match items.split_last() {
        Some((end, [])) => end.clone(),
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
    let reserved = MODIFIERS.into_iter().chain(CONSTANTS.iter().map(|form| form.word));
    reserved.into_iter().any(|reserved| word.eq_ignore_ascii_case(reserved.as_bytes()))
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

/// A positive integer of at most `most`.
fn number(start: Remaining<'_>, most: i64) -> Parse<'_, i64> {
    let (rest, digits) = take_while(|byte: u8| byte.is_ascii_digit()).parse(start)?;
    match value_of(digits) {
        Some(value) if (1..=most).contains(&value) => Ok((rest, value)),
        Some(value) if value > most => stop(start, &format!("an integer of at most {most}")),
        None if !digits.is_empty() => stop(start, &format!("an integer of at most {most}")),
        _ => stop(start, "a positive integer"),
    }
}

/// An integer, perhaps with a sign, that a fixed index or an offset can be.
fn integer<'a>(start: Remaining<'a>, expected: &str) -> Parse<'a, i64> {
    let (unsigned, sign) = opt(alt((tag("+"), tag("-")))).parse(start)?;
    let (rest, digits) = take_while(|byte: u8| byte.is_ascii_digit()).parse(unsigned)?;
    let sign = if sign == Some(b"-") { -1 } else { 1 };
    match value_of(digits).map(|value| sign * value).filter(|value| Place::Fixed(*value).code().is_some()) {
        Some(value) => Ok((rest, value)),
        None if digits.is_empty() => stop(start, expected),
        None => stop(start, &format!("an integer of less than {} digits", REACH.ilog10() + 1)),
    }
}

fn value_of(digits: &[u8]) -> Option<i64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
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
