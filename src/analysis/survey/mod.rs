//! The empirical study of array computations (paper, sections 2 and 7) on any code base.
//!
//! - *assignment*: one in a loop, or to a whole array or section, to which array reads flow;
//! - *array computation*: such an assignment with one of the arrays that flow to it: what is classified and counted;
//! - *category*: the classes of one computation; every table of section 2 is a sum over categories;
//! - *package*: files that are analysed together, each against the modules of all; *study*: the counts of packages.
//!
//! Entry points: [`survey`] classifies the computations of one file; [`Counts`] are exact sums of that, and adding them
//! is associative and commutative, so a study can be split in any way. Percentages come about only when something is
//! printed.

mod analysis;
mod class;
mod classify;
mod counts;
mod outcome;
pub mod packages;
pub mod partial;
pub mod partial_file;
mod pattern;
pub mod places;
pub mod render;
mod size;
#[cfg(test)]
mod tests;

pub use analysis::{Survey, SurveyOptions};
pub use class::{Action, Bound, Category, Contiguity, LeftClass, Position, Relation, Reuse, RightClass};
pub use counts::{Counts, Histogram, Study};
pub use outcome::{SpecificationClass, SpecificationOutcome};
pub use pattern::{MOST_POINTS, Point, points};
pub use size::Sizes;

use super::stencil::computations::{FormedComputation, Reason, unit_path};
use super::stencil::infer::{Language, Places};
use crate::syntax::Tree;

/// What the study holds of one file.
#[derive(Clone, Debug, Default)]
pub struct FileSurvey {
    /// Its size.
    pub sizes: Sizes,
    /// Its assignments in source order.
    pub assignments: Vec<Assignment>,
}

/// One assignment with the arrays that flow to it.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// The program unit, as `module::procedure`.
    pub unit: String,
    /// Whether `infer` looks at it: an induction variable occurs in some index on the right.
    pub is_root: bool,
    /// Number of further assignments that flow to it.
    pub flow_length: u32,
    /// The arrays, in the order of their first reads: a computation each.
    pub arrays: Vec<ArrayRow>,
}

/// One array computation.
#[derive(Clone, Debug)]
pub struct ArrayRow {
    /// The array as spelt.
    pub array: String,
    /// Its classes.
    pub category: Category,
    /// Number of dimensions (of the longest list of indices).
    pub dimensionality: u32,
    /// Number of references to it.
    pub subscripts: u32,
    /// The canonical text of its offsets ([`points`] reads it), of neighbourhood patterns.
    pub shape: Option<String>,
    /// What can be specified.
    pub outcome: SpecificationOutcome,
    /// The specifications: none, one or two bounds.
    pub specifications: Vec<SpecificationClass>,
}

/// Classifies the computations of one file, which were found as the paper and CamFort do or not.
pub fn survey(tree: &Tree, bytes: &[u8], computations: &[FormedComputation], paper: bool) -> FileSurvey {
    let places = Places::new(tree, computations.iter().map(|formed| &formed.computation));
    FileSurvey {
        sizes: Sizes::of_file(bytes, tree),
        assignments: computations.iter().map(|formed| assignment(tree, formed, &places, paper)).collect(),
    }
}

fn assignment(tree: &Tree, formed: &FormedComputation, places: &Places<'_>, paper: bool) -> Assignment {
    let computation = &formed.computation;
    let (_, start, _) = tree.source.texts.locate(tree.statements[computation.statement].span);
    let arrays = computation.arrays.iter().zip(&formed.reads).map(|(array, reads)| {
        let spelling = match array {
            Ok(access) => &access.spelling,
            Err(undescribed) => &undescribed.spelling,
        };
        let obstacle = places.obstacle(computation.statement, spelling);
        let specifications = match (array, obstacle) {
            (Ok(access), None) => outcome::specifications(access, Language { paper, fixed: false }),
            _ => Vec::new(),
        };
        let outcome = match (array, obstacle) {
            (Err(undescribed), _) => SpecificationOutcome::Nothing(undescribed.reason),
            (Ok(_), Some(reason)) => SpecificationOutcome::Nothing(reason),
            (Ok(_), None) => outcome::outcome(&specifications),
        };
        let is_array = outcome != SpecificationOutcome::Nothing(Reason::UndeclaredArray);
        let classified = classify::classify(formed.left.as_deref(), reads, is_array);
        ArrayRow {
            array: spelling.clone(),
            category: classified.category,
            dimensionality: reads.iter().map(|read| read.indices.len()).max().unwrap_or(0) as u32,
            subscripts: classify::references(reads) as u32,
            shape: classified.shape,
            outcome,
            specifications,
        }
    });
    Assignment {
        line: start.line,
        column: start.column,
        unit: unit_path(tree, computation.unit),
        is_root: computation.is_root,
        flow_length: formed.flowing as u32,
        arrays: arrays.collect(),
    }
}
