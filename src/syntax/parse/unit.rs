//! Headers of program units and of what they contain (clauses 14 and 15): PROGRAM, MODULE, SUBMODULE, BLOCK DATA,
//! SUBROUTINE, FUNCTION, ENTRY, INTERFACE, CONTAINS.
//!
//! Every parser begins at its keyword and leaves what it does not want. [`header_behind_prefix`] tells a FUNCTION
//! statement from a declaration of variables whose names begin with a keyword.

use super::entity::generic_spec;
use super::lexical::{
    Context, Input, Parsed, blank, comma_list, fail, identifier, keyword, optional, parenthesised, symbol, word_length,
};
use super::macro_word::macro_word;
use super::reference::argument_list;
use super::type_spec::{char_length, name_with_arguments, type_spec};
use crate::source::is_name_byte;
use crate::syntax::ast::declaration::{DummyArgument, Length, Prefix, TypeSpec};
use crate::syntax::ast::statement::{StatementKind, Subprogram, Suffix};

/// R1527 prefix-spec: the keywords.
const PREFIXES: &[(&str, Prefix)] = &[
    ("elemental", Prefix::Elemental),
    ("generic", Prefix::Generic),
    ("impure", Prefix::Impure),
    ("module", Prefix::Module),
    ("non_recursive", Prefix::NonRecursive),
    ("pure", Prefix::Pure),
    ("recursive", Prefix::Recursive),
    ("simple", Prefix::Simple),
];

/// R1402 program-stmt; the list of files behind the name is CDC's and means nothing here.
pub fn program<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "program", input)?;
    let (rest, name) = identifier(cx, rest)?;
    let rest = match rest.first() {
        Some(b'(') => argument_list(cx, rest)?.0,
        _ => rest,
    };
    Ok((rest, StatementKind::Program(name)))
}

/// What MODULE begins: R1405 module-stmt, R1506 and R1539 MODULE PROCEDURE, or a subprogram with that prefix.
pub fn module<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "module", input)?;
    if let Ok((behind, ())) = keyword(cx, "procedure", rest) {
        let (behind, _) = optional("::", behind);
        if !behind.is_empty() {
            let (rest, names) = comma_list(behind, |item| identifier(cx, item))?;
            return Ok((rest, StatementKind::ModuleProcedure { module: true, names }));
        }
    }
    if header_behind_prefix(cx, rest) {
        return header(cx, input);
    }
    let (rest, name) = identifier(cx, rest)?;
    Ok((rest, StatementKind::Module(name)))
}

/// R1417 submodule-stmt.
pub fn submodule<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "submodule", input)?;
    let (rest, (ancestor, parent)) = parenthesised(cx, rest, |inner| {
        let (rest, ancestor) = identifier(cx, inner)?;
        let Some(behind) = rest.strip_prefix(b":") else { return Ok((rest, (ancestor, None))) };
        let (rest, parent) = identifier(cx, behind)?;
        Ok((rest, (ancestor, Some(parent))))
    })?;
    let (rest, name) = identifier(cx, rest)?;
    Ok((rest, StatementKind::Submodule { name, ancestor, parent }))
}

/// R1421 block-data-stmt.
pub fn block_data<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "block data", input)?;
    if rest.is_empty() {
        return Ok((rest, StatementKind::BlockData(None)));
    }
    let (rest, name) = identifier(cx, rest)?;
    Ok((rest, StatementKind::BlockData(Some(name))))
}

/// R1503 interface-stmt.
pub fn interface<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    if let Ok((rest, ())) = keyword(cx, "abstract interface", input) {
        return Ok((rest, StatementKind::Interface { is_abstract: true, generic: None }));
    }
    let (rest, ()) = keyword(cx, "interface", input)?;
    if rest.is_empty() {
        return Ok((rest, StatementKind::Interface { is_abstract: false, generic: None }));
    }
    let (rest, generic) = generic_spec(cx, rest)?;
    Ok((rest, StatementKind::Interface { is_abstract: false, generic: Some(generic) }))
}

/// R1543 contains-stmt.
pub fn contains<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "contains", input)?;
    Ok((rest, StatementKind::Contains))
}

/// R1541 entry-stmt.
pub fn entry<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "entry", input)?;
    let (rest, name) = identifier(cx, rest)?;
    let (rest, dummies) = dummy_arguments(cx, rest)?;
    let (rest, suffix) = suffix(cx, rest)?;
    Ok((rest, StatementKind::Entry { name, dummies, suffix }))
}

/// R1530 function-stmt, R1535 subroutine-stmt, from the first prefix on.
pub fn header<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, (prefixes, result_type)) = prefixes(cx, input)?;
    let (rest, is_function) = match (keyword(cx, "function", rest), keyword(cx, "subroutine", rest)) {
        (Ok((rest, ())), _) => (rest, true),
        (_, Ok((rest, ()))) => (rest, false),
        _ => return fail(rest, "FUNCTION or SUBROUTINE"),
    };
    let (rest, name) = identifier(cx, rest)?;
    let (rest, length): (_, Option<Length>) = match rest.strip_prefix(b"*") {
        Some(behind) => char_length(cx, behind).map(|(rest, length)| (rest, Some(length)))?,
        None => (rest, None),
    };
    let (rest, dummies) = dummy_arguments(cx, rest)?;
    let (rest, suffix) = suffix(cx, rest)?;
    let subprogram = Box::new(Subprogram { prefixes, result_type, name, length, dummies, suffix });
    let kind = if is_function { StatementKind::Function(subprogram) } else { StatementKind::Subroutine(subprogram) };
    Ok((rest, kind))
}

/// R1526 prefix: keywords, at most one type, and macros, in any order.
fn prefixes<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, (Vec<Prefix>, Option<TypeSpec>)> {
    let (mut prefixes, mut result_type) = (Vec::new(), None);
    let mut rest = input;
    while keyword(cx, "function", rest).is_err() && keyword(cx, "subroutine", rest).is_err() {
        let known = PREFIXES
            .iter()
            .find_map(|(words, prefix)| keyword(cx, words, rest).ok().map(|(behind, ())| (behind, prefix.clone())));
        if let Some((behind, prefix)) = known {
            prefixes.push(prefix);
            rest = behind;
        } else if result_type.is_none()
            && let Ok((behind, spec)) = type_spec(cx, rest)
        {
            result_type = Some(spec);
            rest = behind;
        } else if let Some((name, behind)) = macro_word(cx, rest) {
            prefixes.push(Prefix::Other(name, None));
            rest = match behind.strip_prefix(b"*") {
                Some(length) => char_length(cx, length)?.0,
                None => behind,
            };
        } else {
            let (behind, (name, arguments)) = name_with_arguments(cx, rest)?;
            prefixes.push(Prefix::Other(name, arguments));
            rest = behind;
        }
    }
    Ok((rest, (prefixes, result_type)))
}

/// Whether prefixes, perhaps a type, and FUNCTION or SUBROUTINE with a name follow: a header, less its first prefix.
pub fn header_behind_prefix(cx: &Context<'_>, input: Input<'_>) -> bool {
    let rest = behind_prefixes(cx, input);
    // The name of a module is a name and nothing else; looking for a type in it would be in vain.
    let name_only = rest.iter().all(|&byte| is_name_byte(byte));
    subprogram_ahead(cx, rest) || !name_only && type_spec(cx, rest).is_ok_and(|(rest, _)| header_behind_type(cx, rest))
}

/// Whether a FUNCTION statement goes on here, behind its type.
pub fn header_behind_type(cx: &Context<'_>, input: Input<'_>) -> bool {
    subprogram_ahead(cx, behind_prefixes(cx, input))
}

fn behind_prefixes<'i>(cx: &Context<'_>, input: Input<'i>) -> Input<'i> {
    let mut rest = input;
    let prefix = |rest| PREFIXES.iter().find_map(|(words, _)| keyword(cx, words, rest).ok());
    while let Some((behind, ())) = prefix(rest) {
        rest = behind;
    }
    rest
}

/// Whether FUNCTION or SUBROUTINE comes next, with its name.
///
/// In free form a keyword with a blank and a name behind it can be nothing else. In fixed form, `function` begins the
/// name of a variable unless a list of dummy arguments follows (`realfunctionf(x)`).
fn subprogram_ahead(cx: &Context<'_>, input: Input<'_>) -> bool {
    let behind = match (keyword(cx, "function", input), keyword(cx, "subroutine", input)) {
        (Ok((behind, ())), _) | (_, Ok((behind, ()))) => behind,
        _ => return false,
    };
    let length = word_length(behind);
    let named = length > 0 && !behind[0].is_ascii_digit();
    named && (!cx.fixed_form() || dummies_ahead(&behind[length..]))
}

/// Whether the text is `[*length] ( names and stars ) [suffix]`.
fn dummies_ahead(input: Input<'_>) -> bool {
    let rest = match input.strip_prefix(b"*") {
        Some(behind) => &behind[behind.iter().take_while(|byte| byte.is_ascii_digit()).count()..],
        None => input,
    };
    let Some(behind) = rest.strip_prefix(b"(") else { return false };
    let Some(close) = behind.iter().position(|&byte| byte == b')') else { return false };
    let suffix = &behind[close + 1..];
    let mut items = behind[..close].split(|&byte| byte == b',');
    let is_dummy = |item: &[u8]| match item {
        [] | [b'*'] => true,
        [first, ..] => !first.is_ascii_digit() && item.iter().all(|&byte| is_name_byte(byte)),
    };
    items.all(is_dummy) && (suffix.is_empty() || suffix.starts_with(b"result(") || suffix.starts_with(b"bind("))
}

/// The dummy arguments of R1530, R1535, R1541 with their brackets, if there are any.
fn dummy_arguments<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Vec<DummyArgument>> {
    match input {
        [b'(', b')', ..] => Ok((blank(&input[2..]), Vec::new())),
        [b'(', ..] => parenthesised(cx, input, |inner| comma_list(inner, |item| dummy_argument(cx, item))),
        _ => Ok((input, Vec::new())),
    }
}

/// R1536 dummy-arg; an alternate return is `*`, or DEC's `&`.
fn dummy_argument<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, DummyArgument> {
    match input {
        [b'*' | b'&', ..] => Ok((&input[1..], DummyArgument::Star)),
        _ => identifier(cx, input).map(|(rest, name)| (rest, DummyArgument::Name(name))),
    }
}

/// R1532 suffix, R1528 proc-language-binding-spec: RESULT and BIND in any order.
fn suffix<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Suffix> {
    let mut suffix = Suffix::default();
    let mut rest = input;
    loop {
        if let Some(behind) = rest.strip_prefix(b"result(") {
            let (next, name) = identifier(cx, behind)?;
            let (next, ()) = symbol(")", next)?;
            suffix.result = Some(name);
            rest = blank(next);
        } else if let Some(behind) = rest.strip_prefix(b"bind") {
            let (next, list) = argument_list(cx, behind)?;
            suffix.bind = Some(list);
            rest = next;
        } else {
            return Ok((rest, suffix));
        }
    }
}
