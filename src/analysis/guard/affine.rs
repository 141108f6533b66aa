//! Subscripts and bounds as affine sums of texts, so that `i+1` is seen to be `i` shifted by one.
//!
//! An atom is the text, without blanks, of whatever is no sum: a name, a reference, a product. Lock files hold the text
//! of a sum ([`SumText`]), of which [`parse_sum`] makes the sum again.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::{Display, Formatter};

use crate::symbolic::Affine;
use crate::syntax::print::{Style, expression_text};
use crate::syntax::{
    Argument, ArgumentValue, BinaryOperator, DimensionSpec, Expression, ExpressionKind, Literal, LiteralKind,
    NameTable, Section, UnaryOperator,
};

/// A sum of texts.
pub type Sum = Affine<String>;

/// The sum that an expression is; one that does not fit into numbers is an atom.
pub fn sum_of(expression: &Expression, names: &NameTable) -> Sum {
    add(Sum::default(), expression, 1, names).unwrap_or_else(|| Sum::atom(text_of(expression, names)))
}

/// Adds so many times an expression; `None` on overflow.
fn add(sum: Sum, expression: &Expression, factor: i64, names: &NameTable) -> Option<Sum> {
    let atom = |sum: Sum| sum.checked_add_multiple(&Sum::atom(text_of(expression, names)), factor);
    match &expression.kind {
        ExpressionKind::Parenthesised(inner) => add(sum, inner, factor, names),
        ExpressionKind::Unary(UnaryOperator::Plus, inner) => add(sum, inner, factor, names),
        ExpressionKind::Unary(UnaryOperator::Minus, inner) => add(sum, inner, factor.checked_neg()?, names),
        ExpressionKind::Binary(operations) => match operations.rest.as_slice() {
            [(BinaryOperator::Multiply, second)] => match (integer(&operations.first), integer(second)) {
                (Some(number), _) => add(sum, second, factor.checked_mul(number)?, names),
                (_, Some(number)) => add(sum, &operations.first, factor.checked_mul(number)?, names),
                _ => atom(sum),
            },
            rest if rest.iter().all(|(op, _)| matches!(op, BinaryOperator::Add | BinaryOperator::Subtract)) => {
                let mut sum = add(sum, &operations.first, factor, names)?;
                for (operator, operand) in rest {
                    let is_less = *operator == BinaryOperator::Subtract;
                    sum = add(sum, operand, if is_less { factor.checked_neg()? } else { factor }, names)?;
                }
                Some(sum)
            }
            _ => atom(sum),
        },
        _ => match integer(expression) {
            Some(number) => sum.checked_add_constant(factor.checked_mul(number)?),
            None => atom(sum),
        },
    }
}

fn text_of(expression: &Expression, names: &NameTable) -> String {
    expression_text(expression, names, Style::Fortran).chars().filter(|c| !c.is_whitespace()).collect()
}

fn integer(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Literal(Literal { kind: LiteralKind::Integer(value), .. }) => *value,
        ExpressionKind::Parenthesised(inner) => integer(inner),
        _ => None,
    }
}

/// The sum and a number, the greatest or least there is where it would be beyond.
pub fn shifted(sum: &Sum, by: i64) -> Sum {
    sum.clone().with_constant(sum.constant_term().saturating_add(by))
}

/// Whether a sum is this variable, perhaps shifted.
pub fn is_over(sum: &Sum, variable: &str) -> bool {
    sum.single_term().is_some_and(|(atom, coefficient)| atom == variable && coefficient == 1)
}

/// A sum with names replaced by others, all at once.
pub fn renamed_sum(sum: &Sum, names: &BTreeMap<String, String>) -> Sum {
    let replaced = sum.map_atoms(|atom| Ok::<_, Infallible>(renamed(atom, names)));
    replaced.ok().flatten().unwrap_or_else(|| sum.clone())
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

/// The text of a sum, with the constant last: `2*i+n-1`.
pub struct SumText<'a>(pub &'a Sum);

impl Display for SumText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let SumText(sum) = self;
        if let Some(constant) = sum.as_constant() {
            return write!(f, "{constant}");
        }
        for (at, (atom, coefficient)) in sum.terms().enumerate() {
            f.write_str(if coefficient < 0 {
                "-"
            } else if at > 0 {
                "+"
            } else {
                ""
            })?;
            match coefficient.unsigned_abs() {
                1 => f.write_str(atom)?,
                times if is_factor(atom) => write!(f, "{times}*{atom}")?,
                times => write!(f, "{times}*({atom})")?,
            }
        }
        match sum.constant_term() {
            0 => Ok(()),
            constant => write!(f, "{constant:+}"),
        }
    }
}

/// The sum whose text this is.
pub fn parse_sum(text: &str) -> Sum {
    signed_terms(text).and_then(sum_of_terms).unwrap_or_else(|| Sum::atom(text.to_owned()))
}

fn sum_of_terms(terms: Vec<&str>) -> Option<Sum> {
    let mut sum = Sum::default();
    for term in terms {
        let sign = usize::from(term.starts_with(['+', '-']));
        let digits = term[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let number = term[..sign + digits].parse::<i64>().ok();
        let (atom, coefficient) = match (number, &term[sign + digits..]) {
            (Some(number), "") => {
                sum = sum.checked_add_constant(number)?;
                continue;
            }
            (Some(number), rest) => match rest.strip_prefix('*').filter(|rest| !rest.starts_with('*')) {
                Some(rest) if is_in_brackets(rest) => (&rest[1..rest.len() - 1], number),
                Some(rest) if is_factor(rest) => (rest, number),
                _ => (&term[sign..], if term.starts_with('-') { -1 } else { 1 }),
            },
            (None, _) => (&term[sign..], if term.starts_with('-') { -1 } else { 1 }),
        };
        sum = sum.checked_add_multiple(&Sum::atom(atom.to_owned()), coefficient)?;
    }
    Some(sum)
}

/// The bytes of a text that stand in no character constant, with their places and the number of brackets around them;
/// brackets count themselves.
fn nested_bytes(text: &str) -> impl Iterator<Item = (usize, u8, i32)> {
    let (mut depth, mut quote) = (0, None);
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        let around = depth;
        match (quote, byte) {
            (Some(open), _) => {
                quote = quote.filter(|_| byte != open);
                return None;
            }
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                return None;
            }
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => depth -= 1,
            (None, _) => {}
        }
        Some((at, byte, depth.max(around)))
    })
}

/// The bytes of a text that stand in no bracket and no character constant, with their places.
fn outer_bytes(text: &str) -> impl Iterator<Item = (usize, u8)> {
    nested_bytes(text).filter(|(.., depth)| *depth == 0).map(|(at, byte, _)| (at, byte))
}

/// Whether a text is a bracket from its beginning to its end.
fn is_in_brackets(text: &str) -> bool {
    let is_inside = |(at, byte, depth)| depth > 1 || depth == 1 && (byte != b')' || at + 1 == text.len());
    text.starts_with('(') && text.ends_with(')') && nested_bytes(text).all(is_inside)
}

/// Whether a text can follow a number and `*` without brackets.
fn is_factor(text: &str) -> bool {
    let is_power = |at: usize| text[at + 1..].starts_with('*') || text[..at].ends_with('*');
    !is_in_brackets(text)
        && outer_bytes(text).all(|(at, byte)| match byte {
            b'*' => is_power(at),
            b'/' | b'<' | b'>' | b'=' => false,
            _ => true,
        })
}

/// The terms of a sum with their signs; `None` if it compares or has an operator with a name, so that what is added
/// there is no term of it.
fn signed_terms(text: &str) -> Option<Vec<&str>> {
    let mut terms = Vec::new();
    let mut from = 0;
    for (at, byte) in outer_bytes(text) {
        match byte {
            b'<' | b'>' | b'=' => return None,
            b'.' if is_named_operator(&text[at + 1..]) => return None,
            b'+' | b'-' if at > from && ends_operand(&text[from..at]) => {
                terms.push(&text[from..at]);
                from = at;
            }
            _ => {}
        }
    }
    terms.push(&text[from..]);
    Some(terms)
}

/// Whether a text begins as `and.` does.
fn is_named_operator(text: &str) -> bool {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    letters > 0 && text[letters..].starts_with('.')
}

/// Whether an operand ends where a text ends: not behind an operator or the letter of an exponent.
fn ends_operand(text: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let word = text.len() - text.bytes().rev().take_while(is_part).count();
    let word = &text[word..];
    let is_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !word.contains('_');
    match text.bytes().last() {
        Some(b'e' | b'd' | b'q') if is_number => false,
        Some(b'.') => is_number,
        Some(b'+' | b'-' | b'*' | b'/' | b'%' | b',' | b':') | None => false,
        Some(_) => true,
    }
}

/// One subscript, one dimension of an allocation, or one dimension of a declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subscript {
    /// One index; in a declaration or allocation the upper bound.
    Index(Sum),
    /// `lower:upper:stride`, with what of it is there.
    Section(Option<Sum>, Option<Sum>, Option<Sum>),
    /// `*`, `lower:*`: the last dimension of an assumed-size array.
    Star(Option<Sum>),
}

impl Subscript {
    /// A subscript of a reference.
    pub fn of(argument: &Argument, names: &NameTable) -> Self {
        let bound = |bound: &Option<Box<Expression>>| bound.as_deref().map(|bound| sum_of(bound, names));
        match &argument.value {
            ArgumentValue::Expression(index) => Subscript::Index(sum_of(index, names)),
            ArgumentValue::Section(Section { lower, upper, stride }) => {
                Subscript::Section(bound(lower), bound(upper), bound(stride))
            }
            ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted | ArgumentValue::Multiple(_) => {
                Subscript::Section(None, None, None)
            }
        }
    }

    /// A dimension of a declaration.
    pub fn of_dimension(dimension: &DimensionSpec, names: &NameTable) -> Self {
        let affine = |bound: &Expression| sum_of(bound, names);
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
    pub fn lower(&self) -> Sum {
        match self {
            Subscript::Section(Some(lower), ..) | Subscript::Star(Some(lower)) => lower.clone(),
            _ => Sum::constant(1),
        }
    }

    /// As the dimension of a declaration or allocation: its upper bound, if it has one.
    pub fn upper(&self) -> Option<&Sum> {
        match self {
            Subscript::Index(upper) | Subscript::Section(_, Some(upper), _) => Some(upper),
            _ => None,
        }
    }

    /// What `Display` wrote.
    pub fn parse(text: &str) -> Self {
        let parts = split(text, ':');
        let bound = |at: usize| parts.get(at).filter(|text| !text.is_empty()).map(|text| parse_sum(text));
        match parts.as_slice() {
            ["*"] => Subscript::Star(None),
            [_, "*"] => Subscript::Star(bound(0)),
            [index] => Subscript::Index(parse_sum(index)),
            _ => Subscript::Section(bound(0), bound(1), bound(2)),
        }
    }

    /// The same with each of its parts changed.
    #[must_use]
    pub fn map(&self, change: &dyn Fn(&Sum) -> Sum) -> Self {
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
        let bound = |bound: &Option<Sum>| bound.as_ref().map(|bound| SumText(bound).to_string()).unwrap_or_default();
        match self {
            Subscript::Index(index) => SumText(index).fmt(f),
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
    let mut from = 0;
    let mut parts = Vec::new();
    for (at, byte) in outer_bytes(text) {
        if char::from(byte) == separator {
            parts.push(&text[from..at]);
            from = at + 1;
        }
    }
    parts.push(&text[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{PrescanOptions, prescan::prescan};
    use crate::syntax::{StatementKind, nesting};

    /// The sum of an expression in Fortran, and its text.
    fn sum(text: &str) -> (Sum, String) {
        let source = prescan("a.f90", format!("x = {text}\nend\n").into_bytes(), &PrescanOptions::default());
        let tree = nesting::parse(source);
        let mut kinds = tree.statements.iter().map(|statement| &statement.kind);
        let Some(StatementKind::Assignment { value, .. }) = kinds.next() else { panic!("{text}") };
        let sum = sum_of(value, &tree.names);
        let text = SumText(&sum).to_string();
        (sum, text)
    }

    #[test]
    fn the_text_of_a_sum_gives_the_sum_back() {
        let cases = [
            ("1 + i - 2", "i-1"),
            ("n - (i - 3*j) + i", "3*j+n"),
            ("-(i + 1)", "-i-1"),
            ("2*n/2", "2*n/2"),
            ("2*(n/2)", "2*(n/2)"),
            ("-3*(a*b) + 4", "-3*(a*b)+4"),
            ("2*a*b", "2*a*b"),
            ("2*i**2", "2*i**2"),
            ("2*(i+j)**2 - 1", "2*(i+j)**2-1"),
            ("i*1.e-5 + k", "i*1.e-5+k"),
            ("map(i-1, '+') + 2", "map(i-1,'+')+2"),
            ("x1e - 5", "x1e-5"),
            ("2*(c(k)(1:2)/m) + 1", "2*(c(k)(1:2)/m)+1"),
            ("i + 1 == 2", "i+1==2"),
            ("9223372036854775807 + 1 + i", "9223372036854775807+1+i"),
        ];
        for (written, expected) in cases {
            let (sum, text) = sum(written);
            assert_eq!(text, expected, "{written}");
            assert_eq!(parse_sum(&text), sum, "{written}");
        }
        assert_eq!(parse_sum("0"), Sum::constant(0));
    }

    #[test]
    fn sums_are_renamed_and_compared_by_their_terms() {
        let names = BTreeMap::from([("i".to_owned(), "z".to_owned())]);
        assert_eq!(renamed_sum(&sum("i + n").0, &names), sum("n + z").0);
        assert!(is_over(&sum("i - 3").0, "i") && !is_over(&sum("2*i").0, "i"));
        assert_eq!(sum("i + n + 1").0.distance_from(&sum("n - 1 + i").0), Some(2));
    }
}
