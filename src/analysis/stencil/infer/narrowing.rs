//! What of a file's inference is asked for: that of a procedure, of some lines, of an array.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::{Inference, InferredComputation, InferredSpecification, remaining};
use crate::source::SourceTexts;

/// What is asked for; all of it, where nothing is said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Narrowing {
    /// A procedure, by its name or as `module::procedure`, in any letter case.
    pub procedure: Option<String>,
    /// Lines of the named file, with one of which a computation must have to do.
    pub lines: Option<RangeInclusive<u32>>,
    /// An array, as it is spelt in specifications, in any letter case.
    pub array: Option<String>,
}

impl Narrowing {
    /// Takes out what is not asked for.
    pub fn apply(&self, texts: &SourceTexts, inference: &mut Inference) {
        if *self == Narrowing::default() {
            return;
        }
        inference.computations.retain(|computation| self.holds(texts, computation));
        if let Some(array) = &self.array {
            for computation in &mut inference.computations {
                let specifications = std::mem::take(&mut computation.specifications);
                computation.specifications = specifications.into_iter().filter_map(|one| alone(one, array)).collect();
                computation.unspecified.retain(|one| one.variable.eq_ignore_ascii_case(array));
                computation.borders.retain(|one| one.variable.eq_ignore_ascii_case(array));
            }
            inference.computations.retain(|one| !(one.specifications.is_empty() && one.unspecified.is_empty()));
        }
    }

    fn holds(&self, texts: &SourceTexts, computation: &InferredComputation) -> bool {
        let is_named = |name: &String| {
            let own = computation.unit.rsplit("::").next().unwrap_or_default();
            own.eq_ignore_ascii_case(name) || computation.unit.eq_ignore_ascii_case(name)
        };
        let touches = |lines: &RangeInclusive<u32>| {
            let (path, start, end) = texts.locate(computation.span);
            path == texts.root().path && start.line <= *lines.end() && *lines.start() <= end.line
        };
        self.procedure.as_ref().is_none_or(is_named) && self.lines.as_ref().is_none_or(touches)
    }
}

/// What a specification says of one array; `None` if it does not speak of it.
fn alone(specification: InferredSpecification, array: &str) -> Option<InferredSpecification> {
    let (wanted, others): (Vec<String>, Vec<String>) =
        specification.variables.iter().cloned().partition(|name| name.eq_ignore_ascii_case(array));
    let others: BTreeSet<String> = others.iter().map(|name| name.to_ascii_lowercase()).collect();
    let text = remaining(&specification, Some(&others))?;
    Some(InferredSpecification { text, variables: wanted, ..specification })
}
