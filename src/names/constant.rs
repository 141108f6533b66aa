//! Integer constant expressions (clause 10.1.12): a form without spans that can outlive its tree, and its evaluation.
//!
//! [`Constant`] is generic over names: a tree's interned [`Name`]s, or `String`s in what modules export. Anything that
//! is not part of integer arithmetic becomes [`Constant::Unknown`] on conversion, so evaluation has few cases. All
//! arithmetic is checked; overflow, division by zero and bounds on depth give `None`.

use std::hash::Hash;
use std::sync::Arc;

use super::symbol::{BaseType, Bounds, SymbolType};
use crate::intrinsics::{self, Evaluation, Intrinsic};
use crate::syntax::{
    ArgumentList, ArgumentValue, BinaryOperator, Expression, ExpressionKind, Literal, LiteralKind, Name, NameTable,
    UnaryOperator,
};

/// Brackets nested deeper than this are not constant expressions of any real program.
const DEPTH_LIMIT: u32 = 64;

/// Functions of more arguments (MAX) are not evaluated.
const MOST_ARGUMENTS: usize = 64;

/// A constant expression over names of type `N`.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant<N> {
    /// An integer literal.
    Integer(i64),
    /// A literal with a type and kind that KIND and LEN can ask for.
    Typed(Box<TypedLiteral<N>>),
    /// A name.
    Name(N),
    /// An intrinsic function's value, or an element of an array constant.
    Call(N, Vec<Constant<N>>),
    /// `- x`.
    Negate(Box<Constant<N>>),
    /// Operations of one precedence level, left to right.
    Chain(Box<Constant<N>>, Vec<(Operation, Constant<N>)>),
    /// `[a, b, …]`.
    Array(Vec<Constant<N>>),
    /// Not integer arithmetic.
    Unknown,
}

/// A literal that is not a plain default integer.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedLiteral<N> {
    base: BaseType,
    value: Option<i64>,
    kind: Option<Constant<N>>,
    length: Option<i64>,
}

/// The operations of integer arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named after its operator")]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// What evaluation must know about names.
pub trait Environment<N> {
    /// The lower-case text of a name.
    fn text<'a>(&'a self, name: &'a N) -> &'a str;
    /// The value of a scalar integer named constant.
    fn parameter(&self, name: &N) -> Option<i64>;
    /// The elements of an integer array constant of rank 1.
    fn elements(&self, name: &N) -> Option<Arc<[i64]>>;
    /// The bounds of an array's dimensions; none for a scalar.
    fn bounds(&self, name: &N) -> Option<Vec<Bounds>>;
    /// The type of a data object.
    fn type_of(&self, name: &N) -> Option<SymbolType>;
    /// Whether the program declares the name, so that it is no intrinsic.
    fn is_declared(&self, name: &N) -> bool;
}

impl<N: Clone> Constant<N> {
    /// The same expression over other names.
    pub fn map<M>(&self, to: &impl Fn(&N) -> Option<M>) -> Constant<M> {
        match self {
            Constant::Integer(value) => Constant::Integer(*value),
            Constant::Typed(literal) => Constant::Typed(Box::new(TypedLiteral {
                base: literal.base,
                value: literal.value,
                kind: literal.kind.as_ref().map(|kind| kind.map(to)),
                length: literal.length,
            })),
            Constant::Name(name) => to(name).map_or(Constant::Unknown, Constant::Name),
            Constant::Call(name, arguments) => match to(name) {
                Some(name) => Constant::Call(name, arguments.iter().map(|argument| argument.map(to)).collect()),
                None => Constant::Unknown,
            },
            Constant::Negate(operand) => Constant::Negate(Box::new(operand.map(to))),
            Constant::Chain(first, rest) => {
                let rest = rest.iter().map(|(operation, operand)| (*operation, operand.map(to))).collect();
                Constant::Chain(Box::new(first.map(to)), rest)
            }
            Constant::Array(values) => Constant::Array(values.iter().map(|value| value.map(to)).collect()),
            Constant::Unknown => Constant::Unknown,
        }
    }
}

impl Constant<Name> {
    /// The constant form of an expression of a tree.
    pub fn of(expression: &Expression, names: &NameTable) -> Self {
        convert(expression, names, 0)
    }
}

fn convert(expression: &Expression, names: &NameTable, depth: u32) -> Constant<Name> {
    if depth > DEPTH_LIMIT {
        return Constant::Unknown;
    }
    match &expression.kind {
        ExpressionKind::Literal(literal) => convert_literal(literal, names),
        ExpressionKind::Parenthesised(inner) => convert(inner, names, depth + 1),
        ExpressionKind::Unary(UnaryOperator::Plus, operand) => convert(operand, names, depth + 1),
        ExpressionKind::Unary(UnaryOperator::Minus, operand) => {
            Constant::Negate(Box::new(convert(operand, names, depth + 1)))
        }
        ExpressionKind::Binary(operations) => {
            let mut chain = Vec::with_capacity(operations.rest.len());
            for (operator, operand) in &operations.rest {
                let Some(operation) = operation_of(*operator) else { return Constant::Unknown };
                chain.push((operation, convert(operand, names, depth + 1)));
            }
            Constant::Chain(Box::new(convert(&operations.first, names, depth + 1)), chain)
        }
        ExpressionKind::Reference(reference) => {
            let [part] = reference.parts.as_slice() else { return Constant::Unknown };
            match part.lists.as_slice() {
                _ if part.image.is_some() => Constant::Unknown,
                [] => Constant::Name(part.name.name),
                [list] => Constant::Call(part.name.name, convert_arguments(part.name.name, list, names, depth)),
                _ => Constant::Unknown,
            }
        }
        ExpressionKind::ArrayConstructor { values, .. } => {
            Constant::Array(values.iter().map(|value| convert(value, names, depth + 1)).collect())
        }
        _ => Constant::Unknown,
    }
}

/// The arguments of a reference in the order of the dummy arguments; what is left out in between is unknown.
fn convert_arguments(function: Name, list: &ArgumentList, names: &NameTable, depth: u32) -> Vec<Constant<Name>> {
    let has_keywords = list.items.iter().any(|item| item.keyword.is_some());
    let dummies = has_keywords.then(|| intrinsics::function(names.text(function))).flatten();
    let dummies = dummies.map_or(&[][..], |function| function.arguments);
    let mut arguments = Vec::with_capacity(list.items.len());
    for (position, item) in list.items.iter().enumerate() {
        let Some(at) = item.dummy(position, dummies.iter().map(|dummy| dummy.name), names) else {
            return vec![Constant::Unknown];
        };
        if at >= arguments.len() {
            arguments.resize(at + 1, Constant::Unknown);
        }
        if let ArgumentValue::Expression(value) = &item.value {
            arguments[at] = convert(value, names, depth + 1);
        }
    }
    arguments
}

fn operation_of(operator: BinaryOperator) -> Option<Operation> {
    match operator {
        BinaryOperator::Add => Some(Operation::Add),
        BinaryOperator::Subtract => Some(Operation::Subtract),
        BinaryOperator::Multiply => Some(Operation::Multiply),
        BinaryOperator::Divide => Some(Operation::Divide),
        BinaryOperator::Power => Some(Operation::Power),
        _ => None,
    }
}

fn convert_literal(literal: &Literal, names: &NameTable) -> Constant<Name> {
    let text = names.text(literal.text);
    let (base, value) = match &literal.kind {
        LiteralKind::Integer(Some(value)) if !text.contains('_') => return Constant::Integer(*value),
        LiteralKind::Integer(value) => (BaseType::Integer, *value),
        LiteralKind::Real if text.contains('d') => (BaseType::DoublePrecision, None),
        LiteralKind::Real => (BaseType::Real, None),
        LiteralKind::Logical(_) => (BaseType::Logical, None),
        LiteralKind::Character => (BaseType::Character, None),
        LiteralKind::Boz | LiteralKind::Hollerith => return Constant::Unknown,
    };
    if base == BaseType::Character {
        let length = character_length(text);
        return Constant::Typed(Box::new(TypedLiteral { base, value, kind: None, length }));
    }
    let kind = text.split_once('_').map(|(_, kind)| match kind.parse() {
        Ok(kind) => Constant::Integer(kind),
        Err(_) => names.get(kind).map_or(Constant::Unknown, Constant::Name),
    });
    Constant::Typed(Box::new(TypedLiteral { base, value, kind, length: None }))
}

/// The number of characters of a character literal: doubled delimiters count once. A kind prefix gives `None`.
fn character_length(text: &str) -> Option<i64> {
    let delimiter = text.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let inner = text.strip_prefix(delimiter)?.strip_suffix(delimiter)?;
    let doubled = inner.matches(delimiter).count() / 2;
    i64::try_from(inner.chars().count() - doubled).ok()
}

/// The value of a constant expression.
pub fn evaluate<N: Clone + Eq + Hash>(constant: &Constant<N>, environment: &impl Environment<N>) -> Option<i64> {
    match constant {
        Constant::Integer(value) => Some(*value),
        Constant::Typed(literal) => literal.value,
        Constant::Name(name) => environment.parameter(name),
        Constant::Negate(operand) => evaluate(operand, environment)?.checked_neg(),
        Constant::Chain(first, rest) => evaluate_chain(first, rest, environment),
        Constant::Call(name, arguments) => {
            if environment.is_declared(name) {
                return element(name, arguments, environment);
            }
            intrinsic(intrinsics::function(environment.text(name))?, arguments, environment)
        }
        Constant::Array(_) | Constant::Unknown => None,
    }
}

fn evaluate_chain<N: Clone + Eq + Hash>(
    first: &Constant<N>,
    rest: &[(Operation, Constant<N>)],
    environment: &impl Environment<N>,
) -> Option<i64> {
    // Only `**` associates to the right, and it has a level of its own.
    if let Some(((Operation::Power, last), before)) = rest.split_last() {
        let mut value = evaluate(last, environment)?;
        for (_, operand) in before.iter().rev() {
            value = apply(Operation::Power, evaluate(operand, environment)?, value)?;
        }
        return apply(Operation::Power, evaluate(first, environment)?, value);
    }
    let mut value = evaluate(first, environment)?;
    for (operation, operand) in rest {
        value = apply(*operation, value, evaluate(operand, environment)?)?;
    }
    Some(value)
}

fn apply(operation: Operation, left: i64, right: i64) -> Option<i64> {
    match operation {
        Operation::Add => left.checked_add(right),
        Operation::Subtract => left.checked_sub(right),
        Operation::Multiply => left.checked_mul(right),
        Operation::Divide => left.checked_div(right),
        Operation::Power => power(left, right),
    }
}

/// Integer power; a negative exponent gives the reciprocal, truncated.
fn power(base: i64, exponent: i64) -> Option<i64> {
    match (base, exponent) {
        (1, _) => Some(1),
        (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        (0, ..0) => None,
        (_, ..0) => Some(0),
        (0, _) => Some(i64::from(exponent == 0)),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

/// The elements of a constant array expression.
pub fn evaluate_elements<N: Clone + Eq + Hash>(
    constant: &Constant<N>,
    environment: &impl Environment<N>,
) -> Option<Arc<[i64]>> {
    match constant {
        Constant::Array(values) => values.iter().map(|value| evaluate(value, environment)).collect(),
        Constant::Name(name) => environment.elements(name),
        _ => None,
    }
}

/// An element of an array constant.
fn element<N: Clone + Eq + Hash>(
    name: &N,
    arguments: &[Constant<N>],
    environment: &impl Environment<N>,
) -> Option<i64> {
    let [index] = arguments else { return None };
    let elements = environment.elements(name)?;
    let lower = environment.bounds(name)?.first()?.lower?;
    let offset = evaluate(index, environment)?.checked_sub(lower)?;
    elements.get(usize::try_from(offset).ok()?).copied()
}

/// The value of a reference to an intrinsic function.
fn intrinsic<N: Clone + Eq + Hash>(
    function: &Intrinsic,
    arguments: &[Constant<N>],
    environment: &impl Environment<N>,
) -> Option<i64> {
    let evaluation = function.evaluation?;
    match (evaluation, arguments) {
        (Evaluation::Kind, [argument]) => kind(argument, environment),
        (Evaluation::Length, [argument]) => length(argument, environment),
        (Evaluation::Extent | Evaluation::LowerBound | Evaluation::UpperBound, [array, dimension @ ..]) => {
            inquire(evaluation, array, dimension, environment)
        }
        (reduction, [array]) if reduction.is_reduction() => {
            reduction.of_elements(&evaluate_elements(array, environment)?)
        }
        (_, arguments) if arguments.len() > MOST_ARGUMENTS => None,
        (Evaluation::Integer, [argument, ..]) => evaluate(argument, environment),
        (_, arguments) => {
            let values = arguments.iter().map(|argument| evaluate(argument, environment));
            evaluation.of_scalars(&values.collect::<Option<Vec<_>>>()?)
        }
    }
}

fn inquire<N: Clone + Eq + Hash>(
    inquiry: Evaluation,
    array: &Constant<N>,
    dimension: &[Constant<N>],
    environment: &impl Environment<N>,
) -> Option<i64> {
    let bounds = match array {
        Constant::Name(array) => environment.bounds(array)?,
        Constant::Array(values) => vec![Bounds { lower: Some(1), upper: i64::try_from(values.len()).ok() }],
        _ => return None,
    };
    let extent = |bounds: &Bounds| Some(bounds.upper?.checked_sub(bounds.lower?)?.checked_add(1)?.max(0));
    let chosen = match dimension.first() {
        Some(dimension) => {
            let at = evaluate(dimension, environment)?.checked_sub(1)?;
            bounds.get(usize::try_from(at).ok()?)?
        }
        // SIZE without a dimension counts all elements; LBOUND and UBOUND would be arrays.
        None if inquiry == Evaluation::Extent => {
            return bounds.iter().try_fold(1_i64, |size, bounds| size.checked_mul(extent(bounds)?));
        }
        None => return None,
    };
    match inquiry {
        Evaluation::Extent => extent(chosen),
        Evaluation::LowerBound => chosen.lower,
        _ => chosen.upper,
    }
}

/// The value of KIND: that of the common compilers, where a kind is a number of bytes.
fn kind<N: Clone + Eq + Hash>(argument: &Constant<N>, environment: &impl Environment<N>) -> Option<i64> {
    let (base, given) = match argument {
        Constant::Integer(_) => (BaseType::Integer, None),
        Constant::Typed(literal) => match &literal.kind {
            Some(kind) => return evaluate(kind, environment),
            None => (literal.base, None),
        },
        Constant::Negate(operand) => return kind(operand, environment),
        Constant::Name(name) => {
            let type_ = environment.type_of(name)?;
            (type_.base, type_.kind)
        }
        _ => return None,
    };
    given.or(match base {
        BaseType::Integer | BaseType::Real | BaseType::Complex | BaseType::Logical => Some(4),
        BaseType::DoublePrecision | BaseType::DoubleComplex => Some(8),
        BaseType::Character | BaseType::Byte => Some(1),
        _ => None,
    })
}

fn length<N: Clone + Eq + Hash>(argument: &Constant<N>, environment: &impl Environment<N>) -> Option<i64> {
    match argument {
        Constant::Typed(literal) => literal.length,
        Constant::Name(name) => environment.type_of(name)?.length,
        _ => None,
    }
}
