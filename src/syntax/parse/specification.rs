//! Specification statements about names that are declared elsewhere (clauses 8.5 to 8.10 and 14.2): PARAMETER, DATA,
//! COMMON, EQUIVALENCE, NAMELIST, IMPLICIT, USE, IMPORT, Cray pointers.
//!
//! Every parser begins at its keyword and leaves what it does not want.

use super::entity::{generic_spec, plain_entity, slashed_values};
use super::expression::{expression, operand};
use super::lexical::{Context, Input, Parsed, comma_list, fail, identifier, keyword, optional, parenthesised, symbol};
use super::reference::reference;
use super::type_spec::implicit_type_spec;
use crate::syntax::ast::declaration::{
    CrayPointer, DataSet, EquivalenceSet, GenericSpec, NamedGroup, TypeSpec, UseItem,
};
use crate::syntax::ast::expression::Expression;
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{ImplicitRule, StatementKind};

/// R851 parameter-stmt; DEC's form has no brackets.
pub fn parameter<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "parameter", input)?;
    let list = |inner| comma_list(inner, |item| named_constant(cx, item));
    let (rest, constants) = match rest.first() {
        Some(b'(') => parenthesised(cx, rest, list)?,
        _ => list(rest)?,
    };
    Ok((rest, StatementKind::Parameter(constants)))
}

/// R852 named-constant-def.
fn named_constant<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, (Identifier, Expression)> {
    let (rest, name) = identifier(cx, input)?;
    let (rest, ()) = symbol("=", rest)?;
    let (rest, value) = expression(cx, rest)?;
    Ok((rest, (name, value)))
}

/// R837 data-stmt.
pub fn data<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (mut rest, ()) = keyword(cx, "data", input)?;
    let mut sets = Vec::new();
    loop {
        let (next, set) = data_set(cx, rest)?;
        sets.push(set);
        if next.is_empty() {
            return Ok((next, StatementKind::Data(sets)));
        }
        (rest, _) = optional(",", next);
    }
}

/// R838 data-stmt-set: objects are single operands, because the slash behind them is no division.
fn data_set<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, DataSet> {
    let (rest, objects) = comma_list(input, |item| operand(cx, item))?;
    let (rest, values) = slashed_values(cx, rest)?;
    Ok((rest, DataSet { objects, values }))
}

/// R873 common-stmt.
pub fn common<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "common", input)?;
    let (rest, groups) = named_groups(cx, rest)?;
    Ok((rest, StatementKind::Common(groups)))
}

/// R868 namelist-stmt.
pub fn namelist<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "namelist", input)?;
    let (rest, groups) = named_groups(cx, rest)?;
    Ok((rest, StatementKind::Namelist(groups)))
}

/// `[/name/] entities [,] /name/ entities …`; the first group may lack its slashes, and nothing may stand between them.
fn named_groups<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Vec<NamedGroup>> {
    let mut groups = Vec::new();
    let mut rest = input;
    loop {
        let (next, name) = group_name(cx, rest)?;
        let (next, first) = plain_entity(cx, next)?;
        let mut entities = vec![first];
        rest = next;
        while let Some(behind) = rest.strip_prefix(b",") {
            if behind.first() == Some(&b'/') {
                rest = behind;
                break;
            }
            let (next, entity) = plain_entity(cx, behind)?;
            entities.push(entity);
            rest = next;
        }
        groups.push(NamedGroup { name, entities });
        if rest.first() != Some(&b'/') {
            return Ok((rest, groups));
        }
    }
}

fn group_name<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Option<Identifier>> {
    if let Some(rest) = input.strip_prefix(b"//") {
        return Ok((rest, None));
    }
    let Some(behind) = input.strip_prefix(b"/") else { return Ok((input, None)) };
    let (rest, name) = identifier(cx, behind)?;
    let (rest, ()) = symbol("/", rest)?;
    Ok((rest, Some(name)))
}

/// R870 equivalence-stmt.
pub fn equivalence<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "equivalence", input)?;
    let (rest, sets) = comma_list(rest, |set| equivalence_set(cx, set))?;
    Ok((rest, StatementKind::Equivalence(sets)))
}

/// R871 equivalence-set.
fn equivalence_set<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, EquivalenceSet> {
    parenthesised(cx, input, |inner| comma_list(inner, |item| reference(cx, item)))
}

/// R863 implicit-stmt. The older `implicit undefined (a-z)` says the same as NONE.
pub fn implicit<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "implicit", input)?;
    if let Ok((rest, ())) = keyword(cx, "none", rest) {
        let (rest, restricted) = match rest {
            [b'(', b')', ..] => (&rest[2..], Vec::new()),
            [b'(', ..] => parenthesised(cx, rest, |inner| comma_list(inner, |item| identifier(cx, item)))?,
            _ => (rest, Vec::new()),
        };
        return Ok((rest, StatementKind::Implicit(ImplicitRule::None(restricted))));
    }
    if let Ok((rest, ())) = keyword(cx, "undefined", rest) {
        let (rest, _) = letter_ranges(cx, rest)?;
        return Ok((rest, StatementKind::Implicit(ImplicitRule::None(Vec::new()))));
    }
    let (rest, types) = comma_list(rest, |item| implicit_spec(cx, item))?;
    Ok((rest, StatementKind::Implicit(ImplicitRule::Types(types))))
}

/// R864 implicit-spec.
fn implicit_spec<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, (TypeSpec, Vec<(u8, u8)>)> {
    let (rest, type_spec) = implicit_type_spec(cx, input)?;
    let (rest, letters) = letter_ranges(cx, rest)?;
    Ok((rest, (type_spec, letters)))
}

fn letter_ranges<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Vec<(u8, u8)>> {
    parenthesised(cx, input, |inner| comma_list(inner, letter_range))
}

/// R865 letter-spec.
fn letter_range(input: Input<'_>) -> Parsed<'_, (u8, u8)> {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'$' | b'_');
    match *input {
        [first, b'-', last, ..] if is_letter(first) && is_letter(last) => Ok((&input[3..], (first, last))),
        [letter, ..] if is_letter(letter) => Ok((&input[1..], (letter, letter))),
        _ => fail(input, "a letter"),
    }
}

/// R1409 use-stmt.
pub fn use_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "use", input)?;
    let (rest, nature) = match rest.strip_prefix(b",") {
        Some(behind) => {
            let (rest, nature) = identifier(cx, behind)?;
            let (rest, ()) = symbol("::", rest)?;
            (rest, Some(nature))
        }
        None => (optional("::", rest).0, None),
    };
    let (rest, module) = identifier(cx, rest)?;
    let (mut rest, comma) = optional(",", rest);
    let only = comma && rest.starts_with(b"only:") && !rest.starts_with(b"only::");
    if only {
        rest = &rest[b"only:".len()..];
    }
    let (rest, items) = match comma && !(only && rest.is_empty()) {
        true => comma_list(rest, |item| use_item(cx, item))?,
        false => (rest, Vec::new()),
    };
    Ok((rest, StatementKind::Use { nature, module, only, items }))
}

/// R1411 rename, R1412 only.
fn use_item<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, UseItem> {
    let (rest, local) = generic_spec(cx, input)?;
    let Some(behind) = rest.strip_prefix(b"=>") else { return Ok((rest, UseItem { local, remote: None })) };
    let (rest, remote): (_, GenericSpec) = generic_spec(cx, behind)?;
    Ok((rest, UseItem { local, remote: Some(remote) }))
}

/// R867 import-stmt.
pub fn import<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "import", input)?;
    let Some(behind) = rest.strip_prefix(b",") else {
        let (rest, _) = optional("::", rest);
        let (rest, names) = match rest.is_empty() {
            true => (rest, Vec::new()),
            false => comma_list(rest, |item| identifier(cx, item))?,
        };
        return Ok((rest, StatementKind::Import { mode: None, names }));
    };
    let (rest, mode) = identifier(cx, behind)?;
    let (rest, names) = match rest.strip_prefix(b":") {
        Some(behind) => comma_list(behind, |item| identifier(cx, item))?,
        None => (rest, Vec::new()),
    };
    Ok((rest, StatementKind::Import { mode: Some(mode), names }))
}

/// Cray `pointer (p, x), (q, y(10))`, from the first bracket on.
pub fn cray_pointers<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, pointers) = comma_list(input, |item| parenthesised(cx, item, |inner| cray_pointer(cx, inner)))?;
    Ok((rest, StatementKind::CrayPointer(pointers)))
}

fn cray_pointer<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, CrayPointer> {
    let (rest, pointer) = identifier(cx, input)?;
    let (rest, ()) = symbol(",", rest)?;
    let (rest, pointee) = plain_entity(cx, rest)?;
    Ok((rest, CrayPointer { pointer, pointee }))
}
