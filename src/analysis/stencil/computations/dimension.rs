//! The dimensions of a reference to an array.

use crate::source::Span;
use crate::syntax::{ArgumentValue, Expression, Section};
use crate::values::Index;

/// Where a section begins.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// The first index; `None` if it is not known at all. The lower bound of a dimension may be a name for it.
    pub lower: Option<Vec<Index>>,
    /// Whether no lower bound is written.
    pub is_whole: bool,
    /// Whether nothing says what the lower bound of the dimension is, so that it may be the usual one.
    pub is_open: bool,
    /// The stride, if it is not 1.
    pub stride: Option<Vec<Index>>,
}

/// One dimension of a reference to an array.
#[derive(Debug)]
pub(super) struct Dimension<'e> {
    pub kind: DimensionKind<'e>,
    /// The subscript, or the name of a whole array.
    pub span: Span,
}

/// What stands for a dimension.
#[derive(Debug)]
pub(super) enum DimensionKind<'e> {
    /// A section, as it is written if it is: of a whole array it is not.
    Section(Start, Option<&'e Section>),
    /// A vector subscript (R923): an array of indices.
    Vector(&'e Expression),
    /// One index.
    Index(&'e Expression),
    /// Something else, perhaps a section of what may be no array.
    Unknown(&'e ArgumentValue),
}

impl Dimension<'_> {
    /// Whether it runs over several elements.
    pub fn is_section(&self) -> bool {
        matches!(self.kind, DimensionKind::Section(..) | DimensionKind::Vector(_))
    }
}
