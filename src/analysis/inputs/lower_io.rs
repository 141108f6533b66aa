//! READ, OPEN, CLOSE and the like: from their control lists and items to nodes.

use super::code::{GroupVariable, Item, NodeId, NodeKind, Open, Positioning, Read, ReadForm};
use super::expression::Expression;
use super::lower::Lower;
use super::lower_expression::{Leaf, data_type};
use super::value::{DataType, Value};
use crate::flow::FlowPosition;
use crate::names::{BaseType, SymbolId, SymbolKind};
use crate::syntax::{
    BinaryOperator, Expression as Syntax, ExpressionKind, InputOutput, IoOperation, LiteralKind, Name, Reference,
    StatementId, StatementKind,
};

/// The control list of a statement, by keyword.
struct Control<'t> {
    unit: Option<&'t Syntax>,
    format: Option<&'t Syntax>,
    named: Vec<(&'t str, &'t Syntax)>,
}

impl<'t> Control<'t> {
    fn get(&self, keyword: &str) -> Option<&'t Syntax> {
        self.named.iter().find(|(name, _)| *name == keyword).map(|(_, value)| *value)
    }
}

/// A format that is no constant.
const UNKNOWN_FORMAT: ReadForm = ReadForm::Other("a format");
/// The value of IOSTAT at the end of a file.
const END_OF_FILE: i64 = -1;
/// A value of IOSTAT after an error.
const ERROR: i64 = 5010;

impl<'t> Lower<'t> {
    fn control(&self, transfer: &'t InputOutput) -> Control<'t> {
        let mut control = Control { unit: None, format: None, named: Vec::new() };
        for (index, item) in transfer.control.iter().enumerate() {
            let Some(value) = &item.value else { continue };
            match item.keyword.map(|keyword| self.text(keyword.name)) {
                Some("unit") => control.unit = Some(value),
                Some("fmt" | "nml") => control.format = Some(value),
                Some(keyword) => control.named.push((keyword, value)),
                None if !transfer.bracketed && transfer.operation.is_input() => control.format = Some(value),
                None if index == 0 => control.unit = Some(value),
                None => control.format = Some(value),
            }
        }
        control
    }

    /// An input or output statement.
    pub fn input_output(
        &mut self,
        id: StatementId,
        at: FlowPosition,
        transfer: &'t InputOutput,
        next: NodeId,
    ) -> NodeId {
        let control = self.control(transfer);
        match transfer.operation {
            IoOperation::Read | IoOperation::Accept => self.read(id, at, transfer, &control, next),
            IoOperation::Open => self.open(id, at, &control, next),
            operation => {
                let succeeded = self.succeeded(id, &control, next);
                let after = self.forget(id, at, None, succeeded);
                let Some(positioning) = self.position(operation) else { return after };
                let Some(unit) = control.unit.filter(|unit| !matches!(unit.kind, ExpressionKind::Star)) else {
                    return after;
                };
                if self.is_internal(id, unit) {
                    return after;
                }
                let unit = self.lowering.expression(id, unit);
                let is_output = matches!(&unit, Expression::Constant(Value::Integer(0 | 6)));
                if positioning == Positioning::Elsewhere && is_output {
                    return after;
                }
                self.add(self.site(id), NodeKind::Position(unit, positioning, after))
            }
        }
    }

    /// Sets IOSTAT.
    fn set_status(&mut self, id: StatementId, control: &Control<'t>, value: i64, next: NodeId) -> NodeId {
        let Some(ExpressionKind::Reference(status)) = control.get("iostat").map(|it| &it.kind) else { return next };
        match self.lowering.reference(id, status) {
            place @ (Expression::Variable(_) | Expression::Element(..)) => {
                self.add(self.site(id), NodeKind::Assign(place, Expression::integer(value), next))
            }
            _ => {
                let symbol = self.resolved().symbol_at(id, status.parts[0].name.name);
                self.forget_symbols(self.site(id), symbol.into_iter().collect(), next)
            }
        }
    }

    /// What follows a statement other than READ: it is taken to succeed.
    fn succeeded(&mut self, id: StatementId, control: &Control<'t>, next: NodeId) -> NodeId {
        self.set_status(id, control, 0, next)
    }

    /// The label of `err=` or `end=`.
    fn branch(&mut self, control: &Control<'t>, keyword: &str) -> Option<NodeId> {
        let ExpressionKind::Literal(literal) = &control.get(keyword)?.kind else { return None };
        let LiteralKind::Integer(Some(label)) = literal.kind else { return None };
        u32::try_from(label).ok().map(|label| self.label(label))
    }

    /// Whether a unit is a text.
    fn is_internal(&self, id: StatementId, unit: &Syntax) -> bool {
        let ExpressionKind::Reference(reference) = &unit.kind else { return false };
        let type_ = self.resolved().type_of(self.tree(), id, reference);
        type_.is_some_and(|type_| type_.base == BaseType::Character)
    }

    fn text_of(&self, expression: Option<&Syntax>) -> Option<String> {
        self.literal_text(expression?).map(|text| text.trim().to_ascii_lowercase())
    }

    fn read(
        &mut self,
        id: StatementId,
        at: FlowPosition,
        transfer: &'t InputOutput,
        control: &Control<'t>,
        next: NodeId,
    ) -> NodeId {
        let site = self.site(id);
        if control.unit.is_some_and(|unit| self.is_internal(id, unit)) {
            return self.read_internal(id, at, control, next);
        }
        let unit = control.unit.filter(|unit| !matches!(unit.kind, ExpressionKind::Star));
        let unit = unit.map(|unit| self.lowering.expression(id, unit));
        let is_advancing = matches!(self.text_of(control.get("advance")).as_deref(), Some("yes"));
        if control.get("eor").is_some() {
            return self.add(site, NodeKind::Lost);
        }
        let has = |keyword: &str| control.get(keyword).is_some();
        let form = match self.form(id, control.format) {
            _ if has("rec") => ReadForm::Other("direct access"),
            _ if has("pos") => ReadForm::Other("stream access"),
            _ if has("advance") && !is_advancing => ReadForm::Other("not advancing"),
            _ if has("asynchronous") || has("id") => ReadForm::Other("asynchronous"),
            form => form,
        };
        let (mut items, mut unknown) = (Vec::new(), Vec::new());
        for item in &transfer.items {
            let found = self.items(id, item);
            if found.iter().any(Item::has_unknown) {
                self.add_symbols(id, item, &mut unknown);
            }
            items.extend(found);
        }
        let has_status = has("iostat");
        let ok = self.set_status(id, control, 0, next);
        let (end, error) = (self.branch(control, "end"), self.branch(control, "err"));
        let end = end.or(has_status.then_some(next)).map(|end| self.set_status(id, control, END_OF_FILE, end));
        let error = error.or(has_status.then_some(next)).map(|error| self.set_status(id, control, ERROR, error));
        let decimal_comma = self.text_of(control.get("decimal")).map(|mode| mode == "comma");
        // What it gives no value to by its items: variables that are not represented.
        let after = match form {
            ReadForm::Other(_) => self.forget(id, at, None, ok),
            _ => self.forget_symbols(site, unknown, ok),
        };
        let read = Read { unit, form, items, decimal_comma, next: after, end, error };
        self.add(site, NodeKind::Read(Box::new(read)))
    }

    /// A READ from a text: what it reads is not known, nor whether it fails.
    fn read_internal(&mut self, id: StatementId, at: FlowPosition, control: &Control<'t>, next: NodeId) -> NodeId {
        let site = self.site(id);
        let mut after = next;
        for keyword in ["end", "err"] {
            if let Some(label) = self.branch(control, keyword) {
                after = self.add(site, NodeKind::Branch(Expression::Unknown, label, after));
            }
        }
        self.forget(id, at, None, after)
    }

    fn form(&mut self, id: StatementId, format: Option<&'t Syntax>) -> ReadForm {
        let Some(format) = format else { return ReadForm::Other("unformatted") };
        match &format.kind {
            ExpressionKind::Star => ReadForm::List,
            ExpressionKind::Literal(literal) => match literal.kind {
                LiteralKind::Integer(Some(label)) => self.format_of(label).map_or(UNKNOWN_FORMAT, ReadForm::Formatted),
                LiteralKind::Character => self.literal_text(format).map_or(UNKNOWN_FORMAT, ReadForm::Formatted),
                _ => UNKNOWN_FORMAT,
            },
            ExpressionKind::Reference(reference) => {
                if let Some(name) = reference.as_name()
                    && let Some(symbol) = self.resolved().symbol_at(id, name.name)
                {
                    let of = self.resolved().symbol(symbol);
                    if matches!(of.kind, SymbolKind::Namelist) {
                        return self.group(name.name).map_or(ReadForm::Other("a namelist group"), |variables| {
                            ReadForm::Namelist(self.text(name.name).to_owned(), variables)
                        });
                    }
                }
                match self.lowering.expression(id, format) {
                    Expression::Constant(Value::Character(text)) => {
                        ReadForm::Formatted(String::from_utf8_lossy(&text).into_owned())
                    }
                    _ => UNKNOWN_FORMAT,
                }
            }
            _ => UNKNOWN_FORMAT,
        }
    }

    /// The text of a FORMAT statement of the unit.
    fn format_of(&self, label: i64) -> Option<String> {
        let label = u32::try_from(label).ok()?;
        let statements = self.statements().iter().map(|&id| &self.tree().statements[id]);
        let found = statements
            .filter(|statement| statement.label == Some(label))
            .find_map(|statement| if let StatementKind::Format(text) = &statement.kind { Some(*text) } else { None });
        found.map(|text| format!("({})", self.text(text)))
    }

    /// The variables of a namelist group of this file.
    fn group(&mut self, name: Name) -> Option<Vec<GroupVariable>> {
        let mut variables = Vec::new();
        let mut is_found = false;
        for (id, statement) in self.tree().statements.iter_enumerated() {
            let StatementKind::Namelist(groups) = &statement.kind else { continue };
            for group in groups.iter().filter(|group| group.name.is_some_and(|it| it.name == name)) {
                is_found = true;
                for entity in &group.entities {
                    let symbol = self.resolved().symbol_at(id, entity.name.name)?;
                    for leaf in self.lowering.leaves(symbol)? {
                        let Leaf { path, type_, bounds, dimensions } = leaf;
                        let variable = self.lowering.variable(symbol, &path, type_, &bounds);
                        let name = format!("{}{}", self.text(entity.name.name), path.replace("()", ""));
                        variables.push(GroupVariable { name, variable, dimensions });
                    }
                }
            }
        }
        is_found.then_some(variables)
    }

    /// The variables of an item of an input list.
    fn add_symbols(&self, id: StatementId, item: &Syntax, found: &mut Vec<SymbolId>) {
        match &item.kind {
            ExpressionKind::Reference(of) => found.extend(self.resolved().symbol_at(id, of.parts[0].name.name)),
            ExpressionKind::Parenthesised(inner) => self.add_symbols(id, inner, found),
            ExpressionKind::ImpliedDo(implied) => {
                implied.items.iter().for_each(|item| self.add_symbols(id, item, found));
            }
            _ => {}
        }
    }

    /// The items that an expression of an input list means.
    fn items(&mut self, id: StatementId, item: &'t Syntax) -> Vec<Item> {
        match &item.kind {
            ExpressionKind::Reference(reference) => {
                self.reference_items(id, reference).unwrap_or_else(|| vec![Item::Unknown(self.written(item))])
            }
            ExpressionKind::Parenthesised(inner) => self.items(id, inner),
            ExpressionKind::ImpliedDo(implied) => {
                let variable = self.lowering.reference(id, &Reference::of_name(implied.variable));
                let Expression::Variable(variable) = variable else { return vec![Item::Unknown(self.written(item))] };
                let lower = self.lowering.expression(id, &implied.lower);
                let upper = self.lowering.expression(id, &implied.upper);
                let step = implied.step.as_ref().map_or(Expression::integer(1), |it| self.lowering.expression(id, it));
                let items = implied.items.iter().map(|item| self.items(id, item)).collect::<Vec<_>>().concat();
                vec![Item::Loop { variable, lower, upper, step, items }]
            }
            _ => vec![Item::Unknown(self.written(item))],
        }
    }

    /// The items that a designator means; `None` where that is not known.
    fn reference_items(&mut self, id: StatementId, reference: &'t Reference) -> Option<Vec<Item>> {
        if self.lowering.structure(id, reference).is_some() {
            let name = reference.as_name();
            let symbol = name.and_then(|name| self.resolved().symbol_at(id, name.name));
            let symbol = symbol.filter(|&symbol| self.resolved().symbol(symbol).shape.is_none())?;
            let leaves = self.lowering.leaves(symbol)?;
            let mut items = Vec::new();
            for leaf in leaves {
                let of = leaf.type_.and_then(data_type)?;
                let variable = self.lowering.variable(symbol, &leaf.path, leaf.type_, &leaf.bounds);
                items.push(Item::Reference(Expression::Variable(variable), of));
            }
            return Some(items);
        }
        let type_ = self.resolved().type_of(self.tree(), id, reference).and_then(data_type);
        let place = self.lowering.reference(id, reference);
        match (place, type_) {
            (Expression::Unknown, _) | (_, None) => None,
            (place @ Expression::Substring(..), Some(_)) => {
                let length = substring_length(&place)?;
                Some(vec![Item::Reference(place, DataType::Character(Some(length)))])
            }
            (place, Some(of)) => Some(vec![Item::Reference(place, of)]),
        }
    }

    /// FILE= of an OPEN. Texts that are joined have no value here, but can be compared with each other.
    fn name_of_file(&mut self, id: StatementId, name: &'t Syntax) -> Expression {
        let ExpressionKind::Binary(operations) = &name.kind else { return self.lowering.expression(id, name) };
        let is_joined = |(operator, _): &(BinaryOperator, Syntax)| matches!(operator, BinaryOperator::Concatenate);
        if !operations.rest.iter().all(is_joined) {
            return Expression::Unknown;
        }
        let parts = std::iter::once(&operations.first).chain(operations.rest.iter().map(|(_, part)| part));
        Expression::Call("//".to_owned(), parts.map(|part| self.lowering.expression(id, part)).collect())
    }

    /// An expression as it is written.
    fn written(&self, expression: &Syntax) -> String {
        let text = String::from_utf8_lossy(self.tree().source.texts.bytes(expression.span)).into_owned();
        text.split('&').map(str::trim).collect::<Vec<_>>().concat()
    }

    fn open(&mut self, id: StatementId, at: FlowPosition, control: &Control<'t>, next: NodeId) -> NodeId {
        let after = self.succeeded(id, control, next);
        let unit_name = control.get("newunit").and_then(|unit| {
            let ExpressionKind::Reference(reference) = &unit.kind else { return None };
            self.resolved().symbol_at(id, reference.parts[0].name.name)
        });
        let after = self.forget(id, at, unit_name, after);
        let new_unit = control.get("newunit").and_then(|unit| {
            let ExpressionKind::Reference(reference) = &unit.kind else { return None };
            if let Expression::Variable(variable) = self.lowering.reference(id, reference) {
                Some(variable)
            } else {
                None
            }
        });
        let unit = control.unit.map(|unit| self.lowering.expression(id, unit));
        let file = control.get("file").or(control.get("name"));
        let file_text = file.map(|file| self.written(file));
        let file = file.map(|file| self.name_of_file(id, file));
        let is = |keyword: &str, value: &str| self.text_of(control.get(keyword)).as_deref() == Some(value);
        let is_stream = is("access", "stream") && !is("form", "formatted");
        let is_other = is("form", "unformatted") || is("access", "direct") || is_stream;
        let open = Open {
            unit,
            new_unit,
            file,
            file_text,
            is_scratch: is("status", "scratch"),
            decimal_comma: is("decimal", "comma"),
            blank_zero: is("blank", "zero"),
            is_text: !is_other && !is("position", "append"),
            next: after,
        };
        self.add(self.site(id), NodeKind::Open(Box::new(open)))
    }
}

/// The length of a part of a text whose positions are constant.
fn substring_length(place: &Expression) -> Option<u32> {
    let Expression::Substring(_, from, to) = place else { return None };
    match (from.as_ref(), to.as_deref()?) {
        (Expression::Constant(Value::Integer(from)), Expression::Constant(Value::Integer(to))) => {
            u32::try_from((to - from + 1).max(0)).ok()
        }
        _ => None,
    }
}
