//! References to arrays by their subscripts.

use super::Reason;
use crate::source::{Span, is_name_byte};
use crate::syntax::{Part, StatementId};
use crate::values::{ArrayKey, ExpressionContext, Index};

/// One subscript with its place.
#[derive(Clone, Debug)]
pub struct Subscript {
    /// What it is.
    pub kind: SubscriptKind,
    /// Where it stands.
    pub span: Span,
    /// The name of the constant that is all of it, as spelt, if one is.
    pub constant_name: Option<Box<str>>,
}

impl Subscript {
    /// One that is no named constant.
    pub fn new(kind: SubscriptKind, span: Span) -> Self {
        Subscript { kind, span, constant_name: None }
    }
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
    /// The same of a section in an array-valued assignment, or of what a function reads: it moves in a way that is not
    /// known.
    Unaligned(Reason),
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
    /// Whether it is handed to a procedure that may read any element of it.
    pub is_handed_over: bool,
    /// Whether it is a factor of a matrix product, whose dimensions are those of the result by their places.
    pub is_factor: bool,
}

/// The names of the parts as the source spells them.
pub(super) fn spelling(context: ExpressionContext<'_>, parts: &[Part]) -> String {
    let mut spelt = String::new();
    for part in parts {
        if !spelt.is_empty() {
            spelt.push('%');
        }
        let name = context.tree.names.text(part.name.name);
        // A name that blanks or a continuation cut in two is given without them.
        let source = source_of_name(context, part.name.span);
        if source.eq_ignore_ascii_case(name.as_bytes()) {
            spelt.push_str(&String::from_utf8_lossy(source));
            continue;
        }
        let joined = source.iter().copied().filter(|byte| !matches!(byte, b' ' | b'\t'..=b'\r')).collect();
        match String::from_utf8(joined) {
            Ok(joined) if joined.eq_ignore_ascii_case(name) => spelt.push_str(&joined),
            _ => spelt.push_str(name),
        }
    }
    spelt
}

/// The bytes of the source where a name stands; none where they are part of a longer word, which then is a macro's.
fn source_of_name<'t>(context: ExpressionContext<'t>, span: Span) -> &'t [u8] {
    let texts = &context.tree.source.texts;
    let is_cut = || {
        let word = |start, end| texts.bytes(Span::new(start, end)).first().is_some_and(|&byte| is_name_byte(byte));
        word(span.end, span.end + 1) || span.start > 0 && word(span.start - 1, span.start)
    };
    if context.is_from_macro() && is_cut() { b"" } else { texts.bytes(span) }
}
