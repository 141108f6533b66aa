//! Declared entities and their attributes (clause 8): names with shapes, lengths and initial values.
//!
//! Entry points: [`entity`], [`plain_entity`] (where a slash is not an initial value), [`attribute`], [`generic_spec`].

use super::expression::{expression, operand};
use super::lexical::{Context, Input, Parsed, blank, comma_list, fail, identifier, parenthesised, symbol};
use super::reference::argument_list;
use super::type_spec::char_length;
use crate::source::is_name_byte;
use crate::syntax::ast::declaration::{
    ArraySpec, Attribute, Coshape, DimensionSpec, Entity, GenericSpec, Initializer, Intent, Length,
};
use crate::syntax::ast::expression::{Expression, ExpressionKind};
use crate::syntax::ast::names::Identifier;

/// R803 entity-decl, R739 component-decl, with the initial values of R805 and DEC's `/ … /`.
pub fn entity<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Entity> {
    let (rest, mut entity) = plain_entity(cx, input)?;
    let (rest, initial) = initializer(cx, rest)?;
    entity.initial = initial;
    entity.span = cx.span(input, rest);
    Ok((rest, entity))
}

/// An entity without an initial value: R803 up to its char-length, R874 common-block-object. DEC and others also have
/// the length in front of the shape (`name*8(3)`).
pub fn plain_entity<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Entity> {
    let (rest, name) = entity_name(cx, input)?;
    let (rest, leading) = length_behind(cx, rest)?;
    let (rest, shape) = optional_shape(cx, rest)?;
    let (rest, coshape) = optional_coshape(cx, rest)?;
    let (rest, trailing) = length_behind(cx, rest)?;
    let length = trailing.or(leading);
    Ok((rest, Entity { name, shape, coshape, length, initial: None, span: cx.span(input, rest) }))
}

/// A name, or DEC's `%fill`.
fn entity_name<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Identifier> {
    match input.strip_prefix(b"%fill") {
        Some(rest) => {
            Ok((blank(rest), Identifier { name: cx.intern_between(input, rest), span: cx.span(input, rest) }))
        }
        None => identifier(cx, input),
    }
}

/// `* char-length` (R723).
fn length_behind<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<Length>> {
    match input.strip_prefix(b"*") {
        Some(behind) => {
            let (rest, length) = char_length(cx, behind)?;
            Ok((rest, Some(length)))
        }
        None => Ok((input, None)),
    }
}

/// R805 initialization, or `/ values /`.
fn initializer<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<Initializer>> {
    let (rest, initial) = if let Some(behind) = input.strip_prefix(b"=>") {
        let (rest, target) = expression(cx, behind)?;
        (rest, Initializer::Pointer(target))
    } else if let Some(behind) = input.strip_prefix(b"=") {
        let (rest, value) = expression(cx, behind)?;
        (rest, Initializer::Value(value))
    } else if input.first() == Some(&b'/') {
        let (rest, values) = slashed_values(cx, input)?;
        (rest, Initializer::Slashes(values))
    } else {
        return Ok((input, None));
    };
    Ok((rest, Some(initial)))
}

/// `/ data-stmt-value-list /` (R838).
pub fn slashed_values<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Vec<Expression>> {
    let (rest, ()) = symbol("/", input)?;
    let (rest, values) = comma_list(rest, |value| data_value(cx, value))?;
    let (rest, ()) = symbol("/", rest)?;
    Ok((blank(rest), values))
}

/// R843 data-stmt-value: `[count *] constant`.
fn data_value<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    let (rest, first) = operand(cx, input)?;
    let Some(behind) = rest.strip_prefix(b"*") else { return Ok((rest, first)) };
    let (rest, value) = operand(cx, behind)?;
    let kind = ExpressionKind::Repeat(Box::new(first), Box::new(value));
    Ok((rest, Expression { kind, span: cx.span(input, rest) }))
}

fn optional_shape<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<ArraySpec>> {
    if input.first() != Some(&b'(') {
        return Ok((input, None));
    }
    let (rest, shape) = array_spec(cx, input)?;
    Ok((rest, Some(shape)))
}

/// R815 array-spec with its brackets.
pub fn array_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, ArraySpec> {
    let (rest, assumed_rank) = match input.strip_prefix(b"(..)") {
        Some(rest) => (blank(rest), true),
        None => (input, false),
    };
    if assumed_rank {
        return Ok((rest, ArraySpec { dimensions: Vec::new(), assumed_rank, span: cx.span(input, rest) }));
    }
    let (rest, dimensions) = parenthesised(cx, input, |inner| comma_list(inner, |item| dimension_spec(cx, item)))?;
    Ok((rest, ArraySpec { dimensions, assumed_rank, span: cx.span(input, rest) }))
}

fn optional_coshape<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<Coshape>> {
    if input.first() != Some(&b'[') {
        return Ok((input, None));
    }
    let (rest, coshape) = coarray_spec(cx, input)?;
    Ok((rest, Some(coshape)))
}

/// R809 coarray-spec with its brackets.
pub fn coarray_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Coshape> {
    let (rest, ()) = symbol("[", input)?;
    let (rest, dimensions) = cx.nested(rest, |inner| comma_list(inner, |item| dimension_spec(cx, item)))?;
    let (rest, ()) = symbol("]", rest)?;
    Ok((blank(rest), Coshape { dimensions }))
}

/// One dimension: R816 explicit-shape-spec, R819, R820, R821, R822.
fn dimension_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, DimensionSpec> {
    match input {
        [b'*', ..] => return Ok((&input[1..], DimensionSpec::Star(None))),
        [b':', ..] => return Ok((&input[1..], DimensionSpec::Colon(None))),
        _ => {}
    }
    let (rest, first) = expression(cx, input)?;
    match rest {
        [b':', b'*', ..] => Ok((&rest[2..], DimensionSpec::Star(Some(first)))),
        [b':', b',' | b')' | b']', ..] => Ok((&rest[1..], DimensionSpec::Colon(Some(first)))),
        [b':', ..] => {
            let (rest, upper) = expression(cx, &rest[1..])?;
            Ok((rest, DimensionSpec::Explicit(Some(first), upper)))
        }
        _ => Ok((rest, DimensionSpec::Explicit(None, first))),
    }
}

/// R802 attr-spec, R738 component-attr-spec, R728 type-attr-spec, R742, R752 binding-attr, and extensions. An unknown
/// one is a macro.
pub fn attribute<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Attribute> {
    let (rest, name) = identifier(cx, input)?;
    let word = &input[..input.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(input.len())];
    if let Some(attribute) = simple_attribute(word) {
        return Ok((rest, attribute));
    }
    match (word, rest.first()) {
        (b"bind", Some(b'(')) => {
            let (rest, list) = argument_list(cx, rest)?;
            Ok((rest, Attribute::Bind(list)))
        }
        (b"dimension", Some(b'(')) => {
            let (rest, shape) = array_spec(cx, rest)?;
            Ok((rest, Attribute::Dimension(shape)))
        }
        (b"codimension", Some(b'[')) => {
            let (rest, coshape) = coarray_spec(cx, rest)?;
            Ok((rest, Attribute::Codimension(coshape)))
        }
        (b"extends", Some(b'(')) => {
            let (rest, parent) = parenthesised(cx, rest, |inner| identifier(cx, inner))?;
            Ok((rest, Attribute::Extends(parent)))
        }
        // An undefined macro may stand for the intent.
        (b"intent", Some(b'(')) if !(cx.preprocessed() && intent_spec(rest).is_err()) => {
            let (rest, intent) = intent_spec(rest)?;
            Ok((rest, Attribute::Intent(intent)))
        }
        (b"pass", Some(b'(')) => {
            let (rest, argument) = parenthesised(cx, rest, |inner| identifier(cx, inner))?;
            Ok((rest, Attribute::Pass(Some(argument))))
        }
        (b"pass", _) => Ok((rest, Attribute::Pass(None))),
        (b"rank", Some(b'(')) => {
            let (rest, rank) = parenthesised(cx, rest, |inner| expression(cx, inner))?;
            Ok((rest, Attribute::Rank(Box::new(rank))))
        }
        (_, Some(b'(')) => {
            let (rest, arguments) = argument_list(cx, rest)?;
            Ok((rest, Attribute::Macro(name, Some(arguments))))
        }
        _ => Ok((rest, Attribute::Macro(name, None))),
    }
}

/// The attributes that are a word and nothing more.
fn simple_attribute(word: &[u8]) -> Option<Attribute> {
    Some(match word {
        b"abstract" => Attribute::Abstract,
        b"allocatable" => Attribute::Allocatable,
        b"asynchronous" => Attribute::Asynchronous,
        b"automatic" => Attribute::Automatic,
        b"contiguous" => Attribute::Contiguous,
        b"deferred" => Attribute::Deferred,
        b"external" => Attribute::External,
        b"intrinsic" => Attribute::Intrinsic,
        b"kind" => Attribute::Kind,
        b"len" => Attribute::Len,
        b"non_overridable" => Attribute::NonOverridable,
        b"nopass" => Attribute::NoPass,
        b"optional" => Attribute::Optional,
        b"parameter" => Attribute::Parameter,
        b"pointer" => Attribute::Pointer,
        b"private" => Attribute::Private,
        b"protected" => Attribute::Protected,
        b"public" => Attribute::Public,
        b"save" => Attribute::Save,
        b"sequence" => Attribute::Sequence,
        b"static" => Attribute::Static,
        b"target" => Attribute::Target,
        b"value" => Attribute::Value,
        b"volatile" => Attribute::Volatile,
        _ => return None,
    })
}

/// R826 intent-spec with its brackets.
pub fn intent_spec(input: Input<'_>) -> Parsed<'_, Intent> {
    let forms: [(&[u8], Intent); 4] =
        [(b"(in)", Intent::In), (b"(out)", Intent::Out), (b"(inout)", Intent::InOut), (b"(in out)", Intent::InOut)];
    match forms.into_iter().find_map(|(text, intent)| input.strip_prefix(text).map(|rest| (blank(rest), intent))) {
        Some(found) => Ok(found),
        None => fail(input, "(in), (out) or (inout)"),
    }
}

/// `, attribute …` as long as commas follow, then `::`. Without a `::` in the text there are no attributes. In a
/// preprocessed file a name without a comma in front is an undefined macro, which may stand for the comma, too: `real
/// ALLOCATABLE_ :: a(:)`.
pub fn attributes_and_colons<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Vec<Attribute>> {
    let mut attributes = Vec::new();
    let mut rest = input;
    let macro_ahead = |rest: Input<'_>| cx.preprocessed() && rest.first().is_some_and(|&byte| is_name_byte(byte));
    let begins = rest.starts_with(b"::") || (rest.starts_with(b",") || macro_ahead(rest)) && has_double_colon(rest);
    if !begins {
        return Ok((rest, attributes));
    }
    while rest.starts_with(b",") || macro_ahead(rest) {
        let (next, value) = attribute(cx, rest.strip_prefix(b",").unwrap_or(rest))?;
        attributes.push(value);
        rest = next;
    }
    let (rest, ()) = symbol("::", rest)?;
    Ok((rest, attributes))
}

/// Whether `::` stands in the text outside brackets and character constants.
pub fn has_double_colon(input: Input<'_>) -> bool {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(&byte) = input.get(at) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'\'' | b'"' => match memchr::memchr(byte, &input[at + 1..]) {
                Some(length) => at += length + 1,
                None => return false,
            },
            b':' if depth == 0 && input.get(at + 1) == Some(&b':') => return true,
            _ => {}
        }
        at += 1;
    }
    false
}

/// R1508 generic-spec.
pub fn generic_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, GenericSpec> {
    if let Some(behind) = input.strip_prefix(b"operator(") {
        let length = behind.iter().position(|&byte| byte == b')').unwrap_or(0);
        if length == 0 {
            return fail(behind, "an operator");
        }
        let rest = &behind[length..];
        let operator = Identifier { name: cx.intern_between(behind, rest), span: cx.span(behind, rest) };
        return Ok((blank(&rest[1..]), GenericSpec::Operator(operator)));
    }
    if let Some(rest) = input.strip_prefix(b"assignment(=)") {
        return Ok((blank(rest), GenericSpec::Assignment));
    }
    let (rest, name) = identifier(cx, input)?;
    let direction = input.starts_with(b"read(") || input.starts_with(b"write(");
    if direction {
        let (rest, form) = parenthesised(cx, rest, |inner| identifier(cx, inner))?;
        return Ok((rest, GenericSpec::DefinedIo { direction: name, form }));
    }
    Ok((rest, GenericSpec::Name(name)))
}
