//! Templates and generic subprograms of the next revision of the standard (J3/24-107 and after): TEMPLATE, REQUIREMENT,
//! REQUIRE, INSTANTIATE, DEFERRED, GENERIC SUBROUTINE. They are nested, and not looked into.
//!
//! All are statements of free form only: in fixed form too many names begin with these words.

use super::derived_type;
use super::lexical::{
    Context, Input, Parsed, comma_list, end_of_statement, identifier, keyword, optional, parenthesised,
};
use super::unit;
use crate::syntax::ast::declaration::Attribute;
use crate::syntax::ast::names::Name;
use crate::syntax::ast::statement::StatementKind;

/// Parses a statement that belongs to templates or begins a generic subprogram; `None` if it is another one.
pub fn template_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<Parsed<'i, StatementKind>> {
    if cx.fixed_form() || !matches!(input.first(), Some(b't' | b'r' | b'i' | b'd' | b'g')) {
        return None;
    }
    let behind = |words| keyword(cx, words, input).ok().map(|(rest, ())| rest);
    if let Some(rest) = behind("template").filter(|rest| begins_name(rest)) {
        return Some(template(cx, rest, false));
    }
    if let Some(rest) = behind("requirement").filter(|rest| begins_name(rest)) {
        return Some(template(cx, rest, true));
    }
    if let Some(rest) = behind("require").map(|rest| optional("::", rest).0).filter(|rest| begins_name(rest)) {
        return Some(kept(cx, rest, StatementKind::Require));
    }
    if let Some(rest) = behind("instantiate").map(|rest| optional("::", rest).0).filter(|rest| begins_name(rest)) {
        return Some(kept(cx, rest, StatementKind::Instantiate));
    }
    if let Some(rest) = behind("deferred").filter(|rest| begins_name(rest)) {
        return Some(kept(cx, rest, StatementKind::Deferred));
    }
    if input.starts_with(b"type,") && is_deferred_type(cx, input) {
        return Some(kept(cx, input, StatementKind::Deferred));
    }
    let generic = behind("generic").filter(|rest| unit::header_behind_prefix(cx, rest));
    generic.map(|_| unit::header(cx, input))
}

fn begins_name(rest: Input<'_>) -> bool {
    rest.first().is_some_and(u8::is_ascii_alphabetic)
}

/// `template name(parameters)`, `requirement name(parameters)`, behind its keyword.
fn template<'i>(cx: &Context<'_>, input: Input<'i>, requirement: bool) -> Parsed<'i, StatementKind> {
    let (rest, name) = identifier(cx, input)?;
    let (rest, parameters) = match rest {
        [b'(', b')', ..] => (&rest[2..], Vec::new()),
        [b'(', ..] => parenthesised(cx, rest, |inner| comma_list(inner, |item| identifier(cx, item)))?,
        _ => (rest, Vec::new()),
    };
    let (rest, ()) = end_of_statement(rest)?;
    Ok((rest, StatementKind::Template { requirement, name, parameters }))
}

/// A statement of which the text behind its keyword is kept as it is.
fn kept<'i>(cx: &Context<'_>, input: Input<'i>, kind: impl FnOnce(Name) -> StatementKind) -> Parsed<'i, StatementKind> {
    Ok((&input[input.len()..], kind(cx.intern(input))))
}

/// `type, deferred :: t`, which defines no type and has no END.
fn is_deferred_type(cx: &Context<'_>, input: Input<'_>) -> bool {
    let parsed = derived_type::derived_type(cx, input);
    let attributes = match &parsed {
        Ok((_, StatementKind::DerivedType { attributes, .. })) => attributes.as_slice(),
        _ => return memchr::memmem::find(input, b"deferred::").is_some(),
    };
    attributes.contains(&Attribute::Deferred)
}
