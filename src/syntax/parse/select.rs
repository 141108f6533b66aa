//! SELECT CASE, SELECT TYPE, SELECT RANK (clauses 11.1.9 to 11.1.11 of the standard): their headers.

use super::assignment::{bare_type_spec, optional_name};
use super::expression::expression;
use super::lexical::{Context, Input, Parsed, comma_list, identifier, keyword, parenthesised, symbol, word_length};

use crate::syntax::ast::statement::{CaseRange, RankCase, Selector, StatementKind, TypeGuard};

/// R1141 select-case-stmt, behind the keywords.
pub fn select_case<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, selector) = parenthesised(cx, input, |inner| expression(cx, inner))?;
    Ok((rest, StatementKind::SelectCase(selector)))
}

/// R1142 case-stmt with R1145 case-selector.
pub fn case<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, ranges) = match input.first() {
        Some(b'(') => parenthesised(cx, input, |inner| comma_list(inner, |item| case_range(cx, item)))?,
        _ => {
            let (rest, ()) = keyword(cx, "default", input)?;
            (rest, Vec::new())
        }
    };
    let (rest, name) = optional_name(cx, rest)?;
    Ok((rest, StatementKind::Case { ranges, name }))
}

/// R1146 case-value-range.
fn case_range<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, CaseRange> {
    if let Some(behind) = input.strip_prefix(b":") {
        let (rest, upper) = expression(cx, behind)?;
        return Ok((rest, CaseRange::Range(None, Some(upper))));
    }
    let (rest, lower) = expression(cx, input)?;
    let Some(behind) = rest.strip_prefix(b":") else { return Ok((rest, CaseRange::Value(lower))) };
    if matches!(behind.first(), Some(b',' | b')')) {
        return Ok((behind, CaseRange::Range(Some(lower), None)));
    }
    let (rest, upper) = expression(cx, behind)?;
    Ok((rest, CaseRange::Range(Some(lower), Some(upper))))
}

/// R1153 select-type-stmt.
pub fn select_type<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, selector) = selector(cx, input)?;
    Ok((rest, StatementKind::SelectType(Box::new(selector))))
}

/// R1149 select-rank-stmt.
pub fn select_rank<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, selector) = selector(cx, input)?;
    Ok((rest, StatementKind::SelectRank(Box::new(selector))))
}

/// `([name =>] selector)`.
fn selector<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Selector> {
    parenthesised(cx, input, |inner| {
        let length = word_length(inner);
        let (rest, name) = if inner[length..].starts_with(b"=>") {
            let (rest, name) = identifier(cx, inner)?;
            let (rest, ()) = symbol("=>", rest)?;
            (rest, Some(name))
        } else {
            (inner, None)
        };
        let (rest, selector) = expression(cx, rest)?;
        Ok((rest, Selector { name, selector }))
    })
}

/// R1154 type-guard-stmt `type is (…)`.
pub fn type_is<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, guard) = parenthesised(cx, input, |inner| bare_type_spec(cx, inner))?;
    guarded(cx, rest, TypeGuard::TypeIs(guard))
}

/// R1154 type-guard-stmt `class is (…)`.
pub fn class_is<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, guard) = parenthesised(cx, input, |inner| bare_type_spec(cx, inner))?;
    guarded(cx, rest, TypeGuard::ClassIs(guard))
}

/// R1154 type-guard-stmt `class default`.
pub fn class_default<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    guarded(cx, input, TypeGuard::Default)
}

fn guarded<'i>(cx: &Context<'_>, input: Input<'i>, guard: TypeGuard) -> Parsed<'i, StatementKind> {
    let (rest, name) = optional_name(cx, input)?;
    Ok((rest, StatementKind::TypeGuard(guard, name)))
}

/// R1150 select-rank-case-stmt.
pub fn rank<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    let (rest, case) = if input.starts_with(b"(*)") {
        (super::lexical::blank(&input[3..]), RankCase::Star)
    } else if input.first() == Some(&b'(') {
        let (rest, rank) = parenthesised(cx, input, |inner| expression(cx, inner))?;
        (rest, RankCase::Rank(rank))
    } else {
        let (rest, ()) = keyword(cx, "default", input)?;
        (rest, RankCase::Default)
    };
    let (rest, name) = optional_name(cx, rest)?;
    Ok((rest, StatementKind::RankCase(case, name)))
}
