//! Conditions as trees, for programs.

use serde::Serialize;

use crate::analysis::preconditions::text::text;
use crate::analysis::preconditions::{Formula, Kind, Operator, Subscript};

/// A condition, or an expression in it. Each has `kind`; what it says as text stands beside it.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ConditionRecord {
    /// An integer, a real number, a truth value or a text, which is without trailing blanks.
    Constant { value: serde_json::Value },
    /// A variable on entry, with its components.
    Variable { text: String },
    /// An element or a section of an array.
    Element { of: Box<ConditionRecord>, subscripts: Vec<SubscriptRecord> },
    /// A substring; a bound that is not there is that of the text.
    Substring { of: Box<ConditionRecord>, first: Option<Box<ConditionRecord>>, last: Option<Box<ConditionRecord>> },
    /// A value of which nothing is known.
    Unknown { text: String },
    /// The counter of a `forAll` around it, by its name.
    Counter { name: String },
    /// An array constructor.
    Array { parts: Vec<ConditionRecord> },
    /// An intrinsic function.
    Call { name: String, arguments: Vec<ConditionRecord> },
    /// `+`, `-`, `*`, `/`, `**` or `//` of two operands; `-` of one.
    Operation { operator: &'static str, operands: Vec<ConditionRecord> },
    /// A comparison; `isNegated`: it is that the relation does not hold, which NaN makes another.
    #[serde(rename_all = "camelCase")]
    Comparison {
        relation: &'static str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_negated: bool,
        left: Box<ConditionRecord>,
        right: Box<ConditionRecord>,
    },
    /// Negation.
    Not { of: Box<ConditionRecord> },
    /// All parts hold.
    All { parts: Vec<ConditionRecord> },
    /// At least one part holds.
    Any { parts: Vec<ConditionRecord> },
    /// Both sides have one truth value.
    Equivalent { left: Box<ConditionRecord>, right: Box<ConditionRecord> },
    /// The body holds for all values of a counter.
    ForAll {
        counter: String,
        first: Box<ConditionRecord>,
        last: Box<ConditionRecord>,
        step: Box<ConditionRecord>,
        body: Box<ConditionRecord>,
    },
}

/// A subscript.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum SubscriptRecord {
    /// One element, or a vector of subscripts.
    Index { index: Box<ConditionRecord> },
    /// A triplet; what is not there is that of the array.
    Section {
        first: Option<Box<ConditionRecord>>,
        last: Option<Box<ConditionRecord>>,
        step: Option<Box<ConditionRecord>>,
    },
}

impl ConditionRecord {
    /// A formula as a tree.
    pub fn new(formula: &Formula) -> Self {
        record(formula, &mut Vec::new())
    }
}

/// A formula as a tree, inside of quantifiers with these numbers and names.
fn record(formula: &Formula, counters: &mut Vec<(u32, String)>) -> ConditionRecord {
    let mut go = |part: &Formula| Box::new(record(part, counters));
    match formula.kind() {
        Kind::Integer(value) => ConditionRecord::Constant { value: (*value).into() },
        Kind::Real(value) => ConditionRecord::Constant { value: value.value().into() },
        Kind::Logical(value) => ConditionRecord::Constant { value: (*value).into() },
        Kind::Text(value) => ConditionRecord::Constant { value: value.to_string().into() },
        Kind::Value(_) | Kind::Component(..) | Kind::Input(_) => ConditionRecord::Variable { text: text(formula) },
        Kind::Element(of, subscripts) => {
            let of = go(of);
            let subscripts = subscripts
                .iter()
                .map(|one| match one {
                    Subscript::Index(index) => SubscriptRecord::Index { index: go(index) },
                    Subscript::Section(first, last, step) => SubscriptRecord::Section {
                        first: first.as_ref().map(&mut go),
                        last: last.as_ref().map(&mut go),
                        step: step.as_ref().map(&mut go),
                    },
                })
                .collect();
            ConditionRecord::Element { of, subscripts }
        }
        Kind::Substring(of, first, last) => ConditionRecord::Substring {
            of: go(of),
            first: first.as_ref().map(&mut go),
            last: last.as_ref().map(&mut go),
        },
        Kind::Unknown(_) => ConditionRecord::Unknown { text: text(formula) },
        Kind::Bound(number) => {
            let name = counters.iter().rev().find(|(other, _)| other == number).map(|(_, name)| name.clone());
            ConditionRecord::Counter { name: name.unwrap_or_default() }
        }
        Kind::Array(parts) => ConditionRecord::Array { parts: parts.iter().map(|part| *go(part)).collect() },
        Kind::Call(name, arguments) => ConditionRecord::Call {
            name: name.to_string(),
            arguments: arguments.iter().map(|argument| *go(argument)).collect(),
        },
        Kind::Arithmetic(operator, left, right) => {
            ConditionRecord::Operation { operator: sign(*operator), operands: vec![*go(left), *go(right)] }
        }
        Kind::Negative(operand) => ConditionRecord::Operation { operator: "-", operands: vec![*go(operand)] },
        Kind::Compare(of, left, right) => ConditionRecord::Comparison {
            relation: of.relation.sign(),
            is_negated: of.is_negated,
            left: go(left),
            right: go(right),
        },
        Kind::Not(operand) => ConditionRecord::Not { of: go(operand) },
        Kind::All(parts) => ConditionRecord::All { parts: parts.iter().map(|part| *go(part)).collect() },
        Kind::Any(parts) => ConditionRecord::Any { parts: parts.iter().map(|part| *go(part)).collect() },
        Kind::Equivalent(left, right) => ConditionRecord::Equivalent { left: go(left), right: go(right) },
        Kind::ForAll(counter, body) => {
            let (first, last, step) = (go(&counter.first), go(&counter.last), go(&counter.step));
            counters.push((counter.number, counter.name.to_string()));
            let body = Box::new(record(body, counters));
            counters.pop();
            ConditionRecord::ForAll { counter: counter.name.to_string(), first, last, step, body }
        }
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Power => "**",
        Operator::Concatenate => "//",
    }
}
