//! Expressions as Fortran text.

use super::expression::{Expression, Operator, Subscript, Variable, VariableId};

/// How strongly an expression binds; what binds less than its surroundings is put into brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    Equivalence,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Power,
    Primary,
}

/// The text of an expression. A comparison that is negated because a NaN decides it otherwise is written as its
/// opposite if `is_loose`.
pub fn text(expression: &Expression, variables: &[Variable], is_loose: bool) -> String {
    Printer { variables, is_loose }.text(expression, Strength::Equivalence)
}

struct Printer<'v> {
    variables: &'v [Variable],
    is_loose: bool,
}

impl Printer<'_> {
    fn name(&self, variable: VariableId) -> &str {
        self.variables.get(variable.index()).map_or("?", |variable| &variable.name)
    }

    fn text(&self, expression: &Expression, around: Strength) -> String {
        let (text, strength) = self.piece(expression);
        if strength < around { format!("({text})") } else { text }
    }

    fn list(&self, parts: &[Expression]) -> String {
        parts.iter().map(|part| self.text(part, Strength::Equivalence)).collect::<Vec<_>>().join(", ")
    }

    fn joined(&self, parts: &[Expression], word: &str, strength: Strength) -> (String, Strength) {
        let parts: Vec<String> = parts.iter().map(|part| self.text(part, strength)).collect();
        (parts.join(word), strength)
    }

    fn piece(&self, expression: &Expression) -> (String, Strength) {
        match expression {
            Expression::Constant(value) => {
                let text = value.to_string();
                let strength = if text.starts_with('-') { Strength::Sum } else { Strength::Primary };
                (text, strength)
            }
            Expression::Variable(variable) => (self.name(*variable).to_owned(), Strength::Primary),
            Expression::Element(variable, subscripts) => {
                let subscripts: Vec<_> = subscripts.iter().map(|it| self.text(it, Strength::Equivalence)).collect();
                (subscripted(self.name(*variable), &subscripts), Strength::Primary)
            }
            Expression::Section(variable, subscripts) => {
                let subscripts: Vec<_> = subscripts.iter().map(|it| self.subscript(it)).collect();
                (subscripted(self.name(*variable), &subscripts), Strength::Primary)
            }
            Expression::Substring(of, from, to) => {
                let of = self.text(of, Strength::Primary);
                let from = self.text(from, Strength::Equivalence);
                let to = to.as_ref().map_or(String::new(), |to| self.text(to, Strength::Equivalence));
                (format!("{of}({from}:{to})"), Strength::Primary)
            }
            Expression::Not(of) => self.negated(of),
            Expression::Negate(of) => (format!("-{}", self.text(of, Strength::Product)), Strength::Sum),
            Expression::Binary(operator, left, right) => self.operation(*operator, left, right),
            Expression::And(parts) => self.joined(parts, " .and. ", Strength::And),
            Expression::Or(parts) => self.joined(parts, " .or. ", Strength::Or),
            Expression::Call(name, arguments) => (format!("{name}({})", self.list(arguments)), Strength::Primary),
            Expression::Array(parts) => (format!("[{}]", self.list(parts)), Strength::Primary),
            Expression::All { variable, lower, upper, step, condition } => {
                let inner = self.text(condition, Strength::Equivalence);
                let (lower, upper) = (self.text(lower, Strength::Equivalence), self.text(upper, Strength::Equivalence));
                let step = if *step == 1 { String::new() } else { format!(", {step}") };
                (format!("all([({inner}, {} = {lower}, {upper}{step})])", self.name(*variable)), Strength::Primary)
            }
            Expression::Unknown => ("?".to_owned(), Strength::Primary),
        }
    }

    fn negated(&self, of: &Expression) -> (String, Strength) {
        if self.is_loose
            && let Expression::Binary(operator, left, right) = of
            && let Some(opposite) = operator.opposite()
        {
            return self.operation(opposite, left, right);
        }
        (format!(".not. {}", self.text(of, Strength::Comparison)), Strength::Not)
    }

    fn operation(&self, operator: Operator, left: &Expression, right: &Expression) -> (String, Strength) {
        let (strength, space) = match operator {
            Operator::Add | Operator::Subtract => (Strength::Sum, " "),
            Operator::Multiply | Operator::Divide => (Strength::Product, ""),
            Operator::Power => (Strength::Power, ""),
            Operator::Equivalent | Operator::NotEquivalent => (Strength::Equivalence, " "),
            _ => (Strength::Comparison, " "),
        };
        let above = match strength {
            Strength::Equivalence => Strength::Or,
            Strength::Comparison => Strength::Sum,
            Strength::Sum => Strength::Product,
            Strength::Product => Strength::Power,
            _ => Strength::Primary,
        };
        // Sums and products go on to the left, powers to neither side.
        let first = if matches!(strength, Strength::Sum | Strength::Product) { strength } else { above };
        let (left, right) = (self.text(left, first), self.text(right, above));
        (format!("{left}{space}{}{space}{right}", operator.text()), strength)
    }

    fn subscript(&self, subscript: &Subscript) -> String {
        match subscript {
            Subscript::Index(index) => self.text(index, Strength::Equivalence),
            Subscript::Range(lower, upper, step) => {
                let text = |part: &Option<Expression>| {
                    part.as_ref().map_or(String::new(), |part| self.text(part, Strength::Equivalence))
                };
                let step = step.as_ref().map_or(String::new(), |step| format!(":{}", self.text(step, Strength::Sum)));
                format!("{}:{}{step}", text(lower), text(upper))
            }
        }
    }
}

/// A name with subscripts. Of an array of structures they stand behind the structure's name.
fn subscripted(name: &str, subscripts: &[String]) -> String {
    let list = subscripts.join(", ");
    match name.split_once("()") {
        Some((before, behind)) => format!("{before}({list}){behind}"),
        None => format!("{name}({list})"),
    }
}
