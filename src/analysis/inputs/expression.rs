//! Expressions over the variables that a program reads: what conditions, counts and assignments are made of.
//!
//! A variable is a scalar or an array of an intrinsic type; a component of a structure is a variable of its own
//! (`grid%nx`), and one of an array of structures is an array. What the language can't say is [`Expression::Unknown`],
//! which may be anything: a condition is broken only if it is false whatever that is.

use serde::{Deserialize, Serialize};

use super::value::{DataType, Value};

/// A variable of a program: an index into its table of variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct VariableId(pub u32);

impl VariableId {
    /// Its index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a variable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Variable {
    /// Its name, with components (`grid%nx`), in lower case.
    pub name: String,
    /// Its type; absent for one that is not represented.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub data_type: Option<DataType>,
    /// The bounds of its dimensions; empty for a scalar.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<[Option<i64>; 2]>,
    /// Whether it may change without being named (a pointer, storage that is shared): its value is never known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_opaque: bool,
}

/// An expression.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Expression {
    /// A constant.
    Constant(Value),
    /// A scalar or a whole array.
    Variable(VariableId),
    /// An element of an array.
    Element(VariableId, Vec<Expression>),
    /// A section of an array.
    Section(VariableId, Vec<Subscript>),
    /// Characters of a text, from one to another position.
    Substring(Box<Expression>, Box<Expression>, Option<Box<Expression>>),
    /// `.not.`
    Not(Box<Expression>),
    /// `-`
    Negate(Box<Expression>),
    /// An operation on two values, element by element for arrays.
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// A conjunction.
    And(Vec<Expression>),
    /// A disjunction.
    Or(Vec<Expression>),
    /// An intrinsic function, by its lower-case name.
    Call(String, Vec<Expression>),
    /// An array constructor.
    Array(Vec<Expression>),
    /// The condition for every value of a variable, from `lower` to `upper` by `step`.
    #[serde(rename_all = "camelCase")]
    All {
        /// The variable.
        variable: VariableId,
        /// Its first value.
        lower: Box<Expression>,
        /// The last that it may have.
        upper: Box<Expression>,
        /// What is added to it.
        step: i64,
        /// What must be true.
        condition: Box<Expression>,
    },
    /// A value of which nothing is known.
    Unknown,
}

/// A subscript of a section.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Subscript {
    /// One index.
    Index(Expression),
    /// From one index to another; the bound of the array where one is left out.
    Range(Option<Expression>, Option<Expression>, Option<Expression>),
}

/// The operators on two values that are no connectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "each is named after its operator")]
pub enum Operator {
    #[serde(rename = "+")]
    Add,
    #[serde(rename = "-")]
    Subtract,
    #[serde(rename = "*")]
    Multiply,
    #[serde(rename = "/")]
    Divide,
    #[serde(rename = "**")]
    Power,
    #[serde(rename = "==")]
    Equal,
    #[serde(rename = "/=")]
    NotEqual,
    #[serde(rename = "<")]
    Less,
    #[serde(rename = "<=")]
    LessEqual,
    #[serde(rename = ">")]
    Greater,
    #[serde(rename = ">=")]
    GreaterEqual,
    #[serde(rename = ".eqv.")]
    Equivalent,
    #[serde(rename = ".neqv.")]
    NotEquivalent,
}

impl Operator {
    /// The comparison that is true where this one is false, unless an operand is a NaN.
    pub fn opposite(self) -> Option<Operator> {
        Some(match self {
            Operator::Equal => Operator::NotEqual,
            Operator::NotEqual => Operator::Equal,
            Operator::Less => Operator::GreaterEqual,
            Operator::LessEqual => Operator::Greater,
            Operator::Greater => Operator::LessEqual,
            Operator::GreaterEqual => Operator::Less,
            Operator::Equivalent => Operator::NotEquivalent,
            Operator::NotEquivalent => Operator::Equivalent,
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Power => {
                return None;
            }
        })
    }

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Power => "**",
            Operator::Equal => "==",
            Operator::NotEqual => "/=",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
            Operator::Equivalent => ".eqv.",
            Operator::NotEquivalent => ".neqv.",
        }
    }
}

impl Expression {
    /// The integer constant.
    pub fn integer(value: i64) -> Self {
        Expression::Constant(Value::Integer(value.into()))
    }

    /// The logical constant.
    pub fn logical(value: bool) -> Self {
        Expression::Constant(Value::Logical(value))
    }

    /// Whether it is the logical constant.
    pub fn is_logical(&self, value: bool) -> bool {
        *self == Expression::Constant(Value::Logical(value))
    }

    /// Two values and an operator; of two small integers what comes of them.
    pub fn binary(operator: Operator, left: Expression, right: Expression) -> Self {
        if let (Expression::Constant(Value::Integer(one)), Expression::Constant(Value::Integer(other))) =
            (&left, &right)
            && let Some(value) = of_integers(operator, *one, *other)
        {
            return Expression::Constant(value);
        }
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    /// The conjunction of two conditions.
    pub fn and(self, other: Expression) -> Self {
        Self::joined(self, other, true)
    }

    /// The disjunction of two conditions.
    pub fn or(self, other: Expression) -> Self {
        Self::joined(self, other, false)
    }

    /// A conjunction, else a disjunction, with what is neutral or repeated left out.
    fn joined(one: Expression, other: Expression, is_and: bool) -> Self {
        // What was joined before need not be compared with itself.
        let (mut parts, others) = match (one, other) {
            (Expression::And(parts), other) if is_and => (parts, vec![other]),
            (Expression::Or(parts), other) if !is_and => (parts, vec![other]),
            (one, other) => (Vec::new(), vec![one, other]),
        };
        let joined = parts.len();
        let others = others.into_iter().flat_map(|part| match part {
            Expression::And(parts) if is_and => parts,
            Expression::Or(parts) if !is_and => parts,
            part => vec![part],
        });
        for part in others {
            if part.is_logical(!is_and) {
                return part;
            }
            if !part.is_logical(is_and) && !parts.contains(&part) {
                parts.push(part);
            }
        }
        // One of two opposites holds, unless what they compare is unknown.
        let has_opposite = |new: &Expression| parts.iter().any(|other| new.negates(other) || other.negates(new));
        if parts[joined..].iter().any(|new| has_opposite(new) && !new.has_unknown()) {
            return Expression::logical(!is_and);
        }
        match parts.len() {
            0 => Expression::logical(is_and),
            1 => parts.remove(0),
            _ if is_and => Expression::And(parts),
            _ => Expression::Or(parts),
        }
    }

    /// The negation. It goes through connectives, and to a comparison where no NaN can be compared.
    #[allow(clippy::should_implement_trait, reason = "it is a condition's negation, not the operator `!`")]
    pub fn not(self) -> Self {
        match self {
            Expression::Constant(Value::Logical(value)) => Expression::logical(!value),
            Expression::Not(of) => *of,
            Expression::And(parts) => {
                parts.into_iter().fold(Expression::logical(false), |all, part| all.or(part.not()))
            }
            Expression::Or(parts) => parts.into_iter().fold(Expression::logical(true), |all, part| all.and(part.not())),
            Expression::Binary(operator @ (Operator::Equal | Operator::NotEqual), left, right) => {
                // These two are opposites for NaN, too.
                Expression::Binary(operator.opposite().unwrap_or(operator), left, right)
            }
            Expression::Unknown => Expression::Unknown,
            other => Expression::Not(Box::new(other)),
        }
    }

    /// Whether another condition is its negation.
    fn negates(&self, other: &Expression) -> bool {
        match (self, other) {
            (Expression::Constant(_), Expression::Constant(_)) => self.clone().not() == *other,
            (Expression::And(parts), Expression::Or(others)) | (Expression::Or(parts), Expression::And(others)) => {
                parts.len() == others.len() && parts.iter().zip(others).all(|(part, other)| part.negates(other))
            }
            (Expression::Not(of), _) => **of == *other,
            (Expression::Binary(one @ (Operator::Equal | Operator::NotEqual), left, right), _) => match other {
                Expression::Binary(opposite, first, second) => {
                    one.opposite() == Some(*opposite) && left == first && right == second
                }
                _ => false,
            },
            (Expression::Unknown, _) => *other == Expression::Unknown,
            (_, Expression::Not(of)) => *self == **of,
            _ => false,
        }
    }

    /// The conditions that it is the conjunction of.
    pub fn conjuncts(self) -> Vec<Expression> {
        match self {
            Expression::And(parts) => parts,
            part if part.is_logical(true) => Vec::new(),
            part => vec![part],
        }
    }

    /// Visits the expressions that it is made of, in order.
    pub fn each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expression)) {
        match self {
            Expression::Constant(_) | Expression::Variable(_) | Expression::Unknown => {}
            Expression::Element(_, parts)
            | Expression::And(parts)
            | Expression::Or(parts)
            | Expression::Call(_, parts)
            | Expression::Array(parts) => parts.iter().for_each(visit),
            Expression::Section(_, subscripts) => subscripts.iter().for_each(|subscript| subscript.each_part(visit)),
            Expression::Substring(of, from, to) => {
                visit(of);
                visit(from);
                to.as_deref().into_iter().for_each(visit);
            }
            Expression::Not(of) | Expression::Negate(of) => visit(of),
            Expression::Binary(_, left, right) => {
                visit(left);
                visit(right);
            }
            Expression::All { lower, upper, condition, .. } => {
                visit(lower);
                visit(upper);
                visit(condition);
            }
        }
    }

    /// The variable that it names itself.
    fn own_variable(&self) -> Option<VariableId> {
        match self {
            Expression::Variable(variable)
            | Expression::Element(variable, _)
            | Expression::Section(variable, _)
            | Expression::All { variable, .. } => Some(*variable),
            _ => None,
        }
    }

    /// Calls `each` with every variable, in order.
    pub fn variables(&self, each: &mut dyn FnMut(VariableId)) {
        if let Some(variable) = self.own_variable() {
            each(variable);
        }
        self.each_part(&mut |part| part.variables(each));
    }

    /// Whether something holds of a node of it.
    fn any_node(&self, test: &dyn Fn(&Expression) -> bool) -> bool {
        let mut found = test(self);
        if !found {
            self.each_part(&mut |part| found = found || part.any_node(test));
        }
        found
    }

    /// Whether it mentions one of the variables.
    pub fn mentions(&self, is_one: &dyn Fn(VariableId) -> bool) -> bool {
        self.any_node(&|node| node.own_variable().is_some_and(is_one))
    }

    /// Whether a part of it is unknown.
    pub fn has_unknown(&self) -> bool {
        self.any_node(&|node| matches!(node, Expression::Unknown))
    }

    /// How many nodes it has.
    pub fn size(&self) -> usize {
        let mut size = 1;
        self.each_part(&mut |part| size += part.size());
        size
    }

    /// The same expression with other things in the place of variables: `replace` gives what a node becomes, and `None`
    /// where its parts are to be looked at.
    pub fn replaced(&self, replace: &impl Fn(&Expression) -> Option<Expression>) -> Expression {
        if let Some(other) = replace(self) {
            return other;
        }
        let each = |part: &Expression| part.replaced(replace);
        let boxed = |part: &Expression| Box::new(part.replaced(replace));
        match self {
            Expression::Constant(_) | Expression::Variable(_) | Expression::Unknown => self.clone(),
            Expression::Element(variable, parts) => Expression::Element(*variable, parts.iter().map(each).collect()),
            Expression::Section(variable, subscripts) => {
                Expression::Section(*variable, subscripts.iter().map(|it| it.replaced(replace)).collect())
            }
            Expression::Substring(of, from, to) => {
                Expression::Substring(boxed(of), boxed(from), to.as_deref().map(boxed))
            }
            Expression::Not(of) => each(of).not(),
            Expression::Negate(of) => Expression::Negate(boxed(of)),
            Expression::Binary(operator, left, right) => Expression::binary(*operator, each(left), each(right)),
            Expression::And(parts) => {
                parts.iter().fold(Expression::logical(true), |all, part| all.and(part.replaced(replace)))
            }
            Expression::Or(parts) => {
                parts.iter().fold(Expression::logical(false), |all, part| all.or(part.replaced(replace)))
            }
            Expression::Call(name, parts) => Expression::Call(name.clone(), parts.iter().map(each).collect()),
            Expression::Array(parts) => Expression::Array(parts.iter().map(each).collect()),
            Expression::All { variable, lower, upper, step, condition } => Expression::All {
                variable: *variable,
                lower: boxed(lower),
                upper: boxed(upper),
                step: *step,
                condition: boxed(condition),
            },
        }
    }

    /// The same with an expression in the place of a scalar variable.
    pub fn with(&self, variable: VariableId, value: &Expression) -> Expression {
        self.replaced(&|part| match part {
            Expression::Variable(it) if *it == variable => Some(value.clone()),
            // Inside, the variable is another one.
            Expression::All { variable: bound, .. } if *bound == variable => Some(part.clone()),
            _ => None,
        })
    }

    /// The same with nothing known of some variables.
    pub fn without(&self, is_one: &impl Fn(VariableId) -> bool) -> Expression {
        self.replaced(&|part| match part {
            Expression::Variable(it) | Expression::Element(it, _) | Expression::Section(it, _) if is_one(*it) => {
                Some(Expression::Unknown)
            }
            _ => None,
        })
    }
}

/// A sum, difference or comparison of integers, if default integers hold it.
fn of_integers(operator: Operator, one: i128, other: i128) -> Option<Value> {
    let number = |value: i128| i32::try_from(value).ok().map(|value| Value::Integer(value.into()));
    match operator {
        Operator::Add => number(one.checked_add(other)?),
        Operator::Subtract => number(one.checked_sub(other)?),
        Operator::Equal => Some(Value::Logical(one == other)),
        Operator::NotEqual => Some(Value::Logical(one != other)),
        Operator::Less => Some(Value::Logical(one < other)),
        Operator::LessEqual => Some(Value::Logical(one <= other)),
        Operator::Greater => Some(Value::Logical(one > other)),
        Operator::GreaterEqual => Some(Value::Logical(one >= other)),
        Operator::Multiply | Operator::Divide | Operator::Power | Operator::Equivalent | Operator::NotEquivalent => {
            None
        }
    }
}

impl Subscript {
    /// Visits the expressions in it.
    fn each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expression)) {
        match self {
            Subscript::Index(index) => visit(index),
            Subscript::Range(lower, upper, step) => [lower, upper, step].into_iter().flatten().for_each(visit),
        }
    }

    fn replaced(&self, replace: &impl Fn(&Expression) -> Option<Expression>) -> Subscript {
        let each = |part: &Option<Expression>| part.as_ref().map(|part| part.replaced(replace));
        match self {
            Subscript::Index(index) => Subscript::Index(index.replaced(replace)),
            Subscript::Range(lower, upper, step) => Subscript::Range(each(lower), each(upper), each(step)),
        }
    }
}
