//! The array reads of an expression.
//!
//! - *section*: a subscript with bounds, or a dimension of a whole array; it runs over positions;
//! - *axis* of an array-valued assignment: a dimension of its left side that is a section. The sections of the right side are *aligned*
//!   with these axes one after the other, as Fortran's conformance rule does (clause 10.2.1.2);
//! - *role* of a dimension of an expression: which axis it is aligned with, or whether a function such as SUM runs over all of it.
//!
//! Entry points: [`Reader`] for a right side, [`array_references`] for a left side.

use super::Reason;
use super::index::{Index, Inside};
use super::value::{Evaluator, Place, expression_of};
use crate::flow::canonical;
use crate::names::{PartClass, Shape, SymbolId, SymbolKind};
use crate::source::Span;
use crate::syntax::{
    Argument, ArgumentList, ArgumentValue, BinaryOperator, Expression, ExpressionKind, Name, Part, Reference, Section,
    StatementId, StatementKind, UnaryOperator,
};

/// An array: a name, perhaps with the components that lead to it (`d%y`).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayKey {
    /// The first name.
    pub symbol: SymbolId,
    /// The components behind it.
    pub components: Vec<Name>,
}

/// One subscript with its place.
#[derive(Clone, Debug)]
pub struct Subscript {
    /// What it is.
    pub kind: SubscriptKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of a subscript.
#[derive(Clone, Debug)]
pub enum SubscriptKind {
    /// One index, with the values that it may have.
    Index(Vec<Index>),
    /// Several indices, all of which are read: a section of some few elements that a function such as SUM runs over.
    Window(Vec<Index>),
    /// A section that is aligned with an axis of the left side, or is one.
    Aligned {
        /// Which axis.
        axis: u32,
        /// How far each element lies from the one on the left, or why that can't be said.
        offset: Result<i64, Reason>,
    },
    /// Something of which nothing can be said.
    Other(Reason),
}

/// A reference to an array, or to something that may be one.
#[derive(Clone, Debug)]
pub struct ArrayReference {
    /// The array.
    pub array: ArrayKey,
    /// Its name as spelt here.
    pub spelling: String,
    /// The whole reference.
    pub span: Span,
    /// Tells the reads of one reference to a function apart; 0 for what is read where it is written.
    pub ordinal: u32,
    /// The statement it stands in.
    pub statement: StatementId,
    /// The subscripts of all parts in order.
    pub subscripts: Vec<Subscript>,
    /// Whether it is known to be an array; else it may as well be a function.
    pub declared: bool,
}

/// Intrinsic functions that ask about an array and don't read its elements (clause 16.7, table 16.1, class I).
const INQUIRIES: [&str; 21] = [
    "allocated",
    "associated",
    "bit_size",
    "c_loc",
    "c_sizeof",
    "digits",
    "epsilon",
    "huge",
    "is_contiguous",
    "kind",
    "lbound",
    "len",
    "loc",
    "maxexponent",
    "present",
    "rank",
    "shape",
    "size",
    "sizeof",
    "tiny",
    "ubound",
];

/// Whether a reference asks about an array or variable without reading its elements: such a value does not change in a loop
/// that does not allocate.
pub fn is_inquiry(place: Place<'_>, reference: &Reference) -> bool {
    let [part] = reference.parts.as_slice() else { return false };
    INQUIRIES.binary_search(&place.tree.names.text(part.name.name)).is_ok()
        && place.resolved.classify(place.tree, place.statement, reference) == [PartClass::Intrinsic]
}

/// Where a section begins.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// The first index; `None` if it is the lower bound of a dimension, which is not known.
    pub lower: Option<Vec<Index>>,
    /// Whether no lower bound is written.
    pub is_whole: bool,
    /// The stride, if it is not 1.
    pub stride: Option<Vec<Index>>,
}

/// The role of a dimension of an expression.
#[derive(Clone, Debug)]
pub(super) enum Role {
    /// It is aligned with an axis of the left side, shifted by so much.
    Aligned { axis: usize, shift: Result<i64, Reason> },
    /// All of it is read for each element.
    Reduced,
    /// Nothing can be said.
    Unclear(Reason),
}

/// The roles of the dimensions of an expression.
#[derive(Clone, Debug)]
pub(super) enum Roles {
    /// One for each; an expression of another rank does not conform, scalars excepted.
    Each(Vec<Role>),
    /// The same for all, however many there are.
    All(Role),
}

impl Roles {
    fn of(&self, dimension: usize, rank: usize) -> Role {
        match self {
            Roles::Each(roles) if roles.len() == rank => roles[dimension].clone(),
            Roles::Each(_) => Role::Unclear(Reason::NonNeighbourIndex),
            Roles::All(role) => role.clone(),
        }
    }

    fn are_scalar(&self) -> bool {
        matches!(self, Roles::Each(roles) if roles.is_empty())
    }
}

/// Widest section that is taken apart into its elements.
const WINDOW: i64 = 64;

/// Collects the array reads of one assignment.
pub struct Reader<'a, 't> {
    pub(super) evaluator: Evaluator<'a, 't>,
    /// The sections of the left side.
    pub(super) axes: Vec<Start>,
    pub(super) found: Vec<ArrayReference>,
    /// How many statement functions the expression stands in.
    pub(super) depth: usize,
}

/// The array reads of the right side of an assignment; subscripts are searched too.
pub fn reads(evaluator: Evaluator<'_, '_>, target: &Reference, value: &Expression) -> Vec<ArrayReference> {
    let mut reader = Reader { evaluator, axes: Vec::new(), found: Vec::new(), depth: 0 };
    if !evaluator.place.paper {
        reader.axes = reader.sections(target);
    }
    let aligned = |axis| Role::Aligned { axis, shift: Ok(0) };
    let roles = Roles::Each((0..reader.axes.len()).map(aligned).collect());
    reader.expression(value, &roles);
    reader.found
}

/// The array that a left side is: one, or none if it is a scalar; in paper mode one for each part with a list.
pub fn array_references(evaluator: Evaluator<'_, '_>, target: &Reference, span: Span) -> Vec<ArrayReference> {
    let mut reader = Reader { evaluator, axes: Vec::new(), found: Vec::new(), depth: 0 };
    reader.axes = reader.sections(target);
    let aligned = |axis| Role::Aligned { axis, shift: Ok(0) };
    let roles = Roles::Each((0..reader.axes.len()).map(aligned).collect());
    reader.array(target, span, &roles);
    // Not what its subscripts read.
    reader.found.retain(|read| read.span == span);
    reader.found
}

impl<'t> Reader<'_, 't> {
    fn place(&self) -> Place<'t> {
        self.evaluator.place
    }

    /// Where the sections of a reference begin, in order; none if it is no array.
    pub(super) fn sections(&self, reference: &Reference) -> Vec<Start> {
        let place = self.place();
        let classes = place.resolved.classify(place.tree, place.statement, reference);
        let shapes = place.resolved.shapes(place.tree, place.statement, reference);
        let mut starts = Vec::new();
        for ((part, class), shape) in reference.parts.iter().zip(&classes).zip(shapes) {
            let PartClass::Array { rank } = class else { continue };
            match part.lists.first() {
                None => starts.extend((0..*rank as usize).map(|dimension| whole(shape, dimension))),
                Some(list) => {
                    for (dimension, item) in list.items.iter().enumerate() {
                        match &item.value {
                            ArgumentValue::Section(section) => starts.push(self.start(section, shape, dimension)),
                            ArgumentValue::Expression(index) if self.is_array(index) => {
                                starts.push(Start { lower: None, is_whole: false, stride: None });
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        starts
    }

    fn start(&self, section: &Section, shape: Option<&Shape>, dimension: usize) -> Start {
        let written = section.lower.as_ref().map(|lower| self.evaluator.values(lower));
        let stride = section.stride.as_ref().map(|stride| self.evaluator.values(stride));
        let is_one = |values: &Vec<Index>| matches!(values.as_slice(), [one] if one.form.as_constant() == Some(1));
        Start {
            is_whole: written.is_none(),
            lower: written.or_else(|| whole(shape, dimension).lower),
            stride: stride.filter(|stride| !is_one(stride)),
        }
    }

    /// Whether an index is an array: a vector subscript (R923).
    fn is_array(&self, index: &Expression) -> bool {
        let place = self.place();
        place.resolved.rank(place.tree, place.statement, index).is_some_and(|rank| rank > 0)
    }

    /// Collects the reads of an expression whose dimensions have these roles.
    pub(super) fn expression(&mut self, expression: &Expression, roles: &Roles) {
        match &expression.kind {
            ExpressionKind::Reference(reference) => self.reference(reference, expression.span, roles),
            ExpressionKind::Parenthesised(inner) | ExpressionKind::PercentFunction(_, inner) => {
                self.expression(inner, roles);
            }
            ExpressionKind::Unary(operator, inner) => {
                let is_defined = matches!(operator, UnaryOperator::Defined(_));
                self.expression(inner, &through_operator(roles, is_defined));
            }
            ExpressionKind::Binary(first, rest) => {
                let is_defined = rest.iter().any(|(operator, _)| matches!(operator, BinaryOperator::Defined(_)));
                let roles = through_operator(roles, is_defined);
                self.expression(first, &roles);
                rest.iter().for_each(|(_, operand)| self.expression(operand, &roles));
            }
            ExpressionKind::Conditional(tests, last) => {
                for (test, value) in tests {
                    self.expression(test, &Roles::Each(Vec::new()));
                    self.expression(value, roles);
                }
                self.expression(last, roles);
            }
            ExpressionKind::ArrayConstructor { values, .. } => {
                // Which element of a section goes where is not followed.
                let inside = match roles {
                    Roles::All(Role::Reduced) => Roles::All(Role::Reduced),
                    _ => Roles::All(Role::Unclear(Reason::NonNeighbourIndex)),
                };
                values.iter().for_each(|value| self.expression(value, &inside));
            }
            ExpressionKind::ImpliedDo(implied) => {
                implied.items.iter().for_each(|item| self.expression(item, roles));
                let bounds = [&implied.lower, &implied.upper].into_iter().chain(&implied.step);
                bounds.for_each(|bound| self.expression(bound, &Roles::Each(Vec::new())));
            }
            ExpressionKind::Complex(parts) => {
                self.expression(&parts.0, roles);
                self.expression(&parts.1, roles);
            }
            ExpressionKind::Substring(parent, range) => {
                self.expression(parent, roles);
                self.arguments(range, &Roles::Each(Vec::new()));
            }
            ExpressionKind::Repeat(count, value) => {
                self.expression(count, roles);
                self.expression(value, roles);
            }
            ExpressionKind::Literal(_) | ExpressionKind::Star => {}
        }
    }

    fn reference(&mut self, reference: &Reference, span: Span, roles: &Roles) {
        let place = self.place();
        if is_inquiry(place, reference) {
            let lists = reference.parts.iter().flat_map(|part| &part.lists);
            let others = lists.flat_map(|list| list.items.iter().skip(1)).filter_map(expression_of);
            others.for_each(|argument| self.expression(argument, &Roles::Each(Vec::new())));
            return;
        }
        if let Some((name, list)) = place.intrinsic(reference).filter(|_| !place.paper) {
            return self.intrinsic(name, list, roles);
        }
        if self.array(reference, span, roles) {
            return;
        }
        if !place.paper && (self.selector(reference, span, roles) || self.call(reference, span)) {
            return;
        }
        let classes = place.resolved.classify(place.tree, place.statement, reference);
        let passes_through = place.paper || self.is_elemental(reference);
        for (part, class) in reference.parts.iter().zip(classes) {
            let is_function = matches!(class, PartClass::Function | PartClass::Unknown) && !passes_through;
            let unclear = Roles::All(Role::Unclear(Reason::NonNeighbourIndex));
            let of_arguments = if is_function { &unclear } else { roles };
            part.lists.iter().chain(&part.image).for_each(|list| self.arguments(list, of_arguments));
        }
    }

    pub(super) fn arguments(&mut self, list: &ArgumentList, roles: &Roles) {
        for item in &list.items {
            match &item.value {
                ArgumentValue::Expression(expression) => self.expression(expression, roles),
                ArgumentValue::Section(section) => self.bounds(section),
                ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {}
            }
        }
    }

    fn bounds(&mut self, section: &Section) {
        let bounds = section.lower.iter().chain(&section.upper).chain(&section.stride);
        bounds.for_each(|bound| self.expression(bound, &Roles::Each(Vec::new())));
    }

    /// Whether a function of the program is elemental, so that its arguments are aligned as its result.
    fn is_elemental(&self, reference: &Reference) -> bool {
        let place = self.place();
        let [part] = reference.parts.as_slice() else { return false };
        let symbol = place.resolved.symbol_at(place.statement, part.name.name);
        symbol.is_some_and(|symbol| match &place.resolved.symbol(symbol).kind {
            SymbolKind::Function { interface: Some(interface) } => interface.is_elemental,
            _ => false,
        })
    }

    /// An associate name that stands for an element or an expression: what that reads.
    fn selector(&mut self, reference: &Reference, span: Span, roles: &Roles) -> bool {
        let place = self.place();
        let [Part { name, lists, .. }] = reference.parts.as_slice() else { return false };
        let Some(symbol) = place.resolved.symbol_at(place.statement, name.name) else { return false };
        let SymbolKind::AssociateName { statement, index, whole: None } = place.resolved.symbol(symbol).kind else {
            return false;
        };
        let StatementKind::Associate(associations) = &place.tree.statements[statement as usize].kind else {
            return false;
        };
        let Some(position) = self.evaluator.analysis.flow.position(statement) else { return false };
        let Some(association) = associations.get(index as usize).filter(|_| lists.is_empty()) else { return false };
        let before = self.found.len();
        let analysis = self.evaluator.analysis;
        let outer = std::mem::replace(&mut self.evaluator, Evaluator::at(analysis, position));
        self.expression(&association.selector, roles);
        self.evaluator = outer;
        for (read, ordinal) in self.found[before..].iter_mut().zip(1..) {
            (read.span, read.statement, read.ordinal) = (span, place.statement, ordinal);
        }
        true
    }

    /// The arguments of an intrinsic function.
    fn intrinsic(&mut self, name: &str, list: &ArgumentList, roles: &Roles) {
        let place = self.place();
        let keyword = match name {
            "transpose" => "matrix",
            "spread" => "source",
            "all" | "any" | "count" | "parity" => "mask",
            "norm2" => "x",
            _ => "array",
        };
        let array = place.argument(list, 0, keyword);
        let dimension = |at| place.argument(list, at, "dim").map(|dim| place.constant(dim));
        let of_array = match name {
            "cshift" | "eoshift" => {
                let at = if name == "cshift" { 2 } else { 3 };
                let by = place.argument(list, 1, "shift").and_then(|shift| place.constant(shift));
                shifted(roles, dimension(at).unwrap_or(Some(1)), by)
            }
            "transpose" => match roles {
                Roles::Each(each) => Roles::Each(each.iter().rev().cloned().collect()),
                Roles::All(role) => Roles::All(role.clone()),
            },
            "spread" => without(roles, dimension(1).flatten()),
            "all" | "any" | "count" | "parity" | "norm2" => reduced(roles, dimension(1)),
            "sum" | "product" | "maxval" | "minval" | "iall" | "iany" | "iparity" => {
                // The second argument may as well be the mask.
                let is_mask = || list.items.get(1).filter(|item| item.keyword.is_none()).and_then(expression_of);
                match is_mask().filter(|second| self.is_logical(second)) {
                    Some(_) => reduced(roles, None),
                    None => reduced(roles, dimension(1)),
                }
            }
            "maxloc" | "minloc" => match dimension(1) {
                Some(dimension) => reduced(roles, Some(dimension)),
                None => Roles::All(Role::Reduced),
            },
            "findloc" => match dimension(2) {
                Some(dimension) => reduced(roles, Some(dimension)),
                None => Roles::All(Role::Reduced),
            },
            "dot_product" => Roles::All(Role::Reduced),
            "matmul" | "pack" | "unpack" | "reshape" => Roles::All(Role::Unclear(Reason::NonNeighbourIndex)),
            _ => return self.arguments(list, roles),
        };
        let others = match name {
            "cshift" | "eoshift" | "spread" => Roles::All(Role::Unclear(Reason::NonNeighbourIndex)),
            _ => of_array.clone(),
        };
        for item in list.items.iter() {
            let Some(argument) = expression_of(item) else { continue };
            let is_array = array.is_some_and(|array| std::ptr::eq(array, argument));
            self.expression(argument, if is_array { &of_array } else { &others });
        }
    }

    /// Whether an expression is a mask: it compares, or is known to be logical.
    fn is_logical(&self, expression: &Expression) -> bool {
        let place = self.place();
        match &expression.kind {
            ExpressionKind::Parenthesised(inner) => self.is_logical(inner),
            ExpressionKind::Unary(UnaryOperator::Not, _) => true,
            ExpressionKind::Binary(_, rest) => rest.iter().any(|(operator, _)| {
                use BinaryOperator::*;
                matches!(operator, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | And | Or)
            }),
            ExpressionKind::Reference(_) => {
                place.resolved.rank(place.tree, place.statement, expression).is_some_and(|rank| rank > 0)
            }
            _ => false,
        }
    }

    /// Notes the array that a reference is, and what its subscripts read; `false` if it is a scalar or a function.
    fn array(&mut self, reference: &Reference, span: Span, roles: &Roles) -> bool {
        let place = self.place();
        let Some(first) = reference.parts.first() else { return false };
        let Some(symbol) = place.resolved.symbol_at(place.statement, first.name.name) else { return false };
        let classes = place.resolved.classify(place.tree, place.statement, reference);
        let is_array = |class: &PartClass| matches!(class, PartClass::Array { .. });
        let unknown = matches!(classes.first(), Some(PartClass::Unknown)) && !first.lists.is_empty();
        if !classes.iter().any(is_array) && !unknown {
            return false;
        }
        if classes.iter().any(|class| matches!(class, PartClass::Function | PartClass::StructureConstructor)) {
            return false;
        }
        let array = |key, parts: &[Part], subscripts| ArrayReference {
            array: key,
            spelling: spelling(place, parts),
            span,
            ordinal: 0,
            statement: place.statement,
            subscripts,
            declared: !unknown,
        };
        if place.paper {
            let parts = reference.parts.iter().zip(&classes).enumerate();
            let arrays = parts.filter(|(_, (part, class))| is_array(class) || (unknown && !part.lists.is_empty()));
            for (index, (part, class)) in arrays {
                let subscripts = subscripts_on_paper(&self.evaluator, part, class);
                self.found.push(array(key(symbol, &reference.parts[..=index]), std::slice::from_ref(part), subscripts));
            }
            let lists = reference.parts.iter().flat_map(|part| part.lists.iter().chain(&part.image));
            lists.for_each(|list| self.arguments(list, roles));
            return true;
        }
        let subscripts = self.subscripts(reference, &classes, roles);
        let key = key(canonical(place.resolved, symbol), &reference.parts);
        self.found.push(array(key, &reference.parts, subscripts));
        true
    }

    /// The subscripts of all parts of a reference to an array, whose sections have these roles.
    fn subscripts(&mut self, reference: &Reference, classes: &[PartClass], roles: &Roles) -> Vec<Subscript> {
        let starts = self.sections(reference);
        let rank = starts.len();
        let mut starts = starts.iter().enumerate();
        let mut found = Vec::new();
        for (part, class) in reference.parts.iter().zip(classes) {
            let own_rank = match class {
                PartClass::Array { rank } => *rank,
                PartClass::Unknown => 0,
                _ => {
                    part.lists
                        .iter()
                        .chain(&part.image)
                        .for_each(|list| self.arguments(list, &Roles::Each(Vec::new())));
                    continue;
                }
            };
            let Some(list) = part.lists.first() else {
                for (dimension, start) in starts.by_ref().take(own_rank as usize) {
                    let kind = self.section(None, start, &roles.of(dimension, rank), part.name.span);
                    found.push(Subscript { kind, span: part.name.span });
                }
                continue;
            };
            for item in &list.items {
                let kind = match &item.value {
                    ArgumentValue::Section(section) => {
                        self.bounds(section);
                        match starts.next() {
                            Some((dimension, start)) => {
                                self.section(Some(section), start, &roles.of(dimension, rank), item.span)
                            }
                            None => SubscriptKind::Other(Reason::NonNeighbourIndex),
                        }
                    }
                    ArgumentValue::Expression(index) => self.index(index, own_rank > 0, &mut starts, roles, rank),
                    ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {
                        SubscriptKind::Other(Reason::NonNeighbourIndex)
                    }
                };
                found.push(Subscript { kind, span: item.span });
            }
            part.lists
                .iter()
                .skip(1)
                .chain(&part.image)
                .for_each(|list| self.arguments(list, &Roles::Each(Vec::new())));
        }
        found
    }

    /// A subscript that is an expression; if it is an array itself, each element of that is an index.
    fn index<'s>(
        &mut self,
        index: &Expression,
        declared: bool,
        starts: &mut impl Iterator<Item = (usize, &'s Start)>,
        roles: &Roles,
        rank: usize,
    ) -> SubscriptKind {
        if !(declared && self.is_array(index)) {
            self.expression(index, &Roles::Each(Vec::new()));
            return SubscriptKind::Index(self.evaluator.values(index));
        }
        let role = starts.next().map(|(dimension, _)| roles.of(dimension, rank));
        self.expression(index, &Roles::Each(role.into_iter().collect()));
        SubscriptKind::Other(Reason::IndirectIndex)
    }

    /// A section in a role.
    fn section(&self, written: Option<&Section>, start: &Start, role: &Role, span: Span) -> SubscriptKind {
        match role {
            Role::Aligned { axis, shift } => {
                let offset = match (self.axes.get(*axis), shift) {
                    (Some(left), Ok(shift)) => self
                        .offset(left, start)
                        .and_then(|offset| offset.checked_add(*shift).ok_or(Reason::NonNeighbourIndex)),
                    (_, Err(reason)) => Err(*reason),
                    (None, _) => Err(Reason::NonNeighbourIndex),
                };
                SubscriptKind::Aligned { axis: *axis as u32, offset }
            }
            Role::Reduced | Role::Unclear(_) if start.stride.is_some() => SubscriptKind::Other(Reason::StridedSection),
            Role::Reduced => self.run_over(written, start, span),
            Role::Unclear(reason) => SubscriptKind::Other(*reason),
        }
    }

    /// How far the elements of a section lie from those of one on the left.
    fn offset(&self, left: &Start, read: &Start) -> Result<i64, Reason> {
        let single = |values: &Vec<Index>| match values.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(Reason::LoopVaryingIndex),
        };
        let strides = (&left.stride, &read.stride);
        match strides {
            (None, None) => {}
            (Some(left), Some(right)) if single(left)?.form == single(right)?.form => {}
            _ => return Err(Reason::StridedSection),
        }
        let (Some(from), Some(to)) = (&left.lower, &read.lower) else {
            // Bounds that are not known are taken to be the same where both dimensions are whole.
            return if left.is_whole && read.is_whole { Ok(0) } else { Err(Reason::SymbolicOffset) };
        };
        let difference = single(to)?.plus(&single(from)?, -1).ok_or(Reason::NonNeighbourIndex)?;
        if let Some(offset) = difference.form.as_constant() {
            return Ok(offset);
        }
        let moves = difference.variables().any(|symbol| {
            let analysis = self.evaluator.analysis;
            analysis.is_counted(self.evaluator.position, symbol)
        });
        Err(if difference.inside.indirect {
            Reason::IndirectIndex
        } else if moves {
            Reason::NonNeighbourIndex
        } else {
            Reason::SymbolicOffset
        })
    }

    /// A section of which all elements are read: as these elements, if they are few and known; else it is as good as any fixed index.
    fn run_over(&self, written: Option<&Section>, start: &Start, span: Span) -> SubscriptKind {
        let place = self.place();
        let lower = start.lower.as_deref().filter(|_| !start.is_whole);
        let upper = written.and_then(|section| section.upper.as_ref()).map(|upper| self.evaluator.values(upper));
        let mut inside = Inside::default();
        for bound in lower.into_iter().flatten().chain(upper.iter().flatten()) {
            inside.variables.extend(bound.variables());
            inside.add(&bound.inside);
        }
        let moves = inside.variables.iter().any(|&symbol| {
            let analysis = self.evaluator.analysis;
            analysis.is_counted(self.evaluator.position, symbol) || analysis.is_fixed_dummy(symbol)
        });
        if moves
            && start.stride.is_none()
            && let (Some([lower]), Some([upper])) = (lower, upper.as_deref())
            && let Some(elements) = elements(lower, upper)
        {
            return SubscriptKind::Window(elements);
        }
        let text = place.tree.source.texts.bytes(span);
        let text: String = text.iter().map(|&byte| char::from(byte.to_ascii_lowercase())).collect();
        SubscriptKind::Index(vec![Index::opaque(format!("[{text}]"), inside)])
    }
}

/// All of the elements between two indices that differ by a constant.
fn elements(lower: &Index, upper: &Index) -> Option<Vec<Index>> {
    let last = upper.plus(lower, -1)?.form.as_constant()?;
    if !(0..WINDOW).contains(&last) {
        return None;
    }
    (0..=last).map(|step| lower.plus(&Index::constant(step), 1)).collect()
}

/// The start of a whole dimension.
fn whole(shape: Option<&Shape>, dimension: usize) -> Start {
    let bounds = shape.and_then(|shape| shape.bounds.get(dimension));
    let lower = bounds.and_then(|bounds| bounds.lower).map(|lower| vec![Index::constant(lower)]);
    Start { lower, is_whole: true, stride: None }
}

/// The roles of the operands of an operator; what a defined one does with arrays is not known.
fn through_operator(roles: &Roles, is_defined: bool) -> Roles {
    match roles {
        _ if !is_defined || roles.are_scalar() => roles.clone(),
        _ => Roles::All(Role::Unclear(Reason::NonNeighbourIndex)),
    }
}

/// The roles of an array whose elements a function moves by a constant along one dimension.
fn shifted(roles: &Roles, dimension: Option<i64>, by: Option<i64>) -> Roles {
    let along = dimension.and_then(|dimension| usize::try_from(dimension.checked_sub(1)?).ok());
    let (Some(along), Roles::Each(each)) = (along, roles) else {
        return match roles {
            // All of it is read anyhow.
            Roles::All(Role::Reduced) => roles.clone(),
            _ => Roles::All(Role::Unclear(Reason::NonNeighbourIndex)),
        };
    };
    let mut each = each.clone();
    if let Some(Role::Aligned { shift, .. }) = each.get_mut(along) {
        *shift = match (&*shift, by) {
            (Ok(before), Some(by)) => before.checked_add(by).ok_or(Reason::NonNeighbourIndex),
            (Err(reason), _) => Err(*reason),
            (Ok(_), None) => Err(Reason::SymbolicOffset),
        };
    }
    Roles::Each(each)
}

/// The roles of an array that a function reduces: along one dimension, or all of it.
fn reduced(roles: &Roles, dimension: Option<Option<i64>>) -> Roles {
    match (dimension, roles) {
        (None, _) | (_, Roles::All(Role::Reduced)) => Roles::All(Role::Reduced),
        (Some(along), Roles::Each(each)) => {
            let along = along.and_then(|along| usize::try_from(along.checked_sub(1)?).ok());
            match along.filter(|&along| along <= each.len()) {
                Some(along) => {
                    let mut each = each.clone();
                    each.insert(along, Role::Reduced);
                    Roles::Each(each)
                }
                None => Roles::All(Role::Unclear(Reason::NonNeighbourIndex)),
            }
        }
        (Some(_), Roles::All(role)) => Roles::All(role.clone()),
    }
}

/// The roles of an array that SPREAD copies along a new dimension.
fn without(roles: &Roles, dimension: Option<i64>) -> Roles {
    match (roles, dimension.and_then(|dimension| usize::try_from(dimension.checked_sub(1)?).ok())) {
        (Roles::All(role), _) => Roles::All(role.clone()),
        (Roles::Each(each), Some(along)) if along < each.len() => {
            let mut each = each.clone();
            each.remove(along);
            Roles::Each(each)
        }
        _ => Roles::All(Role::Unclear(Reason::NonNeighbourIndex)),
    }
}

fn key(symbol: SymbolId, parts: &[Part]) -> ArrayKey {
    ArrayKey { symbol, components: parts.iter().skip(1).map(|part| part.name.name).collect() }
}

/// The names of the parts as the source spells them.
pub(super) fn spelling(place: Place<'_>, parts: &[Part]) -> String {
    let spelt = parts.iter().map(|part| {
        let name = place.tree.names.text(part.name.name);
        let source = String::from_utf8_lossy(place.tree.source.texts.bytes(part.name.span));
        // A name that blanks or a continuation cut in two is given without them.
        let joined: String = source.chars().filter(|character| !character.is_whitespace()).collect();
        if joined.eq_ignore_ascii_case(name) { joined } else { name.to_string() }
    });
    spelt.collect::<Vec<_>>().join("%")
}

/// The subscripts that a part contributes where results are to be those of CamFort.
fn subscripts_on_paper(evaluator: &Evaluator<'_, '_>, part: &Part, class: &PartClass) -> Vec<Subscript> {
    let rank = match class {
        PartClass::Array { rank } => *rank,
        PartClass::Unknown => 0,
        _ => return Vec::new(),
    };
    let whole = SubscriptKind::Aligned { axis: 0, offset: Ok(0) };
    let of = |item: &Argument| match &item.value {
        ArgumentValue::Expression(expression) => SubscriptKind::Index(evaluator.values(expression)),
        ArgumentValue::Section(section) if section.stride.is_some() => SubscriptKind::Other(Reason::StridedSection),
        ArgumentValue::Section(section) if section.lower.is_none() && section.upper.is_none() => whole.clone(),
        _ => SubscriptKind::Other(Reason::NonNeighbourIndex),
    };
    match part.lists.first() {
        Some(list) => list.items.iter().map(|item| Subscript { kind: of(item), span: item.span }).collect(),
        None => (0..rank).map(|_| Subscript { kind: whole.clone(), span: part.name.span }).collect(),
    }
}

/// Whether an assignment to this target gives values to an array: its left side is a section or a whole array.
pub fn is_array_valued(place: Place<'_>, target: &Reference) -> bool {
    let classes = place.resolved.classify(place.tree, place.statement, target);
    target.parts.iter().zip(&classes).any(|(part, class)| match (class, part.lists.first()) {
        (PartClass::Array { .. }, None) => true,
        (PartClass::Array { .. }, Some(list)) => {
            list.items.iter().any(|item| matches!(item.value, ArgumentValue::Section(_)))
        }
        _ => false,
    })
}
