//! One logical statement to one [`Statement`].
//!
//! Entry point: [`statement`]. A statement is classified first (`super::classify`): an assignment is parsed as one,
//! anything else is dispatched on its leading keyword by a table, and one parser runs. What that parser does not
//! understand becomes [`StatementKind::Unparsed`] with the place and what was expected there; other parsers are not
//! tried.

use super::assignment::{assignment, elsewhere, forall, where_statement};
use super::classify::is_assignment;
use super::declaration::{declaration_by_macro, specification_statement};
use super::end::{end_ahead, end_statement};
use super::lexical::{Context, Input, Parsed, Trouble, blank, end_of_statement, fail, identifier, word_length};
use super::lookahead::{Lookahead, any, bracket, end, end_or_bracket, not_double, number, output_list};
use super::reference::reference;
use super::{allocation, control, do_loop, format, image, io, select};
use crate::source::{HIDDEN_STATEMENT, LogicalStatement};
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{EndOf, Statement, StatementKind};

/// Parses what stands behind a keyword.
type Parser = for<'a, 'c, 'i> fn(&'a Context<'c>, Input<'i>) -> Parsed<'i, StatementKind>;

/// A leading keyword: its words, whether what stands behind it fits, and the parser of that.
type Lead = (&'static str, Lookahead, Parser);

/// Actions and construct headers by their first letter; of two that begin alike the longer stands first.
fn leads(first_letter: u8) -> &'static [Lead] {
    match first_letter {
        b'a' => &[
            ("allocate", bracket, allocation::allocate),
            ("assign", number, control::assign),
            ("associate", bracket, control::associate),
            ("accept", any, io::accept),
        ],
        b'b' => &[
            ("backspace", any, io::backspace),
            ("block", end, control::block),
            ("buffer in", bracket, io::buffer_in),
            ("buffer out", bracket, io::buffer_out),
        ],
        b'c' => &[
            ("call", any, control::call),
            ("continue", end, control::continue_statement),
            ("case", any, select::case),
            ("cycle", any, control::cycle),
            ("close", bracket, io::close),
            ("class is", bracket, select::class_is),
            ("class default", any, select::class_default),
            ("critical", end_or_bracket, control::critical),
            ("change team", bracket, control::change_team),
        ],
        b'd' => &[
            ("do", not_double, do_loop::do_statement),
            ("deallocate", bracket, allocation::deallocate),
            ("decode", bracket, io::decode),
            ("define file", any, io::define_file),
            ("delete", bracket, io::delete),
        ],
        b'e' => &[
            ("else if", bracket, control::else_if),
            ("else where", any, elsewhere),
            ("else", any, control::else_statement),
            ("end file", any, io::endfile),
            ("exit", any, control::exit),
            ("error stop", any, control::error_stop),
            ("event post", bracket, image::event_post),
            ("event wait", bracket, image::event_wait),
            ("encode", bracket, io::encode),
        ],
        b'f' => &[
            ("format", bracket, format::format),
            ("forall", bracket, forall),
            ("flush", any, io::flush),
            ("find", bracket, io::find),
            ("form team", bracket, image::form_team),
            ("fail image", end, image::fail_image),
        ],
        b'g' => &[("go to", any, control::go_to)],
        b'i' => &[("if", bracket, control::if_statement), ("inquire", bracket, io::inquire)],
        b'l' => &[("lock", bracket, image::lock)],
        b'n' => &[("nullify", bracket, allocation::nullify), ("notify wait", bracket, image::notify_wait)],
        b'o' => &[("open", bracket, io::open)],
        b'p' => &[("print", any, io::print), ("pause", any, control::pause)],
        b'r' => &[
            ("return", any, control::return_statement),
            ("read", any, io::read),
            ("rewind", any, io::rewind),
            ("rewrite", bracket, io::rewrite),
            ("rank", any, select::rank),
        ],
        b's' => &[
            ("stop", any, control::stop),
            ("select case", bracket, select::select_case),
            ("select type", bracket, select::select_type),
            ("select rank", bracket, select::select_rank),
            ("sync all", end_or_bracket, image::sync_all),
            ("sync images", bracket, image::sync_images),
            ("sync memory", end_or_bracket, image::sync_memory),
            ("sync team", bracket, image::sync_team),
        ],
        b't' => &[("type is", bracket, select::type_is), ("type", output_list, io::type_output)],
        b'u' => &[("unlock", any, image::unlock)],
        b'w' => &[("write", any, io::write), ("where", bracket, where_statement), ("wait", bracket, io::wait)],
        _ => &[],
    }
}

/// What stands behind a keyword at the beginning of `input`. A blank in `words` is optional in the text. In free form
/// the keyword must end there; a number may follow directly (`goto10`), as compilers allow, but no name that begins
/// with a digit.
fn behind_keyword<'i>(cx: &Context<'_>, words: &str, input: Input<'i>) -> Option<Input<'i>> {
    let mut rest = input;
    for byte in words.bytes() {
        rest = if byte == b' ' { blank(rest) } else { rest.strip_prefix(&[byte])? };
    }
    let ends = || rest[..word_length(rest)].iter().all(u8::is_ascii_digit);
    (cx.fixed_form() || ends()).then(|| blank(rest))
}

/// Runs the parser of the leading keyword, if it is one of an action or of a construct header.
fn keyword_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<Parsed<'i, StatementKind>> {
    leads(*input.first()?).iter().find_map(|(words, fits, parser)| {
        let rest = behind_keyword(cx, words, input)?;
        fits(rest).then(|| if cx.leaves_out_actions() && *words != "block" { left_out(rest) } else { parser(cx, rest) })
    })
}

/// An executable statement that is not looked at further.
fn left_out(input: Input<'_>) -> Parsed<'_, StatementKind> {
    Ok((&input[input.len()..], StatementKind::Continue))
}

/// The statement that a one-line IF governs (R515 action-stmt), to the end of the text.
pub fn action<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Statement> {
    let (rest, kind) = if is_assignment(input) {
        assignment(cx, input)?
    } else {
        match keyword_statement(cx, input) {
            Some(parsed) => parsed?,
            None => macro_statement(cx, input)?,
        }
    };
    let (rest, ()) = end_of_statement(rest)?;
    Ok((rest, Statement { kind, span: cx.span(input, rest), label: None, construct_name: None }))
}

/// Parses a logical statement. What is not understood becomes [`StatementKind::Unparsed`].
pub fn statement(cx: &Context<'_>, logical: &LogicalStatement) -> Statement {
    cx.begin_statement(logical.end);
    let input = cx.source.text(logical);
    let (construct_name, rest) = construct_name(cx, input);
    let kind = if input.is_empty() {
        // A label without a statement.
        StatementKind::Continue
    } else {
        match complete(cx, rest) {
            Ok((_, kind)) => kind,
            Err(nom::Err::Error(trouble) | nom::Err::Failure(trouble)) => {
                StatementKind::Unparsed(sentence(input, trouble))
            }
            Err(nom::Err::Incomplete(_)) => StatementKind::Unparsed("Expected more text".to_string()),
        }
    };
    Statement { kind, span: logical.span, label: logical.label, construct_name }
}

/// A whole statement behind its construct name.
fn complete<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    if is_assignment(input) && !is_parameter_without_brackets(cx, input) {
        if cx.leaves_out_actions() {
            return left_out(input);
        }
        let (rest, kind) = assignment(cx, input)?;
        let (rest, ()) = end_of_statement(rest)?;
        return Ok((rest, kind));
    }
    let parsed = declaration_by_macro(cx, input)
        .or_else(|| keyword_statement(cx, input))
        .or_else(|| match end_ahead(cx, input)? {
            (_, Some(of)) if cx.leaves_out_actions() && ends_action(of) => Some(left_out(input)),
            _ => Some(end_statement(cx, input)),
        })
        .or_else(|| specification_statement(cx, input));
    let parsed = match parsed {
        Some(parsed) => parsed.and_then(|(rest, kind)| end_of_statement(rest).map(|(rest, ())| (rest, kind))),
        None => return macro_statement(cx, input),
    };
    match parsed {
        // Without blanks a macro may begin like a keyword: `ALLOCATE_CHECKED(x)`.
        Err(trouble) if cx.fixed_form() && cx.preprocessed() && has_macro_name(input) => {
            macro_statement(cx, input).map_err(|_| trouble)
        }
        parsed => parsed,
    }
}

/// Whether an END ends a construct whose opening is an executable statement that can be left out.
fn ends_action(of: EndOf) -> bool {
    use EndOf::*;
    matches!(of, If | Do | Select | Where | Forall | Associate | Critical | Team)
}

/// `parameter x = 1` in fixed form, which reads like an assignment to `parameterx` but for the blank in the source.
fn is_parameter_without_brackets(cx: &Context<'_>, input: Input<'_>) -> bool {
    let Some(name) = input.strip_prefix(b"parameter") else { return false };
    let gap = |at: u32| cx.source.span(at - 1, at).end < cx.source.span(at, at + 1).start;
    name.first().is_some_and(u8::is_ascii_alphabetic) && gap(cx.offset(name))
}

/// The construct name in front of a statement (`outer:`), and what follows it.
fn construct_name<'i>(cx: &Context<'_>, input: Input<'i>) -> (Option<Identifier>, Input<'i>) {
    let length = word_length(input);
    match &input[length..] {
        [b':', next, ..] if *next != b':' && *next != b'=' => match identifier(cx, input) {
            Ok((rest, name)) => (Some(name), &rest[1..]),
            Err(_) => (None, input),
        },
        _ => (None, input),
    }
}

/// Whether the statement begins with a name that no keyword could be: one with an underscore, but for NON_RECURSIVE.
fn has_macro_name(input: Input<'_>) -> bool {
    let name = &input[..word_length(input)];
    name.contains(&b'_') && name != b"non_recursive"
}

/// An undefined macro used as a statement: a name, perhaps with arguments, and nothing else.
///
/// In a preprocessed file any name may be one. Elsewhere a statement `foo(x)` is more likely a CALL without its
/// keyword, so only names that are written as macros are (`FATAL_ERROR(msg)` in capitals in free form, `__Iam__('x')`).
fn macro_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    if input == HIDDEN_STATEMENT {
        return reference(cx, input).map(|(rest, name)| (rest, StatementKind::MacroStatement(name)));
    }
    let (rest, name) = match identifier(cx, input) {
        Ok((rest, name)) if matches!(rest.first(), None | Some(b'(')) => (rest, name),
        _ => return fail(input, "a statement"),
    };
    let written = cx.source.texts.bytes(name.span);
    let length = word_length(input);
    let contiguous = written.len() == length;
    let capitals = !cx.fixed_form() && written.len() > 2 && !written.iter().any(u8::is_ascii_lowercase);
    if !contiguous || !(cx.preprocessed() || capitals || written.starts_with(b"__")) {
        return fail(input, "a statement");
    }
    if rest.is_empty() {
        return reference(cx, input).map(|(rest, name)| (rest, StatementKind::MacroStatement(name)));
    }
    let (rest, call) = reference(cx, input)?;
    let (rest, ()) = end_of_statement(rest)?;
    Ok((rest, StatementKind::MacroStatement(call)))
}

/// One sentence that says what was expected and where.
fn sentence(input: Input<'_>, trouble: Trouble) -> String {
    const SHOWN: usize = 20;
    let Trouble { remaining, expected } = trouble;
    let rest = &input[input.len() - remaining.min(input.len())..];
    let expected = match expected {
        symbol if !symbol.bytes().any(|byte| byte.is_ascii_alphabetic()) => format!("'{symbol}'"),
        words => words.to_string(),
    };
    if rest.is_empty() {
        return format!("Expected {expected} at the end of the statement");
    }
    let shown = String::from_utf8_lossy(&rest[..rest.len().min(SHOWN)]);
    let dots = if rest.len() > SHOWN { "…" } else { "" };
    format!("Expected {expected} at '{shown}{dots}'")
}

#[cfg(test)]
mod tests;
