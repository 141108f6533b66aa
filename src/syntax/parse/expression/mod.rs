//! Expressions (clause 10.1 of the standard).
//!
//! Entry point: [`expression`]; result: one [`Expression`]. Operator precedence: `climb` reads operand after
//! operand and keeps the operators that still wait for one on a stack, so a sum of any length costs no depth, and the
//! operators of one level become one flat node. Depth is spent on brackets and on prefix operators only, and
//! [`Context::nested`](super::lexical::Context::nested) bounds both.

use smallvec::SmallVec;

use super::bracketed::{array_constructor, bracketed};
use super::lexical::{Context, Input, Parsed, fail, identifier, parenthesised};
use super::literal::{character, logical, named_constant_prefix, number};
use super::reference::{argument_list, reference};
use crate::syntax::ast::expression::{
    BinaryOperator, Expression, ExpressionKind, LiteralKind, Operations, UnaryOperator,
};

/// Precedence levels, loosest first (table 10.1). Level 5 belongs to `.not.`, which is no binary operator.
const DEFINED: u8 = 1;
const EQUIVALENCE: u8 = 2;
const OR: u8 = 3;
const AND: u8 = 4;
const RELATION: u8 = 6;
const CONCATENATION: u8 = 7;
const ADDITION: u8 = 8;
const MULTIPLICATION: u8 = 9;
const POWER: u8 = 10;
/// Above every operator: a lone operand.
const OPERAND: u8 = 11;

/// R1022 expr.
pub fn expression<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    climb(cx, input, DEFINED)
}

/// R1001 primary with a sign or another prefix operator in front, and no binary operator behind it: a value between
/// slashes (R845 data-stmt-constant), where `/` and `*` mean something else.
pub fn operand<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    climb(cx, input, OPERAND)
}

/// An operator that waits for its last operand. Each binds more tightly than the one below it on the stack.
enum Waiting<'i> {
    /// A prefix operator; operators of level `floor` and above belong to its operand.
    Unary { start: Input<'i>, operator: UnaryOperator, floor: u8 },
    /// Operators of one level, all but the last with both operands.
    Binary { start: Input<'i>, operations: Box<Operations>, operator: BinaryOperator, level: u8 },
}

/// What stands in front of an operator.
enum Left {
    /// An operand that the operator begins a node with.
    Operand(Expression),
    /// A node that the operator continues.
    Operations(Box<Operations>),
}

/// The waiting operators, innermost last. There are rarely more than two.
type Stack<'i> = SmallVec<[Waiting<'i>; 2]>;

/// Reads an operand and all operators of level `floor` and above that follow it: operator precedence with a stack of
/// its own, so that only brackets recurse.
fn climb<'i>(cx: &Context<'_>, input: Input<'i>, floor: u8) -> Parsed<'i, Expression> {
    if matches!(input.first(), Some(b'+' | b'-' | b'.')) {
        return operation(cx, input, None, floor);
    }
    // Most operands stand alone.
    let (rest, value) = primary(cx, input)?;
    match binary_operator(cx, rest) {
        Some((level, ..)) if level >= floor => operation(cx, input, Some((rest, value)), floor),
        _ => Ok((rest, value)),
    }
}

/// The same for more than a lone operand; the first operand may be read already.
fn operation<'i>(
    cx: &Context<'_>,
    input: Input<'i>,
    first: Option<(Input<'i>, Expression)>,
    floor: u8,
) -> Parsed<'i, Expression> {
    let mut waiting = Stack::new();
    let mut start = input;
    let mut known = first;
    loop {
        let inner_floor = match waiting.last() {
            None => floor,
            Some(Waiting::Unary { floor, .. }) => *floor,
            Some(Waiting::Binary { level, .. }) => level + 1,
        };
        let (rest, value) = match known.take() {
            Some(known) => known,
            None => {
                if let Some((operator, floor, behind)) = prefix_operator(cx, start, inner_floor) {
                    cx.descend(start)?;
                    waiting.push(Waiting::Unary { start, operator, floor });
                    start = behind;
                    continue;
                }
                primary(cx, start)?
            }
        };
        let next = binary_operator(cx, rest);
        let level = next.as_ref().map_or(0, |&(level, ..)| level);
        let (left, begin) = reduce(cx, &mut waiting, Operand { value, start, rest }, level);
        match next {
            Some((level, operator, behind)) if level >= floor || !waiting.is_empty() => {
                let operations = match left {
                    Left::Operand(first) => Box::new(Operations { first, rest: SmallVec::new() }),
                    Left::Operations(operations) => operations,
                };
                waiting.push(Waiting::Binary { start: begin, operations, operator, level });
                start = behind;
            }
            _ => {
                let value = match left {
                    Left::Operand(value) => value,
                    Left::Operations(operations) => node(cx, begin, rest, operations),
                };
                return Ok((rest, value));
            }
        }
    }
}

/// A finished operand: where it began and what follows it.
struct Operand<'i> {
    value: Expression,
    start: Input<'i>,
    rest: Input<'i>,
}

/// Gives an operand to the waiting operators that bind it more tightly than the next operator, which is of this level
/// (0: there is none). Returns what stands in front of the next operator, and where that begins.
fn reduce<'i>(cx: &Context<'_>, waiting: &mut Stack<'i>, operand: Operand<'i>, next_level: u8) -> (Left, Input<'i>) {
    let Operand { mut value, start: mut begin, rest } = operand;
    while let Some(top) = waiting.pop() {
        match top {
            Waiting::Unary { start, operator, floor } if next_level < floor => {
                cx.ascend(1);
                let kind = ExpressionKind::Unary(operator, Box::new(value));
                value = Expression { kind, span: cx.span(start, rest) };
                begin = start;
            }
            Waiting::Binary { start, mut operations, operator, level } if next_level <= level => {
                operations.rest.push((operator, value));
                if next_level == level {
                    return (Left::Operations(operations), start);
                }
                value = node(cx, start, rest, operations);
                begin = start;
            }
            tighter => {
                waiting.push(tighter);
                break;
            }
        }
    }
    (Left::Operand(value), begin)
}

/// The node of finished operations.
fn node(cx: &Context<'_>, start: Input<'_>, rest: Input<'_>, operations: Box<Operations>) -> Expression {
    Expression { kind: ExpressionKind::Binary(operations), span: cx.span(start, rest) }
}

/// R1003 defined-unary-op, R1010 add-op, R1020 not-op at the beginning of an operand: the operator, the level from
/// which on operators belong to its operand, and what follows. `inner_floor` is that level for the operator in front.
///
/// As an extension a sign may follow another operator: `a*-b`, `x**-2`, `a + -b*c`. It then takes in what binds more
/// tightly than the operator in front of it, a power at least.
fn prefix_operator<'i>(cx: &Context<'_>, input: Input<'i>, inner_floor: u8) -> Option<(UnaryOperator, u8, Input<'i>)> {
    let sign_floor = if inner_floor <= MULTIPLICATION { MULTIPLICATION } else { POWER };
    match input {
        [b'+', rest @ ..] => Some((UnaryOperator::Plus, sign_floor, rest)),
        [b'-', rest @ ..] => Some((UnaryOperator::Minus, sign_floor, rest)),
        [b'.', ..] => match dotted_name(input)? {
            (b"not", rest) => Some((UnaryOperator::Not, inner_floor.max(RELATION), rest)),
            (b"true" | b"false", _) => None,
            // DEC's short forms of the logical constants; with an operand behind them they are defined operators.
            (b"t" | b"f" | b"nil", rest) if !starts_operand(rest) => None,
            (name, rest) => Some((UnaryOperator::Defined(cx.intern(name)), OPERAND, rest)),
        },
        _ => None,
    }
}

fn starts_operand(input: Input<'_>) -> bool {
    input.first().is_some_and(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'(' | b'[' | b'\'' | b'"' | b'_'))
}

/// R1001 primary.
fn primary<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    match input.first() {
        Some(b'(') if input.starts_with(b"(/") && !input.starts_with(b"(/=") => {
            array_constructor(cx, input, "(/", "/)")
        }
        Some(b'(') => bracketed(cx, input),
        Some(b'[') => array_constructor(cx, input, "[", "]"),
        Some(b'0'..=b'9') => substring(cx, input, number(cx, input)),
        Some(b'.') => match dotted_name(input) {
            Some((name @ (b"true" | b"false" | b"t" | b"f"), behind)) => {
                logical(cx, input, behind, matches!(name, b"true" | b"t"))
            }
            Some((b"nil", behind)) => {
                Ok((behind, Expression { kind: ExpressionKind::Nil, span: cx.span(input, behind) }))
            }
            _ if input.get(1).is_some_and(u8::is_ascii_digit) => number(cx, input),
            _ => fail(input, "an expression"),
        },
        Some(b'\'' | b'"') => substring(cx, input, character(cx, input)),
        Some(b'%') => percent_function(cx, input),
        _ => designator(cx, input),
    }
}

/// A constant, or R908 substring of one.
fn substring<'i>(cx: &Context<'_>, input: Input<'i>, constant: Parsed<'i, Expression>) -> Parsed<'i, Expression> {
    let (rest, constant) = constant?;
    let is_text = matches!(&constant.kind, ExpressionKind::Literal(literal) if literal.kind == LiteralKind::Character);
    if !is_text || rest.first() != Some(&b'(') {
        return Ok((rest, constant));
    }
    let (rest, range) = argument_list(cx, rest)?;
    Ok((rest, Expression { kind: ExpressionKind::Substring(Box::new(constant), range), span: cx.span(input, rest) }))
}

/// R901 designator, R1520 function-reference, R756 structure-constructor: as an expression. A quote behind what looks
/// like one makes it the prefix of a constant.
fn designator<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    if !input.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')) {
        return fail(input, "an expression");
    }
    let (rest, value) = reference(cx, input)?;
    if matches!(rest.first(), Some(b'\'' | b'"'))
        && let Some(constant) = named_constant_prefix(cx, input)
    {
        return substring(cx, input, constant);
    }
    Ok((rest, Expression { kind: ExpressionKind::Reference(value), span: cx.span(input, rest) }))
}

/// DEC `%val(x)` and its like.
fn percent_function<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, Expression> {
    let (rest, name) = identifier(cx, &input[1..])?;
    let (rest, argument) = parenthesised(cx, rest, |inner| expression(cx, inner))?;
    let kind = ExpressionKind::PercentFunction(name, Box::new(argument));
    Ok((rest, Expression { kind, span: cx.span(input, rest) }))
}

/// The name between two dots at the beginning of `input`, letters only, and what follows the second dot.
pub(super) fn dotted_name(input: Input<'_>) -> Option<(&[u8], Input<'_>)> {
    let inner = input.strip_prefix(b".")?;
    let length = inner.iter().position(|byte| !byte.is_ascii_alphabetic())?;
    (length > 0 && inner[length] == b'.').then(|| (&inner[..length], &inner[length + 1..]))
}

/// The operator of the language that a dotted name stands for.
pub(super) fn intrinsic_operator(name: &[u8]) -> Option<(u8, BinaryOperator)> {
    Some(match name {
        b"eq" => (RELATION, BinaryOperator::Equal),
        b"ne" => (RELATION, BinaryOperator::NotEqual),
        b"lt" => (RELATION, BinaryOperator::Less),
        b"le" => (RELATION, BinaryOperator::LessEqual),
        b"gt" => (RELATION, BinaryOperator::Greater),
        b"ge" => (RELATION, BinaryOperator::GreaterEqual),
        b"and" => (AND, BinaryOperator::And),
        b"or" => (OR, BinaryOperator::Or),
        b"eqv" => (EQUIVALENCE, BinaryOperator::Equivalent),
        b"neqv" => (EQUIVALENCE, BinaryOperator::NotEquivalent),
        _ => return None,
    })
}

/// R1007 to R1021 and R1023: the binary operator at the beginning of `input`, its level, and what follows it.
fn binary_operator<'i>(cx: &Context<'_>, input: Input<'i>) -> Option<(u8, BinaryOperator, Input<'i>)> {
    let (length, level, operator) = match input {
        [b'*', b'*', ..] => (2, POWER, BinaryOperator::Power),
        [b'*', ..] => (1, MULTIPLICATION, BinaryOperator::Multiply),
        // The end of an array constructor.
        [b'/', b')', ..] | [b'/', b'/', b')', ..] => return None,
        [b'/', b'/', ..] => (2, CONCATENATION, BinaryOperator::Concatenate),
        [b'/', b'=', ..] => (2, RELATION, BinaryOperator::NotEqual),
        [b'/', ..] => (1, MULTIPLICATION, BinaryOperator::Divide),
        [b'+', ..] => (1, ADDITION, BinaryOperator::Add),
        [b'-', ..] => (1, ADDITION, BinaryOperator::Subtract),
        [b'=', b'=', ..] => (2, RELATION, BinaryOperator::Equal),
        [b'<', b'=', ..] => (2, RELATION, BinaryOperator::LessEqual),
        [b'<', b'>', ..] => (2, RELATION, BinaryOperator::NotEqual),
        [b'<', ..] => (1, RELATION, BinaryOperator::Less),
        [b'>', b'=', ..] => (2, RELATION, BinaryOperator::GreaterEqual),
        [b'>', ..] => (1, RELATION, BinaryOperator::Greater),
        [b'.', ..] => {
            let (name, rest) = dotted_name(input)?;
            if let Some((level, operator)) = intrinsic_operator(name) {
                return Some((level, operator, rest));
            }
            if matches!(name, b"not" | b"true" | b"false") {
                return None;
            }
            return Some((DEFINED, BinaryOperator::Defined(cx.intern(name)), rest));
        }
        _ => return None,
    };
    Some((level, operator, &input[length..]))
}

#[cfg(test)]
mod tests;
