//! Input and output statements (clause 12 of the standard, and DEC's).
//!
//! A control list keeps its items as written; which positional item is the unit and which the format depends on the
//! statement, see [`IoControl`].

use super::classify::behind_brackets;
use super::expression::expression;
use super::lexical::{Context, Input, Parsed, comma_list, digits, fail, identifier, parenthesised, word_length};
use super::literal::number;
use super::reference::{argument_list, keyword_length, star};
use crate::syntax::ast::expression::{ArgumentValue, Expression, ExpressionKind, Reference};
use crate::syntax::ast::input_output::{DEFINED_FILE_ITEMS, InputOutput, IoControl, IoOperation};
use crate::syntax::ast::names::Identifier;
use crate::syntax::ast::statement::StatementKind;

/// Makes the parsers of I/O statements: each is a function, an operation and the form behind its keyword.
macro_rules! input_output {
    ($($(#[$doc:meta])* $name:ident = $operation:ident, $form:ident;)*) => {
        $($(#[$doc])*
        pub fn $name<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
            $form(cx, input, IoOperation::$operation)
        })*
    };
}

input_output! {
    /// R1210 read-stmt, behind the keyword.
    read = Read, list_or_format;
    /// R1211 write-stmt.
    write = Write, list_with_items;
    /// R1212 print-stmt.
    print = Print, format_with_items;
    /// DEC TYPE, another PRINT.
    type_output = Type, format_with_items;
    /// DEC ACCEPT, a READ of the terminal.
    accept = Accept, list_or_format;
    /// R1204 open-stmt.
    open = Open, list_only;
    /// R1208 close-stmt.
    close = Close, list_only;
    /// R1230 inquire-stmt; the third form has items.
    inquire = Inquire, list_with_items;
    /// R1226 rewind-stmt.
    rewind = Rewind, list_or_unit;
    /// R1224 backspace-stmt.
    backspace = Backspace, list_or_unit;
    /// R1225 endfile-stmt.
    endfile = EndFile, list_or_unit;
    /// R1228 flush-stmt.
    flush = Flush, list_or_unit;
    /// R1222 wait-stmt.
    wait = Wait, list_only;
    /// DEC ENCODE: length, format, buffer, then the items.
    encode = Encode, list_with_items;
    /// DEC DECODE.
    decode = Decode, list_with_items;
    /// DEC REWRITE.
    rewrite = Rewrite, list_with_items;
    /// DEC DELETE.
    delete = Delete, list_only;
    /// DEC FIND.
    find = Find, list_only;
    /// Cray BUFFER IN: the first and last variable are in brackets of their own.
    buffer_in = BufferIn, list_with_range;
    /// Cray BUFFER OUT.
    buffer_out = BufferOut, list_with_range;
    /// DEC UNLOCK of a unit.
    unlock_file = UnlockFile, list_or_unit;
}

/// With the control list in brackets.
fn statement(operation: IoOperation, control: Vec<IoControl>, items: Vec<Expression>) -> StatementKind {
    StatementKind::InputOutput(Box::new(InputOutput { operation, bracketed: true, control, items }))
}

/// With one control item and no brackets around it.
fn bare_statement(operation: IoOperation, value: Expression, items: Vec<Expression>) -> StatementKind {
    let control = vec![IoControl { keyword: None, value: Some(value) }];
    StatementKind::InputOutput(Box::new(InputOutput { operation, bracketed: false, control, items }))
}

/// DEC `type group` of a namelist group.
pub fn type_output_of(group: Identifier) -> StatementKind {
    let kind = ExpressionKind::Reference(Reference::of_name(group));
    bare_statement(IoOperation::Type, Expression { kind, span: group.span }, Vec::new())
}

/// `(control list)`.
fn list_only<'i>(cx: &Context<'_>, input: Input<'i>, operation: IoOperation) -> Parsed<'i, StatementKind> {
    let (rest, control) = control_list(cx, input, operation)?;
    Ok((rest, statement(operation, control, Vec::new())))
}

/// `(control list) items`; many compilers allow a comma in front of the items.
fn list_with_items<'i>(cx: &Context<'_>, input: Input<'i>, operation: IoOperation) -> Parsed<'i, StatementKind> {
    let (rest, control) = control_list(cx, input, operation)?;
    let rest = match rest {
        [b',', behind @ ..] if !behind.is_empty() => behind,
        _ => rest,
    };
    let (rest, items) = items(cx, rest)?;
    Ok((rest, statement(operation, control, items)))
}

/// `(control list) (items)`.
fn list_with_range<'i>(cx: &Context<'_>, input: Input<'i>, operation: IoOperation) -> Parsed<'i, StatementKind> {
    let (rest, control) = control_list(cx, input, operation)?;
    let (rest, items) = parenthesised(cx, rest, |inner| items(cx, inner))?;
    Ok((rest, statement(operation, control, items)))
}

/// `(control list) items` or `format [, items]`, where the format may be `('(')//'i5)'`.
fn list_or_format<'i>(cx: &Context<'_>, input: Input<'i>, operation: IoOperation) -> Parsed<'i, StatementKind> {
    let begins_format = || behind_brackets(input, 0).is_some_and(|at| input[at..].starts_with(b"//"));
    if input.first() == Some(&b'(') && !begins_format() {
        list_with_items(cx, input, operation)
    } else {
        format_with_items(cx, input, operation)
    }
}

/// `format [, items]`: the format is `*`, a label, a character expression or a namelist group.
fn format_with_items<'i>(cx: &Context<'_>, input: Input<'i>, operation: IoOperation) -> Parsed<'i, StatementKind> {
    let (rest, format) = star_or_expression(cx, input)?;
    let (rest, items) = match rest {
        // A comma without items is a slip that compilers forgive.
        [b','] => (&rest[1..], Vec::new()),
        [b',', behind @ ..] => items(cx, behind)?,
        _ => (rest, Vec::new()),
    };
    Ok((rest, bare_statement(operation, format, items)))
}

/// `(control list)`, a unit without brackets, or for FLUSH nothing.
fn list_or_unit<'i>(cx: &Context<'_>, input: Input<'i>, operation: IoOperation) -> Parsed<'i, StatementKind> {
    match input.first() {
        None if operation == IoOperation::Flush => Ok((input, statement(operation, Vec::new(), Vec::new()))),
        Some(b'(') => list_only(cx, input, operation),
        _ => {
            let (rest, unit) = star_or_expression(cx, input)?;
            Ok((rest, bare_statement(operation, unit, Vec::new())))
        }
    }
}

/// R1216 input-item, R1217 output-item: a list, perhaps empty.
fn items<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Vec<Expression>> {
    if input.is_empty() { Ok((input, Vec::new())) } else { comma_list(input, |item| expression(cx, item)) }
}

fn star_or_expression<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    match input.first() {
        Some(b'*') => star(cx, input),
        _ => expression(cx, input),
    }
}

/// R1213 io-control-spec and its like in brackets.
fn control_list<'i>(cx: &Context<'_>, input: Input<'i>, operation: IoOperation) -> Parsed<'i, Vec<IoControl>> {
    parenthesised(cx, input, |inner| {
        let mut controls = Vec::new();
        let mut rest = inner;
        loop {
            rest = control(cx, rest, operation, &mut controls)?.0;
            match rest.strip_prefix(b",") {
                Some(behind) => rest = behind,
                None => return Ok((rest, controls)),
            }
        }
    })
}

/// One item of a control list, or the two of DEC's `unit'record`.
fn control<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
    operation: IoOperation,
    controls: &mut Vec<IoControl>,
) -> Parsed<'i, ()> {
    if let Some(length) = keyword_length(input) {
        let (_, keyword) = identifier(cx, input)?;
        let (rest, value) = keyword_value(cx, &input[length + 1..])?;
        controls.push(IoControl { keyword: Some(keyword), value: Some(value) });
        return Ok((rest, ()));
    }
    let takes_flags = matches!(operation, IoOperation::Open | IoOperation::Close | IoOperation::Inquire);
    if takes_flags && !controls.is_empty() && is_lone_name(input) {
        let (rest, keyword) = identifier(cx, input)?;
        controls.push(IoControl { keyword: Some(keyword), value: None });
        return Ok((rest, ()));
    }
    let (rest, value) = star_or_expression(cx, input)?;
    controls.push(IoControl { keyword: None, value: Some(value) });
    let Some(behind) = rest.strip_prefix(b"'") else { return Ok((rest, ())) };
    let (next, record) = expression(cx, behind)?;
    let keyword = Identifier { name: cx.intern(b"rec"), span: cx.span(rest, behind) };
    controls.push(IoControl { keyword: Some(keyword), value: Some(record) });
    Ok((next, ()))
}

/// The value behind `keyword=`; a label may have a `*` in front (an extension).
fn keyword_value<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    match input {
        [b'*', b'0'..=b'9', ..] => number(cx, &input[1..]),
        _ => star_or_expression(cx, input),
    }
}

/// Whether a name makes up a whole item: `readonly`, `shared`.
fn is_lone_name(input: Input<'_>) -> bool {
    let length = word_length(input);
    input.first().is_some_and(u8::is_ascii_alphabetic) && matches!(input.get(length), Some(b',' | b')'))
}

/// DEC `define file unit(records, length, u, variable), …`: the units are the control list, the brackets' contents the
/// items.
pub fn define_file<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let mut control = Vec::new();
    let mut items = Vec::new();
    let (rest, _) = comma_list(input, |unit_input| {
        let rest = match digits(unit_input) {
            Ok((rest, _)) => rest,
            Err(_) => identifier(cx, unit_input)?.0,
        };
        let (_, unit) = expression(cx, &unit_input[..unit_input.len() - rest.len()])?;
        control.push(IoControl { keyword: None, value: Some(unit) });
        let (rest, list) = argument_list(cx, rest)?;
        if list.items.len() != DEFINED_FILE_ITEMS {
            return fail(rest, "four expressions");
        }
        for item in list.items {
            match item.value {
                ArgumentValue::Expression(value) => items.push(value),
                _ => return fail(rest, "four expressions"),
            }
        }
        Ok((rest, ()))
    })?;
    Ok((rest, statement(IoOperation::DefineFile, control, items)))
}
