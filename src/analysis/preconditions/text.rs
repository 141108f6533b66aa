//! An expression as it is written in Fortran.

use super::formula::{Counter, Formula, Kind, Operator, Real, Subscript};
use super::relation::Comparison;
use super::sections::as_section;

/// How strongly operators bind, from the weakest (clause 10.1.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Equivalence,
    Or,
    And,
    Not,
    Comparison,
    Concatenation,
    Sum,
    Product,
    Power,
    Primary,
}

/// The text of an expression.
pub fn text(formula: &Formula) -> String {
    write(formula).0
}

fn write(formula: &Formula) -> (String, Level) {
    match formula.kind() {
        Kind::Integer(value) if *value < 0 => (value.to_string(), Level::Sum),
        Kind::Integer(value) => (value.to_string(), Level::Primary),
        Kind::Real(value) => {
            let text = real(*value);
            let level = if text.starts_with('-') { Level::Sum } else { Level::Primary };
            (text, level)
        }
        Kind::Logical(value) => ((if *value { ".true." } else { ".false." }).to_owned(), Level::Primary),
        Kind::Text(value) => (format!("'{}'", value.replace('\'', "''")), Level::Primary),
        Kind::Value(variable) => (variable.name.to_string(), Level::Primary),
        Kind::Input(input) => write(&input.variable),
        Kind::Unknown(unknown) => (unknown.shown.to_string(), Level::Primary),
        Kind::Bound(number) => (format!("i{number}"), Level::Primary),
        Kind::Component(object, member) => (format!("{}%{}", text(object), member.name), Level::Primary),
        Kind::Element(array, subscripts) => {
            let inside: Vec<String> = subscripts.iter().map(subscript).collect();
            (format!("{}({})", text(array), inside.join(", ")), Level::Primary)
        }
        Kind::Substring(of, first, last) => {
            let bound = |bound: &Option<Formula>| bound.as_ref().map(text).unwrap_or_default();
            (format!("{}({}:{})", text(of), bound(first), bound(last)), Level::Primary)
        }
        Kind::Array(parts) => (format!("[{}]", list(parts)), Level::Primary),
        Kind::Call(name, arguments) => (format!("{name}({})", list(arguments)), Level::Primary),
        Kind::Arithmetic(operator, left, right) => arithmetic(*operator, left, right),
        Kind::Negative(operand) => (format!("-{}", inside(operand, Level::Product)), Level::Sum),
        Kind::Compare(of, left, right) => (compare(*of, left, right), Level::Comparison),
        Kind::Not(operand) => (format!(".not. {}", inside(operand, Level::Not)), Level::Not),
        Kind::All(parts) => (joined(parts, " .and. ", Level::And), Level::And),
        Kind::Any(parts) => (alternatives(parts), Level::Or),
        Kind::Equivalent(left, right) => {
            (format!("{} .eqv. {}", inside(left, Level::Or), inside(right, Level::Or)), Level::Equivalence)
        }
        Kind::ForAll(counter, body) => (for_all(counter, body), Level::Primary),
    }
}

/// The text of an operand, in brackets if its operator binds less.
fn inside(formula: &Formula, least: Level) -> String {
    let (text, level) = write(formula);
    if level < least { format!("({text})") } else { text }
}

fn list(parts: &[Formula]) -> String {
    parts.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn joined(parts: &[Formula], operator: &str, level: Level) -> String {
    parts.iter().map(|part| inside(part, level)).collect::<Vec<_>>().join(operator)
}

/// Alternatives; conjunctions among them stand in brackets, for the reader.
fn alternatives(parts: &[Formula]) -> String {
    let write = |part: &Formula| {
        let is_all = matches!(part.kind(), Kind::All(_));
        if is_all { format!("({})", text(part)) } else { inside(part, Level::Or) }
    };
    parts.iter().map(write).collect::<Vec<_>>().join(" .or. ")
}

fn subscript(of: &Subscript) -> String {
    match of {
        Subscript::Index(index) => tight(index),
        Subscript::Section(first, last, step) => {
            let part = |part: &Option<Formula>| part.as_ref().map(tight).unwrap_or_default();
            let step = step.as_ref().map(|step| format!(":{}", tight(step))).unwrap_or_default();
            format!("{}:{}{step}", part(first), part(last))
        }
    }
}

/// A sum without blanks, as in subscripts.
fn tight(formula: &Formula) -> String {
    text(formula).replace(" + ", "+").replace(" - ", "-")
}

fn arithmetic(operator: Operator, left: &Formula, right: &Formula) -> (String, Level) {
    let (sign, level, right_level) = match operator {
        Operator::Add => (" + ", Level::Sum, Level::Product),
        Operator::Subtract => (" - ", Level::Sum, Level::Product),
        Operator::Multiply => ("*", Level::Product, Level::Power),
        Operator::Divide => ("/", Level::Product, Level::Power),
        Operator::Power => ("**", Level::Power, Level::Power),
        Operator::Concatenate => ("//", Level::Concatenation, Level::Sum),
    };
    let left_level = if operator == Operator::Power { Level::Primary } else { level };
    (format!("{}{sign}{}", inside(left, left_level), inside(right, right_level)), level)
}

fn compare(of: Comparison, left: &Formula, right: &Formula) -> String {
    let sign = of.without_nan().sign();
    format!("{} {sign} {}", inside(left, Level::Concatenation), inside(right, Level::Concatenation))
}

/// A real number as a literal of its kind.
fn real(of: Real) -> String {
    let digits = if of.kind == 4 { format!("{:?}", of.value() as f32) } else { format!("{:?}", of.value()) };
    // `1e-6` as `1.0e-6`.
    let digits = match digits.split_once('e') {
        Some((number, exponent)) if !number.contains('.') => format!("{number}.0e{exponent}"),
        _ => digits,
    };
    match (of.kind, digits.contains('e')) {
        (4, _) => digits,
        (8, true) => digits.replace('e', "d"),
        (8, false) => format!("{digits}d0"),
        (kind, _) => format!("{digits}_{kind}"),
    }
}

/// `all(…)` of sections where that says it, else of an array constructor.
fn for_all(counter: &Counter, body: &Formula) -> String {
    if let Some(section) = as_section(counter, body) {
        return format!("all({})", text(&section));
    }
    let name = Formula::new(Kind::Unknown(std::sync::Arc::new(super::formula::Unknown {
        number: 0,
        shown: counter.name.clone(),
        place: super::formula::Place { file: std::sync::Arc::from(std::path::Path::new("")), line: 0, column: 0 },
        type_: super::formula::Type::Integer(4),
        rank: 0,
    })));
    let bound = Formula::new(Kind::Bound(counter.number));
    let body = super::substitute::replace(body, &bound, &name);
    let step = if counter.step.as_integer() == Some(1) { String::new() } else { format!(", {}", text(&counter.step)) };
    format!("all([({}, {} = {}, {}{step})])", text(&body), counter.name, text(&counter.first), text(&counter.last))
}
