//! From expressions of a syntax tree to [`Expression`]s, and from names to variables.

use rustc_hash::FxHashMap;

use super::blocks::CommonBlock;
use super::code::{CodeVariable, Owner};
use super::expression::{Expression, Operator, Subscript, Variable, VariableId};
use super::value::{DataType, Value};
use crate::analysis::preconditions::InitialValues;
use crate::names::{BaseType, Bounds, PartClass, Resolved, Shape, Symbol, SymbolId, SymbolKind, SymbolType, TypeId};
use crate::syntax::{
    ArgumentList, ArgumentValue, BinaryOperator, Expression as Syntax, ExpressionKind, Literal, LiteralKind, Name,
    Operations, Reference, StatementId, Tree, UnaryOperator,
};

/// How many components deep structures are taken apart.
const DEEPEST: usize = 6;

/// Lowers the expressions of one unit, and collects its variables.
pub struct Lowering<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Its names.
    pub resolved: &'t Resolved,
    /// The key of the unit.
    pub key: String,
    /// The dummy arguments by symbol.
    pub dummies: FxHashMap<SymbolId, usize>,
    /// The initial values of variables and the values of named constants of this file.
    pub initial: &'t InitialValues<'t>,
    /// The COMMON blocks of the unit.
    pub blocks: &'t [CommonBlock],
    /// The variables.
    pub variables: Vec<CodeVariable>,
    by_name: FxHashMap<(SymbolId, String), VariableId>,
    /// The symbols that variables belong to.
    pub roots: Vec<SymbolId>,
    /// The named constants and variables whose declared values are being lowered: one may ask for its own shape.
    under_way: Vec<SymbolId>,
}

impl<'t> Lowering<'t> {
    /// The lowering of a unit.
    pub fn new(
        tree: &'t Tree,
        resolved: &'t Resolved,
        key: String,
        dummies: FxHashMap<SymbolId, usize>,
        (initial, blocks): (&'t InitialValues<'t>, &'t [CommonBlock]),
    ) -> Self {
        let (variables, by_name, roots, under_way) = (Vec::new(), FxHashMap::default(), Vec::new(), Vec::new());
        Lowering { tree, resolved, key, dummies, initial, blocks, variables, by_name, roots, under_way }
    }

    fn text(&self, name: Name) -> &'t str {
        self.tree.names.text(name)
    }

    /// Who knows the variables of a symbol, and what it is called there.
    pub fn owner(&self, symbol: SymbolId) -> (Owner, String) {
        let of = self.resolved.symbol(symbol);
        if let Some(&position) = self.dummies.get(&symbol) {
            return (Owner::Dummy(position), String::new());
        }
        if of.in_common
            && let Some((block, place)) = self.blocks.iter().find_map(|block| Some((block, block.place(symbol)?)))
        {
            return (Owner::Common(block.name.clone()), place.to_string());
        }
        if of.use_associated
            && let Some(origin) = self.resolved.origin(self.tree, symbol)
        {
            return (Owner::Module(origin.module.to_owned()), origin.name.to_owned());
        }
        let name = self.text(of.name).to_owned();
        match self.module_of(of) {
            Some(module) => (Owner::Module(module), name),
            None => (Owner::Unit(format!("{:?}", of.scope)), name),
        }
    }

    /// The module that declares a symbol.
    fn module_of(&self, of: &Symbol) -> Option<String> {
        let crate::names::ScopeKind::Unit(unit) = self.resolved.scope_kind(of.scope) else { return None };
        let opening = self.tree.units[unit].opening?;
        match &self.tree.statements[opening].kind {
            crate::syntax::StatementKind::Module(name) => Some(self.text(name.name).to_owned()),
            _ => None,
        }
    }

    /// The variable of a symbol and the components behind it.
    pub fn variable(
        &mut self,
        symbol: SymbolId,
        path: &str,
        type_: Option<SymbolType>,
        bounds: &[Bounds],
    ) -> VariableId {
        if let Some(&known) = self.by_name.get(&(symbol, path.to_owned())) {
            return known;
        }
        let id = VariableId(u32::try_from(self.variables.len()).unwrap_or(u32::MAX));
        let of = self.resolved.symbol(symbol);
        let (owner, own) = self.owner(symbol);
        let data_type = type_.and_then(data_type);
        // What may change without being named is never known.
        let is_opaque = of.equivalenced
            || (of.in_common && !matches!(owner, Owner::Common(_)))
            || of.is_pointer
            || of.is_target
            || of.is_volatile
            || of.is_doubtful
            || !matches!(of.kind, SymbolKind::Variable | SymbolKind::Function { .. } | SymbolKind::Parameter(_));
        let is_dynamic = of.is_allocatable;
        let bounds = bounds.iter().map(|it| if is_dynamic { [None, None] } else { [it.lower, it.upper] }).collect();
        let name = format!("{}{path}", self.text(of.name));
        let is_constant = matches!(of.kind, SymbolKind::Parameter(_));
        let is_shared = !is_constant && (!matches!(owner, Owner::Unit(_)) || of.is_saved || !self.is_own(of));
        let variable = Variable { name, data_type, bounds, is_opaque };
        self.variables.push(CodeVariable { variable, owner, path: format!("{own}{path}"), is_shared, initial: None });
        self.roots.push(symbol);
        self.by_name.insert((symbol, path.to_owned()), id);
        if path.is_empty() {
            self.variables[id.index()].initial = self.initial_value(symbol);
        }
        id
    }

    /// The value that a declaration of this file gives to a variable or a named constant, and the statement.
    fn declared_value(&self, symbol: SymbolId) -> Option<(StatementId, &'t Syntax)> {
        self.initial.of_variable(symbol).or_else(|| match self.owner(symbol) {
            (Owner::Module(module), name) => self.initial.of_module(&module, &name),
            _ => None,
        })
    }

    /// The declared value as an expression, unless it is made of itself.
    fn value_of_declaration(&mut self, symbol: SymbolId) -> Option<Expression> {
        if self.under_way.contains(&symbol) {
            return None;
        }
        let (at, value) = self.declared_value(symbol)?;
        self.under_way.push(symbol);
        let value = self.expression(at, value);
        self.under_way.pop();
        Some(value)
    }

    /// The value that a variable has when the program begins, if its declaration says so.
    fn initial_value(&mut self, symbol: SymbolId) -> Option<Expression> {
        let value = self.value_of_declaration(symbol)?;
        let mut is_constant = !value.has_unknown();
        value.variables(&mut |_| is_constant = false);
        is_constant.then_some(value)
    }

    fn is_own(&self, of: &Symbol) -> bool {
        self.key == format!("{:?}", of.scope)
    }

    /// The variables of a symbol that are known so far.
    pub fn variables_of(&self, symbol: SymbolId) -> Vec<VariableId> {
        let of_root = self.roots.iter().enumerate().filter(|(_, root)| **root == symbol);
        of_root.map(|(index, _)| VariableId(index as u32)).collect()
    }

    /// Gives a structure a variable: what changes it changes components that others mention.
    pub fn represent_structure(&mut self, symbol: SymbolId) {
        let of = self.resolved.symbol(symbol);
        if of.type_.is_some_and(|type_| type_.derived().is_some()) && matches!(of.kind, SymbolKind::Variable) {
            self.variable(symbol, "", of.type_, &[]);
        }
    }

    /// An expression of a statement.
    pub fn expression(&mut self, at: StatementId, expression: &Syntax) -> Expression {
        match &expression.kind {
            ExpressionKind::Literal(literal) => self.literal(at, literal),
            ExpressionKind::Complex(parts) => match (self.expression(at, &parts.0), self.expression(at, &parts.1)) {
                (Expression::Constant(Value::Real(re, one)), Expression::Constant(Value::Real(im, other))) => {
                    Expression::Constant(Value::Complex(re, im, one.max(other)))
                }
                _ => Expression::Unknown,
            },
            ExpressionKind::Reference(reference) => self.reference(at, reference),
            ExpressionKind::Parenthesised(inner) => self.expression(at, inner),
            ExpressionKind::Unary(operator, inner) => {
                let inner = self.expression(at, inner);
                match operator {
                    UnaryOperator::Plus => inner,
                    UnaryOperator::Minus => negated(inner),
                    UnaryOperator::Not => inner.not(),
                    UnaryOperator::Defined(_) => Expression::Unknown,
                }
            }
            ExpressionKind::Binary(operations) => self.operations(at, operations),
            ExpressionKind::ArrayConstructor { values, .. } => {
                let has_loop = values.iter().any(|value| matches!(value.kind, ExpressionKind::ImpliedDo(_)));
                if has_loop {
                    return Expression::Unknown;
                }
                Expression::Array(values.iter().map(|value| self.expression(at, value)).collect())
            }
            ExpressionKind::Substring(..)
            | ExpressionKind::ImpliedDo(_)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::PercentFunction(..)
            | ExpressionKind::Nil
            | ExpressionKind::Star
            | ExpressionKind::Repeat(..) => Expression::Unknown,
        }
    }

    fn literal(&mut self, at: StatementId, literal: &Literal) -> Expression {
        let text = self.text(literal.text);
        match literal.kind {
            LiteralKind::Integer(Some(value)) => Expression::integer(value),
            LiteralKind::Logical(value) => Expression::logical(value),
            LiteralKind::Real => self.real(at, text).map_or(Expression::Unknown, Expression::Constant),
            LiteralKind::Character => {
                character(text).map_or(Expression::Unknown, |text| Expression::Constant(Value::text(&text)))
            }
            LiteralKind::Integer(None) | LiteralKind::Boz | LiteralKind::Hollerith => Expression::Unknown,
        }
    }

    /// A real constant of kind 4 or 8.
    fn real(&self, at: StatementId, text: &str) -> Option<Value> {
        let (digits, kind) = match text.split_once('_') {
            None if text.contains(['d', 'D']) => (text, 8),
            None if text.contains(['q', 'Q']) => return None,
            None => (text, 4),
            Some((digits, kind)) => {
                let number = || kind.parse::<i64>().ok();
                let named = || {
                    let symbol = self.resolved.symbol_at(at, self.tree.names.get(kind)?)?;
                    if let SymbolKind::Parameter(value) = self.resolved.symbol(symbol).kind { value } else { None }
                };
                (digits, number().or_else(named)?)
            }
        };
        let digits = digits.replace(['d', 'D'], "e");
        match kind {
            4 => Some(Value::Real(f64::from(digits.parse::<f32>().ok()?), 4)),
            8 => Some(Value::Real(digits.parse().ok()?, 8)),
            _ => None,
        }
    }

    fn operations(&mut self, at: StatementId, operations: &Operations) -> Expression {
        let is_power = matches!(operations.rest[0].0, BinaryOperator::Power);
        if is_power && operations.rest.len() > 1 {
            return Expression::Unknown;
        }
        let mut result = self.expression(at, &operations.first);
        for (operator, operand) in &operations.rest {
            let operand = self.expression(at, operand);
            result = match operator {
                BinaryOperator::And => result.and(operand),
                BinaryOperator::Or => result.or(operand),
                BinaryOperator::Concatenate | BinaryOperator::Defined(_) => Expression::Unknown,
                BinaryOperator::Power => Expression::binary(Operator::Power, result, operand),
                BinaryOperator::Multiply => Expression::binary(Operator::Multiply, result, operand),
                BinaryOperator::Divide => Expression::binary(Operator::Divide, result, operand),
                BinaryOperator::Add => Expression::binary(Operator::Add, result, operand),
                BinaryOperator::Subtract => Expression::binary(Operator::Subtract, result, operand),
                BinaryOperator::Equal => Expression::binary(Operator::Equal, result, operand),
                BinaryOperator::NotEqual => Expression::binary(Operator::NotEqual, result, operand),
                BinaryOperator::Less => Expression::binary(Operator::Less, result, operand),
                BinaryOperator::LessEqual => Expression::binary(Operator::LessEqual, result, operand),
                BinaryOperator::Greater => Expression::binary(Operator::Greater, result, operand),
                BinaryOperator::GreaterEqual => Expression::binary(Operator::GreaterEqual, result, operand),
                BinaryOperator::Equivalent => Expression::binary(Operator::Equivalent, result, operand),
                BinaryOperator::NotEquivalent => Expression::binary(Operator::NotEquivalent, result, operand),
            };
        }
        result
    }

    /// A designator or a function reference.
    pub fn reference(&mut self, at: StatementId, reference: &Reference) -> Expression {
        let first = &reference.parts[0];
        let Some(symbol) = self.resolved.symbol_at(at, first.name.name) else {
            return self.intrinsic(at, reference);
        };
        let (resolved, tree) = (self.resolved, self.tree);
        let of = resolved.symbol(symbol);
        match &of.kind {
            SymbolKind::Parameter(Some(value)) if reference.parts.len() == 1 && first.lists.is_empty() => {
                return Expression::integer(*value);
            }
            SymbolKind::Parameter(_) if reference.as_name().is_some() => {
                return self.value_of_declaration(symbol).unwrap_or(Expression::Unknown);
            }
            SymbolKind::Parameter(_) => {}
            SymbolKind::Intrinsic => return self.intrinsic(at, reference),
            SymbolKind::Variable | SymbolKind::Function { .. } => {}
            _ => return Expression::Unknown,
        }
        let classes = resolved.classify(tree, at, reference);
        let shapes = resolved.shapes(tree, at, reference);
        let type_ = resolved.type_of(tree, at, reference);
        let (mut path, mut bounds, mut subscripts, mut substring) = (String::new(), Vec::new(), Vec::new(), None);
        let mut has_subscripts = false;
        for (index, part) in reference.parts.iter().enumerate() {
            if index > 0 {
                path.push('%');
                path.push_str(self.text(part.name.name));
            }
            let mut lists = part.lists.iter();
            match classes.get(index) {
                Some(PartClass::Scalar) => {}
                Some(PartClass::Substring) if shapes.get(index).is_some_and(|shape| shape.is_none()) => {}
                Some(PartClass::Array { .. } | PartClass::Substring) => {}
                _ => return Expression::Unknown,
            }
            if part.image.is_some() {
                return Expression::Unknown;
            }
            if let Some(shape) = shapes.get(index).copied().flatten() {
                bounds.extend(shape_bounds(shape));
                if index + 1 < reference.parts.len() {
                    path.push_str("()");
                }
                match lists.next() {
                    Some(list) => {
                        has_subscripts = true;
                        let Some(of_list) = self.subscripts(at, list) else { return Expression::Unknown };
                        subscripts.extend(of_list);
                    }
                    None => subscripts.extend(shape.bounds.iter().map(|_| Subscript::Range(None, None, None))),
                }
            }
            if let Some(list) = lists.next() {
                substring = Some(list);
            }
            if lists.next().is_some() {
                return Expression::Unknown;
            }
        }
        if bounds.len() != subscripts.len() {
            return Expression::Unknown;
        }
        let variable = self.variable(symbol, &path, type_, &bounds);
        if self.resolved.has_pointer_component(self.tree, at, reference) {
            self.variables[variable.index()].variable.is_opaque = true;
        }
        let indices =
            subscripts.iter().map(|it| if let Subscript::Index(index) = it { Some(index.clone()) } else { None });
        let designator = match indices.collect::<Option<Vec<_>>>() {
            _ if !has_subscripts => Expression::Variable(variable),
            Some(indices) => Expression::Element(variable, indices),
            None => Expression::Section(variable, subscripts),
        };
        match substring {
            None => designator,
            Some(list) => self.substring(at, designator, list),
        }
    }

    fn substring(&mut self, at: StatementId, of: Expression, list: &ArgumentList) -> Expression {
        let [argument] = list.items.as_slice() else { return Expression::Unknown };
        let ArgumentValue::Section(section) = &argument.value else { return Expression::Unknown };
        let lower = section.lower.as_ref().map_or(Expression::integer(1), |it| self.expression(at, it));
        let upper = section.upper.as_ref().map(|it| Box::new(self.expression(at, it)));
        Expression::Substring(Box::new(of), Box::new(lower), upper)
    }

    fn subscripts(&mut self, at: StatementId, list: &ArgumentList) -> Option<Vec<Subscript>> {
        let mut subscripts = Vec::new();
        for argument in &list.items {
            subscripts.push(match &argument.value {
                ArgumentValue::Expression(index) => {
                    // A vector subscript would be several elements.
                    if self.resolved.rank(self.tree, at, index) != Some(0) {
                        return None;
                    }
                    Subscript::Index(self.expression(at, index))
                }
                ArgumentValue::Section(section) => {
                    let mut part = |part: &Option<Box<Syntax>>| part.as_ref().map(|part| self.expression(at, part));
                    let (lower, upper, step) = (part(&section.lower), part(&section.upper), part(&section.stride));
                    Subscript::Range(lower, upper, step)
                }
                ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted | ArgumentValue::Multiple(_) => return None,
            });
        }
        Some(subscripts)
    }

    /// A reference to an intrinsic function.
    fn intrinsic(&mut self, at: StatementId, reference: &Reference) -> Expression {
        if let Some(value) = self.constant(at, reference) {
            return Expression::integer(value);
        }
        let [part] = reference.parts.as_slice() else { return Expression::Unknown };
        let [list] = part.lists.as_slice() else { return Expression::Unknown };
        let mut arguments = Vec::new();
        for argument in &list.items {
            let Some(value) = argument.expression() else { return Expression::Unknown };
            let keyword = argument.keyword.map(|keyword| self.text(keyword.name));
            if !matches!(keyword, None | Some("kind" | "mask" | "a")) {
                return Expression::Unknown;
            }
            arguments.push(self.expression(at, value));
        }
        Expression::Call(self.text(part.name.name).to_owned(), arguments)
    }

    /// The value of an intrinsic function whose arguments are constant.
    fn constant(&self, at: StatementId, reference: &Reference) -> Option<i64> {
        let span = reference.parts[0].name.span;
        let expression = Syntax { kind: ExpressionKind::Reference(reference.clone()), span };
        self.resolved.constant(self.tree, at, &expression)
    }

    /// The scalars and arrays of intrinsic types that a variable or component is made of, each with its path, in order;
    /// `None` where not all are known.
    pub fn leaves(&mut self, symbol: SymbolId) -> Option<Vec<Leaf>> {
        let of = self.resolved.symbol(symbol);
        let bounds: Vec<Bounds> = of.shape.as_ref().map_or(Vec::new(), |shape| shape_bounds(shape).collect());
        let mut leaves = Vec::new();
        let start = Leaf { path: String::new(), type_: of.type_, dimensions: vec![bounds.len()], bounds };
        self.components(start, &mut leaves, 0)?;
        Some(leaves)
    }

    fn components(&self, of: Leaf, leaves: &mut Vec<Leaf>, depth: usize) -> Option<()> {
        let Some(BaseType::Derived(id)) = of.type_.map(|type_| type_.base) else {
            data_type(of.type_?)?;
            leaves.push(of);
            return Some(());
        };
        let table = self.resolved.derived_type(id)?;
        if depth >= DEEPEST || table.parent.is_some() || table.is_open {
            return None;
        }
        for component in &table.components {
            if component.properties.pointer || component.properties.allocatable || component.is_procedure {
                return None;
            }
            let own: Vec<Bounds> = component.shape.as_ref().map_or(Vec::new(), |shape| shape_bounds(shape).collect());
            let brackets = if of.dimensions.last().is_some_and(|&count| count > 0) { "()" } else { "" };
            let mut dimensions = of.dimensions.clone();
            dimensions.push(own.len());
            let leaf = Leaf {
                path: format!("{}{brackets}%{}", of.path, component.name),
                type_: component.type_,
                dimensions,
                bounds: of.bounds.iter().copied().chain(own).collect(),
            };
            self.components(leaf, leaves, depth + 1)?;
        }
        Some(())
    }

    /// The type of a structure that a reference means.
    pub fn structure(&self, at: StatementId, reference: &Reference) -> Option<TypeId> {
        match self.resolved.type_of(self.tree, at, reference)?.base {
            BaseType::Derived(id) | BaseType::Class(id) => Some(id),
            _ => None,
        }
    }
}

/// A scalar or array of an intrinsic type that is part of a variable.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The components behind the variable's name.
    pub path: String,
    /// Its type.
    pub type_: Option<SymbolType>,
    /// The bounds of all dimensions.
    pub bounds: Vec<Bounds>,
    /// How many of them belong to each part of the name.
    pub dimensions: Vec<usize>,
}

/// The bounds of the dimensions of a shape; unknown ones where only the rank is known.
fn shape_bounds(shape: &Shape) -> impl Iterator<Item = Bounds> + '_ {
    (0..usize::from(shape.rank))
        .map(|index| shape.bounds.get(index).copied().unwrap_or(Bounds { lower: None, upper: None }))
}

fn negated(of: Expression) -> Expression {
    match of {
        Expression::Constant(Value::Integer(value)) => Expression::Constant(Value::Integer(-value)),
        Expression::Constant(Value::Real(value, kind)) => Expression::Constant(Value::Real(-value, kind)),
        other => Expression::Negate(Box::new(other)),
    }
}

/// The intrinsic type with its kind.
pub fn data_type(type_: SymbolType) -> Option<DataType> {
    let kind = |default: u8| match type_.kind {
        None => Some(default),
        Some(kind) => u8::try_from(kind).ok().filter(|kind| matches!(kind, 1 | 2 | 4 | 8 | 10 | 16)),
    };
    Some(match type_.base {
        BaseType::Integer => DataType::Integer(kind(4)?),
        BaseType::Byte => DataType::Integer(1),
        BaseType::Real => DataType::Real(kind(4)?),
        BaseType::DoublePrecision => DataType::Real(8),
        BaseType::Complex => DataType::Complex(kind(4)?),
        BaseType::DoubleComplex => DataType::Complex(8),
        BaseType::Logical => DataType::Logical(kind(4)?),
        BaseType::Character => DataType::Character(type_.length.and_then(|length| u32::try_from(length).ok())),
        BaseType::Derived(_) | BaseType::Class(_) | BaseType::Unlimited | BaseType::Unknown => return None,
    })
}

/// The characters of a literal.
pub fn character(text: &str) -> Option<Vec<u8>> {
    let start = text.find(['\'', '"'])?;
    let quote = text[start..].chars().next()?;
    let inner = text[start + 1..].strip_suffix(quote)?;
    let inner = inner.replace(&format!("{quote}{quote}"), &quote.to_string());
    Some(inner.into_bytes())
}
