//! Whether arrays fit, before the run: shapes that differ, subscripts out of bounds, arguments that are too small, and
//! what is right only on a square grid.
//!
//! Each statement says what it demands of shapes and bounds (`statement`, `collect`, `intrinsic`); what becomes of that
//! the engine of [obligations](super::obligations) finds out; the words are made here (`text`).

mod analysis;
mod collect;
mod file;
mod intrinsic;
mod kept;
mod listed;
mod rules;
mod statement;
mod summary;
#[cfg(test)]
mod tests;
mod text;

pub use analysis::{ShapeOptions, Shapes, ShapesOutcome};
pub use file::dump;
pub use kept::ShapesOfFile;
pub use listed::{ListedProcedure, Shown};
