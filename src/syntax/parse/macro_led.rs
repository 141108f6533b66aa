//! Statements that begin with a macro which is defined elsewhere, by the build system or in a file that is not there:
//! declarations of its type (`KPP_REAL X, Y(N)`, `MYREAL*8 q`, `PetscScalar :: x`) and subprograms (`DEVICE subroutine
//! s`, `MYREAL FUNCTION f(x)`), and interfaces (`MY_ABSTRACT interface`).
//!
//! Fortran has no other statement in which a name follows a name that is no keyword, so nothing else is misread as one
//! of these, but a slip may be: `cal foo(x)`. What is almost a keyword is therefore none. In lower case such a word is
//! taken for a type only where the preprocessor runs. The block builder takes such a declaration back where none can
//! stand.

use super::entity::{attributes_and_colons, entity, has_double_colon};
use super::lexical::{Context, Input, Parsed, blank, comma_list, digits, end_of_statement, keyword, word_length};
use super::macro_word::{gap_in_name, macro_word};
use super::type_spec::{char_length, macro_type_spec};
use super::unit;
use crate::syntax::ast::declaration::{Length, TypeSpec, TypeSpecKind};
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::{StatementKind, TypeDeclaration};

/// What an undefined macro may begin; `None` if the statement begins with none, or with what `is_keyword` says is a
/// keyword.
pub fn macro_led<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
    is_keyword: fn(&[u8]) -> bool,
) -> Option<Parsed<'i, StatementKind>> {
    let starts = input.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
    if !starts || is_keyword(&input[..word_length(input)]) {
        return None;
    }
    if has_double_colon(input) {
        return Some(declaration_with_colons(cx, input));
    }
    let Some((word, behind)) = macro_word(cx, input) else { return declaration_with_arguments(cx, input) };
    if is_written_as_macro(cx, word) && keyword(cx, "interface", behind).is_ok_and(|(rest, ())| rest.is_empty()) {
        return Some(unit::interface(cx, behind));
    }
    if unit::header_behind_prefix(cx, behind_length(behind)) {
        return Some(unit::header(cx, input));
    }
    (!is_keyword(cx.names.borrow().text(word.name).as_bytes()) && may_be_type(cx, word, behind))
        .then(|| declaration(cx, word, behind))
}

/// A declaration whose type is a macro that the user has named as one.
pub fn declaration_of_named_type<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<Parsed<'i, StatementKind>> {
    let ends_word = |length: usize| match input.get(length) {
        Some(b' ' | b'*' | b',' | b':') => true,
        Some(_) => gap_in_name(cx, input, word_length(input)) == Some(length),
        None => false,
    };
    let mut types = cx.source.types.iter().map(String::as_bytes);
    let name = types.find(|name| input.starts_with(name) && ends_word(name.len()))?;
    if has_double_colon(input) {
        return Some(declaration_with_colons(cx, input));
    }
    let behind = &input[name.len()..];
    let word = Identifier { name: cx.intern(name), span: cx.span(input, behind) };
    let behind = blank(behind);
    match unit::header_behind_prefix(cx, behind_length(behind)) {
        true => Some(unit::header(cx, input)),
        false => Some(declaration(cx, word, behind)),
    }
}

/// [`macro_led`] for a statement of fixed form that begins with a keyword only because blanks mean nothing: `REAL_T X`
/// declares no `_TX`.
pub fn macro_led_by_keyword<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
    is_keyword: fn(&[u8]) -> bool,
) -> Option<Parsed<'i, StatementKind>> {
    if !cx.fixed_form() || !input[..word_length(input)].contains(&b'_') {
        return None;
    }
    let (_, behind) = macro_word(cx, input)?;
    let text = &input[..input.len() - behind.len()];
    let is_marked = text.contains(&b'_') && text != b"non_recursive";
    macro_led(cx, input, is_keyword).filter(|parsed| is_marked && parsed.is_ok())
}

/// What follows `*8`, if the text begins so.
fn behind_length(input: Input<'_>) -> Input<'_> {
    input.strip_prefix(b"*").and_then(|length| digits(length).ok()).map_or(input, |(rest, _)| rest)
}

/// Whether a word that is no keyword, in front of what `behind` is, may stand for a type.
fn may_be_type(cx: &Context<'_>, word: Identifier, behind: Input<'_>) -> bool {
    let written = cx.source.texts.bytes(word.span);
    let entities = behind_length(behind);
    let names_follow = entities.first().is_some_and(u8::is_ascii_alphabetic);
    // `integer4` is no slip: a digit is typed on purpose.
    let is_slip = || is_almost_keyword(written) && !written.iter().any(u8::is_ascii_digit);
    if !names_follow || written.len() < 2 || is_slip() {
        return false;
    }
    // One name with brackets behind a plain word is more likely a slip in a CALL.
    let is_call = || entities.get(word_length(entities)) == Some(&b'(') && !entities.contains(&b',');
    let names = cx.names.borrow();
    let marked = names.text(word.name).bytes().any(|byte| byte.is_ascii_digit() || byte == b'_');
    has_capitals(cx, word) || cx.preprocessed() && (marked || !is_call())
}

/// `PetscChar(80) name = ''`: only a macro has a list of arguments in front of a name.
fn declaration_with_arguments<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<Parsed<'i, StatementKind>> {
    let (rest, type_spec) = macro_type_spec(cx, input).ok()?;
    let TypeSpecKind::Macro(word, Some(_)) = &type_spec.kind else { return None };
    let is_macro = is_written_as_macro(cx, *word) && !is_almost_keyword(cx.source.texts.bytes(word.span));
    if !is_macro || !rest.first().is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let (rest, entities) = comma_list(rest, |item| entity(cx, item)).ok()?;
    let declaration = TypeDeclaration { type_spec, attributes: Vec::new(), entities };
    end_of_statement(rest).ok()?;
    Some(Ok((rest, StatementKind::TypeDeclaration(Box::new(declaration)))))
}

/// Whether a word of a preprocessed file is written as macros are.
fn is_written_as_macro(cx: &Context<'_>, word: Identifier) -> bool {
    cx.preprocessed() && has_capitals(cx, word)
}

fn has_capitals(cx: &Context<'_>, word: Identifier) -> bool {
    cx.source.texts.bytes(word.span).iter().any(u8::is_ascii_uppercase)
}

/// `KPP_REAL t, u(3)`, `MYREAL*8 q`: the word stands for a type.
fn declaration<'i>(cx: &Context<'_>, word: Identifier, behind: Input<'i>) -> Parsed<'i, StatementKind> {
    let type_spec = TypeSpec { kind: TypeSpecKind::Macro(word, None), span: word.span };
    let (rest, length): (_, Option<Length>) = match behind.strip_prefix(b"*") {
        Some(length) => char_length(cx, length).map(|(rest, length)| (rest, Some(length)))?,
        None => (behind, None),
    };
    let (rest, mut entities) = comma_list(rest, |item| entity(cx, item))?;
    let (rest, ()) = end_of_statement(rest)?;
    for entity in &mut entities {
        entity.length = entity.length.take().or_else(|| length.clone());
    }
    let declaration = TypeDeclaration { type_spec, attributes: Vec::new(), entities };
    Ok((rest, StatementKind::TypeDeclaration(Box::new(declaration))))
}

fn declaration_with_colons<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, type_spec) = macro_type_spec(cx, input)?;
    let (rest, attributes) = attributes_and_colons(cx, rest)?;
    let (rest, entities) = comma_list(rest, |item| entity(cx, item))?;
    Ok((rest, StatementKind::TypeDeclaration(Box::new(TypeDeclaration { type_spec, attributes, entities }))))
}

/// The keywords that a name follows in a statement, which a slip may turn into another word.
const KEYWORDS_BEFORE_NAMES: [&str; 44] = [
    "allocatable",
    "associate",
    "block",
    "call",
    "case",
    "character",
    "class",
    "common",
    "complex",
    "contains",
    "continue",
    "cycle",
    "data",
    "deallocate",
    "dimension",
    "double",
    "else",
    "end",
    "enddo",
    "endif",
    "entry",
    "equivalence",
    "exit",
    "external",
    "function",
    "goto",
    "implicit",
    "include",
    "integer",
    "interface",
    "intrinsic",
    "logical",
    "module",
    "optional",
    "parameter",
    "print",
    "program",
    "read",
    "real",
    "return",
    "save",
    "select",
    "subroutine",
    "write",
];

/// Whether one letter more, less or other, or two that change places, make a word a keyword.
fn is_almost_keyword(written: &[u8]) -> bool {
    let word = String::from_utf8_lossy(written).to_ascii_lowercase();
    word.len() > 2 && KEYWORDS_BEFORE_NAMES.iter().any(|keyword| strsim::osa_distance(&word, keyword) <= 1)
}
