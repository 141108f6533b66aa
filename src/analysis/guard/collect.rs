//! The uses of arrays in one statement, and the loops that it opens.
//!
//! The walk goes through the statement from left to right and knows at each reference what is done with it ([`Role`]). Which text
//! of the statement is no part of what tells it from others, subscripts and bounds, it notes as spans.

use super::affine::{Affine, Subscript};
use super::record::Recorder;
use super::snapshot::{Loop, Role, Use};
use crate::flow::{canonical, names_in_text, selector_of};
use crate::names::{PartClass, Resolved, SymbolId, SymbolType};
use crate::source::Span;
use crate::syntax::visit::walk_expressions;
use crate::syntax::*;

/// The arrays that a statement uses, as they come.
pub(super) struct Collector<'r, 't> {
    pub recorder: &'r Recorder<'t>,
    /// The statement.
    pub id: StatementId,
    pub uses: Vec<Use>,
    pub loops: Vec<Loop>,
    /// The lists of subscripts and the bounds of loops.
    pub masked: Vec<Span>,
}

impl Collector<'_, '_> {
    pub fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Assignment { target, value } => {
                self.reference(target, &Role::Write, span_of_reference(target));
                if let Some(shape) = reshaped(value, target, &self.recorder.tree.names) {
                    self.reshape(target, shape);
                }
                self.expression(value, &Role::Read);
            }
            StatementKind::PointerAssignment { target, value } => {
                self.whole(target, &Role::Write);
                self.expression(value, &Role::Read);
            }
            StatementKind::Call { procedure } => self.call(procedure),
            StatementKind::Allocate { objects, options, .. } => {
                objects.iter().for_each(|object| self.reference(object, &Role::Allocate, span_of_reference(object)));
                options.iter().for_each(|(_, value)| self.expression(value, &Role::Read));
            }
            StatementKind::InputOutput(io) => {
                let values = io.control.iter().filter_map(|control| control.value.as_ref());
                values.for_each(|value| self.expression(value, &Role::InputOutput));
                io.items.iter().for_each(|item| self.expression(item, &Role::InputOutput));
            }
            StatementKind::Data(sets) => {
                sets.iter().flat_map(|set| &set.objects).for_each(|object| self.expression(object, &Role::Data));
            }
            StatementKind::Namelist(groups) => {
                for name in groups.iter().flat_map(|group| &group.entities).map(|entity| entity.name) {
                    self.reference(&Reference::of_name(name), &Role::InputOutput, name.span);
                }
            }
            StatementKind::Equivalence(sets) => {
                let objects = sets.iter().flatten();
                objects.for_each(|object| self.reference(object, &Role::Equivalence, span_of_reference(object)));
            }
            StatementKind::Unparsed(_) => self.named_in_text(),
            StatementKind::If { condition, action } => {
                self.expression(condition, &Role::Read);
                self.statement(&action.kind);
            }
            StatementKind::Where { mask, action } => {
                self.expression(mask, &Role::Read);
                self.statement(&action.kind);
            }
            StatementKind::Forall { header, action } => {
                self.header(header);
                self.statement(&action.kind);
            }
            StatementKind::ForallConstruct(header) => self.header(header),
            StatementKind::Do { control: DoControl::Concurrent(header), .. } => self.header(header),
            StatementKind::Do { control: DoControl::Counted { variable, lower, upper, step }, .. } => {
                if let [part] = variable.parts.as_slice() {
                    self.bounds(part.name, lower, upper, step.as_deref());
                }
            }
            other => walk_expressions(other, &mut |expression| self.expression(expression, &Role::Read)),
        }
    }

    /// The arrays that a statement names which was not understood.
    fn named_in_text(&mut self) {
        let Recorder { tree, resolved, .. } = *self.recorder;
        let statement = &tree.statements[self.id];
        for name in names_in_text(tree, statement) {
            let Some(symbol) = resolved.symbol_at(self.id, name) else { continue };
            if resolved.symbol(symbol).shape.is_some() {
                self.uses.push(Use {
                    role: Role::NotUnderstood,
                    array: self.recorder.array(symbol),
                    name: tree.names.text(name).to_owned(),
                    subscripts: None,
                    place: self.recorder.place(statement.span),
                    places: Vec::new(),
                });
            }
        }
    }

    fn header(&mut self, header: &ConcurrentHeader) {
        for ConcurrentControl { variable, lower, upper, step } in &header.controls {
            self.bounds(*variable, lower, upper, step.as_ref());
        }
        header.mask.iter().for_each(|mask| self.expression(mask, &Role::Read));
    }

    fn bounds(&mut self, variable: Identifier, lower: &Expression, upper: &Expression, step: Option<&Expression>) {
        let names = &self.recorder.tree.names;
        let affine = |expression: &Expression| Some(Affine::of(expression, names));
        self.loops.push(Loop {
            variable: names.text(variable.name).to_owned(),
            bounds: Subscript::Section(affine(lower), affine(upper), step.and_then(affine)),
        });
        for bound in [Some(lower), Some(upper), step].into_iter().flatten() {
            self.masked.push(bound.span);
            self.expression(bound, &Role::Read);
        }
    }

    fn expression(&mut self, expression: &Expression, role: &Role) {
        match &expression.kind {
            ExpressionKind::Reference(reference) => self.reference(reference, role, expression.span),
            ExpressionKind::Literal(_) | ExpressionKind::Star => {}
            ExpressionKind::Complex(parts) => {
                self.expression(&parts.0, &Role::Read);
                self.expression(&parts.1, &Role::Read);
            }
            ExpressionKind::Substring(parent, range) => {
                self.expression(parent, role);
                self.list(range, &Role::Read);
            }
            // What stands in brackets is a value.
            ExpressionKind::Parenthesised(inner) | ExpressionKind::Unary(_, inner) => {
                self.expression(inner, role.of_operand());
            }
            ExpressionKind::Binary(operations) => {
                operations.operands().for_each(|operand| self.expression(operand, role.of_operand()));
            }
            ExpressionKind::ArrayConstructor { values, .. } => {
                values.iter().for_each(|value| self.expression(value, &Role::Read));
            }
            ExpressionKind::ImpliedDo(implied) => {
                implied.items.iter().for_each(|item| self.expression(item, role));
                let bounds = [Some(&implied.lower), Some(&implied.upper), implied.step.as_ref()];
                bounds.into_iter().flatten().for_each(|bound| self.expression(bound, &Role::Read));
            }
            ExpressionKind::Conditional(branches, otherwise) => {
                for (test, value) in branches {
                    self.expression(test, &Role::Read);
                    self.expression(value, &Role::Read);
                }
                self.expression(otherwise, &Role::Read);
            }
            ExpressionKind::PercentFunction(_, argument) => self.expression(argument, role),
            ExpressionKind::Repeat(count, value) => {
                self.expression(count, &Role::Read);
                self.expression(value, role);
            }
        }
    }

    fn list(&mut self, list: &ArgumentList, role: &Role) {
        for item in &list.items {
            match &item.value {
                ArgumentValue::Expression(value) => self.expression(value, role),
                ArgumentValue::Section(Section { lower, upper, stride }) => {
                    let bounds = [lower, upper, stride].into_iter().flatten();
                    bounds.for_each(|bound| self.expression(bound, &Role::Index));
                }
                ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {}
            }
        }
    }

    /// A reference part by part: each array on the way is used. The role is that of the last part.
    fn reference(&mut self, reference: &Reference, role: &Role, span: Span) {
        let Recorder { tree, resolved, .. } = *self.recorder;
        let classes = resolved.classify(tree, self.id, reference);
        let mut path = String::new();
        let mut type_: Option<SymbolType> = None;
        for (at, (part, class)) in reference.parts.iter().zip(&classes).enumerate() {
            let is_last = at + 1 == reference.parts.len();
            let name = tree.names.text(part.name.name);
            let owner = type_;
            let symbol = (at == 0).then(|| resolved.symbol_at(self.id, part.name.name)).flatten();
            // A name of ASSOCIATE for a whole variable is that variable.
            let symbol = symbol.map(|symbol| canonical(resolved, symbol));
            type_ = match owner.and_then(|owner| owner.derived()) {
                Some(owner) if at > 0 => resolved.component(owner, name).and_then(|component| component.type_),
                _ => symbol.and_then(|symbol| resolved.symbol(symbol).type_),
            };
            if at > 0 {
                path.push('%');
            }
            path.push_str(name);
            match class {
                PartClass::Array { .. } => {
                    let array = match symbol {
                        Some(symbol) => self.associated(symbol).unwrap_or_else(|| self.recorder.array(symbol)),
                        None => component_key(resolved, owner, name),
                    };
                    let role = if is_last { role } else { &Role::Read };
                    let span = if is_last { span } else { Span::new(span.start, end_of(part)) };
                    self.array(role, array, &path, part, span);
                }
                PartClass::Intrinsic if is_last => self.intrinsic(name, part, role.of_operand()),
                PartClass::Function | PartClass::StatementFunction | PartClass::Unknown if is_last => {
                    let mark = if at == 0 { "" } else { "%" };
                    self.arguments(&format!("{mark}{name}"), part);
                }
                _ => part.lists.iter().for_each(|list| self.list(list, &Role::Index)),
            }
        }
    }

    /// The component that a name of ASSOCIATE stands for, if it is one as a whole: `t => grid%t`.
    fn associated(&self, symbol: SymbolId) -> Option<String> {
        let Recorder { tree, resolved, .. } = *self.recorder;
        let (statement, selector) = selector_of(tree, resolved, symbol)?;
        let ExpressionKind::Reference(reference) = &selector.kind else { return None };
        let (last, before) = reference.parts.split_last()?;
        let first = before.first()?;
        let is_whole = last.lists.is_empty()
            && matches!(resolved.classify(tree, statement, reference).last(), Some(PartClass::Array { .. }));
        let mut type_ = resolved.symbol(resolved.symbol_at(statement, first.name.name)?).type_?;
        for part in &before[1..] {
            type_ = resolved.component(type_.derived()?, tree.names.text(part.name.name))?.type_?;
        }
        is_whole.then(|| component_key(resolved, Some(type_), tree.names.text(last.name.name)))
    }

    fn array(&mut self, role: &Role, array: String, path: &str, part: &Part, span: Span) {
        let names = &self.recorder.tree.names;
        let first = part.lists.first();
        let items = first.map(|list| list.items.as_slice()).unwrap_or_default();
        self.masked.extend(first.map(|list| list.span));
        self.uses.push(Use {
            role: role.clone(),
            array,
            name: path.to_owned(),
            subscripts: first.map(|list| list.items.iter().map(|item| Subscript::of(item, names)).collect()),
            place: self.recorder.place(span),
            places: items.iter().map(|item| self.recorder.place(item.span)).collect(),
        });
        part.lists.iter().for_each(|list| self.list(list, &Role::Index));
    }

    /// The target of a pointer assignment: bounds behind it are no subscripts.
    fn whole(&mut self, target: &Reference, role: &Role) {
        let mut bare = target.clone();
        if let Some(last) = bare.parts.last_mut() {
            last.lists.clear();
        }
        self.reference(&bare, role, span_of_reference(target));
    }

    fn reshape(&mut self, target: &Reference, shape: Vec<Subscript>) {
        let before = self.uses.len();
        self.reference(target, &Role::Reshape, span_of_reference(target));
        self.uses.truncate(before + 1);
        if let Some(used) = self.uses.get_mut(before) {
            used.subscripts = Some(shape);
        }
    }

    fn call(&mut self, procedure: &Reference) {
        let Some((last, before)) = procedure.parts.split_last() else { return };
        for part in before {
            part.lists.iter().for_each(|list| self.list(list, &Role::Read));
        }
        // Which procedure a type-bound one is depends on the type.
        let mark = if before.is_empty() { "" } else { "%" };
        let name = format!("{mark}{}", self.recorder.text(last.name.name));
        self.arguments(&name, last);
    }

    fn arguments(&mut self, procedure: &str, part: &Part) {
        for item in part.lists.iter().flat_map(|list| &list.items).enumerate() {
            let (at, item) = item;
            let position = match item.keyword {
                Some(keyword) => self.recorder.text(keyword.name).to_owned(),
                None => (at + 1).to_string(),
            };
            match &item.value {
                ArgumentValue::Expression(value) => {
                    self.expression(value, &Role::Argument(procedure.to_owned(), position));
                }
                ArgumentValue::Section(Section { lower, upper, stride }) => {
                    let bounds = [lower, upper, stride].into_iter().flatten();
                    bounds.for_each(|bound| self.expression(bound, &Role::Read));
                }
                ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {}
            }
        }
    }

    /// An intrinsic function: if it is asked about one dimension of an array, that is what the array is used for.
    fn intrinsic(&mut self, function: &str, part: &Part, role: &Role) {
        let names = &self.recorder.tree.names;
        let Some(list) = part.lists.first() else { return };
        let dimension = asked_dimension(function, list, names);
        let of_argument = |at: usize| match dimension {
            Some((number, _)) if at == 0 => Role::Inquiry(function.to_owned(), number),
            _ if WHOLE.contains(&function) => Role::Argument(function.to_owned(), (at + 1).to_string()),
            _ => role.clone(),
        };
        for (at, item) in list.items.iter().enumerate() {
            let ArgumentValue::Expression(value) = &item.value else { continue };
            match dimension {
                // The number is what may have to change: it is compared, not matched.
                Some((_, place)) if place == at => self.masked.push(value.span),
                _ => self.expression(value, &of_argument(at)),
            }
        }
    }
}

impl Role {
    /// The role of an operand of an expression with this role.
    fn of_operand(&self) -> &Role {
        if *self == Role::Index { &Role::Index } else { &Role::Read }
    }
}

/// Intrinsic functions that take arrays as wholes; the others go element by element.
const WHOLE: [&str; 35] = [
    "all",
    "allocated",
    "any",
    "associated",
    "c_loc",
    "count",
    "cshift",
    "dot_product",
    "eoshift",
    "findloc",
    "iall",
    "iany",
    "iparity",
    "lbound",
    "loc",
    "matmul",
    "maxloc",
    "maxval",
    "minloc",
    "minval",
    "norm2",
    "pack",
    "parity",
    "present",
    "product",
    "rank",
    "reduce",
    "reshape",
    "shape",
    "size",
    "spread",
    "storage_size",
    "sum",
    "transfer",
    "transpose",
];

/// The dimension that an intrinsic function is asked about, and which of the arguments says so.
fn asked_dimension(function: &str, list: &ArgumentList, names: &NameTable) -> Option<(u32, usize)> {
    let position = match function {
        "size" | "lbound" | "ubound" | "sum" | "product" | "maxval" | "minval" | "any" | "all" | "count" | "maxloc"
        | "minloc" => 1,
        "cshift" | "spread" => 2,
        "eoshift" => 3,
        _ => usize::MAX,
    };
    let is_dimension = |(at, item): &(usize, &Argument)| match item.keyword {
        Some(keyword) => names.text(keyword.name) == "dim",
        None => *at == position,
    };
    let Some((at, item)) = list.items.iter().enumerate().find(is_dimension) else {
        // Where none is named, they shift along the first.
        return matches!(function, "cshift" | "eoshift").then_some((1, usize::MAX));
    };
    let ArgumentValue::Expression(value) = &item.value else { return None };
    let number = Affine::of(value, names);
    let number = if number.terms.is_empty() { u32::try_from(number.constant).ok()? } else { return None };
    (number > 0).then_some((number, at))
}

/// The shape in `target = reshape(source, [shape])`, if it is written out and the target is a whole array.
fn reshaped(value: &Expression, target: &Reference, names: &NameTable) -> Option<Vec<Subscript>> {
    let ExpressionKind::Reference(Reference { parts }) = &value.kind else { return None };
    let [part] = parts.as_slice() else { return None };
    let is_whole = target.parts.last().is_some_and(|part| part.lists.is_empty());
    if !is_whole || names.text(part.name.name) != "reshape" {
        return None;
    }
    let ArgumentValue::Expression(shape) = &part.lists.first()?.items.get(1)?.value else { return None };
    let ExpressionKind::ArrayConstructor { values, .. } = &shape.kind else { return None };
    let is_plain = |value: &Expression| !matches!(value.kind, ExpressionKind::ImpliedDo(_));
    let extents = values.iter().map(|value| Subscript::Index(Affine::of(value, names)));
    values.iter().all(is_plain).then(|| extents.collect())
}

/// Which component of which type, or as much as is known.
fn component_key(resolved: &Resolved, owner: Option<SymbolType>, name: &str) -> String {
    let mut at = owner.and_then(|owner| owner.derived());
    // The type that has it itself; chains of extension longer than this would be a ring.
    for _ in 0..64 {
        let Some(table) = at.and_then(|id| resolved.derived_type(id)) else { break };
        if table.parent.is_none() || table.components.iter().any(|component| component.name == name) {
            return format!("{}%{name}", table.name);
        }
        at = table.parent;
    }
    format!("%{name}")
}

fn end_of(part: &Part) -> u32 {
    part.lists.last().map_or(part.name.span.end, |list| list.span.end)
}

/// From the first name of a reference to its last bracket.
fn span_of_reference(reference: &Reference) -> Span {
    let start = reference.parts.first().map_or(0, |part| part.name.span.start);
    Span::new(start, reference.parts.last().map_or(start, end_of))
}
