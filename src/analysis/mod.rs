//! The analyses: a folder each.

pub mod guard;
pub mod stencil;
pub mod survey;
