//! What flows to a computation root.

use std::rc::Rc;

use super::subscript::ArrayReference;
use crate::flow::{FlowPosition, LoopId, VariableId};

/// A distance that is shared by what lies at it.
pub type SharedDistance = Rc<[(LoopId, Option<i64>)]>;

/// A read that flows to a root.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// The read.
    pub read: Rc<ArrayReference>,
    /// Position of the statement it stands in.
    pub position: FlowPosition,
    /// How much earlier it happens than the root.
    pub distance: SharedDistance,
    /// Whether the read, or a value that it flows to on the way, is handed to a procedure that may do anything with it.
    pub is_handed_over: bool,
}

/// A computation root with everything that flows to it.
#[derive(Clone, Debug)]
pub struct Root {
    /// Position of the assignment.
    pub position: FlowPosition,
    /// Whether it is a root; else it was asked for.
    pub is_root: bool,
    /// The reads in source order.
    pub contributions: Vec<Contribution>,
    /// Positions of statements that were not understood and may define a scalar on the way.
    pub unparsed: Vec<FlowPosition>,
    /// Whether some statement flows to it from more iterations than are told apart, so that reads are missing.
    pub is_incomplete: bool,
    /// Number of assignments that flow to it.
    pub flowing: usize,
    /// Whether a call flows to it of which it is not known what it reads.
    pub has_unknown_call: bool,
    /// Where a procedure is summarised: the variables with which it is entered that may flow to it.
    pub entered: Vec<VariableId>,
}

impl Root {
    /// The root at a position, to which nothing flows yet.
    pub fn new(position: FlowPosition) -> Self {
        Root {
            position,
            is_root: true,
            contributions: Vec::new(),
            unparsed: Vec::new(),
            is_incomplete: false,
            flowing: 0,
            has_unknown_call: false,
            entered: Vec::new(),
        }
    }
}
