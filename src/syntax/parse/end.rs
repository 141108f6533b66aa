//! END statements in every spelling: `end`, `enddo`, `end do outer`, `endprogram`, `end interface operator(+)`, ….
//!
//! Entry point: [`end_statement`]. [`end_ahead`] says what a text ends without parsing it, for statements that were not
//! understood.

use super::entity::generic_spec;
use super::lexical::{Context, Input, Parsed, blank, fail, identifier, keyword};
use super::reference::argument_list;
use crate::syntax::ast::declaration::GenericSpec;
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{EndOf, StatementKind};

/// What may follow END; of two that begin alike the longer stands first.
const ENDS: &[(&str, EndOf)] = &[
    ("associate", EndOf::Associate),
    ("block data", EndOf::BlockData),
    ("block", EndOf::Block),
    ("critical", EndOf::Critical),
    ("do", EndOf::Do),
    ("enumeration type", EndOf::EnumerationType),
    ("enum", EndOf::Enum),
    ("forall", EndOf::Forall),
    ("function", EndOf::Function),
    ("if", EndOf::If),
    ("interface", EndOf::Interface),
    ("map", EndOf::Map),
    ("module", EndOf::Module),
    ("procedure", EndOf::Procedure),
    ("program", EndOf::Program),
    ("requirement", EndOf::Requirement),
    ("select", EndOf::Select),
    ("structure", EndOf::Structure),
    ("submodule", EndOf::Submodule),
    ("subroutine", EndOf::Subroutine),
    ("team", EndOf::Team),
    ("template", EndOf::Template),
    ("type", EndOf::Type),
    ("union", EndOf::Union),
    ("where", EndOf::Where),
];

/// R1403, R1406, R1419, R1422, R1533, R1537, R1540, R1504, R730, R763, R1106, R1110, R1114, R1118, R1132, R1138, R1143,
/// R1151, R1155, R1049, R1054, F2023 R769, DEC END STRUCTURE, END UNION, END MAP.
pub fn end_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let Some((rest, of)) = end_ahead(cx, input) else { return fail(input, "END") };
    let Some(of) = of else { return Ok((rest, StatementKind::End { of: None, options: None, name: None })) };
    // R1114 end-change-team-stmt has a list in front of its name.
    let (rest, options) = match of {
        EndOf::Team if rest.first() == Some(&b'(') => {
            argument_list(cx, rest).map(|(rest, options)| (rest, Some(options)))?
        }
        _ => (rest, None),
    };
    let (rest, name) = match of {
        _ if rest.is_empty() => (rest, None),
        EndOf::Interface => end_of_interface(cx, rest)?,
        _ => optional_name(cx, rest)?,
    };
    Ok((rest, StatementKind::End { of: Some(of), options, name }))
}

/// What an END statement ends, judged by its keywords: `None` when it is none, `Some((_, None))` when it is END alone.
pub fn end_ahead<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<(Input<'i>, Option<EndOf>)> {
    let rest = blank(input.strip_prefix(b"end")?);
    if rest.is_empty() {
        return Some((rest, None));
    }
    ENDS.iter().find_map(|(words, of)| keyword(cx, words, rest).ok().map(|(rest, ())| (rest, Some(*of))))
}

fn optional_name<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<Identifier>> {
    match input.is_empty() {
        true => Ok((input, None)),
        false => identifier(cx, input).map(|(rest, name)| (rest, Some(name))),
    }
}

/// R1504 end-interface-stmt: the name is the text of the generic-spec.
fn end_of_interface<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<Identifier>> {
    let (rest, spec) = generic_spec(cx, input)?;
    let name = match spec {
        GenericSpec::Name(name) => name,
        _ => Identifier { name: cx.intern_between(input, rest), span: cx.span(input, rest) },
    };
    Ok((rest, Some(name)))
}
