//! The uses of arrays in one statement, and the loops that it opens.
//!
//! At each reference the walk knows what is done with it ([`UseKind`]): by its access mode and what stands around it.
//! Which text of the statement is no part of what tells it from others, subscripts and bounds, it notes as spans.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use thin_vec::ThinVec;

use super::affine::{Subscript, sum_of};
use super::record::Recorder;
use super::snapshot::{ArrayUse, LoopBounds, UseKind, exact};
use crate::flow::{canonical, names_in_text, selector_of};
use crate::intrinsics::{self, Class, Intrinsic, ResultShape};
use crate::names::{PartClass, Resolved, SymbolId, SymbolType};
use crate::source::Span;
use crate::syntax::declarative;
use crate::syntax::visit::{
    Access, StatementVisitor, Visitor, walk_argument, walk_expression, walk_list, walk_reference, walk_statement,
};
use crate::syntax::*;

/// The arrays that a statement uses, as they come.
pub(super) struct Collector<'r, 't> {
    pub recorder: &'r Recorder<'t>,
    /// The statement.
    pub id: StatementId,
    pub uses: Vec<ArrayUse>,
    pub loops: Vec<LoopBounds>,
    /// The lists of subscripts and the bounds of loops.
    pub masked: Vec<Span>,
    /// What a value is read for here: as an index, to be transferred, or for its own sake.
    reading: UseKind,
    /// What an actual argument is used for here.
    argument: UseKind,
}

impl<'t> StatementVisitor<'t> for Collector<'_, 't> {
    fn names(&self) -> &'t NameTable {
        &self.recorder.tree.names
    }

    fn action(&mut self, action: &'t Statement) {
        self.statement(&action.kind);
    }

    /// It may use the arrays that it names.
    fn not_understood(&mut self) {
        let tree = self.recorder.tree;
        let statement = &tree.statements[self.id];
        for name in names_in_text(tree, statement) {
            self.mentioned(name, UseKind::NotUnderstood, statement.span);
        }
    }
}

impl<'t> Visitor<'t> for Collector<'_, 't> {
    fn name(&mut self, name: Identifier, access: Access) {
        // A namelist is what transfers its arrays.
        if access == Access::Listed {
            self.mentioned(name.name, UseKind::InputOutput, name.span);
        }
    }

    fn reference(&mut self, reference: &'t Reference, access: Access) {
        let role = match access {
            Access::Called => return self.call(reference),
            Access::PointerAssigned => return self.used(reference, &UseKind::Write, Lists::AreBounds),
            // It is used for nothing; what it has for a shape then is not said.
            Access::Deallocated | Access::Nullified => return walk_reference(self, reference, access),
            Access::Assigned | Access::DoVariable => UseKind::Write,
            Access::Allocated => UseKind::Allocate,
            Access::Input | Access::Output | Access::Specifier | Access::OutputUnit => UseKind::InputOutput,
            Access::Initialized => UseKind::Data,
            Access::Equivalenced => UseKind::Equivalence,
            Access::Argument => self.argument.clone(),
            Access::Read
            | Access::Selector
            | Access::Synchronized
            | Access::Index
            | Access::Listed
            | Access::Bound
            | Access::Declared
            | Access::Named => self.reading.clone(),
        };
        self.used(reference, &role, Lists::AreSubscripts);
    }

    fn expression(&mut self, expression: &'t Expression, access: Access) {
        // The value of an expression is transferred; its operands are read.
        let is_operation = !matches!(expression.kind, ExpressionKind::Reference(_));
        if is_operation && self.reading == UseKind::InputOutput {
            self.reading = UseKind::Read;
            walk_expression(self, expression, access);
            self.reading = UseKind::InputOutput;
        } else {
            walk_expression(self, expression, access);
        }
    }
}

/// What the last list of a reference is.
#[derive(Clone, Copy, PartialEq)]
enum Lists {
    AreSubscripts,
    /// Bounds that a pointer gets: it is used as a whole.
    AreBounds,
}

impl<'r, 't> Collector<'r, 't> {
    pub fn new(recorder: &'r Recorder<'t>, id: StatementId) -> Self {
        let (uses, loops, masked) = (Vec::new(), Vec::new(), Vec::new());
        Collector { recorder, id, uses, loops, masked, reading: UseKind::Read, argument: UseKind::Read }
    }

    pub fn statement(&mut self, kind: &'t StatementKind) {
        use StatementKind as Kind;
        match kind {
            Kind::Assignment { target, value } => {
                self.reference(target, Access::Assigned);
                if let Some(shape) = reshaped(value, target, &self.recorder.tree.names) {
                    self.reshape(target, shape);
                }
                self.expression(value, Access::Read);
            }
            Kind::InputOutput(_) => {
                self.reading = UseKind::InputOutput;
                walk_statement(self, kind);
                self.reading = UseKind::Read;
            }
            Kind::Forall { header, action } => {
                self.header(header);
                self.action(action);
            }
            Kind::ForallConstruct(header) => self.header(header),
            Kind::Do { control, .. } => match control {
                DoControl::Concurrent(header) => self.header(header),
                DoControl::Counted { variable, lower, upper, step } => {
                    if let [part] = variable.parts.as_slice() {
                        self.bounds(part.name, lower, upper, step.as_deref());
                    }
                }
                DoControl::While(condition) => self.expression(condition, Access::Read),
                DoControl::Forever => {}
            },
            // What these do with arrays, the access of each of their names tells.
            declarative!()
            | Kind::PointerAssignment { .. }
            | Kind::Call { .. }
            | Kind::Allocate { .. }
            | Kind::Deallocate { .. }
            | Kind::Nullify(_)
            | Kind::GoTo(_)
            | Kind::ComputedGoTo(..)
            | Kind::AssignedGoTo(..)
            | Kind::Assign(..)
            | Kind::ArithmeticIf(..)
            | Kind::Continue
            | Kind::Cycle(_)
            | Kind::Exit(_)
            | Kind::Return(_)
            | Kind::Stop { .. }
            | Kind::Pause(_)
            | Kind::ImageControl { .. }
            | Kind::MacroStatement(_)
            | Kind::Unparsed(_)
            | Kind::If { .. }
            | Kind::IfThen(_)
            | Kind::ElseIf(..)
            | Kind::Else(_)
            | Kind::SelectCase(_)
            | Kind::Case { .. }
            | Kind::SelectType(_)
            | Kind::TypeGuard(..)
            | Kind::SelectRank(_)
            | Kind::RankCase(..)
            | Kind::Where { .. }
            | Kind::WhereConstruct(_)
            | Kind::ElseWhere(..)
            | Kind::Associate(_)
            | Kind::Block
            | Kind::Critical(_)
            | Kind::ChangeTeam { .. }
            | Kind::End { .. }
            | Kind::CrayPointer(_) => walk_statement(self, kind),
        }
    }

    /// An array that is named as a whole.
    fn mentioned(&mut self, name: Name, role: UseKind, span: Span) {
        let Recorder { tree, resolved, .. } = *self.recorder;
        let Some(symbol) = resolved.symbol_at(self.id, name) else { return };
        if resolved.symbol(symbol).shape.is_some() {
            self.uses.push(ArrayUse {
                role,
                array: self.recorder.texts.get(self.recorder.array(symbol)),
                name: self.recorder.texts.get(tree.names.text(name)),
                subscripts: None,
                place: self.recorder.place(span),
                places: ThinVec::new(),
            });
        }
    }

    fn header(&mut self, header: &'t ConcurrentHeader) {
        for ConcurrentControl { variable, lower, upper, step } in &header.controls {
            self.bounds(*variable, lower, upper, step.as_ref());
        }
        header.mask.iter().for_each(|mask| self.expression(mask, Access::Read));
    }

    fn bounds(
        &mut self,
        variable: Identifier,
        lower: &'t Expression,
        upper: &'t Expression,
        step: Option<&'t Expression>,
    ) {
        let names = &self.recorder.tree.names;
        let affine = |expression: &Expression| Some(sum_of(expression, names));
        self.loops.push(LoopBounds {
            variable: self.recorder.texts.get(names.text(variable.name)),
            bounds: self.recorder.bounds.get(Subscript::Section(affine(lower), affine(upper), step.and_then(affine))),
        });
        for bound in [Some(lower), Some(upper), step].into_iter().flatten() {
            self.masked.push(bound.span);
            self.expression(bound, Access::Read);
        }
    }

    /// Subscripts, or what may be: what is read there is an index.
    fn indices(&mut self, lists: &'t [ArgumentList]) {
        let before = std::mem::replace(&mut self.reading, UseKind::Index);
        lists.iter().for_each(|list| walk_list(self, list, Access::Read));
        self.reading = before;
    }

    /// A reference part by part: each array on the way is used. The role is that of the last part.
    fn used(&mut self, reference: &'t Reference, role: &UseKind, lists: Lists) {
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
                    let role = if is_last { role } else { &UseKind::Read };
                    let span = Span::new(reference.parts[0].name.span.start, end_of(part));
                    let lists = if is_last { lists } else { Lists::AreSubscripts };
                    self.array(role, array, (&path, span), part, lists);
                }
                PartClass::Intrinsic if is_last => self.intrinsic(name, part),
                PartClass::Function | PartClass::StatementFunction | PartClass::Unknown if is_last => {
                    let mark = if at == 0 { "" } else { "%" };
                    self.arguments(&format!("{mark}{name}"), part);
                }
                PartClass::Intrinsic
                | PartClass::Function
                | PartClass::StatementFunction
                | PartClass::Unknown
                | PartClass::Scalar
                | PartClass::Constant
                | PartClass::Substring
                | PartClass::StructureConstructor => self.indices(&part.lists),
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

    fn array(&mut self, role: &UseKind, array: String, (path, span): (&str, Span), part: &'t Part, lists: Lists) {
        let names = &self.recorder.tree.names;
        let first = part.lists.first().filter(|_| lists == Lists::AreSubscripts);
        let items = first.map(|list| list.items.as_slice()).unwrap_or_default();
        self.masked.extend(first.map(|list| list.span));
        self.uses.push(ArrayUse {
            role: role.clone(),
            array: self.recorder.texts.get(array),
            name: self.recorder.texts.get(path),
            subscripts: first.map(|list| {
                let all: Vec<Subscript> = list.items.iter().map(|item| Subscript::of(item, names)).collect();
                self.recorder.subscripts.get(all)
            }),
            place: self.recorder.place(span),
            places: exact(items.iter().map(|item| self.recorder.place(item.span))),
        });
        if lists == Lists::AreSubscripts {
            self.indices(&part.lists);
        }
    }

    fn reshape(&mut self, target: &'t Reference, shape: Vec<Subscript>) {
        let before = self.uses.len();
        self.used(target, &UseKind::Reshape, Lists::AreSubscripts);
        self.uses.truncate(before + 1);
        if let Some(used) = self.uses.get_mut(before) {
            used.subscripts = Some(self.recorder.subscripts.get(shape));
        }
    }

    fn call(&mut self, procedure: &'t Reference) {
        let Some((last, before)) = procedure.parts.split_last() else { return };
        for part in before {
            part.lists.iter().for_each(|list| walk_list(self, list, Access::Read));
        }
        // Which procedure a type-bound one is depends on the type.
        let mark = if before.is_empty() { "" } else { "%" };
        let name = format!("{mark}{}", self.recorder.text(last.name.name));
        self.arguments(&name, last);
    }

    fn arguments(&mut self, procedure: &str, part: &'t Part) {
        let reading = std::mem::replace(&mut self.reading, UseKind::Read);
        let procedure = self.recorder.texts.get(procedure);
        for (at, item) in part.lists.iter().flat_map(|list| &list.items).enumerate() {
            let position = match item.keyword {
                Some(keyword) => self.recorder.texts.get(self.recorder.text(keyword.name)),
                None => self.recorder.texts.get((at + 1).to_string()),
            };
            let outer = std::mem::replace(&mut self.argument, UseKind::Argument(Arc::clone(&procedure), position));
            walk_argument(self, item, Access::Argument);
            self.argument = outer;
        }
        self.reading = reading;
    }

    /// An intrinsic function: if it is asked about one dimension of an array, that is what the array is used for.
    fn intrinsic(&mut self, name: &str, part: &'t Part) {
        let names = &self.recorder.tree.names;
        let Some(list) = part.lists.first() else { return };
        let function = intrinsics::function(name);
        let dimension = function.and_then(|function| asked_dimension(function, list, names));
        let is_whole = function.is_some_and(takes_wholes);
        let texts = &self.recorder.texts;
        for (at, item) in list.items.iter().enumerate() {
            let ArgumentValue::Expression(value) = &item.value else { continue };
            let role = match dimension {
                // The number is what may have to change: it is compared, not matched.
                Some((_, Some(number))) if std::ptr::eq(number, value) => {
                    self.masked.push(value.span);
                    continue;
                }
                Some((number, _)) if at == 0 => UseKind::Inquiry(texts.get(name), number),
                _ if is_whole => UseKind::Argument(texts.get(name), texts.get((at + 1).to_string())),
                _ => {
                    self.expression(value, Access::Read);
                    continue;
                }
            };
            let outer = std::mem::replace(&mut self.argument, role);
            self.expression(value, Access::Argument);
            self.argument = outer;
        }
    }
}

/// Whether a function takes arrays as wholes; the others go element by element, or ask about a type.
fn takes_wholes(function: &Intrinsic) -> bool {
    match function.shape {
        ResultShape::Elemental | ResultShape::Sequence | ResultShape::Unknown => false,
        ResultShape::Scalar => function.class == Class::Inquiry,
        ResultShape::Reduction
        | ResultShape::Location
        | ResultShape::Bounds
        | ResultShape::Shifted
        | ResultShape::Transposed
        | ResultShape::Spread
        | ResultShape::Reshaped
        | ResultShape::MatrixProduct
        | ResultShape::VectorProduct
        | ResultShape::Packed
        | ResultShape::Unpacked
        | ResultShape::Transferred => true,
    }
}

/// The dimension that an intrinsic function is asked about, and the argument that says so.
fn asked_dimension<'l>(
    function: &Intrinsic,
    list: &'l ArgumentList,
    names: &NameTable,
) -> Option<(u32, Option<&'l Expression>)> {
    let Some(value) = function.argument("dim", list, names) else {
        // Where none is named, they shift along the first.
        return (function.shape == ResultShape::Shifted).then_some((1, None));
    };
    let number = u32::try_from(sum_of(value, names).as_constant()?).ok()?;
    (number > 0).then_some((number, Some(value)))
}

/// The shape in `target = reshape(source, [shape])`, if it is written out and the target is a whole array.
fn reshaped(value: &Expression, target: &Reference, names: &NameTable) -> Option<Vec<Subscript>> {
    let ExpressionKind::Reference(Reference { parts }) = &value.kind else { return None };
    let [part] = parts.as_slice() else { return None };
    let is_whole = target.parts.last().is_some_and(|part| part.lists.is_empty());
    let function = intrinsics::function(names.text(part.name.name))?;
    if !is_whole || function.shape != ResultShape::Reshaped {
        return None;
    }
    let shape = function.argument("shape", part.lists.first()?, names)?;
    let ExpressionKind::ArrayConstructor { values, .. } = &shape.kind else { return None };
    let is_plain = |value: &Expression| !matches!(value.kind, ExpressionKind::ImpliedDo(_));
    let extents = values.iter().map(|value| Subscript::Index(sum_of(value, names)));
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
