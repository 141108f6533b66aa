//! Expressions of the syntax tree as formulas over the values that variables have where they stand.

use std::sync::Arc;

use super::build;
use super::connect::{all, any, equivalent, not};
use super::formula::{Formula, Kind, Member, Operator, Subscript, Type};
use super::relation::Relation;
use super::unit::{UnitContext, type_of};
use crate::flow::{canonical, selector_of};
use crate::intrinsics::{self, Class, Intrinsic};
use crate::names::{PartClass, SymbolId, SymbolKind};
use crate::syntax::{
    Argument, ArgumentList, ArgumentValue, BinaryOperator, Expression, ExpressionKind, Operations, Part, Reference,
    StatementId, UnaryOperator,
};

/// Associate names nest no deeper in any real program.
const MOST_ASSOCIATIONS: u8 = 16;

impl UnitContext<'_> {
    /// An expression where it stands; what is not followed in it is unknown.
    pub fn lower(&self, statement: StatementId, expression: &Expression) -> Formula {
        if let Some(known) = self.lowered(statement, expression) {
            return known;
        }
        let made = self.lower_within(statement, expression, 0);
        self.note_lowered(statement, expression, &made);
        made
    }

    fn lower_within(&self, statement: StatementId, expression: &Expression, depth: u8) -> Formula {
        let made = match &expression.kind {
            ExpressionKind::Literal(literal) => self.literal(statement, literal),
            ExpressionKind::Reference(reference) => self.reference_within(statement, reference, depth),
            ExpressionKind::Parenthesised(inner) => Some(self.lower_within(statement, inner, depth)),
            ExpressionKind::Unary(operator, operand) => {
                let operand = self.lower_within(statement, operand, depth);
                match operator {
                    UnaryOperator::Plus => Some(operand),
                    UnaryOperator::Minus => Some(build::negative(operand)),
                    UnaryOperator::Not => Some(not(&operand)),
                    UnaryOperator::Defined(_) => None,
                }
            }
            ExpressionKind::Binary(operations) => self.operations(statement, operations, depth),
            ExpressionKind::ArrayConstructor { values, .. } => {
                let is_plain = |value: &Expression| {
                    !matches!(value.kind, ExpressionKind::ImpliedDo(_) | ExpressionKind::Repeat(..))
                };
                let parts: Vec<Formula> = values
                    .iter()
                    .filter(|value| is_plain(value))
                    .map(|value| self.lower_within(statement, value, depth))
                    .collect();
                let is_whole = parts.len() == values.len() && parts.iter().all(|part| part.rank() == 0);
                is_whole.then(|| Formula::new(Kind::Array(parts)))
            }
            ExpressionKind::Complex(_)
            | ExpressionKind::Substring(..)
            | ExpressionKind::ImpliedDo(_)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::PercentFunction(..)
            | ExpressionKind::Nil
            | ExpressionKind::Star
            | ExpressionKind::Repeat(..) => None,
        };
        made.unwrap_or_else(|| self.unknown_expression(statement, expression))
    }

    fn operations(&self, statement: StatementId, operations: &Operations, depth: u8) -> Option<Formula> {
        let mut operands: Vec<Formula> =
            operations.operands().map(|operand| self.lower_within(statement, operand, depth)).collect();
        let operators: Vec<BinaryOperator> = operations.rest.iter().map(|(operator, _)| *operator).collect();
        if operators.first() == Some(&BinaryOperator::Power) {
            // They associate to the right.
            let mut made = operands.pop()?;
            while let Some(base) = operands.pop() {
                made = build::arithmetic(Operator::Power, base, made);
            }
            return Some(made);
        }
        let mut rest = operands.into_iter();
        let mut made = rest.next()?;
        for (operator, operand) in operators.into_iter().zip(rest) {
            made = binary(operator, made, operand)?;
        }
        Some(made)
    }

    /// A reference where it stands.
    pub fn lower_reference(&self, statement: StatementId, reference: &Reference) -> Option<Formula> {
        self.reference_within(statement, reference, 0)
    }

    /// The integer that a named constant is.
    pub fn parameter(&self, symbol: SymbolId) -> Option<i64> {
        if let SymbolKind::Parameter(value) = self.resolved.symbol(symbol).kind { value } else { None }
    }

    fn reference_within(&self, statement: StatementId, reference: &Reference, depth: u8) -> Option<Formula> {
        let classes = self.resolved.classify(self.tree, statement, reference);
        let first = reference.parts.first()?;
        let symbol = self.resolved.symbol_at(statement, first.name.name);
        let mut made = match classes.first()? {
            PartClass::Intrinsic => return self.intrinsic(statement, reference, depth),
            PartClass::Function => return self.function(statement, reference),
            PartClass::StatementFunction | PartClass::StructureConstructor | PartClass::Unknown => return None,
            PartClass::Constant => self.named_constant(symbol?, depth)?,
            PartClass::Scalar | PartClass::Array { .. } | PartClass::Substring => self.base(symbol?, depth)?,
        };
        let mut type_ = symbol.and_then(|symbol| self.resolved.symbol(symbol).type_);
        for (at, part) in reference.parts.iter().enumerate() {
            if at > 0 {
                if matches!(classes.get(at), Some(PartClass::Function)) {
                    return self.function(statement, reference);
                }
                let name = self.tree.names.text(part.name.name);
                let component = self.resolved.component(type_?.derived()?, name)?;
                if component.properties.pointer {
                    return None;
                }
                type_ = component.type_;
                let member = Member {
                    name: Arc::from(name),
                    type_: component.type_.map_or(Type::Other, type_of),
                    rank: component.shape.as_ref().map_or(0, |shape| shape.rank),
                };
                made = build::component(made, Arc::new(member));
            }
            made = self.with_lists(statement, made, part, classes.get(at).copied(), depth)?;
        }
        Some(made)
    }

    /// The value that the first name of a reference stands for.
    fn base(&self, symbol: SymbolId, depth: u8) -> Option<Formula> {
        let symbol = canonical(self.resolved, symbol);
        let of = self.resolved.symbol(symbol);
        if let SymbolKind::AssociateName { .. } = of.kind {
            let (statement, selector) = selector_of(self.tree, self.resolved, symbol)?;
            return (depth < MOST_ASSOCIATIONS).then(|| self.lower_within(statement, selector, depth + 1));
        }
        if matches!(of.kind, SymbolKind::Parameter(_)) {
            return self.named_constant(symbol, depth);
        }
        if of.is_volatile || of.equivalenced || of.is_pointer {
            return None;
        }
        Some(self.variable(symbol))
    }

    /// The value of a named constant; where it is not known here, its name.
    fn named_constant(&self, symbol: SymbolId, depth: u8) -> Option<Formula> {
        let symbol = canonical(self.resolved, symbol);
        if let Some(value) = self.parameter(symbol) {
            return Some(build::integer(value));
        }
        let Some((statement, value)) = self.initial.of_variable(symbol).filter(|_| depth < MOST_ASSOCIATIONS) else {
            return Some(self.variable(symbol));
        };
        let value = self.lower_within(statement, value, depth + 1);
        let type_ = self.resolved.symbol(symbol).type_.map_or(Type::Other, type_of);
        Some(if value.unknown().is_some() { self.variable(symbol) } else { converted(value, type_) })
    }

    /// An array or text with the lists behind its name.
    fn with_lists(
        &self,
        statement: StatementId,
        made: Formula,
        part: &Part,
        class: Option<PartClass>,
        depth: u8,
    ) -> Option<Formula> {
        if part.image.is_some() {
            return None;
        }
        let mut lists = part.lists.iter();
        let mut made = made;
        let is_array = matches!(class, Some(PartClass::Array { .. }));
        let has_subscripts = is_array || made.rank() > 0 && class == Some(PartClass::Constant);
        if let Some(list) = part.lists.first().filter(|_| has_subscripts) {
            lists.next();
            made = build::element(made, self.subscripts(statement, list, depth)?);
        }
        if let Some(list) = lists.next() {
            let [Argument { value: ArgumentValue::Section(section), .. }] = list.items.as_slice() else { return None };
            let bound = |bound: &Option<Box<Expression>>| {
                bound.as_ref().map(|bound| self.lower_within(statement, bound, depth))
            };
            made = Formula::new(Kind::Substring(made, bound(&section.lower), bound(&section.upper)));
        }
        lists.next().is_none().then_some(made)
    }

    fn subscripts(&self, statement: StatementId, list: &ArgumentList, depth: u8) -> Option<Vec<Subscript>> {
        let lower = |expression: &Expression| self.lower_within(statement, expression, depth);
        let boxed = |expression: &Option<Box<Expression>>| expression.as_ref().map(|expression| lower(expression));
        let subscript = |argument: &Argument| match &argument.value {
            ArgumentValue::Expression(expression) => Some(Subscript::Index(lower(expression))),
            ArgumentValue::Section(section) => {
                Some(Subscript::Section(boxed(&section.lower), boxed(&section.upper), boxed(&section.stride)))
            }
            ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted | ArgumentValue::Multiple(_) => None,
        };
        list.items.iter().map(subscript).collect()
    }

    /// A reference to an intrinsic function.
    fn intrinsic(&self, statement: StatementId, reference: &Reference, depth: u8) -> Option<Formula> {
        let [part] = reference.parts.as_slice() else { return None };
        let [list] = part.lists.as_slice() else { return None };
        let row = intrinsics::function(self.tree.names.text(part.name.name))?;
        if row.class == Class::TypeInquiry {
            return self.type_inquiry(statement, row, list);
        }
        if row.class == Class::Impure {
            return None;
        }
        let arguments = self.arguments(statement, row, list, depth)?;
        let inquired = arguments.first().cloned();
        match (row.name, arguments.as_slice()) {
            ("size" | "lbound" | "ubound", [array, ..]) => self
                .declared_extent(row.name, array, arguments.get(1))
                .or_else(|| Some(build::call(row.name, arguments))),
            ("float" | "sngl", [operand]) => Some(build::call("real", vec![operand.clone()])),
            ("iabs" | "dabs", [operand]) => Some(build::call("abs", vec![operand.clone()])),
            ("real", [operand, kind]) => match kind.as_integer()? {
                4 => Some(build::call("real", vec![operand.clone()])),
                8 => Some(build::call("dble", vec![operand.clone()])),
                _ => None,
            },
            ("min0" | "amin1" | "dmin1", _) => Some(build::call("min", arguments)),
            ("max0" | "amax1" | "dmax1", _) => Some(build::call("max", arguments)),
            ("amod" | "dmod", _) => Some(build::call("mod", arguments)),
            ("present", _) => Some(build::call("present", vec![inquired?])),
            _ => Some(build::call(row.name, arguments)),
        }
    }

    /// HUGE, TINY and EPSILON of the common kinds, the length of a text, and what names know.
    fn type_inquiry(&self, statement: StatementId, row: &Intrinsic, list: &ArgumentList) -> Option<Formula> {
        let [argument] = list.items.as_slice() else { return None };
        let operand = self.lower(statement, argument.expression()?);
        match (row.name, operand.type_()) {
            ("huge", Type::Integer(kind)) => match kind {
                1 => Some(build::integer(i8::MAX.into())),
                2 => Some(build::integer(i16::MAX.into())),
                4 => Some(build::integer(i32::MAX.into())),
                8 => Some(build::integer(i64::MAX)),
                _ => None,
            },
            ("huge", Type::Real(4)) => Some(build::real(f64::from(f32::MAX), 4)),
            ("huge", Type::Real(8)) => Some(build::real(f64::MAX, 8)),
            ("tiny", Type::Real(4)) => Some(build::real(f64::from(f32::MIN_POSITIVE), 4)),
            ("tiny", Type::Real(8)) => Some(build::real(f64::MIN_POSITIVE, 8)),
            ("epsilon", Type::Real(4)) => Some(build::real(f64::from(f32::EPSILON), 4)),
            ("epsilon", Type::Real(8)) => Some(build::real(f64::EPSILON, 8)),
            ("len", Type::Character(_)) if super::effects::base(&operand).is_some() => {
                Some(build::call("len", vec![operand]))
            }
            ("kind", Type::Integer(kind) | Type::Real(kind)) if kind > 0 => Some(build::integer(kind.into())),
            _ => None,
        }
    }

    /// The arguments of an intrinsic function in the order of its dummies, none left out between two.
    fn arguments(
        &self,
        statement: StatementId,
        row: &Intrinsic,
        list: &ArgumentList,
        depth: u8,
    ) -> Option<Vec<Formula>> {
        let mut made: Vec<Option<Formula>> = Vec::new();
        for (position, argument) in list.items.iter().enumerate() {
            let at = match argument.keyword {
                Some(keyword) => row.position(self.tree.names.text(keyword.name))?,
                None => position,
            };
            if made.len() <= at {
                made.resize(at + 1, None);
            }
            made[at] = Some(self.lower_within(statement, argument.expression()?, depth));
        }
        made.into_iter().collect()
    }

    /// What SIZE, LBOUND and UBOUND say of an array whose declaration gives its shape.
    fn declared_extent(&self, name: &str, array: &Formula, dimension: Option<&Formula>) -> Option<Formula> {
        let Kind::Value(variable) = array.kind() else { return None };
        let symbol = self.symbol_of(&variable.root)?;
        let bounds = &self.resolved.symbol(symbol).shape.as_ref()?.bounds;
        let one = |at: usize| -> Option<(i64, Option<i64>)> {
            let of = bounds.get(at)?;
            Some((of.lower?, of.upper))
        };
        match (name, dimension) {
            ("size", None) => {
                let extents =
                    (0..bounds.len()).map(|at| one(at).and_then(|(lower, upper)| Some((upper? - lower + 1).max(0))));
                extents.collect::<Option<Vec<_>>>().map(|extents| build::integer(extents.iter().product()))
            }
            (_, Some(dimension)) => {
                let at = usize::try_from(dimension.as_integer()?).ok()?.checked_sub(1)?;
                let (lower, upper) = one(at)?;
                match name {
                    "size" => Some(build::integer((upper? - lower + 1).max(0))),
                    "lbound" => Some(build::integer(lower)),
                    _ => Some(build::integer(upper?)),
                }
            }
            _ => None,
        }
    }

    /// The symbol of a variable of this unit.
    pub fn symbol_of(&self, root: &super::formula::Root) -> Option<SymbolId> {
        use super::formula::Root;
        match root {
            Root::Dummy(at) => *self.dummies.get(*at as usize)?,
            Root::Local(symbol) => Some(SymbolId::from_raw(*symbol)),
            Root::Global(_) | Root::Host(..) => None,
        }
    }

    /// The result of a function of the program.
    fn function(&self, statement: StatementId, reference: &Reference) -> Option<Formula> {
        let callee = self.callees.callee(statement, reference)?;
        let procedure = callee.procedure.clone()?;
        let result = procedure.result.as_ref()?;
        let binding = super::bind::Binding::new(self, statement, reference, &callee, &procedure);
        let made = binding.formula(result);
        (!matches!(made.kind(), Kind::Unknown(_))).then_some(made)
    }
}

/// An operation on two operands.
fn binary(operator: BinaryOperator, left: Formula, right: Formula) -> Option<Formula> {
    let compare = |relation: Relation, left: Formula, right: Formula| Some(build::compare(relation, left, right));
    match operator {
        BinaryOperator::Power => Some(build::arithmetic(Operator::Power, left, right)),
        BinaryOperator::Multiply => Some(build::arithmetic(Operator::Multiply, left, right)),
        BinaryOperator::Divide => Some(build::arithmetic(Operator::Divide, left, right)),
        BinaryOperator::Add => Some(build::arithmetic(Operator::Add, left, right)),
        BinaryOperator::Subtract => Some(build::arithmetic(Operator::Subtract, left, right)),
        BinaryOperator::Concatenate => Some(build::arithmetic(Operator::Concatenate, left, right)),
        BinaryOperator::Equal => compare(Relation::Equal, left, right),
        BinaryOperator::NotEqual => compare(Relation::NotEqual, left, right),
        BinaryOperator::Less => compare(Relation::Less, left, right),
        BinaryOperator::LessEqual => compare(Relation::LessEqual, left, right),
        BinaryOperator::Greater => compare(Relation::Greater, left, right),
        BinaryOperator::GreaterEqual => compare(Relation::GreaterEqual, left, right),
        BinaryOperator::And => Some(all([left, right])),
        BinaryOperator::Or => Some(any([left, right])),
        BinaryOperator::Equivalent => Some(equivalent(&left, &right)),
        BinaryOperator::NotEquivalent => Some(not(&equivalent(&left, &right))),
        BinaryOperator::Defined(_) => None,
    }
}

/// A constant as an assignment to a variable of a type converts it; what is not constant only if nothing changes.
pub fn converted(value: Formula, type_: Type) -> Formula {
    match (value.kind(), type_) {
        (Kind::Integer(_) | Kind::Real(_), Type::Real(kind @ (4 | 8))) => {
            build::number(&value).map_or(value.clone(), |number| build::real(number, kind))
        }
        (Kind::Real(real), Type::Integer(_)) if real.value().abs() < 9e15 => {
            build::integer(real.value().trunc() as i64)
        }
        (Kind::Text(text), Type::Character(Some(length))) if text.len() > length as usize => {
            build::text(&text.chars().take(length as usize).collect::<String>())
        }
        _ => value,
    }
}

/// Whether an assignment to a variable of a type leaves a value as it is, or [`converted`] knows what becomes of it.
pub fn is_kept(value: &Formula, type_: Type) -> bool {
    match (value.type_(), type_) {
        _ if build::is_constant(value) => true,
        (Type::Integer(one), Type::Integer(other)) => one <= other,
        (Type::Integer(_), Type::Real(8)) => true,
        (Type::Real(one), Type::Real(other)) => one <= other,
        (Type::Character(one), Type::Character(other)) => other.is_none() || one.is_some() && one <= other,
        (Type::Logical, Type::Logical) => true,
        _ => false,
    }
}
