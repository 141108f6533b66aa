//! What is kept of a file over a run: what others must know of its procedures, and what is told of it when its turn
//! comes.

use std::cell::LazyCell;
use std::sync::Arc;

use crate::analysis::analyse;
use crate::analysis::obligations::{Counts, Procedure};
use crate::analysis::stencil::infer::Inference;
use crate::analysis::stencil::{Infer, InferOptions};
use crate::diagnostics::{Finding, Note};
use crate::syntax::StatementId;
use crate::workspace::{FileView, PublicProcedures};

use super::listed::ListedProcedure;

/// What is known of a file.
#[derive(Debug, Default)]
pub struct ShapesOfFile {
    /// Its procedures.
    pub procedures: PublicProcedures<Arc<Procedure>>,
    /// What is found in each unit, and which of it are subscripts that leave bounds.
    pub findings: Vec<(Vec<Finding>, Vec<Leaving>)>,
    /// What became of the demands.
    pub counts: Counts,
    /// Its procedures in their order: those that take something for granted, or of which something is not decided.
    pub listed: Vec<ListedProcedure>,
}

/// A subscript that leaves the bounds of an array.
#[derive(Debug)]
pub struct Leaving {
    /// The number of the finding.
    pub finding: usize,
    /// The statement.
    pub statement: StatementId,
    /// The array.
    pub array: String,
}

impl ShapesOfFile {
    /// What is found, with what is inferred of arrays whose bounds are left.
    pub fn findings(&self, view: &FileView<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let inferred = LazyCell::new(|| analyse::<Infer>(view, InferOptions::default()).inference);
        for (of_unit, leaving) in &self.findings {
            let first = findings.len();
            findings.extend(of_unit.iter().cloned());
            for Leaving { finding, statement, array } in leaving {
                findings[first + finding].notes.extend(region_of(&inferred, *statement, array));
            }
        }
        findings
    }
}

/// What is inferred of the reads of an array in a statement.
fn region_of(inferred: &Inference, statement: StatementId, array: &str) -> Vec<Note> {
    let own = inferred.computations.iter().filter(|computation| computation.statement == statement);
    let of_array = own
        .flat_map(|computation| &computation.specifications)
        .filter(|specification| specification.variables.iter().any(|variable| variable.eq_ignore_ascii_case(array)));
    of_array.map(|specification| Note::Inferred(specification.text.clone())).collect()
}
