//! Execution control (clause 11.2 and 11.3 of the standard, and Fortran 77's): IF, GO TO, STOP, CYCLE, CALL and their
//! like.
//!
//! Each function parses what stands behind the keyword that the table of [`super::statement`] found.

use super::assignment::{optional_expression, optional_name};
use super::expression::expression;
use super::lexical::{
    Context, Input, Parsed, comma_list, digits, end_of_statement, fail, identifier, keyword, label, optional,
    parenthesised, symbol,
};
use super::reference::reference;
use super::statement::action;
use crate::syntax::ast::expression::ExpressionKind;
use crate::syntax::ast::statement::StatementKind;

/// R1135 if-then-stmt, R1139 if-stmt, or Fortran 77's arithmetic IF.
pub fn if_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, condition) = parenthesised(cx, input, |inner| expression(cx, inner))?;
    if let Some(behind) = rest.strip_prefix(b"then") {
        // A label behind THEN is an old slip that compilers forgive.
        let behind = digits(super::lexical::blank(behind)).map_or(behind, |(rest, _)| rest);
        if behind.is_empty() {
            return Ok((behind, StatementKind::IfThen(condition)));
        }
    }
    if rest.first().is_some_and(u8::is_ascii_digit) {
        let (rest, labels) = comma_list(rest, label)?;
        let targets = match labels[..] {
            [negative, zero, positive] => [negative, zero, positive],
            // The two-branch form of old compilers: not zero (or true), zero (or false).
            [other, zero] => [other, zero, other],
            _ => return fail(rest, "three labels"),
        };
        return Ok((rest, StatementKind::ArithmeticIf(Box::new(condition), targets)));
    }
    let (rest, action) = cx.nested(rest, |inner| action(cx, inner))?;
    Ok((rest, StatementKind::If { condition, action: Box::new(action) }))
}

/// R1136 else-if-stmt.
pub fn else_if<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, condition) = parenthesised(cx, input, |inner| expression(cx, inner))?;
    let (rest, ()) = keyword(cx, "then", rest)?;
    let (rest, name) = optional_name(cx, rest)?;
    Ok((rest, StatementKind::ElseIf(condition, name)))
}

/// R1137 else-stmt.
pub fn else_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, name) = optional_name(cx, input)?;
    Ok((rest, StatementKind::Else(name)))
}

/// R1157 goto-stmt, R1158 computed-goto-stmt, Fortran 77's assigned GO TO.
pub fn go_to<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    match input.first() {
        Some(b'0'..=b'9') => {
            let (rest, target) = label(input)?;
            Ok((rest, StatementKind::GoTo(target)))
        }
        Some(b'(') => {
            let (rest, labels) = parenthesised(cx, input, |inner| comma_list(inner, label))?;
            let (rest, _) = optional(",", rest);
            let (rest, selector) = expression(cx, rest)?;
            Ok((rest, StatementKind::ComputedGoTo(labels, Box::new(selector))))
        }
        _ => {
            let (rest, variable) = identifier(cx, input)?;
            let (rest, _) = optional(",", rest);
            let (rest, labels) = match rest.first() {
                Some(b'(') => parenthesised(cx, rest, |inner| comma_list(inner, label))?,
                _ => (rest, Vec::new()),
            };
            Ok((rest, StatementKind::AssignedGoTo(variable, labels)))
        }
    }
}

/// Fortran 77 `assign label to variable`.
pub fn assign<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, target) = label(input)?;
    let (rest, ()) = keyword(cx, "to", rest)?;
    let (rest, variable) = identifier(cx, rest)?;
    Ok((rest, StatementKind::Assign(target, variable)))
}

/// R1159 continue-stmt.
pub fn continue_statement<'i>(_: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    Ok((input, StatementKind::Continue))
}

/// R1133 cycle-stmt.
pub fn cycle<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, name) = optional_name(cx, input)?;
    Ok((rest, StatementKind::Cycle(name)))
}

/// R1156 exit-stmt.
pub fn exit<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, name) = optional_name(cx, input)?;
    Ok((rest, StatementKind::Exit(name)))
}

/// R1542 return-stmt.
pub fn return_statement<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, value) = expression_or_end(cx, input)?;
    Ok((rest, StatementKind::Return(value)))
}

/// R1160 stop-stmt.
pub fn stop<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    stop_or_error_stop(cx, input, false)
}

/// R1161 error-stop-stmt.
pub fn error_stop<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    stop_or_error_stop(cx, input, true)
}

fn stop_or_error_stop<'i>(cx: &Context<'_>, input: Input<'i>, error: bool) -> Parsed<'i, StatementKind> {
    let (rest, code) = if input.first() == Some(&b',') { (input, None) } else { expression_or_end(cx, input)? };
    let (rest, quiet) = optional_expression(cx, rest, b",quiet=")?;
    Ok((rest, StatementKind::Stop { error, code, quiet: quiet.map(Box::new) }))
}

/// Fortran 77 PAUSE.
pub fn pause<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, value) = expression_or_end(cx, input)?;
    Ok((rest, StatementKind::Pause(value)))
}

fn expression_or_end<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
) -> Parsed<'i, Option<Box<crate::syntax::ast::expression::Expression>>> {
    if input.is_empty() {
        return Ok((input, None));
    }
    let (rest, value) = expression(cx, input)?;
    Ok((rest, Some(Box::new(value))))
}

/// R1521 call-stmt.
pub fn call<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, procedure) = reference(cx, input)?;
    Ok((rest, StatementKind::Call { procedure }))
}

/// R1108 block-stmt.
pub fn block<'i>(_: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ()) = end_of_statement(input)?;
    Ok((rest, StatementKind::Block))
}

/// R1117 critical-stmt.
pub fn critical<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    if input.is_empty() {
        return Ok((input, StatementKind::Critical(None)));
    }
    let (rest, options) = super::reference::argument_list(cx, input)?;
    Ok((rest, StatementKind::Critical(Some(options))))
}

/// R1103 associate-stmt.
pub fn associate<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, associations) = parenthesised(cx, input, |inner| {
        if inner.first() == Some(&b')') {
            return Ok((inner, Vec::new()));
        }
        comma_list(inner, |item| association(cx, item))
    })?;
    Ok((rest, StatementKind::Associate(associations)))
}

/// R1104 association, R1113 coarray-association.
fn association<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, crate::syntax::ast::declaration::Association> {
    let (rest, name) = identifier(cx, input)?;
    let (rest, coshape) = match rest.first() {
        Some(b'[') => {
            let (rest, coshape) = coshape(cx, rest)?;
            (rest, Some(coshape))
        }
        _ => (rest, None),
    };
    let (rest, ()) = symbol("=>", rest)?;
    let (rest, selector) = expression(cx, rest)?;
    Ok((rest, crate::syntax::ast::declaration::Association { name, coshape, selector }))
}

/// R811 explicit-coshape-spec in CHANGE TEAM.
fn coshape<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, crate::syntax::ast::declaration::Coshape> {
    use crate::syntax::ast::declaration::{Coshape, DimensionSpec};
    let (rest, list) = super::reference::image_selector(cx, input)?;
    let mut dimensions = Vec::with_capacity(list.items.len());
    for item in list.items {
        use crate::syntax::ast::expression::{ArgumentValue, Section};
        let is_star = |value: &crate::syntax::ast::expression::Expression| matches!(value.kind, ExpressionKind::Star);
        dimensions.push(match item.value {
            ArgumentValue::Expression(value) if is_star(&value) => DimensionSpec::Star(None),
            ArgumentValue::Expression(value) => DimensionSpec::Explicit(None, value),
            ArgumentValue::Section(Section { lower, upper: Some(upper), stride: None }) => {
                let lower = lower.map(|lower| *lower);
                if is_star(&upper) { DimensionSpec::Star(lower) } else { DimensionSpec::Explicit(lower, *upper) }
            }
            _ => return fail(rest, "the bounds of codimensions"),
        });
    }
    Ok((rest, Coshape { dimensions }))
}

/// R1112 change-team-stmt.
pub fn change_team<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    parenthesised(cx, input, |inner| {
        let (mut rest, team) = expression(cx, inner)?;
        let (mut associations, mut options) = (Vec::new(), Vec::new());
        while let Some(behind) = rest.strip_prefix(b",") {
            rest = if let Some(length) = super::reference::keyword_length(behind) {
                let (_, name) = identifier(cx, behind)?;
                let (next, value) = expression(cx, &behind[length + 1..])?;
                options.push((name, value));
                next
            } else {
                let (next, association) = association(cx, behind)?;
                associations.push(association);
                next
            };
        }
        Ok((rest, StatementKind::ChangeTeam { team: Box::new(team), associations, options }))
    })
}
