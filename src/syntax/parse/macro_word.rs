//! The word of an undefined macro at the beginning of a statement or among the prefixes of a subprogram.

use super::lexical::{Context, Input, blank, identifier, word_length};
use crate::syntax::ast::names::Identifier;

/// The name at the beginning of a statement and what follows it, if that is another name or a length. In fixed form,
/// where blanks mean nothing, the name ends at the first one.
pub fn macro_word<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<(Identifier, Input<'i>)> {
    let length = word_length(input);
    let end = match input.get(length) {
        Some(b'*') if !cx.fixed_form() || gap_in_name(cx, input, length).is_none() => length,
        Some(b' ') => length,
        _ => gap_in_name(cx, input, length)?,
    };
    let behind = &input[end..];
    identifier(cx, input).ok()?;
    let name = cx.intern(&input[..end]);
    Some((Identifier { name, span: cx.span(input, behind) }, blank(behind)))
}

/// Where the source has the first blank within the name at the beginning of a statement of fixed form.
pub fn gap_in_name(cx: &Context<'_>, input: Input<'_>, length: usize) -> Option<usize> {
    if !cx.fixed_form() {
        return None;
    }
    let offset = cx.offset(input);
    let gap = |at: &u32| cx.source.span(at - 1, *at).end < cx.source.span(*at, at + 1).start;
    (offset + 1..offset + length as u32).find(gap).map(|at| (at - offset) as usize)
}
