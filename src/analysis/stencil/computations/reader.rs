//! The reader of an assignment's right or left side; what it does with each form of expression stands in the files that
//! extend it.

use super::dimension::Start;
use super::subscript::ArrayReference;
use super::unit::UnitContext;
use crate::values::{Evaluator, ExpressionContext, ValueContext};

/// Collects the array reads of one assignment.
pub struct Reader<'a, 't> {
    /// The unit that the assignment stands in.
    pub(super) unit: &'a UnitContext<'t>,
    /// Finds the values of its subscripts.
    pub(super) evaluator: Evaluator<'a, 't>,
    /// The sections of the left side.
    pub(super) axes: Vec<Start>,
    pub(super) found: Vec<ArrayReference>,
    /// How many statement functions the expression stands in.
    pub(super) depth: usize,
}

impl<'a, 't> Reader<'a, 't> {
    pub(super) fn values(&self) -> &'a ValueContext<'t> {
        self.evaluator.values
    }

    pub(super) fn context(&self) -> ExpressionContext<'t> {
        self.evaluator.context
    }
}
