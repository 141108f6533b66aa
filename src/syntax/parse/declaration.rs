//! Specification statements: everything but actions and construct headers (clauses 7, 8, 14 and 15).
//!
//! Entry point: [`specification_statement`]. A table maps the leading keyword to the one parser that is run; nothing is
//! tried in turn. Where a keyword also begins statements of other kinds (`type is (…)`, `endfile`), a look at the text
//! behind it decides before any parser runs.

use thin_vec::ThinVec;

use super::entity::{attributes_and_colons, entity, generic_spec, intent_spec, plain_entity};
use super::lexical::{
    Context, Input, Parsed, comma_list, end_of_statement, fail, identifier, keyword, optional, symbol,
};
use super::lookahead::{Lookahead, any, bracket, end, slash, type_definition};
use super::macro_led::{declaration_of_named_type, macro_led, macro_led_by_keyword};
use super::reference::argument_list;
use super::template::template_statement;
use super::type_spec::{record_type, type_spec};
use super::{derived_type, end, specification, unit};
use crate::syntax::ast::declaration::{ArraySpec, Attribute, Coshape, Entity, GenericSpec};
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{StatementKind, TypeDeclaration};

/// Parses a statement from its leading keyword on.
type Parser = for<'a, 'c, 'i> fn(&'a Context<'c>, Input<'i>) -> Parsed<'i, StatementKind>;

/// One leading keyword: its words, whether the text behind it fits, and the parser of the whole statement.
type Lead = (&'static str, Lookahead, Parser);

/// The leading keywords; of two that begin alike the longer stands first.
const LEADS: &[Lead] = &[
    ("abstract interface", end, unit::interface),
    ("allocatable", any, |cx, input| attribute_statement(cx, input, "allocatable", Attribute::Allocatable)),
    ("asynchronous", any, |cx, input| attribute_statement(cx, input, "asynchronous", Attribute::Asynchronous)),
    ("attributes", bracket, unit::header),
    ("automatic", any, |cx, input| attribute_statement(cx, input, "automatic", Attribute::Automatic)),
    ("bind", bracket, bind_statement),
    ("block data", any, unit::block_data),
    ("byte", any, type_declaration),
    ("character", any, type_declaration),
    ("class", bracket, type_declaration),
    ("classof", bracket, type_declaration),
    ("codimension", any, |cx, input| shape_statement(cx, input, "codimension")),
    ("common", any, specification::common),
    ("complex", any, type_declaration),
    ("contains", end, unit::contains),
    ("contiguous", any, |cx, input| attribute_statement(cx, input, "contiguous", Attribute::Contiguous)),
    ("data", any, specification::data),
    ("dimension", any, |cx, input| shape_statement(cx, input, "dimension")),
    ("double complex", any, type_declaration),
    ("double precision", any, type_declaration),
    ("elemental", any, unit::header),
    ("entry", any, unit::entry),
    ("enumeration type", any, derived_type::enumeration_type),
    ("enumerator", any, derived_type::enumerator),
    ("enum", any, derived_type::enumeration),
    ("equivalence", bracket, specification::equivalence),
    ("external", any, |cx, input| attribute_statement(cx, input, "external", Attribute::External)),
    ("final", any, derived_type::finaliser),
    ("function", any, unit::header),
    ("generic", any, derived_type::generic),
    ("implicit", any, specification::implicit),
    ("import", any, specification::import),
    ("impure", any, unit::header),
    ("integer", any, type_declaration),
    ("intent", bracket, intent_statement),
    ("interface", any, unit::interface),
    ("intrinsic", any, |cx, input| attribute_statement(cx, input, "intrinsic", Attribute::Intrinsic)),
    ("logical", any, type_declaration),
    ("map", end, derived_type::map),
    ("module", any, unit::module),
    ("namelist", slash, specification::namelist),
    ("non_recursive", any, unit::header),
    ("optional", any, |cx, input| attribute_statement(cx, input, "optional", Attribute::Optional)),
    ("parameter", any, specification::parameter),
    ("pointer", any, pointer_statement),
    ("private", any, |cx, input| access_statement(cx, input, "private", Attribute::Private)),
    ("procedure", any, derived_type::procedure),
    ("program", any, unit::program),
    ("protected", any, |cx, input| attribute_statement(cx, input, "protected", Attribute::Protected)),
    ("public", any, |cx, input| access_statement(cx, input, "public", Attribute::Public)),
    ("pure", any, unit::header),
    ("real", any, type_declaration),
    ("record", slash, record),
    ("recursive", any, unit::header),
    ("save", any, |cx, input| attribute_statement(cx, input, "save", Attribute::Save)),
    ("sequence", end, derived_type::sequence),
    ("simple", any, unit::header),
    ("static", any, |cx, input| attribute_statement(cx, input, "static", Attribute::Static)),
    ("structure", any, derived_type::structure),
    ("submodule", bracket, unit::submodule),
    ("subroutine", any, unit::header),
    ("target", any, |cx, input| attribute_statement(cx, input, "target", Attribute::Target)),
    ("typeof", bracket, type_declaration),
    ("type", bracket, type_declaration),
    ("type", type_definition, derived_type::derived_type),
    ("union", end, derived_type::union),
    ("use", any, specification::use_statement),
    ("value", any, |cx, input| attribute_statement(cx, input, "value", Attribute::Value)),
    ("volatile", any, |cx, input| attribute_statement(cx, input, "volatile", Attribute::Volatile)),
];

/// Parses a specification statement, program unit header or END statement; `None` when the leading keyword belongs to
/// none.
///
/// `input` is the whole statement without label and construct name, and known to be no assignment.
pub fn specification_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<Parsed<'i, StatementKind>> {
    if let Some(parsed) = template_statement(cx, input) {
        return Some(parsed.and_then(|(rest, kind)| end_of_statement(rest).map(|(rest, ())| (rest, kind))));
    }
    let first = *input.first()?;
    let lead = LEADS
        .iter()
        .filter(|(words, ..)| words.as_bytes()[0] == first)
        .find(|(words, fits, _)| keyword(cx, words, input).is_ok_and(|(rest, ())| fits(rest)));
    let parsed = match lead {
        Some((_, _, parser)) => parser(cx, input),
        // END may be written together with what it ends, so it is a word of its own in neither form.
        None if end::end_ahead(cx, input).is_some() => end::end_statement(cx, input),
        None => macro_led(cx, input, is_leading_keyword)?,
    };
    Some(parsed.and_then(|(rest, kind)| end_of_statement(rest).map(|(rest, ())| (rest, kind))))
}

/// What a macro begins that the user has named as a type, or whose name begins with a keyword, in fixed form.
pub fn declaration_by_macro<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<Parsed<'i, StatementKind>> {
    declaration_of_named_type(cx, input).or_else(|| macro_led_by_keyword(cx, input, is_leading_keyword))
}

/// Whether a word alone begins a specification statement.
fn is_leading_keyword(word: &[u8]) -> bool {
    LEADS.iter().any(|(words, ..)| words.as_bytes() == word)
}

/// R801 type-declaration-stmt, R737 data-component-def-stmt, DEC RECORD; or a FUNCTION statement that begins with its
/// type.
fn type_declaration<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, type_spec) = type_spec(cx, input)?;
    if unit::header_behind_type(cx, rest) {
        return unit::header(cx, input);
    }
    let (rest, attributes) = attributes_and_colons(cx, rest)?;
    // `character*8, name`: a comma behind the type is allowed without attributes (R722).
    let (rest, _) = optional(",", rest);
    let (rest, entities) = comma_list(rest, |item| entity(cx, item))?;
    Ok((rest, StatementKind::TypeDeclaration(Box::new(TypeDeclaration { type_spec, attributes, entities }))))
}

/// DEC RECORD: records of one structure, or of several, each in front of its records.
fn record<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let mut declarations = Vec::new();
    let mut rest = input;
    loop {
        let (next, type_spec) = if declarations.is_empty() { type_spec(cx, rest)? } else { record_type(cx, rest)? };
        let (next, entities) = records(cx, next)?;
        declarations.push(TypeDeclaration { type_spec, attributes: Vec::new(), entities });
        rest = match next.strip_prefix(b",") {
            Some(behind) => behind,
            None if declarations.len() == 1 => {
                let only = declarations.swap_remove(0);
                return Ok((next, StatementKind::TypeDeclaration(Box::new(only))));
            }
            None => return Ok((next, StatementKind::Records(declarations))),
        };
    }
}

/// Entities as far as no slash follows a comma.
fn records<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Vec<Entity>> {
    let (mut rest, first) = plain_entity(cx, input)?;
    let mut entities = vec![first];
    while let Some(behind) = rest.strip_prefix(b",").filter(|behind| behind.first() != Some(&b'/')) {
        let (next, entity) = plain_entity(cx, behind)?;
        entities.push(entity);
        rest = next;
    }
    Ok((rest, entities))
}

/// R829 allocatable-stmt, R831 asynchronous-stmt, R836, R850, R853, R855, R856, R859, R861, R862, R1511, R1519:
/// `keyword [::] list`, with `/block/` among the items of SAVE and others.
fn attribute_statement<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
    words: &'static str,
    attribute: Attribute,
) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, words, input)?;
    entities_and_blocks(cx, rest, attribute)
}

/// R848 dimension-stmt, R834 codimension-stmt: the shapes belong to the entities.
fn shape_statement<'i>(cx: &Context<'_>, input: Input<'i>, words: &'static str) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, words, input)?;
    let place = cx.span(rest, rest);
    let attribute = if words == "dimension" {
        Attribute::Dimension(ArraySpec { dimensions: Vec::new(), assumed_rank: false, span: place })
    } else {
        Attribute::Codimension(Coshape { dimensions: Vec::new() })
    };
    entities_and_blocks(cx, rest, attribute)
}

/// R832 bind-stmt.
fn bind_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "bind", input)?;
    let (rest, list) = argument_list(cx, rest)?;
    entities_and_blocks(cx, rest, Attribute::Bind(list))
}

/// R849 intent-stmt.
fn intent_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "intent", input)?;
    let (rest, intent) = intent_spec(rest)?;
    entities_and_blocks(cx, rest, Attribute::Intent(intent))
}

/// R853 pointer-stmt, or the Cray form `pointer (p, x)`.
fn pointer_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, "pointer", input)?;
    if rest.first() == Some(&b'(') {
        return specification::cray_pointers(cx, rest);
    }
    entities_and_blocks(cx, rest, Attribute::Pointer)
}

/// What follows the keyword of an attribute statement. SAVE may stand alone.
fn entities_and_blocks<'i>(cx: &Context<'_>, input: Input<'i>, attribute: Attribute) -> Parsed<'i, StatementKind> {
    let (mut rest, colons) = optional("::", input);
    let (mut entities, mut blocks) = (Vec::new(), ThinVec::new());
    let bare = matches!(attribute, Attribute::Save | Attribute::Static | Attribute::Automatic) && !colons;
    if !(bare && rest.is_empty()) {
        (rest, ()) = block_or_entity(cx, rest, &mut entities, &mut blocks)?;
        while let Some(behind) = rest.strip_prefix(b",") {
            (rest, ()) = block_or_entity(cx, behind, &mut entities, &mut blocks)?;
        }
    }
    Ok((rest, StatementKind::AttributeStatement { attribute, entities, blocks, generics: ThinVec::new() }))
}

/// R857 saved-entity, R833 bind-entity: `/block/` or an entity.
fn block_or_entity<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
    entities: &mut Vec<Entity>,
    blocks: &mut ThinVec<Identifier>,
) -> Parsed<'i, ()> {
    if let Some(behind) = input.strip_prefix(b"/") {
        let (rest, name) = identifier(cx, behind)?;
        let (rest, ()) = symbol("/", rest)?;
        blocks.push(name);
        return Ok((rest, ()));
    }
    let (rest, value) = entity(cx, input)?;
    entities.push(value);
    Ok((rest, ()))
}

/// R827 access-stmt.
fn access_statement<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
    words: &'static str,
    attribute: Attribute,
) -> Parsed<'i, StatementKind> {
    let (rest, ()) = keyword(cx, words, input)?;
    let (mut rest, colons) = optional("::", rest);
    let (mut entities, mut generics) = (Vec::new(), ThinVec::new());
    if colons || !rest.is_empty() {
        let (next, specs) = comma_list(rest, |item| access_item(cx, item))?;
        rest = next;
        for (spec, named) in specs {
            match named {
                Some(entity) => entities.push(entity),
                None => generics.push(spec),
            }
        }
    }
    Ok((rest, StatementKind::AttributeStatement { attribute, entities, blocks: ThinVec::new(), generics }))
}

/// R828 access-id: a generic-spec; a plain name is an entity too.
fn access_item<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, (GenericSpec, Option<Entity>)> {
    let (rest, spec) = generic_spec(cx, input)?;
    let named = match spec {
        GenericSpec::Name(_) => Some(plain_entity(cx, input)?),
        _ => None,
    };
    match named {
        Some((rest, entity)) => Ok((rest, (spec, Some(entity)))),
        None if rest.len() < input.len() => Ok((rest, (spec, None))),
        None => fail(input, "a name or an operator"),
    }
}
