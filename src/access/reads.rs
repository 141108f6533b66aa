//! The array reads of an expression, as written.

use super::index::{Index, Place};
use crate::names::{PartClass, SymbolId};
use crate::source::Span;
use crate::syntax::visit::walk_subexpressions;
use crate::syntax::{Argument, ArgumentValue, Expression, ExpressionKind, Name, Part, Reference, StatementId};

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
    /// One index.
    Index(Index),
    /// A section, or a dimension of a whole array.
    Section {
        /// `:`, without bounds and stride.
        whole: bool,
        /// With a stride.
        strided: bool,
    },
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

/// All array reads in an expression, in source order; subscripts are searched too.
pub fn reads(place: Place<'_>, expression: &Expression) -> Vec<ArrayReference> {
    let mut found = Vec::new();
    let mut asked_about: Vec<Span> = Vec::new();
    walk_subexpressions(expression, &mut |inner| {
        let ExpressionKind::Reference(reference) = &inner.kind else { return };
        if asked_about.iter().any(|span| span.encloses(inner.span)) {
            return;
        }
        if is_inquiry(place, reference) {
            let lists = reference.parts.iter().flat_map(|part| &part.lists);
            asked_about.extend(lists.filter_map(|list| list.items.first()).map(|argument| argument.span));
            return;
        }
        found.extend(array_references(place, reference, inner.span));
    });
    found
}

/// Whether a reference asks about an array or variable without reading its elements: such a value does not change in a loop
/// that does not allocate.
pub fn is_inquiry(place: Place<'_>, reference: &Reference) -> bool {
    let [part] = reference.parts.as_slice() else { return false };
    INQUIRIES.binary_search(&place.tree.names.text(part.name.name)).is_ok()
        && place.resolved.classify(place.tree, place.statement, reference) == [PartClass::Intrinsic]
}

/// The array that a reference is: one, or none if it is a scalar or a function; in paper mode one for each part with a list.
pub fn array_references(place: Place<'_>, reference: &Reference, span: Span) -> Vec<ArrayReference> {
    let Some(first) = reference.parts.first() else { return Vec::new() };
    let Some(symbol) = place.resolved.symbol_at(place.statement, first.name.name) else { return Vec::new() };
    let classes = place.resolved.classify(place.tree, place.statement, reference);
    let is_array = |class: &PartClass| matches!(class, PartClass::Array { .. });
    let unknown = matches!(classes.first(), Some(PartClass::Unknown)) && !first.lists.is_empty();
    if !classes.iter().any(is_array) && !unknown {
        return Vec::new();
    }
    if classes.iter().any(|class| matches!(class, PartClass::Function | PartClass::StructureConstructor)) {
        return Vec::new();
    }
    if place.paper {
        let parts = reference.parts.iter().zip(&classes).enumerate();
        let arrays = parts.filter(|(_, (part, class))| is_array(class) || (unknown && !part.lists.is_empty()));
        return arrays
            .map(|(index, (part, class))| ArrayReference {
                array: key(symbol, &reference.parts[..=index]),
                spelling: spelling(place, std::slice::from_ref(part)),
                span,
                statement: place.statement,
                subscripts: subscripts(place, part, class),
                declared: !unknown,
            })
            .collect();
    }
    let subscripts =
        reference.parts.iter().zip(&classes).flat_map(|(part, class)| subscripts(place, part, class)).collect();
    vec![ArrayReference {
        array: key(symbol, &reference.parts),
        spelling: spelling(place, &reference.parts),
        span,
        statement: place.statement,
        subscripts,
        declared: !unknown,
    }]
}

fn key(symbol: SymbolId, parts: &[Part]) -> ArrayKey {
    ArrayKey { symbol, components: parts.iter().skip(1).map(|part| part.name.name).collect() }
}

/// The names of the parts as the source spells them.
fn spelling(place: Place<'_>, parts: &[Part]) -> String {
    let spelt = parts.iter().map(|part| {
        let name = place.tree.names.text(part.name.name);
        let source = String::from_utf8_lossy(place.tree.source.texts.bytes(part.name.span));
        // A name that blanks or a continuation cut in two is given without them.
        let joined: String = source.chars().filter(|character| !character.is_whitespace()).collect();
        if joined.eq_ignore_ascii_case(name) { joined } else { name.to_string() }
    });
    spelt.collect::<Vec<_>>().join("%")
}

/// The subscripts that a part contributes.
fn subscripts(place: Place<'_>, part: &Part, class: &PartClass) -> Vec<Subscript> {
    let rank = match class {
        PartClass::Array { rank } => *rank,
        PartClass::Unknown => 0,
        _ => return Vec::new(),
    };
    match part.lists.first() {
        Some(list) => list.items.iter().map(|item| subscript(place, item)).collect(),
        None => (0..rank)
            .map(|_| Subscript { kind: SubscriptKind::Section { whole: true, strided: false }, span: part.name.span })
            .collect(),
    }
}

fn subscript(place: Place<'_>, item: &Argument) -> Subscript {
    let kind = match &item.value {
        ArgumentValue::Expression(expression) => SubscriptKind::Index(place.index(expression)),
        ArgumentValue::Section(section) => SubscriptKind::Section {
            whole: section.lower.is_none() && section.upper.is_none() && section.stride.is_none(),
            strided: section.stride.is_some(),
        },
        ArgumentValue::AlternateReturn(_) | ArgumentValue::Omitted => {
            SubscriptKind::Section { whole: false, strided: false }
        }
    };
    Subscript { kind, span: item.span }
}
