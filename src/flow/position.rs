//! Positions of statements in the flow of a unit.

use oxc_index::define_index_type;

define_index_type! {
    /// Position of a statement among the own ones of a unit: an index into
    /// [`UnitFlow::statements`](super::UnitFlow::statements).
    #[derive(Default)]
    pub struct FlowPosition = u32;
}
