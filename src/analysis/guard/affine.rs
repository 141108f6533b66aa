//! Subscripts and bounds as canonical text with the constant apart, so that `i+1` is seen to be `i` shifted by one.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

use crate::syntax::print::{Style, expression_text};
use crate::syntax::{
    Argument, ArgumentValue, BinaryOperator, DimensionSpec, Expression, ExpressionKind, Literal, LiteralKind,
    NameTable, Section, UnaryOperator,
};

/// A sum of terms and an integer constant.
///
/// Its text has no blanks and the constant last (`2*i+n-1`); what is no number is compared as text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Affine {
    /// The terms in the order of their texts, with signs; empty for a number.
    pub terms: String,
    /// The constant.
    pub constant: i64,
}

impl Affine {
    /// A number.
    pub fn number(constant: i64) -> Self {
        Affine { terms: String::new(), constant }
    }

    /// The normal form of an expression.
    pub fn of(expression: &Expression, names: &NameTable) -> Self {
        let mut sum = Sum::default();
        sum.add(expression, 1, names);
        sum.finish()
    }

    /// What `Display` wrote.
    pub fn parse(text: &str) -> Self {
        if let Ok(constant) = text.parse() {
            return Affine::number(constant);
        }
        let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
        let sign = text.len() - digits;
        let is_sum = digits > 0 && sign > 1 && matches!(text.as_bytes()[sign - 1], b'+' | b'-');
        match text.get(sign.saturating_sub(1)..).filter(|_| is_sum).and_then(|constant| constant.parse().ok()) {
            Some(constant) => Affine { terms: text[..sign - 1].to_owned(), constant },
            None => Affine { terms: text.to_owned(), constant: 0 },
        }
    }

    /// The same plus a number.
    #[must_use]
    pub fn plus(&self, number: i64) -> Self {
        Affine { terms: self.terms.clone(), constant: self.constant.saturating_add(number) }
    }

    /// How much larger it is than another one, if that is a number.
    pub fn minus(&self, other: &Self) -> Option<i64> {
        (self.terms == other.terms).then(|| self.constant.saturating_sub(other.constant))
    }

    /// Whether it is this variable, perhaps shifted.
    pub fn is_over(&self, variable: &str) -> bool {
        self.terms == variable
    }

    /// The same with names replaced by others, all at once.
    #[must_use]
    pub fn renamed(&self, names: &BTreeMap<String, String>) -> Self {
        Affine { terms: renamed(&self.terms, names), constant: self.constant }
    }
}

/// A text with whole names replaced by others, all at once.
pub fn renamed(text: &str, names: &BTreeMap<String, String>) -> String {
    if names.is_empty() {
        return text.to_owned();
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let length = if word == 0 { rest.chars().next().map_or(1, char::len_utf8) } else { word };
        let (head, tail) = rest.split_at(length);
        // A component has the name of nothing else.
        let is_component = result.ends_with('%');
        result.push_str(names.get(head).filter(|_| !is_component).map_or(head, String::as_str));
        rest = tail;
    }
    result
}

impl Display for Affine {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match (self.terms.is_empty(), self.constant) {
            (true, constant) => write!(f, "{constant}"),
            (false, 0) => f.write_str(&self.terms),
            (false, constant) => write!(f, "{}{constant:+}", self.terms),
        }
    }
}

/// A sum in the making: each term with its factor.
#[derive(Default)]
struct Sum {
    terms: BTreeMap<String, i64>,
    constant: i64,
}

impl Sum {
    /// Adds so many times an expression.
    fn add(&mut self, expression: &Expression, factor: i64, names: &NameTable) {
        match &expression.kind {
            ExpressionKind::Parenthesised(inner) => self.add(inner, factor, names),
            ExpressionKind::Unary(UnaryOperator::Plus, inner) => self.add(inner, factor, names),
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => self.add(inner, factor.saturating_neg(), names),
            ExpressionKind::Binary(operations)
                if operations
                    .rest
                    .iter()
                    .all(|(op, _)| matches!(op, BinaryOperator::Add | BinaryOperator::Subtract)) =>
            {
                self.add(&operations.first, factor, names);
                for (operator, operand) in &operations.rest {
                    let sign = if *operator == BinaryOperator::Subtract { factor.saturating_neg() } else { factor };
                    self.add(operand, sign, names);
                }
            }
            ExpressionKind::Binary(operations) => match operations.rest.as_slice() {
                [(BinaryOperator::Multiply, second)] => match (integer(&operations.first), integer(second)) {
                    (Some(number), _) => self.add(second, factor.saturating_mul(number), names),
                    (_, Some(number)) => self.add(&operations.first, factor.saturating_mul(number), names),
                    _ => self.add_term(expression, factor, names),
                },
                _ => self.add_term(expression, factor, names),
            },
            _ => match integer(expression) {
                Some(number) => {
                    self.constant = self.constant.saturating_add(factor.saturating_mul(number));
                }
                None => self.add_term(expression, factor, names),
            },
        }
    }

    fn add_term(&mut self, expression: &Expression, factor: i64, names: &NameTable) {
        let text: String =
            expression_text(expression, names, Style::Fortran).chars().filter(|c| !c.is_whitespace()).collect();
        let count = self.terms.entry(text).or_default();
        *count = count.saturating_add(factor);
    }

    fn finish(self) -> Affine {
        let mut terms = String::new();
        for (text, factor) in self.terms.iter().filter(|(_, factor)| **factor != 0) {
            if *factor > 0 && !terms.is_empty() {
                terms.push('+');
            }
            match factor {
                1 => {}
                -1 => terms.push('-'),
                _ => terms.push_str(&format!("{factor}*")),
            }
            terms.push_str(text);
        }
        Affine { terms, constant: self.constant }
    }
}

fn integer(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Literal(Literal { kind: LiteralKind::Integer(value), .. }) => *value,
        ExpressionKind::Parenthesised(inner) => integer(inner),
        _ => None,
    }
}

/// One subscript, one dimension of an allocation, or one dimension of a declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subscript {
    /// One index; in a declaration or allocation the upper bound.
    Index(Affine),
    /// `lower:upper:stride`, with what of it is there.
    Section(Option<Affine>, Option<Affine>, Option<Affine>),
    /// `*`, `lower:*`: the last dimension of an assumed-size array.
    Star(Option<Affine>),
}

impl Subscript {
    /// A subscript of a reference.
    pub fn of(argument: &Argument, names: &NameTable) -> Self {
        let bound = |bound: &Option<Box<Expression>>| bound.as_deref().map(|bound| Affine::of(bound, names));
        match &argument.value {
            ArgumentValue::Expression(index) => Subscript::Index(Affine::of(index, names)),
            ArgumentValue::Section(Section { lower, upper, stride }) => {
                Subscript::Section(bound(lower), bound(upper), bound(stride))
            }
            ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => Subscript::Section(None, None, None),
        }
    }

    /// A dimension of a declaration.
    pub fn of_dimension(dimension: &DimensionSpec, names: &NameTable) -> Self {
        let affine = |bound: &Expression| Affine::of(bound, names);
        match dimension {
            DimensionSpec::Explicit(None, upper) => Subscript::Index(affine(upper)),
            DimensionSpec::Explicit(Some(lower), upper) => {
                Subscript::Section(Some(affine(lower)), Some(affine(upper)), None)
            }
            DimensionSpec::Colon(lower) => Subscript::Section(lower.as_ref().map(affine), None, None),
            DimensionSpec::Star(lower) => Subscript::Star(lower.as_ref().map(affine)),
        }
    }

    /// As the dimension of a declaration or allocation: its lower bound, 1 where none is given.
    pub fn lower(&self) -> Affine {
        match self {
            Subscript::Section(Some(lower), ..) | Subscript::Star(Some(lower)) => lower.clone(),
            _ => Affine::number(1),
        }
    }

    /// As the dimension of a declaration or allocation: its upper bound, if it has one.
    pub fn upper(&self) -> Option<&Affine> {
        match self {
            Subscript::Index(upper) | Subscript::Section(_, Some(upper), _) => Some(upper),
            _ => None,
        }
    }

    /// What `Display` wrote.
    pub fn parse(text: &str) -> Self {
        let parts = split(text, ':');
        let bound = |at: usize| parts.get(at).filter(|text| !text.is_empty()).map(|text| Affine::parse(text));
        match parts.as_slice() {
            ["*"] => Subscript::Star(None),
            [_, "*"] => Subscript::Star(bound(0)),
            [index] => Subscript::Index(Affine::parse(index)),
            _ => Subscript::Section(bound(0), bound(1), bound(2)),
        }
    }

    /// The same with each of its parts changed.
    #[must_use]
    pub fn map(&self, change: &dyn Fn(&Affine) -> Affine) -> Self {
        match self {
            Subscript::Index(index) => Subscript::Index(change(index)),
            Subscript::Section(lower, upper, stride) => {
                Subscript::Section(lower.as_ref().map(change), upper.as_ref().map(change), stride.clone())
            }
            Subscript::Star(lower) => Subscript::Star(lower.as_ref().map(change)),
        }
    }
}

impl Display for Subscript {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let bound = |bound: &Option<Affine>| bound.as_ref().map(Affine::to_string).unwrap_or_default();
        match self {
            Subscript::Index(index) => index.fmt(f),
            Subscript::Section(lower, upper, None) => write!(f, "{}:{}", bound(lower), bound(upper)),
            Subscript::Section(lower, upper, stride) => {
                write!(f, "{}:{}:{}", bound(lower), bound(upper), bound(stride))
            }
            Subscript::Star(None) => f.write_str("*"),
            Subscript::Star(lower) => write!(f, "{}:*", bound(lower)),
        }
    }
}

/// The parts of a text between separators that stand in no bracket and no character constant.
pub fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut quote, mut from) = (0_i32, None, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth -= 1,
            (None, _) if c == separator && depth == 0 => {
                parts.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}
